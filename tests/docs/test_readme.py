"""What README and CONTRIBUTING say can be done, works as they say."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hexdeck.cli.parser import COMMANDS
from tests.people import Room

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^(?:<!-- (?P<mark>\w+) -->\n)?```(?P<lang>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LITERAL = re.compile(r"print\((?P<what>.*)\)  # (?P<said>[\[({'\"\d].*)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, what stands in it, and the mark in a comment above it."""

    page: str
    number: int
    lang: str
    body: str
    mark: str

    def __str__(self) -> str:
        return f"{self.page}-{self.lang}-{self.number}"


def blocks() -> Iterator[Block]:
    """All fenced blocks of both pages."""
    for page in ("README.md", "CONTRIBUTING.md"):
        found = FENCED.finditer((ROOT / page).read_text(encoding="utf-8"))
        for number, block in enumerate(found):
            yield Block(page, number, block["lang"], block["body"], block["mark"] or "")


def of(lang: str, mark: str = "") -> list[Block]:
    """The blocks of a language, of a mark if one is given."""
    return [block for block in blocks() if block.lang == lang and mark in {"", block.mark}]


def commands(block: Block) -> list[str]:
    """Its lines without comments."""
    lines = [re.sub(r"\s+# .*", "", line).strip() for line in block.body.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("block", of("python"), ids=str)
def test_python_runs_and_prints_what_its_comments_say(block: Block, room: Room) -> None:
    room.monkeypatch.delenv("HEXDECK_BACKEND")
    room.monkeypatch.chdir(room.home.parent)
    names: dict[str, object] = {}
    exec(compile(block.body, str(block), "exec"), names)
    printed = room.capsys.readouterr().out
    assert printed.count("\n") >= block.body.count("print(")
    for said in (match["said"] for match in map(LITERAL.search, block.body.splitlines()) if match):
        literal = said.partition(": ")[0].partition(", ...")[0]
        assert literal in printed, said


@pytest.mark.parametrize("block", of("sh", "run"), ids=str)
def test_commands_marked_to_run_do(block: Block, room: Room) -> None:
    room.monkeypatch.delenv("HEXDECK_BACKEND")
    room.monkeypatch.chdir(room.home.parent)
    for line in commands(block):
        program, *words = shlex.split(line)
        assert program == "hexdeck", line
        said = room.hexdeck(*words)
        assert said.status == 0 and said.out, f"{line}\n{said.err}"


def test_something_is_run_at_all() -> None:
    assert of("python") and of("sh", "run") and [line for block in of("sh") for line in commands(block)]


@pytest.mark.parametrize("block", of("sh"), ids=str)
def test_every_line_of_shell_is_make_or_hexdeck(block: Block) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for line in commands(block):
        program, *words = shlex.split(line)
        known = {"hexdeck": {*COMMANDS}, "make": targets, "git": {"clone"}, "pipx": {"run"}}
        assert program in known and (not words or words[0] in known[program]), line


def help_of_all(room: Room) -> dict[str, set[str]]:
    """The flags of each command, as `--help` lists them."""
    return {name: set(re.findall(r"(?<!\w)--[a-z-]+", room.hexdeck(name, "--help").out)) for name in COMMANDS}


def inline() -> list[tuple[str, str]]:
    """What stands between backticks, with its page."""
    pages = {page: (ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "CONTRIBUTING.md")}
    return [(page, code) for page, text in pages.items() for code in re.findall(r"`([^`\n]+)`", FENCED.sub("", text))]


def test_every_command_that_is_named_exists_with_its_flags(room: Room) -> None:
    flags = help_of_all(room)
    for page, code in inline():
        words = code.strip("[]").replace("[", "").replace("]", "").split()
        if words[0] == "hexdeck" and len(words) > 1 and not words[1].startswith("-"):
            assert words[1] in flags, f"{page}: {code}"
            named = {word for word in words if word.startswith("--")}
            assert named <= flags[words[1]], f"{page}: {code}"


def test_every_flag_that_is_named_exists(room: Room) -> None:
    known = set.union(*help_of_all(room).values()) | {"--spec", "--help"}
    for page, code in inline():
        assert set(re.findall(r"(?<!\S)--[a-z-]+", code)) <= known, f"{page}: {code}"


def test_every_flag_in_a_row_about_a_command_is_that_commands(room: Room) -> None:
    flags = help_of_all(room)
    rows = re.findall(r"^\| `hexdeck ([\w-]+).*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(rows) == set(COMMANDS)
    for row in re.findall(r"^\| `hexdeck .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE):
        command = row.split()[2].strip("`")
        assert set(re.findall(r"--[a-z-]+", row)) <= flags[command], row


def test_every_flag_of_play_is_in_the_readme(room: Room) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {flag for flag in help_of_all(room)["play"] if flag not in text} <= {"--help"}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_to_files_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", (ROOT / page).read_text(encoding="utf-8")):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_files_that_are_named_exist() -> None:
    for page, code in inline():
        for path in re.findall(r"^(?:engine|games|tests|tools|cli|terminal|bots)/[\w/.]+$", code):
            places = [ROOT / path, ROOT / "src" / "hexdeck" / path]
            assert any(place.exists() for place in places), f"{page}: {code}"


def test_the_test_command_stands_in_the_readme_and_in_continuous_integration() -> None:
    assert "`make test`" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^make test\b", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
