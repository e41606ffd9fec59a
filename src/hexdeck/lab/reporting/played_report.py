"""A report on matches that were played at tables: its findings, tables and page."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import ADJECTIVES
from hexdeck.engine.text import Catalogue, Text, _, say, say_n
from hexdeck.lab.counts import ENDED
from hexdeck.lab.messages import can_come
from hexdeck.lab.pace import USUAL
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.answers.answers import LOOK, Answered, card_context, criteria
from hexdeck.lab.reporting.answers.by_people import BY_PEOPLE, CAVEAT, answered_by_people, group_labels
from hexdeck.lab.reporting.examples import Link, Linker
from hexdeck.lab.reporting.feedback.section import feedback, feedback_findings
from hexdeck.lab.reporting.findings import Tests, rare, why
from hexdeck.lab.reporting.measures import Cell, Example, Finding, Section, signed
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.page import rendered, tables_context
from hexdeck.lab.reporting.played import PAUSE, PERSON, PROGRAM, SHARED, Group, PlayedMatches
from hexdeck.lab.reporting.report import Part, comparisons
from hexdeck.lab.reporting.sections import causes, deals, minutes_section, of_tables, power, seats
from hexdeck.lab.reporting.tables import (
    CHOICES,
    ENDINGS,
    EVENTS,
    LENGTH,
    LONG,
    MOVES_MADE,
    SHAPE,
    TENSION,
    place_title,
)
from hexdeck.stats import FEW_GAMES, Estimate, mean, mean_of_few, mean_share, median, ratio

TIMES = 5  # matches that it takes for a finding about kinds of players, or the longest match
LAST_PLY = 10**6  # stands for the end of a match
WHO = {PERSON: say("people"), PROGRAM: say("programs over the network"), SHARED: say("a person and a bot in turn")}
AHEAD_OR_BEHIND = {
    True: _("With {players} players, {who} do better than the rest of their table: {gap} above its mean."),
    False: _("With {players} players, {who} do worse than the rest of their table: {gap} below its mean."),
}


@dataclass(frozen=True)
class PlayedReport:
    """A report on played matches; `left`: what was left out and why; `site`: the address of the replays' server."""

    matches: PlayedMatches
    left: tuple[Text, ...] = ()
    site: str = ""

    @functools.cached_property
    def parts(self) -> tuple[Part, ...]:
        """The groups as parts of a report."""
        return tuple(group.part for group in self.matches.groups)

    def part(self, group: Group) -> Part:
        """A group as a part of this report."""
        return next(part for part, each in zip(self.parts, self.matches.groups, strict=True) if each is group)

    @property
    def tests(self) -> int:
        """How many tests are made in all groups together."""
        groups = self.matches.groups
        return comparisons(group.game.players for group in groups) + sum(len(group.mixed) for group in groups)

    @functools.cached_property
    def answers(self) -> list[Answered]:
        """The answers of the first page."""
        return answered_by_people(self.asked, self.matches.groups)

    @property
    def all_findings(self) -> list[tuple[Group, Finding]]:
        """Every finding with its group."""
        return [(group, found) for group in self.matches.groups for found in self.findings(group)]

    def findings(self, group: Group) -> list[Finding]:
        """The findings about a group, significant at 5 % for all groups together."""
        part = self.part(group)
        return [*self.asked.sure([part]), *why(self, part), *mixed_findings(group, self.tests),
                *missing_endings(group), *longest_match(group), *feedback_findings(group, self.tests)]  # fmt: skip

    @functools.cached_property
    def asked(self) -> Tests:
        """The questions about all groups, and which are significant for all of them together."""
        return Tests(self)

    def linker(self, group: Group) -> Linker:
        """Links to a group's matches: the addresses of replays, where these may be watched."""

        def link(_part: Part, example: Example) -> Link | None:
            path = group.paths[example.number]
            if not path:
                return None
            ply = example.ply if example.ply is not None else LAST_PLY
            return Link(path.rpartition("/")[2], f"{self.site}{path}?ply={ply}")

        return link


# --- tables -----------------------------------------------------------------------------------------------------------
def title(group: Group, label: Text | None = None) -> Text:
    """The title of a group: players, options that aren't at their defaults, matches; `label`: what pictures call it."""
    options = changed_options(group.game)
    if label is not None and "number" in label.args:
        return say("Group {number}: {title}", number=label.args["number"], title=title(group))
    if options:
        return say("{players} players, {options}: {games} matches", players=group.game.players,
                   options=", ".join(options), games=len(group))  # fmt: skip
    return say("{players} players: {games} matches", players=group.game.players, games=len(group))


def sections(played: PlayedReport, group: Group) -> list[Section]:
    """All tables of a group."""
    part = played.part(group)
    return [
        seats(part, known(group, played.tests)), length(group), *expected_minutes(group),
        *of_tables(part, ENDINGS, MOVES_MADE, EVENTS), *analysis_sections(part), *causes(played, part),
        *mixed_tables(group), *feedback(group.said),
    ]  # fmt: skip


def analysis_sections(part: Part) -> Iterator[Section]:
    """The tables of choices, tension and shape, if matches were analysed."""
    if part.analyses:
        yield from of_tables(part, CHOICES, TENSION, SHAPE)


def known(group: Group, tests: int) -> Text:
    """The smallest advantage of a seat that these matches would find."""
    if not all(group.same_kind):
        return say(
            "Different kinds of players sat together, so nothing here shows whether one seat is better than another."
        )
    return power(group.part, tests)


def length(group: Group) -> Section:
    """Rounds, turns, decisions, and real time."""
    part, of, minutes = group.part, group.statistics, np.array(group.minutes)
    rows: list[tuple[Cell, ...]] = [
        *deals(part), *next(LENGTH.sections(part)).rows,
        (say("moves to choose from, where there is a choice"), numbers.plain(of["legal"])),
        (say("minutes from the deal to the end"), numbers.plain(mean(minutes))),
        (say("minutes, median match"), numbers.plain(median(minutes))), *thinking_time(group),
    ]  # fmt: skip
    note = say_n(
        "Real time. A wait of more than {minutes} minutes is a pause and isn't counted: there was {n}.",
        "Real time. A wait of more than {minutes} minutes is a pause and isn't counted: there were {n}.",
        sum(group.pauses), minutes=round(PAUSE / 60),
    )  # fmt: skip
    return Section("length", say("Length of a match"), (say("length"), say("mean")), tuple(rows), note)


def expected_minutes(group: Group) -> Iterator[Section]:
    """The table of minutes by the model, with choices that take as long as people took for them here."""
    if group.pace is not None:
        count = sum(number for number, _seconds in group.choices)
        seconds = numbers.number(group.pace[0].think, 1)
        pace = say_n(
            "A model, measured by {n} choice of a person: {think} seconds for a choice between {moves} moves",
            "A model, measured by {n} choices of people: {think} seconds for a choice between {moves} moves",
            count, think=seconds, moves=USUAL,
        )  # fmt: skip
        yield minutes_section(group.part, group.pace, pace)


def thinking_time(group: Group) -> Iterator[tuple[Cell, ...]]:
    """The row with the mean time that people took for a choice, if any did."""
    number, seconds = np.array(group.choices, np.float64).T
    if number.sum():
        yield say("seconds a person took per choice"), numbers.plain(ratio(seconds, number))


def mixed_tables(group: Group) -> Iterator[Section]:
    """The results of people and of bots, in matches with different kinds of players."""
    known = {who: found for who, found in group.mixed.items() if found}
    if not known:
        return
    rows: list[tuple[Cell, ...]] = []
    for who in sorted(known, key=lambda each: (each != PERSON, each)):
        gain, places = results_of(group, who)
        rows.append((called(who), str(len(known[who])), signed(gain, group.part), numbers.percent(places)))
    heads = say("who"), say("matches"), say("above the mean"), place_title(group.part)
    note = say(
        "From matches with different kinds of players; results are above the mean of the table. A seat that "
        "somebody took over during the match counts as played by both in turn.")  # fmt: skip
    yield Section("company", say("People and bots"), heads, tuple(rows), note)


def results_of(group: Group, who: str) -> tuple[Estimate, Estimate]:
    """How far ahead of the mean of their tables some players came, and their share of the place that decides."""
    gains, shares, varies = (np.array(column) for column in list(zip(*group.mixed[who], strict=True))[1:])
    few = len(gains) < FEW_GAMES
    freedom = len(gains) * (group.game.players - 1)
    return mean_of_few(gains, varies, freedom) if few else mean(gains), mean_share(shares)


def called(who: str) -> Text:
    """The words for who played a seat."""
    return WHO.get(who) or say("bots: {name}", name=say(ADJECTIVES[who]) if who in ADJECTIVES else who)


# --- findings ---------------------------------------------------------------------------------------------------------
def mixed_findings(group: Group, tests: int) -> Iterator[Finding]:
    """Kinds of players that come out significantly ahead of others, or behind."""
    for who, found in group.mixed.items():
        gain, _places = results_of(group, who)
        if len(found) >= TIMES and gain.significant(0.0, tests):
            gap = numbers.gap(gain, group.part.measure)
            text = say(AHEAD_OR_BEHIND[gain.value > 0], players=group.game.players, who=called(who), gap=gap)
            shown = (max if gain.value > 0 else min)(found, key=lambda row: row[1])
            yield Finding(f"company {who}", (group.game.players,), text, example=Example(shown[0]))


def missing_endings(group: Group) -> Iterator[Finding]:
    """Endings that never came in many matches, though they can with these options."""
    names = group.game.rules.ENDINGS
    for k, ending in enumerate(group.game.endings[1:], 1):
        if rare(len(group)) and not group.statistics[ENDED, k].value and can_come(group.game, "ended", names[k]):
            text = _("None of {games} matches with {players} players ended this way: {ending}.")
            yield Finding("unseen", (group.game.players,),
                          say(text, games=len(group), players=group.game.players, ending=ending))  # fmt: skip


def longest_match(group: Group) -> Iterator[Finding]:
    """The longest match, if it took much longer than the median one."""
    longest, middle = max(group.minutes), float(np.median(group.minutes))
    if len(group) >= TIMES and longest > LONG * middle > 0:
        text = _("With {players} players, the longest match took {long} minutes; half of them took at most {middle}.")
        yield Finding("minutes", (group.game.players,), say(
            text, players=group.game.players, long=numbers.number(longest, 0), middle=numbers.number(middle, 0),
        ), example=Example(group.minutes.index(longest)))  # fmt: skip


# --- the page ---------------------------------------------------------------------------------------------------------
def intro(played: PlayedReport) -> list[Text]:
    """The introduction: what was counted, and what was left out."""
    groups = played.matches.groups
    lines = [
        say_n(
            "{n} match played at a table. ± is the half-width of the 95 % confidence interval.",
            "{n} matches played at tables. ± is the half-width of the 95 % confidence interval.",
            sum(map(len, groups)),
        ),
        *played.left,
    ]  # fmt: skip
    return [*lines, *([numbers.INTERRUPTED] if played.matches.interrupted else [])]


def closing(played: PlayedReport) -> list[Text]:
    """The closing notes: how to read the report, and who made the game."""
    return [
        say(
            "The intervals treat matches as independent; if the same people played many of them, they are too "
            "narrow. Findings about seats are listed only if every seat had the same kind of player."),
        played.matches.game.table.ABOUT.credit,
    ]  # fmt: skip


NOTHING = say("Nothing stands out in these matches.")


def page(played: PlayedReport, catalogue: Catalogue) -> str:
    """The page of a report in a catalogue's language."""
    words, groups = catalogue.words, played.matches.groups
    labels = list(group_labels(groups))
    return rendered(
        catalogue, title=words(say("Played: {title}", title=played.matches.game.table.TITLE)),
        intro=[words(line) for line in intro(played)],
        heading=words(say("Findings")), nothing=words(NOTHING), heading_parts=words(say("Settings")),
        caveat=words(CAVEAT), answers_title=words(say("In short")), criteria=criteria(BY_PEOPLE, catalogue),
        answers=[card_context(each, labels, shown_by(played, each), catalogue) for each in played.answers],
        findings=[finding_context(played, *each, catalogue) for each in played.all_findings],
        folded=words(say("All figures")),
        parts=[group_context(played, k, group, catalogue, label)
               for k, (group, label) in enumerate(zip(groups, labels, strict=True), 1)],
        closing=[words(line) for line in closing(played)],
    )  # fmt: skip


def finding_context(played: PlayedReport, group: Group, found: Finding, catalogue: Catalogue) -> dict[str, Any]:
    """A finding as the template takes it, with the link to a match that shows it."""
    link = played.linker(group)(group.part, found.example) if found.example else None
    return {"text": catalogue.words(found.text), "shown": link, "see": catalogue.words(say("see"))}


def shown_by(played: PlayedReport, answered: Answered) -> Link | None:
    """The link to a match that shows what is to be looked at."""
    main = answered.main
    group = next(group for group, each in zip(played.matches.groups, answered.answers, strict=True) if each is main)
    if main.verdict != LOOK or main.example is None:
        return None
    return played.linker(group)(group.part, main.example)


def group_context(played: PlayedReport, number: int, group: Group, catalogue: Catalogue, label: Text) -> dict[str, Any]:
    """A group as the template takes it."""
    part = played.part(group)
    tables = tables_context(part, sections(played, group), played.linker(group), catalogue, number)
    return {
        "id": f"{part.players}-{number}",
        "title": catalogue.words(title(group, label)),
        "tables": tables,
        "command": "",
    }
