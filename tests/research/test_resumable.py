"""The resumable file: all long jobs keep one, and each refuses what isn't its own."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from calibrate import CalibrationLog

import hexdeck
from hexdeck.engine.play.game import GameSetup
from hexdeck.files import ResumableFile, write_atomically
from hexdeck.lab.effects import EffectFile
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.pairs import Effect
from hexdeck.research.benchmark.running import BenchmarkResult, BenchmarkResults
from hexdeck.research.rating import ContestLog
from hexdeck.research.tournament import GameRecord, TournamentSetup, games_in, tournament_file
from hexdeck.research.training.exploit import ExploitPlan, Hunt
from hexdeck.research.training.trainer import Trainer, TrainingPlan, resumed, training_file
from tests.support import for_each

GAME, OTHER = hexdeck.game("cursed-hand", 2, hand_cards=3), hexdeck.game("hawthorn", 2)
ZEROS = [0.0] * 9
RESULT = BenchmarkResult("mine", "Mine", "hawthorn/tiny", 2, 1, 1.0, 1, 1.0, 1.0, "replies", {}, {})
PLAN = ExploitPlan("house", steps=1, seeds=1, groups=4)


def train(path: Path, game: GameSetup) -> None:
    """Open the file of a run of training; save one where it is new."""
    file = training_file(path, game.name)
    if file.rows:
        resumed(file, "interpreted")
    else:
        Trainer(TrainingPlan(game.name, (2,), {}, steps=1, hidden=(8, 8), batch=64), "interpreted").save(path)


def exploit(path: Path, game: GameSetup) -> None:
    """Open the file of a hunt; save one where it is new."""
    hunt = Hunt(game, PLAN, "interpreted", path)
    if not path.exists():
        hunt.save()


def play(path: Path, game: GameSetup) -> None:
    file = tournament_file(path, TournamentSetup(game, ("house", "random")))
    if not games_in(file):
        file.add(GameRecord(0, ("house", "random"), (1.0, -1.0)).data())


def once(log: Any, *row: Any) -> None:
    if not log._file.rows:
        log.add(*row)


JOBS: dict[str, Callable[[Path, GameSetup], None]] = {
    "effects": lambda path, game: once(EffectFile(path, SimulationSetup(game, "house", 1), 9), Effect("a=1", 9, {})),
    "tournament": play,
    "ladder": lambda path, game: once(ContestLog(path, game, 1), "house", "random", ZEROS[:6]),
    "calibrate": lambda path, game: once(CalibrationLog(path, game, "house", 9, 1), 0, None),
    "train": train,
    "exploit": exploit,
    "benchmark": lambda path, _game: None if path.exists() else BenchmarkResults(path).add(RESULT),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("files")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hexdeck.research.training.trainer.TRIAL", 8)
        for job, open_file in JOBS.items():
            open_file(folder / job, GAME)
    return {job: folder / job for job in JOBS}


def refused(job: str, path: Path, content: bytes, why: str, game: GameSetup = GAME) -> None:
    """Check that a job refuses a file with this content, in these words, and leaves it as it is."""
    path.write_bytes(content)
    with pytest.raises(hexdeck.HexdeckError, match=why):
        BenchmarkResults(path) if job == "benchmark" else JOBS[job](path, game)
    assert path.read_bytes() == content


@for_each("job", JOBS)
def test_what_is_not_of_the_run_is_refused_in_one_sentence(job, files, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("hexdeck.research.training.trainer.TRIAL", 8)
    file, path, other = files[job].read_bytes(), tmp_path / "file", "ladder" if job != "ladder" else "effects"
    header = json.loads(file.splitlines()[0])
    assert list(header)[:2] == ["format", "job"] and header["job"] == job
    differs = r"file isn't of this run \(different {}\); choose another\."
    for content in (b"deal,gain\n1,2\n", b"\xff\xfe", b"[" * 100_000, b"{}", b"3\n"):
        refused(job, path, content, differs.format("format"))
    refused(job, path, files[other].read_bytes(), differs.format("job"))
    if job != "benchmark":  # whose rows have their versions, and are of all games
        older = json.dumps(header | {"version": "older"}).encode() + b"\n"
        refused(job, path, older + b"".join(file.splitlines(keepends=True)[1:]), differs.format("version"))
        refused(job, path, file, differs.format("game"), OTHER)
    for row in (b"null\n", b"[]\n", b"{}\n", b"nonsense\n", b'{"change": 1, "deal": 0, "facts": 3, "arrays": {}}\n'):
        refused(job, path, file.splitlines(keepends=True)[0] + row + row, r"Line 2 of .*file is damaged")


def test_a_run_that_is_not_there_is_not_resumed(tmp_path: Path) -> None:
    with pytest.raises(hexdeck.HexdeckError, match=r"There is no run of training in .*file\."):
        resumed(training_file(tmp_path / "file", GAME.name))


def test_rows_are_added_behind_a_header_and_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path, about = tmp_path / "new folder" / "file", {"game": "hawthorn"}
    file = ResumableFile(path, "job", about)
    assert not path.exists() and file.rows == []
    file.add([1])
    file.add({"é": 2})
    assert ResumableFile(path, "job", about).rows == [[1], {"é": 2}]
    path.write_bytes(path.read_bytes() + b'{"\xc3')
    cut = ResumableFile(path, "job", about)
    assert cut.cut and cut.rows == [[1], {"é": 2}] and path.read_bytes().endswith(b"\xc3")
    cut.add(3)
    path.write_bytes(path.read_bytes().rstrip())  # as an editor leaves it
    whole = ResumableFile(path, "job", about)
    assert not whole.cut and whole.rows == [[1], {"é": 2}, 3]
    whole.add(4)
    path.write_bytes(2 * path.read_bytes())  # two files of one job as one
    joined = ResumableFile(path, "job", about)
    assert joined.rows == 2 * [[1], {"é": 2}, 3, 4] and "Line 7 " in str(joined.damaged(4))
    joined.replace([5])
    assert ResumableFile(path, "job", about).rows == [[5]] and [*path.parent.iterdir()] == [path]
    nowhere = ResumableFile(None, "job", about)
    nowhere.add(1)
    nowhere.replace(2)


def test_a_file_is_replaced_whole_and_nothing_beside_it_is_touched(tmp_path, monkeypatch) -> None:
    for name in ("notes.new", "notes", "notes.run.new"):
        (tmp_path / name).write_text("mine")
    file = tmp_path / "notes.run"
    for content in (b"one", b"two"):
        write_atomically(file, content)
        assert file.read_bytes() == content
    monkeypatch.setattr("os.fsync", lambda _file: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_atomically(file, b"three")
    assert file.read_bytes() == b"two"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["notes", "notes.new", "notes.run", "notes.run.new"]
    assert all((tmp_path / name).read_text() == "mine" for name in ("notes.new", "notes", "notes.run.new"))
    assert file.stat().st_mode == (tmp_path / "notes").stat().st_mode


def test_a_link_stays_and_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    write_atomically(link, b"one")
    assert link.is_symlink() and file.read_bytes() == b"one"
    os.mkfifo(pipe)
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        write_atomically(pipe, b"two")
        assert reader.read() == b"two" and pipe.is_fifo()
    read, write = os.pipe()
    write_atomically(Path(f"/dev/fd/{write}"), b"three")  # as /dev/stdout is where a command's output is piped on
    os.close(write)
    with os.fdopen(read, "rb") as reader:
        assert reader.read() == b"three"
    assert len([*tmp_path.iterdir()]) == 3
