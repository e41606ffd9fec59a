"""Bad input: one clear sentence on the error stream, status 2, nothing else printed, nothing changed."""

import subprocess
import sys
from pathlib import Path

import pytest

from hexdeck.cli import compile as compiling
from hexdeck.cli import main
from hexdeck.engine.play import game as driving
from tests.people import ANY_MOVES, Room
from tests.settings import GAMES
from tests.support import for_each, ran_apart

THERE = ", ".join(GAMES)
OPTIONS = "losses, clean_accept, exhaustion, tied_losers, deck, hand_cards"

BAD = {
    "unknown game": (["play", "poker"], f"There is no game poker; there are {THERE}."),
    "misspelt game": (["play", "cursed-hnad"], "There is no game cursed-hnad (did you mean cursed-hand?).\n"),
    "a fork whose folder isn't named": (
        ["compare", "hawthorn", "--fork", "my-hawthorn"],
        "There is no game my-hawthorn; one of your own needs its folder, as in --game-path my_hawthorn.",
    ),
    "game with a line break": (["play", "po\nker"], "There is no game po ker; there are"),
    "rules of an unknown game": (["rules", "poker"], f"There is no game poker; there are {THERE}."),
    "compiling an unknown game": (["compile", "poker"], f"There is no game poker; there are {THERE}."),
    "too many players": (["play", "cursed-hand", "--players", "7"], "cursed-hand is for 2 to 6 players, not 7."),
    "players in words": (["play", "cursed-hand", "-n", "two"], "--players takes a whole number, not 'two'."),
    "option out of range": (
        ["play", "cursed-hand", "-o", "losses=10"],
        "“How many games you must lose to lose the match” (losses) can't be 10; it takes a whole number from 1 to 9.",
    ),
    "option unknown": (["play", "cursed-hand", "-o", "wild=1"], f"There is no option wild; there are {OPTIONS}."),
    "option misspelt": (
        ["play", "cursed-hand", "-o", "losess=3"],
        f"There is no option losess (did you mean losses?); there are {OPTIONS}.",
    ),
    "option of an unknown choice": (
        ["play", "cursed-hand", "-o", "clean_accept=all"],
        "clean_accept can't be 'all': it takes passer (whoever passed it) or nobody.",
    ),
    "option called players": (["play", "cursed-hand", "-o", "players=3"], "There is no option players"),
    "option without a value": (
        ["play", "cursed-hand", "-o", "losses"],
        "The option losses needs a value: losses=VALUE.",
    ),
    "an option as a flag": (
        ["compare", "hawthorn", "--deals", "3"],
        "deals is an option of the game: write --option deals=3.",
    ),
    "an option as a flag, with its value": (["tune", "hawth/mid", "--chips=20"], "game: write --option chips=20."),
    "a preset where many games are played": (
        ["report", "hawthorn", "--preset", "three"],
        "Only games of people have a --preset: here write --option deals=3.",
    ),
    "a preset that there is not": (
        ["report", "hawthorn", "--preset", "six"],
        "report has no option --preset; hexdeck report --help lists them.",
    ),
    "the value of an option without its name": (
        ["compare", "hawthorn", "--b", "own"],
        "own isn't an option, but a value of one: write fold_price=own.",
    ),
    "option by its beginning": (
        ["play", "cursed-hand", "-o", "loss=1"],
        "There is no option loss (did you mean losses?)",
    ),
    "a record that is a game": (
        ["replay", "hawthorn"],
        "a game, not the file of a record: hexdeck play hawthorn --rec",
    ),
    "a program that isn't there": (
        ["simulate", "hawthorn", "--bots", "run:no-such-program"],
        "hexdeck: run:no-such-program can't be started: No such file or directory.",
    ),
    "a program that isn't there, in a tournament": (
        ["tournament", "hawthorn", "run:no-such-program", "house"],
        "hexdeck: run:no-such-program can't be started: No such file or directory.",
    ),
    "a model that isn't there, in a tournament": (
        ["tournament", "hawthorn", "prompt:no-such-program -x", "house"],
        "hexdeck: prompt:no-such-program -x can't be started: No such file or directory.",
    ),
    "a net in a folder that isn't there": (
        ["train", "hawthorn", "--export", "none/a.net"],
        "none/a.net can't be written; name a file in a folder that exists.",
    ),
    "a misspelt measure": (
        ["tune", "hawthorn", "--want", "minuts 3 to 5"],
        "'minuts' can't be measured (did you mean minutes?); write an aim such as “seats within 2”.",
    ),
    "no measure": (
        ["tune", "hawthorn", "--want", "fun 3"],
        "'fun' can't be measured; write an aim such as “seats within 2”. Measures are seats, start, ties, ",
    ),
    "a file after parts": (
        ["print", "hawthorn", "--part", "cards", "cards.pdf"],
        "--part can't be 'cards.pdf'; if it is the file to write, put it before --part.",
    ),
    "a part that a game lacks": (["print", "hawthorn", "--part", "board"], "--part can't be board: hawthorn has none."),
    "a long pause": (["play", "cursed-hand", "--pause", "99"], "--pause can't be 99; it takes"),
    "option without a name": (["play", "cursed-hand", "-o", "=3"], "'=3' isn't an option; write --option key=value."),
    "option with an empty value": (["play", "cursed-hand", "-o", "losses="], "(losses) can't be ''; it takes"),
    "a deck of too few cards": (["play", "cursed-hand", "-o", "deck=1-1"], ""),
    "a size that is none": (
        ["simulate", "hawthorn/huge"],
        "There is no size hawthorn/huge; there are hawthorn/tiny, hawthorn/small, hawthorn/mid, hawthorn/full.",
    ),
    "a size with other players": (
        ["report", "hawthorn/tiny", "-n", "5"],
        "hawthorn/tiny is for 2 or 3 players, not 5.",
    ),
    "a size with several numbers of players": (["report", "hawthorn/tiny", "-n", "2", "3"], "give one number."),
    "a size of a match that is resumed": (["play", "hawthorn/tiny", "--resume"], "keeps its size: name only the game,"),
    "a size where a game is meant": (["rules", "hawth/tiny"], "here only a game can be named, such as hawthorn."),
    "unknown bot": (
        ["play", "cursed-hand", "--bots", "clever"],
        "There is no bot clever; the levels are easy, medium, ",
    ),
    "bot without a budget": (["play", "cursed-hand", "--bots", "search:0"], "search:0 can't be read as a bot"),
    "a manner where no bot has one": (
        ["play", "hawthorn", "-n", "4", "--bots", "random:bold"],
        "random has no manners in hawthorn with 4 players: write ",
    ),
    "too many bots": (["play", "cursed-hand", "-n", "2", "--bots", "house", "house"], "2 bots leave no seat for you"),
    "too few bots to simulate with": (
        ["simulate", "cursed-hand", "-n", "4", "--bots", "house", "random"],
        "Give one bot for all seats, or 4, one for each; not 2.",
    ),
    "seat out of range": (["play", "cursed-hand", "-n", "3", "--seat", "4"], "There is no seat 4; seats are 1 to 3."),
    "seat below 1": (["play", "cursed-hand", "--seat", "0"], "There is no seat 0; seats are 1 to 4."),
    "several people on a seat": (["play", "cursed-hand", "--people", "2", "--seat", "1"], "leave out --seat"),
    "seat at a hot seat": (["play", "cursed-hand", "--hotseat", "--seat", "1"], "leave out --seat"),
    "too many names": (
        ["play", "cursed-hand", "--people", "2", "--names", "A,B,C"],
        "3 names are too many for the 2 at this screen",
    ),
    "more people than seats": (["play", "cursed-hand", "-n", "3", "--people", "4"], "4 people don't fit"),
    "nobody at the screen": (["play", "cursed-hand", "--people", "0"], "--people can't be 0; it takes 1 to"),
    "people in two ways": (["play", "cursed-hand", "--people", "2", "--hotseat"], "leave out one of them"),
    "no seat for a bot": (
        ["play", "cursed-hand", "-n", "2", "--people", "2", "--bots", "house"],
        "1 bots leave no seat",
    ),
    "negative games": (["simulate", "cursed-hand", "--games", "-1"], "--games can't be -1; it takes 1 to"),
    "a pause that is none": (["play", "cursed-hand", "--pause", "nan"], "--pause can't be nan; it takes 0 to 60."),
    "a negative seed": (["play", "hawth", "--seed", "-1"], "--seed can't be -1; it takes 0 to"),
    "a seed far too high": (["train", "hawthorn", "--seed", "9" * 40], "--seed can't be 999999999999"),
    "missing file": (["replay", "none.json"], "There is no file none.json."),
    "a number far too long": (["play", "cursed-hand", "-o", "losses=" + "9" * 5000], "(losses) can't be "),
    "a game among the bots": (
        ["play", "--bots", "house", "hawthorn", "--players", "3"],
        "hawthorn is a game, not a bot",
    ),
    "nothing to resume": (["play", "--resume"], "There is no unfinished match to resume; start one"),
    "another table to resume": (
        ["play", "--resume", "x.json", "--players", "3", "--hotseat"],
        "--players and --resume don't go together;",
    ),
    "a folder to replay": (["replay", "."], "The record . can't be read: it is a folder."),
    "no file": (["replay"], "hexdeck replay needs FILE; hexdeck replay --help explains."),
    "no game": (["rules"], "hexdeck rules needs GAME, such as hawthorn; hexdeck rules --help explains."),
    "unknown command": (["shuffle"], "There is no command shuffle; hexdeck --help lists them."),
    "a target of make": (
        ["terminal"],
        "There is no command terminal: hexdeck play plays at the terminal, hexdeck serve",
    ),
    "misspelt command": (["simulat"], "There is no command simulat (did you mean simulate?); hexdeck --help lists"),
    "game in place of a command": (["hawth"], "hawthorn is a game: hexdeck play hawthorn plays it."),
    "unknown flag": (["games", "--colour"], "hexdeck games has no option --colour; hexdeck games --help lists them."),
    "misspelt flag": (["play", "hawthorn", "--playes=3"], "has no option --playes (did you mean --players?); hexdeck"),
    "flag without a command": (["--sede"], "hexdeck has no option --sede; hexdeck --help lists them."),
    "beginning of two games": (["play", "black"], "black could be any of black-hearts, blackstone; type more"),
    "misspelt bot": (["play", "hawthorn", "--bots", "haard"], "There is no bot haard (did you mean hard?); there are"),
    "help for an unknown command": (["help", "simulte"], "There is no command simulte (did you mean simulate?)"),
    "figures where none are shown": (
        ["simulate", "hawthorn", "--data", "x", "--json"],
        "--json and --data don't go together",
    ),
    "an empty name": (["play", "hawthorn", "--preset", ""], "--preset is empty; give it a value, or leave it out."),
    "unknown language": (["games", "--lang", "fr"], "--lang can't be 'fr'; it takes one of en, nl."),
    "a misspelt shell": (["completion", "zs"], "SHELL can't be 'zs' (did you mean zsh?)"),
    "a misspelt opponent": (["train", "hawthorn", "--opponents", "hous"], "in training (did you mean house?); easy,"),
    "a misspelt bot to connect": (["connect", "x", "--bot", "bestt"], "There is no bot bestt (did you mean best?);"),
    "a misspelt flag before the command": (["--lng", "nl", "games"], "hexdeck has no option --lng (did you mean --la"),
    "a command's flag before it": (["--players", "3", "play"], "--players is an option of a command: write it after"),
    "a value where none belongs": (["serve", "--lan=1"], "--lan takes no value; hexdeck serve --help explains."),
    "a share in words": (["play", "hawthorn", "--pause", "x"], "--pause takes a number, not 'x'."),
    "a flag without its value": (
        ["play", "--players"],
        "--players needs a value: --players N; hexdeck play --help explains.",
    ),
    "a choice without its value": (["print", "hawthorn", "--paper"], "--paper needs a value: --paper a4|letter;"),
    "a game where a size is meant": (
        ["benchmark", "hawthorn"],
        "There is no size hawthorn; there are hawthorn/tiny, hawthorn/small, hawthorn/mid, hawthorn/full.",
    ),
    "matches of no database": (["report", "hawthorn", "--database", "none.db"], "There is no file "),
    "too many words": (["rules", "hawthorn", "blackstone"], "hexdeck rules doesn't take blackstone; hexdeck"),
    "input that ends at a question": (["play"], "The input ended before a question was answered."),
    "a record that can't be written": (
        ["play", "hawthorn", "--record", "."],
        "The record can't be written to .: it is a folder.",
    ),
}


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")


@for_each("case", BAD)
def test_bad_input_is_answered_with_one_sentence(case: str, room: Room) -> None:
    words, sentence = BAD[case]
    said = room.hexdeck(*words)
    assert said.status == 2
    assert said.err.startswith("hexdeck: ") and said.err.endswith(".\n") and said.err.count("\n") == 1, said.err
    assert sentence in said.err
    assert said.out == "" or case == "input that ends at a question"
    assert not room.saved() and not list(Path().iterdir())


@for_each("case", ["unknown game", "option misspelt", "seat out of range", "missing file", "negative games"])
def test_bad_input_is_answered_in_dutch(case: str, room: Room) -> None:
    words, sentence = BAD[case]
    said = room.hexdeck(*words, "--lang", "nl")
    assert said.status == 2 and said.err.startswith("hexdeck: ") and said.err.count("\n") == 1
    assert sentence not in said.err


def test_replay_refuses_a_seat_or_a_ply_out_of_range(room: Room) -> None:
    room.hexdeck("play", "cursed-hand", "-n", "3", "--seed", "1")
    for flag, given, why in [
        *(("--seat", seat, f"There is no seat {seat}; seats are 1 to 3.") for seat in ("0", "4", "-2")),
        *(("--ply", ply, f"There is no ply {ply}; this match has plies 0 to") for ply in ("-1", "9999")),
    ]:
        said = room.hexdeck("replay", str(room.saved()[0]), flag, given)
        assert (said.status, said.out) == (2, "") and why in said.err


@pytest.mark.parametrize("command", [["replay"], ["play", "--resume"]])
def test_a_broken_record_is_refused_and_left_alone(command: list[str], room: Room) -> None:
    room.hexdeck("play", "cursed-hand", "--seed", "1", typed=ANY_MOVES)
    path = room.saved("finished")[0]
    broken = path.read_text().replace('"events":["card', '"events":["kard', 1)
    path.write_text(broken)
    said = room.hexdeck(*command, str(path))
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("hexdeck: Event 0 of the record is corrupt: 'kard ") and said.err.count("\n") == 1
    assert path.read_text() == broken


def test_the_program_itself_leaves_with_status_2() -> None:
    words, sentence = BAD["unknown game"]
    ran = ran_apart([sys.executable, "-m", "hexdeck", *words], stdin=subprocess.DEVNULL)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("hexdeck: ") and sentence in ran.stderr and ran.stderr.count("\n") == 1


def test_an_unknown_backend_is_refused(room: Room) -> None:
    room.monkeypatch.setenv("HEXDECK_BACKEND", "slow")
    said = room.hexdeck("simulate", "cursed-hand", "--games", "1")
    assert said.status == 2 and said.err.count("\n") == 1 and "HEXDECK_BACKEND can't be slow" in said.err


@for_each(
    "command",
    [
        ["exploit", "hawthorn", "-n", "2", "--bot", "search:4", "--resume"],
        ["tournament", "hawthorn", "house", "search:4", "--resume"],
        ["tournament", "hawthorn", "house", "rollout:house:4", "--ladder", "--resume"],
        ["compare", "hawthorn", "--vary", "chips", "--resume"],
        ["simulate", "hawthorn", "--bots", "search:4", "--data"],
        ["train", "hawthorn", "--resume"],
    ],
)
def test_a_file_of_something_else_is_refused_before_anything_is_compiled(command, tmp_path, monkeypatch, capsys):
    place = tmp_path / command[0]
    for file in (place / "about.json", tmp_path / "other"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("{}\n")
    driving.driver.cache_clear()
    monkeypatch.setattr(driving.Driver, "_table", lambda _self: pytest.fail("a game is compiled"))
    monkeypatch.setattr(driving, "compiled_kernel", lambda *_: pytest.fail("a kernel is compiled"))
    monkeypatch.setattr(compiling, "prepare", lambda *_, **_how: pytest.fail("a game is prepared"))
    assert main([*command, str(place if command[-1] == "--data" else tmp_path / "other")]) == 2
    assert "isn't of this run (different format); choose another." in capsys.readouterr().err
    driving.driver.cache_clear()
