"""Metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

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
        self.moves = Counter("hexdeck_moves", "Moves stored", ["game", "by"], registry=self.registry)
        self.changes = Counter("hexdeck_changes", "Other changes stored", ["kind"], registry=self.registry)
        self.frames = Counter("hexdeck_frames", "Frames sent to streams", registry=self.registry)
        self.requests = self._histogram("hexdeck_request_seconds", "Answering a request", ["route", "status"])
        self.acknowledged = self._histogram("hexdeck_move_seconds", "From a move's request to its commit", [])
        self.commits = self._histogram("hexdeck_commit_seconds", "A transaction of the store", [])
        self.batches = Counter("hexdeck_stored_jobs", "Jobs of the store that were committed", registry=self.registry)
        self.rendered = self._histogram("hexdeck_render_seconds", "View, beats and page of one seat", [])
        self.connections = Gauge("hexdeck_connections", "Open connections", registry=self.registry)
        self.refused = Counter(
            "hexdeck_refused_connections", "Connections refused or cut", ["why"], registry=self.registry
        )
        self.refused_requests = Counter("hexdeck_refused_requests", "Requests refused", ["why"], registry=self.registry)
        self.calls = Counter("hexdeck_calls", "People called to their turn", ["status"], registry=self.registry)
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
