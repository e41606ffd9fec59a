"""Fragments of pages that many readers see, again and again: made once, and cached."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from hexdeck.engine.text import Catalogue
from hexdeck.web.html.arrange import TableLayout
from hexdeck.web.html.looks import SeatLayout, Slot, ZoneLayout
from hexdeck.web.html.page_models import Site
from hexdeck.web.html.rendering import EDGE, safe, site_catalogue, template, template_context

MANY = 16_384  # cached fragments of a kind: a thousand tables show a few of each
FEWER = 5_000  # of large ones: about as many as four readers at each of a thousand tables see
PARTS = 1_024  # whole parts of a page, which change with every move
WIDEST = 16  # cards of a hand from which on they lie as close as they can


class Held(NamedTuple):
    """What a reader holds, as `held.html` takes it."""

    mine: SeatLayout | None
    hand: ZoneLayout | None


class Fragments:
    """Fragments of pages in one language: each is made once for all that look the same."""

    def __init__(self, site: Site, words: Catalogue) -> None:
        context = template_context(site, words)
        macros: Any = template("macros.html").make_module(context)
        made = {"seat_face": macros.seat_face, "seat_level": macros.seat_level}
        made |= {"icon": self.icon, "zone": self.zone, "counted": self.counted, "board": self.board, "hand": self.hand}
        parts: Any = template("parts.html").make_module(context | made)
        self._macros, self._parts = macros, parts
        self._context = context
        self.named = made | {"seat": self.seat, "felt": self.felt, "held": self.held}

    @functools.lru_cache(256)  # noqa: B019 - there is one for each language and beginning of the site
    def icon(self, name: str, title: str = "") -> Markup:
        """An icon of the sprite."""
        return safe(self._macros.icon(name, title))

    def felt(
        self, shown: TableLayout, around: Sequence[SeatLayout], live: bool = True, outcomes: bool = False
    ) -> Markup:
        """What lies on the table: these seats around it, boards, the middle. `outcomes`: each seat with its outcome."""
        return self._felt(tuple(around), shown.boards, shown.middle, shown.counts, live, outcomes)

    @functools.lru_cache(PARTS)  # noqa: B019
    def _felt(
        self, around: tuple[SeatLayout, ...], boards: tuple[ZoneLayout, ...], middle: tuple[ZoneLayout, ...],
        counts: tuple[ZoneLayout, ...], live: bool, outcomes: bool,
    ) -> Markup:  # fmt: skip
        drawn, counted = (_part(self.board(place, live)) for place in boards), map(self.counted, counts)
        zones = (self.zone(place, "small" if place.shape == "pile" else "") for place in middle)
        seats = _joined(_part(self.seat(plate, outcomes)) for plate in around)
        return safe(self._parts.felt(seats, len(around), _joined(drawn), _joined(zones), _joined(counted)))

    def held(self, shown: TableLayout) -> Markup:
        """What the reader holds: their seat with its own zones, and their hand."""
        return self._held(shown.mine, shown.hand)

    @functools.lru_cache(PARTS)  # noqa: B019
    def _held(self, mine: SeatLayout | None, hand: ZoneLayout | None) -> Markup:
        return safe(template("held.html").render(**self._context, all=Held(mine, hand), **self.named))

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


def _part(html: Markup) -> Markup:
    return safe(EDGE + html + EDGE)


def _joined(parts: Iterable[Markup]) -> Markup:
    return safe("".join(parts))
