"""Worlds of Cursed Hand (CH-16, CH-17): hands, deck, the ghost hand in the order it grew, secret choices."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

from hexdeck.simulation.game import Game
from tests.worlds import dealt, deck_of, hands

Fields = dict[str, Any]
NONE = -1


def world(fields: Fields) -> tuple[Any, ...]:
    ghost = fields["ghost"][: fields["ghost_size"]]
    return (tuple(map(sorted_hand, fields["hand"])), tuple(fields["stock"]), tuple(ghost), tuple(fields["choice"]))


def sorted_hand(counts: list[int]) -> tuple[int, ...]:
    return tuple(rank for rank, copies in enumerate(counts) for _ in range(copies))


def worlds(known: Fields, seat: int) -> dict[tuple[Any, ...], Fraction]:
    """Every physical card that the seat can't see is equally likely to be in any hidden place."""
    seats = known["seats"]
    others = [p for p in range(seats) if p != seat]
    out: Counter[tuple[Any, ...]] = Counter()
    ghosts = known_ghosts(known, seat)
    unseen = known["ghost"][: known["ghost_size"]].count(NONE)
    for (held, rest), chance in hands(tuple(known["stock"]), [known["held"][p] for p in others]).items():
        hand = [sorted_hand(counts) for counts in known["hand"]]
        for p, cards in zip(others, held, strict=True):
            hand[p] = cards
        for cards, stock, share in dealt(rest, unseen):
            for ghost, part in ghosts.items():
                full = pair_first((*ghost, *cards))
                for choice, lot in choices(known, seat, hand).items():
                    out[tuple(hand), stock, full, choice] += chance * share * part * lot
    return dict(out)


def pair_first(ghost: tuple[int, ...]) -> tuple[int, ...]:
    """The two that started it were passed as one secret."""
    return (*sorted(ghost[:2]), *ghost[2:])


def known_ghosts(known: Fields, seat: int) -> dict[tuple[int, ...], Fraction]:
    """The orders in which the cards that a seat has seen may have come: of its own cards it knows the place."""
    seen = [rank for rank in known["ghost"][: known["ghost_size"]] if rank != NONE]
    givers = [known["opener"], *(known["opener"] + k for k in range(known["ghost_size"] - 1))]
    own = [giver % known["seats"] == seat for giver in givers]
    out: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    stretch: list[int] = []
    for k, rank in enumerate(seen):
        if not own[k]:
            stretch.append(rank)
        if own[k] or k + 1 == len(seen):
            tail = (rank,) if own[k] else ()
            orders = Counter(permutations(stretch))
            ways = sum(orders.values())
            out = {
                (*start, *order, *tail): chance * Fraction(number, ways)
                for start, chance in out.items()
                for order, number in orders.items()
            }
            stretch = []
    folded: Counter[tuple[int, ...]] = Counter()
    for ghost, chance in out.items():
        folded[pair_first(ghost) if len(ghost) >= 2 else ghost] += chance
    return dict(folded)


def choices(known: Fields, seat: int, hand: list[tuple[int, ...]]) -> dict[tuple[int, ...], Fraction]:
    """Who has chosen a card in secret (CH-2) may have chosen any rank of the hand."""
    out: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    choosing = known["acting"].bit_count() > 0 and known["ghost_size"] == 0 and not any(map(any, known["grave"]))
    for p in range(len(known["choice"])):
        secret = choosing and p < known["seats"] and p != seat and not known["acting"] >> p & 1
        options = sorted(set(hand[p])) if secret else [known["choice"][p]]
        out = {(*begun, r): chance / len(options) for begun, chance in out.items() for r in options}
    return out


# --- all cards and chips, for the test that none is ever made or lost ---
def everything(setting: Game) -> Counter[Any]:
    """The deck by ranks (CH-1)."""
    return Counter(deck_of(setting))


def one_more(struct: Any) -> None:
    struct.stock[3] += 1
