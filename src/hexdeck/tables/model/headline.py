"""The headline of a match that is over: who won it and by what; beside it what decided the match."""

from __future__ import annotations

from collections.abc import Sequence

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import outcome, teams, winners
from hexdeck.engine.text import Seat, Text, say

MOST_NAMED = 4  # who share a win


def headlines(match: Match, seat: int) -> tuple[Text, ...]:
    """The headline of a match that is over, for a seat (-1: the public), and what is told beside it."""
    won, sides = winners(match), teams(match)
    return headlines_of(won, seat, sides, lead(match, won, sides), decided(match, seat))


def headlines_of(
    won: Sequence[bool],
    seat: int = -1,
    team_of: Sequence[int] = (),
    lead: Text | None = None,
    decided: Text | None = None,
) -> tuple[Text, ...]:
    """The headline, and what is told beside it, if anything: where several win, what decided it says more than who."""
    who = who_won(won, seat, team_of, lead)
    if decided is None:
        return (who,)
    return (decided, who) if len(winning_sides(won, team_of)) > 1 else (who, decided)


def who_won(won: Sequence[bool], seat: int, team_of: Sequence[int], lead: Text | None) -> Text:
    """Who won the match, or the session of several rounds that it was; a reader who won alone is told so."""
    seats = [number for number, wins in enumerate(won) if wins]
    if not seats:
        return say("Nobody has won.")
    sides = winning_sides(won, team_of)
    if team_of and len(sides) == 1:
        return team_wins(sides.pop() + 1, lead)
    if len(seats) > MOST_NAMED:
        return say("{n} players share the win.", n=len(seats))
    if len(seats) > 1:
        return say("{names} share the win.", names=named(seats))
    if seats[0] == seat:
        return say("You win by {lead}!", lead=lead) if lead else say("You win!")
    name = Seat(seats[0])
    return say("{name} wins by {lead}!", name=name, lead=lead) if lead else say("{name} wins!", name=name)


def named(seats: Sequence[int]) -> Text:
    """Two seats or more in a row, by their names."""
    first: Seat | Text = Seat(seats[0])
    for seat in seats[1:-1]:
        first = say("{first}, {second}", first=first, second=Seat(seat))
    return say("{first} and {last}", first=first, last=Seat(seats[-1]))


def team_wins(number: int, lead: Text | None) -> Text:
    """That a team won, and by what."""
    if lead is None:
        return say("Team {number} wins!", number=number)
    return say("Team {number} wins by {lead}!", number=number, lead=lead)


def winning_sides(won: Sequence[bool], team_of: Sequence[int]) -> set[int]:
    """The seats that won, or their teams."""
    return {team_of[seat] if team_of else seat for seat, wins in enumerate(won) if wins}


def lead(match: Match, won: Sequence[bool], team_of: Sequence[int]) -> Text | None:
    """By what a match was won; None where that isn't counted, or nobody alone, or no team, has won it."""
    if len(winning_sides(won, team_of)) != 1:
        return None
    return outcome(match).won_by


def decided(match: Match, seat: int) -> Text | None:
    """What decided a match, as a seat (-1: the public) is told; None where who won says it all."""
    return outcome(match, seat).decided_by
