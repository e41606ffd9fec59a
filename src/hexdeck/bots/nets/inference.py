"""Inference of small nets: two hidden layers, a logit for each action, and one value.

The input of a net is an observation (written by `observe` in a game's rules) and, one-hot, the number of seats. A
policy net has a logit for every action; deal nets, which estimate what a seat can expect at the beginning of a deal,
have only the value.

A net is one flat float64 array and five sizes (int64), so that inference compiles once for all games: `forward` takes
about a microsecond. `layers` is the workspace of a forward pass: the input (int8), the two hidden layers and the logits
or probabilities (float64). Plain functions, interpreted or compiled by `engine.backends`; both backends compute in
double precision and in the same order, and so they choose alike. `research.training.trainer` trains nets,
`bots.nets.netfile` stores them.
"""

import math

from hexdeck.engine.contract import conceal, copy_row, legal_actions, observe, struct
from hexdeck.engine.random import next_word

OBSERVED, INPUTS, HIDDEN_1, HIDDEN_2, ACTIONS = range(5)  # of sizes: the observation's length, then one size a layer

# the types of the layers of a net
LAYERS = "Tuple((int8[::1], float64[::1], float64[::1], float64[::1]))"
ENTRIES = ("softmax", "sample", "evaluate_row")  # what Python calls
TYPES = {"layers": LAYERS, "logits": "float64[::1]", "probabilities": "float64[::1]", "value": "float64[::1]"}


def length(sizes):
    """How many numbers a net has: weights then biases of the three layers, each row by row."""
    first, second, out = sizes[HIDDEN_1], sizes[HIDDEN_2], sizes[ACTIONS] + 1
    return sizes[INPUTS] * first + first + first * second + second + out * second + out


def encode(g, rows, row, seat, sizes, inputs):
    """Write the input of a net: the observation of a concealed row, then the number of seats, one-hot."""
    s = struct(g, rows, row)
    observe(g, s, seat, inputs)
    for k in range(sizes[OBSERVED], sizes[INPUTS]):
        inputs[k] = 0
    inputs[sizes[OBSERVED] + s.seats - 1] = 1


def forward(net, sizes, layers, actions, count):
    """A forward pass: the logits of `count` actions are written to `layers`, the value is returned.

    The value is the expected utility of the seat, normalised as the net's `utility_scale` says (see `Net`).
    """
    inputs, hidden_1, hidden_2, logits = layers
    first_layer(net, sizes, inputs, hidden_1)
    return later_layers(net, sizes, hidden_1, hidden_2, actions, count, logits)


def first_layer(net, sizes, inputs, hidden_1):
    """Write the sums of the first hidden layer, before rectification."""
    set_biases(net, sizes[INPUTS] * sizes[HIDDEN_1], hidden_1, sizes[HIDDEN_1])
    for i in range(sizes[INPUTS]):
        if inputs[i] != 0:
            add_scaled(net, i * sizes[HIDDEN_1], 1.0 * inputs[i], hidden_1, sizes[HIDDEN_1])


def later_layers(net, sizes, hidden_1, hidden_2, actions, count, logits):
    """From the sums of the first hidden layer to `logits` and the value, which is returned."""
    at = (sizes[INPUTS] + 1) * sizes[HIDDEN_1]
    set_biases(net, at + sizes[HIDDEN_1] * sizes[HIDDEN_2], hidden_2, sizes[HIDDEN_2])
    for i in range(sizes[HIDDEN_1]):
        if hidden_1[i] > 0.0:
            add_scaled(net, at + i * sizes[HIDDEN_2], hidden_1[i], hidden_2, sizes[HIDDEN_2])
    at += (sizes[HIDDEN_1] + 1) * sizes[HIDDEN_2]
    for j in range(sizes[HIDDEN_2]):
        hidden_2[j] = max(hidden_2[j], 0.0)
    bias = at + (sizes[ACTIONS] + 1) * sizes[HIDDEN_2]
    for k in range(count):
        logits[k] = net[bias + actions[k]] + dot(net, at + actions[k] * sizes[HIDDEN_2], hidden_2, sizes[HIDDEN_2])
    return net[bias + sizes[ACTIONS]] + dot(net, at + sizes[ACTIONS] * sizes[HIDDEN_2], hidden_2, sizes[HIDDEN_2])


def set_biases(net, at, layer, size):
    """Set a layer to its biases, which begin at index `at` of the net."""
    for j in range(size):
        layer[j] = net[at + j]


def add_scaled(net, at, x, layer, size):
    """Add x times a row of weights, which begins at index `at` of the net, to a layer."""
    for j in range(size):
        layer[j] += x * net[at + j]


def dot(net, at, layer, size):
    """The dot product of a row of weights and a layer, in four partial sums (the size is a multiple of 4)."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, size, 4):
        a += net[at + j] * layer[j]
        b += net[at + j + 1] * layer[j + 1]
        c += net[at + j + 2] * layer[j + 2]
        d += net[at + j + 3] * layer[j + 3]
    return (a + b) + (c + d)


def softmax(logits, count, temperature):
    """Turn `count` logits into probabilities, in place; temperature 0 (a float) puts all on the first maximum."""
    best = 0
    for k in range(1, count):
        if logits[k] > logits[best]:
            best = k
    highest, total = logits[best], 0.0
    for k in range(count):
        logits[k] = math.exp((logits[k] - highest) / temperature) if temperature > 0.0 else 1.0 * (k == best)
        total += logits[k]
    for k in range(count):
        logits[k] /= total


def sample(probabilities, count, rng):
    """An index drawn from `count` probabilities by one word of the generator."""
    u = next_word(rng) / 4294967296.0
    for k in range(count - 1):
        u -= probabilities[k]
        if u < 0.0:
            return k
    return count - 1


def evaluate_row(g, rows, seat, net, sizes, temperature, layers, actions, value):
    """List the legal actions of the concealed struct in row 0, and evaluate it; returns how many actions there are.

    Their probabilities are written to `layers`, the value to `value` (float64, 1).
    """
    count = legal_actions(g, struct(g, rows, 0), seat, actions)
    encode(g, rows, 0, seat, sizes, layers[0])
    value[0] = forward(net, sizes, layers, actions, count)
    softmax(layers[3], count, temperature)
    return count


def encode_known(g, rows, seat, sizes, inputs):
    """Write the input of a net for what the seat knows of row 0."""
    copy_row(rows, 1, 0)
    conceal(g, struct(g, rows, 1), seat)
    encode(g, rows, 1, seat, sizes, inputs)


def action_probabilities(g, rows, seat, net, sizes, temperature, layers, actions, count):
    """Write the probabilities of `count` legal actions, from what the seat knows of row 0; returns the value."""
    encode_known(g, rows, seat, sizes, layers[0])
    value = forward(net, sizes, layers, actions, count)
    softmax(layers[3], count, temperature)
    return value
