"""What a player said of a match."""

from __future__ import annotations

from typing import Protocol


class Said(Protocol):
    """What a seat said of a match, as a store of tables gives it: see `tables.storage.feedback.Feedback`."""

    @property
    def seat(self) -> int:
        """Who said it."""

    @property
    def fun(self) -> int | None:
        """How much fun it was, from 1 to 5."""

    @property
    def length(self) -> int | None:
        """-1 too short, 0 right, 1 too long."""

    @property
    def fair(self) -> int | None:
        """How fair it felt, from 1 to 5."""

    @property
    def confused(self) -> str:
        """One thing that confused."""

    @property
    def words(self) -> str:
        """Anything else."""

    @property
    def at(self) -> float:
        """When, in seconds since 1970."""
