"""Contests: one bot at a table of others, on duplicate deals, in its turn on every seat."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.files import write_atomically
from hexdeck.bots.players.named import bot, resolved
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.stats import BOUNDED, NORMAL, margin, share_ends, standard_error

Row = tuple[float, ...]


class ContestLog:
    """The rows of a game's contests in a file. Levels are logged as the bots that play them.

    Raises HexdeckError for a file that is no such log, is damaged, is of other games, or can't be written; it is then
    left as it is.
    """

    COMMAND = "ladder"
    WIDTH = 6  # numbers in a row

    def __init__(self, path: Path, game: GameSetup, seed: int) -> None:
        self.path, self._game = path, game
        self._rows: dict[tuple[str, str], list[Row]] = defaultdict(list)
        about = {
            "format": f"hexdeck {self.COMMAND} 1",
            "game": game.name,
            "players": game.players,
            "code": program_hash(game.rules.__name__, "hexdeck.research.rating"),
            "options": dict(game.options),
            "seed": seed,
        }
        self._read(json.loads(json.dumps(about)))

    def _read(self, about: dict[str, Any]) -> None:
        """Read what the file holds; a last line that was cut off is dropped, from the file too."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
            valid = [json.dumps(about)]
            if lines:
                self._check_same(parsed(lines[0]), about)
            for number, line in enumerate(lines[1:], 2):
                entry = parsed(line)
                if entry is None and number == len(lines):
                    break
                self._take(entry, number)
                valid.append(line)
            write_atomically(self.path, ("\n".join(valid) + "\n").encode())
        except UnicodeDecodeError:
            self._check_same(None, about)
        except OSError as error:
            text = _("{file} can't be written: {why}.")
            raise HexdeckError(say(text, file=str(self.path), why=error.strerror or "")) from None

    def _take(self, entry: Any, number: int) -> None:
        """Add the row of a line, which must be that of its contest's next deal."""
        match entry:
            case [str(one), str(others), int(deal), [*row]] if (
                deal == len(self._rows[one, others]) and len(row) == self.WIDTH and self.can_be(row)
            ):
                self._rows[one, others].append(tuple(row))
            case _:
                text = _(
                    "Line {number} of {file} is damaged: take out all lines from there on, or choose another file."
                )
                raise HexdeckError(say(text, number=number, file=str(self.path)))

    def can_be(self, row: Sequence[Any]) -> bool:
        """Whether so many values can be the row of a deal: numbers, shares from 0 to 1, and no negative time."""
        return all(map(is_number, row)) and all(0 <= share <= 1 for share in row[1:4]) and row[5] >= 0

    def _check_same(self, header: Any, expected: dict[str, Any]) -> None:
        """Raise HexdeckError unless the first line of a log is the one that is wanted."""
        if not isinstance(header, dict) or header.get("format") != expected["format"]:
            text = _("{file} is a log of something else; choose another file.")
            raise HexdeckError(say(text, file=str(self.path)))
        changed = next((key for key in expected if header.get(key) != expected[key]), None)
        if changed == "code":
            text = _("{file} was begun by another version of hexdeck, whose bots may differ; use another file.")
            raise HexdeckError(say(text, file=str(self.path)))
        if changed is not None:
            text = _("{file} holds rows of other games (different {what}); choose another file for these.")
            raise HexdeckError(say(text, file=str(self.path), what=changed))

    def rows(self, bot_name: str, rival: str) -> list[Row]:
        """The rows of a contest, by the number of the deal."""
        return list(self._rows[self._pair(bot_name, rival)])

    def add(self, bot_name: str, rival: str, row: Sequence[float]) -> None:
        """Append the row of a contest's next deal."""
        pair = self._pair(bot_name, rival)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([*pair, len(self._rows[pair]), [float(x) for x in row]]) + "\n")
        self._rows[pair].append(tuple(float(x) for x in row))

    def _pair(self, bot_name: str, rival: str) -> tuple[str, str]:
        """The names under which a contest is logged."""
        return resolved(bot_name, self._game), resolved(rival, self._game)


def parsed(line: str) -> Any:
    """A line as data, or None where it was cut off."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


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
        self.bot = bot(bot_name, game, seed)
        self._one = TimedBot(self.bot)
        self._rest = [bot(rival, game, seed * 1000 + 1 + seat) for seat in range(game.players)]

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
    return float(own), firsts, lasts, float(beaten), float(own - rivals.mean())
