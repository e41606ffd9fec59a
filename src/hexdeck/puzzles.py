"""Puzzles, collections of them as files, and which a day has.

A puzzle is a position as one seat knows it, in which one move is surely the best, and what the others cost. It holds
what leads to its position: the seed and the number of a match, from which chance follows, and the moves. Its match is
replayed to show it; what a reader gets is made from what the seat knows, and from nothing else.

A collection is JSON, a line for each puzzle, with what was mined so far:

    {"puzzles": 1, "hexdeck": "1.0", "game": "hawthorn", "rules": 1,
     "mined": [{"players": 4, "options": {}, "seed": 1, "matches": 300}, ...],
     "found": [{"players": 4, ...}, ...]}

`matches`: how many matches of a seed were looked at, so that mining goes on behind them. A collection that ships with a
game is `puzzles.json` in its folder.

A day has three puzzles, the same for everybody on a server, from all games in turn. A game's puzzles come in an order
that mixes them, each once before any comes again.
"""

import hashlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Self

from hexdeck import __version__
from hexdeck.bots.advice.analysis import cost_in_words
from hexdeck.bots.advice.hints import assumed_play
from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.discovery.definition import definition, playable
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import HexdeckError, unreadable, whole
from hexdeck.engine.play.coach import course_of, kind_at
from hexdeck.engine.play.game import default_backend, quickest_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ResultUnit
from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.files import write_atomically
from hexdeck.simulation.game import Game

LOG = logging.getLogger("hexdeck.puzzles")
Cost = tuple[float, float | None]


@dataclass(frozen=True)
class Puzzle:
    """A position with one surely best move.

    `options`: those that differ from the game's defaults. `seed`, `number`: of the match; `moves`: the names of the
    actions that were played, each by the lowest seat that could act. `seat`: who is to move now; `check`: a hash of
    what that seat knows. `best`: the action that is surely best, `worth`: the utility that it brings, `worth_margin`:
    half the 95 % interval of that; `costs`: by how much each other legal action brings less, and half the 95 % interval
    of that. Margins are None where values are exact. `bots`: what bots would choose; `worlds`: in how many deals the
    actions were tried, 0 where values are exact.
    """

    game: str
    players: int
    options: Mapping[str, Any]
    seed: int
    number: int
    moves: tuple[str, ...]
    seat: int
    check: str
    best: str
    worth: float
    worth_margin: float | None
    costs: Mapping[str, Cost]
    bots: Mapping[str, str]
    worlds: int

    @property
    def key(self) -> str:
        """A name that no other position has."""
        identity = [self.game, self.players, dict(self.options), self.seed, self.number, list(self.moves)]
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def best_kind(self) -> str:
        """The kind of the best move."""
        return self.best.partition(" ")[0]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of moves that the seat can choose from."""
        return frozenset(name.partition(" ")[0] for name in (self.best, *self.costs))

    def setup(self) -> Game:
        """The game with the puzzle's players and options."""
        return Game.named(self.game, self.players, **self.options)

    def match(self, backend: str | None = None) -> Match:
        """The match at the position; raises HexdeckError where the rules don't lead there any more."""
        game = self.setup()
        match = Match(game, self.seed, number=self.number, backend=backend or quickest_backend(game.definition))
        try:
            for move in self.moves:
                match.play(match.actor, move)
            legal = {match.rules.ACTIONS[action] for action in match.legal_ids(self.seat)}
        except HexdeckError:
            legal = set[str]()
        if legal != {self.best, *self.costs} or known_hash(match, self.seat) != self.check:
            text = _("A puzzle of {game} is of other rules than this hexdeck plays; mine new ones.")
            raise HexdeckError(say(text, game=self.game))
        return match


def seat_names(puzzle: Puzzle, own: str) -> tuple[str, ...]:
    """The players' names: the reader's own, and those of bots."""
    bot_names = iter(BOT_NAMES)
    return tuple(own if seat == puzzle.seat else next(bot_names) for seat in range(puzzle.players))


def known_hash(match: Match, seat: int) -> str:
    """A hash of what a seat knows."""
    return hashlib.sha256(match.concealed(seat)).hexdigest()[:12]


# --- collections ------------------------------------------------------------------------------------------------------
FORMAT, NAME = 1, "puzzles.json"
MOST, LARGEST = 10_000, 32 << 20  # puzzles and bytes of a file
FEW = 3  # of a kind are never too many
COMPACT: Any = {"ensure_ascii": False, "separators": (",", ":")}


@dataclass(frozen=True)
class MiningRun:
    """Matches that were looked at: of so many players, with options other than the default, from a seed."""

    players: int
    options: tuple[tuple[str, Any], ...]
    seed: int


@dataclass
class Collection:
    """The puzzles of a game; `done`: how many matches of each run were looked at."""

    game: str
    puzzles: list[Puzzle] = field(default_factory=list)
    done: dict[MiningRun, int] = field(default_factory=dict)

    def wants(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle isn't there yet, nor so many of its kind that the answer could be guessed.

        The kind of a move is the first word of its name. Where seats had a choice between these kinds, moves of the
        same kind are the best in two puzzles of three at most.
        """
        if puzzle.key in {other_puzzle.key for other_puzzle in self.puzzles}:
            return False
        alike = [other_puzzle.best_kind for other_puzzle in self.puzzles if other_puzzle.kinds == puzzle.kinds]
        count = alike.count(puzzle.best_kind)
        return len(puzzle.kinds) == 1 or count < FEW or 3 * (count + 1) <= 2 * (len(alike) + 1)

    def save(self, path: Path) -> None:
        """Write a file, whole or not at all."""
        rules = definition(self.game).struct_version
        head = {"puzzles": FORMAT, "hexdeck": __version__, "game": self.game, "rules": rules}
        mined = [
            {"players": run.players, "options": dict(run.options), "seed": run.seed, "matches": matches}
            for run, matches in self.done.items()
        ]
        lines = ",\n".join(json.dumps(puzzle_data(puzzle), **COMPACT) for puzzle in self.puzzles)
        start = json.dumps(head | {"mined": mined}, **COMPACT)[:-1]
        write_atomically(path, f'{start},"found":[\n{lines}\n]}}\n'.encode())


def load(path: Path, game: str | None = None) -> Collection:
    """The collection in a file; raises HexdeckError for one that is none, is too large, or of another game or rules."""
    data = parsed(path)
    if not isinstance(data, dict) or whole(data.get("puzzles")) != FORMAT:
        raise refusal(path, say("it is no file of puzzles that this hexdeck reads"))
    try:
        name = find_game(data["game"])
        if game is not None and name != game:
            raise refusal(path, say("its puzzles are of {game}", game=name))
        if number_in(data, "rules") != definition(name).struct_version:
            raise refusal(path, say("its puzzles are of other rules of {game} than this hexdeck plays", game=name))
        puzzles = [puzzle_from_data(name, entry) for entry in data["found"][:MOST]]
        match_counts = {
            MiningRun(number_in(run, "players"), tuple(run["options"].items()), number_in(run, "seed")): number_in(
                run, "matches"
            )
            for run in data["mined"]
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        raise refusal(path, say("it is damaged")) from None
    return Collection(name, puzzles, match_counts)


def parsed(path: Path) -> Any:
    """The data in a file, None where it isn't JSON; raises HexdeckError where it can't be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise refusal(path, say("it is too large"))
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise unreadable(path, error) from None
    except (ValueError, RecursionError):
        return None


def refusal(path: Path, why: Text | str) -> HexdeckError:
    """A file that can't be used, and why."""
    text = _("The puzzles in {file} can't be used: {why}.")
    return HexdeckError(say(text, file=str(path)[:300], why=why))


def shipped(game: str) -> Collection:
    """The puzzles in a game's folder."""
    path = definition(game).folder / NAME
    return load(path, game) if path.is_file() else Collection(game)


# --- one puzzle -------------------------------------------------------------------------------------------------------
def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as JSON-able data, without the game."""
    data = vars(puzzle) | {name: dict(getattr(puzzle, name)) for name in ("options", "costs", "bots")}
    data |= {"moves": ";".join(puzzle.moves), "worth": [puzzle.worth, puzzle.worth_margin]}
    return {name: value for name, value in data.items() if name not in ("game", "worth_margin")}


def puzzle_from_data(game: str, data: Mapping[str, Any]) -> Puzzle:
    """The puzzle of stored data; raises KeyError, TypeError, ValueError or AttributeError for data that is none."""
    moves = tuple(str(data["moves"]).split(";")) if data["moves"] else ()
    return Puzzle(
        game,
        number_in(data, "players"),
        dict(data["options"]),
        number_in(data, "seed"),
        number_in(data, "number"),
        moves,
        number_in(data, "seat"),
        str(data["check"]),
        str(data["best"]),
        *value_of(data["worth"]),
        {str(name): value_of(cost) for name, cost in data["costs"].items()},
        {str(name): str(move) for name, move in data["bots"].items()},
        number_in(data, "worlds"),
    )


def number_in(data: Mapping[str, Any], name: str) -> int:
    """A whole number among data; raises KeyError, or TypeError for anything else, true and false too."""
    number = whole(data[name])
    if number is None:
        raise TypeError(name)
    return number


def value_of(pair: Any) -> tuple[float, float | None]:
    """A stored value and half its interval."""
    value, margin = pair
    return float(value), None if margin is None else float(margin)


# --- of a day ---------------------------------------------------------------------------------------------------------
EACH_DAY, DAYS = 3, 7  # puzzles of a day; days whose puzzles can be opened, the present one among them


class Pool:
    """The puzzles of a server, by game: those that come with the games, and those of files of its own."""

    def __init__(self, puzzles: Mapping[str, Iterable[Puzzle]]) -> None:
        mixed = {game: sorted(own, key=lambda each: each.key) for game, own in sorted(puzzles.items())}
        self._by_game = {game: own for game, own in mixed.items() if own}

    @classmethod
    def of(cls, files: Iterable[Path] = ()) -> Self:
        """The pool of the games that can be played; raises HexdeckError for a file that can't be used.

        A game whose own puzzles can't be used has none, and the log says why.
        """
        by_game = {game: list(own_puzzles(game)) for game in playable()}
        for path in files:
            collection = load(path)
            by_game.setdefault(collection.game, []).extend(collection.puzzles)
        return cls({game: {puzzle.key: puzzle for puzzle in own}.values() for game, own in by_game.items()})

    def of_day(self, day: date) -> tuple[Puzzle, ...]:
        """The puzzles of a day; fewer than usual where there aren't as many."""
        games, chosen = [*self._by_game], dict[str, Puzzle]()
        for slot in range(EACH_DAY * day.toordinal(), EACH_DAY * (day.toordinal() + 1)) if games else ():
            pool = self._by_game[games[slot % len(games)]]
            puzzle = pool[slot // len(games) % len(pool)]
            chosen[puzzle.key] = puzzle
        return tuple(chosen.values())


def own_puzzles(game: str) -> Iterable[Puzzle]:
    """The puzzles that come with a game."""
    try:
        return shipped(game).puzzles
    except HexdeckError as error:
        LOG.warning("a game has no puzzles", extra={"game": game, "why": str(error)})
        return ()


def is_open(day: date, today: date) -> bool:
    """Whether the puzzles of a day can be opened: those of coming days can't, nor those of long ago."""
    return 0 <= (today - day).days < DAYS


# --- explanations -----------------------------------------------------------------------------------------------------
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


def lines(puzzle: Puzzle, match: Match, labels: dict[str, Text], measure: ResultUnit, answer: str) -> tuple[Line, ...]:
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


def left_out(puzzle: Puzzle, answer: str, measure: ResultUnit) -> tuple[Text, ...]:
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
