"""Plant the faults of `tools/faults/*.toml`, one at a time, in a copy of the sources; the named tests must notice each.

    python tools/faults.py [AREA ...]

Each fault has `file`, `old` (text that stands once in it) and `new`; `what` a user would suffer from it; `noticed`, a
test of `make test` that fails on it, or `noticed_by_all`, one that only `make test-all` has; and `before`, the test
that noticed it before the tests were made quick (empty: none did). `interpreted = true` plays with interpreted rules,
so that no machine code is made of a broken kernel. Rules are broken by `tools/mutants.py`, a thousand ways.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tools" / "faults"
PATIENCE = re.compile(r"^(PATIENCE = )([\d._]+)", re.MULTILINE)


@dataclass(frozen=True)
class Fault:
    """One change that breaks something, and the test that should say so."""

    area: str
    file: str
    old: str
    new: str
    what: str
    noticed: str
    noticed_by_all: str = ""
    before: str = ""
    interpreted: bool = False

    @property
    def test(self) -> str:
        """The test that should fail; empty where none is known."""
        return self.noticed or self.noticed_by_all

    def problem(self) -> str:
        """Why it can't be planted; empty if it can."""
        file = ROOT / self.file
        count = file.read_text(encoding="utf-8").count(self.old) if file.is_file() else 0
        return "" if count == 1 else f"{self.area}: in {self.file} this stands {count} times, not once: {self.old}"


def faults(areas: list[str]) -> Iterator[Fault]:
    """The faults of some areas, of all if none is named."""
    for path in sorted(LISTS.glob("*.toml")):
        if not areas or path.stem in areas:
            for fields in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]:
                yield Fault(path.stem, **fields)


def fails(fault: Fault) -> bool:
    """Whether the named test fails when the fault is planted."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "hexdeck"
        shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", "_build"))
        broken = root / fault.file
        broken.write_text(broken.read_text(encoding="utf-8").replace(fault.old, fault.new), encoding="utf-8")
        for file in (root / "conftest.py", root / "tests" / "support.py"):  # a seventh of the time for what never comes
            text = PATIENCE.sub(lambda line: f"{line[1]}{float(line[2]) / 7}", file.read_text(encoding="utf-8"))
            file.write_text(text, encoding="utf-8")
        long = [] if fault.noticed else ["--everything"]
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *long, fault.test]
        variables = {"PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)]), "CI": "true"}
        if fault.interpreted:
            variables["HEXDECK_BACKEND"] = "interpreted"
        run = subprocess.run(command, cwd=root, env=os.environ | variables, capture_output=True, text=True, check=False)
        if run.returncode not in {0, 1, 2}:
            print(f"{fault.area}: {fault.test} can't be run:\n{run.stdout[-2000:]}", file=sys.stderr)
        return run.returncode in {1, 2}  # 2: the fault shows while tests are collected


def main() -> int:
    """Try each fault, two at a time, and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("areas", nargs="*", metavar="AREA", help="the lists to try (default: all)")
    listed = list(faults(parser.parse_args().areas))
    problems = [problem for fault in listed if (problem := fault.problem())]
    if problems:
        print("\n".join(problems), file=sys.stderr)
        return 2
    wrong = 0
    with ThreadPoolExecutor(2) as pool:
        for fault, failed in zip(
            listed, pool.map(lambda fault: bool(fault.test) and fails(fault), listed), strict=True
        ):
            said = fault.test or "no test"
            print(f"{'noticed' if failed else 'MISSED '} {fault.area:10} {said}: {fault.what}", flush=True)
            wrong += bool(fault.test) and not failed
    usual = sum(bool(fault.noticed) for fault in listed)
    known = sum(bool(fault.test) for fault in listed)
    print(
        f"{len(listed)} faults: make test notices {usual}, make test-all {known}; {wrong} of these weren't noticed now."
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
