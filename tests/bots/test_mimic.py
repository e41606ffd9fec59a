"""Nets that imitate searches: what they learn from, who plays with them, and what only they are trusted with."""

import argparse
import functools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import DEALS, MIMIC, net_sizes, save
from hexdeck.bots.players.named import bot
from hexdeck.bots.search import rollout
from hexdeck.bots.training import mimic_arena
from hexdeck.bots.training.learn import outputs_of
from hexdeck.bots.training.mimic_arena import MimicArena
from hexdeck.cli.research import train
from tests.bots.made import any_net
from tests.compiled import warm
from tests.support import random_plies

BACKEND = "interpreted"
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
    monkeypatch.setattr(mimic_arena, "outputs_of", lambda *_: sure)
    assert arena.scored(np.zeros(length(SIZES)), 400, 9)[0] == pytest.approx(1, abs=1e-6)


# --- who thinks with it -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "times"), [("rollout:mimic-deal:8", True), ("rollout:house-deal:8", False)])
def test_only_a_net_chooses_again_what_others_have_chosen(
    name: str, times: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        ("rollout:mimic-deal:5", f"{file}:{file}", "names several nets for the same job"),
        ("rollout:house-deal:5", f"{deals}:{deals}", "names several nets for the same job"),
        ("rollout:house-deal:5", f"{deals}:{file}", "This net predicts what others would choose"),
        (
            "rollout:house:5",
            deals,
            "rollout:house:5:.* can't load a net from a file; bots that can: net:FILE.net, think",
        ),
        ("rollout:mimic", file, "can't load a net from a file; .* rollout:mimic:500:FILE"),
        ("search:5", file, "can't load a net from a file"),
    ):
        with pytest.raises(hexdeck.HexdeckError, match=why):
            bot(f"{name}:{wrong}", WOLF, 1, BACKEND)


def test_a_search_without_a_number_makes_as_many_simulations_as_one_that_plays_along() -> None:
    assert train.imitated(argparse.Namespace(imitate="search")) == "search:1000"
    assert train.imitated(argparse.Namespace(imitate="search:7")) == "search:7"
