"""A match at the terminal: who sits where, people and bots take turns, and it is saved after every move."""

import itertools
import os
import secrets
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import platformdirs
from rich.console import Console

from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.bots.players.roster import Bot, bot, playing_now, resolved
from hexdeck.engine.discovery.finding import PATH
from hexdeck.engine.errors import BadOption, BadRecord, RuleFault, reason_of
from hexdeck.engine.play.game import quickest_backend
from hexdeck.engine.play.record import Record, clean_name
from hexdeck.engine.play.score import headlines
from hexdeck.engine.play.story import beats
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, _, say
from hexdeck.engine.view import Move, View, length
from hexdeck.tables.fair import Proof, chance_key, checked_contribution, commitment, proof_data
from hexdeck.tables.live import actions_meant, forced_delay, hand_of, moves_by_card, nobody_decides
from hexdeck.terminal import display
from hexdeck.terminal.dialogue import Dialogue, Left
from hexdeck.terminal.display import Chair, Display
from hexdeck.terminal.screen import is_fancy, put
from hexdeck.terminal.typed_moves import matching_moves

LEAST = (40, 16)  # columns and lines
OVER, BOT, FORCED, CURTAIN, TURN = "over", "bot", "forced", "curtain", "turn"


@dataclass
class Session(Display):
    """One match, played to its end or until the people leave.

    `pause`: how long bots wait, in seconds; what happens is told beat by beat in proportion to it. `notes`: what else
    goes into the record. `record_to`: where else to write the record. `seed`: the person's seed for cards and bots.
    `save_to`: where the match is kept while it is unfinished; chosen when it is first saved. `secret`: what the cards
    will follow from, if they aren't dealt yet.
    """

    pause: float = display.USUAL_PAUSE
    notes: dict[str, Any] = field(default_factory=dict)
    record_to: Path | None = None
    seed: int | None = None
    save_to: Path | None = None
    secret: bytes = b""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.bots: dict[int, tuple[str, str, Bot]] = {}  # by seat: the bot's name, its backend, the bot
        self.said_compiling = self.said_unsaved = False  # what is said only once
        for seat, chair in enumerate(self.chairs):
            if chair.bot is not None:
                bot(chair.bot, self.match.game, 0, "interpreted")  # an unknown bot is refused before the match
                self.bot_of(seat)
        self.dialogue = Dialogue(self)
        self.asides.keep = self.save_unfinished

    # --- bots -------------------------------------------------------------------------------------------------------
    def bot_of(self, seat: int) -> Bot:
        """The bot of a seat, compiled as soon as the machine code is there; until then a bot that needs none.

        With the person's seed it is always the one that was asked for, so that the match can be repeated.
        """
        game, name_asked = self.match.game, str(self.chairs[seat].bot)
        backend = quickest_backend(game.definition)
        name = playing_now(name_asked, game, backend) if self.seed is None else resolved(name_asked, game)
        if self.bots.get(seat, ("", ""))[:2] != (name, backend):
            seed = secrets.token_bytes(32) if self.seed is None else self.seed * 16 + seat
            self.bots[seat] = name, backend, bot(name, game, seed, backend)
        return self.bots[seat][2]

    def mention_compiling(self) -> None:
        """Say, once, that bots play by rules of thumb until the game is compiled."""
        names = ((name, str(self.chairs[seat].bot)) for seat, (name, *_) in self.bots.items())
        if any(name != resolved(typed, self.match.game) for name, typed in names) and not self.said_compiling:
            self.said_compiling = True
            self.print(
                self.say(say("(Bots play by rules of thumb until the stronger ones are ready: a minute, once.)"))
            )

    # --- the deal ---------------------------------------------------------------------------------------------------
    @property
    def promise(self) -> str:
        """The hash of the secret that the cards will follow from; empty once they are dealt, or with a seed."""
        return commitment(self.secret) if self.secret else ""

    @property
    def promised(self) -> tuple[Text, Text]:
        """What a person is told of the promise: what can be proved, and by which hash."""
        fair = say("What deals the cards is fixed already: hexdeck verify checks that nothing was changed.")
        return fair, say("The hash of their secret: {hash}", hash=self.promise)

    def deal(self, contribution: str = "") -> None:
        """Deal the cards, if they aren't, from the secret and the first person's words; raises TableError for those."""
        if self.secret:
            added = [""] * len(self.chairs)
            added[min(self.people, default=0)] = checked_contribution(contribution.strip())
            self.notes["fair"] = proof_data(Proof(self.secret, self.promise, tuple(added)))
            self.match.let_chance(chance_key(self.secret, added))
            self.secret = b""

    # --- the match --------------------------------------------------------------------------------------------------
    @property
    def only_person(self) -> int:
        """The seat of the person who plays alone against bots; -1, the public's, where several share the screen."""
        return self.people[0] if len(self.people) == 1 else -1

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
        except RuleFault:
            self.leave()
            raise
        self.finish()
        return 0

    def step(self) -> None:
        """Let the next seat act: people before bots, so that a secret choice can be taken back while others choose."""
        self.dialogue.hear(self.only_person)
        ply = self.match.ply
        if self.answer_asides():
            self.save_unfinished()
            self.tell_own(ply)
            return
        kind, seat = self.next_step()
        if kind == FORCED:
            self.forced_turn(seat)
        elif kind == BOT:
            self.bot_turn(seat)
        elif self.draw_curtain(seat):
            self.dialogue.turn(seat)
            self.save_unfinished()
            self.tell_own(ply)

    def next_step(self) -> tuple[str, int]:
        """What comes next, and whose seat it concerns; a curtain is before a turn at a screen that changes hands."""
        if self.match.over:
            return OVER, -1
        acting = self.match.acting
        forced = next((seat for seat in acting if seat in self.read_up_to and nobody_decides(self.match, seat)), None)
        if forced is not None:
            return FORCED, forced
        person = self.next_person(acting)
        if person is None:
            return BOT, acting[0]
        return (CURTAIN if len(self.people) > 1 and self.shown_to != person else TURN), person

    def answer_asides(self) -> bool:
        """Make the moves that answer for people whom the rules ask for an aside; returns whether there were any."""
        self.asides.forget_lapsed()
        self.asides.note(self.people)
        ply = self.match.ply
        for seat in self.people:
            action = self.asides.answer(seat)
            if action is not None:
                self.match.play(seat, action)
        return self.match.ply > ply

    def forced_turn(self, seat: int) -> None:
        """Say that nobody decides, wait, and make the move."""
        ply, viewer = self.match.ply, seat if len(self.people) == 1 or self.shown_to == seat else -1
        if self.interactive:
            self.print_log([self.match.view(viewer).prompt], "")
            time.sleep(forced_delay(self.pause))
        self.play_forced(seat)
        if self.interactive:
            display.tell(self, viewer, ply, self.pause)

    def tell_own(self, ply: int) -> None:
        """Tell what came of a person's own move, if that takes more than one step."""
        seat = self.only_person
        if self.interactive and self.pause and ply < self.match.ply and len(beats(self.match, seat, ply)) > 1:
            display.tell(self, seat, ply, self.pause)

    def play_forced(self, seat: int) -> None:
        """Make a person's only legal move."""
        self.match.play(seat, self.match.legal_ids(seat)[0])
        self.save_unfinished()

    def bot_turn(self, seat: int) -> None:
        """Let a bot choose from what it knows, and print what happened."""
        ply = self.match.ply
        self.match.play(seat, self.bot_of(seat).choose(self.match.concealed(seat), seat))
        self.mention_compiling()
        if self.interactive:
            display.tell(self, self.only_person, ply, self.pause)

    def draw_curtain(self, seat: int) -> bool:
        """Hide the table while the screen is passed to a seat's person; returns whether it is that seat's turn now.

        The person before may first take back a secret choice.
        """
        before, self.shown_to = self.shown_to, seat
        if len(self.people) < 2 or before == seat:
            return True
        self.clear()
        self.console.print(self.say(say("Pass the screen to {seat}, then press Enter.", seat=self.chairs[seat].name)))
        if not self.interactive:
            return True
        if before is None or not self.dialogue.can_take_back(before):
            input()
            return True
        self.print(self.say(say("u, then Enter: take back what {seat} chose.", seat=self.chairs[before].name)))
        if input().strip().lower() != "u" or not self.dialogue.take_back(before):
            return True
        self.shown_to = before
        return False

    # --- the end ----------------------------------------------------------------------------------------------------
    def finish(self) -> None:
        """Show the result, and save the record."""
        seat = self.only_person
        since = self.read_up_to.get(seat, min(self.read_up_to.values(), default=0))
        view, screen = self.match.view(seat), self.screen()
        self.clear()
        result = screen.result(view, self.match.returns(), headlines(self.match, seat))
        put(self.console, screen.end(view, self.match.facts(seat, since), result, 3))
        if self.coached:
            sentences = display.scoring_sentences(self.match, min(self.coached), self.words)
            put(self.console, display.wrapped(sentences, screen.width), "cyan")
        put(self.console, display.score_lines(self, least=2))
        self.save_finished()

    def save_finished(self) -> None:
        """Save the record of a match that is over, and say where it is."""
        path = new_path("finished", self.match.game.name)
        paths = [saved for saved in (path, self.record_to) if saved and self.save(saved)]
        if paths:
            if self.save_to:
                forget(self.save_to)
            text = say("The record is in {path}; hexdeck replay steps through it.", path=str(paths[-1]))
            self.print(self.say(text))
            if "fair" in self.notes:
                self.print(self.say(say("hexdeck verify checks that its cards are those that were promised.")))

    # --- saving -----------------------------------------------------------------------------------------------------
    def record(self) -> Record:
        """The record of the match as it stands."""
        coach = bool(self.coached) and (self.coached == set(self.people) or sorted(self.coached))
        extra = {"practice": self.practice, "coach": coach, "asides": self.asides.data()}
        notes = {**self.notes, **{name: holds for name, holds in extra.items() if holds}}
        return replace(Record.of(self.match, [chair.data() for chair in self.chairs]), notes=notes)

    def save_unfinished(self) -> Path | None:
        """Save the match as it stands; returns where, or None if it can't be saved."""
        self.save_to = self.save_to or new_path("unfinished", self.match.game.name)
        return self.save_to if self.save(self.save_to) else None

    def save(self, path: Path) -> bool:
        """Save the match in a file; says so, once, if that fails."""
        try:
            self.record().save(path)
        except OSError as error:
            if not self.said_unsaved:
                self.print(self.say(unwritable(path, error)))
            self.said_unsaved = True
            return False
        return True

    def leave(self) -> int:
        """Save and say how to resume; returns the exit status."""
        self.deal()
        path = self.save_unfinished()
        if self.record_to is not None:
            self.save(self.record_to)
        if path is None:
            return 1
        self.console.print()
        game, folder = self.match.game.name, self.match.game.definition.folder
        on_path = {str(folder), str(folder.parent)}.intersection(os.environ.get(PATH, "").split(os.pathsep))
        own = f"--game-path {folder} " if on_path else ""
        command = f"hexdeck {own}play {game} --resume"
        saved, on = say("Saved in {file}", file=str(path)), say("To continue: {command}", command=command)
        put(self.console, [self.say(saved), self.say(on)])  # on two lines they couldn't be pasted
        return 0


@dataclass
class ScreenSession(Session):
    """A session whose sentences are collected for the screen while there is one (`on_screen`), and printed later."""

    on_screen: bool = False
    messages: list[str] = field(default_factory=list)
    farewell: list[str] = field(default_factory=list)  # what is printed when the screen is gone

    def __post_init__(self) -> None:
        super().__post_init__()
        self.asides.any_time = True

    def print(self, text: str, indent: str = "") -> None:
        """Keep a sentence for the screen, or print it."""
        if self.on_screen:
            self.messages.append(text)
        else:
            super().print(text, indent)

    # --- the coach and the scores -----------------------------------------------------------------------------------
    def teach(self, seat: int) -> None:
        """Say what a seat is taught now, if it wants to be coached."""
        if seat in self.coached:
            self.messages[:] = display.lesson_sentences(self.match, seat, self.words) or self.messages

    def toggles_coach(self, line: str, seat: int) -> bool:
        """Turn the coach on or off if that is what a line says; returns whether it was."""
        if line != self.say(say("coach")):
            return False
        self.switch_coach(seat)
        self.teach(seat)
        return True

    def sum_up(self) -> None:
        """Say how the match was scored, if there is a coach; the sheet of a longer match is printed later."""
        if self.coached:
            self.messages[:] = display.scoring_sentences(self.match, min(self.coached), self.words)
        self.farewell[:0] = display.score_lines(self, least=2)

    # --- what is shown ---------------------------------------------------------------------------------------------
    def viewing_seat(self) -> int:
        """The seat whose view is shown; -1, the public's, if nobody sits before the screen, and at the end."""
        if self.match.over or self.shown_to is None or len(self.people) == 1:
            return self.only_person
        return self.shown_to

    def view(self, seat: int) -> View:
        """The view of a seat (-1: the public), without a forced move."""
        view = self.match.view(seat)
        return replace(view, moves=()) if nobody_decides(self.match, seat) else view

    def log_and_news(self, seat: int) -> tuple[list[Text], int]:
        """The log of a seat (-1: the public), and how many of its lines are news."""
        since = self.read_up_to.get(seat, min(self.read_up_to.values(), default=0))
        return self.match.facts(seat), len(self.match.facts(seat, since))

    def views_since(self, ply: int) -> list[tuple[View | None, float]]:
        """The views that show, step by step, what happened since a ply, each with its seconds; None: the newest view.

        Nothing where bots don't wait, and where the seat that is shown noticed nothing.
        """
        seat = self.viewing_seat()
        if not self.pause or not self.match.facts(seat, ply):
            return []
        steps, pace = beats(self.match, seat, ply), self.pause / display.USUAL_PAUSE / 1000
        still = replace(self.view(seat), moves=(), acting=(), over=False, outcome_texts=())
        views: list[tuple[View | None, float]] = [
            (replace(still, zones=beat.zones, prompt=beat.line or still.prompt), beat.hold * pace)
            for beat in steps[:-1]
        ]
        last = length(steps[-1:]) * pace
        return [*views, (None, max(last, self.pause - sum(seconds for _, seconds in views)))]

    # --- moves ------------------------------------------------------------------------------------------------------
    def play_line(self, line: str, seat: int) -> bool:
        """Play what was typed; returns whether anything was played. Says what was wrong."""
        steps = self.dialogue.parse_steps(line, self.match, seat)
        if steps:
            self.dialogue.play(steps, seat)
        return bool(steps)

    def moves_meant(self, line: str, view: View) -> list[Move]:
        """The moves that a line can mean."""
        return matching_moves(line.lower().strip(), view.moves, self.words) if line.strip() else []

    def move_of_card(self, k: int, view: View) -> Move | None:
        """The move that a card of the hand makes by itself, if there is one."""
        return moves_by_card(view).get(hand_cards(view)[k])

    def explain_card(self, k: int, view: View) -> None:
        """Say why a card of the hand can't be played, as far as the rules say."""
        code = hand_cards(view)[k]
        for id in actions_meant(self.match, view.seat, card=code):
            reason = self.match.illegal_reason(view.seat, id)
            if reason:
                self.dialogue.refusal_rule = self.match.game.definition.reason(reason).rule
                self.print(self.say(say("{why} (? shows the rule)", why=self.match.why(reason))))
                return


def hand_cards(view: View) -> Sequence[str]:
    """The cards in the viewer's hand."""
    hand = hand_of(view)
    return hand.cards if hand else ()


def typed_cards(picked: frozenset[int], view: View) -> str:
    """Chosen cards of the hand as they would be typed."""
    return " ".join(code for k, code in enumerate(hand_cards(view)) if k in picked).lower()


def possible(console: Console) -> bool:
    """Whether the full screen can be shown: an interactive terminal, large enough, not asked to be plain."""
    term = os.environ.get("TERM", "" if sys.platform != "win32" else "windows")
    size = shutil.get_terminal_size()
    return (
        sys.stdin.isatty()
        and console.is_terminal
        and sys.stdout.isatty()
        and term not in {"", "dumb"}
        and os.environ.get("HEXDECK_PLAIN", "") in {"", "0"}
        and size.columns >= LEAST[0]
        and size.lines >= LEAST[1]
        and is_fancy(console)
        and find_spec("textual") is not None
    )


def unwritable(path: Path, error: OSError) -> Text:
    """Why a record can't be written."""
    return say("The record can't be written to {path}: {reason}.", path=str(path), reason=reason_of(error))


LONGEST = 16


def chairs(
    players: int,
    seat: int,
    bots: Sequence[str],
    hotseat: bool,
    names: Sequence[str],
    catalogue: Catalogue,
    usual: str = "house",
    people: int = 0,
) -> list[Chair]:
    """The chairs of a new table.

    Bots fill every seat but the person's (`usual` ones, if none is named); with several `people` all but the first
    seats; with `hotseat` only the last ones, as many as are named.

    Raises BadOption when seats, people, bots and names don't fit.
    """
    if not 0 <= seat < players:
        raise BadOption(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=players - 1))
    if people > players:
        text = _("{people} people don't fit at a table of {players}; --players makes it larger.")
        raise BadOption(say(text, people=people, players=players))
    free = players - (people or 1)
    seated_bots = list(bots)
    if free and not hotseat:  # the last one named is repeated
        seated_bots += (seated_bots or [usual])[-1:] * (free - len(bots))
    if len(seated_bots) > free:
        text = _("{bots} bots leave no seat for you at a table of {players}; name at most {most}.")
        raise BadOption(say(text, bots=len(seated_bots), players=players, most=free))
    several = hotseat or people > 1
    persons = list(range(players - len(seated_bots))) if several else [seat]
    chosen = [clean_name(name).strip()[:LONGEST] for name in names if name.strip()]
    if len(chosen) > len(persons):
        text = _("{names} names are too many for the {people} at this screen; --people seats more.")
        raise BadOption(say(text, names=len(chosen), people=len(persons)))
    chosen += [default_name(p, several, catalogue) for p in persons[len(chosen) :]]
    return seated(players, dict(zip(persons, chosen, strict=True)), seated_bots)


def seated(players: int, people: Mapping[int, str], bots: Sequence[str]) -> list[Chair]:
    """People on their seats, and bots on the others in turn, each with a name of its own."""
    used, waiting, out = set(people.values()), iter(bots), []
    for p in range(players):
        name = people.get(p) or next(name for name in (BOT_NAMES[p], *BOT_NAMES) if name not in used)
        used.add(name)
        out.append(Chair(name, None if p in people else next(waiting)))
    return out


def default_name(seat: int, several: bool, catalogue: Catalogue) -> str:
    """The name of a person who gave none."""
    return catalogue.words(say("Player {number}", number=seat + 1)) if several else catalogue.words(say("You"))


def names_of(seats: Sequence[Mapping[str, Any]], catalogue: Catalogue) -> list[str]:
    """The names of a record's seats for sentences about them; "You" becomes a numbered player."""
    you = {Catalogue(lang, catalogue.folders).words(say("You")) for lang in LANGUAGES}
    names = [chair.name for chair in chairs_of(seats)]
    return [default_name(p, True, catalogue) if name in you else name for p, name in enumerate(names)]


def chairs_of(seats: Sequence[Mapping[str, Any]]) -> list[Chair]:
    """The chairs of a record."""
    out = []
    for p, seat in enumerate(seats):
        bot = seat.get("bot")
        name = clean_name(seat.get("name"))[:LONGEST] or BOT_NAMES[p % len(BOT_NAMES)]
        out.append(Chair(name, str(bot) if bot else None))
    return out


def home() -> Path:
    """The folder of saved matches."""
    return Path(platformdirs.user_data_dir("hexdeck"))


def new_path(kind: str, game: str) -> Path:
    """A new file for an `unfinished` or `finished` match of a game; no match replaces another."""
    stem = f"{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    names = itertools.chain([stem], (f"{stem}-{k}" for k in itertools.count(2)))
    return next(path for name in names if not (path := home() / kind / f"{name}.json").exists())


def forget(path: Path) -> None:
    """Delete the save of an unfinished match that is finished now, if it is one of ours."""
    if path.parent == home() / "unfinished":
        path.unlink(missing_ok=True)


def unfinished(game: str | None) -> Path:
    """The newest unfinished match of a game, or of all; raises BadRecord when there is none."""
    files = (home() / "unfinished").glob(f"{game}-[0-9]*.json" if game else "*.json")
    newest = max(files, key=lambda path: path.stat().st_mtime_ns, default=None)
    if newest is None:
        if game and any((home() / "unfinished").glob("*.json")):
            text = _("There is no unfinished match of {game}; without a game, --resume goes on with the newest of all.")
            raise BadRecord(say(text, game=game))
        raise BadRecord(say("There is no unfinished match to resume; start one with hexdeck play."))
    return newest
