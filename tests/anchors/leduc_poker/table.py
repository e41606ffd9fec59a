"""Leduc poker at the table: what each seat sees."""

from hexdeck.engine.text import say
from hexdeck.engine.view import Zone


def zones(s, seat):
    """The public card, everybody's card and what was paid."""
    shown = lambda card: (str(1 + (card - 1) // 2),) if card else ()  # noqa: E731 - the ranks are 1 to 3
    out = [Zone("shown", say("Public card"), None, "row", shown(s.shown))]
    for p in range(2):
        hidden = int(s.dealt > p and not s.hand[p])
        out.append(Zone(f"hand-{p}", say("Hand"), p, "fan", shown(s.hand[p]), hidden=hidden))
        out.append(Zone(f"paid-{p}", say("Paid"), p, "count", count=s.paid[p]))
    return out


def label(s, seat, action):
    """The label of a move."""
    return (say("Fold"), say("Call"), say("Raise"))[action]
