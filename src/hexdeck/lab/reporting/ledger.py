"""Measure what every ruling of a game weighs: each other reading against the usual one, on pairs of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counting.stats import Estimate
from hexdeck.lab.reporting.changes import fair_names
from hexdeck.lab.reporting.compare import DIFFERS, PLACE_DIFFERS, RESULT_DIFFERS, Comparison, compare
from hexdeck.lab.reporting.rulings import STARTER, Weight, beside, readings
from hexdeck.simulation.game import game as game_of


@dataclass(frozen=True)
class Refused:
    """A reading that can't be played alone, and why."""

    option: str
    value: str
    why: BadOption


def ledger(
    game: GameSetup, pairs: int, bots: str = "house", seed: int = 0, threads: int = 1,
    backend: str | None = None, progress: Callable[[str, int], None] | None = None,
) -> Iterator[Weight | Refused]:  # fmt: skip
    """The weight of each reading of a game with its options, one after another.

    Interrupted, it gives what was measured of the reading at hand, and raises KeyboardInterrupt.
    """
    asked = readings(game.name)
    for option, value in asked:
        try:
            usual, other, needs = pair_of(game, option, value)
        except BadOption as error:
            yield Refused(option.name, value, error)
            continue
        if other.options != usual.options:
            tick = None if progress is None else ticking(progress, f"{option.name}={value}")
            found = compare(
                usual, other, place=int(one_loser(game)), least=pairs, most=pairs, bots=bots, seed=seed,
                threads=threads, backend=backend, progress=tick,
            )  # fmt: skip
            yield replace(weight(option, value, found, len(asked)), beside=needs)
            if found.interrupted:
                raise KeyboardInterrupt


def pair_of(game: GameSetup, option: Option, value: str) -> tuple[GameSetup, GameSetup, str]:
    """The two games that a reading is measured by, and the option that both have because it needs that, as it is typed.

    Raises BadOption where it can't be played with any one other reading either.
    """
    try:
        return game, game_of(game.name, game.players, **{**game.options, option.name: value}), ""
    except BadOption:
        needed = beside(game, option, value)
        if needed is None:
            raise
    usual = game_of(game.name, game.players, **{**game.options, needed[0].name: needed[1]})
    other = game_of(game.name, game.players, **{**usual.options, option.name: value})
    return usual, other, f"{needed[0].name}={needed[1]}"


def ticking(progress: Callable[[str, int], None], name: str) -> Callable[[int, int], None]:
    """Progress on one reading."""
    return lambda done, _of: progress(name, done)


def weight(option: Option, value: str, found: Comparison, asked: int = 1) -> Weight:
    """What a comparison says of a reading, one of so many that are asked about.

    The gain is that of whom it changes most, so its interval is one that holds for everybody's together.
    """
    gains = {name: found.change(name).difference for name in fair_names(found)}
    sure = {name: each for name, each in gains.items() if each.value and each.sure(0.0, len(gains) * asked)}
    name = max(sure or gains, key=lambda each: abs(gains[each].value) if sure else reach(gains[each]))
    differs, result, place = (ends(found.happens(each)) for each in (DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS))
    return Weight(
        option.rule, option.name, value, len(found), differs, result, place, ends(gains[name].for_all(len(gains))),
        ends(found.change("decisions").difference), name[1] if name[0] == found.shares else STARTER,
        bool(found.place), bool(sure),
    )  # fmt: skip


def reach(estimate: Estimate) -> float:
    """How far from 0 a value may be."""
    return max(abs(estimate.low), abs(estimate.high))


def ends(estimate: Estimate) -> tuple[float, float, float]:
    """An estimate as it is kept."""
    return estimate.value, estimate.low, estimate.high
