"""The best and the worst result of a match of Black Hearts, how long it can last, and what its numbers can be."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.study import Bounds, Limits, absent, chosen, exactly, on_turn, row_sums, within
from hexdeck.games.black_hearts import rules
from hexdeck.games.black_hearts.rules import NONE, SORT
from hexdeck.games.black_hearts.values import GIFTS


def bounds(players: int, options: Mapping[str, Any]) -> Bounds:
    """The winners share 1 (BH-14); the greatest number of decisions, and of chance events (BH-4 to BH-8)."""
    rounds, cards = most_rounds(players, options), players * rules.hand_size(options["hand_cards"])
    chances = rounds * cards + min(rounds, sum(gifts(options)))
    return Bounds(0.0, 1.0, 1.0, rounds * (players + cards), chances, limits)


def most_rounds(players: int, options: Mapping[str, Any]) -> int:
    """The greatest number of rounds of a game (BH-11 to BH-13), whatever is printed on the cards.

    A round without Mercy adds the points of all Curse cards, and nobody has reached the limit before the last round.
    If there is only one Curse card, the player who captures it has captured them all.
    """
    points = [int(number) for number in options["curse_points"].split("-")]
    if len(points) == 1:
        return 1
    before = players * (rules.LIMIT - 1) // sum(points) if max(points) < rules.LIMIT else 0
    return before + gifts(options)[rules.MERCY] + 1


def gifts(options: Mapping[str, Any]) -> list[int]:
    """The number of Gift cards of each kind in a game."""
    return [int(copies) * bool(options["gifts"]) for copies in options["gift_copies"].split("-")]


def limits(s: Any) -> Limits:
    """Between what the numbers of a whole position lie: seats that there are, kinds, and what is counted twice."""
    last = s.seats - 1
    yield s.turn, NONE, last
    yield s.leader, 0 if s.phase == rules.PLAY else NONE, last if s.phase == rules.PLAY else NONE
    if s.phase == rules.PLAY:
        yield from on_turn(s)
    yield s.trick, 0, rules.TRICKS if s.over else rules.TRICKS - 1
    yield s.due, 0, s.seats * rules.TRICKS if s.phase == rules.DEAL else 0
    yield s.gift, NONE, len(GIFTS) - 1
    for k in range(SORT):  # what is printed is told by the options, too
        yield from exactly(s.number[rules.CURSE + k], s.curse_numbers[k])
        yield from exactly(s.number[rules.FIXED + k], s.fixed_numbers[k])
        yield from exactly(s.number[rules.RANDOM + k], k + 1 if s.random_copies[k] else 0)
    yield from within(s.caught, 0, (1 << SORT) - 1)
    yield from chosen(s, s.phase == rules.PASS, s.choice, rules.CARD - 1)
    yield from within(s.sent, NONE, rules.KINDS - 1)
    yield from absent(s.seats, NONE, s.sent, s.played)
    yield from absent(s.seats, 0, s.total, s.caught, s.held)
    for g in range(len(GIFTS)):
        yield s.gifts_left[g], 0, s.gift_copies[g]
    for p, cards in enumerate(row_sums(s.hand)):
        yield from exactly(s.held[p], cards)
    for t in range(rules.TRICKS):
        yield s.winner[t], 0 if t < s.trick else NONE, last if t < s.trick else NONE
        for p in range(s.seats):
            yield s.played[p, t], 0 if t < s.trick else NONE, rules.KINDS - 1 if t <= s.trick else NONE
