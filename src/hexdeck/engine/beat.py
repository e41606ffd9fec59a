"""Beats: an event as somebody at a real table sees it, step by step; and what a game says of each step.

The rules mark the steps with `stop` (`hexdeck.engine.layout`). For each stop of an event, and for its end, a game's
`table.py` may define `caption(stop, seat)`: what a seat, or the public (-1), is told and shown then. Bids that lie face
down, are turned up, and win the prize:

    def caption(stop, seat):
        now = stop.now
        if stop.kind == rules.TURNED_UP:
            return Caption(say("The bids are turned up."), REVEALED, ("bids",), cue="flip")
        if stop.kind == rules.WON:
            line = told(seat, stop.seat, say("You win."), say("{seat} wins."))
            return Caption(line, RESOLVED, ("prize",), (stop.seat,), "chips")
        return None

The log, every screen, speech and sound are made from captions, and the table at a stop is drawn by `zones` as always. A
caption is made from structs that are concealed for the seat, so it can't tell what the seat doesn't know; and which
steps there are, and how long each is held, is what the public's captions say. A game without `caption` tells each
event in one step, from its labels and zones. `hexdeck.testing` checks all this (`stops`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.text import Seat, Text
from hexdeck.engine.view import Zone

PLAYED, REVEALED, RESOLVED = 500, 1100, 600  # milliseconds for which a step is held
LONGEST = 1800  # milliseconds, for a big moment
CUES = "deal", "place", "flip", "chips", "reveal", "good", "bad", "curse", "feast"  # those that have a sound


class Stop:
    """A stop as a seat, or the public, knows it.

    `kind`: one of the game's, or `END`. `seat`: whom it is about, or -1. `actor`: who made the move, -1 for chance.
    `action`: the move's id, for whoever made it, and for all in a game without secrets; else -1.
    `before` and `now`: the concealed structs at the stop before (at first, before the event) and at this one.
    """

    __slots__ = "_known", "_last", "_now", "_struct", "action", "actor", "kind", "seat"

    def __init__(
        self,
        kind: int,
        seat: int,
        actor: int,
        action: int,
        known: Callable[[bytes], Any],
        struct: bytes,
        last: Stop | None = None,
    ) -> None:
        """`struct` is the whole struct, which `known` conceals when it is first read; `last` is the stop before."""
        self.kind, self.seat, self.actor, self.action = kind, seat, actor, action
        self._known, self._struct, self._last, self._now = known, struct, last or self, None

    @property
    def before(self) -> Any:
        """The struct at the stop before."""
        return self._last.now

    @property
    def now(self) -> Any:
        """The struct at this stop."""
        if self._now is None:
            self._now = self._known(self._struct)
        return self._now


@dataclass(frozen=True)
class Caption:
    """What a seat is told and shown at a stop.

    `line`: what is said of it. `hold`: the milliseconds that it stays on screens, at the usual pace; 0 where it is only
    in the log. `light`: what has the light, the ids of zones (`"pot"`) or of cards by their place in a zone
    (`"trick.2"`, counted from 0). `seats`: the seats that have it. `cue`: a word for movement and sound, one of `CUES`
    or another. `said`: what the first of `seats` says to the others, in a word or two. `log`: the lines of the log, if
    not just `line`.
    """

    line: Text | None = None
    hold: int = PLAYED
    light: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    cue: str = ""
    said: Text | None = None
    log: tuple[Text, ...] | None = None

    @property
    def lines(self) -> tuple[Text, ...]:
        """The lines of the log."""
        if self.log is not None:
            return self.log
        return (self.line,) if self.line else ()


def told(seat: int, who: int, you: Text, others: Text, **args: Any) -> Text:
    """A sentence in the wording for the seat it is about, or in the one for everybody else, where {seat} is that seat.

    `args`: arguments of both wordings; each gets those that it names.
    """
    text = you if seat == who else others
    used_args = {name: value for name, value in {"seat": Seat(who), **args}.items() if f"{{{name}}}" in text.key}
    return Text(text.key, {**used_args, **text.args}, text.plural)


@dataclass(frozen=True)
class Beat:
    """One step of an event on a screen: `zones` is the table as the seat sees it then; the rest as in Caption."""

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


def length(beats: Sequence[Beat]) -> int:
    """How long beats take together, in milliseconds."""
    return sum(beat.hold for beat in beats)


def one_step(old: Sequence[Zone], new: Sequence[Zone], lines: tuple[Text, ...]) -> Caption:
    """The caption of an event in one step: lit is what changed, and the last line is what is said of it."""
    places = tuple(places_changed(old, new))
    light, cards = tuple(spot for spot, _ in places), any(is_card for _, is_card in places)
    cue = "place" if cards else "chips" if light else ""
    return Caption(lines[-1] if lines else None, PLAYED, light, cue=cue, log=lines)


def places_changed(old: Sequence[Zone], new: Sequence[Zone]) -> Iterator[tuple[str, bool]]:
    """The places of cards that came to a zone, hands left out, and counts that changed; each with whether it is a card.

    They are named as in `Caption.light`.
    """
    old_zones = {zone.id: zone for zone in old}
    for zone in new:
        before = old_zones.get(zone.id, zone)
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
    counts = Counter(old.cards)
    for k, card in enumerate(new.cards):
        if counts[card]:
            counts[card] -= 1
        else:
            yield k


def fault_of(beats: Sequence[Beat]) -> str:
    """What is wrong with the beats of an event; an empty string if nothing is."""
    for beat in beats:
        if type(beat.hold) is not int or not 0 < beat.hold <= LONGEST:
            return f"a step must be held for 1 to {LONGEST} milliseconds, not {beat.hold!r}"
        sizes = {zone.id: len(zone.cards) for zone in beat.zones}
        for spot in beat.light:
            zone, dot, card = spot.rpartition(".")
            if spot not in sizes and not (dot and card.isdecimal() and int(card) < sizes.get(zone, 0)):
                return f"a caption lights {spot}, which isn't on the table then"
        if beat.said and not beat.seats:
            return "a caption says something, but lights no seat that says it"
    return ""
