"""`python tools/accusations.py [--players N] [--deals N] [--seed N]`: what bots make of the Uncle Bob rule (HH-19).

All seats are of one level: how often a card too many is taken where it can be, and how often an accusation is right.
The line it prints stands in `spec.toml` of High Handed. The best bots do in this as hard ones.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import hexdeck
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.bot_names import spoken
from hexdeck.bots.players.levels import levels_of
from hexdeck.bots.players.roster import bot
from hexdeck.engine.play.match import Match
from hexdeck.games.high_handed.rules import ACCUSE, ANSWER, ASK, END
from hexdeck.lab.reporting.wording import percent
from hexdeck.simulation.game import Game
from hexdeck.stats import share

LEVELS = ("gentle", "steady", "sharp")
OPTIONS: dict[str, Any] = {"manual_draw": True, "uncle_bob_rule": True}


def played(match: Match, bots: list[Bot], found: Counter[str]) -> None:
    """Play a match to its end, and count what is done with cards too many."""
    while not match.over:
        seat, s = match.acting[0], match.struct
        action = bots[seat].choose(match.concealed(seat), seat)
        if s.phase == ASK and s.due == 0:
            found["could"] += 1
            found["took"] += action != END
        elif s.phase == ANSWER and action == ACCUSE:
            found["accused"] += 1
            found["right"] += s.sneaked[s.turn] > 0
        match.play(seat, action)


def counted(game: Game, name: str, deals: int, seed: int) -> Counter[str]:
    """What bots of one name do in so many matches."""
    bots, found = [bot(name, game, seed + seat) for seat in range(game.players)], Counter[str]()
    for k in range(deals):
        for each in bots:
            each.begin(k)
        played(game.match(seed=seed + k), bots, found)
    return found


def sentence(level: str, found: Counter[str]) -> str:
    """What was counted of a level, in words."""
    took, right = share(found["took"], found["could"]), share(found["right"], found["accused"])
    return (
        f"{spoken(level)} bots take one too many in {percent(took)} of {found['could']} turns that allow it, and "
        f"{percent(right)} of their {found['accused']} accusations are right"
    )


def main() -> None:
    """Print a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = hexdeck.game("high-handed", given.players, **OPTIONS)
    command = f"python tools/accusations.py --players {given.players} --deals {given.deals} --seed {given.seed}"
    bots = levels_of(game)
    levels = [sentence(level, counted(game, bots[level], given.deals, given.seed)) for level in LEVELS]
    print(
        f"Cards too many (`uncle_bob_rule=on`), {given.players} players of one level, {given.deals} deals from seed "
        f"{given.seed} on (`{command}`): {'; '.join(levels)}. [HH-19]"
    )


if __name__ == "__main__":
    main()
