"""Where a game says that nobody decides: exactly one move is legal then, and a person is asked for any other."""

import random
from collections import Counter
from collections.abc import Iterator

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.simulation.game import Game
from tests.settings import GAMES, small_game
from tests.support import random_plies

UNDECIDED = {  # the only moves that nobody decides when they alone are legal; a last card is played by who holds it
    "blackstone": {"stop", "fold"},
    "hawthorn": {"fold"},
    "high-handed": {"leave"},
}


def games() -> Iterator[Game]:
    """Quick games, those among them in which few moves are left."""
    for name in GAMES:
        yield small_game(name, 3)
    yield hexdeck.game("blackstone", 3, draw_cap=True, deck="8-8-8", rounds=4)
    yield hexdeck.game("blackstone", 2, deck="tiny", drawing="announced", draw_cap=True)
    yield hexdeck.game("blackstone", 4, deck="2-2-1-0-0-0-0-0-0-6", rounds=4)
    yield hexdeck.game("hawthorn", 3, hand_cards=1, deals=3)
    yield hexdeck.game("hawthorn", 2, hand_cards=1, empty_hand="draw", deck="tiny")
    yield hexdeck.game("high-handed", 2, rows=3, columns=4, ranks=3, suits=2, hand_cards=2, two_timers=4, thieves=3)


def says(match: Match, viewer: int, seat: int) -> bool:
    found = getattr(match.game.table, "nobody_decides", None)
    return bool(found and found(match.knowledge(viewer), seat))


def test_nobody_decides_what_the_rules_leave_no_choice_in_and_whoever_can_tell_is_right() -> None:
    found, wrong = Counter[tuple[str, str]](), []
    for game in games():
        for number in range(3):
            match = game.match(1, number=number, backend="interpreted")
            for _ in random_plies(match, random.Random(number), 150):
                for seat in match.acting:
                    ids = match.legal_ids(seat)
                    kind = game.rules.ACTIONS[ids[0]].split()[0]
                    forced = len(ids) == 1 and kind in UNDECIDED.get(game.name, ())
                    found[game.name, kind] += forced
                    answers = [says(match, viewer, seat) for viewer in range(-1, game.players)]
                    if answers[seat + 1] != forced or (any(answers) and not forced):
                        wrong.append(f"{game.name} {dict(game.options)}, number {number}, ply {match.ply}: {kind}")
    assert wrong == []
    assert {each for each, times in found.items() if times} == {
        (name, kind) for name in UNDECIDED for kind in UNDECIDED[name]
    }
