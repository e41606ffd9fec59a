"""Players from elsewhere: `hexdeck connect` seats a bot at another server's table, `hexdeck mcp` lets a model play."""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import re
import secrets
import time
from base64 import b64decode
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from hexdeck.bots.players.bot_names import spoken
from hexdeck.cli.output import tell
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownBot
from hexdeck.engine.text import Catalogue, _, from_data, say

if TYPE_CHECKING:
    from hexdeck.bots.bot import Bot
    from hexdeck.simulation.game import Game

TRIES = 8  # times in a row that a lost server is asked again
WAIT = 1.0  # seconds before the first of them; each next one waits twice as long


# --- a client of the API, with the standard library only --------------------------------------------------------------
HOST = re.compile(r"[^\s/?#@\\]+")
LINK = re.compile(r"(.*?)/(join/[A-Za-z0-9_.-]+|j/[A-Za-z0-9]+)/?(?:[?#].*)?")
AGAIN = (429, 503)  # statuses of a server that is only busy now
TIMEOUT = 60.0  # seconds without a sign of life; servers send one every 20
Data = dict[str, Any]


class Refused(HexdeckError):
    """The server refused; its sentence says why.

    Attributes: `status`, the HTTP status.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(say("The server says: {sentence}", sentence=sentence))
        self.status = status

    @property
    def busy(self) -> bool:
        """Whether the same request may be sent again a little later."""
        return self.status in AGAIN


class Unreachable(HexdeckError):
    """The server can't be reached, or doesn't answer as Hexdeck would."""


class Client:
    """A connection to a server, with the token of a seat once there is one."""

    def __init__(self, address: str) -> None:
        if not is_address(address):
            raise BadOption(
                say("{address} is not the address of a table; copy the invitation's link.", address=address[:80])
            )
        parts = urlsplit(address)
        self.secure, self.host, self.prefix = parts.scheme == "https", parts.netloc, parts.path.rstrip("/")
        self.token = ""

    @contextlib.contextmanager
    def _request(self, method: str, path: str, data: Data | None = None) -> Iterator[http.client.HTTPResponse]:
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        with contextlib.closing(kind(self.host, timeout=TIMEOUT)) as connection:
            try:
                connection.request(
                    method, f"{self.prefix}/api{path}", None if data is None else json.dumps(data), headers
                )
                response = connection.getresponse()
                if response.status >= 400:
                    raise Refused(response.status, _sentence(response))
                yield response
                response.close()
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
                text = _("The server {host} can't be reached: {reason}.")
                raise Unreachable(say(text, host=self.host, reason=reason)) from None

    def call(self, method: str, path: str, data: Data | None = None) -> Data:
        """Send a request and read the answer; raises Refused or Unreachable."""
        with self._request(method, path, data) as response:
            answer: Data = json.loads(response.read())
        return answer

    def join(self, invited: str, name: str, bot: str) -> Data:
        """Take a seat, by `join/INVITATION` or `j/CODE`; its token is used from then on."""
        kind, _, token = invited.partition("/")
        path, by = (f"/codes/{token}", {}) if kind == "j" else (f"/tables/{table_of(invited)}", {"invitation": token})
        answer = self.call("POST", f"{path}/join", {**by, "name": name, "bot": bot})
        self.token = answer["token"]
        return answer

    def watch(self, table: str) -> Generator[Data, None, None]:
        """The table as the seat sees it, now and at every change, until the server ends; raises as `call`."""
        with self._request("GET", f"/tables/{quote(table)}/stream") as response:
            for line in response:
                if line.strip():
                    yield json.loads(line)

    def move(self, table: str, action: int, version: int) -> Data:
        """Make a move."""
        return self.call("POST", f"/tables/{quote(table)}/move", {"move": action, "version": version})

    def back(self, table: str, seat: int, bot: str) -> Data:
        """Take the seat back from a bot of the server."""
        return self.call("POST", f"/tables/{quote(table)}/seats/{seat}/back", {"bot": bot})


def is_address(text: str) -> bool:
    """Whether a text is an HTTP address."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(HOST.fullmatch(parts.hostname or "")) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that isn't closed
        return False


def _sentence(response: http.client.HTTPResponse) -> str:
    try:
        return str(json.loads(response.read(10_000))["error"])
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return f"HTTP {response.status}"


def parse_invitation_link(link: str) -> tuple[str, str]:
    """The address of the site and `join/INVITATION` or `j/CODE`, from an invitation's link; raises BadOption."""
    match = LINK.fullmatch(link.strip())
    if match is None:
        text = _("{link} is not an invitation; those look like http://HOST/join/TOKEN or http://HOST/j/CODE.")
        raise BadOption(say(text, link=link[:80]))
    return match[1], match[2]


def table_of(invited: str) -> str:
    """The address of the table of an invitation."""
    return invited.removeprefix("join/").partition(".")[0]


def known_struct(state: Data) -> bytes:
    """The struct as the seat knows it; raises HexdeckError where the server sends none."""
    try:
        return b64decode(state["struct"])
    except (KeyError, TypeError, ValueError):
        raise HexdeckError(say("The server doesn't say what the seat knows; no bot can play there.")) from None


# --- hexdeck connect --------------------------------------------------------------------------------------------------
def connect(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Join, play to the end, and print the outcomes; raises UnknownBot or BadOption if the bot can't play there."""
    from hexdeck.bots.players.levels import LEVELS
    from hexdeck.bots.players.roster import KINDS, unknown
    from hexdeck.engine.discovery.finding import game_words

    kinds = sorted({*LEVELS, *KINDS})
    if arguments.bot.partition(":")[0] not in kinds:  # before any server is asked
        raise UnknownBot(unknown(arguments.bot, kinds))
    start, invited = parse_invitation_link(arguments.link)
    client = Client(start)
    try:
        if not invited.startswith("j/"):  # a code doesn't tell the table
            ready(client.call("GET", f"/tables/{table_of(invited)}"), arguments.bot)  # before the seat is taken
    except Refused as refused:
        if refused.status != 403:  # only those who sit at the table may look at it
            raise
    state = client.join(invited, arguments.name, arguments.bot)
    bot = ready(state, arguments.bot)
    name, seat = state["seats"][state["seat"]]["name"], state["seat"]
    text = _("{name} ({bot}) sits at {game}, seat {seat}.")
    tell(catalogue.words(say(text, name=name, bot=spoken(arguments.bot), game=state["game"], seat=seat + 1)))
    view = play(client, state["table"], bot, arguments.bot)["view"]
    own = game_words(state["game"], catalogue.lang, view["names"])
    for name, outcome in zip(view["names"], view["outcomes"], strict=False):
        print(f"{name}: {own.words(from_data(outcome))}")
    return 0


def ready(state: Data, name: str) -> Bot:
    """The bot for the game of a table; raises BadOption when the server plays other rules."""
    from hexdeck.bots.players.roster import bot
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.engine.play.game import quickest_backend

    ours = definition(find_game(state["game"])).struct_version
    if state["rules"] != ours:  # a bot reads the struct as this program defines it
        text = _("The server plays version {theirs} of {game}, and this program version {ours}: update the older one.")
        raise BadOption(say(text, theirs=state["rules"], game=state["game"], ours=ours))
    chosen = game_of(state)
    return bot(name, chosen, secrets.token_bytes(32), quickest_backend(chosen.definition))


def game_of(state: Data) -> Game:
    """The game of a table."""
    from hexdeck.simulation.game import game

    return game(state["game"], len(state["seats"]), **state["options"])


def play(client: Client, table: str, bot: Bot, name: str) -> Data:
    """Move whenever it is the seat's turn; returns the table at the end. Asks again if the server is gone or busy."""
    failed = 0
    while True:
        try:
            with contextlib.closing(client.watch(table)) as states:
                for state in states:
                    failed = 0
                    if state["state"] == "over":
                        return state
                    act(client, state, bot, name)
        except (Unreachable, Refused) as error:
            failed += 1
            if failed > TRIES or (isinstance(error, Refused) and not error.busy):
                raise
        time.sleep(min(30.0, WAIT * 2**failed))


def act(client: Client, state: Data, bot: Bot, name: str) -> None:
    """Make one move if it is the seat's turn; the stream brings the result, also where another process was quicker.

    Where a bot of the server has taken over, because time was up or the host wanted it, take the seat back.
    """
    from hexdeck.bots.worlds import check_possible

    seat = state["seat"]
    replaced = state["seats"][seat]["kind"] == "bot" and not state["seats"][seat]["remote"]
    try:
        if replaced:
            client.back(state["table"], seat, name)
        elif state["view"]["moves"]:
            struct = known_struct(state)
            check_possible(game_of(state), struct, seat)
            client.move(state["table"], bot.choose(struct, seat), state["version"])
    except Refused as refused:
        if refused.status != 409:
            raise


# --- hexdeck mcp ------------------------------------------------------------------------------------------------------
def mcp(arguments: argparse.Namespace, _catalogue: Catalogue) -> int:
    """Serve until the input ends."""
    from hexdeck.envs.mcp_server import Matches, Studies, serve

    serve(Matches(arguments.seed, arguments.matches), Studies(arguments.forks))
    return 0
