"""Results of the benchmark: a line of JSON for each run, in one file that only grows."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say

Point = tuple[int, float, float]  # work done, processor seconds, NashConv
Key = tuple[str, str, int, int]  # algorithm, size, players, seed


@dataclass(frozen=True)
class Result:
    """What came of a run: an algorithm on a size from a seed, with so many seconds of processor time to learn in.

    `points`: work, processor seconds and NashConv while it learned; `scale`: the span of utilities; `work`: what is
    counted; `settings` of the algorithm; `versions`: of hexdeck, of the game's struct and of the algorithm; `took`:
    processor seconds in all, measuring included; `failed`: the error that ended it, "" for none; `paper` that the
    algorithm is from.

    On a whole game `bot` is measured; its one point is what exploiters gain at least, in utility, `margin` half its
    95 % interval; `against`: what the bot gets against others, by algorithm and seed, with margins.
    """

    algorithm: str
    title: str
    size: str
    players: int
    seed: int
    seconds: float
    histories: int
    scale: float
    uniform: float
    work: str
    settings: Mapping[str, Any]
    versions: Mapping[str, Any]
    points: list[Point] = field(default_factory=list)
    paper: str = ""
    took: float = 0.0
    failed: str = ""
    bot: str = ""
    margin: float = 0.0
    against: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What tells it from others."""
        return self.algorithm, self.size, self.players, self.seed

    @property
    def end(self) -> float | None:
        """NashConv at the end, as a part of the span of utilities; None where nothing was measured."""
        return self.points[-1][2] / self.scale if self.points else None


class Results:
    """The results in a file, the newest of each run; raises HexdeckError for a file of something else."""

    def __init__(self, file: Path) -> None:
        self.file, self.cut = file, False
        self.found: dict[Key, Result] = {}
        lines = content(file).splitlines(keepends=True)
        self.ended = not lines or lines[-1].endswith(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                result = read(line)
            except (ValueError, TypeError, KeyError, AttributeError):
                if number == len(lines) and not self.ended:  # a run was cut off while it was written
                    self.cut = True
                    continue
                text = say("{file} isn't a file of results of hexdeck benchmark (line {n}).", file=str(file), n=number)
                raise HexdeckError(text) from None
            self.found[result.key] = result

    def add(self, result: Result) -> None:
        """Add a result to the file: its line is there whole, or is left out by whoever reads it next."""
        line = json.dumps(asdict(result), ensure_ascii=False, separators=(",", ":")) + "\n"
        with self.file.open("ab+") as file:
            if self.cut:
                file.seek(0)
                file.truncate(file.read().rfind(b"\n") + 1)
            elif not self.ended:  # an editor may have left out the end of the last line
                file.write(b"\n")
            self.cut, self.ended = False, True
            file.write(line.encode(errors="replace"))
            file.flush()
            os.fsync(file.fileno())
        self.found[result.key] = result


def content(file: Path) -> bytes:
    """What a file holds, nothing where there is none; raises HexdeckError where it can't be read."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise HexdeckError(say("{file} can't be read: {why}.", file=str(file), why=error.strerror or "")) from None


def read(line: bytes) -> Result:
    """The result of a line; raises ValueError, TypeError, KeyError or AttributeError where it isn't one.

    What a newer version adds to its lines is passed over.
    """
    known = {each.name for each in fields(Result)}
    data = {key: value for key, value in json.loads(line).items() if key in known}
    data["points"] = [(int(work), float(seconds), float(gain)) for work, seconds, gain in data["points"]]
    return Result(**data)


def differences(result: Result, versions: Mapping[str, Any]) -> list[str]:
    """The parts whose version differs from those of now."""
    return [part for part, now in versions.items() if result.versions.get(part) != now]
