"""The workshop's process: it is told by lines of JSON what to measure, and writes figures as lines of JSON.

`{"start": KEY}` begins or continues what was asked, `{"stop": KEY}` ends it; when its input ends, so does the process.
It answers `{"of": KEY, "figures": …}` again and again, or `{"of": KEY, "refused": …}` once. All that is asked takes
turns, a short step each. It gives way to whatever else the computer does.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Text, say
from hexdeck.lab.workshop.asked import from_key
from hexdeck.lab.workshop.figures import figures_of
from hexdeck.lab.workshop.measurement import Measurement

LOG = logging.getLogger("hexdeck.workshop")
POLITE = 19  # the lowest priority that there is
MOST_KEPT = 24  # measurements that wait to be gone on with
TOLD_EVERY = 0.25  # seconds between two lines about the same
FAILED = say("This variant can't be measured: something went wrong.")


class Worker:
    """Measures all that is asked, in turns. `out`: where answers are written."""

    def __init__(self, out: IO[str], threads: int) -> None:
        self.out, self.threads, self.pool = out, threads, ThreadPoolExecutor(threads)
        self.active: OrderedDict[str, float] = OrderedDict()  # by key, when it was told of last
        self.kept: OrderedDict[str, Measurement] = OrderedDict()

    def hear(self, line: dict[str, str]) -> None:
        """Begin or end something."""
        if "start" in line:
            self.active[line["start"]] = 0.0
        else:
            self.active.pop(line["stop"], None)

    def turn(self) -> None:
        """Make one step of what has waited longest."""
        key, told = next(iter(self.active.items()))
        self.active.move_to_end(key)
        try:
            measured = self.measurement(key)
            if not measured.done:
                measured.step()
            if measured.done or time.monotonic() - told >= TOLD_EVERY:
                self.tell(key, figures=figures_of(measured).data())
                self.active[key] = time.monotonic()
            if measured.done:
                del self.active[key]
        except HexdeckError as error:
            self.refuse(key, error.text)
        except Exception:
            LOG.exception("a variant can't be measured")
            self.refuse(key, FAILED)

    def measurement(self, key: str) -> Measurement:
        """What was begun before, else something new; raises HexdeckError."""
        if key not in self.kept:
            self.kept[key] = Measurement(from_key(key), self.threads, self.pool)
        self.kept.move_to_end(key)
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        return self.kept[key]

    def refuse(self, key: str, why: Text) -> None:
        """Say that something can't be measured, and why."""
        self.active.pop(key, None)
        self.kept.pop(key, None)
        self.tell(key, refused=why.data())

    def tell(self, key: str, **what: Any) -> None:
        """Write a line."""
        self.out.write(json.dumps({"of": key, **what}, separators=(",", ":"), allow_nan=False) + "\n")
        self.out.flush()


def read_lines(given: IO[str], lines: SimpleQueue[dict[str, str] | None]) -> None:
    """Pass on the lines that arrive, then None."""
    for line in given:
        lines.put(json.loads(line))
    lines.put(None)


def serve(given: IO[str], out: IO[str], threads: int) -> None:
    """Measure until the input ends."""
    worker, lines = Worker(out, threads), SimpleQueue[dict[str, str] | None]()
    Thread(target=read_lines, args=(given, lines), daemon=True).start()
    while True:
        try:
            line = lines.get(block=not worker.active)
        except Empty:
            worker.turn()
            continue
        if line is None:
            return
        worker.hear(line)


def main() -> None:
    """The process's main function; its argument is by how much its priority is lowered, POLITE if there is none."""
    polite = int(sys.argv[1]) if len(sys.argv) > 1 else POLITE
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, whose end ends this
    if hasattr(os, "nice"):
        os.nice(polite)
    try:
        serve(sys.stdin, sys.stdout, os.cpu_count() or 1)
    finally:
        sys.stdout.flush()
        os._exit(0)  # without waiting for a step


if __name__ == "__main__":
    main()
