"""The base of environments that play one match at a time: spaces, render modes, copies."""

from __future__ import annotations
