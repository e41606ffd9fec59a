"""A report on a game: the results of many games between bots, for each number of players."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from threading import Event
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.study import ResultUnit, Starting
from hexdeck.engine.text import Text
from hexdeck.lab import counts, log, studies
from hexdeck.lab.counts import FIRST, LAST, SCREEN, GameStatistics, Source, chunks, collect, kind_numbers
from hexdeck.lab.messages import MessageCounts
from hexdeck.stats import Estimate, sample_size, size_for_margin

if TYPE_CHECKING:
    from hexdeck.lab.causes import CauseStudy, KindWorth
    from hexdeck.lab.pairs import Effect
    from hexdeck.lab.reporting.played import Group
    from hexdeck.lab.tension import MatchAnalysis

LISTENED, NAMED = 150, 20  # matches whose messages are counted; whose moves' labels are
FEWEST, MUCH = 60, 5_000  # after so many events of long matches, so many matches are enough
FEW_NAMED, MANY = 5, 1_000  # the same for labels
DEALS = 200  # deals on which bots are compared
SECONDS = 10.0  # of processors for analyses of matches, all numbers of players together
PLAYING = 8.0  # seconds for games, all numbers of players together; after that, games that give ±POINT are enough
SETTLING = 6.0  # seconds, at most, for more games where an answer can't tell
POINT = 0.01  # the advantage in a seat's share that is looked for: a percentage point
FAIRNESS = 0.8  # of the 5 % for all questions together that those about seats have, see `findings.Tests`
CHOICE_SECONDS = SCREEN.think  # that a person takes for a choice between a few moves, see `lab.counts`

LOOKING, DUELING = "{players} players: estimating chances", "{players} players: bots of other levels"
THINKING = "{players} players: bots that think longer"

Tick = Callable[[str, int, int | None], None]  # progress, from any thread: of what, how much more, of how much if known


@dataclass(frozen=True)
class Plan:
    """How much a report plays and analyses."""

    bots: tuple[str, ...] = ("house",)  # one name for all seats or a name for each
    games: int | None = None  # for each number of players; None for enough to find an advantage of a percentage point
    seed: int = 0
    threads: int = 1
    sample: int | None = None  # matches to analyse; None for as many as fit in `seconds` of processors
    seconds: float = SECONDS
    playing: float = PLAYING  # seconds after which slow games need only give ±1 point
    choice_seconds: float = CHOICE_SECONDS
    thinking: int = 0  # deals on which bots that think twice as long are compared, which takes long
    backend: str | None = None

    def setup(self, game: GameSetup) -> log.SimulationSetup:
        """What is simulated of a game."""
        return log.SimulationSetup(game, self.bots, self.seed, self.threads, self.backend)

    def needed(self, players: int, tests: int) -> int:
        """The number of games to play with so many players, where a share is compared in one of so many tests."""
        return self.games or sample_size(1 / players, POINT, tests)


def comparisons(numbers: Iterable[int]) -> int:
    """Of how many tests of equal weight one is: shares and results of seats and starters have FAIRNESS of the 5 %."""
    return round(sum(2 * (players + 1) for players in numbers) / FAIRNESS)


@dataclass(frozen=True)
class PaperMatch:
    """A match with real cards: the points of each seat, of which more are better."""

    points: tuple[float, ...]
    minutes: float | None = None
    remarks: str = ""


@dataclass(frozen=True)
class ReportPart:
    """A report's part on one number of players."""

    game: GameSetup
    statistics: GameStatistics
    messages: MessageCounts
    measure: ResultUnit  # the unit of results
    bots: tuple[str, ...] = ("house",)  # of each seat; of people's matches one if all seats had the same kind, or none
    analyses: tuple[MatchAnalysis, ...] = ()
    duels: tuple[studies.Duel, ...] = ()
    starts: studies.StartStudy | None = None  # what starting is worth, where chance sometimes decides who starts
    variance: studies.VarianceParts | None = None  # what results vary by
    thinking: tuple[studies.Duel, ...] = ()  # of bots that think twice as long as the others, if that was asked for
    causes: CauseStudy | None = None  # where points come from, and what cards and actions do
    probes: tuple[Effect, ...] = ()  # what ways of playing bring, as far as bots can be bent
    evening: studies.EveningStudy | None = None  # what happens from deal to deal, where chips are carried on
    played: Group | None = None  # what only matches from tables have
    paper: tuple[PaperMatch, ...] = ()  # matches with real cards, to be shown beside

    # what was estimated of it before, by the measure's name and the number of what it is of
    estimates = cached_property[dict[tuple[str, int], Estimate]](lambda _self: {})
    players = cached_property[int](lambda self: self.game.players)
    same_bots = cached_property[bool](lambda self: len(set(self.bots)) == 1)  # so that no difference is one of bots
    place = cached_property[int](lambda self: int(one_loser(self.game)))  # which decides: first (0) or last (1)
    shares = cached_property[str](lambda self: LAST if self.place else FIRST)  # the metric of seats' shares of it
    starter_share = cached_property[str](lambda self: counts.STARTER_LAST if self.place else counts.STARTER_FIRST)
    # whether results are matches won, so that they say no more than shares do
    won_or_lost = cached_property[bool](lambda self: (self.measure.low, self.measure.high) == (0.0, 100.0))

    @cached_property
    def first_deal(self) -> str:
        """What follows who starts, where a match has several deals, each with a starter."""
        evening = self.game.hints.STUDY.evening
        several = evening is not None and self.game.options[evening.option] > 1
        return f" in the first {self.game.table.ABOUT.deal}".lower() * several

    @cached_property
    def starting(self) -> Starting:
        """How the starter is chosen, and of which deal."""
        out = studies.starting_of(self.game)
        words: dict[str, Any] = {
            name: Text(f"{text}{self.first_deal}") for name in ("why", "chance") if (text := getattr(out, name))
        }
        return replace(out, **words) if self.first_deal else out

    @cached_property
    def events(self) -> dict[str, Text]:
        """What a table tells, by key: what came, the most frequent first, then what never did."""
        came = {key: self.messages.texts[key] for key in self.messages.frequent_keys()}
        return came | {text.key: text for text in self.messages.never()}

    def duel_with(self, others: str) -> studies.Duel | None:
        """The duel of the house bot with such bots, if it was played."""
        return next((duel for duel in self.duels if (duel.one, duel.others) == ("house", others)), None)

    @cached_property
    def worths(self) -> list[KindWorth]:
        """What kinds of actions are worth, by the choices that were judged."""
        from hexdeck.lab.causes import kind_worths

        names, kind = kind_numbers(self.game.rules.ACTIONS)
        return kind_worths(self.analyses, kind, len(names))

    def always_starts(self, seat: int) -> bool:
        """Whether a seat is the one that starts in every game, without a say of anybody."""
        return self.starting.at_random and self.statistics[counts.STARTS, seat].value == 1


@dataclass(frozen=True)
class Report:
    """The results of a playtest."""

    plan: Plan
    parts: tuple[ReportPart, ...]
    interrupted: bool = False  # whether it was stopped before it was done
    correction: float = 1.0  # by which p-values are multiplied, where one looks at growing data: see `answers.LOOKS`
    left: tuple[str, ...] = ()  # what was left out and why

    game = cached_property[GameSetup](lambda self: self.parts[0].game)  # as the first part played it
    players = cached_property[tuple[int, ...]](lambda self: tuple(part.players for part in self.parts))
    games = cached_property[int](lambda self: sum(len(part.statistics) for part in self.parts))  # that were counted
    # all of equal weight, of which one is
    tests = cached_property[int](lambda self: round(comparisons(self.players) * self.correction))


@dataclass
class ReportMaker:
    """Makes a report, part by part; while one is counted, the one before is analysed, so that no thread waits."""

    games: Sequence[GameSetup]  # which differ in the number of players
    plan: Plan
    tick: Tick = lambda _what, _done, _of: None
    source: Source = chunks  # what plays the games to count
    stopped: Event = field(default_factory=Event)
    spent: float = 0.0  # seconds on games

    def make(self) -> Report:
        """The report; raises KeyboardInterrupt only when no part was finished."""
        futures: list[Future[ReportPart]] = []
        with ThreadPoolExecutor(self.plan.threads) as pool, ThreadPoolExecutor(1) as behind:
            try:
                for k, game in enumerate(self.games):
                    statistics = self.play(game, pool, (self.plan.playing - self.spent) / (len(self.games) - k))
                    if statistics.interrupted:
                        self.stopped.set()
                    futures.append(behind.submit(self.part, statistics, pool))
                    if self.stopped.is_set():
                        break
                wait(futures)
            except KeyboardInterrupt:
                self.stopped.set()
            parts = [future.result() for future in futures if future.exception() is None]
        for future in futures:
            if not parts or not self.stopped.is_set():
                future.result()  # raises what went wrong
        if not parts:
            raise KeyboardInterrupt
        return Report(self.plan, tuple(parts), self.stopped.is_set())

    def part(self, statistics: GameStatistics, pool: Executor) -> ReportPart:
        """The part on one game, from its statistics; this thread only waits for what `pool` does."""
        from hexdeck.lab.causes import study_causes
        from hexdeck.lab.pairs import probe_effects

        setup, games, stopped = self.plan.setup(statistics.game), len(statistics), self.stopped.is_set
        single, players, thinking = replace(setup, threads=1), setup.game.players, self.plan.thinking
        messages = pool.submit(self.count_messages, setup, statistics)

        def dueling(text: str, deals: int, pairs: int) -> Callable[[int], None]:
            return lambda done: self.tick(text.format(players=players), done, deals * players * pairs)

        ticks = dueling(DUELING, DEALS, len(studies.PAIRS)), dueling(THINKING, thinking, len(studies.GAMES))
        duels = [pool.submit(studies.duel, single, *pair, DEALS, ticks[0]) for pair in studies.PAIRS]
        tasks: dict[str, Future[Any]] = {
            "starts": pool.submit(studies.study_starts, single, min(games, studies.STUDIED)),
            "variance": pool.submit(studies.study_variance, single, DEALS // 2),
            "thinking": pool.submit(studies.study_thinking, single, thinking, ticks[1]),
            "causes": pool.submit(study_causes, single, games, stopped),
            "probes": pool.submit(probe_effects, single, games),
            "evening": pool.submit(studies.study_evenings, single, games, stopped),
        }
        analyses = tuple(self.analyse(setup, games, self.plan.seconds / len(self.games), pool))
        part = part_of(setup, statistics, analyses=analyses, **{name: task.result() for name, task in tasks.items()})
        return replace(part, messages=messages.result(), duels=tuple(task.result() for task in duels))

    def play(self, game: GameSetup, pool: Executor, seconds: float) -> GameStatistics:
        """Play a game's share of the games: for so many seconds, or longer if shares aren't known to ±POINT by then."""
        plan, playing = self.plan, f"{game.players} players: games"
        moments, chunk_games = list[float](), list[int]()  # after each chunk; the first may include compilation
        games = plan.needed(game.players, comparisons(game.players for game in self.games))
        shares = LAST if one_loser(game) else FIRST
        least = 0 if plan.games else size_for_margin(1 / game.players, POINT)

        def tick(games_done: int) -> None:
            moments.append(time.monotonic())
            chunk_games.append(games_done)
            spent = moments[-1] - moments[0]
            expected = sum(chunk_games[1:]) / spent * seconds if spent > 0 else games
            expected = round(max(sum(chunk_games), min(games, max(least, expected))))
            self.tick(playing, games_done, games if plan.games else expected)

        def enough(statistics: GameStatistics) -> bool:
            late = not plan.games and moments[-1] - moments[0] > seconds
            return late and max(estimate.margin for estimate in statistics.estimates(shares)) <= POINT

        out = collect(plan.setup(game), games, progress=tick, enough=enough, source=self.source, pool=pool)
        self.spent += moments[-1] - moments[0]
        return out

    def analyse(self, setup: log.SimulationSetup, games: int, seconds: float, pool: Executor) -> list[MatchAnalysis]:
        """Analyse some of the games: as many as the plan says, or as fit in so many seconds."""
        from hexdeck.lab.tension import analyse_matches

        plan, looking = self.plan, LOOKING.format(players=setup.game.players)
        percents = [0]  # percent of the seconds, from time to time

        def tick(games_done: int, spent: float) -> None:
            percents.append(min(100, round(100 * spent / seconds)))
            self.tick(looking, games_done if plan.sample else percents[-1] - percents[-2], plan.sample or 100)

        played = log.matches(setup, plan.sample or min(games, LISTENED))
        until = takewhile(lambda _match: not self.stopped.is_set(), played)
        return analyse_matches(setup, until, float("inf") if plan.sample else seconds, tick, pool)

    def count_messages(self, setup: log.SimulationSetup, statistics: GameStatistics) -> MessageCounts:
        """Count the messages of the first games; labels of moves in some, and in the first game with each kind."""
        games, heard = min(len(statistics), LISTENED), MessageCounts(setup.game)
        listening = f"{setup.game.players} players: counting what happens"
        events = 0
        for number, match in enumerate(log.matches(setup, games)):
            heard.add(match)
            if number < (NAMED if events < MANY else FEW_NAMED):
                heard.add_labels(match, number)
            self.tick(listening, 1, games)
            events += match.length
            if (events > MUCH and number >= FEWEST) or self.stopped.is_set():
                break
        heard.add_missing(setup, statistics)
        return heard


def part_of(setup: log.SimulationSetup, statistics: GameStatistics | None = None, **more: Any) -> ReportPart:
    """A part of which only some is known."""
    game, statistics = setup.game, statistics or GameStatistics.of(setup.game)
    return ReportPart(game, statistics, MessageCounts(game), game.measure, setup.seated, **more)


def variants_of(usual: GameSetup, players: Sequence[int], options: Mapping[str, Any]) -> list[GameSetup]:
    """The game with these options for each number of players, or all that the options allow; raises BadOption."""
    if players:
        return [usual.variant(count, **options) for count in dict.fromkeys(players)]
    low, high = usual.rules.PLAYERS
    possible: list[GameSetup] = []
    for count in range(low, high + 1):
        with suppress(BadOption):
            possible.append(usual.variant(count, **options))
    return possible or [usual.variant(high, **options)]  # which says what is wrong
