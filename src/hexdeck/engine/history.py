"""The rolling hash of public events in every struct: plain functions that rules use."""

M63 = 0x7FFFFFFFFFFFFFFF
ODD = 0x2545F4914F6CDD1D


def mix(h, x):
    """A 63-bit hash of a hash and a number; the same in Python and in wrapping 64-bit arithmetic."""
    h = ((h ^ (x + 1)) * ODD) & M63
    return h ^ (h >> 32)


def remember(s, event):
    """Add a public event to the history hash."""
    s.history = mix(s.history, event)


def new_deal(s):
    """Count a deal: call it whenever all cards are shuffled. The next chance draw is the first of the new deal."""
    s.deal += 1
    s.draws = 0


def hash_words(words, count):
    """A 63-bit hash of the first `count` int64 words."""
    h = 0
    for k in range(count):
        h = mix(h, words[k] & M63) ^ (words[k] < 0)
    return h
