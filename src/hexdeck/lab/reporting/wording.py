"""How reports write numbers, bots, seats, moves and options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import floor, isfinite, isnan, log10

from hexdeck.bots.players.levels import MANNER_TITLES
from hexdeck.bots.players.names import parted, spoken
from hexdeck.engine import text
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.study import Measure
from hexdeck.engine.text import Catalogue, Text, _, say
from hexdeck.lab.counts import kind_numbers
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.stats import Estimate

number, count = text.number, text.count
ENGLISH = Catalogue()
TOO_FEW = say("too few games")  # in place of a figure
INTERRUPTED = say("Interrupted: only what was finished is in it.")
MOST, FEW = 4, 2  # digits after the point at most; of numbers from 1 on
MARGIN, RANGE = _("{number} ±{margin}"), _("{number} ({low} to {high})")
LOPSIDED = 0.3  # of the margin: an interval whose middle is further from the value is told by its ends
RARE = 10  # with fewer hits, or fewer misses, a share's interval is told by its ends


def written(cell: Text | str, *, suits: bool = False) -> str:
    """A cell in words, without a full stop after the dots of a gap; `suits`: with the symbols of cards' suits."""
    words = cell if isinstance(cell, str) else replace(ENGLISH, suits=suits).words(cell)
    return words.replace("….", "…")


def digits_for(margin: float) -> int:
    """The digits after the point that show at most two digits of a margin: 0.34, 3.4, 34."""
    if not isfinite(margin) or margin <= 0:
        return 1
    return min(max(1 - floor(log10(margin)), 0), MOST) if margin < 10 else 0


def plain(estimate: Estimate, limit: int = MOST, write: Callable[[float, int], Text | str] = number) -> Text | str:
    """An estimate and its margin, with at most so many digits after the point; `write`: what writes its numbers."""
    if isnan(estimate.value):
        return TOO_FEW
    if not isfinite(estimate.margin):
        return write(estimate.value, 1)
    if not estimate.margin:
        return write(estimate.value, 0 if float(estimate.value).is_integer() else 1) if estimate.value else number(0, 0)
    digits = min(limit if abs(estimate.value) < 1 else FEW, limit, digits_for(estimate.margin))
    if 2 * estimate.margin < 10.0**-digits:
        return write(estimate.value, digits)
    if lopsided(estimate):
        value, low, high = (write(end, digits) for end in (estimate.value, estimate.low, estimate.high))
        return say(RANGE, number=value, low=low, high=high)
    return say(MARGIN, number=write(estimate.value, digits), margin=number(estimate.margin, digits))


def lopsided(estimate: Estimate) -> bool:
    """Whether the interval is so asymmetric that its margin would mislead."""
    return abs(estimate.high + estimate.low - 2 * estimate.value) > LOPSIDED * estimate.margin


def short(value: float) -> Text | str:
    """A number without needless digits: whole, or with one after the point."""
    return number(value, 0 if float(value).is_integer() else 1)


def whole_numbers(estimate: Estimate) -> Text | str:
    """An estimate and the ends of its interval in whole numbers."""
    value, low, high = (
        number(end, 0) if isfinite(end) else "∞" for end in (estimate.value, estimate.low, estimate.high)
    )
    return value if low == high else say(RANGE, number=value, low=low, high=high)


def percent(estimate: Estimate) -> Text:
    """A share in percent with its margin, or with the ends of its interval where hits or misses are rare."""
    if not estimate.count:
        return TOO_FEW
    value, low, high = (100 * end for end in (estimate.value, estimate.low, estimate.high))
    rare = min(estimate.value, 1 - estimate.value) * estimate.count < RARE
    if not rare and not lopsided(estimate):
        return say("{number} %", number=plain(estimate.scaled(100)))
    digits = digits_for((high - low) / 2) if low > 0 and high < 100 else max(0, digits_for(high - low) - 1)
    figures = {
        "number": number(value, digits if 0 < value < 100 else 0),
        "low": number(low, digits),
        "high": number(high, digits),
    }
    if low <= 0:
        return say("{number} %, at most {high} %", **figures)
    if high >= 100:
        return say("{number} %, at least {low} %", **figures)
    return say("{number} % ({low} to {high})", **figures)


def points(estimate: Estimate) -> Text | str:
    """The size of a difference of shares, in percentage points."""
    return plain(absolute(estimate.scaled(100)))


def absolute(estimate: Estimate) -> Estimate:
    """A difference without its sign."""
    return estimate if estimate.value >= 0 else estimate.scaled(-1)


def gap(estimate: Estimate, measure: Measure) -> Text:
    """The size of a difference of results, in people's units."""
    return say(measure.gap, number=plain(absolute(estimate.scaled(measure.scale))))


def gap_signed(estimate: Estimate, measure: Measure) -> Text:
    """A difference of results in people's units, with its sign."""
    return say(measure.gap, number=plain(estimate.scaled(measure.scale)))


# --- bots, seats, moves -----------------------------------------------------------------------------------------------
MANY_BOTS = {"house": say("house bots"), "gentle": say("easy bots"), "random": say("random bots")}
ONE_BOT = {
    "house": say("house bot"),
    "random": say("random bot"),
    "gentle": say("easy bot"),
    "steady": say("medium bot"),
    "sharp": say("hard bot"),
    "best": say("best bot"),
}


def bot_text(name: str) -> Text:
    """A bot in words."""
    plain, manner = parted(name)
    if manner and plain in ONE_BOT:
        return say("{bot}, {manner}", bot=ONE_BOT[plain], manner=MANNER_TITLES[manner])
    return ONE_BOT.get(name) or say("bot {name}", name=spoken(name))


def bots_text(names: Sequence[str]) -> Text | str:
    """The bots of all seats in words: one for all, or each."""
    return bot_text(names[0]) if len(set(names)) == 1 else ", ".join(map(spoken, names))


def seat_name(part: ReportPart, seat: int) -> Text:
    """A seat in words, with its bot where bots differ."""
    name = say("Seat {number}", number=seat + 1)
    return name if part.same_bots or not part.bots else say("{seat}, {bot}", seat=name, bot=bot_text(part.bots[seat]))


def kind_labels(counts: MessageCounts) -> list[Text | None]:
    """The label of each kind of move; None for kinds that were never legal."""
    return [counts.label(kind) for kind in kind_numbers(counts.game.rules.ACTIONS)[0]]


def joined(texts: Sequence[Text]) -> Text:
    """Several texts with commas between."""
    return functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), texts)


# --- options, as they are typed ---------------------------------------------------------------------------------------
def changed_options(game: GameSetup) -> list[str]:
    """The options of a game that aren't at their defaults."""
    usual = {option.name: option.default for option in game.rules.OPTIONS}
    return spelled(game, [name for name, value in game.options.items() if value != usual[name]])


def option_changes(a: GameSetup, b: GameSetup) -> str:
    """The options in which `b` differs from `a`, with the values of `b`, separated by spaces."""
    return " ".join(spelled(b, [name for name, value in b.options.items() if value != a.options[name]]))


def spelled(game: GameSetup, names: Iterable[str]) -> list[str]:
    """Some options of a game with their values."""
    options = {option.name: option for option in game.rules.OPTIONS}
    return [f"{name}={options[name].spell(game.options[name])}" for name in names]
