"""What is recorded is what is loaded: every game, every option, every ply, every way to hand over a record."""

import json
import os
import random
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record, read
from hexdeck.simulation.game import Game
from tests.settings import every_game, every_setting, much
from tests.support import random_step

BACKEND = "fast"


def begun(setting: Game, seed: int, moves: int = 10_000) -> Match:
    match, rng = setting.match(seed=seed, backend=BACKEND), random.Random(seed)
    for _ in range(moves):
        if match.over:
            break
        random_step(match, rng)
    return match


def knowledge(match: Match) -> list[bytes]:
    return [match.concealed(seat) for seat in range(-1, match.game.players)]


def assert_same(loaded: Match, match: Match) -> None:
    assert loaded.game == match.game
    assert loaded.events == match.events
    assert (loaded.ply, loaded.over, loaded.acting) == (match.ply, match.over, match.acting)
    assert knowledge(loaded) == knowledge(match)
    assert loaded.narration() == match.narration()


@every_setting
def test_a_finished_match_comes_back_whole_from_text(setting: Game) -> None:
    match = begun(setting, 1)
    loaded = hexdeck.load(match.record().text(), backend=BACKEND)
    assert_same(loaded, match)
    assert loaded.returns() == match.returns() and loaded.ending == match.ending


@every_game
def test_any_ply_of_a_loaded_match_can_be_reached_in_any_order(name: str) -> None:
    match = begun(hexdeck.game(name), 2)
    loaded = hexdeck.load(match.record(), backend=BACKEND)
    step = much(max(1, match.length // 8), 1)
    plies = sorted({match.length, *(k + more for k in range(0, match.length, step) for more in (0, 1))})
    wanted = {}
    for ply in plies:
        match.go(ply)
        wanted[ply] = match.acting, knowledge(match), match.legal(match.actor) if match.acting else None
    for order in (plies, plies[::-1], random.Random(0).sample(plies, len(plies))):
        for ply in order:
            loaded.go(ply)
            found = loaded.acting, knowledge(loaded), loaded.legal(loaded.actor) if loaded.acting else None
            assert (loaded.ply, found) == (ply, wanted[ply]), f"ply {ply}"


@every_game
def test_a_match_is_recorded_whole_wherever_it_was_stepped_to(name: str) -> None:
    match = begun(hexdeck.game(name), 3)
    whole = match.record().text()
    for ply in (0, 1, match.length // 2):
        match.go(ply)
        assert match.record().text() == whole
        assert match.ply == ply


@every_game
@pytest.mark.parametrize("moves", [0, 1, 2, 3, 5])
def test_an_unfinished_match_goes_on_to_the_same_end(name: str, moves: int) -> None:
    match = begun(hexdeck.game(name), 4, moves)
    loaded = hexdeck.load(match.record().text(), backend=BACKEND)
    assert_same(loaded, match)
    loaded.let_chance(4)
    rng = random.Random(9)
    while not match.over:
        seat = rng.choice(match.acting)
        action = rng.choice(match.legal_ids(seat))
        match.play(seat, action)
        loaded.play(seat, action)
    assert_same(loaded, match)


@every_game
def test_a_record_can_be_handed_over_in_every_way(name: str, tmp_path: Path) -> None:
    match = begun(hexdeck.game(name), 5)
    record = match.record()
    path = tmp_path / "deep" / "down" / "match.json"
    record.save(path)
    for source in (record, record.data(), record.text(), "\n " + record.text(), path, str(path)):
        assert_same(hexdeck.load(source, backend=BACKEND), match)
    assert read(path) == record == read(record.data())
    assert path.read_text(encoding="utf-8") == record.text() + "\n"


@every_game
def test_a_record_names_everything_and_stays_small(name: str) -> None:
    match = begun(hexdeck.game(name), 6)
    data = json.loads(match.record().text())
    assert " ".join(data) == "hexdeck game rules players options seats notes count events check"
    assert (data["hexdeck"], data["game"], data["players"]) == (1, name, match.game.players)
    assert data["rules"] == match.game.definition.struct_version
    assert data["options"] == match.game.options
    assert data["count"] == len(data["events"]) == match.length
    assert len(match.record().text()) < 16_000


def test_players_bots_and_notes_are_kept() -> None:
    match = hexdeck.game("cursed-hand", 3).match(seed=1, backend=BACKEND, names=["Zoë", "Bram", "李"])
    seats = [{"name": "Zoë"}, {"name": "Bram", "bot": "house"}, {"name": "李", "bot": "search:50"}]
    record = Record.of(match, seats, practice=True, seed=1)
    again = read(record.text())
    assert again == record and list(again.seats) == seats and again.notes == {"practice": True, "seed": 1}
    assert hexdeck.load(record, backend=BACKEND).names == ("Zoë", "Bram", "李")
    assert match.record().seats == ({"name": "Zoë"}, {"name": "Bram"}, {"name": "李"})


def test_names_that_would_upset_a_terminal_are_cleaned() -> None:
    data = hexdeck.game("cursed-hand", 2).match(seed=1, backend=BACKEND).record().data()
    data["seats"] = [{"name": "A\x1b[2J\nda"}, {"name": "B\u202eram"}]
    assert hexdeck.load(data, backend=BACKEND).names == ("A[2Jda", "Bram")


def test_a_failed_save_leaves_the_older_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.json"
    path.write_text("older")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    record = hexdeck.game("cursed-hand").match(seed=1, backend=BACKEND).record()
    with pytest.raises(OSError, match="No space left"):
        record.save(path)
    assert path.read_text() == "older" and list(tmp_path.iterdir()) == [path]


@every_game
def test_every_backend_loads_the_same_record(name: str) -> None:
    match = begun(hexdeck.game(name), 7)
    assert hexdeck.load(match.record(), backend="fast").concealed(-1) == match.concealed(-1)
