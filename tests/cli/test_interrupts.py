"""Ctrl-C and waiting: what was finished is shown, an interrupt is never without a word, and compiling is announced."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from hexdeck.authoring import new_game
from hexdeck.cli import compile as preparing
from hexdeck.cli.compile import prepare
from hexdeck.engine.backends import cache
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import definition, forget
from hexdeck.engine.play import game as driver
from hexdeck.engine.text import Catalogue
from hexdeck.lab import counts
from hexdeck.research import rating as climbing
from hexdeck.simulation import warm as warming
from tests.people import Room
from tests.support import ran_apart


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is pressed after two chunks of the games of a simulation."""
    plain = counts.chunks

    def chunks(*given: Any, **more: Any) -> Iterator[Any]:
        for number, chunk in enumerate(plain(*given, **more)):
            if number == 2:
                raise KeyboardInterrupt
            yield chunk

    monkeypatch.setattr(counts, "CHUNK", 7)
    monkeypatch.setattr(counts, "chunks", chunks)


@pytest.mark.usefixtures("impatient")
def test_an_interrupted_simulation_shows_what_was_finished(room: Room) -> None:
    said = room.hexdeck("simulate", "hawthorn", "--games", "500", "--threads", "2")
    assert said.status == 130 and "Interrupted: only what was" in said.err and ": 14 " in said.out


def test_an_interrupt_before_anything_is_finished_has_a_word(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_given: Any, **_more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(counts, "chunks", stop)
    for lang, word in (("en", "hexdeck: Interrupted.\n"), ("nl", "hexdeck: Onderbroken.\n")):
        said = room.hexdeck("--lang", lang, "simulate", "hawthorn")
        assert (said.status, said.out) == (130, "") and said.err.endswith(word)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nothing is compiled yet; the list has what was compiled, which takes no time here."""
    made: list[str] = []
    monkeypatch.setattr(driver, "is_compiled", lambda _rules: False)
    monkeypatch.setattr(driver, "default_backend", lambda: "fast")
    monkeypatch.setattr(warming, "warm", made.append)
    monkeypatch.setattr(preparing, "is_warm", lambda _backend: False)
    monkeypatch.setattr(preparing, "warm_lab", lambda name, _backend: made.append(f"counting in {name}"))
    return made


def test_a_ladder_says_that_it_compiles(cold: list[str], room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_given: Any, **_more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(climbing, "ladder", stop)
    said = room.hexdeck("tournament", "hawthorn", "random", "house", "--ladder", "-n", "2", "--deals", "2")
    assert said.status == 130 and cold == ["hawthorn"]
    assert said.err.startswith("Compiling hawthorn; the first time") and said.err.endswith("Interrupted.\n")


def test_what_counts_games_is_compiled_with_a_word(cold: list[str], room: Room) -> None:
    said = room.hexdeck("compare", "hawthorn", "-n", "2", "--b", "fold_price=own", "--games", "2")
    assert said.status == 0 and cold == ["hawthorn", "counting in hawthorn"]
    assert "Compiling what counts games" in said.err


@pytest.mark.usefixtures("cold")
@pytest.mark.parametrize("kept", [False, True])
def test_simulating_a_game_of_ones_own_says_that_it_compiles_only_if_it_does(kept, tmp_path, monkeypatch, capsys):
    new_game("steep-bid", tmp_path / "games")
    monkeypatch.setenv(finding.PATH, str(tmp_path / "games"))
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    try:
        game = definition("steep-bid")
        if kept:
            folder = cache.kept_folder(game.owners, driver.usual_backend(game)) / "backends"
            folder.mkdir(parents=True)
            (folder / "a_function.code").touch()
        prepare("steep-bid", Catalogue("en"), complete=False)
    finally:
        forget()
    assert ("Compiling steep-bid; the first time" in capsys.readouterr().err) is not kept


# --- standard streams -------------------------------------------------------------------------------------------------
OPEN_FILE = """import sys
from hexdeck.cli import main
main(['-V'])
print(open('/dev/null').fileno(), file=sys.stderr)"""


@pytest.mark.parametrize(
    ("streams", "said", "status"),
    [
        ("games hawthorn >/dev/full", "hexdeck: Not all can be written: No space left on device.", 1),
        ("--help >/dev/full", "hexdeck: Not all can be written: No space left on device.", 1),
        ("games --help >/dev/full", "hexdeck: Not all can be written: No space left on device.", 1),
        ("games hawthorn >&-", "hexdeck: The standard output is closed, so nothing can be printed.", 2),
        pytest.param("games hawthorn >/dev/full 2>/dev/full", "", 1, marks=pytest.mark.long),
        pytest.param("games hawthorn >&- 2>&-", "", 2, marks=pytest.mark.long),
        pytest.param("games hawthorn <&- >/dev/null", "", 0, marks=pytest.mark.long),
        pytest.param("replay - <&-", "hexdeck: ", 2, marks=pytest.mark.long),
    ],
)
def test_streams_that_are_closed_or_full_get_a_sentence(streams: str, said: str, status: int) -> None:
    ran = ran_apart(["sh", "-c", f"{sys.executable} -m hexdeck {streams}"])
    assert ran.returncode == status and ran.stderr.startswith(said) and ran.stderr.count("\n") == bool(said)


def test_no_file_takes_the_place_of_a_stream_that_is_closed() -> None:
    """A database in the place of the output would be printed into."""
    command = ["sh", "-c", f'{sys.executable} -c "$0" <&- >&-', OPEN_FILE]
    ran = ran_apart(command)
    assert int(ran.stderr.splitlines()[-1]) > 2
