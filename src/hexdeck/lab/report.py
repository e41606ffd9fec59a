"""A report on a game: what came of many games between bots, for each number of players."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hexdeck.bots.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game, game_module
from hexdeck.engine.game import game as game_of
from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.collect import Collected, Source, chunks, collect
from hexdeck.lab.facts import Heard
from hexdeck.lab.inside import Seen, watch
from hexdeck.lab.measures import FIRST, LAST
from hexdeck.lab.sample import matches
from hexdeck.lab.skill import PAIRS, Duel, duel
from hexdeck.lab.stats import needed

FIRST_PLACE, LAST_PLACE = 0, 1
LISTENED, NAMED = 150, 20  # matches in which what is told is counted; in which moves are named
FEWEST, MUCH = 60, 8_000  # of matches that are long fewer do: after so many events
DEALS = 200  # on which bots are compared
SECONDS = 14.0  # for looking inside, all numbers of players together
PLAYING = 10.0  # seconds for the games of all of them: after that a number of players has what gives ±POINT
POINT = 0.01  # of a seat's share: so large an advantage is found 4 times in 5
PACE = 8.0  # seconds that a person takes for a choice

LOOKING, DUELING = _("{players} players: looking inside"), _("{players} players: bots of other levels")

Tick = Callable[[Text, int, int | None], None]  # what is being done, how much more of it is done, of how much if known


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
    lane: str | None = None

    def needed(self, players: int, tests: int) -> int:
        """The games to play with so many players, where so many shares are held against what is fair."""
        return self.games or needed(1 / players, POINT, tests)

    def least(self, players: int) -> int:
        """The games that are played however slow they are: a fair share is then known to ±1 point."""
        fair = 1 / players
        return self.games or round(1.03 * (1.96 / POINT) ** 2 * fair * (1 - fair))


def comparisons(counts: Iterable[int]) -> int:
    """How many shares a report on these numbers of players holds against what is fair: seats', and who begins'."""
    return sum(players + 1 for players in counts)


@dataclass(frozen=True)
class Part:
    """A report's part on one number of players."""

    game: Game
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
        return game_module(self.name, "table")


@dataclass
class Maker:
    """Makes a report part by part; interrupted, it has what was finished. `source`: what plays the games to count."""

    name: str
    plan: Plan
    options: Mapping[str, Any] = field(default_factory=dict)
    tick: Tick = lambda _what, _done, _of: None
    source: Source = chunks
    parts: list[Part] = field(default_factory=list)

    def make(self, counts: Sequence[int]) -> Report:
        """The report on these numbers of players; raises KeyboardInterrupt only when no part was finished."""
        interrupted = False
        games = [game_of(self.name, players, **self.options) for players in counts]
        try:
            for game in games:
                self.parts.append(self.part(game, counts))
        except KeyboardInterrupt:
            if not self.parts:
                raise
            interrupted = True
        return Report(self.name, self.plan, tuple(self.parts), interrupted)

    def part(self, game: Game, counts: Sequence[int]) -> Part:
        """The part on one of these numbers of players."""
        plan, players = self.plan, game.players
        bots = plan.bots * game.players if len(plan.bots) == 1 else plan.bots
        collected = self.play(game, bots, counts)
        heard = self.listen(game, bots, collected)
        seen = self.look(game, bots, len(collected), plan.seconds / len(counts))
        dueling = say(DUELING, players=players)
        duels = [
            duel(game, *pair, DEALS, plan.seed, plan.threads, plan.lane,
                 lambda done: self.tick(dueling, done, DEALS * players * len(PAIRS)))
            for pair in PAIRS
        ]  # fmt: skip
        return Part(game, collected, heard, tuple(seen), tuple(duels), measure_of(game), tuple(bots))

    def play(self, game: Game, bots: Sequence[str], counts: Sequence[int]) -> Collected:
        """The games with so many players."""
        plan, playing = self.plan, say("{players} players: games", players=game.players)
        games, least = plan.needed(game.players, comparisons(counts)), plan.least(game.players)
        began: list[float] = []

        def enough(done: int) -> bool:
            began.append(time.monotonic())  # the first chunk isn't timed: it may have had to be compiled
            return done >= least and began[-1] > began[0] + plan.playing / len(counts)

        collected = collect(
            game, games, bots, plan.seed, plan.threads, lane=plan.lane,
            progress=lambda done: self.tick(playing, done, games),
            enough=enough, source=self.source,
        )  # fmt: skip
        if collected.interrupted:
            raise KeyboardInterrupt
        return collected

    def look(self, game: Game, bots: Sequence[str], games: int, seconds: float) -> list[Seen]:
        """What was seen inside some of the games: as many as asked for, or as fit in so many seconds."""
        plan, looking = self.plan, say(LOOKING, players=game.players)
        began, told = time.monotonic(), 0

        def tick(done: int) -> None:
            nonlocal told
            if plan.sample:
                self.tick(looking, done, plan.sample)
            else:
                now = min(100, round(100 * (time.monotonic() - began) / seconds))
                self.tick(looking, now - told, 100)  # in hundredths of the time
                told = now

        return watch(
            game, bots, plan.seed, plan.sample or min(games, LISTENED), plan.threads,
            float("inf") if plan.sample else seconds, plan.lane, tick,
        )  # fmt: skip

    def listen(self, game: Game, bots: Sequence[str], collected: Collected) -> Heard:
        """What was told in the first games; moves are named in some, and in the first where one was made."""
        plan, games, heard = self.plan, min(len(collected), LISTENED), Heard(game)
        listening = say("{players} players: listening", players=game.players)
        events = 0
        for number, match in enumerate(matches(game, bots, plan.seed, games, plan.lane)):
            heard.listen(match)
            if number < NAMED:
                heard.name_moves(match, number)
            self.tick(listening, 1, games)
            events += match.length
            if events > MUCH and number >= FEWEST:
                break
        for number in heard.unnamed(collected.met).values():
            for match in matches(game, bots, plan.seed, 1, plan.lane, number):
                heard.name_moves(match, number)
        return heard


def measure_of(game: Game) -> Measure:
    """How results of a game are said to people."""
    measure: Measure = game.hints.measure(game.match(0, lane="interpreted").struct)
    return measure


def counts_of(name: str, players: Sequence[int], options: Mapping[str, Any]) -> list[int]:
    """The numbers of players asked for; without any, all that the options can be played with. Raises BadOption."""
    low, high = game_module(name, "rules").PLAYERS
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
