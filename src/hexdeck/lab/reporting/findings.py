"""Findings: sentences about what is beyond chance, for all questions of a report together, the largest first.

They are generated from measures and never written by hand. What never happens at all is told after them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from hexdeck.lab.causes import ABOVE as ENDED_ABOVE
from hexdeck.lab.causes import BELOW, UNUSED, CauseStudy
from hexdeck.lab.counts import ABOVE, ENDED, KIND, STARTER_RESULT, STARTS
from hexdeck.lab.messages import can_come
from hexdeck.lab.pairs import GAIN, bound, probe_of
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.measures import (
    Example,
    Finding,
    Hypothesis,
    deviation,
    deviation_of_share,
    example_of,
    questions_of,
)
from hexdeck.lab.reporting.report import FAIRNESS, Report, ReportPart
from hexdeck.lab.reporting.sections import gap_of
from hexdeck.lab.reporting.tables import independent, measured, move_example, of_excess
from hexdeck.lab.reporting.wording import bot_text, english, kind_labels
from hexdeck.lab.starts import StartStudy
from hexdeck.stats import Estimate, holm, mean, p_below, p_beyond, share

ALWAYS = 0.99  # of games: an ending that nearly always comes
RARELY = 0.05  # what never came makes a finding where its share of games is significantly smaller
LUCKY, SKILLED = 60, 3  # games until the house bot is ahead of random play: luck from so many on, skill up to so few
MERGED = 3  # findings with the same group are merged from so many numbers of players on
STRONG = 0.2  # of a result's standard deviation: a card that surely brings or costs so much is a finding
ENOUGH = 100  # games in which a card was dealt, with fewer of which nothing is said of what it brings
DEAD_CARD, DEAD_ACTION = 0.05, 0.01  # shares of its holders that use a card, of choices that choose an action
SELDOM_BEST, COSTLY = 0.1, 0.05  # an action that is best no more often, and costs more in standard deviations

DEAD, WORTHLESS, TOO_STRONG, TOO_WEAK, IDLE = "dead_card", "worthless", "strong", "weak", "idle"
PARTS = {
    TOO_STRONG: "{what} may be too strong: whoever is dealt it ends above the mean of the table, by {listed}.",
    TOO_WEAK: "{what} may be too weak: whoever is dealt it ends below the mean of the table, by {listed}.",
    DEAD: "{what} is a dead card: hardly anybody who holds it uses it, {listed}.",
    IDLE: "“{what}” is hardly ever chosen where it is allowed: in {listed}.",
    WORTHLESS: "“{what}” is hardly ever worth it: by what bots expect, the best other move brings more, by {listed}.",
    "probe": "{what} beats playing as these bots do: it gains {listed}.",
}
CERTAINTY = "to tell the house bot from random play with 95 % certainty"


# --- all questions together -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tests:
    """All questions of a report's parts, and which are significant at 5 % for all of them together (Holm).

    That they were asked several times is corrected for too.
    """

    report: Report

    @functools.cached_property
    def answered(self) -> list[list[tuple[Hypothesis, bool]]]:
        """For each part its questions, and whether each is significant; those about fairness share their own weight."""
        questions = []
        for part in self.report.parts:
            kinds = ([*fairness(part)], FAIRNESS), ([*other_questions(part)], 1 - FAIRNESS)
            questions.append([replace(item, weight=weight / len(of)) for of, weight in kinds for item in of])
        sure = iter(holm([self.report.looks * q.p for q in chain(*questions)], [q.weight for q in chain(*questions)]))
        return [[(question, next(sure)) for question in item] for item in questions]

    def of(self, part: ReportPart) -> list[tuple[Hypothesis, bool]]:
        """The questions of one part."""
        return next(questions for own, questions in zip(self.report.parts, self.answered, strict=True) if own is part)

    def sure(self, parts: Sequence[ReportPart]) -> list[Finding]:
        """The findings of some parts, the largest first; what is found of a card or a way of playing is one finding."""
        alone: list[Finding] = []
        subjects: dict[tuple[str, str], list[tuple[Hypothesis, Finding]]] = {}
        for part in parts:
            for question, sure in self.of(part):
                if sure and question.subject:
                    subjects.setdefault((question.kind, question.subject), []).append((question, question.tell()))
                elif sure:
                    alone.append(question.tell())
        alone = merged(alone)
        for (kind, _subject), group in subjects.items():
            listed = ", ".join(f"{question.value} with {found.players[0]} players" for question, found in group)
            text = PARTS[kind].format(what=group[0][0].what, listed=listed)
            alone.append(together([found for _question, found in group], text))
        return sorted(alone, key=lambda finding: -finding.size)


def findings(report: Report) -> list[Finding]:
    """All findings of a report."""
    tests = Tests(report)
    certain = [
        finding for part in report.parts for finding in (*unsure_bots(part, tests), *skill(part), *why(report, part))
    ]
    return [*tests.sure(report.parts), *merged(certain), *seldom(report)]


def other_questions(part: ReportPart) -> Iterator[Hypothesis]:
    """The questions about everything but fairness."""
    for measure in measured(part):
        yield from questions_of(part, measure)
    if part.causes is not None:
        yield from of_cards(part, part.causes)
        yield from of_actions(part, part.causes)
    for effect in part.probes:
        gain = effect.shifts[GAIN].difference
        thing, p = (effect.change, str(probe_of(part.game, effect.change).doing)), p_beyond(gain, 0.0)
        value, size = wording.gap(gain, part.measure), abs(gain.value) / (deviation(part) or 1.0)
        yield of_thing(part, "probe", thing, value, p if gain.value > 0 else 1.0, gain, size=size)


def merged(findings: list[Finding]) -> list[Finding]:
    """The findings, with those that say the same of at least MERGED numbers of players made one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.group is not None:
            groups.setdefault(finding.group, []).append(finding)
    out: list[Finding] = []
    for finding in findings:
        group = groups[finding.group] if finding.group is not None else []
        if len(group) < MERGED:
            out.append(finding)
        elif finding is group[0]:
            out.append(together(group, f"{finding.group}: {', '.join(runs(group))}."))
    return out


def together(findings: Sequence[Finding], text: str) -> Finding:
    """What several findings say with one number of players each, as one finding, as large as the largest of them."""
    players, size = tuple(finding.players[0] for finding in findings), max(finding.size for finding in findings)
    return replace(findings[0], players=players, text=text, size=size, group=None, value="")


def runs(findings: Sequence[Finding]) -> Iterator[str]:
    """What was found with which numbers of players, those in a row with equal values together."""
    begin = 0
    for k, finding in enumerate(findings):
        after = findings[k + 1] if k + 1 < len(findings) else None
        if after and (after.value, after.players[0]) == (finding.value, finding.players[0] + 1):
            continue
        first, last = findings[begin].players[0], finding.players[0]
        yield f"{finding.value} with {last if begin == k else f'{first} to {last}'} players"
        begin = k + 1


# --- fair? ------------------------------------------------------------------------------------------------------------
def fairness(part: ReportPart) -> Iterator[Hypothesis]:
    """Whether each seat, or whoever starts, takes its share of the place that decides, and ends at the table's mean.

    What starting is worth is asked of all games where a seat or a lot decides who starts, else of those in which chance
    did.
    """
    results = part.same_bots and not part.place and not part.won_or_lost
    if part.same_bots and part.starting.at_random:
        subject = f"whoever starts ({part.starting.why})"
        yield of_share(part, "beginner", subject, part.statistics[part.starter_share])
        if results:
            yield of_result(part, "beginner_result", subject, part.statistics[STARTER_RESULT])
    elif part.same_bots and part.starts is not None and part.starts.enough:
        yield of_start(part, part.starts)
    for seat, estimate in enumerate(part.statistics.estimates(part.shares) if part.bots else ()):
        if not part.same_bots:
            yield of_share(part, "bot", f"the {bot_text(part.bots[seat])} in seat {seat + 1}", estimate, seat)
        elif not is_starter(part, seat):
            yield of_share(part, "seat", f"seat {seat + 1}", estimate, seat)
    for seat, above in enumerate(part.statistics.estimates(ABOVE) if results else ()):
        if not is_starter(part, seat):
            yield of_result(part, "seat_result", f"seat {seat + 1}", above)


def is_starter(part: ReportPart, seat: int) -> bool:
    """Whether a seat always starts and is the starter that `fairness` asks about."""
    return part.starting.at_random and part.statistics[STARTS, seat].value == 1


def of_share(part: ReportPart, kind: str, subject: str, estimate: Estimate, seat: int | None = None) -> Hypothesis:
    """The question whether the share of a seat, or of whoever starts, is fair."""
    fair = 1 / part.players
    off = estimate.shifted(-fair)

    def finding() -> Finding:
        points, ahead, takes = f"{wording.points(off)} percentage points", off.value > 0, ("comes first", "loses")
        share, fair_share = (wording.number(100 * number, 1) for number in (estimate.value, fair))
        text = (
            f"With {part.players} players, {subject} {('comes first in', 'loses')[part.place]} {share} % of games: "
            f"{points} {'above' if ahead else 'below'} the fair {fair_share} %."
        )
        group, of, example = None, str((seat or 0) + 1), of_excess(part, part.shares, seat or 0)
        if seat is None:
            group = f"Whoever starts {takes[part.place]} {'more' if ahead else 'less'} often than fair"
            of, example = "", of_excess(part, part.starter_share)
        text += " Other bots play the other seats." if kind == "bot" else ""
        return Finding(
            kind, (part.players,), text, group, points, of, abs(off.value) / deviation_of_share(fair), example
        )

    return Hypothesis(p_beyond(estimate, fair), finding, kind=kind, found=estimate)


def of_result(part: ReportPart, kind: str, subject: str, above: Estimate) -> Hypothesis:
    """The question whether somebody ends at the mean of the table."""

    def finding() -> Finding:
        side = f"{wording.gap(above, part.measure)} {'above' if above.value > 0 else 'below'}"
        text = f"With {part.players} players, {subject} ends {side} the mean of the table, on average."
        return Finding(kind, (part.players,), text, size=abs(above.value) / (deviation(part) or 1.0))

    return Hypothesis(p_beyond(above, 0.0), finding, kind=kind, found=above)


def of_start(part: ReportPart, study: StartStudy) -> Hypothesis:
    """The question what starting is worth where chance decided who starts."""
    estimate = study.place(part.place)

    def finding() -> Finding:
        more, points = estimate.value > 0, f"{wording.points(estimate)} percentage points"
        helps = "helps" if more != bool(part.place) else "hurts"
        did = (
            f"whoever could start {('came first', 'lost')[part.place]} {'more' if more else 'less'} often when starting"
        )
        decided = f"in {wording.count(study.decided)} of {wording.count(study.games)} games"
        text = (
            f"With {part.players} players, starting {helps}: {decided} {part.starting.chance or part.starting.why} "
            f"decided who starts, and {did}, by {points}."
        )
        size = abs(estimate.value) / deviation_of_share(1 / part.players)
        example = example_of(study.examples.get((part.place, more)))
        group = f"Starting {helps}: {did}"
        return Finding("start", (part.players,), text, group, points, size=size, example=example)

    return Hypothesis(p_beyond(estimate, 0.0), finding, kind="start", found=estimate)


def unsure_bots(part: ReportPart, tests: Tests) -> Iterator[Finding]:
    """That none of the bots that differ is surely better or worse than another."""
    if not part.same_bots and part.bots and not any(sure and q.kind == "bot" for q, sure in tests.of(part)):
        text = f"With {part.players} players, the bots that differ aren't surely better or worse: no seat is further "
        yield Finding("bots", (part.players,), text + f"than {no_further(part, part.players)}")


def no_further(part: ReportPart, tests: int) -> str:
    """How far seats are from a fair share at most, at 95 % for so many tests together."""
    fair = 1 / part.players
    widest = 100 * bound([share.shifted(-fair) for share in part.statistics.estimates(part.shares)], tests)
    return f"{wording.fitting(widest)} percentage points from its fair {wording.number(100 * fair, 1)} %."


# --- cards, moves, ways of playing ------------------------------------------------------------------------------------
def of_cards(part: ReportPart, study: CauseStudy) -> Iterator[Hypothesis]:
    """Whether a card is too strong, too weak, or dead."""
    varies, cards = deviation(part), study.cards
    for k, key in enumerate(cards.names):
        label = english(study.labels.get(key, key))
        thing = key, f"“{label}”" if key.isdigit() else label
        gain, used = cards.dealt_gain.estimate(k), cards.used.estimate(k)
        if gain.count and cards.dealt_gain.games(k) >= ENOUGH:
            kind, shows = (TOO_STRONG, ENDED_ABOVE) if gain.value > 0 else (TOO_WEAK, BELOW)
            p = p_beyond(gain, 0.0) if abs(gain.value) >= STRONG * varies else 1.0
            value, size = wording.gap(gain, part.measure), abs(gain.value) / (varies or 1.0)
            yield of_thing(part, kind, thing, value, p, gain, example_of(cards.examples.get((shows, key))), size=size)
        if used.count:
            plain = independent(used, cards.used.games(k))
            yield of_use(part, DEAD, thing, plain, DEAD_CARD, example_of(cards.examples.get((UNUSED, key))))


def of_actions(part: ReportPart, study: CauseStudy) -> Iterator[Hypothesis]:
    """Whether an action is hardly ever chosen, or never worth it; what was never legal is no question."""
    worths, varies, labels = part.worths, deviation(part), kind_labels(part.messages)
    for k, (key, label) in enumerate(zip(study.actions.names, labels, strict=True)):
        if label is None:
            continue
        worth, chosen, example = worths[k], study.actions.chosen, move_example(part, k)
        if chosen.estimate(k).count:
            plain = independent(chosen.estimate(k), chosen.games(k))
            yield of_use(part, IDLE, (key, label), plain, DEAD_ACTION, example)
        if worth.best.count and worth.over_others.count:
            p = max(p_below(worth.best, SELDOM_BEST), p_below(worth.over_others, -COSTLY * varies))
            value = wording.gap(worth.over_others, part.measure)
            yield of_thing(part, WORTHLESS, (key, label), value, p, worth.best, example)


def of_use(
    part: ReportPart, kind: str, thing: tuple[str, str], used: Estimate, least: float, example: Example | None
) -> Hypothesis:
    """The question whether a card or a kind of moves is used less than the least share."""
    value, p = wording.percent(used), p_below(used, least)
    return of_thing(part, kind, thing, value, p, used, example, unsure=used.low < least)


def of_thing(
    part: ReportPart,
    kind: str,
    thing: tuple[str, str],
    value: str,
    p: float,
    estimate: Estimate,
    example: Example | None = None,
    *,
    unsure: bool = False,
    size: float = 0.0,
) -> Hypothesis:
    """A question about a card, a kind of moves or a way of playing: its stable name, and how it is called."""
    key, what = thing

    def finding() -> Finding:
        text = PARTS[kind].format(what=what, listed=f"{value} with {part.players} players")
        own = "probe" if kind == "probe" else "unworthy"
        return Finding(own, (part.players,), text, subject=f"{kind} {key}", size=size, example=example)

    return Hypothesis(p, finding, kind=kind, subject=key, what=what, value=value, found=estimate, unsure=unsure)


# --- why a seat is ahead ----------------------------------------------------------------------------------------------
def why(report: Report, part: ReportPart) -> Iterator[Finding]:
    """What explains most of the difference between the best and the worst seat, where it is sure.

    With turns and what else is counted where the seats surely differ in it.
    """

    def size(estimate: Estimate) -> str:
        return wording.plain(wording.absolute(estimate), 2)

    study = part.causes
    for ledger in study.ledgers if study is not None else ():
        apart = gap_of(report, part, ledger)
        if study is None or apart is None or not apart.largest:
            continue
        best, worst, names = apart.best + 1, apart.worst + 1, ledger.account.sources
        sources = ", ".join(f"{names[k].name} ({size(apart.sources[k])})" for k in apart.largest)
        text = (
            f"With {part.players} players, seat {best} does best and seat {worst} worst. They are "
            f"{size(apart.total)} {ledger.account.unit} apart; the largest part: {sources}."
        )
        counters, counts = study.counters(ledger), list[str]()
        for name, values in counters:
            own = values[:, apart.best], values[:, apart.worst]
            if mean(own[0] - own[1]).significant(0.0, 10 * len(counters)):
                first, second = (wording.number(float(of_seat.mean()), 1) for of_seat in own)
                counts.append(f"{name} {first} and {second}")
        text += f" A game gives seats {best} and {worst}: {', '.join(counts)}." if counts else ""
        yield Finding("why", (part.players,), text)
        return


# --- luck and skill ---------------------------------------------------------------------------------------------------
def skill(part: ReportPart) -> Iterator[Finding]:
    """Whether luck decides, or skill."""
    duel, begins, players = part.duel_with_random, f"With {part.players} players, ", (part.players,)
    if duel is not None and duel.games is None:  # it is worse, or nobody knows
        text = (
            f"{duel.deals} deals don't show whether the house bot beats random play: its result among random bots is "
        )
        if duel.gain.significant():
            text = "random play does better than the house bot, whose result among random bots is "
        text = f"{begins}{text}{wording.gap_signed(duel.gain, part.measure)} above the mean."
        yield Finding("skill", players, text)
    elif duel is not None and duel.games is not None and duel.games.low >= LUCKY:
        number = wording.whole_numbers(duel.games)
        text = f"{begins}luck dominates: it takes {number} games {CERTAINTY}."
        yield Finding("luck", players, text, f"Luck dominates; games it takes {CERTAINTY}", number)
    elif duel is not None and duel.games is not None and duel.games.high <= SKILLED:
        games = int(duel.games.high)
        enough = "1 game is enough" if games == 1 else f"{games} games are enough"
        text, group = f"{begins}skill decides: {enough} {CERTAINTY}.", f"Skill decides; games it takes {CERTAINTY}"
        yield Finding("skill", players, text, group, str(games))


# --- what seldom or never comes, with any number of players -----------------------------------------------------------
NEVER_ENDED = "With these options, none of {games} games ended this way: {ending}."


def never_ended(parts: Sequence[ReportPart], text: str = NEVER_ENDED) -> Iterator[Finding]:
    """Endings that never came in some parts, though they can with these options."""
    game, count = parts[0].game, sum(len(part.statistics) for part in parts)
    for k, ending in enumerate(game.endings[1:], 1):
        ever = any(part.statistics[ENDED, k].value for part in parts)
        if not ever and can_come(game, "ended", game.rules.ENDINGS[k]) and rare(count):
            sentence = text.format(games=wording.count(count), players=game.players, ending=ending)
            yield Finding("ending", tuple(part.players for part in parts), sentence)


def rare(games: int) -> bool:
    """Whether what never came in so many games is significantly rare."""
    return share(0, games).high < RARELY


def seldom(report: Report) -> Iterator[Finding]:
    """An ending that nearly always comes; endings, legal kinds of moves, and messages that could come and never did."""
    ended, game, parts, games = report.game.endings, report.game, report.parts, wording.count(report.games)
    possible = [k for k, name in enumerate(game.rules.ENDINGS) if k and can_come(game, "ended", name)]
    for k in possible if len(possible) > 1 else []:
        shares = [part.statistics[ENDED, k] for part in parts]
        if min(share.low for share in shares) > ALWAYS:
            least = wording.percent(min(shares, key=lambda each: each.low))
            yield Finding("ending", report.players, f"Nearly all games end the same way: {ended[k]} ({least}).")
    yield from never_ended(parts)
    for k, labels in enumerate(zip(*(kind_labels(part.messages) for part in parts), strict=True)):
        legal = [text for text in labels if text is not None]
        if legal and not any(part.statistics[KIND, k].value for part in parts) and rare(report.games):
            text = f"Possible at times, but never played in {games} games: “{legal[0]}”."
            yield Finding("unused", report.players, text)
    keys = [{text.key for text in part.messages.never()} for part in parts]
    never = [text for text in parts[0].messages.never() if all(text.key in key for key in keys)]
    matches = sum(part.messages.matches for part in parts)
    if never and rare(matches):
        listed = ", ".join(f"“{english(text)}”" for text in never)
        most = wording.number(100 * share(0, matches).high, 1)
        text = (
            f"This never happened in {wording.count(matches)} games, so it happens in at most {most} % of all games: "
        )
        yield Finding("silent", report.players, f"{text}{listed}.")
