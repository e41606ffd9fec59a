"""Exact best play of one round of Blackstone, by backward induction over every position it can reach.

Each seat maximises its own chips of the round. For 2 to 8 players, whatever the deck, with every option but `sit_out`,
whose choices are secret; chips that don't suffice for the highest price are outside the claim. In a session of several
rounds each round is played by itself.
"""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from types import FunctionType
from typing import Any, cast

import numpy as np

from hexdeck.engine.cache import kept_array, lane_folder
from hexdeck.engine.driver import compiled_kernel, raw
from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game
from hexdeck.engine.text import say
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.induction import (
    ANNOUNCED,
    CAP,
    EQUAL,
    LOW,
    NO_CAP,
    OTHERS,
    PLAYERS,
    RESTARTS,
    SPAN,
    TENS,
    cell,
    draw,
    fill,
    planes,
    stones,
    stop,
)

MOST_PLAYERS = 8
LEAVING = (rules.FOLD, rules.STOP)  # what they equal goes to them
MOST_POT = 10_000  # chips carried in
KEPT = 1 << 28  # larger tables are made again instead of being written to disk, in bytes


def check(game: Game, pot: int = 0) -> None:
    """Raise BadOption for what can't be solved."""
    if game.players > MOST_PLAYERS:
        raise BadOption(say("Blackstone is solved for 2 to {most} players, not {players}.",
                            most=MOST_PLAYERS, players=game.players))  # fmt: skip
    if game.options["sit_out"]:
        raise BadOption(say("Blackstone isn't solved with sit_out: the choice to stake is secret."))
    highest = int(rules.full_loss(others_in(game)))
    if game.options["chips"] < highest:
        raise BadOption(say("Blackstone is solved for players who can pay any price: chips must be at least {highest}, "
                            "not {chips}.", highest=highest, chips=game.options["chips"]))  # fmt: skip
    if not 0 <= pot <= MOST_POT:
        raise BadOption(say("A pot carried in can't be {pot}; it takes 0 to {most}.", pot=str(pot), most=MOST_POT))


def others_in(game: Game) -> int:
    """How many cards of the deck are no tens."""
    return sum(deck_of(game)[: rules.TEN])


def deck_of(game: Game) -> tuple[int, ...]:
    """Copies of each rank."""
    counts: tuple[int, ...] = rules.OPTIONS[-1].counts(game.options["deck"])
    return counts


@dataclass(frozen=True)
class Tables:
    """The values of every position of a round; see `induction` for what `values`, `blocks` and `deck` hold."""

    values: np.ndarray
    blocks: np.ndarray
    deck: np.ndarray
    lane: str
    seconds: float

    @property
    def positions(self) -> int:
        """How many positions at the start of a turn have a value."""
        return positions(self.blocks, self.deck)

    def kernel(self, function: Any) -> Any:
        """A function of `induction`, compiled."""
        return compiled_kernel(self.lane, cast(FunctionType, function))


def solved(game: Game, players: int, low: int = 0, span: int = 0, lane: str | None = None) -> Tables:
    """The tables for a round of so many players with `low` to `low` + `span` chips carried in; from disk if kept there.

    Raises BadOption for what can't be solved.
    """
    check(game, low)
    choices = tuple(game.options[name] for name in ("drawing", "draw_cap", "after_fold"))
    return tables((players, *choices, *deck_of(game)), low, span, "checked" if lane == "checked" else "fast")


@functools.lru_cache(maxsize=4)
def tables(key: tuple[Any, ...], low: int, span: int, lane: str) -> Tables:
    """The same by what they depend on: players, three options, the deck's ranks; pots; lane."""
    began = time.perf_counter()
    players, drawing, cap, after_fold, *ranks = key
    deck = np.zeros(8, np.int64)
    deck[[TENS, OTHERS, PLAYERS, LOW, SPAN]] = ranks[rules.TEN], sum(ranks[: rules.TEN]), players, low, span
    deck[[CAP, RESTARTS, ANNOUNCED]] = cap, after_fold == "restarts", drawing == "announced"
    blocks, size = laid_out(deck)
    name = f"{players}-{drawing}-{cap:d}-{after_fold}-{'-'.join(map(str, ranks))}-{low}-{span}"
    file = lane_folder(rules.__name__, "solved") / name if 8 * size <= KEPT else None
    values = kept_array(file, size, lambda: induced(blocks, deck, size, lane))
    return Tables(values, blocks, deck, lane, time.perf_counter() - began)


def induced(blocks: np.ndarray, deck: np.ndarray, size: int, lane: str) -> np.ndarray:
    """All values, float64."""
    players = int(deck[PLAYERS])
    values, lines = np.zeros(size), np.zeros((4, players))
    for n in range(2, players + 1):
        order = np.array(sorted(range(1 << n), key=lambda mask: -mask.bit_count()), np.int64)
        compiled_kernel(lane, cast(FunctionType, fill))(values, blocks, deck, n, order, lines)
    return values


def laid_out(deck: np.ndarray) -> tuple[np.ndarray, int]:
    """The blocks of `induction`, and how many values there are."""
    players, span, price = int(deck[PLAYERS]), int(deck[SPAN]), (int(deck[OTHERS]) + 1) // 2
    blocks = np.zeros((players + 1, players - 1, span + (players - 2) * price + 1, 3), np.int64)
    size, layers, end = 0, planes(deck), cell(planes(deck), int(deck[OTHERS]) + 1)
    for n in range(2, players + 1):
        for k in range(min(players - n, int(deck[TENS])) + 1):
            for q in range(span + (players - n) * price + 1):
                white = fewest_stones(q - span, players - n)
                before = cell(layers, white)
                blocks[n, k, q] = size - before * n, end - before, white
                size += n * (1 << n) * (end - before)
    return blocks, size


def fewest_stones(price: int, folded: int) -> int:
    """The fewest white stones with which so many players can have paid this beside their stakes."""
    return 2 * (-(-price // folded)) - 1 if price > 0 else 0


def positions(blocks: np.ndarray, deck: np.ndarray) -> int:
    """How many positions there are: those with more black stones than tens don't count."""
    total = 0
    for n in range(2, int(deck[PLAYERS]) + 1):
        for k in range(min(int(deck[PLAYERS]) - n, int(deck[TENS])) + 1):
            masks = sum(k + int(stones(mask)) <= deck[TENS] for mask in range(1 << n))
            total += masks * int(blocks[n, k, :, 1].sum())
    return total


class Solution:
    """Best play of a game's rounds, for a bot: `weigh`. The tables of a round are made when it is first met."""

    def __init__(self, game: Game, lane: str | None = None) -> None:
        check(game)
        self.game, self.lane = game, lane
        self.driver = game.driver(lane)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._span = game.players - 2 if game.options["rounds"] > 1 else 0  # what can't be divided is carried over
        self._lines = np.zeros((4, game.players))

    def weigh(self, known: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, the best first, with the chips it brings at the end of the session.

        Exact for the last round and where everybody can pay any price; None otherwise. `known` are the bytes of the
        concealed struct.
        """
        raw(self._rows)[0] = np.frombuffer(known, np.uint8)
        s = np.frombuffer(known, rules.STRUCT)[0]
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        here = Position(s, seat)
        legal = sorted(self.driver.listed(self._actions, count), key=lambda action: (action not in LEAVING, action))
        worths = best_first([(action, self._worth(here, action)) for action in legal])
        before = int(s["purse"][seat] - s["chips"])
        sure = s["played"] + 1 == s["rounds"] and here.poorest >= rules.full_loss(others_in(self.game))
        return [(action, before + worth if sure else None) for action, worth in worths]

    def _worth(self, here: Position, action: int) -> float:
        """What an action brings in this round, in chips."""
        if action == rules.FOLD:
            return -float(rules.full_price(here.white))
        found = solved(self.game, here.joined, 0, self._span, self.lane)
        table, place = (found.values, found.blocks, found.deck), here.place
        if action == rules.STOP:
            found.kernel(stop)(*table, *place, here.drawn, self._lines, 0)
        else:
            numbers = here.numbers if action == rules.DRAW else (0, *[rules.named(action)] * 2)
            found.kernel(draw)(*table, *place, 0, here.last, *numbers, self._lines)
        return float(self._lines[0, 0])


def best_first(worths: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """The best action first, the earliest of equal ones, then the others from good to bad."""
    best = worths[0]
    for pair in worths[1:]:
        if pair[1] > best[1] + EQUAL:
            best = pair
    return [best, *sorted((pair for pair in worths if pair is not best), key=lambda pair: -pair[1])]


class Position:
    """Where the seat to act stands, in the terms of `induction`."""

    def __init__(self, s: Any, seat: int) -> None:
        seats, inside, joined, black = int(s["seats"]), int(s["inside"]), int(s["joined"]), s["black"].tolist()
        order = [p % seats for p in range(seat, seat + seats) if inside >> p % seats & 1]
        mask = sum(black[p] << i for i, p in enumerate(order))
        self.white, self.drawn, self.last = int(s["white"]), int(s["drawn"]), int(s["last"])
        self.joined, self.poorest = joined.bit_count(), min(int(s["purse"][p]) for p in order)
        self.place = (len(order), sum(black) - mask.bit_count(), int(s["pot"]), mask, self.white)
        most = self.last + len(order) if s["draw_cap"] else NO_CAP
        self.numbers = (self.drawn, int(s["least"]), most)


def solution(game: Game, lane: str | None = None) -> Solution:
    """Best play for a bot; raises BadOption where this game isn't solved."""
    return Solution(game, lane)
