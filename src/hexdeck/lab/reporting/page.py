"""A report as one self-contained web page: no scripts, nothing loaded, light or dark, printable."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck import __version__
from hexdeck.bots.players.bot_names import spoken
from hexdeck.engine.discovery.finding import path_options
from hexdeck.engine.play.story import view_at
from hexdeck.engine.text import Catalogue
from hexdeck.lab.log import matches
from hexdeck.lab.reporting.answers import FINE, LOOK, LOOKS, UNSURE, WORDS, Answered, answered
from hexdeck.lab.reporting.charts import Bar, picture, plots
from hexdeck.lab.reporting.figures import sections
from hexdeck.lab.reporting.findings import Tests, findings
from hexdeck.lab.reporting.measures import Example, Finding
from hexdeck.lab.reporting.report import SETTLING, Plan, Report, ReportPart, Tick
from hexdeck.lab.reporting.wording import (
    INTERRUPTED,
    absolute,
    bots_text,
    changed_options,
    count,
    listed,
    longer_at_tables,
    plain,
    unbroken,
)
from hexdeck.lab.reporting.wording import signed as signed_number

if TYPE_CHECKING:
    from jinja2 import Template


# --- games to look at -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Link:
    """How to see an example: a short name for it, and the address of its replay or else the command to type."""

    short: str
    address: str = ""
    command: str = ""
    panel: str = ""  # the id of the element that shows it, where the page has it in itself


Linker = Callable[[ReportPart, Example], Link | None]  # makes the link to an example; None where there is none


def command_linker(plan: Plan) -> Callable[[ReportPart, Example], Link]:
    """Links to a report's simulated games: the `hexdeck replay` command to type."""

    def link(part: ReportPart, example: Example) -> Link:
        ply = [] if example.ply is None else ["--ply", example.ply]
        short = str(example.number) if example.ply is None else f"{example.number}:{example.ply}"
        return Link(short, command=command("replay", part, plan, "--number", example.number, *ply))

    return link


def command(verb: str, part: ReportPart, plan: Plan, *more: Any) -> str:
    """The command that plays a part's games again."""
    options = [word for option in changed_options(part.game) for word in ("--option", option)]
    bots = [] if set(plan.bots) == {"house"} else ["--bots", *map(spoken, plan.bots)]
    began = "hexdeck", *path_options(part.game.name), verb, part.game.name, "--players", part.players
    return shlex.join(map(str, [*began, *options, *bots, "--seed", plan.seed, *more]))


@dataclass
class Replays:
    """The games that links of a page lead to, each once, in the order in which they were asked for."""

    plan: Plan
    panels: dict[str, dict[str, Any]] = field(default_factory=dict)

    def link(self, part: ReportPart, example: Example) -> Link:
        """The link to a game in the page itself."""
        link = command_linker(self.plan)(part, example)
        panel = f"game-{part.players}-{link.short.replace(':', '-')}"
        if panel not in self.panels:
            self.panels[panel] = {"id": panel, "command": link.command} | self.replay(part, example)
        return replace(link, panel=panel)

    def replay(self, part: ReportPart, example: Example) -> dict[str, Any]:
        """A game as the template takes it: its lines, the one that is spoken of, the table then and at the end."""
        match, ply = next(matches(self.plan.setup(part.game), 1, example.number)), example.ply
        match.names = tuple(f"Seat {seat}" for seat in range(1, part.players + 1))
        spell, narration = Catalogue(names=match.names, suits=True).words, enumerate(match.narration(), 1)
        lines = [(at, spell(fact.text)) for at, facts in narration for fact in facts if fact.heard_by(-1)]
        spoken_of = max((at for at, _text in lines if at <= (ply or 0)), default=ply and lines[0][0])
        tables = [("The table at the end", match.length)]
        if ply is not None and ply < match.length:
            tables.insert(0, ("The table then, with open cards", ply))
        return {
            "title": f"Game {example.number} of those with {part.players} players",
            "lines": [(text, at == spoken_of) for at, text in lines],
            "tables": [(title, view_at(match, at, None).text("en", suits=True)) for title, at in tables],
        }


# --- what is told -----------------------------------------------------------------------------------------------------
CAVEAT = (
    "From {games} games that bots played ({bots}). Bots aren't people: take it as a reason to look, not as a verdict. "
    "What confuses people only people can tell: set up a table with questions after the match."
)
PAGES = "How to read this page: docs/howto/read_a_report.md. How to ask people: docs/howto/ask_people.md."
NOTHING = "Nothing else stands out for sure."


@dataclass(frozen=True)
class Told:
    """What is told of a report besides its tables: on a page, on the terminal, in a file."""

    report: Report
    title: str
    intro: Sequence[str]
    caveat: str
    answers: Sequence[Answered]
    findings: Sequence[tuple[ReportPart | None, Finding]]  # each with the part whose games show it
    nothing: str
    titles: Sequence[str]  # of parts
    closing: Sequence[str]
    then: str = ""  # what to do next
    link: Linker | None = None  # to games; None for those that the page has in itself

    # links to games from outside a page
    links = cached_property[Linker](lambda self: self.link or command_linker(self.report.plan))

    @property
    def headline(self) -> str:
        """What is to be looked at, what can't be told and what is fine, in a line."""
        subjects: dict[str, list[str]] = {}
        for card in self.answers:
            subjects.setdefault(card.main.verdict, []).append(card.question.subject)
        begins = {LOOK: "Look at", UNSURE: "Can't tell yet:", FINE: "Fine:"}
        return " ".join(f"{begin} {listed(subjects[v])}." for v, begin in begins.items() if v in subjects)

    def listed(self, link: Linker) -> list[tuple[str, Link | None]]:
        """The findings, each with a link to a game that shows it, if there is one."""
        return [
            (finding.text, None if part is None or finding.example is None else link(part, finding.example))
            for part, finding in self.findings
        ]


def told(report: Report) -> Told:
    """What is told of a report on games of bots."""
    by_players, plan, about = {part.players: part for part in report.parts}, report.plan, report.game.table.ABOUT
    caveat, options = CAVEAT.format(games=count(report.games), bots=bots_text(plan.bots)), changed_options(report.game)
    intro = [f"Options: {', '.join(options)}."] if options else []
    intro += [*longer_at_tables(report.game), *report.left, *[INTERRUPTED] * report.interrupted]
    thinking = ["--thinking", plan.thinking] if plan.thinking else []

    def again(part: ReportPart) -> str:
        counts = "--games", len(part.statistics), "--sample", len(part.analyses)
        return command("report", part, plan, *counts, *thinking, "--choice-seconds", f"{plan.choice_seconds:g}")

    tests, title = Tests(report), f"Playtest: {about.title}"
    answers = answered(tests)
    fair = answers[0].main
    why = (fair.players,) if fair.verdict == LOOK else ()  # of which it is told why a seat is ahead
    told_of = (finding for finding in findings(tests) if finding.kind != "why" or finding.players == why)
    linked = [(by_players.get(finding.players[0]), finding) for finding in told_of]
    titles = [f"{part.players} players, {count(len(part.statistics))} games" for part in report.parts]
    closing = [
        "± is the half-width of the 95 % confidence interval.",
        "In tables, under “see”: the number of a game and, after a colon, of a move in it.",
        "Findings are listed only if they are significant at 5 % for all comparisons together.",
        *(f"Run this again: {again(part)}" for part in report.parts),
        f"{made_with()} {about.credit}",
    ]
    if report.correction > LOOKS[0]:
        closing[:0] = [
            f"Where an answer couldn't tell, more games were looked into, for at most {SETTLING:.0f} seconds."
        ]
    vary = command("compare", report.parts[0], plan, "--vary")
    then = f"What each option would change: {vary}. {PAGES}"
    return Told(report, title, intro, caveat, answers, linked, NOTHING, titles, closing, then)


def made_with() -> str:
    """The version that made a page, and when."""
    return f"Made with hexdeck {__version__} on {datetime.now(UTC).date().isoformat()}."


# --- the page ---------------------------------------------------------------------------------------------------------
FOLDER = Path(__file__).parent / "templates"
ALONE: dict[str, Any] = {"told": None, "nothing": "", "appendix": False, "cards": [], "replays": [], "judged": ""}


@cache
def template() -> Template:
    """The Jinja template of pages."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    ).get_template("report.html")


def style(*names: str) -> str:
    """The style of pages, from files of these names."""
    return "".join((FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in names)


def rendered(**context: Any) -> str:
    """A page."""
    return unbroken(template().render({"style": style("report")} | ALONE | context))


def page(story: Told, tick: Tick = lambda _what, _done, _of: None, *, appendix: bool = False) -> str:
    """The page of a report; `appendix`: with all tables unfolded, so that print has them."""
    report, parts = story.report, []
    replays = Replays(report.plan)
    link, alike = story.link or replays.link, len({*report.players}) < len(report.parts)
    for k, (part, title) in enumerate(zip(report.parts, story.titles, strict=True), 1):
        tables = [
            (section, [example and story.links(part, example) for example in section.examples])
            for section in sections(report, part)
        ]
        parts.append(
            {  # parts have numbers where that of their players doesn't tell them apart
                "id": f"{part.players}-{k}" if alike else str(part.players),
                "title": f"Group {k}: {title}" if alike else title,
                "tables": tables,
                "plots": plots(part),
            }
        )
        tick("drawing", 1, len(report.parts))
    judged = f"Each number of players is judged apart; a card shows the worst of them. {', '.join(WORDS.values())}."
    cards = [card_context(answer, story, link, alike=alike) for answer in story.answers]  # which may ask for replays
    context = {"told": story, "cards": cards, "judged": judged, "findings": story.listed(link), "parts": parts}
    return rendered(**vars(story) | context, appendix=appendix, replays=replays.panels.values())


def card_context(card: Answered, story: Told, link: Linker, *, alike: bool) -> dict[str, Any]:
    """A question's card as the template takes it, with a game where there is one to look at."""
    parts, main = story.report.parts, card.main
    labels = [f"group {k}" if alike else f"{part.players} players" for k, part in enumerate(parts, 1)]
    at = card.answers.index(main)
    rows = list[Bar]()
    for label, each in zip(labels, card.answers, strict=True):
        if each.number.count:
            own = each.own or each.verdict
            rows.append(Bar(label, each.number, each.short, True, each.usual, own, WORDS[own][0]))
        if each.start.count:
            signed = plain(each.start, 1, write=signed_number)
            rows.append(Bar("starting", absolute(each.start), signed, True, None, LOOK, WORDS[LOOK][0]))
    return {
        "question": card.question,
        "of": labels[at],
        "main": main,
        "verdict": WORDS[main.verdict],
        "picture": picture(rows, card.question.scale, card.question.title) if rows else "",
        "link": link(parts[at], main.example) if main.verdict == LOOK and main.example is not None else None,
    }
