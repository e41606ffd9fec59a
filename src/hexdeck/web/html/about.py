"""What pages say of a game: names, players, options, rulings. All of it comes from the game's own folder."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.definition import definition, playable, preset, wrong_with
from hexdeck.engine.discovery.finding import places
from hexdeck.engine.discovery.rulebook import match_length, passages
from hexdeck.engine.options import Choice, Deck, Number, Numbers, Option, Seats, Switch
from hexdeck.engine.text import Catalogue, Text, say


@dataclass(frozen=True)
class GameInfo:
    """A game in the words of a language; `learn`: it has a coach, so it can be learned by playing."""

    name: str
    title: str
    tagline: str
    about: str
    credit: str
    players: str
    length: str
    low: int
    high: int
    learn: bool = False


@dataclass(frozen=True)
class OptionField:
    """An option as a field of a form: `values` to choose from, else a number from `low` to `high`, else text.

    `rare`: it stands for no ruling, or for what the cards are; rare fields come last.
    """

    name: str
    about: str
    allowed: str
    rule: str
    value: str
    values: tuple[tuple[str, str], ...] = ()
    low: int | None = None
    high: int | None = None
    rulings: tuple[str, ...] = ()
    rare: bool = False


@functools.cache
def game_info(name: str, lang: str) -> GameInfo:
    """A game in a language."""
    game, words = definition(name), game_words(name, lang).words
    table, (low, high) = game.table, game.rules.PLAYERS
    return GameInfo(
        name, words(table.TITLE), words(table.ABOUT.tagline), words(table.ABOUT.text),
        " ".join(map(words, game.credits)),
        words(say("{low} to {high} players", low=low, high=high)),
        words(match_length(table.ABOUT.minutes)) if table.ABOUT.minutes else "", low, high,
        game.coach is not None,
    )  # fmt: skip


def all_games(lang: str) -> list[GameInfo]:
    """All games that work."""
    return [game_info(name, lang) for name in playable()]


def broken_games(words: Catalogue) -> list[str]:
    """What is wrong with each game from outside that doesn't work, without the path of its folder."""
    found = [wrong_with(name) for name, place in places().items() if not place.own]
    return [words.words(without_paths(wrong)) for wrong in found if wrong]


def without_paths(text: Text) -> Text:
    """What is said of a broken game, without the paths of the server's folders: its files begin with the game's own."""
    return replace(text, args={name: _without_paths(value) for name, value in text.args.items()})


def _without_paths(value: Any) -> Any:
    if isinstance(value, Text):
        return without_paths(value)
    if isinstance(value, str):
        for place in places().values():
            value = value.replace(f"{place.folder.parent}{os.sep}", "")
    return value


def option_fields(name: str, lang: str, given: Mapping[str, str]) -> list[OptionField]:
    """The options of a game, with what was given, else as they are at tables; the rare ones last."""
    fields = [option_field(name, option, lang, given) for option in definition(name).rules.OPTIONS]
    return sorted(fields, key=lambda field: field.rare)


def option_field(name: str, option: Option, lang: str, given: Mapping[str, str]) -> OptionField:
    """One option, with the ruling it stands for."""
    words = game_words(name, lang).words
    usual = option.spell(preset(name).get(option.name, option.default))
    values: tuple[tuple[str, str], ...] = ()
    low, high = (option.low, option.high) if isinstance(option, Number) else (None, None)
    if isinstance(option, Choice):
        named = definition(name).table.WORDS
        values = tuple((each, words(named[each])) for each in option.values)
    if isinstance(option, Switch):
        values = ("on", words(say("on"))), ("off", words(say("off")))
    rulings = passages(name, lang, option.rule) if option.rule else []
    return OptionField(
        option.name, words(option.about), "" if values else words(option.typeable()), option.rule,
        given.get(f"option-{option.name}", usual), values,
        low, high, tuple(rulings), not option.rule or isinstance(option, (Deck, Numbers, Seats)),
    )  # fmt: skip
