"""What is told of a report on matches that were played at tables."""

from __future__ import annotations

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.answers.answers import answered
from hexdeck.lab.reporting.answers.by_people import BY_PEOPLE, CAVEAT, OF_PEOPLE, WAYS
from hexdeck.lab.reporting.examples import Link
from hexdeck.lab.reporting.findings import Tests, never_ended, why
from hexdeck.lab.reporting.measures import Example
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.page import Told
from hexdeck.lab.reporting.people import of
from hexdeck.lab.reporting.played import PlayedReport
from hexdeck.lab.reporting.report import Part

LAST_PLY = 10**6  # stands for the end of a match
NEVER_ENDED = _("None of {games} matches with {players} players ended this way: {ending}.")


def told_of_people(report: PlayedReport) -> Told:
    """What is told of a report on matches from tables."""
    tests = Tests(report)

    def link(part: Part, example: Example) -> Link | None:
        path = of(part).paths[example.number]
        ply = example.ply if example.ply is not None else LAST_PLY
        return Link(path.rpartition("/")[2], f"{report.site}{path}?ply={ply}") if path else None

    return Told(
        report, say("Played: {title}", title=report.game.table.ABOUT.title), intro(report), CAVEAT,
        answered(report, tests, OF_PEOPLE, WAYS), BY_PEOPLE,
        [(part, found) for part in report.parts
         for found in (*tests.sure([part]), *why(report, part), *never_ended([part], NEVER_ENDED))],
        say("Nothing stands out in these matches."), [*map(title, report.parts)],
        [say("The intervals treat matches as independent; if the same people played many of them, they are too narrow. "
             "Findings about seats are listed only if every seat had the same kind of player."),
         report.game.table.ABOUT.credit],
        link=link,
    )  # fmt: skip


def title(part: Part) -> Text:
    """The title of a part: players, options that aren't at their defaults, matches."""
    options, games = ", ".join(changed_options(part.game)), len(part.statistics)
    if not options:
        return say("{players} players: {games} matches", players=part.players, games=games)
    return say("{players} players, {options}: {games} matches", players=part.players, options=options, games=games)


def intro(report: PlayedReport) -> list[Text]:
    """The introduction: the game, what was counted, and what was left out."""
    counted = say_n(
        "{n} match played at a table. ± is the half-width of the 95 % confidence interval.",
        "{n} matches played at tables. ± is the half-width of the 95 % confidence interval.",
        sum(len(part.statistics) for part in report.parts),
    )  # fmt: skip
    interrupted = [numbers.INTERRUPTED] if report.interrupted else []
    return [report.game.table.ABOUT.text, counted, *report.left, *interrupted]
