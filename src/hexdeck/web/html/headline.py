"""The headline of a match that is over: who won it."""

from __future__ import annotations

from hexdeck.engine.text import Text, say
from hexdeck.web.html.table_models import TablePage


def headline(page: TablePage) -> Text:
    """Who won the match, or the session of several rounds that it was; a reader who won alone is told so."""
    won = [line for line in page.seats if page.over and page.over.won[line.number : line.number + 1] == (True,)]
    if not won:
        return say("Nobody has won.")
    sides = {page.team_of[line.number] for line in won} if page.team_of else set()
    if len(sides) == 1:
        return say("Team {number} wins!", number=sides.pop() + 1)
    if len(won) > 1:
        *first, last = (line.name for line in won)
        return say("{names} share the win.", names=say("{first} and {last}", first=", ".join(first), last=last))
    return say("You win!") if won[0].number == page.me else say("{name} wins!", name=won[0].name)
