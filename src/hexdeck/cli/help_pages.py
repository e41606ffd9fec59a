"""Parsers whose help is grouped and ends with examples, and whose errors suggest what was meant."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Text, _, say

REQUIRED = "the following arguments are required: %s"  # as argparse words it
IGNORED = "ignored explicit argument %r"
LONG_FLAG = re.compile(r"--[\w-]+")
KINDS = {  # by type: what is told of a word that isn't of it
    int: _("{argument} takes a whole number, not {value}."),
    float: _("{argument} takes a number, not {value}."),
}


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors, so that they are printed like all others, and takes no flag cut short.

    `closing`: what its help ends with: titles, and the lines below each.
    """

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **({"allow_abbrev": False} | how))
        self.closing: list[tuple[str, Sequence[str]]] = []

    def error(self, message: str) -> NoReturn:
        """Raise BadOption for bad arguments, with argparse's message where there is no better one."""
        translated = vars(argparse)["_"]
        missing = message.removeprefix(translated(REQUIRED).removesuffix("%s"))
        if missing != message:
            text = _("{command} needs {words}; {command} --help explains.")
            raise BadOption(say(text, command=self.prog, words=missing))
        ignored = translated(IGNORED).partition("%r")[0]
        if ignored in message and (flag := LONG_FLAG.search(message)):
            text = _("{flag} takes no value; {command} --help explains.")
            raise BadOption(say(text, flag=flag[0], command=self.prog))
        text = _("{message}; {command} --help explains.")
        raise BadOption(say(text, message=message.rstrip("."), command=self.prog))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """A word as the value of an argument; raises BadOption where it isn't of its type."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if action.type not in KINDS:
                self.error(str(error))
            text = KINDS[action.type]
            raise BadOption(say(text, argument=called(action), value=quoted(arg_string))) from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise BadOption for a value that isn't among the choices, with the one that may be meant."""
        if action.choices is None or value in action.choices:
            return
        text = _("{argument} can't be {value}; it takes one of {names}.")
        if near := nearest(str(value).lower(), map(str, action.choices)):
            text = _("{argument} can't be {value} (did you mean {near}?); it takes one of {names}.")
        names = ", ".join(map(str, action.choices))
        raise BadOption(say(text, argument=called(action), value=quoted(value), near=near, names=names))

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """How many words an argument takes; raises BadOption for an option that stands without its value."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as error:
            if not action.option_strings:
                self.error(str(error))
            text = _("{argument} needs a value; {command} --help explains.")
            raise BadOption(say(text, argument=called(action), command=self.prog)) from None

    def flags(self) -> list[str]:
        """The options that the help shows, such as `--seed`."""
        shown = [action for action in self._actions if action.help != argparse.SUPPRESS]
        return [flag for action in shown for flag in action.option_strings]

    def arguments(self) -> list[argparse.Action]:
        """All arguments and options."""
        return self._actions

    def format_help(self) -> str:
        """The help, with its closing lines."""
        return self.closed(super().format_help())

    def closed(self, text: str) -> str:
        """A help text with the closing lines."""
        ends = ("\n  ".join([f"{title}:", *lines]) + "\n" for title, lines in self.closing)
        return "\n".join([text, *ends])

    def refuse(self, rest: Sequence[str]) -> NoReturn:
        """Raise BadOption for words that nothing takes: for the first flag among them, if there is one."""
        flag = next((word.partition("=")[0] for word in rest if word.startswith("-")), None)
        if flag is None:
            text = _("{command} doesn't take {words}; {command} --help explains.")
            raise BadOption(say(text, command=self.prog, words=" ".join(rest)[:80]))
        text = _("{command} has no option {flag}; {command} --help lists them.")
        if meant := nearest(flag, self.flags()):
            text = _("{command} has no option {flag} (did you mean {near}?); {command} --help lists them.")
        raise BadOption(say(text, command=self.prog, flag=flag[:40], near=meant))


class Overview(Parser):
    """The parser of all commands; its help lists them by `groups`, each a title and commands with what they do."""

    def __init__(self, metavar: str, **how: Any) -> None:
        super().__init__(**how)
        self.metavar = metavar
        self.groups: dict[str, list[tuple[str, str]]] = {}
        self.commands: dict[str, Parser] = {}
        self._below: Any = None

    def add_command(self, name: str, about: str = "", **how: Any) -> Parser:
        """Add the parser of a command; `about`: what it does, for the list of commands."""
        if self._below is None:
            self._below = self.add_subparsers(dest="command", metavar=self.metavar, parser_class=Parser)
        parser: Parser = self._below.add_parser(name, help=about, **how)
        self.commands[name] = parser
        return parser

    def format_help(self) -> str:
        """The help, with the commands by group."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for title, commands in self.groups.items():
            formatter.start_section(title)
            formatter.add_arguments([argparse.Action([], name, metavar=name, help=about) for name, about in commands])
            formatter.end_section()
        formatter.start_section(self._optionals.title)
        formatter.add_arguments([action for action in self._actions if action.option_strings])
        formatter.end_section()
        return self.closed(formatter.format_help())


def called(action: argparse.Action) -> str:
    """The name of an argument in a sentence: its long flag, else what the help calls it."""
    flags = [*action.option_strings, str(action.metavar or action.dest)]
    return next((flag for flag in flags if flag.startswith("--")), flags[0])


def quoted(word: Any) -> str:
    """What was typed, in quotation marks and not too long."""
    return repr(word)[:60]


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like a misspelt one; empty if none is."""
    return next(iter(difflib.get_close_matches(word, list(known), 1)), "")


def default(about: Text, usual: Any) -> Text:
    """A help text with the default value of its option, as it is typed."""
    return say("{about} (default: {value})", about=about, value=str(usual))
