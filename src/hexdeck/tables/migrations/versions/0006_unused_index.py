"""An index that no query used: each change of a table had to keep it in order."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop it."""
    op.drop_index("tables_bots", "tables", if_exists=True)


def downgrade() -> None:
    """Create it again."""
    op.create_index("tables_bots", "tables", ["bots", "changed"])
