"""Tests wait for what comes, never for a time to pass, and assert nothing of how long something took.

Source texts of programs that tests start aren't looked into. `tests/evenings` sleeps in simulated time.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SLEEPS = {"time": "sleep", "asyncio": "sleep", "pilot": "pause", "page": "wait_for_timeout"}  # by whose they are
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "time"}
SIMULATED = ROOT / "tests" / "evenings"
LOOPS = ast.While | ast.For | ast.AsyncFor
SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def called(node: ast.AST) -> tuple[str, str]:
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        whose = function.value
        return getattr(whose, "attr", getattr(whose, "id", "")), function.attr
    return "", getattr(function, "id", "")


def tells_time(node: ast.AST) -> bool:
    calls = [called(each) for each in ast.walk(node)]
    return any(name in CLOCKS and (whose == "time" or (not whose and name != "time")) for whose, name in calls)


def seconds_of(node: ast.AST) -> float:
    """How long a call sleeps, if it says so by a number or by the name of a constant; else 0."""
    whose, name = called(node)
    if (
        name not in SLEEPS.values()
        or SLEEPS.get(whose, name if not whose or name == "wait_for_timeout" else "") != name
    ):
        return 0.0
    assert isinstance(node, ast.Call)
    for given in [*node.args, *(keyword.value for keyword in node.keywords)]:
        if isinstance(given, ast.Constant) and isinstance(given.value, int | float):
            return float(given.value)
        if isinstance(given, ast.Name) and given.id.isupper():
            return 1.0
    return 0.0


def within(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, SCOPES):
            yield from within(child)


def polls(loop: ast.AST) -> bool:
    """Whether a loop ends as soon as something holds, and not only when a time has passed."""
    by_clock = isinstance(loop, ast.While) and isinstance(loop.test, ast.Compare) and tells_time(loop.test)
    if isinstance(loop, ast.While) and not by_clock and not isinstance(loop.test, ast.Constant):
        return True
    return any(isinstance(each, ast.Break | ast.Return) for each in within(loop))


def is_elapsed(node: ast.AST) -> bool:
    """Whether an expression is, or has in it, the difference of two readings of a clock."""
    return any(
        isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub) and tells_time(each) for each in ast.walk(node)
    )


def waits(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a module on which a time is waited for, or compared."""
    tree = ast.parse(text)
    polled = {inner for loop in ast.walk(tree) if isinstance(loop, LOOPS) and polls(loop) for inner in within(loop)}
    polled |= {each for node in ast.walk(tree) if isinstance(node, ast.BoolOp) for each in node.values}
    assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and is_elapsed(node.value)]
    took = {
        name.id
        for each in assigned
        for name in ast.walk(each)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if seconds_of(node) > 0 and node not in polled:
            yield node.lineno, "waits for a time"  # type: ignore[attr-defined]
        if isinstance(node, ast.Assert):
            compared = [each for each in ast.walk(node.test) if isinstance(each, ast.Compare)]
            names = {each.id for one in compared for each in ast.walk(one) if isinstance(each, ast.Name)}
            if any(map(is_elapsed, compared)) or names & took:
                yield node.lineno, "compares how long something took"


def test_no_test_waits_for_a_time_or_depends_on_one() -> None:
    files = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("src/hexdeck/games/*/tests/**/*.py")]
    words = {*SLEEPS.values(), *(CLOCKS - {"time"})}
    texts = {file: file.read_text(encoding="utf-8") for file in files if not file.is_relative_to(SIMULATED)}
    found = [
        f"{file.relative_to(ROOT)}:{line} {what}"
        for file, text in sorted(texts.items())
        if file != Path(__file__) and any(f"{word}(" in text for word in words)
        for line, what in waits(text)
    ]
    assert not found, "\n".join(found)


def test_such_a_wait_is_found_and_waiting_for_something_is_none() -> None:
    assert [*waits("def test():\n    click()\n    time.sleep(0.3)\n    assert not told\n")] == [(3, "waits for a time")]
    assert [*waits("async def test():\n    for _ in range(3):\n        await pilot.pause(0.1)\n        click()\n")]
    assert [*waits("end = time.monotonic() + 1\nwhile time.monotonic() < end:\n    sleep(0.1)\n")]
    assert [*waits("since = monotonic()\nwork()\ntook = monotonic() - since\nassert took < 2\n")]
    assert [*waits("assert perf_counter() - since < 2\n")]
    for sound in (
        "while not ready():\n    assert time.monotonic() < end\n    time.sleep(0.01)\n",
        "for _ in range(3000):\n    if ready():\n        break\n    await asyncio.sleep(0.01)\n",
        "await asyncio.sleep(0)\nawait pilot.pause()\nawait clock.sleep(30)\n",
        "until(lambda: page.wait_for_timeout(10) or ready())\n",
        "PROGRAM = 'import time; time.sleep(5)'\n",
        "took = clock.monotonic() - since\nassert took == 3\n",
    ):
        assert not [*waits(sound)], sound
