"""External programs as players: JSON lines over their standard input and output.

`docs/reference/protocol.md` describes the protocol for authors of programs: a line is an event of a seat's stream at a
live table (`GET /api/tables/…/stream`), and an answer is the body of a move there. Each seat has its own process.
"""

import contextlib
import errno
import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from base64 import b64encode
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Seat, Text, _, say
from hexdeck.engine.view import View

PREFIX = "run:"
LONGEST = 100_000  # characters of an answer
MOST_KEPT = 1000  # unread lines of a program; it blocks when it writes more
PATIENCE = 2.0  # seconds for a program to end


class Forfeit(HexdeckError):
    """A program forfeits the game; the text says why."""


@dataclass(frozen=True)
class Loss:
    """The seat that forfeited a game, and why."""

    seat: int
    why: Text


class Program:
    """An external player on one seat: started when it is first asked, and again after a game that it forfeited.

    `think`: seconds for a move.
    """

    def __init__(self, command: str, think: float) -> None:
        self.name, self.think = PREFIX + command, think
        self._words = command_words(command)
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue(MOST_KEPT)
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._sent: queue.Queue[bool] = queue.Queue()
        self.version = 0  # lines sent in this game so far

    def choose(self, match: Match, seat: int) -> int:
        """The action that the program answers for its seat; raises Forfeit if it is missing, malformed or illegal."""
        for _line in range(self._answers.qsize()):  # lines written before the question aren't answers to it
            if self._answers.get() is None:
                raise self._lost(say("the program ended"))
        end = time.monotonic() + self.think
        self._send(turn_message(match, seat, self.version), end)
        self.version += 1
        answer = self._wait(self._answers, end)
        if answer is None:
            raise self._lost(say("the program ended"))
        action = action_of(match, answer)
        if action is None:
            raise self._lost(say("nonsense: {answer}", answer=answer[:80]))
        if action not in match.legal_ids(seat):
            raise self._lost(say("illegal: {answer}", answer=answer[:80]))
        return action

    def over(self, match: Match, seat: int, lost: Loss | None = None) -> None:
        """Tell the program, if it runs, that a game has ended, and who forfeited it."""
        version, self.version = self.version, 0
        if self._process is not None:
            with contextlib.suppress(Forfeit):
                self._send(end_message(match, seat, version, lost), time.monotonic() + self.think)

    def close(self) -> None:
        """End the program."""
        process, self._process = self._process, None
        if process is None:
            return
        self._lines.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        kill(process)
        self._writer.join(PATIENCE)
        end = time.monotonic() + PATIENCE
        while self._reader.is_alive() and time.monotonic() < end:
            with contextlib.suppress(queue.Empty):
                self._answers.get(timeout=0.01)  # the reader may wait for room
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

    def _wait(self, lines: queue.Queue[Any], end: float) -> Any:
        try:
            return lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            text = _("no answer within {seconds} seconds")
            raise self._lost(say(text, seconds=f"{self.think:g}")) from None

    def _start(self) -> None:
        try:
            process = subprocess.Popen(  # noqa: S603 - a program that the user named
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
        except OSError as error:
            raise self._lost(say("it can't be started: {why}", why=error.strerror or "")) from None
        self._process, self._answers = process, queue.Queue(MOST_KEPT)
        self._lines, self._sent = queue.Queue(), queue.Queue()
        self._writer = threading.Thread(target=write_lines, args=(process, self._lines, self._sent), daemon=True)
        self._writer.start()
        self._reader = threading.Thread(target=read_lines, args=(process, self._answers), daemon=True)
        self._reader.start()


def check_command(name: str) -> None:
    """Raise HexdeckError where there is no such program, or it can't be run; `name`: as it is typed, with its kind."""
    program = command_words(name.partition(":")[2])[0]
    if shutil.which(program) is None:
        why = os.strerror(errno.EACCES if Path(program).exists() else errno.ENOENT)
        raise HexdeckError(say("{program} can't be started: {why}.", program=name, why=why))


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill a program and all that it started, even where the program itself has ended."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def write_lines(process: subprocess.Popen[str], lines: queue.Queue[str | None], sent: queue.Queue[bool]) -> None:
    """Write each line to a program and put into `sent` whether that succeeded; at None, close its input."""
    stdin: Any = process.stdin
    while (line := lines.get()) is not None:
        try:
            stdin.write(line)
            stdin.flush()
            sent.put(True)
        except OSError:
            sent.put(False)
    with contextlib.suppress(OSError):
        stdin.close()


def read_lines(process: subprocess.Popen[str], answers: queue.Queue[str | None]) -> None:
    """Put each line that a program writes into `answers`; None when it ends."""
    output: Any = process.stdout
    with output, contextlib.suppress(OSError, ValueError):
        while line := output.readline(LONGEST):
            answers.put(line.strip())
    answers.put(None)


def command_words(command: str) -> list[str]:
    """The words of a shell command; raises BadOption."""
    with contextlib.suppress(ValueError):
        parts = shlex.split(command)
        if parts:
            return parts
    text = _("{command} is not a command; write run:PROGRAM, such as 'run:python3 bot.py'.")
    raise BadOption(say(text, command=PREFIX + command))


def turn_message(match: Match, seat: int, version: int) -> dict[str, Any]:
    """The message that asks a seat to move: its view of the table; `version` counts the lines of the game."""
    return message(match, seat, version, match.view(seat), None)


def end_message(match: Match, seat: int, version: int, lost: Loss | None) -> dict[str, Any]:
    """The message that a game has ended, by its rules or by a forfeit."""
    view = match.view(seat)
    if lost is not None:
        prompt = say("{seat} forfeited the match: {why}", seat=Seat(lost.seat), why=lost.why)
        view = replace(view, moves=(), acting=(), prompt=prompt)
    return message(match, seat, version, view, lost, "over")


def message(
    match: Match, seat: int, version: int, view: View, lost: Loss | None, state: str = "playing"
) -> dict[str, Any]:
    """A message of the protocol."""
    players, rules = range(match.game.players), match.game.rules
    legal = set(match.legal_ids(seat)) if state == "playing" else set()
    names = {"observation": {name: list(part) for name, part in rules.SLICES.items()}, "actions": list(rules.ACTIONS)}
    return {
        "game": match.game.name,
        "rules": match.game.definition.struct_version,
        "options": dict(match.game.options),
        "state": state,
        "version": version,
        "seat": seat,
        "seats": [{"number": number} for number in players],
        "view": view.data(),
        "log_from": 0,
        "observation": match.observation(seat).tolist(),
        "mask": [int(action in legal) for action in range(len(rules.ACTIONS))],
        "names": names if version == 0 else None,
        "struct": b64encode(match.concealed(seat)).decode(),
        "forfeit": None if lost is None else {"seat": lost.seat, "why": str(lost.why)},
    }


def action_of(match: Match, answer: str) -> int | None:
    """The id of the action that an answer names; None if it is malformed."""
    try:
        move = json.loads(answer)["move"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if isinstance(move, str):
        names = match.game.rules.ACTIONS
        return names.index(move) if move in names else None
    return move if isinstance(move, int) and not isinstance(move, bool) else None
