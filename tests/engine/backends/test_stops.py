"""A stop is nothing in machine code: with and without stops it is the same, byte for byte."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import llvmlite.binding as llvm
import pytest
from numba import types

from hexdeck.engine import contract
from hexdeck.engine.backends import compiler
from tests.settings import GAMES, much
from tests.support import for_each

STOPPING = "apply_action", "apply_chance"  # the parts of a game that come to stops


class WithoutStops(ast.NodeTransformer):
    """Puts `pass` in the place of each stop, and counts them."""

    removed = 0

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:  # noqa: N802 - as Python calls it
        if not ast.unparse(node).startswith("stop("):
            return node
        self.removed += 1
        return ast.copy_location(ast.Pass(), node)


def without_stops(rules: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A copy of a game's rules in which nothing stops."""
    remover = WithoutStops()
    tree = remover.visit(ast.parse(Path(str(rules.__file__)).read_text(encoding="utf-8")))
    assert remover.removed > 10
    copied = ModuleType(f"{rules.__name__}_without_stops")
    monkeypatch.setitem(sys.modules, copied.__name__, copied)
    exec(compile(tree, str(rules.__file__), "exec"), vars(copied))  # noqa: S102 - our own text
    return copied


def machine_code(rules: ModuleType, strategy: ModuleType, part: str) -> list[bytes]:
    """What the object file of a part of a game holds as instructions."""
    with compiler.object_codegen("host") as context, compiler.as_rules_mean():
        backend = compiler.Backend("fast")
        backend.flags = backend.flags | compiler.WITHOUT_WRAPPERS
        arguments = (types.int64,) * (contract.TABLE[part][1] + 1)
        result = compiler.compiled(compiler.wrappers(backend, rules, strategy)[part], arguments, backend.flags)
        written = compiler.object_file(context, part, compiler.wrap_for_c, result)
    return [section.data() for section in llvm.ObjectFileRef.from_data(written).sections() if section.is_text()]


@for_each("name", much(["cursed-hand"], GAMES))
def test_with_and_without_stops_the_machine_code_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, strategy = (import_module(f"hexdeck.games.{name.replace('-', '_')}.{file}") for file in ("rules", "strategy"))
    silent = without_stops(rules, monkeypatch)
    for part in much(STOPPING[1:], STOPPING):
        code = machine_code(rules, strategy, part)
        assert len(code[0]) > 200 and code == machine_code(silent, strategy, part), part
