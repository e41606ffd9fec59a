"""What Numba keeps of what it compiled: what is damaged is thrown away and made anew; what takes long is told."""

import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numba
import pytest

from hexdeck.engine.backends import build, cache, compiler, kernels_batch
from hexdeck.engine.backends.cache import read_with_checksum, write_with_checksum
from hexdeck.engine.backends.compiler import KeptCode, keep
from tests.support import for_each


def twice(n: int) -> int:
    return 2 * n


def compiled(folder: Path) -> tuple[int, int]:
    """Call it, compiled or read from a folder; how many times it was read, and how many times it was compiled."""
    function: Any = numba.njit(twice)
    keep(function, folder)
    assert function(21) == 42
    return sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values())


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def test_a_file_with_a_byte_changed_or_missing_is_not_read(tmp_path: Path) -> None:
    write_with_checksum(tmp_path / "file", b"machine code")
    data = read_with_checksum(tmp_path / "file")
    assert data is not None and data.tobytes() == b"machine code"
    whole = (tmp_path / "file").read_bytes()
    for place in range(len(whole)):
        for damaged in (flipped(whole, place), whole[:place]):
            (tmp_path / "file").write_bytes(damaged)
            assert read_with_checksum(tmp_path / "file") is None


def nonsense(_: bytes) -> bytes:
    return b"nothing" + zlib.crc32(b"nothing").to_bytes(8, "little")


@for_each("damage", [lambda data: flipped(data, len(data) // 2), nonsense])
def test_damaged_machine_code_is_compiled_anew(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    compiled(tmp_path)
    assert compiled(tmp_path) == (1, 0)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert compiled(tmp_path) == (0, 1)
    assert compiled(tmp_path) == (1, 0) and list(tmp_path.iterdir()) == [file]


def test_code_for_other_types_and_of_another_function_of_the_same_name_is_another_file(tmp_path: Path) -> None:
    compiled(tmp_path)
    for function, argument in (twice, 1.5), (namesake(), 21):
        other: Any = numba.njit(function)
        keep(other, tmp_path)
        assert other(argument) in {3.0, 63} and not other.stats.cache_hits
    assert len(list(tmp_path.iterdir())) == 3


def namesake() -> Any:
    def twice(n: int) -> int:
        return 3 * n

    return twice


def test_code_with_addresses_of_this_process_is_not_kept(tmp_path: Path) -> None:
    KeptCode(twice, tmp_path).save_overload((), SimpleNamespace(library=SimpleNamespace(has_dynamic_globals=True)))
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_kept_that_is_said_once(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setattr(cache, "TOLD", set())
    monkeypatch.setattr(compiler, "write_with_checksum", Mock(side_effect=OSError(27, "File too large")))
    assert [compiled(tmp_path) for _ in range(2)] == [(0, 1)] * 2
    said = "hexdeck: Machine code can't be saved (File too large); it is compiled again each time.\n"
    assert capsys.readouterr().err == said


@pytest.fixture
def a_second_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "TOLD", set())
    timer = SimpleNamespace(cancel=lambda: None, ident=None)
    monkeypatch.setattr(
        cache.threading,
        "Timer",
        lambda seconds, tell, given: seconds == 1 and SimpleNamespace(**vars(timer), start=lambda: tell(*given)),
    )


COMPILING = "hexdeck: Compiling; this can take half a minute …\n"


@pytest.mark.usefixtures("a_second_passes")
def test_a_kernel_that_takes_long_to_compile_is_told_and_one_that_takes_long_to_read_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler, "backend_folder", lambda *_: tmp_path)
    for said in (COMPILING, ""):
        kernel = compiler.Backend("checked").kernel(kernels_batch.first_part)
        assert capsys.readouterr().err == ""
        assert kernel(8, 2, 1) == 4
        assert capsys.readouterr().err == said
        cache.TOLD.clear()


@pytest.mark.usefixtures("a_second_passes")
def test_a_library_that_takes_long_to_build_is_told(monkeypatch, capsys) -> None:
    plain, command = subprocess.Popen, [sys.executable, "-S", "-c", ""]
    monkeypatch.setattr(build.subprocess, "Popen", lambda _, **given: plain(command, **given))
    assert build.run_builder(("hexdeck.games.hawthorn.rules",)) == ("it was stopped", 0)
    assert capsys.readouterr().err == COMPILING


def test_what_takes_less_than_a_second_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = Mock(ident=None)
    monkeypatch.setattr(cache.threading, "Timer", Mock(return_value=timer))
    with cache.told_if_slow():
        assert timer.start.called and not timer.cancel.called
    assert timer.cancel.called
