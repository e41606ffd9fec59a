"""How true hints are: measures them, and keeps the figures as `calibration.json` in the folder of each game.

`python tools/calibrate.py GAME --players N [--positions 300] [--playouts 2000] [--by BOT] [--seed 1] [--log FILE]`
asks hints in positions of BOT's matches (by default of the bot whose play hints assume), plays each move shown out, and
keeps what came of it (`hexdeck.research.rating.calibration`). With `--log` each position is written to a file at once,
and the same command goes on where it was interrupted. `--dry` prints and keeps nothing.
`python tools/calibrate.py --page` writes the tables of docs/reference/hints.md from what is kept.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hexdeck
from hexdeck.bots.search.evaluator import measure_of
from hexdeck.engine.discovery.definition import playable
from hexdeck.research.rating.calibration import CalibrationLog, assumed_bot, calibration, keep, kept, summary
from hexdeck.simulation.warm import warm

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "hints.md"
GOALS = {"percentage points": 2.0, "chips": 0.1, "points": 0.5}  # how large the mean error may be
TENTH = 3  # how many times the goal a tenth of the moves may be off
UNSURE = "too few positions to tell"
BEGIN, END = "<!-- tables: tools/calibrate.py --page -->", "<!-- end of tables -->"


def measured(options: argparse.Namespace) -> None:
    """Measure what isn't in the log yet, print it and keep it."""
    warm(options.game)
    game, begun = hexdeck.game(options.game, options.players), time.time()
    by = options.by or assumed_bot(game)
    log = CalibrationLog(options.log, game, by, options.playouts, options.seed)
    rows = calibration(game, by, options.positions, options.playouts, options.seed, log)
    found = summary(game, by, rows, options.playouts, options.seed)
    print(
        "\n".join([*table([found], GOALS[unit(game)]), "", *tenths_table([found]), "", f"{time.time() - begun:.0f} s"])
    )
    if not options.dry:
        keep(game, found)


# --- the page ---------------------------------------------------------------------------------------------------------
def page_tables() -> str:
    """The tables of all games, as the page shows them."""
    return "\n\n".join("\n".join(game_lines(name)) for name in playable() if kept(hexdeck.game(name)))


def game_lines(name: str) -> Iterator[str]:
    """The heading and the tables of a game."""
    game = hexdeck.game(name)
    goal = GOALS[unit(game)]
    yield from (f"### {game.table.ABOUT.title}", "", f"In {unit(game)}; the goal is ±{goal:g}.", "")
    yield from table(kept(game), goal)
    yield from ("", *tenths_table(kept(game)))


def unit(game: Any) -> str:
    """What results of a game are counted in, in words."""
    measure = measure_of(game)
    return "percentage points" if measure.whole else str(measure.unit).partition(" ")[0]


def table(found: list[dict[str, Any]], goal: float) -> list[str]:
    """The error of each measurement, whether it is within the goal, and by kinds of moves."""
    heads = "players", "played by", "positions × games", "too much by", "within the goal", "by kinds of moves"
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for each in found:
        kinds = ", ".join(f"{kind} {shown(error)}" for kind, error in each["kinds"].items())
        cells = (
            each["players"],
            f"`{each['by']}`",
            f"{each['positions']:,} × {each['playouts']:,}",
            shown(each["error"]),
            judged(each, goal),
            kinds,
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def judged(each: dict[str, Any], goal: float) -> str:
    """Whether the mean is within the goal, and each tenth within three times that, as far as intervals tell."""
    far = [str(k) for k, tenth in enumerate(each["tenths"], 1) if verdict(tenth, TENTH * goal) == "no"]
    found = {verdict(each["error"], goal), *(verdict(tenth, TENTH * goal) for tenth in each["tenths"])}
    if far:
        return f"no: tenth {', '.join(far)}"
    return next(word for word in ("no", UNSURE, "yes") if word in found)


def verdict(error: list[float], goal: float) -> str:
    """Whether an error is within the goal, as far as its interval tells."""
    _moves, said, brought, margin = error
    if abs(said - brought) + margin <= goal:
        return "yes"
    return "no" if abs(said - brought) - margin > goal else UNSURE


def tenths_table(found: list[dict[str, Any]]) -> list[str]:
    """The error of each tenth of the moves, from those that hints say least of; in brackets what they say."""
    heads = " | ".join(f"{each['players']}, `{each['by']}`" for each in found)
    lines = [f"| tenth | {heads} |", "|---" * (1 + len(found)) + "|"]
    for k in range(min(len(each["tenths"]) for each in found)):
        cells = " | ".join(f"{shown(each['tenths'][k])} (of {number(each['tenths'][k][1], 1)})" for each in found)
        lines.append(f"| {k + 1} | {cells} |")
    return lines


def shown(error: list[float]) -> str:
    """An error with its interval."""
    _moves, said, brought, margin = error
    return f"{number(said - brought, 2, '+')} ± {margin:.2f}"


def number(value: float, digits: int, sign: str = "") -> str:
    """A number with so many decimals and a proper minus sign."""
    return f"{value:{sign}.{digits}f}".replace("-", "\u2212")


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
    parser.add_argument("--dry", action="store_true", help="print, but keep nothing")
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
