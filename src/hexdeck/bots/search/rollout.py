"""One-ply search: each legal action is tried in the same re-dealt worlds, and a policy plays every game on.

In a world all actions meet the same cards and the same dice (common random numbers), so that their differences are
surer than their worth. Plain functions, interpreted or compiled by `engine.backends`.

What others have chosen at once with the seat is any legal choice in a re-dealt world; of the bots only one whose net
imitates others chooses it again. Other policies may choose well, but not as others do: among searches it costs more to
trust them here. Hints, which tell what comes of it if everybody plays by the policy, have it choose again, too: so
they are the same whoever of those that choose at once was first.

A mind is (net, sizes, scale, look, near, far, odds, deals, spans). The policies `NET` and `MIMIC` think with the first
net. `deals` is a net of deals, `spans` its sizes: where they are not zero, a game is played to the end of the deal, and
that net tells what the next one is worth. `scale` float64 (6): the temperature, of that net the middle and the unit of
what it tells, the least and the greatest utility there can be, and whether (1, else 0) the policy chooses again what
others have chosen. The rest is room for their layers, see `bots.nets.inference`.
"""

from hexdeck.bots.nets.deal_net import AGAIN, HEAT, prospects
from hexdeck.bots.nets.inference import INPUTS, sense, soften, think, throw
from hexdeck.engine.backends.kernels import RANDOM, lowest, strategy
from hexdeck.engine.contract import (
    apply_action,
    apply_chance,
    chance_weights,
    clear_hidden_choices,
    conceal,
    copy_row,
    legal_actions,
    resample,
    returns,
    struct,
)
from hexdeck.engine.random import below, chance_draw, pick, rewind

ROOT, WORLD, VIEW, TRIAL = 0, 1, 3, 4  # rows
NET, MIMIC = 3, 4  # policies besides those of `engine.kernels`
NEVER = 1 << 30  # more deals than a game has
SCALE, SPANS = 2, 8  # places in a mind
LAP, LAPS = 1 << 20, 1 << 18  # worlds of one decision at most, and decisions whose worlds have numbers of their own
TRIES, SUM, SQUARES = range(3)  # columns of tallies

MIND = (
    "Tuple((float64[::1], int64[::1], float64[::1], int8[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "int64[::1]))"
)  # the types of a mind
ENTRIES = ("try_actions",)  # what Python calls
TYPES = {
    "cards": "int64[::1]",
    "dice": "int64[::1]",
    "listed": "int64[::1]",
    "mind": MIND,
    "tallies": "float64[:, ::1]",
}


def try_actions(g, rows, seat, policy, mind, actions, weights, rng, cards, dice, listed, tallies, out, first, worlds,
                horizon):  # fmt: skip
    """Try each of `listed` (int64: actions) in worlds `first` to `first + worlds`.

    Row 0 holds the concealed struct; `tallies` float64 (actions, 3), a row for each of `listed`: tries, and the sums of
    worth and of its square; `out` float64 (seats). After `horizon` decisions with a choice a game counts as it stands.
    """
    last = struct(g, rows, ROOT).deal if mind[SPANS][INPUTS] else NEVER
    for world in range(first, first + worlds):
        copy_row(rows, WORLD, ROOT)
        resample(g, struct(g, rows, WORLD), seat, rng)
        if mind[SCALE][AGAIN] > 0.0:
            clear_hidden_choices(g, struct(g, rows, WORLD), seat)
        for k in range(listed.shape[0]):
            copy_row(rows, TRIAL, WORLD)
            rewind(dice, world)
            s = struct(g, rows, TRIAL)
            apply_action(g, s, seat, listed[k])
            play_on(g, rows, s, policy, mind, actions, weights, cards, dice, world, horizon, last)
            worth = prospects(g, rows, TRIAL, VIEW, seat, mind, actions) if s.deal > last else result(g, s, seat, out)
            tallies[k, TRIES] += 1.0
            tallies[k, SUM] += worth
            tallies[k, SQUARES] += worth * worth


def result(g, s, seat, out):
    """The utility of a seat in a game that is over, or counts as it stands."""
    returns(g, s, out)
    return out[seat]


def first_world(decision):
    """The number of the first world of a bot's decision: apart from those of its others, as streams are wide.

    After `LAPS` decisions dice and cards are those of the first again, in other worlds.
    """
    return decision % LAPS * LAP


def play_on(g, rows, s, policy, mind, actions, weights, cards, dice, world, horizon, last):
    """Play the game in row TRIAL on, all seats by the policy, until deal `last` is over.

    Chance is that of match number `world`.
    """
    decisions = 0
    while not s.over and decisions < horizon and s.deal <= last:
        if s.acting == 0:
            total = chance_weights(g, s, weights)
            outcome = pick(weights, weights.shape[0], chance_draw(cards, world, s.deal, s.draws, total))
            s.draws += 1
            apply_chance(g, s, outcome)
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
            apply_action(g, s, seat, decided(g, rows, seat, policy, mind, actions, count, dice))


def decided(g, rows, seat, policy, mind, actions, count, dice):
    """The action of a strategy of the game, or of a net, from what the seat knows in row VIEW."""
    if policy < NET:
        return strategy(g, struct(g, rows, VIEW), policy, seat, actions, count, dice)
    net, sizes, scale, look, near, far, odds, _deals, _spans = mind
    sense(g, rows, VIEW, seat, sizes, look)
    think(net, sizes, look, near, far, actions, count, odds)
    soften(odds, count, scale[HEAT])
    return actions[throw(odds, count, dice)]
