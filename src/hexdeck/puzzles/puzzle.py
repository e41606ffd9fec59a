"""A puzzle: a position as one seat knows it, in which one move is surely the best, and what the others cost.

A puzzle holds what leads to its position: the seed and the number of a match, from which chance follows, and the moves.
Its match is replayed to show it; what a reader gets is made from what the seat knows, and from nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hexdeck.bots.players.manners import BOT_NAMES
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import quickest_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.simulation.game import Game

Cost = tuple[float, float | None]


@dataclass(frozen=True)
class Puzzle:
    """A position with one surely best move.

    `options`: those that differ from the game's defaults. `seed`, `number`: of the match; `moves`: the names of the
    actions that were played, each by the lowest seat that could act. `seat`: who is to move now; `check`: a hash of
    what that seat knows. `best`: the action that is surely best, `worth`: the utility that it brings, `worth_margin`:
    half the 95 % interval of that; `costs`: by how much each other legal action brings less, and half the 95 % interval
    of that. Margins are None where values are exact. `bots`: what bots would choose; `worlds`: in how many deals the
    actions were tried, 0 where values are exact.
    """

    game: str
    players: int
    options: Mapping[str, Any]
    seed: int
    number: int
    moves: tuple[str, ...]
    seat: int
    check: str
    best: str
    worth: float
    worth_margin: float | None
    costs: Mapping[str, Cost]
    bots: Mapping[str, str]
    worlds: int

    @property
    def key(self) -> str:
        """A name that no other position has."""
        identity = [self.game, self.players, dict(self.options), self.seed, self.number, list(self.moves)]
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def best_kind(self) -> str:
        """The kind of the best move."""
        return self.best.partition(" ")[0]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of moves that the seat can choose from."""
        return frozenset(name.partition(" ")[0] for name in (self.best, *self.costs))

    def setup(self) -> Game:
        """The game with the puzzle's players and options."""
        return Game.named(self.game, self.players, **self.options)

    def match(self, backend: str | None = None) -> Match:
        """The match at the position; raises HexdeckError where the rules don't lead there any more."""
        game = self.setup()
        match = Match(game, self.seed, number=self.number, backend=backend or quickest_backend(game.definition))
        try:
            for move in self.moves:
                match.play(match.actor, move)
            legal = {match.rules.ACTIONS[action] for action in match.legal_ids(self.seat)}
        except HexdeckError:
            legal = set[str]()
        if legal != {self.best, *self.costs} or known_hash(match, self.seat) != self.check:
            text = _("A puzzle of {game} is of other rules than this hexdeck plays; mine new ones.")
            raise HexdeckError(say(text, game=self.game))
        return match


def seat_names(puzzle: Puzzle, own: str) -> tuple[str, ...]:
    """The players' names: the reader's own, and those of bots."""
    others = iter(BOT_NAMES)
    return tuple(own if seat == puzzle.seat else next(others) for seat in range(puzzle.players))


def known_hash(match: Match, seat: int) -> str:
    """A hash of what a seat knows."""
    return hashlib.sha256(match.concealed(seat)).hexdigest()[:12]
