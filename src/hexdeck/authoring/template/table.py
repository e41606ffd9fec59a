"""Goofspiel at the table: what each seat sees."""

from hexdeck.engine.text import Cards, say
from hexdeck.engine.view import Zone


def zones(s, seat):
    """The prize; everybody's hand, bids so far and points."""
    out = [Zone("prize", say("Prize"), None, "count", count=s.prize)]
    for p in range(s.seats):
        hand, bids = (tuple(str(r + 1) for r in range(10) for _ in range(copies[p, r])) for copies in (s.hand, s.bids))
        out.append(Zone(f"hand-{p}", say("Hand"), p, "fan", hand, hidden=s.held[p] - len(hand)))
        out.append(Zone(f"bids-{p}", say("Bid"), p, "row", bids))
        out.append(Zone(f"points-{p}", say("Points"), p, "count", count=s.points[p]))
    return out


def label(s, seat, action):
    """The label of a move."""
    return say("Bid the {card}", card=Cards((str(action + 1),)))
