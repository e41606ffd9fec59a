"""Records: a match as JSON, with its options, its seats and every event, those of chance included.

    {"hexdeck": 1, "game": "blackstone", "rules": 1, "players": 3, "options": {...}, "seats": [{"name": "Ada"}, ...],
     "notes": {...}, "count": 2, "events": ["card 7", "0: draw"], "check": "..."}

An event is `"card 7"` if it was chance's, and `"2: add 7"` if it was a move of seat 2. `count`, the number of events,
shows when a record was cut short; `check`, a hash of the last struct and the events, when it was changed. A record is
replayed from its events and needs no seed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.engine.backends.cache import write_whole
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.errors import BadRecord, HexdeckError, reason_of, shown, unreadable
from hexdeck.engine.layout import bytes_at
from hexdeck.engine.play.game import raw
from hexdeck.engine.text import Text, _, say

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match


FORMAT = 1
WHOLE, WORDS, LIST, NAMED = say("a whole number"), say("text"), say("a list"), say("a set of named values")
KEYS: dict[str, tuple[type, Text]] = {
    "game": (str, WORDS),
    "rules": (int, WHOLE),
    "players": (int, WHOLE),
    "options": (dict, NAMED),
    "seats": (list, LIST),
    "count": (int, WHOLE),
    "events": (list, LIST),
}


@dataclass(frozen=True)
class Record:
    """A match that can be stored and replayed.

    `seats` has for each seat `{"name": …}` and, for a bot, `"bot"`. `notes` is anything else, such as `{"practice":
    true}`.
    """

    game: str
    rules: int
    players: int
    options: Mapping[str, Any]
    seats: tuple[Mapping[str, Any], ...]
    events: tuple[str, ...]
    check: str
    notes: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, match: Match, seats: Sequence[Mapping[str, Any]] | None = None, **notes: Any) -> Record:
        """The record of a match with all its events, whatever its present ply. Other arguments become notes.

        Raises HexdeckError if `seats` or notes can't be stored, or the match was begun with `load_position`.
        """
        if match.starts_from_position:
            raise HexdeckError(say("A match that started from a custom position has no record."))
        if seats is None:
            seats = [{"name": name} for name in match.names] or [{} for _ in range(match.game.players)]
        check_about(seats, notes, match.game.players)
        at = match.ply
        match.go(match.length)
        check = struct_check(match)
        match.go(at)
        events = tuple(event.recorded for event in match.events)
        version = match.game.definition.struct_version
        return cls(
            match.game.name, version, match.game.players, dict(match.game.options), tuple(seats), events, check, notes
        )

    def data(self) -> dict[str, Any]:
        """The record as JSON-able data."""
        return {
            "hexdeck": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "players": self.players,
            "options": dict(self.options),
            "seats": [dict(seat) for seat in self.seats],
            "notes": dict(self.notes),
            "count": len(self.events),
            "events": list(self.events),
            "check": self.check,
        }

    def text(self) -> str:
        """The record as compact JSON."""
        return json.dumps(self.data(), ensure_ascii=False, separators=(",", ":"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file. An older file is replaced only once the new one is complete."""
        if not isinstance(path, (str, os.PathLike)):
            text = _("A record is saved to a file, given by its path, not to {given}.")
            raise HexdeckError(say(text, given=shown(path)))
        target = Path(path)
        if target.is_dir():
            raise HexdeckError(say("A record is saved to a file, but {path} is a folder.", path=shown(path)))
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, f"{self.text()}\n".encode())


def check_about(seats: Any, notes: Mapping[str, Any], players: int) -> None:
    """Raise HexdeckError unless what is said about the seats, and the notes, can be stored as JSON."""
    is_list = isinstance(seats, Sequence) and len(seats) == players
    if not is_list or not all(isinstance(entry, Mapping) for entry in seats):
        text = _(
            "A record's data about seats is a list with a set of named values for each of {seats} seats, not {given}."
        )
        raise HexdeckError(say(text, seats=players, given=shown(seats)))
    try:
        json.dumps([list(map(dict, seats)), dict(notes)], allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError):
        text = _("A record can hold only text, numbers, lists and sets of named values; {given} has something else.")
        raise HexdeckError(say(text, given=shown(notes))) from None


def struct_check(match: Match, version: int | None = None) -> str:
    """A hash of all events and the present struct, the struct as version `version` of the rules stores it."""
    events = "\n".join(event.recorded for event in match.events).encode()
    layout, row = match.game.rules.STRUCT, raw(match.rows)[0].tobytes()
    stored = row if version is None else bytes_at(layout, version, row)
    assert stored is not None
    return hashlib.sha256(stored + events).hexdigest()[:16]


def read(source: str | os.PathLike[str] | Mapping[str, Any]) -> Record:
    """The Record from a path, JSON text or data, with its form checked; raises BadRecord."""
    if not isinstance(source, (str, os.PathLike, Mapping)):
        raise BadRecord(say("A record is a path, JSON text or data, not {kind}.", kind=type(source).__name__))
    data = source if isinstance(source, Mapping) else parse(source)
    if not isinstance(data, Mapping) or type(data.get("hexdeck")) is not int:
        raise BadRecord(say("This is no record of a match: hexdeck play --record FILE writes one."))
    if data["hexdeck"] != FORMAT:
        text = _("The record has format {format}, and this hexdeck reads format {known}; use the one that wrote it.")
        raise BadRecord(say(text, format=data["hexdeck"], known=FORMAT))
    for key, (kind, kind_text) in KEYS.items():
        if not isinstance(data.get(key), kind) or isinstance(data[key], bool):
            raise BadRecord(say("The record is corrupt: {name} is missing or is not {kind}.", name=key, kind=kind_text))
    events = data["events"]
    for k, event in enumerate(events):
        if not isinstance(event, str):
            text = _("Event {event} of the record is corrupt: {text} is not text.")
            raise BadRecord(say(text, event=k, text=shown(event)), k)
    if len(events) < data["count"]:
        at = len(events)
        text = _("The record is truncated: it should hold {count} events, and event {event} is missing.")
        raise BadRecord(say(text, count=data["count"], event=at), at)
    if len(events) > data["count"]:
        at = data["count"]
        text = _("The record is corrupt: it should hold {count} events, and event {event} is one too many.")
        raise BadRecord(say(text, count=at, event=at), at)
    if len(data["seats"]) != data["players"] or not all(isinstance(seat, Mapping) for seat in data["seats"]):
        raise BadRecord(say("The record is corrupt: it should have {seats} seats.", seats=shown(data["players"])))
    notes, check = data.get("notes", {}), str(data.get("check", ""))
    about = data["game"], data["rules"], data["players"], data["options"]
    return Record(*about, tuple(data["seats"]), tuple(events), check, notes if isinstance(notes, Mapping) else {})


def parse(source: str | os.PathLike[str]) -> Any:
    """The data of JSON text that begins with a brace, or of the file at a path; raises BadRecord."""
    try:
        is_path = not isinstance(source, str) or not source.lstrip().startswith("{")
        source_text = Path(source).read_text(encoding="utf-8") if is_path else str(source)
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or an impossible path
        path = os.fspath(source)
        if path in game_names():
            text = _(
                "{game} is a game, not the file of a record: hexdeck play {game} --record FILE writes one, and hexdeck"
                " replay {game} --number 0 shows a simulated match."
            )
            raise BadRecord(say(text, game=path)) from None
        if isinstance(error, FileNotFoundError):
            raise BadRecord(unreadable(path, error).text) from None
        reason = reason_of(error) if isinstance(error, OSError) else say("it is not text")
        raise BadRecord(say("The record {path} can't be read: {reason}.", path=path[:300], reason=reason)) from None
    try:
        data = json.loads(source_text)
        json.dumps(data, ensure_ascii=False).encode()  # raises for a lone surrogate, such as "\\ud800"
    except (ValueError, RecursionError) as error:
        if is_path and not source_text.lstrip("\ufeff \t\r\n").startswith("{"):
            text = _("{file} is no record of a match; hexdeck play --record FILE writes one.")
            raise BadRecord(say(text, file=os.fspath(source)[:300])) from None
        text = _("The record is truncated or corrupt: no JSON from character {at} on.")
        raise BadRecord(say(text, at=getattr(error, "pos", 0))) from None
    return data


def clean_name(name: Any) -> str:
    """A player's name without unprintable characters; empty if it isn't a string."""
    return "".join(letter for letter in name if letter.isprintable()) if isinstance(name, str) else ""
