"""What a live table refuses: each error is one sentence, with the HTTP status that fits it."""

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say


class TableError(HexdeckError):
    """The base of all refusals of a table."""

    status = 400


class NoTable(TableError):
    """There is no such table, seat, invitation or link (any more)."""

    status = 404


def no_table() -> NoTable:
    """The refusal where there is no such table."""
    return NoTable(say("This table doesn't exist (any more)."))


class NotYours(TableError):
    """Another seat, or the host, may do or see this, but not the caller."""

    status = 403


class Stale(TableError):
    """The table has changed since, or isn't in a state where this can be done."""

    status = 409


class TooMany(TableError):
    """A limit was reached."""

    status = 429


class Unavailable(TableError):
    """The tables can't be read or written at the moment."""

    status = 503


class GameMissing(TableError):
    """The table's game isn't there, doesn't work, or has other rules; the table goes on when the game is back."""

    status = 503


class BadStore(HexdeckError):
    """The database can't be used."""


class NotResumable(TableError):
    """A table that can't be resumed: its events no longer lead to where it was."""

    status = 410
