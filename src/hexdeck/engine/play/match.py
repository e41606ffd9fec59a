"""A match: one play of a game, event by event, with checked moves, views and a record."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.engine.arguments import between, check_seed, seat_of, shown, switch, whole
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.errors import BadPly, HexdeckError, IllegalMove, NotActing
from hexdeck.engine.play.checks import (
    MANY,
    checked_events,
    checked_names,
    checked_position,
    no_action,
    no_event,
    no_outcome,
    not_at_end,
    refusal,
)
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.play.record import Record
from hexdeck.engine.play.story import SeatViews, seats_in
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Event, Fact, Move, View

NOW, BASE = 0, 5  # rows: the present position, and that at ply 0
PLY, LENGTH, ACTOR, COUNT, NUMBER, DEALT, ACTING, OVER, LISTED = range(9)  # indices into `kernels.play`'s state


class Match:
    """One play of a game. Seats count from 0.

    `seed` (an int, or 32 bytes that are used as the key itself) and `number` decide every card, so that one seed gives
    many matches; without a seed a secret one is made. With `by_hand`, chance waits for `deal`. `backend` is `fast`,
    `checked` or `interpreted`. `names` are the players' names.
    """

    def __init__(
        self,
        game: GameSetup,
        seed: int | bytes | None = None,
        *,
        number: int = 0,
        by_hand: bool = False,
        backend: str | None = None,
        names: Sequence[str] = (),
    ) -> None:
        self.game, self.names = game, checked_names(names, game.players)
        number, by_hand = check_numbers(number, 1), switch("by_hand", by_hand)
        if seed is not None:
            check_seed(seed)
        self.rules, self.driver = game.rules, game.driver(backend)
        self.rows = game.rows(self.driver)
        self._weights, self._actions = self.driver.weights(), self.driver.actions()
        self._rng = self.driver.generator(secrets.token_bytes(32) if seed is None else seed)
        self._log_array = np.zeros((256, 2), np.int16)
        self._log: Any = self.driver.shared(self._log_array)
        self._state_array = np.array([0, 0, -1, 0, number, not by_hand, 0, 0, -1], np.int64)
        self._state: Any = memoryview(self._state_array)
        self._state_in_backend: Any = self.driver.shared(self._state_array)
        self._play = self.driver.kernel("play")
        self._seat_views: SeatViews | None = None
        self.starts_from_position = False  # see `load_position`
        self._call("begin_row")
        raw(self.rows)[BASE] = raw(self.rows)[NOW]
        self._proceed()

    @functools.cached_property
    def struct(self) -> Any:
        """The struct of the present position with all its secrets: fields as ints, arrays by index."""
        return self.driver.proxy(memoryview(raw(self.rows)[NOW]).cast("B"))

    def _call(self, kernel: str, *arguments: Any) -> Any:
        return self.driver.kernel(kernel)(self.driver.g, self.rows, *arguments)

    # --- the present position -------------------------------------------------------------------------------------
    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now; empty if chance is to act or the match is over."""
        return seats_in(self._state[ACTING])

    @property
    def actor(self) -> int:
        """The lowest seat that may act now, or -1."""
        return int(self._state[ACTOR])

    @property
    def over(self) -> bool:
        """Whether the match is over at the present ply."""
        return bool(self._state[OVER])

    @property
    def ply(self) -> int:
        """The number of events before the present position."""
        return int(self._state[PLY])

    @property
    def length(self) -> int:
        """The number of events in the match, those after the present position included."""
        return int(self._state[LENGTH])

    @property
    def ending(self) -> str:
        """Why the match ended, one of the game's ENDINGS; empty before the end."""
        return str(self.rules.ENDINGS[self.struct.ending]) if self.over else ""

    @property
    def events(self) -> list[Event]:
        """All events of the match, chance events included."""
        return [self.event(k) for k in range(self.length)]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The seat and id of each event, as `load_events` takes them."""
        return [(seat, id) for seat, id in self._log_array[: self.length].tolist()]

    def event(self, k: int) -> Event:
        """Event k of the match, from 0; raises BadPly if there is no such event."""
        if type(k) is not int or not 0 <= k < self.length:
            k = self._index(k)
        seat, number = (int(value) for value in self._log_array[k])
        names = self.rules.OUTCOMES if seat == CHANCE else self.rules.ACTIONS
        return Event(seat, number, names[number])

    def _index(self, k: object) -> int:
        """The index of an event as an int; raises BadPly if there is no such event."""
        number = between(k, 0, self.length - 1)
        if number is None:
            raise no_event(self, k)
        return number

    def returns(self) -> tuple[float, ...]:
        """The utility of each seat; raises HexdeckError before the end."""
        if not self.over:
            raise HexdeckError(say("The match isn't over at ply {ply}, so nobody has a result yet.", ply=self.ply))
        out = self.driver.array(self.rules.PLAYERS[1], np.float64)
        self._call("results", out)
        return tuple(float(out[seat]) for seat in range(self.game.players))

    # --- moves ----------------------------------------------------------------------------------------------------
    def legal_ids(self, seat: int) -> list[int]:
        """The ids of a seat's legal actions, ascending; empty if it isn't to act, and for the public (-1)."""
        state = self._state
        if type(seat) is not int or seat != state[LISTED]:
            seat = seat_of(seat, self.game.players, public=True)
            state[COUNT] = self._call("list_legal", NOW, seat, self._actions)
            state[LISTED] = seat
        ids: list[int] = self.driver.listed(self._actions, state[COUNT])
        return ids

    def legal(self, seat: int) -> list[Move]:
        """A seat's legal moves, with labels that show only what the seat knows; empty for the public (-1)."""
        seat = seat_of(seat, self.game.players, public=True)
        return list(self.seat_views.moves(seat)) if seat in self.acting else []

    def play(self, seat: int, move: Move | int | str) -> None:
        """Play a seat's move: a Move, an action id or an action's name. Chance then acts, unless it is dealt by hand.

        Raises IllegalMove, NotActing, GameIsOver or BadPly; then nothing has changed.
        """
        action = move if type(move) is int and -1 <= move < MANY else self._action(move)
        if type(seat) is not int or not -1 <= seat < MANY:
            seat = seat_of(seat, self.game.players, error=NotActing)
        fault = self._play(
            self.driver.g,
            self.rows,
            seat,
            action,
            self._actions,
            self._weights,
            self._rng,
            self._log,
            self._state_in_backend,
        )
        if fault:
            raise refusal(self, fault, seat, action, move)
        if self._state[PLY] + 2 > len(self._log_array):
            self._proceed()

    def _proceed(self) -> None:
        """Let chance act until a seat must, growing the log so that it has room for one more event."""
        while True:
            if self.length + 2 > len(self._log_array):
                self._log_array = np.concatenate([self._log_array, np.zeros_like(self._log_array)])
                self._log = self.driver.shared(self._log_array)
            self._call("proceed", self._actions, self._weights, self._rng, self._log, self._state_in_backend)
            if self.length + 2 <= len(self._log_array):
                return

    def _action(self, move: Move | int | str) -> int:
        """The id of an action, clipped to -1 … MANY if it is out of range; raises IllegalMove for an unknown name."""
        names = self.rules.ACTIONS
        if not isinstance(move, str):
            number = whole(move.id if isinstance(move, Move) else move)
            if number is None:
                raise IllegalMove(no_action(self, move))
            return min(max(number, -1), MANY)
        if move not in names:
            raise IllegalMove(
                say(
                    "{game} has no action {action}; `legal` lists what can be played.",
                    game=self.game.name,
                    action=shown(move),
                )
            )
        return int(names.index(move))

    def illegal_reason(self, seat: int, action: int) -> int:
        """0 if the action is legal for the seat, else the number of the reason why it isn't.

        Raises IllegalMove if there is no such seat or action.
        """
        seat = seat_of(seat, self.game.players, error=IllegalMove)
        id = between(action, 0, len(self.rules.ACTIONS) - 1)
        if id is None:
            raise IllegalMove(no_action(self, action))
        return int(self._call("test_action", seat, id))

    def why(self, reason: int) -> Text:
        """The sentence for the number of a reason; raises HexdeckError if there is none."""
        last = len(self.game.table.REASONS)
        number = between(reason, 0, last)
        if number is None:
            text = _("There is no reason {reason}; reasons are 0 to {last}.")
            raise HexdeckError(say(text, reason=shown(reason), last=last))
        return self.game.definition.reason(number).text

    # --- chance ---------------------------------------------------------------------------------------------------
    def chances(self) -> dict[str, int]:
        """The possible outcomes of chance, by name, with their integer weights; empty if chance isn't to act."""
        if self._call("weigh", self._weights) == 0:
            return {}
        weights = self.driver.listed(self._weights, len(self.rules.OUTCOMES))
        return {name: weight for name, weight in zip(self.rules.OUTCOMES, weights, strict=True) if weight}

    def let_chance(self, seed: int | bytes | None = None, number: int = 0) -> None:
        """From now on chance acts by itself, from a seed and number as in `Match`; without a seed from a secret one."""
        number = check_numbers(number, 1)
        if seed is not None:
            check_seed(seed)
        self._rng = self.driver.generator(secrets.token_bytes(32) if seed is None else seed)
        self._state_array[NUMBER], self._state_array[DEALT] = number, 1
        if self.ply == self.length:
            self._proceed()

    def deal(self, outcome: int | str) -> None:
        """Play an outcome of chance, by id or name; raises BadChance, or BadPly if the match was stepped back."""
        outcomes = self.rules.OUTCOMES
        number = outcomes.index(outcome) if isinstance(outcome, str) and outcome in outcomes else outcome
        id = between(number, 0, len(outcomes) - 1)
        if self.ply != self.length:
            raise not_at_end(self)
        if id is None or not self._call("deal", id, self._weights):
            raise no_outcome(self, outcome)
        self._append(CHANCE, id)

    def _append(self, seat: int, id: int) -> None:
        self._log[self.length, 0] = seat
        self._log[self.length, 1] = id
        self._state[PLY] += 1
        self._state[LENGTH] += 1
        self._proceed()

    # --- stepping, loading, copying -------------------------------------------------------------------------------
    def go(self, ply: int) -> None:
        """Go to a ply from 0 to `length`; the events after it are kept. Raises BadPly."""
        number = between(ply, 0, self.length)
        if number is None:
            text = _("There is no ply {ply}; this match has plies 0 to {length}.")
            raise BadPly(say(text, ply=shown(ply), length=self.length))
        if number < self.ply:
            self._rewind()
        self._call("resume", self._log, self.ply, number, self._weights, self._actions)
        self._state[PLY] = number
        self._proceed()

    def _rewind(self) -> None:
        raw(self.rows)[NOW] = raw(self.rows)[BASE]
        self._state[PLY] = 0

    def refresh(self) -> None:
        """Update who is to act and what is legal, after the struct was written from outside."""
        self._call("look_row", self._actions, self._state_in_backend)

    def cut(self) -> None:
        """Delete the events after the present ply."""
        self._state[LENGTH] = self.ply
        self._seat_views = None
        self._proceed()

    def retract(self, seat: int) -> None:
        """Take back a seat's secret choice while others are still choosing; raises BadPly if there is none."""
        seat = seat_of(seat, self.game.players)
        kept = self._without_last(seat)
        if kept is None:
            text = _("Seat {seat} has no unfinished choice to take back at ply {ply}.")
            raise BadPly(say(text, seat=seat, ply=self.ply))
        self.load_events(kept)

    def _without_last(self, seat: int) -> list[tuple[int, int]] | None:
        """The events without the seat's last one; None if others can know something of it already."""
        now = self.struct.history, self.struct.deal, self.struct.draws
        mine = [k for k, event in enumerate(self.events) if event.seat == seat]
        if not mine or self.ply != self.length or seat in self.acting:
            return None
        self.go(mine[-1])
        unseen = now == (self.struct.history, self.struct.deal, self.struct.draws)
        self.go(self.length)
        return [(e.seat, e.id) for k, e in enumerate(self.events) if k != mine[-1]] if unseen else None

    def load_events(self, events: Sequence[tuple[int, int]]) -> int:
        """Replace all events by a list of (seat, id); returns the index of the first impossible one, or -1.

        Raises HexdeckError if it isn't such a list; then nothing has changed.
        """
        events = checked_events(events)
        self._log_array = np.zeros((max(256, 2 * len(events)), 2), np.int16)
        self._log_array[: len(events)] = np.array(events, np.int16).reshape(-1, 2)
        self._log, self._seat_views = self.driver.shared(self._log_array), None
        self._rewind()
        done = self._call("resume", self._log, 0, len(events), self._weights, self._actions)
        self._state[PLY] = self._state[LENGTH] = done
        self.refresh()
        return -1 if done == len(events) else int(done)

    def copy_position(self) -> Match:
        """A new match in the same position, without events; chance is dealt by hand."""
        other = Match(self.game, by_hand=True, backend=self.driver.backend, names=self.names)
        other.load_trusted_position(raw(self.rows)[NOW])
        return other

    def load_position(self, struct: np.ndarray) -> None:
        """Begin in another position, given as the bytes of a struct, without events; HexdeckError if it is none."""
        self.load_trusted_position(checked_position(self.game, struct))

    def load_trusted_position(self, struct: np.ndarray) -> None:
        """Like `load_position`, for the bytes of a struct that is known to be one of this game."""
        raw(self.rows)[NOW] = raw(self.rows)[BASE] = struct
        self._state[PLY] = self._state[LENGTH] = 0
        self.starts_from_position, self._seat_views = True, None
        self.refresh()

    def copy(self) -> Match:
        """A new match with the same events, at the same ply; from there its chance draws are its own."""
        other = Match(self.game, by_hand=True, backend=self.driver.backend, names=self.names)
        if self.starts_from_position:
            other.load_trusted_position(raw(self.rows)[BASE])
        other.load_events(self.pairs)
        other.go(self.ply)
        if self._state[DEALT]:
            other.let_chance(number=self._state[NUMBER])
        return other

    # --- what seats know ------------------------------------------------------------------------------------------
    @property
    def seat_views(self) -> SeatViews:
        """What this match's seats see and are told. It holds the match weakly: keep a reference to the match too."""
        if self._seat_views is None:
            self._seat_views = SeatViews(self)
        return self._seat_views

    def view(self, seat: int, log: Sequence[Text] | None = None) -> View:
        """What a seat (-1: the public) sees; `log` is what it was told so far, if the caller has it already."""
        return self.seat_views.view(seat, log)

    def facts(self, seat: int, since: int = 0) -> list[Text]:
        """What a seat (-1: the public) was told of the events from `since` to the present ply; raises BadPly."""
        seat, first = self.seat_views.check(seat), between(since, 0, self.length)
        if first is None:
            first = self._index(since)
        return [fact.text for facts in self.narration()[first:] for fact in facts if fact.heard_by(seat)]

    def narration(self) -> list[list[Fact]]:
        """For each event up to the present ply, the facts about it and who was told them."""
        return self.seat_views.narration(self.ply)

    def concealed(self, seat: int) -> bytes:
        """The bytes of the struct as a seat (-1: the public) knows it."""
        return self.seat_views.concealed(seat)

    def key(self, seat: int) -> int:
        """The information-set key of a seat (-1: the public), 63 bits."""
        return self.seat_views.key(seat)

    def observation(self, seat: int) -> np.ndarray:
        """The observation of a seat (-1: the public), int8, in the game's SLICES."""
        return self.seat_views.observation(seat)

    def resample(self, seat: int, rng: int | bytes | np.ndarray) -> Match:
        """A new match, without events, in a random world that the seat thinks possible; chance is dealt by hand."""
        return self.seat_views.resample(seat, rng)

    def record(self, **about: Any) -> Record:
        """The match as a record; see `hexdeck.engine.play.record.Record.of` for the arguments."""
        return Record.of(self, **about)
