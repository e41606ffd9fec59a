"""The pages about deals of the day, and about what a reader has played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from hexdeck.bots.players.levels import ADJECTIVES, USUAL
from hexdeck.engine.text import Catalogue, Text, _, say
from hexdeck.web.html.games import game_info
from hexdeck.web.html.models import Compared, GamePage, Invite, Page, Share, Site
from hexdeck.web.html.rendering import game_catalogue, render, safe, site_catalogue

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
LOST = {  # by whether none, some or all of the bots won
    "none": _("None of {games} {level} bots won with these cards."),
    "some": _("{won} of {games} {level} bots won with these cards."),
    "all": _("All {games} {level} bots won with these cards."),
}
WON = {
    "none": _("You won with cards with which none of {games} {level} bots did."),
    "some": _("You won, as {won} of {games} {level} bots did with these cards."),
    "all": _("You won, as all {games} {level} bots did with these cards."),
}


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


def comparison(site: Site, compared: Compared | None) -> Markup | str:
    """The reader's match beside those of bots with the same cards: a sentence and a small picture."""
    if compared is None:
        return ""
    catalogue = game_catalogue(site, compared.game)
    rows = [
        (share, label(catalogue, share))
        for share in (*compared.levels, *([compared.people] if compared.people else []))
    ]
    text = sentence(compared)
    line = catalogue.words(text) if text else ""
    return safe(render("day_compared.html", site, catalogue, compared=compared, rows=rows, sentence=line))


def sentence(compared: Compared) -> Text | None:
    """How the reader did beside the bots that sit at most tables; None before these have played."""
    usual = next(
        (share for share in compared.levels if share.who == USUAL), compared.levels[-1] if compared.levels else None
    )
    if usual is None or not usual.done:
        return None
    kind = "none" if not usual.won else "all" if usual.won == usual.games else "some"
    texts = WON if compared.won and compared.counts else LOST
    return say(texts[kind], won=usual.won, games=usual.games, level=say(ADJECTIVES[usual.who]))


def label(catalogue: Catalogue, share: Share) -> str:
    """Whose share it is."""
    if share.who == "people":
        return catalogue.words(say("People here"))
    return capitalised(catalogue.words(say("{level} bots", level=say(ADJECTIVES[share.who]))))


def deal_lines(site: Site, deals: tuple[DealLine, ...]) -> list[tuple[DealLine, str, str]]:
    """Deals with the titles of their games, and how they ended."""
    out = []
    for line in deals:
        catalogue = game_catalogue(site, line.game)
        outcome = capitalised(catalogue.words(line.outcome)) if line.outcome else ""
        out.append((line, game_info(line.game, site.lang).title, outcome))
    return out


def capitalised(outcome: str) -> str:
    """How a match ended, as a sentence by itself."""
    return outcome[:1].upper() + outcome[1:]


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
