"""Defaults for what a game's table leaves out, made from its rules, labels and zones."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.engine.backends.interpreted import strict
from hexdeck.engine.beat import Beat, one_beat
from hexdeck.engine.discovery.account import Account
from hexdeck.engine.measure import Measure
from hexdeck.engine.options import Choice
from hexdeck.engine.starting import NOT_SAID, Starting
from hexdeck.engine.text import Cards, Seat, Text, _, say
from hexdeck.engine.view import PUBLIC, Aside, Fact, Zone, told

NO_CREDIT = say("The game doesn't say who designed it.")
RESULT = Measure(_("ends {number} ahead"), _("ends {number} behind"), "{number}", say("result"))


def literal(words: str) -> Text:
    """A game's own words as a text that is in no catalogue."""
    return Text(words.replace("{", "{{").replace("}", "}}"))


def summary(rules: ModuleType) -> Text:
    """The first paragraph of the rules' docstring."""
    paragraph = inspect.cleandoc(rules.__doc__ or "").partition("\n\n")[0]
    return literal(" ".join(paragraph.split()))


def tagline(rules: ModuleType) -> Text:
    """The first sentence of the rules' docstring."""
    return literal(re.split(r"(?<=[.!?])\s", summary(rules).key.replace("{{", "{").replace("}}", "}"))[0])


def reasons(rules: ModuleType) -> tuple[Text, ...]:
    """A sentence for each reason why a move is illegal."""
    rest = [say("The rules don't allow that now.") for _rule in rules.REASONS[1:]]
    return say("This can be done."), *rest


def endings(rules: ModuleType) -> tuple[Text, ...]:
    """A sentence for each ending: its name."""
    return tuple(literal(name) if name else say("not over") for name in rules.ENDINGS)


def values(rules: ModuleType, given: Mapping[str, Text]) -> dict[str, Text]:
    """The named values of options in words: those that the table gives, else as they are written."""
    named = {value for option in rules.OPTIONS if isinstance(option, Choice) for value in option.values}
    return {name: literal(name) for name in sorted(named)} | dict(given)


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


def narrator(rules: ModuleType, table: ModuleType) -> Callable[[Any, Any, Any], list[Fact]]:
    """A log of the labels of moves, and of what comes to light in the zones that each seat sees."""

    def narrate(before: Any, event: Any, after: Any) -> list[Fact]:
        facts = moved(rules, table, before, event) if event.seat >= 0 else []
        return facts + seen(rules, table, event.seat, before, after)

    return narrate


def moved(rules: ModuleType, table: ModuleType, before: Any, event: Any) -> list[Fact]:
    """The player who moves is told the move's label; the others only that somebody moved, unless moves are public."""
    seat, mine = event.seat, known(rules, before, event.seat)
    others = say("{seat} has moved.", seat=Seat(seat))
    if table.MOVES_ARE_PUBLIC and before.acting == 1 << seat:
        label = table.label(known(rules, before, -1), seat, event.id)
        others = say("{seat}: {move}", seat=Seat(seat), move=label)
    return told(seat, say("You: {move}", move=table.label(mine, seat, event.id)), others)


def seen(rules: ModuleType, table: ModuleType, mover: int, before: Any, after: Any) -> list[Fact]:
    """What is new in the zones of each seat and of the public, computed from nothing but what each of them knows."""
    facts: list[Fact] = []
    for seat in range(-1, before.seats):
        bit = PUBLIC if seat < 0 else 1 << seat
        old = {zone.id: zone for zone in table.zones(known(rules, before, seat), seat)}
        for zone in table.zones(known(rules, after, seat), seat):
            for text in changes(old.get(zone.id, zone), zone, seat, skipped=seat == mover):
                same = next((k for k, fact in enumerate(facts) if fact.text == text), None)
                if same is None:
                    facts.append(Fact(bit, text))
                else:
                    facts[same] = Fact(facts[same].audience | bit, text)
    return facts


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


def known(rules: ModuleType, s: Any, seat: int) -> Any:
    """A copy of a struct, concealed for a seat or the public (-1)."""
    copy = type(s)(memoryview(bytearray(s.row_)))
    rules.conceal(copy, seat)
    return copy


def results(rules: ModuleType) -> Callable[[Any], list[Text]]:
    """How a match ended for each seat, told from its returns."""

    def outcome_texts(s: Any) -> list[Text]:
        out = np.zeros(rules.SEATS)
        rules.returns(s, strict(out))
        found = out[: s.seats].tolist()
        shared = found.count(max(found)) > 1
        return [outcome(each, each == max(found), shared) for each in found]

    return outcome_texts


def outcome(result: float, best: bool, shared: bool) -> Text:
    """How a match ended for a seat."""
    number = f"{result:g}"
    if best and shared:
        return say("shared the first place ({number})", number=number)
    return say("won ({number})", number=number) if best else say("lost ({number})", number=number)


def no_tallies(_s: Any) -> list[Any]:
    """`tallies`: no score sheet."""
    return []


def no_limits(_s: Any) -> Iterable[tuple[int, int, int]]:
    """`limits`: nothing is said of what the numbers of a position can be."""
    return ()


def no_teams(_s: Any) -> list[int]:
    """`teams`: everybody plays alone."""
    return []


def a_winner(_s: Any) -> bool:
    """`no_winner`: whoever has the best result has won."""
    return False


def not_counted(_s: Any) -> Text | None:
    """`won_by`: a win isn't counted."""
    return None


def nothing_more(_s: Any, _seat: int) -> Text | None:
    """`decided_by`: who won says it all."""
    return None


def no_asides(_s: Any, _seat: int) -> tuple[Aside, ...]:
    """`asides`: nothing is said of others beside the moves."""
    return ()


def always_decided(_s: Any, _seat: int) -> bool:
    """`nobody_decides`: whoever is to act has a decision to make."""
    return False


def no_cell(_s: Any, _seat: int, _action: int) -> None:
    """`spot`: no move goes to a cell of a board."""


def always_quick(_game: Any) -> bool:
    """`is_quick`: a solver never takes long."""
    return True


def single_beats(table: ModuleType) -> Callable[[int, Any, tuple[Text, ...], Any], tuple[Beat, ...]]:
    """`beats`: each event is one beat."""

    def beats(seat: int, before: Any, facts: tuple[Text, ...], after: Any) -> tuple[Beat, ...]:
        return (one_beat(table.zones(before, seat), table.zones(after, seat), facts),)

    return beats


def start_not_said(_s: Any) -> Starting:
    """Why whoever starts does: not known."""
    return NOT_SAID


def no_accounts(_s: Any) -> tuple[Account, ...]:
    """Where points come from, for games that don't say it."""
    return ()


def no_reason(_s: Any, _seat: int, _action: int, _worlds: Any) -> None:
    """`because`: no reason for a move is known."""


def nothing_lacks(_s: Any) -> tuple[float, float]:
    """`lacking`: a game that is stopped at the horizon counts as it stands."""
    return 0.0, 0.0


def result(_s: Any) -> Measure:
    """`measure`: the result as the rules return it."""
    return RESULT


def no_aspect(_s: Any, _seat: int) -> str:
    """`aspect`: all decisions of a kind are alike."""
    return ""


def no_sheets() -> dict[str, Any]:
    """`sheets`: nothing to be told about what is printed on cards."""
    return {}


def nothing_printed() -> tuple[Any, ...]:
    """`printed`: no cards to be printed."""
    return ()
