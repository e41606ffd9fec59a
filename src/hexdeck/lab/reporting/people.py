"""What only matches from tables have: the time they took, who met whom, and what people said of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.bots.players.levels import ADJECTIVES
from hexdeck.engine.text import Catalogue
from hexdeck.lab.reporting import measures, wording
from hexdeck.lab.reporting.measures import NUMBER, PERCENT, Subject, Table, estimated, remarked
from hexdeck.lab.reporting.report import PaperMatch, ReportPart
from hexdeck.stats import FEW_GAMES, UNKNOWN, Estimate, mean, mean_of_few, mean_share, median, ratio, share

if TYPE_CHECKING:
    from hexdeck.lab.reporting.played import Group
import csv
import re
from dataclasses import replace
from io import StringIO

from hexdeck.engine.errors import BadOption, shortened, unreadable
from hexdeck.engine.text import _, say
from hexdeck.lab.counts import place_shares_of
from hexdeck.lab.reporting.measures import SEAT, Section
from hexdeck.lab.reporting.report import Report

PERSON, SHARED, PROGRAM = "person", "shared", "program"  # who played a seat, if not one of our bots, by name
PAUSE = 600.0  # seconds between two events from which on they count as a pause
TIMES = 5  # matches that it takes for a finding about kinds of players
MOST, YES = 0.5, 1  # of those who answered; that they would play again
QUOTED = 12  # answers in words that a report quotes, the newest
MIXED = "Different kinds of players sat together, so nothing here shows whether one seat is better than another."


def of(part: ReportPart) -> Group:
    """A part's matches from tables."""
    assert part.played is not None
    return part.played


# --- real time --------------------------------------------------------------------------------------------------------
def minutes(part: ReportPart) -> np.ndarray:
    """The minutes of each match, without pauses."""
    return np.array(of(part).minutes)


def longest(part: ReportPart) -> measures.Example:
    """The match that took longest."""
    return measures.Example(int(minutes(part).argmax()))


def slow_minutes(part: ReportPart, _estimate: Estimate) -> dict[str, str]:
    """The minutes of one match in twenty, and of half of them."""
    late, middle = np.quantile(minutes(part), (0.95, 0.5)).tolist()
    return {"long": wording.number(late, 0), "middle": wording.number(middle, 0)}


@remarked(
    "one match in twenty took {long} minutes or more; half took at most {middle}.",
    above=measures.SELDOM,
    more=slow_minutes,
    example=longest,
)
@estimated("slow matches", PERCENT, better=-1)
def slow(part: ReportPart) -> Estimate:
    """With `played`: share of matches that took 2.5 times the median minutes, or more."""
    times = minutes(part)
    middle = float(np.median(times))
    return share(int((times >= measures.LONG * middle).sum()), len(times)) if middle else UNKNOWN


@estimated("minutes from the deal to the end", NUMBER, better=-1)
def real_minutes(part: ReportPart) -> Estimate:
    """With `played`: minutes from the deal to the end, without pauses."""
    return mean(minutes(part))


@estimated("minutes, median match", NUMBER, better=-1)
def real_median(part: ReportPart) -> Estimate:
    """With `played`: the same, the median."""
    return median(minutes(part))


@estimated("seconds a person took per choice", NUMBER)
def think(part: ReportPart) -> Estimate:
    """With `played`: seconds that a person takes for a choice."""
    number, seconds = np.array(of(part).choices, np.float64).T
    return ratio(seconds, number) if number.sum() else UNKNOWN


TIME = Table(
    "time",
    "Real time",
    (real_minutes, real_median, think),
    lambda part: (
        f"Real time. A wait of more than {PAUSE / 60:g} minutes is a pause and isn't counted: there "
        f"{'was' if sum(of(part).pauses) == 1 else 'were'} {wording.count(sum(of(part).pauses))}."
    ),
    lambda part: part.played is not None,
    hidden=(slow,),
)


# --- company ----------------------------------------------------------------------------------------------------------
WHO = {PERSON: "people", PROGRAM: "programs over the network", SHARED: "a person and a bot in turn"}


def kinds(part: ReportPart) -> list[str]:
    """The kinds of players that met others, people first."""
    return sorted(of(part).mixed, key=lambda who: (who != PERSON, who))


def meetings(part: ReportPart, k: int) -> np.ndarray:
    """Of each match in which a kind met others its number, how far ahead it came, its share, and its variance."""
    return np.array(of(part).mixed[kinds(part)[k]]).T


def furthest(part: ReportPart, k: int) -> measures.Example:
    """The match in which a kind was furthest ahead, or behind if it is."""
    gains = meetings(part, k)[1]
    return measures.Example(int(meetings(part, k)[0][(gains if gains.mean() > 0 else -gains).argmax()]))


COMPANIONS = Subject(
    "who", kinds, lambda part: [WHO.get(kind) or f"bots: {ADJECTIVES.get(kind, kind)}" for kind in kinds(part)]
)


@estimated("matches", NUMBER, COMPANIONS)
def company(part: ReportPart, k: int) -> Estimate:
    """With `played`: matches in which a kind of players met others."""
    return Estimate(*4 * (meetings(part, k).shape[1],))


@remarked(
    "{of} do better than the rest of their table: {gap} above its mean.",
    lower="{of} do worse than the rest of their table: {gap} below its mean.",
    above=0.0,
    below=0.0,
    more=lambda part, estimate, _k: {"gap": wording.gap(estimate, part.measure)},
    holds=lambda _part, estimate, _k: estimate.count >= TIMES,
    example=furthest,
    spread=lambda part, _limit: measures.deviation(part),
)
@estimated("above the mean", measures.ABOVE, COMPANIONS)
def company_gain(part: ReportPart, k: int) -> Estimate:
    """With `played`: utility of a kind of players above the mean of the table, where it met others."""
    _numbers, gains, _shares, varies = meetings(part, k)
    few = len(gains) < FEW_GAMES
    return mean_of_few(gains, varies, len(gains) * (part.players - 1)) if few else mean(gains)


@estimated("{takes}", PERCENT, COMPANIONS)
def company_place(part: ReportPart, k: int) -> Estimate:
    """With `played`: share of the place that decides of a kind of players, where it met others."""
    return mean_share(meetings(part, k)[2])


COMPANY = Table(
    "company",
    "People and bots",
    (company, company_gain, company_place),
    lambda _part: (
        "From matches with different kinds of players; results are above the mean of the table. A seat that "
        "somebody took over during the match counts as played by both in turn."
    ),
    lambda part: part.played is not None and bool(part.played.mixed),
)


# --- what they said ---------------------------------------------------------------------------------------------------
def mean_answer(part: ReportPart, value: Callable[[Any], float | None]) -> Estimate:
    """A share of those who answered, averaged over matches; one match is one observation: they saw the same."""
    values_said = [[number for answer in match if (number := value(answer)) is not None] for match in of(part).said]
    means = np.array([float(np.mean(values)) for values in values_said if values])
    return mean_share(means) if len(means) else UNKNOWN


@remarked("{share} of those who answered would play again.", below=MOST)
@estimated("would play again", PERCENT, better=1)
def again(part: ReportPart) -> Estimate:
    """With `played`: share of those asked whether they would play again that said yes."""
    return mean_answer(part, lambda one: None if one.again is None else one.again == YES)


@remarked("{share} of those who answered named a moment that dragged.", above=MOST)
@estimated("named a moment that dragged", PERCENT, better=-1)
def dragged(part: ReportPart) -> Estimate:
    """With `played`: share of those who answered that named a moment that dragged."""
    return mean_answer(part, lambda one: one.drag is not None)


@estimated("looked up a rule, or were confused", PERCENT, better=-1)
def confused(part: ReportPart) -> Estimate:
    """With `played`: share of those who answered that had to look up a rule, or named something confusing."""
    return mean_answer(part, lambda one: one.lookup is not None or bool(one.confused))


def everyone(part: ReportPart) -> list[Any]:
    """All answers."""
    return [answer for match in (part.played.said if part.played is not None else ()) for answer in match]


def said_note(part: ReportPart) -> str:
    """How many answered what."""
    answers = everyone(part)
    again = sum(answer.again is not None for answer in answers)
    answered = f"{wording.of(len(answers), 'player')} answered, {again} of them whether they would play again."
    return f"{answered} Those who answer may think otherwise than those who don't."


SAID = Table("feedback", "What people said", (again, dragged, confused), said_note, lambda part: bool(everyone(part)))


def quotes(part: ReportPart) -> Iterator[measures.Section]:
    """The newest answers in words."""
    newest, rows = sorted(everyone(part), key=lambda answer: -answer.at), list[tuple[str, str]]()
    for name, about in (("confused", "rule looked up"), ("words", "besides")):
        rows += [(about, f"“{text}”") for text in [*filter(None, (getattr(reply, name) for reply in newest))][:QUOTED]]
    if rows:
        yield measures.Section("quotes", "In their words", ("about", "answer"), tuple(rows))


# --- the moments that they named --------------------------------------------------------------------------------------
ASKED = {"best": "best", "drag": "dragged", "lookup": "rule looked up"}  # what a moment is an answer to
MOST_MOMENTS = 24  # that a report shows, those named most first
Named = tuple[int, int, str]  # a match by its number, the ply of a move, and the question


def named(matches: Sequence[Sequence[Any]]) -> Counter[Named]:
    """How often each moment was named."""
    return Counter(
        (number, ply, question)
        for number, match in enumerate(matches)
        for answer in match
        for question in ASKED
        if (ply := getattr(answer, question)) is not None
    )


def moments(part: ReportPart) -> Iterator[measures.Section]:
    """What bots say of the moments that people named."""
    judged, times = of(part).moments, named(of(part).said)
    if not judged:
        return
    names = tuple(wording.seat_name(part, seat) for seat in range(part.players))
    spell, unit = Catalogue(names=names).words, part.game.table.ABOUT.deal
    rows, examples = list[tuple[str, ...]](), []
    for (number, ply, question), moment in sorted(judged.items(), key=lambda item: [*ASKED].index(item[0][2])):
        deal = f", {spell(unit).lower()} {moment.deal}" if moment.deal > 1 else ""
        worth = (measures.GAIN.cell(part, item) if item.count else "no choice" for item in (moment.stake, moment.lost))
        chance = f"{wording.number(100 * moment.before, 0)} → {wording.number(100 * moment.after, 0)} %"
        about = f"{ASKED[question]}: {names[moment.seat]}{deal}, “{spell(moment.label)}”"
        rows.append((about, str(times[number, ply, question]), *worth, chance))
        examples.append(measures.Example(number, ply))
    means = []
    for question, title in ASKED.items():
        stakes = [item.stake.value for key, item in judged.items() if key[2] == question and item.stake.count]
        if stakes:
            means.append(f"{title}: {measures.GAIN.cell(part, mean(np.array(stakes)))}")
    note = (
        f"Bots play on from each moment, by what its player knew. At stake ({part.measure.unit}) is by how much the "
        "best move beats the worst; what the chosen one cost is by how much the best beats it. The chance is that its "
        f"player {wording.in_game('{takes}', part)}: before the move, and when somebody acted next."
    )
    note += f" At stake in the mean: {'; '.join(means)}." if means else ""
    heads = "moment", "by", "at stake", "cost", "chance"
    linked = examples if any(of(part).paths) else []
    yield measures.Section("moments", "Moments that people named", heads, tuple(rows), note, examples=tuple(linked))


def write_answers(parts: Sequence[ReportPart], path: Path) -> int:
    """Write every answer to a Parquet file, with its match's number in its part, and say how many there are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    text, columns = pa.string(), {name: pa.int32() for name in ("again", "best", "drag", "lookup")}
    columns |= {"confused": text, "words": text, "at": pa.float64()}
    kinds = {"game": text, "players": pa.int16(), "options": text, "match": pa.int64(), "seat": pa.int16()}
    rows = []
    for part in parts:
        options = json.dumps(dict(part.game.options), sort_keys=True)
        about = {"game": part.game.name, "players": part.players, "options": options}
        for number, answer in ((number, answer) for number, match in enumerate(of(part).said) for answer in match):
            fields = {name: getattr(answer, name) for name in columns}
            rows.append(about | {"match": number, "seat": answer.seat + 1} | fields)
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(kinds | columns)), path)
    return len(rows)


# --- matches with real cards ------------------------------------------------------------------------------------------
NEEDED = "players", "seats", "points"
COLUMNS = *NEEDED, "minutes", "remarks"
LARGEST, MOST_MINUTES = 1 << 20, 100_000  # bytes of a file; minutes of a match
SEPARATORS = ",;\t"
PLAIN = re.compile(
    r"[-\u2212+]?[0-9]{0,9}(?<=[0-9])(?:[.,](?:[0-9]{1,2}|[0-9]{4,9}))?"
)  # 1,200 and 1.200 are ambiguous


# --- files ------------------------------------------------------------------------------------------------------------
def read_matches(path: Path) -> list[PaperMatch]:
    """The matches in a file, or in all files of a folder whose names end in .csv; raises BadOption."""
    files = [path]
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix.lower() == ".csv" and file.name[0] != ".")
    matches = [match for file in files for match in matches_in(text_of(file), file)]
    if not matches:
        text = _("There are no matches in {place}.") if files else _("No file in {place} has a name that ends in .csv.")
        raise BadOption(say(text, place=str(path)))
    return matches


def text_of(file: Path) -> str:
    """What a file holds; raises BadOption."""
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise BadOption(unreadable(file, error).text) from None
    if len(data) > LARGEST:
        raise BadOption(say("{place} has more than {most} bytes.", place=str(file), most=LARGEST))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        text = _("{place}, line {line}: this isn't text in UTF-8, so save the file as that.")
        raise BadOption(say(text, place=str(file), line=line)) from None


def matches_in(text: str, file: Path) -> list[PaperMatch]:
    """The matches in the text of a file, one a row below the names of its columns; raises BadOption."""
    names_separator = re.match(r'"?sep=."?[;,\t]*\r?\n', text, re.IGNORECASE)  # as Excel has it
    head = text.lstrip(f"{SEPARATORS}\r\n ").splitlines()[:1] or [""]
    mark = max(SEPARATORS, key=head[0].count)
    rows = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True)
    line, names, matches = 1, list[str](), list[PaperMatch]()
    try:
        for row in rows:
            fields = [field.strip() for field in row]
            if names_separator and rows.line_num == 1:
                continue
            if any(fields) and names:
                matches.append(match_of(by_column(names, fields, mark)))
            elif any(fields):
                names = columns_of(fields)
            line = rows.line_num + 1
        names = names or columns_of([])
    except (BadOption, csv.Error) as wrong:
        why = wrong.text if isinstance(wrong, BadOption) else say("the quotes don't match.")
        if "limit" in str(wrong):
            why = say("a field has more than {most} letters.", most=csv.field_size_limit())
        raise BadOption(say("{place}, line {line}: {why}", place=str(file), line=line, why=why)) from None
    return matches


def columns_of(fields: Sequence[str]) -> list[str]:
    """The names of the columns, in lower case; raises BadOption where one that is needed isn't there once."""
    names = [field.lower() for field in fields]
    for name in COLUMNS:
        if names.count(name) > 1:
            text = _("it has {times} columns {name}; leave one of them.")
            raise BadOption(say(text, name=name, times=names.count(name)))
        if name in NEEDED and name not in names:
            text = _("it lacks the column {name}; the columns are {columns}, of which {some} are needed.")
            raise BadOption(say(text, name=name, columns=", ".join(COLUMNS), some=", ".join(NEEDED)))
    return names


def by_column(names: Sequence[str], fields: Sequence[str], mark: str) -> dict[str, str]:
    """The fields of a row by their columns, "" for those that it ends without; raises BadOption for what is split."""
    row = dict.fromkeys((*COLUMNS, *names), "") | dict(zip(names, fields, strict=False))
    if any(fields[len(names) :]) or (mark == "," and row["remarks"].isdecimal()):  # perhaps minutes, such as 12,5
        raise BadOption(say("a field in which there is a {mark} needs quotes.", mark=mark))
    return row


def match_of(row: dict[str, str]) -> PaperMatch:
    """The match of a row; raises BadOption."""
    players, seats = number_of(row, "players"), [number_of(row, "seats", seat) for seat in row["seats"].split()]
    points = [number_of(row, "points", number) for number in row["points"].split()]
    if sorted(seats) != [*range(1, 1 + len(seats))] or len(seats) != players or not seats:
        text = _("seats must name each of the seats 1 to {players} once, not {given}.")
        raise BadOption(say(text, players=shortened(row["players"]), given=shortened(row["seats"]) or "–"))
    if len(points) != len(seats):
        raise BadOption(say("there are {seats} seats, but {points} points.", seats=len(seats), points=len(points)))
    minutes = number_of(row, "minutes") if row["minutes"] else None
    if minutes is not None and not 0 < minutes <= MOST_MINUTES:
        raise BadOption(say("minutes can't be {given}.", given=row["minutes"]))
    by_seat = tuple(gained for _seat, gained in sorted(zip(seats, points, strict=True)))
    return PaperMatch(by_seat, minutes, "".join(filter(str.isprintable, " ".join(row["remarks"].split()))))


def number_of(row: dict[str, str], name: str, text: str | None = None) -> float:
    """A number in a column, or in a part of it; raises BadOption."""
    typed = row[name] if text is None else text
    if not PLAIN.fullmatch(typed):
        text = _("{name} takes numbers such as 1200 or -0.5, not {given}.")
        raise BadOption(say(text, name=name, given=shortened(typed) or "–"))
    return float(typed.replace(",", ".").replace("\u2212", "-"))


def with_matches(report: Report, matches: Sequence[PaperMatch]) -> Report:
    """The report with matches beside its first part with as many players; what has none is told to be left out."""
    parts, remaining = [], list(matches)
    for part in report.parts:
        paper = tuple(match for match in remaining if len(match.points) == part.players)
        remaining = [match for match in remaining if len(match.points) != part.players]
        parts.append(replace(part, paper=paper))
    if not remaining:
        return replace(report, parts=tuple(parts))
    number = wording.of(len(remaining), "match", "matches")
    note = f"Left out: {number} on paper with numbers of players that this report doesn't have."
    return replace(report, parts=tuple(parts), left=(*report.left, note))


# --- in a report ------------------------------------------------------------------------------------------------------
def points(part: ReportPart) -> np.ndarray:
    """The points of all seats, float64 (matches, seats)."""
    return np.array([match.points for match in part.paper])


@estimated("points", NUMBER, SEAT)
def paper_points(part: ReportPart, k: int) -> Estimate:
    """With `--on-paper`: points of a seat."""
    return mean(points(part)[:, k])


@estimated("{takes}", PERCENT, SEAT)
def paper_place(part: ReportPart, k: int) -> Estimate:
    """With `--on-paper`: share of the place that decides of a seat, ties shared."""
    return mean_share(place_shares_of(points(part), part.place)[:, k])


@estimated("minutes", NUMBER)
def paper_minutes(part: ReportPart) -> Estimate:
    """With `--on-paper`: minutes of a match."""
    minutes = [match.minutes for match in part.paper if match.minutes is not None]
    return mean(np.array(minutes)) if minutes else UNKNOWN


def note(part: ReportPart) -> str:
    """How many there were, and how long they took."""
    minutes, count = paper_minutes.of_part(part), wording.of(len(part.paper), "match", "matches")
    took = f" They took {wording.plain(minutes, 1)} minutes; that is known of {minutes.count}." if minutes.count else ""
    return f"{count} with real cards, in which more points are better.{took}"


PAPER = Table(
    "paper",
    "On paper",
    (paper_points, paper_place),
    note,
    lambda part: bool(part.paper),
    hidden=(paper_minutes,),
)


def remarks(part: ReportPart) -> Iterator[Section]:
    """What was remarked on paper."""
    rows = tuple((f"match {k}", f"“{match.remarks}”") for k, match in enumerate(part.paper, 1) if match.remarks)
    if rows:
        yield Section("remarks", "Remarks on paper", ("on paper", "remark"), rows)
