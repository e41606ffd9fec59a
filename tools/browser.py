"""The browser that tests and the gallery look with: the system's Chromium, else Playwright's own.

The one without windows comes first: it takes a fifth less of a processor.

As a command: get one where that is allowed (by apt as root, else Playwright's download) and say plainly where it isn't.
Exit 1 when there is none, unless HEXDECK_NO_BROWSER says that the tests may go on without.
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
NONE = "There is no Chromium on this machine, and it can't be fetched here: install one (Debian's package is chromium)."
LEFT_OUT = "The tests that need one are left out, since HEXDECK_NO_BROWSER is set."
GO_ON = "HEXDECK_NO_BROWSER=1 leaves out the tests that need one."


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
    if chromium() or fetch():
        return 0
    leave_out = bool(os.environ.get("HEXDECK_NO_BROWSER"))
    print(f"{NONE} {LEFT_OUT if leave_out else GO_ON}", file=sys.stderr)
    return not leave_out


if __name__ == "__main__":
    sys.exit(main())
