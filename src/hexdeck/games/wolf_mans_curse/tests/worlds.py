"""Worlds of Wolf-Man's Curse (WC-19, WC-20): hands, cards that weren't dealt, secret choices; and all its cards."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from hexdeck.simulation.game import Game
from tests.worlds import hands

Fields = dict[str, Any]
Cards = tuple[int, ...]  # in ascending order
NONE = -1
JOKER = 12


def members(bits: int) -> Cards:
    return tuple(k for k in range(bits.bit_length()) if bits >> k & 1)


def world(fields: Fields) -> tuple[Any, ...]:
    return tuple(map(members, fields["hand"])), members(fields["stock"]), tuple(fields["card"])


def worlds(known: Fields, seat: int) -> dict[tuple[Any, ...], Fraction]:
    """Unseen cards are in any hidden place."""
    others = [p for p in range(known["seats"]) if p != seat]
    unseen = members(known["stock"])
    out: dict[tuple[Any, ...], Fraction] = {}
    for (held, rest), chance in hands((1,) * len(unseen), [in_hand(known, p) for p in others]).items():
        hand = [members(bits) for bits in known["hand"]]
        for p, places in zip(others, held, strict=True):
            hand[p] = tuple(unseen[place] for place in places)
        stock = tuple(card for card, left in zip(unseen, rest, strict=True) if left)
        possible = choices(known, seat, hand)
        for choice in possible:
            out[tuple(hand), stock, choice] = chance / len(possible)
    return out


def in_hand(known: Fields, p: int) -> int:
    """How many cards a seat holds: those dealt to it in turn, less those of nights that are over, and the one laid."""
    if known["over"]:
        return 0
    dealt = known["seats"] * (known["hand_cards"] or 5) - known["due"]
    nights = sum(captor != NONE for captor in known["captor"])
    return len(range(p, dealt, known["seats"])) - nights - (known["night"] > 1 and known["card"][p] != NONE)


def choices(known: Fields, seat: int, hand: list[Cards]) -> list[tuple[int, ...]]:
    """On the first night (WC-7) who acts no more may have chosen any card of the hand; all are as likely."""
    options: list[Cards] = [(card,) for card in known["card"]]
    for p in range(known["seats"]):
        if known["night"] == 1 and known["acting"] and not known["acting"] >> p & 1 and p != seat:
            options[p] = hand[p]
    return list(product(*options))


# --- all cards, for the test that none is ever made or lost ---
def everything(setting: Game) -> Counter[Any]:
    """The number cards and jokers there should be (WC-1, WC-2)."""
    jokers = int(setting.options["faces"].split("-")[JOKER])
    cards = [10 * suit + rank for suit in range(4) for rank in range(setting.options["ranks"])]
    return Counter([*cards, *["jokers"] * jokers])


def one_more(struct: Any) -> None:
    struct.hand[0] |= 1
