"""The threads of bots: results and errors arrive, and no thought keeps a process from ending."""

import subprocess
import sys
import threading

import pytest

import hexdeck
from hexdeck.engine.errors import UnknownBot
from hexdeck.tables.service.thinker import Thinker
from tests.web.serving import PATIENCE

GAME = hexdeck.game("hawthorn", 2)
ENDLESS = """
import threading
import hexdeck
from hexdeck.tables.service import thinker

thinking = threading.Event()

def for_ever(*_):
    thinking.set()
    threading.Event().wait()

thinker.Thinker._choose = for_ever
bots = thinker.Thinker(1)
bots.choose(hexdeck.game("hawthorn", 2), "house", b"", 0)
thinking.wait()
bots.close()
"""


def known() -> bytes:
    """What the first seat knows."""
    match = GAME.match(3, backend="fast")
    return match.concealed(0)


def test_thoughts_come_and_a_fault_in_one_harms_no_other() -> None:
    bots = Thinker(1)
    with pytest.raises(UnknownBot):
        bots.choose(GAME, "nobody", known(), 0).result(PATIENCE)
    assert bots.choose(GAME, "house", known(), 0).result(PATIENCE) in GAME.match(3, backend="fast").legal_ids(0)
    bots.close()


def test_at_the_end_what_waits_is_cancelled_and_nothing_more_is_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()

    def slow(*_: object) -> int:
        begun.set()
        go.wait(PATIENCE)
        return 7

    monkeypatch.setattr(Thinker, "_choose", slow)
    bots = Thinker(1)
    first, second = (bots.choose(GAME, "house", b"", 0) for _ in range(2))
    begun.wait(PATIENCE)
    bots.close()
    assert second.cancelled() and bots.choose(GAME, "house", b"", 0).cancelled()
    go.set()
    assert first.result(PATIENCE) == 7


def test_a_process_ends_in_the_middle_of_a_thought() -> None:
    assert subprocess.run([sys.executable, "-c", ENDLESS], timeout=PATIENCE, check=False).returncode == 0
