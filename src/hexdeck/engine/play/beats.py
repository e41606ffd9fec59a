"""The beats of a match between two plies, as a seat or the public sees them: made when they are shown, never stored.

A beat is made for each event of which something is public and of which the public was told. It is made from structs
concealed for the seat and from the facts that the seat was told, and takes as long for every seat as for the public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexdeck.engine.arguments import between, seat_of
from hexdeck.engine.beat import Beat, fitted, length
from hexdeck.engine.play.driver import Driver, raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.refusals import no_event
from hexdeck.engine.text import Text
from hexdeck.engine.view import Fact

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match

STEP, KNOWN, BASE = 0, 1, 5  # rows: the struct that is stepped on, and a concealed copy; of a match, ply 0
MOST = 15_000  # milliseconds that all beats together take at most; beyond that each is shortened alike


@dataclass(frozen=True, eq=False)
class Moment:
    """An event that everybody noticed: the ply before it, what was told, and the whole structs around it.

    The structs hold all secrets: it must not leave the server.
    """

    ply: int
    facts: Sequence[Fact]
    before: bytes
    after: bytes


def beats(match: Match, seat: int, since: int = 0) -> tuple[Beat, ...]:
    """What a seat (-1: the public) sees, step by step, of the events from index `since` up to the present ply.

    Raises BadPly if the match has fewer events.
    """
    return BeatMaker(match.game, match.driver, moments(match, since)).beats(seat)


def moments(match: Match, since: int = 0) -> tuple[Moment, ...]:
    """The events from index `since` up to the present ply that everybody noticed. Raises BadPly."""
    first = between(since, 0, match.ply)
    if first is None:
        raise no_event(match, since)
    rows, narration = match.game.rows(match.driver), match.narration()
    out: list[Moment] = []
    now = raw(rows)[STEP]
    struct, repeat = match.driver.proxy(memoryview(now).cast("B")), match.driver.kernel("repeat")
    marks = {0: raw(match.rows)[BASE].tobytes(), **match.seat_views.marks}
    begin = max(ply for ply in marks if ply <= first)
    memoryview(now)[:] = marks[begin]
    for ply in range(begin, match.ply):
        event, mark = match.event(ply), public_mark(struct)
        before = now.tobytes() if ply >= first else b""
        if ply == first:
            marks[first] = before
        repeat(match.driver.g, rows, STEP, event.seat, event.id)
        if ply >= first and public_mark(struct) != mark and any(fact.heard_by(-1) for fact in narration[ply]):
            out.append(Moment(ply, narration[ply], before, now.tobytes()))
    marks[match.ply] = now.tobytes()
    match.seat_views.marks = {ply: marks[ply] for ply in (first, match.ply)}  # where the next ones are likely to begin
    return tuple(out)


class BeatMaker:
    """Makes the beats of moments for any seat."""

    def __init__(self, game: GameSetup, driver: Driver, moments: Sequence[Moment]) -> None:
        self.game, self.table, self.driver, self.moments = game, game.table, driver, moments
        self.rows = game.rows(driver)
        self.holds = self._holds()

    def _holds(self) -> tuple[int, ...]:
        """How long each moment takes, in milliseconds: as long as what the public sees of it."""
        holds = [length(self._seen(moment, -1)[0]) for moment in self.moments]
        total = sum(holds)
        return tuple(hold * MOST // total for hold in holds) if total > MOST else tuple(holds)

    @property
    def total(self) -> int:
        """How long everything takes, in milliseconds; everybody knows it."""
        return sum(self.holds)

    def beats(self, seat: int) -> tuple[Beat, ...]:
        """All beats as a seat (-1: the public) sees them."""
        seat = seat_of(seat, self.game.players, public=True)
        out: list[Beat] = []
        for moment, hold in zip(self.moments, self.holds, strict=True):
            if hold:
                found, facts, after = self._seen(moment, seat)
                otherwise = Beat(tuple(self.table.zones(after, seat)), line=facts[-1] if facts else None)
                out += fitted(found, hold, otherwise)
        return tuple(out)

    def _seen(self, moment: Moment, seat: int) -> tuple[Sequence[Beat], tuple[Text, ...], Any]:
        """A moment's beats for a seat, not yet fitted; what it was told; and what it knows afterwards."""
        before, after = (self._known(struct, seat) for struct in (moment.before, moment.after))
        facts = tuple(fact.text for fact in moment.facts if fact.heard_by(seat))
        return self.table.beats(seat, before, facts, after), facts, after

    def _known(self, struct: bytes, seat: int) -> Any:
        rows = raw(self.rows)
        memoryview(rows[STEP])[:] = struct
        self.driver.kernel("conceal_row")(self.driver.g, self.rows, KNOWN, STEP, seat)
        return self.driver.snapshot(rows[KNOWN].tobytes())


def public_mark(struct: Any) -> tuple[int, int, int]:
    """Numbers that change whenever something public happens."""
    return int(struct.history), int(struct.deal), int(struct.draws)
