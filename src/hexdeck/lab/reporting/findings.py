"""Findings: sentences, made from measures, on what is beyond chance for all questions together, the largest first."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from hexdeck.lab.counts import ENDED, KIND
from hexdeck.lab.messages import can_come
from hexdeck.lab.pairs import bound
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.figures import gap_of
from hexdeck.lab.reporting.measures import Finding, Hypothesis, questions_of
from hexdeck.lab.reporting.report import FAIRNESS, Report, ReportPart
from hexdeck.lab.reporting.tables import measured
from hexdeck.lab.reporting.wording import english, kind_labels
from hexdeck.stats import Estimate, holm, mean, share

ALWAYS = 0.99  # of games: an ending that nearly always comes
RARELY = 0.05  # what never came makes a finding where its share of games is significantly smaller
LUCKY, SKILLED = 60, 3  # games until the house bot is ahead of random play: luck from so many on, skill up to so few
MERGED = 3  # findings with the same group are merged from so many numbers of players on
CERTAINTY = "to tell the house bot from random play with 95 % certainty"


# --- all questions together -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tests:
    """All questions of a report's parts, and which are significant at 5 % for all, and all looks, together (Holm)."""

    report: Report

    @functools.cached_property
    def answered(self) -> list[list[tuple[Hypothesis, bool]]]:
        """For each part its questions, and whether each is significant; those about fairness share their own weight."""
        questions = []
        for part in self.report.parts:
            asked = [item for measure in measured(part) for item in questions_of(part, measure)]
            seats = sum(item.fair for item in asked)
            shares = {True: FAIRNESS / max(1, seats), False: (1 - FAIRNESS) / max(1, len(asked) - seats)}
            questions.append([replace(item, weight=shares[item.fair]) for item in asked])
        sure = iter(holm([self.report.looks * q.p for q in chain(*questions)], [q.weight for q in chain(*questions)]))
        return [[(question, next(sure)) for question in item] for item in questions]

    def of(self, part: ReportPart) -> list[tuple[Hypothesis, bool]]:
        """The questions of one part."""
        return next(questions for own, questions in zip(self.report.parts, self.answered, strict=True) if own is part)

    def sure(self, parts: Sequence[ReportPart]) -> list[Finding]:
        """The findings of some parts, the largest first; what is found of a card or a way of playing is one finding."""
        alone: list[Finding] = []
        joined: dict[str, list[tuple[Hypothesis, Finding]]] = {}
        for part in parts:
            for question, sure in self.of(part):
                if sure and question.joined:
                    joined.setdefault(question.joined, []).append((question, question.tell()))
                elif sure:
                    alone.append(question.tell())
        alone = merged(alone)
        for group in joined.values():
            listed = ", ".join(f"{found.value} with {found.players[0]} players" for _question, found in group)
            alone.append(together([found for _question, found in group], group[0][0].tell(listed).text))
        return sorted(alone, key=lambda finding: -finding.size)


def findings(tests: Tests) -> list[Finding]:
    """All findings of a report."""
    report = tests.report
    certain = [
        finding for part in report.parts for finding in (*unsure_bots(part, tests), *skill(part), *why(report, part))
    ]
    return [*tests.sure(report.parts), *merged(certain), *seldom(report)]


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
    numbered = [(finding.value, finding.players[0]) for finding in findings]
    for (value, _first), run in groupby(enumerate(numbered), lambda each: (each[1][0], each[1][1] - each[0])):
        players = [number for _k, (_value, number) in run]
        yield f"{value} with {players[0] if len(players) == 1 else f'{players[0]} to {players[-1]}'} players"


# --- fair? ------------------------------------------------------------------------------------------------------------
def unsure_bots(part: ReportPart, tests: Tests) -> Iterator[Finding]:
    """That none of the bots that differ is surely better or worse than another."""
    if not part.same_bots and part.bots and not any(sure and q.fair for q, sure in tests.of(part)):
        text = f"With {part.players} players, the bots that differ aren't clearly better or worse: no seat is further "
        yield Finding("bots", (part.players,), text + f"than {no_further(part, part.players)}")


def no_further(part: ReportPart, tests: int) -> str:
    """How far seats are from a fair share at most, at 95 % for so many tests together."""
    fair = 1 / part.players
    widest = 100 * bound([share.shifted(-fair) for share in part.statistics.estimates(part.shares)], tests)
    return f"{wording.fitting(widest)} percentage points from its fair {wording.number(100 * fair, 1)} %."


# --- why a seat is ahead ----------------------------------------------------------------------------------------------
def why(report: Report, part: ReportPart) -> Iterator[Finding]:
    """What explains most of the difference between the best and the worst seat, where it is sure; and turns."""

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
        text = f"Never seen in {wording.count(matches)} games, so in at most {most} % of all: {listed}."
        yield Finding("silent", report.players, text)
