"""The random generator: ChaCha with 8 rounds (Bernstein 2008), a counter-based pseudo-random function with a key.

Nobody can compute undealt cards from dealt ones. These are plain functions: they run interpreted, and every backend
compiles them. A generator is an int64 array of 32-bit words: 8 words of key, then the stream, the number of the first
buffered block, the read position, and from `HELD` on the buffered blocks. Chance draw k of deal d reads word k of the
stream for d (`chance_draw`); bots and re-deals read word after word (`below`). Arithmetic stays in non-negative int64,
so that Python and compiled code agree.
"""

import hashlib
from operator import index

import numpy as np

STREAM, BLOCK, AT, HELD = 8, 9, 10, 16
BLOCKS = 4  # buffered at once: compiled code computes them in parallel, as vectors
EMPTY = 16 * BLOCKS
WORDS = HELD + EMPTY
M32 = 0xFFFFFFFF
C0, C1, C2, C3 = 0x61707865, 0x3320646E, 0x79622D32, 0x6B206574  # "expand 32-byte k"
APART = ("fill", "again")  # backends don't inline these: fill is long, again is rare
DEAL_BITS = 24  # lower bits of a stream number: the deal; the upper bits are the match's number


def generator(seed: int | bytes, purpose: str = "chance", stream: int = 0) -> np.ndarray:
    """A new generator, int64 of shape (80,), whose key is the SHA-256 of purpose and seed.

    A seed of 32 bytes is itself the key for the purpose `chance`.
    """
    seed_value = seed if isinstance(seed, bytes) else index(seed)
    key = hashlib.sha256(f"hexdeck {purpose} {seed_value!r}".encode()).digest()
    if isinstance(seed_value, bytes) and len(seed_value) == 32 and purpose == "chance":
        key = seed_value
    array = np.zeros(WORDS, np.int64)
    array[:8] = np.frombuffer(key, "<u4")
    rewind(array, stream)
    return array


def rewind(rng, stream):
    """Move to the first word of a stream (0 to 2**63 - 1)."""
    rng[STREAM], rng[BLOCK], rng[AT] = stream, -BLOCKS, EMPTY


def below(rng, n):
    """The next random integer from 0 to n - 1, without bias (Lemire 2019); n from 1 to 2**31."""
    product = next_word(rng) * n
    if product & M32 < n:
        least = (M32 + 1) % n
        while product & M32 < least:
            product = next_word(rng) * n
    return product >> 32


def next_word(rng):
    """The next 32-bit word of the stream."""
    if rng[AT] >= EMPTY:
        rng[BLOCK] += BLOCKS
        rng[AT] = 0
        fill(rng, 0)
    rng[AT] += 1
    return rng[place(rng[AT] - 1)]


def place(k):
    """The index in the generator of word k of the stream, if buffered: word w of block j is at `HELD` + 4 w + j."""
    return HELD + BLOCKS * (k & 15) + ((k >> 4) & (BLOCKS - 1))


def chance_draw(rng, match, deal, k, n):
    """Draw k of a deal of a match, from 0 to n - 1; it doesn't depend on what was drawn before.

    Match and deal choose the stream, so that two matches with the same number that took different courses get the same
    cards again in the next deal. If a draw would be biased, `again` reads the same place of other blocks.
    """
    stream, block = (match << DEAL_BITS) | deal, (k >> 4) & -BLOCKS
    if rng[STREAM] != stream or rng[BLOCK] != block:
        rng[STREAM], rng[BLOCK] = stream, block
        fill(rng, 0)
    product = rng[place(k)] * n
    if product & M32 < n:
        product = again(rng, k, n, product)
    return product >> 32


def again(rng, k, n, product):
    """Repeat draw k until it is unbiased, in blocks whose number has the attempt as its upper 32 bits."""
    least, attempt = (M32 + 1) % n, 0
    while product & M32 < least:
        attempt += 1
        fill(rng, attempt)
        product = rng[place(k)] * n
    if attempt:
        rng[BLOCK] = -BLOCKS
    return product


def pick(weights, count, u):
    """The outcome at position u of the cumulative weights: outcome i of `count` covers weights[i] positions."""
    outcome, reach = 0, 0
    for i in range(count):
        reach += weights[i]
        outcome += reach <= u
    return outcome


def fill(rng, attempt):
    """Write the 8 ChaCha8 blocks that begin at the block number; `attempt` is the upper 32 bits of that number."""
    # Everything is read before the loop and the rounds are unrolled, so that compilers compute the blocks in parallel
    # (half a nanosecond a word with vectors of 512 bits).
    k0, k1, k2, k3, k4, k5, k6, k7 = rng[0], rng[1], rng[2], rng[3], rng[4], rng[5], rng[6], rng[7]
    first, low, high = rng[BLOCK], rng[STREAM] & M32, rng[STREAM] >> 32
    for j in range(BLOCKS):
        a0, a1, a2, a3 = C0, C1, C2, C3
        b0, b1, b2, b3 = k0, k1, k2, k3
        c0, c1, c2, c3 = k4, k5, k6, k7
        d0, d1, d2, d3 = low_word(first + j), attempt, low, high
        a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3 = two_rounds(
            a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
        )
        a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3 = two_rounds(
            a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
        )
        a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3 = two_rounds(
            a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
        )
        a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3 = two_rounds(
            a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3
        )
        rng[HELD + j] = low_word(a0 + C0)
        rng[HELD + BLOCKS + j] = low_word(a1 + C1)
        rng[HELD + 2 * BLOCKS + j] = low_word(a2 + C2)
        rng[HELD + 3 * BLOCKS + j] = low_word(a3 + C3)
        rng[HELD + 4 * BLOCKS + j] = low_word(b0 + k0)
        rng[HELD + 5 * BLOCKS + j] = low_word(b1 + k1)
        rng[HELD + 6 * BLOCKS + j] = low_word(b2 + k2)
        rng[HELD + 7 * BLOCKS + j] = low_word(b3 + k3)
        rng[HELD + 8 * BLOCKS + j] = low_word(c0 + k4)
        rng[HELD + 9 * BLOCKS + j] = low_word(c1 + k5)
        rng[HELD + 10 * BLOCKS + j] = low_word(c2 + k6)
        rng[HELD + 11 * BLOCKS + j] = low_word(c3 + k7)
        rng[HELD + 12 * BLOCKS + j] = low_word(d0 + first + j)
        rng[HELD + 13 * BLOCKS + j] = low_word(d1 + attempt)
        rng[HELD + 14 * BLOCKS + j] = low_word(d2 + low)
        rng[HELD + 15 * BLOCKS + j] = low_word(d3 + high)


def two_rounds(a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3):
    """A ChaCha double round: a column round and a diagonal round."""
    a0, b0, c0, d0 = quarter(a0, b0, c0, d0)
    a1, b1, c1, d1 = quarter(a1, b1, c1, d1)
    a2, b2, c2, d2 = quarter(a2, b2, c2, d2)
    a3, b3, c3, d3 = quarter(a3, b3, c3, d3)
    a0, b1, c2, d3 = quarter(a0, b1, c2, d3)
    a1, b2, c3, d0 = quarter(a1, b2, c3, d0)
    a2, b3, c0, d1 = quarter(a2, b3, c0, d1)
    a3, b0, c1, d2 = quarter(a3, b0, c1, d2)
    return a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3


def quarter(a, b, c, d):
    """The ChaCha quarter round."""
    a = low_word(a + b)
    d ^= a
    d = low_word(d << 16 | d >> 16)
    c = low_word(c + d)
    b ^= c
    b = low_word(b << 12 | b >> 20)
    a = low_word(a + b)
    d ^= a
    d = low_word(d << 8 | d >> 24)
    c = low_word(c + d)
    b ^= c
    b = low_word(b << 7 | b >> 25)
    return a, b, c, d


def low_word(x):
    """The low 32 bits of a number; compiled code goes on with a number of 32 bits, which is twice as fast."""
    return x & M32
