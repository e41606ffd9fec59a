"""A report as one self-contained web page: no scripts, nothing loaded, light or dark, printable."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck import __version__
from hexdeck.bots.players.spoken_names import spoken
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.lab.reporting.answers.answers import (
    CAVEAT,
    CRITERIA,
    answer_link,
    answered,
    card_context,
    criteria,
    players_labels,
)
from hexdeck.lab.reporting.answers.replays import Replays
from hexdeck.lab.reporting.examples import Linker, command_linker
from hexdeck.lab.reporting.findings import findings
from hexdeck.lab.reporting.measures import Cell, Example, Finding, Section
from hexdeck.lab.reporting.number_format import INTERRUPTED, count
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.plots import plots
from hexdeck.lab.reporting.report import SETTLING, Part, Report, Tick
from hexdeck.lab.reporting.sections import sections
from hexdeck.lab.reporting.words import bots_text

if TYPE_CHECKING:
    from jinja2 import Template

FOLDER = Path(__file__).parent / "templates"
NOTHING = say("Nothing stands out: no seat has an advantage, and everything that can happen does happen.")
WITHOUT_ANSWERS: dict[str, Any] = {
    "answers": [], "answers_title": "", "caveat": "", "criteria": None, "replays": [], "folded": "", "appendix": False,
}  # fmt: skip


@functools.cache
def template() -> Template:
    """The Jinja template of pages."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    ).get_template("report.html")


def rendered(catalogue: Catalogue, **context: Any) -> str:
    """A page in a catalogue's language; no line breaks between a number and its % or ±."""
    from markupsafe import Markup

    style = Markup((FOLDER / "report.css").read_text(encoding="utf-8"))  # noqa: S704 - a file of ours
    text = template().render(lang=catalogue.lang, style=style, **(WITHOUT_ANSWERS | context))
    return re.sub(r"(?<=\d) (?=[%±])", "\u00a0", tidy(text))


def tidy(text: str) -> str:
    """The text without a full stop after the dots of a gap."""
    return text.replace("….", "…")


def page(
    report: Report, catalogue: Catalogue, tick: Tick = lambda _what, _done, _of: None, *, appendix: bool = False
) -> str:
    """The page of a report in a catalogue's language; `appendix`: with all tables unfolded, so that print has them."""
    catalogue = replace(catalogue, suits=True)
    words, parts = catalogue.words, []
    for part in report.parts:
        parts.append(part_context(report, part, catalogue))
        tick(say("drawing"), 1, len(report.parts))
    replays = Replays(report.plan, catalogue)
    link, labels = replays.linker, players_labels(report.parts)
    return rendered(
        catalogue, title=words(say("Playtest: {title}", title=report.game.table.TITLE)),
        intro=[words(line) for line in intro(report)], heading=words(say("Findings")), caveat=words(CAVEAT),
        answers=[card_context(each, labels, answer_link(each.main, report.parts, link), catalogue)
                 for each in answered(report)],
        answers_title=words(say("In short")), criteria=criteria(CRITERIA, catalogue),
        findings=[finding_context(found, report.parts, link, catalogue) for found in findings(report)],
        nothing=words(NOTHING), heading_parts=words(say("Numbers of players")), folded=words(say("All figures")),
        appendix=appendix, parts=parts, replays=list(replays.shown.values()),
        closing=[words(line) for line in closing(report)],
    )  # fmt: skip


def intro(report: Report) -> list[Text]:
    """The introduction: what was played, how, and which options aren't at their defaults."""
    plan, games = report.plan, sum(len(part.statistics) for part in report.parts)
    bots = bots_text(plan.bots)
    lines = [
        report.game.table.ABOUT.text,
        say("{games} games between bots ({bots}), seed {seed}. ± is the half-width of the 95 % confidence interval.",
            games=count(games), bots=bots, seed=str(plan.seed)),
    ]  # fmt: skip
    options = changed_options(report.game)
    if options:
        lines.append(say("Options: {options}.", options=", ".join(options)))
    if report.looks > 1:
        lines.append(say("Where an answer couldn't tell, more games were looked into, for at most {seconds} seconds.",
                         seconds=round(SETTLING)))  # fmt: skip
    if report.interrupted:
        lines.append(INTERRUPTED)
    return lines


def made_with(command: str) -> Text:
    """The version, date and command that made a page."""
    return say("Made with hexdeck {version} on {date}: {command}", version=__version__, command=command,
               date=datetime.now(UTC).date().isoformat())  # fmt: skip


def part_command(report: Report, part: Part) -> str:
    """The command that makes exactly this part again."""
    plan, counts = report.plan, ["--games", len(part.statistics), "--sample", len(part.analyses)]
    options = [word for each in changed_options(part.game) for word in ("--option", each)]
    bots = ["--bots", *map(spoken, plan.bots)]
    words = ["hexdeck", "report", part.game.name, "--players", part.players, *counts, *bots, *options]
    words += ["--thinking", plan.thinking] if plan.thinking else []
    return shlex.join(map(str, [*words, "--seed", plan.seed, "--pace", f"{plan.pace:g}"]))


def closing(report: Report) -> list[Text]:
    """The closing notes: how to read the report, how it was made, and who made the game."""
    show = command_linker(report.plan)(report.parts[0], Example(0, 1))
    players = map(str, (part.players for part in report.parts))
    return [
        say(
            "Under “see” are the number of a game and a ply of it. To show the first game at ply 1: {command}",
            command=show.command if show else ""),
        say(
            "Findings about seats are listed only if they are significant at 5 % for all comparisons together."),
        made_with(" ".join(["hexdeck", "report", report.game.name, "--players", *players])),
        report.game.table.ABOUT.credit,
    ]  # fmt: skip


def part_context(report: Report, part: Part, catalogue: Catalogue) -> dict[str, Any]:
    """A part as the template takes it."""
    link = command_linker(report.plan)
    title = say("{players} players, {games} games", players=part.players, games=count(len(part.statistics)))
    tables = tables_context(part, sections(report, part), link, catalogue)
    command = catalogue.words(say("Run this again: {command}", command=part_command(report, part)))
    return {"players": part.players, "title": catalogue.words(title), "tables": tables, "command": command}


def tables_context(
    part: Part, shown: Sequence[Section], link: Linker, catalogue: Catalogue, number: int | None = None
) -> list[dict[str, Any]]:
    """Sections with their plots; `number`: of the part, among others with as many players."""
    from markupsafe import Markup

    drawn: dict[str, list[dict[str, Any]]] = {}
    for each in plots(part, catalogue):
        svg = each.svg if number is None else each.numbered(part.players, number)
        drawn.setdefault(each.section, []).append({"svg": Markup(svg), "caption": each.title})  # noqa: S704 - by us
    return [table_with_examples(part, each, link, catalogue) | {"plots": drawn.get(each.id, [])} for each in shown]


def table_with_examples(part: Part, section: Section, link: Linker, catalogue: Catalogue) -> dict[str, Any]:
    """A section as the template takes it, with a link to an example for each row."""
    found = [example and link(part, example) for example in section.examples or [None] * len(section.rows)]
    return table_context(section, catalogue) | {
        "see": catalogue.words(say("see")) if any(found) else "",
        "examples": found,
    }


def finding_context(found: Finding, parts: Sequence[Part], link: Linker, catalogue: Catalogue) -> dict[str, Any]:
    """A finding as the template takes it, with the link to a game that shows it."""
    part = next((each for each in parts if each.players in found.players), None)
    return {
        "text": catalogue.words(found.text),
        "shown": link(part, found.example) if part and found.example else None,
        "see": catalogue.words(say("see")),
    }


def table_context(section: Section, catalogue: Catalogue) -> dict[str, Any]:
    """A section as the template takes it."""

    def text(cell: Cell) -> str:
        return tidy(cell if isinstance(cell, str) else catalogue.words(cell))

    words = catalogue.words
    return {
        "title": words(section.title), "heads": [words(head) for head in section.heads],
        "rows": [[text(cell) for cell in row] for row in section.rows],
        "shares": [f"{100 * share:.1f}%" for share in section.shares], "barred": section.barred, "total": section.total,
        "note": words(section.note) if section.note else "", "plots": [], "see": "", "examples": [],
    }  # fmt: skip
