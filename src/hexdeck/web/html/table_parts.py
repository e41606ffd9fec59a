"""The page of a table, part by part; those that change less often than the table are cached."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import altered
from hexdeck.tables.service.chat import LONGEST, PHRASES
from hexdeck.web.html.about import game_info
from hexdeck.web.html.arrange import TableLayout
from hexdeck.web.html.cards import icon
from hexdeck.web.html.fragments import FEWER, MANY, Pieces, fragments_for, part
from hexdeck.web.html.page_models import SeatLine, Site
from hexdeck.web.html.rendering import EDGE, game_catalogue, quoted, render, safe, site_catalogue
from hexdeck.web.html.scores import Scores
from hexdeck.web.html.table_models import Chat, TablePage

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
