"""Why results are as they are: sources that add up, and findings only where a card or an action stands out."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends.kernels_games import EVERYTHING
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.study import Account, Source
from hexdeck.engine.text import say
from hexdeck.games.hawthorn import rules as hawthorn
from hexdeck.lab.causes import STUDIED, CauseStudy, Ledger, Ratios, accounts_of, gap, study_causes
from hexdeck.lab.counts import collect
from hexdeck.lab.log import AT_ONCE, Player, SimulationSetup, card_names, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting.figures import sources
from hexdeck.lab.reporting.findings import Tests as Asked
from hexdeck.lab.reporting.findings import findings
from hexdeck.lab.reporting.measures import Finding, questions_of
from hexdeck.lab.reporting.report import Plan, Report, ReportPart
from hexdeck.lab.reporting.tables import ACTIONS, CARDS_USED
from hexdeck.lab.tension import JudgedChoice, MatchAnalysis
from hexdeck.simulation.game import Game
from hexdeck.stats import Estimate, holm, p_below, p_beyond
from tests.settings import GAMES, every_game, much, option_sets

BACKEND = "fast"


def setup_of(game: Game, bots: str = "random", seed: int = 1, backend: str = BACKEND) -> SimulationSetup:
    return SimulationSetup(game, bots, seed, backend=backend)


# --- games that are logged --------------------------------------------------------------------------------------------
def test_the_cards_of_a_hand_have_the_names_of_those_that_are_dealt() -> None:
    found = {name: len(card_names(hexdeck.game(name, 4))) for name in GAMES}
    assert found == {
        "high-handed": 54,
        "hawthorn": 10,
        "blackstone": 0,
        "cursed-hand": 10,
        "black-hearts": 18,
        "wolf-mans-curse": 40,
    }
    game = hexdeck.game("high-handed", 3)
    match, steps = next(matches(setup_of(game), 1)), Player(setup_of(game), EVERYTHING).log(0, 1)
    match.go(match.length - sum(event.seat >= 0 for event in match.events))  # somewhere in it
    held = {name for name, has in zip(card_names(game), steps.hands[0], strict=True) if has}
    dealt = [event for event in match.events[:21] if event.seat < 0][steps.seat[0] :: 3]
    assert held == {game.rules.OUTCOMES[event.id].removeprefix("card ") for event in dealt}


# --- rows that add up -------------------------------------------------------------------------------------------------
def variants(name: str) -> Iterator[Game]:
    """A game with each of its options changed, each with a number of players that allows it."""
    least, most = hexdeck.game(name).rules.PLAYERS
    for k, options in enumerate(option_sets(name)):
        for players in (least + k % (most - least + 1), *range(least, most + 1)):
            try:
                yield hexdeck.game(name, players, **options)
            except hexdeck.BadOption:
                continue
            break


@every_game
def test_the_sources_add_up_to_the_total(name: str) -> None:
    something = False
    for game in variants(name):
        steps = Player(setup_of(game), EVERYTHING).log(0, much(5, 100))
        for account in accounts_of(game):
            ledger = Ledger(account)
            ledger.add(game, steps)
            assert np.array_equal(ledger.amounts.sum(axis=2), ledger.totals), (game.options, account.title)
            something |= bool(ledger.totals.any())
            if str(account.unit) == "chips":
                assert np.array_equal(ledger.totals, steps.results)
    assert something


def test_a_source_that_is_left_out_is_an_error_in_one_sentence() -> None:
    game = hexdeck.game("hawthorn", 3)
    steps, (account,) = Player(setup_of(game), EVERYTHING).log(0, 20), accounts_of(game)
    short = "hawthorn: hints.py: the sources of “Chips by source” don't add up to its total."
    with pytest.raises(BrokenGame, match=re.escape(short)):
        Ledger(replace(account, sources=account.sources[1:])).add(game, steps)


def test_slow_bots_are_looked_at_in_few_games_and_an_interrupt_leaves_what_is_done() -> None:
    game = hexdeck.game("blackstone", 3)
    assert study_causes(setup_of(game, "gentle"), 600, lambda: True).games == AT_ONCE
    assert study_causes(setup_of(game, "search:2"), 10_000, lambda: True).games < AT_ONCE
    assert study_causes(setup_of(game), 10_000).games == STUDIED


# --- why a seat is ahead ----------------------------------------------------------------------------------------------
def made_up(amounts: np.ndarray) -> Ledger:
    names = [Source(say("a"), lambda _steps: amounts), Source(say("b"), lambda _steps: amounts)]
    ledger = Ledger(Account(say("Points"), say("points"), lambda ends: ends, tuple(names)))
    ledger._sources, ledger._totals = [amounts], [amounts.sum(axis=2)]
    ledger._beside = [np.zeros((*amounts.shape[:2], 0))]
    return ledger


def winners(totals: np.ndarray) -> np.ndarray:
    best = totals == totals.max(axis=1, keepdims=True)
    shares: np.ndarray = best / best.sum(axis=1, keepdims=True)
    return shares


def test_the_source_that_was_given_more_to_a_seat_is_named() -> None:
    rng = np.random.default_rng(1)
    amounts = rng.normal(5, 3, (2000, 4, 3))
    amounts[:, 2, 1] += 1.0
    found = gap(made_up(amounts), winners(amounts.sum(axis=2)), True, 6)
    assert found.best == 2 and found.p < 0.01 and found.largest == (1,)
    assert 0.7 < found.sources[1].value < 1.3 and found.sources[1].low > 0.5
    assert sum(each.value for each in found.sources) == pytest.approx(found.total.value)


def test_seats_that_are_alike_differ_by_nothing_in_nineteen_of_twenty_runs() -> None:
    rng, runs = np.random.default_rng(3), much(100, 2000)
    sure = 0
    for _ in range(runs):
        amounts = rng.normal(5, 2, (300, 4, 3))
        sure += gap(made_up(amounts), winners(amounts.sum(axis=2)), True, 6).p < 0.05
    assert sure <= runs / 50  # without the correction for pairs of seats it is one in twenty


@pytest.fixture(scope="module")
def six() -> tuple[ReportPart, Report]:
    return part_of(hexdeck.game("high-handed", 6), "house", much(400, 2000))


def part_of(game: Game, bots: str, games: int, seed: int = 1, backend: str = BACKEND) -> tuple[ReportPart, Report]:
    """A part of a report on some games, of which nothing was analysed, and the report."""
    setup = setup_of(game, bots, seed, backend)
    found, messages = collect(setup, games), MessageCounts(game)
    for number, match in enumerate(matches(setup, 3)):
        messages.add(match)
        messages.add_labels(match, number)
    part = ReportPart(game, found, messages, game.measure, setup.seated, causes=study_causes(setup, games))
    return part, Report(Plan(), (part,))


@pytest.mark.long
def test_high_handed_for_six_is_explained(six: tuple[ReportPart, Report]) -> None:
    part, report = six
    (found,) = Asked(report).why(part)
    said = str(found.text)
    assert found.players == (6,) and "seat 4 worst" in said and "later turns with a full hand (" in said
    assert said.endswith(".") and "turns 8.7 and 7." in said and "cards played 9." in said
    assert part.causes is not None
    table = sources(report, part, part.causes, part.causes.ledgers[0], 0)
    assert table.total == 3 and str(table.rows[3][0]) == "all together" and len(table.heads) == 8
    for column in range(1, 7):
        figures = [float(str(row[column]).replace("\u2212", "-")) for row in table.rows[:4]]
        assert sum(figures[:3]) == pytest.approx(figures[3], abs=0.16)  # each is rounded to a tenth
    assert [str(row[0]) for row in table.rows[4:]] == ["turns", "cards played", "comes first"]


def test_nothing_is_said_of_seats_with_different_bots(six: tuple[ReportPart, Report]) -> None:
    part = replace(six[0], bots=("house",) * 5 + ("random",))
    assert not Asked(Report(Plan(), (part,))).why(part)


# --- many questions ---------------------------------------------------------------------------------------------------
def test_holm_stops_at_the_first_question_that_fails() -> None:
    assert holm([]) == [] and holm([0.04]) == [True]
    assert holm([0.01, 0.04, 0.03]) == [True, False, False]  # 0.01 < 0.05/3, but 0.03 > 0.05/2
    assert holm([0.01, 0.02, 0.03]) == [True, True, True]
    assert holm([0.02, 0.02]) == [True, True]
    assert holm([0.03, 0.2], [0.8, 0.2]) == [True, False] != holm([0.03, 0.2], [0.5, 0.5])


def test_p_values_are_those_of_the_interval() -> None:
    edge = Estimate(1.0, 0.0, 2.0, 100)
    assert p_beyond(edge, 0.0) == pytest.approx(0.053, abs=5e-4) and p_below(edge, 0.0) == 1.0  # t of 1.96, 99 degrees
    assert p_below(edge, 2.0) == p_beyond(edge, 0.0) and p_beyond(replace(edge, count=10**6), 0.0) == pytest.approx(
        0.05, abs=1e-5
    )
    assert p_beyond(Estimate(float("nan"), float("-inf"), float("inf"), 0), 0.0) == 1.0
    assert p_beyond(Estimate(1.0, float("-inf"), float("inf"), 1), 0.0) == 1.0


# --- cards ------------------------------------------------------------------------------------------------------------
Found = dict[str, set[str]]


def stand_out(game: Game, games: int, backend: str = BACKEND, seed: int = 1, bots: str = "random") -> Found:
    """Which cards and actions stand out in some games, by what they are found to be."""
    return standing_out(part_of(game, bots, games, seed, backend)[0])


def standing_out(part: ReportPart) -> Found:
    """Which cards and actions stand out in a part, by what they are found to be."""
    assert part.causes is not None
    measures = [each for table in (CARDS_USED, ACTIONS) for each in (*table.measures, *table.hidden)]
    asked = [question for each in measures for question in questions_of(part, each)]
    out: Found = {}
    for each, sure in zip(asked, holm([each.p for each in asked]), strict=True):
        if sure:
            weak = each.kind == "dealt_gain" and each.found.value < 0
            out.setdefault("weak" if weak else each.kind, set()).add(each.tell().subject)
    return out


def unworthy(report: Report) -> list[Finding]:
    return [each for each in findings(Asked(report)) if each.kind in {"dealt_gain", "used", "chosen", "over_others"}]


@pytest.fixture(scope="module")
def unequal() -> list[ReportPart]:
    """Hawthorn for three and for four, in which one card was made too strong and another too weak."""
    deal = hawthorn._deal

    def planted(s: Any, rank: int) -> None:
        s.purse[s.turn] += 30 * (rank == 2) - 30 * (rank == 6)
        deal(s, rank)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hawthorn, "_deal", planted)
        return [
            part_of(hexdeck.game("hawthorn", n), "random", much(200, 400), backend="interpreted")[0] for n in (3, 4)
        ]


@pytest.mark.long
def test_a_card_that_was_made_too_strong_or_too_weak_is_found(unequal: list[ReportPart]) -> None:
    found = standing_out(unequal[0])
    assert found["dealt_gain"] == {"3"} and found["weak"] == {"7"}


def test_a_card_that_nobody_can_use_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = hawthorn.list_cards

    def planted(s: Any, seat: int, base: int, actions: Any, count: int) -> int:
        fives, others = s.hand[seat, 4], s.held[seat] - s.hand[seat, 4]
        s.hand[seat, 4] = 0 if others else fives
        count = listed(s, seat, base, actions, count)
        s.hand[seat, 4] = fives
        return count

    monkeypatch.setattr(hawthorn, "list_cards", planted)
    found = stand_out(hexdeck.game("hawthorn", 2), much(300, 500), "interpreted")
    assert found["used"] == {"5"} and "dealt_gain" not in found


@pytest.mark.long
def test_in_high_handed_the_thief_costs_and_the_two_timer_brings() -> None:
    part, report = part_of(hexdeck.game("high-handed", 3), "house", much(250, 2000))
    assert part.causes is not None
    gains = {name: part.causes.cards.dealt_gain.estimate(k) for k, name in enumerate(part.causes.cards.names)}
    assert gains["thief"].high < 0 < gains["two-timer"].low
    assert str(part.causes.labels["thief"]) == "Thief" and str(part.causes.labels["7d"]) == "7d"
    if part.causes.games > 1000:
        said = " ".join(str(each.text) for each in unworthy(report))
        assert "Two Timer may be too strong" in said and "Thief may be too weak" in said


@pytest.mark.long
def test_a_game_where_nothing_stands_out_gives_no_finding_in_nineteen_of_twenty_runs() -> None:
    runs, games = much(20, 200), 150  # so few that luck alone often brings a card a lot
    wrong = sum(bool(stand_out(hexdeck.game("hawthorn", 4), games, seed=seed)) for seed in range(runs))
    assert wrong <= runs / 20


def test_what_is_sure_with_several_numbers_of_players_is_one_sentence(unequal: list[ReportPart]) -> None:
    strong, weak = sorted(unworthy(Report(Plan(), tuple(unequal))), key=lambda each: each.subject)
    text = str(strong.text)
    assert sorted(weak.players) == [3, 4] and str(weak.text).startswith("“7” may be too weak: ")
    assert sorted(strong.players) == [3, 4] and text.startswith(
        "“3” may be too strong: whoever is dealt it ends above the mean"
    )
    assert text.endswith(
        (" chips with 4 players; also with 3.", " chips with 3 players; also with 4.")
    )  # the larger first


# --- actions ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "found"), [(-2.0, {"over_others"}), (0.0, set()), (-0.02, set())])
def test_what_never_pays_is_a_finding(value: float, found: set[str]) -> None:
    game = hexdeck.game("hawthorn", 3)
    part, _report = part_of(game, "random", 200)
    assert part.causes is not None
    take, fold = game.rules.ACTIONS.index("take"), game.rules.ACTIONS.index("fold")
    rng = np.random.default_rng(7)
    blank = MatchAnalysis(np.zeros(0), np.zeros((2, 2, 0, 3)), np.zeros((2, 3)), ())
    values = np.array([0.0, 10 * value])
    made = tuple(
        replace(blank, judged=(JudgedChoice(take, (take, fold), values + rng.normal(0, 1, (2, 2))),) * 2)
        for _ in range(150)
    )
    assert standing_out(replace(part, analyses=made)) == {family: {"fold"} for family in found}


def test_an_action_that_nobody_chooses_is_found() -> None:
    part, _report = part_of(hexdeck.game("hawthorn", 3), "random", 1200)
    study: CauseStudy | None = part.causes
    assert study is not None
    fold = study.actions.names.index("fold")
    none = Ratios(
        [each * (np.arange(each.shape[1]) != fold) for each in study.actions.chosen.above], study.actions.chosen.below
    )
    changed = replace(study, actions=replace(study.actions, chosen=none))
    assert standing_out(replace(part, causes=changed))["chosen"] == {"fold"}
