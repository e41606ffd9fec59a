"""Signatures of heads of chains: Ed25519, by the key that a server has for the day.

The package `cryptography` makes and checks them; without it nothing is signed, and signatures can't be checked.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

PURPOSE = "hexdeck signed head 1"
KEY_BYTES = 32


@dataclass(frozen=True)
class SignedHead:
    """The head of a table's chain after the entry `number`, signed on a `day` by the server's `key` of that day."""

    table: str
    number: int
    head: str
    day: str
    key: str
    signature: str = ""

    def data(self) -> dict[str, Any]:
        """The signed head as JSON data."""
        return asdict(self)

    def message(self) -> bytes:
        """What is signed."""
        parts = [PURPOSE, self.table, self.number, self.head, self.day, self.key]
        return json.dumps(parts, ensure_ascii=True, separators=(",", ":")).encode()


def can_sign() -> bool:
    """Whether signatures can be made and checked here."""
    return find_spec("cryptography") is not None


def day_of(now: float) -> str:
    """The day of a time, in UTC."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def fresh_key(source: random.Random) -> bytes:
    """A new private key, from a source of randomness."""
    return source.randbytes(KEY_BYTES)


def public_of(private: bytes) -> str:
    """The public half of a key, in hexadecimal."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw().hex()


def signed_head(private: bytes, table: str, number: int, head: str, day: str) -> SignedHead:
    """A head, signed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(private)
    bare = SignedHead(table, number, head, day, key.public_key().public_bytes_raw().hex())
    return SignedHead(table, number, head, day, bare.key, key.sign(bare.message()).hex())


def is_genuine(signed: SignedHead) -> bool:
    """Whether a head was signed by the key that it names."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key))
        key.verify(bytes.fromhex(signed.signature), signed.message())
    except (InvalidSignature, ValueError):
        return False
    return True


def signed_head_of(data: Any) -> SignedHead | None:
    """The signed head of JSON data; None where it isn't one."""
    texts = ("table", "head", "day", "key", "signature")
    if not isinstance(data, Mapping) or type(data.get("number")) is not int:
        return None
    if not all(isinstance(data.get(each), str) for each in texts):
        return None
    return SignedHead(number=data["number"], **{each: data[each] for each in texts})
