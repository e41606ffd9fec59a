"""What a stream sends again and again: whole at first, then only the parts that its reader hasn't."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hexdeck.web.html.fragments import Steps

Marks = tuple[int, ...]  # hashes: of all around the parts, then of each part


class Known(NamedTuple):
    """What a reader was sent: a version of the table, the marks of its view, and which parts surely lie on its page.

    A page still shows the last steps when the next ones come, or the newest view already: `lying` are the marks of the
    parts that are the same in both.
    """

    version: int = -1
    view: Marks = ()
    lying: Marks = ()


NOTHING = Known()


class Parts:
    """Pieces of text: in turn what stands around parts, and a part; the first part opens the element of the others.

    `event`: as what it is sent; without a name it is sent as it is.
    """

    def __init__(self, pieces: Sequence[str], event: str = "") -> None:
        self.pieces, self.event, self.parts = pieces, event, pieces[1::2]
        self.marks: Marks = (hash("".join(pieces[::2])), *map(hash, self.parts))

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.pieces)

    def since(self, known: Marks) -> bytes:
        """What a reader needs who was sent what has these marks."""
        if not self.parts or len(known) != len(self.marks) or known[0] != self.marks[0]:
            return self._sent(self.text)
        opening, *rest = self.parts
        news = [part for part, new, old in zip(rest, self.marks[2:], known[2:], strict=True) if new != old]
        return self._sent("".join((opening.replace("<main", "<main data-parts", 1), *news, "</main>")))

    def _sent(self, text: str) -> bytes:
        return server_sent_event(self.event, text) if self.event else text.encode()


class Told:
    """Steps of what happened. Of the first step, a reader isn't sent what surely lies on its page."""

    def __init__(self, steps: Steps) -> None:
        self.steps, self.last = steps, frozenset(map(hash, steps.last))

    def since(self, known: Known, view: Marks) -> bytes:
        """What a reader needs who knows this, as an event that comes before a view with these marks."""
        before, first, after, fits, _ = self.steps
        if fits and known.view[:1] == view[:1]:
            first = tuple(part for part in first[1::2] if hash(part) not in known.lying)
        return server_sent_event("beats", "".join((before, *first, after)))


def known_after(known: Known, version: int, view: Marks, told: Told | None) -> Known:
    """What a reader knows who was sent a version's view, and before it what was told."""
    last = told.last if told else known.lying if version == known.version else view
    return Known(version, view, tuple(mark for mark in view[1:] if mark in last))


def server_sent_event(name: str, html: str) -> bytes:
    """A server-sent event; its data is sent line by line, since it may hold no line break."""
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    data = html.rstrip("\n").replace("\n", "\ndata: ")
    return f"event: {name}\ndata: {data}\n\n".encode()
