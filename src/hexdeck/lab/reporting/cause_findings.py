"""Findings about causes: why a seat is ahead, and cards and actions that are dead, too strong or never worth it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hexdeck.engine.text import Text, _, say
from hexdeck.lab.causes.accounts import Gap, Ledger
from hexdeck.lab.causes.study import CauseStudy
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.cause_sections import card_name, gap_of, independent, worths_of
from hexdeck.lab.reporting.report import Part, Tested
from hexdeck.lab.reporting.section import Cell
from hexdeck.lab.reporting.tension_sections import deviation
from hexdeck.stats import UNKNOWN, Estimate, holm, mean, p_below, p_beyond

STRONG = (
    0.2  # of a result's standard deviation: a card that surely brings or costs something, and so much, is a finding
)
ENOUGH = 100  # games in which a card was dealt, with fewer of which nothing is said of what it brings
DEAD_CARD, DEAD_ACTION = 0.05, 0.01  # shares of its holders that use a card, of choices that choose an action
SELDOM_BEST, COSTLY = 0.1, 0.05  # an action that is best no more often, and costs more in standard deviations

DEAD, WORTHLESS, TOO_STRONG, TOO_WEAK, IDLE = "dead", "worthless", "strong", "weak", "idle"
TEXTS = {
    TOO_STRONG: _("{what} may be too strong: whoever is dealt it ends above the mean of the table, by {listed}."),
    TOO_WEAK: _("{what} may be too weak: whoever is dealt it ends below the mean of the table, by {listed}."),
    DEAD: _("{what} is a dead card: hardly anybody who holds it uses it, {listed}."),
    IDLE: _("“{what}” is hardly ever chosen where it is allowed: in {listed}."),
    WORTHLESS: _(
        "“{what}” is hardly ever worth it: by what bots expect, the best other move brings more, by {listed}."
    ),
}
WHY = _(
    "With {players} players, seat {best} does best and seat {worst} worst. They are {total} {unit} apart; the largest "
    "part: {sources}."
)
COUNTED = _("{sentence} A game gives seats {best} and {worst}: {counts}.")


def why(report: Tested, part: Part) -> Iterator[tuple[tuple[int, ...], Text]]:
    """What explains most of the difference between the best and the worst seat, where it is sure."""
    study = part.causes
    for ledger in study.ledgers if study is not None else ():
        found = gap_of(report, part, ledger)
        if study is not None and found is not None and found.largest:
            yield (part.players,), why_text(part, study, ledger, found)
            return


def why_text(part: Part, study: CauseStudy, ledger: Ledger, found: Gap) -> Text:
    """The sentence, with turns and what else is counted where the seats surely differ in it."""
    seats, names = {"best": found.best + 1, "worst": found.worst + 1}, ledger.account.sources
    listed = [say("{source} ({size})", source=names[k].name, size=size(found.sources[k])) for k in found.largest]
    sentence = say(
        WHY, players=part.players, total=size(found.total), unit=ledger.account.unit, sources=joined(listed), **seats
    )
    counted = [(say("turns"), study.turns)]
    counted += [(each.name, ledger.beside[:, :, k]) for k, each in enumerate(ledger.account.beside)]
    counts = [
        say("{name} {first} and {second}", name=name,
            **{key: numbers.number(float(values[:, seat].mean()), 1)
               for key, seat in (("first", found.best), ("second", found.worst))})
        for name, values in counted
        if mean(values[:, found.best] - values[:, found.worst]).significant(0.0, 10 * len(counted))
    ]  # fmt: skip
    return say(COUNTED, sentence=sentence, counts=joined(counts), **seats) if counts else sentence


def joined(texts: Sequence[Text]) -> Text:
    """Several texts with commas between."""
    out = texts[0]
    for text in texts[1:]:
        out = say("{one}, {other}", one=out, other=text)
    return out


def size(estimate: Estimate) -> Cell:
    """A difference without its sign."""
    return numbers.plain(estimate if estimate.value >= 0 else estimate.scaled(-1), 2)


@dataclass(frozen=True)
class Question:
    """A test: what it is of (`what` in words, `key` the same for all numbers of players), and what it found.

    `found`: the share that is tested, where it is one; `open`: whether its 95 % interval reaches what is a finding.
    """

    family: str
    key: str
    what: Cell
    players: int
    p: float
    value: Cell
    found: Estimate = UNKNOWN
    open: bool = False

    @property
    def subject(self) -> str:
        """What it is of, by a stable name."""
        return f"{self.family} {self.key}"


Asked = list[tuple[Question, bool]]


def asked_of(report: Tested) -> list[Asked]:
    """The tests of each part, and whether each is sure for all tests of the report together."""
    asked = [[] if part.causes is None else list(questions(part, part.causes)) for part in report.parts]
    sure = iter(holm([each.p for some in asked for each in some]))
    return [[(each, next(sure)) for each in some] for some in asked]


def unworthy(asked: Sequence[Asked]) -> Iterator[tuple[tuple[int, ...], Text, str]]:
    """Cards and actions that are dead, too strong, too weak or never worth it, of what was asked of some parts.

    With the numbers of players and the subject.
    """
    groups: dict[str, list[Question]] = {}
    for each, sure in (one for some in asked for one in some):
        if sure:
            groups.setdefault(each.subject, []).append(each)
    for found in sorted(groups.values(), key=lambda same: list(TEXTS).index(same[0].family)):
        values = [say("{value} with {players} players", value=each.value, players=each.players) for each in found]
        text = say(TEXTS[found[0].family], what=found[0].what, listed=joined(values))
        yield tuple(each.players for each in found), text, found[0].subject


def questions(part: Part, study: CauseStudy) -> Iterator[Question]:
    """All tests of a part; what was never legal or never held is no question."""
    yield from of_cards(part, study)
    yield from of_actions(part, study)


def of_cards(part: Part, study: CauseStudy) -> Iterator[Question]:
    """Whether a card is too strong, too weak, or dead."""
    limit = STRONG * deviation(part)
    for k, key in enumerate(study.cards.names):
        name = say("“{card}”", card=card_name(study, k)) if key.isdigit() else card_name(study, k)
        gain, used = study.cards.dealt_gain.estimate(k), study.cards.used.estimate(k)
        asked = functools.partial(Question, key=key, what=name, players=part.players)
        if gain.count and study.cards.dealt_gain.games(k) >= ENOUGH:
            family = TOO_STRONG if gain.value > 0 else TOO_WEAK
            value = numbers.gap(gain, part.measure)
            yield asked(family, p=p_beyond(gain, 0.0) if abs(gain.value) >= limit else 1.0, value=value)
        if used.count:
            plain = independent(used, study.cards.used.games(k))
            yield asked(
                DEAD, p=p_below(plain, DEAD_CARD), value=numbers.percent(plain), found=plain, open=plain.low < DEAD_CARD
            )


def of_actions(part: Part, study: CauseStudy) -> Iterator[Question]:
    """Whether an action is hardly ever chosen, or never worth it."""
    worths, varies = worths_of(part), deviation(part)
    for k, key in enumerate(study.actions.names):
        label, chosen, worth = part.messages.label(key), study.actions.chosen.estimate(k), worths[k]
        if label is None:  # it was never legal
            continue
        asked = functools.partial(Question, key=key, what=label, players=part.players)
        if chosen.count:
            plain = independent(chosen, study.actions.chosen.games(k))
            yield asked(
                IDLE, p=p_below(plain, DEAD_ACTION), value=numbers.percent(plain), found=plain,
                open=plain.low < DEAD_ACTION,
            )  # fmt: skip
        if worth.best.count and worth.over_others.count:
            p = max(p_below(worth.best, SELDOM_BEST), p_below(worth.over_others, -COSTLY * varies))
            yield asked(WORTHLESS, p=p, value=numbers.gap(worth.over_others, part.measure))
