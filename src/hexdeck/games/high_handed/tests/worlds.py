"""Worlds of High Handed (HH-21): hands, cards taken from them, the bag, the card picked, answers; and all its cards."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from hexdeck.games.high_handed.rules import ANSWER, CARD, DRAW, NONE, STACK
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
    return [members(*pair) for pair in zip(fields[name], fields[f"{name}_x"], strict=True)]


def world(fields: Fields) -> tuple[Any, ...]:
    bag = members(fields["bag"], fields["bag_x"])
    secrets = fields["picked"], tuple(fields["choice"]), tuple(fields["sneaked"])
    return tuple(each(fields, "hand")), tuple(each(fields, "taken")), bag, *secrets


def worlds(known: Fields, seat: int) -> dict[tuple[Any, ...], Fraction]:
    """Whoever may have drawn a card too many has done so or not (HH-19); see `placed` for the cards."""
    out: dict[tuple[Any, ...], Fraction] = {}
    for sneaked, share in sneaks(known, seat).items():
        for world, chance in placed(known | {"sneaked": sneaked}, seat).items():
            out[world] = chance * share
    total = sum(out.values())
    return {world: chance / total for world, chance in out.items()}


def sneaks(known: Fields, seat: int) -> dict[tuple[int, ...], Fraction]:
    """Who may have drawn a card too many: any of those that can have, each set as likely, as the piles seem to allow.

    A card that is due, or that the last player left there, was drawn by nobody. Who turns one up has drawn one. Who
    reached for one in vain has seen that others have them all; it can be nobody but the last player.
    """
    cards, doubts = sum(known["pile"]), known["suspect"]
    drawable = cards - (1 if any(doubts) and (known["due"] > 0 or known["left"]) else 0)
    unknown = [p for p, doubt in enumerate(doubts) if doubt == 1 and p != seat]
    own = [seat] if seat >= 0 and doubts[seat] and known["sneaked"][seat] > 0 else []
    asked = [p for p, doubt in enumerate(doubts) if doubt]
    last = min(asked, key=lambda p: (known["turn"] - p - 1) % known["seats"], default=NONE)
    out: dict[tuple[int, ...], Fraction] = {}
    for sinners in powerset(unknown):
        turning_up = known["phase"] == DRAW and known["turn"] in unknown and known["turn"] not in sinners
        hidden = len(own) + len(sinners)
        in_vain = seat >= 0 and known["sneaked"][seat] == -1
        if turning_up or hidden > drawable or (in_vain and hidden < cards):
            continue
        options: list[tuple[int, ...]] = [(sneaked,) for sneaked in known["sneaked"]]
        for p in sinners:
            options[p] = (1, 2) if known["choose_pile"] and all(known["pile"]) else (1,)
        if last in unknown and last not in sinners and hidden == cards > 0:
            options[last] = (0, -1)
        each = list(product(*options))
        out |= {sneaked: Fraction(1, len(each)) for sneaked in each}
    return out


def powerset(members: list[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(members, size) for size in range(len(members) + 1))


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
    struct.hand[0] |= 1
