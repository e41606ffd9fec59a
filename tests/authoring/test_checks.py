"""Each check of `hexdeck.testing` passes a sound game and finds the fault that it is there for."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from hexdeck import testing
from hexdeck.authoring.begin import new_game
from hexdeck.cli import main
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from tests.authoring.test_broken import Spoil, also, change
from tests.settings import every_game

BOUNDS = "def bounds(players, options):\n    return {}\n\n\ndef lengths(players, options):\n    return {}\n"
NARRATE = """

def narrate(before, event, after):
    return everyone(say("{seat}: {n}", seat=event.seat, n=event.id))
"""
OPEN_HANDS = """            s.bid[p] = 0
            for r in range(RANKS):
                s.deck[r] += s.hand[p, r]
                s.hand[p, r] = 0
"""


def rules(old: str, new: str) -> Spoil:
    """Write something else into the rules."""
    return change("rules.py", old, new)


def bounded(bounds: str, lengths: str) -> Spoil:
    """Say how a match can end and how long it can last."""
    return also("bounds.py", BOUNDS.format(bounds, lengths))


def indiscreet(folder: Path) -> None:
    """Let everybody be told what everybody bids."""
    change("table.py", "import Zone", "import Zone, everyone")(folder)
    text = (folder / "table.py").read_text(encoding="utf-8")
    (folder / "table.py").write_text(text + NARRATE, encoding="utf-8")


class Fault(NamedTuple):
    """A fault: the check that finds it, how it is planted, and what is said of it."""

    check: str
    plant: Spoil
    told: str


TWICE = "return list_cards(s, seat, 0, actions, list_cards(s, seat, 0, actions, 0)) if"
FAULTS = {
    "a move is listed twice": Fault(
        "rules", rules("return list_cards(s, seat, 0, actions, 0) if", TWICE), "legal_actions lists ["
    ),
    "who isn't asked may move": Fault(
        "rules", rules("if (s.acting >> seat) & 1 and s.hand", "if s.hand"), "illegal_reason allows ["
    ),
    "results are no numbers": Fault(
        "rules", rules("        for q in", "        out[p] = 1e308 * 10\n        for q in"), "returns gives [inf"
    ),
    "the first to choose has a say": Fault(
        "commits",
        rules("    s.bid[seat] = action\n", "    s.bid[seat] = action\n    s.prize += seat * (s.acting == 3)\n"),
        "The order in which seats choose makes a difference",
    ),
    "a hand is hidden by halves": Fault(
        "knowledge",
        rules("s.deck[r] += s.hand[p, r]\n", "s.deck[r] += s.hand[p, r] + (p == 0)\n"),
        "done twice, changes more",
    ),
    "a world has another hand of one's own": Fault(
        "knowledge",
        rules("        if p != seat:\n            for _ in", "        if p >= 0:\n            for _ in"),
        "makes a world that it can tell from the true one",
    ),
    "a world is made from the truth": Fault(
        "knowledge", rules("    conceal(s, seat)\n    unseen", "    unseen"), "depends on what that seat doesn't know"
    ),
    "no world is another": Fault(
        "knowledge",
        rules("    conceal(s, seat)\n    unseen", "    return\n    unseen"),
        "resample for the public depends on what that seat doesn't know",
    ),
    "nothing is hidden": Fault("secrecy", rules(OPEN_HANDS, "            pass\n"), "depends on what it doesn't know"),
    "a log tells what was bid in secret": Fault("secrecy", indiscreet, "narrate tells "),
    "more than the most": Fault("results", bounded("-1, 1, None", "100, 100"), "isn't from -1 to 1"),
    "another sum": Fault("results", bounded("-99, 99, 7.0", "100, 100"), "doesn't add up to 7.0"),
    "longer than the longest": Fault("results", bounded("-99, 99, 0.0", "3, 100"), "are most"),
}


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new game in a folder where games are looked for."""
    folder = new_game("high-bid", tmp_path)
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(tmp_path))
        yield folder
    forget()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_by_its_check(fault: str, begun: Path) -> None:
    check, plant, told = FAULTS[fault]
    plant(begun)
    with pytest.raises(AssertionError) as raised:
        testing.run(check, "high-bid")
    assert told in str(raised.value)


@pytest.mark.parametrize("check", testing.CHECKS)
def test_a_sound_game_passes(check: str, begun: Path) -> None:
    testing.run(check, "high-bid")


@every_game
def test_our_games_pass(name: str) -> None:
    for check in ("rules", "commits", "knowledge", "secrecy", "results"):
        testing.run(check, name, matches=10 if check == "knowledge" and name == "blackstone" else 2)


def test_a_game_where_nothing_is_unknown_says_so(begun: Path) -> None:
    for old in ("def conceal(s, seat):", "def resample(s, seat, rng):"):
        rules(old, f"{old}\n    return")(begun)
    with pytest.raises(AssertionError, match="resample never changes anything; a game without secrets says PERFECT"):
        testing.run("knowledge", "high-bid")


def test_without_its_conceal_a_game_is_told_to_be_broken(begun: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules("def conceal", "def hide")(begun)
    assert main(["check-game", "high-bid"]) == 2
    assert capsys.readouterr().err == (
        "hexdeck: high-bid: rules.py defines no conceal; a game without secrets says PERFECT_INFORMATION = True.\n"
    )


def test_with_an_empty_conceal_it_does_not_play_as_it_should(
    begun: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(testing.CHECKS, "backends", lambda _walks: None)  # it takes a compiler
    FAULTS["nothing is hidden"].plant(begun)
    assert main(["check-game", "high-bid"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "FAILS check secrecy" in told and "depends on what it doesn't know" in told
    assert told.endswith("high-bid doesn't play as it should yet.")


def test_how_far_a_game_is(begun: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(testing.CHECKS, "backends", lambda _walks: None)
    assert main(["check-game", "high-bid"]) == 0
    told = capsys.readouterr().out
    assert told.endswith("high-bid: plays.\n") and "missing   strategy.py" in told and "FAILS" not in told
    also("strategy.py", "def choose(s, seat, actions, count, rng):\n    return actions[0]\n")(begun)
    also("hints.py", "")(begun)
    forget()
    assert main(["check-game", "high-bid"]) == 0
    assert capsys.readouterr().out.endswith("high-bid: studied.\n")


@every_game
def test_ours_are_published(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for check in testing.CHECKS:
        monkeypatch.setitem(testing.CHECKS, check, lambda _walks: None)
    assert main(["check-game", name]) == 0
    assert capsys.readouterr().out.endswith(f"{name}: published.\n")
