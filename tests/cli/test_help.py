"""Help and menus: grouped, each option with its default, examples that work, names that may be cut short."""

import argparse
import io
import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from hexdeck.cli import command_line
from hexdeck.cli.output import tell
from hexdeck.engine.errors import UnknownGame
from hexdeck.engine.text import Catalogue
from tests.people import Room
from tests.settings import GAMES
from tests.support import for_each, ran_apart

NO_DEFAULT = (None, False, [], "", Path())  # of options that do nothing unless they are given


def commands() -> dict[str, command_line.Parser]:
    return command_line.build_parser(Catalogue("en")).commands


# --- help -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lang", "titles"),
    [
        ("en", ["Play", "Study", "Research", "Keep", "Make"]),
        ("nl", ["Spelen", "Bestuderen", "Onderzoeken", "Beheren", "Maken"]),
    ],
)
def test_commands_are_grouped_by_what_they_are_for(lang: str, titles: list[str], room: Room) -> None:
    said = room.hexdeck("--help", "--lang", lang).out
    places = [said.index(f"\n{title}:\n") for title in titles]
    assert places == sorted(places)
    for names, begin, end in zip(command_line.GROUPS.values(), places, [*places[1:], len(said)], strict=True):
        assert re.findall(r"^  ([a-z-]+) ", said[begin:end].partition("\n\n")[0], re.MULTILINE) == list(names)


@for_each("name", commands())
def test_help_tells_the_default_of_every_option_and_what_each_is(name: str) -> None:
    command = commands()[name].entry
    assert command is not None
    for option in command.options:
        text, usual = str(option.help), option.default[0] if isinstance(option.default, list) else option.default
        assert text, option.name
        if usual not in NO_DEFAULT and option.name != "--threads":
            value = f"{usual:g}" if isinstance(usual, float) else str(usual)
            assert f"default: {value})" in text, f"{name} {option.name}: {text}"


REQUIRED = {"en": "(required)", "nl": "(verplicht)"}


@pytest.mark.parametrize(("lang", "told"), [("en", "(default: "), ("nl", "(standaard: ")])
def test_help_tells_what_holds_without_an_option_that_takes_a_value(lang: str, told: str) -> None:
    for name, parser in command_line.build_parser(Catalogue(lang, (command_line.LOCALE,))).commands.items():
        shown = [each for each in parser.arguments() if each.help != argparse.SUPPRESS]
        for action in [each for each in shown if (each.option_strings and each.nargs != 0) or each.nargs in ("?", "*")]:
            assert told in str(action.help) or REQUIRED[lang] in str(action.help), (
                f"{name} {action.dest}: {action.help}"
            )


@for_each("name", command_line.COMMANDS)
def test_help_ends_with_examples_that_can_be_typed(name: str, room: Room) -> None:
    said = room.hexdeck(name, "--help").out
    examples = [line.strip() for line in said.partition("\nexamples:\n")[2].splitlines()]
    assert examples and said.endswith(f"  {examples[-1]}\n")
    assert all(line.startswith("# ") for line in examples[::2])
    for line in examples[1::2]:
        program, *words = shlex.split(line.partition(" > ")[0], comments=True)
        words = command_line.spelled_out(words)
        assert program == "hexdeck" and words[command_line.place_of_command(words)] == name
        command_line.build_parser(Catalogue("en")).parse_args(words)


@pytest.mark.long
@pytest.mark.parametrize("name", ["games", "rules", "simulate", "compare", "solve", "completion"])
def test_examples_of_help_work(name: str, room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of commands that end soon, need no file, and show nothing in a browser."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HEXDECK_BACKEND")
    examples = room.hexdeck(name, "--help").out.partition("\nexamples:\n")[2].splitlines()
    for line in examples[1::2]:
        words = shlex.split(line.partition(" > ")[0], comments=True)[1:]
        said = room.hexdeck(*(word for word in words if word != "--open"))
        assert said.status == 0 and said.out + said.err, line


def test_help_with_a_command_is_that_commands_help(room: Room) -> None:
    for name in command_line.COMMANDS:
        assert room.hexdeck("help", name).out == room.hexdeck(name, "--help").out
    assert room.hexdeck("help").out == room.hexdeck("--help").out
    assert room.hexdeck("--lang", "nl", "help", "play").out == room.hexdeck("play", "--help", "--lang", "nl").out


# --- what is typed ----------------------------------------------------------------------------------------------------
@for_each(
    ("typed", "words"),
    [
        ("help", ["--help"]),
        ("help play", ["play", "--help"]),
        ("", []),
        ("replay help", ["replay", "help"]),
        ("--lang nl help play", ["--lang", "nl", "play", "--help"]),
    ],
)
def test_short_ways_to_write_words_are_spelled_out(typed: str, words: list[str]) -> None:
    assert command_line.spelled_out(typed.split()) == words


def test_the_beginning_of_a_game_is_enough_where_only_one_begins_so(room: Room) -> None:
    assert command_line.whole_name("hawth") == "hawthorn" and command_line.whole_name("Wolf") == "wolf-mans-curse"
    assert command_line.whole_name("poker") == "poker" and command_line.whole_name("") == ""
    with pytest.raises(UnknownGame, match="black could be any of black-hearts, blackstone"):
        command_line.whole_name("black")
    for words in (
        ["rules", "hawth"],
        ["games", "hawth"],
        ["simulate", "hawth", "--games", "3", "-n", "2"],
        ["replay", "hawth", "--number", "0", "-n", "2"],
    ):
        said = room.hexdeck(*words)
        assert said.status == 0 and "awthorn" in said.out


def test_a_word_far_from_all_others_is_like_none() -> None:
    assert (
        command_line.nearest("simulte", command_line.COMMANDS) == "simulate"
        and command_line.nearest("xyzzy", command_line.COMMANDS) == ""
    )


# --- the menu ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("typed", "players"), [("", 4), ("3", 3), ("8", 8)])
def test_the_menu_asks_how_many_play(typed: str, players: int, room: Room) -> None:
    said = room.hexdeck("play", "--seed", "1", typed=["hawth", "1", "9", "many", typed, "", ""])
    assert said.out.count("How many play? 2 to 8 (Enter: 4)") == 4
    assert len(json.loads(room.saved()[0].read_text())["seats"]) == players


def test_a_question_mark_explains_each_question_of_the_menu_and_q_leaves(room: Room) -> None:
    asked = {
        "number of a game": ["?", "q"],
        "number from 2 to 8": ["2", "?", "q"],
        "with 4 you change single rules": ["2", "", "?", "quit"],
        "number from 1 to 7": ["2", "", "4", "?", "q"],
        "a whole number from 1 to 1,000": ["2", "", "4", "2", "?", "q"],
        "number of a level": ["2", "", "", "?", "q"],
    }
    for explained, typed in asked.items():
        said = room.hexdeck("play", typed=typed)
        assert said.status == 0 and explained in " ".join(said.out.split()) and "\nq leaves.\n" in said.out, typed
    assert not room.saved()


def test_the_menu_seats_at_least_the_people_at_the_screen(room: Room) -> None:
    said = room.hexdeck("play", "--names", "A,B,C,D,E", typed=["hawthorn", "4", "", ""])
    assert "How many play? 5 to 8 (Enter: 5)" in said.out
    assert len(json.loads(room.saved()[0].read_text())["seats"]) == 5


# --- lines ------------------------------------------------------------------------------------------------------------
class Terminal(io.StringIO):
    """A stream that somebody reads."""

    def isatty(self) -> bool:
        return True


def test_messages_wrap_at_words_on_a_terminal_and_stay_whole_in_a_pipe(room: Room) -> None:
    text = f"A sentence about /a/{'long-' * 30}path that is longer than a line, and goes on behind it for a while more."
    room.monkeypatch.setenv("COLUMNS", "40")
    shown, piped = Terminal(), io.StringIO()
    for stream in (shown, piped):
        tell(text, stream)
    assert piped.getvalue() == f"{text}\n"
    assert shown.getvalue().split() == text.split()
    assert all(len(line) < 40 or " " not in line for line in shown.getvalue().splitlines())
    assert shown.getvalue().count("\n") > 3


# --- completion -------------------------------------------------------------------------------------------------------
PROPOSED = {
    "hexdeck pl": {"play"},
    "hexdeck ": {*command_line.COMMANDS, "help", "--help", "--lang", "--game-path", "--version"},
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
    ran = ran_apart([sys.executable, "-c", ASKED], input=given)
    assert ran.returncode == 0, ran.stderr
    for line, text in json.loads(ran.stdout).items():
        found = {each.partition("\t")[0].strip() for each in text.splitlines() if each.strip()}
        assert found == PROPOSED[line], line


@for_each("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str, room: Room) -> None:
    said = room.hexdeck("completion", shell)
    assert said.status == 0 and said.err == "" and "_ARGCOMPLETE" in said.out and "hexdeck" in said.out
    if program := shutil.which(shell):
        checked = ran_apart([program, "-n"], input=said.out)
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
    ran = ran_apart(["bash", "-c", typed, "bash", str(tmp_path)])
    assert ran.stdout.strip() == "hawthorn", ran.stderr
