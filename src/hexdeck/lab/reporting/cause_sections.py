"""The tables of causes: where points come from, and what cards and actions do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hexdeck.engine.text import Text, say, say_n
from hexdeck.lab.causes.accounts import Gap, Ledger, gap
from hexdeck.lab.causes.moves import KindWorth, kind_worths
from hexdeck.lab.causes.study import CauseStudy
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.stats import Estimate, mean
from hexdeck.lab.counting.tension import TRIALS
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.lab.reporting.section import Cell, Section, place_title, signed
from hexdeck.lab.reporting.tension_sections import percentage_points

SHOWN, ENDS = 24, 8  # so many cards are all shown; of more, so many of those that bring most, and least


def cause_sections(report: Report, part: Part) -> Iterator[Section]:
    """Where points come from, the cards, and the actions."""
    if part.causes is not None:
        for k, ledger in enumerate(part.causes.ledgers):
            yield sources(report, part, part.causes, ledger, k)
        if part.causes.cards.names:
            yield cards(part, part.causes)
        yield actions(part, part.causes)


# --- where points come from -------------------------------------------------------------------------------------------
def pairs_of_seats(report: Report) -> int:
    """How many pairs of seats a report compares."""
    return sum(part.players * (part.players - 1) // 2 for part in report.parts)


def gap_of(report: Report, part: Part, ledger: Ledger) -> Gap | None:
    """What tells the best seat from the worst, if one surely is better; None where bots differ."""
    if part.causes is None or not part.same_bots or part.causes.games < 2:
        return None
    found = gap(ledger, part.causes.shares, not part.place, pairs_of_seats(report))
    return found if found.sure else None


def sources(report: Report, part: Part, study: CauseStudy, ledger: Ledger, number: int) -> Section:
    """What each seat gets by source, which adds up to the total; beside the first, turns, cards and wins."""
    account, apart, heads = ledger.account, gap_of(report, part, ledger), [say("source")]
    heads += [say("seat {number}", number=seat + 1) for seat in range(part.players)]
    if apart is not None:
        heads.append(say("seat {best} less seat {worst}", best=apart.best + 1, worst=apart.worst + 1))
    rows = [
        line(source.name, ledger.amounts[:, :, k], None if apart is None else apart.sources[k])
        for k, source in enumerate(account.sources)
        if ledger.amounts[:, :, k].any()
    ]
    rows.append(line(say("all together"), ledger.totals, None if apart is None else apart.total))
    if not number:
        rows += beside(part, study, ledger, apart)
    return Section(f"sources-{number}", account.title, tuple(heads), tuple(rows), note(study, ledger))


def beside(part: Part, study: CauseStudy, ledger: Ledger, apart: Gap | None) -> Iterator[tuple[Cell, ...]]:
    """Turns, what else is counted, and the share of the place that decides."""
    several = [(say("turns"), study.turns)]
    several += [(source.name, ledger.beside[:, :, k]) for k, source in enumerate(ledger.account.beside)]
    for name, values in several:
        yield line(name, values, None if apart is None else mean(values[:, apart.best] - values[:, apart.worst]))
    yield (
        place_title(part),
        *(say("{number} %", number=numbers.number(100 * each, 0)) for each in study.shares.mean(axis=0).tolist()),
        *([] if apart is None else [percentage_points(apart.share)]),
    )  # fmt: skip


def line(name: Text, values: np.ndarray, difference: Estimate | None) -> tuple[Cell, ...]:
    """A row: the mean for each seat of float64 (games, seats), and the difference between two seats."""
    means = values.mean(axis=0).tolist()
    cells = tuple(numbers.number(each, 1 if abs(each) >= 1 or not each else 2) for each in means)
    return (name, *cells, *([] if difference is None else [numbers.plain(difference, 2)]))


def note(study: CauseStudy, ledger: Ledger) -> Text:
    """What is added up, in how many games, and how sure the sums are."""
    margins = [mean(ledger.totals[:, seat]).margin for seat in range(ledger.totals.shape[1])]
    return say(
        "Means of {games} games, in {unit}; the rows above “all together” add up to it, which is known to ±{margin}.",
        games=numbers.count(study.games), unit=ledger.account.unit,
        margin=numbers.number(max(margins), numbers.digits_for(max(margins))),
    )  # fmt: skip


# --- cards and actions ------------------------------------------------------------------------------------------------
def cards(part: Part, study: CauseStudy) -> Section:
    """How often cards are held and used, and what their holders end with."""
    counts, gains = study.cards, {k: study.cards.dealt_gain.estimate(k) for k in range(len(study.cards.names))}
    there = sorted((k for k in gains if counts.held.estimate(k).value > 0), key=lambda k: -ranked(gains[k]))
    listed = there if len(there) <= SHOWN else [*there[:ENDS], *there[-ENDS:]]
    rows = tuple(
        (card_name(study, k), numbers.percent(counts.held.estimate(k)), numbers.percent(counts.used.estimate(k)),
         signed(gains[k], part), signed(counts.used_gain.estimate(k), part))
        for k in listed
    )  # fmt: skip
    heads = (say("card"), say("held"), say("used by its holder"), say("who is dealt it, above the mean"),
             say("who uses it, above the mean"))  # fmt: skip
    return Section("cards", say("Cards"), heads, rows, cards_note(study, len(there) - len(listed)))


def ranked(gain: Estimate) -> float:
    """What cards are sorted by."""
    return gain.value if gain.count else float("-inf")


def card_name(study: CauseStudy, k: int) -> Cell:
    """A card in the table's words; its stable name where it was never played."""
    name = study.cards.names[k]
    return study.labels.get(name, name)


def cards_note(study: CauseStudy, hidden: int) -> Text:
    """How to read the table of cards."""
    meaning = say_n(
        "From {n} game. Held: by a player in a deal. Used: played, shown or passed on. Chance deals the cards, so the "
        "first result is what the card brings; who uses one chose to, so the second isn't.",
        "From {n} games. Held: by a player in a deal. Used: played, shown or passed on. Chance deals the cards, so the "
        "first result is what the card brings; who uses one chose to, so the second isn't.",
        study.games,
    )  # fmt: skip
    if not hidden:
        return meaning
    return say_n(
        "{meaning} {n} card in between isn't shown; the data file has them all.",
        "{meaning} {n} cards in between aren't shown; the data file has them all.",
        hidden, meaning=meaning,
    )  # fmt: skip


def actions(part: Part, study: CauseStudy) -> Section:
    """How often each kind of action is chosen where it is legal, and what it brings."""
    worths, rows = worths_of(part), []
    for k, name in enumerate(study.actions.names):
        label = part.messages.label(name)
        if label is not None:
            chosen, gain = study.actions.chosen.estimate(k), study.actions.gain.estimate(k)
            rows.append((label, either(chosen), signed(gain, part), signed(worths[k].over_next, part),
                         either(worths[k].best)))  # fmt: skip
    heads = (say("action"), say("chosen when legal"), say("who chooses it, above the mean"),
             say("chosen, against the next best"), say("best where legal"))  # fmt: skip
    return Section("actions", say("Actions"), heads, tuple(rows), actions_note(part, study))


def worths_of(part: Part) -> list[KindWorth]:
    """What kinds of actions are worth, by the choices that were judged."""
    names, kind = kind_numbers(part.game.rules.ACTIONS)
    return kind_worths(part.analyses, kind, len(names))


def either(estimate: Estimate) -> Cell:
    """A share; a dash where there was no choice between kinds of actions, or too seldom."""
    return numbers.percent(estimate) if estimate.count else "–"


def actions_note(part: Part, study: CauseStudy) -> Text:
    """How to read the table of actions, and what was spent on it."""
    judged = sum(len(each.judged) for each in part.analyses)
    return say_n(
        "Chosen: where there is another kind of action too, in {games} games. The last two columns: {n} choice in "
        "{matches} games, each move tried in {worlds} deals that fit what the player knew; house bots played on. "
        "A dash: no such choice, or too few.",
        "Chosen: where there is another kind of action too, in {games} games. The last two columns: {n} choices in "
        "{matches} games, each move tried in {worlds} deals that fit what the player knew; house bots played on. "
        "A dash: no such choice, or too few.",
        judged, games=numbers.count(study.games), matches=len(part.analyses), worlds=TRIALS,
    )  # fmt: skip


# --- data -------------------------------------------------------------------------------------------------------------
def cause_fields(part: Part, estimate: Any) -> dict[str, Any] | None:
    """The same as data; `estimate` makes the fields of an estimate. None where no games were looked into."""
    study = part.causes
    if study is None:
        return None
    worths = worths_of(part)
    return {
        "games": study.games,
        "turns": [estimate(mean(study.turns[:, seat])) for seat in range(part.players)],
        "accounts": [account_fields(ledger, part.players, estimate) for ledger in study.ledgers],
        "cards": [
            {"card": name, **{key: estimate(getattr(study.cards, key).estimate(k))
                              for key in ("held", "used", "dealt_gain", "used_gain")}}
            for k, name in enumerate(study.cards.names)
        ],
        "actions": [
            {"action": name, "chosen": estimate(study.actions.chosen.estimate(k)),
             "gain": estimate(study.actions.gain.estimate(k)), "over_next": estimate(worths[k].over_next),
             "over_others": estimate(worths[k].over_others), "best": estimate(worths[k].best)}
            for k, name in enumerate(study.actions.names)
        ],
    }  # fmt: skip


def account_fields(ledger: Ledger, players: int, estimate: Any) -> dict[str, Any]:
    """An account as data: for each source, and in all, an estimate for each seat."""

    def seats(values: np.ndarray) -> list[Any]:
        return [estimate(mean(values[:, seat])) for seat in range(players)]

    account = ledger.account
    return {
        "title": str(account.title), "unit": str(account.unit),
        "sources": [{"source": str(each.name), "seats": seats(ledger.amounts[:, :, k])}
                    for k, each in enumerate(account.sources)],
        "beside": [{"source": str(each.name), "seats": seats(ledger.beside[:, :, k])}
                   for k, each in enumerate(account.beside)],
        "total": seats(ledger.totals),
    }  # fmt: skip
