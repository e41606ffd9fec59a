"""The best and the worst result of a match of Cursed Hand, how long it can last, and what its numbers can be."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.cards import RANKS, counted, deck_in
from hexdeck.engine.study import Bounds, Limits, absent, chosen, exactly, on_turn, row_sums, within
from hexdeck.games.cursed_hand.rules import BURY, DEAL, FIRST, GHOST, NONE, OPTIONS, PICK, hand_size


def bounds(players: int, options: Mapping[str, Any]) -> Bounds:
    """The winners share 1, the losers -1 (CH-15); the most decisions, and chance events (CH-1 to CH-14).

    After the graveyards, starting a ghost hand takes one card more from a hand than is drawn, and adding a card takes
    one: two decisions each. Starting also takes a card from the deck; before the first ghost hand and at the end a
    seat may be picked. Each game has a loser.
    """
    deck = deck_in(OPTIONS, options)
    dealt = hand_size(players, options["hand_cards"])
    stock, spent = sum(deck) - players * dealt, players * (dealt - 1)
    picks = 1 + (options["tied_losers"] == "one_at_random")
    games = players * (options["losses"] - 1) + 1
    chances = games * (players * dealt + min(stock, spent) + picks)
    return Bounds(-1.0, 1.0, 0.0, games * (players + 2 * spent), chances, limits)


def limits(s: Any) -> Limits:
    """Between what the numbers of a whole position lie: seats that there are, ranks, and what is counted twice."""
    last, ghost, everybody = s.seats - 1, s.ghost_size > 0, (1 << s.seats) - 1
    yield s.turn, 0, last
    for seat in (s.passer, s.opener):
        yield seat, 0 if ghost else NONE, last if ghost else NONE
    if s.phase != BURY:
        yield from on_turn(s)
    yield s.due, 0, counted(s.deck) if s.phase == DEAL else 0
    yield s.ghost_size, 0, GHOST
    yield s.tied, 0, everybody if s.phase in {FIRST, PICK} else 0
    yield s.losers, 0, everybody
    yield from exactly(s.deck_left, counted(s.stock))
    for p, cards in enumerate(row_sums(s.hand)):
        yield from exactly(s.held[p], cards)
    yield from within(s.lost, 0, s.losses)
    yield from chosen(s, s.phase == BURY, s.choice, RANKS - 1)
    yield from within(s.seen, 0, s.ghost_size)
    yield from absent(s.seats, 0, s.lost, s.seen, s.held, s.grave)
    for i in range(GHOST):
        yield s.ghost[i], 0, RANKS - 1 if i < s.ghost_size else 0
