"""Programs of anybody as players: JSON in lines over their standard input and output.

`docs/protocol.md` describes it for those who write programs: a line is what a seat's stream at a live table says (`GET
/api/tables/…/stream`), and an answer the body of a move there. Each seat has a process of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from base64 import b64encode
from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Seat, Text, _, say
from hexdeck.engine.view import View

PREFIX = "run:"
LONGEST = 100_000  # letters of an answer
MOST_KEPT = 1000  # lines that a program said without being asked; it waits with more
PATIENCE = 2.0  # seconds for a program to end


class Forfeit(HexdeckError):
    """A program has lost the game by rule; the text says why."""


@dataclass(frozen=True)
class Lost:
    """Who lost a game by rule, and why."""

    seat: int
    why: Text


class Program:
    """A player outside, for one seat: started when first asked, and again after each game that it has lost by rule."""

    def __init__(self, command: str, think: float) -> None:
        self.name, self.think = PREFIX + command, think
        self._words = words_of(command)
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue(MOST_KEPT)
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._sent: queue.Queue[bool] = queue.Queue()
        self._version = 0  # lines of this game so far

    def choose(self, match: Match, seat: int) -> int:
        """The action it answers for a seat that is to act; raises Forfeit for silence, nonsense and what is illegal."""
        for _line in range(self._answers.qsize()):  # what was said before a question is no answer to it
            if self._answers.get() is None:
                raise self._lost(say("the program ended"))
        end = time.monotonic() + self.think
        self._send(told(match, seat, self._version), end)
        self._version += 1
        answer = self._wait(self._answers, end)
        if answer is None:
            raise self._lost(say("the program ended"))
        action = action_of(match, answer)
        if action is None:
            raise self._lost(say("nonsense: {answer}", answer=answer[:80]))
        if action not in match.legal_ids(seat):
            raise self._lost(say("illegal: {answer}", answer=answer[:80]))
        return action

    def over(self, match: Match, seat: int, lost: Lost | None = None) -> None:
        """Tell it that a game has ended, and who has lost it by rule, if it still listens."""
        version, self._version = self._version, 0
        if self._process is not None:
            with contextlib.suppress(Forfeit):
                self._send(told_end(match, seat, version, lost), time.monotonic() + self.think)

    def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is None:
            return
        self._lines.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        kill(process)
        self._speaker.join(PATIENCE)
        end = time.monotonic() + PATIENCE
        while self._listener.is_alive() and time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                self._answers.get(timeout=0.01)  # it may wait for room
        self._answers = queue.Queue(MOST_KEPT)

    def _lost(self, why: Text) -> Forfeit:
        if self._process is not None:
            kill(self._process)
        self.close()
        return Forfeit(why)

    def _send(self, message: dict[str, Any], end: float) -> None:
        if self._process is None:
            self._start()
        self._lines.put(json.dumps(message) + "\n")
        if not self._wait(self._sent, end):
            raise self._lost(say("the program ended"))

    def _wait(self, what: queue.Queue[Any], end: float) -> Any:
        try:
            return what.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            text = _("no answer within {seconds} seconds")
            raise self._lost(say(text, seconds=f"{self.think:g}")) from None

    def _start(self) -> None:
        try:
            process = subprocess.Popen(  # noqa: S603 - a program that the user named
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                errors="replace", start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise self._lost(say("it can't be started: {why}", why=error.strerror or "")) from None
        self._process, self._answers = process, queue.Queue(MOST_KEPT)
        self._lines, self._sent = queue.Queue(), queue.Queue()
        self._speaker = threading.Thread(target=speak, args=(process, self._lines, self._sent), daemon=True)
        self._speaker.start()
        self._listener = threading.Thread(target=listen, args=(process, self._answers), daemon=True)
        self._listener.start()


def kill(process: subprocess.Popen[str]) -> None:
    """End a program at once, and all that it has started, even if it has ended itself."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def speak(process: subprocess.Popen[str], lines: queue.Queue[str | None], sent: queue.Queue[bool]) -> None:
    """Send a program each line, and tell of each whether it took it; at None, close its input."""
    put: Any = process.stdin
    while (line := lines.get()) is not None:
        try:
            put.write(line)
            put.flush()
            sent.put(True)
        except OSError:
            sent.put(False)
    with contextlib.suppress(OSError):
        put.close()


def listen(process: subprocess.Popen[str], answers: queue.Queue[str | None]) -> None:
    """Put each line that a program writes where it is waited for; None when it ends."""
    output: Any = process.stdout
    with output, contextlib.suppress(OSError, ValueError):
        while line := output.readline(LONGEST):
            answers.put(line.strip())
    answers.put(None)


def words_of(command: str) -> list[str]:
    """A command as words; raises BadOption."""
    with contextlib.suppress(ValueError):
        words = shlex.split(command)
        if words:
            return words
    text = _("{command} is no command; write run:PROGRAM, such as 'run:python3 bot.py'.")
    raise BadOption(say(text, command=PREFIX + command))


def told(match: Match, seat: int, version: int) -> dict[str, Any]:
    """The table as a seat knows it, as a stream of the table says it; `version` counts the lines of the game."""
    return message(match, seat, version, match.view(seat), None)


def told_end(match: Match, seat: int, version: int, lost: Lost | None) -> dict[str, Any]:
    """The table when a game has ended, by its rules or because somebody has lost it: then nobody is asked any more."""
    view = match.view(seat)
    if lost is not None:
        prompt = say("{seat} lost the match by rule: {why}", seat=Seat(lost.seat), why=lost.why)
        view = replace(view, moves=(), acting=(), prompt=prompt)
    return message(match, seat, version, view, lost, "over")


def message(
    match: Match, seat: int, version: int, view: View, lost: Lost | None, state: str = "playing"
) -> dict[str, Any]:
    """A line of the protocol."""
    players = range(match.game.players)
    return {
        "game": match.game.name, "rules": match.game.rules.STRUCT_VERSION, "options": dict(match.game.options),
        "state": state, "version": version, "seat": seat, "seats": [{"number": number} for number in players],
        "view": view.data(), "log_from": 0, "struct": b64encode(match.concealed(seat)).decode(),
        "forfeit": None if lost is None else {"seat": lost.seat, "why": str(lost.why)},
    }  # fmt: skip


def action_of(match: Match, answer: str) -> int | None:
    """The id of the action that an answer names; None for what is no answer."""
    try:
        move = json.loads(answer)["move"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if isinstance(move, str):
        names = match.game.rules.ACTIONS
        return names.index(move) if move in names else None
    return move if isinstance(move, int) and not isinstance(move, bool) else None
