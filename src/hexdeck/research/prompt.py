"""What a language model needs to play: a seat's table as a prompt, a lenient reader of answers, and who asks it.

    import hexdeck
    from hexdeck.research.prompt import prompt_of, read_answer

    match = hexdeck.game("cursed-hand", 3).match(7)
    question = prompt_of(match, match.actor)  # question.text: rules, what happened, what the seat sees, its moves
    answer = read_answer("I'll take number 1.", question.moves)  # answer.action, or answer.refused says why not

A prompt is what a seat knows as text, and nothing else; where prompts are alike, observations are too. A model is asked
again after a refusal, and in the end passed over.
"""

import functools
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import numpy as np

from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.errors import NotActing, seat_of
from hexdeck.engine.options import Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.rulebook import PICTURE, STEP, rules_with_tables
from hexdeck.engine.text import Catalogue, say
from hexdeck.engine.view import Move, View, Zone, zone_lines

HISTORY = 200  # lines of what happened, the latest ones
UNTOLD = "history", "draws"  # fields of a struct that a prompt leaves out: a hash of what it tells, a counter
HOW = 'Answer with one of these moves: its number or its text, alone on the last line, or as JSON, such as {"move": 1}.'


@dataclass(frozen=True)
class Prompt:
    """A question to a seat: `rules` and `table` as plain text, and the legal `moves` in the order of their numbers.

    The numbers count from 1. All of it is made from what the seat knows.
    """

    rules: str
    table: str
    moves: tuple[Move, ...]

    @property
    def text(self) -> str:
        """The whole prompt: rules, then the table."""
        return f"{self.rules}\n\n{self.table}" if self.rules else self.table


def prompt_of(match: Match, seat: int, *, rules: bool = True, history: int = HISTORY) -> Prompt:
    """The question to a seat of a match: what it may know, and what it may do.

    `rules`: whether the game's rules stand above. `history`: at most so many lines of what the seat was told, the
    latest ones. Raises NotActing if the seat isn't to move, HexdeckError for a seat that there isn't.
    """
    seat = seat_of(seat, match.game.players)
    if seat not in match.acting:
        raise NotActing(say("Seat {seat} isn't to move now.", seat=seat))
    view = match.view(seat)
    lines = [*table_lines(match, view, history), "", "# Your moves", ""]
    lines += [f"{number}. {move_text(move)}" for number, move in enumerate(view.moves, 1)]
    return Prompt(rules_text(match.game) if rules else "", "\n".join([*lines, "", HOW]), view.moves)


def table_text(match: Match, seat: int, history: int = HISTORY) -> str:
    """What a seat sees and was told, as plain text, on any seat's turn and at the end. Raises HexdeckError."""
    return "\n".join(table_lines(match, match.view(seat_of(seat, match.game.players)), history))


def table_lines(match: Match, view: View, history: int) -> list[str]:
    """What happened and what a seat sees, in lines."""
    catalogue, seat = Catalogue("en", view.folders, view.names), view.seat
    log = [catalogue.words(text) for text in view.log][-history:] if history > 0 else []
    lines = ["# What happened", "", *(log or ["Nothing yet that you know of."]), "", "# What you see", ""]
    title = catalogue.words(match.game.table.ABOUT.title)
    lines.append(f"{title}, {view.players} players: seats 0 to {view.players - 1}. You are seat {seat}.")
    for zone in view.zones:
        owner = "" if zone.seat is None else "You (seat {0}), " if zone.seat == seat else "Seat {0}, "
        first, *details = place_lines(zone, catalogue)
        lines += [owner.format(zone.seat) + first, *details]
    lines += [f"Also known, as the game's own fields: {known_fields(match, seat)}", catalogue.words(view.prompt)]
    outcomes = enumerate(view.outcome_texts)
    return lines + [f"Seat {player}: {catalogue.words(text)}" for player, text in outcomes]


def place_lines(zone: Zone, catalogue: Catalogue) -> list[str]:
    """A place on the table in lines: its cards, a count told apart from them, and what a screen notes beside it."""
    counted_cards = zone.count is not None and (zone.cards or zone.hidden)
    first, *details = zone_lines(replace(zone, count=None) if counted_cards else zone, catalogue)
    first += f" ({zone.count} in all)" if counted_cards else ""
    return [first + (f" – {catalogue.words(zone.note)}" if zone.note else ""), *details]


def move_text(move: Move) -> str:
    """A move as a prompt lists it: its label and, where that reads otherwise, its name in records."""
    label = str(move.label)
    return label if plain(label) == plain(move.name) else f"{label} [{move.name}]"


def plain(text: str) -> str:
    """A text for comparison: lower case, one space between words, no dots, quotes or stars around it."""
    return " ".join(text.casefold().split()).strip(" .,;:!\"'`*()[]“”‘’")


def rules_text(game: GameSetup) -> str:
    """The rules of a game as plain text, and the options of this game."""
    return f"{printed_rules(game)}\n\n{options_text(game)}"


@functools.lru_cache(256)
def printed_rules(game: GameSetup) -> str:
    """The rules of a game as plain text, without pictures."""
    text = rules_with_tables(game.name, "en")
    text = STEP.sub("", PICTURE.sub(lambda found: found[1], text))
    text = re.sub(r"<!--.*?-->|\[([^\]]*)\]\([^)]*\)", lambda found: found[1] or "", text, flags=re.DOTALL)
    return re.sub(r"\n{3,}", "\n\n", text.strip())


@functools.lru_cache(256)
def options_text(game: GameSetup) -> str:
    """How many play, and all options of this game, with a sentence on each: a deck may not be as printed."""
    catalogue = game_words(game.name, "en")
    lines = [option_line(option, game.options[option.name], catalogue) for option in game.rules.OPTIONS]
    first = f"This match has {game.players} players and these options, which count where the rules say otherwise:"
    return "\n".join([first, *lines]) if lines else f"This match has {game.players} players."


def option_line(option: Option, value: Any, catalogue: Catalogue) -> str:
    """An option, its value, and a sentence on it."""
    line, explained = f"- {option.name}={value}: {catalogue.words(option.about)}", option.explained(value)
    return f"{line} ({catalogue.words(explained)})" if explained else line


def known_fields(match: Match, seat: int) -> str:
    """The fields of the game's struct that aren't as at the start, as the seat knows them: `turn=1 hand.3=2`."""
    fields, start, now = match.game.rules.STRUCT.fields, at_start(match.game, seat), match.concealed(seat)
    lines = []
    for name in match.game.rules.STRUCT.names:
        kind, at = fields[name][:2]
        before, after = (np.frombuffer(world[at : at + kind.itemsize], kind.base) for world in (start, now))
        if name not in UNTOLD:
            indices = np.flatnonzero(before != after).tolist()
            lines += [f"{name}.{k}={after[k]}" if kind.shape else f"{name}={after[k]}" for k in indices]
    return " ".join(lines) or "none"


@functools.lru_cache(256)
def at_start(game: GameSetup, seat: int) -> bytes:
    """The struct of a match before its first event, as a seat knows it."""
    return Match(game, by_hand=True).concealed(seat)


def title_of(game: GameSetup) -> str:
    """The title of a game in English."""
    return game_words(game.name, "en").words(game.table.ABOUT.title)


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
        answer = reader.answer(candidate)
        if answer is not None:
            return answer
    quoted = [next(filter(None, answer)) for answer in QUOTED.findall(text)]
    for candidate in (quoted, NUMBERED.findall(text)):
        actions = {
            answer.action for phrase in candidate if (answer := reader.answer(phrase)) and answer.action is not None
        }
        if actions:
            return one_of(actions)
    mentioned = reader.mentioned(text)
    if mentioned:
        return one_of(mentioned)
    answers = [answer for phrase in (*quoted, *NUMBERED.findall(text)) if (answer := reader.answer(phrase))]
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

    def answer(self, phrase: Any) -> ModelAnswer | None:
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
        action = self._answer(question, match.game.rules.ACTIONS, attempts)
        fallback = action is None
        if action is None:
            action = self._dice.choice(question.moves).id
        seconds = time.monotonic() - start
        self.counts.asked += 1
        self.counts.fallbacks += fallback
        self.counts.seconds += seconds
        question_data = {"seat": seat, "ply": match.ply, "prompt": question.table, "answers": attempts}
        move = {"move": str(match.game.rules.ACTIONS[action]), "fallback": fallback, "seconds": round(seconds, 4)}
        self.transcript.append(question_data | move)
        return action

    def _answer(self, question: Prompt, names: Any, attempts: list[dict[str, Any]]) -> int | None:
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
