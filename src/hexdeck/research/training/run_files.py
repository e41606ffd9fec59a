"""The files of a training run: its whole state in one, and the curve for people.

The state is JSON under the name `facts`, and arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.files import write_atomically
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import _, say
from hexdeck.research.training.kept_state import BROKEN, read_state, state_bytes
from hexdeck.research.training.plan import Plan, is_sound

STATE, CURVE = "state.npz", "curve.csv"
TUPLES = "players", "hidden", "opponents"  # of a plan, which JSON has as lists


def write_run(folder: Path, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write the state whole or not at all, and its curve; the folder is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / STATE, state_bytes(facts, arrays))
    write_atomically(folder / CURVE, csv(facts["curve"]).encode())


def read_run(folder: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The facts and the arrays of the run in a folder; raises HexdeckError where there is none."""
    try:
        return read_state(folder / STATE)
    except FileNotFoundError:
        raise HexdeckError(say("There is no run of training in {folder}.", folder=str(folder))) from None
    except BROKEN:
        raise HexdeckError(say("The run of training in {folder} can't be read.", folder=str(folder))) from None


def plan_of(facts: Mapping[str, Any], folder: Path, changed: Mapping[str, Any]) -> Plan:
    """The plan of a run, with some of it changed; raises HexdeckError where this version can't go on with it."""
    try:
        kept = dict(facts["plan"])
        kept |= {key: tuple(kept[key]) for key in TUPLES}
        plan = Plan(**{**kept, **changed})
        fits = is_sound(plan) and facts["layout"] == plan.layout()
    except BROKEN:
        fits = False
    if not fits:
        raise other_version(folder)
    return plan


def other_version(folder: Path) -> HexdeckError:
    """The error for a run that this version can't go on with."""
    text = _("The run in {folder} was begun by another version of hexdeck, or it is damaged; start a new one.")
    return HexdeckError(say(text, folder=str(folder)))


def csv(rows: list[dict[str, float]]) -> str:
    """Rows of a curve as comma-separated values, with a header."""
    lines = [",".join(rows[0])] if rows else []
    return "".join(line + "\n" for line in [*lines, *(",".join(map(str, row.values())) for row in rows)])
