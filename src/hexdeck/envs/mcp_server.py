"""An MCP server: matches of the games as tools for a language model, over standard input and output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from hexdeck import __version__
from hexdeck.engine.errors import HexdeckError
from hexdeck.envs import needed
from hexdeck.envs.matches import Matches

with needed("mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import BeforeValidator, ValidationError

ABOUT = (
    "Card games against bots. Call list_games and read_rules, then start_match; then make moves until the match is "
    "over. You are told what your seat may know, and nothing else."
)


def no_truth_value(value: Any) -> Any:
    """What was given for a number; raises ValueError for true and false, which would count as 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("true and false are no numbers")
    return value


Number = Annotated[int, BeforeValidator(no_truth_value)]
NumberOrText = Annotated[str | int, BeforeValidator(no_truth_value)]


class GameServer(MCPServer):
    """The server; arguments of a wrong kind are refused in one sentence."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; raises ToolError, whose text the model reads."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(argument_fault(name, error.__cause__)) from None
            raise


def argument_fault(tool: str, error: ValidationError) -> str:
    """The first fault of a tool's arguments, in a sentence."""
    first = error.errors()[0]
    place_in_input = str([*first["loc"], "input"][0])
    why = first["msg"].removeprefix("Value error, ")
    why = why[:1].lower() + why[1:]
    return f"The argument {place_in_input} of {tool} can't be taken: {why}."


def said(method: Callable[..., str], *arguments: Any) -> str:
    """What a method of Matches returns; raises ToolError, with its sentence, for what it refuses."""
    try:
        return method(*arguments)
    except HexdeckError as error:
        raise ToolError(str(error.text)) from None


class Tools:
    """The tools, as a model reads of them."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    def list_games(self) -> str:
        """List the games: name, how many can play, sizes, options with their defaults, and bots."""
        return said(self._matches.games)

    def read_rules(self, game: str) -> str:
        """Read the rules of a game."""
        return said(self._matches.rules, game)

    def start_match(
        self,
        game: str,
        players: Number | None = None,
        seat: Number = 0,
        bots: list[str] | None = None,
        options: dict[str, str | int] | None = None,
    ) -> str:
        """Start a match with you on a seat (from 0); `game` may be a size of it, such as hawthorn/tiny.

        `bots`: one for all other seats, or one for each, lowest first.
        """
        return said(self._matches.start, game, players, seat, ["medium"] if bots is None else bots, options)

    def see_table(self, match: Number) -> str:
        """See what happened in a match, what your seat sees, and your legal moves."""
        return said(self._matches.see, match)

    def legal_moves(self, match: Number) -> str:
        """List your legal moves, numbered from 1."""
        return said(self._matches.moves, match)

    def make_move(self, match: Number, move: NumberOrText) -> str:
        """Make a move, by its number or text in the list of legal moves; then the bots move. Shows the table then."""
        return said(self._matches.move, match, move)

    def end_match(self, match: Number) -> str:
        """End a match and forget it, also one that isn't over."""
        return said(self._matches.end, match)


def server(matches: Matches) -> MCPServer:
    """The server of these matches."""
    out, tools = GameServer("hexdeck", instructions=ABOUT, version=__version__, log_level="ERROR"), Tools(matches)
    for tool in (
        tools.list_games,
        tools.read_rules,
        tools.start_match,
        tools.see_table,
        tools.legal_moves,
        tools.make_move,
        tools.end_match,
    ):
        out.add_tool(tool, structured_output=False)
    return out


def serve(matches: Matches) -> None:
    """Serve over standard input and output until the input ends."""
    server(matches).run("stdio")
