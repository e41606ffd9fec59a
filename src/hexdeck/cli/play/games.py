"""`hexdeck games`: all games with their options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from hexdeck.cli.output import wrapped
from hexdeck.engine.text import Catalogue, Text, say

ABOUT = say("list the games, their options and designers")


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck games [GAME]`."""
    parser.add_argument("game", nargs="?", metavar=told(say("GAME")), help=told(say("only this game")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Print the list."""
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.discovery.finding import find_game, game_names

    if arguments.game:
        name = find_game(arguments.game)
        low, high = definition(name).rules.PLAYERS
        print("\n".join([described(name, words), *strengths(name, words, range(low, high + 1))]))
    else:
        print("\n\n".join(described_or_not(name, words) for name in game_names()))
    return 0


def described_or_not(name: str, words: Catalogue) -> str:
    """A game, or what is wrong with its files: the others are listed all the same."""
    from hexdeck.engine.discovery.definition import wrong_with
    from hexdeck.simulation.game import game

    wrong = wrong_with(name)
    if wrong:
        broken = say("{game} · broken", game=name)
        return "\n".join([words.words(broken), *wrapped(words.words(wrong), "  ")])
    return "\n".join([described(name, words), *strengths(name, words, [game(name).players])])


def described(name: str, words: Catalogue) -> str:
    """A game in a few lines."""
    from hexdeck.bots.players.named import bots_of
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.discovery.definition import definition, preset
    from hexdeck.simulation.game import game

    rules, table = definition(name).rules, definition(name).table
    t = game_words(name, words.lang).words
    low, high = rules.PLAYERS
    players = t(say("{low} to {high} players", low=low, high=high))
    lines = [f"{name} · {players}", *wrapped(t(table.ABOUT), "  ")]
    for credit in definition(name).credits:
        lines += wrapped(t(credit), "  ")
    lines += wrapped(t(say("Bots: {names}.", names=", ".join(bots_of(game(name))))), "  ")
    for option in rules.OPTIONS:
        told, presets = option_line(option, t), preset(name)
        if option.name in presets:
            told = t(say("{option}; at tables {value}", option=told, value=typed(presets[option.name], t)))
        lines += wrapped(told, "    ", "  --option ")
    return "\n".join(lines)


def strengths(name: str, words: Catalogue, counts: Iterable[int]) -> list[str]:
    """What was measured of the levels, at these numbers of players."""
    from hexdeck.bots.players.levels import label, levels_of
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.simulation.game import game

    t, lines = game_words(name, words.lang).words, []
    for players in counts:
        table = game(name, players)
        if levels_of(table):
            lines.append("  " + t(say("{players} players:", players=players)))
        for level in levels_of(table):
            lines += wrapped(t(label(table, level)), "      ", f"    --bots {level}: ")
    return lines


def option_line(option: Any, t: Any) -> str:
    """An option: its name and default, what it is about, what it takes."""
    rule = f" [{option.rule}]" if option.rule else ""
    allowed: Text = option.allowed()
    return f"{option.name}={typed(option.default, t)}{rule}: {t(option.about)} ({t(allowed)})"


def typed(value: Any, t: Any) -> str:
    """A value of an option as it is typed, on or off in words."""
    return str(t(say("on") if value else say("off")) if isinstance(value, bool) else value)
