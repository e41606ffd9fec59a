"""The chat of a table: stored, limited, muted, and never part of the match."""

import random
from dataclasses import replace

import pytest
from sqlalchemy import func, select

import hexdeck
from hexdeck.bots.players.bot_names import MANNERS
from hexdeck.engine.discovery.finding import game_words
from hexdeck.tables import chat, commands
from hexdeck.tables.chat import checked_words
from hexdeck.tables.database import Database, messages
from hexdeck.tables.entries import MESSAGES_KEPT
from hexdeck.tables.errors import NotYours, TableError, TooMany
from hexdeck.tables.fair import fresh_secret
from hexdeck.tables.keys import hashed, parse_invitation
from hexdeck.tables.live import LiveTable, beats_for
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.rows import delete_tables
from tests.tables.house import House, housed, in_a_file, in_each_database


async def two(registry: TableRegistry) -> LiveTable:
    chosen = hexdeck.game("hawthorn", 2)
    setup = commands.TableSetup(chosen, (commands.YOU, "open"), "Ann", feedback=True)
    table = await commands.create(registry, setup, fresh_secret(), hashed("a" * 22))
    seat = parse_invitation(commands.invitations(table)[1])[1]
    held = {"token": hashed("b" * 22), "table": table.id, "seat": seat}
    return await registry.change(table.id, commands.sit(seat, "Ben", "", "", registry.clock()), held)


def heard(table: LiveTable) -> list[tuple[str, str, str]]:
    return [(each.name, each.phrase, each.words) for each in table.messages]


@in_each_database
async def test_talk_survives_a_restart_and_is_no_part_of_the_match(registry: TableRegistry) -> None:
    table = await two(registry)
    version, log, pairs = table.version, table.lines_since(1), table.pairs
    await chat.post_message(registry, table.id, 0, phrase="luck")
    await chat.post_message(registry, table.id, 1, text="  you\ttoo \n<b>Ann</b> ")
    assert (table.version, table.lines_since(1), table.pairs) == (version, log, pairs)
    registry.forget(table.id)
    assert heard(await registry.table(table.id)) == [("Ann", "luck", ""), ("Ben", "", "you too <b>Ann</b>")]


@in_each_database
async def test_talk_goes_with_its_table(registry: TableRegistry) -> None:
    table = await two(registry)
    await chat.post_message(registry, table.id, 0, text="hello")
    await registry.run_job(delete_tables, [table.id])
    assert await registry.run_job(lambda c: c.execute(select(func.count()).select_from(messages)).scalar()) == 0


@pytest.mark.long
def test_two_processes_hear_each_other_and_give_every_saying_a_number_of_its_own(postgres: str) -> None:
    async def test(house: House) -> None:
        one, two_ = house.registry, TableRegistry(Database(postgres))
        await two_.open()
        table = await two(one)
        other = await two_.table(table.id)
        two_.count_viewers(table.id, 1)
        await chat.post_message(one, table.id, 0, text="first")
        await house.comes(lambda: heard(other))
        assert heard(other) == [("Ann", "", "first")]
        other.messages = []  # as if the news had been lost: the next number is taken already
        await chat.post_message(two_, table.id, 1, text="second")
        assert [each.number for each in other.messages] == [0, 1] and other.messages[0].words == "first"
        await two_.close()

    housed(postgres, test)


@in_each_database
async def test_who_says_too_much_waits_and_another_does_not(house: House) -> None:
    registry = house.registry
    table = await two(registry)
    for _ in range(chat.MOST_MESSAGES):
        await chat.post_message(registry, table.id, 0, phrase="ha")
    with pytest.raises(TooMany):
        await chat.post_message(registry, table.id, 0, phrase="ha")
    await chat.post_message(registry, table.id, 1, phrase="ha")
    house.time += chat.MESSAGE_WINDOW
    await chat.post_message(registry, table.id, 0, phrase="ha")
    assert len(table.messages) == chat.MOST_MESSAGES + 2


@in_each_database
async def test_only_the_newest_are_kept(house: House) -> None:
    registry = house.registry
    table = await two(registry)
    for count in range(MESSAGES_KEPT + 3):
        house.time += chat.MESSAGE_WINDOW
        await chat.post_message(registry, table.id, 0, text=str(count))
    assert (table.messages[0].words, len(table.messages)) == ("3", MESSAGES_KEPT)
    assert await registry.run_job(lambda c: c.execute(select(func.min(messages.c.number))).scalar()) == 3


@in_each_database
async def test_the_host_silences_a_seat_and_words_of_ones_own(registry: TableRegistry) -> None:
    table = await two(registry)
    for refused in (chat.mute(0, 1, True, 0.0), chat.mute(0, 0, True, 0.0), chat.allow_words(1, False, 0.0)):
        with pytest.raises(NotYours):
            await registry.change(table.id, refused)
    await registry.change(table.id, chat.allow_words(0, False, 0.0))
    with pytest.raises(NotYours, match="pick a phrase"):
        await chat.post_message(registry, table.id, 1, text="hello")
    await chat.post_message(registry, table.id, 1, phrase="hello")
    await registry.change(table.id, chat.mute(1, 0, True, 0.0))
    with pytest.raises(NotYours, match="muted"):
        await chat.post_message(registry, table.id, 1, phrase="hello")
    assert commands.rematch_table(table, 0, {}).seats[0].muted  # who sits one seat further is as silent there
    handed = commands.rematch_table(table, 0, {})
    handed.terms = replace(handed.terms, host=0)  # who was silenced before is the host now
    assert not chat.mute(0, 0, False, 0.0)(handed).seats[0].muted
    with pytest.raises(NotYours, match="not themselves"):
        chat.mute(0, 0, True, 0.0)(handed)
    await registry.change(table.id, commands.free_seat(1, 0, 0.0))
    assert not table.seats[1].muted  # it was somebody else's


@pytest.mark.parametrize(("phrase", "words"), [("", ""), ("", " \u200b\n"), ("", "x" * (chat.LONGEST + 1)), ("no", "")])
@in_a_file
async def test_what_can_not_be_said_is_refused(registry: TableRegistry, phrase: str, words: str) -> None:
    table = await two(registry)
    with pytest.raises(TableError):
        await chat.post_message(registry, table.id, 0, phrase, words)
    assert table.messages == []


@in_a_file
async def test_bots_do_not_talk(registry: TableRegistry) -> None:
    wish = commands.TableSetup(hexdeck.game("hawthorn", 2), (commands.YOU, "house"), "Rob", program="house")
    table = await commands.create(registry, wish, fresh_secret(), hashed("a" * 22))
    for seat in (0, 1):
        with pytest.raises(NotYours, match="Only people"):
            await chat.post_message(registry, table.id, seat, phrase="hello")


def test_marks_are_not_piled_up_on_a_letter() -> None:
    assert checked_words("e" + "\u0301" * 90 + "h") == "e\u0301\u0301h"
    assert checked_words("ก" + "็" * 90 + "ข" + "\u0489" * 9) == "ก็็ข\u0489\u0489"
    assert checked_words("naïve café, Việt") == "naïve café, Việt"


# --- what bots say ----------------------------------------------------------------------------------------------------
@in_a_file
async def test_bots_say_something_of_their_manner_when_the_light_falls_on_them(house: House) -> None:
    house.sleeps()
    table, rng, heard = (
        await house.table(hexdeck.game("hawthorn", 3, deals=9), "steady:bold", "gentle"),
        random.Random(1),
        [],
    )
    while table.state == "playing":
        before, seat = table.version, table.acting[0]
        move = rng.choice(table.match.legal_ids(seat))
        table = await house.change(table, commands.move(seat, move, None, house.time, local=seat > 0))
        beats, said = beats_for(table, -1, before), chat.remarks(table, before)
        assert len(beats) == len(said)
        for beat, remark in zip(beats, said, strict=True):
            lit = beat.seats[-1] if beat.spotlight else 0
            manner = "", "bold", ""
            assert remark in chat.REMARKS[manner[lit], beat.spotlight.tone == "gold"] if lit else remark is None
            heard += [(lit, remark.key)] if remark else []
    assert len({*heard}) > 4  # each of both, after good and bad luck


def test_every_manner_has_remarks_in_both_languages() -> None:
    assert {*chat.REMARKS} == {(manner, good) for manner in ("", *MANNERS) for good in (True, False)}
    for phrases in chat.REMARKS.values():
        for phrase in phrases:
            assert game_words("hawthorn", "nl").words(phrase) != str(phrase)
