"""Coroutines in tests."""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def alone(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives, in a thread of its own: a browser of other tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Let a coroutine be a test."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        alone(test(**fixtures))

    return run
