"""Whose turn it is, in a table's row, so that lists need nothing but rows; an index to count unfinished tables."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both; for older rows it stays unknown until their table changes."""
    op.add_column("tables", sa.Column("acting", sa.Integer, nullable=True))
    op.create_index("tables_state", "tables", ["state"])


def downgrade() -> None:
    """Drop both."""
    op.drop_index("tables_state", "tables")
    op.drop_column("tables", "acting")
