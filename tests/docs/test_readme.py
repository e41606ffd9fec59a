"""The commands, flags and files that README, CONTRIBUTING and the docs name are there."""

import re
import shlex

import pytest

from hexdeck.cli.command_line import COMMANDS
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.rulebook import luck_in_words, rules_text
from tests.people import Room
from tests.settings import GAMES

from .blocks import FENCED, ROOT, commands, of

PAGES = "README.md", "CONTRIBUTING.md"
EVERY_PAGE = *PAGES, *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("[!_g]*/*.md"))


def test_every_line_of_shell_is_a_command_that_there_is() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    known = {
        "hexdeck": {*COMMANDS},
        "make": targets,
        "git": {"clone", "pull"},
        "pipx": {"install", "run"},
        "source": {".venv/bin/activate"},
        "pip": {"install"},
        "podman": {"build", "run"},
        "docker": {"compose"},
        "caddy": {"reverse-proxy"},
        "cp": {"docs/learning/benchmark.jsonl"},
        "curl": {"--json", "-N"},
        "python": {
            f"{folder}/{path.name}" for folder in ("tools", "examples") for path in (ROOT / folder).glob("*.py")
        },
    }
    for block in of(EVERY_PAGE, "sh"):
        for line in commands(block):
            program, *words = shlex.split(line)
            first = next((word for word in words if word in known.get(program, ())), "")
            assert program in known and (not words or first), f"{block}: {line}"


def help_of_all(room: Room) -> dict[str, set[str]]:
    return {name: set(re.findall(r"(?<!\w)--[a-z-]+", room.hexdeck(name, "--help").out)) for name in COMMANDS}


def inline() -> list[tuple[str, str]]:
    pages = {page: (ROOT / page).read_text(encoding="utf-8") for page in EVERY_PAGE}
    return [(page, code) for page, text in pages.items() for code in re.findall(r"`([^`\n]+)`", FENCED.sub("", text))]


ELSEWHERE = {
    "--spec",
    "--help",
    "--every",
    "--slowdown",
    "--costs",
    "--largest",
    "--whole-trees",
    "--clear",
    "--times",
    "--install",
}


def test_every_command_and_flag_that_is_named_exists(room: Room) -> None:
    flags = help_of_all(room)
    known = set.union(*flags.values()) | ELSEWHERE  # of pipx, argparse, an example, tools
    for page, code in inline():
        words = code.strip("[]").replace("[", "").replace("]", "").split()
        assert set(re.findall(r"(?<!\S)--[a-z-]+", code)) <= known, f"{page}: {code}"
        if words[0] == "hexdeck" and len(words) > 1 and not words[1].startswith("-"):
            assert words[1] in {"help", *flags}, f"{page}: {code}"
            assert {word for word in words if word.startswith("--")} <= flags.get(words[1], set()), f"{page}: {code}"
    for row in re.findall(r"^\| `hexdeck .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE):
        assert set(re.findall(r"--[a-z-]+", row)) <= flags[row.split()[2].strip("`")], row


def test_files_that_are_named_exist() -> None:
    for page, code in inline():
        for path in re.findall(r"^(?:engine|games|tests|tools|cli|terminal|bots)/[\w/.]+$", code):
            places = [ROOT / path, ROOT / "src" / "hexdeck" / path]
            assert any(place.exists() for place in places), f"{page}: {code}"


def test_the_test_command_stands_in_the_readme_and_in_continuous_integration() -> None:
    assert "`make test`" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^make test\b", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)


@pytest.mark.parametrize("name", GAMES)
def test_age_and_luck_are_those_of_the_rules_page_and_of_which_game(name: str) -> None:
    about = definition(name).table.ABOUT
    assert f"Age {about.age} and up." in " ".join(rules_text(name, "en").split())
    page = (ROOT / "docs/howto/which_game.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| \[{about.title}\].*", page, re.MULTILINE)
    words = str(luck_in_words(about.luck)).removesuffix(" luck").replace("half luck, half skill", "half and half")
    share = f"{about.luck} %" if about.luck else "under 1 %"
    assert f"| {about.age}+ |" in row and f"| {words} ({share}) |" in row
