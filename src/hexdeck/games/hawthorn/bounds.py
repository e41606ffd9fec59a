"""The best and the worst result of a session of Hawthorn, how long it can last, and what its numbers can be."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.cards import RANKS, counted, deck_in
from hexdeck.engine.study import Bounds, Limits, absent, chosen, exactly, on_turn, row_sums, subset, within
from hexdeck.games.hawthorn.rules import CHOOSE, DEAL, LOT, NONE, OPTIONS, TIE


def bounds(players: int, options: Mapping[str, Any]) -> Bounds:
    """No chip is lost (HT-14); the greatest number of decisions, and of chance events (HT-2 to HT-12).

    On each turn a row grows by a rank that it lacks, or its owner goes out; the last one in doesn't. Dealing and ties
    take each card of the deck once; then chance picks who is first.
    """
    deck = deck_in(OPTIONS, options)
    turns = players * sum(copies > 0 for copies in deck) - 1
    chips, deals = float(options["chips"]), options["deals"]
    gain = chips * (players - 1)
    return Bounds(-chips, gain, 0.0, deals * (players + turns), deals * (sum(deck) + 1 + turns), limits)


def limits(s: Any) -> Limits:
    """Between what the numbers of a whole position lie: seats that there are, ranks, and what is counted twice."""
    compared, choosing = s.phase in {CHOOSE, TIE, LOT}, s.phase in {DEAL, CHOOSE}
    for seat in (s.turn, s.first):
        yield seat, NONE, s.seats - 1
    yield from subset(s.anted, (1 << s.seats) - 1)
    yield from subset(s.inside, s.anted)
    for seats in (s.waiting, s.tied, s.lowest, s.acting):
        yield from subset(seats, s.anted if s.over else s.inside)
    if choosing:
        yield from exactly(s.inside, s.anted)
        yield from exactly(s.tied, s.anted)
        yield from exactly(s.lowest | s.waiting, 0)
        yield from exactly(s.low, RANKS)
        yield from within(s.row, 0, 0)
    elif s.acting:
        yield from on_turn(s)
        yield s.first, 0, s.seats - 1
        yield from exactly(s.waiting >> s.turn & 1, 1)
        yield from exactly(s.tied | s.lowest, 0)
        for p in range(s.seats):
            yield s.row[p], s.inside >> p & 1, (1 << RANKS) - 1
    yield s.low, 0, RANKS
    yield s.round, 0, 127
    yield s.due, 0, counted(s.deck) if s.phase == DEAL else 0
    yield s.reshuffled, 0, 1
    yield from exactly(s.deck_left, counted(s.stock))
    yield from exactly(s.discard_size, counted(s.discard))
    for p, cards in enumerate(row_sums(s.hand)):
        yield from exactly(s.held[p], cards)
    yield from within(s.row, 0, (1 << RANKS) - 1)
    yield from chosen(s, compared, s.choice, RANKS - 1)
    yield from within(s.others, 0, 0)
    yield from absent(s.seats, 0, s.purse, s.row, s.held)
