"""The generator: published vectors, a scalar ChaCha written apart from it, no bias, streams apart from each other."""

import functools
import json
import random
import struct
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine import random as generators
from hexdeck.engine.backends import compiler
from hexdeck.engine.backends.interpreted import Cells, strict
from hexdeck.engine.random import generator, pick
from hexdeck.simulation.game import Game
from tests.compiled import locked
from tests.settings import data, every_game, much
from tests.support import for_each, play_out

from . import loops

M32 = 0xFFFFFFFF
every_backend = pytest.mark.parametrize("backend", much(("interpreted", "fast"), ("interpreted", "fast", "checked")))

VECTORS = json.loads(Path(__file__).with_name("chacha8.json").read_text(encoding="utf-8"))["vectors"]
every_vector = for_each("vector", VECTORS)


def block(key: bytes, stream: int, counter: int) -> list[int]:
    """One ChaCha8 block, word by word: an independent, scalar implementation."""
    state = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key)]
    state += [counter & M32, counter >> 32, stream & M32, stream >> 32]
    x = list(state)
    columns = [(k, k + 4, k + 8, k + 12) for k in range(4)]
    diagonals = [(k, 4 + (k + 1) % 4, 8 + (k + 2) % 4, 12 + (k + 3) % 4) for k in range(4)]
    for _ in range(4):
        for a, b, c, d in columns + diagonals:
            for into, other, turned, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[into] = (x[into] + x[other]) & M32
                word = x[turned] ^ x[into]
                x[turned] = (word << bits | word >> (32 - bits)) & M32
    return [(one + other) & M32 for one, other in zip(x, state, strict=True)]


def expected_draw(key: bytes, match: int, deal: int, k: int, n: int) -> int:
    """Chance draw k of a deal: word k of the stream, tried again with the attempt in the upper half of the counter."""
    for attempt in range(100):
        word = block(key, match << 24 | deal, attempt << 32 | k // 16)[k % 16]
        if word * n % 2**32 >= 2**32 % n:
            return word * n >> 32
    raise AssertionError


def shared(backend: str, array: np.ndarray) -> Any:
    return strict(array) if backend == "interpreted" else array


@functools.cache
def kernel(backend: str, name: str) -> Callable[..., None]:
    plain = getattr(loops, name)
    if backend == "interpreted":
        return plain  # type: ignore[no-any-return]
    return compiler.backend(backend).kernel(plain)  # type: ignore[no-any-return]


def run(backend: str, name: str, rng: np.ndarray, count: int, *arguments: Any) -> list[int]:
    out = np.zeros(count, np.int64)
    given = [shared(backend, each) if isinstance(each, np.ndarray) else each for each in arguments]
    with locked("random-kernels"):
        kernel(backend, name)(shared(backend, rng), *given, shared(backend, out))
    return [int(value) for value in out]


def parts(vector: dict[str, Any]) -> tuple[bytes, int, str]:
    stream = int.from_bytes(bytes.fromhex(vector["iv"]), "little")
    return bytes.fromhex(vector["key"]), stream, "".join(vector["keystream"])


@every_backend
@every_vector
def test_published_vectors(backend: str, vector: dict[str, Any]) -> None:
    key, stream, keystream = parts(vector)
    found = run(backend, "words", generator(key, stream=stream), len(keystream) // 8)
    assert struct.pack(f"<{len(found)}I", *found).hex() == keystream
    scalar = [struct.pack("<16I", *block(key, stream, counter)) for counter in range(len(keystream) // 128)]
    assert b"".join(scalar).hex() == keystream


@every_backend
def test_words_come_in_order_from_block_to_block_and_stream_to_stream(backend: str) -> None:
    key, rng = bytes(range(7, 39)), generator(bytes(range(7, 39)), stream=2**40 + 5)
    stream = [word for counter in range(20) for word in block(key, 2**40 + 5, counter)]
    assert run(backend, "words", rng, 100) + run(backend, "words", rng, 220) == stream
    generators.rewind(rng, 2**63 - 1)
    assert (
        run(backend, "words", rng, 40) == [word for counter in range(3) for word in block(key, 2**63 - 1, counter)][:40]
    )
    generators.rewind(rng, 2**40 + 5)
    assert run(backend, "words", rng, 320) == stream


def plan(seed: int, count: int) -> np.ndarray:
    """Draws in no order, often of one block: deal, number of the draw, and of how many; some often are tried again."""
    rng = random.Random(seed)
    sizes = [1, 2, 6, 55, 3 << 29, 5 << 28, 2**31 - 1, 2**31, (1 << 30) + 1]
    return np.array([(rng.randint(1, 2), rng.randint(0, 400), rng.choice(sizes)) for _ in range(count)], np.int64)


@every_backend
def test_a_chance_draw_is_the_generator_at_a_counter_whatever_was_drawn_before(backend: str) -> None:
    key, wanted = bytes(range(32)), plan(1, 300)
    rng, again = generator(key), generator(key)
    found = run(backend, "draws", rng, 300, 12345, wanted)
    assert found == [expected_draw(key, 12345, *(int(value) for value in row)) for row in wanted]
    order = np.random.default_rng(2).permutation(300)
    assert run(backend, "draws", again, 300, 12345, wanted[order]) == [found[k] for k in order]
    assert run(backend, "draws", rng, 300, 12346, wanted) != found


@every_backend
def test_backends_draw_the_same_numbers(backend: str) -> None:
    rng = generator(3)
    plain = [run("interpreted", "numbers", generator(3), 200, n) for n in (1, 7, 3 << 29, 2**31)]
    assert plain == [run(backend, "numbers", generator(3), 200, n) for n in (1, 7, 3 << 29, 2**31)]
    assert max(run(backend, "numbers", rng, 300, 7)) == 6 and set(run(backend, "numbers", rng, 10, 1)) == {0}


@pytest.mark.parametrize(("odd", "shift"), [(1, 0), (1, 31), (3, 29), (5, 28), (7, 27), (11, 20), (1023, 15)])
def test_below_gives_each_number_to_equally_many_words(odd: int, shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    n, period = odd << shift, 1 << (32 - shift)  # word + period gives number + odd
    queue: list[int] = []
    monkeypatch.setattr(generators, "next_word", lambda _: queue.pop(0))
    taken: Counter[int] = Counter()
    for word in range(min(period, 1 << 18)):
        queue[:] = [word, M32]  # the last word of all is never refused
        number = generators.below(None, n)
        taken[number] += len(queue)
    full = [taken[number] for number in range(odd if shift else 1)]
    assert set(full) == ({period // odd} if shift else {1 << 18})


def test_pick_gives_each_outcome_as_many_numbers_as_it_weighs() -> None:
    weights = strict(np.array([0, 2, 0, 1, 3, 0], np.int32))
    assert [pick(weights, 6, u) for u in range(6)] == [1, 1, 3, 4, 4, 4]


def test_what_keys_a_generator() -> None:
    key = bytes(range(32))
    assert generator(key)[:8].tobytes() == np.frombuffer(key, "<u4").astype(generator(key).dtype).tobytes()
    keys = {generator(seed, purpose)[:8].tobytes() for seed in (0, 1, b"1", -1, 10) for purpose in ("chance", "mind")}
    assert len(keys) == 10 and generator(1)[:8].tobytes() == generator(1, stream=9)[:8].tobytes()
    assert isinstance(strict(generator(0)), Cells)
    purposes = ("chance", "bot 0", "bot 1", "redeal")  # a key of 32 bytes is no excuse for equal dice
    assert len({generator(bytes(32), purpose)[:8].tobytes() for purpose in purposes}) == len(purposes)
    assert generator(bytes(32))[:8].tolist() == [0] * 8


@every_game
def test_games_that_part_in_one_deal_meet_again_in_the_next(name: str) -> None:
    game = hexdeck.game(name, 3, **data(name)["several"])
    one, two, three, other = (first_cards(game, number, seed) for number, seed in ((0, 1), (0, 2), (0, 3), (1, 1)))
    assert one[1] == two[1] == three[1] != other[1]
    later = [(one[deal], another[deal]) for another in (two, three) for deal in set(one) & set(another) - {1}]
    assert later and all(cards[:3] == others[:3] for cards, others in later)


def first_cards(game: Game, number: int, seed: int) -> dict[int, list[int]]:
    """By number of the deal, what chance gave before the first decision; `seed` is of the players."""
    match, rng = game.match(seed=1, number=number, backend="interpreted"), random.Random(seed)
    play_out(match, rng)
    out: dict[int, list[int]] = {}
    decided: set[int] = set()
    for ply, event in enumerate(match.events):
        match.go(ply)
        if event.seat >= 0:
            decided.add(match.struct.deal)
        elif match.struct.deal not in decided:
            out.setdefault(match.struct.deal, []).append(event.id)
    return out
