"""The pages but for the table: pure functions from what a reader may know to HTML. None reads a table or a request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.util import find_spec
from typing import Any
from urllib.parse import quote

from hexdeck.bots.advice.analysis import Decision, cost_text, costliest, drawing, heading, listing, proposed
from hexdeck.bots.players.levels import USUAL
from hexdeck.engine.discovery.definition import definition, presets
from hexdeck.engine.rulebook import has_example
from hexdeck.engine.text import Catalogue, Seat, Text, _, say
from hexdeck.engine.view import Beat, View, altered
from hexdeck.puzzles import Explanation
from hexdeck.tables.advice import Analysis, worth_retrying
from hexdeck.tables.holders import ENOUGH, PlayerTally
from hexdeck.tables.live import moves_by_cards
from hexdeck.web.html import games, rendering
from hexdeck.web.html.games import game_info
from hexdeck.web.html.rendering import (
    SeatLine,
    Site,
    TablePage,
    game_catalogue,
    render,
    safe,
    sentence_html,
    site_catalogue,
)
from hexdeck.web.html.table_page import ZoneLayout, arrange, capitalised, comparison, steps

PRINTS = find_spec("fpdf") is not None  # the extra `print` brings it


# --- matches that are over --------------------------------------------------------------------------------------------
def replay(
    site: Site,
    replay_id: str,
    stops: Sequence[int],
    step: int,
    seat: int | None,
    view: View,
    lines: Sequence[Text] = (),
    beats: Sequence[Beat] = (),
    seats: tuple[SeatLine, ...] = (),
    **links: Any,
) -> str:
    """A match at one ply, with buttons and a slider to step through it; from a seat's eyes (None: open cards).

    `stops`: the plies to step through; `step`: the index of this one. `lines`: what the log says of it, `beats` how it
    came about since the stop before. `seats`: who sat where, if that is known. `links`: `share`, the page's address for
    others, who can open it unless the table is `private`; `rematch`, its table.
    """
    catalogue, ply = game_catalogue(site, view.game, view.names), stops[step]
    table = TablePage(site, replay_id, ply, altered(view, moves=()), seats or anybody(view, catalogue), seat)
    page = {"share": "", "rematch": "", "private": False, **links}
    return render(
        "replay.html",
        site,
        catalogue,
        page=page | {"replay_id": replay_id, "stops": stops, "step": step, "ply": ply, "seat": seat},
        info=game_info(view.game, site.lang),
        lines=[sentence_html(catalogue, text, rendering.sprite_of(site.prefix)) for text in lines],
        steps=safe(steps(table, beats, stops[step - 1], live=False)) if beats else "",
        all=arrange(table, catalogue, 0),
    )


def example(site: Site, step: int, steps: int, view: View, passage: str) -> str:
    """A game's worked example at one of its steps, counted from 1: the view with open cards, and the passage."""
    catalogue = game_catalogue(site, view.game, view.names)
    layout = arrange(TablePage(site, "", view.ply, view, anybody(view, catalogue)), catalogue, 0)
    html = safe(games.cited(passage, f"{site.prefix}/rules/{view.game}"))
    info = game_info(view.game, site.lang)
    return render("example.html", site, catalogue, info=info, step=step, steps=steps, passage=html, all=layout)


def anybody(view: View, catalogue: Catalogue) -> tuple[SeatLine, ...]:
    """The seats of a view when it doesn't matter who plays them."""
    return tuple(SeatLine(seat, catalogue.name(seat), "person") for seat in range(view.players))


def analysis(site: Site, table_id: str, game: str, names: Sequence[str], result: Analysis, *, own: bool = False) -> str:
    """What a seat could expect in a match and what its moves cost, or how far that is known; `own`: the reader's."""
    result = replace(result, decisions=[*result.decisions])  # it goes on in another thread
    catalogue, parts = game_catalogue(site, game, names), dict[str, Any]()
    title = say("{game}: the match of {seat}", game=definition(game).table.ABOUT.title, seat=Seat(result.seat))
    link = f"{site.prefix}/replay/{quote(table_id)}?seat={result.seat}&ply="  # from the seat's eyes, up to the ply
    if result.measure and result.decisions:
        costly = costliest(result.decisions)
        numbers = {decision.ply: number for number, decision in enumerate(worth_retrying(result.decisions), 1)}
        dearest = [
            (
                decision,
                numbers[decision.ply],
                catalogue.words(say("{seat} chose: {move}", seat=Seat(result.seat), move=decision.played)),
                catalogue.words(proposed(decision)),
                catalogue.words(cost_text(decision, result.measure)),
            )
            for decision in costly
        ]
        parts = {
            "drawn": safe(drawing(result.decisions, result.measure, catalogue, result.result)),
            "listed": safe(listing(result.decisions, result.measure, catalogue, link)),
            "dearest": dearest,
            "heading": heading(costly),
        }
    facts = {"page": result, "table_id": table_id, "names": names, "own": own, "title": catalogue.words(title)}
    return render("analysis.html", site, catalogue, link=link, **facts, **parts)


# --- pages about a game -----------------------------------------------------------------------------------------------
def game_page(template: str, site: Site, game: str, /, **facts: Any) -> str:
    """A page about one game, which shows these facts."""
    return render(template, site, game_catalogue(site, game), info=game_info(game, site.lang), **facts)


def new_table(
    site: Site,
    game: str,
    players: int,
    levels: Mapping[str, Text],
    promised: rendering.DealPromise,
    typed: Mapping[str, str],
    usual: str = USUAL,
    measured_with: Text | None = None,
    fault: str = "",
    phone: bool = False,
) -> str:
    """The form for a new table, with the bots that can be chosen, and with which options they were measured.

    `typed`: its fields as they were sent, to be shown again after a refusal; `fault`: the option that was refused.
    `usual`: the bot of a seat at first. `phone`: the reader's device is no big screen.
    """
    return game_page(
        "new.html",
        site,
        game,
        players=players,
        levels=levels,
        measured_with=measured_with,
        promised=promised,
        typed=typed,
        fault=fault,
        usual=usual,
        phone=phone,
        presets=presets(game, players),
        groups=games.option_groups(game, site.lang, players, typed),
    )


def rules(site: Site, game: str, promised: rendering.DealPromise) -> str:
    """The rules of a game."""
    text, has = games.rules_html(game, site.lang, rendering.sprite_of(site.prefix)), has_example(game)
    return game_page(
        "rules.html", site, game, promised=promised, printable=PRINTS, text=text, paper=games.paper(text), example=has
    )


# --- pages about the site ---------------------------------------------------------------------------------------------
def page(template: str, site: Site, /, **facts: Any) -> str:
    """A page about no game, which shows these facts."""
    return render(template, site, site_catalogue(site), **facts)


def games_page(template: str, site: Site, /, **facts: Any) -> str:
    """A page about all games."""
    return page(template, site, games=games.all_games(site.lang), **facts)


def start(site: Site, promised: rendering.DealPromise, tables: int = 0, dealt: int = 0) -> str:
    """The start page: the games, the shortest rules first, and what is wrong with those from outside that don't work.

    `tables`: how many of the reader's tables aren't over; `dealt`: how many of today's deals are.
    """
    broken = games.broken_games(site_catalogue(site))
    facts = {"tables": tables, "dealt": dealt, "broken": broken, "games": games.all_games(site.lang)}
    return page("start.html", site, promised=promised, printable=PRINTS, **facts)


def tables(site: Site, lines: Sequence[rendering.TableLine]) -> str:
    """The reader's tables."""
    titled = [(line, line.game if line.kind == "missing" else game_info(line.game, site.lang).title) for line in lines]
    return page("tables.html", site, lines=titled)


# --- deals of the day, and what a player has played -------------------------------------------------------------------
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
class Other:
    """How a player did with a deal; `is_reader`: whether they are the reader."""

    name: str
    won: bool
    outcome: Text
    is_reader: bool
    table_id: str


@dataclass(frozen=True)
class PlayedSection:
    """A part of the page of what a player has played: a heading, a line, and where more of it is."""

    title: Text
    line: Text
    path: str
    link: Text


WEEKDAYS = _("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday")
MONTHS = (
    *(_("January"), _("February"), _("March"), _("April"), _("May"), _("June")),
    *(_("July"), _("August"), _("September"), _("October"), _("November"), _("December")),
)


def deals(site: Site, day: str, lines: Sequence[DealLine], **facts: str) -> str:
    """Today's deals. `time`: of the server, as in 21:04; `zone`: its time zone; `name`: which the reader chose last."""
    return page("day_deals.html", site, day=day_text(day), lines=deal_lines(site, lines), **facts)


def deal(
    site: Site, day: str, table_id: str, outcome: Text, compared: rendering.Compared, standings: Sequence[Other]
) -> str:
    """How the reader did with a deal of the day, beside bots and other people, the best first."""
    catalogue = game_catalogue(site, compared.game)
    return game_page(
        "day_deal.html",
        site,
        compared.game,
        day=day_text(day),
        table_id=table_id,
        outcome=capitalised(catalogue.words(outcome)),
        compared=comparison(site, compared),
        won=compared.won,
        counts=compared.counts,
        done=compared.done,
        others=[(standing, catalogue.words(standing.outcome)) for standing in standings],
    )


def deal_lines(site: Site, deals: Sequence[DealLine]) -> list[tuple[DealLine, str, str]]:
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
    weekday, month = say(WEEKDAYS[moment.weekday()]), say(MONTHS[moment.month - 1])
    return say("{weekday} {number} {month}", weekday=weekday, number=moment.day, month=month)


def my_page(
    site: Site, day: str, deals: Sequence[DealLine], tallies: Sequence[PlayerTally], sections: Sequence[PlayedSection]
) -> str:
    """What the reader has played, with the deals of a day; `sections`: what else there is."""
    lines = []
    for tally in tallies:
        best = capitalised(game_catalogue(site, tally.game).words(tally.best)) if tally.best else ""
        share = tally.share and (int(100 * tally.share[0]), -int(-100 * tally.share[1] // 1))  # in percent
        lines.append((tally, game_info(tally.game, site.lang).title, best, share))
    return page(
        "me.html",
        site,
        day=day_text(day),
        lines=deal_lines(site, deals),
        tallies=lines,
        enough=ENOUGH,
        sections=sections,
    )


LINES = 60  # of the log


@dataclass(frozen=True)
class PuzzleLine:
    """A puzzle of the day in a list: its game, for how many, and whether the reader solved it (None: not answered)."""

    game: str
    players: int
    solved: bool | None


def puzzles(site: Site, day: str, zone: str, lines: Sequence[PuzzleLine], solved: int, total: int) -> str:
    """The puzzles of a day, as in 2026-11-26, by a clock in a time zone.

    `solved` of `total`: how many the reader solved of all that they answered here.
    """
    titles = [game_info(line.game, site.lang).title for line in lines]
    return page(
        "puzzles.html",
        site,
        date=day,
        day=day_text(day),
        zone=zone,
        puzzles=lines,
        titles=titles,
        solved=solved,
        total=total,
    )


def puzzle(
    site: Site,
    day: str,
    number: int,
    puzzles: Sequence[PuzzleLine],
    view: View,
    names: Sequence[str],
    answered: Explanation | None = None,
) -> str:
    """A puzzle of a day: the view of its seat, the players' names, and what came of it once it is `answered`."""
    coach, catalogue = definition(view.game).coach, game_catalogue(site, view.game, names)
    kinds = ("person" if seat == view.seat else "bot" for seat in range(len(names)))
    seats = tuple(SeatLine(seat, name, kind) for seat, (name, kind) in enumerate(zip(names, kinds, strict=True)))
    table = TablePage(site, "", view.ply, altered(view, moves=()) if answered else view, seats, view.seat)
    return render(
        "puzzles_one.html",
        site,
        catalogue,
        page={"day": day, "number": number, "puzzles": puzzles, "answered": answered},
        info=game_info(view.game, site.lang),
        next_one=next((k for k, line in enumerate(puzzles, 1) if line.solved is None and k != number), 0),
        aim=coach and coach.COURSE.aim,
        **laid_out(table, catalogue),
    )


def retry(
    site: Site,
    table_id: str,
    seat: int,
    view: View,
    seats: tuple[SeatLine, ...],
    number: int,
    solved: Sequence[bool | None],
    decision: Decision | None,
    verdict: Text | None = None,
) -> str:
    """A decision of the reader's that cost something, to be made once more, as the seat saw the table then.

    `number`: of the decision, from 1; `solved`: of each decision, None where it wasn't tried again. `decision`: None
    where none cost anything. `verdict`: what the move that was tried just now would have brought.
    """
    catalogue = game_catalogue(site, view.game, tuple(line.name for line in seats))
    facts = {"table_id": table_id, "seat": seat, "number": number, "solved": solved}
    return render(
        "retry.html",
        site,
        catalogue,
        page=facts | {"decision": decision, "verdict": verdict},
        info=game_info(view.game, site.lang),
        next_one=next((k for k, is_solved in enumerate(solved, 1) if not is_solved and k != number), 0),
        **laid_out(TablePage(site, table_id, view.ply, view, seats, seat), catalogue),
    )


def laid_out(page: TablePage, catalogue: Catalogue) -> dict[str, Any]:
    """The table of a position that the reader is to judge, and what happened before it.

    As at a table, a card or a cell makes its move; moves of several cards are buttons here, which need no script.
    """
    log = page.view.log[-LINES:]
    lines = [sentence_html(catalogue, text, rendering.sprite_of(page.site.prefix)) for text in log]
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
