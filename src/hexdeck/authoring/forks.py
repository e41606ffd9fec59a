"""A fork as it is changed in a browser: the functions of its rules, its options' defaults, what is wrong with a change.

A change is tried in a process of its own, this module, on a copy of the fork, within limits of time and memory. That
keeps mistakes from others' games; it is no sandbox: rules are programs, and can do whatever their author can.
"""

import asyncio
import builtins
import contextlib
import dis
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from types import CodeType, ModuleType
from typing import Any
from unittest import SkipTest

from hexdeck import testing
from hexdeck.engine.discovery import bounded_loading
from hexdeck.engine.discovery.definition import definition, forget, wrong_with
from hexdeck.engine.discovery.finding import PATH, name_of
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import parse_options
from hexdeck.engine.rule_changes import RULES, RuleFunction, functions
from hexdeck.engine.text import say

SECONDS, MOST, PATIENCE = 6, 30, 300.0  # of the processor, for a check and for all; by the clock
MEMORY, FILE = 4 << 30, 1 << 20  # bytes that it may use, and write into one file
CHECKS, ENOUGH, MATCHES = ("rules", "commits", "stops", "secrecy"), 4.0, 2  # the seconds spent on them
EXTREMES = 1.5  # seconds, about, for matches with each option at its extremes
LINE = re.compile(r"\bline (\d+)\b")


@dataclass(frozen=True)
class Fault:
    """What is wrong with a change, in a sentence, and the line of `rules.py`, if that is known."""

    text: str
    line: int | None = None


def with_function(text: str, name: str, digest: str, written: str) -> tuple[str, RuleFunction]:
    """The rules with a function rewritten, and what it was. Raises BadOption where it isn't as its digest says."""
    function = next((rule for rule in functions(text) if (rule.name, rule.digest) == (name, digest)), None)
    if function is None:
        raise BadOption(say("{name} was changed elsewhere meanwhile; load the page again.", name=name[:40]))
    lines, first = StringIO(text).readlines(), function.line - 1
    lines[first : first + len(StringIO(function.source).readlines())] = [written.replace("\r\n", "\n").rstrip() + "\n"]
    return "".join(lines), function


def defaults(name: str, chosen: Mapping[str, Any]) -> str:
    """The file of a fork whose options have these values where nobody sets them."""
    game = definition(name)
    parsed = parse_options(game.rules.OPTIONS, chosen)
    differing = {option.name: parsed[option.name] for option in game.rules.OPTIONS}
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in differing.items()]
    return f"of = {json.dumps(game.original)}\n\n[options]\n{''.join(lines)}"


def save(folder: Path, file: str, text: str) -> None:
    """Write a file of a fork, whole or not at all, and let the fork be found anew."""
    temporary = folder / f"{file}.new"
    try:
        temporary.parent.mkdir(exist_ok=True)
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(folder / file)
    except OSError as error:
        raise HexdeckError(say("{file} can't be written: {why}.", file=file, why=error.strerror or "")) from None
    rmtree(folder / "__pycache__", ignore_errors=True)  # Python takes bytecode of the same second and length
    forget(name_of(folder.name))


# --- what is wrong ----------------------------------------------------------------------------------------------------
async def fault(folder: Path, file: str, text: str) -> Fault | None:
    """What is wrong with a fork if a file of it is changed, or None. Who waits no more ends the process."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary).resolve() / folder.name
        copytree(
            folder, copy, ignore=ignore_patterns("tests", "net", "__pycache__", ".*"), ignore_dangling_symlinks=True
        )
        (copy / file).write_text(text, encoding="utf-8")
        environment = {PATH: str(copy), "HEXDECK_BACKEND": "interpreted", "PYTHONDONTWRITEBYTECODE": "1"}
        command = sys.executable, "-P", "-m", __name__, str(copy)
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=temporary,
            env=os.environ | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            answer, _errors = await asyncio.wait_for(process.communicate(), PATIENCE)
        except TimeoutError:
            late = say("It isn't tried after {n} seconds: perhaps this computer is busy.", n=int(PATIENCE))
            return Fault(str(late))
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    try:
        fields = json.loads(answer.splitlines()[-1])
    except (ValueError, IndexError):
        endless = say("The rules don't come to an end, or need too much memory.")
        return Fault(str(endless))
    return Fault(*fields) if fields else None


def examine(folder: Path) -> Iterator[str]:
    """What is wrong with the fork in a folder, as `hexdeck game check` says it, the first thing first."""
    name, began = name_of(folder.name), time.process_time()
    limit()
    wrong = wrong_with(name)
    if wrong:
        yield str(wrong)
        return
    rules = definition(name).rules
    yield from unknown_names(rules)
    for check in CHECKS:
        if time.process_time() - began < ENOUGH:
            try:
                limit()
                testing.run(check, name, MATCHES)
            except SkipTest:
                continue
            except ProcessorTimeOver as error:  # the other checks may take long; a match may not
                if check == CHECKS[0]:
                    yield f"{bounded_loading.where(error, folder)}."
                return
            except AssertionError as error:
                yield " ".join(str(error).split())
            except Exception as error:
                yield f"{bounded_loading.where(error, folder)}."
    began = time.process_time()
    for option, match in bounded_loading.each_alone(definition(name)):
        if time.process_time() - began < EXTREMES:
            try:
                limit()
                match.play()
            except Exception as error:
                yield f"{bounded_loading.where(error, folder)} (with {option})."


def limit() -> None:
    """Raise ProcessorTimeOver once so much is spent from now on; where systems can't, only `trial` does."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, SECONDS)


class ProcessorTimeOver(Exception):
    """A part of a game took longer than SECONDS of the processor."""

    def __str__(self) -> str:
        return f"it takes more than {SECONDS} seconds; perhaps a loop has no end"


def too_slow(_signal: int, _frame: object) -> None:
    """The handler of the signal."""
    raise ProcessorTimeOver


def unknown_names(rules: ModuleType) -> Iterator[str]:
    """The names that rules use and nothing defines, each with its function and line."""
    assert rules.__file__
    code = compile(Path(rules.__file__).read_bytes(), RULES, "exec")
    for function in (constant for constant in code.co_consts if isinstance(constant, CodeType)):
        line = function.co_firstlineno
        for step in dis.get_instructions(function):
            line = step.starts_line or line
            if step.opname == "LOAD_GLOBAL" and not (hasattr(rules, step.argval) or hasattr(builtins, step.argval)):
                yield f"{function.co_name} in {RULES}, line {line}: there is no {step.argval}."


def main(folder: Path) -> None:
    """The process's main function: writes the first fault as JSON, null if there is none."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what rules print is for nobody
    with contextlib.suppress(ImportError, ValueError, OSError):  # not every system has such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
        signal.signal(signal.SIGPROF, too_slow)
    wrong = next(examine(folder), None)
    fields: list[Any] = []
    if wrong is not None:
        text = wrong.replace(f"{folder}{os.sep}", "")
        line = LINE.search(text) if RULES in text else None
        fields = [text, int(line[1]) if line else None]
    out.write(json.dumps(fields))
    out.flush()
    os._exit(0)  # whatever threads the rules have begun


if __name__ == "__main__":
    main(Path(sys.argv[1]))
