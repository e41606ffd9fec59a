"""A report on a game: what came of many games between bots, for each number of players."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import takewhile
from threading import Event
from typing import Any

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.errors import BadOption
from hexdeck.engine.measure import Measure
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.counting.collect import Collected, Source, chunks, collect
from hexdeck.lab.counting.message_counts import Heard
from hexdeck.lab.counting.metrics import FIRST, LAST
from hexdeck.lab.counting.sample import matches
from hexdeck.lab.counting.skill import PAIRS, Duel, duel
from hexdeck.lab.counting.stats import needed
from hexdeck.lab.counting.tension import Seen, look_at
from hexdeck.simulation.game import game as game_of

FIRST_PLACE, LAST_PLACE = 0, 1
LISTENED, NAMED = 150, 20  # matches in which what is told is counted; in which moves are named
FEWEST, MUCH = 60, 8_000  # of matches that are long fewer do: after so many events
FEW_NAMED, MANY = 5, 1_000  # the same of matches in which moves are named
DEALS = 200  # on which bots are compared
SECONDS = 14.0  # for looking inside, all numbers of players together
PLAYING = 12.0  # seconds for the games of all of them: after that a number of players has what gives ±POINT
POINT = 0.01  # of a seat's share: so large an advantage is found 4 times in 5
PACE = 8.0  # seconds that a person takes for a choice

LOOKING, DUELING = _("{players} players: looking inside"), _("{players} players: bots of other levels")

# what is being done, how much more of it is done, of how much as far as is known; from any thread
Tick = Callable[[Text, int, int | None], None]


@dataclass(frozen=True)
class Plan:
    """What a report plays: `games` for each number of players (None: enough to find an advantage of one point).

    `seconds`: for looking inside; `sample`: matches to look at, whatever time it takes; `playing`: seconds for the
    games, after which a slow game has only as many as give ±1 point.
    """

    bots: tuple[str, ...] = ("house",)
    games: int | None = None
    seed: int = 0
    threads: int = 1
    sample: int | None = None
    seconds: float = SECONDS
    playing: float = PLAYING
    pace: float = PACE
    backend: str | None = None

    def needed(self, players: int, tests: int) -> int:
        """The games to play with so many players, where so many shares are held against what is fair."""
        return self.games or needed(1 / players, POINT, tests)


def comparisons(counts: Iterable[int]) -> int:
    """How many shares a report on these numbers of players holds against what is fair: seats', and who begins'."""
    return sum(players + 1 for players in counts)


@dataclass(frozen=True)
class Part:
    """A report's part on one number of players."""

    game: GameSetup
    collected: Collected
    heard: Heard
    seen: tuple[Seen, ...]
    duels: tuple[Duel, ...]
    measure: Measure
    bots: tuple[str, ...] = ("house",)

    @property
    def alike(self) -> bool:
        """Whether all seats had the same bot, so that a difference between them is one between seats."""
        return len(set(self.bots)) == 1

    @property
    def players(self) -> int:
        """How many play."""
        return self.game.players

    @property
    def place(self) -> int:
        """Which place decides: the first; the last in a game that one player loses and all others win."""
        return LAST_PLACE if one_loser(self.game) else FIRST_PLACE

    @property
    def shares(self) -> str:
        """The measure of each seat's share of the place that decides."""
        return LAST if self.place else FIRST


@dataclass(frozen=True)
class Report:
    """What a playtest of a game showed."""

    name: str
    plan: Plan
    parts: tuple[Part, ...]
    interrupted: bool = False

    @property
    def tests(self) -> int:
        """How many shares it holds against what is fair."""
        return comparisons(part.players for part in self.parts)

    @property
    def table(self) -> Any:
        """The game's words."""
        return definition(self.name).table


@dataclass
class Clock:
    """How fast games are played; the first chunk isn't timed, for it may have to be compiled."""

    done: int = 0
    first: int = 0
    began: float = 0.0
    now: float = 0.0

    def add(self, games: int) -> None:
        """So many more are done."""
        self.now = time.monotonic()
        if not self.done:
            self.began, self.first = self.now, games
        self.done += games

    @property
    def spent(self) -> float:
        """The seconds since the first chunk was done."""
        return self.now - self.began

    def by(self, seconds: float, least: int, most: int) -> int:
        """How many there will be after so many seconds, so far as can be said: from `least` to `most`."""
        rate = (self.done - self.first) / self.spent if self.spent > 0 else float("inf")
        return round(max(self.done, min(most, max(least, rate * seconds))))


@dataclass
class Maker:
    """Makes a report part by part; interrupted, it has what was finished. `source`: what plays the games to count.

    While the games of one number of players are counted, those of the one before are looked into: no thread waits.
    """

    name: str
    plan: Plan
    options: Mapping[str, Any] = field(default_factory=dict)
    tick: Tick = lambda _what, _done, _of: None
    source: Source = chunks
    stopped: Event = field(default_factory=Event)
    spent: float = 0.0  # seconds on games

    def make(self, counts: Sequence[int]) -> Report:
        """The report on these numbers of players; raises KeyboardInterrupt only when no part was finished."""
        games = [game_of(self.name, players, **self.options) for players in counts]
        made: list[Future[Part]] = []
        with ThreadPoolExecutor(self.plan.threads) as pool, ThreadPoolExecutor(1) as behind:
            try:
                for k, game in enumerate(games):
                    collected = self.play(game, counts, pool, (self.plan.playing - self.spent) / (len(games) - k))
                    if collected.interrupted:
                        self.stopped.set()
                    made.append(behind.submit(self.part, collected, len(counts), pool))
                    if self.stopped.is_set():
                        break
                wait(made)
            except KeyboardInterrupt:
                self.stopped.set()
            parts = [each.result() for each in made if each.exception() is None]
        for each in made:
            if not parts or not self.stopped.is_set():
                each.result()  # raises what went wrong
        if not parts:
            raise KeyboardInterrupt
        return Report(self.name, self.plan, tuple(parts), self.stopped.is_set())

    def seated(self, players: int) -> tuple[str, ...]:
        """The bot of each of so many seats."""
        return self.plan.bots * players if len(self.plan.bots) == 1 else self.plan.bots

    def part(self, collected: Collected, counts: int, pool: Executor) -> Part:
        """The part on one of so many numbers of players, from its games: this thread only asks for what `pool` does."""
        plan, game = self.plan, collected.game
        players, bots, dueling = game.players, self.seated(game.players), say(DUELING, players=game.players)
        heard = pool.submit(self.listen, game, bots, collected)
        duels = [
            pool.submit(duel, game, *pair, DEALS, plan.seed, 1, plan.backend,
                        lambda done: self.tick(dueling, done, DEALS * players * len(PAIRS)))
            for pair in PAIRS
        ]  # fmt: skip
        seen = self.look(game, bots, len(collected), plan.seconds / counts, pool)
        dueled = tuple(each.result() for each in duels)
        return Part(game, collected, heard.result(), tuple(seen), dueled, measure_of(game), bots)

    def play(self, game: GameSetup, counts: Sequence[int], pool: Executor, seconds: float) -> Collected:
        """The games with so many players: in so many seconds, unless that doesn't give ±POINT."""
        plan, playing = self.plan, say("{players} players: games", players=game.players)
        games, shares = plan.needed(game.players, comparisons(counts)), LAST if one_loser(game) else FIRST
        least, clock = 0 if plan.games else round((1.96 / POINT) ** 2 * (1 - 1 / game.players) / game.players), Clock()

        def tick(done: int) -> None:
            clock.add(done)
            self.tick(playing, done, games if plan.games else clock.by(seconds, least, games))

        def enough(found: Collected) -> bool:
            late = not plan.games and clock.spent > seconds
            return late and max(each.margin for each in found.of(shares)) <= POINT

        collected = collect(
            game, games, self.seated(game.players), plan.seed, plan.threads, backend=plan.backend,
            progress=tick, enough=enough, source=self.source, pool=pool,
        )  # fmt: skip
        self.spent += clock.spent
        return collected

    def look(self, game: GameSetup, bots: Sequence[str], games: int, seconds: float, pool: Executor) -> list[Seen]:
        """What was seen inside some of the games: as many as asked for, or as fit in so many seconds."""
        plan, looking = self.plan, say(LOOKING, players=game.players)
        told = 0

        def tick(done: int, spent: float) -> None:
            nonlocal told
            if plan.sample:
                self.tick(looking, done, plan.sample)
            else:
                now = min(100, round(100 * spent / (seconds * plan.threads)))
                self.tick(looking, now - told, 100)  # in hundredths of the time
                told = now

        each = matches(game, bots, plan.seed, plan.sample or min(games, LISTENED), plan.backend)
        until = takewhile(lambda _match: not self.stopped.is_set(), each)
        seconds = float("inf") if plan.sample else seconds
        return look_at(game, until, plan.seed, plan.threads, seconds, plan.backend, tick, pool)

    def listen(self, game: GameSetup, bots: Sequence[str], collected: Collected) -> Heard:
        """What was told in the first games; moves are named in some, and in the first where one was made."""
        plan, games, heard = self.plan, min(len(collected), LISTENED), Heard(game)
        listening = say("{players} players: listening", players=game.players)
        events = 0
        for number, match in enumerate(matches(game, bots, plan.seed, games, plan.backend)):
            heard.listen(match)
            if number < (NAMED if events < MANY else FEW_NAMED):
                heard.name_moves(match, number)
            self.tick(listening, 1, games)
            events += match.length
            if (events > MUCH and number >= FEWEST) or self.stopped.is_set():
                break
        for number in heard.unnamed(collected.met).values():
            for match in matches(game, bots, plan.seed, 1, plan.backend, number):
                heard.name_moves(match, number)
        return heard


def measure_of(game: GameSetup) -> Measure:
    """How results of a game are said to people."""
    measure: Measure = game.hints.measure(Match(game, 0, backend="interpreted").struct)
    return measure


def counts_of(name: str, players: Sequence[int], options: Mapping[str, Any]) -> list[int]:
    """The numbers of players asked for; without any, all that the options can be played with. Raises BadOption."""
    low, high = definition(name).rules.PLAYERS
    if players:
        return list(dict.fromkeys(players))
    possible, refused = [], None
    for count in range(low, high + 1):
        try:
            game_of(name, count, **options)
            possible.append(count)
        except BadOption as error:
            refused = error
    if refused is not None and not possible:
        raise refused
    return possible
