"""The headline of a match that is over: who won it and by what; below it the reader's place."""

from __future__ import annotations

from hexdeck.engine.text import Text, say
from hexdeck.web.html.page_models import SeatLine
from hexdeck.web.html.table_models import TablePage

MOST_NAMED = 4  # who share a win


def headline(page: TablePage) -> Text:
    """Who won the match, or the session of several rounds that it was; a reader who won alone is told so."""
    won = winners(page)
    if not won:
        return say("Nobody has won.")
    sides = {page.team_of[line.number] for line in won} if page.team_of else set()
    lead = page.over.lead if page.over else None
    if len(sides) == 1:
        return team_wins(sides.pop() + 1, lead)
    if len(won) > MOST_NAMED:
        return say("{n} players share the win.", n=len(won))
    if len(won) > 1:
        *first, last = (line.name for line in won)
        return say("{names} share the win.", names=say("{first} and {last}", first=", ".join(first), last=last))
    if won[0].number == page.me:
        return say("You win by {lead}!", lead=lead) if lead else say("You win!")
    return say("{name} wins by {lead}!", name=won[0].name, lead=lead) if lead else say("{name} wins!", name=won[0].name)


def winners(page: TablePage) -> list[SeatLine]:
    """The seats that won."""
    return [line for line in page.seats if page.over and page.over.won[line.number : line.number + 1] == (True,)]


def team_wins(number: int, lead: Text | None) -> Text:
    """That a team won, and by what."""
    if lead is None:
        return say("Team {number} wins!", number=number)
    return say("Team {number} wins by {lead}!", number=number, lead=lead)


def place(page: TablePage) -> Text | None:
    """The reader's place; None where it says nothing: for winners, in teams, and where all others lost alike."""
    over, me = page.over, page.me
    if over is None or me is None or page.team_of or not over.places or any(over.won[me : me + 1]):
        return None
    lost = {each for each, won in zip(over.places, over.won, strict=True) if not won}
    if len(lost) == 1 and over.won.count(False) > 1:
        return None
    shared = over.places.count(over.places[me]) > 1
    told = {"place": over.places[me], "players": len(over.places)}
    if shared:
        return say("Your place: {place} of {players}, shared", **told)
    return say("Your place: {place} of {players}", **told)
