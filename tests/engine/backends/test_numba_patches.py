"""Numba's internals are replaced while hexdeck compiles, and Numba's own at all other times."""

import contextlib
import random
import threading
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import caching, config
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.cpython import numbers
from numba.np import arrayobj

from hexdeck.engine.backends import compiler
from hexdeck.engine.backends.compiler import as_rules_mean, object_codegen
from hexdeck.engine.layout import M63
from tests.engine import loops
from tests.support import for_each


def internals() -> list[Any]:
    """What hexdeck replaces, or could be thought to replace."""
    return [
        arrayobj.fix_integer_index,
        numbers._int_arith_flags,
        cpu_target.target_context.codegen(),
        caching.IndexDataCacheFile,
        caching.FunctionCache.load_overload,
        caching.FunctionCache.save_overload,
        config.CACHE_DIR,
        config.CACHE_LOCATOR_CLASSES,
    ]


PART = np.arange(3)[1:]  # before its first number lies a 0


def last(array: Any) -> Any:
    """What is at index -1: the last number, as Numba has it."""
    return array[-1]


@pytest.fixture(autouse=True)
def own() -> list[Any]:
    return internals()


def test_patches_may_be_nested_and_each_is_undone(own: list[Any]) -> None:
    with as_rules_mean():
        with object_codegen("host") as context, as_rules_mean():
            assert type(context.codegen()) is compiler.ObjectCodegen
            assert arrayobj.fix_integer_index is compiler.nonnegative_index
        assert arrayobj.fix_integer_index is compiler.nonnegative_index
        assert cpu_target.target_context.codegen() is own[2]
    assert internals() == own


@pytest.mark.parametrize("patch", [as_rules_mean, lambda: object_codegen("host"), compiler.compiling])
def test_a_patch_is_undone_after_an_error(patch: Any, own: list[Any]) -> None:
    with contextlib.suppress(ZeroDivisionError), patch():
        assert internals() != own
        raise ZeroDivisionError
    assert internals() == own


@for_each(("name", "index_before_the_first"), [("fast", 0), ("checked", 2)])
def test_compiling_leaves_numba_as_it_was_whether_it_succeeds_or_not(
    name: str, index_before_the_first: int, own: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler, "backend_folder", lambda _owners, backend: tmp_path / backend)
    (tmp_path / name).mkdir()
    kernel = compiler.Backend(name).kernel(loops.read)
    assert internals() == own
    assert kernel(PART, -1) == index_before_the_first, "the patch is active when the first call compiles"
    assert internals() == own
    with pytest.raises(NumbaError):
        kernel("not an array", {})
    assert internals() == own


@for_each("loop", [loops.hash_of_two, loops.sum_of_two, loops.difference_of_two])
@for_each("name", ["fast", "checked"])
def test_compiled_integers_wrap_around_as_hashes_need_it(name, loop, tmp_path, monkeypatch) -> None:
    """Numba's own flag for sums, differences and products makes LLVM leave out a mask that it takes for needless."""
    monkeypatch.setattr(compiler, "backend_folder", lambda _owners, backend: tmp_path / backend)
    (tmp_path / name).mkdir(exist_ok=True)
    kernel, rng = compiler.Backend(name).kernel(loop), random.Random(1)
    for number in [M63, *(rng.randrange(M63) for _ in range(100))]:
        compiled, interpreted = np.zeros(1, np.int64), [0]
        kernel(number, compiled), loop(number, interpreted)
        assert compiled[0] == interpreted[0]


def test_libraries_too_are_compiled_as_rules_mean_it(monkeypatch: pytest.MonkeyPatch) -> None:
    while_compiled: list[Any] = []
    monkeypatch.setattr(compiler, "kernels", lambda _backend, _module: while_compiled.extend(internals()) or [])
    compiler.objects((loops.__name__,), "host")
    assert while_compiled[:2] == [compiler.nonnegative_index, compiler.no_flags]


def test_what_others_compile_counts_negative_indices_from_the_end() -> None:
    with as_rules_mean():
        assert numba.njit(last, _nrt=False)(PART) == 0
        assert numba.njit(last)(PART) == 2
    assert numba.njit(last, _nrt=False)(PART) == 2


def test_while_a_patch_is_active_no_other_thread_compiles() -> None:
    could: list[bool] = []
    with as_rules_mean(), object_codegen("host"):
        other = threading.Thread(target=lambda: could.append(global_compiler_lock._lock.acquire(blocking=False)))
        other.start(), other.join()
    assert could == [False]
    after = threading.Thread(target=lambda: could.append(numba.njit(last, _nrt=False)(PART) == 2))
    after.start(), after.join()
    assert could == [False, True]
