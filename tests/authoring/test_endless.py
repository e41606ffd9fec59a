"""Rules of a fork that have no end, or fail, where no trial came by: one sentence with the place, and all else goes on.

The number of deals chooses the fault, since trial matches are played with the usual one.
"""

import asyncio
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

import hexdeck
from hexdeck.authoring import fork_game
from hexdeck.cli import main
from hexdeck.engine import endless
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.bounded_loading import calling_itself, solves
from hexdeck.engine.discovery.definition import definition, forget, wrong_with
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.errors import RuleFault
from hexdeck.engine.play.match import Match
from hexdeck.games.hawthorn.rules import FOLD
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.terminal.display import Chair
from hexdeck.terminal.session import ScreenSession
from tests.support import for_each
from tests.terminal.full.people import Person, before

TURNS = "this loop didn't end after 20,000 turns"
FAULTS = {  # deals: a function, what is written before its last statement, what is told
    7: ("price", "while s.deals == 7: pass", TURNS),
    8: ("price", "seat //= s.deals != 8", "integer division or modulo by zero"),
    9: ("payment", "s.purse[seat + 8 * (s.deals == 9)] += 0", "index 8 in an array of shape (8,)"),
    10: ("from_deck", "for _ in range(10**9 * (s.deals == 10)): pass", TURNS),
    11: ("weigh_", "", "Chance acts 20,000 times, and nobody comes to decide anything."),
    12: ("endless_", "", "The match isn't over after 1,000,000 moves and cards: perhaps it has no end."),
}
AGAIN = (  # what is written in place of a line
    ("    s.stock[outcome] -= 1\n    s.deck_left -= 1\n", "    if s.deals == 11: return\n{}"),
    ("    if s.deal == s.deals:\n", "    for p in range(s.seats * (s.deals == 12)): s.purse[p] = s.chips\n{}"),
    ("    if s.deal == s.deals:\n", "    s.deal -= s.deal == 12\n{}"),
)


@pytest.fixture(name="fork", scope="module")
def _fork(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    games = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(finding.PATH, str(games))
        folder = fork_game("hawthorn", "my-own", games)
        file = folder / "rules.py"
        text = file.read_text(encoding="utf-8")
        for function, written, _told in FAULTS.values():
            text = re.sub(rf"(def {function}\(.*\n    \"\"\".*\"\"\"\n)", rf"\1    {written}\n", text)
        for line, instead in AGAIN:
            assert text.count(line) == 1
            text = text.replace(line, instead.format(line))
        file.write_text(text, encoding="utf-8")
        forget()
        yield folder
    forget()


def line_of(fork: Path, written: str) -> int:
    lines = (fork / "rules.py").read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line == f"    {written}")


def sentence(fork: Path, deals: int) -> str:
    function, written, told = FAULTS[deals]
    if not written:
        return told
    return f"my-own: {function} in rules.py, line {line_of(fork, written)}, fails: {told}."


def reach_fold(match: Match) -> None:
    """Play until somebody may fold."""
    while FOLD not in (ids := match.legal_ids(match.actor)):
        match.play(match.actor, ids[0])


backends = pytest.mark.parametrize("backend", ["interpreted", pytest.param("checked", marks=pytest.mark.long)])


@backends
@for_each("deals", list(FAULTS))
def test_whole_games_tell_what_fails(fork: Path, deals: int, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = sentence(fork, deals)
    if backend == "interpreted" and deals == 12:
        monkeypatch.setattr(endless, "MOST_EVENTS", 2000)
        told = told.replace("1,000,000", "2,000")
    game = hexdeck.game("my-own", players=3, deals=deals)
    with pytest.raises(RuleFault, match=f"^{re.escape(told)}$"):
        game.simulate(40, ["house", "random", "random"], backend=backend)
    with pytest.raises(RuleFault, match=f"^{re.escape(told)}$"):
        Player(SimulationSetup(game, "random", backend=backend)).log(0, 40)
    assert len(hexdeck.game("my-own", players=3, deals=2).simulate(2, "random", backend=backend)) == 2


@backends
def test_a_match_stands_as_it_was_before_a_move_that_fails(fork: Path, backend: str) -> None:
    match = hexdeck.game("my-own", players=2, deals=7).match(seed=1, backend=backend)
    reach_fold(match)
    before, events = bytes(match.struct.row_), match.events
    for _ in range(2):
        with pytest.raises(RuleFault, match=f"^{re.escape(sentence(fork, 7))}$"):
            match.play(match.actor, FOLD)
    assert (bytes(match.struct.row_), match.events) == (before, events)
    match.play(match.actor, "take")
    assert match.length > len(events)


def test_at_the_terminal_it_is_one_sentence_and_the_match_is_saved(
    fork: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{k}\n" for k in range(1, 11)) + "fold\n"))
    play = ["play", "my-own", "--players", "2", "--bots", "random", "--seed", "3"]
    assert main([*play, "--option", "deals=7"]) == 2
    told = capsys.readouterr()
    assert told.err == f"hexdeck: {sentence(fork, 7)}\n" and "play my-own --resume" in told.out
    assert main(["simulate", "my-own", "--players", "2", "--games", "20", "--option", "deals=7"]) == 2
    assert capsys.readouterr().err.endswith(f"hexdeck: {sentence(fork, 7)}\n")


def test_the_full_screen_is_left_with_the_sentence(fork: Path) -> None:
    match = hexdeck.game("my-own", players=2, deals=7).match(1, backend="interpreted", names=["Ann", "Ben"])
    chairs = [Chair("Ann"), Chair("Ben")]
    at = ScreenSession(match, chairs, game_words("my-own", "en", match.names), Console(file=io.StringIO()), 0.0, seed=1)

    async def folds(ann: Person) -> None:
        reach_fold(match)
        ann.app.call_later(ann.app.forced, match.actor, ann.app.position)
        while ann.app.is_running:
            await asyncio.sleep(0.001)

    at.play_forced = lambda seat: match.play(seat, FOLD)  # type: ignore[method-assign]
    assert str(before(at, folds).error) == sentence(fork, 7)


FILES = {  # a file: a function, and what is written at its beginning
    "hints": ("because", "while s.deals == 7: pass"),
    "bounds": ("bounds", "all(k for k in iter(lambda: options['deals'] == 7, False))"),
    "table": ("label", "[k for k in iter(lambda: s.deals == 7, False)]"),
}


@for_each("file", list(FILES))
def test_all_files_of_a_game_from_outside_come_to_an_end(
    tmp_path: Path, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    (function, written), folder = FILES[file], fork_game("hawthorn", f"my-{file}", tmp_path)
    path = folder / f"{file}.py"
    text = re.sub(rf"(def {function}\(.*\n)", rf"\1    {written}\n", path.read_text(encoding="utf-8"))
    assert written in text
    path.write_text(text, encoding="utf-8")
    forget()
    game = hexdeck.game(f"my-{file}", players=2, deals=7)
    struct = game.match(1, backend="interpreted").struct
    arguments = (2, game.options) if file == "bounds" else (struct, 0, 0, None)[: 4 if file == "hints" else 3]
    with pytest.raises(RuleFault, match=rf"^my-{file}: .+ in {file}\.py, line \d+, fails: {TURNS}\.$"):
        getattr(getattr(game.definition, file), function)(*arguments)
    forget()


def test_what_only_a_solver_uses_may_take_long(tmp_path: Path) -> None:
    for file, text in {"solver": "from hexdeck.games.x import tables, rules", "rules": "from .aid import wait"}.items():
        (tmp_path / f"{file}.py").write_text(text, encoding="utf-8")
    named = ("solver", "tables", "rules", "aid")
    assert [solves(tmp_path / f"{name}.py") for name in named] == [True, True, False, False]


@for_each(
    ("written", "circle"),
    [
        ("def payment(s, seat, amount):\n    payment(s, seat, amount)\n", "payment calls payment"),
        ("def price(s, seat):\n    _turn(s, seat)\n", "price calls _turn calls price"),
    ],
)
def test_functions_that_call_themselves_are_refused(tmp_path: Path, written: str, circle: str) -> None:
    file = tmp_path / "rules.py"
    file.write_text(f"def _turn(s, seat):\n    price(s, seat)\n    price_of = 1\n\n\n{written}", encoding="utf-8")
    told = calling_itself(file)
    assert all(each in told for each in circle.split(" calls ")) and "calls" in told and "(line " in told
    assert calling_itself(Path(definition("hawthorn").folder, "rules.py")) == ""


@for_each(
    "written",
    [
        "def price(s, seat):\n    price = 3\n    return 2 * price\n",
        "def price(s, seat):\n    pay(s, 3)\n\n\ndef pay(s, price):\n    s.purse[0] -= price\n",
        "def price(s):\n    for price in range(3):\n        s.due += price\n",
    ],
)
def test_names_of_their_own_are_no_calls(tmp_path: Path, written: str) -> None:
    file = tmp_path / "rules.py"
    file.write_text(written, encoding="utf-8")
    assert calling_itself(file) == ""


def test_a_fork_whose_functions_call_each_other_in_a_circle_is_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    file = fork_game("hawthorn", "circles", tmp_path) / "rules.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("    return r + 1\n", "    return r + 1 if r >= 0 else _pay\n"), encoding="utf-8")
    forget()
    assert wrong_with("circles") is None
    text = text.replace("    return min(amount", "    if seat > 90: _pay(s, seat, 1)\n    return min(amount")
    file.write_text(text, encoding="utf-8")
    forget()
    assert str(wrong_with("circles")).startswith(
        "circles: functions in rules.py can't call each other in a circle: _pay calls payment calls _pay (line "
    )
    forget()
