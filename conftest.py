"""Settings of all tests: what `make test` leaves out to `make test-all`, any order, and how long each part took."""

import asyncio
import contextlib
import gc
import os
import random
import re
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
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
SMALLEST = "cursed-hand"  # in every run, what all games share is proved on this one
OWN_RULES = (
    "games",
    "secrecy",
    "rules",
    "reference",
    "playthroughs",
    "pages",
)  # parts that try every game in every run
FIRST = (
    "secrecy",
    "games",
    "rules",
    "tables",
    "web",
    "engine",
    "evenings",
    "lab",
    "bots",
    "terminal",
    "browser",
)  # the parts that a run cut short by --until should at least have seen, most valuable first
BROWSING: set[Path] = set()  # the files that have tests in a browser
NOT_BEGUN: list[str] = []  # tests for which no time was left
LONG_FILE = re.compile(r"^pytestmark = .*pytest\.mark\.long\b", re.MULTILINE)
ROOT = Path(__file__).parent
OWN = "src/hexdeck/games/"  # where games' own tests lie
NO_BROWSER = "there is no browser"
PATIENCE = 300_000  # milliseconds that a browser waits for what should come at once
SECONDS = "hexdeck/seconds"  # by file, in pytest's cache


@pytest.fixture
def small_games_for_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's nets play games with fewer cards than they learned with, which are over sooner."""
    monkeypatch.setattr("hexdeck.bots.players.roster.check_options", lambda _net, _game: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options of ours."""
    parser.addoption("--everything", action="store_true", help="run all tests, with whole products of settings")
    parser.addoption("--game", action="append", metavar="GAME", help="leave out the cases of other games")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in a random order")
    parser.addoption(
        "--until",
        type=float,
        metavar="TIME",
        help="begin no test after a time, in seconds since 1970; first comes what a usual run leaves out",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Markers of ours; whether to run everything, for modules of tests to read while they are imported."""
    config.addinivalue_line("markers", "rule(*ids): the rules that a test proves, by the ids of the game's rules page")
    if config.getoption("--everything"):
        os.environ[EVERYTHING] = "1"
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Times(config), "times")
    if config.getoption("--until") is not None:
        config.pluginmanager.register(InTime())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A usual run doesn't import files of which every test is long."""
    if config.getoption("--everything") or not re.fullmatch(r"test_.*\.py", collection_path.name):
        return None
    return is_long(collection_path) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a whole run has, and what nobody asked for; shuffle if asked to."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            BROWSING.add(item.path)
            if not item.get_closest_marker("usual"):  # there is one for each thing that needs a browser
                item.add_marker(pytest.mark.long)
    wanted = config.getoption("--game") or GAMES
    kept = [item for item in items if is_of(item, wanted)]
    usual = [item for item in kept if not item.get_closest_marker("long")]
    if not config.getoption("--game"):
        usual = with_the_smallest(usual)
    if not config.getoption("--everything"):
        kept = usual
    if config.getoption("--until") is not None:
        often = set(usual)
        kept.sort(key=lambda item: (item in often, value(item)))
    chosen = set(kept)
    left_out = [item for item in items if item not in chosen]
    config.hook.pytest_deselected(items=left_out)
    if hasattr(config, "workeroutput"):
        config.workeroutput["left_out"] = len(left_out)
    items[:] = kept
    if config.getoption("--shuffle") is not None:
        random.Random(config.getoption("--shuffle")).shuffle(items)


def pytest_collection_finish() -> None:
    """What is loaded by now stays: whoever collects garbage, as each server does when it starts, passes it over."""
    gc.collect()
    gc.freeze()


def value(item: pytest.Item) -> int:
    """Where an item's part comes in the order of a run that may be cut short."""
    part = part_of(item.nodeid)
    return FIRST.index(part) if part in FIRST else len(FIRST)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Hide a browser's loop, which goes on in this thread, from files without one: they run loops of their own."""
    loop = asyncio._get_running_loop()
    if loop and item.path not in BROWSING:
        asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(asyncio._get_running_loop() or loop)


class InTime:
    """Begins no test when the time that `--until` gives is over."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Run a test, or count it as left."""
        if time.time() < item.config.getoption("--until"):
            return None
        NOT_BEGUN.append(item.nodeid)
        return True


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


def with_the_smallest(items: list[pytest.Item]) -> list[pytest.Item]:
    """What a usual run has: what all games share is tried with the smallest of them, the games' own rules with each."""
    games = defaultdict[str, set[int]](set)
    for item in items:
        games[item.nodeid.partition("[")[0]] |= named_in(item)
    smallest = {GAMES.index(SMALLEST)}
    return [
        item
        for item in items
        if part_of(item.nodeid) in OWN_RULES
        or "secrecy" in item.path.name
        or len(games[item.nodeid.partition("[")[0]]) < len(GAMES)
        or len(named_in(item)) != 1
        or named_in(item) == smallest
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
        self.left_out = 0
        self.processor = 0.0
        self.not_begun = 0
        self.browserless = 0

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Count what this run leaves out."""
        self.left_out = len(items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """What a worker says at its end."""
        output = getattr(node, "workeroutput", {})
        self.processor += output.get("processor", 0.0)
        self.not_begun += output.get("not_begun", 0)
        self.left_out = output.get("left_out", 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the seconds of a file: setting up, testing and clearing away."""
        file = report.nodeid.partition("::")[0]
        self.seconds[file] += report.duration
        self.cases[file] += report.when == "call"
        self.browserless += report.skipped and NO_BROWSER in str(report.longrepr)

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
        used = f", {self.processor:.0f} s of processor" if self.processor else ""
        line = f"{'in all':12} {parts.total():7.1f} s {cases.total():6} tests, {clock:.0f} s on the clock{used}"
        terminalreporter.write_line(line)
        if unbegun := self.not_begun or len(NOT_BEGUN):
            terminalreporter.write_line(f"No time was left for {unbegun} tests.")
        left = [f"{self.browserless} tests that need a browser"] * bool(self.browserless)
        if not self.config.getoption("--everything"):
            files = [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob(f"{OWN}*/tests/**/test_*.py")]
            more = f"{self.left_out} tests in these files and {sum(map(is_long, files))} files of long tests"
            left.append(f"{more}, which make test-all runs too")
        if left:
            terminalreporter.write_line(f"Not run: {'; '.join(left)}.")

    def pytest_sessionfinish(self) -> None:
        """Keep the seconds of each file beside those of earlier runs."""
        cache = getattr(self.config, "cache", None)  # missing where its plugin is off
        if cache is not None:
            kept = cache.get(SECONDS, {})
            cache.set(SECONDS, {**kept, **{file: round(n, 2) for file, n in self.seconds.items()}})


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker says how much processor time it and its children took, and for how many tests no time was left."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput.update(processor=sum(os.times()[:4]), not_begun=len(NOT_BEGUN))


def is_long(file: Path) -> bool:
    """Whether every test of a file is long."""
    return bool(LONG_FILE.search(file.read_text(encoding="utf-8")))


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


def patient(make: Callable[..., Any]) -> Callable[..., Any]:
    """Make pages or contexts that wait as long as a busy machine may take."""

    def made(**how: Any) -> Any:
        page = make(**how)
        page.set_default_timeout(PATIENCE)
        return page

    return made


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium. Without one these tests are skipped where HEXDECK_NO_BROWSER is set, and fail elsewhere."""
    import browser as finder

    found = finder.chromium()
    if not found and os.environ.get("HEXDECK_NO_BROWSER"):
        pytest.skip(NO_BROWSER)
    assert found, finder.WANTED
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=found, args=list(finder.FLAGS))
        chromium.new_context, chromium.new_page = patient(chromium.new_context), patient(chromium.new_page)
        loop = asyncio._get_running_loop()
        yield chromium
        asyncio._set_running_loop(loop)
        chromium.close()
