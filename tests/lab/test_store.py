"""Parquet: the same bytes whatever plays, rows that replay to the same games, a run that goes on, and data frames."""

import importlib.util
import json
import re
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import hexdeck
from hexdeck import lab
from hexdeck.engine.text import say
from hexdeck.lab import store
from hexdeck.lab.counts import RESULT
from hexdeck.lab.log import SimulationSetup
from tests.compiled import warm
from tests.people import Room
from tests.settings import every_game, much, small_game
from tests.support import PATIENCE, for_each

BACKEND = "fast"
NOTEBOOK = Path(__file__).parents[2] / "examples" / "playtest.ipynb"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SHARD", 8)
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def written(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@every_game
def test_rows_are_the_games_of_simulate_and_replay_to_them(name, tmp_path, monkeypatch) -> None:
    game, count = small_game(name), much(3, 10)
    monkeypatch.setattr(store, "SHARD", much(2, 8))
    assert store.write(SimulationSetup(game, "house", 4), count, tmp_path) == count
    games, made = lab.read(tmp_path), lab.read(tmp_path, "decisions")
    plain = game.simulate(count, "house", 4, backend=BACKEND)
    assert games["game"].tolist() == list(range(count))
    assert np.array_equal(games[[f"result_{seat}" for seat in range(game.players)]].to_numpy(), plain.returns)
    assert games["ending"].tolist() == [plain.reasons[k] for k in plain.endings]
    assert games["decisions"].tolist() == plain.moves.tolist() == made.groupby("game").size().tolist()
    for number in (0, count - 1):
        match = game.match(4, number=number, backend=BACKEND)
        for row in made[made["game"] == number].itertuples():
            assert len(match.legal_ids(row.seat)) == row.legal
            match.play(row.seat, row.action)
        assert match.over and list(match.returns()) == plain.returns[number].tolist()


def test_no_byte_depends_on_threads(tmp_path: Path) -> None:
    game = small_game("hawthorn")
    for threads in (1, 3):
        store.write(SimulationSetup(game, "random", 1, threads), 30, tmp_path / str(threads))
    assert written(tmp_path / "1") == written(tmp_path / "3")


def test_an_interrupted_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    def stop(_count: int) -> None:
        raise KeyboardInterrupt

    game = small_game("blackstone")
    with pytest.raises(KeyboardInterrupt):
        store.write(SimulationSetup(game, "house", 1), 40, tmp_path / "a", progress=stop)
    begun = list((tmp_path / "a" / "games").glob("*.parquet"))
    assert 1 <= len(begun) < 5
    (tmp_path / "a" / "games" / begun[0].name).write_bytes(b"half a file")
    kept = [path.stat().st_mtime_ns for path in begun[1:]]
    assert store.write(SimulationSetup(game, "house", 1), 40, tmp_path / "a") == 40
    assert [path.stat().st_mtime_ns for path in begun[1:]] == kept
    store.write(SimulationSetup(game, "house", 1), 40, tmp_path / "b")
    assert written(tmp_path / "a") == written(tmp_path / "b")


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_keeps_what_was_played_of_a_shard(threads, tmp_path, monkeypatch) -> None:
    game, begun, table = small_game("blackstone"), Event(), store.games_table
    stops: list[Event] = []

    def stop() -> Event:
        stops.append(Event())
        return stops[-1]

    def held(player: Any, log: Any) -> Any:
        if log.first == 2:  # the second part waits for the interrupt
            begun.set()
            assert stops[0].wait(PATIENCE)
        return table(player, log)

    def interrupted(function: Any, shards: Any, threads: int, pool: Any) -> Any:
        for shard in shards[: 2 * threads]:
            pool.submit(function, shard)
        assert begun.wait(PATIENCE)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        changes = ("LEAST_PART", 2), ("PART", 0), ("games_table", held), ("map_in_order", interrupted), ("Event", stop)
        for name, value in changes:
            patch.setattr(store, name, value)
        with pytest.raises(KeyboardInterrupt):
            store.write(SimulationSetup(game, "house", 1, threads), 30, tmp_path / "a")
    kept = lab.read(tmp_path / "a")["game"].tolist()
    assert kept[:4] == [0, 1, 2, 3] and 4 not in kept and len(kept) == store.games_in(tmp_path / "a")
    played: list[int] = []
    monkeypatch.setattr(store, "games_table", lambda player, log: played.append(log.first) or table(player, log))
    for folder in ("a", "b"):
        assert store.write(SimulationSetup(game, "house", 1), 30, tmp_path / folder) == 30
        assert (0 in played) == (folder == "b")  # what is there isn't played again
    assert written(tmp_path / "a") == written(tmp_path / "b")


def test_the_command_tells_what_an_interrupt_left(room: Room, tmp_path: Path) -> None:
    words = ["simulate", "hawthorn", "-n", "3", "--data", str(tmp_path)]
    assert room.hexdeck(*words, "--games", "5").status == 0

    def interrupted(*_how: Any, **_more: Any) -> int:
        raise KeyboardInterrupt

    room.monkeypatch.setattr("hexdeck.lab.store.write", interrupted)
    said = room.hexdeck(*words, "--games", "100")
    assert said.status == 130
    assert said.err.split() == f"Interrupted: 5 games are in {tmp_path}; the same command resumes there.".split()


def test_more_games_are_added_to_what_is_there(tmp_path: Path) -> None:
    game = small_game("blackstone")
    for count in (12, 20):
        store.write(SimulationSetup(game, "house", 1), count, tmp_path / "a")
    store.write(SimulationSetup(game, "house", 1), 20, tmp_path / "b")
    assert written(tmp_path / "a") == written(tmp_path / "b")


@for_each("damage", ["gone", "cut", "other"])
def test_decisions_that_are_missing_or_damaged_are_made_again(damage: str, tmp_path: Path) -> None:
    game = small_game("blackstone")
    store.write(SimulationSetup(game, "house", 1), 20, tmp_path)
    before, file = written(tmp_path), tmp_path / "decisions" / "part-000001.parquet"
    if damage == "gone":
        file.unlink()
    else:
        other = (tmp_path / "decisions" / "part-000000.parquet").read_bytes()
        file.write_bytes(file.read_bytes()[:-20] if damage == "cut" else other)
    assert store.games_in(tmp_path) == 12
    assert store.write(SimulationSetup(game, "house", 1), 20, tmp_path) == 20 and written(tmp_path) == before


def test_another_version_does_not_go_on_with_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small_game("blackstone")
    store.write(SimulationSetup(game, "house", 1), 8, tmp_path)
    before = written(tmp_path)
    monkeypatch.setattr(store, "program_hash", lambda owner: f"{owner} with a better bot")
    with pytest.raises(hexdeck.HexdeckError, match=r"isn't of this run \(different version\)"):
        store.write(SimulationSetup(game, "house", 1), 16, tmp_path)
    assert written(tmp_path) == before


@pytest.mark.parametrize("before", [0, 8])
def test_games_that_never_begin_leave_no_folder_behind(before: int, tmp_path: Path) -> None:
    def nowhere(*_: object) -> store.Iterator[tuple[store.Shard, store.ShardFiles]]:
        raise hexdeck.HexdeckError(say("There is no cluster."))

    game, folder = small_game("blackstone"), tmp_path / "games"
    if before:
        store.write(SimulationSetup(game, "house", 1), before, folder)
    with pytest.raises(hexdeck.HexdeckError, match="no cluster"):
        store.write(SimulationSetup(game, "house", 1), 16, folder, run=nowhere)
    assert folder.exists() == bool(before) and store.games_in(folder) == before
    assert store.write(SimulationSetup(game, "house", 1 if before else 2), 16, folder) == 16


def test_machines_that_share_a_folder_write_parts_of_it(tmp_path: Path) -> None:
    game = small_game("blackstone")
    store.write(SimulationSetup(game, "house", 1), 36, tmp_path / "whole")
    assert store.write(SimulationSetup(game, "house", 1), 36, tmp_path / "parts", only=range(3, 5)) == 12
    assert sorted(path.name for path in (tmp_path / "parts" / "games").iterdir()) == [
        "part-000003.parquet",
        "part-000004.parquet",
    ]
    assert store.write(SimulationSetup(game, "house", 1), 36, tmp_path / "parts", only=range(3)) == 36
    assert written(tmp_path / "parts") == written(tmp_path / "whole")
    with pytest.raises(hexdeck.BadOption, match="no shards 4-5; 36 games make shards 0-4"):
        store.write(SimulationSetup(game, "house", 1), 36, tmp_path / "parts", only=range(4, 6))


@for_each(
    ("players", "bots", "seed", "what"), [(3, "house", 1, "players"), (2, "random", 1, "bots"), (2, "house", 2, "seed")]
)
def test_other_games_are_not_mixed_in(players: int, bots: str, seed: int, what: str, tmp_path: Path) -> None:
    store.write(SimulationSetup(hexdeck.game("blackstone", 2), "house", 1), 8, tmp_path)
    before = written(tmp_path)
    with pytest.raises(hexdeck.HexdeckError, match=rf"isn't of this run \(different {what}\)"):
        store.write(SimulationSetup(hexdeck.game("blackstone", players), bots, seed), 8, tmp_path)
    assert written(tmp_path) == before


def test_what_columns_mean_stands_in_the_files(tmp_path: Path) -> None:
    store.write(SimulationSetup(hexdeck.game("blackstone", 2), "house", 1), 8, tmp_path)
    for table, meanings in (("games", store.GAMES), ("decisions", store.MADE)):
        schema = pq.read_schema(tmp_path / table / "part-000000.parquet")
        assert all(field.metadata[b"meaning"].decode() in meanings.values() for field in schema)
    about = json.loads((tmp_path / "about.json").read_text(encoding="utf-8"))
    assert (about["game"], about["players"], about["bots"], about["seed"]) == ("blackstone", 2, ["house", "house"], 1)


# --- the command --------------------------------------------------------------------------------------------------
def test_the_command_writes_and_refuses(room: Room, tmp_path: Path) -> None:
    words = ["simulate", "blackstone", "-n", "2", "--games", "10", "--data", str(tmp_path / "data")]
    said = room.hexdeck(*words)
    assert said.status == 0 and "10 games are in" in said.err and len(lab.read(tmp_path / "data")) == 10
    said = room.hexdeck(*words, "--seed", "3")
    assert said.status == 2 and "different seed" in said.err
    (tmp_path / "file").write_text("")
    said = room.hexdeck(*words[:-1], str(tmp_path / "file" / "x"))
    assert said.status == 2 and "can't be written" in said.err


def test_a_shard_that_can_not_be_written_is_one_sentence_and_leaves_nothing_beside(room: Room, tmp_path: Path) -> None:
    (tmp_path / "games" / "part-000000.parquet").mkdir(parents=True)
    said = room.hexdeck("simulate", "blackstone", "-n", "2", "--games", "8", "--data", str(tmp_path))
    assert said.status == 2 and "part-000000.parquet can't be written: " in said.err
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


def test_the_command_tells_what_is_there_and_writes_some_shards(room: Room, tmp_path: Path) -> None:
    words = ["simulate", "blackstone", "-n", "2", "--data", str(tmp_path / "data")]
    assert "8 games are in" in room.hexdeck(*words, "--games", "20", "--shards", "1").err
    assert "20 games are in" in room.hexdeck(*words, "--games", "20", "--shards", "0-2").err
    assert "20 games are in" in room.hexdeck(*words, "--games", "7").err


@for_each(
    ("words", "why"),
    [
        (["--shards", "0-1"], "--shards goes with --data; give that too"),
        (["--engine", "ray"], "--engine goes with --data; give that too"),
        (["--data", "x", "--address", "auto"], "--address goes with --engine ray"),
        (["--data", "x", "--shards", "some"], "some names no shards"),
        (["--data", "x", "--shards", "2-1"], "There are no shards 2-1"),
        (["--data", "x", "--shards", "0-99"], "There are no shards 0-99; 20 games make shards 0-2"),
    ],
)
def test_bad_words_about_shards_are_refused(words: list[str], why: str, room: Room, tmp_path: Path) -> None:
    room.monkeypatch.chdir(tmp_path)
    said = room.hexdeck("simulate", "blackstone", "-n", "2", "--games", "20", *words)
    assert said.status == 2 and why in said.err and not (tmp_path / "x").exists()


def test_without_ray_its_extra_is_named(room: Room, tmp_path: Path) -> None:
    found = importlib.util.find_spec
    room.monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "ray" else found(name))
    said = room.hexdeck("simulate", "blackstone", "--data", str(tmp_path / "x"), "--engine", "ray")
    assert said.status == 2 and "pip install '.[ray]'" in said.err


# --- data frames --------------------------------------------------------------------------------------------------
def test_frames_hold_what_files_hold(tmp_path: Path) -> None:
    game = small_game("hawthorn")
    store.write(SimulationSetup(game, "house", 2), 8, tmp_path)
    pd.testing.assert_frame_equal(lab.games(game, 8, "house", 2), lab.read(tmp_path))
    pd.testing.assert_frame_equal(lab.decisions(game, 8, "house", 2), lab.read(tmp_path, "decisions"))


def test_columns_come_alone_and_in_the_order_asked_for(tmp_path: Path) -> None:
    store.write(SimulationSetup(small_game("hawthorn"), "house", 2), 20, tmp_path)
    whole = lab.read(tmp_path)
    pd.testing.assert_frame_equal(lab.read(tmp_path, columns=["turns"]), whole[["turns"]])
    pd.testing.assert_frame_equal(lab.read(tmp_path, columns=["turns", "game"]), whole[["turns", "game"]])
    made = lab.read(tmp_path, "decisions")
    pd.testing.assert_frame_equal(lab.read(tmp_path, "decisions", ["action"]), made[["action"]])


def test_data_frames_refuse_in_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, other = small_game("hawthorn"), small_game("blackstone")
    store.write(SimulationSetup(game, "house", 2), 8, tmp_path / "there")
    (tmp_path / "bad" / "games").mkdir(parents=True)
    (tmp_path / "bad" / "games" / "part-000000.parquet").write_text("no Parquet")
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: lab.games(game, 0), "at least one game"),
        (lambda: lab.games(game, -1), "at least one game"),
        (lambda: lab.decisions(game, 0), "at least one game"),
        (lambda: lab.games(game, 5, "clever"), "There is no bot clever"),
        (lambda: lab.measure(game, 0), "at least one game"),
        (lambda: lab.measure(game, 1.5), "in whole numbers"),  # type: ignore[arg-type]
        (lambda: lab.games(game, 5, seed="x"), "A seed is a whole number, not 'x'"),  # type: ignore[arg-type]
        (lambda: lab.read(tmp_path / "nowhere"), "There are no simulated games in"),
        (lambda: lab.read(tmp_path / "there", "players"), "There is no table players; there are games, decisions"),
        (lambda: lab.read(tmp_path / "there", columns=["colour"]), "There is no column colour; there are game, ending"),
        (lambda: lab.read(tmp_path / "bad"), "can't be read"),
        (lambda: lab.difference(game, game, precision=0), "A precision is a number above 0, not 0"),
        (lambda: lab.difference(game, game, threads=0), "at least one thread"),
        (lambda: lab.difference(game, other), "Two variants must be of the same game"),
        (lambda: lab.difference(game, hexdeck.game("hawthorn", game.players + 1)), "with the same number of players"),
        (lambda: store.write(SimulationSetup(game, seed=b"bytes"), 8, tmp_path / "x"), "The seed of a folder is"),
    ]
    for ask, why in refused:
        with pytest.raises(hexdeck.HexdeckError, match=why):
            ask()
    found = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "pandas" else found(name))
    for ask, _why in refused[:10]:
        with pytest.raises(hexdeck.HexdeckError, match=r"pip install '\.\[lab\]'"):
            ask()


def test_measures_are_those_of_the_games() -> None:
    game = small_game("hawthorn")
    frame, games = lab.measure(game, 20, seed=2), lab.games(game, 20, seed=2)
    assert frame.loc[(RESULT, 1), "value"] == pytest.approx(games["result_1"].mean())
    assert frame.loc[("decisions", 0), "low"] < games["decisions"].mean() < frame.loc[("decisions", 0), "high"]


def test_a_comparison_is_a_frame() -> None:
    game = small_game("hawthorn")
    other = hexdeck.game("hawthorn", game.players, **{**game.options, "fold_price": "own"})
    frame = lab.difference(game, other, most=60)
    assert (frame.after - frame.before).to_numpy() == pytest.approx(frame.value.to_numpy())


def test_the_code_of_the_example_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell after cell, with a tenth of its games, and less precise."""
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    warm("hawthorn", "fast")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    shown = [cell for cell in cells if cell["cell_type"] == "code" and cell["outputs"]]
    pictures = [each for cell in shown for each in cell["outputs"] if "image/png" in each.get("data", {})]
    assert len(shown) >= 6 and len(pictures) == 2 and NOTEBOOK.stat().st_size < 200_000
    assert not any(each["output_type"] in {"error", "stream"} for cell in shown for each in cell["outputs"])
    there: dict[str, Any] = {}
    for source in ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"):
        exec(re.sub(r"(\d)_000\b", r"\g<1>00", source).replace("precision=0.01", "precision=0.03"), there)
    assert "decisions" in str(there["surely"]) and len(there["games"]) == 500


@pytest.mark.long
def test_the_example_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    book = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(book, timeout=300, kernel_name="python3").execute()
    kept = nbformat.read(NOTEBOOK, as_version=4)
    for cell, before in zip(book.cells, kept.cells, strict=True):
        texts = [[each.get("data", {}).get("text/plain") for each in one.get("outputs", [])] for one in (cell, before)]
        assert texts[0] == texts[1], "the notebook shows something else than it did: python tools/notebook.py"
