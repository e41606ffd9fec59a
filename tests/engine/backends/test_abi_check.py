"""Where arrays or tuples lie otherwise in memory than libraries expect, that is said, and games are played without."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numba.core.registry import CPUDispatcher

import hexdeck
from hexdeck.engine.backends import build, cache, kernels, library
from hexdeck.engine.backends import python_abi as abi
from hexdeck.engine.play import game as driving
from tests.support import for_each

CACHED = library.is_as_expected, library.loaded, driving.driver, driving.compiled_kernel


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cache, "TOLD", set())
    for function in CACHED:
        function.cache_clear()
    yield
    monkeypatch.undo()
    for function in CACHED:
        function.cache_clear()


def played() -> list[Any]:
    """A match between random players in the fast backend: its events, and the bytes after each of them."""
    match, rng, positions = hexdeck.game("cursed-hand").match(seed=3, backend="fast"), random.Random(3), list[Any]()
    while not match.over:
        seat = match.actor
        match.play(seat, rng.choice(match.legal_ids(seat)))
        positions.append((match.concealed(-1), match.concealed(seat)))
    return [*match.events, *positions]


@for_each(
    ("offset", "part"),
    [
        ("TYPE", "type of an object"),
        ("DATA", "data of an array"),
        ("DIMENSIONS", "dimensions of an array"),
        ("SHAPE", "shape and strides of an array"),
        ("STRIDES", "shape and strides of an array"),
        ("DTYPE", "dtype of an array"),
        ("TYPE_NUMBER", "number of a dtype"),
        ("FLAGS", "flags of an array"),
        ("LENGTH", "length of a tuple"),
        ("ITEMS", "items of a tuple"),
    ],
)
def test_each_offset_that_is_wrong_is_noticed(offset: str, part: str) -> None:
    right = getattr(abi, offset)
    for wrong in {*range(0, 200, 4)} - {right}:
        with pytest.MonkeyPatch.context() as planted:
            planted.setattr(abi, offset, wrong)
            assert part in {name for name, as_expected in library.parts() if not as_expected}, wrong
    assert all(as_expected for _, as_expected in library.parts())


@pytest.mark.usefixtures("forgotten")
def test_where_offsets_are_wrong_numba_compiles_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abi, "DATA", 0)
    monkeypatch.setattr(library, "build", lambda _owners: pytest.fail("a library was built in vain"))
    assert isinstance(driving.compiled_kernel("fast", kernels.play), CPUDispatcher)
    assert driving.possible_backend(hexdeck.game("cursed-hand").definition, "fast") == "fast"


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize("numba", [False, pytest.param(True, marks=pytest.mark.long)])
def test_where_offsets_are_wrong_that_is_said_once_and_a_game_is_played_with_the_same_bytes(numba, monkeypatch, capsys):
    before = played()
    for function in CACHED:
        function.cache_clear()
    monkeypatch.setattr(abi, "STRIDES", abi.STRIDES + 8)
    if not numba:
        for module in (build, driving):
            monkeypatch.setattr(module, "can_build", lambda: False)
    assert played() == before
    assert not library.is_there(hexdeck.game("cursed-hand").definition.owners)
    said = [line for line in capsys.readouterr().err.splitlines() if "NumPy" in line]
    assert len(said) == 1 and f"NumPy {np.__version__} in Python 3" in said[0]
    assert "(shape and strides of an array)" in said[0]
