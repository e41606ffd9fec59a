"""The forms are measured beside their frameworks' own games by the same loop, and what is missing is told plainly."""

import sys
from typing import Any

import pytest
import speed as bench

from hexdeck.simulation.game import game

pytest.importorskip("pyspiel")
pytest.importorskip("pettingzoo")


class Counted:
    """A loop that is asked for speeds: it tells which environments were measured, and one speed for ours."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def __call__(self, env: Any) -> float:
        self.seen.append(env)
        return 300.0 if len(self.seen) % 4 == 1 else 100.0


@pytest.mark.parametrize(
    ("table_of", "speed_of", "peer_of", "peers"),
    [
        (bench.pettingzoo_table, "aec_speed", "card_game", bench.CARDS),
        (bench.openspiel_table, "spiel_speed", "python_game", bench.PYTHON),
    ],
)
def test_ours_is_measured_in_turn_with_each_of_theirs(table_of, speed_of, peer_of, peers, monkeypatch) -> None:
    made, speed = list[str](), Counted()
    monkeypatch.setattr(bench, peer_of, lambda name: made.append(name) or name)
    monkeypatch.setattr(bench, speed_of, speed)
    table = table_of(["blackstone"])
    assert made == list(peers) and len(made) == 3 and len(speed.seen) == 4 * bench.SEARCHES
    assert speed.seen[1:4] == made == speed.seen[5:8] and speed.seen[0] is speed.seen[4]
    cells = [list(column.cells) for column in table.drawn.columns]
    assert [column[0] for column in cells] == ["blackstone", "300", "3.00", "3.00", "3.00"]
    assert [column[-1] for column in cells][2:] == ["100", "100", "100"]


def test_both_forms_of_ours_are_played_to_the_end_at_least_once() -> None:
    chosen = game("blackstone", 3)
    assert bench.aec_speed(bench.aec(chosen), 0) > 0
    assert bench.spiel_speed(bench.spiel(chosen), 0) > 0
    assert bench.spiel_speed(bench.python_game("python_kuhn_poker"), 0) > 0


def test_a_peer_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, f"pettingzoo.classic.{bench.CARDS[0]}", None)
    with pytest.raises(SystemExit, match=r"leduc_holdem_v4 can't be used .*pip install '\.\[bench\]' in "):
        bench.card_game(bench.CARDS[0])


@pytest.mark.long
def test_random_play_is_measured_at_several_numbers_of_players() -> None:
    table = bench.speed_table(["cursed-hand"])
    assert [row[:2] for row in table.data["rows"]] == [["cursed-hand", players] for players in (2, 4, 6)]
    assert all(figure > 0 for row in table.data["rows"] for figure in row[2:])
