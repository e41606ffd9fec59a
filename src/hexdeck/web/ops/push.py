"""Web push: messages that a browser's push service passes on without reading them (RFC 8291 encrypts, RFC 8292 signs).

The addresses of push services come from browsers, so only known services are sent to.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import re
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from hexdeck.engine.text import say
from hexdeck.tables.errors import TableError
from hexdeck.web.ops.settings import PushServices

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


# --- push services ----------------------------------------------------------------------------------------------------
TCP = 6  # the number of its protocol
PATIENCE = 5.0  # seconds for a message, from finding the service to its answer
ADDRESS = re.compile(r"https://([a-z0-9.-]{1,200}(?::[0-9]{1,5})?)(/[!-~]{1,1000})")
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})\b")


@dataclass(frozen=True)
class Endpoint:
    """Where messages for one browser go."""

    place: str  # the host, with a port if it isn't the usual one
    path: str

    @property
    def service(self) -> str:
        """The service, as signatures name it."""
        return f"https://{self.place}"

    @property
    def host(self) -> str:
        """The host."""
        return self.place.partition(":")[0]

    @property
    def port(self) -> int:
        """The port."""
        return int(self.place.partition(":")[2] or 443)


def endpoint_of(address: str, services: PushServices) -> Endpoint:
    """The endpoint of an address; raises TableError where it is none of a known service."""
    match = ADDRESS.fullmatch(address)
    if match is None or not any(is_named(match[1], host) for host in services.hosts):
        raise TableError(say("Your browser's push service isn't one that this server knows."))
    return Endpoint(match[1], match[2])


def is_named(host: str, name: str) -> bool:
    """Whether a host has a name, which may begin with `*.`."""
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


async def addresses_of(endpoint: Endpoint, services: PushServices) -> list[str]:
    """The network addresses of an endpoint; raises OSError where one of them isn't public."""
    infos = await asyncio.get_running_loop().getaddrinfo(endpoint.host, endpoint.port, proto=TCP)
    addresses = [str(sockaddr[0]) for *_, sockaddr in infos]
    if not services.anywhere and not all(map(is_public, addresses)):
        raise OSError("not a public address")
    return addresses


def is_public(address: str) -> bool:
    """Whether a network address is one that anybody on the internet can reach."""
    parsed = ipaddress.ip_address(address)
    plain = getattr(parsed, "ipv4_mapped", None) or parsed
    return bool(plain.is_global and not plain.is_multicast)


class Post:
    """Sends messages to push services, each for a few seconds at most, and follows nobody elsewhere."""

    def __init__(self, services: PushServices) -> None:
        self.services = services
        self._trust: ssl.SSLContext | None = None

    async def send(self, endpoint: Endpoint, headers: dict[str, str], body: bytes) -> int:
        """Send a message; returns the status of the answer, 0 without one."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(endpoint, headers, body)
        except (OSError, ValueError):  # it refuses, hangs, is somewhere else, or has no valid certificate
            return 0

    async def _ask(self, endpoint: Endpoint, headers: dict[str, str], body: bytes) -> int:
        self._trust = self._trust or ssl.create_default_context(cafile=self.services.authority or None)
        reader, writer = await self._open(endpoint)
        try:
            all_headers = {"Host": endpoint.place, **headers, "Content-Length": len(body), "Connection": "close"}
            head = "".join(f"{name}: {value}\r\n" for name, value in all_headers.items())
            writer.write(f"POST {endpoint.path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            await writer.drain()
            status = STATUS.match(await reader.readline())
            return int(status[1]) if status else 0
        finally:
            writer.transport.abort()

    async def _open(self, endpoint: Endpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the first of its addresses that answers."""
        refused = OSError("no address")
        for address in await addresses_of(endpoint, self.services):
            try:
                return await asyncio.open_connection(
                    address, endpoint.port, ssl=self._trust, server_hostname=endpoint.host
                )
            except OSError as error:
                refused = error
        raise refused
