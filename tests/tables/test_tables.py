"""Live tables without HTTP: stored, loaded, changed by several at once; clocks, bots, pruning, migrations."""

import asyncio
import json
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text, update

import hexdeck
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import raw
from hexdeck.tables import commands, database, rows
from hexdeck.tables.database import MIGRATIONS, REVISION, Database, locked, tables
from hexdeck.tables.errors import BadStore, NoTable, NotResumable, NotYours, Stale
from hexdeck.tables.fair import chance_key, commitment
from hexdeck.tables.feedback import Feedback, feedback_of
from hexdeck.tables.keys import hashed, invitation, is_valid_invitation, parse_invitation
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.rows import Fanout, payloads
from hexdeck.tables.runner import DAY, HOUR, Retention, prune
from tests.settings import every_game, much, small_game
from tests.tables.house import SECRET, House, housed, in_a_file, in_each_database


@in_a_file
async def test_a_table_adds_nothing_to_the_cards_in_anybodys_name_so_that_its_promise_covers_all(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 3), "house", "open", hold=True)
    await house.change(table, commands.deal(0, "", house.time))
    assert table.key == chance_key(SECRET, ["", "", ""]) and table.match
    again = commands.rematch_table(table, 0, {})
    assert again.key == chance_key(again.secret, ["", "", ""]) and again.key != table.key


def shown(table: LiveTable) -> Any:
    """All that seats see, and what decides which moves are accepted."""
    seats = range(-1, table.game.players)
    match = table.match
    struct = raw(match.rows)[0].tobytes() if match else b""
    return (
        [(table.view(seat), table.lines_since(seat), table.version_for(seat), table.news(seat)) for seat in seats],
        struct,
        table.version,
        table.public_version,
        table.moved_at,
        table.seats,
        table.terms,
        table.state,
    )


@every_game
@in_each_database
async def test_a_table_is_found_again_as_it_was(house: House, name: str) -> None:
    table = await house.table(small_game(name))
    rng = random.Random(name)
    for _ in range(much(6, 12)):
        await house.play(table, [0], rng, 2)
        await house.settles(table)
        house.registry.forget(table.id)
        again = await house.registry.table(table.id)
        assert again is not table and shown(again) == shown(table)
        table = again


def test_a_bot_that_was_thinking_when_the_process_died_thinks_again(database: str) -> None:
    ids: list[str] = []

    async def first(house: House) -> None:
        house.sleeps()
        ids.append((await house.table(hexdeck.game("cursed-hand", 3))).id)

    async def second(house: House) -> None:
        table = await house.registry.table(ids[0])
        assert table.played_by_server == [1, 2]
        await house.settles(table)
        assert table.acting or table.state == "over"

    housed(database, first)
    housed(database, second, 1e9 + 100)


async def one_move(house: House, table: LiveTable) -> None:
    await house.settles(table)
    await house.moves(table, table.acting[0])


@pytest.mark.long
def test_what_others_do_at_a_table_is_read_at_once_where_somebody_looks_and_else_when_somebody_does(postgres) -> None:
    async def test(one: House) -> None:
        other = TableRegistry(Database(postgres), clock=lambda: 1e9)
        await other.open()
        table = await one.table(hexdeck.game("wolf-mans-curse", 4), "open", "open", "open")
        await other.table(table.id)
        for seat in (1, 2):
            await one.sits(table, seat)
        await one.comes(lambda: table.id not in other.tables)  # the news has come
        here = await other.table(table.id)
        assert here.version == table.version
        other.count_viewers(table.id, 1)
        await one.sits(table, 3)
        await one.comes(lambda: here.version == table.version)  # nobody asks for it
        other.count_viewers(table.id, -1)
        await one_move(one, table)
        await one.comes(lambda: table.id not in other.tables)
        other.count_viewers(table.id, 1)  # who begins to look sees the newest
        await one.comes(lambda: table.id in other.tables)
        async with other.reading(table.id) as found:
            assert found.version == table.version
        await other.close()

    housed(postgres, test)


def test_two_halls_on_one_database_make_every_move_once(postgres: str) -> None:
    async def test(one: House) -> None:
        other = TableRegistry(Database(postgres), clock=lambda: 1e9)
        await other.open()
        table = await one.table(hexdeck.game("wolf-mans-curse", 3), "open", "open")
        for seat in (1, 2):
            await other.change(table.id, commands.sit(seat, "", "", "", one.time))
        while (await one.registry.table(table.id)).state == "waiting":  # until the news of the others' changes has come
            await asyncio.sleep(0.005)
        rng, made = random.Random(3), 0
        while (await one.registry.table(table.id)).state == "playing" and made < much(30, 10**9):
            views = [await registry.table(table.id) for registry in (one.registry, other)]
            seat = rng.choice(views[0].acting or (0,))
            wanted = [
                (registry, view)
                for registry, view in zip((one.registry, other), views, strict=True)
                if view.view(seat).moves
            ]
            drafts = [
                (registry, commands.move(seat, view.view(seat).moves[0].id, view.version_for(seat), 1e9))
                for registry, view in wanted
            ]
            changes = (registry.change(table.id, draft) for registry, draft in drafts)
            done = await asyncio.gather(*changes, return_exceptions=True)
            made += sum(not isinstance(each, BaseException) for each in done)
            assert sum(not isinstance(each, BaseException) for each in done) <= 1
            assert all(isinstance(each, (LiveTable, Stale, hexdeck.BadMove)) for each in done), done
            for registry in (one.registry, other):
                while (await registry.table(table.id)).version < max(view.version for view in views):
                    await asyncio.sleep(0.005)
        moves = [entry for entry in (await one.registry.table(table.id)).entries if entry.kind in {"move", "choice"}]
        assert len(moves) == made
        while (await other.table(table.id)).version < moves[-1].version:  # by NOTIFY
            await asyncio.sleep(0.005)
        assert shown(await other.table(table.id)) == shown(await one.registry.table(table.id))
        await other.close()

    housed(postgres, test)


# --- seats ------------------------------------------------------------------------------------------------------------
@in_a_file
async def test_the_clock_hands_a_seat_to_a_bot_and_its_owner_takes_it_back(house: House) -> None:
    table = await house.table(hexdeck.game("high-handed", 2), "open", clock="brisk")
    await house.sits(table, 1)
    seat = table.acting[0]
    await house.change(table, commands.page_opened(seat, house.time))
    due = table.seats[seat].due
    assert due == house.time + 40
    with pytest.raises(Stale):
        await house.change(table, commands.give_to_bot(seat, commands.BY_CLOCK, due - 1))
    house.time = due + 0.1
    await house.comes(lambda: table.seats[seat].kind == "bot")
    assert table.seats[seat].owner and table.seats[seat].due is None
    await house.settles(table)
    assert "Time is up" in " ".join(map(str, table.news(seat)))
    with pytest.raises(Stale, match="take your seat back"):
        await house.change(table, commands.move(seat, 0, table.version, house.time))
    await house.change(table, commands.take_back(seat, "", house.time))
    assert table.seats[seat].kind == "person"


@in_a_file
async def test_only_host_and_owner_hand_a_seat_to_a_bot(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 3), "open", "open")
    for seat in (1, 2):
        await house.sits(table, seat)
    for by in (2, None):
        with pytest.raises(NotYours):
            await house.change(table, commands.give_to_bot(1, by, house.time))
    await house.change(table, commands.give_to_bot(1, 0, house.time))
    await house.change(table, commands.give_to_bot(2, 2, house.time))
    assert [seat.kind for seat in table.seats] == ["person", "bot", "bot"]


@in_a_file
async def test_the_host_begins_and_a_late_guest_takes_over_a_bots_seat(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 3), "open", "random")
    with pytest.raises(NotYours):
        await house.change(table, commands.deal(1, "", house.time))
    await house.change(table, commands.deal(0, "mine", house.time))
    assert table.state == "playing" and table.seats[1].kind == "bot" and table.seats[0].contribution == "mine"
    await house.change(table, commands.sit(1, "Late", "", "", house.time))
    assert table.seats[1].kind == "person" and table.seats[1].owner
    with pytest.raises(Stale):
        await house.change(table, commands.sit(1, "Later", "", "", house.time))


@in_a_file
async def test_a_rematch_is_one_table_with_everybody_a_seat_further(house: House) -> None:
    table = await house.table(hexdeck.game("blackstone", 3), name="Ann")
    with pytest.raises(Stale):
        await commands.rematch(house.registry, table.id)
    await house.play(table, [0], random.Random(1))
    made = await asyncio.gather(*(commands.rematch(house.registry, table.id) for _ in range(5)))
    assert len(set(made)) == 1
    new = await house.registry.table(made[0])
    assert [seat.name for seat in new.seats] == [table.seats[k - 1].name for k in range(3)]
    assert await house.registry.seat_of(new.id, hashed("me")) == 1 == new.terms.host
    mine = await house.registry.run_job(rows.tables_of, hashed("me"), 9)
    assert {row["table"] for row in mine} == {table.id, new.id}


# --- what is kept -----------------------------------------------------------------------------------------------------
async def is_there(house: House, table: LiveTable) -> bool:
    try:
        await house.registry.table(table.id)
    except NoTable:
        return False
    return True


@in_each_database
async def test_tables_are_kept_for_an_hour_while_unused_then_longer_and_longest_once_they_are_over(house) -> None:
    game = hexdeck.game("hawthorn", 2, deals=1)
    unused, bots, waited_at, moved, over = [await house.table(game, chair) for chair in ("open", *["random"] * 4)]
    joined = await house.table(game, "open")
    await house.change(joined, commands.sit(1, "", "", "", house.time))
    await house.play(moved, [0], random.Random(1), 1)
    await house.play(over, [0], random.Random(1))
    await house.settles(bots)
    await house.settles(waited_at)
    assert over.state == "over"
    keep, kept = Retention(unused_hours=1, days=30, finished_days=90), [unused, bots, waited_at, joined, moved, over]

    async def left(after: float) -> list[bool]:
        await prune(house.registry, keep, house.time + after, lambda id: id == waited_at.id)
        return [await is_there(house, table) for table in kept]

    assert await left(HOUR - 60) == [True] * 6
    assert await left(HOUR + 60) == [False, False, True, True, True, True], "somebody waits at the third"
    assert await left(31 * DAY) == [False, False, True, False, False, True]
    assert await left(91 * DAY) == [False, False, True, False, False, False]


@in_a_file
async def test_without_limits_tables_are_kept_for_ever(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 2), "open")
    assert await prune(house.registry, Retention(unused_hours=0), house.time + 9000 * DAY) == 0
    assert await is_there(house, table)


@in_a_file
async def test_a_rematch_counts_as_used(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 2, deals=1))
    await house.play(table, [0], random.Random(1))
    new = await commands.rematch(house.registry, table.id, 0)
    assert await prune(house.registry, Retention(), house.time + 2 * HOUR) == 0
    assert await is_there(house, await house.registry.table(new))


@in_a_file
async def test_a_table_whose_events_are_no_longer_possible_ends_with_a_sentence(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 2), "open")
    await house.sits(table, 1)
    await house.play(table, [0, 1], random.Random(1), 3)

    def spoil(connection: Any) -> None:
        found = rows.read_table(connection, table.id)
        assert found
        events = json.loads(found.events[-1]["event"])
        connection.execute(
            text("UPDATE events SET event = :event WHERE version = :v"),
            {"event": json.dumps([*events, events[0]]), "v": table.version},
        )

    await house.registry.run_job(spoil)
    for _ in range(2):  # the sentence is stored
        house.registry.forget(table.id)
        with pytest.raises(NotResumable, match="can't be resumed"):
            await house.registry.table(table.id)
    found = await house.registry.run_job(rows.read_table, table.id)
    assert found and found.row["state"] == "ended" and found.row["version"] == table.version + 1


@in_a_file
async def test_the_struct_of_older_rules_is_made_anew_from_the_events(house: House) -> None:
    table = await house.table(hexdeck.game("high-handed", 2), "open")
    await house.sits(table, 1)
    await house.play(table, [0, 1], random.Random(1), 3)
    await house.registry.run_job(lambda connection: connection.execute(update(tables).values(rules=0, struct=b"old")))
    house.registry.forget(table.id)
    again = await house.registry.table(table.id)
    assert shown(again) == shown(table)
    await house.play(again, [0, 1], random.Random(1), 1)
    row = (await house.registry.run_job(rows.read_table, table.id)).row  # type: ignore[union-attr]
    assert again.match and row["rules"] == again.game.definition.struct_version
    assert row["struct"] == raw(again.match.rows)[0].tobytes()


def test_only_tables_that_are_not_the_newest_are_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)]).get_heads() == [REVISION]
    Database(str(tmp_path / "t.db")).close()
    monkeypatch.setattr("hexdeck.tables.database._upgrade", lambda *_: pytest.fail("nothing is to be migrated"))
    Database(str(tmp_path / "t.db")).close()


def test_answers_of_the_first_release_keep_their_words(tmp_path: Path) -> None:
    old = "fun INTEGER, length INTEGER, fair INTEGER, confused TEXT NOT NULL, words TEXT NOT NULL, at FLOAT NOT NULL"
    key = '"table" VARCHAR(24) NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY ("table", seat)'
    first = Database(str(tmp_path / "t.db"))
    with first.engine.begin() as connection:
        connection.execute(text("DROP TABLE feedback"))
        connection.execute(text(f"CREATE TABLE feedback ({old}, {key})"))
        connection.execute(text("INSERT INTO feedback VALUES (4, 1, 2, '', 'again!', 1.0, 'a', 0)"))
        connection.execute(text("INSERT INTO feedback VALUES (4, 1, 2, '', '', 1.0, 'a', 1)"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0.1'"))
    first.close()
    again = Database(str(tmp_path / "t.db"))
    with again.engine.connect() as connection:
        assert feedback_of(connection, "a") == (Feedback(0, words="again!", at=1.0),)
    again.close()


def test_one_file_is_served_by_one_process(tmp_path: Path) -> None:
    first = Database(str(tmp_path / "t.db"))
    with pytest.raises(BadStore, match="Hexdeck is already running with these tables"):
        Database(str(tmp_path / "t.db"))
    first.serve_at("http://localhost:8400/")
    with pytest.raises(BadStore, match=f"already running, at http://localhost:8400/: .*process {os.getpid()}"):
        Database(str(tmp_path / "t.db"))
    first.close()
    second = Database(str(tmp_path / "t.db"))  # which is served nowhere yet
    with pytest.raises(BadStore, match="Hexdeck is already running with these tables"):
        Database(str(tmp_path / "t.db"))
    second.close()


def test_no_folder_is_made_for_tables_but_the_usual_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadStore, match=r"there is no folder .*none"):
        Database(str(tmp_path / "none" / "t.db"))
    assert not (tmp_path / "none").exists()
    monkeypatch.setattr(database, "default_url", lambda: f"sqlite:///{tmp_path / 'usual' / 't.db'}")
    Database(database.default_url()).close()


def test_one_file_is_served_by_one_process_on_windows_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[tuple[int, int]] = []

    def locking(_file: int, mode: int, size: int) -> None:
        held.append((mode, size))
        if len(held) > 1:
            raise PermissionError(13, "Permission denied")

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "win32")
        locked(tmp_path / "t.db").close()
        with pytest.raises(BadStore, match="Hexdeck is already running"):
            locked(tmp_path / "t.db")
    assert held == [(2, 1)] * 2


@pytest.mark.parametrize("place", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "://"])
def test_a_place_that_is_none_is_refused_in_a_sentence(place: str) -> None:
    with pytest.raises((BadOption, BadStore)) as caught:
        Database(place).close()
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("revision", ["1", "12", "9999"])
def test_tables_of_another_hexdeck_are_refused(tmp_path: Path, revision: str) -> None:
    """Earlier ones, such as those before the first release, and later ones."""
    first = Database(str(tmp_path / "t.db"))
    with first.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    first.close()
    with pytest.raises(BadStore, match=r"t\.db were stored by another version of hexdeck: serve"):
        Database(str(tmp_path / "t.db"))


# --- keys and news ----------------------------------------------------------------------------------------------------
def test_keys_are_what_they_are_said_to_be() -> None:
    import hashlib
    import hmac

    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
    message = b'["hexdeck cards 1","a","b"]'
    assert chance_key(SECRET, ["a", "b"]) == hmac.new(SECRET, message, "sha256").digest()
    assert len({chance_key(SECRET, given) for given in (["a", "b"], ["ab", ""], ["a", "", "b"], ["b", "a"])}) == 4


def test_invitations_are_real_for_one_seat_of_one_table() -> None:
    token = invitation("AAAAAAAAAAAA", 2, b"key")
    assert parse_invitation(token) == ("AAAAAAAAAAAA", 2) and is_valid_invitation(token, "AAAAAAAAAAAA", 2, b"key")
    for table, seat, key in (("AAAAAAAAAAAB", 2, b"key"), ("AAAAAAAAAAAA", 1, b"key"), ("AAAAAAAAAAAA", 2, b"kex")):
        assert not is_valid_invitation(token, table, seat, key)
    for bad in ("", "..", "a.b.c", "a.²." + "x", "a.1." + "x" * 99):
        with pytest.raises(NoTable):
            parse_invitation(bad)


def test_notifications_hold_all_news_and_are_short_enough() -> None:
    news = [(f"table{number:07}", number) for number in range(1000)]
    texts = payloads(["me"], news)
    assert all(len(text) < 7999 for text in texts) and len(texts) < 8
    assert [tuple(item) for text in texts for item in json.loads(text)[1]] == news


def test_news_in_one_process_is_heard_until_it_closes() -> None:
    fanout, heard = Fanout(), []
    fanout.publish([("a", 1)])
    fanout.subscribe(heard.extend)
    fanout.publish([("b", 2)])
    fanout.close()
    fanout.publish([("c", 3)])
    assert heard == [("b", 2)]
