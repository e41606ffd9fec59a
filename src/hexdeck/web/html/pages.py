"""The pages: pure functions from what a reader may know to HTML. Nothing here reads a table or a request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from hexdeck.bots.advice.analysis import costliest
from hexdeck.bots.advice.review import cost_text, drawing, heading, listing, proposed, turned
from hexdeck.engine.beat import Beat
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.worked import has_example
from hexdeck.engine.text import Catalogue, Seat, Text, say
from hexdeck.engine.view import View, altered
from hexdeck.tables.model.headline import winning_sides
from hexdeck.tables.service.afterwards.again import worth_trying
from hexdeck.web.html.about import all_games, broken_games, game_info, option_groups, preset_choices
from hexdeck.web.html.arrange import Arranger, Placed, arrange, sprite_of
from hexdeck.web.html.fragments import Fragments, Pieces, Steps, filled, fragments_for
from hexdeck.web.html.headline import headlines, place
from hexdeck.web.html.lines import log_line
from hexdeck.web.html.page_models import (
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
    TablesPage,
)
from hexdeck.web.html.rendering import EDGE, game_catalogue, quoted, render, safe, site_catalogue
from hexdeck.web.html.rulebook import cited, paper, rules_html
from hexdeck.web.html.spoken import ABOUT
from hexdeck.web.html.table_models import Hint, TablePage, TurningPoint
from hexdeck.web.html.table_parts import (
    chat_of,
    parts_of,
    parts_on_screen,
    people_of,
    surroundings,
    surroundings_on_screen,
)
from hexdeck.web.html.tomorrow.pages import comparison

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


# --- matches that are over --------------------------------------------------------------------------------------------
def replay(page: ReplayPage) -> str:
    """A match at one ply, with buttons and a slider to step through it."""
    view = page.view
    words = game_catalogue(page.site, view.game, view.names)
    seats = page.seats or anybody(view, words)
    shown = TablePage(page.site, page.replay_id, page.ply, altered(view, moves=()), seats, page.seat)
    lines = [log_line(words, text, sprite_of(page.site.prefix)) for text in page.lines]
    info = game_info(view.game, page.site.lang)
    told = safe(steps(shown, page.beats, page.stops[page.step - 1], live=False).text) if page.beats else ""
    return render("replay.html", page.site, words, page=page, info=info, lines=lines, steps=told,
                  all=arrange(shown, words, 0),
                  **fragments_for(page.site.lang, page.site.prefix).named)  # fmt: skip


def example(page: ExamplePage) -> str:
    """A worked example at one step, with its passage."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    words = game_catalogue(page.site, view.game, view.names)
    shown = arrange(TablePage(page.site, "", view.ply, view, anybody(view, words)), words, 0)
    passage = safe(cited(page.passage, f"{page.site.prefix}/rules/{view.game}"))
    return render("example.html", page.site, words, page=page, info=info, passage=passage, all=shown,
                  **fragments_for(page.site.lang, page.site.prefix).named)  # fmt: skip


def anybody(view: View, words: Catalogue) -> tuple[SeatLine, ...]:
    """The seats of a view when it doesn't matter who plays them."""
    return tuple(SeatLine(seat, words.name(seat), "person") for seat in range(view.players))


def fair(page: FairPage, verdict: Text | None = None, holds: bool = True) -> str:
    """How the cards of a table are dealt, and the verdict of a check."""
    names = tuple(line.name for line in page.seats)
    sentence = game_catalogue(page.site, page.game, names).words(verdict) if verdict else ""
    return game_page("fair.html", page, verdict=sentence, holds=holds)


def analysis(page: AnalysisPage) -> str:
    """What a seat could expect in a match and what its moves cost, or how far that is known."""
    words = game_catalogue(page.site, page.game, page.names)
    title = say("{game}: the match of {seat}", game=definition(page.game).table.ABOUT.title, seat=Seat(page.seat))
    parts = analysis_parts(page, words) if page.measure and page.found else {}
    return render("analysis.html", page.site, words, page=page, title=words.words(title), link=replay_of(page), **parts)


def analysis_parts(page: AnalysisPage, words: Catalogue) -> dict[str, Any]:
    """The parts of a finished analysis: its picture, its table, and the costliest moves in words."""
    measure, found = page.measure, page.found
    assert measure is not None
    costly, numbers = costliest(found), {each.ply: number for number, each in enumerate(worth_trying(found), 1)}
    dearest = [
        (each, numbers[each.ply], words.words(say("{seat} chose: {move}", seat=Seat(page.seat), move=each.played)),
         words.words(proposed(each)), words.words(cost_text(each, measure)))
        for each in costly
    ]  # fmt: skip
    listed = safe(listing(found, measure, words, replay_of(page)))
    drawn = safe(drawing(found, measure, words, page.result))
    return {"drawn": drawn, "listed": listed, "dearest": dearest, "heading": heading(costly)}


def replay_of(page: AnalysisPage) -> str:
    """The address of the replay from the seat's eyes, up to the ply."""
    return f"{page.site.prefix}/replay/{quoted(page.table_id)}?seat={page.seat}&ply="


# --- pages about a game -----------------------------------------------------------------------------------------------
def new_table(page: NewPage) -> str:
    """The form for a new table."""
    lang = page.site.lang
    groups = option_groups(page.game, lang, page.players, page.given)
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
    words = site_catalogue(page.site)
    return render("start.html", page.site, words, page=page, games=all_games(words.lang), broken=broken_games(words))


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
