"""Fragments of pages that many readers see, again and again: made once, and cached."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from hexdeck.engine.text import Catalogue
from hexdeck.web.html.arrange import SeatLayout, Slot, TableLayout, ZoneLayout
from hexdeck.web.html.page_models import Site
from hexdeck.web.html.rendering import safe, site_catalogue, template, template_context

MANY = 16_384  # cached fragments of a kind: a thousand tables show a few of each
FEWER = 5_000  # of large ones: about as many as four readers at each of a thousand tables see
WIDEST = 16  # cards of a hand from which on they lie as close as they can


class Fragments:
    """Fragments of pages in one language: each is made once for all that look the same."""

    def __init__(self, site: Site, words: Catalogue) -> None:
        context = template_context(site, words)
        macros: Any = template("macros.html").make_module(context)
        made = {"icon": self.icon, "zone": self.zone, "counted": self.counted, "board": self.board, "hand": self.hand}
        parts: Any = template("parts.html").make_module(context | made | {"seat_face": macros.seat_face})
        self._macros, self._parts = macros, parts
        self.named = made | {"seat": self.seat, "felt": self.felt}

    @functools.lru_cache(256)  # noqa: B019 - there is one for each language and beginning of the site
    def icon(self, name: str, title: str = "") -> Markup:
        """An icon of the sprite."""
        return safe(self._macros.icon(name, title))

    def felt(
        self, shown: TableLayout, around: Sequence[SeatLayout], live: bool = True, outcomes: bool = False
    ) -> Markup:
        """What lies on the table: these seats around it, boards, the middle. `outcomes`: each seat with its outcome."""
        boards, counts = (self.board(place, live) for place in shown.boards), map(self.counted, shown.counts)
        middle = (self.zone(place, "small" if place.shape == "pile" else "") for place in shown.middle)
        seats = _joined(self.seat(plate, outcomes) for plate in around)
        return safe(self._parts.felt(seats, len(around), _joined(boards), _joined(middle), _joined(counts)))

    @functools.lru_cache(MANY)  # noqa: B019
    def zone(self, place: ZoneLayout, size: str = "", keep: bool = True) -> Markup:
        """A zone of cards; an empty one keeps room for a card if `keep`."""
        return safe(self._macros.zone(place, size, keep))

    @functools.lru_cache(MANY)  # noqa: B019
    def counted(self, place: ZoneLayout) -> Markup:
        """Something that is counted."""
        return safe(self._macros.counted(place))

    @functools.lru_cache(FEWER)  # noqa: B019
    def seat(self, plate: SeatLayout, outcomes: bool = False, tag: str = "li") -> Markup:
        """A seat with its zones; `outcomes`: and with its outcome."""
        return safe(self._parts.seat_of(plate, outcomes, tag))

    @functools.lru_cache(128)  # noqa: B019
    def board(self, place: ZoneLayout, live: bool = True) -> Markup:
        """A board."""
        cells = safe("".join(self._cell(slot, live) for slot in place.slots))
        return safe(self._macros.board(place, cells))

    @functools.lru_cache(MANY)  # noqa: B019
    def _cell(self, slot: Slot, live: bool) -> str:
        return str(self._macros.cell(slot, live))

    def hand(self, place: ZoneLayout) -> Markup:
        """The reader's hand."""
        cards = safe("".join(map(self._hand_card, place.slots)))
        return safe(self._macros.hand(place, cards, min(len(place.slots), WIDEST)))

    @functools.lru_cache(MANY)  # noqa: B019
    def _hand_card(self, slot: Slot) -> str:
        return str(self._macros.held(slot))


@functools.lru_cache(16)
def fragments_for(lang: str, prefix: str) -> Fragments:
    """The fragments in a language, on a site that begins at a prefix."""
    site = Site(lang, prefix=prefix)
    return Fragments(site, site_catalogue(site))


def _joined(parts: Iterable[Markup]) -> Markup:
    return safe("".join(parts))
