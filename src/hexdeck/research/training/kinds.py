"""Kinds of nets that can be trained: the arena that each learns in, and its learner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, VALUES
from hexdeck.research.training.arena import Arena, ValueArena
from hexdeck.research.training.deal_arena import DealArena
from hexdeck.research.training.learn import ImitationLearner, Learner, ValueLearner
from hexdeck.research.training.mimic_arena import MimicArena


@dataclass(frozen=True)
class Kind:
    """A kind of net.

    `temperature`: of the play that is learned from, by the plan's temperature and how much of the plan is done (0 to
    1). `magnetic`: whether it is held near to a magnet.
    """

    arena: type[Arena]
    learner: type[Learner]
    temperature: Callable[[float, float], float]
    magnetic: bool = False


KINDS = {
    DEALS: Kind(DealArena, ValueLearner, lambda _planned, _done: 0.0),
    MIMIC: Kind(MimicArena, ImitationLearner, lambda _planned, _done: 1.0),
    POLICY: Kind(Arena, Learner, lambda _planned, _done: 1.0, magnetic=True),
    VALUES: Kind(ValueArena, ValueLearner, lambda planned, done: planned * (1 - 0.95 * done)),
}
