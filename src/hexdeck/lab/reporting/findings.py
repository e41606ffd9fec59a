"""Findings: sentences about what the statistics show significantly, generated and never written by hand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.counting.message_counts import can_come
from hexdeck.lab.counting.skill import Duel
from hexdeck.lab.counting.starts import StartStudy
from hexdeck.lab.counts import ENDED, FIRST, KIND, LAST, STARTER_FIRST, STARTER_LAST, STARTS, TIED
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.cause_findings import asked_of, unworthy, why
from hexdeck.lab.reporting.evenings.findings import evening_findings
from hexdeck.lab.reporting.probes.findings import paying
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.lab.reporting.section import percent_of_whole
from hexdeck.lab.reporting.sections import bot_text, kind_labels, quantile
from hexdeck.lab.reporting.shape.findings import shape_findings
from hexdeck.lab.reporting.tension_sections import deviation, mean_spread, settling_point
from hexdeck.stats import Estimate, share

MANY_FORCED, MANY_TIED, ALWAYS = 0.5, 0.05, 0.99  # shares of decisions and of games that make a finding
LIGHT = 0.1  # of a result's standard deviation: choices that bring less weigh little
EARLY = 0.6  # of a game's decisions: a result settled before is settled early
RARELY = 0.05  # what never came makes a finding where its share of games is significantly smaller
LONG = 2.5  # times the median length: if one game in twenty is longer, games drag on
LUCKY, SKILLED = 60, 3  # games until the house bot is ahead of random play: luck from so many on, skill up to so few
MERGED = 3  # findings with the same group are merged from so many numbers of players on

BEGINS = {
    (FIRST, True): _(
        "With {players} players, whoever starts ({why}) comes first in {share} % of games: {points} percentage points "
        "above the fair {fair} %."),
    (FIRST, False): _(
        "With {players} players, whoever starts ({why}) comes first in {share} % of games: {points} percentage points "
        "below the fair {fair} %."),
    (LAST, True): _(
        "With {players} players, whoever starts ({why}) loses {share} % of games: {points} percentage points above "
        "the fair {fair} %."),
    (LAST, False): _(
        "With {players} players, whoever starts ({why}) loses {share} % of games: {points} percentage points below "
        "the fair {fair} %."),
}  # fmt: skip
WORTH = {
    (FIRST, True): _(
        "With {players} players, starting helps: in {decided} of {games} games {chance} decided who starts, and "
        "whoever could start came first more often when starting, by {points} percentage points."),
    (FIRST, False): _(
        "With {players} players, starting hurts: in {decided} of {games} games {chance} decided who starts, and "
        "whoever could start came first less often when starting, by {points} percentage points."),
    (LAST, True): _(
        "With {players} players, starting hurts: in {decided} of {games} games {chance} decided who starts, and "
        "whoever could start lost more often when starting, by {points} percentage points."),
    (LAST, False): _(
        "With {players} players, starting helps: in {decided} of {games} games {chance} decided who starts, and "
        "whoever could start lost less often when starting, by {points} percentage points."),
}  # fmt: skip
SITS = {
    (FIRST, True): _(
        "With {players} players, seat {seat} comes first in {share} % of games: {points} percentage points "
        "above its fair {fair} %."),
    (FIRST, False): _(
        "With {players} players, seat {seat} comes first in {share} % of games: {points} percentage points "
        "below its fair {fair} %."),
    (LAST, True): _(
        "With {players} players, seat {seat} loses {share} % of games: {points} percentage points above its "
        "fair {fair} %."),
    (LAST, False): _(
        "With {players} players, seat {seat} loses {share} % of games: {points} percentage points below its "
        "fair {fair} %."),
}  # fmt: skip
PLAYS = {
    (FIRST, True): _(
        "With {players} players, the {bot} in seat {seat} comes first in {share} % of games: {points} percentage "
        "points above a fair {fair} %. Other bots play the other seats."),
    (FIRST, False): _(
        "With {players} players, the {bot} in seat {seat} comes first in {share} % of games: {points} percentage "
        "points below a fair {fair} %. Other bots play the other seats."),
    (LAST, True): _(
        "With {players} players, the {bot} in seat {seat} loses {share} % of games: {points} percentage points above a "
        "fair {fair} %. Other bots play the other seats."),
    (LAST, False): _(
        "With {players} players, the {bot} in seat {seat} loses {share} % of games: {points} percentage points below a "
        "fair {fair} %. Other bots play the other seats."),
}  # fmt: skip
BEGINS_ALL = {
    (FIRST, True): say("Whoever starts comes first more often than fair"),
    (FIRST, False): say("Whoever starts comes first less often than fair"),
    (LAST, True): say("Whoever starts loses more often than fair"),
    (LAST, False): say("Whoever starts loses less often than fair"),
}
WORTH_ALL = {
    (FIRST, True): say("Starting helps: whoever could start comes first more often when starting"),
    (FIRST, False): say("Starting hurts: whoever could start comes first less often when starting"),
    (LAST, True): say("Starting hurts: whoever could start loses more often when starting"),
    (LAST, False): say("Starting helps: whoever could start loses less often when starting"),
}
TIES = say("First place is often shared")
FORCED = say("Many decisions leave no choice")
SETTLED = say("The result is settled early; in the median game after this share of its decisions")
LUCK = say("Luck dominates; games it takes to tell the house bot from random play with 95 % certainty")
SKILL = say("Skill decides; games it takes to tell the house bot from random play with 95 % certainty")


@dataclass(frozen=True)
class Finding:
    """A sentence about games with these numbers of players; `kind` names its subject.

    `group` says the same without a number of players and `value` what was found: findings with equal groups are merged.
    `subject`: what it is about, by a stable name, where its kind alone doesn't say.
    """

    kind: str
    players: tuple[int, ...]
    text: Text
    group: Text | None = None
    value: Text | str = ""
    subject: str = ""


def findings(report: Report) -> list[Finding]:
    """All findings of a report; those about fairness are significant at 5 % for all tests together."""
    each = [found for part in report.parts for find in OF_PART for found in find(part, report.tests)]
    return [*merged(each), *(found for find in OF_REPORT for found in find(report))]


def merged(each: list[Finding]) -> list[Finding]:
    """The findings, with those that say the same of at least MERGED numbers of players made one."""
    groups: dict[str, list[Finding]] = {}
    for found in each:
        if found.group is not None:
            groups.setdefault(found.group.key, []).append(found)
    out: list[Finding] = []
    for found in each:
        same = groups[found.group.key] if found.group is not None else []
        if len(same) < MERGED:
            out.append(found)
        elif found is same[0]:
            out.append(combined(same))
    return out


def combined(same: list[Finding]) -> Finding:
    """Several findings of one group as one finding."""
    parts = [
        say("{value} with {players} players", value=each[0].value, players=each[0].players[0]) if len(each) == 1
        else say("{value} with {least} to {most} players", value=each[0].value, least=each[0].players[0],
                 most=each[-1].players[0])
        for each in runs(same)
    ]  # fmt: skip
    listed = functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), parts)
    players = tuple(each.players[0] for each in same)
    return Finding(same[0].kind, players, say("{group}: {listed}.", group=same[0].group, listed=listed))


def runs(same: list[Finding]) -> list[list[Finding]]:
    """The findings in runs: equal values for consecutive numbers of players."""
    out: list[list[Finding]] = []
    for found in same:
        last = out[-1][-1] if out else None
        if last and (str(last.value), last.players[0] + 1) == (str(found.value), found.players[0]):
            out[-1].append(found)
        else:
            out.append([found])
    return out


def fairness(part: Part, tests: int) -> Iterator[Finding]:
    """What starting is worth, and shares of seats that aren't fair; where bots differ, how far they are apart."""
    fair = 1 / part.players
    if not part.same_bots:
        yield from apart(part, tests)
        return
    yield from beginning(part, tests)
    for seat, found in enumerate(part.statistics.estimates(part.shares)):
        if found.significant(fair, tests) and not is_starter(part, seat):
            yield unfair(part, "seat", SITS, found, fair, seat=seat + 1)


def apart(part: Part, tests: int) -> Iterator[Finding]:
    """The bots whose shares aren't fair, or that none of them is surely better or worse than another."""
    fair, of = 1 / part.players, part.statistics.estimates(part.shares)
    found = [seat for seat, share in enumerate(of) if share.significant(fair, tests)]
    for seat in found:
        yield unfair(part, "bot", PLAYS, of[seat], fair, seat=seat + 1, bot=bot_text(part.bots[seat]))
    if not found:
        most = max(max(abs(each.low - fair), abs(each.high - fair)) for each in (x.simultaneous(tests) for x in of))
        text = _("With {players} players, the bots that differ aren't surely better or worse: no seat is further than "
                 "{points} percentage points from its fair {fair} %.")  # fmt: skip
        points, shown = numbers.number(100 * most, numbers.digits_for(100 * most)), numbers.number(100 * fair, 1)
        yield Finding("bots", (part.players,), say(text, players=part.players, points=points, fair=shown))


def is_starter(part: Part, seat: int) -> bool:
    """Whether a seat always starts and is the starter that `beginning` speaks of."""
    return part.starting.at_random and part.statistics[STARTS, seat].value == 1


def beginning(part: Part, tests: int) -> Iterator[Finding]:
    """What starting is worth: of all games where a seat or a lot decides who starts, else of those where chance did."""
    begins, fair = part.statistics[STARTER_LAST if part.place else STARTER_FIRST], 1 / part.players
    if part.starting.at_random and begins.significant(fair, tests):
        yield unfair(part, "beginner", BEGINS, begins, fair, why=part.starting.why)
    elif part.starts is not None and part.starts.enough and part.starts.place(part.place).significant(0.0, tests):
        yield worth(part, part.starts)


def worth(part: Part, study: StartStudy) -> Finding:
    """The finding about what starting is worth where chance decided who starts."""
    found = study.place(part.place)
    key, points = (part.shares, found.value > 0), numbers.points(found)
    sentence = say(
        WORTH[key], players=part.players, chance=part.starting.chance or part.starting.why, points=points,
        decided=numbers.count(study.decided), games=numbers.count(study.games),
    )  # fmt: skip
    value = say("{points} percentage points", points=points)
    return Finding("start", (part.players,), sentence, WORTH_ALL[key], value)


def unfair(part: Part, kind: str, texts: Any, found: Estimate, fair: float, **about: Text | int) -> Finding:
    """The finding about a share that isn't fair."""
    off = Estimate(found.value - fair, found.low - fair, found.high - fair, found.count)
    text = texts[part.shares, off.value > 0]
    shares = {"share": numbers.number(100 * found.value, 1), "fair": numbers.number(100 * fair, 1)}
    sentence = say(text, players=part.players, points=numbers.points(off), **shares, **about)
    group = BEGINS_ALL[part.shares, off.value > 0] if kind == "beginner" else None
    return Finding(
        kind, (part.players,), sentence, group, say("{points} percentage points", points=numbers.points(off))
    )


def ties(part: Part, _tests: int) -> Iterator[Finding]:
    """First places that are shared often."""
    tied = part.statistics[TIED]
    if not part.place and tied.low > MANY_TIED:
        text = _("With {players} players, first place is shared in {share} of games.")
        share = numbers.percent(tied)
        yield Finding("ties", (part.players,), say(text, players=part.players, share=share), TIES, share)


def choices(part: Part, _tests: int) -> Iterator[Finding]:
    """Many forced decisions, or choices of little impact."""
    forced, brings, differ = part.statistics["forced"], mean_spread(part), deviation(part)
    if forced.low > MANY_FORCED:
        text = _("With {players} players, {share} of decisions leave no choice.")
        share = numbers.percent(forced)
        yield Finding("forced", (part.players,), say(text, players=part.players, share=share), FORCED, share)
    if brings.count and brings.high < LIGHT * differ:
        text = _(
            "With {players} players, choices matter little: on average the best move gains {gain} over the "
            "worst, while results vary by {differ} from game to game.")  # fmt: skip
        measure = part.measure
        yield Finding("matter", (part.players,), say(
            text, players=part.players, gain=numbers.gap(brings, measure),
            differ=numbers.gap(Estimate(differ, differ, differ, 1), measure),
        ))  # fmt: skip


def length(part: Part, _tests: int) -> Iterator[Finding]:
    """Games that drag on."""
    middle, long = quantile(part, 0.5), quantile(part, 0.95)
    if long.low > LONG * middle.high:
        text = _("With {players} players, one game in twenty has {long} decisions or more; half have at most {middle}.")
        yield Finding("length", (part.players,), say(
            text, players=part.players, long=numbers.whole(long), middle=numbers.whole(middle)
        ))  # fmt: skip


def tension(part: Part, _tests: int) -> Iterator[Finding]:
    """Results that are settled early."""
    when = settling_point(part)
    if when.count and when.high < EARLY:
        text = _(
            "With {players} players, the result is settled early: in the median game after {share} of its decisions."
        )
        share = percent_of_whole(when)
        yield Finding("settled", (part.players,), say(text, players=part.players, share=share), SETTLED, share)


def shape(part: Part, tests: int) -> Iterator[Finding]:
    """Leads that feed themselves, kingmaking, dead decisions, long waits; and the same of evenings."""
    for kind, text, group, value in (*shape_findings(part, tests), *evening_findings(part, tests)):
        yield Finding(kind, (part.players,), text, group, value)


def skill(part: Part, _tests: int) -> Iterator[Finding]:
    """Whether luck decides, or skill."""
    for each in part.duels:
        if (each.one, each.others) != ("house", "random"):
            continue
        if each.games is None:
            yield Finding("skill", (part.players,), no_better(part, each))
        elif each.games.low >= LUCKY:
            text = _(
                "With {players} players, luck dominates: it takes {games} games to tell the house bot from "
                "random play with 95 % certainty.")  # fmt: skip
            number = numbers.whole(each.games)
            sentence = say(text, players=part.players, games=number)
            yield Finding("luck", (part.players,), sentence, LUCK, number)
        elif each.games.high <= SKILLED:
            sentence = say_n(
                "With {players} players, skill decides: {n} game is enough to tell the house bot from random "
                "play with 95 % certainty.",
                "With {players} players, skill decides: {n} games are enough to tell the house bot from random "
                "play with 95 % certainty.",
                int(each.games.high), players=part.players,
            )  # fmt: skip
            yield Finding("skill", (part.players,), sentence, SKILL, str(int(each.games.high)))


def no_better(part: Part, each: Duel) -> Text:
    """The sentence where the house bot isn't significantly better than random play: it is worse, or nobody knows."""
    if each.gain.significant():
        text = _(
            "With {players} players, random play does better than the house bot, whose result among random "
            "bots is {gain} above the mean.")  # fmt: skip
    else:
        text = _(
            "With {players} players, {deals} deals don't show whether the house bot beats random play: its "
            "result among random bots is {gain} above the mean.")  # fmt: skip
    gain = numbers.gap_signed(each.gain, part.measure)
    return say(text, players=part.players, deals=each.deals, gain=gain)


# --- what never comes, with any number of players ---------------------------------------------------------------------
def never_ended(report: Report) -> Iterator[Finding]:
    """Endings that never came, though they can with these options."""
    game, count = report.game, games(report)
    for k, ending in enumerate(game.endings[1:], 1):
        ever = any(part.statistics[ENDED, k].value for part in report.parts)
        if not ever and can_come(game, "ended", game.rules.ENDINGS[k]) and rare(count):
            text = _("With these options, none of {games} games ended this way: {ending}.")
            yield Finding("ending", players_of(report), say(text, games=numbers.count(count), ending=ending))


def rare(games: int) -> bool:
    """Whether what never came in so many games is significantly rare."""
    return share(0, games).high < RARELY


def usual_ending(report: Report) -> Iterator[Finding]:
    """An ending that nearly always comes, though others can."""
    ended, game = report.game.endings, report.game
    possible = [k for k, name in enumerate(game.rules.ENDINGS) if k and can_come(game, "ended", name)]
    for k in possible if len(possible) > 1 else []:
        shares = [part.statistics[ENDED, k] for part in report.parts]
        if min(each.low for each in shares) > ALWAYS:
            least = numbers.percent(min(shares, key=lambda each: each.low))
            text = _("Nearly all games end the same way: {ending} ({share}).")
            yield Finding("ending", players_of(report), say(text, ending=ended[k], share=least))


def unused_moves(report: Report) -> Iterator[Finding]:
    """Kinds of moves that were legal and never made."""
    for k, labels in enumerate(zip(*(kind_labels(part.messages) for part in report.parts), strict=True)):
        known = [text for text in labels if text is not None]
        if known and not any(part.statistics[KIND, k].value for part in report.parts) and rare(games(report)):
            text = _("Possible at times, but never played in {games} games: “{move}”.")
            yield Finding("unused", players_of(report), say(text, games=numbers.count(games(report)), move=known[0]))


def missing_messages(report: Report) -> Iterator[Finding]:
    """Messages that can come with these options and never did."""
    keys = [{text.key for text in part.messages.never()} for part in report.parts]
    never = [text for text in report.parts[0].messages.never() if all(text.key in each for each in keys)]
    matches = sum(part.messages.matches for part in report.parts)
    if never and rare(matches):
        quoted = (say("“{text}”", text=text) for text in never)
        listed = functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), quoted)
        text = _("This never happened in {games} games, so it happens in at most {most} % of all games: {listed}.")
        most = numbers.number(100 * share(0, matches).high, 1)
        yield Finding("silent", players_of(report), say(text, games=numbers.count(matches), most=most, listed=listed))


def players_of(report: Report) -> tuple[int, ...]:
    """The numbers of players of a report's parts."""
    return tuple(part.players for part in report.parts)


def games(report: Report) -> int:
    """The number of games of a report."""
    return sum(len(part.statistics) for part in report.parts)


def causes(report: Report) -> Iterator[Finding]:
    """Why a seat is ahead, cards and actions that stand out, and ways of playing that pay."""
    yield from (Finding("why", *found) for part in report.parts for found in why(report, part))
    yield from (
        Finding("unworthy", players, text, subject=subject) for players, text, subject in unworthy(asked_of(report))
    )
    yield from (Finding("probe", *found) for found in paying(report))


Of = Callable[..., Iterator[Finding]]
OF_PART: tuple[Of, ...] = (fairness, ties, choices, length, tension, shape, skill)
OF_REPORT: tuple[Of, ...] = (causes, usual_ending, never_ended, unused_moves, missing_messages)
