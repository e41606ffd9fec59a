"""Files that are written whole or not at all, and the resumable file, from which a long job goes on."""

import base64
import contextlib
import hashlib
import json
import os
import secrets
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.engine.errors import HexdeckError, reason_of, unreadable
from hexdeck.engine.text import _, say


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file atomically: a reader gets the old content or the new one; raises HexdeckError.

    It is first written beside it, under a name that no other file has, which is gone afterwards in any case. Folders
    that are missing are made. A link stays, and what it points to is replaced; what isn't a file, such as /dev/null, is
    written to as it is.
    """
    target = path.resolve()
    temporary = target.with_name(f".hexdeck-{secrets.token_hex(8)}.new")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:  # Ctrl-C, too
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise unwritable(path, error) from None


def unwritable(path: Path, error: OSError) -> HexdeckError:
    """The error for a file that can't be written."""
    return HexdeckError(say("{file} can't be written: {why}.", file=str(path), why=reason_of(error)))


# --- the resumable file of a long job ---------------------------------------------------------------------------------
FORMAT = "hexdeck-resumable 1"


class ResumableFile:
    """The file from which a long job goes on: a line of JSON that says which job it is, then one for each row.

    `job`: its name; `about`: all else that decides its rows, such as `version`, a hash of the code, `game`, `seed`.
    `rows`: what the file held when it was opened, None for a line that isn't JSON; none without a file. A job adds a
    row for each result, or replaces all rows by one state. A last line that was cut off while it was written is left
    out, and `cut` is true; the file stays as it is until something is added. Files of one job can be joined. Raises
    HexdeckError for a file of something else, or one that can't be read.
    """

    def __init__(self, path: Path | None, job: str, about: Mapping[str, Any]) -> None:
        self.path, self.cut, self.rows = path, False, list[Any]()
        self._header = json.loads(json.dumps({"format": FORMAT, "job": job, **about}))
        lines = [] if path is None else content_of(path).splitlines(keepends=True)
        entries = [parsed(line) for line in lines]
        self._new = not lines
        if path is not None and lines:
            refuse_other(path, entries[0], self._header)
            self.cut = len(lines) > 1 and not lines[-1].endswith(b"\n") and entries[-1] is None
        self._numbers = [at for at, entry in enumerate(entries) if entry != self._header][: -1 if self.cut else None]
        self.rows = [entries[at] for at in self._numbers]

    def add(self, row: Any) -> None:
        """Add a row; raises HexdeckError where that fails."""
        if self.path is not None:
            append_lines(self.path, [self._header, row] if self._new else [row], cut=self.cut)
            self._new = self.cut = False

    def replace(self, *rows: Any) -> None:
        """Write these rows in place of all others, whole or not at all; raises HexdeckError where that fails."""
        if self.path is not None:
            write_atomically(self.path, json_lines([self._header, *rows]))
            self._new = self.cut = False

    def damaged(self, number: int) -> HexdeckError:
        """The error for a row, by its number, that can't be one of the job."""
        text = _("Line {number} of {file} is damaged: take out all lines from there on, or choose another file.")
        return HexdeckError(say(text, number=self._numbers[number] + 1, file=str(self.path)))


def refuse_other(path: Path, stored: Any, about: Mapping[str, Any]) -> None:
    """Raise HexdeckError where a file isn't of what is expected, `about`: of another job, version or game."""
    facts = stored if isinstance(stored, dict) else {}
    key = next((key for key in about if json.dumps(facts.get(key)) != json.dumps(about[key])), None)  # true isn't 1
    if key is not None:
        text = _("{file} isn't of this run (different {what}); choose another.")
        raise HexdeckError(say(text, file=str(path), what=key))


def content_of(path: Path) -> bytes:
    """The content of a file, nothing where there is none; raises HexdeckError where it can't be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise unreadable(path, error) from None


def append_lines(path: Path, entries: Iterable[Any], *, cut: bool = False) -> None:
    """Add a line of JSON for each entry; a last line without an end gets one, or is dropped where it is `cut`.

    Raises HexdeckError.
    """
    lines = json_lines(entries)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
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


def json_lines(entries: Iterable[Any]) -> bytes:
    """A line of JSON for each entry."""
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries).encode(errors="replace")


def parsed(line: bytes) -> Any:
    """A line as data, None where it isn't JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


# --- a row of facts and arrays, with a checksum over all of them ------------------------------------------------------
# Kernels don't check their indices: what was changed since it was written is refused before anything reaches them.
State = tuple[dict[str, Any], dict[str, np.ndarray]]  # facts, arrays


def row_of_state(facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The row of a state: arrays are compressed, and written in letters."""
    row: dict[str, Any] = {"facts": facts, "arrays": {}}
    for name, array in arrays.items():
        data = base64.b64encode(zlib.compress(array.tobytes(), 1)).decode()
        row["arrays"][name] = [array.dtype.str, array.shape, data]
    return row | {"checksum": checksum(row)}


def state_of_row(row: Any) -> State:
    """The state of a row; raises ValueError where it is none, or was changed."""
    try:
        if row["checksum"] == checksum({"facts": row["facts"], "arrays": row["arrays"]}):
            arrays = {
                name: np.frombuffer(zlib.decompress(base64.b64decode(data)), kind).reshape(shape).copy()
                for name, (kind, shape, data) in row["arrays"].items()
            }
            return row["facts"], arrays
    except (KeyError, TypeError, zlib.error):
        pass
    raise ValueError("no state, or changed")


def checksum(row: Mapping[str, Any]) -> str:
    """A hash of a row."""
    return hashlib.sha256(json.dumps(row).encode()).hexdigest()
