"""Matches that were played at tables: counted as simulated games are, and besides by time and by who played."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.lab.causes import CauseStudy
from hexdeck.lab.counts import CARDS, SCREEN, GameStatistics, Tempo, games_counted, metric_table, place_shares_of
from hexdeck.lab.log import PlayedMatch, SimulationSetup, log_of
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting import answers, charts, page, people, wording
from hexdeck.lab.reporting.answers import FINE, LOOK, UNSURE, ReportAnswer, of_minutes
from hexdeck.lab.reporting.findings import Tests, never_ended, unanswered
from hexdeck.lab.reporting.measures import LONG, SELDOM, Example, Measure, percent_of_whole
from hexdeck.lab.reporting.report import LOOKING, NAMED, Plan, Report, ReportPart, Tick
from hexdeck.lab.studies import StartStudy, add_log, starting_of
from hexdeck.lab.tension import LEAST, MatchAnalyser, MatchAnalysis, MomentAnalysis, analyse_matches
from hexdeck.stats import Estimate

ANALYSED = 200  # matches of a group that are kept for analysis
SINGLE, OTHER = "single", "other"  # why a match was left out


@dataclass
class Group:
    """Matches with the same players and options: their statistics, and what only tables know of each match.

    `mixed`: by who played, a row for each match with different kinds of players: its number, how far ahead of the mean
    of the table they came, their share of the place that decides, and the variance of the former.
    """

    game: GameSetup
    statistics: GameStatistics
    messages: MessageCounts
    starts: StartStudy | None
    causes: CauseStudy | None
    minutes: list[float] = field(default_factory=list)  # from the deal to the end, without pauses
    pauses: list[int] = field(default_factory=list)
    choices: list[tuple[int, float]] = field(default_factory=list)  # of people, and the seconds they took
    same_kind: list[bool] = field(default_factory=list)  # whether all seats had the same kind of player
    mixed: dict[str, list[tuple[int, float, float, float]]] = field(default_factory=lambda: defaultdict(list))
    said: list[Sequence[Any]] = field(default_factory=list)  # by the players of each match
    paths: list[str] = field(default_factory=list)  # of replays
    first: list[Match] = field(default_factory=list)  # ANALYSED of them
    named: dict[int, Match] = field(
        default_factory=dict
    )  # by number, ANALYSED of those of which somebody named a moment
    moments: dict[people.Named, MomentAnalysis] = field(default_factory=dict)  # those that were named most
    analyses: tuple[MatchAnalysis, ...] = ()

    @classmethod
    def of(cls, game: GameSetup) -> Group:
        """A group of no matches yet."""
        starting = starting_of(game)
        starts = None if starting.between is None or starting.let_start is not None else StartStudy()
        return cls(game, GameStatistics.of(game), MessageCounts(game), starts, CauseStudy.of(game))

    def __len__(self) -> int:
        return len(self.paths)

    @property
    def tempos(self) -> tuple[Tempo, Tempo] | None:
        """People at this table and at a real one, who choose as quickly as these did; None where none chose."""
        count, seconds = (sum(column) for column in zip(*self.choices, strict=True)) if self.choices else (0, 0.0)
        if not count:
            return None
        moves = self.statistics["legal"].value
        return SCREEN.calibrated(seconds / count, moves), CARDS.calibrated(seconds / count, moves)

    @property
    def part(self) -> ReportPart:
        """The group as a part of a report, without duels."""
        alike = (people.PERSON,) if all(self.same_kind) else ()
        part = ReportPart(self.game, self.statistics, self.messages, self.game.measure, alike)
        return replace(part, analyses=self.analyses, starts=self.starts, causes=self.causes, played=self)

    def analyse(self, seconds: float, threads: int = 1, tick: Tick = lambda _what, _done, _of: None) -> None:
        """Analyse moments that were named; then the first matches, as many as fit in so many seconds, if LEAST are."""
        if self.named:
            analyser, counts = MatchAnalyser(SimulationSetup(self.game)), people.named(self.said).most_common()
            keys = [key for key, _times in counts if key[0] in self.named][: people.MOST_MOMENTS]
            self.moments = {key: analyser.moment(self.named[key[0]], *key[:2]) for key in keys}
        if len(self) >= LEAST:
            setup, looking = SimulationSetup(self.game, threads=threads), LOOKING.format(players=self.game.players)
            analyses = analyse_matches(setup, self.first, seconds, lambda done, _: tick(looking, done, len(self.first)))
            self.analyses = tuple(analyses)

    def add(self, played: PlayedMatch) -> None:
        """Count a match."""
        number = len(self)
        log = log_of(played.match, number)
        chunk = games_counted(log, self.game.driver("interpreted"))
        self.statistics.add(metric_table(self.game, chunk), chunk)
        self.messages.add(played.match)
        if number < NAMED or self.messages.without_label(self.statistics):
            self.messages.add_labels(played.match, number)
        steps = np.diff(np.array(played.times))
        self.minutes.append(float(steps[steps <= people.PAUSE].sum()) / 60)
        self.pauses.append(int((steps > people.PAUSE).sum()))
        waits = [
            played.times[ply] - played.times[max(before, 0)]
            for seat, before, ply in log.waits
            if played.players[seat] == people.PERSON
        ]
        thinking = [wait for wait in waits if wait <= people.PAUSE]
        self.choices.append((len(thinking), sum(thinking)))
        self._add_players(played.players, log.results[0])
        if self.starts is not None:
            add_log(self.starts, self.game, log)
        if self.causes is not None and not self.causes.enough:
            self.causes.add(log)
        self.paths.append(played.path)
        self.said.append(played.said)
        if people.named([played.said]) and len(self.named) < ANALYSED:
            self.named[number] = played.match
        if number < ANALYSED:
            self.first.append(played.match)

    def _add_players(self, players: Sequence[str], results: np.ndarray) -> None:
        self.same_kind.append(len(set(players)) == 1 and players[0] != people.SHARED)
        shares = place_shares_of(results, one_loser(self.game))
        for kind in dict.fromkeys(players) if len(set(players)) > 1 else ():
            theirs = [seat for seat, player in enumerate(players) if player == kind]
            gain = results[theirs].mean() - results.mean()
            varies = results.var(ddof=1) * (1 / len(theirs) - 1 / len(results))
            self.mixed[kind].append((len(self), float(gain), float(shares[theirs].mean()), float(varies)))


@dataclass
class PlayedMatches:
    """The groups of several matches of a game, the largest first."""

    groups: list[Group] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)  # out: the SINGLE one of a group; OTHER than was asked for
    interrupted: bool = False  # whether matches are missing

    def analyse(self, seconds: float, threads: int, tick: Tick) -> None:
        """Analyse matches of each group, for so many seconds in all; an interrupt leaves out the rest."""
        try:
            for group in [] if self.interrupted else self.groups:
                group.analyse(seconds / len(self.groups), threads, tick)
        except KeyboardInterrupt:
            self.interrupted = True

    def report(self, left_out: Sequence[str] = ()) -> Report:
        """The report on them; its plan only says how long choices take, where nobody made one."""
        return Report(Plan(), tuple(group.part for group in self.groups), self.interrupted, left=tuple(left_out))


def group_matches(
    played: Iterable[PlayedMatch],
    games: Sequence[GameSetup],
    options: Collection[str] = (),
    progress: Callable[[int], None] = lambda _done: None,
) -> PlayedMatches:
    """Count matches by players and options: those that are wanted; after an interrupt, what was counted."""
    groups: dict[tuple[int, str], Group] = {}
    by_players, out = {game.players: game for game in games}, PlayedMatches()
    try:
        for match in played:
            game, like = match.match.game, by_players.get(match.match.game.players)
            if like is not None and all(game.options[key] == like.options[key] for key in options):
                variant = game.players, json.dumps(dict(game.options), sort_keys=True)
                if variant not in groups:
                    groups[variant] = Group.of(game)
                groups[variant].add(match)
            else:
                out.left[OTHER] += 1
            progress(1)
    except KeyboardInterrupt:
        out.interrupted = True
    reported = [group for group in groups.values() if len(group) > 1 or any(group.said)]
    out.left[SINGLE] = len(groups) - len(reported)
    out.groups = sorted(reported, key=lambda group: -len(group))
    return out


# --- answers ----------------------------------------------------------------------------------------------------------
OFTEN = 0.25  # of those who answered: if surely more were confused, that is worth a look; if surely fewer, it is fine
FEWEST = 5  # matches, with fewer of which nothing is said of minutes

CAVEAT = (
    "People, or people and bots, played all of this at tables. Where matches are few, the intervals are wide: read "
    "them first."
)


def finding(tests: Tests, part: ReportPart, measure: Measure) -> str | None:
    """What is said of a measure, if its remark is a finding."""
    return next((q.tell().text for q, sure in tests.of(part) if sure and q.kind == measure.name), None)


def long(tests: Tests, part: ReportPart) -> ReportAnswer:
    """The real minutes of the median match, and those of nine matches in ten."""
    times = people.minutes(part)
    if len(times) < FEWEST:
        return ReportAnswer(part.players, UNSURE, "Too few matches were played to tell how long they take.")
    low, middle, high = (float(end) for end in np.quantile(times, (0.05, 0.5, 0.95)))
    complaints = people.dragged.of_part(part)
    drags, bores = (finding(tests, part, measure) for measure in (people.slow, people.dragged))
    text = f"With {part.players} players, half of the matches took {answers.in_minutes(middle)} minutes or less, and "
    text += f"the longest took {answers.in_minutes(float(times.max()))}."
    if complaints.count:
        text += f" {percent_of_whole(complaints)} of those who answered said where it dragged."
    number, look = Estimate(middle, low, high, len(times)), drags is not None or bores is not None
    return of_minutes(part, look, text, number, people.longest(part) if drags else None)


def skill(_tests: Tests, part: ReportPart) -> ReportAnswer:
    """Whose strength isn't known tells nothing of luck."""
    text = "Nobody knows how strong these players are, so this can't tell. A report on games between bots does."
    return ReportAnswer(part.players, UNSURE, text)


def confusing(_tests: Tests, part: ReportPart) -> ReportAnswer:
    """How many of those who answered looked up a rule or were confused, and the last that says by what."""
    share, quotes = people.confused.of_part(part), [answer for answer in people.everyone(part) if answer.confused]
    if not share.count:
        text = "Nobody answered the questions after a match, so this can't tell. A table's host can have them asked."
        return ReportAnswer(part.players, UNSURE, text)
    verdict, short = LOOK if share.low > OFTEN else FINE if share.high < OFTEN else UNSURE, percent_of_whole(share)
    text = f"With {part.players} players, {short} of those who answered looked up a rule or were confused."
    if quotes:
        text += f" The newest: “{max(quotes, key=lambda answer: answer.at).confused}”"
    if verdict == UNSURE:
        text += f" {wording.of(share.count, 'match is', 'matches are')} too few to be sure."
    return ReportAnswer(part.players, verdict, text, short, short, share.scaled(100), None, share.value)


CONFUSING = answers.ReportQuestion(
    "confusing",
    "Confusing?",
    "confusion",
    confusing,
    f"Look here if clearly more than {100 * OFTEN:g} % of those who answered looked up a rule or were confused. Fine "
    "if clearly fewer did.",
    f"percent of those who answered that looked up a rule or were confused; up to {100 * OFTEN:g}, shaded, is fine",
    charts.Scale(0, 100, shaded=100 * OFTEN),
)
CHANGES: dict[str, dict[str, Any]] = {
    "long": {
        "answer": long,
        "criterion": "Minutes are real ones, without pauses. Look here if clearly most of those who answered said "
        f"where it dragged, or if clearly more than {100 * SELDOM:g} % of matches took {LONG:g} times the median. "
        f"Can't tell with fewer than {FEWEST} matches.",
        "caption": "minutes at this table, median match; line: nine matches in ten",
    },
    "luck": {
        "answer": skill,
        "criterion": "Only games between players whose strength is known can tell: see a report on games between bots.",
    },
}
QUESTIONS = (*(replace(each, **CHANGES.get(each.id, {})) for each in answers.QUESTIONS), CONFUSING)


INDEPENDENT = (
    "The intervals treat matches as independent; if the same people played many of them, they are too narrow. Findings "
    "about seats are listed only if every seat had the same kind of player."
)


# --- the report -------------------------------------------------------------------------------------------------------
LAST_PLY = 10**6  # stands for the end of a match
NOTHING = "Nothing stands out in these matches."
NEVER_ENDED = "None of {games} matches with {players} players ended this way: {ending}."


def told_of_people(report: Report, site: str = "") -> page.Told:
    """What is told of a report on matches from tables; `site`: the address of the replays' server."""
    tests, about = Tests(report), report.game.table.ABOUT

    def link(part: ReportPart, example: Example) -> page.Link | None:
        path = people.of(part).paths[example.number]
        ply = example.ply if example.ply is not None else LAST_PLY
        return page.Link(path.rpartition("/")[2], f"{site}{path}?ply={ply}") if path else None

    def title(part: ReportPart) -> str:
        options = "".join(f", {option}" for option in wording.changed_options(part.game))
        return f"{part.players} players{options}: {wording.of(len(part.statistics), 'match', 'matches')}"

    games = sum(len(part.statistics) for part in report.parts)
    counts = f"{wording.of(games, 'match played at a table', 'matches played at tables')}. ± is the half-width of the "
    intro = [f"{counts}95 % confidence interval.", *report.left]
    intro += [wording.INTERRUPTED] if report.interrupted else []
    linked = [
        (part, finding)
        for part in report.parts
        for finding in (*unanswered(tests, [part]), *tests.why(part), *never_ended([part], NEVER_ENDED))
    ]
    answered, titles = answers.answered(tests, QUESTIONS), [*map(title, report.parts)]
    name, closing = f"Played: {about.title}", [INDEPENDENT, str(about.credit)]
    return page.Told(report, name, intro, CAVEAT, answered, linked, NOTHING, titles, closing, link=link)
