"""Converts live tables to rows of the database, and back."""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadRecord, HexdeckError
from hexdeck.engine.layout import bytes_at, options_at
from hexdeck.engine.play.driver import quickest_backend, raw
from hexdeck.engine.play.record import event_text
from hexdeck.engine.play.replay import event_ids
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Event, Fact, fact_from_data
from hexdeck.simulation.game import Game, game
from hexdeck.tables.errors import GameMissing, TableError
from hexdeck.tables.model.entries import CHOICE, ENDED, MOVE, OVER, PLAYING, Draft, Entry, Terms, result_of
from hexdeck.tables.model.live import LiveTable, played_by_server
from hexdeck.tables.model.seats import Seat, seats_of
from hexdeck.tables.storage.rows import Row, Stored

LOG = logging.getLogger("hexdeck.tables")


class NotResumable(TableError):
    """A table that can't be resumed: its events no longer lead to where it was."""

    status = 410


def compact_json(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- to rows ----------------------------------------------------------------------------------------------------------
def entry_row(table: LiveTable, entry: Entry) -> Row:
    """The row of an entry."""
    facts = [[fact.data() for fact in facts] for facts in entry.facts]
    return {
        "table": table.id,
        "version": entry.version,
        "kind": entry.kind,
        "seat": entry.seat,
        "event": compact_json(event_texts(table.game, entry)),
        "facts": compact_json(facts),
        "at": entry.at,
    }


def event_texts(game: Game, entry: Entry) -> list[str]:
    """The events of an entry, as records write them."""
    names = game.rules
    return [
        event_text(Event(seat, id, (names.OUTCOMES if seat == CHANCE else names.ACTIONS)[id]))
        for seat, id in entry.pairs
    ]


def changed_columns(table: LiveTable, draft: Draft, runner: str) -> Row:
    """The columns of a table's row that a draft changes; the match is at the draft's position already."""
    acting = table.match.acting if table.match and draft.state == PLAYING else ()
    due = [seat.due for seat in draft.seats if seat.due is not None]
    used = {"used": True} if begins_use(draft) else {}
    return used | {
        "terms": compact_json(vars(draft.terms)),
        "seats": seats_text(draft.seats),
        "version": draft.entries[-1].version,
        "state": draft.state,
        "rules": table.game.definition.struct_version,
        "struct": raw(table.match.rows)[0].tobytes() if table.match else None,
        "bots": bool(acting and table.match and played_by_server(table.match, draft.seats)),
        "acting": sum(1 << seat for seat in acting),
        "runner": runner,
        "due": min(due, default=None) if draft.state == PLAYING else None,
        "rematch": draft.rematch or table.rematch,
        "result": result_text(table, draft.entries) if draft.state == OVER else None,
        "changed": draft.entries[-1].at,
    }


def result_text(table: LiveTable, new: Sequence[Entry] = ()) -> str | None:
    """The result of a table whose match is over, as it is stored; None where its game can't say."""
    assert table.match is not None
    try:
        return compact_json(result_of(table.match, [*table.entries, *new]).data())
    except Exception:  # a game from outside may do anything; the last move is stored nevertheless
        LOG.exception("a game can't say how its match ended")
        return None


def begins_use(draft: Draft) -> bool:
    """Whether a table is in use by what is drafted: a player moves or joins, or the table is a rematch."""
    moved = (entry.kind in (MOVE, CHOICE) and not draft.seats[entry.seat].local for entry in draft.entries)
    return any(moved) or any(entry.kind == "sit" for entry in draft.entries) or bool(draft.terms.past)


@functools.lru_cache(4096)
def seats_text(seats: tuple[Seat, ...]) -> str:
    """Seats as they are stored."""
    return compact_json([seat.data() for seat in seats])


def new_row(table: LiveTable, draft: Draft, runner: str) -> Row:
    """The row of a new table."""
    chosen = table.game
    options = {name: chosen.options[name] for name in chosen.options}
    fixed = {
        "id": table.id,
        "game": chosen.name,
        "players": chosen.players,
        "options": compact_json(options),
        "secret": table.secret,
        "invites": table.invitation_key,
        "made": draft.entries[0].at,
        "day": table.terms.day or None,
    }
    return fixed | {"used": False} | changed_columns(table, draft, runner)


# --- from rows --------------------------------------------------------------------------------------------------------
def entries_of(chosen: Game, rows: Sequence[Row]) -> list[Entry]:
    """The entries of rows; raises BadRecord for an event that the game doesn't have."""
    out = []
    for row in rows:
        pairs = tuple(event_ids(chosen, k, text) for k, text in enumerate(json.loads(row["event"])))
        facts = tuple(tuple(map(fact_from_data, group)) for group in json.loads(row["facts"]))
        out.append(Entry(row["version"], row["kind"], row["seat"], pairs, facts, row["at"]))
    return out


def terms_of(text: str) -> Terms:
    """The terms of their stored text."""
    terms = Terms(**json.loads(text))
    return replace(terms, past=tuple(terms.past))


def table_from_rows(stored: Stored) -> LiveTable:
    """The table of its rows, its match replayed from its events. Raises NotResumable or GameMissing."""
    row = stored.row
    if row["state"] == ENDED:
        raise NotResumable(ended_text(stored))
    chosen = game_of(row)
    terms, seats = terms_of(row["terms"]), seats_of(json.loads(row["seats"]))
    table = LiveTable(row["id"], chosen, terms, seats, row["secret"], row["invites"])
    try:
        table.entries = entries_of(chosen, stored.events)
    except (BadRecord, ValueError, KeyError) as error:
        raise not_resumable(error.text if isinstance(error, BadRecord) else say("it is damaged")) from None
    table.add_messages(stored.messages)
    table.code = stored.code
    _take_over(table, row)
    return table


def game_of(row: Row) -> Game:
    """The game of a row. Raises GameMissing where it can't be played now, NotResumable where it has changed.

    Where the table's rules are newer than ours it raises TableError.
    """
    try:
        chosen = definition(find_game(row["game"]))
    except HexdeckError as error:
        text = _("This table is waiting for its game: {game} can't be played on this server just now.")
        raise GameMissing(say(text, game=row["game"])) from error
    assert_known(row, chosen.struct_version)
    try:  # the options of a row are those of the version that it was set up with
        return game(row["game"], row["players"], **{**options_at(chosen.rules.STRUCT, 0), **json.loads(row["options"])})
    except HexdeckError as error:
        raise not_resumable(error.text) from None


def assert_known(row: Row, version: int) -> None:
    """Raise TableError where a table's rules are newer than those that are known."""
    if row["rules"] > version:
        text = _("This table follows newer rules of {game} than this server knows; update hexdeck.")
        raise TableError(say(text, game=row["game"]))


def extend(table: LiveTable, stored: Stored) -> None:
    """Take over what other processes stored since the table's version; raises NotResumable if it doesn't follow.

    Raises TableError where another process, which was updated, goes on by newer rules.
    """
    row = stored.row
    assert_known(row, table.game.definition.struct_version)
    if row["state"] == ENDED:
        raise NotResumable(ended_text(stored))
    new = entries_of(table.game, stored.events)
    follows = table.follow(new)
    table.entries += new
    table.terms, table.seats = terms_of(row["terms"]), seats_of(json.loads(row["seats"]))
    if follows and table.match is not None and is_there(table, row):
        _adopt_row(table, row)
        for entry in new:
            table.count_progress(entry)
    else:
        _take_over(table, row)
    table.cache.clear()


def reload(table: LiveTable, stored: Stored) -> None:
    """Take over all of a table anew, what is old too; raises as `extend`."""
    table.forget_history()
    extend(table, stored)
    table.add_messages(stored.messages)


def _take_over(table: LiveTable, row: Row) -> None:
    """Bring a table with its stored entries to the state of its row."""
    _replay(table, row)
    _adopt_row(table, row)
    table.recount_progress()


def _adopt_row(table: LiveTable, row: Row) -> None:
    table.version, table.state = row["version"], row["state"]
    table.runner, table.rematch = row["runner"], row["rematch"]


def _replay(table: LiveTable, row: Row) -> None:
    if row["struct"] is None:
        return
    bad = table.restore(quickest_backend(table.game.definition), table.pairs, table.facts)
    if bad >= 0:
        raise not_resumable(say("event {event} is no longer possible", event=bad))
    if not is_there(table, row):
        raise not_resumable(say("its events don't lead to the position it was in"))


def is_there(table: LiveTable, row: Row) -> bool:
    """Whether the match is at the position of its row, as far as its rules can tell."""
    assert table.match is not None
    position = bytes_at(table.game.rules.STRUCT, row["rules"], raw(table.match.rows)[0].tobytes())
    return position is None or (row["struct"] is not None and position == bytes(row["struct"]))


def not_resumable(reason: Text) -> NotResumable:
    """The error for a table that can't be resumed, with the reason."""
    text = _("This table can't be resumed: the game has changed since it was saved ({reason}).")
    return NotResumable(say(text, reason=reason))


def ended_text(stored: Stored) -> Text:
    """The sentence that a table ended with."""
    facts: list[list[Fact]] = [[*map(fact_from_data, group)] for group in json.loads(stored.events[-1]["facts"])]
    return facts[0][0].text
