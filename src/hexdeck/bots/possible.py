"""Whether bytes from outside, such as another server's, can be what a seat knows of a position."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from hexdeck.bots.bot import SPARE, take
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say

KNOWN, WORLD = 0, 3  # rows; `SPARE` is one between them
AHEAD = 40  # decisions that are tried from there


def check_possible(game: GameSetup, known: bytes, seat: int) -> None:
    """Raise HexdeckError unless a world of the game can be dealt that looks so to the seat, and be played on.

    What the engine makes needs no check. See `bot.take` for what else is refused.
    """
    driver = game.driver("interpreted")
    rows = game.rows(driver)
    try:
        take(driver, rows, known, seat, KNOWN)
        driver.kernel("redeal_row")(driver.g, rows, WORLD, KNOWN, seat, driver.generator(0, "possible"))
        driver.kernel("conceal_row")(driver.g, rows, SPARE, WORLD, seat)
        fits = raw(rows)[SPARE].tobytes() == bytes(known) and goes_on(game, raw(rows)[WORLD].copy())
    except HexdeckError:
        raise
    except Exception:  # whatever rules do with what can't be
        fits = False
    if not fits:
        raise HexdeckError(say("What the seat knows of this position contradicts itself: no bot can choose a move."))


def goes_on(game: GameSetup, world: np.ndarray) -> bool:
    """Whether a match goes on from a struct by the game's rules, all cards and chips there."""
    match, dice = Match(game, 0, backend="interpreted"), random.Random(0)
    wanted = inventory(match)
    match.load_position(world)
    for _ in range(AHEAD):
        if match.over or inventory(match) != wanted:
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
