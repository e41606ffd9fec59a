"""A language model as a player: it is asked with prompts, asked again after a refusal, and in the end passed over."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.research.language.answers import REASONS, SILENT, Answer, read_answer
from hexdeck.research.language.prompt import HISTORY, Prompt, prompt_of

TRIES = 3  # answers to a question, before a random move is made
SHOWN = 2000  # characters of a refused answer that the model is shown again

Ask = Callable[[str, str], str | None]  # rules, and what is asked -> the answer; None if there is none in time


@dataclass
class Counts:
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
        self.counts, self.transcript = Counts(), list[dict[str, Any]]()
        self._dice = Random(seed)

    def choose(self, match: Match, seat: int) -> int:
        """The id of the model's move for a seat that is to move; raises NotActing if it isn't."""
        question = prompt_of(match, seat, history=self.history)
        start, tried = time.monotonic(), list[dict[str, Any]]()
        action = self._asked(question, match.game.rules.ACTIONS, tried)
        fallback = action is None
        if action is None:
            action = self._dice.choice(question.moves).id
        seconds = time.monotonic() - start
        self.counts.asked += 1
        self.counts.fallbacks += fallback
        self.counts.seconds += seconds
        name = match.game.rules.ACTIONS[action]
        self.transcript.append({
            "seat": seat, "ply": match.ply, "prompt": question.table, "answers": tried, "move": str(name),
            "fallback": fallback, "seconds": round(seconds, 4),
        })  # fmt: skip
        return action

    def _asked(self, question: Prompt, names: Any, tried: list[dict[str, Any]]) -> int | None:
        """The action that the model answers within its tries; None if all answers were refused."""
        text = question.table
        for _try in range(self.tries):
            said = self.ask(question.rules, text)
            found = Answer(None, SILENT) if said is None else read_answer(said, question.moves, names)
            tried.append({"answer": said, "refused": found.refused})
            self.counts.answers += 1
            if found.action is not None:
                return found.action
            self.counts.refused[found.refused] += 1
            again = f"\n\nYour last answer was refused. {REASONS[found.refused]} It was:\n{(said or '')[-SHOWN:]}"
            text = question.table + again
        return None
