"""What environments ask of compiled code in one call each, generic like `engine.kernels`."""

from hexdeck.engine.backends.kernels import CHANCE, event, lowest
from hexdeck.engine.contract import chance_weights, conceal, copy_row, legal_actions, observe, struct

KNOWN = 1  # the row for what a seat knows

ENTRIES = ("see", "follow", "list_and_value")  # what Python calls
TYPES = {
    "mask": "int8[::1]",
    "observation": "int8[::1]",
    "outcomes": "int16[::1]",
    "parts": "float64[::1]",
}


def see(g, rows, seat, actions, observation, mask):
    """What a seat observes of the match in row 0, and a 1 in the `mask` for each action it may choose.

    Both are int8, all zeros before; legality too is asked of the concealed struct.
    """
    copy_row(rows, KNOWN, 0)
    known = struct(g, rows, KNOWN)
    conceal(g, known, seat)
    observe(g, known, seat, observation)
    if (known.acting >> seat) & 1:
        for k in range(legal_actions(g, known, seat, actions)):
            mask[actions[k]] = 1


def follow(g, rows, seat, action, actions, weights, outcomes, parts, state):
    """An event takes effect in row 0, unchecked; then see `list_and_value`."""
    event(g, struct(g, rows, 0), seat, action)
    list_and_value(g, rows, actions, weights, outcomes, parts, state)


def list_and_value(g, rows, actions, weights, outcomes, parts, state):
    """Who acts next in row 0, and what may happen.

    `state`, int64: 0 the lowest seat to act, or CHANCE; 1 whether it is over; 2 how many `actions` the seat has, or how
    many `outcomes` (int16) are open to chance, whose probabilities go to `parts` (float64).
    """
    s = struct(g, rows, 0)
    state[0], state[1], state[2] = CHANCE, s.over, 0
    if s.acting:
        state[0] = lowest(s.acting)
        state[2] = legal_actions(g, s, state[0], actions)
    elif not s.over:
        total, count = chance_weights(g, s, weights), 0
        for outcome in range(outcomes.shape[0]):
            if weights[outcome]:
                outcomes[count], parts[count] = outcome, weights[outcome] / total
                count += 1
        state[2] = count
