"""What bots that search do where worlds tell nothing: a game's `guess` decides, from what the seat knows."""

from collections import Counter

import hexdeck
from hexdeck.bots.players.roster import bot
from hexdeck.games.high_handed.rules import ACTIONS
from tests.support import play

OPTIONS = {"manual_draw": True, "uncle_bob_rule": True, "hand_cards": 2}
DEALT = "card 9d, card 2s, card 8d, card 3s"


def chosen(events: str, seat: int, name: str, times: int = 100, deal: str = DEALT, **options: object) -> Counter[str]:
    game = hexdeck.game("high-handed", 2, **(OPTIONS | options))
    match = play(game.match(by_hand=True, backend="interpreted"), deal, events)
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


FORGOT = "0: play 9d, 0: cell 1, 0: end turn, 1: play 2s, 1: cell 40, 1: draw, card 6s, 1: end turn"


def test_only_an_easy_bot_accuses_who_has_visibly_drawn_nothing() -> None:
    counts = [chosen(FORGOT, 1, name, 200)["accuse"] for name in ("gentle", "house", "rollout:house:2")]
    assert counts[0] > 0 and counts[1:] == [0, 0]


def test_an_easy_bot_takes_a_card_too_many_less_often_and_all_do_it_more_often_when_behind() -> None:
    """Seat 1 has a point more after a pair; worlds tell nothing of it."""
    behind = (
        "0: play 9d, 0: cell 1, 0: draw, card 6d, 0: end turn, 1: play 9s, 1: cell 2, 1: draw, card 6s, 1: end turn"
    )
    behind += ", 1: let be, 0: play 8d, 0: cell 40, 0: draw, card 7d"
    for name in ("gentle", "house", "rollout:house:2"):
        level, trailing = (
            chosen(events, 0, name, 400, deal="card 9d, card 9s, card 8d, card 3s")["draw"]
            for events in (DRAWN, behind)
        )
        assert 0 < level < trailing < 250, name
    shares = [chosen(DRAWN, 0, name, 400)["draw"] for name in ("gentle", "house", "rollout:house:2")]
    assert shares == sorted(shares) and shares[0] < shares[1]


def test_whoever_found_no_card_left_knows_who_has_it() -> None:
    """Of three cards in the piles each has drawn the one that was due; seat 1 reaches for the third, which is gone."""
    options = {
        "suits": 1,
        "ranks": 5,
        "rows": 1,
        "columns": 5,
        "two_timers": 0,
        "thieves": 0,
        "blind": 0,
        "hand_cards": 1,
    }
    events = "0: play Ac, 0: cell 1, 0: draw, card 3c, 0: draw, 1: play 2c, 1: cell 3, 1: draw, card 4c, 1: draw"
    for name, least in (("gentle", 0), ("house", 100), ("rollout:house:2", 100)):
        assert least <= chosen(events, 1, name, deal="card Ac, card 2c", **options)["accuse"] < least + 50, name


def test_where_the_game_has_no_guess_search_decides() -> None:
    assert chosen(DRAWN, 0, "rollout:house:2", 1, uncle_bob="ask").keys() <= {"draw", "end turn"}
