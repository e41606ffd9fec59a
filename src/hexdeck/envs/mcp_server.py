"""An MCP server: matches that a language model plays through tools, one seat its own, and studies of the lab."""

import functools
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hexdeck import __version__
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.bot_names import spoken, stored
from hexdeck.bots.players.roster import bot, bots_of, unknown
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.discovery.finding import size_names
from hexdeck.engine.errors import BadMove, BadOption, HexdeckError, UnknownBot, check_seed, seat_of, shortened, shown
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.envs import needed
from hexdeck.envs.mcp_studies import Studies, question_of
from hexdeck.research import prompt
from hexdeck.simulation.game import Game
from hexdeck.simulation.game import game as game_named

with needed("mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import ValidationError

MOST = 20  # matches at a time
ABOUT = (
    "Card games against bots. Call list_games and read_rules, then start_match; then make moves until the match is "
    "over. You are told what your seat may know, and nothing else. To study a game: report, compare, tune, fork."
)


@dataclass
class SeatedMatch:
    """A match, the model's seat, and the bots of the other seats."""

    match: Match
    seat: int
    bots: dict[int, Bot]

    def advance(self) -> None:
        """Let bots move until the model must, or the match is over."""
        while not self.match.over and self.seat not in self.match.acting:
            actor = self.match.actor
            self.match.play(actor, self.bots[actor].choose(self.match.concealed(actor), actor))


class Matches:
    """The matches of one model, `limit` at a time. Public methods are its tools: a model reads their docstrings.

    What they return is plain text from the model's seat. With a `seed`, match after match is dealt from it, from number
    0; without one, from a secret one. It is no argument of `start_match`, for who knows it knows the cards. Methods
    raise HexdeckError, with one sentence.
    """

    def __init__(self, seed: int | None = None, limit: int = MOST) -> None:
        if seed is not None:
            check_seed(seed)
        self.seed: int | bytes = secrets.token_bytes(32) if seed is None else seed
        self.limit, self.begun, self.lock = limit, 0, threading.Lock()
        self.there: dict[int, SeatedMatch] = {}

    def list_games(self) -> str:
        """List the games: name, how many can play, sizes, options with their defaults, and bots."""
        lines = []
        for name in playable():
            usual = game_named(name)
            low, high = usual.rules.PLAYERS
            options = ", ".join(f"{option.name}={option.default}" for option in usual.rules.OPTIONS)
            bots = ", ".join(sorted(map(spoken, bots_of(usual))))
            title = f"{name}: {prompt.title_of(usual)}, {low} to {high} players. Sizes: {', '.join(size_names(name))}."
            lines.append(f"{title} Options: {options}. Bots: {bots}.")
        return "\n".join(lines)

    def read_rules(self, game: str) -> str:
        """Read the rules of a game."""
        return prompt.printed_rules(game_named(game))

    def start_match(
        self,
        game: str,
        players: int | None = None,
        seat: int = 0,
        bots: list[str] | None = None,
        options: dict[str, str | int | bool] | None = None,
    ) -> str:
        """Start a match with you on a seat (from 0); `game` may be a size of it, such as hawthorn/tiny.

        `bots`: one for all other seats, or one for each, lowest first.
        """
        chosen = game_named(game, players, **(options or {}))
        seat = seat_of(seat, chosen.players)
        rivals = [rival for rival in range(chosen.players) if rival != seat]
        names = [self._bot_name(rival, chosen) for rival in (["medium"] if bots is None else bots)]
        names = names * len(rivals) if len(names) == 1 else names
        if len(names) != len(rivals):
            text = _("A match with {players} players needs one bot, or {others}, not {given}.")
            raise BadOption(say(text, players=chosen.players, others=len(rivals), given=len(names)))
        self._make_room()
        match = Match(chosen, self.seed, number=self.begun)
        seated = {}
        for rival, name in zip(rivals, names, strict=True):
            secret = secrets.token_bytes(32)
            if isinstance(self.seed, int):
                secret = f"{self.seed} {self.begun} {rival}".encode().ljust(32)[:32]
            seated[rival] = bot(name, chosen, secret)
        self.begun += 1
        self.there[self.begun] = SeatedMatch(match, seat, seated)
        self.there[self.begun].advance()
        return f"Match {self.begun} has begun.\n\n{prompt.options_text(chosen)}\n\n{self.see_table(self.begun)}"

    def see_table(self, match: int) -> str:
        """See what happened in a match, what your seat sees, and your legal moves."""
        playing = self._match(match)
        if playing.match.over:
            return f"{prompt.table_text(playing.match, playing.seat)}\n\nThe match is over."
        return prompt.prompt_of(playing.match, playing.seat, rules=False).table

    def legal_moves(self, match: int) -> str:
        """List your legal moves, numbered from 1."""
        playing = self._match(match)
        numbered = enumerate(playing.match.legal(playing.seat), 1)
        return "\n".join(f"{k}. {prompt.move_text(move)}" for k, move in numbered) or "None: the match is over."

    def make_move(self, match: int, move: str | int) -> str:
        """Make a move, by its number or text in the list of legal moves; then the bots move. Shows the table then."""
        playing = self._match(match)
        if playing.match.over:
            raise BadMove(say("Match {number} is over.", number=match))
        legal = playing.match.legal(playing.seat)
        answer = prompt.read_answer(str(move), legal, playing.match.game.rules.ACTIONS)
        if answer.action is None:
            text = _("The move was refused. {why} Give its number or its text, as legal_moves lists them.")
            raise BadMove(say(text, why=prompt.REASONS[answer.refused]))
        playing.match.play(playing.seat, answer.action)
        playing.advance()
        return self.see_table(match)

    def end_match(self, match: int) -> str:
        """End a match and forget it, also one that isn't over."""
        self._match(match)
        del self.there[match]
        return f"Match {match} is gone."

    def _match(self, number: int) -> SeatedMatch:
        if number not in self.there:
            numbers = ", ".join(map(str, self.there)) or "none"
            raise BadOption(say("There is no match {number}; there are {there}.", number=shown(number), there=numbers))
        return self.there[number]

    def _bot_name(self, name: str, chosen: Game) -> str:
        """A bot's name as files keep it; no files and no budgets, which would be an expense that the model sets."""
        if stored(name) not in bots_of(chosen):
            raise UnknownBot(unknown(name, bots_of(chosen)))
        return stored(name)

    def _make_room(self) -> None:
        """Forget the oldest match that is over if there is no room; raises BadOption if none is."""
        if len(self.there) < self.limit:
            return
        over = [number for number, playing in self.there.items() if playing.match.over]
        if not over:
            text = _("There are {most} matches already, and no more at a time: play one to its end, or end it.")
            raise BadOption(say(text, most=self.limit))
        del self.there[over[0]]


class GameServer(MCPServer):
    """The server; arguments of a wrong kind are refused in one sentence."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; raises ToolError, whose text the model reads."""
        allowed = next(
            (tool.input_schema["properties"] for tool in await self.list_tools() if tool.name == name), arguments
        )
        for argument, value in arguments.items():
            if argument not in allowed:
                raise ToolError(f"{name} takes no argument {shortened(argument)}, but {', '.join(allowed) or 'none'}.")
            if isinstance(value, bool):  # it would count as 1 or 0
                raise ToolError(f"The argument {argument} of {name} can't be true or false.")
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


def tool(lock: threading.Lock, method: Callable[..., str]) -> Callable[..., str]:
    """A method as a tool: one call at a time; raises ToolError, with its sentence, for what it refuses."""

    @functools.wraps(method)
    def called(*args: Any, **kwargs: Any) -> str:
        try:
            with lock:
                return method(*args, **kwargs)
        except HexdeckError as error:
            raise ToolError(str(error.text)) from None

    return called


def server(matches: Matches, studies: Studies | None = None) -> MCPServer:
    """The server of these matches and studies."""
    out = GameServer("hexdeck", instructions=ABOUT, version=__version__, log_level="ERROR")
    methods = matches.list_games, matches.read_rules, matches.start_match, matches.see_table
    for method in (*methods, matches.legal_moves, matches.make_move, matches.end_match):
        out.add_tool(tool(matches.lock, method), structured_output=False)
    studies, lock = studies or Studies(), threading.Lock()
    for study in (studies.report, studies.compare, studies.tune, studies.fork):
        out.add_tool(tool(lock, study), structured_output=False)
    out.prompt("designers_question", "Ask a designer's question")(question_of)
    return out


def serve(matches: Matches, studies: Studies) -> None:
    """Serve over standard input and output until the input ends."""
    server(matches, studies).run("stdio")
