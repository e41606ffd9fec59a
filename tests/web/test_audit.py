"""What a keeper reads in the log when somebody is refused: a line for each reason, and no secrets."""

import io
import json
import logging
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.web.server.middleware import JsonLines, to_stderr
from tests.support import until
from tests.web.serving import PLENTY, Data, Person, Program, Served, file_in, get, metrics, served

SECRET = "a-token-that-nobody-may-read-in-a-log"


@pytest.fixture
def log_of() -> Iterator[Callable[[Served], io.StringIO]]:
    """What a server logs from now on, as lines of JSON; servers of other tests log at the same place."""
    logger, handlers = logging.getLogger("hexdeck.web"), list[logging.Handler]()

    def begun(site: Served) -> io.StringIO:
        handler = logging.StreamHandler(out := io.StringIO())
        handler.setFormatter(JsonLines())
        handler.addFilter(lambda record: record.thread == site.thread.ident)
        handlers.append(handler)
        logger.addHandler(handler)
        return out

    yield begun
    for handler in handlers:
        logger.removeHandler(handler)


def refused(log: io.StringIO) -> dict[str, Data]:
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    return {line["why"]: line for line in lines if line["what"] == "requests refused"}


def test_each_reason_is_a_line_that_counts_and_tells_no_secret(tmp_path, log_of) -> None:
    limits = replace(PLENTY, creates=(0.001, 2))
    with served(file_in(tmp_path), limits) as site:
        log, ann = log_of(site), Program(site.base)
        ann.creates(game="hawthorn", players=2, seats=["you", "open"])
        stranger = Program(site.base, SECRET)
        stranger.table = ann.table
        for _ in range(5):
            assert stranger.post("/move", {"move": "x", "version": 1}).status_code == 403
        assert get(f"{site.base}/join/{ann.table}.1.{SECRET}").status_code == 404
        assert get(f"{site.base}/carry/{SECRET}").status_code == 404
        assert get(f"{site.base}/metrics", headers={"authorization": f"Bearer {SECRET}"}).status_code == 403
        assert get(f"{site.base}/about", headers={"host": "evil.example"}).status_code == 421
        assert Person(site.base).http.post("/play", headers={"origin": "http://evil.example"}).status_code == 403
        assert Person(site.base).post("/play", {"game": "hawthorn"}).status_code == 303
        assert Person(site.base).post("/play", {"game": "hawthorn"}).status_code == 429
        expected = {
            "This token has no seat at this table.",
            "This invitation isn't valid; ask for a new one.",
            "This link has already been used, or is too old; make another on the device that has the seat.",
            "Metrics are only for whoever keeps this server: they need its token for metrics.",
            "an unknown host",
            "a request from another site",
            "Too many new tables from your address; wait a minute.",
        }
        until(lambda: expected <= set(refused(log)))
        assert 'hexdeck_refused_requests_total{why="an unknown host"} 1.0' in metrics(site.base)
    lines = refused(log)
    assert all(line["level"] == "warning" and line["most"] == THIS_COMPUTER for line in lines.values())
    tokens = {SECRET, ann.token, ann.table}
    assert not [token for token in tokens if token in log.getvalue()]
    held = "This token has no seat at this table."
    counts = [json.loads(line)["count"] for line in log.getvalue().splitlines() if held in line]
    assert sum(counts) == 5


def test_a_match_that_is_played_logs_nothing(tmp_path: Path, log_of: Callable[[Served], io.StringIO]) -> None:
    with served(file_in(tmp_path)) as site:
        log, ann = log_of(site), Person(site.base).begins({"game": "hawthorn"}, "/play")
        for _ in range(4):
            ann.plays(random.Random(1))
    assert not log.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_a_log_is_plain_on_a_terminal_and_json_elsewhere(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    monkeypatch.setattr(sys, "stderr", out := io.StringIO())
    monkeypatch.setattr(out, "isatty", lambda: terminal)
    for name in ("hexdeck", "uvicorn"):
        for what in ("handlers", "propagate", "level"):
            monkeypatch.setattr(logging.getLogger(name), what, getattr(logging.getLogger(name), what))
    to_stderr("warning")
    logging.getLogger("hexdeck.web").warning("requests refused", extra={"why": "No such table.", "count": 2})
    logging.getLogger("hexdeck.web").warning("a process has ended", extra={"status": 3})
    first, second = out.getvalue().splitlines()
    if terminal:
        assert re.fullmatch(r"\d\d:\d\d requests refused: No such table\.", first)
        assert second.endswith(" a process has ended: status 3")
    else:
        assert json.loads(first)["count"] == 2 and json.loads(second)["status"] == 3
