"""How rules that somebody writes are loaded, in a folder of the game path: no loop of theirs goes on for ever.

Each loop counts its turns (`endless.count_turn`), in compiled code as interpreted, but what only a solver uses, which
may take long; functions of the kernel that call themselves, directly or not, are refused; and what a function raises is
told with its place.
"""

import ast
import functools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from symtable import SymbolTable, symtable
from types import CodeType, ModuleType
from typing import Any

from hexdeck.engine.contract import FILES
from hexdeck.engine.discovery.finding import GAMES, OWN
from hexdeck.engine.discovery.trial import where
from hexdeck.engine.errors import HexdeckError, RuleFault
from hexdeck.engine.text import say

SOLVER = "solver.py"
COMPILED = ("rules.py", "strategy.py")
COUNT, COUNTED = "count_turn_", "counted_"
START = f"turns_ = 0\nfrom hexdeck.engine.endless import count_turn as {COUNT}, counted as {COUNTED}"
TURN = f"turns_ = {COUNT}(turns_)"


class BoundedLoops(ast.NodeTransformer):
    """Counts the turns of all loops of a function together, and those of each expression that goes through something.

    `compiled`: lists aren't counted, since the compiler knows them only as they are; they end, for want of memory.
    """

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function with loops: none have turned when it begins."""
        if any(isinstance(each, ast.While | ast.For) for each in ast.walk(node)):
            node.body[ast.get_docstring(node) is not None : 0] = at(node, START)[:1]
        return self.generic_visit(node)

    def visit_While(self, node: ast.While | ast.For) -> ast.AST:
        """A loop."""
        self.generic_visit(node)
        node.body[:0] = at(node, TURN)
        return node

    visit_For = visit_While  # noqa: N815 - ast's name

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """A list of what an expression gives."""
        return self.generic_visit(node) if self.compiled else self.visit_GeneratorExp(node)

    def visit_GeneratorExp(self, node: Any) -> ast.AST:
        """An expression that goes through something."""
        self.generic_visit(node)
        for each in node.generators:
            name = ast.copy_location(ast.Name(COUNTED, ast.Load()), each.iter)
            each.iter = ast.copy_location(ast.Call(name, [each.iter], []), each.iter)
        return node  # type: ignore[no-any-return]

    visit_SetComp = visit_DictComp = visit_GeneratorExp  # noqa: N815


def at(node: ast.AST, text: str) -> list[ast.stmt]:
    """Statements that stand where a node does."""
    statements = ast.parse(text).body
    for each in (part for statement in statements for part in ast.walk(statement)):
        if isinstance(each, ast.stmt | ast.expr | ast.alias):
            ast.copy_location(each, node)
            each.end_lineno, each.end_col_offset = each.lineno, each.col_offset
    return statements


class BoundedLoader(SourceFileLoader):
    """Loads a module from its source; what it is compiled to isn't kept."""

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module."""
        path = self.get_filename(fullname)
        compiled = Path(path).name in COMPILED
        tree = BoundedLoops(compiled=compiled).visit(ast.parse(self.get_data(path), path))
        first = (ast.get_docstring(tree) is not None) + sum(
            isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in tree.body
        )
        tree.body[first:first] = at(ast.Constant(0, lineno=1, col_offset=0), START)
        return compile(tree, path, "exec", dont_inherit=True)


class BoundedFinder:
    """Finds the modules of games on the game path."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None) -> ModuleSpec | None:
        """Where a module is; None for all others."""
        if path is None or not name.startswith(f"{GAMES}.") or all(Path(folder).is_relative_to(OWN) for folder in path):
            return None
        spec = PathFinder.find_spec(name, path)
        file = Path(spec.origin) if spec and spec.origin else None
        if spec is None or file is None or file.suffix != ".py" or file.is_relative_to(OWN) or solves(file):
            return None
        spec.loader = BoundedLoader(name, str(file))
        return spec


def solves(file: Path) -> bool:
    """Whether a file is a game's solver, or only that uses it."""
    if file.stem in FILES:
        return file.name == SOLVER
    uses = re.compile(rf"^\s*(from|import)\b.*\b{file.stem}\b".encode(), re.MULTILINE)
    return [each.name for each in file.parent.glob("*.py") if each.is_file() and uses.search(each.read_bytes())] == [
        SOLVER
    ]


sys.meta_path.insert(0, BoundedFinder)


def calling_itself(file: Path) -> str:
    """The functions of a file that call each other in a circle, the first with its line; "" for none."""
    scopes = symtable(file.read_text(encoding="utf-8"), str(file), "exec").get_children()
    functions = {scope.get_name(): scope for scope in scopes if scope.get_type() == "function"}
    called = {name: [each for each in names_outside(scope) if each in functions] for name, scope in functions.items()}
    done = set[str]()

    def circle(name: str, callers: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if name in callers:
            yield (*callers[callers.index(name) :], name)
        elif name not in done:
            for each in called[name]:
                yield from circle(each, (*callers, name))
            done.add(name)

    names = next((found for name in functions for found in circle(name, ())), ())
    return f"{' calls '.join(names)} (line {functions[names[0]].get_lineno()})" if names else ""


def names_outside(scope: SymbolTable) -> Iterator[str]:
    """The names that a function, or one in it, takes from its module."""
    yield from (symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global())
    for inner in scope.get_children():
        yield from names_outside(inner)


def guarded(function: Callable[..., Any], game: str, folder: Path) -> Callable[..., Any]:
    """A function of a game that raises RuleFault, with the place, whatever is wrong."""

    @functools.wraps(function)
    def careful(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except HexdeckError:
            raise
        except Exception as error:
            raise RuleFault(say("{game}: {why}.", game=game, why=where(error, folder))) from error

    return careful
