"""What pages say that a card would score is what the rules say, on any board and under every option."""

import random

import pytest

import hexdeck
from hexdeck.games.high_handed import table
from hexdeck.games.high_handed.scoring import most_in
from tests.settings import much

from .test_hands import OPTIONS


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_pages_show_is_what_the_rules_say(options: dict[str, object]) -> None:
    table._worth.cache_clear()
    match = hexdeck.game("high-handed", 3, **options).match(seed=4, backend="interpreted")
    rng, scoring = random.Random(1), 0
    while not match.over:
        match.play(match.acting[0], rng.choice(match.legal_ids(match.acting[0])))
        s = match.struct
        for _ in range(much(2, 12)):
            card, cell, under = rng.randrange(52), rng.randrange(s.rows * s.columns), rng.choice((0, s.board[0]))
            wanted = most_in(s, 1 << card, cell, under)[0]
            shown = table.most_points(s, [card], [cell], under)
            assert shown == wanted << s.doubled, (card, cell, under, bytes(s.board.cells))
            assert table.most_points(s, [card], [cell]) == most_in(s, 1 << card, cell, s.under)[0] << s.doubled
            scoring += wanted > 0
    assert scoring > 5


def test_boards_with_other_runs_are_scored_anew() -> None:
    """The same cards in a line with a special between them are another run."""
    runs = [table._runs(table.Board(bytes([1, 0, 14, 53, 27, 0]), 6, 0, 0, 0), cell)[0] for cell in (1, 5)]
    assert runs == [(bytes([1, 0, 14]), 1), (bytes([27, 0]), 1)]
