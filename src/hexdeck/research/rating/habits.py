"""How the easy bots err: where they choose another move than a bot that plays moves out, and what that costs.

A game names the habits of its easy bot in `STYLES` of its hints, by the actions that it then chooses. Each decision is
judged by what the seat knew, and the two moves are compared in fresh worlds: neither has luck.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hexdeck.bots.advice.analysis import decision, decision_plies
from hexdeck.bots.advice.hints import GAMES, adviser, evaluator
from hexdeck.bots.files import write_atomically
from hexdeck.bots.players.levels import LEVELS
from hexdeck.bots.players.named import bot
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.probe_lines import parsed
from hexdeck.research.rating.contest import played_match
from hexdeck.stats import half_width

Row = tuple[int, bool, float]  # of a decision: which habit, or -1; whether the bot would choose another move; the cost


@dataclass(frozen=True)
class Habit:
    """What a habit of the easy bot does: `choices` it made by it, of `decisions`; how many of them were errors.

    `cost`: what an error cost on average, as a utility, and half the 95 % interval of that.
    """

    name: str
    decisions: int
    choices: int
    errors: int
    cost: float
    margin: float


def rows_of(game: GameSetup, first: int, matches: int, seed: int = 1) -> Iterator[Row]:
    """The decisions of one seat, another in each match, between easy bots."""
    lines = [parsed(player.line, game) for player in game.definition.hints.STUDY.easy_errors]
    backend = game.driver(None).backend
    bots = [bot(LEVELS[0], game, seed * 1000 + seat, backend) for seat in range(game.players)]
    for number in range(first, first + matches):
        proposing, evaluating = adviser(game, 0, backend), evaluator(game, backend)
        for player in bots:
            player.begin(number)
        match, seat = played_match(game, bots, seed, number), number % game.players
        for ply in decision_plies(match, seat):
            match.go(ply)
            action = match.event(ply).id
            habit = next((k for k, line in enumerate(lines) if action in line[0].allowed), -1)
            judged = decision(match, seat, proposing, evaluating, GAMES[backend])
            yield habit, not judged.same, judged.cost


def habits(game: GameSetup, rows: Sequence[Row]) -> list[Habit]:
    """What each habit does, by these decisions."""
    out = []
    for k, habit in enumerate(game.definition.hints.STUDY.easy_errors):
        own = [row for row in rows if row[0] == k]
        costs = np.array([cost for _habit, wrong, cost in own if wrong])
        mean = float(costs.mean()) if len(costs) else 0.0
        out.append(Habit(habit.name, len(rows), len(own), len(costs), mean, float(half_width(costs))))
    return out


# --- in a game's folder -----------------------------------------------------------------------------------------------
def file_of(game: GameSetup) -> Path:
    """The file with how a game's easy bot errs."""
    return game.definition.folder / "easy_errors.json"


def keep(game: GameSetup, habits: Sequence[Habit], matches: int, seed: int) -> None:
    """Put a measurement in the game's folder."""
    about = {"players": game.players, "matches": matches, "seed": seed, "habits": [asdict(habit) for habit in habits]}
    write_atomically(file_of(game), (json.dumps(about, indent=1) + "\n").encode())


def kept(game: GameSetup) -> dict[str, Any]:
    """The measurement that is kept of a game; empty where there is none."""
    path = file_of(game)
    by_players: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return by_players
