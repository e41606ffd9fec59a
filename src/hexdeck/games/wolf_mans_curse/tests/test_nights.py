"""Wolf-Man's Curse: a night, step by step."""

from hexdeck.engine.play.match import Match
from tests.steps import after, seen
from tests.support import stage

NAME = "wolf-mans-curse"
DEAL = "card Ac, card 2c, card As, card 2h, card Ad, card 2d"  # seat 0 has Ac 2h, seat 1 2c Ad, seat 2 As 2d


def dealt(*events: str, **options: int) -> Match:
    """Three players with hands of two, before the first night, and then these events."""
    return stage(NAME, 3, DEAL, *events, **({"ranks": 2, "hand_cards": 2, "nights": 2, "queen_month": 1} | options))


def first_night(*events: str) -> Match:
    """... and after it: seat 2's As was the strongest by its suit."""
    return dealt("face Js, 0: play Ac, 1: play Ad, 2: play As", *events)


@seen
def test_on_the_first_night_all_turn_up_together_before_the_strongest_takes_them() -> str:
    return after(dealt("face Js, 0: play Ac, 1: play Ad"), "2: play As", seat=0)


@seen
def test_the_last_card_of_a_night_lies_there_before_it_goes_to_the_winner_and_a_month_is_counted() -> str:
    return after(first_night("face Kc, 0: play 2h, 1: play 2c"), "2: play 2d", seat=2)


@seen
def test_a_card_in_its_turn_is_lit_with_the_seat_that_plays_it() -> str:
    return "\n".join(after(first_night("face Kc"), "0: play 2h", seat=seat) for seat in (0, 1))


@seen
def test_the_moon_rises_and_ones_cards_of_that_suit_are_lit() -> str:
    return "\n".join(after(dealt(), "face Jh", seat=seat) for seat in (-1, 0, 1))


@seen
def test_a_joker_doubles_nothing_and_lights_nothing_else() -> str:
    return after(dealt(), "face joker", seat=0)


@seen
def test_the_queen_of_hearts_is_seen_before_she_goes_back_too_early() -> str:
    return after(dealt(queen_month=2), "face Qh")


@seen
def test_the_light_goes_out_when_the_queen_of_hearts_begins_the_last_night_and_all_is_settled_then() -> str:
    return after(dealt(), "face Qh, 0: play 2h, 1: play 2c, 2: play 2d", seat=0)


@seen
def test_the_deal_is_seen() -> str:
    return after(stage(NAME, 3, ranks=2, hand_cards=2, nights=2), DEAL, seat=1)


@seen
def test_after_the_last_night_come_the_points_and_the_scenes_of_the_end() -> str:
    match = first_night("face Qh, 0: play 2h, 1: play 2c")
    return "\n".join(after(match, "2: play 2d").split("\n")[-5:])
