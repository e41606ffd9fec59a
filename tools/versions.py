"""`python tools/versions.py "what has changed"`: a new version of each environment that differs from its newest.

Without words it only tells which differ.
"""

import json
import sys

from hexdeck.engine.game import game_folder, game_names
from hexdeck.envs.versions import FILE, fingerprints, history


def known(name: str) -> list[dict[str, object]]:
    """The versions told so far."""
    return history(name) if (game_folder(name) / FILE).exists() else []


def written(versions: list[dict[str, object]]) -> str:
    """The file of some versions."""
    return "\n".join(
        "[[version]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in version.items())
        for version in versions
    )


def main(changes: str) -> None:
    """Tell, or write."""
    for name in game_names():
        versions, now = known(name), fingerprints(name)
        if versions and {key: versions[-1][key] for key in now} == now:
            continue
        print(f"{name} differs from version {len(versions) - 1}")
        if changes:
            newest = {"number": len(versions), "changes": changes, **now}
            (game_folder(name) / FILE).write_text(written([*versions, newest]), encoding="utf-8")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
