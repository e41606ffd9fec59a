"""The interpreted backend is strict where compiled code is silent; the bounds-checked one sees too large an index."""

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends import compiler as backends
from hexdeck.engine.backends.interpreted import Cells, Rows, proxy_class, strict

from . import loops

STRUCT = np.dtype(
    [("big", "i8"), ("i", "i4"), ("h", "i2"), ("b", "i1"), ("row", "i1", (3,)), ("grid", "i4", (2, 3))], align=True
)


def rows(count: int = 2) -> Rows:
    return Rows(np.zeros((count, STRUCT.itemsize), np.uint8), proxy_class(STRUCT))


def test_fields_read_as_python_ints_and_write_through() -> None:
    made = rows()
    s, record = made.structs[1], made.array.view(STRUCT)[1, 0]
    s.big, s.i, s.h, s.b = 2**63 - 1, -(2**31), 32767, -128
    s.row[2], s.grid[1, 2] = -1, 2**31 - 1
    assert (int(record["big"]), int(record["i"]), int(record["h"]), int(record["b"])) == (s.big, s.i, s.h, s.b)
    assert record["row"].tolist() == [0, 0, -1] and record["grid"].tolist() == [[0, 0, 0], [0, 0, 2**31 - 1]]
    assert {type(each) for each in (s.big, s.i, s.h, s.b, s.row[2], s.grid[1, 2])} == {int}
    assert not made.array[0].any() and 1 << s.b + 168 == 2**40


def test_a_number_that_does_not_fit_raises_and_changes_nothing() -> None:
    s = rows().structs[0]
    for field, bits in (("big", 64), ("i", 32), ("h", 16), ("b", 8)):
        setattr(s, field, 5)
        for number in (1 << (bits - 1), -(1 << (bits - 1)) - 1):
            with pytest.raises(ValueError, match="invalid value"):
                setattr(s, field, number)
        with pytest.raises(TypeError):
            setattr(s, field, 1.0)
        assert getattr(s, field) == 5
    for cells, at, number in ((s.row, 0, 128), (s.row, 0, -129), (s.grid, (0, 0), 2**31)):
        with pytest.raises(ValueError, match="invalid value"):
            cells[at] = number
        assert cells[at] == 0


def test_an_index_outside_raises() -> None:
    s, given = rows().structs[0], strict(np.zeros(3, np.int16))
    outside = [(cells, at) for cells in (s.row, given) for at in (-1, 3, 100)]
    for cells, at in (*outside, *((s.grid, at) for at in ((-1, 0), (2, 0), (0, -1), (0, 3)))):
        with pytest.raises(IndexError):
            cells[at]
        with pytest.raises(IndexError):
            cells[at] = 0


def test_an_index_of_the_wrong_kind_raises() -> None:
    s = rows().structs[0]
    for cells, at in ((s.grid, 0), (s.grid, (0, 0, 0)), (s.row, (0, 0))):
        with pytest.raises(ValueError, match="zip"):
            cells[at]
    with pytest.raises(TypeError):
        s.row[1.0]
    with pytest.raises(AttributeError):
        s.no_such_field = 1


def test_the_words_of_a_row_are_its_bytes() -> None:
    made = rows()
    made.structs[1].big = -7
    assert made.words[1][0] == -7 and made.words[1].shape == (STRUCT.itemsize // 8,)
    assert isinstance(made.words[0], Cells)


def test_the_interpreted_backend_notices_a_broken_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game("cursed-hand", 2).match(seed=1, backend="interpreted")
    action = match.legal_ids(0)[0]
    monkeypatch.setattr(match.driver.g, "legal_actions", lambda s, seat, actions: actions.__setitem__(-1, 0))
    with pytest.raises(IndexError):
        match.legal_ids(1)
    monkeypatch.setattr(match.driver.g, "apply_action", lambda s, seat, action: setattr(s, "turn", 200))
    with pytest.raises(ValueError, match="invalid value"):
        match.play(0, action)


def test_the_checked_backend_raises_for_an_index_that_is_not_there() -> None:
    array, read = np.arange(3), backends.backend("checked").kernel(loops.read)
    assert read(array, 2) == 2
    for at in (3, 100):
        with pytest.raises(IndexError):
            read(array, at)
