"""What a process did to its files, as `shim.c` wrote it down, and the disk as it might be if power fails at a moment.

What was synced is there. Of what wasn't, each write may be there, lost, there in parts of a sector each, or be zeros at
the end of a file that grew; each name that was made, changed or removed may be as it was, until its folder is synced.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512
NAMES = "CDRU"  # calls that change a folder
LOST, KEPT, MIXED = "lost", "kept", "mixed"  # what becomes of all that wasn't synced


@dataclass(frozen=True)
class Call:
    """A call that succeeded; `file`: the number of the file that it is about, -1 for none."""

    kind: str
    file: int = -1
    path: str = ""
    other: str = ""  # the new name
    at: int = 0
    data: bytes = b""


@dataclass
class File:
    """A file: what is on the disk for sure, and what was written since the last sync."""

    durable: bytes = b""
    pending: list[Call] = field(default_factory=list)


def calls_of(log: bytes, inodes: dict[int, int]) -> Iterator[Call]:
    """The calls of a log. `inodes`: by inode, the numbers of files that were there before."""
    numbers, count, at = dict(inodes), len(inodes), 0
    while at < len(log):
        end = log.index(b"\n", at)
        kind, _, rest = log[at:end].decode().partition(" ")
        at = end + 1
        if kind == "C":
            inode, _, path = rest.partition(" ")
            numbers[int(inode)] = count = count + 1
            yield Call(kind, count, path)
        elif kind == "W":
            inode, offset, length = map(int, rest.split())  # type: ignore[assignment]
            yield Call(kind, numbers[int(inode)], at=int(offset), data=log[at : at + int(length)])
            at += int(length)
        elif kind == "T":
            inode, size = rest.split()
            yield Call(kind, numbers[int(inode)], at=int(size))
        elif kind == "S":
            yield Call(kind, numbers[int(rest)])
        else:
            path, _, other = rest.partition("\t")
            yield Call(kind, path=path, other=other)


class Disk:
    """The disk under a folder while calls are made; begins with the files that are there, all synced."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.names: dict[str, int] = {str(root): -1}  # of files their number, of folders -1
        self.files: dict[int, File] = {}
        self.inodes: dict[int, int] = {}
        self.pending: list[Call] = []  # changes of names that aren't synced
        for path in sorted(root.rglob("*")):
            number = -1
            if path.is_file():
                number = self.inodes[path.stat().st_ino] = len(self.inodes)
                self.files[number] = File(path.read_bytes())
            self.names[str(path)] = number

    def do(self, call: Call) -> None:
        """Make a call."""
        if call.kind == "C":
            self.files[call.file] = File()
        if call.kind in NAMES:
            self.pending.append(call)
        elif call.kind == "F":
            synced = [each for each in self.pending if str(Path(each.path).parent) == call.path]
            self.pending = [each for each in self.pending if each not in synced]
            for each in synced:
                rename(self.names, each)
        elif call.kind == "S":
            file = self.files[call.file]
            for each in file.pending:
                file.durable = written(file.durable, each)
            file.pending = []
        elif call.kind in "WT":
            self.files[call.file].pending.append(call)

    def after_power_loss(self, to: Path, rng: random.Random, fate: str) -> None:
        """Write the files as they might be to a new folder."""
        names = dict(self.names)
        for call in self.pending:
            if fate == KEPT or (fate == MIXED and rng.random() < 0.5):
                rename(names, call)
        to.mkdir(parents=True)
        for path, number in sorted(names.items()):
            if not all(str(parent) in names for parent in Path(path).parents if parent.is_relative_to(self.root)):
                continue  # its folder is lost
            target = to / Path(path).relative_to(self.root)
            if number < 0:
                target.mkdir(exist_ok=True)
            else:
                target.write_bytes(content(self.files[number], rng, fate))


def rename(names: dict[str, int], call: Call) -> None:
    """Change names as a call did, as far as what it is about is there."""
    if call.kind == "C":
        names[call.path] = call.file
    elif call.kind == "D":
        names[call.path] = -1
    elif call.kind == "U":
        names.pop(call.path, None)
    elif call.path in names:
        names[call.other] = names.pop(call.path)


def content(file: File, rng: random.Random, fate: str) -> bytes:
    found = file.durable
    for call in file.pending:
        if fate == KEPT or (fate == MIXED and rng.random() < 0.4):
            found = written(found, call)
        elif fate == MIXED and call.kind == "W" and rng.random() < 0.6:
            found = torn(found, call, rng)
    return found


def written(before: bytes, call: Call) -> bytes:
    """A file after a write, or after it was cut or lengthened."""
    if call.kind == "T":
        return before[: call.at].ljust(call.at, b"\0")
    return before[: call.at].ljust(call.at, b"\0") + call.data + before[call.at + len(call.data) :]


def torn(before: bytes, call: Call, rng: random.Random) -> bytes:
    """A file of which only some sectors were written; one that grew may have zeros in place of the others."""
    grown = rng.random() < 0.5
    after = before.ljust(call.at + len(call.data), b"\0") if grown else before
    for at in range(call.at // SECTOR * SECTOR, call.at + len(call.data), SECTOR):
        first, last = max(at, call.at), min(at + SECTOR, call.at + len(call.data))
        if rng.random() < 0.5:
            part = Call("W", at=first, data=call.data[first - call.at : last - call.at])
            after = written(after, part)
    return after


def marks(calls: Sequence[Call]) -> list[str]:
    return [call.path for call in calls if call.kind == "M"]
