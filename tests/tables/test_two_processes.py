"""Two processes on one PostgreSQL: a seat on each, one match; one of them dies and the other goes on."""

import random
import threading

from tests.web.serving import Process, Program, hang_up, play_on, until


def test_two_people_on_two_processes_play_a_match(postgres: str) -> None:
    one, other = Process(postgres), Process(postgres)
    try:
        ann, ben, rng = Program(one.base), Program(other.base), random.Random(1)
        begun = ann.creates(game="wolf-mans-curse", players=4, seats=["you", "open", "random", "random"])
        ben.joins(begun["invitations"]["1"], name="Ben")
        heard: list[int] = []
        reader = Program(other.base, ben.token)
        reader.table = ben.table

        def listen() -> None:
            for state in reader.frames():
                heard.append(state["version"])
                if state["state"] == "over":
                    return

        listening = threading.Thread(target=listen)
        listening.start()
        assert play_on([ann, ben], rng)["state"] == "over"
        listening.join(20)
        assert not listening.is_alive() and heard == sorted(heard) and len(heard) > 5
        until(lambda: ben.state()["version"] == ann.state()["version"])
        assert ann.get("/record").json() == ben.get("/record").json()
    finally:
        hang_up()
        one.stop()
        other.stop()


def test_a_match_goes_on_when_one_of_two_processes_is_killed(postgres: str) -> None:
    one, other = Process(postgres), Process(postgres)
    try:
        ann, rng = Program(one.base), random.Random(2)
        ann.creates(game="high-handed", players=3, seats=["you", "random", "random"])
        play_on([ann], rng, 12)
        one.kill()
        there = Program(other.base, ann.token)
        there.table = ann.table
        before = there.state()["version"]
        assert play_on([there], rng, before + 20)["version"] >= before + 20
    finally:
        hang_up()
        other.stop()
