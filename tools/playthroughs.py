"""Golden playthroughs: whole matches written out, each event with what every seat was told and knows.

`python tools/playthroughs.py` writes them anew into `tests/playthroughs` of each game's folder; the tests compare. Look
at the difference before you commit it: it is what users will notice.
"""

import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hexdeck
from hexdeck.engine.discovery.finding import game_folder, game_names
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import zone_words

FOLDER = "tests/playthroughs"  # in a game's folder
CASES = "cases.json"  # name of the text: [players, options, seed]


@dataclass(frozen=True)
class Case:
    """A match that is written out, and where."""

    game: str
    players: int
    options: dict[str, Any]
    seed: int
    file: Path


def lines(match: Match, seed: int) -> Iterator[str]:
    """A uniformly random match, event by event."""
    yield f"{match.game.name}, {match.game.players} players, {json.dumps(dict(match.game.options), sort_keys=True)}"
    dice = random.Random(seed)
    while not match.over:
        yield from position(match)
        if match.acting:
            seat = dice.choice(match.acting)
            match.play(seat, dice.choice(match.legal_ids(seat)))
        else:
            chances = match.chances()
            match.deal(dice.choices(list(chances), list(chances.values()))[0])
        yield from happened(match)
    yield f"over: {match.ending}, returns {list(match.returns())}"
    yield from (f"  {text}" for text in match.view(-1).outcome_texts)


def position(match: Match) -> Iterator[str]:
    """Who is to act, what they may do and what each seat sees, where somebody decides; else chance's weights."""
    if not match.acting:
        yield f"ply {match.ply}: chance {match.chances()}"
        return
    yield f"ply {match.ply}: acting {list(match.acting)}"
    for seat in range(-1, match.game.players):
        view = match.view(seat)
        zones = "; ".join(f"{zone.id}: {zone_words(zone)}".rstrip() for zone in view.zones)
        yield f"  {'public' if seat < 0 else f'seat {seat}'} [{match.key(seat):016x}] {view.prompt} | {zones}"
        if view.moves:
            yield f"    may: {', '.join(move.name for move in view.moves)}"


def happened(match: Match) -> Iterator[str]:
    """The last event and what each seat was told of it."""
    event = match.events[-1]
    yield f"--- {event.name if event.seat < 0 else f'{event.seat}: {event.name}'}"
    for seat in range(-1, match.game.players):
        for fact in match.facts(seat, match.ply - 1):
            yield f"  to {'public' if seat < 0 else f'seat {seat}'}: {fact}"


def playthrough(case: Case) -> str:
    """The text of a case."""
    match = hexdeck.game(case.game, case.players, **case.options).match(by_hand=True, backend="interpreted")
    return "\n".join(lines(match, case.seed)) + "\n"


def cases() -> dict[str, Case]:
    """All cases, by the names of their texts."""
    found = {}
    for game in game_names():
        folder = game_folder(game) / FOLDER
        for name, case in json.loads((folder / CASES).read_text(encoding="utf-8")).items():
            players, options, seed = case
            found[name] = Case(game, players, options, seed, folder / f"{name}.txt")
    return found


def main() -> int:
    """Write all playthroughs."""
    for case in cases().values():
        case.file.write_text(playthrough(case), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
