"""Players from elsewhere: `hexdeck connect` seats a bot at another server's table, `hexdeck mcp` lets a model play."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import time
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import spoken
from hexdeck.cli.output import tell
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.text import Catalogue, _, from_data, say

if TYPE_CHECKING:
    from hexdeck.bots.bot import Bot
    from hexdeck.simulation.game import Game
    from hexdeck.web.client import Client

TRIES = 8  # times in a row that a lost server is asked again
WAIT = 1.0  # seconds before the first of them; each next one waits twice as long


def connect(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Join, play to the end, and print the outcomes."""
    from hexdeck.engine.discovery.finding import game_words
    from hexdeck.web.client import Client, parse_invitation_link

    check_name(arguments.bot)
    start, invitation = parse_invitation_link(arguments.link)
    client = Client(start)
    check_bot(client, invitation, arguments.bot)
    state = client.join(invitation, arguments.name, arguments.bot)
    bot = ready(state, arguments.bot)
    name, seat = state["seats"][state["seat"]]["name"], state["seat"]
    text = _("{name} ({bot}) sits at {game}, seat {seat}.")
    tell(catalogue.words(say(text, name=name, bot=spoken(arguments.bot), game=state["game"], seat=seat + 1)))
    view = play(client, state["table"], bot, arguments.bot)["view"]
    own = game_words(state["game"], catalogue.lang, view["names"])
    for name, outcome in zip(view["names"], view["outcomes"], strict=False):
        print(f"{name}: {own.words(from_data(outcome))}")
    return 0


def check_name(name: str) -> None:
    """Raise UnknownBot, before any server is asked, for a kind of bot that there is not."""
    from hexdeck.bots.players.levels import LEVELS
    from hexdeck.bots.players.named import KINDS, unknown

    names = sorted({*LEVELS, *KINDS})
    if name.partition(":")[0] not in names:
        raise UnknownBot(unknown(name, names))


def check_bot(client: Client, invitation: str, name: str) -> None:
    """Raise UnknownBot or BadOption, before the seat is taken, if the bot can't play there."""
    from hexdeck.web.client import Refused

    try:
        ready(client.call("GET", f"/tables/{invitation.partition('.')[0]}"), name)
    except Refused as refused:
        if refused.status != 403:  # only those who sit at the table may look at it
            raise


def ready(state: dict[str, Any], name: str) -> Bot:
    """The bot for the game of a table; raises BadOption when the server plays other rules."""
    from hexdeck.bots.players.named import bot
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.engine.play.game import quickest_backend

    ours = definition(find_game(state["game"])).struct_version
    if state["rules"] != ours:  # a bot reads the struct as this program defines it
        text = _("The server plays version {theirs} of {game}, and this program version {ours}: update the older one.")
        raise BadOption(say(text, theirs=state["rules"], game=state["game"], ours=ours))
    chosen = game_of(state)
    return bot(name, chosen, secrets.token_bytes(32), quickest_backend(chosen.definition))


def game_of(state: dict[str, Any]) -> Game:
    """The game of a table."""
    from hexdeck.simulation.game import game

    return game(state["game"], len(state["seats"]), **state["options"])


def play(client: Client, table: str, bot: Bot, name: str) -> dict[str, Any]:
    """Move whenever it is the seat's turn; returns the table at the end. Asks again if the server is gone or busy."""
    from hexdeck.web.client import Refused, Unreachable

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


def act(client: Client, state: dict[str, Any], bot: Bot, name: str) -> None:
    """Make one move if it is the seat's turn; the stream brings the result, also where another process was quicker.

    Where a bot of the server has taken over, because time was up or the host wanted it, take the seat back.
    """
    from hexdeck.bots.worlds import check_possible
    from hexdeck.web.client import Refused, known_struct

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
def mcp(arguments: argparse.Namespace, _words: Catalogue) -> int:
    """Serve until the input ends."""
    from hexdeck.envs.matches import Matches
    from hexdeck.envs.mcp_server import serve

    serve(Matches(arguments.seed, arguments.matches))
    return 0
