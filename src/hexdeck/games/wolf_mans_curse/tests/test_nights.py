"""Wolf-Man's Curse: a night, step by step."""

import pytest

from hexdeck.engine.beat import Beat, zone_of
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.games.wolf_mans_curse import nights, table
from hexdeck.lab.counting.sentences import sentences
from tests.support import play, stage

NAME = "wolf-mans-curse"
NAMES = "clubs", "spades", "hearts", "diamonds"
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
    assert turned.seats == (0, 1, 2) and str(turned.line) == "Everyone turns up their card."
    assert named.seats == (2,) and named.line is not None and "trongest" in named.line.key
    assert str(named.said) == "Grrr!" and turned.said is None
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
    assert found[0].seats == (2,) and found[2].light == ("captured-1-2",) and found[2].seats == (1,)
    assert cards(found[2], "captured-1-2") == ("2c", "2h", "2d", "Kc") and cards(found[3], "captured-1-2") == ()


def test_one_knows_ones_own_hand_while_cards_lie_on_the_table() -> None:
    match, since = first_night()
    for seat, left in enumerate(("2h", "2c", "2d")):
        assert cards(beats(match, seat, since)[0], f"hand-{seat}") == (left,)
    counts = {zone.id: zone.count for zone in beats(match, -1, since)[0].zones}
    assert [counts[f"hand-{seat}"] for seat in range(3)] == [1, 1, 1]


def test_every_sentence_that_beats_look_for_is_one_that_is_told() -> None:
    looked_for = {value for name, value in vars(nights).items() if name.isupper() and isinstance(value, str)}
    assert looked_for and looked_for <= {each.text.key for each in sentences(table, "narrate")}


def test_a_card_in_its_turn_is_lit_with_the_seat_that_plays_it() -> None:
    match, _ = first_night()
    since = play(match, "face Kc, 0: play 2h").length - 1
    for seat, line in ((-1, "Seat 0 plays the 2h."), (0, "You play the 2h."), (1, "Seat 0 plays the 2h.")):
        (beat,) = beats(match, seat, since)
        assert (beat.cue, beat.hold, beat.light, beat.seats) == ("place", 500, ("tonight.0",), (0,))
        assert str(beat.line) == line


def test_the_moon_rises_and_ones_cards_of_that_suit_are_lit() -> None:
    match = dealt()
    since = play(match, "face Jh").length - 1
    for seat, lit in ((-1, ()), (0, ("hand-0.1",)), (1, ())):  # Ac 2h, and 2c Ad
        (beat,) = beats(match, seat, since)
        assert (beat.cue, beat.hold, beat.light) == ("moon", 1100, ("face.0", *lit)) and cards(beat, "face") == ("Jh",)


def test_a_joker_doubles_nothing_and_lights_nothing_else() -> None:
    match = dealt()
    since = play(match, "face joker").length - 1
    (beat,) = beats(match, 0, since)
    assert (beat.cue, beat.hold, beat.light) == ("flip", 1100, ("face.0",))


def test_the_queen_of_hearts_is_seen_before_she_goes_back_too_early() -> None:
    match = stage(NAME, 3, DEAL, ranks=2, hand_cards=2, nights=2)
    since = play(match, "face Qh").length - 1
    shown, back = beats(match, -1, since)
    assert steps((shown, back)) == [("flip", 1100), ("place", 600)] and shown.light == ("face.0",)
    assert cards(shown, "face") == ("Qh",) and cards(back, "face") == ()
    assert back.zones == match.view(-1).zones and back.light == ("pile",)
    assert str(shown.line).startswith("The queen of hearts, too early!")


def test_the_light_goes_out_when_the_queen_of_hearts_begins_the_last_night() -> None:
    match = dealt()
    since = play(match, "face Qh").length - 1
    (beat,) = beats(match, 0, since)
    assert steps((beat,)) == [("last-night", 1800)] and beat.light == ("face.0", "hand-0.1")
    assert str(zone_of(beat.zones, "month").note) == "the last night"


def test_the_last_night_is_called_so_until_all_is_settled() -> None:
    match = play(dealt(), "face Qh, 0: play 2h, 1: play 2c")
    since = play(match, "2: play 2d").length - 1
    found = beats(match, 0, since)
    assert match.over and {str(zone_of(beat.zones, "month").note) for beat in found} == {"the last night"}


def test_the_deal_is_seen() -> None:
    match = dealt()
    (beat,) = beats(match, 1, match.length - 1)
    assert steps((beat,)) == [("deal", 500)] and cards(beat, "hand-1") == ("2c", "Ad")
    assert str(beat.line) == "Month 1: the cards are dealt."


def test_at_the_end_of_a_month_points_run_into_the_columns() -> None:
    match, _ = first_night()
    play(match, "face Kc, 0: play 2h, 1: play 2c")
    since = match.length
    play(match, "2: play 2d")
    points = beats(match, -1, since)[3]
    assert (
        points.cue == "chips"
        and str(points.line) == "Month 1 is over: the points are counted."
        and points.seats == (1, 2)
    )
    assert points.zones == match.view(-1).zones
    assert "clubs-1" in points.light and all(place.split("-")[0] in NAMES for place in points.light)


def test_after_the_last_night_come_the_points_and_the_scenes_of_the_end() -> None:
    match, _ = first_night()
    play(match, "face Qh, 0: play 2h, 1: play 2c")
    since = match.length
    play(match, "2: play 2d")
    assert match.over
    found = beats(match, -1, since)
    assert steps(found[:4]) == [("place", 500), ("growl", 1100), ("place", 600), ("chips", 600)]
    assert cards(found[2], "captured-0-2") == ("2c", "2h", "2d", "Qh")
    assert [beat.cue for beat in found[4:]] == ["torches", "torches", "rope", "verdict", "feast"]
    assert found[-1].line is not None and "win" in found[-1].line.key
