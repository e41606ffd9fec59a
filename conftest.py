"""Settings of all tests: what a short run leaves out, any order, and how long each part took."""

import contextlib
import os
import random
import secrets
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import hypothesis
import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is there: its threads wait by spinning
os.environ.pop("HEXDECK_GAME_PATH", None)  # tests are of our own games

from hexdeck.tables.keys import SYSTEM
from tests.settings import EVERYTHING, GAMES

for name in ("local", "ci"):
    hypothesis.settings.register_profile(name, deadline=None, derandomize=name == "ci", print_blob=name == "ci")
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")
SHARED = {
    "authoring",
    "bots",
    "browser",
    "cli",
    "conformance",
    "lab",
    "records",
    "simulate",
    "tables",
    "terminal",
    "web",
    "workshop",
}
OWN = "src/hexdeck/games/"  # where games' own tests lie
SECONDS = "hexdeck/seconds"  # by file, in pytest's cache


@pytest.fixture
def small_games_for_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's nets play games with fewer cards than they learned with, which are over sooner."""
    monkeypatch.setattr("hexdeck.bots.players.named.check_options", lambda _net, _game: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of ours."""
    parser.addoption("--everything", action="store_true", help="run all tests, with whole products of settings")
    parser.addoption("--game", action="append", metavar="GAME", help="leave out the cases of other games")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in a random order")


def pytest_configure(config: pytest.Config) -> None:
    """Markers of ours; whether to run everything, for modules of tests to read while they are imported."""
    config.addinivalue_line("markers", "rule(*ids): the rules that a test proves, by the ids of the game's rules page")
    if config.getoption("--everything"):
        os.environ[EVERYTHING] = "1"
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Times(config), "times")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a whole run has, and what nobody asked for; shuffle if asked to."""
    wanted = config.getoption("--game") or GAMES
    kept = [item for item in items if is_of(item, wanted)]
    if not config.getoption("--everything"):
        kept = [item for item in kept if not item.get_closest_marker("long")]
    if not config.getoption("--everything") and not config.getoption("--game"):
        kept = in_turn(kept)
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept
    if config.getoption("--shuffle") is not None:
        random.Random(config.getoption("--shuffle")).shuffle(items)


def is_of(item: pytest.Item, games: Sequence[str]) -> bool:
    """Whether a case is named after one of these games, or after none; one in a game's folder is of that game."""
    if item.nodeid.startswith(OWN):
        return item.nodeid.split("/")[3].replace("_", "-") in games
    name = item.name.partition("[")[2]
    named = [game for game in GAMES if game in name]
    return not named or any(game in games for game in named)


def part_of(nodeid: str) -> str:
    """Which part of the tests a file is of: its folder; `games`, if it lies in a game's."""
    return "games" if nodeid.startswith(OWN) else nodeid.split("/")[1]


def in_turn(items: list[pytest.Item]) -> list[pytest.Item]:
    """What a usual run has: what the games share is tried with one of them, another from test to test.

    Whole in every run: what looks at the rules themselves, at secrecy and at what a game's own folder says.
    """
    games = defaultdict[str, set[int]](set)
    for item in items:
        games[item.nodeid.partition("[")[0]] |= named_in(item)
    return [
        item
        for item in items
        if part_of(item.nodeid) not in SHARED
        or "secrecy" in item.path.name
        or len(games[item.nodeid.partition("[")[0]]) < len(GAMES)
        or len(named_in(item)) != 1
        or min(named_in(item)) == zlib.crc32(item.nodeid.partition("[")[0].encode()) % len(GAMES)
    ]


def named_in(item: pytest.Item) -> set[int]:
    """The numbers of the games that a case is named after."""
    return {number for number, game in enumerate(GAMES) if game in item.name.partition("[")[2]}


class Times:
    """How long each part of the tests took, told at the end and kept for `tools/changed_tests.py`."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.begun = time.monotonic()
        self.seconds: Counter[str] = Counter()
        self.cases: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the seconds of a file: setting up, testing and clearing away."""
        file = report.nodeid.partition("::")[0]
        self.seconds[file] += report.duration
        self.cases[file] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """A line for each part."""
        if sum(self.cases.values()) < 100:
            return
        parts, cases = Counter[str](), Counter[str]()
        for file, seconds in self.seconds.items():
            parts[part_of(file)] += seconds
            cases[part_of(file)] += self.cases[file]
        terminalreporter.section("seconds by part")
        for part, seconds in parts.most_common():
            terminalreporter.write_line(f"{part:12} {seconds:7.1f} s {cases[part]:6} tests")
        clock = time.monotonic() - self.begun
        line = f"{'in all':12} {parts.total():7.1f} s {cases.total():6} tests, {clock:.0f} s on the clock"
        terminalreporter.write_line(line)

    def pytest_sessionfinish(self) -> None:
        """Keep the seconds of each file beside those of earlier runs."""
        cache = getattr(self.config, "cache", None)  # missing where its plugin is off
        if cache is not None:
            kept = cache.get(SECONDS, {})
            cache.set(SECONDS, {**kept, **{file: round(n, 2) for file, n in self.seconds.items()}})


@contextlib.contextmanager
def drawn_for(name: str) -> Iterator[None]:
    """In CI, what nobody seeded (the cards of tables, keys, bots) follows from a name, where one thread draws it."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("CI"):
            drawn = random.Random(name)
            patch.setattr(secrets, "token_bytes", lambda nbytes=32: drawn.randbytes(32 if nbytes is None else nbytes))
            patch.setattr(SYSTEM, "randbytes", drawn.randbytes)
        yield


@pytest.fixture(scope="module", autouse=True)
def _drawn_for_a_module(request: pytest.FixtureRequest) -> Iterator[None]:
    with drawn_for(request.node.nodeid):
        yield


@pytest.fixture(autouse=True)
def _drawn_for_a_test(request: pytest.FixtureRequest) -> Iterator[None]:
    with drawn_for(request.node.nodeid):
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium. Without one these tests are skipped where HEXDECK_NO_BROWSER is set, and fail elsewhere."""
    import browser as finder

    found = finder.chromium()
    if not found and os.environ.get("HEXDECK_NO_BROWSER"):
        pytest.skip(finder.NONE)
    assert found, finder.NONE
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=found, args=list(finder.FLAGS))
        yield chromium
        chromium.close()
