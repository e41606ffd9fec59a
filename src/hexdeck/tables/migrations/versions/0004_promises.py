"""Promises for new tables: the key of their secrets, and the tickets that were used; also stored analyses."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them."""
    op.create_table(
        "keys",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "tickets",
        sa.Column("ticket", sa.String(64), primary_key=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("tickets_until", "tickets", ["until"])
    op.create_table(
        "analyses",
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("found", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for name in ("analyses", "tickets", "keys"):
        op.drop_table(name)
