"""What solved Blackstone looks like: the value of each seat, how the first player begins, and the best plans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption
from hexdeck.engine.notes import Sheet, Summary
from hexdeck.engine.number_words import count, number, signed
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, say
from hexdeck.games.blackstone.induction import (
    ANNOUNCED,
    EQUAL,
    OTHERS,
    PLAYERS,
    at,
    cards_left,
    draw,
    fewest,
    highest,
    stop,
    turn,
)
from hexdeck.games.blackstone.opening import Opening, opening
from hexdeck.games.blackstone.rules import full_price
from hexdeck.games.blackstone.tables import Tables, check, deck_of, is_quick, solved

MISSING = 1e-5  # if more probability is missing, the deck is too small to say how a round begins
FOLDS, UNTIL_TEN = 0, -1  # plans; a positive plan is the number to stop at
NUMBERS = range(1, 13)
STEP = 3  # step in white stones from row to row, so that odd and even alternate: half of them is rounded up
MOST_BEGINNINGS, SELDOM = 12, 0.0005


def summary(game: GameSetup, pot: int = 0) -> Summary:
    """The values and the shape of best play, with that many chips carried in. Raises BadOption if it isn't solved."""
    check(game, pot)
    if not is_quick(game):
        raise BadOption(say("Without machine code Blackstone is solved for 2 players only; pip install '.[build]' in "
                            "Hexdeck's folder installs the compiler."))  # fmt: skip
    found = solved(game, game.players, pot)
    begun = opening(game.players, deck_of(game), game.options["extra_ten"] == "replaced")
    if sum(begun.values()) < 1 - MISSING:
        raise BadOption(say("With {players} players a deck of {cards} cards can run out before one of them is lowest, "
                            "so the value of a round isn't computed; use more cards.",
                            cards=sum(deck_of(game)), players=game.players))  # fmt: skip
    title = say("Blackstone, {players} players: one round solved exactly, {positions} positions, {seconds} s.",
                players=game.players, positions=count(found.positions), seconds=number(found.seconds, 1))  # fmt: skip
    if not found.seconds:
        title = say("Blackstone, {players} players: one round solved exactly, {positions} positions, loaded from the "
                    "cache.",
                    players=game.players, positions=count(found.positions))  # fmt: skip
    plans = Plans(found, pot)
    sheets = (
        values_sheet(found, pot, begun), beginnings_sheet(plans, begun),
        plans_sheet(plans, say("Best play by white stones and number to match: all in, no black stones"), 0),
        plans_sheet(plans, say("The same when only the player to act has a black stone"), 1),
    )  # fmt: skip
    return Summary(title, sheets, (say("Each player plays for the most chips in one round; between equal choices they "
                                       "fold."),
                                   say("Everyone is assumed to have enough chips for any price.")))  # fmt: skip


def seat_values(found: Tables, pot: int, begun: Opening) -> np.ndarray:
    """The expected chips of each seat, float64, beginning with the first player."""
    n, total = int(found.deck[PLAYERS]), np.zeros(int(found.deck[PLAYERS]))
    for chance, mask, white in masks(n, begun):
        begins = at(found.blocks, found.deck, n, 0, pot, mask, white, 0, 0)
        total += chance * found.values[begins : begins + n]
    return total


def masks(players: int, begun: Opening) -> Iterator[tuple[float, int, int]]:
    """The probability of each mask of black stones, for each number of white stones, once the first player is known."""
    whole = sum(begun.values())
    for (white, black, held), chance in begun.items():
        seats = list(combinations(range(1, players), black))
        for chosen in seats:
            yield chance / whole / len(seats), held + sum(1 << seat for seat in chosen), white


class Plans:
    """The best plan at the start of a turn while everybody is in: fold, stop at a number, or draw until a ten comes."""

    def __init__(self, found: Tables, pot: int) -> None:
        self.found, self.pot, self.players = found, pot, int(found.deck[PLAYERS])
        self.lines = np.zeros((4, self.players))

    def plan(self, mask: int, white: int, last: int) -> int:
        """FOLDS, UNTIL_TEN, or the number of cards to stop at (or to announce)."""
        row = self._call(turn, mask, white, 0, last)
        best, deck = self.lines[row, 0], self.found.deck
        left = int(cards_left(deck, 0, mask, white))
        if not left or best <= EQUAL - full_price(white):
            return FOLDS
        least, most = int(fewest(0, last)), int(highest(deck, self.players, last))
        if deck[ANNOUNCED]:
            return self._announced(mask, white, last, least, max(least, min(most, left)), best)
        return self._stopping(mask, white, last, least, most)

    def _announced(self, mask: int, white: int, last: int, least: int, most: int, best: float) -> int:
        for announced in range(least, most):
            self._call(draw, mask, white, 0, last, 0, announced, announced)
            if self.lines[0, 0] >= best - EQUAL:
                return announced
        return most

    def _stopping(self, mask: int, white: int, last: int, least: int, most: int) -> int:
        others = int(self.found.deck[OTHERS]) - white
        for drawn in range(least, min(most, others)):
            self._call(stop, mask, white + drawn, drawn, row=True)
            worth = self.lines[0, 0]
            self._call(draw, mask, white + drawn, 0, last, drawn, least, most)
            if not self.lines[0, 0] > worth + EQUAL:
                return drawn
        return UNTIL_TEN if most > others else most

    def _call(self, function: Any, mask: int, white: int, *more: int, row: bool = False) -> Any:
        """Call a function of `induction` whose result is in row 0 of `lines`, or in the row that it returns."""
        found = self.found
        room = (self.lines, 0) if row else (self.lines,)
        here = found.values, found.blocks, found.deck, self.players, 0, self.pot, mask, white
        return found.kernel(function)(*here, *more, *room)


# --- sheets -----------------------------------------------------------------------------------------------------------
def values_sheet(found: Tables, pot: int, begun: Opening) -> Sheet:
    """A sheet of what a round is worth to each seat."""
    values = seat_values(found, pot, begun)
    heads = tuple(str(k + 1) for k in range(len(values)))
    return Sheet(say("What a round is worth to each seat, in chips, starting with the first player"), heads,
                 (tuple(signed(value, 4) for value in values),))  # fmt: skip


def beginnings_sheet(plans: Plans, begun: Opening) -> Sheet:
    """A sheet of how often the first player begins in which way."""
    often: dict[int, float] = defaultdict(float)
    for chance, mask, white in masks(plans.players, begun):
        often[plans.plan(mask, white, 0)] += chance
    most = sorted((plan for plan in often if often[plan] >= SELDOM), key=lambda plan: -often[plan])[:MOST_BEGINNINGS]
    usual = sorted(most, key=lambda plan: (plan == UNTIL_TEN, plan))
    heads = tuple(said(plan) for plan in usual)
    return Sheet(say("How the first player begins, in % of rounds"), heads,
                 (tuple(number(100 * often[plan], 1) for plan in usual),), legend(plans))  # fmt: skip


def plans_sheet(plans: Plans, title: Text, mask: int) -> Sheet:
    """A sheet of best plans by white stones and number to match, with these black stones."""
    others = int(plans.found.deck[OTHERS])
    whites = range(1, others + 1, STEP)
    rows = tuple((str(white), *(entry(plans, mask, white, last) for last in NUMBERS)) for white in whites)
    return Sheet(title, (say("white"), *map(str, NUMBERS)), rows)


def legend(plans: Plans) -> Text:
    """The meaning of the entries."""
    if plans.found.deck[ANNOUNCED]:
        return say("A number: announce it. –: fold.")
    return say("A number: stop there unless a ten has come. T: draw until a ten comes. –: fold.")


def entry(plans: Plans, mask: int, white: int, last: int) -> str:
    """The entry for a plan; empty if there can't be so few white stones."""
    return said(plans.plan(mask, white, last)) if last <= white else ""


def said(plan: int) -> str:
    """A plan as a letter or a number."""
    return "–" if plan == FOLDS else "T" if plan == UNTIL_TEN else str(plan)
