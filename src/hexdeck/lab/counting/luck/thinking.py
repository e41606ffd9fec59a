"""What thinking twice as long brings: bots that play out so many games for a decision, one among others."""

from __future__ import annotations

from collections.abc import Callable

from hexdeck.lab.counting.skill import Duel, duel
from hexdeck.lab.log import SimulationSetup

GAMES = (8, 16, 32, 64)  # games played out for a decision, by the others; the one plays out twice as many


def study_thinking(setup: SimulationSetup, deals: int, progress: Callable[[int], None] | None = None) -> list[Duel]:
    """A duel for each doubling, on so many deals, each played once from every seat."""
    return [duel(setup, thinker(2 * games), thinker(games), deals, progress) for games in GAMES]


def thinker(games: int) -> str:
    """The bot that plays out so many games for a decision."""
    return f"rollout:house:{games}"
