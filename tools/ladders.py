"""How strong the levels are: plays every row of every `levels.json` anew, by the program as it is.

`python tools/ladders.py [--folder build/ladders] [--games GAME …] [--deals 1000] [--clear 200] [--processes 2]` plays
what `hexdeck tournament GAME levels --ladder --players N --deals 1000 --stop-when-clear 200 --seed 1 --save` plays, for
each number of players. The result of each deal is written to a log in the folder at once; interrupted, the same command
goes on. A row is stored with its game when it is finished, and the time that it took is told: processor minutes, of one
core.

With `--times` only the milliseconds of a choice are measured again, which a busy machine makes longer: on two deals of
each contest, one after another.
"""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import hexdeck
from hexdeck.bots.players.levels import CALIBRATION, USUAL, data, levels_of
from hexdeck.engine.discovery.finding import game_names
from hexdeck.research.rating import ContestLog, Ladder, contest, keep, ladder, store
from hexdeck.simulation.game import Game
from hexdeck.simulation.warm import warm

SEED = 1


class Row(NamedTuple):
    """What a row is made of: the levels of a game for so many players, on so many deals, fewer once it is clear."""

    name: str
    players: int
    deals: int
    clear: int
    folder: Path

    @property
    def game(self) -> Game:
        """The game, with the usual options."""
        return hexdeck.game(self.name, self.players)

    @property
    def command(self) -> str:
        """The command that plays the same."""
        what = f"--players {self.players} --deals {self.deals} --stop-when-clear {self.clear} --seed {SEED}"
        return f"hexdeck tournament {self.name} levels --ladder {what} --save"

    @property
    def log(self) -> Path:
        """Where its deals are written."""
        return self.folder / f"{self.name}-{self.players}.log"

    @property
    def cost(self) -> float:
        """About how long it takes, next to others: the slowest begin first."""
        kept = data(self.game).get("measured", {}).get(str(self.players), {}).get("contests", [])
        return self.players * sum(float(each["ms"]) for each in kept)


def play(row: Row) -> tuple[Row, Ladder, float]:
    """Play what isn't in the log yet; the contests, and how many processor minutes all of it took."""
    warm(row.name)
    with timed(row.log.with_suffix(".minutes")) as minutes:
        log, bots = ContestLog(row.log, row.game, SEED), [CALIBRATION, *levels_of(row.game)]
        found = ladder(row.game, bots, row.deals, SEED, near=[USUAL], stop_when_clear=row.clear, log=log)
    return row, found, sum(minutes)


def time_again(row: Row) -> None:
    """Measure again how long a choice takes in each contest that is kept of a row."""
    warm(row.name)
    kept = dict(data(row.game)["measured"][str(row.players)])
    for each in kept["contests"]:
        each["ms"] = contest(row.game, each["one"], each["others"], 2, SEED).summary()["ms"]
    store(row.game, kept)


def ends_like_ctrl_c() -> None:
    """Let a process that is ended finish its deal and write its time."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextmanager
def timed(path: Path) -> Iterator[list[float]]:
    """Adds processor minutes to those of earlier runs, in a file with a line for each."""
    before = [float(line) for line in path.read_text().split()] if path.exists() else []
    began = time.process_time()
    try:
        yield before
    finally:
        before.append((time.process_time() - began) / 60)
        path.write_text("".join(f"{each:.2f}\n" for each in before))


def rows_of(options: argparse.Namespace) -> list[Row]:
    """All rows that are asked for, the slowest first."""
    out = []
    for name in options.games:
        low, high = hexdeck.game(name).rules.PLAYERS
        out += [Row(name, n, options.deals, options.clear, options.folder) for n in range(low, high + 1)]
    return sorted(out, key=lambda row: -row.cost)


def main() -> None:
    """Play all rows, and store each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("build/ladders"), help="where logs are kept")
    parser.add_argument("--games", nargs="+", default=list(game_names()), choices=game_names())
    parser.add_argument("--deals", type=int, default=1000, help="deals for each pair of bots at most (default: 1000)")
    parser.add_argument("--clear", type=int, default=200, help="deals before a clear pair stops (default: 200)")
    parser.add_argument("--processes", type=int, default=2, help="rows that are played at a time (default: 2)")
    parser.add_argument("--times", action="store_true", help="measure only the milliseconds of a choice again")
    options = parser.parse_args()
    if options.times:
        for row in rows_of(options):
            time_again(row)
            print(f"{row.name}, {row.players} players", flush=True)
        return
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, took = rows_of(options), 0.0
    with suppress(KeyboardInterrupt), get_context("spawn").Pool(options.processes, ends_like_ctrl_c) as pool:
        for k, (row, found, minutes) in enumerate(pool.imap_unordered(play, rows)):
            if found.interrupted:
                break
            keep(row.game, found.contests, row.command)
            took += minutes
            print(f"{k + 1} of {len(rows)}: {row.name}, {row.players} players, {minutes:.1f} minutes", flush=True)
    print(f"{took / 60:.1f} hours of one core")


if __name__ == "__main__":
    main()
