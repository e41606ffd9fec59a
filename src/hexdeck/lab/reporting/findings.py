"""Findings: sentences about what is beyond chance, for all questions of a report together, the largest first.

They are generated from measures and never written by hand. What never happens at all is told after them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.causes import ABOVE as ENDED_ABOVE
from hexdeck.lab.causes import BELOW, UNUSED, CauseStudy, Gap, Ledger
from hexdeck.lab.counts import ABOVE, ENDED, FIRST, KIND, LAST, STARTER_RESULT, STARTS
from hexdeck.lab.messages import can_come
from hexdeck.lab.pairs import GAIN, bound, probe_of
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.measures import (
    Cell,
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
NO_BETTER = {
    True: _(
        "With {players} players, random play does better than the house bot, whose result among random bots is "
        "{gain} above the mean."
    ),
    False: _(
        "With {players} players, {deals} deals don't show whether the house bot beats random play: its result among "
        "random bots is {gain} above the mean."
    ),
}
DOMINATES = _(
    "With {players} players, luck dominates: it takes {games} games to tell the house bot from random play with 95 % "
    "certainty."
)
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
    never = *never_ended(report.parts), *unused_moves(report), *missing_messages(report)
    return [*tests.sure(report.parts), *merged(certain), *usual_ending(report), *never]


def other_questions(part: ReportPart) -> Iterator[Hypothesis]:
    """The questions about everything but fairness."""
    for measure in measured(part):
        yield from questions_of(part, measure)
    if part.causes is not None:
        yield from of_cards(part, part.causes)
        yield from of_actions(part, part.causes)
    for effect in part.probes:
        gain = effect.shifts[GAIN].difference
        thing, p = (effect.change, probe_of(part.game, effect.change).doing), p_beyond(gain, 0.0)
        value, size = wording.gap(gain, part.measure), abs(gain.value) / (deviation(part) or 1.0)
        yield of_thing(part, "probe", thing, value, p if gain.value > 0 else 1.0, gain, size=size)


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
            text = say("{group}: {listed}.", group=finding.group, listed=joined([*runs(group)]))
            out.append(together(group, text))
    return out


def together(findings: Sequence[Finding], text: Text) -> Finding:
    """What several findings say with one number of players each, as one finding, as large as the largest of them."""
    players, size = tuple(finding.players[0] for finding in findings), max(finding.size for finding in findings)
    return replace(findings[0], players=players, text=text, size=size, group=None, value="")


def runs(findings: Sequence[Finding]) -> Iterator[Text]:
    """What was found with which numbers of players, those in a row with equal values together."""
    begin = 0
    for k, finding in enumerate(findings):
        after = findings[k + 1] if k + 1 < len(findings) else None
        if after and (str(after.value), after.players[0]) == (str(finding.value), finding.players[0] + 1):
            continue
        first, last = findings[begin].players[0], finding.players[0]
        if begin == k:
            yield with_players(finding.value, last)
        else:
            yield say("{value} with {least} to {most} players", value=findings[begin].value, least=first, most=last)
        begin = k + 1


def same_part(group: Sequence[tuple[ReportPart, Hypothesis, Finding]]) -> Finding:
    """What is found of a card, a kind of moves or a way of playing, with each number of players, as one finding."""
    question, values = group[0][1], [with_players(question.value, part.players) for part, question, _finding in group]
    text = say(PARTS[question.kind], what=question.what, listed=joined(values))
    return together([finding for _part, _question, finding in group], text)


def with_players(value: Cell, players: int) -> Text:
    """What was found with a number of players."""
    return say("{value} with {players} players", value=value, players=players)


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
    if part.same_bots and not part.place and not part.won_or_lost:
        for seat, above in enumerate(part.statistics.estimates(ABOVE)):
            if not is_starter(part, seat):
                yield of_result(part, "seat_result", say("seat {number}", number=seat + 1), above)


def is_starter(part: ReportPart, seat: int) -> bool:
    """Whether a seat always starts and is the starter that `starting` asks about."""
    return part.starting.at_random and part.statistics[STARTS, seat].value == 1


def starting(part: ReportPart) -> Iterator[Hypothesis]:
    """What starting is worth: of all games where a seat or a lot decides who starts, else of those where chance did."""
    if not part.same_bots:
        return
    if part.starting.at_random:
        subject = say("whoever starts ({why})", why=part.starting.why)
        yield of_share(part, "beginner", subject, part.statistics[part.starter_share])
        if not part.place and not part.won_or_lost:
            yield of_result(part, "beginner_result", subject, part.statistics[STARTER_RESULT])
    elif part.starts is not None and part.starts.enough:
        yield of_start(part, part.starts)


def of_share(part: ReportPart, kind: str, subject: Text, estimate: Estimate, seat: int | None = None) -> Hypothesis:
    """The question whether the share of a seat, or of whoever starts, is fair."""
    fair = 1 / part.players
    off = estimate.shifted(-fair)

    def finding() -> Finding:
        points, ahead = wording.points(off), off.value > 0
        share, fair_share = (wording.number(100 * number, 1) for number in (estimate.value, fair))
        figures = {"share": share, "points": points, "side": SIDES[ahead], "fair": fair_share}
        text = say(SHARES[part.shares], players=part.players, who=subject, **figures)
        group, of, example = None, str((seat or 0) + 1), of_excess(part, part.shares, seat or 0)
        if seat is None:
            group, of, example = STARTER_ALL[part.shares, ahead], "", of_excess(part, part.starter_share)
        text = say(OTHERS, sentence=text) if kind == "bot" else text
        value, size = say("{points} percentage points", points=points), abs(off.value) / deviation_of_share(fair)
        return Finding(kind, (part.players,), text, group, value, of, size, example)

    return Hypothesis(p_beyond(estimate, fair), finding, kind=kind, found=estimate)


def of_result(part: ReportPart, kind: str, subject: Text, above: Estimate) -> Hypothesis:
    """The question whether somebody ends at the mean of the table."""

    def finding() -> Finding:
        text = say(RESULTS[above.value > 0], players=part.players, who=subject, gap=wording.gap(above, part.measure))
        return Finding(kind, (part.players,), text, size=abs(above.value) / (deviation(part) or 1.0))

    return Hypothesis(p_beyond(above, 0.0), finding, kind=kind, found=above)


def of_start(part: ReportPart, study: StartStudy) -> Hypothesis:
    """The question what starting is worth where chance decided who starts."""
    estimate = study.place(part.place)

    def finding() -> Finding:
        (helps, did), points = DID[part.shares, estimate.value > 0], wording.points(estimate)
        decided, games = wording.count(study.decided), wording.count(study.games)
        chance, about = part.starting.chance or part.starting.why, {"helps": helps, "did": did}
        text = say(WORTH, players=part.players, chance=chance, points=points, decided=decided, games=games, **about)
        size = abs(estimate.value) / deviation_of_share(1 / part.players)
        example = example_of(study.examples.get((part.place, estimate.value > 0)))
        value = say("{points} percentage points", points=points)
        return Finding("start", (part.players,), text, say(WORTH_ALL, **about), value, size=size, example=example)

    return Hypothesis(p_beyond(estimate, 0.0), finding, kind="start", found=estimate)


def unsure_bots(part: ReportPart, tests: Tests) -> Iterator[Finding]:
    """That none of the bots that differ is surely better or worse than another."""
    if part.same_bots or not part.bots or any(sure and q.kind == "bot" for q, sure in tests.of(part)):
        return
    text = _(
        "With {players} players, the bots that differ aren't surely better or worse: no seat is further than "
        "{points} percentage points from its fair {fair} %."
    )
    yield Finding("bots", (part.players,), no_further(part, text, part.players))


def no_further(part: ReportPart, text: str, tests: int) -> Text:
    """A sentence on how far seats are from a fair share at most, at 95 % for so many tests together."""
    fair = 1 / part.players
    widest = 100 * bound([share.shifted(-fair) for share in part.statistics.estimates(part.shares)], tests)
    points = wording.number(widest, wording.digits_for(widest))
    return say(text, players=part.players, points=points, fair=wording.number(100 * fair, 1))


# --- cards, moves, ways of playing ------------------------------------------------------------------------------------
def of_cards(part: ReportPart, study: CauseStudy) -> Iterator[Hypothesis]:
    """Whether a card is too strong, too weak, or dead."""
    varies, cards = deviation(part), study.cards
    for k, key in enumerate(cards.names):
        label = study.labels.get(key, key)
        thing = key, say("“{card}”", card=label) if key.isdigit() else label
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
    worths, varies, labels = worths_of(part), deviation(part), kind_labels(part.messages)
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
    part: ReportPart, kind: str, thing: tuple[str, Cell], used: Estimate, least: float, example: Example | None
) -> Hypothesis:
    """The question whether a card or a kind of moves is used less than the least share."""
    value, p = wording.percent(used), p_below(used, least)
    return of_thing(part, kind, thing, value, p, used, example, unsure=used.low < least)


def of_thing(
    part: ReportPart,
    kind: str,
    thing: tuple[str, Cell],
    value: Cell,
    p: float,
    estimate: Estimate,
    example: Example | None = None,
    *,
    unsure: bool = False,
    size: float = 0.0,
) -> Hypothesis:
    """A question about a card, a kind of moves or a way of playing: its stable name, and how it is called."""
    key, subject = thing

    def finding() -> Finding:
        text = say(PARTS[kind], what=subject, listed=with_players(value, part.players))
        own = "probe" if kind == "probe" else "unworthy"
        return Finding(own, (part.players,), text, subject=f"{kind} {key}", size=size, example=example)

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
    counters, counts = study.counters(ledger), list[Text]()
    for name, values in counters:
        best, worst = values[:, apart.best], values[:, apart.worst]
        if mean(best - worst).significant(0.0, 10 * len(counters)):
            first, second = (wording.number(float(of_seat.mean()), 1) for of_seat in (best, worst))
            counts.append(say("{name} {first} and {second}", name=name, first=first, second=second))
    return say(COUNTED, sentence=sentence, counts=joined(counts), **seats) if counts else sentence


def size(estimate: Estimate) -> Cell:
    """A difference without its sign."""
    return wording.plain(wording.absolute(estimate), 2)


# --- luck and skill ---------------------------------------------------------------------------------------------------
def skill(part: ReportPart) -> Iterator[Finding]:
    """Whether luck decides, or skill."""
    duel = part.duel_with_random
    if duel is not None and duel.games is None:  # it is worse, or nobody knows
        gain = wording.gap_signed(duel.gain, part.measure)
        text = say(NO_BETTER[duel.gain.significant()], players=part.players, deals=duel.deals, gain=gain)
        yield Finding("skill", (part.players,), text)
    elif duel is not None and duel.games is not None and duel.games.low >= LUCKY:
        number = wording.whole_numbers(duel.games)
        yield Finding("luck", (part.players,), say(DOMINATES, players=part.players, games=number), LUCK, number)
    elif duel is not None and duel.games is not None and duel.games.high <= SKILLED:
        text = say_n(
            "With {players} players, skill decides: {n} game is enough to tell the house bot from random "
            "play with 95 % certainty.",
            "With {players} players, skill decides: {n} games are enough to tell the house bot from random "
            "play with 95 % certainty.",
            int(duel.games.high),
            players=part.players,
        )
        yield Finding("skill", (part.players,), text, SKILL, str(int(duel.games.high)))


# --- what never comes, with any number of players ---------------------------------------------------------------------
NEVER_ENDED = _("With these options, none of {games} games ended this way: {ending}.")


def never_ended(parts: Sequence[ReportPart], text: str = NEVER_ENDED) -> Iterator[Finding]:
    """Endings that never came in some parts, though they can with these options."""
    game, count = parts[0].game, sum(len(part.statistics) for part in parts)
    for k, ending in enumerate(game.endings[1:], 1):
        ever = any(part.statistics[ENDED, k].value for part in parts)
        if not ever and can_come(game, "ended", game.rules.ENDINGS[k]) and rare(count):
            sentence = say(text, games=wording.count(count), players=game.players, ending=ending)
            yield Finding("ending", tuple(part.players for part in parts), sentence)


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
            yield Finding("ending", report.players, say(text, ending=ended[k], share=least))


def unused_moves(report: Report) -> Iterator[Finding]:
    """Kinds of moves that were legal and never made."""
    for k, labels in enumerate(zip(*(kind_labels(part.messages) for part in report.parts), strict=True)):
        legal = [text for text in labels if text is not None]
        if legal and not any(part.statistics[KIND, k].value for part in report.parts) and rare(report.games):
            text = _("Possible at times, but never played in {games} games: “{move}”.")
            yield Finding("unused", report.players, say(text, games=wording.count(report.games), move=legal[0]))


def missing_messages(report: Report) -> Iterator[Finding]:
    """Messages that can come with these options and never did."""
    keys = [{text.key for text in part.messages.never()} for part in report.parts]
    never = [text for text in report.parts[0].messages.never() if all(text.key in key for key in keys)]
    matches = sum(part.messages.matches for part in report.parts)
    if never and rare(matches):
        sentences = joined([say("“{text}”", text=text) for text in never])
        text = _("This never happened in {games} games, so it happens in at most {most} % of all games: {listed}.")
        most = wording.number(100 * share(0, matches).high, 1)
        yield Finding("silent", report.players, say(text, games=wording.count(matches), most=most, listed=sentences))
