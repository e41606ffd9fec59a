"""Every rule of a game has a test that proves it; every option is tested under every value."""

import ast
import re
from collections.abc import Iterator

from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.options import Choice, Option, Switch
from tests.settings import every_game, folder_of_tests, options


def trees(name: str) -> list[ast.Module]:
    files = sorted(folder_of_tests(name).glob("test_*.py"))
    return [ast.parse(file.read_text(encoding="utf-8")) for file in files]


def calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name:
            yield node


def proved(name: str) -> set[str]:
    tests = [node for tree in trees(name) for node in tree.body if isinstance(node, ast.FunctionDef)]
    marks = [mark for test in tests if test.name.startswith("test_") for mark in test.decorator_list]
    found = [argument for mark in marks for call in calls(mark, "rule") for argument in call.args]
    return {str(argument.value) for argument in found if isinstance(argument, ast.Constant)}


def constants(node: ast.AST | None) -> set[object]:
    if isinstance(node, ast.List | ast.Tuple):
        return {value for element in node.elts for value in constants(element)}
    return {node.value} if isinstance(node, ast.Constant) else set()


def parametrized(call: ast.Call) -> Iterator[tuple[str, object]]:
    """The names and values of a `parametrize`."""
    if len(call.args) < 2 or not isinstance(call.args[1], ast.List | ast.Tuple):
        return
    names = [str(each) for each in constants(call.args[0])]
    if isinstance(call.args[0], ast.Constant):
        for value in constants(call.args[1]):
            yield names[0], value
        return
    ordered = [element.value for element in getattr(call.args[0], "elts", ()) if isinstance(element, ast.Constant)]
    for case in call.args[1].elts:
        for name, element in zip(ordered, getattr(case, "elts", ()), strict=False):
            for value in constants(element):
                yield str(name), value


def tried(name: str) -> set[tuple[str, object]]:
    """Option names and values that stand in the tests: as keywords, in dicts, or as parameters of tests."""
    found: set[tuple[str, object]] = set()
    for tree in trees(name):
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg:
                found |= {(node.arg, value) for value in constants(node.value)}
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                found |= {
                    (str(k.value), v) for k, each in pairs if isinstance(k, ast.Constant) for v in constants(each)
                }
        for call in calls(tree, "parametrize"):
            found |= set(parametrized(call))
    return found


def untried(option: Option, found: set[tuple[str, object]]) -> list[object]:
    """Values of an option that should be tried: all of a Choice or Switch, two of a Number or a Deck."""
    values = [value for name, value in found if name == option.name]
    if isinstance(option, Choice):
        return [value for value in option.values if value not in values]
    if isinstance(option, Switch):
        return [value for value in (False, True) if not any(value is each for each in values)]
    return [] if any(value != option.default for value in values) else ["anything but the default"]


@every_game
def test_every_rule_is_proved_by_a_test(name: str) -> None:
    told = "".join((game_folder(name) / file).read_text(encoding="utf-8") for file in ("rules.en.md", "spec.toml"))
    ids = set(re.findall(r"\[([A-Z]+-\d+)\]", told))  # rewards and what a seat knows are told to programmers only
    assert len(ids) >= 10 and ids == proved(name)


@every_game
def test_every_option_is_tested_under_every_value(name: str) -> None:
    found = tried(name)
    assert {option.name: values for option in options(name) if (values := untried(option, found))} == {}
