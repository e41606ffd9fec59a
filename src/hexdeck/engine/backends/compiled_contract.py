"""The compiled counterparts of `contract`, and of what is compiled together with a game.

`g` is an array with the addresses of a game's C functions (`contract.TABLE`), `s` the address of a struct. A backend
puts them in the place of the plain functions of the same names, for whatever it compiles.
"""

from typing import Any

from numba import from_dtype, types

from hexdeck.engine.backends.addresses import (
    add_word,
    address,
    copy_bytes,
    invoke,
    let_others_run,
    load_word,
    record_at,
    store_word,
    wait_a_little,
    words_at,
)
from hexdeck.engine.contract import ARRAYS, TABLE, Part, written
from hexdeck.engine.layout import HEADER

i64 = types.int64
SAMPLE_CHANCE, DRAW_CHANCE, PLAY_OUT, PLAY_RANDOM = (
    TABLE[name][0] for name in ("sample_chance", "draw_chance", "play_out", "play_random")
)
head_at = record_at(from_dtype(HEADER))


def _struct(g, rows, i):  # type: ignore[no-untyped-def]
    return head_at(rows.ctypes.data + i * rows.strides[0])


def _sample_chance(g, s, weights, rng):  # type: ignore[no-untyped-def]
    invoke(g[SAMPLE_CHANCE], (address(s), weights.ctypes.data, rng.ctypes.data))


def _draw_chance(g, s, weights, rng, number):  # type: ignore[no-untyped-def]
    return invoke(g[DRAW_CHANCE], (address(s), weights.ctypes.data, rng.ctypes.data, i64(number)))


def _play_out(g, s, weights, actions, rng):  # type: ignore[no-untyped-def]
    invoke(g[PLAY_OUT], (address(s), weights.ctypes.data, actions.ctypes.data, rng.ctypes.data))


def _play_random(g, s, weights, actions, rng, generators, number, free, lengths, k):  # type: ignore[no-untyped-def]
    row = lengths.ctypes.data + k * lengths.strides[0]
    invoke(
        g[PLAY_RANDOM],
        (
            address(s), weights.ctypes.data, actions.ctypes.data, rng.ctypes.data, generators.ctypes.data, i64(number),
            i64(free), row, i64(generators.strides[0] // 8),
        ),
    )  # fmt: skip


def _information_key(rows, i):  # type: ignore[no-untyped-def]
    count = rows.shape[1] // 8
    return hash_words(words_at(rows.ctypes.data + i * rows.strides[0], count), count)  # type: ignore[name-defined]  # noqa: F821


def _copy_row(rows, to, source):  # type: ignore[no-untyped-def]
    base, step = rows.ctypes.data, rows.strides[0]
    copy_bytes(base + to * step, base + source * step, step)


def _low_word(x):  # type: ignore[no-untyped-def]
    return types.uint32(x)


# --- of `atomic` ------------------------------------------------------------------------------------------------------
def _load(cells, i):  # type: ignore[no-untyped-def]
    return load_word(cells.ctypes.data + 8 * i)


def _store(cells, i, value):  # type: ignore[no-untyped-def]
    store_word(cells.ctypes.data + 8 * i, i64(value))


def _add(cells, i, n):  # type: ignore[no-untyped-def]
    return add_word(cells.ctypes.data + 8 * i, i64(n))


def _pause():  # type: ignore[no-untyped-def]
    wait_a_little()


def _give_way():  # type: ignore[no-untyped-def]
    let_others_run()


def call(part: Part) -> str:
    """The text of the function that calls a part of a compiled game."""
    words = [f"{each}.ctypes.data" if each in ARRAYS else f"i64({each})" for each in part.arguments[1:]]
    given = "".join(f", {each}" for each in words) or ","
    return f"def {part.name}(g, {part.takes}):\n    return invoke(g[{TABLE[part.name][0]}], (address(s){given}))"


def counterparts(module: str, *functions: Any) -> dict[tuple[str, str], Any]:
    """Compiled functions by the module and name of those whose place they take."""
    return {(module, function.__name__[1:]): function for function in functions}


def _stop(_s, _kind, _seat=-1):  # type: ignore[no-untyped-def]
    pass


CONTRACT = "hexdeck.engine.contract"
COUNTERPARTS = {(CONTRACT, name): function for name, function in written(call, __file__, {}).items()}
COUNTERPARTS |= counterparts(CONTRACT, _struct, _copy_row, _information_key)
COUNTERPARTS |= counterparts("hexdeck.engine.backends.kernels", _sample_chance, _draw_chance)
COUNTERPARTS |= counterparts("hexdeck.engine.random", _low_word)
COUNTERPARTS |= counterparts("hexdeck.engine.stops", _stop)
COUNTERPARTS |= counterparts("hexdeck.engine.backends.atomic", _load, _store, _add, _pause, _give_way)
FAST = counterparts("hexdeck.engine.backends.kernels", _play_out, _play_random)  # checked it takes minutes to compile
