"""Forced moves in the full screen: what happens is shown, and nothing can be pressed."""

import pytest

from hexdeck.terminal import app as app_module

from .people import Person, before, new_session


def test_who_has_drawn_the_most_reads_so_and_has_nothing_to_press(monkeypatch: pytest.MonkeyPatch) -> None:
    at = new_session("blackstone", players=2, options={"draw_cap": True, "deck": "8-8-8", "rounds": 2})
    while at.match.acting != (0,):
        at.match.play(at.match.actor, "draw")
    monkeypatch.setattr(app_module, "forced_delay", lambda _pause: 1e6)

    async def draw(person: Person) -> None:
        app = person.app
        while app.state.turn == 0:
            await person.pilot.press(*"draw", "enter")
            await person.pilot.pause()
        ply = at.match.length
        assert "the most allowed: your turn ends here." in person.screen and "Stop after" not in person.screen
        await person.pilot.press("h", "u", *"stop", "enter", "down", "enter")
        assert at.match.length == ply and app.state.turn is None and not app.state.moves
        app.forced(0, app.position)
        assert (at.match.event(ply).seat, at.match.event(ply).name) == (0, "stop")
        await person.settled()

    before(at, draw)
