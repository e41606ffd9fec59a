"""A match: moves, chance, there and back, copies. Whatever is refused changes nothing."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from tests.compiled import warm
from tests.positions import whole
from tests.settings import data, every_game, much, option_sets, possible
from tests.support import random_plies, random_step

every_backend = pytest.mark.parametrize("backend", ["fast", "interpreted"])


def new(name: str, backend: str = "interpreted", seed: int | None = 1, **how: Any) -> Match:
    if backend != "interpreted":
        warm(name, backend)
    return hexdeck.game(name, 3).match(seed, backend=backend, **how)


def simultaneous(name: str, backend: str, plies: int = 0) -> Match:
    """A match in which several may act at once, and so many have chosen; skips where a game has no such choice."""
    if backend != "interpreted":
        warm(name, backend)
    rng = random.Random(5)
    for game in [possible(name, 3, chosen) for chosen in option_sets(name)]:
        for match in random_plies(game.match(2, backend=backend), rng) if game else ():
            if len(match.acting) == 3:
                for _ in range(plies):
                    random_step(match, rng)
                return match
    pytest.skip("nobody chooses together in this game")


def state(match: Match) -> tuple[Any, ...]:
    moves = [match.legal_ids(seat) for seat in range(match.game.players)]
    return whole(match), match.events, match.ply, match.length, match.acting, match.over, match.chances(), moves


def finish(match: Match, seed: int = 0) -> Match:
    for _ in random_plies(match, random.Random(seed)):
        pass
    return match


def refused(match: Match) -> list[tuple[type[Exception], Callable[[], Any]]]:
    """What can't be done at any position before the end, and the error it raises."""
    seat = match.acting[0]
    others = [p for p in range(-1, match.game.players + 1) if p not in match.acting]
    actions = range(len(match.game.rules.ACTIONS))
    forbidden = [action for action in actions if action not in match.legal_ids(seat)]
    return [
        *((hexdeck.NotActing, lambda p=p: match.play(p, match.legal_ids(seat)[0])) for p in [*others, 99]),
        *(
            (hexdeck.IllegalMove, lambda bad=bad: match.play(seat, bad))
            for bad in [*forbidden, -1, len(actions), 30000]
        ),
        (hexdeck.IllegalMove, lambda: match.play(seat, "no such action")),
        *((hexdeck.BadChance, lambda bad=bad: match.deal(bad)) for bad in (0, -1, 30000, "no such card")),
        *((hexdeck.BadPly, lambda ply=ply: match.go(ply)) for ply in (-1, match.length + 1)),
        *((hexdeck.BadPly, lambda p=p: match.retract(p)) for p in match.acting),
        (hexdeck.HexdeckError, match.returns),
        *((hexdeck.HexdeckError, lambda p=p: match.view(p)) for p in (-2, match.game.players)),
        *((hexdeck.HexdeckError, lambda p=p: match.resample(p, 1)) for p in (-2, match.game.players)),
    ]


@every_game
@every_backend
def test_what_is_refused_changes_nothing(name: str, backend: str) -> None:
    match, rng = new(name, backend), random.Random(3)
    for _ in range(6):
        before = state(match)
        for error, attempt in refused(match):
            with pytest.raises(error):
                attempt()
            assert state(match) == before
        if not match.over:
            random_step(match, rng)
        if match.over:
            return


@every_game
@every_backend
def test_nothing_can_be_done_after_the_end_or_before_it_is_reached_again(name: str, backend: str) -> None:
    match = finish(new(name, backend))
    before = state(match)
    for error, attempt in (
        (hexdeck.GameIsOver, lambda: match.play(0, 0)),
        (hexdeck.BadChance, lambda: match.deal(0)),
        (hexdeck.BadPly, lambda: match.retract(0)),
    ):
        with pytest.raises(error):
            attempt()
        assert state(match) == before
    match.go(match.length - 1)
    before = state(match)
    for attempt in (lambda: match.play(match.event(match.length - 1).seat, 0), lambda: match.deal(0)):
        with pytest.raises(hexdeck.BadPly):
            attempt()
        assert state(match) == before


@every_game
def test_a_refusal_names_the_rule_and_what_is_legal(name: str) -> None:
    match = new(name)
    seat = match.acting[0]
    legal = match.legal_ids(seat)
    action = next(id for id in range(len(match.game.rules.ACTIONS)) if id not in legal)
    with pytest.raises(hexdeck.IllegalMove) as refusal:
        match.play(seat, action)
    assert refusal.value.legal == tuple(match.game.rules.ACTIONS[id] for id in legal)
    assert refusal.value.rule in {reason.rule for reason in match.game.table.REASONS} and refusal.value.rule in str(
        refusal.value
    )
    assert all(name in str(refusal.value) for name in refusal.value.legal)


@every_game
@every_backend
def test_seeds_and_numbers_decide_every_card(name: str, backend: str) -> None:
    def events(**how: Any) -> list[int]:
        return [event.id for event in finish(new(name, backend, **how)).events]

    assert events(seed=1) == events(seed=1, number=0) != events(seed=1, number=1) != events(seed=2, number=1)
    assert events(seed=b"k" * 32) == events(seed=b"k" * 32)
    assert len({tuple(events(seed=None)) for _ in range(10)}) > 1


@every_game
def test_by_hand_chance_waits_for_its_outcomes_by_name_or_id(name: str) -> None:
    match = new(name, by_hand=True)
    while not match.acting:
        outcome = next(iter(match.chances()))
        number = match.game.rules.OUTCOMES.index(outcome)
        match.deal(outcome if match.ply % 2 else number)
        assert match.event(match.ply - 1) == hexdeck.Event(-1, number, outcome)
    assert match.chances() == {} and match.length == match.ply > 0


@every_game
@every_backend
def test_by_hand_one_can_let_chance_act_again(name: str, backend: str) -> None:
    for number in (0, 3):
        match = new(name, backend, by_hand=True)
        match.let_chance(1, number)
        assert match.acting and whole(match) == whole(new(name, backend, number=number))


@every_game
def test_moves_are_played_by_move_id_or_name(name: str) -> None:
    matches = [new(name) for _ in range(3)]
    for _ in range(8):
        if matches[0].over:
            break
        seat = matches[0].acting[-1]
        move = matches[0].legal(seat)[-1]
        assert [each.id for each in matches[0].legal(seat)] == matches[0].legal_ids(seat)
        assert move.name == matches[0].game.rules.ACTIONS[move.id] and str(move.text) == str(move.label)
        for match, played in zip(matches, (move, move.id, move.name), strict=True):
            match.play(seat, played)
    assert len({whole(match) for match in matches}) == 1 and matches[0].events == matches[2].events


@every_game
@every_backend
def test_the_actor_is_the_lowest_seat_that_may_act_whatever_was_asked(name: str, backend: str) -> None:
    for match in random_plies(new(name, backend), random.Random(4)):
        for seat in range(match.game.players):
            match.legal_ids(seat)
            assert match.actor == min(match.acting, default=-1)


@every_game
@every_backend
def test_every_ply_can_be_stepped_to(name: str, backend: str) -> None:
    def here() -> tuple[Any, ...]:
        return whole(match), match.acting, match.actor, match.over, match.chances(), match.legal_ids(0)

    match = new(name, backend, seed=None, by_hand=True)
    worlds = [here() for _ in random_plies(match, random.Random(6))]
    rng = random.Random(7)
    for ply in [*rng.sample(range(match.length + 1), match.length + 1), 0, match.length]:
        match.go(ply)
        assert match.ply == ply and match.length == len(worlds) - 1
        assert here() == worlds[ply]
        assert len(match.narration()) == ply


@every_game
@every_backend
def test_after_a_cut_the_match_goes_on_from_there(name: str, backend: str) -> None:
    match = finish(new(name, backend))
    whole_end, plies = whole(match), match.length
    decisions = [k for k, event in enumerate(match.events) if event.seat >= 0]
    for ply in (decisions[len(decisions) // 2], decisions[0]):
        events = match.events
        match.go(ply)
        match.cut()
        assert match.length == match.ply == ply and match.events == events[:ply]
        for event in events[ply:]:
            if event.seat >= 0:
                match.play(event.seat, event.id)
        assert whole(match) == whole_end and match.length == plies  # the seed gives the same cards again


@every_game
@every_backend
def test_a_secret_choice_can_be_taken_back_while_others_choose(name: str, backend: str) -> None:
    match = simultaneous(name, backend)
    before, events = whole(match), match.events
    for seat in (0, 2):
        match.play(seat, match.legal_ids(seat)[-1])
    match.retract(0)
    assert match.acting == (0, 1) and match.length == match.ply == len(events) + 1
    match.retract(2)
    assert whole(match) == before and match.events == events
    for seat in (2, 0, 1):
        match.play(seat, match.legal_ids(seat)[0])
    after = state(match)
    for seat in range(3):
        with pytest.raises(hexdeck.BadPly):
            match.retract(seat)
    assert state(match) == after


@every_game
@every_backend
def test_a_copy_goes_its_own_way(name: str, backend: str) -> None:
    match = finish(new(name, backend))
    match.go(match.length // 2)
    other = match.copy()
    assert state(other) == state(match) and other.game == match.game
    before = state(match)
    other.cut()
    other.let_chance()
    finish(other, 9)
    assert state(match) == before and other.over
    here = match.copy_position()
    assert whole(here) == whole(match) and (here.ply, here.length, here.acting) == (0, 0, match.acting)


@every_game
@every_backend
def test_a_pickle_and_a_plain_copy_are_dealt_the_same_cards_from_there(name: str, backend: str) -> None:
    whole_match = finish(new(name, backend))
    match, half = new(name, backend), [pair for pair in whole_match.pairs if pair[0] >= 0]
    for seat, action in half[: len(half) // 2]:
        match.play(seat, action)
    others = copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))
    assert all(state(other) == state(match) for other in others)
    for other in others:
        for seat, action in half[len(half) // 2 :]:
            other.play(seat, action)
        assert state(other) == state(whole_match) and other.returns() == whole_match.returns()
    assert not match.over


@every_game
@every_backend
def test_events_can_be_loaded_up_to_the_first_impossible_one(name: str, backend: str) -> None:
    match = finish(new(name, backend))
    events = [(event.seat, event.id) for event in match.events]
    other = new(name, backend, seed=None, by_hand=True)
    assert other.load_events(events) == -1 and state(other) == state(match)
    actions, outcomes = len(match.game.rules.ACTIONS), len(match.game.rules.OUTCOMES)
    bad = [(-2, 0), (99, 0), (-1, outcomes), (-1, -1)]
    bad += [(seat, id) for seat in range(3) for id in (-1, actions, 30000)]
    for ply in {*range(0, len(events), much(11, 1)), len(events)}:
        for event in bad:
            assert other.load_events([*events[:ply], event, *events[ply:]]) == ply
            assert other.ply == other.length == ply


@every_game
@every_backend
def test_a_world_that_was_dealt_anew_can_be_played_and_seen(name: str, backend: str) -> None:
    match = new(name, backend)
    random_step(match, random.Random(1))
    world = match.resample(0, 7)
    world.let_chance(seed=3)
    begun = whole(world)
    for _ in range(4):
        if not world.over:
            random_step(world, random.Random(2))
    assert world.view(0).seat == 0 and isinstance(world.facts(0), list)
    if world.length:
        ply, end = world.ply, whole(world)
        world.go(0)
        assert whole(world) == begun
        world.go(ply)
        assert whole(world) == end


@every_game
def test_long_matches_keep_every_event(name: str) -> None:
    players, longest = data(name)["long"]
    match = finish(hexdeck.game(name, players, **longest).match(1, backend="interpreted"))
    assert match.length > 256
    again = match.copy()
    assert whole(again) == whole(match) and again.events == match.events


@every_game
def test_the_end_of_a_match(name: str) -> None:
    match = finish(new(name))
    assert match.ending in match.game.rules.ENDINGS[1:] and len(match.returns()) == 3
    assert match.view(0).over and len(match.view(-1).outcome_texts) == 3
    match.go(0)
    assert match.ending == "" and not match.over and match.view(0).outcome_texts == ()


def test_chance_acts_on_after_a_cut_or_a_step_to_the_end_and_in_a_copy() -> None:
    match = hexdeck.game("cursed-hand", 4).match(seed=7, backend="interpreted")
    dealt = match.length
    match.go(3)
    match.cut()
    assert match.length == dealt and match.acting == (0, 1, 2, 3)
    match.go(3)
    match.go(match.length)
    assert match.acting == (0, 1, 2, 3)
    other = match.copy()
    for seat in range(4):
        other.play(seat, other.legal_ids(seat)[0])
    assert other.acting or other.over
