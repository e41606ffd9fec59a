"""People at a terminal, for tests: commands with typed input, and sessions whose output can be read."""

import builtins
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from hexdeck.cli import main
from hexdeck.engine.discovery.finding import PATH, game_words
from hexdeck.simulation.game import Game
from hexdeck.terminal import session as saves
from hexdeck.terminal.display import Chair
from hexdeck.terminal.session import Session
from hexdeck.terminal.typed_moves import with_keys

ANY_MOVES = [str(number) for number in range(1, 31)] * 120  # typed in turn, they play any game to its end
ANY_CARDS = [*ANY_MOVES[:30], "7c", "7d", "7h", "7s"] * 120  # also a hand of sevens, where "7" means several moves
EVERYTHING_PLAIN = {
    "NO_COLOR": "1",
    "HEXDECK_BACKEND": "interpreted",
    "LANG": "C.UTF-8",
    "COLUMNS": "80",
    "LINES": "24",
}
Typed = str | BaseException | Callable[[], str]
LANGUAGES = ("HEXDECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")


def has_result(shown: str) -> bool:
    """Whether a screen tells how the match ended for somebody: a name, and beside it what came of them."""
    return bool(
        re.search(
            r"^ {1,4}\w.*? {2,}(won|lost|stayed|ended|shared|survived|verloor|bleef|eindigde|deelde|overleefde)",
            shown,
            re.MULTILINE,
        )
    )


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    status: int
    out: str
    err: str


@dataclass
class Room:
    """A place where commands are run: with its own saved matches, in a plain environment."""

    home: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def hexdeck(self, *words: str, typed: str | Iterable[str] = "") -> Said:
        """Run a command with what is typed, or piped, into it."""
        text = typed if isinstance(typed, str) else "".join(f"{line}\n" for line in typed)
        keyboard = Keyboard(text)
        self.monkeypatch.setattr(sys, "stdin", keyboard)
        self.monkeypatch.setattr(Session, "__post_init__", keyboard.sits_before(Session.__post_init__))
        self.capsys.readouterr()
        status = leaving(lambda: main(list(words)))
        out, err = self.capsys.readouterr()
        return Said(status, out, err)

    def saved(self, kind: str = "unfinished") -> list[Path]:
        """The matches of a kind that are kept, the oldest first."""
        return sorted((self.home / kind).glob("*.json"), key=lambda path: path.stat().st_mtime_ns)


class Keyboard(io.StringIO):
    """What is typed; where a list has cards or cells instead of numbers, number k types the k-th move, from 1 again."""

    session: Session | None = None

    def sits_before(self, begin: Callable[[Session], None]) -> Callable[[Session], None]:
        def begun(session: Session) -> None:
            begin(session)
            self.session = session

        return begun

    def readline(self, *size: Any) -> str:
        """The next line."""
        line = super().readline(*size)
        acting = self.session.match.acting if self.session else ()
        if self.session is None or not acting or not line.strip().isdecimal():
            return line
        moves = self.session.match.legal(self.session.next_person(acting) or 0)
        keys = {move.id: key for key, move in with_keys(moves)}
        if all(key.isdecimal() for key in keys.values()) and not any(move.cell for move in moves):
            return line
        move = moves[(int(line) - 1) % len(moves)]
        return f"{move.cell or keys[move.id]}\n"


def leaving(run: Callable[[], int]) -> int:
    """The exit status, also where argparse leaves by itself (`--help`)."""
    try:
        return run()
    except SystemExit as left:
        return int(left.code or 0)


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Room:
    for name in LANGUAGES:
        monkeypatch.delenv(name, raising=False)
    for name, value in EVERYTHING_PLAIN.items():
        monkeypatch.setenv(name, value)
    for name in ("LANGUAGE", PATH):
        monkeypatch.setenv(name, "")  # `main` sets it: so that it is put back
    monkeypatch.setattr(saves, "home", lambda: tmp_path / "home")
    return Room(tmp_path / "home", monkeypatch, capsys)


@dataclass
class Table:
    """A session, what it prints, and what was printed before each question."""

    session: Session
    output: io.StringIO
    asked: list[str] = field(default_factory=list)

    def screen(self, k: int = -1) -> str:
        """What was printed between two answers: before answer k."""
        return self.asked[k]


def table(
    game: Game,
    people: Sequence[str] = ("Ann",),
    *,
    seed: int = 1,
    lang: str = "en",
    live: bool = False,
    bots: Sequence[str] = (),
    encoding: str = "utf-8",
    **how: Any,
) -> Table:
    """A session: people on the first seats, house bots on the others."""
    waiting: Iterator[str] = iter([*bots, *["house"] * game.players])
    chairs = [Chair(name) for name in people]
    chairs += [Chair(f"Bot {seat}", next(waiting)) for seat in range(len(people), game.players)]
    names = [chair.name for chair in chairs]
    text = Written(encoding)
    console = Console(
        file=text,
        width=80,
        height=24,
        highlight=False,
        markup=False,
        emoji=False,
        force_terminal=live,
        no_color=True,
        legacy_windows=False,
    )
    match = game.match(seed, backend="interpreted", names=names)
    session = Session(match, chairs, game_words(game.name, lang, names), console, 0.0, seed=seed, **how)
    session.interactive = live
    return Table(session, text)


class Written(io.StringIO):
    """What a console of some encoding wrote."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding


def play(at: Table, typed: Iterable[Typed], monkeypatch: pytest.MonkeyPatch) -> int:
    """Let people type at a table, or raise; then the input ends. Returns the exit status."""
    lines, read = iter(typed), 0

    def answer(_prompt: str = "") -> str:
        nonlocal read
        text = at.output.getvalue()
        at.asked.append(text[read:])
        read = len(text)
        line = next(lines, EOFError())
        if isinstance(line, BaseException):
            raise line
        return line if isinstance(line, str) else line()

    monkeypatch.setattr(builtins, "input", answer)
    status = at.session.run()
    at.asked.append(at.output.getvalue()[read:])
    return status
