"""Levels of play for people: gentle, steady, sharp, best. Which bot each is, and what was measured, is a game's data.

`levels.json` in a game's folder: `levels`, by number of players (or `*`, all others), the bot of each level, or several
of which the first that can play is taken; `measured`, by number of players, the command, which bots the levels were
then, and contests as `contest.Contest.summary` gives them; `one_loser`, whether a match has one loser rather than one
winner; `chips`, whether who plays for long counts chips rather than matches.
"""

from __future__ import annotations

import functools
import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.intervals import margin
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, has_net
from hexdeck.bots.players.solved import is_solved
from hexdeck.engine.discovery.definition import measured_with, preset
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.measure import CHIPS
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, _, say

if TYPE_CHECKING:
    pass

LEVELS = ("gentle", "steady", "sharp", "best")
CALLED = {"gentle": say("Gentle"), "steady": say("Steady"), "sharp": say("Sharp"), "best": say("Best")}
NAMES = {"random": _("random"), "gentle": _("gentle"), "steady": _("steady"), "sharp": _("sharp"), "best": _("best")}
ABOUT = {
    "gentle": say("Gentle: plays in a style of its own, and forgives much"),
    "steady": say("Steady: plays like a sensible person"),
    "sharp": say("Sharp: thinks ahead"),
    "best": say("Best: as well as a computer can in the blink of an eye"),
}


SHARES = {  # by the place that counts, and whether two play
    ("first", True): _("wins {share} % against one {rival} player"),
    ("last", True): _("loses {share} % against one {rival} player"),
    ("first", False): _("wins {share} % at a table of {players} against {n} {rival} players"),
    ("last", False): _("loses {share} % at a table of {players} against {n} {rival} players"),
}
AHEAD = {  # whether two play
    True: _("ends {number} chips (±{margin}) ahead of one {rival} player on average"),
    False: _("ends {number} chips (±{margin}) ahead of {n} {rival} players on average"),
}
ENOUGH = 50  # deals before a share is told to people: fewer say next to nothing
USUAL, CALIBRATION = "steady", "random"  # who plays if nobody is asked for; who stands at the foot of the ladder


def place_of(name: str) -> Path:
    """Where the data of a game's levels are."""
    return game_folder(name) / "levels.json"


@functools.cache
def data(name: str) -> dict[str, Any]:
    """The levels of a game, and what was measured."""
    path = place_of(name)
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"levels": {}}
    return loaded


def levels_of(game: GameSetup) -> dict[str, str]:
    """The bot of each level in a game of so many players, the gentlest first; empty where nothing was measured."""
    kept = data(game.name)["levels"]
    found = {**kept.get("*", {}), **kept.get(str(game.players), {})}
    return {level: first(found[level], game) for level in LEVELS if level in found}


def first(bots: str | list[str], game: GameSetup) -> str:
    """The first of several bots that can play a game with its options; the last one always can."""
    several = [bots] if isinstance(bots, str) else bots
    return next((name for name in several[:-1] if can_play(name, game)), several[-1])


def can_play(name: str, game: GameSetup) -> bool:
    """Whether a game's folder has what such a bot needs, and its nets play well under the game's options."""
    kind = name.partition(":")[0]
    if kind == "solved":
        return is_solved(game)
    if kind == "net":
        return has_net(game) and nets_bear(game)
    thinks_with = [POLICY] * name.startswith("rollout:net") + [MIMIC] * name.startswith("rollout:mimic")
    thinks_with += [DEALS] * ("-deal:" in name)
    return all(has_net(game, net) for net in thinks_with) and (not thinks_with or nets_bear(game))


def nets_bear(game: GameSetup) -> bool:
    """Whether only such options differ from the usual ones as `net_options` lists.

    Nets learned with the usual ones; with other cards even a quick search beats them.
    """
    differ = {name for name, value in measured_with(game.name).items() if game.options[name] != value}
    return differ <= set(data(game.name).get("net_options", ()))


def usual(game: GameSetup) -> str:
    """The bot for a seat that nobody chose a bot for."""
    return USUAL if USUAL in levels_of(game) else "house"


def measured(game: GameSetup, one: str, others: str) -> dict[str, Any] | None:
    """What was measured of one level among others at a table of so many with the usual options, or None."""
    if dict(game.options) != measured_with(game.name):
        return None
    for contest in data(game.name).get("measured", {}).get(str(game.players), {}).get("contests", []):
        if (contest["one"], contest["others"]) == (one, others):
            found: dict[str, Any] = contest
            return found
    return None


def default(game: GameSetup) -> GameSetup:
    """The game with its usual options."""
    return game.usual()


def lacking(game: GameSetup) -> list[tuple[str, str]]:
    """Which level says too little yet among which: not told apart from the one below, or too few deals for a label."""
    out = []
    for below, level in pairwise([CALIBRATION, *levels_of(game)]):
        kept = measured(game, level, below)
        if kept is None or not is_sure(kept):
            out.append((level, below))
        elif share(game, level) is None:
            near = [each for each in dict.fromkeys((USUAL, below)) if each != level and not enough(game, level, each)]
            out += [(level, each) for each in sorted(near, key=lambda each: -deals(game, level, each))[:1]]
    return out


def deals(game: GameSetup, one: str, others: str) -> int:
    """On how many deals one level among others was measured."""
    return int((measured(game, one, others) or {"groups": 0})["groups"])


def label(game: GameSetup, level: str) -> Text:
    """What a menu says of a level: its name, and what was measured, or how it plays where nothing was.

    Where tables have other options than it was measured with (`PRESET`), those of the measurement are told.
    """
    usual = default(game)
    preset_here = game != usual and game == game.at_table(game.name, game.players)
    same = preset_here and levels_of(usual)[level] == levels_of(game)[level]
    shown = share(usual if same else game, level)
    if shown is None:
        return ABOUT[level]
    if not same:
        return say("{level}: {share}", level=CALLED[level], share=shown)
    options = ", ".join(f"{name}={usual.options[name]}" for name in preset(game.name))
    return say("{level}: {share}, with {options}", level=CALLED[level], share=shown, options=options)


def share(game: GameSetup, level: str) -> Text | None:
    """How a level does against a level near it: how often it wins, or loses where a game has one loser, or its chips.

    None where there are too few deals. No rival is told of against whom the gain isn't beyond doubt, or
    against whom the level below did as well.
    """
    for rival in rivals(level):
        found = enough(game, level, rival)
        below = enough(game, LEVELS[LEVELS.index(level) - 1], rival) if level != LEVELS[0] else None
        if found and is_sure(found) and not (below and strength(game, found) <= strength(game, below)):
            return told(game, found)
    return None


def rivals(level: str) -> list[str]:
    """Against whom a level is told of, the first that there are deals enough for."""
    below = LEVELS[LEVELS.index(level) - 1 :][:1] if level != LEVELS[0] else ()
    return [*dict.fromkeys(each for each in (USUAL, *below, CALIBRATION) if each != level)]


def enough(game: GameSetup, one: str, others: str) -> dict[str, Any] | None:
    """What was measured of one level among others, on as many deals as say something."""
    found = measured(game, one, others)
    return found if found and found["groups"] >= ENOUGH else None


def is_sure(found: dict[str, Any]) -> bool:
    """Whether a level gained beyond doubt in a contest that is kept."""
    gain, half = interval(found, "gain")
    return gain > half


def strength(game: GameSetup, found: dict[str, Any]) -> float:
    """What people are told of a contest as a number, the more the better."""
    if in_chips(game):
        return round(float(found["gain"][0]), 1)
    return -percent(found, "last") if one_loser(game) else percent(found, "first")


def percent(found: dict[str, Any], place: str) -> int:
    """How often the level came in at a place, in percent."""
    share: float = found[place][0]
    return round(100 * share)


def told(game: GameSetup, found: dict[str, Any]) -> Text:
    """A contest in words."""
    two, rival, n = game.players == 2, say(NAMES[found["others"]]), game.players - 1
    if in_chips(game):
        gain, half = interval(found, "gain")
        return say(AHEAD[two], number=CHIPS.written(gain), margin=CHIPS.spread(half), n=n, rival=rival)
    place = "last" if one_loser(game) else "first"
    return say(SHARES[place, two], share=in_words(found[place][0]), players=game.players, n=n, rival=rival)


def in_words(share: float) -> Text | int:
    """A share in percent, with tenths where it would round to nothing."""
    return CHIPS.written(100 * share) if share < 0.005 else round(100 * share)


def interval(found: dict[str, Any], column: str) -> tuple[float, float]:
    """The mean of a column of a contest that is kept, and half its 95 % interval."""
    mean, half = found[column]
    return mean, margin(column, mean, half, found["groups"])


def in_chips(game: GameSetup) -> bool:
    """Whether people are told of chips instead of matches won."""
    return bool(data(game.name).get("chips", False))


def one_loser(game: GameSetup) -> bool:
    """Whether a match has one loser rather than one winner: most who play come in first together."""
    return bool(data(game.name).get("one_loser", False))
