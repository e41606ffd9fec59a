"""Contests: one bot at a table of others, on duplicate deals, in its turn on every seat."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.named import bot
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say
from hexdeck.research.rating.contest_log import ContestLog
from hexdeck.stats import BOUNDED, NORMAL, margin, share_ends, standard_error

COLUMNS = ("utility", "first", "last", "ahead", "gain")
MS = len(COLUMNS)  # in a row of a deal: the milliseconds for a decision
CLEAR = 6.0  # standard errors between a gain and 0, for a contest that may stop once it is clear


@dataclass(frozen=True)
class Contest:
    """How one bot did among others.

    `groups` float64 (groups, 5), a row for each deal, means over all seats: the utility; the share of first places,
    which those who tie share, and which nobody has where all end alike; the share of last places; the share of the
    other players that it beat, ties half; the gain, which is the utility above the mean of the others at its table.
    `ms`: milliseconds of processor time for a decision with a choice (the median over deals of each deal's median).
    `interrupted`: whether fewer deals were played than asked for.
    """

    one: str
    others: str
    groups: np.ndarray
    ms: float = 0.0
    interrupted: bool = False

    def mean(self, column: str) -> tuple[float, float]:
        """The mean of a column and half its 95 % interval, groups being independent."""
        value, half = self.spread(column)
        return value, margin(column, value, half, len(self.groups))

    def ends(self, column: str) -> tuple[float, float]:
        """The ends of a column's 95 % interval; those of a share lie from 0 to 1."""
        value, half = self.spread(column)
        if column in BOUNDED:
            return share_ends(value, half / NORMAL, len(self.groups))
        off = margin(column, value, half, len(self.groups))
        return value - off, value + off

    def spread(self, column: str) -> tuple[float, float]:
        """The mean of a column and 1.96 standard errors of it."""
        values = self.groups[:, COLUMNS.index(column)]
        half = NORMAL * standard_error(values) if len(values) > 1 else float("inf")
        return float(values.mean()), float(half)

    def summary(self) -> dict[str, object]:
        """The contest as it is stored: of each column the mean and 1.96 standard errors, see `stats.margin`."""
        columns = {column: [round(number, 4) for number in self.spread(column)] for column in COLUMNS}
        return {"one": self.one, "others": self.others, "groups": len(self.groups), **columns, "ms": round(self.ms, 2)}


def contest(
    game: GameSetup,
    one: str,
    others: str,
    groups: int,
    seed: int = 1,
    progress: Callable[[], None] | None = None,
    seconds: float = float("inf"),
    stop_when_clear: int | None = None,
    log: ContestLog | None = None,
) -> Contest:
    """Play `groups` deals, each once from every seat: `one` on it, `others` on all the rest.

    It begins no further deal once `seconds` have passed since the second deal ended (the first two may wait for a
    compiler), nor from `stop_when_clear` deals on once the gain is `CLEAR` standard errors from 0: so far that looking
    after every deal misleads in less than one contest of a million. Deals that are in the `log` aren't played again,
    the others are written there. Each deal follows from its number alone. Interrupted (KeyboardInterrupt), the result
    has the deals that were finished.

    Raises BadOption for fewer than two groups, UnknownBot for a name there is not.
    """
    if groups < 2:
        raise BadOption(say("A contest needs at least two deals."))
    meeting, rows = Meeting(game, one, others, seed), log.rows(one, others)[:groups] if log else []
    before, ends, interrupted = len(rows), float("inf"), False
    try:
        while len(rows) < groups and time.monotonic() < ends and not is_clear(rows, stop_when_clear):
            if len(rows) == before + 2:
                ends = time.monotonic() + seconds
            rows.append(meeting.deal(len(rows)))
            if log is not None:
                log.add(one, others, rows[-1])
            if progress is not None:
                progress()
    except KeyboardInterrupt:
        interrupted = True
    return contest_of(one, others, rows, interrupted=interrupted)


def contest_of(one: str, others: str, rows: Sequence[Sequence[float]], *, interrupted: bool) -> Contest:
    """A contest from the rows of its deals."""
    table = np.array(rows).reshape(-1, len(COLUMNS) + 1)
    ms = float(np.median(table[:, MS])) if len(table) else 0.0
    return Contest(one, others, table[:, :MS], ms, interrupted)


class Meeting:
    """One bot and its rivals, ready to play deals."""

    def __init__(self, game: GameSetup, one: str, others: str, seed: int) -> None:
        self.game, self.seed = game, seed
        self.bot = bot(one, game, seed)
        self._one = TimedBot(self.bot)
        self._rest = [bot(others, game, seed * 1000 + 1 + seat) for seat in range(game.players)]

    def deal(self, number: int) -> tuple[float, ...]:
        """Play a deal from every seat: the means of its columns, and the milliseconds for a decision."""
        seats, total = self.game.players, np.zeros(len(COLUMNS))
        self._one.taken.clear()
        for seat in range(seats):
            table = [self._one if p == seat else self._rest[p] for p in range(seats)]
            for each in table:
                each.begin(number * seats + seat)
            total += result_row(play_match(self.game, table, self.seed, number), seat)
        return (*(total / seats).tolist(), self._one.median())


def is_clear(rows: Sequence[Sequence[float]], least: int | None) -> bool:
    """Whether at least so many deals show beyond doubt who gains; False for None."""
    if least is None or len(rows) < max(2, least):
        return False
    gain, half = Contest("", "", np.array(rows)).spread("gain")
    return NORMAL * abs(gain) > CLEAR * half


class TimedBot:
    """A bot, and the processor time of each of its decisions: `taken`, in nanoseconds."""

    def __init__(self, bot: Bot) -> None:
        self.name, self._bot, self.candidates, self.begin = bot.name, bot, bot.candidates, bot.begin
        self.taken: list[int] = []

    def choose(self, known: bytes, seat: int) -> int:
        """What the bot chooses; timed."""
        began = time.process_time_ns()
        action = self._bot.choose(known, seat)
        self.taken.append(time.process_time_ns() - began)
        return action

    def median(self) -> float:
        """The median time for a decision, in milliseconds; 0 where there was none."""
        return float(np.median(self.taken)) / 1e6 if self.taken else 0.0


def play_match(game: GameSetup, bots: Sequence[Bot], seed: int, number: int) -> np.ndarray:
    """Play match `number` of a seed between these bots; returns the utilities, float64 (seats)."""
    return np.array(played_match(game, bots, seed, number).returns())


def played_match(game: GameSetup, bots: Sequence[Bot], seed: int, number: int) -> Match:
    """Match `number` of a seed, played to its end by these bots."""
    match = Match(game, seed, number=number)
    while not match.over:
        seat = match.actor
        legal = match.legal_ids(seat)
        match.play(seat, legal[0] if len(legal) == 1 else bots[seat].choose(match.concealed(seat), seat))
    return match


def result_row(returns: np.ndarray, seat: int) -> tuple[float, ...]:
    """A row of `Contest.groups` for one game and seat, from the utilities of all seats."""
    own, others, alike = returns[seat], np.delete(returns, seat), np.ptp(returns) == 0
    first, last = returns == returns.max(), returns == returns.min()
    beaten = ((own > others) + 0.5 * (own == others)).mean()
    firsts, lasts = (0.0 if alike else float(best[seat] / best.sum()) for best in (first, last))
    return float(own), firsts, lasts, float(beaten), float(own - others.mean())
