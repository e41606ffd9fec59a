"""What players thought of a match, for its designer: asked once it is over, where the host wants that."""

from dataclasses import asdict, dataclass, replace

from sqlalchemy import Connection, and_, delete, select, update

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text, _, say
from hexdeck.tables.database import feedback
from hexdeck.tables.entries import OVER, PERSON
from hexdeck.tables.errors import NotYours, TableError
from hexdeck.tables.live import LiveTable
from hexdeck.tables.player_names import one_line
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.rows import insert_if_absent

AGAIN = range(-1, 2)  # no, perhaps, yes
MOMENTS = "best", "drag", "lookup"  # the questions whose answer is a move
LONGEST = 400  # characters of an answer in words


@dataclass(frozen=True)
class Feedback:
    """The answers of a seat to questions about its match; None and "" where it gave none.

    `again`: whether they would play again, -1 no, 0 perhaps, 1 yes. By the plies of moves, `best`: the best moment,
    `drag`: where it dragged, `lookup`: where a rule had to be looked up. `confused`: what was looked up, or confused;
    `words`: anything else. `at`: when, in seconds since 1970.
    """

    seat: int
    again: int | None = None
    best: int | None = None
    drag: int | None = None
    lookup: int | None = None
    confused: str = ""
    words: str = ""
    at: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return replace(self, at=0.0) == Feedback(self.seat)


@dataclass(frozen=True)
class FeedbackMove:
    """A move of a match by its ply, and its deal, from 1: what a seat was told of it."""

    ply: int
    deal: int
    lines: tuple[Text, ...]


def moments(match: Match, seat: int) -> list[FeedbackMove]:
    """The moves of a match that a seat was told of."""
    out = []
    for ply, facts in enumerate(match.narration()):
        lines = tuple(fact.text for fact in facts if fact.heard_by(seat))
        if lines and match.event(ply).seat >= 0:
            match.go(ply)
            out.append(FeedbackMove(ply, int(match.struct.deal), lines))
    return out


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


async def give_feedback(registry: TableRegistry, id: str, answers: Feedback) -> None:
    """Store the answers of a seat in place of earlier ones; raises NotYours where it isn't asked, or TableError."""
    confused, remark = _clean(answers.confused), _clean(answers.words)
    async with registry.reading(id) as table:
        if not is_asked(table, answers.seat) or table.match is None:
            raise NotYours(say("There are no questions about this match."))
        moves = [ply for ply, (seat, _id) in enumerate(table.match.pairs) if seat >= 0]
        for name, allowed in (("again", AGAIN), *((name, moves) for name in MOMENTS)):
            if getattr(answers, name) not in (None, *allowed):
                raise TableError(say("That isn't one of the answers."))
        checked = replace(answers, confused=confused, words=remark, at=registry.clock())
        await registry.run_job(store_feedback, id, checked)


def _clean(text: str) -> str:
    clean = one_line(text)
    if len(clean) > LONGEST:
        text = _("That is too long: an answer has at most {most} characters.")
        raise TableError(say(text, most=LONGEST))
    return clean
