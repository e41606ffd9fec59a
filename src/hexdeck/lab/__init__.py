"""The playtest lab: what happens in many games, and what a change of a rule does.

For notebooks: `games` and `decisions` give data frames of simulated games, `read` those of a folder that `hexdeck
simulate --out` wrote, `measure` every measure of many games with its 95 % interval, `difference` those of two variants
on the same cards. What they need comes with `pip install 'hexdeck[lab]'`; importing this module needs nothing. Whatever
is refused is a HexdeckError: one sentence on what was wrong and what is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from hexdeck.engine.play.game import GameSetup
    from hexdeck.lab.counting.collect import Desk
    from hexdeck.lab.counting.stats import Estimate

__all__ = ["decisions", "difference", "games", "measure", "read"]
Bots = str | Sequence[str]


def games(game: GameSetup, count: int, bots: Bots = "house", seed: int = 0) -> pd.DataFrame:
    """A row for each of the first games of a seed; the columns are those of `store.GAMES`."""
    desk = _desk(game, count, bots, seed)
    from hexdeck.lab.runs.store import games_table

    return games_table(desk, 0, count).to_pandas()


def decisions(game: GameSetup, count: int, bots: Bots = "house", seed: int = 0) -> pd.DataFrame:
    """A row for each decision of the first games of a seed; the columns are those of `store.MADE`."""
    desk = _desk(game, count, bots, seed)
    from hexdeck.lab.runs.store import decisions_table

    return decisions_table(desk, 0, count).to_pandas()


def _desk(game: GameSetup, count: int, bots: Bots, seed: int) -> Desk:
    """A desk to play so many games at; raises HexdeckError for what can't be."""
    _needed()
    from hexdeck.engine.errors import BadOption
    from hexdeck.engine.play.game import check_numbers
    from hexdeck.engine.text import say
    from hexdeck.lab.counting.collect import Desk
    from hexdeck.simulation.seating import check_bots

    if count < 1:
        raise BadOption(say("A simulation needs at least one game and at least one thread."))
    check_numbers(0, count)
    check_bots(game, bots)
    return Desk(game, bots, seed)


def _needed() -> None:
    from hexdeck.lab.optional_dependencies import needs

    needs("lab", "pandas", "pyarrow", "scipy")


def read(folder: str | Path, table: str = "games", columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A table (`games` or `decisions`) of a folder of shards, or some of its columns, in the order of games.

    Raises BadOption for a table or column that there is not, HexdeckError where there is no such folder or it can't be
    read.
    """
    _needed()
    from hexdeck.lab.runs.reading import table_of

    return table_of(Path(folder), table, columns)


def measure(game: GameSetup, count: int, bots: Bots = "house", seed: int = 0, threads: int = 1) -> pd.DataFrame:
    """Every measure of the first games of a seed, for each seat, ending or kind of move: `value`, `low` and `high`."""
    _needed()
    import pandas as pd

    from hexdeck.lab.counting.collect import collect

    found = collect(game, count, bots, seed, threads)
    index = pd.MultiIndex.from_tuples(found.names, names=["measure", "of"])
    return pd.DataFrame([row(found[name]) for name in found.names], index=index)


def difference(
    a: GameSetup, b: GameSetup, *, precision: float = 0.01, most: int = 200_000, bots: Bots = "house", seed: int = 0,
    threads: int = 1,
) -> pd.DataFrame:  # fmt: skip
    """Two variants on the same cards: each measure `before` and `after`, its difference with the ends of its interval.

    `saved`: how many times as many games it would have taken without pairs. It stops when the differences of seats'
    shares are known to ±`precision`, or after `most` pairs. Raises BadOption for two games that can't be paired.
    """
    _needed()
    import pandas as pd

    from hexdeck.bots.players.levels import one_loser
    from hexdeck.engine.errors import BadOption
    from hexdeck.engine.text import say
    from hexdeck.lab.reporting.compare import compare as paired

    if (a.name, a.players) != (b.name, b.players):
        about = {"a": a.name, "m": a.players, "b": b.name, "n": b.players}
        raise BadOption(say(
            "Two variants are of the same game with as many players: not {a} with {m} and {b} with {n}.", **about,
        ))  # fmt: skip
    found = paired(a, b, place=int(one_loser(a)), precision=precision, most=most, bots=bots, seed=seed, threads=threads)
    changes = [found.change(name) for name in found.told]
    rows = [
        {"before": each.before.value, "after": each.after.value, **row(each.difference), "saved": each.saved}
        for each in changes
    ]
    return pd.DataFrame(rows, index=pd.MultiIndex.from_tuples([each.name for each in changes], names=["measure", "of"]))


def row(estimate: Estimate) -> dict[str, float]:
    """An estimate as columns."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "games": estimate.count}
