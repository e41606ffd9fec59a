"""Machine code is kept by the sources that it comes from: all of them, and no others."""

import os
import time
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.backends import cache, kernels
from hexdeck.engine.backends.cache import COMPILER, source_hash
from hexdeck.engine.backends.compiler import backend
from hexdeck.engine.contract import CALLS
from hexdeck.engine.play.game import owners_used
from tests.compiled import warm
from tests.settings import GAMES, every_game


def named(*modules: str) -> set[str]:
    root = Path(hexdeck.__file__).parent
    return {file.relative_to(root).as_posix() for file in cache.sources(*modules)}


def reached(module: str, found: set[str]) -> set[str]:
    """Modules whose functions are rebound for those of a module, as `Backend.space` does it."""
    if module not in found:
        found.add(module)
        for value in vars(import_module(module)).values():
            if isinstance(value, FunctionType) and value.__module__.startswith("hexdeck"):
                reached(value.__module__, found)
    return found


@every_game
def test_all_modules_whose_functions_are_compiled_are_among_the_sources(name: str) -> None:
    """Tests compile functions of their own, too; their modules import more than is compiled."""
    warm(name, "fast")
    ours = [each for each in owners_used("fast") if each[0].startswith("hexdeck.")]
    assert ours
    for owners in ours:
        used = set().union(*(reached(module, set()) for module in owners)) - {"hexdeck.engine.contract"}  # see below
        assert {str(import_module(module).__file__) for module in used} <= set(
            map(str, cache.sources(*owners, *COMPILER))
        )


def test_what_is_compiled_in_this_process_is_kept_in_the_folder_of_its_module() -> None:
    kernel = backend("fast").kernel(kernels.settle)
    assert Path(kernel._cache.cache_path) == cache.backend_folder((kernels.__name__,), "fast")


@pytest.mark.parametrize("what", ["machine", "processor"])
def test_another_processor_has_machine_code_of_its_own(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = source_hash(kernels.__name__)
    monkeypatch.setattr(cache.platform, what, lambda: "another")
    cache.processor.cache_clear(), source_hash.cache_clear()
    assert source_hash(kernels.__name__) != here
    monkeypatch.undo()
    cache.processor.cache_clear(), source_hash.cache_clear()
    assert source_hash(kernels.__name__) == here


def test_what_only_people_read_is_not_among_them() -> None:
    every = set().union(*(named(f"hexdeck.games.{game.replace('-', '_')}.rules", *COMPILER) for game in GAMES))
    assert {"engine/random.py", "engine/defaults.py", "games/high_handed/scoring.py"} <= every
    read = {"engine/play/coach.py", "engine/play/score.py", "engine/play/record.py", "games/high_handed/coach.py"}
    assert not {"engine/contract.py", *read} & every


def test_of_the_contract_only_what_machine_code_calls_decides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = source_hash(kernels.__name__)
    monkeypatch.setattr(cache, "CALLS", CALLS.replace("'s, seat, action'", "'s, seat, action, more'", 1))
    source_hash.cache_clear()
    assert source_hash(kernels.__name__) != kept
    source_hash.cache_clear()


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Edits one file of a few, on which another depends; tells the hash after that."""
    monkeypatch.setattr(
        cache, "module_file", lambda name: found if (found := tmp_path / f"{name}.py").exists() else None
    )
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "cache")

    def clear() -> None:
        for kept in (source_hash, cache.imported, cache.backend_folder):
            kept.cache_clear()

    def edit(name: str, text: str, age: float = 60) -> str:
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        os.utime(tmp_path / f"{name}.py", (then := cache.STARTED - age, then))
        clear()
        return source_hash("hexdeck.rules")

    yield edit
    clear()


def test_a_games_tests_decide_nothing_of_how_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Path] = []
    monkeypatch.setattr(cache, "_hash", lambda files, more="": hashed.extend(files))
    cache.package_hash.__wrapped__("hexdeck.games.hawthorn")
    names = [file.name for file in hashed]
    assert {"rules.py", "table.py"} < {*names} and not {"worlds.py", "test_rules.py"} & {*names}


def test_an_edit_in_what_is_imported_gives_another_hash_and_one_elsewhere_the_same(copied: Any) -> None:
    copied("hexdeck.lines", "VALUE = 1\n")
    copied("hexdeck.words", "VALUE = 1\n")
    before = copied("hexdeck.rules", "from hexdeck import (\n    lines,\n)\n")
    assert copied("hexdeck.words", "VALUE = 2\n") == before
    assert copied("hexdeck.lines", "VALUE = 2\n") != before
    assert copied("hexdeck.lines", "VALUE = 1\n") == before


def test_what_was_marked_is_ready_until_one_of_its_sources_is_edited(copied: Any) -> None:
    copied("hexdeck.kernels", "VALUE = 1\n")
    copied("hexdeck.rules", "VALUE = 1\n")
    assert not cache.ready(("hexdeck.rules",), "fast")
    cache.mark_ready(("hexdeck.rules",), "fast", [("hexdeck.kernels",)])
    assert cache.ready(("hexdeck.rules",), "fast") and not cache.ready(("hexdeck.rules",), "checked")
    copied("hexdeck.kernels", "VALUE = 2\n")
    assert not cache.ready(("hexdeck.rules",), "fast")
    cache.mark_ready(("hexdeck.rules",), "fast", [("hexdeck.kernels",)])  # as another checkout does
    assert cache.ready(("hexdeck.rules",), "fast")
    copied("hexdeck.kernels", "VALUE = 1\n")
    assert cache.ready(("hexdeck.rules",), "fast")


def test_what_is_compiled_after_an_edit_is_not_kept_as_that_of_the_new_sources(copied: Any, tmp_path: Path) -> None:
    copied("hexdeck.rules", "VALUE = 1\n")
    assert cache.backend_folder(("hexdeck.rules",), "fast").is_relative_to(tmp_path)
    copied("hexdeck.rules", "VALUE = 2\n", cache.STARTED - time.time())
    assert not cache.backend_folder(("hexdeck.rules",), "fast").is_relative_to(tmp_path)
