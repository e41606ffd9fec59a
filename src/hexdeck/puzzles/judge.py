"""Judges whether a position has one surely best move, and one that isn't obvious.

Every legal move is tried in deals of the cards that the seat can't see, all moves in the same ones, as hints do. A few
deals rule most positions out. What is left is tried again in many deals of their own: a move that was lucky before has
no luck there. It is surely best if the lower end of its lead over each other move is still at least what `matters`, at
99 % over all those comparisons together (Bonferroni). It must be the best one in games that another bot plays on, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hexdeck.bots.advice.hints import ExactValues, evaluator, policy_of
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.named import bot, bots_of
from hexdeck.bots.search.evaluator import Belief, PairedEvaluator, PairedValues
from hexdeck.engine.play.game import GameSetup, default_backend
from hexdeck.engine.study import Measure
from hexdeck.puzzles.puzzle import Cost
from hexdeck.stats import critical_value

LOOKS = ((60, 1.0), (400, -0.5))  # deals after which a position may be given up, and how much of a margin helps it
CONFIRMED, OTHERWISE = 4000, 1000  # deals of the second estimate, and of that with another bot
SURE = 0.99  # that the best move leads all others
OBVIOUS = ("gentle", "house")  # bots whose choices are the obvious ones
SHARE, UNIT = 5.0, 1.0  # what matters: in matches of 100, or in chips and points


@dataclass(frozen=True)
class Judgement:
    """The best move of a position, as `puzzle.Puzzle` has it, by the ids of actions."""

    best: int
    worth: float
    worth_margin: float | None
    costs: Mapping[int, Cost]
    bots: Mapping[str, int]
    worlds: int


class Judge:
    """Judges positions of a game; the same seed gives the same judgements."""

    def __init__(self, game: GameSetup, seed: int) -> None:
        backend = default_backend()
        key = f"puzzles {seed}".encode()
        self._first, self._second = (evaluator(game, backend, key + name) for name in (b" first", b" second"))
        policy = "house" if policy_of(game, backend) != "house" else "gentle"
        self._otherwise = PairedEvaluator(game, key + b" otherwise", backend, policy, rechoose=True, belief=Belief())
        self._obvious: dict[str, Bot] = {
            name: bot(name, game, key, backend) for name in OBVIOUS if name in bots_of(game)
        }
        self._evaluators = (self._first, self._second, self._otherwise)

    def begin(self, number: int) -> None:
        """Judge as in match `number` from now on: what was judged before changes nothing."""
        for player in (*self._evaluators, *self._obvious.values()):
            player.begin(number)

    def judge(self, knowledge: bytes, seat: int, legal: Sequence[int], measure: Measure) -> Judgement | None:
        """The judgement of a position, from what its seat knows; None where it is no puzzle."""
        actions, least = sorted(legal), matters(measure)
        bots = {name: likeliest(bot, knowledge, seat) for name, bot in self._obvious.items()}
        for worlds, helped in LOOKS:
            values = self._first.evaluate(knowledge, seat, actions, worlds)
            best = best_of(values, actions)
            if not is_missed(best, bots) or not may_lead(values, best, actions, least, helped):
                return None
        if isinstance(values, ExactValues):
            return judgement(values, best, actions, bots, 0)
        values = self._second.evaluate(knowledge, seat, actions, CONFIRMED)
        if not leads_surely(values, best, actions, least) or self._best_otherwise(knowledge, seat, actions) != best:
            return None
        return judgement(values, best, actions, bots, CONFIRMED)

    def _best_otherwise(self, knowledge: bytes, seat: int, actions: list[int]) -> int:
        """The best move in games that another bot plays on."""
        return best_of(self._otherwise.evaluate(knowledge, seat, actions, OTHERWISE), actions)


def matters(measure: Measure) -> float:
    """The smallest difference between two moves that a puzzle may rest on, as a utility."""
    return (SHARE if measure.whole else UNIT) / measure.scale


def is_missed(best: int, bots: Mapping[str, int]) -> bool:
    """Whether a move isn't the obvious one: the strongest of the bots whose choices are would not find it."""
    return bots[[name for name in OBVIOUS if name in bots][-1]] != best


def likeliest(bot: Bot, knowledge: bytes, seat: int) -> int:
    """The action that a bot plays most often."""
    return max(bot.candidates(knowledge, seat, 0), key=lambda each: each.probability).action


def best_of(values: PairedValues | ExactValues, actions: Sequence[int]) -> int:
    """The action of the highest value."""
    return max(actions, key=lambda action: values.value(action)[0])


def may_lead(
    values: PairedValues | ExactValues, best: int, actions: Sequence[int], least: float, helped: float
) -> bool:
    """Whether an action leads all others by `least`, if so much of the margin of each lead is added to it."""
    leads = (values.difference(best, action) for action in actions if action != best)
    return all(lead + helped * (margin or 0.0) >= least for lead, margin in leads)


def leads_surely(values: PairedValues | ExactValues, best: int, actions: Sequence[int], least: float) -> bool:
    """Whether an action leads all others by `least`, at `SURE` over all comparisons together."""
    wider = critical_value(len(actions) - 1, SURE) / critical_value(1)
    leads = (values.difference(best, action) for action in actions if action != best)
    return all(lead - wider * (margin or 0.0) >= least for lead, margin in leads)


def judgement(
    values: PairedValues | ExactValues, best: int, actions: Sequence[int], bots: Mapping[str, int], worlds: int
) -> Judgement:
    """The judgement that values give."""
    costs = {action: values.difference(best, action) for action in actions if action != best}
    return Judgement(best, *values.value(best), costs, bots, worlds)
