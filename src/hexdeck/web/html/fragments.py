"""Fragments of pages that many readers see, again and again: made once, and cached."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from hexdeck.engine.beat import Beat
from hexdeck.engine.text import Catalogue
from hexdeck.web.html.arrange import Placed
from hexdeck.web.html.looks import SeatLayout, Slot, ZoneLayout
from hexdeck.web.html.page_models import JoinCode, Site
from hexdeck.web.html.rendering import EDGE, items, safe, site_catalogue, template, template_context
from hexdeck.web.html.table_models import Clock

MANY = 16_384  # cached fragments of a kind: a thousand tables show a few of each
FEWER = 5_000  # of large ones: about as many as four readers at each of a thousand tables see
PARTS = 1_024  # whole parts of a page, which change with every move
WIDEST = 16  # cards of a hand from which on they lie as close as they can
Pieces = tuple[str, ...]  # of HTML: in turn what stands around parts that change by themselves, and such a part


class Steps(NamedTuple):
    """What happened, step by step, as HTML.

    `before`, `after`: what stands around the first step's pieces, which show all that lies on the table then. `fits`:
    they are parts of the newest view's layout, so that one may be left out for a reader who has it already. `last`: the
    parts that lie on the table after the last step; none where the newest view has another layout.
    """

    before: str
    first: Pieces
    after: str
    fits: bool
    last: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join((self.before, *self.first, self.after))


class Fragments:
    """Fragments of pages in one language: each is made once for all that look the same."""

    def __init__(self, site: Site, words: Catalogue) -> None:
        context = template_context(site, words)
        macros: Any = template("macros.html").make_module(context)
        shared = {"seat_face": macros.seat_face, "seat_level": macros.seat_level, "icon": self.icon}
        parts: Any = template("parts.html").make_module(context | shared)
        self._macros, self._parts = macros, parts
        self.named = shared | {"felt": self.felt}

    @functools.lru_cache(256)  # noqa: B019 - there is one for each language and beginning of the site
    def icon(self, name: str, title: str = "") -> Markup:
        """An icon of the sprite."""
        return safe(self._macros.icon(name, title))

    # --- what lies on the table ---------------------------------------------------------------------------------------
    def felt(self, shown: Placed, around: tuple[SeatLayout, ...], live: bool = True, outcomes: bool = False) -> Markup:
        """What lies on the table: these seats around it, boards, the middle. `outcomes`: each seat with its outcome."""
        return safe("".join(self.felt_pieces(shown, around, live, outcomes)))

    def felt_pieces(
        self, shown: Placed, around: tuple[SeatLayout, ...], live: bool = True, outcomes: bool = False
    ) -> Pieces:
        """The same in pieces."""
        return self._felt(around, shown.boards, shown.middle, shown.counts, live, outcomes)

    @functools.lru_cache(PARTS)  # noqa: B019
    def _felt(
        self, around: tuple[SeatLayout, ...], boards: tuple[ZoneLayout, ...], middle: tuple[ZoneLayout, ...],
        counts: tuple[ZoneLayout, ...], live: bool, outcomes: bool,
    ) -> Pieces:  # fmt: skip
        parts = [self.seat(plate, outcomes) for plate in around]
        parts += [self.board(place, live) for place in boards]
        if counts:
            parts.append(self._facts(counts))
        if middle:
            parts.append(self._middle(middle))
        return _woven(self._around_parts(len(around), len(boards), bool(counts), bool(middle)), parts)

    @functools.lru_cache(256)  # noqa: B019
    def _around_parts(self, seats: int, boards: int, counts: bool, middle: bool) -> list[str]:
        """What stands around the parts of a felt with so many of them."""
        drawn, *others = (safe(EDGE * 2 * many) for many in (seats, boards, counts, middle))
        return str(self._parts.felt(drawn, seats, *others)).split(EDGE)[::2]

    @functools.lru_cache(PARTS)  # noqa: B019
    def _facts(self, counts: tuple[ZoneLayout, ...]) -> str:
        return self._filled("facts", "".join(map(self.counted, counts)))

    @functools.lru_cache(PARTS)  # noqa: B019
    def _middle(self, places: tuple[ZoneLayout, ...]) -> str:
        zones = [self.zone(place, "small" if place.shape == "pile" else "") for place in places]
        return self._filled("middle", "".join(zones))

    @functools.lru_cache(PARTS)  # noqa: B019
    def held(self, mine: SeatLayout | None, hand: ZoneLayout | None) -> str:
        """What the reader holds: their seat with its own zones, and their hand."""
        seat = self.seat(mine, tag="div") if mine else ""
        return self._filled("held", f"{seat}{self.hand(hand) if hand else ''}")

    @functools.lru_cache(MANY)  # noqa: B019
    def zone(self, place: ZoneLayout, size: str = "", keep: bool = True) -> str:
        """A zone of cards; an empty one keeps room for a card if `keep`."""
        return str(self._macros.zone(place, safe("".join(map(self._card, place.slots))), size, keep))

    @functools.lru_cache(MANY)  # noqa: B019
    def _card(self, slot: Slot) -> str:
        return str(self._macros.card(slot))

    @functools.lru_cache(MANY)  # noqa: B019
    def counted(self, place: ZoneLayout) -> str:
        """Something that is counted."""
        return str(self._macros.counted(place))

    @functools.lru_cache(FEWER)  # noqa: B019
    def seat(self, plate: SeatLayout, outcomes: bool = False, tag: str = "li") -> str:
        """A seat with its zones; `outcomes`: and with its outcome."""
        counts = "".join(map(self.counted, plate.counts))
        zones = "".join([self.zone(place, "small", keep=False) for place in plate.zones])
        outcome = plate.outcome if outcomes else ""
        inside = (counts and self._filled("counts", counts)) + self._filled("zones", zones)
        return self._filled("seat_of", inside, plate.line, plate.me, plate.acting, plate.markers, outcome, tag)

    @functools.lru_cache(128)  # noqa: B019
    def board(self, place: ZoneLayout, live: bool = True) -> str:
        """A board."""
        cells = safe("".join(self._cell(slot, live) for slot in place.slots))
        return str(self._macros.board(place, cells))

    @functools.lru_cache(MANY)  # noqa: B019
    def _cell(self, slot: Slot, live: bool) -> str:
        return str(self._macros.cell(slot, live))

    def hand(self, place: ZoneLayout) -> str:
        """The reader's hand."""
        many = min(len(place.slots), WIDEST)
        cards = "".join(map(self._hand_card, place.slots))
        return self._filled("hand", cards, place.id, place.title, place.note, many)

    @functools.lru_cache(MANY)  # noqa: B019
    def _hand_card(self, slot: Slot) -> str:
        return str(self._macros.hand_card(slot))

    # --- other parts of a table's page --------------------------------------------------------------------------------
    def opening(self, version: int, *looks: Any) -> str:
        """The beginning of the element that holds all parts; `looks`: see the macro."""
        return self._filled("opening", str(version), *looks)

    @functools.lru_cache(PARTS)  # noqa: B019
    def asked(
        self, prompt: str, watching: bool, stood_in: bool, told: str | None, hint_at: str, clock: Clock | None
    ) -> str:
        """What the reader is asked, and their clock."""
        return str(self._parts.asked(prompt, watching, stood_in, told, hint_at, clock))

    @functools.lru_cache(FEWER)  # noqa: B019
    def corner(self, joining: JoinCode | None) -> str:
        """The corner of a screen that all look at: how to join, while a seat is free."""
        return str(self._parts.corner(joining))

    def actions(self, version: int, *what: Any) -> str:
        """What the reader can do besides playing cards; `what`: see the macro."""
        return str(version).join(self._around_version(*what))

    @functools.lru_cache(PARTS)  # noqa: B019
    def _around_version(self, *what: Any) -> list[str]:
        return str(self._parts.actions(safe(EDGE), *what)).split(EDGE)

    def news(self, lines: Sequence[str], watching: bool) -> str:
        """The news."""
        return self._filled("news", items(lines), watching)

    def log(self, lines: Sequence[str]) -> str:
        """The end of the log."""
        return self._filled("log", items(lines))

    def scores(self, sheet: Markup | str) -> str:
        """The score sheet beside the table, if there is one."""
        return sheet and self._filled("scores", sheet)

    @functools.lru_cache(FEWER)  # noqa: B019
    def signs(self, legend: tuple[tuple[str, str], ...]) -> str:
        """What the signs on the page mean, if there are any."""
        return str(self._parts.signs(legend)) if legend else ""

    def step(self, line: str, parts: Iterable[str], beat: Beat, said: str) -> str:
        """A step of what happened, with the parts that it changes."""
        speaks = f' data-said="{escape(said)}" data-by="plate-{beat.seats[0]}"' if said else ""
        looks = f'data-hold="{beat.hold}" data-lit="{escape(lit_ids(beat))}" data-cue="{escape(beat.cue)}"{speaks}'
        return f'<template {looks}><p class="line">{line}</p>{"".join(parts)}</template>'

    def _filled(self, macro: str, html: str, *more: Any) -> str:
        """What a macro makes of HTML that changes often, its first argument, and of others that seldom do."""
        return str.join(html, self._around(macro, *more))  # a Markup would escape them

    @functools.lru_cache(FEWER)  # noqa: B019
    def _around(self, macro: str, *more: Any) -> list[str]:
        """What a macro puts before, between and after its first argument."""
        return str(getattr(self._parts, macro)(safe(EDGE), *more)).split(EDGE)


def part(html: str) -> Pieces:
    """A part that changes by itself, with nothing around it."""
    return "", html, ""


def filled(around: Sequence[str], slots: Sequence[Pieces]) -> Pieces:
    """A page of what stands around slots, and what stands in each slot; an empty one is left out."""
    out = [around[0]]
    for pieces, after in zip(slots, around[1:], strict=True):
        if pieces:
            out[-1] += pieces[0]
            out += pieces[1:]
        out[-1] += after
    return tuple(out)


def _woven(around: Sequence[str], parts: Sequence[str]) -> Pieces:
    pieces = [""] * (len(around) + len(parts))
    pieces[::2], pieces[1::2] = around, parts
    return tuple(pieces)


def lit_ids(beat: Beat) -> str:
    """The ids of the elements that have the light at a beat."""
    return " ".join([*[f"zone-{place}" for place in beat.light], *[f"plate-{seat}" for seat in beat.seats]])


@functools.lru_cache(16)
def fragments_for(lang: str, prefix: str) -> Fragments:
    """The fragments in a language, on a site that begins at a prefix."""
    site = Site(lang, prefix=prefix)
    return Fragments(site, site_catalogue(site))
