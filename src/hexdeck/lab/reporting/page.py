"""A report as one self-contained web page: no scripts, nothing loaded, light or dark, printable."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck import __version__
from hexdeck.bots.players.spoken_names import spoken
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.lab.reporting.answers.answers import (
    CAVEAT,
    CRITERIA,
    Answered,
    answer_link,
    answered,
    card_context,
    criteria,
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


@dataclass(frozen=True)
class Told:
    """What is told of a report besides its tables: on a page, on the terminal, in a file.

    `intro`: the game first, which the terminal leaves out. `findings`: each with the part whose games show it.
    `titles` of parts; `commands` that make them again. `link`: to games; None for those that the page has in itself.
    """

    report: Report
    title: Text
    intro: Sequence[Text]
    caveat: Text
    answers: Sequence[Answered]
    criteria: Mapping[str, Text]
    findings: Sequence[tuple[Part | None, Finding]]
    nothing: Text
    titles: Sequence[Text]
    closing: Sequence[Text]
    commands: Sequence[Text] = ()
    link: Linker | None = None

    @property
    def links(self) -> Linker:
        """Links to games from outside a page."""
        return self.link or command_linker(self.report.plan)


def told(report: Report) -> Told:
    """What is told of a report on games of bots."""
    by_players = {part.players: part for part in report.parts}
    return Told(
        report, say("Playtest: {title}", title=report.game.table.ABOUT.title), intro(report), CAVEAT, answered(report),
        CRITERIA, [(by_players.get(found.players[0]), found) for found in findings(report)], NOTHING,
        [say("{players} players, {games} games", players=part.players, games=count(len(part.statistics)))
         for part in report.parts],
        closing(report),
        [say("Run this again: {command}", command=part_command(report, part)) for part in report.parts],
    )  # fmt: skip


def page(report: Report, catalogue: Catalogue, tick: Tick = lambda _what, _done, _of: None, **how: bool) -> str:
    """The page of a report on games of bots in a catalogue's language."""
    return page_of(told(report), catalogue, tick, **how)


def page_of(
    told: Told, catalogue: Catalogue, tick: Tick = lambda _what, _done, _of: None, *, appendix: bool = False
) -> str:
    """The page of a report in a catalogue's language; `appendix`: with all tables unfolded, so that print has them."""
    catalogue, report, parts = replace(catalogue, suits=True), told.report, []
    words, labels = catalogue.words, part_labels(report.parts)
    for k in range(len(report.parts)):
        parts.append(part_context(told, k, catalogue))
        tick(say("drawing"), 1, len(report.parts))
    replays = Replays(report.plan, catalogue)
    link = told.link or replays.linker
    return rendered(
        catalogue, title=words(told.title), intro=[words(line) for line in told.intro], heading=words(say("Findings")),
        caveat=words(told.caveat), answers_title=words(say("In short")), criteria=criteria(told.criteria, catalogue),
        answers=[card_context(each, labels, answer_link(each, report.parts, link), catalogue) for each in told.answers],
        findings=[finding_context(found, part, link, catalogue) for part, found in told.findings],
        nothing=words(told.nothing), folded=words(say("All figures")), appendix=appendix, parts=parts,
        replays=list(replays.shown.values()), closing=[words(line) for line in told.closing],
    )  # fmt: skip


def part_labels(parts: Sequence[Part]) -> list[Text]:
    """How parts are called: by their number of players, if that is enough to tell them apart."""
    if same_players(parts):
        return [say("group {number}", number=k) for k in range(1, len(parts) + 1)]
    return [say("{players} players", players=each.players) for each in parts]


def same_players(parts: Sequence[Part]) -> bool:
    """Whether some parts have the same number of players."""
    return len({each.players for each in parts}) < len(parts)


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


def part_context(told: Told, k: int, catalogue: Catalogue) -> dict[str, Any]:
    """A part as the template takes it."""
    from markupsafe import Markup

    part, alone = told.report.parts[k], not same_players(told.report.parts)
    drawn: dict[str, list[dict[str, Any]]] = {}
    for each in plots(part, catalogue):
        svg = each.svg if alone else each.numbered(part.players, k + 1)
        drawn.setdefault(each.section, []).append({"svg": Markup(svg), "caption": each.title})  # noqa: S704 - by us
    tables = [table_with_examples(part, each, told.links, catalogue) | {"plots": drawn.get(each.id, [])}
              for each in sections(told.report, part)]  # fmt: skip
    title = told.titles[k] if alone else say("Group {number}: {title}", number=k + 1, title=told.titles[k])
    return {
        "id": part.players if alone else f"{part.players}-{k + 1}", "title": catalogue.words(title),
        "tables": tables, "command": catalogue.words(told.commands[k]) if told.commands else "",
    }  # fmt: skip


def table_with_examples(part: Part, section: Section, link: Linker, catalogue: Catalogue) -> dict[str, Any]:
    """A section as the template takes it, with a link to an example for each row."""
    found = [example and link(part, example) for example in section.examples or [None] * len(section.rows)]
    return table_context(section, catalogue) | {
        "see": catalogue.words(say("see")) if any(found) else "",
        "examples": found,
    }


def finding_context(found: Finding, part: Part | None, link: Linker, catalogue: Catalogue) -> dict[str, Any]:
    """A finding as the template takes it, with the link to a game of a part that shows it."""
    shown = link(part, found.example) if part is not None and found.example is not None else None
    return {"text": catalogue.words(found.text), "shown": shown, "see": catalogue.words(say("see"))}


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
