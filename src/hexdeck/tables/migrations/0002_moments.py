"""Answers after a match name moments of it, and whether one would play again, instead of grades."""

from alembic import op
from sqlalchemy import Column, Integer

revision, down_revision = "0.2", "0.1"


def upgrade() -> None:
    """Answers in words stay."""
    op.execute("DELETE FROM feedback WHERE confused = '' AND words = ''")
    for name in ("fun", "length", "fair"):
        op.drop_column("feedback", name)
    for name in ("again", "best", "drag", "lookup"):
        op.add_column("feedback", Column(name, Integer))
