"""In what a variant or a fork isn't played as the rules page says, which is the page of the printed game."""

import ast
import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Text, _, say

RULES = "rules.py"
RULE = re.compile(r"\b([A-Z]{2})-(\d+)(?: to \1-(\d+))?\b")
CITED_FIRST = re.compile(r"^[A-Z]{2}-\d[^:]*: ")
SIGNS = re.compile(r"([\\`*_\[\]!<|])")  # of Markdown
OPTION = _("**{number}** – “{about}”: {value}; in the printed game {usual}.")
OWN_RULE = _("**{number}** – in place of {rules}: {rule}")
OWN_CODE = _("**{number}** – {rules}: changed, but not yet in words (`{part}` in rules.py).")
OWN_PART = _("**{number}** – see `{part}` in rules.py of this variant.")
ORIGIN_GONE = _("**{number}** – it was made from {game}, which isn't here: what differs isn't known.")


@dataclass(frozen=True)
class RuleFunction:
    """A function of `rules.py`, from its line on: what its docstring says, and the ids of the rules named there."""

    name: str
    line: int
    source: str
    about: str

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that its docstring names, in order."""
        ranges = ((game, int(first), int(last or first)) for game, first, last in RULE.findall(self.about))
        return tuple(dict.fromkeys(f"{game}-{k}" for game, low, high in ranges for k in range(low, high + 1)))

    @property
    def digest(self) -> str:
        """What tells whether it is still as it was."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]


def functions(text: str) -> list[RuleFunction]:
    """The functions of rules in order. Raises HexdeckError where the text isn't Python."""
    try:
        tree, lines = ast.parse(text), StringIO(text).readlines()  # other signs end no line of Python
    except (SyntaxError, ValueError, RecursionError) as error:
        raise HexdeckError(say("{file} can't be read: {why}.", file=RULES, why=str(error))) from None
    return [
        RuleFunction(
            node.name,
            node.lineno,
            "".join(lines[node.lineno - 1 : node.end_lineno]),
            " ".join((ast.get_docstring(node) or "").split()),
        )
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    ]


@dataclass(frozen=True)
class RuleChange:
    """Something that is played otherwise: a sentence that takes a number, the rules it is about, its option if any.

    `unsaid`: the function whose docstring doesn't say it yet, if any.
    """

    text: Text
    rules: tuple[str, ...] = ()
    option: str = ""
    unsaid: str = ""


def changes_of(game: GameDefinition, options: Mapping[str, Any]) -> list[RuleChange]:
    """In what a game with these options, and its defaults for others, differs from the printed game."""
    try:
        base = printed_game(game)
    except HexdeckError:
        return [RuleChange(say(ORIGIN_GONE, game=game.original))]
    usual = {option.name: option.default for option in base.rules.OPTIONS}
    out = []
    for option in game.rules.OPTIONS:
        value, before = options.get(option.name, option.default), usual.get(option.name)
        if before not in (None, value):
            words = {"about": option.about, "value": option.in_words(value), "usual": option.in_words(before)}
            out.append(RuleChange(say(OPTION, **words), (option.rule,) if option.rule else (), option.name))
    return out + (own_rules(game, base) if game is not base else [])


def printed_game(game: GameDefinition) -> GameDefinition:
    """What a fork was made from in the first place, else the game itself. Raises HexdeckError where it isn't here."""
    names = {game.name}
    while game.original not in ("", *names):
        names.add(game.original)
        game = definition(game.original)
    return game


@functools.lru_cache(64)
def own_rules(game: GameDefinition, base: GameDefinition) -> list[RuleChange]:
    """The functions and values in which a fork's rules differ from the original's.

    One whose docstring names no rule carries those of the functions that use it.
    """
    before, after = ((each.folder / RULES).read_text(encoding="utf-8") for each in (base, game))
    old, new = statements(before), statements(after)
    (theirs, ours), out = ({each.name: each for each in functions(text)} for text in (before, after)), []
    for part in (part for part, node in old.items() if part not in new or ast.dump(node) != ast.dump(new[part])):
        mine, was = ours.get(part), theirs.get(part)
        rules = tuple(dict.fromkeys(id for each in (was, mine) if each for id in each.rules))
        users = (each for name, each in ours.items() if names_in(new[name]).intersection(part.split(", ")))
        rules = rules or tuple(sorted({id for each in users for id in each.rules}, key=lambda id: int(id[3:])))
        rule = SIGNS.sub(r"\\\1", CITED_FIRST.sub("", mine.about)) if mine and was and mine.about != was.about else ""
        key = (OWN_RULE if rule else OWN_CODE) if rules else OWN_PART
        out.append(
            RuleChange(say(key, rules=", ".join(rules), rule=rule, part=part), rules, unsaid="" if rule else part)
        )
    return out


def statements(text: str) -> dict[str, ast.stmt]:
    """The functions, without docstrings, and the values of rules, by name or names."""
    out: dict[str, ast.stmt] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            node.body = node.body[ast.get_docstring(node) is not None :]
            out[node.name] = node
        elif isinstance(node, ast.Assign):
            out[", ".join(map(ast.unparse, node.targets)).strip("()")] = node
    return out


def names_in(node: ast.stmt) -> set[str]:
    """The names that a statement uses."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
