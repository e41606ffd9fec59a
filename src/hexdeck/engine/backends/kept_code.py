"""Where the machine code of functions that Numba compiles in this process is kept: a file for each, with a checksum.

Numba's own cache would miss edits in other modules and other flags, and trusts whatever it reads. It is left alone:
a function is given this one in its place.
"""

import hashlib
import os
import pickle
from pathlib import Path
from types import FunctionType
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hexdeck.engine.backends.cache import CODE, read_with_checksum, write_with_checksum
from hexdeck.engine.backends.notices import compiles, tell
from hexdeck.engine.text import _, say


def keep(function: Any, folder: Path) -> None:
    """Have what Numba compiles of a function, a dispatcher or a `CFunc`, kept in a folder."""
    function._cache = KeptCode(function.__wrapped__, folder)  # noqa: SLF001 - Numba offers no other way


class KeptCode(NullCache):  # type: ignore[misc] # Numba has no types
    """The cache of one function, in a folder that is named by its sources (`cache.backend_folder`)."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self.function, self.folder = function, folder

    @property
    def cache_path(self) -> str:
        """The folder."""
        return os.fspath(self.folder)

    def file(self, signature: Any, codegen: Any) -> Path:
        """The file with the function's code for these argument types and this processor."""
        code = self.function.__code__
        key = repr((signature, codegen.magic_tuple(), code.co_firstlineno, code.co_code))
        return self.folder / f"{self.function.__name__}.{hashlib.sha256(key.encode()).hexdigest()[:16]}{CODE}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """What was compiled for these types; None where there is none that can be read, which is then compiled."""
        target_context.refresh()
        data = read_with_checksum(self.file(signature, target_context.codegen()))
        try:
            if data is not None:
                return CompileResult._rebuild(target_context, *pickle.loads(data))  # noqa: S301, SLF001 - our own file
        except Exception:  # noqa: S110 - whatever becomes of reading bytes that another version wrote
            pass
        compiles()
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled. A disk without room is told of once, and the function is used unkept."""
        if compiled.library.has_dynamic_globals:
            return  # it has addresses of this process in it
        try:
            data = dumps(compiled._reduce())  # noqa: SLF001 - as Numba's own cache does
            write_with_checksum(self.file(signature, compiled.codegen), data)
        except OSError as error:
            text = _("Machine code can't be saved ({why}); it is compiled again each time.")
            tell(say(text, why=error.strerror or str(error)))
