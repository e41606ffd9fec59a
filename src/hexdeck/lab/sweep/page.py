"""The page of a sweep, with its tornado charts."""

from __future__ import annotations

from typing import Any

from hexdeck.engine.text import Catalogue, say
from hexdeck.lab.reporting.page import made_with, rendered, table_context
from hexdeck.lab.sweep.findings import Sweep, about, as_it_is, bars, findings, section, untried
from hexdeck.lab.sweep.measure import MEASURES
from hexdeck.lab.sweep.tornado import svg


def sweep_page(sweep: Sweep, command: str, catalogue: Catalogue) -> str:
    """The page in a catalogue's language; `command` makes it again."""
    words, table = catalogue.words, sweep.game.table
    part = {
        "players": sweep.game.players,
        "title": words(say("{players} players", players=sweep.game.players)),
        "tables": [measure_context(sweep, measure, catalogue) for measure in MEASURES if sweep.effects],
        "command": "",
    }
    return rendered(
        catalogue, title=words(say("What if: {title}", title=table.TITLE)),
        intro=[words(table.ABOUT.text), words(about(sweep)), words(as_it_is(sweep))], heading=words(say("Findings")),
        findings=[words(each) for each in [*findings(sweep), *untried(sweep)]], nothing="", heading_parts="",
        parts=[part],
        closing=[words(say(
            "Bars: from the game as it is to each value, the largest that are certain first; thin lines are 95 % "
            "confidence intervals, pale bars aren't certain, for all values together. One option is changed at a time: "
            "two changes together may do something else.")),
                 words(made_with(command)), words(table.ABOUT.credit)],
    )  # fmt: skip


def measure_context(sweep: Sweep, measure: str, catalogue: Catalogue) -> dict[str, Any]:
    """The table of a measure with its chart, as the template takes it."""
    from markupsafe import Markup

    context, drawn = table_context(section(sweep, measure), catalogue), bars(sweep, measure, catalogue)
    if drawn:
        plot = Markup(svg(drawn, context["title"]))  # noqa: S704 - drawn by us, and escaped
        context |= {"plots": [{"svg": plot, "caption": catalogue.words(say("What each value changes"))}]}
    return context
