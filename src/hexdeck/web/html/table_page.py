"""The page of a table: the whole of it, the part that a stream sends again, and the steps that lead to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from hexdeck.bots.advice.analysis import turned
from hexdeck.engine.beat import Beat
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.score import headlines_of, winning_sides
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import altered
from hexdeck.tables.chat import LONGEST, PHRASES
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.cards import icon, sentence_html
from hexdeck.web.html.daily import comparison
from hexdeck.web.html.games import game_info
from hexdeck.web.html.layout import Arranger, Placed, SeatLayout, ZoneLayout, arrange
from hexdeck.web.html.models import Hint, Site, TablePage, TurningPoint
from hexdeck.web.html.rendering import game_catalogue, render, safe
from hexdeck.web.html.spoken import ABOUT

LOG_LINES = 60  # of the log on a table's page; a replay has them all


# --- the table --------------------------------------------------------------------------------------------------------
def table(page: TablePage, *, still: bool = False) -> str:
    """The whole page of a table; without a script it reloads while its reader waits, unless it is to be `still`."""
    waits = not (page.turn or page.over or page.ended)
    return table_part("table.html", page, main=safe(table_main(page)), about=ABOUT, waits=waits, still=still)


def table_main(page: TablePage) -> str:
    """The part of a table's page that changes."""
    if page.shared and page.shared.covered:
        assert page.me is None and page.view.seat < 0, "what lies behind a curtain isn't told to the page"
        return table_part("table_curtain.html", page, all=arrange(page, catalogue_of(page), LOG_LINES))
    if page.waiting:
        return table_part("table_waiting.html", page, open_seats=open_seats(page))
    return played_part("table_main.html", page)


def screen(page: TablePage) -> str:
    """The whole page of a screen that all look at."""
    return table_part("tv.html", page, main=safe(screen_main(page)))


def screen_main(page: TablePage) -> str:
    """The part of such a page that changes."""
    assert page.screen and page.me is None and page.view.seat < 0, "a screen shows what the public knows"
    if page.waiting:
        return table_part("tv_waiting.html", page, open_seats=open_seats(page))
    return played_part("tv_main.html", page)


def played_part(template: str, page: TablePage) -> str:
    """A part of the page of a table whose cards are dealt."""
    catalogue = catalogue_of(page)
    layout = arrange(page, catalogue, LOG_LINES)
    return table_part(template, page, all=layout, scored=score_sheet(page, catalogue), **ending_of(page, catalogue))


def table_part(template: str, page: TablePage, **values: Any) -> str:
    """A template about a table."""
    info = game_info(page.view.game, page.site.lang)
    values |= {"page": page, "info": info, "phrases": PHRASES, "longest": LONGEST}
    return render(template, page.site, catalogue_of(page), **values)


def catalogue_of(page: TablePage) -> Catalogue:
    """The catalogue of a table's game, with the players' names."""
    return game_catalogue(page.site, page.view.game, [line.name for line in page.seats])


def open_seats(page: TablePage) -> int:
    """How many seats are free."""
    return sum(line.kind == "open" for line in page.seats)


def score_sheet(page: TablePage, catalogue: Catalogue) -> Markup | str:
    """The score sheet, if there is one."""
    if page.scores is None:
        return ""
    names, icons = [line.name for line in page.seats], [icon(id) for id in page.scores.ids]
    return safe(render("scores.html", page.site, catalogue, scores=page.scores, names=names, icons=icons))


def hint(site: Site, game: str, names: Sequence[str], advice: Hint) -> str:
    """The part of a table's page that shows a hint."""
    return render("hint.html", site, game_catalogue(site, game, names), hint=advice)


# --- what happened, step by step --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ShownBeat:
    """A beat as the page shows it: its line, what is `said`, the ids that are `lit`, and what lies on the table then.

    `anew`: the whole felt, with the seats `around` it; else the parts that differ from the step before.
    """

    beat: Beat
    line: Markup | str
    said: str
    lit: str
    placed: Placed
    around: tuple[SeatLayout, ...]
    anew: bool
    plates: tuple[SeatLayout, ...] = ()
    boards: tuple[ZoneLayout, ...] = ()
    counts: tuple[ZoneLayout, ...] = ()
    middle: tuple[ZoneLayout, ...] = ()
    held: bool = True


def steps(page: TablePage, beats: Sequence[Beat], follows: int, *, live: bool = True) -> str:
    """The steps that lead a page from a version to the newest: what lies on the table then, without anything to do.

    A part that is as it was a step before isn't sent again. `live`: at a table; in a replay, all seats are around the
    felt.
    """
    catalogue, sprite = catalogue_of(page), sprite_of(page.site.prefix)
    still = altered(page, view=altered(page.view, moves=(), acting=(), outcome_texts=()), over=None)
    arranger, out = Arranger(still, catalogue), list[ShownBeat]()
    for beat in beats:
        placed = arranger.placed(beat.zones)
        seats = placed.others if live else placed.everybody
        line = sentence_html(catalogue, beat.line, sprite) if beat.line else ""
        speech = catalogue.words(beat.said) if beat.said else ""
        step = ShownBeat(beat, line, speech, lit_ids(beat), placed, seats, anew=True)
        out.append(changes(step, out[-1]) if out and out[-1].placed.outline == placed.outline else step)
    return render("steps.html", page.site, catalogue, steps=out, follows=follows, live=live)


def changes(step: ShownBeat, last: ShownBeat) -> ShownBeat:
    """A step with just the parts that differ from the step before."""
    now, before = step.placed, last.placed
    return altered(
        step,
        anew=False,
        plates=tuple(plate for plate, old in zip(step.around, last.around, strict=True) if plate != old),
        boards=tuple(board for board, old in zip(now.boards, before.boards, strict=True) if board != old),
        counts=now.counts if now.counts != before.counts else (),
        middle=now.middle if now.middle != before.middle else (),
        held=(now.mine, now.hand) != (before.mine, before.hand),
    )


def lit_ids(beat: Beat) -> str:
    """The ids of the elements that have the light at a beat."""
    return " ".join([*[f"zone-{zone}" for zone in beat.light], *[f"plate-{seat}" for seat in beat.seats]])


# --- the end ----------------------------------------------------------------------------------------------------------
def headlines(page: TablePage) -> tuple[Text, ...]:
    """Who won, and what is told below that, if anything."""
    assert page.over is not None
    return headlines_of(
        page.over.won, -1 if page.me is None else page.me, page.team_of, page.over.lead, page.over.decided
    )


def final_place(page: TablePage) -> Text | None:
    """The reader's place; None where it says nothing: for winners, in teams, and where all others lost alike."""
    over, me = page.over, page.me
    if over is None or me is None or page.team_of or not over.places or any(over.won[me : me + 1]):
        return None
    lost = {rank for rank, won in zip(over.places, over.won, strict=True) if not won}
    if len(lost) == 1 and over.won.count(False) > 1:
        return None
    shared = over.places.count(over.places[me]) > 1
    standing = {"place": over.places[me], "players": len(over.places)}
    if shared:
        return say("Your place: {place} of {players}, shared", **standing)
    return say("Your place: {place} of {players}", **standing)


def ending_of(page: TablePage, catalogue: Catalogue) -> dict[str, Any]:
    """What the sheet at the end of a match says besides the results."""
    if page.over is None:
        return {}
    standing, turning = final_place(page), turning_point(page, page.over.turning) if page.over.turning else ""
    compared = comparison(page.site, page.over.compared)
    headline, *details = map(catalogue.words, headlines(page))
    return {
        "headline": headline,
        "beside": "".join(details),
        "share": len(winning_sides(page.over.won, page.team_of)) > 1,
        "place": catalogue.words(standing) if standing else "",
        "turning": turning,
        "compared": compared,
    }


def turning_point(page: TablePage, point: TurningPoint) -> Markup:
    """The turning point of a match in a sentence, with a link to its moment."""
    sentence = turned(point.decision, point.seat, point.measure, own=point.seat == page.me)
    unit = definition(page.view.game).table.ABOUT.deal
    return safe(table_part("turning.html", page, point=point, sentence=sentence, unit=unit))
