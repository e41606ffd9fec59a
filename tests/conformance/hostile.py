"""Asks compiled bots to move where one or two numbers of what a seat knows were changed.

    python -m tests.conformance.hostile MATCHES CELLS GAME...  # each number, and so many of each array of them

What `check_possible` accepts, the bots must survive; it runs apart from the tests, since compiled code that writes
where it may not takes its whole process with it. The last line that is printed says what was played last.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

import numpy as np

import hexdeck
from hexdeck.bots.advice.hints import adviser
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.roster import bot, bots_of
from hexdeck.bots.worlds import check_possible
from hexdeck.simulation.game import Game

VALUES = -1, 0, 47
BOTS = "house", "gentle", "search:8", "rollout:house:8", "think:8", "solved", "response"
PAIRS = 60  # changes of two numbers at once in a position, for each cell


def positions(game: Game, number: int) -> list[tuple[bytes, int]]:
    """What the seat that is to act knows, once in each phase that a random match comes through."""
    match, dice = game.match(number, backend="interpreted"), random.Random(number)
    found: dict[int, tuple[bytes, int]] = {}
    while not match.over:
        seat = dice.choice(match.acting)
        found.setdefault(match.struct.phase, (match.concealed(seat), seat))
        match.play(seat, dice.choice(match.legal_ids(seat)))
    return list(found.values())


def changed(game: Game, known: bytes, dice: random.Random, cells: int) -> Iterator[tuple[str, bytes]]:
    """The bytes with one number changed: of each field so many cells, any of them."""
    for name in game.rules.STRUCT.names[1:]:  # the first is a hash, which may be anything
        told = np.frombuffer(bytearray(known), game.rules.STRUCT).copy()
        field = told[name].reshape(-1)
        for at in dice.sample(range(field.size), min(cells, field.size)):
            kept, limits = field[at], np.iinfo(field.dtype)
            for value in {*VALUES, game.players, int(limits.max)} - {int(kept)}:
                field[at] = value
                yield f"{name} {at} {value}", told.tobytes()
            field[at] = kept


def changed_twice(game: Game, known: bytes, dice: random.Random, cells: int) -> Iterator[tuple[str, bytes]]:
    """The bytes with two numbers changed, mostly by little, so that they may still agree with the rest."""
    names = game.rules.STRUCT.names[1:]
    for _ in range(PAIRS * cells):
        told, what = np.frombuffer(bytearray(known), game.rules.STRUCT).copy(), ""
        for name in dice.sample(names, 2):
            field = told[name].reshape(-1)
            at, limits = dice.randrange(field.size), np.iinfo(field.dtype)
            near = int(field[at]) + dice.choice((-2, -1, 1, 2))
            field[at] = dice.choice((min(max(near, limits.min), limits.max), *VALUES, game.players))
            what += f"{name} {at} {field[at]} "
        yield what, told.tobytes()


def bots(game: Game) -> list[Bot]:
    there = [name for name in BOTS if name.partition(":")[0] in bots_of(game)]
    return [*(bot(name, game, 1) for name in there), adviser(game, 1, games=8)]


def main(matches: int, cells: int, names: list[str]) -> None:
    """Begin with the fewest players of each game; every further match has one player more."""
    for name in names:
        low, high = hexdeck.game(name).rules.PLAYERS
        accepted = tried = 0
        for number in range(matches):
            game, dice = hexdeck.game(name, low + number % (high - low + 1)), random.Random(number)
            asked = bots(game)
            for known, seat in positions(game, number):
                tries = changed(game, known, dice, cells), changed_twice(game, known, dice, cells)
                for what, told in chain(*tries):
                    tried += 1
                    try:
                        check_possible(game, told, seat)
                    except hexdeck.HexdeckError:
                        continue
                    accepted += 1
                    print(name, game.players, what, flush=True)
                    for each in asked:
                        with suppress(hexdeck.HexdeckError):  # a bot may know more of what can't be
                            each.choose(told, seat)
        print(f"{name}: {accepted} of {tried} accepted and survived", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
