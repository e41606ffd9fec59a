"""Whole games between nets of values and other bots in compiled code: see `bots.training.selfplay` for policies.

`collect_value_games` records what a seat knew after each of its moves where it had a choice. `odds` has a number for
every action; the temperatures in `heats` are in units of utility. Plain functions, interpreted or compiled by
`engine.backends`.
"""

from hexdeck.bots.nets.inference import INPUTS, draw_chance, soften, throw
from hexdeck.bots.nets.value_net import DESK, VIEW, action_values, begin_at, net_value, standing
from hexdeck.bots.search.tree import SEEKER
from hexdeck.bots.training.selfplay import GAMES, MOVES, SIZE, STANDING, VALUE, credit, other
from hexdeck.engine.backends.kernels import begin, lowest
from hexdeck.engine.contract import apply_action, legal_actions, returns
from hexdeck.engine.random import rewind

ENTRIES = ("collect_value_games", "rival")  # what Python calls
TYPES = {
    "_allowed": "boolean[:, ::1]",
    "_chosen": "int16[::1]",
    "desk": DESK,
    "facts": "float32[:, ::1]",
    "mind": "int64[::1]",
    "numbers": "int64[::1]",
    "results": "float64[:, ::1]",
    "seeker": SEEKER,
    "seen": "int8[:, ::1]",
    "table": "int64[:, ::1]",
    "who": "int8[::1]",
}


def collect_value_games(g, rows, table, nets, heats, sizes, seeker, units, actions, weights, rng, mind, desk, odds, out,
             number, seen, _allowed, _chosen, who, facts, state):  # fmt: skip
    """Play game after game until the table or the room ends; arguments as `selfplay.collect_selfplay` has them.

    The columns of `facts` are standing, value, advantage, target. A move that ends the game needs no record.
    """
    for k in range(table.shape[0]):
        s = begin(g, rows)
        rewind(mind, number + k)
        size = state[SIZE]
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, number + k)
                continue
            seat = lowest(s.acting)
            policy, count = table[k, seat], legal_actions(g, s, seat, actions)
            action = decided(
                g, rows, seat, policy, nets, heats, sizes, seeker, actions, count, weights, mind, desk, odds
            )
            apply_action(g, s, seat, action)
            state[MOVES] += 1
            if policy == 0 and count > 1 and not s.over:
                if size == seen.shape[0]:
                    return
                note(g, rows, seat, nets[0], sizes, desk, seen, facts, size)
                who[size] = seat
                size += 1
        returns(g, s, out)
        credit(s, out, units, who, facts, state[SIZE], size, odds)
        state[SIZE] = size
        state[GAMES] += 1


def decided(g, rows, seat, policy, nets, heats, sizes, seeker, actions, count, weights, mind, desk, odds):
    """The action that whoever sits there chooses in row 0; a net thinks of one world."""
    if count == 1:
        return actions[0]
    if policy < 0:
        return other(g, rows, policy, seat, seeker, actions, count, weights, mind)
    action_values(g, rows, seat, nets[policy], sizes, 1, desk, actions, count, mind, odds)
    soften(odds, count, heats[policy])
    return actions[throw(odds, count, mind)]


def note(g, rows, seat, net, sizes, desk, seen, facts, at):
    """Write down what the seat knows of row 0, and what it is worth."""
    before, _first, _look, _near, _far, _further, _path, terms, out = desk
    begin_at(g, rows, seat, net, sizes, desk)
    facts[at, STANDING] = standing(g, rows, VIEW, seat, terms, out)
    facts[at, VALUE] = facts[at, STANDING] + net_value(g, rows, VIEW, seat, net, sizes, desk)
    for i in range(sizes[INPUTS]):
        seen[at, i] = before[i]


def rival(g, rows, table, nets, heats, sizes, seeker, actions, weights, rng, mind, desk, odds, out, numbers, results):
    """Play the games of the table, game k match `numbers[k]`; `results`, float64 (games, seats), gets the utilities."""
    for k in range(table.shape[0]):
        s = begin(g, rows)
        rewind(mind, k)
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, numbers[k])
                continue
            seat = lowest(s.acting)
            policy, count = table[k, seat], legal_actions(g, s, seat, actions)
            apply_action(g, s, seat, decided(
                g, rows, seat, policy, nets, heats, sizes, seeker, actions, count, weights, mind, desk, odds
            ))  # fmt: skip
        returns(g, s, out)
        for p in range(s.seats):
            results[k, p] = out[p]
