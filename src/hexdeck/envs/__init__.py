"""The games as environments for PettingZoo, Gymnasium and OpenSpiel."""

from collections.abc import Iterator
from contextlib import contextmanager

from hexdeck.engine.text import _, say


@contextmanager
def needed() -> Iterator[None]:
    """A context for imports of frameworks: ModuleNotFoundError says in one sentence how to install a missing one."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hexdeck"):
            raise
        text = _("This needs more packages ({missing}); pip install '.[envs]' in Hexdeck's folder installs them.")
        raise ModuleNotFoundError(str(say(text, missing=str(error.name))), name=error.name) from None
