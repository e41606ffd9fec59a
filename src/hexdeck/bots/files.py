"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file atomically: a reader gets the old content or the new one.

    It is first written beside it, under a name that no other file has, which is gone afterwards in any case. A link
    stays, and what it points to is replaced; what isn't a file, such as /dev/null, is written to as it is.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    temporary = path.with_name(f".hexdeck-{secrets.token_hex(8)}.new")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:  # Ctrl-C, too
        temporary.unlink(missing_ok=True)
        raise
