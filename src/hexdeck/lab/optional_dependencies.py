"""Optional dependencies, which only the extras of the package install."""

from __future__ import annotations

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import _, say


def needs(extra: str, *modules: str) -> None:
    """Raise HexdeckError, which says what to install, if one of an extra's modules is missing."""
    from importlib.util import find_spec

    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        text = _("This needs more packages ({missing}); pip install '.[{extra}]' in Hexdeck's folder installs them.")
        raise HexdeckError(say(text, missing=", ".join(missing), extra=extra))
