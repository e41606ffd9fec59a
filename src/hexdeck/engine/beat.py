"""Beats: an event as somebody at a real table sees it, step by step.

A game's `table.py` may define `beats(seat, before, facts, after)`; without it each event is one beat. It gets

- `seat`: who looks, -1 for the public;
- `before` and `after`: the structs around one event, concealed for that seat;
- `facts`: the texts that this seat was told of the event, as `narrate` made them. They say what structs can't, for one
  event may play a card, score it and deal anew. Tell them apart by `key`: a constant (`PAYS = _("…")`) that
  `narrate` says as well;

and returns the steps in order, each with the zones as they are then. The last step has the zones of `after`, as `zones`
gives them. All steps together take as long for every seat as for the public, or waiting would tell something; so how
long they take may depend only on what everybody knows. It is asked only about events of which the public was told
something. Bids that are turned up before the prize is taken:

    def beats(seat, before, facts, after):
        old, new = tuple(zones(before, seat)), tuple(zones(after, seat))
        if after.acting or not before.acting:
            return (one_beat(old, new, facts),)
        up = tuple(was if zone.shape == "count" else zone for was, zone in zip(old, new, strict=True))
        return (
            Beat(up, REVEALED, light=("bids-0.0",), line=facts[1], cue="flip"),
            Beat(new, RESOLVED, light=("prize",), line=facts[-1], cue="chips"),
        )

`hexdeck.testing` checks all this (`beats`). The structs stay as they are: a table between `before` and `after` is made
from zones (`changed`). A night of Wolf-Man's Curse is an example (`nights.py` there).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.text import Seat, Text
from hexdeck.engine.view import Zone, altered, one_object

PLAYED, REVEALED, RESOLVED = 500, 1100, 600  # milliseconds for which a step is held
LONGEST = 1800  # milliseconds, for a big moment
CUES = "deal", "place", "flip", "chips", "reveal", "good", "bad", "curse", "feast"  # those that have a sound


@dataclass(frozen=True)
class Beat:
    """One step of an event.

    `zones`: the table as the seat sees it then. `hold`: the milliseconds that it stays, at the usual pace. `light`:
    what has the light, the ids of zones (`"pot"`) or of cards by their place in a zone (`"trick.2"`, counted from 0).
    `seats`: the seats that have it. `line`: what is said of it. `cue`: a word for movement and sound, one of `CUES` or
    another. `said`: what the first of `seats` says to the others, in a word or two.
    """

    zones: tuple[Zone, ...]
    hold: int = PLAYED
    light: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    line: Text | None = None
    cue: str = ""
    said: Text | None = None

    def data(self) -> dict[str, Any]:
        """The beat as JSON-able data."""
        out: dict[str, Any] = {"hold": self.hold, "light": list(self.light), "seats": list(self.seats)}
        out |= {"line": self.line.data() if self.line else None, "cue": self.cue}
        out |= {"said": self.said.data() if self.said else None}
        return out | {"zones": [zone.data() for zone in self.zones]}


@dataclass(frozen=True)
class Scene:
    """An event as a seat knows it: the structs and zones around it, and what it was told; for a game's `beats`."""

    seat: int
    before: Any
    old: tuple[Zone, ...]
    facts: Sequence[Text]
    after: Any
    new: tuple[Zone, ...]

    @property
    def anew(self) -> bool:
        """Whether a new deal has begun since."""
        return bool(self.after.deal != self.before.deal)

    def told(self, *keys: str) -> Text | None:
        """The first fact with one of these keys."""
        return next((fact for fact in self.facts if fact.key in keys), None)

    def who(self, fact: Text) -> int:
        """The seat that a fact is about."""
        return whose(self.seat, fact)


def whose(seat: int, fact: Text) -> int:
    """The seat that a fact is about: the one it names, or the one that is told it as you."""
    named = fact.args.get("seat")
    return named.index if isinstance(named, Seat) else seat


def zone_of(zones: Sequence[Zone], id: str) -> Zone:
    """The zone with that id."""
    return next(zone for zone in zones if zone.id == id)


def length(beats: Sequence[Beat]) -> int:
    """How long beats take together, in milliseconds."""
    return sum(beat.hold for beat in beats)


def one_beat(old: Sequence[Zone], new: Sequence[Zone], facts: Sequence[Text]) -> Beat:
    """An event in one step: lit is what changed, and the last fact is what is said of it."""
    places = tuple(places_changed(old, new))
    light, cards = tuple(place for place, _ in places), any(is_card for _, is_card in places)
    cue = "place" if cards else "chips" if light else ""
    return Beat(tuple(new), PLAYED, light, line=facts[-1] if facts else None, cue=cue)


def changed(zones: Sequence[Zone], id: str, **changes: Any) -> tuple[Zone, ...]:
    """The zones with fields of one of them changed, such as its `cards`."""
    return tuple([one_object(altered(zone, **changes)) if zone.id == id else zone for zone in zones])


def places_changed(old: Sequence[Zone], new: Sequence[Zone]) -> Iterator[tuple[str, bool]]:
    """The places of cards that came to a zone, hands left out, and counts that changed; each with whether it is a card.

    They are named as in `Beat.light`.
    """
    known = {zone.id: zone for zone in old}
    for zone in new:
        before = known.get(zone.id, zone)
        if zone is before:
            continue
        if zone.shape == "board":
            pairs = zip(zone.cards, before.cards, strict=True)
            yield from ((f"{zone.id}.{k}", True) for k, (card, was) in enumerate(pairs) if card and card != was)
        elif zone.shape != "fan":
            yield from ((f"{zone.id}.{k}", True) for k in cards_come(before, zone))
        if zone.count != before.count:
            yield zone.id, False


def cards_come(old: Zone, new: Zone) -> Iterator[int]:
    """The places in a zone of cards that weren't in it before."""
    there = Counter(old.cards)
    for k, card in enumerate(new.cards):
        if there[card]:
            there[card] -= 1
        else:
            yield k


def fault_of(beats: Sequence[Beat], newest: Sequence[Zone]) -> str:
    """What is wrong with the beats of an event after which the zones are `newest`; an empty string if nothing is."""
    for beat in beats:
        if type(beat) is not Beat or type(beat.hold) is not int or not 0 < beat.hold <= LONGEST:
            return f"a beat must be a Beat that holds 1 to {LONGEST} milliseconds, not {beat!r}"
        known = {zone.id: len(zone.cards) for zone in beat.zones}
        for place in beat.light:
            zone, dot, card = place.rpartition(".")
            if place not in known and not (dot and card.isdecimal() and int(card) < known.get(zone, 0)):
                return f"a beat lights {place}, which isn't on the table then"
        if beat.said and not beat.seats:
            return "a beat says something, but lights no seat that says it"
    if beats and tuple(beats[-1].zones) != tuple(newest):
        return "the last beat has other zones than the view after the event"
    return ""


def fitted(beats: Sequence[Beat], wanted: int, otherwise: Beat) -> tuple[Beat, ...]:
    """Beats that take exactly so many milliseconds; without any, `otherwise` held for so long; none for no time."""
    if not wanted:
        return ()
    made, takes = tuple(beats) or (otherwise,), length(beats) or otherwise.hold
    if takes > wanted:
        made = tuple(altered(beat, hold=beat.hold * wanted // takes) for beat in made)
    last = made[-1]
    return (*made[:-1], altered(last, hold=wanted - length(made[:-1]))) if length(made) != wanted else made
