"""Positions of Cursed Hand made by hand, and what is seen of them."""

from collections.abc import Sequence
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.games.cursed_hand import rules
from tests.positions import fields, ranks, redealt, zone
from tests.support import cards, play, stage

from . import worlds as oracle

NAME = "cursed-hand"
ROOMY = "9-9-9-9-9-9-9-9-9-9"  # any ghost hand can be made from it


def dealt(*hands: Sequence[int], **options: Any) -> Match:
    order = [hand[k] for k in range(len(hands[0])) for hand in hands]
    return stage(NAME, len(hands), cards(*order), hand_cards=len(hands[0]), **options)


def buried(*hands: Sequence[int], **options: Any) -> Match:
    """... and the first card of each is in the graveyard."""
    return play(dealt(*hands, **options), *(f"{p}: grave {hand[0]}" for p, hand in enumerate(hands)))


def passed(ghost: Sequence[int], graves: Sequence[int] = (3, 2, 2), **options: Any) -> Match:
    """Seat 0 has started a ghost hand, and with these cards, in this order, it has come to the next player."""
    gives: list[list[int]] = [[] for _ in graves]
    for k, rank in enumerate(ghost):
        gives[max(k - 1, 0) % len(graves)].append(rank)
    hands = [([graves[p], *gives[p]] + [2 + p] * 7)[:7] for p in range(len(graves))]
    match = play(buried(*hands, deck=ROOMY, **options), "card 6", f"0: pair {min(ghost[:2])} {max(ghost[:2])}")
    for k, rank in enumerate(ghost[2:], 1):
        play(match, f"{k % len(graves)}: accept, {k % len(graves)}: add {rank}")
    return match


def graves(match: Match) -> list[list[int]]:
    return [ranks(match, -1, f"grave-{p}") for p in range(match.game.players)]


def hands(match: Match) -> list[list[int]]:
    return [ranks(match, p, f"hand-{p}") for p in range(match.game.players)]


def discards(match: Match) -> list[int]:
    return ranks(match, -1, "discards")


def deck(match: Match) -> int:
    return zone(match, -1, "deck").hidden


def lost(match: Match) -> list[int | None]:
    return [zone(match, -1, f"lost-{p}").count for p in range(match.game.players)]


def ghosts(match: Match) -> list[tuple[list[int], int]]:
    """What the public and each seat see of the ghost hand: known cards, and how many more."""
    return [(ranks(match, p, "ghost"), zone(match, p, "ghost").hidden) for p in range(-1, match.game.players)]


def assert_worlds(match: Match, *seats: int) -> None:
    """Seats (none named: all and the public) think possible what the rules let them, each world as likely as it is."""
    for seat in seats or range(-1, match.game.players):
        known = fields(match.concealed(seat), rules.STRUCT)
        assert redealt(match, seat, lambda w: oracle.world(fields(w, rules.STRUCT))) == oracle.worlds(known, seat)
