"""Findings: sentences, made from measures, on what is beyond chance for all questions together, the largest first."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby

from hexdeck.lab import causes, messages, pairs
from hexdeck.lab.counts import ABOVE, ENDED, FIRST, KIND, LAST, STARTER_FIRST, STARTER_LAST, STARTER_RESULT
from hexdeck.lab.reporting import figures, tables, wording
from hexdeck.lab.reporting.measures import Finding, Hypothesis, questions_of
from hexdeck.lab.reporting.report import FAIRNESS, Report, ReportPart
from hexdeck.stats import Estimate, holm, mean, p_beyond, share

ALWAYS = 0.99  # of games: an ending that nearly always comes
RARELY = 0.05  # what never came makes a finding where its share of games is significantly smaller
SEATS = {ABOVE, FIRST, LAST, STARTER_RESULT, STARTER_FIRST, STARTER_LAST}
APART = {"why", "skill", "luck", "easy"}  # kinds that are told in their own place, not by `sure`
ANSWERED = SEATS | {"start_gain", "start_first", "start_last", "used", "chosen", "long_games", "lead_50"}


# --- all questions together -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tests:
    """All questions of a report's parts, and which are significant at 5 % for all, and all looks, together (Holm)."""

    report: Report

    @functools.cached_property
    def answered(self) -> list[list[tuple[Hypothesis, bool]]]:
        """For each part its questions, and whether each is significant; those on the first page share a weight."""
        questions = []
        for part in self.report.parts:
            hypotheses = [item for measure in tables.measured(part) for item in questions_of(part, measure)]
            hypotheses += [*reasons(self.report, part), *of_skill(part)]
            first = [item.fair or item.kind in APART for item in hypotheses]
            shares = {True: FAIRNESS / max(1, sum(first)), False: (1 - FAIRNESS) / max(1, len(hypotheses) - sum(first))}
            questions.append([replace(item, weight=shares[of]) for item, of in zip(hypotheses, first, strict=True)])
        together, times = [*chain(*questions)], self.report.correction
        sure = iter(holm([times * question.p for question in together], [question.weight for question in together]))
        return [[(question, next(sure)) for question in item] for item in questions]

    def of(self, part: ReportPart) -> list[tuple[Hypothesis, bool]]:
        """The questions of one part."""
        return next(questions for own, questions in zip(self.report.parts, self.answered, strict=True) if own is part)

    def why(self, part: ReportPart) -> list[Finding]:
        """Why a seat is ahead, by the first account that surely tells; nothing if none does."""
        return [question.tell() for question, sure in self.of(part) if sure and question.kind == "why"][:1]

    def sure(self, parts: Sequence[ReportPart]) -> list[Finding]:
        """The findings of some parts, the largest first; what is found of a card or a way of playing is one finding."""
        alone: list[Finding] = []
        joined: dict[str, list[tuple[Hypothesis, Finding]]] = {}
        for part in parts:
            for question, sure in self.of(part):
                if sure and question.joined:
                    joined.setdefault(question.joined, []).append((question, question.tell()))
                elif sure and question.kind not in APART:
                    alone.append(question.tell())
        alone = merged(alone)
        for group in joined.values():
            of_group = [finding for _question, finding in group]
            alone.append(together(of_group, group[0][0].tell(largest(of_group)).text))
        return sorted(alone, key=lambda finding: -finding.size)


def findings(tests: Tests) -> list[Finding]:
    """All findings of a report."""
    report = tests.report
    certain = [finding for part in report.parts for finding in (*unsure_bots(part, tests), *tests.why(part))]
    return [*unanswered(tests, report.parts), *certain, *seldom(report)]


def unanswered(tests: Tests, parts: Sequence[ReportPart]) -> list[Finding]:
    """The sure findings that neither answers tell nor another finding, each with the options that mend it."""
    excluded, by_players = ANSWERED if parts[0].same_bots else ANSWERED - SEATS, {part.players: part for part in parts}
    return [
        replace(finding, text=finding.text + levers(by_players[finding.players[0]], finding.kind, finding.subject))
        for finding in tests.sure(parts)
        if finding.kind not in excluded
    ]


def levers(part: ReportPart, *names: str) -> str:
    """Which options mend what a question or a finding is about, as the game declares them; nothing if none do."""
    declared, usual = part.game.hints.STUDY.levers, part.game.usual().options
    mending = next((declared[name] for name in (" ".join(names), names[0]) if name in declared), ())
    options = [name for name in mending if part.game.options[name] == usual[name]]  # else it was turned already
    table = type(part.game).at_table(part.game.name, part.players)
    if options and all(table.options[name] != usual[name] for name in options):
        return f" Tables play with {wording.listed(wording.spelled(table, options))}: look there first."
    return f"{try_all(part)} {' '.join(options)}" if options else ""


def try_all(part: ReportPart) -> str:
    """The command that tries options, all unless some follow it."""
    again = "".join(f" --option {option}" for option in wording.changed_options(part.game))
    return f" Try: hexdeck compare {part.game.name} --players {part.players}{again} --vary"


def merged(findings: list[Finding]) -> list[Finding]:
    """The findings, with those that say the same of several numbers of players made one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.group or str(id(finding)), []).append(finding)
    return [
        group[0] if len(group) == 1 else together(group, f"{group[0].group}: {largest(group)}.")
        for group in groups.values()
    ]


def together(findings: Sequence[Finding], text: str) -> Finding:
    """What several findings say with one number of players each, as one finding, as large as the largest of them."""
    top = max(findings, key=lambda finding: finding.size)
    players = *top.players, *(finding.players[0] for finding in findings if finding is not top)
    return replace(top, players=players, text=text, group=None, value="")


def largest(findings: Sequence[Finding]) -> str:
    """The largest of what was found with different numbers of players, and with which others it was."""
    top = max(findings, key=lambda finding: finding.size)
    players = sorted(finding.players[0] for finding in findings if finding is not top)
    rows = [[n for _k, n in row] for _gap, row in groupby(enumerate(players), lambda each: each[1] - each[0])]
    spans = ([f"{row[0]} to {row[-1]}"] if len(row) > 2 else [*map(str, row)] for row in rows)
    also = wording.listed([*chain(*spans)])
    return f"{top.value} with {top.players[0]} players" + (f"; also with {also}" if also else "")


# --- fair? ------------------------------------------------------------------------------------------------------------
def unsure_bots(part: ReportPart, tests: Tests) -> Iterator[Finding]:
    """That none of the bots that differ is surely better or worse than another."""
    if not part.same_bots and part.bots and not any(sure and q.fair for q, sure in tests.of(part)):
        text = f"With {part.players} players, the bots that differ aren't clearly better or worse: no seat is further "
        yield Finding("bots", (part.players,), text + f"than {no_further(part, part.players)}")


def no_further(part: ReportPart, tests: int) -> str:
    """How far seats are from a fair share at most, at 95 % for so many tests together."""
    fair = 1 / part.players
    widest = 100 * pairs.bound([share.shifted(-fair) for share in part.statistics.estimates(part.shares)], tests)
    return f"{wording.fitting(widest)} percentage points from its fair {wording.number(100 * fair, 1)} %."


# --- why a seat is ahead, and luck ------------------------------------------------------------------------------------
LUCKY, EVEN = 60, 200  # games until the house bot is ahead of random play, and of easy bots: from so many on it is luck


def reasons(report: Report, part: ReportPart) -> Iterator[Hypothesis]:
    """For each account whether the best seat ends ahead of the worst, and what explains most of that."""
    for ledger in part.causes.ledgers if part.causes is not None else ():
        apart = figures.gap_of(report, part, ledger)
        if apart is not None:
            tell = partial(why, report, part, ledger, apart)
            yield Hypothesis(apart.p if apart.largest else 1.0, tell, kind="why")


def why(report: Report, part: ReportPart, ledger: causes.Ledger, apart: causes.Gap) -> Finding:
    """What explains most of the difference between the best and the worst seat; and turns."""

    def size(estimate: Estimate) -> str:
        return wording.plain(wording.absolute(estimate), 2)

    best, worst, names = apart.best + 1, apart.worst + 1, ledger.account.sources
    sources = ", ".join(f"{names[k].name} ({size(apart.sources[k])})" for k in apart.largest)
    text = (
        f"With {part.players} players, seat {best} does best and seat {worst} worst. They are "
        f"{size(apart.total)} {ledger.account.unit} apart; the largest part: {sources}."
    )
    counters, counts = part.causes.counters(ledger) if part.causes is not None else [], list[str]()
    for name, values in counters:
        own = values[:, apart.best], values[:, apart.worst]
        if mean(own[0] - own[1]).significant(0.0, report.tests * len(counters)):
            first, second = (wording.number(float(of_seat.mean()), 1) for of_seat in own)
            counts.append(f"{name} {first} and {second}")
    text += f" A game gives seats {best} and {worst}: {', '.join(counts)}." if counts else ""
    return Finding("why", (part.players,), text)


def of_skill(part: ReportPart) -> Iterator[Hypothesis]:
    """Whether the house bot is better or worse than random play, and whether it takes as many games as is much luck."""
    duel = part.duel_with("random")
    if duel is not None:
        yield Hypothesis(p_beyond(duel.gain, 0.0), partial(Finding, "skill", (part.players,), ""), kind="skill")
    for kind, others, many in (("luck", "random", LUCKY), ("easy", "gentle", EVEN)):
        bots = part.duel_with(others)
        if bots is not None and (games := bots.games) is not None:
            value, low, high = (number**-0.5 for number in (games.value, games.high, games.low))
            p = p_beyond(Estimate(value, low, high, games.count), many**-0.5)  # of the lead, which is as that
            yield Hypothesis(p, partial(Finding, kind, (part.players,), ""), kind=kind)


# --- what seldom or never comes, with any number of players -----------------------------------------------------------
NEVER_ENDED = "With these options, none of {games} games ended this way: {ending}."


def never_ended(parts: Sequence[ReportPart], text: str = NEVER_ENDED) -> Iterator[Finding]:
    """Endings that never came in some parts, though they can with these options."""
    game, count = parts[0].game, sum(len(part.statistics) for part in parts)
    for k, ending in enumerate(game.endings[1:], 1):
        ever = any(part.statistics[ENDED, k].value for part in parts)
        if not ever and messages.can_come(game, "ended", game.rules.ENDINGS[k]) and rare(count):
            sentence = text.format(games=wording.count(count), players=game.players, ending=ending)
            yield Finding("ending", tuple(part.players for part in parts), sentence)


def rare(games: int) -> bool:
    """Whether what never came in so many games is significantly rare."""
    return share(0, games).high < RARELY


def seldom(report: Report) -> Iterator[Finding]:
    """An ending that nearly always comes; endings and legal kinds of moves that could come and never did."""
    ended, game, parts, games = report.game.endings, report.game, report.parts, wording.count(report.games)
    possible = [k for k, name in enumerate(game.rules.ENDINGS) if k and messages.can_come(game, "ended", name)]
    for k in possible if len(possible) > 1 else []:
        shares = [part.statistics[ENDED, k] for part in parts]
        if min(share.low for share in shares) > ALWAYS:
            least = wording.percent(min(shares, key=lambda each: each.low))
            yield Finding("ending", report.players, f"Nearly all games end the same way: {ended[k]} ({least}).")
    yield from never_ended(parts)
    for k, labels in enumerate(zip(*(wording.kind_labels(part.messages) for part in parts), strict=True)):
        legal = [text for text in labels if text is not None]
        if legal and not any(part.statistics[KIND, k].value for part in parts) and rare(report.games):
            text = f"Possible at times, but never played in {games} games: “{legal[0]}”."
            yield Finding("unused", report.players, text)
