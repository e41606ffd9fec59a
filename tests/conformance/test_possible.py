"""What can be a position is told from what contradicts itself, where bytes come from outside."""

import itertools
import random
import sys
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.worlds import check_possible, has_past
from hexdeck.engine.play.match import Match
from tests.settings import GAMES, every_game, much, random_game
from tests.support import for_each, ran_apart, random_plies


@every_game
def test_whatever_happens_in_a_match_is_possible(name: str) -> None:
    for number in range(much(1, 5)):
        match = random_game(name, random.Random(number)).match(number, backend="interpreted")
        for ply, here in enumerate(random_plies(match, random.Random(number))):
            for seat in here.acting if ply % 7 == 0 else ():
                check_possible(match.game, here.concealed(seat), seat)


@for_each(
    ("field", "at", "value"),
    [
        ("held", (0, 0), 40),
        ("hand", (0, 1, 9), 99),
        ("hand", (0, 1, 9), -1),
        ("losses", 0, 7),
        ("seats", 0, 5),
        ("ghost_size", 0, 99),
    ],
)
def test_what_contradicts_itself_is_refused(field: str, at: Any, value: int) -> None:
    match = hexdeck.game("cursed-hand", 2).match(1)
    while match.acting != (1,):
        match.play(match.actor, match.legal_ids(match.actor)[0])
    told = np.frombuffer(bytearray(match.concealed(1)), match.game.rules.STRUCT).copy()
    told[field][at] = value
    with pytest.raises(hexdeck.HexdeckError, match=r"contradicts itself|hold more|aren.t a position"):
        check_possible(match.game, told.tobytes(), 1)


# --- the past ---------------------------------------------------------------------------------------------------------
def passed(adding: bool, players: int = 2) -> Match:
    """Cursed Hand where a ghost hand of at least three cards was passed on and is answered, or looked at."""
    for number in range(1000):
        match, dice = hexdeck.game("cursed-hand", players).match(number, backend="interpreted"), random.Random(number)
        while not match.over:
            if match.struct.ghost_size > 2 and (len(match.legal_ids(match.actor)) > 2) == adding:
                return match
            match.play(match.actor, dice.choice(match.legal_ids(match.actor)))
    raise AssertionError


def refused(match: Match, field: str, at: int, value: int) -> None:
    told = np.frombuffer(bytearray(match.concealed(match.actor)), match.game.rules.STRUCT).copy()
    if told[field].reshape(-1)[at] == value:
        return
    told[field].reshape(-1)[at] = value
    with pytest.raises(hexdeck.HexdeckError, match=r"contradicts itself|hold more"):
        check_possible(match.game, told.tobytes(), match.actor)


@pytest.mark.parametrize("adding", [False, True])
@for_each(
    ("field", "cells", "values"),
    [
        ("passer", 1, (*range(-2, 4), 47, 127)),
        ("opener", 1, (*range(-2, 4), 48, 127)),
        ("turn", 1, (*range(-2, 4), 12)),
        ("seen", 6, (-1, *range(8), 47, 127)),
        ("held", 6, (-1, *range(10), 127)),
        ("deck_left", 1, (-1, 2, 60, 127)),
        ("ghost_size", 1, (-1, 0, 1, 48, 127)),
        ("lost", 6, (-1, 2, 127)),
        ("choice", 6, (0, 9, 127)),
    ],
)
def test_a_past_that_contradicts_itself_is_refused(adding, field, cells, values) -> None:
    for players in (2, 3):
        match = passed(adding, players)
        check_possible(match.game, match.concealed(match.actor), match.actor)
        for at in range(cells):
            for value in values:
                refused(match, field, at, value)


def test_moves_that_were_against_the_rules_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    match = passed(adding=False)
    assert has_past(match.game, match.copy_position().struct)
    monkeypatch.setattr(match.game.rules, "illegal_reason", lambda _s, _seat, _action: 1)
    assert not has_past(match.game, match.copy_position().struct)


def test_more_deals_and_draws_than_there_can_be_are_refused() -> None:
    for field, value in itertools.product(("deal", "draws"), (-1, 1 << 30)):
        refused(passed(adding=False), field, 0, value)


def folded(players: int) -> Match:
    match = hexdeck.game("blackstone", players).match(0, backend="interpreted")
    fold = list(match.game.rules.ACTIONS).index("fold")
    while match.struct.inside == match.struct.joined:
        match.play(match.actor, fold if fold in match.legal_ids(match.actor) else match.legal_ids(match.actor)[0])
    return match


def test_who_staked_and_what_was_paid_agree() -> None:
    match = folded(3)
    check_possible(match.game, match.concealed(match.actor), match.actor)
    for field, value in {"joined": int(match.struct.inside), "pot": 0, "phase": 0}.items():
        refused(match, field, 0, value)


# --- any number -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", much(["cursed-hand"], GAMES))
def test_no_number_makes_compiled_bots_write_where_they_may_not(name: str) -> None:
    command = [sys.executable, "-m", "tests.conformance.hostile", *much(("1", "1"), ("4", "4")), name]
    ran = ran_apart(command)
    assert ran.returncode == 0, f"{ran.stdout[-300:]}\n{ran.stderr[-2000:]}"
    assert ran.stdout.count("accepted and survived") == 1
