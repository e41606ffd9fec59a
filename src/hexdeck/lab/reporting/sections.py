"""A report's part in rows: what was measured, and the estimate. Terminal and page show the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hexdeck.bots.players.levels import ADJECTIVES, LEVELS, TITLES, data
from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, say, say_n
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.message_counts import Heard, can
from hexdeck.lab.counting.metrics import BEGINNER, BEGINS_FIRST, BEGINS_LAST, ENDED, KIND, MET, RESULT, TIED
from hexdeck.lab.counting.stats import Estimate, bootstrapped, found_at, mean, ratio, share
from hexdeck.lab.counting.tension import CERTAIN, MOMENTS, comeback, lead_changes, settled
from hexdeck.lab.reporting import number_format as words
from hexdeck.lab.reporting.report import Part, Report

BOTS = {"house": say("house bots"), "gentle": say("gentle bots"), "random": say("random bots")}
BOT = {"house": say("house bot"), "gentle": say("gentle bot"), "random": say("random bot")}
Cell = Text | str


def bot_word(name: str) -> Text:
    """A bot in words."""
    return BOT.get(name) or TITLES.get(name) or say("bot {name}", name=name)


LEAST = 10  # games without which nothing is said of games that were looked inside
SHARED = 0.2  # of first places
UNKNOWN = Estimate(float("nan"), float("-inf"), float("inf"), 0)


@dataclass(frozen=True)
class Section:
    """A table: its title, the heads of its columns, rows of cells, and a note below it.

    `shares`: for each row a share that is shown as a bar too, in the column `barred`.
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
        seats(part, power(part, report.tests)), length(part, report.plan.pace), endings(part), moves(part), told(part),
        choices(part), tension(part), skill(part), *levels(part),
    ]  # fmt: skip


# --- results ----------------------------------------------------------------------------------------------------------
def seats(part: Part, known: Text) -> Section:
    """Result by seat, and of who makes the first choice alone; `known`: what could be found."""
    of, measure = part.collected, part.measure
    places = of.of(part.shares)
    rows: list[tuple[Cell, ...]] = [
        (seat_name(part, seat), words.plain(measured(of[RESULT, seat], measure)), words.percent(places[seat]))
        for seat in range(part.players)
    ]
    begins = of[BEGINS_LAST if part.place else BEGINS_FIRST]
    more = words.plain(of[BEGINNER].times(measure.scale))
    rows.append((say("who chooses first (result: above the mean)"), more, words.percent(begins)))
    heads = say("seat"), say("mean result, {unit}", unit=measure.unit), place_title(part)
    return Section("seats", say("Results by seat"), heads, tuple(rows), seats_note(part, known))


def seat_name(part: Part, seat: int) -> Text:
    """A seat, with its bot where they aren't all the same."""
    name = say("Seat {number}", number=seat)
    return name if part.alike else say("{seat}, {bot}", seat=name, bot=bot_word(part.bots[seat]))


def seats_note(part: Part, known: Text) -> Text:
    """What is fair, what could be found, and how to read the table."""
    shared = say("Games with a shared first place: {tied}.", tied=words.percent(part.collected[TIED]))
    tied = "" if part.place else shared
    return say("Fair would be {fair} %. {found} {tied} Seats are numbered from 0.",
               fair=words.number(100 / part.players, 1), found=known, tied=tied)  # fmt: skip


def power(part: Part, tests: int) -> Text:
    """How large an advantage of a seat these games would find, among so many comparisons."""
    if not part.alike:
        return say("The seats had different bots, so nothing here tells whether a seat is better than another.")
    gap = 100 * found_at(1 / part.players, len(part.collected), tests)
    return say("An advantage of {points} points or more would be found 4 times in 5.",
               points=words.number(gap, words.digits_for(gap)))  # fmt: skip


def ahead(estimate: Estimate, part: Part) -> Text:
    """A difference from the mean of the table, with its sign."""
    if not estimate.count:
        return say("unknown")
    scaled = estimate.times(part.measure.scale)
    return say("{number} {unit}", number=words.plain(scaled), unit=part.measure.unit)


def measured(estimate: Estimate, measure: Measure) -> Estimate:
    """A result in people's units."""
    scaled, shift = estimate.times(measure.scale), measure.shift
    return Estimate(scaled.value + shift, scaled.low + shift, scaled.high + shift, scaled.count)


def place_title(part: Part) -> Text:
    """What the share of the place that decides is called."""
    return say("loses") if part.place else say("comes first")


def length(part: Part, pace: float) -> Section:
    """Deals, turns, decisions, minutes."""
    minutes = part.collected["pauses"].times(pace / 60)
    title = say("minutes, at {pace} seconds a choice", pace=words.number(pace, 0))
    rows = [*lengths(part), (title, words.plain(minutes, 2))]
    low, middle, high = (words.whole(quantile(part, q)) for q in (0.05, 0.5, 0.95))
    note = say("Minutes count what several choose at the same time once. Half of the games have at most {middle} "
               "decisions; one in twenty has at most {low}, one in twenty at least {high}.",
               low=low, middle=middle, high=high)  # fmt: skip
    return Section("length", say("Length of a game"), (say("length"), say("mean")), tuple(rows), note)


def lengths(part: Part) -> list[tuple[Cell, ...]]:
    """Rows of how much there is in a game."""
    of = part.collected
    named = [
        (say("rounds, until somebody's turn comes again"), of["laps"]), (say("turns"), of["turns"]),
        (say("decisions"), of["decisions"]), (say("of these with a choice"), of["choices"]),
    ]  # fmt: skip
    if of["deals"].value > 1:
        named.insert(0, (say("deals"), of["deals"]))
    return [(title, words.plain(estimate, 2)) for title, estimate in named]


def quantile(part: Part, q: float) -> Estimate:
    """The number of decisions that a share q of all games doesn't exceed, with an interval by ranks."""
    lengths, count = sorted(part.collected.lengths), len(part.collected)
    reached = np.cumsum([part.collected.lengths[length] for length in lengths])
    off = 1.96 * (q * (1 - q) * count) ** 0.5
    ranks = np.clip([q * count, q * count - off, q * count + off], 1, count)
    value, low, high = (float(lengths[int(at)]) for at in np.searchsorted(reached, ranks))
    return Estimate(value, low, high, count)


def endings(part: Part) -> Section:
    """How games end."""
    ended = part.game.table.ENDED
    names = part.game.rules.ENDINGS
    there = [
        (ended[k], each)
        for k, each in enumerate(part.collected.of(ENDED), 1)
        if each.value or can(part.game, "ended", names[k])
    ]
    rows, shares = (
        tuple((name, words.percent(each)) for name, each in there),
        tuple(each.value for _name, each in there),
    )
    heads = say("ending"), say("share of games")
    return Section("endings", say("How games end"), heads, rows, shares=shares)


# --- rules ------------------------------------------------------------------------------------------------------------
def moves(part: Part) -> Section:
    """How often each kind of move was made; those that these options don't have are left out."""
    often = list(zip(named_kinds(part), part.collected.of(KIND), part.collected.of(MET), strict=True))
    rows = tuple((name, words.percent(met), words.plain(times)) for name, times, met in often if name is not None)
    shares = tuple(met.value for name, _times, met in often if name is not None)
    heads = say("move"), say("in how many games"), say("times a game")
    return Section("moves", say("Moves"), heads, rows, shares=shares)


def named_kinds(part: Part) -> list[Text | None]:
    """What moves of each kind are called; None for those that nobody could make."""
    return named_kinds_of(part.heard)


def named_kinds_of(heard: Heard) -> list[Text | None]:
    """The same, by what was heard."""
    return [heard.label(kind) for kind in kind_numbers(heard.game.rules.ACTIONS)[0]]


def told(part: Part) -> Section:
    """How often everything was told that can be."""
    heard = part.heard
    rows = [(heard.texts[key], words.percent(heard.share(key)), words.plain(heard.mean(key))) for key in heard.listed()]
    rows += [(text, words.percent(share(0, heard.matches)), "0") for text in heard.never()]
    heads = say("what is told"), say("in how many games"), say("times a game")
    note = say_n("Counted in {n} game, move for move.", "Counted in {n} games, move for move.", heard.matches)
    shares = (*(heard.share(key).value for key in heard.listed()), *(0.0 for _text in heard.never()))
    return Section("told", say("What comes into play"), heads, tuple(rows), note, shares)


# --- decisions --------------------------------------------------------------------------------------------------------
def choices(part: Part) -> Section:
    """How many choices there are, and how many matter."""
    of, found = part.collected, matter(part)
    rows: list[tuple[Cell, ...]] = [
        (say("decisions without a choice"), words.percent(of["forced"])),
        (say("moves to choose from, where there is a choice"), words.plain(of["legal"])),
        (say("choices where one move is surely better than another"), words.percent(found)),
        (say("what the best move brings over the worst"), ahead(spread(part), part)),
    ]
    note = say_n(
        "Weighed at {n} choice of {matches} games: the moves, six of them where there are more, were played on by the "
        "house bot in worlds that fit what the player knew.",
        "Weighed at {n} choices of {matches} games: the moves, six of them where there are more, were played on by the "
        "house bot in worlds that fit what the player knew.",
        sum(len(seen.choices) for seen in part.seen), matches=len(part.seen),
    )  # fmt: skip
    return Section("choices", say("Choices"), (say("measure"), say("value")), tuple(rows), note)


def matter(part: Part) -> Estimate:
    """The share of choices that surely matter; matches are independent, choices of one match aren't."""
    return clustered([[float(each.matters) for each in seen.choices] for seen in part.seen], bounded=True)


def spread(part: Part) -> Estimate:
    """By how much the best move beats the worst, in the mean over choices."""
    return clustered([[each.spread for each in seen.choices] for seen in part.seen])


def clustered(groups: list[list[float]], *, bounded: bool = False) -> Estimate:
    """The mean of all numbers of independent groups; `bounded`: they are from 0 to 1."""
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
    """Lead changes, when the result is settled, comebacks."""
    place, seen = part.place, part.seen
    rows: list[tuple[Cell, ...]] = [
        (say("changes of who is likeliest to lose") if place else say("changes of who is likeliest to win"),
         words.plain(led(part))),
        (say("how much of a game is played when the result is settled"), hundredths(when_settled(part))),
        (say("games with a comeback"), words.percent(came_back(part))),
    ]  # fmt: skip
    judged = say_n(
        "Judged at up to {moments} moments of {n} game by what the public knew then, as house bots would play on.",
        "Judged at up to {moments} moments of {n} games by what the public knew then, as house bots would play on.",
        len(seen), moments=MOMENTS,
    )  # fmt: skip
    note = say("{judged} Settled: the chance of what came of it stays above {certain} %. {comeback}", judged=judged,
               certain=round(100 * CERTAIN), comeback=COMEBACK[place])  # fmt: skip
    return Section("tension", say("Tension"), (say("measure"), say("value")), tuple(rows), note)


def led(part: Part) -> Estimate:
    """How often another seat became the likeliest for the place that decides, in a game."""
    changes = [lead_changes(each, part.place) for each in part.seen]
    return mean(np.array(changes, float)) if len(changes) >= LEAST else UNKNOWN


def came_back(part: Part) -> Estimate:
    """The share of games with a comeback."""
    back = sum(comeback(each, part.place) for each in part.seen)
    return share(back, len(part.seen)) if len(part.seen) >= LEAST else UNKNOWN


COMEBACK = (
    say("A comeback: who won surely once had less than half of a fair chance of winning."),
    say("A comeback: somebody who didn't lose surely once had less than half of a fair chance not to."),
)


def hundredths(estimate: Estimate) -> Text:
    """A part of a whole in percent."""
    if not estimate.count:
        return say("unknown")
    if words.lopsided(estimate):
        value, low, high = (words.number(100 * each, 0) for each in (estimate.value, estimate.low, estimate.high))
        return say("{number} % ({low} to {high})", number=value, low=low, high=high)
    return say("{number} %", number=words.plain(estimate.times(100), 0))


def when_settled(part: Part) -> Estimate:
    """How much of a match is played when its result is settled, in the median match (bootstrapped).

    Unknown where first places are often shared: they say little about who will be among them.
    """
    if len(part.seen) < LEAST or (not part.place and part.collected[TIED].value > SHARED):
        return UNKNOWN
    found = bootstrapped(np.array([settled(each, part.place) for each in part.seen]), np.median)
    return Estimate(found.value, max(0.0, found.low), min(1.0, found.high), len(part.seen))


# --- luck and skill ---------------------------------------------------------------------------------------------------
def skill(part: Part) -> Section:
    """How bots do among others."""
    rows: list[tuple[Cell, ...]] = [
        (
            say("{one} among {others}", one=BOT[each.one], others=BOTS[each.others]), ahead(each.gain, part),
            words.percent(each.last if part.place else each.first),
            say("unknown") if each.games is None else words.whole(each.games),
        )
        for each in part.duels
    ]  # fmt: skip
    heads = say("one among others"), say("above the mean"), place_title(part), say("games to tell")
    note = say("The same deals from every seat. Games to tell: after so many the better one is ahead with 95 % "
               "certainty; few games say skill, many say luck.")  # fmt: skip
    return Section("skill", say("Luck and skill"), heads, tuple(rows), note)


def levels(part: Part) -> Iterator[Section]:
    """What was measured of the levels against each other before, where that is kept."""
    kept = data(part.game).get("measured", {}).get(str(part.players), {}).get("contests", [])
    rows = []
    for row in kept:
        if row["one"] in LEVELS:
            gained = Estimate(row["gain"][0], row["gain"][0] - row["gain"][1], sum(row["gain"]), row["groups"])
            value, margin = row["last" if part.place else "first"]
            rough = Estimate(value, value - margin, value + margin, row["groups"])
            placed = rough if margin else share(value * row["groups"], row["groups"])  # where all deals were alike
            who = say("{one} among {others}", one=TITLES[row["one"]], others=say(ADJECTIVES[row["others"]]))
            rows.append((who, ahead(gained, part), words.percent(placed)))
    if rows:
        heads = say("one among others"), say("above the mean"), place_title(part)
        note = say("With the usual options, as hexdeck ladder measured it.")
        yield Section("levels", say("Levels of bots"), heads, tuple(rows), note)
