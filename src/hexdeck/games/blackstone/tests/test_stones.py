"""Blackstone: what happens, step by step."""

import random

import pytest

import hexdeck
from hexdeck.engine.beat import Beat, length
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Zone
from tests.support import cards, play, random_plies, stage

from .test_rules import NAME, dealt, draw

EVERYBODY = pytest.mark.parametrize("seat", [-1, 0, 1, 2])


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


def open_cards(beat: Beat, id: str) -> str:
    return " ".join(lies(beat, id).cards)


def counts(beat: Beat, *ids: str) -> list[int | None]:
    """The chips or stones counted in places at a beat."""
    return [lies(beat, id).count for id in ids]


def says(beat: Beat) -> str:
    return str(beat.line)


# --- who goes first -------------------------------------------------------------------------------------------------
@EVERYBODY
def test_the_last_card_dealt_lies_there_and_the_lowest_is_lit_before_white_stones_go_to_the_centre(seat: int) -> None:
    match = stage(NAME, 3)
    (one,) = after(match, "card 7", seat=seat)
    assert steps(one) == [("deal", 300)] and one.light == ("stones-0.0",) and one.seats == (0,)
    play(match, "card 3")
    landed, lowest, centre = after(match, "card 10", seat=seat)
    assert steps(landed, lowest, centre) == [("deal", 300), ("reveal", 1100), ("place", 600)]
    assert [open_cards(landed, f"stones-{p}") for p in range(3)] == ["7", "3", "10"] and landed.light == ("stones-2.0",)
    assert lowest.zones == landed.zones and lowest.light == ("stones-1.0",) and lowest.seats == (1,)
    assert "lowest" in says(lowest) and str(lies(lowest, "deck").note) == "9 black stones in it"
    assert [open_cards(centre, f"stones-{p}") for p in range(3)] == ["", "", "10"]
    assert open_cards(centre, "centre") == "3 7" and counts(centre, "white") == [2]
    assert centre.light == ("centre", "white") and says(centre) == "2 white stones lie in the centre."
    assert centre.zones == match.view(seat).zones


def test_equal_lowest_cards_are_lit_and_each_gets_another() -> None:
    match = stage(NAME, 3, "card 3, card 7")
    landed, equal = after(match, "card 3")
    assert steps(landed, equal) == [("deal", 300), ("reveal", 600)] and "Tied" in says(equal)
    assert equal.light == ("stones-0", "stones-2") and equal.seats == (0, 2)
    one, two, lowest, _centre = after(match, "card 9, card 8")
    assert open_cards(one, "stones-0") == "3 9" and one.light == ("stones-0.1",)
    assert open_cards(two, "stones-2") == "3 8" and lowest.light == ("stones-2.1",) and lowest.seats == (2,)


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_further_ten_lies_there_before_it_is_set_aside(seat: int) -> None:
    match = stage(NAME, 2, "card 10")
    _landed, equal = after(match, "card 10")
    assert equal.light == ("stones-0", "stones-1")
    landed, aside = after(match, "card 10", seat=seat)
    assert steps(landed, aside) == [("deal", 300), ("place", 600)] and "set aside" in says(aside)
    assert open_cards(landed, "stones-0") == "10 10" and landed.light == ("stones-0.1",)
    assert open_cards(aside, "stones-0") == "10" and open_cards(aside, "aside") == "10" and aside.light == ("aside",)
    assert landed.seats == aside.seats == (0,)
    again, lowest, centre = after(match, "card 4")
    assert open_cards(again, "stones-1") == "4 10" and lowest.light == ("stones-1.0",)
    assert open_cards(centre, "centre") == "4" and all(zone.id != "aside" for zone in centre.zones)


def test_a_lot_for_the_first_player_is_shown_before_white_stones_go_to_the_centre() -> None:
    match = stage(NAME, 2, "card 3", deck="0-0-2-0-0-0-0-0-0-0")
    landed, empty = after(match, "card 3")
    assert steps(landed, empty) == [("deal", 300), ("reveal", 600)] and "chosen at random" in says(empty)
    assert empty.light == ("stones-0", "stones-1") and empty.seats == (0, 1)
    picked, centre = after(match, "seat 1")
    assert steps(picked, centre) == [("reveal", 1100), ("place", 600)] and picked.seats == (1,)
    assert picked.light == ("stones-1",) and centre.light == ("centre", "white")
    assert open_cards(picked, "stones-1") == "3" and open_cards(centre, "centre") == "3 3"


# --- a turn ---------------------------------------------------------------------------------------------------------
@EVERYBODY
def test_a_white_stone_goes_to_the_centre_and_is_counted(seat: int) -> None:
    match = dealt(1, 8, 9)
    drawn, white = after(match, "0: draw, card 8", seat=seat)
    assert steps(drawn, white) == [("reveal", 500), ("place", 500)]
    assert drawn.light == ("deck",) and drawn.seats == white.seats == (0,) and "1 card" in says(drawn)
    assert open_cards(white, "centre") == "1 8 8 9" and white.light == ("centre.2", "white")
    assert counts(drawn, "white") == [3] and counts(white, "white") == [4] and "turn" in says(white)
    (more,) = after(match, "0: draw", seat=seat)
    assert steps(more) == [("reveal", 300)] and "one more card" in says(more)


@EVERYBODY
def test_a_first_black_stone_lands_heavy_before_its_seat(seat: int) -> None:
    black = after(dealt(1, 8, 9), "0: draw, card 10", seat=seat)[-1]
    assert steps(black) == [("bad", 1100)] and black.light == ("stones-0.0",) and black.seats == (0,)
    assert open_cards(black, "stones-0") == "10" and says(black).endswith("a black stone. One…")
    assert says(black).startswith("You turn" if seat == 0 else "Seat 0 turns")


@EVERYBODY
def test_after_a_stop_a_breath_says_what_the_next_player_must_draw(seat: int) -> None:
    match = play(dealt(1, 8, 9), "0: draw, card 3, 0: draw, card 4")
    stopped, breath = after(match, "0: stop", seat=seat)
    assert steps(stopped, breath) == [("place", 500), ("reveal", 600)]
    assert stopped.seats == (0,) and breath.seats == (1,) and "stop" in says(stopped) and breath.light == ("deck",)
    assert stopped.light == ("stones-0",) and str(stopped.said) == "Enough." and breath.said is None
    assert says(breath) == f"{'You' if seat == 1 else 'Seat 1'} must draw 2 cards or more, or fold."
    assert breath.zones == match.view(seat).zones


def test_a_turn_that_ends_with_its_last_card_is_followed_by_the_same_breath() -> None:
    match = play(dealt(1, 8, 9, drawing="announced"), "0: announce 2, card 3")
    white, breath = after(match, "card 4")
    assert steps(white, breath) == [("place", 500), ("reveal", 600)] and "must draw 2 cards" in says(breath)


@EVERYBODY
@pytest.mark.parametrize(("whites", "half", "price"), [([2, 3], 3, 8), ([2, 3, 4], 3, 8), ([2, 3, 4, 5], 4, 9)])
def test_the_price_of_a_fold_is_spelled_out_before_chips_fly(
    seat: int, whites: list[int], half: int, price: int
) -> None:
    match = draw(dealt(1, 8, 9), *whites)
    spelled, paid = after(match, "1: fold", seat=seat)
    assert steps(spelled, paid) == [("reveal", 1100), ("chips", 600)]
    assert says(spelled).endswith(f": stake 5 + {half} (half of {3 + len(whites)} white stones) = {price} chips.")
    assert says(spelled).startswith("You fold" if seat == 1 else "Seat 1 folds")
    assert (
        spelled.light == ("stake-1", "white") and spelled.seats == paid.seats == (1,) and str(spelled.said) == "Fold."
    )
    assert counts(spelled, "stake-1", "chips-1", "pot") == [5, 95, 0]
    assert counts(paid, "stake-1", "chips-1", "pot") == [0, 100 - price, price]
    assert paid.light == ("chips-1", "pot") and f"pays {price} chips" in says(paid).replace("pay ", "pays ")
    assert paid.zones == match.view(seat).zones


def test_who_has_fewer_chips_than_the_price_pays_all_of_them() -> None:
    match = draw(dealt(1, 8, 9, chips=6), 2, 3)
    spelled, paid = after(match, "1: fold")
    assert says(spelled) == says(paid) == "Seat 1 folds and pays 6 chips."
    assert counts(paid, "chips-1", "pot") == [0, 6]


def test_where_the_deck_ends_short_of_the_minimum_the_card_is_seen_before_the_fold() -> None:
    match = draw(stage(NAME, 3, cards(1, 2, 3), deck="1-1-1-1-1-1-0-0-0-0"), 4, 5)
    play(match, "1: draw")
    white, empty, spelled, paid = after(match, "card 6")
    assert steps(white, empty, spelled, paid) == [("place", 500), ("reveal", 600), ("reveal", 1100), ("chips", 600)]
    assert open_cards(white, "centre") == "1 2 3 4 5 6" and "empty" in says(empty) and empty.light == ("deck",)
    assert "stake 5 + 3 (half of 6 white stones) = 8 chips" in says(spelled) and counts(paid, "pot") == [8]


# --- the second black stone -----------------------------------------------------------------------------------------
def second(**options: object) -> Match:
    """Seat 1 has a black stone and turns the next card; there are four white stones."""
    return play(draw(dealt(1, 10, 8, **options), 7, 6), "1: draw")


@EVERYBODY
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_second_black_stone_lies_on_the_table_before_chips_fly_and_run_to_those_still_in(
    seat: int, rounds: int
) -> None:
    match = second(rounds=rounds)
    still, drops, paid, one, two, *rest = after(match, "card 10", seat=seat)
    assert steps(still, drops, paid, one, two) == [
        ("reveal", 300),
        ("curse", 1100),
        ("chips", 900),
        ("good", 300),
        ("good", 300),
    ]
    assert length((still, drops, paid, one, two)) == 2900
    assert open_cards(still, "stones-1") == "10" and says(still).endswith("the next card…") and still.light == ("deck",)
    assert still.seats == (1,)
    for beat in (drops, paid, one, two):
        assert open_cards(beat, "stones-1") == "10 10" and str(lies(beat, "stones-1").note) == "out"
        assert open_cards(beat, "centre") == "1 6 7 8" and lies(beat, "deck").hidden == 49
    assert drops.light == ("stones-1.0", "stones-1.1") and drops.seats == paid.seats == (1,)
    assert str(drops.said) == "Two!"
    assert (
        "A second black stone!" in says(drops)
        and "9 chips" in says(drops)
        and "stake 5 + 4 white stones = 9 chips" in says(paid)
    )
    places = "stake-1", "chips-1", "pot", "chips-0", "chips-2"
    assert [counts(beat, *places) for beat in (still, drops, paid, one, two)] == [
        [5, 95, 0, 95, 95],
        [5, 95, 0, 95, 95],
        [0, 91, 9, 95, 95],
        [0, 91, 5, 99, 95],
        [0, 91, 1, 99, 99],
    ]
    assert paid.light == ("stake-1", "chips-1", "pot") and (one.light, two.light) == (("chips-0",), ("chips-2",))
    assert (one.seats, two.seats) == ((0,), (2,))
    assert says(one) == says(two) == "Each player still in gets 4 chips."
    stays, last = rest
    assert steps(stays) == [("reveal", 600)] and stays.light == ("pot",) and says(stays) == "1 chip stays in the pot."
    assert open_cards(stays, "stones-1") == "10 10" and last.zones == match.view(seat).zones
    if rounds == 2:
        assert steps(last) == [("deal", 600)] and says(last) == "Round 2 begins." and last.light == ("deck",)
        assert open_cards(last, "centre") == "" and counts(last, "stake-1", "chips-1") == [5, 86]
    else:
        assert steps(last) == [("chips", 600)] and last.light == ("chips-0", "chips-2") and "go back" in says(last)
        assert counts(last, "stake-0", "chips-0") == [0, 104]


def test_a_single_player_still_in_gets_all_of_it_in_one_step() -> None:
    match = play(dealt(1, 10), "0: draw, card 7, 0: stop, 1: draw")
    shared = after(match, "card 10")[3]
    assert steps(shared) == [("good", 600)] and says(shared) == "Seat 0 gets 7 chips from the pot."


def test_many_players_still_in_get_their_chips_all_at_once() -> None:
    match = play(dealt(1, 10, 8, 8, 8), "0: draw, card 7, 0: stop, 1: draw")
    found = after(match, "card 10")
    assert steps(found[3]) == [("good", 600)] and length(found[:4]) == 2900
    assert found[3].light == ("chips-0", "chips-2", "chips-3", "chips-4") and found[3].seats == (0, 2, 3, 4)
    assert says(found[3]) == "Each player still in gets 2 chips."
    assert [beat.cue for beat in found[4:]] == ["reveal", "chips"]


def test_three_get_theirs_one_by_one_in_the_same_time() -> None:
    match = play(dealt(1, 10, 8, 8), "0: draw, card 7, 0: stop, 1: draw")
    shared = after(match, "card 10")[3:6]
    assert steps(*shared) == [("good", 200), ("good", 200), ("good", 200)]
    assert [beat.seats for beat in shared] == [(0,), (2,), (3,)]


def test_a_pot_too_small_to_share_stays() -> None:
    match = play(dealt(1, 10, *[8] * 7, chips=5), "0: draw, card 7, 0: stop, 1: draw")
    found = after(match, "card 10")
    assert [beat.cue for beat in found] == ["reveal", "curse", "chips", "reveal", "chips"]
    assert counts(found[-1], "pot") == [5] and "5 chips stay" in says(found[3])


# --- the last one in, and stakes ------------------------------------------------------------------------------------
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_pot_runs_to_the_last_one_in(rounds: int) -> None:
    match = play(dealt(1, 8, rounds=rounds), "0: draw, card 7, 0: stop")
    spelled, paid, won, last = after(match, "1: fold")
    assert steps(spelled, paid, won) == [("reveal", 1100), ("chips", 600), ("good", 1100)]
    assert counts(paid, "stake-1", "chips-1", "pot", "chips-0") == [0, 93, 7, 95]
    assert str(lies(paid, "stones-1").note) == "folded" and open_cards(won, "centre") == "1 7 8"
    assert counts(won, "pot", "chips-0", "stake-0") == [0, 102, 5] and won.light == ("chips-0",) and won.seats == (0,)
    assert steps(last) == ([("deal", 600)] if rounds == 2 else [("chips", 600)])
    assert last.zones == match.view(-1).zones


def test_where_too_few_can_stake_again_that_is_said_last() -> None:
    match = play(dealt(1, 8, rounds=2, chips=7), "0: draw, card 7, 0: stop")
    won, last = after(match, "1: fold")[2:]
    assert steps(won, last) == [("good", 1100), ("reveal", 1100)] and "Fewer than two" in says(last)
    assert last.light == ("pot",) and match.over


@EVERYBODY
def test_secret_stakes_are_shown_together(seat: int) -> None:
    match = stage(NAME, 3, "0: stake, 1: sit", sit_out=True)
    (shown,) = after(match, "2: stake", seat=seat)
    assert steps(shown) == [("flip", 1100)] and shown.light == ("stake-0", "stake-2") and shown.seats == (0, 2)
    assert counts(shown, "stake-0", "stake-1", "stake-2") == [5, 0, 5] and "Everyone shows" in says(shown)


@EVERYBODY
def test_a_round_that_too_few_stake_in_is_seen_before_it_is_over(seat: int) -> None:
    match = stage(NAME, 3, "0: sit, 1: sit", sit_out=True, rounds=2)
    shown, nothing, begins = after(match, "2: stake", seat=seat)
    assert steps(shown, nothing, begins) == [("flip", 1100), ("reveal", 1100), ("deal", 600)]
    for beat in (shown, nothing):
        assert counts(beat, "stake-0", "stake-2", "chips-2") == [0, 5, 95] and beat.light == ("stake-2",)
        assert [str(lies(beat, f"stones-{p}").note) for p in range(3)] == ["sits out", "sits out", "None"]
    assert "Fewer than two" in says(nothing) and counts(begins, "stake-2", "chips-2") == [0, 100]


@pytest.mark.parametrize(("staking", "told"), [("stake", "go back"), ("sit", "Fewer than two")])
def test_stakes_go_back_at_the_end_of_a_session_that_too_few_stake_in(staking: str, told: str) -> None:
    match = stage(NAME, 2, "0: sit", sit_out=True)
    last = after(match, f"1: {staking}")[-1]
    assert match.over and steps(last) == [("chips", 600)] and told in says(last)
    assert last.light == (("chips-1",) if staking == "stake" else ("pot",))


def test_open_stakes_are_put_down_one_after_another() -> None:
    match = stage(NAME, 3, sit_out=True, stakes="open")
    staked, out, last = after(match, "0: stake, 1: sit, 2: stake")
    assert steps(staked, out, last) == [("chips", 500), ("place", 500), ("chips", 500)]
    assert [beat.seats for beat in (staked, out, last)] == [(0,), (1,), (2,)]
    assert (staked.light, out.light) == (("stake-0",), ("stones-1",)) and "stakes" in says(staked)
    assert counts(staked, "stake-0", "chips-0", "stake-1") == [5, 95, 0]


# --- all of a session -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(2))
def test_no_card_and_no_chip_comes_or_goes_between_the_steps_of_a_session(seed: int) -> None:
    players, last = 2 + seed, 0
    match = hexdeck.game(NAME, players, rounds=2, chips=20).match(by_hand=True, backend="interpreted")
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
            chips = [zone.count or 0 for zone in beat.zones if zone.id.startswith(("pot", "chips", "stake"))]
            assert sum(chips) == 20 * players and beat.light and beat.line
        last = match.length
