"""What a seat knows as text that a language model can play from: rules, what happened, what it sees, its moves."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.errors import NotActing, seat_of
from hexdeck.engine.options import Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.rulebook import PICTURE, STEP, rules_with_tables
from hexdeck.engine.text import Catalogue, say
from hexdeck.engine.view import Move, View, Zone, zone_lines

HISTORY = 200  # lines of what happened, the latest ones
UNTOLD = "history", "draws"  # fields of a struct that a prompt leaves out: a hash of what it tells, a counter
HOW = 'Answer with one of these moves: its number or its text, alone on the last line, or as JSON, such as {"move": 1}.'


@dataclass(frozen=True)
class Prompt:
    """A question to a seat: `rules` and `table` as plain text, and the legal `moves` in the order of their numbers.

    The numbers count from 1. All of it is made from what the seat knows.
    """

    rules: str
    table: str
    moves: tuple[Move, ...]

    @property
    def text(self) -> str:
        """The whole prompt: rules, then the table."""
        return f"{self.rules}\n\n{self.table}" if self.rules else self.table


def prompt_of(match: Match, seat: int, *, rules: bool = True, history: int = HISTORY) -> Prompt:
    """The question to a seat of a match: what it may know, and what it may do.

    `rules`: whether the game's rules stand above. `history`: at most so many lines of what the seat was told, the
    latest ones. Raises NotActing if the seat isn't to move, HexdeckError for a seat that there isn't.
    """
    seat = seat_of(seat, match.game.players)
    if seat not in match.acting:
        raise NotActing(say("Seat {seat} isn't to move now.", seat=seat))
    view = match.view(seat)
    lines = [*table_lines(match, view, history), "", "# Your moves", ""]
    lines += [f"{number}. {move_text(move)}" for number, move in enumerate(view.moves, 1)]
    return Prompt(rules_text(match.game) if rules else "", "\n".join([*lines, "", HOW]), view.moves)


def table_text(match: Match, seat: int, history: int = HISTORY) -> str:
    """What a seat sees and was told, as plain text, on any seat's turn and at the end. Raises HexdeckError."""
    return "\n".join(table_lines(match, match.view(seat_of(seat, match.game.players)), history))


def table_lines(match: Match, view: View, history: int) -> list[str]:
    """What happened and what a seat sees, in lines."""
    catalogue, seat = Catalogue("en", view.folders, view.names), view.seat
    log = [catalogue.words(text) for text in view.log][-history:] if history > 0 else []
    lines = ["# What happened", "", *(log or ["Nothing yet that you know of."]), "", "# What you see", ""]
    title = catalogue.words(match.game.table.ABOUT.title)
    lines.append(f"{title}, {view.players} players: seats 0 to {view.players - 1}. You are seat {seat}.")
    for zone in view.zones:
        owner = "" if zone.seat is None else "You (seat {0}), " if zone.seat == seat else "Seat {0}, "
        first, *details = place_lines(zone, catalogue)
        lines += [owner.format(zone.seat) + first, *details]
    lines += [f"Also known, as the game's own fields: {known_fields(match, seat)}", catalogue.words(view.prompt)]
    outcomes = enumerate(view.outcome_texts)
    return lines + [f"Seat {player}: {catalogue.words(text)}" for player, text in outcomes]


def place_lines(zone: Zone, catalogue: Catalogue) -> list[str]:
    """A place on the table in lines: its cards, a count told apart from them, and what a screen notes beside it."""
    counted_cards = zone.count is not None and (zone.cards or zone.hidden)
    first, *details = zone_lines(replace(zone, count=None) if counted_cards else zone, catalogue)
    return [
        first
        + (f" ({zone.count} in all)" if counted_cards else "")
        + (f" – {catalogue.words(zone.note)}" if zone.note else ""),
        *details,
    ]


def move_text(move: Move) -> str:
    """A move as a prompt lists it: its label and, where that reads otherwise, its name in records."""
    label = str(move.label)
    return label if plain(label) == plain(move.name) else f"{label} [{move.name}]"


def plain(text: str) -> str:
    """A text for comparison: lower case, one space between words, no dots, quotes or stars around it."""
    return " ".join(text.casefold().split()).strip(" .,;:!\"'`*()[]“”‘’")


def rules_text(game: GameSetup) -> str:
    """The rules of a game as plain text, and the options of this game."""
    return f"{printed_rules(game)}\n\n{options_text(game)}"


@functools.lru_cache(256)
def printed_rules(game: GameSetup) -> str:
    """The rules of a game as plain text, without pictures."""
    text = rules_with_tables(game.name, "en")
    text = STEP.sub("", PICTURE.sub(lambda found: found[1], text))
    text = re.sub(r"<!--.*?-->|\[([^\]]*)\]\([^)]*\)", lambda found: found[1] or "", text, flags=re.DOTALL)
    return re.sub(r"\n{3,}", "\n\n", text.strip())


@functools.lru_cache(256)
def options_text(game: GameSetup) -> str:
    """How many play, and all options of this game, with a sentence on each: a deck may not be as printed."""
    catalogue = game_words(game.name, "en")
    lines = [option_line(option, game.options[option.name], catalogue) for option in game.rules.OPTIONS]
    first = f"This match has {game.players} players and these options, which count where the rules say otherwise:"
    return "\n".join([first, *lines]) if lines else f"This match has {game.players} players."


def option_line(option: Option, value: Any, catalogue: Catalogue) -> str:
    """An option, its value, and a sentence on it."""
    line, explained = f"- {option.name}={value}: {catalogue.words(option.about)}", option.explained(value)
    return f"{line} ({catalogue.words(explained)})" if explained else line


def known_fields(match: Match, seat: int) -> str:
    """The fields of the game's struct that aren't as at the start, as the seat knows them: `turn=1 hand.3=2`."""
    fields, start, now = match.game.rules.STRUCT.fields, at_start(match.game, seat), match.concealed(seat)
    lines = []
    for name in match.game.rules.STRUCT.names:
        kind, at = fields[name][:2]
        before, after = (np.frombuffer(world[at : at + kind.itemsize], kind.base) for world in (start, now))
        if name not in UNTOLD:
            indices = np.flatnonzero(before != after).tolist()
            lines += [f"{name}.{k}={after[k]}" if kind.shape else f"{name}={after[k]}" for k in indices]
    return " ".join(lines) or "none"


@functools.lru_cache(256)
def at_start(game: GameSetup, seat: int) -> bytes:
    """The struct of a match before its first event, as a seat knows it."""
    return Match(game, by_hand=True).concealed(seat)


def title_of(game: GameSetup) -> str:
    """The title of a game in English."""
    return game_words(game.name, "en").words(game.table.ABOUT.title)
