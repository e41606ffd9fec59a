"""High Handed: lengths, teams, utility, and the house rules (HH-17 to HH-20)."""

from typing import Any

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.coach import scored
from tests.positions import fields, whole, zone
from tests.support import names, play, stage

from .staging import NAME, board, dealt, held, hold, in_piles, lay, piles, reasons, refusals, scores, standing, turn

ACES: dict[str, Any] = {"ranks": 1, "suits": 2, "two_timers": 0, "thieves": 0, "rows": 2, "columns": 2, "blind": 0}
LOOSE: dict[str, Any] = {"manual_draw": True}


def aces(length: str, **options: Any) -> Match:
    """A game of two aces: who plays the second one gets a point."""
    return stage(NAME, 2, length=length, hand_cards=1, **(ACES | options))


def pair(match: Match) -> Match:
    play(match, "card Ac, card As")
    first = match.actor
    cards = {0: "Ac", 1: "As"}
    return turn(turn(match, first, f"{cards[first]} at 1"), 1 - first, f"{cards[1 - first]} at 2")


def apart(match: Match) -> Match:
    play(match, "card Ac, card As")
    first = match.actor
    cards = {0: "Ac", 1: "As"}
    return turn(turn(match, first, f"{cards[first]} at 1"), 1 - first, f"{cards[1 - first]} at 3")


# --- how long a match is ---
@pytest.mark.rule("HH-17")
def test_a_regular_match_is_one_game() -> None:
    match = pair(aces(length="regular"))
    assert match.over and match.ending == "played out" and match.returns() == (-1, 1) and scores(match) == [0, 1]
    assert zone(match, -1, "board").note is None


@pytest.mark.rule("HH-5", "HH-17")
def test_a_double_match_adds_the_points_of_two_games() -> None:
    match = lay(aces(length="double"), 4, "7c")
    match.struct.made[1] = 3
    pair(standing(match))
    assert not match.over and match.struct.deal == 2 and board(match) == {} and scores(match) == [0, 1]
    assert match.chances() == {"card Ac": 1, "card As": 1} and held(match) == [0, 0]
    play(match, "card Ac, card As")
    assert match.acting == (1,)  # the deal has passed to the left
    turn(turn(match, 1, "As at 1"), 0, "Ac at 2")
    assert match.over and match.ending == "played out" and scores(match) == [1, 1] and match.returns() == (0, 0)


@pytest.mark.rule("HH-17", "HH-20")
def test_until_a_side_has_won_two_games() -> None:
    match = pair(aces(length="first_to_two"))
    assert [zone(match, -1, f"won-{p}").count for p in range(2)] == [0, 1] and scores(match) == [0, 0]
    assert not match.over and not match.acting
    play(match, "card Ac, card As")
    assert match.acting == (1,)
    turn(turn(match, 1, "As at 1"), 0, "Ac at 2")
    assert [zone(match, -1, f"won-{p}").count for p in range(2)] == [1, 1] and not match.over
    pair(match)
    assert match.over and match.ending == "two games won" and match.returns() == (-1, 1) and match.struct.deal == 3
    assert match.acting == () and match.struct.acting == 0
    assert scores(match) == [0, 1] and match.struct.won[1] == 2


@pytest.mark.rule("HH-17")
def test_a_new_game_begins_with_all_cards_and_an_empty_table() -> None:
    options = {"length": "double", "manual_draw": True, "uncle_bob_rule": True, "grandpa_rule": "0-1"}
    match = dealt("9d x2 Tf", "2s 3s 4s", **options)
    start = fields(whole(stage(NAME, 2, hand_cards=3, **options)), rules.STRUCT)
    s = match.struct
    s.out, s.taken[0], s.taken_x[0, 1], s.missing[0], s.forgot[1], s.turns[0], s.used_x[0] = 1, 2, 1, 1, 3, 2, 1
    s.score[0], s.made[4] = 7, 2
    hold(hold(lay(match, 2, "9s x2"), 0, "9d"), 1, "")
    turn(piles(match, 2, 2), 0, "9d at 1, end turn")
    now = fields(whole(match), rules.STRUCT)
    assert match.struct.deal == 2 and {name for name in now if now[name] != start[name]} == {
        *("history", "deal", "score", "made", "won")
    }
    assert now["score"] == [8, 0, 0, 0, 0, 0] and now["made"][:5] == [0, 1, 0, 0, 2]


# --- teams and utility ---
@pytest.mark.rule("HH-18", "HH-20")
@pytest.mark.parametrize(
    ("teams", "points", "returns"),
    [
        (0, (1, 3, 5, 7), (-6, -4, -2, 2)),
        (2, (1, 5, 2, 4), (-6, 6, -6, 6)),
        (0, (0, 1, 2, 3, 4, 6), (-6, -5, -4, -3, -2, 2)),
        (2, (0, 3, 2, 3, 1, 6), (-9, 9, -9, 9, -9, 9)),
        (3, (0, 1, 2, 3, 4, 6), (-5, -3, 3, -5, -3, 3)),
        (3, (9, 1, 2, 0, 3, 2), (5, -5, -5, 5, -5, -5)),
    ],
)
def test_points_are_summed_by_side(teams: int, points: tuple[int, ...], returns: tuple[int, ...]) -> None:
    hands = ["9c", "2s", "3h", "4d", "5c", "6c"][: len(points)]
    match = piles(dealt(*hands, teams=teams), 0, 0)
    for seat, count in enumerate(points):
        match.struct.score[seat] = count
    standing(match)
    for seat, card in enumerate(hands):
        turn(match, seat, f"{card} at {(1, 3, 5, 33, 35, 37)[seat]}")
    assert match.returns() == returns
    noted = [zone(match, -1, f"score-{p}").note for p in range(len(points))]
    assert all((note is not None) == bool(teams) for note in noted)
    texts = [str(text) for text in match.view(-1).outcome_texts]
    assert all(
        text.endswith(f"(team {p % teams + 1})") if teams else "team" not in text for p, text in enumerate(texts)
    )


@pytest.mark.rule("HH-18")
def test_which_teams_there_can_be() -> None:
    assert hexdeck.game(NAME, 4, teams=2) and hexdeck.game(NAME, 6, teams=3) and hexdeck.game(NAME, 6, teams=2)
    for players, teams in ((2, 2), (3, 3), (5, 2), (4, 3), (3, 2), (4, 1), (6, 1)):
        with pytest.raises(hexdeck.BadOption, match=rf"\(teams\) can't be {teams} with {players} players"):
            hexdeck.game(NAME, players, teams=teams)


# --- manual draw ---
@pytest.mark.rule("HH-19")
@pytest.mark.parametrize("manual_draw", [False, True])
def test_the_player_asks_for_the_cards_due(manual_draw: bool) -> None:
    match = turn(dealt("9d x2 8d", "2s 3s 4s", manual_draw=manual_draw), 0, "x2 at 1, 9d")
    if not manual_draw:
        assert not match.acting and reasons(match, 0, "end turn") == [13]
        return
    assert match.acting == (0,) and names(match, 0) == {"draw", "end turn"} and match.struct.due == 2
    assert refusals(match, 0, "pile 1", "pile 2", "play 8d", "cell 2", "accuse") == [
        *("HH-10", "HH-10", "HH-6", "HH-6", "HH-19")
    ]
    turn(match, 0, "draw", "5c")
    assert names(match, 0) == {"draw", "end turn"} and match.struct.due == 1
    turn(match, 0, "draw", "6c")
    assert match.acting == (1,) and held(match) == [3, 3]  # nothing is due any more


@pytest.mark.rule("HH-19")
def test_what_is_not_asked_for_is_forgotten() -> None:
    match = turn(dealt("9d x2 8d", "2s 3s 4s", **LOOSE), 0, "x2 at 1, 9d, draw", "5c")
    turn(match, 0, "end turn")
    assert match.acting == (1,) and held(match) == [2, 3] and match.struct.forgot[0] == 0
    turn(turn(match, 1, "2s at 20, end turn"), 0, "8d at 40")
    assert match.struct.due == 1  # the hand stays that much smaller
    turn(match, 0, "draw", "6c")
    assert held(match) == [2, 2] and sum(in_piles(match)) == 43 - 2


@pytest.mark.rule("HH-10", "HH-19")
def test_asking_for_a_card_of_a_pile() -> None:
    match = turn(piles(dealt("9d x2 8d", "2s 3s 4s", choose_pile=True, **LOOSE), 1, 3), 0, "x2 at 1, 9d")
    assert names(match, 0) == {"pile 1", "pile 2", "end turn"} and match.legal_ids(0) == sorted(match.legal_ids(0))
    assert reasons(match, 0, "draw", "pile 1", "pile 2", "end turn") == [11, 0, 0, 0]
    turn(match, 0, "pile 1", "5c")
    assert names(match, 0) == {"draw", "end turn"} and reasons(match, 0, "pile 2", "draw") == [12, 0]
    turn(match, 0, "draw", "6c")
    assert in_piles(match) == (0, 2) and match.acting == (1,)


# --- grandpas ---
@pytest.mark.rule("HH-19")
@pytest.mark.parametrize("grandpa_rule", ["none", "0", "1", "0-1"])
def test_cards_forgotten_on_the_first_turn_come_before_the_second(grandpa_rule: str) -> None:
    match = turn(dealt("9d x2 8d", "2s 3s 4s", grandpa_rule=grandpa_rule, **LOOSE), 0, "x2 at 1, 9d, end turn")
    turn(match, 1, "2s at 20, end turn")
    if "0" not in grandpa_rule:
        assert match.acting == (0,) and held(match) == [1, 2]
        return
    assert not match.acting and match.struct.due == 2 and match.struct.turn == 0
    play(match, "card 5c")
    assert not match.acting and reasons(match, 0, "draw", "end turn", "play 8d") == [10, 13, 1]
    play(match, "card 6c")
    assert names(match, 0) == {"play 8d", "play 5c", "play 6c"} and held(match) == [3, 2]
    turn(match, 0, "8d at 40, end turn")
    assert [match.struct.turns[p] for p in range(2)] == [2, 1]
    if "1" in grandpa_rule:
        assert not match.acting and match.struct.due == 1 and match.struct.turn == 1
        play(match, "card 7c")
    turn(match, 1, "3s at 60, end turn")
    assert match.acting == (0,) and names(match, 0) == {"play 5c", "play 6c"}  # the second turn's are forgotten


@pytest.mark.rule("HH-10", "HH-19")
def test_a_grandpa_chooses_the_pile() -> None:
    match = turn(dealt("9d x2 8d", "2s 3s 4s", grandpa_rule="0", choose_pile=True, **LOOSE), 0, "x2 at 1, 9d, end turn")
    turn(piles(match, 1, 2), 1, "2s at 20, end turn")
    assert names(match, 0) == {"pile 1", "pile 2"} and match.struct.due == 2
    assert turn(match, 0, "pile 1", "5c").acting == () and in_piles(match) == (0, 2)
    assert play(match, "card 6c").acting == (0,) and in_piles(match) == (0, 1)
    match = turn(dealt("9d 8d", "2s 3s", grandpa_rule="1", choose_pile=True, **LOOSE), 0, "9d at 1, end turn")
    turn(turn(match, 1, "2s at 20, end turn"), 0, "8d at 30, end turn")
    assert match.acting == (1,) and names(match, 1) == {"pile 1", "pile 2"} and match.struct.late == 1


@pytest.mark.rule("HH-19")
def test_house_rules_need_manual_draw_and_seats_that_are_there() -> None:
    for chosen in ({"grandpa_rule": [0]}, {"uncle_bob_rule": True}):
        assert hexdeck.game(NAME, 2, **chosen).options["manual_draw"] is True
        with pytest.raises(hexdeck.BadOption, match=r"\(manual_draw\) to be on\.$"):
            hexdeck.game(NAME, 2, **chosen, manual_draw=False)
    with pytest.raises(hexdeck.BadOption, match="a seat that isn't there: there are 2 players"):
        hexdeck.game(NAME, 2, manual_draw=True, grandpa_rule=[0, 2])
    assert hexdeck.game(NAME, 3, manual_draw=True, grandpa_rule=[0, 2])


@pytest.mark.rule("HH-17", "HH-18")
def test_games_that_a_team_has_won_are_shown_and_told_as_the_team_s() -> None:
    match = piles(dealt("9c", "2s", "3h", "9d", teams=2, length="first_to_two"), 0, 0)
    match.struct.won[1] = 1
    assert {str(zone(standing(match), -1, f"won-{p}").note) for p in range(4)} == {"None"}
    assert [str(text) for text in scored(match.struct, 0)[1:]] == ["Team 1: 0 games won.", "Team 2: 1 game won."]
