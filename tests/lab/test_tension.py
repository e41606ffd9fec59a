"""Tension and the shape of a match: what is measured of known games, and that planted rules are found."""

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.study import CHIPS
from hexdeck.games.hawthorn import rules as hawthorn
from hexdeck.lab import tension
from hexdeck.lab.counts import CARDS, minutes, place_shares_of, places_shared
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.lab.reporting.shape import (
    SHAPE,
    alike,
    apart,
    comebacks,
    dead_time,
    decides,
    decisiveness,
    drama,
    lead,
    lead_changes,
    longest_wait,
    out_of_play,
    swing,
)
from hexdeck.lab.reporting.tables import MEASURES, fields_of
from hexdeck.lab.tension import ChoiceShape, MatchAnalyser, MatchAnalysis, shape_of
from tests.lab.test_report import part, sure
from tests.settings import much

# --- how tense it was -------------------------------------------------------------------------------------------------
Rows = list[list[float]]
UP: Rows = [[0.5, 0.5], [0.4, 0.6], [0.7, 0.3], [0.9, 0.1]]  # seat 1 wins: it was behind once
OVER: Rows = [[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7], [0.7, 0.2, 0.1]]


def certain(rows: Rows, winner: int = 0, place: int = 0) -> MatchAnalysis:
    """A match whose chances are known without noise; `place` is the one that they are of."""
    chances, end = np.array(rows), np.eye(len(rows[0]))[winner]
    both = [chances, 1 - chances] if place == 0 else [1 - chances, chances]
    return MatchAnalysis(np.arange(len(rows)) / len(rows), np.array([both, both]), np.array([end, end]), ())


def estimated(rng: np.random.Generator, rows: Rows, worlds: int, winner: int = 0) -> MatchAnalysis:
    halves = [[rng.multinomial(worlds // 2, row) / (worlds // 2) for row in rows] for _half in range(2)]
    both = np.array([[half, half] for half in halves])
    end = np.eye(len(rows[0]))[winner]
    return MatchAnalysis(np.arange(len(rows)) / len(rows), both, np.array([end, end]), ())


def test_what_is_measured_of_known_chances() -> None:
    assert swing(certain(UP), 0) == pytest.approx((0.01 + 0.09 + 0.04) / 3)
    assert drama(certain(UP), 0) == pytest.approx(0.2 / 4)  # behind by 0.2 at one of four moments
    assert lead_changes(certain(UP), 0) == 1.5  # from a tie to seat 2, which is half a change, and back
    assert decisiveness(certain(UP), 0) == 0.5  # 0.7 is more than the other ever had
    assert lead_changes(certain(OVER), 0) == 3 and decisiveness(certain(OVER), 0) == 0.0
    assert decisiveness(certain(OVER, winner=1), 0) == 1.0
    for measure in (swing, drama, lead_changes, decisiveness):
        assert measure(certain(UP, place=1), 1) == measure(certain(UP), 0)


def test_moments_and_winners_that_are_missing_are_no_error() -> None:
    none = MatchAnalysis(np.zeros(0), np.zeros((2, 2, 0, 3)), np.eye(2, 3), ())
    assert [measure(none, 0) for measure in (swing, drama, lead_changes, decisiveness)] == [0, 0, 0, 1]
    nobody = MatchAnalysis(np.zeros(2), np.full((2, 2, 2, 3), 1 / 3), np.zeros((2, 3)), ())
    assert [measure(nobody, 0) for measure in (swing, drama, lead_changes, decisiveness)] == [0, 0, 0, 1]
    shared = MatchAnalysis(np.zeros(2), np.full((2, 2, 2, 3), 1 / 3), np.ones((2, 3)), ())
    assert decisiveness(shared, 0) == 1


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("measure", [swing, drama, lead_changes])
def test_games_without_tension_have_none_in_the_mean(players, measure) -> None:
    rng, rows = np.random.default_rng(players), [[1 / players] * players] * 12
    found = np.array([measure(estimated(rng, rows, 32), 0) for _ in range(much(400, 2000))])
    assert abs(found.mean()) < 4 * found.std(ddof=1) / len(found) ** 0.5
    noisy = np.array([swing(once(estimated(rng, rows, 32)), 0) for _ in range(100)])
    assert noisy.mean() > 0.005  # which is what one estimate alone would call a swing


def once(analysis: MatchAnalysis) -> MatchAnalysis:
    return MatchAnalysis(analysis.when, np.array([analysis.halves[0]] * 2), analysis.end, ())


@pytest.mark.parametrize(
    ("measure", "rows", "close"),
    [
        (swing, UP[1:], 0.01),
        (swing, OVER, 0.01),
        (drama, UP[1:], 0.03),
        (drama, OVER, 0.03),
        (lead_changes, OVER, 0.2),
        (decisiveness, UP[1:], 0.1),
        (decisiveness, OVER, 0.1),
    ],
)
def test_few_worlds_find_what_many_do(measure: Callable[[MatchAnalysis, int], float], rows: Rows, close: float) -> None:
    rng, truth = np.random.default_rng(1), measure(certain(rows), 0)
    for worlds in (32, 64, 512):
        found = np.mean([measure(estimated(rng, rows, worlds), 0) for _ in range(much(300, 3000))])
        assert found == pytest.approx(truth, abs=close), worlds


# --- the shape of a match ---------------------------------------------------------------------------------------------
SEATS, PARTS = 3, 24  # of the made-up game
ALIKE, OUT = ChoiceShape(True, False), ChoiceShape(False, True)
KING = ChoiceShape(False, True, np.tile(np.eye(2), (40, 1, 1)))  # either move makes another of two win


# --- the choices --------------------------------------------------------------------------------------------------


def choice(shares: list[list[float]], rng: np.random.Generator, worlds: int = 40) -> np.ndarray:
    """Results of a choice with these chances of winning, a row for each move; others than the winner get nothing."""
    seats = len(shares[0])
    winners = np.stack([rng.choice(seats, worlds, p=row) for row in shares], axis=1)
    return np.eye(seats)[winners]


def test_choices_have_the_shape_that_was_planted() -> None:
    rng = np.random.default_rng(1)
    king = shape_of(choice([[0, 0.9, 0.1], [0, 0.1, 0.9]], rng), 0, 0)
    assert king == ChoiceShape(True, True) and decides(king)
    usual = shape_of(choice([[0.5, 0.4, 0.1], [0.5, 0.1, 0.4]], rng), 0, 0)
    assert usual == ChoiceShape(False, False) and not decides(usual)
    assert decides(shape_of(1 - choice([[0, 0.9, 0.1], [0, 0.1, 0.9]], rng), 0, 1))  # the same of who loses
    same = np.repeat(choice([[0, 0.5, 0.5]], rng), 2, axis=1)
    nothing = shape_of(same, 0, 0)
    assert nothing == ChoiceShape(True, True) and not decides(nothing)  # nothing depends on it, for nobody
    points = same + np.array([[0, 0, 0], [-1, 0, 0]])
    assert shape_of(points, 0, 0) == ChoiceShape(False, True)  # out, and yet points are lost
    assert place_shares_of(np.array([[[2.0, 2.0, 1.0]]]), 0).tolist() == [[[0.5, 0.5, 0.0]]]


def test_choices_are_dead_under_a_rule_that_spares_everybody_all_payments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tension, "MOMENTS", 3)
    monkeypatch.setattr(tension, "TRIALS", 4)
    monkeypatch.setattr(tension, "WORLDS", 2)
    monkeypatch.setattr(tension, "FRESH", 2)
    setup = SimulationSetup(hexdeck.game("hawthorn", 2), "random", 2, backend="interpreted")

    def dead() -> list[bool]:
        analysed = [MatchAnalyser(setup).analyse(match, k) for k, match in enumerate(matches(setup, much(2, 8)))]
        return [each.alike for analysis in analysed for each in analysis.shapes]

    assert not all(dead())
    monkeypatch.setattr(hawthorn, "_pay", lambda _s, _seat, _amount: None)
    planted = dead()
    assert planted and all(planted)


# --- leads --------------------------------------------------------------------------------------------------------
def test_what_chances_alone_leave_out_is_declared_to_be_of_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tension, "TRIALS", 4)
    monkeypatch.setattr(tension, "FRESH", 2)
    setup = SimulationSetup(hexdeck.game("hawthorn", 3), "random", 2, backend="interpreted")
    match, analyser = next(matches(setup, 1)), MatchAnalyser(setup)
    deep, plain = analyser.analyse(match, 0), analyser.chances(match, 0)
    for measure in (each for each in MEASURES if each.of_match is not None):
        value, without = measure(deep, 0), measure(plain, 0)
        assert np.isfinite(value) and (np.isnan(without) if measure.deep else without == value), measure.name


def known(rows: list[list[float]], winner: int, low: float | None = None) -> MatchAnalysis:
    chances, end = np.array(rows), np.eye(len(rows[0]))[winner]
    when = np.arange(len(rows)) / len(rows)
    return MatchAnalysis(when, np.array([[chances, 1 - chances]] * 2), np.array([end, 1 - end]), (), low)


def test_leads_and_comebacks_of_known_chances() -> None:
    one = known([[0.4, 0.3, 0.3], [0.2, 0.4, 0.4], [0.1, 0.1, 0.8], [0, 0, 1]], 2, 0.15)
    assert [lead(one, 0, at) for at in (0.0, 0.25, 0.5, 0.75)] == [0.0, 0.5, 1.0, 1.0]
    other = known([[0.6, 0.2, 0.2]] * 4, 0, 0.6)
    assert [lead(each, 0, 0.5) for each in (one, other)] == [1.0, 1.0]
    assert [comebacks(each, 0) for each in (one, other)] == [1, 0] and np.isnan(comebacks(known([[1, 0, 0]], 0), 0))
    assert comebacks(replace(one, low=0.34), 1) == 0  # a third is half of a fair chance to be safe
    assert np.isnan(lead(MatchAnalysis(np.zeros(0), np.zeros((2, 2, 0, 3)), np.eye(2, 3), ()), 0, 0.5))


def test_how_long_leads_last_where_all_parts_count_alike() -> None:
    assert alike((0.5, 0.5), 0.5) == pytest.approx(0.75, abs=0.01)  # the arcsine law
    assert alike((0.25,) * 4, 1.0) == 1.0 and alike((0.25,) * 4, 1e-9) == pytest.approx(0.25, abs=0.01)
    assert alike((0.7, 0.3), 1e-9) == pytest.approx(0.7, abs=0.01)  # the better seat leads from the beginning
    assert alike((0.25,) * 4, 0.5) < alike((0.6, 0.2, 0.1, 0.1), 0.5)


def scored(rng: np.random.Generator, scores: np.ndarray, parts: int, power: float) -> np.ndarray:
    """Scores after so many more parts: each gives a point to a seat, the likelier the more it has, by the power."""
    scores = scores.copy()
    for _part in range(parts):
        weights = (1.0 + scores) ** power
        reached = weights.cumsum(axis=-1)
        drawn = rng.random((*scores.shape[:-1], 1)) * reached[..., -1:]
        scores += (drawn < reached) & (drawn >= reached - weights)
    return scores


def raced(rng: np.random.Generator, power: float, games: int, worlds: int = 64) -> tuple[MatchAnalysis, ...]:
    """Matches of the made-up game, with chances estimated at twelve moments, in so many worlds."""
    scores, halves = np.zeros((games, SEATS)), []
    for done in range(0, PARTS, 2):
        ends = scored(rng, np.repeat(scores[:, None], worlds, axis=1), PARTS - done, power)
        halves.append([[places_shared(each[half::2]).mean(axis=1) for each in ends] for half in range(2)])
        scores = scored(rng, scores, 2, power)
    chances, when = np.array(halves).transpose(2, 1, 3, 0, 4), np.arange(0, PARTS, 2) / PARTS
    return tuple(
        MatchAnalysis(when, chances[k], places_shared(scores[k]), (), gaps=CHIPS.gaps(scores[k])) for k in range(games)
    )


def fair_part() -> ReportPart:
    return part(np.random.default_rng(3), [1 / SEATS] * SEATS, games=600)


def kinds(one: ReportPart) -> set[str]:
    return {each.kind for each in sure(one)}


def test_a_runaway_rule_is_found_and_a_fair_game_has_none() -> None:
    rng, plain, runs = np.random.default_rng(4), fair_part(), much(3, 100)
    for power, least, most in ((0.0, 0, max(1, runs // 20)), (1.5, runs - 1, runs)):
        found = [kinds(replace(plain, analyses=raced(rng, power, 80))) for _ in range(runs)]
        assert least <= sum("lead_50" in each for each in found) <= most, power
    (said,) = (str(each.text) for each in sure(replace(plain, analyses=raced(rng, 1.5, 80))) if each.kind == "lead_50")
    assert "leads feed themselves" in said and "if every part of a game counted alike" in said


@pytest.mark.parametrize("worlds", much([64], [64, 1024]))
def test_leads_in_a_game_that_counts_alike_last_as_long_as_they_should(worlds: int) -> None:
    rng, games = np.random.default_rng(5), much(300, 3000) if worlds == 64 else 100
    found = np.array([lead(each, 0, 0.5) for each in raced(rng, 0.0, games, worlds)])
    error = found.std(ddof=1) / games**0.5
    assert abs(found.mean() - alike((1 / SEATS,) * SEATS, 0.5)) < 3.5 * error


# --- the course ---------------------------------------------------------------------------------------------------
def went(acted: list[int], results: list[float]) -> MatchAnalysis:
    blank = np.zeros((2, 2, 0, len(results)))
    gaps = CHIPS.gaps(np.array(results))
    return MatchAnalysis(np.zeros(0), blank, np.zeros((2, len(results))), (), None, (), np.array(acted), gaps)


def test_who_waits_and_who_is_ahead_at_the_end() -> None:
    one = went([0, 1, 2, 0, 1, 0, 0, 1, 0, 0], [5.0, -2.0, 1.0])
    assert (out_of_play(one, 0), longest_wait(one, 0)) == pytest.approx((0.7, 0.2))  # not to the end
    assert out_of_play(went([0, 0], [0.0, 0.0]), 0) == 1.0  # who never decides is out from the start
    back = went([0, 1, 1, 1, 1, 1, 1, 1, 0, 1], [0.0, 0.0])
    assert out_of_play(back, 0) == pytest.approx(0.1) and longest_wait(back, 0) == 0.7
    assert (apart(one, 0, 1), apart(one, 0, -1)) == (4.0, 7.0)


@pytest.mark.parametrize("players", [2, 3])
def test_points_apart_are_told_once_where_utilities_are_leads(players: int) -> None:
    match, rng = hexdeck.game("high-handed", players).match(4, backend="interpreted"), random.Random(4)
    while not match.over:
        match.play(match.actor, rng.choice(match.legal_ids(match.actor)))
    score = [int(match.struct.score[seat]) for seat in range(players)]
    analysis = replace(went([0], [0.0]), gaps=match.game.measure.gaps(np.array(match.returns())))
    ordered = sorted(score, reverse=True)
    assert ordered[0] > ordered[1]
    assert (apart(analysis, 0, 1), apart(analysis, 0, -1)) == (ordered[0] - ordered[1], ordered[0] - ordered[-1])


def test_dead_time_is_that_of_whoever_is_lost_first_and_for_good() -> None:
    one = known([[0.4, 0.3, 0.3], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.0, 0.5]], 2)  # lost twice: that isn't sure
    assert dead_time(one, 0) == 0.5
    assert dead_time(known([[0.4, 0.3, 0.3]] * 4, 0), 0) == 0
    two = known([[0.4, 0.3, 0.3], [0.6, 0.0, 0.4], [0.9, 0.0, 0.1], [1, 0, 0]], 0)
    assert dead_time(two, 0) == 0.75
    half = two.halves.copy()
    half[1, 0, 1, 1] = 0.1  # in the other half of the worlds it still comes first
    assert dead_time(replace(two, halves=half), 0) == 0.5
    loser = known([[0.4, 0.3, 0.3], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]], 1)
    last = replace(loser, halves=loser.halves[:, ::-1], end=loser.end[::-1])  # these are the chances of losing
    assert dead_time(last, 1) == 0.75 == dead_time(two, 1)
    assert np.isnan(dead_time(MatchAnalysis(np.zeros(0), np.zeros((2, 2, 0, 3)), np.eye(2, 3), ()), 0))


def shaped(shapes: list[ChoiceShape], games: int = 60) -> tuple[MatchAnalysis, ...]:
    """Matches of which so many choices were looked at, a game of ordinary turns otherwise."""
    ones = [known([[0.4, 0.3, 0.3]] * 4, winner, 0.1) for winner in range(SEATS)]
    acted, results = np.arange(60) % SEATS, np.array([3.0, 2.0, 0.0])
    return tuple(
        replace(ones[k % SEATS], shapes=tuple(shapes), acted=acted, gaps=CHIPS.gaps(results)) for k in range(games)
    )


def test_kingmaking_dead_decisions_and_long_waits_are_found_where_they_are_common() -> None:
    plain, usual = fair_part(), ChoiceShape(False, False)
    assert kinds(replace(plain, analyses=shaped([usual] * 4))) == set()
    assert kinds(replace(plain, analyses=shaped([OUT, usual, usual, usual]))) == set()
    assert kinds(replace(plain, analyses=shaped([KING, usual, usual, usual]))) == {"kingmaking"}
    assert kinds(replace(plain, analyses=shaped([ALIKE, ALIKE, usual, usual]))) == {"dead"}
    rare = tuple(replace(each, low=0.3) for each in shaped([usual] * 4, 200))
    assert kinds(replace(plain, analyses=rare)) == {"comebacks"}
    idle = tuple(replace(each, acted=np.array([0, 1, 2, *[0, 1] * 20])) for each in shaped([usual] * 4))
    wait = 40 / 43 * minutes(plain.statistics, CARDS).total
    assert kinds(replace(plain, analyses=idle)) == ({"out_of_play"} if wait >= 3 else set())
    assert wait >= 3, "the made-up game takes long enough"
    lost = known([[0.4, 0.3, 0.3], [0.6, 0.0, 0.4], [0.9, 0.0, 0.1], [1, 0, 0]], 0).halves
    for each, found in ((shaped([usual] * 4), "dead_time"), (idle, "out_of_play")):  # who is out doesn't play on
        seen = kinds(replace(plain, analyses=tuple(replace(one, halves=lost) for one in each)))
        assert seen & {"dead_time", "out_of_play"} == {found}
    once = replace(plain, statistics=deepcopy(plain.statistics), analyses=idle)
    once.statistics.moments.sums[once.statistics.names.index(("turns", 0))] = 0
    assert "out_of_play" not in kinds(once)  # where most have one turn, nobody is done before the others


def test_the_table_says_what_was_measured_and_nothing_of_few_games() -> None:
    plain = fair_part()
    (table,) = SHAPE.sections(replace(plain, analyses=raced(np.random.default_rng(6), 0.0, 40)))
    assert str(table.rows[1][0]) == "who is likeliest to win halfway comes first" and "(usual: 6" in str(
        table.rows[1][1]
    )
    assert not [*SHAPE.sections(replace(plain, analyses=raced(np.random.default_rng(6), 0.0, 9)))]
    data = {each["measure"]: each for each in fields_of(replace(plain, analyses=shaped([KING, OUT])), SHAPE.measures)}
    assert data["kingmaking"]["value"] == 0.5 and data["out"]["value"] == 1.0 and 0.6 < data["lead_50"]["usual"] < 0.7
    two = replace(plain, game=hexdeck.game("high-handed", 2), analyses=shaped([KING]))
    assert not any(
        "kingmaking" in str(row[0]) for table in SHAPE.sections(two) for row in table.rows
    )  # nobody between others
