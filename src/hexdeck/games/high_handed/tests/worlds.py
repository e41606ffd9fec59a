"""Worlds of High Handed (HH-21): hands, cards taken from them, the bag, the card picked, answers; and all its cards."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

from hexdeck.games.high_handed.rules import ANSWER, CARD, NONE, STACK
from hexdeck.simulation.game import Game
from tests.worlds import hands

Fields = dict[str, Any]
Cards = tuple[int, ...]  # in ascending order; specials follow the regular cards, all of a kind alike
SPECIALS = (52, 53)


def members(bits: int, specials: list[int]) -> Cards:
    """The cards in a set of bits, and so many specials of each kind."""
    regular = [k for k in range(bits.bit_length()) if bits >> k & 1]
    return (*regular, *(card for card, copies in zip(SPECIALS, specials, strict=True) for _ in range(copies)))


def each(fields: Fields, name: str) -> list[Cards]:
    """The cards of every seat."""
    return [members(*pair) for pair in zip(fields[name], fields[f"{name}_x"], strict=True)]


def world(fields: Fields) -> tuple[Any, ...]:
    """What can differ between two worlds."""
    bag = members(fields["bag"], fields["bag_x"])
    secrets = fields["picked"], tuple(fields["choice"]), tuple(fields["sneaked"])
    return tuple(each(fields, "hand")), tuple(each(fields, "taken")), bag, *secrets


def worlds(known: Fields, seat: int) -> dict[tuple[Any, ...], Fraction]:
    """Whoever may have drawn a card too many has done so or not (HH-19); see `placed` for the cards."""
    out: dict[tuple[Any, ...], Fraction] = {}
    for sneaked in sneaks(known, seat):
        share = Fraction(1, 2 ** sum(map(bool, sneaked))) if known["choose_pile"] else Fraction(1)
        for world, chance in placed(known | {"sneaked": sneaked}, seat).items():
            out[world] = chance * share
    total = sum(out.values())
    return {world: chance / total for world, chance in out.items()}


def sneaks(known: Fields, seat: int) -> list[tuple[int, ...]]:
    """Who may have drawn a card too many, and from which pile, as far as the piles seem to have cards.

    Where one is due, the piles had one left when it was reached for (HH-10).
    """
    room = sum(known["pile"]) - (known["due"] > 0 and any(known["suspect"]))
    piles = (0, 1, 2) if known["choose_pile"] else (0, 1)
    options: list[tuple[int, ...]] = [
        piles if known["suspect"][p] and p != seat else (known["sneaked"][p],) for p in range(len(known["suspect"]))
    ]
    hidden = [
        [k for k, suspect in zip(each, known["suspect"], strict=True) if suspect and k] for each in product(*options)
    ]
    return [each for each, found in zip(product(*options), hidden, strict=True) if len(found) <= room]


def placed(known: Fields, seat: int) -> dict[tuple[Any, ...], Fraction]:
    """Unseen cards are in any hidden place; a hidden pick is any kind of card of the hand, a hidden answer either."""
    others = [p for p in range(known["seats"]) if p != seat]
    unseen = members(known["bag"], known["bag_x"])
    kinds = sorted(set(unseen))
    sizes = [size for p in others for size in (known["held"][p], known["missing"][p])]
    out: dict[tuple[Any, ...], Fraction] = {}
    for (dealt, rest), chance in hands(tuple(map(unseen.count, kinds)), sizes).items():
        hand, taken = each(known, "hand"), each(known, "taken")
        for k, p in enumerate(others):
            hand[p], taken[p] = (tuple(kinds[place] for place in cards) for cards in dealt[2 * k : 2 * k + 2])
        if owes_regular(known, seat) and min(hand[known["turn"]]) in SPECIALS:
            continue
        bag = tuple(card for card, copies in zip(kinds, rest, strict=True) for _ in range(copies))
        secrets = list(product(picks(known, seat, hand), answers(known, seat)))
        for picked, choice in secrets:
            out[tuple(hand), tuple(taken), bag, picked, choice, tuple(known["sneaked"])] = chance / len(secrets)
    total = sum(out.values())
    return {world: chance / total for world, chance in out.items()}


def owes_regular(known: Fields, seat: int) -> bool:
    """Where specials can't be the whole turn as they lie (HH-9), the player must go on: it holds a regular card."""
    on_card, stacked = known["under"] != 0, known["stacked"]
    whole = stacked in (1, 2) if on_card and known["lone_special"] else not on_card and stacked == 1
    return known["phase"] == STACK and known["turn"] != seat and not whole


def picks(known: Fields, seat: int, hand: list[Cards]) -> list[int]:
    """Who chooses a card has picked none yet, or any that can be played, each as likely; equal specials are one."""
    hidden = known["phase"] == CARD and known["turn"] != seat
    return [NONE, *sorted(set(hand[known["turn"]]))] if hidden else [known["picked"]]


def answers(known: Fields, seat: int) -> list[tuple[int, ...]]:
    """Opponents of the offender who act no more have accused or not (HH-19)."""
    options: list[tuple[int, ...]] = [(choice,) for choice in known["choice"]]
    sides = known["teams"] or known["seats"]
    for p in range(known["seats"]):
        opponent = p % sides != known["turn"] % sides
        if known["phase"] == ANSWER and opponent and p != seat and not known["acting"] >> p & 1:
            options[p] = (0, 1)
    return list(product(*options))


# --- all cards, for the test that none is ever made or lost ---
def everything(setting: Game) -> Counter[int]:
    """The cards there should be (HH-1)."""
    options, fewer = setting.options, setting.players < 4
    regular = [13 * suit + rank for suit in range(options["suits"]) for rank in range(options["ranks"])]
    copies = [max(0, options[name] - fewer) for name in ("two_timers", "thieves")]
    return Counter([*regular, *members(0, copies)])


def one_more(struct: Any) -> None:
    """Add a card."""
    struct.hand[0] |= 1
