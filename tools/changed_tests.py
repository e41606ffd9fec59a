"""`make test-changed`: the tests that an edit can have broken, the nearest first, for about a minute.

Edited is what differs from the last commit, or from `--since COMMIT`. A test file is as far from an edit as its
shortest chain of imports; a file that is no Python counts as an import of the modules beside it, and a game's folder as
one of its own tests and of every test that goes through all games (then only this game's cases are run). How long each
file takes is known from earlier runs; what doesn't fit into the time is named.
"""

import argparse
import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = ROOT / ".pytest_cache" / "v" / "hexdeck" / "seconds"
GAMES = "src/hexdeck/games/"
EVERY_GAME = "tests/settings.py"  # what tests import that go through all games
WORKERS = 2
UNKNOWN = 2.0  # seconds that a file counts for which never ran


def edited(since: str) -> set[str]:
    """The files that differ from a commit, by their paths in the repository; new ones too."""
    found = git("diff", "--name-only", since) + git("ls-files", "--others", "--exclude-standard")
    return {name for name in found if name}


def git(*words: str) -> list[str]:
    """The lines that git answers."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


@cache
def modules() -> dict[str, str]:
    """Every Python file of the repository by the name it is imported with."""
    found = {"conftest": "conftest.py"}
    for folder, prefix in (("src", ""), ("tests", "tests"), ("tools", "")):
        for file in (ROOT / folder).rglob("*.py"):
            parts = [*([prefix] if prefix else []), *file.relative_to(ROOT / folder).with_suffix("").parts]
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file.relative_to(ROOT).as_posix()
    return found


def imports(name: str) -> set[str]:
    """The files that a module imports, wherever in its text."""
    file = modules()[name]
    package = name.split(".") if file.endswith("__init__.py") else name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse((ROOT / file).read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            found |= {origin, *(f"{origin}.{alias.name}" for alias in node.names)}
    return {modules()[each] for each in found if each in modules()}


def users() -> dict[str, set[str]]:
    """For each file those that import it; a `conftest.py` is imported by all tests below it."""
    found: dict[str, set[str]] = {}
    for name, file in modules().items():
        for other in imports(name):
            found.setdefault(other, set()).add(file)
        if file.endswith("conftest.py"):
            folder = file.removesuffix("conftest.py")
            found.setdefault(file, set()).update(each for each in modules().values() if each.startswith(folder))
    return found


def stand_ins(file: str) -> set[str]:
    """The Python files that stand for an edited file: itself, or those of the nearest folder above it that has some."""
    if file.endswith(".py"):
        return {file}
    folder = (ROOT / file).parent
    while folder != ROOT and not list(folder.glob("*.py")):
        folder = folder.parent
    if folder in {ROOT, ROOT / "docs"}:
        return {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests" / "docs").glob("test_*.py")}
    return {path.relative_to(ROOT).as_posix() for path in folder.glob("*.py")}


def distances(files: Iterable[str]) -> dict[str, int]:
    """How many imports each test file is away from the edited ones; those that none leads to are missing."""
    known, found = users(), {file: 0 for each in files for file in stand_ins(each)}
    games = [file for file in found if file.startswith(GAMES) and not is_test(file)]
    for file in [EVERY_GAME, *(test for game in games for test in own_tests(game))] if games else []:
        found.setdefault(file, 1)
    ahead = sorted(found, key=lambda file: found[file])
    for file in ahead:  # it grows while it is gone through
        for user in sorted(known.get(file, ())):
            if user not in found:
                found[user] = found[file] + 1
                ahead.append(user)
    return {file: far for file, far in found.items() if is_test(file) and (ROOT / file).is_file()}


def is_test(file: str) -> bool:
    """Whether pytest looks for tests in a file."""
    return file.startswith(("tests/", GAMES)) and Path(file).name.startswith("test_")


def own_tests(file: str) -> list[str]:
    """The files of tests in the folder of the game that a file is of."""
    folder = f"{GAMES}{file.removeprefix(GAMES).split('/')[0]}/tests/"
    return [each for each in modules().values() if each.startswith(folder) and is_test(each)]


def games_of(files: Iterable[str]) -> list[str]:
    """The games that all edits are of, as their names begin in ids of tests; nothing where something else is edited."""
    folders = [file.removeprefix(GAMES).split("/")[0] if file.startswith(GAMES) else "" for file in files]
    return [] if "" in folders else sorted({folder.replace("_", "-") for folder in folders})


def chosen(found: dict[str, int], seconds: dict[str, float], budget: float) -> tuple[list[str], list[str]]:
    """The files to run, the nearest and quickest first, and those that don't fit into so many seconds."""
    runs: list[str] = []
    left: list[str] = []
    for file in sorted(found, key=lambda file: (found[file], seconds.get(file, UNKNOWN))):
        budget -= seconds.get(file, UNKNOWN)
        if budget >= 0 or not runs:
            runs.append(file)
        else:
            left.append(file)
            budget += seconds.get(file, UNKNOWN)
    return runs, left


def main(arguments: list[str] | None = None) -> int:
    """Choose, tell and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", default="HEAD", metavar="COMMIT", help="what edits are counted from (default: HEAD)")
    parser.add_argument("--minutes", type=float, default=1, help="about how long to test (default: 1)")
    options, more = parser.parse_known_args(arguments)
    files = edited(options.since)
    found = distances(files)
    if not found:
        print("Nothing was edited that a test depends on.")
        return 0
    seconds = json.loads(SECONDS.read_text(encoding="utf-8")) if SECONDS.is_file() else {}
    runs, left = chosen(found, seconds, options.minutes * 60 * WORKERS)
    print(f"{len(files)} files edited; {len(found)} files of tests depend on them, the nearest {len(runs)} are run.")
    games = [word for name in games_of(files) for word in ("--game", name)]
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(WORKERS), *games, *runs, *more]
    status = subprocess.run(command, cwd=ROOT, check=False)
    if left:
        print(f"Not run, for want of time: {', '.join(left)}. make test runs all.")
    return status.returncode


if __name__ == "__main__":
    sys.exit(main())
