"""Break the rules of each game on purpose, one small change at a time, and see whether the rules tests notice.

The rules are `rules.py` and the other modules of the game's folder that it imports, at once or by way of others. The
tests of the game run on each changed source (a mutant), interpreted, in a forked child; a mutant on which they
fail, or never end, is killed. Fewer than 5 % may survive; `mutants_survivors.toml`, beside this file, has the reasons.
"""

import argparse
import ast
import contextlib
import importlib.machinery
import importlib.util
import multiprocessing
import multiprocessing.connection
import os
import random
import resource
import signal
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import CodeType
from typing import cast

os.environ |= {
    "HEXDECK_BACKEND": "interpreted",
    "OPENBLAS_NUM_THREADS": "1",
}  # a process with threads can't fork safely

import hypothesis
import numpy as np  # noqa: F401  # here once, so that not every child has to
import pytest
from mutations import Finder, Key, Mutant

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = 0.05
ASIDE = {"test_solver.py", "test_response.py"}  # of what is no part of the rules
ENDLESS = {-signal.SIGXCPU, -signal.SIGKILL}  # how the system ends a process that took too much time
MEMORY = 8 << 30  # a mutant that never ends may also fill lists


class Planted(importlib.machinery.SourceFileLoader):
    """Imports one module from a mutant's code instead of its file; also the finder that finds it."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        super().__init__(name, str(path))
        self.code = code

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """The planted module, and no other."""
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, _: str) -> CodeType:
        """The mutant."""
        return self.code


class Repeatable:
    """A pytest plugin: the tests' Hypothesis profile, but with the same examples for each mutant, and no shrinking."""

    def pytest_configure(self) -> None:
        """Once the project's conftest has loaded its own profile."""
        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        base = hypothesis.settings()
        hypothesis.settings.register_profile("mutants", base, database=None, derandomize=True, phases=phases)
        hypothesis.settings.load_profile("mutants")


@dataclass(frozen=True)
class Game:
    """A game's rules and their tests."""

    name: str
    root: Path

    @property
    def package(self) -> str:
        """Its name for imports."""
        return f"hexdeck.games.{self.name}"

    @property
    def kernel(self) -> list[Path]:
        """The files to break, `rules.py` first."""
        todo = [self.root / "src" / "hexdeck" / "games" / self.name / "rules.py"]
        found: list[Path] = []
        while todo:
            file = todo.pop(0)
            if file not in found:
                found.append(file)
                todo += self.imported_by(file)
        return found

    def imported_by(self, file: Path) -> list[Path]:
        """The modules of the game's folder that one of them imports."""
        found = []
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                found += [name.rpartition(".")[2] for name in names if name.rpartition(".")[0] == self.package]
        return [path for name in sorted(found) if (path := file.with_name(f"{name}.py")).is_file()]

    @property
    def tests(self) -> list[str]:
        """The files that should notice."""
        folder = self.root / "src" / "hexdeck" / "games" / self.name / "tests"
        own = sorted(str(file) for file in folder.glob("test_*.py") if file.name not in ASIDE)
        return [*own, str(self.root / "tests" / "rules" / "test_reference.py")]

    def run(self, file: Path, source: bytes, limit: int) -> None:
        """Run the tests on a source of a file in this process, which ends with pytest's exit status.

        It is killed after `limit` seconds of processor time, which a busy machine doesn't make longer.
        """
        with contextlib.suppress(ValueError, OSError):  # not every system can limit memory
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.chdir(self.root)
        sys.path.insert(0, str(self.root / "src"))
        code = compile(source, file, "exec")
        sys.meta_path.insert(0, Planted(f"{self.package}.{file.stem}", file, code))
        options = [
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "--game",
            self.name.replace("_", "-"),
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
        ]
        os._exit(pytest.main([*options, *self.tests], plugins=[Repeatable()]))


Break = tuple[Path, Mutant]  # of a file


def breaks(game: Game, constants: bool) -> list[Break]:
    """All mutants of a game, in the order of its files."""
    return [
        (file, mutant) for file in game.kernel for mutant in Finder(game.name, file.read_bytes(), constants).mutants()
    ]


def drawn(mutants: list[Break], count: int | None, seed: int) -> set[Break]:
    """So many of them, always the same ones for a seed; all where no number is asked for."""
    return set(mutants if not count or count >= len(mutants) else random.Random(seed).sample(mutants, count))


def killed(game: Game, jobs: int, limit: int, mutants: list[Break]) -> Iterator[tuple[Break, str]]:
    """Each mutant, as its tests end, with how it was killed; empty if it survived."""
    fork, todo = multiprocessing.get_context("fork"), mutants[::-1]
    running: dict[int, tuple[ForkProcess, Break]] = {}
    while todo or running:
        while todo and len(running) < jobs:
            file, mutant = todo.pop()
            process = fork.Process(target=game.run, args=(file, mutant.applied(file.read_bytes()), limit))
            process.start()
            running[process.sentinel] = process, (file, mutant)
        for sentinel in multiprocessing.connection.wait(list(running)):
            process, each = running.pop(cast(int, sentinel))
            process.join()
            yield each, "time" if process.exitcode in ENDLESS else "tests" if process.exitcode else ""


def baseline(game: Game) -> float:
    """Seconds of processor time that the tests take on unbroken rules; ends the program if they fail."""
    file = game.kernel[0]
    process = multiprocessing.get_context("fork").Process(target=game.run, args=(file, file.read_bytes(), 3600))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process.start()
    process.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.exitcode:
        command = f"HEXDECK_BACKEND=interpreted pytest {' '.join(game.tests)}"
        sys.exit(f"{game.name}: its tests fail on unbroken rules, too: {command}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def judge(game: Game, mutants: list[Break], jobs: int, timeout: int, reasons: dict[Key, str]) -> list[str]:
    """Try the mutants of one game, print what came of it, and return what is wrong."""
    limit = min(timeout, round(10 + 5 * baseline(game)))
    ends = {}
    for each, end in killed(game, jobs, limit, mutants):
        ends[each] = end
        if sys.stderr.isatty():
            print(f"\r{game.name}: {len(ends)} of {len(mutants)} ", end="", file=sys.stderr, flush=True)
    survivors = [each for each in mutants if not ends[each]]
    late = sum(end == "time" for end in ends.values())
    share = len(survivors) / max(1, len(mutants))
    print(f"{game.name}: {len(mutants)} mutants, {len(mutants) - len(survivors)} killed", end=" ")
    print(f"({late} without an end), {len(survivors)} survived: {share:.1%}")
    for file, mutant in survivors:
        broken = mutant.applied(file.read_bytes()).splitlines()[mutant.number - 1].decode().strip()
        print(f"  {file.relative_to(game.root)}:{mutant.number} {broken}  [{mutant.key.change}]")
        print(f"      {reasons.get(mutant.key, 'no reason given')}")
    wrong = [f"{game.name}: {share:.1%} survived; fewer than {ALLOWED:.0%} may"] if share >= ALLOWED else []
    surviving, tried = {mutant.key for _, mutant in survivors}, {mutant.key for _, mutant in mutants}
    return wrong + [f"stale, it was killed: {key}" for key in reasons if key in tried - surviving]


def accepted(file: Path) -> dict[Key, str]:
    """The survivors that are known, and the reason of each."""
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get("survivor", []) if file.is_file() else []
    return {Key(e["game"], e["function"], e["line"], e["change"]): e["reason"] for e in entries}


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="folder name of a game; default: all games")
    parser.add_argument("--jobs", type=int, default=2, help="how many mutants to try at once (default: 2)")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="try N mutants, drawn from those of all games asked for"
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed draws other mutants (default: 0)")
    parser.add_argument(
        "--timeout", type=int, default=60, help="seconds of processor until a mutant counts as endless (default: 60)"
    )
    parser.add_argument("--constants", action="store_true", help="break what stands outside functions, too")
    parser.add_argument("--list", action="store_true", help="list the mutants, try none")
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Try the mutants of all games, or of those that are named."""
    options = parsed(arguments)
    root = options.root.resolve()
    known = sorted(file.parent.name for file in (root / "src" / "hexdeck" / "games").glob("*/rules.py"))
    if unknown := set(options.games) - set(known):
        sys.exit(f"There is no game {', '.join(sorted(unknown))}; there are {', '.join(known)}.")
    reasons, wrong = accepted(root / "tools" / "mutants_survivors.toml"), []
    games = [Game(name, root) for name in options.games or known]
    found = {game: breaks(game, options.constants) for game in games}
    sampled = drawn([each for mutants in found.values() for each in mutants], options.sample, options.seed)
    for game, all_mutants in found.items():
        own = {key: reason for key, reason in reasons.items() if key.game == game.name}
        keys = {mutant.key for _, mutant in all_mutants}
        wrong += [f"stale, no mutant is so: {key}" for key in own if key not in keys]
        mutants = [each for each in all_mutants if each in sampled]
        if options.list:
            for file, mutant in mutants:
                print(f"{game.name}/{file.name}:{mutant.number} {mutant.key.line}  [{mutant.key.change}]")
        elif mutants:
            wrong += judge(game, mutants, options.jobs, options.timeout, own)
    wrong += [f"stale, no game is so: {key}" for key in reasons if key.game not in known]
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
