"""The `hexdeck` command. It is the only package that knows all others.

A command is data (`commands.toml`): the table of its options, and a function that runs it. Here it is parsed, checked
and run, and its result is given: printed, as data, as a page.
"""

import argparse
import contextlib
import errno
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

from hexdeck.cli import command_line
from hexdeck.cli.command_line import Command, Parser, build_parser
from hexdeck.cli.output import CommandResult, any_letters, tell
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, say

COMPLETING = "_ARGCOMPLETE"  # in the environment, when a shell asks how a word goes on


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns the exit status: 0, also where the reader of the output has had enough, 1 where a game can't be compiled or
    the output can't be written, 2 for bad input, 130 after an interrupt.
    """
    has_output = sys.stdout is not None
    open_standard_streams()
    typed = command_line.spelled_out(sys.argv[1:] if argv is None else argv)
    if COMPLETING in os.environ:
        from hexdeck.cli.complete import complete

        complete()
    if not (set(command_line.GROUPS["research"]) - {"benchmark"}).intersection(typed):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait spin; the benchmark counts their time
    catalogue = Catalogue(command_line.language(typed), (command_line.LOCALE,))
    any_letters(sys.stdout, sys.stderr)
    try:
        if not has_output:
            raise BadOption(say("The standard output is closed, so nothing can be printed."))
        command_line.take_game_path(typed)
        catalogue = command_line.chosen_language(typed)
        status = run(typed, catalogue)
        sys.stdout.flush()
        return status
    except HexdeckError as error:
        return complain(catalogue, error.text)
    except EOFError:
        return complain(catalogue, say("The input ended before a question was answered."))
    except KeyboardInterrupt:
        complain(catalogue, say("Interrupted."))
        return 130
    except OSError as error:
        return unwritten(error, catalogue)
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # Rich has met it
            return 0
        raise


def open_standard_streams() -> None:
    """Open what was closed of the input, the output and the error stream as nothing.

    The next file that is opened, such as a server's database, would get the closed one's number, and be printed into.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def unwritten(error: OSError, catalogue: Catalogue) -> int:
    """The exit status where not all could be written, after saying why; 0 where the reader has had enough."""
    if error.errno not in (errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT):
        raise error
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the flush at exit fails too
    if error.errno == errno.EPIPE:
        return 0
    with contextlib.suppress(OSError):
        complain(catalogue, say("Not all can be written: {reason}.", reason=error.strerror or "?"))
    return 1


def run(typed: Sequence[str], catalogue: Catalogue) -> int:
    """Run the command of a command line; returns its exit status."""
    name = next(iter(typed[command_line.place_of_command(typed) :]), "")
    if flag := command_line.unknown_before(typed):
        overview, option = build_parser(catalogue), flag.partition("=")[0]
        if any(option in command.flags() for command in overview.commands.values()):
            raise BadOption(say("{flag} is an option of a command: write it after the command.", flag=option))
        overview.refuse([flag])
    if name:
        command_line.check_command(name)
    for option, value in pairwise([*typed, "-"]):
        if option.startswith("--") and (option.endswith("=") or not value):  # many types would take "" for something
            raise BadOption(say("{option} is empty; give it a value, or leave it out.", option=option.rstrip("=")))
    parser = build_parser(catalogue, name)
    try:
        arguments, unparsed = parser.parse_known_args(typed)
    except SystemExit as left:  # after --help or --version
        return int(left.code or 0)
    arguments.typed = typed
    below: Parser = vars(arguments).get("parser", parser)
    if unparsed:
        below.refuse(unparsed, vars(arguments).get("game"))
    if arguments.command is None:
        print(introduction(catalogue))
        return 0
    if below.entry is None:
        print(below.format_help())
        return 0
    return perform(below.entry, arguments, catalogue)


def perform(command: Command, arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Check the arguments of a command, run it, and give its result; returns the exit status."""
    from hexdeck.engine.backends.cache import WORDS

    command.check(arguments)
    command_line.spell_out_size(arguments)
    if command.name in (*command_line.GROUPS["study"], *command_line.GROUPS["research"]):  # whose readers read English
        catalogue = Catalogue()
    WORDS[:] = [catalogue]
    result = command.run(arguments, catalogue)
    return result.give(arguments) if isinstance(result, CommandResult) else int(result)


def run_tool(command: Command, argv: Sequence[str] | None = None) -> int:
    """Run a command that isn't one of `hexdeck`'s, as a program of its own: those in `tools/`."""
    catalogue = Catalogue("en")
    parser = Parser(prog=command.name, description=str(command.about))
    parser.entry = command
    for option in command.options:
        option.add(parser, lambda text: str(text).replace("%", "%%"))
    parser.set_defaults(command=command.name)
    try:
        return perform(command, parser.parse_args(argv), catalogue)
    except HexdeckError as error:
        return complain(catalogue, error.text)


def complain(catalogue: Catalogue, text: Text) -> int:
    """Print a sentence to the error stream, in a pipe on one line whatever was typed; returns 2."""
    tell(f"hexdeck: {' '.join(catalogue.words(text).split())}", sys.stderr)
    return 2


# --- without a command ------------------------------------------------------------------------------------------------
def introduction(catalogue: Catalogue) -> str:
    """An introduction of one screen: how to play, the games, and commands to try."""
    from hexdeck.cli.games import game_line
    from hexdeck.engine.discovery.definition import soonest_learned

    t, names = catalogue.words, soonest_learned()
    lines = [t(say("Hexdeck: card games to play with others and against bots.")), "", t(say("To play:"))]
    to_play = [
        ("hexdeck serve", t(say("in the browser, here and on other devices"))),
        ("hexdeck play", t(say("at this terminal: it asks for a game"))),
        (f"hexdeck play {names[0]} -n 3", t(say("this game, three at the table"))),
        (f"hexdeck rules {names[0]}", t(say("how it is played, with an example"))),
    ]
    lines += [f"  {command:<34}{about}" for command, about in to_play]
    lines += ["", t(say("The games:"))]
    lines += [f"  {game_line(name, catalogue)}" for name in names]
    others_to_try = [
        (t(say("hexdeck replay FILE")), t(say("step through a match again"))),
        (f"hexdeck simulate {names[0]}", t(say("let bots play, and see who wins"))),
        (f"hexdeck games {names[0]}", t(say("its bots and options"))),
    ]
    lines += ["", t(say("And more:")), *(f"  {command:<34}{about}" for command, about in others_to_try)]
    return "\n".join([*lines, "", t(say("hexdeck --help lists all commands, hexdeck help COMMAND explains one."))])
