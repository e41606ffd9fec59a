"""The schema of the first release: new databases are made from `storage/schema.py`, later migrations begin here."""

revision = "0.1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """There is nothing older to bring up to date."""
