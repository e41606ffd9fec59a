"""What is counted is what happened: the games of `simulate`, recounted from matches, whatever threads and lanes."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.game import Game
from hexdeck.engine.match import Match
from hexdeck.lab import collect as module
from hexdeck.lab.collect import Desk, collect
from hexdeck.lab.kernels import CHANCES, CHOICES, DEALS, DECISIONS, HISTORY, LEGAL, STARTER, TURNS, together
from hexdeck.lab.kinds import kinds
from hexdeck.lab.measures import FIRST, LAST, RESULT, names, table
from hexdeck.lab.sample import matches
from hexdeck.lab.stats import mean
from tests.engine.tiny import tiny_games
from tests.settings import every_game, small_game

LANE = "interpreted"


# --- the same games ---------------------------------------------------------------------------------------------------
@every_game
def test_games_are_those_of_simulate(name: str) -> None:
    game = small_game(name)
    bots = ["house", *["random"] * (game.players - 1)]
    chunk, plain = Desk(game, bots, 3, LANE).gather(5, 20), game.simulate(20, bots, 3, first=5, lane=LANE)
    assert np.array_equal(chunk.results, plain.returns)
    assert np.array_equal(chunk.figures[:, DECISIONS], plain.moves)
    assert np.array_equal(chunk.figures[:, CHANCES], plain.chances)


@every_game
def test_compiled_code_counts_as_interpreted_code_does(name: str) -> None:
    game = small_game(name)
    fast, slow = (Desk(game, "house", 4, lane).gather(0, 15) for lane in ("fast", LANE))
    for column in ("results", "figures", "tally"):
        assert np.array_equal(getattr(fast, column), getattr(slow, column)), column
    assert np.array_equal(table(game, fast, "fast"), table(game, slow, LANE))
    decided = [Desk(game, "house", 4, lane).chronicle(0, 15) for lane in ("fast", LANE)]
    assert np.array_equal(*decided)


def recounted(match: Match) -> dict[str, int]:
    """Figures of a match that is over, counted from its events."""
    out = dict.fromkeys(("decisions", "chances", "choices", "legal", "turns"), 0)
    out["starter"], mover = -1, -1
    for ply, event in enumerate(match.events):
        match.go(ply)
        if event.seat < 0:
            out["chances"] += 1
            continue
        count = len(match.legal_ids(event.seat))
        out["decisions"] += 1
        out["choices"] += count > 1
        out["legal"] += count * (count > 1)
        out["turns"] += event.seat != mover
        if out["starter"] < 0 and count > 1 and alone(match, ply):
            out["starter"] = event.seat
        mover = event.seat
    match.go(match.length)
    return out | {"deals": match.struct.deal}


def alone(match: Match, ply: int) -> bool:
    """Whether the only seat to act at a ply was alone at all plies since chance last acted or others chose."""
    acting = match.acting
    while ply and match.event(ply - 1).seat in (acting[0], *range(acting[0])) and len(acting) == 1:
        before = match.event(ply - 1).seat
        ply -= 1
        match.go(ply)
        if set(match.acting) - {before} != set(acting) and match.acting != acting:
            return True
        if len(match.acting) > 1:
            return False
    return len(acting) == 1


@every_game
def test_figures_are_what_a_recount_of_the_match_gives(name: str) -> None:
    game = small_game(name)
    chunk = Desk(game, "house", 7, LANE).gather(0, 8)
    for k, match in enumerate(matches(game, "house", 7, 8, LANE)):
        found = recounted(match)
        columns = {"decisions": DECISIONS, "chances": CHANCES, "choices": CHOICES, "legal": LEGAL, "turns": TURNS}
        for what, column in (columns | {"deals": DEALS, "starter": STARTER}).items():
            assert chunk.figures[k, column] == found[what], what
        assert chunk.figures[k, HISTORY] == match.struct.history and tuple(chunk.results[k]) == match.returns()
        kind = kinds(game.rules.ACTIONS)
        made = [kind[event.name] for event in match.events if event.seat >= 0]
        listed = list(dict.fromkeys(kind.values()))
        assert chunk.tally[k].tolist() == [made.count(each) for each in listed]


@pytest.mark.parametrize(
    ("acting", "crowd", "mover", "told"),
    [(0b1, 0, 1, 0), (0b111, 0, -1, 0b111), (0b110, 0b111, 0, 0b110), (0b100, 0b110, 1, 0b100),
     (0b100, 0b100, 2, 0b100), (0b10, 0b100, 2, 0), (0b1, 0b110, 1, 0)],
)  # fmt: skip
def test_who_chooses_with_others_is_not_alone_even_when_last(acting: int, crowd: int, mover: int, told: int) -> None:
    assert together(acting, crowd, mover) == told


# --- what came of them ------------------------------------------------------------------------------------------------
def close(found: float, exact: str, square: str, games: int) -> bool:
    """Whether a mean of so many games is within five standard errors of what it must be."""
    middle = float(Fraction(exact))
    return abs(found - middle) <= 5 * ((float(Fraction(square)) - middle**2) / games) ** 0.5 + 1e-9


@pytest.mark.parametrize(("game", "exact"), tiny_games(), ids=str)
def test_means_of_tiny_games_are_the_exact_ones(game: Game, exact: dict[str, list[str]]) -> None:
    found = collect(game, 2000, "random", 11)
    for seat, each in enumerate(found.of(RESULT)):
        assert close(each.value, exact["mean"][seat], exact["square"][seat], 2000), (seat, each)


def test_measures_of_a_game_written_out() -> None:
    game = hexdeck.game("blackstone", 3)
    chunk = Desk(game, "random", 0, LANE).gather(0, 1)
    chunk.results[0] = [4.0, 4.0, -8.0]
    chunk.figures[0, STARTER] = 2
    found = dict(zip(names(game), table(game, chunk, LANE)[0], strict=True))
    assert [found[FIRST, seat] for seat in range(3)] == [0.5, 0.5, 0] and found[LAST, 2] == 1
    assert (found["tied", 0], found["beginner", 0], found["begins_last", 0]) == (1, -8, 1)
    chunk.figures[0, STARTER] = -1
    found = dict(zip(names(game), table(game, chunk, LANE)[0], strict=True))
    assert (found["beginner", 0], found["begins_first", 0]) == (0, pytest.approx(1 / 3))


@pytest.mark.parametrize(("chunk", "threads"), [(1, 3), (7, 2), (50, 1)])
def test_nothing_depends_on_threads_or_chunks(chunk: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small_game("hawthorn")
    whole = collect(game, 40, "house", 2, lane=LANE)
    monkeypatch.setattr(module, "CHUNK", chunk)
    found = collect(game, 40, "house", 2, threads, lane=LANE)
    assert found.lengths == whole.lengths and len(found) == 40
    assert np.allclose(found.moments.sums, whole.moments.sums) and np.allclose(
        found.moments.squares, whole.moments.squares
    )


def test_the_means_are_those_of_the_columns() -> None:
    game = small_game("black-hearts")
    found, plain = collect(game, 60, "house", 1, lane=LANE), game.simulate(60, "house", 1, lane=LANE)
    for seat in range(game.players):
        one, other = found[RESULT, seat], mean(plain.returns[:, seat])
        assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    assert found["decisions"].value == pytest.approx(plain.moves.mean())


def test_an_interrupt_leaves_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 10)
    ticks: Iterator[int] = iter(range(3))

    def impatient(_done: int) -> None:
        if next(ticks) == 1:
            raise KeyboardInterrupt

    game = small_game("hawthorn")
    found = collect(game, 1000, "random", 1, 2, lane=LANE, progress=impatient)
    assert len(found) == 20
    assert np.allclose(found.moments.sums, collect(game, 20, "random", 1, lane=LANE).moments.sums)


def test_no_more_chunks_are_played_than_a_few_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []
    steps = module.ahead(lambda at: begun.append(at) or at, range(100), 2)
    assert [next(steps), next(steps)] == [0, 1]
    assert len(begun) <= 6
    assert list(steps) == list(range(2, 100))
