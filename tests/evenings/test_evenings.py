"""Evenings in which all goes wrong that can: whatever happens, each move is made once, and nobody waits for ever."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evenings.evening import live
from tests.settings import much

ROOT = Path(__file__).parents[2]
SHORT = {"minutes": 4.0, "changes": 30}
FEW = much([1, 4], [*range(1, 7)])  # seeds; in the first two people do all that they do in the others
BLOCK = 50  # evenings of a test among the many
QUICK, OTHER = 110, 104  # seeds of evenings that are over soon


def command(seed: int) -> str:
    return f"python tools/evenings.py --seeds {seed} --length {SHORT['minutes']:.0f} --changes {SHORT['changes']}"


def assert_well(seed: int) -> None:
    """An evening ends well; else it is told how to see it again."""
    found = live(seed, **SHORT)  # type: ignore[arg-type]
    if found.failures:
        pytest.fail(f"{found}\nagain, with its trace: {command(seed)}", pytrace=False)


@pytest.mark.parametrize("seed", FEW)
def test_an_evening_ends_well(seed: int) -> None:
    assert_well(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1001, 1301, BLOCK))
def test_hundreds_of_evenings_end_well(first: int) -> None:
    for seed in range(first, first + BLOCK):
        assert_well(seed)


def test_the_same_seed_is_the_same_evening_byte_for_byte() -> None:
    here = live(QUICK, **SHORT)  # type: ignore[arg-type]
    assert here.counts["acknowledged"] > 2 and here.counts["records"] == 1
    words = f"import sys; from tests.evenings.evening import live; sys.stdout.write(live({QUICK}, **{SHORT}).trace)"
    env = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    there = subprocess.run([sys.executable, "-c", words], env=env, cwd=ROOT, check=True, capture_output=True, text=True)
    assert there.stdout == here.trace
    assert live(OTHER, **SHORT).trace != here.trace  # type: ignore[arg-type]


def test_servers_ask_nobody_but_their_machine_for_the_time_and_for_chance() -> None:
    asks = re.compile(r"\btime\.(time|monotonic)\(|\bsecrets\.(token|choice|rand)|\burandom\(|SystemRandom\(")
    found = {
        path.name
        for part in ("tables", "web")
        for path in (ROOT / "src/hexdeck" / part).rglob("*.py")
        if asks.search(path.read_text(encoding="utf-8"))
    }
    by_default = {"keys.py"}  # what a machine has
    assert found == {"registry.py", *by_default, "requests.py", "push.py"}
