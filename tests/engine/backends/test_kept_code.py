"""What Numba keeps of what it compiled: what is damaged is thrown away and made anew; what takes long is told."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    lambda data: data[:20],
    lambda data: data[:-9],  # a checksum has four
    lambda data: bytes(len(data)),
]


@pytest.mark.parametrize("damaged", [*[("nbi", each) for each in DAMAGES], *[("nbc", each) for each in DAMAGES],
                                     ("nbc", flipped)])  # fmt: skip
def test_damaged_machine_code_is_compiled_anew(damaged: tuple[str, Callable[[bytes], bytes]], tmp_path: Path) -> None:
    suffix, damage = damaged
    assert compiled(tmp_path) == (0, 1)
    assert compiled(tmp_path) == (1, 0)
    (file,) = tmp_path.rglob(f"*.{suffix}")
    file.write_bytes(damage(file.read_bytes()))
    assert compiled(tmp_path) == (0, 1)
    assert compiled(tmp_path) == (1, 0)


def test_what_can_t_be_thrown_away_is_left_and_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(tmp_path)
    (file,) = tmp_path.rglob("*.nbi")
    file.write_bytes(b"damaged")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "flush", full)
    assert compiled(tmp_path) == (0, 1)
    assert file.read_bytes() == b"damaged"


@pytest.mark.parametrize(("kept", "said"), [(False, "hexdeck: Compiling; this can take half a minute …\n"), (True, "")])
def test_a_kernel_that_takes_long_to_compile_is_told_and_one_that_takes_long_to_read_is_not(
    kept: bool, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiler, "backend_folder", lambda *_: tmp_path)
    monkeypatch.setattr(notices, "TOLD", {str(notices.MAKING)})
    if kept:
        assert compiler.Backend("checked").kernel(team_kernels.first_part)(8, 2, 1) == 4
    monkeypatch.setattr(notices, "TOLD", set())
    slow = "load_overload" if kept else "save_overload"
    plain = getattr(caching.FunctionCache, slow)
    monkeypatch.setattr(caching.FunctionCache, slow, lambda *given: time.sleep(1.5) or plain(*given))
    kernel = compiler.Backend("checked").kernel(team_kernels.first_part)
    assert capsys.readouterr().err == ""
    assert kernel(8, 2, 1) == 4
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(("seconds", "said"), [(1.5, "hexdeck: Compiling; this can take half a minute …\n"), (0, "")])
def test_a_library_that_takes_long_to_build_is_told(
    seconds: float, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, command = subprocess.Popen, [sys.executable, "-S", "-c", f"import time; time.sleep({seconds})"]
    monkeypatch.setattr("hexdeck.engine.backends.build.subprocess.Popen", lambda _, **given: plain(command, **given))
    monkeypatch.setattr(notices, "TOLD", set())
    assert build.built(("hexdeck.games.hawthorn.rules",)) == ("it was stopped", 0)
    assert capsys.readouterr().err == said
