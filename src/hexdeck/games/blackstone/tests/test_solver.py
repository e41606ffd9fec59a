"""Blackstone solved: it agrees with a slow walk of the kernel, with simulated games, and says what it can't do."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players.kinds import SolvedBot
from hexdeck.bots.players.roster import bot, bots_of
from hexdeck.engine.backends import build, cache, library
from hexdeck.engine.backends.cache import kept_array
from hexdeck.engine.play import game as driving
from hexdeck.games.blackstone import rules, solver
from hexdeck.games.blackstone.induction import at
from hexdeck.games.blackstone.solver import Tables, deck_of, opening, seat_values, solved, summary
from hexdeck.simulation.game import Game
from tests.bots.expectimax import Walk
from tests.compiled import warm
from tests.people import Room, room
from tests.settings import much
from tests.support import stage

__all__ = ["room"]

SMALL, WIDER, TENS = "1-2-3-0-0-0-0-0-0-2", "1-2-3-1-0-0-0-0-0-4", "2-2-1-0-0-0-0-0-0-4"  # copies of each rank
TWISTS: list[dict[str, Any]] = [
    {},
    {"draw_cap": True},
    {"after_fold": "restarts"},
    {"after_fold": "restarts", "draw_cap": True},
    {"drawing": "announced"},
    {"drawing": "announced", "draw_cap": True, "extra_ten": "replaced"},
]
FEW = [(3, SMALL, twist) for twist in TWISTS[3::2]]  # all values of all options
CASES = much(
    FEW,
    [
        *FEW,
        (2, "2-2-2-0-0-0-0-0-0-0", {}),
        (2, WIDER, {}),
        (3, TENS, {}),
        *[(3, SMALL, twist) for twist in (*TWISTS[:3], TWISTS[4])],
    ],
)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    warm("blackstone", "fast")


def blackstone(players: int, **options: Any) -> Game:
    return hexdeck.game("blackstone", players, **options)


def leaving_first(action: int) -> tuple[bool, int]:
    return action not in {rules.FOLD, rules.STOP}, action


def walked(game: Game) -> Walk:
    walk = Walk(game, leaving_first)
    walk.value(walk.first())
    return walk


def agrees(walk: Walk, player: SolvedBot, position: bytes, seat: int) -> int:
    """The bot's worths are those of the walk, and it takes the best; returns how many actions are as good."""
    found = walk.worths(position, seat)
    worths = {action: worth[seat] for action, worth in found.items()}
    thought = player.candidates(position, seat)
    assert {each.action: each.value for each in thought} == pytest.approx(worths, abs=1e-9)
    assert thought[0].action == player.choose(position, seat) == walk.best_of(found, seat)
    assert [each.probability for each in thought] == [1, *[0] * (len(thought) - 1)]
    assert max(worths.values()) <= worths[thought[0].action] + 1e-9
    return sum(worth > max(worths.values()) - 1e-9 for worth in worths.values())


# --- against the kernel, walked completely ----------------------------------------------------------------------------
@pytest.mark.parametrize(("players", "deck", "options"), CASES)
def test_no_deviation_gains_anywhere_and_every_worth_is_exact(players: int, deck: str, options: dict[str, Any]) -> None:
    walk = walked(blackstone(players, deck=deck, **options))
    player = SolvedBot(walk.game, "fast")
    equals = [agrees(walk, player, position, seat) for position, seat in walk.decisions()]
    assert len(equals) > 10


@pytest.mark.long
@pytest.mark.parametrize("options", TWISTS)
def test_no_index_is_out_of_range(options: dict[str, Any]) -> None:
    for game in (blackstone(3, **options), blackstone(4, deck=SMALL, **options)):
        fast, checked = (solved(game, game.players, 3, 2, backend) for backend in ("fast", "checked"))
        assert np.allclose(fast.values, checked.values, atol=1e-9, rtol=0)


LATE = [(False, (1, 0, 0)), (True, (0, 1, 1))]


@pytest.mark.parametrize(("draw_cap", "black"), much(LATE, [*LATE, *((not cap, black) for cap, black in LATE)]))
def test_late_positions_of_the_whole_deck_are_exact(draw_cap: bool, black: tuple[int, ...]) -> None:
    walk = Walk(blackstone(3, draw_cap=draw_cap), leaving_first)
    match = stage("blackstone", 3, "card 1", "card 2", "card 3", backend="fast", draw_cap=draw_cap)
    late = np.frombuffer(match.concealed(0), rules.STRUCT).copy()
    late["white"], late["last"], late["least"] = 31, 2, 2
    late["black"][0, :3], late["stock"][0] = black, [0] * 7 + [5, 9, 10 - sum(black)]
    late["deck_left"] = 24 - sum(black)
    walk.value(late.tobytes())
    player, decisions = SolvedBot(walk.game, "fast"), list(walk.decisions())
    assert len(decisions) > 300
    for position, seat in random.Random(1).sample(decisions, much(100, 300)):
        agrees(walk, player, position, seat)


@pytest.mark.parametrize("pot", much([7], [1, 7]))
def test_a_pot_carried_in_is_played_for(pot: int) -> None:
    walk = Walk(blackstone(3, deck=SMALL), leaving_first)
    found, bare, met = solved(walk.game, 3, pot), solved(walk.game, 3), 0
    for position, seat in list(walked(walk.game).decisions()):
        struct = np.frombuffer(position, rules.STRUCT).copy()
        if struct["phase"][0] != rules.TURN or struct["inside_count"][0] != 3:
            continue
        before = first_values(bare, struct[0], seat)
        struct["pot"] += pot
        values = walk.value(struct.tobytes())
        there = [values[(seat + i) % 3] for i in range(3)]
        assert first_values(found, struct[0], seat) == pytest.approx(there, abs=1e-9)
        met += before != pytest.approx(there)
    assert met > 100


def first_values(found: Tables, s: Any, seat: int) -> list[float]:
    n, k, pot, mask, white = solver.terms_of(s, seat)
    begins = at(found.blocks, found.deck, n, k, pot, mask, white, 0, int(s["last"]))
    return list(found.values[begins : begins + n])


BEGUN = [(2, "1-2-3-1-0-0-0-0-0-3", False), (3, "2-2-2-0-0-0-0-0-0-3", True)]


@pytest.mark.parametrize(
    ("players", "deck", "replaced"), much(BEGUN, [*BEGUN, *((*each, not other) for *each, other in BEGUN)])
)
def test_rounds_begin_as_the_kernel_deals_and_are_worth_what_it_pays(players: int, deck: str, replaced: bool) -> None:
    game = blackstone(players, deck=deck, extra_ten="replaced" if replaced else "not_replaced")
    walk, dealt, worth = Walk(game, leaving_first), defaultdict[tuple[int, int, int], float](float), np.zeros(players)
    now = {walk.first(): 1.0}
    while now:
        after = defaultdict[bytes, float](float)
        for position, chance in now.items():
            s = np.frombuffer(position, rules.STRUCT)[0]
            if s["phase"] == rules.TURN:
                held = int(s["black"][s["turn"]])
                dealt[int(s["white"]), int(s["black"].sum()) - held, held] += chance
                worth += chance * np.roll(walk.value(position), -s["turn"])
            elif s["phase"] == rules.DEAL:  # else the deck was short
                for there, part in walk.chances(position).items():
                    after[there] += chance * part
        now = after
    begun = opening(players, deck_of(game), replaced)
    assert begun == pytest.approx(dealt, abs=1e-8)
    assert list(seat_values(solved(game, players), 0, begun)) == pytest.approx(
        list(worth / sum(dealt.values())), abs=1e-6
    )


# --- against simulated games ------------------------------------------------------------------------------------------
def simulated(game: Game, games: int) -> np.ndarray:
    """Chips won, float64 (games, seats from the first player on), where all play what was solved."""
    player, won = bot("solved", game, backend="fast"), []
    for number in range(games):
        match = game.match(seed=4, number=number, backend="fast")
        first = match.struct.turn
        while not match.over:
            match.play(match.actor, player.choose(match.concealed(match.actor), match.actor))
        won.append(np.roll(match.returns(), -first))
    return np.array(won)


@pytest.mark.parametrize(
    ("players", "options"),
    much(
        [(3, {"draw_cap": True})], [(players, {"draw_cap": cap}) for players in (2, 3, 4, 5) for cap in (False, True)]
    ),
)
def test_the_value_is_what_simulated_games_bring(players: int, options: dict[str, Any]) -> None:
    """Every seat's value lies in the 95 % interval of simulated games, widened for several seats at once."""
    game, games = blackstone(players, **options), much(250, 6000)
    won, begun = simulated(game, games), opening(players, deck_of(game), replaced=False)
    assert sum(begun.values()) == pytest.approx(1, abs=1e-6)
    away = np.abs(won.mean(axis=0) - seat_values(solved(game, players), 0, begun))
    assert np.all(away < 1.3 * 1.96 * won.std(axis=0) / np.sqrt(games))


# --- the bot ----------------------------------------------------------------------------------------------------------
def test_the_choice_is_the_same_in_every_world_the_seat_thinks_possible() -> None:
    match = blackstone(4).match(seed=1, backend="fast")
    player = bot("solved", match.game, backend="fast")
    while not match.over:
        seat = match.actor
        chosen = player.choose(match.concealed(seat), seat)
        assert player.choose(match.resample(seat, 5).concealed(seat), seat) == chosen
        match.play(seat, chosen)


def test_in_a_session_each_round_is_played_by_itself_and_the_last_is_exact() -> None:
    match = blackstone(3, rounds=3).match(seed=3, backend="fast")
    player = SolvedBot(match.game, "fast")
    while not match.over:
        seat, last = match.actor, match.struct.played == 2
        thought = player.candidates(match.concealed(seat), seat, 0)
        assert {each.action for each in thought} == set(match.legal_ids(seat))
        assert all((each.value is not None) == last for each in thought)
        match.play(seat, thought[0].action)
    assert match.struct.played == 3


def test_who_cant_pay_any_price_makes_worths_unknown() -> None:
    match = stage("blackstone", 2, "card 1", "card 2", backend="fast")
    struct = np.frombuffer(match.concealed(0), rules.STRUCT).copy()
    struct["purse"][0, 1] = 49
    assert {each.value for each in SolvedBot(match.game, "fast").candidates(struct.tobytes(), 0, 0)} == {None}


@pytest.mark.parametrize(
    ("players", "options", "why"),
    [
        (9, {}, "solved for 2 to 8 players, not 9"),
        (3, {"sit_out": True}, "from the deal on, not the choice to stake"),
        (3, {"sit_out": True, "stakes": "open"}, "from the deal on, not the choice to stake"),
        (3, {"chips": 49}, "chips must be at least 50, not 49"),
    ],
)
def test_what_isnt_solved_is_refused(players: int, options: dict[str, Any], why: str) -> None:
    with pytest.raises(hexdeck.BadOption, match=why):
        bot("solved", blackstone(players, **options))
    assert "solved" not in bots_of(blackstone(players, **options)) and "solved" in bots_of(blackstone(3))


def test_a_game_without_a_solver_has_no_solved_bot() -> None:
    with pytest.raises(hexdeck.UnknownBot, match="no bot solved for hawthorn: it has no solver"):
        bot("solved", hexdeck.game("hawthorn"))
    with pytest.raises(
        hexdeck.UnknownBot, match=r"there are best, best:bold, best:careful, easy, hard, house, .*solved"
    ):
        bot("solve", blackstone(2))


# --- without machine code ---------------------------------------------------------------------------------------------
@pytest.fixture
def uncompiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither Numba nor libraries, nor tables that were kept."""
    for module in (build, driving):
        monkeypatch.setattr(module, "can_build", lambda: False)
    monkeypatch.setattr(library, "loaded", lambda _owners: None)
    monkeypatch.setattr(cache, "TOLD", set())
    monkeypatch.setattr(solver, "backend_folder", lambda *_: tmp_path)
    made = driving.driver, driving.compiled_kernel, solver.tables
    for each in made:
        each.cache_clear()
    yield
    for each in made:
        each.cache_clear()


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", ["best", "solved"])
def test_without_machine_code_two_players_are_solved_in_python(name: str) -> None:
    game = blackstone(2)
    assert isinstance(bot(name, game), SolvedBot)
    assert len(game.simulate(3, [name, "house"], seed=1).returns) == 3
    assert solved(game, 2).backend == "interpreted"


@pytest.mark.usefixtures("uncompiled")
def test_without_machine_code_the_house_bot_plays_where_solving_takes_too_long(capfd, monkeypatch) -> None:
    monkeypatch.setattr(cache, "TOLD", set())
    game = blackstone(3)
    played = [game.simulate(2, [name, "random", "random"], seed=1) for name in ("best", "solved", "house")]
    assert played[0].returns.tolist() == played[1].returns.tolist() == played[2].returns.tolist()
    said = [line for line in capfd.readouterr().err.splitlines() if "solve" in line]
    assert said == [
        "hexdeck: Without machine code it would take too long to solve blackstone: the house bot plays instead."
    ]
    with pytest.raises(hexdeck.BadOption, match="solved for 2 to 8 players"):
        bot("solved", blackstone(9))
    with pytest.raises(hexdeck.BadOption, match="solved for 2 players only"):
        summary(game)


@pytest.mark.parametrize("options", much([{}], TWISTS))
def test_tables_made_in_python_are_those_of_machine_code(options: dict[str, Any]) -> None:
    for game in (blackstone(2, **options), blackstone(3, deck=SMALL, **options)):
        fast, spent = solved(game, game.players, backend="fast"), list[float]()
        values = solver.induced(fast.blocks, fast.deck, len(fast.values), "interpreted", spent)
        assert np.array_equal(values, fast.values) and spent[0] > 0


# --- what is kept -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("harm", ["shorter", "longer", "another byte", "empty"])
def test_damaged_tables_are_made_again(harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "backend_folder", lambda *_: tmp_path)
    key = (2, "stop_freely", False, "carries", *deck_of(blackstone(2)))
    fresh = solver.tables.__wrapped__(key, 0, 0, "fast")
    (file,) = tmp_path.iterdir()
    kept = solver.tables.__wrapped__(key, 0, 0, "fast")
    assert fresh.seconds > 0 == kept.seconds and np.array_equal(kept.values, fresh.values)
    good = file.read_bytes()
    flipped = good[:1000] + bytes([good[1000] ^ 1]) + good[1001:]
    harmed = {"shorter": good[:-8], "longer": good + good[:8], "empty": b"", "another byte": flipped}
    file.write_bytes(harmed[harm])
    again = solver.tables.__wrapped__(key, 0, 0, "fast")
    assert again.seconds > 0 and np.array_equal(again.values, fresh.values)
    assert file.read_bytes() == good and list(tmp_path.iterdir()) == [file]


def test_where_nothing_can_be_kept_tables_are_made_all_the_same(tmp_path: Path) -> None:
    for file in (None, tmp_path / "nowhere" / "table"):
        assert kept_array(file, 2, lambda: np.array([1.0, 2.0])).tolist() == [1, 2]


# --- the command ------------------------------------------------------------------------------------------------------
MORE: list[list[str]] = [[], ["--pot", "7", "--option", "draw_cap=on"], ["-o", "drawing=announced"]]


@pytest.mark.parametrize("more", MORE)
def test_solve_tells_the_value_of_each_seat_and_the_shape_of_best_play(more: list[str], room: Room) -> None:
    said = room.hexdeck("solve", "blackstone", "--players", "2", *more)
    lines = said.out.rstrip("\n").split("\n")
    assert (said.status, said.err) == (0, "") and max(map(len, lines)) <= 79
    written = re.findall(r"[+\u2212]\d+\.\d{4}", said.out)
    values = [float(number.replace("\u2212", "-")) for number in written]
    pot = 7 if "--pot" in more else 0
    game = blackstone(2, draw_cap=bool(pot), drawing="announced" if "-o" in more else "stop_freely")
    begun = opening(2, deck_of(game), replaced=False)
    assert values == pytest.approx(list(seat_values(solved(game, 2, pot), pot, begun)), abs=1e-4)
    assert "What a round is worth" in said.out and "4,508" in lines[0]


def test_the_shape_is_what_the_bot_plays(room: Room) -> None:
    table = room.hexdeck("solve", "blackstone", "-n", "2").out.split("no black stones")[1].split("\n\n")[0]
    row = next(line for line in table.splitlines() if line.split()[:1] == ["7"])
    assert row.split()[1:4] == ["1", "2", "3"] and row.split()[4:8] == ["T"] * 4
    player, match = SolvedBot(blackstone(2), "fast"), stage("blackstone", 2, "card 1", "card 2", backend="fast")
    for number, plan in ((3, rules.STOP), (4, rules.DRAW)):
        struct = np.frombuffer(match.concealed(0), rules.STRUCT).copy()
        struct["phase"], struct["white"], struct["drawn"] = rules.MORE, 7 + number, number
        struct["least"] = struct["last"] = number
        struct["deck_left"] = 55 - 7 - number
        assert player.choose(struct.tobytes(), 0) == plan


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["hawthorn"], "There is no solver for hawthorn; there is one for blackstone."),
        (["blackstone", "-n", "9"], "Blackstone is solved for 2 to 8 players, not 9."),
        (["blackstone", "--pot", "-1"], "A pot carried over can't be -1; it must be 0 to 10,000."),
        (["blackstone", "-n", "3", "-o", "deck=1-2-2-0-0-0-0-0-0-3"], "can run out before one of them is lowest"),
    ],
)
def test_solve_refuses_in_one_sentence(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("solve", *words)
    assert said.status == 2 and said.out == "" and why in said.err and said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("joined", 0b011),
        ("joined", 0),
        ("pot", 5000),
        ("pot", -1),
        ("white", 99),
        ("inside", 0b111),
        ("inside", 0),
        ("last", 90),
    ],
)
def test_positions_outside_the_tables_are_refused_before_they_are_read(field: str, value: int) -> None:
    game = hexdeck.game("blackstone", 3)
    match = game.match(0, backend="interpreted")
    while match.struct.inside == match.struct.joined:
        match.play(match.actor, rules.FOLD if rules.FOLD in match.legal_ids(match.actor) else rules.DRAW)
    told = np.frombuffer(bytearray(match.concealed(match.actor)), rules.STRUCT).copy()
    told[field] = value
    for name in ("solved", "response"):
        with pytest.raises(hexdeck.HexdeckError, match="contradicts itself"):
            bot(name, game, 1).choose(told.tobytes(), match.actor)
