"""Names of earlier versions: who uses one is told what it is called now."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Text, say

ARGUMENTS = {"lane": "backend", "lanes": "envs"}
METHODS = {"forbids": "illegal_reason", "redeal": "resample", "lanes": "envs"}
VARIABLES = {"HEXDECK_LANE": "HEXDECK_BACKEND"}
F = TypeVar("F", bound=Callable[..., Any])


def is_now(old: str, new: str) -> Text:
    """The sentence for an earlier name."""
    return say("{old} is now called {new}.", old=old, new=new)


def takes_no_old_names(function: F) -> F:
    """Make a function raise HexdeckError for a keyword argument under its earlier name."""

    @functools.wraps(function)
    def checked(*args: Any, **how: Any) -> Any:
        for old, new in ARGUMENTS.items():
            if old in how:
                raise HexdeckError(is_now(old, new))
        return function(*args, **how)

    return checked  # type: ignore[return-value]


class HasOldNames:
    """A class whose methods and attributes had other names: AttributeError says which they have now."""

    if not TYPE_CHECKING:  # a type checker shall go on telling what isn't there

        def __getattr__(self, name: str) -> Any:
            """Called for what isn't there."""
            if name in METHODS and hasattr(self, METHODS[name]):
                raise AttributeError(str(is_now(name, METHODS[name])))
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def refuse_old_variables() -> None:
    """Raise HexdeckError for an environment variable under its earlier name."""
    for old, new in VARIABLES.items():
        if old in os.environ:
            raise HexdeckError(is_now(old, new))
