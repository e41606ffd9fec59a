"""Records played again: as matches that go on, and as the worked example of a game, with a passage about each step.

An example is `example.json` in the game's folder: a record, which may stop before the match is over. The passages are
in `example.LANG.md`: under each heading `## PLY`, what that ply shows, with rule ids in brackets.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hexdeck.engine.arguments import shown
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.finding import find_game, game_folder, game_words
from hexdeck.engine.discovery.rulebook import EMPTY, StepPicture
from hexdeck.engine.errors import BadOption, BadRecord, HexdeckError
from hexdeck.engine.layout import added_since, options_at
from hexdeck.engine.options import Option, unknown_option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record, clean_name, read, struct_check
from hexdeck.engine.play.story import view_at
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import View, Zone


def replay(
    source: str | os.PathLike[str] | Mapping[str, Any] | Record,
    backend: str | None = None,
    kind: type[GameSetup] = GameSetup,
) -> Match:
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
    current, added = game.struct_version, added_since(game.rules.STRUCT, version)
    if version > current:
        text = _("The record follows version {version} of the rules of {game}, newer than {known}: update hexdeck.")
        raise BadRecord(say(text, version=version, game=game.name, known=current))
    if added is None:
        text = _("The record follows version {version} of the rules of {game}; this program plays version {known}.")
        raise BadRecord(say(text, version=version, game=game.name, known=current))
    return added


def check_options(options: Sequence[Option], values: Mapping[str, Any]) -> None:
    """Raise BadOption for an unknown option name, or a value of the wrong type."""
    declared = {option.name: option for option in options}
    for name, value in values.items():
        if name not in declared:
            raise BadOption(unknown_option(shown(name), declared))
        if type(value) is not type(declared[name].default):
            raise declared[name].refuse(value)


def event_ids(chosen: GameSetup, k: int, text: str) -> tuple[int, int]:
    """An event of a record as (seat, id); raises BadRecord if the game has no such event."""
    seat, colon, name = text.partition(": ")
    if not colon and text in chosen.rules.OUTCOMES:
        return CHANCE, chosen.rules.OUTCOMES.index(text)
    if colon and seat in map(str, range(chosen.players)) and name in chosen.rules.ACTIONS:
        return int(seat), chosen.rules.ACTIONS.index(name)
    message = _("Event {event} of the record is corrupt: {text} isn't an event of {game}.")
    raise BadRecord(say(message, event=k, text=shown(text), game=chosen.name), k)


FILE = "example.json"


@dataclass(frozen=True)
class ExampleStep:
    """A step of the example: a ply, the view with open cards, and the passage about it."""

    ply: int
    view: View
    passage: str


def has_example(name: str) -> bool:
    """Whether a game has a worked example."""
    return (game_folder(name) / FILE).is_file()


def passages_by_ply(folder: Path, lang: str) -> dict[int, str]:
    """The passages of an example in a language, or in English if it has none; each in one line."""
    own = folder / f"example.{lang}.md"
    text = (own if own.is_file() else folder / "example.en.md").read_text(encoding="utf-8")
    _before, *parts = re.split(r"^## (\d+)$", text, flags=re.MULTILINE)
    return {int(ply): " ".join(passage.split()) for ply, passage in zip(parts[::2], parts[1::2], strict=True)}


@functools.cache
def played(name: str) -> Match:
    """The match of an example."""
    return replay(game_folder(name) / FILE, backend="interpreted")


@functools.cache
def example_views(name: str) -> dict[int, View]:
    """The views of an example by ply, with the names of its players; the same for every language."""
    match = played(name)
    return {ply: view_at(match, ply, None) for ply in passages_by_ply(game_folder(name), "en")}


def steps(name: str, lang: str) -> list[ExampleStep]:
    """The steps of a game's example; empty if it has none."""
    if not has_example(name):
        return []
    passages, setup = passages_by_ply(game_folder(name), lang), played(name).game
    if setup != setup.usual():
        note = say("(This example uses the cards that come with the program; yours have other values.)")
        passages[min(passages)] += " " + game_words(name, lang).words(note)
    return [ExampleStep(ply, view, passages[ply]) for ply, view in example_views(name).items()]


# --- pictures of it on a rules page -----------------------------------------------------------------------------------
def pictured(view: View, step: StepPicture) -> list[tuple[Zone, bool]]:
    """The zones that a picture shows, those of the middle of the table first; each with whether it is highlighted."""
    chosen_zones = [
        (zone, lit)
        for zone_name, lit in step.zones
        for zone in view.zones
        if zone_name in (zone.id, zone.id.split("-")[0]) and (any(zone.cards) or zone.hidden or zone.shape == "count")
    ]
    return sorted(chosen_zones, key=lambda each: -1 if each[0].seat is None else each[0].seat)


def cropped(zone: Zone) -> list[list[str]]:
    """The part of a board that has cards, from the first row and column with one to the last."""
    rows, columns = [any(row) for row in zone.rows], [any(column) for column in zip(*zone.rows, strict=True)]
    (top, bottom), (left, right) = (
        (flags.index(True), len(flags) - flags[::-1].index(True)) for flags in (rows, columns)
    )
    return [[code or EMPTY for code in row[left:right]] for row in zone.rows[top:bottom]]
