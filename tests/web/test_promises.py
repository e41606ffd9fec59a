"""What is promised before the deal: by pages that create a table, by a finished table for its rematch, by the API."""

import random
import re

import pytest

from hexdeck.engine.play.record import read
from hexdeck.tables.fair import commitment, proof_of, verify
from tests.web.serving import Person, Program, Served, play_on


def promised(page: str) -> tuple[str, str]:
    ticket, shown = re.search(r'name="promise"[^>]* value="([^"]+)"', page), re.search(r"<code>(\w{64})</code>", page)
    assert ticket and shown
    return ticket[1], shown[1]


@pytest.mark.parametrize("path", ["/", "/rules/hawthorn", "/new/hawthorn"])
def test_a_table_that_is_set_at_once_keeps_to_what_its_page_promised(site: Served, path: str) -> None:
    ann = Person(site.base)
    ticket, shown = promised(ann.get(path).text)
    assert promised(ann.get(path).text)[1] != shown
    game = {"game": "hawthorn", "players": "2", "seat-1": "bot:random"}
    ann.begins(game | {"promise": ticket, "contribution": "rye"}, "/tables" if "new" in path else "/play")
    table = site.state.registry.tables[ann.table]
    assert table.commitment == shown == commitment(table.secret) and table.seats[0].contribution == "rye"
    assert table.state == "playing" and table.secret.hex() not in ann.page() + ann.get("/").text


@pytest.mark.parametrize("path", ["/play", "/tables"])
def test_a_promise_is_good_for_one_deal_so_that_nobody_deals_with_a_secret_that_was_told(site, path) -> None:
    ann, eve = Person(site.base), Person(site.base)
    ticket, shown = promised(ann.get("/").text)
    fields = {"game": "hawthorn", "players": "2", "promise": ticket}
    ann.begins(fields, "/play")
    before = len(site.state.registry.tables)
    again = eve.post(path, fields)
    assert again.status_code in {400, 409} and "This page is too old" in again.text
    assert promised(again.text)[1] != shown and len(site.state.registry.tables) == before
    for other in (ticket[:-1] + ("0" if ticket[-1] != "0" else "1"), "x", "1.a." + "0" * 12, ticket + "0", "é"):
        assert eve.post("/play", fields | {"promise": other}).status_code == 409


def test_a_promise_that_is_old_is_none(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, registry = Person(site.base), site.state.registry
    ticket, _ = promised(ann.get("/").text)
    now = registry.clock()
    monkeypatch.setattr(registry, "clock", lambda: now + 23.9 * 3600)
    assert registry.promise(ticket).ticket == ticket
    monkeypatch.setattr(registry, "clock", lambda: now + 24.1 * 3600)
    assert ann.post("/play", {"game": "hawthorn", "promise": ticket}).status_code == 409


def test_what_was_refused_keeps_promise_and_words(site: Served) -> None:
    ann = Person(site.base)
    ticket, shown = promised(ann.get("/new/hawthorn").text)
    fields = {"game": "hawthorn", "players": "2", "option-deals": "x", "promise": ticket, "contribution": "wheat"}
    refused = ann.post("/tables", fields)
    assert refused.status_code == 400 and promised(refused.text) == (ticket, shown)
    assert 'value="wheat"' in refused.text


# --- a rematch --------------------------------------------------------------------------------------------------------
def over(site: Served, *others: str) -> list[Person]:
    """People at a table that is over; others sit with a bot."""
    ann = Person(site.base)
    seats = {f"seat-{k}": "open" for k in range(1, len(others) + 1)} | {f"seat-{len(others) + 1}": "bot:random"}
    ann.begins({"game": "hawthorn", "players": str(len(seats) + 1), "option-deals": "1"} | seats)
    people = [ann]
    for name, link in zip(others, ann.invitations()[: len(others)], strict=True):
        people.append(Person(site.base))
        people[-1].begins({"name": name}, link)
    end(site, people)
    return people


def end(site: Served, people: list[Person]) -> None:
    live, rng = site.state.registry.tables[people[0].table], random.Random(4)
    while live.state != "over":
        rng.choice(people).plays(rng)


def test_the_rematch_is_promised_when_the_match_is_over_and_its_table_keeps_to_that(site: Served) -> None:
    ann, ben = over(site, "Ben")
    page, fair = ann.page(), ann.get(f"/table/{ann.table}/fair").text
    shown = re.search(r'id="promise-of-rematch">(\w+)<', fair)
    assert shown and shown[1] in page and shown[1] in Person(site.base).get(f"/table/{ann.table}").text
    assert ben.post(f"/table/{ben.table}/contribution", {"contribution": "<b>rain"}).status_code == 303
    assert "Ben added words to the shuffle of a rematch" in ann.page() and "rain" not in ann.page()
    assert 'value="&lt;b&gt;rain"' in ben.page() and "&lt;b&gt;rain" in ben.get(f"/table/{ben.table}/fair").text
    site.state.registry.forget(ann.table)  # as a server that was started again
    old = ann.table
    ann.begins({"contribution": "snow"}, f"/table/{ann.table}/rematch")
    table = site.state.registry.tables[ann.table]
    assert table.commitment == shown[1] and [seat.contribution for seat in table.seats] == ["", "snow", "<b>rain"]
    assert not any(seat.adds for seat in table.seats) and shown[1] in ann.get(f"/table/{ann.table}/fair").text
    assert "promise-of-rematch" not in ann.get(f"/table/{old}/fair").text
    assert ben.post(f"/table/{old}/contribution", {"contribution": "late"}).status_code == 409
    end(site, [ann, Person.sits_down(ben, ben.post(f"/table/{old}/rematch")) and ben])
    record = read(ann.get(f"/table/{ann.table}/record").json())
    assert verify(record, shown[1]) > 5 and proof_of(record).contributions == ("", "snow", "<b>rain")


def test_before_the_end_no_rematch_is_promised_and_nothing_is_added(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn"}, "/play")
    table = site.state.registry.tables[ann.table]
    _, secret = table.rematch_identity
    assert (
        commitment(secret) not in ann.page() + ann.get(f"/table/{ann.table}/fair").text and not table.rematch_commitment
    )
    assert ann.post(f"/table/{ann.table}/contribution", {"contribution": "rye"}).status_code == 409


def test_words_for_a_rematch_can_be_taken_back_and_are_only_those_of_who_sits_there(site: Served) -> None:
    (ann,) = over(site)
    path, watcher = f"/table/{ann.table}/contribution", Person(site.base)
    assert watcher.post(path, {"contribution": "rye"}).status_code == 403
    assert "formaction" not in watcher.get(f"/table/{ann.table}").text
    assert ann.post(path, {"contribution": "x" * 129}).status_code == 400
    ann.post(path, {"contribution": "rye"})
    assert ann.post(path, {"contribution": "rye"}).status_code == 409
    ann.post(path)
    ann.sits_down(ann.post(f"/table/{ann.table}/rematch"))
    assert site.state.registry.tables[ann.table].seats[1].contribution == ""


def test_a_rematch_that_was_made_but_not_told_of_is_the_same_when_it_is_asked_for_again(site: Served) -> None:
    """As if a server was killed in between: nobody may play that table first and so learn the next secret."""
    (ann,) = over(site)
    old = ann.table
    first = ann.sits_down(ann.post(f"/table/{old}/rematch"))
    site.state.registry.tables[old].rematch = None
    cards = site.state.registry.tables[first].pairs
    assert ann.sits_down(ann.post(f"/table/{old}/rematch", {"contribution": "rye"})) == first
    assert site.state.registry.tables[first].pairs[: len(cards)] == cards


# --- programs ---------------------------------------------------------------------------------------------------------
def test_a_program_is_promised_its_cards_and_asks_for_a_rematch(site: Served) -> None:
    one, other = Program(site.base), Program(site.base)
    promise = one.http.get("/promise").json()
    begun = one.creates(
        game="hawthorn",
        players=3,
        seats=["you", "open", "random"],
        options={"deals": 1},
        bot="first",
        promise=promise["promise"],
    )
    other.joins(begun["invitations"]["1"], bot="second")
    assert one.state()["commitment"] == promise["commitment"] and one.state()["rematch_commitment"] is None
    assert one.http.post("/tables", json={"game": "hawthorn", "promise": promise["promise"]}).status_code == 409
    assert one.post("/rematch").status_code == one.post("/contribution", {"contribution": "rye"}).status_code == 409
    done = play_on([one, other], random.Random(1))
    assert other.post("/contribution", {"contribution": "oats"}).status_code == 200
    made = one.post("/rematch", {"contribution": "rye"})
    again = made.json()
    assert made.status_code == 201 and again["commitment"] == done["rematch_commitment"] != done["commitment"]
    assert [seat["remote"] for seat in again["seats"]] == [False, True, False] and again["seat"] == 1
    table = site.state.registry.tables[again["table"]]
    assert [seat.contribution for seat in table.seats] == ["", "rye", ""]
    one.table = again["table"]
    assert play_on([one], random.Random(2))["secret"] == table.secret.hex()
    assert one.get().json()["rematch"] is None


def test_whoever_has_no_seat_in_the_rematch_is_told_where_it_is(site: Served) -> None:
    one, other = Program(site.base), Program(site.base)
    begun = one.creates(game="hawthorn", players=2, seats=["you", "open"], options={"deals": 1}, bot="first")
    other.joins(begun["invitations"]["1"], bot="second")
    play_on([one, other], random.Random(1))
    new = one.post("/rematch").json()["table"]
    assert other.post("/rematch").status_code == 403
    assert other.state()["rematch"] == new
