"""A report as one web page that needs nothing else: no scripts, no addresses, light or dark, fit to print."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck import __version__
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.lab.reporting.changes import about, change_of, changed
from hexdeck.lab.reporting.compare import Comparison
from hexdeck.lab.reporting.examples import Way, Where, by_command, of_finding, of_rows
from hexdeck.lab.reporting.findings import Finding, findings
from hexdeck.lab.reporting.number_format import INTERRUPTED, count
from hexdeck.lab.reporting.plots import plots
from hexdeck.lab.reporting.report import Part, Report, Tick
from hexdeck.lab.reporting.sections import Cell, Section, bot_word, sections

if TYPE_CHECKING:
    from jinja2 import Template

FOLDER = Path(__file__).parent / "templates"


@functools.cache
def template() -> Template:
    """The page's template."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    ).get_template("report.html")


def rendered(**given: Any) -> str:
    """The page; numbers stay on one line with their signs and what they count."""
    return re.sub(r"(?<=\d) (?=[%±])", "\u00a0", tidy(template().render(**given)))


def tidy(text: str) -> str:
    """Without a full stop after the dots that stand for what changes."""
    return text.replace("….", "…")


def page(report: Report, own: Catalogue, tick: Tick = lambda _what, _done, _of: None) -> str:
    """The whole page, in the language of a catalogue."""
    from markupsafe import Markup

    words, parts = own.words, []
    for part in report.parts:
        parts.append(of_part(report, part, own))
        tick(say("drawing"), 1, len(report.parts))
    return rendered(
        lang=own.lang, style=Markup((FOLDER / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - a file of ours
        title=words(say("Playtest: {title}", title=report.table.TITLE)),
        intro=[words(line) for line in intro(report)], heading=words(say("Findings")),
        findings=[pointed(found, report.parts, by_command(report.plan), own) for found in findings(report)],
        nothing=words(NOTHING), heading_parts=words(say("Numbers of players")),
        parts=parts, closing=[words(line) for line in closing(report)],
    )  # fmt: skip


NOTHING = say("Nothing stands out: no seat does better than fair, and all that can come does.")


def comparison_page(found: Comparison, said: Sequence[Text], told: Section, command: str, own: Catalogue) -> str:
    """A comparison as a page."""
    from markupsafe import Markup

    words, title = own.words, say("{title}: {change}", title=found.a.table.TITLE, change=change_of(found))
    counted = say("{players} players, {pairs} pairs of games", players=found.a.players, pairs=count(len(found)))
    part = {"players": found.a.players, "title": words(counted), "tables": [table(told, own)], "command": ""}
    return rendered(
        lang=own.lang, style=Markup((FOLDER / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - a file of ours
        title=words(title), intro=[words(found.a.table.ABOUT), words(about(found))], heading=words(say("Findings")),
        findings=[words(each) for each in said], nothing="", heading_parts="", parts=[part],
        closing=[words(say("The same cards and the same bots' dice in both, for as long as the games agree.")),
                 words(made(command)), words(found.a.table.CREDIT)],
    )  # fmt: skip


def intro(report: Report) -> list[Text]:
    """What was played, how, and what is changed from the usual rules."""
    plan, games = report.plan, sum(len(part.collected) for part in report.parts)
    bots: Cell = bot_word(plan.bots[0]) if len(set(plan.bots)) == 1 else ", ".join(plan.bots)
    lines = [
        report.table.ABOUT,
        say("{games} games between bots ({bots}), seed {seed}. What stands after ± is half of the 95 % interval.",
            games=count(games), bots=bots, seed=plan.seed),
    ]  # fmt: skip
    options = changed(report.parts[0].game)
    if options:
        lines.append(say("Options: {options}.", options=", ".join(options)))
    if report.interrupted:
        lines.append(INTERRUPTED)
    return lines


def made(command: str) -> Text:
    """With what the page was made, and when."""
    return say("Made with hexdeck {version} on {date}: {command}", version=__version__, command=command,
               date=datetime.now(UTC).date().isoformat())  # fmt: skip


def again(report: Report, part: Part) -> str:
    """The command that makes a part again, as it is."""
    plan, counts = report.plan, ["--games", len(part.collected), "--sample", len(part.seen)]
    options = [word for each in changed(part.game) for word in ("--option", each)]
    told = ["hexdeck", "report", report.name, "--players", part.players, *counts, "--bots", *plan.bots, *options]
    return shlex.join(map(str, [*told, "--seed", plan.seed, "--pace", f"{plan.pace:g}"]))


def closing(report: Report) -> list[Text]:
    """How to read it, and whose game it is."""
    show = by_command(report.plan)(report.parts[0], Where(0, 1))
    return [
        say("What stands under “see” is the number of a game, and a ply of it: the first game at ply 1 is shown by "
            "{command}", command=show.command if show else ""),
        say("Findings about seats are told only where they are sure at 5 % for all comparisons together. Bots don't "
            "play as people do: take what is here as a reason to look, not as a verdict."),
        made(" ".join(["hexdeck", "report", report.name, "--players", *(str(part.players) for part in report.parts)])),
        report.table.CREDIT,
    ]  # fmt: skip


def of_part(report: Report, part: Part, own: Catalogue) -> dict[str, Any]:
    """What the template needs of a part."""
    from markupsafe import Markup

    drawn = {each.section: {"plot": Markup(each.svg), "caption": each.title} for each in plots(part, own)}  # noqa: S704 - drawn by us
    way = by_command(report.plan)
    title = say("{players} players, {games} games", players=part.players, games=count(len(part.collected)))
    tables = [shown_table(part, each, way, own) | drawn.get(each.id, {}) for each in sections(report, part)]
    command = own.words(say("The same again: {command}", command=again(report, part)))
    return {"players": part.players, "title": own.words(title), "tables": tables, "command": command}


def shown_table(part: Part, section: Section, way: Way, own: Catalogue) -> dict[str, Any]:
    """A section in words, with an example of what each row is about."""
    found = [where and way(part, where) for where in of_rows(part, section)]
    return table(section, own) | {"see": own.words(say("see")) if any(found) else "", "examples": found}


def pointed(found: Finding, parts: Sequence[Part], way: Way, own: Catalogue) -> dict[str, Any]:
    """A finding in words, with how to see a game that shows it."""
    example = of_finding(found, parts)
    return {"text": own.words(found.text), "shown": way(*example) if example else None, "see": own.words(say("see"))}


def table(section: Section, own: Catalogue) -> dict[str, Any]:
    """A section in words."""

    def told(cell: Cell) -> str:
        return tidy(cell if isinstance(cell, str) else own.words(cell))

    return {
        "title": own.words(section.title), "heads": [own.words(head) for head in section.heads],
        "rows": [[told(cell) for cell in row] for row in section.rows],
        "shares": [f"{100 * share:.1f}%" for share in section.shares], "barred": section.barred,
        "note": own.words(section.note) if section.note else "", "plot": "", "caption": "", "see": "", "examples": [],
    }  # fmt: skip
