"""Deals of the day, how matches ended, how bots fare with the cards of a day, and links that carry all seats."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them; matches that are over already stay without a result until somebody asks for it."""
    op.add_column("tables", sa.Column("day", sa.String(10), nullable=True))
    op.add_column("tables", sa.Column("result", sa.Text, nullable=True))
    op.create_index("tables_day", "tables", ["day"])
    op.create_table(
        "bundles",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False, unique=True),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "fields",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("game", sa.String(64), primary_key=True),
        sa.Column("level", sa.String(16), primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("fields")
    op.drop_table("bundles")
    op.drop_index("tables_day", "tables")
    op.drop_column("tables", "result")
    op.drop_column("tables", "day")
