"""`hexdeck manners`: what it prints, and what it refuses."""

from tests.compiled import warm
from tests.people import Room
from tests.support import for_each


@for_each(
    ("words", "why"),
    [
        (["--deals", "1"], "--deals can't be 1; it takes 2 to"),
        (["--levels", "great"], "There is no level great; there are easy, medium, hard, best"),
        (["--manners", "rude"], "there is no manner rude"),
        (["--levels", "medium"], "house has no manners"),
        (["--save", "--deals", "20"], "on at least 200 deals"),
        (["--save", "--option", "deals=2"], "with the usual options"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("manners", "hawthorn", "-n", "2", *words)
    assert said.status == 2 and why in said.err


def test_the_command_prints_what_a_manner_changes(room: Room) -> None:
    warm("hawthorn", "fast")
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    room.monkeypatch.setenv("COLUMNS", "160")
    said = room.hexdeck("manners", "hawthorn", "-n", "2", "--levels", "best", "--manners", "bold", "--deals", "3")
    assert said.status == 0 and "best:bold" in said.out and " often" in said.out
