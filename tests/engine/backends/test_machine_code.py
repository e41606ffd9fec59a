"""What costs nothing in machine code, byte for byte: stops, and the parts that a game leaves to their defaults."""

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
from hexdeck.engine.contract import NAMED
from tests.settings import GAMES, much
from tests.support import for_each

STOPPING = "apply_action", "apply_chance"  # the parts of a game that come to stops


class WithoutStops(ast.NodeTransformer):
    """Puts `pass` in the place of each stop, and counts them."""

    removed = 0

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if not ast.unparse(node).startswith("stop("):
            return node
        self.removed += 1
        return ast.copy_location(ast.Pass(), node)


def written(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))


def copied(module: ModuleType, tree: ast.Module, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    copy = ModuleType(f"{module.__name__}_copied")
    monkeypatch.setitem(sys.modules, copy.__name__, copy)
    exec(compile(tree, str(module.__file__), "exec"), vars(copy))
    return copy


def modules(name: str) -> tuple[ModuleType, ModuleType]:
    folder = f"hexdeck.games.{name.replace('-', '_')}"
    return import_module(f"{folder}.rules"), import_module(f"{folder}.strategy")


def machine_code(rules: ModuleType, strategy: ModuleType, part: str) -> list[bytes]:
    with compiler.object_codegen("host") as context, compiler.as_rules_mean():
        backend = compiler.Backend("fast")
        backend.flags = backend.flags | compiler.WITHOUT_WRAPPERS
        arguments = (types.int64,) * (contract.TABLE[part][1] + 1)
        result = compiler.compiled(compiler.wrappers(backend, rules, strategy)[part], arguments, backend.flags)
        written = compiler.object_file(context, part, compiler.wrap_for_c, result)
    return [section.data() for section in llvm.ObjectFileRef.from_data(written).sections() if section.is_text()]


@for_each("name", much(["cursed-hand"], GAMES))
def test_with_and_without_stops_the_machine_code_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (rules, strategy), remover = modules(name), WithoutStops()
    silent = copied(rules, remover.visit(written(rules)), monkeypatch)
    assert remover.removed > 10
    for part in much(STOPPING[1:], STOPPING):
        code = machine_code(rules, strategy, part)
        assert len(code[0]) > 200 and code == machine_code(silent, strategy, part), part


@pytest.mark.parametrize(
    ("name", "part", "dummy"),
    [
        ("cursed-hand", "surprises", "def surprises(s, seat): return 0"),
        ("hawthorn", "take_back", "def take_back(s): return -1"),
    ],
)
def test_a_part_that_is_left_out_is_as_quick_as_one_that_does_nothing(name, part, dummy, monkeypatch) -> None:
    """A few instructions: a number is returned."""
    rules, strategy = modules(name)
    module = strategy if NAMED[part].file == "strategy" else rules
    left_out = copied(module, written(module), monkeypatch)
    assert not hasattr(left_out, part)
    lacking = [left_out if each is module else each for each in (rules, strategy)]
    code = machine_code(*lacking, part)
    tree = written(module)
    tree.body += ast.parse(dummy).body
    own = copied(module, tree, monkeypatch)
    assert len(code[0]) < 16 and code == machine_code(
        *[own if each is module else each for each in (rules, strategy)], part
    )
