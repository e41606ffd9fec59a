"""Who sits where at the terminal: people, bots, and their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.bots.players.manners import BOT_NAMES
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.record import clean_name
from hexdeck.engine.text import LANGUAGES, Catalogue, _, say

LONGEST = 16


@dataclass(frozen=True)
class Chair:
    """A seat: the player's name and, for a bot, which bot."""

    name: str
    bot: str | None = None

    def data(self) -> dict[str, Any]:
        """The chair as a record keeps it."""
        return {"name": self.name, "bot": self.bot} if self.bot else {"name": self.name}


def chairs(
    players: int,
    seat: int,
    bots: Sequence[str],
    hotseat: bool,
    names: Sequence[str],
    words: Catalogue,
    usual: str = "house",
    people: int = 0,
) -> list[Chair]:
    """The chairs of a new table.

    Bots fill every seat but the person's (`usual` ones, if none is named); with several `people` all but the first
    seats; with `hotseat` only the last ones, as many as are named.

    Raises BadOption when seats, people, bots and names don't fit.
    """
    if not 0 <= seat < players:
        raise BadOption(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=players - 1))
    if people > players:
        text = _("{people} people don't fit at a table of {players}; --players makes it larger.")
        raise BadOption(say(text, people=people, players=players))
    free = players - (people or 1)
    wanted = list(bots) if hotseat or not free else fill_with_bots(free, list(bots) or [usual])
    if len(wanted) > free:
        text = _("{bots} bots leave no seat for you at a table of {players}; name at most {most}.")
        raise BadOption(say(text, bots=len(wanted), players=players, most=free))
    several = hotseat or people > 1
    persons = list(range(players - len(wanted))) if several else [seat]
    called = [clean_name(name).strip()[:LONGEST] for name in names if name.strip()]
    if len(called) > len(persons):
        text = _("{names} names are too many for the {people} at this screen; --people seats more.")
        raise BadOption(say(text, names=len(called), people=len(persons)))
    called += [default_name(p, several, words) for p in persons[len(called) :]]
    return seated(players, dict(zip(persons, called, strict=True)), wanted)


def seated(players: int, people: Mapping[int, str], bots: Sequence[str]) -> list[Chair]:
    """People on their seats, and bots on the others in turn, each with a name of its own."""
    taken, waiting, out = set(people.values()), iter(bots), []
    for p in range(players):
        name = people.get(p) or next(name for name in (BOT_NAMES[p], *BOT_NAMES) if name not in taken)
        taken.add(name)
        out.append(Chair(name, None if p in people else next(waiting)))
    return out


def fill_with_bots(seats: int, bots: Sequence[str]) -> list[str]:
    """Bots for so many seats: the last one named is repeated."""
    return [*bots, *[bots[-1]] * (seats - len(bots))]


def default_name(seat: int, several: bool, words: Catalogue) -> str:
    """The name of a person who gave none."""
    return words.words(say("Player {number}", number=seat + 1)) if several else words.words(say("You"))


def names_of(seats: Sequence[Mapping[str, Any]], words: Catalogue) -> list[str]:
    """The names of a record's seats for sentences about them; "You" becomes a numbered player."""
    you = {Catalogue(lang, words.folders).words(say("You")) for lang in LANGUAGES}
    names = [chair.name for chair in chairs_of(seats)]
    return [default_name(p, True, words) if name in you else name for p, name in enumerate(names)]


def chairs_of(seats: Sequence[Mapping[str, Any]]) -> list[Chair]:
    """The chairs of a record."""
    out = []
    for p, seat in enumerate(seats):
        bot = seat.get("bot")
        name = clean_name(seat.get("name"))[:LONGEST] or BOT_NAMES[p % len(BOT_NAMES)]
        out.append(Chair(name, str(bot) if bot else None))
    return out
