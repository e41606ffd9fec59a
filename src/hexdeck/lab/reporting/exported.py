"""Figures of reports and comparisons for other programs: all that a page says, unrounded, as JSON.

`FIELDS` says what each field means; `docs/data.md` shows the same words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from hexdeck import __version__
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, Text
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.metrics import ENDED, FIRST, KIND, LAST, MET, RESULT, STARTS, Name
from hexdeck.lab.counting.stats import Estimate
from hexdeck.lab.reporting.compare import DIFFERS, PLACE_DIFFERS, RESULT_DIFFERS, Comparison
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.lab.reporting.sections import came_back, led, matter, spread, when_settled

if TYPE_CHECKING:
    from hexdeck.lab.reporting.played import Group
    from hexdeck.lab.reporting.played_words import Played

FORMAT = 1
FIELDS = {
    "format": "of this file: 1",
    "what": "`report`, `played` (matches from tables) or `comparison`",
    "hexdeck": "the version that made it",
    "game": "stable name of the game",
    "seed": "of the games; not with `played`",
    "interrupted": "whether somebody stopped it before it was done",
    "findings": "the findings in words, in the language that was asked for",
    "parts": "a list: for each number of players (with `played`: and options) what was measured",
    "players": "of a part: how many played",
    "options": "of a part: the game's options, all of them; with `comparison` `before` and `after`",
    "bots": "of a part: the bot of each seat; not with `played`",
    "games": "of a part: how many games, or pairs of games, were counted",
    "measures": "of a part: a list of estimates of what a game has, each a mean over games",
    "measure": "of an estimate: what was measured",
    "of": "of an estimate: the seat (number), the ending or the kind of move (stable names) it is about; or null",
    "value": "the estimate; null where nothing is known",
    "low": "lower end of its 95 % interval; null where there is none",
    "high": "upper end of its 95 % interval; null where there is none",
    "count": "of how many independent observations",
    "looked_at": "of a part: how many games were looked inside, for tension and choices",
    "tension": "of a part: estimates `lead_changes`, `settled` (share of a game), `comebacks` (share of games)",
    "choices": "of a part: estimates `matter` (share of choices) and `spread` (utility), by what bots expect",
    "duels": "of a part: one bot among others; estimates `gain` (above the mean), `first`, `last`, `games` to tell",
    "before": "of a measure of a comparison: the estimate in the first variant",
    "after": "of a measure of a comparison: the estimate in the second variant",
    "difference": "of a measure of a comparison: the estimate of the difference, pair by pair",
    "saved": "of a measure of a comparison: how many times as many games it takes without pairs; null: no pair differs",
    "pairs": "of a comparison: estimates of the share of pairs that `differ`, `result_differs`, `place_differs`",
}  # fmt: skip
ABOUT_SEATS = {RESULT, FIRST, LAST, STARTS}


def numbers(estimate: Estimate) -> dict[str, float | int | None]:
    """An estimate; what isn't known is null."""
    ends = {name: getattr(estimate, name) for name in ("value", "low", "high")}
    known = {name: float(value) if isfinite(value) else None for name, value in ends.items()}
    return {**known, "count": int(estimate.count)}


def named(game: GameSetup, name: Name) -> dict[str, Any]:
    """What a measure is, and what it is about, by stable names."""
    what, k = name
    about: int | str | None = k if what in ABOUT_SEATS else None
    if what == ENDED:
        about = game.rules.ENDINGS[k]
    if what in (KIND, MET):
        about = kind_numbers(game.rules.ACTIONS)[0][k]
    return {"measure": what, "of": about}


def of_part(part: Part, bots: Sequence[str] | None) -> dict[str, Any]:
    """A part of a report."""
    found = part.collected
    head: dict[str, Any] = {"players": part.players, "options": dict(part.game.options)}
    if bots is not None:
        head["bots"] = list(bots)
    return head | {
        "games": len(found),
        "measures": [named(part.game, name) | numbers(found[name]) for name in found.names],
        "looked_at": len(part.seen),
        "tension": {"lead_changes": numbers(led(part)), "settled": numbers(when_settled(part)),
                    "comebacks": numbers(came_back(part))},
        "choices": {"matter": numbers(matter(part)), "spread": numbers(spread(part))},
        "duels": list(duels(part)),
    }  # fmt: skip


def duels(part: Part) -> Iterator[dict[str, Any]]:
    """How bots did among others."""
    for each in part.duels:
        told = {"gain": each.gain, "first": each.first, "last": each.last}
        found = {name: numbers(estimate) for name, estimate in told.items()}
        yield {"one": each.one, "others": each.others, "deals": each.deals, **found,
               "games": None if each.games is None else numbers(each.games)}  # fmt: skip


def of_report(report: Report, said: Iterable[Text], own: Catalogue) -> dict[str, Any]:
    """All figures of a report."""
    parts = [of_part(part, part.bots) for part in report.parts]
    return head("report", report.name, said, own, report.interrupted) | {"seed": report.plan.seed, "parts": parts}


def of_played(played: Played, said: Iterable[Text], own: Catalogue) -> dict[str, Any]:
    """All figures of a report on matches from tables."""
    parts = [group_of(group) for group in played.gathered.groups]
    return head("played", played.gathered.name, said, own, played.gathered.interrupted) | {"parts": parts}


def group_of(group: Group) -> dict[str, Any]:
    """A group of matches, without what takes bots to be known."""
    part = of_part(group.part, None)
    del part["duels"]
    return part


def of_comparison(found: Comparison, said: Iterable[Text], own: Catalogue) -> dict[str, Any]:
    """All figures of a comparison."""
    pairs = {"differ": DIFFERS, "result_differs": RESULT_DIFFERS, "place_differs": PLACE_DIFFERS}
    part = {
        "players": found.a.players, "options": {"before": dict(found.a.options), "after": dict(found.b.options)},
        "bots": list(found.bots * found.a.players if len(found.bots) == 1 else found.bots), "games": len(found),
        "measures": [changed(found, name) for name in found.told],
        "pairs": {key: numbers(found.happens(name)) for key, name in pairs.items()},
    }  # fmt: skip
    whole = head("comparison", found.a.name, said, own, found.interrupted)
    return whole | {"seed": found.seed, "parts": [part]}


def changed(found: Comparison, name: Name) -> dict[str, Any]:
    """A measure in both variants."""
    change = found.change(name)
    sides = {"before": change.before, "after": change.after, "difference": change.difference}
    told = {key: numbers(estimate) for key, estimate in sides.items()}
    return named(found.a, name) | told | {"saved": change.saved if isfinite(change.saved) else None}


def head(what: str, name: str, said: Iterable[Text], own: Catalogue, interrupted: bool) -> dict[str, Any]:
    """What all files begin with."""
    return {"format": FORMAT, "what": what, "hexdeck": __version__, "game": name, "interrupted": interrupted,
            "findings": [own.words(text) for text in said]}  # fmt: skip


def written(figures: dict[str, Any]) -> str:
    """A file of figures: strict JSON, without NaN."""
    return json.dumps(figures, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
