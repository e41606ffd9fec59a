"""The `hexdeck` command. It is the only package that knows all others.

Each command is a module with `add` and `run`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from hexdeck.cli.ascii_fallback import any_letters
from hexdeck.cli.lines import tell
from hexdeck.cli.parser import (
    COMMANDS,
    LOCALE,
    ROOMS,
    build_parser,
    check_seed,
    chosen_language,
    language,
    spell_out_size,
    take_game_path,
)
from hexdeck.cli.typed import check_command, check_figures_file, place_of_command, spelled_out, unknown_before
from hexdeck.engine.backends.notices import WORDS
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, say

EVERYWHERE = "-h", "--help", "-V", "--version", "--lang", "--game-path"  # what may stand before a command
COMPLETING = "_ARGCOMPLETE"  # in the environment, when a shell asks how a word goes on


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns the exit status: 0, also where the reader of the output has had enough, 1 where a game can't be compiled,
    2 for bad input, 130 after an interrupt.
    """
    given = spelled_out(sys.argv[1:] if argv is None else argv)
    if COMPLETING in os.environ:
        from hexdeck.cli.complete import complete

        complete()
    if not set(ROOMS["research"]).intersection(given):
        os.environ.setdefault(
            "OPENBLAS_NUM_THREADS", "1"
        )  # only training multiplies matrices; others' threads just spin
    words = Catalogue(language(given), (LOCALE,))
    any_letters(sys.stdout, sys.stderr)
    try:
        take_game_path(given)
        words = chosen_language(given)
        WORDS[:] = [words]
        status = run(given, words)
        sys.stdout.flush()
        return status
    except HexdeckError as error:
        return complain(words, error.text)
    except EOFError:
        return complain(words, say("The input ended before a question was answered."))
    except KeyboardInterrupt:
        complain(words, say("Interrupted."))
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the flush at exit fails too
        return 0
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # Rich has met it
            return 0
        raise


def run(given: Sequence[str], words: Catalogue) -> int:
    """Run a command; returns its exit status."""
    wanted = next(iter(given[place_of_command(given) :]), "")
    if flag := unknown_before(given, EVERYWHERE):
        refuse_before(flag, words)
    if wanted:
        check_command(wanted, COMMANDS)
        check_figures_file(given)
    parser = build_parser(words, wanted)
    try:
        arguments, rest = parser.parse_known_args(given)
    except SystemExit as left:  # after --help or --version
        return int(left.code or 0)
    if rest:
        vars(arguments).get("parser", parser).refuse(rest)
    if arguments.command is None:
        return introduce(words)
    check_seed(vars(arguments).get("seed"))
    spell_out_size(arguments)
    status: int = arguments.run(arguments, words)
    return status


def refuse_before(flag: str, words: Catalogue) -> NoReturn:
    """Raise BadOption for an option before the command that doesn't belong there."""
    parser, name = build_parser(words), flag.partition("=")[0]
    if any(name in each.flags() for each in parser.commands.values()):
        raise BadOption(say("{flag} is an option of a command: write it after the command.", flag=name))
    parser.refuse([flag])


def complain(words: Catalogue, text: Text) -> int:
    """Print a sentence to the error stream, in a pipe on one line whatever was typed; returns 2."""
    tell(f"hexdeck: {' '.join(words.words(text).split())}", sys.stderr)
    return 2


def introduce(words: Catalogue) -> int:
    """Print the introduction; returns 0."""
    from hexdeck.cli.intro import intro

    print(intro(words))
    return 0
