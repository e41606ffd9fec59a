"""Black Hearts, rule by rule (BH-1 to BH-14): positions made by hand; what must follow is read from the rules."""

import random
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck import testing
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.random import below, pick
from hexdeck.games.black_hearts import rules
from tests.positions import refusal, total_weight, whole, zone
from tests.settings import much
from tests.support import names, play, stage

from .staging import (
    NAME,
    OPENING,
    ROOMY,
    card,
    caught,
    dealt,
    hands,
    kind,
    last_trick,
    lay,
    leading,
    listed,
    passed,
    reasons,
    sent,
    totals,
    winner,
)

FEW = {"curse_numbers": "1-2", "curse_points": "13-13", "random_copies": "2-2-2-2-2-2"}


# --- cards ---
@pytest.mark.rule("BH-1")
def test_three_to_six_play_with_six_cards_of_each_colour_and_eighteen_white_ones() -> None:
    assert {hexdeck.game(NAME, players).players for players in range(3, 7)} == {3, 4, 5, 6}
    for players in (2, 7):
        with pytest.raises(hexdeck.BadOption, match="3 to 6"):
            hexdeck.game(NAME, players)
    match = stage(NAME, 6)
    assert listed(match.struct.number) == [1, 2, 3, 4, 5, 6] * 3
    assert listed(match.struct.stock) == [1] * 12 + [3] * 6 and match.struct.due == 30


@pytest.mark.rule("BH-1")
@pytest.mark.parametrize(
    ("curse_numbers", "fixed_numbers", "random_copies", "numbers"),
    [
        ("6-1-1-3", "2-5", "9-0-0-9-0-9", [6, 1, 1, 3, 0, 0, 2, 5, 0, 0, 0, 0, 1, 0, 0, 4, 0, 6]),
        ("6", "4", "9-9-9-9-9-8", [6, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_cards_may_be_others(curse_numbers: str, fixed_numbers: str, random_copies: str, numbers: list[int]) -> None:
    options = {"curse_numbers": curse_numbers, "fixed_numbers": fixed_numbers, "random_copies": random_copies}
    points = "-".join("1" for _ in curse_numbers.split("-"))
    match = stage(NAME, 4, curse_points=points, two_oclock=1, **options)
    assert listed(match.struct.number) == numbers
    copies = [int(copies) for copies in random_copies.split("-")]
    assert listed(match.struct.stock) == [int(number > 0) for number in numbers[:12]] + copies


@pytest.mark.rule("BH-1", "BH-4", "BH-13")
@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        (6, {"random_copies": "3-3-3-3-3-2"}, "6 players with 5 cards each need 30 cards, but there are 12 Curse and"),
        (3, {"random_copies": "0-0-7-0-0-0"}, "need 15 cards, but there are 7 Curse .* and 7 Random"),
        (4, {"hand_cards": 2}, "4 players with 2 cards each need 8 cards, but there are 12 Curse"),
        (3, {"hand_cards": 2}, "need 6 cards, but there are 7 Curse"),
        (3, {"hand_cards": 1}, r"\(hand_cards\) can't be 1"),
        (3, {"curse_numbers": "1-2-3"}, "there are 3 Curse cards, but points for 6"),
        (3, {"curse_points": "1-2-3"}, "there are 6 Curse cards, but points for 3"),
        (3, {"fixed_numbers": "6"}, "Two o'clock can't be Fixed card 2; there are 1"),
        (3, {"curse_points": "0-0-0-0-0-0"}, "carry no points"),
        (3, {"curse_points": "0-0-0-0-0-21"}, "from 0 to 20"),
        (3, {"curse_numbers": "0-1-2-3-4-5"}, "from 1 to 6"),
        (3, {"random_copies": "3-3-3-3-3"}, "6 whole numbers from 0 to 9"),
        (3, {"gift_copies": "1-1-1-1"}, "5 whole numbers from 0 to 9"),
    ],
)
def test_cards_that_cannot_be_are_refused(players: int, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(hexdeck.BadOption, match=sentence):
        hexdeck.game(NAME, players, **options)


@pytest.mark.rule("BH-1", "BH-4")
def test_cards_that_just_suffice_are_taken() -> None:
    for players, options in (
        (6, {"random_copies": "9-9-0-0-0-0"}),
        (3, {"random_copies": "0-0-8-0-0-0"}),
        (4, {"hand_cards": 3}),
        (3, {"fixed_numbers": "1-2"}),
        (3, {"curse_points": "0-0-0-0-0-1"}),
        (5, {"random_copies": "0-0-9-4-0-0"}),
    ):
        assert hexdeck.game(NAME, players, **options).players == players


@pytest.mark.rule("BH-2", "BH-10")
def test_curse_cards_carry_thirteen_points_and_other_cards_none() -> None:
    for k, points in enumerate((1, 1, 2, 2, 3, 4), 1):
        assert totals(last_trick(f"C{k} R1 F1")) == ([points, 0, 0] if k > 1 else [0, 0, 1])
    assert totals(last_trick("F6 R6 F5")) == [0, 0, 0]


@pytest.mark.rule("BH-3", "BH-4")
@pytest.mark.parametrize("two_oclock", [1, 2, 6])
def test_two_oclock_is_one_of_the_fixed_cards_and_with_three_the_only_one(two_oclock: int) -> None:
    match = stage(NAME, 3, two_oclock=two_oclock)
    assert [name for name in match.chances() if "fixed" in name] == [f"card fixed-{two_oclock}"]
    match = stage(NAME, 4, two_oclock=two_oclock)
    assert len([name for name in match.chances() if "fixed" in name]) == 6


@pytest.mark.rule("BH-3")
def test_two_oclock_has_number_2() -> None:
    match = stage(NAME, 3)
    assert rules.two_oclock(match.struct) == kind("F2") and match.struct.number[kind("F2")] == 2


# --- dealing ---
@pytest.mark.rule("BH-4", "BH-5")
@pytest.mark.parametrize(("players", "wanted"), [(3, 8), (4, 8), (5, 13), (6, 18)])
def test_five_cards_are_dealt_to_each(players: int, wanted: int) -> None:
    match = stage(NAME, players)
    while not match.acting:
        match.deal(next(reversed(match.chances())))
    stock = listed(match.struct.stock)
    assert sum(stock[:12]) == 0 and sum(stock) == 18 - wanted
    assert listed(match.struct.held) == [5] * players + [0] * (6 - players)
    assert [len(hand.split()) for hand in hands(match)] == [5] * players
    assert match.acting == tuple(range(players)) and match.struct.turn == rules.NONE


@pytest.mark.rule("BH-4")
def test_random_cards_are_as_likely_as_if_eight_had_been_drawn_before() -> None:
    match = stage(NAME, 3)
    special = [*(f"card curse-{k}" for k in range(1, 7)), "card fixed-2"]
    assert match.chances() == dict.fromkeys(special, 18) | {f"card random-{k}": 24 for k in range(1, 7)}
    assert total_weight(match) == 7 * 18 + 18 * 8
    chances = play(match, "card random-3, card curse-4").chances()
    assert (chances["card curse-1"], chances["card random-3"], chances["card random-4"]) == (17, 14, 21)
    assert "card curse-4" not in chances and total_weight(match) == 6 * 17 + 17 * 7


@pytest.mark.rule("BH-4")
def test_no_random_card_comes_when_all_have_come() -> None:
    special = [*(f"card curse-{k}" for k in range(1, 7)), "card fixed-2"]
    match = stage(NAME, 3, *["card random-1, card random-2"] * 3, "card random-3, card random-3")
    assert match.chances() == dict.fromkeys(special, 10) and total_weight(match) == 70
    match = stage(NAME, 3, *["card random-3"] * 8, random_copies="0-0-8-0-0-0")
    assert match.chances() == dict.fromkeys(special, 1) and total_weight(match) == 7
    match = stage(NAME, 4, random_copies="9-0-0-0-0-0", hand_cards=3)
    assert "card random-1" not in match.chances() and total_weight(match) == 12 * 9


# --- passing ---
@pytest.mark.rule("BH-5")
def test_there_is_an_action_for_every_two_cards() -> None:
    pairs = [(a, b) for a in range(18) for b in range(a, 18) if a != b or a >= 12]
    assert len(pairs) == rules.CARD == 159 and len(rules.ACTIONS) == 177 and len(rules.OUTCOMES) == 23
    assert [(rules.LOWER[action], rules.HIGHER[action]) for action in range(159)] == pairs
    assert [rules.PAIR[a] + b for a, b in pairs] == list(range(159))


@pytest.mark.rule("BH-5")
def test_any_two_cards_of_the_hand_may_be_passed() -> None:
    match = dealt(*OPENING)
    pairs = ["C1 F2", "C1 R3", "C1 R6", "F2 R3", "F2 R6", "R3 R3", "R3 R6"]
    assert names(match, 0) == {f"pass {card(pair[:2])} {card(pair[3:])}" for pair in pairs}
    assert all(match.legal_ids(p) == sorted(match.legal_ids(p)) for p in range(3)) and match.acting == (0, 1, 2)
    assert [len(names(match, p)) for p in range(3)] == [7, 10, 10]
    assert reasons(match, 0, "pass curse-1 fixed-2", "pass random-3 random-3") == [0, 0]
    for action in ("pass random-6 random-6", "pass curse-1 curse-2", "pass curse-2 random-3", "pass fixed-2 random-5"):
        assert reasons(match, 0, action) == [rules.PASS_NOT_HELD] and refusal(match, 0, action) == "BH-5"
    assert reasons(match, 0, "play curse-1", "play curse-2") == [rules.NO_PLAY] * 2
    assert refusal(match, 0, "play fixed-2") == "BH-8"


@pytest.mark.rule("BH-5", "BH-16")
def test_two_cards_go_to_the_left_when_all_have_chosen() -> None:
    match = dealt(*OPENING)
    play(match, "2: pass curse-3 random-6, 0: pass random-3 random-3")
    assert match.acting == (1,) and hands(match) == list(OPENING) and match.struct.history == 0
    assert names(match, 0) == set() and reasons(match, 0, "pass curse-1 fixed-2") == [rules.NO_PASS]
    assert refusal(match, 0, "pass curse-1 fixed-2") == "BH-5"
    play(match, "1: pass curse-2 curse-6")
    assert hands(match) == ["C1 C3 F2 R6 R6", "R1 R2 R3 R3 R4", "C2 C4 C5 C6 R5"]
    assert listed(match.struct.held) == [5, 5, 5, 0, 0, 0] and listed(match.struct.choice) == [rules.NONE] * 6
    assert sent(match) == ["R3 R3", "C2 C6", "C3 R6"] and match.struct.sent[3, 0] == rules.NONE


@pytest.mark.rule("BH-4", "BH-6")
@pytest.mark.parametrize(
    ("players", "options"),
    [
        (3, {}),
        (6, {}),
        (4, {"random_copies": ROOMY}),
        (3, {"random_copies": "0-9-0-0-1-9"}),
        (3, FEW | {"hand_cards": 2}),
    ],
)
def test_cards_and_gifts_come_in_haste_as_by_their_weights(players: int, options: dict[str, Any]) -> None:
    """The same numbers from the same generator, however many cards were dealt before."""
    for seed in range(40):
        match, dice = stage(NAME, players, **options), random.Random(seed)
        while not match.over and (match.acting or match.struct.deal <= 2):
            if match.acting:
                match.play(match.actor, dice.choice(match.legal_ids(match.actor)))
            elif dice.random() < 0.1:
                hasten_both_ways(match, seed)
                break
            else:
                match.deal(dice.choice(list(match.chances())))


def hasten_both_ways(match: Match, seed: int) -> None:
    """By the weights as long as no seat acts, and by the game's own function."""
    driver = match.driver
    slow, fast, weights = driver.generator(seed), driver.generator(seed), driver.weights()
    before, s = whole(match), match.struct
    while not match.struct.acting:
        rules.apply_chance(s, pick(weights, len(rules.OUTCOMES), below(slow, rules.chance_weights(s, weights))))
    by_weights = whole(match)
    raw(match.rows)[0] = np.frombuffer(before, np.uint8)
    rules.sample_chance(s, fast)
    assert whole(match) == by_weights and slow.cells == fast.cells


# --- gifts ---
@pytest.mark.rule("BH-6")
def test_a_gift_is_turned_up_after_the_pass() -> None:
    match = passed(*OPENING, gifts=True)
    assert not match.acting and total_weight(match) == 6 and match.struct.gift == rules.NONE
    assert match.chances() == {
        "gift upside-down": 2,
        "gift early-bird": 1,
        "gift little-one": 1,
        "gift second": 1,
        "gift mercy": 1,
    }
    assert [names(match, p) for p in range(3)] == [set()] * 3
    play(match, "gift upside-down")
    assert match.acting == (1,) and match.struct.gift == rules.UPSIDE_DOWN
    assert listed(match.struct.gifts_left) == [1, 1, 1, 1, 1] and names(match, 1) == {"play fixed-2"}


@pytest.mark.rule("BH-6")
@pytest.mark.parametrize("gifts", [False, True])
def test_rounds_may_have_no_gifts(gifts: bool) -> None:
    match = passed(*OPENING, gifts=gifts)
    assert match.acting == (() if gifts else (1,)) and match.struct.gift == rules.NONE
    assert listed(match.struct.gifts_left) == ([2, 1, 1, 1, 1] if gifts else [0] * 5)


def next_round(match: Match) -> Match:
    """Whatever comes first, until cards are to be passed anew; nobody has a point."""
    deal = match.struct.deal
    while match.struct.deal == deal or not match.acting:
        if match.acting:
            match.play(match.actor, match.legal_ids(match.actor)[0])
        else:
            match.deal(next(iter(match.chances())))
        for p in range(3):
            match.struct.caught[p] = match.struct.total[p] = 0
    return match


@pytest.mark.rule("BH-6", "BH-7")
@pytest.mark.parametrize("gift_copies", ["0-0-0-0-2", "0-0-0-0-0", "0-1-2-0-0"])
def test_a_used_gift_leaves_the_game_until_none_is_left(gift_copies: str) -> None:
    match = dealt(*OPENING, gifts=True, gift_copies=gift_copies)
    counts = [int(count) for count in gift_copies.split("-")]
    for _ in range(4):
        for p in range(3):
            match.play(p, match.legal_ids(p)[0])
        chances = {f"gift {rules.GIFTS[g]}": count for g, count in enumerate(counts) if count}
        assert match.chances() == chances and listed(match.struct.gifts_left) == counts
        if chances:
            drawn = next(iter(chances)).removeprefix("gift ")
            counts[rules.GIFTS.index(drawn)] -= 1
            play(match, f"gift {drawn}")
            assert match.struct.gift == rules.GIFTS.index(drawn)
        assert len(match.acting) == 1 and listed(match.struct.gifts_left) == counts
        assert (match.struct.gift == rules.NONE) == (not chances)
        next_round(match)
        assert match.struct.gift == rules.NONE


# --- who wins a trick ---
@pytest.mark.rule("BH-8", "BH-9")
@pytest.mark.parametrize("leader", [0, 1, 2])
@pytest.mark.parametrize(
    ("cards", "first"),
    [
        ("F2 R1 R3", 2),
        ("F2 C6 R3", 1),
        ("F2 R1 R1", 0),
        ("F2 R2 R1", 1),
        ("R2 F2 C2", 2),
        ("F2 R5 C5", 2),
        ("F6 R6 C1", 1),
        ("F2 R6 R1", 1),
    ],
)
def test_the_strongest_number_wins_and_of_equal_ones_the_latest(cards: str, first: int, leader: int) -> None:
    assert winner(cards, leader=leader) == first


@pytest.mark.rule("BH-7", "BH-9")
@pytest.mark.parametrize(
    ("cards", "latest", "earliest"),
    [
        ("F2 R1 R3", 1, 1),
        ("F2 R3 R6", 0, 0),
        ("F2 R2 R3", 1, 0),
        ("F2 R1 C1", 2, 1),
        ("F2 R2 C2", 2, 0),
        ("R6 F6 C5", 2, 2),
    ],
)
def test_upside_down_1_is_the_strongest_number(cards: str, latest: int, earliest: int) -> None:
    assert winner(cards, "upside-down") == latest
    assert winner(cards, "upside-down", reversed_ties="latest", leader=1) == latest
    assert winner(cards, "upside-down", reversed_ties="earliest") == earliest
    assert winner(cards, "upside-down", reversed_ties="earliest", leader=2) == earliest


@pytest.mark.rule("BH-7", "BH-9", "BH-15")
def test_the_table_shows_who_wins_a_trick_as_it_lies() -> None:
    match, seen = leading("R4 R1", "R6 R1", "R2 R1", gift="upside-down", random_copies=ROOMY), []
    for code in ("R4", "R6", "R2"):
        trick = zone(lay(match, code), -1, "trick")
        seen.append((trick.winning, str(trick.note)))
    assert seen == [(0, "winning: Seat 0"), (0, "winning: Seat 0"), (2, "winner: Seat 2")]


@pytest.mark.rule("BH-7")
@pytest.mark.parametrize(
    ("cards", "first"), [("F2 R1 R3", 2), ("F2 R2 R2", 0), ("F2 R5 C5", 1), ("R1 C6 R6", 1), ("F2 R3 R2", 1)]
)
def test_early_bird_gives_a_tie_to_the_earliest(cards: str, first: int) -> None:
    assert [winner(cards, "early-bird", leader) for leader in range(3)] == [first] * 3


@pytest.mark.rule("BH-7")
@pytest.mark.parametrize(
    ("cards", "first"),
    [
        ("F2 R1 R6", 1),
        ("F2 R6 C1", 2),
        ("F2 R1 R5", 2),
        ("F2 R6 R6", 2),
        ("F2 R1 C1", 0),
        ("F2 R5 R6", 2),
        ("F2 R1 R6 R1", 3),
        ("R1 R6 C1 R4", 2),
        ("F1 F6 R3", 0),
        ("R1 R2 R6 R6", 0),
    ],
)
def test_a_little_one_beats_a_6(cards: str, first: int) -> None:
    assert [winner(cards, "little-one", leader) for leader in range(3)] == [first] * 3


@pytest.mark.rule("BH-7")
@pytest.mark.parametrize(
    ("cards", "first"),
    [
        ("F2 R1 R3", 0),
        ("F2 R3 R4", 1),
        ("F2 R4 R3", 2),
        ("F2 R6 C6", 1),
        ("F2 R1 R2", 0),
        ("F2 R5 R2", 2),
        ("F2 R6 C6 R6", 2),
        ("R6 R5 R5 R1", 2),
        ("R2 R1 R1 R1", 3),
    ],
)
def test_second_to_the_crown_wins(cards: str, first: int) -> None:
    assert [winner(cards, "second", leader) for leader in range(3)] == [first] * 3


@pytest.mark.rule("BH-7")
def test_a_card_alone_is_the_strongest_even_when_the_second_wins() -> None:
    match = leading("F2 R4", "R6 R4", "R1 R4", leader=1, gift="second", random_copies=ROOMY)
    assert rules.taker(match.struct, 1, kind("R6")) == 1
    lay(match, "R6")
    assert rules.taker(match.struct, 2, kind("R1")) == 2 and rules.taker(match.struct, 2, kind("C6")) == 1


@pytest.mark.rule("BH-7", "BH-10")
@pytest.mark.parametrize("gift", ["", *rules.GIFTS])
def test_mercy_leaves_out_the_worst_curse_card_of_each(gift: str) -> None:
    match = leading("F2", "R6", "R1", gift=gift)
    for p, codes in enumerate(("C2 C3 C5", "C6", "")):
        match.struct.caught[p] = sum(1 << kind(code) for code in codes.split())
    points = [rules.round_points(match.struct, p) for p in range(3)]
    assert points == ([3, 0, 0] if gift == "mercy" else [6, 4, 0])
    assert totals(lay(match, "F2 R6 R1")) == points


# --- tricks ---
@pytest.mark.rule("BH-8")
@pytest.mark.parametrize("holder", [0, 1, 2])
def test_the_holder_of_two_oclock_after_the_pass_leads_it(holder: int) -> None:
    giver = (holder - 1) % 3
    match = passed(*(OPENING[(p - giver) % 3] for p in range(3)))
    assert match.acting == (holder,) and match.struct.leader == match.struct.turn == holder
    assert match.legal_ids(holder) == [rules.CARD + kind("F2")] and names(match, holder) == {"play fixed-2"}
    assert reasons(match, holder, "play curse-1", "play fixed-3") == [rules.MUST_OPEN, rules.PLAY_NOT_HELD]
    assert refusal(match, holder, "play curse-1") == "BH-8" and reasons(match, holder, "play fixed-2") == [0]
    assert reasons(match, holder, "pass curse-1 random-1") == [rules.NO_PASS]
    lay(match, "F2")
    assert match.acting == ((holder + 1) % 3,) and match.struct.leader == holder


@pytest.mark.rule("BH-8")
def test_any_card_may_be_played_and_there_is_no_following_suit() -> None:
    match = lay(passed(*OPENING), "F2")
    assert names(match, 2) == {f"play {card(code)}" for code in hands(match)[2].split()}
    assert len(names(match, 2)) == 5 and match.legal_ids(2) == sorted(match.legal_ids(2))
    assert names(match, 0) == names(match, 1) == set()
    assert reasons(match, 0, "play curse-3") == [rules.NO_PLAY] and refusal(match, 0, "play curse-3") == "BH-8"
    assert reasons(match, 2, "play curse-1", "play curse-2") == [rules.PLAY_NOT_HELD, 0]
    assert refusal(match, 2, "play curse-1") == "BH-8"


@pytest.mark.rule("BH-8", "BH-9")
def test_the_winner_of_a_trick_leads_the_next() -> None:
    match = leading("F2 C1 R1 R4 R6", "R3 C2 C6 R5 R2", "R6 C3 R4 C4 C5")
    lay(match, "F2 R3 R6")
    assert match.acting == (2,) and match.struct.leader == 2 and match.struct.trick == 1
    assert names(match, 2) == {"play curse-3", "play curse-4", "play curse-5", "play random-4"}
    lay(match, "C3 C1 C2")
    assert match.acting == (2,) and caught(match) == ["", "", "C1 C2 C3"]
    lay(match, "R4 R4 C6")
    assert match.acting == (1,) and caught(match) == ["", "C6", "C1 C2 C3"]
    assert listed(match.struct.winner) == [2, 2, 1, rules.NONE, rules.NONE] and match.struct.trick == 3
    assert [rules.leader_of(match.struct, trick) for trick in range(4)] == [0, 2, 2, 1]
    played = [[match.struct.played[p, t] for t in range(5)] for p in range(3)]
    assert played[2] == [kind("R6"), kind("C3"), kind("R4"), rules.NONE, rules.NONE]
    assert listed(match.struct.held) == [2, 2, 2, 0, 0, 0] and match.struct.deal == 1


# --- scoring ---
@pytest.mark.rule("BH-10", "BH-13")
def test_points_are_added_and_another_round_is_played() -> None:
    match = last_trick("C6 R1 F2", caught=["C1 C3", "C4", "C5"], totals=[5, 0, 2])
    assert totals(match) == [12, 2, 5] and not match.over and not match.acting
    assert match.struct.deal == 2 and match.struct.phase == rules.DEAL and match.struct.ending == 0
    assert match.struct.due == 15 and match.struct.turn == match.struct.trick == match.struct.draws == 0
    assert match.struct.leader == match.struct.gift == rules.NONE and caught(match) == ["", "", ""]
    assert listed(match.struct.stock) == [1] * 6 + [0, 1, 0, 0, 0, 0] + [9] * 6
    assert listed(match.struct.held) == [0] * 6 and listed(match.struct.winner) == [rules.NONE] * 5
    empty = [match.struct.played[p, t] for p in range(6) for t in range(5)] + [
        match.struct.sent[p, i] for p in range(6) for i in range(2)
    ]
    assert set(empty) == {rules.NONE} and match.struct.hand[0, kind("C6")] == 0


@pytest.mark.rule("BH-11")
def test_who_captures_all_curse_cards_wins_whatever_the_totals() -> None:
    match = last_trick("F2 C6 R5", caught=["", "C1 C2 C3 C4 C5"], totals=[0, 12, 0])
    assert match.over and match.ending == "all curses" and match.returns() == (0, 1, 0) and totals(match) == [0, 25, 0]
    assert not any(rules.cursed(match.struct, p) for p in range(3))
    assert match.acting == () and match.struct.turn == rules.NONE and match.chances() == {} and match.struct.over == 1
    match = last_trick("F1 C6 R5", caught=["", "C1 C2 C3 C4 C5"])
    assert match.ending == "all curses" and match.struct.caught[1] == 0b111111
    match = last_trick("F2 C6 R5", caught=["C1", "C2 C3 C4 C5"])
    assert not match.over and match.struct.deal == 2
    match = last_trick("F2 C6 R5", caught=["C1", "C2 C3 C4 C5"], totals=[0, 2, 3])
    assert match.ending == "thirteen points" and match.returns() == (1, 0, 0)


@pytest.mark.rule("BH-12", "BH-14")
@pytest.mark.parametrize(
    ("before", "returns", "cursed"),
    [
        ([9, 4, 5], (0, 1, 0), [0]),
        ([9, 4, 4], (0, 0.5, 0.5), [0]),
        ([20, 13, 14], (0, 1, 0), [0, 2]),
        ([9, 13, 13], (1 / 3, 1 / 3, 1 / 3), []),
        ([9, 12, 12], (0, 0.5, 0.5), [0]),
        ([10, 12, 15], (0, 1, 0), [0, 2]),
    ],
)
def test_the_lowest_total_wins_and_others_with_thirteen_are_cursed(before, returns, cursed) -> None:
    match = last_trick("C6 R1 F2", totals=before)
    assert match.returns() == pytest.approx(returns, abs=1e-12) and sum(match.returns()) == pytest.approx(1)
    assert [p for p in range(3) if rules.cursed(match.struct, p)] == cursed
    assert ["cursed" in str(text) for text in match.view(-1).outcome_texts] == [p in cursed for p in range(3)]


@pytest.mark.rule("BH-5", "BH-7", "BH-8", "BH-10", "BH-12")
def test_the_example_of_the_rules_page() -> None:
    match = dealt("C1 C5 R2 R4 R6", "C3 C6 F2 R1 R4", "C2 C4 R3 R5 R6", gifts=True)
    play(match, "0: pass curse-5 random-6, 1: pass curse-6 fixed-2, 2: pass curse-4 random-6, gift early-bird")
    assert hands(match) == ["C1 C4 R2 R4 R6", "C3 C5 R1 R4 R6", "C2 C6 F2 R3 R5"]
    lay(match, "F2 R4 C3 R6 R6 C6 C1 R4 R3 R1 R5 C4")
    assert caught(match) == ["C3 C6", "C1", "C4"] and match.acting == (2,)
    lay(match, "C2 R2 C5")
    assert totals(match) == [6, 5, 2] and match.struct.deal == 2


def test_no_card_is_made_or_lost() -> None:
    testing.run("conservation", "black-hearts", matches=much(1, 3))
