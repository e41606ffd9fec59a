"""Hints where games are stopped at a horizon: what such games lack is added to them, and to no others."""

import random
from functools import partial

import pytest

import hexdeck
from hexdeck.bots.advice import hints
from hexdeck.bots.advice.hints import advise, lacking
from hexdeck.bots.search.paired_evaluator import PairedEvaluator, nothing_lacks
from hexdeck.engine.play.match import Match
from tests.support import for_each

BACKEND = "interpreted"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games, in the interpreted backend."""
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    monkeypatch.setattr(hints, "GAMES", {BACKEND: 6})


def after_choices(players: int, most: int, left: int | None = None) -> Match:
    """A random match of High Handed in which so many choices were made, or but for some all, and another is due."""
    match, rng, before = hexdeck.game("high-handed", players).match(3, backend=BACKEND), random.Random(3), list[Match]()
    while not match.over and (left is not None or len(before) <= most):
        ids = match.legal_ids(match.actor)
        if len(ids) > 1:
            before.append(match.copy_position())
        match.play(match.actor, rng.choice(ids))
    return before[most] if left is None else before[-left]


@for_each("players", [2, 4, 6])
def test_a_hint_at_the_last_choice_tells_the_result(players: int) -> None:
    match = after_choices(players, 0, left=1)
    seat = match.actor
    advised = advise(match, seat)
    assert len(advised) > 1
    for each in advised:
        there = match.copy_position()
        there.play(seat, each.action)
        while not there.over:
            there.play(there.actor, there.legal_ids(there.actor)[0])
        assert each.value == there.returns()[seat]


@for_each(("left", "share"), [(40, 1.0), (6, 0.0)])
def test_what_stopped_games_lack_is_added_to_them_and_to_no_others(left: int, share: float) -> None:
    match = after_choices(2, 0, left)
    seat, moves = match.actor, match.legal_ids(match.actor)[:2]
    known, game = match.concealed(seat), match.game
    points, margin = lacking(game, known)
    assert points > 1 and margin > 0
    with_it, without = (
        PairedEvaluator(game, 1, "fast", lacking=added).evaluate(known, seat, moves, 12)
        for added in (partial(lacking, game), nothing_lacks)
    )
    for move in moves:
        (value, wide), (plain, narrow) = with_it.value(move), without.value(move)
        assert value - plain == pytest.approx(share * points)
        assert wide == pytest.approx(((narrow or 0) ** 2 + (share * margin) ** 2) ** 0.5)
    assert with_it.difference(*moves) == pytest.approx(without.difference(*moves))


def test_nothing_lacks_where_games_are_played_to_their_end_or_nobody_has_measured() -> None:
    usual = hexdeck.game("high-handed", 4)
    others = [usual.variant(2, length="first_to_two"), usual.variant(teams=2), usual.variant(length="double")]
    for game in (*others, usual.variant(3, blind=0), hexdeck.game("hawthorn")):
        match = game.match(1, backend=BACKEND)
        assert lacking(game, match.concealed(match.actor)) == (0, 0)


def test_two_that_begin_are_as_far_ahead_as_games_say() -> None:
    match = after_choices(2, 0)
    assert lacking(match.game, match.concealed(match.actor))[0] == pytest.approx(0)
    assert lacking(match.game, after_choices(2, 40).concealed(0))[0] > 3
    for players in (3, 4, 5, 6):
        several = after_choices(players, 0)
        assert lacking(several.game, several.concealed(several.actor))[0] < -5
