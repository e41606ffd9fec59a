"""The score sheet of a match: a row for each deal, what it brought every seat, and the totals. Games say what is kept.

Everything is read from the struct as the public knows it, at the beginning of each deal and at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text

Totals = tuple[tuple[int, ...], ...]  # by tally and seat


@dataclass(frozen=True)
class Tally:
    """Something that is counted over a match, with every seat's total; who plays in a team has the team's.

    `id` is the zone that shows it, without the seat. `resets_each_deal`: it begins at nothing in every deal; the sheet
    adds it up.
    """

    id: str
    title: Text
    totals: tuple[int, ...]
    resets_each_deal: bool = False


@dataclass(frozen=True)
class Row:
    """A deal that has ended: what it brought, by tally and seat, and the totals after it."""

    number: int
    gains: tuple[tuple[int, ...], ...]
    totals: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ScoreSheet:
    """The sheet: what a row stands for, what is counted, who plays with whom, and the rows so far.

    `teams`: the team of each seat, empty where everybody plays alone.
    """

    unit: Text
    titles: tuple[tuple[str, Text], ...]
    start: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    teams: tuple[int, ...] = ()

    @property
    def totals(self) -> tuple[tuple[int, ...], ...]:
        """The totals after the last row, by tally and seat."""
        return self.rows[-1].totals if self.rows else self.start


def tallies(match: Match) -> tuple[Tally, ...]:
    """What the game counts, where the match stands: right when a deal begins, and at the end."""
    return tuple(match.game.table.tallies(match.sight.known(-1)))


def teams(match: Match) -> tuple[int, ...]:
    """The team of each seat, empty where everybody plays alone."""
    return tuple(match.game.table.teams(match.sight.known(-1)))


def winners(match: Match) -> tuple[bool, ...]:
    """Who won a match that is over: all with the best result, unless the game says that nobody did."""
    returns = match.returns()
    if match.game.table.no_winner(match.sight.known(-1)):
        return (False,) * len(returns)
    return tuple(bool(each == max(returns)) for each in returns)


def score_sheet(match: Match) -> ScoreSheet:
    """The sheet of a match up to its present ply; the match stays where it is."""
    again = Match(match.game, by_hand=True, backend=match.driver.backend)
    again.load_events([(event.seat, event.id) for event in match.events[: match.ply]])
    again.go(0)
    begun = tallies(again)
    found, last = [], totals_of(begun)
    for number, ply in enumerate(ends(again), 1):
        now = after(again, ply, begun, last)
        found.append(Row(number, gains(last, now), now))
        last = now
    titles = tuple((tally.id, tally.title) for tally in begun)
    return ScoreSheet(match.game.table.DEAL, titles, totals_of(begun), tuple(found), teams(again))


def after(match: Match, ply: int, begun: Sequence[Tally], last: Totals) -> Totals:
    """The totals after the deal that ended with a ply, from those before it. The match is stepped through."""
    closed = (
        {tally.id: tally.totals for tally in closing(match, ply)}
        if any(tally.resets_each_deal for tally in begun)
        else {}
    )
    match.go(ply)
    return tuple(
        tuple(map(sum, zip(before, closed[tally.id], strict=True))) if tally.resets_each_deal else tally.totals
        for tally, before in zip(tallies(match), last, strict=True)
    )


def closing(match: Match, ply: int) -> tuple[Tally, ...]:
    """What is counted when a deal has ended and the next hasn't begun: its end once more, as if it were all."""
    match.go(ply - 1)
    event, other = match.event(ply - 1), match.copy_position()
    match.game.table.as_single_deal(other.struct)
    other = other.copy_position()
    other.load_events([(event.seat, event.id)])
    return tallies(other)


def ends(match: Match) -> list[int]:
    """The plies at which a deal had ended: the first of the next, and the end of the match. It is stepped through."""
    out, deal = [], 0
    for ply in range(match.length + 1):
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
    """What was added, by tally and seat."""
    pairs = zip(before, after, strict=True)
    return tuple(tuple(new - old for old, new in zip(*pair, strict=True)) for pair in pairs)
