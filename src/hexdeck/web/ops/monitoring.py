"""What the keeper of a server can watch: metrics for Prometheus, logs as JSON, and what was refused."""

from __future__ import annotations

import json
import logging
import math
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client import Counter as Count

FAST = (
    0.0002,
    0.0004,
    0.0005,
    0.0006,
    0.0008,
    0.001,
    0.0015,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
)


class Metrics:
    """The counters, gauges and histograms of one server."""

    def __init__(self, tables: Callable[[], float], streams: Callable[[], float]) -> None:
        self.registry = CollectorRegistry()
        self._gauge("hexdeck_tables", "Tables in memory", tables)
        self._gauge("hexdeck_streams", "Open streams", streams)
        self.moves = Count("hexdeck_moves", "Moves stored", ["game", "by"], registry=self.registry)
        self.changes = Count("hexdeck_changes", "Other changes stored", ["kind"], registry=self.registry)
        self.frames = Count("hexdeck_frames", "Frames sent to streams", registry=self.registry)
        self.requests = self._histogram("hexdeck_request_seconds", "Answering a request", ["route", "status"])
        self.acknowledged = self._histogram("hexdeck_move_seconds", "From a move's request to its commit", [])
        self.commits = self._histogram("hexdeck_commit_seconds", "A transaction of the store", [])
        self.batches = Count("hexdeck_stored_jobs", "Jobs of the store that were committed", registry=self.registry)
        self.rendered = self._histogram("hexdeck_render_seconds", "View, beats and page of one seat", [])
        self.connections = Gauge("hexdeck_connections", "Open connections", registry=self.registry)
        self.refused = Count(
            "hexdeck_refused_connections", "Connections refused or cut", ["why"], registry=self.registry
        )
        self.refused_requests = Count("hexdeck_refused_requests", "Requests refused", ["why"], registry=self.registry)
        self.calls = Count("hexdeck_calls", "People called to their turn", ["status"], registry=self.registry)
        self.thoughts = self._histogram("hexdeck_bot_seconds", "A bot's thought", ["game"])

    def _gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        Gauge(name, about, registry=self.registry).set_function(read)

    def _histogram(self, name: str, about: str, labels: list[str]) -> Histogram:
        return Histogram(name, about, labels, buckets=FAST, registry=self.registry)

    def committed(self, jobs: int, seconds: float) -> None:
        """A transaction of the store: how many jobs shared it, and how long it took."""
        self.commits.observe(seconds)
        self.batches.inc(jobs)

    def text(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry)


# --- what was refused -------------------------------------------------------------------------------------------------
LOG = logging.getLogger("hexdeck.web")
LOG_EVERY = 60.0  # seconds between two lines of the log about the same
MOST_NAMED = 1000  # networks that are counted between two such lines
CONNECTIONS, REQUESTS = "connections refused or cut", "requests refused"  # what is logged


class Refusals:
    """Counts refusals by reason, in a metric too; each reason is logged at once, then once a minute while it goes on.

    `subject`: what was refused. The reasons are few, and hold nothing that somebody sent.
    """

    def __init__(self, subject: str, metric: Any) -> None:
        self.what, self.metric = subject, metric
        self._since: dict[str, Counter[str]] = {}  # for each reason whose networks were refused since it was logged
        self._examples: dict[str, str] = {}
        self._logged_at: dict[str, float] = {}

    def note(self, why: str, network: str, example: str = "") -> None:
        """Something of a network was refused; `example`: what it sent, where that is safe to log."""
        self.metric.labels(why).inc()
        since = self._since.setdefault(why, Counter())
        since[network if network in since or len(since) < MOST_NAMED else "others"] += 1
        if example:
            self._examples[why] = example

    def log(self, now: float, **more: Any) -> None:
        """Log what wasn't logged yet, each line with `more`."""
        for why, since in list(self._since.items()):
            if now - self._logged_at.get(why, -math.inf) >= LOG_EVERY:
                (worst, of_it), *_ = since.most_common(1)
                example = {"example": self._examples.pop(why)} if why in self._examples else {}
                LOG.warning(
                    self.what,
                    extra={
                        "why": why,
                        "count": since.total(),
                        "networks": len(since),
                        "most": worst,
                        "of_it": of_it,
                        **example,
                        **more,
                    },
                )
                self._logged_at[why] = now
                del self._since[why]


# --- logs, without secrets: handlers are named; addresses, which may hold tokens, are not -----------------------------
KNOWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """A JSON object for each log record: time, level, logger, message, and whatever else it was given."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a log record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in KNOWN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def to_stderr(level: str) -> None:
    """Log to the error stream, from a level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("hexdeck", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True  # it would write addresses with tokens
