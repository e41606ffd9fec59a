"""What a seat can expect at the beginning of a deal, by a net of deals: plain functions, interpreted or compiled."""

from hexdeck.bots.nets.inference import sense, think
from hexdeck.engine.contract import conceal, copy_row, struct

HEAT, MIDDLE, UNIT, LEAST, GREATEST, AGAIN = range(6)  # of the scale of a mind


def prospects(g, rows, row, view, seat, mind, actions):
    """The utility that a seat can expect from a row at the beginning of a deal; row `view` is written over.

    `mind` is as in `bots.search.rollout`. No more and no less than a match can bring: the net alone goes a little
    beyond.
    """
    _net, _sizes, scale, look, near, far, odds, net, sizes = mind
    copy_row(rows, view, row)
    conceal(g, struct(g, rows, view), seat)
    sense(g, rows, view, seat, sizes, look)
    expected = scale[MIDDLE] + scale[UNIT] * think(net, sizes, look, near, far, actions, 0, odds)
    return min(max(expected, scale[LEAST]), scale[GREATEST])
