"""What a manner changes: a level with it, alone among bots of that level without it, on duplicate deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.files import write_atomically
from hexdeck.bots.players import levels
from hexdeck.bots.players.levels import read
from hexdeck.bots.players.manners import ManneredBot, manners_file, tilts
from hexdeck.bots.players.named import resolved
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import say
from hexdeck.research.rating.contest import COLUMNS, Contest, ContestLog, Meeting, contest_of
from hexdeck.research.rating.ladder import formatted
from hexdeck.stats import ratio


@dataclass(frozen=True)
class MannerStudy:
    """How a bot with a manner did.

    `counts` float64 (deals, 3): its decisions at which some, not all, of the actions were the manner's, at how many it
    chose one, and at how many it would have chosen one without the manner (a sum of probabilities).
    """

    contest: Contest
    counts: np.ndarray

    def times(self) -> tuple[float, float] | None:
        """How often it chose the manner's actions for each time that it would without, and half the 95 % interval.

        None where deals are too few to tell: fewer than two, or without the manner it would never have chosen one, or
        all deals were alike.
        """
        chosen, without = self.counts[:, 1], self.counts[:, 2]
        if len(without) < 2 or not without.sum():
            return None
        quotient = ratio(chosen, without)
        return (quotient.value, quotient.margin) if 0 < quotient.margin < float("inf") else None

    def summary(self, game: GameSetup) -> dict[str, Any]:
        """The study as it is kept, with the bot that the level is, and what the manner is."""
        row, manner = self.contest.summary(), self.contest.one.partition(":")[2]
        times = self.times()
        figures = {"choices": round(float(self.counts[:, 0].sum())), "times": times and [round(x, 3) for x in times]}
        bot = resolved(self.contest.one, game)
        return {"one": row.pop("one"), "bot": bot, **tilts(game, manner), **row, **figures}


ROUNDING = 1e-6  # how far a sum of probabilities may be off


class MannerLog(ContestLog):
    """A log of meetings; three counts follow in each row, see `MannerStudy`."""

    COMMAND = "manners"
    WIDTH = ContestLog.WIDTH + 3

    def can_be(self, row: Sequence[Any]) -> bool:
        """Whether so many values can be the row of a deal, the counts no more than the decisions."""
        decisions, chosen, without = row[ContestLog.WIDTH :]
        return super().can_be(row) and 0 <= chosen <= decisions and 0 <= without <= decisions + ROUNDING


class MannerMeeting(Meeting):
    """A meeting of a bot with a manner and of bots without; raises BadOption where the first has none."""

    def __init__(self, game: GameSetup, name: str, rival: str, seed: int) -> None:
        super().__init__(game, name, rival, seed)
        if not isinstance(self.bot, ManneredBot):
            raise BadOption(say("{bot} has no manner.", bot=name))
        self.counts = self.bot.counts

    def deal(self, number: int) -> tuple[float, ...]:
        """The row of a deal, and what the manner changed."""
        before = self.counts.copy()
        row = super().deal(number)
        return (*row, *(self.counts - before).tolist())


def study(
    game: GameSetup,
    level: str,
    manner: str,
    deals: int,
    seed: int = 1,
    log: MannerLog | None = None,
    progress: Callable[[], None] | None = None,
    seconds: float = float("inf"),
) -> MannerStudy:
    """Play so many deals, each once from every seat; those in the log aren't played again.

    No further one begins once `seconds` have passed. Interrupted (KeyboardInterrupt), it has the deals that were
    finished.
    """
    name, ends, interrupted = f"{level}:{manner}", time.monotonic() + seconds, False
    meeting, rows = MannerMeeting(game, name, level, seed), log.rows(name, level)[:deals] if log else []
    try:
        while len(rows) < deals and time.monotonic() < ends:
            rows.append(meeting.deal(len(rows)))
            if log is not None:
                log.add(name, level, rows[-1])
            if progress is not None:
                progress()
    except KeyboardInterrupt:
        interrupted = True
    table = np.array(rows).reshape(-1, len(COLUMNS) + 4)
    contest = contest_of(name, level, [row[: len(COLUMNS) + 1] for row in rows], interrupted=interrupted)
    return MannerStudy(contest, table[:, len(COLUMNS) + 1 :])


def keep(game: GameSetup, studies: Sequence[MannerStudy], command: str) -> None:
    """Store studies in the game's folder, in place of those of the same levels and manners."""
    levels.read.cache_clear()  # other processes may have written there since
    measured = dict(read(manners_file(game)).get("measured", {}))
    summaries = {study.contest.one: {**study.summary(game), "command": command} for study in studies}
    old = {row["one"]: row for row in measured.get(str(game.players), {}).get("contests", [])}
    rows = {**old, **summaries}
    measured[str(game.players)] = {"contests": [rows[name] for name in sorted(rows)]}
    ordered = {"measured": {players: measured[players] for players in sorted(measured, key=int)}}
    write_atomically(manners_file(game), formatted(ordered).encode())
    levels.read.cache_clear()
