"""The file of a hunt: what it holds, and what is refused.

A file goes on only with the same game, plan, version and nets. It may hold more exploiters than are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import ACTIONS, length
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.number_words import count
from hexdeck.engine.text import _, say
from hexdeck.research.training.imitation import Watching
from hexdeck.research.training.kept_state import (
    BROKEN,
    check_arrays,
    check_facts,
    is_count,
    is_number,
    lists,
    read_state,
    row_of,
)
from hexdeck.research.training.learn import Batch

WATCHED = "inputs", "legal", "chosen", "labels"  # of a batch
PARTS = "flat", "scale", "mean", "square", "average", "best"  # of an exploiter


def read_hunt(path: Path, about: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The facts and arrays in a file; raises HexdeckError where it is none, or that of another run than `about`."""
    try:
        facts, arrays = read_state(path)
        check_facts(facts, {"about": lambda x: isinstance(x, dict), "exploiters": lists(lambda x: isinstance(x, dict))})
    except BROKEN:
        raise no_hunt(path) from None
    check_same(path, facts["about"], about)
    return facts, arrays


def no_hunt(path: Path) -> HexdeckError:
    """The error for a file that holds something else, or is damaged."""
    return HexdeckError(say("{file} is not a result of hexdeck exploit; choose another file.", file=str(path)))


def check_same(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise HexdeckError unless a file is of the run that is wanted."""
    other = next((key for key in wanted if found.get(key) != wanted[key]), None)
    if other == "code":
        text = _("{file} was begun by another version of hexdeck, whose bots may differ; use another file.")
        raise HexdeckError(say(text, file=str(path)))
    if other is not None:
        text = _("{file} holds another run (different {what}); choose another file for this one.")
        raise HexdeckError(say(text, file=str(path), what=other))


def check_enough(path: Path, watched: int, wanted: int) -> None:
    """Raise HexdeckError where a net learned already, from fewer choices than are wanted."""
    if watched < wanted:
        text = _("{file} holds a net that learned from {watched} choices; choose another file to watch {wanted}.")
        raise HexdeckError(say(text, file=str(path), watched=count(watched), wanted=count(wanted)))


def check_watched(facts: Mapping[str, Any], kept: Mapping[str, np.ndarray], watching: Watching) -> None:
    """Raise one of `BROKEN` unless what was watched can be learned from; so with the net that learned from it."""
    check_facts(facts, {"matches": is_count})
    rows = len(kept["chosen"])
    blank = Batch.empty(watching.sizes, rows)
    like = {name: getattr(blank, name) for name in WATCHED} | {"apart": np.zeros(rows, np.bool_)}
    check_arrays(kept, like)
    chosen = kept["chosen"].astype(np.int64)
    if rows and not (chosen.min() >= 0 and chosen.max() < watching.sizes[ACTIONS]):
        raise ValueError("chosen")
    if not kept["legal"][np.arange(rows), chosen].all():
        raise ValueError("legal")
    if "imitation" in facts:
        check_facts(facts, {"imitation": row_of(is_number, is_number, is_count), "asked": is_count})
        check_arrays(kept, {"imitation": np.zeros(int(length(watching.sizes)))})


def arrays_of(kept: Mapping[str, np.ndarray], k: int) -> dict[str, np.ndarray]:
    """The arrays of exploiter k in a file."""
    return {name: kept[f"{name}_{k}"] for name in PARTS}
