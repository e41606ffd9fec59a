"""Positions from outside: checks of the bytes that a match is to begin from."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from hexdeck.engine.arguments import shown
from hexdeck.engine.backends.interpreted import proxy_class, strict
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Text, say

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup


def checked_position(game: GameSetup, struct: np.ndarray) -> np.ndarray:
    """The bytes of a struct of this game, unchanged; raises HexdeckError if they aren't one.

    Seats and options must be the game's, and its interpreted functions must run without a bad index or an overflow:
    compiled code checks neither, and could write anywhere.
    """
    size, given = game.rules.STRUCT.itemsize, cast(object, struct)
    if not isinstance(given, np.ndarray) or given.dtype != np.uint8 or given.shape != (size,):
        raise HexdeckError(say("A position is an array of {size} bytes (uint8), not {given}.",
                               size=size, given=shown(given)))  # fmt: skip
    check_setting(game, given)
    if not runs_interpreted(game, given):
        raise HexdeckError(none_of(game))
    return struct


def check_setting(game: GameSetup, struct: np.ndarray) -> None:
    """Raise HexdeckError unless seats and options in the bytes of a struct are the game's."""
    fields, expected = (array.copy().view(game.rules.STRUCT) for array in (struct, game.template))
    fixed = "seats", *(field[0] for option in game.rules.OPTIONS for field in option.fields())
    if not all((fields[name] == expected[name]).all() for name in fixed):
        raise HexdeckError(none_of(game))


def none_of(game: GameSetup) -> Text:
    """The error text for bytes that are no position of a game."""
    return say("These bytes aren't a position of {game} with these players and options.", game=game.name)


def runs_interpreted(game: GameSetup, struct: np.ndarray) -> bool:
    """Whether the interpreted functions, which check every index and number, run on the struct."""
    proxy = proxy_class(game.rules.STRUCT)
    actions = strict(np.zeros(len(game.rules.ACTIONS), np.int16))
    seen = strict(np.zeros(game.observation_size, np.int8))
    weights = strict(np.zeros(len(game.rules.OUTCOMES), np.int32))
    try:
        for seat in range(-1, game.players):
            known = proxy(memoryview(bytearray(struct.tobytes())))
            game.rules.conceal(known, seat)
            game.rules.observe(known, seat, seen)
            game.table.zones(known, seat)
            if seat >= 0:
                game.rules.legal_actions(known, seat, actions)
        if not known.acting and not known.over:
            game.rules.chance_weights(proxy(memoryview(bytearray(struct.tobytes()))), weights)
    except Exception:
        return False
    return True
