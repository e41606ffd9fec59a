"""A sweep in words, tables and bars: what each value does to seats, length and tension."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from hexdeck.engine.number_words import signed
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, Text, _, say, say_n
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.rulings import STARTER
from hexdeck.lab.reporting.section import Cell, Section
from hexdeck.lab.reporting.sections import bot_text
from hexdeck.lab.sweep.measure import MEASURES, Effect, Untried
from hexdeck.lab.sweep.tornado import Bar, largest
from hexdeck.stats import Estimate

NAMED, SHOWN = 3, 15  # changes that a finding names; that a chart shows
POINTS = {"seats": 100.0, "drama": 100.0}  # measures in percentage points: their scale
TITLES = {
    "seats": (
        say("Seats: the one whose share of first places changes most, in percentage points"),
        say("Seats: the one whose share of losses changes most, in percentage points"),
    ),
    "minutes": (say("Length: minutes of a match at a real table"),) * 2,
    "turns": (say("Length: turns of a match"),) * 2,
    "lead_changes": (
        say("Tension: changes of the most likely winner"),
        say("Tension: changes of the most likely loser"),
    ),
    "drama": (
        say("Drama: how far the winner was behind, in percentage points"),
        say("Drama: how far the loser was from the likeliest loser, in percentage points"),
    ),
}


@dataclass(frozen=True)
class Sweep:
    """What was tried: the game with its bots and seed, the effects, and what couldn't be tried.

    `tests`: how many values are tested together. `place`: whether first place decides (0) or last (1).
    """

    setup: SimulationSetup
    place: int
    pairs: int
    sample: int
    effects: tuple[Effect, ...]
    untried: tuple[Untried, ...]
    tests: int
    interrupted: bool = False

    @property
    def game(self) -> GameSetup:
        """The game as it is."""
        return self.setup.game


def about(sweep: Sweep) -> Text:
    """What was played."""
    seated = sweep.setup.seated
    bots = [bot_text(name) for name in (seated if len(set(seated)) > 1 else seated[:1])]
    return say(
        "{players} players; each value on {pairs} pairs of games between bots ({bots}), seed {seed}, {sample} of them "
        "looked into for tension and drama.", players=sweep.game.players, pairs=numbers.count(sweep.pairs),
        bots=joined(bots), seed=str(sweep.setup.seed), sample=numbers.count(sweep.sample),
    )  # fmt: skip


def as_it_is(sweep: Sweep) -> Text:
    """What the game is compared with."""
    changed = changed_options(sweep.game)
    if changed:
        return say(
            "Each value is compared with the game with {options}, on the same deals.", options=", ".join(changed)
        )
    return say("Each value is compared with the game as it is, on the same deals.")


# --- bars -------------------------------------------------------------------------------------------------------------
def bars(sweep: Sweep, measure: str, catalogue: Catalogue) -> list[Bar]:
    """The bars of a measure, the largest that are certain first; at most SHOWN, without those that change nothing."""
    found = [bar_of(sweep, effect, measure, catalogue) for effect in sweep.effects]
    return largest([bar for bar in found if bar.value], SHOWN)


def bar_of(sweep: Sweep, effect: Effect, measure: str, catalogue: Catalogue) -> Bar:
    """The bar of a value."""
    found = effect.shifts[measure].difference.scaled(POINTS.get(measure, 1.0))
    name = effect.change if measure != "seats" else f"{effect.change}, {catalogue.words(who(effect))}"
    shown = as_words(size_of(found), catalogue)
    return Bar(name, found.value, found.low, found.high, shown, is_sure(sweep, effect, measure))


def is_sure(sweep: Sweep, effect: Effect, measure: str) -> bool:
    """Whether an effect is significant: at 5 % for all values and measures together."""
    found = effect.shifts[measure].difference
    return bool(found.value) and found.significant(0.0, sweep.tests * len(MEASURES))


def who(effect: Effect) -> Text:
    """The seat whose share changes most."""
    return say("who starts") if effect.who == STARTER else say("seat {number}", number=effect.who + 1)


def size_of(found: Estimate) -> Text | str:
    """A difference with its sign and margin, both with as many digits as the margin justifies."""
    digits = min(2, numbers.digits_for(found.margin))
    if not found.margin:
        return signed(found.value, digits)
    return say(numbers.MARGIN, number=signed(found.value, digits), margin=numbers.number(found.margin, digits))


def as_words(text: Text | str, catalogue: Catalogue) -> str:
    """A text in words."""
    return text if isinstance(text, str) else catalogue.words(text)


# --- words and tables -------------------------------------------------------------------------------------------------
def findings(sweep: Sweep) -> list[Text]:
    """For each measure, the values that surely change it most, or a bound on what any does; what changed nothing."""
    out = [numbers.INTERRUPTED] if sweep.interrupted else []
    return [*out, *(finding(sweep, measure) for measure in MEASURES if sweep.effects), *without_effect(sweep)]


def without_effect(sweep: Sweep) -> list[Text]:
    """The sentence about values that changed no measure at all, and the length of no game; they have no bars."""
    same = [
        each.change
        for each in sweep.effects
        if not each.shifts["turns"].difference.margin
        and not any(shift.difference.value for shift in each.shifts.values())
    ]
    listed = ", ".join(same)
    text = _("Without any effect in {pairs} pairs of games: {listed}.")
    return [say(text, pairs=numbers.count(sweep.pairs), listed=listed)] if same else []


def finding(sweep: Sweep, measure: str) -> Text:
    """The sentence about a measure."""
    title = TITLES[measure][sweep.place]
    sure = [each for each in sweep.effects if is_sure(sweep, each, measure)]
    if not sure:
        tests = sweep.tests * len(MEASURES)
        each = [effect.shifts[measure].difference.simultaneous(tests) for effect in sweep.effects]
        most = POINTS.get(measure, 1.0) * max(max(abs(found.low), abs(found.high)) for found in each)
        text = _("{title}: no value surely changes it; none changes it by more than {most}.")
        return say(text, title=title, most=numbers.number(most, numbers.digits_for(most)))
    sure.sort(key=lambda effect: -abs(effect.shifts[measure].difference.value))
    listed = joined([named(effect, measure) for effect in sure[:NAMED]])
    more = len(sure) - NAMED
    if more > 0:
        return say_n(
            "{title}: most by {listed}; {n} other value surely changes it.",
            "{title}: most by {listed}; {n} other values surely change it.", more, title=title, listed=listed,
        )  # fmt: skip
    return say("{title}: surely changed by {listed} only.", title=title, listed=listed)


def named(effect: Effect, measure: str) -> Text:
    """A value and what it does to a measure."""
    size = size_of(effect.shifts[measure].difference.scaled(POINTS.get(measure, 1.0)))
    if measure == "seats":
        return say("{change} ({who} {difference})", change=effect.change, who=who(effect), difference=size)
    return say("{change} ({difference})", change=effect.change, difference=size)


def joined(parts: Sequence[Text]) -> Text:
    """Parts separated by commas."""
    return functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), parts)


def section(sweep: Sweep, measure: str) -> Section:
    """The table of a measure: every value, in the order of the options."""
    scale = POINTS.get(measure, 1.0)
    rows: list[tuple[Cell, ...]] = []
    for effect in sweep.effects:
        shift = effect.shifts[measure]
        before = numbers.number(scale * shift.before, 2 if abs(scale * shift.before) < 10 else 1)
        name = say("{change} (with {beside} in both)", change=effect.change, beside=effect.beside)
        cells: tuple[Cell, ...] = (
            name if effect.beside else effect.change,
            before,
            size_of(shift.difference.scaled(scale)),
        )
        rows.append((*cells, who(effect)) if measure == "seats" else cells)
    heads = (say("value"), say("as it is"), say("difference"), *([say("who")] if measure == "seats" else []))
    return Section(measure, TITLES[measure][sweep.place], heads, tuple(rows))


def untried(sweep: Sweep) -> list[Text]:
    """The values that couldn't be tried, and why."""
    return [say("{option} can't be measured alone: {why}", option=each.change, why=each.why) for each in sweep.untried]
