"""The workshop's engine: figures are those of commands, get narrower, and are measured only while somebody asks."""

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.lab import workshop as measuring
from hexdeck.lab.counts import CARDS, FIRST, LAST, collect, minutes
from hexdeck.lab.effects import differences, looked_into
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.pairs import compare
from hexdeck.lab.reporting.measures import LEAST
from hexdeck.lab.workshop import FEWEST, SEED, Figures, Inquiry, Measurement, Worker, figures_from, figures_of, serve
from hexdeck.stats import critical_value
from tests.compiled import warm
from tests.settings import every_game, much, small_game
from tests.support import until

HAWTHORN = hexdeck.game("hawthorn", 3)
OWN = HAWTHORN.variant(fold_price="own")
HOUSE = ("house",) * 3
THREADS = 2


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> Iterator[None]:
    """Several processes that run these tests compile the game once; the workshop plays compiled games."""
    warm("hawthorn", "fast")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", "fast")
        yield


@pytest.fixture
def measure() -> Iterator[Any]:
    with ThreadPoolExecutor(THREADS) as pool:
        yield lambda asked: Measurement(asked, THREADS, pool)


def played(measured: Measurement, games: int) -> Measurement:
    while len(measured.side.statistics) < games:
        measured.step()
    return measured


def row(found: Figures, name: str) -> Any:
    return next(row for row in found.rows if row.name == name)


# --- what is measured -------------------------------------------------------------------------------------------------
def test_figures_are_those_of_as_many_games_in_a_report(measure: Any) -> None:
    measured = played(measure(Inquiry(HAWTHORN, HOUSE)), 500)
    games = len(measured.side.statistics)
    same = collect(SimulationSetup(HAWTHORN, "house", SEED), games)
    assert dict(measured.side.statistics.lengths) == dict(same.lengths)
    found = figures_of(measured)
    for seat in range(3):
        share = same[FIRST, seat].scaled(100)
        assert row(found, f"{FIRST} {seat}").ends == pytest.approx((share.value, share.low, share.high))
    assert row(found, "turns 0").ends[0] == pytest.approx(same["turns"].value)


def test_tension_is_of_all_its_measures_those_of_choices_too(measure: Any) -> None:
    measured = measure(Inquiry(HAWTHORN, HOUSE, matches=LEAST, games=1))
    while not measured.done:
        measured.step()
    rows = [each for each in figures_of(measured).rows if each.group == "tension"]
    assert {each.name for each in rows} == {each.name for each in looked_into()} >= {"kingmaking", "dead_time"}
    assert all(each.ends is not None for each in rows)


def test_differences_and_findings_are_those_of_a_comparison_on_the_same_cards(measure: Any) -> None:
    measured = played(measure(Inquiry(OWN, HOUSE, HAWTHORN)), 500)
    games, ours = len(measured.side.statistics), measured.comparison
    same = compare(SimulationSetup(HAWTHORN, "house", SEED), OWN, least=games, most=games)
    for name in ((FIRST, 0), (FIRST, 2), ("turns", 0)):
        assert vars(ours.change(name).difference) == pytest.approx(vars(same.change(name).difference))
    texts = [*differences(same, MessageCounts(HAWTHORN))]
    found = figures_of(measured)
    assert row(found, f"{FIRST} 0").shift[0] == pytest.approx(100 * same.change((FIRST, 0)).difference.value)
    played_out = (collect(SimulationSetup(game, "house", SEED), games) for game in (HAWTHORN, OWN))
    usual, own = (minutes(each, CARDS).total for each in played_out)
    assert row(found, "at_cards").shift[0] == pytest.approx(own - usual)
    assert found.found[-3].startswith("Before (Deals in a match: 1): the seats have")
    ends = [[text.partition("): ")[2] or text for text in each[-3:]] for each in (found.found, texts)]
    assert ends[0] == ends[1]  # as they are played; on which cards
    texts += found.found[-3:-1]  # where variants are named otherwise
    assert {text for text in found.found[1:] if "who starts" not in text} <= {*texts}


def test_intervals_get_narrower_until_they_are_narrow_enough(measure: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "ENOUGH", 0.03)
    monkeypatch.setattr(measuring, "MATCHES", 10)
    measured, margins = measure(Inquiry(OWN, HOUSE, HAWTHORN)), list[float]()
    while not measured.done:
        measured.step()
        margins.append(figures_of(measured).margin or 1.0)
    assert margins[-1] <= 0.03 < margins[0]
    assert margins == sorted(margins, reverse=True) or max(margins) == margins[0]
    found = figures_of(measured)
    assert (found.matches, found.done) == (10, True)
    assert {"lead_changes", "drama"} <= {each.name for each in found.rows}
    assert row(found, "drama").shift is not None


def test_a_share_that_is_no_number_of_games_away_from_fair_is_never_called_unfair(measure: Any) -> None:
    few = figures_of(measure_steps(measure(Inquiry(HAWTHORN, HOUSE)), 1))
    assert few.games < FEWEST and not few.found
    found = figures_of(played(measure(Inquiry(HAWTHORN, HOUSE)), 1000))
    assert "no seat is clearly ahead" in found.found[0] and found.found[-1].startswith("As played, the seats have 3")
    assert not any(each.sure for each in found.rows)


def test_whoever_watches_ever_more_games_sees_a_change_that_is_none_in_one_run_of_twenty_at_most() -> None:
    rng, questions, runs = np.random.default_rng(5), 12, much(400, 4000)
    games = np.unique(np.geomspace(FEWEST, measuring.MOST_GAMES, 150).astype(int))  # at which somebody looks
    steps = np.diff(games, prepend=0) ** 0.5
    limit = np.full(len(games), critical_value(questions * measuring.LOOKS))
    limit[-1], wrong = critical_value(questions * measuring.LAST), 0
    for _ in range(runs):
        errors = np.cumsum(rng.standard_normal((questions, len(games))) * steps, axis=1) / games**0.5
        wrong += bool((np.abs(errors) > limit).any())
    assert wrong / runs <= 0.05


def test_an_unfair_seat_is_found_and_said_first(measure: Any) -> None:
    measured = played(measure(Inquiry(HAWTHORN, ("house", "random", "random"))), 500)
    found = figures_of(measured)
    assert row(found, f"{FIRST} 0").sure
    assert "the house bot in seat 1 comes first in" in found.found[0]


def measure_steps(measured: Measurement, steps: int) -> Measurement:
    for _ in range(steps):
        measured.step()
    return measured


@every_game
def test_every_game_has_figures_that_survive_being_sent(measure: Any, name: str) -> None:
    warm(name, "fast")
    game = small_game(name)
    found = figures_of(measure_steps(measure(Inquiry(game, ("house",) * game.players)), 2))
    assert figures_from(json.loads(json.dumps(asdict(found), allow_nan=False))) == found
    metric = LAST if found.place else FIRST
    assert [each.name for each in found.rows[: game.players]] == [f"{metric} {seat}" for seat in range(game.players)]


def test_it_needs_neither_pandas_nor_scipy_nor_matplotlib() -> None:
    script = (
        "import sys\n"
        "sys.modules |= dict.fromkeys(('pandas', 'scipy', 'matplotlib', 'pyarrow'))\n"  # none can be imported
        "import hexdeck.lab.workshop as asked\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from hexdeck.lab.workshop import Measurement\n"
        "from hexdeck.lab.workshop import figures_of\n"
        "import hexdeck\n"
        "game = hexdeck.game('hawthorn', 3)\n"
        "other = game.variant(tiebreak_cards='discard')\n"
        "measured = Measurement(asked.Inquiry(other, ('house',) * 3, game), 1, ThreadPoolExecutor(1))\n"
        "measured.step(); figures_of(measured)\n"
        "print('measured')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "measured"


# --- the process ------------------------------------------------------------------------------------------------------
def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_what_is_asked_takes_turns_and_stops_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "LOOKING", 0)  # each step plays, however long one takes
    out, keys = io.StringIO(), [Inquiry(game, HOUSE).key for game in (HAWTHORN, OWN)]
    worker = Worker(out, 1)
    for key in keys:
        worker.hear({"start": key})
    for _ in range(4):
        worker.turn()
    assert [line["of"] for line in lines(out)][:2] == keys
    before = {key: len(worker.kept[key].side.statistics) for key in keys}
    worker.hear({"stop": keys[0]})
    for _ in range(3):
        worker.turn()
    assert len(worker.kept[keys[0]].side.statistics) == before[keys[0]]
    assert len(worker.kept[keys[1]].side.statistics) > before[keys[1]]
    worker.hear({"start": keys[0]})
    worker.turn()
    worker.turn()
    assert len(worker.kept[keys[0]].side.statistics) > before[keys[0]]  # it goes on where it was


def test_what_cannot_be_played_is_refused_with_a_sentence() -> None:
    out, key = io.StringIO(), Inquiry(HAWTHORN, HOUSE).key.replace('"hawthorn",3', '"hawthorn",99')
    worker = Worker(out, 1)
    worker.hear({"start": key})
    worker.turn()
    assert lines(out)[0]["refused"] == "hawthorn is for 2 to 8 players, not 99."
    assert not worker.active


def test_the_process_ends_with_its_input() -> None:
    out, key = io.StringIO(), Inquiry(HAWTHORN, HOUSE).key

    def asked() -> Iterator[str]:
        yield json.dumps({"start": key}) + "\n"
        until(out.getvalue)

    serve(asked(), out, 1)
    assert {line["of"] for line in lines(out)} == {key}
