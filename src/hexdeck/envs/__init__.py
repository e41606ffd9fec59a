"""The games as environments for PettingZoo, Gymnasium and OpenSpiel."""

from collections.abc import Iterator
from contextlib import contextmanager

from hexdeck.engine.text import _, say


@contextmanager
def needed() -> Iterator[None]:
    """Around imports of frameworks: ModuleNotFoundError says in a sentence how to get one that isn't there."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hexdeck"):
            raise
        text = _("This needs more packages ({missing}); pip install 'hexdeck[envs]' gets them.")
        raise ModuleNotFoundError(str(say(text, missing=str(error.name))), name=error.name) from None
