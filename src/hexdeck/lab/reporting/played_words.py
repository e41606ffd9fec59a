"""A report on matches that were played at tables: its tables, its findings, its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import ADJECTIVES
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.text import Catalogue, Text, _, say, say_n
from hexdeck.lab.counting.message_counts import can
from hexdeck.lab.counting.metrics import ENDED
from hexdeck.lab.counting.stats import Estimate, bootstrapped, mean, ratio
from hexdeck.lab.reporting import number_format as words
from hexdeck.lab.reporting.changes import changed
from hexdeck.lab.reporting.examples import Shown, Way, Where, of_finding
from hexdeck.lab.reporting.findings import Finding, fairness, rare, ties
from hexdeck.lab.reporting.findings import tension as settled_early
from hexdeck.lab.reporting.page import FOLDER, rendered, shown_table
from hexdeck.lab.reporting.played import PAUSE, PERSON, PROGRAM, SHARED, Gathered, Group
from hexdeck.lab.reporting.plots import plots
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.sections import (
    Cell,
    Section,
    ahead,
    choices,
    endings,
    lengths,
    moves,
    place_title,
    power,
    seats,
    tension,
    told,
)

TIMES = 5  # rows of company are told from so many matches on
WHO = {PERSON: say("people"), PROGRAM: say("programs over the network"), SHARED: say("a person and a bot in turn")}
COMPANY = {
    True: _("With {players} players, {who} come out ahead of the rest of their table, by {gap} over its mean."),
    False: _("With {players} players, {who} come out behind the rest of their table, by {gap} below its mean."),
}


@dataclass(frozen=True)
class Played:
    """What came of matches at tables: `left`: what was left out and why; `site`: where replays are, "" if nowhere."""

    gathered: Gathered
    left: tuple[Text, ...] = ()
    site: str = ""

    @property
    def table(self) -> Any:
        """The game's words."""
        return definition(self.gathered.name).table

    @property
    def tests(self) -> int:
        """How many comparisons are made of everything together."""
        return sum(group.game.players + 1 + len(group.company) for group in self.gathered.groups)

    def findings(self, group: Group) -> list[Finding]:
        """What is sure enough of a group to be told, at 5 % for all groups together."""
        part = group.part
        fair = fairness(part, self.tests) if all(group.alike) else iter(())
        return [*fair, *ties(part, self.tests), *company_findings(group, self.tests), *unseen(group),
                *settled_early(part, self.tests), *paused(group)]  # fmt: skip

    def way(self, group: Group) -> Way:
        """The way to see a match: the address of its replay, where it may be seen."""

        def way(_part: Part, where: Where) -> Shown | None:
            path = group.paths[where.number]
            if not path:
                return None
            ply = where.ply if where.ply is not None else 10**6
            return Shown(path.rpartition("/")[2], f"{self.site}{path}?ply={ply}")

        return way


# --- tables -----------------------------------------------------------------------------------------------------------
def title(group: Group) -> Text:
    """What a group is called: players, options that aren't as usual, matches."""
    options = changed(group.game)
    if options:
        return say("{players} players, {options}: {games} matches", players=group.game.players,
                   options=", ".join(options), games=len(group))  # fmt: skip
    return say("{players} players: {games} matches", players=group.game.players, games=len(group))


def sections(group: Group, tests: int) -> list[Section]:
    """All tables of a group, with so many comparisons in the whole report."""
    part = group.part
    return [seats(part, known(group, tests)), length(group), endings(part), moves(part), told(part), *inside(part),
            *company(group)]  # fmt: skip


def inside(part: Part) -> Iterator[Section]:
    """What was seen inside of matches, if any were looked at."""
    if part.seen:
        yield from (choices(part), tension(part))


def known(group: Group, tests: int) -> Text:
    """How large an advantage of a seat these matches would find."""
    if not all(group.alike):
        return say(
            "Players of different kinds sat together, so nothing here tells whether a seat is better than another."
        )
    return power(group.part, tests)


def length(group: Group) -> Section:
    """Rounds, turns, decisions, and how long it really took."""
    of, minutes = group.collected, np.array(group.minutes)
    middle = bootstrapped(minutes, np.median)
    rows: list[tuple[Cell, ...]] = [
        *lengths(group.part),
        (say("moves to choose from, where there is a choice"), words.plain(of["legal"])),
        (say("minutes from the deal to the end"), words.plain(mean(minutes))),
        (say("minutes in the middle match"), words.plain(middle)), *thought(group),
    ]  # fmt: skip
    note = say_n(
        "Real time. Whatever lasted longer than {minutes} minutes is a pause and isn't counted: there was {n}.",
        "Real time. Whatever lasted longer than {minutes} minutes is a pause and isn't counted: there were {n}.",
        sum(group.pauses), minutes=round(PAUSE / 60),
    )  # fmt: skip
    return Section("length", say("Length of a match"), (say("length"), say("mean")), tuple(rows), note)


def thought(group: Group) -> Iterator[tuple[Cell, ...]]:
    """How long people thought."""
    number, seconds = np.array(group.choices, np.float64).T
    if number.sum():
        yield say("seconds a person took for a choice"), words.plain(ratio(seconds, number))


def company(group: Group) -> Iterator[Section]:
    """People against bots: in matches where not all were the same."""
    known = {who: found for who, found in group.company.items() if found}
    if not known:
        return
    rows: list[tuple[Cell, ...]] = []
    for who in sorted(known, key=lambda each: (each != PERSON, each)):
        gain, places = came(group, who)
        rows.append((called(who), str(len(known[who])), ahead(gain, group.part), words.percent(places)))
    heads = say("who"), say("matches"), say("above the mean"), place_title(group.part)
    note = say("Of matches in which not everybody was of the same kind; above the mean of the table. Where somebody "
               "took over a seat in the middle, it counts as played by both in turn.")  # fmt: skip
    yield Section("company", say("People and bots"), heads, tuple(rows), note)


def came(group: Group, who: str) -> tuple[Estimate, Estimate]:
    """How far ahead of the mean of their tables some came, and their share of the place that decides."""
    gains, shares = (np.array(column) for column in list(zip(*group.company[who], strict=True))[1:])
    return mean(gains), mean(shares)


def called(who: str) -> Text:
    """What those who played a seat are called."""
    return WHO.get(who) or say("bots: {name}", name=say(ADJECTIVES[who]) if who in ADJECTIVES else who)


# --- findings ---------------------------------------------------------------------------------------------------------
def company_findings(group: Group, tests: int) -> Iterator[Finding]:
    """Who surely comes out ahead of others, or behind."""
    for who, found in group.company.items():
        gain, _places = came(group, who)
        if len(found) >= TIMES and gain.sure(0.0, tests):
            gap = words.gap(gain, group.part.measure)
            text = say(COMPANY[gain.value > 0], players=group.game.players, who=called(who), gap=gap)
            yield Finding(f"company {who}", (group.game.players,), text)


def unseen(group: Group) -> Iterator[Finding]:
    """Endings that never came in many matches, though they can with these options."""
    names = group.game.rules.ENDINGS
    for k, ending in enumerate(group.game.table.ENDED[1:], 1):
        if rare(len(group)) and not group.collected[ENDED, k].value and can(group.game, "ended", names[k]):
            text = _("Not one of {games} matches with {players} players ended so: {ending}.")
            yield Finding("unseen", (group.game.players,),
                          say(text, games=len(group), players=group.game.players, ending=ending))  # fmt: skip


def paused(group: Group) -> Iterator[Finding]:
    """The longest match in minutes, if it took much longer than the middle one."""
    longest, middle = max(group.minutes), float(np.median(group.minutes))
    if len(group) >= TIMES and longest > 2.5 * middle > 0:
        text = _("With {players} players, the longest match took {long} minutes; half of them took at most {middle}.")
        yield Finding("minutes", (group.game.players,), say(
            text, players=group.game.players, long=words.number(longest, 0), middle=words.number(middle, 0),
        ))  # fmt: skip


def example(group: Group, found: Finding) -> Where | None:
    """A match that shows what a finding says."""
    kind, _space, who = found.kind.partition(" ")
    if kind == "minutes":
        return Where(group.minutes.index(max(group.minutes)))
    if kind == "company":
        rows = group.company[who]
        ahead_of = came(group, who)[0].value > 0
        return Where((max if ahead_of else min)(rows, key=lambda row: row[1])[0])
    shown = of_finding(found, [group.part])
    return shown[1] if shown else None


# --- the page ---------------------------------------------------------------------------------------------------------
def intro(played: Played) -> list[Text]:
    """What was counted, and what was left out."""
    groups = played.gathered.groups
    lines = [
        say_n(
            "{n} match that was played at a table. What stands after ± is half of the 95 % interval.",
            "{n} matches that were played at tables. What stands after ± is half of the 95 % interval.",
            sum(map(len, groups)),
        ),
        *played.left,
    ]  # fmt: skip
    return [*lines, *([words.INTERRUPTED] if played.gathered.interrupted else [])]


def closing(played: Played) -> list[Text]:
    """How to read it, and whose game it is."""
    return [
        say("Intervals take matches as independent; where the same people played many, they are too narrow. Findings "
            "about seats are told only where the same kind of player sat on every seat."),
        played.table.CREDIT,
    ]  # fmt: skip


NOTHING = say("Nothing stands out in these matches.")


def page(played: Played, own: Catalogue) -> str:
    """The whole page, in the language of a catalogue."""
    from markupsafe import Markup

    say_it = own.words
    groups = played.gathered.groups
    return rendered(
        lang=own.lang, style=Markup((FOLDER / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - a file of ours
        title=say_it(say("Played: {title}", title=played.table.TITLE)), intro=[say_it(line) for line in intro(played)],
        heading=say_it(say("Findings")), nothing=say_it(NOTHING), heading_parts=say_it(say("Settings")),
        findings=[pointed(played, *each, own) for each in found_of(played)],
        parts=[of_group(played, k, group, own) for k, group in enumerate(groups, 1)],
        closing=[say_it(line) for line in closing(played)],
    )  # fmt: skip


def pointed(played: Played, group: Group, found: Finding, own: Catalogue) -> dict[str, Any]:
    """A finding in words, with the replay of a match that shows it."""
    where = example(group, found)
    shown = played.way(group)(group.part, where) if where else None
    return {"text": own.words(found.text), "shown": shown, "see": own.words(say("see"))}


def of_group(played: Played, number: int, group: Group, own: Catalogue) -> dict[str, Any]:
    """What the template needs of a group."""
    from markupsafe import Markup

    part, way = group.part, played.way(group)
    drawn = {
        each.section: {"plot": Markup(apart(each.svg, part, number)), "caption": each.title}  # noqa: S704 - drawn by us
        for each in plots(part, own)
    }
    tables = [shown_table(part, each, way, own) | drawn.get(each.id, {}) for each in sections(group, played.tests)]
    return {"id": f"{part.players}-{number}", "title": own.words(title(group)), "tables": tables, "command": ""}


def apart(svg: str, part: Part, number: int) -> str:
    """A plot whose ids no other group's has, though it is for as many players."""
    for name in ("seats", "length", "tension"):
        svg = svg.replace(f"{name}-{part.players}-", f"{name}-{part.players}-{number}-")
    return svg


def found_of(played: Played) -> list[tuple[Group, Finding]]:
    """Every finding with its group."""
    return [(group, found) for group in played.gathered.groups for found in played.findings(group)]
