"""Cursed Hand: what happens, step by step."""

import random

import pytest

import hexdeck
from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Zone
from tests.support import play, random_plies

from .staging import ROOMY, buried, dealt, passed

EVERYBODY = pytest.mark.parametrize("seat", [-1, 0, 1, 2])


def after(match: Match, *events: str, seat: int = -1) -> tuple[Beat, ...]:
    """What a seat sees of some more events."""
    since = match.length
    return beats(play(match, *events), seat, since)


def steps(found: tuple[Beat, ...]) -> list[tuple[str, int]]:
    """The cue and the hold of each beat."""
    return [(beat.cue, beat.hold) for beat in found]


def lies(beat: Beat, id: str) -> Zone:
    """A zone as it lies at a beat."""
    return next(zone for zone in beat.zones if zone.id == id)


def cards(beat: Beat, id: str) -> str:
    """The cards that lie open in a zone at a beat."""
    return " ".join(lies(beat, id).cards)


def says(beat: Beat) -> str:
    return str(beat.line)


# --- a ghost hand goes round ----------------------------------------------------------------------------------------
def test_somebody_draws_and_passes_two_cards_on_face_down() -> None:
    match = buried([3, 4, 7], [2, 5, 5], [2, 5, 5], deck=ROOMY)
    (drawn,) = after(match, "card 6", seat=1)
    assert steps((drawn,)) == [("deal", 500)] and drawn.seats == (0,) and "draws a card" in says(drawn)
    (passed_on,) = after(match, "0: pair 4 6", seat=1)
    assert steps((passed_on,)) == [("place", 500)] and passed_on.light == ("ghost",) and passed_on.seats == (0,)
    assert lies(passed_on, "ghost").hidden == 2 and "with two cards" in says(passed_on)


def test_who_accepts_looks_then_slips_a_card_in_and_passes_it_on() -> None:
    match = passed([4, 9])
    since = match.length
    play(match, "1: accept, 1: add 3")
    for seat in (-1, 0, 1, 2):
        looked, added = beats(match, seat, since)
        assert steps((looked, added)) == [("reveal", 500), ("place", 500)]
        assert looked.seats == added.seats == (1,) and looked.light == added.light == ("ghost",)
        seen = {0: ("4 9", "4 9"), 1: ("4 9", "3 4 9")}.get(seat, ("", ""))
        assert (cards(looked, "ghost"), cards(added, "ghost")) == seen
        assert "accept" in says(looked) and "pass" in says(added)
        assert (str(looked.said), str(added.said)) == ("I accept.", "Pass.")


# --- a ghost hand is called -----------------------------------------------------------------------------------------
@EVERYBODY
def test_a_called_hand_slides_out_and_turns_up_card_by_card_sorted(seat: int) -> None:
    called, *turned = after(passed([4, 9, 7]), "2: call", seat=seat)[:4]
    assert steps((called, *turned)) == [("reveal", 400), ("flip", 140), ("flip", 140), ("flip", 140)]
    assert "call" in says(called) and called.seats == (2, 1) and called.light == ("ghost",)
    assert [cards(beat, "ghost") for beat in turned] == ["4", "4 7", "4 7 9"]
    assert [lies(beat, "ghost").hidden for beat in turned] == [2, 1, 0]
    assert [beat.light for beat in turned] == [("ghost.0",), ("ghost.1",), ("ghost.2",)]
    assert {(beat.seats, says(beat), str(beat.said)) for beat in turned} == {((2,), says(called), "Call!")}


@EVERYBODY
def test_a_cursed_hand_lies_open_with_its_pair_lit_then_the_passer_pays_and_the_rest_goes(seat: int) -> None:
    match = passed([4, 9, 9])
    cursed, paid, rest = after(match, "2: call", seat=seat)[4:]
    assert steps((cursed, paid, rest)) == [("curse", 1100), ("bad", 600), ("place", 600)]
    assert cards(cursed, "ghost") == "4 9 9" and cursed.light == ("ghost.1", "ghost.2") and cursed.seats == (1,)
    assert "cursed!" in says(cursed) and cards(cursed, "grave-1") == "2"
    assert cards(paid, "grave-1") == "2 9" and lies(paid, "grave-1").count == 11 and paid.seats == (1,)
    assert cards(paid, "ghost") == "4 9" and paid.light == ("grave-1.1",) and "graveyard" in says(paid)
    assert cards(rest, "ghost") == "" and cards(rest, "discards") == "4 9" and rest.light == ("discards",)
    assert "goes to the discards" in says(rest) and rest.seats == ()
    assert rest.zones == match.view(seat).zones


@pytest.mark.parametrize(
    ("ghost", "lit", "grave"),
    [
        ([1, 5], ("ghost.0", "ghost.1"), "3 5"), ([1, 4, 9], ("ghost.0", "ghost.2"), "2 9"),
        ([1, 1], ("ghost.0", "ghost.1"), "3"), ([4, 4, 8, 8], ("ghost.0", "ghost.1", "ghost.2", "ghost.3"), "2 4 8"),
    ],
)  # fmt: skip
def test_the_ace_is_lit_with_the_card_it_pairs_with_and_every_pair_that_is_paid_for(
    ghost: list[int], lit: tuple[str, ...], grave: str
) -> None:
    match = passed(ghost)
    passer = match.struct.passer
    found = after(match, f"{match.actor}: call")
    cursed = next(beat for beat in found if beat.cue == "curse")
    assert cursed.light == lit and cursed.seats == ((passer,) if grave != "3" else ())
    assert cards(found[-1], f"grave-{passer}") == grave
    assert [beat.cue for beat in found].count("bad") == (grave != "3")


@EVERYBODY
def test_a_clean_hand_lies_open_with_who_passed_it_then_the_caller_takes_its_highest_card(seat: int) -> None:
    clean, paid, rest = after(passed([4, 9]), "1: call", seat=seat)[3:]
    assert steps((clean, paid, rest)) == [("good", 1100), ("bad", 600), ("place", 600)]
    assert cards(clean, "ghost") == "4 9" and clean.light == ("ghost.0", "ghost.1") and clean.seats == (0,)
    assert "clean" in says(clean)
    assert cards(paid, "grave-1") == "2 9" and cards(paid, "ghost") == "4" and cards(paid, "discards") == ""
    assert cards(rest, "discards") == "4"


def test_many_cards_turn_up_faster() -> None:
    turned = [beat for beat in after(passed([4, 5] * 6), "2: call") if beat.cue == "flip"]
    assert [beat.hold for beat in turned] == [116] * 12


def out_of_cards(last: int, **options: object) -> Match:
    """Seat 0 has no cards left, and is passed 4, 6 and a last card."""
    match = buried([3, 4], [2, last], deck=ROOMY, **options)
    return play(match, f"card 6, 0: pair 4 6, 1: accept, 1: add {last}")


@pytest.mark.parametrize(
    ("last", "cue", "pays", "grave"), [(7, "good", 1, "2 7"), (6, "curse", 0, "3 6")]
)  # who accepted pays for a cursed hand, who passed it for a clean one
def test_an_acceptance_with_no_cards_left_is_shown_like_a_call_with_sides_changed(
    last: int, cue: str, pays: int, grave: str
) -> None:
    accepted, *turned, judged, paid, rest, empty, lost = after(out_of_cards(last), "0: accept", seat=1)
    assert steps((accepted, *turned)) == [("reveal", 400)] + [("flip", 140)] * 3
    assert accepted.seats == (0,) and "no cards left" in says(accepted) and str(accepted.said) == "I accept."
    assert steps((judged, paid, rest)) == [(cue, 1100), ("bad", 600), ("place", 600)]
    assert judged.seats == (0,) and paid.seats == (pays,) and cards(paid, f"grave-{pays}") == grave
    assert steps((empty, lost)) == [("reveal", 1100), ("bad", 1100)]


def test_where_nobody_pays_for_a_clean_hand_it_only_lies_open() -> None:
    found = after(out_of_cards(7, clean_accept="nobody"), "0: accept")
    assert [beat.cue for beat in found] == ["reveal", "flip", "flip", "flip", "good", "place", "reveal", "bad"]
    assert (
        found[4].light == ("ghost.0", "ghost.1", "ghost.2")
        and cards(found[4], "ghost") == "4 6 7"
        and found[4].seats == ()
    )


# --- the first graves -----------------------------------------------------------------------------------------------
@EVERYBODY
def test_first_graves_lie_face_down_turn_up_together_and_say_who_goes_first(seat: int) -> None:
    match = play(dealt([3, 5], [8, 9], [8, 4]), "0: grave 3, 1: grave 8")
    down, up, first = after(match, "2: grave 8", seat=seat)
    assert steps((down, up, first)) == [("place", 500), ("flip", 1100), ("reveal", 600)]
    assert [(lies(down, f"grave-{p}").hidden, cards(down, f"grave-{p}")) for p in range(3)] == [(1, "")] * 3
    assert [cards(up, f"grave-{p}") for p in range(3)] == ["3", "8", "8"]
    assert "face down" in says(down) and down.light == ("grave-0", "grave-1", "grave-2")
    assert up.light == ("grave-0.0", "grave-1.0", "grave-2.0") and "turned up" in says(up)
    assert first.light == ("grave-0.0",) and first.seats == (0,) and "first" in says(first)
    for p, left in enumerate(("5", "9", "4")):
        assert cards(down, f"hand-{p}") == cards(up, f"hand-{p}") == (left if p == seat else "")
    assert first.zones == match.view(seat).zones


def test_where_no_card_is_alone_the_highest_are_lit_and_the_lot_picks_one() -> None:
    match = play(dealt([3, 5], [3, 9]), "0: grave 3")
    tied = after(match, "1: grave 3")[-1]
    assert steps((tied,)) == [("reveal", 600)] and tied.light == ("grave-0.0", "grave-1.0") and tied.seats == (0, 1)
    assert "chosen only once" in says(tied)
    (picked,) = after(match, "seat 1")
    assert steps((picked,)) == [("reveal", 1100)] and picked.seats == (1,) and picked.light == ("grave-1",)


# --- the end of a game ----------------------------------------------------------------------------------------------
@EVERYBODY
def test_two_equal_cards_in_a_graveyard_are_ringed_and_the_game_is_over_there(seat: int) -> None:
    match = passed([4, 9], graves=(10, 9, 2))
    *_, clean, paid, ring = after(match, "1: call", seat=seat)
    assert steps((clean, paid, ring)) == [("good", 1100), ("bad", 600), ("bad", 1100)]
    assert cards(paid, "grave-1") == "9 9" and ring.light == ("grave-1.0", "grave-1.1") and ring.seats == (1,)
    assert says(ring) == ("You lose the game." if seat == 1 else "Seat 1 loses the game.")
    assert match.over and ring.zones == match.view(seat).zones


def test_a_lost_game_is_seen_before_the_next_is_dealt() -> None:
    match = passed([4, 9], graves=(10, 9, 2), losses=2)
    *_, ring, gathered = after(match, "1: call")
    assert steps((ring, gathered)) == [("bad", 1100), ("deal", 600)]
    assert cards(ring, "grave-1") == "9 9" and cards(ring, "discards") == "4" and cards(ring, "ghost") == ""
    assert lies(ring, "lost-1").count == 1 and lies(ring, "ghost").note is None
    assert "gathered" in says(gathered) and gathered.light == ("deck",)
    assert cards(gathered, "grave-1") == "" and lies(gathered, "deck").hidden == 90
    since = match.length
    play(match, *["card 2"] * 9, *["card 3"] * 9, "card 4, card 4, card 4")
    (new,) = beats(match, -1, since)
    assert steps((new,)) == [("deal", 500)] and "Game 2" in says(new)


@EVERYBODY
@pytest.mark.parametrize("losses", [1, 2])
def test_a_hand_that_runs_out_at_once_ends_the_game_with_the_ghost_hand_unseen(seat: int, losses: int) -> None:
    match = buried([9, 4], [3, 7], [2, 7], deck=ROOMY, exhaustion="at_once", losses=losses)
    play(match, "card 6")
    lying, empty, lost, *next_game = after(match, "0: pair 4 6", seat=seat)
    assert steps((lying, empty, lost)) == [("place", 500), ("reveal", 1100), ("bad", 1100)]
    for beat in (lying, empty, lost):
        ghost = lies(beat, "ghost")
        assert (ghost.cards, ghost.hidden) == ((("4", "6"), 0) if seat == 0 else ((), 2)) and ghost.note
        assert lies(beat, "hand-0").cards == () and lies(beat, "hand-0").hidden == 0
    assert empty.light == ("grave-0", "grave-1", "grave-2") and lost.light == ("grave-0",) and lost.seats == (0,)
    assert steps(tuple(next_game)) == [("deal", 600)] * (losses > 1)


def test_an_added_last_card_is_in_the_ghost_hand_when_the_next_game_is_dealt() -> None:
    match = buried([9, 4, 4], [3, 7, 7], deck=ROOMY, exhaustion="at_once", losses=2)
    play(match, "card 6, 0: pair 4 6, 1: accept, 1: add 7, 0: accept")
    for seat in (-1, 0, 1):
        lying = after(match.copy(), "0: add 4", seat=seat)[0]
        ghost = lies(lying, "ghost")
        assert (" ".join(ghost.cards), ghost.hidden) == {0: ("4 4 6 7", 0), 1: ("4 6 7", 1)}.get(seat, ("", 4))


def test_of_those_with_the_most_points_the_lot_picks_one() -> None:
    match = buried([3, 4], [9, 7], [9, 7], deck=ROOMY, exhaustion="at_once", tied_losers="one_at_random")
    assert [beat.cue for beat in after(match, "card 6, 0: pair 4 6")] == ["deal", "place", "reveal"]
    (lost,) = after(match, "seat 2", seat=2)
    assert steps((lost,)) == [("bad", 1100)] and says(lost) == "Chosen at random: you lose the game."
    assert lost.light == ("grave-2",) and lost.seats == (2,)


# --- all of a match -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(2))
def test_no_card_comes_or_goes_between_the_steps_of_a_match(seed: int) -> None:
    match, last = hexdeck.game("cursed-hand", 2 + seed, losses=2).match(by_hand=True, backend="interpreted"), 0
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
            assert beat.light and beat.line
        last = match.length
