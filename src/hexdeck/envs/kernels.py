"""What histories ask of compiled code, generic like `engine.kernels`: an event and what may follow it, in one call."""

from hexdeck.engine.contract import chance, legal, struct
from hexdeck.engine.kernels import CHANCE, event, lowest


def follow(g, rows, seat, action, actions, weights, outcomes, parts, state):
    """An event takes effect in row 0, unchecked; then see `survey`."""
    event(g, struct(g, rows, 0), seat, action)
    survey(g, rows, actions, weights, outcomes, parts, state)


def survey(g, rows, actions, weights, outcomes, parts, state):
    """Who acts next in row 0, and what may happen.

    `state`, int64: 0 the lowest seat to act, or CHANCE; 1 whether it is over; 2 how many `actions` the seat has, or how
    many `outcomes` (int16) are open to chance, whose probabilities go to `parts` (float64).
    """
    s = struct(g, rows, 0)
    state[0], state[1], state[2] = CHANCE, s.over, 0
    if s.acting:
        state[0] = lowest(s.acting)
        state[2] = legal(g, s, state[0], actions)
    elif not s.over:
        total, count = chance(g, s, weights), 0
        for outcome in range(outcomes.shape[0]):
            if weights[outcome]:
                outcomes[count], parts[count] = outcome, weights[outcome] / total
                count += 1
        state[2] = count
