"""Reports and comparisons as JSON for other programs: all figures of a page, unrounded.

`FIELDS` says what each field means; `tools/schemas.py` writes these words to `docs/reference/data.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from hexdeck import __version__
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, Text
from hexdeck.lab.counting.pace import CARDS, SCREEN, Place
from hexdeck.lab.counting.skill import Duel
from hexdeck.lab.counts import ENDED, FIRST, KIND, KIND_USED, LAST, RESULT, STARTS, MetricName, kind_numbers
from hexdeck.lab.reporting.answers.questions import Answered, answered
from hexdeck.lab.reporting.cause_sections import cause_fields
from hexdeck.lab.reporting.compare import DIFFERS, PLACE_DIFFERS, RESULT_DIFFERS, Comparison
from hexdeck.lab.reporting.evenings.section import evening_fields
from hexdeck.lab.reporting.luck.section import variance_fields
from hexdeck.lab.reporting.minutes_section import minutes_fields, places
from hexdeck.lab.reporting.probes.section import probe_fields
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.lab.reporting.shape.section import shape_fields
from hexdeck.lab.reporting.tension_sections import choice_weight, mean_spread, tensions
from hexdeck.stats import Estimate

if TYPE_CHECKING:
    from hexdeck.lab.reporting.played import Group
    from hexdeck.lab.reporting.played_report import PlayedReport

FORMAT = 1
FIELDS = {
    "format": "of this file: 1",
    "what": "`report`, `played` (matches from tables) or `comparison`",
    "hexdeck": "the version that made it",
    "game": "stable name of the game",
    "seed": "of the games; not with `played`",
    "interrupted": "whether it was stopped before it was done",
    "findings": "the findings in words, in the language that was asked for",
    "answers": "with `report` and `played`: the answers of its first page, for each `question` (`fair`, `long`, "
    "`luck`, `dead`, `runaway`, `confusing`) and number of players the `verdict` (`fine`, `look`, `unsure`), the "
    "sentence (`text`), and an estimate: percentage points, minutes (from `low` to `high` in nine games of ten), "
    "percent by lot, cards and kinds of moves, percent of games, of those who answered; `usual`: what it is beside, or "
    "null",
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
    "count": "number of independent observations",
    "start": "of a part: `how` the starter is chosen (`assigned`, `lot`, `dealt`, `earned`, `unsaid`); if chance "
    "sometimes decides it, `games` looked into, how many of them chance `decided`, and estimates of how far the "
    "starter then was ahead of the others who could have started, or ends with more than when another of them starts: "
    "`gain`, `first`, `last`",
    "minutes": "of a part: how long a match takes people, by a model: at a table of hexdeck (`screen`) and at a real "
    "one (`cards`) the minutes of `choices`, `moves`, `dealing`, `scoring`, `talk`, the `total`, and the seconds of "
    "`wait` between one's own turns",
    "looked_at": "of a part: how many games were analysed move by move, for tension and choices",
    "tension": "of a part: estimates `swing` (of a chance), `lead_changes`, `drama` (a chance), `lowest` (a chance), "
    "`decisiveness` and `settled` (shares of a game)",
    "shape": "of a part: estimates of how often the leader after 25, 50, 75 % of a game takes the place that decides "
    "(`lead_25`, `lead_50`, `lead_75`; `alike_25` and so on: how often it would if all parts counted alike); of games "
    "with `comebacks`; of choices of players who are `out`, that are `kingmaking`, that are `dead`; of the part of a "
    "game after the last decision of whoever is done first (`out_of_play`) and in the `longest_wait`; and of results: "
    "`gap_second`, `gap_last`",
    "choices": "of a part: estimates of what the best move gains over the worst: `spread` (utility), `weight` (in "
    "standard deviations of a result), by what bots expect",
    "duels": "of a part: one bot among others; estimates `gain` (above the mean), `first`, `last`, `games` to tell",
    "thinking": "of a part: the same of bots that think twice as long as the others; not with `played`",
    "variance": "of a part: estimates of what part of the variance of results comes from the `deal`, the `seat` and "
    "`choices`; not with `played`",
    "causes": "of a part: where points come from and what cards and actions do, in the first `games`: `turns` by seat; "
    "`accounts`, each with its `title`, `unit`, `sources`, what is counted `beside` and the `total`, as estimates for "
    "each seat; `cards` (`held` by a seat in a deal, `used` by its holder, `dealt_gain` and `used_gain`: utility above "
    "the mean of the table); `actions` by kind (`chosen` where legal beside another kind, `gain` above the mean; by "
    "rollouts: `over_next`, the chosen move above the next best, `over_others`, the kind's best move above the best of "
    "others, `best`, how often it is)",
    "evening": "of a part whose matches have several deals with chips that are carried on, in the first `games`: "
    "estimates of the number of `deals`, of the share of evenings in which somebody is `broke` before the last one, of "
    "the part of the deals after which that happens (`broke_after`), of the deals `until_broke` if all stop then, and "
    "of how often whoever has most chips after 25, 50, 75 % of the deals wins (`lead_25` and so on; `anew_25`: how "
    "often it would be if every deal began anew, null where evenings aren't as long as each other); else null",
    "probes": "of a part: a list of ways of playing that were forced on a bot: the `probe` by name (null: one's own), "
    "its `line`; in so many `pairs` of games, estimates of the differences in utility (`gain`) and in the share of the "
    "place that decides (`place`), and of the share of games that were `changed`; at how many choices in a game it was "
    "`applied`, and how many `choices` it changed; whether the gain is `sure` for all probes together",
    "before": "of a measure of a comparison: the estimate in the first variant",
    "after": "of a measure of a comparison: the estimate in the second variant",
    "difference": "of a measure of a comparison: the estimate of the difference, pair by pair",
    "saved": "of a measure of a comparison: how many times the games it takes without pairs; null: no pair differs",
    "pairs": "of a comparison: estimates of the share of pairs that `differ`, `result_differs`, `place_differs`",
}  # fmt: skip
OF_SEATS = {RESULT, FIRST, LAST, STARTS}


def estimate_fields(estimate: Estimate) -> dict[str, float | int | None]:
    """The fields of an estimate; None (null) for what isn't known."""
    ends = {name: getattr(estimate, name) for name in ("value", "low", "high")}
    known = {name: float(value) if isfinite(value) else None for name, value in ends.items()}
    return {**known, "count": int(estimate.count)}


def metric_fields(game: GameSetup, name: MetricName) -> dict[str, Any]:
    """The fields that name a metric and the seat, ending or kind it is of."""
    what, k = name
    of: int | str | None = k if what in OF_SEATS else None
    if what == ENDED:
        of = game.rules.ENDINGS[k]
    if what in (KIND, KIND_USED):
        of = kind_numbers(game.rules.ACTIONS)[0][k]
    return {"measure": what, "of": of}


def of_part(part: Part, bots: Sequence[str] | None, at: tuple[Place, Place]) -> dict[str, Any]:
    """The fields of a part; `bots` are left out if None. `at`: people at this table and at a real one."""
    found = part.statistics
    head: dict[str, Any] = {"players": part.players, "options": dict(part.game.options)}
    if bots is not None:
        head["bots"] = list(bots)
    return head | {
        "games": len(found),
        "measures": [metric_fields(part.game, name) | estimate_fields(found[name]) for name in found.names],
        "start": start_fields(part),
        "minutes": minutes_fields(part, at),
        "looked_at": len(part.analyses),
        "tension": {name: estimate_fields(each) for name, each, _shown in tensions(part)},
        "shape": shape_fields(part, estimate_fields),
        "choices": {"spread": estimate_fields(mean_spread(part)), "weight": estimate_fields(choice_weight(part))},
        "duels": list(duels(part.duels)),
        "thinking": list(duels(part.thinking)),
        "variance": variance_fields(part, estimate_fields),
        "causes": cause_fields(part, estimate_fields),
        "evening": evening_fields(part.evening, estimate_fields),
        "probes": [probe_fields(each, estimate_fields) for each in part.probes],
    }  # fmt: skip


def start_fields(part: Part) -> dict[str, Any]:
    """The fields of how the starter is chosen, and what starting is worth."""
    study = part.starts
    if study is None:
        return {"how": part.starting.how}
    estimates = {"gain": study.gain, "first": study.place(0), "last": study.place(1)} if study.enough else {}
    return {"how": part.starting.how, "games": study.games, "decided": study.decided,
            **{name: estimate_fields(each) for name, each in estimates.items()}}  # fmt: skip


def duels(found: Iterable[Duel]) -> Iterator[dict[str, Any]]:
    """The fields of each duel."""
    for each in found:
        estimates = {name: estimate_fields(getattr(each, name)) for name in ("gain", "first", "last")}
        yield {"one": each.one, "others": each.others, "deals": each.deals, **estimates,
               "games": None if each.games is None else estimate_fields(each.games)}  # fmt: skip


def of_report(report: Report, said: Iterable[Text], catalogue: Catalogue) -> dict[str, Any]:
    """A report's file; `said`: its findings."""
    parts = [of_part(part, part.bots, places(report.plan.pace)) for part in report.parts]
    return head("report", report.game.name, said, catalogue, report.interrupted) | {
        "seed": report.plan.seed,
        "answers": list(answer_fields(answered(report), catalogue)),
        "parts": parts,
    }


def answer_fields(given: Iterable[Answered], catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    """The fields of each answer of the first page."""
    for found in given:
        for each in found.answers:
            yield {"question": found.question.id, "players": each.players, "verdict": each.verdict,
                   "text": catalogue.words(each.text), **estimate_fields(each.number), "usual": each.usual}  # fmt: skip


def of_played(played: PlayedReport, said: Iterable[Text], catalogue: Catalogue) -> dict[str, Any]:
    """The file of a report on matches from tables; `said`: its findings."""
    found = played.matches
    return head("played", found.game.name, said, catalogue, found.interrupted) | {
        "answers": list(answer_fields(played.answers, catalogue)),
        "parts": [*map(of_group, found.groups)],
    }


def of_group(group: Group) -> dict[str, Any]:
    """The fields of a group of matches: those of a part, without bots and what bots did."""
    part = of_part(group.part, None, group.pace or (SCREEN, CARDS))
    del part["duels"], part["thinking"], part["variance"]
    return part


def of_comparison(found: Comparison, said: Iterable[Text], catalogue: Catalogue) -> dict[str, Any]:
    """A comparison's file; `said`: its findings."""
    pairs = {"differ": DIFFERS, "result_differs": RESULT_DIFFERS, "place_differs": PLACE_DIFFERS}
    part = {
        "players": found.a.players, "options": {"before": dict(found.a.options), "after": dict(found.b.options)},
        "bots": list(found.setup.seated), "games": len(found),
        "measures": [of_change(found, name) for name in found.compared],
        "pairs": {key: estimate_fields(found.share_of_pairs(name)) for key, name in pairs.items()},
    }  # fmt: skip
    whole = head("comparison", found.a.name, said, catalogue, found.interrupted)
    return whole | {"seed": found.setup.seed, "parts": [part]}


def of_change(found: Comparison, name: MetricName) -> dict[str, Any]:
    """The fields of a metric in both variants."""
    change = found.change(name)
    estimates = {key: estimate_fields(getattr(change, key)) for key in ("before", "after", "difference")}
    return metric_fields(found.a, name) | estimates | {"saved": change.saved if isfinite(change.saved) else None}


def head(what: str, name: str, said: Iterable[Text], catalogue: Catalogue, interrupted: bool) -> dict[str, Any]:
    """The fields that every file begins with."""
    return {"format": FORMAT, "what": what, "hexdeck": __version__, "game": name, "interrupted": interrupted,
            "findings": [catalogue.words(text) for text in said]}  # fmt: skip


def written(figures: dict[str, Any]) -> str:
    """A file's text: strict JSON, without NaN."""
    return json.dumps(figures, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
