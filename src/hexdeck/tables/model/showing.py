"""Showing what happens at a table: the beats since a version, how long they take, and who waits for them.

Beats are for eyes: where nobody has a page of the table open, they take no time (`LiveTable.pace` is 0). All waits
follow from what the public sees (`engine/play/beats.py`), so they tell nobody anything.
"""

from __future__ import annotations

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.story import BeatMaker, moments
from hexdeck.tables.model.entries import PLAYING, RETRACT, Entry
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import PERSON

PACES = {"slow": 1.6, "normal": 1.0, "quick": 0.5}  # how long beats take, compared with what they say
MOST_VERSIONS = 8  # whoever is further behind is shown the newest view at once
LONGEST_WAIT = 15.0  # seconds that bots wait at most, however much is shown
FIRST_LOOK = 5.0  # seconds after the deal for which bots wait for a person's page to be open


def maker_since(table: LiveTable, version: int) -> BeatMaker | None:
    """What makes the beats of all that happened since a version; None where only the newest view can be shown."""
    later = entries_since(table, version)
    if table.match is None or not later or any(each.kind == RETRACT for each in later):
        return None
    match, first = table.match, table.match.length - sum(len(entry.pairs) for entry in later)
    found: BeatMaker = table.cached(
        ("beats", version), lambda: BeatMaker(match.game, match.driver, moments(match, first))
    )
    return found


def beats_for(table: LiveTable, seat: int, version: int) -> tuple[Beat, ...]:
    """The beats that lead a seat (-1: the public) from a version to the newest that it knows; none if it is far behind.

    Later choices of others, which it hasn't noticed, count for nothing.
    """
    behind = table.version_for(seat) - version
    maker = maker_since(table, version) if version >= 0 and 0 < behind <= MOST_VERSIONS else None
    return maker.beats(seat) if maker else ()


def entries_since(table: LiveTable, version: int) -> list[Entry]:
    """The entries after a version."""
    first = version + 1 - table.entries[0].version if table.entries else 0
    return table.entries[max(0, first) :]


def seconds(table: LiveTable, since: int) -> float:
    """How long what happened since a version is shown, at the table's pace."""
    maker = maker_since(table, since) if table.pace else None
    return maker.total / 1000 * table.pace if maker else 0.0


def note_shown(table: LiveTable, now: float) -> None:
    """Take note of a new version: until when pages show what happened."""
    before, table.shown_version = table.shown_version, table.version
    if before is not None and before < table.version:
        lasts = max(table.shown_until, now) + seconds(table, before)
        table.shown_until = min(lasts, now + LONGEST_WAIT)


def seconds_drafted(table: LiveTable, entry: Entry, now: float) -> float:
    """How long from now on pages show what happens, with an entry that was played but isn't stored yet."""
    if not table.pace or table.match is None:
        return 0.0
    match = table.match
    maker = BeatMaker(match.game, match.driver, moments(match, match.length - len(entry.pairs)))
    return min(still_shown(table, now) + maker.total / 1000 * table.pace, LONGEST_WAIT)


def still_shown(table: LiveTable, now: float) -> float:
    """For how many seconds more pages show what happened last."""
    return max(0.0, table.shown_until - now)


def awaits_look(table: LiveTable, now: float) -> bool:
    """Whether bots wait for a person's page to be open, so that nobody misses the beginning."""
    if table.seen or table.state != PLAYING or not any(seat.kind == PERSON for seat in table.seats):
        return False
    return now < next((entry.at for entry in table.entries if entry.kind == "start"), 0.0) + FIRST_LOOK
