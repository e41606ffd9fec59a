"""Values of moves by a value net: it evaluates what a seat will know right after each of its moves.

A value net has no logits (see `bots.nets.inference`), so it suits games with many actions. Each legal move is tried in
worlds that the seat thinks possible, since its result may depend on cards that the seat doesn't know; what the seat
then knows is evaluated, before chance and others act. Where the same seat acts again at once, its best continuation
counts. Plain functions, interpreted or compiled by `engine.backends`.

Values are normalised utilities. `scaling` (float64, 3) holds the mean and the standard deviation, and whether the
score so far is part of the value (see `net_workspace.value_scaling`); then the net only estimates what is still to
come. The workspace is a tuple (before, base, layers, later, path, scaling, utilities): the input for the struct in row
0 (int8) and its sums of the first hidden layer (float64), from which the input after a move is evaluated by its
differences; `layers` of that, as `bots.nets.inference` has them; DEPTH lists of actions (int16); counters, int64
(2 DEPTH); the scaling; utilities (float64, seats).
"""

from hexdeck.bots.nets.inference import HIDDEN_1, INPUTS, LAYERS, add_scaled, encode, first_layer, later_layers
from hexdeck.engine.contract import apply_action, conceal, copy_row, legal_actions, resample, returns, struct
from hexdeck.engine.random import rewind

VIEW, WORLD, AFTER = 1, 3, 4  # rows; those after the last hold the seat's further moves
DEPTH, MOST = 4, 2000  # how many moves of one turn are looked ahead, and positions after which no deeper
ROWS = AFTER + DEPTH + 1
MEAN, STD, SCORE_COUNTS = range(3)  # of scaling
NEVER = -1e300
APART = ("action_values", "state_value")  # long, and called in several places: backends don't inline them

# the types of the workspace of a value net
WORKSPACE = f"Tuple((int8[::1], float64[::1], {LAYERS}, int16[:, ::1], int64[::1], float64[::1], float64[::1]))"
ENTRIES = ("list_and_evaluate",)  # what Python calls
TYPES = {
    "values": "float64[::1]",
    "workspace": WORKSPACE,
}


def action_values(g, rows, seat, net, sizes, worlds, workspace, actions, count, rng, values):
    """Write the values of `count` actions of a seat in row 0 to `values` (float64): means over so many worlds.

    It makes no difference whether the struct in row 0 is concealed or not. The caller's `rng` re-deals.
    """
    set_base(g, rows, seat, net, sizes, workspace)
    for k in range(count):
        values[k] = 0.0
    for _ in range(worlds):
        copy_row(rows, WORLD, 0)
        resample(g, struct(g, rows, WORLD), seat, rng)
        for k in range(count):
            values[k] += value_after(g, rows, seat, actions[k], net, sizes, workspace)
    for k in range(count):
        values[k] /= worlds


def set_base(g, rows, seat, net, sizes, workspace):
    """Compute the first layer of what the seat knows of row 0; after a move only what differs has to be added."""
    before, base, _layers, _later, _path, _scaling, _utilities = workspace
    copy_row(rows, VIEW, 0)
    conceal(g, struct(g, rows, VIEW), seat)
    encode(g, rows, VIEW, seat, sizes, before)
    first_layer(net, sizes, before, base)


def value_after(g, rows, seat, action, net, sizes, workspace):
    """The value of an action in the world in row WORLD."""
    copy_row(rows, AFTER, WORLD)
    s = struct(g, rows, AFTER)
    apply_action(g, s, seat, action)
    if s.over or s.acting != 1 << seat:
        return state_value(g, rows, AFTER, seat, net, sizes, workspace)
    return best_of_turn(g, rows, seat, net, sizes, workspace)


def best_of_turn(g, rows, seat, net, sizes, workspace):
    """The highest value that the seat can reach from row AFTER on, until others act or the match is over.

    It looks `DEPTH` moves ahead, and after `MOST` positions no deeper than where it is. Later moves of the turn are
    chosen knowing this world, which overestimates one whose outcome the seat couldn't know.
    """
    _before, _base, _layers, later, path, _scaling, _utilities = workspace
    level, visited, best = 0, 0, NEVER
    path[0], path[DEPTH] = 0, legal_actions(g, struct(g, rows, AFTER), seat, later[0])
    while level >= 0:
        if path[level] == path[DEPTH + level]:
            level -= 1
            continue
        row = AFTER + level + 1
        copy_row(rows, row, row - 1)
        s = struct(g, rows, row)
        apply_action(g, s, seat, later[level][path[level]])
        path[level] += 1
        visited += 1
        if level + 1 < DEPTH and visited < MOST and not s.over and s.acting == 1 << seat:
            level += 1
            path[level], path[DEPTH + level] = 0, legal_actions(g, s, seat, later[level])
        else:
            best = max(best, state_value(g, rows, row, seat, net, sizes, workspace))
    return best


def state_value(g, rows, row, seat, net, sizes, workspace):
    """The value of a row for a seat; of a match that is over, its normalised utility."""
    _before, _base, _layers, _later, _path, scaling, utilities = workspace
    s = struct(g, rows, row)
    if s.over:
        returns(g, s, utilities)
        return (utilities[seat] - scaling[MEAN]) / scaling[STD]
    copy_row(rows, VIEW, row)
    conceal(g, struct(g, rows, VIEW), seat)
    score = score_so_far(g, rows, VIEW, seat, scaling, utilities)
    return score + net_value(g, rows, VIEW, seat, net, sizes, workspace)


def score_so_far(g, rows, row, seat, scaling, utilities):
    """The normalised utility of a concealed row as it stands; 0 in games where the score so far says nothing."""
    if scaling[SCORE_COUNTS] == 0.0:
        return 0.0
    returns(g, struct(g, rows, row), utilities)
    return (utilities[seat] - scaling[MEAN]) / scaling[STD]


def net_value(g, rows, row, seat, net, sizes, workspace):
    """The net's output for a concealed row, computed from the base that `set_base` left."""
    before, base, layers, later, _path, _scaling, utilities = workspace
    inputs, hidden_1, hidden_2, _logits = layers
    encode(g, rows, row, seat, sizes, inputs)
    for j in range(sizes[HIDDEN_1]):
        hidden_1[j] = base[j]
    for i in range(sizes[INPUTS]):
        if inputs[i] != before[i]:
            add_scaled(net, i * sizes[HIDDEN_1], 1.0 * inputs[i] - 1.0 * before[i], hidden_1, sizes[HIDDEN_1])
    return later_layers(net, sizes, hidden_1, hidden_2, later[0], 0, utilities)


def list_and_evaluate(g, rows, seat, net, sizes, worlds, workspace, actions, rng, values):
    """List the legal actions of the concealed struct in row 0, and write their values; returns how many there are.

    The worlds are always the same for the same knowledge.
    """
    rewind(rng, 0)
    count = legal_actions(g, struct(g, rows, 0), seat, actions)
    action_values(g, rows, seat, net, sizes, worlds, workspace, actions, count, rng, values)
    return count
