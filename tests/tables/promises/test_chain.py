"""A table's chain holds options, seats, names, words and all events in order: a record that was changed is found."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import event_text, read, struct_check
from hexdeck.engine.play.replay import game_of
from hexdeck.tables.keys import fresh_secret, hashed, parse_invitation
from hexdeck.tables.model.chain import FIRST, chain_note, content_of, field_hash, head_after, head_at, link_hash
from hexdeck.tables.model.entries import CHOICE, PLAYING, RETRACT
from hexdeck.tables.model.fair import verify
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service import commands, leaving, new_tables
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.signatures import SignedHead, public_of, signed_head, signed_head_of
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.signing_keys import PRIVATE, key_of_day, public_keys
from hexdeck.web.routes.replays import record_of
from tests.tables.house import House, housed, in_a_file, in_each_database

NEVER_SHOWN = "Bernadette"  # a name that Ben had before
Data = dict[str, Any]


async def sat_down(registry: TableRegistry, game: str = "cursed-hand", **options: Any) -> LiveTable:
    """Ann and Ben with words of their own, and a bot; Ben had another name before."""
    chosen = hexdeck.game(game, 3, **options)
    wish = new_tables.TableSetup(chosen, (new_tables.YOU, "open", "random"), "Ann", contribution="rye", hold=True)
    table = await new_tables.create(registry, wish, fresh_secret(), hashed("a" * 22))
    seat = parse_invitation(new_tables.invitations(table)[1])[1]
    held = {"token": hashed("b" * 22), "table": table.id, "seat": seat}
    await registry.change(table.id, commands.sit(seat, NEVER_SHOWN, "", "barley", registry.clock()), held)
    await registry.change(table.id, commands.rename(seat, "Ben", registry.clock()))
    return await registry.change(table.id, commands.deal(0, "oats", registry.clock()))


async def played(registry: TableRegistry, table: LiveTable, rng: random.Random) -> list[SignedHead]:
    """Play to the end, taking back some choices on the way; returns the heads that everybody could see."""
    seen = list[SignedHead]()
    while table.state == PLAYING and table.match is not None:
        shown = await registry.signer.shown_head(table, registry.clock())
        if shown is not None:
            seen.append(shown)
        seat = rng.choice(table.acting)
        move, local = rng.choice(table.match.legal_ids(seat)), table.seats[seat].local
        await registry.change(table.id, commands.move(seat, move, None, registry.clock(), local=local))
        if table.entries[-1].kind == CHOICE and not local and rng.random() < 0.5:
            await registry.change(table.id, commands.retract(seat, table.version, registry.clock()))
    return seen


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The record of a match, the heads that were shown, the published keys, and a head signed before the end."""

    async def work(house: House) -> None:
        registry = house.registry
        table = await sat_down(registry, losses=2)
        seen = await played(registry, table, random.Random(4))
        registry.forget(table.id)  # as after a restart
        found = json.loads(record_of(await registry.table(table.id)).text())
        published = await registry.run_job(public_keys)
        told.extend([found, [(each.number, each.head) for each in seen], published, seen[-2].data()])

    told: list[Any] = []
    housed(f"sqlite:///{tmp_path_factory.mktemp('evening') / 'tables.db'}", work, bots=False)
    return told


def test_a_record_verifies_with_every_head_that_was_shown_and_the_key_that_was_published(evening: Any) -> None:
    record, seen, published, _early = evening
    assert record["hexdeck"] == 2 and len(seen) > 20
    signed = record["notes"]["chain"]["signed"]
    assert published == [(signed["day"], signed["key"])]
    for _number, head in seen[::5]:
        assert verify(read(record), record["notes"]["fair"]["commitment"], head, signed["key"]) > 2
    hidden = [link for link in record["notes"]["chain"]["links"] if "nonce" not in link]
    assert hidden and all(set(link) == {"hash"} for link in hidden), "what was taken back stays its player's"
    assert NEVER_SHOWN not in json.dumps(record)


def test_choices_that_were_taken_back_are_named_in_the_chain_and_by_verify(
    evening: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = evening[0]
    links = record["notes"]["chain"]["links"]
    backs = [link for link in links if link.get("kind") == RETRACT]
    assert len(backs) == sum("nonce" not in link for link in links) > 1
    assert all(link["seat"] >= 0 and link["events"] == 0 for link in backs)
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    assert f"{len(backs)} choices were taken back (retract) while others still chose" in capsys.readouterr().out


def test_the_recipe_of_the_documentation_gives_the_head_that_was_signed(evening: Any) -> None:
    """Made from what `docs/reference/records.md` says, and from nothing else."""

    def sha(*parts: Any) -> str:
        return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()

    record, head, at = evening[0], "0" * 64, 0
    for number, link in enumerate(record["notes"]["chain"]["links"]):
        if "nonce" in link:
            events = record["events"][at : at + link["events"]]
            at += link["events"]
            seats = {
                seat: {key: value if key == "kind" else value[0] for key, value in about.items()}
                for seat, about in link["seats"].items()
            }
            held = {"number": number, "kind": link["kind"], "seat": link["seat"], "events": events, "seats": seats}
            held |= {"start": record["notes"]["chain"]["start"]} if number == 0 else {}
            text = json.dumps(held, sort_keys=True, separators=(",", ":"))
            assert link["hash"] == sha("hexdeck link 1", link["nonce"], text)
        head = sha("hexdeck head 1", head, link["hash"])
    signed = record["notes"]["chain"]["signed"]
    assert at == record["count"] and head == signed["head"]
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed["key"]))
    parts = ["hexdeck signed head 1", *(signed[each] for each in ("table", "number", "head", "day", "key"))]
    key.verify(bytes.fromhex(signed["signature"]), json.dumps(parts, separators=(",", ":")).encode())


def other_option(data: Data) -> str:
    data["options"]["losses"] = 3
    return "The option losses was changed: the record has 3, and the table had 2."


def other_name(data: Data) -> str:
    data["seats"][1]["name"] = "Eve"
    return "The name of seat 2 was changed: the record has 'Eve'."


def other_player(data: Data) -> str:
    data["seats"][1]["bot"] = "house"
    return "The player in seat 2 was changed: the record has 'house'."


def other_bot(data: Data) -> str:
    data["seats"][2]["bot"] = "house"
    return "The player in seat 3 was changed: the record has 'house'."


def exchanged_seats(data: Data) -> str:
    data["seats"][0], data["seats"][1] = data["seats"][1], data["seats"][0]
    return "The name of seat 1 was changed: the record has 'Ben'."


def other_words(data: Data) -> str:
    data["notes"]["fair"]["contributions"][1] = "wheat"
    return "The words of seat 2 were changed: the record has 'wheat'."


def other_promise(data: Data) -> str:
    data["notes"]["fair"]["commitment"] = "0" * 64
    return "The promise was changed: the table had promised another hash."


def other_move(data: Data) -> str:
    at = next(k for k, event in enumerate(data["events"]) if k > 9 and ": " in event)
    was, seat = data["events"][at], data["events"][at][0]
    data["events"][at] = next(e for e in data["events"] if e.startswith(f"{seat}: ") and e != was)
    return f"Event {at} of the record was changed: it is '{data['events'][at]}', and the chain holds '{was}'."


def other_card(data: Data) -> str:
    at = [k for k, event in enumerate(data["events"]) if ": " not in event][-1]
    was = data["events"][at]
    data["events"][at] = next(e for e in data["events"] if ": " not in e and e != was)
    return f"Event {at} of the record was changed: it is '{data['events'][at]}', and the chain holds '{was}'."


def order_of_two_choices(data: Data) -> str:
    """Two choose at the same time, the order of which changes no byte of the struct: nothing else shows it."""
    events = data["events"]
    at = next(
        k
        for k in range(len(events) - 1)
        if ": " in events[k] and ": " in events[k + 1] and events[k][0] != events[k + 1][0]
    )
    events[at], events[at + 1] = events[at + 1], events[at]
    return f"Events {at} and {at + 1} of the record were put in another order."


def link_too(data: Data) -> str:
    other_name(data)
    data["notes"]["chain"]["links"][2]["seats"] = {}
    return "The name of seat 2 was changed"


def other_link(data: Data) -> str:
    data["notes"]["chain"]["links"][2]["seat"] = 0
    return "Entry 2 of the chain was changed."


def hidden_move(data: Data) -> str:
    links = data["notes"]["chain"]["links"]
    at = next(k for k, link in enumerate(links) if link.get("kind") == "move")
    links[at] = {"hash": links[at]["hash"]}
    return "Event"


CHANGES: list[Callable[[Data], str]] = [
    other_option, other_name, other_player, other_bot, exchanged_seats, other_words, other_promise, other_move,
    other_card, order_of_two_choices, link_too, other_link, hidden_move,
]  # fmt: skip


def checked_again(data: Data) -> None:
    """Give a changed record the checksum of what it says now, where it can still be played."""
    record = read(data)
    match = Match(game_of(record), by_hand=True, backend="fast")
    try:
        for event in data["events"]:
            seat, colon, move = event.partition(": ")
            match.play(int(seat), move) if colon else match.deal(event)
    except hexdeck.HexdeckError:
        return
    assert [event_text(event) for event in match.events] == data["events"]
    data["check"] = struct_check(match)


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_is_named(change: Callable[[Data], str], evening: Any) -> None:
    data = copy.deepcopy(evening[0])
    said = change(data)
    checked_again(data)
    with pytest.raises(BadRecord) as refused:
        verify(read(data))
    assert said in str(refused.value)


def test_a_chain_that_was_made_anew_has_another_head_than_was_signed_or_noted(evening: Any) -> None:
    """Whoever has the secret can make a chain for a false record; no signature and no noted head fits it."""
    record, seen, published, _early = evening
    data, ((_day, key),) = copy.deepcopy(record), published
    chain = data["notes"]["chain"]
    another_name(data, 1, "Eve")
    with pytest.raises(BadRecord, match="its head is not the one that the server signed"):
        verify(read(data))
    signed = chain.pop("signed")
    verify(read(data))  # nobody vouches for it, which is said; but it holds together
    for known, said in (({"key": key}, "not signed with the key"), ({"head": record_head(record)}, "not in the chain")):
        with pytest.raises(BadRecord, match=said):
            verify(read(data), **known)
    head = record_head(data)
    chain["signed"] = signed_head(bytes(32), signed["table"], len(chain["links"]) - 1, head, signed["day"]).data()
    with pytest.raises(BadRecord, match="not in the chain"):
        verify(read(data), head=seen[0][1])
    with pytest.raises(BadRecord, match="not signed with the key"):
        verify(read(data), key=key)
    chain["signed"]["key"] = key
    with pytest.raises(BadRecord, match="not of the key that the record names"):
        verify(read(data), key=key)
    assert signed_head_of(signed) is not None


def another_name(data: Data, seat: int, name: str) -> None:
    """Give a seat another name, and the link that holds it another hash, as its number then tells."""
    links = data["notes"]["chain"]["links"]
    data["seats"][seat]["name"] = name
    number, link = [
        each for each in enumerate(links) if len(each[1].get("seats", {}).get(str(seat), {}).get("name", [])) == 2
    ][-1]
    nonce = link["seats"][str(seat)]["name"][1]
    link["seats"][str(seat)]["name"] = [field_hash("name", nonce, name), nonce]
    content = content_of(number, link["kind"], link["seat"], [], link["seats"])
    link["hash"] = link_hash(link["nonce"], content)


def test_a_record_that_ends_early_is_refused_though_the_server_signed_the_head_there(evening: Any) -> None:
    """Anybody may ask for signed heads during a match: whoever was ahead could keep one, and drop what came after."""
    record, _seen, _published, early = evening
    data = copy.deepcopy(record)
    chain = data["notes"]["chain"]
    chain["links"], chain["signed"] = chain["links"][: early["number"] + 1], early
    data["events"] = data["events"][: sum(link.get("events", 0) for link in chain["links"])]
    data["count"] = len(data["events"])
    checked_again(data)
    assert record_head(data) == early["head"]
    with pytest.raises(BadRecord, match="isn't over: its last moves are missing"):
        verify(read(data), head=early["head"], key=early["key"])


@in_a_file
async def test_a_clock_that_was_wrong_for_a_while_leaves_no_head_without_a_published_key(
    registry: TableRegistry,
) -> None:
    used = [
        (day, public_of(await registry.run_job(key_of_day(day, bytes([k]) * 32))))
        for k, day in enumerate(["2026-03-01", "2031-07-09", "2026-03-01", "2026-03-02"])
    ]
    assert len(set(used)) == 4 and set(used) == set(await registry.run_job(public_keys))


def record_head(data: Data) -> str:
    """The last head of a record's chain."""
    head = FIRST
    for link in data["notes"]["chain"]["links"]:
        head = head_after(head, link["hash"])
    return head


@in_a_file
async def test_heads_that_everybody_sees_change_only_when_everybody_notices_something(registry: TableRegistry) -> None:
    table, rng = await sat_down(registry, "high-handed"), random.Random(7)
    private = 0
    while table.state == PLAYING and table.match is not None:
        before = await registry.signer.shown_head(table, registry.clock())
        seat = rng.choice(table.acting)
        move, local = rng.choice(table.match.legal_ids(seat)), table.seats[seat].local
        await registry.change(table.id, commands.move(seat, move, None, registry.clock(), local=local))
        after = await registry.signer.shown_head(table, registry.clock())
        unnoticed = table.entries[-1].unnoticed_by(-1)
        private += unnoticed
        assert (before == after) == unnoticed
        assert head_at(table, table.version) not in {None, ""}
    assert private > 0


@in_each_database
async def test_names_that_somebody_took_along_can_not_be_guessed_and_the_record_still_verifies(
    registry: TableRegistry,
) -> None:
    table = await sat_down(registry)
    await played(registry, table, random.Random(2))
    await leaving.leave_table(registry, table.id, 1)
    table = await registry.table(table.id)
    record = record_of(table)
    assert verify(record) > 2 and "Ben" not in record.text()
    stored = await registry.run_job(lambda connection: rows.read_table(connection, table.id))
    bound = [json.loads(row["bound"] or "{}").get("seats", {}).get("1", {}) for row in stored.events]
    names = [each["name"] for each in bound if "name" in each]
    assert len(names) > 2 and [len(name) for name in names] == [1] * (len(names) - 1) + [2]


@in_a_file
async def test_a_table_without_a_chain_goes_on_without_and_its_record_is_of_the_first_format(
    registry: TableRegistry,
) -> None:
    table = await sat_down(registry)
    await registry.run_job(forget_chains)
    registry.forget(table.id)
    table = await registry.table(table.id)
    await played(registry, table, random.Random(3))
    registry.forget(table.id)
    record = record_of(await registry.table(table.id))
    assert record.data()["hexdeck"] == 1 and verify(record) > 2
    with pytest.raises(BadRecord, match="has no chain"):
        verify(record, key="00" * 32)


def forget_chains(connection: Any) -> None:
    """What a database of an earlier hexdeck has of chains."""
    connection.exec_driver_sql("UPDATE events SET link = NULL, bound = NULL")


@in_each_database
async def test_each_day_has_a_key_of_its_own_and_private_ones_are_deleted(registry: TableRegistry) -> None:
    days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
    for k, day in enumerate(days):
        mine = await registry.run_job(key_of_day(day, bytes([k]) * 32))
        assert mine == await registry.run_job(key_of_day(day, bytes([9]) * 32)), "the first process's is kept"
    assert [day for day, _key in await registry.run_job(public_keys)] == days
    kept = await registry.run_job(lambda job: [*job.exec_driver_sql("SELECT name FROM keys").scalars()])
    assert sorted(name for name in kept if name.startswith(PRIVATE)) == [PRIVATE + day for day in days[-2:]]


@in_a_file
async def test_a_chain_is_the_same_whoever_loads_it(registry: TableRegistry) -> None:
    table = await sat_down(registry, losses=2)
    await played(registry, table, random.Random(4))
    registry.forget(table.id)
    again = await registry.table(table.id)
    assert chain_note(again) == chain_note(table) and again.signed == table.signed
    assert any(entry.kind == RETRACT for entry in again.entries)
