"""The games of a tournament as Parquet: a row for each, so that it goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hexdeck.bots.players.named import resolved
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, from_data, say
from hexdeck.lab.runs.program_bots import PREFIX
from hexdeck.lab.runs.store import code_of, replace
from hexdeck.lab.runs.tournament import MOST, Played, Tournament

FORMAT = 1
TEXT, REAL, WHOLE = "string", "float64", "int64"
KEY = b"hexdeck tournament"
COLUMNS = {
    "number": "which game of the tournament this is, from 0",
    "deal": "which deal: the same cards for every table of it",
    "bot_K": "the bot on seat K, for each seat",
    "result_K": "utility of seat K at the end, for each seat; nothing where a bot lost by rule",
    "forfeit": "the seat whose bot lost by rule; -1: none",
    "why": "why it lost by rule, in English",
    "why_data": "the same as JSON: the key of the message and its arguments, for other languages",
}


def about(game: GameSetup, bots: tuple[str, ...], seed: int, think: float) -> dict[str, Any]:
    """What decides the games of a tournament."""
    called = [name if name.startswith(PREFIX) else resolved(name, game) for name in bots]
    return {
        "format": FORMAT, "code": code_of(game), "game": game.name, "players": game.players,
        "options": dict(game.options), "bots": list(bots), "resolved": called, "seed": seed, "think": think,
        "seatings": MOST,
    }  # fmt: skip


def save(found: Tournament, path: Path, wanted: dict[str, Any]) -> None:
    """Write a row for each game, in the place of what was there at once."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows, players = found.rows(), range(found.game.players)
    bots, results = ([(f"{stem}_{k}", kind) for k in players] for stem, kind in (("bot", TEXT), ("result", REAL)))
    fields = [
        ("number", WHOLE),
        ("deal", WHOLE),
        *bots,
        *results,
        ("forfeit", WHOLE),
        ("why", TEXT),
        ("why_data", TEXT),
    ]
    told = [pa.field(name, pa.type_for_alias(kind), metadata={"meaning": meaning(name)}) for name, kind in fields]
    schema = pa.schema(told, metadata={KEY: json.dumps(wanted).encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink)
    try:
        replace(path, sink.getvalue().to_pybytes())
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=str(path), why=error.strerror or "")) from None


def meaning(column: str) -> str:
    """What a column means."""
    stem, _space, number = column.rpartition("_")
    return COLUMNS[f"{stem}_K" if number.isdecimal() else column]


def load(path: Path, wanted: dict[str, Any]) -> list[Played]:
    """The games that are there already; raises HexdeckError for a file of something else."""
    import pyarrow.parquet as pq

    if not path.exists():
        return []
    try:
        table = pq.read_table(path)
        there = json.loads((table.schema.metadata or {}).get(KEY, b"{}"))
    except (OSError, ValueError):
        there = {}
    other = next((key for key in wanted if there.get(key) != wanted[key]), None)
    if other is not None:
        text = _("{file} holds something else than this tournament ({what} isn't the same); name another file.")
        raise HexdeckError(say(text, file=str(path), what=other))
    return [played(row, wanted["players"]) for row in table.to_pylist()]


def played(row: dict[str, Any], players: int) -> Played:
    """The game of a row."""
    seating = tuple(row[f"bot_{seat}"] for seat in range(players))
    if row["forfeit"] < 0:
        return Played(row["deal"], seating, tuple(row[f"result_{seat}"] for seat in range(players)))
    return Played(row["deal"], seating, None, row["forfeit"], from_data(json.loads(row["why_data"])))
