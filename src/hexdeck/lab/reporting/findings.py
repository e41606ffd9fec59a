"""Findings: sentences that the figures bear, and none that they don't. Each is produced, never written by hand."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.counting.message_counts import can
from hexdeck.lab.counting.metrics import BEGINS_FIRST, BEGINS_LAST, ENDED, FIRST, KIND, LAST, STARTS, TIED
from hexdeck.lab.counting.skill import Duel
from hexdeck.lab.counting.stats import Estimate, share
from hexdeck.lab.reporting import number_format as words
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.lab.reporting.sections import hundredths, named_kinds, quantile, spread, when_settled

MANY_FORCED, LIGHT, EARLY, MANY_TIED, ALWAYS = 0.5, 0.1, 0.6, 0.05, 0.99
RARELY = 0.05  # what never came is told where it surely comes in fewer games
LONG = 2.5  # times the middle length that one game in twenty exceeds
LUCKY, SKILLED = 60, 3  # games until who plays sensibly is ahead of who plays at random

BEGINS = {
    (FIRST, True): _("With {players} players, whoever chooses first comes first {points} points more often than fair "
                     "({share} % instead of {fair} %)."),
    (FIRST, False): _("With {players} players, whoever chooses first comes first {points} points less often than fair "
                      "({share} % instead of {fair} %)."),
    (LAST, True): _("With {players} players, whoever chooses first loses {points} points more often than fair "
                    "({share} % instead of {fair} %)."),
    (LAST, False): _("With {players} players, whoever chooses first loses {points} points less often than fair "
                     "({share} % instead of {fair} %)."),
}  # fmt: skip
SITS = {
    (FIRST, True): _("With {players} players, seat {seat} comes first {points} points more often than fair "
                     "({share} % instead of {fair} %)."),
    (FIRST, False): _("With {players} players, seat {seat} comes first {points} points less often than fair "
                      "({share} % instead of {fair} %)."),
    (LAST, True): _("With {players} players, seat {seat} loses {points} points more often than fair "
                    "({share} % instead of {fair} %)."),
    (LAST, False): _("With {players} players, seat {seat} loses {points} points less often than fair "
                     "({share} % instead of {fair} %)."),
}  # fmt: skip
BEGINS_ALL = {
    (FIRST, True): say("Whoever chooses first comes first more often than fair"),
    (FIRST, False): say("Whoever chooses first comes first less often than fair"),
    (LAST, True): say("Whoever chooses first loses more often than fair"),
    (LAST, False): say("Whoever chooses first loses less often than fair"),
}
TIES = say("The first place is often shared")
FORCED = say("Many decisions leave no choice")
SETTLED = say("The result is settled early, in the middle game after this much of its decisions")
LUCK = say("Luck weighs heavily; games until the house bot is ahead of random play with 95 % certainty")
SKILL = say("Skill decides; games until the house bot is ahead of random play with 95 % certainty")
MERGED = 3  # findings about so many numbers of players that say the same are one


@dataclass(frozen=True)
class Finding:
    """A sentence, about games of so many players; `kind` is what it is about.

    `group` says the same without a number of players, and `value` what was found with this one: so several become one.
    """

    kind: str
    players: tuple[int, ...]
    text: Text
    group: Text | None = None
    value: Text | str = ""


def findings(report: Report) -> list[Finding]:
    """All that is sure enough to be told: at 5 % for all comparisons with what is fair together."""
    each = [found for part in report.parts for ask in ASKED for found in ask(part, report.tests)]
    return [*merged(each), *(found for ask in ASKED_OF_ALL for found in ask(report))]


def merged(each: list[Finding]) -> list[Finding]:
    """The findings, those that say the same of several numbers of players as one."""
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
            out.append(together(same))
    return out


def together(same: list[Finding]) -> Finding:
    """Several findings as one."""
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
    """Findings with the same value of consecutive numbers of players together."""
    out: list[list[Finding]] = []
    for found in same:
        last = out[-1][-1] if out else None
        if last and (str(last.value), last.players[0] + 1) == (str(found.value), found.players[0]):
            out[-1].append(found)
        else:
            out.append([found])
    return out


def fairness(part: Part, tests: int) -> Iterator[Finding]:
    """Whether seats, and who chooses first, do as well as others; nothing where their bots differ."""
    if not part.alike:
        return
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
    shares = {"share": words.number(100 * found.value, 1), "fair": words.number(100 * fair, 1)}
    told = say(text, players=part.players, points=words.points(off), **shares, **about)
    group = BEGINS_ALL[part.shares, off.value > 0] if kind == "beginner" else None
    return Finding(kind, (part.players,), told, group, say("{points} points", points=words.points(off)))


def ties(part: Part, _tests: int) -> Iterator[Finding]:
    """First places that are shared often."""
    tied = part.collected[TIED]
    if not part.place and tied.low > MANY_TIED:
        text = _("With {players} players, the first place is shared in {share} of games.")
        share = words.percent(tied)
        yield Finding("ties", (part.players,), say(text, players=part.players, share=share), TIES, share)


def choices(part: Part, _tests: int) -> Iterator[Finding]:
    """Few choices, or few that matter."""
    forced, brings, differ = part.collected["forced"], spread(part), deviation(part)
    if forced.low > MANY_FORCED:
        text = _("With {players} players, {share} of decisions leave no choice.")
        share = words.percent(forced)
        yield Finding("forced", (part.players,), say(text, players=part.players, share=share), FORCED, share)
    if brings.count and brings.high < LIGHT * differ:
        text = _("With {players} players, choices weigh little: the best move brings {gain} more than the worst in the "
                 "mean, where results differ by {differ} from game to game.")  # fmt: skip
        measure = part.measure
        yield Finding("matter", (part.players,), say(
            text, players=part.players, gain=words.gap(brings, measure),
            differ=words.gap(Estimate(differ, differ, differ, 1), measure),
        ))  # fmt: skip


def deviation(part: Part) -> float:
    """By how much a seat's result differs from game to game: its standard deviation, the mean over seats."""
    moments, columns = part.collected.moments, range(part.players)  # results come first of all measures
    variance: float = sum(moments.variance(k) for k in columns) / part.players
    return float(variance**0.5)


def length(part: Part, _tests: int) -> Iterator[Finding]:
    """Games that drag on."""
    middle, long = quantile(part, 0.5), quantile(part, 0.95)
    if long.low > LONG * middle.high:
        text = _("With {players} players, one game in twenty has {long} decisions or more; half have at most {middle}.")
        yield Finding("length", (part.players,), say(
            text, players=part.players, long=words.whole(long), middle=words.whole(middle)
        ))  # fmt: skip


def tension(part: Part, _tests: int) -> Iterator[Finding]:
    """Results that are settled early."""
    when = when_settled(part)
    if when.count and when.high < EARLY:
        text = _("With {players} players, the result is settled early: the middle game after {share} of its decisions.")
        share = hundredths(when)
        yield Finding("settled", (part.players,), say(text, players=part.players, share=share), SETTLED, share)


def skill(part: Part, _tests: int) -> Iterator[Finding]:
    """Whether luck decides, or skill."""
    for each in part.duels:
        if (each.one, each.others) != ("house", "random"):
            continue
        if each.games is None:
            yield Finding("skill", (part.players,), no_better(part, each))
        elif each.games.low >= LUCKY:
            text = _("With {players} players, luck weighs heavily: it takes {games} games until the house bot is ahead "
                     "of random play with 95 % certainty.")  # fmt: skip
            told, tell = say(text, players=part.players, games=words.whole(each.games)), words.whole(each.games)
            yield Finding("luck", (part.players,), told, LUCK, tell)
        elif each.games.high <= SKILLED:
            told = say_n(
                "With {players} players, skill decides: the house bot is ahead of random play with 95 % certainty "
                "within {n} game.",
                "With {players} players, skill decides: the house bot is ahead of random play with 95 % certainty "
                "within {n} games.",
                int(each.games.high), players=part.players,
            )  # fmt: skip
            yield Finding("skill", (part.players,), told, SKILL, str(int(each.games.high)))


def no_better(part: Part, each: Duel) -> Text:
    """That the house bot isn't surely better than random play: surely worse, or not known."""
    if each.gain.sure():
        text = _("With {players} players, playing at random is better than playing like the house bot, whose result "
                 "among random bots is {gain} above the mean.")  # fmt: skip
    else:
        text = _("With {players} players, {deals} deals don't show whether the house bot plays better than at random: "
                 "its result among random bots is {gain} above the mean.")  # fmt: skip
    gain = words.gap_signed(each.gain, part.measure)
    return say(text, players=part.players, deals=each.deals, gain=gain)


# --- what never comes, with any number of players ---------------------------------------------------------------------
def never_ended(report: Report) -> Iterator[Finding]:
    """Endings that never came, though they can with these options."""
    names = report.parts[0].game.rules.ENDINGS
    for k, ending in enumerate(report.table.ENDED[1:], 1):
        ever = any(part.collected[ENDED, k].value for part in report.parts)
        if not ever and can(report.parts[0].game, "ended", names[k]) and rare(games(report)):
            text = _("Not one of {games} games ended so, with these options: {ending}.")
            yield Finding("ending", counts(report), say(text, games=words.count(games(report)), ending=ending))


def rare(games: int) -> bool:
    """Whether what never came in so many games is surely rare."""
    return share(0, games).high < RARELY


def always(report: Report) -> Iterator[Finding]:
    """An ending that nearly always comes, though there are others."""
    ended, game = report.table.ENDED, report.parts[0].game
    possible = [k for k, name in enumerate(game.rules.ENDINGS) if k and can(game, "ended", name)]
    for k in possible if len(possible) > 1 else []:
        shares = [part.collected[ENDED, k] for part in report.parts]
        if min(each.low for each in shares) > ALWAYS:
            least = words.percent(min(shares, key=lambda each: each.low))
            text = _("Nearly all games end so: {ending} ({share}).")
            yield Finding("ending", counts(report), say(text, ending=ended[k], share=least))


def unused(report: Report) -> Iterator[Finding]:
    """Moves that could be made and never were."""
    for k, name in enumerate(zip(*map(named_kinds, report.parts), strict=True)):
        known = [text for text in name if text is not None]
        if known and not any(part.collected[KIND, k].value for part in report.parts) and rare(games(report)):
            text = _("This could be done and never was, in {games} games: “{move}”.")
            yield Finding("unused", counts(report), say(text, games=words.count(games(report)), move=known[0]))


def silent(report: Report) -> Iterator[Finding]:
    """What the rules can bring with these options and never brought."""
    keys = [{text.key for text in part.heard.never()} for part in report.parts]
    never = [text for text in report.parts[0].heard.never() if all(text.key in each for each in keys)]
    heard = sum(part.heard.matches for part in report.parts)
    if never and rare(heard):
        quoted = [say("“{text}”", text=text) for text in never]
        listed = functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), quoted)
        text = _("In {games} games that were listened to this never came, so it comes in at most {most} % of games: "
                 "{listed}.")  # fmt: skip
        most = words.number(100 * share(0, heard).high, 1)
        yield Finding("silent", counts(report), say(text, games=words.count(heard), most=most, listed=listed))


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
