"""The workshop: what a page's address asks for, and the jobs that measure it while one looks.

The address is all: `players=3&option-chips=50&bot=sharp&pin=…&against=0` is the same page for everybody. An option of
several numbers may come as several fields. What is as usual stands in no address that we make. A job goes on as long as
somebody looks at it, and what it has found is kept for a while. One process of low priority makes all jobs, is told by
lines of JSON (`lab.workshop`), and ends when idle; a server whose workshop nobody enters has none.
"""

import asyncio
import contextlib
import json
import logging
import os
import re
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hexdeck.engine.discovery.definition import definition, preset
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import Deck, Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, _, say
from hexdeck.lab.effects import trials
from hexdeck.lab.tuning import NUMBER, Aim, Front, check
from hexdeck.lab.workshop import HOUSE, Figures, Inquiry, bots_for, figures_from
from hexdeck.tables.errors import TooMany
from hexdeck.web.server.settings import Limits

USUAL_PLAYERS = 4
MOST_PINS = 3
USUAL = ""  # in `against`: the game as it is at tables


@dataclass(frozen=True)
class Variant:
    """A game with its options, and the bot of each seat."""

    game: GameSetup
    bots: tuple[str, ...]

    @property
    def usual(self) -> GameSetup:
        """The game for as many players as it is at tables."""
        return GameSetup.at_table(self.game.name, self.game.players)

    @property
    def original(self) -> GameSetup:
        """The original of a fork, as `usual`; where there is none for so many players, `usual` itself."""
        try:
            return GameSetup.at_table(self.game.definition.original, self.game.players)
        except HexdeckError:
            return self.usual

    @property
    def changed(self) -> dict[str, str]:
        """The options that aren't as at tables, as they are typed."""
        usual, options = self.usual.options, {option.name: option for option in self.game.rules.OPTIONS}
        return {name: options[name].spell(value) for name, value in self.game.options.items() if value != usual[name]}

    @property
    def query(self) -> str:
        """The variant as the query of an address."""
        pairs = [("players", str(self.game.players)), *((f"option-{name}", v) for name, v in self.changed.items())]
        bots = [(f"bot-{seat}", bot) for seat, bot in enumerate(self.bots)]
        bots = [("bot", self.bots[0])] if len(set(self.bots)) == 1 else bots
        return urlencode([*pairs, *(pair for pair in bots if pair[1] != HOUSE)])


@dataclass(frozen=True)
class Wish:
    """A page's address, read: `given` has its fields, `faults` what is wrong by field; then there is no variant.

    `pins`: the variants beside it. `against`: the number of the pin that it is compared with, or USUAL.
    """

    name: str
    players: int
    given: dict[str, str]
    faults: dict[str, Text]
    variant: Variant | None
    pins: tuple[Variant, ...] = ()
    against: str = USUAL

    @property
    def base(self) -> GameSetup | None:
        """The game that the variant is compared with; None where that is the same."""
        if self.variant is None:
            return None
        chosen = self.pins[int(self.against)].game if self.against else self.variant.original
        return None if chosen == self.variant.game else chosen

    @property
    def asked(self) -> list[Inquiry]:
        """What is measured: the variant, then what is pinned."""
        if self.variant is None:
            return []
        pins = (Inquiry(pin.game, pin.bots) for pin in self.pins)
        return [Inquiry(self.variant.game, self.variant.bots, self.base), *pins]

    def query(self, *, pins: Sequence[Variant] | None = None, against: str | None = None) -> str:
        """The address of the page again, perhaps with other pins."""
        variant = self.variant.query if self.variant else ""
        pinned = [("pin", pin.query) for pin in (self.pins if pins is None else pins)]
        base = self.against if against is None else against
        return "&".join(filter(None, [variant, urlencode([*pinned, *([("against", base)] if base else [])])]))

    def comparable(self, pin: Variant) -> bool:
        """Whether the variant can be compared with a pin: as many players, the same bots."""
        mine = self.variant
        return mine is not None and (mine.game.players, mine.bots) == (pin.game.players, pin.bots)


def shared_wish(inquiry: Inquiry) -> Wish:
    """The wish of the page that an inquiry comes from."""
    variant = Variant(inquiry.game, inquiry.bots)
    usual = inquiry.against in (None, variant.original)
    pins = () if usual or inquiry.against is None else (Variant(inquiry.against, inquiry.bots),)
    return Wish(inquiry.game.name, inquiry.game.players, {}, {}, variant, pins, USUAL if usual else "0")


def read_wish(name: str, query: str) -> Wish:
    """The wish of an address's query; whatever is wrong is in its `faults`."""
    fields = fields_of(query)
    typed, faults = dict[str, str](), dict[str, Text]()
    for key, values in fields.items():  # of several cells the numbers joined by hyphens, without cells left empty
        if key != "pin":
            typed[key] = values[0] if len(values) == 1 else "-".join(filter(None, map(str.strip, values)))
    players = number_of(typed.get("players", ""), name)
    options = read_fields(name, typed, faults)
    asked = int(typed["players"]) if is_number(typed.get("players", "")) else players  # perhaps too many
    game = None if faults else playable_game(name, asked, options, faults)
    if game is None:
        return Wish(name, players, typed, faults, None)
    bots = bots_of(typed, game, faults)
    if faults:
        return Wish(name, players, typed, faults, None)
    wish = Wish(name, players, typed, faults, Variant(game, bots), pins_of(name, fields.get("pin", [])))
    against = typed.get("against", USUAL)
    is_comparable = against in map(str, range(len(wish.pins))) and wish.comparable(wish.pins[int(against)])
    return Wish(name, players, typed, faults, wish.variant, wish.pins, against if is_comparable else USUAL)


def fields_of(query: str) -> dict[str, list[str]]:
    """The fields of a query, each with its values in order; none where it can't be read."""
    out: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=200)
    except ValueError:
        pairs = []
    for key, value in pairs:
        out.setdefault(key, []).append(value.replace("\0", "")[:2000])
    return out


def number_of(typed: str, name: str) -> int:
    """The number of players, as near to what was typed as the game allows."""
    low, high = definition(name).rules.PLAYERS
    return int(min(max(int(typed) if is_number(typed) else USUAL_PLAYERS, low), high))


def is_number(typed: str) -> bool:
    """Whether it is a number of at most two digits."""
    return typed.isascii() and typed.isdecimal() and len(typed) < 3


def read_fields(name: str, typed: Mapping[str, str], faults: dict[str, Text]) -> dict[str, Any]:
    """The options that were given, in canonical form; what is wrong with them goes to `faults`."""
    out: dict[str, Any] = {}
    for option in definition(name).rules.OPTIONS:
        value = typed.get(f"option-{option.name}")
        if value is not None:
            try:
                out[option.name] = named_deck(option, option.read(value.strip()))
            except BadOption as error:
                faults[option.name] = error.text
    return out


def named_deck(option: Option, value: Any) -> Any:
    """A deck by its name, where its counts have one; any other value as it is."""
    if isinstance(option, Deck):
        names = (name for name, _ in option.named if option.counts(name) == option.counts(value))
        return next(names, value)
    return value


def playable_game(name: str, players: int, options: dict[str, Any], faults: dict[str, Text]) -> GameSetup | None:
    """The game with these options; where they can't be played together, `faults` says so at one of them."""
    try:
        return GameSetup.at_table(name, players, **options)
    except BadOption as error:
        usual, defaults = (
            preset(name).options,
            {option.name: option.default for option in definition(name).rules.OPTIONS},
        )
        changed = [key for key, value in options.items() if value != usual.get(key, defaults[key])]
        culprit = next((key for key in reversed(changed) if can_do_without(name, players, options, key)), "players")
        faults[culprit] = error.text
        return None


def can_do_without(name: str, players: int, options: Mapping[str, Any], key: str) -> bool:
    """Whether the other options can be played together."""
    try:
        GameSetup.at_table(name, players, **{name_of: value for name_of, value in options.items() if name_of != key})
    except BadOption:
        return False
    return True


def bots_of(typed: Mapping[str, str], game: GameSetup, faults: dict[str, Text]) -> tuple[str, ...]:
    """The bot of each seat: the seat's own, else that of all."""
    allowed = bots_for(game)
    every = typed.get("bot", "") or HOUSE
    chosen = tuple(typed.get(f"bot-{seat}", "") or every for seat in range(game.players))
    for bot in chosen:
        if bot not in allowed:
            text = _("There is no bot {name} here; there are {bots}.")
            faults["bot"] = say(text, name=bot[:40], bots=", ".join(allowed))
    return chosen


def pins_of(name: str, queries: Sequence[str]) -> tuple[Variant, ...]:
    """The pinned variants that can be played, each once."""
    out: list[Variant] = []
    for query in queries[: 2 * MOST_PINS]:
        try:
            fields = [(key, value) for key, values in fields_of(query).items() for value in values if key != "pin"]
            pin = read_wish(name, urlencode(fields)).variant
        except HexdeckError:
            continue
        if pin is not None and pin not in out:
            out.append(pin)
    return tuple(out[:MOST_PINS])


LOG = logging.getLogger("hexdeck.web")
COMMAND = sys.executable, "-P", "-m", "hexdeck.lab.workshop"
MOST_KEPT = 200  # jobs whose figures are kept
IDLE = 60.0  # seconds without anybody in the workshop after which the process ends
STOPPED = "The workshop has stopped; measure again."
PATIENCE = 30.0  # seconds of the processor without a figure after which rules that are written are taken to have no end
LONGEST = 300.0  # seconds by the clock, where they only wait or the system doesn't say
ENDLESS = "No game ends within 30 seconds: perhaps a rule has no end. Change it and save."


@dataclass(eq=False)
class Look:
    """A reader who looks at jobs: where they are, and whether there is news for them."""

    address: str
    keys: tuple[str, ...]
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    def end(self) -> None:
        """Let it end."""
        self.ended = True
        self.news.set()


@dataclass
class FigureJob:
    """What is known of something that was asked, or why it can't be measured; and who looks at it."""

    weight: int = 1
    figures: Figures | None = None
    front: Front | None = None  # instead, of a tuning
    refused: str | None = None
    looks: set[Look] = field(default_factory=set)

    @property
    def done(self) -> bool:
        """Whether nothing more will be found."""
        latest = self.figures or self.front
        return self.refused is not None or (latest is not None and latest.done)

    @property
    def has_news(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.refused or self.figures or self.front)


def times_of(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """The time that a process has taken of the processor, 0 where the system doesn't say; the time by the clock."""
    spent = 0.0
    with contextlib.suppress(AttributeError, OSError):
        spent = time.clock_gettime(~process.pid << 3 | 2)  # the clock that Linux gives a process
    return spent, asyncio.get_running_loop().time()


class Workshop:
    """All jobs of this server, and the process that makes them; of `drafts` interpreted, and not for ever."""

    def __init__(self, limits: Limits, command: Sequence[str] = COMMAND, *, drafts: bool = False) -> None:
        self.limits, self.command, self.drafts = limits, (*command, *["5"] * drafts), drafts
        self.heard_at, self.patience = (0.0, 0.0), PATIENCE
        self.jobs: OrderedDict[str, FigureJob] = OrderedDict()
        self.looks: set[Look] = set()
        self.process: subprocess.Popen[bytes] | None = None
        self.closed = False
        self._resting: asyncio.TimerHandle | None = None
        self._reader: Thread | None = None

    # --- looking --------------------------------------------------------------------------------------------------
    @contextlib.contextmanager
    def looking(self, questions: Sequence[Inquiry], address: str) -> Iterator[Look]:
        """While a reader looks at what they asked for; raises TooMany."""
        look = self.begin(questions, address)
        try:
            yield look
        finally:
            self.leave(look)

    def begin(self, questions: Sequence[Inquiry], address: str) -> Look:
        """A reader begins to look at what they asked for; raises TooMany."""
        weights = {question.key: question.weight for question in questions}
        look = Look(address, tuple(weights))
        self._assert_room(look, weights)
        self.looks.add(look)
        for key in look.keys:
            job = self.jobs.setdefault(key, FigureJob(weights[key]))
            self.jobs.move_to_end(key)
            if job.refused is STOPPED:
                job.refused = None
            if not job.looks and not job.done:
                self._send({"start": key})
            job.looks.add(look)
        self._forget()
        return look

    def leave(self, look: Look) -> None:
        """A reader looks no more: what nobody looks at stops."""
        if look not in self.looks:
            return
        self.looks.discard(look)
        for key in look.keys:
            job = self.jobs[key]
            job.looks.discard(look)
            if not job.looks and not job.done:
                self._send({"stop": key})
        if not self.looks and self.process is not None:
            self._resting = asyncio.get_running_loop().call_later(IDLE, self._end_process)

    def restart(self) -> None:
        """Forget what was found, since rules have changed; what a reader looks at is measured anew."""
        process = self.process
        self._end_process()
        if process is not None:
            process.kill()
        for key, job in self.jobs.items():
            job.figures = job.front = job.refused = None
            if job.looks:
                self._send({"start": key})

    def linger(self, look: Look, seconds: float) -> None:
        """A reader looks for so many seconds more: a page without a script asks again."""
        asyncio.get_running_loop().call_later(seconds, self.leave, look)

    def _assert_room(self, look: Look, weights: Mapping[str, int]) -> None:
        weights = {**{key: job.weight for key, job in self.jobs.items()}, **weights}
        running = {key for key, job in self.jobs.items() if job.looks and not job.done}
        additional = [key for key in look.keys if key not in running and not self.jobs.get(key, FigureJob()).done]
        theirs = {key for neighbour in self.looks if neighbour.address == look.address for key in neighbour.keys}
        measured = sum(weights[key] for key in running.union(additional))
        if self.closed or len(self.looks) >= self.limits.looks or measured > self.limits.measured:
            raise TooMany(say("The workshop is full just now; try again in a minute."))
        if sum(weights[key] for key in theirs.union(look.keys)) > self.limits.measured_each:
            raise TooMany(say("Too many variants are being measured at your address; close a page of the workshop."))

    def _forget(self) -> None:
        for key in [key for key, job in self.jobs.items() if not job.looks][: max(0, len(self.jobs) - MOST_KEPT)]:
            del self.jobs[key]

    # --- the process ------------------------------------------------------------------------------------------------
    def _send(self, line: dict[str, str]) -> None:
        """Tell the process something, and start it where there is none."""
        if self._resting:
            self._resting.cancel()
            self._resting = None
        if self.process is None:
            if "stop" in line:
                return
            self.process = self._started()
        self.heard_at = times_of(self.process)
        try:
            assert self.process.stdin
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:  # it has ended: its reader says so
            LOG.warning("the workshop's process can't be told anything")

    def _started(self) -> subprocess.Popen[bytes]:
        idle = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)  # elsewhere the process lowers its own priority
        pipe = subprocess.PIPE
        env = os.environ | ({"HEXDECK_BACKEND": "interpreted", "PYTHONDONTWRITEBYTECODE": "1"} if self.drafts else {})
        process = subprocess.Popen(self.command, env=env, stdin=pipe, stdout=pipe, creationflags=idle)  # noqa: S603
        if self.drafts:
            self._watch(process)
        self._reader = Thread(target=self._read, args=(process, asyncio.get_running_loop()), daemon=True)
        self._reader.start()
        return process

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """End the process once a reader has waited for it too long."""
        if process.poll() is not None:
            return
        waited = [job for job in self.jobs.values() if job.looks and not job.done]
        spent, passed = (now - earlier for now, earlier in zip(times_of(process), self.heard_at, strict=True))
        if waited and self.process is process and (spent > self.patience or passed > LONGEST):
            process.kill()
            for job in waited:
                job.refused = ENDLESS
        else:
            asyncio.get_running_loop().call_later(self.patience / 10, self._watch, process)

    def _read(self, process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what the process says, in a thread of its own, until it ends."""
        assert process.stdout
        with process.stdout, contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens
            for line in process.stdout:
                loop.call_soon_threadsafe(self._hear, process, json.loads(line))
            process.wait()
            loop.call_soon_threadsafe(self._process_ended, process)

    def _hear(self, process: subprocess.Popen[bytes], news: dict[str, Any]) -> None:
        job = self.jobs.get(news["of"])
        if job is None or process is not self.process:
            return
        self.heard_at = times_of(process)
        if "refused" in news:
            job.refused = news["refused"]
        elif "front" in news:
            job.front = Front(**news["front"])
        else:
            job.figures = figures_from(news["figures"])
        for look in job.looks:
            look.news.set()

    def _process_ended(self, process: subprocess.Popen[bytes]) -> None:
        """The process has ended: whoever waited for it is told, unless it was asked to."""
        if process is not self.process:
            return
        self._end_process()
        LOG.warning("the workshop's process has ended", extra={"status": process.returncode})
        for job in self.jobs.values():
            if job.looks and not job.done:
                job.refused = STOPPED
        for look in self.looks:
            look.news.set()

    def _end_process(self) -> None:
        """End the process: nobody is in the workshop."""
        process, self.process, self._resting = self.process, None, None
        if process is not None and process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()

    def close(self) -> None:
        """End the process, and let everybody's pages end."""
        self.closed = True
        if self._resting:
            self._resting.cancel()
        for look in self.looks:
            look.end()
        process = self.process
        self._end_process()
        if process is not None:
            process.terminate()
            process.wait()
        if self._reader is not None:
            self._reader.join()


# --- tuning -----------------------------------------------------------------------------------------------------------
MOST_AIMS, MOST_WORDS = 5, 200
FIELDS = "aim", "low", "high", "end"


@dataclass(frozen=True)
class AimRow:
    """A row of the form, as it was typed."""

    measure: str = ""
    low: str = ""
    high: str = ""
    end: str = ""  # "more" or "less", where as much or as little as can be is wanted

    @property
    def fault(self) -> Text | None:
        """What is wrong with it, if there is anything in it."""
        return next(self.faults(), None) if self.typed else None

    def faults(self) -> Iterator[Text]:
        """What is wrong with it."""
        ends = [*filter(None, (self.low, self.high))]
        if not self.measure:
            yield say("Choose a measure.")
        if bool(self.end) == bool(ends):
            yield say("Say what you want of it: limits, or as high or low as can be.")
        yield from (say("Not a number: {word}.", word=end) for end in ends if not re.fullmatch(NUMBER, end))
        if len(ends) > 1 and float(self.low) > float(self.high):
            yield say("At least ({low}) is above at most ({high}).", low=self.low, high=self.high)
        try:
            Aim.read(self.typed)
        except BadOption as error:
            yield error.text

    @property
    def typed(self) -> str:
        """The aim as the command takes it; "" for an empty row."""
        low, high = ("" if self.high else "at least", "to") if self.low else ("", "at most")
        parts = [self.measure, low, self.low, high if self.high else "", self.high, self.end]
        return " ".join(filter(None, parts))


@dataclass(frozen=True)
class TuneWish:
    """A page's address, read: `base` is what is changed, `vary` the options and values to try."""

    base: Wish
    rows: tuple[AimRow, ...]
    vary: tuple[str, ...]

    @property
    def aims(self) -> tuple[str, ...]:
        """The aims as the command takes them, each once."""
        return tuple(dict.fromkeys(row.typed for row in self.rows if row.typed))

    @cached_property
    def fault(self) -> Text | None:
        """The first thing that is wrong."""
        rows = (row.fault for row in self.rows)
        return next(filter(None, (*self.base.faults.values(), *rows, *faults_of(self))), None)

    @property
    def game(self) -> GameSetup:
        """The game that is tuned, or the usual one where that can't be played."""
        variant = self.base.variant
        return variant.game if variant else GameSetup.at_table(self.base.name, self.base.players)

    @property
    def asked(self) -> list[Inquiry]:
        """What is tuned; nothing where something is wrong."""
        game = self.game
        return [] if self.fault else [Inquiry(game, (HOUSE,) * game.players, aims=self.aims, vary=self.vary)]

    def variant(self, options: Sequence[str]) -> Variant:
        """The variant that a rule set is."""
        changed: dict[str, Any] = dict(option.split("=", 1) for option in options)
        return Variant(self.game.variant(**changed), (HOUSE,) * self.game.players)


def read_tune_wish(name: str, query: str) -> TuneWish:
    """The wish of an address's query."""
    fields, base = fields_of(query), read_wish(name, query)
    columns = [[*fields.get(key, [])[:MOST_AIMS], *[""] * MOST_AIMS][:MOST_AIMS] for key in FIELDS]
    rows = tuple(AimRow(*map(str.strip, row)) for row in zip(*columns, strict=True))
    vary = tuple(dict.fromkeys(word for typed in fields.get("vary", []) for word in typed.split()))[:MOST_WORDS]
    return TuneWish(base, rows, vary)


def faults_of(wish: TuneWish) -> Iterator[Text]:
    """What is wrong with the aims together and the values to try."""
    try:
        check(wish.game, [Aim.read(aim) for aim in wish.aims])
        if not wish.aims:
            yield say("Choose at least one measure that you want something of.")
        if not wish.vary or not trials(wish.game, wish.vary):
            yield say("Choose at least one value to try.")
    except BadOption as error:
        yield error.text
