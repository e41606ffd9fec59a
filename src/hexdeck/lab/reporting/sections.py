"""The tables of a report's part, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.causes import CauseStudy, Gap, Ledger, gap
from hexdeck.lab.counts import RESULT, STARTER_RESULT, TIED
from hexdeck.lab.pace import CARDS, FURTHER, SCREEN, USUAL, Tempo, minutes
from hexdeck.lab.reporting import tables, wording
from hexdeck.lab.reporting.measures import Cell, Section, Table, in_units, percentage_points
from hexdeck.lab.reporting.people import COMPANY, MIXED, SAID, TIME, quotes
from hexdeck.lab.reporting.report import Report, ReportPart
from hexdeck.lab.reporting.tables import DEALS, LENGTH, levels, place_title
from hexdeck.lab.reporting.wording import seat_name
from hexdeck.stats import detectable_effect, mean

MANY = 6  # seats, from which on the columns of accounts have numbers only


def sections(report: Report, part: ReportPart) -> list[Section]:
    """All tables of a part."""
    return [
        seats(part, power(part, report.tests)),
        length(part),
        *of_tables(part, TIME),
        minutes_section(part, paces(report, part)),
        *of_tables(part, tables.ENDINGS, tables.MOVES_MADE, tables.EVENTS, tables.CHOICES, tables.TENSION),
        *of_tables(part, tables.SHAPE, tables.VARIANCE, tables.THINKING, tables.SKILL),
        *levels(part),
        *causes(report, part),
        *of_tables(part, tables.PROBES, tables.EVENING, COMPANY, SAID),
        *quotes(part),
    ]


def of_tables(part: ReportPart, *wanted: Table) -> Iterator[Section]:
    """Those of some tables that there is something to say in."""
    for table in wanted:
        yield from table.sections(part)


def causes(report: Report, part: ReportPart) -> Iterator[Section]:
    """Where points come from, and in enough games the cards and the actions."""
    if part.causes is not None:
        for number, ledger in enumerate(part.causes.ledgers):
            yield sources(report, part, part.causes, ledger, number)
        yield from of_tables(part, tables.CARDS_USED, tables.ACTIONS)


# --- results ----------------------------------------------------------------------------------------------------------
def seats(part: ReportPart, power_note: Text) -> Section:
    """Results by seat and of the starter; `power_note` says how small an advantage could be found."""
    of, unit = part.statistics, part.measure
    shares = of.estimates(part.shares)
    rows: list[tuple[Cell, ...]] = [
        (seat_name(part, seat), wording.plain(in_units(of[RESULT, seat], unit)), wording.percent(shares[seat]))
        for seat in range(part.players)
    ]
    ahead, begins = wording.plain(of[STARTER_RESULT].scaled(unit.scale)), wording.percent(of[part.starter_share])
    rows.append((say("who starts: {why} (result: above the mean)", why=part.starting.why), ahead, begins))
    study = part.starts
    if study is not None and study.enough:  # chance sometimes decides who starts
        chance = part.starting.chance or part.starting.why
        title = say("starting itself, where {chance} decided (against another starting)", chance=chance)
        points = say("{points} percentage points", points=wording.plain(study.place(part.place).scaled(100)))
        rows.append((title, wording.plain(study.gain.scaled(unit.scale)), points))
    heads = say("seat"), say("mean result, {unit}", unit=unit.unit), place_title(part)
    return Section("seats", say("Results by seat"), heads, tuple(rows), seats_note(part, power_note))


def start_note(part: ReportPart) -> Text:
    """How to read the rows of the starter."""
    study = part.starts
    if part.starting.at_random:
        return say("Who starts isn't up to the players, so that row shows what starting is worth.")
    if study is None:
        return say("The starter's row doesn't show what starting is worth: there is more to whoever starts than that.")
    if not study.enough:
        text = _(
            "The starter's row doesn't show what starting is worth: chance decided who starts in {n} of {games} "
            "games, too few to tell."
        )
    elif part.starting.let_start is not None:
        text = _(
            "The starter's row doesn't show what starting is worth, the row below it does: chance decided who "
            "starts in {n} of {games} games, which were played on with each of these players "
            "starting."
        )
    else:
        text = _(
            "The starter's row doesn't show what starting is worth, the row below it does: chance decided who "
            "starts in {n} of {games} games."
        )
    return say(text, n=wording.count(study.decided), games=wording.count(study.games))


def seats_note(part: ReportPart, power_note: Text) -> Text:
    """The note: a fair share, what could be found, and how to read the table."""
    about = {"fair": wording.number(100 / part.players, 1), "found": power_note, "start": start_note(part)}
    if part.place:
        return say("Fair would be {fair} %. {found} {start}", **about)
    tied = say("Games with a shared first place: {tied}.", tied=wording.percent(part.statistics[TIED]))
    return say("Fair would be {fair} %. {found} {tied} {start}", tied=tied, **about)


def power(part: ReportPart, tests: int) -> Text:
    """The smallest advantage of a seat that these games would find, in so many tests."""
    if not part.same_bots:
        bots = say("The seats had different bots: differences are those of the bots, as far as seats are alike.")
        return bots if part.played is None else MIXED
    gap, fair = 100 * detectable_effect(1 / part.players, len(part.statistics), tests), 100 / part.players
    if gap > 100 - fair:
        return say("So few games can't show that a seat has an advantage.")
    return say(
        "An advantage of {points} percentage points or more would be found 4 times in 5.",
        points=wording.number(gap, wording.digits_for(gap)),
    )


def length(part: ReportPart) -> Section:
    """Deals, turns and decisions of a game."""
    (table,) = LENGTH.sections(part)
    deals = [(DEALS.titled(part), DEALS.cell(part))] if DEALS.of_part(part).value > 1 else []
    return Section(table.id, table.title, (say("length"), say("mean")), (*deals, *table.rows), table.note)


# --- minutes ----------------------------------------------------------------------------------------------------------
NAMES = {
    "choices": say("choices"),
    "moves": say("carrying out moves"),
    "dealing": say("dealing and drawing"),
    "scoring": say("scoring"),
    "talk": say("talk"),
    "total": say("all together"),
    "wait": say("seconds between your turns"),
}


def places(pace: float) -> tuple[Tempo, Tempo]:
    """People at this table and at a real one, who take so many seconds for a choice."""
    return SCREEN.paced(pace), CARDS.paced(pace)


def paces(report: Report, part: ReportPart) -> tuple[Tempo, Tempo]:
    """People at this table and at a real one, as quick as those who played, or as the report's plan says."""
    return (part.played.pace if part.played is not None else None) or places(report.plan.pace)


def minutes_section(part: ReportPart, at: tuple[Tempo, Tempo]) -> Section:
    """The minutes of a match by what they go to."""
    columns, rows = [minutes(part.statistics, tempo) for tempo in at], []
    for name, title in NAMES.items():
        values = [getattr(spent, name) for spent in columns]
        rows.append((title, *(wording.number(x, 0 if name == "wait" or x >= 10 else 1) for x in values)))
    heads = say("minutes of a match"), say("at this table"), say("at a real one")
    note = minutes_note(at, pace_text(part, at[0]))
    return Section("minutes", say("How long it takes people"), heads, tuple(rows), note)


def pace_text(part: ReportPart, tempo: Tempo) -> Text:
    """Where the seconds for a choice come from."""
    if part.played is None or part.played.pace is None:
        return say(
            "A model with guessed seconds: {think} for a choice between {moves} moves",
            moves=USUAL,
            think=wording.number(tempo.think, 0),
        )
    return say_n(
        "A model, measured by {n} choice of a person: {think} seconds for a choice between {moves} moves",
        "A model, measured by {n} choices of people: {think} seconds for a choice between {moves} moves",
        sum(number for number, _seconds in part.played.choices),
        think=wording.number(tempo.think, 1),
        moves=USUAL,
    )


def minutes_note(at: tuple[Tempo, Tempo], pace: Text) -> Text:
    """The seconds of the model; the first number is of this table, the second of a real one."""
    texts = dict[str, Text]()
    for name in ("move", "deal", "draw", "score"):
        screen, cards = (wording.short(getattr(tempo, name)) for tempo in at)
        texts[name] = say("{screen} and {cards}", screen=screen, cards=cards)
    talk = say("{screen} and {cards}", screen=round(100 * at[0].talk), cards=round(100 * at[1].talk))
    return say(
        "{pace}, more with more moves, and {further} % of that for a further choice in a turn; choices made at the "
        "same time count once. At this table and at a real one: a move {move} seconds, a deal {deal}, a card {draw}, "
        "the score {score} for each player; talk adds {talk} %.",
        pace=pace,
        further=round(100 * FURTHER),
        talk=talk,
        **texts,
    )


# --- where points come from -------------------------------------------------------------------------------------------
def gap_of(report: Report, part: ReportPart, ledger: Ledger) -> Gap | None:
    """What tells the best seat from the worst, if one surely is better; None where bots differ."""
    if part.causes is None or not part.same_bots or part.causes.games < 2:
        return None
    pairs_of_seats = sum(part.players * (part.players - 1) // 2 for part in report.parts)
    apart = gap(ledger, part.causes.shares, not part.place, pairs_of_seats)
    return apart if apart.sure else None


def sources(report: Report, part: ReportPart, study: CauseStudy, ledger: Ledger, number: int) -> Section:
    """What each seat gets by source, which adds up to the total; beside the first, turns, cards and wins."""
    account, apart = ledger.account, gap_of(report, part, ledger)
    seat = "seat {number}" if part.players < MANY else "{number}"  # where there are many seats, their numbers alone
    heads = [say("source") if part.players < MANY else say("source, by seat")]
    heads += [say(seat, number=k) for k in range(1, part.players + 1)]
    if apart is not None:
        heads.append(say("{best} less {worst}", best=apart.best + 1, worst=apart.worst + 1))
    amounts = [(source.name, ledger.amounts[:, :, k]) for k, source in enumerate(account.sources)]
    amounts = [(name, values) for name, values in amounts if values.any()]
    counters = study.counters(ledger)[min(number, 1) :]  # turns beside the first account alone
    largest = max((float(np.abs(values.mean(axis=0)).max()) for _name, values in amounts), default=0.0)
    digits = 1 if largest >= 10 else 2 if largest >= 1 else 3  # of all figures, so that one sees how they add up
    rows = [
        line(name, values, apart, digits)
        for name, values in [*amounts, (say("all together"), ledger.totals), *counters]
    ]
    if not number:
        shares = (wording.number(100 * share, 0) for share in study.shares.mean(axis=0).tolist())
        difference = [] if apart is None else [percentage_points(apart.share)]
        rows.append((place_title(part), *(say("{number} %", number=share) for share in shares), *difference))
    margin = max(mean(ledger.totals[:, seat]).margin for seat in range(ledger.totals.shape[1]))
    note = say(
        "Means of {games} games, in {unit}; the rows above “all together” add up to it, which is known to ±{margin}.",
        games=wording.count(study.games),
        unit=account.unit,
        margin=wording.number(margin, wording.digits_for(margin)),
    )
    return Section(f"sources-{number}", account.title, tuple(heads), tuple(rows), note, total=len(amounts))


def line(name: Text, values: np.ndarray, apart: Gap | None, digits: int) -> tuple[Cell, ...]:
    """A row: the mean for each seat of float64 (games, seats), and how far the best seat differs from the worst."""
    cells = tuple(wording.number(mean_of_seat, digits) for mean_of_seat in values.mean(axis=0).tolist())
    if apart is None:
        return name, *cells
    return name, *cells, wording.plain(mean(values[:, apart.best] - values[:, apart.worst]), 2)
