"""The best and the worst result of a match of Wolf-Man's Curse, how long it can last, and what its numbers can be."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.study import Bounds, Limits, absent, chosen, exactly, on_turn, subset, within
from hexdeck.games.wolf_mans_curse import rules


def bounds(players: int, options: Mapping[str, Any]) -> Bounds:
    """The least and the greatest utility of a seat (WC-18); the most decisions and chance events (WC-4 to WC-11).

    Each night takes a card from the face pile; a queen of hearts that comes too early is replaced by another card.
    """
    nights, faces = options["nights"], sum(int(copies) for copies in options["faces"].split("-"))
    months, early = -(-faces // nights), nights * (options["queen_month"] - 1)
    dealt = months * players * rules.hand_size(options["hand_cards"])
    return Bounds(0.0, 1.0, None, faces * players, dealt + faces + min(early, faces - 1), limits)


def limits(s: Any) -> Limits:
    """Between what the numbers of a whole position lie: seats that there are, cards, and what is counted twice."""
    last, choosing = s.seats - 1, s.phase == rules.CHOOSE
    for seat in (s.turn, s.leader, s.queen):
        yield seat, rules.NONE, last
    for seats in (s.lynched, s.hanged, s.released, s.winners):
        yield seats, 0, (1 << s.seats) - 1 if s.over else 0
    if not choosing:
        yield from on_turn(s)
    yield s.face, rules.NONE, rules.JOKER
    yield from subset(s.pile, sum((s.faces[k] > 0) << k for k in range(rules.FACES)))
    yield from exactly(s.pile >> rules.QUEEN & 1, s.queen == rules.NONE and s.face != rules.QUEEN)
    come = (s.deal - 1) * s.nights + s.night - (s.phase in {rules.FACE, rules.AGAIN})
    yield from exactly(s.pile.bit_count() + s.pile_jokers, sum(s.faces[k] for k in range(rules.JOKER + 1)) - come)
    yield s.night, 0, s.nights
    yield s.due, 0, s.seats * rules.hand_size(s.hand_cards) if s.phase == rules.DEAL else 0
    for cells in (s.jokers, s.month, s.points):
        yield from within(cells, 0, 32767)
    yield from chosen(s, choosing, s.card, rules.CARDS - 1) if choosing else within(s.card, rules.NONE, rules.CARDS - 1)
    yield from absent(s.seats, rules.NONE, s.card)
    yield from absent(s.seats, 0, s.hand, s.jokers, s.month, s.points)
    yield from within(s.hand, 0, (1 << rules.CARDS) - 1)
    for p in range(s.seats):
        yield from exactly(s.hand[p].bit_count(), rules.held(s, p))
    for k in range(rules.NIGHTS):
        over = not s.over and k < s.night - 1
        yield s.captor[k], 0 if over else rules.NONE, last if over else rules.NONE
        yield s.prize[k], 0 if over else rules.NONE, rules.JOKER if over else rules.NONE
