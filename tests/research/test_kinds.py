"""What nets of every kind share: what they learn from, gradients, runs that go on, and the command."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, load, net_sizes
from hexdeck.cli import main
from hexdeck.engine.play.game import raw
from hexdeck.research.training import collect, learn
from hexdeck.research.training import trainer as train
from hexdeck.research.training.arena import FRESH, KINDS, predictions
from hexdeck.research.training.collect import ADVANTAGE, HOUSE, LOGP, RANDOM, SEARCH, TARGET, VALUE
from hexdeck.research.training.trainer import Trainer, TrainingPlan, export, resumed, training_file
from tests.bots.made import any_net, by_the_book
from tests.settings import much
from tests.support import for_each

SHORT = {"steps": 6, "hidden": (8, 8), "batch": 512, "checkpoint_every": 2, "minibatch": 128}
ITSELF = TrainingPlan("cursed-hand", (2, 3), {"hand_cards": 3}, **SHORT)
PLANS = {
    POLICY: ITSELF,
    "opponents": dataclasses.replace(ITSELF, opponents=("house", "search:5"), opponent_share=0.4),
    DEALS: TrainingPlan("black-hearts", (3, 4), {}, kind=DEALS, **SHORT),
    MIMIC: TrainingPlan("wolf-mans-curse", (3, 4), {}, kind=MIMIC, imitate="search:5", **SHORT),
}
GAMES = {
    POLICY: hexdeck.game("cursed-hand", 2, hand_cards=3),
    DEALS: hexdeck.game("black-hearts", 4),
    MIMIC: hexdeck.game("wolf-mans-curse", 4),
}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "CHECKS", much(40, 1000))
    monkeypatch.setattr(train, "TRIAL", much(200, 2000))


# --- what is learned from ---------------------------------------------------------------------------------------------
def recorded(
    kind: str,
    backend: str = "fast",
    size: int = 500,
    number: int = 5,
    games: int = 8,
    table: tuple[int, ...] = (),
    simulations: int = 6,
) -> tuple[learn.DecisionBatch, Any]:
    game, sizes = GAMES[kind], net_sizes(GAMES[kind].rules, 8, 4, kind)
    arena = KINDS[kind].arena(game, sizes, 1, backend, np.array([0.5, 2.0, 0.9]), simulations)
    batch, net = learn.DecisionBatch.empty(sizes, size), np.random.default_rng(1).normal(0, 0.3, length(sizes))
    lineup = np.array([table or [0] * game.players] * games)
    return batch, arena.collect(lineup, [net, -net], number, batch, [0.2, 0.2])


@pytest.mark.parametrize("kind", KINDS)
def test_both_backends_record_the_same(kind: str) -> None:
    games = {DEALS: much(2, 8), MIMIC: much(1, 2)}.get(kind, 8)
    judge, fast = recorded(kind, "interpreted", games=games), recorded(kind, "fast", games=games)
    assert judge[1] == fast[1] and judge[1].games == games and judge[1].decisions > 4
    for ours, theirs in zip(dataclasses.astuple(judge[0]), dataclasses.astuple(fast[0]), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_does_not_fit_is_left_out(kind: str) -> None:
    whole, made = recorded(kind)
    cut, fewer = recorded(kind, size=made.decisions * 2 // 3)
    assert 0 < fewer.decisions <= len(cut) and 0 < fewer.games < made.games
    assert np.array_equal(cut.inputs[: fewer.decisions], whole.inputs[: fewer.decisions])


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_has_games_of_its_own(kind: str) -> None:
    first, other, again = (recorded(kind, number=number)[0] for number in (5, 50, 5))
    assert not np.array_equal(first.inputs, other.inputs) and np.array_equal(first.inputs, again.inputs)


def test_only_decisions_of_the_learning_net_are_recorded() -> None:
    tables = (0, 0), (0, 1), (0, HOUSE), (RANDOM, 0), (1, HOUSE)
    counts = [recorded(POLICY, games=12, table=table)[1].decisions for table in tables]
    assert counts[0] > max(counts[1:4]) and min(counts[:4]) > 0 == counts[4]


def test_advantages_lead_from_values_to_the_result() -> None:
    batch, (count, games, _) = recorded(POLICY, games=12, table=(0, RANDOM))
    facts = batch.labels[:count].astype(float)
    assert np.allclose(facts[:, TARGET], facts[:, ADVANTAGE] + facts[:, VALUE], atol=1e-6)
    ends = np.flatnonzero(np.isclose(np.abs(facts[:, TARGET] * 2 + 0.5), 1, atol=1e-5))
    assert len(ends) == games and ends[-1] == count - 1
    for i in range(count - 1):
        if i not in ends:
            step = facts[i + 1, VALUE] - facts[i, VALUE] + 0.9 * facts[i + 1, ADVANTAGE]
            assert facts[i, ADVANTAGE] == pytest.approx(step, abs=1e-5)


def test_each_seat_is_told_of_once_as_a_deal_begins_with_what_the_game_came_to() -> None:
    batch, (count, games, _) = recorded(DEALS)
    facts, rules = batch.labels[:count].astype(float), GAMES[DEALS].rules
    utility = (facts[:, TARGET] * 2 + 0.5).reshape(-1, 4)
    assert count % 4 == 0 and games == 8 and np.allclose(utility.sum(axis=1), 1)
    assert set(facts[:, VALUE]) <= set(range(games))
    seen = batch.inputs[:count, slice(*rules.SLICES["total"])].reshape(-1, 4, rules.SEATS)[:, :, :4]
    for totals in seen:
        assert 0 < totals[0].sum() < 4 * rules.LIMIT and totals.max() < rules.LIMIT
        for seat in range(4):
            assert np.array_equal(totals[seat], np.roll(totals[0], -seat))
    assert not batch.inputs[:count, slice(*rules.SLICES["held"])].any()


def test_each_seat_is_told_its_own_result() -> None:
    """Who is far behind hardly ever wins: were it another seat's result, it would as often as any."""
    batch, (count, _games, _) = recorded(DEALS, size=20_000, games=2000)
    at = GAMES[DEALS].rules.SLICES["total"][0]
    totals, won = batch.inputs[:count, at : at + 4], batch.labels[:count, TARGET] > -0.25
    behind = totals[:, 0] >= totals.min(axis=1) + 8
    ahead = totals[:, 0] <= np.sort(totals, axis=1)[:, 1] - 4
    assert behind.sum() > 200 < ahead.sum()
    assert won[behind].mean() < 0.12 and won[ahead].mean() > 0.5


def test_of_each_choice_is_told_what_the_seat_knew_what_was_allowed_and_what_was_chosen(monkeypatch) -> None:
    """Were others to choose, their choices would stand there: here the last legal action, in each game."""
    asked: list[tuple[np.ndarray, list[int]]] = []

    def last(g: Any, rows: Any, seat: int, policy: int, _players: Any, actions: Any, count: int, *_: Any) -> int:
        assert policy == SEARCH
        world = GAMES[MIMIC].match(1, backend="interpreted")
        raw(world.rows)[0] = rows.array[0]
        asked.append((world.observation(seat), [int(actions[k]) for k in range(count)]))
        return int(actions[count - 1])

    monkeypatch.setattr(collect, "chosen_action", last)
    batch, (made, games, _moves) = recorded(MIMIC, "interpreted", size=100, games=much(1, 2))
    assert made == len(asked) > 15 and games == much(1, 2)
    for row in range(made):
        seen, legal = asked[row]
        assert np.array_equal(batch.inputs[row, : len(seen)], seen)
        assert np.flatnonzero(batch.legal[row]).tolist() == legal and batch.chosen[row] == legal[-1]


def test_each_choice_has_the_number_and_the_result_of_its_game() -> None:
    batch, (made, games, _moves) = recorded(MIMIC, size=2000, games=30)
    facts = batch.labels[:made].astype(float)
    assert games == 30 and not facts[:, LOGP].any() and sorted(set(facts[:, VALUE])) == list(range(30))
    for number in range(30):
        utilities = facts[facts[:, VALUE] == number, TARGET] * 2 + 0.5
        assert set(np.round(utilities, 6)) <= {0.0, 1.0, 0.5, 0.333333, 0.25} and utilities.max() > 0


def test_searches_choose_with_the_simulations_that_were_asked_for() -> None:
    """A deeper search chooses more often as a still deeper one does; the games part where the choices do."""
    few, more = (recorded(MIMIC, games=2, simulations=n)[0] for n in (2, 300))
    assert np.array_equal(few.inputs[0], more.inputs[0]) and not np.array_equal(few.inputs, more.inputs)


# --- how it is learned ------------------------------------------------------------------------------------------------
def loss(
    learner: learn.Learner, kind: str, batch: learn.DecisionBatch, how: learn.TrainStep, flat: np.ndarray
) -> float:
    """The loss as it is written in the papers, in double precision."""
    said = by_the_book(learner.sizes, flat, batch.inputs * learner.scale.astype(float))
    target, rows = batch.labels[:, TARGET].astype(float), np.arange(len(batch))
    if kind == DEALS:
        return float(((said[:, 0] - target) ** 2).mean() / 2)
    chances, logs = learn.masked_softmax(said[:, :-1], batch.legal)
    off = how.value * ((said[:, -1] - target) ** 2).mean() / 2
    if kind == MIMIC:
        return float(off - logs[rows, batch.chosen].mean())
    held = learner.flat if learner.magnet is None else learner.magnet
    near = learn.masked_softmax(
        by_the_book(learner.sizes, held, batch.inputs * learner.scale.astype(float))[:, :-1], batch.legal
    )[1]
    ratio, advantage = np.exp(logs[rows, batch.chosen] - batch.labels[:, LOGP]), batch.labels[:, ADVANTAGE]
    gain = np.minimum(ratio * advantage, np.clip(ratio, 1 - how.clip, 1 + how.clip) * advantage).mean()
    noise = np.where(batch.legal, chances * np.where(batch.legal, logs, 0), 0).sum(axis=1).mean()
    apart = np.where(batch.legal, chances * np.where(batch.legal, logs - near, 0), 0).sum(axis=1).mean()
    return float(off - gain + how.entropy * noise + how.magnet * apart)


@pytest.mark.parametrize(("kind", "magnet"), [(POLICY, 0.0), (POLICY, 0.4), (DEALS, 0.0), (MIMIC, 0.0)])
def test_the_gradient_is_that_of_the_loss(kind: str, magnet: float) -> None:
    sizes, rng = np.array([6, 8, 8, 4, 0 if kind == DEALS else 5], np.int64), np.random.default_rng(3)
    learner = KINDS[kind].learner(sizes, rng.normal(0, 0.5, length(sizes)), rng.uniform(0.5, 2, 8))
    learner.magnet = rng.normal(0, 0.5, length(sizes)).astype(np.float32) if magnet else None
    batch, how = batch_of(sizes, 40), learn.TrainStep(entropy=0.3, magnet=magnet, value=0.3)
    gradient = gradient_of(learner, batch, how)
    for k in range(length(sizes)):
        step = np.zeros(length(sizes))
        step[k] = 1e-5
        sides = [loss(learner, kind, batch, how, learner.flat + sign * step) for sign in (1, -1)]
        assert gradient[k] == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-3, abs=1e-5)


def gradient_of(learner: learn.Learner, batch: learn.DecisionBatch, how: learn.TrainStep) -> np.ndarray:
    lists = learn.Lists(batch)
    learner.anchor(lists, learner.magnet)
    return learner.gradient(lists, np.arange(len(batch)), how)[0]


def batch_of(sizes: np.ndarray, count: int) -> learn.DecisionBatch:
    rng = np.random.default_rng(1)
    legal = rng.random((count, sizes[4])) < 0.5
    legal[:, :1] = True
    chosen = np.array([rng.choice(np.flatnonzero(row)) if len(row) else 0 for row in legal], np.int16)
    facts = rng.normal(size=(count, 4)).astype(np.float32)
    facts[:, LOGP] = np.log(1 / np.maximum(1, legal.sum(axis=1))) + rng.normal(0, 0.3, count)
    return learn.DecisionBatch(rng.integers(-2, 3, (count, sizes[1])).astype(np.int8), legal, chosen, facts)


def test_a_good_action_becomes_likelier_and_a_bad_one_rarer() -> None:
    sizes = np.array([6, 8, 8, 4, 5], np.int64)
    learner = learn.Learner(sizes, learn.first_weights(sizes, 4, np.random.default_rng(1)), np.ones(8))
    batch = batch_of(sizes, 256)
    batch.labels[:, ADVANTAGE] = np.where(batch.chosen == 0, 1, -1)
    batch.labels[:, LOGP] = -np.log(batch.legal.sum(axis=1))
    for _ in range(5):
        learner.learn(
            learn.Lists(batch), learn.TrainStep(entropy=0.0, minibatch=64, epochs=4), 0.01, np.random.default_rng(1)
        )
    chances, logs = learn.masked_softmax(by_the_book(sizes, learner.flat, batch.inputs)[:, :-1], batch.legal)
    assert chances[:, 0].mean() > 1.15 * (1 / batch.legal.sum(axis=1)).mean()
    assert (chances[~batch.legal] == 0).all() and np.isfinite(logs).all()


def test_a_magnet_holds_a_net_near_to_itself() -> None:
    sizes, apart = np.array([6, 8, 8, 4, 5], np.int64), []
    for magnet in (0.0, 3.0):
        learner = learn.Learner(sizes, learn.first_weights(sizes, 4, np.random.default_rng(1)), np.ones(8))
        learner.magnet = learner.flat.copy()
        lists = learn.Lists(batch_of(sizes, 256))
        learner.anchor(lists, learner.magnet)
        how = learn.TrainStep(entropy=0.0, magnet=magnet, minibatch=64, epochs=8)
        apart.append(learner.learn(lists, how, 0.01, np.random.default_rng(1))[[*learner.metrics].index("apart")])
    assert 0 < apart[1] < apart[0] / 2


def test_an_action_that_moved_too_far_pulls_no_more() -> None:
    sizes = np.array([6, 8, 8, 4, 5], np.int64)
    learner = learn.Learner(sizes, np.zeros(length(sizes)), np.ones(8))
    batch = batch_of(sizes, 1)
    batch.legal[:], batch.labels[0, LOGP], batch.labels[0, ADVANTAGE] = True, np.log(0.01), 1.0
    assert not gradient_of(learner, batch, learn.TrainStep(entropy=0.0))[-6:-1].any()
    batch.labels[0, ADVANTAGE] = -1.0
    assert gradient_of(learner, batch, learn.TrainStep(entropy=0.0))[-6:-1].all()


@for_each("size", [4, 8, 12])
def test_what_is_mostly_zeros_is_summed_as_if_it_were_not(size: int) -> None:
    sizes = np.array([6, 8, size, size, 5], np.int64)
    batch = batch_of(sizes, 30)
    lists = learn.Lists(batch)
    for row in range(30):
        places = lists.inputs[1][row, : lists.inputs[2][row]]
        assert places.tolist() == np.flatnonzero(batch.inputs[row]).tolist()
        listed = lists.legal[0][row, : lists.legal[1][row]]
        assert listed.tolist() == np.flatnonzero(batch.legal[row]).tolist()
        assert listed[lists.chosen[row]] == batch.chosen[row]


def test_inputs_are_measured_by_how_large_they_are_when_not_zero() -> None:
    seen = np.array([[0, 0, 1, 30], [0, 3, 1, -40], [0, 4, 1, 0]], np.int8)
    assert learn.usual_size(seen).tolist() == pytest.approx([1, np.sqrt(12.5), 1, np.sqrt(1250)])


def test_what_nets_are_judged_by_is_what_compiled_code_would_say() -> None:
    for kind, says in ((DEALS, lambda *given: predictions(*given)[:, None]), (MIMIC, learn.outputs_of)):
        net, seen = any_net(GAMES[kind].name, kind), recorded(kind)[0].inputs[:4]
        right = by_the_book(net.sizes, net.weights, seen)
        assert says(net.weights, net.sizes, seen) == pytest.approx(right, abs=1e-3)


# --- whole runs -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", PLANS)
def test_a_run_cut_off_and_resumed_is_the_run_that_was_not(way: str, tmp_path: Path) -> None:
    whole, cut = Trainer(PLANS[way], "fast"), Trainer(PLANS[way], "fast")
    whole.run(tmp_path / "whole")
    while cut.done < 4:
        cut.step()
    cut.save(tmp_path / "cut")
    again = resumed(training_file(tmp_path / "cut", PLANS[way].game), "fast")
    assert (again.done, again.plan, type(again.learner)) == (4, PLANS[way], KINDS[again.plan.kind].learner)
    again.run(tmp_path / "cut")
    assert again.learner.flat.tobytes() == whole.learner.flat.tobytes()
    assert [net.tobytes() for net in again.checkpoints] == [net.tobytes() for net in whole.checkpoints]
    timeless = [[row | {"seconds": 0} for row in each.curve] for each in (again, whole)]
    assert timeless[0] == timeless[1]
    assert len(again.curve) == 3


@pytest.mark.parametrize("kind", [DEALS, MIMIC])
def test_of_a_run_the_net_is_kept_that_foresees_most(kind, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(train, "GROUPS", 40)
    trainer = Trainer(PLANS[kind], "fast")
    trainer.run(tmp_path / "run")
    trainer.checkpoints[2] = np.random.default_rng(1).normal(0, 0.3, len(trainer.average)).astype(np.float16)
    begun, scored = list[int](), KINDS[kind].arena.scored
    monkeypatch.setattr(
        KINDS[kind].arena, "scored", lambda *given: begun.append(given[3]) or scored(*given)
    )  # on deals that decided nothing yet
    export(trainer, tmp_path / "some.net", "hexdeck train …")
    assert begun == [2 * FRESH] * len(begun)
    net = load(tmp_path / "some.net")
    assert net.kind == kind and set(net.utility_scale) == {3, 4} and net.about["chosen"]["step"] != 6
    assert {each["entry"]: each["mean"] for each in net.about["league"]}[6] < -0.02
    scored = {DEALS: "error,explained 3,± 3,explained 4,", MIMIC: "loss,error,foreseen 3,± 3,foreseen 4,"}
    assert (tmp_path / "some.csv").read_text().startswith(f"step,seconds,moves,{scored[kind]}")


@pytest.mark.long
def test_seconds_of_training_beat_random_play_and_the_untrained_net(tmp_path: Path) -> None:
    plan = TrainingPlan("hawthorn", (2,), {}, steps=40, hidden=(16, 16), batch=4096, checkpoint_every=20, entropy=0.02)
    trainer = Trainer(plan, "fast")
    before = trainer.arenas[0].against(trainer.learner.weights(), 1.0, 1000, RANDOM)
    trainer.run(tmp_path / "run")
    after = trainer.arenas[0].against(trainer.checkpoints[-1], 1.0, 1000, RANDOM)
    assert after[0] - after[1] > max(0.0, before[0] + before[1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "learning", "groups"),
    [
        (DEALS, {"steps": 12, "batch": 8192, "checkpoint_every": 6}, 400),
        (MIMIC, {"steps": 16, "batch": 2048, "checkpoint_every": 8, "epochs": 4, "imitate": "search:200"}, 1000),
    ],
)
def test_seconds_of_training_foresee_something(kind, learning, groups, tmp_path) -> None:
    trainer = Trainer(dataclasses.replace(PLANS[kind], players=(4,), **learning), "fast")
    trainer.run(tmp_path / "run")
    part, margin = trainer.arenas[0].scored(trainer.checkpoints[-1], groups, 1 << 37)
    assert part - margin > 0.05


# --- the command ------------------------------------------------------------------------------------------------------
WAYS = {
    DEALS: ("black-hearts", "4", ["--deal-values"], " --deal-values"),
    MIMIC: ("wolf-mans-curse", "4", ["--imitate", "search:10"], " --imitate search:10"),
}
TOLD = {DEALS: "variance of results explained, by players: 4: ", MIMIC: "share of choices predicted, by players: 4: "}


@pytest.mark.parametrize("kind", WAYS)
def test_the_command_trains_each_kind_and_goes_on_with_it(kind, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(train, "GROUPS", 40)
    monkeypatch.setattr(train, "HUNT", 200)
    monkeypatch.setattr(
        "hexdeck.research.training.trainer.TrainingPlan",
        lambda *given, **how: TrainingPlan(*given, **how | {"batch": 512}),
    )
    (game, players, how, told), folder, file = WAYS[kind], str(tmp_path / "run"), tmp_path / "some.net"
    start = ["train", game, "--players", players, "--hidden", "8", "--resume"]
    assert main([*start, folder, *how, "--steps", "1"]) == 0
    assert TOLD[kind] in capsys.readouterr().out
    resume, flag = ["train", game, "--steps", "2", "--resume"], " ".join(how)
    for other in [each for each in ("--deal-values",) if each not in how]:
        assert main([*resume, folder, other]) == 2
        assert f"leave out {other}" in capsys.readouterr().err
    assert main([*resume, folder, *how, "--export", str(file)]) == 0
    net = load(file)
    assert net.kind == kind and net.about["command"] == (
        f"hexdeck train {game} --players {players} --seed 1 --hidden 8{told} --steps 1"
        f" && hexdeck train {game} {flag} --steps 2 --export some.net"
    )


USELESS = (["--entropy", "0.1"], ["--opponents", "house"], ["--magnet", "1"])


@for_each(
    ("given", "said"),
    [
        *((["--deal-values", *extra], "don't go together") for extra in USELESS),
        *((["--imitate", "search:10", *extra], "don't go together") for extra in (*USELESS, ["--deal-values"])),
        *(
            (["--imitate", name], f"--imitate takes a search, such as search:1000, not {name}.")
            for name in ("house", "search:0", "search:house:10", "net", "searches")
        ),
    ],
)
def test_what_a_kind_has_no_use_for_is_refused(given, said, tmp_path, capsys) -> None:
    folder = tmp_path / "run"
    command = ["train", "black-hearts", "--players", "4", "--hidden", "8", "--steps", "1", "--resume", str(folder)]
    assert main([*command, *given]) == 2
    assert said in capsys.readouterr().err and not folder.exists()
