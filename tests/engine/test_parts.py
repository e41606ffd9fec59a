"""The table of the contract: each part once, with a default that there is, and used by something."""

import re
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine import defaults
from hexdeck.engine.contract import COMPILED, MADE, NAMED, NEEDED, PARTS, PLAIN, TABLE, of_file
from hexdeck.engine.discovery.definition import DEFAULTS, GameDefinition, definition
from hexdeck.engine.discovery.finding import places
from tests.settings import GAMES, every_game

ROOT = Path(hexdeck.__file__).parent
CALLED = {"start", "apply_chance", "legal_actions", "apply_action", "returns", "observe", "illegal_reason"}


def test_a_name_is_in_the_table_once() -> None:
    assert len(NAMED) == len(PARTS) and {place for place, _count in TABLE.values()} == set(range(len(TABLE)))


@pytest.mark.parametrize("name", [part.name for part in PARTS if part.default in (PLAIN, MADE)])
def test_a_default_that_is_named_is_there_and_takes_what_the_part_takes(name: str) -> None:
    part = NAMED[name]
    found = getattr(defaults, name, None) or DEFAULTS[name.lower()]
    assert found.__doc__ and (part.default is MADE or found.__code__.co_argcount == len(part.arguments))


def test_every_part_is_used_outside_the_games() -> None:
    files = [file for file in ROOT.rglob("*.py") if "games" not in file.parts and file.name != "contract.py"]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for part in PARTS:
        asked = rf"\b{part.name}\b" if part.compiled else rf'\.{part.name}\b|"{part.name}"'
        assert re.search(asked, text), part.name


@every_game
def test_what_a_game_leaves_out_is_known(name: str) -> None:
    kept, fresh = definition(name), GameDefinition(places()[name])
    kept.load(), fresh.load()
    assert fresh.left_out == kept.left_out
    for part in PARTS:
        module = getattr(fresh, part.file)
        written = module is not None and module.__file__ and Path(module.__file__).is_file()
        own = written and re.search(rf"\b{part.name}\b", "\n".join(map(str, Path(module.__file__).read_text().split())))
        assert part.default is not NEEDED or part.name not in fresh.left_out
        assert own or module is None or part.name in fresh.left_out, part.name


def test_games_of_ours_leave_to_defaults_what_machine_code_calls() -> None:
    """So that what a stranger leaves out has machine code, too: test_library.py shows that it is there for all six."""
    left = {part.name for part in COMPILED for name in GAMES if part.name in definition(name).left_out}
    assert left == {"take_back", "surprises"}


def test_parts_without_which_nothing_can_be_played_are_needed() -> None:
    assert {part.name for part in COMPILED if part.file == "rules" and part.default is NEEDED} >= CALLED
    assert {"zones", "label"} == {part.name for part in of_file("table") if part.default is NEEDED}
