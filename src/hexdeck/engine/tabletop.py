"""What tables of several games show alike: cards by rank, sets of seats, captions by stop, results in chips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from hexdeck.engine.layout import END
from hexdeck.engine.text import Cards, Seat, Text, _, in_chips, say
from hexdeck.engine.view import Caption, Outcome, Stop, told


def rank_cards(*ranks: int) -> Cards:
    """Cards of a Pairs deck for a sentence, by their ranks counted from 0."""
    return Cards(tuple(str(rank + 1) for rank in ranks))


def rank_codes(counts: Iterable[int]) -> tuple[str, ...]:
    """The codes of cards of a Pairs deck, from how many there are of each rank."""
    return tuple(str(rank + 1) for rank, count in enumerate(counts) for _ in range(count))


def seats_of(bits: int) -> tuple[int, ...]:
    """The seats of a set of bits, in ascending order."""
    return tuple(p for p in range(bits.bit_length()) if bits >> p & 1)


def captions_by_stop(captions: Mapping[int, Any]) -> Any:
    """A game's `caption`: by the kind of a stop, one for all; or a function of the stop, of who is told, of whom."""

    def caption(stop: Stop, seat: int) -> Caption | None:
        """What a seat is told and shown at a stop."""
        captioned = captions[stop.kind] if stop.kind != END else None
        return captioned(stop, seat, stop.seat) if callable(captioned) else captioned

    return caption


def at_seat(
    mine: Text, theirs: Text, hold: int, light: str, cue: str, said: Text | None = None
) -> Callable[[Stop, int, int], Caption]:
    """A caption of one sentence about a seat. `light`: names of zones, with {} for the seat, with spaces between."""

    def caption(_stop: Stop, seat: int, p: int) -> Caption:
        places = tuple(place.format(p) for place in light.split())
        return Caption(told(seat, p, mine, theirs), hold, places, (p,), cue, said)

    return caption


def outcome_in_chips(chips: Sequence[int]) -> Outcome:
    """How a match ended where the most chips win, from the chips of each seat."""
    return Outcome([_chips_text(n, max(chips), chips.count(max(chips)) > 1) for n in chips], lead_in_chips(chips))


def chip_results(chips: Sequence[int], start: int) -> list[Text]:
    """A sentence for each seat: its chips, and how many it won or lost since the start."""
    more, less = (
        _("{seat}: {chips}, {more} more than at the start."),
        _("{seat}: {chips}, {less} fewer than at the start."),
    )
    return [
        say(more if n >= start else less, seat=Seat(p), chips=in_chips(n), more=n - start, less=start - n)
        for p, n in enumerate(map(int, chips))
    ]


def lead_in_chips(chips: Sequence[int]) -> Text:
    """How many chips the richest is ahead."""
    first, second, *_ = sorted(chips, reverse=True)
    return in_chips(first - second)


def _chips_text(n: int, best: int, shared: bool) -> Text:
    if n < best:
        return say("ended with {chips}", chips=in_chips(n))
    if shared:
        return say("shared the win, with {chips}", chips=in_chips(n))
    return say("won the match with {chips}", chips=in_chips(n))
