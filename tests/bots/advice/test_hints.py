"""Hints: from what a seat knows alone, with reasons whose numbers agree with a count of their own."""

import functools
import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.advice import hints
from hexdeck.bots.advice.hints import Correction, advise, lacking, premises
from hexdeck.bots.players.kinds import SolvedBot
from hexdeck.bots.players.levels import levels_of
from hexdeck.bots.search.searcher import PairedEvaluator, PairedValues, estimate
from hexdeck.bots.search.searcher import nothing_lacks as nothing
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.layout import version_of
from hexdeck.engine.play.game import quickest_backend, raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import CHIPS, ENDLESS, WINS
from hexdeck.engine.text import say
from hexdeck.stats import t_quantile
from tests.settings import every_game, much, random_game, small_game
from tests.support import cards, for_each, play, stage

BACKEND = "interpreted"
MANY = 1500  # worlds, where odds are compared: three standard deviations are 4 in 100 at most


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    monkeypatch.setattr(hints, "GAMES", {BACKEND: 6})
    monkeypatch.setattr(hints, "Worlds", functools.partial(Worlds, count=12))


def choices(name: str, seed: int, most: int) -> Iterator[tuple[Match, int]]:
    """Some decisions of a random match, each kind of action once, of few moves so that a test is quick."""
    match, rng, seen = small_game(name).match(seed, backend=BACKEND), random.Random(seed), set[str]()
    while not match.over and most:
        seat = rng.choice(match.acting)
        ids = match.legal_ids(seat)
        kinds = {match.game.rules.ACTIONS[id].split()[0] for id in ids}
        if 1 < len(ids) < 20 and not kinds <= seen:
            seen |= kinds
            most -= 1
            yield match, seat
        match.play(seat, rng.choice(ids))


def reason(match: Match, seat: int, action: str, count: int = MANY) -> Any:
    """The reason for an action as a Text, counted in many worlds; None if there is none."""
    known = match.concealed(seat)
    struct = match.driver.proxy(memoryview(bytearray(known)))
    worlds = Worlds(match.game, known, seat, count)
    return match.game.hints.because(struct, seat, match.game.rules.ACTIONS.index(action), worlds)


# --- what a hint is made of -------------------------------------------------------------------------------------------
@every_game
def test_a_hint_is_the_same_in_every_world_the_seat_thinks_possible(name: str) -> None:
    differed = 0
    for match, seat in choices(name, 3, much(1, 2)):
        advised = advise(match, seat).moves
        other = match.resample(seat, 5)
        differed += raw(other.rows)[0].tobytes() != raw(match.rows)[0].tobytes()
        assert advise(other, seat).moves == advised, f"ply {match.ply}"
    assert differed or name == "blackstone"  # there only the dice are hidden


@every_game
def test_a_hint_names_legal_moves_the_best_first_in_words_of_both_languages(name: str) -> None:
    for match, seat in choices(name, 4, 2):
        advised = advise(match, seat).moves
        labels = {move.id: move.label for move in match.legal(seat)}
        assert 1 <= len(advised) <= 3 and len({each.action for each in advised}) == len(advised)
        assert [each.value for each in advised] == sorted((each.value for each in advised), reverse=True)
        for each in advised:
            assert each.label == labels[each.action]
            texts = [text for text in (each.result, each.reason) if text]
            assert all(game_words(name, "nl").words(text) != str(text) for text in texts), texts


@for_each("number", range(3))
@every_game
def test_every_move_under_any_options_has_a_reason_or_none(name: str, number: int) -> None:
    rng = random.Random(f"{name} {number}")
    match, reasons = random_game(name, rng).match(number, backend=BACKEND), 0
    while not match.over and reasons < 60:
        seat = rng.choice(match.acting)
        ids = match.legal_ids(seat)
        if len(ids) > 1 and rng.random() < 0.3:
            for id in rng.sample(ids, 2):
                text = reason(match, seat, match.game.rules.ACTIONS[id], 3)
                assert text is None or 10 < len(game_words(name, "nl").words(text)) < 160
                reasons += 1
        match.play(seat, rng.choice(ids))


def test_a_hint_says_which_moves_may_be_equally_good(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game("hawthorn", 3).match(1, backend=BACKEND)
    for equals, costs in ((1, (0.0, 1.0, 2.0)), (2, (0.0, 0.0, 2.0)), (3, (0.0, 0.0, 0.0))):
        worlds = np.linspace(0.0, 1.0, 99)[:, None] - costs
        found = functools.partial(
            lambda worlds, _known, _seat, actions, _count: PairedValues((*actions,), worlds), worlds
        )
        monkeypatch.setattr(PairedEvaluator, "evaluate", staticmethod(found))
        said = [str(text) for text in advise(match, 0).premises if "equally" in str(text)]
        assert said == [f"The first {equals} moves may be equally good."] * (equals > 1)


def test_a_reason_that_all_moves_share_is_given_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game("hawthorn", 3).match(1, backend=BACKEND)
    for shared in (True, False):
        monkeypatch.setattr(
            match.game.hints, "because", lambda *of, shared=shared: say("{n}!", n=1 if shared else of[2])
        )
        hint = advise(match, 0)
        assert len(hint.moves) > 1 and [each.reason is None for each in hint.moves] == [shared] * len(hint.moves)
        assert [*map(str, hint.premises)].count("1!") == shared


def test_nobody_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("hawthorn")
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setattr("hexdeck.engine.play.game.is_compiled", lambda _rules: False)
    assert quickest_backend(game.definition) == "interpreted"
    monkeypatch.setattr("hexdeck.engine.play.game.is_compiled", lambda _rules: True)
    assert quickest_backend(game.definition) == "fast"


def test_a_game_that_is_compiled_meanwhile_changes_nothing_of_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game("cursed-hand", 2).match(1, backend=BACKEND)
    rough, backends = advise(match, 0), iter([BACKEND])
    monkeypatch.setattr(hints, "quickest_backend", lambda _game: next(backends, "fast"))
    assert advise(match, 0) == rough


def test_a_match_in_machine_code_has_its_hint_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where not every part of the game is compiled yet: the caller of a library may wait."""
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setattr("hexdeck.engine.play.game.is_compiled", lambda *_: False)
    monkeypatch.setattr(hints, "GAMES", {"interpreted": 6, "fast": 6})
    game = hexdeck.game("cursed-hand", 2)
    assert not advise(game.match(1, backend="interpreted"), 0).moves
    assert advise(game.match(1, backend="fast"), 0).moves


# --- exact results ----------------------------------------------------------------------------------------------------
def solved_match(monkeypatch: pytest.MonkeyPatch, seed: int = 1, **options: Any) -> tuple[Match, SolvedBot]:
    """Blackstone, whose solution is asked in this backend too, and the bot that plays it."""
    monkeypatch.setattr(hints, "SOLVING", (BACKEND,))
    game = hexdeck.game("blackstone", 3, **options)
    return game.match(seed, backend=BACKEND), SolvedBot(game)


def test_hints_are_exact_where_the_game_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    for seed in range(4):
        match, solved = solved_match(monkeypatch, seed)
        while not match.over:
            seat = match.actor
            exact = solved.candidates(match.concealed(seat), seat)
            if len(exact) > 1:
                asked += 1
                advised = advise(match, seat).moves
                assert [each.action for each in advised] == [each.action for each in exact][:3]
                assert [each.value for each in advised] == [pytest.approx(each.value) for each in exact][:3]
                assert all(each.margin is None and "±" not in str(each.result) for each in advised)
            match.play(seat, exact[0].action)
    assert asked > 10


def test_where_the_solution_is_not_exact_hints_are_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    match, _solved = solved_match(monkeypatch, rounds=2)
    seat = match.actor
    assert all(each.margin is not None for each in advise(match, seat).moves)
    monkeypatch.setattr(hints, "SOLVING", ())
    match = hexdeck.game("blackstone", 3).match(1, backend=BACKEND)
    assert all(each.margin is not None for each in advise(match, match.actor).moves)


def test_premises_say_whose_play_results_stand_on(monkeypatch: pytest.MonkeyPatch) -> None:
    one, another = hexdeck.game("hawthorn"), hexdeck.game("high-handed", 2)
    house = (
        "Expected if everybody plays on like a plain bot; ± covers the luck of the cards and the bots' random "
        "choices, not how others really play."
    )
    assert [str(text) for text in premises(one, BACKEND, [0.1, 0.2])] == [house]
    assert "by the score 8 decisions later and what usually follows" in str(premises(another, BACKEND, [0.1])[0])
    unusual = hexdeck.game("high-handed", 2, hand_cards=5)  # what follows was measured with the usual options only
    assert "8 decisions later, whatever follows" in str(premises(unusual, BACKEND, [0.1])[0])
    measure = another.hints.STUDY.measure_in(another.match(by_hand=True, backend=BACKEND).struct)
    unmeasured = replace(another.hints.STUDY, measure=replace(measure, lacking=None))
    monkeypatch.setattr(another.hints, "STUDY", unmeasured)  # as in a game whose author measured nothing
    assert "whatever follows" in str(premises(another, BACKEND, [0.1])[0])
    exact = "Results without ± are exact: perfect play by everybody from there on."
    assert [str(text) for text in premises(one, BACKEND, [None, 0.1])] == [exact, house]
    assert "like trained bots" in str(premises(hexdeck.game("cursed-hand", 4), "fast", [0.1])[0])
    for players in (3, 4):  # best thinks as a net expects
        wolf = hexdeck.game("wolf-mans-curse", players)
        late = hexdeck.game("wolf-mans-curse", players, queen_month=3)  # of which the net knows nothing
        assert "like bots that think ahead" in str(premises(wolf, "fast", [0.1])[0])
        assert all("like a plain bot" in str(premises(*each, [0.1])[0]) for each in ((wolf, BACKEND), (late, "fast")))
    odd = hexdeck.game("cursed-hand", 2, hand_cards=4)  # the net learned with other cards, and no level trusts it here
    assert "like a plain bot" in str(premises(odd, "fast", [0.1])[0])


# --- chances among bots of one level ----------------------------------------------------------------------------------
def test_chances_are_corrected_only_among_bots_of_the_level_that_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("cursed-hand", 3)
    match, best = game.match(1, backend=BACKEND), levels_of(game)["best"]
    row: dict[str, Any] = {"players": 3, "level": "best", "version": version_of(game.rules.STRUCT), "bot": best}
    row |= {"policy": "house", "told": [0.0, 0.4, 1.0], "true": [0.0, 0.2, 1.0], "matches": 700}
    kept = {"corrections": [row]}
    monkeypatch.setattr(hints, "read", lambda _path: kept)
    plain, corrected = advise(match, 0), advise(match, 0, ("best", "best:bold"))
    assert [move.action for move in corrected.moves] == [move.action for move in plain.moves]
    for one, other in zip(plain.moves, corrected.moves, strict=True):
        told, chance = (game.measure.number(move.value) / 100 for move in (one, other))
        assert chance == pytest.approx(told / 2 if told < 0.4 else 0.2 + (told - 0.4) * 4 / 3)
        assert other.result == game.measure.result(other.value, other.margin)
    extra = "Corrected by the results of 700 matches in which everybody played like Best."
    assert [str(text) for text in corrected.premises] == [*map(str, plain.premises), extra]
    for others in ((), ("best", ""), ("best", "sharp"), ("sharp", "sharp")):
        assert advise(match, 0, others) == plain
    for change in ({"version": 0}, {"bot": "net:0"}, {"policy": "net"}, {"players": 4}):
        kept["corrections"] = [row | change]
        assert advise(match, 0, ("best", "best")) == plain
    kept["corrections"] = [row]
    odd = hexdeck.game("cursed-hand", 3, hand_cards=4).match(1, backend=BACKEND)
    assert advise(odd, 0, ("best", "best")) == advise(odd, 0)


@every_game
def test_corrections_keep_the_order_of_chances_and_what_is_sure(name: str) -> None:
    kept = hints.read(hints.calibration_file(hexdeck.game(name))).get("corrections", [])
    for row in [*kept, {"level": "best", "told": (0.0, 0.2, 0.5, 1.0), "true": (0.0, 0.1, 0.6, 1.0)}]:
        found = Correction(row["level"], row["told"], row["true"])
        chances = [found.chance(k / 400) for k in range(401)]
        assert (chances[0], chances[-1]) == (0, 1)
        assert all(one < other for one, other in itertools.pairwise(chances)), row
        for told in (0.0, 0.33, 1.0):
            half = (found.chance(told + 0.05) - found.chance(told - 0.05)) / 2
            assert found.result(WINS, told, 0.05) == (pytest.approx(found.chance(told)), pytest.approx(half))


@pytest.mark.parametrize("players", [3, pytest.param(4, marks=pytest.mark.long)])
def test_a_hint_is_the_same_whoever_of_those_that_choose_at_once_is_first(players: int) -> None:
    match = hexdeck.game("wolf-mans-curse", players).match(5, backend=BACKEND)
    moves, before = match.legal_ids(0), what_hints_tell(match)
    for seat in range(1, players):
        match.play(seat, match.legal_ids(seat)[0])
    assert match.acting == (0,)
    for gains, then in zip(before, what_hints_tell(match), strict=True):
        for move in moves:
            gap, margin = gains[move][0] - then[move][0], np.hypot(gains[move][1], then[move][1])
            assert abs(gap) < 1.5 * margin
        assert np.ptp([gains[move][0] for move in moves]) > 0.04


def what_hints_tell(match: Match) -> list[dict[int, tuple[float, float]]]:
    """The worth of each move of seat 0 and its margin: as its scales weigh them, and as the adviser proposes them."""
    known, moves, many = match.concealed(0), match.legal_ids(0), much(600, MANY)
    weighed = hints.evaluator(match.game, "fast").evaluate(known, 0, moves, many)
    proposed = hints.adviser(match.game, 0, "fast", 5 * many).candidates(known, 0, 0)
    return [
        {move: (worth, margin or 0.0) for move in moves for worth, margin in [weighed.value(move)]},
        {each.action: (each.value or 0.0, each.margin or 0.0) for each in proposed},
    ]


# --- where games count something else ---------------------------------------------------------------------------------
def test_games_are_played_to_their_end_where_they_count_something_else_than_usual() -> None:
    usual, other = (hexdeck.game("high-handed", 2, **options) for options in ({}, {"length": "first_to_two"}))
    assert (usual.horizon, other.horizon) == (8, ENDLESS)
    assert hexdeck.game("high-handed", 2, thieves=0).horizon == 8
    assert hexdeck.game("hawthorn").horizon == ENDLESS


def test_moves_differ_in_a_match_that_counts_games_won() -> None:
    """A look ahead of some decisions saw no game end: every move was worth 0."""
    match = hexdeck.game("high-handed", 2, length="first_to_two").match(2, backend=BACKEND)
    seat = match.actor
    weighed = PairedEvaluator(match.game, 1, BACKEND, "random").evaluate(
        match.concealed(seat), seat, match.legal_ids(seat)[:1], 2
    )
    assert np.all(np.abs(weighed.utilities) >= 1)  # a match that is over has a winner


# --- scales -----------------------------------------------------------------------------------------------------------
def test_scales_find_a_pair_that_is_played_on_purpose() -> None:
    match = hand_round()
    actions = [match.game.rules.ACTIONS.index(name) for name in ("play 3", "play 9")]  # the 9 makes a pair
    weighed = PairedEvaluator(match.game, 1, BACKEND).evaluate(match.concealed(0), 0, actions, 20)
    gap, margin = weighed.difference(*actions)
    assert margin is not None and gap > margin > 0
    assert gap == pytest.approx(weighed.value(actions[0])[0] - weighed.value(actions[1])[0])


def test_scales_weigh_in_fresh_worlds_each_time() -> None:
    match = hand_round()
    scales, legal = PairedEvaluator(match.game, 1, BACKEND), match.legal_ids(0)
    first, again = (scales.evaluate(match.concealed(0), 0, legal, 8).utilities for _ in range(2))
    assert not np.array_equal(first, again)
    assert np.array_equal(
        PairedEvaluator(match.game, 1, BACKEND).evaluate(match.concealed(0), 0, legal, 8).utilities, first
    )


def test_an_estimate_is_a_mean_with_half_its_interval() -> None:
    mean, margin = estimate(np.array([1.0, 3.0, 5.0, 7.0]))
    assert (mean, margin) == (4.0, pytest.approx(t_quantile(3) * (20 / 3) ** 0.5 / 2))
    assert estimate(np.array([2.0])) == (2.0, None)


def hand_round() -> Match:
    """Ann has a 9 in her row and plays a card of her hand: a 3 or the other 9; Bob has a 10 in his."""
    match = stage("hawthorn", 2, cards(9, 10, 9, 8, 3, 7), hand_cards=3)
    play(match, "0: show 9, 1: show 10")
    play(match, "0: take, card 1, 1: take, card 2")
    assert match.acting == (0,) and not match.game.rules.from_deck(match.struct, 0)
    return match


# --- measures ---------------------------------------------------------------------------------------------------------
def test_results_are_said_in_the_games_unit() -> None:
    assert str(CHIPS.result(3.14159, 0.26)) == "wins about 3.1 chips (±0.3)"
    assert str(CHIPS.result(-12.6)) == "loses about 13 chips"
    assert str(WINS.result(0.408, 0.031)) == "wins about 41\u00a0% (±3)"
    assert str(WINS.result(1.2)) == "wins about 100\u00a0%"
    assert str(CHIPS.difference(-9.96, 0.01)) == "10 ±0.1 chips"
    assert game_words("hawthorn", "nl").words(CHIPS.result(3.14159, 0.26)) == "wint ongeveer 3,1 fiches (±0,3)"


def test_cursed_hand_tells_the_chance_to_stay_safe() -> None:
    match = hexdeck.game("cursed-hand", 4).match(1, backend=BACKEND)
    safe = match.game.hints.STUDY.measure_in(match.struct)
    assert [safe.number(u) for u in (-1.0, 0.0, 1 / 3, 1.0)] == pytest.approx([0, 75, 100, 100])


# --- reasons: their numbers -------------------------------------------------------------------------------------------
def test_cursed_hand_counts_how_often_the_ghost_hand_is_cursed() -> None:
    match = stage("cursed-hand", 2, "card 7, card 2, card 3, card 9, card 10, card 9, card 7, card 4", hand_cards=4)
    play(match, "1: grave 9, 0: grave 3, card 8, 1: pair 2 8")
    seen = [7, 3, 10, 7, 9]  # Ann's cards, and the 9 in Bob's graveyard
    unseen = [rank for rank in range(1, 11) for _ in range(rank - seen.count(rank))]
    pairs = list(itertools.combinations(unseen, 2))
    exact = 100 * sum(a == b or 1 in (a, b) for a, b in pairs) / len(pairs)
    assert reason(match, 0, "call").args["n"] == pytest.approx(exact, abs=4)
    assert reason(match, 0, "accept").args["n"] == pytest.approx(exact, abs=4)


def test_cursed_hand_tells_whether_a_card_makes_the_ghost_hand_cursed() -> None:
    match = stage("cursed-hand", 2, "card 7, card 2, card 3, card 9, card 10, card 9, card 7, card 4", hand_cards=4)
    play(match, "1: grave 9, 0: grave 3, card 8, 1: pair 2 8, 0: accept")
    assert "is clean" in str(reason(match, 0, "add 7", 10))
    play(match, "0: add 7, 1: accept, 1: add 9, 0: accept")
    assert "is cursed" in str(reason(match, 0, "add 7", 10)) and "is clean" in str(reason(match, 0, "add 10", 10))


def test_cursed_hand_judges_a_last_card_before_the_next_game_is_dealt() -> None:
    """CH-13, where an empty hand ends the game at once, and the match goes on (CH-14)."""
    quick = {"exhaustion": "at_once", "losses": 2}
    match = stage("cursed-hand", 2, cards(10, 1, 10, 2, 9, 3), "0: grave 9, 1: grave 2, card 4", hand_cards=3, **quick)
    play(match, "0: pair 10 10, 1: accept, 1: add 3, 0: accept")
    assert match.struct.held[0] == 1 and "is cursed" in str(reason(match, 0, "add 4", 5))
    for drawn, sentence in ((9, "is cursed"), (8, "is clean")):
        match = stage("cursed-hand", 2, cards(9, 4, 10, 2), "0: grave 10, 1: grave 2", hand_cards=2, **quick)
        play(match, f"card {drawn}")
        assert sentence in str(reason(match, 0, f"pair {drawn} 9", 5))


def test_hawthorn_counts_how_often_the_next_card_makes_a_pair() -> None:
    match = stage("hawthorn", 2, cards(9, 10, 9, 8, 3, 7), hand_cards=3)
    play(match, "0: show 9, 1: show 10")
    unseen = 55 - 4  # Ann's three cards and Bob's 10
    assert reason(match, 0, "take").args["n"] == pytest.approx(100 * 7 / unseen, abs=2)
    assert reason(match, 0, "fold").args["n"] == reason(match, 0, "take").args["n"]


def test_hawthorn_says_what_is_sure_without_a_number() -> None:
    match = stage("hawthorn", 2, cards(3, 10, 2, 9, 1, 4), hand_cards=3, deck="1-1-1-1-1-1-1-1-1-1")
    assert str(reason(match, 1, "show 10")) == "Somebody surely holds a lower card, and can go first."


def test_blackstone_counts_how_often_a_second_black_stone_comes() -> None:
    match = stage("blackstone", 2, cards(3, 5), deck="0-0-2-2-2-0-0-0-0-4")
    play(match, "0: draw, card 10, 0: stop, 1: draw, card 4, 1: stop")
    assert match.struct.black[0] == 1 and match.struct.stock[9] == 3 < match.struct.deck_left
    exact = 100 * match.struct.stock[9] / match.struct.deck_left
    assert reason(match, 0, "draw").args["n"] == round(exact)
    play(match, "0: draw, card 3, 0: draw, card 5, 0: stop")
    assert (match.struct.least, match.struct.black[1], match.struct.deck_left) == (2, 0, 4)
    assert reason(match, 1, "draw").args["n"] == 50  # 3 of the 6 pairs of three tens and a four


def test_blackstone_takes_no_fold_that_a_short_deck_forces_for_a_second_black_stone() -> None:
    """BS-12: the one who follows needs three cards; the deck has two, among them a ten."""
    match = stage("blackstone", 2, cards(3, 5), deck="0-0-2-2-2-0-0-0-0-1")
    play(match, "0: draw, card 3, 0: draw, card 4, 0: draw, card 5, 0: stop")
    assert (match.struct.least, match.struct.deck_left, match.struct.stock[9]) == (3, 2, 1)
    assert reason(match, 1, "draw").args["n"] == reason(match, 1, "fold").args["n"] == 0


@for_each("name", ["black-hearts", "wolf-mans-curse"])
def test_who_plays_last_knows_whether_a_card_takes_all(name: str) -> None:
    match, rng, seen = hexdeck.game(name, 3).match(6, backend=BACKEND), random.Random(6), set[bool]()
    while not match.over and len(seen) < 2:
        seat = match.acting[0]
        moves = [move for move in match.legal(seat) if move.name.startswith("play")]
        s = match.struct
        if len(match.acting) == 1 and moves and s.leader >= 0 and (seat + 1) % 3 == s.leader:
            for move in moves:
                given, world = reason(match, seat, move.name, 10), match.resample(seat, 1)
                took = takes(world, seat, move.id)
                seen.add(took)
                assert given.args["n"] == 100 * took if "n" in given.args else ("doesn't" not in str(given)) == took
        match.play(seat, rng.choice(match.legal_ids(seat)))
    assert seen == {True, False}


@for_each("name", ["black-hearts", "wolf-mans-curse"])
def test_who_plays_last_but_one_knows_how_often_a_card_takes_all(name: str) -> None:
    match, rng, asked, worlds = hexdeck.game(name, 3).match(6, backend=BACKEND), random.Random(6), [], much(4, 20)
    while not match.over and len(asked) < much(6, 12):
        seat, s = match.acting[0], match.struct
        moves = [move for move in match.legal(seat) if move.name.startswith("play")]
        if len(match.acting) == 1 and moves and s.leader >= 0 and (seat + 2) % 3 == s.leader and s.deal < 3:
            for move in moves[:2]:
                exact = 100 * share(match, seat, move.id, worlds)
                assert reason(match, seat, move.name, worlds).args["n"] == pytest.approx(exact, abs=1)
                asked.append(exact)
        match.play(seat, rng.choice(match.legal_ids(seat)))
    assert len({round(exact) for exact in asked}) > 2


def share(match: Match, seat: int, action: int, count: int) -> float:
    """How often a card takes all when each card of the last player is really played in each world."""
    worlds, rules = Worlds(match.game, match.concealed(seat), seat, count), match.game.rules
    last, shares = (seat + 1) % match.game.players, []
    for world in worlds:
        at = match.copy_position()
        at.load_position(raw(worlds._rows)[3])
        at.play(seat, action)
        legal = at.legal_ids(last)
        times = [world.hand[last, id - rules.CARD] if hasattr(rules, "KINDS") else 1 for id in legal]
        took = [takes(at.copy(), last, id, seat) for id in legal]
        shares.append(sum(itertools.compress(times, took)) / sum(times))
    return sum(shares) / len(shares)


def takes(world: Match, seat: int, action: int, taker: int = -1) -> bool:
    """Whether the last card of a trick lets its player, or another seat, take it: the table says who did."""
    before = world.length
    world.play(seat, action)
    said = [str(text) for text in world.facts(seat if taker < 0 else taker, before)]
    return any(text.startswith(("You win the trick", "Your card is strongest")) for text in said)


def test_high_handed_tells_the_points_that_a_placement_scores() -> None:
    match, rng, scored = hexdeck.game("high-handed", 2).match(2, backend=BACKEND), random.Random(2), 0
    while not match.over:
        seat = match.actor
        moves = match.legal(seat)
        if match.struct.picked >= 0 and moves[0].cell and match.struct.picked < 52:
            best = max(moves, key=lambda move: move.points or 0)
            before = match.struct.score[seat]
            given = reason(match, seat, best.name, 1)
            match.play(seat, best)
            assert given.args["points"].args["n"] == match.struct.score[seat] - before
            scored += given.args["points"].args["n"] > 0
        else:
            match.play(seat, rng.choice(moves))
    assert scored > 5


def test_a_few_worlds_that_agree_are_no_certainty() -> None:
    won = np.array([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]] * 5)
    weighed = PairedValues((4, 5, 6), won)
    assert weighed.value(5) == (0, 0.3) and weighed.value(4) == (1, 0.3)
    assert weighed.value(6) == (0.5, pytest.approx(t_quantile(9) * won[:, 2].std(ddof=1) / 10**0.5))
    assert PairedValues((4,), np.ones((10, 1))).value(4) == (1, 0)


def test_a_difference_seen_in_a_few_worlds_alone_is_no_certainty() -> None:
    assert PairedValues((4, 5), np.array([[1.0, 0.0]] * 2)).difference(4, 5) == (1, 1.5)
    assert PairedValues((4, 5), np.array([[1.0, 0.0]] * 30)).difference(4, 5) == (1, 0.1)
    won = np.array([[1.0, 0.0], [0.0, 1.0]] * 50)
    assert PairedValues((4, 5), won).difference(4, 5) == estimate(won[:, 0] - won[:, 1])


def after_choices(players: int, most: int, left: int | None = None) -> Match:
    """A random match of High Handed in which so many choices were made, or but for some all, and another is due."""
    match, rng, before = hexdeck.game("high-handed", players).match(3, backend=BACKEND), random.Random(3), list[Match]()
    while not match.over and (left is not None or len(before) <= most):
        ids = match.legal_ids(match.actor)
        if len(ids) > 1:
            before.append(match.copy_position())
        match.play(match.actor, rng.choice(ids))
    return before[most] if left is None else before[-left]


@for_each("players", [2, 4, 6])
def test_a_hint_at_the_last_choice_tells_the_result(players: int) -> None:
    match = after_choices(players, 0, left=1)
    seat = match.actor
    advised = advise(match, seat).moves
    assert len(advised) > 1
    for each in advised:
        there = match.copy_position()
        there.play(seat, each.action)
        while not there.over:
            there.play(there.actor, there.legal_ids(there.actor)[0])
        assert each.value == there.returns()[seat]


@for_each(("left", "share"), [(40, 1.0), (6, 0.0)])
def test_what_stopped_games_lack_is_added_to_them_and_to_no_others(left: int, share: float) -> None:
    match = after_choices(2, 0, left)
    seat, moves = match.actor, match.legal_ids(match.actor)[:2]
    known, game = match.concealed(seat), match.game
    points, margin = lacking(game, known)
    assert points > 1 and margin > 0
    with_it, without = (
        PairedEvaluator(game, 1, "fast", lacking=added).evaluate(known, seat, moves, 12)
        for added in (functools.partial(lacking, game), nothing)
    )
    for move in moves:
        (value, wide), (plain, narrow) = with_it.value(move), without.value(move)
        assert value - plain == pytest.approx(share * points)
        assert wide == pytest.approx(((narrow or 0) ** 2 + (share * margin) ** 2) ** 0.5)
    assert with_it.difference(*moves) == pytest.approx(without.difference(*moves))


def test_nothing_lacks_where_games_are_played_to_their_end_or_nobody_has_measured() -> None:
    usual = hexdeck.game("high-handed", 4)
    others = [usual.variant(2, length="first_to_two"), usual.variant(teams=2), usual.variant(length="double")]
    for game in (*others, usual.variant(3, blind=0), hexdeck.game("hawthorn")):
        match = game.match(1, backend=BACKEND)
        assert lacking(game, match.concealed(match.actor)) == (0, 0)


def test_two_that_begin_are_as_far_ahead_as_games_say() -> None:
    match = after_choices(2, 0)
    assert lacking(match.game, match.concealed(match.actor))[0] == pytest.approx(0)
    assert lacking(match.game, after_choices(2, 40).concealed(0))[0] > 3
    for players in (3, 4, 5, 6):
        several = after_choices(players, 0)
        assert lacking(several.game, several.concealed(several.actor))[0] < -5
