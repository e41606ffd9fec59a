"""The compiled counterparts of `contract`, and of what is compiled together with a game.

`g` is an array with the addresses of a game's C functions (`contract.TABLE`), `s` the address of a struct. A backend
puts them in the place of the plain functions of the same names, for whatever it compiles. They are made of intrinsics
that see an address, an int64, as what lies there: a record, an array, a C function, a word that threads share. The
other way around, `wrappers` are C functions of 64-bit integers around a game's functions, and loops compiled in one
piece with them.
"""

from __future__ import annotations

import platform
import sys
import types as py
from functools import partial
from typing import Any

from llvmlite import ir
from numba import from_dtype, njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from hexdeck.engine import defaults
from hexdeck.engine.backends import kernels
from hexdeck.engine.contract import ARRAYS, COMPILED, TABLE, Part, of_file, written, zeros
from hexdeck.engine.errors import RuleFault  # noqa: F401 - named in what is written here
from hexdeck.engine.layout import HEADER
from hexdeck.engine.random import WORDS

i64 = types.int64


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
    view = ctx.make_array(array)(ctx, b)
    size = ctx.get_abi_sizeof(ctx.get_data_type(array.dtype))
    item = ctx.get_constant(types.intp, size)
    data = b.inttoptr(address, ctx.get_data_type(array.dtype).as_pointer())
    populate_array(view, data=data, shape=[length], strides=[item], itemsize=item, meminfo=None)
    return view._getvalue()  # noqa: SLF001 - the only way that Numba offers


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
        view, item = ctx.make_array(array)(ctx, b), ctx.get_constant(types.intp, 8)
        data = b.inttoptr(args[0], ir.IntType(64).as_pointer())
        strides = [b.mul(args[2], item), item]
        populate_array(view, data=data, shape=args[1:], strides=strides, itemsize=item, meminfo=None)
        return view._getvalue()  # noqa: SLF001

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


# --- words that threads share -----------------------------------------------------------------------------------------
def _word(b: Any, address: Any) -> Any:
    return b.inttoptr(address, ir.IntType(64).as_pointer())


@intrinsic
def load_word(_typing, address):  # type: ignore[no-untyped-def]
    """Read an int64 that other threads write."""

    def build(_ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        return b.load_atomic(_word(b, args[0]), "seq_cst", 8)

    return i64(i64), build


@intrinsic
def store_word(_typing, address, value):  # type: ignore[no-untyped-def]
    """Write an int64 that other threads read."""

    def build(ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        b.store_atomic(args[1], _word(b, args[0]), "seq_cst", 8)
        return ctx.get_dummy_value()

    return types.void(i64, i64), build


@intrinsic
def add_word(_typing, address, n):  # type: ignore[no-untyped-def]
    """Add to an int64 that other threads add to; returns what it was."""

    def build(_ctx, b, _sig, args):  # type: ignore[no-untyped-def]
        return b.atomic_rmw("add", _word(b, args[0]), args[1], "seq_cst")

    return i64(i64, i64), build


@intrinsic
def wait_a_little(_typing):  # type: ignore[no-untyped-def]
    """The processor's own instruction for waiting loops, where LLVM has a name for it."""
    machine = platform.machine().lower()

    def build(ctx, b, _sig, _args):  # type: ignore[no-untyped-def]
        if machine in {"x86_64", "amd64"}:
            kind = ir.FunctionType(ir.VoidType(), [])
            b.call(cgutils.get_or_insert_function(b.module, kind, "llvm.x86.sse2.pause"), [])
        return ctx.get_dummy_value()

    return types.void(), build


@intrinsic
def let_others_run(_typing):  # type: ignore[no-untyped-def]
    """Offer this processor to another thread, where the system has a function for it."""

    def build(ctx, b, _sig, _args):  # type: ignore[no-untyped-def]
        if sys.platform != "win32":
            kind = ir.FunctionType(ir.IntType(32), [])
            b.call(cgutils.get_or_insert_function(b.module, kind, "sched_yield"), [])
        return ctx.get_dummy_value()

    return types.void(), build


PLAY_RANDOM = TABLE["play_random"][0]
head_at = record_at(from_dtype(HEADER))


def _struct(g, rows, i):  # type: ignore[no-untyped-def]
    return head_at(rows.ctypes.data + i * rows.strides[0])


def _play_random(g, s, weights, actions, rng, generators, number, free, lengths, k):  # type: ignore[no-untyped-def]
    row = lengths.ctypes.data + k * lengths.strides[0]
    arrays = address(s), weights.ctypes.data, actions.ctypes.data, rng.ctypes.data, generators.ctypes.data
    numbers = i64(number), i64(free), row, i64(generators.strides[0] // 8)
    invoke(g[PLAY_RANDOM], arrays + numbers)


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


def call(part: Part, *, guarded: bool = False) -> str:
    """The text of the function that calls a part of a compiled game; `guarded`: it raises where the part does."""
    arguments = [
        f"{argument}.ctypes.data" if argument in ARRAYS else f"i64({argument})" for argument in part.arguments[1:]
    ]
    argument_list = "".join(f", {argument}" for argument in arguments) or ","
    check = "    if done == FAULT:\n        raise RuleFault\n" if guarded else ""
    invoked = f"invoke(g[{TABLE[part.name][0]}], (address(s){argument_list}))"
    return f"def {part.name}(g, {part.takes}):\n    done = {invoked}\n{check}    return done"


def counterparts(module: str, *functions: Any) -> dict[tuple[str, str], Any]:
    """Compiled functions by the module and name of those whose place they take."""
    return {(module, function.__name__[1:]): function for function in functions}


NOBODY, NOTHING = types.Omitted(-1), types.Omitted(0)


@intrinsic
def no_stop(_typing, s, kind, seat=NOBODY, detail=NOTHING):  # type: ignore[no-untyped-def]
    """Nothing: not a call that LLVM would take away, since how it inlines the others depends on it until then."""
    return types.none(s, kind, seat, detail), lambda ctx, _b, _sig, _args: ctx.get_dummy_value()


@intrinsic
def no_limit(_typing, number):  # type: ignore[no-untyped-def]
    """Nothing, likewise."""
    return types.none(number), lambda ctx, _b, _sig, _args: ctx.get_dummy_value()


CONTRACT, KERNELS = "hexdeck.engine.contract", "hexdeck.engine.backends.kernels"
COUNTERPARTS = {(CONTRACT, name): function for name, function in written(call, __file__, {}).items()}
COUNTERPARTS |= counterparts(CONTRACT, _struct, _copy_row, _information_key)
COUNTERPARTS |= counterparts("hexdeck.engine.random", _low_word)
COUNTERPARTS["hexdeck.engine.layout", "stop"] = no_stop
COUNTERPARTS |= counterparts(f"{KERNELS}_batch", _load, _store, _add, _pause, _give_way)
FAST = counterparts(KERNELS, _play_random)  # checked it takes minutes to compile, and so does `play_out`
FAST |= dict.fromkeys((("hexdeck.engine.endless", name) for name in ("expect_decision", "expect_end")), no_limit)
LOOPS = (  # of `kernels`, which are compiled in one piece with a game's functions
    Part("kernels", "sample_chance", "s, weights, rng", "", "", ""),
    Part("kernels", "draw_chance", "s, weights, rng, number", "number", "", ""),
    Part("kernels", "play_out", "s, weights, actions, rng", "", "", ""),
)
for _name, _function in written(call, __file__, {}, LOOPS).items():
    (FAST if _name == "play_out" else COUNTERPARTS)[KERNELS, _name] = _function
FAULT = -(1 << 62)  # what a C function of a `checked` game gives where it raises: exceptions don't leave C functions
GUARDED = partial(call, guarded=True)
CHECKED = {(CONTRACT, name): function for name, function in written(GUARDED, __file__, {}).items()}
CHECKED |= {(KERNELS, name): function for name, function in written(GUARDED, __file__, {}, LOOPS[:2]).items()}


def rebound(function: py.FunctionType, space: dict[str, Any]) -> py.FunctionType:
    """The same function with other globals."""
    return py.FunctionType(function.__code__, space, function.__name__, function.__defaults__)


# --- from addresses ---------------------------------------------------------------------------------------------------
def wrap(part: Part, *, guarded: bool = False) -> str:
    """The text of the C function around a part: arrays are seen where their addresses say."""
    last, arrays = part.arguments[1:], [argument for argument in part.arguments if argument in ARRAYS]
    setup = "".join(f"    {argument}_ = {argument}_at({argument})\n" for argument in arrays)
    argument_list = "".join(f", {argument}_" if argument in arrays else f", {argument}" for argument in last)
    game = "0, " if part in LOOPS else ""
    called = f"{'done = ' * bool(part.gives)}{part.name}({game}whole(p){argument_list})\n"
    called = f"    try:\n        {called}    except Exception:\n        return FAULT\n" if guarded else f"    {called}"
    head = f"def {part.name}(p{''.join(f', {argument}' for argument in last)}):\n"
    return f"{head}{setup}{zeros(part, '{}_')}{called}    return {'done' if part.gives else '0'}"


def _play_random_at(p, weights, actions, rng, generators, number, free, lengths, width):  # type: ignore[no-untyped-def]
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


WRAPPERS: dict[str, Any] = written(wrap, __file__, {}, (*COMPILED, *LOOPS)) | {"play_random": _play_random_at}
GUARDED_WRAPPERS = written(partial(wrap, guarded=True), __file__, {}, (*COMPILED, *LOOPS[:2]))


def wrappers(backend: Any, rules: py.ModuleType, strategy: py.ModuleType) -> dict[str, py.FunctionType]:
    """Functions of int64 around a game's functions, ready to be compiled as C functions; defaults where it has none."""
    space = {
        "__name__": __name__,
        "FAULT": FAULT,
        "table_at": table_at,
        "whole": record_at(from_dtype(rules.STRUCT)),
        "weights_at": array_at(types.int32, len(rules.OUTCOMES)),
        "actions_at": array_at(types.int16, len(rules.ACTIONS)),
        "utilities_at": array_at(types.float64, rules.PLAYERS[1]),
        "numbers_at": array_at(types.int8, max(end for _, end in rules.SLICES.values())),
        "rng_at": array_at(types.int64, WORDS),
    }
    own = dict(backend.space(defaults.__name__))
    for file, module in (("rules", rules), ("strategy", strategy)):
        namespace = backend.space(module.__name__)
        own |= {part.name: namespace[part.name] for part in of_file(file) if part.name in namespace}
    own |= {part.name: own[part.default] for part in COMPILED if part.name not in own}
    own |= together(backend, own)
    chosen = WRAPPERS if backend.name == "fast" else GUARDED_WRAPPERS
    return {name: rebound(function, space | {name: own[name]}) for name, function in chosen.items() if name in own}


def together(backend: Any, own: dict[str, Any]) -> dict[str, Any]:
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
    if own.get("chance_outcome") is None:
        space["chance_total"] = space["chance_weights"]
        space["chance_outcome"] = built(_weighed, backend.space("hexdeck.engine.random"))
    else:
        space["chance_total"] = built(_total, {"own": own["chance_total"]})
        space["chance_outcome"] = built(_outcome, {"own": own["chance_outcome"]})
    space["draw_chance"] = built(kernels.draw_chance, space)
    space["sample_chance"] = (
        built(_sampled, {"own": own["sample_chance"]})
        if own.get("sample_chance")
        else built(kernels.sample_chance, space)
    )
    loops = (kernels.play_out, kernels.play_random) if backend.name == "fast" else ()
    fast = {loop.__name__: built(loop, space) for loop in loops}
    return {"sample_chance": space["sample_chance"], "draw_chance": space["draw_chance"]} | fast
