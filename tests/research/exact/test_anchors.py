"""Leduc poker and liar's dice through the same code: figures that others publish, and those of OpenSpiel's solvers."""

from collections.abc import Iterator
from pathlib import Path

import pyspiel
import pytest

import hexdeck
from hexdeck import testing
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.research.benchmark.algorithms import Ground, Task, ours
from hexdeck.research.exact import GameTree, sizes

ANCHORS = Path(__file__).parents[2] / "anchors"
# information sets (Lanctot 2013), all histories, ends, NashConv of uniform play, worth to the first seat at equilibria
PUBLISHED = {
    "leduc-poker": (936, 9457, 5520, 4.747222222222222, -0.0856),
    "liars-dice": (24576, 294883, 147420, 1.5614886463844795, -0.0272),
}


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(ANCHORS))
        yield
    forget()


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in PUBLISHED])
def test_figures_are_those_that_are_published(name: str) -> None:
    tree, (sets, histories, ends, uniform, worth) = GameTree(hexdeck.game(name)), PUBLISHED[name]
    assert (len(tree.keys), tree.histories, tree.terminals) == (sets, histories, ends)
    assert tree.nash_conv(tree.uniform()) == pytest.approx(uniform, abs=1e-12)
    solved = tree.cfr_plus(100)
    assert tree.values(solved)[0] == pytest.approx(worth, abs=2e-3) and tree.nash_conv(solved) < 0.03
    (size,) = sizes(name)
    assert (size.histories, size.uniform) == (histories, pytest.approx(uniform, abs=1e-6))


@pytest.mark.long
@pytest.mark.parametrize(("name", "steps"), [("leduc-poker", (1, 10, 100)), ("liars-dice", (1, 10))])
def test_cfr_plus_comes_to_what_openspiel_comes_to_after_as_many_iterations(name: str, steps: tuple[int, ...]) -> None:
    tree, theirs = GameTree(hexdeck.game(name)), pyspiel.load_game(name.replace("-", "_"))
    solver = pyspiel.CFRPlusSolver(theirs)
    for step, average in tree.cfr_plus_steps(steps[-1]):
        solver.evaluate_and_update_policy()
        if step in steps:
            assert tree.nash_conv(average()) == pytest.approx(pyspiel.nash_conv(theirs, solver.average_policy()), 1e-8)


@pytest.mark.long
@pytest.mark.parametrize(("name", "least"), [("mccfr", 0.4), ("ppo", 0.6), ("nfsp", 0.7)])
def test_learners_learn_leduc_poker(name: str, least: float) -> None:
    (size,) = sizes("leduc-poker")
    ground = Ground(size.name, size.game, size.histories)
    task, (work, policy) = Task(ground, 1, decisions=60_000), (0, GameTree.uniform)
    for work, policy in ours(name).learn(task):  # type: ignore[misc]  # noqa: B007
        if work >= 60_000:
            break
    assert ground.nash_conv(policy) < least * size.uniform


@pytest.mark.parametrize("check", testing.CHECKS)
@pytest.mark.parametrize("name", PUBLISHED)
def test_they_are_games_as_any(name: str, check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    if check not in {"backends", "conservation", "results"}:
        testing.run(check, name)
