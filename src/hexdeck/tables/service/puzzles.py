"""Answers to puzzles. The first answer of each browser counts, by the hash of its token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select

from hexdeck.tables.storage.schema import answers
from hexdeck.tables.storage.store import insert_if_absent


@dataclass(frozen=True)
class Answer:
    """What somebody answered: the name of an action, and whether it was the best move."""

    move: str
    solved: bool


@dataclass(frozen=True)
class Solved:
    """How many puzzles somebody solved of those they answered, and their answers to some of them, by the keys."""

    solved: int = 0
    total: int = 0
    answers: tuple[tuple[str, Answer], ...] = ()

    def get(self, puzzle: str) -> Answer | None:
        """The answer to one of them."""
        return dict(self.answers).get(puzzle)


def store_answer(connection: Connection, token: str, puzzle: str, answer: Answer, at: float) -> bool:
    """Store somebody's first answer to a puzzle; returns whether it was the first."""
    row: dict[str, Any] = {
        "token": token, "puzzle": puzzle, "move": answer.move, "solved": answer.solved, "at": at,
    }  # fmt: skip
    return insert_if_absent(connection, answers, row)


def solved_by(token: str, puzzles: Sequence[str]) -> Callable[[Connection], Solved]:
    """A job that finds what somebody solved, with their answers to these puzzles."""
    counted = select(answers.c.solved, func.count()).where(answers.c.token == token).group_by(answers.c.solved)
    wanted = select(answers).where(answers.c.token == token, answers.c.puzzle.in_(puzzles))

    def job(connection: Connection) -> Solved:
        counts = {bool(solved): int(n) for solved, n in connection.execute(counted)}
        given = tuple((row.puzzle, Answer(row.move, bool(row.solved))) for row in connection.execute(wanted))
        return Solved(counts.get(True, 0), sum(counts.values()), given)

    return job


def has_answers(connection: Connection, token: str) -> bool:
    """Whether a hashed token has answered any puzzle here."""
    return connection.execute(select(answers.c.puzzle).where(answers.c.token == token).limit(1)).first() is not None


def answers_of(connection: Connection, token: str) -> list[dict[str, Any]]:
    """All answers of a hashed token, the oldest first."""
    columns = [column for column in answers.c if column.name != "token"]
    wanted = select(*columns).where(answers.c.token == token).order_by(answers.c.at, answers.c.puzzle)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def copy_answers(connection: Connection, token: str, to: str) -> None:
    """Give somebody's answers to another token, too; its own count where it has answered the same puzzle."""
    for row in answers_of(connection, token):
        insert_if_absent(connection, answers, {**row, "token": to})


def erase_answers(connection: Connection, token: str) -> None:
    """Delete all answers of somebody."""
    connection.execute(delete(answers).where(answers.c.token == token))


def delete_answers_before(connection: Connection, at: float) -> None:
    """Delete answers that are too old."""
    connection.execute(delete(answers).where(answers.c.at < at))
