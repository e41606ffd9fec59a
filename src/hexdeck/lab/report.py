"""A report on a game: what came of many games between bots, for each number of players."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hexdeck.bots.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game, game_module
from hexdeck.engine.game import game as game_of
from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.collect import Collected, collect
from hexdeck.lab.facts import Heard
from hexdeck.lab.inside import Seen, watch
from hexdeck.lab.measures import FIRST, LAST
from hexdeck.lab.sample import matches
from hexdeck.lab.skill import PAIRS, Duel, duel

FIRST_PLACE, LAST_PLACE = 0, 1
LISTENED, NAMED = 200, 20  # matches in which what is told is counted; in which moves are named
DEALS = 200  # on which bots are compared
SECONDS = 20.0  # for looking inside, all numbers of players together
PACE = 8.0  # seconds that a person takes for a choice

LATER = _("{players} players: looking inside"), _("{players} players: bots of other levels")

Tick = Callable[[Text, int, int | None], None]  # what is being done, how much more of it is done, of how much if known


@dataclass(frozen=True)
class Plan:
    """What a report plays: `games` for each number of players (None: enough for ±1 point on seats), and the samples.

    `seconds`: for looking inside; `sample`: matches to look at, whatever time it takes.
    """

    bots: tuple[str, ...] = ("house",)
    games: int | None = None
    seed: int = 0
    threads: int = 1
    sample: int | None = None
    seconds: float = SECONDS
    pace: float = PACE
    lane: str | None = None

    def needed(self, players: int) -> int:
        """The games to play with so many players: a fair share of first places is then known to ±1 point."""
        fair = 1 / players
        return self.games or round(1.03 * (1.96 / 0.01) ** 2 * fair * (1 - fair))


@dataclass(frozen=True)
class Part:
    """A report's part on one number of players."""

    game: Game
    collected: Collected
    heard: Heard
    seen: tuple[Seen, ...]
    duels: tuple[Duel, ...]
    measure: Measure

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
    seconds: float
    interrupted: bool = False

    @property
    def table(self) -> Any:
        """The game's words."""
        return game_module(self.name, "table")


@dataclass
class Maker:
    """Makes a report part by part; interrupted, it has what was finished."""

    name: str
    plan: Plan
    options: Mapping[str, Any] = field(default_factory=dict)
    tick: Tick = lambda _what, _done, _of: None
    parts: list[Part] = field(default_factory=list)

    def make(self, counts: Sequence[int]) -> Report:
        """The report on these numbers of players; raises KeyboardInterrupt only when no part was finished."""
        began, interrupted = time.monotonic(), False
        games = [game_of(self.name, players, **self.options) for players in counts]
        try:
            for game in games:
                self.parts.append(self.part(game, self.plan.seconds / len(games)))
        except KeyboardInterrupt:
            if not self.parts:
                raise
            interrupted = True
        return Report(self.name, self.plan, tuple(self.parts), time.monotonic() - began, interrupted)

    def part(self, game: Game, seconds: float) -> Part:
        """The part on one number of players."""
        plan, players = self.plan, game.players
        playing = say("{players} players: games", players=players)
        looking, dueling = (say(text, players=players) for text in LATER)
        bots = plan.bots * game.players if len(plan.bots) == 1 else plan.bots
        games = plan.needed(game.players)
        collected = collect(
            game, games, bots, plan.seed, plan.threads, lane=plan.lane,
            progress=lambda done: self.tick(playing, done, games),
        )  # fmt: skip
        if collected.interrupted:
            raise KeyboardInterrupt
        heard = self.listen(game, bots, min(games, LISTENED))
        seen = watch(
            game, bots, plan.seed, plan.sample or min(games, LISTENED), plan.threads,
            float("inf") if plan.sample else seconds, plan.lane,
            lambda done: self.tick(looking, done, plan.sample),
        )  # fmt: skip
        duels = [
            duel(game, *pair, DEALS, plan.seed, plan.threads, plan.lane,
                 lambda done: self.tick(dueling, done, DEALS * players * len(PAIRS)))
            for pair in PAIRS
        ]  # fmt: skip
        return Part(game, collected, heard, tuple(seen), tuple(duels), measure_of(game))

    def listen(self, game: Game, bots: Sequence[str], games: int) -> Heard:
        """What was told in the first games."""
        heard = Heard(game)
        for number, match in enumerate(matches(game, bots, self.plan.seed, games, self.plan.lane)):
            heard.listen(match)
            if number < NAMED:
                heard.name_moves(match)
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
