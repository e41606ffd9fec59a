"""Tables, their events, the holders of seats, and links that carry a seat to another device."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("invites", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("struct", sa.LargeBinary, nullable=True),
        sa.Column("bots", sa.Boolean, nullable=False),
        sa.Column("runner", sa.String(24), nullable=False),
        sa.Column("due", sa.Float, nullable=True),
        sa.Column("rematch", sa.String(24), nullable=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("tables_changed", "tables", ["changed"])
    op.create_index("tables_due", "tables", ["due"])
    op.create_index("tables_bots", "tables", ["bots", "changed"])
    _make_events()
    _make_holders()


def _make_events() -> None:
    op.create_table(
        "events",
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def _make_holders() -> None:
    op.create_table(
        "holders",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
    )
    op.create_index("holders_table", "holders", ["table"])
    op.create_table(
        "carries",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("carries_table", "carries", ["table"])


def downgrade() -> None:
    """Drop them."""
    for name in ("carries", "holders", "events", "tables"):
        op.drop_table(name)
