"""What is said of a puzzle once it was answered: whether the move was right, what the others cost, and why.

Every sentence is made from what was measured and from facts of the game, as hints and analyses make theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexdeck.bots.advice.analysis import cost_in_words
from hexdeck.bots.advice.hints import assumed_play
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.play.coach import course_of, kind_at
from hexdeck.engine.play.game import default_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.puzzles.collection import Puzzle

LISTED = 5  # moves, besides the answer
CHOICES = {
    "gentle": _("The easy bot would choose “{move}”."),
    "house": _("The house bot would choose “{move}”."),
}  # of bots, where they aren't the best


@dataclass(frozen=True)
class Line:
    """A move as the explanation lists it: what it is expected to bring, what it costs, and a fact about it.

    `cost`: None for the best move. `chosen`: whether it was the answer.
    """

    move: Text
    result: Text
    cost: Text | None
    reason: Text | None
    chosen: bool


@dataclass(frozen=True)
class Explanation:
    """The verdict on an answer; the moves, the best first; and more sentences.

    `weigh`: what the coach has to say of such a decision; `sentences`: about moves that aren't among the lines, what
    bots would do, and what all this rests on.
    """

    right: bool
    verdict: Text
    lines: tuple[Line, ...]
    weigh: tuple[Text, ...]
    sentences: tuple[Text, ...]

    @property
    def same_reason(self) -> Text | None:
        """The fact that is the same about all moves, where it is."""
        first = self.lines[0].reason
        return first if all(line.reason == first for line in self.lines) else None


def explain(puzzle: Puzzle, match: Match, answer: str) -> Explanation:
    """The explanation of a puzzle whose match is at its position, for an answer: the name of a legal action.

    This takes a while.
    """
    labels = {match.rules.ACTIONS[move.id]: move.label for move in match.legal(puzzle.seat)}
    measure = match.game.measure
    right, best = answer == puzzle.best, labels[puzzle.best]
    if right:
        verdict = say("Right: “{move}” is the best move.", move=best)
    else:
        text = _("Not this time: “{move}” brings {cost} less than “{best}”.")
        cost = cost_in_words(*puzzle.costs[answer], measure)
        verdict = say(text, move=labels[answer], cost=cost, best=best)
    notes = left_out(puzzle, answer, measure) + sentences(puzzle, match, labels)
    return Explanation(right, verdict, lines(puzzle, match, labels, measure, answer), weigh(match, puzzle.seat), notes)


def weigh(match: Match, seat: int) -> tuple[Text, ...]:
    """What the coach says for and against, where the game has one."""
    kind, course = kind_at(match, seat), course_of(match)
    if kind is None or course is None:
        return ()
    lesson = course.lessons[kind](match.knowledge(seat), seat)
    return lesson.why, lesson.risk


def lines(puzzle: Puzzle, match: Match, labels: dict[str, Text], measure: Measure, answer: str) -> tuple[Line, ...]:
    """The moves, the best first: not all of them where there are many, but always the answer."""
    struct = match.driver.proxy(memoryview(bytearray(match.concealed(puzzle.seat))))
    worlds = Worlds(match.game, match.concealed(puzzle.seat), puzzle.seat)

    def line(name: str) -> Line:
        cost = puzzle.costs.get(name)
        value = puzzle.worth - (cost[0] if cost else 0.0)
        reason = match.game.hints.because(struct, puzzle.seat, match.rules.ACTIONS.index(name), worlds)
        return Line(labels[name], measure.result(value), cost and cost_in_words(*cost, measure), reason, name == answer)

    return tuple(map(line, top_moves(puzzle, answer)))


def top_moves(puzzle: Puzzle, answer: str) -> list[str]:
    """The moves that are listed, the best first."""
    moves = [puzzle.best, *by_cost(puzzle)][:LISTED]
    return [*moves, *([] if answer in moves else [answer])]


def left_out(puzzle: Puzzle, answer: str, measure: Measure) -> tuple[Text, ...]:
    """A sentence about the moves that aren't listed, if there are any."""
    unlisted = [name for name in by_cost(puzzle) if name not in top_moves(puzzle, answer)]
    if not unlisted:
        return ()
    least = cost_in_words(*puzzle.costs[unlisted[0]], measure)
    return (
        say_n(
            "The {n} move that isn't listed brings {cost} less.",
            "The {n} moves that aren't listed bring at least {cost} less.",
            len(unlisted),
            cost=least,
        ),
    )


def by_cost(puzzle: Puzzle) -> list[str]:
    """The other moves, the one that costs least first."""
    return sorted(puzzle.costs, key=lambda name: puzzle.costs[name][0])


def sentences(puzzle: Puzzle, match: Match, labels: dict[str, Text]) -> tuple[Text, ...]:
    """What bots would do, and what the numbers rest on."""
    bot_choices = [say(CHOICES[name], move=labels[move]) for name, move in puzzle.bots.items() if move != puzzle.best]
    if not puzzle.worlds:
        rests: Sequence[Text] = [say("Results without ± are exact: perfect play by everybody from there on.")]
    else:
        trial = say("Each move was tried in {n} deals of the cards that you can't see.", n=puzzle.worlds)
        rests = trial, assumed_play(match.game, default_backend())
    return (*bot_choices, *rests)
