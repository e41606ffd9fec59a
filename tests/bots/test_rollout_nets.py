"""Nets that bots think with: of deals, where games that are tried out stop, and of what others would choose."""

import argparse
import dataclasses
import functools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets import netfile
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, has_net, net_sizes, save, shipped_net
from hexdeck.bots.players import levels
from hexdeck.bots.players.kinds import NetBot
from hexdeck.bots.players.roster import bot, bots_of
from hexdeck.bots.search import rollout
from hexdeck.bots.search.rollout import NEVER, TRIAL, deal_value, play_on
from hexdeck.bots.search.searcher import Rollouter, policy_workspace
from hexdeck.cli import train
from hexdeck.engine.contract import struct
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import ENDLESS
from hexdeck.research.training import arena as mimic_arena
from hexdeck.research.training.arena import DealArena, MimicArena
from hexdeck.research.training.learn import outputs_of
from hexdeck.research.training.trainer import Trainer, TrainingPlan
from tests.bots.made import any_net, by_the_book
from tests.compiled import warm
from tests.settings import much
from tests.support import for_each, random_plies

BACKEND = "interpreted"
HEARTS = hexdeck.game("black-hearts", 4)
ONE_DEAL = hexdeck.game("black-hearts", 4, curse_points="20-20-20-20-20-20")  # who wins a Curse card ends the game
deal_net = functools.partial(any_net, kind=DEALS, players=4)
PLAN = TrainingPlan(
    "black-hearts", (3, 4), {}, steps=6, hidden=(8, 8), batch=1024, checkpoint_every=2, minibatch=128, kind=DEALS
)


def keep(folder: Path, monkeypatch: pytest.MonkeyPatch, net: Net) -> None:
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: folder / "net")
    save(net, folder / "net" / "some.net")


def always(name: str, said: float) -> Net:
    """A net that says the same of every deal: so much utility."""
    net = deal_net(name)
    return dataclasses.replace(net, weights=np.zeros_like(net.weights), utility_scale={4: (said, 1.0)})


def play_on_row(g, rows, policy, thinks, actions, weights, cards, dice, world, horizon, last):  # type: ignore[no-untyped-def]
    play_on(g, rows, struct(g, rows, TRIAL), policy, thinks, actions, weights, cards, dice, world, horizon, last)


def test_a_net_is_judged_by_what_it_foresees() -> None:
    sizes = net_sizes(HEARTS.rules, 8, 4, DEALS)
    arena = DealArena(HEARTS, sizes, 1, "fast", np.array([0.25, 0.43, 1.0]))
    blank, noise = np.zeros(length(sizes)), deal_net("black-hearts").weights
    part, margin = arena.scored(blank, 200, 9)
    assert part == pytest.approx(0, abs=1e-6) and margin == pytest.approx(0, abs=1e-6)
    assert arena.scored(noise, 200, 9)[0] < -0.05


@for_each(
    ("name", "players", "options"),
    [("blackstone", (2, 3), {"chips": 8, "rounds": 2}), ("high-handed", (2,), {}), ("hawthorn", (2, 3), {})][
        : much(1, 3)
    ],
)
def test_where_hardly_any_second_deal_begins_there_is_nothing_to_learn(name, players, options) -> None:
    plan = dataclasses.replace(PLAN, game=name, players=players, options=options)
    with pytest.raises(
        hexdeck.HexdeckError, match=f"With 2 players and these options of {name} there is hardly ever a second"
    ):
        Trainer(plan, "fast")


# --- who thinks with it -----------------------------------------------------------------------------------------------
def test_a_game_that_is_tried_out_is_worth_what_the_net_says_once_the_deal_is_over(tmp_path, monkeypatch) -> None:
    """In the first deal hardly any game ends, for to win all Curse cards is rare; a match brings no more than 1."""
    known = HEARTS.match(1, backend=BACKEND).concealed(0)
    for said, worth, spread in ((0.7, 0.7, 0.2), (7.0, 1.0, 0.5), (-3.0, 0.0, 0.5)):
        keep(tmp_path / str(said), monkeypatch, always("black-hearts", said))
        found = bot("rollout:house-deal:40", HEARTS, 1, "fast").candidates(known, 0, 0)
        worths = np.array([each.value for each in found], float)
        assert np.median(worths) == pytest.approx(worth) and abs(worths - worth).max() < spread


@pytest.mark.parametrize(
    "backend", [BACKEND, pytest.param("fast", marks=pytest.mark.long)]
)  # kernels that only tests call
@pytest.mark.parametrize("policy", ["house-deal", "house"])
def test_a_game_is_played_no_further_than_where_the_next_deal_begins(backend: str, policy: str) -> None:
    driver = HEARTS.driver(backend)
    rows, rngs = HEARTS.rows(driver), [driver.generator(1, purpose) for purpose in ("cards", "dice")]
    number, thinks = policy_workspace(HEARTS, policy, driver)
    match, began = HEARTS.match(4, backend=backend), 0
    for ply in range(much(6, 20)):
        raw(rows)[TRIAL] = raw(match.rows)[0]
        last = 1 if policy == "house-deal" else NEVER
        played = driver.kernel(play_on_row)
        played(driver.g, rows, number, thinks, driver.actions(), driver.weights(), *rngs, ply, ENDLESS, last)
        after = HEARTS.driver(BACKEND).proxy(memoryview(bytearray(raw(rows)[TRIAL].tobytes())))
        if policy == "house":
            assert after.over
        elif not after.over:
            began += 1
            assert after.deal == 2 and not after.acting and not any(after.held[p] for p in range(4))
    assert policy == "house" or began > much(4, 15)


def test_a_game_that_ends_with_the_deal_counts_as_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(tmp_path, monkeypatch, always("black-hearts", 7.0))
    match, compared = ONE_DEAL.match(1, backend=BACKEND), 0
    deal, house = (Rollouter(ONE_DEAL, 40, policy, 1, "fast") for policy in ("house-deal", "house"))
    for here in random_plies(match, random.Random(1)):
        seat = here.actor
        if len(here.legal_ids(seat)) > 1:
            known, compared = here.concealed(seat), compared + 1
            assert deal.candidates(known, seat, 0) == house.candidates(known, seat, 0)
    assert compared > 5


@pytest.mark.parametrize("backend", [BACKEND, pytest.param("fast", marks=pytest.mark.long)])
def test_the_net_is_asked_what_the_seat_then_knows(backend, tmp_path, monkeypatch) -> None:
    keep(tmp_path, monkeypatch, deal_net("black-hearts"))
    net = shipped_net(HEARTS, DEALS)
    driver, asked, inside = HEARTS.driver(backend), 0, 0
    rows, thinks = HEARTS.rows(driver), policy_workspace(HEARTS, "house-deal", driver)[1]
    for here in random_plies(HEARTS.match(4, backend=BACKEND), random.Random(4)):
        for seat in range(4) if here.ply % much(8, 1) == 0 else ():
            raw(rows)[TRIAL] = raw(here.rows)[0]
            said = driver.kernel(deal_value)(driver.g, rows, seat, thinks, driver.actions())
            players = np.eye(HEARTS.rules.SEATS)[4 - 1]
            known = by_the_book(net.sizes, net.weights, np.concatenate([here.observation(seat), players]))[0]
            assert said == pytest.approx(min(1.0, max(0.0, 0.5 + 2.0 * known)), abs=1e-9)
            asked += 1
            inside += 0 < said < 1
    assert asked > 40 and inside > 5


@pytest.mark.parametrize("policy", ["house", "mimic"])
@pytest.mark.parametrize("name", ["black-hearts", "wolf-mans-curse"])
def test_the_same_choice_in_every_world_the_seat_thinks_possible(name: str, policy: str) -> None:
    game = hexdeck.game(name, 4)
    match, rng = game.match(3, backend=BACKEND), random.Random(3)
    for _, here in zip(range(12), random_plies(match, rng), strict=False):
        seat = here.actor
        chosen = set()
        for seed in range(4):
            world = here.resample(seat, seed)
            player = bot(f"rollout:{policy}-deal:30", game, 5, "fast")
            chosen.add(player.choose(world.concealed(seat), seat))
        assert len(chosen) == 1


@pytest.mark.parametrize("policy", ["house", pytest.param("mimic", marks=pytest.mark.long)])
def test_both_backends_choose_alike(policy: str) -> None:
    judge, fast = (bot(f"rollout:{policy}-deal:12", HEARTS, 5, backend) for backend in (BACKEND, "fast"))
    known, seat = later(HEARTS.match(6, backend=BACKEND), 36)
    assert judge.candidates(known, seat, 0) == fast.candidates(known, seat, 0)


def later(match: Match, plies: int) -> tuple[bytes, int]:
    for here in random_plies(match, random.Random(6)):
        if here.ply >= plies and here.acting and len(here.legal_ids(here.actor)) > 1:
            return here.concealed(here.actor), here.actor
    raise AssertionError


def test_the_net_that_chooses_chooses_to_the_end_of_the_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same net of deals, who plays on by another net finds other worths; both backends the same."""
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: tmp_path / "net")
    deals = dataclasses.replace(deal_net("black-hearts"), utility_scale={4: (0.5, 0.1)})
    save(deals, tmp_path / "net" / "deals.net")
    with pytest.raises(hexdeck.HexdeckError, match="no imitating net for black-hearts with 4 players"):
        bot("rollout:mimic-deal:10", HEARTS, 1, BACKEND)
    save(deal_net("black-hearts", kind=MIMIC), tmp_path / "net" / "mimic.net")
    cached = netfile._nets
    cached.cache_clear()
    known, seat = later(HEARTS.match(1, backend=BACKEND), 30)
    judge, fast, house = (
        bot(f"rollout:{policy}-deal:24", HEARTS, 1, backend).candidates(known, seat, 0)
        for policy, backend in (("mimic", BACKEND), ("mimic", "fast"), ("house", "fast"))
    )
    assert judge == fast and judge != house
    cached.cache_clear()


def test_a_net_of_deals_of_ones_own_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: tmp_path / "none" / "net")
    file, known = tmp_path / "a 5:10 net.net", HEARTS.match(1, backend=BACKEND).concealed(0)
    save(always("black-hearts", 0.4), file)
    worths = [each.value for each in bot(f"rollout:house-deal:40:{file}", HEARTS, 1, "fast").candidates(known, 0, 0)]
    assert np.median(np.array(worths, float)) == pytest.approx(0.4)
    for wrong, why in (
        (deal_net("black-hearts", kind=POLICY), "use it with the bot net, not with rollout:house-deal"),
        (deal_net("black-hearts", players=5), "This net learned for 5 players, not for 4"),
        (deal_net("wolf-mans-curse"), "can't play black-hearts"),
    ):
        save(wrong, file)
        with pytest.raises(hexdeck.HexdeckError, match=why):
            bot(f"rollout:house-deal:40:{file}", HEARTS, 1, BACKEND)


# --- files, names and levels ------------------------------------------------------------------------------------------
def test_a_net_of_deals_plays_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    keep(tmp_path, monkeypatch, deal_net("black-hearts"))
    assert has_net(HEARTS, DEALS) and not has_net(HEARTS, POLICY)
    assert "net" not in bots_of(HEARTS)
    with pytest.raises(
        hexdeck.HexdeckError, match=r"deals are worth; use it with the bot rollout:house-deal:500:FILE\.net"
    ):
        NetBot(HEARTS, 1, BACKEND, 1.0, deal_net("black-hearts"))
    cells = policy_workspace(HEARTS, "house-deal", HEARTS.driver(BACKEND))[1][2].cells
    assert cells[:6].tolist() == [1, 0.5, 2, 0, 1, 0]


@for_each("name", ["black-hearts", "wolf-mans-curse"])
def test_a_level_thinks_with_a_net_of_deals_only_where_it_learned(name: str) -> None:
    game = hexdeck.game(name, 4)
    assert levels.can_play("rollout:house-deal:100", game)
    other = {"black-hearts": {"curse_points": "1-1-1-1-1-1"}, "wolf-mans-curse": {"queen_month": 3}}[name]
    assert not levels.can_play("rollout:house-deal:100", hexdeck.game(name, 4, **other))
    assert not levels.can_play("rollout:house-deal:100", hexdeck.game("high-handed", 4))


def test_with_other_cards_the_best_thinks_without_the_net() -> None:
    five = (hexdeck.game("black-hearts", 5, curse_points=points) for points in ("1-1-2-2-3-4", "1-1-1-1-1-1"))
    assert [levels.levels_of(game)["best"] for game in five] == ["rollout:mimic-deal:2400", "search:house:1000"]


WOLF = hexdeck.game("wolf-mans-curse", 4)
mimic_net = functools.partial(any_net, kind=MIMIC, players=4)
SIZES = net_sizes(WOLF.rules, 8, 4)
UNITS = np.array([0.25, 0.5, 1.0])


# --- how it is learned ------------------------------------------------------------------------------------------------
def test_a_net_is_judged_by_how_much_surer_it_makes_choices() -> None:
    arena = MimicArena(WOLF, SIZES, 1, "fast", UNITS, 20)
    blank = np.zeros(length(SIZES))
    noise = np.random.default_rng(1).normal(0, 0.3, length(SIZES))
    assert arena.scored(blank, 400, 9) == pytest.approx((0, 0), abs=1e-6)
    part, margin = arena.scored(noise, 400, 9)
    assert part + margin < 0 < margin
    batch, games = arena.trial(20, 9)
    logits = np.where(batch.legal, outputs_of(noise, SIZES, batch.inputs)[:, :-1].astype(float), -np.inf)
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    unknown = -np.log(chances[np.arange(len(batch)), batch.chosen]).mean()
    assert part == pytest.approx(1 - unknown / np.log(batch.legal.sum(axis=1)).mean(), abs=1e-5)
    assert games == 20 and not np.array_equal(batch.inputs[0], arena.trial(20, 0)[0].inputs[0])


def test_who_foresees_every_choice_foresees_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = MimicArena(WOLF, SIZES, 1, "fast", UNITS, 20)
    batch, _games = arena.trial(20, 9)
    sure = np.zeros((len(batch), len(WOLF.rules.ACTIONS) + 1), np.float32)
    sure[np.arange(len(batch)), batch.chosen] = 50
    monkeypatch.setattr(mimic_arena.learn, "outputs_of", lambda *_: sure)
    assert arena.scored(np.zeros(length(SIZES)), 400, 9)[0] == pytest.approx(1, abs=1e-6)


# --- who thinks with it -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "times"), [("rollout:mimic-deal:8", True), ("rollout:house-deal:8", False)])
def test_only_a_net_chooses_again_what_others_have_chosen(name, times, monkeypatch) -> None:
    match, given = WOLF.match(3, backend=BACKEND), []

    def counted(g: Any, s: Any, seat: int) -> None:
        given.append(seat)
        g.clear_hidden_choices(s, seat)

    monkeypatch.setattr(rollout, "clear_hidden_choices", counted)
    while match.actor is None or len(match.legal_ids(match.actor)) < 2:
        match.play(match.legal_ids(match.actor)[0])
    bot(name, WOLF, 1, BACKEND).choose(match.concealed(match.actor), match.actor)
    assert set(given) == ({match.actor} if times else set())


def test_a_net_of_ones_own_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package has one, and where it has none; to the end of the match or of the deal."""
    warm(WOLF.name, "fast")
    file, known = tmp_path / "a 5:10 net.net", WOLF.match(1, backend=BACKEND).concealed(0)
    save(mimic_net(WOLF.name), file)
    for name in ("rollout:mimic:16", "rollout:mimic-deal:16"):
        ours, shipped = (bot(each, WOLF, 1, "fast").candidates(known, 0, 0) for each in (f"{name}:{file}", name))
        assert ours != shipped
    deals = tmp_path / "deals.net"
    save(mimic_net(WOLF.name, kind=DEALS), deals)
    by_deals = bot(f"rollout:mimic-deal:16:{deals}", WOLF, 1, "fast").candidates(known, 0, 0)
    both = [
        bot(f"rollout:mimic-deal:16:{one}:{other}", WOLF, 1, "fast").candidates(known, 0, 0)
        for one, other in ((file, deals), (deals, file))
    ]
    assert by_deals != shipped and both[0] == both[1] and both[0] not in (ours, by_deals, shipped)
    odd = tmp_path / "a.net:b.net"
    save(mimic_net(WOLF.name), odd)
    assert bot(f"rollout:mimic-deal:16:{odd}", WOLF, 1, "fast").candidates(known, 0, 0) == ours
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: tmp_path / "none" / "net")
    assert len(bot(f"rollout:mimic:16:{file}", WOLF, 1, "fast").candidates(known, 0, 1)) == len(ours)
    hearts = hexdeck.game("black-hearts", 4)
    save(mimic_net(hearts.name), file)
    there = (each for each in random_plies(hearts.match(1, backend=BACKEND), random.Random(1)) if each.acting)
    here = next(each for each in there if len(each.legal_ids(each.acting[0])) == 1)
    forced = bot(f"rollout:mimic:16:{file}", hearts, 1, BACKEND).candidates(
        here.concealed(here.acting[0]), here.actor, 2
    )
    assert forced[0].value is not None


def test_a_net_that_is_for_something_else_is_refused(tmp_path: Path) -> None:
    file, deals = tmp_path / "a 5:10 net.net", tmp_path / "deals.net"
    save(mimic_net(WOLF.name), file)
    save(mimic_net(WOLF.name, kind=DEALS), deals)
    for name, wrong, why in (
        ("rollout:mimic:5", deals, "This net estimates what deals are worth"),
        ("rollout:house-deal:5", file, "This net predicts what others would choose"),
        ("rollout:mimic-deal:5", f"{file}:{file}", "takes one net of a kind; .* are several"),
        ("rollout:house-deal:5", f"{deals}:{deals}", "takes one net of a kind; .* are several"),
        ("rollout:house-deal:5", f"{deals}:{file}", "This net predicts what others would choose"),
        ("rollout:house:5", deals, "rollout:house:5:.* can't be read as a bot; .* rollout:POLICY:GAMES:FILE.net"),
        ("rollout:mimic", file, "can't be read as a bot; .* rollout:POLICY:GAMES:FILE.net"),
        ("search:5", file, "can't be read as a bot"),
    ):
        with pytest.raises(hexdeck.HexdeckError, match=why):
            bot(f"{name}:{wrong}", WOLF, 1, BACKEND)


def test_a_search_without_a_number_makes_as_many_simulations_as_one_that_plays_along() -> None:
    assert train.how_to_learn(argparse.Namespace(imitate="search"))["imitate"] == "search:1000"
    assert train.how_to_learn(argparse.Namespace(imitate="search:7"))["imitate"] == "search:7"
