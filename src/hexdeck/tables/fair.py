"""How the cards of a table are promised before the deal, made, and proved afterwards.

A table commits to a secret before any player adds words to it. The key of the generator is HMAC-SHA256, under that
secret, of what every seat added; the secret is revealed at the end, so that every card can be derived again. The server
adds nothing itself: where a player added words after seeing the promise, it can't have chosen the cards by choosing its
secret. Where nobody did, the promise shows only that nothing was changed since. A player who knows
the secret and adds words last, as the owner of the server could, could choose those words; all words are revealed with
the secret.

Showing a promise stores nothing: the secret follows from a ticket, by a key in the database. A ticket is good for a day
and for one table, since the secret of a match is revealed when it is over.

Only the cards are proved, from the moves and the options in the record: another option may leave all cards as they are
and change who won.
"""

import hashlib
import hmac
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.errors import BadRecord, shown
from hexdeck.engine.play.match import Match, game_of
from hexdeck.engine.play.record import Record
from hexdeck.engine.text import _, say
from hexdeck.simulation.game import load
from hexdeck.tables.errors import Stale, TableError
from hexdeck.tables.keys import SYSTEM, id_from, new_token

LONGEST_CONTRIBUTION = 128
PURPOSE = "hexdeck cards 1"
TICKET_LASTS = 24 * 3600  # seconds
DIGEST_DIGITS = 12


def commitment(secret: bytes) -> str:
    """What a table shows of its secret before the deal: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def chance_key(secret: bytes, contributions: Sequence[str]) -> bytes:
    """The 32-byte key of chance: HMAC-SHA256 of what all seats added, in order, as a JSON list."""
    message = json.dumps([PURPOSE, *contributions], ensure_ascii=True, separators=(",", ":"))
    return hmac.new(secret, message.encode(), hashlib.sha256).digest()


def checked_contribution(contribution: str) -> str:
    """What a seat adds to the key of the cards; raises TableError. The table itself adds nothing.

    So everything that the hash of the secret doesn't promise comes from those who play.
    """
    if len(contribution) > LONGEST_CONTRIBUTION or not contribution.isprintable():
        text = _("Words added to the shuffle must be printable and at most {most} characters long.")
        raise TableError(say(text, most=LONGEST_CONTRIBUTION))
    return contribution


def rematch_identity(table: str, key: bytes) -> tuple[str, bytes]:
    """The id and the secret of a table's rematch; they follow from its invitation key, which stays secret.

    So the rematch is promised as soon as the match is over, and creating it again creates the same.
    """

    def drawn(purpose: str) -> bytes:
        return hmac.new(key, f"{purpose} of the rematch of {table}".encode(), hashlib.sha256).digest()

    return id_from(drawn("name")), drawn("secret")


def fresh_secret(source: random.Random = SYSTEM) -> bytes:
    """A secret for the cards of a table."""
    return source.randbytes(32)


@dataclass(frozen=True)
class Promise:
    """A secret that a page has promised, by its ticket; `until`: when it expires."""

    ticket: str
    secret: bytes
    until: float

    @property
    def hash(self) -> str:
        """The hash of the secret, which is shown."""
        return commitment(self.secret)


def new_promise(key: bytes, now: float, source: Random = SYSTEM) -> Promise:
    """A new promise."""
    return _promise_named(key, f"{int(now):x}.{new_token(source)}", int(now))


def promise_of(key: bytes, ticket: str, now: float) -> Promise:
    """The promise of a ticket; raises Stale for one that is invalid or too old. It may have been used already."""
    name = ticket.rpartition(".")[0]
    match = re.fullmatch(r"([0-9a-f]{1,12})\.[A-Za-z0-9_-]{1,30}", name)
    if match is None:
        raise ticket_spent()
    promise = _promise_named(key, name, int(match[1], 16))
    if not (hmac.compare_digest(promise.ticket.encode(), ticket.encode()) and now < promise.until):
        raise ticket_spent()
    return promise


def _promise_named(key: bytes, name: str, time: int) -> Promise:
    """The promise of a name; its ticket ends in the first digits of its hash."""
    secret = hmac.new(key, f"promise {name}".encode(), hashlib.sha256).digest()
    return Promise(f"{name}.{commitment(secret)[:DIGEST_DIGITS]}", secret, time + TICKET_LASTS)


def ticket_spent() -> Stale:
    """The refusal of a ticket that was used, or is too old."""
    return Stale(say("This page is too old, or its cards have already been dealt. Try again."))


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
    promised = note.get("commitment")
    contributions = added if isinstance(added, list) and all(isinstance(text, str) for text in added) else None
    if not (secret and isinstance(promised, str) and promised and contributions is not None):
        raise BadRecord(say("The record is corrupt: its secret, its promise or what the seats added can't be read."))
    if len(contributions) != record.players:
        raise BadRecord(
            say("The record is corrupt: it should hold the added words of {seats} seats.", seats=record.players)
        )
    return Proof(secret, promised, tuple(contributions))


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
        follows = match.event(k).recorded if k < match.length else ""
        if follows != recorded:
            text = _("The cards were changed: event {event} of the record is {text}, but the secret gives {other}.")
            raise BadRecord(say(text, event=k, text=shown(recorded), other=shown(follows)), k)
    return sum(event.seat == CHANCE for event in match.events)


def proof_data(proof: Proof) -> dict[str, Any]:
    """A proof as a note of a record."""
    return {"secret": proof.secret.hex(), "commitment": proof.promise, "contributions": list(proof.contributions)}
