"""Contests of one bot at a table of others, on duplicate deals, and ladders: a rating for each of several bots."""

import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.players import levels
from hexdeck.bots.players.levels import data, levels_of, read
from hexdeck.bots.players.policies import any_bot
from hexdeck.bots.players.roster import resolved
from hexdeck.engine.backends.cache import program_hash
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say
from hexdeck.files import ResumableFile, write_atomically
from hexdeck.stats import BOUNDED, NORMAL, bootstrap, margin, share_ends, standard_error

Row = tuple[float, ...]


class ContestLog:
    """The rows of a game's contests in a resumable file. Levels are logged as the bots that play them."""

    JOB = "ladder"
    WIDTH = 6  # numbers in a row

    def __init__(self, path: Path, game: GameSetup, seed: int) -> None:
        self._game = game
        self._rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
        version = program_hash(game.rules.__name__, "hexdeck.research.rating")
        about = {"game": game.name, "version": version, "players": game.players}
        self._file = ResumableFile(path, self.JOB, about | {"options": dict(game.options), "seed": seed})
        for number, entry in enumerate(self._file.rows):
            match entry:
                case [str(one), str(others), int(deal), [*row]] if (
                    deal == len(self._rows[one, others]) and len(row) == self.WIDTH and self.can_be(row)
                ):
                    self._rows[one, others].append(tuple(row))
                case _:
                    raise self._file.damaged(number)

    def can_be(self, row: Sequence[Any]) -> bool:
        """Whether so many values can be the row of a deal: numbers, shares from 0 to 1, and no negative time."""
        return all(map(is_number, row)) and all(0 <= share <= 1 for share in row[1:4]) and row[5] >= 0

    def rows(self, bot_name: str, rival: str) -> list[Row]:
        """The rows of a contest, by the number of the deal."""
        return list(self._rows[self._pair(bot_name, rival)])

    def add(self, bot_name: str, rival: str, row: Sequence[float]) -> None:
        """Append the row of a contest's next deal."""
        pair, numbers = self._pair(bot_name, rival), tuple(float(x) for x in row)
        self._file.add([*pair, len(self._rows[pair]), numbers])
        self._rows[pair].append(numbers)

    def _pair(self, bot_name: str, rival: str) -> tuple[str, str]:
        return resolved(bot_name, self._game), resolved(rival, self._game)


def is_number(value: Any) -> bool:
    """Whether something is a number of a size that can be counted with."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e12


COLUMNS = ("utility", "first", "last", "ahead", "gain")
MS = len(COLUMNS)  # in a row of a deal: the milliseconds for a decision
CLEAR = 6.0  # standard errors between a gain and 0, for a contest that may stop once it is clear


@dataclass(frozen=True)
class Contest:
    """How one bot did among others.

    `groups` float64 (groups, 5), a row for each deal, means over all seats: the utility; the share of first places,
    which those who tie share, and which nobody has where all end alike; the share of last places; the share of the
    other players that it beat, ties half; the gain, which is the utility above the mean of the whole table.
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
    bot_name: str,
    rival: str,
    groups: int,
    seed: int = 1,
    progress: Callable[[], None] | None = None,
    seconds: float = float("inf"),
    stop_when_clear: int | None = None,
    log: ContestLog | None = None,
) -> Contest:
    """Play `groups` deals, each once from every seat: `bot_name` on it, `rival` on all the rest.

    It begins no further deal once `seconds` have passed since the second deal ended (the first two may wait for a
    compiler), nor from `stop_when_clear` deals on once the gain is `CLEAR` standard errors from 0: so far that looking
    after every deal misleads in less than one contest of a million. Deals that are in the `log` aren't played again,
    the others are written there. Each deal follows from its number alone. Interrupted (KeyboardInterrupt), the result
    has the deals that were finished.

    Raises BadOption for fewer than two groups, UnknownBot for a name there is not.
    """
    if groups < 2:
        raise BadOption(say("A contest needs at least two deals."))
    meeting, rows = Meeting(game, bot_name, rival, seed), log.rows(bot_name, rival)[:groups] if log else []
    before, ends, interrupted = len(rows), float("inf"), False
    try:
        while len(rows) < groups and time.monotonic() < ends and not is_clear(rows, stop_when_clear):
            if len(rows) == before + 2:
                ends = time.monotonic() + seconds
            rows.append(meeting.deal(len(rows)))
            if log is not None:
                log.add(bot_name, rival, rows[-1])
            if progress is not None:
                progress()
    except KeyboardInterrupt:
        interrupted = True
    return contest_of(bot_name, rival, rows, interrupted=interrupted)


def contest_of(bot_name: str, rival: str, rows: Sequence[Sequence[float]], *, interrupted: bool) -> Contest:
    """A contest from the rows of its deals."""
    table = np.array(rows).reshape(-1, len(COLUMNS) + 1)
    ms = float(np.median(table[:, MS])) if len(table) else 0.0
    return Contest(bot_name, rival, table[:, :MS], ms, interrupted)


class Meeting:
    """One bot and its rivals, ready to play deals."""

    def __init__(self, game: GameSetup, bot_name: str, rival: str, seed: int) -> None:
        self.game, self.seed = game, seed
        self.bot = any_bot(bot_name, game, seed)
        self._one = TimedBot(self.bot)
        self._rest = [any_bot(rival, game, seed * 1000 + 1 + seat) for seat in range(game.players)]

    def deal(self, number: int) -> tuple[float, ...]:
        """Play a deal from every seat: the means of its columns, and the milliseconds for a decision."""
        seats, total = self.game.players, np.zeros(len(COLUMNS))
        self._one.taken.clear()
        for seat in range(seats):
            table = [self._one if p == seat else self._rest[p] for p in range(seats)]
            for player in table:
                player.begin(number * seats + seat)
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

    def choose(self, knowledge: bytes, seat: int) -> int:
        """What the bot chooses; timed."""
        began = time.process_time_ns()
        action = self._bot.choose(knowledge, seat)
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
    own, rivals, alike = returns[seat], np.delete(returns, seat), np.ptp(returns) == 0
    first, last = returns == returns.max(), returns == returns.min()
    beaten = ((own > rivals) + 0.5 * (own == rivals)).mean()
    firsts, lasts = (0.0 if alike else float(best[seat] / best.sum()) for best in (first, last))
    return float(own), firsts, lasts, float(beaten), float(own - returns.mean())


# --- ladders ----------------------------------------------------------------------------------------------------------
AHEAD = COLUMNS.index("ahead")
RESAMPLED = 200  # bootstrap samples for the intervals of ratings
WEIGHT = 4  # how much of the time neighbours get for each that others get
STEPS = 200  # of the fit, more than enough


@dataclass(frozen=True)
class Ladder:
    """Contests of every bot among each that was named before it, and ratings: the first bot's is 0.

    `ratings` and `margins` float64 (bots), on the Elo scale: 400 points more are odds of ten to one to come in ahead.
    `interrupted`: whether less was played than asked for; then a bot that met nobody on two deals is left out.
    """

    bots: tuple[str, ...]
    contests: tuple[Contest, ...]
    ratings: np.ndarray
    margins: np.ndarray
    interrupted: bool = False


def ladder(
    game: GameSetup,
    bots: Sequence[str],
    groups: int,
    seed: int = 1,
    progress: Callable[[], None] | None = None,
    seconds: float = float("inf"),
    near: Sequence[str] | None = None,
    stop_when_clear: int | None = None,
    log: ContestLog | None = None,
) -> Ladder:
    """Play each bot alone among each named before it on `groups` deals, in its turn on every seat.

    Fewer where they don't fit in a share of `seconds`, which is `WEIGHT` times as much for neighbours, who are the
    hardest to tell apart; what one pair leaves the others get. Bots are named from the weakest on, so that no table is
    full of the slowest. `near`: each but the first meets only the one named before it, and these. `stop_when_clear` and
    `log` are as in `contest`. Interrupted (KeyboardInterrupt), it rates bots that have played. Raises BadOption for one
    bot only.

    Ratings are Bradley and Terry's (1952), of coming in ahead of a player; their margins are half the 95 % intervals
    of a bootstrap over deals.
    """
    check_differ(bots)
    pairs = pairs_of(bots, near)
    contests: list[Contest] = []
    ends = time.monotonic() + seconds
    weights = [WEIGHT if bots.index(bot) == bots.index(rival) + 1 else 1 for bot, rival in pairs]
    for k, pair in enumerate(pairs):
        share = max(0.0, ends - time.monotonic()) * weights[k] / sum(weights[k:])
        contests.append(contest(game, *pair, groups, seed, progress, share, stop_when_clear, log=log))
        if contests[-1].interrupted:
            break
    return concluded(bots, contests, seed)


def check_differ(bots: Sequence[str]) -> None:
    """Raise BadOption for fewer than two bots, or one named twice."""
    if len(set(bots)) < max(2, len(bots)):
        raise BadOption(say("Name two bots or more, none of them twice."))


def concluded(bots: Sequence[str], contests: Sequence[Contest], seed: int) -> Ladder:
    """The ladder of the contests that were played; raises KeyboardInterrupt where none has two deals."""
    usable = [row for row in contests if len(row.groups) > 1]
    if not usable:
        raise KeyboardInterrupt
    rated = [name for name in bots if any(name in (row.one, row.others) for row in usable)]
    rng = np.random.default_rng(seed)
    margins = NORMAL * resampled_ratings(rated, usable, rng).std(axis=0)
    interrupted = any(row.interrupted for row in contests)
    return Ladder(tuple(rated), tuple(usable), bradley_terry(rated, usable), margins, interrupted)


def pairs_of(bots: Sequence[str], near: Sequence[str] | None) -> list[tuple[str, str]]:
    """Which bot plays among which: one, the others."""
    return [
        (bot, rival)
        for k, bot in enumerate(bots)
        for at, rival in enumerate(bots)
        if (at < k if near is None else at == k - 1 or (rival in near and at != k > 0))
    ]


def resampled_ratings(bots: Sequence[str], contests: Sequence[Contest], rng: np.random.Generator) -> np.ndarray:
    """The ratings by bootstrap samples of the deals of contests, float64 (RESAMPLED, bots)."""

    def fit(samples: list[np.ndarray]) -> np.ndarray:
        return bradley_terry(bots, [replace(row, groups=of) for row, of in zip(contests, samples, strict=True)])

    return bootstrap([row.groups for row in contests], fit, rng, RESAMPLED)


def bradley_terry(bots: Sequence[str], contests: Sequence[Contest]) -> np.ndarray:
    """The ratings by these contests, float64 (bots), fitted by minorisation and maximisation (Hunter 2004)."""
    wins = np.zeros((len(bots), len(bots)))
    for row in contests:
        a, b = bots.index(row.one), bots.index(row.others)
        ahead = np.clip(row.groups[:, AHEAD].mean(), 0.001, 0.999)
        wins[a, b] += ahead
        wins[b, a] += 1 - ahead
    played, strength = wins + wins.T, np.ones(len(bots))
    for _ in range(STEPS):
        strength = wins.sum(axis=1) / (played / (strength[:, None] + strength[None, :])).sum(axis=1)
        strength /= strength[0]
    ratings: np.ndarray = 400 * np.log10(strength)
    return ratings


def keep(game: GameSetup, contests: Iterable[Contest], command: str) -> None:
    """Store contests of a game with so many players, instead of those that were stored."""
    program, rows = program_hash(game.rules.__name__, "hexdeck.research.rating"), [row.summary() for row in contests]
    store(game, {"command": command, "program": program, "bots": levels_of(game), "contests": rows})


def store(game: GameSetup, rows: dict[str, Any]) -> None:
    """Store `rows` as what is known of a game with so many players."""
    read.cache_clear()  # other processes may have written there since
    loaded = dict(data(game))
    measured = {**loaded.get("measured", {}), str(game.players): rows}
    loaded["measured"] = {players: measured[players] for players in sorted(measured, key=int)}
    write_atomically(levels.levels_file(game), formatted(loaded).encode())
    read.cache_clear()


def formatted(loaded: dict[str, Any]) -> str:
    """The data as JSON, each contest on one line."""
    text = json.dumps(loaded, indent=1)
    for opening, inside, closing in (r"\[", r"[^\[\]{}]*?", r"\]"), (r"\{", r'"one"[^{}]*?', r"\}"):
        pattern = rf"({opening})\s+({inside})\s+({closing})"
        text = re.sub(pattern, lambda found: found[1] + re.sub(r"\n *", " ", found[2]) + found[3], text)
    return text + "\n"
