"""The fenced blocks of Markdown pages, and how they are run."""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hexdeck.cli import serve
from hexdeck.cli.command_line import build_parser, chosen_language
from tests.people import Room

ROOT = Path(__file__).parents[2]
FENCED = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]+) -->\n)?```(?P<lang>\w+)(?P<what>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
LITERAL = re.compile(r"print\((?P<what>.*)\)  # (?P<said>[\[({'\"\d].*)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, the mark above it, and what a block of text below it shows."""

    page: str
    number: int
    lang: str
    body: str
    mark: str
    shown: str

    def __str__(self) -> str:
        return f"{self.page}-{self.lang}-{self.number}"


def blocks(pages: Iterable[str]) -> Iterator[Block]:
    for page in pages:
        text = (ROOT / page).read_text(encoding="utf-8")
        for number, block in enumerate(FENCED.finditer(text)):
            below = FENCED.match(text, block.end() + 2)
            shown = below["body"] if below and below["lang"] == "text" else ""
            yield Block(page, number, block["lang"], block["body"], block["mark"] or "", shown)


def of(pages: Iterable[str], lang: str) -> list[Block]:
    return [block for block in blocks(pages) if block.lang == lang]


def to_run(found: Iterable[Block], *marks: str) -> list[Any]:
    """Those with one of these marks, or with the mark `long`, which only a run of everything has."""
    chosen = [block for block in found if block.mark in {*marks, "long"}]
    return [
        pytest.param(block, id=str(block), marks=[pytest.mark.long] if block.mark == "long" else []) for block in chosen
    ]


def commands(block: Block) -> list[str]:
    lines = [re.sub(r"\s+# .*", "", line).strip() for line in block.body.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def run_python(block: Block, room: Room) -> None:
    """Run it in a folder of its own: it prints what its comments say."""
    room.monkeypatch.delenv("HEXDECK_BACKEND")
    room.monkeypatch.chdir(room.home.parent)
    names: dict[str, object] = {}
    exec(compile(block.body, str(block), "exec"), names)
    printed = room.capsys.readouterr().out
    assert block.shown in ("", printed)
    assert printed.count("\n") >= block.body.count("print(")
    for said in (match["said"] for match in map(LITERAL.search, block.body.splitlines()) if match):
        literal = said.partition(": ")[0].partition(", ...")[0]
        assert literal in printed, said


def run_commands(block: Block, room: Room) -> None:
    """Run its lines in a folder of their own, which has our examples."""
    room.monkeypatch.delenv("HEXDECK_BACKEND")
    room.monkeypatch.chdir(room.home.parent)
    (room.home.parent / "examples").symlink_to(ROOT / "examples")
    for line in commands(block):
        program, *words = shlex.split(line)
        assert program == "hexdeck", line
        if words[0] == "serve":
            serve.check(build_parser(chosen_language([])).parse_args(words))  # other tests start servers
            continue
        said = room.hexdeck(*words)
        assert said.status == 0 and said.out + said.err, f"{line}\n{said.err}"
