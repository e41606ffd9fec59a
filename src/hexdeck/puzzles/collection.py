"""Collections of puzzles as files: JSON, a line for each puzzle, with what was mined so far.

    {"puzzles": 1, "hexdeck": "1.0", "game": "hawthorn", "rules": 1,
     "mined": [{"players": 4, "options": {}, "seed": 1, "matches": 300}, ...],
     "found": [{"players": 4, ...}, ...]}

`matches`: how many matches of a seed were looked at, so that mining goes on behind them. A collection that ships with a
game is `puzzles.json` in its folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hexdeck import __version__
from hexdeck.bots.files import write_atomically
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Text, _, say
from hexdeck.puzzles.puzzle import Puzzle

FORMAT, NAME = 1, "puzzles.json"
MOST, LARGEST = 10_000, 32 << 20  # puzzles and bytes of a file
FEW = 3  # of a kind are never too many
COMPACT: Any = {"ensure_ascii": False, "separators": (",", ":")}


@dataclass(frozen=True)
class MiningRun:
    """Matches that were looked at: of so many players, with options other than the default, from a seed."""

    players: int
    options: tuple[tuple[str, Any], ...]
    seed: int


@dataclass
class Collection:
    """The puzzles of a game; `done`: how many matches of each run were looked at."""

    game: str
    puzzles: list[Puzzle] = field(default_factory=list)
    done: dict[MiningRun, int] = field(default_factory=dict)

    def wants(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle isn't there yet, nor so many of its kind that the answer could be guessed.

        The kind of a move is the first word of its name. Where seats had a choice between these kinds, moves of the
        same kind are the best in two puzzles of three at most.
        """
        if puzzle.key in {other_puzzle.key for other_puzzle in self.puzzles}:
            return False
        alike = [other_puzzle.best_kind for other_puzzle in self.puzzles if other_puzzle.kinds == puzzle.kinds]
        same = alike.count(puzzle.best_kind)
        return len(puzzle.kinds) == 1 or same < FEW or 3 * (same + 1) <= 2 * (len(alike) + 1)

    def save(self, path: Path) -> None:
        """Write a file, whole or not at all."""
        rules = definition(self.game).struct_version
        head = {"puzzles": FORMAT, "hexdeck": __version__, "game": self.game, "rules": rules}
        mined = [
            {"players": run.players, "options": dict(run.options), "seed": run.seed, "matches": matches}
            for run, matches in self.done.items()
        ]
        lines = ",\n".join(json.dumps(puzzle_data(puzzle), **COMPACT) for puzzle in self.puzzles)
        start = json.dumps(head | {"mined": mined}, **COMPACT)[:-1]
        write_atomically(path, f'{start},"found":[\n{lines}\n]}}\n'.encode())


def load(path: Path, game: str | None = None) -> Collection:
    """The collection in a file; raises HexdeckError for one that is none, is too large, or of another game or rules."""
    data = parsed(path)
    if not isinstance(data, dict) or data.get("puzzles") != FORMAT:
        raise refusal(path, say("it is no file of puzzles that this hexdeck reads"))
    try:
        name = find_game(data["game"])
        if game is not None and name != game:
            raise refusal(path, say("its puzzles are of {game}", game=name))
        if data["rules"] != definition(name).struct_version:
            raise refusal(path, say("its puzzles are of other rules of {game} than this hexdeck plays", game=name))
        puzzles = [puzzle_from_data(name, entry) for entry in data["found"][:MOST]]
        done = {
            MiningRun(int(entry["players"]), tuple(entry["options"].items()), int(entry["seed"])): int(entry["matches"])
            for entry in data["mined"]
        }
    except (KeyError, TypeError, ValueError, AttributeError):
        raise refusal(path, say("it is damaged")) from None
    return Collection(name, puzzles, done)


def parsed(path: Path) -> Any:
    """The data in a file, None where it isn't JSON; raises HexdeckError where it can't be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise refusal(path, say("it is too large"))
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise refusal(path, error.strerror or "") from None
    except (ValueError, RecursionError):
        return None


def refusal(path: Path, why: Text | str) -> HexdeckError:
    """A file that can't be used, and why."""
    text = _("The puzzles in {file} can't be used: {why}.")
    return HexdeckError(say(text, file=str(path)[:300], why=why))


def shipped(game: str) -> Collection:
    """The puzzles in a game's folder."""
    path = definition(game).folder / NAME
    return load(path, game) if path.is_file() else Collection(game)


# --- one puzzle -------------------------------------------------------------------------------------------------------
def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle as JSON-able data, without the game."""
    return {
        "players": puzzle.players,
        "options": dict(puzzle.options),
        "seed": puzzle.seed,
        "number": puzzle.number,
        "moves": ";".join(puzzle.moves),
        "seat": puzzle.seat,
        "check": puzzle.check,
        "best": puzzle.best,
        "worth": [puzzle.worth, puzzle.worth_margin],
        "costs": {name: list(cost) for name, cost in puzzle.costs.items()},
        "bots": dict(puzzle.bots),
        "worlds": puzzle.worlds,
    }


def puzzle_from_data(game: str, data: Mapping[str, Any]) -> Puzzle:
    """The puzzle of stored data; raises KeyError, TypeError, ValueError or AttributeError for data that is none."""
    moves = tuple(str(data["moves"]).split(";")) if data["moves"] else ()
    return Puzzle(
        game,
        int(data["players"]),
        dict(data["options"]),
        int(data["seed"]),
        int(data["number"]),
        moves,
        int(data["seat"]),
        str(data["check"]),
        str(data["best"]),
        *value_of(data["worth"]),
        {str(name): value_of(cost) for name, cost in data["costs"].items()},
        {str(name): str(move) for name, move in data["bots"].items()},
        int(data["worlds"]),
    )


def value_of(pair: Any) -> tuple[float, float | None]:
    """A stored value and half its interval."""
    value, margin = pair
    return float(value), None if margin is None else float(margin)
