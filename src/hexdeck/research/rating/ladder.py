"""A ladder: bots in pairwise contests, and one rating for each."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hexdeck.bots.files import write_atomically
from hexdeck.bots.players import levels
from hexdeck.bots.players.levels import data, levels_of, read
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import say
from hexdeck.research.rating.contest import COLUMNS, Contest, ContestLog, contest
from hexdeck.stats import NORMAL, bootstrap

AHEAD = COLUMNS.index("ahead")
RESAMPLED = 200  # bootstrap samples for the intervals of ratings
WEIGHT = 4  # how much of the time neighbours get for each that others get
STEPS = 200  # of the fit, more than enough


@dataclass(frozen=True)
class Ladder:
    """Contests of every bot among each that was named before it, and ratings: the first bot's is 0.

    `ratings` and `margins` float64 (bots), on the Elo scale: 400 points more are odds of ten to one to come in ahead.
    `interrupted`: whether less was played than asked for; then a bot that met nobody on two deals is left out.
    """

    bots: tuple[str, ...]
    contests: tuple[Contest, ...]
    ratings: np.ndarray
    margins: np.ndarray
    interrupted: bool = False


def ladder(
    game: GameSetup,
    bots: Sequence[str],
    groups: int,
    seed: int = 1,
    progress: Callable[[], None] | None = None,
    seconds: float = float("inf"),
    near: Sequence[str] | None = None,
    stop_when_clear: int | None = None,
    log: ContestLog | None = None,
) -> Ladder:
    """Play each bot alone among each named before it on `groups` deals, in its turn on every seat.

    Fewer where they don't fit in a share of `seconds`, which is `WEIGHT` times as much for neighbours, who are the
    hardest to tell apart; what one pair leaves the others get. Bots are named from the weakest on, so that no table is
    full of the slowest. `near`: each meets only the one named before it, and these. `stop_when_clear` and `log` are as
    in `contest`. Interrupted (KeyboardInterrupt), it rates bots that have played. Raises BadOption for one bot only.

    Ratings are Bradley and Terry's (1952), of coming in ahead of a player; their margins are half the 95 % intervals
    of a bootstrap over deals.
    """
    if len(set(bots)) < max(2, len(bots)):
        raise BadOption(say("A ladder needs at least two bots, none of them twice."))
    pairs = pairs_of(bots, near)
    contests: list[Contest] = []
    ends = time.monotonic() + seconds
    weights = [WEIGHT if bots.index(bot) == bots.index(rival) + 1 else 1 for bot, rival in pairs]
    for k, pair in enumerate(pairs):
        share = max(0.0, ends - time.monotonic()) * weights[k] / sum(weights[k:])
        contests.append(contest(game, *pair, groups, seed, progress, share, stop_when_clear, log=log))
        if contests[-1].interrupted:
            break
    return concluded(bots, contests, seed)


def concluded(bots: Sequence[str], contests: Sequence[Contest], seed: int) -> Ladder:
    """The ladder of the contests that were played; raises KeyboardInterrupt where none has two deals."""
    usable = [row for row in contests if len(row.groups) > 1]
    if not usable:
        raise KeyboardInterrupt
    rated = [name for name in bots if any(name in (row.one, row.others) for row in usable)]
    rng = np.random.default_rng(seed)
    margins = NORMAL * resampled_ratings(rated, usable, rng).std(axis=0)
    interrupted = any(row.interrupted for row in contests)
    return Ladder(tuple(rated), tuple(usable), bradley_terry(rated, usable), margins, interrupted)


def pairs_of(bots: Sequence[str], near: Sequence[str] | None) -> list[tuple[str, str]]:
    """Which bot plays among which: one, the others."""
    return [
        (bot, rival)
        for k, bot in enumerate(bots)
        for at, rival in enumerate(bots[:k])
        if near is None or at == k - 1 or rival in near
    ]


def resampled_ratings(bots: Sequence[str], contests: Sequence[Contest], rng: np.random.Generator) -> np.ndarray:
    """The ratings by bootstrap samples of the deals of contests, float64 (RESAMPLED, bots)."""

    def fit(samples: list[np.ndarray]) -> np.ndarray:
        return bradley_terry(bots, [replace(row, groups=of) for row, of in zip(contests, samples, strict=True)])

    return bootstrap([row.groups for row in contests], fit, rng, RESAMPLED)


def bradley_terry(bots: Sequence[str], contests: Sequence[Contest]) -> np.ndarray:
    """The ratings by these contests, float64 (bots), fitted by minorisation and maximisation (Hunter 2004)."""
    wins = np.zeros((len(bots), len(bots)))
    for row in contests:
        a, b = bots.index(row.one), bots.index(row.others)
        ahead = np.clip(row.groups[:, AHEAD].mean(), 0.001, 0.999)
        wins[a, b] += ahead
        wins[b, a] += 1 - ahead
    played, strength = wins + wins.T, np.ones(len(bots))
    for _ in range(STEPS):
        strength = wins.sum(axis=1) / (played / (strength[:, None] + strength[None, :])).sum(axis=1)
        strength /= strength[0]
    ratings: np.ndarray = 400 * np.log10(strength)
    return ratings


def keep(game: GameSetup, contests: Iterable[Contest], command: str) -> None:
    """Store contests of a game with so many players, instead of those that were stored."""
    program, rows = program_hash(game.rules.__name__, "hexdeck.research.rating"), [row.summary() for row in contests]
    put(game, {"command": command, "program": program, "bots": levels_of(game), "contests": rows})


def put(game: GameSetup, rows: dict[str, Any]) -> None:
    """Store `rows` as what is known of a game with so many players."""
    read.cache_clear()  # other processes may have written there since
    loaded = dict(data(game))
    measured = {**loaded.get("measured", {}), str(game.players): rows}
    loaded["measured"] = {players: measured[players] for players in sorted(measured, key=int)}
    write_atomically(levels.levels_file(game), formatted(loaded).encode())
    read.cache_clear()


def formatted(loaded: dict[str, Any]) -> str:
    """The data as JSON, each contest on one line."""
    text = json.dumps(loaded, indent=1)
    flat = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda found: f"[{on_one_line(found[1])}]", text)
    return re.sub(r'\{\s+("one"[^{}]*?)\s+\}', lambda found: f"{{{on_one_line(found[1])}}}", flat) + "\n"


def on_one_line(text: str) -> str:
    """A text without line breaks and indentation."""
    return re.sub(r"\n *", " ", text)
