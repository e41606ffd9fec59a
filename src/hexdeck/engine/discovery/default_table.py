"""What a game's table says where its files leave it out: made from its rules, its labels and its zones."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.engine.backends.interpreted import strict
from hexdeck.engine.measure import Measure
from hexdeck.engine.options import Choice
from hexdeck.engine.text import Seat, Text, _, say
from hexdeck.engine.view import Fact, told

NO_CREDIT = say("The game doesn't say who designed it.")
RESULT = Measure(_("ends {number} ahead"), _("ends {number} behind"), "{number}", say("result"))


def literal(words: str) -> Text:
    """Words of a game's own that are in no catalogue."""
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
    """A sentence for each way to end: its name."""
    return tuple(literal(name) if name else say("not over") for name in rules.ENDINGS)


def values(rules: ModuleType, given: Mapping[str, Text]) -> dict[str, Text]:
    """The named values of options in words: as they are written, unless the table says otherwise."""
    named = {value for option in rules.OPTIONS if isinstance(option, Choice) for value in option.values}
    return {name: literal(name) for name in sorted(named)} | dict(given)


def prompt(s: Any, seat: int) -> Text:
    """What the table waits for, said to a seat."""
    if s.over:
        return say("The game is over.")
    if seat >= 0 and s.acting >> seat & 1:
        return say("It is your move.")
    asked = [p for p in range(s.seats) if s.acting >> p & 1]
    if not asked:
        return say("The cards are being dealt.")
    return say("Waiting for {seat}.", seat=Seat(asked[0])) if len(asked) == 1 else say("Waiting for the others.")


def narrator(rules: ModuleType, table: ModuleType) -> Callable[[Any, Any, Any], list[Fact]]:
    """A log of the labels of moves: who moves reads which; the others that it moved, unless moves are public."""

    def narrate(before: Any, event: Any, _after: Any) -> list[Fact]:
        if event.seat < 0:
            return []
        seat, mine = event.seat, known(rules, before, event.seat)
        others = say("{seat} has moved.", seat=Seat(seat))
        if table.MOVES_ARE_PUBLIC and before.acting == 1 << seat:
            label = table.label(known(rules, before, -1), seat, event.id)
            others = say("{seat}: {move}", seat=Seat(seat), move=label)
        return told(seat, say("You: {move}", move=table.label(mine, seat, event.id)), others)

    return narrate


def known(rules: ModuleType, s: Any, seat: int) -> Any:
    """A copy of a struct, as a seat or the public (-1) knows it."""
    copy = type(s)(memoryview(bytearray(s.row_)))
    rules.conceal(copy, seat)
    return copy


def results(rules: ModuleType) -> Callable[[Any], list[Text]]:
    """How a match ended for each seat: by what it returns."""

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
    """A game that counts nothing has no score sheet."""
    return []


def no_teams(_s: Any) -> list[int]:
    """Everybody plays alone."""
    return []


def a_winner(_s: Any) -> bool:
    """`no_winner`: who has the best result has won."""
    return False


def always_decided(_s: Any, _seat: int) -> bool:
    """`nobody_decides`: whoever is to act decides."""
    return False


def no_cell(_s: Any, _seat: int, _action: int) -> None:
    """`spot`: no move goes onto a cell of a board."""


def no_reason(_s: Any, _seat: int, _action: int, _worlds: Any) -> None:
    """`because`: no fact is known that speaks for a move."""


def result(_s: Any) -> Measure:
    """`measure`: the result as the rules return it."""
    return RESULT


def no_aspect(_s: Any, _seat: int) -> str:
    """`aspect`: decisions of one kind are all alike."""
    return ""
