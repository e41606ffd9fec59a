"""Exact best play of one round of Blackstone, by backward induction over every position it can reach.

Each seat maximises its own chips in the round. For 2 to 8 players, any deck, and every option except `sit_out`: the
choice to stake isn't solved. Nothing is claimed for positions in which somebody can't pay the highest price. In a
session of several rounds, each round is played by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.solving import Solver
from hexdeck.engine.text import say
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.induction import EQUAL, NO_CAP, draw, stop
from hexdeck.games.blackstone.shape import summary
from hexdeck.games.blackstone.tables import Tables, check, covered, is_quick, others_in, place, responses, solved

LEAVING = (rules.FOLD, rules.STOP)  # ties go to these


class Solution:
    """Best play in a game's rounds, for a bot. The tables for a round are computed when it is first met."""

    def __init__(self, game: GameSetup, backend: str | None = None) -> None:
        check(game)
        self.game, self.backend = game, backend
        self.driver = game.driver(backend)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._span = game.players - 2 if game.options["rounds"] > 1 else 0  # a remainder can be carried over
        self._solved: dict[int, Tables] = {}  # looking for them takes longer than choosing does
        self._lines, self._dearest = np.zeros((4, game.players)), int(rules.full_loss(others_in(game)))

    def action_values(self, known: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, best first, with the chips that it brings by the end of the session.

        Exact in the last round if everybody can pay any price; else None. `known`: the bytes of the concealed struct.
        """
        s = np.frombuffer(known, rules.STRUCT)[0]
        raw(self._rows)[0] = np.frombuffer(known, np.uint8)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        legal = sorted(self.driver.listed(self._actions, count), key=lambda action: (action not in LEAVING, action))
        worths = best_first([(action, self._worth(s, seat, action)) for action in legal])
        before = int(s["purse"][seat] - s["chips"])
        sure = s["played"] + 1 == s["rounds"] and self._poorest(s) >= self._dearest
        return [(action, before + worth if sure else None) for action, worth in worths]

    def _worth(self, s: Any, seat: int, action: int) -> float:
        """The value of an action in this round, in chips."""
        if action == rules.FOLD:
            return -float(rules.full_price(int(s["white"])))
        staked, here, drawn, last = int(s["joined"]).bit_count(), place(s, seat), int(s["drawn"]), int(s["last"])
        if staked > 1 and staked not in self._solved:
            self._solved[staked] = self._tables(staked)
        found = self._solved.get(staked)
        if found is None or not covered(found, *here, drawn if action == rules.STOP else last):
            raise HexdeckError(
                say("What the seat knows of this position contradicts itself: no bot can choose a move.")
            )
        if action == rules.STOP:
            found.kernel(stop)(found.values, found.blocks, found.deck, *here, drawn, self._lines, 0)
        else:
            most = last + here[0] if s["draw_cap"] else NO_CAP
            numbers = (int(s["least"]), most) if action == rules.DRAW else [int(rules.named(action))] * 2
            found.kernel(draw)(found.values, found.blocks, found.deck, *here, 0, last, drawn, *numbers, self._lines)
        return float(self._lines[0, 0])

    def _tables(self, players: int) -> Tables:
        """The tables for a round of so many players."""
        return solved(self.game, players, 0, self._span, self.backend)

    def _poorest(self, s: Any) -> int:
        """The fewest chips of anybody who is still in."""
        return min(int(s["purse"][p]) for p in range(self.game.players) if int(s["inside"]) >> p & 1)


class Response(Solution):
    """Best play against others who play each turn perfectly or as the house bot, one of the two at random."""

    def action_values(self, known: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, best first; without values, which hold against such players only."""
        return [(action, None) for action, _value in super().action_values(known, seat)]

    def _tables(self, players: int) -> Tables:
        return responses(self.game, players, 0, self._span, self.backend)


def best_first(worths: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Actions from best to worst; of equal ones the earliest comes first."""
    best = worths[0]
    for pair in worths[1:]:
        if pair[1] > best[1] + EQUAL:
            best = pair
    return [best, *sorted((pair for pair in worths if pair is not best), key=lambda pair: -pair[1])]


SOLVER = Solver(check, Solution, summary, Response, is_quick)
