"""Sentences of the log that are worded differently now: stored tables still hold them in their old wording."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hexdeck.engine.text import Text, _
from hexdeck.engine.view import Fact, fact_from_data

NOW = {
    "A rematch: everybody sits one seat further.": _("A rematch: everybody moves one seat on."),
    "From now on there are only phrases.": _("From now on, phrases only."),
    "The coach explains.": _("Explanations are on."),
    "The coach is silent.": _("Explanations are off."),
    "The host has silenced {seat}.": _("The host has muted {seat}."),
    "There is a rematch.": _("The rematch is ready."),
    "This table can't be gone on with, for the game has changed since: {reason}.": _(
        "This table can't be resumed: the game has changed since it was saved ({reason})."
    ),
    "Words of one's own can be written again.": _("Free chat is on again."),
    "{name} is called {other} now.": _("{name} is now called {other}."),
    "{name} sets the table.": _("{name} sets up the table."),
    "{seat} adds nothing to a rematch's cards.": _("{seat} adds no words to the shuffle of a rematch."),
    "{seat} adds words to a rematch's cards.": _("{seat} adds words to the shuffle of a rematch."),
    "{seat} asks for a rematch.": _("{seat} wants a rematch."),
    "{seat} is the host now.": _("{seat} is now the host."),
    "{seat} may talk again.": _("{seat} is no longer muted."),
}


def stored_fact(data: dict[str, Any]) -> Fact:
    """The fact from stored data, in today's wording."""
    fact = fact_from_data(data)
    return replace(fact, text=in_todays_words(fact.text))


def in_todays_words(text: Text) -> Text:
    """A sentence as it is worded now, with the same arguments."""
    return replace(text, key=NOW.get(text.key, text.key))
