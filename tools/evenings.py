#!/usr/bin/env python3
"""Play simulated evenings of a server, a night of them if you like, and tell which end badly.

An evening follows from its seed: people come and go, click twice, lose their network; processes are killed and
replaced; the store is slow or full, clocks jump. After each step it is checked that every acknowledged move is stored
once, that nobody is shown what they may not see, that nobody waits for ever, and at the end that records replay and
verify (`tests/evenings`). The same seed gives the same trace, byte for byte.

    python tools/evenings.py --seeds 1..10000 --minutes 480
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.evenings.evening import Result, live

SHOWN = 12  # of the last lines of a trace that are printed


def main() -> int:
    """Play them; 1 where one ended badly."""
    given = arguments()
    first, _, last = given.seeds.partition("..")
    until, bad, played = time.monotonic() + 60 * given.minutes, 0, 0
    for seed in range(int(first), int(last or first) + 1):
        found = live(seed, given.length, given.changes)
        played += 1
        if found.failures:
            bad += 1
            tell(found, given)
        elif given.trace:
            print(f"seed {seed}: well; its trace is in {written(found, given.folder)}")
        if given.minutes and time.monotonic() > until:
            break
    print(f"{played} evenings, {bad} of them ended badly")
    return 1 if bad else 0


def tell(found: Result, given: argparse.Namespace) -> None:
    """Print what went wrong, and how to see it again."""
    print(found)
    print(*found.trace.splitlines()[-SHOWN:], sep="\n")
    print(f"its trace is in {written(found, given.folder)}; again:")
    print(f"python tools/evenings.py --seeds {found.seed} --length {given.length:g} --changes {given.changes}")


def written(found: Result, folder: Path) -> Path:
    """The file of an evening's trace."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{found.seed}.txt"
    path.write_text(found.trace + "\n", encoding="utf-8")
    return path


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", default="1..50", metavar="A..B", help="the seeds, or one seed (default 1..50)")
    parser.add_argument("--length", type=float, default=8.0, help="simulated minutes of each, at most (default 8)")
    parser.add_argument("--changes", type=int, default=60, help="changes stored at most before it is calm (default 60)")
    parser.add_argument("--minutes", type=float, default=0.0, help="minutes after which none begins (default 0: all)")
    parser.add_argument("--trace", action="store_true", help="write the traces of evenings that end well, too")
    parser.add_argument(
        "--folder", type=Path, default=Path("build/evenings"), help="for traces (default build/evenings)"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
