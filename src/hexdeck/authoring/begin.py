"""Write a small game to start from: two files that can be played at once, and a test."""

from __future__ import annotations

from pathlib import Path

from hexdeck.engine.discovery.finding import name_of, places
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say

TEMPLATE = Path(__file__).parent / "template"
NAME, TITLE = "goofspiel", "Goofspiel"  # of the template's game


def new_game(name: str, within: Path) -> Path:
    """Write a new game into a folder of its own and return the folder. Raises BadOption or HexdeckError."""
    name = name_of(name)
    module = name.replace("-", "_")
    if not module.isidentifier() or not module.isascii() or not module[0].isalpha():
        raise BadOption(say("A game's name is letters, digits and hyphens, not {name}.", name=repr(name)))
    if name in places():
        raise BadOption(say("There is already a game called {name}; choose another name.", name=name))
    folder = within / module
    try:
        folder.mkdir(parents=True)
        for file in ("rules.py", "table.py", "test_game.py"):
            text = (TEMPLATE / file).read_text(encoding="utf-8")
            text = text.replace(NAME, name).replace(TITLE, name.replace("-", " ").title())
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise HexdeckError(say("{folder} already exists; choose another name.", folder=str(folder))) from None
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=str(folder), why=error.strerror or "")) from None
    return folder
