"""Alembic's entry point: runs the migrations on the connection that it is given."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
context.run_migrations()
