"""Measure what every ruling of a game weighs: each other reading against the usual one, on pairs of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hexdeck.bots.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game
from hexdeck.engine.game import game as game_of
from hexdeck.engine.options import Option
from hexdeck.lab.changes import fair_names
from hexdeck.lab.compare import DIFFERS, RESULT_DIFFERS, Comparison, compare
from hexdeck.lab.rulings import STARTER, Weight, readings
from hexdeck.lab.stats import Estimate


@dataclass(frozen=True)
class Refused:
    """A reading that can't be played alone, and why."""

    option: str
    value: str
    why: BadOption


def ledger(
    game: Game, pairs: int, bots: str = "house", seed: int = 0, threads: int = 1,
    lane: str | None = None, progress: Callable[[str, int], None] | None = None,
) -> Iterator[Weight | Refused]:  # fmt: skip
    """The weight of each reading of a game with its options, one after another.

    Interrupted, it gives what was measured of the reading at hand, and raises KeyboardInterrupt.
    """
    for option, value in readings(game.name):
        try:
            other = game_of(game.name, game.players, **{**game.options, option.name: value})
        except BadOption as error:
            yield Refused(option.name, value, error)
            continue
        if other.options != game.options:
            found = compare(
                game, other, place=int(one_loser(game)), least=pairs, most=pairs, bots=bots, seed=seed,
                threads=threads, lane=lane, progress=None if progress is None else ticking(progress, option.name),
            )  # fmt: skip
            yield weight(option, value, found)
            if found.interrupted:
                raise KeyboardInterrupt


def ticking(progress: Callable[[str, int], None], name: str) -> Callable[[int], None]:
    """Progress on one option."""
    return lambda done: progress(name, done)


def weight(option: Option, value: str, found: Comparison) -> Weight:
    """What a comparison says of a reading."""
    gains = {name: found.change(name).difference for name in fair_names(found)}
    name = max(gains, key=lambda each: abs(gains[each].value) / max(gains[each].error, 1e-12))
    differs, result = found.happens(DIFFERS), found.happens(RESULT_DIFFERS)
    sure = gains[name].sure(0.0, len(gains)) and differs.value > 0
    if not sure:
        name = max(gains, key=lambda each: max(abs(gains[each].low), abs(gains[each].high)))
    return Weight(
        option.rule, option.name, value, len(found), ends(differs), ends(result),
        ends(gains[name]), ends(found.change("decisions").difference), name[1] if name[0] == found.shares else STARTER,
        bool(found.place), sure,
    )  # fmt: skip


def ends(estimate: Estimate) -> tuple[float, float, float]:
    """An estimate as it is kept."""
    return estimate.value, estimate.low, estimate.high
