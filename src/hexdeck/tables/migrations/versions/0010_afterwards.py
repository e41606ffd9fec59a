"""After a match: what its players said of it, and which of their costly moves they tried again."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def of_seat(*columns: Any) -> tuple[Any, ...]:
    """The columns of a table that holds something for a seat."""
    table = sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)
    return table, sa.Column("seat", sa.Integer, primary_key=True), *columns


def upgrade() -> None:
    """Create their tables."""
    op.create_table(
        "feedback",
        *of_seat(
            sa.Column("fun", sa.Integer),
            sa.Column("length", sa.Integer),
            sa.Column("fair", sa.Integer),
            sa.Column("confused", sa.Text, nullable=False),
            sa.Column("words", sa.Text, nullable=False),
            sa.Column("at", sa.Float, nullable=False),
        ),
    )
    op.create_table(
        "attempts",
        *of_seat(sa.Column("ply", sa.Integer, primary_key=True), sa.Column("solved", sa.Boolean, nullable=False)),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("attempts")
    op.drop_table("feedback")
