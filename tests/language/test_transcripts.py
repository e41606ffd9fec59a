"""The page of matches that a scripted model plays is what the tool makes, and shows what it should."""

import pytest
import transcripts

from hexdeck.research.prompt import prompt_of
from hexdeck.simulation.game import game
from tests.settings import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_the_page_has_the_match_that_the_tool_plays(name: str) -> None:
    written = transcripts.PAGE.read_text(encoding="utf-8")
    section = transcripts.section(name)
    assert section in written
    assert section.count("# Your moves") <= transcripts.MOST
    assert "Refused: nonsense." in section and "Read as `" in section and "The match is over." in section


def test_a_count_is_told_apart_from_cards_and_notes_are_read() -> None:
    match = game("cursed-hand/tiny").match(3, backend="interpreted")
    for seat in (0, 1):
        match.play(seat, match.legal(seat)[0])
    table = prompt_of(match, match.actor, rules=False).table
    assert "Graveyard: 2 (2 in all)" in table or "Graveyard: 1 (1 in all)" in table
    other = game("blackstone/tiny").match(1, backend="interpreted")
    assert " in it" in prompt_of(other, other.actor, rules=False).table  # how many black stones are left in the deck
