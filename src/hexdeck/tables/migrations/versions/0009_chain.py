"""Chains of hashes over the entries of tables, and their signed heads."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add their columns; tables that are there already stay without a chain."""
    op.add_column("events", sa.Column("link", sa.String(64), nullable=True))
    op.add_column("events", sa.Column("bound", sa.Text, nullable=True))
    op.add_column("tables", sa.Column("signed", sa.Text, nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("tables", "signed")
    op.drop_column("events", "bound")
    op.drop_column("events", "link")
