"""Answers to puzzles over PostgreSQL with two processes; they end after a year or so; the first one counts."""

import time
from pathlib import Path

from hexdeck.puzzles.today import Pool
from hexdeck.tables.service.daily.dates import date_at
from hexdeck.tables.service.keeping import ANSWERED, Keep, prune
from hexdeck.tables.storage.puzzles.answers import Answer, Solved, has_answers, solved_by, store_answer
from tests.tables.test_tables import House, housed
from tests.web.serving import Person, Process, file_in, hang_up

RIGHT, WRONG = Answer("take", True), Answer("fold", False)


def test_two_processes_have_the_same_puzzles_and_one_count(postgres: str) -> None:
    one, other = Process(postgres), Process(postgres)
    try:
        day, ann, ben = date_at(time.time()), Person(one.base), Person(other.base)
        found = Pool.of().of_day(day)
        assert ann.get("/puzzles").text == ben.get("/puzzles").text
        assert ann.post(f"/puzzles/{day}/1", {"move": found[0].best}).status_code == 303
        ben.http.cookies.set("hexdeck", ann.http.cookies["hexdeck"])
        assert ben.post(f"/puzzles/{day}/1", {"move": next(iter(found[0].costs))}).status_code == 303
        assert ben.post(f"/puzzles/{day}/2", {"move": next(iter(found[1].costs))}).status_code == 303
        one.kill()
        assert "You have solved 1 of 2 puzzles" in ben.get("/puzzles").text
        assert "Right: " in ben.get(f"/puzzles/{day}/1").text
    finally:
        hang_up()
        one.kill()
        other.stop()


def test_the_first_answer_counts_and_old_ones_end(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        run, now = house.registry.run_job, house.registry.clock()
        assert await run(lambda connection: store_answer(connection, "ann", "new", RIGHT, now))
        assert not await run(lambda connection: store_answer(connection, "ann", "new", WRONG, now))
        for puzzle, at in (("old", now - ANSWERED - 60), ("not so old", now - ANSWERED + 3600)):
            await run(lambda connection, puzzle=puzzle, at=at: store_answer(connection, "ann", puzzle, WRONG, at))
        await run(lambda connection: store_answer(connection, "ben", "old", RIGHT, now - 2 * ANSWERED))
        await prune(house.registry, Keep().deadlines(now))
        assert await run(solved_by("ann", ["new", "old"])) == Solved(1, 2, (("new", RIGHT),))
        assert not await run(lambda connection: has_answers(connection, "ben"))

    housed(file_in(tmp_path), test)
