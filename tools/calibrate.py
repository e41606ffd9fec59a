"""How true hints are: measures them and keeps the figures as `calibration.json` in the folder of each game.

`python tools/calibrate.py GAME --players N [--positions 300] [--playouts 2000] [--by BOT] [--seed 1] [--log FILE]`
asks hints in positions of BOT's matches (by default of the bot whose play hints assume), plays each move shown out, and
stores what came of it; see `hexdeck.bots.advice.calibration`. With `--log` each position is written to a file at once,
and the same command goes on where it was interrupted. `python tools/calibrate.py --page` writes the tables of
docs/reference/hints.md from what is stored.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hexdeck
from hexdeck.bots.advice.calibration import Calibrator, Error, Row, assumed_bot, errors_by_kind, tenths, whole_error
from hexdeck.bots.files import write_atomically
from hexdeck.bots.horizon import measure_of
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.discovery.definition import playable

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "hints.md"
BEGIN, END = "<!-- tables: tools/calibrate.py --page -->", "<!-- end of tables -->"
FIGURES = 3  # digits kept


# --- the run ----------------------------------------------------------------------------------------------------------
class Log:
    """The positions measured so far, a line each; kept in a file where there is one."""

    def __init__(self, path: Path | None, about: dict[str, Any]) -> None:
        self._path, self.rows = path, dict[int, Row | None]()
        if path and path.exists():
            self._read(path.read_text(encoding="utf-8").splitlines(), about)
        elif path:
            path.write_text(json.dumps(about) + "\n", encoding="utf-8")

    def _read(self, lines: list[str], about: dict[str, Any]) -> None:
        """Take what the file holds; a last line that was cut off is measured again."""
        if not lines or json.loads(lines[0]) != about:
            sys.exit(f"{self._path} holds another measurement; choose another file.")
        for line in lines[1:]:
            try:
                number, row = json.loads(line)
            except ValueError:
                continue
            self.rows[number] = row

    def add(self, number: int, row: Row | None) -> None:
        """Keep a position."""
        self.rows[number] = row
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write("\n" * self._cut() + json.dumps([number, row]) + "\n")

    def _cut(self) -> bool:
        """Whether the file's last line was cut off."""
        content = self._path.read_bytes() if self._path else b""
        return not content.endswith(b"\n")


def measured(options: argparse.Namespace) -> None:
    """Measure what isn't in the log yet, print it and store it."""
    game = hexdeck.game(options.game, options.players)
    by = options.by or assumed_bot(game)
    about = {
        "code": program_hash(game.rules.__name__), "game": game.name, "players": game.players, "by": by,
        "playouts": options.playouts, "seed": options.seed,
    }  # fmt: skip
    log, calibrator, begun = Log(options.log, about), Calibrator(game, by, options.playouts, options.seed), time.time()
    for number in range(options.positions):
        if number not in log.rows:
            log.add(number, calibrator.position(number))
    rows = [row for number, row in sorted(log.rows.items()) if row and number < options.positions]
    found = summary(game, by, rows, options)
    print(f"{time.time() - begun:.0f} s")
    print("\n".join(table([found])))
    if not options.dry:
        store(game, found)


def summary(game: Any, by: str, rows: list[Row], options: argparse.Namespace) -> dict[str, Any]:
    """What is stored of a measurement."""
    measure = measure_of(game)
    return {
        "players": game.players, "by": by, "positions": len(rows), "playouts": options.playouts, "seed": options.seed,
        "error": as_data(whole_error(rows, measure)),
        "kinds": {kind: as_data(each) for kind, each in errors_by_kind(rows, measure).items()},
        "tenths": [as_data(each) for each in tenths(rows, measure)],
    }  # fmt: skip


def as_data(found: Error) -> list[float]:
    """An error as a list: how many moves, what was said, what was brought, half the 95 % interval of the difference."""
    return [found.moves, *(round(number, FIGURES) for number in (found.said, found.brought, found.margin))]


def store(game: Any, found: dict[str, Any]) -> None:
    """Put a measurement in the game's folder, in the place of an earlier one of its kind."""
    path = file_of(game.name)
    kept = [each for each in stored(game.name) if key(each) != key(found)]
    lines = [json.dumps(each) for each in sorted([*kept, found], key=key)]
    write_atomically(path, ("[\n " + ",\n ".join(lines) + "\n]\n").encode())


def key(found: dict[str, Any]) -> tuple[int, str]:
    """What a measurement is of."""
    return found["players"], found["by"]


def file_of(name: str) -> Path:
    """The file with a game's measurements."""
    return hexdeck.game(name).definition.folder / "calibration.json"


def stored(name: str) -> list[dict[str, Any]]:
    """The measurements that are kept of a game."""
    path = file_of(name)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


# --- the page ---------------------------------------------------------------------------------------------------------
def page_tables() -> str:
    """The tables of all games, as the page shows them."""
    return "\n\n".join("\n".join(game_lines(name)) for name in playable() if stored(name))


def game_lines(name: str) -> Iterator[str]:
    """The heading and the tables of a game."""
    game = hexdeck.game(name)
    yield from (f"## {game.table.TITLE}", "", f"In {unit(game)}.", "")
    yield from table(stored(name))
    yield from ("", "By tenths of the moves:", "")
    yield from tenths_table(stored(name))


def unit(game: Any) -> str:
    """What results of a game are counted in, in words."""
    measure = measure_of(game)
    return "percentage points" if measure.whole else str(measure.unit).partition(" ")[0]


def table(found: list[dict[str, Any]]) -> list[str]:
    """The error of each measurement, and by kinds of moves."""
    lines = ["| players | played by | positions × games | hints say too much | of which |", "|---|---|---|---|---|"]
    for each in found:
        kinds = ", ".join(f"{kind} {shown(error)}" for kind, error in each["kinds"].items())
        size = f"{each['positions']:,} × {each['playouts']:,}"
        lines.append(f"| {each['players']} | `{each['by']}` | {size} | {shown(each['error'])} | {kinds} |")
    return lines


def tenths_table(found: list[dict[str, Any]]) -> list[str]:
    """The error of each tenth of the moves, from those that hints say least of; in brackets what they say."""
    heads = " | ".join(f"{each['players']}, `{each['by']}`" for each in found)
    lines = [f"| tenth | {heads} |", "|---" * (1 + len(found)) + "|"]
    for k in range(10):
        cells = " | ".join(f"{shown(each['tenths'][k])} (of {each['tenths'][k][1]:.1f})" for each in found)
        lines.append(f"| {k + 1} | {cells} |")
    return lines


def shown(error: list[float]) -> str:
    """An error with its interval."""
    _moves, said, brought, margin = error
    return f"{said - brought:+.2f} ± {margin:.2f}".replace("-", "\u2212")


def write_page() -> None:
    """Write the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n\n{page_tables()}\n\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Measure, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("--players", type=int)
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--playouts", type=int, default=2000)
    parser.add_argument("--by", help="the bot that plays (default: the one whose play hints assume)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="file that the same command goes on from (default: none)")
    parser.add_argument("--dry", action="store_true", help="print, but store nothing")
    parser.add_argument("--page", action="store_true", help="write the tables of docs/reference/hints.md")
    options = parser.parse_args()
    if options.page:
        write_page()
    elif options.game:
        measured(options)
    else:
        parser.error("name a game, or give --page")


if __name__ == "__main__":
    main()
