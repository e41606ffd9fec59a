"""For each game: all the worlds that a seat thinks possible, and how likely each is, enumerated slowly and obviously.

`tests/worlds.py` in a game's folder has `worlds(known, seat)`: from the fields of a concealed struct, every world as a
hashable value with its probability; and `world(fields)`: that value for the fields of a whole struct.
"""

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

from hexdeck.simulation.game import Game
from tests.settings import module_of_tests

Bag = tuple[int, ...]  # cards of each rank


def oracle(setting: Game) -> ModuleType:
    return module_of_tests(setting.name, "worlds")


def deck_of(setting: Game) -> dict[Any, int]:
    deck = next(option for option in setting.rules.OPTIONS if option.name == "deck")
    return dict(enumerate(deck.counts(setting.options["deck"])))


def dealt(bag: Bag, number: int) -> Iterator[tuple[Bag, Bag, Fraction]]:
    """Every way to deal so many physical cards from a bag: their ranks in order, what is left, how likely it is."""
    if number == 0:
        yield (), bag, Fraction(1)
        return
    for rank, copies in enumerate(bag):
        if copies:
            less = (*bag[:rank], copies - 1, *bag[rank + 1 :])
            for cards, left, chance in dealt(less, number - 1):
                yield (rank, *cards), left, chance * Fraction(copies, sum(bag))


def hands(bag: Bag, sizes: list[int]) -> dict[tuple[tuple[Bag, ...], Bag], Fraction]:
    """Every way to deal hands of these sizes, each sorted, with what is left of the bag; and how likely it is."""
    out: dict[tuple[tuple[Bag, ...], Bag], Fraction] = {((), bag): Fraction(1)}
    for size in sizes:
        longer: dict[tuple[tuple[Bag, ...], Bag], Fraction] = {}
        for (before, left), chance in out.items():
            for cards, rest, share in dealt(left, size):
                key = (*before, tuple(sorted(cards))), rest
                longer[key] = longer.get(key, Fraction(0)) + chance * share
        out = longer
    return out
