"""What a browser holds by its token: seats, results, answers to puzzles; carried to another browser, or deleted.

The first answer to a puzzle counts. Leaving a table for good deletes what is kept of a player there; the last to leave
takes the table along. The moves stay, since the match is the others' too, and so do words that were added to its cards:
without them these couldn't be checked.
"""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, delete, func, insert, select, update

from hexdeck.engine.text import Text, say
from hexdeck.stats import share
from hexdeck.tables import rows
from hexdeck.tables.commands import announcement, assert_seat, host_entry, unheld, vacated_seat, with_seat
from hexdeck.tables.database import (
    answers,
    attempts,
    bundles,
    carries,
    events,
    feedback,
    holders,
    messages,
    subscriptions,
    tables,
)
from hexdeck.tables.entries import ERASE, PLAYING, WAITING, Draft, Result, stored_result
from hexdeck.tables.errors import NoTable, NotYours, Stale, TableError, Unavailable
from hexdeck.tables.live import LiveTable, command, with_clocks
from hexdeck.tables.player_names import free_name
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.rows import Row, empty_log, erase_unplayable, insert_if_absent, seat_of

Data = dict[str, Any]
# not when it changed: others may choose in secret
OWN_COLUMNS = "id", "game", "players", "options", "state", "made", "day"
OWN_PARTS = {"messages": messages, "answers": feedback, "tried_again": attempts, "told_of_turns": subscriptions}
OMITTED_COLUMNS = {"table", "seat", "browser", "public", "secret"}  # the last three are keys of the browser's own
ENOUGH = 10  # matches, before anything is said of a share of them
NO_NAME = "?"  # stands in for a name at a table that can't be played any more


@dataclass(frozen=True)
class Answer:
    """An answer to a puzzle: the name of an action, and whether it was the best move."""

    move: str
    solved: bool


@dataclass(frozen=True)
class Solved:
    """How many puzzles a browser solved of those it answered, and its answers to some of them, by their keys."""

    solved: int = 0
    total: int = 0
    answers: tuple[tuple[str, Answer], ...] = ()

    def get(self, puzzle: str) -> Answer | None:
        """The answer to one of them."""
        return dict(self.answers).get(puzzle)


def store_answer(connection: Connection, token: str, puzzle: str, answer: Answer, at: float) -> bool:
    """Store the answer to a puzzle unless the token has answered it; returns whether it is stored."""
    row: dict[str, Any] = {"token": token, "puzzle": puzzle, "move": answer.move, "solved": answer.solved, "at": at}
    return insert_if_absent(connection, answers, row)


def solved_by(connection: Connection, token: str, puzzles: Sequence[str]) -> Solved:
    """What a hashed token has solved, with its answers to these puzzles."""
    counting = select(answers.c.solved, func.count()).where(answers.c.token == token).group_by(answers.c.solved)
    query = select(answers).where(answers.c.token == token, answers.c.puzzle.in_(puzzles))
    counts = {bool(solved): int(n) for solved, n in connection.execute(counting)}
    own_answers = tuple((row.puzzle, Answer(row.move, bool(row.solved))) for row in connection.execute(query))
    return Solved(counts.get(True, 0), sum(counts.values()), own_answers)


def has_answers(connection: Connection, token: str) -> bool:
    """Whether a hashed token has answered any puzzle here."""
    return connection.execute(select(answers.c.puzzle).where(answers.c.token == token).limit(1)).first() is not None


def answers_of(connection: Connection, token: str) -> list[dict[str, Any]]:
    """All answers of a hashed token, the oldest first."""
    columns = [column for column in answers.c if column.name != "token"]
    query = select(*columns).where(answers.c.token == token).order_by(answers.c.at, answers.c.puzzle)
    return [dict(row) for row in connection.execute(query).mappings()]


def carry(connection: Connection, row: Row) -> bool:
    """Store a link that carries a seat; delete older ones of the same seat."""
    of_seat = and_(carries.c.table == row["table"], carries.c.seat == row["seat"])
    connection.execute(delete(carries).where(of_seat))
    connection.execute(insert(carries), row)
    return True


@dataclass(frozen=True)
class Carried:
    """What a link carries: the seat of a table, or else all that a holder has."""

    table: str = ""
    seat: int = -1
    holder: str = ""


def carried(connection: Connection, token: str, now: float) -> Carried | None:
    """What a link carries, if it is good."""
    of_seat = select(carries.c.table, carries.c.seat).where(carries.c.token == token, carries.c.until > now)
    if row := connection.execute(of_seat).first():
        return Carried(row.table, row.seat)
    holder = connection.execute(
        select(bundles.c.holder).where(bundles.c.token == token, bundles.c.until > now)
    ).scalar()
    return Carried(holder=holder) if holder else None


def store_bundle(connection: Connection, token: str, holder: str, until: float, now: float) -> None:
    """Store a link for all seats of a holder, in place of an older one; links that are too old go."""
    connection.execute(delete(bundles).where(bundles.c.until <= now))
    row = {"token": token, "holder": holder, "until": until}
    if not insert_if_absent(connection, bundles, row):
        connection.execute(update(bundles).where(bundles.c.holder == holder).values(row))


def take_carried(connection: Connection, token: str, to: str, now: float, today: str) -> dict[str, int] | None:
    """Use a link, once: another holder gets its seats, by their tables, and with all seats the answers to puzzles.

    None for a spent link. A deal of today that they still play themselves isn't given: it would show them their cards.
    Where they have another seat at a table, they keep that one. Of a link with one seat both are refused with Stale.
    """
    link = carried(connection, token, now)
    part = carries if link and link.table else bundles
    if link is None or not connection.execute(delete(part).where(part.c.token == token)).rowcount:
        return None
    if link.table:
        if still_plays(connection, link.table, to, today):
            raise Stale(say("You are still playing this deal of the day yourself: finish it first."))
        insert_if_absent(connection, holders, {"token": to, "table": link.table, "seat": link.seat})
        if seat_of(connection, link.table, to) != link.seat:
            raise Stale(say("You already have another seat at this table."))
        return {link.table: link.seat}
    seats = dict[str, int]()
    held = select(holders.c.table, holders.c.seat).where(holders.c.token == link.holder)
    for table, seat in connection.execute(held.order_by(holders.c.table)).all():
        row = {"token": to, "table": table, "seat": seat}
        if not still_plays(connection, table, to, today) and insert_if_absent(connection, holders, row):
            seats[table] = seat
    for row in answers_of(connection, link.holder):  # their own count where they have answered a puzzle already
        insert_if_absent(connection, answers, {**row, "token": to})
    return seats


def still_plays(connection: Connection, table: str, holder: str, today: str) -> bool:
    """Whether a table has a deal of today that a holder has begun at another table and not finished."""
    game = select(tables.c.game).where(tables.c.id == table, tables.c.day == today).scalar_subquery()
    own = and_(tables.c.day == today, tables.c.game == game, tables.c.id != table, tables.c.state != "over")
    mine = select(tables.c.id).join(holders, holders.c.table == tables.c.id).where(holders.c.token == holder, own)
    return connection.execute(mine.limit(1)).first() is not None


async def own_data(registry: TableRegistry, token: str) -> list[Data]:
    """What is kept of the holder of a hashed token, by table, the oldest first.

    It is read table by table, and what others store comes in between.
    """
    columns = [tables.c[name] for name in (*OWN_COLUMNS, "seats", "result")]
    joined = select(*columns, holders.c.seat).join(holders, holders.c.table == tables.c.id)
    own = joined.where(holders.c.token == token).order_by(tables.c.made, tables.c.id)
    held = await registry.run_job(lambda connection: connection.execute(own).mappings().all())
    return [await registry.run_job(own_table, row) for row in held]


def own_table(connection: Connection, row: RowMapping) -> Data:
    """What is kept of a seat, of whose moves only their own: what they bring from a deck may be others' secret."""
    seat, seats = row["seat"], json.loads(row["seats"])
    about = {name: row[name] for name in OWN_COLUMNS} | {"options": json.loads(row["options"])}
    parts = dict[str, list[Data]]()
    for name, part in OWN_PARTS.items():
        columns = (column for column in part.c if column.name not in OMITTED_COLUMNS)
        query = select(*columns).where(and_(part.c.table == row["id"], part.c.seat == seat))
        parts[name] = [dict(found) for found in connection.execute(query.order_by(*part.primary_key)).mappings()]
    ended = json.loads(row["result"]) if row["result"] else None
    result = {name: ended[name][seat] for name in ("won", "places", "utilities")} if ended else None
    texts = {name: seats[seat].get(name, "") for name in ("name", "contribution", "adds")}
    moved = select(events.c.event, events.c.at).where(events.c.table == row["id"], events.c.seat == seat)
    entries, begin = connection.execute(moved.order_by(events.c.version)).all(), f"{seat}: "
    own_events = ((text, entry.at) for entry in entries for text in json.loads(entry.event))
    moves = [{"move": text.removeprefix(begin), "at": at} for text, at in own_events if text.startswith(begin)]
    return {**about, "seat": seat, **texts, "moves": moves, "result": result, **parts}


@dataclass(frozen=True)
class PlayerTally:
    """A player's matches of a game: how many were played and won, and the best of them.

    `best`: its caption, None where all were lost and nothing was counted; `best_at`: its table.
    """

    game: str
    played: int
    won: int
    best: Text | None
    best_at: str

    @property
    def share(self) -> tuple[float, float] | None:
        """The ends of the 95 % interval of the share that they win; None where matches are too few to say."""
        if self.played < ENOUGH:
            return None
        interval = share(self.won, self.played)
        return interval.low, interval.high


async def tallies_of(registry: TableRegistry, token: str) -> tuple[PlayerTally, ...]:
    """The matches that the holder of a hashed token has played to the end, by game."""
    query = select(tables.c.id, tables.c.game, tables.c.result, holders.c.seat)
    joined = query.join(tables, tables.c.id == holders.c.table).where(holders.c.token == token)
    over = joined.where(tables.c.state == "over", tables.c.result.is_not(None)).order_by(tables.c.changed)
    by_game = dict[str, list[tuple[int, str, Result]]]()
    for row in await registry.run_job(lambda connection: connection.execute(over).all()):
        result = stored_result(row.result)
        if row.seat not in result.stood_in:
            by_game.setdefault(row.game, []).append((row.seat, row.id, result))
    return tuple(tally(game, results) for game, results in sorted(by_game.items()))


def tally(game: str, results: Sequence[tuple[int, str, Result]]) -> PlayerTally:
    """The tally of a game; of each result the seat that counts, and the table."""
    seat, table, best = max(results, key=lambda entry: (entry[2].won[entry[0]], entry[2].utilities[entry[0]]))
    won = sum(result.won[own] for own, _table, result in results)
    caption = best.captions[seat]
    counts_something = won or any(isinstance(value, int) for value in caption.args.values())
    return PlayerTally(game, len(results), won, caption if counts_something else None, table)


async def leave_everywhere(registry: TableRegistry, token: str) -> int:
    """Leave every table where a hashed token holds a seat, and forget its link and puzzles; returns how many tables."""
    link = delete(bundles).where(bundles.c.holder == token)
    await registry.run_job(lambda connection: connection.execute(link).rowcount)
    await forget_puzzles(registry, token)
    seats = select(holders.c.table, holders.c.seat).where(holders.c.token == token)
    held = await registry.run_job(lambda connection: connection.execute(seats).all())
    for id, seat in held:
        with contextlib.suppress(NoTable, Stale):  # it was deleted or left meanwhile
            await leave_table(registry, id, seat)
    return len(held)


async def forget_puzzles(registry: TableRegistry, token: str) -> None:
    """Delete all answers that a hashed token gave to puzzles."""
    own = delete(answers).where(answers.c.token == token)
    await registry.run_job(lambda connection: connection.execute(own).rowcount)
    await registry.run_job(empty_log)


async def leave_table(registry: TableRegistry, id: str, seat: int) -> None:
    """Delete what is kept of the holder of a seat, and the table where it is the last held one; raises Stale."""
    held = {holder["seat"] for holder in await registry.run_job(rows.holders_of, id)}
    if seat not in held:
        raise Stale(say("Nobody holds this seat any more."))
    if held == {seat}:
        await registry.delete(id)
        return
    try:
        await registry.table(id)
    except (NoTable, Unavailable):
        raise
    except TableError:  # it can't be played: now, or ever again
        await registry.run_job(erase_unplayable, id, seat, NO_NAME)
        registry.forget_holders(id)
    else:
        await registry.change(id, leave(seat, registry.clock()))
    await registry.run_job(empty_log)


async def delete_table(registry: TableRegistry, id: str, by: int) -> None:
    """The host deletes a table; raises NotYours."""
    async with registry.reading(id) as table:
        if by != table.terms.host:
            raise NotYours(say("Only the host can delete a table."))
    await registry.delete(id)


@command
def leave(table: LiveTable, seat: int, now: float) -> Draft:
    """The holder of a seat leaves, with those who play on their device; a bot plays on, and another is host."""
    assert_seat(table, seat)
    if not table.seats[seat].owner:
        raise Stale(say("Nobody holds this seat any more."))
    leaving = tuple(number for number, chair in enumerate(table.seats) if seat in (number, chair.device))
    seats = table.seats
    for number in leaving:  # whether a person or a bot played a match that is over stays known
        old, names = seats[number], [chair.name for chair in seats]
        if table.state in (WAITING, PLAYING):
            new = vacated_seat(table, old)
        else:
            new = replace(unheld(old), level="" if old.program else old.level)
        seats = with_seat(seats, number, replace(new, name=free_name("", names, number), adds=""))
    text = say("Somebody has left. Their name and their messages are deleted.")
    entries, terms = [announcement(table, ERASE, seat, text, now)], table.terms
    held = [number for number, chair in enumerate(seats) if chair.owner]
    if held and terms.host not in held:  # the host has left
        entries.append(host_entry(entries[-1].version + 1, held[0], now))
        terms = replace(terms, host=held[0])
    if table.state in (WAITING, PLAYING):
        seats = with_clocks(table, seats, now)
    return Draft(tuple(entries), seats, table.state, terms, vacated=seat, erased=leaving)
