"""Calls people who are away to a table where it is their turn, by their browsers' push services.

Each turn is told once, by whichever process is first, a little after it began, and only to who hasn't the page open. A
call says which table it is about, encrypted, and nothing else (RFC 8291 encrypts, RFC 8292 signs). When it comes
depends only on what everybody can tell (`tables/live.py`). The addresses of push services come from browsers,
so only known services are sent to. The extra `push` brings the library; without it nobody is called.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import json
import os
import re
import ssl
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass

from prometheus_client import Counter

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables import rows
from hexdeck.tables.entries import PLAYING
from hexdeck.tables.errors import TableError, Unavailable
from hexdeck.tables.live import LiveTable, last_move, turn_to_tell
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.thinker import Recent
from hexdeck.web.server.settings import PushServices

try:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    CURVE = ec.SECP256R1()
    Key = ec.EllipticCurvePrivateKey
    IS_POSSIBLE = True
except ImportError:
    IS_POSSIBLE = False

POINT, SECRET, SALT = 65, 16, 16  # bytes of a public key, of a subscription's secret, of a salt
RECORD = 4096  # bytes of a record, of which a message has one
SIGNED_FOR = 12 * 3600  # seconds for which a signature is good


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
    def host(self) -> tuple[str, int]:
        """The host, and its port."""
        name, _, port = self.place.partition(":")
        return name, int(port or 443)


def endpoint_of(address: str, services: PushServices) -> Endpoint:
    """The endpoint of an address; raises TableError where it is none of a known service."""
    match = ADDRESS.fullmatch(address)
    names = tuple(host.removeprefix("*") for host in services.hosts if host.startswith("*."))
    if match is None or not (match[1] in services.hosts or match[1].endswith(names)):
        raise TableError(say("Your browser's push service isn't one that this server knows."))
    return Endpoint(match[1], match[2])


async def addresses_of(endpoint: Endpoint, services: PushServices) -> list[str]:
    """The network addresses of an endpoint; raises OSError where one of them isn't public."""
    infos = await asyncio.get_running_loop().getaddrinfo(*endpoint.host, proto=TCP)
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
        refused, (host, port) = OSError("no address"), endpoint.host
        for address in await addresses_of(endpoint, self.services):
            try:
                return await asyncio.open_connection(address, port, ssl=self._trust, server_hostname=host)
            except OSError as error:
                refused = error
        raise refused


# --- calls ------------------------------------------------------------------------------------------------------------
GRACE = 5.0  # seconds after the beginning of a turn: whoever only reloads the page isn't called
LONGEST_KEPT = 86_400  # seconds for which a service keeps a call for a browser that isn't there
MOST_SEEN = 20_000  # turns that are remembered here, so that the database is asked once for each
MOST_AT_ONCE, MOST_WAITING = 16, 2_000  # calls
GONE = {404, 410}  # answers for a browser that wants no more


class Calls:
    """The calls of one process. `present`: whether a person has the page of a seat open. `answers`: counted.

    `public_key`: what browsers ask their push service with; empty where there is none, and nobody is called.
    """

    def __init__(
        self, registry: TableRegistry, services: PushServices, present: Callable[[str, int], bool], answers: Counter
    ) -> None:
        self.registry, self.services, self.present, self.answers = registry, services, present, answers
        self.public_key = ""
        self._key: Key | None = None
        self.post: Post | None = None
        self._seen = Recent[tuple[str, int], int](MOST_SEEN)
        self._turns, self._waiting = asyncio.Semaphore(MOST_AT_ONCE), 0

    async def open(self) -> None:
        """Find the key, or make it, and look where a turn began that nobody was told of before a stop."""
        if not self.services.hosts or not IS_POSSIBLE:
            return
        key = fresh_key()
        self.post = self.post or Post(self.services)
        self._key = key_of(await self.registry.run_job(rows.push_key, key))
        self.public_key = plain(public_of(self._key))
        self.registry.spawn(self._catch_up())

    def close(self) -> None:
        """Call nobody any more."""
        self.public_key = ""

    async def _catch_up(self) -> None:
        while True:
            try:
                missed = await self.registry.run_job(rows.missed_turns)
            except Unavailable:
                await asyncio.sleep(GRACE)
            else:
                break
        for id in missed:
            try:
                self.look(await self.registry.table(id))
            except HexdeckError:  # it is gone, or waits for its game
                continue

    # --- who is to be called ------------------------------------------------------------------------------------------
    def look(self, table: LiveTable) -> None:
        """A table has changed: whose turn it has become is called a little later, if need be."""
        if not self.public_key or table.state != PLAYING:
            return
        for seat, line in enumerate(table.seats):
            if line.owner and not line.program and line.device is None:
                self._note(table, seat)

    def _note(self, table: LiveTable, seat: int) -> None:
        key = table.id, seat
        if self._seen.get(key, -1) > last_move(table, seat):  # this turn is noted already
            return
        turn = turn_to_tell(table, seat)
        if turn is None:
            return
        self._seen[key] = turn
        asyncio.get_running_loop().call_later(GRACE, self._after_grace, table.id, seat, turn)

    def _after_grace(self, id: str, seat: int, turn: int) -> None:
        if self.public_key and not self.present(id, seat):
            self.registry.spawn(self._call(id, seat, turn))

    async def _call(self, id: str, seat: int, turn: int) -> None:
        try:
            async with self.registry.reading(id, newest=False) as table:
                if turn_to_tell(table, seat) != turn:
                    return
                seconds = seconds_left(table, self.registry.clock())
            browsers = await self.registry.run_job(rows.claim_turn, id, seat, turn)
        except Unavailable:  # it can't be read or written just now
            asyncio.get_running_loop().call_later(GRACE, self._after_grace, id, seat, turn)
            return
        except HexdeckError:  # the table is gone, or can't go on: then nobody is called
            return
        for row in browsers:
            self.registry.spawn(self._send(row, seconds))

    # --- one call -----------------------------------------------------------------------------------------------------
    async def _send(self, row: rows.Row, seconds: int) -> None:
        if self._waiting >= MOST_WAITING:
            self.answers.labels("dropped").inc()
            return
        self._waiting += 1
        try:
            async with self._turns:
                status = await self._send_to(row, seconds)
        finally:
            self._waiting -= 1
        self.answers.labels(str(status) if status else "none").inc()
        if status in GONE:
            await self.registry.run_job(rows.unsubscribe, row["browser"])

    async def _send_to(self, row: rows.Row, seconds: int) -> int:
        assert self._key is not None and self.post is not None
        try:
            endpoint = endpoint_of(row["endpoint"], self.services)
        except HexdeckError:  # a service that this server no longer knows
            return 0
        body = encrypted(json.dumps({"table": row["table"]}).encode(), row["public"], row["secret"])
        headers = {
            "Authorization": signed(self._key, f"https://{endpoint.place}", row["site"], self.registry.clock()),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(seconds),
            "Urgency": "high",
            "Topic": topic(row["table"], row["seat"]),
        }
        return await self.post.send(endpoint, headers, body)


def seconds_left(table: LiveTable, now: float) -> int:
    """For how long a call makes sense: until the table's first clock runs out, but not for days."""
    return LONGEST_KEPT if table.due is None else max(0, min(LONGEST_KEPT, int(table.due - now)))


def topic(table: str, seat: int) -> str:
    """What a service knows the calls of a seat by, so that a newer one replaces an older one; it tells no table."""
    return hashlib.sha256(f"call {table} {seat}".encode()).hexdigest()[:32]
