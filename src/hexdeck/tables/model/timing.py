"""When things happen at a table: the clocks of seats, the delays of moves, and how long pages show what happened.

A move is made at a time that tells nothing. What a bot thinks about longer may be its secret: a hand with more to
choose from, a card that changes everything. That only one move is left may be a seat's secret, too.

Beats are for eyes: where no page of the table is open, they take no time (`LiveTable.pace` is 0). All waits follow from
what the public sees (`engine/play/story.py`), so they give nothing away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.story import BeatMaker, moments
from hexdeck.tables.keys import SYSTEM
from hexdeck.tables.model.entries import PLAYING, RETRACT, Entry
from hexdeck.tables.model.seats import FIRST_CLOCK_WAIT, PERSON, Seat

if TYPE_CHECKING:
    from hexdeck.tables.model.live import LiveTable

UNWATCHED_DELAY = 0.1  # seconds that a bot takes, at least, where no page waits for its move alone
# seconds before a forced move: the least, and the mean and the most of what is added
FORCED_LEAST, FORCED_MEAN, FORCED_MOST = 1.0, 1.0, 20.0
PACES = {"slow": 1.6, "normal": 1.0, "quick": 0.5}  # how long beats take, compared with what they say
MOST_VERSIONS = 8  # a page that is further behind shows the newest view at once
LONGEST_WAIT = 15.0  # seconds that bots wait at most, however much is shown
FIRST_LOOK = 5.0  # seconds after the deal for which bots wait for a person's page to be open


def with_clocks(
    table: LiveTable,
    seats: Sequence[Seat],
    now: float,
    *,
    before: Sequence[int] = (),
    mover: int = -1,
    private: bool = True,
    beats: float = 0.0,
) -> tuple[Seat, ...]:
    """The seats with their clocks set: a seat that comes to act, or acts again, has the whole time.

    `private`: nothing public happened, so every seat is still at the same decision (a clock that began anew would give
    a secret step away), and a clock that was stopped goes on from where it stood. Otherwise only seats that acted
    `before`, other than the `mover`, are at the same decision. `beats`: seconds for which pages still show what
    happened, and new clocks don't run yet.
    """
    seconds = table.terms.seconds
    if seconds is None:
        return tuple(seats)
    acting = set(table.match.acting if table.match and not table.match.over else ())
    out = []
    for number, seat in enumerate(seats):
        same_decision = private or (number in before and number != mover)
        out.append(clocked(seat, now, seconds + beats, number in acting, same_decision))
    return tuple(out)


def clocked(seat: Seat, now: float, seconds: float, acts: bool, same_decision: bool) -> Seat:
    """A seat with its clock running, stopped or off."""
    seconds_left = (seat.left if seat.due is None else max(0.0, seat.due - now)) if same_decision else None
    if not (acts and (seat.kind == PERSON or seat.remote)):
        return replace(seat, due=None, left=seconds_left)
    if seconds_left is not None:
        return replace(seat, due=seat.due or now + seconds_left, left=None)
    return replace(seat, due=now + seconds + (FIRST_CLOCK_WAIT if seat.awaited else 0.0), left=None)


def bot_delay(took: float, pause: float) -> float:
    """How long after its turn began a bot moves that thought for `took` seconds: the pause, doubled until it suffices.

    All thoughts within the pause look the same; a longer one shows only how often it was doubled. Without a pause
    nothing is waited for.
    """
    delay = pause
    while 0 < delay < took:
        delay *= 2
    return delay


def forced_delay(pause: float, source: Random = SYSTEM) -> float:
    """How long the table waits before a forced move, in seconds; 0 where bots don't wait either (`pause` is 0).

    That only one move is left may be the seat's secret: in High Handed it means that the seat holds no regular card. A
    move made at once, or always after the same time, would give it away. So the delay is drawn at random, the same way
    in every game, whether others could know it anyway or not; and it has a long tail, as people's have: however late a
    move comes, it may have been forced.
    """
    if not pause:
        return 0.0
    return FORCED_LEAST + min(source.expovariate(1 / FORCED_MEAN), FORCED_MOST)


def maker_since(table: LiveTable, version: int) -> BeatMaker | None:
    """What makes the beats of all that happened since a version; None where only the newest view can be shown."""
    later = entries_since(table, version)
    if table.match is None or not later or any(entry.kind == RETRACT for entry in later):
        return None
    match, first = table.match, table.match.length - sum(len(entry.pairs) for entry in later)
    maker: BeatMaker = table.cached(
        ("beats", version), lambda: BeatMaker(match.game, match.driver, moments(match, first))
    )
    return maker


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


def seconds_shown(table: LiveTable, since: int) -> float:
    """How long what happened since a version is shown, at the table's pace."""
    maker = maker_since(table, since) if table.pace else None
    return maker.total / 1000 * table.pace if maker else 0.0


def note_shown(table: LiveTable, now: float) -> None:
    """Take note of a new version: until when pages show what happened."""
    before, table.shown_version = table.shown_version, table.version
    if before is not None and before < table.version:
        lasts = max(table.shown_until, now) + seconds_shown(table, before)
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
    """Whether bots wait for a person's page to be open, so that no player misses the beginning."""
    if table.seen or table.state != PLAYING or not any(seat.kind == PERSON for seat in table.seats):
        return False
    return now < next((entry.at for entry in table.entries if entry.kind == "start"), 0.0) + FIRST_LOOK
