"""Who sits where, and under which name."""

import pytest

import hexdeck
from hexdeck.bots.players.names import BOT_NAMES
from hexdeck.engine.text import Catalogue
from hexdeck.terminal.chairs import Chair, chairs, chairs_of

WORDS = Catalogue("en")


def seated(
    players: int, seat: int = 0, bots: str = "", hotseat: bool = False, names: str = "", several: int = 0
) -> list[Chair]:
    return chairs(players, seat, bots.split(), hotseat, names.split(","), WORDS, people=several)


def people(table: list[Chair]) -> list[int]:
    return [p for p, chair in enumerate(table) if chair.bot is None]


def test_one_person_sits_where_wanted_and_the_usual_bots_elsewhere() -> None:
    table = seated(4, seat=2)
    assert people(table) == [2] and table[2].name == "You"
    assert [chair.bot for chair in table] == ["house", "house", None, "house"]


def test_the_last_bot_named_takes_the_seats_left() -> None:
    assert [chair.bot for chair in seated(4, bots="search random")] == [None, "search", "random", "random"]


def test_hot_seat_gives_bots_the_last_seats() -> None:
    assert people(seated(4, hotseat=True)) == [0, 1, 2, 3]
    table = seated(4, hotseat=True, bots="random house", names="Ann, Ben")
    assert table == [Chair("Ann"), Chair("Ben"), Chair("Cleo", "random"), Chair("Dirk", "house")]


def test_several_people_take_the_first_seats_and_bots_the_others() -> None:
    assert people(seated(4, several=3)) == [0, 1, 2]
    assert seated(4, several=3)[3].bot == "house" and people(seated(3, several=3)) == [0, 1, 2]
    table = seated(5, bots="random search", several=2, names="Ann,Ben")
    assert table[:2] == [Chair("Ann"), Chair("Ben")] and [chair.bot for chair in table[2:]] == [
        "random",
        "search",
        "search",
    ]


def test_people_without_a_name_are_numbered_from_one() -> None:
    assert [chair.name for chair in seated(3, hotseat=True, names="Ann")] == ["Ann", "Player 2", "Player 3"]


@pytest.mark.parametrize("taken", ["Bram", "Ada", "Joop"])
@pytest.mark.parametrize("seat", [0, 5, 9])
def test_no_bot_bears_a_persons_name_or_anothers(taken: str, seat: int) -> None:
    names = [chair.name for chair in seated(10, seat, names=taken)]
    assert names[seat] == taken and len(set(names)) == 10


def test_names_are_cut_and_cleaned() -> None:
    assert seated(2, names="Maximilian Alexander")[0].name == "Maximilian Alexa"
    assert seated(2, names="A\x1b[31mnn\t")[0].name == "A[31mnn"


@pytest.mark.parametrize("seat", [-1, 4, 99])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    with pytest.raises(hexdeck.BadOption, match=f"no seat {seat}; seats are 0 to 3"):
        seated(4, seat)


@pytest.mark.parametrize("hotseat", [True, False])
def test_more_bots_than_seats_are_refused(hotseat: bool) -> None:
    with pytest.raises(hexdeck.BadOption, match="name at most 2"):
        seated(3, bots="house house house", hotseat=hotseat)


def test_more_names_than_people_are_refused() -> None:
    with pytest.raises(hexdeck.BadOption, match="2 names are too many for the 1 at this screen"):
        seated(3, names="Ann,Ben")


def test_a_record_gives_the_chairs_back() -> None:
    table = seated(4, 1, "search:50", names="Zoë")
    assert chairs_of([chair.data() for chair in table]) == table


def test_a_record_with_odd_seats_still_gives_chairs() -> None:
    odd = [{}, {"name": ""}, {"name": 7, "bot": ""}, {"name": "x" * 99, "bot": "house"}]
    assert chairs_of(odd) == [Chair(BOT_NAMES[0]), Chair(BOT_NAMES[1]), Chair(BOT_NAMES[2]), Chair("x" * 16, "house")]
