"""Wolf-Man's Curse, rule by rule (WC-1 to WC-18): positions made by hand; what must follow is read from the rules."""

from collections.abc import Sequence
from typing import Any

import pytest

import hexdeck
from hexdeck import testing
from hexdeck.engine.play.match import Match
from hexdeck.games.wolf_mans_curse import rules
from tests.positions import fields, refusal, total_weight, whole, zone
from tests.support import names, play, stage

from .test_ending import before_the_end

NAME = "wolf-mans-curse"
SUITS = ("clubs", "spades", "hearts", "diamonds")
NUMBERS = {f"card {rank}{suit}": 1 for suit in "cshd" for rank in ("A", *range(2, 11))}
FACES = {f"face {rank}{suit}": 1 for suit in "cshd" for rank in "JQK"} | {"face joker": 2}
ONLY_QUEEN = "0-0-0-0-0-0-0-1-0-0-0-0-0"
Sheet = Sequence[int]  # points of a seat: clubs, spades, hearts, diamonds


def dealt(*hands: str, **options: Any) -> Match:
    held = [hand.split() for hand in hands]
    order = [f"card {hand[k]}" for k in range(len(held[0])) for hand in held]
    options.setdefault("nights", min(3, len(held[0])))
    return stage(NAME, len(hands), *order, hand_cards=len(held[0]), **options)


def night(match: Match, face: str, *cards: str) -> Match:
    """A face card is turned up, and these cards are played in the order in which seats may act."""
    play(match, f"face {face}")
    for card in cards:
        play(match, f"{match.actor}: play {card}")
    return match


def captor(match: Match) -> int:
    """Who captured last night's cards: in the middle of a month."""
    return (int(match.struct.leader) - 1) % match.game.players


def points(match: Match) -> list[list[int]]:
    return [[zone(match, -1, f"{suit}-{p}").count or 0 for suit in SUITS] for p in range(match.game.players)]


def month(match: Match) -> list[list[int]]:
    return [list(row) for row in fields(whole(match), rules.STRUCT)["month"][: match.game.players]]


def hand(match: Match, seat: int) -> list[str]:
    return list(zone(match, seat, f"hand-{seat}").cards)


def captured(match: Match, seat: int, number: int) -> list[str]:
    return list(zone(match, -1, f"captured-{seat}-{number}").cards)


def jokers(match: Match) -> list[int]:
    return fields(whole(match), rules.STRUCT)["jokers"][: match.game.players]  # type: ignore[no-any-return]


# --- cards ---
@pytest.mark.rule("WC-1")
def test_three_to_eight_play_with_forty_number_cards() -> None:
    for players in range(3, 9):
        match = stage(NAME, players)
        assert match.chances() == NUMBERS and total_weight(match) == 40 and match.struct.deal == 1
    for players in (2, 9):
        with pytest.raises(hexdeck.BadOption, match="3 to 8"):
            hexdeck.game(NAME, players)
    match = stage(NAME, 8)
    while match.struct.phase == rules.DEAL:
        match.deal(next(iter(match.chances())))
    assert [len(hand(match, p)) for p in range(8)] == [5] * 8 and hand(match, 7) == ["8c", "6s", "4h", "2d", "10d"]


@pytest.mark.rule("WC-1")
def test_games_with_fewer_ranks() -> None:
    match = stage(NAME, 3, ranks=2, hand_cards=2, nights=1)
    assert match.chances() == {f"card {rank}{suit}": 1 for suit in "cshd" for rank in "A2"}
    assert hexdeck.game(NAME, 4, ranks=1, hand_cards=1, nights=1).players == 4
    with pytest.raises(hexdeck.BadOption, match="36 number cards can't give 8 players 5 cards"):
        hexdeck.game(NAME, 8, ranks=9)
    with pytest.raises(hexdeck.BadOption, match="4 number cards can't give 5 players 1 cards"):
        hexdeck.game(NAME, 5, ranks=1, hand_cards=1, nights=1)


@pytest.mark.rule("WC-2")
def test_the_face_pile_has_twelve_faces_and_two_jokers() -> None:
    match = dealt("Ac", "2c", "3c")
    assert match.chances() == FACES and total_weight(match) == 14
    play(match, "face joker")
    assert match.chances() == {} and match.acting == (0, 1, 2)
    play(match, "0: play Ac, 1: play 2c, 2: play 3c")
    for number in range(3):
        play(match, f"card {number + 2}c")
    assert match.chances() == FACES | {"face joker": 1} and total_weight(match) == 13


@pytest.mark.rule("WC-2")
def test_games_with_fewer_faces() -> None:
    match = dealt("Ac", "2c", "3c", faces="1-0-0-0-0-1-0-1-0-0-0-1-1")
    assert match.chances() == {"face Jc": 1, "face Ks": 1, "face Qh": 1, "face Kd": 1, "face joker": 1}
    assert total_weight(match) == 5
    assert dealt("Ac", "2c", "3c", faces=ONLY_QUEEN, queen_month=1).chances() == {"face Qh": 1}
    for faces in ("1-1-1-1-1-1-1-0-1-1-1-1-2", "2-0-0-0-0-0-0-1-0-0-0-0-2", "0-0-0-0-0-0-0-1-0-0-0-2-2"):
        with pytest.raises(hexdeck.BadOption, match="at most one of each jack, queen and king"):
            hexdeck.game(NAME, 3, faces=faces)
    for faces in ("1-1", "0-0-0-0-0-0-0-1-0-0-0-0-3"):
        with pytest.raises(hexdeck.BadOption, match="faces"):
            hexdeck.game(NAME, 3, faces=faces)


@pytest.mark.rule("WC-3")
def test_the_score_sheet_has_four_columns_in_this_order() -> None:
    match = stage(NAME, 4)
    shown = [each.id for each in match.view(-1).zones if each.seat == 2]
    assert shown[:4] == ["clubs-2", "spades-2", "hearts-2", "diamonds-2"] and points(match) == [[0] * 4] * 4


# --- a month ---
@pytest.mark.rule("WC-4")
@pytest.mark.parametrize("players", [3, 5, 8])
def test_five_cards_are_dealt_to_each_one_at_a_time(players: int) -> None:
    match, cards = stage(NAME, players), list(NUMBERS)
    for k in range(5 * players):
        assert match.struct.turn == k % players and match.struct.due == 5 * players - k
        play(match, cards[k])
    assert [len(hand(match, p)) for p in range(players)] == [5] * players
    assert match.struct.night == 1 and match.struct.phase == rules.FACE and match.chances() == FACES
    assert match.struct.turn == match.struct.leader == rules.NONE


@pytest.mark.rule("WC-4")
def test_a_month_has_three_nights_and_two_cards_stay_unplayed() -> None:
    match = dealt("Ac 2c 3c 4c 5c", "6c 7c 8c 9c 10c", "As 2s 3s 4s 5s")
    night(match, "Jd", "2c", "6c", "As")
    assert match.struct.night == 2 and match.chances() == {face: n for face, n in FACES.items() if face != "face Jd"}
    night(match, "Jh", "2s", "3c", "7c")
    assert match.struct.night == 3 and [len(hand(match, p)) for p in range(3)] == [3, 3, 3]
    play(match, "face Kd")
    play(match, "2: play 4s, 0: play 5c")
    assert hand(match, 0) == ["Ac", "4c"] and match.struct.deal == 1
    play(match, "1: play 10c")
    assert match.struct.deal == 2 and match.struct.draws == 0 and match.struct.night == 0
    assert match.chances() == NUMBERS and [hand(match, p) for p in range(3)] == [[]] * 3
    assert match.struct.due == 15 and match.struct.turn == 0 and match.struct.leader == rules.NONE
    cleared = [fields(whole(match), rules.STRUCT)[name] for name in ("trick", "captor", "prize", "card")]
    assert cleared == [[0] * 5, [-1] * 5, [-1] * 5, [-1] * 8]


@pytest.mark.rule("WC-4")
def test_hands_and_nights_for_study() -> None:
    match = dealt("Ac 2c", "3c 4c", "5c 6c", nights=2)
    night(night(match, "Jd", "Ac", "3c", "5c"), "Qd", "2c", "4c", "6c")
    assert match.struct.deal == 2 and match.chances() == NUMBERS
    with pytest.raises(hexdeck.BadOption, match="3 nights needs at least that many cards in each hand, not 2"):
        hexdeck.game(NAME, 3, hand_cards=2)
    with pytest.raises(hexdeck.BadOption, match="5 nights needs at least that many cards in each hand, not 4"):
        hexdeck.game(NAME, 3, hand_cards=4, nights=5)
    assert hexdeck.game(NAME, 3, nights=5).players == hexdeck.game(NAME, 3, hand_cards=3).players == 3


@pytest.mark.rule("WC-6")
@pytest.mark.parametrize(
    ("doubling", "winner", "gained"),
    [("strength", 0, [2, 1, 0, 2]), ("points", 1, [4, 1, 0, 2]), ("both", 0, [4, 1, 0, 2])],
)
def test_what_is_doubled(doubling: str, winner: int, gained: list[int]) -> None:
    match = dealt("6c 2d 7c", "8d 3d 8s", "Ac 4d 10h", "5s 9d 3h", doubling=doubling)
    match = night(match, "Jc", "6c", "8d", "Ac", "5s")
    assert captor(match) == winner
    gained = [gained[0] + 2, gained[1], 0, gained[3] - 1]
    assert month(match)[winner] == gained and sum(map(sum, month(match))) == sum(gained)
    leader = (winner + 1) % 4  # the next night has doublings of its own
    cards = {0: "7c", 1: "8s", 2: "10h", 3: "3h"}
    play(match, "face joker")
    for k in range(4):
        play(match, f"{(leader + k) % 4}: play {cards[(leader + k) % 4]}")
    assert captor(match) == 2 and month(match)[2] == [1, 1, 2, 0] and jokers(match) == [0, 0, 1, 0]


@pytest.mark.rule("WC-7")
def test_on_the_first_night_all_choose_at_once() -> None:
    match = play(dealt("Ac 5d 9d", "2c 6d 8d", "3c 7d 4d"), "face joker")
    assert match.acting == (0, 1, 2) and match.struct.leader == rules.NONE
    assert names(match, 1) == {"play 2c", "play 6d", "play 8d"} and match.legal_ids(1) == [1, 35, 37]
    assert [refusal(match, 0, f"play {card}") for card in ("Ac", "2c", "5d", "10d")] == ["", "WC-7", "", "WC-7"]
    assert match.illegal_reason(0, 1) == rules.NOT_CHOSEN_FROM
    play(match, "1: play 6d")
    assert match.acting == (0, 2) and names(match, 1) == set() and match.illegal_reason(1, 1) == rules.CHOSEN
    assert refusal(match, 1, "play 2c") == refusal(match, 1, "play 6d") == "WC-7"
    play(match, "2: play 3c, 0: play 5d")
    assert [hand(match, p) for p in range(3)] == [["Ac", "9d"], ["2c", "8d"], ["7d", "4d"][::-1]]
    assert captured(match, 1, 1) == ["3c", "5d", "6d", "Joker"]


@pytest.mark.rule("WC-7")
def test_the_order_of_choices_doesn_t_matter() -> None:
    ends = []
    for order in ("0: play Ac, 1: play 2c, 2: play 3c", "2: play 3c, 0: play Ac, 1: play 2c"):
        match = play(dealt("Ac 5d", "2c 6d", "3c 7d"), "face Ks", order)
        ends.append(whole(match))
    assert ends[0] == ends[1] and match.struct.leader == 0 and match.struct.night == 2


@pytest.mark.rule("WC-8")
def test_any_card_of_the_hand_may_be_played() -> None:
    match = night(dealt("10c 5d 9h Ac", "2c 6d 8d As", "3c 7d 4d 4s"), "Kh", "10c", "2c", "3c")
    play(match, "face Ks")
    assert match.acting == (1,) and names(match, 1) == {"play As", "play 6d", "play 8d"}
    assert names(match, 0) == names(match, 2) == set()
    assert refusal(match, 0, "play 5d") == "WC-8" and match.illegal_reason(0, 34) == rules.NO_TURN
    assert match.illegal_reason(1, 34) == rules.NOT_HELD and refusal(match, 1, "play 2c") == "WC-8"
    play(match, "1: play As")
    assert names(match, 2) == {"play 7d", "play 4d", "play 4s"} and match.acting == (2,)
    assert zone(match, 0, "tonight").cards == ("As",) and hand(match, 1) == ["6d", "8d"]
    assert match.illegal_reason(1, 35) == rules.NO_TURN


@pytest.mark.rule("WC-9")
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        (("9d", "9h", "9s", "9c"), 3),
        (("9d", "9h", "9s", "8c"), 2),
        (("9d", "9h", "8s", "8c"), 1),
        (("9d", "8h", "8s", "8c"), 0),
        (("9c", "9s", "10d", "9h"), 2),
        (("9h", "8c", "9s", "10d"), 3),
        (("10h", "10s", "10c", "10d"), 2),
    ],
)
def test_the_strongest_captures_and_of_equals_the_first_suit(cards: Sequence[str], winner: int) -> None:
    match = dealt(*(f"{card} {low}" for card, low in zip(cards, ("Ac", "As", "Ah", "Ad"), strict=True)))
    assert captor(night(match, "joker", *cards)) == winner


@pytest.mark.rule("WC-9")
def test_all_cards_of_the_night_are_captured_the_face_card_too() -> None:
    match = night(dealt("10c 5d 8s", "2s 6d 9s", "3h 7d 10s"), "Qd", "10c", "2s", "3h")
    assert captured(match, 0, 1) == ["10c", "2s", "3h", "Qd"] and month(match) == [[1, 1, 1, 3], [0] * 4, [0] * 4]
    night(match, "joker", "6d", "10s", "8s")
    assert captured(match, 2, 2) == ["8s", "10s", "6d", "Joker"] and captured(match, 0, 1)[-1] == "Qd"
    assert month(match) == [[1, 1, 1, 3], [0] * 4, [0, 2, 0, 1]] and jokers(match) == [0, 0, 1]
    assert points(match) == [[0] * 4] * 3 and zone(match, -1, "jokers-2").count == 1


@pytest.mark.rule("WC-10")
def test_points_of_number_cards_and_faces() -> None:
    suits, ranks = enumerate("cshd"), tuple(enumerate("JQK", 2))
    worth = {"joker": (0, 0)} | {f"{rank}{suit}": (k, count) for k, suit in suits for count, rank in ranks}
    for face in worth.keys() - {"Qh"}:
        match, gained = night(dealt("2c", "Ac", "10c"), face, "2c", "Ac", "10c"), [3, 0, 0, 0]
        gained[worth[face][0]] += worth[face][1]
        assert points(match) == [[0] * 4, [0] * 4, gained] and match.struct.deal == 2
        assert jokers(match) == [0, 0, int(face == "joker")]


@pytest.mark.rule("WC-10")
def test_captures_are_scored_at_the_month_s_end() -> None:
    match = dealt("10c 4d 9s 2h", "2c 5d 8s 3h", "3c 10d 7s 4h")
    night(night(match, "Jh", "10c", "2c", "3c"), "Ks", "5d", "10d", "4d")
    assert points(match) == [[0] * 4] * 3 and month(match) == [[3, 0, 2, 0], [0] * 4, [0, 4, 0, 3]]
    night(match, "Jd", "9s", "8s", "7s")
    assert points(match) == [[3, 3, 2, 2], [0] * 4, [0, 4, 0, 3]] and month(match) == [[0] * 4] * 3
    assert not any(each.id.startswith("captured") for each in match.view(-1).zones)
    for suit in "chd":
        play(match, *(f"card {rank}{suit}" for rank in ("2", "3", "4")))
    play(match, "card 2s, card 3s, card 4s")
    night(match, "Qs", "2c", "3c", "4c")
    night(match, "Jc", "2d", "3d", "4s")
    night(match, "Kd", "2s", "3s", "4d")
    assert points(match) == [[3, 3, 2, 2], [0] * 4, [5, 4 + 6, 0, 3 + 7]] and match.struct.deal == 3


# --- the queen of hearts ---
@pytest.mark.rule("WC-11")
def test_too_early_the_queen_of_hearts_is_laid_aside() -> None:
    match = play(dealt("Ac 2d 3d", "4c 5d 6d", "7c 8d 9d"), "face Qh")
    assert match.acting == () and not match.over and match.struct.face == rules.NONE
    others = {face: n for face, n in FACES.items() if face != "face Qh"}
    assert match.chances() == others and total_weight(match) == 13
    assert "Qh" not in str(zone(match, -1, "pile").note) and zone(match, -1, "pile").hidden == 13
    night(match, "Jd", "Ac", "4c", "7c")
    assert match.chances() == {face: n for face, n in FACES.items() if face != "face Jd"}
    play(match, "face Qh")
    assert match.chances() == {face: n for face, n in others.items() if face != "face Jd"}
    night(match, "joker", "2d", "5d", "8d")
    play(match, "face Qh, face joker")
    assert match.acting == (0,) and zone(match, -1, "pile").hidden == 11 and "Qh" in str(zone(match, -1, "pile").note)
    play(match, "0: play 3d, 1: play 6d, 2: play 9d")
    assert match.struct.deal == 2 and month(match) == [[0] * 4] * 3


@pytest.mark.rule("WC-11")
def test_there_must_be_faces_enough_before_the_queen_can_end() -> None:
    three = "1-0-1-0-0-0-0-1-0-0-0-0-1"
    assert hexdeck.game(NAME, 3, faces=three).players == hexdeck.game(NAME, 3, faces=ONLY_QUEEN, queen_month=1).players
    with pytest.raises(hexdeck.BadOption, match="3 other face cards or jokers must come up; there are only 2"):
        hexdeck.game(NAME, 3, faces="1-0-1-0-0-0-0-1-0-0-0-0-0")
    with pytest.raises(hexdeck.BadOption, match="6 other face cards or jokers must come up; there are only 3"):
        hexdeck.game(NAME, 3, faces=three, queen_month=3)
    assert hexdeck.game(NAME, 3, faces=three, queen_month=4, nights=1).players == 3


def at_the_queen(*hands: str, **options: Any) -> Match:
    """On the first night the queen of hearts is turned up, and the game will be over."""
    return play(dealt(*hands, queen_month=1, **options), "face Qh")


@pytest.mark.rule("WC-12")
def test_the_queen_s_night_is_the_last_and_doubles_hearts() -> None:
    match = at_the_queen("6h 2d", "10c 3d", "Ad 4d")
    assert match.acting == (0, 1, 2) and zone(match, -1, "face").cards == ("Qh",)
    play(match, "0: play 6h, 1: play 10c, 2: play Ad")
    assert match.over and match.acting == () and match.chances() == {} and match.struct.queen == 0
    assert points(match) == [[1, 0, 1, 1], [0] * 4, [0] * 4]
    assert match.struct.night == 1 and match.struct.phase == rules.DONE
    assert match.struct.turn == match.struct.leader == match.struct.face == rules.NONE
    assert names(match, 0) == set() and match.illegal_reason(0, 31) == rules.NO_TURN


@pytest.mark.rule("WC-12")
def test_a_queen_in_the_middle_of_a_month_ends_it() -> None:
    match = night(dealt("10s 2d 3d", "2c 5d 6d", "3h 8d 9d", queen_month=1), "Jd", "10s", "2c", "3h")
    play(match, "face Qh")
    assert match.acting == (1,) and points(match) == [[0] * 4] * 3
    play(match, "1: play 5d, 2: play 8d, 0: play 2d")
    assert match.over and points(match) == [[1, 1, 1, 2], [0] * 4, [0, 0, 0, 3]] and match.struct.queen == 2
    assert [hand(match, p) for p in range(3)] == [[]] * 3 and match.struct.deal == match.struct.over == 1
    assert [zone(match, 0, f"hand-{p}").count for p in (1, 2)] == [0, 0]
    assert fields(whole(match), rules.STRUCT)["stock"] == (1 << 40) - 1


@pytest.mark.rule("WC-12")
@pytest.mark.parametrize(("queen_scores", "hearts"), [(False, 0), (True, 3)])
def test_whether_the_queen_of_hearts_scores(queen_scores: bool, hearts: int) -> None:
    match = play(
        at_the_queen("10c 2d", "2s 3d", "3s 4d", queen_scores=queen_scores), "0: play 10c, 1: play 2s, 2: play 3s"
    )
    assert points(match)[0] == [1, 2, hearts, 0]
    match = night(dealt("10c", "2s", "3s", queen_scores=queen_scores), "Qs", "10c", "2s", "3s")
    assert points(match)[0] == [1, 5, 0, 0]


# --- the reckoning ---
def reckoned(*sheet: Sheet, queen: int = 0, joker: bool = False, **options: Any) -> Match:
    """The game is over, with these points, and the queen of hearts before a seat, with a joker or without one."""
    return play(*before_the_end(*sheet, queen=queen, joker=joker, **options))


def seats(bits: int) -> list[int]:
    return [p for p in range(8) if bits >> p & 1]


def judged(match: Match) -> tuple[list[int], list[int], list[int], str]:
    s = match.struct
    return seats(s.lynched), seats(s.hanged), seats(s.winners), rules.ENDINGS[s.ending]


INNOCENT, GUILTY, NOBODY = "innocent survivor", "guilty survivor", "nobody left"


@pytest.mark.rule("WC-13")
@pytest.mark.parametrize("mob_ties", ["all", "none"])
@pytest.mark.parametrize(
    ("clubs", "most"),
    [
        ((3, 2, 1), [0]),
        ((2, 3, 1), [1]),
        ((0, 0, 1), [2]),
        ((9, 10, 0, 9), [1]),
        ((0, 0, 0), []),
        ((0,) * 8, []),
        ((3, 3, 1), [0, 1]),
        ((1, 4, 2, 4, 4), [1, 3, 4]),
        ((2, 2, 2), []),  # all of them
        ((1,) * 8, []),
        ((0, 1, 1, 1, 1, 1, 1, 1), [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_the_mob_lynches_who_has_most_clubs(mob_ties: str, clubs: Sequence[int], most: list[int]) -> None:
    match = reckoned(*((number, 0, 0, 9) for number in clubs), mob_ties=mob_ties)
    lynched = most if mob_ties == "all" or len(most) == 1 else []
    assert judged(match) == (lynched, [], [p for p in range(len(clubs)) if p not in lynched], INNOCENT)
    assert [match.returns()[p] for p in lynched] == [0] * len(lynched)


@pytest.mark.rule("WC-14")
@pytest.mark.parametrize(
    ("sheet", "hanged"),
    [
        (((9, 0, 0, 0), (0, 3, 1, 0), (0, 2, 5, 0)), [1]),
        (((9, 9, 9, 9), (0, 2, 1, 0), (0, 3, 1, 0)), [2]),  # the lynched one doesn't count
        (((9, 0, 0, 0), (0, 3, 0, 0), (0, 2, 5, 0)), []),  # most spades, no heart: nobody instead
        (((9, 0, 0, 0), (0, 0, 4, 0), (0, 0, 5, 0)), []),  # zero spades
        (((9, 0, 0, 0), (0, 3, 1, 0), (0, 3, 7, 0), (0, 1, 1, 1)), [1, 2]),
        (((9, 0, 0, 0), (0, 3, 1, 0), (0, 3, 0, 0), (0, 1, 1, 1)), [1]),
        (((9, 0, 0, 0), (0, 3, 0, 0), (0, 3, 0, 0), (0, 2, 1, 1)), []),
        (((0, 1, 2, 0), (0, 0, 0, 0), (0, 0, 0, 0)), [0]),
    ],
)
def test_the_yard_hangs_who_has_most_spades_and_a_heart(sheet: Sequence[Sheet], hanged: list[int]) -> None:
    match = reckoned(*sheet)
    assert judged(match)[1] == hanged and not set(hanged) & set(judged(match)[2])


@pytest.mark.rule("WC-15", "WC-16")
@pytest.mark.parametrize(
    ("sheet", "winners", "how"),
    [
        (((9, 0, 0, 9), (0, 0, 0, 1), (0, 0, 1, 9)), [1], INNOCENT),  # the only innocent
        (((9, 0, 0, 9), (0, 0, 0, 1), (0, 0, 0, 2), (0, 0, 1, 9)), [2], INNOCENT),
        (((9, 0, 0, 9), (0, 0, 0, 3), (0, 0, 0, 3), (0, 0, 0, 2), (0, 0, 8, 9)), [1, 2], INNOCENT),
        (((9, 0, 0, 9), (0, 9, 0, 0), (0, 0, 1, 9)), [1], INNOCENT),  # spades and no diamonds, but innocent
        (((0, 0, 0, 3), (0, 0, 0, 3), (0, 0, 0, 3)), [0, 1, 2], INNOCENT),
        (((9, 0, 0, 9), (0, 0, 1, 1), (0, 0, 2, 9)), [2], GUILTY),
        (((9, 0, 0, 9), (0, 0, 5, 4), (0, 0, 1, 3), (0, 2, 1, 9)), [1], GUILTY),
        (((9, 0, 0, 9), (0, 0, 1, 4), (0, 0, 2, 3), (0, 0, 3, 4)), [1, 3], GUILTY),
        (((0, 0, 1, 0), (0, 0, 2, 0), (0, 0, 3, 0)), [0, 1, 2], GUILTY),
    ],
)
def test_an_innocent_survivor_wins_and_else_the_richest_of_the_guilty(sheet, winners, how) -> None:
    match = reckoned(*sheet)
    assert judged(match)[2:] == (winners, how)
    assert match.returns() == tuple(1 / len(winners) if p in winners else 0 for p in range(len(sheet)))


@pytest.mark.rule("WC-17")
def test_it_takes_the_queen_of_hearts_and_a_joker() -> None:
    sheet = ((0, 0, 0, 9), (5, 0, 0, 0), (0, 0, 0, 3))
    alone = reckoned(*sheet, queen=0)
    assert judged(alone) == ([1], [], [0], INNOCENT) and alone.struct.released == 0 and alone.struct.queen == 0
    match = reckoned(*sheet, queen=0, joker=True)
    assert judged(match) == ([1], [], [2], INNOCENT) and seats(match.struct.released) == [0]
    other = at_the_queen("2d", "10d", "3d")
    other.struct.jokers[0] = 2
    play(other, "0: play 2d, 1: play 10d, 2: play 3d")
    assert other.struct.queen == 1 and other.struct.released == 0 and judged(other)[2] == [1]


@pytest.mark.rule("WC-17")
@pytest.mark.parametrize(
    ("sheet", "release", "expected"),
    [
        # the mob comes for seat 0
        (((9, 0, 1, 9), (3, 0, 1, 2), (1, 0, 1, 1)), "after", ([0], [], [1], GUILTY)),
        (((9, 0, 1, 9), (3, 0, 1, 2), (1, 0, 1, 1)), "before", ([1], [], [2], GUILTY)),
        # the Yard does
        (((0, 9, 1, 9), (3, 0, 1, 2), (1, 1, 1, 1)), "after", ([1], [0], [2], GUILTY)),
        (((0, 9, 1, 9), (3, 0, 1, 2), (1, 1, 1, 1)), "before", ([1], [2], [], NOBODY)),
        # nobody does: the others can win
        (((0, 0, 0, 9), (3, 0, 0, 2), (1, 0, 1, 1)), "after", ([1], [], [2], GUILTY)),
        (((0, 0, 1, 9), (3, 0, 1, 2), (1, 0, 0, 0), (0, 0, 0, 0)), "after", ([1], [], [2, 3], INNOCENT)),
        (((0, 0, 1, 9), (3, 0, 1, 2), (1, 0, 0, 0), (0, 0, 0, 0)), "before", ([1], [], [2, 3], INNOCENT)),
        # tied with seat 0
        (((3, 0, 0, 9), (3, 0, 0, 2), (1, 0, 0, 1)), "after", ([0, 1], [], [2], INNOCENT)),
        (((3, 0, 0, 9), (3, 0, 0, 2), (1, 0, 0, 1)), "before", ([1], [], [2], INNOCENT)),
        # "every player" is everybody, or everyone left
        (((0, 0, 0, 9), (3, 0, 0, 2), (3, 0, 0, 1)), "after", ([1, 2], [], [], NOBODY)),
        (((0, 0, 0, 9), (3, 0, 0, 2), (3, 0, 0, 1)), "before", ([], [], [1], INNOCENT)),
        (((3, 0, 0, 9), (3, 0, 0, 2), (3, 0, 0, 1)), "after", ([], [], [1], INNOCENT)),
        (((3, 0, 0, 9), (0, 0, 0, 2), (0, 0, 0, 1)), "before", ([], [], [1], INNOCENT)),
    ],
)
def test_the_lover_s_release(sheet: Sequence[Sheet], release: str, expected: object) -> None:
    match = reckoned(*sheet, queen=0, joker=True, release=release)
    assert judged(match) == expected and match.struct.released == 1 and match.returns()[0] == 0


@pytest.mark.rule("WC-18")
def test_everybody_s_fate_is_told() -> None:
    sheet = ((9, 0, 0, 0), (0, 9, 1, 0), (0, 0, 0, 9), (0, 0, 0, 2), (0, 0, 0, 2), (0, 0, 0, 1), (0, 0, 3, 7))
    match = reckoned(*sheet, queen=2, joker=True)
    assert [str(text) for text in match.view(-1).outcome_texts] == [
        "was lynched by the mob",
        "was hanged by Scotland Yard",
        "died by a silver bullet, released from the curse",
        "shared the win, innocent, with 2 diamonds",
        "shared the win, innocent, with 2 diamonds",
        "survived, innocent, but not the richest",
        "survived, guilty, but didn't win",
    ]
    texts = reckoned((9, 0, 0, 0), (0, 0, 1, 5), (0, 0, 1, 1)).view(-1).outcome_texts
    assert [str(text) for text in texts][1:] == ["won, guilty, with 5 diamonds", "survived, guilty, but didn't win"]


@pytest.mark.rule("WC-5", "WC-9", "WC-12", "WC-17")
def test_the_example_of_the_rules_page() -> None:
    hands = ("10c 7s 5h 3d 2c", "9h 8s 6c 4d Ad", "10d 9c 7h 6s 2d")
    match = dealt(*hands, queen_month=1)
    for p, row in enumerate(((1, 1, 1, 0), (1, 3, 0, 1), (0, 0, 1, 6))):
        for suit, number in enumerate(row):
            match.struct.points[p, suit] = number
    match.struct.jokers[0] = 1
    night(match, "Kc", "7s", "6c", "10d")
    assert captured(match, 1, 1) == ["6c", "7s", "10d", "Kc"] and match.struct.leader == 2
    night(match, "Jd", "9c", "3d", "9h")
    assert captured(match, 2, 2) == ["9c", "9h", "3d", "Jd"] and match.struct.leader == 0
    night(match, "Qh", "10c", "8s", "6s")
    assert points(match) == [[2, 3, 1, 0], [6, 4, 0, 2], [1, 0, 2, 9]]
    assert judged(match) == ([1], [0], [2], GUILTY) and seats(match.struct.released) == [0]


def test_no_card_is_made_or_lost() -> None:
    testing.run("conservation", "wolf-mans-curse", matches=3)
