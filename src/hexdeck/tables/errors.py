"""What a live table refuses, each as one sentence and with the status that HTTP has for it."""

from hexdeck.engine.errors import HexdeckError


class TableError(HexdeckError):
    """The root of all that a table refuses."""

    status = 400


class NoTable(TableError):
    """No such table, seat, invitation or link (any more)."""

    status = 404


class NotYours(TableError):
    """Somebody else may do this, or see this, but not you."""

    status = 403


class Stale(TableError):
    """The table has moved on since, or is not at a point where this can be done."""

    status = 409


class TooMany(TableError):
    """A limit is reached."""

    status = 429


class Unavailable(TableError):
    """The tables can't be read or written at the moment."""

    status = 503


class BadStore(HexdeckError):
    """The place where tables are kept can't be used."""
