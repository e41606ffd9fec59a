"""A tournament's games as a Parquet file, a row for each, so that an interrupted tournament can go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hexdeck.bots.players.named import resolved
from hexdeck.bots.players.spoken_names import OUTSIDE
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import _, from_data, say
from hexdeck.lab.runs.language_bots import is_model
from hexdeck.lab.runs.store import code_hash, refuse_other, write_atomically
from hexdeck.lab.runs.tournament import MOST, GameRecord, Tournament, TournamentSetup

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
    "models": "for each language model at the table: what it was asked, refused answers by reason, random moves in "
    "its place, seconds, as JSON; empty without one",
}


def manifest(setup: TournamentSetup) -> dict[str, Any]:
    """Everything that decides the games of a tournament, as JSON."""
    game = setup.game
    called = [name if name.startswith(OUTSIDE) else resolved(name, game) for name in setup.bots]
    tries = {"tries": setup.tries} if any(map(is_model, setup.bots)) else {}
    return {
        "format": FORMAT, "code": code_hash(game), "game": game.name, "players": game.players,
        "options": dict(game.options), "bots": list(setup.bots), "resolved": called, "seed": setup.seed,
        "think": setup.think, "seatings": MOST, **tries,
    }  # fmt: skip


def save(found: Tournament, path: Path, about: dict[str, Any]) -> None:
    """Write a row for each game and the manifest; atomically, and raises HexdeckError where that fails."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows, players = found.rows(), range(found.setup.game.players)
    bots, results = ([(f"{stem}_{k}", kind) for k in players] for stem, kind in (("bot", TEXT), ("result", REAL)))
    fields = [
        ("number", WHOLE),
        ("deal", WHOLE),
        *bots,
        *results,
        ("forfeit", WHOLE),
        ("why", TEXT),
        ("why_data", TEXT),
        ("models", TEXT),
    ]
    described = [pa.field(name, pa.type_for_alias(kind), metadata={"meaning": meaning(name)}) for name, kind in fields]
    schema = pa.schema(described, metadata={KEY: json.dumps(about).encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink)
    try:
        write_atomically(path, sink.getvalue().to_pybytes())
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=str(path), why=error.strerror or "")) from None


def meaning(column: str) -> str:
    """The meaning of a column."""
    stem, _space, number = column.rpartition("_")
    return COLUMNS[f"{stem}_K" if number.isdecimal() else column]


def load(path: Path, about: dict[str, Any]) -> list[GameRecord]:
    """The games in a file, none if there is no file; raises HexdeckError for one that holds something else."""
    import pyarrow.parquet as pq

    if not path.exists():
        return []
    try:
        table = pq.read_table(path)
        there = json.loads((table.schema.metadata or {})[KEY])
    except (OSError, ValueError, KeyError):
        text = _("{file} holds no tournament, or was cut off; choose another file.")
        raise HexdeckError(say(text, file=str(path))) from None
    refuse_other(path, there, about, _("{file} holds another tournament (different {what}); choose another file."))
    return [record_of(row, about["players"]) for row in table.to_pylist()]


def record_of(row: dict[str, Any], players: int) -> GameRecord:
    """The game of a row."""
    seating = tuple(row[f"bot_{seat}"] for seat in range(players))
    models = json.loads(row.get("models") or "{}")
    if row["forfeit"] < 0:
        returns = tuple(row[f"result_{seat}"] for seat in range(players))
        return GameRecord(row["deal"], seating, returns, models=models)
    return GameRecord(row["deal"], seating, None, row["forfeit"], from_data(json.loads(row["why_data"])), models)
