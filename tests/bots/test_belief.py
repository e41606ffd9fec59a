"""Worlds weighed by what others did come as often as the net would have led to them, where a position tells of it."""

import functools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.players.kinds import NetBot, ThinkingBot
from hexdeck.bots.players.roster import bot
from hexdeck.bots.search.rollout import CANDIDATE, ROOT, WORLD, draw_world, likelihood
from hexdeck.bots.search.searcher import Belief, policy_workspace
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from tests.bots.made import any_net
from tests.positions import redealt
from tests.settings import every_game, much, random_game
from tests.support import cards, for_each, play, random_step, stage

BACKEND = "interpreted"
DRAWN = much(80, 400)
World = bytes


strong_net = functools.partial(any_net, "cursed-hand", players=2, seed=3, spread=0.6)


def answering() -> Match:
    """Bob has started a ghost hand with two of three cards; Ann is to answer."""
    match = stage("cursed-hand", 2, cards(3, 4, 1, 2, 2, 3), deck="2-3-3-4", hand_cards=3)
    play(match, "0: grave 3, 1: grave 4, card 3, 1: pair 2 3")
    assert match.acting == (0,)
    return match


def drawn(match: Match, net: Net | None, belief: Belief | None) -> Counter[World]:
    """How often each world is drawn for Ann, by a net or else by the house bot."""
    driver, rng = match.driver, match.driver.generator(1, "test")
    rows, out = match.game.rows(driver), Counter[World]()
    _policy, workspace = policy_workspace(match.game, "net" if net else "house", driver, own=net, belief=belief)
    raw(rows)[ROOT] = np.frombuffer(match.concealed(0), np.uint8)
    for _ in range(DRAWN):
        draw_world(driver.g, rows, 0, workspace, driver.actions(), rng)
        out[raw(rows)[WORLD].tobytes()] += 1
    return out


def posterior(match: Match, net: Net) -> dict[World, float]:
    worlds, bot = redealt(match, 0), NetBot(match.game, 1, BACKEND, 1.0, net)
    weights = {world: float(chance) * choice_of_bob(match, bot, world) for world, chance in (worlds or {}).items()}
    return {world: weight / sum(weights.values()) for world, weight in weights.items()}


def choice_of_bob(match: Match, bot: NetBot, world: World) -> float:
    """How likely Bob, as the net, would have started with these cards, by the bot itself."""
    before = match.copy_position()
    raw(before.rows)[0] = np.frombuffer(world, np.uint8)
    action = match.game.rules.take_back(before.struct)
    before.refresh()
    return next(each.probability for each in bot.candidates(before.concealed(1), 1, 0) if each.action == action)


def mean(chances: dict[World, float], what: Any) -> float:
    return sum(chance * what(world) for world, chance in chances.items())


def test_worlds_come_as_often_as_the_net_would_have_led_to_them() -> None:
    match = answering()
    net = strong_net()
    exact, plain = posterior(match, net), redealt(match, 0)
    assert plain is not None
    found = {world: n / DRAWN for world, n in drawn(match, net, Belief(candidates=12)).items()}
    likeliest = sorted(exact, key=lambda world: exact[world] / float(plain[world]))[-len(exact) // 3 :]
    share, unweighed, wanted = (
        sum(chances.get(world, 0.0) for world in likeliest)
        for chances in (found, {world: float(chance) for world, chance in plain.items()}, exact)
    )
    error = 4 * (wanted * (1 - wanted) / DRAWN) ** 0.5
    assert abs(share - wanted) < error < abs(unweighed - wanted)


def by_the_bot(match: Match, bot: NetBot, seat: int) -> tuple[float, int, int]:
    """How likely the others' moves were as the net, by the bot itself; how many of theirs and of the seat's own."""
    here, found, theirs, own = match.copy_position(), 1.0, 0, 0
    while (action := match.game.rules.take_back(here.struct)) >= 0:
        here.refresh()
        actor = here.actor
        if len(here.legal_ids(actor)) < 2:
            continue
        own += actor == seat
        if actor != seat:
            theirs += 1
            chosen = bot.candidates(here.concealed(actor), actor, 0)
            found *= max(next(each.probability for each in chosen if each.action == action), FLOORED)
    return found, theirs, own


FLOORED = 0.01


@pytest.mark.parametrize("players", [2, 3])
def test_every_move_of_others_counts_and_none_of_ones_own(players: int) -> None:
    game, met = hexdeck.game("cursed-hand", players), Counter[tuple[bool, bool]]()
    net = strong_net(players=players)
    driver, judge = game.driver(BACKEND), NetBot(game, 1, BACKEND, 1.0, net)
    rows = game.rows(driver)
    belief = Belief(trust=1.0, floor=FLOORED)
    _policy, workspace = policy_workspace(game, "net", driver, own=net, belief=belief)
    for number in range(much(3, 8)):
        match, dice = game.match(number, backend=BACKEND), random.Random(number)
        while not match.over:
            seat = match.actor
            wanted, theirs, own = by_the_bot(match, judge, seat)
            raw(rows)[WORLD] = raw(match.rows)[0]
            found = likelihood(driver.g, rows, WORLD, seat, workspace, driver.actions())
            assert found == pytest.approx(wanted)
            met[theirs > 1, own > 0] += wanted < 1
            match.play(seat, dice.choice(match.legal_ids(seat)))
    assert met[True, True] > much(1, 3)


# --- thinking ---------------------------------------------------------------------------------------------------------
def test_thinking_multiplies_what_the_net_would_do_by_what_the_games_brought() -> None:
    match = answering()
    net = strong_net()
    plain = {
        each.action: each.probability
        for each in NetBot(match.game, 1, BACKEND, 1.0, net).candidates(match.concealed(0), 0, 0)
    }
    found = ThinkingBot(match.game, 24, 1, BACKEND, net=net).candidates(match.concealed(0), 0)
    weights = {each.action: plain[each.action] * np.exp(5.0 * (each.value or 0.0)) for each in found}
    assert len(found) > 1 and np.ptp([each.value or 0.0 for each in found]) > 0.05
    for each in found:
        assert each.probability == pytest.approx(weights[each.action] / sum(weights.values()))


def test_thinking_weighs_worlds_by_what_the_other_did() -> None:
    match = answering()
    net = strong_net()
    values = [
        ThinkingBot(match.game, 24, 1, BACKEND, net=net, belief=belief).candidates(match.concealed(0), 0)[0].value
        for belief in (Belief(candidates=12, trust=0.0), Belief(candidates=12), Belief(candidates=12))
    ]
    assert values[0] != values[1] == values[2]


@for_each("belief", [None, Belief(candidates=3, trust=0.0), Belief(candidates=3, floor=1.0)])
def test_without_belief_trust_or_a_choice_less_likely_than_the_floor_all_worlds_count_alike(belief) -> None:
    match = answering()
    plain = redealt(match, 0) or {}
    found = drawn(match, strong_net(), belief)
    for world, chance in plain.items():
        assert abs(found[world] / DRAWN - float(chance)) < 4.5 * (float(chance) / DRAWN) ** 0.5


@pytest.mark.parametrize(("name", "policy"), [("hawthorn", "net"), ("cursed-hand", "house")])
def test_where_a_game_lacks_what_weighs_worlds_one_is_dealt_as_without_weighing(name: str, policy: str) -> None:
    """Hawthorn has no `take_back`, Cursed Hand no `surprises`: nothing is dealt, asked or drawn for them."""
    game = hexdeck.game(name, 2)
    match, driver = game.match(1, backend=BACKEND), game.driver(BACKEND)
    rows, rng, other = game.rows(driver), driver.generator(1, "test"), driver.generator(1, "test")
    net = any_net(name, players=2) if policy == "net" else None
    _policy, workspace = policy_workspace(game, policy, driver, own=net, belief=Belief())
    raw(rows)[ROOT] = np.frombuffer(match.concealed(0), np.uint8)
    draw_world(driver.g, rows, 0, workspace, driver.actions(), rng)
    driver.kernel("redeal_row")(driver.g, rows, CANDIDATE, ROOT, 0, other)
    assert raw(rows)[WORLD].tobytes() == raw(rows)[CANDIDATE].tobytes() and list(rng) == list(other)


# --- what others kept -------------------------------------------------------------------------------------------------
def kept(match: Match, world: World) -> set[int]:
    there = match.copy_position()
    raw(there.rows)[0] = np.frombuffer(world, np.uint8)
    return {r + 1 for r in range(10) if there.struct.hand[1, r]}


@pytest.mark.parametrize(
    ("played", "sooner"), [("", {1, 2}), (", 1: take, card 7, 0: take, card 8, 1: play 5", {1, 2, 4})]
)
def test_in_worlds_of_house_bots_nobody_holds_a_card_that_they_would_have_played(played: str, sooner: set[int]) -> None:
    match = stage("hawthorn", 2, cards(9, 3, 9, 5, 10, 6, 10, 6, 10, 10))
    play(match, f"0: show 9, 1: show 3{played}")
    unlikely, even = (
        sum(bool(kept(match, world) & sooner) for world in drawn(match, None, belief).elements())
        for belief in (Belief(), None)
    )
    assert unlikely == 0 and even > DRAWN // 10


def test_house_bots_seldom_surprise_where_even_deals_often_do() -> None:
    game = hexdeck.game("hawthorn", 3)
    bots, strategy, found = [bot("house", game, seat) for seat in range(3)], game.definition.strategy, [0, 0, 0]
    for number in range(much(15, 400)):
        match = game.match(1, number=number, backend=BACKEND)
        while not match.over:
            seat = match.acting[0]
            world = match.resample(seat, number)
            found[0] += 1
            found[1] += strategy.surprises(match.struct, seat) > 0
            found[2] += strategy.surprises(world.struct, seat) > 0
            match.play(seat, bots[seat].choose(match.concealed(seat), seat))
    assert found[1] < 0.03 * found[0] and found[2] > 0.3 * found[0], found


@every_game
def test_nothing_that_a_seat_knows_surprises_it(name: str) -> None:
    rng = random.Random(1)
    match = random_game(name, rng).match(1, backend=BACKEND)
    while not match.over:
        for seat in range(match.game.players):
            known = match.copy_position()
            raw(known.rows)[0] = np.frombuffer(match.concealed(seat), np.uint8)
            assert match.game.definition.strategy.surprises(known.struct, seat) == 0
        random_step(match, rng)
