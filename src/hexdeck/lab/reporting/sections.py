"""The tables of a report's part: rows of metrics and their estimates, the same on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hexdeck.bots.players.levels import ADJECTIVES, LEVELS, TITLES, data
from hexdeck.bots.players.manners import MANNER_TITLES
from hexdeck.bots.players.spoken_names import parted, spoken
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
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.cause_sections import cause_sections
from hexdeck.lab.reporting.evenings.section import evening
from hexdeck.lab.reporting.luck.section import BY_LOT, lots, luck
from hexdeck.lab.reporting.minutes_section import minutes_section, places
from hexdeck.lab.reporting.probes.section import probes
from hexdeck.lab.reporting.report import Part, Report
from hexdeck.lab.reporting.section import Cell, Section, in_units, place_title, signed
from hexdeck.lab.reporting.shape.section import shape
from hexdeck.lab.reporting.tension_sections import choices, tension
from hexdeck.stats import NORMAL, Estimate, detectable_effect, margin, quantile_of, share, share_ends

MANY_BOTS = {"house": say("house bots"), "gentle": say("easy bots"), "random": say("random bots")}
ONE_BOT = {
    "house": say("house bot"), "random": say("random bot"), "gentle": say("easy bot"), "steady": say("medium bot"),
    "sharp": say("hard bot"), "best": say("best bot"),
}  # fmt: skip


def sections(report: Report, part: Part) -> list[Section]:
    """All tables of a part."""
    return [
        seats(part, power(part, report.tests)), length(part), minutes_section(part, places(report.plan.pace)),
        endings(part), moves(part), messages(part), choices(part), tension(part), *shape(part),
        *luck(part), skill(part), *levels(part), *cause_sections(report, part),
        *probes(part), *evening(part.evening),
    ]  # fmt: skip


def bot_text(name: str) -> Text:
    """A bot in words."""
    plain, manner = parted(name)
    if manner and plain in ONE_BOT:
        return say("{bot}, {manner}", bot=ONE_BOT[plain], manner=MANNER_TITLES[manner])
    return ONE_BOT.get(name) or say("bot {name}", name=spoken(name))


def bots_text(names: Sequence[str]) -> Cell:
    """The bots of all seats in words: one for all, or each."""
    return bot_text(names[0]) if len(set(names)) == 1 else ", ".join(map(spoken, names))


# --- results ----------------------------------------------------------------------------------------------------------
def seats(part: Part, known: Text) -> Section:
    """Results by seat and of the starter; `known` says how small an advantage could be found."""
    of, measure = part.statistics, part.measure
    places = of.estimates(part.shares)
    rows: list[tuple[Cell, ...]] = [
        (seat_name(part, seat), numbers.plain(in_units(of[RESULT, seat], measure)), numbers.percent(places[seat]))
        for seat in range(part.players)
    ]
    rows += starter_rows(part)
    heads = say("seat"), say("mean result, {unit}", unit=measure.unit), place_title(part)
    return Section("seats", say("Results by seat"), heads, tuple(rows), seats_note(part, known))


def starter_rows(part: Part) -> Iterator[tuple[Cell, ...]]:
    """Results of whoever starts and, where chance sometimes decides who does, what starting itself is worth."""
    of, begins = part.statistics, part.statistics[STARTER_LAST if part.place else STARTER_FIRST]
    more = numbers.plain(of[STARTER_RESULT].scaled(part.measure.scale))
    yield say("who starts: {why} (result: above the mean)", why=part.starting.why), more, numbers.percent(begins)
    study = part.starts
    if study is not None and study.enough:
        title = say("starting itself, where {chance} decided (against another starting)",
                    chance=part.starting.chance or part.starting.why)  # fmt: skip
        points = numbers.plain(study.place(part.place).scaled(100))
        gain = numbers.plain(study.gain.scaled(part.measure.scale))
        yield title, gain, say("{points} percentage points", points=points)


def start_note(part: Part) -> Text:
    """How to read the rows of the starter."""
    study = part.starts
    if part.starting.at_random:
        return say("Who starts isn't up to the players, so that row shows what starting is worth.")
    if study is None:
        return say("The starter's row doesn't show what starting is worth: there is more to whoever starts than that.")
    if not study.enough:
        return say_n(
            "The starter's row doesn't show what starting is worth: chance decided who starts in {n} of {games} games, "
            "too few to tell.",
            "The starter's row doesn't show what starting is worth: chance decided who starts in {n} of {games} games, "
            "too few to tell.",
            study.decided, games=numbers.count(study.games),
        )  # fmt: skip
    if part.starting.let_start is not None:
        return say_n(
            "The starter's row doesn't show what starting is worth, the row below it does: chance decided who starts "
            "in {n} of {games} games, which were played on with each of these players starting.",
            "The starter's row doesn't show what starting is worth, the row below it does: chance decided who starts "
            "in {n} of {games} games, which were played on with each of these players starting.",
            study.decided, games=numbers.count(study.games),
        )  # fmt: skip
    return say_n(
        "The starter's row doesn't show what starting is worth, the row below it does: chance decided who starts in "
        "{n} of {games} games.",
        "The starter's row doesn't show what starting is worth, the row below it does: chance decided who starts in "
        "{n} of {games} games.",
        study.decided, games=numbers.count(study.games),
    )  # fmt: skip


def seat_name(part: Part, seat: int) -> Text:
    """A seat in words, with its bot where bots differ."""
    name = say("Seat {number}", number=seat + 1)
    return name if part.same_bots or not part.bots else say("{seat}, {bot}", seat=name, bot=bot_text(part.bots[seat]))


def seats_note(part: Part, known: Text) -> Text:
    """The note: a fair share, what could be found, and how to read the table."""
    fair = numbers.number(100 / part.players, 1)
    if part.place:
        return say("Fair would be {fair} %. {found} {start}", fair=fair, found=known, start=start_note(part))
    tied = say("Games with a shared first place: {tied}.", tied=numbers.percent(part.statistics[TIED]))
    return say("Fair would be {fair} %. {found} {tied} {start}", fair=fair, found=known, tied=tied,
               start=start_note(part))  # fmt: skip


def power(part: Part, tests: int) -> Text:
    """The smallest advantage of a seat that these games would find, in so many tests."""
    if not part.same_bots:
        return say("The seats had different bots: differences are those of the bots, as far as seats are alike.")
    gap = 100 * detectable_effect(1 / part.players, len(part.statistics), tests)
    return say("An advantage of {points} percentage points or more would be found 4 times in 5.",
               points=numbers.number(gap, numbers.digits_for(gap)))  # fmt: skip


def length(part: Part) -> Section:
    """Deals, turns and decisions of a game."""
    low, middle, high = (numbers.whole(quantile(part, q)) for q in (0.05, 0.5, 0.95))
    note = say(
        "Half of the games have at most {middle} decisions; one in twenty has at most {low}, and one in twenty at "
        "least {high}.", low=low, middle=middle, high=high)  # fmt: skip
    heads = say("length"), say("mean")
    return Section("length", say("Length of a game"), heads, tuple(lengths(part)), note)


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
    return quantile_of(part.statistics.lengths, q)


def endings(part: Part) -> Section:
    """How games end; endings that can't come with these options are left out."""
    ended, names = part.game.endings, part.game.rules.ENDINGS
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


# --- luck and skill ---------------------------------------------------------------------------------------------------
def skill(part: Part) -> Section:
    """How one bot does among others."""
    rows: list[tuple[Cell, ...]] = [
        (
            say("{one} among {others}", one=ONE_BOT[each.one], others=MANY_BOTS[each.others]), signed(each.gain, part),
            numbers.percent(each.last if part.place else each.first),
            say("neither is surely ahead") if each.games is None else numbers.whole(each.games),
            lots(each.gain, each.last if part.place else each.first, part),
        )
        for each in part.duels
    ]  # fmt: skip
    heads = say("one among others"), say("above the mean"), place_title(part), say("games to tell"), BY_LOT
    note = say(
        "The same deals are played from every seat. Games to tell: how many it takes until the better bot is "
        "ahead with 95 % certainty; few games mean skill, many mean luck. As if by lot: the better bot would do as "
        "well if lots decided so many games and it won all others (after Duersch and others, 2020).")  # fmt: skip
    return Section("skill", say("Luck and skill"), heads, tuple(rows), note)


def levels(part: Part) -> Iterator[Section]:
    """The levels of bots against each other, where `hexdeck ladder` has measured them."""
    kept = data(part.game).get("measured", {}).get(str(part.players), {}).get("contests", [])
    rows, shares = [], []
    for row in kept:
        if row["one"] in LEVELS:
            placed = stored_share(row, "last" if part.place else "first")
            who = say("{one} among {others}", one=TITLES[row["one"]], others=say(ADJECTIVES[row["others"]]))
            gain = above_mean(row, part.players)
            rows.append((who, signed(gain, part), numbers.percent(placed), lots(gain, placed, part)))
            shares.append(placed.value)
    if rows:
        heads = say("one among others"), say("above the mean"), place_title(part), BY_LOT
        note = say("With the usual options, as measured by hexdeck ladder.")
        yield Section("levels", say("Levels of bots"), heads, tuple(rows), note, tuple(shares), 2)


def above_mean(row: dict[str, Any], players: int) -> Estimate:
    """The utility above the mean of the table; a stored contest has how far one is ahead of the mean of the others."""
    value, half = row["gain"]
    off = margin("gain", value, half, row["groups"])
    return Estimate(value, value - off, value + off, row["groups"]).scaled((players - 1) / players)


def stored_share(row: dict[str, Any], column: str) -> Estimate:
    """A share of a stored contest."""
    value, half = row[column]
    return Estimate(value, *share_ends(value, half / NORMAL, row["groups"]), row["groups"])
