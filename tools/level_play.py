"""How each level plays, as people meet it: measures it, keeps the figures, and writes the page of the docs.

`python tools/level_play.py GAME … [--players N …] [--levels LEVEL …] [--matches 200] [--judged 200] [--seed 20]` lets
bots of one level play each other. It counts at how many decisions they do what a manner does more or less often (see
`STUDY` of the game's hints), where they could; in Cursed Hand, how many calls are right. Of one seat, another in each
match, decisions drawn by lot are judged by what it knew: whether the bot that hints ask would choose the same, and what
the choice costs in fresh worlds, so that neither move has luck. A row that is kept isn't measured again, unless its
level is another bot now. `--page` writes docs/notebook/levels.md.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hexdeck
from hexdeck.bots.advice.analysis import decision, decision_plies
from hexdeck.bots.advice.hints import adviser, evaluator
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.bot_names import TITLES
from hexdeck.bots.players.levels import LEVELS, levels_of
from hexdeck.bots.players.roster import bot
from hexdeck.cli.tournament import gain_text
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.probe_lines import parsed
from hexdeck.engine.text import Catalogue
from hexdeck.files import write_atomically
from hexdeck.games.cursed_hand.rules import CALL, judge
from hexdeck.lab.reporting.wording import percent
from hexdeck.simulation.game import Game
from hexdeck.simulation.warm import warm
from hexdeck.stats import half_width, share

PAGE = Path(__file__).parents[1] / "docs" / "notebook" / "levels.md"
KEPT = PAGE.with_suffix(".json")
RIGHT = "is right when it calls"  # in Cursed Hand
GAMES = 300  # that are played out to judge a decision
ABOUT = """# How the levels play

What does Easy do that Best doesn't, and what does it cost? With four players, in matches among bots of one level, a
decision gives away on average:

| game | Easy | Best | matches |
|---|---|---|---|
| Black Hearts | 3.1 ±1.7 wins in 100 | 0.0 ±0.8 | 100, 8 |
| Blackstone | 0.7 ±0.5 chips | 0.3 ±0.4 | 100, 100 |
| Cursed Hand | 5.6 ±2.1 matches in 100 | 1.2 ±1.0 | 300, 300 |
| Hawthorn | 0.24 ±0.18 chips | \N{MINUS SIGN}0.05 ±0.06 | 100, 100 |
| High Handed | 1.4 ±1.0 points | 0.0 ±0.1 | 20, 8 |
| Wolf-Man's Curse | 4.2 ±2.1 wins in 100 | \N{MINUS SIGN}0.7 ±0.6 | 20, 8 |

The tables below show, for each level and number of players:

- how often it does something, where it could also do something else;
- how often it chooses the move that a hint would propose;
- what a decision *gives away*: how much more the proposed move would have brought than its own, in fresh deals that fit
  what the seat knew, if everybody then plays as hints assume. Below zero, its own moves did better.

Each level meets its own kind, and so other positions: what it gives away says where it could learn, not how strong it
is ([that is here](bots.md)). ± is half the 95 % interval, as if decisions were independent.

`python tools/level_play.py GAME --players N` measures rows that aren't kept (`--help` says how many matches), `--page`
writes this page. Best in Black Hearts for three, five and six wasn't measured: that takes too long.
"""
MEANS = {
    "black-hearts": "Easy always ducks and passes its highest cards; Medium tries each move in a few imagined deals, "
    "Hard in more of them; Best plays thousands of deals on, and knows how those who think ahead play.",
    "blackstone": "Easy stops as soon as it may; Medium and Hard weigh the odds, or try a few draws; Best plays the "
    "solution where there is one, and tries hundreds of games elsewhere.",
    "cursed-hand": "Easy calls one hand in three on a whim and passes on its lowest cards; Medium bluffs one time in "
    "five, and calls where it doubts; Hard tries its moves out; Best plays by a net.",
    "hawthorn": "Easy folds when one card in three would make a pair, and shows its lowest; Medium and Hard weigh the "
    "odds, or try their moves out; Best tries a thousand games, or for two plays by a net.",
    "high-handed": "Easy takes the most points now and forgets the Thieves and Two Timers; Medium also looks at what "
    "it leaves to others; Hard plays a few games on, Best two hundred.",
    "wolf-mans-curse": "Easy plays its middle card every night; Medium tries its moves in a few imagined deals, Hard "
    "in more; Best plays thousands of deals on, and knows how those who think ahead play.",
}


def lines_of(game: GameSetup) -> dict[str, str]:
    """What is counted: by the words for it, the line of each manner of a game; who accepts doesn't call."""
    manners = [each for each in game.definition.hints.STUDY.manners if each.line != "accept"]
    return {each.phrase.replace(" {often}", ""): each.line for each in manners}


def played(match: Match, bots: list[Bot], counts: Counter[str]) -> None:
    """Play a match to its end; count what was done, and where it could have been."""
    marks = {what: parsed(line, match.game)[0].allowed for what, line in lines_of(match.game).items()}
    calls = match.game.name == "cursed-hand"
    while not match.over:
        seat = match.acting[0]
        legal = match.legal_ids(seat)
        action = legal[0] if len(legal) == 1 else bots[seat].choose(match.concealed(seat), seat)
        for what, allowed in marks.items():
            if 0 < sum(each in allowed for each in legal) < len(legal):
                counts[f"could: {what}"] += 1
                counts[what] += action in allowed
        if calls and action == CALL:
            counts[f"could: {RIGHT}"] += 1
            counts[RIGHT] += judge(match.struct)[1] != 0
        match.play(seat, action)


def matches_of(game: Game, level: str, matches: int, seed: int, counts: Counter[str]) -> Iterator[Match]:
    """Matches between bots of a level; `counts` what they do."""
    bots = [bot(level, game, seed * 1000 + seat) for seat in range(game.players)]
    for number in range(matches):
        for each in bots:
            each.begin(number)
        match = game.match(seed, number=number)
        played(match, bots, counts)
        yield match


def counted(game: Game, level: str, matches: int, seed: int) -> Counter[str]:
    """What bots of a level do in so many matches."""
    counts = Counter[str]()
    for _match in matches_of(game, level, matches, seed, counts):
        pass
    return counts


def measured(game: Game, level: str, matches: int, judged: int, seed: int) -> dict[str, Any]:
    """A row of the table, as it is kept."""
    backend, rng, costs, same = game.driver(None).backend, np.random.default_rng(seed), list[float](), 0
    proposing, evaluating, counts = adviser(game, 0, backend, GAMES), evaluator(game, backend), Counter[str]()
    for number, match in enumerate(matches_of(game, level, matches, seed, counts)):
        seat = number % game.players
        plies = rng.permutation(decision_plies(match, seat))[: (judged * (number + 1) // matches) - len(costs)]
        for ply in sorted(plies.tolist()):
            match.go(ply)
            row = decision(match, seat, proposing, evaluating, GAMES)
            costs.append(0.0 if row.same else row.cost)
            same += row.same
    did = {
        what: [counts[what], counts[f"could: {what}"]] for what in [*lines_of(game), RIGHT] if counts[f"could: {what}"]
    }
    about = {"game": game.name, "players": game.players, "level": level, "bot": levels_of(game)[level]}
    about |= {"matches": matches, "seed": seed, "did": did, "same": [same, len(costs)]}
    return about | {"cost": round(float(np.mean(costs)), 5), "margin": round(float(half_width(np.array(costs))), 5)}


def kept() -> list[dict[str, Any]]:
    """The rows that are kept, those of levels that are other bots now left out."""
    rows = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    return [row for row in rows if levels_of(hexdeck.game(row["game"], row["players"]))[row["level"]] == row["bot"]]


def key(row: dict[str, Any]) -> tuple[str, int, int]:
    """Where a row stands."""
    return row["game"], row["players"], LEVELS.index(row["level"])


def keep(row: dict[str, Any]) -> None:
    """Keep a row."""
    rows = sorted([*(each for each in kept() if key(each) != key(row)), row], key=key)
    text = ",\n ".join(json.dumps(each) for each in rows)
    write_atomically(KEPT, f"[\n {text}\n]\n".encode())


def page() -> str:
    """The page: a table for each game."""
    parts, rows = [ABOUT], kept()
    for name in playable():
        own = [row for row in rows if row["game"] == name]
        if own:
            parts += [f"## {hexdeck.game(name).table.ABOUT.title}\n", MEANS[name], "", *table(name, own), ""]
    return "\n".join(parts).rstrip() + "\n"


def table(name: str, rows: list[dict[str, Any]]) -> list[str]:
    """The table of a game."""
    words, does = Catalogue("en"), [*lines_of(hexdeck.game(name)), *[RIGHT] * (name == "cursed-hand")]
    heads = ["players", "level", *does, "as hints propose", "a decision gives away", "matches, seed"]
    out = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for row in rows:
        counts = [*map(row["did"].get, does), row["same"]]
        cells = [str(row["players"]), str(TITLES[row["level"]]), *map(part, counts)]
        cost = words.words(gain_text(hexdeck.game(name, row["players"]).measure, row["cost"], row["margin"]))
        cells += [cost, f"{row['matches']}, {row['seed']}"]
        out.append(f"| {' | '.join(cells)} |")
    return out


def part(counts: list[int] | None) -> str:
    """A share with its interval, and of how many."""
    return f"{percent(share(*counts))} of {counts[1]}" if counts else "–"


def main() -> None:
    """Measure rows, or write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--players", type=int, nargs="+")
    parser.add_argument("--levels", nargs="+", default=[*LEVELS], choices=LEVELS)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--judged", type=int, default=200, help="decisions that are judged, at most")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    for name in options.games:
        warm(name)
        low, high = hexdeck.game(name).rules.PLAYERS
        for players in options.players or range(low, high + 1):
            game, there = hexdeck.game(name, players), {key(row) for row in kept()}
            for level in options.levels:
                if (game.name, players, LEVELS.index(level)) not in there:
                    keep(measured(game, level, options.matches, options.judged, options.seed))
                    print(f"{name}, {players} players, {level}", flush=True)
    if options.page:
        write_atomically(PAGE, page().encode())


if __name__ == "__main__":
    main()
