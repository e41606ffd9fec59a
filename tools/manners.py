"""What bots' manners change, and whether they cost strength: `hexdeck compare --manner`, for levels of play.

`python tools/manners.py GAME [--players N] [--levels …] [--manners …] [--deals N] [--save]` measures a bot with each
manner among others of its level without; `--save` stores the results with the game.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from hexdeck.bots.players import levels
from hexdeck.bots.players.bot_names import spoken, stored
from hexdeck.bots.players.levels import LEAST, levels_of, manner_named, manners_file, read, tilts
from hexdeck.bots.players.roster import can_have_manner, resolved
from hexdeck.cli import run_tool
from hexdeck.cli.command_line import Argument, Command, chosen_game, option
from hexdeck.cli.compare import print_study
from hexdeck.cli.compile import ticking
from hexdeck.cli.output import ENGLISH, CommandResult, can_hold, head
from hexdeck.cli.tournament import MOST_DEALS
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, _, say
from hexdeck.files import write_atomically
from hexdeck.lab.counts import ABOVE
from hexdeck.lab.effects import probed
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.pairs import MANNER_TIMES, Effect, probe_of, study_manners
from hexdeck.research.rating import formatted
from hexdeck.simulation.game import Game

DEALS = 200  # for each seat, by default


def summary(game: GameSetup, level: str, effect: Effect) -> dict[str, Any]:
    """An effect as it is kept, with the bot that the level is, and what the manner is; `times` null: too few deals."""
    name, gain, times = f"{level}:{effect.change}", *(effect.shifts[each].difference for each in (ABOVE, MANNER_TIMES))
    known, about = 0 < times.margin < float("inf"), tilts(game, effect.change)
    figures = {"gain": [round(gain.value, 4), round(gain.margin, 4)]}
    figures["times"] = [round(times.value, 3), round(times.margin, 3)] if known else None  # type: ignore[assignment]
    return {"one": name, "bot": resolved(name, game), **about, "others": level, "groups": effect.pairs, **figures}


def keep(game: GameSetup, rows: Sequence[dict[str, Any]], command: str) -> None:
    """Store summaries in the game's folder, in place of those of the same levels and manners."""
    levels.read.cache_clear()  # other processes may have written there since
    measured = dict(read(manners_file(game)).get("measured", {}))
    old = {row["one"]: row for row in measured.get(str(game.players), {}).get("contests", [])}
    by_name = {**old, **{row["one"]: {**row, "command": command} for row in rows}}
    measured[str(game.players)] = {"contests": [by_name[name] for name in sorted(by_name)]}
    ordered = {"measured": {players: measured[players] for players in sorted(measured, key=int)}}
    write_atomically(manners_file(game), formatted(ordered).encode())
    levels.read.cache_clear()


def run(arguments: argparse.Namespace, _words: Catalogue) -> CommandResult:
    """Measure level by level with a progress bar."""
    game = chosen_game(arguments)
    known, manners = checked(arguments, game)
    pairs, studies, rows = arguments.deals * game.players, [], list[dict[str, Any]]()
    games, threads = len(known) * (1 + len(manners)) * pairs, os.cpu_count() or 1
    with ticking(game.name) as tick:
        for level in known:
            setup = SimulationSetup(game, level, arguments.seed, threads)
            ways = [probe_of(game, manner) for manner in manners]
            effects = [*study_manners(setup, ways, pairs, lambda done: tick("games", done, games))]
            studies.append(probed(setup, pairs, effects))
            rows += [summary(game, level, effect) for effect in effects]
    if arguments.save:
        keep(game, rows, command(arguments, game))

    def show() -> None:
        for study in studies:
            print_study(study)

    return CommandResult(ENGLISH, show, lambda: head("manners", game, interrupted=False) | {"manners": rows})


def checked(arguments: argparse.Namespace, game: Game) -> tuple[list[str], list[str]]:
    """The levels and manners to measure; raises BadOption for what can't be measured or stored."""
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
    own = arguments.levels or [level for level, bot in known.items() if can_have_manner(bot)]
    return own, arguments.manners or manners


def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that measures the same again."""
    parts = ["python", "tools/manners.py", game.name, "--players", game.players]
    parts += ["--levels", *map(spoken, arguments.levels)] if arguments.levels else []
    parts += ["--manners", *arguments.manners] if arguments.manners else []
    return " ".join(map(str, [*parts, "--deals", arguments.deals, "--seed", arguments.seed, "--save"]))


COMMAND = Command(
    "tools/manners.py",
    "measure what bots' manners change",
    (
        option("game"),
        option("--players"),
        option("--option"),
        Argument("--levels", "levels (default: all whose bots can have a manner)", stored, "NAME", takes="several"),
        Argument("--manners", "manners to measure (default: all that the game has)", metavar="NAME", takes="several"),
        Argument("--deals", "deals for each level, manner and seat", int, default=DEALS, within=(2, MOST_DEALS)),
        option("--seed", default=1),
        Argument("--save", "store the results with the game", takes="nothing"),
        option("--data"),
        option("--json"),
    ),
    run,
)

if __name__ == "__main__":
    sys.exit(run_tool(COMMAND))
