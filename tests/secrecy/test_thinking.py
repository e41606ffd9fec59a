"""Bots that think of the past do so from what their seat knows: worlds tell the past that it has seen, and no other."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import Net, net_sizes
from hexdeck.bots.players.kinds import DrawnBot, NetBot, ThinkingBot
from hexdeck.bots.search import rollout
from hexdeck.engine.play.match import Match
from hexdeck.tables.thinker import of_match, same_choice
from tests.positions import whole
from tests.settings import every_game, much, random_game

BACKEND = "interpreted"
WORLDS = 6


def decisions(match: Match, rng: random.Random) -> Iterator[tuple[int, int]]:
    """Every decision of a random match, before it is made: the seat and its action."""
    while not match.over:
        seat = rng.choice(match.acting)
        action = rng.choice(match.legal_ids(seat))
        yield seat, action
        match.play(seat, action)


def any_net(name: str, seed: int = 3) -> Net:
    sizes = net_sizes(hexdeck.game(name).rules, 8, 4)
    weights = np.random.default_rng(seed).normal(0, 0.6, length(sizes))
    return Net(name, sizes, weights, {2: (0.0, 1.0)}, {})


def told(match: Match) -> list[tuple[int, int]]:
    """The moves that a position tells of, the last one first: seat and action."""
    trial, out = match.copy_position(), []
    while (action := match.game.rules.take_back(trial.struct)) >= 0:
        out.append((trial.struct.acting.bit_length() - 1, action))
    return out


# --- taking moves back ------------------------------------------------------------------------------------------------
@every_game
def test_taking_a_move_back_gives_the_position_before_it_byte_for_byte(name: str) -> None:
    taken, rng = 0, random.Random(1)
    for number in range(much(6, 40)):
        match = random_game(name, rng).match(number, backend=BACKEND)
        for seat, action in decisions(match, rng):
            before, after = match.copy_position(), match.copy_position()
            after.play(seat, action)
            known = before.concealed(seat)
            found = -1 if after.over or not after.acting else match.game.rules.take_back(after.struct)
            if found >= 0:
                taken += 1
                after.struct.history = before.struct.history
                assert (found, whole(after)) == (action, whole(before)), f"ply {match.ply}"
                assert after.concealed(seat) == known
    assert taken > 60 or name != "cursed-hand"


def test_every_world_tells_the_moves_that_the_seat_has_seen_and_its_own_cards() -> None:
    match, rng, differed = hexdeck.game("cursed-hand", 3, losses=3).match(5, backend=BACKEND), random.Random(2), 0
    for seat, _action in decisions(match, rng):
        real = told(match)
        for k in range(WORLDS):
            found = told(match.resample(seat, k))
            assert [seen_of(move, seat) for move in found] == [seen_of(move, seat) for move in real]
            differed += found != real
    assert differed > 20


def seen_of(move: tuple[int, int], seat: int) -> Any:
    """What a seat has seen of a move: all of its own; of others' whether it was an acceptance, an addition, a pair."""
    actor, action = move
    name = hexdeck.game("cursed-hand").rules.ACTIONS[action]
    return move if actor == seat else (actor, name.split()[0])


# --- the bot ----------------------------------------------------------------------------------------------------------
def test_what_it_chooses_and_how_much_it_thinks_is_the_same_in_every_world(monkeypatch: pytest.MonkeyPatch) -> None:
    game, thought, differed = hexdeck.game("cursed-hand", 2), [0], 0
    original = rollout.likelihood

    def counted(*arguments: Any) -> float:
        thought[0] += 1
        return float(original(*arguments))

    monkeypatch.setattr(rollout, "likelihood", counted)
    bot, match = ThinkingBot(game, 4, 1, BACKEND, net=any_net(game.name)), game.match(3, backend=BACKEND)
    rng = random.Random(1)
    answers = 0
    for seat, _action in decisions(match, rng):
        if len(match.legal_ids(seat)) == 2 and told(match):
            found = []
            for k in range(3):
                other = match.resample(seat, k) if k else match
                differed += whole(other) != whole(match)
                thought[0] = 0
                bot.begin(7)
                told_to = other.concealed(seat)
                found.append((bot.candidates(told_to, seat), bot.choose(told_to, seat), thought[0]))
            assert found[0] == found[1] == found[2] and thought[0] > 0
            answers += 1
            if answers > 3:
                break
    assert answers > 2 and differed > 2


def test_which_of_several_nets_plays_and_what_it_chooses_is_the_same_in_every_world() -> None:
    """The draw follows from the bot's seed and the match, or from the match's key at a table."""
    game, differed, drawn = hexdeck.game("cursed-hand", 2), 0, set[int]()
    nets = [NetBot(game, 1, BACKEND, net=any_net(game.name, seed)) for seed in range(3)]
    bot, match = DrawnBot(game, nets, 1, BACKEND), game.match(3, backend=BACKEND)
    for seat, _action in decisions(match, random.Random(1)):
        number, found = match.ply, []
        for k in range(3):
            other = match.resample(seat, k) if k else match
            differed += whole(other) != whole(match)
            told_to = other.concealed(seat)
            bot.begin(number)
            drawn.add(nets.index(bot.playing))
            at_table = same_choice(bot, bytes([number]), told_to, seat), of_match(bot, b"key", seat)
            bot.begin(number)
            found.append((bot.playing, bot.candidates(told_to, seat, 0), bot.choose(told_to, seat), at_table))
        assert found[0] == found[1] == found[2]
    assert differed > 10 and len(drawn) == 3


@pytest.mark.parametrize(
    ("players", "own", "by"), [(2, False, rollout.MIMIC), (2, True, rollout.NET), (3, False, rollout.NET)]
)
def test_it_plays_on_as_searches_would_where_a_net_imitates_them(players, own, by, monkeypatch) -> None:
    game, seen, weighed = hexdeck.game("cursed-hand", players), set[int](), [0]
    choose, weigh = rollout.policy_action, rollout.likelihood

    def chosen(g: Any, rows: Any, seat: int, policy: int, *rest: Any) -> int:
        seen.add(policy)
        return int(choose(g, rows, seat, policy, *rest))

    def likely(*given: Any) -> float:
        weighed[0] += 1
        return float(weigh(*given))

    monkeypatch.setattr(rollout, "policy_action", chosen)
    monkeypatch.setattr(rollout, "likelihood", likely)
    bot = ThinkingBot(game, 4, 1, BACKEND, net=any_net(game.name) if own else None)
    match = game.match(3, backend=BACKEND)
    for seat, _action in decisions(match, random.Random(1)):
        if len(match.legal_ids(seat)) == 2 and told(match) and not weighed[0]:
            bot.choose(match.concealed(seat), seat)
    assert seen == {by} and weighed[0] > 0


def test_it_refuses_to_see_more_than_its_seat_knows() -> None:
    game = hexdeck.game("cursed-hand", 2)
    match, bot = game.match(3, backend=BACKEND), ThinkingBot(game, 4, 1, BACKEND, net=any_net(game.name))
    with pytest.raises(hexdeck.HexdeckError, match="only what its seat knows"):
        bot.choose(whole(match), match.actor)
