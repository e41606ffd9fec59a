"""Backends: how plain rules become machine code. The only module that imports Numba.

A backend is a set of compiler flags. Every plain function that compiled code needs is rebound into a namespace of the
backend, so that it calls the backend's versions of what it calls; the module it was written in is left alone. A game's
functions become C functions of 64-bit integers, whose addresses fill a small table; generic kernels get the table as
an array and call through it, so that they compile once for all games. Machine code is cached on disk in a folder named
by a hash of the sources it comes from (`sources`): Numba's own cache would miss edits elsewhere and other flags.
"""

import functools
import os
import re
import threading
import types as py
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import cfunc, config, from_dtype, njit, types
from numba.core import cgutils
from numba.core.caching import UserProvidedCacheLocator
from numba.core.errors import NumbaError
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from hexdeck.engine import contract
from hexdeck.engine.backends import kernels
from hexdeck.engine.backends.cache import backend_folder
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.layout import HEADER
from hexdeck.engine.random import WORDS
from hexdeck.engine.text import Text, _, say

FLAGS: dict[str, dict[str, Any]] = {"fast": {"_nrt": False}, "checked": {"boundscheck": True}}
HEAD = from_dtype(HEADER)
i64 = types.int64
LOCK = threading.RLock()  # one thread at a time rebinds functions or borrows Numba's setting


def record_at(record: Any) -> Any:
    """An intrinsic that sees an address as a record."""

    @intrinsic
    def at(_typing, address):  # type: ignore[no-untyped-def]
        def build(ctx, b, _sig, args):  # type: ignore[no-untyped-def]
            return b.inttoptr(args[0], ctx.get_value_type(record))

        return record(i64), build

    return at


def array_at(dtype: Any, length: int) -> Any:
    """An intrinsic that sees an address as an array of so many numbers."""
    array = types.Array(dtype, 1, "C")

    @intrinsic
    def at(_typing, address):  # type: ignore[no-untyped-def]
        def build(ctx, b, _sig, args):  # type: ignore[no-untyped-def]
            return array_value(ctx, b, array, args[0], ctx.get_constant(types.intp, length))

        return array(i64), build

    return at


def array_value(ctx: Any, b: Any, array: Any, address: Any, length: Any) -> Any:
    """The value of a one-dimensional array that owns nothing."""
    made = ctx.make_array(array)(ctx, b)
    size = ctx.get_abi_sizeof(ctx.get_data_type(array.dtype))
    item = ctx.get_constant(types.intp, size)
    data = b.inttoptr(address, ctx.get_data_type(array.dtype).as_pointer())
    populate_array(made, data=data, shape=[length], strides=[item], itemsize=item, meminfo=None)
    return made._getvalue()  # noqa: SLF001 - the only way that Numba offers


@intrinsic
def words_at(_typing, address, count):  # type: ignore[no-untyped-def]
    """See an address as an array of `count` int64."""
    array = types.Array(types.int64, 1, "C")

    def build(ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        return array_value(ctx, b, array, *args)

    return array(i64, i64), build


@intrinsic
def table_at(_typing, address, rows, columns):  # type: ignore[no-untyped-def]
    """See an address as a table of int64."""
    array = types.Array(types.int64, 2, "C")

    def build(ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        made, item = ctx.make_array(array)(ctx, b), ctx.get_constant(types.intp, 8)
        data = b.inttoptr(args[0], ir.IntType(64).as_pointer())
        strides = [b.mul(args[2], item), item]
        populate_array(made, data=data, shape=args[1:], strides=strides, itemsize=item, meminfo=None)
        return made._getvalue()  # noqa: SLF001

    return array(i64, i64, i64), build


@intrinsic
def address(_typing, record):  # type: ignore[no-untyped-def]
    """The address of a record."""

    def build(_ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        return b.ptrtoint(args[0], ir.IntType(64))

    return i64(record), build


@intrinsic
def invoke(_typing, target, arguments):  # type: ignore[no-untyped-def]
    """Call the C function at an address with a tuple of int64; returns int64."""
    count = len(arguments)

    def build(_ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        word = ir.IntType(64)
        function = ir.FunctionType(word, [word] * count).as_pointer()
        return b.call(b.inttoptr(args[0], function), cgutils.unpack_tuple(b, args[1]))

    return i64(i64, types.UniTuple(i64, count)), build


@intrinsic
def copy_bytes(_typing, to, source, count):  # type: ignore[no-untyped-def]
    """Copy bytes between addresses that don't overlap."""

    def build(_ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        pointer = ir.IntType(8).as_pointer()
        cgutils.raw_memcpy(b, b.inttoptr(args[0], pointer), b.inttoptr(args[1], pointer), args[2], 1)

    return types.void(i64, i64, i64), build


head_at = record_at(HEAD)


# --- the compiled counterparts of `contract` ----------------------------------------------------------------------
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


def _information_key(rows, i):  # type: ignore[no-untyped-def]
    count = rows.shape[1] // 8
    return hash_words(words_at(rows.ctypes.data + i * rows.strides[0], count), count)  # type: ignore[name-defined]  # noqa: F821


def _copy_row(rows, to, source):  # type: ignore[no-untyped-def]
    base, step = rows.ctypes.data, rows.strides[0]
    copy_bytes(base + to * step, base + source * step, step)


def _low_word(x):  # type: ignore[no-untyped-def]
    return types.uint32(x)


def counterparts(module: str, *functions: Any) -> dict[tuple[str, str], Any]:
    """Compiled functions by the module and name of those whose place they take."""
    return {(module, function.__name__[1:]): function for function in functions}


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
    _house,
    _gentle,
    _information_key,
) | counterparts("hexdeck.engine.backends.kernels", _sample_chance, _draw_chance)
COUNTERPARTS |= counterparts("hexdeck.engine.random", _low_word)
FAST = counterparts("hexdeck.engine.backends.kernels", _play_out, _play_random)  # checked it takes minutes to compile


# --- a backend -------------------------------------------------------------------------------------------------------
class Backend:
    """All that is compiled with one set of flags: `table(rules, strategy)` and `kernel(function)`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.flags = FLAGS[name]
        self.owners: set[tuple[str, ...]] = set()  # modules whose functions were compiled, or read from the cache
        self._spaces: dict[str, dict[str, Any]] = {}

    def space(self, module: str) -> dict[str, Any]:
        """The globals of a module, functions of hexdeck and of its own package replaced by this backend's."""
        with LOCK:
            return self._space(module)

    def _space(self, module: str) -> dict[str, Any]:
        if module not in self._spaces:
            top = module.partition(".")[0]  # a game of another package calls functions of its own
            space = self._spaces[module] = dict(vars(import_module(module)))
            for name, value in list(space.items()):
                if isinstance(value, py.FunctionType) and value.__module__.partition(".")[0] in ("hexdeck", top):
                    space[name] = self._version(value, module, space)
        return self._spaces[module]

    def _version(self, function: py.FunctionType, module: str, space: dict[str, Any]) -> Any:
        if function.__module__ != module:
            return self.space(function.__module__)[function.__name__]
        found = (COUNTERPARTS | FAST if self.name == "fast" else COUNTERPARTS).get((module, function.__name__))
        if found:
            function = cast(py.FunctionType, found)
            space = {**globals(), "hash_words": self.space("hexdeck.engine.history")["hash_words"]}
        inline = function.__name__ not in space.get("APART", ())
        return njit(rebound(function, space), forceinline=inline, **self.flags)

    def kernel(self, function: py.FunctionType) -> Any:
        """A generic kernel, or one of a game's own, compiled for this backend, cached on disk; releases the GIL."""
        space = self.space(function.__module__)
        with self.cached_in(function.__module__):
            return njit(rebound(function, space), nogil=True, cache=True, **self.flags)

    def cached_in(self, *owners: str) -> Any:
        """While it is active, what is compiled is kept in the folder of these modules and this backend."""
        self.owners.add(owners)
        return cached_in(backend_folder(owners, self.name))

    def table(self, rules: py.ModuleType, strategy: py.ModuleType | None) -> np.ndarray:
        """Addresses of a game's compiled functions, int64, in the order of `contract.TABLE`."""
        functions = wrappers(self, rules, strategy)
        out = np.zeros(len(contract.TABLE), np.int64)
        with self.cached_in(rules.__name__, *([strategy.__name__] if strategy else [])):
            for name, function in functions.items():
                position, arity = contract.TABLE[name]
                try:
                    compiled = cfunc(i64(*[i64] * (arity + 1)), cache=True, **self.flags)(function)
                except NumbaError as error:
                    raise BrokenGame(not_compiled(rules, name, str(error))) from error
                out[position] = compiled.address
                _KEPT.append(compiled)
        return out


def not_compiled(rules: py.ModuleType, function: str, said: str) -> Text:
    """What Numba says of a game's function, in one sentence, with the line that it says it of."""
    lines = [line.strip() for line in said.splitlines()]
    told = [
        line for line in lines if line and not line.startswith(("Failed in", "[", "During:", "File", "<", "-", "~"))
    ]
    at = [(Path(file).name, line) for file, line in re.findall(r'File "(.*?)", line (\d+)', said)]
    file, line = next(
        (each for each in reversed(at) if each[0] == Path(str(rules.__file__)).name), at[-1] if at else ("", "")
    )
    name = rules.__name__.split(".")[-2].replace("_", "-")
    text = _("{game}: {function} can't be compiled: {why} ({file}, line {line}).")
    return say(text, game=name, function=function, why=(told or lines)[0].rstrip(".:"), file=file, line=line)


_KEPT: list[Any] = []  # compiled functions live as long as their addresses are in use


def rebound(function: py.FunctionType, space: dict[str, Any]) -> py.FunctionType:
    """The same function with other globals."""
    return py.FunctionType(function.__code__, space, function.__name__, function.__defaults__)


class Anywhere(UserProvidedCacheLocator):  # type: ignore[misc] # Numba has no types
    """Where Numba keeps a function's machine code: by its package alone, wherever that is installed."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder below `CACHE_DIR`; Numba's own has the path of the sources in its name."""
        return Path(py_file).parent.name


class cached_in:  # noqa: N801 - reads as a statement
    """While it is active, what Numba compiles with `cache=True` is kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        LOCK.acquire()
        self.before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = os.fspath(self.folder), f"{__name__}.{Anywhere.__name__}"

    def __exit__(self, *_: object) -> None:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = self.before
        LOCK.release()


# --- a game's functions, from addresses ---------------------------------------------------------------------------
def _w_start(p):  # type: ignore[no-untyped-def]
    start(whole(p))  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_chance_weights(p, weights):  # type: ignore[no-untyped-def]
    return chance_weights(whole(p), weights_at(weights))  # type: ignore[name-defined]  # noqa: F821


def _w_apply_chance(p, outcome):  # type: ignore[no-untyped-def]
    apply_chance(whole(p), outcome)  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_legal_actions(p, seat, actions):  # type: ignore[no-untyped-def]
    return legal_actions(whole(p), seat, actions_at(actions))  # type: ignore[name-defined]  # noqa: F821


def _w_illegal_reason(p, seat, action):  # type: ignore[no-untyped-def]
    return illegal_reason(whole(p), seat, action)  # type: ignore[name-defined]  # noqa: F821


def _w_apply_action(p, seat, action):  # type: ignore[no-untyped-def]
    apply_action(whole(p), seat, action)  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_returns(p, out):  # type: ignore[no-untyped-def]
    utilities = returns_at(out)  # type: ignore[name-defined]  # noqa: F821
    for seat in range(utilities.shape[0]):
        utilities[seat] = 0.0
    returns(whole(p), utilities)  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_conceal(p, seat):  # type: ignore[no-untyped-def]
    conceal(whole(p), seat)  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_observe(p, seat, out):  # type: ignore[no-untyped-def]
    numbers = bytes_at(out)  # type: ignore[name-defined]  # noqa: F821
    for k in range(numbers.shape[0]):
        numbers[k] = 0
    observe(whole(p), seat, numbers)  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_resample(p, seat, rng):  # type: ignore[no-untyped-def]
    resample(whole(p), seat, rng_at(rng))  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_clear_hidden_choices(p, seat):  # type: ignore[no-untyped-def]
    clear_hidden_choices(whole(p), seat)  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_choose(p, seat, actions, count, rng):  # type: ignore[no-untyped-def]
    return choose(whole(p), seat, actions_at(actions), count, rng_at(rng))  # type: ignore[name-defined]  # noqa: F821


def _w_gentle(p, seat, actions, count, rng):  # type: ignore[no-untyped-def]
    return gentle(whole(p), seat, actions_at(actions), count, rng_at(rng))  # type: ignore[name-defined]  # noqa: F821


def _w_sample_chance(p, weights, rng):  # type: ignore[no-untyped-def]
    sample_chance(0, whole(p), weights_at(weights), rng_at(rng))  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_draw_chance(p, weights, rng, number):  # type: ignore[no-untyped-def]
    return draw_chance(0, whole(p), weights_at(weights), rng_at(rng), number)  # type: ignore[name-defined]  # noqa: F821


def _w_play_out(p, weights, actions, rng):  # type: ignore[no-untyped-def]
    play_out(0, whole(p), weights_at(weights), actions_at(actions), rng_at(rng))  # type: ignore[name-defined]  # noqa: F821
    return 0


def _w_play_random(p, weights, actions, rng, generators, number, free, lengths, width):  # type: ignore[no-untyped-def]
    s, cards = whole(p), rng_at(rng)  # type: ignore[name-defined]  # noqa: F821
    dice, counts = table_at(generators, s.seats, width), table_at(lengths, 1, 2)
    play_random(0, s, weights_at(weights), actions_at(actions), cards, dice, number, free, counts, 0)  # type: ignore[name-defined]  # noqa: F821
    return 0


def _one(_g, s, a):  # type: ignore[no-untyped-def]
    return own(s, a)  # type: ignore[name-defined]  # noqa: F821


def _two(_g, s, a, b):  # type: ignore[no-untyped-def]
    return own(s, a, b)  # type: ignore[name-defined]  # noqa: F821


def _total(_g, s, _weights):  # type: ignore[no-untyped-def]
    return own(s)  # type: ignore[name-defined]  # noqa: F821


def _outcome(_g, s, _weights, u):  # type: ignore[no-untyped-def]
    return own(s, u)  # type: ignore[name-defined]  # noqa: F821


def _weighed(_g, _s, weights, u):  # type: ignore[no-untyped-def]
    return pick(weights, weights.shape[0], u)  # type: ignore[name-defined]  # noqa: F821


def _sampled(_g, s, _weights, rng):  # type: ignore[no-untyped-def]
    own(s, rng)  # type: ignore[name-defined]  # noqa: F821


WRAPPERS = {
    f.__name__[3:]: f
    for f in (
        _w_start, _w_chance_weights, _w_apply_chance, _w_legal_actions, _w_illegal_reason, _w_apply_action, _w_returns,
        _w_conceal, _w_observe, _w_resample, _w_clear_hidden_choices, _w_choose, _w_gentle, _w_sample_chance,
        _w_draw_chance, _w_play_out, _w_play_random,
    )
}  # fmt: skip


def wrappers(backend: Backend, rules: py.ModuleType, strategy: py.ModuleType | None) -> dict[str, py.FunctionType]:
    """Functions of int64 around a game's functions, ready to be compiled as C functions."""
    space = {
        "__name__": __name__,
        "table_at": table_at,
        "whole": record_at(from_dtype(rules.STRUCT)),
        "weights_at": array_at(types.int32, len(rules.OUTCOMES)),
        "actions_at": array_at(types.int16, len(rules.ACTIONS)),
        "returns_at": array_at(types.float64, rules.SEATS),
        "bytes_at": array_at(types.int8, max(end for _, end in rules.SLICES.values())),
        "rng_at": array_at(types.int64, WORDS),
    }
    compiled = backend.space(rules.__name__) | (backend.space(strategy.__name__) if strategy else {})
    compiled |= together(backend, compiled)
    out = {}
    for name, function in WRAPPERS.items():
        if name in compiled:
            space[name] = compiled[name]
            out[name] = rebound(cast(py.FunctionType, function), space)
    return out


def together(backend: Backend, own: dict[str, Any]) -> dict[str, Any]:
    """Loops of `kernels` compiled in one piece with a game's functions, instead of calling them."""

    def built(function: Any, space: dict[str, Any]) -> Any:
        return njit(rebound(function, space), forceinline=True, **backend.flags)

    space = backend.space("hexdeck.engine.backends.kernels").copy()
    for name, shape in (
        ("chance_weights", _one),
        ("apply_chance", _one),
        ("legal_actions", _two),
        ("apply_action", _two),
    ):
        space[name] = built(shape, {"own": own[name]})
    if own["chance_outcome"] is None:
        space["chance_total"] = space["chance_weights"]
        space["chance_outcome"] = built(_weighed, backend.space("hexdeck.engine.random"))
    else:
        space["chance_total"] = built(_total, {"own": own["chance_total"]})
        space["chance_outcome"] = built(_outcome, {"own": own["chance_outcome"]})
    space["draw_chance"] = built(kernels.draw_chance, space)
    space["sample_chance"] = (
        built(_sampled, {"own": own["sample_chance"]})
        if "sample_chance" in own
        else built(kernels.sample_chance, space)
    )
    loops = (kernels.play_out, kernels.play_random) if backend.name == "fast" else ()
    fast = {loop.__name__: built(loop, space) for loop in loops}
    return {"sample_chance": space["sample_chance"], "draw_chance": space["draw_chance"]} | fast


@functools.cache
def backend(name: str) -> Backend:
    """The backend of that name: `fast` or `checked`."""
    return Backend(name)
