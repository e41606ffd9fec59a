"""Liar's dice at the table: what each seat sees."""

from hexdeck.engine.text import Text, say
from hexdeck.engine.view import Zone


def zones(s, seat):
    """Everybody's die, and the newest claim."""
    out = []
    for p in range(2):
        die = (str(s.die[p]),) if s.die[p] else ()
        out.append(Zone(f"die-{p}", say("Die"), p, "fan", die, hidden=int(s.thrown > p and not s.die[p])))
    out.append(Zone("claim", say("Claim"), None, "count", count=s.last))
    return out


def label(s, seat, action) -> Text:
    """The label of a move."""
    if action == 12:
        return say("Liar!")
    return say("At least {n} of {face}", n=1 + action // 6, face=1 + action % 6)
