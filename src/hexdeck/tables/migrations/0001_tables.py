"""The schema of the first release: new databases are made from `database.py`, later migrations begin here."""

revision, down_revision = "0.1", None


def upgrade() -> None:
    """There is nothing older to bring up to date."""
