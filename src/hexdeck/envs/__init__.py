"""The games as environments for PettingZoo, Gymnasium and OpenSpiel."""

from collections.abc import Iterator
from contextlib import contextmanager

from hexdeck.engine.text import _, say


@contextmanager
def needed(extra: str = "envs") -> Iterator[None]:
    """A context for imports of an extra's packages: ModuleNotFoundError says how to install a missing one."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hexdeck"):
            raise
        text = _("This needs more packages ({missing}); pip install '.[{extra}]' in Hexdeck's folder installs them.")
        raise ModuleNotFoundError(str(say(text, missing=str(error.name), extra=extra)), name=error.name) from None
