"""What happened is shown step by step in the full screen, until Enter."""

import pytest

from hexdeck.terminal.session import ScreenSession
from tests.terminal.full.people import Person, before, new_session


def one_to_go() -> ScreenSession:
    at = new_session("wolf-mans-curse")
    at.pause = 1e6
    for seat in (1, 2):
        at.match.play(seat, at.match.legal_ids(seat)[0])
    return at


def test_a_night_is_shown_step_by_step_until_enter() -> None:
    at = one_to_go()

    async def play(person: Person) -> None:
        app = person.app
        app.play(app.state.moves[0].id)
        seen = []
        for _ in range(2):
            await person.pilot.pause()
            assert app.state.turn is None and app.state.view is not None and app.wait is not None
            zones = {zone.id: zone for zone in app.state.view.zones}
            seen.append((len(zones["tonight"].cards), bool(app.state.view.moves)))
            app.wait.stop()
            app.show_step()
        assert seen == [(3, False), (3, False)]
        await person.shows("strongest")
        assert app.steps
        await person.pilot.press("enter")
        assert not app.steps

    before(at, play)


def test_steps_take_as_long_as_they_say_where_bots_wait_as_usual() -> None:
    at = one_to_go()
    since = at.match.ply
    at.match.play(0, at.match.legal_ids(0)[0])
    for pause, factor in ((0.7, 1.0), (1.4, 2.0)):
        at.pause = pause
        steps = at.views_since(since)
        assert [seconds for _, seconds in steps][:3] == pytest.approx([1.1 * factor, 0.6 * factor, 1.1 * factor])
        assert [view is None for view, _ in steps] == [False] * (len(steps) - 1) + [True]
    at.pause = 0.0
    assert at.views_since(since) == []
