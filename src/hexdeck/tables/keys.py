"""Tokens, invitations, and the key of a table's cards.

Cards are provably fair: the table commits to a secret before anybody adds words to it, and the key of the generator is
HMAC-SHA256, under that secret, of what every seat added. Whoever knows the secret and the words, once the match is
over, can derive every card again.
"""

import hashlib
import hmac
import json
import random
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence

from hexdeck.engine.text import _, say
from hexdeck.tables.errors import NoTable, TableError

TOKEN_BYTES = 16
LONGEST_TOKEN = 64
LONGEST_CONTRIBUTION = 128
PURPOSE = "hexdeck cards 1"
SYSTEM = random.SystemRandom()  # nobody can predict it


def new_token(source: random.Random = SYSTEM, size: int = TOKEN_BYTES) -> str:
    """A token of 128 random bits; whoever has it holds the seats that were given to it."""
    return urlsafe_b64encode(source.randbytes(size)).rstrip(b"=").decode()


def new_id(source: random.Random = SYSTEM) -> str:
    """The id of a new table: 72 random bits, so that nobody guesses its address."""
    return new_token(source, 9)


def is_id(text: str) -> bool:
    """Whether a text could be a table's id."""
    return re.fullmatch(r"[A-Za-z0-9_-]{12}", text) is not None


def hashed(token: str) -> str:
    """A token as it is stored. Tokens are random and long, so a plain hash gives nothing away."""
    return hashlib.sha256(f"hexdeck token {token}".encode()).hexdigest()


def commitment(secret: bytes) -> str:
    """What a table shows of its secret before the deal: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def chance_key(secret: bytes, contributions: Sequence[str]) -> bytes:
    """The 32-byte key of chance: HMAC-SHA256 of what all seats added, in order, as a JSON list."""
    message = json.dumps([PURPOSE, *contributions], ensure_ascii=True, separators=(",", ":"))
    return hmac.new(secret, message.encode(), hashlib.sha256).digest()


def checked_contribution(words: str) -> str:
    """What a seat adds to the key of the cards; raises TableError. The table itself adds nothing.

    So everything that the hash of the secret doesn't promise comes from those who play.
    """
    if len(words) > LONGEST_CONTRIBUTION or not words.isprintable():
        text = _("Words added to the shuffle must be printable and at most {most} characters long.")
        raise TableError(say(text, most=LONGEST_CONTRIBUTION))
    return words


def rematch_identity(table: str, key: bytes) -> tuple[str, bytes]:
    """The id and the secret of a table's rematch; they follow from its invitation key, which stays secret.

    So the rematch is promised as soon as the match is over, and creating it again creates the same.
    """

    def drawn(what: str) -> bytes:
        return hmac.new(key, f"{what} of the rematch of {table}".encode(), hashlib.sha256).digest()

    return urlsafe_b64encode(drawn("name")[:9]).decode(), drawn("secret")


def invitation(table: str, seat: int, key: bytes, freed: int = 0) -> str:
    """The token of an invitation to a seat. It isn't stored, and is worthless once the seat is taken.

    `freed`: how often the seat was taken from a holder; earlier invitations are invalid then.
    """
    return f"{table}.{seat}.{_mark(table, seat, key, freed)}"


def _mark(table: str, seat: int, key: bytes, freed: int) -> str:
    again = f" {freed}" if freed else ""
    digest = hmac.new(key, f"invitation {table} {seat}{again}".encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest[:TOKEN_BYTES]).decode().rstrip("=")


def parse_invitation(token: str) -> tuple[str, int]:
    """The table and the seat that an invitation names; raises NoTable. `is_valid_invitation` checks it."""
    table, _, rest = token.partition(".")
    seat, _, mark = rest.partition(".")
    if len(token) > LONGEST_TOKEN or not (table and mark and seat.isascii() and seat.isdecimal() and len(seat) < 3):
        raise unknown_invitation()
    return table, int(seat)


def is_valid_invitation(token: str, table: str, seat: int, key: bytes, freed: int = 0) -> bool:
    """Whether an invitation is the last one that this table gave for the seat."""
    return hmac.compare_digest(token.encode(), invitation(table, seat, key, freed).encode())


def unknown_invitation() -> NoTable:
    """The refusal of an invalid invitation."""
    return NoTable(say("This invitation isn't valid; ask for a new one."))


# --- codes ------------------------------------------------------------------------------------------------------------
def parse_code(text: str) -> tuple[str, int | None]:
    """The code of a table that somebody typed in, and the seat that a number after it names; raises NoTable."""
    found = re.fullmatch(r"([A-Z]{2,12})([1-9][0-9]?)?", re.sub(r"[\s.-]", "", text[:LONGEST_TOKEN]).upper())
    if found is None:
        raise unknown_code()
    return found[1], int(found[2]) - 1 if found[2] else None


def unknown_code() -> NoTable:
    """The refusal of a code that no open table has."""
    return NoTable(say("No open table has this code; look at the letters again."))


def fresh_secret(source: random.Random = SYSTEM) -> bytes:
    """A secret for the cards of a table."""
    return source.randbytes(32)
