"""`hexdeck connect LINK --bot NAME`: one of our bots takes a seat at a table on another server."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import time
from typing import TYPE_CHECKING, Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.bots.bot import Bot
    from hexdeck.web.ops.client import Client

ABOUT = say("let one of our bots take a seat at a table on another server")
TRIES = 8  # times in a row that a lost server is sought again
WAIT = 1.0  # seconds before the first of them


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck connect LINK [--bot NAME]`."""
    parser.add_argument("link", metavar=told(say("LINK")), help=told(say("of the invitation to the seat")))
    parser.add_argument(
        "--bot", default="steady", metavar=told(say("NAME")),
        help=told(say("such as house or search:500; hexdeck games GAME lists them")),
    )  # fmt: skip
    parser.add_argument("--name", default="", metavar=told(say("NAME")), help=told(say("what it is called there")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Join, play to the end, say how it went."""
    from hexdeck.web.ops.client import Client, parse_invitation_link

    start, invitation = parse_invitation_link(arguments.link)
    client = Client(start)
    check_bot(client, invitation, arguments.bot)
    state = client.join(invitation, arguments.name, arguments.bot)
    bot = ready(state, arguments.bot)
    name, seat = state["seats"][state["seat"]]["name"], state["seat"]
    text = _("{name} ({bot}) sits at {game}, seat {seat}.")
    print(words.words(say(text, name=name, bot=arguments.bot, game=state["game"], seat=seat)), flush=True)
    state = play(client, state["table"], bot, arguments.bot)
    fates = state["view"]["fates"]
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.text import from_data

    own = game_words(state["game"], words.lang, state["view"]["names"])
    for seat, fate in zip(state["view"]["names"], fates, strict=False):
        print(f"{seat}: {own.words(from_data(fate))}")
    return 0


def check_bot(client: Client, invitation: str, name: str) -> None:
    """Raise UnknownBot or BadOption before the seat is taken, if the bot can't play there."""
    from hexdeck.web.ops.client import Refused

    try:
        ready(client.call("GET", f"/tables/{invitation.partition('.')[0]}"), name)
    except Refused as refused:
        if refused.status != 403:  # nobody may look at the table from outside
            raise


def ready(state: dict[str, Any], name: str) -> Bot:
    """The bot for the game of a table; raises BadOption when the server plays other rules."""
    from hexdeck.bots.players.named import bot
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.engine.play.driver import quickest_backend
    from hexdeck.simulation.game import game

    ours = definition(find_game(state["game"])).rules.STRUCT_VERSION
    if state["rules"] != ours:  # a bot thinks from the struct as this program has it
        text = _("The server plays version {theirs} of {game}, and this program version {ours}: update the older one.")
        raise BadOption(say(text, theirs=state["rules"], game=state["game"], ours=ours))
    chosen = game(state["game"], len(state["seats"]), **state["options"])
    return bot(name, chosen, secrets.token_bytes(32), quickest_backend(chosen.definition))


def play(client: Client, table: str, bot: Bot, name: str) -> dict[str, Any]:
    """Move whenever the seat is to act; returns the table at the end. A server that is gone or busy is sought again."""
    from hexdeck.web.ops.client import Refused, Unreachable

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
    """One move, if it is the seat's turn; the stream brings what comes of it, also where another was quicker.

    Where a bot of the server has taken over, because time was up or the host asked for it, the seat is taken back.
    """
    from hexdeck.web.ops.client import Refused, known_struct

    seat = state["seat"]
    taken = state["seats"][seat]["kind"] == "bot" and not state["seats"][seat]["remote"]
    try:
        if taken:
            client.back(state["table"], seat, name)
        elif state["view"]["moves"]:
            client.move(state["table"], bot.choose(known_struct(state), seat), state["version"])
    except Refused as refused:
        if refused.status != 409:
            raise
