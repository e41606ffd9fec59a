"""Nets of values: moves are worth what the net says of what comes of them, nothing leaks, and they are learned."""

import dataclasses
import random
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.net_workspace import value_scaling, value_workspace
from hexdeck.bots.nets.netfile import POLICY, VALUES, Net, has_net, load, save
from hexdeck.bots.nets.value_net import ROWS, action_values
from hexdeck.bots.players.named import bot, bots_of
from hexdeck.bots.players.netbot import NetBot
from hexdeck.bots.players.valuebot import ValueBot
from hexdeck.bots.training import league as leagues
from hexdeck.bots.training.league import export
from hexdeck.bots.training.plan import Plan
from hexdeck.bots.training.trainer import Trainer
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.match import Match
from hexdeck.simulation.game import Game
from tests.bots.made import any_net, by_the_book
from tests.compiled import warm
from tests.settings import every_game, much
from tests.support import random_plies

BACKEND = "interpreted"
TINY = {"hand_cards": 3}
PLAN = Plan(
    "cursed-hand", (2, 3), TINY, steps=6, hidden=(8, 8), batch=512, checkpoint_every=2, minibatch=128, kind=VALUES
)


def positions(game: Game, seed: int, most: int) -> list[tuple[bytes, bytes, int]]:
    """Structs at some decisions of a random match, what the seat knows of them, and the seat."""
    match, found = game.match(seed, backend=BACKEND), []
    for _, here in zip(range(most), random_plies(match, random.Random(seed)), strict=False):
        found += [(raw(here.rows)[0].tobytes(), here.concealed(seat), seat) for seat in here.acting]
    return found


def forward(net: Net, match: Match, seat: int) -> float:
    """What the net says of what a seat knows."""
    players = np.eye(match.game.rules.SEATS)[match.game.players - 1]
    return float(by_the_book(net.sizes, net.weights, np.concatenate([match.observation(seat), players]))[0])


# --- what a move is worth ---------------------------------------------------------------------------------------------
def begun(name: str, players: int, moves: int, **options: object) -> Match:
    """A match by hand after some first legal moves; chance always takes the first outcome it can."""
    match = hexdeck.game(name, players, **options).match(by_hand=True, backend=BACKEND)
    for number in range(moves + 1):
        while not match.acting:
            match.deal(next(iter(match.chances())))
        if number < moves:
            match.play(match.actor, match.legal_ids(match.actor)[0])
    return match


def after(match: Match, *moves: int) -> Match:
    """The match after some moves of the seat that is to act."""
    there, seat = match.copy(), match.actor
    for action in moves:
        there.play(seat, action)
    return there


def test_a_move_is_worth_what_the_net_says_of_what_the_seat_then_knows() -> None:
    match, net = begun("blackstone", 3, 2), any_net("blackstone", VALUES, 3)
    seat, checked = match.actor, 0
    for each in ValueBot(match.game, 1, BACKEND, 0.0, net).candidates(match.concealed(seat), seat):
        there = after(match, each.action)
        if there.acting != (seat,) and not there.over:
            assert each.value == pytest.approx(0.5 + 2 * forward(net, there, seat))
            checked += 1
    assert checked > 1


def test_a_step_is_worth_its_best_next_step_and_what_stands_counts() -> None:
    match = begun("high-handed", 2, 4, rows=5, columns=5, ranks=5, blind=0, hand_cards=3)
    net, seat = any_net("high-handed", VALUES, 2), match.actor
    given = ValueBot(match.game, 1, BACKEND, 0.0, net).candidates(match.concealed(seat), seat)
    card = match.legal_ids(seat)[0]
    worths = []
    for cell in after(match, card).legal_ids(seat):
        there = after(match, card, cell)
        lead = int(there.struct.score[seat]) - int(there.struct.score[1 - seat])
        worths.append(lead + 2 * forward(net, there, seat))
    assert len(worths) > 5
    assert next(each.value for each in given if each.action == card) == pytest.approx(max(worths))


@every_game
def test_secrets_change_no_value_even_where_the_struct_has_them(name: str) -> None:
    warm(name, "fast")
    game, net = hexdeck.game(name), any_net(name, VALUES)
    driver, rows = game.driver("fast"), game.rows(game.driver("fast"), ROWS)
    actions, worths = driver.actions(), np.zeros(len(game.rules.ACTIONS))
    workspace = value_workspace(driver, net.sizes, value_scaling(game, 0.5, 2.0))
    for whole, known, seat in positions(game, 2, much(10, 40)):
        found = []
        for struct in (whole, known):
            raw(rows)[0] = np.frombuffer(struct, np.uint8)
            count = driver.kernel("list_legal")(driver.g, rows, 0, seat, actions)
            rng = driver.generator(1, "worlds")
            driver.kernel(action_values)(
                driver.g, rows, seat, net.weights, net.sizes, 2, workspace, actions, count, rng, worths
            )  # fmt: skip
            found.append(worths[:count].tolist())
        assert found[0] == found[1]


def test_greedy_plays_the_best_and_temperature_what_is_worth_nearly_as_much() -> None:
    warm("hawthorn", "fast")
    game, net = hexdeck.game("hawthorn"), any_net("hawthorn", VALUES)
    known = game.match(1, backend=BACKEND).concealed(0)
    cold = ValueBot(game, 1, "fast", 0.0, net).candidates(known, 0)
    assert [each.probability for each in cold] == [1.0] + [0.0] * (len(cold) - 1)
    assert cold[0].value == max(each.value or 0 for each in cold)
    warmer = {each.action: each for each in ValueBot(game, 1, "fast", 0.5, net).candidates(known, 0)}
    worths = np.array([each.value for each in warmer.values()], float)
    wanted = np.exp(worths / 0.5) / np.exp(worths / 0.5).sum()
    assert [each.probability for each in warmer.values()] == pytest.approx(wanted.tolist())


# --- learning ---------------------------------------------------------------------------------------------------------
def test_play_cools() -> None:
    trainer = Trainer(PLAN, "fast")
    assert trainer.kind.temperature(0.1, 0.0) == 0.1 and trainer.kind.temperature(0.1, 1.0) == pytest.approx(0.005)


# --- files and names --------------------------------------------------------------------------------------------------
def test_an_exported_net_says_its_kind_and_how_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leagues, "FEWER", 40)
    trainer = Trainer(PLAN, "fast")
    trainer.run(tmp_path)
    export(trainer, tmp_path / "values.net", "hexdeck train …")
    net = load(tmp_path / "values.net")
    assert net.kind == VALUES and net.about["command"] == "hexdeck train …" and set(net.utility_scale) == {2, 3}
    assert (tmp_path / "values.csv").read_text().startswith("step,seconds,moves,error,house 2,")


def test_a_net_is_never_taken_for_one_of_the_other_kind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = hexdeck.game("hawthorn", 4)
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: tmp_path / "none" / "net")
    assert {"net", "value"}.isdisjoint(bots_of(game))
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: tmp_path / "net")
    save(any_net("hawthorn", VALUES, 4), tmp_path / "net" / "values.net")
    assert has_net(game, VALUES) and not has_net(game, POLICY)
    assert "value" in bots_of(game) and "net" not in bots_of(game)
    assert bot("value:0.5", game, 1, BACKEND).name == "value"
    with pytest.raises(
        hexdeck.HexdeckError, match="estimates the value of positions; use it with the bot value, not with net"
    ):
        NetBot(game, 1, BACKEND, 1.0, any_net("hawthorn", VALUES, 4))
    with pytest.raises(hexdeck.HexdeckError, match="chooses moves; use it with the bot net, not with value"):
        ValueBot(game, 1, BACKEND, 0.0, any_net("hawthorn", POLICY, 4))


def test_a_net_of_an_unknown_kind_or_of_wrong_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.net"
    save(dataclasses.replace(any_net("hawthorn", VALUES), kind="dreams"), path)
    with pytest.raises(hexdeck.HexdeckError, match="is not a net of hexdeck"):
        load(path)
    save(dataclasses.replace(any_net("hawthorn", VALUES), kind=POLICY), path)
    with pytest.raises(hexdeck.HexdeckError, match="train it again"):
        load(path)


def test_a_net_of_values_plays_for_as_many_as_it_learned_for() -> None:
    with pytest.raises(hexdeck.HexdeckError, match="This net learned for 4 players, not for 3"):
        ValueBot(hexdeck.game("hawthorn", 3), 1, BACKEND, 0.0, any_net("hawthorn", VALUES, 4))
