"""Pictures of every game in the browser table, in the middle of play and at the end: light, dark, three sizes.

    python tools/gallery.py FOLDER [--games hawthorn …] [--players N] [--sizes 360x640 …] [--lang nl]

Renders the pages from views of seeded matches, serves them from this machine, and lets Chromium look at them. Nothing
is asked of the network. Pictures are named `GAME-STATE-SIZE-THEME.png`; the pages stay beside them.
"""

from __future__ import annotations

import argparse
import functools
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import browser
from company import company
from gallery_days import of_days

import hexdeck
from hexdeck.bots.advice.analysis import Decision, summary
from hexdeck.bots.players.levels import ABOUT
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.play.coach import course_of, kind_at, scored
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import decision_line, places, teams, winners, winning_lead
from hexdeck.engine.play.story import deciding_places, facts_between, scored_on_boards, stops_of
from hexdeck.engine.rulebook import steps
from hexdeck.engine.study import WINS
from hexdeck.engine.text import Text, say
from hexdeck.lab.reporting.wording import changed_options
from hexdeck.simulation.game import Game
from hexdeck.tables.advice import Analysis
from hexdeck.tables.codes import unknown_code
from hexdeck.tables.entries import MESSAGES_KEPT
from hexdeck.tables.runner import Retention
from hexdeck.web.html import pages, rendering, table_page
from hexdeck.web.html.rendering import (
    Clock,
    DealPromise,
    HintView,
    Invite,
    JoinCode,
    Over,
    SeatLine,
    Site,
    TableLine,
    TablePage,
    TurningPoint,
)
from hexdeck.web.routes.site_pages import kept_for

NAMES = ("Anna", "Bram", "Cleo", "Dirk", "Eefje", "Floris", "Guus", "Hanneke", "Ilse", "Joris")
SIZES = ("360x640", "768x1024", "1440x900")
PROMISED = DealPromise("68f5a1b2.0", "9b74c9897bac770ffc029102a200c5de" * 2)
QR = '<svg viewBox="0 0 8 8"><path d="M0 0h3v3h-3zM5 0h3v3h-3zM0 5h3v3h-3zM5 5h1v1h1v1h1v1h-3z"/></svg>'
JOINING = JoinCode("KTRB", "http://cards.example/j/KTRB", QR, "cards.example/j")
PLIES = {"early": 0.12, "middle": 0.5, "late": 0.85}


# --- matches ----------------------------------------------------------------------------------------------------------
@functools.cache
def played(game: str, players: int | None, seed: int, **options: Any) -> Match:
    """A whole match, each move at random from a seed; made once, so go to the ply that is wanted."""
    chosen = hexdeck.game(game, players=players, **options)
    match = chosen.match(seed=seed, backend="interpreted", names=NAMES[: chosen.players])
    dice = random.Random(seed)
    while not match.over:
        seat = dice.choice(match.acting)
        match.play(seat, dice.choice(match.legal_ids(seat)))
    return match


def as_at_tables(game: str) -> list[str]:
    """What is typed for the options that tables play a game with."""
    return [word for option in changed_options(Game.at_table(game)) for word in ("--option", option)]


def turn(match: Match, part: float) -> None:
    """Go to the first turn of seat 0 after a part of the match, or else to its last one."""
    there = round(match.length * part)
    for ply in (*range(there, match.length), *range(there, -1, -1)):
        match.go(ply)
        if 0 in match.acting:
            return


def amid(match: Match, seat: int | None = None) -> None:
    """Go to a choice of one seat near the middle of a match, where most lies on the table."""

    def lying(ply: int) -> tuple[bool, int]:
        match.go(ply)
        zones = match.view(-1).zones
        chooses = len(match.acting) == 1 and seat in (None, *match.acting)
        return chooses, sum(sum(map(bool, zone.cards)) + zone.hidden * zone.on_stage for zone in zones)

    match.go(max(range(round(match.length * 0.2), round(match.length * 0.9)), key=lying))


def news(match: Match, seat: int) -> tuple[Text, ...]:
    """What a seat was told since its last move."""
    mine = [k for k, event in enumerate(match.events[: match.ply]) if event.seat == seat]
    return tuple(match.facts(seat, mine[-1] if mine else 0))


def table_of(match: Match, site: Site, seat: int | None = 0) -> TablePage:
    """The page of a seat, or of a spectator."""
    view = match.view(-1 if seat is None else seat)
    lines = tuple(
        SeatLine(k, name, "person" if k % 3 == 0 else "bot", "" if k % 3 == 0 else "sharp", host=k == 0, here=k != 3)
        for k, name in enumerate(match.names)
    )
    over = (
        Over(
            "a1b2c3",
            "5f" * 32,
            places=places(match),
            won=winners(match),
            rematch_promise=PROMISED.hash,
            contributors=(min(2, match.game.players - 1),),
            lead=winning_lead(match, winners(match), teams(match)),
            decided=decision_line(match, view.seat),
            deciding=deciding_places(match, view, winners(match)),
            hands=scored_on_boards(match, view),
        )
        if match.over
        else None
    )
    clock = None if match.over else Clock("relaxed", 150)
    unread = 0 if seat is None else min(8, len(news(match, 0)))
    mine = seat is not None and seat in match.acting
    return TablePage(
        site, "a1b2c3", match.ply, view, lines, seat, seat == 0, unread, clock, over, promise="9c" * 32, turn=mine
    )


def on_screen(match: Match, site: Site) -> TablePage:
    """The page of a screen that all look at, while a seat is free still."""
    page = table_of(match, site, None)
    return replace(page, screen=True, news=0, promise="", joining=None if match.over else JOINING)


def troubled(match: Match, site: Site) -> tuple[str, str]:
    """Where something is refused, the host is away and a choice can be taken back; where a bot has the reader's seat.

    `site`: with a notice of what is refused.
    """
    turn(match, 0.5)
    page = table_of(match, site)
    here = replace(page, seats=tuple(replace(line, host=line.number == 3, owner=True) for line in page.seats))
    alone = replace(here, host=False, may_host=True, may_retract=True)
    bot = replace(page.seats[0], kind="bot", level="steady", owner=True)
    away = replace(here, seats=(bot, *here.seats[1:]), view=replace(page.view, moves=()))
    return table_page.table(alone), table_page.table(away)


def hinted(match: Match, site: Site) -> TablePage:
    """A table with a hint that was asked for."""
    turn(match, PLIES["early"])
    page = table_of(match, site)
    best = tuple((move.label, WINS.result(0.3, 0.05), say("It takes the trick.")) for move in page.view.moves[:3])
    premise = say(
        "Expected if everybody plays on like {who}; ± covers only the luck of the cards and the bots' random choices.",
        who="…",
    )
    return replace(page, clock=None, hints=True, hint=HintView(best, (premise,)))


def coached(match: Match, site: Site) -> Iterator[tuple[str, str]]:
    """A table with a coach: where something is explained, and at the end."""
    turn(match, PLIES["early"])
    kind = kind_at(match, 0)
    assert kind is not None
    course = course_of(match)
    assert course is not None
    taught = replace(course.lessons[kind](match.knowledge(0), 0), aim=course.aim)
    yield "coached", table_page.table(replace(table_of(match, site), hints=True, coached=True, lesson=taught))
    match.go(match.length)
    page = table_of(match, site)
    asked = say("You lead: play any card."), say("Play a card from your hand."), say("Play any card.")
    turned = TurningPoint(0, Decision(7, *asked, None, False, 0.5, 0.2, 0.3, 0.05), WINS, 2)
    assert page.over is not None
    yield (
        "scored",
        table_page.table(replace(page, coached=True, scored=scored(match, 0), over=replace(page.over, turning=turned))),
    )


def analysed(match: Match, site: Site) -> Iterator[tuple[str, str]]:
    """The analysis of a match, while it is made and when it is done."""
    words = say("You lead: play any card."), say("Play any card."), say("It takes the trick.")
    found = [
        Decision(7 * k, words[0], words[1], words[1], words[2], k == 2, worth, worth - 0.1, 0.1 * k, 0.05)
        for k, worth in enumerate((0.3, 0.5, 0.2, 0.4))
    ]
    done = Analysis(0, 12, found, tuple(summary(match, 0, found)), WINS, result=0.0)
    for state, result in (("analysing", Analysis(0, 12, found[:3])), ("analysed", done)):
        yield state, pages.analysis(site, "a1b2c3", match.game.name, match.names, result)


def again(match: Match, site: Site) -> Iterator[tuple[str, str]]:
    """A decision to be made once more, before and after."""
    view = match.view(0)
    one = Decision(match.ply, view.prompt, view.moves[0].label, view.moves[-1].label, None, False, 0.5, 0.3, 0.2, 0.05)
    seats = tuple(SeatLine(number, name, "person" if not number else "bot") for number, name in enumerate(match.names))
    yield "again", pages.retry(site, "a1b2c3", 0, view, seats, 1, (None, True, None), one)
    told = say("Found it: “{move}” is the best move we know.", move=one.best)
    yield "again-told", pages.retry(site, "a1b2c3", 0, view, seats, 1, (True, True, None), one, told)


def replayed(match: Match, site: Site) -> str:
    """Looking back from seat 0's eyes, somewhere in the middle."""
    stops = stops_of(match)
    step = len(stops) // 2
    lines = facts_between(match, stops[step], stops[step - 1], 0)
    share = "http://cards.example/replay/a1b2c3"
    return pages.replay(site, "a1b2c3", stops, step, 0, match.view(0), lines, share=share, rematch="d4e5f6")


# --- pages ------------------------------------------------------------------------------------------------------------
def tables(game: str, site: Site, players: int | None, seed: int) -> Iterator[tuple[str, str]]:
    """The pages of a game's table, by the name of its state."""
    match = played(game, players, seed)
    for state, part in PLIES.items():
        if state == "middle":
            amid(match, 0)
        else:
            turn(match, part)
        yield f"{game}-{state}", table_page.table(table_of(match, site))
    amid(match)
    yield f"{game}-watched", table_page.table(table_of(match, site, None))
    yield f"{game}-tv", table_page.television(on_screen(match, site))
    turn(match, PLIES["middle"])
    yield f"{game}-hand", table_page.table(replace(table_of(match, site), hand=True))
    yield f"{game}-replay", replayed(match, site)
    match.go(match.length)
    yield f"{game}-over", table_page.table(table_of(match, site))
    yield f"{game}-tv-over", table_page.television(on_screen(match, site))
    yield f"{game}-rules", pages.rules(site, game, PROMISED)
    yield f"{game}-example", worked(game, site)


def worked(game: str, site: Site, step: int = 0) -> str:
    """A step of a game's example, from 1; without one, in the middle."""
    found = steps(game, site.lang)
    number = step or len(found) // 2
    shown = found[number - 1]
    return pages.example(site, number, len(found), shown.view, shown.passage)


def others(site: Site) -> Iterator[tuple[str, str]]:
    """The pages that are no table, and tables where something is out of the ordinary."""
    game = game_names()[0]
    yield from beginnings(site, game)
    yield from invitations(site, game)
    yield from fairness(site, game)
    kinds = zip(game_names(), ("waiting", "turn", "others", "bot", "over", "ended"), strict=True)
    lines = tuple(TableLine("a", name, NAMES[:3], kind, 3) for name, kind in kinds)
    yield "tables", pages.tables(site, lines)
    yield "rules", pages.rules(site, game, PROMISED)
    yield "about", pages.games_page("about.html", site, version=hexdeck.__version__)
    yield (
        "privacy",
        pages.page("privacy.html", site, kept=kept_for(Retention(1, 90, 365)), messages=MESSAGES_KEPT, answers=400),
    )
    yield "offline", pages.page("offline.html", site)
    yield (
        "error",
        pages.page("error.html", site, status=404, text=say("This table doesn't exist (any more)."), problem=""),
    )
    yield (
        "problem",
        pages.page("problem.html", site, text="hexdeck: 1.0\nfault: 500\n" * 20, back_to="/table/a1b2c3", fault="500"),
    )
    match = played(game, 4, 7)
    refused = replace(site, notice=say("The table has moved on; look again."))
    yield from zip(("refused", "stood-in"), troubled(match, refused), strict=True)
    yield "hinted", table_page.table(hinted(match, site))
    yield from coached(match, site)
    yield from analysed(match, site)
    turn(match, PLIES["middle"])
    yield from again(match, site)
    yield "middle-nl", table_page.table(table_of(match, replace(site, lang="nl")))
    yield from company(table_of(match, site), table_of(match, site, None))
    match.go(match.length)
    yield from of_days(site, table_of(match, site), Invite(None, "http://cards.example/bring/0123456789abcdef", QR))


def beginnings(site: Site, game: str) -> Iterator[tuple[str, str]]:
    """The start page and the form for a new table."""
    levels = {name: ABOUT[name] for name in ("gentle", "sharp")}
    for there, end in ((site, ""), (replace(site, lang="nl"), "-nl")):
        yield f"start{end}", pages.start(there, PROMISED, tables=2)
        yield f"new{end}", pages.new_table(there, game, 3, levels, PROMISED, {})
    around = {"seat-1": "here", "name-1": "Bram", "seat-2": "here"}
    yield "new-here", pages.new_table(site, game, 3, levels, PROMISED, around)


def invitations(site: Site, game: str) -> Iterator[tuple[str, str]]:
    """The pages around links to seats, and the table that waits for people."""
    seats = (SeatLine(0, "Anna", "person", host=True), SeatLine(1, "", "open"), SeatLine(2, "Cleo", "bot", "sharp"))
    link = Invite(1, "http://cards.example/join/0123456789abcdef", QR, "KTRB2")
    free = {"at": "/join/t", "seats": seats, "seat": 1, "taken": False, "full": False, "promise": "", "watch": ""}
    full = free | {"at": "/j/KTRB", "seat": -1, "taken": True, "full": True, "watch": "/table/a1b2c3"}
    yield "join", pages.game_page("join.html", site, game, name="Bram", **free)
    yield "join-full", pages.game_page("join.html", site, game, name="", **full)
    yield "screen", pages.games_page("television_code.html", site, typed="")
    yield "code", pages.page("code.html", replace(site, notice=unknown_code().text), typed="KTRP")
    own = {"table_id": "a1b2c3", "name": "Anna"}
    there = {"invites": (link,), "joining": JOINING, "reachable": True, "lan": False}
    yield "invite", pages.game_page("invite.html", site, game, **own, **there)
    yield "carry", pages.game_page("carry.html", site, game, **own, link=link, token="")
    yield "leave", pages.game_page("leave.html", site, game, table_id="a1b2c3", alone=False, host=True)
    said = {"again": 1, "best": 7, "drag": None, "lookup": None, "confused": "", "words": "Once more!"}
    asked = {"answers": said, "others": [said], "moments": [(7, 1, "Bram …"), (9, 2, "Cleo …")], "deal": say("Round")}
    yield "feedback", pages.game_page("feedback.html", site, game, table_id="a1b2c3", longest=400, **asked)
    empty = hexdeck.game(game, players=3).match(seed=1, backend="interpreted").view(0)
    page = TablePage(site, "a1b2c3", 1, empty, seats, 0, True, waiting=True, invites=(link,), joining=JOINING)
    yield "waiting", table_page.table(page)
    yield "waiting-hand", table_page.table(replace(page, hand=True, screen_at="cards.example/tv"))
    public = hexdeck.game(game, players=3).match(seed=1, backend="interpreted").view(-1)
    page = TablePage(site, "a1b2c3", 1, public, seats, waiting=True, screen=True, joining=JOINING)
    yield "waiting-tv", table_page.television(page)
    given, levels = {"screen": "this", "name": "Anna"}, {"gentle": ABOUT["gentle"]}
    yield "new-screen", pages.new_table(site, game, 3, levels, PROMISED, given)


def fairness(site: Site, game: str) -> Iterator[tuple[str, str]]:
    """How a table's cards are dealt, after the match and during it."""
    lines = tuple(SeatLine(seat, name, "person") for seat, name in enumerate(NAMES[:3]))
    promise = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    facts = {
        "table_id": "a1b2c3",
        "promise": promise,
        "seats": lines,
        "me": 0,
        "added": ("seven of hearts", "", "ravens"),
        "secret": "2cf24dba5fb0a30e" * 4,
        "rematch": PROMISED.hash,
        "rematch_added": ("crows", "", None),
        "verdict": "",
        "holds": True,
    }
    early = facts | {"added": ("seven of hearts", None, None), "secret": "", "rematch": ""}
    yield "fair", pages.game_page("fair.html", site, game, **facts)
    yield "fair-early", pages.game_page("fair.html", site, game, **early)
    yield "fair-nl", pages.game_page("fair.html", replace(site, lang="nl"), game, **facts)


def written(folder: Path, options: argparse.Namespace) -> list[str]:
    """Write every page, once for each theme; returns their names."""
    static = folder / "static"
    static.mkdir(parents=True, exist_ok=True)
    for name in rendering.names():
        if not name.endswith(".txt"):
            (folder / rendering.address(name)).write_bytes(rendering.contents(name))
    names = []
    for theme in ("light", "dark"):
        site = Site(options.lang, theme)
        found = [*others(site)] if options.games == list(game_names()) else []
        for game in options.games:
            found += tables(game, site, options.players, options.seed)
        for name, html in found:
            names.append(f"{name}-{theme}")
            (folder / f"{names[-1]}.html").write_text(html, encoding="utf-8")
    return names


# --- pictures ---------------------------------------------------------------------------------------------------------
class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


def serve(folder: Path) -> ThreadingHTTPServer:
    """Serve a folder to this machine, on a free port."""
    server = ThreadingHTTPServer(("localhost", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def photographed(folder: Path, names: list[str], sizes: list[str]) -> None:
    """A picture of every page in every size."""
    from playwright.sync_api import sync_playwright

    server = serve(folder)
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=browser.chromium(), args=list(browser.FLAGS))
        for size in sizes:
            wide, high = map(int, size.split("x"))
            page = chrome.new_page(viewport={"width": wide, "height": high}, java_script_enabled=False)
            for name in names:
                page.goto(f"http://localhost:{server.server_port}/{name}.html")
                page.screenshot(path=folder / f"{name}-{size}.png")
            page.close()
        chrome.close()
    server.shutdown()
    server.server_close()


def main() -> None:
    """Make the gallery."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="+", default=list(game_names()), choices=game_names())
    parser.add_argument("--players", type=int, help="players at each table (default: four, or as near as can be)")
    parser.add_argument("--sizes", nargs="*", default=list(SIZES), help="pictures in these sizes; none: pages only")
    parser.add_argument("--lang", default="en", choices=("en", "nl"))
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    names = written(options.folder, options)
    if options.sizes:
        photographed(options.folder, names, options.sizes)
    print(f"{len(names)} pages, {len(names) * len(options.sizes)} pictures in {options.folder}")


if __name__ == "__main__":
    main()
