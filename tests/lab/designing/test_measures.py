"""Measures: each is declared once; all questions of a report together are wrong in one report of twenty at most."""

import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import schemas

import hexdeck
from hexdeck.engine.study import Account, Source
from hexdeck.engine.text import say
from hexdeck.lab import effects, workshop
from hexdeck.lab.causes import CauseStudy, Ledger, Ratios
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.pairs import ready_made
from hexdeck.lab.reporting import measures, shape, tables
from hexdeck.lab.reporting.charts import plots
from hexdeck.lab.reporting.figures import sections
from hexdeck.lab.reporting.findings import Tests as Asked
from hexdeck.lab.reporting.measures import LEAST, PERCENT, Measure
from hexdeck.lab.reporting.page import page, told
from hexdeck.lab.reporting.report import Plan, Report, ReportPart
from hexdeck.lab.reporting.tables import fields_of
from hexdeck.lab.studies import Duel, games_to_tell
from hexdeck.lab.tension import ChoiceShape
from hexdeck.lab.workshop import Inquiry, Measurement, figures_of
from hexdeck.stats import mean
from tests.compiled import warm
from tests.lab.designing.test_estimators import probed
from tests.lab.designing.test_evenings import carried
from tests.lab.test_report import part, report_of
from tests.lab.test_tension import KING, SEATS, raced

GAMES = 150  # of a made-up report that are looked into: so few that luck alone often brings a card a lot


# --- all questions together -------------------------------------------------------------------------------------------
def shapes(rng: np.random.Generator) -> tuple[ChoiceShape, ...]:
    """Choices that are dead, or decide between others, just as often as isn't worth a finding yet."""
    dead, between = rng.random(3) < shape.DEAD, rng.random(3) < shape.KINGMAKING
    return tuple(KING if king else ChoiceShape(bool(same), False) for same, king in zip(dead, between, strict=True))


def shared(rng: np.random.Generator, games: int, how_many: int, often: float) -> Ratios:
    return Ratios([rng.binomial(2, often, (games, how_many)).astype(float)], [np.full((games, how_many), 2.0)])


def causes(rng: np.random.Generator, one: ReportPart) -> CauseStudy:
    """Cards that bring nothing, and cards and moves that are used just as seldom as isn't worth a finding yet."""
    study, results = CauseStudy.of(one.game), rng.normal(0, 1, (GAMES, SEATS))
    cards, moves = len(study.cards.names), len(study.actions.names)
    dealt = (rng.random((GAMES, SEATS, cards)) < 0.3).astype(float)
    above = (results - results.mean(axis=1, keepdims=True))[:, :, None] * dealt * measures.deviation(one)
    study.cards.dealt_gain.add(above.sum(axis=1), dealt.sum(axis=1))
    study.cards.held.add(dealt.sum(axis=1), np.full((GAMES, cards), float(SEATS)))
    study.cards.used, study.actions.chosen = shared(rng, GAMES, cards, 0.05), shared(rng, GAMES, moves, 0.01)
    study._results.append(results)
    study._turns.append(results)
    account = Account(say("Points"), say("points"), len, (Source(say("one"), len), Source(say("another"), len)))
    amounts = rng.normal(0, 1, (GAMES, SEATS, 2))
    ledger = Ledger(account, [amounts], [np.zeros((GAMES, SEATS, 0))], [amounts.sum(axis=2)])
    study.ledgers = (ledger,)
    return study


def even_duel(rng: np.random.Generator) -> Duel:
    """The house bot among random ones, which are just as good."""
    leads = rng.normal(0, 1, (1, 200))
    gain = mean(leads[0])
    games = games_to_tell(leads) if gain.low > 0 else None
    return Duel("house", "random", gain, np.tile(np.arange(200) % SEATS == 0, (2, 1)), games)


def fair_part(rng: np.random.Generator) -> ReportPart:
    one = part(rng, [1 / SEATS] * SEATS, games=400)
    acted = np.resize(np.arange(SEATS, dtype=np.int8), 20 * SEATS)
    looked = tuple(replace(each, shapes=shapes(rng), acted=acted) for each in raced(rng, 0.0, 40, 8))
    probes = tuple(replace(probed(rng, 0.0), change=probe.key) for probe in ready_made(one.game))
    of_bots = {"probes": probes, "duels": (even_duel(rng),), "evening": carried(rng, 0.0, GAMES)}
    return replace(one, analyses=looked, causes=causes(rng, one), messages=named(), **of_bots)


@functools.cache
def named() -> MessageCounts:
    counts = MessageCounts(hexdeck.game("high-handed", SEATS))
    for number, match in enumerate(matches(SimulationSetup(counts.game, "random", 0, backend="fast"), 4)):
        counts.add_labels(match, number)
    return counts


@pytest.mark.long
def test_fair_games_give_no_finding_in_nineteen_of_twenty_reports() -> None:
    rng, runs = np.random.default_rng(8), 200
    reports = [(fair_part(rng), fair_part(rng)) for _ in range(runs)]
    kinds = {each.kind for each, _sure in Asked(report_of(*reports[0])).of(reports[0][0])}
    assert kinds >= {
        "begins_first",
        "beginner",
        "first",
        "above",
        "lead_50",
        "dead",
        "kingmaking",
        "dead_time",
        "used",
        "chosen",
        "dealt_gain",
        "probe_gain",
        "evening_runaway",
        "forced",
        "why",
        "skill",
    }
    wrong = sum(any(is_sure for each in Asked(report_of(*both)).answered for _q, is_sure in each) for both in reports)
    assert wrong <= runs / 20


# --- declared once ----------------------------------------------------------------------------------------------------
ODD = Measure(
    "odd",
    "odd games",
    PERCENT,
    workshop="tension",
    of_match=lambda analysis, _place: len(analysis.acted) % 2,
    plotted=True,
).means("share of games with an odd number of decisions")


@pytest.fixture
def _odd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(shape.SHAPE), "measures", (*shape.SHAPE.measures, ODD))
    monkeypatch.setitem(effects.MEASURE, "odd", ODD)
    for module in (workshop, schemas, effects):
        monkeypatch.setattr(module, "MEASURES", (*tables.MEASURES, ODD))


def odd_part() -> ReportPart:
    one = part(np.random.default_rng(3), [1 / SEATS] * SEATS, games=400)
    looked = raced(np.random.default_rng(4), 0.0, 30, 8)
    acted = [np.arange(60 + (k % 3 == 0)) % SEATS for k in range(30)]
    return replace(one, analyses=tuple(replace(each, acted=by) for each, by in zip(looked, acted, strict=True)))


@pytest.mark.usefixtures("_odd")
def test_a_measure_that_is_declared_is_shown_drawn_exported_documented_and_in_the_workshop(monkeypatch) -> None:
    one = odd_part()
    table = next(each for each in sections(Report(Plan(), (one,)), one) if each.id == "shape")
    assert [str(cell) for cell in table.rows[-1]] == ["odd games", "33 ±18 %"]
    (row,) = [each for each in fields_of(one, tables.measured(one)) if each["measure"] == "odd"]
    assert (row["of"], row["value"], row["count"]) == (None, pytest.approx(1 / 3), 30)
    assert [str(each.title) for each in plots(one) if each.measure == "odd"] == ["Percent of games, by odd games"]
    assert f"| `odd` | {ODD.meaning} |  | null |" in schemas.page()
    warm("hawthorn", "fast")
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    game = hexdeck.game("hawthorn", 3)
    with ThreadPoolExecutor(1) as pool:
        measured = Measurement(Inquiry(game.variant(fold_price="own"), ("house",) * 3, game), 1, pool)
        while len(measured.side.analyses) < LEAST:
            measured.step()
    (shown,) = [each for each in figures_of(measured).rows if each.name == "odd"]
    assert (shown.group, str(shown.title)) == ("tension", "odd games") and shown.shift is not None
    odd = [len(each.acted) % 2 for each in measured.side.analyses]
    assert shown.ends is not None and shown.ends[0] == pytest.approx(100 * np.mean(odd))


# --- plots ------------------------------------------------------------------------------------------------------------
def test_a_measure_is_drawn_in_its_unit_beside_its_table_with_a_text_alternative() -> None:
    one, (dead_time,) = odd_part(), [each for each in shape.SHAPE.measures if each.plotted]
    values = 100 * dead_time.finite_values(one)
    (drawn,) = [each for each in plots(one) if each.measure]
    assert (drawn.section, drawn.measure) == ("shape", "dead_time") and drawn.svg.startswith("<svg")
    ET.fromstring(drawn.svg)
    low, half, high = (round(each) for each in np.quantile(values, (0, 0.5, 1)))
    assert f"{drawn.title}: from {low} to {high}, half of the games with at most {half}" in drawn.svg and high > 1
    html = page(told(Report(Plan(), (one,))))
    section = html[html.index(str(shape.SHAPE.title)) :].split("</section>")[0]
    assert section.count("<figure>") == 1 and 'aria-label="Percent of games, by dead time' in section
    assert not [each for each in plots(replace(one, analyses=one.analyses[:5])) if each.measure]
