"""Goofspiel at the table: what a seat sees."""

from hexdeck.engine.text import Cards, say
from hexdeck.engine.view import Zone

TITLE = say("Goofspiel")


def zones(s, seat):
    """Everybody's hand and points, the prize, the deck."""
    out = [Zone("prize", say("Prize"), None, "count", count=s.prize)]
    out.append(Zone("deck", say("Deck"), None, "pile", hidden=s.left))
    for p in range(s.seats):
        cards = tuple(str(r + 1) for r in range(10) for _ in range(s.hand[p, r]))
        out.append(Zone(f"hand-{p}", say("Hand"), p, "fan", cards, hidden=s.held[p] - len(cards)))
        out.append(Zone(f"points-{p}", say("Points"), p, "count", count=s.points[p]))
    return out


def label(s, seat, action):
    """A move in words."""
    return say("Bid the {card}", card=Cards((str(action + 1),)))
