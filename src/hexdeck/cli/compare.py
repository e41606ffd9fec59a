"""`hexdeck compare GAME`: what a change of a rule, of any option, or of a bot's play does on the same cards.

`hexdeck tune GAME` searches the options for what comes nearest to an aim.
"""

from __future__ import annotations

import argparse
import functools
import shlex
import sys
from typing import Any

from hexdeck.bots.players import bot_names, levels
from hexdeck.cli import command_line
from hexdeck.cli.compile import ticking
from hexdeck.cli.output import ENGLISH, CommandResult, is_fancy, make_console, show_table, tell_cost, where_the_rest_is
from hexdeck.engine.discovery.finding import path_options
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say
from hexdeck.lab.effects import EffectFile, EffectStudy, Sweeper, compared, labels, look_into, probed, swept, trials
from hexdeck.lab.pairs import Effect, check, check_same_moves, chosen, compare, probe_of, study_manners, study_probes
from hexdeck.lab.reporting.charts import tornado_lines
from hexdeck.lab.reporting.wording import changed_options, unbroken
from hexdeck.simulation.game import game
from hexdeck.simulation.simulate import check_bots

PAIRS = {"": 200_000, "vary": 2000, "probe": 4000, "manner": 4000}  # of games, unless --games is given
OF_VALUES = 40  # pairs of a value of --vary that are looked into, unless --sample is given
REPEATED = {  # what decides the figures
    "": ("precision", "a", "b", "fork", "seat", "games", "sample", "bots", "seed"),
    "vary": ("vary", "games", "sample", "bots", "seed"),
    "probe": ("probe", "games", "bots", "seed"),
    "manner": ("manner", "games", "bots", "seed"),
    "tune": ("vary", "games", "bots", "seed"),
}
PALE = "Pale bars aren't certain, for all values together. ± is the half-width of the 95 % confidence interval."
OTHER_CHANGES = "vary", "probe", "manner"


def run(arguments: argparse.Namespace, _catalogue: Catalogue) -> CommandResult:
    """Measure with a progress bar; after an interrupt the result is what was done until then."""
    command_line.check_engine(arguments)
    change = next((name for name in OTHER_CHANGES if name in arguments.given), "")
    if change:
        arguments.games = arguments.games or PAIRS[change]
        arguments.sample = min(arguments.sample or OF_VALUES, arguments.games)  # of them
    study = {"": variants_compared, "vary": options_varied}.get(change, ways_measured)(arguments)

    def show() -> None:
        print_study(study)
        if change in ("", "vary"):  # the others' page has no more
            where_the_rest_is(arguments, ENGLISH)

    again = command(arguments, change, study.setup.game.players)
    return CommandResult(ENGLISH, show, study.data, lambda: study.page(again), study.interrupted)


def variants_compared(arguments: argparse.Namespace) -> EffectStudy:
    """The comparison of two variants; raises BadOption where they are the same."""
    usual = command_line.usual_game(arguments)
    typed = [
        command_line.parsed_options([*arguments.option, *pairs], usual.name) for pairs in (arguments.a, arguments.b)
    ]
    fork = usual if arguments.fork is None else game(arguments.fork)
    check_same_moves(usual, fork)
    a, b = (
        side.variant(arguments.players, **command_line.canonical(side.name, options))
        for side, options in zip((usual, fork), typed, strict=True)
    )
    setup, precision = command_line.chosen_setup(a, arguments), arguments.precision / 100
    bots = list(setup.seated)
    for number, name in command_line.parsed_options(arguments.seat).items():
        seat = command_line.chosen_seat(int(number) if number.isdecimal() else 0, a.players)
        bots[seat or 0] = bot_names.stored(name)
    if a == b and bots == list(setup.seated):
        trial = next(iter(trials(a)), None)
        example = f"--b {trial.change}" if trial else "--seat 1=easy"
        text = _("Both variants are the same ({what}): change something, such as {example}; or use --vary or --probe.")
        raise BadOption(say(text, what=" ".join(changed_options(a)) or "as usual", example=example))
    check_bots(b, bots)
    with ticking(a.name) as tick:
        tell_cost(ENGLISH, setup, 2 * arguments.games if arguments.games else None)
        settings: dict[str, Any] = {"precision": precision, "most": arguments.games or PAIRS[""]}
        with command_line.playing(arguments) as source:
            progress = functools.partial(tick, "pairs of games")
            comparison = compare(setup, b, bots=bots, **settings, source=source, progress=progress)
        messages = labels(comparison, functools.partial(tick, "names of moves"))
        try:
            looks = look_into(comparison, arguments.sample or 0, lambda done: tick("games looked into", done, None))
        except KeyboardInterrupt:
            looks, comparison.interrupted = (), True
        return compared(comparison, messages, precision, looks, arguments.games)


def options_varied(arguments: argparse.Namespace) -> EffectStudy:
    """The effects of the other values of each option, one at a time."""
    game = command_line.chosen_game(arguments)
    planned, setup, interrupted = trials(game, arguments.vary), command_line.chosen_setup(game, arguments), False
    file = EffectFile(arguments.resume, setup, arguments.games, arguments.sample)
    unplayed = [trial for trial in planned if trial.change not in file.effects]
    games, of_each = (1 + len(unplayed)) * arguments.games, arguments.games + arguments.sample
    with ticking(game.name) as tick:
        tell_cost(ENGLISH, setup, games)
        with command_line.playing(arguments) as source:
            sweeper = Sweeper(setup, arguments.games, arguments.sample, source)
            try:
                for effect in sweeper.sweep(
                    unplayed, len(planned), lambda n: tick("games", n, of_each * len(unplayed))
                ):
                    file.add(effect)
            except KeyboardInterrupt:
                interrupted = True
    effects = [file.effects[trial.change] for trial in planned if trial.change in file.effects]
    return swept(setup, arguments.games, arguments.sample, effects, len(planned), interrupted=interrupted)


def ways_measured(arguments: argparse.Namespace) -> EffectStudy:
    """The effects of ways of playing, each forced on a bot by one line, or put on it as a manner."""
    game, manners = command_line.chosen_game(arguments), "manner" in arguments.given
    setup, interrupted = command_line.chosen_setup(game, arguments), False
    if manners:
        names = arguments.manner or [manner.name for manner in game.definition.hints.STUDY.manners]
        probes = [probe_of(game, levels.manner_named(game, name).name) for name in names]
    else:
        probes = chosen(game, arguments.probe)
        check(setup)
    file, study = EffectFile(arguments.resume, setup, arguments.games), study_manners if manners else study_probes
    missing = [probe for probe in probes if probe.key not in file.effects]
    games = arguments.games * (1 + len(missing))
    with ticking(game.name) as tick:
        try:
            for measured in (
                study(setup, missing, arguments.games, lambda n: tick("games", n, games)) if missing else ()
            ):
                file.add(measured)
        except KeyboardInterrupt:
            if not file.effects:
                raise
            interrupted = True
    effects = [effect for probe in probes if isinstance(effect := file.effects.get(probe.key), Effect)]
    return probed(setup, arguments.games, effects, interrupted=interrupted)


# --- hexdeck tune -----------------------------------------------------------------------------------------------------
def tune(arguments: argparse.Namespace, _catalogue: Catalogue) -> CommandResult:
    """Race the rule sets, and show those that come nearest to what is wanted."""
    from hexdeck.lab import tuning

    if not arguments.want:
        raise BadOption(say("Say what you want of the game, such as --want {aim}.", aim='"seats within 1"'))
    aims, game = [tuning.Aim.read(typed) for typed in arguments.want], command_line.chosen_game(arguments)
    setup = command_line.chosen_setup(game, arguments)
    with ticking(game.name) as tick:
        race = tuning.tune(setup, aims, arguments.vary, arguments.games, lambda done: tick("rule sets", done, None))
    study = tuning.tuned(race)
    again = command(arguments, "tune", game.players)
    return CommandResult(ENGLISH, lambda: print_study(study), study.data, lambda: study.page(again), study.interrupted)


def print_study(study: EffectStudy) -> None:
    """Print what was played, the findings, and each table, as a chart where it has one."""
    console = make_console()
    console.print(study.title, style="bold")
    for bullet, lines in ("", study.about), (" • ", study.findings):
        for line in lines:
            console.print(bullet + unbroken(line), highlight=False, markup=False)
    for section in study.tables:
        if section.id not in study.bars:
            show_table(console, section)
        elif bars := study.bars[section.id]:
            console.print(f"\n{section.title}", style="bold", highlight=False)
            for row in tornado_lines(bars, console.width, fancy=is_fancy(sys.stdout.encoding)):
                console.print(row, highlight=False, markup=False, soft_wrap=True)
    if study.bars:
        console.print(unbroken(PALE), style="dim", highlight=False)


def command(arguments: argparse.Namespace, change: str, players: int) -> str:
    """The command that makes the same study again."""
    values = vars(arguments) | {"bots": [*map(bot_names.spoken, arguments.bots)]}
    found = path_options(arguments.game, values.get("fork") or "")
    parts = ["hexdeck", *found, "tune" if change == "tune" else "compare", arguments.game, "--players", players]
    again = ("option", arguments.option), ("want", values.get("want", []))
    parts += [word for name, pairs in again for pair in pairs for word in (f"--{name}", pair)]
    for name in REPEATED[change]:
        value = values[name]
        if value is not None and (value != [] or name in arguments.given):
            parts += [f"--{name}", *(value if isinstance(value, list) else [value])]
    return shlex.join(map(str, parts))
