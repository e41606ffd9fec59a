"""What searches choose, for nets that learn to choose like them (behavioural cloning), in compiled code.

Such a net foresees others better than a strategy does, and takes a thousandth of the time of a search: games that are
tried out go on as they would (see `bots.search.rollout`). Plain functions, interpreted or compiled by
`engine.backends`.
"""

from hexdeck.bots.nets.inference import draw_chance, sense
from hexdeck.bots.search.tree import SEEKER
from hexdeck.bots.training.selfplay import GAMES, LOGP, MOVES, SEARCH, SIZE, TARGET, VALUE, note, other
from hexdeck.engine.backends.kernels import begin, lowest
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, returns, struct
from hexdeck.engine.random import rewind

VIEW = 1  # the row for what a seat knows

ENTRIES = ("watch",)  # what Python calls
TYPES = {
    "allowed": "boolean[:, ::1]",
    "chosen": "int16[::1]",
    "facts": "float32[:, ::1]",
    "mind": "int64[::1]",
    "seeker": SEEKER,
    "seen": "int8[:, ::1]",
    "who": "int8[::1]",
}


def watch(g, rows, games, units, sizes, seeker, actions, weights, rng, mind, look, out, number, seen, allowed, chosen,
          who, facts, state):  # fmt: skip
    """Let searches play so many games or until the room ends; a game cut short doesn't count.

    Of each decision with a choice what `selfplay.rehearse` writes; `facts` has the number of the game in the place of
    the value, and as target what the game came to, in the middle and unit of `units`. Game k is match `number` + k.
    """
    for k in range(games):
        s = begin(g, rows)
        rewind(mind, number + k)
        size = state[SIZE]
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, number + k)
                continue
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            action = actions[0]
            if count > 1:
                if size == seen.shape[0]:
                    return
                action = other(g, rows, SEARCH, seat, seeker, actions, count, weights, mind)
                copy_row(rows, VIEW, 0)
                conceal(g, struct(g, rows, VIEW), seat)
                sense(g, rows, VIEW, seat, sizes, look)
                note(sizes, look, actions, count, action, seen, allowed, chosen, size)
                who[size] = seat
                size += 1
            apply_action(g, s, seat, action)
            state[MOVES] += 1
        returns(g, s, out)
        for at in range(state[SIZE], size):
            facts[at, LOGP], facts[at, VALUE] = 0.0, state[GAMES]
            facts[at, TARGET] = (out[who[at]] - units[0]) / units[1]
        state[SIZE] = size
        state[GAMES] += 1
