"""What a puzzle is: one move surely the best, by a margin that matters, judged twice, and missed by the obvious bot."""

from typing import Any

import mine_puzzles as judge
import numpy as np
import pytest
from mine_puzzles import CONFIRMED, Judge, is_missed, leads_surely, matters, may_lead

import hexdeck
from hexdeck.bots.bot import Candidate
from hexdeck.bots.search.searcher import PairedValues
from hexdeck.engine.study import CHIPS, WINS
from tests.support import for_each

GAME, LEAST = "hawthorn", 1.0


def values(*means: float, spread: float = 1.0, worlds: int = 400) -> PairedValues:
    noise = np.random.default_rng(1).normal(0, 1, (worlds, len(means)))
    noise = spread * (noise - noise.mean(axis=0)) / noise.std(axis=0, ddof=1) / 2**0.5
    return PairedValues(tuple(range(len(means))), np.array(means) + noise)


def test_what_matters_is_five_matches_in_a_hundred_or_a_chip() -> None:
    assert matters(CHIPS) == 1.0 and matters(WINS) == 0.05


@for_each(("means", "sure"), [((3.0, 1.0), True), ((3.0, 2.05), False), ((1.0, 3.0), False), ((3.0, 1.0, 2.05), False)])
def test_the_best_move_must_lead_each_other_by_what_matters(means: tuple[float, ...], sure: bool) -> None:
    assert leads_surely(values(*means), 0, range(len(means)), LEAST) == sure


def test_the_more_moves_there_are_the_surer_the_lead_must_be() -> None:
    """A lead that is sure over one move isn't over twenty: one of twenty would be behind by luck."""
    close = 1.0 + 1.96 * 1.6 / 400**0.5
    assert leads_surely(values(close, 0.0), 0, (0, 1), LEAST)
    assert not leads_surely(values(close, *[0.0] * 20), 0, range(21), LEAST)


def test_a_first_look_rules_out_only_what_cannot_lead_and_a_second_what_may_not() -> None:
    close, far = values(1.0, 0.05), values(1.0, 0.5)
    assert may_lead(close, 0, (0, 1), LEAST, 1.0) and not may_lead(far, 0, (0, 1), LEAST, 1.0)
    assert not may_lead(close, 0, (0, 1), LEAST, -0.5) and may_lead(values(1.2, 0.0), 0, (0, 1), LEAST, -0.5)


def test_a_move_is_missed_where_the_stronger_bot_would_not_find_it() -> None:
    assert is_missed(7, {"gentle": 7, "house": 8}) and not is_missed(7, {"gentle": 8, "house": 7})
    assert is_missed(7, {"gentle": 8})


class Estimates:
    """An evaluator that says what it is told, and counts the deals."""

    def __init__(self, *means: float) -> None:
        self.means, self.asked = means, list[int]()

    def begin(self, _number: int) -> None:
        """Nothing to rewind."""

    def evaluate(self, _known: bytes, _seat: int, _actions: list[int], worlds: int) -> PairedValues:
        self.asked.append(worlds)
        return values(*self.means, worlds=worlds)


class Chooser:
    """A bot that always plays one action."""

    def __init__(self, action: int) -> None:
        self.action = action

    def candidates(self, *_about: Any) -> list[Candidate]:
        return [Candidate(self.action, 1.0, None, None)]


@pytest.fixture
def judging(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A judge whose estimates and obvious move are given."""
    monkeypatch.setattr(judge, "policy_of", lambda *_each: "house")
    found = Judge(hexdeck.game(GAME, 2), 1)

    def given(first: Estimates, second: Estimates, otherwise: Estimates, obvious: int = 1) -> Any:
        found._first, found._second, found._otherwise = first, second, otherwise  # type: ignore[assignment]
        found._obvious = {"house": Chooser(obvious)}  # type: ignore[dict-item]
        return found.judge(b"", 0, [0, 1, 2], CHIPS)

    return given


def test_a_puzzle_is_judged_in_more_deals_of_their_own(judging: Any) -> None:
    first, second = Estimates(9.0, 1.0, 1.0), Estimates(5.0, 1.0, 0.0)
    found = judging(first, second, Estimates(1.0, 0.0, 0.0))
    assert found.best == 0 and second.asked == [CONFIRMED] and max(first.asked) < CONFIRMED
    assert round(found.worth, 6) == 5 and {k: round(cost, 6) for k, (cost, _m) in found.costs.items()} == {1: 4, 2: 5}


@for_each(
    ("first", "second", "otherwise", "obvious"),
    [
        ((9, 1, 1), (9, 1, 1), (1, 0, 0), 0),  # the obvious move
        ((9, 8.9, 1), (9, 1, 1), (1, 0, 0), 2),  # two good moves
        ((9, 1, 1), (1, 9, 1), (1, 0, 0), 1),  # it was luck
        ((9, 1, 1), (9, 8.9, 1), (1, 0, 0), 1),  # it was luck that it led by so much
        ((9, 1, 1), (9, 1, 1), (0, 1, 0), 1),  # another move is better if others play on
    ],
)
def test_what_is_no_puzzle(judging: Any, first: Any, second: Any, otherwise: Any, obvious: int) -> None:
    assert judging(Estimates(*first), Estimates(*second), Estimates(*otherwise), obvious) is None


def test_estimates_have_deals_of_their_own() -> None:
    found, game = Judge(hexdeck.game(GAME, 2), 1), hexdeck.game(GAME, 2)
    match = game.match(seed=3)
    seat, known = match.actor, match.concealed(match.actor)
    legal = match.legal_ids(seat)
    one, other = (each.evaluate(known, seat, legal, 20) for each in (found._first, found._second))
    assert not np.array_equal(one.utilities, other.utilities)  # type: ignore[union-attr]
