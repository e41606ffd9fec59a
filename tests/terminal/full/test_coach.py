"""The coach and the score sheet in the full screen."""

import pytest

from hexdeck.engine.text import LANGUAGES, say
from tests.settings import every_game
from tests.terminal.full.people import Person, before, new_session


@every_game
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_decision_is_explained_and_a_word_in_ones_language_sends_the_coach_away(name: str, lang: str) -> None:
    at = new_session(name, coach=True, lang=lang)

    async def play(person: Person) -> None:
        assert any(line.startswith(at.say(say("You may: {text}", text=""))) for line in at.messages)
        await person.type(at.say(say("coach")))  # though letters are commands
        assert at.messages == [at.say(say("Explanations are off."))] and not at.coached

    before(at, play, (100, 40))


def test_the_score_sheet_is_a_page_and_on_a_small_screen_so_is_a_lesson() -> None:
    at = new_session("hawthorn", options={"deals": 2}, coach=True)

    async def look(person: Person) -> None:
        assert "Explanations are on." in person.screen
        await person.press("escape")
        assert len(person.app.screen_stack) == 1
        await person.press("f7")
        assert at.say(say("Score sheet")) in person.screen and "The score sheet is empty" in person.screen

    before(at, look, (40, 20))
