"""The best and the worst result of a match of Black Hearts, and how long it can last."""

from collections.abc import Mapping
from typing import Any

from hexdeck.games.black_hearts.rules import LIMIT, MERCY, hand_size


def bounds(_players: int, _options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and the sum of all if it is fixed (BH-14): the winners share 1."""
    return 0.0, 1.0, 1.0


def lengths(players: int, options: Mapping[str, Any]) -> tuple[int, int]:
    """The greatest number of decisions, and of chance events (BH-4 to BH-8)."""
    rounds, cards = most_rounds(players, options), players * hand_size(options["hand_cards"])
    return rounds * (players + cards), rounds * cards + min(rounds, sum(gifts(options)))


def most_rounds(players: int, options: Mapping[str, Any]) -> int:
    """The greatest number of rounds of a game (BH-11 to BH-13), whatever is printed on the cards.

    A round without Mercy adds the points of all Curse cards, and nobody has reached the limit before the last round.
    If there is only one Curse card, whoever captures it has captured them all.
    """
    points = [int(number) for number in options["curse_points"].split("-")]
    if len(points) == 1:
        return 1
    before = players * (LIMIT - 1) // sum(points) if max(points) < LIMIT else 0
    return before + gifts(options)[MERCY] + 1


def gifts(options: Mapping[str, Any]) -> list[int]:
    """The number of Gift cards of each kind in a game."""
    return [int(copies) * bool(options["gifts"]) for copies in options["gift_copies"].split("-")]
