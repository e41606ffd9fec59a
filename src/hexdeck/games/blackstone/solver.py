"""Exact best play of one round of Blackstone, by backward induction over every position it can reach.

Each seat maximises its own chips in the round. For 2 to 8 players, any deck, and every option except `sit_out`: the
choice to stake isn't solved. Nothing is claimed for positions in which somebody can't pay the highest price. In a
session of several rounds, each round is played by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.game import GameSetup, Sheet, Solver, Summary, raw
from hexdeck.engine.text import Text, _, count, number, say, signed
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.induction import (
    ANNOUNCED,
    EQUAL,
    NO_CAP,
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
from hexdeck.games.blackstone.tables import Tables, check, covered, deck_of, is_quick, others_in, place, solved

LEAVING = (rules.FOLD, rules.STOP)  # ties go to these
MISSING = 1e-5  # if more probability is missing, the deck is too small to say how a round begins
FOLDS, UNTIL_TEN = 0, -1  # plans; a positive plan is the number to stop at
NUMBERS = range(1, 13)
STEP = 3  # step in white stones from row to row, so that odd and even alternate: half of them is rounded up
MOST_BEGINNINGS, SELDOM = 12, 0.0005


class Solution:
    """Best play in a game's rounds, for a bot. The tables for a round are computed when it is first met.

    `responds`: best play against others who play each turn perfectly or as the house bot, one of the two at random.
    """

    def __init__(self, game: GameSetup, backend: str | None = None, responds: bool = False) -> None:
        check(game)
        self.game, self.backend, self.responds = game, backend, responds
        self.driver = game.driver(backend)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._span = game.players - 2 if game.options["rounds"] > 1 else 0  # a remainder can be carried over
        self._solved: dict[int, Tables] = {}  # looking for them takes longer than choosing does
        self._lines, self._dearest = np.zeros((4, game.players)), int(rules.full_loss(others_in(game)))

    def action_values(self, struct: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, best first, with the chips that it brings by the end of the session.

        Exact in the last round if everybody can pay any price; else None, as for responses, whose values hold against
        such players only. `struct`: the bytes of the concealed struct.
        """
        s = np.frombuffer(struct, rules.STRUCT)[0]
        worths = self.worths(struct, seat)  # raises HexdeckError for a position that contradicts itself
        poorest = min(int(s["purse"][p]) for p in range(self.game.players) if int(s["inside"]) >> p & 1)
        sure = not self.responds and s["played"] + 1 == s["rounds"] and poorest >= self._dearest
        return [(action, value if sure else None) for action, value in worths]

    def worths(self, struct: bytes, seat: int) -> list[tuple[int, float]]:
        """Each legal action of a seat, best first, with the chips that it brings if this is the last round."""
        s = np.frombuffer(struct, rules.STRUCT)[0]
        raw(self._rows)[0] = np.frombuffer(struct, np.uint8)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        legal = sorted(self.driver.listed(self._actions, count), key=lambda action: (action not in LEAVING, action))
        worths = best_first([(action, self._worth(s, seat, action)) for action in legal])
        before = int(s["purse"][seat] - s["chips"])
        return [(action, before + worth) for action, worth in worths]

    def _worth(self, s: Any, seat: int, action: int) -> float:
        """The value of an action in this round, in chips."""
        if action == rules.FOLD:
            return -float(rules.full_price(int(s["white"])))
        staked, position, drawn, last = int(s["joined"]).bit_count(), place(s, seat), int(s["drawn"]), int(s["last"])
        if staked > 1 and staked not in self._solved:
            self._solved[staked] = solved(self.game, staked, 0, self._span, self.backend, self.responds)
        tables = self._solved.get(staked)
        if tables is None or not covered(tables, *position, drawn if action == rules.STOP else last):
            raise HexdeckError(
                say("What the seat knows of this position contradicts itself: no bot can choose a move.")
            )
        if action == rules.STOP:
            tables.call(stop, *position, drawn, self._lines, 0)
        else:
            limit = last + position[0] if s["draw_cap"] else NO_CAP
            numbers = (int(s["least"]), limit) if action == rules.DRAW else [int(rules.named(action))] * 2
            tables.call(draw, *position, 0, last, drawn, *numbers, self._lines)
        return float(self._lines[0, 0])


def best_first(worths: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Actions from best to worst; of equal ones the earliest comes first."""
    best = worths[0]
    for pair in worths[1:]:
        if pair[1] > best[1] + EQUAL:
            best = pair
    return [best, *sorted((pair for pair in worths if pair is not best), key=lambda pair: -pair[1])]


# --- what solved play looks like: the value of each seat, how the first player begins, and the best plans
def summary(game: GameSetup, pot: int = 0) -> Summary:
    """The values and the shape of best play, with that many chips carried in. Raises BadOption if it isn't solved."""
    check(game, pot)
    if not is_quick(game):
        raise BadOption(
            say(
                "Without machine code Blackstone is solved for 2 players only; pip install '.[build]' in "
                "Hexdeck's folder installs the compiler."
            )
        )
    tables = solved(game, game.players, pot)
    openings = opening(game.players, deck_of(game), game.options["extra_ten"] == "replaced")
    if sum(openings.values()) < 1 - MISSING:
        raise BadOption(
            say(
                "With {players} players a deck of {cards} cards can run out before one of them is lowest, "
                "so the value of a round isn't computed; use more cards.",
                cards=sum(deck_of(game)),
                players=game.players,
            )
        )
    size = {"players": game.players, "positions": count(tables.positions)}
    title = say(
        "Blackstone, {players} players: one round solved exactly, {positions} positions, loaded from the cache.", **size
    )
    if tables.seconds:
        text = _("Blackstone, {players} players: one round solved exactly, {positions} positions, {seconds} s.")
        title = say(text, **size, seconds=number(tables.seconds, 1))
    plans = Plans(tables, pot)
    sheets = (
        values_sheet(tables, pot, openings),
        beginnings_sheet(plans, openings),
        plans_sheet(plans, say("Best play by white stones and number to match: all in, no black stones"), 0),
        plans_sheet(plans, say("The same when only the player to act has a black stone"), 1),
    )
    return Summary(
        title,
        sheets,
        (
            say("Each player plays for the most chips in one round; between equal choices they fold."),
            say("Everyone is assumed to have enough chips for any price."),
        ),
    )


def seat_values(tables: Tables, pot: int, openings: Opening) -> np.ndarray:
    """The expected chips of each seat, float64, beginning with the first player."""
    n, total = int(tables.deck[PLAYERS]), np.zeros(int(tables.deck[PLAYERS]))
    for chance, mask, white in masks(n, openings):
        begins = at(tables.blocks, tables.deck, n, 0, pot, mask, white, 0, 0)
        total += chance * tables.values[begins : begins + n]
    return total


def masks(players: int, openings: Opening) -> Iterator[tuple[float, int, int]]:
    """The probability of each mask of black stones, for each number of white stones, once the first player is known."""
    total = sum(openings.values())
    for (white, black, held), chance in openings.items():
        seats = list(combinations(range(1, players), black))
        for chosen in seats:
            yield chance / total / len(seats), held + sum(1 << seat for seat in chosen), white


class Plans:
    """The best plan at the start of a turn while everybody is in: fold, stop at a number, or draw until a ten comes."""

    def __init__(self, tables: Tables, pot: int) -> None:
        self.found, self.players = tables, int(tables.deck[PLAYERS])
        self.place = self.players, 0, pot
        self.lines = np.zeros((4, self.players))

    def plan(self, mask: int, white: int, last: int) -> int:
        """FOLDS, UNTIL_TEN, or the number of cards to stop at (or to announce)."""
        row = self.found.call(turn, *self.place, mask, white, 0, last, self.lines)
        best, deck = self.lines[row, 0], self.found.deck
        remaining = int(cards_left(deck, 0, mask, white))
        if not remaining or best <= EQUAL - rules.full_price(white):
            return FOLDS
        least, limit = int(fewest(0, last)), int(highest(deck, self.players, last))
        if deck[ANNOUNCED]:
            return self._announced(mask, white, last, least, max(least, min(limit, remaining)), best)
        return self._stopping(mask, white, last, least, limit)

    def _announced(self, mask: int, white: int, last: int, least: int, limit: int, best: float) -> int:
        for announced in range(least, limit):
            self.found.call(draw, *self.place, mask, white, 0, last, 0, announced, announced, self.lines)
            if self.lines[0, 0] >= best - EQUAL:
                return announced
        return limit

    def _stopping(self, mask: int, white: int, last: int, least: int, limit: int) -> int:
        others = int(self.found.deck[OTHERS]) - white
        for drawn in range(least, min(limit, others)):
            self.found.call(stop, *self.place, mask, white + drawn, drawn, self.lines, 0)
            worth = self.lines[0, 0]
            self.found.call(draw, *self.place, mask, white + drawn, 0, last, drawn, least, limit, self.lines)
            if not self.lines[0, 0] > worth + EQUAL:
                return drawn
        return UNTIL_TEN if limit > others else limit


# --- sheets -----------------------------------------------------------------------------------------------------------
def values_sheet(tables: Tables, pot: int, openings: Opening) -> Sheet:
    """A sheet of what a round is worth to each seat."""
    values = seat_values(tables, pot, openings)
    heads = tuple(str(k + 1) for k in range(len(values)))
    return Sheet(
        say("What a round is worth to each seat, in chips, starting with the first player"),
        heads,
        (tuple(signed(value, 4) for value in values),),
    )


def beginnings_sheet(plans: Plans, openings: Opening) -> Sheet:
    """A sheet of how often the first player begins in which way."""
    often: dict[int, float] = defaultdict(float)
    for chance, mask, white in masks(plans.players, openings):
        often[plans.plan(mask, white, 0)] += chance
    usual_plans = sorted((plan for plan in often if often[plan] >= SELDOM), key=lambda plan: -often[plan])[
        :MOST_BEGINNINGS
    ]
    usual = sorted(usual_plans, key=lambda plan: (plan == UNTIL_TEN, plan))
    heads = tuple(said(plan) for plan in usual)
    return Sheet(
        say("How the first player begins, in % of rounds"),
        heads,
        (tuple(number(100 * often[plan], 1) for plan in usual),),
        legend(plans),
    )


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


SOLVER = Solver(check, Solution, summary, partial(Solution, responds=True), is_quick)
