"""Matches that are over: records, the replay from a seat's eyes or with open cards, the check of cards, feedback.

The match itself is played again by `tables.live.LiveTable.replayer`.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from starlette.responses import Response

from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record
from hexdeck.engine.play.story import beats_between, facts_between, stops_of, view_at
from hexdeck.engine.text import Text, say, say_n
from hexdeck.tables import feedback
from hexdeck.tables.entries import ANYONE, BOT, OVER
from hexdeck.tables.errors import NoTable, NotYours, Stale, TableError
from hexdeck.tables.fair import Proof, proof_data, verify
from hexdeck.tables.live import LiveTable
from hexdeck.tables.thinker import Recent
from hexdeck.web.html import pages
from hexdeck.web.html.rendering import SeatLine, coloured, game_catalogue
from hexdeck.web.routes import presenters
from hexdeck.web.routes.requests import SiteRequest

MOST = 32  # matches in the cache
OPEN_CARDS = "open"


def recorder(table: LiveTable) -> Callable[[], Record]:
    """What makes the record of a match that is over, with the proof of its cards; raises Stale before the end."""
    if table.state != OVER or table.match is None:
        raise Stale(say("You can download the record once the match is over: it holds everybody's cards."))
    proof = Proof(table.secret, table.commitment, tuple(seat.contribution for seat in table.seats))
    replay = table.replayer()
    seats = [{"name": seat.name} | ({"bot": seat.level} if seat.kind == BOT else {}) for seat in table.seats]
    return lambda: Record.of(replay(), seats, fair=proof_data(proof))


class ReplayCache:
    """Copies of matches to step through, since the tables' own must stay at their last ply, and where they stop."""

    def __init__(self) -> None:
        self._kept = Recent[str, tuple[Match, tuple[int, ...]]](MOST)

    async def match(self, request: SiteRequest, table: LiveTable) -> tuple[Match, tuple[int, ...]]:
        """The copy of a table's match, replayed in another thread, and the plies to stop at."""
        replay = table.replayer()
        return await request.made_once(self._kept, table.id, lambda: (match := replay(), stops_of(match)), table.id)


def seats_of(table: LiveTable) -> tuple[SeatLine, ...]:
    """Who sits where, as the page of the table tells it."""
    return coloured(
        SeatLine(
            number,
            chair.name,
            chair.kind,
            chair.level if chair.kind == BOT else "",
            owner=chair.owner and not chair.remote,
        )
        for number, chair in enumerate(table.seats)
    )


async def replay(request: SiteRequest) -> Response:
    """A match at one ply: of the query `ply`, or of one of the stops, by its index `step`.

    A page that comes `from` the stop before is also told step by step how it came about.
    """
    async with request.reading_as_viewer() as (table, _):
        if table.state != OVER:
            raise NoTable(say("You can watch the replay once the match is over."))
        match, stops = await request.app.state.replays.match(request, table)
        eyes = request.query_params.get("seat", OPEN_CARDS)
        seat = None if eyes == OPEN_CARDS else request.query_number("seat", table.game.players - 1, -1)
        nearest = bisect_left(stops, request.query_number("ply", match.length, 0))
        step = request.query_number("step", len(stops) - 1, nearest)
        view = replace(view_at(match, stops[step], seat), names=table.names)
        since = stops[step - 1] if step else 0
        lines = facts_between(match, stops[step], since, seat)
        follows = step > 0 and request.query_number("from", match.length, -1) == since
        beats = beats_between(match, stops[step], since, seat) if follows else ()
        path = f"/replay/{table.id}?ply={stops[step]}&seat={eyes if seat is not None else OPEN_CARDS}"
        html = pages.replay(
            request.site(path=path),
            table.id,
            stops,
            step,
            seat,
            view,
            lines,
            beats,
            seats_of(table),
            share=f"{request.site_address}/replay/{table.id}",
            rematch=table.rematch or "",
            private=table.terms.watch != ANYONE,
        )
        return request.html_response(html)


async def fair(request: SiteRequest) -> Response:
    """The promise and the reader's words; after the end the secret, everybody's words, and a check if asked for.

    Before the end, the reader (-1: the public) may know nobody's words but their own (None).
    """
    verdict, holds, record = "", True, None
    async with request.reading_as_viewer() as (table, seat):
        over, promise, game, names = table.state == OVER, table.commitment, table.game.name, table.names
        chairs = list(enumerate(table.seats))
        site = request.table_site(table, "/fair")
        facts = {
            "table_id": table.id,
            "promise": promise,
            "seats": presenters.seat_lines(request.server, table, seat),
            "me": None if seat < 0 else seat,
            "added": [chair.contribution if over or k == seat else None for k, chair in chairs],
            "secret": table.secret.hex() if over else "",
            "rematch": table.rematch_commitment,
            "rematch_added": [chair.adds if k == seat or not chair.adds else None for k, chair in chairs],
        }
        if over and "check" in request.query_params:
            record = recorder(table)
    if record is not None:
        result, holds = await request.long_work(partial(check_cards, record, promise), request.table_id)
        verdict = game_catalogue(site, game, names).words(result)
    return request.html_response(pages.game_page("fair.html", site, game, verdict=verdict, holds=holds, **facts))


def check_cards(record: Callable[[], Record], promise: str) -> tuple[Text, bool]:
    """Whether the cards of a record are as promised: the verdict as a sentence, and whether it holds."""
    try:
        draws = verify(record(), promise)
    except BadRecord as wrong:
        return wrong.text, False
    return say_n(
        "Checked: {n} draw follows from the secret, as it was dealt.",
        "Checked: all {n} draws follow from the secret, as they were dealt.",
        draws,
    ), True


KEPT = say("Thank you: your answers are kept. To delete them, empty the fields and send again.")


async def ask(request: SiteRequest) -> Response:
    """The questions, with what the reader's seat said before."""
    seat = await request.require_holder()
    async with request.registry.reading(request.table_id) as table:
        if not feedback.is_asked(table, seat):
            raise NotYours(say("There are no questions about this match."))
        game, names = table.game, table.names
        replay, is_host = table.replayer(), seat == table.terms.host
    moments = await request.long_work(lambda: feedback.moments(replay(), seat), table.id)
    answers = await request.registry.run_job(feedback.feedback_of, table.id)
    own = next((answer for answer in answers if answer.seat == seat), None)
    kept = KEPT if own else say("No answers of yours are kept.")
    site = request.table_site(table, "/feedback", kept if "sent" in request.query_params else None)
    spell = game_catalogue(site, game.name, names).words
    facts = {
        "table_id": table.id,
        "answers": own or feedback.Feedback(seat),
        "others": [answer for answer in answers if answer.seat != seat] if is_host else [],
        "moments": [(answer.ply, answer.deal, " ".join(map(spell, answer.lines))) for answer in moments],
        "deal": game.table.ABOUT.deal,
        "longest": feedback.LONGEST,
    }
    return request.html_response(pages.game_page("feedback.html", site, game.name, **facts))


async def give(request: SiteRequest) -> Response:
    """Keep the answers, and say so."""
    fields, seat = await request.read_form(), await request.require_holder()
    try:
        chosen = (int(text) if (text := fields.text(name)) else None for name in ("again", *feedback.MOMENTS))
        again, best, drag, lookup = chosen
    except ValueError:
        raise TableError(say("That isn't one of the answers.")) from None
    answers = feedback.Feedback(seat, again, best, drag, lookup, fields.text("confused"), fields.text("words"))
    await feedback.give_feedback(request.registry, request.table_id, answers)
    return request.redirect(f"/table/{request.table_id}/feedback?sent")
