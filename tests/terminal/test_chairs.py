"""Who sits where, and under which name."""

import pytest

import hexdeck
from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.engine.text import Catalogue
from hexdeck.terminal.display import Chair
from hexdeck.terminal.session import chairs, chairs_of
from tests.support import for_each


def seated(
    players: int, seat: int = 0, bots: str = "", hotseat: bool = False, names: str = "", several: int = 0
) -> list[Chair]:
    return chairs(players, seat, bots.split(), hotseat, names.split(","), Catalogue("en"), people=several)


def test_people_sit_where_wanted_and_bots_elsewhere_of_which_the_last_named_takes_what_is_left() -> None:
    table = seated(4, seat=2)
    assert table[2].name == "You" and [chair.bot for chair in table] == ["house", "house", None, "house"]
    for chosen, bots in (
        (seated(4, bots="search random"), [None, "search", "random", "random"]),
        (seated(4, hotseat=True), [None] * 4),
        (seated(4, several=3), [None, None, None, "house"]),
        (seated(3, several=3), [None] * 3),
        (seated(5, bots="random search", several=2, names="Ann,Ben"), [None, None, "random", "search", "search"]),
    ):
        assert [chair.bot for chair in chosen] == bots
    table = seated(4, hotseat=True, bots="random house", names="Ann, Ben")
    assert table == [Chair("Ann"), Chair("Ben"), Chair("Cleo", "random"), Chair("Dirk", "house")]


def test_names_are_cut_cleaned_and_numbered_from_one_and_no_two_are_alike() -> None:
    assert [chair.name for chair in seated(3, hotseat=True, names="Ann")] == ["Ann", "Player 2", "Player 3"]
    assert seated(2, names="Maximilian Alexander")[0].name == "Maximilian Alexa"
    assert seated(2, names="A\x1b[31mnn\t")[0].name == "A[31mnn"
    for taken in ("Bram", "Ada", "Joop"):
        for seat in (0, 5, 9):
            names = [chair.name for chair in seated(10, seat, names=taken)]
            assert names[seat] == taken and len(set(names)) == 10


@for_each(
    ("given", "why"),
    [
        *(({"players": 4, "seat": seat}, f"no seat {seat}; seats are 0 to 3") for seat in (-1, 4, 99)),
        *(({"players": 3, "bots": "house house house", "hotseat": hot}, "name at most 2") for hot in (True, False)),
        ({"players": 3, "names": "Ann,Ben"}, "2 names are too many for the 1 at this screen"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], why: str) -> None:
    with pytest.raises(hexdeck.BadOption, match=why):
        seated(**given)  # type: ignore[arg-type]


def test_a_record_gives_the_chairs_back_however_odd_it_is() -> None:
    table = seated(4, 1, "search:50", names="Zoë")
    assert chairs_of([chair.data() for chair in table]) == table
    odd = [{}, {"name": ""}, {"name": 7, "bot": ""}, {"name": "x" * 99, "bot": "house"}]
    assert chairs_of(odd) == [Chair(BOT_NAMES[0]), Chair(BOT_NAMES[1]), Chair(BOT_NAMES[2]), Chair("x" * 16, "house")]
