"""The best and the worst result of a session of Blackstone, how long it can last, and what its numbers can be."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.cards import RANKS, counted, deck_in
from hexdeck.engine.study import Bounds, Limits, absent, exactly, on_turn, subset, within
from hexdeck.games.blackstone import rules


def bounds(players: int, options: Mapping[str, Any]) -> Bounds:
    """A pot may remain (BS-14); the greatest number of decisions, and of chance events (BS-2 to BS-12).

    Each card drawn takes at most two decisions, to draw it and to stop after it; all who staked but one may fold. The
    first card dealt to each of them doesn't return to the deck; extra tens do. If the deck runs out, chance picks who
    begins.
    """
    deck = deck_in(rules.OPTIONS, options)
    several = options["sit_out"] or options["rounds"] > 1
    staking = 2 if several else players  # with fewer of them, more cards are left to draw
    turns = 2 * (sum(deck) - staking) + staking - 1
    chances = sum(deck) + max(0, deck[rules.TEN] - 1) + 1
    chips, rounds = float(options["chips"]), options["rounds"]
    moves = rounds * (turns + players * options["sit_out"])
    return Bounds(-chips, chips * (players - 1), None, moves, rounds * chances, limits)


def limits(s: Any) -> Limits:
    """Between what the numbers of a whole position lie: seats that there are, and what is counted twice."""
    everybody = (1 << s.seats) - 1
    yield s.phase, rules.STAKING if s.sit_out else rules.DEAL, rules.DONE
    yield s.turn, rules.NONE, s.seats - 1
    yield s.played, 0, s.rounds
    yield s.lowest, 0, RANKS
    yield from subset(s.joined, everybody)
    yield from subset(s.inside, s.joined)
    yield from subset(s.staking, everybody & ~s.acting)
    yield from subset(s.lowest_seats, everybody)
    yield from subset(s.acting, rules.able_to_stake(s) if s.phase == rules.STAKING else s.inside)
    if s.phase != rules.STAKING:
        yield from on_turn(s)
    yield s.tied, 0, everybody if s.phase in {rules.DEAL, rules.FIRST} else 0
    yield s.staking, 0, everybody if s.phase == rules.STAKING else 0
    yield s.aside, 0, s.deck[rules.TEN]
    yield s.white, 0, counted(s.deck) - s.deck[rules.TEN]
    for number in (s.last, s.drawn):  # at most one ten: the second one ends a round
        yield number, 0, s.white + 2
    yield s.least, 1, max(1, s.last)
    yield s.owed, 0, counted(s.deck) if s.phase in {rules.CARDS, rules.DONE} else 0
    yield from exactly(s.deck_left, counted(s.stock))
    yield from exactly(s.inside_count, s.inside.bit_count())
    yield from within(s.black, 0, 2)
    if s.phase in {rules.TURN, rules.CARDS, rules.MORE}:
        yield from paid(s)
    yield from absent(s.seats, 0, s.purse, s.black, s.shown)


def paid(s: Any) -> Limits:
    """BS-1, BS-8: who folded paid the stake at least, in the first round nobody else did; others couldn't stake."""
    folded = (s.joined & ~s.inside).bit_count()
    yield s.pot, rules.STAKE * folded, s.pot if s.played else rules.full_price(s.white) * folded
    for p in range(s.seats):
        if not (s.sit_out or s.joined >> p & 1):
            yield s.purse[p], 0, rules.STAKE - 1
