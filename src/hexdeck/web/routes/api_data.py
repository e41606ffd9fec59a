"""What the API answers, as JSON data: a table as a seat knows it, and the description of a game."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import asdict
from typing import Any

from hexdeck.engine.discovery.definition import definition, preset, presets
from hexdeck.engine.options import Option, Preset
from hexdeck.tables.model import device
from hexdeck.tables.model.entries import OVER
from hexdeck.tables.model.live import LiveTable

MESSAGES_SENT = 20  # chat messages that are sent with a table


def table_data(table: LiveTable, seat: int, log_from: int = 0) -> dict[str, Any]:
    """A table as the holder of a seat (-1: the public) knows it; of the log the lines from an index on."""
    seat = device.viewing_seat(table, seat)
    view = table.view(seat).data()
    view["log"] = view["log"][log_from:]
    data = {
        "table": table.id, "game": table.game.name, "rules": table.game.definition.struct_version,
        "options": dict(table.game.options), "state": table.state, "version": table.version_for(seat),
        "seat": seat if seat >= 0 else None, "clock": table.terms.clock, "lang": table.terms.lang,
        "hints": table.terms.hints,
        "commitment": table.commitment,
        "seats": [seat_data(table, number) for number in range(len(table.seats))], "view": view, "log_from": log_from,
        "struct": struct_base64(table, seat), "rematch": table.rematch,
        "rematch_commitment": table.rematch_commitment or None,
        "words": table.terms.words, "sayings": [asdict(each) for each in table.messages[-MESSAGES_SENT:]],
    }  # fmt: skip
    return data | ({"secret": table.secret.hex()} if table.state == OVER else {})


def seat_data(table: LiveTable, number: int) -> dict[str, Any]:
    """A seat: who plays it, and for whom."""
    seat = table.seats[number]
    return {
        "number": number, "name": seat.name, "kind": seat.kind, "level": seat.level, "owner": seat.owner,
        "remote": seat.remote, "host": number == table.terms.host, "due": seat.due, "muted": seat.muted,
    }  # fmt: skip


def struct_base64(table: LiveTable, seat: int) -> str | None:
    """The struct as a seat knows it, in base64; None before the deal."""
    return None if table.match is None else b64encode(table.match.concealed(seat)).decode()


def game_data(name: str) -> dict[str, Any]:
    """A game: its players, its options, and its actions."""
    game, at_tables = definition(name), preset(name).options
    options = [option_data(each, at_tables.get(each.name, each.default)) for each in game.rules.OPTIONS]
    return {"name": name, "title": str(game.table.ABOUT.title), "rules": game.struct_version,
            "players": list(game.rules.PLAYERS), "presets": [preset_data(each) for each in presets(name)],
            "options": options, "actions": list(game.rules.ACTIONS)}  # fmt: skip


def preset_data(preset: Preset) -> dict[str, Any]:
    """A preset: its name, and the options that differ from the defaults."""
    return {"name": preset.name, "title": str(preset.title), "about": str(preset.about),
            "options": dict(preset.options)}  # fmt: skip


def option_data(option: Option, at_tables: Any) -> dict[str, Any]:
    """An option: its default, its value at tables where none is given, and the rule it stands for."""
    return {
        "name": option.name, "default": option.default, "at_tables": at_tables, "rule": option.rule,
        "about": str(option.about), "allowed": str(option.allowed()),
    }  # fmt: skip
