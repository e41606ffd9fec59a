"""Whole games between nets, strategies and searches in compiled code, recorded to learn from.

`play_games` records decisions. `collect_deals` records what seats know when house bots begin a deal: most luck is
spent, most secrets are out, and a deal net estimates what a seat can expect from there (see `bots.search.rollout`).

Plain functions, interpreted or compiled by `engine.backends`; the arrays are their callers'. What they share:

- A lineup is an int64 array (games, seats) that says who sits where: 0 and up is a net, -1 - p the policy p of
  `engine.backends.kernels`, `SEARCH` a tree search.
- `players` is (nets, temperatures, sizes, tree): a stack of weights, the temperature of each net (float64), the sizes
  of all of them, and the tree as `tree.search_action` takes it.
- `generators` is (chance, players): chance draws by the number of the match, players draw from a stream.
- `scaling`, float64, holds the mean and the standard deviation of utility, and lambda of the advantages.
- `scratch` is (actions, weights, layers, estimates, utilities, ahead): room for legal actions, weights of chance and a
  net's layers, and float64 arrays: a decision's log-probability and value, utilities of seats, and two numbers a seat.
- `batch` is (inputs, legal, chosen, labels, seats): the columns of `DecisionBatch`, and whose decision it was (int8).
- `state`, int64, counts recorded decisions, games played to their end, and moves.
"""

import math

from hexdeck.bots.nets.inference import INPUTS, LAYERS, action_probabilities, encode, encode_known, sample
from hexdeck.bots.search.tree import ROOT, TREE, search_action
from hexdeck.engine.backends.kernels import begin, decide, draw_chance, lowest, sample_chance
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, returns, struct
from hexdeck.engine.random import rewind

RANDOM, HOUSE, GENTLE, SEARCH, NOBODY = -1, -2, -3, -4, -5  # of a lineup, besides nets; nobody is in none
LOGP, VALUE, ADVANTAGE, TARGET = range(4)  # columns of labels
GAME = VALUE  # in its place where results alone are learned: the number of the game, from 0
SIZE, GAMES, MOVES = range(3)  # of state
MEAN, STD, LAMBDA = range(3)  # of scaling
VIEW = 3  # the row for what a seat knows when a deal begins

# the types of what playing for a net writes to, and of what it learns from
GENERATORS = "Tuple((int64[::1], int64[::1]))"
SCRATCH = f"Tuple((int16[::1], int32[::1], {LAYERS}, float64[::1], float64[::1], float64[::1]))"
BATCH = "Tuple((int8[:, ::1], boolean[:, ::1], int16[::1], float32[:, ::1], int8[::1]))"
ENTRIES = ("play_games", "collect_deals")  # what Python calls
TYPES = {
    "batch": BATCH,
    "generators": GENERATORS,
    "lineup": "int64[:, ::1]",
    "matches": "int64[::1]",
    "players": f"Tuple((float64[:, ::1], float64[::1], int64[::1], {TREE}))",
    "results": "float64[:, ::1]",
    "scaling": "float64[::1]",
    "scratch": SCRATCH,
    "streams": "int64[::1]",
}


def play_games(
    g, rows, lineup, matches, streams, players, scaling, recorded, generators, scratch, batch, results, state
):
    """Play the games of the lineup, game k as match `matches[k]`, until all are over or the batch is full.

    Players draw from stream `streams[k]` of their generator. The decisions of whoever is `recorded` in the lineup are
    added to the batch; a game that it has no room for doesn't count. `results`, float64 (games, seats), gets the
    utilities.
    """
    _inputs, _legal, _chosen, labels, seats = batch
    utilities, ahead = scratch[4], scratch[5]
    for k in range(lineup.shape[0]):
        s = begin(g, rows)
        rewind(generators[1], streams[k])
        size = play_game(g, rows, s, lineup, k, matches[k], players, recorded, generators, scratch, batch, state)
        if size < 0:
            return
        returns(g, s, utilities)
        for p in range(s.seats):
            results[k, p] = utilities[p]
        if recorded == SEARCH:
            label_results(utilities, scaling, seats, labels, state[SIZE], size, state[GAMES])
        else:
            label_advantages(s, utilities, scaling, seats, labels, state[SIZE], size, ahead)
        state[SIZE] = size
        state[GAMES] += 1


def play_game(g, rows, s, lineup, k, match, players, recorded, generators, scratch, batch, state):
    """Play game k of the lineup in row 0; returns how many decisions are recorded then, -1 if the batch is full.

    Only decisions with a choice are recorded.
    """
    actions, weights, _layers, _estimates, _utilities, _ahead = scratch
    seats, sizes = batch[4], players[2]
    size, room = state[SIZE], seats.shape[0]
    while not s.over:
        if s.acting == 0:
            draw_chance(g, s, weights, generators[0], match)
            continue
        seat = lowest(s.acting)
        count = legal_actions(g, s, seat, actions)
        policy, action = lineup[k, seat], actions[0]
        records = policy == recorded and count > 1
        if records and size == room:
            return -1
        if count > 1:
            action = chosen_action(g, rows, seat, policy, players, actions, count, generators[1], scratch)
        if records:
            record_choice(g, rows, seat, policy, sizes, count, action, scratch, batch, size)
            seats[size] = seat
            size += 1
        apply_action(g, s, seat, action)
        state[MOVES] += 1
    return size


def chosen_action(g, rows, seat, policy, players, actions, count, rng, scratch):
    """The action of the player on a seat, from what the seat knows of row 0.

    A net's log-probability of its action and its value are written to the estimates.
    """
    nets, temperatures, sizes, tree = players
    _actions, weights, layers, estimates, _utilities, _ahead = scratch
    if policy == SEARCH:
        copy_row(rows, ROOT, 0)
        conceal(g, struct(g, rows, ROOT), seat)
        return search_action(g, rows, seat, tree, actions, count, weights, rng)
    if policy < 0:
        return decide(g, rows, 0, -1 - policy, seat, actions, count, rng)
    net, temperature, probabilities = nets[policy], temperatures[policy], layers[3]
    estimates[VALUE] = action_probabilities(g, rows, seat, net, sizes, temperature, layers, actions, count)
    at = sample(probabilities, count, rng)
    estimates[LOGP] = math.log(probabilities[at] + 1e-30)
    return actions[at]


def record_choice(g, rows, seat, policy, sizes, count, action, scratch, batch, at):
    """Record a decision in row `at` of the batch: the net's input, legal actions, the chosen one, the estimates."""
    actions, _weights, layers, estimates, _utilities, _ahead = scratch
    inputs, legal, chosen, labels, _seats = batch
    observed = layers[0]
    if policy < 0:  # a net has encoded it already
        encode_known(g, rows, seat, sizes, observed)
    for i in range(sizes[INPUTS]):
        inputs[at, i] = observed[i]
    for a in range(legal.shape[1]):
        legal[at, a] = 0
    for k in range(count):
        legal[at, actions[k]] = 1
    chosen[at] = action
    labels[at, LOGP], labels[at, VALUE] = estimates[LOGP], estimates[VALUE]


def label_advantages(s, utilities, scaling, seats, labels, first, end, ahead):
    """Label the decisions of one game with generalised advantages (Schulman and others 2016), undiscounted.

    `ahead`, float64: two numbers a seat, written over.
    """
    for p in range(s.seats):
        ahead[2 * p], ahead[2 * p + 1] = (utilities[p] - scaling[MEAN]) / scaling[STD], 0.0
    for i in range(end - 1, first - 1, -1):
        p = 2 * seats[i]
        ahead[p + 1] = ahead[p] - labels[i, VALUE] + scaling[LAMBDA] * ahead[p + 1]
        ahead[p] = 1.0 * labels[i, VALUE]
        labels[i, ADVANTAGE] = ahead[p + 1]
        labels[i, TARGET] = ahead[p + 1] + ahead[p]


def label_results(utilities, scaling, seats, labels, first, end, game):
    """Label the decisions of one game with its number, and with the normalised utility of their seats as the target."""
    for at in range(first, end):
        labels[at, LOGP], labels[at, GAME] = 0.0, game
        labels[at, TARGET] = (utilities[seats[at]] - scaling[MEAN]) / scaling[STD]


# --- deals ------------------------------------------------------------------------------------------------------------
def collect_deals(g, rows, games, scaling, sizes, generators, number, scratch, batch, state):
    """Play so many games or until the batch is full; a game that it has no room for doesn't count.

    Records every seat at the beginning of each deal but the first; the labels are as `label_results` writes them. Game
    k draws from stream `number` + k of both generators.
    """
    actions, weights, layers, _estimates, utilities, _ahead = scratch
    inputs, _legal, _chosen, labels, seats = batch
    chance, rng = generators
    for k in range(games):
        s = begin(g, rows)
        rewind(chance, number + k)
        rewind(rng, number + k)
        size, deal = state[SIZE], s.deal
        while not s.over:
            if s.deal != deal:
                if size + s.seats > inputs.shape[0]:
                    return
                deal = s.deal
                record_seats(g, rows, s, sizes, layers[0], inputs, seats, size)
                size += s.seats
            if s.acting == 0:
                sample_chance(g, s, weights, chance)  # which never goes beyond the beginning of a deal
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            action = decide(g, rows, 0, -1 - HOUSE, seat, actions, count, rng) if count > 1 else actions[0]
            apply_action(g, s, seat, action)
            state[MOVES] += 1
        returns(g, s, utilities)
        label_results(utilities, scaling, seats, labels, state[SIZE], size, state[GAMES])
        state[SIZE] = size
        state[GAMES] += 1


def record_seats(g, rows, s, sizes, observed, inputs, seats, first):
    """Record what each seat knows of row 0, from row `first` of a batch on."""
    for p in range(s.seats):
        copy_row(rows, VIEW, 0)
        conceal(g, struct(g, rows, VIEW), p)
        encode(g, rows, VIEW, p, sizes, observed)
        for i in range(sizes[INPUTS]):
            inputs[first + p, i] = observed[i]
        seats[first + p] = p
