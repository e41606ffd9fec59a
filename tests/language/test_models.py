"""Language models in tournaments: scripted ones behind a program and an endpoint, good, bad and out of reach."""

import json
import random
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.research import models
from hexdeck.research.models import KEY, ChatEndpoint, ModelBot, PromptProgram, Transcripts
from hexdeck.research.prompt import ModelCounts, ModelPlayer
from hexdeck.research.tournament import TournamentSetup, games_in, tournament, tournament_file
from tests.settings import much
from tests.support import PATIENCE, for_each

GAME = hexdeck.game("hawthorn", 2)
MODEL = """
import random, sys
asked = sys.stdin.read()
print("banana" if random.random() < 0.2 else "I choose move 1.")
"""
Answering = Callable[[dict[str, Any]], tuple[int, Any]]  # a request's body -> status and response


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setattr(models, "WAIT", 0.0)


class Endpoint:
    """An endpoint on this machine, and what it was sent."""

    def __init__(self, answering: Answering) -> None:
        self.sent: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.sent.append(body)
                endpoint.headers.append(dict(self.headers))
                status, said = answering(body)
                out = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "http://elsewhere.example/")
                self.send_header("Content-Length", str(len(out)))
                self.end_headers()
                with suppress(BrokenPipeError):
                    self.wfile.write(out)

            def log_message(self, *_given: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("localhost", 0), Handler)

    @property
    def name(self) -> str:
        return f"chat:http://localhost:{self.server.server_port}/v1/chat/completions#scripted"


@contextmanager
def serving(answering: Answering) -> Iterator[Endpoint]:
    """An endpoint while it serves."""
    found = Endpoint(answering)
    thread = threading.Thread(target=found.server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield found
    finally:
        found.server.shutdown()
        found.server.server_close()
        thread.join()


def saying(said: str) -> tuple[int, Any]:
    return 200, {"choices": [{"index": 0, "message": {"role": "assistant", "content": said}}]}


def one_in_five(seed: int) -> Answering:
    rng = random.Random(seed)

    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        moves = re.findall(r"^\d+\. (.+)$", body["messages"][1]["content"].split("# Your moves")[1], re.MULTILINE)
        return saying("The moon is a banana." if rng.random() < 0.2 else f"I like this:\n**{rng.choice(moves)}**")

    return answer


def test_matches_of_a_model_that_talks_nonsense_one_time_in_five_end_and_the_table_says_so(tmp_path, capsys) -> None:
    file, figures, deals = tmp_path / "asked.jsonl", tmp_path / "figures.json", much(8, 50)
    with serving(one_in_five(1)) as endpoint:
        given = f"tournament hawthorn easy {endpoint.name} -n 2 --think 60 --deals {deals} --tries 2".split()
        assert main([*given, "--transcripts", str(file), "--data", str(figures)]) == 0
    found = json.loads(figures.read_text(encoding="utf-8"))
    (asked,) = found["models"].values()
    assert found["deals"] == deals and [each["forfeits"] for each in found["ratings"]] == [0, 0]
    assert asked["answers"] == len(endpoint.sent) == asked["asked"] + asked["refused"]["nonsense"] - asked["fallbacks"]
    assert 0.13 < asked["refused"]["nonsense"] / asked["answers"] < 0.27 and asked["fallbacks"] > 0
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == asked["asked"] and sum(line["fallback"] for line in lines) == asked["fallbacks"]
    assert len({(line["deal"], *line["seating"]) for line in lines}) == 2 * deals
    printed = capsys.readouterr().out
    assert "Language models: a random move is made after 2 refused answers" in printed
    assert "(no move in" in printed and str(asked["asked"]) in printed
    ratings = found["ratings"][1]["rating"]
    assert ratings["low"] < ratings["value"] < ratings["high"]


def test_a_program_that_answers_prompts_plays_the_deals_of_our_bots(tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    program.write_text(MODEL, encoding="utf-8")
    setup = TournamentSetup(GAME, ("random", f"prompt:{sys.executable} {program}"), 3, think=PATIENCE)
    transcripts, file = Transcripts(tmp_path / "asked.jsonl"), tournament_file(tmp_path / "games", setup)
    found = tournament(setup, 2, jobs=2, transcripts=transcripts, file=file)
    assert len(found.games) == 4 and not any(each.why for each in found.games)
    asked = found.counts_of(setup.bots[1])
    assert asked.asked > 3 and asked.seconds > 0 and set(asked.refused) <= {"nonsense"}
    file = tournament_file(tmp_path / "games", setup)
    again = games_in(file)
    assert again == found.games  # what was asked included
    resumed = tournament(setup, 2, file=file)
    assert resumed.counts_of(setup.bots[1]).data() == again_asked(again, setup.bots[1])


def again_asked(games: list[Any], name: str) -> dict[str, Any]:
    out = ModelCounts()
    for each in games:
        out.add(each.models.get(name, ModelCounts().data()))
    return out.data()


def test_a_line_of_transcripts_is_never_joined_to_one_that_a_crash_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "asked.jsonl"
    player, match = ModelBot(f"prompt:{sys.executable} -c print('1')", PATIENCE), GAME.match(1)
    for before in ("", '{"deal": 0, "sea'):
        file.write_text(before, encoding="utf-8")
        player.transcript.clear()
        player.choose(match, 0)
        for _game in range(2):
            Transcripts(file).add(7, ("random", player.name), [player])
        lines = file.read_text(encoding="utf-8").splitlines()
        assert lines[: len(lines) - 2] == [before][: bool(before)]
        assert [json.loads(line)["deal"] for line in lines[-2:]] == [7, 7]


@for_each(
    ("source", "seconds", "reason"),
    [
        ("", PATIENCE, "empty"),
        ("raise SystemExit(1)", PATIENCE, "silent"),
        ("import threading; threading.Event().wait()", 0.05, "silent"),
        ("while True: print('x' * 999)", PATIENCE, "nonsense"),
    ],
)
def test_a_program_that_says_nothing_never_stops_a_match(source, seconds, reason, tmp_path) -> None:
    program = tmp_path / "model.py"
    program.write_text(source, encoding="utf-8")
    player = ModelPlayer(PromptProgram(f"prompt:{sys.executable} {program}", seconds), 1)
    match = GAME.match(1)
    assert player.choose(match, 0) in match.legal_ids(0)
    assert player.counts.data()["refused"] == {reason: 1} and player.counts.fallbacks == 1


def test_random_moves_follow_from_the_seed_and_every_refusal_tells_the_model_why() -> None:
    questions: list[str] = []

    def nonsense(_rules: str, question: str) -> str:
        questions.append(question)
        return "banana"

    def played(seed: int) -> list[int]:
        player, match = ModelPlayer(nonsense, 2, seed), GAME.match(4)
        while not match.over:
            match.play(match.actor, player.choose(match, match.actor))
        assert player.counts.fallbacks == player.counts.asked == player.counts.refused["nonsense"] / 2
        return [event.id for event in match.events]

    assert played(1) == played(1) != played(2)
    assert questions[1].startswith(questions[0])
    assert "refused. No move of the list was found in the answer. It was:\nbanana" in questions[1]


def test_half_a_letter_in_an_answer_is_refused_and_kept_without_it(tmp_path: Path) -> None:
    """Endpoints cut off emoji: JSON may have a lone surrogate, which no file in UTF-8 can hold."""
    with serving(lambda _body: saying("banana \ud83d")) as endpoint:
        model = ModelBot(endpoint.name, PATIENCE, tries=2)
        model.choose(GAME.match(1), 0)
        Transcripts(tmp_path / "asked.jsonl").add(7, ("random", model.name), [model])
    assert json.loads((tmp_path / "asked.jsonl").read_text(encoding="utf-8"))["answers"][1]["answer"] == "banana ?"


# --- endpoints --------------------------------------------------------------------------------------------------------
def test_the_key_goes_into_one_header_and_nowhere_else(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv(KEY, "not-for-you")
    with serving(lambda _body: saying('{"move": 1}')) as endpoint:
        given = ["tournament", "hawthorn", "easy", endpoint.name, "-n", "2", "--think", str(PATIENCE), "--deals", "2"]
        assert main([*given, "--transcripts", str(tmp_path / "a.jsonl"), "--resume", str(tmp_path / "games")]) == 0
    assert {each["Authorization"] for each in endpoint.headers} == {"Bearer not-for-you"}
    assert endpoint.sent[0]["model"] == "scripted"
    assert [each["role"] for each in endpoint.sent[0]["messages"]] == ["system", "user"]
    kept = [capsys.readouterr().out, *(each.read_bytes().decode(errors="replace") for each in tmp_path.iterdir())]
    assert not any("not-for-you" in text for text in kept)


def test_a_busy_endpoint_is_asked_again_and_a_broken_one_counts_as_silent() -> None:
    responses = [(429, {}), (503, {}), saying("1")]
    with serving(lambda _body: responses.pop(0)) as endpoint:
        assert ChatEndpoint(endpoint.name, PATIENCE)("rules", "question") == "1"
        assert len(endpoint.sent) == 3
    for broken in (b"<html>", {}, {"choices": []}, b"x" * (models.LONGEST_RESPONSE + 1)):
        with serving(lambda _body, broken=broken: (200, broken)) as endpoint:  # type: ignore[misc]
            assert ChatEndpoint(endpoint.name, PATIENCE)("", "") is None
            assert len(endpoint.sent) == models.RETRIES
    assert ChatEndpoint(endpoint.name, PATIENCE)("", "") is None  # nobody listens there now


def test_a_slow_endpoint_is_left_at_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that each request, and each part of a response, moves on by 4 seconds."""
    now, limits = [0.0], list[float]()

    def passed(_request: object = None, timeout: float = 0.0) -> None:
        limits.append(timeout)
        now[0] += 4
        raise TimeoutError

    class Slowly:
        def read1(self, _most: int) -> bytes:
            now[0] += 4
            return b"x"

    monkeypatch.setattr(models, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=lambda _seconds: None))
    endpoint = ChatEndpoint("chat:http://localhost:1/v1#m", 10)
    monkeypatch.setattr(endpoint, "_opener", SimpleNamespace(open=passed))
    assert endpoint("", "") is None and limits == [10, 6, 2]
    with pytest.raises(TimeoutError):
        models.read_until(Slowly(), now[0] + 10)
    assert now[0] == 24


@for_each("status", [400, 401, 404, 302])
def test_an_endpoint_that_refuses_for_good_stops_the_tournament_and_nothing_is_lost(status, tmp_path) -> None:
    count = 0

    def answer(_body: dict[str, Any]) -> tuple[int, Any]:
        nonlocal count
        count += 1
        return saying("1") if count < 20 else (status, {})

    with serving(answer) as endpoint:
        setup = TournamentSetup(GAME, ("random", endpoint.name), 3)
        file = tournament_file(tmp_path / str(status), setup)
        with pytest.raises(HexdeckError, match=rf"refuses the request \(HTTP {status}\); check .* {KEY}\."):
            tournament(setup, 50, file=file)
        assert len(games_in(tournament_file(tmp_path / str(status), setup))) >= 2


@for_each(
    "name",
    [
        "chat:",
        "chat:ftp://host/x#m",
        "chat:file:///etc/passwd#m",
        "chat:https://host/v1",
        "chat:https://me:secret@host/v1#m",
        "chat:http://[#m",
    ],
)
def test_an_address_that_is_none_is_refused_without_showing_secrets(name: str) -> None:
    with pytest.raises(BadOption, match=r"is not an endpoint; write chat:URL#MODEL") as caught:
        TournamentSetup(GAME, ("random", name)).check(2)
    assert "secret" not in str(caught.value)


def test_a_program_that_is_none_is_refused_before_anything_is_played() -> None:
    with pytest.raises(BadOption, match=r"prompt: is not a command; write prompt:PROGRAM"):
        TournamentSetup(GAME, ("random", "prompt:")).check(2)
    with pytest.raises(HexdeckError, match=r"no-such-program can't be started"):
        tournament(TournamentSetup(GAME, ("random", "prompt:no-such-program")), 2)
