"""Games that a report shows in itself: what happened in them, and the table at the moment that is spoken of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.play.lookback import view_at
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue, say
from hexdeck.lab.counting.sample import matches
from hexdeck.lab.reporting.examples import Example, Link, Linker, command_linker
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
        """A game of the report, played again."""
        key = part.players, number
        if key not in self._matches:
            self._matches[key] = next(matches(self.plan.setup(part.game), 1, number))
        return self._matches[key]

    def replay(self, part: Part, example: Example) -> dict[str, Any]:
        """A game as the template takes it: its lines, the one that is spoken of, the table then and at the end."""
        match, own = self.match(part, example.number), game_words(part.game.name, self.catalogue.lang)
        lines = [
            (own.words(fact.text), ply == example.ply)
            for ply, facts in enumerate(match.narration(), 1) for fact in facts if fact.heard_by(-1)
        ]  # fmt: skip
        words, tables = self.catalogue.words, []
        if example.ply is not None and example.ply < match.length:
            then = own.words(say("The table then, with open cards"))
            tables.append((then, view_at(match, example.ply, None).text(self.catalogue.lang, suits=True)))
        tables.append(
            (
                words(say("The table at the end")),
                view_at(match, match.length, None).text(self.catalogue.lang, suits=True),
            )
        )
        title = say("Game {number} of those with {players} players", number=example.number, players=part.players)
        return {"title": words(title), "lines": lines, "tables": tables, "close": words(say("Close")),
                "again": words(say("To step through it:"))}  # fmt: skip
