"""Who sits where: people and bots, and their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say

BOT_NAMES = ("Ada", "Bram", "Cleo", "Dirk", "Elsa", "Finn", "Gwen", "Hugo", "Iris", "Joop")
LONGEST = 16


@dataclass(frozen=True)
class Chair:
    """A seat: the player's name and, for a bot, which."""

    name: str
    bot: str | None = None

    def data(self) -> dict[str, Any]:
        """As a record keeps it."""
        return {"name": self.name, "bot": self.bot} if self.bot else {"name": self.name}


def chairs(
    players: int, seat: int, bots: Sequence[str], hotseat: bool, names: Sequence[str], words: Catalogue
) -> list[Chair]:
    """The chairs of a new table. Bots fill every seat but the person's; hot-seat only the last ones.

    Raises BadOption when seats and bots don't fit.
    """
    if not 0 <= seat < players:
        raise BadOption(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=players - 1))
    wanted = list(bots) if hotseat else filled(players, bots)
    if len(wanted) > players - 1:
        text = _("{bots} bots leave no seat for you at a table of {players}; name at most {most}.")
        raise BadOption(say(text, bots=len(wanted), players=players, most=players - 1))
    people = [p for p in range(players) if p < players - len(wanted)] if hotseat else [seat]
    called = iter([name.strip()[:LONGEST] for name in names if name.strip()])
    waiting = iter(wanted)
    return [
        Chair(next(called, default_name(p, hotseat, words))) if p in people else Chair(BOT_NAMES[p], next(waiting))
        for p in range(players)
    ]


def filled(players: int, bots: Sequence[str]) -> list[str]:
    """Bots for all other seats: the last one named is repeated, the house bot by default."""
    named = list(bots) or ["house"]
    return named + [named[-1]] * (players - 1 - len(named))


def default_name(seat: int, hotseat: bool, words: Catalogue) -> str:
    """The name of a person who gave none."""
    return words.words(say("Player {number}", number=seat)) if hotseat else words.words(say("You"))


def chairs_of(seats: Sequence[Mapping[str, Any]]) -> list[Chair]:
    """The chairs that a record tells of."""
    out = []
    for p, seat in enumerate(seats):
        bot = seat.get("bot")
        out.append(Chair(str(seat.get("name") or BOT_NAMES[p % len(BOT_NAMES)])[:LONGEST], str(bot) if bot else None))
    return out
