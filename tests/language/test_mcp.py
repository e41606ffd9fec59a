"""The MCP server: a model plays through tools, sees what its seat may see, and bad input is one sentence."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.match import Match
from tests.language.test_prompts import leaks
from tests.loops import alone
from tests.settings import every_game
from tests.support import for_each

pytest.importorskip("mcp")
from hexdeck.envs import mcp_server
from hexdeck.envs.mcp_server import MOST_GAMES, SECONDS, Matches, SeatedMatch, Studies, server


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
            assert names == (
                "compare end_match fork legal_moves list_games make_move read_rules report see_table start_match tune"
            )
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
        ({"game": "hawthorn", "seat": True}, "seat of start_match can't be true or false."),
        ({"game": "hawthorn", "bots": ["net:/etc/x.net"]}, "There is no bot"),
        ({"game": "hawthorn", "bots": ["search:1000000"]}, "There is no bot"),
        ({"game": "hawthorn", "players": 4, "bots": ["easy", "easy"]}, "needs one bot, or 3, not 2"),
        ({"game": "hawthorn", "bots": []}, "needs one bot, or 3, not 0"),
        ({"game": "hawthorn", "options": {"chips": "none"}}, "chips"),
    ],
    "make_move": [
        ({"match": 1, "move": "banana"}, "No move of the list was found"),
        ({"match": 1, "move": 99}, "isn't legal now"),
        ({"match": 1, "move": True}, "move of make_move can't be true or false."),
        ({"match": 1, "move": None}, "The argument move of make_move can't be taken: "),
        ({"match": 5, "move": 1}, "There is no match 5; there are 1."),
    ],
    "see_table": [({"match": 0}, "There is no match 0"), ({"match": "x"}, "The argument match of see_table")],
    "legal_moves": [({"match": -1}, "There is no match -1")],
    "end_match": [({"match": 2}, "There is no match 2")],
    "report": [
        ({"game": "chess", "players": 3}, "chess"),
        ({"game": "hawthorn", "players": True}, "players of report can't be true or false."),
        ({"game": "hawthorn", "players": 3, "games": "x"}, "The argument games of report can't be taken: "),
        ({"game": "hawthorn", "players": 3, "options": {"chips": True}}, "chips"),
        (
            {"game": "hawthorn", "players": 3, "gaems": 500},
            "report takes no argument gaems, but game, players, options",
        ),
        ({"game": "--version", "players": 3}, "not '--version'."),
        ({"game": "hawthorn", "players": 99}, "2 to 8 players"),
        ({"game": "hawthorn", "players": 3, "games": 10**9}, "A tool plays 200 to 20,000 games, not 1000000000."),
        ({"game": "hawthorn", "players": 3, "options": {"--page": "x.html"}}, "There is no option --page"),
    ],
    "compare": [
        ({"game": "hawthorn", "b": {}}, "Both variants are the same"),
        ({"game": "hawthorn", "fork": "my-hawthorn"}, "There is no game my-hawthorn"),
    ],
    "tune": [
        ({"game": "hawthorn", "want": [], "vary": ["chips"]}, "Give want one to 4 entries."),
        ({"game": "hawthorn", "want": ["joy more"], "vary": ["chips"]}, "'joy' can't be measured"),
        ({"game": "hawthorn", "want": ["seats within 1"], "vary": ["--data=x"]}, "--data"),
    ],
    "fork": [({"game": "hawthorn", "name": "mine"}, "the server was started without --forks FOLDER.")],
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
    assert "\n- deck=1-2-2-1: How many cards there are of each number" in began and "\n- hand_cards=1: " in began
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


# --- a designer's question --------------------------------------------------------------------------------------------
ASKED = "is the start unfair, and what would mend it?"
FIGURE = re.compile(r"\d+(?:\.\d+)?\s±\d+(?:\.\d+)?")
LIMITS = str(SECONDS), f"{MOST_GAMES:,}"


async def answered(client: Any) -> tuple[str, list[str]]:
    """What a script answers that does as the prompt says, and what the tools told it."""
    prompt = await client.get_prompt("designers_question", {"question": ASKED, "game": "hawthorn"})
    text = prompt.messages[0].content.text
    assert ASKED in text and all(name in text for name in ("report", "tune", "compare", "fork", "with no others"))
    told = []
    for name, given in (
        ("report", {"players": 3, "games": 5000}),
        ("tune", {"players": 3, "want": ["start within 2"], "vary": ["hand_cards"], "games": 2000}),
        ("compare", {"players": 3, "b": {"hand_cards": 3}, "games": 2000}),
    ):
        answer, wrong = await called(client, name, game="hawthorn", **given)
        assert not wrong and answer.startswith(f"hexdeck {name} hawthorn --players 3"), answer
        told.append(answer)
    unfair = told[0][told[0].index("Fair?") : told[0].index("How long?")]
    nearest = next(line for line in told[1].splitlines() if "hand_cards=" in line and "│" in line)
    mends = next(line for line in told[2].splitlines() if " instead of " in line)
    assert "starting hurts" in " ".join(unfair.split())
    return "\n".join([unfair, nearest, mends]), told


def test_a_designers_question_is_answered_with_figures_that_tools_made() -> None:
    async def run() -> tuple[str, list[str]]:
        async with client_of(Matches(7)) as client:
            for tool in (await client.list_tools()).tools:
                if tool.name in ("report", "compare", "tune"):
                    assert all(limit in tool.description for limit in LIMITS), tool.description
            return await answered(client)

    answer, told = alone(run())
    figures = FIGURE.findall(answer)
    assert len(figures) >= 3 and all(any(figure in text for text in told) for figure in figures)


def test_a_fork_is_begun_where_forks_may_be_and_then_compared(tmp_path: Path) -> None:
    async def run() -> None:
        from mcp import Client

        async with Client(server(Matches(7), Studies(tmp_path))) as client:
            answer, wrong = await called(client, "fork", game="cursed-hand", name="mine")
            assert not wrong and (tmp_path / "mine" / "rules.py").is_file(), answer
            text, wrong = await called(client, "fork", game="cursed-hand", name="../other")
            assert wrong and text.endswith(
                "A game's name is letters and digits, a letter first, with a hyphen between words, not '../other'."
            )
            text, wrong = await called(client, "report", game="mine", players=9)
            assert wrong and "mine is for 2 to 6 players, not 9." in text  # so it is there

    alone(run())


@for_each(
    ("given", "why"),
    [
        ({"games": "x"}, r"A tool plays 200 to 20,000 games, not 'x'\."),
        ({"games": True}, r"games, not True\."),
        ({"options": [1]}, r"Options are named values, such as hand_cards: 3, not \[1\]\."),
        ({"game": 7}, r"not 7\."),
    ],
)
def test_studies_refuse_what_is_of_another_kind(given: dict[str, Any], why: str) -> None:
    with pytest.raises(HexdeckError, match=why):
        Studies().report(**({"game": "hawthorn", "players": 3} | given))


def test_a_tool_that_takes_too_long_is_ended_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_server, "SECONDS", 0.01)
    with pytest.raises(HexdeckError, match=r"report took more than 0\.01 seconds: ask for"):
        Studies().report("hawthorn", 3)
