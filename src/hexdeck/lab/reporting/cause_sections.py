"""The tables of causes: where points come from, and what cards and actions do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hexdeck.engine.text import Text, say, say_n
from hexdeck.lab.causes.accounts import Gap, Ledger, gap
from hexdeck.lab.causes.cards import LEAST
from hexdeck.lab.causes.moves import KindWorth, kind_worths
from hexdeck.lab.causes.study import CauseStudy
from hexdeck.lab.counting.tension import TRIALS
from hexdeck.lab.counts import kind_numbers
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part, Tested
from hexdeck.lab.reporting.section import Cell, Section, place_title
from hexdeck.lab.reporting.tension_sections import percentage_points
from hexdeck.stats import Estimate, mean, share

SHOWN, ENDS = 24, 8  # so many cards are all shown; of more, so many of those that bring most, and least

MANY = 6  # seats, from which on the columns have numbers only


def cause_sections(report: Tested, part: Part) -> Iterator[Section]:
    """Where points come from, and in enough games the cards and the actions."""
    if part.causes is not None:
        for k, ledger in enumerate(part.causes.ledgers):
            yield sources(report, part, part.causes, ledger, k)
        if part.causes.cards.names and part.causes.games >= LEAST:
            yield cards(part, part.causes)
        if part.causes.games >= LEAST:
            yield actions(part, part.causes)


# --- where points come from -------------------------------------------------------------------------------------------
def pairs_of_seats(report: Tested) -> int:
    """How many pairs of seats a report compares."""
    return sum(part.players * (part.players - 1) // 2 for part in report.parts)


def gap_of(report: Tested, part: Part, ledger: Ledger) -> Gap | None:
    """What tells the best seat from the worst, if one surely is better; None where bots differ."""
    if part.causes is None or not part.same_bots or part.causes.games < 2:
        return None
    found = gap(ledger, part.causes.shares, not part.place, pairs_of_seats(report))
    return found if found.sure else None


def sources(report: Tested, part: Part, study: CauseStudy, ledger: Ledger, number: int) -> Section:
    """What each seat gets by source, which adds up to the total; beside the first, turns, cards and wins."""
    account, apart = ledger.account, gap_of(report, part, ledger)
    heads = [say("source") if part.players < MANY else say("source, by seat"), *seat_heads(part)]
    if apart is not None:
        heads.append(say("{best} less {worst}", best=apart.best + 1, worst=apart.worst + 1))
    given = [(source.name, ledger.amounts[:, :, k]) for k, source in enumerate(account.sources)]
    given = [(name, values) for name, values in given if values.any()]
    counted = [] if number else [(say("turns"), study.turns)]
    counted += [(source.name, ledger.beside[:, :, k]) for k, source in enumerate(account.beside)]
    digits = digits_of([values for _name, values in given])
    rows = [
        line(name, values, apart, digits) for name, values in [*given, (say("all together"), ledger.totals), *counted]
    ]
    if not number:
        rows.append(places(part, study, apart))
    return Section(f"sources-{number}", account.title, tuple(heads), tuple(rows), note(study, ledger), total=len(given))


def seat_heads(part: Part) -> list[Text]:
    """The heads of the seats' columns; where there are many, their numbers."""
    head = say("seat {number}", number=0) if part.players < MANY else say("{number}", number=0)
    return [Text(head.key, {"number": k}) for k in range(1, part.players + 1)]


def digits_of(values: Sequence[np.ndarray]) -> int:
    """The digits after the point of all figures of a table, so that one sees how they add up."""
    most = max((float(np.abs(each.mean(axis=0)).max()) for each in values), default=0.0)
    return 1 if most >= 10 else 2 if most >= 1 else 3


def line(name: Text, values: np.ndarray, apart: Gap | None, digits: int) -> tuple[Cell, ...]:
    """A row: the mean for each seat of float64 (games, seats), and how far the best seat differs from the worst."""
    cells = tuple(numbers.number(each, digits) for each in values.mean(axis=0).tolist())
    if apart is None:
        return name, *cells
    return name, *cells, numbers.plain(mean(values[:, apart.best] - values[:, apart.worst]), 2)


def places(part: Part, study: CauseStudy, apart: Gap | None) -> tuple[Cell, ...]:
    """The row of shares of the place that decides."""
    cells = (say("{number} %", number=numbers.number(100 * each, 0)) for each in study.shares.mean(axis=0).tolist())
    return place_title(part), *cells, *([] if apart is None else [percentage_points(apart.share)])


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
        (card_name(study, k), whole_percent(counts.held.estimate(k)), whole_percent(counts.used.estimate(k)),
         in_unit(gains[k], part), in_unit(counts.used_gain.estimate(k), part))
        for k in listed
    )  # fmt: skip
    heads = say("card"), say("held"), say("used"), say("if dealt"), say("if used")
    return Section("cards", say("Cards"), heads, rows, cards_note(part, study, len(there) - len(listed)))


def ranked(gain: Estimate) -> float:
    """What cards are sorted by."""
    return gain.value if gain.count else float("-inf")


def card_name(study: CauseStudy, k: int) -> Cell:
    """A card in the table's words; its stable name where it was never played."""
    name = study.cards.names[k]
    return study.labels.get(name, name)


def in_unit(estimate: Estimate, part: Part) -> Cell:
    """A difference of results in people's units, which the note names."""
    return numbers.plain(estimate.scaled(part.measure.scale)) if estimate.count else "–"


def whole_percent(estimate: Estimate) -> Cell:
    """A share in whole percent, its interval left to the data file."""
    return say("{number} %", number=numbers.number(100 * estimate.value, 0)) if estimate.count else "–"


def cards_note(part: Part, study: CauseStudy, hidden: int) -> Text:
    """How to read the table of cards."""
    meaning = say(
        "From {games} games. Held: by how many players, in a deal. Used: by how many of them (played, shown or passed "
        "on). If dealt, if used: how far such a player ends above the mean of the table, in {unit}. Chance deals the "
        "cards, so “if dealt” is what the card brings; who uses one chose to, so “if used” isn't.",
        games=numbers.count(study.games), unit=part.measure.unit,
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
            best = numbers.percent(worths[k].best) if worths[k].best.count else "–"
            rows.append((label, chosen_cell(study, k), in_unit(study.actions.gain.estimate(k), part),
                         in_unit(worths[k].over_next, part), best))  # fmt: skip
    heads = say("action"), say("chosen"), say("if chosen"), say("over the next best"), say("best of all")
    return Section("actions", say("Actions"), heads, tuple(rows), actions_note(part, study))


def chosen_cell(study: CauseStudy, k: int) -> Cell:
    """How often a kind of action is chosen; a dash where there is no choice between kinds, or too seldom."""
    found = study.actions.chosen.estimate(k)
    return (
        numbers.percent(found if found.margin else independent(found, study.actions.chosen.games(k)))
        if found.count
        else "–"
    )


def independent(found: Estimate, games: int) -> Estimate:
    """A share with the interval of as many independent observations as games: it holds where nobody ever did it."""
    return share(found.value * games, games)


def worths_of(part: Part) -> list[KindWorth]:
    """What kinds of actions are worth, by the choices that were judged."""
    names, kind = kind_numbers(part.game.rules.ACTIONS)
    return kind_worths(part.analyses, kind, len(names))


def actions_note(part: Part, study: CauseStudy) -> Text:
    """How to read the table of actions, and what was spent on it."""
    judged = sum(len(each.judged) for each in part.analyses)
    return say_n(
        "Chosen: of decisions that allow this and something else, in {games} games. If chosen: how far such a player "
        "ends above the mean of the table, in {unit}. The rest is from {n} choice in {matches} games: each move was "
        "tried in {worlds} deals that fit what the player knew, house bots playing on. Over the next best: what the "
        "chosen move brings more than the best other. Best of all: how often no other kind of move brings more. A "
        "dash: no such choice, or too few.",
        "Chosen: of decisions that allow this and something else, in {games} games. If chosen: how far such a player "
        "ends above the mean of the table, in {unit}. The rest is from {n} choices in {matches} games: each move was "
        "tried in {worlds} deals that fit what the player knew, house bots playing on. Over the next best: what the "
        "chosen move brings more than the best other. Best of all: how often no other kind of move brings more. A "
        "dash: no such choice, or too few.",
        judged, games=numbers.count(study.games), matches=len(part.analyses), worlds=TRIALS, unit=part.measure.unit,
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
