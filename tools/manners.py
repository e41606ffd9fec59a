"""What bots' manners change, and whether they cost strength.

`python tools/manners.py GAME [--players N] [--levels …] [--manners …] [--deals N] [--resume FILE] [--save]` measures a
bot with each manner among others of its level without; `--save` stores the results with the game.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.players import levels
from hexdeck.bots.players.bot_names import spoken, stored
from hexdeck.bots.players.kinds import ManneredBot
from hexdeck.bots.players.levels import manners_file, read, tilts
from hexdeck.bots.players.roster import resolved
from hexdeck.cli import run_tool
from hexdeck.cli.command_line import Argument, Command, chosen_game, option
from hexdeck.cli.compile import prepare
from hexdeck.cli.output import CommandResult, can_hold, head, make_console, worded
from hexdeck.cli.tournament import MOST_DEALS, gain_text, timed_bar
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, Text, _, count, number, say
from hexdeck.files import write_atomically
from hexdeck.research.rating import COLUMNS, Contest, ContestLog, Meeting, contest_of, formatted
from hexdeck.simulation.game import Game
from hexdeck.stats import ratio

DEALS = 200  # by default


# --- a study ----------------------------------------------------------------------------------------------------------
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

    JOB = "manners"
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


# --- the command ------------------------------------------------------------------------------------------------------


def run(arguments: argparse.Namespace, words: Catalogue) -> CommandResult:
    """Play with a progress bar, then print the table; interrupted, of what was played."""
    from hexdeck.engine.discovery.finding import game_words

    game = chosen_game(arguments)
    asked = checked(arguments, game)
    own = game_words(game.name, words.lang)
    studies = played(game, asked, arguments, own)
    usable = [study for study in studies if len(study.contest.groups) > 1]
    interrupted = any(study.contest.interrupted for study in studies)
    if arguments.save and not interrupted:
        keep(game, usable, command(arguments, game))
    return CommandResult(
        own, lambda: print_studies(game, usable, own), lambda: figures(game, usable), interrupted=interrupted
    )


def checked(arguments: argparse.Namespace, game: Game) -> list[tuple[str, str]]:
    """The levels and manners to measure; raises BadOption for what can't be measured or stored."""
    from hexdeck.bots.players.levels import LEAST, levels_of, manner_named, manners_file
    from hexdeck.bots.players.roster import can_have_manner

    known, manners = levels_of(game), [manner.name for manner in game.definition.hints.STUDY.manners]
    wrong = next((level for level in arguments.levels if level not in known), None)
    if wrong is not None:
        text = _("There is no level {typed}; there are {there}.")
        raise BadOption(say(text, typed=spoken(wrong)[:20], there=", ".join(map(spoken, known))))
    for each in arguments.manners:
        manner_named(game, each)
    if arguments.save and (game != game.usual() or arguments.deals < LEAST):
        text = _("--save stores what was measured with the usual options, on at least {least} deals.")
        raise BadOption(say(text, least=LEAST))
    if arguments.save and not can_hold(manners_file(game)):
        raise BadOption(say("The manners of {game} can't be stored here: the package isn't writable.", game=game.name))
    levels = arguments.levels or [level for level, bot in known.items() if can_have_manner(bot)]
    return [(level, manner) for level in levels for manner in arguments.manners or manners]


def played(
    game: Game, asked: Sequence[tuple[str, str]], arguments: argparse.Namespace, own: Catalogue
) -> list[MannerStudy]:
    """Measure levels with manners, one after another; it stops where it is interrupted."""
    from hexdeck.simulation.simulate import check_bots

    for level, manner in asked:
        check_bots(game, f"{level}:{manner}")
    log = None
    if arguments.resume is not None:
        log = MannerLog(arguments.resume, game, arguments.seed)
    prepare(game.name, own)
    with timed_bar(str(game.table.ABOUT.title), arguments.deals * len(asked), float("inf")) as tick:
        return [*measured(game, asked, arguments, log, tick)]


def measured(
    game: Game,
    asked: Sequence[tuple[str, str]],
    arguments: argparse.Namespace,
    log: MannerLog | None,
    tick: Callable[[], None],
) -> Sequence[MannerStudy]:
    """The studies, up to the one that was interrupted."""
    found: list[MannerStudy] = []
    for level, manner in asked:
        found.append(study(game, level, manner, arguments.deals, arguments.seed, log, tick))
        if found[-1].contest.interrupted:
            break
    return found


def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that measures the same again."""
    parts = ["python", "tools/manners.py", game.name, "--players", game.players]
    parts += ["--levels", *map(spoken, arguments.levels)] if arguments.levels else []
    parts += ["--manners", *arguments.manners] if arguments.manners else []
    return " ".join(map(str, [*parts, "--deals", arguments.deals, "--seed", arguments.seed, "--save"]))


def figures(game: Game, found: Sequence[MannerStudy]) -> dict[str, Any]:
    """The studies as data."""
    interrupted = any(each.contest.interrupted for each in found)
    return head("manners", game, interrupted=interrupted) | {"manners": [each.summary(game) for each in found]}


def print_studies(game: Game, found: Sequence[MannerStudy], own: Catalogue) -> None:
    """Print a row for each level and manner."""
    from rich.table import Table

    t, unit = worded(own), game.measure
    table = Table(
        title=t(
            say(
                "One bot with a manner among others of its level without: what it does more or less "
                "often than they would, and how far it ends above the mean of its table, with 95 % intervals"
            )
        )
    )
    for column in (say("bot"), say("deals"), say("manner"), say("± (95 %)"), say("above mean")):
        table.add_column(t(column), justify="right", overflow="fold")
    for each in found:
        times, gain = each.times(), gain_text(unit, *each.contest.mean("gain"))
        if times is None:
            told = t(say("too few deals to tell")), ""
        else:
            margin = say("{number}\u00a0%", number=number(100 * times[1], 0))
            told = t(phrase(game, each.contest.one, times[0])), t(margin)
        table.add_row(spoken(each.contest.one), t(count(len(each.counts))), *told, t(gain))
    make_console().print(table)


def phrase(game: Game, name: str, times: float) -> Text:
    """How a manner is known."""
    from hexdeck.bots.players.levels import manner_named, often

    return say(manner_named(game, name.rpartition(":")[2]).phrase, often=often(times))


COMMAND = Command(
    "tools/manners.py",
    "measure what bots' manners change",
    (
        option("game"),
        option("--players"),
        option("--option"),
        Argument(
            "--levels",
            "levels to measure them of (default: all whose bots can have one)",
            stored,
            "NAME",
            takes="several",
        ),
        Argument("--manners", "manners to measure (default: all that the game has)", metavar="NAME", takes="several"),
        Argument(
            "--deals",
            "deals for each level and manner, each played once from every seat",
            int,
            default=DEALS,
            within=(2, MOST_DEALS),
        ),
        option("--seed", default=1),
        option(
            "--resume",
            help="write the result of each deal to this file; the same command resumes from it (default: no file)",
        ),
        Argument("--save", "store the results with the game", takes="nothing"),
        option("--data"),
        option("--json"),
    ),
    run,
)

if __name__ == "__main__":
    sys.exit(run_tool(COMMAND))
