"""How the easy bots err: measures it, keeps the figures in the folder of each game, and writes the page of the docs.

`python tools/easy_errors.py GAME [--players N] [--matches 40] [--seed 1] [--log FILE]` looks at the decisions of easy
bots among themselves; see `hexdeck.research.rating.habits`. With `--log` each match is written to a file at once: the
same command goes on where it was interrupted. `python tools/easy_errors.py --page` writes docs/reference/easy_bots.md.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import hexdeck
from hexdeck.bots.files import write_atomically
from hexdeck.bots.search.evaluator import measure_of
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.text import Catalogue
from hexdeck.research.rating.habits import Row, habits, keep, kept, rows_of
from hexdeck.simulation.game import Game
from hexdeck.simulation.warm import warm

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "easy_bots.md"
ABOUT = """# How the easy bots err

An easy bot errs as people do, by habit and not at random: in the same place it errs again, so that one can learn to use
it. These are the habits of each game's, what it chooses by them, how often a bot that plays moves out would choose
something else with the same knowledge, and what that costs, in the game's own unit. Where it would choose something
else, the easy bot's move needn't be worse: the cost says that. It is the mean difference between the two moves over
those choices, tried in fresh deals that fit what the seat knew; ± is half its 95 % interval. Fewer than {enough} such
choices are too few to tell. The command under each heading measures a game again, `--page` writes this page.
"""
ENOUGH = 30  # choices that a bot would have made otherwise, before their cost is said


def measured(options: argparse.Namespace) -> None:
    """Measure the matches that the log lacks, and keep all."""
    warm(options.game)
    game = hexdeck.game(options.game, options.players)
    found = logged(options.log, about(game, options.seed))
    for number in range(len(found), options.matches):
        found.append([*rows_of(game, number, 1, options.seed)])
        if options.log:
            with options.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[-1]) + "\n")
    rows = [row for match in found[: options.matches] for row in match]
    keep(game, habits(game, rows), options.matches, options.seed)
    print("\n".join(table(game)))


def about(game: Game, seed: int) -> str:
    """The first line of a log: what its rows are of."""
    return json.dumps({"easy errors of": game.name, "players": game.players, "seed": seed})


def logged(log: Path | None, first: str) -> list[list[Row]]:
    """The rows of each match that a log holds; begins the log where there is none."""
    if log is None:
        return []
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    if not lines:
        log.write_text(first + "\n", encoding="utf-8")
    elif lines[0] != first:
        raise SystemExit(f"{log} is of other matches; choose another file.")
    return [json.loads(line) for line in lines[1:] if line.endswith("]")]


# --- the page ---------------------------------------------------------------------------------------------------------
def page() -> str:
    """The page: a table for each game that was measured."""
    parts = [ABOUT.format(enough=ENOUGH)]
    for name in playable():
        game = hexdeck.game(name)
        if kept(game):
            parts += [f"## {game.table.ABOUT.title}\n", *table(game), ""]
    return "\n".join(parts).rstrip() + "\n"


def table(game: Game) -> list[str]:
    """The table of a game."""
    there = kept(game)
    measure, words = measure_of(game), Catalogue("en")
    of = {each.name: words.words(each.doing) for each in game.hints.STUDY.easy_errors}
    told = f"{there['players']} players, {there['matches']} matches, the decisions of one seat in each"
    which = f"--players {there['players']} --matches {there['matches']} --seed {there['seed']}"
    lines = [f"{told} (`python tools/easy_errors.py {game.name} {which}`).", ""]
    lines += ["| habit | choices by it | a bot would choose another | what that costs |", "|---|---|---|---|"]
    for each in there["habits"]:
        made, errors = part(each["choices"], each["decisions"]), part(each["errors"], each["choices"])
        cost = "too few to tell"
        if each["errors"] >= ENOUGH:
            cost = words.words(measure.difference(each["cost"], each["margin"]))
        lines.append(f"| {of[each['name']]} | {made} | {errors} | {cost} |")
    return lines


def part(some: int, of: int) -> str:
    """A count of several, and its share."""
    return f"{some} of {of} ({100 * some / of:.0f} %)" if of else "–"


def main() -> None:
    """Measure a game, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?")
    parser.add_argument("--players", type=int)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    if options.page:
        write_atomically(PAGE, page().encode())
    elif options.game:
        measured(options)
    else:
        parser.error("name a game, or --page")


if __name__ == "__main__":
    main()
