"""High Handed's reference itself: random games end and conserve cards; the rules page's examples; positions by hand."""

import random
from typing import Any

import pytest

from tests.reference.play import play, replay, step
from tests.settings import much
from tests.support import for_each

from . import reference_scoring
from .reference import Reference, card_in, is_regular, rank_and_suit
from .reference_scoring import LINES, Card, Cell, points

Events = list[tuple[int, str]]

OPTIONS: dict[str, list[Any]] = {
    "rows": [8, 8, 7, 6, 5, 1, 64],
    "columns": [8, 8, 7, 6, 5, 1, 64],
    "two_timers": [0, 1, 2, 4],
    "thieves": [0, 1, 2, 4],
    "first": ["first_seat", "lot"],
    "specials": [0, 1, 2, 2, 3],
    "two_thieves": [False, True],
    "lone_special": ["empty", "anywhere"],
    "strangers": ["no", "no", "yes"],
    "line_hands": ["one", "two"],
    "new_hand": ["overlap", "line"],
    "choose_pile": [False, True],
    "length": ["regular", "regular", "double", "first_to_two"],
    "teams": [0, 0, 2, 3],
    "manual_draw": [False, True],
    "grandpa_rule": [None, None, [0], [1, 0]],
    "uncle_bob_rule": [False, True],
    "ranks": [13, 13, 10, 6, 3, 1],
    "suits": [4, 4, 2, 1],
    "hand": [0, 0, 1, 2, 3, 7],
    "blind": [5, 5, 0, 1],
}
NOT_TOGETHER = (
    "too few cards",
    "too few cells",
    "too many cells",
    "the teams",
    "a team is",
    "needs manual_draw",
    "two thieves",
)


def random_game(rng: random.Random) -> Reference:
    """A game with random options; those that can't be played together are drawn again."""
    while True:
        try:
            return Reference(rng.randint(2, 6), **{name: rng.choice(values) for name, values in OPTIONS.items()})
        except ValueError as error:
            if not any(reason in str(error) for reason in NOT_TOGETHER):
                raise


# -- random games -----------------------------------------------------------------------------------------------


def check(game: Reference) -> None:
    """Every card is somewhere, once; the piles and the blind hand make the bag."""
    stacks = sum(game.board.values(), [])
    assert sorted(game.bag + sum(game.hands, []) + stacks + game.gone) == sorted(game.all_cards)
    assert all(game.board.values()) or game.phase == "stack"  # a Thief is on its cell at once
    assert min(game.piles) >= 0
    if game.phase not in ("deal", "turned"):
        assert len(game.bag) == sum(game.piles) + game.blind
    assert max(map(len, game.hands)) <= game.hand_size + game.uncle_bob_rule


@for_each("seed", range(much(60, 200)))
def test_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(rng)
    while not game.over:
        assert bool(game.chance()) != bool(game.acting())
        assert all(game.legal(seat) for seat in game.acting())
        step(game, rng)
        check(game)
    assert not game.chance() and not game.acting() and not any(game.hands)
    assert game.ending() == ("two games won" if game.length == "first_to_two" else "played out")
    returns = game.returns()
    assert returns.count(max(returns)) == game.players / game.sides or max(returns) == 0
    assert game.manual_draw or sum(game.piles) == 0


def test_play_and_replay_agree() -> None:
    first, second = Reference(3, length="double"), Reference(3, length="double")
    replay(second, play(first, random.Random(1)))
    assert second.over and first.returns() == second.returns() and first.total == second.total


@pytest.mark.parametrize(
    ("players", "options", "reason"),
    [
        (6, {"ranks": 3, "suits": 4}, "too few cards"),
        (2, {"rows": 7, "columns": 6}, "too few cells"),
        (4, {"rows": 10, "columns": 5}, "too few cells"),
        (2, {"rows": 9}, "too many cells"),
        (5, {"teams": 2}, "not equal"),
        (3, {"teams": 3}, "at least two"),
        (2, {"grandpa_rule": [0]}, "needs manual_draw"),
        (2, {"uncle_bob_rule": True}, "needs manual_draw"),
        (2, {"grandpa_rule": [2], "manual_draw": True}, "nobody has"),
        (7, {}, "players"),
    ],
)
def test_options_that_do_not_fit_are_refused(players: int, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Reference(players, **options)


def test_hh_1_to_4_the_cards() -> None:
    for players, cards, hand in ((2, 54, 7), (3, 54, 7), (4, 56, 7), (5, 56, 5), (6, 56, 5)):
        game = Reference(players)
        assert len(game.all_cards) == cards and game.hand_size == hand
        rng = random.Random(0)
        while game.phase == "deal":
            step(game, rng)
        rest = cards - players * hand - 5
        assert game.piles == [(rest + 1) // 2, rest // 2] and game.acting() == {0}
    Reference(3, rows=7, columns=7)  # 49 cells do for 2 or 3 players


# -- the scorer -------------------------------------------------------------------------------------------------


def card(code: str) -> Card:
    found = rank_and_suit(code)
    assert found is not None
    return found


def line_points(text: str, *, suit_of_rest: str = "", **options: str) -> int:
    """What the placed card, in brackets, scores in a line of these cards; "." is an empty cell.

    A card without a suit gets c and d in turn, so that there is no flush; the points are the same in all four
    directions and with the line the other way round.
    """
    words = text.split()
    codes = [word.strip("[]") for word in words]
    suited = [code if code == "." or code[-1] in "cshd" else code + "cd"[at % 2] for at, code in enumerate(codes)]
    placed = next(at for at, word in enumerate(words) if word.startswith("["))
    size = len(words)
    found = set()
    for order in (1, -1):
        for name, (down, right) in LINES.items():
            top = size - 1 if down < 0 else 0
            cells = [(top + down * at, right * at) for at in range(size)][::order]
            after: dict[Cell, Card | None] = {
                cell: None if code == "." else card(code) for cell, code in zip(cells, suited, strict=True)
            }
            before = after | {cells[placed]: None}
            lines = points(before, after, cells[placed], size, size, **options)
            assert all(scored == 0 for other, scored in lines.items() if other != name)
            found.add(lines[name])
    assert len(found) == 1
    return found.pop()


@pytest.mark.parametrize(
    ("line", "scored"),
    [
        ("2 2 [2]", 4),
        ("A A 3 3 [A]", 6),
        ("J K K [J]", 3),
        ("7 7 [7] 7", 6),
        ("2 9 [2]", 0),
        ("2s 5s 9s Js Ks [7s]", 0),
        ("2s 4s 5s 6s 7s [8s]", 15),
        ("9s 10s Js Qs Ks [As]", 20),
        ("[9s] 10s Js Qs Ks As", 0),
        ("3 4 5 6 7 [8]", 0),
        ("A A 3 3 5 [5]", 1),
        ("3 3 3 5 5 [5]", 4),
        ("9 9 9 9 5 [5]", 6),
        ("2 2 9 7 [7]", 1),
    ],
)
def test_hh_14_examples(line: str, scored: int) -> None:
    assert line_points(line) == scored


@pytest.mark.parametrize(
    ("line", "scored"),
    [
        ("5 3 7 4 [6]", 10),  # any order
        ("A 2 3 4 [5]", 10),
        ("10 J Q K [A]", 10),
        ("J Q K A [2]", 0),  # the ace is never in the middle
        ("2s 5s 9s Js [7s]", 10),
        ("As 2s 3s 4s [5s]", 15),
        ("10s Qs As Ks [Js]", 20),
        ("5 5 9 9 [9]", 6),  # three of a kind is worth less than the full house
        ("2 2 . 2 [2]", 1),  # an empty cell breaks the line
        ("2 2 [2] . 2", 4),
        ("2 2 [2] 2", 6),
        ("3 3 [3] 5 5", 6),
        ("3 [3] 3 5 5", 6),
        ("3 [3]", 1),
        ("[3]", 0),
        ("2s 4s 6s 8s [10s] Qs Ah 3h 5h", 10),
        ("2s 4s 6s 8s [10d] Qs 5s 3s As", 0),
    ],
)
def test_hh_11_and_12_hands(line: str, scored: int) -> None:
    assert line_points(line) == scored


@pytest.mark.parametrize(
    ("line", "no", "yes"),
    [
        ("2 9 [2]", 0, 1),
        ("2 9 8 7 [2]", 0, 1),
        ("2 9 8 7 6 [2]", 0, 0),  # more than five cells
        ("2 9 2 [2]", 1, 4),
        ("2 2 9 7 [7]", 1, 3),
        ("2 9 2 8 [2]", 0, 4),
        ("2 2 9 2 [2]", 1, 6),
        ("2 9 2 [K]", 0, 0),  # the placed card is one of the hand's own
        ("3 4 9 5 6 [7]", 0, 0),  # a straight needs five cells
        ("2 9 . [2]", 0, 0),
        ("[10h] 2c 2d 10c 6d 6c", 3, 1),  # two pair isn't new where 2 2 6 6 count as one
    ],
)
def test_hh_11_strangers(line: str, no: int, yes: int) -> None:
    assert line_points(line) == no
    assert line_points(line, strangers="yes") == yes


def test_hh_13_two_hands_of_one_line() -> None:
    assert line_points("2 2 [2] 9 K") == line_points("2 2 [2] 9 K", line_hands="two") == 4
    line = "5 6 7 8 [9] J K Q 10"
    assert line_points(line) == 10 and line_points(line, line_hands="two") == 20
    line = "2s 3s 4s 5s [6s] 8c 7d 9c 10d"  # a straight flush, and a straight
    assert line_points(line) == 15 and line_points(line, line_hands="two") == 25
    line = "4 4 [4] 4 4"  # not with one deck: three of a kind on both sides, or four
    assert line_points(line) == 6 and line_points(line, line_hands="two") == 8
    assert line_points("J J [J] J", line_hands="two") == 6  # a pair and three of a kind are 4, as J J was a pair


def test_hh_14_nothing_new_anywhere_in_the_line() -> None:
    assert line_points("2 2 9 7 [7]") == 1 and line_points("2 2 9 7 [7]", new_hand="line") == 0
    assert line_points("2 2 . 7 [7]", new_hand="line") == 1  # not the same unbroken line
    assert line_points("2 2 9 5 4 J 6 8 Q 10 7 [7]", new_hand="line") == 0  # far away, but in the line
    assert line_points("2 2 9 5 4 J 6 8 Q 10 7 [7]") == 1


def test_hh_13_hands_in_different_lines_add_up() -> None:
    before: dict[Cell, Card | None] = {(0, 1): card("7c"), (1, 0): card("7d"), (0, 0): card("7h"), (3, 0): card("8h")}
    after = before | {(1, 1): card("7s")}
    assert points(before, after, (1, 1), 8, 8) == {
        "row": 1,
        "column": 1,
        "falling diagonal": 1,
        "rising diagonal": 0,
    }


def test_looking_only_nearby_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random full lines of 20 cells score the same when the whole line is looked at."""
    rng = random.Random(7)
    cases = []
    for at in range(200):
        after: dict[Cell, Card | None] = {(0, column): (rng.randint(1, 6), rng.choice("cs")) for column in range(20)}
        cell = (0, rng.randrange(20))
        before = after | {cell: rng.choice([None, card("6h")])}
        cases.append((before, after, cell, 1, 20, "no" if at % 4 else "yes", rng.choice(["one", "two"])))
    nearby = [points(*case) for case in cases]
    monkeypatch.setattr(reference_scoring, "nearby", lambda line, cell, distance: line)
    assert [points(*case) for case in cases] == nearby
    assert sum(scores["row"] > 0 for scores in nearby) > 50


# -- positions by hand ------------------------------------------------------------------------------------------


def dealt(hands: list[str], **options: Any) -> Reference:
    """A game in which every seat is dealt these cards."""
    cards = [hand.split() for hand in hands]
    game = Reference(len(hands), hand=len(cards[0]), **options)
    for around in zip(*cards, strict=True):
        for each in around:
            game.happen(f"card {each}")
    return game


def turn(game: Reference, seat: int, actions: str) -> None:
    """Actions separated by commas, such as "play 2c, cell 5, card 9h"; a card is what chance draws."""
    for action in actions.split(", "):
        if action.startswith("card"):
            game.happen(action)
        else:
            game.apply(seat, action)


def put_on(game: Reference, row: int, cards: str) -> None:
    """Put cards of the bag on the board as if they had been played long ago, from the left; "." skips a cell."""
    for column, each in enumerate(cards.split()):
        if each != ".":
            game.bag.remove(each)
            game.piles[game.larger_pile()] -= 1
            game.board[row, column] = [each]
    game.before = game.tops()


def cells(game: Reference) -> set[int]:
    return {int(action.split()[1]) for action in game.legal(game.seat)}


def test_hh_6_a_regular_card_goes_anywhere() -> None:
    game = dealt(["2c 9s", "2d 9h"])
    assert game.legal(0) == {"play 2c", "play 9s"} and game.legal(1) == set()
    game.apply(0, "play 2c")
    assert cells(game) == set(range(1, 65))
    turn(game, 0, "cell 10, card Kc")
    assert game.board == {(1, 1): ["2c"]} and sorted(game.hands[0]) == ["9s", "Kc"]
    game.apply(1, "play 2d")
    assert cells(game) == set(range(1, 65)) - {10}
    turn(game, 1, "cell 19")
    assert game.points == [0, 1] and game.phase == "turned"


def test_hh_7_two_timers_double_and_double_again() -> None:
    game = dealt(["Js two-timer", "2c 3c"])
    put_on(game, 0, "Jc Jd Jh")
    turn(game, 0, "play two-timer, cell 4")
    assert game.legal(0) == {"play Js", "leave"}
    turn(game, 0, "play Js")
    assert game.points == [12, 0] and game.board[0, 3] == ["two-timer", "Js"] and game.due == 2  # HH-10
    game = dealt(["Js two-timer two-timer", "2c 3c 4c"], two_timers=3)
    put_on(game, 0, "Jc Jd Jh")
    turn(game, 0, "play two-timer, cell 4")
    assert game.legal(0) == {"play Js", "play two-timer", "leave"}
    turn(game, 0, "play two-timer")
    assert game.legal(0) == {"play Js"}
    turn(game, 0, "play Js")
    assert game.points == [24, 0] and game.board[0, 3] == ["two-timer", "two-timer", "Js"] and game.due == 3


def test_hh_7_all_hands_are_doubled() -> None:
    game = dealt(["7s two-timer", "2c 3c"])
    put_on(game, 0, ". 7c")
    put_on(game, 1, "7d")
    turn(game, 0, "play two-timer, cell 10, play 7s, card 5c, card 6c")
    assert game.points == [4, 0]
    turn(game, 1, "play 2c, cell 64, card 7h")
    turn(game, 0, "play 5c, cell 63, card Kh")
    turn(game, 1, "play 7h, cell 19")  # on the diagonal 7s 7h: the Two Timer below the 7s does no more
    assert game.points == [4, 1]


def test_hh_8_and_15_the_sheets_thief() -> None:
    game = dealt(["9s thief", "2c 3c"], thieves=2)
    put_on(game, 2, "5c 5d 9c 9d 9h")
    game.apply(0, "play thief")
    assert cells(game) == set(range(1, 65))
    turn(game, 0, "cell 18")
    assert game.legal(0) == {"play 9s"}  # never the Thief alone on a card
    turn(game, 0, "play 9s")
    assert game.points == [6, 0] and game.board[2, 1] == ["thief", "9s"] and game.gone == ["5d"]


def test_hh_15_the_same_category_scores_nothing_under_a_thief() -> None:
    game = dealt(["9s thief", "2c 3c"])
    put_on(game, 0, "5c 9c 9d 5d")
    turn(game, 0, "play thief, cell 1, play 9s")  # two pair; three of a kind is new
    assert game.points == [4, 0]
    game = dealt(["5h thief", "2c 3c"])
    put_on(game, 0, "5c 9c 9d 5d")
    turn(game, 0, "play thief, cell 1, play 5h")
    assert game.points == [0, 0]


def test_hh_8_a_two_timer_after_a_thief() -> None:
    game = dealt(["9s thief two-timer", "2c 3c 4c"])
    put_on(game, 0, "9c 5c")
    turn(game, 0, "play thief, cell 2")
    assert game.legal(0) == {"play 9s", "play two-timer"}
    turn(game, 0, "play two-timer")
    assert game.legal(0) == {"play 9s"}
    turn(game, 0, "play 9s")
    assert game.points == [2, 0] and game.board[0, 1] == ["thief", "two-timer", "9s"] and game.due == 3


def test_hh_6_how_many_specials() -> None:
    hands = ["9s thief two-timer", "2c 3c 4c"]
    game = dealt(hands, specials=1)
    put_on(game, 0, "9c 5c")
    turn(game, 0, "play thief, cell 2")
    assert game.legal(0) == {"play 9s"}
    game = dealt(hands, specials=0)
    put_on(game, 0, "9c 5c")
    game.apply(0, "play thief")
    assert cells(game) == set(range(3, 65))
    game = dealt(hands, specials=0)
    turn(game, 0, "play two-timer, cell 1")
    assert game.phase == "turned" and game.due == 1


def test_hh_9_a_lone_special_breaks_lines_until_a_thief_covers_it() -> None:
    game = dealt(["two-timer 4c", "7s thief"], specials=2)
    put_on(game, 0, "7c . 7d")
    turn(game, 0, "play two-timer, cell 2, leave, card 2c")
    assert game.board[0, 1] == ["two-timer"]
    game.apply(1, "play thief")
    assert 2 in cells(game)
    turn(game, 1, "cell 2, play 7s")
    assert game.points == [0, 4] and game.gone == ["two-timer"] and game.board[0, 1] == ["thief", "7s"]
    game = dealt(["thief 7h", "7s 4c"])
    put_on(game, 0, "7c . 7d")
    turn(game, 0, "play thief, cell 2, card 2c")  # on an empty cell: the whole turn
    game.apply(1, "play 7s")
    assert 2 not in cells(game)
    turn(game, 1, "cell 4")
    assert game.points == [0, 1]


def test_hh_3_and_17_the_lot_and_the_deal_after_it() -> None:
    tiny: dict[str, Any] = {"ranks": 1, "suits": 2, "two_timers": 0, "thieves": 0, "rows": 2, "columns": 2, "blind": 0}
    game = Reference(2, hand=1, first="lot", length="double", **tiny)
    assert game.chance() == {"seat 0": 1, "seat 1": 1} and game.acting() == set()
    replay(game, [(-1, "seat 1"), (-1, "card Ac"), (-1, "card As")])
    assert game.acting() == {1}
    turn(game, 1, "play As, cell 1")
    turn(game, 0, "play Ac, cell 2, card Ac, card As")
    assert game.acting() == {0} and game.total == [1, 0]


def test_hh_8_two_thieves() -> None:
    game = dealt(["9s thief thief", "2c 3c 4c"], thieves=3, two_thieves=True)
    put_on(game, 0, "9c 5c")
    turn(game, 0, "play thief, cell 2")
    assert game.legal(0) == {"play 9s", "play thief"}
    turn(game, 0, "play thief")
    assert game.legal(0) == {"play 9s"}
    turn(game, 0, "play 9s")
    assert game.points == [1, 0] and game.board[0, 1] == ["thief", "thief", "9s"] and game.gone == ["5c"]
    with pytest.raises(ValueError, match="two thieves are not in play"):
        Reference(3, two_thieves=True)
    with pytest.raises(ValueError, match="two thieves are more"):
        Reference(4, two_thieves=True, specials=1)


def test_hh_9_specials_anywhere() -> None:
    game = dealt(["9s thief two-timer", "2c 3c 4c"], lone_special="anywhere")
    put_on(game, 0, "9c 5c")
    game.apply(0, "play two-timer")
    assert cells(game) == set(range(1, 65))
    turn(game, 0, "cell 2")
    assert game.phase == "turned" and game.due == 1 and game.gone == ["5c"]
    game = dealt(["9s thief two-timer", "2c 3c 4c"], lone_special="anywhere")
    put_on(game, 0, "9c 5c")
    turn(game, 0, "play thief, cell 2")
    assert game.legal(0) == {"play 9s", "play two-timer", "leave"}
    turn(game, 0, "play two-timer")
    assert game.legal(0) == {"play 9s", "leave"}
    turn(game, 0, "leave")
    assert game.due == 2 and game.points == [0, 0] and game.board[0, 1] == ["thief", "two-timer"]


def test_hh_9_nothing_but_specials() -> None:
    game = dealt(["two-timer thief", "7s 4c"])
    put_on(game, 0, "7c")
    game.apply(0, "play thief")
    assert 1 not in cells(game)
    turn(game, 0, "cell 9")
    assert game.phase == "turned" and game.due == 1  # a Thief on an empty cell stays alone
    game = dealt(["two-timer two-timer", "7s 4c"], two_timers=4)
    turn(game, 0, "play two-timer, cell 9, leave")  # the step comes all the same: nobody learns what is held
    assert game.phase == "turned" and game.due == 1


def test_hh_10_the_piles() -> None:
    tiny: dict[str, Any] = {"ranks": 3, "suits": 4, "two_timers": 0, "thieves": 0, "blind": 3}
    game = dealt(["2c 3c", "2s 3s"], **tiny)
    assert game.piles == [3, 2] and game.chance() == {}
    turn(game, 0, "play 2c, cell 1")
    assert game.piles == [2, 2] and sum(game.chance().values()) == 8  # the blind hand is as likely
    game = dealt(["2c 3c", "2s 3s"], choose_pile=True, **tiny)
    turn(game, 0, "play 2c, cell 1")
    assert game.legal(0) == {"pile 1", "pile 2"}
    turn(game, 0, "pile 2, card Ac")
    turn(game, 1, "play 2s, cell 3, pile 2, card As")
    turn(game, 0, "play 3c, cell 5")
    assert game.piles == [2, 0] and game.phase == "turned"  # the other pile is empty


def test_hh_10_the_end_of_a_game() -> None:
    game = dealt(["2c", "2s", "2d"], ranks=2, two_timers=0, thieves=0, blind=5, length="regular", rows=2, columns=2)
    assert game.piles == [0, 0]
    turn(game, 0, "play 2c, cell 1")
    turn(game, 1, "play 2s, cell 2")
    turn(game, 2, "play 2d, cell 3")
    assert game.over and game.points == [0, 1, 2] and game.returns() == [-2, -1, 1]
    assert game.ending() == "played out"


def test_hh_17_two_games_and_the_deal_passes() -> None:
    deal: Events = [(-1, "card 2c"), (-1, "card 2s")]
    tiny: dict[str, Any] = {"ranks": 2, "two_timers": 0, "thieves": 0, "rows": 2, "columns": 2, "blind": 4}
    game = dealt(["2c", "2s"], length="double", **tiny)
    turn(game, 0, "play 2c, cell 1, card Ac")
    turn(game, 1, "play 2s, cell 2, card As")
    assert game.points == [0, 1]
    turn(game, 0, "play Ac, cell 3")
    turn(game, 1, "play As, cell 4")
    assert game.total == [0, 2] and not game.over and game.board == {} and game.points == [0, 0]
    replay(game, deal)
    assert game.acting() == {1}
    turn(game, 1, "play 2s, cell 1, card Ac")
    turn(game, 0, "play 2c, cell 2, card As")
    turn(game, 1, "play Ac, cell 3")
    turn(game, 0, "play As, cell 4")
    assert game.over and game.total == [2, 2] and game.returns() == [0, 0] and game.ending() == "played out"


def test_hh_17_first_to_two() -> None:
    tiny: dict[str, Any] = {"ranks": 1, "suits": 4, "two_timers": 0, "thieves": 0, "rows": 2, "columns": 2, "blind": 2}
    game = dealt(["Ac", "As"], length="first_to_two", **tiny)
    turn(game, 0, "play Ac, cell 1")
    turn(game, 1, "play As, cell 2")
    assert game.won == [0, 1] and game.phase == "deal"
    replay(game, [(-1, "card Ah"), (-1, "card Ad")])
    turn(game, 1, "play Ad, cell 1")
    turn(game, 0, "play Ah, cell 2")
    assert game.won == [1, 1] and game.phase == "deal"
    replay(game, [(-1, "card Ah"), (-1, "card Ad")])
    turn(game, 0, "play Ah, cell 1")
    turn(game, 1, "play Ad, cell 2")
    assert game.over and game.won == [1, 2] and game.returns() == [-1, 1] and game.ending() == "two games won"


def test_hh_17_a_tied_game_is_won_by_all_tied() -> None:
    tiny: dict[str, Any] = {"ranks": 3, "suits": 1, "two_timers": 0, "thieves": 0, "rows": 2, "columns": 2, "blind": 1}
    game = dealt(["Ac", "2c"], length="first_to_two", **tiny)
    turn(game, 0, "play Ac, cell 1")
    turn(game, 1, "play 2c, cell 2")
    assert game.won == [1, 1]
    replay(game, [(-1, "card Ac"), (-1, "card 2c")])
    turn(game, 1, "play 2c, cell 1")
    turn(game, 0, "play Ac, cell 2")
    assert game.over and game.won == [2, 2] and game.returns() == [0, 0]


def test_hh_18_teams() -> None:
    game = dealt(["2c", "5c", "2s", "9c"], teams=2, ranks=9, two_timers=0, thieves=0, blind=5, rows=8, columns=8)
    game.piles = [0, 0]
    game.bag = game.bag[:5]
    turn(game, 0, "play 2c, cell 1")
    turn(game, 1, "play 5c, cell 64")
    turn(game, 2, "play 2s, cell 2")
    turn(game, 3, "play 9c, cell 32")
    assert game.points == [0, 0, 1, 0] and game.returns() == [1, -1, 1, -1]
    game = Reference(6, teams=3)
    assert [game.side(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]


# -- drawing by hand and the house rules ------------------------------------------------------------------------


def test_hh_19_cards_forgotten() -> None:
    game = dealt(["2c two-timer", "2s 3s"], manual_draw=True)
    turn(game, 0, "play two-timer, cell 1, play 2c")
    assert game.legal(0) == {"draw", "end turn"} and game.due == 2
    turn(game, 0, "draw, card 9c")
    assert game.legal(0) == {"draw", "end turn"}
    game.apply(0, "end turn")
    turn(game, 1, "play 2s, cell 9, draw, card 9s")  # nothing more is due: the turn ends by itself
    assert game.acting() == {0} and game.hands[0] == ["9c"]
    turn(game, 0, "play 9c, cell 30, end turn")
    turn(game, 1, "play 3s, cell 64, end turn")
    assert game.acting() == {1}  # seat 0 has no card left
    turn(game, 1, "play 9s, cell 63, end turn")
    assert game.over and sum(game.piles) > 0


def test_hh_19_the_grandpa_rule() -> None:
    game = dealt(["2c two-timer", "2s 3s"], manual_draw=True, grandpa_rule=[0])
    turn(game, 0, "play two-timer, cell 1, play 2c, end turn")
    assert game.hands[0] == [] and game.forgotten == [2, 0]
    turn(game, 1, "play 2s, cell 9, end turn")
    assert game.phase == "turned" and game.seat == 0  # not skipped, and drawn without asking
    turn(game, 0, "card 9c, card Kc")
    assert game.legal(0) == {"play 9c", "play Kc"}
    turn(game, 0, "play 9c, cell 20, end turn")  # the second turn: forgotten for good
    assert game.forgotten == [0, 0]
    turn(game, 1, "play 3s, cell 64, end turn")
    turn(game, 0, "play Kc, cell 40, end turn")
    assert game.over


def test_hh_19_the_grandpa_rule_waits_for_nobody() -> None:
    game = dealt(["2c", "2s"], manual_draw=True, grandpa_rule=[0])
    turn(game, 0, "play 2c, cell 1, end turn")
    turn(game, 1, "play 2s, cell 9, end turn")
    assert game.over  # no seat holds a card, whatever is due
    game = dealt(["2c", "2s"], manual_draw=True, grandpa_rule=[0], choose_pile=True)
    turn(game, 0, "play 2c, cell 1")
    assert game.legal(0) == {"pile 1", "pile 2", "end turn"}
    turn(game, 0, "end turn")
    turn(game, 1, "play 2s, cell 9, pile 1, card 9c")
    assert game.legal(0) == {"pile 1", "pile 2"}
    turn(game, 0, "pile 2, card 9s")
    assert game.legal(0) == {"play 9s"}


def test_hh_19_the_uncle_bob_rule() -> None:
    game = dealt(["2c 3c", "2s 3s", "2h 3h"], manual_draw=True, uncle_bob_rule=True)
    turn(game, 0, "play 2c, cell 1, draw, card 9c")
    assert game.legal(0) == {"draw", "end turn"}  # the extra card
    turn(game, 0, "draw, card 9s")
    assert game.acting() == {1, 2} and game.legal(2) == {"accuse", "let be"}
    game.apply(2, "accuse")
    assert game.acting() == {1}
    game.apply(1, "let be")
    assert game.chance() == {"card 3c": 1, "card 9c": 1, "card 9s": 1}
    game.happen("card 9c")
    assert game.points == [-5, 0, 0] and game.gone == ["9c"] and game.acting() == {1}
    turn(game, 1, "play 2s, cell 2, draw, card 9h, end turn")
    turn(game, 2, "play 2h, cell 3, end turn")  # HH-19: no extra card before the cards due
    assert game.acting() == {0} and game.points == [-5, 1, 4]
    turn(game, 0, "play 3c, cell 40, draw, card Kc, draw, card Kd")
    replay(game, [(1, "let be"), (2, "let be")])
    assert sorted(game.hands[0]) == ["9s", "Kc", "Kd"] and game.acting() == {1}
    turn(game, 1, "play 3s, cell 64, end turn")
    turn(game, 2, "play 3h, cell 62, end turn")
    turn(game, 0, "play Kc, cell 33, draw, card 4c")  # the starting hand and one more: no further extra
    assert game.acting() == {1}


def test_hh_19_a_partner_is_not_asked() -> None:
    game = dealt(["2c", "2s", "2h", "2d"], manual_draw=True, uncle_bob_rule=True, teams=2)
    turn(game, 0, "play 2c, cell 1, draw, card 9c, draw, card 9s")
    assert game.acting() == {1, 3}
    replay(game, [(1, "accuse"), (3, "accuse"), (-1, "card 9s")])
    assert game.points == [-5, 0, 0, 0] and game.acting() == {1}


def test_the_codes() -> None:
    assert card_in("play 10h") == "10h" and card("10h") == (10, "h") and card("Ac") == (1, "c")
    assert not is_regular("thief") and rank_and_suit("two-timer") is None
