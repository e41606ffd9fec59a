"""Machine code made ahead of time: what is stale, damaged or can't be made leaves play as it was, with a sentence."""

import ctypes
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature as signature_of
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numba.core.errors import TypingError

import hexdeck
from hexdeck.engine.backends import build, cache, kernels, library, library_files, notices, package, sources
from hexdeck.engine.backends.signatures import entries, signature
from hexdeck.engine.play import driver as driving
from hexdeck.engine.play.driver import compiled_kernel
from hexdeck.envs import kernels as small
from hexdeck.simulation.warm import GENERIC, OTHERS
from tests.compiled import warm
from tests.settings import GAMES, every_game

SMALL = (small.__name__,)  # a module that is soon built
COMMAND = [sys.executable, "-m", "hexdeck.engine.backends.build", *SMALL]


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache of libraries, here and for builders; nothing is remembered of another one."""
    monkeypatch.setenv("HEXDECK_CACHE", str(tmp_path))
    monkeypatch.setattr(library_files, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(notices, "TOLD", set())
    for kept in (library_files.found, library_files.complete, library.loaded):
        kept.cache_clear()
    yield tmp_path / "libraries"
    for kept in (library_files.found, library_files.complete, library.loaded):
        kept.cache_clear()


def now_found() -> Path | None:
    """The library of a small module, looked for now."""
    library_files.found.cache_clear()
    return library_files.found(SMALL)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of a small module, built once for all that look at it."""
    folder = tmp_path_factory.mktemp("built")
    with subprocess.Popen(COMMAND, env=os.environ | {"HEXDECK_CACHE": str(folder)}, stdin=subprocess.PIPE) as builder:
        assert builder.wait() == 0
    return next((folder / "libraries").glob(f"*{library_files.SUFFIX}"))


@pytest.fixture
def built(once: Path, empty: Path) -> Path:
    """A copy of it in a cache of one's own."""
    empty.mkdir()
    file = empty / once.name
    file.write_bytes(once.read_bytes())
    return file


@pytest.fixture
def unbuildable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Numba isn't installed."""
    for module in (build, driving):
        monkeypatch.setattr(module, "can_build", lambda: False)
    driving.driver.cache_clear(), driving.compiled_kernel.cache_clear()
    yield
    driving.driver.cache_clear(), driving.compiled_kernel.cache_clear()


# --- what is there ----------------------------------------------------------------------------------------------------
@every_game
def test_nothing_loads_numba_where_libraries_are_there(name: str) -> None:
    warm(name, "fast")
    code = f"""
import sys, hexdeck
game = hexdeck.game({name!r})
game.simulate(20, 'house', seed=1), game.batch(2).close()
match = game.match(seed=1)
match.view(match.actor), match.key(match.actor), match.resample(match.actor, 1)
assert 'numba' not in sys.modules"""
    environment = os.environ | {"HEXDECK_BACKEND": "fast"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_every_kernel_that_python_calls_is_compiled_ahead_of_time() -> None:
    for module in map(import_module, package.kernel_modules()):
        taken = {name for each in entries(module) for name in signature_of(getattr(module, each)).parameters}
        assert set(vars(module).get("TYPES", {})) <= taken, "a parameter has another name by now"
        assert all("::1]" in signature(getattr(module, name)) for name in entries(module))
    named = {"play", "simulate", "choose_row", "list_legal", "random_games", "row_key"}
    assert named <= set(entries(kernels))
    assert len(package.game_modules()) == len(GAMES)


def test_another_kind_of_processor_has_libraries_of_its_own() -> None:
    assert len({sources.library_hash(kind, *SMALL) for kind in ("x86-64-v3", "aarch64", sources.processor())}) == 3


@pytest.mark.parametrize(("given", "why"), [
    ((), "observe_with_mask takes 6 arguments"),
    ((1, 2, 3, 4, 5, 6), "argument 1 of observe_with_mask is an array of int64 in 1 dimension"),
    (("g", "rows", "x", "actions", "seen", "seen"), "int"),
    (("g", "rows", 0, "seen", "seen", "seen"), "argument 4 of observe_with_mask is an array of int16"),
    (("g", "g", 0, "actions", "seen", "seen"), "argument 2 of observe_with_mask is an array of uint8 in 2 dimensions"),
    (("g", "turned", 0, "actions", "seen", "seen"), "row after row"),
    (("g", "rows", 0, "list", "seen", "seen"), "argument 4"),
])  # fmt: skip
def test_a_kernel_refuses_what_it_doesn_t_take(given: tuple[Any, ...], why: str) -> None:
    rows = np.zeros((4, 64), np.uint8)
    arrays = {"g": np.zeros(15, np.int64), "rows": rows, "turned": rows.T, "actions": np.zeros(9, np.int16),
              "seen": np.zeros(9, np.int8), "list": [1, 2]}  # fmt: skip
    kernel = compiled_kernel("fast", small.observe_with_mask)
    with pytest.raises(TypeError, match=why):
        kernel(*(arrays.get(each, each) if isinstance(each, str) else each for each in given))


# --- what isn't as it should be ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("damage", [b"", b"\x7fELF", b"nothing of the kind" * 1000])
def test_a_damaged_library_is_built_anew(damage: bytes, built: Path) -> None:
    whole = built.read_bytes()
    built.write_bytes(damage or whole[:-1])
    assert now_found() is None
    assert library.loaded(SMALL) is not None
    assert now_found() == built and built.read_bytes() == whole


def test_a_library_of_another_machine_isn_t_taken(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert now_found() == built
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(library_files, "processor", lambda: "another")
        assert now_found() is None
    monkeypatch.setattr(sources, "layout", lambda: "another version of Python")
    sources.library_hash.cache_clear()
    assert now_found() is None
    monkeypatch.undo()
    sources.library_hash.cache_clear()


def test_two_builds_at_once_are_one(empty: Path) -> None:
    with (
        subprocess.Popen(COMMAND, stdin=subprocess.PIPE) as one,
        subprocess.Popen(COMMAND, stdin=subprocess.PIPE) as two,
    ):
        assert one.wait() == two.wait() == 0
    assert len(list(empty.glob(f"*{library_files.SUFFIX}"))) == 1 and not list(empty.glob(f"{build.UNFINISHED}*"))


def test_what_is_missing_is_made_in_order_two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, both = list[Any](), threading.Barrier(2)

    def loaded(owners: Any) -> None:
        begun.append(owners)
        if len(begun) <= 2:
            both.wait(10)

    monkeypatch.setattr(library, "loaded", loaded)
    wanted = [(module,) for module in (GENERIC, *OTHERS)]
    library.load_together(wanted)
    assert set(begun[:2]) == set(wanted[:2]) and sorted(begun) == sorted(wanted)
    assert {module for (module,) in wanted} <= set(package.kernel_modules())


def test_a_build_ends_with_who_asked_for_it_and_the_next_one_clears_up(empty: Path) -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE) as builder:
        while not list(empty.glob(f"{build.UNFINISHED}*")):
            time.sleep(0.01)
            assert builder.poll() is None
        assert builder.stdin is not None
        builder.stdin.close()
        assert builder.wait(10) == 1
    assert list(empty.glob(f"{build.UNFINISHED}*")) and now_found() is None
    assert library.loaded(SMALL) is not None and not list(empty.glob(f"{build.UNFINISHED}*"))


@pytest.mark.parametrize(("linker", "why"), [("false", "false ended with 1"), ("no-such-linker", "no-such-linker")])
def test_where_linking_fails_that_is_said_once_and_code_is_made_anew(
    linker: str, why: str, empty: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", linker)
    assert library.loaded(SMALL) is None and library.loaded(SMALL) is None
    said = [line for line in capfd.readouterr().err.splitlines() if "Compiling;" not in line]
    assert (
        len(said) == 1 and said[0].startswith("hexdeck: Machine code can't be built ahead of time") and why in said[0]
    )
    assert not list(empty.glob(f"*{library_files.SUFFIX}"))


@pytest.fixture
def linked_by(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., list[str]]:
    """Builds libraries, here and of nothing, with a linker that is a script of the shell; gives what is said."""

    def built(owners: tuple[str, ...]) -> tuple[str, int]:
        monkeypatch.setattr(sys, "argv", ["build", *owners])
        ended = build.main()
        return capsys.readouterr().err.strip().splitlines()[-1], ended

    def linked(script: str, *modules: str) -> list[str]:
        cc = tmp_path / "cc"
        cc.write_text(f"#!/bin/sh\n{script}\n")
        cc.chmod(0o755)
        monkeypatch.setenv("CC", str(cc))
        said = []
        for module in modules or SMALL:
            assert not build.build((module,))
            said += capsys.readouterr().err.splitlines()
        return said

    monkeypatch.setattr("hexdeck.engine.backends.ahead.objects", lambda _owners, _cpu: [b"code"])
    monkeypatch.setattr(build, "end_with_caller", lambda: None)
    monkeypatch.setattr(build, "built", built)
    return linked


FULL_DISK = """echo "/usr/bin/ld: final link failed: No space left on device" >&2
echo "collect2: error: ld returned 1 exit status" >&2; exit 1"""
NO_MEMORY = 'echo "collect2: fatal error: ld terminated with signal 9 [Killed]" >&2; exit 1'
NO_MATHS = """echo "/usr/bin/ld: warning: $3 is old" >&2; echo "/usr/bin/ld: cannot find -lm: No such file" >&2
echo "collect2: error: ld returned 1 exit status" >&2; exit 1"""


@pytest.mark.parametrize(("script", "why", "kept"), [
    (FULL_DISK, "saved (No space left on device); it is", False),
    (NO_MEMORY, "ahead of time (collect2: fatal error: ld terminated with signal 9 [Killed]);", False),
    ("kill -9 $$", "ahead of time (cc ended with -9);", False),
    (NO_MATHS, "ahead of time (ld: cannot find -lm: No such file);", True),
])  # fmt: skip
def test_why_linking_failed_is_said_and_remembered_unless_it_may_be_otherwise_by_next_time(
    script: str, why: str, kept: bool, linked_by: Callable[..., list[str]]
) -> None:
    said = linked_by(script)
    assert len(said) == 1 and why in said[0] and build.failure(SMALL).exists() == kept


def test_a_library_that_finds_no_room_is_not_a_broken_linker(
    linked_by: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=0))
    assert "saved (No space left on device)" in linked_by("kill -BUS $$")[0] and not build.failure(SMALL).exists()


def test_a_linker_that_fails_at_several_libraries_is_told_of_once_without_folders(
    linked_by: Callable[..., list[str]],
) -> None:
    (said,) = linked_by('echo "/usr/bin/ld: error: cannot write $3" >&2; exit 1', *SMALL, kernels.__name__, GENERIC)
    assert said.endswith("can't be built ahead of time (ld: error: cannot write whole.so); each start takes longer.")


def test_a_linker_that_hangs_is_left(linked_by: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "LONGEST", 0.2)
    assert "(cc took longer than 0.2 seconds)" in linked_by("exec sleep 60")[0]


def test_a_failure_that_another_numba_may_not_have_is_tried_again(
    linked_by: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    linked_by("exit 1")
    assert build.why_not(SMALL) == "cc ended with 1"
    monkeypatch.setattr(build, "version", lambda _name: "another")
    assert build.why_not(SMALL) == ""


def test_only_what_numba_says_of_the_sources_is_remembered(
    linked_by: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, why, kept in (MemoryError(), "MemoryError", False), (TypingError("no gt"), "no gt", True):
        monkeypatch.setattr("hexdeck.engine.backends.ahead.objects", Mock(side_effect=error))
        notices.TOLD.clear()
        assert f"({why})" in linked_by("exit 0")[0] and build.failure(SMALL).exists() == kept


def test_without_a_linker_nothing_is_compiled_in_vain(
    empty: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(build.shutil, "which", lambda _name: None)
    monkeypatch.setattr(build, "find_spec", lambda name: name == "numba" or None)
    monkeypatch.setattr(build, "built", lambda _owners: pytest.fail("a builder was started"))
    assert library.loaded(SMALL) is None and empty.parent.is_dir()
    assert "there is no linker" in capfd.readouterr().err


def test_a_build_that_failed_is_not_tried_at_each_start_but_with_another_linker(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def built(owners: tuple[str, ...]) -> tuple[str, int]:
        tried.append(os.environ["CC"])
        return "no", build.remembered(owners, "no", build.NO_LINKER)

    monkeypatch.setattr(build, "built", built)
    empty.mkdir()
    for linker in ("one", "one", "other", "other"):
        monkeypatch.setenv("CC", linker)
        assert not build.build(SMALL)
    assert tried == ["one", "other"] and build.why_not(SMALL) == "no"
    os.utime(build.failure(SMALL), (1, 1))
    assert build.why_not(SMALL) == ""


@pytest.mark.usefixtures("empty")
def test_a_build_of_sources_that_were_edited_meanwhile_is_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "edited", lambda *_owners: True)
    monkeypatch.setattr(build, "link", lambda _objects, made: made.write_bytes(b"code"))
    monkeypatch.setattr("hexdeck.engine.backends.ahead.objects", lambda _owners, _cpu: [b"code"])
    with pytest.raises(InterruptedError, match="edited meanwhile"):
        build.build_into(tmp_path, "key", SMALL, "host")
    assert not list(tmp_path.glob(f"*{library_files.SUFFIX}"))


@pytest.mark.usefixtures("unbuildable")
def test_a_library_that_cannot_be_loaded_leaves_play_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "complete", lambda _owners: True)
    monkeypatch.setattr(library, "loaded", lambda _owners: None)
    assert hexdeck.game("cursed-hand").driver("fast").backend == "interpreted"


def test_a_library_that_cannot_be_loaded_is_told_of_once(empty: Path, capfd: pytest.CaptureFixture[str]) -> None:
    empty.mkdir()
    for owners in (SMALL, (kernels.__name__,)):
        folder, key = library_files.cached(owners)
        (folder / f"{key}.{library_files.checksum(b'no library')}{library_files.SUFFIX}").write_bytes(b"no library")
        assert library.loaded(owners) is None
    said = capfd.readouterr().err
    assert said.startswith(f"hexdeck: Machine code in {empty} can't be loaded (") and said.count("\n") == 1


def test_a_library_without_all_functions_of_a_game_is_not_used(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as found:
        found.setattr(library, "loaded", lambda _owners: ctypes.CDLL(str(built)))
        assert library.table(SMALL) is None


def test_a_game_whose_library_is_gone_is_not_compiled(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    definition = hexdeck.game("cursed-hand").definition
    monkeypatch.setattr(driving, "ready", lambda _owners, _backend: True)
    monkeypatch.setattr(driving, "begun", lambda _owners, _backend: False)
    assert not driving.is_compiled(definition, "fast")
    monkeypatch.setattr(library, "is_there", lambda _owners: True)
    assert driving.is_compiled(definition, "fast") and empty.parent.is_dir()


def test_a_game_whose_library_cannot_be_loaded_is_compiled_only_once_numba_kept_it(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hexdeck.game("cursed-hand").definition
    folder, key = library_files.cached(game.owners)
    folder.mkdir(exist_ok=True)
    (folder / f"{key}.{library_files.checksum(b'no library')}{library_files.SUFFIX}").write_bytes(b"no library")
    assert library_files.found(game.owners) and not library.is_there(game.owners)
    monkeypatch.setattr(driving, "ready", lambda _owners, _backend: True)
    monkeypatch.setattr(cache, "cache_folder", lambda: empty.parent)
    assert not driving.is_compiled(game, "fast")
    kept = cache.kept_folder(game.owners, "fast")
    kept.mkdir(parents=True)
    (kept / "a_function.nbi").touch()
    assert driving.is_compiled(game, "fast")


def test_whoever_is_killed_takes_along_what_compiles_for_it(tmp_path: Path) -> None:
    code = """
import os, signal, time
from hexdeck.cli.keep.compile import compiling
begun = compiling(["hawthorn"])
print(begun.pid, flush=True)
time.sleep(float(os.environ["WAIT"]))
os.kill(os.getpid(), signal.SIGKILL)"""
    given = os.environ | {"HEXDECK_CACHE": str(tmp_path), "HEXDECK_BACKEND": "fast", "WAIT": "3"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=given)
    number, end = int(ran.stdout), time.monotonic() + 20
    while Path(f"/proc/{number}").exists():
        assert time.monotonic() < end, "it goes on"
        time.sleep(0.05)


def test_a_folder_that_others_may_write_to_holds_no_code(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)
    code = "from hexdeck.engine.backends.cache import cache_folder; print(cache_folder())"
    environment = os.environ | {"HEXDECK_CACHE": str(folder)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert ran.stderr.startswith("hexdeck: Others may write to ") and ran.stdout.strip() != str(folder)


def test_a_library_is_built_where_it_is_looked_for_though_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = f"""
from hexdeck.engine.backends import library
from hexdeck.engine.backends.cache import cache_folder
assert library.loaded(({small.__name__!r},)) is not None
print(cache_folder())"""
    environment = os.environ | {"HEXDECK_CACHE": str(tmp_path / "file" / "cache")}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    said = [line for line in ran.stderr.splitlines() if "Compiling;" not in line]
    assert len(said) == 1 and said[0].startswith("hexdeck: Nothing can be written to ")
    assert not Path(ran.stdout.strip()).exists()


@pytest.fixture
def unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache in which nothing can be written."""
    writable, kept = cache.writable, (cache.read_only, cache.cache_folder, cache.backend_folder)
    monkeypatch.setattr(cache, "writable", lambda folder: not folder.is_relative_to(tmp_path) and writable(folder))
    for each in kept:
        each.cache_clear()
    yield tmp_path
    for each in kept:
        each.cache_clear()


def test_a_library_in_a_cache_that_can_only_be_read_is_used(
    built: Path, unwritable: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(library_files, "cache_folder", cache.cache_folder)
    assert now_found() == built and library.loaded(SMALL) is not None
    assert capfd.readouterr().err == ""
    built.unlink()
    assert now_found() is None and not library_files.cached(SMALL)[0].is_relative_to(unwritable)
    assert f"Nothing can be written to {unwritable}" in capfd.readouterr().err


@pytest.mark.usefixtures("empty")
def test_of_a_cache_that_can_only_be_read_all_is_read_and_what_is_new_lies_elsewhere(
    unwritable: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = unwritable / sources.source_hash(*SMALL) / "checked"
    folder.mkdir(parents=True)
    (folder / "kept").write_text("code")
    (folder / cache.COMPLETE).write_text(cache.listing(SMALL))
    assert cache.ready(SMALL, "checked") and not cache.ready((kernels.__name__,), "checked")
    used = cache.backend_folder(SMALL, "checked")
    assert (used / "kept").read_text() == "code" and not used.is_relative_to(unwritable)
    (used / "new").write_text("code")
    assert not (folder / "new").exists()
    assert capfd.readouterr().err.count("Nothing can be written to") == 1  # of the other module, which isn't there


def test_where_nothing_can_be_written_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = "from hexdeck.engine.backends.cache import cache_folder; print(cache_folder(), cache_folder())"
    environment = os.environ | {"HEXDECK_CACHE": str(tmp_path / "file" / "cache")}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert ran.stderr.startswith("hexdeck: Nothing can be written to ") and ran.stderr.count("\n") == 1


def test_on_a_full_disk_code_is_made_anew_and_that_is_said_once(tmp_path: Path) -> None:
    """No file may grow beyond 2,000 bytes, as if there were no room for more; builders inherit that."""
    code = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
from hexdeck.engine.backends import library
from hexdeck.envs import kernels
assert library.loaded((kernels.__name__,)) is None
from hexdeck.engine.backends.compiler import backend
from hexdeck.engine.backends.signatures import signature
assert backend("fast").kernel(kernels.observe_with_mask).compile(signature(kernels.observe_with_mask))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env=os.environ | {"HEXDECK_CACHE": str(tmp_path), "HEXDECK_BACKEND": "fast"},
    )  # fmt: skip
    said = [line for line in ran.stderr.splitlines() if "Compiling;" not in line]
    told = ["hexdeck: Machine code can't be saved (File too large); it is compiled again each time."]
    assert (ran.returncode, said) == (0, told), ran.stderr
    assert not list(tmp_path.glob(f"libraries/*{library_files.SUFFIX}"))


@pytest.mark.usefixtures("empty", "unbuildable")
def test_without_libraries_and_without_numba_play_is_interpreted(capfd: pytest.CaptureFixture[str]) -> None:
    game = hexdeck.game("cursed-hand")
    played = game.simulate(2, "house", seed=1, backend="fast")
    assert game.driver("fast").backend == "interpreted" == game.driver("checked").backend
    said = capfd.readouterr().err
    assert said.count("\n") == 1 and "There is no machine code of cursed-hand for this computer" in said
    assert (played.returns == game.simulate(2, "house", seed=1, backend="interpreted").returns).all()


def test_what_numba_says_of_a_function_is_one_line() -> None:
    said = "Failed in nopython mode pipeline (step: …)\n[1] During: typing\nNo implementation of gt found:\n\n >>> gt"
    assert build.reason(said) == "No implementation of gt found"
