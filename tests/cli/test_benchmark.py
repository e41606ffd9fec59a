"""`hexdeck benchmark`: runs that are kept and gone on with, algorithms that crash, versions, the page."""

import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from hexdeck.research.benchmark import running
from hexdeck.research.benchmark.algorithms import OURS
from hexdeck.research.benchmark.results_page import write_page
from hexdeck.research.benchmark.running import BenchmarkResult, BenchmarkResults
from tests.compiled import warm
from tests.people import Room, Said
from tests.support import for_each

SIZE = ["hawthorn/tiny", "-n", "2", "--seconds", "0.05"]
FEW = [*SIZE, "--algorithms", "cfr_plus", "mccfr", "--seeds", "2"]
DOCS = Path(__file__).parents[2] / "docs"
CRASH = """
def learn(task):
    yield 1, task.tree.uniform()
    raise ZeroDivisionError("no luck\\nat all")
"""
MINE = """
TITLE, WORK = "First move", "guesses"
def learn(task):
    tree = task.tree
    yield 3, lambda tree: tree.policy(lambda seat, key, actions: [1] + [0] * (len(actions) - 1))
"""


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """With machine code, as the command is used; a step of learning takes as long on any machine."""
    warm("hawthorn", "fast")
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    ticks = itertools.count(step=0.0001)
    monkeypatch.setattr(running, "time", SimpleNamespace(process_time=lambda: next(ticks)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kept.jsonl"


def benchmark(room: Room, file: Path, *words: str) -> Said:
    return room.hexdeck("benchmark", *words, "--resume", str(file))


def test_a_page_is_made_with_tables_and_curves(room: Room, file: Path, tmp_path: Path) -> None:
    said = benchmark(room, file, *FEW, "--page", str(tmp_path / "page.md"))
    assert said.status == 0, said.err
    assert said.out.startswith("3 of 3 runs are to be made; that takes about 0.20 s of one processor core.\n")
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| `hawthorn/tiny` | 2 | 0.05 s | 41.2 % |" in page and "| MCCFR, external sampling | 2 |" in page
    curves = (tmp_path / "page" / "hawthorn-tiny-2.svg").read_text(encoding="utf-8")
    assert (
        curves.count("<polyline") == 3 + 2 and "hawthorn/tiny, 2 players" in curves
    )  # three curves, two in the legend
    found = BenchmarkResults(file).found
    assert len(found) == 3 and all(each.end is not None and each.end < 0.05 for each in found.values())
    assert found["cfr_plus", "hawthorn/tiny", 2, 1, 0].end < 0.01  # type: ignore[operator]


def test_what_is_there_is_not_run_again_but_with_other_seconds(room: Room, file: Path) -> None:
    benchmark(room, file, *FEW)
    before = file.read_bytes()
    assert benchmark(room, file, *FEW).out.startswith("0 of 3 runs are to be made;")
    assert file.read_bytes() == before
    said = benchmark(room, file, *FEW, "--seconds", "0.06", "--no-runs")
    assert said.out.startswith("3 of 3 runs are to be made;") and file.read_bytes() == before


@pytest.mark.long
def test_whole_games_have_exploiters_and_a_cross_table(room: Room, file: Path, tmp_path: Path) -> None:
    words = ["hawthorn/full", "-n", "2", "--seeds", "1", "--seconds", "0.05", "--algorithms", "house", "ppo"]
    said = benchmark(room, file, *words, "--page", str(tmp_path / "p.md"))
    assert said.status == 0 and said.out.count("exploiters gain at least") == 2, said.out + said.err
    house, ppo = BenchmarkResults(file).found.values()
    assert (house.bot, ppo.bot) == ("house", "net:hawthorn-full-2-ppo-1.net")
    games, _seconds, _gained = house.points[0]  # after so few games it may well be a loss
    assert games >= 100 and house.margin > 0 and set(ppo.against) == {"house/1"}
    (row,) = [line for line in (tmp_path / "p.md").read_text("utf-8").splitlines() if line.startswith("| PPO 1 |")]
    assert f"{ppo.against['house/1'][0]:.3f}".lstrip("-") in row
    assert benchmark(room, file, *words).out.startswith("0 of 2 runs")


def test_ctrl_c_loses_no_more_than_the_run_that_goes_on(room, file, monkeypatch) -> None:
    plain, calls = running.outcome, iter(range(9))

    def pressed(*given: object) -> BenchmarkResult:
        if next(calls) == 2:
            raise KeyboardInterrupt
        return plain(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(running, "outcome", pressed)
    said = benchmark(room, file, *FEW)
    assert said.status == 130 and "Interrupted: the same command resumes where it stopped." in said.err
    kept = file.read_bytes()
    assert kept.count(b"\n") == 1 + 2
    assert benchmark(room, file, *FEW).out.startswith("1 of 3 runs are to be made;")
    assert file.read_bytes().startswith(kept) and len(BenchmarkResults(file).found) == 3


@pytest.mark.parametrize("last", ["kept", "cut off in a letter of two bytes"])
def test_a_last_line_without_its_end_is_never_joined_to_the_next(last: str, room: Room, file: Path) -> None:
    """An editor may leave out the end of the last line; a crash of the machine may cut a letter in two."""
    benchmark(room, file, *FEW)
    lines = file.read_bytes().splitlines()
    lines[3] = lines[3] if last == "kept" else lines[3].replace(b"MCCFR", b"\xc3\xa9")[:30].partition(b"\xa9")[0]
    file.write_bytes(b"\n".join(lines))
    said = benchmark(room, file, *FEW, "--seeds", "3")
    assert said.out.startswith(f"{1 if last == 'kept' else 2} of 4 runs are to be made;"), said
    assert ("was cut off; that run is made again" in said.out) == (last != "kept")
    again = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    assert [(each["algorithm"], each["seed"]) for each in again] == [
        ("cfr_plus", 1),
        *(("mccfr", k) for k in (1, 2, 3)),
    ]


def test_the_help_names_all_of_our_algorithms(room: Room) -> None:
    words = set(re.findall(r"\w+", room.hexdeck("benchmark", "--help").out.partition("NAME can be:")[2]))
    assert words >= {*OURS}


def test_an_algorithm_that_crashes_is_named_and_counted_and_the_rest_goes_on(room, file, tmp_path) -> None:
    for name, text in (("crash", CRASH), ("broken", "import nothing_like_it"), ("mine", MINE), ("empty", "")):
        (tmp_path / f"{name}.py").write_text(text)
    mine = [str(tmp_path / f"{name}.py") for name in ("crash", "broken", "mine", "empty")]
    said = benchmark(
        room, file, *SIZE, "--seeds", "1", "--algorithms", "cfr_plus", *mine, "--page", str(tmp_path / "p.md")
    )
    assert said.status == 1
    assert "3 of 5 runs failed: crash, broken, empty." in said.out
    assert "crash, seed 1: failed (ZeroDivisionError: no luck)" in said.out
    assert "broken.py can't be run: ModuleNotFoundError: No module named 'nothing_like_it')" in said.out
    found = BenchmarkResults(file).found
    assert found["mine", "hawthorn/tiny", 2, 1, 0].points[0][0] == 3 and found["mine", "hawthorn/tiny", 2, 1, 0].end
    page = (tmp_path / "p.md").read_text(encoding="utf-8")
    assert "3 of 5 runs failed: crash, seed 1: `ZeroDivisionError: no luck`" in page and "| First move | 1 |" in page


def test_what_an_algorithm_raises_prints_and_calls_itself_ends_nothing(room: Room, file: Path, tmp_path: Path) -> None:
    loud = "import asyncio\nTITLE = 'half \\ud83d'\ndef learn(task):\n    print('learning')\n"
    (tmp_path / "gone.py").write_text(loud + "    raise asyncio.CancelledError\n    yield\n")
    (tmp_path / "loud.py").write_text(loud + "    yield 1, task.tree.uniform()\n")
    (tmp_path / "nan.py").write_text("SETTINGS = {'rate': float('nan')}\n" + MINE)
    mine = [str(tmp_path / f"{name}.py") for name in ("gone", "loud", "nan")]
    said = benchmark(room, file, *SIZE, "--seeds", "1", "--algorithms", "cfr_plus", *mine, "--json")
    found = {each["algorithm"]: each for each in json.loads(said.out)["results"]}
    assert said.status == 1 and list(found) == ["cfr_plus", "gone", "loud", "nan"]
    assert found["gone"]["failed"] == "CancelledError" and not found["loud"]["failed"]
    assert "SETTINGS is a dict of numbers" in found["nan"]["failed"] and "NaN" not in file.read_text("utf-8")
    assert set(BenchmarkResults(file).found) == {(name, "hawthorn/tiny", 2, 1, 0) for name in found}


def test_an_algorithm_that_was_mended_runs_without_being_asked_for(room: Room, file: Path, tmp_path: Path) -> None:
    mine, words = tmp_path / "mine.py", [*SIZE, "--seeds", "1", "--algorithms", "cfr_plus"]
    mine.write_text(CRASH)
    assert benchmark(room, file, *words, str(mine)).status == 1
    assert benchmark(room, file, *words, str(mine)).out.startswith("0 of 2 runs")
    mine.write_text(MINE)
    said = benchmark(room, file, *words, str(mine))
    assert said.status == 0 and said.out.startswith("1 of 2 runs are to be made;")
    assert not BenchmarkResults(file).found["mine", "hawthorn/tiny", 2, 1, 0].failed


def test_a_bot_is_measured_anew_once_its_file_changes(room: Room, file: Path, tmp_path: Path) -> None:
    policy, words = tmp_path / "mine.py", [*SIZE, "--algorithms", str(tmp_path / "mine.py")]
    policy.write_text("def policy(_seen, masks):\n    return masks / masks.sum(1, keepdims=True)\n")
    said = benchmark(room, file, *words)
    result = BenchmarkResults(file).found["mine", "hawthorn/tiny", 2, 1, 0]
    assert f"\N{NO-BREAK SPACE}% of the utility range ({result.points[-1][2]:.3f}) as it plays\n" in said.out
    assert benchmark(room, file, *words).out.startswith("0 of 1 runs")
    policy.write_text("def policy(_seen, masks):\n    return masks * (masks.cumsum(1) == 1)\n")
    assert benchmark(room, file, *words).out.startswith("1 of 1 runs")
    assert BenchmarkResults(file).found["mine", "hawthorn/tiny", 2, 1, 0].points != result.points


def test_of_a_bot_that_is_asked_it_is_said_how_an_equilibrium_reads(room: Room, file: Path) -> None:
    words = [*SIZE, "--seeds", "2", "--algorithms"]
    said = benchmark(room, file, *words, "gentle")
    assert "for 2: asked 8 times in each information set, a policy near an equilibrium reads 0." in said.out, said
    assert BenchmarkResults(file).rows[-1].settings == {"asked": 8}
    said = benchmark(room, file, *words, "random")
    assert "asked" not in said.out and said.out.startswith("1 of 1 runs"), said


@for_each(
    ("bot", "why"),
    [
        ("mine.py", "mine.py can't be used: Row 0 (seat 0) of the probabilities has a value that is no number"),
        ("onnx:net.onnx", "There is no file net.onnx"),
        ("run:false", "run:false can't go on: the program ended"),
    ],
)
def test_of_a_bot_that_can_not_play_nothing_is_written(bot, why, room, file, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("def policy(_seen, masks):\n    return masks * float('nan')\n")
    said = benchmark(room, file, *SIZE, "--algorithms", bot, "--seeds", "1")
    assert said.status == 1 and "failed (" in said.out and f"{why}.)" in said.out and not file.exists()


def test_a_run_that_failed_before_is_named_and_made_anew_with_renew(room, file, tmp_path, monkeypatch) -> None:
    """What it lacked, a package or memory, may be there by then, though the file is the same."""
    mine = tmp_path / "mine.py"
    mine.write_text("import os\n" + MINE.replace("    tree = ", "    os.environ['HEXDECK_LACKED']\n    tree = "))
    words = [*SIZE, "--seeds", "1", "--algorithms", "cfr_plus", str(mine)]
    assert benchmark(room, file, *words).status == 1
    said = benchmark(room, file, *words)
    assert (
        said.out.startswith("0 of 2 runs") and "1 run failed before and stays as it is: First move; --renew" in said.out
    )
    monkeypatch.setenv("HEXDECK_LACKED", "here")
    said = benchmark(room, file, *words, "--renew")
    assert said.status == 0 and said.out.startswith("1 of 2 runs are to be made;") and "before" not in said.out
    assert "failed before" not in benchmark(room, file, *words).out


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        ("{(0, 1): [0.5, 0.5]}", "A policy's mapping has none of the game's information sets"),
        ("task.tree.uniform() * float('nan')", "Probabilities are 0 or more and sum to 1; those of information set 0"),
        ("-task.tree.uniform()", "Probabilities are 0 or more and sum to 1; those of information set 0"),
        ("task.tree.uniform()[:-1]", "A policy for this tree has 804 probabilities or a table of "),
        ("'fold'", "ValueError: could not convert string to float"),
    ],
)
def test_what_is_no_policy_is_named(policy: str, why: str, room: Room, file: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(f"def learn(task):\n    yield 1, {policy}\n")
    said = benchmark(room, file, *SIZE, "--seeds", "1", "--algorithms", str(tmp_path / "mine.py"))
    assert said.status == 1 and f"mine, seed 1: failed ({why}" in said.out
    assert BenchmarkResults(file).found["mine", "hawthorn/tiny", 2, 1, 0].failed.startswith(why)


def test_the_page_says_what_is_missing(room: Room, file: Path, tmp_path: Path) -> None:
    benchmark(room, file, *FEW)
    words = ["hawthorn/tiny", "-n", "3", "--seconds", "0.05", "--algorithms", "cfr_plus"]
    benchmark(room, file, *words, "--page", str(tmp_path / "p.md"))
    said = (tmp_path / "p.md").read_text(encoding="utf-8").partition("## Not run\n\n")[2].partition("##")[0]
    never, fewer = said.split("\n\n")[:2]
    assert "`hawthorn/tiny`" not in never and "`hawthorn/small` for 2" in never and "`black-hearts/mid` for 3" in never
    assert fewer == "Fewer runs than elsewhere: MCCFR, external sampling, on `hawthorn/tiny` for 3."


def test_a_row_of_the_readers_takes_no_rank_from_others(room: Room, file: Path, tmp_path: Path) -> None:
    """Nor do results that a version of hexdeck alone tells apart count as old."""
    kept = (DOCS / "learning" / "benchmark.jsonl").read_text(encoding="utf-8").splitlines()
    ours = [line for line in kept if '"size":"blackstone/tiny","players":2,' in line]
    assert len({json.loads(line)["algorithm"] for line in ours}) > 9
    page, words = tmp_path / "p.md", ["blackstone/tiny", "-n", "2", "--decisions", "100000", "--no-runs"]
    ranks = {}
    for draws in (None, False, True):
        mine = json.loads(ours[0]) | {"algorithm": "mine", "title": "Mine", "seed": 1, "draws": draws}
        rows = [kept[0], *ours, *([] if draws is None else [json.dumps(mine)])]
        file.write_text("\n".join(rows) + "\n", encoding="utf-8")
        said = benchmark(room, file, *words, "--page", str(page))
        assert said.status == 0 and "stay as they are" not in said.out, said
        lines = (
            page.read_text(encoding="utf-8").partition("After 100,000 decisions:")[2].partition("##")[0].splitlines()
        )
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
        assert rows[0][2] == "rank" and rows[0][5] == "95 % of the mean"
        ranks[draws] = {row[0]: (row[2], row[5]) for row in rows[1:]}
    assert ranks[True].pop("Mine") == ("–", "–") and ranks[True] == ranks[None]
    assert ranks[False].pop("Mine")[0] != "–" and "–" not in {rank for rank, _mean in ranks[False].values()}


def test_a_page_begins_with_who_is_best(room: Room, file: Path, tmp_path: Path) -> None:
    said = benchmark(room, file, *FEW, "--page", str(tmp_path / "p.md"))
    page = (tmp_path / "p.md").read_text(encoding="utf-8")
    assert "\n- After 0.05 s, of 1 `tiny` size: *CFR+* on 1.\n" in page and "| 41.2 % | **" in page, said
    assert not [words for words in ("Budgets", "Leduc", "**Search", "Entropy", "More than two") if words in page]
    assert ", 3 at " in page


def test_how_long_runs_by_decisions_take_follows_their_number(room: Room, file: Path) -> None:
    words = ["hawthorn/tiny", "-n", "2", "--algorithms", "cfr_plus", "--no-runs"]
    assert "that takes about 20 s of one" in benchmark(room, file, *words, "--decisions", "10000000").out
    assert "that takes about 0.20 s of one" in benchmark(room, file, *words, "--decisions", "100000").out


def test_a_changed_file_and_another_struct_are_other_versions(room: Room, file: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(MINE)
    words = [*SIZE, "--seeds", "1", "--algorithms", "cfr_plus", str(mine)]
    benchmark(room, file, *words)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[1]["versions"]["struct"] = 0
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    mine.write_text(MINE + "# changed\n")
    kept = file.read_bytes()
    said = benchmark(room, file, *words, "--page", str(tmp_path / "p.md"))
    assert said.out.startswith("0 of 2 runs are to be made;") and file.read_bytes() == kept
    assert "2 results stay as they are, the first made with hexdeck" in said.out and "struct 0" in said.out
    assert "Runs by earlier versions of their games: hawthorn 1." in (tmp_path / "p.md").read_text(encoding="utf-8")
    assert benchmark(room, file, *words, "--renew").out.startswith("2 of 2 runs are to be made;")
    assert benchmark(room, file, *words).out.count("\n") == 1


@for_each(
    ("words", "why"),
    [
        (["huge"], "There is no size huge; there are tiny, small, mid, full."),
        (["tiny", "--algorithms", "cfr"], "There is no algorithm cfr; there are cfr_plus, pcfr_plus"),
        (["tiny", "--algorithms", "nowhere.py"], "There is no file nowhere.py."),
        (["tiny", "--seeds", "0"], "--seeds can't be 0; it takes 1 to 1,000."),
        (["hawthorn/tiny", "-n", "9"], "There is no size of hawthorn/tiny for 9 players; there are for 2 or 3."),
        (["hawthorn/full", "--algorithms", "cfr_plus"], "None of these algorithms runs on hawthorn/full: "),
        (["tiny", "--algorithms", "a/mine.py", "b/mine.py"], "There are two algorithms mine; name each"),
    ],
)
def test_what_makes_no_sense_is_refused(words, why, room, file, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("a", "b"):
        Path(folder).mkdir(exist_ok=True)
        Path(folder, "mine.py").write_text(MINE)
    said = benchmark(room, file, *words)
    assert said.status == 2 and why in said.err.replace("\n", " ") and not file.exists()


def test_results_are_given_as_data(room: Room, file: Path) -> None:
    said = benchmark(room, file, *FEW, "--json")
    found = json.loads(said.out)
    assert (found["what"], len(found["results"])) == ("benchmark", 3) and "3 of 3 runs" in said.err
    told = (DOCS / "reference" / "data.md").read_text(encoding="utf-8")
    assert not [key for key in found["results"][0] if f"`{key}`" not in told]


def test_the_page_of_the_docs_is_that_of_its_results(tmp_path: Path) -> None:
    """`hexdeck benchmark --no-runs --resume docs/learning/benchmark.jsonl --page docs/notebook/benchmark.md`."""
    results = list(BenchmarkResults(DOCS / "learning" / "benchmark.jsonl").found.values())
    for folder in ("howto", "reference"):
        (tmp_path / folder).symlink_to(DOCS / folder)
    (tmp_path / "notebook").mkdir()
    for name in ("entropy.md", "tuning.md"):
        (tmp_path / "notebook" / name).symlink_to(DOCS / "notebook" / name)
    for each in write_page(tmp_path / "notebook" / "benchmark.md", results):
        kept = DOCS / each.relative_to(tmp_path)
        assert each.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8"), kept


def test_a_row_is_run_again_at_equal_work(room: Room, file: Path) -> None:
    words = ["hawthorn/tiny", "-n", "2", "--decisions", "20000", "--seeds", "1"]
    said = benchmark(room, file, *words, "--algorithms", "cfr_plus", "mccfr", "ppo", "pimc")
    assert said.status == 0, said.err + said.out
    found = BenchmarkResults(file)
    for number, row in enumerate(found.rows, 1):
        assert (row.budget, row.seed) == (20000, 1) and row.processor and row.commit is not None
        assert row.algorithm == "pimc" or 20000 <= row.decisions < 60000, row
        said = benchmark(room, file, "--again", str(number))
        assert said.status == 0 and "It agrees: NashConv is " in said.out, said
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[2]["points"][-1][2] += 0.01
    lines[2]["versions"]["hexdeck"] = "0.0.1"
    lines[3]["budget"] = 0
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = benchmark(room, file, "--again", "2")
    assert said.status == 1 and "It differs: NashConv is " in said.out and "other versions of hexdeck" in said.out
    for row_number, why in (("3", "learns by the clock"), ("9", "has 4 rows; there is no row 9")):
        said = benchmark(room, file, "--again", row_number)
        assert said.status == 2 and why in " ".join(said.err.split())


def test_an_algorithm_that_counts_no_decisions_needs_seconds(room: Room, file: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    words = ["hawthorn/tiny", "-n", "2", "--decisions", "10", "--seeds", "1", "--algorithms"]
    said = benchmark(room, file, *words, str(tmp_path / "mine.py"))
    assert said.status == 1 and "First move counts guesses, not decisions: give it seconds." in said.out
