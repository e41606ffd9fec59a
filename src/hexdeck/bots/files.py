"""Files that are written whole or not at all, and those that a run resumes from: of lines, or of arrays."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import _, say


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file atomically: a reader gets the old content or the new one; raises HexdeckError.

    It is first written beside it, under a name that no other file has, which is gone afterwards in any case. Folders
    that are missing are made. A link stays, and what it points to is replaced; what isn't a file, such as /dev/null, is
    written to as it is.
    """
    place = path.resolve()
    temporary = place.with_name(f".hexdeck-{secrets.token_hex(8)}.new")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(place)
        except BaseException:  # Ctrl-C, too
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> HexdeckError:
    """The error for a file that can't be written."""
    return HexdeckError(say("{file} can't be written: {why}.", file=str(path), why=error.strerror or ""))


def refuse_other(path: Path, stored: Mapping[str, Any], about: Mapping[str, Any], other: str) -> None:
    """Raise HexdeckError where a file isn't of what is expected, `about`: another version's, or as `other` says.

    `other` is a message with the places `file` and `what`, the first key that differs.
    """
    key = next((key for key in about if stored.get(key) != about[key]), None)
    if key in ("format", "code") and key in stored:
        other = _("{file} was begun by another version of hexdeck, whose games may differ; choose another place.")
    if key is not None:
        raise HexdeckError(say(other, file=str(path), what=key))


# --- a line of JSON for each result -----------------------------------------------------------------------------------
OTHER_ROWS = _("{file} holds rows of other games (different {what}); choose another file for these.")


class LinesFile:
    """A file with a line of JSON for each result, to which an interrupted run goes on adding.

    `entries` are what its lines held when it was opened, None for a line that isn't JSON. With `about`, which has a
    `format`, the first line says what all others are of, and isn't among them. A last line that was cut off while it
    was written is left out, and `cut` is true; the file stays as it is until something is added. Raises HexdeckError
    for a file of something else, or one that can't be read or written.
    """

    def __init__(self, path: Path, about: Mapping[str, Any] | None = None) -> None:
        self.path = path
        try:
            lines = path.read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            lines = []
        except OSError as error:
            text = _("{file} can't be read: {why}.")
            raise HexdeckError(say(text, file=str(path), why=error.strerror or "")) from None
        self.entries = [parsed(line) for line in lines]
        begun = len(lines) > 1 or (about is None and lines[:1] and lines[0].startswith(b"{"))
        self.cut = bool(begun) and not lines[-1].endswith(b"\n") and self.entries[-1] is None
        if self.cut:
            self.entries.pop()
        if about is not None and lines:
            self._check(self.entries.pop(0), json.loads(json.dumps(about)))
        elif about is not None:
            self.add(about)

    def _check(self, header: Any, about: dict[str, Any]) -> None:
        """Raise HexdeckError unless the first line is the one that is expected."""
        if not isinstance(header, dict) or header.get("format") != about["format"]:
            raise HexdeckError(say("{file} is a log of something else; choose another file.", file=str(self.path)))
        refuse_other(self.path, header, about, OTHER_ROWS)

    def add(self, entry: Any) -> None:
        """Add a line; raises HexdeckError."""
        append_lines(self.path, [entry], cut=self.cut)
        self.cut = False

    def damaged(self, number: int) -> HexdeckError:
        """The error for an entry, by its number, that can't be what the file is of."""
        text = _("Line {number} of {file} is damaged: take out all lines from there on, or choose another file.")
        return HexdeckError(say(text, number=number + 2, file=str(self.path)))


def append_lines(path: Path, entries: Iterable[Any], *, cut: bool = False) -> None:
    """Add a line of JSON for each entry; a last line without an end gets one, or is dropped where it is `cut`.

    Raises HexdeckError.
    """
    lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries).encode(errors="replace")
    try:
        with path.open("ab+") as file:
            if cut:
                file.seek(0)
                file.truncate(file.read().rfind(b"\n") + 1)
            elif file.tell():
                file.seek(-1, os.SEEK_END)
                lines = lines if file.read(1) == b"\n" else b"\n" + lines
            file.write(lines)
            file.flush()
            with contextlib.suppress(OSError):  # where the system can't say that it is on the disk
                os.fsync(file.fileno())
    except OSError as error:
        raise unwritable(path, error) from None


def parsed(line: bytes) -> Any:
    """A line as data, None where it isn't JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


# --- arrays and facts, with a checksum over all of them ---------------------------------------------------------------
# Kernels don't check their indices: what was changed since it was written is refused before anything reaches them.
State = tuple[dict[str, Any], dict[str, np.ndarray]]  # facts, arrays


def write_state(path: Path, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write a state whole or not at all; raises HexdeckError."""
    file, text = io.BytesIO(), json.dumps(facts)
    texts = {"facts": np.array(text), "checksum": np.array(checksum(text, arrays))}
    np.savez(file, **texts, **arrays)  # type: ignore[arg-type]
    write_atomically(path, file.getvalue())


def read_state(path: Path) -> State | None:
    """The state in a file, None where it holds something else or was changed; raises FileNotFoundError."""
    try:
        with np.load(io.BytesIO(path.read_bytes())) as file:
            arrays = dict(file)
        text = str(arrays.pop("facts"))
        whole = str(arrays.pop("checksum")) == checksum(text, arrays)
        return (json.loads(text), arrays) if whole else None
    except FileNotFoundError:
        raise
    except Exception:  # whatever NumPy does with other files
        return None


def checksum(facts: str, arrays: Mapping[str, np.ndarray]) -> str:
    """A hash of facts, and of names, types, shapes and numbers of arrays."""
    digest = hashlib.sha256(facts.encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
