"""What a seat can expect at the beginning of a deal, by a deal net: plain functions, interpreted or compiled."""

from hexdeck.bots.nets.inference import encode, forward
from hexdeck.engine.contract import conceal, copy_row, struct

TEMPERATURE, MEAN, STD, LOWEST, HIGHEST, RECHOOSE = range(6)  # of the scaling of a policy's workspace
CANDIDATES, TRUST, FLOOR = range(6, 9)


def deal_value(g, rows, row, view, seat, workspace, actions):
    """The utility that a seat can expect from a row at the beginning of a deal; row `view` is overwritten.

    `workspace` is as in `bots.search.rollout`. The value is clipped to what a match can bring: the net alone goes a
    little beyond.
    """
    _net, _sizes, scaling, layers, net, sizes = workspace
    copy_row(rows, view, row)
    conceal(g, struct(g, rows, view), seat)
    encode(g, rows, view, seat, sizes, layers[0])
    expected = scaling[MEAN] + scaling[STD] * forward(net, sizes, layers, actions, 0)
    return min(max(expected, scaling[LOWEST]), scaling[HIGHEST])
