"""Mines puzzles, positions with one surely best move, from matches that bots play.

`python tools/mine_puzzles.py GAME --resume FILE [--players N] [--count N] [--minutes M] [--bot NAME]` adds what it
finds to the file; the same command resumes where it stopped. `hexdeck puzzles GAME FILE` asks them, and so does a
server that was started with `--puzzles FILE`.

Every legal move is tried in deals of the cards that the seat can't see, all moves in the same ones, as hints do. A few
deals rule most positions out. What is left is tried again in many deals of their own: a move that was lucky before has
no luck there. It is surely best if the lower end of its lead over each other move is still at least what `matters`, at
99 % over all those comparisons together (Bonferroni). It must be the best one in games that another bot plays on, too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hexdeck.bots.advice.hints import evaluator, policy_of
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.bot_names import stored
from hexdeck.bots.players.roster import bot, bots_of
from hexdeck.bots.search.searcher import Belief, PairedEvaluator, PairedValues
from hexdeck.cli import run_tool
from hexdeck.cli.command_line import Argument, Command, chosen_table, option
from hexdeck.cli.compile import prepare
from hexdeck.cli.output import how_to_go_on, tell
from hexdeck.engine.play.game import GameSetup, default_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ResultUnit
from hexdeck.engine.text import Catalogue, say_n
from hexdeck.puzzles import Collection, Cost, MiningRun, Puzzle, known_hash, load
from hexdeck.simulation.game import Game
from hexdeck.stats import critical_value

# --- judging ----------------------------------------------------------------------------------------------------------
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

    def judge(self, knowledge: bytes, seat: int, legal: Sequence[int], measure: ResultUnit) -> Judgement | None:
        """The judgement of a position, from what its seat knows; None where it is no puzzle."""
        actions, least = sorted(legal), matters(measure)
        bots = {name: likeliest(bot, knowledge, seat) for name, bot in self._obvious.items()}
        for worlds, helped in LOOKS:
            values = self._first.evaluate(knowledge, seat, actions, worlds)
            best = best_of(values, actions)
            if not is_missed(best, bots) or not may_lead(values, best, actions, least, helped):
                return None
        if len(values.utilities) == 1:  # they are exact
            return judgement(values, best, actions, bots, 0)
        values = self._second.evaluate(knowledge, seat, actions, CONFIRMED)
        if not leads_surely(values, best, actions, least) or self._best_otherwise(knowledge, seat, actions) != best:
            return None
        return judgement(values, best, actions, bots, CONFIRMED)

    def _best_otherwise(self, knowledge: bytes, seat: int, actions: list[int]) -> int:
        """The best move in games that another bot plays on."""
        return best_of(self._otherwise.evaluate(knowledge, seat, actions, OTHERWISE), actions)


def matters(measure: ResultUnit) -> float:
    """The smallest difference between two moves that a puzzle may rest on, as a utility."""
    return (SHARE if measure.whole else UNIT) / measure.scale


def is_missed(best: int, bots: Mapping[str, int]) -> bool:
    """Whether a move isn't the obvious one: the strongest of the bots whose choices are would not find it."""
    return bots[[name for name in OBVIOUS if name in bots][-1]] != best


def likeliest(bot: Bot, knowledge: bytes, seat: int) -> int:
    """The action that a bot plays most often."""
    return max(bot.candidates(knowledge, seat, 0), key=lambda each: each.probability).action


def best_of(values: PairedValues, actions: Sequence[int]) -> int:
    """The action of the highest value."""
    return max(actions, key=lambda action: values.value(action)[0])


def may_lead(values: PairedValues, best: int, actions: Sequence[int], least: float, helped: float) -> bool:
    """Whether an action leads all others by `least`, if so much of the margin of each lead is added to it."""
    leads = (values.difference(best, action) for action in actions if action != best)
    return all(lead + helped * (margin or 0.0) >= least for lead, margin in leads)


def leads_surely(values: PairedValues, best: int, actions: Sequence[int], least: float) -> bool:
    """Whether an action leads all others by `least`, at `SURE` over all comparisons together."""
    wider = critical_value(len(actions) - 1, SURE) / critical_value(1)
    leads = (values.difference(best, action) for action in actions if action != best)
    return all(lead - wider * (margin or 0.0) >= least for lead, margin in leads)


def judgement(
    values: PairedValues, best: int, actions: Sequence[int], bots: Mapping[str, int], worlds: int
) -> Judgement:
    """The judgement that values give."""
    costs = {action: values.difference(best, action) for action in actions if action != best}
    return Judgement(best, *values.value(best), costs, bots, worlds)


# --- mining -----------------------------------------------------------------------------------------------------------
DIGITS = 4  # kept of utilities


@dataclass(frozen=True)
class MiningLimits:
    """Where mining ends: after so many matches or minutes, or with so many puzzles found; None is no bound."""

    games: int | None = None
    minutes: float | None = None
    count: int | None = None


class Miner:
    """Finds puzzles in the matches of one seed, in which a bot plays all seats."""

    def __init__(self, game: Game, by: str, seed: int) -> None:
        self._game, self._seed = game, seed
        self._bots: list[Bot] = [bot(by, game, (seed << 16) + seat) for seat in range(game.players)]
        self._judge = Judge(game, seed)
        usual = game.usual().options
        self._options = {name: value for name, value in game.options.items() if value != usual[name]}

    def puzzles(self, number: int) -> Iterator[Puzzle]:
        """The puzzles in match `number`, as they come."""
        match = Match(self._game, self._seed, number=number)
        self._judge.begin(number)
        for player in self._bots:
            player.begin(number)
        moves, chose = list[str](), set[tuple[int, int]]()  # the deals in which each seat had a choice
        while not match.over:
            seat = match.actor
            legal = match.legal_ids(seat)
            if len(legal) > 1:
                knowledge, deal = match.concealed(seat), (int(match.struct.deal), seat)
                if deal in chose:  # a seat's first choice of a deal says little of the cards that lie
                    judgement = self._judge.judge(
                        knowledge, seat, legal, self._game.hints.STUDY.measure_in(match.struct)
                    )
                    if judgement:
                        yield self._as_puzzle(match, number, moves, seat, judgement)
                chose.add(deal)
            action = legal[0] if len(legal) == 1 else self._bots[seat].choose(match.concealed(seat), seat)
            moves.append(match.rules.ACTIONS[action])
            match.play(seat, action)

    def _as_puzzle(self, match: Match, number: int, moves: list[str], seat: int, judgement: Judgement) -> Puzzle:
        names = match.rules.ACTIONS
        return Puzzle(
            self._game.name,
            self._game.players,
            self._options,
            self._seed,
            number,
            tuple(moves),
            seat,
            known_hash(match, seat),
            names[judgement.best],
            *rounded((judgement.worth, judgement.worth_margin)),
            {names[action]: rounded(cost) for action, cost in judgement.costs.items()},
            {name: names[action] for name, action in judgement.bots.items()},
            judgement.worlds,
        )

    @property
    def run(self) -> MiningRun:
        """Which matches these are."""
        return MiningRun(self._game.players, tuple(self._options.items()), self._seed)


def rounded(cost: Cost) -> Cost:
    """A value and half its interval, as they are kept."""
    value, margin = cost
    return round(value, DIGITS), None if margin is None else round(margin, DIGITS)


def mine(
    miner: Miner,
    collection: Collection,
    bounds: MiningLimits,
    keep: Callable[[], None] = lambda: None,
    tell: Callable[[int, Puzzle | None], None] = lambda _number, _puzzle: None,
) -> None:
    """Add puzzles to a collection, one of a match at most, from the first match on that it hasn't seen.

    `keep` is called after each match.

    `tell` gets the number of each match, and what was found there.
    """
    until = None if bounds.minutes is None else time.monotonic() + 60 * bounds.minutes
    first, mined = collection.done.get(miner.run, 0), 0
    number = first
    while (
        (bounds.games is None or number - first < bounds.games)
        and (bounds.count is None or mined < bounds.count)
        and (until is None or time.monotonic() < until)
    ):
        puzzle = next(filter(collection.wants, miner.puzzles(number)), None)
        number += 1
        if puzzle:
            mined += 1
            collection.puzzles.append(puzzle)
        collection.done[miner.run] = number
        keep()
        tell(number - first, puzzle)


# --- the command ------------------------------------------------------------------------------------------------------
MOST = 1_000_000_000


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Mine into the file, or only count."""
    file = arguments.resume
    collection = load(file, arguments.game) if file and file.exists() else Collection(chosen_table(arguments).name)
    return mined(arguments, collection, words)


def mined(arguments: argparse.Namespace, collection: Collection, words: Catalogue) -> int:
    """Mine with a line for each puzzle; 130 after an interrupt."""

    def keep() -> None:
        if arguments.resume:
            collection.save(arguments.resume)

    def report(matches: int, puzzle: Puzzle | None) -> None:
        if puzzle:
            text = say_n(
                "{n} match: a puzzle of {moves} moves; {count} in all.",
                "{n} matches: a puzzle of {moves} moves; {count} in all.",
                matches,
                moves=len(puzzle.costs) + 1,
                count=len(collection.puzzles),
            )
            tell(words.words(text))

    prepare(collection.game, words)
    miner = Miner(chosen_table(arguments), arguments.bot, arguments.seed)
    try:
        mine(miner, collection, MiningLimits(arguments.games, arguments.minutes, arguments.count), keep, report)
    except KeyboardInterrupt:
        tell(words.words(how_to_go_on(arguments.resume)), sys.stderr)
        return 130
    matches, puzzles = collection.done.get(miner.run, 0), len(collection.puzzles)
    one, many = (
        "{n} puzzle, after {matches} matches of this seed.",
        "{n} puzzles, after {matches} matches of this seed.",
    )
    tell(words.words(say_n(one, many, puzzles, matches=matches)))
    return 0


COMMAND = Command(
    "tools/mine_puzzles.py",
    "find positions with one surely best move",
    (
        option("game"),
        option("--players"),
        option("--option"),
        option(
            "--resume",
            help="file of the puzzles; the same command resumes where it stopped (default: they are only counted)",
        ),
        Argument("--count", "stop when so many new ones are found", int, default=10, within=(1, MOST)),
        Argument("--games", "stop after so many matches (default: when enough are found)", int, within=(1, MOST)),
        Argument(
            "--minutes", "stop after so many minutes (default: when enough are found)", float, "M", within=(0, MOST)
        ),
        Argument("--bot", "bot that plays all seats of the matches", stored, "NAME", "medium"),
        option("--seed", default=1),
    ),
    run,
)

if __name__ == "__main__":
    sys.exit(run_tool(COMMAND))
