"""A match at the terminal: people and bots take turns, what happens is told, nothing is lost."""

from __future__ import annotations

import secrets
import sys
import textwrap
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from hexdeck.bots.players.named import Bot, at_once, bot, resolved
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.tables.keys import chance_key, commitment, contribution
from hexdeck.tables.model.fair import Proof, as_data
from hexdeck.tables.model.forced import beat, nobody_decides
from hexdeck.terminal import saves
from hexdeck.terminal.chairs import Chair
from hexdeck.terminal.coaching import lesson_lines, score_lines
from hexdeck.terminal.dialogue import Dialogue, Left
from hexdeck.terminal.screen import Screen, is_fancy
from hexdeck.terminal.tally import show_scores


@dataclass
class Session:
    """One match and who plays it.

    `pause` is how long bots wait, in seconds; `notes` go into the record (`practice`). `secret`: what the cards will
    follow from, of a match that isn't dealt yet.
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
    coach: bool | Collection[int] = False  # to whom each kind of decision is explained when it first comes up
    save_to: Path | None = None  # where the match is kept while it is unfinished; chosen when it is first saved
    secret: bytes = b""

    def __post_init__(self) -> None:
        self.live = sys.stdin.isatty() and self.console.is_terminal
        self.words = replace(self.words, suits=is_fancy(self.console))
        self.people = [seat for seat, chair in enumerate(self.chairs) if chair.bot is None]
        self.pupils = set(self.people if self.coach is True else self.coach or ())  # of the coach, each for themselves
        self.bots: dict[int, tuple[str, str, Bot]] = {}  # by seat: who plays there, in which backend
        self.told_of_waiting = False
        for seat, chair in enumerate(self.chairs):
            if chair.bot is not None:
                bot(chair.bot, self.match.game, 0, "interpreted")  # a bot that there is not is refused now
                self.bot_of(seat)
        self.read_up_to = dict.fromkeys(self.people, 0)  # where each person's news begins: at its own last move
        last = -1
        for ply, event in enumerate(self.match.events):
            if event.seat in self.read_up_to and event.seat != last:  # of a choice in several steps, the first
                self.read_up_to[event.seat] = ply
            last = event.seat
        self.shown_to: int | None = None
        self.unsaved = False  # whether it was said already that the match can't be saved
        self.dialogue = Dialogue(self)

    def seed_of(self, seat: int) -> int | bytes:
        """What a bot's dice come from: the person's seed, or a fresh secret."""
        return secrets.token_bytes(32) if self.seed is None else self.seed * 16 + seat

    def bot_of(self, seat: int) -> Bot:
        """Who plays on a seat of a bot: in compiled code as soon as that is there, until then at once what can be.

        With a seed of the person's nobody plays for another, so that the match can be had again.
        """
        game, wanted = self.match.game, str(self.chairs[seat].bot)
        backend = quickest_backend(game.definition)
        name = at_once(wanted, game, backend) if self.seed is None else resolved(wanted, game)
        if self.bots.get(seat, ("", ""))[:2] != (name, backend):
            self.bots[seat] = name, backend, bot(name, game, self.seed_of(seat), backend)
        return self.bots[seat][2]

    def tell_of_waiting(self) -> None:
        """Say, once, that bots don't think ahead yet."""
        stand_in = any(name != resolved(str(self.chairs[seat].bot), self.match.game)
                       for seat, (name, _backend, _bot) in self.bots.items())  # fmt: skip
        if stand_in and not self.told_of_waiting:
            self.told_of_waiting = True
            self.print(self.say(say("(Bots play by rules of thumb until the game is compiled, which is done once.)")))

    # --- the deal ---------------------------------------------------------------------------------------------------
    @property
    def promise(self) -> str:
        """The hash of the secret that the cards will follow from; empty where they are dealt, or follow from a seed."""
        return commitment(self.secret) if self.secret else ""

    def deal(self, given: str = "") -> None:
        """Have the cards dealt, if they aren't, from the secret and from what was given; raises TableError for that."""
        if self.secret:
            added = [""] * len(self.chairs)
            added[min(self.people, default=0)] = contribution(given.strip())
            self.notes["fair"] = as_data(Proof(self.secret, self.promise, tuple(added)))
            self.match.let_chance(chance_key(self.secret, added))
            self.secret = b""

    # --- the match --------------------------------------------------------------------------------------------------
    def run(self) -> int:
        """Play to the end; returns the exit status. Leaving, an interrupt or the end of input saves the match."""
        self.deal()
        try:
            while not self.match.over:
                self.step()
        except (Left, KeyboardInterrupt, EOFError):
            self.match.go(0)  # an interrupt may have come in the middle of a move
            self.match.go(self.match.length)
            return self.leave()
        self.finish()
        return 0

    def step(self) -> None:
        """The next seat acts: people before bots, so that a secret choice can be taken back while others choose."""
        acting = self.match.acting
        person, forced = self.asked(acting), self.forced(acting)
        if forced is not None:
            self.forced_turn(forced)
        elif person is not None:
            if self.curtain(person):
                self.dialogue.turn(person)
                self.keep()
        else:
            self.bot_turn(acting[0])

    def asked(self, acting: Sequence[int]) -> int | None:
        """The person who is asked when these seats are to act."""
        return next((seat for seat in acting if seat in self.read_up_to), None)

    def forced(self, acting: Sequence[int]) -> int | None:
        """The person whose move nobody decides, when these seats are to act."""
        return next((seat for seat in acting if seat in self.read_up_to and nobody_decides(self.match, seat)), None)

    def forced_turn(self, seat: int) -> None:
        """Say that nobody decides, and make the move after a beat."""
        told, eyes = self.match.ply, seat if len(self.people) == 1 or self.shown_to == seat else -1
        if self.live:
            self.tell([self.match.view(eyes).prompt], "")
            time.sleep(beat(self.pause))
        self.play_forced(seat)
        if self.live:
            self.tell(self.match.facts(eyes, told))

    def play_forced(self, seat: int) -> None:
        """Make the only move that is left to a person."""
        self.match.play(seat, self.match.legal_ids(seat)[0])
        self.keep()

    def bot_turn(self, seat: int) -> None:
        """A bot decides from what it knows; what happens is told at once."""
        told = self.match.ply
        self.match.play(seat, self.bot_of(seat).choose(self.match.concealed(seat), seat))
        self.tell_of_waiting()
        eyes = self.people[0] if len(self.people) == 1 else -1
        if self.live:
            facts = self.match.facts(eyes, told)
            self.tell(facts)
            time.sleep(self.pause if facts else 0)

    def tell(self, facts: Sequence[Text], style: str = "dim") -> None:
        """Lines of the log."""
        for fact in facts:
            for line in self.screen().wrapped(fact):
                self.console.print(line, style=style, soft_wrap=True)

    def curtain(self, seat: int) -> bool:
        """Between two people at one screen nothing may be seen; returns whether the seat's turn comes now.

        Who has just chosen in secret can take that back before the screen changes hands.
        """
        before, self.shown_to = self.shown_to, seat
        if len(self.people) < 2 or before == seat:
            return True
        self.clear()
        self.console.print(self.say(say("Pass the screen to {seat}, then press Enter.", seat=self.chairs[seat].name)))
        if not self.live:
            return True
        if before is None or not self.dialogue.can_take_back(before):
            input()
            return True
        self.print(self.say(say("u, then Enter: take back what {seat} chose.", seat=self.chairs[before].name)))
        if input().strip().lower() != "u" or not self.dialogue.take_back(before):
            return True
        self.shown_to = before
        return False

    # --- what is shown ----------------------------------------------------------------------------------------------
    def say(self, text: Text) -> str:
        """Words of the person's language."""
        return self.words.words(text)

    def switch_coach(self, seat: int) -> bool:
        """Have decisions explained to a person from now on, or not any more; returns whether they are."""
        self.pupils ^= {seat}
        taught = seat in self.pupils
        self.print(self.say(say("The coach explains.") if taught else say("The coach is silent.")))
        return taught

    def screen(self) -> Screen:
        """A screen of the present size."""
        return Screen.of(self.console, self.words, self.match.game.table.TITLE)

    def show(self, seat: int) -> None:
        """Draw the table for a seat, with what happened since its last move, and what its coach says."""
        view = self.match.view(seat)
        if self.live:
            self.clear()
        taught = lesson_lines(self, seat) if seat in self.pupils else []
        for line in self.screen().draw(view, self.match.facts(seat, self.read_up_to.get(seat, 0)), 1 + len(taught)):
            self.console.print(line, soft_wrap=True)
        for told in taught:
            self.console.print(told, style="cyan", soft_wrap=True)

    def print(self, text: str, indent: str = "") -> None:
        """Words for the person, on as many lines as they take."""
        for line in textwrap.wrap(
            text, self.screen().width, initial_indent=indent, subsequent_indent=indent, break_long_words=False,
            break_on_hyphens=False,
        ):  # fmt: skip
            self.console.print(line, soft_wrap=True)

    def clear(self) -> None:
        """An empty screen, and nothing to scroll back to."""
        if self.live:
            self.console.clear()
            self.console.file.write("\x1b[3J")

    def finish(self) -> None:
        """The result, and where the record is."""
        seat = self.people[0] if len(self.people) == 1 else -1
        since = self.read_up_to.get(seat, min(self.read_up_to.values(), default=0))
        view, screen = self.match.view(seat), self.screen()
        self.clear()
        for line in screen.end(view, self.match.facts(seat, since), self.match.returns(), 3):
            self.console.print(line, soft_wrap=True)
        if self.pupils:
            for told in score_lines(self, min(self.pupils)):
                self.console.print(told, style="cyan", soft_wrap=True)
        show_scores(self, least=2)
        self.conclude()

    def conclude(self) -> None:
        """Keep the record of a match that is over, and say where it is."""
        path = saves.new_path("finished", self.match.game.name)
        kept = [saved for saved in (path, self.record_to) if saved and self.save(saved)]
        if kept:
            if self.save_to:
                saves.forget(self.save_to)
            text = say("The record is in {path}; hexdeck replay steps through it.", path=str(kept[-1]))
            self.print(self.say(text))
            if "fair" in self.notes:
                self.print(self.say(say("hexdeck verify checks that its cards are those that were promised.")))

    # --- nothing is lost --------------------------------------------------------------------------------------------
    def record(self) -> Record:
        """The record of the match as it stands."""
        coach = bool(self.pupils) and (self.pupils == set(self.people) or sorted(self.pupils))
        told = {"practice": self.practice, "coach": coach}
        notes = {**self.notes, **{name: holds for name, holds in told.items() if holds}}
        return replace(Record.of(self.match, [chair.data() for chair in self.chairs]), notes=notes)

    def keep(self) -> Path | None:
        """Save the match as it stands; returns where, or None if it can't be saved."""
        self.save_to = self.save_to or saves.new_path("unfinished", self.match.game.name)
        return self.save_to if self.save(self.save_to) else None

    def save(self, path: Path) -> bool:
        """Save the match in a file; says so, once, if that fails."""
        try:
            self.record().save(path)
        except OSError as error:
            if not self.unsaved:
                self.print(self.say(unwritable(path, error)))
            self.unsaved = True
            return False
        return True

    def leave(self) -> int:
        """Save and say how to go on; returns the exit status."""
        self.deal()
        path = self.keep()
        if self.record_to is not None:
            self.save(self.record_to)
        if path is None:
            return 1
        self.console.print()
        text = say("Saved. hexdeck play {game} --resume goes on with it.", game=self.match.game.name)
        self.print(self.say(text))
        self.print(str(path), "  ")
        return 0


def unwritable(path: Path, error: OSError) -> Text:
    """Why a record can't be written."""
    reason = error.strerror or type(error).__name__
    return say("The record can't be written to {path}: {reason}.", path=str(path), reason=reason)
