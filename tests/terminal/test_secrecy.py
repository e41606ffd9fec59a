"""Nothing a person doesn't know reaches the terminal: deal the unknown anew, and not one line changes."""

import builtins
import functools
import io
import random
from collections.abc import Iterator

import pytest
from rich.console import Console

import hexdeck
from hexdeck.bots.advice import hints
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import headlines
from hexdeck.simulation.game import Game
from hexdeck.terminal.dialogue import Left
from hexdeck.terminal.display import Chair
from hexdeck.terminal.screen import Screen
from hexdeck.terminal.session import Session
from tests.settings import data, every_game, much, random_game, soonest
from tests.support import random_step

BACKEND = "interpreted"


def positions(game: Game, seed: int, share: float = 0.3) -> Iterator[Match]:
    match, rng = game.match(seed, backend=BACKEND), random.Random(seed)
    while not match.over:
        if rng.random() < share:
            yield match
        random_step(match, rng)
    yield match


def lines(match: Match, seat: int, lang: str, fancy: bool) -> list[str]:
    screen = Screen(game_words(match.game.name, lang), "x", 80, 24, fancy, fancy)
    view = match.view(seat)
    result = screen.result(view, match.returns(), headlines(match, seat)) if match.over else ()
    drawn = screen.end(view, [], result, 3) if match.over else screen.draw(view, [])
    return [line.markup for line in drawn]


@pytest.mark.parametrize("number", range(much(1, 4)))
@every_game
def test_the_table_is_drawn_alike_in_every_world_the_seat_thinks_possible(name: str, number: int) -> None:
    game = random_game(name, random.Random(f"{name} {number}"))
    worlds, changed = 0, 0
    for match in positions(game, number):
        for seat in range(-1, game.players, much(2, 1)):
            lang, fancy = random.Random(worlds).choice((("en", True), ("nl", False)))
            shown = lines(match, seat, lang, fancy)
            other = match.resample(seat, worlds)
            worlds += 1
            changed += raw(other.rows)[0].tobytes() != raw(match.rows)[0].tobytes()
            assert lines(other, seat, lang, fancy) == shown, f"ply {match.ply}, seat {seat}"
    assert changed or data(name)["changed_worlds"] < 0.5, f"none of {worlds} worlds differed"


def answers(match: Match, seat: int, typed: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """All that the table answers to what somebody types, up to leaving."""
    out = io.StringIO()
    console = Console(file=out, width=80, height=24, markup=False, emoji=False, highlight=False)
    chairs = [Chair(f"P{p}") for p in range(match.game.players)]
    session = Session(match, chairs, game_words(match.game.name, "en", [chair.name for chair in chairs]), console, 0.0)
    waiting = iter([*typed, "q"])
    monkeypatch.setattr(builtins, "input", lambda _="": next(waiting))
    with pytest.raises(Left):
        session.dialogue.turn(seat)
    return out.getvalue()


@every_game
def test_no_refusal_tells_of_what_the_person_does_not_know(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = hexdeck.game(name, 3), 0
    for number in range(much(1, 3)):
        for match in positions(game, number):
            for seat in match.acting[: much(1, None)]:
                legal = {game.rules.ACTIONS[id] for id in match.legal_ids(seat)}
                typed = [action for action in game.rules.ACTIONS if action not in legal]
                typed = random.Random(asked).sample(typed, much(8, 12))
                worlds = [match.resample(seat, world) for world in range(much(2, 3))]
                outputs = {answers(world, seat, typed, monkeypatch) for world in worlds}
                assert len(outputs) == 1, f"ply {match.ply}, seat {seat}"
                asked += " ".join(next(iter(outputs)).split()).count("? shows the rule")
    assert asked > much(8, 30)


@soonest("cursed-hand", "hawthorn")
def test_a_hint_is_the_same_in_every_world_the_person_thinks_possible(name, monkeypatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    monkeypatch.setattr(hints, "GAMES", {BACKEND: 4})
    monkeypatch.setattr(hints, "Worlds", functools.partial(Worlds, count=8))
    asked = 0
    for match in positions(hexdeck.game(name, 3), 8, 0.5):
        choosing = [seat for seat in match.acting if 1 < len(match.legal_ids(seat)) < 12]
        if choosing and asked < much(1, 2):
            outputs = {answers(match.resample(choosing[0], world), choosing[0], ["h"], monkeypatch) for world in (1, 2)}
            assert len(outputs) == 1 and "The best moves" in outputs.pop(), f"ply {match.ply}"
            asked += 1
    assert asked == much(1, 2)


def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("cursed-hand", 3)
    honest = game.table.zones

    def leaky(s: object, seat: int) -> list[object]:
        zones = list(honest(s, seat))
        return [*zones, zones[0].__class__("leak", game.table.ABOUT.title, None, "count", count=hidden.hand[1, 9])]

    found = 0
    match = game.match(2, backend=BACKEND)
    monkeypatch.setattr(game.table, "zones", leaky)
    for world in range(8):
        other = match.resample(0, world)
        hidden = match.struct
        shown = lines(match, 0, "en", True)
        hidden = other.struct
        found += lines(other, 0, "en", True) != shown
    assert found
