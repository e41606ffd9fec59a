"""Whole matches at the terminal: through a pipe, hot-seat, left and resumed; nothing is lost."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

import hexdeck
from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.cli import main
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record, read
from hexdeck.engine.text import Catalogue
from hexdeck.simulation.game import Game
from hexdeck.tables.fair import proof_of, verify
from hexdeck.terminal import session as module
from hexdeck.terminal.display import Chair
from hexdeck.terminal.session import Session, chairs, chairs_of
from tests.people import ANY_CARDS, ANY_MOVES, Room, has_result, play, table
from tests.settings import GAMES, covered, data, every_game, fullest_setting, much, values
from tests.settings import options as options_of
from tests.support import for_each

LONGER = ("losses", "deals", "rounds")  # options that make a match of several games


def load(path: Path) -> Match:
    return hexdeck.load(path, backend="fast")


# --- through a pipe ---------------------------------------------------------------------------------------------------
@covered(("name", "lang"), GAMES, ["en", "nl"])
def test_a_whole_match_is_played_through_a_pipe(name: str, lang: str, room: Room) -> None:
    counts = data(name)["players"][: much(1, None)]
    for players in counts:
        said = room.hexdeck(
            "play", name, "--seed", "7", "--bots", "house", "-n", str(players), "--lang", lang, typed=ANY_CARDS
        )
        assert (said.status, said.err) == (0, "")
        assert has_result(said.out)
        match = load(room.saved("finished")[-1])
        assert match.over and match.game.players == players
        assert [line for line in said.out.splitlines() if line.startswith("> ")]
    assert len(room.saved("finished")) == len(counts) and not room.saved()


@fullest_setting
def test_whole_matches_are_played_with_every_option(setting: Game, room: Room) -> None:
    spelled = {option.name: option.spell for option in setting.rules.OPTIONS}
    given = [
        part
        for key, value in setting.options.items()
        if key not in much(LONGER, ())
        for part in ("--option", f"{key}={spelled[key](value)}")
    ]
    players = str(setting.players)
    said = room.hexdeck("play", setting.name, "-n", players, "--seed", "1", "--bots", "house", *given, typed=ANY_MOVES)
    assert (said.status, said.err) == (0, "")
    assert len(room.saved("finished")) == 1


@every_game
def test_people_only_play_hot_seat_to_the_end(name: str, room: Room) -> None:
    said = room.hexdeck("play", name, "--hotseat", "-n", "3", "--names", "Ann,Ben", "--seed", "2", typed=ANY_MOVES)
    assert said.status == 0 and said.err == ""
    match = load(room.saved("finished")[0])
    assert match.over and match.names == ("Ann", "Ben", "Player 3")
    for person in match.names:
        assert f"Pass the screen to {person}, then press Enter." in said.out


@for_each("given", [["--people", "2"], ["--names", "Ann,Ben"], ["--people", "2", "--names", "Ann,Ben"]])
def test_some_people_and_bots_play_at_one_screen(given: list[str], room: Room) -> None:
    said = room.hexdeck("play", "hawthorn", "-n", "3", *given, "--seed", "2", "-o", "deals=1", typed=ANY_MOVES)
    assert said.status == 0 and said.err == ""
    seats = json.loads(room.saved("finished")[-1].read_text(encoding="utf-8"))["seats"]
    assert [seat.get("bot") for seat in seats][:2] == [None, None] and seats[2]["bot"]
    assert all(f"Pass the screen to {seat['name']}, then press Enter." in said.out for seat in seats[:2])


@every_game
def test_people_and_bots_sit_where_they_were_put_and_a_seed_makes_the_same_match_again(name: str, room: Room) -> None:
    line = ("play", name, "-n", "4", "--seat", "3", "--bots", "random", "house", "--names", "Zoë", "--seed", "11")
    for _ in range(2):
        room.hexdeck(*line, typed=ANY_MOVES)
    one, other = room.saved("finished")
    record = json.loads(one.read_text(encoding="utf-8"))
    assert [seat.get("bot") for seat in record["seats"]] == ["random", "house", None, "house"]
    assert record["seats"][2] == {"name": "Zoë"} and load(one).events == load(other).events


def test_matches_without_a_seed_differ(room: Room) -> None:
    for _ in range(3):
        room.hexdeck("play", "cursed-hand")
    assert len({tuple(event.name for event in load(path).events) for path in room.saved()}) == 3


def test_the_result_is_told_best_first_with_everybodys_fate_and_the_record_goes_where_it_was_wanted(room, tmp_path):
    path = tmp_path / "new" / "folder" / "match.json"
    said = room.hexdeck("play", "cursed-hand", "-n", "3", "--seed", "3", "--record", str(path), typed=ANY_MOVES)
    match = load(room.saved("finished")[0])
    rows = [line for line in said.out.splitlines() if has_result(line)]
    best_first = sorted(range(3), key=lambda seat: -match.returns()[seat])
    assert [line.split()[0] for line in rows] == [match.names[seat] for seat in best_first]
    fates = match.view(-1).outcome_texts
    assert all(str(fates[seat]) in line for line, seat in zip(rows, best_first, strict=True))
    assert str(path) in said.out.replace("\n", "") and load(path).over and load(path).events == match.events


# --- leaving ----------------------------------------------------------------------------------------------------------
@covered(("name", "lines"), GAMES, [0, 1, 5])
def test_a_match_left_at_the_end_of_input_goes_on_to_its_end(name: str, lines: int, room: Room) -> None:
    longest = {option.name: values(name, option)[1] for option in options_of(name) if option.name in LONGER}
    given = [part for key, value in longest.items() for part in ("--option", f"{key}={value}")]
    said = room.hexdeck("play", name, "--seed", "5", "--bots", "house", *given, typed=ANY_MOVES[:lines])
    assert said.status == 0 and not room.saved("finished")
    (left,) = room.saved()
    assert f"hexdeck play {name} --resume" in said.out and str(left) in said.out
    before = load(left)
    assert not before.over and before.acting
    again = room.hexdeck("play", name, "--resume", typed=ANY_MOVES)
    assert again.status == 0 and has_result(again.out)
    (path,) = room.saved("finished")
    assert load(path).over and load(path).events[: before.length] == before.events
    assert not room.saved()


def test_every_move_is_saved_at_once_and_an_interrupt_saves_what_was_played(monkeypatch, room) -> None:
    at = table(hexdeck.game("cursed-hand", 2))
    lengths = []

    def look() -> str:
        lengths.append(load(room.saved()[0]).length if room.saved() else 0)
        return at.session.match.legal(0)[0].name

    assert play(at, [look, look, look, KeyboardInterrupt()], monkeypatch) == 0
    assert lengths[0] == 0 and lengths == sorted(set(lengths)) and len(lengths) >= 2
    (left,) = room.saved()
    assert load(left).events == at.session.match.events and load(left).length > lengths[-1]


def test_an_interrupt_in_the_middle_of_a_move_leaves_no_broken_record(monkeypatch, room) -> None:
    at = table(hexdeck.game("cursed-hand", 3))
    match = at.session.match

    def halfway(seat: int, move: object) -> None:
        match.struct.held[seat] -= 1
        raise KeyboardInterrupt

    monkeypatch.setattr(match, "play", halfway)
    assert play(at, [match.legal(0)[0].name], monkeypatch) == 0
    (left,) = room.saved()
    assert load(left).acting == (0, 1, 2)


def test_resume_picks_the_newest_match_of_the_game_or_of_all_and_none_takes_the_place_of_another(room: Room) -> None:
    for name in ("cursed-hand", "cursed-hand", "hawthorn"):
        room.hexdeck("play", name, "--seed", "1")
    assert len(room.saved()) == 3
    newest = load(room.saved()[1]).events
    assert "play hawthorn --resume" in room.hexdeck("play", "--resume").out
    room.hexdeck("play", "cursed-hand", "--resume", typed=ANY_MOVES)
    assert len(room.saved()) == 2 and load(room.saved("finished")[0]).events[: len(newest)] == newest


def test_news_of_a_resumed_match_begin_at_ones_own_last_move_and_what_is_over_is_not_resumed(room: Room) -> None:
    room.hexdeck("play", "cursed-hand", "--seed", "1", typed=ANY_MOVES[:60])
    assert "You are dealt" not in room.hexdeck("play", "cursed-hand", "--resume").out
    room.hexdeck("play", "cursed-hand", "--resume", typed=ANY_MOVES)
    said = room.hexdeck("play", "--resume", str(room.saved("finished")[0]))
    assert said.status == 2 and "is over: hexdeck replay" in said.err


def test_a_match_goes_on_from_any_file_whatever_its_notes_and_is_kept_there(room: Room, tmp_path: Path) -> None:
    match, path = hexdeck.game("cursed-hand", 2).match(seed=1, backend="fast"), tmp_path / "odd.json"
    record = Record.of(match).data()
    record["notes"] = {"match": 1, "seats": [], "cls": None, "practice": True}
    path.write_text(json.dumps(record))
    assert room.hexdeck("play", "--resume", str(path), typed=ANY_MOVES[:30]).status == 0
    assert json.loads(path.read_text())["notes"] == record["notes"]
    assert load(path).length > match.length and not room.saved()


def test_a_full_disk_is_said_once_and_the_match_goes_on(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_record: Record, _path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.Record, "save", full)
    said = room.hexdeck("play", "cursed-hand", "--seed", "1", typed=ANY_MOVES)
    assert said.status == 0 and has_result(said.out)
    assert said.out.replace("\n", " ").count("the disk is full") == 1
    assert room.hexdeck("play", "cursed-hand").status == 1


# --- practice ---------------------------------------------------------------------------------------------------------
@every_game
def test_practice_undoes_anything_and_marks_the_record(name: str, monkeypatch: pytest.MonkeyPatch, room: Room) -> None:
    game = hexdeck.game(name, 3)
    at = table(game, practice=True, seed=4)
    match = at.session.match

    def first() -> str:
        return match.legal(0)[0].name

    play(at, ["u", first, first, "u", "u", "u"], monkeypatch)
    assert "There is nothing to undo yet." in at.output.getvalue()
    assert not [event for event in match.events if event.seat == 0]
    saved = json.loads(room.saved()[0].read_text())
    assert saved["notes"] == {"practice": True} and load(room.saved()[0]).events == match.events


def test_the_mark_of_practice_stays_when_the_match_goes_on_and_is_on_no_other(room: Room) -> None:
    for practice in (["--practice"], []):
        room.hexdeck("play", "cursed-hand", *practice, "--seed", "1")
        room.hexdeck("play", "cursed-hand", "--resume", typed=ANY_MOVES)
    marks = [json.loads(path.read_text())["notes"].get("practice") for path in room.saved("finished")]
    assert marks == [True, None]


def test_after_an_undo_the_same_cards_come(monkeypatch: pytest.MonkeyPatch) -> None:
    at = table(hexdeck.game("cursed-hand", 2), practice=True)
    first = at.session.match.legal(0)[0].name
    play(at, [first, "u"], monkeypatch)
    chances = [event for event in at.session.match.events if event.seat < 0]
    play(at, [first], monkeypatch)
    assert [event for event in at.session.match.events if event.seat < 0][: len(chances)] == chances


# --- who sits where, and under which name -----------------------------------------------------------------------------
def seated(
    players: int, seat: int = 0, bots: str = "", hotseat: bool = False, names: str = "", several: int = 0
) -> list[Chair]:
    return chairs(players, seat, bots.split(), hotseat, names.split(","), Catalogue("en"), people=several)


def test_people_sit_where_wanted_and_bots_elsewhere_of_which_the_last_named_takes_what_is_left() -> None:
    table = seated(4, seat=2)
    assert table[2].name == "You" and [chair.bot for chair in table] == ["house", "house", None, "house"]
    for chosen, bots in (
        (seated(4, bots="search random"), [None, "search", "random", "random"]),
        (seated(4, hotseat=True), [None] * 4),
        (seated(4, several=3), [None, None, None, "house"]),
        (seated(3, several=3), [None] * 3),
        (seated(5, bots="random search", several=2, names="Ann,Ben"), [None, None, "random", "search", "search"]),
    ):
        assert [chair.bot for chair in chosen] == bots
    table = seated(4, hotseat=True, bots="random house", names="Ann, Ben")
    assert table == [Chair("Ann"), Chair("Ben"), Chair("Cleo", "random"), Chair("Dirk", "house")]


def test_names_are_cut_cleaned_and_numbered_from_one_and_no_two_are_alike() -> None:
    assert [chair.name for chair in seated(3, hotseat=True, names="Ann")] == ["Ann", "Player 2", "Player 3"]
    assert seated(2, names="Maximilian Alexander")[0].name == "Maximilian Alexa"
    assert seated(2, names="A\x1b[31mnn\t")[0].name == "A[31mnn"
    for taken in ("Bram", "Ada", "Joop"):
        for seat in (0, 5, 9):
            names = [chair.name for chair in seated(10, seat, names=taken)]
            assert names[seat] == taken and len(set(names)) == 10


@for_each(
    ("given", "why"),
    [
        *(({"players": 4, "seat": seat}, f"no seat {seat}; seats are 0 to 3") for seat in (-1, 4, 99)),
        *(({"players": 3, "bots": "house house house", "hotseat": hot}, "name at most 2") for hot in (True, False)),
        ({"players": 3, "names": "Ann,Ben"}, "2 names are too many for the 1 at this screen"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], why: str) -> None:
    with pytest.raises(hexdeck.BadOption, match=why):
        seated(**given)  # type: ignore[arg-type]


def test_a_record_gives_the_chairs_back_however_odd_it_is() -> None:
    table = seated(4, 1, "search:50", names="Zoë")
    assert chairs_of([chair.data() for chair in table]) == table
    odd = [{}, {"name": ""}, {"name": 7, "bot": ""}, {"name": "x" * 99, "bot": "house"}]
    assert chairs_of(odd) == [Chair(BOT_NAMES[0]), Chair(BOT_NAMES[1]), Chair(BOT_NAMES[2]), Chair("x" * 16, "house")]


# --- the cards of a match at the terminal are promised before the deal, and words of the person change them -----------
def hash_in(text: str) -> str:
    found = re.search(r"hash of their secret:\s+([0-9a-f]{64})", text)
    assert found, text
    return found[1]


def test_the_promise_comes_before_the_cards_and_the_record_keeps_it(room: Room) -> None:
    said = room.hexdeck("play", "hawthorn", "--players", "2", "--plain", typed=ANY_MOVES)
    shown = hash_in(said.out)
    assert said.out.index(shown) < said.out.index("> ") and "hexdeck verify checks" in said.out
    (path,) = room.saved("finished")
    assert verify(read(path), shown) > 3
    assert main(["verify", str(path), "--promise", shown]) == 0


def test_a_match_that_goes_on_keeps_its_promise_and_one_whose_promise_is_broken_does_not_go_on(room: Room) -> None:
    shown = hash_in(room.hexdeck("play", "hawthorn", "--players", "2", typed=["1", "1"]).out)
    (path,) = room.saved()
    kept = path.read_text(encoding="utf-8")
    data = json.loads(kept)
    data["notes"]["fair"]["secret"] = "x"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert room.hexdeck("play", "--resume", typed=ANY_MOVES).status == 2
    path.write_text(kept, encoding="utf-8")
    said = room.hexdeck("play", "--resume", typed=ANY_MOVES)
    assert "hash of their secret" not in said.out
    (path,) = room.saved("finished")
    assert verify(read(path), shown) > 3


def test_with_a_seed_nothing_is_promised(room: Room) -> None:
    said = room.hexdeck("play", "hawthorn", "--players", "2", "--seed", "1", typed=["1"])
    assert "hash" not in said.out and "fair" not in read(room.saved()[0]).notes


def test_words_typed_before_the_deal_count_and_what_is_no_word_is_refused(room, monkeypatch) -> None:
    begin = Session.__post_init__

    def lively(session: Session) -> None:
        begin(session)
        session.interactive = True
        assert not session.match.events and session.match.view(0).acting == ()

    monkeypatch.setattr(sys, "stdin", sys.stdin)
    room.monkeypatch.setattr(Session, "__post_init__", lively)
    said = room.hexdeck("play", "hawthorn", "--players", "2", "--pause", "0", typed=["x" * 129, " rye ", "q"])
    assert "at most 128 characters" in said.out
    record = read(room.saved()[0])
    assert proof_of(record).contributions == ("rye", "") and verify(record, hash_in(said.out)) > 0


# --- bots at the terminal are compiled as soon as machine code is there, and keep nobody waiting until then -----------
def session(levels: Sequence[str], seed: int | None = None) -> Session:
    """A session of Wolf-Man's Curse: a person, then bots."""
    game = hexdeck.game("wolf-mans-curse", len(levels) + 1)
    chairs = [Chair("Anna", None), *(Chair(f"Bot {k}", level) for k, level in enumerate(levels))]
    console = Console(width=200, file=None, record=True)
    match = game.match(5, backend="interpreted")
    return Session(match, chairs, game_words(game.name, "en", [chair.name for chair in chairs]), console, 0, seed=seed)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    there = {"there": False}
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setattr("hexdeck.engine.play.game.is_compiled", lambda _rules: there["there"])
    return there


def test_bots_that_play_games_out_wait_for_machine_code_and_play_by_rules_of_thumb_until_then(compiled, capsys) -> None:
    found = session(["best", "gentle"])
    assert {seat: each[:2] for seat, each in found.bots.items()} == {
        1: ("house", "interpreted"),
        2: ("gentle", "interpreted"),
    }
    found.bot_turn(1)
    found.bot_turn(2)
    assert capsys.readouterr().out.count("Bots play by rules of thumb until the stronger ones are ready") == 1
    compiled["there"] = True
    thinker = found.bot_of(1)
    assert found.bots[1][:2] == (hexdeck.bots.players.roster.resolved("best", found.match.game), "fast")
    assert thinker is found.bot_of(1)


def test_with_a_seed_each_bot_plays_itself_and_so_it_does_where_the_slow_backend_was_chosen(compiled, monkeypatch):
    found = session(["best", "gentle"], seed=7)
    assert found.bots[1][0] == hexdeck.bots.players.roster.resolved("best", found.match.game) != "house"
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    assert session(["best", "gentle"]).bots[1][0] != "house"
