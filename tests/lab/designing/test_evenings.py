"""Evenings: chips between deals, who is broke and when, and whether leads feed themselves from deal to deal."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.games.hawthorn import rules as hawthorn
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting.tables import EVENING
from hexdeck.lab.studies import EveningStudy, evening_of, study_evenings
from tests.compiled import warm
from tests.lab.test_report import part, sure
from tests.people import Room
from tests.settings import much

DEALS = {"hawthorn": "deals", "blackstone": "rounds"}


# --- playing ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", DEALS)
@pytest.mark.parametrize("backend", ["fast", "interpreted"])
def test_chips_between_deals_are_those_of_the_matches(name: str, backend: str) -> None:
    if backend == "fast":
        warm(name, backend)
    game = hexdeck.game(name, 3, chips=12, **{DEALS[name]: 4})
    found = study_evenings(SimulationSetup(game, "house", 7, backend=backend), 12)
    assert found is not None and found.count == 12 and found.chips.shape == (12, found.longest + 1, 3)
    assert (found.chips[:, 0] == 12).all()
    for k in range(12):
        match = hexdeck_match(game, k, backend)
        had = [[12, 12, 12], *(chips_when(match, deal) for deal in range(2, found.deals[k] + 1))]
        assert found.chips[k, : len(had)].tolist() == had
        assert (found.chips[k, -1] - 12 == match.returns()).all() and found.deals[k] == match.struct.deal


def hexdeck_match(game, number, backend):  # type: ignore[no-untyped-def]
    from hexdeck.lab.log import matches

    return next(iter(matches(SimulationSetup(game, "house", 7, backend=backend), 1, number)))


def chips_when(match, deal):  # type: ignore[no-untyped-def]
    """What everybody had before a deal: the chips of the score sheet when it begins."""
    end = match.length
    for ply in range(end + 1):
        match.go(ply)
        if match.struct.deal == deal:
            (tally,) = match.game.table.tallies(match.struct)
            match.go(end)
            return [*tally.totals]
    raise AssertionError(deal)


def test_only_matches_of_several_deals_are_evenings() -> None:
    assert evening_of(hexdeck.game("hawthorn", 3)) is None and evening_of(hexdeck.game("cursed-hand", 3)) is None
    assert evening_of(hexdeck.game("hawthorn", 3, deals=2)) is not None
    assert study_evenings(SimulationSetup(hexdeck.game("hawthorn", 3)), 5) is None


# --- what is measured -------------------------------------------------------------------------------------------------
def study(chips: list[list[list[int]]], deals: list[int], stake: int = 5) -> EveningStudy:
    return EveningStudy(np.array(chips, float), np.array(deals), stake)


def test_who_is_broke_and_when() -> None:
    early = [[10, 10], [16, 4], [16, 4], [16, 4]]  # broke after one of three deals
    late = [[10, 10], [12, 8], [13, 7], [17, 3]]  # after the last: nobody had to watch
    short = [[10, 10], [18, 2], [18, 2], [18, 2]]  # and the evening ended there
    found = study([early, late, short], [3, 3, 1])
    assert found.out_after.tolist() == [1, 3, 1] and found.broke().value == pytest.approx(1 / 3)
    assert found.broke_after().value == pytest.approx(1 / 3) and found.until_broke().value == pytest.approx(5 / 3)
    assert found.played().value == pytest.approx(7 / 3) and not found.complete


def carried(rng: np.random.Generator, feeds: float, evenings: int = 1500, deals: int = 12) -> EveningStudy:
    """Made-up evenings for three: each deal moves a pot of ten; whoever has more wins it more often, if it `feeds`."""
    chips = np.full((evenings, deals + 1, 3), 100.0)
    for deal in range(deals):
        weights = np.exp(feeds * (chips[:, deal] - 100) / 10)
        drawn = rng.random((evenings, 1)) * weights.sum(axis=1, keepdims=True)
        winner = (drawn > weights.cumsum(axis=1)).sum(axis=1)
        chips[:, deal + 1] = chips[:, deal] - 5 + 15 * (winner[:, None] == np.arange(3))
    return EveningStudy(chips, np.full(evenings, deals), 5)


def test_leads_that_feed_themselves_are_found_and_others_are_not() -> None:
    rng, runs = np.random.default_rng(2), much(20, 400)
    wrong = sum(carried(rng, 0.0, 500).runaway(0.5).significant() for _ in range(runs))
    assert wrong / runs <= much(0.1, 0.07)
    assert all(carried(rng, 0.4, 500).runaway(0.5).significant(0.0, 5) for _ in range(10))
    found, usual = carried(rng, 0.0, 4000).leading(0.5)
    assert found.value == pytest.approx(usual.value, abs=0.03)


def test_a_runaway_rule_that_was_planted_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = SimulationSetup(hexdeck.game("hawthorn", 2, deals=6), "random", 3, backend="interpreted")

    def leads_last() -> bool:
        found = study_evenings(setup, much(60, 400))
        assert found is not None and found.complete
        return found.runaway(0.5).value > 0 and found.runaway(0.5).significant(0.0, 3)

    assert not leads_last()
    pay = hawthorn._pay

    def planted(s, seat, amount):  # type: ignore[no-untyped-def]
        pay(s, seat, 0 if s.purse[seat] > 100 and amount > 1 else 2 * amount)  # whoever is ahead pays nothing

    monkeypatch.setattr(hawthorn, "_pay", planted)
    assert leads_last()


def test_findings_and_table_of_an_evening() -> None:
    rng = np.random.default_rng(3)
    plain = part(rng, [1 / 3] * 3)
    kinds = {feeds: [each.kind for each in sure(replace(plain, evening=carried(rng, feeds)))] for feeds in (0.0, 0.5)}
    assert kinds == {0.0: [], 0.5: ["evening_runaway"]}
    broke = carried(rng, 0.0)
    broke.chips[:900, 4:, 0] = 0
    (found,) = sure(replace(plain, evening=broke))
    assert found.kind == "broke" and "before the last of 12 deals, on average after 33 " in str(found.text)
    (table,) = EVENING.sections(replace(plain, evening=broke))
    assert "(usual: " in str(table.rows[-2][1]) and str(table.rows[2][1]).startswith("33 ")
    short = EveningStudy(broke.chips, np.where(np.arange(1500) < 900, 4, 12), 5)
    (table,) = EVENING.sections(replace(plain, evening=short))
    assert "usual" not in str(table.rows[-1][1])  # mixed evenings would be longer than these
    assert not [*EVENING.sections(plain)]


# --- commands ---------------------------------------------------------------------------------------------------------
def test_simulate_and_report_show_the_evening(room: Room, tmp_path: Path) -> None:
    warm("blackstone", "fast")
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    words = ["blackstone", "-n", "3", "--option", "rounds=3", "--games", "20", "--threads", "1"]
    said = room.hexdeck("simulate", *words)
    assert said.status == 0 and "The evening" in said.out and "deals that are played" in said.out
    figures = json.loads(room.hexdeck("simulate", *words, "--json").out)["measures"]
    (deals,) = (each for each in figures if each["measure"] == "evening_deals")
    assert deals["count"] == 20 and deals["value"] <= 3
    single = json.loads(room.hexdeck("simulate", *words, "--option", "rounds=1", "--json").out)["measures"]
    assert single and not [each for each in single if each["measure"].startswith("evening")]
    page = tmp_path / "report.html"
    told = room.hexdeck("report", *words, "--sample", "2", "--page", str(page))
    assert told.status == 0 and "deals, if all stop as soon as somebody is broke" in page.read_text("utf-8")
