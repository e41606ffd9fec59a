"""Where unfinished and finished matches are kept on this computer."""

from __future__ import annotations

import time
from pathlib import Path

import platformdirs

from hexdeck.engine.errors import BadRecord
from hexdeck.engine.record import Record
from hexdeck.engine.text import say


def home() -> Path:
    """The folder of saved matches."""
    return Path(platformdirs.user_data_dir("hexdeck"))


def save_path(game: str) -> Path:
    """Where the unfinished match of a game is."""
    return home() / "unfinished" / f"{game}.json"


def keep(record: Record) -> Path:
    """Save an unfinished match; returns where."""
    path = save_path(record.game)
    record.save(path)
    return path


def finish(record: Record) -> Path:
    """Save a finished match among the others, and forget the unfinished one; returns where."""
    path = home() / "finished" / f"{record.game}-{time.strftime('%Y%m%d-%H%M%S')}.json"
    record.save(path)
    save_path(record.game).unlink(missing_ok=True)
    return path


def unfinished(game: str | None) -> Path:
    """The unfinished match of a game, or the newest of all; raises BadRecord when there is none."""
    if game is not None:
        found = [save_path(game)] if save_path(game).is_file() else []
    else:
        found = sorted((home() / "unfinished").glob("*.json"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise BadRecord(say("There is no unfinished match to go on with; start one with hexdeck play."))
    return found[-1]
