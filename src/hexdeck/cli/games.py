"""Commands about games: `hexdeck games`, `rules`, `print`, `puzzles`; `game new`, `fork` and `check` for your own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.bot_names import spoken
from hexdeck.cli.command_line import canonical, parsed_options
from hexdeck.cli.output import CommandResult, head, make_console, tell, wrapped, write_file
from hexdeck.engine.errors import BadOption, one_of
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

PARTS = "rules", "cards", "board", "scores"


# --- hexdeck games ----------------------------------------------------------------------------------------------------
def games(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """List the games, or describe one; one with broken files is listed with what is wrong with them."""
    from hexdeck.engine.discovery.definition import soonest_learned, wrong_with
    from hexdeck.engine.discovery.finding import find_game, game_names
    from hexdeck.simulation.game import game

    def allows(name: str, players: int) -> bool:
        low, high = (1, 0) if wrong_with(name) else game(name).rules.PLAYERS
        return low <= players <= high

    names = [find_game(arguments.game)] if arguments.game else list(dict.fromkeys([*soonest_learned(), *game_names()]))
    if arguments.players:
        names = [name for name in names if allows(name, arguments.players)] or names

    def show() -> None:
        if arguments.game:
            usual = game(names[0], arguments.players)
            print("\n".join(described(usual, catalogue)))
            return
        for name in names:
            if wrong := wrong_with(name):
                print(
                    catalogue.words(say("{game} · broken", game=name)), *wrapped(catalogue.words(wrong), "  "), sep="\n"
                )
            else:
                print(game_line(game(name, arguments.players).name, catalogue))
        print("", catalogue.words(say("hexdeck games GAME lists the bots and options of one.")), sep="\n")

    return CommandResult(catalogue, show, lambda: head("games") | {"games": [data(name, catalogue) for name in names]})


def game_line(name: str, catalogue: Catalogue) -> str:
    """A game in a line: its name, how many play, and what it is."""
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.discovery.finding import game_words

    low, high = definition(name).rules.PLAYERS
    about = game_words(name, catalogue.lang).words(definition(name).table.ABOUT.tagline)
    return f"{name:<17}{f'{low}–{high}':<6}{about}"


def data(name: str, catalogue: Catalogue) -> dict[str, Any]:
    """A game as data: its players, bots and options, and what was measured of its levels, by number of players."""
    from hexdeck.bots.players.levels import choices
    from hexdeck.bots.players.roster import bots_of
    from hexdeck.engine.discovery.definition import preset, presets, wrong_with
    from hexdeck.engine.discovery.finding import game_words, size_names
    from hexdeck.simulation.game import game

    if wrong := wrong_with(name):
        return {"name": name, "wrong": catalogue.words(wrong)}
    usual, t, at_tables = game(name), game_words(name, catalogue.lang).words, preset(name).options
    low, high = usual.rules.PLAYERS
    levels = {
        str(players): {name: t(label) for name, label in choices(usual.variant(players)).items()}
        for players in range(low, high + 1)
    }
    return {
        "name": name,
        "title": t(usual.table.ABOUT.title),
        "about": t(usual.table.ABOUT.text),
        "players": [low, high],
        "bots": bots_of(usual),
        "sizes": [*size_names(name)],
        "presets": [
            {"name": entry.name, "title": t(entry.title), "about": t(entry.about), "options": dict(entry.options)}
            for entry in presets(name)
        ],
        "options": [
            {
                "name": option.name,
                "default": option.spell(option.default),
                "at_tables": option.spell(at_tables.get(option.name, option.default)),
                "rule": option.rule,
                "about": t(option.about),
                "allowed": t(option.typeable()),
            }
            for option in usual.rules.OPTIONS
        ],
        "levels": levels,
    }


def described(game: Game, catalogue: Catalogue) -> list[str]:
    """A game in a few lines: its players, makers, levels and options, and last what is for study."""
    from hexdeck.bots.players.roster import bots_of
    from hexdeck.engine.discovery.definition import preset, presets
    from hexdeck.engine.discovery.finding import game_words, size_names

    table, at_tables = game.definition.table, preset(game.name).options
    t = game_words(game.name, catalogue.lang).words
    low, high = game.rules.PLAYERS
    players = t(say("{low} to {high} players", low=low, high=high))
    lines = [f"{game.name} · {players}", *wrapped(t(table.ABOUT.text), "  ")]
    for credit in game.definition.credits:
        lines += wrapped(t(credit), "  ")
    lines += strengths(game, catalogue)
    for entry in presets(game.name):
        lines += wrapped(f"{entry.name}: {t(entry.title)}. {t(entry.about)}", "    ", "  --preset ")
    for option in game.rules.OPTIONS:
        value, simulated = at_tables.get(option.name, option.default), option.spell(option.default)
        line = option_line(option, value, t)
        if value != option.default:
            line = t(say("{option}; in simulations {value}", option=line, value=simulated))
        lines += wrapped(line, "    ", "  --option ")
    lines.append("  " + t(say("For study:")))
    lines += wrapped(t(say("Bots: {names}.", names=", ".join(sorted(map(spoken, bots_of(game)))))), "    ")
    bots = _("house plays by rules of thumb, random by lot; rollout and search think ahead, as in search:500.")
    lines += wrapped(t(say(bots)), "    ")
    study = game.definition.hints.STUDY
    for option, ways in (("--probe", study.probes), ("--manner", study.manners)):
        names = ", ".join(way.name for way in ways)
        text = say("Ways of playing, for {option}: {names}.", option=option, names=names)
        lines += wrapped(t(text), "    ") if ways else []
    return [*lines, *wrapped(t(say("Sizes: {names}.", names=", ".join(size_names(game.name)))), "    ")]


def strengths(game: Game, catalogue: Catalogue) -> list[str]:
    """How well the levels play, with so many players."""
    from hexdeck.bots.players.levels import choices
    from hexdeck.engine.discovery.finding import game_words

    t, labels = game_words(game.name, catalogue.lang).words, choices(game)
    lines = ["  " + t(say("{players} players:", players=game.players))] if labels else []
    for name, label in labels.items():
        lines += wrapped(t(label), "      ", f"    --bots {spoken(name)}: ")
    return lines


def option_line(option: Any, value: Any, t: Any) -> str:
    """An option: its name and what it is at tables, what it is about, what it takes."""
    allowed = t(option.typeable())
    line = f"{option.name}={option.spell(value)}: {t(option.about)}"
    line += f": {allowed}" if option.choices() else f" ({allowed})"
    return t(say("{option}; it switches on {other}", option=line, other=option.needs[0])) if option.needs else line


# --- hexdeck rules, hexdeck print, hexdeck puzzles --------------------------------------------------------------------
def rules(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Print the rules, or the example: screen by screen at a terminal, through a pipe all steps in a row."""
    from rich.console import Console

    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.discovery.finding import find_game, game_words
    from hexdeck.engine.rulebook import CODE, steps
    from hexdeck.terminal.rulebook import show_rules, tell_example, walk_example
    from hexdeck.terminal.screen import Screen

    name = find_game(arguments.game)
    if not arguments.example:
        show_rules(make_console(), name, catalogue.lang, arguments.codes)
        return 0
    screens = steps(name, catalogue.lang)
    if not screens:
        raise BadOption(say("This game has no example to step through."))
    if not arguments.codes:
        screens = [replace(step, passage=CODE.sub("", step.passage)) for step in screens]
    console = Console(highlight=False, markup=False, emoji=False)
    own = game_words(name, catalogue.lang, screens[0].view.names)
    screen = Screen.of(console, own, definition(name).table.ABOUT.title)
    at_terminal = sys.stdin.isatty() and console.is_terminal
    (walk_example if at_terminal else tell_example)(console, screen, screens)
    return 0


def print_game(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Make the PDF, and say where it is."""
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.simulation.game import game
    from hexdeck.web.paper import document, has_parts

    name = find_game(arguments.game)
    variant = game(name, arguments.players, **canonical(name, parsed_options(arguments.option, name)))
    for part in set(arguments.part or ()) - has_parts(name):
        raise BadOption(say("--part can't be {part}: {game} has none.", part=part, game=name))
    target = arguments.file or Path(f"{name}.pdf")
    if target.suffix.lower() != ".pdf":
        raise BadOption(say("{file} would be a PDF: end its name in .pdf.", file=str(target)))
    parts = tuple(arguments.part or PARTS)
    write_file(document(name, catalogue.lang, arguments.paper, parts, variant), catalogue, target)
    text = say(
        "Print it at full size (100 %), on both sides of the paper; thick paper is best for cards, or thin paper in "
        "sleeves."
    )
    tell(catalogue.words(text))
    return 0


def puzzles(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Let the person solve puzzles."""
    from hexdeck.puzzles import load, shipped
    from hexdeck.terminal.rulebook import solve

    collection = load(arguments.file, arguments.game) if arguments.file else shipped(arguments.game)
    chosen = [puzzle for puzzle in collection.puzzles if arguments.players in (None, puzzle.players)]
    if not chosen:
        if not collection.puzzles:
            raise BadOption(say("There are no puzzles of {game}.", game=collection.game))
        numbers = one_of(sorted({puzzle.players for puzzle in collection.puzzles}))
        text = _("The puzzles of {game} are for {numbers} players, not {players}.")
        raise BadOption(say(text, game=collection.game, numbers=numbers, players=arguments.players))
    return solve(chosen, catalogue)


# --- hexdeck game new, fork, check -----------------------------------------------------------------------------------
def new(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Write the game, and say what to do next."""
    from hexdeck.authoring import new_game

    return next_steps(new_game(arguments.name, arguments.folder), arguments.name, catalogue)


def fork(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Write the fork, and say what to do next."""
    from hexdeck.authoring import fork_game
    from hexdeck.engine.discovery.finding import find_game

    return next_steps(fork_game(find_game(arguments.game), arguments.name, arguments.folder), arguments.name, catalogue)


def next_steps(folder: Path, name: str, catalogue: Catalogue) -> int:
    """Say what can be done with a game that was just written."""
    from hexdeck.engine.discovery.finding import name_of

    text = _("The game {name} is in {folder}: rules.py says how it is played, table.py what is seen. Try it:")
    tell(catalogue.words(say(text, name=name_of(name), folder=str(folder))))
    for command in ("play {name}", "serve", "simulate {name}", "game check {name}"):
        print(f"  hexdeck --game-path {folder} {command.format(name=name_of(name))}")
    print(f"  pytest {folder}")
    return 0


def check(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Print each level as it is checked; returns 1 where the game doesn't even play as it should."""
    from hexdeck.authoring import CHECKLIST, progress
    from hexdeck.engine.discovery.finding import find_game

    name, reached, going = find_game(arguments.game), "", True
    for level, about, answers in progress(name):
        missing = [answer for answer in answers if answer.wrong]
        going = going and not missing
        reached = level if going else reached
        print(f"{level}: {catalogue.words(about)}")
        for answer in answers:
            need = f"{answer.need.what}: {catalogue.words(answer.need.why)}"
            wrong = "" if answer.wrong in ("", "missing") else f" – {answer.wrong}"
            mark = "ok" if not answer.wrong else "missing" if answer.wrong == "missing" else "FAILS"
            print(*wrapped(f"{need}{wrong}", " " * 12, f"  {mark:<10}"), sep="\n", flush=True)
    print(catalogue.words(say("Before it is published, see for yourself:")))
    for item in CHECKLIST:
        print(*wrapped(catalogue.words(item), "    ", "  – "), sep="\n")
    failing = say("{game} doesn't play as it should yet.", game=name)
    print(catalogue.words(say("{game}: {level}.", game=name, level=reached) if reached else failing))
    return 0 if reached else 1
