"""Compilation before a command that needs machine code, and a line that says so, since it takes a while."""

from __future__ import annotations

import sys

from hexdeck.cli import lines
from hexdeck.engine.backends.notices import MAKING, TOLD
from hexdeck.engine.text import Catalogue, Text, say


def prepare(name: str, catalogue: Catalogue, *, counts: bool = False, whole: bool = True) -> None:
    """Compile a game if it wasn't yet, and with `counts` the kernels that count games; tell what is being done.

    Without `whole` only what any simulation needs is made; the rest when it is used.
    """
    from hexdeck.engine.backends import library
    from hexdeck.engine.backends.build import can_build
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.play.driver import default_backend, has_functions, is_compiled, usual_backend
    from hexdeck.simulation.warm import GENERIC, warm

    if default_backend() != "fast" or not can_build():
        return
    if not (is_compiled if whole else has_functions)(definition(name)):
        tell(catalogue, say("Compiling {game}; only the first time, for a minute or so …", game=name))
        if whole:
            warm(name)
        else:
            library.load_together([definition(name).owners, (GENERIC,)])
    if counts:
        from hexdeck.lab.warm import is_warm, warm_lab

        backend = usual_backend(definition(name))
        if not is_warm(backend):
            tell(catalogue, say("Compiling what counts games; only the first time, for a minute or so …"))
            warm_lab(name, backend)


def tell(catalogue: Catalogue, text: Text) -> None:
    """Print a line to the error stream at once; what makes machine code then needs none of its own."""
    TOLD.add(str(MAKING))
    lines.tell(catalogue.words(text), sys.stderr)
