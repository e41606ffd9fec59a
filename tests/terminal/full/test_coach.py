"""The coach and the score sheet in the full screen."""

import pytest

from hexdeck.engine.text import LANGUAGES, say
from tests.settings import every_game
from tests.terminal.full.people import Person, before, new_session, shown


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_decision_is_explained_and_a_word_in_ones_language_sends_the_coach_away(name: str, lang: str) -> None:
    at = new_session(name, coach=True, lang=lang)

    async def play(person: Person) -> None:
        assert any(line.startswith(at.say(say("You may: {text}", text=""))) for line in at.messages)
        await person.type(at.say(say("coach")))  # though letters are commands
        assert at.messages == [at.say(say("Explanations are off."))] and not at.coached

    before(at, play, (100, 40))


def test_the_score_sheet_is_a_page() -> None:
    at = new_session("hawthorn", options={"deals": 2})
    seen: list[str] = []

    async def look(person: Person) -> None:
        await person.pilot.press("f7")
        await person.pilot.pause()
        seen.append(shown(person.app))

    before(at, look)
    assert at.say(say("Score sheet")) in seen[0]
    assert "The score sheet is empty" in seen[0]


def test_on_a_small_screen_a_lesson_is_a_page() -> None:
    at = new_session("wolf-mans-curse", coach=True)
    seen: list[str] = []

    async def look(person: Person) -> None:
        seen.append(shown(person.app))
        await person.pilot.press("escape")
        await person.pilot.pause()
        assert len(person.app.screen_stack) == 1

    before(at, look, (40, 20))
    assert "Explanations are on." in seen[0]
