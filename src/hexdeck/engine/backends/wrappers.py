"""C functions of 64-bit integers around a game's functions, and loops compiled in one piece with them."""

import types as py
from typing import Any, cast

from numba import from_dtype, njit, types

from hexdeck.engine.backends import kernels
from hexdeck.engine.backends.addresses import array_at, record_at, table_at
from hexdeck.engine.random import WORDS


def rebound(function: py.FunctionType, space: dict[str, Any]) -> py.FunctionType:
    """The same function with other globals."""
    return py.FunctionType(function.__code__, space, function.__name__, function.__defaults__)


# --- from addresses ---------------------------------------------------------------------------------------------------
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


def _w_take_back(p):  # type: ignore[no-untyped-def]
    return take_back(whole(p))  # type: ignore[name-defined]  # noqa: F821


def _w_surprises(p, seat):  # type: ignore[no-untyped-def]
    return surprises(whole(p), seat)  # type: ignore[name-defined]  # noqa: F821


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
        _w_draw_chance, _w_play_out, _w_play_random, _w_take_back, _w_surprises,
    )
}  # fmt: skip


def wrappers(backend: Any, rules: py.ModuleType, strategy: py.ModuleType | None) -> dict[str, py.FunctionType]:
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
