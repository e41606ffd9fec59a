"""An MCP server: matches that a language model plays through tools, one seat its own, and studies of the lab."""

import functools
import os
import secrets
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hexdeck import __version__
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.bot_names import spoken, stored
from hexdeck.bots.players.roster import bot, bots_of, unknown
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.discovery.finding import PATH, size_names
from hexdeck.engine.errors import (
    BadMove,
    BadOption,
    HexdeckError,
    UnknownBot,
    between,
    check_seed,
    seat_of,
    shortened,
    shown,
)
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.envs import needed
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


# --- studies ----------------------------------------------------------------------------------------------------------
SECONDS = 120  # of a tool, which may have to compile a game first
LEAST_GAMES, MOST_GAMES, MOST_MATCHES = 200, 20_000, 40
MOST_AIMS, MOST_VARIED = 4, 6
LONGEST = 12_000  # letters of an answer
QUESTION = """\
A designer asks about {game}: {question}

Answer with figures that the tools of this server made in this conversation, and with no others.
1. list_games names the options of the game, read_rules says what they stand for.
2. report says how the game plays as it is: whether the start is fair, how long it takes, skill or luck, and more.
3. tune searches options for what comes nearest to an aim that you put into its words, such as "start within 2".
4. compare says what the change that you propose does on the same cards; play more games where an answer is open.
5. If no option mends it, say which rule you would change; fork begins a game of the designer's own for that.
Give each figure with its interval as the tool wrote it, and the command in the first line of its answer, so that the
designer can make it again. Where an interval holds no difference, say that nothing is sure. Compute no figures of your
own and guess none; what the tools don't measure, say so. Bots played: people have to try it before it is true of them.
"""


def question_of(question: str, game: str = "") -> str:
    """Ask what a designer wants to know of a game, answered with figures that the tools make."""
    return QUESTION.format(game=game or "a game (choose it with them)", question=question)


class Studies:
    """The lab's commands. Public methods are tools: a model reads their docstrings. They raise HexdeckError.

    `forks`: the folder where forks may be written; None where they may not.
    """

    def __init__(self, forks: Path | None = None) -> None:
        self.forks = forks

    def report(
        self, game: str, players: int, options: Mapping[str, str | int | bool] | None = None, games: int = 5000
    ) -> str:
        """Playtest a game: fair start, length, skill or luck, dead parts, runaway leader, with 95 % intervals.

        Bots play at most 20,000 games; it ends after 120 seconds at most. `options` as list_games names them.
        """
        return self._run("report", game, players, games, [*pairs("option", options), "--sample", str(MOST_MATCHES)])

    def compare(
        self,
        game: str,
        b: Mapping[str, str | int | bool] | None = None,
        a: Mapping[str, str | int | bool] | None = None,
        players: int | None = None,
        fork: str = "",
        games: int = 20_000,
    ) -> str:
        """Compare variant b of a game with a (options; the usual ones where they are left out) on the same cards.

        With `fork`, b is played by that fork of the game. At most 20,000 pairs of games and 120 seconds.
        """
        changed = [*pairs("a", a), *pairs("b", b), *([f"--fork={fork}"] if fork else [])]
        return self._run("compare", game, players, games, [*changed, "--precision", "0.01"])

    def tune(
        self,
        game: str,
        want: list[str],
        vary: list[str],
        players: int | None = None,
        options: Mapping[str, str | int | bool] | None = None,
        games: int = 2000,
    ) -> str:
        """Search the values of the options in `vary`, at most 6, for what comes nearest to at most 4 aims in `want`.

        An aim is a measure (seats, start, minutes, turns, rounds, decisions, ties, comebacks, drama), then within 2, 15
        to 20, at least 3, at most 3, more or less. At most 20,000 games of a rule set and 120 seconds.
        """
        for name, entries, limit in (("want", want, MOST_AIMS), ("vary", vary, MOST_VARIED)):
            if not 1 <= len(entries) <= limit:
                raise BadOption(say("Give {name} one to {most} entries.", name=name, most=limit))
        flags = [*pairs("option", options), *(f"--want={aim}" for aim in want), *(f"--vary={entry}" for entry in vary)]
        return self._run("tune", game, players, games, flags)

    def fork(self, game: str, name: str) -> str:
        """Begin a game of the designer's own that plays as another does, for a rule that is no option.

        Only files in the folder of --forks are written. You can't change the rules through this server: whoever may
        edit files changes its rules.py; then compare with `fork` says what that does.
        """
        if self.forks is None:
            raise BadOption(say("Forks can't be made here: the server was started without --forks FOLDER."))
        return self._ran(["game", "fork", checked_name(game), checked_name(name), "--folder", str(self.forks)])

    def _run(self, command: str, game: str, players: int | None, games: int, flags: Iterable[str]) -> str:
        """What a command prints that plays at most so many games."""
        if between(games, LEAST_GAMES, MOST_GAMES) is None:
            text = _("A tool plays {least} to {most} games, not {games}.")
            raise BadOption(say(text, least=LEAST_GAMES, most=MOST_GAMES, games=shown(games)))
        seats = [] if players is None else ["--players", str(players)]
        return self._ran([command, checked_name(game), *seats, *flags, "--games", str(games)])

    def _ran(self, typed: list[str]) -> str:
        """The command and what it prints; raises HexdeckError with the sentence by which it refuses."""
        folders = [str(self.forks)] if self.forks is not None and self.forks.is_dir() else []
        path = os.pathsep.join([*folders, *filter(None, [os.environ.get(PATH)])])
        environment = {**os.environ, "COLUMNS": "100", **({PATH: path} if path else {})}
        try:
            process = subprocess.run(  # noqa: S603 - our own command
                [sys.executable, "-m", "hexdeck", *typed],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                env=environment,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            text = _("{command} took more than {seconds} seconds: ask for fewer games or options.")
            raise HexdeckError(say(text, command=typed[0], seconds=SECONDS)) from None
        if process.returncode:
            last = process.stderr.strip().splitlines()[-1:] or [f"exit status {process.returncode}"]
            raise HexdeckError(say("{why}", why=last[0].removeprefix("hexdeck: ")))
        return f"{shlex.join(['hexdeck', *typed])}\n\n{process.stdout}"[:LONGEST]


def checked_name(game: Any) -> str:
    """The name of a game, which is no option of a command; raises BadOption."""
    if not isinstance(game, str) or game.startswith("-"):
        raise BadOption(say("A game's name is letters, digits and hyphens, not {name}.", name=shown(game)))
    return game


def pairs(name: str, options: Any) -> list[str]:
    """Options as arguments, each of which is one word, whatever is in it."""
    if not isinstance(options, Mapping | None):
        raise BadOption(say("Options are named values, such as hand_cards: 3, not {given}.", given=shown(options)))
    return [f"--{name}={key}={value}" for key, value in (options or {}).items()]


# --- the server -------------------------------------------------------------------------------------------------------
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
