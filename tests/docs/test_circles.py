"""No module imports itself by way of others, not even late, within functions."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2] / "src"


def modules() -> dict[str, Path]:
    files = [file for file in (ROOT / "hexdeck").rglob("*.py") if not {"template", "migrations"} & {*file.parts}]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def statements(block: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a block and of the blocks in it, without what only a type checker reads."""
    for each in block:
        yield each
        unread = isinstance(each, ast.If) and "TYPE_CHECKING" in ast.dump(each.test)
        for name in ("body", "orelse", "finalbody")[unread:]:
            yield from statements(getattr(each, name, []))
        for other in (*getattr(each, "handlers", ()), *getattr(each, "cases", ())):
            yield from statements(other.body)


def imported(text: str, known: set[str]) -> Iterator[str]:
    for node in statements(ast.parse(text).body):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield from {name if name in known else node.module} & known


def reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    found, ahead = set[str](), [*graph[start]]
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += graph[name]
    return found


def circles(texts: dict[str, str]) -> set[str]:
    graph = {name: {*imported(text, {*texts})} - {name} for name, text in texts.items()}
    return {name for name in graph if name in reached(name, graph)}


def test_no_module_imports_itself() -> None:
    found = circles({name: file.read_text(encoding="utf-8") for name, file in modules().items()})
    assert not found


def test_a_circle_is_found() -> None:
    late = "def run():\n    from a.b import two\n"
    assert circles({"a.b": "from a.c import one", "a.c": late, "a.d": "from a.b import two"}) == {"a.b", "a.c"}
