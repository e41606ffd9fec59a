"""The MCP server: a model plays through tools, sees what its seat may see, and bad input is one sentence."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.match import Match
from tests.language.test_prompts import leaks
from tests.loops import alone
from tests.settings import every_game

pytest.importorskip("mcp")
from hexdeck.envs.mcp_server import Matches, SeatedMatch, server


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")


def client_of(matches: Matches) -> Any:
    from mcp import Client

    return Client(server(matches))


async def called(client: Any, tool: str, **given: Any) -> tuple[str, bool]:
    found = await client.call_tool(tool, given)
    return "\n".join(part.text for part in found.content), bool(found.is_error)


async def played(client: Any, most: int) -> list[str]:
    """Play a match by the first legal move, to its end or so far; returns all tables."""
    assert "hawthorn: Hawthorn, 2 to 8 players." in (await called(client, "list_games"))[0]
    assert "# Hawthorn" in (await called(client, "read_rules", game="hawthorn/tiny"))[0]
    table, wrong = await called(client, "start_match", game="hawthorn", players=3, seat=1, bots=["easy", "house"])
    assert not wrong and table.startswith("Match 1 has begun.") and "You are seat 1." in table
    tables = [table]
    while len(tables) < most and not table.endswith("The match is over."):
        moves = (await called(client, "legal_moves", match=1))[0]
        assert moves in table
        table, wrong = await called(client, "make_move", match=1, move="1")
        assert not wrong, table
        tables.append(table)
    assert (await called(client, "see_table", match=1))[0] == table
    return tables


def test_a_model_plays_a_match_through_tools() -> None:
    async def run(most: int) -> list[str]:
        async with client_of(Matches(7)) as client:
            return await played(client, most)

    tables = alone(run(10**9))
    assert tables[-1].endswith("The match is over.")
    assert alone(run(4)) == tables[:4]  # the same seed deals the same cards, and bots play alike


def test_the_command_serves_over_standard_input_and_output() -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    async def run() -> None:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "hexdeck", "mcp", "--seed", "7"], env=dict(os.environ)
        )
        async with Client(stdio_client(command)) as client:
            names = " ".join(sorted(tool.name for tool in (await client.list_tools()).tools))
            assert names == "end_match legal_moves list_games make_move read_rules see_table start_match"
            table, wrong = await called(client, "start_match", game="cursed-hand", players=2)
            assert not wrong and "You are seat 0." in table

    alone(run())


WRONG = {
    "start_match": [
        ({"game": "chess"}, "chess"),
        ({"game": "hawthorn", "players": 99}, "2 to 8 players"),
        ({"game": "hawthorn", "players": "many"}, "The argument players of start_match can't be taken: "),
        ({}, "The argument game of start_match can't be taken: "),
        ({"game": "hawthorn", "seat": 9}, "seat"),
        ({"game": "hawthorn", "seat": True}, "seat of start_match can't be taken: true and false are no numbers."),
        ({"game": "hawthorn", "bots": ["net:/etc/x.net"]}, "There is no bot"),
        ({"game": "hawthorn", "bots": ["search:1000000"]}, "There is no bot"),
        ({"game": "hawthorn", "players": 4, "bots": ["easy", "easy"]}, "needs one bot, or 3, not 2"),
        ({"game": "hawthorn", "bots": []}, "needs one bot, or 3, not 0"),
        ({"game": "hawthorn", "options": {"chips": "none"}}, "chips"),
    ],
    "make_move": [
        ({"match": 1, "move": "banana"}, "No move of the list was found"),
        ({"match": 1, "move": 99}, "isn't legal now"),
        ({"match": 1, "move": True}, "move of make_move can't be taken: true and false are no numbers."),
        ({"match": 1, "move": None}, "The argument move of make_move can't be taken: "),
        ({"match": 5, "move": 1}, "There is no match 5; there are 1."),
    ],
    "see_table": [({"match": 0}, "There is no match 0"), ({"match": "x"}, "The argument match of see_table")],
    "legal_moves": [({"match": -1}, "There is no match -1")],
    "end_match": [({"match": 2}, "There is no match 2")],
}


def test_bad_input_is_refused_in_one_sentence_and_changes_nothing() -> None:
    async def run() -> None:
        matches = Matches(7)
        async with client_of(matches) as client:
            await called(client, "start_match", game="hawthorn")
            before = matches.see_table(1)
            for tool, cases in WRONG.items():
                for given, expected in cases:
                    text, wrong = await called(client, tool, **given)
                    assert wrong and expected in text and "\n" not in text, (tool, given, text)
            assert matches.see_table(1) == before and list(matches.there) == [1]

    alone(run())


def test_a_size_is_listed_and_played() -> None:
    matches = Matches(7)
    assert "Sizes: hawthorn/tiny, hawthorn/small, hawthorn/mid, hawthorn/full." in matches.list_games()
    began = matches.start_match("hawthorn/tiny", 3)
    assert "This match has 3 players and these options, which count where the rules say otherwise:\n" in began
    assert "\n- deck=1-2-2-1: The deck: copies of each number" in began and "\n- hand_cards=1: " in began
    assert "This match" not in matches.read_rules("hawthorn/tiny")
    assert matches.there[1].match.game == hexdeck.game("hawthorn/tiny", 3)


def test_matches_are_bounded_and_finished_ones_make_room() -> None:
    matches = Matches(7, 2)
    matches.start_match("hawthorn")
    matches.start_match("hawthorn", 2)
    with pytest.raises(HexdeckError, match=r"There are 2 matches already, and no more at a time: .*\."):
        matches.start_match("hawthorn")
    while not matches.there[2].match.over:
        matches.make_move(2, 1)
    with pytest.raises(HexdeckError, match=r"Match 2 is over\."):
        matches.make_move(2, 1)
    assert matches.start_match("hawthorn").startswith("Match 3 has begun.") and list(matches.there) == [1, 3]
    matches.end_match(1)
    assert matches.start_match("hawthorn").startswith("Match 4")


def through_tools(match: Match, seat: int) -> Any:
    """All that the tools say about a match to the model on a seat that is to move."""
    if seat not in match.acting:
        return None
    matches = Matches(1)
    matches.there[1] = SeatedMatch(match, seat, {})
    return matches.see_table(1), matches.legal_moves(1), list(errors(matches))


def errors(matches: Matches) -> Iterator[str]:
    for move in ("banana", "0"):
        with pytest.raises(HexdeckError) as caught:
            matches.make_move(1, move)
        yield str(caught.value)


@every_game
def test_the_tools_tell_a_model_what_its_seat_may_know_and_nothing_else(name, monkeypatch) -> None:
    assert not leaks(name, through_tools, monkeypatch)
