"""Manners of bots, and what bots are called.

`manners.json` in a game's folder holds contests by number of players, measured by `tools/manners.py`: a level
with a manner alone among bots of that level without one. A manner is offered for a level where it was measured of
the bot that the level is now, shows, and keeps its strength (see `keeps_strength`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np

from hexdeck.bots.bot import Bot, Candidate, ranked, take
from hexdeck.bots.nets.inference import sample
from hexdeck.bots.players import levels
from hexdeck.bots.players.levels import CALIBRATION, LEVELS, TITLES, levels_of
from hexdeck.bots.players.names import parted
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.probe_lines import Clause, Condition, parsed
from hexdeck.engine.random import rewind
from hexdeck.engine.study import Manner
from hexdeck.engine.text import Text, _, number, say

MANNER_TITLES = {"bold": say("bold"), "careful": say("careful"), "sly": say("sly")}
NOTICED = 0.1  # as a part of how often a bot does something anyway
TOLD_AS_MULTIPLE = 1.5
LEAST = 200  # deals that a manner is measured on before it is offered


def manner_named(game: GameSetup, name: str) -> Manner:
    """A game's manner by name; raises BadOption where there is none."""
    manners: dict[str, Manner] = {manner.name: manner for manner in game.definition.hints.STUDY.manners}
    if name not in manners:
        names = ", ".join(manners) or "–"
        raise BadOption(
            say("In {game} there is no manner {name}; there are {there}.", game=game.name, name=name, there=names)
        )
    return manners[name]


def manners_file(game: GameSetup) -> Path:
    """The file with what was measured of a game's manners."""
    return game.definition.folder / "manners.json"


def measured(game: GameSetup, level: str, manner: str) -> dict[str, Any] | None:
    """What was measured of a level with a manner, both as they are now; None if nothing was, or with other options."""
    if dict(game.options) != levels.measured_options(game) and not levels.is_as_at_tables(game):
        return None
    rows = levels.read(manners_file(game)).get("measured", {}).get(str(game.players), {}).get("contests", [])
    name, now = f"{level}:{manner}", {"bot": f"{levels_of(game).get(level)}:{manner}", **tilts(game, manner)}
    return next((row for row in rows if row["one"] == name and now.items() <= row.items()), None)


def tilts(game: GameSetup, name: str) -> dict[str, Any]:
    """What a manner is, as measurements of it keep it."""
    manner = manner_named(game, name)
    return {"line": manner.line, "logit": manner.logit, "gives_up": manner.utility}


def shows(contest: dict[str, Any]) -> bool:
    """Whether a manner surely changes something, and enough to be noticed."""
    if contest["times"] is None:
        return False
    times, half = contest["times"]
    return bool(abs(times - 1) > max(half, NOTICED))


def keeps_strength(game: GameSetup, contest: dict[str, Any]) -> bool:
    """Whether a level with a manner is as strong as without, as far as was measured.

    Alone among bots without it, its gain isn't told apart from 0, and the 95 % interval ends nearer to 0 than halfway
    to what the level gains among bots of the level below.
    """
    level, below = contest["others"], (CALIBRATION, *LEVELS)[LEVELS.index(contest["others"])]
    rows = levels.data(game).get("measured", {}).get(str(game.players), {}).get("contests", [])
    step = next((row["gain"][0] for row in rows if (row["one"], row["others"]) == (level, below)), 0.0)
    gain, half = levels.interval(contest, "gain")
    return abs(gain) <= half and abs(gain) + half <= step / 2


def manners_of(game: GameSetup, level: str) -> list[str]:
    """The manners that a level can be given: those that were measured, show, and keep its strength."""
    out = []
    for manner in game.definition.hints.STUDY.manners:
        contest = measured(game, level, manner.name)
        if contest and contest["groups"] >= LEAST and shows(contest) and keeps_strength(game, contest):
            out.append(manner.name)
    return out


def manner_title(level: str, manner: str) -> Text:
    """A level with a manner by name, such as “Hard, bold”."""
    return say("{level}, {manner}", level=TITLES[level], manner=MANNER_TITLES[manner])


def manner_label(game: GameSetup, level: str, manner: str) -> Text:
    """What a menu says of a level with a manner: its name, and how it is known, by what was measured."""
    contest, title = measured(game, level, manner), manner_title(level, manner)
    if contest is None:
        return title
    phrase = say(manner_named(game, manner).phrase, often=often(contest["times"][0]))
    return levels.with_options(game, title, phrase, levels.is_as_at_tables(game))


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


# --- a bot with a manner ----------------------------------------------------------------------------------------------
COOLEST = 0.05  # temperature of a net that still mixes


class ManneredBot:
    """Plays as another bot does, tilted by a manner.

    A bot that mixes draws from its probabilities, those of the manner's actions multiplied by exp(`manner.logit` / its
    temperature). One that compares values changes its choice where the best of the actions that the manner likes (of
    the others, where it avoids some) is worth at most `manner.utility` less. `counts`: decisions at which some, not
    all, of the actions were the manner's; at how many of them the bot chose one; and at how many it would have without
    a manner. Raises BadOption for a net too cool to mix.
    """

    def __init__(self, game: GameSetup, plain: Bot, manner: Manner, seed: int | bytes, backend: str | None) -> None:
        temperature = getattr(plain, "temperature", 1.0)
        if temperature < COOLEST:
            text = _("A net at a temperature so low has no manner: give it one of {least} or more.")
            raise BadOption(say(text, least=COOLEST))
        self.name, self.manner, self.counts = plain.name, manner, np.zeros(3)
        self._plain, self._driver = plain, game.driver(backend)
        self._clauses = parsed(manner.line, game)
        self._rows, self._rng = game.rows(self._driver), self._driver.generator(seed, "bot manner")
        self._odds = float(np.exp(manner.logit / temperature))
        self._seen = np.zeros(max(end for _begin, end in game.rules.SLICES.values()), np.int8)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self._rng, number)
        self._plain.begin(number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        candidates = self._plain.candidates(knowledge, seat, 0)
        marked = self._marked(knowledge, seat, [candidate.action for candidate in candidates])
        tilted = self._tilted(candidates, marked)
        probabilities = self._driver.shared(np.array([candidate.probability for candidate in tilted]))
        at: int = self._driver.kernel(cast(FunctionType, sample))(probabilities, len(tilted), self._rng)
        if marked:
            without = sum(candidate.probability for candidate in candidates if candidate.action in marked)
            self.counts += 1, tilted[at].action in marked, without
        return tilted[at].action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, how often the bot plays it with its manner, and its value."""
        candidates = self._plain.candidates(knowledge, seat, worlds)
        return ranked(
            self._tilted(candidates, self._marked(knowledge, seat, [candidate.action for candidate in candidates]))
        )

    def _marked(self, knowledge: bytes, seat: int, legal: Sequence[int]) -> set[int]:
        """The manner's actions among the legal ones, if these are some, not all of them."""
        take(self._driver, self._rows, knowledge, seat)
        self._driver.kernel("observe_row")(self._driver.g, self._rows, 0, seat, self._driver.shared(self._seen))
        for clause in self._clauses:
            marked = {action for action in legal if action in clause.allowed}
            if 0 < len(marked) < len(legal) and holds(clause, self._seen):
                return marked
        return set()

    def _tilted(self, candidates: Sequence[Candidate], marked: Collection[int]) -> list[Candidate]:
        """The candidates with the probabilities that the manner gives them."""
        if not marked:
            return list(candidates)
        if any(0 < candidate.probability < 1 for candidate in candidates):
            weights = [
                candidate.probability * (self._odds if candidate.action in marked else 1.0) for candidate in candidates
            ]
        else:
            chosen = preferred(candidates, marked, self.manner.utility)
            weights = [float(candidate.action == chosen) for candidate in candidates]
        return [
            replace(candidate, probability=weight / sum(weights))
            for candidate, weight in zip(candidates, weights, strict=True)
        ]


def preferred(candidates: Sequence[Candidate], marked: Collection[int], utility: float) -> int:
    """The action chosen by a bot that compares values: its own, or one that its manner likes and is nearly as good."""
    own = max(candidates, key=lambda candidate: candidate.probability)
    liked = [
        candidate
        for candidate in candidates
        if (candidate.action in marked) == (utility > 0) and candidate.value is not None
    ]
    if own.value is None or not liked or (own.action in marked) == (utility > 0):
        return own.action
    best = max(liked, key=lambda candidate: candidate.value or 0.0)
    return best.action if (best.value or 0.0) >= own.value - abs(utility) else own.action


def holds(clause: Clause, observation: np.ndarray) -> bool:
    """Whether all conditions of a clause hold of what a seat sees."""
    return all(
        _holds(condition, int(observation[condition.begin : condition.end].sum())) for condition in clause.conditions
    )


def _holds(condition: Condition, total: int) -> bool:
    return (condition.low <= total <= condition.high) == condition.holds


# --- what bots are called ---------------------------------------------------------------------------------------------
BOT_NAMES = ("Ada", "Bram", "Cleo", "Dirk", "Elsa", "Finn", "Gwen", "Hugo", "Iris", "Joop")
KIND_NAMES = {
    "house": _("plays by habit"),
    "net": _("plays by instinct"),
    "random": _("plays at random"),
    "response": _("punishes mistakes"),
    "rollout": _("tries things out"),
    "search": _("thinks ahead"),
    "solved": _("plays perfectly"),
    "think": _("thinks twice"),
}


def bot_text(bot: str) -> Text | None:
    """What kind of bot this is, in words; None for a program that isn't ours, whose name says it."""
    plain, manner = parted(bot)
    if plain in TITLES:
        return manner_title(plain, manner) if manner else TITLES[plain]
    key = KIND_NAMES.get(plain.partition(":")[0])
    if not key:
        return None
    return say("{kind}, {manner}", kind=say(key), manner=MANNER_TITLES[manner]) if manner else say(key)


def grade_text(bot: str) -> Text | None:
    """The level that a bot plays at, with its manner; None for bots that are no levels."""
    return bot_text(bot) if parted(bot)[0] in TITLES else None
