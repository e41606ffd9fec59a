"""What a person types for a move: a number, a card's rank, words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Move


def numbered(moves: Sequence[Move]) -> list[tuple[int, Move]]:
    """Each move with its number: the one number in its name when that tells all such moves apart (so "7" is the 7).

    Otherwise they count from 1; moves without a number come after the highest.
    """
    own = [own_number(move.name) for move in moves]
    given = [number for number in own if number is not None]
    if len(set(given)) < len(given) or any(len(numbers(move.name)) > 1 for move in moves):
        return list(enumerate(moves, 1))
    after = max(given, default=0)
    out = []
    for number, move in zip(own, moves, strict=True):
        after += number is None
        out.append((after if number is None else number, move))
    return sorted(out, key=lambda pair: pair[0])


def numbers(name: str) -> list[int]:
    """The numbers in an action's name."""
    return [int(part) for part in re.findall(r"\d+", name)]


def own_number(name: str) -> int | None:
    """The number in an action's name, if there is exactly one."""
    found = numbers(name)
    return found[0] if len(found) == 1 else None


def matching(typed: str, moves: Sequence[Move], words: Catalogue) -> list[Move]:
    """The moves that what was typed can mean, best reading first: its number, its cards, the words of its label."""
    listed = numbered(moves)
    chosen = [move for number, move in listed if str(number) == typed]
    if chosen:
        return chosen
    parts = typed.lower().replace(",", " ").split()
    for reading in (by_name, by_label):
        found = [move for _, move in listed if reading(parts, move, words)]
        exact = [move for move in found if move.name == typed.lower()]
        if found:
            return exact or found
    return []


def by_name(parts: Sequence[str], move: Move, _words: Catalogue) -> bool:
    """Whether all parts stand in the stable name ("add 7", "7 add", "3 7"): numbers whole, words by their beginning."""
    return bool(parts) and fits(parts, move.name.split())


def by_label(parts: Sequence[str], move: Move, words: Catalogue) -> bool:
    """Whether all parts stand in the label of the person's language."""
    label = re.findall(r"\w+", words.words(move.label).lower())
    return bool(parts) and fits(parts, label)


def fits(parts: Sequence[str], target: Sequence[str]) -> bool:
    """Whether every part is found in the target, each word of which is used once."""
    left = list(target)
    for part in parts:
        found = next((word for word in left if (word == part if part.isdecimal() else word.startswith(part))), None)
        if found is None:
            return False
        left.remove(found)
    return True


def forbidden(typed: str, actions: Sequence[str]) -> list[int]:
    """The ids of all actions that what was typed could name, legal or not: for saying why not."""
    parts = typed.lower().replace(",", " ").split()
    return [id for id, name in enumerate(actions) if parts and fits(parts, name.split())]
