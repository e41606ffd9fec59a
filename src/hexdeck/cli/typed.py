"""The words of a command line before they are parsed: which command is meant, and short ways to write some words."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from hexdeck.cli.help_pages import nearest
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import _, say

WITH_VALUE = "--lang", "--game-path"  # of what may stand before a command
HELP = "help"
NAMED_FILE = re.compile(r"[^-=][^=]*\.[A-Za-z]\w*")  # a word that looks like the name of a file


def place_of_command(given: Sequence[str]) -> int:
    """The index of the command among the words; how many words there are if none is a command."""
    at = 0
    while at < len(given) and given[at].startswith("-"):
        at += 2 if given[at] in WITH_VALUE else 1
    return min(at, len(given))


def unknown_before(given: Sequence[str], known: Sequence[str]) -> str:
    """The first option before the command that none of the known ones is; empty if there is none."""
    before = [word for word in given[: place_of_command(given)] if word.startswith("-") and word != "-"]
    return next((word for word in before if word.partition("=")[0] not in known), "")


def spelled_out(given: Sequence[str]) -> list[str]:
    """The same words as argparse takes them: `help COMMAND` as `COMMAND --help`, and `--json` with its file or `-`."""
    at = place_of_command(given)
    words = [*given]
    if words[at : at + 1] == [HELP]:
        words = [*words[:at], *words[at + 1 :], "--help"]
    return [
        f"{word}=-" if word == "--json" and not is_figures_file(after) else word
        for word, after in pairwise([*words, ""])
    ]


def is_figures_file(word: str) -> bool:
    """Whether a word after `--json` is its file, rather than a game or another option."""
    return word == "-" or word.endswith(".json") or "/" in word or os.sep in word


def check_figures_file(given: Sequence[str]) -> None:
    """Raise BadOption for a word after `--json`, as `spelled_out` left it, that can only be meant as its file."""
    for word, after in pairwise([*given, ""]):
        if word == "--json=-" and NAMED_FILE.fullmatch(after) and not Path(after).exists():
            text = _("After --json comes a file that ends in .json; write --json={file} for another name.")
            raise BadOption(say(text, file=after[:80]))


def check_command(name: str, known: Sequence[str]) -> None:
    """Raise BadOption for a command that there is not, with the one that may be meant."""
    from hexdeck.cli.parser import whole_name
    from hexdeck.engine.discovery.finding import game_names

    if name in known:
        return
    if (near := nearest(name, [*known, HELP])) or whole_name(name) not in game_names():
        text = _("There is no command {name}; hexdeck --help lists them.")
        if near:
            text = _("There is no command {name} (did you mean {near}?); hexdeck --help lists them.")
        raise BadOption(say(text, name=name[:40], near=near))
    raise BadOption(say("{name} is a game: hexdeck play {name} plays it.", name=whole_name(name)))
