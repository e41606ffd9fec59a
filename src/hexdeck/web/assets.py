"""Files that browsers keep for good: their addresses change with their contents."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain",
}


@functools.cache
def address(name: str) -> str:
    """The address of a file below the site's beginning: `static/style.0123456789ab.css`."""
    file = FOLDER / name
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    return f"static/{file.stem}.{digest}{file.suffix}"


def find(name: str) -> tuple[Path, str] | None:
    """The file behind a hashed name (`style.0123456789ab.css`) and its media type; None where there is no such file."""
    found = re.fullmatch(r"([a-z0-9-]+)\.[0-9a-f]{12}(\.[a-z]+)", name)
    if found is None or found[2] not in KINDS:
        return None
    file = FOLDER / (found[1] + found[2])
    return (file, KINDS[file.suffix]) if file.is_file() and address(file.name) == f"static/{name}" else None
