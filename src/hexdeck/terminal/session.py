"""A match at the terminal: people and bots take turns, what happens is told, nothing is lost."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from hexdeck.bots.players import Bot, bot
from hexdeck.engine.match import Match
from hexdeck.engine.record import Record
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.terminal import saves
from hexdeck.terminal.chairs import Chair
from hexdeck.terminal.dialogue import Dialogue, Left
from hexdeck.terminal.screen import Screen


@dataclass
class Session:
    """One match and who plays it.

    `pause` is how long bots wait, in seconds; `notes` go into the record (`practice`).
    """

    match: Match
    chairs: Sequence[Chair]
    words: Catalogue
    console: Console
    pause: float = 0.7
    practice: bool = False
    notes: dict[str, Any] = field(default_factory=dict)
    record_to: Path | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        self.live = sys.stdin.isatty() and self.console.is_terminal
        self.people = [seat for seat, chair in enumerate(self.chairs) if chair.bot is None]
        self.bots: dict[int, Bot] = {
            seat: bot(chair.bot, self.match.game, self.seed_of(seat), self.match.driver.lane)
            for seat, chair in enumerate(self.chairs)
            if chair.bot is not None
        }
        self.read_up_to = dict.fromkeys(self.people, 0)
        self.shown_to: int | None = None
        self.dialogue = Dialogue(self)

    def seed_of(self, seat: int) -> int | bytes:
        """What a bot's dice come from: the person's seed, or a fresh secret."""
        return secrets.token_bytes(32) if self.seed is None else self.seed * 16 + seat

    # --- the match --------------------------------------------------------------------------------------------------
    def run(self) -> int:
        """Play to the end; returns the exit status. Leaving, an interrupt or the end of input saves the match."""
        try:
            while not self.match.over:
                self.step()
        except (Left, KeyboardInterrupt, EOFError):
            return self.leave()
        self.finish()
        return 0

    def step(self) -> None:
        """The next seat acts: people before bots, so that a secret choice can be taken back while others choose."""
        acting = self.match.acting
        person = next((seat for seat in acting if seat in self.read_up_to), None)
        if person is not None:
            self.curtain(person)
            self.dialogue.turn(person)
            self.keep()
        else:
            self.bot_turn(acting[0])

    def bot_turn(self, seat: int) -> None:
        """A bot decides from what it knows; what happens is told at once."""
        told = self.match.ply
        self.match.play(seat, self.bots[seat].choose(self.match.concealed(seat), seat))
        eyes = self.people[0] if len(self.people) == 1 else -1
        if self.live:
            self.tell(self.match.facts(eyes, told))
            time.sleep(self.pause)

    def tell(self, facts: Sequence[Text]) -> None:
        """Lines of the log as they happen."""
        for fact in facts:
            for line in self.screen().wrapped(fact):
                self.console.print(line, style="dim", highlight=False, soft_wrap=True)

    def curtain(self, seat: int) -> None:
        """Between two people at one screen nothing may be seen."""
        if len(self.people) > 1 and self.shown_to not in (None, seat):
            self.clear()
            text = self.say(say("Pass the screen to {seat}, then press Enter.", seat=self.chairs[seat].name))
            self.console.print(text, style="bold", highlight=False)
            if self.live:
                input()
        self.shown_to = seat

    # --- what is shown ----------------------------------------------------------------------------------------------
    def say(self, text: Text) -> str:
        """Words of the person's language."""
        return self.words.words(text)

    def screen(self) -> Screen:
        """A screen of the present size."""
        size = self.console.size
        fancy = (self.console.encoding or "").lower().startswith("utf")
        title = self.say(self.match.game.table.TITLE)
        return Screen(
            self.words, title, min(size.width, 100), size.height, self.console.color_system is not None, fancy
        )

    def show(self, seat: int) -> None:
        """Draw the table for a seat, with what happened since its last move."""
        view = self.match.view(seat)
        if self.live:
            self.clear()
        for line in self.screen().draw(view, self.match.facts(seat, self.read_up_to.get(seat, 0))):
            self.console.print(line, highlight=False, soft_wrap=True)

    def clear(self) -> None:
        """An empty screen, and nothing to scroll back to."""
        if self.live:
            self.console.clear()
            self.console.file.write("\x1b[3J")

    def finish(self) -> None:
        """The result, and where the record is."""
        seat = self.people[0] if len(self.people) == 1 else -1
        since = self.read_up_to.get(seat, min(self.read_up_to.values(), default=0))
        view = self.match.view(seat)
        screen = self.screen()
        for line in [*screen.draw(view, self.match.facts(seat, since)), *screen.result(view, self.match.returns())]:
            self.console.print(line, highlight=False, soft_wrap=True)
        path = saves.finish(self.record())
        if self.record_to is not None:
            self.record().save(self.record_to)
            path = self.record_to
        text = say("The record is in {path}; hexdeck replay steps through it.", path=str(path))
        self.console.print(self.say(text), style="dim", highlight=False, soft_wrap=True)

    # --- nothing is lost --------------------------------------------------------------------------------------------
    def record(self) -> Record:
        """The record of the match as it stands."""
        notes = {**self.notes, **({"practice": True} if self.practice else {})}
        return Record.of(self.match, [chair.data() for chair in self.chairs], **notes)

    def keep(self) -> Path:
        """Save the match as it stands."""
        return saves.keep(self.record())

    def leave(self) -> int:
        """Save and say how to go on."""
        path = self.keep()
        text = say(
            "Saved. hexdeck play {game} --resume goes on with it ({path}).", game=self.match.game.name, path=str(path)
        )
        self.console.print("\n" + self.say(text), highlight=False, soft_wrap=True)
        return 0
