"""How the easy bots err: measures it, keeps the figures in the folder of each game, and writes the page of the docs.

`python tools/easy_mistakes.py GAME [--players N] [--matches 40] [--seed 1] [--resume FILE]` looks at the decisions of
easy bots among themselves: where they choose another move than a bot that plays moves out, and what that costs. A game
names the habits of its easy bot in `STYLES` of its hints, by the actions that it then chooses. Each decision is judged
by what the seat knew, and the two moves are compared in fresh worlds: neither has luck. With `--resume` each match is
written to a file at once: the same command resumes where it was interrupted. `python tools/easy_mistakes.py --page`
writes docs/notebook/easy_bots.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import hexdeck
from hexdeck.bots.advice.analysis import decision, decision_plies
from hexdeck.bots.advice.hints import GAMES, adviser, evaluator
from hexdeck.bots.players.levels import LEVELS
from hexdeck.bots.players.roster import bot
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.probe_lines import parsed
from hexdeck.engine.text import Catalogue
from hexdeck.files import ResumableFile, write_atomically
from hexdeck.research.rating import played_match
from hexdeck.simulation.game import Game
from hexdeck.simulation.warm import warm
from hexdeck.stats import half_width

PAGE = Path(__file__).parents[1] / "docs" / "notebook" / "easy_bots.md"
ABOUT = """# How the easy bots err

Which mistakes does the easy bot make, and what do they cost? It errs by habit, as people do, and not at random: in the
same place it errs again, so one can learn to use it. In short: each game's easy bot has one to five habits. The
dearest that were measured: in Cursed Hand, accepting without a doubt costs 22 ±6 matches in 100 where a better bot
would have chosen otherwise; in Wolf-Man's Curse, playing the middle card costs 7 ±1 wins in 100; in Hawthorn, folding
for fear of a pair costs 3.1 ±0.4 chips, and in Blackstone, stopping as soon as one may 2.4 ±0.2 chips.

The tables show how many choices follow each habit, in how many of them a bot that plays moves out would choose
something else with the same knowledge, and what those cost on average: the difference between the two moves in fresh
deals that fit what the seat knew. ± is half the 95 % interval; of fewer than {enough} such choices no cost is shown.
The command under each heading measures a game again; `--page` writes this page.
"""
ENOUGH = 30  # choices that a bot would have made otherwise, before their cost is said
Row = tuple[int, bool, float]  # of a decision: which habit, or -1; whether the bot would choose another move; the cost


@dataclass(frozen=True)
class Habit:
    """What a habit of the easy bot does: `choices` it made by it, of `decisions`; how many of them were mistakes.

    `cost`: what a mistake cost on average, as a utility, and half the 95 % interval of that.
    """

    name: str
    decisions: int
    choices: int
    mistakes: int
    cost: float
    margin: float


def rows_of(game: GameSetup, first: int, matches: int, seed: int = 1) -> Iterator[Row]:
    """The decisions of one seat, another in each match, between easy bots."""
    lines = [parsed(player.line, game) for player in game.definition.hints.STUDY.easy_mistakes]
    backend = game.driver(None).backend
    bots = [bot(LEVELS[0], game, seed * 1000 + seat, backend) for seat in range(game.players)]
    for number in range(first, first + matches):
        proposing, evaluating = adviser(game, 0, backend), evaluator(game, backend)
        for player in bots:
            player.begin(number)
        match, seat = played_match(game, bots, seed, number), number % game.players
        for ply in decision_plies(match, seat):
            match.go(ply)
            action = match.event(ply).id
            habit = next((k for k, line in enumerate(lines) if action in line[0].allowed), -1)
            judged = decision(match, seat, proposing, evaluating, GAMES[backend])
            yield habit, not judged.same, judged.cost


def habits(game: GameSetup, rows: Sequence[Row]) -> list[Habit]:
    """What each habit does, by these decisions."""
    out = []
    for k, habit in enumerate(game.definition.hints.STUDY.easy_mistakes):
        own = [row for row in rows if row[0] == k]
        costs = np.array([cost for _habit, wrong, cost in own if wrong])
        mean = float(costs.mean()) if len(costs) else 0.0
        out.append(Habit(habit.name, len(rows), len(own), len(costs), mean, float(half_width(costs))))
    return out


# --- in a game's folder -----------------------------------------------------------------------------------------------
def file_of(game: GameSetup) -> Path:
    """The file with how a game's easy bot errs."""
    return game.definition.folder / "easy_mistakes.json"


def keep(game: GameSetup, habits: Sequence[Habit], matches: int, seed: int) -> None:
    """Put a measurement in the game's folder."""
    about = {"players": game.players, "matches": matches, "seed": seed, "habits": [asdict(habit) for habit in habits]}
    write_atomically(file_of(game), (json.dumps(about, indent=1) + "\n").encode())


def kept(game: GameSetup) -> dict[str, Any]:
    """The measurement that is kept of a game; empty where there is none."""
    path = file_of(game)
    by_players: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return by_players


# --- the command ------------------------------------------------------------------------------------------------------
def measured(options: argparse.Namespace) -> None:
    """Measure the matches that the file lacks, and keep all."""
    warm(options.game)
    game = hexdeck.game(options.game, options.players)
    about = {"game": game.name, "players": game.players, "seed": options.seed}
    file = ResumableFile(options.resume, "easy mistakes", about)
    found: list[list[Row]] = file.rows
    for at, entry in enumerate(found):
        if not isinstance(entry, list):
            raise file.damaged(at)
    for number in range(len(found), options.matches):
        found.append([*rows_of(game, number, 1, options.seed)])
        file.add(found[-1])
    rows = [row for match in found[: options.matches] for row in match]
    keep(game, habits(game, rows), options.matches, options.seed)
    print("\n".join(table(game)))


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
    measure, words = game.measure, Catalogue("en")
    of = {each.name: words.words(each.doing) for each in game.hints.STUDY.easy_mistakes}
    told = f"{there['players']} players, {there['matches']} matches, the decisions of one seat in each"
    which = f"--players {there['players']} --matches {there['matches']} --seed {there['seed']}"
    lines = [f"{told} (`python tools/easy_mistakes.py {game.name} {which}`).", ""]
    lines += ["| habit | choices by it | a bot would choose another | what that costs |", "|---|---|---|---|"]
    for each in there["habits"]:
        made, mistakes = part(each["choices"], each["decisions"]), part(each["mistakes"], each["choices"])
        cost = "too few to tell"
        if each["mistakes"] >= ENOUGH:
            cost = words.words(measure.difference(each["cost"], each["margin"]))
        lines.append(f"| {of[each['name']]} | {made} | {mistakes} | {cost} |")
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
    parser.add_argument("--resume", type=Path)
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
