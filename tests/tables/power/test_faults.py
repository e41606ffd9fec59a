"""A disk that is full, or broken: what can't be stored is refused, what was acknowledged stays, and play goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.settings import much


def test_writes_may_fail_anywhere(shim: Path, memory: Path) -> None:
    about = {"LD_PRELOAD": str(shim), "POWER_ROOT": str(memory)}
    command = [sys.executable, "-m", "tests.tables.power.faults", str(memory), str(much(5, 1)), str(much(40, 1))]
    ran = subprocess.run(command, check=False, env=os.environ | about, capture_output=True, text=True, timeout=1200)
    assert ran.returncode == 0, ran.stderr[-3000:]
    done = json.loads(ran.stdout)
    print(done)
    for each in done.values():
        assert each["refused"] + each["not opened"] > each["evenings"] // 2 > 3
        assert each["acknowledged"] >= 3 * each["evenings"]
