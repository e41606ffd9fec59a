"""What pages say of a game: names, players, options, rulings. All of it comes from the game's own folder."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.discovery.definition import definition, playable, preset, presets, wrong_with
from hexdeck.engine.discovery.finding import game_words, places
from hexdeck.engine.discovery.rulebook import match_length, ruling
from hexdeck.engine.options import GROUPS, THE_CARDS, Choice, Number, Option, Switch
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

    `ruling`: what the rules page says of it. `rare`: it stands for no ruling, or for what the cards are; rare fields
    come last. `usual`: what it is where nobody sets it, in words; `switches_on`: the option that it needs.
    """

    name: str
    about: str
    allowed: str
    rule: str
    value: str
    values: tuple[tuple[str, str], ...] = ()
    low: int | None = None
    high: int | None = None
    ruling: str = ""
    rare: bool = False
    usual: str = ""
    switches_on: str = ""


@dataclass(frozen=True)
class PresetChoice:
    """A preset in the words of a language."""

    name: str
    title: str
    about: str


@functools.cache
def game_info(name: str, lang: str) -> GameInfo:
    """A game in a language."""
    game, translate = definition(name), game_words(name, lang).words
    table, (low, high) = game.table, game.rules.PLAYERS
    return GameInfo(
        name,
        translate(table.ABOUT.title),
        translate(table.ABOUT.tagline),
        translate(table.ABOUT.text),
        " ".join(map(translate, game.credits)),
        translate(say("{low} to {high} players", low=low, high=high)),
        translate(match_length(table.ABOUT.minutes)) if table.ABOUT.minutes else "",
        low,
        high,
        game.coach is not None,
    )


def all_games(lang: str) -> list[GameInfo]:
    """All games that work."""
    return [game_info(name, lang) for name in playable()]


def broken_games(catalogue: Catalogue) -> list[str]:
    """What is wrong with each game from outside that doesn't work, without the path of its folder."""
    faults = [wrong_with(name) for name, folder in places().items() if not folder.own]
    return [catalogue.words(without_paths(wrong)) for wrong in faults if wrong]


def without_paths(text: Text) -> Text:
    """What is said of a broken game, without the paths of the server's folders: its files begin with the game's own."""
    return replace(text, args={name: _without_paths(value) for name, value in text.args.items()})


def _without_paths(value: Any) -> Any:
    if isinstance(value, Text):
        return without_paths(value)
    if isinstance(value, str):
        for source in places().values():
            value = value.replace(f"{source.folder.parent}{os.sep}", "")
    return value


def preset_choices(name: str, lang: str, players: int) -> list[PresetChoice]:
    """The presets of a game that so many can play; the first is the default."""
    translate = game_words(name, lang).words
    return [
        PresetChoice(preset.name, translate(preset.title), translate(preset.about)) for preset in presets(name, players)
    ]


def option_groups(name: str, lang: str, players: int, typed: Mapping[str, str]) -> list[tuple[str, list[OptionField]]]:
    """The options of a game by the groups of a form, with what was given; what is left empty is as in the preset."""
    translate, options = game_words(name, lang).words, definition(name).rules.OPTIONS
    out = []
    for group, title in GROUPS.items():
        fields = [table_field(name, option, lang, players, typed) for option in options if option.shown_in == group]
        out += [(translate(title), fields)] if fields else []
    return out


def table_field(name: str, option: Option, lang: str, players: int, typed: Mapping[str, str]) -> OptionField:
    """One option of a new table, first as the preset has it, or as it is in all of them."""
    translate, field = game_words(name, lang).words, option_field(name, option, lang, typed)
    options = definition(name).rules.OPTIONS
    among = {other.options_for(players).get(option.name, option.default) for other in presets(name, players)}
    varies = len(among) > 1 or any(other.needs and other.needs[0] == option.name for other in options)
    usual = option.spell(option.parse(among.pop()))
    title = translate(say("as chosen above")) if varies else dict(field.values).get(usual, usual)
    needed = next((other.about for other in options if option.needs and other.name == option.needs[0]), None)
    return replace(
        field,
        value=typed.get(f"option-{option.name}", ""),
        usual=title,
        switches_on=translate(needed) if needed else "",
        values=tuple(other for other in field.values if varies or other[0] != usual),
    )


def option_field(name: str, option: Option, lang: str, typed: Mapping[str, str]) -> OptionField:
    """One option, with the ruling it stands for."""
    translate = game_words(name, lang).words
    usual = option.spell(option.parse(preset(name).options.get(option.name, option.default)))
    values: tuple[tuple[str, str], ...] = ()
    low, high = (option.low, option.high) if isinstance(option, Number) else (None, None)
    if isinstance(option, Choice):
        titles = definition(name).table.WORDS
        values = tuple((value, translate(titles[value])) for value in option.values)
    if isinstance(option, Switch):
        values = ("on", translate(say("on"))), ("off", translate(say("off")))
    return OptionField(
        option.name,
        translate(option.about),
        "" if values else translate(option.typeable()),
        option.rule,
        typed.get(f"option-{option.name}", usual),
        values,
        low,
        high,
        ruling(name, lang, option),
        option.shown_in == THE_CARDS,
    )
