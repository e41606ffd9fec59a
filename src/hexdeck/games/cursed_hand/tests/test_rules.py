"""Cursed Hand, rule by rule (CH-1 to CH-17): positions made by hand; what must follow is read from the rules."""

import random
from collections.abc import Sequence

import pytest

from hexdeck import testing
from hexdeck.engine.text import Cards
from hexdeck.games.cursed_hand import rules
from tests.positions import fields, ranks, refusal, total_weight, whole, zone
from tests.support import names, play, random_plies, stage

from .staging import NAME, ROOMY, buried, dealt, deck, discards, ghosts, graves, hands, lost, passed


# --- the start ---
@pytest.mark.rule("CH-1")
@pytest.mark.parametrize(("players", "each"), [(2, 7), (3, 7), (4, 7), (5, 7), (6, 6)])
def test_seven_cards_each_but_six_with_six_players(players: int, each: int) -> None:
    match = stage(NAME, players)
    assert match.chances() == {f"card {rank}": rank for rank in range(1, 11)}
    while not match.acting:
        match.deal(next(reversed(match.chances())))
    assert [len(hand) for hand in hands(match)] == [each] * players
    assert match.acting == tuple(range(players))
    assert match.chances() == {} and deck(match) == 55 - players * each


@pytest.mark.rule("CH-2")
def test_each_chooses_a_card_of_the_own_hand() -> None:
    match = dealt([4, 9, 9], [1, 5, 10])
    assert names(match, 0) == {"grave 4", "grave 9"} and names(match, 1) == {"grave 1", "grave 5", "grave 10"}
    assert match.legal_ids(1) == [0, 4, 9]
    refused = [rank for rank in (3, 4, 5, 8, 9, 10) if refusal(match, 0, f"grave {rank}") == "CH-2"]
    assert refused == [3, 5, 8, 10] and refusal(match, 0, "grave 4") == refusal(match, 0, "grave 9") == ""
    assert match.illegal_reason(0, 4) == rules.GRAVE_NOT_HELD


@pytest.mark.rule("CH-2", "CH-16")
def test_a_choice_is_secret_until_all_have_chosen() -> None:
    match = play(dealt([4, 9], [5, 8], [6, 7]), "2: grave 6, 0: grave 9")
    assert match.acting == (1,) and graves(match) == [[], [], []] and names(match, 0) == set()
    assert match.illegal_reason(0, 8) == rules.NO_GRAVE
    chosen = [fields(match.concealed(p), rules.STRUCT)["choice"][:3] for p in (-1, 0, 1, 2)]
    assert chosen == [[-1, -1, -1], [8, -1, -1], [-1, -1, -1], [-1, -1, 5]]
    assert zone(match, 0, "hand-0").note is not None and zone(match, 2, "hand-0").note is None
    play(match, "1: grave 5")
    assert graves(match) == [[9], [5], [6]] and hands(match) == [[4], [8], [7]]
    assert fields(whole(match), rules.STRUCT)["choice"] == [-1] * 6


@pytest.mark.rule("CH-3")
@pytest.mark.parametrize(
    ("chosen", "first"),
    [
        ((3, 7), 1),
        ((10, 7), 0),
        ((7, 10, 8), 1),
        ((10, 10, 4), 2),
        ((9, 9, 4, 6), 3),
        ((9, 9, 6, 4), 2),
        ((6, 9, 4, 9), 0),
        ((4, 9, 6, 9), 2),
        ((5, 5, 5, 1), 3),
        ((2, 8, 8, 3, 10, 10), 3),
        ((3, 8, 8, 2, 10, 10), 0),
    ],
)
def test_the_highest_rank_chosen_once_goes_first(chosen: Sequence[int], first: int) -> None:
    match = buried(*([rank, 2, 3] for rank in chosen), deck=ROOMY)
    assert set(match.chances()) == {f"card {rank}" for rank in range(1, 11)}
    assert play(match, "card 5").acting == (first,)


@pytest.mark.rule("CH-3")
@pytest.mark.parametrize(
    ("chosen", "tied"),
    [
        ((1, 1), (0, 1)),
        ((8, 8), (0, 1)),
        ((8, 9, 8, 9), (1, 3)),
        ((9, 8, 8, 9), (0, 3)),
        ((10, 10, 10, 2, 2, 2), (0, 1, 2)),
    ],
)
def test_if_no_rank_was_chosen_once_chance_picks_one_of_the_highest(chosen: Sequence[int], tied: Sequence[int]) -> None:
    match = buried(*([rank, 2, 3] for rank in chosen), deck=ROOMY)
    assert match.acting == () and match.chances() == {f"seat {p}": 1 for p in tied}
    assert total_weight(match) == len(tied)
    play(match, f"seat {tied[-1]}")
    assert match.struct.tied == 0
    assert play(match, "card 5").acting == (tied[-1],)


@pytest.mark.rule("CH-4", "CH-13")
def test_an_ace_in_a_graveyard_is_just_a_one() -> None:
    match = buried([1, 5], [2, 4], deck="1-1-0-1-1")  # the deck is empty: points decide, 1 against 2
    assert graves(match) == [[1], [2]] and match.returns() == (1, -1)
    match = play(passed([4, 9], (3, 1, 2)), "1: call")  # the ace does not pair with the nine
    assert graves(match) == [[3], [1, 9], [2]] and not match.over


# --- a ghost hand ---
@pytest.mark.rule("CH-5")
def test_the_player_on_turn_draws_and_passes_any_two_cards_to_the_left() -> None:
    match = buried([8, 2, 5, 5], [6, 7, 7, 7], [9, 3, 4, 4])
    left = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 5, 7: 4, 8: 7, 9: 8, 10: 10}
    assert match.acting == () and match.chances() == {f"card {rank}": number for rank, number in left.items()}
    play(match, "card 10")
    assert match.acting == (2,) and hands(match)[2] == [3, 4, 4, 10] and deck(match) == 42
    assert names(match, 2) == {"pair 3 4", "pair 3 10", "pair 4 4", "pair 4 10"}
    assert match.legal_ids(2) == sorted(match.legal_ids(2)) and names(match, 1) == set()
    wrong = ("pair 3 3", "pair 10 10", "pair 3 5", "pair 2 4", "pair 5 5", "pair 5 6")
    assert [refusal(match, 2, name) for name in wrong] == ["CH-5"] * len(wrong)
    play(match, "2: pair 4 10")
    assert match.acting == (0,) and hands(match) == [[2, 5, 5], [7, 7, 7], [3, 4]]
    assert zone(match, 0, "hand-2").hidden == 2 and deck(match) == 42


@pytest.mark.rule("CH-5")
def test_two_cards_are_one_secret_so_each_pair_has_one_name() -> None:
    pairs = [(a, b) for a in range(1, 11) for b in range(a, 11)]
    assert list(rules.ACTIONS[rules.PAIRED :]) == [f"pair {a} {b}" for a, b in pairs]
    assert [rules.pair_of(rules.PAIRED + k) for k in range(55)] == [(a - 1, b - 1) for a, b in pairs]


@pytest.mark.rule("CH-5", "CH-6", "CH-9", "CH-16")
@pytest.mark.parametrize("two", [(1, 1), (1, 10), (5, 9), (9, 10), (10, 10)])
def test_only_who_has_looked_knows_the_two_cards(two: tuple[int, int]) -> None:
    match = passed(two)
    assert ghosts(match) == [([], 2), (list(two), 0), ([], 2), ([], 2)]
    assert ghosts(play(match, "1: accept")) == [([], 2), (list(two), 0), (list(two), 0), ([], 2)]


@pytest.mark.rule("CH-6")
def test_who_is_passed_a_ghost_hand_calls_or_accepts() -> None:
    match = passed([4, 9])
    assert match.acting == (1,) and names(match, 1) == {"call", "accept"} and match.legal_ids(1) == [10, 11]
    assert [match.illegal_reason(p, 10) for p in (0, 1, 2)] == [rules.NO_ANSWER, 0, rules.NO_ANSWER]
    assert [refusal(match, 1, name) for name in ("grave 3", "add 3", "pair 3 3")] == ["CH-2", "CH-9", "CH-5"]


@pytest.mark.rule("CH-2", "CH-5", "CH-6", "CH-9")
def test_everything_has_its_time() -> None:
    match = dealt([5, 6, 7], [4, 6, 7])
    said = [refusal(match, 0, name) for name in ("call", "accept", "add 6", "pair 6 7")]
    assert said == ["CH-6", "CH-6", "CH-9", "CH-5"]
    play(match, "0: grave 5, 1: grave 4, card 8")
    said = [refusal(match, 0, name) for name in ("grave 6", "call", "add 6", "pair 6 7")]
    assert said == ["CH-2", "CH-6", "CH-9", ""]
    assert refusal(match, 1, "pair 6 7") == "CH-5" and match.illegal_reason(1, rules.CALL) == rules.NO_ANSWER
    play(match, "0: pair 7 8, 1: accept")
    assert [refusal(match, 1, name) for name in ("grave 6", "add 6", "pair 6 7")] == ["CH-2", "", "CH-5"]
    assert [match.illegal_reason(1, rules.CALL), match.illegal_reason(1, rules.ACCEPT)] == [rules.ANSWER_FIRST] * 2
    assert match.illegal_reason(0, rules.CALL) == rules.NO_ANSWER
    assert match.illegal_reason(0, rules.CARD + 5) == rules.NO_ADD


@pytest.mark.rule("CH-7", "CH-8", "CH-11")
@pytest.mark.parametrize(
    ("ghost", "cursed", "taken", "rest"),
    [
        ([4, 9], False, [9], [4]),
        ([9, 10], False, [10], [9]),
        ([10, 5, 4, 6, 8], False, [10], [4, 5, 6, 8]),
        ([2, 3], False, [3], [2]),
        ([9, 9], True, [9], [9]),
        ([10, 10], True, [10], [10]),
        ([4, 9, 4], True, [4], [4, 9]),
        ([4, 9, 9, 9], True, [9], [4, 9, 9]),
        ([9, 4, 9, 4, 4], True, [4, 9], [4, 4, 9]),
        ([1, 9], True, [9], [1]),
        ([9, 4, 1], True, [9], [1, 4]),
        ([1, 4, 4, 9], True, [4, 9], [1, 4]),
        ([9, 9, 1], True, [9], [1, 9]),
        ([1, 2], True, [2], [1]),
        ([1, 1], True, [], [1, 1]),
        ([1, 4, 1], True, [4], [1, 1]),
    ],
)
def test_a_called_ghost_hand(ghost: list[int], cursed: bool, taken: list[int], rest: list[int]) -> None:
    match = passed(ghost, (8, 7, 7))
    passer, caller = (len(ghost) - 2) % 3, (len(ghost) - 1) % 3
    before, left = graves(match), deck(match)
    play(match, f"{caller}: call")
    before[passer if cursed else caller] += taken
    assert graves(match) == [sorted(grave) for grave in before] and discards(match) == rest
    shown = Cards(tuple(str(rank) for rank in sorted(ghost)))
    assert all(shown in [text.args.get("cards") for text in match.facts(seat)] for seat in (-1, 0, 1, 2))
    assert ghosts(match) == [([], 0)] * 4 and match.acting == () and match.chances()["card 6"] > 0
    play(match, "card 6")
    assert match.acting == (caller,) and 6 in hands(match)[caller] and deck(match) == left - 1


@pytest.mark.rule("CH-9")
def test_accepting_with_cards_means_looking_and_adding_one() -> None:
    match = play(passed([4, 9, 7, 8]), "0: accept")
    assert ranks(match, 0, "ghost") == [4, 7, 8, 9] and match.acting == (0,)
    assert hands(match) == [[2, 2, 2, 2, 6], [3, 3, 3, 3, 3], [4, 4, 4, 4, 4]]
    assert names(match, 0) == {"add 2", "add 6"} and match.legal_ids(0) == [13, 17]
    assert [match.illegal_reason(0, rules.CARD + r) for r in (0, 1, 2, 5, 9)] == [8, 0, 8, 0, 8]
    play(match, "0: add 6")
    assert hands(match) == [[2, 2, 2, 2], [3, 3, 3, 3, 3], [4, 4, 4, 4, 4]]
    assert match.acting == (1,) and names(match, 1) == {"call", "accept"}
    assert ghosts(match) == [([], 5), ([4, 6, 7, 8, 9], 0), ([4, 7, 9], 2), ([4, 7, 8, 9], 1)]


@pytest.mark.rule("CH-10", "CH-13")
@pytest.mark.parametrize(
    ("clean_accept", "two", "third", "after", "rest", "loser"),
    [
        ("passer", (2, 3), 4, [[4, 5], [6]], [2, 3], 0),
        ("nobody", (2, 3), 4, [[5], [6]], [2, 3, 4], 1),
        ("passer", (2, 3), 3, [[5], [3, 6]], [2, 3], 1),
        ("nobody", (2, 3), 3, [[5], [3, 6]], [2, 3], 1),
        ("nobody", (1, 3), 4, [[5], [4, 6]], [1, 3], 1),
    ],
)
def test_accepting_without_cards_changes_sides(clean_accept, two, third, after, rest, loser) -> None:
    match = buried([5, third], [6, two[0]], clean_accept=clean_accept)
    play(match, f"card {two[1]}, 1: pair {two[0]} {two[1]}, 0: accept, 0: add {third}")
    assert hands(match) == [[], []] and names(match, 1) == {"call", "accept"} and not match.over
    play(match, "1: accept")
    assert graves(match) == after and discards(match) == rest and match.over
    assert match.returns()[loser] == -1 and match.ending == "exhausted"


# --- the end ---
@pytest.mark.rule("CH-8", "CH-12")
@pytest.mark.parametrize(
    ("ghost", "chosen", "loser", "after"),
    [
        ([9, 9], (9, 2, 2), 0, [[9, 9], [2], [2]]),
        ([4, 9], (10, 9, 2), 1, [[10], [9, 9], [2]]),
        ([4, 9, 4, 9], (10, 2, 9), 2, [[10], [2], [4, 9, 9]]),
        ([4, 9, 4, 9], (10, 2, 4), 2, [[10], [2], [4, 4, 9]]),
        ([1, 10], (10, 2, 2), 0, [[10, 10], [2], [2]]),
    ],
)
def test_two_of_a_rank_in_a_graveyard_lose_at_once(ghost, chosen, loser, after) -> None:
    match = play(passed(ghost, chosen), f"{(len(ghost) - 1) % 3}: call")
    assert match.over and match.ending == "pair" and match.acting == () and match.chances() == {}
    assert graves(match) == after and match.struct.losers == 1 << loser
    assert match.returns() == tuple(-1 if p == loser else 0.5 for p in range(3))


@pytest.mark.rule("CH-13")
@pytest.mark.parametrize("exhaustion", ["after_ghost", "at_once"])
def test_an_empty_deck_ends_the_game_when_a_ghost_hand_would_start(exhaustion: str) -> None:
    match = buried([6, 5, 4], [3, 2, 2], deck="0-2-1-2-1-1", exhaustion=exhaustion)
    play(match, "card 4, 0: pair 4 5, 1: accept, 1: add 2")
    assert deck(match) == 0 and not match.over
    play(match, "0: call")
    assert hands(match) == [[4], [2]] and graves(match) == [[5, 6], [3]]
    assert match.over and match.ending == "exhausted" and match.returns() == (-1, 1) and match.acting == ()
    assert [zone(match, -1, f"grave-{p}").count for p in (0, 1)] == [11, 3]


@pytest.mark.rule("CH-13")
def test_a_hand_that_runs_out_does_not_stop_a_ghost_hand() -> None:
    match = buried([4, 7], [5, 8], [6, 2], exhaustion="after_ghost")
    play(match, "card 3, 2: pair 2 3")
    assert hands(match) == [[7], [8], []] and match.acting == (0,) and not match.over
    play(match, "0: call")
    assert match.over and match.ending == "exhausted" and graves(match) == [[3, 4], [5], [6]]
    assert match.returns() == (-1, 0.5, 0.5)  # 7 points against 5 and 6


@pytest.mark.rule("CH-13", "CH-16")
def test_at_once_the_game_ends_with_the_last_two_cards_of_a_starter() -> None:
    match = play(buried([4, 7], [5, 8], [6, 2], exhaustion="at_once"), "card 3, 2: pair 2 3")
    assert match.over and match.ending == "exhausted" and match.returns() == (0.5, 0.5, -1) and match.acting == ()
    assert ghosts(match) == [([], 2), ([], 2), ([], 2), ([2, 3], 0)]


@pytest.mark.rule("CH-13", "CH-15")
@pytest.mark.parametrize(
    ("chosen", "losers"),
    [((5, 5, 2), {0, 1}), ((2, 9, 5, 9), {1, 3}), ((3, 8, 8, 8, 7), {1, 2, 3}), ((10, 9, 9), {0}), ((9, 9, 10), {2})],
)
@pytest.mark.parametrize("tied_losers", ["all", "one_at_random"])
def test_the_most_points_lose(chosen: Sequence[int], losers: set[int], tied_losers: str) -> None:
    match = buried(*([rank] for rank in chosen), tied_losers=tied_losers, deck=ROOMY)  # no cards left to go on with
    if tied_losers == "one_at_random" and len(losers) > 1:
        assert not match.over and match.acting == () and match.chances() == {f"seat {p}": 1 for p in losers}
        losers = {max(losers)}
        play(match, f"seat {max(losers)}")
    assert match.over and match.ending == "exhausted"
    share, loss = 1 / (len(chosen) - len(losers)), -1 / len(losers)
    assert match.returns() == tuple(loss if p in losers else share for p in range(len(chosen)))


@pytest.mark.rule("CH-13", "CH-16")
def test_the_ghost_hand_stays_unseen_while_chance_picks_the_loser() -> None:
    match = buried([4, 5], [6, 7], [6, 2], [3, 8], exhaustion="at_once", tied_losers="one_at_random")
    play(match, "card 10, 0: pair 5 10")
    assert match.chances() == {"seat 1": 1, "seat 2": 1} and match.acting == ()
    assert ghosts(match) == [([], 2), ([5, 10], 0), ([], 2), ([], 2), ([], 2)]
    assert play(match, "seat 1").returns() == (1 / 3, -1, 1 / 3, 1 / 3)
    assert match.struct.over == 1 and match.struct.tied == 0 and match.struct.losers == 0b10


@pytest.mark.rule("CH-14")
@pytest.mark.parametrize(("losses", "games"), [(1, 1), (2, 2), (3, 3), (9, 9)])
def test_a_match_goes_on_until_somebody_has_lost_so_many_games(losses: int, games: int) -> None:
    match = stage(NAME, 2, hand_cards=1, losses=losses)
    for played in range(games):
        assert not match.over and match.struct.deal == played + 1 and match.struct.lost[0] == played
        play(match, "card 5, card 3, 0: grave 5, 1: grave 3")
    assert match.over and match.returns() == (-1, 1) and match.struct.lost[1] == 0


@pytest.mark.rule("CH-14")
def test_everything_is_dealt_anew_for_the_next_game() -> None:
    options = {"exhaustion": "at_once", "losses": 2}
    match = buried([4, 7], [5, 8], [6, 2], **options)
    play(match, "card 3, 2: pair 2 3")
    assert lost(match) == [0, 0, 1] and match.struct.losers == 0b100
    again, first = (fields(whole(m), rules.STRUCT) for m in (match, stage(NAME, 3, hand_cards=2, **options)))
    changed = {name for name in again if again[name] != first[name]}
    assert changed == {"history", "deal", "lost", "losers", "ending"} and match.ending == ""
    assert first["tied"] == first["losers"] == again["ghost_size"] == 0


def test_no_card_is_made_or_lost() -> None:
    testing.run("conservation", "cursed-hand", matches=3)


@pytest.mark.rule("CH-5", "CH-6", "CH-9")
def test_moves_since_a_ghost_hand_was_started_are_taken_back_one_by_one() -> None:
    positions, most = [], 0
    for match in random_plies(stage(NAME, 3, hand_cards=7), random.Random(1)):
        positions.append(fields(whole(match), rules.STRUCT))
        before, ply = match.copy_position(), match.ply
        while (action := rules.take_back(before.struct)) >= 0:
            ply -= 1
            back = fields(whole(before), rules.STRUCT) | {"history": positions[ply]["history"]}
            assert action == match.event(ply).id and back == positions[ply]
        most = max(most, match.ply - ply)
    assert most > 6
