"""Levels of play for people: gentle, steady, sharp, best; their manners; and what bots are called.

A game's data says which bot each level is, and what was measured.

`levels.json` in a game's folder holds: `levels`, by number of players (or `*`, all others), the bot of each level, or
several of which the first that can play is taken; `measured`, by number of players, the command, the program then (a
hash of its sources; a contest that a later one played names it, and the command, if it was another), which bots the
levels were, and contests as `rating.Contest.summary` gives them; `one_loser`, whether a match has one loser rather than
one winner; `chips`, whether long-term results are counted in chips rather than in matches.

`manners.json` there holds contests by number of players, measured by `tools/manners.py`: a level with a manner alone
among bots of that level without one, how strong the manner is (`tilt`), and how surely who watches five deals tells it
`apart` from the others. A manner is offered for a level where it was measured of the bot that the level is now, keeps
its strength (see `keeps_strength`), and is told apart from one or more that are offered with it.
"""

import functools
import itertools
import json
import math
from pathlib import Path
from typing import Any

from hexdeck.bots.players.bot_names import bot_name, manner_title
from hexdeck.engine.discovery.definition import preset
from hexdeck.engine.discovery.finding import cleared_by_forget
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import listed
from hexdeck.engine.play.game import GameSetup, has_response, is_solved
from hexdeck.engine.study import CHIPS, Manner
from hexdeck.engine.text import Text, _, number, say
from hexdeck.stats import margin

LEVELS = ("gentle", "steady", "sharp", "best")
ADJECTIVES = {"random": _("random"), "gentle": _("easy"), "steady": _("medium"), "sharp": _("hard"), "best": _("best")}
ABOUT = {
    "gentle": say("Easy: plays simply, and forgives much"),
    "steady": say("Medium: plays like a sensible person"),
    "sharp": say("Hard: thinks ahead"),
    "best": say("Best: the strongest bot here"),
}
SHARES = {  # by the place that counts, and whether two play
    ("first", True): _("wins {share} of 100 matches against one medium bot (fair share: {fair})"),
    ("last", True): _("loses {share} of 100 matches against one medium bot (fair share: {fair})"),
    ("first", False): _("wins {share} of 100 matches against {n} medium bots (fair share: {fair})"),
    ("last", False): _("loses {share} of 100 matches against {n} medium bots (fair share: {fair})"),
}
GAINS = {  # by whether it is a gain, and whether two play
    (True, True): _("wins {number} chips a match from one medium bot"),
    (True, False): _("wins {number} chips a match from {n} medium bots"),
    (False, True): _("loses {number} chips a match to one medium bot"),
    (False, False): _("loses {number} chips a match to {n} medium bots"),
}
ENOUGH = 200  # deals before a share is shown to people
USUAL, CALIBRATION = "steady", "random"  # the default level, which labels compare the others with; the ladder's foot


# --- a game's data ----------------------------------------------------------------------------------------------------
def levels_file(game: GameSetup) -> Path:
    """The file with the data of a game's levels."""
    return game.definition.folder / "levels.json"


def data(game: GameSetup) -> dict[str, Any]:
    """The levels of a game, and what was measured of them."""
    return read(levels_file(game))


@cleared_by_forget
@functools.cache
def read(path: Path) -> dict[str, Any]:
    """The data in a file; of a game without levels where there is none."""
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"levels": {}}
    return loaded


def in_chips(game: GameSetup) -> bool:
    """Whether the figure that people see for a level is the chips that it gains, not the matches that it wins."""
    return bool(data(game).get("chips", False))


def one_loser(game: GameSetup) -> bool:
    """Whether a match has one loser rather than one winner: most players come in first together."""
    return bool(data(game).get("one_loser", False))


# --- which bot a level is ---------------------------------------------------------------------------------------------
def levels_of(game: GameSetup) -> dict[str, str]:
    """The bot of each level in a game of so many players, the gentlest first; empty where there are no levels."""
    levels = data(game)["levels"]
    bots = {**levels.get("*", {}), **levels.get(str(game.players), {})}
    return {level: first_playable(bots[level], game) for level in LEVELS if level in bots}


def first_playable(bots: str | list[str], game: GameSetup) -> str:
    """The first of several bots that can play a game with its options; the last one always can."""
    several = [bots] if isinstance(bots, str) else bots
    return next((name for name in several[:-1] if can_play(name, game)), several[-1])


def can_play(name: str, game: GameSetup) -> bool:
    """Whether a game's folder has what such a bot needs, and its nets were trained for options like these."""
    from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, has_net, shipped_nets

    parts = bot_name(name)
    if parts.kind == "solved":
        return is_solved(game)
    if parts.kind == "response":
        return has_response(game)
    if "nets" in (parts.kind, parts.policy):
        return bool(shipped_nets(game)) and nets_apply(game)
    needed = [POLICY] if parts.kind in ("net", "think") or parts.policy == "net" else []
    needed += [MIMIC] * parts.policy.startswith("mimic") + [DEALS] * parts.policy.endswith("-deal")
    return all(has_net(game, kind) for kind in needed) and (not needed or nets_apply(game))


def nets_apply(game: GameSetup) -> bool:
    """Whether the only options that differ from the measured ones are among `net_options` of the data.

    Nets were trained with the measured options; with other cards even a quick search beats them.
    """
    differ = {name for name, value in measured_options(game).items() if game.options[name] != value}
    return differ <= set(data(game).get("net_options", ()))


def usual_bot(game: GameSetup) -> str:
    """The bot for a seat that nobody chose a bot for."""
    return USUAL if USUAL in levels_of(game) else "house"


# --- what was measured ------------------------------------------------------------------------------------------------
def measured_options(game: GameSetup) -> dict[str, Any]:
    """The options that a game's levels were measured with: its defaults, or what `ABOUT` of its table says."""
    return dict(game.usual().options) | dict(game.table.ABOUT.measured)


def measured(game: GameSetup, level: str, rival: str) -> dict[str, Any] | None:
    """What was measured of one level among others, for so many players and these options; None if nothing was."""
    if dict(game.options) != measured_options(game):
        return None
    for contest in data(game).get("measured", {}).get(str(game.players), {}).get("contests", []):
        if (contest["one"], contest["others"]) == (level, rival):
            row: dict[str, Any] = contest
            return row
    return None


def is_sure(contest: dict[str, Any]) -> bool:
    """Whether the 95 % interval of a level's gain, in a contest that is kept, is on one side of 0."""
    gain, half = interval(contest, "gain")
    return abs(gain) > half


def interval(contest: dict[str, Any], column: str) -> tuple[float, float]:
    """The mean of a column of a contest that is kept, and half its 95 % interval."""
    mean, half = contest[column]
    return mean, margin(column, mean, half, contest["groups"])


# --- what menus say of a level ----------------------------------------------------------------------------------------
def label(game: GameSetup, level: str) -> Text:
    """What a menu says of a level: its name, how it plays, and what was measured if anything was."""
    as_usual = is_as_at_tables(game) and levels_of(game.usual())[level] == levels_of(game)[level]
    phrase = share(game.usual() if as_usual else game, level)
    return ABOUT[level] if phrase is None else say("{level}; {share}", level=ABOUT[level], share=phrase)


def measured_with(game: GameSetup) -> Text | None:
    """With which options the levels were measured, in the words of a table's form; None if with those of the game."""
    if not is_as_at_tables(game):
        return None
    differing = [option for option in game.rules.OPTIONS if option.name in preset(game.name).options]
    return say(
        "Measured among bots, with {options}.",
        options=listed([option.chosen(option.default) for option in differing]),
    )


def is_as_at_tables(game: GameSetup) -> bool:
    """Whether a game has the options of tables (the first of `PRESETS`), and these aren't the defaults."""
    usual = game.usual()
    return game != usual and game == usual.variant(**preset(game.name).options)


def share(game: GameSetup, level: str) -> Text | None:
    """How a level does alone among bots of the usual one, and beside it what an equal would: wins, losses or chips.

    None of the usual level itself, on too few deals, where it isn't surely better or worse, and where the level below
    does as well.
    """
    contest, below = measured(game, level, USUAL), measured(game, LEVELS[LEVELS.index(level) - 1], USUAL)
    if contest is None or contest["groups"] < ENOUGH or not is_sure(contest):
        return None
    if level != LEVELS[0] and below and strength(game, contest) <= strength(game, below):
        return None
    duel, n, (gain, _half) = game.players == 2, game.players - 1, interval(contest, "gain")
    if in_chips(game):
        return say(GAINS[gain > 0, duel], number=CHIPS.written(abs(gain)), n=n)
    column, fair = "last" if one_loser(game) else "first", percent_text(1 / game.players)
    return say(SHARES[column, duel], share=percent_text(contest[column][0]), n=n, fair=fair)


def strength(game: GameSetup, contest: dict[str, Any]) -> float:
    """The number that a label shows of a contest, signed so that more is better."""
    column = "gain" if in_chips(game) else "last" if one_loser(game) else "first"
    value: float = contest[column][0]
    return -value if column == "last" else value


def percent_text(share: float) -> Text | int:
    """A share in percent, with tenths where it would round to nothing."""
    return CHIPS.written(100 * share) if share < 0.005 else round(100 * share)


# --- manners ----------------------------------------------------------------------------------------------------------
TOLD_APART = 0.75  # of the guesses of who watches five deals are right; half would be by luck
MOST_LOST = 1 / 3  # of what lies between a level and the one below
TOLD_AS_MULTIPLE = 1.5
LEAST = 200  # deals that a manner is measured on before it is offered


def manner_named(game: GameSetup, name: str) -> Manner:
    """A game's manner by name; raises BadOption where there is none."""
    manners: dict[str, Manner] = {manner.name: manner for manner in game.definition.hints.STUDY.manners}
    if name not in manners:
        names = ", ".join(manners) or "–"
        text = _("In {game} there is no manner {name}; there are {there}.")
        raise BadOption(say(text, game=game.name, name=name, there=names))
    return manners[name]


def manners_file(game: GameSetup) -> Path:
    """The file with what was measured of a game's manners."""
    return game.definition.folder / "manners.json"


def measured_manner(game: GameSetup, level: str, manner: str) -> dict[str, Any] | None:
    """What was measured of a level with a manner, both as they are now; None if nothing was, or with other options."""
    if dict(game.options) != measured_options(game) and not is_as_at_tables(game):
        return None
    rows = read(manners_file(game)).get("measured", {}).get(str(game.players), {}).get("contests", [])
    name, now = f"{level}:{manner}", {"bot": f"{levels_of(game).get(level)}:{manner}", **tilts(game, manner)}
    return next((row for row in rows if row["one"] == name and now.items() <= row.items()), None)


def tilts(game: GameSetup, name: str) -> dict[str, Any]:
    """What a manner is, as measurements of it keep it."""
    manner = manner_named(game, name)
    return {"line": manner.line, "logit": manner.logit, "gives_up": manner.utility}


def tilt(game: GameSetup, bot: str) -> float:
    """How many times as strong as the game says the manner of a bot is; `bot` as `resolved` gives it."""
    rows = read(manners_file(game)).get("measured", {}).get(str(game.players), {}).get("contests", [])
    return next((float(row.get("tilt", 1)) for row in rows if row["bot"] == bot), 1.0)


def told_apart(contest: dict[str, Any], other: str) -> bool:
    """Whether who watches five deals tells a manner from another; a manner that nobody watched isn't."""
    return bool(contest.get("apart", {}).get(other, 0.0) >= TOLD_APART)


def keeps_strength(game: GameSetup, contest: dict[str, Any]) -> bool:
    """Whether a level with a manner is still that level: its gain was measured alone among bots without a manner.

    It loses at most a third of what the level gains among bots of the level below, and even the lower end of its 95 %
    interval less than all of that; and it gains less than the level above does.
    """
    level = contest["others"]
    at, scale = LEVELS.index(level), (CALIBRATION, *LEVELS, "")
    rows = data(game).get("measured", {}).get(str(game.players), {}).get("contests", [])
    gains = {(row["one"], row["others"]): float(row["gain"][0]) for row in rows}
    step, above = gains.get((level, scale[at]), 0.0), gains.get((scale[at + 2], level), math.inf)
    gain, half = interval(contest, "gain")
    return -MOST_LOST * step <= gain < above and gain - half > -step


def manners_of(game: GameSetup, level: str) -> list[str]:
    """The manners that a level can be given: as many as keep its strength and are told apart; two or more, or none."""
    contests = {
        manner.name: contest
        for manner in game.definition.hints.STUDY.manners
        if (contest := measured_manner(game, level, manner.name))
        and contest["groups"] >= LEAST
        and keeps_strength(game, contest)
    }
    for count in range(len(contests), 1, -1):
        for several in itertools.combinations(contests, count):
            if all(told_apart(contests[one], other) for one, other in itertools.permutations(several, 2)):
                return [*several]
    return []


def manner_label(game: GameSetup, level: str, manner: str) -> Text:
    """What a menu says of a level with a manner: its name, and how it is known, by what was measured."""
    contest, title = measured_manner(game, level, manner), manner_title(level, manner)
    if contest is None:
        return title
    phrase = say(manner_named(game, manner).phrase, often=often(contest["times"][0]))
    return say("{level}: {share}", level=title, share=phrase)


def choices(game: GameSetup) -> dict[str, Text]:
    """All that a menu offers for a seat, each with its label: the levels, each followed by its manners."""
    out = {}
    for level in levels_of(game):
        out[level] = label(game, level)
        out |= {f"{level}:{manner}": manner_label(game, level, manner) for manner in manners_of(game, level)}
    return out


def company(game: GameSetup, level: str, bots: int) -> list[str]:
    """So many bots of a level at a table: one with each manner that there is, and round again."""
    different = [f"{level}:{manner}" for manner in manners_of(game, level)] or [level]
    return [different[k % len(different)] for k in range(bots)]


def often(times: float) -> Text:
    """How much more or less often: as a percentage, or as a multiple from half as often again."""
    if times >= TOLD_AS_MULTIPLE:
        return say("{times} times as often", times=number(times, 1))
    percent = number(abs(100 * (times - 1)), 0)
    if times >= 1:
        return say("{percent}\u00a0% more often", percent=percent)
    return say("{percent}\u00a0% less often", percent=percent)


# --- what bots are called ---------------------------------------------------------------------------------------------
BOT_NAMES = ("Ada", "Bram", "Cleo", "Dirk", "Elsa", "Finn", "Gwen", "Hugo", "Iris", "Joop")
