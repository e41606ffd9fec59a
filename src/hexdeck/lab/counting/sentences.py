"""The sentences that a function of a game could say, read from its source, so that one that never comes is noticed."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from hexdeck.engine.text import Text, say

SAYING = ("say", "say_n")
GAP = "…"
PLACES = re.compile(r"\{(\w+)\}")
BEGINS = re.compile(r"(^|[.!?] )\{seat\}")  # where a seat begins a sentence


@dataclass(frozen=True)
class Sentence:
    """A sentence with gaps in place of its arguments. `private`: only the seat that it is about is told it."""

    text: Text
    private: bool


@dataclass(frozen=True)
class Source:
    """A module, and the functions and constants of its top level by name."""

    module: ModuleType
    defined: dict[str, ast.stmt]


@functools.cache
def sentences(module: ModuleType, function: str) -> tuple[Sentence, ...]:
    """The sentences of a function and of what it uses in its own package, each once, as they are reached."""
    found: dict[str, Sentence] = {}
    for where, node in reachable(module, function):
        private = private_calls(node)
        for call in calls(node):
            words = keys_of(where, call)
            if not words:
                continue
            sentence = Sentence(text_of(call, words), call in private)
            if sentence.text.key not in found or not sentence.private:
                found[sentence.text.key] = sentence
    return tuple(found.values())


def reachable(module: ModuleType, function: str) -> list[tuple[ModuleType, ast.stmt]]:
    """The definitions that a function uses, directly or not, itself first, each with its module."""
    out: dict[tuple[str, str], tuple[ModuleType, ast.stmt]] = {}
    waiting = [defined_in(module, function)]
    while waiting:
        where, name = waiting.pop()
        node = source(where).defined.get(name)
        if node is None or (where.__name__, name) in out:
            continue
        out[where.__name__, name] = where, node
        waiting += references(where, node)
    return list(out.values())


@functools.cache
def source(module: ModuleType) -> Source:
    """A module's top-level definitions."""
    defined: dict[str, ast.stmt] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef):
            defined[node.name] = node
        elif isinstance(node, ast.Assign):
            defined |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return Source(module, defined)


def references(module: ModuleType, node: ast.stmt) -> Iterator[tuple[ModuleType, str]]:
    """The names that a definition uses, with the module of the same package where each is defined."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield defined_in(module, part.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            other = vars(module).get(part.value.id)
            if isinstance(other, ModuleType) and other.__name__.startswith(package(module)):
                yield other, part.attr


def defined_in(module: ModuleType, name: str) -> tuple[ModuleType, str]:
    """The module that defines a name: this one, or the one of the same package that it is imported from."""
    owner = getattr(vars(module).get(name), "__module__", None)
    if isinstance(owner, str) and owner in sys.modules and owner.startswith(package(module)):
        return sys.modules[owner], name
    return module, name


def package(module: ModuleType) -> str:
    """The name of a module's package, with a dot after it."""
    return module.__name__.rpartition(".")[0] + "."


def calls(node: ast.AST) -> list[ast.Call]:
    """The calls of `say` and `say_n`."""
    return [
        part
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in SAYING
    ]


def keys_of(module: ModuleType, call: ast.Call) -> list[str]:
    """The key of such a call and its plural: literals, or constants of a module; nothing if they aren't known."""
    words = [key_of(module, part) for part in call.args[:2]]
    return words if all(words) else []


def key_of(module: ModuleType, part: ast.expr) -> str:
    """A literal, or the value of a constant such as `WINS` or `words.WINS`; an empty string for anything else."""
    value: Any = None
    if isinstance(part, ast.Constant):
        value = part.value
    elif isinstance(part, ast.Name):
        value = vars(module).get(part.id)
    elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
        value = getattr(vars(module).get(part.value.id), part.attr, None)
    return value if isinstance(value, str) else ""


def text_of(call: ast.Call, keys: list[str]) -> Text:
    """The text that such a call makes, with gaps in place of its arguments."""
    given = [keyword.arg for keyword in call.keywords if keyword.arg]
    names = list(dict.fromkeys([*given, *PLACES.findall(" ".join(keys))]))  # some are handed on with **
    plural = keys[1] if len(keys) > 1 else ""
    return Text(keys[0], gaps(keys[0], [*names, "n"] if plural else names), plural)


def gaps(key: str, names: Iterable[str]) -> dict[str, Any]:
    """Stand-ins for the arguments of a sentence: “a player” for a seat, dots for the rest."""
    player = say("A player") if BEGINS.search(key) else say("a player")
    return {name: player if name == "seat" else GAP for name in names}


def private_calls(node: ast.stmt) -> set[ast.Call]:
    """The calls in a definition that make a private sentence: the third argument of `told`."""
    assigned = {
        target.id: part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    out: set[ast.Call] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "told":
            you = part.args[2]
            you = assigned.get(you.id, you) if isinstance(you, ast.Name) else you
            out |= set(calls(you))
    return out
