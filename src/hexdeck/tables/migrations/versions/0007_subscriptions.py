"""Browsers that want to be told of a seat's turn."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create them."""
    op.create_table(
        "subscriptions",
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("public", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("site", sa.String(255), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
    )
    op.create_index("subscriptions_browser", "subscriptions", ["browser"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("subscriptions")
