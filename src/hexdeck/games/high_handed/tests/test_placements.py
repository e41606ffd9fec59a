"""High Handed, scoring (HH-11 to HH-15) against the slow scorer, on crowded boards filled at random.

Boards hold few ranks and suits, so that hands are common, and lone specials among them; cards may lie there twice, as
scoring looks at nothing but ranks and suits. Half of the cards go on a Thief.
"""

import random
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.play.game import default_backend, raw
from hexdeck.games.high_handed.rules import AT_CELL, CELL, REGULAR, STACK, TIMER
from tests.engine.bench import Bench
from tests.settings import much

from .reference_scoring import Card, Cell, points
from .staging import NAME

SHAPES = [(8, 8), (8, 8), (8, 8), (7, 9), (4, 16), (16, 4), (1, 64), (64, 1), (3, 20)]
OPTIONS = [
    {"strangers": strangers, "line_hands": line_hands, "new_hand": new_hand}
    for strangers in ("no", "yes")
    for line_hands in ("one", "two")
    for new_hand in ("overlap", "line")
]
PLACEMENTS = 16  # on each board
MOST = 52  # regular cards on a board


class Placer:
    """Scores placements with a game's kernel."""

    def __init__(self, rows: int, columns: int, options: dict[str, str], backend: str) -> None:
        setting = hexdeck.game(NAME, 2, rows=rows, columns=columns, **SMALL, **options)
        self.bench, self.options, self.rows, self.columns = Bench(setting, backend), options, rows, columns
        self.array = raw(self.bench.rows)
        self.blank = self.array[0].copy()
        self.struct: Any = self.array[0].view(setting.rules.STRUCT)[0]

    def score(self, codes: list[int], cell: int, card: int, timers: int) -> int:
        """The points of a card in a cell of a board; on a Thief, if something lies there."""
        s = self.struct
        self.array[0] = self.blank
        s["board"][: len(codes)] = codes
        s["acting"], s["hand"][0], s["hand_x"][0, 0], s["held"][:2] = 1, 1 << card, 0, [1 + timers, 1]
        if codes[cell] or timers:
            s["phase"], s["cell"], s["under"], s["stacked"], s["doubled"] = STACK, cell, codes[cell], 1, timers
            s["board"][cell] = TIMER + 1
            self.bench.step((0, card))
        else:
            s["phase"], s["picked"] = CELL, card
            self.bench.step((0, AT_CELL + cell))
        return int(s["score"][0])

    def expected(self, codes: list[int], cell: int, card: int, timers: int) -> int:
        before = {self.place(k): content(code) for k, code in enumerate(codes) if code}
        after = before | {self.place(cell): content(card + 1)}
        found = points(before, after, self.place(cell), self.rows, self.columns, **self.options)
        return sum(found.values()) << timers

    def place(self, k: int) -> Cell:
        return k // self.columns, k % self.columns


SMALL: dict[str, Any] = {"ranks": 4, "hand_cards": 1}  # cards: the least board is larger than that


def content(code: int) -> Card | None:
    return ((code - 1) % 13 + 1, "cshd"[(code - 1) // 13]) if code <= REGULAR else None


def some_cards(rng: random.Random) -> list[int]:
    first, ranks, suits = rng.randrange(13), rng.choice([2, 3, 4, 5, 6, 7, 13]), rng.choice([1, 1, 2, 2, 3, 4])
    chosen = rng.sample(range(4), suits)
    return [13 * suit + (first + k) % 13 for k in range(ranks) for suit in chosen]


def some_board(rng: random.Random, cards: list[int], cells: int) -> list[int]:
    full, special = rng.uniform(0.5, 0.95), rng.choice([0, 0.02, 0.08])
    codes = [rng.choice(cards) + 1 if rng.random() < full else 0 for _ in range(cells)]
    codes = [rng.choice([53, 54]) if code and rng.random() < special else code for code in codes]
    while sum(0 < code <= REGULAR for code in codes) > MOST:
        codes[rng.randrange(cells)] = 0
    return codes


def compare(options: list[dict[str, str]], seed: int, placements: int, backend: str) -> int:
    """Compare so many placements; returns how many scored."""
    rng, scoring = random.Random(seed), 0
    placers = [Placer(*shape, chosen, backend) for shape in sorted(set(SHAPES)) for chosen in options]
    by_shape = {shape: [p for p in placers if (p.rows, p.columns) == shape] for shape in SHAPES}
    for number in range(placements):
        if number % PLACEMENTS == 0:
            placer = rng.choice(by_shape[rng.choice(SHAPES)])
            cards = some_cards(rng)
            codes = some_board(rng, cards, placer.rows * placer.columns)
        taken = [k for k, code in enumerate(codes) if (code > 0) == (number % 2 > 0)]
        if taken:
            where, card, timers = rng.choice(taken), rng.choice(cards), rng.choice([0, 0, 0, 1, 2])
            found, expected = (score(codes, where, card, timers) for score in (placer.score, placer.expected))
            assert found == expected, (placer.rows, placer.columns, placer.options, codes, where, card, timers)
            scoring += found > 0
    return scoring


@pytest.mark.rule("HH-11", "HH-12", "HH-13", "HH-14", "HH-15")
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_placements_score_as_the_slow_scorer_says(options: dict[str, str]) -> None:
    compiled = default_backend() == "fast"
    placements = much(600, 2500) if compiled else 600
    assert compare([options], 1, placements, "fast" if compiled else "interpreted") > placements / 4


@pytest.mark.long
@pytest.mark.parametrize("part", range(16))
def test_many_more_placements_score_as_the_slow_scorer_says(part: int) -> None:
    assert compare(OPTIONS[:1], 100 + part, 25_000, "fast") > 10_000


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_placements_under_options_score_as_the_slow_scorer_says(part: int) -> None:
    assert compare(OPTIONS[1:], 200 + part, 10_000, "fast") > 4000


def test_boards_are_crowded_and_hands_of_every_category_are_made() -> None:
    rng, made = random.Random(1), np.zeros(10, int)
    placer = Placer(8, 8, OPTIONS[0], "interpreted")
    for _ in range(250):
        cards = some_cards(rng)
        codes = some_board(rng, cards, 64)
        for where in rng.sample(range(64), 4):
            placer.score(codes, where, rng.choice(cards), 0)
            made += placer.struct["made"]
    assert (made[1:] > 0).all(), made
