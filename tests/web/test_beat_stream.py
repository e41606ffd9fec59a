"""Secrecy of beats over the wire: content, number and timing are the same in all worlds that a seat thinks possible."""

import random
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.play import story
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import BeatMaker, Moment, Storyteller
from hexdeck.engine.view import Beat
from hexdeck.tables import live
from hexdeck.tables.chat import REMARKS
from hexdeck.tables.live import LiveTable, beats_for, maker_since, seconds_shown
from hexdeck.web.html.rendering import Site
from hexdeck.web.routes import presenters
from tests.settings import every_game, much
from tests.web.serving import Served
from tests.web.test_secrecy import HIDING, PLAYERS, Report, Table, sat_down

BACK = 3  # versions


def sent(table: Table, seat: int) -> list[Any]:
    """What the stream of a seat sends of the newest moves before the view, how long bots and clocks wait for it, and
    what a program is answered.
    """
    live = table.live
    live.cache.clear()
    live.pace = 1.0
    since = range(max(0, live.version - BACK), live.version)
    return [
        (
            told(table, seat, version),
            seconds_shown(live, version),
            [beat.data() for beat in beats_for(live, seat, version)],
        )
        for version in since
    ]


def told(table: Table, seat: int, version: int) -> str:
    """What happened since a version, as the stream of a seat tells it, and what bots would say of it in these seats."""
    page, people = presenters.table_page(table.site.state, Site("en"), table.live, seat), table.live.seats
    table.live.seats = tuple(replace(each, kind="bot", level="steady:sly", owner=False) for each in people)
    try:
        return presenters.beats(table.live, seat, version, page).decode()
    finally:
        table.live.seats = people


def elsewhere(seat: int, rng: random.Random, report: Report) -> Callable[[Match, int], tuple[Moment, ...]]:
    """What happened, in worlds that a seat thinks possible, where it would know the same afterwards."""

    def moments(match: Match, since: int) -> tuple[Moment, ...]:
        out, honest = [], Storyteller(match.game, match.game.driver("fast"))
        for moment in story.moments(match, since):
            another = in_a_world(match, moment, seat, rng.getrandbits(60))
            same = another and honest.concealed(another.after, seat).row_ == honest.concealed(moment.after, seat).row_
            report.worlds += 1
            report.changed += bool(same and another != moment)
            out.append(another if another and same else moment)
        return tuple(out)

    return moments


def in_a_world(match: Match, moment: Moment, seat: int, seed: int) -> Moment | None:
    """An event where all that a seat doesn't know before it was dealt anew; None if it can't happen there."""
    other = match.copy_position()
    other.load_trusted_position(np.frombuffer(moment.before, np.uint8))
    other = other.resample(seat, seed)
    possible = other.chances() if moment.seat < 0 else {other.rules.ACTIONS[k] for k in other.legal_ids(moment.seat)}
    names = other.rules.OUTCOMES if moment.seat < 0 else other.rules.ACTIONS
    if names[moment.id] not in possible:
        return None
    return Storyteller(match.game, match.driver).moment(
        raw(other.rows)[0].tobytes(), moment.seat, moment.id, moment.ply
    )


def compared(table: Table, report: Report, rng: random.Random, patch: pytest.MonkeyPatch) -> None:
    for seat in range(-1, PLAYERS):
        truth = sent(table, seat)
        with patch.context() as other:
            other.setattr(live, "moments", elsewhere(seat, rng, report))
            report.leaks["beats"] += sent(table, seat) != truth
    table.live.cache.clear()


def searched(site: Served, name: str, wanted: int, patch: pytest.MonkeyPatch, *, leaking: bool = False) -> Report:
    """Random matches until so many worlds differed, or beats leak; hardly any differ where little is hidden."""
    report, rng, most = Report(), random.Random(name), (40 if name in HIDING else 4) * wanted
    while report.changed < wanted and report.worlds < most:
        table = sat_down(site, name, rng)
        while table.move(rng) and report.changed < wanted:
            if rng.random() < 0.2:
                compared(table, report, rng, patch)
            if leaking and report.leaks["beats"]:
                return report
    return report


@every_game
def test_beats_are_the_same_in_all_worlds_of_a_seat(name: str, site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    report = searched(site, name, much(20, 200), monkeypatch)
    assert report.changed >= much(20, 200) or (name not in HIDING and report.worlds)
    assert not report.leaks["beats"]


def test_the_beats_of_every_seat_take_as_long(site: Served) -> None:
    table, rng, found = sat_down(site, "wolf-mans-curse", random.Random(1)), random.Random(2), 0
    while found < much(3, 10**9) and table.move(rng):
        all_sent = [sent(table, seat) for seat in range(-1, PLAYERS)]
        assert len({tuple(lasts for _, lasts, _ in each) for each in all_sent}) == 1
        steps = {each[-1][0].count("data-hold") for each in all_sent if each}
        assert len(steps) <= 1
        found += max(steps, default=0) > 0
    assert found > 0


def test_what_a_bot_says_stands_where_the_light_is(site: Served) -> None:
    rng, found = random.Random(1), ""
    for _ in range(20):
        table = sat_down(site, "hawthorn", rng)
        while 'class="remark"' not in found and table.move(rng):
            table.live.pace = 1.0
            found = told(table, 0, max(0, table.live.version - BACK))
    assert any(f"“{phrase}”" in found for phrase in (*REMARKS["sly", True], *REMARKS["sly", False]))


# --- planted leaks ---
def test_a_secret_that_is_not_concealed_is_found_in_beats(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    name = HIDING[0]
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    monkeypatch.setattr(hexdeck.game(name).driver("interpreted").g, "conceal", lambda s, seat: None)
    assert searched(site, name, 200, monkeypatch, leaking=True).leaks["beats"]


def test_a_remark_that_follows_from_a_secret_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def told_by_hands(maker: BeatMaker) -> list[tuple[int, Beat]]:
        return [(zlib.crc32(moment.after), beat) for moment in maker.moments for beat in maker.teller.beats(moment, -1)]

    monkeypatch.setattr(BeatMaker, "public_beats", told_by_hands)
    assert searched(site, "cursed-hand", 20_000, monkeypatch, leaking=True).leaks["beats"]  # few beats have a remark


def test_a_wait_that_depends_on_a_secret_is_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Storyteller, "holds", lambda teller, moment: [500 + zlib.crc32(moment.after) % 9])
    assert searched(site, HIDING[0], 200, monkeypatch, leaking=True).leaks["beats"]


def test_beats_of_somebody_else_are_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = maker_since

    def curious(table: LiveTable, version: int) -> Any:
        maker = honest(table, version)
        if maker:
            seen = maker.beats
            maker.beats = lambda seat: seen((seat + 1) % PLAYERS)  # type: ignore[method-assign]
        return maker

    monkeypatch.setattr(live, "maker_since", curious)
    assert searched(site, HIDING[0], 200, monkeypatch, leaking=True).leaks["beats"]
