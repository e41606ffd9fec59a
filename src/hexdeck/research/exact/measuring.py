"""What four ways of playing give away in a size of a game: NashConv, exact for each policy."""

from __future__ import annotations

import numpy as np

from hexdeck.bots.players.strategies import StrategyBot
from hexdeck.research.exact.known import known_structs
from hexdeck.research.exact.tree import GameTree, Policy

ASKED = 32  # times that a bot is asked in each information set: it draws lots, and no bot says its probabilities
STEPS = 200  # of CFR+
WAYS = "uniform", "house", "reply", "solver"


def strategy_policy(tree: GameTree, name: str = "house", asked: int = ASKED, seed: int = 0) -> Policy:
    """How often a bot that is a strategy makes each choice, of so many times that it is asked."""
    bot, policy = StrategyBot(tree.game, name, seed, None), np.zeros(len(tree.names))
    for number, known in enumerate(known_structs(tree)):
        first, end = int(tree.slots[number]), int(tree.slots[number + 1])
        if end == first + 1:
            policy[first] = 1
            continue
        places, seen = {int(action): k for k, action in enumerate(tree.names[first:end], first)}, known.tobytes()
        for _ in range(asked):
            policy[places[bot.choose(seen, int(tree.seats[number]))]] += 1 / asked
    return policy


def greedy_reply(tree: GameTree, policy: Policy) -> Policy:
    """The policy in which each seat plays its best response to all others playing by a policy."""
    reply = policy.copy()
    for seat in range(tree.game.players):
        own = np.repeat(tree.seats == seat, np.diff(tree.slots))
        reply[own] = tree.best_response(policy, seat)[1][own]
    return reply


def nash_convs(tree: GameTree) -> dict[str, float]:
    """NashConv, by WAYS: of uniform play, the house bot, the best responses to uniform play, and CFR+."""
    uniform = tree.uniform()
    policies = uniform, strategy_policy(tree), greedy_reply(tree, uniform), tree.cfr_plus(STEPS)
    return {way: tree.nash_conv(policy) for way, policy in zip(WAYS, policies, strict=True)}
