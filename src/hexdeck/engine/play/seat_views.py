"""What seats see and are told of a match: everything here is made from concealed structs, but for telling events.

Facts are told once, when an event is first asked for, from the structs before and after it, and kept.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.arguments import check_seed, seat_of, shown
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import raw
from hexdeck.engine.random import WORDS, generator
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import Fact, Move, View, cell_name

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match

NOW, KNOWN, BEFORE, AFTER, BASE = 0, 1, 3, 4, 5  # rows of a match


class SeatViews:
    """The eyes of the seats of one match."""

    def __init__(self, match: Match) -> None:
        self.match: Match = weakref.proxy(match)  # which has these eyes: together they are gone when the match is
        self.driver = match.driver
        self._rows = match.rows
        self._told: list[list[Fact]] = []
        self._structs = [self.driver.proxy(memoryview(row).cast("B")) for row in raw(self._rows)]
        self._actions = self.driver.actions()

    def _call(self, kernel: str, *arguments: Any) -> Any:
        return self.driver.kernel(kernel)(self.driver.g, self._rows, *arguments)

    def known(self, seat: int) -> Any:
        """The concealed struct of a seat, or of the public (-1)."""
        self._call("conceal_row", KNOWN, NOW, self.check(seat))
        return self._structs[KNOWN]

    def check(self, seat: int) -> int:
        """A seat as an int; -1 is the public. Raises HexdeckError when there is no such seat."""
        return seat_of(seat, self.match.game.players, public=True)

    def concealed(self, seat: int) -> bytes:
        """The bytes of that struct."""
        self.known(seat)
        return bytes(raw(self._rows)[KNOWN])

    def key(self, seat: int) -> int:
        """Their hash."""
        self.known(seat)
        return int(self.driver.kernel("row_key")(self._rows, KNOWN))

    def observation(self, seat: int) -> np.ndarray:
        """Their numbers: int8, as long as the game's SLICES."""
        seat = self.check(seat)
        self.known(seat)
        out = np.zeros(max(end for _, end in self.match.game.rules.SLICES.values()), np.int8)
        self._call("observe_row", KNOWN, seat, self.driver.shared(out))
        return out

    def moves(self, seat: int) -> tuple[Move, ...]:
        """The seat's legal moves; legality too is asked of the concealed struct."""
        seat = self.check(seat)
        return self._moves(self.known(seat), seat)

    def _moves(self, known: Any, seat: int) -> tuple[Move, ...]:
        count = self._call("list_legal", KNOWN, seat, self._actions)
        return tuple(self._placed(known, seat, self.driver.listed(self._actions, count)))

    def _placed(self, known: Any, seat: int, ids: Sequence[int]) -> Iterator[Move]:
        """The moves, those onto a board with their zone, cell and points: `spot` of the table tells."""
        names, table = self.match.game.rules.ACTIONS, self.match.game.table
        columns: dict[str, int] = {}
        for id in ids:
            text, spot = table.label(known, seat, id), table.spot(known, seat, id)
            if spot and not columns:
                columns = {zone.id: zone.columns for zone in table.zones(known, seat)}
            yield (
                Move(id, names[id], text, spot[0], cell_name(spot[1], columns[spot[0]]), spot[2])
                if spot
                else Move(id, names[id], text)
            )

    def view(self, seat: int, log: Sequence[Text] | None = None) -> View:
        """What a seat sees; `log`: what it was told, where that is known already."""
        match, table, seat = self.match, self.match.game.table, self.check(seat)
        told = match.facts(seat) if log is None else checked_log(log)
        known = self.known(seat)
        moves = self._moves(known, seat) if seat >= 0 else ()
        acting = tuple(p for p in range(match.game.players) if known.acting >> p & 1)
        return View(
            match.game.name, seat, self.noticed(seat), match.game.players, acting, bool(known.over),
            table.prompt(known, seat), tuple(table.zones(known, seat)), moves,
            tuple(told), tuple(table.outcome_texts(known)) if known.over else (),
            match.names, (game_folder(match.game.name) / "locale",),
        )  # fmt: skip

    def noticed(self, seat: int) -> int:
        """The ply as a seat knows it: the last steps of others that told it nothing don't count yet."""
        seat = self.check(seat)
        ply, told = self.match.ply, self.facts(self.match.ply)
        while ply and self.match.event(ply - 1).seat not in (-1, seat):
            if any(fact.heard_by(seat) for fact in told[ply - 1]):
                break
            ply -= 1
        return ply

    def facts(self, plies: int) -> list[list[Fact]]:
        """The facts of the first so many events."""
        if len(self._told) < plies:
            self._tell(plies)
        return self._told[:plies]

    def recall(self, told: Sequence[Sequence[Fact]]) -> None:
        """Take over what was told of all events up to the present ply, as it was stored; it isn't told anew."""
        assert len(told) == self.match.ply
        self._told = [list(facts) for facts in told]
        raw(self._rows)[AFTER] = raw(self._rows)[NOW]

    def _tell(self, plies: int) -> None:
        array, told = raw(self._rows), len(self._told)
        if told == 0:
            array[AFTER] = array[BASE]
        for k in range(told, plies):
            event = self.match.event(k)
            array[BEFORE] = array[AFTER]
            self._call("repeat", AFTER, event.seat, event.id)
            self._told.append(self.match.game.table.narrate(self._structs[BEFORE], event, self._structs[AFTER]))

    def resample(self, seat: int, rng: int | bytes | np.ndarray) -> Match:
        """A match in a random world that the seat thinks possible."""
        seat = self.check(seat)
        if not isinstance(rng, np.ndarray):
            check_seed(rng)
        words = rng if isinstance(rng, np.ndarray) else generator(rng, "redeal")
        if words.shape != (WORDS,) or words.dtype != np.int64 or not words.flags.writeable:
            raise HexdeckError(say("A re-deal takes a seed, or a generator as hexdeck.engine.random makes it."))
        self.known(seat)
        other = self.match.copy_position()
        self._call("redeal_row", KNOWN, NOW, seat, self.driver.shared(words))
        other.begin_in(raw(self._rows)[KNOWN])
        return other


def checked_log(log: Sequence[Text]) -> Sequence[Text]:
    """What somebody was told, as it is; raises HexdeckError for what is no list of texts."""
    if not isinstance(log, (list, tuple)) or not all(isinstance(text, Text) for text in log):
        raise HexdeckError(say("What a seat was told is a list of texts, not {given}.", given=shown(log)))
    return log
