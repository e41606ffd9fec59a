"""Folders of simulated games read as data frames."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import _, say

if TYPE_CHECKING:
    import pandas as pd

TABLES = {"games": ("game",), "decisions": ("game", "index")}  # the columns that order their rows


def table_of(folder: Path, table: str, columns: Sequence[str] | None) -> pd.DataFrame:
    """A table of a folder, or some of its columns, ordered by game; raises BadOption or HexdeckError."""
    if table not in TABLES:
        text = _("There is no table {name}; there are {there}.")
        raise BadOption(say(text, name=table, there=", ".join(TABLES)))
    files = sorted((folder / table).glob("part-*.parquet"))
    if not files:
        text = _("There are no simulated games in {folder}; hexdeck simulate --out writes them there.")
        raise HexdeckError(say(text, folder=str(folder)))
    order = list(TABLES[table])
    if columns is None:
        return frame_of(files, None).sort_values(order, ignore_index=True)
    asked = [columns] if isinstance(columns, str) else list(columns)
    return frame_of(files, list(dict.fromkeys([*asked, *order]))).sort_values(order, ignore_index=True)[asked]


def frame_of(files: Sequence[Path], columns: list[str] | None) -> pd.DataFrame:
    """The rows of all files, one after another; raises HexdeckError for a damaged file, BadOption for a column."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        there = pq.read_schema(files[0]).names
        unknown = next((name for name in columns or () if name not in there), None)
        tables = [] if unknown is not None else [pq.read_table(file, columns=columns) for file in files]
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split()).rstrip(".")[:200]
        text = _("{folder} can't be read: {why}. Run the command that wrote it again to repair it.")
        raise HexdeckError(say(text, folder=str(files[0].parent), why=why)) from None
    if unknown is not None:
        raise BadOption(say("There is no column {name}; there are {there}.", name=unknown, there=", ".join(there)))
    return pa.concat_tables(tables).unify_dictionaries().to_pandas()
