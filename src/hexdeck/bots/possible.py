"""Whether bytes from outside, such as another server's, can be what a seat knows of a position."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from hexdeck.bots.bot import SPARE, check, take
from hexdeck.engine.discovery.limits import Bounds
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.position import check_setting
from hexdeck.engine.random import DEAL_BITS
from hexdeck.engine.text import say

KNOWN, WORLD = 0, 3  # rows; `SPARE` is one between them
AHEAD = 40  # decisions that are tried from there
MOST_DEALS = 1 << DEAL_BITS - 1  # half of what a generator takes; also of draws in one deal
MOVES_BACK = 1000  # more than any position tells of


def check_possible(game: GameSetup, known: bytes, seat: int) -> None:
    """Raise HexdeckError unless a world of the game can be dealt that looks so to the seat, has a past and a future.

    What the engine makes needs no check. See `bot.take` for what else is refused.
    """
    check(game.rules, known, seat)
    check_setting(game, np.frombuffer(known, np.uint8))
    driver = game.driver("interpreted")
    rows = game.rows(driver)
    try:
        take(driver, rows, known, seat, KNOWN)
        driver.kernel("redeal_row")(driver.g, rows, WORLD, KNOWN, seat, driver.generator(0, "possible"))
        driver.kernel("conceal_row")(driver.g, rows, SPARE, WORLD, seat)
        fits = raw(rows)[SPARE].tobytes() == bytes(known)
        world = raw(rows)[WORLD].copy()
        fits = fits and has_past(game, rows.structs[WORLD]) and goes_on(game, world)
    except HexdeckError:
        raise
    except Exception:  # whatever rules do with what can't be
        fits = False
    if not fits:
        raise HexdeckError(say("What the seat knows of this position contradicts itself: no bot can choose a move."))


def has_past(game: GameSetup, s: Any) -> bool:
    """Whether all moves that a struct tells of were legal, and lead to it again; it is written over."""
    rules, whole, told = game.rules, bytes(s.row_), s.history
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
    s.history = told  # taking back leaves it as it is
    return bytes(s.row_) == whole


def keeps_limits(game: GameSetup, s: Any) -> bool:
    """Whether the numbers of a whole struct, in which somebody is to act, are such as the game has."""
    if s.over or not 0 < s.acting < 1 << s.seats or not 0 <= s.ending < len(game.rules.ENDINGS):
        return False
    if not (0 <= s.deal < MOST_DEALS and 0 <= s.draws < MOST_DEALS):
        return False
    module = game.definition.bounds
    if module is None:
        return True
    bounds: Bounds = module.bounds(game.players, game.options)
    return all(least <= number <= most for number, least, most in bounds.limits(s))


def goes_on(game: GameSetup, world: np.ndarray) -> bool:
    """Whether a match goes on from a struct by the game's rules, all cards and chips there."""
    match, dice = Match(game, 0, backend="interpreted"), random.Random(0)
    wanted = inventory(match)
    match.load_position(world)
    if inventory(match) != wanted:
        return False
    for _ in range(AHEAD):
        if match.over:
            break
        try:
            match.play(match.actor, dice.choice(match.legal_ids(match.actor)))
        except HexdeckError:
            return False
    return inventory(match) == wanted


def inventory(match: Match) -> Counter[Any]:
    """How many cards or chips of each kind there are; empty where the game doesn't list them.

    Raises ValueError for fewer than none.
    """
    found: Counter[Any] = Counter()
    for kind, number in match.game.rules.inventory(match.struct) if match.game.rules.inventory else ():
        if number < 0:
            raise ValueError(kind)
        found[kind] += number
    return +found
