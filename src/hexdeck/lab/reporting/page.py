"""A report as one self-contained web page: no scripts, nothing loaded, light or dark, printable."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck import __version__
from hexdeck.bots.players.names import spoken
from hexdeck.engine.play.story import view_at
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.log import matches
from hexdeck.lab.reporting.answers import LOOK, SIGNS, WORDS, Answered, answered, verdict_text
from hexdeck.lab.reporting.charts import EstimateRow, picture, plots
from hexdeck.lab.reporting.findings import Tests, findings
from hexdeck.lab.reporting.measures import Example, Finding
from hexdeck.lab.reporting.report import SETTLING, Plan, Report, ReportPart, Tick
from hexdeck.lab.reporting.sections import sections
from hexdeck.lab.reporting.wording import ENGLISH, INTERRUPTED, bots_text, changed_options, count, written

if TYPE_CHECKING:
    from jinja2 import Template


# --- games to look at -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Link:
    """How to see an example: a short name for it, and the address of its replay or else the command to type.

    `panel`: the id of the element that shows it, where the page has it in itself.
    """

    short: str
    address: str = ""
    command: str = ""
    panel: str = ""


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
    again = ["hexdeck", verb, part.game.name, "--players", part.players, *options, *bots, "--seed", plan.seed, *more]
    return shlex.join(map(str, again))


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
        own = replace(ENGLISH, names=match.names)
        lines = [
            (at, own.words(fact.text))
            for at, facts in enumerate(match.narration(), 1)
            for fact in facts
            if fact.heard_by(-1)
        ]
        spoken_of = max((at for at, _text in lines if at <= (ply or 0)), default=ply and lines[0][0])
        tables = [(say("The table at the end"), match.length)]
        if ply is not None and ply < match.length:
            tables.insert(0, (say("The table then, with open cards"), ply))
        return {
            "title": say("Game {number} of those with {players} players", number=example.number, players=part.players),
            "lines": [(text, at == spoken_of) for at, text in lines],
            "tables": [(title, view_at(match, at, None).text("en", suits=True)) for title, at in tables],
        }


# --- what is told -----------------------------------------------------------------------------------------------------
CAVEAT = say(
    "Bots played all of this, and they don't play as people do: take it as a reason to look, not as a verdict."
)
NOTHING = say("Nothing stands out: no seat has an advantage, and everything that can happen does happen.")


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
    findings: Sequence[tuple[ReportPart | None, Finding]]
    nothing: Text
    titles: Sequence[Text]
    closing: Sequence[Text]
    commands: Sequence[Text] = ()
    link: Linker | None = None

    @property
    def links(self) -> Linker:
        """Links to games from outside a page."""
        return self.link or command_linker(self.report.plan)

    def listed(self, link: Linker) -> list[tuple[Text, Link | None]]:
        """The findings, each with a link to a game that shows it, if there is one."""
        return [
            (finding.text, None if part is None or finding.example is None else link(part, finding.example))
            for part, finding in self.findings
        ]


def told(report: Report) -> Told:
    """What is told of a report on games of bots."""
    by_players = {part.players: part for part in report.parts}
    return Told(
        report,
        say("Playtest: {title}", title=report.game.table.ABOUT.title),
        intro(report),
        CAVEAT,
        answered(Tests(report)),
        [(by_players.get(finding.players[0]), finding) for finding in findings(report)],
        NOTHING,
        [
            say("{players} players, {games} games", players=part.players, games=count(len(part.statistics)))
            for part in report.parts
        ],
        closing(report),
        [say("Run this again: {command}", command=again(report.plan, part)) for part in report.parts],
    )


def intro(report: Report) -> list[Text]:
    """The introduction: what was played, how, and which options aren't at their defaults."""
    text = _("{games} games between bots ({bots}), seed {seed}. ± is the half-width of the 95 % confidence interval.")
    bots, seed = bots_text(report.plan.bots), str(report.plan.seed)
    lines = [report.game.table.ABOUT.text, say(text, games=count(report.games), bots=bots, seed=seed)]
    options = changed_options(report.game)
    if options:
        lines.append(say("Options: {options}.", options=", ".join(options)))
    if report.looks > 1:
        text = _("Where an answer couldn't tell, more games were looked into, for at most {seconds} seconds.")
        lines.append(say(text, seconds=round(SETTLING)))
    if report.interrupted:
        lines.append(INTERRUPTED)
    return lines


def made_with(command: str) -> Text:
    """The version, date and command that made a page."""
    return say(
        "Made with hexdeck {version} on {date}: {command}",
        version=__version__,
        command=command,
        date=datetime.now(UTC).date().isoformat(),
    )


def again(plan: Plan, part: ReportPart) -> str:
    """The command that makes exactly this part again."""
    thinking = ["--thinking", plan.thinking] if plan.thinking else []
    counts = "--games", len(part.statistics), "--sample", len(part.analyses)
    return command("report", part, plan, *counts, *thinking, "--pace", f"{plan.pace:g}")


def closing(report: Report) -> list[Text]:
    """The closing notes: how to read the report, how it was made, and who made the game."""
    show = command_linker(report.plan)(report.parts[0], Example(0, 1))
    players = map(str, (part.players for part in report.parts))
    return [
        say(
            "Under “see” are the number of a game and a ply of it. To show the first game at ply 1: {command}",
            command=show.command,
        ),
        say("Findings about seats are listed only if they are significant at 5 % for all comparisons together."),
        made_with(" ".join(["hexdeck", "report", report.game.name, "--players", *players])),
        report.game.table.ABOUT.credit,
    ]


# --- the page ---------------------------------------------------------------------------------------------------------
FOLDER = Path(__file__).parent / "templates"
HEADINGS = {
    "findings": say("Findings"),
    "figures": say("All figures"),
    "answers": say("In short"),
    "see": say("see"),
    "close": say("Close"),
    "again": say("To step through it:"),
    "judged": say("How these answers are judged"),
}
ALONE: dict[str, Any] = {"told": None, "nothing": "", "appendix": False, "cards": [], "replays": [], "judged": ""}


@cache
def template() -> Template:
    """The Jinja template of pages."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    ).get_template("report.html")


def rendered(**context: Any) -> str:
    """A page; no line breaks between a number and its % or ±."""
    style = (FOLDER / "report.css").read_text(encoding="utf-8")
    context = {"style": style, "t": partial(written, suits=True), "headings": HEADINGS} | ALONE | context
    return re.sub(r"(?<=\d) (?=[%±])", "\u00a0", template().render(context))


def page(story: Told, tick: Tick = lambda _what, _done, _of: None, *, appendix: bool = False) -> str:
    """The page of a report; `appendix`: with all tables unfolded, so that print has them."""
    parts = []
    for k in range(len(story.report.parts)):
        parts.append(part_context(story, k))
        tick(say("drawing"), 1, len(story.report.parts))
    replays = Replays(story.report.plan)
    link, signs = story.link or replays.link, ", ".join(str(verdict_text(word)) for word in WORDS)
    judged = say("Each number of players is judged apart; a card shows the worst of them. {signs}.", signs=signs)
    return rendered(
        title=story.title,
        intro=story.intro,
        told=story,
        appendix=appendix,
        parts=parts,
        closing=story.closing,
        cards=[card_context(answer, story, link) for answer in story.answers],
        judged=judged,
        findings=story.listed(link),
        nothing=story.nothing,
        replays=replays.panels.values(),
    )


def same_players(parts: Sequence[ReportPart]) -> bool:
    """Whether some parts have the same number of players."""
    return len({part.players for part in parts}) < len(parts)


def part_context(story: Told, k: int) -> dict[str, Any]:
    """A part as the template takes it; parts have numbers where that of their players doesn't tell them apart."""
    part, title, name = story.report.parts[k], story.titles[k], str(story.report.parts[k].players)
    if same_players(story.report.parts):
        name, title = f"{name}-{k + 1}", say("Group {number}: {title}", number=k + 1, title=title)
    tables = [
        (section, [example and story.links(part, example) for example in section.examples])
        for section in sections(story.report, part)
    ]
    return {
        "id": name,
        "title": title,
        "tables": tables,
        "plots": plots(part),
        "command": story.commands[k] if story.commands else "",
    }


def card_context(card: Answered, story: Told, link: Linker) -> dict[str, Any]:
    """A question's card as the template takes it, with a game where there is one to look at."""
    parts, main = story.report.parts, card.main
    labels = [say("{players} players", players=part.players) for part in parts]
    if same_players(parts):
        labels = [say("group {number}", number=k) for k in range(1, len(parts) + 1)]
    part = next(part for part, answer in zip(parts, card.answers, strict=True) if answer is main)
    rows = [
        EstimateRow(str(label), one.number, str(one.short), one.usual, one.verdict, SIGNS[one.verdict])
        for label, one in zip(labels, card.answers, strict=True)
        if one.number.count
    ]
    return {
        "question": card.question,
        "main": main,
        "verdict": verdict_text(main.verdict),
        "picture": picture(rows, card.question.scale, str(card.question.title)) if rows else "",
        "link": link(part, main.example) if main.verdict == LOOK and main.example is not None else None,
    }
