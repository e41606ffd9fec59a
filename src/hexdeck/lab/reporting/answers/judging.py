"""The six questions of a report's first page, and by what criterion each is judged."""

from __future__ import annotations

from collections.abc import Iterator

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.counting.luck.lots import by_lot
from hexdeck.lab.counting.pace import CARDS, SCREEN, minutes
from hexdeck.lab.counting.shape.lead import HALF
from hexdeck.lab.counts import STARTER_FIRST, STARTER_LAST
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.answers.answer import FINE, LOOK, UNSURE, Answer
from hexdeck.lab.reporting.answers.parts_used import Reading, parts_used
from hexdeck.lab.reporting.cause_findings import DEAD, IDLE
from hexdeck.lab.reporting.findings import LONG, LUCKY, is_starter
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import percent_of_whole
from hexdeck.lab.reporting.sections import quantile
from hexdeck.lab.reporting.shape.section import leading
from hexdeck.stats import Estimate

OFF, FAR = 0.01, 0.03  # of a share: from so much on a sure advantage is worth a look; less than that is fair enough
FEWEST = 100  # games, with fewer of which nothing is said of lengths
WAIT = 120  # seconds between one's own turns, at a real table, from which waiting is worth a look
FURTHER = 0.15  # of games: leads that may last so much more often than usual aren't called harmless


# --- fair? ------------------------------------------------------------------------------------------------------------
def fair(reading: Reading, part: Part) -> Answer:
    """How far a seat or the starter is off: from a fair share, or from the others that chance could have let start."""
    if not part.same_bots:
        text = say("The seats had different bots, so nothing here shows whether one seat is better than another.")
        return Answer(part.players, UNSURE, text)
    tests = reading.report.tests
    seat, found = furthest(part)
    off = shifted(found, 1 / part.players).simultaneous(tests)
    sure, within = not off.low <= 0 <= off.high, max(abs(off.low), abs(off.high)) <= FAR
    verdict = LOOK if sure and abs(off.value) >= OFF else FINE if within else UNSURE
    text, kind = fair_text(part, seat, found, verdict), "beginner" if seat is None else "seat"
    return max(
        (judged_off(part, verdict, text, off, kind), *start_counts(part, tests)),
        key=lambda each: (each.verdict == LOOK, each.weight),
    )


def judged_off(part: Part, verdict: str, text: Text, off: Estimate, kind: str) -> Answer:
    """The answer about a difference of shares."""
    hundred = off.scaled(100)
    number = Estimate(abs(hundred.value), *numbers.ends(hundred), hundred.count)
    short = numbers.plain(number, 1)
    value = say("{number} percentage points off", number=short)
    return Answer(part.players, verdict, text, value, short, number, None, abs(off.value), (kind, ""))


STARTS = {
    (False, True): _("With {players} players, starting helps: where chance decides who starts, the starter comes first "
                     "more often than the others it could have been."),
    (False, False): _("With {players} players, starting hurts: where chance decides who starts, the starter comes "
                      "first less often than the others it could have been."),
    (True, True): _("With {players} players, starting hurts: where chance decides who starts, the starter loses more "
                    "often than the others it could have been."),
    (True, False): _("With {players} players, starting helps: where chance decides who starts, the starter loses less "
                     "often than the others it could have been."),
}  # fmt: skip


def start_counts(part: Part, tests: int) -> Iterator[Answer]:
    """The answer where players earn the start or are dealt it, if it surely counts where chance decides it."""
    study = part.starts
    if study is not None and study.enough and study.place(part.place).significant(0.0, tests):
        off = study.place(part.place).simultaneous(tests)
        yield judged_off(part, LOOK, say(STARTS[bool(part.place), off.value > 0], players=part.players), off, "start")


def shifted(found: Estimate, by: float) -> Estimate:
    """An estimate less a number."""
    return Estimate(found.value - by, found.low - by, found.high - by, found.count)


def furthest(part: Part) -> tuple[int | None, Estimate]:
    """The seat, or None for whoever starts, whose share of the place that decides is furthest from a fair one."""
    found: list[tuple[int | None, Estimate]] = [
        (seat, share) for seat, share in enumerate(part.statistics.estimates(part.shares)) if not is_starter(part, seat)
    ]
    if part.starting.at_random:
        found.append((None, part.statistics[STARTER_LAST if part.place else STARTER_FIRST]))
    return max(found, key=lambda each: abs(each[1].value - 1 / part.players))


FAIR = {
    (True, False): _("With {players} players, seat {seat} is furthest off: it comes first in {share} % of games, and "
                     "fair would be {fair} %."),
    (True, True): _("With {players} players, seat {seat} is furthest off: it loses {share} % of games, and fair would "
                    "be {fair} %."),
    (False, False): _("With {players} players, whoever starts ({why}) comes first in {share} % of games, and fair "
                      "would be {fair} %."),
    (False, True): _("With {players} players, whoever starts ({why}) loses {share} % of games, and fair would be "
                     "{fair} %."),
}  # fmt: skip
TOO_FEW = _("{sentence} {games} games are too few to tell whether that is luck.")


def fair_text(part: Part, seat: int | None, found: Estimate, verdict: str) -> Text:
    """Who is furthest from a fair share; that it may be luck, where nobody knows."""
    who = {"why": part.starting.why} if seat is None else {"seat": seat + 1}
    share, usual = (numbers.number(100 * each, 1) for each in (found.value, 1 / part.players))
    sentence = say(FAIR[seat is not None, bool(part.place)], players=part.players, share=share, fair=usual, **who)
    return too_few(sentence, len(part.statistics)) if verdict == UNSURE else sentence


def too_few(sentence: Text, games: int) -> Text:
    """The sentence, and that it may be luck."""
    return say(TOO_FEW, sentence=sentence, games=numbers.count(games))


# --- long? ------------------------------------------------------------------------------------------------------------
DRAGS = _("With {players} players a game takes about {real} minutes with real cards, and one in twenty takes {long} "
          "or more: over {times} times the median.")  # fmt: skip
WAITS = _("With {players} players a game takes about {real} minutes with real cards, and {wait} seconds pass between "
          "two of your own turns.")  # fmt: skip
LASTS = _("With {players} players a game takes about {real} minutes with real cards, {screen} on the screen; {wait} "
          "seconds pass between two of your own turns.")  # fmt: skip


def long(reading: Reading, part: Part) -> Answer:
    """The minutes of a game with real cards, and those of nine games in ten; by the model of `counting.pace`."""
    if len(part.statistics) < FEWEST:
        return Answer(part.players, UNSURE, say("Too few games were played to tell how long they take."))
    real, screen = (minutes(part.statistics, place.paced(reading.pace)) for place in (CARDS, SCREEN))
    middle, late = quantile(part, 0.5), quantile(part, 0.95)
    each = real.total / part.statistics["decisions"].value
    low, high = quantile(part, 0.05).value * each, late.value * each
    drags, waits = late.low > LONG * middle.high, real.wait > WAIT
    shown = {"players": part.players, "real": whole(real.total), "wait": numbers.number(real.wait, 0)}
    if drags:
        text = say(DRAGS, long=whole(high), times=numbers.number(LONG, 1), **shown)
    else:
        text = say(WAITS, **shown) if waits else say(LASTS, screen=whole(screen.total), **shown)
    short = say("{number} ({low} to {high})", number=whole(real.total), low=whole(low), high=whole(high))
    number = Estimate(real.total, low, high, len(part.statistics))
    return Answer(part.players, LOOK if drags or waits else FINE, text, say("{minutes} minutes", minutes=short), short,
                  number, None, real.total, ("length", "") if drags else ("", ""))  # fmt: skip


def whole(number: float) -> Text | str:
    """Minutes, in whole ones from ten on."""
    return numbers.number(number, 0 if number >= 10 else 1)


# --- skill or luck? ---------------------------------------------------------------------------------------------------
LOTS = _("With {players} players, the house bot among random players does as well as if lots decided {share} of games "
         "and it won all others. Games needed to tell it from them: {games}.")  # fmt: skip
NO_BETTER = _("With {players} players, the house bot isn't surely better than random play.")


def skill(_reading: Reading, part: Part) -> Answer:
    """In how many games lots would decide, if the house bot won all others among random players."""
    duel = next((each for each in part.duels if (each.one, each.others) == ("house", "random")), None)
    if duel is None:
        return Answer(part.players, UNSURE, say("No bots of different strength played each other."))
    if duel.games is None:
        return Answer(part.players, LOOK, say(NO_BETTER, players=part.players))
    found = by_lot(duel.last if part.place else duel.first, part.players, part.place)
    text = say(LOTS, players=part.players, share=percent_of_whole(found), games=numbers.whole(duel.games))
    verdict = LOOK if duel.games.low >= LUCKY else FINE if duel.games.high < LUCKY else UNSURE
    short = percent_of_whole(found)
    return Answer(
        part.players, verdict, text, say("{share} by lot", share=short), short, found.scaled(100), None, found.value
    )


# --- dead parts? ------------------------------------------------------------------------------------------------------
OFTEN = 0.5  # of its holders, or of the choices that allow it: what is used more than that isn't named
TEXTS = {
    (DEAD, True): _("With {players} players, {what} is a dead card: hardly anybody who holds it uses it ({share})."),
    (IDLE, True): _("With {players} players, “{what}” is hardly ever chosen where it is allowed ({share})."),
    (DEAD, False): _("With {players} players, every card and every kind of move is used; the least used is {what}, by "
                     "{share} of its holders."),
    (IDLE, False): _("With {players} players, every card and every kind of move is used; the least used is “{what}”, "
                     "in {share} of the choices that allow it."),
}  # fmt: skip


def unused(reading: Reading, part: Part) -> Answer:
    """How many cards and kinds of moves are hardly ever used, of all that could be."""
    found = parts_used(reading, part)
    if found is None:
        return Answer(part.players, UNSURE, say("Too few games were looked into to tell what is used."))
    sure, most = len(found.dead), len(found.dead) + len(found.open)
    short = span(sure, most, found.count)
    verdict = LOOK if sure else FINE if most <= found.count / 10 else UNSURE
    least = found.dead[0] if sure else found.least
    text = say(TEXTS[least.family, sure > 0], players=part.players, what=least.what, share=least.value)
    if least.found.value > OFTEN:
        text = say("With {players} players, every card and every kind of move is used often.", players=part.players)
    if sure > 1:
        text = say_n(
            "{sentence} {n} more is in the findings.",
            "{sentence} {n} more are in the findings.",
            sure - 1,
            sentence=text,
        )
    return Answer(
        part.players, verdict, text, say("{number} unused", number=short), short,
        Estimate(sure, sure, most, found.count), float(found.count), sure, ("unworthy", least.subject),
    )  # fmt: skip


def span(least: int, most: int, count: int) -> Text:
    """So many of so many, or between two numbers of them."""
    if least == most:
        return say("{number} of {count}", number=least, count=count)
    return say("{low} to {high} of {count}", low=least, high=most, count=count)


# --- runaway? ---------------------------------------------------------------------------------------------------------
LEADS = (
    _("With {players} players, whoever is likeliest to win halfway comes first in {share} of games; {usual} % would be "
      "usual."),
    _("With {players} players, whoever is likeliest to lose halfway loses in {share} of games; {usual} % would be "
      "usual."),
)  # fmt: skip


def runaway(reading: Reading, part: Part) -> Answer:
    """How often whoever is ahead halfway takes the place that decides, beside what is usual."""
    _fraction, found, usual = next(each for each in leading(part) if each[0] == HALF)
    if not found.count:
        return Answer(part.players, UNSURE, say("Too few games were looked into to tell whether leads last."))
    more = found.value > usual and found.significant(usual, reading.report.tests)
    verdict = LOOK if more else FINE if found.high <= usual + FURTHER else UNSURE
    share = percent_of_whole(found)
    text = say(LEADS[part.place], players=part.players, share=share, usual=numbers.number(100 * usual, 0))
    text = too_few(text, found.count) if verdict == UNSURE else text
    return Answer(part.players, verdict, text, share, share, found.scaled(100), 100 * usual, found.value - usual,
                  ("runaway", ""))  # fmt: skip


# --- confusing? -------------------------------------------------------------------------------------------------------
def confusing(_reading: Reading, part: Part) -> Answer:
    """Nobody but people can say."""
    return Answer(
        part.players,
        UNSURE,
        say("No answers from people yet: bots can't tell what confuses. Play it with people, and ask them."),
    )
