"""A net learns a game from nothing by playing itself in a batch, until it beats the house bot.

    python examples/self_play.py cursed-hand --players 2 --minutes 10 --curve curve.csv

Everything is here: play in `game.batch`, a net of two hidden layers, policy gradients with a clipped objective (PPO;
Schulman and others 2017), and a judgement against the house bot on both seats in turn. NumPy only.
"""

import argparse
import copy
import csv
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hexdeck

LANES, STEPS, MATCHES = 512, 96, 2000  # matches at once, decisions of each before learning, matches of a judgement
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
        self.scale, self.steps = np.ones(inputs, np.float32), 0
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
    """Decisions of matches that came to their end, each with the result that its seat had."""
    arrays, steps = batch.arrays, []
    for _ in range(STEPS):
        step = {"seen": arrays.observations.copy(), "masks": arrays.masks.copy(), "seats": arrays.seats.copy()}
        odds = chances(net.think(step["seen"])[-1], step["masks"])
        step["chosen"] = drawn(odds, dice)
        step["odds"] = np.take_along_axis(odds, step["chosen"][:, None], 1)[:, 0]
        batch.step(step["chosen"])
        steps.append(step | {"ends": arrays.ends.copy(), "rewards": arrays.rewards.copy()})
    results, known = np.zeros_like(arrays.rewards), np.zeros(len(batch), np.bool_)
    for step in reversed(steps):
        results[step["ends"]], known = step["rewards"][step["ends"]], known | step["ends"]
        step["results"], step["known"] = results[np.arange(len(batch)), step["seats"]], known.copy()
    whole = {key: np.concatenate([step[key] for step in steps]) for key in steps[0] if key not in ("ends", "rewards")}
    return {key: column[whole["known"]] for key, column in whole.items()}


def improve(net: Net, made: Arrays, dice: np.random.Generator) -> None:
    """Play more of what went better than expected, a little at a time."""
    spread = made["results"].std() + 1e-6
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


def judged(game: Any, net: Net, number: int) -> tuple[float, float]:
    """The mean result of the net among house bots, on each seat in turn, and half its 95 % interval."""
    dice, results = np.random.default_rng(number), []
    for seat in range(game.players):
        bots = [None if other == seat else "house" for other in range(game.players)]
        lanes = MATCHES // game.players
        with game.batch(lanes, seed=1 << 40, first=number * MATCHES, bots=bots, auto_reset=False) as batch:
            result = np.zeros(lanes)
            while not batch.arrays.ends.all():
                batch.step(drawn(odds_of(net, batch.arrays), dice))
                result += batch.arrays.rewards[:, seat]
            results.append(result)
    every = np.concatenate(results)
    return float(every.mean()), float(1.96 * every.std() / len(every) ** 0.5)


def odds_of(net: Net, arrays: Any) -> np.ndarray:
    """The chances of actions in every lane; where a match is over any will do."""
    return chances(net.think(arrays.observations)[-1], arrays.masks | (arrays.counts == 0)[:, None])


def learning(game: Any, seconds: float, every: float, seed: int = 0) -> Iterator[tuple[float, int, float, float]]:
    """Learn for so long; now and then tell seconds, decisions learned from, the mean against house and its margin."""
    dice = np.random.default_rng(seed)
    batch, decided, told = game.batch(LANES, threads=2, seed=seed), 0, 0
    net = Net(game.observation_size, len(game.rules.ACTIONS), dice)
    net.scale = np.maximum(1, np.abs(played(batch, net, dice)["seen"]).max(0)).astype(np.float32)
    began = time.perf_counter()
    yield 0.0, 0, *judged(game, net, 0)
    while time.perf_counter() - began < seconds:
        made = played(batch, net, dice)
        improve(net, made, dice)
        net.settle()
        decided += len(made["chosen"])
        if time.perf_counter() - began >= every * (told + 1):
            told += 1
            yield time.perf_counter() - began, decided, *judged(game, net.steady(), told)


def main() -> None:
    """Learn, and tell how it goes."""
    parser = argparse.ArgumentParser(description="A net learns a game from nothing by playing itself.")
    parser.add_argument("game", nargs="?", default="cursed-hand")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--every", type=float, default=20, help="seconds between judgements")
    parser.add_argument("--curve", type=Path, help="a file for the learning curve")
    given = parser.parse_args()
    rows = []
    for seconds, decided, mean, margin in learning(
        hexdeck.game(given.game, given.players), 60 * given.minutes, given.every
    ):
        beaten = " - beaten" if mean > margin else ""
        print(f"{seconds:5.0f} s {decided / 1e6:6.2f} M decisions: {mean:+.3f} ± {margin:.3f}{beaten}", flush=True)
        rows.append((round(seconds, 1), decided, round(mean, 4), round(margin, 4)))
    if given.curve:
        with given.curve.open("w", newline="") as stream:
            csv.writer(stream).writerows([("seconds", "decisions", "mean", "margin"), *rows])


if __name__ == "__main__":
    main()
