"""Secrecy over the wire: with everything that a seat doesn't know dealt anew, not one byte that it is sent changes."""

import functools
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest

import hexdeck
from hexdeck.bots.advice import hints
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.play.game import raw
from hexdeck.engine.text import say
from hexdeck.engine.view import altered
from hexdeck.tables import advice as tabled
from hexdeck.tables.live import LiveTable
from hexdeck.web.html.table_page import ABOUT
from hexdeck.web.routes import presenters, site_pages
from hexdeck.web.routes.requests import SiteRequest
from tests.settings import GAMES, data, every_game, much, random_game
from tests.support import PATIENCE, until
from tests.web.serving import BACKEND, Person, Program, Served, get, hang_up

PLAYERS = 3
STEPPED = "high-handed"  # where a choice has a step that nobody else notices
HELD = ("date",)


@dataclass
class Table:
    """A table with people on all seats, and their tokens."""

    site: Served
    id: str
    tokens: list[str]
    programs: dict[int, Program] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for seat, token in [(-1, ""), *enumerate(self.tokens)]:
            self.programs[seat], self.people[seat] = Program(self.site.base, token), Person(self.site.base)
            self.programs[seat].table = self.people[seat].table = self.id
            if token:
                self.people[seat].takes(token)
            else:
                self.people[seat].get("/")  # which gives a new browser its token

    @property
    def live(self) -> LiveTable:
        """As the server has it; the server is idle while the test looks."""
        return self.site.state.registry.tables[self.id]

    def move(self, rng: random.Random) -> bool:
        """One random move; returns whether the match goes on."""
        live = self.live
        if live.state != "playing":
            return False
        (asked,) = until(self._asked)
        if not asked:
            return False
        seat, state = rng.choice(asked)
        answer = self.programs[seat].post(
            "/move", {"move": rng.choice(state["view"]["moves"])["id"], "version": state["version"]}
        )
        assert answer.status_code == 200, answer.text
        until(self._asked)
        return True

    def _asked(self) -> tuple[list[tuple[int, Any]]] | None:
        """The seats that are asked, and what they are shown; None while the server does what nobody decides."""
        live = self.live
        if (live.match and live.match.length != live.stored_plies) or (live.state == "playing" and not live.acting):
            return None
        states = [(seat, self.programs[seat].state()) for seat in self.live.acting]
        asked = [(seat, state) for seat, state in states if state["view"]["moves"]]
        return (asked,) if len(asked) == len(states) else None


def sat_down(site: Served, name: str, rng: random.Random) -> Table:
    """A new table of a game with random options, as far as these let three play."""
    chosen = random_game(name, rng)
    while chosen.players != PLAYERS:
        chosen = random_game(name, rng)
    host = Program(site.base)
    begun = host.creates(
        game=name,
        players=PLAYERS,
        options=dict(chosen.options),
        seats=["you", "open", "open"],
        clock="relaxed",
        hints=True,
        coach=True,
    )
    others = [Program(site.base) for _ in range(2)]
    for seat, other in enumerate(others, 1):
        other.joins(begun["invitations"][str(seat)])
    for other in others:
        assert other.post("/say", {"words": "Good evening."}).status_code == 200
    for program in (host, *others):
        program.state()  # whose clock waits for the first look
    table = Table(site, begun["table"], [host.token, *(other.token for other in others)])
    until(lambda: table.live.state != "playing" or not any(seat.awaited for seat in table.live.seats))
    return table  # it may be over: there are matches in which nobody has anything to decide


def first_frame(http: httpx.Client, path: str, end: bytes) -> bytes:
    """The first frame of a stream."""
    got = b""
    with http.stream("GET", path) as answer:
        assert answer.status_code == 200
        for part in answer.iter_raw():
            got += part
            if got.endswith(end):
                break
    return got


def everything(answer: httpx.Response) -> Any:
    return (
        answer.status_code,
        [(name, value) for name, value in answer.headers.items() if name not in HELD],
        answer.content,
    )


def page(answer: httpx.Response) -> Any:
    """All of an answer that must be there: refusals, all the same, would hide what leaks."""
    assert answer.status_code == 200, answer.text
    return everything(answer)


def refused_moves(table: Table, seat: int) -> Any:
    """What is said of every move that the seat may not make, by name, to a program and to a page."""
    live, program = table.live, table.programs[seat]
    if seat < 0:
        return everything(program.post("/move", {"move": 0, "version": live.version_for(seat)}))
    legal = {move.id for move in live.view(seat).moves}
    asked = [id for id in range(len(live.game.rules.ACTIONS)) if id not in legal]
    asked = random.Random(live.version).sample(asked, min(12, len(asked)))
    return [everything(program.post("/move", {"move": id, "version": live.version_for(seat)})) for id in asked]


def explained(table: Table, seat: int) -> Any:
    """Why cards, cells and moves can't be played."""
    person, names = table.people[seat], table.live.game.rules.ACTIONS
    rng = random.Random(table.live.version)
    asked = (
        [{"action": rng.choice(names)} for _ in range(4)]
        + [{"card": card} for card in ("7", "7h", "K")]
        + [{"cell": "b2"}]
    )
    return [everything(person.post(f"/table/{table.id}/explain", each, headers={"hexdeck": "1"})) for each in asked]


def hinted(table: Table, seat: int) -> Any:
    post = functools.partial(table.people[seat].post, f"/table/{table.id}/hint")
    return [everything(ready(functools.partial(post, headers=headers))) for headers in ({}, {"hexdeck": "1"})]


def ready(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """What is answered once the hint is ready: on a busy machine a hint may take longer than a request waits for it."""
    for _try in range(20):
        answer = ask()
        if answer.status_code != 503:
            break
    return answer


CHANNELS: dict[str, Callable[[Table, int], Any]] = {
    "page": lambda table, seat: page(table.people[seat].get(f"/table/{table.id}")),
    "Dutch page": lambda table, seat: page(table.people[seat].get(f"/table/{table.id}", "nl")),
    "stream": lambda table, seat: first_frame(table.people[seat].http, f"/table/{table.id}/stream", b"\n\n"),
    "television": lambda table, seat: page(table.people[seat].get(f"/table/{table.id}/tv")),
    "television's stream": lambda table, seat: first_frame(
        table.people[seat].http, f"/table/{table.id}/tv/stream", b"\n\n"
    ),
    "read aloud": lambda table, seat: [
        page(table.people[seat].get(f"/table/{table.id}/spoken?about={about}")) for about in ABOUT
    ],
    "my tables": lambda table, seat: page(table.people[seat].get("/tables")),
    "my page": lambda table, seat: page(table.people[seat].get("/me")),
    "my file": lambda table, seat: page(table.people[seat].get("/me/file")),
    "today's deals": lambda table, seat: page(table.people[seat].get("/today")),
    "invitations": lambda table, seat: everything(table.people[seat].get(f"/table/{table.id}/invite")),
    "fairness": lambda table, seat: page(table.people[seat].get(f"/table/{table.id}/fair?check=1")),
    "turn": lambda table, seat: page(table.people[seat].get(f"/table/{table.id}/turn")),
    "problem": lambda table, seat: page(table.people[seat].get(f"/table/{table.id}/problem?fault=x")),
    "problem as a file": lambda table, seat: page(table.people[seat].get(f"/table/{table.id}/problem?file=1")),
    "replay": lambda table, seat: everything(table.people[seat].get(f"/replay/{table.id}")),  # with open cards
    "record": lambda table, seat: everything(table.people[seat].get(f"/table/{table.id}/record")),
    "API": lambda table, seat: page(table.programs[seat].get()),
    "API stream": lambda table, seat: first_frame(table.programs[seat].http, f"/tables/{table.id}/stream", b"\n"),
    "API beats": lambda table, seat: page(table.programs[seat].get("/beats?since=0")),
    "metrics": lambda table, seat: everything(get(f"{table.site.base}/metrics")),
    "refused moves": refused_moves,
    "explanations": explained,
    "hint": hinted,
    "API hint": lambda table, seat: everything(ready(functools.partial(table.programs[seat].post, "/hint"))),
}


@dataclass
class Report:
    """How many worlds were dealt, how many differ from the true one, and the channels that told them apart."""

    worlds: int = 0
    changed: int = 0
    leaks: Counter[str] = field(default_factory=Counter)
    differing: list[tuple[str, Any, Any]] = field(default_factory=list)  # a channel, and what it gave in both worlds


def received(table: Table, seat: int, names: Collection[str] = tuple(CHANNELS)) -> dict[str, Any]:
    """What a seat, or a spectator, is sent by all channels, or by some, with every stream closed again."""
    table.site.state.hints.forget()
    table.site.state.streams.viewed = lambda _table: frozenset()  # type: ignore[method-assign]
    table.site.state.streams.spectators = lambda _table: 0  # type: ignore[method-assign]
    return {name: CHANNELS[name](table, seat) for name in names}


def deal_anew(table: Table, report: Report, rng: random.Random, names: Collection[str]) -> None:
    """Compare what channels send each seat in a random world with what they send it in the true one."""
    live = table.live
    match = live.match
    assert match is not None
    true = raw(match.rows)[0].copy()
    for seat in range(-1, PLAYERS):
        world = raw(match.resample(seat, rng.getrandbits(60)).rows)[0].copy()
        report.worlds += 1
        if (world == true).all():
            continue
        report.changed += 1
        live.cache.clear()
        truth = received(table, seat, names)
        raw(match.rows)[0] = world
        match.refresh()
        live.cache.clear()
        found = received(table, seat, names)
        raw(match.rows)[0] = true
        match.refresh()
        live.cache.clear()
        leaking = [name for name in names if found[name] != truth[name]]
        report.leaks.update(leaking)
        report.differing += [(name, truth[name], found[name]) for name in leaking[:1] if not report.differing]


def positions(table: Table, rng: random.Random, share: float) -> Iterator[Table]:
    while table.move(rng):
        if rng.random() < share and table.live.state == "playing":
            yield table


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "GAMES", {BACKEND: 3, "interpreted": 3})
    monkeypatch.setattr(hints, "Worlds", functools.partial(Worlds, count=4))
    monkeypatch.setattr("hexdeck.web.routes.advice.PATIENCE", PATIENCE)


@pytest.fixture(autouse=True)
def _still(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still, so that a clock shows the same twice."""
    monkeypatch.setattr(site.state.registry, "clock", lambda: 1e9)
    for name in ("viewed", "spectators"):
        monkeypatch.setattr(site.state.streams, name, getattr(site.state.streams, name))


def leaks(report: Report, channels: Collection[str]) -> bool:
    return bool(channels) and set(channels) <= set(report.leaks)


def searched(site: Served, name: str, worlds: int, *leaking: str, seed: int = 0) -> Report:
    """Random matches until so many worlds differed, or until all these channels leak."""
    report, rng = Report(), random.Random(f"{name} {seed}")
    while report.changed < worlds and report.worlds < 40 * worlds:
        for table in positions(sat_down(site, name, rng), rng, 0.12):
            deal_anew(table, report, rng, leaking or CHANNELS)
            if report.changed >= worlds or leaks(report, leaking):
                break
        hang_up()
        if leaks(report, leaking):
            break
    return report


@every_game
def test_no_byte_that_a_seat_is_sent_depends_on_what_it_does_not_know(name: str, site: Served) -> None:
    report = searched(site, name, much(3, 30))
    print(name, report)
    assert report.changed >= (much(3, 30) if data(name)["changed_worlds"] > 0.3 else 1)
    assert not report.leaks


@pytest.mark.long
@every_game
def test_no_byte_depends_on_it_in_many_matches(name: str, site: Served) -> None:
    wanted = 300 if data(name)["changed_worlds"] > 0.3 else 50  # where little is hidden, a world that differs is rare
    report = searched(site, name, wanted, seed=1)
    assert report.changed >= wanted and not report.leaks, report.differing


def silent_moves(table: Table, rng: random.Random, most: int) -> int:
    """Play until so many moves were noticed by nobody else and changed nothing that others are sent."""
    live, found = table.live, 0
    while live.state == "playing" and found < most:
        table.site.state.registry.clock = lambda at=live.version: 1e9 + 7 * at  # type: ignore[misc]
        before = {seat: received(table, seat) for seat in range(-1, PLAYERS)}
        table.move(rng)
        silent = [seat for seat in before if live.entries[-1].unnoticed_by(seat)]
        for seat in silent:
            after = received(table, seat)
            assert [name for name in CHANNELS if after[name] != before[seat][name]] == []
        found += bool(silent)
    return found


def test_a_secret_step_changes_no_byte_that_others_are_sent_nor_do_clocks_tell_of_it(site: Served) -> None:
    rng = random.Random(5)
    assert silent_moves(sat_down(site, STEPPED, rng), rng, much(1, 3)) == much(1, 3)


def test_a_secret_step_is_no_news_to_programs(site: Served) -> None:
    table = sat_down(site, STEPPED, random.Random(6))
    live, rng = table.live, random.Random(7)
    other = next(seat for seat in range(PLAYERS) if seat not in live.acting)
    frames = table.programs[other].frames()
    assert next(frames)["version"] == live.version_for(other)
    table.move(rng)
    assert live.entries[-1].unnoticed_by(other)
    (stream,) = site.state.streams.by_table[table.id].seated
    until(lambda: not stream.news.is_set())  # a frame that shouldn't come would be the next
    while live.entries[-1].unnoticed_by(other):
        table.move(rng)
    assert next(frames)["version"] == live.version


# --- planted leaks ---
HIDING = [name for name in GAMES if data(name)["changed_worlds"] > 0.3]


def test_a_secret_that_is_not_concealed_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    name = HIDING[0]
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    monkeypatch.setattr(hexdeck.game(name).driver("interpreted").g, "conceal", lambda s, seat: None)
    channels = [
        "page",
        "Dutch page",
        "stream",
        "television",
        "television's stream",
        "problem",
        "problem as a file",
        "API",
        "API stream",
    ]
    report = searched(site, name, 30, *channels)
    assert [channel for channel in channels if not report.leaks[channel]] == []


def digest(table: LiveTable) -> str:
    assert table.match is not None
    return str(zlib.crc32(raw(table.match.rows)[0].tobytes()))


def test_a_secret_in_what_a_page_is_told_besides_the_view_is_found(site, monkeypatch) -> None:
    honest = presenters.seat_lines

    def curious(place: Any, table: LiveTable, seat: int = -1) -> Any:
        first, *others = honest(place, table, seat)
        return replace(first, name=digest(table)), *others

    monkeypatch.setattr(presenters, "seat_lines", curious)
    channels = "page", "stream", "television", "television's stream"
    report = searched(site, HIDING[0], 30, *channels)
    assert [channel for channel in channels if not report.leaks[channel]] == []


def test_a_hint_that_looks_at_the_cards_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = tabled.hint_request

    def curious(table: LiveTable, seat: int) -> tabled.HintRequest:
        asked = honest(table, seat)
        return replace(asked, labels=dict.fromkeys(asked.labels, say("{x}", x=digest(table))))

    monkeypatch.setattr("hexdeck.tables.advice.hint_request", curious)
    report = searched(site, HIDING[0], 30, "hint", "API hint")
    assert report.leaks["hint"] and report.leaks["API hint"]


def test_a_refusal_that_tells_too_much_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from hexdeck.tables import commands

    monkeypatch.setattr(
        commands, "refusal", lambda table, seat, reason: commands.IllegalMove(say("No: {x}", x=digest(table)), "", ())
    )
    assert searched(site, HIDING[0], 30, "refused moves").leaks["refused moves"]


def parity(table: LiveTable) -> int:
    return int(digest(table)) % 2


def test_the_order_of_moves_by_a_secret_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = LiveTable.view

    def curious(table: LiveTable, seat: int) -> Any:
        found = honest(table, seat)
        first = int(digest(table)) % 3 if table.match else 0
        return altered(found, moves=(*found.moves[first:], *found.moves[:first]))

    monkeypatch.setattr(LiveTable, "view", curious)
    assert searched(site, HIDING[0], 300, "page", "API").leaks.keys() >= {"page", "API"}


def test_a_word_of_a_hint_by_a_secret_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = tabled.hint_request

    def curious(table: LiveTable, seat: int) -> tabled.HintRequest:
        asked = honest(table, seat)
        return replace(
            asked, labels={id: say("{x}" + "!" * parity(table), x=text) for id, text in asked.labels.items()}
        )

    monkeypatch.setattr("hexdeck.tables.advice.hint_request", curious)
    assert searched(site, HIDING[0], 300, "hint", "API hint").leaks.keys() >= {"hint", "API hint"}


def test_the_order_of_the_chat_by_a_secret_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def ordered(table: LiveTable) -> list[Any]:
        kept: list[Any] = vars(table)["messages"]
        return kept[::-1] if table.match and parity(table) else kept

    def keep(table: LiveTable, messages: list[Any]) -> None:
        vars(table)["messages"] = messages

    monkeypatch.setattr(LiveTable, "messages", property(ordered, keep), raising=False)
    assert searched(site, HIDING[0], 300, "page", "API").leaks.keys() >= {"page", "API"}


def test_a_header_made_of_the_true_cards_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = SiteRequest.table_response

    def tagged(request: Any, table: LiveTable, *more: Any) -> Any:
        answer = honest(request, table, *more)
        answer.headers["etag"] = digest(table)
        return answer

    monkeypatch.setattr(SiteRequest, "table_response", tagged)
    assert searched(site, HIDING[0], 30, "page").leaks["page"]


def test_metrics_that_anybody_may_read_are_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_pages, "is_keeper", lambda _request: True)
    table, rng = sat_down(site, STEPPED, random.Random(5)), random.Random(5)
    while not table.live.entries[-1].unnoticed_by(-1):
        before = CHANNELS["metrics"](table, -1)
        table.move(rng)
    after = CHANNELS["metrics"](table, -1)
    counted = [re.findall(rb'hexdeck_moves_total{.*game="high-handed"} (\S+)', each[2]) for each in (before, after)]
    assert counted[1] and counted[0] != counted[1]  # nothing is counted before the first move of the game
