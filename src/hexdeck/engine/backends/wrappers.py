"""C functions of 64-bit integers around a game's functions, and loops compiled in one piece with them."""

import types as py
from typing import Any

from numba import from_dtype, njit, types

from hexdeck.engine import defaults
from hexdeck.engine.backends import kernels
from hexdeck.engine.backends.compiled_contract import array_at, record_at, table_at
from hexdeck.engine.contract import ARRAYS, COMPILED, Part, of_file, written, zeros
from hexdeck.engine.random import WORDS


def rebound(function: py.FunctionType, space: dict[str, Any]) -> py.FunctionType:
    """The same function with other globals."""
    return py.FunctionType(function.__code__, space, function.__name__, function.__defaults__)


# --- from addresses ---------------------------------------------------------------------------------------------------
def wrap(part: Part) -> str:
    """The text of the C function around a part: arrays are seen where their addresses say."""
    last, arrays = part.arguments[1:], [argument for argument in part.arguments if argument in ARRAYS]
    setup = "".join(f"    {argument}_ = {argument}_at({argument})\n" for argument in arrays)
    argument_list = "".join(f", {argument}_" if argument in arrays else f", {argument}" for argument in last)
    done = "return {}" if part.gives else "{}\n    return 0"
    called = done.format(f"{part.name}(whole(p){argument_list})")
    return (
        f"def {part.name}(p{''.join(f', {argument}' for argument in last)}):\n{setup}{zeros(part, '{}_')}    {called}"
    )


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


LOOPS = {f.__name__[3:]: f for f in (_w_sample_chance, _w_draw_chance, _w_play_out, _w_play_random)}
WRAPPERS: dict[str, Any] = written(wrap, __file__, {}) | LOOPS


def wrappers(backend: Any, rules: py.ModuleType, strategy: py.ModuleType) -> dict[str, py.FunctionType]:
    """Functions of int64 around a game's functions, ready to be compiled as C functions; defaults where it has none."""
    space = {
        "__name__": __name__,
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
    return {name: rebound(function, space | {name: own[name]}) for name, function in WRAPPERS.items() if name in own}


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
