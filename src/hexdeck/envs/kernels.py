"""Kernels of environments, each one compiled call; generic like those of `engine.backends.kernels`."""

from hexdeck.engine.backends.kernels import CHANCE, event, lowest
from hexdeck.engine.contract import chance_weights, conceal, copy_row, legal_actions, observe, struct

KNOWN = 1  # the row of the concealed struct

ENTRIES = ("observe_with_mask", "apply_event", "next_events")  # what Python calls
TYPES = {"mask": "int8[::1]", "observation": "int8[::1]", "outcomes": "int16[::1]", "probabilities": "float64[::1]"}


def observe_with_mask(g, rows, seat, actions, observation, mask):
    """Write a seat's observation of the match in row 0, and its action mask: 1 for each legal action.

    The mask is all ones where the seat has nothing to decide. Both arrays are int8, zeros before. Legality too is
    computed from the concealed struct.
    """
    copy_row(rows, KNOWN, 0)
    view = struct(g, rows, KNOWN)
    conceal(g, view, seat)
    observe(g, view, seat, observation)
    if (view.acting >> seat) & 1:
        for k in range(legal_actions(g, view, seat, actions)):
            mask[actions[k]] = 1
    else:
        for action in range(mask.shape[0]):
            mask[action] = 1


def apply_event(g, rows, seat, action, actions, weights, outcomes, probabilities, state):
    """Apply an event in row 0, unchecked; then write what `next_events` does."""
    event(g, struct(g, rows, 0), seat, action)
    next_events(g, rows, actions, weights, outcomes, probabilities, state)


def next_events(g, rows, actions, weights, outcomes, probabilities, state):
    """Write who acts next in row 0, and the possible events.

    `state`, int64 (3): the lowest seat to act, or CHANCE; whether the match is over; the number of events. These are
    the seat's `actions`, or chance's `outcomes` (int16) with their `probabilities` (float64).
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
                outcomes[count], probabilities[count] = outcome, weights[outcome] / total
                count += 1
        state[2] = count
