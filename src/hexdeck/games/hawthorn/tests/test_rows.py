"""Hawthorn: what happens, step by step."""

import random

import pytest

import hexdeck
from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Zone
from tests.support import cards, play, random_plies

from .test_rules import dealt, shown, take

EVERYBODY, BOTH = (pytest.mark.parametrize("seat", seats) for seats in ([-1, 0, 1, 2], [-1, 0, 1]))


def after(match: Match, *events: str, seat: int = -1) -> tuple[Beat, ...]:
    """What a seat sees of some more events."""
    since = match.length
    return beats(play(match, *events), seat, since)


def steps(*found: Beat) -> list[tuple[str, int]]:
    """The cue and the hold of each beat."""
    return [(beat.cue, beat.hold) for beat in found]


def lies(beat: Beat, id: str) -> Zone:
    """A zone as it lies at a beat."""
    return next(zone for zone in beat.zones if zone.id == id)


def row(beat: Beat, p: int) -> str:
    """The open cards of a row at a beat."""
    return " ".join(lies(beat, f"row-{p}").cards)


def counts(beat: Beat, *ids: str) -> list[int | None]:
    """The chips that lie in places at a beat."""
    return [lies(beat, id).count for id in ids]


def says(beat: Beat) -> str:
    return str(beat.line)


# --- the first cards, and who goes first ----------------------------------------------------------------------------
@EVERYBODY
def test_first_cards_lie_face_down_before_all_flip_at_once_and_the_marker_moves(seat: int) -> None:
    match = play(dealt([4, 5], [2, 9], [8, 4]), "0: show 4, 1: show 2")
    down, up, first = after(match, "2: show 8", seat=seat)
    assert steps(down, up, first) == [("place", 500), ("flip", 1100), ("place", 600)]
    assert [(lies(down, f"row-{p}").hidden, row(down, p)) for p in range(3)] == [(1, "")] * 3
    assert down.light == ("row-0", "row-1", "row-2") and "face down" in says(down)
    assert [row(up, p) for p in range(3)] == ["4", "2", "8"] and "turned up" in says(up)
    assert up.light == ("row-0.0", "row-1.0", "row-2.0") and lies(up, "row-1").note is None
    assert first.light == ("row-1",) and first.seats == (1,) and "First Player" in says(first)
    assert str(lies(first, "row-1").note) == "First Player" and first.zones == match.view(seat).zones
    for p, left in enumerate(("5", "9", "4")):
        assert lies(down, f"hand-{p}") == lies(up, f"hand-{p}") == lies(first, f"hand-{p}")
        assert lies(up, f"hand-{p}").cards == ((left,) if p == seat else ())


@EVERYBODY
def test_a_tie_is_lit_and_a_card_lands_on_each_of_those_rows_until_one_is_lowest(seat: int) -> None:
    match = play(dealt([4, 5], [4, 9], [8, 3]), "0: show 4, 1: show 4")
    tied = after(match, "2: show 8", seat=seat)[-1]
    assert steps(tied) == [("reveal", 600)] and tied.light == ("row-0", "row-1") and tied.seats == (0, 1)
    assert "Tied" in says(tied)
    (one,) = after(match, "card 6", seat=seat)
    assert steps(one) == [("flip", 500)] and row(one, 0) == "4 6" and one.light == ("row-0.1",) and one.seats == (0,)
    landed, again = after(match, "card 6", seat=seat)
    assert steps(landed, again) == [("flip", 500), ("reveal", 600)] and row(landed, 1) == "4 6"
    assert again.light == ("row-0", "row-1") and again.seats == (0, 1)
    landed, first = after(match, "card 9, card 7", seat=seat)[1:]
    assert steps(landed, first) == [("flip", 500), ("place", 600)] and row(landed, 1) == "4 6 7"
    assert landed.light == ("row-1.2",) and first.seats == (1,) and first.zones == match.view(seat).zones


def test_a_card_that_settles_a_tie_lies_there_before_it_is_discarded_or_replaced() -> None:
    match = shown([4, 5], [4, 9], tiebreak_cards="discard")
    twins, replaced = after(match, "card 4")
    assert steps(twins, replaced) == [("flip", 500), ("place", 600)] and row(twins, 0) == "4 4"
    assert twins.light == ("row-0.0", "row-0.1") and replaced.light == ("discards",) and "replaced" in says(replaced)
    assert twins.seats == replaced.seats == (0,)
    assert lies(replaced, "discards").cards == ("4",) and row(replaced, 0) == "4"
    play(match, "card 7")
    landed, first = after(match, "card 6")
    assert row(landed, 1) == "4 6" and row(landed, 0) == "4 7" and landed.seats == (1,)
    assert (row(first, 0), row(first, 1)) == ("4", "4") and lies(first, "discards").cards == ("4", "6", "7")


def test_a_lot_for_the_lowest_is_shown_before_the_marker_moves() -> None:
    match = shown([2], [2], deck="0-2-0-0-0-0-0-0-0-0")
    lot, first = after(match, "seat 1")
    assert steps(lot, first) == [("reveal", 1100), ("place", 600)] and lot.seats == first.seats == (1,)
    assert "chosen at random" in says(lot) and lot.light == ("row-1",) and lies(lot, "row-1").note is None


# --- a turn ---------------------------------------------------------------------------------------------------------
def test_in_a_deck_round_a_breath_is_held_before_the_card_turns_up_and_lands() -> None:
    breath, landed = after(shown([2, 5], [8, 9], [9, 4]), "0: take, card 7")
    assert steps(breath, landed) == [("reveal", 300), ("flip", 500)]
    assert breath.light == ("deck",) and breath.seats == landed.seats == (0,) and row(breath, 0) == "2"
    assert row(landed, 0) == "2 7" and landed.light == ("row-0.1",) and "7" in says(landed)
    assert str(breath.said) == "A card, please." and landed.said is None


@EVERYBODY
def test_in_a_hand_round_the_card_comes_from_the_hand(seat: int) -> None:
    match = take(shown([2, 5], [8, 9], [9, 4]), 3, 3, 3)
    (landed,) = after(match, "0: play 5", seat=seat)
    assert steps(landed) == [("place", 500)] and row(landed, 0) == "2 3 5" and landed.light == ("row-0.2",)
    assert landed.seats == (0,) and "play" in says(landed) and str(landed.said) == "My own card."
    assert lies(landed, "hand-0").cards == () and lies(landed, "hand-0").hidden == 0


@EVERYBODY
def test_the_twins_of_a_pair_lie_on_the_row_before_it_is_paid_for_and_turned_down(seat: int) -> None:
    match = take(shown([2, 5], [8, 9], [9, 4]), 3)
    _breath, landed, twins, paid = after(match, "1: take, card 8", seat=seat)
    assert steps(landed, twins, paid) == [("flip", 500), ("bad", 1100), ("chips", 600)]
    assert row(landed, 1) == row(twins, 1) == "8 8" and row(paid, 1) == ""
    assert landed.light == ("row-1.1",) and twins.light == ("row-1.0", "row-1.1")
    assert twins.seats == paid.seats == (1,) and "A pair!" in says(twins) and says(paid) == says(twins)
    assert str(twins.said) == "A pair!"
    assert counts(twins, "chips-1", "pot") == [99, 3] and counts(paid, "chips-1", "pot") == [91, 11]
    assert paid.light == ("chips-1", "pot") and lies(paid, "discards").cards == ("8", "8")
    assert str(lies(paid, "row-1").note) == "out" and paid.zones == match.view(seat).zones


@EVERYBODY
def test_a_pair_from_the_hand_lands_from_the_hand(seat: int) -> None:
    match = take(shown([2, 3], [8, 9], [9, 4]), 3, 3, 3)
    landed, twins, paid = after(match, "0: play 3", seat=seat)
    assert steps(landed, twins, paid) == [("place", 500), ("bad", 1100), ("chips", 600)]
    assert row(twins, 0) == "2 3 3" and twins.light == ("row-0.1", "row-0.2")
    assert lies(twins, "hand-0").hidden == 0 and lies(twins, "hand-0").cards == ()
    assert str(lies(paid, "row-0").note) == "First Player, out"


@EVERYBODY
@pytest.mark.parametrize(
    ("price", "light", "paid"),
    [("table", ("row-0.0", "row-2.0"), [97, 5]), ("own", ("row-1.0",), [91, 11])],
)
def test_a_fold_lights_what_set_its_price_then_chips_fly(
    seat: int, price: str, light: tuple[str, ...], paid: list[int]
) -> None:
    match = take(shown([2, 5], [8, 9], [3, 2], fold_price=price), 6, 9)
    play(match, "2: take, card 2")
    match = play(match, "0: play 5")
    set_price, chips = after(match, "1: fold", seat=seat)
    assert steps(set_price, chips) == [("reveal", 1100), ("chips", 600)]
    assert set_price.light == light and set_price.seats == chips.seats == (1,) and str(set_price.said) == "Fold."
    assert row(set_price, 1) == "8 9" and counts(set_price, "chips-1", "pot") == [99, 3] and "fold" in says(set_price)
    assert row(chips, 1) == "" and counts(chips, "chips-1", "pot") == paid and chips.light == ("chips-1", "pot")
    assert chips.zones == match.view(seat).zones


@EVERYBODY
def test_discards_are_shuffled_before_a_card_is_taken_from_them(seat: int) -> None:
    match = shown([4, 5, 8], [5, 2, 2], [6, 7, 8], deck="0-2-0-1-2-1-1-2-1-1")
    play(take(match, 10, 9), "2: play 7, 0: play 5, 1: fold, 2: play 8")
    shuffled, breath, landed, twins = after(match, "0: take, card 5", seat=seat)[:4]
    assert steps(shuffled, breath) == [("deal", 600), ("reveal", 300)] and "shuffled" in says(shuffled)
    assert shuffled.light == breath.light == ("deck",) and lies(shuffled, "deck").hidden == 2
    assert str(lies(breath, "deck").note) == "made from the discards: 5 and 9"
    for beat in (landed, twins):
        assert row(beat, 0) == "4 5 5 10" and str(lies(beat, "deck").note) == "made from the discards: 9"
        assert lies(beat, "deck").hidden == 1


def test_the_last_card_of_a_shuffled_deck_leaves_nothing_said_of_it() -> None:
    match = shown([4, 5, 8], [9, 2, 2], [6, 7, 8], deck="0-2-0-1-1-1-1-2-1-1")
    play(take(match, 10), "1: fold")
    landed = after(match, "2: take, card 9")[-1]
    assert lies(landed, "deck").note is None and lies(landed, "deck").hidden == 0 and row(landed, 2) == "6 9"
    assert landed.seats == (2,)


# --- the end of a deal ----------------------------------------------------------------------------------------------
@BOTH
def test_the_pot_runs_to_the_last_one_in(seat: int) -> None:
    match = take(shown([2, 5], [8, 9]), 3)
    *_, twins, paid, won = after(match, "1: take, card 8", seat=seat)
    assert steps(twins, paid, won) == [("bad", 1100), ("chips", 600), ("good", 1100)]
    assert counts(paid, "chips-0", "chips-1", "pot") == [99, 91, 10] and row(paid, 1) == ""
    assert counts(won, "chips-0", "chips-1", "pot") == [109, 91, 0] and won.light == ("chips-0",)
    assert won.seats == (0,) and "last one in" in says(won)
    assert match.over and won.zones == match.view(seat).zones


@BOTH
def test_a_deal_is_seen_to_its_end_before_the_next_begins(seat: int) -> None:
    match = shown([2, 5], [8, 9], deals=2)
    price, paid, won, begins = after(match, "0: fold", seat=seat)
    assert steps(price, paid, won, begins) == [("reveal", 1100), ("chips", 600), ("good", 1100), ("deal", 600)]
    assert [row(beat, 0) for beat in (price, paid, won)] == ["2", "", ""] and row(won, 1) == "8"
    assert str(lies(paid, "row-0").note) == str(lies(won, "row-0").note) == "First Player, out"
    assert [counts(beat, "chips-0", "chips-1", "pot") for beat in (price, paid, won, begins)] == [
        [99, 99, 2],
        [97, 99, 4],
        [97, 103, 0],
        [96, 102, 2],
    ]
    assert lies(won, "discards").cards == ("2",) and row(begins, 1) == "" and begins.light == ("deck", "pot")
    assert "next deal" in says(begins)
    assert begins.zones == match.view(seat).zones
    since = match.length
    play(match, cards(2, 3, 4, 5))
    (new,) = beats(match, seat, since)
    assert steps(new) == [("deal", 500)] and "Deal 2" in says(new) and new.light == ("deck",)


@EVERYBODY
def test_who_sits_out_is_shown_as_a_deal_begins(seat: int) -> None:
    match = take(play(shown([3, 5], [8, 9], [9, 4], chips=4, deals=3), "0: fold"), 2)
    play(match, "2: fold")
    since = match.length
    play(match, cards(2, 3, 4, 5))
    new, out = beats(match, seat, since)
    assert steps(new, out) == [("deal", 500), ("bad", 600)] and "sit" in says(out)
    assert out.light == ("chips-0",) and out.seats == (0,) and out.zones == match.view(seat).zones


def test_those_who_sit_out_are_shown_together() -> None:
    match = play(shown([3, 5], [8, 9], [9, 4], [9, 4], chips=4, deals=3), "0: fold, 1: fold")
    play(take(match, 2, 5), "2: fold")
    since = match.length
    play(match, cards(2, 3, 4, 5))
    _new, out = beats(match, -1, since)
    assert out.light == ("chips-0", "chips-1") and out.seats == (0, 1) and says(out).startswith("2 players")


def test_where_too_few_can_go_on_that_is_said_last() -> None:
    match = shown([2, 5], [8, 9], chips=2, deals=3)
    *_, won, last = after(match, "0: fold")
    assert steps(won, last) == [("good", 1100), ("reveal", 1100)] and "Fewer than two" in says(last)
    assert last.light == ("pot",) and last.zones == match.view(-1).zones
    assert counts(won, "chips-0", "chips-1", "pot") == [0, 4, 0] and match.over


# --- all of a session -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(2))
def test_no_card_and_no_chip_comes_or_goes_between_the_steps_of_a_session(seed: int) -> None:
    players, last = 2 + seed, 0
    match = hexdeck.game("hawthorn", players, deals=2, chips=20).match(by_hand=True, backend="interpreted")
    for _ in random_plies(match, random.Random(seed)):
        seen = [beats(match, seat, last) for seat in range(-1, match.game.players)]
        assert (
            len(
                {
                    tuple((beat.hold, beat.cue, beat.light, beat.seats, str(beat.said)) for beat in found)
                    for found in seen
                }
            )
            == 1
        )
        for beat in (beat for found in seen for beat in found):
            assert sum(len(zone.cards) + zone.hidden for zone in beat.zones) == 55
            chips = [zone.count or 0 for zone in beat.zones if zone.id == "pot" or zone.id.startswith("chips")]
            assert sum(chips) == 20 * players and beat.light and beat.line
        last = match.length
