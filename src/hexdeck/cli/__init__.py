"""The commands: the only place that knows everything. Each command is a module with `add` and `run`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hexdeck.cli.parser import build_parser, chosen_language
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Catalogue, Text


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0, 1 for a broken pipe, 2 for bad input."""
    given = list(sys.argv[1:] if argv is None else argv)
    words = chosen_language(given)
    parser = build_parser(words)
    try:
        arguments = parser.parse_args(given)
        if arguments.command is None:
            return introduce(words)
        status: int = arguments.run(arguments, words)
        return status
    except HexdeckError as error:
        return complain(words, error.text)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def complain(words: Catalogue, text: Text) -> int:
    """One clear sentence to the error stream; returns 2."""
    print(f"hexdeck: {words.words(text)}", file=sys.stderr)
    return 2


def introduce(words: Catalogue) -> int:
    """What `hexdeck` alone says, in one screen."""
    from hexdeck.cli.intro import intro

    print(intro(words))
    return 0
