"""Games decision by decision, simulated or played: the positions, what was legal, and what was in the hand."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from hexdeck.engine.discovery.account import Transitions
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import NOW, Match
from hexdeck.engine.play.seating import pad_rows
from hexdeck.lab.counting.kernels import (
    LOG_ACTION,
    LOG_GAME,
    LOG_LEGAL,
    LOG_SEAT,
    LOGGED_GAMES,
    LOGGED_ROWS,
    NOBODY,
    POSITIONS,
    log_steps,
)
from hexdeck.lab.counting.setup import SimulationSetup
from hexdeck.simulation.seating import seat_bots

ROOM = 1 << 12  # rows that a log has at first
CARD = "card "  # what the names of outcomes that are cards begin with


@dataclass(frozen=True)
class Steps:
    """The decisions of some games, in order, and a row for the end of each game, with seat NOBODY.

    int `game` (counted from 0), `seat`, `action`, `count` (legal actions); `position`: structs before each decision;
    int8 `legal` (rows, actions): 1 for legal ones; int8 `hands` (rows, cards): the cards in the hand of the seat that
    decides, as far as it knows them. `setup`: the struct that every game begins with. `results` float64
    (games, seats): utilities.
    """

    game: np.ndarray
    seat: np.ndarray
    action: np.ndarray
    count: np.ndarray
    position: np.ndarray
    legal: np.ndarray
    hands: np.ndarray
    setup: np.ndarray
    results: np.ndarray

    @property
    def games(self) -> int:
        """How many games these are."""
        return int(self.game[-1]) + 1

    @functools.cached_property
    def first(self) -> np.ndarray:
        """Whether a row is the first of its game."""
        found: np.ndarray = np.diff(self.game, prepend=-1) != 0
        return found

    @property
    def ends(self) -> np.ndarray:
        """The structs of the games when they are over."""
        found: np.ndarray = self.position[self.seat == NOBODY]
        return found

    @functools.cached_property
    def turns(self) -> np.ndarray:
        """Which turn of its seat each decision belongs to, counted from 1 within a deal; 0 in rows of ends."""
        decides, deal = self.seat != NOBODY, self.position["deal"]
        part = np.cumsum(self.first | (np.diff(deal, prepend=-1) != 0))  # games, and deals in them, numbered
        begins = decides & ((np.diff(part, prepend=0) != 0) | (np.diff(self.seat, prepend=NOBODY) != 0))
        out = np.zeros(len(self.seat), np.int64)
        starts = np.flatnonzero(np.diff(part, prepend=0))
        for seat in np.unique(self.seat[decides]).tolist():
            begun = np.cumsum(begins & (self.seat == seat))
            before = np.concatenate([[0], begun])[starts][part - 1]
            out[self.seat == seat] = (begun - before)[self.seat == seat]
        return out

    @functools.cached_property
    def transitions(self) -> Transitions:
        """What each decision changed; in the first row of a game, how it was set up."""
        before = np.concatenate([self.setup, self.position[:-1]])
        before[self.first] = self.setup
        shifted = [np.concatenate([[empty], each[:-1]]) for each, empty in
                   ((self.seat, NOBODY), (self.action, NOBODY), (self.turns, 0))]  # fmt: skip
        for each, empty in zip(shifted, (NOBODY, NOBODY, 0), strict=True):
            each[self.first] = empty
        return Transitions(before, self.position, *shifted)

    def by_game(self, values: np.ndarray) -> np.ndarray:
        """The sums of rows over each game."""
        sums: np.ndarray = np.add.reduceat(values, np.flatnonzero(self.first), axis=0)
        return sums


def card_names(game: GameSetup) -> tuple[str, ...]:
    """The names of the cards in the order in which observations count those in the hand; none where they don't."""
    names = tuple(name.removeprefix(CARD) for name in game.rules.OUTCOMES if name.startswith(CARD))
    begin, end = game.rules.SLICES.get("hand", (0, 0))
    return names if end - begin == len(names) else ()


class StepLogger:
    """Plays the same games as `Game.simulate` in one thread and logs them."""

    def __init__(self, setup: SimulationSetup) -> None:
        game = setup.game
        self.game, self.driver = game, game.driver(setup.backend)
        self.bots, self.cards, self._room = (
            seat_bots(game, setup.bots, setup.seed, setup.backend),
            card_names(game),
            ROOM,
        )
        self._work = (
            self.driver.shared(self.bots.policies), self.driver.actions(), self.driver.weights(),
            self.driver.generator(setup.seed),
        )  # fmt: skip

    def log(self, first: int, games: int) -> Steps:
        """The steps of `games` games, numbered from `first` on."""
        generators = self.bots.generators(first, games)
        while (got := self._fill(generators, first, games)) is None:
            self._room *= 2
            generators = self.bots.generators(first, games)  # a script is read from its beginning
        return got

    def _fill(self, generators: list[np.ndarray], first: int, games: int) -> Steps | None:
        """The games; None where there is no room for all of them."""
        shared, room, rules = self.driver.shared, self._room, self.game.rules
        log, state = np.zeros((room, 4), np.int32), np.zeros(2, np.int64)
        results, out = np.zeros((games, self.game.players)), self.driver.array(rules.PLAYERS[1], np.float64)
        legal, hands = np.zeros((room, len(rules.ACTIONS)), np.int8), np.zeros((room, len(self.cards)), np.int8)
        rows, seen = self.game.rows(self.driver, POSITIONS + room), max(end for _begin, end in rules.SLICES.values())
        kernel = self.driver.kernel(log_steps)  # type: ignore[arg-type]
        kernel(
            self.driver.g, rows, *self._work, pad_rows(self.driver, generators), first, shared(results), shared(log),
            shared(legal), shared(hands), rules.SLICES.get("hand", (0, 0))[0], self.driver.array(seen, np.int8),
            shared(state), out,
        )  # fmt: skip
        if state[LOGGED_GAMES] < games:
            return None
        size = int(state[LOGGED_ROWS])
        structs = raw(rows)[POSITIONS : POSITIONS + size].view(rules.STRUCT)[:, 0]
        game, seat, action, count = (
            log[:size, k].astype(np.int64) for k in (LOG_GAME, LOG_SEAT, LOG_ACTION, LOG_LEGAL)
        )
        setup = self.game.template.view(rules.STRUCT).reshape(1)
        return Steps(game, seat, action, count, structs, legal[:size], hands[:size], setup, results)


def steps_of(match: Match) -> Steps:
    """The steps of a match that is over, which is replayed for them."""
    game, hand = match.game, slice(*match.rules.SLICES.get("hand", (0, 0))) if card_names(match.game) else slice(0)
    log, positions, legal, hands = [], [], [], []
    for ply, event in enumerate(match.events):
        if event.seat < 0:
            continue
        match.go(ply)
        ids = match.legal_ids(event.seat)
        log.append((event.seat, event.id, len(ids)))
        positions.append(raw(match.rows)[NOW].copy())
        legal.append(np.isin(np.arange(len(game.rules.ACTIONS)), ids))
        hands.append(match.observation(event.seat)[hand])
    match.go(match.length)
    log.append((NOBODY, 0, 0))
    positions.append(raw(match.rows)[NOW].copy())
    legal.append(np.zeros_like(legal[-1]))
    hands.append(np.zeros_like(hands[-1]))
    seat, action, count = np.array(log, np.int64).T
    return Steps(
        np.zeros(len(seat), np.int64), seat, action, count, np.stack(positions).view(game.rules.STRUCT)[:, 0],
        np.stack(legal).astype(np.int8), np.stack(hands), game.template.view(game.rules.STRUCT).reshape(1),
        np.array([match.returns()]),
    )  # fmt: skip
