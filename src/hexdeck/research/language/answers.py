"""A lenient reader of what language models answer: a move, or why there is none in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.view import Move
from hexdeck.research.language.prompt import plain

EMPTY, NONSENSE, ILLEGAL, SEVERAL, SILENT = "empty", "nonsense", "illegal", "several", "silent"
REASONS: Mapping[str, str] = {
    EMPTY: "The answer was empty.",
    NONSENSE: "No move of the list was found in the answer.",
    ILLEGAL: "The answer names a move that isn't legal now.",
    SEVERAL: "The answer names more than one move.",
    SILENT: "There was no answer in time.",
}  # why an answer is refused, as a model is told
LONGEST = 100_000  # characters of an answer that are read, its last ones
FINAL = re.compile(r"^\W*(?:(?:my|final|the)\s+)*(?:answer|move|choice)(?:\s+is)?\W*[:=]?\s*(.+?)\s*$", re.IGNORECASE)
NUMBERED = re.compile(r"(?:\bmove|\bnumber|\boption|\bno\.|#)\s*(?:number\s*)?(\d{1,6})\b", re.IGNORECASE)
MARKED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}\n]{1,200})\}|<answer>([^<\n]{1,200})</answer>", re.IGNORECASE)
QUOTED = re.compile(
    r"\"([^\"\n]{1,200})\"|`([^`\n]{1,200})`|\*\*([^*\n]{1,200})\*\*|“([^”\n]{1,200})”|'([^'\n]{1,200})'"
)


@dataclass(frozen=True)
class Answer:
    """What was read: the id of a legal action, or None and the `refused` reason, a key of REASONS."""

    action: int | None
    refused: str = ""


def read_answer(text: str, moves: Sequence[Move], names: Sequence[str] = ()) -> Answer:
    """Read an answer to a prompt with these legal moves; never raises.

    Taken is, in this order: JSON with a `move` (the last such object), the last LaTeX box or `<answer>…</answer>`, the
    whole answer or its last line, what follows "answer:" or "move:", a move in quotes, "move 3", a move named in prose.
    A move is meant by its number in the list (from 1), its text or its name; case, spaces and marks around it don't
    matter. `names`: all actions of the game, so that an illegal one is told from nonsense.
    """
    text = text[-LONGEST:]
    if not text.strip():
        return Answer(None, EMPTY)
    reader = Reader(moves, names)
    for said in candidates(text):
        found = reader.meant(said)
        if found is not None:
            return found
    quoted = [next(filter(None, found)) for found in QUOTED.findall(text)]
    for said in (quoted, NUMBERED.findall(text)):
        actions = {found.action for each in said if (found := reader.meant(each)) and found.action is not None}
        if actions:
            return one_of(actions)
    mentioned = reader.mentioned(text)
    if mentioned:
        return one_of(mentioned)
    tried = [found for each in (*quoted, *NUMBERED.findall(text)) if (found := reader.meant(each))]
    return tried[-1] if tried else Answer(None, NONSENSE)


def one_of(actions: set[int]) -> Answer:
    """The only action of a set; refused where it has several."""
    return Answer(None, SEVERAL) if len(actions) > 1 else Answer(next(iter(actions)))


def candidates(text: str) -> Iterator[Any]:
    """What an answer says outright, the clearest first: JSON, the whole of it, its last line, after "answer:"."""
    yield from json_moves(text)
    yield from (boxed or tagged for boxed, tagged in reversed(MARKED.findall(text)))
    lines = [line for line in text.splitlines() if plain(line)]
    yield text
    if lines:
        yield lines[-1]
    for line in reversed(lines):
        if found := FINAL.match(line):
            yield found[1]


def json_moves(text: str) -> Iterator[Any]:
    """The `move` of each JSON object in a text that has one, the last first."""
    decoder, found, at = json.JSONDecoder(), [], text.find("{")
    for _object in range(1000):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and "move" in value:
                found.append(value["move"])
        at = text.find("{", end)
    yield from reversed(found)


class Reader:
    """Legal moves by all that they are called."""

    def __init__(self, moves: Sequence[Move], names: Sequence[str]) -> None:
        self.numbers = [move.id for move in moves]
        self.called: dict[str, set[int]] = {}
        for move in moves:
            for name in (move.name, str(move.label)):
                self.called.setdefault(plain(name), set()).add(move.id)
        self.known = {plain(name) for name in names}

    def meant(self, said: Any) -> Answer | None:
        """The move that is meant by a number or a text alone, legal or not; None if it means none."""
        if isinstance(said, float) and said.is_integer():
            said = int(said)
        if isinstance(said, bool) or not isinstance(said, (int, str)):
            return None
        name = plain(str(said))
        if name in self.called and not name.isdecimal():  # digits alone are a number of the list
            ids = self.called[name]
            return Answer(min(ids)) if len(ids) == 1 else Answer(None, SEVERAL)
        number = re.fullmatch(r"#?(\d{1,6})(?:[.):](?!\d)\s*(.*))?", name)
        if number:
            place = int(number[1]) - 1
            legal = 0 <= place < len(self.numbers)
            named = self.called.get(plain(re.sub(r"\s*\[[^\]]*\]?$", "", number[2] or "")))
            if legal and named is not None and self.numbers[place] not in named:
                return Answer(None, SEVERAL)
            return Answer(self.numbers[place]) if legal else Answer(None, ILLEGAL)
        label = plain(re.sub(r"\s*\[[^\]]*\]?$", "", str(said)))  # as the list has it: a label and a name
        if label in self.called and len(self.called[label]) == 1:
            return Answer(min(self.called[label]))
        return Answer(None, ILLEGAL) if name in self.known else None

    def mentioned(self, text: str) -> set[int]:
        """The moves whose text or name stands in prose; of names within longer ones, the longest."""
        said, found = " ".join(text.casefold().split()), set[int]()
        for name in sorted(filter(None, self.called), key=len, reverse=True):
            pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
            if not name.isdecimal() and re.search(pattern, said):
                found |= self.called[name]
                said = re.sub(pattern, "\0", said)
        return found
