"""Parts of pages that many readers see, and see again: made once, and kept."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from hexdeck.engine.text import Catalogue
from hexdeck.web.html.arrange import Arranged, Place, Plate, Slot
from hexdeck.web.html.page_models import Site
from hexdeck.web.html.rendering import safe, shared, spoken, template

MANY = 16_384  # pieces of a kind that are kept: a thousand tables show a few of each
FEWER = 5_000  # of those that are large: with four readers at each of a thousand tables there are not many more
WIDEST = 16  # cards of a hand from which on they lie as close as can be


class Pieces:
    """Parts of pages that many readers see, and see again: made once for each place as it looks."""

    def __init__(self, site: Site, words: Catalogue) -> None:
        told = spoken(site, words)
        macros: Any = template("macros.html").make_module(told)
        made = {"icon": self.icon, "zone": self.zone, "counted": self.counted, "board": self.board, "hand": self.hand}
        parts: Any = template("parts.html").make_module(told | made)
        self._macros, self._parts = macros, parts
        self.named = made | {"score": self.score, "felt": self.felt}

    @functools.lru_cache(256)  # noqa: B019 - there is one for each language and beginning of the site
    def icon(self, name: str, title: str = "") -> Markup:
        """A symbol of the sprite."""
        return safe(self._macros.icon(name, title))

    def score(self, shown: Arranged, fates: bool = False) -> Markup:
        """Everybody's names and what is counted of them; then what is counted of the table."""
        plates = _joined(self.plate(plate, fates) for plate in shown.plates)
        return safe(self._parts.score(plates, _joined(map(self.counted, shown.counts))))

    def felt(self, shown: Arranged, apart: Sequence[Plate], live: bool = True) -> Markup:
        """What lies on the table: the places of the seats `apart`, boards, the middle."""
        boards, facts = (self.board(place, live) for place in shown.boards), map(self.counted, shown.facts)
        middle = (self.zone(place, "small" if place.shape == "pile" else "") for place in shown.middle)
        others = map(self.other, apart)
        return safe(self._parts.felt(_joined(others), _joined(boards), _joined(middle), _joined(facts)))

    @functools.lru_cache(MANY)  # noqa: B019
    def zone(self, place: Place, size: str = "", keep: bool = True) -> Markup:
        """Cards at their place; an empty one keeps a place for a card if asked to."""
        return safe(self._macros.zone(place, size, keep))

    @functools.lru_cache(MANY)  # noqa: B019
    def counted(self, place: Place) -> Markup:
        """What is counted."""
        return safe(self._macros.counted(place))

    @functools.lru_cache(FEWER)  # noqa: B019
    def plate(self, plate: Plate, fates: bool = False) -> Markup:
        """A seat: who sits there and what is counted; `fates`: how it ended for them, too."""
        return safe(self._parts.plate_of(plate, fates))

    @functools.lru_cache(FEWER)  # noqa: B019
    def other(self, plate: Plate) -> Markup:
        """What lies before somebody else."""
        return safe(self._parts.other_of(plate))

    @functools.lru_cache(128)  # noqa: B019
    def board(self, place: Place, live: bool = True) -> Markup:
        """A board."""
        cells = safe("".join(self._cell(slot, live) for slot in place.slots))
        return safe(self._macros.board(place, cells))

    @functools.lru_cache(MANY)  # noqa: B019
    def _cell(self, slot: Slot, live: bool) -> str:
        return str(self._macros.cell(slot, live))

    def hand(self, place: Place) -> Markup:
        """One's own cards."""
        cards = safe("".join(map(self._held, place.slots)))
        return safe(self._macros.hand(place, cards, min(len(place.slots), WIDEST)))

    @functools.lru_cache(MANY)  # noqa: B019
    def _held(self, slot: Slot) -> str:
        return str(self._macros.held(slot))


@functools.lru_cache(16)
def pieces(lang: str, prefix: str) -> Pieces:
    """The pieces in a language, on a site that begins there."""
    site = Site(lang, prefix=prefix)
    return Pieces(site, shared(site))


def _joined(parts: Iterable[Markup]) -> Markup:
    return safe("".join(parts))
