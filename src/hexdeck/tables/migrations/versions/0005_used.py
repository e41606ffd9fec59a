"""Whether somebody has played at a table, in its row: those where nobody has are deleted early."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it; for older rows it stays unknown, and they are kept."""
    op.add_column("tables", sa.Column("used", sa.Boolean, nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("tables", "used")
