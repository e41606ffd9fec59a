"""Pairs of games on the same cards: with other rules, or with a seat that is bent to a way of playing.

Game k has the same cards and dice in both while the two agree, and again from the next deal on (`engine.random`), so
that most variance cancels. Bending a seat is restricted play (Jaffe et al., “Evaluating competitive game balance with
restricted play”, 2012).
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hexdeck.bots.players.bot_names import MANNER_TITLES
from hexdeck.bots.players.levels import manner_named, one_loser
from hexdeck.engine.backends.kernels_games import APPLIED, CHANGED, END_HISTORY, LOG_FLAGS, TERMS
from hexdeck.engine.discovery.finding import cleared_by_forget
from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.probe_lines import Clause, parsed
from hexdeck.engine.text import Text, _, say
from hexdeck.lab import counts as metrics
from hexdeck.lab.counts import Chunk, GameStatistics, MetricName, Progress, Source, chunks, place_shares_of
from hexdeck.lab.kernels import HISTORY
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.simulation.simulate import check_bots, is_strategy, resolved_bot, simulate
from hexdeck.stats import UNKNOWN, Estimate, PairedMoments, holm, mean, mean_share, p_beyond, ratio, share

LEAST, MOST = 2000, 200_000  # pairs that are played at least, and at most
DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS = ("differs", 0), ("result_differs", 0), ("place_differs", 0)
PAIRS = {"differ": DIFFERS, "result_differs": RESULT_DIFFERS, "place_differs": PLACE_DIFFERS}  # by their names in data
OTHERS = {metrics.KIND_USED, metrics.STARTS, metrics.ABOVE, *(name for name, _k in PAIRS.values())}  # tell the same
OF_PLACE = (metrics.FIRST, metrics.STARTER_FIRST, metrics.TIED), (metrics.LAST, metrics.STARTER_LAST)


@dataclass(frozen=True)
class Change:
    """A metric in both variants, and its paired difference."""

    name: MetricName
    before: Estimate
    after: Estimate
    difference: Estimate
    saved: float  # how many times as many games it would take without pairs; infinite where they never differ


def surely(differences: Sequence[Estimate], tests: int = 0) -> list[bool]:
    """Which differences are significant: at 5 % for all of them together, and for so many `tests` if that is more."""
    beyond = [p_beyond(difference, 0.0) for difference in differences]
    return holm([*beyond, *[1.0] * (tests - len(beyond))])[: len(beyond)]


def bound(differences: Sequence[Estimate], tests: int) -> float:
    """How far from 0 any of the differences may be, at 95 % for so many tests together."""
    wide = [difference.simultaneous(tests) for difference in differences]
    return max(max(abs(estimate.low), abs(estimate.high)) for estimate in wide)


def check_same_moves(game: GameSetup, fork: GameSetup) -> None:
    """Raise BadOption where a fork has other moves than its original, or seats other numbers of players."""
    for part in ("ACTIONS", "OUTCOMES", "PLAYERS"):
        if getattr(fork.rules, part) != getattr(game.rules, part):
            text = _("{fork} can't be compared with {game}: they have different {part}, see rules.py of both.")
            raise BadOption(say(text, fork=fork.name, game=game.name, part=part))


class Comparison:
    """Pairs of games: of the setup, variant `a`, and of another, `b`, each counted, and their differences."""

    def __init__(self, setup: SimulationSetup, b: GameSetup, bots: Sequence[str] = ()) -> None:
        self.setup, self.a, self.b = setup, setup.game, b
        self.setups = setup, replace(setup, game=b, bots=bots or setup.bots)
        self.interrupted = False  # whether it was stopped before it was done
        self.place = int(one_loser(self.a))  # whether first place decides (0) or last (1)
        self.shares = OF_PLACE[self.place][0]  # the metric of each seat's share of the place that decides
        self.sides = GameStatistics.of(self.a), GameStatistics.of(b)
        self.names = (*self.sides[0].names, *PAIRS.values())  # of the columns: metrics, and whether pairs differ
        self.differences = PairedMoments(len(self.names))
        self.lowest, self.highest = (np.full(len(self.sides[0].names), end) for end in (np.inf, -np.inf))

    def __len__(self) -> int:
        return self.differences.count

    def add(self, before_games: tuple[Chunk, np.ndarray], after_games: tuple[Chunk, np.ndarray]) -> None:
        """Add pairs of games: of each variant a chunk with its metrics, float64 (pairs, metrics)."""
        (chunk, before), (changed, after) = before_games, after_games
        for side, (games, rows) in zip(self.sides, (before_games, after_games), strict=True):
            side.add(rows, games)
        results, shares = (
            [k for k, name in enumerate(self.names) if name[0] == metric] for metric in (metrics.RESULT, self.shares)
        )
        result, place = ((before[:, of] != after[:, of]).any(axis=1) for of in (results, shares))
        differs = result | (chunk.counters[:, HISTORY] != changed.counters[:, HISTORY])
        self.lowest = np.minimum(self.lowest, np.minimum(before, after).min(axis=0, initial=np.inf))
        self.highest = np.maximum(self.highest, np.maximum(before, after).max(axis=0, initial=-np.inf))
        self.differences.add(np.column_stack([after - before, differs, result, place]))

    @property
    def compared(self) -> list[MetricName]:
        """The metrics that are compared: those of the place that decides, and what other metrics don't tell better."""
        return [name for name in self.names if name[0] not in OTHERS and name[0] not in OF_PLACE[1 - self.place]]

    @property
    def tested(self) -> list[MetricName]:
        """The compared metrics; without the starter's where no result differs, for then only who starts can differ."""
        starters = {metrics.STARTER_RESULT, metrics.STARTER_FIRST, metrics.STARTER_LAST}
        without = set() if self.share_of_pairs(RESULT_DIFFERS).value else starters
        return [name for name in self.compared if name[0] not in without]

    @property
    def gains(self) -> dict[MetricName, Estimate]:
        """The differences that say who gains: of the shares of seats and of the starter."""
        return self._differences(*OF_PLACE[self.place][:2])

    @property
    def results(self) -> dict[MetricName, Estimate]:
        """The differences of the mean results of seats and of the starter."""
        return self._differences(metrics.RESULT, metrics.STARTER_RESULT)

    def _differences(self, *telling: str) -> dict[MetricName, Estimate]:
        return {name: self.change(name).difference for name in self.tested if name[0] in telling}

    def change(self, name: MetricName | str) -> Change:
        """A metric in both variants, and its difference."""
        key = (name, 0) if isinstance(name, str) else name
        k = self.names.index(key)
        unpaired, paired = sum(side.moments.variance(k) for side in self.sides), self.differences.variance(k)
        before, after = (side[key] for side in self.sides)
        return Change(key, before, after, self.difference(k), unpaired / paired if paired else float("inf"))

    def difference(self, k: int) -> Estimate:
        """The mean difference in column `k`; a seat's share differs by no more than the share of pairs that do."""
        metric = self.names[k][0]
        if metric not in metrics.SHARES:
            return self.differences.difference(k, span=float((self.highest - self.lowest)[k]))
        estimate = self.differences.difference(k, 1.0)
        limit = self.share_of_pairs(PLACE_DIFFERS).high
        return estimate.within(-limit, limit) if metric == self.shares else estimate

    def share_of_pairs(self, name: MetricName) -> Estimate:
        """The share of pairs that differ in this: DIFFERS, RESULT_DIFFERS or PLACE_DIFFERS."""
        return share(float(self.differences.sums[self.names.index(name)]), len(self))

    @property
    def precision(self) -> float:
        """The largest margin of the differences of seats' shares."""
        return max(self.difference(k).margin for k, name in enumerate(self.names) if name[0] == self.shares)

    def expected(self, times: float, limit: int) -> int:
        """How many pairs make it so many times as precise, at most `limit`; those so far at least."""
        return round(max(len(self), len(self) * min(times**2, limit / len(self))))


def compare(
    setup: SimulationSetup,
    b: GameSetup,
    *,
    bots: Sequence[str] = (),
    precision: float = 0.01,
    least: int = LEAST,
    most: int = MOST,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    source: Source = chunks,
) -> Comparison:
    """Play pairs, of the setup's game and of variant `b`, until the differences of seats' shares are known well enough.

    `bots`: those of variant `b`, if they aren't the setup's. It stops at ±`precision`, by the width of intervals and
    never by their values, so that stopping early doesn't bias them; or after an interrupt. `progress` is told how many
    more pairs are done, and how many are expected in all.
    """
    setup.check(most)
    if not precision > 0:
        raise BadOption(say("A precision is a number above 0, not {precision}.", precision=shown(precision)))
    out, threads = Comparison(setup, b, bots), max(1, setup.threads // 2)
    sides = [source(replace(side, threads=threads), most, here=setup.threads == 1) for side in out.setups]
    try:
        for first, second in zip(*sides, strict=True):
            out.add(first, second)
            times = out.precision / precision
            progress(len(first[0]), max(least, out.expected(times, most)))
            if len(out) >= least and times <= 1:
                break
    except KeyboardInterrupt:
        if not len(out):
            raise
        out.interrupted = True
    finally:
        for side in sides:
            side.close()
    return out


# --- effects ----------------------------------------------------------------------------------------------------------
STARTER = -1  # in place of a seat


@dataclass(frozen=True)
class Shift:
    """A measure as the game is, and its paired difference under the other condition."""

    before: float
    difference: Estimate

    @classmethod
    def of(cls, before: np.ndarray, after: np.ndarray, limit: float | None = None) -> Shift:
        """The shift of a value of each game; `limit`: by how much pairs can differ at most."""
        moments = PairedMoments(1)
        moments.add((after - before).astype(np.float64).reshape(-1, 1))
        estimate = moments.difference(0, limit, float(np.ptp([before, after])))
        return cls(float(before.mean()), estimate if limit is None else estimate.within(-limit, limit))


@dataclass(frozen=True)
class Effect:
    """What a change does in so many pairs of games."""

    change: str  # an option and its value as they are typed, or a probe's name, or the line of one without a name
    pairs: int
    shifts: dict[str, Shift]  # by measure
    who: int = STARTER  # the seat whose share of the place that decides changes most; STARTER: whoever starts
    beside: str = ""  # another option, as `key=value`, that both games of a pair need
    sure: bool = False  # whether what it is about (shares, or a probe's gain) is significant for all changes together
    whose: int = STARTER  # as `who`, of the mean result


# --- ways of playing --------------------------------------------------------------------------------------------------
GAIN, PLACE, TOUCHED = "probe_gain", "probe_place", "probe_changed"  # shifts of a probe: utility, place, games changed
APPLIED_TIMES, CHANGED_TIMES = "probe_applied", "probe_choices"  # choices in a game where it ruled out, or changed
MANNER_TIMES = "manner_times"  # how many times as often a bot does what its manner likes as it would without
FEWEST, ENOUGH, PART = 200, 2_000, 20  # pairs for a probe in a report: at least and at most, and the part of its games


@dataclass(frozen=True)
class Probe:
    """A way of playing: its name (that of a ready-made one, else none), what one does, its line, what the line says."""

    name: str
    doing: Text | str
    line: str
    clauses: tuple[Clause, ...]

    key = functools.cached_property[str](lambda self: self.name or self.line)  # what names it in data


# --- which probes -----------------------------------------------------------------------------------------------------
@cleared_by_forget
@functools.cache
def ready_made(game: GameSetup) -> tuple[Probe, ...]:
    """The probes that a game brings; those that name something which its options leave out can't be asked for."""
    return tuple(
        Probe(probe.name, probe.doing, probe.line, parsed(probe.line, game)) for probe in game.hints.STUDY.probes
    )


def chosen(game: GameSetup, texts: Sequence[str]) -> list[Probe]:
    """The probes of these names or lines, each once, or all that are ready-made; BadOption tells what is near."""
    by_name = {probe.name: probe for probe in ready_made(game)}
    if not texts and not by_name:
        example = f"--probe “{game.rules.ACTIONS[0]}”"
        raise BadOption(say("{game} brings no probes; write one, such as {example}.", game=game.name, example=example))
    out = {}
    for line in map(str.strip, texts or by_name):
        try:
            probe = by_name.get(line) or Probe("", f"“{line}”", line, parsed(line, game))
        except BadOption as error:
            if not (near := difflib.get_close_matches(line, by_name, 1)):
                raise
            text = _("There is no probe {name} (did you mean {near}?); ready-made are {there}.")
            raise BadOption(say(text, name=f"“{line}”", near=near[0], there=", ".join(by_name))) from error
        out[probe.line] = probe
    return [*out.values()]


def probe_of(game: GameSetup, key: str) -> Probe:
    """The probe with this name or line, or what the manner of this name is."""
    if key not in MANNER_TITLES:
        return chosen(game, [key])[0]
    line = manner_named(game, key).line
    return Probe(key, f"Being {MANNER_TITLES[key]}", line, parsed(line, game))


def check(setup: SimulationSetup) -> None:
    """Raise BadOption unless all bots can be bent, which those that play in compiled code can."""
    for name in unbendable(setup):
        text = _("Probes bend the bots house, easy and random, which play in compiled code, not {name}.")
        raise BadOption(say(text, name=name))


def unbendable(setup: SimulationSetup) -> list[str]:
    """The bots that don't play in compiled code, where choices can be forced."""
    return [name for name in setup.seated if not is_strategy(resolved_bot(setup.game, name))]


# --- what they do -----------------------------------------------------------------------------------------------------
def study_probes(
    setup: SimulationSetup, probes: Sequence[Probe], pairs: int, progress: Progress = lambda _done: None
) -> Iterator[Effect]:
    """The effect of each probe, one after another, on the same pairs; `sure` is said by `judged`, of all together."""
    check(setup)
    setup.check(pairs)
    game, seats = setup.game, np.arange(pairs) % setup.game.players
    results = simulate(game, pairs, setup.bots, setup.seed, setup.threads, backend=setup.backend).returns
    progress(pairs)
    threads = setup.threads if setup.threads > 1 else 0
    idle = [Player(setup) for _ in range(setup.threads)]
    size = metrics.chunk_size(idle[0].bots.chunk, pairs)

    def play(probe: Probe, at: int) -> tuple[np.ndarray, np.ndarray]:
        with metrics.borrowed(idle) as player:
            return play_bent(player, probe.clauses, at, seats[at : at + size])

    for probe in probes:
        parts = []
        for part in metrics.map_in_order(functools.partial(play, probe), range(0, pairs, size), threads):
            parts.append(part)
            progress(len(part[0]))
        bent, counts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        yield effect(probe, results, bent, counts, seats, int(one_loser(game)))


def study_manners(
    setup: SimulationSetup, manners: Sequence[Probe], pairs: int, progress: Progress = lambda _done: None
) -> Iterator[Effect]:
    """The effect of each manner put on one bot, one after another; each seat has it in an equal part of the pairs."""
    game, seats = setup.game, np.arange(pairs) * setup.game.players // pairs
    for manner in manners:
        check_bots(game, [f"{bot}:{manner.key}" for bot in setup.seated])
    setup.check(pairs)
    before, ends, _counts = play_mannered(setup, "", seats, progress)
    at, above = (np.arange(pairs), seats), metrics.above_table
    for manner in manners:
        after, ended, counts = play_mannered(setup, manner.key, seats, progress)
        differs = (after != before).any(axis=1) | (ends != ended)
        found = effect(manner, before, after, np.stack([differs, differs], axis=1), seats, int(one_loser(game)))
        games, open_to_it, chosen_by_it, without = counts.T
        shifts = {
            APPLIED_TIMES: Shift(0.0, ratio(open_to_it, games)),
            MANNER_TIMES: Shift(1.0, ratio(chosen_by_it, without) if without.sum() else UNKNOWN),
            metrics.ABOVE: Shift.of(above(before)[at], above(after)[at]),
        }
        yield replace(found, shifts=found.shifts | shifts)


def play_mannered(
    setup: SimulationSetup, manner: str, seats: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games with a manner on these seats, or with none: utilities, histories, and counts of some games at a time.

    Counts: how many games, and of the decisions that were open to the manner (see `ManneredBot`) how many there were,
    at how many the bot chose as the manner likes, and at how many it would have without.
    """

    def play(seat: int) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        bots = [f"{bot}:{manner}" if manner and k == seat else bot for k, bot in enumerate(setup.seated)]
        player, games, out = Player(replace(setup, bots=bots)), np.flatnonzero(seats == seat), []
        counted = player.bots.bots[seat].counts if manner else np.zeros(3)  # type: ignore[attr-defined]
        for log in player.batches(int(games[-1]) + 1, int(games[0])):
            counts = np.array([[len(log), *counted]])
            counted[:] = 0
            out.append((log.results, log.ends[:, END_HISTORY].copy(), counts))
            progress(len(log))
        return out

    threads = setup.threads if setup.threads > 1 else 0
    played = [batch for batches in metrics.map_in_order(play, np.unique(seats).tolist(), threads) for batch in batches]
    results, histories, counts = (np.concatenate(arrays) for arrays in zip(*played, strict=True))
    return results, histories, counts


def probe_effects(setup: SimulationSetup, games: int) -> tuple[Effect, ...]:
    """The effects of a game's own probes, for a report on so many games; none where its bots can't be bent."""
    if not ready_made(setup.game) or unbendable(setup):
        return ()
    pairs = min(max(FEWEST, games // PART), ENOUGH, games)
    return tuple(judged([*study_probes(setup, ready_made(setup.game), pairs)]))


def effect(
    probe: Probe, results: np.ndarray, bent: np.ndarray, counts: np.ndarray, seats: np.ndarray, rank: int
) -> Effect:
    """The effect of a probe on the bent seats, from `results` without it and `bent` with it, (games, seats) each."""
    at = np.arange(len(seats)), seats
    shifts = {
        GAIN: Shift.of(results[at], bent[at]),
        PLACE: Shift.of(place_shares_of(results, rank)[at], place_shares_of(bent, rank)[at], 1.0),
        TOUCHED: Shift(0.0, mean_share((counts[:, 1] > 0).astype(float))),
        APPLIED_TIMES: Shift(0.0, mean(counts[:, 0])),
        CHANGED_TIMES: Shift(0.0, mean(counts[:, 1])),
    }
    return Effect(probe.key, len(seats), shifts)


def judged(effects: Sequence[Effect]) -> list[Effect]:
    """The effects of probes, with which gains are significant for all of them together."""
    sure = surely([effect.shifts[GAIN].difference for effect in effects])
    return [replace(effect, sure=is_sure) for effect, is_sure in zip(effects, sure, strict=True)]


def play_bent(player: Player, clauses: Sequence[Clause], first: int, bent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Play games with this seat bent: utilities, and at how many choices a clause held, and changed the choice."""
    allowed, terms = np.zeros((len(clauses), len(player.game.rules.ACTIONS)), np.int8), []
    for k, clause in enumerate(clauses):
        allowed[k, sorted(clause.allowed)] = 1
        terms += [(k, term.begin, term.end, term.low, term.high, term.holds) for term in clause.conditions]
    bend = bent.astype(np.int64), np.array(terms, np.int64).reshape(-1, TERMS), allowed
    won, did = [], []
    for log in player.logs(first, len(bent), bend):
        won.append(log.results)
        did.append(log.by_game((log.rows[:, LOG_FLAGS, None] & [APPLIED, CHANGED] != 0).astype(np.int64)))
    return np.concatenate(won), np.concatenate(did)
