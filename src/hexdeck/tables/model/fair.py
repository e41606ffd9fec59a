"""Checks that the cards of a recorded match are those that its table promised: every card is derived again.

A table promises the hash of its secret before anybody adds words, and reveals the secret at the end. The secret and
the words of every seat make the key of the generator (see `tables.keys`). The server adds nothing itself: where
somebody added words of their own after seeing the promise, it can't have chosen the cards by choosing its secret.
Where nobody did, the promise shows only that nothing was changed since. Somebody who knows the secret and adds words
last, as the owner of the server could by playing, could choose those words; all words are revealed with the secret.

Only the cards are proved, from the moves and the options in the record: another option may leave all cards as they are
and change who won.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.arguments import shown
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record, event_text
from hexdeck.engine.play.replay import game_of
from hexdeck.engine.text import _, say
from hexdeck.simulation.game import load
from hexdeck.tables.keys import chance_key, commitment


@dataclass(frozen=True)
class Proof:
    """What a record says of its cards: the table's secret, the hash that was promised, what each seat added."""

    secret: bytes
    promise: str
    contributions: tuple[str, ...]


def proof_of(record: Record) -> Proof:
    """The proof in a record; raises BadRecord where there is none, or it is incomplete."""
    note = record.notes.get("fair")
    if not isinstance(note, Mapping):
        text = _("This record holds no secret: only a match at a table, or at the terminal without --seed, has one.")
        raise BadRecord(say(text))
    added = note.get("contributions")
    try:
        secret = bytes.fromhex(note.get("secret", ""))
    except (TypeError, ValueError):
        secret = b""
    if not (
        secret and isinstance(note.get("commitment"), str) and note["commitment"] and isinstance(added, list)
    ) or not all(isinstance(each, str) for each in added):
        raise BadRecord(say("The record is corrupt: its secret, its promise or what the seats added can't be read."))
    if len(added) != record.players:
        raise BadRecord(
            say("The record is corrupt: it should hold the added words of {seats} seats.", seats=record.players)
        )
    return Proof(secret, note["commitment"], tuple(added))


def verify(record: Record, promise: str = "") -> int:
    """Derive the cards of a record again; returns how many, all of them as recorded.

    `promise`: the hash that was shown before the deal. Raises BadRecord with the first fault: the record can't be
    played, the secret isn't the promised one, or an event of chance differs from what follows from the secret.
    """
    load(record, backend="interpreted")
    proof = proof_of(record)
    for promised in (proof.promise, promise.strip().lower()):
        if promised and commitment(proof.secret) != promised:
            text = _(
                "The secret in the record is not the promised one: its hash is {hash}, but {promise} was promised."
            )
            raise BadRecord(say(text, hash=commitment(proof.secret), promise=promised[:64]))
    return check_draws(record, proof)


def check_draws(record: Record, proof: Proof) -> int:
    """Play the moves again, with chance from the proof; returns how many draws there were. Raises BadRecord."""
    match = Match(game_of(record), by_hand=True, backend="interpreted")
    match.let_chance(chance_key(proof.secret, proof.contributions))
    for k, recorded in enumerate(record.events):
        if k == match.length and ": " in recorded:
            seat, _colon, move = recorded.partition(": ")
            match.play(int(seat), move)
        follows = event_text(match.event(k)) if k < match.length else ""
        if follows != recorded:
            text = _("The cards were changed: event {event} of the record is {text}, but the secret gives {other}.")
            raise BadRecord(say(text, event=k, text=shown(recorded), other=shown(follows)), k)
    return sum(event.seat == CHANCE for event in match.events)


def proof_data(proof: Proof) -> dict[str, Any]:
    """A proof as a note of a record."""
    return {"secret": proof.secret.hex(), "commitment": proof.promise, "contributions": list(proof.contributions)}
