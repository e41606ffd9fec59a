"""Tournaments: the same deals in all seatings, scores that are known, and programs outside that misbehave."""

import itertools
import json
import os
import sys
import threading
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players import programs as program_bots
from hexdeck.bots.players.programs import Forfeit, Loss, Program, action_of, end_message, turn_message
from hexdeck.engine.text import say
from hexdeck.files import ResumableFile
from hexdeck.research import tournament as module
from hexdeck.research.tournament import (
    GameRecord,
    Tournament,
    TournamentSetup,
    count_seatings,
    games_in,
    play,
    seatings,
    tournament,
    tournament_file,
)
from tests.people import Room
from tests.settings import much, small_game
from tests.support import for_each, until

EXAMPLE = Path(__file__).parents[2] / "examples" / "random_bot.py"
GAME = hexdeck.game("hawthorn", 2)
AB = TournamentSetup(GAME, ("a", "b"))
FIRST_MOVE = (
    "import json, sys\nfor line in sys.stdin:\n    t = json.loads(line)\n    if t['state'] == 'playing':\n        "
)
ENOUGH, AT_ONCE = 300.0, 0.01  # seconds: for a program that answers, and for one that never will
ANSWER = FIRST_MOVE + "print(json.dumps({'move': t['view']['moves'][0]['name']}), flush=True)\n"


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """With machine code, whatever the environment says; programs may take long to end."""
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setattr(program_bots, "PATIENCE", ENOUGH)


def program(tmp_path: Path, source: str) -> str:
    file = tmp_path / "bot.py"
    file.write_text(source, encoding="utf-8")
    return f"run:{sys.executable} {file}"


# --- ours -----------------------------------------------------------------------------------------------------------
def test_bots_meet_in_all_seatings_or_in_a_balanced_part() -> None:
    assert seatings(2, "ab") == [("a", "b"), ("b", "a")]
    assert len(set(seatings(4, "ab"))) == 14 and len(set(seatings(6, "ab"))) == 62
    assert len(set(seatings(3, "abc"))) == 24 and {"a", "b", "c"} in map(set, seatings(3, "abc"))
    for players, bots in ((8, "ab"), (5, "abc"), (4, "abcd"), (6, "abcdefg")):
        tables = seatings(players, bots)
        assert len(tables) == len(set(tables)) < count_seatings(players, bots)
        assert all(len(each) == players and len(set(each)) > 1 for each in tables)
        for seat in range(players):
            often = Counter(each[seat] for each in tables)
            assert set(often) == set(bots) and len(set(often.values())) == 1, (players, bots, often)
        assert len(bots) == 2 or any(len(set(each)) > 2 for each in tables)


def test_each_deal_is_played_in_every_seating_by_every_pair() -> None:
    found = tournament(TournamentSetup(GAME, ("house", "gentle", "random"), 5), 3)
    assert found.deals == 3 and len(found.games) == 3 * 3 * 2
    assert {(each.deal, each.seating) for each in found.games} == {
        (deal, pair)
        for deal in range(3)
        for a, b in (("house", "gentle"), ("house", "random"), ("gentle", "random"))
        for pair in ((a, b), (b, a))
    }


def test_scores_are_those_of_the_games() -> None:
    found = Tournament(AB, [], 2)
    for deal, won in enumerate([((3, -3), (3, -3)), ((0, 0), (5, -5))]):
        found.games += [GameRecord(deal, ("a", "b"), won[0]), GameRecord(deal, ("b", "a"), won[1])]
    assert found.scores("a", "b").tolist() == [0.5, 0.25] and found.scores("b", "a").tolist() == [0.5, 0.75]
    assert found.crosstable()["a", "b"].value == pytest.approx(0.375)


def test_who_plays_better_is_rated_higher() -> None:
    found = tournament(TournamentSetup(GAME, ("random", "house"), 3), 25)
    assert found.crosstable()["house", "random"].low > 0.5
    assert found.ratings()[0].value == 0 and found.ratings()[1].low > 0


@pytest.mark.parametrize("before", much([5], [0, 5]))
def test_several_games_at_a_time_give_the_same_tournament(before, tmp_path, monkeypatch) -> None:
    setup = TournamentSetup(GAME, ("random", "gentle", program(tmp_path, ANSWER)), 3, think=ENOUGH)
    one, together, begun = tournament(setup, 3), threading.Barrier(4), iter(range(18))

    def met(*given: Any) -> GameRecord:
        if next(begun) < 4:
            together.wait(ENOUGH)  # the first four are played at the same time, or never
        return play(*given)

    monkeypatch.setattr(module, "play", met)
    for game in one.games[:before]:
        tournament_file(tmp_path / "games", setup).add(game.data())
    several = tournament(setup, 3, jobs=4, file=tournament_file(tmp_path / "games", setup))
    assert several.games == one.games and several.deals == 3


def test_who_else_takes_part_changes_no_game() -> None:
    few = tournament(TournamentSetup(GAME, ("random", "gentle"), 3), 3).games
    many = tournament(TournamentSetup(GAME, ("house", "random", "gentle"), 3), 3).games
    assert [each for each in many if set(each.seating) == {"random", "gentle"}] == few


def test_three_bots_sit_at_one_table_and_are_scored_there() -> None:
    game = hexdeck.game("hawthorn", 3)
    found = tournament(TournamentSetup(game, ("random", "gentle", "house")), 2)
    mixed = [each for each in found.games if len(set(each.seating)) == 3]
    assert len(mixed) == 12 and len(found.games) == 48
    found.games = [each for each in mixed if each.deal == 0]
    found.deals = 1
    assert found.scores("house", "random")[0] == np.mean(
        [
            (a > b) + 0.5 * (a == b)
            for each in found.games
            for a, b in [(each.returns[each.seating.index("house")], each.returns[each.seating.index("random")])]
        ]
    )


def test_no_interval_is_without_width() -> None:
    found = tournament(TournamentSetup(GAME, ("random", "run:there-is-no-such-program")), 3)
    lost = found.crosstable()["run:there-is-no-such-program", "random"]
    assert lost.value == lost.low == 0 and lost.high > 0.3
    rating = found.ratings()[1]
    assert rating.low <= rating.value < rating.high and rating.margin > 100
    same = Tournament(AB, [GameRecord(deal, ("a", "b"), (0.0, 0.0)) for deal in range(3)], 3)
    even = same.crosstable()["a", "b"]
    assert even.value == 0.5 and even.margin > 0.2 and same.ratings()[1].margin > 50


# --- going on ---------------------------------------------------------------------------------------------------------
def test_an_interrupted_tournament_goes_on_to_the_same(tmp_path: Path) -> None:
    setup, path = TournamentSetup(GAME, ("random", "gentle", "house"), 3), tmp_path / "games"

    def file() -> ResumableFile:
        return tournament_file(path, setup)

    def games() -> list[GameRecord]:
        return games_in(file())

    def stop(_done: int) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    whole = tournament(setup, 4)
    for played in range(3):
        left = iter(range(played))  # those that are there already
        with pytest.raises(KeyboardInterrupt):
            tournament(setup, 4, progress=stop, file=file())
        assert len(games()) == played + 1
    resumed = tournament(setup, 4, file=file())
    assert resumed.games == whole.games == games()
    fewer = tournament(setup, 2, file=file())
    assert len(fewer.games) == 12 and games() == whole.games


def test_games_lost_by_rule_are_kept_too(tmp_path: Path) -> None:
    setup = TournamentSetup(GAME, ("random", "run:there-is-no-such-program"))
    found = tournament(setup, 2, file=tournament_file(tmp_path / "games", setup))
    again = games_in(tournament_file(tmp_path / "games", setup))
    assert [(each.deal, each.seating, each.loser, str(each.why)) for each in again] == [
        (each.deal, each.seating, each.loser, str(each.why)) for each in found.games
    ]


@for_each("what", ["bots", "seed", "players"])
def test_another_tournament_is_not_added_to(what: str, tmp_path: Path) -> None:
    path, setup = tmp_path / "games", TournamentSetup(GAME, ("random", "gentle"))
    tournament(setup, 2, file=tournament_file(path, setup))
    other = {
        "bots": replace(setup, bots=("random", "house")),
        "seed": replace(setup, seed=2),
        "players": replace(setup, game=hexdeck.game("hawthorn", 3)),
    }
    with pytest.raises(hexdeck.HexdeckError, match=rf"isn't of this run \(different {what}\)"):
        tournament_file(path, other[what])


# --- programs outside -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["cursed-hand", pytest.param("high-handed", marks=pytest.mark.long)])
def test_the_example_plays_whole_games(name: str) -> None:
    game = small_game(name)
    found = tournament(TournamentSetup(game, ("random", f"run:{sys.executable} {EXAMPLE}"), think=ENOUGH), 2)
    assert not found.forfeits(found.setup.bots[1]) and all(each.returns for each in found.games)


@for_each(
    ("source", "why"),
    [
        ("raise SystemExit(3)", "the program ended"),
        ("import time; time.sleep(600)", "no answer within 0.01 seconds"),
        (FIRST_MOVE + "print('hello', flush=True)", "nonsense: hello"),
        (FIRST_MOVE + "print('{\"move\": [1]}', flush=True)", "nonsense"),
        (FIRST_MOVE + "print('{\"move\": 9999}', flush=True)", "illegal"),
        (FIRST_MOVE + "print('\\xff' * 300000, flush=True)", "nonsense"),
        (FIRST_MOVE + "__import__('os').close(1)", "the program ended"),
    ],
)
def test_who_misbehaves_loses_each_game_and_the_tournament_goes_on(source: str, why: str, tmp_path: Path) -> None:
    name = program(tmp_path, source)
    think = AT_ONCE if "sleep" in source else ENOUGH
    found = tournament(TournamentSetup(GAME, ("random", name), think=think), 2)
    assert len(found.games) == 4 and len(found.forfeits(name)) == 4
    assert all(why in str(each.why) and each.returns is None for each in found.games)
    assert found.crosstable()["random", name].value == 1 and found.means(name).value == 0


def test_it_is_started_again_after_a_crash(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    crash = f"import pathlib\nmark = pathlib.Path({str(mark)!r})\nif not mark.exists():\n    mark.touch()\n"
    crash_once = crash + "    raise SystemExit(1)\n"
    found = tournament(TournamentSetup(GAME, ("random", program(tmp_path, crash_once + ANSWER)), think=ENOUGH), 2)
    assert [each.loser >= 0 for each in found.games] == [True, False, False, False]


def test_what_was_said_before_the_question_is_no_answer(tmp_path: Path) -> None:
    twice = ANSWER.replace("print(", "print('noise', file=sys.stderr); print(") + "        print('late', flush=True)\n"
    found = tournament(TournamentSetup(GAME, ("random", program(tmp_path, twice)), think=ENOUGH), 2)
    assert all(each.returns or "late" in str(each.why) for each in found.games)


@for_each("players", [2, 3, 4])
def test_who_forfeits_every_game_wins_nothing_on_any_seat(players: int) -> None:
    name = "run:there-is-no-such-program"
    found = tournament(TournamentSetup(hexdeck.game("hawthorn", players), ("random", name)), 2)
    assert len(found.forfeits(name)) == len(found.games)
    assert found.crosstable()[name, "random"].value == 0 and found.means(name).value == 0


def test_a_message_is_what_the_seat_knows_and_no_more() -> None:
    match = GAME.match(seed=1)
    message = turn_message(match, 0, 3)
    other = match.resample(0, 5)
    assert turn_message(other, 0, 3)["struct"] == message["struct"] and turn_message(match, 1, 3) != message
    assert {"game", "rules", "options", "state", "version", "seat", "view", "struct"} <= set(message)
    first = message["view"]["moves"][0]
    assert action_of(match, f'{{"move": {first["id"]}}}') == action_of(match, f'{{"move": "{first["name"]}"}}')
    assert action_of(match, '{"move": true}') is None and action_of(match, "[" * 100_000) is None


def test_nothing_in_a_message_tells_what_others_did_in_secret() -> None:
    game = hexdeck.game("cursed-hand", 4)
    match, other = game.match(seed=3), game.match(seed=3)
    for seat, pick in ((1, 0), (2, 1)):
        match.play(seat, match.legal_ids(seat)[pick])
    assert turn_message(match, 0, 0)["version"] == turn_message(other, 0, 0)["version"]
    one, two = (game.match(seed=3) for _k in range(2))
    one.play(1, one.legal_ids(1)[0])
    two.play(1, two.legal_ids(1)[-1])
    assert turn_message(one, 0, 0) == turn_message(two, 0, 0)


SCRIBE = (
    "import json, os, sys\nfor line in sys.stdin:\n    t = json.loads(line)\n"
    "    with open(FILE, 'a') as file:\n"
    "        file.write(json.dumps([os.getpid(), t['seat'], t['state'], t['version'], t['forfeit'],\n"
    "                               len(t['view']['moves']), t['view']['prompt']]) + '\\n')\n"
    "    if t['state'] == 'playing':\n        print(json.dumps({'move': t['view']['moves'][0]['id']}), flush=True)\n"
)


def lines_of(tmp_path: Path, players: int, other: str) -> list[list[Any]]:
    """What a program was told that writes all of it down, in a tournament with another bot."""
    file = tmp_path / "told.jsonl"
    scribe = program(tmp_path, SCRIBE.replace("FILE", repr(str(file))))
    tournament(TournamentSetup(hexdeck.game("hawthorn", players), (scribe, other), think=ENOUGH), 2)
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_each_seat_has_a_process_of_its_own(tmp_path: Path) -> None:
    told_to = lines_of(tmp_path, 3, "random")
    seats = {pid: {each[1] for each in told_to if each[0] == pid} for pid in {each[0] for each in told_to}}
    assert sorted(map(tuple, seats.values())) == [(0,), (1,), (2,)]
    versions = [each[3] for each in told_to if each[0] == told_to[0][0]]
    assert versions[0] == 0 and all(b in (a + 1, 0) for a, b in itertools.pairwise(versions))


def test_the_others_are_told_who_lost_by_rule_and_why(tmp_path: Path) -> None:
    told_to = lines_of(tmp_path, 2, "run:there-is-no-such-program")
    match = GAME.match(seed=1)  # in which all choose first, at the same time
    assert turn_message(match, 1, 0)["view"]["moves"]
    end = end_message(match, 1, 0, Loss(0, say("the program ended")))
    assert end["state"] == "over" and not end["view"]["moves"] and not end["view"]["acting"]
    ends = [each for each in told_to if each[2] == "over"]
    assert ends and all(each[4]["seat"] == 1 - each[1] and "can't be started" in each[4]["why"] for each in ends)
    assert all(each[5] == 0 and "forfeited the match" in each[6]["key"] for each in ends)
    assert all(each[4] is None for each in lines_of(tmp_path, 2, "random")[len(told_to) :])


def test_an_ended_program_is_no_longer_there(tmp_path: Path) -> None:
    player = Program(program(tmp_path, ANSWER).removeprefix("run:"), ENOUGH)
    match = GAME.match(seed=1)
    player.choose(match, match.actor)
    process = player._process
    player.close()
    assert process is not None and process.returncode == 0
    with pytest.raises(Forfeit):
        Program("there-is-no-such-program", 1).choose(match, match.actor)


@pytest.mark.parametrize("source", ["time.sleep(600)", "print(json.dumps({'move': MOVE}), flush=True)"])
def test_who_never_reads_loses_too(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.bots.players.programs.message", lambda *_: {"more": "than a pipe holds" * 100_000})
    match = GAME.match(seed=1)
    loop = f"import json, time\nwhile True:\n    {source}\n"
    command = program(tmp_path, loop.replace("MOVE", str(match.legal_ids(match.actor)[0]))).removeprefix("run:")
    player = Program(command, AT_ONCE)
    for _again in range(2):
        with pytest.raises(Forfeit, match=r"no answer within 0\.01 seconds"):
            player.choose(match, match.actor)
        assert not player._writer.is_alive() and not player._reader.is_alive()
    player._start()
    player.over(match, match.actor)
    assert player._process is None


def test_who_never_stops_talking_fills_no_memory_and_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.bots.players.programs.MOST_KEPT", 50)
    player = Program(program(tmp_path, "while True:\n    print('so', flush=True)\n").removeprefix("run:"), ENOUGH)
    player._start()
    until(player._answers.full)
    match, listener = GAME.match(seed=1), player._reader
    with pytest.raises(Forfeit, match="nonsense: so"):
        player.choose(match, match.actor)
    assert not listener.is_alive() and player._process is None


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
@pytest.mark.parametrize("silent", [True, False])
def test_what_a_program_has_started_ends_with_it(silent: bool, tmp_path: Path) -> None:
    then = "wait" if silent else program(tmp_path, ANSWER).removeprefix("run:")
    player = Program(f"sh -c 'sleep 6000 & {then}'", AT_ONCE if silent else ENOUGH)
    match = GAME.match(seed=1)
    with pytest.raises(Forfeit) if silent else nullcontext():
        player.choose(match, match.actor)
    player.close()
    assert not player._reader.is_alive()  # nobody has its output open any more


# --- the command ----------------------------------------------------------------------------------------------------
def test_the_command_prints_ratings_and_writes_rows(room: Room, tmp_path: Path) -> None:
    file = tmp_path / "games"
    words = ["tournament", "hawthorn", "house", "run:false", "-n", "2", "--deals", "2", "--resume", str(file)]
    said = room.hexdeck("--lang", "nl", *words)
    assert said.status == 0, said.err
    assert "lost a game by rule" in said.out
    rows = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    assert room.hexdeck("--lang", "nl", *words).out == said.out  # nothing is played again
    other = room.hexdeck(*words, "--seed", "5")
    assert other.status == 2 and "different seed" in other.err
    assert len(rows) == 4 and {row["seating"][0] for row in rows} == {"house", "run:false"}
    assert all(row["forfeit"] >= 0 and row["returns"] is None for row in rows)
    assert json.loads(room.hexdeck(*words, "--json").out)["games"] == rows


@for_each(
    ("words", "why"),
    [
        (["house"], "two bots or more"),
        (["house", "house"], "two bots or more"),
        (["house", "clever"], "There is no bot clever"),
        (["house", "run:"], "run: is not a command"),
        (["house", "random", "--deals", "1"], "--deals can't be 1"),
        (["house", "random", "--think", "0"], "--think can't be 0"),
        (["house", "random", "--jobs", "0"], "--jobs can't be 0"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("tournament", "hawthorn", *words)
    assert said.status == 2 and why in said.err
