"""Worlds that fit what a seat knows, and whether what a seat is said to know can be.

`Worlds` estimates odds: all are equally likely, drawn by the rules' `resample`. `check_possible` is for bytes from
outside, such as another server's.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hexdeck.bots.bot import SPARE, check, take
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup, raw
from hexdeck.engine.play.match import Match, check_setting
from hexdeck.engine.random import DEAL_BITS, below, pick
from hexdeck.engine.study import Bounds
from hexdeck.engine.text import say

KNOWN, SCRATCH = 0, 3  # rows
COUNT = 200
Test = Callable[[Any], float]


class Worlds:
    """Worlds that a seat thinks possible, `count` of them; always the same for the same knowledge.

    Iterating gives a struct of each, valid until the next one is asked for: rules may be played on it.
    """

    def __init__(self, game: GameSetup, knowledge: bytes, seat: int, count: int = COUNT) -> None:
        self.seat, self.driver = seat, game.driver("interpreted")
        self._rows, self._weights, self._actions = game.rows(self.driver), self.driver.weights(), self.driver.actions()
        raw(self._rows)[KNOWN] = np.frombuffer(knowledge, np.uint8)
        rng, resample = self.driver.generator(0, "hint worlds"), self.driver.kernel("redeal_row")
        self._dealt = np.zeros((count, len(knowledge)), np.uint8)
        for row in self._dealt:
            resample(self.driver.g, self._rows, SCRATCH, KNOWN, seat, rng)
            row[:] = raw(self._rows)[SCRATCH]

    def __len__(self) -> int:
        return len(self._dealt)

    def __iter__(self) -> Iterator[Any]:
        for row in self._dealt:
            raw(self._rows)[SCRATCH] = row
            yield self._rows.structs[SCRATCH]

    def after(self, action: int, until: Test | None = None) -> Iterator[Any]:
        """Each world after the seat's action and the chance events that follow it.

        With `until` all seats play on, each legal move as likely, until that test holds. All actions meet the same
        random numbers.
        """
        dice = self.driver.generator(0, "hint dice")
        for world in self:
            self.driver.g.apply_action(world, self.seat, action)
            while not world.over and not (until and until(world)) and (until or not world.acting):
                self._step(world, dice)
            yield world

    def _step(self, world: Any, dice: Any) -> None:
        """One event: chance, or a random move."""
        rules = self.driver.g
        if not world.acting:
            total = rules.chance_weights(world, self._weights)
            rules.apply_chance(world, pick(self._weights, self._weights.shape[0], below(dice, total)))
            return
        seat = (world.acting & -world.acting).bit_length() - 1
        count = rules.legal_actions(world, seat, self._actions)
        rules.apply_action(world, seat, self._actions[below(dice, count)])

    def of_100(self, test: Test, action: int | None = None, until: Test | None = None) -> int:
        """In how many of 100 worlds a test holds: now, or `after` an action; 0 and 100 only if in none or in all.

        A test may also return a probability, from 0 to 1.
        """
        held = [float(test(world)) for world in (self if action is None else self.after(action, until))]
        if max(held) == 0 or min(held) == 1:
            return round(100 * held[0])
        return min(max(round(100 * sum(held) / len(held)), 1), 99)


# --- what can be ------------------------------------------------------------------------------------------------------
KNOWN, WORLD = 0, 3  # rows; `SPARE` is one between them
AHEAD = 40  # decisions that are tried from there
MOST_DEALS = 1 << DEAL_BITS - 1  # half of what a generator takes; also of draws in one deal
MOVES_BACK = 1000  # more than any position tells of


def check_possible(game: GameSetup, knowledge: bytes, seat: int) -> None:
    """Raise HexdeckError unless a world of the game can be dealt that looks so to the seat, has a past and a future.

    What the engine makes needs no check. See `bot.take` for what else is refused.
    """
    check(game.rules, knowledge, seat)
    check_setting(game, np.frombuffer(knowledge, np.uint8))
    driver = game.driver("interpreted")
    rows = game.rows(driver)
    try:
        take(driver, rows, knowledge, seat, KNOWN)
        driver.kernel("redeal_row")(driver.g, rows, WORLD, KNOWN, seat, driver.generator(0, "possible"))
        driver.kernel("conceal_row")(driver.g, rows, SPARE, WORLD, seat)
        possible = raw(rows)[SPARE].tobytes() == bytes(knowledge)
        world = raw(rows)[WORLD].copy()
        possible = possible and has_past(game, rows.structs[WORLD]) and goes_on(game, world)
    except HexdeckError:
        raise
    except Exception:  # whatever rules do with what can't be
        possible = False
    if not possible:
        raise HexdeckError(say("What the seat knows of this position contradicts itself: no bot can choose a move."))


def has_past(game: GameSetup, s: Any) -> bool:
    """Whether all moves that a struct tells of were legal, and lead to it again; it is written over."""
    rules, before, history = game.rules, bytes(s.row_), s.history
    moves: list[tuple[int, int]] = []
    while keeps_limits(game, s) and len(moves) <= MOVES_BACK:
        action = rules.take_back(s)
        if action < 0:
            break
        mover = s.acting.bit_length() - 1
        if s.acting != 1 << mover or rules.illegal_reason(s, mover, action):
            return False
        moves.append((mover, action))
    else:
        return False
    for mover, action in reversed(moves):
        rules.apply_action(s, mover, action)
    s.history = history  # taking back leaves it as it is
    return bytes(s.row_) == before


def keeps_limits(game: GameSetup, s: Any) -> bool:
    """Whether the numbers of a whole struct, in which a seat is to act, are such as the game has."""
    if s.over or not 0 < s.acting < 1 << s.seats or not 0 <= s.ending < len(game.rules.ENDINGS):
        return False
    if not (0 <= s.deal < MOST_DEALS and 0 <= s.draws < MOST_DEALS):
        return False
    module = game.definition.bounds
    if module is None:
        return True
    bounds: Bounds = module.bounds(game.players, game.options)
    return all(least <= number <= greatest for number, least, greatest in bounds.limits(s))


def goes_on(game: GameSetup, world: np.ndarray) -> bool:
    """Whether a match goes on from a struct by the game's rules, all cards and chips there."""
    match, dice = Match(game, 0, backend="interpreted"), random.Random(0)
    pieces = inventory(match)
    match.load_position(world)
    if inventory(match) != pieces:
        return False
    for _ in range(AHEAD):
        if match.over:
            break
        try:
            match.play(match.actor, dice.choice(match.legal_ids(match.actor)))
        except HexdeckError:
            return False
    return inventory(match) == pieces


def inventory(match: Match) -> Counter[Any]:
    """How many cards or chips of each kind there are; empty where the game doesn't list them.

    Raises ValueError for fewer than none.
    """
    pieces: Counter[Any] = Counter()
    for kind, number in match.game.rules.inventory(match.struct) if match.game.rules.inventory else ():
        if number < 0:
            raise ValueError(kind)
        pieces[kind] += number
    return +pieces
