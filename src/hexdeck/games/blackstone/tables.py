"""The tables of solved Blackstone: what they depend on, how they are laid out, and where they are stored."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.engine.backends.cache import SOLVING, backend_folder, kept_array, told_if_slow
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup, compiled_kernel, kernel_backend
from hexdeck.engine.text import say
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.induction import (
    ANNOUNCED,
    CAP,
    LOW,
    OTHERS,
    PLAYERS,
    RESTARTS,
    SHARE,
    SPAN,
    TENS,
    cell,
    fill,
    planes,
    stones,
)

MOST_PLAYERS = 8
MOST_POT = 10_000  # chips carried in
MOST_INTERPRETED = 10_000  # values; some seconds, for 2 players: more would take minutes, or days
KEPT = 1 << 28  # bytes; larger tables are computed again rather than written to disk


def check(game: GameSetup, pot: int = 0) -> None:
    """Raise BadOption if the game can't be solved."""
    if game.players > MOST_PLAYERS:
        raise BadOption(
            say("Blackstone is solved for 2 to {most} players, not {players}.", most=MOST_PLAYERS, players=game.players)
        )
    if game.options["sit_out"]:
        raise BadOption(
            say(
                "Blackstone isn't solved with sit_out: exact play covers a round from the deal on, not the "
                "choice to stake."
            )
        )
    highest = int(rules.full_loss(others_in(game)))
    if game.options["chips"] < highest:
        raise BadOption(
            say(
                "Blackstone is solved for players who can pay any price: chips must be at least {highest}, "
                "not {chips}.",
                highest=highest,
                chips=game.options["chips"],
            )
        )
    if not 0 <= pot <= MOST_POT:
        raise BadOption(say("A pot carried over can't be {pot}; it must be 0 to {most}.", pot=str(pot), most=MOST_POT))


def is_quick(game: GameSetup) -> bool:
    """Whether a game is solved within seconds: with machine code, or, interpreted, for two players."""
    key = depends_on(game, game.players)
    return table_backend(None) != "interpreted" or laid_out(deck_array(key, 0, 0))[1] <= MOST_INTERPRETED


def table_backend(backend: str | None) -> str:
    """The backend that fills tables where a game runs in another one; `interpreted` only without machine code."""
    return kernel_backend("checked" if backend == "checked" else "fast", fill)


def others_in(game: GameSetup) -> int:
    """The number of cards in the deck that aren't tens."""
    return sum(deck_of(game)[: rules.TEN])


def deck_of(game: GameSetup) -> tuple[int, ...]:
    """The copies of each rank."""
    counts: tuple[int, ...] = rules.OPTIONS[-1].counts(game.options["deck"])
    return counts


@dataclass(frozen=True)
class Tables:
    """The values of all positions of a round; for `values`, `blocks` and `deck` see `induction`."""

    values: np.ndarray
    blocks: np.ndarray
    deck: np.ndarray
    backend: str
    seconds: float  # that computing them took; 0 if they were stored

    @property
    def positions(self) -> int:
        """The number of positions, at the start of a turn, that have a value."""
        return positions(self.blocks, self.deck)

    def call(self, function: Any, *position: Any) -> Any:
        """A function of `induction`, compiled where it can be, called for a position."""
        kernel = function if self.backend == "interpreted" else compiled_kernel(self.backend, function)
        return kernel(self.values, self.blocks, self.deck, *position)


def solved(
    game: GameSetup, players: int, low: int = 0, span: int = 0, backend: str | None = None, responds: bool = False
) -> Tables:
    """The tables for a round of that many players with `low` to `low` + `span` chips carried in; stored on disk.

    `responds`: those of best responses, see `induction`. Raises BadOption if the game can't be solved.
    """
    check(game, low)
    return tables(depends_on(game, players), low, span, table_backend(backend), responds)


def depends_on(game: GameSetup, players: int) -> tuple[Any, ...]:
    """What the tables for a round depend on, besides pots: players, three options, the deck's ranks."""
    choices = tuple(game.options[name] for name in ("drawing", "draw_cap", "after_fold"))
    return (players, *choices, *deck_of(game))


@functools.lru_cache(maxsize=8)
def tables(key: tuple[Any, ...], low: int, span: int, backend: str, responds: bool = False) -> Tables:
    """The tables by what they depend on; pots; the backend; whether they are of best responses."""
    deck = deck_array(key, low, span)
    blocks, size = laid_out(deck)
    players, drawing, cap, after_fold, *ranks = key
    name = f"{backend}-{players}-{drawing}-{cap:d}-{after_fold}-{'-'.join(map(str, ranks))}-{low}-{span}"
    kind = f"response-{SHARE}-" if responds else ""
    file = backend_folder((__name__,), "solved") / f"{kind}{name}" if 8 * size <= KEPT else None
    spent = list[float]()

    def induce() -> np.ndarray:
        perfect = tables(key, low, span, backend).values if responds else None
        return induced(blocks, deck, size, backend, spent, perfect)

    return Tables(kept_array(file, size, induce), blocks, deck, backend, sum(spent))


def deck_array(key: tuple[Any, ...], low: int, span: int) -> np.ndarray:
    """The `deck` of `induction`."""
    players, drawing, cap, after_fold, *ranks = key
    deck = np.zeros(8, np.int64)
    deck[[TENS, OTHERS, PLAYERS, LOW, SPAN]] = ranks[rules.TEN], sum(ranks[: rules.TEN]), players, low, span
    deck[[CAP, RESTARTS, ANNOUNCED]] = cap, after_fold == "restarts", drawing == "announced"
    return deck


def induced(
    blocks: Any, deck: Any, size: int, backend: str, spent: list[float], perfect: np.ndarray | None = None
) -> np.ndarray:
    """All values, or all best responses to perfect ones, float64; the seconds, without compiling, go to `spent`."""
    players = int(deck[PLAYERS])
    answers: Any = np.zeros(size)
    theirs: Any = np.zeros((4, players))
    ours, mean = np.zeros((4, players)), np.zeros(players)
    kernel: Any = fill
    if backend != "interpreted":
        kernel = compiled_kernel(backend, fill)
    elif perfect is None:  # Python reads lists sooner than arrays
        answers, blocks, deck, theirs = [0.0] * size, memoryview(blocks), deck.tolist(), memoryview(theirs)
    values = answers if perfect is None else perfect

    def solve(n: int, masks: list[int]) -> None:
        order: Any = np.array(masks, np.int64)
        kernel(values, answers, blocks, deck, n, order, theirs, ours, mean, int(perfect is not None))

    solve(2, [])  # compiles
    began = time.perf_counter()
    with told_if_slow(SOLVING):
        for n in range(2, players + 1):
            solve(n, sorted(range(1 << n), key=lambda mask: -mask.bit_count()))  # more black stones first
    spent.append(time.perf_counter() - began)
    return np.asarray(answers)


def laid_out(deck: np.ndarray) -> tuple[np.ndarray, int]:
    """The `blocks` of `induction`, and the number of values."""
    players, span, price = int(deck[PLAYERS]), int(deck[SPAN]), (int(deck[OTHERS]) + 1) // 2
    blocks = np.zeros((players + 1, players - 1, span + (players - 2) * price + 1, 3), np.int64)
    size, layers, end = 0, planes(deck), cell(planes(deck), int(deck[OTHERS]) + 1)
    for n in range(2, players + 1):
        for k in range(min(players - n, int(deck[TENS])) + 1):
            for q in range(span + (players - n) * price + 1):
                paid = q - span  # the fewest white stones with which those who folded can have paid so much:
                white = 2 * (-(-paid // (players - n))) - 1 if paid > 0 else 0
                before = cell(layers, white)
                blocks[n, k, q] = size - before * n, end - before, white
                size += n * (1 << n) * (end - before)
    return blocks, size


def positions(blocks: np.ndarray, deck: np.ndarray) -> int:
    """The number of positions, leaving out those with more black stones than tens."""
    total = 0
    for n in range(2, int(deck[PLAYERS]) + 1):
        for k in range(min(int(deck[PLAYERS]) - n, int(deck[TENS])) + 1):
            masks = sum(k + int(stones(mask)) <= deck[TENS] for mask in range(1 << n))
            total += masks * int(blocks[n, k, :, 1].sum())
    return total


def place(s: Any, seat: int) -> tuple[int, int, int, int, int]:
    """The position of a struct in the terms of `induction`, for the seat to act: n, k, pot, mask, white."""
    seats, inside, black = int(s["seats"]), int(s["inside"]), s["black"].tolist()
    order = [p % seats for p in range(seat, seat + seats) if inside >> p % seats & 1]
    mask = sum(black[p] << i for i, p in enumerate(order))
    return len(order), sum(black) - mask.bit_count(), int(s["pot"]), mask, int(s["white"])


def covered(tables: Tables, n: int, k: int, pot: int, mask: int, white: int, last: int) -> bool:
    """Whether the tables have such a position, in the terms of `induction`; elsewhere they must not be read."""
    deck = tables.deck
    players, tens = int(deck[PLAYERS]), int(deck[TENS])
    q = pot - int(deck[LOW]) - rules.STAKE * (players - n)
    if not (2 <= n <= players and 0 <= k <= players - n and k + mask.bit_count() <= tens):
        return False
    if not (0 <= q <= int(deck[SPAN]) + (players - n) * ((int(deck[OTHERS]) + 1) // 2) and 0 <= last <= white + 1):
        return False
    return bool(tables.blocks[n, k, q, 2] <= white <= deck[OTHERS])
