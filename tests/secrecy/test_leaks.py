"""Leaks planted on purpose, one in each channel and one in each hidden field: the re-deal test must find them."""

import random
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends.interpreted import StopMark
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.game import Driver
from hexdeck.engine.play.story import Moment, Storyteller
from hexdeck.engine.text import say
from hexdeck.engine.view import Caption, Stop, Zone
from hexdeck.simulation.game import Game
from tests.positions import whole
from tests.settings import GAMES, data, much, random_game, soonest

from .channels import CHANNELS, Report, deal_anew, positions
from .facts import listen

BACKEND = "interpreted"


def digest(s: Any) -> int:
    """A number that depends on every byte of a struct: what a channel would show that shows too much."""
    return zlib.crc32(bytes(s.row_)) % 100


def hiding(name: str) -> list[Game]:
    return [hexdeck.game(name, 3, **chosen) for chosen in data(name)["hiding"]]


def report(name: str, until: str = "", games: int = 40) -> Report:
    rng, found = random.Random(3), Report()
    for number in range(games):
        for match in positions(hiding(name)[number % len(hiding(name))], BACKEND, rng, 0.4):
            deal_anew(match, found, rng, 1)
            if found.leaks[until]:
                return found
    return found


# --- a leak in each channel ---
def curious_observe(driver: Driver, table: Any, patch: pytest.MonkeyPatch) -> None:
    observe = driver.g.observe

    def shown(s: Any, seat: int, out: Any) -> None:
        observe(s, seat, out)
        out[0] = digest(s)

    patch.setattr(driver.g, "observe", shown)


def curious_legal(driver: Driver, table: Any, patch: pytest.MonkeyPatch) -> None:
    legal = driver.g.legal_actions

    def shown(s: Any, seat: int, actions: Any) -> int:
        count = int(legal(s, seat, actions))
        return count - (count > 1 and digest(s) % 2)

    patch.setattr(driver.g, "legal_actions", shown)


def curious_bot(driver: Driver, table: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(driver.g, "choose", lambda s, seat, actions, count, rng: actions[digest(s) % count])


def curious_label(driver: Driver, table: Any, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(table, "label", lambda s, seat, action: say("Move {number}", number=digest(s)))


def curious_zones(driver: Driver, table: Any, patch: pytest.MonkeyPatch) -> None:
    zones = table.zones
    patch.setattr(table, "zones", lambda s, seat: [*zones(s, seat), Zone("leak", say("Leak"), count=digest(s))])


def unchanged(driver: Driver, table: Any, patch: pytest.MonkeyPatch) -> None:
    """These show all bytes anyway."""


PLANTS: dict[str, Callable[[Driver, Any, pytest.MonkeyPatch], None]] = {
    "concealed bytes": unchanged,
    "key": unchanged,
    "observation": curious_observe,
    "legal moves": curious_legal,
    "labelled moves": curious_label,
    "view data": curious_zones,
    "view text": curious_zones,
    "house bot": curious_bot,
}


@pytest.mark.parametrize("channel", CHANNELS)
@soonest("cursed-hand")
def test_a_leak_in_a_channel_is_found(name: str, channel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = hiding(name)[0].driver(BACKEND)
    PLANTS[channel](driver, definition(name).table, monkeypatch)
    if channel != "legal moves":  # all others see concealed structs only: nothing leaks as long as these hide enough
        assert not report(name, channel, 2).leaks
        monkeypatch.setattr(driver.g, "conceal", lambda s, seat: None)
    assert report(name, channel).leaks[channel] > 0


@soonest("cursed-hand")
def test_a_leak_in_a_caption_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the log and of what is shown: nothing leaks as long as stops are concealed, whatever is made of them."""
    setting, table = hiding(name)[0], definition(name).table

    def shown(stop: Stop, seat: int) -> Caption:
        return Caption(say("Leak {number}", number=digest(stop.now)), 500 + digest(stop.before))

    monkeypatch.setattr(table, "caption", shown)
    assert listen([setting] * 2, BACKEND, 0.3, random.Random(4)).leaks == 0
    monkeypatch.setattr(Storyteller, "concealed", lambda teller, struct, viewer: teller.driver.snapshot(bytes(struct)))
    assert listen([setting], BACKEND, 0.3, random.Random(4)).leaks > 0


@soonest("cursed-hand")
@pytest.mark.parametrize("told", ["kind", "seat", "detail", "number"])
def test_a_stop_that_hidden_cards_decide_is_found(name: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    setting = hiding(name)[0]
    moment = Storyteller.moment

    def leaking(teller: Storyteller, before: bytes, seat: int, id: int) -> Moment:
        real = moment(teller, before, seat, id)
        odd = zlib.crc32(real.before) % 2
        shown = {name: odd * (told == name) for name in ("kind", "seat", "detail")}
        mark = StopMark(99 + shown["kind"], shown["seat"], real.before, shown["detail"])
        return replace(real, marks=(mark,) * (1 + odd * (told == "number")) + real.marks)

    monkeypatch.setattr(Storyteller, "moment", leaking)
    monkeypatch.setattr(definition(name).table, "caption", lambda stop, seat: None)
    rng = random.Random(4)
    assert any(listen([setting], BACKEND, 0.3, rng).leaks for _ in range(10))  # a short game may show none


# --- a leak in each field ---
@soonest("cursed-hand", "black-hearts")
def test_the_data_lists_every_field_that_hides_something(name: str) -> None:
    found, dtype = set(), definition(name).rules.STRUCT
    for number in range(much(20, 40)):
        rng = random.Random(number)
        for match in positions(random_game(name, rng), BACKEND, rng, 0.3):
            truth = np.frombuffer(whole(match), dtype)[0]
            for seat in (-1, 0):
                world = np.frombuffer(whole(match.resample(seat, number)), dtype)[0]
                found |= {field for field in dtype.names if truth[field].tobytes() != world[field].tobytes()}
    assert found == set(data(name)["hidden"])


@pytest.mark.parametrize("name", much(["cursed-hand", "black-hearts"], GAMES))
def test_a_field_that_is_not_concealed_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    driver, conceal = hiding(name)[0].driver(BACKEND), definition(name).rules.conceal

    def forgetful(s: Any, seat: int) -> None:
        cells = getattr(s, f"_{field}")
        view = getattr(cells, "cells", cells).cast("B")
        kept = bytes(view)
        conceal(s, seat)
        view[:] = kept

    monkeypatch.setattr(driver.g, "conceal", forgetful)
    for field in data(name)["hidden"]:
        assert report(name, "concealed bytes").leaks["concealed bytes"] > 0, field
