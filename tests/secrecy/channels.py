"""The re-deal test: put all that a seat doesn't know anew, and compare every byte that the seat receives."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hexdeck.engine.backends.kernels import HOUSE
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.simulation.game import Game
from tests.positions import whole
from tests.support import random_plies

Channel = Callable[[Match, int], Any]


def permitted(match: Match, seat: int) -> Any:
    """What the whole position says that the seat may do, every action's reason, and who else may act."""
    seats = [seat] if seat >= 0 else []
    refused = [match.illegal_reason(seat, action) for _ in seats for action in range(len(match.game.rules.ACTIONS))]
    return match.acting, match.over, match.chances() != {}, [match.legal_ids(p) for p in seats], refused


def view_data(match: Match, seat: int) -> str:
    return json.dumps(match.view(seat).data())


def house_choices(match: Match, seat: int) -> list[int]:
    """What the house bot plays from the concealed struct, for a few fixed generators."""
    if seat not in match.acting:
        return []
    driver = match.driver
    rows = match.game.rows(driver)
    raw(rows)[0] = np.frombuffer(match.concealed(seat), np.uint8)
    kernel, actions = driver.kernel("choose_row"), driver.actions()
    return [int(kernel(driver.g, rows, HOUSE, seat, actions, driver.generator(k, "mind"))) for k in range(4)]


CHANNELS: dict[str, Channel] = {
    "concealed bytes": lambda match, seat: match.concealed(seat),
    "key": lambda match, seat: match.key(seat),
    "observation": lambda match, seat: match.observation(seat).tobytes(),
    "legal moves": permitted,
    "labelled moves": lambda match, seat: [move.data() for move in match.legal(seat)],
    "view data": view_data,
    "view text": lambda match, seat: match.view(seat).text(),
    "house bot": house_choices,
}


@dataclass
class Report:
    """How many worlds were dealt, how many differ from the true one, and the channels that told them apart."""

    worlds: int = 0
    changed: int = 0
    leaks: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return f"{self.changed} of {self.worlds} worlds differ from the true one; leaks: {dict(self.leaks) or 'none'}"


def received(match: Match, seat: int) -> dict[str, Any]:
    """All that a seat, or the public, receives at a position; the log is in `facts.py`."""
    return {name: channel(match, seat) for name, channel in CHANNELS.items()}


def positions(setting: Game, backend: str, rng: random.Random, share: float) -> Iterator[Match]:
    """A random part of the positions of a random game, each as a match without events."""
    for match in random_plies(setting.match(rng.getrandbits(60), backend=backend), rng):
        if rng.random() < share:
            yield match.copy_position()


def deal_anew(match: Match, report: Report, rng: random.Random, times: int) -> None:
    """Compare what each seat receives in random worlds with what it receives in the true one."""
    for seat in range(-1, match.game.players):
        truth = received(match, seat)
        for _ in range(times):
            world = match.resample(seat, rng.getrandbits(60))
            report.worlds += 1
            report.changed += whole(world) != whole(match)
            if whole(world) != whole(match):
                found = received(world, seat)
                report.leaks.update(name for name in CHANNELS if found[name] != truth[name])
