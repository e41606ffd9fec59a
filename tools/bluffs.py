"""`python tools/bluffs.py [--deals N] [--seed N]`: how the levels of Cursed Hand bluff and call, as people meet them.

All seats are of one level. Where a seat may start a ghost hand clean or cursed: how often it starts cursed. Of its
calls: how many are right. The table it prints stands in docs/notebook/bots.md.
"""

from __future__ import annotations

import argparse
from collections import Counter

import hexdeck
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.levels import TITLES, levels_of
from hexdeck.bots.players.named import bot
from hexdeck.engine.play.match import Match
from hexdeck.games.cursed_hand.rules import ANSWER, CALL, PAIR, judge, pair_of
from hexdeck.lab.reporting.wording import percent
from hexdeck.simulation.game import Game
from hexdeck.stats import share


def is_cursed(action: int) -> bool:
    """Whether a pair of cards starts a cursed ghost hand."""
    low, high = pair_of(action)
    return low in (0, high)


def played(match: Match, bots: list[Bot], counts: Counter[str]) -> None:
    """Play a match to its end, and count bluffs and calls."""
    while not match.over:
        seat, s = match.acting[0], match.struct
        action, legal = bots[seat].choose(match.concealed(seat), seat), match.legal_ids(seat)
        if s.phase == PAIR and 0 < sum(map(is_cursed, legal)) < len(legal):
            counts["could"] += 1
            counts["bluffed"] += is_cursed(action)
        elif s.phase == ANSWER and action == CALL:
            counts["called"] += 1
            counts["right"] += judge(s)[1] != 0
        match.play(seat, action)


def counted(game: Game, level: str, deals: int, seed: int) -> Counter[str]:
    """What bots of a level do in so many matches."""
    bots, counts = [bot(level, game, seed * 1000 + seat) for seat in range(game.players)], Counter[str]()
    for number in range(deals):
        for each in bots:
            each.begin(number)
        played(game.match(seed, number=number), bots, counts)
    return counts


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| players | level | bot | starts cursed | right calls |\n|---|---|---|---|---|")
    for players in range(2, 7):
        game = hexdeck.game("cursed-hand", players)
        for level, name in levels_of(game).items():
            counts = counted(game, level, given.deals, given.seed)
            bluffs = f"{percent(share(counts['bluffed'], counts['could']))} of {counts['could']}"
            right = f"{percent(share(counts['right'], counts['called']))} of {counts['called']}"
            print(f"| {players} | {TITLES[level]} | `{name}` | {bluffs} | {right} |", flush=True)


if __name__ == "__main__":
    main()
