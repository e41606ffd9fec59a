"""Trial matches that a game from outside must play when it is first asked for; a game that can't is broken."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.backends.interpreted import proxy_class, strict
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.event import Event
from hexdeck.engine.options import Choice, Switch
from hexdeck.engine.text import say

if TYPE_CHECKING:
    from hexdeck.engine.discovery.definition import GameDefinition

STEPS = 400  # at most; the match need not reach its end
SEEDS, TRIES = 3, 20


def try_out(game: GameDefinition) -> None:
    """Play a few random matches and call everything that a game is asked for. Raises BrokenGame if anything fails."""
    for seed in range(SEEDS):
        try:
            Trial(game, random.Random(seed)).play()
        except BrokenGame:
            raise
        except Exception as error:  # the game's own code may do anything
            raise BrokenGame(say("{game}: {why}.", game=game.name, why=where(error, game.folder))) from error


def where(error: Exception, folder: Path) -> str:
    """What an error says, and the innermost place in the game's folder where it occurred."""
    said, at, found = " ".join(str(error).split()) or type(error).__name__, error.__traceback__, ""
    while at:
        file = Path(at.tb_frame.f_code.co_filename)
        if file.is_relative_to(folder):
            found = f"{at.tb_frame.f_code.co_name} in {file.name}, line {at.tb_lineno}, fails: "
        at = at.tb_next
    return f"{found}{said}"


class Trial:
    """One random interpreted match, with random options that can be combined."""

    def __init__(self, game: GameDefinition, dice: random.Random) -> None:
        self.game, self.rules, self.dice = game, game.rules, dice
        self.proxy = proxy_class(self.rules.STRUCT)
        self.actions = np.zeros(len(self.rules.ACTIONS), np.int16)
        self.weights = np.zeros(len(self.rules.OUTCOMES), np.int32)
        struct = np.zeros(1, self.rules.STRUCT)
        struct["seats"] = seats = dice.randint(*self.rules.PLAYERS)
        self.options = self.drawn_options(seats)
        for option in self.rules.OPTIONS:
            struct[option.name] = option.store(self.options[option.name])
        self.struct = self.proxy(memoryview(bytearray(struct.tobytes())))

    def drawn_options(self, seats: int) -> dict[str, Any]:
        """Random values for switches and choices, defaults for everything else."""
        usual = {option.name: option.default for option in self.rules.OPTIONS}
        several: dict[str, tuple[Any, ...]] = {
            option.name: option.values for option in self.rules.OPTIONS if isinstance(option, Choice)
        }
        several |= {option.name: (True, False) for option in self.rules.OPTIONS if isinstance(option, Switch)}
        for _try in range(TRIES):
            drawn = usual | {name: self.dice.choice(values) for name, values in several.items()}
            if self.rules.refuse(seats, drawn) is None:
                return drawn
        return usual

    def play(self) -> None:
        """Play the match step by step; at its end, ask for the results."""
        s = self.struct
        self.rules.start(s)
        for _step in range(STEPS):
            if s.over:
                break
            self.look()
            before = self.copy()
            event = self.decided() if s.acting else self.drawn()
            self.retell(before, event)
        if s.over:
            out = np.zeros(self.rules.SEATS)
            self.rules.returns(s, strict(out))
            self.game.table.outcome_texts(self.copy(-1))

    def retell(self, before: Any, event: Event) -> None:
        """Ask for what is said of an event, and for its beats as the public sees them."""
        told = self.game.table.narrate(before, event, self.copy())
        facts = tuple(fact.text for fact in told if fact.heard_by(-1))
        self.rules.conceal(before, -1)
        self.game.table.beats(-1, before, facts, self.copy(-1))

    def look(self) -> None:
        """Ask for everything that the public and a random seat see."""
        seen = np.zeros(max(end for _, end in self.rules.SLICES.values()), np.int8)
        for seat in (-1, self.dice.randrange(self.struct.seats)):
            known = self.copy(seat)
            self.game.table.zones(known, seat)
            self.game.table.prompt(known, seat)
            self.rules.observe(known, seat, strict(seen))

    def decided(self) -> Event:
        """Make a random legal move of a random seat that is to act; returns the event."""
        s = self.struct
        seat = self.dice.choice([p for p in range(s.seats) if s.acting >> p & 1])
        known = self.copy(seat)
        count = self.rules.legal_actions(known, seat, strict(self.actions))
        if not 0 < count <= len(self.actions):
            raise BrokenGame(self.told(say("legal_actions finds {n} moves for who is to act", n=int(count))))
        action = int(self.actions[self.dice.randrange(count)])
        if self.rules.illegal_reason(known, seat, action):
            name = self.rules.ACTIONS[action]
            raise BrokenGame(self.told(say("illegal_reason forbids {name}, which legal_actions lists", name=name)))
        self.game.table.label(known, seat, action)
        self.game.table.spot(known, seat, action)
        self.rules.apply_action(s, seat, action)
        return Event(seat, action, self.rules.ACTIONS[action])

    def drawn(self) -> Event:
        """Let a random chance outcome happen, by weight; returns the event."""
        self.weights[:] = 0
        total = self.rules.chance_weights(self.struct, strict(self.weights))
        if total <= 0 or total != self.weights.sum() or self.weights.min() < 0:
            text = say("chance_weights gives {total}, and its weights add up to {sum}",
                       total=int(total), sum=int(self.weights.sum()))  # fmt: skip
            raise BrokenGame(self.told(text))
        outcome = self.dice.choices(range(len(self.weights)), self.weights.tolist())[0]
        self.rules.apply_chance(self.struct, outcome)
        return Event(-1, outcome, self.rules.OUTCOMES[outcome])

    def copy(self, seat: int | None = None) -> Any:
        """A copy of the struct, whole or concealed for a seat (-1: the public)."""
        copy = self.proxy(memoryview(bytearray(self.struct.row_)))
        if seat is not None:
            self.rules.conceal(copy, seat)
        return copy

    def told(self, why: Any) -> Any:
        """A sentence about the game's `rules.py`."""
        return say("{game}: rules.py: {why}.", game=self.game.name, why=why)
