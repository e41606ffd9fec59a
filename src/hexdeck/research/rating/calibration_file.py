"""Calibrations as they are kept: a log of positions, from which a run goes on, and the figures in a game's folder.

`calibration.json` in a game's folder holds a list of measurements, each of a number of players and a bot. An error
there is a list: how many moves, what was said, what was brought, half the 95 % interval of the difference.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hexdeck.bots.files import write_atomically
from hexdeck.bots.horizon import measure_of
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say
from hexdeck.research.rating.calibration import Calibrator, Error, Row, errors_by_kind, tenths, whole_error

DIGITS = 3  # kept of each figure


class CalibrationLog:
    """The positions that were measured, a line each, in a file where there is one.

    Raises HexdeckError for a file of another measurement.
    """

    def __init__(self, path: Path | None, game: GameSetup, by: str, playouts: int, seed: int) -> None:
        self._path, self.rows = path, dict[int, Row | None]()
        about = {
            "game": game.name,
            "players": game.players,
            "code": program_hash(game.rules.__name__, "hexdeck.research.rating"),
            "by": by,
            "playouts": playouts,
            "seed": seed,
        }
        if path and path.exists():
            self._read(path, about)
        if path:
            lines = [about, *([number, row] for number, row in self.rows.items())]
            write_atomically(path, ("\n".join(map(json.dumps, lines)) + "\n").encode())

    def _read(self, path: Path, about: dict[str, Any]) -> None:
        """Take what the file holds; a last line that was cut off is measured again."""
        lines = [parsed(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found = lines[0] if lines and isinstance(lines[0], dict) else {}
        other = next((key for key in about if found.get(key) != about[key]), None)
        if other is not None:
            text = _("{file} holds rows of other games (different {what}); choose another file for these.")
            raise HexdeckError(say(text, file=str(path), what=other))
        for number, row in (line for line in lines[1:] if isinstance(line, list)):
            self.rows[number] = row and [(kind, said, brought) for kind, said, brought in row]

    def add(self, number: int, row: Row | None) -> None:
        """Keep a position."""
        self.rows[number] = row
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([number, row]) + "\n")


def parsed(line: str) -> Any:
    """A line as data, or None where it was cut off."""
    try:
        return json.loads(line)
    except ValueError:
        return None


def calibration(game: GameSetup, by: str, positions: int, playouts: int, seed: int, log: CalibrationLog) -> list[Row]:
    """Measure the positions that the log lacks; returns all of them that have a choice."""
    calibrator = Calibrator(game, by, playouts, seed)
    for number in range(positions):
        if number not in log.rows:
            log.add(number, calibrator.position(number))
    return [row for number, row in sorted(log.rows.items()) if row and number < positions]


# --- in a game's folder -----------------------------------------------------------------------------------------------
def summary(game: GameSetup, by: str, rows: Sequence[Row], playouts: int, seed: int) -> dict[str, Any]:
    """A measurement as it is kept."""
    measure = measure_of(game)
    return {
        "players": game.players, "by": by, "positions": len(rows), "playouts": playouts, "seed": seed,
        "error": as_data(whole_error(rows, measure)),
        "kinds": {kind: as_data(each) for kind, each in errors_by_kind(rows, measure).items()},
        "tenths": [as_data(each) for each in tenths(rows, measure)],
    }  # fmt: skip


def as_data(found: Error) -> list[float]:
    """An error as a list."""
    return [found.moves, *(round(number, DIGITS) for number in (found.said, found.brought, found.margin))]


def kept(game: GameSetup) -> list[dict[str, Any]]:
    """The measurements that are kept of a game, by players and bot."""
    path = file_of(game)
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return found


def keep(game: GameSetup, found: dict[str, Any]) -> None:
    """Put a measurement in the game's folder, in the place of an earlier one of its kind."""
    others = [each for each in kept(game) if key_of(each) != key_of(found)]
    lines = [json.dumps(each) for each in sorted([*others, found], key=key_of)]
    write_atomically(file_of(game), ("[\n " + ",\n ".join(lines) + "\n]\n").encode())


def key_of(found: dict[str, Any]) -> tuple[int, str]:
    """What a measurement is of: the number of players, and the bot."""
    return found["players"], found["by"]


def file_of(game: GameSetup) -> Path:
    """The file with a game's measurements."""
    return game.definition.folder / "calibration.json"
