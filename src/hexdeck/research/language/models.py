"""Language models as players of a tournament: programs that read a prompt, and chat endpoints; and their transcripts.

`prompt:COMMAND` is started for each question: it reads the prompt on its standard input, to the end, and writes its
answer. `chat:URL#MODEL` is an endpoint that speaks the chat-completions format. Neither can lose a game by what it
answers: after some refused answers a random legal move is made, and counted.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, cast

from hexdeck.bots.files import append_lines
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.research import programs
from hexdeck.research.language import chat
from hexdeck.research.language.player import TRIES, ModelCounts, ModelPlayer

PREFIX = "prompt:"
MODELS = PREFIX, chat.PREFIX
LONGEST = 100_000  # bytes of an answer that are kept


class PromptProgram:
    """A program that answers prompts: `name` is `prompt:COMMAND`, `think` the seconds for an answer."""

    def __init__(self, name: str, think: float) -> None:
        command = name.removeprefix(PREFIX)
        try:
            self.words = programs.command_words(command)
        except BadOption:
            text = _("{command} is not a command; write prompt:PROGRAM, such as 'prompt:python3 model.py'.")
            raise BadOption(say(text, command=name)) from None
        self.think = think

    def __call__(self, rules: str, question: str) -> str | None:
        """The program's answer; None if it can't be started, fails without a word, or takes too long."""
        try:
            process = subprocess.Popen(  # noqa: S603 - a program that the user named
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            text = _("{command} can't be started: {why}.")
            raise HexdeckError(say(text, command=self.words[0], why=error.strerror or "")) from None
        with process:
            try:
                answer = talked(process, f"{rules}\n\n{question}\n".encode(), self.think)
            finally:
                programs.kill(process)
        return (
            None if answer is None or (process.returncode and not answer.strip()) else answer.decode(errors="replace")
        )

    def close(self) -> None:
        """Do nothing: no process stays."""


def talked(process: subprocess.Popen[bytes], question: bytes, seconds: float) -> bytes | None:
    """What a program writes when it is asked something, up to LONGEST bytes; None if that takes too long."""
    into, out = cast("Any", process.stdin), cast("Any", process.stdout)
    answers: list[bytes] = []

    def write() -> None:
        with contextlib.suppress(OSError, ValueError), into:
            into.write(question)

    def read() -> None:
        answers.append(out.read(LONGEST))

    writer, reader = (threading.Thread(target=task, daemon=True) for task in (write, read))
    writer.start()
    reader.start()
    end = time.monotonic() + seconds
    reader.join(seconds)
    if answers and len(answers[0]) < LONGEST:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, end - time.monotonic()))
    answer = answers[0] if answers else None
    programs.kill(process)  # ends both threads
    writer.join()
    reader.join()
    return answer


def is_model(name: str) -> bool:
    """Whether a bot's name is that of a language model."""
    return name.startswith(MODELS)


class ModelBot:
    """A language model on one seat of a tournament; raises BadOption for a name that is no command or endpoint."""

    def __init__(self, name: str, think: float, tries: int = TRIES, seed: int | bytes = 0) -> None:
        self.name = name
        ask = (chat.ChatEndpoint if name.startswith(chat.PREFIX) else PromptProgram)(name, think)
        self.player = ModelPlayer(ask, tries, seed)

    def choose(self, match: Match, seat: int) -> int:
        """The model's move, or a random one after its tries."""
        return self.player.choose(match, seat)

    def over(self, match: Match, seat: int, lost: programs.Loss | None = None) -> None:
        """Do nothing: a model keeps nothing from one question to the next."""

    def close(self) -> None:
        """Do nothing: there is no process."""


def counted(players: list[Any]) -> dict[str, dict[str, Any]]:
    """What the models among a game's players were asked, by name."""
    out: dict[str, ModelCounts] = {}
    for player in players:
        if isinstance(player, ModelBot):
            out.setdefault(player.name, ModelCounts()).add(player.player.counts.data())
    return {name: counts.data() for name, counts in out.items()}


class Transcripts:
    """A file with a line of JSON for each question that a model was asked; a game's lines are written at its end.

    Raises HexdeckError if it can't be written.
    """

    def __init__(self, file: Path | None) -> None:
        self.file, self._lock = file, threading.Lock()

    def add(self, deal: int, seating: tuple[str, ...], players: list[Any]) -> None:
        """Add what was asked and answered in a game, in the order of play."""
        entries: list[dict[str, Any]] = [
            {"deal": deal, "seating": list(seating), "bot": player.name} | line
            for player in players
            if isinstance(player, ModelBot)
            for line in player.player.transcript
        ]
        if self.file is None or not entries:
            return
        with self._lock:
            append_lines(self.file, sorted(entries, key=lambda line: line["ply"]))
