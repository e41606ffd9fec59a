"""What players thought of a match, for its designer: asked once it is over, where the host allows it."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, and_, delete, select, update

from hexdeck.engine.text import _, say
from hexdeck.tables.database import feedback
from hexdeck.tables.entries import OVER, PERSON
from hexdeck.tables.errors import NotYours, TableError
from hexdeck.tables.live import LiveTable
from hexdeck.tables.names import one_line
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.rows import insert_if_absent

GRADES = range(1, 6)  # of fun and fairness
LENGTHS = (-1, 0, 1)  # too short, right, too long
LONGEST = 400  # characters of an answer in words


@dataclass(frozen=True)
class Feedback:
    """The answers of a seat to questions about its match; None and "" where it gave none.

    `fun` and `fair`: from 1 (not at all) to 5 (very). `length`: -1 too short, 0 right, 1 too long. `confused`: one
    thing that confused; `words`: anything else. `at`: when, in seconds since 1970.
    """

    seat: int
    fun: int | None = None
    length: int | None = None
    fair: int | None = None
    confused: str = ""
    words: str = ""
    at: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return (self.fun, self.length, self.fair, self.confused, self.words) == (None, None, None, "", "")


def store_feedback(connection: Connection, table: str, answers: Feedback) -> None:
    """Store the answers of a seat in place of earlier ones; none are stored where all are empty."""
    row, of_seat = {"table": table, **asdict(answers)}, and_(feedback.c.table == table, feedback.c.seat == answers.seat)
    if answers.is_empty:
        connection.execute(delete(feedback).where(of_seat))
    elif not insert_if_absent(connection, feedback, row):
        connection.execute(update(feedback).where(of_seat).values(row))


def feedback_of(connection: Connection, table: str) -> tuple[Feedback, ...]:
    """The answers about a table's match, by seat."""
    columns = (column for column in feedback.c if column.name != "table")
    query = select(*columns).where(feedback.c.table == table).order_by(feedback.c.seat)
    return tuple(Feedback(**row) for row in connection.execute(query).mappings())


def is_asked(table: LiveTable, seat: int) -> bool:
    """Whether a seat is asked: a person's, at a table whose match is over and whose host lets us ask."""
    return table.state == OVER and table.terms.feedback and seat >= 0 and table.seats[seat].kind == PERSON


async def feedback_from(registry: TableRegistry, id: str, seat: int) -> Feedback:
    """The answers that a seat has given already; empty if none."""
    answers = await registry.run_job(feedback_of, id)
    return next((answer for answer in answers if answer.seat == seat), Feedback(seat))


async def give_feedback(registry: TableRegistry, id: str, answers: Feedback) -> None:
    """Store the answers of a seat in place of earlier ones; raises NotYours where it isn't asked, or TableError."""
    checked = Feedback(
        answers.seat,
        _one_of(answers.fun, GRADES),
        _one_of(answers.length, LENGTHS),
        _one_of(answers.fair, GRADES),
        _clean(answers.confused),
        _clean(answers.words),
        registry.clock(),
    )
    async with registry.reading(id) as table:
        if not is_asked(table, answers.seat):
            raise NotYours(say("Nobody asks about this match."))
        await registry.run_job(store_feedback, id, checked)


def _one_of(answer: int | None, allowed: range | tuple[int, ...]) -> int | None:
    if answer is not None and answer not in allowed:
        raise TableError(say("That isn't one of the answers."))
    return answer


def _clean(text: str) -> str:
    clean = one_line(text)
    if len(clean) > LONGEST:
        text = _("That is too long: an answer has at most {most} characters.")
        raise TableError(say(text, most=LONGEST))
    return clean
