"""Gzips pages without giving their secrets away by their lengths.

Whoever sees the lengths of gzipped answers, and can put words of their own into them, learns bit by bit what else is
in them (an attack known as BREACH). So nothing that holds a token is gzipped (see `answers.html_response`):
invitations, carried seats, answers to forms, all of the API. A seat's page holds its cards beside names that others
typed, so its length is blurred: a keyed digest of the page adds up to 511 bytes, the same for the same page, so that
nothing is gained by asking again, and the sum is rounded up. Streams are not gzipped: each frame is sent at once.
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


def accepts_gzip(encodings: str) -> bool:
    """Whether an Accept-Encoding header accepts gzip."""
    for part in encodings.lower().split(","):
        coding, _, weight = part.replace(" ", "").partition(";")
        if coding in {"gzip", "*"}:
            return weight not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def padded_gzip(plain: bytes) -> bytes:
    """The same in gzip, padded to a blurred multiple of `STEP` by the file name in its header."""
    blur = int.from_bytes(hashlib.blake2b(plain, key=KEY, digest_size=4).digest(), "big") % STEP
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(plain) + packer.flush() + struct.pack("<II", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
    bare = len(HEAD) + 1 + len(body) + blur
    return HEAD + b"x" * (blur + -bare % STEP) + b"\0" + body
