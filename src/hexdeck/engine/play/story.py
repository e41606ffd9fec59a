"""What the seats of a match see and are told: views, and the story of each event, its stops and its end as positions.

All of it is made from concealed structs. For a story the rules run once more on the position before the event,
interpreted, and hand over each stop (`engine.layout.stop`). All that a seat gets is made from those positions,
concealed for it, by the table's `caption` and `zones`. Which steps there are, and how long each is held, is what the
public's captions say: the same for every seat. Facts are made when they are first asked for, and then kept.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from hexdeck.engine.backends.interpreted import StopMark, marking_class, proxy_class
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.errors import BadPly, between, seat_of, shown
from hexdeck.engine.layout import END
from hexdeck.engine.play.game import Driver, GameSetup, raw
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import EVERYONE, Beat, Caption, Fact, Stop, View, Zone, altered

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match


STEP, KNOWN, BASE = 0, 1, 5  # rows: the struct that is stepped on, and a concealed copy; of a match, ply 0
KEPT = 256  # concealed structs that are kept at once
MOST = 15_000  # milliseconds that all beats together take at most; beyond that each is shortened alike


@dataclass(frozen=True)
class Moment:
    """An event: its seat and id, the whole struct before it, its stops, the end last, and the ply before it.

    The structs hold all secrets: they must not leave the server.
    """

    seat: int
    id: int
    before: bytes
    marks: tuple[StopMark, ...]
    ply: int = 0

    @property
    def after(self) -> bytes:
        """The whole struct after the event."""
        return self.marks[-1].struct


class Storyteller:
    """Tells the events of a game's matches."""

    def __init__(self, game: GameSetup, driver: Driver) -> None:
        self.game, self.table, self.driver = game, game.table, driver
        self._rules = game.driver("interpreted").g
        self.all_is_open = "conceal" in game.definition.left_out
        self.tells_stops = "caption" not in game.definition.left_out  # else an event is one step
        self._rows = game.rows(driver)
        self._whole, self._told = (memoryview(raw(self._rows)[row]) for row in (STEP, KNOWN))
        self._conceal = driver.kernel("conceal_row")
        self._known: dict[tuple[bytes, int], Any] = {}
        self._step = marking_class(driver.proxy)(memoryview(bytearray(game.rules.STRUCT.itemsize)))

    def moment(self, before: bytes, seat: int, id: int, ply: int = 0) -> Moment:
        """An event of a seat, or of chance (-1), with its stops; it must be possible."""
        s = self._step
        s.row_[:], s.stops_ = before, []
        if seat == CHANCE:
            s.draws += 1
            self._rules.apply_chance(s, id)
        else:
            self._rules.apply_action(s, seat, id)
        stops = s.stops_ if self.tells_stops else ()
        return Moment(seat, id, before, (*stops, StopMark(END, seat, bytes(s.row_))), ply)

    def moments(self, before: bytes, events: Iterable[tuple[int, int]]) -> Iterator[Moment]:
        """Events one after another, by seat and id, the first of them at a struct."""
        for seat, id in events:
            yield (moment := self.moment(before, seat, id))
            before = moment.after

    def stops(self, moment: Moment, viewer: int) -> Iterator[Stop]:
        """The stops of an event, the end last, as a seat or the public (-1) knows them."""
        concealed = functools.partial(self.concealed, viewer=viewer)
        last = Stop(END, -1, moment.seat, -1, concealed, moment.before)
        public = self.all_is_open and moment.seat >= 0 and last.now.acting == 1 << moment.seat
        action = moment.id if moment.seat >= 0 and (viewer == moment.seat or public) else -1
        for mark in moment.marks:
            last = Stop(mark.kind, mark.seat, moment.seat, action, concealed, mark.struct, last, mark.detail)
            yield last

    def captions(self, moment: Moment, viewer: int) -> list[Caption | None]:
        """What a seat, or the public, is told and shown at each stop of an event."""
        return [self.table.caption(stop, viewer) for stop in self.stops(moment, viewer)]

    def facts(self, moment: Moment) -> list[Fact]:
        """The lines of the log that an event brings, each with those who are told: a bit for each seat."""
        public, *by_seat = (
            [caption.lines if caption else () for caption in self.captions(moment, viewer)]
            for viewer in range(-1, self.game.players)
        )
        facts: list[Fact] = []
        for k in range(len(moment.marks)):
            facts += merged(public[k], [lines[k] for lines in by_seat])
        return facts

    def beats(self, moment: Moment, viewer: int) -> tuple[Beat, ...]:
        """An event as a seat, or the public, sees it."""
        public = self.captions(moment, -1)
        own = public if viewer == -1 else self.captions(moment, viewer)
        visible = [k for k, caption in enumerate(public) if caption and caption.hold]
        structs = [moment.marks[k].struct for k in visible]
        if visible:
            structs[-1] = moment.after
        beats = []
        for k, struct in zip(visible, structs, strict=True):
            caption, hold = own[k] or public[k], public[k].hold  # type: ignore[union-attr] # those are there
            zones = tuple(self.table.zones(self.concealed(struct, viewer), viewer))
            assert caption is not None
            parts = caption.light, caption.seats, caption.line, caption.cue, caption.said, caption.spotlight
            beats.append(Beat(zones, hold, *parts))
        return tuple(beats)

    def holds(self, moment: Moment) -> list[int]:
        """How long each step of an event is shown, in milliseconds: the same for everybody."""
        return [caption.hold for caption in self.captions(moment, -1) if caption and caption.hold]

    def concealed(self, struct: bytes, viewer: int) -> Any:
        """A struct, concealed for a seat or the public; the last ones are kept, since each is read several times."""
        concealed = self._known.get((struct, viewer))
        if concealed is None:
            self._whole[:] = struct
            self._conceal(self.driver.g, self._rows, KNOWN, STEP, viewer)
            if len(self._known) >= KEPT:
                self._known.clear()
            concealed = self._known[struct, viewer] = self.driver.snapshot(bytes(self._told))
        return concealed


def stop_of(dtype: Any, mark: StopMark) -> Stop:
    """A stop at which nothing is hidden from anybody."""
    return Stop(
        mark.kind, mark.seat, -1, -1, lambda struct: proxy_class(dtype)(memoryview(bytearray(struct))), mark.struct
    )


def merged(public: Sequence[Text], by_seat: Sequence[Sequence[Text]]) -> list[Fact]:
    """The lines that the public and each seat are told, in order, as facts: those who are told the same share one."""
    if all(lines == public for lines in by_seat):
        return [Fact(EVERYONE, text) for text in public]
    facts: list[Fact] = []
    for k in range(max(len(public), *map(len, by_seat))):
        texts: list[Text] = []
        audiences: list[int] = []
        for bits, lines in ((EVERYONE, public), *((1 << seat, lines) for seat, lines in enumerate(by_seat))):
            audiences = [audience & ~bits for audience in audiences]
            if k < len(lines):
                if lines[k] not in texts:
                    texts.append(lines[k])
                    audiences.append(0)
                audiences[texts.index(lines[k])] |= bits
        facts += [Fact(audience, text) for audience, text in zip(audiences, texts, strict=True) if audience]
    return facts


def beats(match: Match, seat: int, since: int = 0) -> tuple[Beat, ...]:
    """What a seat (-1: the public) sees, step by step, of the events from index `since` up to the present ply.

    Raises BadPly if the match has fewer events.
    """
    return BeatMaker(match.game, match.driver, moments(match, since)).beats(seat)


def moments(match: Match, since: int = 0) -> tuple[Moment, ...]:
    """The events from index `since` up to the present ply that everybody noticed. Raises BadPly."""
    first = between(since, 0, match.ply)
    if first is None:
        raise no_event(match, since)
    rows, teller = match.game.rows(match.driver), Storyteller(match.game, match.driver)
    out: list[Moment] = []
    now = raw(rows)[STEP]
    struct, repeat = match.driver.proxy(memoryview(now).cast("B")), match.driver.kernel("repeat")
    structs = {0: raw(match.rows)[BASE].tobytes(), **match.marks}
    begin = max(ply for ply in structs if ply <= first)
    memoryview(now)[:] = structs[begin]
    for ply in range(begin, match.ply):
        event, mark = match.event(ply), public_mark(struct)
        before = now.tobytes() if ply >= first else b""
        if ply == first:
            structs[first] = before
        repeat(match.driver.g, rows, STEP, event.seat, event.id)
        if ply >= first and public_mark(struct) != mark:
            out.append(teller.moment(before, event.seat, event.id, ply))
    structs[match.ply] = now.tobytes()
    match.marks = {ply: structs[ply] for ply in (first, match.ply)}  # where the next ones are likely to begin
    return tuple(out)


def no_event(match: Match, k: object) -> BadPly:
    """The error for the index of an event that doesn't exist."""
    if match.length == 0:
        return BadPly(say("There is no event {event}; this match has none yet.", event=shown(k)))
    text = _("There is no event {event}; this match has events 0 to {last}.")
    return BadPly(say(text, event=shown(k), last=match.length - 1))


class BeatMaker:
    """Makes the beats of moments for any seat."""

    def __init__(self, game: GameSetup, driver: Driver, moments: Sequence[Moment]) -> None:
        self.game, self.moments, self.teller = game, moments, Storyteller(game, driver)
        holds = [hold for moment in moments for hold in self.teller.holds(moment)]
        self._share = min(1.0, MOST / sum(holds)) if holds else 1.0
        self.total = sum(map(self._hold, holds))  # milliseconds that everything takes; everybody knows it

    def beats(self, seat: int) -> tuple[Beat, ...]:
        """All beats as a seat (-1: the public) sees them."""
        seat = seat_of(seat, self.game.players, public=True)
        steps = [beat for moment in self.moments for beat in self.teller.beats(moment, seat)]
        if self._share == 1.0:
            return tuple(steps)
        return tuple(altered(beat, hold=self._hold(beat.hold)) for beat in steps)

    def public_beats(self) -> list[tuple[int, Beat]]:
        """All beats as the public sees them, each with the ply of its event."""
        return [(moment.ply, beat) for moment in self.moments for beat in self.teller.beats(moment, -1)]

    def _hold(self, hold: int) -> int:
        return max(1, int(hold * self._share))


def public_mark(struct: Any) -> tuple[int, int, int, bool]:
    """What changes whenever something public happens; the last choice of several is public where chance acts next."""
    return int(struct.history), int(struct.deal), int(struct.draws), struct.acting == 0


@functools.cache
def seats_in(bits: int) -> tuple[int, ...]:
    """The seats whose bits are set."""
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


LATELY = 100  # plies of which a view of the past has the log


def view_at(match: Match, ply: int, seat: int | None) -> View:
    """What a seat (-1: the public) saw at a ply, with the last of its log; for None, with every card that any saw."""
    match.go(ply)
    seats = range(-1, match.game.players) if seat is None else (seat,)
    views = [replace(match.view(viewer, match.facts(viewer, max(0, ply - LATELY))), moves=()) for viewer in seats]
    if seat is not None:
        return views[0]
    zones = tuple(_most_open(zone, views) for zone in views[0].zones)
    return replace(views[0], zones=zones)


def _most_open(zone: Zone, views: Sequence[View | Beat]) -> Zone:
    """A zone as seen by the viewer who sees most of it; of several, the public or the lowest seat."""
    alike = [candidate for view in views for candidate in view.zones if candidate.id == zone.id]
    return min(alike, key=lambda candidate: (candidate.hidden, -len(candidate.cards)))


def stops_of(match: Match) -> tuple[int, ...]:
    """The plies to stop at: each before a seat's move, and the end. Chance events are skipped."""
    moves = (ply for ply in range(match.length) if match.event(ply).seat >= 0)
    return (*moves, match.length)


def deciding_places(match: Match, view: View, won: Sequence[bool] = ()) -> tuple[str, ...]:
    """Where the cards lie that decided a match that is over, as its last view shows them; named as in `Caption.light`.

    They had the light last, in a spotlight if there was one since the last move, and haven't been taken away since. On
    a board they are those that brought something to a winner since the cards were dealt; `won`: who of the seats is.
    """
    if any(zone.shape == "board" for zone in view.zones):
        hands = [hand for hand in scored_on_boards(match, view) if any(won[seat] for seat in hand.seats)]
        return tuple(dict.fromkeys(spot for hand in hands for spot in hand.spots))
    last_move = stops_of(match)[-2:][0]  # the end, where nobody has moved
    newest_first = BeatMaker(match.game, match.driver, moments(match, last_move)).beats(view.seat)[::-1]
    for beat in sorted(newest_first, key=lambda beat: beat.spotlight is None):
        if lit := [spot for spot in beat.light if card_at(beat.zones, spot) == card_at(view.zones, spot) != ""]:
            return tuple(lit)
    return ()


class ScoredHand(NamedTuple):
    """What scored on a board: for whom, what was said of it, where it lies, and by what it was multiplied."""

    seats: tuple[int, ...]
    text: Text
    spots: tuple[str, ...]
    factor: int

    @property
    def points(self) -> int:
        """What it brought, 0 where that isn't said."""
        return int(self.text.args.get("points", 0)) * self.factor


def scored_on_boards(match: Match, view: View) -> tuple[ScoredHand, ...]:
    """What had the light on boards for something good, in this deal, and is as it was."""
    if all(zone.shape != "board" for zone in view.zones):
        return ()
    maker, out = BeatMaker(match.game, match.driver, moments(match)), list[ScoredHand]()
    for moment in maker.moments:
        told = zip(maker.teller.stops(moment, -1), maker.teller.captions(moment, -1), strict=True)
        lit = [(stop, caption) for stop, caption in told if caption and stop.now.deal == match.struct.deal]
        doubled = [caption.line.args for _, caption in lit if caption.cue == "double" and caption.line]
        factor = next((int(args["factor"]) for args in doubled if "factor" in args), 1)
        for stop, caption in lit:
            if caption.cue not in {"good", "feast"} or not caption.line:
                continue
            zones = maker.teller.table.zones(stop.now, -1)
            spots = tuple(s for s in caption.light if card_at(zones, s) == card_at(view.zones, s) != "")
            out += [ScoredHand(caption.seats, caption.line, spots, factor)] if spots else []
    return tuple(out)


def card_at(zones: Sequence[Zone], spot: str) -> str:
    """The code of the card at a place that is named as in `Caption.light`; empty where there is none."""
    id, _, number = spot.rpartition(".")
    cards = next((zone.cards for zone in zones if zone.id == id), ())
    return cards[int(number)] if number.isdecimal() and int(number) < len(cards) else ""


def beats_between(match: Match, ply: int, since: int, seat: int | None) -> tuple[Beat, ...]:
    """The beats between two plies as a seat (None: with open cards) sees them; the match moves to the later."""
    match.go(ply)
    maker = BeatMaker(match.game, match.driver, moments(match, since))
    if seat is not None:
        return maker.beats(seat)
    by_seat = [maker.beats(viewer) for viewer in range(-1, match.game.players)]
    return tuple(
        replace(beats[0], zones=tuple(_most_open(zone, beats) for zone in beats[0].zones))
        for beats in zip(*by_seat, strict=True)
    )


def facts_between(match: Match, ply: int, since: int, seat: int | None) -> tuple[Text, ...]:
    """What a seat (None: the public) was told of the events between two plies; the match moves to the later."""
    match.go(ply)
    return tuple(match.facts(-1 if seat is None else seat, since))
