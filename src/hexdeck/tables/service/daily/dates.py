"""The days of deals: dates by the server's own clock, in its own time zone."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta


def date_at(now: float) -> date:
    """The date of a time in seconds since 1970."""
    return here(now).date()


def day_at(now: float) -> str:
    """The same as a text, as in 2026-11-26."""
    return date_at(now).isoformat()


def end_of(day: str) -> float:
    """When a day ends."""
    following = date.fromisoformat(day) + timedelta(1)
    return time.mktime((following.year, following.month, following.day, 0, 0, 0, 0, 0, -1))


def is_over(day: str, now: float) -> bool:
    """Whether a day is over."""
    return now >= end_of(day)


def days_before(day: str, number: int) -> str:
    """The date so many days before a day."""
    return (date.fromisoformat(day) - timedelta(number)).isoformat()


def zone_at(now: float) -> str:
    """The server's time zone at a time, as in CET (UTC+01:00), or UTC."""
    local = here(now)
    name, offset = local.tzname() or "", local.strftime("%z")
    if not local.utcoffset():
        return "UTC"
    from_utc = f"UTC{offset[:3]}:{offset[3:5]}"
    return f"{name} ({from_utc})" if name.isalpha() else from_utc


def here(now: float) -> datetime:
    """A time where the server is."""
    return datetime.fromtimestamp(now, UTC).astimezone()
