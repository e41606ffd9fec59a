"""Pages sent packed (gzip), without telling their secrets by their lengths.

Whoever sees how long packed answers are, and can have words of their own in them, learns what else is in them by and by
(known as BREACH). So nothing that holds a bearer's secret is packed (see `answers.html`): invitations, carried seats,
answers to forms, all of the API. A seat's page holds its cards beside names that others typed: its length is blurred. A
keyed digest of what is sent adds up to 511 bytes, the same ones for the same page, so that nothing is gained by asking
again, and then the length is rounded up. Streams are not packed: each frame is sent the moment it is made.
"""

import hashlib
import secrets
import struct
import zlib

KEY = secrets.token_bytes(32)
LEAST = 1400  # bytes: what is shorter fits into one packet anyway
STEP = 512  # lengths are multiples of it
LEVEL = 5
HEAD = bytes((0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255))  # gzip, deflated, with a name, no time, no system


def accepts(encodings: str) -> bool:
    """Whether an Accept-Encoding header takes gzip."""
    for part in encodings.lower().split(","):
        coding, _, weight = part.replace(" ", "").partition(";")
        if coding in {"gzip", "*"}:
            return weight not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def packed(plain: bytes) -> bytes:
    """The same in gzip, as long as a multiple of `STEP`: the name of a file in its head fills it up."""
    blur = int.from_bytes(hashlib.blake2b(plain, key=KEY, digest_size=4).digest(), "big") % STEP
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(plain) + packer.flush() + struct.pack("<II", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
    bare = len(HEAD) + 1 + len(body) + blur
    return HEAD + b"x" * (blur + -bare % STEP) + b"\0" + body
