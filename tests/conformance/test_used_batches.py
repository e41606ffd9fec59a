"""Batches in use: what a seat gets follows from what it knows, whatever others got in the same arrays before it.

Two batches are brought to positions that a seat can't tell apart, written as they are, and stepped alike; when the seat
is asked, or sees the end, and still can't tell them apart by what it knows, not one byte may differ.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends import kernels_batch
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.envs.gymnasium import SeatVectorEnv
from hexdeck.simulation.batch import Batch
from tests.positions import whole
from tests.secrecy.channels import Report
from tests.settings import data, every_game, much

BACKEND = "interpreted"
ENOUGH, STEPS = much(3, 8), much(300, 500)  # worlds that really differ; steps to find them


class Table:
    """A batch of one environment in use, and what its caller gets."""

    def __init__(self, batch: Batch, step: Callable[[np.ndarray], bytes], over: np.ndarray | None = None) -> None:
        self.batch, self.step, self.over = batch, step, np.zeros(1, np.bool_) if over is None else over

    @classmethod
    def of(cls, name: str, form: str) -> "Table":
        """A table of three in one of the forms."""
        game, bots = hexdeck.game(name, 3, **data(name)["hiding"][0]), [None, "house", "random"]
        if form == "gymnasium":
            env = SeatVectorEnv(name, 1, 3, bots=["house", "random"], **game.options)
            env.reset(seed=1)
            return cls(env.batch, lambda chosen: repr(env.step(chosen)).encode(), env._over)
        how = {
            "dealt": {},
            "by hand": {"by_hand": True},
            "bots": {"bots": bots},
            "bots by hand": {"bots": bots, "by_hand": True},
            "to the end": {"eye": 0},
        }[form]
        batch = game.batch(1, seed=1, backend=BACKEND, auto_reset=False, **how)
        return cls(batch, lambda chosen: batch.step(chosen) and b"")

    def take(self, match: Match, like: "Table") -> None:
        """Stand where a match does, with the same dice as another table, and write it."""
        shard = self.batch._workers.shards[0]
        raw(shard.rows)[kernels_batch.FIRST] = np.frombuffer(whole(match), np.uint8)
        self.batch._numbers[:], self.over[:], shard.envs[2][0] = like.batch._numbers, like.over, False
        for mine, theirs in zip(self.batch._generators, like.batch._generators, strict=True):
            mine[:] = theirs
        kernels_batch.show(self.batch.driver.g, shard.rows, 0, shard.out, shard.weights, self.batch._settings)

    def possible(self, chosen: int) -> bool:
        arrays = self.batch.arrays
        return bool(arrays.masks[0, chosen] if arrays.seats[0] >= 0 else arrays.weights[0, chosen] > 0)

    def written(self) -> dict[str, bytes]:
        """All that is in the arrays; where chance is handed out, what it is told is not for seats."""
        arrays = vars(self.batch.arrays)
        hidden = {"weights"} if self.batch.by_hand and self.batch.arrays.seats[0] < 0 else set()
        return {name: array.tobytes() for name, array in arrays.items() if name not in hidden}


def observers(table: Table) -> Iterator[int]:
    """Who may look next: the caller's seats, and the public where nobody is asked."""
    yield from (seat for seat in range(table.batch.game.players) if table.batch._callers >> seat & 1)
    yield -1


def asked(table: Table, over: bool) -> int:
    eye = int(np.asarray(table.batch._settings.cells)[kernels_batch.EYE])
    return eye if over else int(table.batch.arrays.seats[0])


def compared(name: str, form: str, enough: int = ENOUGH, steps: int = STEPS) -> Report:
    """Step two tables whose worlds differ in what a seat doesn't know, and compare what it gets."""
    rng, report = random.Random(3), Report()
    true, other = Table.of(name, form), Table.of(name, form)
    for _ in range(steps):
        if report.changed >= enough or (report.leaks["arrays"] and enough > ENOUGH):
            break
        chosen = true.batch.random().copy()
        position, seat = true.batch.position(0), 0 if form == "to the end" else rng.choice(list(observers(true)))
        other.take(position.resample(seat, rng.getrandbits(60)), true)
        fits = other.possible(int(chosen[0]))
        answers = true.step(chosen), other.step(chosen) if fits else b""
        here = true.batch.position(0)
        if fits and asked(true, here.over) == seat and (form != "to the end" or here.over):
            there = other.batch.position(0)
            if here.concealed(seat) == there.concealed(seat):
                report.worlds += 1
                report.changed += whole(here) != whole(there)
                report.leaks["arrays"] += true.written() != other.written() or answers[0] != answers[1]
        if here.over and form != "gymnasium":
            true.batch.reset()
    return report


FORMS = ["dealt", "by hand", "bots", "bots by hand", "to the end", "gymnasium"]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worlds are put into rows between steps, which only interpreted batches are slow enough for."""
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


@pytest.mark.parametrize("form", FORMS)
@every_game
def test_no_batch_in_use_tells_worlds_apart(name: str, form: str) -> None:
    report = compared(name, form)
    assert not report.leaks["arrays"], str(report)
    assert report.changed >= ENOUGH or form not in {"dealt", "by hand"}, str(report)
    assert report.worlds, str(report)


def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists keep behind their end what was there for others."""
    show = kernels_batch.show

    def leaky(g: Any, rows: Any, k: int, out: Any, weights: Any, terms: Any) -> None:
        kept = list(np.asarray(out[kernels_batch.LISTS][k].cells))
        show(g, rows, k, out, weights, terms)
        for j in range(out[kernels_batch.COUNTS][k], len(kept)):
            out[kernels_batch.LISTS][k][j] = kept[j]

    monkeypatch.setattr(kernels_batch, "show", leaky)


def talkative(monkeypatch: pytest.MonkeyPatch) -> None:
    weigh = kernels_batch.show_weights

    def leaky(g: Any, s: Any, checked: Any, weights: Any) -> None:
        if not s.acting:
            weigh(g, s, checked, weights)

    monkeypatch.setattr(kernels_batch, "show_weights", leaky)


def open_handed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels_batch, "conceal", lambda g, s, seat: None)
    monkeypatch.setattr(
        kernels_batch, "observe", lambda g, s, seat, out: out.__setitem__(0, crc32(bytes(s.row_)) % 127)
    )


@pytest.mark.parametrize(
    ("name", "form", "plant"),
    [
        ("wolf-mans-curse", "dealt", forgetful),
        ("cursed-hand", "bots", forgetful),
        ("cursed-hand", "bots by hand", forgetful),
        ("hawthorn", "by hand", talkative),
        ("cursed-hand", "to the end", open_handed),
        ("high-handed", "dealt", open_handed),
        ("high-handed", "gymnasium", open_handed),
    ],
)
def test_a_planted_leak_is_found(name: str, form: str, plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert compared(name, form, 40, 500).leaks["arrays"]
