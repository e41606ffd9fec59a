"""What the seats of a match see and are told. All of it is made from concealed structs, except the facts of events.

Facts are made when they are first asked for, from the structs before and after their event, and then kept.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.arguments import check_seed, seat_of, shown
from hexdeck.engine.discovery.catalogues import SHARED
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.story import Storyteller
from hexdeck.engine.random import WORDS, generator
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import BoardLabel, Fact, Move, View, cell_name

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match

# rows of a match: the present position, a concealed copy, the struct after the last event that was told, ply 0
NOW, KNOWN, AFTER, BASE = 0, 1, 4, 5


class SeatViews:
    """The views of a match from its seats."""

    def __init__(self, match: Match) -> None:
        self.match: Match = weakref.proxy(match)  # weak: both are freed when the match is
        self.driver = match.driver
        self._rows = match.rows
        self._narration: list[list[Fact]] = []
        self._teller = Storyteller(match.game, match.driver)
        self.marks: dict[int, bytes] = {}  # structs at a few plies, so that `beats` needn't begin at the first
        self.rules, self.table = match.game.rules, match.game.table
        self._folders = game_folder(match.game.name) / "locale", SHARED
        self._actions = self.driver.actions()

    def _call(self, kernel: str, *arguments: Any) -> Any:
        return self.driver.kernel(kernel)(self.driver.g, self._rows, *arguments)

    def known(self, seat: int) -> Any:
        """The concealed struct of a seat, or of the public (-1)."""
        return self.driver.snapshot(self.concealed(seat))

    def check(self, seat: int) -> int:
        """A seat as an int, -1 for the public; raises HexdeckError if there is no such seat."""
        return seat_of(seat, self.match.game.players, public=True)

    def concealed(self, seat: int) -> bytes:
        """The bytes of a seat's concealed struct."""
        self._conceal(seat)
        return bytes(raw(self._rows)[KNOWN].tobytes())

    def _conceal(self, seat: int) -> None:
        self._call("conceal_row", KNOWN, NOW, self.check(seat))

    def key(self, seat: int) -> int:
        """The information-set key of a seat: the hash of its concealed struct, 63 bits."""
        self._conceal(seat)
        return int(self.driver.kernel("row_key")(self._rows, KNOWN))

    def observation(self, seat: int) -> np.ndarray:
        """A seat's observation: int8, as long as the game's SLICES."""
        seat = self.check(seat)
        self._conceal(seat)
        out = np.zeros(max(end for _, end in self.match.game.rules.SLICES.values()), np.int8)
        self._call("observe_row", KNOWN, seat, self.driver.shared(out))
        return out

    def moves(self, seat: int) -> tuple[Move, ...]:
        """The seat's legal moves; legality, too, is worked out from the concealed struct."""
        seat = self.check(seat)
        return self._moves(self.known(seat), seat)

    def _moves(self, known: Any, seat: int) -> tuple[Move, ...]:
        count = self._call("list_legal", KNOWN, seat, self._actions)
        return tuple(self._placed(known, seat, self.driver.listed(self._actions, count)))

    def _placed(self, known: Any, seat: int, ids: Sequence[int]) -> Iterator[Move]:
        """The moves with these ids; those to a board with their zone, cell and points."""
        names, table = self.rules.ACTIONS, self.table
        columns: dict[str, int] = {}
        for id in ids:
            label = table.label(known, seat, id)
            if not isinstance(label, BoardLabel):
                yield Move(id, names[id], label)
                continue
            columns = columns or {zone.id: zone.columns for zone in table.zones(known, seat)}
            text = Text(label.key, label.args, label.plural)
            yield Move(id, names[id], text, label.zone, cell_name(label.cell, columns[label.zone]), label.points)

    def view(self, seat: int, log: Sequence[Text] | None = None) -> View:
        """What a seat sees; `log` is what it was told so far, if the caller has it already."""
        match, table, seat = self.match, self.table, self.check(seat)
        texts = match.facts(seat) if log is None else checked_log(log)
        known = self.known(seat)
        moves = self._moves(known, seat) if seat >= 0 else ()
        return View(
            match.game.name, seat, self.visible_ply(seat), match.game.players, seats_in(known.acting), bool(known.over),
            table.prompt(known, seat), tuple(table.zones(known, seat)), moves,
            tuple(texts), tuple(table.outcome(known, seat).texts) if known.over else (),
            match.names, self._folders,
        )  # fmt: skip

    def visible_ply(self, seat: int) -> int:
        """The ply as a seat can tell it: the last events, if others' and it was told nothing of them, don't count."""
        seat = self.check(seat)
        ply, narration = self.match.ply, self.narration(self.match.ply)
        while ply and self.match.event(ply - 1).seat not in (-1, seat):
            if any(fact.heard_by(seat) for fact in narration[ply - 1]):
                break
            ply -= 1
        return ply

    def narration(self, plies: int) -> list[list[Fact]]:
        """The facts of each of the first `plies` events."""
        if len(self._narration) < plies:
            self._narrate(plies)
        return self._narration[:plies]

    def restore_narration(self, narration: Sequence[Sequence[Fact]]) -> None:
        """Take over the stored facts of all events up to the present ply, instead of making them again."""
        assert len(narration) == self.match.ply
        self._narration = [list(facts) for facts in narration]
        raw(self._rows)[AFTER] = raw(self._rows)[NOW]

    def go_on_narration(self, begin: int, narration: Sequence[Sequence[Fact]]) -> None:
        """The same where only the events from index `begin` on are new."""
        self.restore_narration([*self.narration(begin), *narration])

    def _narrate(self, plies: int) -> None:
        array, begin = raw(self._rows), len(self._narration)
        before = array[AFTER if begin else BASE].tobytes()
        for moment in self._teller.moments(before, map(self.match.event, range(begin, plies))):
            self._narration.append(self._teller.facts(moment))
            memoryview(array[AFTER])[:] = moment.after

    def public_lines(self) -> Iterator[tuple[list[Text], list[Text]]]:
        """What the public was told of each event so far: in the log; and only on screens, or by players."""
        events = map(self.match.event, range(self.match.ply))
        for moment in self._teller.moments(raw(self._rows)[BASE].tobytes(), events):
            captions = [caption for caption in self._teller.captions(moment, -1) if caption]
            lines = [line for caption in captions for line in caption.lines]
            others = [text for caption in captions for text in (caption.line, caption.said) if text]
            yield lines, [text for text in others if text not in lines]

    def resample(self, seat: int, rng: int | bytes | np.ndarray) -> Match:
        """A new match in a random world that the seat thinks possible; `rng` is a seed or a generator."""
        seat = self.check(seat)
        if not isinstance(rng, np.ndarray):
            check_seed(rng)
        words = rng if isinstance(rng, np.ndarray) else generator(rng, "redeal")
        if words.shape != (WORDS,) or words.dtype != np.int64 or not words.flags.writeable:
            raise HexdeckError(say("Resampling takes a seed, or a generator made by hexdeck.engine.random."))
        self._conceal(seat)
        other = self.match.copy_position()
        self._call("redeal_row", KNOWN, NOW, seat, self.driver.shared(words))
        other.load_trusted_position(raw(self._rows)[KNOWN])
        return other


def checked_log(log: Sequence[Text]) -> Sequence[Text]:
    """A log, unchanged; raises HexdeckError if it isn't a list of texts."""
    if not isinstance(log, (list, tuple)) or not all(isinstance(text, Text) for text in log):
        raise HexdeckError(say("The log of a seat is a list of texts, not {given}.", given=shown(log)))
    return log


@functools.cache
def seats_in(bits: int) -> tuple[int, ...]:
    """The seats whose bits are set."""
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)
