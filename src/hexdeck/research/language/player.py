"""A language model as a player: it is asked with prompts, asked again after a refusal, and in the end passed over.

A lenient reader finds the move in what it answers, or says why there is none.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.engine.view import Move
from hexdeck.research.language.prompt import HISTORY, Prompt, plain, prompt_of

# --- answers ----------------------------------------------------------------------------------------------------------
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
class ModelAnswer:
    """What was read: the id of a legal action, or None and the `refused` reason, a key of REASONS."""

    action: int | None
    refused: str = ""


def read_answer(text: str, moves: Sequence[Move], names: Sequence[str] = ()) -> ModelAnswer:
    """Read an answer to a prompt with these legal moves; never raises.

    Taken is, in this order: JSON with a `move` (the last such object), the last LaTeX box or `<answer>…</answer>`, the
    whole answer or its last line, what follows "answer:" or "move:", a move in quotes, "move 3", a move named in prose.
    A move is meant by its number in the list (from 1), its text or its name; case, spaces and marks around it don't
    matter. `names`: all actions of the game, so that an illegal one is told from nonsense.
    """
    text = text[-LONGEST:]
    if not text.strip():
        return ModelAnswer(None, EMPTY)
    reader = AnswerReader(moves, names)
    for candidate in candidates(text):
        answer = reader.meant(candidate)
        if answer is not None:
            return answer
    quoted = [next(filter(None, answer)) for answer in QUOTED.findall(text)]
    for candidate in (quoted, NUMBERED.findall(text)):
        actions = {
            answer.action for phrase in candidate if (answer := reader.meant(phrase)) and answer.action is not None
        }
        if actions:
            return one_of(actions)
    mentioned = reader.mentioned(text)
    if mentioned:
        return one_of(mentioned)
    answers = [answer for phrase in (*quoted, *NUMBERED.findall(text)) if (answer := reader.meant(phrase))]
    return answers[-1] if answers else ModelAnswer(None, NONSENSE)


def one_of(actions: set[int]) -> ModelAnswer:
    """The only action of a set; refused where it has several."""
    return ModelAnswer(None, SEVERAL) if len(actions) > 1 else ModelAnswer(next(iter(actions)))


def candidates(text: str) -> Iterator[Any]:
    """What an answer says outright, the clearest first: JSON, the whole of it, its last line, after "answer:"."""
    yield from json_moves(text)
    yield from (boxed or tagged for boxed, tagged in reversed(MARKED.findall(text)))
    lines = [line for line in text.splitlines() if plain(line)]
    yield text
    if lines:
        yield lines[-1]
    for line in reversed(lines):
        if match := FINAL.match(line):
            yield match[1]


def json_moves(text: str) -> Iterator[Any]:
    """The `move` of each JSON object in a text that has one, the last first."""
    decoder, moves, at = json.JSONDecoder(), [], text.find("{")
    for _object in range(1000):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict) and "move" in value:
                moves.append(value["move"])
        at = text.find("{", end)
    yield from reversed(moves)


class AnswerReader:
    """Legal moves by all that they are called."""

    def __init__(self, moves: Sequence[Move], names: Sequence[str]) -> None:
        self.numbers = [move.id for move in moves]
        self.called: dict[str, set[int]] = {}
        for move in moves:
            for name in (move.name, str(move.label)):
                self.called.setdefault(plain(name), set()).add(move.id)
        self.known = {plain(name) for name in names}

    def meant(self, phrase: Any) -> ModelAnswer | None:
        """The move that is meant by a number or a text alone, legal or not; None if it means none."""
        if isinstance(phrase, float) and phrase.is_integer():
            phrase = int(phrase)
        if isinstance(phrase, bool) or not isinstance(phrase, (int, str)):
            return None
        name = plain(str(phrase))
        if name in self.called and not name.isdecimal():  # digits alone are a number of the list
            ids = self.called[name]
            return ModelAnswer(min(ids)) if len(ids) == 1 else ModelAnswer(None, SEVERAL)
        number = re.fullmatch(r"#?(\d{1,6})(?:[.):](?!\d)\s*(.*))?", name)
        if number:
            index = int(number[1]) - 1
            legal = 0 <= index < len(self.numbers)
            move = self.called.get(plain(re.sub(r"\s*\[[^\]]*\]?$", "", number[2] or "")))
            if legal and move is not None and self.numbers[index] not in move:
                return ModelAnswer(None, SEVERAL)
            return ModelAnswer(self.numbers[index]) if legal else ModelAnswer(None, ILLEGAL)
        label = plain(re.sub(r"\s*\[[^\]]*\]?$", "", str(phrase)))  # as the list has it: a label and a name
        if label in self.called and len(self.called[label]) == 1:
            return ModelAnswer(min(self.called[label]))
        return ModelAnswer(None, ILLEGAL) if name in self.known else None

    def mentioned(self, text: str) -> set[int]:
        """The moves whose text or name stands in prose; of names within longer ones, the longest."""
        phrase, moves = " ".join(text.casefold().split()), set[int]()
        for name in sorted(filter(None, self.called), key=len, reverse=True):
            pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
            if not name.isdecimal() and re.search(pattern, phrase):
                moves |= self.called[name]
                phrase = re.sub(pattern, "\0", phrase)
        return moves


# --- the player -------------------------------------------------------------------------------------------------------
TRIES = 3  # answers to a question, before a random move is made
SHOWN = 2000  # characters of a refused answer that the model is shown again

Ask = Callable[[str, str], str | None]  # rules, and what is asked -> the answer; None if there is none in time


@dataclass
class ModelCounts:
    """What a model was asked: `asked` moves, `answers` in all, `refused` ones by reason, `fallbacks`, `seconds` spent.

    A fallback is a random legal move, made when all tries of a question were refused.
    """

    asked: int = 0
    answers: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    fallbacks: int = 0
    seconds: float = 0.0

    def data(self) -> dict[str, Any]:
        """The counts as JSON-able data."""
        return {**vars(self), "refused": dict(sorted(self.refused.items())), "seconds": round(self.seconds, 4)}

    def add(self, data: dict[str, Any]) -> None:
        """Add counts in the form of `data`."""
        self.asked, self.answers = self.asked + data["asked"], self.answers + data["answers"]
        self.refused.update(data["refused"])
        self.fallbacks, self.seconds = self.fallbacks + data["fallbacks"], self.seconds + data["seconds"]


class ModelPlayer:
    """A player that asks a language model for each of its moves.

    `ask(rules, question)` gives the model's answer, or None if there is none in time. `tries` (1 or more): answers to a
    question before a random legal move is made, from a generator with `seed`. `history`: lines of what happened that a
    prompt has at most. `counts` has what was refused, and why; `transcript` a dict for each question.
    """

    def __init__(self, ask: Ask, tries: int = TRIES, seed: int | bytes = 0, history: int = HISTORY) -> None:
        self.ask, self.tries, self.history = ask, tries, history
        self.counts, self.transcript = ModelCounts(), list[dict[str, Any]]()
        self._dice = Random(seed)

    def choose(self, match: Match, seat: int) -> int:
        """The id of the model's move for a seat that is to move; raises NotActing if it isn't."""
        question = prompt_of(match, seat, history=self.history)
        start, attempts = time.monotonic(), list[dict[str, Any]]()
        action = self._asked(question, match.game.rules.ACTIONS, attempts)
        fallback = action is None
        if action is None:
            action = self._dice.choice(question.moves).id
        seconds = time.monotonic() - start
        self.counts.asked += 1
        self.counts.fallbacks += fallback
        self.counts.seconds += seconds
        name = match.game.rules.ACTIONS[action]
        self.transcript.append(
            {
                "seat": seat,
                "ply": match.ply,
                "prompt": question.table,
                "answers": attempts,
                "move": str(name),
                "fallback": fallback,
                "seconds": round(seconds, 4),
            }
        )
        return action

    def _asked(self, question: Prompt, names: Any, attempts: list[dict[str, Any]]) -> int | None:
        """The action that the model answers within its tries; None if all answers were refused."""
        text = question.table
        for _try in range(self.tries):
            reply = self.ask(question.rules, text)
            answer = ModelAnswer(None, SILENT) if reply is None else read_answer(reply, question.moves, names)
            attempts.append({"answer": reply, "refused": answer.refused})
            self.counts.answers += 1
            if answer.action is not None:
                return answer.action
            self.counts.refused[answer.refused] += 1
            again = f"\n\nYour last answer was refused. {REASONS[answer.refused]} It was:\n{(reply or '')[-SHOWN:]}"
            text = question.table + again
        return None
