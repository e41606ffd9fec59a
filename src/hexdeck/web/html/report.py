"""A report of what went wrong, as text to copy or to keep: what somebody needs who looks for the cause, and no secret.

It tells of a match what its reader knows: the position and the log as they were told. Names, addresses, tokens and
cookies are left out; so is whatever looks like one in what the browser says.
"""

from __future__ import annotations

import json
import platform
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import hexdeck
from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.text import Text
from hexdeck.engine.view import View

LONGEST = 400  # letters of what a browser says of itself, or of a fault
SECRET = re.compile(r"(?:https?|blob|file):\S*|/(?:join|carry|table|replay|tables)/\S*|[\w-]{20,}")


NAMING = "name", "other"  # what names are called in the log


@dataclass(frozen=True)
class TableReport:
    """A table as a reader knows it: `version` and `view` are those of its seat, or the public's."""

    view: View
    options: dict[str, Any]
    struct_version: int
    version: int
    state: str


@dataclass(frozen=True)
class Reported:
    """What a report tells besides the table: what the page said, the browser's name, and the time, since 1970."""

    fault: str
    browser: str
    lang: str
    at: float


def report(said: Reported, table: TableReport | None, untold: str = "") -> str:
    """The report, in English for whoever mends it; `untold`: why the table can't be told of."""
    head = {
        "hexdeck": hexdeck.__version__,
        "Python": f"{platform.python_version()} on {platform.system()}",
        "browser": without_secrets(said.browser),
        "language": said.lang,
        "time": datetime.fromtimestamp(said.at, UTC).isoformat(timespec="seconds"),
        "fault": without_secrets(said.fault),
    }
    lines = [f"{name}: {value or 'not said'}" for name, value in head.items()]
    return "\n".join([*lines, *(table_lines(table) if table else [f"table: {untold or 'none'}"])]) + "\n"


def without_secrets(said: str) -> str:
    """What a browser said, on one line, without addresses and whatever is long enough to be a token."""
    plain = "".join(letter if letter.isprintable() else " " for letter in said[: 4 * LONGEST])
    return SECRET.sub("…", plain)[:LONGEST].strip()


def without_names(view: View) -> View:
    """A view without what people call themselves, which some lines of the log tell."""
    return replace(view, names=(), log=tuple(nameless(text) for text in view.log))


def nameless(text: Text) -> Text:
    """A line of the log without what people call themselves."""
    named = {key: "…" for key in NAMING if isinstance(text.args.get(key), str)}
    return replace(text, args={**text.args, **named}) if named else text


def table_lines(table: TableReport) -> list[str]:
    """The table in lines: what it is, the log and the position as the reader knows them, and both as data."""
    view = without_names(table.view)
    words = game_words(view.game, "en").words
    who = "no seat" if view.seat < 0 else f"seat {view.seat}"
    return [
        f"game: {view.game}, version {table.struct_version}, {view.players} players, {json.dumps(table.options)}",
        f"table: {table.state}, version {table.version}, ply {view.ply}, as {who} knows it",
        "", "The log:", *(f"  {words(text)}" for text in view.log),
        "", "The position:", *(f"  {line}" for line in view.text().splitlines()),
        "", "Both as data:", json.dumps(view.data(), ensure_ascii=False),
    ]  # fmt: skip
