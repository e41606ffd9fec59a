"""Cursed Hand: what hints say of a move, and that it comes about."""

import random

import pytest

import hexdeck
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.play.match import Match
from hexdeck.games.cursed_hand import rules
from hexdeck.games.cursed_hand.coach import COURSE
from tests.settings import much
from tests.support import play

from .staging import ROOMY, buried, passed


def reason(match: Match, action: str) -> str:
    known, seat = match.concealed(match.actor), match.actor
    struct = match.game.driver("interpreted").proxy(memoryview(bytearray(known)))
    found = match.game.hints.because(struct, seat, match.rules.ACTIONS.index(action), Worlds(match.game, known, seat))
    return str(found)


def starting(own: int, next_one: int) -> Match:
    """Seat 0 may start a ghost hand; the first cards of the graveyards are its own and the next seat's."""
    match = buried([own, 4, 4, 6, 7, 8, 9], [next_one, 5, 5, 5, 5, 7, 7], [2, 3, 3, 3, 3, 3, 3], deck=ROOMY)
    return play(match, "card 9")


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("pair 6 8", "clean. If Seat 1 calls it, Seat 1 loses at once, by a second 8 in the graveyard."),
        ("pair 6 7", "clean. If Seat 1 calls it, this goes to Seat 1's graveyard: 7."),
        ("pair 9 9", "cursed. If Seat 1 calls it, you lose at once, by a pair in your graveyard."),
        ("pair 4 4", "cursed. If Seat 1 calls it, this goes to your graveyard: 4."),
    ],
)
def test_of_what_one_passes_on_a_hint_says_what_a_call_brings(action: str, told: str) -> None:
    match = starting(9, 8)
    assert reason(match, action) == f"The ghost hand you pass on is {told}"


def test_what_hints_say_of_a_call_comes_about() -> None:
    rng, met = random.Random(1), set()
    for number in range(much(8, 40)):
        match = hexdeck.game("cursed-hand", 2).match(number)
        while not match.over:
            action = rng.choice(match.legal_ids(match.actor))
            said = reason(match, match.rules.ACTIONS[action]) if action >= match.rules.PAIRED else ""
            passer = match.actor
            match.play(passer, action)
            if match.over or "If " not in said:
                continue
            trial = match.copy_position()
            before, caller = [*trial.struct.lost], trial.actor
            trial.play(caller, match.rules.CALL)
            loser = next((p for p in (0, 1) if trial.struct.lost[p] > before[p]), None)
            by_pair = trial.over and "pair" in trial.ending
            assert by_pair == ("at once" in said)
            if by_pair:
                assert loser == (passer if "cursed" in said else caller)
            met.add((by_pair, "cursed" in said))
    assert len(met) == 4


def test_which_cards_keep_a_hand_clean_the_coach_asks_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    known = play(passed([4, 9]), "1: accept").knowledge(1)
    add = COURSE.lessons[rules.ADD, "add", ""]
    assert str(add(known, 1).why).startswith("It stays clean with ")
    monkeypatch.setattr(rules, "curses", lambda _s, _r: True)
    assert str(add(known, 1).why).startswith("Every card in your hand makes it cursed")


@pytest.mark.rule("CH-7")
def test_a_card_curses_a_clean_hand_that_is_judged_cursed_with_it() -> None:
    cursing = []
    for r in range(10):
        more = passed([4, 9]).struct
        asked = rules.curses(more, r)
        more.ghost[more.ghost_size], more.ghost_size = r, more.ghost_size + 1
        assert asked == (rules.judge(more)[1] != 0)
        cursing += [r + 1] * asked
    assert cursing == [1, 4, 9]
