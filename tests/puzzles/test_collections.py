"""Collections of puzzles: mined in parts as at once, kept in files, opened or refused in a sentence, and replayed."""

import itertools
import json
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace

import mine_puzzles as mine_module
import pytest
from mine_puzzles import Miner, MiningLimits, matters, mine

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import default_backend
from hexdeck.puzzles import DAYS, EACH_DAY, LISTED, Collection, Pool, Puzzle, explain, is_open, load, shipped
from hexdeck.simulation.game import Game
from tests.settings import GAMES, every_game, much

GAME, SEED = "hawthorn", 1
USUAL_LEAST, LEAST = 20, {"high-handed": 5}  # puzzles that come with a game: those of a large board take long to mine
TODAY = date(2026, 11, 26)


def mined(path: Path, *parts: MiningLimits) -> Collection:
    for bounds in parts:
        found = load(path) if path.exists() else Collection(GAME)
        mine(Miner(Game.at_table(GAME, 4), "house", SEED), found, bounds, lambda found=found: found.save(path))  # type: ignore[misc]
    return load(path)


# --- mining -----------------------------------------------------------------------------------------------------------
@pytest.mark.long
def test_mining_goes_on_where_it_stopped(tmp_path: Path) -> None:
    games = 12
    whole = mined(tmp_path / "whole.json", MiningLimits(games=games))
    parts = mined(tmp_path / "parts.json", MiningLimits(games=2), MiningLimits(games=games - 2))
    assert whole.puzzles and parts == whole and [*whole.done.values()] == [games]
    assert (tmp_path / "parts.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_mining_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(mined(tmp_path / "some.json", MiningLimits(count=1)).puzzles) == 1
    clock = itertools.count(0, 60)  # a minute goes by for each match
    monkeypatch.setattr(mine_module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(Miner, "puzzles", lambda *_: iter(()))
    assert [*mined(tmp_path / "none.json", MiningLimits(minutes=3)).done.values()] == [2]


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("mined") / "one.json"
    mined(path, MiningLimits(count=1))
    return path


def test_a_mined_puzzle_is_what_it_says(one: Path) -> None:
    (puzzle,) = load(one).puzzles
    match = puzzle.match()
    assert match.acting and puzzle.seat in match.acting and not match.over and puzzle.best not in puzzle.costs
    assert match.struct.deal >= 0 and len(puzzle.moves) >= match.game.players
    assert puzzle.bots["house"] != puzzle.best
    assert all(
        cost - margin > matters(match.game.hints.STUDY.measure_in(match.struct)) * 0.9
        for cost, margin in puzzle.costs.values()
        if margin is not None
    )


def test_no_kind_of_move_is_the_answer_too_often() -> None:
    take = Puzzle(GAME, 4, {}, 1, 0, (), 0, "", "take", 0.0, 1.0, {"fold": (2.0, 1.0)}, {}, 9)
    fold = replace(take, best="fold", costs={"take": (2.0, 1.0)})
    found = Collection(GAME)
    for k, puzzle in enumerate((take, take, take, take, fold, fold, take, take)):
        new = replace(puzzle, number=k)
        if found.wants(new):
            found.puzzles.append(new)
    assert [each.best for each in found.puzzles] == ["take", "take", "take", "fold", "fold", "take"]
    assert not found.wants(found.puzzles[0])
    cards = [replace(take, number=k, best="play 3", costs={"play 4": (2.0, 1.0)}) for k in range(6)]
    assert Collection(GAME, cards[:5]).wants(cards[5])  # a kind that is the only one tells nothing


# --- files ------------------------------------------------------------------------------------------------------------
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path, one: Path) -> None:
    path, good = tmp_path / "puzzles.json", json.loads(one.read_text())
    bad = {
        "no file of puzzles": {"a": 1},
        "its puzzles are of hawthorn": good,
        "other rules": good | {"rules": 99},
        "it is damaged": good | {"found": [{"players": 4}]},
        "is damaged": good | {"found": [good["found"][0] | {"number": True}]},
        "damaged": good | {"found": [good["found"][0] | {"seat": 0.5}]},
        "file of puzzles": good | {"puzzles": True},
    }
    for why, data in bad.items():
        path.write_text(json.dumps(data))
        with pytest.raises(HexdeckError, match=f"^The puzzles in .* can't be used: .*{why}"):
            load(path, "blackstone" if why.startswith("its puzzles") else None)
    path.write_text("{")
    with pytest.raises(HexdeckError, match="no file of puzzles"):
        load(path)
    with pytest.raises(HexdeckError, match="There is no file"):
        load(tmp_path / "nowhere.json")


def test_a_position_that_the_rules_do_not_lead_to_is_refused(one: Path) -> None:
    (puzzle,) = load(one).puzzles
    for other in (
        replace(puzzle, check="0" * 12),
        replace(puzzle, moves=("take", *puzzle.moves)),
        replace(puzzle, best="play 99"),
        replace(puzzle, number=puzzle.number + 1),
    ):
        with pytest.raises(HexdeckError, match=r"^A puzzle of hawthorn is of other rules"):
            other.match()


# --- those that come with the games -----------------------------------------------------------------------------------
@every_game
def test_shipped_puzzles_replay_and_are_explained(name: str) -> None:
    found = shipped(name).puzzles
    assert len(found) >= LEAST.get(name, USUAL_LEAST) and len({each.key for each in found}) == len(found)
    for puzzle in much([*found[::9], max(found, key=lambda each: len(each.costs))], found):
        match = puzzle.match()
        measure = match.game.hints.STUDY.measure_in(match.struct)
        assert puzzle.bots["house"] != puzzle.best
        assert all(cost >= matters(measure) for cost, _margin in puzzle.costs.values())
        for move in (puzzle.best, max(puzzle.costs, key=lambda name: puzzle.costs[name])):
            told = explain(puzzle, match, move)
            assert told.right == (move == puzzle.best)
            most = min(LISTED, len(puzzle.costs) + 1)
            assert most <= len(told.lines) <= most + 1
            assert [line.cost is None for line in told.lines] == [True, *[False] * (len(told.lines) - 1)]
            assert [line.chosen for line in told.lines].count(True) == 1


@pytest.mark.long
@every_game
def test_shipped_puzzles_hold_in_other_deals(name: str) -> None:
    """Deals that no part of the mining has seen: the best move is the best again, by as much as was said of it."""
    from hexdeck.bots.advice.hints import evaluator

    for puzzle in shipped(name).puzzles:
        match = puzzle.match(default_backend())
        ids = {name: match.rules.ACTIONS.index(name) for name in (puzzle.best, *puzzle.costs)}
        judge = evaluator(match.game, default_backend(), b"the tests' own")
        found = judge.evaluate(match.concealed(puzzle.seat), puzzle.seat, sorted(ids.values()), 1000)
        second = min(puzzle.costs, key=lambda each: puzzle.costs[each][0])
        lead, margin = found.difference(ids[puzzle.best], ids[second])
        assert max(ids, key=lambda each: found.value(ids[each])[0]) == puzzle.best
        said, spread = puzzle.costs[second]
        assert lead > 0 and abs(lead - said) <= 2 * ((margin or 0.0) + (spread or 0.001)), puzzle


# --- three a day ------------------------------------------------------------------------------------------------------
def test_a_day_has_three_puzzles_and_none_comes_again_before_the_others() -> None:
    pool = Pool.of()
    assert [each.key for each in pool.of_day(TODAY)] == [each.key for each in Pool.of().of_day(TODAY)]
    least = min(len(shipped(name).puzzles) for name in GAMES)
    days = least * len(GAMES) // EACH_DAY
    found = [each for k in range(days) for each in pool.of_day(TODAY + timedelta(k))]
    assert len(found) == EACH_DAY * days
    assert all(len({each.game for each in pool.of_day(TODAY + timedelta(k))}) == EACH_DAY for k in range(days))
    assert len({each.key for each in found}) == len(found)


def test_a_small_pool_repeats_none_within_a_day() -> None:
    puzzle = Puzzle(GAME, 4, {}, 1, 0, (), 0, "", "take", 0.0, 1.0, {"fold": (2.0, 1.0)}, {}, 9)
    assert Pool({}).of_day(TODAY) == () and Pool({GAME: [puzzle]}).of_day(TODAY) == (puzzle,)
    assert len(Pool({GAME: [replace(puzzle, number=k) for k in range(3)]}).of_day(TODAY)) == EACH_DAY


def test_only_the_last_days_are_open() -> None:
    opened = [k for k in range(-3, DAYS + 3) if is_open(TODAY - timedelta(k), TODAY)]
    assert opened == [*range(DAYS)]
