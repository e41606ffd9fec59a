"""Wolf-Man's Curse: a night, step by step."""

import inspect

import pytest

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.games.wolf_mans_curse import nights, table
from tests.support import play, stage

NAME = "wolf-mans-curse"
DEAL = "card Ac, card 2c, card As, card 2h, card Ad, card 2d"  # seat 0 has Ac 2h, seat 1 2c Ad, seat 2 As 2d


def dealt() -> Match:
    """Three players with hands of two, before the first night."""
    return stage(NAME, 3, DEAL, ranks=2, hand_cards=2, nights=2, queen_month=1)


def steps(found: tuple[Beat, ...]) -> list[tuple[str, int]]:
    """The cue and the hold of each beat."""
    return [(beat.cue, beat.hold) for beat in found]


def cards(beat: Beat, zone: str) -> tuple[str, ...]:
    """The cards that lie in a zone at a beat."""
    return next((each.cards for each in beat.zones if each.id == zone), ())


def first_night() -> tuple[Match, int]:
    """After the first night, and the ply before its last choice: seat 2's As is the strongest by its suit."""
    match = play(dealt(), "face Js, 0: play Ac, 1: play Ad")
    return play(match, "2: play As"), match.length - 1


@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_on_the_first_night_all_turn_up_together_before_the_strongest_takes_them(seat: int) -> None:
    match, since = first_night()
    turned, named, taken = beats(match, seat, since)
    assert steps((turned, named, taken)) == [("flip", 1100), ("growl", 1100), ("place", 600)]
    assert cards(turned, "tonight") == cards(named, "tonight") == ("Ac", "Ad", "As")
    assert turned.light == ("tonight.0", "tonight.1", "tonight.2") and named.light == ("tonight.2",)
    assert cards(named, "face") == ("Js",) and cards(named, "captured-2-1") == ()
    assert named.seats == (2,) and named.line is not None and "trongest" in named.line.key
    assert cards(taken, "tonight") == () and cards(taken, "captured-2-1") == ("Ac", "As", "Ad", "Js")
    assert taken.zones == match.view(seat).zones


def test_the_last_card_of_a_night_lies_on_the_table_before_it_goes_to_the_winner() -> None:
    match, _ = first_night()
    play(match, "face Kc, 0: play 2h, 1: play 2c")
    since = match.length
    play(match, "2: play 2d")
    found = beats(match, 0, since)
    assert steps(found[:4]) == [("place", 500), ("growl", 1100), ("place", 600), ("chips", 600)]
    assert [cards(beat, "tonight") for beat in found[:4]] == [("2h", "2c", "2d"), ("2h", "2c", "2d"), (), ()]
    assert found[0].light == ("tonight.2",) and found[1].light == ("tonight.1",)
    assert cards(found[2], "captured-1-2") == ("2c", "2h", "2d", "Kc") and cards(found[3], "captured-1-2") == ()


def test_one_knows_ones_own_hand_while_cards_lie_on_the_table() -> None:
    match, since = first_night()
    for seat, left in enumerate(("2h", "2c", "2d")):
        assert cards(beats(match, seat, since)[0], f"hand-{seat}") == (left,)
    counts = {zone.id: zone.count for zone in beats(match, -1, since)[0].zones}
    assert [counts[f"hand-{seat}"] for seat in range(3)] == [1, 1, 1]


def test_every_sentence_that_beats_look_for_is_one_that_is_told() -> None:
    looked_for = {value for name, value in vars(nights).items() if name.isupper() and isinstance(value, str)}
    source = inspect.getsource(table)
    assert len(looked_for) == 7 and [key for key in looked_for if f'say("{key}"' not in source] == []


def test_the_reckoning_is_told_line_by_line_after_the_last_night() -> None:
    match, _ = first_night()
    play(match, "face Qh, 0: play 2h, 1: play 2c")
    since = match.length
    play(match, "2: play 2d")
    assert match.over
    found = beats(match, -1, since)
    assert steps(found[:4]) == [("place", 500), ("growl", 1100), ("place", 600), ("chips", 600)]
    assert {(beat.cue, beat.hold) for beat in found[4:]} == {("reveal", 1100)} and len(found) >= 6
    assert found[-1].line is not None and "win" in found[-1].line.key
