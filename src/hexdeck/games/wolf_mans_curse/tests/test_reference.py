"""Wolf-Man's Curse's reference itself: random games end and conserve what there is; examples worked by hand."""

import random
from typing import Any

import pytest

from tests.reference.play import finish, random_game, replay
from tests.settings import much
from tests.support import for_each

from .reference import Reference, is_face

OPTIONS: dict[str, list[Any]] = {
    "doubling": ["strength", "points", "both"],
    "queen_scores": [False, True],
    "mob_ties": ["all", "none"],
    "release": ["after", "before"],
    "ranks": [10, 10, 1, 4],
    "faces": [None, None, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1]],
    "hand": [0, 1, 2, 4],
    "nights": [3, 1, 2, 5],
    "queen_month": [2, 1, 3],
}


@for_each("seed", range(much(60, 300)))
def test_wolf_mans_curse_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(Reference, 8, OPTIONS, rng, fewest=3)

    def check() -> None:
        table = [card for _, card in game.table]
        taken = [card for cards in game.captured for card, _ in cards]
        numbers = [card for card in taken if not is_face(card)]
        faces = [card for card in taken if is_face(card)]
        shown = [game.face] if game.face else []
        assert sorted(game.deck + sum(game.hands, []) + table + numbers) == sorted(game.all_cards)
        everywhere = game.pile + game.laid_aside + shown + faces + game.out_of_game + sum(game.jokers, [])
        assert sorted(everywhere) == sorted(game.all_faces)

    finish(game, rng, check)
    assert sum(game.returns()) == pytest.approx(0 if game.ending() == "nobody left" else 1)
    assert game.month >= game.queen_month and game.queen_holder >= 0
    assert not set(game.winners) & {*game.lynched, *game.hanged, *game.released}


def one_night(doubling: str, cards: list[str], face: str) -> Reference:
    """One night of one card each, up to the next month."""
    game = Reference(len(cards), doubling=doubling, hand=1, nights=1)
    replay(game, [(-1, f"card {card}") for card in cards] + [(-1, f"face {face}")])
    replay(game, [(seat, f"play {card}") for seat, card in enumerate(cards)])
    return game


@pytest.mark.parametrize(
    ("doubling", "winner", "hearts"),
    [("strength", 0, 2 + 2), ("points", 1, 4 + 2), ("both", 0, 4 + 2)],
)
def test_wc_5_6_and_10_doubling(doubling: str, winner: int, hearts: int) -> None:
    game = one_night(doubling, ["7h", "10c", "2h"], "Jh")
    assert game.scores[winner] == {"c": 1, "s": 0, "h": hearts, "d": 0}
    assert sum(sum(scores.values()) for scores in game.scores) == 1 + hearts
    assert game.out_of_game == ["Jh"] and game.month == 2 and len(game.chance()) == 40


def test_wc_9_equal_strength_is_decided_by_suit() -> None:
    assert one_night("strength", ["9d", "9h", "9s", "9c"], "joker").jokers == [[], [], [], ["joker"]]
    assert one_night("strength", ["9d", "9h", "9s", "Ac"], "joker").jokers == [[], [], ["joker"], []]
    assert one_night("strength", ["9d", "9h", "Ac"], "joker").jokers == [[], ["joker"], []]
    assert one_night("strength", ["5d", "10h", "4d"], "Kd").scores[1] == {"c": 0, "s": 0, "h": 1, "d": 2 + 4}
    assert one_night("strength", ["5s", "10h", "4d"], "Ks").scores[0] == {"c": 0, "s": 1 + 4, "h": 1, "d": 1}


def test_wc_7_and_8_hidden_first_then_in_turn_from_the_left_of_the_captor() -> None:
    game = Reference(3, hand=2, nights=2)
    replay(game, [(-1, f"card {card}") for card in ("Ac", "9c", "5d", "2c", "10d", "Ad")])
    replay(game, [(-1, "face joker"), (2, "play 5d"), (0, "play 2c")])
    assert game.acting() == {1} and game.hands[2] == ["5d", "Ad"]
    game.apply(1, "play 9c")
    assert game.chance()["face joker"] == 1
    game.happen("face Qc")
    assert game.acting() == {2} and game.legal(2) == {"play Ad"}
    replay(game, [(2, "play Ad"), (0, "play Ac"), (1, "play 10d")])
    assert game.scores[1] == {"c": 2 + 1 + 3, "s": 0, "h": 0, "d": 1 + 2} and game.jokers[1] == ["joker"]


ONE_ACE = [(-1, "card Ac"), (-1, "card As"), (-1, "card Ah")]
SECOND_MONTH = [(-1, "card Ad"), (-1, "card As"), (-1, "card Ac"), (-1, "face Qh")]
SECOND_PLAYS = [(0, "play Ad"), (1, "play As"), (2, "play Ac")]  # captured by seat 2


def aces(**options: Any) -> Reference:
    """Four aces, one card each, one night a month; the face pile is the queen of hearts and the jack of clubs."""
    faces = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    return Reference(3, ranks=1, hand=1, nights=1, faces=faces, **options)


def test_wc_11_and_12_the_queen_of_hearts_is_laid_aside_at_first() -> None:
    game = aces()
    replay(game, [*ONE_ACE, (-1, "face Qh")])
    assert game.chance() == {"face Jc": 1} and not game.acting()
    game.happen("face Jc")
    assert game.pile == ["Qh"] and game.acting() == {0, 1, 2}
    replay(game, [(1, "play As"), (0, "play Ac"), (2, "play Ah")])
    assert game.scores[0] == {"c": 1 + 2, "s": 1, "h": 1, "d": 0}
    replay(game, SECOND_MONTH + SECOND_PLAYS)  # 0 is lynched, 2 has most spades but no hearts, and a diamond
    assert game.scores[2] == {"c": 1, "s": 1, "h": 0, "d": 1}
    assert game.lynched == [0] and game.hanged == [] and game.returns() == [0, 0, 1]
    assert game.ending() == "innocent survivor"


def test_wc_12_the_queen_of_hearts_may_score_and_may_come_in_the_first_month() -> None:
    game = aces(queen_scores=True)
    replay(game, [*ONE_ACE, (-1, "face Jc"), (1, "play As"), (0, "play Ac"), (2, "play Ah")])
    replay(game, SECOND_MONTH + SECOND_PLAYS)
    assert game.scores[2]["h"] == 3 and game.hanged == [2] and game.returns() == [0, 1, 0]
    game = aces(queen_month=1)
    replay(game, SECOND_MONTH + SECOND_PLAYS)
    assert game.lynched == [2] and game.returns() == [0.5, 0.5, 0]


def test_wc_4_and_11_too_few_cards() -> None:
    Reference(8)
    for options in (
        {"ranks": 9},
        {"hand": 2},
        {"faces": [0] * 7 + [1] + [0] * 4 + [2]},
        {"queen_month": 4, "nights": 5},
    ):
        with pytest.raises(ValueError, match="too few cards"):
            Reference(8, **options)


def judged(
    *scores: tuple[int, int, int, int], queen: int = 0, jokers: tuple[int, ...] = (), **options: Any
) -> Reference:
    """The end of a game with these points in clubs, spades, hearts and diamonds."""
    game = Reference(len(scores), **options)
    game.scores = [dict(zip("cshd", points, strict=True)) for points in scores]
    game.queen_holder = queen
    for seat in jokers:
        game.jokers[seat].append("joker")
    game.judge()
    return game


def test_wc_13_the_mob() -> None:
    game = judged((5, 0, 0, 9), (4, 0, 0, 1), (0, 0, 0, 0))
    assert game.lynched == [0] and game.winners == [1]
    tie = ((5, 0, 0, 9), (5, 0, 0, 9), (4, 0, 0, 1))
    assert judged(*tie).lynched == [0, 1] and judged(*tie).returns() == [0, 0, 1]
    game = judged(*tie, mob_ties="none")
    assert game.lynched == [] and game.returns() == [0.5, 0.5, 0]
    game = judged((5, 0, 0, 1), (5, 0, 0, 2), (5, 0, 0, 3))
    assert game.lynched == [] and game.winners == [2]
    assert judged((0, 0, 0, 1), (0, 0, 0, 2), (0, 0, 0, 3)).lynched == []
    assert judged((6, 0, 0, 9), (5, 0, 0, 9), (5, 0, 0, 1), mob_ties="none").lynched == [0]


def test_wc_14_scotland_yard() -> None:
    game = judged((5, 9, 1, 9), (0, 4, 1, 5), (0, 3, 1, 0))
    assert game.lynched == [0] and game.hanged == [1] and game.winners == [2]  # the lynched one isn't counted
    assert game.ending() == "guilty survivor"
    game = judged((5, 0, 0, 0), (0, 4, 0, 5), (0, 3, 1, 9))
    assert game.hanged == [] and game.winners == [1]  # most spades without a heart: nobody hangs instead
    game = judged((5, 0, 0, 0), (0, 4, 0, 5), (0, 4, 1, 9), (0, 4, 2, 9), (0, 3, 2, 9))
    assert game.hanged == [2, 3] and game.winners == [1]
    assert judged((5, 0, 1, 0), (0, 0, 1, 5), (0, 0, 1, 9)).hanged == []


def test_wc_15_and_16_survivors() -> None:
    game = judged((5, 0, 0, 9), (0, 0, 0, 2), (0, 0, 0, 2), (0, 0, 1, 7))
    assert game.ending() == "innocent survivor" and game.returns() == [0, 0.5, 0.5, 0]
    game = judged((5, 0, 0, 9), (0, 0, 0, 0), (0, 0, 1, 7))
    assert game.winners == [1]
    game = judged((5, 0, 0, 9), (0, 0, 3, 7), (0, 0, 1, 7), (0, 0, 1, 6))
    assert game.ending() == "guilty survivor" and game.returns() == [0, 0.5, 0.5, 0]


def test_wc_17_nobody_left() -> None:
    game = judged((5, 0, 0, 9), (0, 2, 1, 2), (0, 2, 1, 2))
    assert game.hanged == [1, 2] and game.ending() == "nobody left" and game.returns() == [0, 0, 0]
    game = judged((5, 0, 0, 9), (0, 2, 1, 2), (0, 0, 0, 2), queen=2, jokers=(2, 2))
    assert game.hanged == [1] and game.released == [2] and game.ending() == "nobody left"


def test_wc_17_release_needs_the_queen_and_a_joker() -> None:
    scores = ((5, 0, 0, 0), (0, 0, 0, 9), (0, 0, 0, 1))
    assert judged(*scores, queen=1).winners == [1]
    assert judged(*scores, queen=0, jokers=(1,)).winners == [1]
    game = judged(*scores, queen=1, jokers=(1, 2))
    assert game.released == [1] and game.lynched == [0] and game.winners == [2]


def test_wc_17_release_after_or_before_the_mob_and_the_yard() -> None:
    scores = ((5, 0, 0, 0), (4, 0, 0, 9), (0, 0, 0, 1))
    game = judged(*scores, queen=0, jokers=(0,))
    assert game.lynched == [0] and game.released == [0] and game.winners == [1]
    game = judged(*scores, queen=0, jokers=(0,), release="before")
    assert game.lynched == [1] and game.released == [0] and game.winners == [2]
    assert judged(*scores, queen=0, jokers=(1, 2), release="before").lynched == [0]
    scores = ((5, 0, 0, 0), (0, 6, 1, 9), (0, 5, 1, 1))
    game = judged(*scores, queen=1, jokers=(1,))
    assert game.lynched == [0] and game.hanged == [1] and game.winners == [2]
    game = judged(*scores, queen=1, jokers=(1,), release="before")
    assert game.lynched == [0] and game.hanged == [2] and game.ending() == "nobody left"


def test_wc_13_and_17_every_player_is_everyone_left() -> None:
    scores = ((5, 0, 0, 0), (5, 0, 0, 9), (0, 0, 0, 1))
    game = judged(*scores, queen=2, jokers=(2,))
    assert game.lynched == [0, 1] and game.ending() == "nobody left"  # 2 is a player, but can't win
    game = judged(*scores, queen=2, jokers=(2,), release="before")
    assert game.lynched == [] and game.winners == [1]
