"""The errors that `Match` raises when it refuses something: each is one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hexdeck.engine.arguments import no_seat, shown, whole
from hexdeck.engine.backends import kernels
from hexdeck.engine.errors import BadChance, BadOption, BadPly, GameIsOver, HexdeckError, IllegalMove, NotActing
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Move

if TYPE_CHECKING:
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
        seat=seat, action=repr(names[action]), ply=match.ply, rule=rule, why=match.why(fault), legal=", ".join(legal),
    )  # fmt: skip
    return IllegalMove(text, rule, legal)


def no_action(match: Match, action: object) -> Text:
    """The error text for an action that doesn't exist."""
    last = len(match.game.rules.ACTIONS) - 1
    given = shown(action.id if isinstance(action, Move) else action)
    return say("There is no action {action}; actions are 0 to {last}.", action=given, last=last)


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
    given = None if isinstance(names, str) or not isinstance(names, Sequence) else tuple(names)
    if given is None or len(given) not in (0, players) or not all(map(is_text, given)):
        text = _("The names of a match are a list with one for each of {seats} seats, or none, not {given}.")
        raise BadOption(say(text, seats=players, given=shown(names)))
    return given


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
    found = [(min(max(seat, -2), MANY - 1), min(max(id, -1), MANY - 1)) for seat, id in pairs
             if seat is not None and id is not None]  # fmt: skip
    if len(found) != len(pairs):
        text = _("Events are loaded from a list of pairs of whole numbers, a seat and an id, not from {given}.")
        raise HexdeckError(say(text, given=shown(events)))
    return found
