"""The browser that tests and the gallery look with: the system's Chromium, else Playwright's own.

The one without windows comes first: it takes a fifth less of a processor.

As a command: get one where that is allowed (by apt as root, else Playwright's download) and say plainly where it isn't.
Exit 1 when there is none; where HEXDECK_NO_BROWSER says that the tests may go on without, nothing is got.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NONE = "There is no Chromium on this machine"
LEFT_OUT = f"{NONE}; the tests that need one are left out, since HEXDECK_NO_BROWSER is set."
WANTED = (
    f"{NONE}, and it can't be fetched here: install one (Debian's package is chromium). "
    "HEXDECK_NO_BROWSER=1 leaves out the tests that need one."
)


def chromium() -> str:
    """Where the browser is; empty if there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), "")
    return found or own()


def own() -> str:
    """Playwright's own browser, if it was downloaded."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return ""
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return str(path) if path.is_file() else ""


def fetch() -> bool:
    """Try to get one; the output of what was tried is kept back unless all of it fails."""
    tries = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        installs = [["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", name] for name in NAMES[:2]]
        one_by_one = " || ".join(map(" ".join, installs))
        tries[:0] = [installs[0], ["sh", "-c", f"apt-get update --quiet && {{ {one_by_one}; }}"]]
    for command in tries:
        print(f"Getting a browser for the tests (once): {' '.join(command)}", file=sys.stderr)
        if subprocess.run(command, capture_output=True, check=False).returncode == 0 and chromium():
            return True
    return False


def main() -> int:
    """Find one, get one, or say what is left out."""
    leave_out = bool(os.environ.get("HEXDECK_NO_BROWSER"))
    if chromium() or (not leave_out and fetch()):
        return 0
    print(LEFT_OUT if leave_out else WANTED, file=sys.stderr)
    return not leave_out


if __name__ == "__main__":
    sys.exit(main())
