"""The pages but for the table: pure functions from what a reader may know to HTML. None reads a table or a request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from urllib.parse import quote

from hexdeck.bots.advice.analysis import cost_text, costliest, drawing, heading, listing, proposed
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.replay import has_example
from hexdeck.engine.text import Catalogue, Seat, Text, say
from hexdeck.engine.view import View, altered
from hexdeck.puzzles.explain import Explanation
from hexdeck.tables.advice import worth_retrying
from hexdeck.tables.live import moves_by_cards
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.games import (
    all_games,
    broken_games,
    cited,
    game_info,
    option_groups,
    paper,
    preset_choices,
    rules_html,
)
from hexdeck.web.html.models import (
    AboutPage,
    AnalysisPage,
    CarryPage,
    CodePage,
    Compared,
    ErrorPage,
    ExamplePage,
    FairPage,
    FeedbackPage,
    GamePage,
    Invite,
    InvitePage,
    JoinPage,
    LeavePage,
    NewPage,
    Page,
    PrivacyPage,
    ReplayPage,
    ReportPage,
    RetryPage,
    RulesPage,
    ScreenPage,
    SeatLine,
    Site,
    StartPage,
    TablePage,
    TablesPage,
)
from hexdeck.web.html.rendering import game_catalogue, render, safe, sentence_html, site_catalogue
from hexdeck.web.html.table_page import ZoneLayout, arrange, capitalised, comparison, steps


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


OPEN, GOING, DONE = "open", "going", "done"  # what a deal is to its reader


@dataclass(frozen=True)
class DealLine:
    """A deal of the day as its reader sees it: OPEN, GOING or DONE; then how it ended, and whether they won."""

    game: str
    kind: str
    table_id: str = ""
    outcome: Text | None = None
    won: bool = False


@dataclass(frozen=True)
class DaysPage(Page):
    """Today's deals. `time`: of the server, as in 21:04; `zone`: its time zone; `name`: which the reader chose last."""

    day: str
    time: str
    zone: str
    deals: tuple[DealLine, ...]
    name: str = ""


@dataclass(frozen=True)
class Other:
    """How somebody did with a deal; `mine`: the reader."""

    name: str
    won: bool
    outcome: Text
    mine: bool
    table_id: str


@dataclass(frozen=True)
class DealPage(GamePage):
    """How the reader did with a deal of the day, beside bots and other people, the best first."""

    day: str
    zone: str
    table_id: str
    outcome: Text
    compared: Compared
    others: tuple[Other, ...]


@dataclass(frozen=True)
class GameTally:
    """What the reader has played of a game: matches, wins, and the best of them, if one is better than others.

    `share`: the ends of the 95 % interval of the share that they win, in percent; None where it would say nothing.
    """

    game: str
    played: int
    won: int
    best: Text | None
    best_at: str
    share: tuple[int, int] | None


@dataclass(frozen=True)
class PlayedSection:
    """A part of the page of what somebody has played: a heading, a line, and where more of it is."""

    title: Text
    line: Text
    path: str
    link: Text


@dataclass(frozen=True)
class MinePage(Page):
    """What the reader has played; `days`: how many deals of the day they finished; `sections`: what else there is."""

    day: str
    deals: tuple[DealLine, ...]
    tallies: tuple[GameTally, ...]
    enough: int
    sections: tuple[PlayedSection, ...] = ()


@dataclass(frozen=True)
class BundlePage(Page):
    """Taking all seats to another device: `link` on the one that has them, the `token` of the link on the other."""

    link: Invite | None = None
    token: str = ""


WEEKDAYS = (
    say("Monday"),
    say("Tuesday"),
    say("Wednesday"),
    say("Thursday"),
    say("Friday"),
    say("Saturday"),
    say("Sunday"),
)
MONTHS = (
    say("January"),
    say("February"),
    say("March"),
    say("April"),
    say("May"),
    say("June"),
    say("July"),
    say("August"),
    say("September"),
    say("October"),
    say("November"),
    say("December"),
)


# --- deals of the day -------------------------------------------------------------------------------------------------
def deals(page: DaysPage) -> str:
    """Today's deals."""
    return render(
        "day_deals.html",
        page.site,
        site_catalogue(page.site),
        page=page,
        day=day_text(page.day),
        lines=deal_lines(page.site, page.deals),
    )


def deal(page: DealPage) -> str:
    """How the reader did with a deal, beside others."""
    catalogue = game_catalogue(page.site, page.game)
    outcome, compared = capitalised(catalogue.words(page.outcome)), comparison(page.site, page.compared)
    return render(
        "day_deal.html",
        page.site,
        catalogue,
        page=page,
        info=game_info(page.game, page.site.lang),
        day=day_text(page.day),
        outcome=outcome,
        compared=compared,
        others=[(other, catalogue.words(other.outcome)) for other in page.others],
    )


def deal_lines(site: Site, deals: tuple[DealLine, ...]) -> list[tuple[DealLine, str, str]]:
    """Deals with the titles of their games, and how they ended."""
    out = []
    for line in deals:
        catalogue = game_catalogue(site, line.game)
        outcome = capitalised(catalogue.words(line.outcome)) if line.outcome else ""
        out.append((line, game_info(line.game, site.lang).title, outcome))
    return out


def day_text(day: str) -> Text:
    """A date in words."""
    moment = date.fromisoformat(day)
    weekday, month = WEEKDAYS[moment.weekday()], MONTHS[moment.month - 1]
    return say("{weekday} {number} {month}", weekday=weekday, number=moment.day, month=month)


# --- what somebody has played -----------------------------------------------------------------------------------------
def mine(page: MinePage) -> str:
    """What the reader has played."""
    tallies = [
        (tally, game_info(tally.game, page.site.lang).title, best_text(page.site, tally)) for tally in page.tallies
    ]
    return render(
        "day_mine.html",
        page.site,
        site_catalogue(page.site),
        page=page,
        tallies=tallies,
        lines=deal_lines(page.site, page.deals),
        day=day_text(page.day),
    )


def best_text(site: Site, tally: GameTally) -> str:
    """The best result in words; empty without one."""
    return capitalised(game_catalogue(site, tally.game).words(tally.best)) if tally.best else ""


def bundle(page: BundlePage) -> str:
    """Taking all seats to another device."""
    return render("day_bundle.html", page.site, site_catalogue(page.site), page=page)


LINES = 60  # of the log


@dataclass(frozen=True)
class PuzzleLine:
    """A puzzle of the day in a list: its game, for how many, and whether the reader solved it (None: not answered)."""

    game: str
    players: int
    solved: bool | None


@dataclass(frozen=True)
class PuzzlesPage(Page):
    """The puzzles of a day, as in 2026-11-26, by a clock in a time zone.

    `solved` of `total`: how many the reader solved of all that they answered here.
    """

    day: str
    zone: str
    puzzles: tuple[PuzzleLine, ...]
    solved: int = 0
    total: int = 0


@dataclass(frozen=True)
class PuzzlePage(Page):
    """A puzzle of a day: `number` of `puzzles`, the view of its seat, the players' names, and what came of it."""

    day: str
    number: int
    puzzles: tuple[PuzzleLine, ...]
    view: View
    names: tuple[str, ...]
    answered: Explanation | None = None


def puzzles(page: PuzzlesPage) -> str:
    """The puzzles of today."""
    titles = [game_info(line.game, page.site.lang).title for line in page.puzzles]
    day = day_text(page.day)
    return render("puzzles.html", page.site, site_catalogue(page.site), page=page, titles=titles, day=day)


def puzzle(page: PuzzlePage) -> str:
    """One puzzle."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    catalogue = game_catalogue(page.site, view.game, page.names)
    coach = definition(view.game).coach
    position = altered(view, moves=()) if page.answered else view
    table = TablePage(page.site, "", view.ply, position, seat_lines(page), view.seat)
    next_one = next((k for k, line in enumerate(page.puzzles, 1) if line.solved is None and k != page.number), 0)
    return render(
        "puzzles_one.html",
        page.site,
        catalogue,
        page=page,
        info=info,
        next_one=next_one,
        aim=coach and coach.COURSE.aim,
        **laid_out(table, catalogue),
    )


def retry(page: RetryPage) -> str:
    """A decision that cost something, to be made once more, as its seat saw the table then."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    catalogue = game_catalogue(page.site, view.game, tuple(line.name for line in page.seats))
    table = TablePage(page.site, page.table_id, view.ply, view, page.seats, page.seat)
    next_one = next((k for k, is_solved in enumerate(page.solved, 1) if not is_solved and k != page.number), 0)
    return render(
        "retry.html", page.site, catalogue, page=page, info=info, next_one=next_one, **laid_out(table, catalogue)
    )


def laid_out(page: TablePage, catalogue: Catalogue) -> dict[str, Any]:
    """The table of a position that somebody is to judge, and what happened before it.

    As at a table, a card or a cell makes its move; moves of several cards are buttons here, which need no script.
    """
    log = page.view.log[-LINES:]
    lines = [sentence_html(catalogue, text, sprite_of(page.site.prefix)) for text in log]
    since = max(0, len(log) - page.view.players - 1)
    layout = arrange(page, catalogue, 0)
    several = [(move.name, catalogue.words(move.label)) for move in moves_by_cards(page.view).values()]
    hand = layout.hand and without_questions(layout.hand)
    layout = replace(layout, hand=hand, boards=tuple(map(without_questions, layout.boards)))
    return {
        "all": layout,
        "moves": [*layout.moves, *several],
        "news": lines[since:],
        "log": tuple(reversed(lines[:since])),
    }


def without_questions(zone: ZoneLayout) -> ZoneLayout:
    """A zone in which places without a move ask nothing, and aren't chosen together with others.

    Nor is any card marked, as noted ones are at a table: it would look like the answer.
    """
    slots = tuple(altered(slot, picks=False, asks=False, marked=False) for slot in zone.slots)
    return altered(zone, slots=slots)


def seat_lines(page: PuzzlePage) -> tuple[SeatLine, ...]:
    """Who sits where: the reader, and bots."""
    return tuple(
        SeatLine(seat, name, "person" if seat == page.view.seat else "bot") for seat, name in enumerate(page.names)
    )
