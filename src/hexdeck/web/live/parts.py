"""What a stream sends again and again: whole at first, then only the parts that its reader hasn't."""

from __future__ import annotations

from collections.abc import Sequence

Marks = tuple[int, ...]  # hashes: of all around the parts, then of each part
NOTHING: Marks = ()


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


def server_sent_event(name: str, html: str) -> bytes:
    """A server-sent event; its data is sent line by line, since it may hold no line break."""
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    data = html.rstrip("\n").replace("\n", "\ndata: ")
    return f"event: {name}\ndata: {data}\n\n".encode()
