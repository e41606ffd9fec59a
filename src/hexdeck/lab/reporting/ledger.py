"""The effect of every ruling of a game, measured: each other reading against the usual one, on pairs of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting.compare import DIFFERS, PLACE_DIFFERS, RESULT_DIFFERS, Comparison, compare
from hexdeck.lab.reporting.comparison_report import gain_names
from hexdeck.lab.reporting.rulings import STARTER, RulingEffect, companion, readings, with_option
from hexdeck.stats import Estimate


@dataclass(frozen=True)
class Refused:
    """A reading that can't be played, and why."""

    option: str
    value: str
    why: BadOption


def ledger(
    setup: SimulationSetup, pairs: int, progress: Callable[[str, int], None] | None = None
) -> Iterator[RulingEffect | Refused]:
    """The effect of each other reading of a game with its options, one after another, on so many pairs of games.

    After an interrupt it yields what was measured of the reading at hand, and raises KeyboardInterrupt.
    """
    asked = readings(setup.game.definition)
    for option, value in asked:
        try:
            usual, other, beside = pair_of(setup.game, option, value)
        except BadOption as error:
            yield Refused(option.name, value, error)
            continue
        if other.options != usual.options:
            tick = None if progress is None else ticking(progress, f"{option.name}={value}")
            found = compare(replace(setup, game=usual), other, least=pairs, most=pairs, progress=tick)
            yield replace(effect(option, value, found, len(asked)), beside=beside)
            if found.interrupted:
                raise KeyboardInterrupt


def pair_of(game: GameSetup, option: Option, value: str) -> tuple[GameSetup, GameSetup, str]:
    """The two games that differ in a reading only; and the option, as `key=value`, that both need for it, if any.

    Raises BadOption where the reading can't be played, even beside one other reading.
    """
    try:
        other = with_option(game, option, value)
        changed = (each for each in game.rules.OPTIONS if other.options[each.name] != game.options[each.name])
        switched = next((each for each in changed if each.name != option.name), None)  # an option that it needs
        if switched is None:
            return game, other, ""
        needed = switched, switched.spell(other.options[switched.name])
    except BadOption:
        found = companion(game, option, value)
        if found is None:
            raise
        needed = found
    usual = with_option(game, *needed)
    return usual, with_option(usual, option, value), f"{needed[0].name}={needed[1]}"


def ticking(progress: Callable[[str, int], None], name: str) -> Callable[[int, int], None]:
    """A progress callback for one reading."""
    return lambda done, _of: progress(name, done)


def effect(option: Option, value: str, found: Comparison, tests: int = 1) -> RulingEffect:
    """The effect of a reading, from a comparison; one of so many tests.

    The gain is the largest of all, so its interval is simultaneous for all of them.
    """
    gains = {name: found.change(name).difference for name in gain_names(found)}
    sure = {name: each for name, each in gains.items() if each.value and each.significant(0.0, len(gains) * tests)}
    name = max(sure or gains, key=lambda each: abs(gains[each].value) if sure else bound(gains[each]))
    differs, result, place = (ends(found.share_of_pairs(each)) for each in (DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS))
    return RulingEffect(
        option.rule, option.name, value, len(found), differs, result, place, ends(gains[name].simultaneous(len(gains))),
        ends(found.change("decisions").difference), name[1] if name[0] == found.shares else STARTER,
        bool(found.place), bool(sure),
    )  # fmt: skip


def bound(estimate: Estimate) -> float:
    """A bound on how far a value is from 0."""
    return max(abs(estimate.low), abs(estimate.high))


def ends(estimate: Estimate) -> tuple[float, float, float]:
    """An estimate as it is stored: the value and the ends of its interval."""
    return estimate.value, estimate.low, estimate.high
