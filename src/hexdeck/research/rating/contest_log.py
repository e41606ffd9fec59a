"""A log of contests: the result of each deal, a line each, so that a ladder resumes where it was interrupted.

The first line says what decides the results; each other is JSON: one bot, the others, the number of the deal, the row.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hexdeck.bots.files import write_atomically
from hexdeck.bots.players.named import resolved
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say

Row = tuple[float, ...]


class ContestLog:
    """The rows of a game's contests in a file. Levels are logged as the bots that play them.

    Raises HexdeckError for a file that is no such log, is damaged, is of other games, or can't be written; it is then
    left as it is.
    """

    COMMAND = "ladder"
    WIDTH = 6  # numbers in a row

    def __init__(self, path: Path, game: GameSetup, seed: int) -> None:
        self.path, self._game = path, game
        self._rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
        about = {
            "format": f"hexdeck {self.COMMAND} 1",
            "game": game.name,
            "players": game.players,
            "code": program_hash(game.rules.__name__, "hexdeck.research.rating"),
            "options": dict(game.options),
            "seed": seed,
        }
        self._read(json.loads(json.dumps(about)))

    def _read(self, about: dict[str, Any]) -> None:
        """Read what the file holds; a last line that was cut off is dropped, from the file too."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
            kept = [json.dumps(about)]
            if lines:
                self._check_same(parsed(lines[0]), about)
            for number, line in enumerate(lines[1:], 2):
                found = parsed(line)
                if found is None and number == len(lines):
                    break
                self._take(found, number)
                kept.append(line)
            write_atomically(self.path, ("\n".join(kept) + "\n").encode())
        except UnicodeDecodeError:
            self._check_same(None, about)
        except OSError as error:
            text = _("{file} can't be written: {why}.")
            raise HexdeckError(say(text, file=str(self.path), why=error.strerror or "")) from None

    def _take(self, found: Any, number: int) -> None:
        """Add the row of a line, which must be that of its contest's next deal."""
        match found:
            case [str(one), str(others), int(deal), [*row]] if (
                deal == len(self._rows[one, others]) and len(row) == self.WIDTH and self.can_be(row)
            ):
                self._rows[one, others].append(tuple(row))
            case _:
                text = _(
                    "Line {number} of {file} is damaged: take out all lines from there on, or choose another file."
                )
                raise HexdeckError(say(text, number=number, file=str(self.path)))

    def can_be(self, row: Sequence[Any]) -> bool:
        """Whether so many values can be the row of a deal: numbers, shares from 0 to 1, and no negative time."""
        return all(map(is_number, row)) and all(0 <= share <= 1 for share in row[1:4]) and row[5] >= 0

    def _check_same(self, found: Any, wanted: dict[str, Any]) -> None:
        """Raise HexdeckError unless the first line of a log is the one that is wanted."""
        if not isinstance(found, dict) or found.get("format") != wanted["format"]:
            text = _("{file} is not a log of hexdeck {command}; choose another file.")
            raise HexdeckError(say(text, file=str(self.path), command=self.COMMAND))
        other = next((key for key in wanted if found.get(key) != wanted[key]), None)
        if other == "code":
            text = _("{file} was begun by another version of hexdeck, whose bots may differ; use another file.")
            raise HexdeckError(say(text, file=str(self.path)))
        if other is not None:
            text = _("{file} holds rows of other games (different {what}); choose another file for these.")
            raise HexdeckError(say(text, file=str(self.path), what=other))

    def rows(self, one: str, others: str) -> list[Row]:
        """The rows of a contest, by the number of the deal."""
        return list(self._rows[self._pair(one, others)])

    def add(self, one: str, others: str, row: Sequence[float]) -> None:
        """Append the row of a contest's next deal."""
        pair = self._pair(one, others)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([*pair, len(self._rows[pair]), [float(x) for x in row]]) + "\n")
        self._rows[pair].append(tuple(float(x) for x in row))

    def _pair(self, one: str, others: str) -> tuple[str, str]:
        """The names under which a contest is logged."""
        return resolved(one, self._game), resolved(others, self._game)


def parsed(line: str) -> Any:
    """A line as data, or None where it was cut off."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def is_number(value: Any) -> bool:
    """Whether something is a number of a size that can be counted with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12
