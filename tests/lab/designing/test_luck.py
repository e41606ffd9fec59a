"""Luck and skill: the parts of variance that were planted, lots as an equivalent, and what thinking longer brings."""

import numpy as np
import pytest

import hexdeck
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting import report
from hexdeck.lab.reporting.figures import sections
from hexdeck.lab.reporting.page import page, told
from hexdeck.lab.reporting.report import Plan, ReportMaker
from hexdeck.lab.reporting.tables import lots
from hexdeck.lab.studies import GAMES, SEATINGS, by_lot, divided, duel, parts, study_variance
from hexdeck.stats import Estimate, share
from tests.compiled import warm
from tests.support import for_each

SEATS = 3


def played(rng: np.random.Generator, deal: float, seat: list[float], choices: float, deals: int = 100) -> np.ndarray:
    """Results of a made-up game in which deals, seats and choices count with these deviations; the seats' are given."""
    by_deal = rng.normal(0, deal, (1, deals, SEATS))
    return by_deal + np.array(seat) + rng.normal(0, choices, (SEATINGS, deals, SEATS))


# --- variance ---------------------------------------------------------------------------------------------------------
def test_each_source_is_found_where_it_is_the_only_one() -> None:
    rng = np.random.default_rng(1)
    assert parts(played(rng, 1, [0, 0, 0], 0)) == pytest.approx([1, 0, 0], abs=0.05)
    assert parts(played(rng, 0, [1, 0, -1], 0)) == pytest.approx([0, 1, 0])
    assert parts(played(rng, 0, [0, 0, 0], 1)) == pytest.approx([0, 0, 1], abs=0.05)
    assert divided(played(rng, 0, [0, 0, 0], 0)) is None  # nothing differs


def test_the_variance_of_a_game_is_that_of_its_deals_played_again() -> None:
    warm("hawthorn", "fast")
    setup = SimulationSetup(hexdeck.game("hawthorn", 3), "random", 2, backend="fast")
    found = study_variance(setup, 60)
    assert found is not None and found.deals == 60 and 0.2 < found.deal.value < 0.95 and found.seat.value < 0.1
    alone = hexdeck.game("hawthorn", 3, hand_cards=1)
    again = study_variance(SimulationSetup(alone, "random", 2, backend="fast"), 60)
    assert again != found


# --- lots -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 4])
@for_each("lot", [0.0, 0.3, 1.0])
def test_lots_give_the_better_player_just_that_share(players: int, lot: float) -> None:
    first, last = lot / players + (1 - lot), lot / players
    for value, place in ((first, 0), (last, 1)):
        found = by_lot(Estimate(value, value - 0.1, value + 0.1, 50), players, place)
        assert found.value == pytest.approx(lot) and 0 <= found.low <= found.value <= found.high <= 1
    assert by_lot(share(0, 50), players, 0).value == 1.0  # who does worse isn't the better player


def test_where_nobody_is_surely_better_there_are_no_lots() -> None:
    game = hexdeck.game("hawthorn", 3)
    setup = SimulationSetup(game, "random", 2, backend="fast")
    warm("hawthorn", "fast")
    made = duel(setup, "house", "random", 40)
    part = report.ReportPart(game, None, None, game.measure, duels=(made,))  # type: ignore[arg-type]
    assert lots(made.gain, made.placed(0), part).count
    assert not lots(Estimate(0.1, -0.1, 0.3, 40), made.placed(0), part).count


# --- thinking ---------------------------------------------------------------------------------------------------------


def test_a_report_says_where_results_come_from_and_what_thinking_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    warm("hawthorn", "fast")
    for name, few in (("LISTENED", 4), ("NAMED", 2), ("DEALS", 6)):
        monkeypatch.setattr(report, name, few)
    plan = Plan(games=40, sample=2, backend="fast", thinking=2)
    made = ReportMaker([hexdeck.game("hawthorn", 2)], plan).make()
    (part,) = made.parts
    tables = {table.id: table for table in sections(made, part)}
    assert [str(row[0]) for row in tables["variance"].rows] == [
        "the deal: cards and draws",
        "the seat",
        "choices: one's own and those of others",
    ]
    assert len(tables["thinking"].rows) == len(GAMES)
    html = page(told(made))
    assert "--thinking 2" in html and "Where results come from" in html and "Thinking twice as long" in html
    without = ReportMaker([hexdeck.game("hawthorn", 2)], Plan(games=40, sample=2, backend="fast")).make()
    assert "variance" in (ids := {table.id for table in sections(without, without.parts[0])}) and "thinking" not in ids
