"""Whole games of the house bot in compiled code, recorded at the beginning of each deal: what deal nets learn from.

When a deal is over, most of its luck is spent and most of its secrets are out. A deal net estimates the utility that a
seat can expect from there, so that rollouts can stop there: they take less time, and vary less by the luck of later
deals (see `bots.search.rollout`). Plain functions, interpreted or compiled by `engine.backends`.
"""

from hexdeck.bots.nets.inference import INPUTS, encode
from hexdeck.engine.backends.kernels import HOUSE, begin, decide, lowest, sample_chance
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, returns, struct
from hexdeck.engine.random import rewind
from hexdeck.research.training.collect import BATCH, GAMES, GENERATORS, MOVES, SCRATCH, SIZE, label_results

VIEW = 3  # the row for what a seat knows

ENTRIES = ("collect_deals",)  # what Python calls
TYPES = {
    "batch": BATCH,
    "generators": GENERATORS,
    "scaling": "float64[::1]",
    "scratch": SCRATCH,
}


def collect_deals(g, rows, games, scaling, sizes, generators, number, scratch, batch, state):
    """Play so many games or until the batch is full; a game that it has no room for doesn't count.

    Records every seat at the beginning of each deal but the first; the labels are as `label_results` writes them. Game
    k draws from stream `number` + k of both generators. Arguments are as in `research.training.collect`.
    """
    actions, weights, layers, _workspace, _estimates, utilities, _ahead = scratch
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
            action = decide(g, rows, HOUSE, seat, actions, count, rng) if count > 1 else actions[0]
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
