"""Whole games between strategies, nets and bots that are asked, written down as scripts: who chose what.

A company is (policies, minds, nets, sizes, heats): of each seat, int64, a policy of `engine.kernels`, `ASKED`, or
`NETS` - k for net k; of each the generator that it throws; of each net its weights, its sizes (see
`bots.nets.inference`) and its temperature. Plain functions, interpreted or compiled by `engine.backends`.
"""

from hexdeck.bots.nets.inference import draw_chance, ponder, throw
from hexdeck.engine.backends.kernels import begin, decide, lowest
from hexdeck.engine.backends.kernels_batch import FIRST
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, struct
from hexdeck.engine.random import rewind

ASKED, NETS = -1, -2  # who chooses, besides the policies of `engine.kernels`
MATCH, BEGUN, SIZE, SEAT, ANSWER = range(5)  # of state
NOBODY = -1
KNOWN = 1  # row

ENTRIES = ("play_scripted", "think_envs")  # what Python calls
TYPES = {
    "answers": "int64[::1]",
    "codes": "int64[::1]",
    "company": "Tuple((int64[::1], int64[:, ::1], float64[:, ::1], int64[:, ::1], float64[::1]))",
    "dice": "int64[:, :, ::1]",
    "log": "int32[:, ::1]",
    "numbers": "int64[::1]",
    "playing": "int64[::1]",
    "sizes": "int64[:, ::1]",
    "waiting": "int8[::1]",
}


def play_scripted(g, rows, company, actions, weights, rng, first, games, look, near, far, odds, log, state):
    """Play `games` matches, numbered from `first` on, until somebody must be asked, the log is full, or all are over.

    `log`, int32: seat and action of each decision. `state`, int64 (5): how many matches are over, whether the next one
    has begun, decisions in the log, who is asked (NOBODY: nobody), and the answer, which is -1 before it is there. What
    who is asked knows is in row KNOWN. Who has one legal action isn't asked.
    """
    policies, minds, nets, sizes, heats = company
    while state[MATCH] < games:
        number = first + state[MATCH]
        s = struct(g, rows, 0)
        if not state[BEGUN]:
            s = begin(g, rows)
            for seat in range(s.seats):
                rewind(minds[seat], number)
            state[BEGUN] = 1
        while not s.over:
            if s.acting == 0:
                draw_chance(g, s, weights, rng, number)
                continue
            if state[SIZE] == log.shape[0]:
                return
            seat = lowest(s.acting)
            count = legal_actions(g, s, seat, actions)
            policy, action = policies[seat], actions[0]
            if policy >= 0:
                action = decide(g, rows, policy, seat, actions, count, minds[seat])
            elif count > 1 and policy == ASKED:
                if state[ANSWER] < 0:
                    state[SEAT] = seat
                    copy_row(rows, KNOWN, 0)
                    conceal(g, struct(g, rows, KNOWN), seat)
                    return
                action = state[ANSWER]
                state[SEAT], state[ANSWER] = NOBODY, -1
            elif count > 1:
                k = NETS - policy
                ponder(g, rows, seat, nets[k], sizes[k], heats[k], look, near, far, actions, count, odds)
                action = actions[throw(odds, count, minds[seat])]
            log[state[SIZE], 0], log[state[SIZE], 1] = seat, action
            state[SIZE] += 1
            apply_action(g, s, seat, action)
        state[MATCH] += 1
        state[BEGUN] = 0


def think_envs(g, rows, waiting, numbers, playing, codes, dice, nets, sizes, heats, actions, look, near, far, odds,
                answers):  # fmt: skip
    """Write what nets choose in the environments of a batch whose awaited seat (`waiting` int8, or -1) is a net's.

    `dice`: a generator for each environment and seat, which goes to the environment's match number (`numbers`) when
    that is another than it was (`playing`).
    """
    for k in range(waiting.shape[0]):
        seat = waiting[k]
        if seat < 0 or codes[seat] > NETS:
            continue
        if playing[k] != numbers[k]:
            playing[k] = numbers[k]
            for other in range(codes.shape[0]):
                rewind(dice[k][other], numbers[k])
        net = NETS - codes[seat]
        copy_row(rows, 0, FIRST + k)
        count = legal_actions(g, struct(g, rows, 0), seat, actions)
        ponder(g, rows, seat, nets[net], sizes[net], heats[net], look, near, far, actions, count, odds)
        answers[k] = actions[throw(odds, count, dice[k][seat])]
