"""Findings: sentences about what is beyond chance, for all questions of a report together, the largest first.

They are generated from measures and never written by hand. What never happens at all is told after them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.causes import ABOVE as ENDED_ABOVE
from hexdeck.lab.causes import BELOW, UNUSED, CauseStudy, Gap, Ledger
from hexdeck.lab.counts import ABOVE, ENDED, FIRST, KIND, LAST, STARTER_FIRST, STARTER_LAST, STARTER_RESULT, STARTS
from hexdeck.lab.luck import Duel
from hexdeck.lab.messages import can_come
from hexdeck.lab.pairs import GAIN, probe_of
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.measures import (
    Cell,
    Example,
    Finding,
    Hypothesis,
    deviation,
    deviation_of_share,
    questions_of,
)
from hexdeck.lab.reporting.report import FAIRNESS, Report, ReportPart
from hexdeck.lab.reporting.sections import gap_of
from hexdeck.lab.reporting.tables import independent, measured, move_example, of_excess, worths_of
from hexdeck.lab.reporting.wording import bot_text, joined, kind_labels
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

SHARES = {
    FIRST: _(
        "With {players} players, {who} comes first in {share} % of games: {points} percentage points {side} the "
        "fair {fair} %."
    ),
    LAST: _(
        "With {players} players, {who} loses {share} % of games: {points} percentage points {side} the fair {fair} %."
    ),
}
SIDES = {True: say("above"), False: say("below")}
OTHERS = _("{sentence} Other bots play the other seats.")
STARTER_ALL = {
    (FIRST, True): say("Whoever starts comes first more often than fair"),
    (FIRST, False): say("Whoever starts comes first less often than fair"),
    (LAST, True): say("Whoever starts loses more often than fair"),
    (LAST, False): say("Whoever starts loses less often than fair"),
}
WORTH = _(
    "With {players} players, starting {helps}: in {decided} of {games} games {chance} decided who starts, and whoever "
    "could start {did} when starting, by {points} percentage points."
)
WORTH_ALL = _("Starting {helps}: whoever could start {did} when starting")
DID = {
    (FIRST, True): (say("helps"), say("came first more often")),
    (FIRST, False): (say("hurts"), say("came first less often")),
    (LAST, True): (say("hurts"), say("lost more often")),
    (LAST, False): (say("helps"), say("lost less often")),
}
RESULTS = {
    True: _("With {players} players, {who} ends {gap} above the mean of the table, on average."),
    False: _("With {players} players, {who} ends {gap} below the mean of the table, on average."),
}
LUCK = say("Luck dominates; games it takes to tell the house bot from random play with 95 % certainty")
SKILL = say("Skill decides; games it takes to tell the house bot from random play with 95 % certainty")
DEAD, WORTHLESS, TOO_STRONG, TOO_WEAK, IDLE = "dead_card", "worthless", "strong", "weak", "idle"
PARTS = {
    TOO_STRONG: _("{what} may be too strong: whoever is dealt it ends above the mean of the table, by {listed}."),
    TOO_WEAK: _("{what} may be too weak: whoever is dealt it ends below the mean of the table, by {listed}."),
    DEAD: _("{what} is a dead card: hardly anybody who holds it uses it, {listed}."),
    IDLE: _("“{what}” is hardly ever chosen where it is allowed: in {listed}."),
    WORTHLESS: _(
        "“{what}” is hardly ever worth it: by what bots expect, the best other move brings more, by {listed}."
    ),
    "probe": _("{what} beats playing as these bots do: it gains {listed}."),
}
WHY = _(
    "With {players} players, seat {best} does best and seat {worst} worst. They are {total} {unit} apart; the largest "
    "part: {sources}."
)
COUNTED = _("{sentence} A game gives seats {best} and {worst}: {counts}.")


# --- all questions together -------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tests:
    """All questions of a report's parts, and which are significant at 5 % for all of them together (Holm).

    That they were asked several times is corrected for too.
    """

    report: Report

    @functools.cached_property
    def answered(self) -> list[list[tuple[Hypothesis, bool]]]:
        """For each part its questions, and whether each is significant."""
        questions = [
            [*weighted(fairness(part), FAIRNESS), *weighted(other_questions(part), 1 - FAIRNESS)]
            for part in self.report.parts
        ]
        sure = iter(holm([self.report.looks * q.p for q in chain(*questions)], [q.weight for q in chain(*questions)]))
        return [[(question, next(sure)) for question in item] for item in questions]

    def of(self, part: ReportPart) -> list[tuple[Hypothesis, bool]]:
        """The questions of one part."""
        return next(questions for own, questions in zip(self.report.parts, self.answered, strict=True) if own is part)

    def sure(self, parts: Sequence[ReportPart]) -> list[Finding]:
        """The findings of some parts, the largest first; what is found of a card or a way of playing is one finding."""
        alone: list[Finding] = []
        subjects: dict[tuple[str, str], list[tuple[ReportPart, Hypothesis, Finding]]] = {}
        for part in parts:
            for question, sure in self.of(part):
                if sure and question.subject:
                    subjects.setdefault((question.kind, question.subject), []).append((part, question, question.tell()))
                elif sure:
                    alone.append(question.tell())
        alone = merged(alone) + [same_part(subject) for subject in subjects.values()]
        return sorted(alone, key=lambda finding: -finding.size)


def weighted(questions: Iterator[Hypothesis], weight: float) -> list[Hypothesis]:
    """Questions that share a weight."""
    listed = list(questions)
    return [replace(item, weight=weight / len(listed)) for item in listed]


def findings(report: Report) -> list[Finding]:
    """All findings of a report."""
    tests = Tests(report)
    certain = [
        finding for part in report.parts for finding in (*unsure_bots(part, tests), *skill(part), *why(report, part))
    ]
    return [*tests.sure(report.parts), *merged(certain), *(finding for find in OF_REPORT for finding in find(report))]


def other_questions(part: ReportPart) -> Iterator[Hypothesis]:
    """The questions about everything but fairness."""
    for measure in measured(part):
        yield from questions_of(part, measure)
    if part.causes is not None:
        yield from of_cards(part, part.causes)
        yield from of_actions(part)
    yield from of_probes(part)


def merged(findings: list[Finding]) -> list[Finding]:
    """The findings, with those that say the same of at least MERGED numbers of players made one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.group is not None:
            groups.setdefault(str(finding.group), []).append(finding)
    out: list[Finding] = []
    for finding in findings:
        group = groups[str(finding.group)] if finding.group is not None else []
        if len(group) < MERGED:
            out.append(finding)
        elif finding is group[0]:
            out.append(combined(group))
    return out


def combined(findings: list[Finding]) -> Finding:
    """Several findings of one group as one finding."""
    parts = [
        say("{value} with {players} players", value=run[0].value, players=run[0].players[0])
        if len(run) == 1
        else say(
            "{value} with {least} to {most} players",
            value=run[0].value,
            least=run[0].players[0],
            most=run[-1].players[0],
        )
        for run in runs(findings)
    ]
    players = tuple(finding.players[0] for finding in findings)
    text = say("{group}: {listed}.", group=findings[0].group, listed=joined(parts))
    return Finding(
        findings[0].kind, players, text, size=max(finding.size for finding in findings), example=findings[0].example
    )


def runs(findings: list[Finding]) -> list[list[Finding]]:
    """The findings in runs: equal values for consecutive numbers of players."""
    out: list[list[Finding]] = []
    for finding in findings:
        last = out[-1][-1] if out else None
        if last and (str(last.value), last.players[0] + 1) == (str(finding.value), finding.players[0]):
            out[-1].append(finding)
        else:
            out.append([finding])
    return out


def same_part(group: Sequence[tuple[ReportPart, Hypothesis, Finding]]) -> Finding:
    """What is found of a card, a kind of moves or a way of playing, with each number of players, as one finding."""
    _part, question, first = group[0]
    values = [with_players(part, question.value) for part, question, _finding in group]
    text = say(PARTS[question.kind], what=question.what, listed=joined(values))
    players = tuple(part.players for part, _question, _finding in group)
    return replace(first, players=players, text=text, size=max(finding.size for _part, _question, finding in group))


def with_players(part: ReportPart, value: Cell) -> Text:
    """What was found with a number of players."""
    return say("{value} with {players} players", value=value, players=part.players)


# --- fair? ------------------------------------------------------------------------------------------------------------
def fairness(part: ReportPart) -> Iterator[Hypothesis]:
    """Whether each seat, or whoever starts, takes its share of the place that decides, and ends at the table's mean."""
    yield from starting(part)
    for seat, estimate in enumerate(part.statistics.estimates(part.shares) if part.bots else ()):
        if not part.same_bots:
            subject = say("the {bot} in seat {seat}", bot=bot_text(part.bots[seat]), seat=seat + 1)
            yield of_share(part, "bot", subject, estimate, seat)
        elif not is_starter(part, seat):
            yield of_share(part, "seat", say("seat {seat}", seat=seat + 1), estimate, seat)
    if part.same_bots and not part.place and not won_or_lost(part):
        for seat, above in enumerate(part.statistics.estimates(ABOVE)):
            if not is_starter(part, seat):
                yield of_result(part, "seat_result", say("seat {number}", number=seat + 1), above)


def won_or_lost(part: ReportPart) -> bool:
    """Whether results are matches won, so that they say no more than shares do."""
    return (part.measure.low, part.measure.high) == (0.0, 100.0)


def is_starter(part: ReportPart, seat: int) -> bool:
    """Whether a seat always starts and is the starter that `starting` asks about."""
    return part.starting.at_random and part.statistics[STARTS, seat].value == 1


def starting(part: ReportPart) -> Iterator[Hypothesis]:
    """What starting is worth: of all games where a seat or a lot decides who starts, else of those where chance did."""
    if not part.same_bots:
        return
    begins = part.statistics[STARTER_LAST if part.place else STARTER_FIRST]
    if part.starting.at_random:
        subject = say("whoever starts ({why})", why=part.starting.why)
        yield of_share(part, "beginner", subject, begins)
        if not part.place and not won_or_lost(part):
            yield of_result(part, "beginner_result", subject, part.statistics[STARTER_RESULT])
    elif part.starts is not None and part.starts.enough:
        yield of_start(part, part.starts)


def of_share(part: ReportPart, kind: str, subject: Text, estimate: Estimate, seat: int | None = None) -> Hypothesis:
    """The question whether the share of a seat, or of whoever starts, is fair."""
    fair = 1 / part.players
    off = Estimate(estimate.value - fair, estimate.low - fair, estimate.high - fair, estimate.count)

    def finding() -> Finding:
        points, ahead = wording.points(off), off.value > 0
        text = say(
            SHARES[part.shares],
            players=part.players,
            who=subject,
            share=wording.number(100 * estimate.value, 1),
            points=points,
            side=SIDES[ahead],
            fair=wording.number(100 * fair, 1),
        )
        starter = STARTER_LAST if part.place else STARTER_FIRST
        return Finding(
            kind,
            (part.players,),
            say(OTHERS, sentence=text) if kind == "bot" else text,
            STARTER_ALL[part.shares, ahead] if seat is None else None,
            say("{points} percentage points", points=points),
            "" if seat is None else str(seat + 1),
            abs(off.value) / deviation_of_share(fair),
            of_excess(part, starter) if seat is None else of_excess(part, part.shares, seat),
        )

    return Hypothesis(p_beyond(estimate, fair), finding, kind=kind, found=estimate)


def of_result(part: ReportPart, kind: str, subject: Text, above: Estimate) -> Hypothesis:
    """The question whether somebody ends at the mean of the table."""

    def finding() -> Finding:
        text = say(RESULTS[above.value > 0], players=part.players, who=subject, gap=wording.gap(above, part.measure))
        return Finding(kind, (part.players,), text, size=abs(above.value) / (deviation(part) or 1.0))

    return Hypothesis(p_beyond(above, 0.0), finding, kind=kind, found=above)


def of_start(part: ReportPart, study: StartStudy) -> Hypothesis:
    """The question what starting is worth where chance decided who starts."""
    estimate, fair = study.place(part.place), 1 / part.players

    def finding() -> Finding:
        (helps, did), points = DID[part.shares, estimate.value > 0], wording.points(estimate)
        sentence = say(
            WORTH,
            players=part.players,
            chance=part.starting.chance or part.starting.why,
            points=points,
            helps=helps,
            did=did,
            decided=wording.count(study.decided),
            games=wording.count(study.games),
        )
        number = study.examples.get((part.place, estimate.value > 0))
        return Finding(
            "start",
            (part.players,),
            sentence,
            say(WORTH_ALL, helps=helps, did=did),
            say("{points} percentage points", points=points),
            size=abs(estimate.value) / deviation_of_share(fair),
            example=None if number is None else Example(number),
        )

    return Hypothesis(p_beyond(estimate, 0.0), finding, kind="start", found=estimate)


def unsure_bots(part: ReportPart, tests: Tests) -> Iterator[Finding]:
    """That none of the bots that differ is surely better or worse than another."""
    if part.same_bots or not part.bots or any(sure and q.kind == "bot" for q, sure in tests.of(part)):
        return
    fair, of = 1 / part.players, part.statistics.estimates(part.shares)
    widest = max(max(abs(e.low - fair), abs(e.high - fair)) for e in (x.simultaneous(part.players) for x in of))
    text = _(
        "With {players} players, the bots that differ aren't surely better or worse: no seat is further than "
        "{points} percentage points from its fair {fair} %."
    )
    points, fair_share = wording.number(100 * widest, wording.digits_for(100 * widest)), wording.number(100 * fair, 1)
    yield Finding("bots", (part.players,), say(text, players=part.players, points=points, fair=fair_share))


# --- cards, moves, ways of playing ------------------------------------------------------------------------------------
def of_cards(part: ReportPart, study: CauseStudy) -> Iterator[Hypothesis]:
    """Whether a card is too strong, too weak, or dead."""
    varies = deviation(part)
    for k, key in enumerate(study.cards.names):
        label = study.labels.get(key, key)
        name = say("“{card}”", card=label) if key.isdigit() else label
        gain, used = study.cards.dealt_gain.estimate(k), study.cards.used.estimate(k)
        if gain.count and study.cards.dealt_gain.games(k) >= ENOUGH:
            kind, shows = (TOO_STRONG, ENDED_ABOVE) if gain.value > 0 else (TOO_WEAK, BELOW)
            p = p_beyond(gain, 0.0) if abs(gain.value) >= STRONG * varies else 1.0
            yield of_thing(
                part,
                kind,
                key,
                name,
                wording.gap(gain, part.measure),
                p,
                gain,
                functools.partial(card_example, study, shows, key),
                size=abs(gain.value) / (varies or 1.0),
            )
        if used.count:
            plain = independent(used, study.cards.used.games(k))
            example = functools.partial(card_example, study, UNUSED, key)
            yield of_thing(
                part,
                DEAD,
                key,
                name,
                wording.percent(plain),
                p_below(plain, DEAD_CARD),
                plain,
                example,
                unsure=plain.low < DEAD_CARD,
            )


def card_example(study: CauseStudy, shows: str, key: str) -> Example | None:
    """The first game in which whoever was dealt a card ended above or below the mean, or left it unused."""
    number = study.cards.examples.get((shows, key))
    return None if number is None else Example(number)


def of_actions(part: ReportPart) -> Iterator[Hypothesis]:
    """Whether an action is hardly ever chosen, or never worth it; what was never legal is no question."""
    worths, varies, labels = worths_of(part), deviation(part), kind_labels(part.messages)
    assert part.causes is not None
    for k, key in enumerate(part.causes.actions.names):
        label, worth = labels[k], worths[k]
        if label is None:
            continue
        counts = part.causes.actions.chosen
        example = functools.partial(move_example, part, k)
        if counts.estimate(k).count:
            plain = independent(counts.estimate(k), counts.games(k))
            yield of_thing(
                part,
                IDLE,
                key,
                label,
                wording.percent(plain),
                p_below(plain, DEAD_ACTION),
                plain,
                example,
                unsure=plain.low < DEAD_ACTION,
            )
        if worth.best.count and worth.over_others.count:
            p = max(p_below(worth.best, SELDOM_BEST), p_below(worth.over_others, -COSTLY * varies))
            yield of_thing(
                part, WORTHLESS, key, label, wording.gap(worth.over_others, part.measure), p, worth.best, example
            )


def of_probes(part: ReportPart) -> Iterator[Hypothesis]:
    """Whether a way of playing beats the bots."""
    for effect in part.probes:
        gain = effect.shifts[GAIN].difference
        yield of_thing(
            part,
            "probe",
            effect.change,
            probe_of(part.game, effect.change).doing,
            wording.gap(gain, part.measure),
            p_beyond(gain, 0.0) if gain.value > 0 else 1.0,
            gain,
            lambda: None,
            size=abs(gain.value) / (deviation(part) or 1.0),
        )


def of_thing(
    part: ReportPart,
    kind: str,
    key: str,
    subject: Cell,
    value: Cell,
    p: float,
    estimate: Estimate,
    example: Callable[[], Example | None],
    *,
    unsure: bool = False,
    size: float = 0.0,
) -> Hypothesis:
    """A question about a card, a kind of moves or a way of playing."""

    def finding() -> Finding:
        text = say(PARTS[kind], what=subject, listed=with_players(part, value))
        return Finding(
            "probe" if kind == "probe" else "unworthy",
            (part.players,),
            text,
            subject=f"{kind} {key}",
            size=size,
            example=example(),
        )

    return Hypothesis(p, finding, kind=kind, subject=key, what=subject, value=value, found=estimate, unsure=unsure)


# --- why a seat is ahead ----------------------------------------------------------------------------------------------
def why(report: Report, part: ReportPart) -> Iterator[Finding]:
    """What explains most of the difference between the best and the worst seat, where it is sure."""
    study = part.causes
    for ledger in study.ledgers if study is not None else ():
        apart = gap_of(report, part, ledger)
        if study is not None and apart is not None and apart.largest:
            yield Finding("why", (part.players,), why_text(part, study, ledger, apart))
            return


def why_text(part: ReportPart, study: CauseStudy, ledger: Ledger, apart: Gap) -> Text:
    """The sentence, with turns and what else is counted where the seats surely differ in it."""
    seats, names = {"best": apart.best + 1, "worst": apart.worst + 1}, ledger.account.sources
    sources = [say("{source} ({size})", source=names[k].name, size=size(apart.sources[k])) for k in apart.largest]
    sentence = say(
        WHY, players=part.players, total=size(apart.total), unit=ledger.account.unit, sources=joined(sources), **seats
    )
    counters = [(say("turns"), study.turns)]
    counters += [(source.name, ledger.beside[:, :, k]) for k, source in enumerate(ledger.account.beside)]
    counts = [
        say(
            "{name} {first} and {second}",
            name=name,
            **{
                key: wording.number(float(values[:, seat].mean()), 1)
                for key, seat in (("first", apart.best), ("second", apart.worst))
            },
        )
        for name, values in counters
        if mean(values[:, apart.best] - values[:, apart.worst]).significant(0.0, 10 * len(counters))
    ]
    return say(COUNTED, sentence=sentence, counts=joined(counts), **seats) if counts else sentence


def size(estimate: Estimate) -> Cell:
    """A difference without its sign."""
    return wording.plain(estimate if estimate.value >= 0 else estimate.scaled(-1), 2)


# --- luck and skill ---------------------------------------------------------------------------------------------------
def skill(part: ReportPart) -> Iterator[Finding]:
    """Whether luck decides, or skill."""
    for duel in part.duels:
        if (duel.one, duel.others) != ("house", "random"):
            continue
        if duel.games is None:
            yield Finding("skill", (part.players,), no_better(part, duel))
        elif duel.games.low >= LUCKY:
            text = _(
                "With {players} players, luck dominates: it takes {games} games to tell the house bot from "
                "random play with 95 % certainty."
            )
            number = wording.whole_numbers(duel.games)
            sentence = say(text, players=part.players, games=number)
            yield Finding("luck", (part.players,), sentence, LUCK, number)
        elif duel.games.high <= SKILLED:
            sentence = say_n(
                "With {players} players, skill decides: {n} game is enough to tell the house bot from random "
                "play with 95 % certainty.",
                "With {players} players, skill decides: {n} games are enough to tell the house bot from random "
                "play with 95 % certainty.",
                int(duel.games.high),
                players=part.players,
            )
            yield Finding("skill", (part.players,), sentence, SKILL, str(int(duel.games.high)))


def no_better(part: ReportPart, contest: Duel) -> Text:
    """The sentence where the house bot isn't significantly better than random play: it is worse, or nobody knows."""
    if contest.gain.significant():
        text = _(
            "With {players} players, random play does better than the house bot, whose result among random "
            "bots is {gain} above the mean."
        )
    else:
        text = _(
            "With {players} players, {deals} deals don't show whether the house bot beats random play: its "
            "result among random bots is {gain} above the mean."
        )
    gain = wording.gap_signed(contest.gain, part.measure)
    return say(text, players=part.players, deals=contest.deals, gain=gain)


# --- what never comes, with any number of players ---------------------------------------------------------------------
NEVER_ENDED = _("With these options, none of {games} games ended this way: {ending}.")


def never_ended(parts: Sequence[ReportPart], text: str = NEVER_ENDED) -> Iterator[Finding]:
    """Endings that never came in some parts, though they can with these options."""
    game, count = parts[0].game, sum(len(part.statistics) for part in parts)
    for k, ending in enumerate(game.endings[1:], 1):
        ever = any(part.statistics[ENDED, k].value for part in parts)
        if not ever and can_come(game, "ended", game.rules.ENDINGS[k]) and rare(count):
            yield Finding(
                "ending",
                tuple(part.players for part in parts),
                say(text, games=wording.count(count), players=game.players, ending=ending),
            )


def rare(games: int) -> bool:
    """Whether what never came in so many games is significantly rare."""
    return share(0, games).high < RARELY


def usual_ending(report: Report) -> Iterator[Finding]:
    """An ending that nearly always comes, though others can."""
    ended, game = report.game.endings, report.game
    possible = [k for k, name in enumerate(game.rules.ENDINGS) if k and can_come(game, "ended", name)]
    for k in possible if len(possible) > 1 else []:
        shares = [part.statistics[ENDED, k] for part in report.parts]
        if min(share.low for share in shares) > ALWAYS:
            least = wording.percent(min(shares, key=lambda each: each.low))
            text = _("Nearly all games end the same way: {ending} ({share}).")
            yield Finding("ending", players_of(report), say(text, ending=ended[k], share=least))


def unused_moves(report: Report) -> Iterator[Finding]:
    """Kinds of moves that were legal and never made."""
    for k, labels in enumerate(zip(*(kind_labels(part.messages) for part in report.parts), strict=True)):
        legal = [text for text in labels if text is not None]
        if legal and not any(part.statistics[KIND, k].value for part in report.parts) and rare(games(report)):
            text = _("Possible at times, but never played in {games} games: “{move}”.")
            yield Finding("unused", players_of(report), say(text, games=wording.count(games(report)), move=legal[0]))


def missing_messages(report: Report) -> Iterator[Finding]:
    """Messages that can come with these options and never did."""
    keys = [{text.key for text in part.messages.never()} for part in report.parts]
    never = [text for text in report.parts[0].messages.never() if all(text.key in key for key in keys)]
    matches = sum(part.messages.matches for part in report.parts)
    if never and rare(matches):
        quoted = (say("“{text}”", text=text) for text in never)
        sentences = functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), quoted)
        text = _("This never happened in {games} games, so it happens in at most {most} % of all games: {listed}.")
        bound = wording.number(100 * share(0, matches).high, 1)
        yield Finding(
            "silent", players_of(report), say(text, games=wording.count(matches), most=bound, listed=sentences)
        )


def players_of(report: Report) -> tuple[int, ...]:
    """The numbers of players of a report's parts."""
    return tuple(part.players for part in report.parts)


def games(report: Report) -> int:
    """The number of games of a report."""
    return sum(len(part.statistics) for part in report.parts)


OF_REPORT: tuple[Callable[[Report], Iterator[Finding]], ...] = (
    usual_ending,
    lambda report: never_ended(report.parts),
    unused_moves,
    missing_messages,
)
