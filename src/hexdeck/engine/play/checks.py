"""What `Match` checks of moves, events, names and positions from outside, and its refusals: each is one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from hexdeck.engine.arguments import no_seat, shown, whole
from hexdeck.engine.backends import kernels
from hexdeck.engine.backends.interpreted import proxy_class, strict
from hexdeck.engine.errors import BadChance, BadOption, BadPly, GameIsOver, HexdeckError, IllegalMove, NotActing
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Move

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.engine.play.match import Match


MANY = 1 << 15  # greater than any action id or seat


def refusal(match: Match, fault: int, seat: int, action: int, move: Move | int | str) -> HexdeckError:
    """The error for a move that can't be played: `fault` is the result of `kernels.play`, `move` the move as given."""
    if fault == kernels.OVER:
        return GameIsOver(say("The match is over; nothing can be played any more."))
    if fault == kernels.NOT_ACTING:
        return NotActing(not_acting(match, seat))
    if fault == kernels.NOT_AT_END:
        return not_at_end(match)
    names = match.game.rules.ACTIONS
    legal = tuple(names[id] for id in match.legal_ids(seat))
    if fault == kernels.UNKNOWN_ACTION:
        return IllegalMove(no_action(match, move), "", legal)
    rule = match.game.definition.reason(fault).rule
    text = say(
        "Seat {seat} can't play {action} at ply {ply} ({rule}): {why} Legal now: {legal}.",
        seat=seat,
        action=repr(names[action]),
        ply=match.ply,
        rule=rule,
        why=match.why(fault),
        legal=", ".join(legal),
    )
    return IllegalMove(text, rule, legal)


def no_action(match: Match, action: object) -> Text:
    """The error text for an action that doesn't exist."""
    last = len(match.game.rules.ACTIONS) - 1
    typed = shown(action.id if isinstance(action, Move) else action)
    return say("There is no action {action}; actions are 0 to {last}.", action=typed, last=last)


def not_acting(match: Match, seat: int) -> Text:
    """The error text for a seat that isn't to act, or doesn't exist."""
    if not 0 <= seat < match.game.players:
        return no_seat(seat, match.game.players)
    if not match.acting:
        return say("It isn't the turn of seat {seat} at ply {ply}, but chance's.", seat=seat, ply=match.ply)
    acting = ", ".join(str(p) for p in match.acting)
    return say(
        "It isn't the turn of seat {seat} at ply {ply}; to act: {acting}.", seat=seat, ply=match.ply, acting=acting
    )


def not_at_end(match: Match) -> BadPly:
    """The error for playing on in a match that was stepped back."""
    text = _("This is ply {ply} of {length}: go to the end, or cut what follows, to play on.")
    return BadPly(say(text, ply=match.ply, length=match.length))


def no_outcome(match: Match, outcome: int | str) -> BadChance:
    """The error for an outcome that chance can't give now; the message lists those it can."""
    chances = ", ".join(match.chances())
    if not chances:
        return BadChance(say("It isn't chance's turn at ply {ply}.", ply=match.ply))
    text = _("Chance can't give {outcome} at ply {ply}; it can give {chances}.")
    return BadChance(say(text, outcome=shown(outcome), ply=match.ply, chances=chances))


def no_event(match: Match, k: object) -> BadPly:
    """The error for the index of an event that doesn't exist."""
    if match.length == 0:
        return BadPly(say("There is no event {event}; this match has none yet.", event=shown(k)))
    text = _("There is no event {event}; this match has events 0 to {last}.")
    return BadPly(say(text, event=shown(k), last=match.length - 1))


def checked_names(names: Sequence[str], players: int) -> tuple[str, ...]:
    """The players' names as a tuple, one for each seat or none at all; raises BadOption for anything else."""
    if isinstance(names, tuple) and not names:
        return ()
    name_list = None if isinstance(names, str) or not isinstance(names, Sequence) else tuple(names)
    if name_list is None or len(name_list) not in (0, players) or not all(map(is_text, name_list)):
        text = _("The names of a match are a list with one for each of {seats} seats, or none, not {given}.")
        raise BadOption(say(text, seats=players, given=shown(names)))
    return name_list


def is_text(name: Any) -> bool:
    """Whether the value is a string that can be encoded."""
    return isinstance(name, str) and not any("\ud800" <= letter <= "\udfff" for letter in name)


def checked_events(events: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Events as pairs of ints; raises HexdeckError for anything else.

    Numbers out of range are clipped to ones that no event has; such events turn out impossible when they are played.
    """
    try:
        if not isinstance(events, (list, tuple)):
            raise TypeError
        pairs = [(whole(seat), whole(id)) for seat, id in events]
    except (TypeError, ValueError):
        pairs = [(None, None)]
    found = [
        (min(max(seat, -2), MANY - 1), min(max(id, -1), MANY - 1))
        for seat, id in pairs
        if seat is not None and id is not None
    ]
    if len(found) != len(pairs):
        text = _("Events are loaded from a list of pairs of whole numbers, a seat and an id, not from {given}.")
        raise HexdeckError(say(text, given=shown(events)))
    return found


def checked_position(game: GameSetup, struct: np.ndarray) -> np.ndarray:
    """The bytes of a struct of this game, unchanged; raises HexdeckError if they aren't one.

    Seats and options must be the game's, and its interpreted functions must run without a bad index or an overflow:
    compiled code checks neither, and could write anywhere.
    """
    size, value = game.rules.STRUCT.itemsize, cast(object, struct)
    if not isinstance(value, np.ndarray) or value.dtype != np.uint8 or value.shape != (size,):
        raise HexdeckError(
            say("A position is an array of {size} bytes (uint8), not {given}.", size=size, given=shown(value))
        )
    check_setting(game, value)
    if not runs_interpreted(game, value):
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
    observation = strict(np.zeros(game.observation_size, np.int8))
    weights = strict(np.zeros(len(game.rules.OUTCOMES), np.int32))
    try:
        for seat in range(-1, game.players):
            view = proxy(memoryview(bytearray(struct.tobytes())))
            game.rules.conceal(view, seat)
            game.rules.observe(view, seat, observation)
            game.table.zones(view, seat)
            if seat >= 0:
                game.rules.legal_actions(view, seat, actions)
        if not view.acting and not view.over:
            game.rules.chance_weights(proxy(memoryview(bytearray(struct.tobytes()))), weights)
    except Exception:
        return False
    return True
