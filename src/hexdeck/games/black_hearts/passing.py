"""The beginning of a round of Black Hearts in steps: cards go to the left from every seat, then a gift is turned up."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hexdeck.engine.beat import LONGEST, PLAYED, RESOLVED, REVEALED, Beat
from hexdeck.engine.text import Cards, Seat, Text, _, say
from hexdeck.engine.view import Zone
from hexdeck.games.black_hearts import rules
from hexdeck.games.black_hearts.values import GIFTS

DEALT = _("Round {number}: the cards are dealt.")
ALL_PASS = _("Everyone has chosen: each player passes two cards to the left.")
PASSES_YOU = _("{seat} passes you {cards}.")
I_LEAD = say("I lead.")
Zones = tuple[Zone, ...]


def beats(
    seat: int, old: Zones, facts: Sequence[Text], after: Any, new: Zones, sent: Sequence[Cards], two: str
) -> list[Beat]:
    """The beats of the event with which play begins: cards are passed, the gift turns up, somebody leads.

    `sent` has the cards that each seat has passed, as far as one knows; `two` is the code of Two o'clock.
    """
    return [*passed(seat, old, new, sent), *gift(old, facts[0], after, new), leads(facts[-1], after, new, two)]


def passed(seat: int, old: Zones, new: Zones, sent: Sequence[Cards]) -> list[Beat]:
    """Two cards lie before every seat, all go to the left together, then into the hands.

    One sees what one gives and what one gets, and isn't told what one gets before it lies in one's hand.
    """
    everybody, right = tuple(range(len(sent))), (seat - 1) % len(sent)
    received = sent[right] if seat >= 0 else Cards(())
    hands = without_hands(old, new)
    rest = tuple(kept(seat, zone, received) if zone.id.startswith("hand-") else zone for zone in hands)
    given = [cards if p == seat else Cards(()) for p, cards in enumerate(sent)]
    offered = laid(rest, given, "passed", say("To pass"))
    come = [sent[p - 1] for p in everybody]
    arrived = laid(rest, come, "received", say("From the right"))
    landed = tuple(with_come(seat, zone, come) if zone.id.startswith("hand-") else zone for zone in hands)
    told = say(PASSES_YOU, seat=Seat(right), cards=received) if seat >= 0 else say(ALL_PASS)
    return [
        Beat(offered, PLAYED, places("passed", everybody), line=say(ALL_PASS), cue="place"),
        Beat(arrived, REVEALED, places("received", everybody), line=say(ALL_PASS), cue="pass"),
        Beat(landed, RESOLVED, taken(seat, landed, received), line=told, cue="place"),
    ]


def with_come(seat: int, hand: Zone, come: Sequence[Cards]) -> Zone:
    """A hand with the two cards that have come to it; nobody's Two o'clock is seen yet."""
    if hand.seat == seat or hand.seat is None:
        return hand
    cards = come[hand.seat].codes
    return replace(hand, cards=cards, hidden=len(hand.cards) + hand.hidden - len(cards), note=None)


def taken(seat: int, zones: Zones, received: Cards) -> tuple[str, ...]:
    """The places in one's hand of the cards that have come."""
    cards = next((zone.cards for zone in zones if zone.id == f"hand-{seat}"), ())
    twin = len(set(received.codes)) < len(received.codes)  # equal ones lie side by side
    return tuple(f"hand-{seat}.{cards.index(code) + k * twin}" for k, code in enumerate(received.codes))


def without_hands(old: Zones, new: Zones) -> Zones:
    """The zones before the event, but with the hands as they are after it."""
    return tuple(now if now.id.startswith("hand-") else was for was, now in zip(old, new, strict=True))


def kept(seat: int, hand: Zone, received: Cards) -> Zone:
    """A hand without the two cards that are on their way to it."""
    if hand.seat != seat:
        return replace(hand, cards=(), hidden=len(hand.cards) + hand.hidden - 2, note=None)
    cards = list(hand.cards)
    for code in received.codes:
        cards.remove(code)
    return replace(hand, cards=tuple(cards), note=None)


def laid(zones: Zones, pairs: Sequence[Cards], name: str, title: Text) -> Zones:
    """The zones with two cards more before each seat, face down where one doesn't know them."""
    out: list[Zone] = []
    for zone in zones:
        out.append(zone)
        if zone.id.startswith("hand-") and zone.seat is not None:
            codes = pairs[zone.seat].codes
            out.append(Zone(f"{name}-{zone.seat}", title, zone.seat, "row", codes, 2 - len(codes)))
    return tuple(out)


def places(name: str, seats: Sequence[int]) -> tuple[str, ...]:
    """The zones of this name before seats."""
    return tuple(f"{name}-{p}" for p in seats)


def gift(old: Zones, told: Text, after: Any, new: Zones) -> list[Beat]:
    """The Gift card turns up and says what it does, before anybody knows who leads."""
    if after.gift == rules.NONE:
        return []
    turned = tuple(now if now.id in ("gift", "gifts") else was for was, now in zip(old, new, strict=True))
    return [Beat(turned, LONGEST, ("gift",), line=told, cue=GIFTS[after.gift])]


def leads(told: Text, after: Any, new: Zones, two: str) -> Beat:
    """Two o'clock is shown in the hand of whoever leads with it."""
    hand = next(zone for zone in new if zone.id == f"hand-{after.turn}")
    light = (f"{hand.id}.{hand.cards.index(two)}",)
    return Beat(new, RESOLVED, light, (after.turn,), told, "reveal", I_LEAD)
