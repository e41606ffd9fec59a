"""What Numba keeps of what it compiled: what is damaged is thrown away and made anew; what takes long is told."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numba
import pytest
from numba.core import caching

from hexdeck.engine.backends import build, compiler, notices
from hexdeck.simulation import team_kernels


def twice(n: int) -> int:
    """Something that is soon compiled."""
    return 2 * n


def compiled(folder: Path) -> tuple[int, int]:
    """Call it, compiled or read from a folder; how many times it was read, and how many times it wasn't there."""
    with compiler.cached_in(folder):
        function: Any = numba.njit(twice, cache=True)
    assert function(21) == 42
    return sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values())


def flipped(data: bytes) -> bytes:
    """With other bits in the middle of the machine code."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


DAMAGES: list[Callable[[bytes], bytes]] = [
    lambda _: b"",
    lambda data: data[:-9],  # a checksum has four
    flipped,
]


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_damaged_machine_code_is_compiled_anew(suffix: str, tmp_path: Path) -> None:
    assert compiled(tmp_path) == (0, 1)
    for damage in DAMAGES:
        assert compiled(tmp_path) == (1, 0)
        (file,) = tmp_path.rglob(f"*.{suffix}")
        file.write_bytes(damage(file.read_bytes()))
        assert compiled(tmp_path) == (0, 1)


def test_what_can_t_be_thrown_away_is_left_and_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(tmp_path)
    (file,) = tmp_path.rglob("*.nbi")
    file.write_bytes(b"damaged")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "flush", full)
    assert compiled(tmp_path) == (0, 1)
    assert file.read_bytes() == b"damaged"


def test_where_nothing_can_be_kept_that_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(notices, "TOLD", set())
    monkeypatch.setattr(caching.IndexDataCacheFile, "save", Mock(side_effect=OSError(27, "File too large")))
    assert [compiled(tmp_path) for _ in range(2)] == [(0, 1)] * 2
    said = "hexdeck: Machine code can't be saved (File too large); it is compiled again each time.\n"
    assert capsys.readouterr().err == said


@pytest.fixture
def a_second_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is begun takes longer than a second."""
    monkeypatch.setattr(notices, "TOLD", set())
    timer = SimpleNamespace(cancel=lambda: None, ident=None)
    monkeypatch.setattr(
        notices.threading,
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
        kernel = compiler.Backend("checked").kernel(team_kernels.first_part)
        assert capsys.readouterr().err == ""
        assert kernel(8, 2, 1) == 4
        assert capsys.readouterr().err == said
        notices.TOLD.clear()


@pytest.mark.usefixtures("a_second_passes")
def test_a_library_that_takes_long_to_build_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, command = subprocess.Popen, [sys.executable, "-S", "-c", ""]
    monkeypatch.setattr(build.subprocess, "Popen", lambda _, **given: plain(command, **given))
    assert build.built(("hexdeck.games.hawthorn.rules",)) == ("it was stopped", 0)
    assert capsys.readouterr().err == COMPILING


def test_what_takes_less_than_a_second_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    timer = Mock(ident=None)
    monkeypatch.setattr(notices.threading, "Timer", Mock(return_value=timer))
    with notices.told_if_slow():
        assert timer.start.called and not timer.cancel.called
    assert timer.cancel.called
