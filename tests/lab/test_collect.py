"""What is counted is what happened: the games of `simulate`, recounted from matches, whatever threads and backends."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends.kernels_games import DEALS_ONLY, EVERYTHING, NOBODY, NOTHING
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Seat
from hexdeck.games.blackstone.solver import deck_of, opening, seat_values, solved
from hexdeck.lab import counts as module
from hexdeck.lab import log as logs
from hexdeck.lab.counts import FIRST, LAST, RESULT, chunk_size, collect, count, kinds, metric_names, metric_table
from hexdeck.lab.kernels import CHANCES, CHOICES, DEALS, DECISIONS, HISTORY, LAPS, LEGAL, PAUSES, STARTER, TURNS
from hexdeck.lab.log import Log, Player, SimulationSetup, log_of, matches
from hexdeck.simulation.game import Game
from tests.compiled import CHECKED, warm
from tests.engine.tiny import tiny_games
from tests.settings import every_game, much, small_game
from tests.support import for_each

BACKEND = "fast"


# --- the same games ---------------------------------------------------------------------------------------------------
@every_game
def test_games_are_those_of_simulate(name: str) -> None:
    game = small_game(name)
    bots, games = ["house", *["random"] * (game.players - 1)], much(8, 20)
    chunk, plain = (
        count(Player(SimulationSetup(game, bots, 3, backend=BACKEND)), 5, games),
        game.simulate(games, bots, 3, first=5, backend=BACKEND),
    )
    assert np.array_equal(chunk.results, plain.returns)
    assert np.array_equal(chunk.counters[:, DECISIONS], plain.moves)
    assert np.array_equal(chunk.counters[:, CHANCES], plain.chances)


@every_game
def test_compiled_code_counts_as_interpreted_code_does(name: str) -> None:
    warm(name, "fast")
    game, games = small_game(name), much(4, 15)
    backends = BACKEND, "interpreted"
    fast, slow = (count(Player(SimulationSetup(game, "house", 4, backend=each)), 0, games) for each in backends)
    for column in ("results", "counters", "kind_counts"):
        assert np.array_equal(getattr(fast, column), getattr(slow, column)), column
    assert np.array_equal(metric_table(game, fast), metric_table(game, slow))


def recounted(match: Match) -> dict[str, int]:
    """Figures of a match that is over, counted from its events."""
    out = dict.fromkeys(("decisions", "chances", "choices", "legal", "turns", "laps", "pauses"), 0)
    out["starter"], mover, crowd, taken, thought = -1, -1, set(), set(), False
    for ply, event in enumerate(match.events):
        match.go(ply)
        if event.seat < 0:
            out["chances"] += 1
            crowd = set()
            continue
        if not crowd:
            thought = False
        crowd = crowd or (set(match.acting) if len(match.acting) > 1 else set())
        count = len(match.legal_ids(event.seat))
        out["decisions"] += 1
        out["choices"] += count > 1
        out["legal"] += count * (count > 1)
        out["pauses"] += count > 1 and not thought
        thought = thought or (count > 1 and bool(crowd))
        if event.seat != mover:
            out["turns"] += 1
            if not taken or event.seat in taken:
                out["laps"] += 1
                taken = set()
            taken |= {event.seat}
        if out["starter"] < 0 and count > 1 and event.seat not in crowd:
            out["starter"] = event.seat
        match.go(ply + 1)
        crowd = set() if match.struct.history != history(match, ply) else crowd
        mover = event.seat
    match.go(match.length)
    return out | {"deals": match.struct.deal}


def history(match: Match, ply: int) -> int:
    """What had happened in public before an event, as a number; the match stands after it."""
    match.go(ply)
    found = int(match.struct.history)
    match.go(ply + 1)
    return found


@every_game
def test_figures_are_what_a_recount_of_the_match_gives(name: str) -> None:
    game = small_game(name)
    chunk = count(Player(SimulationSetup(game, "house", 7, backend=BACKEND)), 0, much(2, 8))
    for k, match in enumerate(matches(SimulationSetup(game, "house", 7, backend=BACKEND), much(2, 8))):
        found = recounted(match)
        columns = {
            "decisions": DECISIONS,
            "chances": CHANCES,
            "choices": CHOICES,
            "legal": LEGAL,
            "turns": TURNS,
            "laps": LAPS,
            "pauses": PAUSES,
        }
        for what, column in (columns | {"deals": DEALS, "starter": STARTER}).items():
            assert chunk.counters[k, column] == found[what], what
        assert chunk.counters[k, HISTORY] == match.struct.history and tuple(chunk.results[k]) == match.returns()
        kind = kinds(game.rules.ACTIONS)
        made = [kind[event.name] for event in match.events if event.seat >= 0]
        listed = list(dict.fromkeys(kind.values()))
        assert chunk.kind_counts[k].tolist() == [made.count(each) for each in listed]


@for_each(
    ("name", "players", "said"),
    [
        ("hawthorn", 2, "First Player"),
        ("hawthorn", 4, "First Player"),
        ("cursed-hand", 4, "goes first"),
        ("blackstone", 3, "goes first"),
    ],
)
def test_who_chooses_first_is_who_the_table_says_is_first(name: str, players: int, said: str) -> None:
    game, games = hexdeck.game(name, players), much(15, 30)
    found = count(Player(SimulationSetup(game, "house", 0, backend=BACKEND)), 0, games).counters[:, STARTER].tolist()
    firsts = [first_of(match, said) for match in matches(SimulationSetup(game, "house", 0, backend=BACKEND), games)]
    assert found == firsts and set(firsts) == set(range(players))


def first_of(match: Match, said: str) -> int:
    for facts in match.narration():
        for fact in facts:
            if fact.heard_by(-1) and said in fact.text.key:
                return next(value.index for value in fact.text.args.values() if isinstance(value, Seat))
    return -1


# --- what came of them ------------------------------------------------------------------------------------------------
def close(found: float, exact: str, square: str, games: int) -> bool:
    """Whether a mean of so many games is within five standard errors of what it must be."""
    middle = float(Fraction(exact))
    return abs(found - middle) <= 5 * ((float(Fraction(square)) - middle**2) / games) ** 0.5 + 1e-9


@pytest.mark.long
@for_each(("game", "exact"), tiny_games())
def test_means_of_tiny_games_are_the_exact_ones(game: Game, exact: dict[str, list[str]]) -> None:
    found = collect(SimulationSetup(game, "random", 11), 2000)
    for seat, each in enumerate(found.estimates(RESULT)):
        assert close(each.value, exact["mean"][seat], exact["square"][seat], 2000), (seat, each)


def test_intervals_of_reports_hold_the_exact_values_of_tiny_games() -> None:
    held = tried = 0
    for game, exact in tiny_games():
        for seed in range(6):
            for seat, each in enumerate(
                collect(SimulationSetup(game, "random", seed), 400, first=1000 * seed).estimates(RESULT)
            ):
                tried += 1
                held += each.low <= float(Fraction(exact["mean"][seat])) <= each.high
    assert tried > 100 and held / tried > 0.92  # not all are independent: what one seat wins another loses


def test_measures_of_a_game_written_out() -> None:
    game = hexdeck.game("blackstone", 3)
    chunk = count(Player(SimulationSetup(game, "random", 0, backend=BACKEND)), 0, 1)
    chunk.results[0] = [4.0, 4.0, -8.0]
    chunk.counters[0, STARTER] = 2
    found = dict(zip(metric_names(game), metric_table(game, chunk)[0], strict=True))
    assert [found[FIRST, seat] for seat in range(3)] == [0.5, 0.5, 0] and found[LAST, 2] == 1
    assert (found["tied", 0], found["beginner", 0], found["begins_last", 0]) == (1, -8, 1)
    chunk.counters[0, STARTER] = -1
    found = dict(zip(metric_names(game), metric_table(game, chunk)[0], strict=True))
    assert (found["beginner", 0], found["begins_first", 0]) == (0, pytest.approx(1 / 3))


@for_each(("chunk", "threads"), [(1, 3), (7, 2), (50, 1)])
def test_nothing_depends_on_threads_or_chunks(chunk: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, games = small_game("hawthorn"), much(15, 40)
    whole = collect(SimulationSetup(game, "house", 2, backend=BACKEND), games)
    monkeypatch.setattr(module, "CHUNK", chunk)
    found = collect(SimulationSetup(game, "house", 2, threads, backend=BACKEND), games)
    assert found.lengths == whole.lengths and len(found) == games
    assert np.allclose(found.moments.sums, whole.moments.sums) and np.allclose(
        found.moments.squares, whole.moments.squares
    )


def test_an_interrupt_leaves_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 10)
    ticks: Iterator[int] = iter(range(3))

    def impatient(_done: int) -> None:
        if next(ticks) == 1:
            raise KeyboardInterrupt

    game = small_game("hawthorn")
    found = collect(SimulationSetup(game, "random", 1, 2, backend=BACKEND), 1000, progress=impatient)
    assert len(found) == 20
    assert np.allclose(
        found.moments.sums, collect(SimulationSetup(game, "random", 1, backend=BACKEND), 20).moments.sums
    )


def test_what_all_choose_at_once_takes_as_long_as_one_choice() -> None:
    game = hexdeck.game("cursed-hand", 4)
    found = collect(SimulationSetup(game, "house", 1, backend=BACKEND), 30)
    assert found["choices"].value - found["pauses"].value == pytest.approx(3)  # four choose at once, in the beginning
    alone = collect(SimulationSetup(hexdeck.game("blackstone", 3), "house", 1, backend=BACKEND), 30)
    assert alone["pauses"].value == alone["choices"].value and alone["deals"].value == 1
    assert 1 < alone["laps"].value < alone["turns"].value < 3.5 * alone["laps"].value


@pytest.mark.long
@for_each(("players", "deck"), [(3, "2-2-2-0-0-0-0-0-0-3"), (3, "pairs")])
def test_what_solved_games_are_worth_lies_in_the_intervals_of_perfect_play(players: int, deck: str) -> None:
    game = hexdeck.game("blackstone", players, deck=deck)
    worth = seat_values(solved(game, players), 0, opening(players, deck_of(game), replaced=False))
    shared = float(sum(worth)) / players  # what nobody won stays in the pot; each seat is as often the starter
    for seed in range(3):
        found = collect(SimulationSetup(game, "solved", seed), 1000)
        for each, exact in (
            (found["beginner"], worth[0] - shared),
            *((each, shared) for each in found.estimates(RESULT)),
        ):
            sure = each.simultaneous(3 * (players + 1))
            assert sure.low <= exact <= sure.high, seed
    others = collect(SimulationSetup(game, "house", 1), 1000)["beginner"]
    assert not others.low <= worth[0] - shared <= others.high or deck == "pairs"


def test_of_slow_bots_few_games_are_played_before_one_hears_of_them() -> None:
    assert [chunk_size(20, games) for games in (60, 500, 100_000)] == [1, 5, 20]
    assert [chunk_size(2000, games) for games in (60, 100_000, 1_000_000)] == [500, 1000, 2000]


# --- logs: the same of bots and of matches, in every backend, however little room there is ----------------------------
COLUMNS = ("first", "rows", "ends", "results", "setup", "position", "legal", "hands")


def setup_of(name: str, bots: str = "random", backend: str = BACKEND) -> SimulationSetup:
    return SimulationSetup(small_game(name), bots, 1, backend=backend)


def same(one: Log, other: Log) -> bool:
    return all(np.array_equal(getattr(one, column), getattr(other, column)) for column in COLUMNS)


@every_game
def test_logged_games_are_those_that_are_counted(name: str) -> None:
    setup = setup_of(name, "house")
    counted, log = count(Player(setup), 3, 30), Player(setup, EVERYTHING).log(3, 30)
    decides = log.seat != NOBODY
    assert np.array_equal(log.results, counted.results)
    assert np.array_equal(log.by_game(decides.astype(int)), counted.counters[:, DECISIONS])
    assert (log.final_positions["over"] == 1).all() and len(log.final_positions) == len(log) == 30
    assert (log.legal.sum(axis=1) == log.count).all()
    assert log.legal[np.flatnonzero(decides), log.action[decides]].all()


@every_game
@pytest.mark.parametrize("keep", [NOTHING, DEALS_ONLY, EVERYTHING])
def test_every_backend_logs_the_same(name: str, keep: int) -> None:
    whole = Player(setup_of(name), keep).log(0, 2)
    for backend in ("interpreted", "checked") if name in CHECKED and keep == EVERYTHING else ("interpreted",):
        assert same(whole, Player(setup_of(name, backend=backend), keep).log(0, 2)), backend


@every_game
def test_a_match_that_was_played_has_the_log_of_the_same_game_simulated(name: str) -> None:
    setup = setup_of(name)
    for number, match in enumerate(matches(setup, 2)):
        length, logged, played = match.length, Player(setup, EVERYTHING).log(number, 1), log_of(match, number)
        assert same(logged, played) and match.ply == length == played.plies[-1]
        made = [ply for ply, event in enumerate(match.events) if event.seat >= 0]
        assert list(played.plies[:-1]) == made and {ply for _seat, _since, ply in played.waits} <= set(made)


@for_each(("bots", "keep"), [("random", NOTHING), ("random", DEALS_ONLY), ("house", EVERYTHING), ("search:2", NOTHING)])
def test_a_log_without_room_grows(bots: str, keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = SimulationSetup(hexdeck.game("hawthorn", 2, deals=2), bots, 3, backend=BACKEND)
    whole, counted = Player(setup, keep).log(4, 5), count(Player(setup, keep), 4, 5)
    with monkeypatch.context() as patch:
        patch.setattr(logs, "ROOM", {keep: (4, 4)})
        small, others = Player(setup, keep), Player(setup, keep)
    assert bots == "search:2" or len(list(small.logs(4, 5))) > 1  # what bots were asked for is read as a whole
    parts = count(others, 4, 5)
    for column in ("results", "counters", "kind_counts"):
        assert np.array_equal(getattr(counted, column), getattr(parts, column)), column
    assert same(whole, small.log(4, 5))
