"""The keyed generator: ChaCha with 8 rounds (Bernstein 2008), a counter-based pseudo-random function.

Nobody can compute undealt cards from dealt ones. Plain functions: they run interpreted and compile in every lane.
A generator is an array of 144 unsigned 32-bit words: 8 of key, 2 of stream, 2 of block number, one position, one that
tells whether chance can use the blocks in hand, eight blocks. Chance draw k of deal d is word k of stream d
(`chance_draw`); bots and re-deals read words in order (`below`). Arithmetic stays in non-negative 64-bit integers, so
that Python and compiled code agree.
"""

import hashlib

import numpy as np

WORDS = 144
STREAM, BLOCK, AT, READY, HELD = 8, 10, 12, 13, 16
BLOCKS = 8  # held at once: compiled code makes them side by side, 2 ns a word
EMPTY = 16 * BLOCKS
M32 = 0xFFFFFFFF
DEAL_BITS = 24  # deals of one match: the rest of the stream number is the match's own


def generator(seed: int | bytes, purpose: str = "chance", stream: int = 0) -> np.ndarray:
    """A new generator, uint32 of shape (144,): keyed by SHA-256 of purpose and seed; 32 bytes are the key itself."""
    text = f"hexdeck {purpose} {seed!r}".encode()
    key = seed if isinstance(seed, bytes) and len(seed) == 32 else hashlib.sha256(text).digest()
    words = np.zeros(WORDS, np.uint32)
    words[:8] = np.frombuffer(key, "<u4")
    rewind(words, stream)
    return words


def rewind(rng, stream):
    """Go to the first word of a stream (0 to 2**63 - 1)."""
    rng[STREAM] = stream & M32
    rng[STREAM + 1] = stream >> 32
    rng[BLOCK] = 0
    rng[BLOCK + 1] = 0
    rng[AT] = EMPTY
    rng[READY] = 0


def below(rng, n):
    """The next number from 0 to n - 1, without bias (Lemire 2019); n from 1 to 2**31."""
    product = next_word(rng) * n
    if product & M32 < n:
        least = (M32 + 1) % n
        while product & M32 < least:
            product = next_word(rng) * n
    return product >> 32


def next_word(rng):
    """The next 32-bit word of the stream."""
    at = rng[AT] & M32
    if at >= EMPTY:
        fill(rng)
        rng[BLOCK] = (rng[BLOCK] + BLOCKS) & M32
        at = 0
    rng[AT] = at + 1
    return held_word(rng, at)


def held_word(rng, k):
    """Word k of the stream, when its block is among those in hand."""
    return rng[HELD + BLOCKS * (k & 15) + (k >> 4) % BLOCKS] & M32


def chance_draw(rng, match, deal, k, n):
    """Draw k of a deal of a match, from 0 to n - 1: the same whatever was drawn before.

    The stream is the match's and the deal's, so that paired matches meet again in the next deal. A draw that would be
    biased is tried again in the same place of the stream whose block number has the attempt as its upper word.
    """
    stream = (match << DEAL_BITS) | deal
    block = k >> 4 & ~(BLOCKS - 1)
    if rng[BLOCK] != block or rng[STREAM] != stream & M32 or rng[STREAM + 1] != stream >> 32 or not rng[READY]:
        rng[STREAM], rng[STREAM + 1] = stream & M32, stream >> 32
        rng[BLOCK], rng[BLOCK + 1], rng[READY] = block, 0, 1
        fill(rng)
    product = held_word(rng, k) * n
    if product & M32 < n:
        product = again(rng, k, n, product)
    return product >> 32


def again(rng, k, n, product):
    """Draw k anew until it is unbiased; leaves the generator needing new blocks."""
    least = (M32 + 1) % n
    while product & M32 < least:
        rng[BLOCK + 1] = (rng[BLOCK + 1] + 1) & M32
        fill(rng)
        product = held_word(rng, k) * n
    rng[READY] &= rng[BLOCK + 1] == 0
    return product


def pick(weights, count, u):
    """The outcome that number u falls on, when outcome i of `count` owns the next weights[i] numbers."""
    outcome, reach = 0, 0
    for i in range(count):
        reach += weights[i]
        outcome += reach <= u
    return outcome


def fill(rng):
    """Write eight ChaCha8 blocks, from the block number on, word w of block j at 8 w + j: one vector lane a block."""
    for j in range(BLOCKS):
        block = (rng[BLOCK] + j) & M32
        a0, a1, a2, a3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574
        b0, b1, b2, b3 = rng[0] & M32, rng[1] & M32, rng[2] & M32, rng[3] & M32
        c0, c1, c2, c3 = rng[4] & M32, rng[5] & M32, rng[6] & M32, rng[7] & M32
        d0, d1, d2, d3 = block, rng[BLOCK + 1] & M32, rng[STREAM] & M32, rng[STREAM + 1] & M32
        for _ in range(4):
            a0, b0, c0, d0 = quarter(a0, b0, c0, d0)
            a1, b1, c1, d1 = quarter(a1, b1, c1, d1)
            a2, b2, c2, d2 = quarter(a2, b2, c2, d2)
            a3, b3, c3, d3 = quarter(a3, b3, c3, d3)
            a0, b1, c2, d3 = quarter(a0, b1, c2, d3)
            a1, b2, c3, d0 = quarter(a1, b2, c3, d0)
            a2, b3, c0, d1 = quarter(a2, b3, c0, d1)
            a3, b0, c1, d2 = quarter(a3, b0, c1, d2)
        rng[HELD + j] = (a0 + 0x61707865) & M32
        rng[HELD + 8 + j] = (a1 + 0x3320646E) & M32
        rng[HELD + 16 + j] = (a2 + 0x79622D32) & M32
        rng[HELD + 24 + j] = (a3 + 0x6B206574) & M32
        rng[HELD + 32 + j] = (b0 + rng[0]) & M32
        rng[HELD + 40 + j] = (b1 + rng[1]) & M32
        rng[HELD + 48 + j] = (b2 + rng[2]) & M32
        rng[HELD + 56 + j] = (b3 + rng[3]) & M32
        rng[HELD + 64 + j] = (c0 + rng[4]) & M32
        rng[HELD + 72 + j] = (c1 + rng[5]) & M32
        rng[HELD + 80 + j] = (c2 + rng[6]) & M32
        rng[HELD + 88 + j] = (c3 + rng[7]) & M32
        rng[HELD + 96 + j] = (d0 + block) & M32
        rng[HELD + 104 + j] = (d1 + rng[BLOCK + 1]) & M32
        rng[HELD + 112 + j] = (d2 + rng[STREAM]) & M32
        rng[HELD + 120 + j] = (d3 + rng[STREAM + 1]) & M32


def quarter(a, b, c, d):
    """ChaCha's quarter round."""
    a = (a + b) & M32
    d ^= a
    d = (d << 16 | d >> 16) & M32
    c = (c + d) & M32
    b ^= c
    b = (b << 12 | b >> 20) & M32
    a = (a + b) & M32
    d ^= a
    d = (d << 8 | d >> 24) & M32
    c = (c + d) & M32
    b ^= c
    b = (b << 7 | b >> 25) & M32
    return a, b, c, d
