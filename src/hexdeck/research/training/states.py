"""The state of a run of learning in a file: arrays, facts as JSON, and a checksum over all of them.

Kernels don't check their indices: what was changed since it was written is refused before anything reaches them.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.files import write_atomically

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
