"""Beats: what a match looks like step by step, for whom, and how long."""

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.errors import BadPly
from hexdeck.engine.play import story as module
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import BeatMaker, beats, beats_between, merged, moments, stops_of
from hexdeck.engine.text import say
from hexdeck.engine.view import EVERYONE, LONGEST, PLAYED, Beat, Caption, Spotlight, Zone, fault_of, length, one_step
from tests.positions import whole
from tests.settings import every_game

POT = Zone("pot", say("Pot"), None, "count", count=3)
ROW = Zone("row", say("Row"), None, "row", ("7h", "9c"))
ZONES = (POT, ROW)


def played(name: str, seed: int = 5) -> Match:
    match, rng = hexdeck.game(name, 3).match(seed=seed, backend="interpreted"), random.Random(seed)
    while not match.over:
        match.play(match.actor, rng.choice(match.legal_ids(match.actor)))
    return match


@every_game
def test_what_takes_the_stage_does_so_for_all_who_look_and_seldom(name: str) -> None:
    match = played(name)
    shown = [[beat.spotlight and beat.spotlight.tone for beat in beats(match, seat)] for seat in range(-1, 3)]
    assert all(each == shown[0] for each in shown)
    assert sum(map(bool, shown[0])) <= match.length / 4


@pytest.mark.parametrize(("tone", "seats"), [("pink", (0,)), ("red", ())])
def test_a_spotlight_has_a_known_colour_and_a_seat(tone: str, seats: tuple[int, ...]) -> None:
    beat = Beat(ZONES, 500, ("pot",), seats, spotlight=Spotlight(say("A pair!"), None, tone))
    assert fault_of([beat]).startswith("a spotlight has a seat, and one of the colours gold")
    assert fault_of([replace(beat, seats=(0,), spotlight=Spotlight(say("A pair!"), None, "red"))]) == ""


@every_game
def test_beats_take_as_long_for_every_seat_as_for_the_public_and_end_at_the_view(name: str) -> None:
    match = played(name)
    for since in range(0, match.length, 23):
        found = [beats(match, seat, since) for seat in range(-1, 3)]
        assert len({length(each) for each in found}) == 1 and length(found[0]) <= module.MOST
        for seat, each in enumerate(found, -1):
            assert not each or each[-1].zones == match.view(seat).zones


@every_game
def test_beats_are_the_same_in_parts_and_asked_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 10**9)
    match = played(name)
    at_end, all_beats = whole(match), beats(match, 1)
    for middle in (1, match.length // 2, match.length):
        match.go(middle)
        first = beats(match, 1)
        match.go(match.length)
        assert first + beats(match, 1, middle) == all_beats
    assert whole(match) == at_end


@every_game
def test_beats_of_a_match_that_went_another_way_are_those_of_that_way(name: str) -> None:
    match, rng = hexdeck.game(name, 3).match(seed=8, backend="interpreted"), random.Random(8)
    for turn in range(30):
        if match.over:
            break
        since = match.ply
        match.play(match.actor, rng.choice(match.legal_ids(match.actor)))
        again = match.copy()
        assert beats(match, 0, since) == beats(again, 0, since)
        assert match.facts(0, since) == again.facts(0, since)
        if turn % 7 == 6 and not match.over:
            match.go(since)
            match.cut()


@every_game
def test_an_event_told_stop_by_stop_ends_where_the_match_does(name: str) -> None:
    match = played(name)
    at, told = match.ply, moments(match)
    for moment in told:
        match.go(moment.ply + 1)
        assert moment.after == whole(match)
    match.go(at)
    assert len(told) > 3


def test_a_ply_that_is_not_there_is_refused() -> None:
    match = played("hawthorn")
    with pytest.raises(BadPly):
        beats(match, 0, match.length + 1)


def test_a_secret_choice_has_no_beats() -> None:
    match = hexdeck.game("black-hearts", 4).match(seed=1, backend="interpreted")
    first = match.length
    assert len(match.acting) == 4
    match.play(0, match.legal_ids(0)[0])
    assert [beats(match, seat, first) for seat in range(-1, 4)] == [()] * 5


def test_many_events_at_once_are_shortened_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("wolf-mans-curse")
    monkeypatch.setattr(module, "MOST", 4001)
    maker = BeatMaker(match.game, match.driver, moments(match))
    assert 3900 < maker.total <= 4001
    assert {length(maker.beats(seat)) for seat in range(-1, 3)} == {maker.total}


@every_game
def test_looking_back_with_open_cards_every_beat_shows_what_anybody_sees(name: str) -> None:
    match, shown = played(name), 0
    for since, ply in itertools.pairwise(stops_of(match)[:60]):
        opened, public = beats_between(match, ply, since, None), beats_between(match, ply, since, -1)
        assert not opened or [beat.hold for beat in opened] == [beat.hold for beat in public]
        for open_beat, beat in zip(opened, public, strict=False):
            pairs = list(zip(open_beat.zones, beat.zones, strict=True))
            assert all(most.id == least.id and most.hidden <= least.hidden for most, least in pairs)
            shown += any(most.cards != least.cards for most, least in pairs)
    assert shown > 0 or name == "blackstone"  # where nothing is hidden from everybody but one


# --- an event in one step -------------------------------------------------------------------------------------------
def lying(**changes: Any) -> tuple[Zone, ...]:
    return replace(POT, count=changes.get("chips", 3)), replace(ROW, cards=changes.get("cards", ROW.cards))


def test_an_event_in_one_step_lights_what_has_changed() -> None:
    caption = one_step(ZONES, lying(cards=("7h", "7h", "9c"), chips=4), (say("one"), say("two")))
    assert (caption.light, caption.cue, caption.hold) == (("pot", "row.1"), "place", PLAYED)
    assert str(caption.line) == "two" and [*map(str, caption.lines)] == ["one", "two"]
    assert one_step(ZONES, lying(chips=4), ()).cue == "chips"
    assert one_step(ZONES, ZONES, ()).light == ()


def test_a_board_lights_its_cell() -> None:
    board = Zone("board", say("Board"), None, "board", ("7h", "", "", ""), columns=2)
    assert one_step((board,), (replace(board, cards=("7h", "", "7h", "")),), ()).light == ("board.2",)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"hold": 0}, "held for 1 to 1800"),
        ({"hold": LONGEST + 1}, "held for 1 to 1800"),
        ({"hold": 1.5}, "for 1 to"),
        ({"light": ("hand",)}, "lights hand,"),
        ({"light": ("row.2",)}, "lights row.2,"),
        ({"said": say("Call!")}, "no seat that says it"),
    ],
)
def test_what_is_wrong_with_a_beat_is_said(change: dict[str, Any], told: str) -> None:
    beat = Beat(ZONES, light=("pot", "row.1"))
    assert fault_of([beat]) == ""
    assert told in fault_of([replace(beat, **change)])


def test_the_log_has_the_line_of_a_caption_unless_it_says_otherwise() -> None:
    assert Caption(say("one")).lines == (say("one"),) and Caption().lines == Caption(say("one"), log=()).lines == ()


# --- facts ----------------------------------------------------------------------------------------------------------
def test_who_is_told_the_same_shares_a_fact_and_each_hears_lines_in_order() -> None:
    a, b, mine = say("a"), say("b"), say("mine")
    facts = merged([a, b], [[a, b], [mine, b], [a, mine, b]])
    heard = [[fact.text for fact in facts if fact.heard_by(seat)] for seat in range(-1, 3)]
    assert heard == [[a, b], [a, b], [mine, b], [a, mine, b]]
    assert [(str(fact.text), fact.audience) for fact in facts][:2] == [("a", EVERYONE & ~2), ("mine", 2)]


def test_a_beat_is_data() -> None:
    data = Beat(ZONES, 600, ("pot",), (1,), say("Ada wins."), "chips", say("Mine.")).data()
    assert data["zones"][0]["id"] == "pot" and data["line"] == {"key": "Ada wins."}
    assert (data["hold"], data["light"], data["seats"], data["cue"]) == (600, ["pot"], [1], "chips")
    assert data["said"] == {"key": "Mine."} and Beat(ZONES).data()["said"] is None
