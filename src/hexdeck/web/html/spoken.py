"""A table in words, for ears: what is asked by a key is answered from the reader's own view, in its language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from hexdeck.engine.text import SYMBOLS, Catalogue, Text, say, say_n
from hexdeck.engine.view import Zone, cell_name
from hexdeck.tables.live import hand_of
from hexdeck.web.html.cards import spoken_name
from hexdeck.web.html.models import TablePage
from hexdeck.web.html.rendering import game_catalogue

MOST_MOVES = 8  # moves that are told; more are found among the buttons
LETTERS = {symbol: letter for letter, symbol in SYMBOLS.items()}
CARD = re.compile(rf"(10|[2-9AJQK])([{''.join(LETTERS)}])")  # as moves, notes and the log write it
LATEST = 3  # lines of the log that are told at least
ABOUT: dict[str, tuple[str, Text]] = {  # what can be asked: its key, and its name
    "hand": ("c", say("My cards")),
    "table": ("t", say("The table")),
    "scores": ("s", say("Scores")),
    "turn": ("w", say("Whose turn")),
    "events": ("e", say("What happened last")),
}


def spoken(page: TablePage, about: str) -> str:
    """The answer to one of `ABOUT`."""
    answers: dict[str, Callable[[Speaker], Iterable[str]]] = {
        "hand": Speaker.hand,
        "table": Speaker.table,
        "scores": Speaker.scores,
        "turn": Speaker.turn,
        "events": Speaker.events,
    }
    speaker = Speaker(page)
    answer = " ".join(sentence(line) for line in answers[about](speaker) if line) or sentence(speaker.say(say("none")))
    return CARD.sub(lambda match: spoken_name(match[1] + LETTERS[match[2]], speaker.words.lang), answer)


def sentence(text: str) -> str:
    """The words with a full stop, unless they end with one."""
    return text if text[-1:] in ".!?…" else f"{text}."


class Speaker:
    """Puts what a page shows into words."""

    def __init__(self, page: TablePage) -> None:
        self.page, self.view = page, page.view
        self.words: Catalogue = game_catalogue(page.site, page.view.game, tuple(line.name for line in page.seats))
        self.say = self.words.words

    def hand(self) -> Iterable[str]:
        """The reader's own zones, the hand first, then what can be done."""
        hand = hand_of(self.view)
        own = [zone for zone in self.view.zones if self.view.seat >= 0 and zone.seat == self.view.seat]
        yield from (self.zone(zone) for zone in sorted(own, key=lambda zone: zone is not hand) if zone.shape != "count")
        moves = [self.say(move.label) for move in self.view.moves if not move.cell]
        if len(moves) <= MOST_MOVES:
            yield "; ".join(moves)

    def table(self) -> Iterable[str]:
        """What lies in the middle and before the others."""
        yield from (self.zone(zone) for zone in self.view.zones if zone.seat is None)
        for line in self.page.seats:
            theirs = [zone for zone in self.view.zones if zone.seat == line.number and zone.shape != "count"]
            if theirs and line.number != self.view.seat:
                yield f"{line.name}: {'; '.join(map(self.zone, theirs))}"

    def scores(self) -> Iterable[str]:
        """What is counted of each seat, then the totals of the score sheet."""
        for line in self.page.seats:
            counts = [zone for zone in self.view.zones if zone.seat == line.number and zone.count is not None]
            if counts:
                yield f"{line.name}: {', '.join(f'{self.say(zone.title)} {zone.count}' for zone in counts)}"
        sheet = self.page.scores
        for k, title in enumerate(sheet.titles if sheet else ()):
            names = [" & ".join(self.words.name(seat) for seat in seats) for seats in sheet.columns] if sheet else []
            totals = [f"{name} {total[k]}" for name, total in zip(names, sheet.totals, strict=True)] if sheet else []
            yield f"{self.say(title)}: {', '.join(totals)}"

    def turn(self) -> Iterable[str]:
        """What the table waits for, and who may act."""
        yield self.say(self.view.prompt)
        if len(self.view.acting) > 1:
            yield self.say(say("Next to act: {names}.", names=", ".join(map(self.words.name, self.view.acting))))

    def events(self) -> Iterable[str]:
        """What happened since the reader's last move, or the last lines."""
        yield from map(self.say, self.view.log[-max(LATEST, self.page.news) :])

    def zone(self, zone: Zone) -> str:
        """A zone: its title, its cards, how many lie face down, what is counted, its note."""
        parts = [*self.cards(zone)]
        if zone.hidden:
            parts.append(self.say(say_n("{n} card face down", "{n} cards face down", zone.hidden)))
        if zone.count is not None:
            parts.append(str(zone.count))
        if zone.note:
            parts.append(self.say(zone.note))
        return f"{self.say(zone.title)}: {', '.join(parts) or self.say(say('none'))}"

    def cards(self, zone: Zone) -> Iterable[str]:
        """The cards of a zone that lie face up, on a board each with its cell, in a trick with whoever played it."""
        for k, code in enumerate(zone.cards):
            name = spoken_name(code, self.words.lang) if code else ""
            if zone.shape != "board":
                yield f"{self.words.name(zone.owners[k])} {name}" if zone.owners else name
            elif code:
                yield f"{cell_name(k, zone.columns)} {name}"
