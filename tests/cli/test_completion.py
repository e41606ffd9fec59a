"""Completion: what a shell is told, and that bash asks as it should."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hexdeck.cli.options import COMMANDS
from tests.people import Room
from tests.settings import GAMES
from tests.support import for_each

PROPOSED = {
    "hexdeck pl": {"play"},
    "hexdeck ": {*COMMANDS, "help", "--help", "--lang", "--game-path", "--version"},
    "hexdeck rules ": {*GAMES, "--codes", "--example", "--help", "--lang", "--game-path"},
    "hexdeck simulate black": {"black-hearts", "blackstone"},
    "hexdeck play hawthorn/t": {"hawthorn/tiny"},
    "hexdeck simulate wolf-mans-curse/": {"wolf-mans-curse/small", "wolf-mans-curse/mid", "wolf-mans-curse/full"},
    "hexdeck play hawth --players ": {*"2345678"},
    "hexdeck play hawthorn -n 3 --seat ": {*"123"},
    "hexdeck play hawthorn --option fo": {"fold_price="},
    "hexdeck play hawthorn --option fold_price=": {"fold_price=table", "fold_price=own"},
    "hexdeck compare hawthorn --b chips=": {"chips=100"},
    "hexdeck play hawthorn --bots h": {"hard", "house"},
    "hexdeck compare hawthorn --vary chips=": {"chips=100"},
    "hexdeck compare hawthorn --probe fold": {"fold-early", "fold-late"},
    "hexdeck completion z": {"zsh"},
    "hexdeck help sim": {"simulate"},
    "hexdeck serve --log w": {"warning"},
    "hexdeck --lang n": {"nl"},
    "hexdeck simulate hawthorn --seed ": set(),
}


ASKED = """
import contextlib, io, json, os, sys
import argcomplete
from hexdeck.cli import main
plain, out = argcomplete.autocomplete, {}
for line in json.load(sys.stdin):
    os.environ |= {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\\n",
                   "_ARGCOMPLETE_SHELL": "fish", "_ARGCOMPLETE_SUPPRESS_SPACE": "1"}
    said = io.TextIOWrapper(io.BytesIO())
    argcomplete.autocomplete = lambda parser, **how: plain(parser, exit_method=sys.exit, output_stream=said, **how)
    with contextlib.suppress(SystemExit):
        main([])
    out[line] = said.buffer.getvalue().decode()
json.dump(out, sys.stdout)
"""


def test_words_are_completed_with_their_values() -> None:
    """As fish is told, which splits no words at `=`; one process for all lines, since each is to end it."""
    given = json.dumps([*PROPOSED])
    ran = subprocess.run([sys.executable, "-c", ASKED], input=given, text=True, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    for line, text in json.loads(ran.stdout).items():
        found = {each.partition("\t")[0].strip() for each in text.splitlines() if each.strip()}
        assert found == PROPOSED[line], line


@for_each("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str, room: Room) -> None:
    said = room.hexdeck("completion", shell)
    assert said.status == 0 and said.err == "" and "_ARGCOMPLETE" in said.out and "hexdeck" in said.out
    if program := shutil.which(shell):
        checked = subprocess.run([program, "-n"], input=said.out, text=True, capture_output=True, check=False)
        assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash isn't there")
def test_bash_completes_a_line(room: Room, tmp_path: Path) -> None:
    (tmp_path / "script").write_text(room.hexdeck("completion", "bash").out, encoding="utf-8")
    (tmp_path / "hexdeck").write_text(f'#!/bin/sh\nexec {sys.executable} -m hexdeck "$@"\n', encoding="utf-8")
    (tmp_path / "hexdeck").chmod(0o755)
    typed = """
        source "$1/script"; COMP_LINE="hexdeck play haw"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
        COMP_WORDS=(hexdeck play haw); COMP_CWORD=2; _python_argcomplete "$1/hexdeck" haw play; echo "${COMPREPLY[@]}"
    """
    ran = subprocess.run(["bash", "-c", typed, "bash", str(tmp_path)], capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == "hawthorn", ran.stderr
