"""How reports write numbers, bots, seats, moves and options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import floor, isfinite, isnan, log10

from hexdeck.bots.players import bot_names
from hexdeck.engine import text
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.study import ResultUnit
from hexdeck.engine.text import Catalogue, Text
from hexdeck.lab.counts import RESULT, STARTER_RESULT, kind_numbers
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.stats import Estimate

TOO_FEW = "too few games"  # in place of a figure
INTERRUPTED = "Interrupted: only what was finished is in it."
MOST, FEW = 4, 2  # digits after the point at most; of numbers from 1 on
LOPSIDED = 0.3  # of the margin: an interval whose middle is further from the value is told by its ends
RARE = 10  # with fewer hits, or fewer misses, a share's interval is told by its ends

BY_PLACE = {  # words that texts have in braces: where first place decides, and where last place does
    "winner": ("winner", "loser"),
    "win": ("win", "lose"),
    "wins": ("wins", "loses"),
    "takes": ("comes first", "loses"),
    "takes_in": ("comes first in", "loses"),
    "gains": ("gains", "loses less often, by"),
    "of_that": ("", " of losing"),
    "well": ("the winner", "somebody who was safe"),
    "of_being_safe": ("", " of that"),
    "out": ("who can't win any more", "who is sure to lose, or to be safe"),
    "lost": ("with next to no chance", "who is nearly sure to lose"),
    "feed": ("leads feed themselves", "trouble feeds itself"),
}
WORDS = tuple({name: words[place] for name, words in BY_PLACE.items()} for place in (0, 1))


def number(value: float, digits: int) -> str:
    """A number with so many digits after the point."""
    return str(text.number(value, digits))


def signed(value: float, digits: int) -> str:
    """A number with so many digits after the point, and a plus or minus sign."""
    return str(text.signed(value, digits))


def count(amount: int) -> str:
    """A number of things."""
    return number(amount, 0)


def of(amount: int, singular: str, plural: str = "") -> str:
    """A number of things and what they are; `plural`: more than one, if that isn't `singular` with an s."""
    return f"{count(amount)} {singular if amount == 1 else plural or singular + 's'}"


def listed(parts: Sequence[str]) -> str:
    """Words in a sentence: one, two and three."""
    return ", ".join(parts[:-1]) + " and " * (len(parts) > 1) + "".join(parts[-1:])


def english(text: Text | str) -> str:
    """What a game says, with the symbols of suits, and without a full stop after the dots of a gap."""
    return (text if isinstance(text, str) else Catalogue(suits=True).words(text)).replace("….", "…")


def capitalised(text: str) -> str:
    """A text whose first letter is a capital."""
    return text[:1].upper() + text[1:]


def unbroken(line: str) -> str:
    """A line that isn't broken between a number and its % or ±."""
    return re.sub(r"(?<=\d) (?=[%±])", "\u00a0", line)


def digits_for(margin: float) -> int:
    """The digits after the point that show at most two digits of a margin: 0.34, 3.4, 34."""
    if not isfinite(margin) or margin <= 0:
        return 1
    return min(max(1 - floor(log10(margin)), 0), MOST) if margin < 10 else 0


def fitting(value: float) -> str:
    """A number with two digits, or none after the point."""
    return number(value, digits_for(value))


def plain(estimate: Estimate, limit: int = MOST, write: Callable[[float, int], str] = number) -> str:
    """An estimate and its margin, with at most so many digits after the point; `write`: what writes its numbers."""
    if isnan(estimate.value):
        return TOO_FEW
    if not isfinite(estimate.margin):
        return write(estimate.value, 1)
    if not estimate.margin:
        return write(estimate.value, 0 if float(estimate.value).is_integer() else 1) if estimate.value else "0"
    digits = min(limit if abs(estimate.value) < 1 else FEW, limit, digits_for(estimate.margin))
    if 2 * estimate.margin < 10.0**-digits:
        return write(estimate.value, digits)
    if lopsided(estimate):
        value, low, high = (write(end, digits) for end in (estimate.value, estimate.low, estimate.high))
        return f"{value} ({low} to {high})"
    return f"{write(estimate.value, digits)} ±{number(estimate.margin, digits)}"


def lopsided(estimate: Estimate) -> bool:
    """Whether the interval is so asymmetric that its margin would mislead."""
    return abs(estimate.high + estimate.low - 2 * estimate.value) > LOPSIDED * estimate.margin


def short(value: float) -> str:
    """A number without needless digits: whole, or with one after the point."""
    return number(value, 0 if float(value).is_integer() else 1)


def whole_numbers(estimate: Estimate) -> str:
    """An estimate and the ends of its interval in whole numbers."""
    ends = estimate.value, estimate.low, estimate.high
    value, low, high = (number(end, 0) if isfinite(end) else "∞" for end in ends)
    return value if low == high else f"{value} ({low} to {high})"


def percent(estimate: Estimate) -> str:
    """A share in percent with its margin, or with the ends of its interval where hits or misses are rare."""
    if not estimate.count:
        return TOO_FEW
    value, low, high = (100 * end for end in (estimate.value, estimate.low, estimate.high))
    rare = min(estimate.value, 1 - estimate.value) * estimate.count < RARE
    if not rare and not lopsided(estimate):
        return f"{plain(estimate.scaled(100))} %"
    digits = digits_for((high - low) / 2) if low > 0 and high < 100 else max(0, digits_for(high - low) - 1)
    share = number(value, digits if 0 < value < 100 else 0)
    if low <= 0 and high < 100:
        return f"{share} %, at most {number(high, digits)} %"
    if high >= 100 and low > 0:
        return f"{share} %, at least {number(low, digits)} %"
    return f"{share} % ({number(low, digits)} to {number(high, digits)})"


def points(estimate: Estimate) -> str:
    """The size of a difference of shares, in percentage points."""
    return plain(absolute(estimate.scaled(100)))


def absolute(estimate: Estimate) -> Estimate:
    """A difference without its sign."""
    return estimate if estimate.value >= 0 else estimate.scaled(-1)


def gap(estimate: Estimate, measure: ResultUnit) -> str:
    """The size of a difference of results, in people's units."""
    return gap_signed(absolute(estimate), measure)


def gap_signed(estimate: Estimate, measure: ResultUnit) -> str:
    """A difference of results in people's units, with its sign."""
    return measure.gap.format(number=plain(estimate.scaled(measure.scale)))


# --- bots, seats, moves -----------------------------------------------------------------------------------------------
MANY_BOTS = {"house": "house bots", "gentle": "easy bots", "random": "random bots"}
ONE_BOT = {"house": "house bot", "random": "random bot", "gentle": "easy bot", "steady": "medium bot"}
ONE_BOT |= {"sharp": "hard bot", "best": "best bot"}


def bot_text(name: str) -> str:
    """A bot in words."""
    plain, manner = bot_names.parted(name)
    if manner and plain in ONE_BOT:
        return f"{ONE_BOT[plain]}, {bot_names.MANNER_TITLES[manner]}"
    return ONE_BOT.get(name) or f"bot {bot_names.spoken(name)}"


def bots_text(names: Sequence[str]) -> str:
    """The bots of all seats in words: one for all, or each."""
    return bot_text(names[0]) if len(set(names)) == 1 else ", ".join(map(bot_names.spoken, names))


def as_played(part: ReportPart) -> str:
    """What each seat, and whoever starts, has in games as played: its share of the place that decides, and result."""
    of, unit, places, fair = part.statistics, part.measure, ("first places", "losses")[part.place], 100 / part.players
    shares = [number(100 * share.value, 1) for share in of.estimates(part.shares)]
    text = f"the seats have {listed(shares)} % of {places} (fair: {number(fair, 1)})"
    starter = f"whoever starts ({part.starting.why}) has {number(100 * of[part.starter_share].value, 1)} %"
    if part.won_or_lost:
        return f"{text}; {starter}"
    results = [
        number(unit.shift + unit.scale * estimate.value, digits_for(estimate.margin * unit.scale))
        for estimate in of.estimates(RESULT)
    ]
    ahead = of[STARTER_RESULT]
    ends = f"ends {gap(ahead, unit)} {'above' if ahead.value > 0 else 'below'} the mean"
    return f"{text} and mean results of {listed(results)} ({unit.unit}); {starter} and {ends}"


def seat_name(part: ReportPart, seat: int) -> str:
    """A seat in words, with its bot where bots differ."""
    return f"Seat {seat + 1}" + ("" if part.same_bots or not part.bots else f", {bot_text(part.bots[seat])}")


def kind_labels(counts: MessageCounts) -> list[str | None]:
    """The label of each kind of move, such as “Play a card”; None for kinds that were never legal."""
    labels = (counts.label(kind) for kind in kind_numbers(counts.game.rules.ACTIONS)[0])
    return [None if label is None else english(label).replace("the …", "a card") for label in labels]


def in_game(text: str, part: ReportPart) -> str:
    """A text with the words of the place that decides in a part's game."""
    return text.format(**WORDS[part.place])


# --- options, as they are typed ---------------------------------------------------------------------------------------
def changed_options(game: GameSetup) -> list[str]:
    """The options of a game that aren't at their defaults."""
    usual = {option.name: option.default for option in game.rules.OPTIONS}
    return spelled(game, [name for name, value in game.options.items() if value != usual[name]])


def variant_named(game: GameSetup, between: str = ", ") -> str:
    """A game by what isn't as tables play it, in words; with many such options, as they are typed."""
    table = type(game).at_table(game.name, game.players)
    own = [option for option in game.rules.OPTIONS if game.options[option.name] != table.options[option.name]]
    if len(own) > FEW:
        return " ".join(changed_options(game))
    told = [f"{option.about}: {english(option.in_words(game.options[option.name]))}" for option in own]
    title = "" if not game.definition.original else f"{english(game.table.ABOUT.title)}, "
    as_usual = ", ".join(changed_options(table))
    return title + (between.join(told) or f"the game as tables play it{f', {as_usual}' * bool(as_usual)}")


def longer_at_tables(*variants: GameSetup) -> list[str]:
    """A sentence on the options that tables set and none of the variants does; nothing if there are none."""
    a = variants[0]
    usual, table = a.usual().options, type(a).at_table(a.name, a.players)
    unset = [name for name in usual if all(variant.options.get(name) == usual[name] for variant in variants)]
    options = spelled(table, [name for name in unset if table.options[name] != usual[name]])
    typed = " ".join(f"--option {option}" for option in options)
    here = listed(spelled(a, [option.partition("=")[0] for option in options]))
    return [f"Tables play with {listed(options)}; here it is {here}. To measure what they play, add {typed}."] * bool(
        options
    )


def variant_changes(a: GameSetup, b: GameSetup) -> str:
    """In what `b` differs from `a`: its name if it is a fork, and options with the values of `b`, parted by spaces."""
    defaults = {option.name: option.default for option in b.rules.OPTIONS}
    options = spelled(b, [name for name, value in b.options.items() if value != a.options.get(name, defaults[name])])
    return " ".join([*fork_name(a, b), *options])


def fork_name(a: GameSetup, b: GameSetup) -> list[str]:
    """The name of the game that `b` is of, if it isn't that of `a`."""
    return [b.name] if b.name != a.name else []


def spelled(game: GameSetup, names: Iterable[str]) -> list[str]:
    """Some options of a game with their values."""
    options = {option.name: option for option in game.rules.OPTIONS}
    return [f"{name}={options[name].spell(game.options[name])}" for name in names]
