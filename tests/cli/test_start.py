"""How commands start and end: light, in any encoding, through any pipe."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hexdeck
from hexdeck.cli import serve
from hexdeck.cli.command_line import build_parser
from hexdeck.engine.text import Catalogue
from tests.people import ANY_MOVES, Room, has_result
from tests.settings import much, soonest
from tests.support import for_each, ran_apart

LIGHT = ["", "games", "games hawthorn", "--help", "play --help", "rules cursed-hand", "--version", "games poker"]
CARD = re.compile(rb"\[[A-Z0-9]\w*\]")  # as it is drawn without colour


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {
        name: os.environ[name] for name in ("PATH", "PYTHONPATH", "HEXDECK_CACHE", "SYSTEMROOT") if name in os.environ
    }
    data = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CACHE_HOME": str(home / "cache")}
    return {**kept, **data, "HEXDECK_BACKEND": "interpreted", "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8", **more}


def run(home: Path, *words: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "hexdeck", *words]
    return subprocess.run(
        command, input=typed.encode(), capture_output=True, check=False, env=environment(home, **more)
    )


def loaded(home: Path, code: str, *more: str) -> set[str]:
    """Which of NumPy, Numba and Rich (and `more`) a piece of code loads."""
    ran = ran_apart(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"],
        stdin=subprocess.DEVNULL,
        env=environment(home),
    )
    assert ran.returncode == 0, ran.stderr
    return {"numpy", "numba", "rich", *more} & set(ran.stderr.splitlines()[-1].split())


# --- light ------------------------------------------------------------------------------------------------------------
def test_importing_hexdeck_loads_neither_numpy_nor_numba(tmp_path: Path) -> None:
    assert loaded(tmp_path, "import hexdeck") == set() == loaded(tmp_path, "import hexdeck.cli")


def test_figures_of_a_simulation_need_nothing_of_the_lab(tmp_path: Path) -> None:
    each = [["games"], ["verify", "none.json"], ["simulate", "hawthorn", "--games", "20"]]
    code = f"from hexdeck.cli import main\nfor words in {each}:\n  main(words)"
    assert not loaded(tmp_path, code, "scipy", "pandas", "matplotlib") & {"scipy", "pandas", "matplotlib"}


def test_help_and_listings_do_without_numba(tmp_path: Path) -> None:
    """One process for all: whatever asks for Numba is named by what fails."""
    each = f"for words in {[*LIGHT, 'replay none']}:\n  main(words.split())\n  assert 'numba' not in sys.modules, words"
    assert "numba" not in loaded(tmp_path, f"from hexdeck.cli import main\n{each}")


def test_a_match_is_played_interpreted_without_numba(tmp_path: Path) -> None:
    assert loaded(tmp_path, "from hexdeck.cli import main; main(['play', 'cursed-hand'])") == {"numpy", "rich"}


# --- encodings --------------------------------------------------------------------------------------------------------
SAID = [[], ["games"], ["rules", "hawthorn"]]
ENCODED = [("ascii", "en"), ("ascii", "nl"), ("cp1252", "nl"), ("cp437", "en")]
TURNED = [(SAID[number % len(SAID)], *each) for number, each in enumerate(ENCODED[1:])]  # each of both once
PRODUCT = [(words, *each) for words in SAID for each in ENCODED]


@for_each(("words", "encoding", "lang"), much(TURNED, PRODUCT))
def test_any_encoding_will_do(words: list[str], encoding: str, lang: str, tmp_path: Path) -> None:
    said = run(tmp_path, *words, PYTHONIOENCODING=encoding, HEXDECK_LANG=lang)
    assert said.returncode == 0 and said.stderr == b""
    text = said.stdout.decode(encoding)
    assert "�" not in text and len(text) > 300
    assert encoding != "ascii" or text.isascii()


def moves(room: Room, name: str) -> str:
    room.hexdeck("play", name, "--seed", "7", "--bots", "house", typed=ANY_MOVES)
    match = hexdeck.load(room.saved("finished")[-1], backend="interpreted")
    return "".join(f"{event.name}\n" for event in match.events if event.seat == 0)


@soonest("cursed-hand")
def test_a_match_is_played_in_plain_ascii(name: str, room: Room, tmp_path: Path) -> None:
    typed = moves(room, name)
    given = ("--seed", "7", "--bots", "house", "--lang", "nl", "--names", "Zoë")
    said = run(tmp_path, "play", name, *given, typed=typed, PYTHONIOENCODING="ascii")
    assert said.returncode == 0 and said.stderr == b"" and said.stdout.isascii()
    assert has_result(said.stdout.decode()) and b"Zoe " in said.stdout and CARD.search(said.stdout)


def test_a_question_mark_stands_for_what_no_letter_is_near_to(tmp_path: Path) -> None:
    said = run(tmp_path, "games", "李", PYTHONIOENCODING="ascii")
    assert said.returncode == 2 and said.stderr.startswith(b"hexdeck: There is no game ?; there are")


@soonest("blackstone")
def test_no_colour_reaches_a_pipe(name: str, tmp_path: Path) -> None:
    given = ("--seed", "7", "--bots", "house")
    said = run(tmp_path, "play", name, *given, typed="1\n2\n3\n", TERM="xterm-256color")
    assert said.returncode == 0 and b"\x1b" not in said.stdout


@soonest("cursed-hand")
def test_nothing_is_coloured_where_colour_is_unwanted(name: str, tmp_path: Path) -> None:
    forced = {"FORCE_COLOR": "1", "TERM": "xterm-256color"}
    bright = run(tmp_path, "play", name, "--seed", "7", "--bots", "house", typed="1\n", **forced).stdout
    dull = run(tmp_path, "play", name, "--seed", "7", "--bots", "house", typed="1\n", NO_COLOR="1", **forced).stdout
    assert b"\x1b[1;33m" in bright and not CARD.search(bright)
    assert b"33m" not in dull and b";47m" not in dull and (CARD.search(dull) or "┌───┐".encode() in dull)


# --- pipes and interrupts ---------------------------------------------------------------------------------------------
PIPED = [
    *("games", "rules cursed-hand", "--help", "", "help play", "completion bash", "simulate hawthorn --games 3"),
    *("simulate hawthorn --games 3 --json", "replay hawthorn --number 1", "games hawthorn --json"),
    *("compare hawthorn --games 3 --b fold_price=own", "tournament hawthorn random house --deals 2 -n 2"),
]


@for_each("words", much(["games", "help play", "simulate hawthorn --games 3"], PIPED))
def test_a_reader_that_leaves_is_no_trouble(words: str, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    ran = subprocess.run(
        [sys.executable, "-m", "hexdeck", *words.split()],
        stdout=write,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=environment(tmp_path),
        check=False,
    )
    os.close(write)
    assert ran.returncode == 0 and ran.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGINT to another process")
def test_an_interrupt_saves_the_match(tmp_path: Path) -> None:
    code = (  # in the background a shell lets its children ignore interrupts; so this one is told to listen
        "import builtins, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "builtins.input = lambda *_asked: signal.raise_signal(signal.SIGINT)\n"
        "from hexdeck.cli import main; sys.exit(main(['play', 'cursed-hand', '--seed', '1']))"
    )
    playing = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(tmp_path), check=False)
    assert (playing.returncode, playing.stderr) == (0, b"") and b"Saved in " in playing.stdout
    (left,) = (tmp_path / "data" / "hexdeck" / "unfinished").glob("*.json")
    assert hexdeck.load(left, backend="interpreted").acting == (0, 1, 2, 3)


def test_python_m_and_the_script_are_the_same(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("hexdeck")
    said = subprocess.run([script, "games"], capture_output=True, check=True, env=environment(tmp_path))
    assert said.stdout == run(tmp_path, "games").stdout


@for_each(
    ("arguments", "hours"),
    [
        ([], 0),
        (["--lan"], 0),
        (["--allow-host", "cards.example.org"], 1),
        (["--allow-host", "cards.example.org", "--keep-unused", "5"], 5),
        (["--keep-unused", "2"], 2),
    ],
)
def test_an_invitation_for_tonight_waits_at_home_and_an_hour_on_a_public_server(arguments, hours) -> None:
    given = build_parser(Catalogue("en"), "serve").parse_args(["serve", *arguments])
    assert serve.retention_of(given).unused_hours == hours
