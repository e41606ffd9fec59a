"""Nothing is too large to be read at once: no file, no function, no folder, one of tests neither."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent / "src" / "hexdeck"
MOST_LINES, MOST_IN_FUNCTION, MOST_MODULES = 400, 40, 20


def sources() -> dict[str, str]:
    """The modules by their paths, without those of games' tests."""
    files = sorted(file for file in ROOT.rglob("*.py") if "tests" not in file.parts)
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def long_files(texts: dict[str, str]) -> set[str]:
    """The files with too many lines; the rules of a game are one file, however long."""
    free = {path for path in texts if path.startswith("games/") and path.endswith("/rules.py")}
    return {path for path, text in texts.items() if text.count("\n") > MOST_LINES} - free


def long_functions(texts: dict[str, str]) -> Iterator[str]:
    """The functions with too many lines, decorators aside, each with its path."""
    for path, text in texts.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > MOST_IN_FUNCTION:
                    yield f"{path}: {node.name} has {lines} lines"


def full_folders(texts: dict[str, str]) -> set[str]:
    """The folders with too many modules."""
    modules = Counter(path.rpartition("/")[0] for path in texts if not path.endswith("__init__.py"))
    return {folder for folder, count in modules.items() if count > MOST_MODULES}


def test_files_functions_and_folders_stay_small() -> None:
    texts = sources()
    assert long_files(texts) == set()
    assert [*long_functions(texts)] == []
    assert full_folders(texts) == set()
    assert full_folders({file.relative_to(TESTS).as_posix(): "" for file in TESTS.rglob("*.py")}) == set()


def test_what_is_too_large_would_be_found() -> None:
    long = "def f():\n" + "    pass\n" * 40
    assert [*long_functions({"a.py": long, "b.py": long.replace("    pass\n", "", 1)})] == ["a.py: f has 41 lines"]
    texts = {"a.py": "\n" * 401, "b.py": "\n" * 400, "games/x/rules.py": "\n" * 900, "games/x/table.py": "\n" * 401}
    assert long_files(texts) == {"a.py", "games/x/table.py"}
    assert full_folders({f"{folder}/m{k}.py": "" for folder, n in (("a", 21), ("b", 20)) for k in range(n)}) == {"a"}
