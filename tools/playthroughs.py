"""Golden playthroughs: whole matches written out, each event with what every seat was told and knows.

`python tools/playthroughs.py` writes them anew into tests/playthroughs; the tests compare. Look at the difference
before you commit it: it is what users will notice.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.view import zone_words

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "playthroughs"
CASES = FOLDER / "cases.json"  # name of the file: [game, players, options, seed]


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
    yield from (f"  {fate}" for fate in match.view(-1).fates)


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


def playthrough(case: list[object]) -> str:
    """The text of a case."""
    name, players, options, seed = case
    match = hexdeck.game(name, players, **options).match(by_hand=True, backend="interpreted")  # type: ignore[arg-type]
    return "\n".join(lines(match, seed)) + "\n"  # type: ignore[arg-type]


def cases() -> dict[str, list[object]]:
    """All cases, by the name of their file."""
    found: dict[str, list[object]] = json.loads(CASES.read_text(encoding="utf-8"))
    return found


def main() -> int:
    """Write all playthroughs."""
    for name, case in cases().items():
        (FOLDER / f"{name}.txt").write_text(playthrough(case), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
