"""The page of a table: the whole of it, the part that a stream sends again, and the steps that lead to it."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from hexdeck.bots.advice.review import turned
from hexdeck.engine.beat import Beat
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.score import headlines_of, winning_sides
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import altered
from hexdeck.tables.service.chat import LONGEST, PHRASES
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.cards import icon, log_line
from hexdeck.web.html.daily import comparison
from hexdeck.web.html.games import game_info
from hexdeck.web.html.layout import Arranger, Placed, SeatLayout, Slot, TableLayout, ZoneLayout, arrange
from hexdeck.web.html.models import (
    Chat,
    Clock,
    Hint,
    JoinCode,
    Scores,
    SeatLine,
    Site,
    TablePage,
    TurningPoint,
)
from hexdeck.web.html.rendering import (
    EDGE,
    game_catalogue,
    items,
    quoted,
    render,
    safe,
    site_catalogue,
    template,
    template_context,
)
from hexdeck.web.html.spoken import ABOUT

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


FEWEST = 512  # cached fragments of a kind that only some tables have
SLOTS_ON_SCREEN = "opening", "felt", "asked", "corner"
SLOTS = "opening", "felt", "held", "asked", "actions", "news", "scores", "chat", "log", "people", "signs"


def parts_of(page: TablePage, shown: TableLayout, ending: Mapping[str, Any]) -> list[Pieces]:
    """What stands in each of the `SLOTS` of a table's page; `ending`: what is told of the end."""
    fragments, me, over = fragments_for(page.site.lang, page.site.prefix), page.me, page.over is not None
    here, watching, shared = f"{page.site.prefix}{quoted(f'/table/{page.table_id}')}", me is None, bool(page.shared)
    bot = me is not None and not over and page.seats[me].owner and page.seats[me].kind == "bot"
    hint_at = f"{here}/hint" if page.hints and shown.playable and not bot else ""
    told = f"{ending['headline']} {ending['beside']}" if over else None
    return [
        part(fragments.opening(page.version, shared, page.view.game, bool(shown.boards), len(shown.seats), watching,
                               shown.playable, over, page.turn, "as-hand" if page.hand else "")),
        fragments.felt_pieces(shown, shown.others),
        part(fragments.held(shown.mine, shown.hand)),
        part(fragments.asked(shown.prompt, watching, bot, told, hint_at, None if over else page.clock)),
        part(fragments.actions(page.version, here, me if bot else None, me if shared else None, shown.groups,
                               shown.group_size, shown.moves, page.may_retract, shared and not over,
                               bool(page.asides))),
        part(fragments.news(shown.news, watching)),
        () if over or page.scores is None else part(fragments.scores(scores_of(page))),
        () if page.chat is None else part(chat_of(page)),
        part(fragments.log(shown.log)),
        part(people_of(page)),
        part(fragments.signs(shown.legend)) if shown.legend else (),
    ]  # fmt: skip


def parts_on_screen(page: TablePage, shown: TableLayout, ending: Mapping[str, Any]) -> list[Pieces]:
    """What stands in each of the `SLOTS_ON_SCREEN`."""
    fragments, over = fragments_for(page.site.lang, page.site.prefix), page.over is not None
    told = f"{ending['headline']} {ending['beside']}" if over else None
    clock = None if over else page.clock
    return [
        part(fragments.opening(page.version, False, page.view.game, bool(shown.boards), len(shown.seats), True, False,
                               over, False, "tv joinable" if page.joining else "tv")),
        fragments.felt_pieces(shown, shown.others),
        part(fragments.asked(shown.prompt, True, False, told, "", clock)),
        part(fragments.corner(page.joining)),
    ]  # fmt: skip


def surroundings_on_screen(
    page: TablePage, words: Catalogue, shown: TableLayout, ending: Mapping[str, Any]
) -> list[str]:
    """What stands before, between and after the `SLOTS_ON_SCREEN`."""
    named = fragments_for(page.site.lang, page.site.prefix).named | dict.fromkeys(SLOTS_ON_SCREEN, safe(EDGE))
    info = game_info(page.view.game, page.site.lang)
    more = {"page": page, "all": shown, "scored": scores_of(page), **ending}
    return render("tv_main.html", page.site, words, info=info, **named, **more).split(EDGE)


def surroundings(page: TablePage, words: Catalogue, shown: TableLayout, ending: Mapping[str, Any]) -> list[str]:
    """What stands before, between and after the `SLOTS` of a table's page."""
    site, game = page.site, page.view.game
    if page.over or page.ended or page.lesson or page.hint:
        return split_at_slots(site, words, game, page=page, all=shown, scored=scores_of(page), **ending)
    return usual_surroundings(site.lang, site.prefix, game, page.table_id, page.me is None, page.hints, page.hand)


@functools.lru_cache(2_048)
def usual_surroundings(
    lang: str, prefix: str, game: str, table_id: str, watching: bool, hints: bool, hand: bool = False
) -> list[str]:
    """The same while the match goes on and nothing is explained."""
    site, nothing = Site(lang, prefix=prefix), dict.fromkeys(("over", "ended", "lesson", "hint"))
    page = {"table_id": table_id, "me": None if watching else 0, "hints": hints, "hand": hand, **nothing}
    return split_at_slots(site, site_catalogue(site), game, page=page)


def split_at_slots(site: Site, words: Catalogue, game: str, **more: Any) -> list[str]:
    """The page of a table as its template makes it, split where the `SLOTS` are."""
    named = fragments_for(site.lang, site.prefix).named
    slots = dict.fromkeys(SLOTS, safe(EDGE))
    return render("table_main.html", site, words, info=game_info(game, site.lang), **named | slots, **more).split(EDGE)


# --- parts that change less often -------------------------------------------------------------------------------------
def scores_of(page: TablePage) -> Markup | str:
    """The score sheet, if there is one."""
    if page.scores is None:
        return ""
    names = tuple(line.name for line in page.seats)
    return score_sheet(page.site.lang, page.site.prefix, page.view.game, names, page.scores)


@functools.lru_cache(FEWEST)
def score_sheet(lang: str, prefix: str, game: str, names: tuple[str, ...], scores: Scores) -> Markup:
    """The score sheet."""
    site = Site(lang, prefix=prefix)
    icons = tuple(icon(id) for id in scores.ids)
    words = game_catalogue(site, game, names)
    return safe(render("scores.html", site, words, scores=scores, names=names, icons=icons))


def chat_of(page: TablePage) -> Markup | str:
    """The chat, if there is somebody to talk to."""
    if page.chat is None:
        return ""
    return chat(page.site.lang, page.site.prefix, page.table_id, page.chat, page.me, page.host)


@functools.lru_cache(FEWEST)
def chat(lang: str, prefix: str, table_id: str, chat: Chat, me: int | None, host: bool) -> Markup:
    """The chat of a table."""
    site = Site(lang, prefix=prefix)
    shown = {"table_id": table_id, "chat": chat, "me": me, "host": host, "phrases": PHRASES, "longest": LONGEST}
    return safe(render("chat.html", site, site_catalogue(site), icon=fragments_for(lang, prefix).icon, **shown))


def people_of(page: TablePage) -> Markup:
    """Who sits where, invitations, and the reader's own settings."""
    return people(
        page.site.lang, page.site.prefix, page.table_id, tuple(map(stable_line, page.seats)), page.me, page.host,
        page.watching, page.promise, page.over is not None, page.may_host, page.hints, page.coached,
        page.shared.seats if page.shared else (), page.team_of, page.of_day,
    )  # fmt: skip


@functools.lru_cache(MANY)
def stable_line(line: SeatLine) -> SeatLine:
    """Who sits on a seat, without what changes from move to move."""
    return altered(line, chosen=False)


@functools.lru_cache(FEWER)
def people(
    lang: str, prefix: str, table_id: str, seats: tuple[SeatLine, ...], me: int | None, host: bool, watching: int,
    promise: str, over: bool, may_host: bool, hints: bool = False, coached: bool | None = None,
    mine: tuple[int, ...] = (), team_of: tuple[int, ...] = (), of_day: bool = False,
) -> Markup:  # fmt: skip
    """Who sits where, invitations, and the reader's own settings; `mine`: the seats that play on their device."""
    site = Site(lang, prefix=prefix)
    shown: dict[str, Any] = {"table_id": table_id, "seats": seats, "me": me, "host": host}
    shown |= {"watching": watching, "promise": promise, "over": over, "may_host": may_host}
    shown |= {"hints": hints, "coached": coached, "team_of": team_of, "of_day": of_day}
    shown |= {"mine": mine or ((me,) if me is not None else ())}
    return safe(render("people.html", site, site_catalogue(site), page=shown, icon=fragments_for(lang, prefix).icon))


# --- the end ----------------------------------------------------------------------------------------------------------
def headlines(page: TablePage) -> tuple[Text, ...]:
    """Who won, and what is told below that, if anything."""
    assert page.over is not None
    return headlines_of(
        page.over.won, -1 if page.me is None else page.me, page.team_of, page.over.lead, page.over.decided
    )


def place(page: TablePage) -> Text | None:
    """The reader's place; None where it says nothing: for winners, in teams, and where all others lost alike."""
    over, me = page.over, page.me
    if over is None or me is None or page.team_of or not over.places or any(over.won[me : me + 1]):
        return None
    lost = {each for each, won in zip(over.places, over.won, strict=True) if not won}
    if len(lost) == 1 and over.won.count(False) > 1:
        return None
    shared = over.places.count(over.places[me]) > 1
    told = {"place": over.places[me], "players": len(over.places)}
    if shared:
        return say("Your place: {place} of {players}, shared", **told)
    return say("Your place: {place} of {players}", **told)


LOG_LINES = 60  # of the log on a table's page; a replay has them all


# --- the table --------------------------------------------------------------------------------------------------------
def table(page: TablePage, *, still: bool = False) -> str:
    """The whole page of a table; without a script it reloads while its reader waits, unless it is to be `still`."""
    words = game_catalogue(page.site, page.view.game)
    info = game_info(page.view.game, page.site.lang)
    waits = not (page.turn or page.over or page.ended)
    return render("table.html", page.site, words, page=page, info=info, main=safe(table_main(page)), about=ABOUT,
                  waits=waits, still=still)  # fmt: skip


def table_main(page: TablePage) -> str:
    """The part of a table's page that changes."""
    return "".join(table_parts(page))


def table_parts(page: TablePage) -> Pieces:
    """The same for its stream: in turn what stands around parts that change by themselves, and such a part."""
    names = tuple(line.name for line in page.seats)
    words = game_catalogue(page.site, page.view.game, names)
    if page.shared and page.shared.covered:
        return (curtain(page, words),)
    if page.waiting:
        waiting = sum(line.kind == "open" for line in page.seats)
        info = game_info(page.view.game, page.site.lang)
        text = render("table_waiting.html", page.site, words, page=page, info=info, people=people_of(page),
                      chat=chat_of(page), open_seats=waiting)  # fmt: skip
        return (text,)
    shown, over = arrange(page, words, LOG_LINES), ending_of(page, words)
    around = surroundings(page, words, shown, over)
    return filled(around, parts_of(page, shown, over))


def ending_of(page: TablePage, words: Catalogue) -> dict[str, Any]:
    """What the sheet at the end of a match says besides the results."""
    if page.over is None:
        return {}
    standing, turning = place(page), turning_point(page, page.over.turning) if page.over.turning else ""
    compared = comparison(page.site, page.over.compared)
    told, *more = map(words.words, headlines(page))
    return {
        "headline": told, "beside": "".join(more), "share": len(winning_sides(page.over.won, page.team_of)) > 1,
        "place": words.words(standing) if standing else "", "turning": turning, "compared": compared,
    }  # fmt: skip


def turning_point(page: TablePage, point: TurningPoint) -> Markup:
    """The turning point of a match in a sentence, with a link to its moment."""
    words = game_catalogue(page.site, page.view.game, tuple(line.name for line in page.seats))
    sentence = turned(point.decision, point.seat, point.measure, own=point.seat == page.me)
    unit = definition(page.view.game).table.ABOUT.deal
    return safe(render("turning.html", page.site, words, page=page, point=point, sentence=sentence, unit=unit))


def screen(page: TablePage) -> str:
    """The whole page of a screen that all look at."""
    words = game_catalogue(page.site, page.view.game)
    info = game_info(page.view.game, page.site.lang)
    return render("tv.html", page.site, words, page=page, info=info, main=safe("".join(screen_parts(page))))


def screen_parts(page: TablePage) -> Pieces:
    """The part of such a page that changes: what stands around parts that change by themselves, and such a part."""
    assert page.screen and page.me is None and page.view.seat < 0, "a screen shows what the public knows"
    words = game_catalogue(page.site, page.view.game, tuple(line.name for line in page.seats))
    if page.waiting:
        waiting, info = sum(line.kind == "open" for line in page.seats), game_info(page.view.game, page.site.lang)
        named = fragments_for(page.site.lang, page.site.prefix).named
        return (render("tv_waiting.html", page.site, words, page=page, info=info, open_seats=waiting, **named),)
    shown, over = arrange(page, words, LOG_LINES), ending_of(page, words)
    around = surroundings_on_screen(page, words, shown, over)
    return filled(around, parts_on_screen(page, shown, over))


def steps(page: TablePage, shown: Sequence[Beat], follows: int, *, live: bool = True) -> Steps:
    """The steps that lead a page from a version to the newest: what lies on the table then, without anything to do.

    A part of the page that is as it was a step before isn't sent again. `live`: at a table, not in a replay.
    """
    names = tuple(line.name for line in page.seats)
    words, fragments = game_catalogue(page.site, page.view.game, names), fragments_for(page.site.lang, page.site.prefix)
    still = altered(page, view=altered(page.view, moves=(), acting=(), outcome_texts=()), over=None)
    arranger, told, lying = Arranger(still, words), list[str](), list[Pieces]()
    for beat in shown:
        lying.append(on_table(fragments, Placed(*arranger.placed(beat.zones)), live))
        news = changed_parts(lying[-1], lying[-2]) if told else (EDGE,)
        said = words.words(beat.said) if beat.said else ""
        line = log_line(words, beat.line, sprite_of(page.site.prefix)) if beat.line else ""
        told.append(fragments.step(line, news, beat, said))
    layout = on_table(fragments, Placed(*arranger.placed(page.view.zones)), live)[::2]
    before, after = f'<div data-follows="{follows}">{"".join(told)}</div>'.split(EDGE)
    last = lying[-1][1::2] if lying[-1][::2] == layout else ()
    return Steps(before, lying[0], after, lying[0][::2] == layout, last)


def on_table(fragments: Fragments, placed: Placed, live: bool) -> Pieces:
    """What lies on the table at a step, and what the reader holds; in a replay all seats are around the felt."""
    if not live:
        return fragments.felt_pieces(placed, placed.everybody, live=False, outcomes=True)
    return *fragments.felt_pieces(placed, placed.others), fragments.held(placed.mine, placed.hand), ""


def changed_parts(now: Pieces, before: Pieces) -> Pieces:
    """What has changed of pieces of a page: parts of them, or all where they are laid out otherwise than before."""
    if now[::2] != before[::2]:
        return now
    return tuple(part for part, old in zip(now[1::2], before[1::2], strict=True) if part != old)


def curtain(page: TablePage, words: Catalogue) -> str:
    """What a shared device shows between two players: only what is public."""
    assert page.me is None and page.view.seat < 0, "what lies behind a curtain isn't told to the page"
    info = game_info(page.view.game, page.site.lang)
    return render("table_curtain.html", page.site, words, page=page, info=info, all=arrange(page, words, LOG_LINES))


def hint(site: Site, game: str, names: Sequence[str], found: Hint) -> str:
    """The part of a table's page that shows a hint."""
    return render("hint.html", site, game_catalogue(site, game, names), hint=found)
