"""Minutes: one model for the report, the start page, the README and the rules; people's own seconds calibrate it."""

import re
from dataclasses import replace

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends.kernels_games import NOBODY
from hexdeck.engine.discovery.definition import definition, preset
from hexdeck.engine.rulebook import rules_text
from hexdeck.lab import kernels
from hexdeck.lab.counts import (
    CARDS,
    FURTHER,
    KIND,
    SCREEN,
    USUAL,
    Chunk,
    GameStatistics,
    collect,
    metric_table,
    minutes,
    span,
)
from hexdeck.lab.kernels import COUNTERS, STARTER
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting.figures import minutes_section
from hexdeck.lab.reporting.report import ReportPart
from tests.settings import every_game


def counted(**columns: int) -> GameStatistics:
    """The statistics of two equal games for four with these counters."""
    game = hexdeck.game("hawthorn", 4)
    counters = np.zeros((2, COUNTERS), np.int64)
    for name, value in columns.items():
        counters[:, getattr(kernels, name)] = value
    counters[:, STARTER] = NOBODY
    out = GameStatistics.of(game)
    several = sum(name[0] == KIND for name in out.names)
    chunk = Chunk(0, np.zeros((2, 4)), counters, np.zeros((2, several), np.int32))
    out.add(metric_table(game, chunk), chunk)
    return out


def test_minutes_are_what_each_thing_takes() -> None:
    place = replace(CARDS, think=9.0, move=3.0, deal=40.0, draw=1.0, score=5.0, talk=0.5)
    found = counted(DECISIONS=20, CHOICES=10, PAUSES=5, LEGAL=10 * USUAL, TURNS=15, DEALS=2, CHANCES=30)
    of = minutes(found, place)
    assert of.choices == pytest.approx(5 * 9 / 60)  # five at a time
    steps = minutes(counted(DECISIONS=20, CHOICES=10, PAUSES=10, LEGAL=10 * USUAL, TURNS=6, DEALS=2, CHANCES=30), place)
    assert steps.choices == pytest.approx((6 + 4 * FURTHER) * 9 / 60)  # four are further ones in a turn
    assert of.moves == pytest.approx(20 * 0.5 * 3 / 60)
    assert of.dealing == pytest.approx((2 * 40 + 30) / 60) and of.scoring == pytest.approx(2 * 4 * 5 / 60)
    plain = of.choices + of.moves + of.dealing + of.scoring
    assert of.talk == pytest.approx(plain / 2) and of.total == pytest.approx(1.5 * plain)
    assert of.wait == pytest.approx(60 * of.total * 3 / 15)  # of four turns three are others'
    assert not steps.wait  # most have one turn


def test_more_moves_take_longer_and_people_calibrate_it() -> None:
    assert SCREEN.choosing(2) < SCREEN.choosing(USUAL) == SCREEN.think < SCREEN.choosing(30)
    assert CARDS.calibrated(20.0, 30).choosing(30) == pytest.approx(20.0)


@every_game
def test_the_minutes_of_a_game_are_those_of_the_model(name: str) -> None:
    """MINUTES in table.py are of a usual match of four: at this table, and at a real one; to a fifth, or a minute."""
    found = collect(SimulationSetup(hexdeck.game(name, 4, **preset(name).options), "house", 0, backend="fast"), 300)
    for said, modelled in zip(definition(name).table.ABOUT.minutes, span(found), strict=True):
        assert abs(said - modelled) <= max(1, 0.2 * modelled), span(found)


@every_game
@pytest.mark.parametrize("lang", ["en", "nl"])
def test_rules_pages_say_the_same_minutes_once_and_where_they_hold(name: str, lang: str) -> None:
    said = re.findall(r"(\d+) minut\w+ (?:on screen|op het scherm), (\d+) (?:with|met) ", rules_text(name, lang))
    assert said == [tuple(map(str, definition(name).table.ABOUT.minutes))]


def test_a_report_tells_both_places_and_their_seconds() -> None:
    found = counted(DECISIONS=20, CHOICES=10, PAUSES=5, LEGAL=50, TURNS=15, DEALS=1, CHANCES=30)
    game = found.game
    part = ReportPart(game, found, MessageCounts(game), game.measure)
    table = minutes_section(part, (SCREEN, CARDS))
    rows = {str(row[0]): [float(str(cell)) for cell in row[1:]] for row in table.rows}
    assert rows["all together"] == pytest.approx([minutes(found, each).total for each in (SCREEN, CARDS)], abs=0.06)
    assert sum(rows[key][1] for key in ("choices", "carrying out moves", "dealing and drawing", "scoring", "talk")) == (
        pytest.approx(rows["all together"][1], abs=0.3)
    )
    assert "guessed seconds: 8 for a choice between 7 moves" in str(table.note) and "a deal 3 and 40" in str(table.note)
