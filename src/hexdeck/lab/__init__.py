"""The playtest lab: what happens in many games, and what a change of a rule does.

For notebooks: data frames of simulated games (`games`, `decisions`; `read` from a folder), every metric of many games
with its 95 % interval (`measure`), and paired differences of two variants (`difference`). They need the extra `lab`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from hexdeck.engine.play.game import GameSetup
    from hexdeck.stats import Estimate

__all__ = ["decisions", "difference", "games", "measure", "read"]
Bots = str | Sequence[str]


def games(game: GameSetup, count: int, bots: Bots = "house", seed: int = 0) -> pd.DataFrame:
    """A row for each of the first `count` games of a seed; the columns are those of `store.GAMES`."""
    return _table("games", game, count, bots, seed)


def decisions(game: GameSetup, count: int, bots: Bots = "house", seed: int = 0) -> pd.DataFrame:
    """A row for each decision of the first `count` games of a seed; the columns are those of `store.MADE`."""
    return _table("decisions", game, count, bots, seed)


def _table(name: str, game: GameSetup, count: int, bots: Bots, seed: int) -> pd.DataFrame:
    """A table of so many games; raises HexdeckError."""
    needs("lab", "pandas", "pyarrow")
    import pyarrow as pa

    from hexdeck.lab import store
    from hexdeck.lab.log import Player, SimulationSetup

    setup = SimulationSetup(game, bots, seed)
    setup.check(count)
    player, table = Player(setup), store.games_table if name == "games" else store.decisions_table
    return pa.concat_tables([table(player, log) for log in player.logs(0, count)]).to_pandas()


def needs(extra: str, *modules: str) -> None:
    """Raise HexdeckError, which says what to install, if one of the modules of an extra of the package is missing."""
    from importlib.util import find_spec

    from hexdeck.engine.errors import HexdeckError
    from hexdeck.engine.text import _, say

    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        text = _("This needs more packages ({missing}); pip install '.[{extra}]' in Hexdeck's folder installs them.")
        raise HexdeckError(say(text, missing=", ".join(missing), extra=extra))


def read(folder: str | Path, table: str = "games", columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A table (`games` or `decisions`) of a folder, or some of its columns; raises BadOption or HexdeckError."""
    needs("lab", "pandas", "pyarrow")
    from hexdeck.lab import store

    return store.read(Path(folder), table, columns)


def measure(game: GameSetup, count: int, bots: Bots = "house", seed: int = 0, threads: int = 1) -> pd.DataFrame:
    """Estimates of every metric of games, for each seat, ending or kind of move: `value`, `low`, `high`, `games`."""
    needs("lab", "pandas", "pyarrow")
    from hexdeck.lab.counts import collect
    from hexdeck.lab.log import SimulationSetup

    statistics = collect(SimulationSetup(game, bots, seed, threads), count)
    return of_metrics({name: row(statistics[name]) for name in statistics.names})


def difference(
    a: GameSetup,
    b: GameSetup,
    *,
    precision: float = 0.01,
    most: int = 200_000,
    bots: Bots = "house",
    seed: int = 0,
    threads: int = 1,
) -> pd.DataFrame:
    """Paired differences of two variants: each metric `before` and `after`, and the estimate of its difference.

    `saved`: how many times as many games unpaired samples would take. It stops when the differences of seats' shares
    are known to ±`precision`, or after `most` pairs. Raises BadOption for two games that can't be paired.
    """
    needs("lab", "pandas", "pyarrow")
    from hexdeck.engine.errors import BadOption
    from hexdeck.engine.text import _, say
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.lab.pairs import compare

    if (a.name, a.players) != (b.name, b.players):
        text = _(
            "Two variants must be of the same game with the same number of players, not {a} with {m} and {b} with {n}."
        )
        raise BadOption(say(text, a=a.name, m=a.players, b=b.name, n=b.players))
    comparison = compare(SimulationSetup(a, bots, seed, threads), b, precision=precision, most=most)
    rows = {}
    for change in map(comparison.change, comparison.compared):
        ends = {"before": change.before.value, "after": change.after.value}
        rows[change.name] = {**ends, **row(change.difference), "saved": change.saved}
    return of_metrics(rows)


def of_metrics(rows: Mapping[tuple[str, int], dict[str, float]]) -> pd.DataFrame:
    """A frame with a row for each metric."""
    import pandas as pd

    return pd.DataFrame([*rows.values()], index=pd.MultiIndex.from_tuples([*rows], names=["measure", "of"]))


def row(estimate: Estimate) -> dict[str, float]:
    """An estimate as columns."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "games": estimate.count}
