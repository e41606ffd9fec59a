"""Tokens of seats, and the ids and invitations by which people come to a table; `codes` has the short codes."""

import hashlib
import hmac
import random
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

from hexdeck.engine.text import say
from hexdeck.tables.errors import NoTable

TOKEN_BYTES = 16
LONGEST_TOKEN = 64
SYSTEM = random.SystemRandom()  # unpredictable


def new_token(source: random.Random = SYSTEM, size: int = TOKEN_BYTES) -> str:
    """A token of 128 random bits; its owner holds the seats that were given to it."""
    return urlsafe_b64encode(source.randbytes(size)).rstrip(b"=").decode()


def holder_token(key: bytes, source: random.Random = SYSTEM) -> str:
    """A new token for a browser, with a mark by the key of the database: the server knows it by that alone."""
    token = source.randbytes(TOKEN_BYTES)
    return urlsafe_b64encode(token + _token_mark(key, token)).decode()


def is_holder_token(text: str, key: bytes) -> bool:
    """Whether a token of a browser was given out with this key."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{32}", text):
        return False
    data = urlsafe_b64decode(text)
    return hmac.compare_digest(data[TOKEN_BYTES:], _token_mark(key, data[:TOKEN_BYTES]))


def _token_mark(key: bytes, token: bytes) -> bytes:
    return hmac.new(key, b"token " + token, hashlib.sha256).digest()[:8]


def id_from(drawn: bytes) -> str:
    """The id of a table from nine random bytes, so that its address can't be guessed.

    It begins with a letter: a shell would take a dash for an option.
    """
    return urlsafe_b64encode(bytes([drawn[0] & 0x7F]) + drawn[1:9]).decode()


def is_id(text: str) -> bool:
    """Whether a text could be a table's id."""
    return re.fullmatch(r"[A-Za-z0-9_-]{12}", text) is not None


def hashed(token: str) -> str:
    """A token as it is stored. Tokens are random and long, so a plain hash gives nothing away."""
    return hashlib.sha256(f"hexdeck token {token}".encode()).hexdigest()


def invitation(table: str, seat: int, key: bytes, freed: int = 0) -> str:
    """The token of an invitation to a seat. It isn't stored, and is worthless once the seat is taken.

    `freed`: how often the seat was taken from a holder; earlier invitations are invalid then.
    """
    again = f" {freed}" if freed else ""
    digest = hmac.new(key, f"invitation {table} {seat}{again}".encode(), hashlib.sha256).digest()
    mark = urlsafe_b64encode(digest[:TOKEN_BYTES]).decode().rstrip("=")
    return f"{table}.{seat}.{mark}"


def parse_invitation(token: str) -> tuple[str, int]:
    """The table and the seat that an invitation names; raises NoTable. `is_valid_invitation` checks it."""
    table, _, remainder = token.partition(".")
    seat, _, mark = remainder.partition(".")
    if len(token) > LONGEST_TOKEN or not (table and mark and seat.isascii() and seat.isdecimal() and len(seat) < 3):
        raise unknown_invitation()
    return table, int(seat)


def is_valid_invitation(token: str, table: str, seat: int, key: bytes, freed: int = 0) -> bool:
    """Whether an invitation is the last one that this table gave for the seat."""
    return hmac.compare_digest(token.encode(), invitation(table, seat, key, freed).encode())


def unknown_invitation() -> NoTable:
    """The refusal of an invalid invitation."""
    return NoTable(say("This invitation isn't valid; ask for a new one."))
