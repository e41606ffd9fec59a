"""A month of the Wolf-Man in steps: what is turned up for a night, and how the strongest takes all that lies there."""

from collections.abc import Sequence
from typing import Any

from hexdeck.engine.beat import (
    LONGEST,
    PLAYED,
    RESOLVED,
    REVEALED,
    Beat,
    changed,
    one_beat,
    places_changed,
    whose,
    zone_of,
)
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Zone
from hexdeck.games.wolf_mans_curse import ending, rules

DEALT = _("Month {month}: the cards are dealt.")
TURNED_UP = _("Night {night}: {card} is turned up and doubles {suit}.")
JOKER_UP = _("Night {night}: a joker is turned up and doubles nothing.")
TOO_EARLY = _("The queen of hearts, too early! Another card comes in her place; she goes back in the pile.")
LAST_NIGHT = _("Night {night}: the queen of hearts! She doubles hearts, and this night is the last.")
YOU_PLAY, PLAYS = _("You play the {card}."), _("{seat} plays the {card}.")
YOU_SCORE, SCORES = _("You score {points}."), _("{seat} scores {points}.")
MONTH_OVER = _("Month {month} is over: the points are counted.")
YOU_CAPTURE = _("Your card is strongest. You win {cards}: {points}.")
CAPTURES = _("{seat} is strongest and wins {cards}: {points}.")
GROWL = say("Grrr!")
Zones = tuple[Zone, ...]


def beats(seat: int, before: Any, old: Zones, facts: Sequence[Text], after: Any, new: Zones) -> tuple[Beat, ...]:
    """The beats of an event: `old` and `new` are the zones around it."""
    first = facts[0].key if facts else ""
    if first == DEALT:
        return (Beat(new, PLAYED, ("month",), line=facts[0], cue="deal"),)
    if first in (TURNED_UP, JOKER_UP, TOO_EARLY, LAST_NIGHT):
        return turned_up(seat, old, facts[0], after, new)
    taken = next((k for k, fact in enumerate(facts) if fact.key in (YOU_CAPTURE, CAPTURES)), None)
    if taken is None and first in (YOU_PLAY, PLAYS):
        place = len(zone_of(new, "tonight").cards) - 1
        return (Beat(new, PLAYED, (f"tonight.{place}",), (whose(seat, facts[0]),), facts[0], "place"),)
    if taken is None:
        return (one_beat(old, new, facts),)
    return night_ended(seat, before, old, facts, taken, after, new)


def turned_up(seat: int, old: Zones, told: Text, after: Any, new: Zones) -> tuple[Beat, ...]:
    """A face card comes up; the cards of its suit that one holds are lit with it. The queen of hearts may be early."""
    if told.key == TOO_EARLY:
        shown = changed(old, "face", cards=(rules.FACE_CODES[rules.QUEEN],))
        return Beat(shown, REVEALED, ("face.0",), line=told, cue="flip"), Beat(
            new, RESOLVED, ("pile",), line=told, cue="place"
        )
    if told.key == JOKER_UP:
        return (Beat(new, REVEALED, ("face.0",), line=told, cue="flip"),)
    light = ("face.0", *doubled(seat, after, new))
    if told.key == LAST_NIGHT:
        return (Beat(new, LONGEST, light, line=told, cue="last-night"),)
    return (Beat(new, REVEALED, light, line=told, cue="moon"),)


def doubled(seat: int, after: Any, new: Zones) -> tuple[str, ...]:
    """The places in one's own hand of the cards of tonight's suit."""
    hand = next((zone for zone in new if zone.id == f"hand-{seat}"), None)
    cards = hand.cards if hand else ()
    return tuple(
        f"hand-{seat}.{k}"
        for k, code in enumerate(cards)
        if rules.CODES.index(code) // rules.RANKS == after.face // 3  # suits have three faces each
    )


def night_ended(
    seat: int, before: Any, old: Zones, facts: Sequence[Text], taken: int, after: Any, new: Zones
) -> tuple[Beat, ...]:
    """The last card lies on the table, the strongest is named, and takes them all; then a month or the game may end."""
    last = [fact for fact in facts[:taken] if fact.key in (YOU_PLAY, PLAYS)]
    lying = laid(seat, old, last)
    tonight = zone_of(lying, "tonight")
    place, later = strongest(before, tonight), facts[taken + 1 :]
    captor = tonight.owners[place]
    gathered = captured(before, lying, captor, facts[taken]) if later else new
    return (
        shown(tonight, lying, last),
        Beat(lying, REVEALED, (f"tonight.{place}",), (captor,), facts[taken], "growl", GROWL),
        Beat(gathered, RESOLVED, (f"captured-{captor}-{before.night}",), (captor,), facts[taken], "place"),
        *reckoned(seat, gathered, later, after, new),
    )


def shown(tonight: Zone, lying: Zones, last: Sequence[Text]) -> Beat:
    """The last cards of a night come to the table: one in its turn, or on the first night all together."""
    places = range(len(tonight.cards) - len(last), len(tonight.cards))
    light, seats = tuple(f"tonight.{k}" for k in places), tuple(tonight.owners[k] for k in places)
    if len(last) > 1:
        return Beat(lying, REVEALED, light, seats, say("Everyone turns up their card."), "flip")
    return Beat(lying, PLAYED, light, seats, last[-1], "place")


def reckoned(seat: int, gathered: Zones, later: Sequence[Text], after: Any, new: Zones) -> list[Beat]:
    """What comes after the last night of a month: its points, and at the end of the match the reckoning."""
    sums = [fact for fact in later if fact.key in (MONTH_OVER, YOU_SCORE, SCORES)]
    if not sums:
        return []
    light = tuple(place for place, _ in places_changed(gathered, new) if place.startswith(ending.COLUMNS))
    seats = tuple(p for p in range(after.seats) if any(place.endswith(f"-{p}") for place in light))
    counted = ending.marked(after, new, ())
    if not after.over:
        return [Beat(counted, RESOLVED, light, seats, sums[0], "chips")]
    month = zone_of(gathered, "month")
    counted = changed(counted, "month", count=month.count, note=month.note)  # it isn't over yet
    run = Beat(counted, RESOLVED, light, seats, sums[0], "chips")
    return [run, *ending.scenes(seat, after, new, later[len(sums) :])]


def laid(seat: int, old: Zones, last: Sequence[Text]) -> Zones:
    """The zones when the last cards of a night lie on the table, but nothing is taken yet."""
    tonight = zone_of(old, "tonight")
    players = [whose(seat, fact) for fact in last]
    codes = [fact.args["card"].codes[0] for fact in last]
    note = tonight.note if tonight.owners else None
    lying = changed(old, "tonight", cards=(*tonight.cards, *codes), owners=(*tonight.owners, *players), note=note)
    for p, code in zip(players, codes, strict=True):
        hand = zone_of(lying, f"hand-{p}")
        if p == seat:
            lying = changed(lying, hand.id, cards=tuple(card for card in hand.cards if card != code), note=None)
        else:
            lying = changed(lying, hand.id, count=(hand.count or 0) - 1)
    return lying


def strongest(before: Any, tonight: Zone) -> int:
    """The place of the strongest card on the table."""
    strengths = [rules.strength(before, rules.CODES.index(code)) for code in tonight.cards]
    return strengths.index(max(strengths))


def captured(before: Any, lying: Zones, captor: int, told: Text) -> Zones:
    """The zones when the winner has taken the last night of a month, which isn't scored yet."""
    night = before.night
    pile = Zone(
        f"captured-{captor}-{night}", say("Night {night}", night=night), captor, "pile", told.args["cards"].codes
    )
    empty = changed(changed(lying, "tonight", cards=(), owners=(), note=None), "face", cards=(), note=None)
    end = max(k for k, zone in enumerate(empty) if zone.seat == captor) + 1
    return (*empty[:end], pile, *empty[end:])
