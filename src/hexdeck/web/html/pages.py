"""The pages: pure functions from what a reader may know to HTML. Nothing here reads a table or a request."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from hexdeck.bots.advice.analysis import cost_text, costliest, drawing, heading, listing, proposed
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.replay import has_example
from hexdeck.engine.text import Catalogue, Seat, Text, say
from hexdeck.engine.view import View, altered
from hexdeck.tables.advice import worth_retrying
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.cards import sentence_html
from hexdeck.web.html.games import all_games, broken_games, game_info, option_groups, preset_choices
from hexdeck.web.html.layout import arrange
from hexdeck.web.html.models import (
    AboutPage,
    AnalysisPage,
    CarryPage,
    CodePage,
    ErrorPage,
    ExamplePage,
    FairPage,
    FeedbackPage,
    GamePage,
    InvitePage,
    JoinPage,
    LeavePage,
    NewPage,
    PrivacyPage,
    ReplayPage,
    ReportPage,
    RulesPage,
    ScreenPage,
    SeatLine,
    Site,
    StartPage,
    TablePage,
    TablesPage,
)
from hexdeck.web.html.rendering import game_catalogue, render, safe, site_catalogue
from hexdeck.web.html.rulebook import cited, paper, rules_html
from hexdeck.web.html.table_page import steps


# --- matches that are over --------------------------------------------------------------------------------------------
def replay(page: ReplayPage) -> str:
    """A match at one ply, with buttons and a slider to step through it."""
    view = page.view
    catalogue = game_catalogue(page.site, view.game, view.names)
    seats = page.seats or anybody(view, catalogue)
    table = TablePage(page.site, page.replay_id, page.ply, altered(view, moves=()), seats, page.seat)
    lines = [sentence_html(catalogue, text, sprite_of(page.site.prefix)) for text in page.lines]
    info, layout = game_info(view.game, page.site.lang), arrange(table, catalogue, 0)
    story = safe(steps(table, page.beats, page.stops[page.step - 1], live=False)) if page.beats else ""
    return render("replay.html", page.site, catalogue, page=page, info=info, lines=lines, steps=story, all=layout)


def example(page: ExamplePage) -> str:
    """A worked example at one step, with its passage."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    catalogue = game_catalogue(page.site, view.game, view.names)
    layout = arrange(TablePage(page.site, "", view.ply, view, anybody(view, catalogue)), catalogue, 0)
    passage = safe(cited(page.passage, f"{page.site.prefix}/rules/{view.game}"))
    return render("example.html", page.site, catalogue, page=page, info=info, passage=passage, all=layout)


def anybody(view: View, catalogue: Catalogue) -> tuple[SeatLine, ...]:
    """The seats of a view when it doesn't matter who plays them."""
    return tuple(SeatLine(seat, catalogue.name(seat), "person") for seat in range(view.players))


def fair(page: FairPage, verdict: Text | None = None, holds: bool = True) -> str:
    """How the cards of a table are dealt, and the verdict of a check."""
    names = tuple(line.name for line in page.seats)
    sentence = game_catalogue(page.site, page.game, names).words(verdict) if verdict else ""
    return game_page("fair.html", page, verdict=sentence, holds=holds)


def analysis(page: AnalysisPage) -> str:
    """What a seat could expect in a match and what its moves cost, or how far that is known."""
    catalogue = game_catalogue(page.site, page.game, page.names)
    title = say("{game}: the match of {seat}", game=definition(page.game).table.ABOUT.title, seat=Seat(page.seat))
    parts = analysis_parts(page, catalogue) if page.measure and page.decisions else {}
    return render(
        "analysis.html", page.site, catalogue, page=page, title=catalogue.words(title), link=replay_of(page), **parts
    )


def analysis_parts(page: AnalysisPage, catalogue: Catalogue) -> dict[str, Any]:
    """The parts of a finished analysis: its picture, its table, and the costliest moves in words."""
    measure, decisions = page.measure, page.decisions
    assert measure is not None
    costly, numbers = (
        costliest(decisions),
        {decision.ply: number for number, decision in enumerate(worth_retrying(decisions), 1)},
    )
    dearest = [
        (
            decision,
            numbers[decision.ply],
            catalogue.words(say("{seat} chose: {move}", seat=Seat(page.seat), move=decision.played)),
            catalogue.words(proposed(decision)),
            catalogue.words(cost_text(decision, measure)),
        )
        for decision in costly
    ]
    listing_html = safe(listing(decisions, measure, catalogue, replay_of(page)))
    drawn = safe(drawing(decisions, measure, catalogue, page.result))
    return {"drawn": drawn, "listed": listing_html, "dearest": dearest, "heading": heading(costly)}


def replay_of(page: AnalysisPage) -> str:
    """The address of the replay from the seat's eyes, up to the ply."""
    return f"{page.site.prefix}/replay/{quote(page.table_id)}?seat={page.seat}&ply="


# --- pages about a game -----------------------------------------------------------------------------------------------
def new_table(page: NewPage) -> str:
    """The form for a new table."""
    lang = page.site.lang
    groups = option_groups(page.game, lang, page.players, page.typed)
    return game_page("new.html", page, presets=preset_choices(page.game, lang, page.players), groups=groups)


def rules(page: RulesPage) -> str:
    """The rules of a game."""
    text = rules_html(page.game, page.site.lang, sprite_of(page.site.prefix))
    return game_page("rules.html", page, text=text, paper=paper(text), example=has_example(page.game))


def join(page: JoinPage) -> str:
    """An invitation to a seat."""
    return game_page("join.html", page)


def code(page: CodePage) -> str:
    """A field for the code of a table."""
    return render("code.html", page.site, site_catalogue(page.site), page=page)


def choose_screen(page: ScreenPage) -> str:
    """Where a television is made the table."""
    return render("screen.html", page.site, site_catalogue(page.site), page=page, games=all_games(page.site.lang))


def invite(page: InvitePage) -> str:
    """The links of a table."""
    return game_page("invite.html", page)


def leave(page: LeavePage) -> str:
    """Leaving a table for good."""
    return game_page("leave.html", page)


def feedback(page: FeedbackPage) -> str:
    """The questions after a match."""
    return game_page("feedback.html", page)


def carry(page: CarryPage) -> str:
    """Taking a seat to another device."""
    return game_page("carry.html", page)


def game_page(template: str, page: GamePage, **more: Any) -> str:
    """A page about one game."""
    info = game_info(page.game, page.site.lang)
    return render(template, page.site, game_catalogue(page.site, page.game), page=page, info=info, **more)


# --- pages about the site ---------------------------------------------------------------------------------------------
def start(page: StartPage) -> str:
    """The start page: the games, and what is wrong with those from outside that don't work."""
    catalogue = site_catalogue(page.site)
    return render(
        "start.html", page.site, catalogue, page=page, games=all_games(catalogue.lang), broken=broken_games(catalogue)
    )


def tables(page: TablesPage) -> str:
    """The reader's tables."""
    lines = [
        (line, line.game if line.kind == "missing" else game_info(line.game, page.site.lang).title)
        for line in page.tables
    ]
    return render("tables.html", page.site, site_catalogue(page.site), page=page, lines=lines)


def about(page: AboutPage) -> str:
    """About the site, with the credits of every game."""
    return render("about.html", page.site, site_catalogue(page.site), page=page, games=all_games(page.site.lang))


def privacy(page: PrivacyPage) -> str:
    """What is kept of people, for how long, and how they delete it."""
    return render("privacy.html", page.site, site_catalogue(page.site), page=page)


def offline(site: Site) -> str:
    """The page that a device keeps for when there is no connection."""
    return render("offline.html", site, site_catalogue(site))


def report(page: ReportPage) -> str:
    """A report of what went wrong, to copy or to download."""
    return render("report.html", page.site, site_catalogue(page.site), page=page)


def error(page: ErrorPage) -> str:
    """A refusal."""
    return render("error.html", page.site, site_catalogue(page.site), page=page)
