"""Whatever is done to a record: it is refused with a sentence, or it loads as the match that it was."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some

import hexdeck
from hexdeck.engine.play.match import Match
from tests.settings import GAMES, much

from .test_round_trip import BACKEND, begun

Path = tuple[Any, ...]
WORDS = [
    "hexdeck",
    "game",
    "players",
    "options",
    "name",
    "card 1",
    "0: call",
    "1: draw",
    "cursed-hand",
    "house",
    "tiny",
]
scalars = (
    some.none()
    | some.booleans()
    | some.integers(-3, 12)
    | some.integers()
    | some.floats()
    | some.sampled_from(WORDS)
    | some.text(max_size=8)
)
anything = some.recursive(
    scalars,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from(WORDS), inner, max_size=3),
)


@cache
def original(name: str) -> tuple[Any, bytes, str]:
    match = begun(hexdeck.game(name, 3), 11)
    return match.record().data(), match.concealed(-1), match.record().text()


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def put(value: Any, path: Path, part: Any) -> Any:
    """The value with one part replaced; `...` removes it."""
    if not path:
        return part
    out, inner = copy.deepcopy(value), value
    home = out
    for key in path[:-1]:
        home, inner = home[key], inner[key]
    if part is ...:
        del home[path[-1]]
    else:
        home[path[-1]] = part
    return out


def loaded_or_refused(source: Any) -> Match | str:
    try:
        return hexdeck.load(source, backend=BACKEND)
    except hexdeck.BadRecord as error:
        return str(error)


def assert_refused_or_same(source: Any, name: str) -> None:
    data, end, _ = original(name)
    loaded = loaded_or_refused(source)
    if isinstance(loaded, str):
        assert loaded and "\n" not in loaded
        return
    assert (loaded.game.name, loaded.game.players, loaded.game.options) == (name, 3, data["options"])
    assert loaded.concealed(-1) == end and loaded.length == data["count"]


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=much(30, 300))
@given(data=some.data())
def test_any_changed_part_is_refused_or_harmless(name: str, data: some.DataObject) -> None:
    record = original(name)[0]
    part = some.sampled_from(list(places(record))[1:])
    for _ in range(data.draw(some.integers(1, 2))):
        path = data.draw(part)
        try:
            record = put(record, path, data.draw(anything | some.just(...)))
        except (KeyError, IndexError, TypeError):  # the place went with the first change
            continue
    assert_refused_or_same(record, name)
    assert_refused_or_same(json.dumps(record), name)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=much(30, 200))
@given(where=some.floats(0, 1), length=some.integers(0, 6), letters=some.text(max_size=4))
@example(where=0.0, length=1, letters="[")
@example(where=0.99, length=500, letters="")
def test_any_changed_text_is_refused_or_harmless(name: str, where: float, length: int, letters: str) -> None:
    text = original(name)[2]
    cut = int(where * len(text))
    assert_refused_or_same("{" + (text[:cut] + letters + text[cut + length :])[1:], name)
