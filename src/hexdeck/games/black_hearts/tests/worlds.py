"""Worlds of Black Hearts (BH-15, BH-16): others' hands, the cards left out, what others passed, secret choices."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from hexdeck.simulation.game import Game

Fields = dict[str, Any]
Hand = tuple[int, ...]  # kinds, sorted
World = tuple[tuple[Hand, ...], Hand, tuple[Hand, ...], tuple[int, ...]]
FIXED, RANDOM, KINDS = 6, 12, 18
NONE = -1
DEAL, PASS = 0, 1
PASSES = [(a, b) for a in range(KINDS) for b in range(a if a >= RANDOM else a + 1, KINDS)]


def listed(counts: list[int]) -> Hand:
    return tuple(kind for kind, copies in enumerate(counts) for _ in range(copies))


def world(fields: Fields) -> World:
    sent = tuple(tuple(kind for kind in pair if kind != NONE) for pair in fields["sent"])
    return tuple(map(listed, fields["hand"])), listed(fields["stock"]), sent, tuple(fields["choice"])


def worlds(known: Fields, seat: int) -> dict[World, Fraction]:
    """Every way to fill the hidden places with unseen cards, only Random ones left over; then the secret choices."""
    out: Counter[World] = Counter()
    for (hands, stock), chance in deals(known).items():
        for sent, share in passed(known, hands, seat).items():
            for choice, lot in choices(known, hands, seat).items():
                out[hands, stock, sent, choice] += chance * share * lot
    return dict(out)


def deals(known: Fields) -> dict[tuple[tuple[Hand, ...], Hand], Fraction]:
    """Hands and what is left, as likely as dealing makes them: each way to choose physical cards counts once.

    What is to be dealt still is dealt to one more place, so that it is clear which cards never come.
    """
    places = [held - sum(hand) for held, hand in zip(known["held"], known["hand"], strict=True)] + [known["due"]]
    bag = list(enumerate(listed(known["stock"])))
    ways: Counter[tuple[tuple[Hand, ...], Hand]] = Counter()
    for filled, rest in fillings(bag, places):
        if any(kind < RANDOM for _, kind in rest):
            continue
        hands = [(*listed(hand), *new) for hand, new in zip(known["hand"], filled, strict=False)]
        stock = [*(kind for _, kind in rest), *filled[-1]]
        ways[tuple(tuple(sorted(hand)) for hand in hands), tuple(sorted(stock))] += 1
    return {deal: Fraction(number, sum(ways.values())) for deal, number in ways.items()}


Physical = tuple[int, int]


def fillings(bag: list[Physical], places: list[int]) -> Iterator[tuple[list[list[int]], list[Physical]]]:
    """Every way to put physical cards into places of these sizes: the kinds in each, and the cards left over."""
    if not places:
        yield [], bag
        return
    for chosen in combinations(bag, places[0]):
        rest = [card for card in bag if card not in chosen]
        for filled, left in fillings(rest, places[1:]):
            yield [[kind for _, kind in chosen], *filled], left


def passed(known: Fields, hands: tuple[Hand, ...], seat: int) -> dict[tuple[Hand, ...], Fraction]:
    """Each pair that was passed unseen is any two of the physical cards that its receiver has had since."""
    out: dict[tuple[Hand, ...], Fraction] = {(): Fraction(1)}
    for p, open_pair in enumerate(known["sent"]):
        taker = (p + 1) % known["seats"]
        pairs: Counter[Hand] = Counter()
        if known["phase"] > PASS and p < known["seats"] and seat not in {p, taker}:
            played = [kind for kind in known["played"][taker] if kind != NONE]
            pairs.update(unplayed(pair, played) for pair in combinations((*played, *hands[taker]), 2))
        else:
            pairs[tuple(kind for kind in open_pair if kind != NONE)] += 1
        out = {
            (*begun, pair): chance * Fraction(ways, sum(pairs.values()))
            for begun, chance in out.items()
            for pair, ways in pairs.items()
        }
    return out


def unplayed(pair: tuple[int, int], played: list[int]) -> Hand:
    """What is known to be in the hand still of two cards that came into it."""
    return tuple(sorted((Counter(pair) - Counter(played)).elements()))


def choices(known: Fields, hands: tuple[Hand, ...], seat: int) -> dict[tuple[int, ...], Fraction]:
    """Who has chosen two cards in secret may have chosen any two kinds of the hand."""
    out: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for p, open_choice in enumerate(known["choice"]):
        secret = known["phase"] == PASS and p < known["seats"] and p != seat and not known["acting"] >> p & 1
        legal = {tuple(sorted(pair)) for pair in combinations(hands[p], 2)}
        options = sorted(PASSES.index((a, b)) for a, b in legal) if secret else [open_choice]
        out = {(*begun, each): chance / len(options) for begun, chance in out.items() for each in options}
    return out


# --- all cards, for the test that none is ever made or lost ---
def everything(setting: Game) -> Counter[int]:
    """All cards there are: with three players only Two o'clock of the Fixed cards (BH-4)."""
    numbers = {
        name: [int(n) for n in str(value).split("-")]
        for name, value in setting.options.items()
        if "_" in name and name != "reversed_ties"
    }
    curse, fixed = len(numbers["curse_numbers"]), len(numbers["fixed_numbers"])
    blue = [setting.options["two_oclock"] - 1] if setting.players == 3 else range(fixed)
    white = [RANDOM + k for k, copies in enumerate(numbers["random_copies"]) for _ in range(copies)]
    return Counter([*range(curse), *(FIXED + k for k in blue), *white])


def one_more(struct: Any) -> None:
    struct.stock[RANDOM] += 1
