"""The table of what requests cost, which a tool makes."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_has_the_cost_of_each_request_that_the_tool_measures() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "demands.py"))
    page = (ROOT / "docs" / "notebook" / "requests.md").read_text(encoding="utf-8")
    table = page.partition(tool["HEAD"] + "\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [re.fullmatch(r"\| (.+) \| ([\d.]+) \| (.+) \|", line) for line in table.splitlines()]
    assert {row[1]: row[3] for row in rows if row} == {name: where for name, (where, _) in tool["COSTS"].items()}
    assert all(rows)
