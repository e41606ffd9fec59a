"""Replaying records: every event is played again, and the first that can't be is reported by its index."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from hexdeck.engine.arguments import shown
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption, BadRecord, HexdeckError
from hexdeck.engine.layout import added_since, options_at
from hexdeck.engine.options import Option, unknown_option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record, clean_name, read, struct_check
from hexdeck.engine.text import Text, _, say


def replay(
    source: str | os.PathLike[str] | Mapping[str, Any] | Record, backend: str | None = None,
    kind: type[GameSetup] = GameSetup,
) -> Match:  # fmt: skip
    """The match of a record (a path, JSON text, data or a Record), at its end; its game is an instance of `kind`.

    Raises BadRecord if the record is corrupt, truncated, illegal or newer than this program; the error has the index of
    the first bad event, from 0.
    """
    record = source if isinstance(source, Record) else read(source)
    chosen = game_of(record, kind)
    names = [clean_name(seat.get("name")) for seat in record.seats]
    match = Match(chosen, by_hand=True, backend=backend, names=names if all(names) else ())
    bad = match.load_events([event_ids(chosen, k, text) for k, text in enumerate(record.events)])
    if bad >= 0:
        text = record.events[bad]
        raise BadRecord(
            say(
                "Event {event} of the record, {text}, is not possible there: {why}",
                event=bad,
                text=shown(text),
                why=why_not(match, text),
            ),
            bad,
        )
    if record.check != struct_check(match, record.rules):
        raise BadRecord(
            say("Every event of the record can be played, but they don't lead to the position it was saved in.")
        )
    return match


def why_not(match: Match, text: str) -> Text:
    """The reason why an event can't be played next."""
    try:
        if ":" in text:
            seat, name = text.split(": ", 1)
            match.play(int(seat), name)
        else:
            match.deal(text)
    except HexdeckError as error:
        return error.text
    return say("it can't come next.")


def game_of(record: Record, kind: type[GameSetup] = GameSetup) -> GameSetup:
    """The game of a record.

    Raises BadRecord if the game is unknown, its options are bad, or the record is of rules that this program doesn't
    play: of a newer version, or of an earlier one from which more than fields has changed (`engine.layout.struct`).
    """
    try:
        name = find_game(record.game)
        game = definition(name)
        added = checked_version(game, record.rules)
        check_options([option for option in game.rules.OPTIONS if option.name not in added], record.options)
        return kind.named(name, record.players, **{**options_at(game.rules.STRUCT, record.rules), **record.options})
    except BadRecord:
        raise
    except HexdeckError as error:
        raise BadRecord(say("The record can't be played here: {why}", why=error.text)) from None


def checked_version(game: GameDefinition, version: int) -> frozenset[str]:
    """The struct fields added since a version of the rules; raises BadRecord if that version can't be played."""
    known, added = game.struct_version, added_since(game.rules.STRUCT, version)
    if version > known:
        text = _("The record follows version {version} of the rules of {game}, newer than {known}: update hexdeck.")
        raise BadRecord(say(text, version=version, game=game.name, known=known))
    if added is None:
        text = _("The record follows version {version} of the rules of {game}; this program plays version {known}.")
        raise BadRecord(say(text, version=version, game=game.name, known=known))
    return added


def check_options(options: Sequence[Option], given: Mapping[str, Any]) -> None:
    """Raise BadOption for an unknown option name, or a value of the wrong type."""
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name not in known:
            raise BadOption(unknown_option(shown(name), known))
        if type(value) is not type(known[name].default):
            raise known[name].refuse(value)


def event_ids(chosen: GameSetup, k: int, text: str) -> tuple[int, int]:
    """An event of a record as (seat, id); raises BadRecord if the game has no such event."""
    seat, colon, name = text.partition(": ")
    if not colon and text in chosen.rules.OUTCOMES:
        return CHANCE, chosen.rules.OUTCOMES.index(text)
    if colon and seat in map(str, range(chosen.players)) and name in chosen.rules.ACTIONS:
        return int(seat), chosen.rules.ACTIONS.index(name)
    message = _("Event {event} of the record is corrupt: {text} isn't an event of {game}.")
    raise BadRecord(say(message, event=k, text=shown(text), game=chosen.name), k)
