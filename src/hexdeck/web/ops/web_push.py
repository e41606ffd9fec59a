"""Messages that a browser's push service passes on without reading them: RFC 8291 encrypts, RFC 8292 (VAPID) signs."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
POINT, SECRET, SALT = 65, 16, 16  # bytes of a public key, of a subscription's secret, of a salt
RECORD = 4096  # bytes of a record, of which a message has one
SIGNED_FOR = 12 * 3600  # seconds for which a signature is good

Key = ec.EllipticCurvePrivateKey


def plain(data: bytes) -> str:
    """Bytes as base64url without padding, as browsers and tokens write them."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def unplain(text: str) -> bytes:
    """The bytes of such a text; raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# --- keys -------------------------------------------------------------------------------------------------------------
def fresh_key() -> bytes:
    """A new private key, in 32 bytes."""
    return ec.generate_private_key(CURVE).private_numbers().private_value.to_bytes(32)


def key_of(private: bytes) -> Key:
    """The key of its 32 bytes."""
    return ec.derive_private_key(int.from_bytes(private), CURVE)


def public_of(key: Key) -> bytes:
    """The public half of a key, as an uncompressed point."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def is_point(public: bytes) -> bool:
    """Whether bytes are a public key that a message can be encrypted for."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public)
    except ValueError:
        return False
    return len(public) == POINT


# --- RFC 8291 ---------------------------------------------------------------------------------------------------------
def encrypted(message: bytes, public: bytes, secret: bytes, own: Key | None = None, salt: bytes = b"") -> bytes:
    """A message that only the subscription with this public key and secret can read, as the body of a request.

    `own`, `salt`: the sender's key and salt, for tests; else they are new for each message.
    """
    own, salt = own or ec.generate_private_key(CURVE), salt or os.urandom(SALT)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public))
    cipher, nonce = derived(shared, secret, salt, public, public_of(own))
    head = salt + RECORD.to_bytes(4) + bytes([POINT]) + public_of(own)
    return head + cipher.encrypt(nonce, message + b"\2", None)  # 2: this is the last record


def derived(shared: bytes, secret: bytes, salt: bytes, receiver: bytes, sender: bytes) -> tuple[AESGCM, bytes]:
    """The cipher and the nonce of a message."""
    key = HKDF(SHA256(), 32, secret, b"WebPush: info\0" + receiver + sender).derive(shared)
    content = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(key)
    return AESGCM(content), HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(key)


# --- RFC 8292 ---------------------------------------------------------------------------------------------------------
def signed(key: Key, service: str, site: str, now: float) -> str:
    """The header that says which server sends a message; `service`: where it goes, `site`: where the server is."""
    claims = {"aud": service, "exp": int(now) + SIGNED_FOR} | ({"sub": site} if site else {})
    parts = [json.dumps(part, separators=(",", ":")).encode() for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
    text = ".".join(map(plain, parts))
    r, s = decode_dss_signature(key.sign(text.encode(), ec.ECDSA(SHA256())))
    return f"vapid t={text}.{plain(r.to_bytes(32) + s.to_bytes(32))}, k={plain(public_of(key))}"
