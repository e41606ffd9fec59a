"""The schema of the first release (`storage/schema.py` explains each column)."""

from typing import Any

from alembic import op
from sqlalchemy import Boolean, Column, Float, ForeignKey, Integer, LargeBinary, String, Text

revision = "0.1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables and their indexes."""
    create_tables()
    create_parts_of_tables()
    create_seats_on_other_devices()
    create_rest()


def part_of(name: str, *columns: Column[Any], key: bool = True) -> None:
    """Create a table whose rows belong to one of `tables`, and are deleted with it."""
    own = ForeignKey("tables.id", ondelete="CASCADE")
    op.create_table(name, Column("table", String(24), own, primary_key=key, nullable=False), *columns)


def create_tables() -> None:
    """Live tables."""
    op.create_table(
        "tables",
        Column("id", String(24), primary_key=True),
        Column("game", String(64), nullable=False),
        Column("players", Integer, nullable=False),
        Column("options", Text, nullable=False),
        Column("terms", Text, nullable=False),
        Column("seats", Text, nullable=False),
        Column("secret", LargeBinary, nullable=False),
        Column("invites", LargeBinary, nullable=False),
        Column("version", Integer, nullable=False),
        Column("state", String(16), nullable=False),
        Column("rules", Integer, nullable=False),
        Column("struct", LargeBinary),
        Column("bots", Boolean, nullable=False),
        Column("runner", String(24), nullable=False),
        Column("due", Float),
        Column("rematch", String(24)),
        Column("made", Float, nullable=False),
        Column("changed", Float, nullable=False),
        Column("acting", Integer, nullable=False),
        Column("used", Boolean, nullable=False),
        Column("day", String(10)),
        Column("result", Text),
    )
    for column in ("changed", "state", "due", "day"):
        op.create_index(f"tables_{column}", "tables", [column])


def create_parts_of_tables() -> None:
    """What belongs to a table: its entries, chat, feedback, analyses."""
    part_of(
        "events",
        Column("version", Integer, primary_key=True),
        Column("kind", String(16), nullable=False),
        Column("seat", Integer, nullable=False),
        Column("event", Text, nullable=False),
        Column("facts", Text, nullable=False),
        Column("at", Float, nullable=False),
    )
    part_of(
        "sayings",
        Column("number", Integer, primary_key=True),
        Column("seat", Integer, nullable=False),
        Column("name", String(64), nullable=False),
        Column("phrase", String(16), nullable=False),
        Column("words", Text, nullable=False),
        Column("at", Float, nullable=False),
    )
    part_of(
        "feedback",
        Column("seat", Integer, primary_key=True),
        Column("fun", Integer),
        Column("length", Integer),
        Column("fair", Integer),
        Column("confused", Text, nullable=False),
        Column("words", Text, nullable=False),
        Column("at", Float, nullable=False),
    )
    part_of(
        "attempts",
        Column("seat", Integer, primary_key=True),
        Column("ply", Integer, primary_key=True),
        Column("solved", Boolean, nullable=False),
    )
    part_of("analyses", Column("seat", Integer, primary_key=True), Column("data", Text, nullable=False))


def create_seats_on_other_devices() -> None:
    """Who holds seats, how guests and other devices come to them, and browsers that are told of turns."""
    part_of("holders", Column("token", String(64), primary_key=True), Column("seat", Integer, nullable=False))
    op.create_index("holders_table", "holders", ["table"])
    part_of(
        "carries",
        Column("token", String(64), primary_key=True),
        Column("seat", Integer, nullable=False),
        Column("until", Float, nullable=False),
        key=False,
    )
    op.create_index("carries_table", "carries", ["table"])
    op.create_table(
        "bundles",
        Column("token", String(64), primary_key=True),
        Column("holder", String(64), nullable=False, unique=True),
        Column("until", Float, nullable=False),
    )
    part_of("codes", Column("code", String(12), primary_key=True), key=False)
    op.create_index("codes_table", "codes", ["table"], unique=True)
    part_of(
        "subscriptions",
        Column("browser", String(64), primary_key=True),
        Column("seat", Integer, nullable=False),
        Column("endpoint", Text, nullable=False),
        Column("public", LargeBinary, nullable=False),
        Column("secret", LargeBinary, nullable=False),
        Column("site", String(255), nullable=False),
        Column("made", Float, nullable=False),
        Column("told", Integer, nullable=False),
    )
    op.create_index("subscriptions_browser", "subscriptions", ["browser"])


def create_rest() -> None:
    """Fields of daily deals, answers to puzzles, keys, and used tickets."""
    op.create_table(
        "fields",
        Column("day", String(10), primary_key=True),
        Column("game", String(64), primary_key=True),
        Column("level", String(16), primary_key=True),
        Column("games", Integer, nullable=False),
        Column("won", Integer, nullable=False),
    )
    op.create_table(
        "answers",
        Column("token", String(64), primary_key=True),
        Column("puzzle", String(16), primary_key=True),
        Column("move", String(64), nullable=False),
        Column("solved", Boolean, nullable=False),
        Column("at", Float, nullable=False),
    )
    op.create_index("answers_at", "answers", ["at"])
    op.create_table("keys", Column("name", String(16), primary_key=True), Column("value", LargeBinary, nullable=False))
    op.create_table("tickets", Column("ticket", String(64), primary_key=True), Column("until", Float, nullable=False))
    op.create_index("tickets_until", "tickets", ["until"])
