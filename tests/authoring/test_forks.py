"""A fork as it is changed in a browser: functions of its rules, what is wrong with a change, a deck of its own."""

import asyncio
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import hexdeck
from hexdeck.authoring import fork_game, forks
from hexdeck.engine.backends.cache import package_hash
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import FORK, definition, forget, wrong_with
from hexdeck.engine.errors import BadOption
from hexdeck.engine.rule_changes import RULES, functions
from hexdeck.engine.rulebook import printed, rules_text
from hexdeck.terminal.rulebook import show_rules
from hexdeck.web.html.games import game_info, rules_html
from hexdeck.web.paper import Passage, blocks_of
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
    return (fork / RULES).read_text(encoding="utf-8")


@every_game
def test_the_functions_of_rules_are_all_there_with_the_ids_of_their_rules(name: str) -> None:
    text = (definition(name).folder / RULES).read_text(encoding="utf-8")
    there = functions(text)
    assert all(each.source.startswith(f"def {each.name}(") for each in there)
    assert any(each.rules for each in there)
    for each in there:
        assert forks.with_function(text, each.name, each.digest, each.source)[0] == text


def test_a_function_that_was_changed_elsewhere_is_not_overwritten(fork: Path) -> None:
    text = rules(fork)
    returns = next(each for each in functions(text) if each.name == "returns")
    changed, before = forks.with_function(
        text, "returns", returns.digest, returns.source.replace("\n", "\r\n") + "\r\n\r\n"
    )
    assert (changed, before) == (text, returns)
    with pytest.raises(BadOption, match="returns was changed elsewhere meanwhile"):
        forks.with_function(text + "\n", "returns", "0" * 16, returns.source)


@for_each("sign", ["\u2028", "\x85", "\x0c", "\x1c"])
def test_only_ends_of_lines_end_lines(sign: str) -> None:
    text = f"def a():\n    return 1  # {sign}\n\n\ndef b():\n    return 3\n"
    first, second = functions(text)
    assert second.source == "def b():\n    return 3\n"
    changed = forks.with_function(text, "a", first.digest, "def a():\n    return 2\n")[0]
    assert changed == "def a():\n    return 2\n\n\ndef b():\n    return 3\n"


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
    fault = tried(fork, RULES, broken)
    assert rules(fork) == text
    if not why:
        assert fault is None
        return
    assert fault is not None and why in fault.text and str(fork.parent) not in fault.text
    if "memory" not in why:
        assert fault.line == broken[: broken.index(statement)].count("\n") + 1


def test_rules_without_an_end_are_told_with_their_line(fork: Path) -> None:
    text = rules(fork).replace(
        "def legal_actions(s, seat, actions):\n", "def legal_actions(s, seat, actions):\n    while True: pass\n"
    )
    fault = tried(fork, RULES, text)
    assert fault is not None and "fails: this loop didn't end after 20,000 turns" in fault.text
    assert fault.line == text[: text.index("    while True: pass")].count("\n") + 1


@for_each(
    ("condition", "option"),
    [("s.losses == 9", "losses=9"), ("s.hand_cards == 7", "hand_cards=7")],
)
def test_each_option_is_tried_at_its_extremes(fork: Path, condition: str, option: str) -> None:
    text = rules(fork)
    end = text.index('"""', text.index('"""', text.index("def apply_action(")) + 3) + 3
    fault = tried(fork, RULES, f"{text[:end]}\n    while {condition}: pass{text[end:]}")
    assert fault is not None and fault.text.endswith(f"fails: this loop didn't end after 20,000 turns (with {option}).")
    assert fault.line == text[:end].count("\n") + 2


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
    page = rules_text("my-own", "en")
    assert "\n\n## This is a variant: what differs\n\n**1** – “" in page and "(change 1" in page.split("\n## ")[2]
    assert "; in the printed game " in page and "are those of the printed game" not in page
    assert "differs" not in rules_text(name, "en")
    forget()


# --- its rules page ---------------------------------------------------------------------------------------------------
def changed(folder: Path, *pairs: tuple[str, str]) -> None:
    """Save a fork whose rules have something else in place of something."""
    text = rules(folder)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    forks.save(folder, RULES, text)


def noted(name: str, lang: str = "en") -> list[str]:
    """What a fork's page lists of what differs."""
    return re.findall(r"^\*\*\d+\*\* – (.*)$", rules_text(name, lang), re.MULTILINE)


def test_no_page_states_a_rule_of_a_fork_as_the_original_plays_it(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    double = "return r + 1", "return 2 * (r + 1)"
    said = "what a pair costs: its number.", "a pair costs *twice* its number, ![so](cards:4)."
    folder = fork_game("hawthorn", "my-own", tmp_path)
    forget()
    assert noted("my-own") == [] and game_info("my-own", "en").learn
    changed(folder, said)
    assert noted("my-own") == []  # as it is played nothing differs
    changed(folder, double)
    assert game_info("my-own", "en").varies and not game_info("my-own", "en").learn
    assert noted("my-own") == [r"in place of HT-8: a pair costs \*twice\* its number, \!\[so\](cards:4)."]
    changed(folder, said[::-1], ("paid = payment(s, seat, amount)", "paid = payment(s, seat, amount + 1)"))
    html = rules_html("my-own", "en", "")
    changed(folder, ("DISCARDED, OWN, DRAWS = 1, 1, 1", "DISCARDED, OWN, DRAWS = 1, 1, 2"))
    assert noted("my-own", "nl") == [
        "HT-4, HT-5, HT-7, HT-9, HT-11: veranderd, maar nog niet in woorden (`DISCARDED, OWN, DRAWS` in rules.py).",
        "HT-8, HT-9, HT-10, HT-12: veranderd, maar nog niet in woorden (`_pay` in rules.py).",
        "HT-8: veranderd, maar nog niet in woorden (`pair_price` in rules.py).",
    ]
    marks = re.findall(r"\[(HT-\d+)\] \*\*\(change ([\d, ]+)\)", rules_text("my-own", "en"))
    assert ("HT-8", "2, 3") in marks and ("HT-5", "1") in marks and "HT-6" not in dict(marks)
    assert "90 seconds" in html and "<strong>(change 1, 2)</strong>" in html
    assert "<strong>(change 1, 2, 3)</strong>" in rules_html("my-own", "en", "")
    assert any("(change 2, 3)" in block.text for block in blocks_of("my-own", "en") if isinstance(block, Passage))
    console = Console(file=io.StringIO(), width=80)
    show_rules(console, "my-own", "en", short=True)
    assert "what differs" in (told := console.file.getvalue()) and "How to play in 90 seconds" in told
    assert "Setting up" not in told
    fork_game("my-own", "my-other", tmp_path)
    forget()
    assert noted("my-other", "nl") == noted("my-own", "nl")
    (folder / FORK).write_text('of = "gone"\n', encoding="utf-8")
    forget()
    assert noted("my-own") == ["it was made from gone, which isn't here: what differs isn't known."]
    forget()


def test_a_deck_too_small_for_the_hands_is_refused(fork: Path) -> None:
    fault = tried(fork, FORK, forks.defaults("my-own", {"deck": "1-2-3-4-5"}))
    assert fault is not None and "A deck of 15 cards can't give 3 players 7 cards each" in fault.text
    assert wrong_with("my-own") is None
    (fork / FORK).write_text('of = "cursed-hand"\n[options]\ndek = "tiny"\n')
    forget("my-own")
    assert "There is no option dek (did you mean deck?)" in str(wrong_with("my-own"))
    assert wrong_with("cursed-hand") is None


def test_what_an_editor_leaves_in_the_folder_is_no_part_of_a_fork(fork: Path, tmp_path: Path) -> None:
    (fork / ".#rules.py").symlink_to("nobody@elsewhere.123")
    assert tried(fork, RULES, rules(fork)) is None
    assert not [*fork_game("my-own", "another", tmp_path).glob(".*")]
    forks.save(fork, RULES, rules(fork))
    assert wrong_with("my-own") is None and package_hash("hexdeck.games.my_own")


def test_options_by_which_matches_are_too_long_to_try_may_be_kept(fork: Path, tmp_path: Path) -> None:
    folder = fork_game("hawthorn", "long", tmp_path)
    forget()
    assert tried(folder, FORK, 'of = "hawthorn"\n\n[options]\ndeals = 1000\nchips = 10000\n') is None
