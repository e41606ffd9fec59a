"""Matches that were played with real cards, from files of comma-separated values, beside those of a report."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import numpy as np

from hexdeck.engine.errors import BadOption, shortened, unreadable
from hexdeck.engine.text import _, say
from hexdeck.lab.counts import place_shares_of
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.measures import NUMBER, PERCENT, SEAT, Section, Table, estimated
from hexdeck.lab.reporting.report import Report, ReportPart
from hexdeck.stats import UNKNOWN, Estimate, mean, mean_share

COLUMNS = "players", "seats", "points", "minutes", "remarks"
LARGEST, MOST_MINUTES = 1 << 20, 100_000  # bytes of a file; minutes of a match
SEPARATORS = ",;\t"
PLAIN = re.compile(
    r"[-\u2212+]?[0-9]{0,9}(?<=[0-9])(?:[.,](?:[0-9]{1,2}|[0-9]{4,9}))?"
)  # 1,200 and 1.200 are ambiguous


@dataclass(frozen=True)
class PaperMatch:
    """A match with real cards: the points of each seat, of which more are better."""

    points: tuple[float, ...]
    minutes: float | None = None
    remarks: str = ""


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
        if names.count(name) != 1:
            text = _("it names the column {name} {times} times, but needs each of {columns} once.")
            raise BadOption(say(text, name=name, times=names.count(name), columns=", ".join(COLUMNS)))
    return names


def by_column(names: Sequence[str], fields: Sequence[str], mark: str) -> dict[str, str]:
    """The fields of a row by their columns, "" for those that it ends without; raises BadOption for what is split."""
    row = dict.fromkeys(names, "") | dict(zip(names, fields, strict=False))
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
