"""A learner of a public library: MaskablePPO of sb3-contrib learns a game by self-play in PettingZoo's form.

    pip install '.[envs,learn]' in Hexdeck's folder
    python examples/public_learner.py hawthorn --steps 50000 --policy hawthorn.zip --onnx hawthorn.onnx

The learner has a seat, another one each match; the policy that it has learned so far plays the other seats, each as it
sees the table. Then the policy sits in Gymnasium's form among bots, and what it gains over a random player in its
place, on the same deals, is told. Masks come from the environments: the learner never tries what isn't legal. The net
in the ONNX file plays wherever a bot is named, as `onnx:hawthorn.onnx`, and is measured there.
"""

import argparse
from pathlib import Path
from typing import Any, cast

import numpy as np

import hexdeck

try:
    import gymnasium

    from hexdeck.envs import pettingzoo
    from hexdeck.envs.gymnasium import SeatEnv
except ModuleNotFoundError as error:
    missing = f"{error.name} is not installed; pip install '.[envs,learn]' in Hexdeck's folder brings it."
    raise SystemExit(missing) from None

Told = tuple[np.ndarray, dict[str, Any]]


class SelfPlay(gymnasium.Env):
    """A seat at PettingZoo's table; `policy` plays the others, at random as long as there is none."""

    def __init__(self, name: str, players: int | None = None) -> None:
        self.table, self.policy = pettingzoo.raw_env(name, players), cast(Any, None)
        self.agent = self.table.possible_agents[0]
        self.observation_space = self.table.observation_space(self.agent)["observation"]
        self.action_space = self.table.action_space(self.agent)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Told:
        """A new match in which the learner has something to decide."""
        super().reset(seed=seed)
        self.agent = self.table.possible_agents[self.np_random.integers(self.table.max_num_agents)]
        self.table.reset(seed, options)
        while self.others_play():
            self.table.reset()
        return self.seen(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """The learner acts, then the others, until it must again, or the match is over."""
        self.table.step(int(action))
        ended = self.others_play()
        return self.seen(), float(self.table.rewards[self.agent]), ended, False, {}

    def others_play(self) -> bool:
        """The others act until the learner must; whether the match is over."""
        table = self.table
        while not table.terminations[self.agent] and table.agent_selection != self.agent:
            seen = table.observe(table.agent_selection)
            table.step(chosen(self.policy, seen["observation"], seen["action_mask"], self.np_random))
        return bool(table.terminations[self.agent])

    def seen(self) -> np.ndarray:
        """What the learner's seat knows."""
        found: np.ndarray = self.table.observe(self.agent)["observation"]
        return found

    def action_masks(self) -> np.ndarray:
        """Which actions the learner may choose."""
        mask: np.ndarray = self.table.observe(self.agent)["action_mask"].astype(np.bool_)
        return mask


def chosen(policy: Any, observation: np.ndarray, mask: np.ndarray, dice: np.random.Generator) -> int:
    """What a policy chooses; without one any legal action."""
    if policy is None:
        return int(dice.choice(np.flatnonzero(mask)))
    return int(policy.predict(observation, action_masks=mask.astype(np.bool_))[0])


def results(policy: Any, game: Any, bots: str, matches: int) -> np.ndarray:
    """The policy's result in each match, on the seats in turn, among bots: Gymnasium's form."""
    dice, found = np.random.default_rng(1), []
    seats = [SeatEnv(game.name, game.players, seat, bots, **game.options) for seat in range(game.players)]
    for number in range(matches):
        env = seats[number % game.players]
        seen, info = env.reset(seed=1 if number < game.players else None)
        ended, reward = False, 0.0
        while not ended:
            action = chosen(policy, seen["observation"], info["action_mask"], dice)
            seen, reward, ended, _, info = env.step(action)
        found.append(reward)
    return np.array(found)


def learned(env: SelfPlay, steps: int, seed: int = 0) -> Any:
    """A policy that has learned by playing itself for so many decisions."""
    from sb3_contrib import MaskablePPO

    model = MaskablePPO(
        "MlpPolicy", env, n_steps=min(steps, 1024), batch_size=128, ent_coef=0.01, seed=seed, device="cpu"
    )
    env.policy = model
    return model.learn(steps)


def export(model: Any, file: Path) -> None:
    """Write the net of a policy as an ONNX file: observations in, logits out."""
    import torch

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.policy = model.policy

        def forward(self, observation: Any) -> Any:
            seen = self.policy.pi_features_extractor(observation)
            return self.policy.action_net(self.policy.mlp_extractor.forward_actor(seen))

    size = model.observation_space.shape[0]
    rows = {"observation": {0: "rows"}, "logits": {0: "rows"}}
    names = {"input_names": ["observation"], "output_names": ["logits"], "dynamic_axes": rows}
    torch.onnx.export(Logits(), (torch.zeros(1, size),), str(file), dynamo=False, **names)


def main() -> None:
    """Learn, and tell what it gained."""
    parser = argparse.ArgumentParser(description="MaskablePPO learns a game by self-play in PettingZoo's form.")
    parser.add_argument("game", nargs="?", default="hawthorn")
    parser.add_argument("--players", type=int, help="as few as the game allows, if nothing is said")
    parser.add_argument("--steps", type=int, default=50_000, help="decisions to learn from")
    parser.add_argument("--matches", type=int, default=2000, help="matches to judge by")
    parser.add_argument("--bots", default="random", help="who it is judged among")
    parser.add_argument("--policy", type=Path, help="a file for the policy")
    parser.add_argument("--onnx", type=Path, help="an ONNX file for its net")
    given = parser.parse_args()
    try:
        game = hexdeck.game(given.game, given.players or min(hexdeck.game(given.game).rules.PLAYERS))
        before = results(None, game, given.bots, given.matches)
        model = learned(SelfPlay(given.game, game.players), given.steps)
        if given.policy:
            model.save(given.policy)
        if given.onnx:
            export(model, given.onnx)
    except ModuleNotFoundError as error:
        parser.error(f"{error.name} is not installed; pip install '.[envs,learn]' in Hexdeck's folder brings it.")
    except (hexdeck.HexdeckError, OSError) as error:
        parser.error(str(error))
    gains = results(model, game, given.bots, given.matches) - before
    margin = 1.96 * gains.std(ddof=1) / len(gains) ** 0.5
    print(f"{given.steps} decisions; gain over a random player among {given.bots}: {gains.mean():+.3f} ± {margin:.3f}")


if __name__ == "__main__":
    main()
