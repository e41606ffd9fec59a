"""A fork as it is changed in a browser: functions of its rules, what is wrong with a change, a deck of its own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import hexdeck
from hexdeck.authoring import fork_game, forks
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import FORK, definition, forget, wrong_with
from hexdeck.engine.errors import BadOption
from hexdeck.engine.rulebook import printed
from tests.settings import every_game
from tests.support import for_each


@pytest.fixture(name="fork")
def _fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(tmp_path))
        folder = fork_game("cursed-hand", "my-own", tmp_path)
        forget()
        yield folder
    forget()


def tried(folder: Path, file: str, text: str) -> forks.Fault | None:
    return asyncio.run(forks.fault(folder, file, text))


def rules(fork: Path) -> str:
    return (fork / forks.RULES).read_text(encoding="utf-8")


@every_game
def test_the_functions_of_rules_are_all_there_with_the_ids_of_their_rules(name: str) -> None:
    text = (definition(name).folder / forks.RULES).read_text(encoding="utf-8")
    there = forks.functions(text)
    assert all(each.source.startswith(f"def {each.name}(") for each in there)
    assert any(each.rules for each in there)
    for each in there:
        assert forks.with_function(text, each.name, each.digest, each.source)[0] == text


def test_a_function_that_was_changed_elsewhere_is_not_overwritten(fork: Path) -> None:
    text = rules(fork)
    returns = next(each for each in forks.functions(text) if each.name == "returns")
    changed, before = forks.with_function(
        text, "returns", returns.digest, returns.source.replace("\n", "\r\n") + "\r\n\r\n"
    )
    assert (changed, before) == (text, returns)
    with pytest.raises(BadOption, match="returns was changed elsewhere meanwhile"):
        forks.with_function(text + "\n", "returns", "0" * 16, returns.source)


@for_each(
    ("statement", "why"),
    [
        ("return (", "'(' was never closed"),
        ("return no_such_name", "no_such_name"),
        ("if seat > 99: return no_such_name", "there is no no_such_name."),  # where no match comes by
        ("s.acting = s.acting[0]", "fails: "),
        ("import os; os._exit(3)", "The rules don't come to an end, or need too much memory."),
        ("print(1); import json; print(json.dumps([]))", ""),
    ],
)
def test_what_is_wrong_is_one_sentence_with_its_line(fork: Path, statement: str, why: str) -> None:
    text = rules(fork)
    end = text.index('"""', text.index('"""', text.index("def legal_actions(")) + 3) + 3
    broken = f"{text[:end]}\n    {statement}{text[end:]}"
    fault = tried(fork, forks.RULES, broken)
    assert rules(fork) == text
    if not why:
        assert fault is None
        return
    assert fault is not None and why in fault.text and str(fork.parent) not in fault.text
    if "memory" not in why:
        assert fault.line == broken[: broken.index(statement)].count("\n") + 1


@pytest.mark.long
def test_rules_without_an_end_are_told_with_their_line(fork: Path) -> None:
    text = rules(fork).replace(
        "def legal_actions(s, seat, actions):\n", "def legal_actions(s, seat, actions):\n    while True: pass\n"
    )
    fault = tried(fork, forks.RULES, text)
    assert fault is not None and f"it takes more than {forks.SECONDS} seconds; perhaps a loop has no end" in fault.text
    assert fault.line == text[: text.index("    while True: pass")].count("\n") + 1


# --- its own deck -----------------------------------------------------------------------------------------------------
DECKS = {
    "cursed-hand": {"deck": "6-6-6-6-6-6-6-6-6"},
    "hawthorn": {"deck": "0-8-8-8-8-8-8"},
    "blackstone": {"deck": "6-6-6-6-6-6-6-6-6-6"},
    "black-hearts": {"random_copies": "4-4-4-4-4-4", "gift_copies": "1-1-1-1-3"},
    "high-handed": {"thieves": 0, "two_timers": 3},
    "wolf-mans-curse": {"faces": "1-1-1-1-1-1-1-1-1-1-1-1-0"},
}


@every_game
def test_a_fork_has_a_deck_of_its_own_wherever_it_is_played(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    folder, deck = fork_game(name, "my-own", tmp_path), DECKS[name]
    forget()
    usual = dict(hexdeck.game(name).options)
    cards = printed(definition("my-own")).cards
    assert cards == printed(definition(name)).cards
    text = forks.defaults("my-own", deck)
    forks.save(folder, FORK, text)
    assert wrong_with("my-own") is None and definition("my-own").original == name
    assert dict(hexdeck.game("my-own").options) == usual | deck
    assert dict(hexdeck.game(name).options) == usual
    assert printed(definition("my-own")).cards != cards
    forget()


def test_a_deck_too_small_for_the_hands_is_refused(fork: Path) -> None:
    fault = tried(fork, FORK, forks.defaults("my-own", {"deck": "1-2-3-4-5"}))
    assert fault is not None and "A deck of 15 cards can't give 3 players 7 cards each" in fault.text
    assert wrong_with("my-own") is None
    (fork / FORK).write_text('of = "cursed-hand"\n[options]\ndek = "tiny"\n')
    forget("my-own")
    assert "There is no option dek (did you mean deck?)" in str(wrong_with("my-own"))
    assert wrong_with("cursed-hand") is None
