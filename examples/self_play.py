"""A net learns a game from nothing by playing itself in a batch; in the end it is judged against the house bot.

    python examples/self_play.py cursed-hand --players 2 --minutes 10 --curve curve.csv --policy net.npz

Everything is here: play in `game.batch`, a net of two hidden layers, policy gradients with a clipped objective (PPO;
Schulman and others 2017), and a judgement: what the net gains in each seat over a house bot in its place, on the same
deals. The curve shows how it goes; whether house is beaten is judged once, at the end, on deals not looked at before.
NumPy only.
"""

import argparse
import copy
import csv
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hexdeck

ENVS, STEPS, MATCHES = 512, 96, 1000  # matches at once, decisions of each before learning, deals of a point
JUDGED, UNSEEN, FINAL = 1 << 40, 1 << 30, 10_000  # the seed of judgements, the first deal of the last one, its deals
WIDTH, RATE, CLIP, EPOCHS, PART = 96, 1e-3, 0.2, 2, 1024
ENTROPY = 0.06  # how much variety is worth, in units of the usual spread of results
Arrays = dict[str, np.ndarray]


class Net:
    """Observations to one number for each action and the result to be expected; two hidden layers, learned by Adam."""

    def __init__(self, inputs: int, actions: int, dice: np.random.Generator) -> None:
        sizes = [(inputs, WIDTH), (WIDTH, WIDTH), (WIDTH, actions + 1)]
        self.parts = [dice.normal(0, size[0] ** -0.5, size).astype(np.float32) for size in sizes]
        self.parts += [np.zeros(size[1], np.float32) for size in sizes]
        self.parts[2] *= 0.01
        self.means, self.squares = ([np.zeros_like(part) for part in self.parts] for _ in range(2))
        self.scale, self.steps, self.spread = np.ones(inputs, np.float32), 0, 1.0
        self.mean = [part.copy() for part in self.parts]

    def think(self, seen: np.ndarray) -> tuple[np.ndarray, ...]:
        """What stands in each layer: inputs, two hidden layers, outputs; the last output is the expected result."""
        a, b, c, p, q, r = self.parts
        x = seen / self.scale
        h = np.maximum(x @ a + p, 0)
        k = np.maximum(h @ b + q, 0)
        return x, h, k, k @ c + r

    def settle(self) -> None:
        """Move the mean of what has been learned a little; self-play goes in circles, and their middle plays best."""
        self.mean = [mean + 0.03 * (part - mean) for mean, part in zip(self.mean, self.parts, strict=True)]

    def steady(self) -> "Net":
        """A net with the mean parts, to be judged."""
        other = copy.copy(self)
        other.parts = list(self.mean)
        return other

    def learn(self, layers: tuple[np.ndarray, ...], slope: np.ndarray) -> None:
        """One step of Adam down the slope at the outputs."""
        x, h, k, _ = layers
        _, b, c, *_ = self.parts
        at_k = (slope @ c.T) * (k > 0)
        at_h = (at_k @ b.T) * (h > 0)
        slopes = [x.T @ at_h, h.T @ at_k, k.T @ slope, at_h.sum(0), at_k.sum(0), slope.sum(0)]
        self.steps += 1
        unbias = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for i, gradient in enumerate(slopes):
            self.means[i] += 0.1 * (gradient - self.means[i])
            self.squares[i] += 0.001 * (gradient * gradient - self.squares[i])
            self.parts[i] -= RATE * unbias * self.means[i] / (np.sqrt(self.squares[i]) + 1e-8)


def chances(outputs: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """How often each action is played: never where it isn't legal."""
    logits = np.where(masks, outputs[:, :-1], -np.inf)
    odds = np.exp(logits - logits.max(1, keepdims=True))
    found: np.ndarray = odds / odds.sum(1, keepdims=True)
    return found


def drawn(odds: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """An action for each row, by its chances."""
    reach = odds.cumsum(1)
    found: np.ndarray = (dice.random((len(odds), 1)) * reach[:, -1:] >= reach).sum(1)
    return found


def played(batch: Any, net: Net, dice: np.random.Generator) -> Arrays:
    """Decisions, each with the result that its seat had; where a match goes on, with what the seat expected last."""
    arrays, steps = batch.arrays, []
    for _ in range(STEPS):
        step = {"seen": arrays.observations.copy(), "masks": arrays.masks.copy(), "seats": arrays.seats.copy()}
        outputs = net.think(step["seen"])[-1]
        odds = chances(outputs, step["masks"])
        step["chosen"] = drawn(odds, dice)
        step["odds"] = np.take_along_axis(odds, step["chosen"][:, None], 1)[:, 0]
        batch.step(step["chosen"])
        steps.append(step | {"ends": arrays.ends.copy(), "rewards": arrays.rewards.copy(), "hopes": outputs[:, -1]})
    settled(steps, net.spread)
    names = ("seen", "masks", "chosen", "odds", "results")
    whole = {key: np.concatenate([step[key] for step in steps]) for key in (*names, "known")}
    return {key: whole[key][whole["known"]] for key in names}


def settled(steps: list[Arrays], spread: float) -> None:
    """Write `results` of every decision, and whether they are `known`, going back from the last."""
    envs = np.arange(len(steps[0]["seats"]))
    results = np.zeros_like(steps[0]["rewards"])
    known = np.zeros(results.shape, np.bool_)
    for step in reversed(steps):
        ends, seats = step["ends"], step["seats"]
        results[ends], known[ends] = step["rewards"][ends], True
        step["known"] = known[envs, seats]
        expected = np.where(step["known"], results[envs, seats], spread * step["hopes"])
        step["results"] = results[envs, seats] = expected
        known[envs, seats] = True


def improve(net: Net, made: Arrays, dice: np.random.Generator) -> None:
    """Play more of what went better than expected, a little at a time."""
    spread = net.spread = float(made["results"].std() + 1e-6)
    for _ in range(EPOCHS):
        order = dice.permutation(len(made["chosen"]))
        for begin in range(0, len(order), PART):
            part = {key: column[order[begin : begin + PART]] for key, column in made.items()}
            layers = net.think(part["seen"])
            net.learn(layers, slope(layers[-1], part, spread))


def slope(outputs: np.ndarray, part: Arrays, spread: float) -> np.ndarray:
    """Where the objective falls, at the outputs: the clipped gain, variety, and the error of the expected result."""
    odds, rows = chances(outputs, part["masks"]), np.arange(len(outputs))
    wanted = part["results"] / spread
    gain = wanted - outputs[:, -1]
    ratio = odds[rows, part["chosen"]] / part["odds"]
    counts = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    logs = np.log(np.maximum(odds, 1e-12))
    out = np.zeros_like(outputs)
    out[:, :-1] = odds * (gain * ratio * counts)[:, None] + ENTROPY * odds * (
        logs - (odds * logs).sum(1, keepdims=True)
    )
    out[rows, part["chosen"]] -= gain * ratio * counts
    out[:, -1] = -0.5 * gain
    return out / len(out)


def judged(game: Any, net: Net, first: int, deals: int) -> tuple[float, float]:
    """What the net gains over a house bot in its place, the mean of all seats, and half its 95 % interval by deals."""
    dice, gains = np.random.default_rng(first), np.zeros(deals)
    usual = game.simulate(deals, "house", seed=JUDGED, first=first).returns
    for seat in range(game.players):
        bots = [None if other == seat else "house" for other in range(game.players)]
        with game.batch(deals, seed=JUDGED, first=first, bots=bots, auto_reset=False) as batch:
            result = np.zeros(deals)
            while not batch.arrays.ends.all():
                batch.step(drawn(odds_of(net, batch.arrays), dice))
                result += batch.arrays.rewards[:, seat]
        gains += (result - usual[:, seat]) / game.players
    return float(gains.mean()), float(1.96 * gains.std(ddof=1) / deals**0.5)


def odds_of(net: Net, arrays: Any) -> np.ndarray:
    """The chances of actions in every environment; where a match is over any will do, as its mask says."""
    return chances(net.think(arrays.observations)[-1], arrays.masks)


def learning(game: Any, seed: int = 0) -> Iterator[tuple[Net, int]]:
    """Learn without end; after each round the net that is steady, and how many decisions were learned from."""
    dice, decided = np.random.default_rng(seed), 0
    net = Net(game.observation_size, len(game.rules.ACTIONS), dice)
    with game.batch(ENVS, threads=2, seed=seed) as batch:
        seen = played(batch, net, dice)["seen"].astype(np.float32)
        net.scale = np.maximum(1, np.abs(seen).max(0))
        while True:
            yield net.steady(), decided
            made = played(batch, net, dice)
            improve(net, made, dice)
            net.settle()
            decided += len(made["chosen"])


def watched(game: Any, seconds: float, every: float, tell: Callable[..., None]) -> Net:
    """Learn for so long, or until interrupted; now and then and at the end tell seconds, decisions, gain and margin."""
    began, reported = 0.0, 0
    try:
        for net, decided in learning(game):
            began = began or time.perf_counter()
            spent = time.perf_counter() - began
            if spent >= every * reported or spent >= seconds:
                tell(spent, decided, *judged(game, net, reported * MATCHES, MATCHES))
                reported += 1
            if spent >= seconds:
                break
    except KeyboardInterrupt:
        print("Interrupted: what has been learned is judged.", flush=True)
    return net


def keep(net: Net, file: Path) -> None:
    """Write a net: `scale` divides observations; then layers in turn, weights and biases, as `Net.think` takes them."""
    parts: dict[str, Any] = {f"part{k}": part for k, part in enumerate(net.parts)}
    np.savez(file, scale=net.scale, **parts)


def main() -> None:
    """Learn, tell how it goes, and judge."""
    parser = argparse.ArgumentParser(description="A net learns a game from nothing by playing itself.")
    parser.add_argument("game", nargs="?", default="cursed-hand")
    parser.add_argument("--players", type=int, help="as few as the game allows, if nothing is said")
    parser.add_argument("--minutes", type=float, default=10, help="minutes of the clock to learn")
    parser.add_argument("--every", type=float, default=20, help="seconds between points of the curve")
    parser.add_argument("--curve", type=Path, help="a file for the learning curve")
    parser.add_argument("--policy", type=Path, help="a file for the net (.npz)")
    given = parser.parse_args()
    try:
        game = hexdeck.game(given.game, given.players or min(hexdeck.game(given.game).rules.PLAYERS))
        with (given.curve or Path(os.devnull)).open("w", newline="", buffering=1) as stream:
            net = run(game, given, csv.writer(stream, lineterminator="\n"))
        if given.policy:
            keep(net, given.policy)
    except (hexdeck.HexdeckError, OSError) as error:
        parser.error(str(error))


def run(game: Any, given: argparse.Namespace, curve: Any) -> Net:
    """Learn with a curve that is written as it goes, then the judgement that counts."""
    curve.writerow(("seconds", "decisions", "gain", "margin"))

    def tell(seconds: float, decided: int, gain: float, margin: float) -> None:
        print(f"{seconds:5.0f} s {decided / 1e6:6.2f} M decisions: {gain:+.3f} ± {margin:.3f}", flush=True)
        curve.writerow((round(seconds, 1), decided, round(gain, 4), round(margin, 4)))

    net = watched(game, 60 * given.minutes, given.every, tell)
    gain, margin = judged(game, net, UNSEEN, FINAL)
    verdict = "house is beaten" if gain > margin else "house is not beaten"
    print(f"On {FINAL} deals not looked at before: {gain:+.3f} ± {margin:.3f} - {verdict}.")
    return net


if __name__ == "__main__":
    main()
