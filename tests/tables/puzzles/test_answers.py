"""Answers to puzzles: they end after a year or so, and the first one counts."""

from hexdeck.tables.service.holders import Answer, Solved, has_answers, solved_by, store_answer
from hexdeck.tables.service.runner import ANSWERED, Keep, prune
from tests.tables.house import House, in_a_file

RIGHT, WRONG = Answer("take", True), Answer("fold", False)


@in_a_file
async def test_the_first_answer_counts_and_old_ones_end(house: House) -> None:
    run, now = house.registry.run_job, house.registry.clock()
    assert await run(store_answer, "ann", "new", RIGHT, now)
    assert not await run(store_answer, "ann", "new", WRONG, now)
    for puzzle, at in (("old", now - ANSWERED - 60), ("not so old", now - ANSWERED + 3600)):
        await run(store_answer, "ann", puzzle, WRONG, at)
    await run(store_answer, "ben", "old", RIGHT, now - 2 * ANSWERED)
    await prune(house.registry, Keep(), now)
    assert await run(solved_by, "ann", ["new", "old"]) == Solved(1, 2, (("new", RIGHT),))
    assert not await run(has_answers, "ben")
