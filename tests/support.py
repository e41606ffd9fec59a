"""What many tests share: staging a position by hand, and sampling positions of random games."""

import functools
import inspect
import random
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import hexdeck
from hexdeck.engine.play.match import Match

T = TypeVar("T")
PATIENCE = 300.0  # seconds that a test waits, on a busy machine, for what should come at once


def for_each(names: str | tuple[str, ...], data: Iterable[Any]) -> Callable[[Callable[..., None]], Any]:
    """Like `pytest.mark.parametrize`, but one test for all data; what fails says of which datum."""
    listed = (names,) if isinstance(names, str) else names

    def repeated(test: Callable[..., None]) -> Any:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            for datum in data:
                try:
                    test(**fixtures, **dict(zip(listed, (datum,) if isinstance(names, str) else datum, strict=True)))
                except BaseException as error:
                    error.add_note(f"It failed for {', '.join(listed)} = {datum!r}.")
                    raise

        signature = inspect.signature(test)
        kept = [each for each in signature.parameters.values() if each.name not in listed]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return repeated


def until(found: Callable[[], T | None], pause: float = 0.01) -> T:
    """Wait for something that comes and stays, on a busy machine too; `pause`: longer where to look is itself work."""
    end = time.monotonic() + PATIENCE
    while not (here := found()):
        assert time.monotonic() < end, "it didn't come"
        time.sleep(pause)
    return here


def ran_apart(command: Sequence[object], **how: Any) -> subprocess.CompletedProcess[str]:
    """A process of its own, once it has ended, and what it said."""
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **how)


class Progress:
    """Lets something go on as long as it changes now and then, however slow the machine is."""

    def __init__(self) -> None:
        self.last, self.end = object(), 0.0

    def at(self, now: object) -> None:
        """It is here now; this fails when that has been so for long."""
        if now != self.last:
            self.last, self.end = now, time.monotonic() + PATIENCE
        assert time.monotonic() < self.end, f"nothing has changed for long: {now}"


def stage(name: str, players: int, *events: str, backend: str = "interpreted", **options: object) -> Match:
    """A match by hand after some events: `"card 7"` is chance, `"0: call"` a move; several may stand in one string."""
    match = hexdeck.game(name, players, **options).match(by_hand=True, backend=backend)
    return play(match, *events)


def play(match: Match, *events: str) -> Match:
    """Play events, separated by commas or given one by one."""
    for event in (part.strip() for text in events for part in text.split(",")):
        seat, colon, action = event.partition(":")
        if colon:
            match.play(int(seat), action.strip())
        elif event:
            match.deal(event)
    return match


def cards(*ranks: int) -> str:
    return ", ".join(f"card {rank}" for rank in ranks)


def names(match: Match, seat: int) -> set[str]:
    return {match.game.rules.ACTIONS[id] for id in match.legal_ids(seat)}


def random_step(match: Match, rng: random.Random) -> None:
    """One uniformly random event of a match by hand."""
    if not match.acting:
        chances = match.chances()
        match.deal(rng.choices(list(chances), list(chances.values()))[0])
    else:
        seat = rng.choice(match.acting)
        match.play(seat, rng.choice(match.legal_ids(seat)))


def play_out(match: Match, rng: random.Random) -> None:
    """Uniformly random play to the end."""
    while not match.over:
        random_step(match, rng)


def random_plies(match: Match, rng: random.Random, limit: int = 100_000) -> Iterator[Match]:
    """The match at each ply of uniformly random play to its end."""
    for _ in range(limit):
        yield match
        if match.over:
            return
        random_step(match, rng)
