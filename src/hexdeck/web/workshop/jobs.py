"""What is being measured: jobs that somebody looks at, made by one process of low priority, which ends when idle.

A job goes on as long as somebody looks at it, and what it has found is kept for a while. The process is told by lines
of JSON (`lab.workshop`); a server whose workshop nobody enters has none.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from hexdeck.engine.text import Text, from_data, say
from hexdeck.lab.workshop import Figures, Inquiry, figures_from
from hexdeck.tables.errors import TooMany
from hexdeck.web.ops.settings import Limits

LOG = logging.getLogger("hexdeck.web")
COMMAND = sys.executable, "-P", "-m", "hexdeck.lab.workshop"
MOST_KEPT = 200  # jobs whose figures are kept
IDLE = 60.0  # seconds without anybody in the workshop after which the process ends
STOPPED = say("The workshop has stopped; measure again.")


@dataclass(eq=False)
class Look:
    """Somebody who looks at jobs: where they are, and whether there is news for them."""

    address: str
    keys: tuple[str, ...]
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    def end(self) -> None:
        """Let it end."""
        self.ended = True
        self.news.set()


@dataclass
class FigureJob:
    """What is known of something that was asked, or why it can't be measured; and who looks at it."""

    figures: Figures | None = None
    refused: Text | None = None
    looks: set[Look] = field(default_factory=set)

    @property
    def done(self) -> bool:
        """Whether nothing more will be found."""
        return self.refused is not None or (self.figures is not None and self.figures.done)


class Workshop:
    """All jobs of this server, and the process that makes them."""

    def __init__(self, limits: Limits, command: Sequence[str] = COMMAND) -> None:
        self.limits, self.command = limits, tuple(command)
        self.jobs: OrderedDict[str, FigureJob] = OrderedDict()
        self.looks: set[Look] = set()
        self.process: subprocess.Popen[bytes] | None = None
        self.closed = False
        self._resting: asyncio.TimerHandle | None = None
        self._reader: Thread | None = None

    # --- looking --------------------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def looking(self, questions: Sequence[Inquiry], address: str) -> Iterator[Look]:
        """While somebody looks at what they asked for; raises TooMany."""
        look = self.begin(questions, address)
        try:
            yield look
        finally:
            self.leave(look)

    def begin(self, questions: Sequence[Inquiry], address: str) -> Look:
        """Somebody begins to look at what they asked for; raises TooMany."""
        look = Look(address, tuple(dict.fromkeys(question.key for question in questions)))
        self._assert_room(look)
        self.looks.add(look)
        for key in look.keys:
            job = self.jobs.setdefault(key, FigureJob())
            self.jobs.move_to_end(key)
            if job.refused is STOPPED:
                job.refused = None
            if not job.looks and not job.done:
                self._send({"start": key})
            job.looks.add(look)
        self._forget()
        return look

    def leave(self, look: Look) -> None:
        """Somebody looks no more: what nobody looks at stops."""
        if look not in self.looks:
            return
        self.looks.discard(look)
        for key in look.keys:
            job = self.jobs[key]
            job.looks.discard(look)
            if not job.looks and not job.done:
                self._send({"stop": key})
        if not self.looks and self.process is not None:
            self._resting = asyncio.get_running_loop().call_later(IDLE, self._end_process)

    def linger(self, look: Look, seconds: float) -> None:
        """Somebody looks for so many seconds more: a page without a script asks again."""
        asyncio.get_running_loop().call_later(seconds, self.leave, look)

    def _assert_room(self, look: Look) -> None:
        running = {key for key, job in self.jobs.items() if job.looks and not job.done}
        additional = [key for key in look.keys if key not in running and not self.jobs.get(key, FigureJob()).done]
        theirs = {key for neighbour in self.looks if neighbour.address == look.address for key in neighbour.keys}
        if self.closed or len(self.looks) >= self.limits.looks or len(running) + len(additional) > self.limits.measured:
            raise TooMany(say("The workshop is full just now; try again in a minute."))
        if len(theirs | set(look.keys)) > self.limits.measured_each:
            raise TooMany(say("Too many variants are being measured at your address; close a page of the workshop."))

    def _forget(self) -> None:
        for key in [key for key, job in self.jobs.items() if not job.looks][: max(0, len(self.jobs) - MOST_KEPT)]:
            del self.jobs[key]

    # --- the process ------------------------------------------------------------------------------------------------
    def _send(self, line: dict[str, str]) -> None:
        """Tell the process something, and start it where there is none."""
        if self._resting:
            self._resting.cancel()
            self._resting = None
        if self.process is None:
            if "stop" in line:
                return
            self.process = self._started()
        try:
            assert self.process.stdin
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:  # it has ended: its reader says so
            LOG.warning("the workshop's process can't be told anything")

    def _started(self) -> subprocess.Popen[bytes]:
        idle = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)  # elsewhere the process lowers its own priority
        process = subprocess.Popen(  # noqa: S603
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=idle
        )
        self._reader = Thread(target=self._read, args=(process, asyncio.get_running_loop()), daemon=True)
        self._reader.start()
        return process

    def _read(self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what the process says, in a thread of its own, until it ends."""
        assert process.stdout
        with process.stdout, contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens
            for line in process.stdout:
                loop.call_soon_threadsafe(self._hear, json.loads(line))
            process.wait()
            loop.call_soon_threadsafe(self._process_ended, process)

    def _hear(self, news: dict[str, Any]) -> None:
        job = self.jobs.get(news["of"])
        if job is None:
            return
        if "refused" in news:
            job.refused = from_data(news["refused"])
        else:
            job.figures = figures_from(news["figures"])
        for look in job.looks:
            look.news.set()

    def _process_ended(self, process: subprocess.Popen[bytes]) -> None:
        """The process has ended: whoever waited for it is told, unless it was asked to."""
        if process is not self.process:
            return
        self._end_process()
        LOG.warning("the workshop's process has ended", extra={"status": process.returncode})
        for job in self.jobs.values():
            if job.looks and not job.done:
                job.refused = STOPPED
        for look in self.looks:
            look.news.set()

    def _end_process(self) -> None:
        """End the process: nobody is in the workshop."""
        process, self.process, self._resting = self.process, None, None
        if process is not None and process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()

    def close(self) -> None:
        """End the process, and let everybody's pages end."""
        self.closed = True
        if self._resting:
            self._resting.cancel()
        for look in self.looks:
            look.end()
        process = self.process
        self._end_process()
        if process is not None:
            process.terminate()
            process.wait()
        if self._reader is not None:
            self._reader.join()
