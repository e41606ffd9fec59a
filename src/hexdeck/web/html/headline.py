"""The headline of a match that is over, as its page tells it; below it the reader's place."""

from __future__ import annotations

from hexdeck.engine.text import Text, say
from hexdeck.tables.model.headline import headlines_of
from hexdeck.web.html.table_models import TablePage


def headlines(page: TablePage) -> tuple[Text, ...]:
    """Who won, and what is told below that, if anything."""
    assert page.over is not None
    return headlines_of(
        page.over.won, -1 if page.me is None else page.me, page.team_of, page.over.lead, page.over.decided
    )


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
