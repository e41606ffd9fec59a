"""Where unfinished and finished matches are saved on this computer."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import platformdirs

from hexdeck.engine.errors import BadRecord
from hexdeck.engine.text import say


def home() -> Path:
    """The folder of saved matches."""
    return Path(platformdirs.user_data_dir("hexdeck"))


def new_path(kind: str, game: str) -> Path:
    """A new file for an `unfinished` or `finished` match of a game; no match replaces another."""
    stem = f"{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    names = itertools.chain([stem], (f"{stem}-{k}" for k in itertools.count(2)))
    return next(path for name in names if not (path := home() / kind / f"{name}.json").exists())


def forget(path: Path) -> None:
    """Delete the save of an unfinished match that is finished now, if it is one of ours."""
    if path.parent == home() / "unfinished":
        path.unlink(missing_ok=True)


def unfinished(game: str | None) -> Path:
    """The newest unfinished match of a game, or of all; raises BadRecord when there is none."""
    found = (home() / "unfinished").glob(f"{game}-[0-9]*.json" if game else "*.json")
    newest = max(found, key=lambda path: path.stat().st_mtime_ns, default=None)
    if newest is None:
        raise BadRecord(say("There is no unfinished match to resume; start one with hexdeck play."))
    return newest
