"""The coach at the terminal: explains once, can be turned off, goes on in a resumed match."""

import hexdeck
from hexdeck.engine.play.record import read
from tests.people import ANY_MOVES, Room, play, table
from tests.settings import every_game, small_game

TITLE = "The first card of your row"


def test_a_kind_of_decision_is_explained_once_and_the_end_is_scored(monkeypatch) -> None:
    at = table(hexdeck.game("hawthorn", 3, deals=3), coach=True, seed=5)

    def moves():
        while True:
            yield at.session.match.legal(0)[0].name

    assert play(at, moves(), monkeypatch) == 0
    text = at.output.getvalue()
    assert text.count(f"— {TITLE} —") == 1 and text.count("You may: ") == text.count("Risk: ") >= 2
    assert text.count("The last one in wins the pot. A pair") == 1
    assert "— How it was scored —" in text and text.count("at the start.") == 3


def test_the_coach_is_silenced_and_asked_again_by_its_word_and_teaches_nobody_else(monkeypatch) -> None:
    at = table(hexdeck.game("hawthorn", 2), coach=True)
    play(at, ["coach", "table", "coach"], monkeypatch)
    silent, drawn, again = at.asked[1:4]
    assert "Explanations are off." in silent and TITLE not in drawn and TITLE in again
    at = table(hexdeck.game("hawthorn", 2))
    play(at, [], monkeypatch)
    assert TITLE not in at.output.getvalue()


def test_several_people_at_one_screen_have_each_their_own_coach(monkeypatch) -> None:
    at = table(hexdeck.game("hawthorn", 2), ("Ann", "Ben"), coach=True)

    def moves():
        yield "coach"
        yield at.session.match.legal(0)[0].name
        yield at.session.match.legal(1)[0].name

    play(at, moves(), monkeypatch)
    ann, silent, ben = at.asked[:3]
    assert TITLE in ann and "Explanations are off." in silent and TITLE in ben
    assert at.session.coached == {1} and at.session.record().notes["coach"] == [1]


def test_whose_coach_it_is_goes_on_when_a_match_is_resumed(room: Room) -> None:
    two = ("--people", "2", "--players", "2", "--names", "Ann,Ben")
    room.hexdeck("play", "hawthorn", "--coach", "--seed", "3", *two, typed=["coach", "q"])
    again = room.hexdeck("play", "--resume", typed=["start with the 3", "q"])
    assert again.status == 0 and "You may: " in again.out
    assert read(room.saved()[-1]).notes["coach"] == [1]


@every_game
def test_a_lesson_leaves_the_question_in_sight(name: str, monkeypatch) -> None:
    at = table(small_game(name), coach=True)
    play(at, [], monkeypatch)
    assert all(len(line) <= 80 for line in at.screen(0).splitlines())
    assert "You may: " in at.screen(0) or len(at.session.match.legal(0)) < 2


def test_a_first_game_is_against_gentle_bots_and_goes_on_when_resumed(room: Room) -> None:
    said = room.hexdeck("play", "hawthorn", "--coach", "--seed", "3", "--pause", "0", typed=[])
    record = read(room.saved()[0])
    assert said.status == 0 and TITLE in said.out and record.game == "hawthorn"
    assert record.notes["coach"] is True and [seat.get("bot") for seat in record.seats].count("gentle") == 3
    again = room.hexdeck("play", "hawthorn", "--resume", typed=ANY_MOVES[:40])
    assert TITLE in again.out
