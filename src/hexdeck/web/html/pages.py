"""The pages: pure functions from what a reader knows to HTML. Nothing here reads a table or a request."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from hexdeck.bots.advice.analysis import costliest
from hexdeck.bots.advice.review import drawing, heading, listing, proposed, said_cost
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.worked import has_example
from hexdeck.engine.text import Catalogue, Seat, Text, say
from hexdeck.tables.service.talk import LONGEST, PHRASES
from hexdeck.web.html.about import info, infos, option_fields
from hexdeck.web.html.arrange import arranged, sprite_of
from hexdeck.web.html.cards import icon
from hexdeck.web.html.fragments import FEWER, MANY, pieces
from hexdeck.web.html.lines import remembered
from hexdeck.web.html.page_models import (
    AboutPage,
    AnalysisPage,
    CarryPage,
    ErrorPage,
    ExamplePage,
    FairPage,
    Hint,
    InvitePage,
    JoinPage,
    NewPage,
    ReplayPage,
    RulesPage,
    SeatLine,
    Site,
    StartPage,
    TablePage,
    TablesPage,
    Talk,
)
from hexdeck.web.html.rendering import of_game, quoted, render, safe, shared
from hexdeck.web.html.rulebook import cited, paper, rules_html
from hexdeck.web.html.scores import Scores

LINES = 60  # of the log that a page shows; a replay has them all
FEWEST = 512  # of what only some tables have


# --- the table --------------------------------------------------------------------------------------------------------
def table(page: TablePage) -> str:
    """The whole page of a table."""
    words = of_game(page.site, page.view.game)
    known = info(page.view.game, page.site.lang)
    return render("table.html", page.site, words, page=page, info=known, main=safe(table_main(page)))


def table_main(page: TablePage) -> str:
    """The part of a table's page that changes: what its stream sends."""
    words = of_game(page.site, page.view.game, tuple(line.name for line in page.seats))
    known = info(page.view.game, page.site.lang)
    if page.shared and page.shared.covered:
        return curtain(page, words)
    lines = tuple(map(seated_line, page.seats))
    seated = people(
        page.site.lang, page.site.prefix, page.table_id, lines, page.me, page.host, page.watching, page.promise,
        page.over is not None, page.may_host, page.hints, page.coached,
        page.shared.seats if page.shared else (), page.sides,
    )  # fmt: skip
    talked = talk(page.site.lang, page.site.prefix, page.table_id, page.talk, page.me, page.host) if page.talk else ""
    names = tuple(line.name for line in page.seats)
    scored = sheet(page.site.lang, page.site.prefix, page.view.game, names, page.scores) if page.scores else ""
    if page.waiting:
        waiting = sum(line.kind == "open" for line in page.seats)
        return render("table_waiting.html", page.site, words, page=page, info=known, people=seated, talked=talked,
                      open_seats=waiting)  # fmt: skip
    return render(
        "table_main.html", page.site, words, page=page, info=known, people=seated, talked=talked, scored=scored,
        all=arranged(page, words, LINES),
        **pieces(page.site.lang, page.site.prefix).named,
    )  # fmt: skip


@functools.lru_cache(FEWEST)
def sheet(lang: str, prefix: str, game: str, names: tuple[str, ...], found: Scores) -> Markup:
    """The score sheet."""
    site = Site(lang, prefix=prefix)
    words = of_game(site, game, names)
    icons = tuple(icon(id) for id in found.ids)
    return safe(render("scores.html", site, words, scores=found, names=names, icons=icons))


def curtain(page: TablePage, words: Catalogue) -> str:
    """What a shared device shows between two people: nothing but what all may know."""
    assert page.me is None and page.view.seat < 0, "what lies behind a curtain isn't told to the page"
    known = info(page.view.game, page.site.lang)
    return render("table_curtain.html", page.site, words, page=page, info=known, all=arranged(page, words, LINES))


@functools.lru_cache(FEWEST)
def talk(lang: str, prefix: str, table_id: str, said: Talk, me: int | None, host: bool) -> Markup:
    """What people at a table say to each other."""
    site = Site(lang, prefix=prefix)
    told = {"table_id": table_id, "talk": said, "me": me, "host": host, "phrases": PHRASES, "longest": LONGEST}
    return safe(render("talk.html", site, shared(site), icon=pieces(lang, prefix).icon, **told))


@functools.lru_cache(MANY)
def seated_line(line: SeatLine) -> SeatLine:
    """Who sits there, without what changes from move to move."""
    return replace(line, chosen=False)


@functools.lru_cache(FEWER)
def people(
    lang: str, prefix: str, table_id: str, seats: tuple[SeatLine, ...], me: int | None, host: bool, watching: int,
    promise: str, over: bool, may_host: bool, hints: bool = False, coached: bool | None = None,
    mine: tuple[int, ...] = (), sides: tuple[int, ...] = (),
) -> Markup:  # fmt: skip
    """Who sits where, invitations, one's own name: it changes less often than the table."""
    site = Site(lang, prefix=prefix)
    told: dict[str, Any] = {"table_id": table_id, "seats": seats, "me": me, "host": host}
    told |= {"watching": watching, "promise": promise, "over": over, "may_host": may_host}
    told |= {"hints": hints, "coached": coached, "sides": sides, "mine": mine or ((me,) if me is not None else ())}
    return safe(render("people.html", site, shared(site), page=told, icon=pieces(lang, prefix).icon))


def hint(site: Site, game: str, names: Sequence[str], found: Hint) -> str:
    """What the reader asked for, as the part of the table's page that shows it."""
    return render("hint.html", site, of_game(site, game, names), hint=found)


def replay(page: ReplayPage) -> str:
    """A match at one ply, with a scrubber."""
    view = page.view
    words = of_game(page.site, view.game, view.names)
    lines = tuple(SeatLine(seat, words.name(seat), "person") for seat in range(view.players))
    shown = TablePage(page.site, page.replay_id, page.ply, replace(view, moves=()), lines, page.seat)
    told = [remembered(words, text, sprite_of(page.site.prefix)) for text in page.told]
    known = info(view.game, page.site.lang)
    return render("replay.html", page.site, words, page=page, info=known, told=told, all=arranged(shown, words, 0),
                  **pieces(page.site.lang, page.site.prefix).named)  # fmt: skip


def example(page: ExamplePage) -> str:
    """A worked example at one step, with its passage."""
    view, known = page.view, info(page.view.game, page.site.lang)
    words = of_game(page.site, view.game, view.names)
    lines = tuple(SeatLine(seat, words.name(seat), "person") for seat in range(view.players))
    shown = arranged(TablePage(page.site, "", view.ply, view, lines), words, 0)
    passage = safe(cited(page.passage, f"{page.site.prefix}/rules/{view.game}"))
    return render("example.html", page.site, words, page=page, info=known, passage=passage, all=shown,
                  **pieces(page.site.lang, page.site.prefix).named)  # fmt: skip


# --- the other pages --------------------------------------------------------------------------------------------------
def start(page: StartPage) -> str:
    """The first page: the games."""
    return render("start.html", page.site, shared(page.site), page=page, games=infos(page.site.lang))


def new_table(page: NewPage) -> str:
    """Setting a table."""
    fields = option_fields(page.game, page.site.lang, page.given)
    return game_page("new.html", page, page.game, options=fields)


def join(page: JoinPage) -> str:
    """An invitation to a seat."""
    return game_page("join.html", page, page.game)


def invite(page: InvitePage) -> str:
    """The links of a table."""
    return game_page("invite.html", page, page.game)


def carry(page: CarryPage) -> str:
    """Carrying a seat to another device."""
    return game_page("carry.html", page, page.game)


def fair(page: FairPage, verdict: Text | None = None, holds: bool = True) -> str:
    """How the cards of a table are made, and what a check of them found."""
    names = tuple(line.name for line in page.seats)
    told = of_game(page.site, page.game, names).words(verdict) if verdict else ""
    return game_page("fair.html", page, page.game, verdict=told, holds=holds)


def analysis(page: AnalysisPage) -> str:
    """What a seat could expect in a match, and what its moves cost; or how far that is known."""
    words = of_game(page.site, page.game, page.names)
    title = say("{game}: the match of {seat}", game=definition(page.game).table.TITLE, seat=Seat(page.seat))
    parts = reviewed(page, words) if page.measure and page.found else {}
    return render("analysis.html", page.site, words, page=page, title=words.words(title), link=replay_of(page), **parts)


def reviewed(page: AnalysisPage, words: Catalogue) -> dict[str, Any]:
    """The parts of an analysis that is done: its picture, its table, and the moves that cost most in words."""
    measure, found = page.measure, page.found
    assert measure is not None
    paid = costliest(found)
    dearest = [
        (each, words.words(say("{seat} chose: {move}", seat=Seat(page.seat), move=each.played)),
         words.words(proposed(each)), words.words(said_cost(each, measure)))
        for each in paid
    ]  # fmt: skip
    listed = safe(listing(found, measure, words, replay_of(page)))
    drawn = safe(drawing(found, measure, words))
    return {"drawn": drawn, "listed": listed, "dearest": dearest, "heading": heading(paid)}


def replay_of(page: AnalysisPage) -> str:
    """Where the replay is, from the seat's eyes; a ply follows."""
    return f"{page.site.prefix}/replay/{quoted(page.table_id)}?seat={page.seat}&ply="


def rules(page: RulesPage) -> str:
    """The rules of a game."""
    text = rules_html(page.game, page.site.lang, sprite_of(page.site.prefix))
    return game_page("rules.html", page, page.game, text=text, paper=paper(text), example=has_example(page.game))


def tables(page: TablesPage) -> str:
    """The reader's tables."""
    lines = [(line, info(line.game, page.site.lang)) for line in page.tables]
    return render("tables.html", page.site, shared(page.site), page=page, lines=lines)


def about(page: AboutPage) -> str:
    """About the site, with the credits of every game."""
    return render("about.html", page.site, shared(page.site), page=page, games=infos(page.site.lang))


def offline(site: Site) -> str:
    """That there is no connection: the one page that a device keeps."""
    return render("offline.html", site, shared(site))


def error(page: ErrorPage) -> str:
    """What went wrong."""
    return render("error.html", page.site, shared(page.site), page=page)


def game_page(
    name: str, page: NewPage | JoinPage | InvitePage | CarryPage | FairPage | RulesPage, game: str, **more: Any
) -> str:  # fmt: skip
    """A page about one game."""
    known = info(game, page.site.lang)
    return render(name, page.site, of_game(page.site, game), page=page, info=known, **more)


def sentence(site: Site, text: Text, game: str = "", names: Sequence[str] = ()) -> str:
    """One sentence in the reader's language, as an answer to a script."""
    return (of_game(site, game, names) if game else shared(site)).words(text)
