"""What pages say that a card would score is what the rules say, on any board and under every option."""

import random

import pytest

import hexdeck
from hexdeck.games.high_handed import reckoned, rules
from tests.settings import much

OPTIONS = (
    {"rows": 7, "columns": 8}, {"strangers": "yes"}, {"line_hands": "two"}, {"new_hand": "line"},
    {"strangers": "yes", "line_hands": "two", "new_hand": "line"},
)  # fmt: skip


@pytest.mark.parametrize("options", [{}, *OPTIONS], ids=str)
def test_what_is_reckoned_once_is_what_the_rules_say(options: dict[str, object]) -> None:
    reckoned.KNOWN.clear()
    match = hexdeck.game("high-handed", 3, **options).match(seed=4, backend="interpreted")
    rng, scoring = random.Random(1), 0
    while not match.over:
        match.play(match.acting[0], rng.choice(match.legal_ids(match.acting[0])))
        s = match.struct
        for _ in range(much(2, 12)):
            card, cell, under = rng.randrange(52), rng.randrange(s.rows * s.columns), rng.choice((0, s.board[0]))
            wanted = rules.worth(s, card, cell, under)
            assert reckoned.board(s).worth(card, cell, under) == wanted, (card, cell, under, bytes(s.board.cells))
            assert reckoned.gain(s, card, cell) == rules.gain(s, card, cell)
            scoring += wanted > 0
    assert scoring > 5


def test_boards_with_other_runs_are_reckoned_anew() -> None:
    """The same cards in a line with a special between them are another run."""
    board = reckoned.Board(bytes([1, 0, 14, 53, 27, 0]), 1, 6, (0, 0, 0))
    assert [run for run, _ in (board.near(1)[0], board.near(5)[0])] == [bytes([1, 14]), bytes([27])]
