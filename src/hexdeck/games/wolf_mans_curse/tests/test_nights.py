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


@seen("""
    flip 1100 tonight.0, tonight.1, tonight.2 @0,1,2 Everyone turns up their card. {hand-0: 2h; hand-1: =1; hand-2:
      =1; tonight: Ac Ad As}
    growl 1100 tonight.2 @2 Seat 2 is strongest and wins Ac, As, Ad and Js: clubs 1, spades 3, diamonds 1. "Grrr!"
    place 600 captured-2-1 @2 Seat 2 is strongest and wins Ac, As, Ad and Js: clubs 1, spades 3, diamonds 1.
    """)
def test_on_the_first_night_all_turn_up_together_before_the_strongest_takes_them() -> str:
    return after(dealt("face Js, 0: play Ac, 1: play Ad"), "2: play As", seat=0)


@seen("""
    place 500 tonight.2 @2 You play the 2d. {hand-2: ; tonight: 2h 2c 2d (first: Seat 0)}
    growl 1100 tonight.1 @1 Seat 1 is strongest and wins 2c, 2h, 2d and Kc: clubs 5, hearts 1, diamonds 1. "Grrr!"
    place 600 captured-1-2 @1 Seat 1 is strongest and wins 2c, 2h, 2d and Kc: clubs 5, hearts 1, diamonds 1.
      {captured-1-2: 2c 2h 2d Kc; face: ; tonight: }
    chips 600 clubs-1, hearts-1, diamonds-1, clubs-2, spades-2, diamonds-2 @1,2 Month 1 is over: the points are
      counted.
    """)
def test_the_last_card_of_a_night_lies_there_before_it_goes_to_the_winner_and_a_month_is_counted() -> str:
    return after(first_night("face Kc, 0: play 2h, 1: play 2c"), "2: play 2d", seat=2)


@seen("""
    place 500 tonight.0 @0 You play the 2h.
    place 500 tonight.0 @0 Seat 0 plays the 2h.
    """)
def test_a_card_in_its_turn_is_lit_with_the_seat_that_plays_it() -> str:
    return "\n".join(after(first_night("face Kc"), "0: play 2h", seat=seat) for seat in (0, 1))


@seen("""
    moon 1100 face.0 Night 1: Jh is turned up and doubles hearts.
    moon 1100 face.0, hand-0.1 Night 1: Jh is turned up and doubles hearts.
    moon 1100 face.0 Night 1: Jh is turned up and doubles hearts.
    """)
def test_the_moon_rises_and_ones_cards_of_that_suit_are_lit() -> str:
    return "\n".join(after(dealt(), "face Jh", seat=seat) for seat in (-1, 0, 1))


@seen("""
    flip 1100 face.0 Night 1: a joker is turned up and doubles nothing.
    """)
def test_a_joker_doubles_nothing_and_lights_nothing_else() -> str:
    return after(dealt(), "face joker", seat=0)


@seen("""
    flip 1100 face.0 The queen of hearts, too early! Another card comes in her place; she goes back in the pile.
      {face: Qh}
    place 600 pile The queen of hearts, too early! Another card comes in her place; she goes back in the pile.
    """)
def test_the_queen_of_hearts_is_seen_before_she_goes_back_too_early() -> str:
    return after(dealt(queen_month=2), "face Qh")


@seen("""
    last-night 1800 face.0, hand-0.1 Night 1: the queen of hearts! She doubles hearts, and this night is the last.
      {month: =1 (the last night); face: Qh (doubles hearts); tonight: (all choose in secret); pile: +13 (holds Jc,
      Qc, Kc, Js, Qs, Ks, Jh, Kh, Jd, Qd, Kd, Joker and Joker)}
    flip 1100 tonight.0, tonight.1, tonight.2 @0,1,2 Everyone turns up their card. {hand-0: Ac; hand-1: =1; hand-2:
      =1; tonight: 2h 2c 2d}
    growl 1100 tonight.0 @0 Your card is strongest. You win 2c, 2h, 2d and Qh: clubs 1, hearts 1, diamonds 1.
      "Grrr!"
    place 600 captured-0-1 @0 Your card is strongest. You win 2c, 2h, 2d and Qh: clubs 1, hearts 1, diamonds 1.
      {captured-0-1: 2c 2h 2d Qh; face: ; tonight: }
    chips 600 clubs-0, hearts-0, diamonds-0 @0 Month 1 is over: the points are counted. {clubs-0: =1; hearts-0: =1;
      diamonds-0: =1; hand-0: ; queen-0: Qh; hand-1: =0; hand-2: =0}
    torches 1800 clubs-0 @0 You have the most clubs: the angry mob lynches you. {fate-0: (lynched)}
    rope 1100 spades-0, hearts-0, spades-1, hearts-1, spades-2, hearts-2 Nobody left has a spade: Scotland Yard
      hangs nobody.
    verdict 1100 hearts-1, hearts-2 @1,2 No survivor has a heart: all are innocent. {fate-1: (innocent); fate-2:
      (innocent)}
    feast 1800 diamonds-1, diamonds-2 @1,2 Seat 1 survives, innocent, and wins with 0 diamonds. {fate-1: (winner);
      fate-2: (winner)}
    feast 600 diamonds-1, diamonds-2 @1,2 Seat 2 survives, innocent, and wins with 0 diamonds.
    """)
def test_the_light_goes_out_when_the_queen_of_hearts_begins_the_last_night_and_all_is_settled_then() -> str:
    return after(dealt(), "face Qh, 0: play 2h, 1: play 2c, 2: play 2d", seat=0)


@seen("""
    deal 500 month Month 1: the cards are dealt.
    """)
def test_the_deal_is_seen() -> str:
    return after(stage(NAME, 3, ranks=2, hand_cards=2, nights=2), DEAL, seat=1)


@seen("""
    torches 1800 clubs-0 @0 Seat 0 has the most clubs: the angry mob lynches Seat 0. {fate-0: (lynched)}
    torches 1800 clubs-2 @2 Seat 2 has the most clubs: the angry mob lynches Seat 2. {fate-2: (lynched)}
    rope 1100 spades-0, hearts-0, spades-1, hearts-1, spades-2, hearts-2 Nobody left has a spade: Scotland Yard
      hangs nobody.
    verdict 1100 hearts-1 @1 No survivor has a heart: all are innocent. {fate-1: (innocent)}
    feast 1800 diamonds-1 @1 Seat 1 survives, innocent, and wins with 0 diamonds.
    """)
def test_after_the_last_night_come_the_points_and_the_scenes_of_the_end() -> str:
    match = first_night("face Qh, 0: play 2h, 1: play 2c")
    return "\n".join(after(match, "2: play 2d").split("\n")[-5:])
