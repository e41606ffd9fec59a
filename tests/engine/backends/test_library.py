"""Machine code made ahead of time: what is stale, damaged or can't be made leaves play as it was, with a sentence."""

import contextlib
import ctypes
import errno
import os
import shutil
import subprocess
import sys
import threading
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
from hexdeck.cli.compile import compiling
from hexdeck.engine.backends import build, cache, kernels, library
from hexdeck.engine.backends.python_abi import entries, signature
from hexdeck.engine.play import game as driving
from hexdeck.engine.play.game import compiled_kernel
from hexdeck.envs import kernels as small
from hexdeck.simulation.warm import GENERIC, OTHERS
from tests.compiled import warm
from tests.settings import GAMES, every_game
from tests.support import PATIENCE, for_each, ran_apart, until

SMALL = (small.__name__,)  # a module that is soon built
BUILDER = f"""
import sys, types
sys.modules["hexdeck.engine.backends.compiler"] = types.SimpleNamespace(objects=lambda owners, cpu: [b"code"])
sys.argv[1:] = {SMALL!r}
from hexdeck.engine.backends import build
sys.exit(build.main())"""  # builds a library of nothing, by the linker that is asked for


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache of libraries, here and for builders; nothing is remembered of another one."""
    monkeypatch.setenv("HEXDECK_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "TOLD", set())
    remembered = cache.cache_folder, cache.backend_folder, cache.existing_library, cache.complete, library.loaded
    for function in remembered:
        function.cache_clear()
    yield tmp_path / "libraries"
    monkeypatch.undo()
    for function in remembered:
        function.cache_clear()


def now_found() -> Path | None:
    cache.existing_library.cache_clear()
    return cache.existing_library(SMALL)


@pytest.fixture(scope="module")
def usual() -> Path:
    assert library.loaded(SMALL) is not None
    file = now_found()
    assert file is not None
    return file


@pytest.fixture
def built(usual: Path, empty: Path) -> Path:
    empty.mkdir()
    return Path(shutil.copy(usual, empty))


@pytest.fixture
def unbuildable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
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
    ran = ran_apart([sys.executable, "-c", code], env=environment)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_every_kernel_that_python_calls_is_compiled_ahead_of_time() -> None:
    for module in map(import_module, cache.kernel_modules()):
        taken = {name for each in entries(module) for name in signature_of(getattr(module, each)).parameters}
        assert set(vars(module).get("TYPES", {})) <= taken, "a parameter has another name by now"
        assert all("::1]" in signature(getattr(module, name)) for name in entries(module))
    named = {"play", "choose_row", "list_legal", "random_games", "row_key"}
    assert named <= set(entries(kernels))
    assert len(build.game_modules()) == len(GAMES)


def test_another_kind_of_processor_has_libraries_of_its_own() -> None:
    assert len({cache.library_hash(kind, *SMALL) for kind in ("x86-64-v3", "aarch64", cache.processor())}) == 3


@for_each(
    ("given", "why"),
    [
        ((), "observe_with_mask takes 6 arguments"),
        ((1, 2, 3, 4, 5, 6), "argument 1 of observe_with_mask is an array of int64 in 1 dimension"),
        (("g", "rows", "x", "actions", "seen", "seen"), "int"),
        (("g", "rows", 0, "seen", "seen", "seen"), "argument 4 of observe_with_mask is an array of int16"),
        (
            ("g", "g", 0, "actions", "seen", "seen"),
            "argument 2 of observe_with_mask is an array of uint8 in 2 dimensions",
        ),
        (("g", "turned", 0, "actions", "seen", "seen"), "row after row"),
        (("g", "rows", 0, "list", "seen", "seen"), "argument 4"),
    ],
)
def test_a_kernel_refuses_what_it_doesn_t_take(given: tuple[Any, ...], why: str) -> None:
    rows = np.zeros((4, 64), np.uint8)
    arrays = {
        "g": np.zeros(15, np.int64),
        "rows": rows,
        "turned": rows.T,
        "actions": np.zeros(9, np.int16),
        "seen": np.zeros(9, np.int8),
        "list": [1, 2],
    }
    kernel = compiled_kernel("fast", small.observe_with_mask)
    with pytest.raises(TypeError, match=why):
        kernel(*(arrays.get(each, each) if isinstance(each, str) else each for each in given))


# --- what isn't as it should be ---------------------------------------------------------------------------------------
def test_a_damaged_library_is_built_anew(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = built.read_bytes()

    def write(data: bytes) -> bool:
        built.unlink()  # it may be loaded
        return bool(built.write_bytes(data))

    monkeypatch.setattr(library, "build", lambda owners: owners == SMALL and write(whole))
    for damaged in (whole[:-1], b"\x7fELF", b"nothing of the kind" * 1000):
        write(damaged)
        assert now_found() is None
        library.loaded.cache_clear()
        assert library.loaded(SMALL) is not None
        assert now_found() == built and built.read_bytes() == whole


def test_a_library_of_another_machine_isn_t_taken(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert now_found() == built
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(cache, "processor", lambda: "another")
        assert now_found() is None
    monkeypatch.setattr(cache, "layout", lambda: "another version of Python")
    cache.library_hash.cache_clear()
    assert now_found() is None
    monkeypatch.undo()
    cache.library_hash.cache_clear()


def test_a_library_without_all_functions_of_a_game_is_not_used(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as found:
        found.setattr(library, "loaded", lambda _owners: ctypes.CDLL(str(built)))
        assert library.table(SMALL) is None


def test_what_is_missing_is_made_in_order_two_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, both = list[Any](), threading.Barrier(2)

    def loaded(owners: Any) -> None:
        begun.append(owners)
        if len(begun) <= 2:
            both.wait(PATIENCE)

    monkeypatch.setattr(library, "loaded", loaded)
    wanted = [*GENERIC, *((module,) for module in OTHERS)]
    library.load_together(wanted)
    assert set(begun[:2]) == set(wanted[:2]) and sorted(begun) == sorted(wanted)
    assert {module for (module,) in wanted} <= set(cache.kernel_modules())


# --- builders ---------------------------------------------------------------------------------------------------------
def linker(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    cc = folder / "cc"
    cc.write_text(f"#!/bin/sh\n{script}\n")
    cc.chmod(0o755)
    monkeypatch.setenv("CC", str(cc))


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "gate")
    return tmp_path / "gate"


def opened(gate: Path, builder: subprocess.Popen[bytes]) -> int | None:
    """What lets a builder's linker on when it is closed, once that waits at a gate."""
    assert builder.poll() is None
    try:
        return os.open(gate, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno != errno.ENXIO:  # nobody waits there yet
            raise
        return None


@contextlib.contextmanager
def builder() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", BUILDER], stdin=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def test_two_builds_at_once_are_one(empty: Path, gate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    linker(empty.parent, monkeypatch, f'cat {gate}; echo >>{gate}s; echo library >"$3"')
    lock = build.failure_file(SMALL).with_suffix(".lock")
    with builder() as one:
        open_gate = until(lambda: opened(gate, one))
        with builder() as two:
            until(lambda: str(lock) in map(os.path.realpath, Path(f"/proc/{two.pid}/fd").glob("*")))
            os.close(open_gate)
            assert one.wait(300) == two.wait(300) == 0
    assert Path(f"{gate}s").read_text() == "\n"  # passed once
    assert len(list(empty.glob(f"*{cache.SUFFIX}"))) == 1 and not list(empty.glob(f"{build.UNFINISHED}*"))


def test_a_build_ends_with_who_asked_for_it_and_the_next_one_clears_up(empty, gate, monkeypatch) -> None:
    linker(empty.parent, monkeypatch, f"cat {gate}")
    with builder() as begun:
        open_gate = until(lambda: opened(gate, begun))
        assert begun.stdin is not None
        begun.stdin.close()
        assert begun.wait(300) == 1
    os.close(open_gate)
    assert list(empty.glob(f"{build.UNFINISHED}*")) and now_found() is None
    linker(empty.parent, monkeypatch, 'echo library >"$3"')
    with builder() as again:
        assert again.wait(300) == 0
    assert now_found() is not None and not list(empty.glob(f"{build.UNFINISHED}*"))


def test_a_library_is_built_where_it_is_looked_for(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = subprocess.Popen
    monkeypatch.setattr(build.subprocess, "Popen", lambda _, **how: plain([sys.executable, "-c", BUILDER], **how))
    linker(empty.parent, monkeypatch, 'echo library >"$3"')
    monkeypatch.setenv("HEXDECK_CACHE", "/nowhere")  # as where nothing can be kept
    assert build.run_builder(SMALL)[1] == 0 and now_found() is not None


def test_whoever_is_gone_takes_along_what_compiles_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_CACHE", str(tmp_path))
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    with compiling(["hawthorn"]) as begun:
        until(lambda: [*tmp_path.glob("libraries/*.lock")])
        assert begun.stdin is not None
        begun.stdin.close()  # as it is when whoever has it is killed
        assert begun.wait() == 1


@pytest.fixture
def linked_by(empty, monkeypatch, capsys) -> Callable[..., list[str]]:
    """Builds libraries, here and of nothing, with a linker that is a script of the shell; gives what is said."""

    def built(owners: tuple[str, ...]) -> tuple[str, int]:
        monkeypatch.setattr(sys, "argv", ["build", *owners])
        ended = build.main()
        return capsys.readouterr().err.strip().splitlines()[-1], ended

    def linked(script: str, *modules: str) -> list[str]:
        linker(empty.parent, monkeypatch, script)
        said = []
        for module in modules or SMALL:
            assert not build.build((module,))
            said += capsys.readouterr().err.splitlines()
        return said

    monkeypatch.setattr("hexdeck.engine.backends.compiler.objects", lambda _owners, _cpu: [b"code"])
    monkeypatch.setattr(build, "end_with_caller", lambda: None)
    monkeypatch.setattr(build, "run_builder", built)
    return linked


NO_MATHS = """echo "/usr/bin/ld: warning: $3 is old" >&2; echo "/usr/bin/ld: cannot find -lm: No such file" >&2
echo "collect2: error: ld returned 1 exit status" >&2; exit 1"""


NO_MEMORY = 'echo "collect2: fatal error: ld terminated with signal 9 [Killed]" >&2; exit 1'


@pytest.mark.parametrize(
    ("script", "why", "kept"),
    [
        (NO_MEMORY, "collect2: fatal error: ld terminated with signal 9 [Killed]", False),
        ("kill -9 $$", "cc ended with -9", False),
        (NO_MATHS, "ld: cannot find -lm: No such file", True),
    ],
)
def test_why_linking_failed_is_said_and_remembered_unless_it_may_be_otherwise_by_next_time(
    script: str, why: str, kept: bool, linked_by: Callable[..., list[str]], empty: Path
) -> None:
    (said,) = linked_by(script)
    assert f"ahead of time ({why});" in said and build.failure_file(SMALL).exists() == kept
    assert not list(empty.glob(f"*{cache.SUFFIX}")) and not list(empty.glob(f"{build.UNFINISHED}*"))


def test_a_library_that_finds_no_room_is_not_a_broken_linker(linked_by, monkeypatch) -> None:
    monkeypatch.setattr(build.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=0))
    assert "saved (No space left on device)" in linked_by("kill -BUS $$")[0] and not build.failure_file(SMALL).exists()


def test_a_linker_that_fails_at_several_libraries_is_told_of_once_without_folders(linked_by) -> None:
    (said,) = linked_by('echo "/usr/bin/ld: error: cannot write $3" >&2; exit 1', *SMALL, *GENERIC[0], *GENERIC[1])
    assert said.endswith("can't be built ahead of time (ld: error: cannot write whole.so); each start takes longer.")


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(errno.EFBIG, "File too large"), "File too large"),
        (TypingError("Failed in nopython mode pipeline (step: …)\n[1] During: typing\nno gt:\n\n >>> gt"), "no gt"),
    ],
)
def test_what_numba_says_of_the_sources_is_remembered_in_a_line(error, why, linked_by, monkeypatch) -> None:
    monkeypatch.setattr("hexdeck.engine.backends.compiler.objects", Mock(side_effect=error))
    assert f"({why})" in linked_by("exit 0")[0]
    assert build.failure_file(SMALL).exists() == isinstance(error, TypingError)


def test_a_linker_that_hangs_is_left(linked_by: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "LONGEST", 0.01)
    assert "(cc took longer than 0.01 seconds)" in linked_by("exec sleep 600")[0]


@pytest.mark.usefixtures("empty")
def test_without_a_linker_nothing_is_compiled_in_vain(monkeypatch, capsys) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(build.shutil, "which", lambda _name: None)
    monkeypatch.setattr(build, "find_spec", lambda name: name == "numba" or None)
    monkeypatch.setattr(build, "run_builder", lambda _owners: pytest.fail("a builder was started"))
    assert library.loaded(SMALL) is None
    assert "there is no linker" in capsys.readouterr().err
    monkeypatch.setenv("CC", "no-such-linker")
    with pytest.raises(FileNotFoundError, match=r"^no-such-linker: No such file or directory$"):
        build.link([], Path("whole.so"))


def test_a_build_that_failed_is_not_tried_at_each_start_but_with_another_linker(empty, monkeypatch) -> None:
    tried: list[str] = []

    def built(owners: tuple[str, ...]) -> tuple[str, int]:
        tried.append(os.environ["CC"])
        return "no", build.fail(owners, "no", build.NO_LINKER)

    monkeypatch.setattr(build, "run_builder", built)
    empty.mkdir()
    for linker in ("one", "one", "other", "other"):
        monkeypatch.setenv("CC", linker)
        assert not build.build(SMALL)
    assert tried == ["one", "other"] and build.why_not(SMALL) == "no"
    with monkeypatch.context() as another:
        another.setattr(build, "version", lambda _name: "another")
        assert build.why_not(SMALL) == ""
    os.utime(build.failure_file(SMALL), (1, 1))
    assert build.why_not(SMALL) == ""


@pytest.mark.usefixtures("empty")
def test_a_build_of_sources_that_were_edited_meanwhile_is_thrown_away(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(build, "edited", lambda *_owners: True)
    monkeypatch.setattr(build, "link", lambda _objects, made: made.write_bytes(b"code"))
    monkeypatch.setattr("hexdeck.engine.backends.compiler.objects", lambda _owners, _cpu: [b"code"])
    with pytest.raises(InterruptedError, match="edited meanwhile"):
        build.build_into(tmp_path, "key", SMALL, "host")
    assert not list(tmp_path.glob(f"*{cache.SUFFIX}"))


# --- play all the same ------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("unbuildable")
def test_a_library_that_cannot_be_loaded_leaves_play_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "complete", lambda _owners: True)
    monkeypatch.setattr(library, "loaded", lambda _owners: None)
    assert hexdeck.game("cursed-hand").driver("fast").backend == "interpreted"


def no_library(owners: tuple[str, ...]) -> None:
    folder, key = cache.place_in_cache(owners)
    folder.mkdir(exist_ok=True)
    (folder / f"{key}.{cache.checksum(b'no library')}{cache.SUFFIX}").write_bytes(b"no library")


def test_a_library_that_cannot_be_loaded_is_told_of_once(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for owners in (SMALL, (kernels.__name__,)):
        no_library(owners)
        assert library.loaded(owners) is None
    said = capsys.readouterr().err
    assert said.startswith(f"hexdeck: Machine code in {empty} can't be loaded (") and said.count("\n") == 1


@pytest.mark.usefixtures("empty")
def test_a_game_whose_library_is_gone_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    definition = hexdeck.game("cursed-hand").definition
    monkeypatch.setattr(driving, "ready", lambda _owners, _backend: True)
    monkeypatch.setattr(driving, "begun", lambda _owners, _backend: False)
    assert not driving.is_compiled(definition, "fast")
    monkeypatch.setattr(library, "is_there", lambda _owners: True)
    assert driving.is_compiled(definition, "fast")


def test_a_game_whose_library_cannot_be_loaded_is_compiled_only_once_numba_kept_it(empty, monkeypatch) -> None:
    game = hexdeck.game("cursed-hand").definition
    no_library(game.owners)
    assert cache.existing_library(game.owners) and not library.is_there(game.owners)
    monkeypatch.setattr(driving, "ready", lambda _owners, _backend: True)
    monkeypatch.setattr(cache, "cache_folder", lambda: empty.parent)
    assert not driving.is_compiled(game, "fast")
    kept = cache.kept_folder(game.owners, "fast")
    kept.mkdir(parents=True)
    (kept / "a_function.code").touch()
    assert driving.is_compiled(game, "fast")


@pytest.mark.parametrize(("mode", "told"), [(0o777, "Others may write to "), (0, "Nothing can be written to ")])
def test_a_folder_that_others_may_write_to_or_nobody_holds_no_code_and_that_is_said(
    mode: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "cache"
    if mode:
        folder.mkdir()
        folder.chmod(mode)
    else:
        tmp_path.joinpath("file").touch()
        folder = tmp_path / "file" / "cache"
    monkeypatch.setenv("HEXDECK_CACHE", str(folder))
    monkeypatch.setattr(cache, "TOLD", set())
    used = [cache.cache_folder.__wrapped__() for _ in range(2)]
    said = capsys.readouterr().err
    assert said.startswith(f"hexdeck: {told}") and said.count("\n") == 1 and folder not in used


@pytest.fixture
def unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    writable, kept = cache.writable, (cache.cache_folder, cache.backend_folder)
    monkeypatch.setattr(cache, "writable", lambda folder: not folder.is_relative_to(tmp_path) and writable(folder))
    for each in kept:
        each.cache_clear()
    yield tmp_path
    for each in kept:
        each.cache_clear()


def test_a_library_in_a_cache_that_can_only_be_read_is_used(built, unwritable, capsys) -> None:
    assert now_found() == built and library.loaded(SMALL) is not None
    assert capsys.readouterr().err == ""
    built.unlink()
    assert now_found() is None and not cache.place_in_cache(SMALL)[0].is_relative_to(unwritable)
    assert f"Nothing can be written to {unwritable}" in capsys.readouterr().err


@pytest.mark.usefixtures("empty", "unbuildable")
def test_without_libraries_and_without_numba_play_is_interpreted(capsys: pytest.CaptureFixture[str]) -> None:
    game = hexdeck.game("cursed-hand")
    played = game.simulate(2, "house", seed=1, backend="fast")
    assert game.driver("fast").backend == "interpreted" == game.driver("checked").backend
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "There is no machine code of cursed-hand for this computer" in said
    assert (played.returns == game.simulate(2, "house", seed=1, backend="interpreted").returns).all()
