"""The pages about games as environments, and the example that learns one."""

import csv
import re
import subprocess
import sys
from pathlib import Path

from specs import FOLDER, page

from tests.settings import every_game

ROOT = Path(__file__).parents[2]


def without_values(text: str) -> str:
    """A page without the last cell of each small configuration, which takes long to reckon."""
    head, small, rest = re.split(r"(?=## Small|## Versions)", text)
    return head + re.sub(r"\|[^|\n]*\|$", "|", small, flags=re.MULTILINE) + rest


@every_game
def test_the_page_of_a_game_is_as_it_would_be_made(name: str) -> None:
    written = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert without_values(written) == without_values(page(name, lambda chosen, decisions: "")), "python tools/specs.py"


def test_the_example_learns_and_tells_its_curve(tmp_path: Path) -> None:
    curve = tmp_path / "curve.csv"
    command = [sys.executable, "examples/self_play.py", "hawthorn", "--minutes", "0.03", "--every", "1"]
    ran = subprocess.run([*command, "--curve", str(curve)], cwd=ROOT, capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(curve.read_text().splitlines()))
    assert ran.stdout.count("decisions") == len(rows) >= 2 and int(rows[-1]["decisions"]) > 0
