"""Games that a report shows in itself: what happened in them, and the table at the moment that is spoken of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.play.lookback import view_at
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue, say
from hexdeck.lab.log import matches
from hexdeck.lab.reporting.examples import Link, Linker, command_linker
from hexdeck.lab.reporting.measures import Example
from hexdeck.lab.reporting.report import Part, Plan


@dataclass
class Replays:
    """The games that links of a page lead to, each once, in the order in which they were asked for."""

    plan: Plan
    catalogue: Catalogue
    shown: dict[str, dict[str, Any]] = field(default_factory=dict)
    _matches: dict[tuple[int, int], Match] = field(default_factory=dict)

    @property
    def linker(self) -> Linker:
        """Links to games in the page itself."""
        command = command_linker(self.plan)

        def link(part: Part, example: Example) -> Link | None:
            found = command(part, example)
            if found is None:
                return None
            panel = f"game-{part.players}-{found.short.replace(':', '-')}"
            if panel not in self.shown:
                self.shown[panel] = {"id": panel} | self.replay(part, example) | {"command": found.command}
            return replace(found, panel=panel)

        return link

    def match(self, part: Part, number: int) -> Match:
        """A game of the report, played again; players are called by their seats."""
        key = part.players, number
        if key not in self._matches:
            match = next(matches(self.plan.setup(part.game), 1, number))
            seats = range(1, part.players + 1)
            match.names = tuple(self.catalogue.words(say("Seat {number}", number=seat)) for seat in seats)
            self._matches[key] = match
        return self._matches[key]

    def replay(self, part: Part, example: Example) -> dict[str, Any]:
        """A game as the template takes it: its lines, the one that is spoken of, the table then and at the end."""
        match, words = self.match(part, example.number), self.catalogue.words
        own = game_words(part.game.name, self.catalogue.lang, match.names)
        told = [
            (ply, own.words(fact.text))
            for ply, facts in enumerate(match.narration(), 1) for fact in facts if fact.heard_by(-1)
        ]  # fmt: skip
        spoken_of = max((ply for ply, _text in told if ply <= (example.ply or 0)), default=example.ply and told[0][0])
        tables = []
        if example.ply is not None and example.ply < match.length:
            tables.append((words(say("The table then, with open cards")), self.table(match, example.ply)))
        tables.append((words(say("The table at the end")), self.table(match, match.length)))
        title = say("Game {number} of those with {players} players", number=example.number, players=part.players)
        return {
            "title": words(title), "lines": [(text, ply == spoken_of) for ply, text in told], "tables": tables,
            "close": words(say("Close")), "again": words(say("To step through it:")),
        }  # fmt: skip

    def table(self, match: Match, ply: int) -> str:
        """The table at a ply, with open cards, as lines of text."""
        return view_at(match, ply, None).text(self.catalogue.lang, suits=True)
