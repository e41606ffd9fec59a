"""What a test waits for in a page is a function: the pages' policy forbids evaluating text, so that a text passes
only where it is true at the first look."""

import ast
import re
from pathlib import Path

FUNCTION = re.compile(r"\s*(async )?(\w+|\([^)]*\)) =>")


def waited(path):
    """The constant beginning of everything that a file waits for, with its line."""
    text = path.read_text()
    if "wait_for_function" not in text:
        return  # reading most files takes seconds
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "wait_for_function":
            told = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
            if isinstance(told, ast.Constant):
                yield node.lineno, told.value


def test_what_is_waited_for_is_a_function():
    files = list(Path(__file__).parents[1].rglob("*.py"))
    found = [(path.name, line, text) for path in files for line, text in waited(path)]
    assert len(found) > 20
    assert [one for one in found if not FUNCTION.match(one[2])] == []
