"""The score sheet of a match: a row for each deal with what every seat gained, and the totals.

The games say what is counted, as tallies. They are read from the public's struct at the beginning of each deal and at
the end of the match.

The headline of a match that is over says who won it and by what; beside it stands what decided the match.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Seat, Text, _, say
from hexdeck.engine.view import Outcome, Tally, seat_names

Totals = tuple[tuple[int, ...], ...]  # by tally and seat
MOST_WINNERS = 4  # who share a win


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
    return tuple(match.game.table.tallies(match.knowledge(-1)))


def teams(match: Match) -> tuple[int, ...]:
    """The team of each seat, empty if nobody has a partner."""
    return next((tally.teams for tally in tallies(match)), ())


def outcome(match: Match, seat: int = -1) -> Outcome:
    """How a match that is over ended, as a seat or the public (-1) is told."""
    result: Outcome = match.game.table.outcome(match.knowledge(seat), seat)
    return result


def winners(match: Match) -> tuple[bool, ...]:
    """Whether each seat won, in a match that is over: all with the best result did, unless the game has no winner."""
    returns = match.returns()
    if outcome(match).nobody_won:
        return (False,) * len(returns)
    return tuple(bool(utility == max(returns)) for utility in returns)


def places(match: Match) -> tuple[int, ...]:
    """The place of each seat, in a match that is over."""
    return places_of(outcome(match).placed_by or match.returns())


def places_of(results: Sequence[float]) -> tuple[int, ...]:
    """The place of each seat: 1 for the best; equals share a place."""
    return tuple(1 + sum(result > own for result in results) for own in results)


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
    ends_anew = any(tally.single_deal for tally in start)
    closed = {tally.id: tally.totals for tally in deal_tallies(match, ply)} if ends_anew else {}
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
    event, single, now = match.event(ply - 1), match.copy_position(), tallies(match)
    for tally in now:
        for name, value in tally.single_deal.items():
            setattr(single.struct, name, value)
    single = single.copy_position()
    single.load_events([(event.seat, event.id)])
    return tallies(single)


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


def totals_of(tallies: Sequence[Tally]) -> Totals:
    """The totals by tally and seat."""
    return tuple(tally.totals for tally in tallies)


def gains(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The differences of two totals, by tally and seat."""
    pairs = zip(before, after, strict=True)
    return tuple(tuple(new - old for old, new in zip(*pair, strict=True)) for pair in pairs)


def headlines(match: Match, seat: int) -> tuple[Text, ...]:
    """The headline of a match that is over, for a seat (-1: the public), and what is told beside it."""
    won, sides = winners(match), teams(match)
    return headlines_of(won, seat, sides, winning_lead(match, won, sides), decision_line(match, seat))


def headlines_of(
    won: Sequence[bool],
    seat: int = -1,
    team_of: Sequence[int] = (),
    lead: Text | None = None,
    decided: Text | None = None,
) -> tuple[Text, ...]:
    """The headline, who won, and beside it what decided the match, where that says more."""
    winner = winner_line(won, seat, team_of, lead)
    return (winner,) if decided is None else (winner, decided)


def winner_line(won: Sequence[bool], seat: int, team_of: Sequence[int], lead: Text | None) -> Text:
    """Who won the match, or the session of several rounds that it was; a reader who won alone is told so."""
    seats = [number for number, wins in enumerate(won) if wins]
    if not seats:
        return say("Nobody has won.")
    sides = winning_sides(won, team_of)
    if team_of and len(sides) == 1:
        alone, ahead = _("Team {number} wins!"), _("Team {number} wins by {lead}!")
        return say(ahead if lead else alone, number=sides.pop() + 1, **({"lead": lead} if lead else {}))
    if len(seats) > MOST_WINNERS:
        return say("{n} players share the win!", n=len(seats))
    if len(seats) > 1:
        return say("You share the win!") if seat in seats else say("{names} share the win!", names=seat_names(seats))
    if seats[0] == seat:
        return say("You win by {lead}!", lead=lead) if lead else say("You win!")
    name = Seat(seats[0])
    return say("{name} wins by {lead}!", name=name, lead=lead) if lead else say("{name} wins!", name=name)


def winning_sides(won: Sequence[bool], team_of: Sequence[int]) -> set[int]:
    """The seats that won, or their teams."""
    return {team_of[seat] if team_of else seat for seat, wins in enumerate(won) if wins}


def winning_lead(match: Match, won: Sequence[bool], team_of: Sequence[int]) -> Text | None:
    """By what a match was won; None where that isn't counted, or nobody alone, or no team, has won it."""
    return outcome(match).won_by if len(winning_sides(won, team_of)) == 1 else None


def decision_line(match: Match, seat: int) -> Text | None:
    """What decided a match, as a seat (-1: the public) is told; None where who won says it all."""
    return outcome(match, seat).decided_by
