"""Worlds of Hawthorn (HT-15): others' hands, the deck, secret choices."""

from collections import Counter
from fractions import Fraction
from typing import Any

from hexdeck.simulation.game import Game
from tests.worlds import deck_of, hands

Fields = dict[str, Any]
Hand = tuple[int, ...]


def world(fields: Fields) -> tuple[Any, ...]:
    """What can differ between two worlds; nothing lies in the bag of others' hands."""
    assert not any(fields["others"])
    return tuple(map(sorted_hand, fields["hand"])), tuple(fields["stock"]), tuple(fields["choice"])


def sorted_hand(counts: list[int]) -> Hand:
    return tuple(rank for rank, copies in enumerate(counts) for _ in range(copies))


def worlds(known: Fields, seat: int) -> dict[tuple[Any, ...], Fraction]:
    """Unseen cards are in any hidden place; a deck made of the discards (HT-11) hides nothing but its order."""
    others = [p for p in range(known["seats"]) if p != seat]
    bag = tuple(known["others"] if known["reshuffled"] else known["stock"])
    out: Counter[tuple[Any, ...]] = Counter()
    for (held, rest), chance in hands(bag, [known["held"][p] for p in others]).items():
        hand = [sorted_hand(counts) for counts in known["hand"]]
        for p, cards in zip(others, held, strict=True):
            hand[p] = cards
        assert not known["reshuffled"] or not any(rest)
        stock = tuple(known["stock"]) if known["reshuffled"] else rest
        for choice, lot in choices(known, seat, hand).items():
            out[tuple(hand), stock, choice] += chance * lot
    return dict(out)


def choices(known: Fields, seat: int, hand: list[Hand]) -> dict[tuple[int, ...], Fraction]:
    """While cards are chosen (HT-3), who acts no more may have chosen any rank of the hand."""
    choosing = known["acting"] and not any(known["row"])
    out: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for p, open_choice in enumerate(known["choice"]):
        secret = choosing and p != seat and known["inside"] >> p & 1 and not known["acting"] >> p & 1
        options = sorted(set(hand[p])) if secret else [open_choice]
        out = {(*begun, r): chance / len(options) for begun, chance in out.items() for r in options}
    return out


# --- all cards and chips, for the test that none is ever made or lost ---
def everything(setting: Game) -> Counter[Any]:
    """The deck by ranks, and everybody's chips (HT-1)."""
    return Counter(deck_of(setting) | {"chips": setting.players * setting.options["chips"]})


def one_more(struct: Any) -> None:
    struct.stock[3] += 1
