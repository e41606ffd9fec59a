"""Puzzles: which ones a browser's person has answered, and whether they found the best move."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create their table."""
    op.create_table(
        "answers",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("puzzle", sa.String(16), primary_key=True),
        sa.Column("move", sa.String(64), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("answers_at", "answers", ["at"])


def downgrade() -> None:
    """Delete it."""
    op.drop_table("answers")
