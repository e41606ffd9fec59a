"""Logs, from which the lab reads all: of games between bots in compiled code, and of matches, which are replayed."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from hexdeck.engine.backends import kernels_games as kernels
from hexdeck.engine.backends.kernels import TEMPLATE
from hexdeck.engine.backends.kernels_games import DEALS_ONLY, END_ROWS, EVERYTHING, KEPT, LOG_SEAT, NOBODY, NOTHING
from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.play.game import GameSetup, check_numbers, raw
from hexdeck.engine.play.match import NOW, Match
from hexdeck.engine.play.playouts import NOT_BENT, Bend, any_scripted, names_of, play_games
from hexdeck.engine.study import Transitions
from hexdeck.engine.text import say
from hexdeck.simulation.simulate import check_bots, seat_bots

ROOM = {NOTHING: (1 << 16, 1), DEALS_ONLY: (1 << 15, 1 << 10), EVERYTHING: (1 << 12, 1 << 12)}  # rows, positions
AT_ONCE = 100  # games whose positions are in memory at a time
CARD = "card "  # what the names of outcomes that are cards begin with


@dataclass(frozen=True)
class PlayedMatch:
    """A match that is over, from the storage of tables."""

    match: Match
    players: tuple[str, ...]  # who played each seat: `person`, `program`, `shared` (by several), or our bot's name
    times: tuple[float, ...]  # when each event came, in seconds since 1970
    path: str = ""  # of its replay on its server, empty where only those who sat there may look
    said: tuple[Any, ...] = ()  # what players thought, see `tables.feedback.Feedback`


@dataclass(frozen=True)
class SimulationSetup:
    """The game, its bots and the seed, which decide every game; and the threads and backend that play, which don't."""

    game: GameSetup
    bots: str | Sequence[str] = "house"  # one name for all seats, or a name for each
    seed: int | bytes = 0
    threads: int = 1
    backend: str | None = None  # None for the game's usual one

    # the bot of each seat; raises BadOption for too few or too many
    seated = functools.cached_property[tuple[str, ...]](lambda self: names_of(self.game, self.bots))

    def check(self, games: int, first: int = 0) -> None:
        """Raise BadOption or UnknownBot unless so many games can be played, numbered from `first` on."""
        if not all(isinstance(number, Integral) and number > 0 for number in (games, self.threads)):
            raise BadOption(say("A simulation needs at least one game and at least one thread, in whole numbers."))
        if not isinstance(self.seed, int | bytes):
            raise BadOption(say("A seed is a whole number, not {seed}.", seed=shown(self.seed)))
        check_numbers(first, games)
        check_bots(self.game, self.bots)


def column(k: int) -> functools.cached_property[np.ndarray]:
    """A column of a log's rows, int64."""
    return functools.cached_property(lambda log: log.rows[:, k].astype(np.int64))


@dataclass(frozen=True)
class Log:
    """Games decision by decision, in order; after the decisions of each comes a row for its end, with seat NOBODY.

    `position`, `legal` and `hands` are there where they were kept: see `kernels_games.play_games`.
    """

    first: int  # the number of the first game
    rows: np.ndarray  # int32 (rows, LOGGED), as `kernels_games.play_games` writes them; so are `ends` and `results`
    ends: np.ndarray  # int64 (games, ENDS)
    results: np.ndarray  # float64 (games, seats)
    setup: np.ndarray  # the struct that every game begins with
    position: np.ndarray  # the structs before each decision, or where each deal begins, and at the end
    legal: np.ndarray  # int8 (rows, actions): 1 for legal ones
    hands: np.ndarray  # int8 (rows, cards): of the seat that decides, as far as it knows them
    plies: Sequence[int] = ()  # of each row, in a match that was replayed

    def __len__(self) -> int:
        return len(self.ends)

    game = column(kernels.LOG_GAME)  # of each row, counted from 0
    seat = column(LOG_SEAT)  # who decides; NOBODY at the end of a game
    action = column(kernels.LOG_ACTION)  # what is decided
    count = column(kernels.LOG_LEGAL)  # how many actions are legal
    # whether a row is the first of its game; and the structs of games when they are over
    begins = functools.cached_property[np.ndarray](lambda self: np.diff(self.game, prepend=-1) != 0)
    new_deal = functools.cached_property[np.ndarray](  # or of its deal
        lambda self: self.begins | (np.diff(self.position["deal"], prepend=-1) != 0)
    )
    turn_begins = functools.cached_property[np.ndarray](
        lambda self: (self.seat != NOBODY) & (self.new_deal | (np.diff(self.seat, prepend=NOBODY) != 0))
    )
    final_positions = functools.cached_property[Any](lambda self: self.position[self.ends[:, kernels.END_KEPT] - 1])

    def by_game(self, values: np.ndarray) -> np.ndarray:
        """The sums of rows over each game."""
        return np.asarray(np.add.reduceat(values, np.flatnonzero(self.begins), axis=0))

    @property
    def decisions(self) -> list[np.ndarray]:
        """The decisions of each game: int32 (decisions, 2), the seat and the action's id."""
        return [rows[:-1, [LOG_SEAT, kernels.LOG_ACTION]] for rows in np.split(self.rows, self.ends[:-1, END_ROWS])]

    @property
    def waits(self) -> list[tuple[int, int, int]]:
        """For each choice in a match: the seat, the ply after which it could act (-1: the start), and its own ply."""
        ready: dict[int, int] = {}
        out = []
        for row, ply in zip(self.rows[:-1].tolist(), self.plies, strict=False):
            acting = [seat for seat in range(self.results.shape[1]) if row[kernels.LOG_ACTING] >> seat & 1]
            ready = {seat: ready.get(seat, ply - 1) for seat in acting}
            since = ready.pop(row[LOG_SEAT])
            out += [(row[LOG_SEAT], since, ply)] if row[kernels.LOG_LEGAL] > 1 else []
        return out

    @functools.cached_property
    def alone(self) -> np.ndarray:
        """The row of the first choice in each game that a seat makes alone, as `kernels.count_log` has it; else -1."""
        acting, flags = self.rows[:, kernels.LOG_ACTING], self.rows[:, kernels.LOG_FLAGS]
        news = (self.rows[:, kernels.LOG_CHANCES] > 0) | (flags & kernels.NEWS > 0)
        part = np.cumsum(self.begins | news)  # all that is chosen at the same time lies in one
        together = np.maximum.accumulate(np.where(acting & (acting - 1) != 0, part, 0)) == part
        rows, out = np.flatnonzero((self.count > 1) & ~together), np.full(len(self), -1)
        games, first = np.unique(self.game[rows], return_index=True)
        out[games] = rows[first]
        return out

    @functools.cached_property
    def turns(self) -> np.ndarray:
        """Which turn of its seat each decision belongs to, counted from 1 within a deal; 0 in rows of ends."""
        out, deals = np.zeros(len(self.seat), np.int64), np.flatnonzero(self.new_deal)
        for seat in np.unique(self.seat[self.seat != NOBODY]).tolist():
            numbers, own = np.cumsum(self.turn_begins & (self.seat == seat)), self.seat == seat
            before = np.concatenate([[0], numbers])[deals][np.cumsum(self.new_deal) - 1]
            out[own] = (numbers - before)[own]
        return out

    @functools.cached_property
    def transitions(self) -> Transitions:
        """What each decision changed; in the first row of a game, how it was set up."""
        before = np.concatenate([self.setup, self.position[:-1]])
        before[self.begins] = self.setup
        shifted = []
        for column, empty in ((self.seat, NOBODY), (self.action, NOBODY), (self.turns, 0)):
            shifted.append(np.concatenate([[empty], column[:-1]]))
            shifted[-1][self.begins] = empty
        return Transitions(before, self.position, *shifted)


def struct_of(game: GameSetup, position: np.ndarray) -> Any:
    """A copy of a struct as interpreted rules read and write it."""
    return game.driver("interpreted").proxy(memoryview(bytearray(position.tobytes())))


def card_names(game: GameSetup) -> tuple[str, ...]:
    """The names of the cards in the order in which observations count those in the hand; none where they don't."""
    names = tuple(name.removeprefix(CARD) for name in game.rules.OUTCOMES if name.startswith(CARD))
    begin, end = game.rules.SLICES.get("hand", (0, 0))
    return names if end - begin == len(names) else ()


# --- games between bots -----------------------------------------------------------------------------------------------
class Player:
    """Plays games of a setup in one thread and logs them, in memory that is used again: the same as `Game.simulate`."""

    def __init__(self, setup: SimulationSetup, keep: int = NOTHING) -> None:
        self.game, self.driver, self._keep = setup.game, setup.game.driver(setup.backend), keep
        self.bots, self._seed = seat_bots(setup.game, setup.bots, setup.seed, setup.backend), setup.seed
        self._cards = len(card_names(setup.game))
        self._make_room(*ROOM[keep])

    def _make_room(self, size: int, positions: int) -> None:
        self._log, self._room = np.zeros((size, kernels.LOGGED), np.int32), positions
        self._rows = self.game.rows(self.driver, KEPT + positions)
        self._structs = raw(self._rows).view(self.game.rules.STRUCT)[:, 0]

    def log(self, first: int, games: int) -> Log:
        """All of these games in one log, numbered from `first` on; it is good until the next."""
        return next(self.logs(first, games, complete=True))

    def batches(self, games: int, first: int = 0) -> Iterator[Log]:
        """Logs of games from number `first` to `games`, so few at a time that all their positions can be kept."""
        size = min(AT_ONCE, self.bots.chunk)
        for at in range(first, games, size):
            yield self.log(at, min(size, games - at))

    def logs(self, first: int, games: int, bend: Bend = NOT_BENT, *, complete: bool = False) -> Iterator[Log]:
        """Logs of games, some at a time or `complete`, each good until the next; `bend`: see `playouts.Bend`."""
        count, complete = 0, complete or any_scripted(self.bots)  # a script is read from its beginning
        while count < games:
            log = self._play(first, games, count, bend)
            if len(log) == games - count or (len(log) and not complete):
                yield log
                count += len(log)
            else:
                self._make_room(2 * len(self._log), 2 * self._room)

    def _play(self, first: int, games: int, offset: int, bend: Bend) -> Log:
        """As many of the games that aren't done as there is room for."""
        remaining, size = games - offset, self._room if self._keep == EVERYTHING else 0
        legal = np.zeros((size, len(self.game.rules.ACTIONS)), np.int8)
        hands, results = np.zeros((size, self._cards), np.int8), np.zeros((remaining, self.game.players))
        memory = self._rows, self._keep, self._room, self._log, legal, hands
        bots = self.game, self.driver, self.bots, self._seed
        ends = play_games(*bots, first + offset, results, memory, (bend[0][offset:], *bend[1:]))
        count = len(ends)
        size, positions = ends[-1, END_ROWS:].tolist() if count else (0, 0)
        setup, position = self._structs[TEMPLATE : TEMPLATE + 1], self._structs[KEPT : KEPT + positions]
        return Log(first + offset, self._log[:size], ends, results[:count], setup, position, legal[:size], hands[:size])


def matches(setup: SimulationSetup, games: int, first: int = 0) -> Iterator[Match]:
    """`games` matches, over, numbered from `first` on, as they are counted; raises UnknownBot or BadOption."""
    check_numbers(first, games)
    player, end = Player(setup), first + games
    for at in range(first, end, player.bots.chunk):
        for log in player.logs(at, min(player.bots.chunk, end - at)):
            for number, moves in enumerate(log.decisions, log.first):
                match = Match(setup.game, setup.seed, number=number, backend=setup.backend)
                for seat, action in moves.tolist():
                    match.play(seat, action)
                yield match


# --- matches ----------------------------------------------------------------------------------------------------------
def log_of(match: Match, number: int = 0) -> Log:
    """The log of a match that is over, with all that can be kept: it is replayed for it."""
    game, hand = match.game, slice(*match.rules.SLICES.get("hand", (0, 0))) if card_names(match.game) else slice(0)
    match.go(0)
    history, chances, rows, views, plies = match.struct.history, 0, [], [], []
    for ply, (seat, action) in enumerate([*match.pairs, (NOBODY, 0)]):
        if seat == NOBODY and ply < match.length:
            chances += 1
            continue
        match.go(ply)
        ids, struct = [] if seat == NOBODY else match.legal_ids(seat), match.struct
        acting, news = sum(1 << column for column in match.acting), kernels.NEWS * (struct.history != history)
        rows.append((0, seat, action, len(ids), acting, chances, news, struct.deal))
        held = match.observation(max(seat, 0))[hand] * (seat != NOBODY)
        views.append((raw(match.rows)[NOW].copy(), np.isin(np.arange(len(game.rules.ACTIONS)), ids), held))
        plies.append(ply)
        history, chances = struct.history, 0
    positions, legal, hands = (np.stack(column) for column in zip(*views, strict=True))
    chances, kind = sum(row[kernels.LOG_CHANCES] for row in rows), game.rules.STRUCT
    ends = np.array([[len(rows) - 1, chances, match.struct.ending, history, len(rows), len(rows)]])
    table, results, setup = np.array(rows, np.int32), np.array([match.returns()]), game.template.view(kind).reshape(1)
    return Log(number, table, ends, results, setup, positions.view(kind)[:, 0], legal.astype(np.int8), hands, plies)
