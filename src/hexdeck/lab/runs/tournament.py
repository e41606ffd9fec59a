"""Tournaments: bots on the same deals in all seatings, with ratings and a crosstable.

On each deal the bots sit at one table in every way that has two different ones at it; where those are too many, each
alone among each other on every seat, and all of them in turn round the table. A bot that forfeits comes last in that
game with all of its seats, and all others first. A game depends on its deal and seating alone: who else takes part, and
what was played before, changes nothing (programs outside may remember what they like).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from hexdeck.bots.players.named import bot
from hexdeck.bots.rating.contest import COLUMNS, Contest, result_row
from hexdeck.bots.rating.ladder import RESAMPLED, bradley_terry, resampled
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text, say
from hexdeck.lab.counting.collect import ahead as waiting
from hexdeck.lab.counting.stats import Estimate, Moments
from hexdeck.lab.runs.program_bots import PREFIX, Forfeit, Lost, Program

MOST = 100  # seatings up to which all are played on each deal
AHEAD = COLUMNS.index("ahead")
Pair = tuple[str, str]


class Ours:
    """One of our bots as a player."""

    def __init__(self, name: str, game: GameSetup, seed: int | bytes) -> None:
        self.name, self._bot = name, bot(name, game, seed)

    def choose(self, match: Match, seat: int) -> int:
        """Its choice, from what the seat knows."""
        return self._bot.choose(match.concealed(seat), seat)

    def over(self, match: Match, seat: int, lost: Lost | None = None) -> None:
        """Nothing to be told."""

    def close(self) -> None:
        """Nothing to end."""


Player = Ours | Program


@dataclass(frozen=True)
class Played:
    """A game: which deal, who sat where, the utilities (None where somebody forfeited), and who did, why."""

    deal: int
    seating: tuple[str, ...]
    returns: tuple[float, ...] | None
    loser: int = -1
    why: Text | None = None

    def results(self) -> np.ndarray:
        """Utilities, or -1 for each seat of the bot that forfeited and 0 for all others."""
        if self.returns is not None:
            return np.array(self.returns)
        lost = self.seating[self.loser]
        return np.array([-1.0 if who == lost else 0.0 for who in self.seating])


@dataclass
class Tournament:
    """Games played so far; `deals` counts those that are played at every table.

    `spare`: games that were played before and weren't come to (yet), by deal and seating.
    """

    game: GameSetup
    bots: tuple[str, ...]
    games: list[Played] = field(default_factory=list)
    deals: int = 0
    spare: dict[tuple[int, tuple[str, ...]], Played] = field(default_factory=dict)

    def scores(self, one: str, other: str) -> np.ndarray:
        """How often `one` came in ahead of `other` at their tables, ties half: float64, one for each deal."""
        out: list[list[float]] = [[] for _deal in range(self.deals)]
        for each in self.games:
            if each.deal < self.deals and {one, other} <= set(each.seating):
                out[each.deal] += ahead(each, one, other)
        return np.array([np.mean(row) for row in out])

    def crosstable(self) -> dict[Pair, Estimate]:
        """The mean score of each bot against each other, deals being independent."""
        pairs = [(a, b) for a in self.bots for b in self.bots if a != b]
        return {pair: share_of(self.scores(*pair)) for pair in pairs}

    def ratings(self, seed: int = 1) -> list[Estimate]:
        """A rating for each bot, the first one's 0: Bradley and Terry's, with a bootstrap over deals for intervals."""
        pairs = [*combinations(reversed(self.bots), 2)]
        rng, doubted = np.random.default_rng(seed), [self._doubted(*pair) for pair in pairs]
        fits = [bradley_terry(self.bots, [resampled(each, rng) for each in doubted]) for _ in range(RESAMPLED)]
        low, high = np.quantile(fits, [0.025, 0.975], axis=0)
        found = bradley_terry(self.bots, [self._contest(*pair) for pair in pairs])
        ends = np.minimum(low, found), np.maximum(high, found)
        return [Estimate(*each, self.deals) for each in zip(found, *ends, strict=True)]

    def _contest(self, one: str, other: str) -> Contest:
        groups = np.zeros((self.deals, len(COLUMNS)))
        groups[:, AHEAD] = self.scores(one, other)
        return Contest(one, other, groups)

    def _doubted(self, one: str, other: str) -> Contest:
        """A contest with a deal won and one lost more, so that what always came can be otherwise."""
        contest = self._contest(one, other)
        more = np.zeros((2, len(COLUMNS)))
        more[0, AHEAD] = 1.0
        return Contest(one, other, np.concatenate([contest.groups, more]))

    def means(self, name: str) -> Estimate:
        """The mean share of first places of a bot over its seats."""
        rows: list[list[float]] = [[] for _deal in range(self.deals)]
        for each in self.games:
            if each.deal < self.deals:
                taken = [seat for seat, who in enumerate(each.seating) if who == name]
                rows[each.deal] += [result_row(each.results(), seat)[COLUMNS.index("first")] for seat in taken]
        return share_of(np.array([np.mean(row) for row in rows]))

    def forfeits(self, name: str) -> list[Played]:
        """The games that a bot lost by rule."""
        return [each for each in self.games if each.loser >= 0 and each.seating[each.loser] == name]

    def rows(self) -> list[dict[str, object]]:
        """A row for each game, for a data frame."""
        out: list[dict[str, object]] = []
        for number, each in enumerate([*self.games, *self.spare.values()]):
            row: dict[str, object] = {"number": number, "deal": each.deal}
            row |= {f"bot_{seat}": who for seat, who in enumerate(each.seating)}
            won = each.returns or (None,) * len(each.seating)
            row |= {f"result_{seat}": value for seat, value in enumerate(won)}
            why = ("", "") if each.why is None else (str(each.why), json.dumps(each.why.data(), ensure_ascii=False))
            out.append(row | {"forfeit": each.loser, "why": why[0], "why_data": why[1]})
        return out


def share_of(scores: np.ndarray) -> Estimate:
    """The mean of scores from 0 to 1, deals being independent; few deals leave much open, whatever they say."""
    moments = Moments(1)
    moments.add(scores.reshape(-1, 1))
    found = moments.share(0)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high), found.count)


def ahead(each: Played, one: str, other: str) -> list[float]:
    """For each seat of one bot and each of the other, whether it came in ahead: 1, 1/2 or 0."""
    results = each.results()
    seats = [[results[seat] for seat, who in enumerate(each.seating) if who == name] for name in (one, other)]
    return [float(a > b) + 0.5 * float(a == b) for a, b in product(*seats)]


def seatings(players: int, bots: Sequence[str]) -> list[tuple[str, ...]]:
    """The tables of a deal: all that have two different bots or, where those are too many, a balanced part of them."""
    if all_seatings(players, bots) <= MOST:
        return [each for each in product(bots, repeat=players) if len(set(each)) > 1]
    lone = [
        tuple(one if p == seat else other for p in range(players))
        for pair in combinations(bots, 2) for one, other in (pair, pair[::-1]) for seat in range(players)
    ]  # fmt: skip
    turns = [tuple(bots[(seat + turn) % len(bots)] for seat in range(players)) for turn in range(len(bots))]
    return list(dict.fromkeys([*lone, *turns]))


def all_seatings(players: int, bots: Sequence[str]) -> int:
    """How many tables there are with two different bots."""
    return int(len(bots) ** players) - len(bots)


@dataclass
class Bench:
    """Where players are taken from: programs stay, one process for each seat, so that none sees another's hand."""

    game: GameSetup
    seed: int
    think: float
    programs: dict[tuple[str, int], Program] = field(default_factory=dict)

    def at(self, seating: tuple[str, ...], deal: int) -> list[Player]:
        """The players of a table; the dice of ours are of this table alone."""
        out: list[Player] = []
        for seat, name in enumerate(seating):
            if name.startswith(PREFIX):
                key = name, seat
                out.append(self.programs.setdefault(key, Program(name.removeprefix(PREFIX), self.think)))
            else:
                dice = hashlib.sha256(repr((self.seed, deal, seating, seat)).encode()).digest()
                out.append(Ours(name, self.game, dice))
        return out

    def close(self) -> None:
        """End all programs."""
        for program in self.programs.values():
            program.close()


def tournament(
    game: GameSetup, bots: Sequence[str], deals: int, seed: int = 1, think: float = 10.0,
    progress: Callable[[int], None] | None = None, *, before: Iterable[Played] = (), jobs: int = 1,
    keep: Callable[[Tournament, bool], None] = lambda _found, _last: None,
) -> Tournament:  # fmt: skip
    """Play so many deals; interrupted after two of them, it has those. A bot `run:COMMAND` is a program outside.

    `jobs`: how many games are played at the same time, each with programs of its own; no result depends on it.

    `before`: games that were played already; `keep` is given the tournament after each deal, and at last, whatever ends
    it.
    Raises BadOption for fewer than two bots or deals, or a bot named twice; UnknownBot for one that there is not.
    """
    if len(set(bots)) < max(2, len(bots)) or deals < 2:
        raise BadOption(say("A tournament needs at least two bots, none of them twice, and two deals."))
    for name in bots:
        entered(name, game, think)
    out, tables = Tournament(game, tuple(bots)), seatings(game.players, bots)
    out.spare = {(each.deal, each.seating): each for each in before}
    benches = [Bench(game, seed, think) for _job in range(jobs)]
    games = played(out, benches, range(deals * len(tables)), tables)
    try:
        with closing(games):
            for each in games:
                out.spare.pop((each.deal, each.seating), None)
                out.games.append(each)
                if progress is not None:
                    progress(1)
                if len(out.games) % len(tables) == 0:
                    out.deals = each.deal + 1
                    keep(out, False)
    except KeyboardInterrupt:
        if out.deals < 2:
            raise
    finally:
        for bench in benches:
            bench.close()
        keep(out, True)
    return out


def played(
    found: Tournament, benches: list[Bench], numbers: range, tables: Sequence[tuple[str, ...]]
) -> Generator[Played]:
    """The games in order, one at each bench at a time; those that were played before aren't again."""
    before, free = dict(found.spare), list(benches)

    def run(number: int) -> Played:
        deal, table = divmod(number, len(tables))
        done = before.get((deal, tables[table]))
        if done is not None:
            return done
        bench = free.pop()
        try:
            return play(found.game, bench.at(tables[table], deal), tables[table], bench.seed, deal)
        finally:
            free.append(bench)

    yield from waiting(run, numbers, len(benches) if len(benches) > 1 else 0)


def entered(name: str, game: GameSetup, think: float) -> Player:
    """A player by name, to see that there is such a one; raises UnknownBot or BadOption."""
    return Program(name.removeprefix(PREFIX), think) if name.startswith(PREFIX) else Ours(name, game, 0)


def play(game: GameSetup, players: Sequence[Player], seating: tuple[str, ...], seed: int, deal: int) -> Played:
    """One game on the cards of a deal."""
    match = Match(game, seed, number=deal)
    lost: Lost | None = None
    while not match.over:
        seat = match.actor
        legal = match.legal_ids(seat)
        try:
            match.play(seat, legal[0] if len(legal) == 1 else players[seat].choose(match, seat))
        except Forfeit as forfeit:
            lost = Lost(seat, forfeit.text)
            break
    for seat, player in enumerate(players):
        player.over(match, seat, lost)
    if lost is None:
        return Played(deal, seating, match.returns())
    return Played(deal, seating, None, lost.seat, lost.why)
