"""kill -9 under load: no acknowledged move is lost, none is made twice, every table loads and goes on."""

import contextlib
import random
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

import hexdeck
from tests.support import until
from tests.web.serving import Process, Program, hang_up, play_on

PLAYERS = 6  # threads, each at a table of its own


@dataclass
class Load:
    """People who play at several tables, and what was acknowledged to them: versions and moves, by table."""

    server: Process
    rng: random.Random
    acknowledged: dict[str, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    tables: list[tuple[str, str]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def run(self, moves: int) -> None:
        """Play, and kill the server when so many moves were acknowledged, in the middle of others."""
        ended = threading.Event()
        threads = [threading.Thread(target=self._play, args=(number, ended)) for number in range(PLAYERS)]
        for thread in threads:
            thread.start()
        until(lambda: self.count >= moves or not any(thread.is_alive() for thread in threads))
        self.server.kill()
        ended.set()
        for thread in threads:
            thread.join()

    @property
    def count(self) -> int:
        return sum(map(len, list(self.acknowledged.values())))

    def _play(self, number: int, ended: threading.Event) -> None:
        ann, ben, rng = Program(self.server.base), Program(self.server.base), random.Random(self.rng.random())
        with contextlib.suppress(httpx.TransportError):
            begun = ann.creates(game=hexdeck.game_names()[number], seats=["you", "open", "random"], players=3)
            ben.joins(begun["invitations"]["1"])
            self.tables += [(begun["table"], ann.token), (begun["table"], ben.token)]
            while not ended.is_set():
                for program in (ann, ben):
                    self._move(program, rng)

    def _move(self, program: Program, rng: random.Random) -> None:
        state = program.state()
        if not state["view"]["moves"]:
            return
        move = rng.choice(state["view"]["moves"])["name"]
        answer = program.post("/move", {"move": move, "version": state["version"]})
        if answer.status_code == 200:
            self.acknowledged[program.table][len(self.acknowledged[program.table])] = f"{state['seat']}: {move}"
        elif answer.status_code != 409:
            self.failures.append(answer.text)


def events(database: str) -> dict[str, list[tuple[int, str, int, list[str]]]]:
    """Everything that is stored: the events of each table in order."""
    import json

    from sqlalchemy import select

    from hexdeck.tables.database import Database
    from hexdeck.tables.database import events as stored

    opened, out = Database(database), defaultdict(list)
    with opened.engine.connect() as connection:
        for row in connection.execute(select(stored).order_by(stored.c.table, stored.c.version)).mappings():
            out[row["table"]].append((row["version"], row["kind"], row["seat"], json.loads(row["event"])))
    opened.close()
    return out


def check(load: Load, database: str) -> int:
    """Compare what was acknowledged with what is stored; returns how many moves were acknowledged."""
    kept = events(database)
    assert not load.failures
    for table, moves in load.acknowledged.items():
        rows = kept[table]
        assert [row[0] for row in rows] == list(range(len(rows)))
        people = [row[3][0] for row in rows if row[1] in {"move", "choice"} and row[2] in (0, 1)]
        acknowledged = list(moves.values())
        # what was being stored when the server died may be there too, though nobody was told
        assert people[: len(acknowledged)] == acknowledged and len(people) <= len(acknowledged) + 1
    return load.count


def killed(database: str, times: int, seed: int) -> int:
    """Kill the server so many times under load; in the end all tables go on."""
    rng, total, places = random.Random(seed), 0, []
    for _ in range(times):
        load = Load(Process(database), rng)
        try:
            load.run(rng.randint(8, 40))
            total += check(load, database)
            places += load.tables
        finally:
            hang_up()
    server = Process(database)
    try:
        for table, token in rng.sample(places, min(len(places), 24)):
            program = Program(server.base, token)
            program.table = table
            play_on([program], rng, least=program.state()["version"] + 1) if _can_go_on(program) else program.state()
    finally:
        hang_up()
        server.stop()
    return total


def _can_go_on(program: Program) -> bool:
    state: dict[str, Any] = program.state()
    return state["state"] == "playing" and bool(state["view"]["moves"])


def test_no_move_is_lost_or_made_twice(place: str) -> None:
    assert killed(place, 1, 1) >= 8


@pytest.mark.long
def test_no_move_is_lost_or_made_twice_in_many_kills(database: str) -> None:
    assert killed(database, 20, 2) > 200
