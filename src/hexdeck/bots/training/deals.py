"""What the beginning of a deal is worth, learned from whole games of the house bot in compiled code.

When a deal is over, most of its luck is spent and most of its secrets are out. A net of deals tells the utility that a
seat can expect from there, so that games that are tried out can stop there: they take less time, and differ less by the
luck of later deals (see `bots.search.rollout`). Plain functions, interpreted or compiled by `engine.backends`.
"""

from hexdeck.bots.nets.inference import INPUTS, sense
from hexdeck.bots.training.selfplay import GAMES, MOVES, SIZE, STANDING, TARGET, VALUE
from hexdeck.engine.backends.kernels import HOUSE, begin, decide, lowest, sample_chance
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, returns, struct
from hexdeck.engine.random import rewind

VIEW = 3  # the row for what a seat knows

ENTRIES = ("collect_deals",)  # what Python calls
TYPES = {
    "facts": "float32[:, ::1]",
    "mind": "int64[::1]",
    "seen": "int8[:, ::1]",
    "who": "int8[::1]",
}


def collect_deals(
    g, rows, games, units, sizes, actions, weights, rng, mind, look, out, number, seen, who, facts, state
):
    """Play so many games or until the room ends; a game cut short doesn't count.

    Of each seat at the beginning of each deal but the first: `seen` int8 (room, inputs), `who` int8, and in `facts`
    float32 (room, 4) the number of the game and what it came to, in the middle and unit of `units`. Game k is thrown
    by the generators' number `number` + k. `state` is as `selfplay.rehearse` has it.
    """
    for k in range(games):
        s = begin(g, rows)
        rewind(rng, number + k)
        rewind(mind, number + k)
        size, deal = state[SIZE], s.deal
        while not s.over:
            if s.deal != deal:
                if size + s.seats > seen.shape[0]:
                    return
                deal = s.deal
                note_all(g, rows, s, sizes, look, seen, who, size)
                size += s.seats
            if s.acting == 0:
                sample_chance(g, s, weights, rng)  # which never goes beyond the beginning of a deal
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            apply_action(g, s, seat, decide(g, rows, HOUSE, seat, actions, count, mind) if count > 1 else actions[0])
            state[MOVES] += 1
        returns(g, s, out)
        for at in range(state[SIZE], size):
            facts[at, STANDING], facts[at, VALUE] = 0.0, state[GAMES]
            facts[at, TARGET] = (out[who[at]] - units[0]) / units[1]
        state[SIZE] = size
        state[GAMES] += 1


def note_all(g, rows, s, sizes, look, seen, who, size):
    """Write down what each seat knows, from so manyth place on."""
    for p in range(s.seats):
        copy_row(rows, VIEW, 0)
        conceal(g, struct(g, rows, VIEW), p)
        sense(g, rows, VIEW, p, sizes, look)
        for i in range(sizes[INPUTS]):
            seen[size + p, i] = look[i]
        who[size + p] = p
