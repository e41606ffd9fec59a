"""Small nets: what a seat sees goes through two hidden layers to a logit per action and one value.

A policy net has a logit for every action; a net of values or of deals (see `bots.nets.value_net`,
`bots.training.deals`) has no action, and only the value.

A net is one flat float64 array and five sizes, so that inference compiles once for all games: `think` takes about a
microsecond. Plain functions, interpreted or compiled by `engine.backends`; both backends compute in double precision
and in the same order, and so they choose alike. How nets are learned is in `bots.training.trainer`, how they are kept
in
`bots.nets.netfile`.
"""

import math

from hexdeck.engine.contract import apply_chance, chance_weights, conceal, copy_row, legal_actions, observe, struct
from hexdeck.engine.random import chance_draw, next_word, pick

SEEN, INPUTS, NEAR, FAR, ACTIONS = range(5)  # sizes: observation, that and the seats, two hidden layers, actions

ENTRIES = ("soften", "throw", "consider")  # what Python calls
TYPES = {
    "chances": "float64[::1]",
    "logits": "float64[::1]",
    "seen": "int8[::1]",
    "value": "float64[::1]",
}


def length(sizes):  # type: ignore[no-untyped-def]
    """How many numbers a net has: weights then biases of the three layers, each row by row."""
    near, far, out = sizes[NEAR], sizes[FAR], sizes[ACTIONS] + 1
    return sizes[INPUTS] * near + near + near * far + far + out * far + out


def sense(g, rows, row, seat, sizes, seen):  # type: ignore[no-untyped-def]
    """Write the observation of a concealed row to `seen` (int8), and after it a one at the number of seats."""
    s = struct(g, rows, row)
    observe(g, s, seat, seen)
    for k in range(sizes[SEEN], sizes[INPUTS]):
        seen[k] = 0
    seen[sizes[SEEN] + s.seats - 1] = 1


def think(net, sizes, seen, near, far, actions, count, logits):  # type: ignore[no-untyped-def]
    """Write the logits of `count` actions to `logits`; returns the value. `near` and `far`: float64, one a neuron.

    The value is the expected utility of the seat, in units that the trainer chose and `Net` knows.
    """
    enter(net, sizes, seen, near)
    return conclude(net, sizes, near, far, actions, count, logits)


def enter(net, sizes, seen, near):  # type: ignore[no-untyped-def]
    """The sums of the first hidden layer."""
    fill(net, sizes[INPUTS] * sizes[NEAR], near, sizes[NEAR])
    for i in range(sizes[INPUTS]):
        if seen[i] != 0:
            add(net, i * sizes[NEAR], 1.0 * seen[i], near, sizes[NEAR])


def conclude(net, sizes, near, far, actions, count, logits):  # type: ignore[no-untyped-def]
    """From the sums of the first hidden layer to `logits` and the value, which is returned."""
    at = (sizes[INPUTS] + 1) * sizes[NEAR]
    fill(net, at + sizes[NEAR] * sizes[FAR], far, sizes[FAR])
    for i in range(sizes[NEAR]):
        if near[i] > 0.0:
            add(net, at + i * sizes[FAR], near[i], far, sizes[FAR])
    at += (sizes[NEAR] + 1) * sizes[FAR]
    for j in range(sizes[FAR]):
        far[j] = max(far[j], 0.0)
    bias = at + (sizes[ACTIONS] + 1) * sizes[FAR]
    for k in range(count):
        logits[k] = net[bias + actions[k]] + dot(net, at + actions[k] * sizes[FAR], far, sizes[FAR])
    return net[bias + sizes[ACTIONS]] + dot(net, at + sizes[ACTIONS] * sizes[FAR], far, sizes[FAR])


def fill(net, at, layer, size):  # type: ignore[no-untyped-def]
    """A layer begins with its biases."""
    for j in range(size):
        layer[j] = net[at + j]


def add(net, at, x, layer, size):  # type: ignore[no-untyped-def]
    """One input of the layer is x."""
    for j in range(size):
        layer[j] += x * net[at + j]


def dot(net, at, layer, size):  # type: ignore[no-untyped-def]
    """The product of a row of weights and a layer, in four partial sums."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, size, 4):
        a += net[at + j] * layer[j]
        b += net[at + j + 1] * layer[j + 1]
        c += net[at + j + 2] * layer[j + 2]
        d += net[at + j + 3] * layer[j + 3]
    return (a + b) + (c + d)


def soften(logits, count, heat):  # type: ignore[no-untyped-def]
    """Turn logits into chances, in place; `heat` (float) is the temperature, 0 for the first of the highest alone."""
    best = 0
    for k in range(1, count):
        if logits[k] > logits[best]:
            best = k
    highest, total = logits[best], 0.0
    for k in range(count):
        logits[k] = math.exp((logits[k] - highest) / heat) if heat > 0.0 else 1.0 * (k == best)
        total += logits[k]
    for k in range(count):
        logits[k] /= total


def throw(chances, count, rng):  # type: ignore[no-untyped-def]
    """The index that the generator's next word falls on, of `count` chances that sum to one."""
    u = next_word(rng) / 4294967296.0
    for k in range(count - 1):
        u -= chances[k]
        if u < 0.0:
            return k
    return count - 1


def consider(g, rows, seat, net, sizes, heat, seen, near, far, actions, logits, value):  # type: ignore[no-untyped-def]
    """What a net thinks of the concealed struct in row 0: chances in `logits`, the value in `value` (float64, 1).

    Returns how many actions are legal; they are listed in `actions`.
    """
    count = legal_actions(g, struct(g, rows, 0), seat, actions)
    sense(g, rows, 0, seat, sizes, seen)
    value[0] = think(net, sizes, seen, near, far, actions, count, logits)
    soften(logits, count, heat)
    return count


def ponder(g, rows, seat, net, sizes, heat, look, near, far, actions, count, odds):  # type: ignore[no-untyped-def]
    """The chances of each of `count` actions, in `odds`, from what a seat knows of row 0; returns the value."""
    copy_row(rows, 1, 0)
    conceal(g, struct(g, rows, 1), seat)
    sense(g, rows, 1, seat, sizes, look)
    value = think(net, sizes, look, near, far, actions, count, odds)
    soften(odds, count, heat)
    return value


def draw_chance(g, s, weights, rng, number):  # type: ignore[no-untyped-def]
    """Chance acts once."""
    total = chance_weights(g, s, weights)
    outcome = pick(weights, weights.shape[0], chance_draw(rng, number, s.deal, s.draws, total))
    s.draws += 1
    apply_chance(g, s, outcome)
