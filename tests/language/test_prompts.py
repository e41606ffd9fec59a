"""Prompts: all that a seat knows and nothing else; and the reader of answers, on answers of every kind."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.errors import HexdeckError, NotActing
from hexdeck.engine.play.match import Match
from hexdeck.research.prompt import prompt_of, read_answer, table_text
from tests.secrecy.channels import CHANNELS, Report, deal_anew, positions
from tests.settings import data, every_game, much, random_game
from tests.support import for_each, random_plies

HAWTHORN = hexdeck.game("hawthorn", 3)


def asked(match: Match, seat: int) -> str:
    return prompt_of(match, seat).text if seat in match.acting else table_text(match, seat) if seat >= 0 else ""


def leaks(name: str, said: Callable[[Match, int], Any], monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Where what is said to a seat depends on more than it knows, in random games."""
    for channel in list(CHANNELS):
        monkeypatch.delitem(CHANNELS, channel)
    monkeypatch.setitem(CHANNELS, "said", said)
    rng, report = random.Random(0), Report()
    for _game in range(100):
        for match in positions(random_game(name, rng), "fast", rng, 0.06):
            deal_anew(match, report, rng, 3)
        if report.changed >= much(20, 200):
            break
    assert report.changed >= 20
    return report.leaks


@every_game
def test_a_prompt_depends_on_what_the_seat_knows_and_on_nothing_else(name, monkeypatch) -> None:
    assert not leaks(name, asked, monkeypatch)


def test_the_secrecy_test_finds_a_prompt_that_tells_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CHANNELS, "prompt", lambda match, _seat: "".join(table_text(match, s) for s in range(2)))
    rng, report = random.Random(0), Report()
    for match in positions(hexdeck.game("hawthorn", 2), "fast", rng, 0.5):
        deal_anew(match, report, rng, 3)
    assert set(report.leaks) == {"prompt"}


@every_game
def test_what_happened_is_what_the_seat_was_told(name: str) -> None:
    rng = random.Random(5)
    for match in random_plies(hexdeck.game(name).match(5), rng):
        for seat in match.acting if rng.random() < much(0.2, 1) else ():
            told = prompt_of(match, seat, rules=False, history=10**6).table.partition("\n\n# What you see")[0]
            said = [str(line) for line in match.view(seat).log]
            assert told.splitlines()[2:] == "\n".join(said or ["Nothing yet that you know of."]).splitlines()


@every_game
def test_where_texts_are_alike_observations_are_too(name: str) -> None:
    seen: dict[tuple[int, str], bytes] = {}
    smallest = data(name)["tiny"][0]
    tiny = hexdeck.game(name, smallest["players"], **smallest["options"])
    for number in range(much(6, 60)):
        for match in random_plies(tiny.match(1, number=number), random.Random(number)):
            for seat in match.acting:
                text = prompt_of(match, seat, rules=False, history=0).table
                known = match.observation(seat).tobytes()
                assert seen.setdefault((seat, text), known) == known, text


def test_a_prompt_has_the_rules_its_seat_and_its_numbered_moves() -> None:
    match = HAWTHORN.match(7)
    whole, short = prompt_of(match, 1), prompt_of(match, 1, rules=False)
    assert whole.text.endswith(short.text) and "3 players and these options" in whole.rules
    assert "\n- chips=100: " in whole.rules and "\n- chips=100: " not in short.text
    assert "](" not in whole.rules and "<!--" not in whole.rules
    assert "You are seat 1." in short.text and "Seat 2, Chips: 99" in short.text and "You (seat 1), Hand:" in short.text
    for number, move in enumerate(match.legal(1), 1):
        assert f"\n{number}. {move.label} [{move.name}]\n" in short.text
    assert [move.id for move in short.moves] == match.legal_ids(1)


def test_who_cannot_be_asked_is_said() -> None:
    match = HAWTHORN.match(7)
    with pytest.raises(HexdeckError, match="seat"):
        prompt_of(match, 3)
    match.play(0, match.legal_ids(0)[0])
    with pytest.raises(NotActing, match=r"Seat 0 isn't to move now\."):
        prompt_of(match, 0)


# --- answers ----------------------------------------------------------------------------------------------------------
MATCH = HAWTHORN.match(7)  # seat 0 may start its row with a 4, 5, 9 or 10
MOVES, NAMES = MATCH.legal(0), MATCH.rules.ACTIONS
ANSWERS = {
    "1": "show 4",
    " 2. ": "show 5",
    "#3": "show 9",
    "show 9": "show 9",
    "  SHOW   10 !": "show 10",
    "start your row with the 5": "show 5",
    "2. Start your row with the 5 [show 5]": "show 5",
    "Start your row with the 10 [show 10]": "show 10",
    '{"move": 3}': "show 9",
    '{"move": "3"}': "show 9",
    '{"why": "low", "move": "Show 4"}': "show 4",
    '```json\n{"move": 2}\n```': "show 5",
    'First {"move": 1}, no: {"move": 2}.': "show 5",
    "I could show 4 or show 5.\nAnswer: 2": "show 5",
    "I could show 4 or show 5.\nMy final move is **show 4**.": "show 4",
    "Thinking of 4 and 99.\n\n3": "show 9",
    "The best is `show 10`, I think, as show 4 is low.": "show 10",
    "I'll take number 1.": "show 4",
    "Let me go with Move 4, since it is high.": "show 10",
    "Well, it seems that I show 10 now.": "show 10",
    '{"move": 3.0}': "show 9",
    "Either 1 or 3, so $\\boxed{3}$, since 1 is low.": "show 9",
    "\\boxed{\\text{show 9}}": "show 9",
    "<think>1? 2?</think><answer> 2 </answer>": "show 5",
}
REFUSED = {
    "": "empty",
    " \n\t": "empty",
    "banana": "nonsense",
    "I have 4 cards": "nonsense",
    '{"move": true}': "nonsense",
    '{"move": null}': "nonsense",
    '{"move": [1]}': "nonsense",
    "{" * 5000: "nonsense",
    "[" * 5000: "nonsense",
    "5": "illegal",
    "0": "illegal",
    '{"move": 77}': "illegal",
    "show 7": "illegal",
    '{"move": "fold"}': "illegal",
    "I choose move 12": "illegal",
    "show 4 or show 5, hard to say": "several",
    '"show 4" or "show 5"': "several",
    "1. Start your row with the 5": "several",
    "so \\boxed{77}": "illegal",
    '{"move": 2.5}': "nonsense",
}


@for_each("text", ANSWERS)
def test_answers_are_read_leniently(text: str) -> None:
    found = read_answer(text, MOVES, NAMES)
    assert found.action is not None, found
    assert NAMES[found.action] == ANSWERS[text] and not found.refused


@for_each("text", REFUSED)
def test_what_names_no_single_legal_move_is_refused_with_a_reason(text: str) -> None:
    assert read_answer(text, MOVES, NAMES).refused == REFUSED[text]
    assert read_answer(text, MOVES, NAMES).action is None


@every_game
def test_every_move_of_a_match_is_understood_by_number_text_name_and_json(name: str) -> None:
    rng = random.Random(9)
    for match in random_plies(hexdeck.game(name).match(9), rng):
        for seat in match.acting if rng.random() < much(0.2, 1) else ():
            moves = match.legal(seat)
            for number, move in rng.sample([*enumerate(moves, 1)], min(len(moves), 4)):
                for said in (str(number), move.name, str(move.label), f"{number}. {move.label}", f"I say: {move.name}"):
                    found = read_answer(said, moves, match.rules.ACTIONS)
                    twins = [each for each in moves if str(each.label) == str(move.label)]
                    assert found.action == move.id or len(twins) > 1, (said, found, move)


def test_a_prompt_says_what_each_number_of_a_list_is_for() -> None:
    match = hexdeck.game("black-hearts", 4, gift_copies="0-1-1-1-3").match(1)
    told = next(line for line in prompt_of(match, 0).rules.splitlines() if line.startswith("- gift_copies="))
    assert told.endswith("(Upside down 0, Early bird 1, Little one 1, Second to the crown 1, Mercy 3)")
