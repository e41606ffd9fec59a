"""Blackstone, rule by rule (BS-1 to BS-15): positions made by hand; what must follow is read from the rules."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import hexdeck
from hexdeck import testing
from hexdeck.engine.play.match import Match
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.coach import COURSE
from tests.positions import fields, observations, ranks, redealt, refusal, whole, zone
from tests.steps import seen
from tests.support import cards, names, play, stage

NAME = "blackstone"
ROOMY = "9-9-9-9-9-9-9-9-9-9"  # any cards can come from it


def dealt(*first: int, **options: Any) -> Match:
    """These cards have been dealt, to seat 0 and on; one of them is the lowest."""
    return stage(NAME, len(first), cards(*first), **options)


def chips(match: Match) -> list[int | None]:
    return [zone(match, -1, f"chips-{p}").count for p in range(match.game.players)]


def stakes(match: Match) -> list[int | None]:
    return [zone(match, -1, f"stake-{p}").count for p in range(match.game.players)]


def pot(match: Match) -> int | None:
    return zone(match, -1, "pot").count


def taught(match: Match, seat: int, moves: str) -> str:
    return str(COURSE.lessons[rules.TURN, moves, ""](match.knowledge(seat), seat).may)


def white(match: Match) -> int | None:
    return zone(match, -1, "white").count


def before(match: Match) -> list[list[int]]:
    return [ranks(match, -1, f"stones-{p}") for p in range(match.game.players)]


def draw(match: Match, *ranks: int) -> Match:
    """The player on turn draws these cards, as many at first as must be, and stops."""
    p, left = match.actor, list(ranks)
    while left:
        if match.acting:
            match.play(p, "draw")
        match.deal(f"card {left.pop(0)}")
    if match.acting == (p,) and "stop" in names(match, p):
        match.play(p, "stop")
    return match


def left_over(**options: Any) -> Match:
    """Round 1 is over: seat 1 has paid 10, the others have 3 chips each of it, and 1 has stayed in the pot."""
    match = draw(dealt(1, 10, 8, 9, **options), 7, 6)
    return play(match, "1: draw, card 10")


# --- the stakes ---
@pytest.mark.rule("BS-1")
@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("each", [5, 100, 10_000])
def test_everyone_puts_a_stake_of_five_before_them_not_in_the_pot(players: int, each: int) -> None:
    match = stage(NAME, players, chips=each)
    assert chips(match) == [each - 5] * players and stakes(match) == [5] * players and pot(match) == 0
    assert match.acting == () and not match.over
    match.deal("card 3")
    assert before(match)[0] == [3]


@pytest.mark.rule("BS-1", "BS-13")
def test_a_session_is_of_one_round_with_a_hundred_chips_unless_chosen_otherwise() -> None:
    game = hexdeck.game(NAME)
    assert game.options["chips"] == 100 and game.options["rounds"] == 1 and game.options["sit_out"] is False
    assert game.options["stakes"] == "secret"
    assert game.options["extra_ten"] == "not_replaced" and game.options["drawing"] == "stop_freely"
    assert game.options["draw_cap"] is False and game.options["after_fold"] == "carries"
    for name, values in {"chips": (4, 10_001), "rounds": (0, 1001)}.items():
        for value in values:
            with pytest.raises(hexdeck.BadOption):
                hexdeck.game(NAME, **{name: value})
    with pytest.raises(hexdeck.BadOption):
        hexdeck.game(NAME, 11)


@pytest.mark.rule("BS-1", "BS-2")
def test_a_deck_must_have_a_card_for_each() -> None:
    assert hexdeck.game(NAME, 3, deck="1-1-1").players == 3
    with pytest.raises(hexdeck.BadOption, match="A deck of 3 cards can't give 4 players a card each"):
        hexdeck.game(NAME, 4, deck="1-1-1")


@pytest.mark.rule("BS-1", "BS-15")
def test_with_sit_out_the_choices_are_secret_and_revealed_together() -> None:
    match = stage(NAME, 4, sit_out=True)
    assert match.acting == (0, 1, 2, 3) and match.chances() == {}
    assert chips(match) == [100] * 4 and stakes(match) == [0] * 4
    assert names(match, 2) == {"stake", "sit"} and match.legal_ids(2) == [0, 1]
    assert [refusal(match, 2, name) for name in ("stake", "sit", "draw", "stop", "fold", "announce 1")] == [
        *["", ""],
        *["BS-5"] * 4,
    ]
    play(match, "2: stake, 0: sit, 3: stake")
    assert match.acting == (1,) and names(match, 2) == set() and stakes(match) == [0] * 4
    assert refusal(match, 2, "stake") == refusal(match, 0, "sit") == "BS-1" and refusal(match, 1, "sit") == ""
    play(match, "1: stake")
    assert stakes(match) == [0, 5, 5, 5] and chips(match) == [100, 95, 95, 95] and match.acting == ()
    play(match, cards(9, 8, 4))
    assert match.acting == (3,) and white(match) == 3
    draw(match, 7)
    assert match.acting == (1,)
    draw(match, 7)
    assert match.acting == (2,)


@pytest.mark.rule("BS-1")
def test_the_order_of_the_choices_changes_nothing() -> None:
    worlds = [
        whole(stage(NAME, 3, order, sit_out=True))
        for order in ("0: stake, 1: sit, 2: stake", "2: stake, 1: sit, 0: stake")
    ]
    assert worlds[0] == worlds[1]


@pytest.mark.rule("BS-1", "BS-13")
@pytest.mark.parametrize("stakers", [(), (2,), (0,)])
def test_fewer_than_two_stakes_return_and_the_round_counts(stakers: Sequence[int]) -> None:
    match = stage(NAME, 3, sit_out=True, rounds=2)
    for p in range(3):
        match.play(p, "stake" if p in stakers else "sit")
    assert chips(match) == [100] * 3 and stakes(match) == [0] * 3
    assert match.acting == (0, 1, 2) and zone(match, -1, "rounds").count == 2
    for p in range(3):
        match.play(p, "stake" if p in stakers else "sit")
    assert match.over and match.returns() == (0, 0, 0) and match.ending == "too few stakes"


@pytest.mark.rule("BS-1", "BS-5")
def test_without_sit_out_there_is_nothing_to_choose() -> None:
    match = dealt(4, 7)
    assert [refusal(match, p, name) for p in (0, 1) for name in ("stake", "sit")] == ["BS-1"] * 4


def in_the_open(players: int, *events: str, **options: Any) -> Match:
    return stage(NAME, players, *events, **{"sit_out": True, "stakes": "open", **options})


@pytest.mark.rule("BS-1")
def test_stakes_in_the_open_need_sit_out() -> None:
    assert hexdeck.game(NAME, stakes="open").options["sit_out"] is True
    needs = (
        r"^“How players choose whether to stake” \(stakes\) needs “Players may sit a round out” \(sit_out\) to be on\.$"
    )
    with pytest.raises(hexdeck.BadOption, match=needs):
        hexdeck.game(NAME, stakes="open", sit_out=False)
    assert hexdeck.game(NAME, stakes="secret").options["sit_out"] is False


@pytest.mark.rule("BS-1")
def test_in_the_open_the_choices_are_made_clockwise_from_seat_0() -> None:
    match = in_the_open(4)
    asked = []
    for choice in ("sit", "stake", "sit", "stake"):
        asked.append(match.acting)
        assert [names(match, p) for p in range(4)] == [
            {"stake", "sit"} if p == match.actor else set() for p in range(4)
        ]
        assert [refusal(match, p, choice) for p in range(4)] == ["" if p == match.actor else "BS-1" for p in range(4)]
        match.play(match.actor, choice)
    assert asked == [(0,), (1,), (2,), (3,)] and match.acting == ()
    assert stakes(match) == [0, 5, 0, 5] and chips(match) == [100, 95, 100, 95]
    assert play(match, cards(9, 4)).acting == (3,)


@pytest.mark.rule("BS-1", "BS-13")
@pytest.mark.parametrize(("poor", "order"), [(1, [2, 3, 0]), (0, [1, 2, 3]), (2, [1, 3, 0])])
def test_in_the_open_who_cannot_stake_is_skipped(poor: int, order: Sequence[int]) -> None:
    """The second round begins with seat 1, or with the next who can stake."""
    first = [1 if p == poor else 8 for p in range(4)]
    match = in_the_open(4, "0: stake, 1: stake, 2: stake, 3: stake", cards(*first), chips=9, rounds=2)
    play(match, f"{poor}: draw, card 10, {poor}: draw, card 10")  # four white stones: 9 chips
    assert chips(match)[poor] == 0 and not rules.have_chosen(match.struct)
    asked = []
    while match.acting and match.struct.phase == rules.STAKING:
        asked.append(match.actor)
        assert [p for p in range(4) if rules.have_chosen(match.struct) >> p & 1] == sorted(asked[:-1])
        match.play(match.actor, "stake")
    assert asked == order


@pytest.mark.rule("BS-1")
def test_in_the_open_a_stake_lies_there_at_once_and_returns_with_fewer_than_two() -> None:
    match = in_the_open(3, "0: stake", rounds=2)
    assert stakes(match) == [5, 0, 0] and chips(match) == [95, 100, 100] and pot(match) == 0
    play(match, "1: sit")
    assert stakes(match) == [5, 0, 0]
    play(match, "2: sit")
    assert stakes(match) == [0, 0, 0] and chips(match) == [100] * 3 and zone(match, -1, "rounds").count == 2
    play(match, "1: sit, 2: stake, 0: sit")
    assert match.over and match.returns() == (0, 0, 0) and match.ending == "too few stakes"
    assert [str(zone(match, -1, f"stones-{p}").note) for p in range(3)] == ["sits out"] * 3


def facts_since(match: Match, seat: int, since: int) -> list[str]:
    """What a seat was told of the events since a ply."""
    return [str(fact.text) for facts in match.narration()[since:] for fact in facts if fact.heard_by(seat)]


@pytest.mark.rule("BS-1")
def test_in_the_open_all_are_told_at_once_and_see_it() -> None:
    match = in_the_open(3, "0: sit")
    assert facts_since(match, 0, 0) == ["You sit this round out."] and len(facts_since(match, 1, 0)) == 1
    assert "sits this round out" in facts_since(match, 1, 0)[0]
    notes = [str(zone(match, 2, f"stones-{p}").note or "") for p in range(3)]
    assert notes == ["sits out", "", ""] and "Everyone sees what you choose" in str(match.view(1).prompt)
    assert str(match.view(2).prompt) == str(match.view(-1).prompt) != str(match.view(1).prompt)
    play(match, "1: stake")
    assert facts_since(match, 1, 1) == ["You stake."] and "stakes" in facts_since(match, 0, 1)[0]
    play(match, "2: sit")
    assert facts_since(match, 2, 2)[:2] == [
        "You sit this round out.",
        "Fewer than two players stake: there is nothing to win this round.",
    ]


# --- who goes first ---
@pytest.mark.rule("BS-2")
def test_each_round_has_a_shuffle_of_its_own() -> None:
    match = play(dealt(4, 7, rounds=2), "0: draw")
    assert match.struct.deal == 1 and match.struct.draws == 2
    play(match, "card 2, 0: stop, 1: fold")
    assert match.struct.deal == 2 and match.struct.draws == 0
    assert match.chances() == {f"card {rank}": rank for rank in range(1, 11)}
    assert before(match) == [[], []] and white(match) == 0 and ranks(match, -1, "centre") == []
    play(match, cards(10, 4))
    assert match.acting == (1,) and names(match, 1) == {"draw", "fold"} and white(match) == 1
    assert play(match, "1: draw, card 3").acting == (1,)


@pytest.mark.rule("BS-2")
@pytest.mark.parametrize(
    ("dealing", "seat"),
    [
        (((4, 4), (7, 5)), 1),
        (((4, 4), (5, 7)), 0),
        (((4, 9, 4), (9, 8)), 2),  # seats 0 and 2; the 9 of seat 1 no longer counts
        (((9, 4, 4), (8, 5)), 2),
        (((3, 3, 9, 3), (5, 5, 9), (8, 7)), 1),
        (((3, 3, 3, 9), (5, 9, 5), (6, 6), (2, 7)), 0),
        (((9, 3, 5, 3, 3), (6, 9, 6), (4, 1)), 4),
        (((3, 3), (10, 9)), 1),
    ],
)
def test_those_tied_for_lowest_get_one_more_card_each(dealing: Sequence[Sequence[int]], seat: int) -> None:
    match = stage(NAME, len(dealing[0]), cards(*dealing[0]), deck=ROOMY)
    for row in dealing[1:]:
        assert match.acting == () and len(match.chances()) == 10
        play(match, cards(*row))
    assert match.acting == (seat,)


@pytest.mark.rule("BS-2", "BS-4")
def test_tie_break_cards_go_clockwise_from_seat_0_and_lie_there_till_the_first_player_is_known() -> None:
    match = stage(NAME, 4, cards(8, 2, 10, 2))
    assert before(match) == [[8], [2], [10], [2]]
    match.deal("card 10")
    assert before(match) == [[8], [2, 10], [10], [2]]
    assert white(match) == 0 and ranks(match, -1, "centre") == []
    match.deal("card 6")
    assert match.acting == (3,) and before(match) == [[], [10], [10], []]
    assert white(match) == 4 and ranks(match, -1, "centre") == [2, 2, 6, 8]


@pytest.mark.rule("BS-3")
def test_an_extra_ten_counts_as_ten_is_set_aside_and_not_replaced() -> None:
    match = stage(NAME, 2, cards(10, 10))
    assert match.chances()["card 10"] == 8 and before(match) == [[10], [10]]
    match.deal("card 10")
    assert before(match) == [[10], [10]] and ranks(match, -1, "aside") == [10] and match.chances()["card 10"] == 7
    match.deal("card 9")
    assert match.acting == (1,) and before(match) == [[10], [10]] and white(match) == 1
    assert [zone.id for zone in match.view(-1).zones if zone.id == "aside"] == []
    play(match, "1: draw")
    assert match.chances() == {**{f"card {rank}": rank for rank in range(1, 9)}, "card 9": 8, "card 10": 8}


@pytest.mark.rule("BS-3")
def test_with_replaced_another_card_is_dealt_for_an_extra_ten() -> None:
    match = stage(NAME, 2, cards(10, 10, 10), extra_ten="replaced")
    assert ranks(match, -1, "aside") == [10] and before(match) == [[10], [10]]
    match.deal("card 10")
    assert ranks(match, -1, "aside") == [10, 10]
    match.deal("card 3")
    assert before(match) == [[3, 10], [10]] and match.acting == ()
    match.deal("card 4")
    assert match.acting == (0,) and white(match) == 2 and zone(match, -1, "deck").hidden == 51
    assert play(match, "0: draw").chances()["card 10"] == 8


@pytest.mark.rule("BS-3")
@pytest.mark.parametrize("extra_ten", ["not_replaced", "replaced"])
def test_if_the_deck_runs_short_one_of_those_tied_is_picked(extra_ten: str) -> None:
    match = stage(NAME, 4, cards(9, 3, 3, 10), cards(10), deck="0-0-2-0-0-0-0-0-1-2", extra_ten=extra_ten)
    assert match.acting == () and match.chances() == {"seat 1": 1, "seat 2": 1}
    assert match._call("weigh", match._weights) == 2
    match.deal("seat 2")
    assert match.acting == (2,) and before(match) == [[], [10], [], [10]] and white(match) == 3
    assert names(match, 2) == {"fold"}


@pytest.mark.rule("BS-3")
def test_the_deck_is_short_as_soon_as_it_is_empty() -> None:
    match = stage(NAME, 3, cards(5, 5, 9), deck="0-0-0-0-2-0-0-0-1")
    assert match.chances() == {"seat 0": 1, "seat 1": 1}
    match = stage(NAME, 2, cards(10, 10), "card 10", deck="0-0-0-0-0-0-0-0-0-3", extra_ten="replaced")
    assert match.chances() == {"seat 0": 1, "seat 1": 1} and ranks(match, -1, "aside") == [10]
    play(match, "seat 0")  # the ten goes back into the deck
    assert match.acting == (0,) and names(match, 0) == {"draw", "fold"} and zone(match, -1, "deck").hidden == 1
    assert play(match, "0: draw").chances() == {"card 10": 1}


@pytest.mark.rule("BS-4")
def test_cards_below_ten_go_to_the_centre_and_tens_stay() -> None:
    match = dealt(10, 9, 10, 1, 3)
    assert match.acting == (3,) and before(match) == [[10], [], [10], [], []]
    assert white(match) == 3 and ranks(match, -1, "centre") == [1, 3, 9] and zone(match, -1, "deck").hidden == 50


# --- turns ---
@pytest.mark.rule("BS-5")
def test_on_turn_a_player_draws_or_folds() -> None:
    match = dealt(9, 2, 8, drawing="stop_freely", sit_out=False)
    assert match.acting == (1,) and match.legal_ids(1) == [2, 4] and names(match, 1) == {"draw", "fold"}
    assert names(match, 0) == names(match, 2) == set()
    assert [refusal(match, 1, name) for name in ("draw", "stop", "fold", "announce 1", "stake")] == [
        *["", "BS-6", ""],
        *["BS-6", "BS-1"],
    ]
    assert match.illegal_reason(1, 3) == rules.TOO_SOON and match.illegal_reason(1, 5) == rules.NO_NAMING
    assert match.illegal_reason(0, 2) == match.illegal_reason(2, 4) == match.illegal_reason(0, 3) == rules.NOT_NOW


@pytest.mark.rule("BS-6")
def test_the_first_drawer_draws_at_least_one_card_the_next_as_many() -> None:
    match = play(dealt(2, 8, 9), "0: draw, card 4")
    assert names(match, 0) == {"draw", "stop"} and match.legal_ids(0) == [2, 3]
    play(match, "0: draw, card 5, 0: draw")
    assert match.acting == () and play(match, "card 6").acting == (0,)
    play(match, "0: stop, 1: draw, card 3")
    for card in ("card 7", "card 8"):
        assert match.acting == () and names(match, 1) == set()
        match.deal(card)
    assert names(match, 1) == {"draw", "stop"}
    play(match, "1: draw, card 9")
    play(match, "1: stop, 2: draw", cards(4, 5, 6))
    assert match.acting == ()
    match.deal("card 7")
    assert names(match, 2) == {"draw", "stop"}
    play(match, "2: stop, 0: draw", cards(6, 6, 7))
    assert match.acting == () and play(match, "card 7").acting == (0,)


@pytest.mark.rule("BS-6")
def test_while_drawing_nobody_can_fold_or_do_anything_else() -> None:
    match = play(draw(dealt(2, 8, 9), 4, 4), "1: draw, card 3")
    assert match.acting == () and refusal(match, 1, "fold") == refusal(match, 1, "draw") == "BS-5"
    match.deal("card 5")
    assert [refusal(match, 1, name) for name in ("stake", "draw", "stop", "fold", "announce 3")] == [
        *["BS-1", "", "", "BS-5", "BS-6"]
    ]
    assert (
        match.illegal_reason(1, 4) == rules.HAS_DRAWN
        and match.illegal_reason(2, 2) == match.illegal_reason(2, 3) == rules.NOT_NOW
    )


@pytest.mark.rule("BS-6")
def test_announced_the_player_names_the_number_and_draws_exactly_that_many() -> None:
    match = dealt(2, 8, 9, drawing="announced")
    assert names(match, 0) == {"fold", *(f"announce {number}" for number in range(1, 53))}
    assert match.legal_ids(0) == sorted(match.legal_ids(0))
    assert [
        refusal(match, 0, name) for name in ("draw", "stop", "fold", "announce 1", "announce 52", "announce 53")
    ] == [*["BS-6", "BS-6", ""], *["", "", "BS-12"]]
    assert match.illegal_reason(0, 2) == rules.NO_NUMBER and match.illegal_reason(0, 57) == rules.DECK_SHORT
    play(match, "0: announce 3, card 4")
    assert match.acting == () and refusal(match, 0, "stop") == "BS-5"
    match.deal("card 5")
    assert match.acting == ()
    match.deal("card 6")
    assert match.acting == (1,) and white(match) == 6
    assert names(match, 1) == {"fold", *(f"announce {number}" for number in range(3, 50))}
    assert match.illegal_reason(1, 6) == rules.TOO_FEW and refusal(match, 1, "announce 2") == "BS-6"
    assert refusal(match, 1, "announce 3") == refusal(match, 1, "announce 49") == "" != refusal(match, 1, "announce 50")
    play(match, "1: announce 4", cards(9, 9, 9, 9))
    assert match.acting == (2,) and names(match, 2) == {"fold", *(f"announce {number}" for number in range(4, 46))}


@pytest.mark.rule("BS-6")
def test_a_cap_on_drawing_is_the_last_number_and_the_players_still_in() -> None:
    match = play(dealt(2, 8, 9, draw_cap=True), "0: draw, card 4, 0: draw, card 4")
    assert names(match, 0) == {"draw", "stop"} and refusal(match, 0, "draw") == ""
    play(match, "0: draw, card 5")  # 0 and three players
    assert names(match, 0) == {"stop"} and match.legal_ids(0) == [3]
    assert refusal(match, 0, "draw") == "BS-6" and match.illegal_reason(0, 2) == rules.TOO_MANY
    play(match, "0: stop, 1: fold, 2: draw", cards(7, 7, 7))
    assert names(match, 2) == {"draw", "stop"}
    play(match, "2: draw, card 8")
    assert names(match, 2) == {"draw", "stop"}
    play(match, "2: draw, card 8")  # 3 and the two who are left
    assert names(match, 2) == {"stop"}
    play(match, "2: stop, 0: draw", cards(6, 6, 6, 6, 6))
    assert names(match, 0) == {"draw", "stop"}


@pytest.mark.rule("BS-6")
@pytest.mark.parametrize(("draw_cap", "most"), [(False, 52), (True, 3)])
def test_a_cap_on_the_number_announced(draw_cap: bool, most: int) -> None:
    match = dealt(2, 8, 9, drawing="announced", draw_cap=draw_cap)
    assert names(match, 0) == {"fold", *(f"announce {number}" for number in range(1, most + 1))}
    play(match, "0: announce 2, card 4, card 5")
    assert names(match, 1) == {"fold", *(f"announce {number}" for number in range(2, 6 if draw_cap else 51))}
    if draw_cap:
        assert match.illegal_reason(1, 10) == rules.TOO_MANY and refusal(match, 1, "announce 6") == "BS-6"


@pytest.mark.rule("BS-6", "BS-12")
def test_a_cap_beyond_the_deck_is_no_cap() -> None:
    match = dealt(1, 2, 3, deck="1-2-2", drawing="announced", draw_cap=True)
    assert names(match, 0) == {"fold", "announce 1", "announce 2"}
    assert match.illegal_reason(0, 7) == rules.DECK_SHORT and match.illegal_reason(0, 8) == rules.TOO_MANY


@pytest.mark.rule("BS-7")
@pytest.mark.parametrize(("after_fold", "least"), [("carries", 3), ("restarts", 1)])
def test_after_a_fold_the_minimum_is_the_number_last_drawn(after_fold: str, least: int) -> None:
    match = play(draw(dealt(2, 8, 9, 10, after_fold=after_fold), 4, 4, 4), "1: fold, 2: draw")
    for number in range(1, 4):
        assert match.acting == (() if number <= least else (2,))
        if not match.acting:
            match.deal(f"card {number + 4}")
    assert names(match, 2) == {"draw", "stop"}
    play(match, "2: stop, 3: draw")
    for number in range(1, least + 1):
        assert match.acting == ()
        match.deal(f"card {number + 4}")
    assert match.acting == (3,)


@pytest.mark.rule("BS-8")
@pytest.mark.parametrize(("stones", "price"), [(3, 7), (4, 7), (5, 8), (10, 10), (11, 11), (12, 11)])
def test_folding_costs_the_stake_and_half_the_white_stones_rounded_up(stones: int, price: int) -> None:
    match = draw(dealt(7, 8, 9), *[9, 8, 8, 8, 7, 7, 7, 6, 6][: max(1, stones - 3)]) if stones > 3 else dealt(9, 7, 8)
    assert white(match) == stones and match.acting == (1,)
    assert next(move.text for move in match.legal(1) if move.name == "fold") == f"Fold and pay {price} chips"
    play(match, "1: fold")
    assert chips(match) == [95, 100 - price, 95] and stakes(match) == [5, 0, 5] and pot(match) == price
    assert match.acting == (2,)


@pytest.mark.rule("BS-9")
def test_a_second_black_stone_ends_the_drawing_and_the_round_at_once() -> None:
    match = play(draw(dealt(2, 10, 9, rounds=2), 7, 7, 7), "1: draw, card 6, card 10")
    # 2, 9, three 7s and the 6: six white stones; a third card was due
    assert chips(match) == [100, 84, 100] and stakes(match) == [5, 5, 5] and pot(match) == 1
    assert match.acting == () and match.struct.played == 1 and zone(match, -1, "deck").hidden == 55


@pytest.mark.rule("BS-9")
def test_two_black_stones_in_one_turn() -> None:
    match = play(dealt(2, 8), "0: draw, card 10, 0: draw, card 3, 0: draw, card 10")
    assert match.over and match.returns() == (-8, 8) and match.ending == "second black stone"
    assert before(match) == [[10, 10], []] and zone(match, -1, "stones-0").note is not None


# --- the end of a round ---
@pytest.mark.rule("BS-10")
def test_the_last_one_in_takes_the_pot_and_gets_the_stake_back() -> None:
    match = play(dealt(2, 8, 9, 7), "0: fold, 1: fold")
    assert not match.over and pot(match) == 14
    play(match, "2: fold")
    assert match.over and match.returns() == (-7, -7, -7, 21) and pot(match) == 0
    assert chips(match) == [93, 93, 93, 121] and stakes(match) == [0] * 4 and match.ending == "last one in"
    assert match.acting == () and match.legal_ids(3) == [] and refusal(match, 3, "draw") == "BS-5"


@pytest.mark.rule("BS-11", "BS-13")
def test_chips_that_do_not_divide_stay_in_the_pot_and_are_nobodys_at_the_end() -> None:
    match = left_over()
    assert match.over and match.returns() == (3, -10, 3, 3) and pot(match) == 1
    assert chips(match) == [103, 90, 103, 103] and stakes(match) == [0] * 4


# --- the deck runs out ---
@pytest.mark.rule("BS-12")
def test_short_of_the_minimum_the_player_folds_at_the_price_of_then() -> None:
    match = draw(dealt(1, 2, 9, deck="2-2-2-0-0-0-0-0-1"), 1, 2, 3)
    assert match.acting == (1,) and names(match, 1) == {"draw", "fold"} and zone(match, -1, "deck").hidden == 1
    assert next(move.text for move in match.legal(1) if move.name == "draw") == "Draw 1 card"
    assert taught(match, 1, "draw fold").startswith("You need 3 cards, but only 1 is left. Draw it and then fold")
    assert chips(match) == [95, 95, 95] and refusal(match, 1, "draw") == ""
    play(match, "1: draw, card 3")  # seven white stones
    assert chips(match) == [95, 91, 95] and stakes(match) == [5, 0, 5] and pot(match) == 9 and white(match) == 7
    assert match.acting == (2,) and names(match, 2) == {"fold"} and match.legal_ids(2) == [4]
    assert refusal(match, 2, "draw") == "BS-12" and match.illegal_reason(2, 2) == rules.NO_DECK
    play(match, "2: fold")
    assert match.over and match.returns() == (18, -9, -9) and match.ending == "last one in"


@pytest.mark.rule("BS-12")
def test_announced_the_minimum_can_be_named_even_if_the_deck_is_short() -> None:
    match = play(dealt(1, 2, 9, deck="2-2-2-0-0-0-0-0-1", drawing="announced"), "0: announce 3", cards(1, 2, 3))
    assert names(match, 1) == {"fold", "announce 3"} and match.legal_ids(1) == [4, 7]
    assert taught(match, 1, "announce fold").startswith("You need 3 cards, but only 1 is left. Draw it and then fold")
    assert match.illegal_reason(1, 6) == rules.TOO_FEW and match.illegal_reason(1, 8) == rules.DECK_SHORT
    play(match, "1: announce 3, card 3")
    assert chips(match) == [95, 91, 95] and match.acting == (2,) and names(match, 2) == {"fold"}
    assert refusal(match, 2, "announce 3") == "BS-12" and match.illegal_reason(2, 7) == rules.NO_DECK
    assert match.illegal_reason(2, 2) == rules.NO_NUMBER


@pytest.mark.rule("BS-12")
def test_ten_players_can_run_out_of_cards_with_a_black_stone_each() -> None:
    match = stage(NAME, 10, cards(*[10] * 9, 9))  # only seat 9 has none
    low = [rank for rank in range(1, 10) for _ in range(rank)]
    low.remove(9)
    match.play(9, "draw")
    match.deal("card 10")
    while low:
        match.play(9, "draw")
        match.deal(f"card {low.pop()}")
    assert match.acting == (0,) and names(match, 0) == {"fold"} and before(match) == [[10]] * 10
    for p in range(9):
        match.play(p, "fold")  # 45 white stones: 5 + 23
    assert match.over and match.returns() == (*[-28] * 9, 252)


# --- the session ---
@pytest.mark.rule("BS-13")
def test_a_payment_is_capped_at_the_chips_the_player_has() -> None:
    match = play(dealt(2, 8, 9, chips=5), "0: fold")
    assert chips(match) == [0, 0, 0] and stakes(match) == [0, 5, 5] and pot(match) == 5
    match = play(dealt(2, 8, 9, chips=6), "0: fold")
    assert chips(match) == [0, 1, 1] and pot(match) == 6
    match = play(dealt(2, 8, 9, chips=7), "0: fold")
    assert chips(match) == [0, 2, 2] and pot(match) == 7
    match = play(dealt(2, 10, 9, chips=8), "0: draw, card 4, 0: stop, 1: draw, card 10")
    assert match.over and match.returns() == (4, -8, 4)
    match = play(dealt(2, 10, 9, chips=7), "0: draw, card 4, 0: stop, 1: draw, card 10")
    assert match.over and match.returns() == (3, -7, 3) and pot(match) == 1


@pytest.mark.rule("BS-13")
def test_who_cannot_stake_sits_out() -> None:
    match = play(dealt(2, 8, 9, chips=9, rounds=3), "0: fold")  # 7 chips, 2 left
    play(match, "1: draw, card 10, 1: draw, card 4, 1: stop")  # four white stones
    play(match, "2: fold")  # 7 again
    assert chips(match) == [2, 23, 2] and stakes(match) == [0, 0, 0]
    assert match.over and match.ending == "too few can stake" and match.returns() == (-7, 14, -7)
    match = play(dealt(2, 8, 9, 7, chips=9, rounds=3), "0: fold")
    play(match, "1: draw, card 10, 1: draw, card 10")  # four white stones: 9, which with the 7 is 8 each
    assert chips(match) == [2, 0, 12, 12] and stakes(match) == [0, 0, 5, 5] and pot(match) == 0
    play(match, cards(6, 5))
    assert match.acting == (3,) and white(match) == 2
    assert draw(match, 4).acting == (2,) and draw(match, 4).acting == (3,)
    assert zone(match, -1, "stones-1").note is not None and zone(match, -1, "stones-2").note is None


@pytest.mark.rule("BS-13")
def test_the_session_ends_after_its_rounds() -> None:
    match = dealt(2, 8, rounds=3)
    for number in (1, 2):
        play(match, "0: fold")
        assert not match.over and zone(match, -1, "rounds").count == number + 1
        play(match, cards(2, 8))
    play(match, "0: fold")
    assert match.struct.over == 1 and match.returns() == (-18, 18) and match.ending == "last one in"
    assert zone(match, -1, "rounds").count == 3
    assert match.struct.acting == 0 and match.chances() == {}


@pytest.mark.rule("BS-13")
def test_most_chips_wins_and_ties_share() -> None:
    assert [str(text) for text in play(dealt(2, 8), "0: fold").view(-1).outcome_texts] == [
        "ended with 94 chips",
        "won the match with 106 chips",
    ]
    assert [str(text) for text in left_over().view(-1).outcome_texts] == [
        "shared the win, with 103 chips",
        "ended with 90 chips",
        "shared the win, with 103 chips",
        "shared the win, with 103 chips",
    ]


@pytest.mark.rule("BS-14")
def test_utility_is_the_chips_won_or_lost_in_the_session() -> None:
    match = play(dealt(2, 8, rounds=2, chips=20), "0: fold", cards(2, 8), "0: fold")
    assert match.returns() == (-12, 12)


# --- what a player knows ---
@pytest.mark.rule("BS-15")
def test_all_is_known_but_the_order_of_the_deck() -> None:
    match = play(draw(dealt(2, 10, 9), 4, 5), "1: draw, card 3")
    for seat in range(-1, 3):
        assert match.concealed(seat) == whole(match)
        assert redealt(match, seat) == {whole(match): 1}


def masks(match: Match, seat: int) -> dict[int, Fraction]:
    return redealt(match, seat, lambda world: fields(world, rules.STRUCT)["staking"])


@pytest.mark.rule("BS-15")
def test_others_choices_are_unknown_until_all_are_in() -> None:
    match = stage(NAME, 4, "0: stake, 1: sit, 3: stake", sit_out=True)
    other = stage(NAME, 4, "0: stake, 1: stake, 3: sit", sit_out=True)
    assert whole(match) != whole(other) and match.struct.history == 0
    for seat in (-1, 0, 2):
        assert match.concealed(seat) == other.concealed(seat)
    for seat in (1, 3):
        assert match.concealed(seat) != other.concealed(seat)
    quarter = Fraction(1, 4)
    assert masks(match, 0) == {0b0001: quarter, 0b0011: quarter, 0b1001: quarter, 0b1011: quarter}
    assert masks(match, 1) == {0b0000: quarter, 0b0001: quarter, 0b1000: quarter, 0b1001: quarter}
    assert masks(match, 3) == {0b1000: quarter, 0b1001: quarter, 0b1010: quarter, 0b1011: quarter}
    assert len(masks(match, 2)) == len(masks(match, -1)) == 8
    play(match, "2: sit")
    assert match.concealed(-1) == whole(match) and masks(match, 0) == {0: 1}


@pytest.mark.rule("BS-15")
def test_nobody_thinks_that_one_who_cannot_stake_may_have() -> None:
    match = stage(NAME, 3, "0: stake, 1: stake, 2: stake", cards(2, 8, 9), chips=9, rounds=2, sit_out=True)
    play(match, "0: draw, card 10, 0: draw, card 10")  # three white stones: 8 chips
    assert chips(match) == [1, 13, 13] and match.acting == (1, 2)
    assert zone(match, -1, "stones-0").note is not None
    play(match, "1: stake")
    half = Fraction(1, 2)
    assert masks(match, -1) == masks(match, 2) == {0b000: half, 0b010: half} and masks(match, 1) == {0b010: 1}


@pytest.mark.rule("BS-15")
def test_the_revealed_choices_are_public_and_enter_the_history_in_seat_order() -> None:
    ends = {
        stage(NAME, 3, f"2: {c}, 0: {a}, 1: {b}", sit_out=True, rounds=2).struct.history
        for a in ("stake", "sit")
        for b in ("stake", "sit")
        for c in ("stake", "sit")
    }
    assert len(ends) == 8


@pytest.mark.rule("BS-15")
def test_every_public_event_enters_the_history() -> None:
    match, seen = dealt(2, 8, 9, rounds=2), set[int]()
    for event in ("0: draw", "card 4", "0: draw", "card 10", "0: stop", "1: fold", "2: draw", "card 3", "card 3"):
        seen.add(match.struct.history)
        play(match, event)
    assert len(seen) == 9
    tied = [stage(NAME, 2, cards(3, 3), f"seat {p}", deck="0-0-2").struct.history for p in (0, 1)]
    numbers = [play(dealt(2, 8, drawing="announced"), f"0: announce {n}").struct.history for n in (1, 2)]
    assert len({*tied, *numbers}) == 4


@pytest.mark.rule("BS-1", "BS-15")
def test_secret_choices_of_others_are_theirs_to_choose_again() -> None:
    match = stage(NAME, 4, "0: stake, 1: stake, 2: sit", sit_out=True)
    rules.clear_hidden_choices(match.struct, 1)
    assert (match.struct.staking, match.struct.acting) == (0b0010, 0b1101)
    match = play(dealt(2, 8, 9), "0: draw, card 4")
    before = whole(match)
    rules.clear_hidden_choices(match.struct, 1)
    assert whole(match) == before


@pytest.mark.rule("BS-15")
def test_in_the_open_nothing_is_hidden_and_each_choice_enters_the_history_at_once() -> None:
    seen = set[int]()
    for events in ("", "0: stake", "0: sit", "0: stake, 1: stake", "0: stake, 1: sit", "0: sit, 1: stake"):
        match = in_the_open(3, events)
        for seat in range(-1, 3):
            assert match.concealed(seat) == whole(match) and redealt(match, seat) == {whole(match): 1}
            before = whole(match)
            rules.clear_hidden_choices(match.struct, seat)
            assert whole(match) == before
        seen.add(match.struct.history)
    assert len(seen) == 6
    match = in_the_open(3, "0: stake")
    with pytest.raises(hexdeck.HexdeckError, match="no unfinished choice to take back"):
        match.retract(0)


@pytest.mark.rule("BS-15")
@seen
def test_an_observation_of_choices_in_the_open() -> str:
    match = in_the_open(4, "0: sit, 1: stake, 2: sit", chips=300)
    before = observations(match, 3, -1, 0, 1)
    return before + "\n" + observations(play(match, "3: stake"), 0)


@pytest.mark.rule("BS-15")
@seen
def test_an_observation_of_a_round_that_begins() -> str:
    match = draw(stage(NAME, 2, "0: stake, 1: stake", cards(2, 10), sit_out=True, rounds=2), 4, 4)
    return observations(play(match, "1: draw, card 10"), 1)


@pytest.mark.rule("BS-15")
@seen
def test_an_observation_while_choosing() -> str:
    match = stage(NAME, 3, "1: stake, 2: sit", sit_out=True, chips=10_000, rounds=120, draw_cap=True)
    other = stage(NAME, 3, "0: sit", sit_out=True, rounds=1000)
    return observations(match, 1, 2, 0, -1) + "\n" + observations(other, 0, -1)


@pytest.mark.rule("BS-15")
@seen
def test_an_observation_while_drawing() -> str:
    match = stage(NAME, 3, cards(10, 8, 9), chips=345, after_fold="restarts", extra_ten="replaced")
    play(match, "1: fold, 2: draw, card 10, 2: draw, card 5, 2: stop, 0: draw, card 7")  # the fold cost 6
    found = [observations(match, 2), observations(play(match, "card 7"), 0)]
    return "\n".join([*found, observations(play(match, "0: stop"), 0)])


@pytest.mark.rule("BS-15")
@seen
def test_an_observation_of_a_tie_and_of_the_end() -> str:
    match = stage(NAME, 3, cards(4, 9, 4), drawing="announced")
    tie = observations(match, 1)
    return tie + "\n" + observations(play(match, cards(8, 7), "2: fold, 0: fold"), 1)


def test_no_card_is_made_or_lost() -> None:
    testing.run("conservation", "blackstone", matches=3)
