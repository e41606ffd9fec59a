"""The names that hexdeck offers, listed exactly, and what games and options accept."""

import subprocess
import sys

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.options import Choice, Deck, Number, Numbers, Option, Seats, Switch
from hexdeck.engine.text import say
from tests.settings import every_game, options

NAMES = {
    "BadChance", "BadMove", "BadOption", "BadPly", "BadRecord", "Batch", "BrokenGame", "Event", "Fact", "Game",
    "GameIsOver", "HexdeckError", "IllegalMove", "Match", "Move", "NotActing", "Record", "RuleFault",
    "UnknownBot", "UnknownGame",
    "View", "Zone", "game", "game_names", "load",
}  # fmt: skip
PARENTS = {
    "UnknownGame": "HexdeckError", "BrokenGame": "UnknownGame", "BadOption": "HexdeckError",
    "BadMove": "HexdeckError", "IllegalMove": "BadMove",
    "NotActing": "BadMove", "GameIsOver": "BadMove", "BadChance": "HexdeckError", "BadPly": "HexdeckError",
    "BadRecord": "HexdeckError", "RuleFault": "HexdeckError", "UnknownBot": "HexdeckError",
    "HexdeckError": "Exception",
}  # fmt: skip


def test_hexdeck_offers_exactly_these_names() -> None:
    assert set(hexdeck.__all__) == NAMES and len(hexdeck.__all__) == len(NAMES)
    assert set(dir(hexdeck)) == NAMES | {"__version__"}
    assert all(callable(getattr(hexdeck, name)) for name in NAMES)
    with pytest.raises(AttributeError, match="no_such_name"):
        hexdeck.no_such_name  # noqa: B018


def test_the_games_can_be_listed_again_and_again() -> None:
    first = hexdeck.game_names()
    hexdeck.game(first[0])
    assert hexdeck.game_names() == first and "cursed-hand" in first


def test_the_errors_form_one_tree() -> None:
    errors = {name for name in NAMES if isinstance(getattr(hexdeck, name), type)}
    errors = {name for name in errors if issubclass(getattr(hexdeck, name), Exception)}
    assert errors == set(PARENTS)
    assert {name: getattr(hexdeck, name).__bases__[0].__name__ for name in errors} == PARENTS


def test_importing_hexdeck_imports_nothing_large_and_playing_no_framework() -> None:
    code = "import sys, hexdeck; hexdeck.__version__; print(*sys.modules); hexdeck.game('hawthorn').match(seed=1)"
    command = [sys.executable, "-c", f"{code}; print(*sys.modules)"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    begun, played = ({*line.split()} for line in ran.stdout.splitlines())
    assert not {"numba", "numpy", "rich"} & begun
    assert not {"pettingzoo", "gymnasium", "pyspiel", "open_spiel", "PIL", "resvg_py", "torch"} & played


def test_a_game_is_found_by_any_spelling_and_a_near_miss_is_named() -> None:
    assert hexdeck.game(" Cursed_Hand ").name == hexdeck.game("cursed hand").name == "cursed-hand"
    with pytest.raises(hexdeck.UnknownGame, match=r"^There is no game cursed-hands \(did you mean cursed-hand\?\)\.$"):
        hexdeck.game("cursed-hands")
    with pytest.raises(hexdeck.UnknownGame) as error:
        hexdeck.game("")
    assert all(name in str(error.value) for name in hexdeck.game_names())


@every_game
def test_players_are_within_the_game_s_range(name: str) -> None:
    low, high = definition(name).rules.PLAYERS
    assert hexdeck.game(name).players == min(max(4, low), high)
    assert {hexdeck.game(name, players).players for players in range(low, high + 1)} == set(range(low, high + 1))
    for players in (low - 1, high + 1, 0, -1, "3", 3.0, True):
        with pytest.raises(hexdeck.BadOption, match=f"{low} to {high}"):
            hexdeck.game(name, players)


@every_game
def test_unknown_options_and_values_are_refused_in_a_sentence(name: str) -> None:
    for option in options(name):
        with pytest.raises(hexdeck.BadOption, match=f"did you mean {option.name}"):
            hexdeck.game(name, **{f"{option.name}x": option.default})
        nothing = [] if isinstance(option, Seats) else [[]]  # no seats at all is a value
        for value in ("", "no such value", None, -1, 10**9, 1.5, *nothing, "-"):
            with pytest.raises(hexdeck.BadOption, match=option.name):
                hexdeck.game(name, **{option.name: value})


def accepted(option: Option) -> list[object]:
    """Values that an option must take."""
    if isinstance(option, Choice):
        return list(option.values)
    if isinstance(option, Number):
        return [option.low, option.high, str(option.high), f" +{option.high}"]
    if isinstance(option, Switch):
        return [True, False, "on", "no", "TRUE", "0"]
    if isinstance(option, Numbers):
        return [option.default, option.plain(option.default), "-".join([str(option.low or 1)] * option.most)]
    if isinstance(option, Seats):
        return ["none", [], "0-1", [1, 0]]
    assert isinstance(option, Deck)
    return [*dict(option.named), "9-9-9-9", [9, 9, 9, 9]]


@every_game
def test_options_take_what_they_say_they_take(name: str) -> None:
    for option in options(name):
        parsed = [option.parse(value) for value in accepted(option)]
        assert [option.parse(value) for value in parsed] == parsed  # the canonical form of itself
        assert option.parse(option.default) == option.default
        if isinstance(option, Number):
            assert parsed[1:] == [option.high] * 3
        if isinstance(option, Switch):
            assert parsed == [True, False, True, False, True, False]


@every_game
def test_what_people_type_is_what_they_read(name: str) -> None:
    for option in options(name):
        for value in map(option.parse, accepted(option)):
            assert option.read(option.spell(value)) == value


def test_people_count_seats_from_1_and_records_from_0() -> None:
    elders = Seats("elders", "none", "", say("Elders"), 4)
    assert elders.read("1-4") == elders.parse("0-3") == elders.parse([3, 0]) == "0-3"
    assert elders.spell("0-3") == "1-4" and elders.read("none") == elders.parse([]) == "none"
    assert str(elders.allowed()) == "none, or seats from 0 to 3 joined by hyphens, like 0-2"
    for value in ("0", "5", "0-1", "", "1-", "none-1"):
        with pytest.raises(hexdeck.BadOption, match="seats from 1 to 4 joined by hyphens, like 1-3"):
            elders.read(value)


def test_a_deck_has_bounds() -> None:
    deck = next(option for option in options("cursed-hand") if isinstance(option, Deck))
    assert deck.counts("pairs") == tuple(range(1, 11)) and deck.counts("1-0-2") == (1, 0, 2, *[0] * 7)
    assert deck.parse("15-15-15-15-15-15-10") == deck.parse([15] * 6 + [10])
    for value in ("16", "15-15-15-15-15-15-11", "1-" * 10 + "1", "0-0", "1--1", "1-x", [], [-1, 5], [5, "x"], "1.5"):
        with pytest.raises(hexdeck.BadOption):
            deck.parse(value)


def test_options_that_do_not_fit_together_are_refused() -> None:
    assert hexdeck.game("cursed-hand", 2, deck="2-2", hand_cards=2).players == 2
    with pytest.raises(hexdeck.BadOption, match="4 cards can't give 3 players 2 cards"):
        hexdeck.game("cursed-hand", 3, deck="2-2", hand_cards=2)
