"""Findings: sentences that the figures bear, and none that they don't. Each is produced, never written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab import words
from hexdeck.lab.measures import BEGINS_FIRST, BEGINS_LAST, ENDED, FIRST, KIND, LAST, STARTS, TIED
from hexdeck.lab.report import Part, Report
from hexdeck.lab.sections import hundredths, matter, named_kinds, quantile, when_settled
from hexdeck.lab.stats import Estimate

MANY_FORCED, FEW_MATTER, EARLY, MANY_TIED, ALWAYS = 0.5, 0.15, 0.6, 0.05, 0.99
LONG = 2.5  # times the middle length that one game in twenty exceeds
LUCKY, SKILLED = 60, 3  # games until who plays sensibly is ahead of who plays at random

BEGINS = {
    (FIRST, True): _("With {players} players, whoever chooses first comes first {points} points more often than fair."),
    (FIRST, False): _(
        "With {players} players, whoever chooses first comes first {points} points less often than fair."
    ),
    (LAST, True): _("With {players} players, whoever chooses first loses {points} points more often than fair."),
    (LAST, False): _("With {players} players, whoever chooses first loses {points} points less often than fair."),
}
SITS = {
    (FIRST, True): _("With {players} players, seat {seat} comes first {points} points more often than fair."),
    (FIRST, False): _("With {players} players, seat {seat} comes first {points} points less often than fair."),
    (LAST, True): _("With {players} players, seat {seat} loses {points} points more often than fair."),
    (LAST, False): _("With {players} players, seat {seat} loses {points} points less often than fair."),
}


@dataclass(frozen=True)
class Finding:
    """A sentence, about games of so many players; `kind` is what it is about."""

    kind: str
    players: tuple[int, ...]
    text: Text


def findings(report: Report) -> list[Finding]:
    """All that is sure enough to be told: at 5 % for all comparisons with what is fair together."""
    tests = sum(part.players + 1 for part in report.parts)
    each = [found for part in report.parts for ask in ASKED for found in ask(part, tests)]
    return [*each, *(found for ask in ASKED_OF_ALL for found in ask(report))]


def fairness(part: Part, tests: int) -> Iterator[Finding]:
    """Whether seats, and who chooses first, do as well as others."""
    fair, of = 1 / part.players, part.collected
    begins = of[BEGINS_LAST if part.place else BEGINS_FIRST]
    if begins.sure(fair, tests):
        yield unfair(part, "beginner", BEGINS, begins, fair)
    for seat, found in enumerate(of.of(part.shares)):
        if found.sure(fair, tests) and of[STARTS, seat].value < 1:  # who always begins was told of already
            yield unfair(part, "seat", SITS, found, fair, seat=seat)


def unfair(part: Part, kind: str, texts: Any, found: Estimate, fair: float, **about: int) -> Finding:
    """A finding about a share that isn't fair."""
    off = Estimate(found.value - fair, found.low - fair, found.high - fair, found.count)
    text = texts[part.shares, off.value > 0]
    return Finding(kind, (part.players,), say(text, players=part.players, points=words.points(off), **about))


def ties(part: Part, _tests: int) -> Iterator[Finding]:
    """First places that are shared often."""
    tied = part.collected[TIED]
    if not part.place and tied.low > MANY_TIED:
        text = _("With {players} players, the first place is shared in {share} of games.")
        yield Finding("ties", (part.players,), say(text, players=part.players, share=words.percent(tied)))


def choices(part: Part, _tests: int) -> Iterator[Finding]:
    """Few choices, or few that matter."""
    forced, matters = part.collected["forced"], matter(part)
    if forced.low > MANY_FORCED:
        text = _("With {players} players, {share} of decisions leave no choice.")
        yield Finding("forced", (part.players,), say(text, players=part.players, share=words.percent(forced)))
    if matters.count and matters.high < FEW_MATTER:
        text = _("With {players} players, few choices matter surely: {share}.")
        yield Finding("matter", (part.players,), say(text, players=part.players, share=words.percent(matters)))


def length(part: Part, _tests: int) -> Iterator[Finding]:
    """Games that drag on."""
    middle, long = quantile(part, 0.5), quantile(part, 0.95)
    if long > LONG * middle:
        text = _("With {players} players, one game in twenty has {long} decisions or more; half have at most {middle}.")
        yield Finding("length", (part.players,), say(text, players=part.players, long=long, middle=middle))


def tension(part: Part, _tests: int) -> Iterator[Finding]:
    """Results that are settled early."""
    when = when_settled(part)
    if len(part.seen) > 1 and when.high < EARLY:
        text = _("With {players} players, the result is settled early: the middle game after {share} of its decisions.")
        yield Finding("settled", (part.players,), say(text, players=part.players, share=hundredths(when)))


def skill(part: Part, _tests: int) -> Iterator[Finding]:
    """Whether luck decides, or skill."""
    for each in part.duels:
        if (each.one, each.others) != ("house", "random"):
            continue
        if each.games is None:
            text = _(
                "With {players} players, playing like the house bot isn't measurably better than playing at random."
            )
            yield Finding("skill", (part.players,), say(text, players=part.players))
        elif each.games >= LUCKY:
            text = _("With {players} players, luck weighs heavily: it takes {games} games until the house bot is ahead "
                     "of random play with 95 % certainty.")  # fmt: skip
            yield Finding("luck", (part.players,), say(text, players=part.players, games=each.games))
        elif each.games <= SKILLED:
            told = say_n(
                "With {players} players, skill decides: the house bot is ahead of random play with 95 % certainty "
                "within {n} game.",
                "With {players} players, skill decides: the house bot is ahead of random play with 95 % certainty "
                "within {n} games.",
                each.games, players=part.players,
            )  # fmt: skip
            yield Finding("skill", (part.players,), told)


# --- what never comes, with any number of players ---------------------------------------------------------------------
def never_ended(report: Report) -> Iterator[Finding]:
    """Endings that never came."""
    for k, ending in enumerate(report.table.ENDED[1:], 1):
        if not any(part.collected[ENDED, k].value for part in report.parts):
            text = _("Not one of {games} games ended so, with these options: {ending}.")
            yield Finding("ending", counts(report), say(text, games=games(report), ending=ending))


def always(report: Report) -> Iterator[Finding]:
    """An ending that nearly always comes, though there are others."""
    ended = report.table.ENDED
    for k in range(1, len(ended) if len(ended) > 2 else 0):
        shares = [part.collected[ENDED, k] for part in report.parts]
        if min(each.low for each in shares) > ALWAYS:
            least = words.percent(min(shares, key=lambda each: each.low))
            text = _("Nearly all games end so: {ending} ({share}).")
            yield Finding("ending", counts(report), say(text, ending=ended[k], share=least))


def unused(report: Report) -> Iterator[Finding]:
    """Moves that could be made and never were."""
    for k, name in enumerate(zip(*map(named_kinds, report.parts), strict=True)):
        known = [text for text in name if text is not None]
        if known and not any(part.collected[KIND, k].value for part in report.parts):
            text = _("This could be done and never was, in {games} games: “{move}”.")
            yield Finding("unused", counts(report), say(text, games=games(report), move=known[0]))


def silent(report: Report) -> Iterator[Finding]:
    """What the rules can bring and never brought."""
    keys = [{text.key for text in part.heard.never()} for part in report.parts]
    never = [text for text in report.parts[0].heard.never() if all(text.key in each for each in keys)]
    if never:
        heard = sum(part.heard.matches for part in report.parts)
        yield Finding("silent", counts(report), say_n(
            "{n} thing that the rules can bring never came in {games} games, with these options: {first}",
            "{n} things that the rules can bring never came in {games} games, with these options; one is: {first}",
            len(never), games=heard, first=never[0],
        ))  # fmt: skip


def counts(report: Report) -> tuple[int, ...]:
    """The numbers of players that a report is about."""
    return tuple(part.players for part in report.parts)


def games(report: Report) -> int:
    """All games of a report."""
    return sum(len(part.collected) for part in report.parts)


ASKED: tuple[Callable[[Part, int], Iterator[Finding]], ...] = (
    fairness, ties, choices, length, tension, skill,
)  # fmt: skip
ASKED_OF_ALL: tuple[Callable[[Report], Iterator[Finding]], ...] = always, never_ended, unused, silent
