"""Tournaments: the same deals in all seatings, scores that are known, and programs outside that misbehave."""

import os
import sys
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import hexdeck
from hexdeck.lab.outside import Forfeit, Program, action_of, told
from hexdeck.lab.tournament import Played, Tournament, play, seatings, tournament
from tests.people import Room
from tests.settings import small_game

EXAMPLE = Path(__file__).parents[2] / "examples" / "random_bot.py"
GAME = hexdeck.game("hawthorn", 2)
FIRST_MOVE = (
    "import json, sys\nfor line in sys.stdin:\n    t = json.loads(line)\n    if t['state'] == 'playing':\n        "
)
ANSWER = FIRST_MOVE + "print(json.dumps({'move': t['view']['moves'][0]['name']}), flush=True)\n"


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the lane that needs no compiler."""
    monkeypatch.setenv("HEXDECK_LANE", "interpreted")


def program(tmp_path: Path, source: str) -> str:
    """A program as a bot."""
    file = tmp_path / "bot.py"
    file.write_text(source, encoding="utf-8")
    return f"run:{sys.executable} {file}"


# --- ours -----------------------------------------------------------------------------------------------------------
def test_two_bots_meet_in_all_seatings() -> None:
    assert seatings(2, "a", "b") == [("a", "b"), ("b", "a")]
    assert len(set(seatings(4, "a", "b"))) == 14 and len(set(seatings(6, "a", "b"))) == 12
    assert all(set(each) == {"a", "b"} for each in seatings(6, "a", "b"))


def test_each_deal_is_played_in_every_seating_by_every_pair() -> None:
    found = tournament(GAME, ["house", "gentle", "random"], 3, seed=5)
    assert found.deals == 3 and len(found.games) == 3 * 3 * 2
    assert {(each.deal, each.seating) for each in found.games} == {
        (deal, pair) for deal in range(3) for a, b in (("house", "gentle"), ("house", "random"), ("gentle", "random"))
        for pair in ((a, b), (b, a))
    }  # fmt: skip


def test_scores_are_those_of_the_games() -> None:
    found = Tournament(GAME, ("a", "b"), [], 2)
    for deal, won in enumerate([((3, -3), (3, -3)), ((0, 0), (5, -5))]):
        found.games += [Played(deal, ("a", "b"), won[0]), Played(deal, ("b", "a"), won[1])]
    assert found.scores("a", "b").tolist() == [0.5, 0.25] and found.scores("b", "a").tolist() == [0.5, 0.75]
    assert found.crosstable()["a", "b"].value == pytest.approx(0.375)


def test_who_plays_better_is_rated_higher() -> None:
    found = tournament(GAME, ["random", "house"], 25, seed=3)
    assert found.crosstable()["house", "random"].low > 0.5
    assert found.ratings()[0].value == 0 and found.ratings()[1].low > 0


def test_the_same_seed_gives_the_same_tournament() -> None:
    runs = [tournament(GAME, ["random", "gentle"], 4, seed=3).rows() for _run in range(2)]
    assert runs[0] == runs[1]


# --- programs outside -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["cursed-hand", "high-handed"])
def test_the_example_plays_whole_games(name: str) -> None:
    game = small_game(name)
    found = tournament(game, ["random", f"run:{sys.executable} {EXAMPLE}"], 2)
    assert not found.forfeits(found.bots[1]) and all(each.returns for each in found.games)


def test_an_answer_may_name_its_move(tmp_path: Path) -> None:
    found = tournament(GAME, ["house", program(tmp_path, ANSWER)], 2)
    assert all(each.returns for each in found.games)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise SystemExit(3)", "the program ended"),
        ("import time; time.sleep(60)", "no answer within 0.5 seconds"),
        (FIRST_MOVE + "print('hello', flush=True)", "nonsense: hello"),
        (FIRST_MOVE + "print('{\"move\": [1]}', flush=True)", "nonsense"),
        (FIRST_MOVE + "print('{\"move\": 9999}', flush=True)", "illegal"),
        (FIRST_MOVE + "print('\\xff' * 300000, flush=True)", "nonsense"),
        (FIRST_MOVE + "__import__('os').close(1)", "the program ended"),
    ],
)
def test_who_misbehaves_loses_each_game_and_the_tournament_goes_on(source: str, why: str, tmp_path: Path) -> None:
    name = program(tmp_path, source)
    think = 0.5 if "sleep" in source else 20.0
    found = tournament(GAME, ["random", name], 2, think=think)
    assert len(found.games) == 4 and len(found.forfeits(name)) == 4
    assert all(why in str(each.why) and each.returns is None for each in found.games)
    assert found.crosstable()["random", name].value == 1 and found.means(name).value == 0


def test_a_program_that_is_not_there_loses_too() -> None:
    found = tournament(GAME, ["random", "run:there-is-no-such-program"], 2)
    assert "can't be started" in str(found.games[0].why)


def test_it_is_started_again_after_a_crash(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    crash = f"import pathlib\nmark = pathlib.Path({str(mark)!r})\nif not mark.exists():\n    mark.touch()\n"
    crash_once = crash + "    raise SystemExit(1)\n"
    found = tournament(GAME, ["random", program(tmp_path, crash_once + ANSWER)], 2)
    assert [each.loser >= 0 for each in found.games] == [True, False, False, False]


def test_what_was_said_before_the_question_is_no_answer(tmp_path: Path) -> None:
    twice = ANSWER.replace("print(", "print('noise', file=sys.stderr); print(") + "        print('late', flush=True)\n"
    found = tournament(GAME, ["random", program(tmp_path, twice)], 2)
    assert all(each.returns or "late" in str(each.why) for each in found.games)


def test_a_forfeit_puts_the_loser_last_and_all_others_first() -> None:
    game = hexdeck.game("hawthorn", 3)
    broken = Program("there-is-no-such-program", 1.0)
    good = tournament(GAME, ["random", "gentle"], 2)
    assert good.deals == 2
    from hexdeck.lab.tournament import Ours

    players = [Ours("random", game, 1), broken, Ours("gentle", game, 1)]
    found = play(game, players, ("random", "x", "gentle"), 1, 0)
    assert found.loser == 1 and np.array_equal(found.results(), [0, -1, 0])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_who_forfeits_every_game_wins_nothing_on_any_seat(players: int) -> None:
    name = "run:there-is-no-such-program"
    found = tournament(hexdeck.game("hawthorn", players), ["random", name], 2)
    assert len(found.forfeits(name)) == len(found.games)
    assert found.crosstable()[name, "random"].value == 0 and found.means(name).value == 0


def test_a_message_is_what_the_seat_knows_and_no_more() -> None:
    match = GAME.match(seed=1)
    message = told(match, 0, "playing")
    other = match.redeal(0, 5)
    assert told(other, 0, "playing")["struct"] == message["struct"] and told(match, 1, "playing") != message
    assert {"game", "rules", "options", "state", "version", "seat", "view", "struct"} <= set(message)
    first = message["view"]["moves"][0]
    assert action_of(match, f'{{"move": {first["id"]}}}') == action_of(match, f'{{"move": "{first["name"]}"}}')
    assert action_of(match, '{"move": true}') is None and action_of(match, "[" * 100_000) is None


def test_an_ended_program_is_no_longer_there(tmp_path: Path) -> None:
    player = Program(program(tmp_path, ANSWER).removeprefix("run:"), 20)
    match = GAME.match(seed=1)
    player.choose(match, match.actor)
    process = player._process
    player.close()
    assert process is not None and process.returncode == 0
    with pytest.raises(Forfeit):
        Program("there-is-no-such-program", 1).choose(match, match.actor)


@pytest.mark.parametrize("source", ["time.sleep(8)", "print(json.dumps({'move': MOVE}), flush=True); time.sleep(0.01)"])
def test_who_never_reads_loses_too(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.lab.outside.told", lambda *_: {"more": "than a pipe holds" * 100_000})
    match = GAME.match(seed=1)
    loop = f"import json, time\nfor _ in range(800):\n    {source}\n"
    command = program(tmp_path, loop.replace("MOVE", str(match.legal_ids(match.actor)[0]))).removeprefix("run:")
    player = Program(command, 1.0)
    for _again in range(2):
        with pytest.raises(Forfeit, match="no answer within 1 seconds"):
            player.choose(match, match.actor)
        assert not player._speaker.is_alive() and not player._listener.is_alive()
    player._start()
    player.over(match, match.actor)
    assert player._process is None


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
@pytest.mark.parametrize("silent", [True, False])
def test_what_a_program_has_started_ends_with_it(silent: bool, tmp_path: Path) -> None:
    then = "wait" if silent else program(tmp_path, ANSWER).removeprefix("run:")
    player = Program(f"sh -c 'sleep 20 & {then}'", 0.5 if silent else 20)
    match = GAME.match(seed=1)
    with pytest.raises(Forfeit) if silent else nullcontext():
        player.choose(match, match.actor)
    player.close()
    assert not player._listener.is_alive()  # nobody has its output open any more


# --- the command ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", ["en", "nl"])
def test_the_command_prints_ratings_and_writes_rows(lang: str, room: Room, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    words = ["tournament", "hawthorn", "house", "run:no-such-program", "-n", "2", "--deals", "2", "--out", str(file)]
    said = room.hexdeck("--lang", lang, *words)
    assert said.status == 0, said.err
    assert ("lost a game by rule" if lang == "en" else "verloor een partij volgens de regel") in said.out
    rows = pd.read_parquet(file)
    assert len(rows) == 4 and set(rows["bot_0"]) == {"house", "run:no-such-program"} and (rows["forfeit"] >= 0).all()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["house"], "at least two bots"),
        (["house", "house"], "at least two bots"),
        (["house", "clever"], "There is no bot clever"),
        (["house", "run:"], "is no command"),
        (["house", "random", "--deals", "1"], "--deals can't be 1"),
        (["house", "random", "--think", "0"], "--think can't be 0"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("tournament", "hawthorn", *words)
    assert said.status == 2 and why in said.err


def test_another_bot_changes_nothing_between_two() -> None:
    game = hexdeck.game("hawthorn", 2)
    two, three = (tournament(game, bots, 3) for bots in (["gentle", "random"], ["house", "gentle", "random"]))
    assert np.array_equal(two.scores("gentle", "random"), three.scores("gentle", "random"))
    pair = {"gentle", "random"}
    assert [each.returns for each in two.games] == [each.returns for each in three.games if set(each.seating) == pair]


def test_what_always_came_leaves_much_open_after_few_deals() -> None:
    game = hexdeck.game("hawthorn", 2)
    for won in (1.0, 0.0, 0.5):
        found = Tournament(game, ("a", "b"), deals=4)
        for deal in range(4):
            for seating in (("a", "b"), ("b", "a")):
                result = [won if who == "a" else 1 - won for who in seating]
                found.games.append(Played(deal, seating, tuple(result)))
        score, (first, other) = found.crosstable()["a", "b"], found.ratings()
        assert score.value == won and 0 <= score.low < score.high <= 1 and score.margin > 0.2
        assert first.margin == 0 and other.low <= other.value <= other.high and other.margin > 100
        assert found.means("a").margin > 0.2
