"""What can be a position is told from what contradicts itself, where bytes come from outside."""

import random

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.possible import check_possible
from tests.settings import every_game, much, random_game
from tests.support import random_plies


@every_game
def test_whatever_happens_in_a_match_is_possible(name: str) -> None:
    for number in range(much(1, 5)):
        match = random_game(name, random.Random(number)).match(number, backend="interpreted")
        for ply, here in enumerate(random_plies(match, random.Random(number))):
            for seat in here.acting if ply % 7 == 0 else ():
                check_possible(match.game, here.concealed(seat), seat)


@pytest.mark.parametrize(("field", "at", "value"), [
    ("held", (0, 0), 40), ("hand", (0, 1, 9), 99), ("hand", (0, 1, 9), -1), ("losses", 0, 7), ("seats", 0, 5),
    ("ghost_size", 0, 99),
])  # fmt: skip
def test_what_contradicts_itself_is_refused(field: str, at: object, value: int) -> None:
    match = hexdeck.game("cursed-hand", 2).match(1)
    while match.acting != (1,):
        match.play(match.actor, match.legal_ids(match.actor)[0])
    told = np.frombuffer(bytearray(match.concealed(1)), match.game.rules.STRUCT).copy()
    told[field][at] = value
    with pytest.raises(hexdeck.HexdeckError, match=r"contradicts itself|hold more|aren.t a position"):
        check_possible(match.game, told.tobytes(), 1)
