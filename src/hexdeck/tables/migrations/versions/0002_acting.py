"""Whose turn it is, in the row of a table: lists are made of rows alone. An index to count tables that go on."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both; of older rows it isn't known until their table changes."""
    op.add_column("tables", sa.Column("acting", sa.Integer, nullable=True))
    op.create_index("tables_state", "tables", ["state"])


def downgrade() -> None:
    """Remove both."""
    op.drop_index("tables_state", "tables")
    op.drop_column("tables", "acting")
