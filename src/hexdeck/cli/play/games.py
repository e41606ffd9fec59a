"""`hexdeck games`: all games with their options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import spoken
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.output import wrapped
from hexdeck.cli.parser import add_json, whole_name
from hexdeck.engine.text import Catalogue, Text, say

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

ABOUT = say("list the games, their players, bots and options")
EXAMPLES = "hexdeck games", "hexdeck games hawthorn", "hexdeck games --json"


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck games [GAME] [--json [FILE]]`."""
    about = say("only this game, with the measured strength of its bots (default: all games)")
    parser.add_argument("game", nargs="?", type=whole_name, metavar=t(say("GAME")), help=t(about))
    add_json(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Print the list, or give it as data."""
    from hexdeck.engine.discovery.finding import find_game, game_names
    from hexdeck.simulation.game import game

    check_figures(arguments)
    names = [find_game(arguments.game)] if arguments.game else game_names()
    if arguments.json is not None:
        give(head("games") | {"games": [data(name, words) for name in names]}, arguments, words)
    if alone(arguments):
        return 0
    if arguments.game:
        usual = game(names[0])
        print("\n".join([*described(usual, words), *strengths(each_number(usual), words)]))
    else:
        print("\n\n".join("\n".join(described_or_not(name, words)) for name in names))
    return 0


def each_number(usual: Game) -> list[Game]:
    """A game with each number of players."""
    low, high = usual.rules.PLAYERS
    return [usual.variant(players) for players in range(low, high + 1)]


def data(name: str, words: Catalogue) -> dict[str, Any]:
    """A game as data: its players, bots and options, and what was measured of its levels, by number of players."""
    from hexdeck.bots.players.manners import choices
    from hexdeck.bots.players.named import bots_of
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.discovery.definition import presets, wrong_with
    from hexdeck.engine.discovery.sizes import size_names
    from hexdeck.simulation.game import game

    if wrong := wrong_with(name):
        return {"name": name, "wrong": words.words(wrong)}
    usual, t = game(name), game_words(name, words.lang).words
    levels = {str(each.players): {name: t(label) for name, label in choices(each).items()}
              for each in each_number(usual)}  # fmt: skip
    return {
        "name": name, "title": t(usual.table.ABOUT.title), "about": t(usual.table.ABOUT.text),
        "players": [*usual.rules.PLAYERS],
        "bots": bots_of(usual), "sizes": [*size_names(name)],
        "presets": [{"name": each.name, "title": t(each.title), "about": t(each.about), "options": dict(each.options)}
                    for each in presets(name)],
        "options": [option_data(option, usual, t) for option in usual.rules.OPTIONS],
        "levels": levels,
    }  # fmt: skip


def option_data(option: Any, game: Game, t: Any) -> dict[str, Any]:
    """An option as data, with its values as they are typed."""
    from hexdeck.engine.discovery.definition import preset

    at_tables = preset(game.name).options.get(option.name, option.default)
    return {
        "name": option.name, "default": option.spell(option.default), "at_tables": option.spell(at_tables),
        "rule": option.rule, "about": t(option.about), "allowed": t(option.typeable()),
    }  # fmt: skip


def described_or_not(name: str, words: Catalogue) -> list[str]:
    """A game with its levels, or what is wrong with its files; the others are listed all the same."""
    from hexdeck.engine.discovery.definition import wrong_with
    from hexdeck.simulation.game import game

    wrong = wrong_with(name)
    if wrong:
        return [words.words(say("{game} · broken", game=name)), *wrapped(words.words(wrong), "  ")]
    usual = game(name)
    return [*described(usual, words), *strengths([usual], words)]


def described(game: Game, words: Catalogue) -> list[str]:
    """A game in a few lines: its players, makers, bots and options."""
    from hexdeck.bots.players.named import bots_of
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.discovery.definition import preset, presets
    from hexdeck.engine.discovery.sizes import size_names

    table, at_tables = game.definition.table, preset(game.name).options
    t = game_words(game.name, words.lang).words
    low, high = game.rules.PLAYERS
    players = t(say("{low} to {high} players", low=low, high=high))
    lines = [f"{game.name} · {players}", *wrapped(t(table.ABOUT.text), "  ")]
    for credit in game.definition.credits:
        lines += wrapped(t(credit), "  ")
    lines += wrapped(t(say("Bots: {names}.", names=", ".join(sorted(map(spoken, bots_of(game)))))), "  ")
    lines += wrapped(t(say("Sizes: {names}.", names=", ".join(size_names(game.name)))), "  ")
    for each in presets(game.name):
        lines += wrapped(f"{each.name}: {t(each.title)}. {t(each.about)}", "    ", "  --preset ")
    for option in game.rules.OPTIONS:
        line = option_line(option, t)
        if option.name in at_tables:
            line = t(say("{option}; at tables {value}", option=line, value=option.spell(at_tables[option.name])))
        lines += wrapped(line, "    ", "  --option ")
    return lines


def strengths(games: Iterable[Game], words: Catalogue) -> list[str]:
    """How well the levels play, for a game at several numbers of players."""
    from hexdeck.bots.players.manners import choices
    from hexdeck.engine.discovery.catalogues import game_words

    lines: list[str] = []
    for game in games:
        t = game_words(game.name, words.lang).words
        labels = choices(game)
        if labels:
            lines.append("  " + t(say("{players} players:", players=game.players)))
        for name, label in labels.items():
            lines += wrapped(t(label), "      ", f"    --bots {spoken(name)}: ")
    return lines


def option_line(option: Any, t: Any) -> str:
    """An option: its name and default, what it is about, what it takes."""
    rule = f" [{option.rule}]" if option.rule else ""
    allowed: Text = option.typeable()
    line = f"{option.name}={option.spell(option.default)}{rule}: {t(option.about)} ({t(allowed)})"
    return t(say("{option}; it switches on {other}", option=line, other=option.needs[0])) if option.needs else line
