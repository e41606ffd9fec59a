"""Codes of a few letters that bring guests to a table."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create their table; a table that is there already gets its code when somebody asks for it."""
    op.create_table(
        "codes",
        sa.Column("code", sa.String(12), primary_key=True),
        sa.Column("table", sa.String(24), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("codes_table", "codes", ["table"], unique=True)


def downgrade() -> None:
    """Drop it."""
    op.drop_table("codes")
