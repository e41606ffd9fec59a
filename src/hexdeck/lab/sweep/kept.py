"""The effects of a sweep in a file, so that an interrupted one can go on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import _, say
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.runs.store import code_hash, refuse_other, write_atomically
from hexdeck.lab.sweep.measure import Effect, Shift
from hexdeck.stats import Estimate

FORMAT = 1


def manifest(setup: SimulationSetup, pairs: int, sample: int) -> dict[str, Any]:
    """Everything that decides the effects, as JSON."""
    game = setup.game
    return {
        "format": FORMAT, "code": code_hash(game), "game": game.name, "players": game.players,
        "options": dict(game.options), "bots": list(setup.seated), "seed": setup.seed, "pairs": pairs, "sample": sample,
    }  # fmt: skip


def save(path: Path, about: dict[str, Any], effects: Sequence[Effect]) -> None:
    """Write the effects and what decides them; atomically, and raises HexdeckError where that fails."""
    rows = [row_of(each) for each in effects]
    text = json.dumps({"sweep": about, "effects": rows}, ensure_ascii=False, indent=1, allow_nan=False)
    try:
        write_atomically(path, text.encode() + b"\n")
    except OSError as error:
        why = _("{file} can't be written: {why}.")
        raise HexdeckError(say(why, file=str(path), why=error.strerror or "")) from None


def row_of(effect: Effect) -> dict[str, Any]:
    """An effect as data."""
    return asdict(effect)


def effect_of(row: dict[str, Any]) -> Effect:
    """The effect of a row; raises TypeError or KeyError for anything else."""
    shifts = {name: Shift(each["before"], Estimate(**each["difference"])) for name, each in dict(row["shifts"]).items()}
    return Effect(**{**row, "shifts": shifts})


def load(path: Path, about: dict[str, Any]) -> list[Effect]:
    """The effects in a file, none if there is no file; raises HexdeckError for a file that holds something else."""
    if not path.exists():
        return []
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        there, effects = dict(held["sweep"]), [effect_of(row) for row in held["effects"]]
    except (OSError, ValueError, TypeError, KeyError):
        text = _("{file} holds no sweep, or was cut off; choose another file.")
        raise HexdeckError(say(text, file=str(path))) from None
    refuse_other(path, there, about, _("{file} holds another sweep (different {what}); choose another file."))
    return effects
