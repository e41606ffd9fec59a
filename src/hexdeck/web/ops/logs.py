"""Logs as lines of JSON, without secrets: handlers are named; addresses, which may hold tokens, are not."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

KNOWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """A JSON object for each log record: time, level, logger, message, and whatever else it was given."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a log record."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(), "from": record.name, "what": record.getMessage(),
        }  # fmt: skip
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
