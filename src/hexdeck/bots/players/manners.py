"""Manners of the levels: which ones there are, and what was measured of them.

`manners.json` in a game's folder holds contests by number of players, measured by `research.rating.manner_study`: a
level with a manner alone among bots of that level without one. A manner is offered for a level where it was measured of
the bot that the level is now, shows, and keeps its strength (see `keeps_strength`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hexdeck.bots.players import levels
from hexdeck.bots.players.levels import CALIBRATION, LEVELS, TITLES, levels_of
from hexdeck.engine.discovery.manner import Manner
from hexdeck.engine.errors import BadOption
from hexdeck.engine.number_words import number
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, say

MANNER_TITLES = {"bold": say("bold"), "careful": say("careful"), "sly": say("sly")}
NOTICED = 0.1  # as a part of how often a bot does something anyway
TOLD_AS_MULTIPLE = 1.5
LEAST = 200  # deals that a manner is measured on before it is offered


def manner_named(game: GameSetup, name: str) -> Manner:
    """A game's manner by name; raises BadOption where there is none."""
    known: dict[str, Manner] = {each.name: each for each in game.definition.hints.STYLES.manners}
    if name not in known:
        there = ", ".join(known) or "–"
        raise BadOption(say("In {game} there is no manner {name}; there are {there}.",
                            game=game.name, name=name, there=there))  # fmt: skip
    return known[name]


def manners_file(game: GameSetup) -> Path:
    """The file with what was measured of a game's manners."""
    return game.definition.folder / "manners.json"


def measured(game: GameSetup, level: str, manner: str) -> dict[str, Any] | None:
    """What was measured of a level with a manner, both as they are now; None if nothing was, or with other options."""
    if dict(game.options) != levels.measured_options(game) and not levels.is_as_at_tables(game):
        return None
    rows = levels.read(manners_file(game)).get("measured", {}).get(str(game.players), {}).get("contests", [])
    one, now = f"{level}:{manner}", {"bot": f"{levels_of(game).get(level)}:{manner}", **tilts(game, manner)}
    return next((row for row in rows if row["one"] == one and now.items() <= row.items()), None)


def tilts(game: GameSetup, name: str) -> dict[str, Any]:
    """What a manner is, as measurements of it keep it."""
    manner = manner_named(game, name)
    return {"line": manner.line, "logit": manner.logit, "gives_up": manner.utility}


def shows(found: dict[str, Any]) -> bool:
    """Whether a manner surely changes something, and enough to be noticed."""
    if found["times"] is None:
        return False
    times, half = found["times"]
    return bool(abs(times - 1) > max(half, NOTICED))


def keeps_strength(game: GameSetup, found: dict[str, Any]) -> bool:
    """Whether a level with a manner is as strong as without, as far as was measured.

    Alone among bots without it, its gain isn't told apart from 0, and the 95 % interval ends nearer to 0 than halfway
    to what the level gains among bots of the level below.
    """
    level, below = found["others"], (CALIBRATION, *LEVELS)[LEVELS.index(found["others"])]
    rows = levels.data(game).get("measured", {}).get(str(game.players), {}).get("contests", [])
    step = next((row["gain"][0] for row in rows if (row["one"], row["others"]) == (level, below)), 0.0)
    gain, half = levels.interval(found, "gain")
    return abs(gain) <= half and abs(gain) + half <= step / 2


def manners_of(game: GameSetup, level: str) -> list[str]:
    """The manners that a level can be given: those that were measured, show, and keep its strength."""
    out = []
    for each in game.definition.hints.STYLES.manners:
        found = measured(game, level, each.name)
        if found and found["groups"] >= LEAST and shows(found) and keeps_strength(game, found):
            out.append(each.name)
    return out


def manner_title(level: str, manner: str) -> Text:
    """A level with a manner by name, such as “Hard, bold”."""
    return say("{level}, {manner}", level=TITLES[level], manner=MANNER_TITLES[manner])


def manner_label(game: GameSetup, level: str, manner: str) -> Text:
    """What a menu says of a level with a manner: its name, and how it is known, by what was measured."""
    found, title = measured(game, level, manner), manner_title(level, manner)
    if found is None:
        return title
    phrase = say(manner_named(game, manner).phrase, often=often(found["times"][0]))
    if not levels.is_as_at_tables(game):
        return say("{level}: {share}", level=title, share=phrase)
    return say("{level}: {share}, with {options}", level=title, share=phrase, options=levels.replaced_options(game))


def choices(game: GameSetup) -> dict[str, Text]:
    """All that a menu offers for a seat, each with its label: the levels, each followed by its manners."""
    out = {}
    for level in levels_of(game):
        out[level] = levels.label(game, level)
        out |= {f"{level}:{manner}": manner_label(game, level, manner) for manner in manners_of(game, level)}
    return out


def company(game: GameSetup, level: str, bots: int) -> list[str]:
    """So many bots of a level at a table: one without a manner, then one with each that there is, and round again."""
    different = [level, *(f"{level}:{manner}" for manner in manners_of(game, level))]
    return [different[k % len(different)] for k in range(bots)]


def often(times: float) -> Text:
    """How much more or less often: as a percentage, or as a multiple from half as often again."""
    if times >= TOLD_AS_MULTIPLE:
        return say("{times} times as often", times=number(times, 1))
    percent = number(abs(100 * (times - 1)), 0)
    if times >= 1:
        return say("{percent}\u00a0% more often", percent=percent)
    return say("{percent}\u00a0% less often", percent=percent)
