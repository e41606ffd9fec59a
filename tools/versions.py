"""`python tools/versions.py "what has changed"`: add a version to the environments that differ from their newest one.

Without words it only prints which differ. Where only the kinds of fingerprints have changed, it writes the new kinds.
"""

import argparse
import json

from hexdeck.engine.discovery.finding import game_folder, game_names
from hexdeck.envs.versions import FILE, fingerprints, history
from hexdeck.simulation.game import game


def known(name: str) -> list[dict[str, object]]:
    """The versions in a game's file, none if there is no file."""
    return history(name) if (game_folder(name) / FILE).exists() else []


def written(versions: list[dict[str, object]]) -> str:
    """The text of the file that holds these versions."""
    return "\n".join(
        "[[version]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in version.items())
        for version in versions
    )


def same(newest: dict[str, object], now: dict[str, str]) -> bool:
    """Whether all fingerprints agree, of the kinds that are still made."""
    return all(newest.get(key, value) == value for key, value in now.items())


def main(changes: str) -> None:
    """Print which environments differ, and add versions where the changes are given in words."""
    for name in game_names():
        versions, now = known(name), fingerprints(game(name))
        about: dict[str, object] = {key: versions[-1][key] for key in ("number", "changes")} if versions else {}
        if versions and versions[-1] == about | now:
            continue
        if versions and same(versions[-1], now):
            versions[-1] = about | now
        else:
            print(f"{name} differs from version {len(versions) - 1}")
            versions.append({"number": len(versions), "changes": changes, **now})
            if not changes:
                continue
        (game_folder(name) / FILE).write_text(written(versions), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("changes", nargs="?", default="", help="what has changed, in a sentence")
    main(parser.parse_args().changes)
