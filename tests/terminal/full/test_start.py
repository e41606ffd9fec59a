"""When `hexdeck play` is a full screen, and when it stays plain; how it begins and ends on a real terminal."""

import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from hexdeck.cli import play
from hexdeck.cli.command_line import build_parser, chosen_language
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.terminal import app
from hexdeck.terminal import session as sessions
from hexdeck.terminal.app import TableApp
from hexdeck.terminal.session import ScreenSession
from tests.cli.test_start import environment, loaded
from tests.people import Room
from tests.settings import much
from tests.support import PATIENCE, for_each

from .people import new_session


@pytest.fixture
def good(monkeypatch: pytest.MonkeyPatch) -> Console:
    streams = {name: SimpleNamespace(isatty=lambda: True) for name in ("stdin", "stdout")}
    monkeypatch.setattr(sessions, "sys", SimpleNamespace(platform="linux", **streams))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("HEXDECK_PLAIN", raising=False)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda *_, **_fallback: os.terminal_size((80, 24)))
    monkeypatch.setattr(sessions, "is_fancy", lambda _console: True)
    return Console(force_terminal=True)


def test_only_a_good_terminal_has_a_full_screen(good: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sessions.possible(good)
    pipe = SimpleNamespace(isatty=lambda: False)
    for kept_plain in (
        lambda patch: patch.setenv("TERM", "dumb"),
        lambda patch: patch.setenv("TERM", ""),
        lambda patch: patch.setenv("HEXDECK_PLAIN", "1"),
        lambda patch: patch.setattr(shutil, "get_terminal_size", lambda *_, **_fallback: os.terminal_size((39, 24))),
        lambda patch: patch.setattr(shutil, "get_terminal_size", lambda *_, **_fallback: os.terminal_size((80, 15))),
        lambda patch: patch.setattr(sessions.sys, "stdin", pipe),
        lambda patch: patch.setattr(sessions.sys, "stdout", pipe),
        lambda patch: patch.setattr(sessions, "find_spec", lambda name: name != "textual" or None),
    ):
        with monkeypatch.context() as patch:
            kept_plain(patch)
            assert not sessions.possible(good)
    assert sessions.possible(good)


def test_only_the_full_screen_loads_textual(tmp_path: Path) -> None:
    code = "import hexdeck.terminal.session, hexdeck.cli; hexdeck.cli.main(['play', 'hawthorn'])"
    assert "textual" not in loaded(tmp_path, code, "textual")


def test_its_sessions_are_as_long_as_at_tables(good: Console) -> None:
    words = chosen_language([])
    cases: tuple[tuple[list[str], int], ...] = ([], 5), (["--option", "rounds=1"], 1)
    for given, rounds in cases:
        arguments = build_parser(words).parse_args(["play", "blackstone", "--seed", "1", *given])
        session = play.started(arguments, words, good, ScreenSession)
        assert isinstance(session, ScreenSession) and session.match.game.options["rounds"] == rounds


# --- when the screen is gone ------------------------------------------------------------------------------------------
def test_a_failure_is_told_and_the_match_is_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(self: TableApp) -> None:
        self.session.on_screen, self.error = True, HexdeckError(say("The net is torn."))

    monkeypatch.setattr(TableApp, "run", run)
    at = new_session("cursed-hand")
    with pytest.raises(HexdeckError, match="The net is torn"):
        app.play(at, "light")
    assert "Saved in " in at.console.file.getvalue() and room.saved()  # type: ignore[attr-defined]


# --- on a real terminal -----------------------------------------------------------------------------------------------
class Terminal:
    """The program itself on a terminal of its own."""

    def __init__(self, home: Path, *words: str, **more: str) -> None:
        pty = pytest.importorskip("pty")
        fcntl, struct, termios = (pytest.importorskip(name) for name in ("fcntl", "struct", "termios"))
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        given = environment(home, TERM="xterm-256color", **more)
        command = [sys.executable, "-m", "hexdeck", *words]
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=given, start_new_session=True
        )
        os.close(slave)
        self.seen = b""

    def wait_for(self, text: str) -> None:
        """Read until a text was shown."""
        deadline = time.monotonic() + PATIENCE
        while text.encode() not in self.seen:
            assert time.monotonic() < deadline, self.seen[-2000:]
            ready, _, _ = select.select([self.master], [], [], 0.1)
            try:
                self.seen += os.read(self.master, 65536) if ready else b""
            except OSError:  # the terminal is gone
                assert text.encode() in self.seen, self.seen[-2000:]

    def press(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def end(self) -> int:
        self.process.wait(PATIENCE)
        os.close(self.master)
        return self.process.returncode


PLAIN = [("q\r", ["--plain"], {}), ("q\r", [], {"HEXDECK_PLAIN": "1"})]
FULL = [("q", [], {}), ("\x03", [], {})]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
@for_each(("leave", "words", "more"), much([FULL[0], PLAIN[0]], [*FULL, *PLAIN]))
def test_it_begins_and_leaves_on_a_terminal_in_full_or_in_plain_lines(leave, words, more, tmp_path) -> None:
    plain = "\r" in leave
    at = Terminal(tmp_path, "play", "cursed-hand", "--seed", "1", "--bots", "house", *words, **more)
    at.wait_for("Press Enter to see your cards.")
    at.press(b"\r")
    at.wait_for("> " if plain else "Choose the first card")
    at.press(leave.encode())
    at.wait_for("To continue:")
    assert at.end() == 0
    assert (b"\x1b[?1049h" in at.seen) == (b"\x1b[?1049l" in at.seen) == (not plain)  # the screen before it is back
    assert [*(tmp_path / "data" / "hexdeck" / "unfinished").glob("*.json")]
