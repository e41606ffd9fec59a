"""Numbers in words: as many digits as their intervals bear, and never fewer than one can read."""

from __future__ import annotations

from math import floor, isfinite, isnan, log10

from hexdeck.engine import number_words
from hexdeck.engine.measure import Measure
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.counting.stats import Estimate

number, count = number_words.number, number_words.count
INTERRUPTED = say("Interrupted: only what was finished is in it.")
MOST, FEW = 4, 2  # digits after the point; of 1 and more
MARGIN, RANGE = _("{number} ±{margin}"), _("{number} ({low} to {high})")
LOPSIDED = 0.3  # of half the width of an interval: whose middle is further from the value is told by its ends
RARE = 10  # of so few, or of all but so few, a share's interval is told by its ends


def digits_for(margin: float) -> int:
    """Digits after the point that leave a margin two digits at most: 0.34, 3.4, 34."""
    if not isfinite(margin) or margin <= 0:
        return 1
    return min(max(1 - floor(log10(margin)), 0), MOST) if margin < 10 else 0


def plain(estimate: Estimate, most: int = MOST) -> Text | str:
    """A mean and half its interval, with so many digits after the point at most."""
    if isnan(estimate.value):
        return say("unknown")
    if not isfinite(estimate.margin):
        return number(estimate.value, 1)
    if not estimate.margin:
        return number(estimate.value, 0 if float(estimate.value).is_integer() else 1)
    digits = min(most if abs(estimate.value) < 1 else FEW, most, digits_for(estimate.margin))
    if 2 * estimate.margin < 10.0**-digits:
        return number(estimate.value, digits)
    if lopsided(estimate):
        ends = (number(each, digits) for each in (estimate.low, estimate.high))
        return say(RANGE, number=number(estimate.value, digits), **dict(zip(("low", "high"), ends, strict=True)))
    return say(MARGIN, number=number(estimate.value, digits), margin=number(estimate.margin, digits))


def lopsided(estimate: Estimate) -> bool:
    """Whether the value is far from the middle of its interval."""
    return abs(estimate.high + estimate.low - 2 * estimate.value) > LOPSIDED * estimate.margin


def whole(estimate: Estimate) -> Text | str:
    """A whole number and the ends of its interval, whole too."""
    value, low, high = (
        number(each, 0) if isfinite(each) else "∞" for each in (estimate.value, estimate.low, estimate.high)
    )
    return value if low == high else say(RANGE, number=value, low=low, high=high)


def percent(estimate: Estimate) -> Text:
    """A share in percent; of what is rare, or missing rarely, the ends of its interval."""
    if not estimate.count:
        return say("unknown")
    value, low, high = (100 * each for each in (estimate.value, estimate.low, estimate.high))
    rare = min(estimate.value, 1 - estimate.value) * estimate.count < RARE
    if not rare and not lopsided(estimate):
        return say("{number} %", number=plain(estimate.times(100)))
    digits = digits_for((high - low) / 2) if low > 0 and high < 100 else max(0, digits_for(high - low) - 1)
    told = {
        "number": number(value, digits if 0 < value < 100 else 0),
        "low": number(low, digits),
        "high": number(high, digits),
    }
    if low <= 0:
        return say("{number} %, at most {high} %", **told)
    if high >= 100:
        return say("{number} %, at least {low} %", **told)
    return say("{number} % ({low} to {high})", **told)


def points(estimate: Estimate) -> Text | str:
    """The size of a difference of shares, in points of percent."""
    hundred = estimate.times(100)
    return plain(Estimate(abs(hundred.value), *ends(hundred), hundred.count))


def ends(estimate: Estimate) -> tuple[float, float]:
    """The ends of the interval of the absolute value of a difference that surely isn't 0."""
    return (estimate.low, estimate.high) if estimate.value >= 0 else (-estimate.high, -estimate.low)


def gap(estimate: Estimate, measure: Measure) -> Text:
    """A difference of results in people's units, without its sign."""
    scaled = estimate.times(measure.scale)
    return say(measure.gap, number=plain(Estimate(abs(scaled.value), *ends(scaled), scaled.count)))


def gap_signed(estimate: Estimate, measure: Measure) -> Text:
    """A difference of results in people's units, with its sign."""
    return say(measure.gap, number=plain(estimate.times(measure.scale)))
