"""Who starts and why: each game says it; what starting is worth is known only where chance decided who starts."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players.simulation_bots import SimulationBots
from hexdeck.engine.backends.kernels_games import EVERYTHING, NOBODY
from hexdeck.engine.study import ASSIGNED, DEALT, EARNED, LOT, UNSAID
from hexdeck.games.hawthorn import rules as hawthorn
from hexdeck.lab.counts import collect, count
from hexdeck.lab.kernels import STARTER
from hexdeck.lab.log import Player, SimulationSetup, log_of, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.pairs import compare
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.lab.reporting.tables import power, seats
from hexdeck.lab.studies import LEAST, StartStudy, add_log, decided_in, played_on, starting_of, study_starts
from hexdeck.simulation.game import Game
from tests.lab.test_report import sure
from tests.settings import every_game, much, small_game
from tests.support import for_each

BACKEND = "fast"


@for_each(
    ("name", "options", "how"),
    [
        ("hawthorn", {}, EARNED),
        ("cursed-hand", {}, EARNED),
        ("blackstone", {}, DEALT),
        ("black-hearts", {}, DEALT),
        ("wolf-mans-curse", {}, EARNED),
        ("high-handed", {}, ASSIGNED),
        ("high-handed", {"first": "lot"}, LOT),
        ("blackstone", {"sit_out": True, "stakes": "open"}, ASSIGNED),
    ],
)
def test_every_game_says_how_it_comes_about_who_starts(name: str, options: dict[str, object], how: str) -> None:
    found = starting_of(hexdeck.game(name, 4, **options))
    assert found.how == how != UNSAID and str(found.why)
    assert found.at_random == (how in (ASSIGNED, LOT)) and (found.between is None or found.chance is not None)


@every_game
def test_the_starter_is_the_one_that_is_counted(name: str) -> None:
    setup = SimulationSetup(small_game(name), "random", 3, backend=BACKEND)
    counted, log = count(Player(setup), 0, 8).counters[:, STARTER].tolist(), Player(setup, EVERYTHING).log(0, 8)
    assert [int(log.seat[row]) if row >= 0 else NOBODY for row in log.alone] == counted


# --- between whom chance decided --------------------------------------------------------------------------------------
def played(game: Game, count: int) -> Iterator[tuple[list[str], list[int], int]]:
    """Of some matches: what happened up to the start, the seats that chance decided between, and the starter."""
    between = starting_of(game).between
    assert between is not None
    for match in matches(SimulationSetup(game, "random", 5, backend=BACKEND), count):
        log = log_of(match)
        (row,) = log.alone
        match.go(log.plies[row])
        tied = np.flatnonzero(between(log.position[[row]])[0])
        names = [
            (game.rules.ACTIONS if event.seat >= 0 else game.rules.OUTCOMES)[event.id]
            for event in match.events[: match.ply]
        ]
        yield names, tied.tolist(), int(log.seat[row])


@pytest.mark.parametrize("tiebreak", ["stay", "discard"])
@pytest.mark.parametrize("players", [2, 5])
def test_in_hawthorn_chance_decides_between_those_tied_for_lowest(players: int, tiebreak: str) -> None:
    ties = 0
    for names, between, starter in played(hexdeck.game("hawthorn", players, tiebreak_cards=tiebreak), much(60, 400)):
        shown = [int(name.split()[1]) for name in names if name.startswith("show")]
        lowest = [seat for seat, card in enumerate(shown) if card == min(shown)]
        assert starter in lowest and (between == lowest if len(lowest) > 1 or tiebreak == "discard" else not between)
        ties += len(lowest) > 1
    assert ties > 1


@pytest.mark.parametrize("players", [2, 4])
def test_in_cursed_hand_a_lot_decides_between_the_highest_where_no_card_is_alone(players: int) -> None:
    lots = 0
    for names, between, starter in played(hexdeck.game("cursed-hand", players), much(60, 400)):
        drawn = [name for name in names if name.startswith("seat")]
        assert len(drawn) == bool(between) and (not drawn or drawn == [f"seat {starter}"])
        assert not between or starter in between
        lots += bool(between)
    assert lots > 1


def test_in_blackstone_those_without_a_black_stone_are_alike() -> None:
    for names, between, _starter in played(hexdeck.game("blackstone", 4), much(60, 400)):
        tens = [k for k, name in enumerate(names[:4]) if name == "card 10"]
        assert not {*tens} & {*between} and (len(names) > 4 or len(between) == 4 - len(tens))


# --- plants -----------------------------------------------------------------------------------------------------------
def earned(rng: np.random.Generator, worth: float, games: int = 4000) -> tuple[StartStudy, np.ndarray]:
    """A made-up game for three: low cards start and lose, and starting is worth so much. The study, and who started."""
    study, started = StartStudy(), np.zeros((games, 3))
    for k in range(games):
        cards = rng.integers(1, 11, 3)
        tied = np.flatnonzero(cards == cards.min())
        starter = int(rng.choice(tied))
        results = 0.3 * cards + rng.normal(0, 2, 3)
        results[starter] += worth
        study.games += 1
        started[k, starter] = results[starter] == results.max()
        if len(tied) > 1:
            study.add(np.array([k]), (cards == cards.min())[None], np.array([starter]), results[None])
    return study, started.sum(axis=1)


def part_of(study: StartStudy | None) -> ReportPart:
    game = hexdeck.game("hawthorn", 3)
    found = collect(SimulationSetup(game, "random", 1, backend=BACKEND), 300)
    return ReportPart(game, found, MessageCounts(game), game.measure, ("random",) * 3, starts=study)


@pytest.mark.long
def test_an_earned_start_that_is_worthless_is_no_finding_though_starters_lose() -> None:
    rng, plain = np.random.default_rng(4), part_of(None)
    wrong, runs = 0, much(10, 100)
    for _ in range(runs):
        study, won = earned(rng, 0.0, 1500)
        assert won.mean() < 0.28  # of a fair third: what whoever starts ends with isn't what starting is worth
        wrong += any(each.kind == "start_first" for each in sure(replace(plain, starts=study)))
    assert wrong <= much(1, 6)  # in 19 of 20 runs there is none; 4 tests together are wrong that often


def test_an_earned_start_that_is_worth_something_is_found() -> None:
    plain = part_of(None)
    for worth, word in ((3.0, "helps"), (-3.0, "hurts")):
        study, _won = earned(np.random.default_rng(4), worth)
        (found,) = (each for each in sure(replace(plain, starts=study)) if each.kind == "start_first")
        said = str(found.text)
        where = f"where the next card after a tie decided who starts ({study.decided} of the first 4,000 games)"
        assert f"starting {word}: {where}, starters came first " in said and said.endswith(" often than the others.")


def test_a_start_that_pays_and_changes_no_place_is_found() -> None:
    study, rng, plain = StartStudy(500), np.random.default_rng(4), part_of(None)
    even = np.resize([1.0, -1.0], 500)  # as often first more as less
    study.moments.add(np.column_stack([rng.normal(-3, 5, 500), even, -even]))
    (found,) = (each for each in sure(replace(plain, starts=study)) if each.kind.startswith("start"))
    assert found.kind == "start_gain" and ", starters ended 2.98" in found.text
    assert found.text.endswith(" chips lower than the others.")


def test_where_starting_never_mattered_a_gain_that_is_rare_is_left_possible() -> None:
    given, swaps = StartStudy(), StartStudy()
    for k in range(60):
        results = np.array([2.0, 2.0, 7.0])
        given.add(np.array([k]), np.array([[True, True, False]]), np.array([k % 2]), results[None])
        swaps.add_swapped({0: results, 1: results})
    assert given.gain == swaps.gain and given.gain.value == 0
    assert given.gain.high == -given.gain.low == pytest.approx(5 * given.place(0).high)  # results are at most 5 apart


def planted(monkeypatch: pytest.MonkeyPatch, free: str, games: int) -> ReportPart:
    """A part on a Hawthorn whose rules spare somebody all payments: the first seat or, with `start`, the starter."""
    pay = hawthorn._pay

    def planted_pay(s, seat, amount):  # type: ignore[no-untyped-def]
        if seat != (0 if free == "seat" else s.first):
            pay(s, seat, amount)

    monkeypatch.setattr(hawthorn, "_pay", planted_pay)
    game = hexdeck.game("hawthorn", 2)
    setup = SimulationSetup(game, "random", 2, backend="interpreted")
    found, study = collect(setup, games), study_starts(setup, games)
    return ReportPart(game, found, MessageCounts(game), game.measure, ("random",) * 2, starts=study)


@pytest.mark.parametrize(("free", "kind"), [("seat", "first"), ("start", "start_first")])
def test_an_advantage_written_into_a_rule_is_found(monkeypatch: pytest.MonkeyPatch, free: str, kind: str) -> None:
    part = planted(monkeypatch, free, much(150 if free == "seat" else 300, 1000))
    found = {each.kind for each in sure(part)}
    assert kind in found and found <= {
        kind,
        "above",
        "start_first",
        "start_gain",
        "tied",
    }  # starting after a tie hurts in Hawthorn


# --- what decided stays with whoever starts -------------------------------------------------------------------------
def swapped(rng: np.random.Generator, worth: float, games: int = 300) -> StartStudy:
    """A made-up game for three: a card that decides who starts brings three points itself, and starting so much."""
    study = StartStudy()
    for _ in range(games):
        study.games += 1
        held = np.array([3.0, 0.0, 0.0]) + rng.normal(0, 2, 3)  # the first seat has the card
        study.add_swapped({seat: held + worth * (np.arange(3) == seat) + rng.normal(0, 1, 3) for seat in (0, 1)})
    return study


@pytest.mark.long
def test_a_card_that_starts_and_is_good_isnt_taken_for_starting() -> None:
    rng, plain, wrong, runs = np.random.default_rng(7), part_of(None), 0, much(10, 400)
    for _ in range(runs):
        wrong += any(each.kind == "start_first" for each in sure(replace(plain, starts=swapped(rng, 0.0))))
    assert wrong / runs <= 0.05
    for worth, word in ((2.0, "helps"), (-2.0, "hurts")):
        (found,) = (e for e in sure(replace(plain, starts=swapped(rng, worth))) if e.kind == "start_first")
        assert f"starting {word}" in str(found.text)
    held = [swapped(rng, 1.0, 60).gain for _ in range(much(50, 1000))]
    assert sum(each.low <= 1.0 <= each.high for each in held) / len(held) > much(0.88, 0.93)


@pytest.mark.long
def test_in_hawthorn_every_tied_player_starts_once_on_the_same_cards() -> None:
    setup = SimulationSetup(hexdeck.game("hawthorn", 2), "house", 0, backend=BACKEND)
    study, seen = study_starts(setup, 2000), 0
    assert study is not None and study.gain.high < -1 and study.place(0).high < -0.1  # starting hurts
    log = Player(setup, EVERYTHING).log(0, much(100, 300))
    bots = SimulationBots(setup.game, setup.seated, 0, BACKEND)
    for k, row, _seats in zip(*decided_in(setup.game, log), strict=True):
        same = played_on(bots, log.position[row], k, int(log.seat[row]))
        assert tuple(same) == tuple(log.results[k])  # who starts anyway changes nothing
        seen += 1
    assert seen > 5


# --- what reports say ------------------------------------------------------------------------------------------------
def test_a_table_says_why_somebody_starts_and_what_that_is_worth() -> None:
    study, _won = earned(np.random.default_rng(4), 3.0)
    one = part_of(study)
    table = seats(one, power(one, 4))
    assert str(table.rows[3][0]) == "who starts: the lowest card shown (result: above the mean)"
    itself = "starting itself, where the next card after a tie decided (against another starting)"
    assert str(table.rows[4][0]) == itself
    assert str(table.rows[4][2]).endswith(" points") and "the row below it does" in str(table.note)
    few = seats(part_of(StartStudy(10)), power(one, 4))
    assert few.rows == table.rows[:4] and "decided who starts in 0 of 10 games, too few" in str(few.note)
    assert study.decided >= LEAST


def test_a_comparison_also_tells_what_changes_for_a_starter_who_earned_it() -> None:
    game = hexdeck.game("hawthorn", 2)
    setup = SimulationSetup(game, "house", 0, backend=BACKEND)
    found = compare(setup, game.variant(fold_price="own"), least=500, most=500)
    assert {name[0] for name in found.gains} == {"first", "begins_first"}


def test_matches_from_tables_are_studied_alike() -> None:
    game = hexdeck.game("hawthorn", 2, tiebreak_cards="discard")
    setup, out = SimulationSetup(game, "house", 0, backend=BACKEND), StartStudy()
    whole = study_starts(setup, 200)
    for match in matches(setup, 200):
        add_log(out, game, log_of(match))
        assert match.ply == match.length
    assert whole is not None and (out.games, out.decided) == (200, whole.decided) and out.decided
    assert out.gain == whole.gain and out.place(0) == whole.place(0)
    assert study_starts(SimulationSetup(hexdeck.game("high-handed", 2)), 1) is None
