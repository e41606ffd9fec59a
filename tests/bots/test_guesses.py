"""What bots that search do where worlds tell nothing: a game's `guess` decides, from what the seat knows."""

from collections import Counter

import hexdeck
from hexdeck.bots.players.named import bot
from hexdeck.games.high_handed.rules import ACTIONS
from tests.support import play

OPTIONS = {"manual_draw": True, "uncle_bob_rule": True, "hand_cards": 2}
DEALT = "card 9d, card 2s, card 8d, card 3s"


def chosen(events: str, seat: int, name: str, times: int = 100, **options: object) -> Counter[str]:
    """How often a bot of that name chooses what, after these events."""
    game = hexdeck.game("high-handed", 2, **(OPTIONS | options))
    match = play(game.match(by_hand=True, backend="interpreted"), DEALT, events)
    found, known = bot(name, game, 1, "interpreted"), match.concealed(seat)
    return Counter(ACTIONS[found.choose(known, seat)] for _ in range(times))


DRAWN = "0: play 9d, 0: cell 1, 0: draw, card 6d"
BACK = "0: end turn, 1: play 2s, 1: cell 40, 1: draw, card 6s, 1: end turn"


def test_a_search_takes_a_card_too_many_now_and_then_and_so_does_the_house_bot() -> None:
    for name in ("house", "rollout:house:2"):
        found = chosen(DRAWN, 0, name)
        assert found.keys() == {"draw", "end turn"} and 5 < found["draw"] < 60


def test_each_bot_accuses_now_and_then() -> None:
    shares = [chosen(f"{DRAWN}, {BACK}", 1, name)["accuse"] for name in ("gentle", "house", "rollout:house:2")]
    assert 0 < shares[0] < shares[1] < shares[2] < 50


def test_where_the_game_has_no_guess_search_decides() -> None:
    assert chosen(DRAWN, 0, "rollout:house:2", 1, uncle_bob="ask").keys() <= {"draw", "end turn"}
