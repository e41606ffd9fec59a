"""Whole games between strategies, nets and bots that Python asks, recorded as scripts: who chose what.

`players` is a tuple (policies, generators, nets, sizes, temperatures): for each seat, int64, a policy of
`engine.backends.kernels`, `ASKED`, or `NETS` - k for net k; for each seat its generator; for each net its weights, its
sizes and its temperature. `layers` are those of the largest net, see `bots.nets.inference`. Plain functions,
interpreted or compiled by `engine.backends`.
"""

from hexdeck.bots.nets.inference import LAYERS, action_probabilities, sample
from hexdeck.engine.backends.kernels import begin_match, decide, draw_chance, lowest
from hexdeck.engine.backends.kernels_batch import FIRST
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, struct
from hexdeck.engine.random import rewind

ASKED, NETS = -1, -2  # who chooses, besides the policies of `engine.kernels`
MATCH, BEGUN, SIZE, SEAT, ANSWER = range(5)  # of state
NOBODY = -1
KNOWN = 1  # row

ENTRIES = ("play_scripted", "answer_by_nets")  # what Python calls
TYPES = {
    "answers": "int64[::1]",
    "codes": "int64[::1]",
    "generators": "int64[:, :, ::1]",
    "layers": LAYERS,
    "log": "int32[:, ::1]",
    "numbers": "int64[::1]",
    "players": "Tuple((int64[::1], int64[:, ::1], float64[:, ::1], int64[:, ::1], float64[::1]))",
    "playing": "int64[::1]",
    "sizes": "int64[:, ::1]",
    "waiting": "int8[::1]",
}


def play_scripted(g, rows, players, actions, weights, rng, first, games, layers, log, state):
    """Play `games` matches, numbered from `first` on, until a bot must be asked, the log is full, or all are over.

    `log`, int32: seat and action of each decision. `state`, int64 (5): how many matches are over, whether the next one
    has begun, decisions in the log, which seat is asked (NOBODY: none), and its answer, -1 before it is there. What
    that seat knows is in row KNOWN. A seat with one legal action isn't asked.
    """
    policies, generators, nets, sizes, temperatures = players
    while state[MATCH] < games:
        number = first + state[MATCH]
        if not state[BEGUN]:
            begin_match(g, rows, generators, number)
            state[BEGUN] = 1
        s = struct(g, rows, 0)
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
                action = decide(g, rows, 0, policy, seat, actions, count, generators[seat])
            elif count > 1 and policy == ASKED:
                if state[ANSWER] < 0:
                    ask(g, rows, seat, state)
                    return
                action = state[ANSWER]
                state[SEAT], state[ANSWER] = NOBODY, -1
            elif count > 1:
                k, own = NETS - policy, generators[seat]
                action = net_action(g, rows, seat, nets[k], sizes[k], temperatures[k], layers, actions, count, own)
            log[state[SIZE], 0], log[state[SIZE], 1] = seat, action
            state[SIZE] += 1
            apply_action(g, s, seat, action)
        state[MATCH] += 1
        state[BEGUN] = 0


def ask(g, rows, seat, state):
    """Ask the bot on a seat: what it knows is written to row KNOWN."""
    state[SEAT] = seat
    copy_row(rows, KNOWN, 0)
    conceal(g, struct(g, rows, KNOWN), seat)


def net_action(g, rows, seat, net, sizes, temperature, layers, actions, count, rng):
    """The action that a net draws from its probabilities, from what the seat knows of row 0."""
    action_probabilities(g, rows, seat, net, sizes, temperature, layers, actions, count)
    return actions[sample(layers[3], count, rng)]


def answer_by_nets(
    g, rows, waiting, numbers, playing, codes, generators, nets, sizes, temperatures, actions, layers, answers
):
    """Write the actions of nets in the environments of a batch where a net's seat is awaited (`waiting` int8, or -1).

    `codes`: for each seat what `policies` is above. `generators`: one for each environment and seat, rewound to the
    environment's match number (`numbers`) when that is another than it was (`playing`).
    """
    for k in range(waiting.shape[0]):
        seat = waiting[k]
        if seat < 0 or codes[seat] > NETS:
            continue
        if playing[k] != numbers[k]:
            playing[k] = numbers[k]
            for player in range(codes.shape[0]):
                rewind(generators[k][player], numbers[k])
        net = NETS - codes[seat]
        copy_row(rows, 0, FIRST + k)
        count = legal_actions(g, struct(g, rows, 0), seat, actions)
        answers[k] = net_action(
            g, rows, seat, nets[net], sizes[net], temperatures[net], layers, actions, count, generators[k][seat]
        )
