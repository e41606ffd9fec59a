"""Studies of what single games don't show: luck and skill, what starting is worth, and what happens over an evening.

A player who earned the start differs from the others in more than that. Between players whom chance alone told apart
(`engine.study`), the mean difference of results is the effect of starting; where what decided stays with them, as a
lower card does, the same games are played on with each of them starting. How long leads would last if every deal began
anew is found by mixing evenings: each deal is taken from another one, so that none knows of those before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.backends.kernels_games import DEALS_ONLY, END_KEPT, EVERYTHING, NOBODY
from hexdeck.engine.play.game import GameSetup, default_backend
from hexdeck.engine.play.playouts import CHUNK
from hexdeck.engine.study import Evening, Starting
from hexdeck.lab.counts import above_table, place_shares_of, places_shared
from hexdeck.lab.log import Log, Player, SimulationSetup, struct_of
from hexdeck.simulation.simulate import simulate, takes_time
from hexdeck.stats import Estimate, PairedMoments, mean, mean_share, quantile, t_quantile

if TYPE_CHECKING:
    from hexdeck.bots.players.simulation_bots import SimulationBots

# --- luck and skill ---------------------------------------------------------------------------------------------------
PAIRS = (("house", "random"), ("house", "gentle"), ("gentle", "random"))  # the one bot, and the others


@dataclass(frozen=True)
class Duel:
    """The results of bot `one` among `others`."""

    one: str
    others: str
    gain: Estimate  # over the mean of the table
    shares: np.ndarray = field(compare=False)  # float64 (2, deals): of first and of last places in each deal
    games: Estimate | None  # it takes to be ahead with 95 % confidence; None unless it is significantly better

    deals = property(lambda self: self.shares.shape[1])

    def placed(self, place: int) -> Estimate:
        """Its share of first (0) or last (1) places."""
        return mean_share(self.shares[place])


def duel(
    setup: SimulationSetup, bot: str, field: str, deals: int, progress: Callable[[int], None] = lambda _done: None
) -> Duel:
    """Play `deals` independent deals, each once from every seat with `bot` on it; the setup's own bots don't play."""
    game, seats = setup.game, range(setup.game.players)
    gains, shares = np.zeros((len(seats), deals)), np.zeros((2, deals))
    for seat in seats:
        bots = [bot if p == seat else field for p in seats]
        won = simulate(game, deals, bots, setup.seed, setup.threads, backend=setup.backend).returns
        gains[seat] = above_table(won)[:, seat]
        shares += places_shared(won)[:, :, seat] / len(seats)
        progress(deals)
    gain = mean(gains.mean(axis=0))
    return Duel(bot, field, gain, shares, games_to_tell(gains) if gain.significant() and gain.value > 0 else None)


def games_to_tell(gains: np.ndarray) -> Estimate:
    """After how many games the sum of such gains (seats, deals), taken as normal, is positive in 95 %."""
    gain, deviation = mean(gains.mean(axis=0)), float(gains.std(ddof=1))

    def games(difference: float) -> float:
        return float(max(1, np.ceil((quantile(0.95) * deviation / difference) ** 2))) if difference > 0 else np.inf

    return Estimate(games(gain.value), games(gain.high), games(gain.low), gain.count)


def by_lot(share: Estimate, players: int, rank: int) -> Estimate:
    """The share of matches to be decided by lot, from the better player's share of first (0) or last (1) place."""
    fair = 1 / players  # with lots; without, the better player would always, or never, take it
    ends = (share.low, share.value, share.high) if rank else (share.high, share.value, share.low)
    low, value, high = (min(max(end / fair if rank else (1 - end) / (1 - fair), 0.0), 1.0) for end in ends)
    return Estimate(value, low, high, share.count)


GAMES = (8, 16, 32, 64)  # games played out for a decision, by the others; the one plays out twice as many


def study_thinking(
    setup: SimulationSetup, deals: int, progress: Callable[[int], None] = lambda _done: None
) -> tuple[Duel, ...]:
    """A duel for each doubling, on so many deals, each played once from every seat; none on no deals."""
    bots = [(f"rollout:house:{2 * games}", f"rollout:house:{games}") for games in GAMES] if deals else []
    return tuple(duel(setup, stronger, weaker, deals, progress) for stronger, weaker in bots)


FIELD = ("house", "gentle")
FEWEST = 3  # deals
SEATINGS = 4  # times that each deal is played, an even number


@dataclass(frozen=True)
class VarianceParts:
    """The parts of the variance of a seat's result, which add up to 1; from so many deals."""

    deal: Estimate
    seat: Estimate
    choices: Estimate
    deals: int


def study_variance(setup: SimulationSetup, deals: int) -> VarianceParts | None:
    """The parts of variance in so many deals, the bots of FIELD on each seat as often; None where nothing differs."""
    drawn = np.random.default_rng(0).integers(0, 2, (SEATINGS // 2, setup.game.players))
    seatings = [[FIELD[k] for k in row] for row in np.concatenate([drawn, 1 - drawn]).tolist()]
    deals = max(deals, FEWEST)
    settings: dict[str, Any] = {"threads": setup.threads, "backend": setup.backend}
    return divided(np.array([simulate(setup.game, deals, bots, setup.seed, **settings).returns for bots in seatings]))


def divided(won: np.ndarray) -> VarianceParts | None:
    """The parts of the variance of results, float64 (seatings, deals, seats), with jackknife intervals over deals."""
    fractions, deals = parts(won), won.shape[1]
    if not np.isfinite(fractions).all():
        return None
    without = np.array([parts(np.delete(won, k, axis=1)) for k in range(deals)])
    without = np.where(np.isfinite(without), without, fractions)  # of the others no result differs
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0) * (deals - 1) / deals
    halves = t_quantile(deals - 1) * np.sqrt(spread)
    deal, seat, choices = (
        Estimate(value, max(0.0, value - half), min(1.0, value + half), deals)
        for value, half in zip(fractions.tolist(), halves.tolist(), strict=True)
    )
    return VarianceParts(deal, seat, choices, deals)


def parts(won: np.ndarray) -> np.ndarray:
    """The parts of deal, seat and choices in the variance: without the bias that few seatings and few deals bring."""
    times, deals, seats = won.shape
    choices = won.var(axis=0, ddof=1).mean()
    cells = won.mean(axis=0)
    between_deals = cells.var(axis=0, ddof=1).mean()
    deal = max(0.0, between_deals - choices / times)
    seat = max(0.0, cells.mean(axis=0).var() - between_deals / deals * (1 - 1 / seats))
    total = deal + seat + choices
    return np.array([deal, seat, choices]) / total if total else np.full(3, np.nan)


# --- what starting is worth -------------------------------------------------------------------------------------------
STUDIED = 10_000  # games that are looked into, for each number of players
SWAPPED, OF_SLOW = 500, 30  # games that are played on with each starter; with slow bots
LEAST = 30  # games that chance decided, without which nothing is said


@dataclass
class StartStudy:
    """Differences between the starter and the others that chance decided between: one for each game that it decided."""

    games: int = 0  # how many were looked into
    moments: PairedMoments = field(default_factory=lambda: PairedMoments(3))  # utility, shares of first and last place
    # by place, and whether the starter took it more than those others, the number of the first such game
    examples: dict[tuple[int, bool], int] = field(default_factory=dict)
    lowest: float = np.inf  # utility of all seats
    highest: float = -np.inf

    decided = property(lambda self: self.moments.count)  # in how many games chance decided who starts
    enough = property(lambda self: self.decided >= LEAST)  # whether anything can be said

    # the utility of the starter, above the mean of the others that chance decided between
    gain = property(lambda self: self.moments.difference(0, span=max(0.0, self.highest - self.lowest)))

    def place(self, rank: int) -> Estimate:
        """The starter's share of first (0) or last (1) place, above the mean of those others."""
        return self.moments.difference(1 + rank, 1.0).within(-1, 1)

    def add_swapped(self, results: Mapping[int, np.ndarray]) -> None:
        """Add a game that was played on with each of these seats starting: the utilities of all seats by starter."""
        by_starter = {seat: np.array([won, *places_shared(won)]) for seat, won in results.items()}
        leads = [
            rows[:, seat] - np.mean([rows2[:, seat] for seat2, rows2 in by_starter.items() if seat2 != seat], axis=0)
            for seat, rows in by_starter.items()
        ]
        self._add(np.mean(leads, axis=0)[None], np.array([*results.values()]))

    def add(self, numbers: np.ndarray, tied: np.ndarray, starter: np.ndarray, results: np.ndarray) -> None:
        """Add games: the seats that chance decided between, bool (games, seats); which it chose; float64 utilities."""
        rows = np.stack([results, *places_shared(results)], axis=2)
        starts = starter[:, None] == np.arange(results.shape[1])
        rivals = tied & ~starts
        ahead = rows[starts] - (rows * rivals[:, :, None]).sum(axis=1) / rivals.sum(axis=1)[:, None]
        self._add(ahead, results)
        for rank in (0, 1):
            for led, games in ((True, ahead[:, 1 + rank] > 0), (False, ahead[:, 1 + rank] < 0)):
                if games.any():
                    self.examples.setdefault((rank, led), int(numbers[games.argmax()]))

    def _add(self, ahead: np.ndarray, results: np.ndarray) -> None:
        self.moments.add(ahead)
        self.lowest = min(self.lowest, results.min(initial=np.inf))
        self.highest = max(self.highest, results.max(initial=-np.inf))


def starting_of(game: GameSetup) -> Starting:
    """How the starter of a game is chosen."""
    out: Starting = game.hints.STUDY.starting_in(struct_of(game, game.template))
    return out


def study_starts(setup: SimulationSetup, games: int) -> StartStudy | None:
    """The study of so many games, numbered from 0 on; None for a game in which chance never decides."""
    starting, out, limit, swapped = starting_of(setup.game), StartStudy(), games, None
    if starting.between is None:
        return None
    if starting.let_start is not None:
        from hexdeck.bots.players.simulation_bots import SimulationBots

        bots = SimulationBots(setup.game, setup.seated, setup.seed, setup.backend or default_backend())
        limit, swapped = OF_SLOW if takes_time(setup.game, setup.bots) else SWAPPED, partial(played_on, bots)
    for log in Player(setup, EVERYTHING).batches(games):
        add_log(out, setup.game, log, swapped, limit)
        if out.decided >= limit:
            break
    return out


def add_log(
    out: StartStudy,
    game: GameSetup,
    log: Log,
    swapped: Callable[[np.ndarray, int, int], np.ndarray] | None = None,
    limit: float = float("inf"),
) -> None:
    """Add games of which everything was kept, until `limit` that chance decided; `swapped`: see `played_on`."""
    before, (games, rows, tied) = out.games, decided_in(game, log)
    out.games += len(log)
    if swapped is None:
        out.add(before + games, tied, log.seat[rows], log.results[games])
        return
    for k, row, seats in zip(games.tolist(), rows, tied, strict=True):
        swaps = {seat: swapped(log.position[row], log.first + k, seat) for seat in np.flatnonzero(seats).tolist()}
        out.add_swapped(swaps)
        if out.decided >= limit:
            out.games = before + k + 1
            return


def decided_in(game: GameSetup, log: Log) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The games that chance decided, from 0; the rows at which starters choose first; and between which seats."""
    tied_seats, games = starting_of(game).between, np.flatnonzero(log.alone != NOBODY)
    rows, tied = log.alone[games], np.zeros((len(games), game.players), bool)
    if tied_seats is not None:
        tied = tied_seats(log.position[rows])[:, : game.players]
    decided = tied[np.arange(len(rows)), log.seat[rows]] & (tied.sum(axis=1) > 1)
    return games[decided], rows[decided], tied[decided]


def played_on(bots: SimulationBots, position: np.ndarray, number: int, seat: int) -> np.ndarray:
    """The utilities of all seats if this seat starts: with the same cards, and those still to come as in the game."""
    game, let_start, data = bots.game, starting_of(bots.game).let_start, bytearray(position.tobytes())
    if let_start is not None:
        let_start(game.driver("interpreted").proxy(memoryview(data)), seat)
    end, out = bots.play_on(np.frombuffer(data, np.uint8), number), np.zeros(game.rules.PLAYERS[1])
    game.rules.returns(struct_of(game, end), out)
    return out[: game.players]


# --- what happens over an evening -------------------------------------------------------------------------------------
EVENINGS, EVENINGS_OF_SLOW = 2000, 100  # evenings that are looked into; with slow bots
MANY = 200_000  # deals that are enough: fewer evenings are looked into where they are long
MIXED = 10  # times that the evenings are mixed
NEARLY_ALL = 0.95  # of evenings, that aren't ended early
QUARTERS = (0.25, 0.5, 0.75)  # of an evening's deals, after which leaders are looked at


def evening_of(game: GameSetup) -> Evening | None:
    """What an evening of a game is; None where its matches have one deal, or aren't evenings at all."""
    out: Evening | None = game.hints.STUDY.evening
    return out if out is not None and game.options[out.option] > 1 else None


@dataclass(frozen=True)
class EveningStudy:
    """Some evenings."""

    chips: np.ndarray  # float64 (evenings, deals + 1, seats): of each seat at the start and after each deal
    deals: np.ndarray  # how many were played in each; behind them chips stay as they are
    stake: int  # chips needed to play on

    count = cached_property[int](lambda self: len(self.chips))
    longest = cached_property[int](lambda self: int(self.deals.max()))  # deals of an evening
    # whether nearly all evenings have all deals, so that mixed ones are like them
    complete = cached_property[bool](lambda self: bool((self.deals == self.longest).mean() >= NEARLY_ALL))

    def played(self) -> Estimate:
        """Deals of an evening."""
        return mean(self.deals)

    @property
    def out_after(self) -> np.ndarray:
        """For each evening, after how many deals a player was first broke; more than all deals if none ever was."""
        broke = (self.chips < self.stake).sum(axis=2) > 0
        return np.where(broke.any(axis=1), broke.argmax(axis=1), self.longest + 1)

    def broke(self) -> Estimate:
        """Share of evenings in which a player is broke before the last deal."""
        return mean_share((self.out_after < self.deals).astype(float))

    def broke_after(self) -> Estimate:
        """Part of an evening's deals after which a player is broke, where one is."""
        early = self.out_after < self.deals
        return mean_share(self.out_after[early] / self.deals[early])

    def until_broke(self) -> Estimate:
        """Deals if all stop as soon as a player is broke."""
        return mean(np.minimum(self.out_after, self.deals))

    def leading(self, part: float) -> tuple[Estimate, Estimate]:
        """How often the leader after a part of the deals wins; and would, if every deal began anew."""
        rng, ends = np.random.default_rng(0), np.full(self.count, self.longest)
        usual = [lasting(mixed(self.chips, rng), ends, part) for _ in range(MIXED)]
        return mean_share(lasting(self.chips, self.deals, part)), mean_share(np.mean(usual, axis=0))

    def runaway(self, part: float) -> Estimate:
        """How much more often than usual the leader after a part of the deals wins."""
        rate, usual = self.leading(part)
        # mixed evenings have the same deals in other company: their error counts as that of as many evenings again
        again = mean(lasting(mixed(self.chips, np.random.default_rng(1)), np.full(self.count, self.longest), part))
        margin, value = float(np.hypot(rate.margin, again.margin)), rate.value - usual.value
        return Estimate(value, value - margin, value + margin, self.count)


def lasting(chips: np.ndarray, deals: np.ndarray, part: float) -> np.ndarray:
    """For each evening, the share of the win of the player who led after a part of its deals; ties are shared."""
    at = np.maximum(1, np.round(part * deals)).astype(int)
    leads, wins = (place_shares_of(chips[np.arange(len(chips)), k], 0) for k in (at, deals))
    return np.asarray((leads * wins).sum(axis=1) / leads.sum(axis=1))


def mixed(chips: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Evenings whose deals are those of other evenings: none knows what happened before."""
    steps = np.diff(chips, axis=1)
    for deal in range(steps.shape[1]):
        steps[:, deal] = steps[rng.permutation(len(steps)), deal]
    return np.cumsum(np.concatenate([chips[:, :1], steps], axis=1), axis=1)


# --- playing ----------------------------------------------------------------------------------------------------------
def study_evenings(
    setup: SimulationSetup, games: int, stopped: Callable[[], bool] = lambda: False
) -> EveningStudy | None:
    """Look into some of so many evenings, numbered from 0 on, in one thread; None where a match is no evening."""
    evening = evening_of(setup.game)
    if evening is None:
        return None
    player, evenings, total = Player(setup, DEALS_ONLY), list[np.ndarray](), 0
    for log in player.batches(min(games, EVENINGS if player.bots.chunk >= CHUNK else EVENINGS_OF_SLOW)):
        chips_held = np.array(evening.chips(log.position)[:, : setup.game.players])
        evenings += np.split(chips_held, log.ends[:-1, END_KEPT])
        total += len(chips_held)
        if stopped() or total > MANY:
            break
    deals = np.array([len(chips) - 1 for chips in evenings])
    chips = [np.pad(chips, ((0, deals.max() + 1 - len(chips)), (0, 0)), "edge") for chips in evenings]
    return EveningStudy(np.array(chips, float), deals, evening.stake)
