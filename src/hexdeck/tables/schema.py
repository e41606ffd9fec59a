"""The database schema: a row for each table; its events, holders and chat messages; links that carry seats; and more.

The rest: codes that bring guests to tables, analyses of matches that are over, how bots fare with the cards of a day,
answers to puzzles, browsers that want to be told of a turn, the keys of promises and of messages to browsers, and used
tickets.

New databases are made from it; `migrations` bring older ones up to date.
"""

from typing import Any

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text

REVISION = "0.1"  # the newest migration
UNFINISHED = ("waiting", "playing")  # states of a table whose match isn't over
metadata = MetaData()


def _table(name: str, *columns: Column[Any]) -> Table:
    return Table(name, metadata, *columns)


def _part(name: str, *columns: Column[Any], key: bool = True) -> Table:
    """A table whose rows belong to one of `tables`, and are deleted with it."""
    own = ForeignKey("tables.id", ondelete="CASCADE")
    return _table(name, Column("table", String(24), own, primary_key=key, nullable=False), *columns)


versions = _table("alembic_version", Column("version_num", String(32), primary_key=True))

tables = _table(
    "tables",
    Column("id", String(24), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("players", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("terms", Text, nullable=False),  # JSON: clock, who may watch, language, host
    Column("seats", Text, nullable=False),  # JSON
    Column("secret", LargeBinary, nullable=False),
    Column("invites", LargeBinary, nullable=False),  # the key of invitations
    Column("version", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("rules", Integer, nullable=False),  # version of the struct
    Column("struct", LargeBinary, nullable=True),
    Column("bots", Boolean, nullable=False),  # whether a bot of the server is to act
    Column("runner", String(24), nullable=False),  # the process that wrote last; it lets the bots think
    Column("due", Float, nullable=True),  # when the first clock runs out
    Column("rematch", String(24), nullable=True),
    Column("made", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("acting", Integer, nullable=False),  # a bit for each seat that may act
    Column("used", Boolean, nullable=False),  # whether a player has moved or joined
    Column("day", String(10), nullable=True),  # whose deal of the day it is
    Column("result", Text, nullable=True),  # JSON: how its match ended; none where its game can't say
)
Index("tables_changed", tables.c.changed)
Index("tables_state", tables.c.state)
Index("tables_due", tables.c.due)
Index("tables_day", tables.c.day)

events = _part(
    "events",
    Column("version", Integer, primary_key=True),  # together the compare-and-set
    Column("kind", String(16), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("event", Text, nullable=False),  # JSON: the events of the match, as records write them
    Column("facts", Text, nullable=False),  # JSON: the facts of each
    Column("at", Float, nullable=False),
)

holders = _table(
    "holders",
    Column("token", String(64), primary_key=True),  # hashed
    Column("table", String(24), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, nullable=False),
)
Index("holders_table", holders.c.table)

messages = _part(
    "messages",
    Column("number", Integer, primary_key=True),  # from 0; together the compare-and-set
    Column("seat", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("phrase", String(16), nullable=False),  # the id of a phrase, or empty
    Column("words", Text, nullable=False),
    Column("at", Float, nullable=False),
)

carries = _part(
    "carries",
    Column("token", String(64), primary_key=True),  # hashed
    Column("seat", Integer, nullable=False),
    Column("until", Float, nullable=False),
    key=False,
)
Index("carries_table", carries.c.table)

bundles = _table(
    "bundles",
    Column("token", String(64), primary_key=True),  # of a link that carries all seats of a browser, hashed
    Column("holder", String(64), nullable=False, unique=True),  # the token that holds them, hashed
    Column("until", Float, nullable=False),
)

fields = _table(
    "fields",
    Column("day", String(10), primary_key=True),
    Column("game", String(64), primary_key=True),
    Column("level", String(16), primary_key=True),  # of the bots that played its deal
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
)

codes = _part("codes", Column("code", String(12), primary_key=True), key=False)
Index("codes_table", codes.c.table, unique=True)

feedback = _part(
    "feedback",
    Column("seat", Integer, primary_key=True),
    Column("fun", Integer),  # 1 to 5
    Column("length", Integer),  # -1 too short, 0 right, 1 too long
    Column("fair", Integer),  # 1 to 5
    Column("confused", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("at", Float, nullable=False),
)

attempts = _part(
    "attempts",
    Column("seat", Integer, primary_key=True),
    Column("ply", Integer, primary_key=True),  # of a decision that cost something
    Column("solved", Boolean, nullable=False),
)

analyses = _part(
    "analyses",
    Column("seat", Integer, primary_key=True),
    Column("data", Text, nullable=False),  # JSON
)

answers = _table(
    "answers",
    Column("token", String(64), primary_key=True),  # of the browser that answered, hashed
    Column("puzzle", String(16), primary_key=True),  # its key
    Column("move", String(64), nullable=False),  # the name of an action
    Column("solved", Boolean, nullable=False),
    Column("at", Float, nullable=False),
)
Index("answers_at", answers.c.at)

subscriptions = _part(
    "subscriptions",
    Column("browser", String(64), primary_key=True),  # a hash of its endpoint
    Column("seat", Integer, nullable=False),
    Column("endpoint", Text, nullable=False),  # where messages for it go
    Column("public", LargeBinary, nullable=False),  # its key, for which they are encrypted
    Column("secret", LargeBinary, nullable=False),
    Column("site", String(255), nullable=False),  # where it was when it asked, or empty
    Column("made", Float, nullable=False),
    Column("told", Integer, nullable=False),  # the last turn that it was told of
)
Index("subscriptions_browser", subscriptions.c.browser)

keys = _table("keys", Column("name", String(16), primary_key=True), Column("value", LargeBinary, nullable=False))

tickets = _table(
    "tickets",
    Column("ticket", String(64), primary_key=True),  # of a promise that was used
    Column("until", Float, nullable=False),
)
Index("tickets_until", tickets.c.until)
