"""Names that changed: whoever uses an old one gets an error that says the new one."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Text, say

ARGUMENTS = {"lane": "backend", "lanes": "envs", "heat": "temperature"}
METHODS = {
    "forbids": "illegal_reason", "redeal": "resample", "lanes": "envs", "told": "narration", "sight": "seat_views",
    "look": "refresh", "fates": "outcome_texts", "stand": "load_position", "begin_in": "load_trusted_position",
}  # fmt: skip
VARIABLES = {"HEXDECK_LANE": "HEXDECK_BACKEND"}
F = TypeVar("F", bound=Callable[..., Any])


def is_now(old: str, new: str) -> Text:
    """The error text for an old name."""
    return say("{old} is now called {new}.", old=old, new=new)


def takes_no_old_names(function: F) -> F:
    """Decorator: the function raises HexdeckError for a keyword argument under its old name."""

    @functools.wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        for old, new in ARGUMENTS.items():
            if old in options:
                raise HexdeckError(is_now(old, new))
        return function(*args, **options)

    return checked  # type: ignore[return-value]


class HasOldNames:
    """Base class: reading a method or attribute under its old name raises AttributeError with the new one."""

    if not TYPE_CHECKING:  # else a type checker would accept any attribute

        def __getattr__(self, name: str) -> Any:
            """Called by Python only for attributes that don't exist."""
            if name in METHODS and hasattr(self, METHODS[name]):
                raise AttributeError(str(is_now(name, METHODS[name])))
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def refuse_old_variables() -> None:
    """Raise HexdeckError if an environment variable is set under its old name."""
    for old, new in VARIABLES.items():
        if old in os.environ:
            raise HexdeckError(is_now(old, new))
