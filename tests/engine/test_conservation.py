"""No card and no chip is ever made or lost: Hypothesis over games, options and seeds, looked at after every event.

`cards` of a game's data names the fields that hold cards: `counts` by rank, `codes` lists of ranks (each with the field
that has its length), `bits` sets of ranks; `numbers`, cards whatever their ranks: then only the sum is looked at. Where
it is empty, its `tests/worlds.py` has `cards(fields)`, all cards of a struct, `deck(setting)`, those there should
be, and `one_more(struct)`, which adds one. And `chips` names the fields of chips.
"""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexdeck.engine.options import RANKS
from tests.positions import fields
from tests.settings import data, every_game, random_game
from tests.worlds import oracle

from .bench import Bench


def by_rank(record: Any, where: dict[str, Any]) -> np.ndarray:
    """How many cards of each rank the fields hold."""
    found = np.zeros(RANKS, int)
    for field in where.get("counts", ()):
        found += record[field].reshape(-1, RANKS).sum(0)
    for field, size in where.get("codes", {}).items():
        found += np.bincount(record[field][: record[size]], minlength=RANKS)
    for field in where.get("bits", ()):
        found += [sum(int(cell) >> rank & 1 for cell in record[field].ravel()) for rank in range(RANKS)]
    return found


def assert_conserved(bench: Bench) -> None:
    """The deck's cards and everybody's chips are there."""
    where = data(bench.setting.name)
    record = np.frombuffer(bench.world(), bench.rules.STRUCT)[0]
    if not where["cards"]:
        judge = oracle(bench.setting)
        found = judge.cards(fields(bench.world(), bench.rules.STRUCT))
        assert Counter(found) == Counter(judge.deck(bench.setting))
        return
    numbers = where["cards"].get("numbers", ())
    if numbers:
        assert sum(int(record[field].sum()) for field in numbers) == record["deck"].sum()
    else:
        assert by_rank(record, where["cards"]).tolist() == record["deck"].tolist()
    chips = [record[field].ravel() for field in where["chips"]]
    if chips:
        assert sum(int(cells.sum()) for cells in chips) == bench.setting.players * bench.setting.options["chips"]
    piles = [record[field].ravel() for field in (*numbers, *where["cards"].get("counts", ()))]
    assert min(cells.min() for cells in [*chips, *piles]) >= 0


@every_game
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_cards_and_chips_are_conserved(name: str, seed: int) -> None:
    rng = random.Random(seed)
    bench = Bench(random_game(name, rng), "fast")
    for _ in bench.random_game(rng):
        assert_conserved(bench)


@every_game
def test_a_card_too_many_is_noticed(name: str) -> None:
    bench = Bench(random_game(name, random.Random(0)), "fast")
    assert_conserved(bench)
    if data(name)["cards"]:
        bench.struct.stock[3] += 1
    else:
        oracle(bench.setting).one_more(bench.struct)
    with pytest.raises(AssertionError):
        assert_conserved(bench)
    bench.begin()
    for field in data(name)["chips"][-1:]:
        setattr(bench.struct, field, getattr(bench.struct, field) + 1)
        with pytest.raises(AssertionError):
            assert_conserved(bench)
