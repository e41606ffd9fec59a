"""Defaults for what a game leaves out beside its rules and strategy, each by the name of its part in small letters.

Those that are `MADE` take the game's definition and are made from its rules, labels and zones.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.backends.interpreted import strict
from hexdeck.engine.beat import Caption, Stop, one_step
from hexdeck.engine.layout import END
from hexdeck.engine.options import Choice
from hexdeck.engine.study import About, Reason, Study
from hexdeck.engine.text import Cards, Seat, Text, say
from hexdeck.engine.view import Aside, Outcome, Zone

if TYPE_CHECKING:
    from hexdeck.engine.discovery.definition import GameDefinition

NO_CREDIT = say("The game doesn't say who designed it.")


def literal(words: str) -> Text:
    """A game's own words as a text that is in no catalogue."""
    return Text(words.replace("{", "{{").replace("}", "}}"))


def about(game: GameDefinition) -> About:
    """The name of the game's folder, and the first paragraph of its rules' docstring."""
    paragraph = " ".join(inspect.cleandoc(game.rules.__doc__ or "").partition("\n\n")[0].split())
    declared: About = vars(game.table).get("ABOUT") or About()
    return replace(
        declared,
        title=declared.title or literal(game.name.replace("-", " ").title()),
        text=declared.text or literal(paragraph),
        tagline=declared.tagline or literal(re.split(r"(?<=[.!?])\s", paragraph)[0]),
        credit=declared.credit or NO_CREDIT,
        deal=declared.deal or say("Deal"),
    )


def words(game: GameDefinition) -> dict[str, Text]:
    """Names as they are written."""
    values = {value for option in game.rules.OPTIONS if isinstance(option, Choice) for value in option.values}
    names = sorted({*values, *game.rules.ENDINGS[1:]})
    declared: dict[str, Text] = vars(game.table).get("WORDS", {})
    return {name: literal(name) for name in names} | declared


def reasons(_game: GameDefinition) -> tuple[Reason, ...]:
    """One reason: the rules don't allow the move now."""
    return (Reason("", say("The rules don't allow that now.")),)


def prompt(s: Any, seat: int) -> Text:
    """What the table is waiting for, as told to a seat."""
    if s.over:
        return say("The game is over.")
    if seat >= 0 and s.acting >> seat & 1:
        return say("It is your move.")
    asked = [p for p in range(s.seats) if s.acting >> p & 1]
    if not asked:
        return say("The cards are being dealt.")
    return say("Waiting for {seat}.", seat=Seat(asked[0])) if len(asked) == 1 else say("Waiting for the others.")


def caption(game: GameDefinition) -> Callable[[Stop, int], Caption | None]:
    """An event is one step, told by the label of its move and by what comes to light in zones."""
    table = game.table

    def single(stop: Stop, seat: int) -> Caption | None:
        if stop.kind != END:
            return None
        old, new = table.zones(stop.before, seat), table.zones(stop.now, seat)
        before = {zone.id: zone for zone in old}
        lines = [moved(table, stop, seat)] if stop.actor >= 0 else []
        for zone in new:
            lines += changes(before.get(zone.id, zone), zone, seat, skipped=seat == stop.actor)
        return one_step(old, new, tuple(lines)) if lines else None

    return single


def moved(table: ModuleType, stop: Stop, seat: int) -> Text:
    """The player who moves is told the move's label; the others only that somebody moved, unless moves are public."""
    if seat == stop.actor:
        return say("You: {move}", move=table.label(stop.before, seat, stop.action))
    if stop.action < 0:
        return say("{seat} has moved.", seat=Seat(stop.actor))
    label = table.label(stop.before, stop.actor, stop.action)
    return say("{seat}: {move}", seat=Seat(stop.actor), move=label)


def changes(old: Zone, new: Zone, seat: int, *, skipped: bool) -> Iterator[Text]:
    """A zone's new cards, owner by owner, and its count if that has changed. Hands are left out.

    `skipped`: also leave out the cards of `seat`, who has just read which move it made.
    """
    if new.shape != "fan":
        come = cards_of(new) - cards_of(old)
        for owner in dict.fromkeys(owner for owner, _ in come):
            cards = Cards(tuple(card for (whose, card), n in come.items() if whose == owner for _ in range(n)))
            if not (skipped and owner == seat):
                yield line(owner, seat, new, cards)
    if new.count is not None and new.count != old.count:
        yield line(new.seat, seat, new, new.count)


def cards_of(zone: Zone) -> Counter[tuple[int | None, str]]:
    """The face-up cards of a zone, each with its owner."""
    owners = zone.owners or (zone.seat,) * len(zone.cards)
    return Counter((owner, card) for owner, card in zip(owners, zone.cards, strict=True) if card)


def line(owner: int | None, seat: int, zone: Zone, what: Cards | int) -> Text:
    """A line of the log for a seat: whose zone it is, its title, and what is in it."""
    if owner is None:
        return say("{zone}: {what}", zone=zone.title, what=what)
    who = say("You") if owner == seat else Seat(owner)
    return say("{who}: {zone} {what}", who=who, zone=zone.title, what=what)


def outcome(game: GameDefinition) -> Callable[[Any, int], Outcome]:
    """How a match ended for each seat, told from its returns."""

    def outcome_of(s: Any, _seat: int) -> Outcome:
        out = np.zeros(game.rules.PLAYERS[1])
        game.rules.returns(s, strict(out))
        utilities = out[: s.seats].tolist()
        shared = utilities.count(max(utilities)) > 1
        return Outcome([result_text(utility, utility == max(utilities), shared) for utility in utilities])

    return outcome_of


def result_text(result: float, best: bool, shared: bool) -> Text:
    """How a match ended for a seat."""
    number = f"{result:g}"
    if best and shared:
        return say("shared the first place ({number})", number=number)
    return say("won ({number})", number=number) if best else say("lost ({number})", number=number)


def tallies(_s: Any) -> list[Any]:
    """No score sheet."""
    return []


def nobody_decides(_s: Any, _seat: int) -> bool:
    """Whoever is to act has a decision to make."""
    return False


def asides(_s: Any, _seat: int) -> tuple[Aside, ...]:
    """Nothing is said of others beside the moves."""
    return ()


def because(_s: Any, _seat: int, _action: int, _worlds: Any) -> None:
    """No reason for a move is known."""


def study(_game: GameDefinition) -> Study:
    """Results as the rules return them; nothing else is known."""
    return Study()
