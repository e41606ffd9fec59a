"""Words for what plays and what is played: bots, seats, kinds of moves."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from hexdeck.bots.players.manners import MANNER_TITLES
from hexdeck.bots.players.names import parted, spoken
from hexdeck.engine.text import Text, say
from hexdeck.lab.counts import kind_numbers
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting.report import Part

MANY_BOTS = {"house": say("house bots"), "gentle": say("easy bots"), "random": say("random bots")}
ONE_BOT = {
    "house": say("house bot"), "random": say("random bot"), "gentle": say("easy bot"), "steady": say("medium bot"),
    "sharp": say("hard bot"), "best": say("best bot"),
}  # fmt: skip


def bot_text(name: str) -> Text:
    """A bot in words."""
    plain, manner = parted(name)
    if manner and plain in ONE_BOT:
        return say("{bot}, {manner}", bot=ONE_BOT[plain], manner=MANNER_TITLES[manner])
    return ONE_BOT.get(name) or say("bot {name}", name=spoken(name))


def bots_text(names: Sequence[str]) -> Text | str:
    """The bots of all seats in words: one for all, or each."""
    return bot_text(names[0]) if len(set(names)) == 1 else ", ".join(map(spoken, names))


def seat_name(part: Part, seat: int) -> Text:
    """A seat in words, with its bot where bots differ."""
    name = say("Seat {number}", number=seat + 1)
    return name if part.same_bots or not part.bots else say("{seat}, {bot}", seat=name, bot=bot_text(part.bots[seat]))


def kind_labels(counts: MessageCounts) -> list[Text | None]:
    """The label of each kind of move; None for kinds that were never legal."""
    return [counts.label(kind) for kind in kind_numbers(counts.game.rules.ACTIONS)[0]]


def joined(texts: Sequence[Text]) -> Text:
    """Several texts with commas between."""
    return functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), texts)
