"""The score sheet of a match: a row for each deal with what every seat gained, and the totals.

The games say what is counted, as tallies. They are read from the public's struct at the beginning of each deal and at
the end of the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text
from hexdeck.engine.view import Outcome

Totals = tuple[tuple[int, ...], ...]  # by tally and seat


@dataclass(frozen=True)
class Tally:
    """Something that is counted over a match, with the total of every seat; teammates share their team's total.

    `id` is the id of the zone that shows it, without the seat. `single_deal`, where the count restarts at zero in every
    deal, so that the sheet adds the deals up: the fields of the struct by which a match ends with its deal, and the
    count remains. `teams`: the team of each seat, from 0, where some play together.
    """

    id: str
    title: Text
    totals: tuple[int, ...]
    single_deal: Mapping[str, int] = field(default_factory=dict)
    teams: tuple[int, ...] = ()


@dataclass(frozen=True)
class Row:
    """A finished deal: the gains and the totals after it, by tally and seat."""

    number: int
    gains: tuple[tuple[int, ...], ...]
    totals: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ScoreSheet:
    """The score sheet: what a row is called, what is counted, and the rows so far.

    `titles` are the ids and titles of the tallies, `start` the totals before the first deal, `teams` the team of each
    seat, empty if nobody has a partner. `ply` is where the last row ended.
    """

    unit: Text
    titles: tuple[tuple[str, Text], ...]
    start: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    teams: tuple[int, ...] = ()
    ply: int = 0

    @property
    def totals(self) -> tuple[tuple[int, ...], ...]:
        """The totals after the last row, by tally and seat."""
        return self.rows[-1].totals if self.rows else self.start


def tallies(match: Match) -> tuple[Tally, ...]:
    """The game's tallies at the present ply; they are meaningful when a deal begins and at the end of the match."""
    return tuple(match.game.table.tallies(match.seat_views.known(-1)))


def teams(match: Match) -> tuple[int, ...]:
    """The team of each seat, empty if nobody has a partner."""
    return next((tally.teams for tally in tallies(match)), ())


def outcome(match: Match, seat: int = -1) -> Outcome:
    """How a match that is over ended, as a seat or the public (-1) is told."""
    found: Outcome = match.game.table.outcome(match.seat_views.known(seat), seat)
    return found


def winners(match: Match) -> tuple[bool, ...]:
    """Whether each seat won, in a match that is over: all with the best result did, unless the game has no winner."""
    returns = match.returns()
    if outcome(match).nobody_won:
        return (False,) * len(returns)
    return tuple(bool(each == max(returns)) for each in returns)


def score_sheet(match: Match, earlier: ScoreSheet | None = None) -> ScoreSheet:
    """The score sheet of a match up to its present ply; `earlier`: its sheet when fewer deals were over."""
    again = Match(match.game, by_hand=True, backend=match.driver.backend)
    again.load_events(match.pairs[: match.ply])
    again.go(0)
    start = tallies(again)
    rows, last, first = (list(earlier.rows), earlier.totals, earlier.ply) if earlier else ([], totals_of(start), 0)
    ends = deal_ends(again, first)
    for number, ply in enumerate(ends, len(rows) + 1):
        now = totals_after(again, ply, start, last)
        rows.append(Row(number, gains(last, now), now))
        last = now
    titles = tuple((tally.id, tally.title) for tally in start)
    unit, ply = match.game.table.ABOUT.deal, [first, *ends][-1]
    return ScoreSheet(unit, titles, totals_of(start), tuple(rows), teams(again), ply)


def totals_after(match: Match, ply: int, start: Sequence[Tally], last: Totals) -> Totals:
    """The totals after the deal that ended at a ply, from the totals before that deal; moves the match."""
    closed = (
        {tally.id: tally.totals for tally in deal_tallies(match, ply)}
        if any(tally.single_deal for tally in start)
        else {}
    )
    match.go(ply)
    return tuple(
        tuple(map(sum, zip(before, closed[tally.id], strict=True))) if tally.single_deal else tally.totals
        for tally, before in zip(tallies(match), last, strict=True)
    )


def deal_tallies(match: Match, ply: int) -> tuple[Tally, ...]:
    """The tallies at the end of a deal, before the next deal resets them; moves the match.

    The deal's last event is played again in a copy that counts as a match of this one deal.
    """
    match.go(ply - 1)
    event, other, now = match.event(ply - 1), match.copy_position(), tallies(match)
    for tally in now:
        for name, value in tally.single_deal.items():
            setattr(other.struct, name, value)
    other = other.copy_position()
    other.load_events([(event.seat, event.id)])
    return tallies(other)


def deal_ends(match: Match, first: int = 0) -> list[int]:
    """The plies after the first at which a deal had ended: the next deal's first, or the end; moves the match."""
    out, deal = [], 0
    for ply in range(first, match.length + 1):
        match.go(ply)
        now = int(match.struct.deal)
        if now > deal > 0:
            out.append(ply)
        deal = now
    return [*out, match.length] if match.over else out


def totals_of(found: Sequence[Tally]) -> Totals:
    """The totals by tally and seat."""
    return tuple(tally.totals for tally in found)


def gains(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The differences of two totals, by tally and seat."""
    pairs = zip(before, after, strict=True)
    return tuple(tuple(new - old for old, new in zip(*pair, strict=True)) for pair in pairs)
