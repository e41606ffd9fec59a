"""Matches that a language model plays through tools: one seat is its own, bots have the others."""

from __future__ import annotations

import functools
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.named import bot, bots_of, unknown
from hexdeck.bots.players.names import kept, spoken
from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.discovery.finding import size_names
from hexdeck.engine.errors import BadMove, BadOption, UnknownBot, check_seed, seat_of, shown
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.research.prompt import (
    REASONS,
    move_text,
    options_text,
    printed_rules,
    prompt_of,
    read_answer,
    table_text,
    title_of,
)
from hexdeck.simulation.game import Game, game

MOST = 20  # matches at a time
Method = TypeVar("Method", bound=Callable[..., Any])


def alone(method: Method) -> Method:
    """Make a method exclusive to one thread at a time."""

    @functools.wraps(method)
    def locked(self: Any, *given: Any, **named: Any) -> Any:
        with self.lock:
            return method(self, *given, **named)

    return cast("Method", locked)


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
    """The matches of one model, at most `most` at a time; what a method returns is plain text from the model's seat.

    With a `seed`, match after match is dealt from it, from number 0; without one, from a secret one. It is no argument
    of `start`, for who knows it knows the cards. Methods raise HexdeckError, with one sentence.
    """

    def __init__(self, seed: int | None = None, most: int = MOST) -> None:
        if seed is not None:
            check_seed(seed)
        self.seed: int | bytes = secrets.token_bytes(32) if seed is None else seed
        self.most, self.begun, self.lock = most, 0, threading.RLock()
        self.there: dict[int, SeatedMatch] = {}

    def games(self) -> str:
        """All games: name, title, how many can play, sizes, options with their defaults, and bots."""
        lines = []
        for name in playable():
            usual = game(name)
            low, high = usual.rules.PLAYERS
            options = ", ".join(f"{option.name}={option.default}" for option in usual.rules.OPTIONS)
            bots = ", ".join(sorted(map(spoken, bots_of(usual))))
            title = f"{name}: {title_of(usual)}, {low} to {high} players. Sizes: {', '.join(size_names(name))}."
            lines.append(f"{title} Options: {options}. Bots: {bots}.")
        return "\n".join(lines)

    def rules(self, name: str) -> str:
        """The rules of a game."""
        return printed_rules(game(name))

    @alone
    def start(
        self,
        name: str,
        players: int | None = None,
        seat: int = 0,
        bots: Sequence[str] = ("medium",),
        options: Mapping[str, Any] | None = None,
    ) -> str:
        """Start a match: `bots` sit on the other seats, lowest first, all the same if only one is named."""
        chosen = game(name, players, **dict(options or {}))
        seat = seat_of(seat, chosen.players)
        rivals = [rival for rival in range(chosen.players) if rival != seat]
        names = [self._bot_name(rival, chosen) for rival in bots]
        names = names * len(rivals) if len(names) == 1 else names
        if len(names) != len(rivals):
            text = _("A match with {players} players needs one bot, or {others}, not {given}.")
            raise BadOption(say(text, players=chosen.players, others=len(rivals), given=len(names)))
        self._make_room()
        match = Match(chosen, self.seed, number=self.begun)
        seated = {
            rival: bot(
                bot_name,
                chosen,
                secrets.token_bytes(32)
                if isinstance(self.seed, bytes)
                else f"{self.seed} {self.begun} {rival}".encode().ljust(32)[:32],
            )
            for rival, bot_name in zip(rivals, names, strict=True)
        }
        self.begun += 1
        self.there[self.begun] = SeatedMatch(match, seat, seated)
        self.there[self.begun].advance()
        return f"Match {self.begun} has begun.\n\n{options_text(chosen)}\n\n{self.see(self.begun)}"

    @alone
    def see(self, number: int) -> str:
        """What happened in a match and what the model's seat sees, with its moves if it is to move."""
        playing = self._match(number)
        if playing.match.over:
            return f"{table_text(playing.match, playing.seat)}\n\nThe match is over."
        return prompt_of(playing.match, playing.seat, rules=False).table

    @alone
    def moves(self, number: int) -> str:
        """The legal moves of the model's seat, numbered from 1."""
        playing = self._match(number)
        numbered = enumerate(playing.match.legal(playing.seat), 1)
        return "\n".join(f"{k}. {move_text(move)}" for k, move in numbered) or "None: the match is over."

    @alone
    def move(self, number: int, move: str | int) -> str:
        """Make a move, given by its number in the list or its text; then bots move. Gives what the seat sees then."""
        playing = self._match(number)
        if playing.match.over:
            raise BadMove(say("Match {number} is over.", number=number))
        answer = read_answer(str(move), playing.match.legal(playing.seat), playing.match.game.rules.ACTIONS)
        if answer.action is None:
            text = _("The move was refused. {why} Give its number or its text, as legal_moves lists them.")
            raise BadMove(say(text, why=REASONS[answer.refused]))
        playing.match.play(playing.seat, answer.action)
        playing.advance()
        return self.see(number)

    @alone
    def end(self, number: int) -> str:
        """Forget a match, also one that isn't over."""
        self._match(number)
        del self.there[number]
        return f"Match {number} is gone."

    def _match(self, number: int) -> SeatedMatch:
        if number not in self.there:
            numbers = ", ".join(map(str, self.there)) or "none"
            raise BadOption(say("There is no match {number}; there are {there}.", number=shown(number), there=numbers))
        return self.there[number]

    def _bot_name(self, name: str, chosen: Game) -> str:
        """A bot's name as files keep it; no files and no budgets, which would be an expense that the model sets."""
        if kept(name) not in bots_of(chosen):
            raise UnknownBot(unknown(name, bots_of(chosen)))
        return kept(name)

    def _make_room(self) -> None:
        """Forget the oldest match that is over if there is no room; raises BadOption if none is."""
        if len(self.there) < self.most:
            return
        over = [number for number, playing in self.there.items() if playing.match.over]
        if not over:
            text = _("There are {most} matches already, and no more at a time: play one to its end, or end it.")
            raise BadOption(say(text, most=self.most))
        del self.there[over[0]]
