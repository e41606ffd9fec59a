"""The tables of a report's part: rows of metrics and their estimates, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hexdeck.bots.players.levels import ADJECTIVES, LEVELS, TITLES, data
from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, say, say_n
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.message_counts import MessageCounts, can_come
from hexdeck.lab.counting.metrics import (
    ENDED,
    KIND,
    KIND_USED,
    RESULT,
    STARTER_FIRST,
    STARTER_LAST,
    STARTER_RESULT,
    TIED,
)
from hexdeck.lab.counting.stats import Estimate, bootstrap, detectable_effect, mean, ratio, share
from hexdeck.lab.counting.tension import CERTAIN, MOMENTS, has_comeback, lead_changes, settled
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part, Report

MANY_BOTS = {"house": say("house bots"), "gentle": say("gentle bots"), "random": say("random bots")}
ONE_BOT = {"house": say("house bot"), "gentle": say("gentle bot"), "random": say("random bot")}
LEAST = 10  # analysed games without which nothing is said of them
SHARED = 0.2  # games with a shared first place above which nothing is said of when winners are settled
UNKNOWN = Estimate(float("nan"), float("-inf"), float("inf"), 0)
Cell = Text | str


@dataclass(frozen=True)
class Section:
    """A table: its title, the heads of its columns, rows of cells, and a note below it.

    `shares`: for each row a share, 0 to 1, that column `barred` shows as a bar too.
    """

    id: str
    title: Text
    heads: tuple[Text, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Text | None = None
    shares: tuple[float, ...] = ()
    barred: int = 1


def sections(report: Report, part: Part) -> list[Section]:
    """All tables of a part."""
    return [
        seats(part, power(part, report.tests)), length(part, report.plan.pace), endings(part), moves(part),
        messages(part), choices(part), tension(part), skill(part), *levels(part),
    ]  # fmt: skip


def bot_text(name: str) -> Text:
    """A bot in words."""
    return ONE_BOT.get(name) or TITLES.get(name) or say("bot {name}", name=name)


# --- results ----------------------------------------------------------------------------------------------------------
def seats(part: Part, known: Text) -> Section:
    """Results by seat and of the starter; `known` says how small an advantage could be found."""
    of, measure = part.statistics, part.measure
    places = of.estimates(part.shares)
    rows: list[tuple[Cell, ...]] = [
        (seat_name(part, seat), numbers.plain(in_units(of[RESULT, seat], measure)), numbers.percent(places[seat]))
        for seat in range(part.players)
    ]
    begins = of[STARTER_LAST if part.place else STARTER_FIRST]
    more = numbers.plain(of[STARTER_RESULT].scaled(measure.scale))
    rows.append((say("who chooses first (result: above the mean)"), more, numbers.percent(begins)))
    heads = say("seat"), say("mean result, {unit}", unit=measure.unit), place_title(part)
    return Section("seats", say("Results by seat"), heads, tuple(rows), seats_note(part, known))


def seat_name(part: Part, seat: int) -> Text:
    """A seat in words, with its bot where bots differ."""
    name = say("Seat {number}", number=seat + 1)
    return name if part.same_bots else say("{seat}, {bot}", seat=name, bot=bot_text(part.bots[seat]))


def seats_note(part: Part, known: Text) -> Text:
    """The note: a fair share, what could be found, and how to read the table."""
    fair = numbers.number(100 / part.players, 1)
    if part.place:
        return say("Fair would be {fair} %. {found}", fair=fair, found=known)
    tied = say("Games with a shared first place: {tied}.", tied=numbers.percent(part.statistics[TIED]))
    return say("Fair would be {fair} %. {found} {tied}", fair=fair, found=known, tied=tied)


def power(part: Part, tests: int) -> Text:
    """The smallest advantage of a seat that these games would find, in so many tests."""
    if not part.same_bots:
        return say("The seats had different bots, so nothing here shows whether one seat is better than another.")
    gap = 100 * detectable_effect(1 / part.players, len(part.statistics), tests)
    return say("An advantage of {points} percentage points or more would be found 4 times in 5.",
               points=numbers.number(gap, numbers.digits_for(gap)))  # fmt: skip


def signed(estimate: Estimate, part: Part) -> Text:
    """A difference of results in people's units, with its sign."""
    if not estimate.count:
        return say("unknown")
    scaled = estimate.scaled(part.measure.scale)
    return say("{number} {unit}", number=numbers.plain(scaled), unit=part.measure.unit)


def in_units(estimate: Estimate, measure: Measure) -> Estimate:
    """A result in people's units."""
    scaled, shift = estimate.scaled(measure.scale), measure.shift
    return Estimate(scaled.value + shift, scaled.low + shift, scaled.high + shift, scaled.count)


def place_title(part: Part) -> Text:
    """The head of the column with shares of the place that decides."""
    return say("loses") if part.place else say("comes first")


def length(part: Part, pace: float) -> Section:
    """Deals, turns, decisions and minutes of a game; `pace`: seconds for a choice."""
    minutes = part.statistics["pauses"].scaled(pace / 60)
    title = say("minutes, at {pace} seconds a choice", pace=numbers.number(pace, 0))
    rows = [*lengths(part), (title, numbers.plain(minutes, 2))]
    low, middle, high = (numbers.whole(quantile(part, q)) for q in (0.05, 0.5, 0.95))
    note = say(
        "For the minutes, choices made at the same time count once. Half of the games have at most {middle} "
        "decisions; one in twenty has at most {low}, and one in twenty at least {high}.",
               low=low, middle=middle, high=high)  # fmt: skip
    return Section("length", say("Length of a game"), (say("length"), say("mean")), tuple(rows), note)


def lengths(part: Part) -> list[tuple[Cell, ...]]:
    """The rows of deals, laps, turns, decisions and choices."""
    of = part.statistics
    named = [
        (say("rounds (until a player's turn comes again)"), of["laps"]), (say("turns"), of["turns"]),
        (say("decisions"), of["decisions"]), (say("of these with a choice"), of["choices"]),
    ]  # fmt: skip
    if of["deals"].value > 1:
        named.insert(0, (say("deals"), of["deals"]))
    return [(title, numbers.plain(estimate, 2)) for title, estimate in named]


def quantile(part: Part, q: float) -> Estimate:
    """The q-quantile of the number of decisions in a game, with an interval by ranks."""
    lengths, count = sorted(part.statistics.lengths), len(part.statistics)
    reached = np.cumsum([part.statistics.lengths[length] for length in lengths])
    off = 1.96 * (q * (1 - q) * count) ** 0.5
    ranks = np.clip([q * count, q * count - off, q * count + off], 1, count)
    value, low, high = (float(lengths[int(at)]) for at in np.searchsorted(reached, ranks))
    return Estimate(value, low, high, count)


def endings(part: Part) -> Section:
    """How games end; endings that can't come with these options are left out."""
    ended, names = part.game.table.ENDED, part.game.rules.ENDINGS
    there = [
        (ended[k], each)
        for k, each in enumerate(part.statistics.estimates(ENDED), 1)
        if each.value or can_come(part.game, "ended", names[k])
    ]
    rows = tuple((name, numbers.percent(each)) for name, each in there)
    shares = tuple(each.value for _name, each in there)
    heads = say("ending"), say("share of games")
    return Section("endings", say("How games end"), heads, rows, shares=shares)


# --- rules ------------------------------------------------------------------------------------------------------------
def moves(part: Part) -> Section:
    """How often each kind of move was made; kinds that were never legal are left out."""
    of = part.statistics
    often = list(zip(kind_labels(part.messages), of.estimates(KIND), of.estimates(KIND_USED), strict=True))
    rows = tuple((name, numbers.percent(used), numbers.plain(times)) for name, times, used in often if name is not None)
    shares = tuple(used.value for name, _times, used in often if name is not None)
    heads = say("move"), say("in how many games"), say("times a game")
    return Section("moves", say("Moves"), heads, rows, shares=shares)


def kind_labels(counts: MessageCounts) -> list[Text | None]:
    """The label of each kind of move; None for kinds that were never legal."""
    return [counts.label(kind) for kind in kind_numbers(counts.game.rules.ACTIONS)[0]]


def messages(part: Part) -> Section:
    """How often every message came, and those that never did."""
    counts, listed, never = part.messages, part.messages.listed(), part.messages.never()
    rows = [(counts.texts[key], numbers.percent(counts.share(key)), numbers.plain(counts.mean(key))) for key in listed]
    rows += [(text, numbers.percent(share(0, counts.matches)), "0") for text in never]
    heads = say("event"), say("in how many games"), say("times a game")
    note = say_n("Counted in {n} game, move by move.", "Counted in {n} games, move by move.", counts.matches)
    shares = (*(counts.share(key).value for key in listed), *(0.0 for _text in never))
    return Section("messages", say("What happens in games"), heads, tuple(rows), note, shares)


# --- decisions --------------------------------------------------------------------------------------------------------
def choices(part: Part) -> Section:
    """How many decisions have a choice, and how many choices matter."""
    of, found = part.statistics, share_that_matter(part)
    rows: list[tuple[Cell, ...]] = [
        (say("decisions without a choice"), numbers.percent(of["forced"])),
        (say("moves to choose from, where there is a choice"), numbers.plain(of["legal"])),
        (say("choices where one move is clearly better than another"), numbers.percent(found)),
        (say("gain of the best move over the worst"), signed(mean_spread(part), part)),
    ]
    note = say_n(
        "Measured at {n} choice in {matches} games: after each move (at most six), the house bot played on in "
        "deals that fit what the player knew.",
        "Measured at {n} choices in {matches} games: after each move (at most six), the house bot played on in "
        "deals that fit what the player knew.",
        sum(len(each.choices) for each in part.analyses), matches=len(part.analyses),
    )  # fmt: skip
    return Section("choices", say("Choices"), (say("measure"), say("value")), tuple(rows), note)


def share_that_matter(part: Part) -> Estimate:
    """The share of choices whose impact is significant, clustered by match."""
    return clustered([[float(choice.matters) for choice in each.choices] for each in part.analyses], bounded=True)


def mean_spread(part: Part) -> Estimate:
    """By how much the best move beats the worst (utility), the mean over choices, clustered by match."""
    return clustered([[choice.spread for choice in each.choices] for each in part.analyses])


def clustered(groups: list[list[float]], *, bounded: bool = False) -> Estimate:
    """The mean of all values of a cluster sample: groups are independent, values within one aren't.

    `bounded`: values are from 0 to 1. UNKNOWN for fewer than LEAST groups.
    """
    filled = [group for group in groups if group]
    if len(filled) < LEAST:
        return UNKNOWN
    above, below = np.array([sum(group) for group in filled]), np.array([float(len(group)) for group in filled])
    if bounded and above.sum() in (0, below.sum()):
        return share(len(filled) * above.sum() / below.sum(), len(filled))
    found = ratio(above, below)
    if not bounded:
        return found
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high), int(below.sum()))


# --- tension ----------------------------------------------------------------------------------------------------------
def tension(part: Part) -> Section:
    """Lead changes, when the result is settled, and comebacks."""
    place = part.place
    rows: list[tuple[Cell, ...]] = [
        (say("changes of the most likely loser") if place else say("changes of the most likely winner"),
         numbers.plain(mean_lead_changes(part))),
        (say("share of the game played when the result is settled"), percent_of_whole(settling_point(part))),
        (say("games with a comeback"), numbers.percent(comeback_share(part))),
    ]  # fmt: skip
    judged = say_n(
        "Estimated at up to {moments} moments of {n} game, from what a spectator knew then, with house bots "
        "playing on.",
        "Estimated at up to {moments} moments of {n} games, from what a spectator knew then, with house bots "
        "playing on.",
        len(part.analyses), moments=MOMENTS,
    )  # fmt: skip
    note = say(
        "{judged} Settled: from there on, the chance of the final outcome never drops below {certain} %. "
        "{comeback}", judged=judged,
               certain=round(100 * CERTAIN), comeback=COMEBACK[place])  # fmt: skip
    return Section("tension", say("Tension"), (say("measure"), say("value")), tuple(rows), note)


def mean_lead_changes(part: Part) -> Estimate:
    """The mean number of lead changes of a game; UNKNOWN for fewer than LEAST analysed games."""
    changes = [lead_changes(each, part.place) for each in part.analyses]
    return mean(np.array(changes, float)) if len(changes) >= LEAST else UNKNOWN


def comeback_share(part: Part) -> Estimate:
    """The share of games with a comeback; UNKNOWN for fewer than LEAST analysed games."""
    back = sum(has_comeback(each, part.place) for each in part.analyses)
    return share(back, len(part.analyses)) if len(part.analyses) >= LEAST else UNKNOWN


COMEBACK = (
    say("Comeback: at some point the eventual winner had less than half of a fair chance."),
    say("Comeback: at some point, somebody who didn't lose in the end had less than half of a fair chance of that."),
)


def percent_of_whole(estimate: Estimate) -> Text:
    """A part of a whole, 0 to 1, in whole percent."""
    if not estimate.count:
        return say("unknown")
    if numbers.lopsided(estimate):
        value, low, high = (numbers.number(100 * each, 0) for each in (estimate.value, estimate.low, estimate.high))
        return say("{number} % ({low} to {high})", number=value, low=low, high=high)
    return say("{number} %", number=numbers.plain(estimate.scaled(100), 0))


def settling_point(part: Part) -> Estimate:
    """The part of a match played when its result is settled: the median over matches, 0 to 1.

    UNKNOWN for fewer than LEAST analysed games, and where first places are often shared: no winner is settled then.
    """
    if len(part.analyses) < LEAST or (not part.place and part.statistics[TIED].value > SHARED):
        return UNKNOWN
    found = bootstrap(np.array([settled(each, part.place) for each in part.analyses]), np.median)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high), len(part.analyses))


# --- luck and skill ---------------------------------------------------------------------------------------------------
def skill(part: Part) -> Section:
    """How one bot does among others."""
    rows: list[tuple[Cell, ...]] = [
        (
            say("{one} among {others}", one=ONE_BOT[each.one], others=MANY_BOTS[each.others]), signed(each.gain, part),
            numbers.percent(each.last if part.place else each.first),
            say("unknown") if each.games is None else numbers.whole(each.games),
        )
        for each in part.duels
    ]  # fmt: skip
    heads = say("one among others"), say("above the mean"), place_title(part), say("games to tell")
    note = say(
        "The same deals are played from every seat. Games to tell: how many it takes until the better bot is "
        "ahead with 95 % certainty; few games mean skill, many mean luck.")  # fmt: skip
    return Section("skill", say("Luck and skill"), heads, tuple(rows), note)


def levels(part: Part) -> Iterator[Section]:
    """The levels of bots against each other, where `hexdeck ladder` has measured them."""
    kept = data(part.game).get("measured", {}).get(str(part.players), {}).get("contests", [])
    rows = []
    for row in kept:
        if row["one"] in LEVELS:
            gained = Estimate(row["gain"][0], row["gain"][0] - row["gain"][1], sum(row["gain"]), row["groups"])
            value, margin = row["last" if part.place else "first"]
            rough = Estimate(value, value - margin, value + margin, row["groups"])
            placed = rough if margin else share(value * row["groups"], row["groups"])  # where all deals were alike
            who = say("{one} among {others}", one=TITLES[row["one"]], others=say(ADJECTIVES[row["others"]]))
            rows.append((who, signed(gained, part), numbers.percent(placed)))
    if rows:
        heads = say("one among others"), say("above the mean"), place_title(part)
        note = say("With the usual options, as measured by hexdeck ladder.")
        yield Section("levels", say("Levels of bots"), heads, tuple(rows), note)
