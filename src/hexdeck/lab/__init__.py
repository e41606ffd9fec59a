"""The playtest lab: what happens in many games of a game, what a change of a rule does, and how sure that is.

For notebooks: `games` and `decisions` give data frames of simulated games, `read` those of a folder that `hexdeck
simulate --out` wrote, `measure` every measure of many games with its 95 % interval, `difference` those of two variants
on the same cards. What they need comes with `pip install 'hexdeck[lab]'`; importing this module needs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from hexdeck.engine.game import Game
    from hexdeck.lab.stats import Estimate

__all__ = ["decisions", "difference", "games", "measure", "read"]
Bots = str | Sequence[str]


def games(game: Game, count: int, bots: Bots = "house", seed: int = 0) -> pd.DataFrame:
    """A row for each of the first games of a seed; the columns are those of `store.GAMES`."""
    from hexdeck.lab.collect import Desk
    from hexdeck.lab.store import games_table

    return games_table(Desk(game, bots, seed), 0, count).to_pandas()


def decisions(game: Game, count: int, bots: Bots = "house", seed: int = 0) -> pd.DataFrame:
    """A row for each decision of the first games of a seed; the columns are those of `store.MADE`."""
    from hexdeck.lab.collect import Desk
    from hexdeck.lab.store import decisions_table

    return decisions_table(Desk(game, bots, seed), 0, count).to_pandas()


def read(folder: str | Path, table: str = "games", columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A table (`games` or `decisions`) of a folder of shards, or some of its columns."""
    import pandas as pd

    frame: Any = pd.read_parquet(Path(folder) / table, columns=list(columns) if columns else None)
    return frame.sort_values(["game", *(["index"] if "index" in frame else [])], ignore_index=True)


def measure(game: Game, count: int, bots: Bots = "house", seed: int = 0, threads: int = 1) -> pd.DataFrame:
    """Every measure of the first games of a seed, for each seat, ending or kind of move: `value`, `low` and `high`."""
    import pandas as pd

    from hexdeck.lab.collect import collect

    found = collect(game, count, bots, seed, threads)
    index = pd.MultiIndex.from_tuples(found.names, names=["measure", "of"])
    return pd.DataFrame([row(found[name]) for name in found.names], index=index)


def difference(
    a: Game, b: Game, *, precision: float = 0.01, most: int = 200_000, bots: Bots = "house", seed: int = 0,
    threads: int = 1,
) -> pd.DataFrame:  # fmt: skip
    """Two variants on the same cards: each measure `before` and `after`, its difference with the ends of its interval.

    `saved`: how many times as many games it would have taken without pairs. It stops when the differences of seats'
    shares are known to ±`precision`, or after `most` pairs.
    """
    import pandas as pd

    from hexdeck.bots.levels import one_loser
    from hexdeck.lab.compare import compare as paired

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
