"""One-ply search by rollouts: each legal action is tried in the same re-dealt worlds, and a policy plays every game on.

In a world all actions meet the same cards and the same dice (common random numbers), so the difference between two
actions has a smaller error than the value of either. Plain functions, interpreted or compiled by `engine.backends`.

What others have already chosen, in a choice that several make at once, is any legal choice in a re-dealt world. Only a
bot whose net imitates others chooses it again: other policies may choose well, but not as others do, and among searches
it costs more to trust them here. Hints have every policy choose it again, since they say what follows if everybody
plays by the policy: so they are the same whoever of those that choose at once was first.

A policy's workspace is a tuple (net, sizes, scaling, layers, deal_net, deal_sizes). The policies `NET` and `MIMIC`
choose by the first net. Where the sizes of the deal net are not zero, games are played to the end of the deal, and it
says what the next deal is worth. `scaling` float64 (9): the temperature of the policy; the mean and the standard
deviation that the deal net's value is normalised by; the lowest and the highest utility there can be; and whether the
policy chooses again what others have chosen (1, else 0). `layers` are for both nets, see `bots.nets.inference`.

`scaling` ends with three numbers. `CANDIDATES`: each world is drawn from so many (0: all worlds count alike). A net
weighs them by how likely it would have done what others did in them, as far as `take_back` tells; for other policies
the first without `surprises` is taken. `TRUST`: the power to which that likelihood is raised; `FLOOR`: no choice counts
as less likely.
"""

from hexdeck.bots.nets.inference import INPUTS, LAYERS, encode, forward, sample, softmax
from hexdeck.engine.backends.kernels import RANDOM, draw_chance, lowest, strategy
from hexdeck.engine.contract import (
    apply_action,
    clear_hidden_choices,
    conceal,
    copy_row,
    legal_actions,
    resample,
    returns,
    struct,
    surprises,
    take_back,
)
from hexdeck.engine.random import below, next_word, rewind

ROOT, WORLD, VIEW, TRIAL, CANDIDATE = 0, 1, 3, 4, 5  # rows
MOVES_BACK = 64  # at most
NET, MIMIC = 3, 4  # policies besides those of `engine.kernels`
NEVER = 1 << 30  # more deals than a game has
SIZES, SCALING, DEAL_SIZES = 1, 2, 5  # places in a workspace
TEMPERATURE, MEAN, STD, LOWEST, HIGHEST, RECHOOSE, CANDIDATES, TRUST, FLOOR = range(9)  # of scaling
WORLDS = 1 << 20  # worlds of a decision at most
DECISIONS = 1 << 18  # decisions whose worlds have numbers of their own
DECISIONS_A_MATCH = 256  # decisions of a match whose worlds have numbers of their own
TRIES, SUM, SQUARES, STOPPED = range(4)  # columns of totals
COLUMNS = 4  # of them

# the types of the workspace of a policy
WORKSPACE = f"Tuple((float64[::1], int64[::1], float64[::1], {LAYERS}, float64[::1], int64[::1]))"
ENTRIES = ("try_actions",)  # what Python calls
TYPES = {
    "cards": "int64[::1]",
    "dice": "int64[::1]",
    "totals": "float64[:, ::1]",
    "tried": "int64[::1]",
    "workspace": WORKSPACE,
}


def try_actions(
    g, rows, seat, policy, workspace, actions, weights, rng, cards, dice, tried, totals, out, first, worlds, horizon
):
    """Try each action of `tried` (int64) in the worlds numbered `first` to `first + worlds`.

    Row 0 holds the concealed struct. `totals` float64 (actions, 4), a row for each of `tried`: how often it was tried,
    the sums of its utilities and of their squares, and how many games were stopped. `rng` re-deals, `cards` is for
    chance, `dice` for the policy; `out` float64 (seats) is written over. After `horizon` decisions with a choice a game
    is stopped: it counts as it stands.
    """
    last = struct(g, rows, ROOT).deal if workspace[DEAL_SIZES][INPUTS] else NEVER
    for world in range(first, first + worlds):
        draw_world(g, rows, seat, workspace, actions, rng)
        if workspace[SCALING][RECHOOSE] > 0.0:
            clear_hidden_choices(g, struct(g, rows, WORLD), seat)
        for k in range(tried.shape[0]):
            copy_row(rows, TRIAL, WORLD)
            rewind(dice, world)
            s = struct(g, rows, TRIAL)
            apply_action(g, s, seat, tried[k])
            play_on(g, rows, s, policy, workspace, actions, weights, cards, dice, world, horizon, last)
            if s.deal > last:
                utility = deal_value(g, rows, seat, workspace, actions)
            else:
                returns(g, s, out)
                utility = out[seat]
                totals[k, STOPPED] += not s.over
            totals[k, TRIES] += 1.0
            totals[k, SUM] += utility
            totals[k, SQUARES] += utility * utility


def draw_world(g, rows, seat, workspace, actions, rng):
    """Put a world that the seat thinks possible into row WORLD: any, or one of several candidates."""
    copy_row(rows, WORLD, ROOT)
    resample(g, struct(g, rows, WORLD), seat, rng)
    candidates = int(workspace[SCALING][CANDIDATES])
    if candidates == 0:
        return
    if workspace[SIZES][INPUTS] == 0:
        draw_likelier(g, rows, seat, rng, candidates)
        return
    copy_row(rows, CANDIDATE, WORLD)
    if take_back(g, struct(g, rows, CANDIDATE)) < 0:
        return
    total = likelihood(g, rows, WORLD, seat, workspace, actions)
    for _ in range(1, candidates):
        copy_row(rows, CANDIDATE, ROOT)
        resample(g, struct(g, rows, CANDIDATE), seat, rng)
        weight = likelihood(g, rows, CANDIDATE, seat, workspace, actions)
        total += weight
        if next_word(rng) / 4294967296.0 * total < weight:
            copy_row(rows, WORLD, CANDIDATE)


def draw_likelier(g, rows, seat, rng, candidates):
    """Draw the world in row WORLD anew while it is surprising, so many times at most; then the least surprising."""
    fewest = surprises(g, struct(g, rows, WORLD), seat)
    for _ in range(1, candidates):
        if fewest == 0:
            return
        copy_row(rows, CANDIDATE, ROOT)
        resample(g, struct(g, rows, CANDIDATE), seat, rng)
        surprising = surprises(g, struct(g, rows, CANDIDATE), seat)
        if surprising < fewest:
            fewest = surprising
            copy_row(rows, WORLD, CANDIDATE)


def likelihood(g, rows, row, seat, workspace, actions):
    """How likely the net would have done what the others did in the world of this row, above 0; rows 3 and 4 serve.

    The seat's own moves count for nothing: it made them.
    """
    net, sizes, scaling, layers, _deal_net, _deal_sizes = workspace
    copy_row(rows, TRIAL, row)
    s, likely = struct(g, rows, TRIAL), 1.0
    for _ in range(MOVES_BACK):
        action = take_back(g, s)
        if action < 0:
            break
        actor = lowest(s.acting)
        count = legal_actions(g, s, actor, actions)
        if actor == seat or count < 2:
            continue
        copy_row(rows, VIEW, TRIAL)
        conceal(g, struct(g, rows, VIEW), actor)
        encode(g, rows, VIEW, actor, sizes, layers[0])
        forward(net, sizes, layers, actions, count)
        softmax(layers[3], count, scaling[TEMPERATURE])
        for k in range(count):
            if actions[k] == action:
                likely *= max(layers[3][k], scaling[FLOOR])
    return likely ** scaling[TRUST]


def deal_value(g, rows, seat, workspace, actions):
    """The utility that a seat can expect from row TRIAL, at the beginning of a deal, by the deal net.

    The value is clipped to what a match can bring: the net alone goes a little beyond.
    """
    _net, _sizes, scaling, layers, net, sizes = workspace
    copy_row(rows, VIEW, TRIAL)
    conceal(g, struct(g, rows, VIEW), seat)
    encode(g, rows, VIEW, seat, sizes, layers[0])
    expected = scaling[MEAN] + scaling[STD] * forward(net, sizes, layers, actions, 0)
    return min(max(expected, scaling[LOWEST]), scaling[HIGHEST])


def first_world(decision):
    """The number of the first world of a bot's decision: the worlds of other decisions have other numbers.

    After `DECISIONS` decisions dice and cards are those of the first again, in other worlds.
    """
    return decision % DECISIONS * WORLDS


def play_on(g, rows, s, policy, workspace, actions, weights, cards, dice, world, horizon, last):
    """Play the game in row TRIAL on, all seats by the policy, until deal `last` is over or `horizon` choices were made.

    Only decisions with two legal actions or more are choices. Chance is that of match number `world`. Returns how many
    choices were made.
    """
    decisions = 0
    while not s.over and decisions < horizon and s.deal <= last:
        if s.acting == 0:
            draw_chance(g, s, weights, cards, world)
            continue
        seat = lowest(s.acting)
        count = legal_actions(g, s, seat, actions)
        if count == 1:
            apply_action(g, s, seat, actions[0])
            continue
        decisions += 1
        if policy == RANDOM:
            apply_action(g, s, seat, actions[below(dice, count)])
        else:
            copy_row(rows, VIEW, TRIAL)
            conceal(g, struct(g, rows, VIEW), seat)
            apply_action(g, s, seat, policy_action(g, rows, seat, policy, workspace, actions, count, dice))
    return decisions


def policy_action(g, rows, seat, policy, workspace, actions, count, dice):
    """The action of a strategy of the game, or of a net, from what the seat knows in row VIEW."""
    if policy < NET:
        return strategy(g, struct(g, rows, VIEW), policy, seat, actions, count, dice)
    net, sizes, scaling, layers, _deal_net, _deal_sizes = workspace
    encode(g, rows, VIEW, seat, sizes, layers[0])
    forward(net, sizes, layers, actions, count)
    softmax(layers[3], count, scaling[TEMPERATURE])
    return actions[sample(layers[3], count, dice)]
