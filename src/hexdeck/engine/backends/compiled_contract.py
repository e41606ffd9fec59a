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
from hexdeck.engine.layout import HEADER

i64 = types.int64
head_at = record_at(from_dtype(HEADER))


def _struct(g, rows, i):  # type: ignore[no-untyped-def]
    return head_at(rows.ctypes.data + i * rows.strides[0])


def _start(g, s):  # type: ignore[no-untyped-def]
    invoke(g[0], (address(s),))


def _chance_weights(g, s, weights):  # type: ignore[no-untyped-def]
    return invoke(g[1], (address(s), weights.ctypes.data))


def _apply_chance(g, s, outcome):  # type: ignore[no-untyped-def]
    invoke(g[2], (address(s), i64(outcome)))


def _legal_actions(g, s, seat, actions):  # type: ignore[no-untyped-def]
    return invoke(g[3], (address(s), i64(seat), actions.ctypes.data))


def _illegal_reason(g, s, seat, action):  # type: ignore[no-untyped-def]
    return invoke(g[4], (address(s), i64(seat), i64(action)))


def _apply_action(g, s, seat, action):  # type: ignore[no-untyped-def]
    invoke(g[5], (address(s), i64(seat), i64(action)))


def _returns(g, s, out):  # type: ignore[no-untyped-def]
    invoke(g[6], (address(s), out.ctypes.data))


def _conceal(g, s, seat):  # type: ignore[no-untyped-def]
    invoke(g[7], (address(s), i64(seat)))


def _observe(g, s, seat, out):  # type: ignore[no-untyped-def]
    invoke(g[8], (address(s), i64(seat), out.ctypes.data))


def _resample(g, s, seat, rng):  # type: ignore[no-untyped-def]
    invoke(g[9], (address(s), i64(seat), rng.ctypes.data))


def _house(g, s, seat, actions, count, rng):  # type: ignore[no-untyped-def]
    return invoke(g[10], (address(s), i64(seat), actions.ctypes.data, i64(count), rng.ctypes.data))


def _gentle(g, s, seat, actions, count, rng):  # type: ignore[no-untyped-def]
    return invoke(g[11], (address(s), i64(seat), actions.ctypes.data, i64(count), rng.ctypes.data))


def _sample_chance(g, s, weights, rng):  # type: ignore[no-untyped-def]
    invoke(g[12], (address(s), weights.ctypes.data, rng.ctypes.data))


def _draw_chance(g, s, weights, rng, number):  # type: ignore[no-untyped-def]
    return invoke(g[15], (address(s), weights.ctypes.data, rng.ctypes.data, i64(number)))


def _play_out(g, s, weights, actions, rng):  # type: ignore[no-untyped-def]
    invoke(g[13], (address(s), weights.ctypes.data, actions.ctypes.data, rng.ctypes.data))


def _play_random(g, s, weights, actions, rng, generators, number, free, lengths, k):  # type: ignore[no-untyped-def]
    row = lengths.ctypes.data + k * lengths.strides[0]
    invoke(
        g[16],
        (
            address(s), weights.ctypes.data, actions.ctypes.data, rng.ctypes.data, generators.ctypes.data, i64(number),
            i64(free), row, i64(generators.strides[0] // 8),
        ),
    )  # fmt: skip


def _clear_hidden_choices(g, s, seat):  # type: ignore[no-untyped-def]
    if g[14] != 0:
        invoke(g[14], (address(s), i64(seat)))


def _take_back(g, s):  # type: ignore[no-untyped-def]
    return invoke(g[17], (address(s),)) if g[17] != 0 else -1


def _surprises(g, s, seat):  # type: ignore[no-untyped-def]
    return invoke(g[18], (address(s), i64(seat))) if g[18] != 0 else 0


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


def counterparts(module: str, *functions: Any) -> dict[tuple[str, str], Any]:
    """Compiled functions by the module and name of those whose place they take."""
    return {(module, function.__name__[1:]): function for function in functions}


def _stop(_s, _kind, _seat=-1):  # type: ignore[no-untyped-def]
    pass


COUNTERPARTS = counterparts(
    "hexdeck.engine.contract",
    _struct,
    _copy_row,
    _start,
    _chance_weights,
    _apply_chance,
    _legal_actions,
    _illegal_reason,
    _apply_action,
    _returns,
    _conceal,
    _observe,
    _resample,
    _clear_hidden_choices,
    _take_back,
    _surprises,
    _house,
    _gentle,
    _information_key,
) | counterparts("hexdeck.engine.backends.kernels", _sample_chance, _draw_chance)
COUNTERPARTS |= counterparts("hexdeck.engine.random", _low_word)
COUNTERPARTS |= counterparts("hexdeck.engine.stops", _stop)
COUNTERPARTS |= counterparts("hexdeck.engine.backends.atomic", _load, _store, _add, _pause, _give_way)
FAST = counterparts("hexdeck.engine.backends.kernels", _play_out, _play_random)  # checked it takes minutes to compile
