"""The small changes that `mutants.py` makes to a source.

Each flips one comparison, `and`/`or` or operator, adds one to one integer, or negates one condition. They are made in
the text, so that a mutant reads like the line it comes from.
"""

import ast
import re
from collections import Counter
from dataclasses import dataclass

# fmt: off
FLIPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"),
}
# fmt: on


@dataclass(frozen=True)
class Key:
    """What names a mutant and outlives edits elsewhere in the file: the unbroken line and the change made to it."""

    game: str
    function: str
    line: str
    change: str


@dataclass(frozen=True)
class Mutant:
    """One change of a rules file: the bytes from `start` to `end` become `new`."""

    key: Key
    number: int
    start: int
    end: int
    new: bytes

    def applied(self, source: bytes) -> bytes:
        """The changed source."""
        return source[: self.start] + self.new + source[self.end :]


class Finder(ast.NodeVisitor):
    """Finds all mutants of one source, in the order of the text."""

    def __init__(self, game: str, source: bytes, constants: bool) -> None:
        self.game, self.source, self.constants = game, source, constants
        self.lines = source.splitlines(keepends=True)
        self.starts = [sum(map(len, self.lines[:k])) for k in range(len(self.lines))]
        self.function: list[str] = []
        self.seen: Counter[tuple[int, str]] = Counter()
        self.found: list[Mutant] = []

    def mutants(self) -> list[Mutant]:
        """All of them."""
        self.visit(ast.parse(self.source))
        return sorted(self.found, key=lambda m: (m.start, m.end))

    def add(self, start: int, end: int, new: str, change: str) -> None:
        """Note one mutant; the second one of a line with the same description is told apart by a number."""
        if not self.function and not self.constants:
            return
        number = self.source.count(b"\n", 0, start) + 1
        self.seen[number, change] += 1
        nth = self.seen[number, change]
        line = self.lines[number - 1].decode().strip()
        key = Key(self.game, ".".join(self.function), line, change if nth == 1 else f"{change}, #{nth}")
        self.found.append(Mutant(key, number, start, end, new.encode()))

    def span(self, node: ast.expr) -> tuple[int, int]:
        """Where the node's text starts and ends."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr) -> str:
        """The node's text."""
        return self.source[slice(*self.span(node))].decode()

    def flip(self, left: ast.expr, operator: ast.AST, right: ast.expr) -> None:
        """Flip the operator that stands between two expressions."""
        if type(operator) not in FLIPS:
            return
        old, new = FLIPS[type(operator)]
        begin, end = self.span(left)[1], self.span(right)[0]
        between = re.sub(rb"#.*", lambda comment: b" " * len(comment[0]), self.source[begin:end])
        match = re.search(rb"\s+".join(re.escape(word.encode()) for word in old.split()), between)
        assert match, f"line {left.lineno}: no {old}"
        self.add(begin + match.start(), begin + match.end(), new, f"{old} to {new}")

    def negate(self, test: ast.expr) -> None:
        """Negate a condition that has no operator to flip."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.add(*self.span(test), f"({self.text(test.operand)})", "negated")
        elif not isinstance(test, ast.Compare | ast.BoolOp | ast.Constant):
            self.add(*self.span(test), f"(not ({self.text(test)}))", "negated")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """The body only: no decorators, annotations or defaults."""
        self.function.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self.function.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The value only."""
        if node.value:
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        """An integer."""
        if type(node.value) is int:
            self.add(*self.span(node), str(node.value + 1), f"{self.text(node)} to {node.value + 1}")

    def visit_Compare(self, node: ast.Compare) -> None:
        """Each comparison of a chain."""
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self.flip(left, operator, right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Each `and` or `or`."""
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.flip(left, node.op, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """One operator."""
        self.flip(node.left, node.op, node.right)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """The operator of `+=`."""
        self.flip(node.target, node.op, node.value)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        """A condition."""
        self.negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """A condition."""
        self.negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """A condition."""
        self.negate(node.test)
        self.generic_visit(node)
