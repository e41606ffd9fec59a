"""Checks of a batch's arguments: the number of environments and threads, the first match, the seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.engine.arguments import between, is_seed, shown, whole
from hexdeck.engine.errors import BadOption
from hexdeck.engine.random import DEAL_BITS
from hexdeck.engine.text import _, say

MOST = 1 << 20  # environments of a batch
LAST = (1 << (63 - DEAL_BITS)) - 1  # highest number of a match


def checked(envs: Any, threads: Any, first: Any) -> tuple[int, int, int]:
    """The numbers of environments and threads and of the first match, as ints; raises BadOption."""
    many, workers = between(envs, 1, MOST), whole(threads)
    if many is None or workers is None or workers < 1:
        text = _("A batch has 1 to {most} environments and at least one thread, not {envs} and {threads}.")
        raise BadOption(say(text, most=MOST, envs=shown(envs), threads=shown(threads)))
    return many, workers, check_first(first, many)


def check_first(first: Any, envs: int) -> int:
    """The number of the first match as an int; raises BadOption if some environment's would be out of range."""
    number = between(first, 0, LAST - envs)
    if number is None:
        text = _("Matches of {envs} environments begin with a number from 0 to {last}, not {first}.")
        raise BadOption(say(text, envs=envs, last=LAST - envs, first=shown(first)))
    return number


def check_seeds(seeds: Any, envs: int, *, some: bool = False) -> None:
    """Raise BadOption unless there is a seed for each environment; with `some`, None will do for an environment."""
    if (
        not isinstance(seeds, (Sequence, np.ndarray))
        or isinstance(seeds, (str, bytes))
        or getattr(seeds, "ndim", 1) == 0
    ):
        text = _("A seed is an integer or bytes, or a list of one for each environment, not {given}.")
        raise BadOption(say(text, given=shown(seeds)))
    if len(seeds) != envs:
        text = _("{seeds} seeds can't take {envs} environments; give one for all, or one for each.")
        raise BadOption(say(text, seeds=len(seeds), envs=envs))
    for seed in seeds:
        if not is_seed(seed) and not (some and seed is None):
            text = _("A seed is an integer or bytes, or a list of one for each environment, not {given}.")
            raise BadOption(say(text, given=shown(seed)))
