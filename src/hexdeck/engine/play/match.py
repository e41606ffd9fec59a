"""A match: one play of a game, event by event, with checked moves, views and a record; and records, played again."""

from __future__ import annotations

import difflib
import functools
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from hexdeck.engine import errors
from hexdeck.engine.backends import kernels
from hexdeck.engine.backends.interpreted import Rows
from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import SHARED, find_game, game_folder
from hexdeck.engine.layout import added_since, options_at
from hexdeck.engine.options import Option, unknown_option
from hexdeck.engine.play.game import GameSetup, check_numbers, raw
from hexdeck.engine.play.record import Record, clean_name, read, struct_check
from hexdeck.engine.play.story import Storyteller, no_event, seats_in
from hexdeck.engine.random import WORDS, generator
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import BoardLabel, Event, Fact, Move, View, cell_name, prompt

# rows: the present position, a concealed copy, the struct after the last event that was told, ply 0
NOW, KNOWN, AFTER, BASE = 0, 1, 4, 5
PLY, LENGTH, ACTOR, COUNT, NUMBER, DEALT, ACTING, OVER, LISTED = range(9)  # indices into `kernels.play`'s state


class Match:
    """One play of a game. Seats count from 0.

    `seed` (an int, or 32 bytes that are used as the key itself) and `number` decide every card, so that one seed gives
    many matches; without a seed a secret one is made. With `by_hand`, chance waits for `deal`. `backend` is `fast`,
    `checked` or `interpreted`. `names` are the players' names.
    """

    _narration: list[list[Fact]]  # of the first events
    marks: dict[int, bytes]  # structs at a few plies, so that `moments` needn't begin at the first

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
        number, by_hand = check_numbers(number, 1), errors.switch("by_hand", by_hand)
        if seed is not None:
            errors.check_seed(seed)
        self.rules, self.driver = game.rules, game.driver(backend)
        self.rows = game.rows(self.driver)
        self._weights, self._actions = self.driver.weights(), self.driver.actions()
        self._rng = self.driver.generator(secrets.token_bytes(32) if seed is None else seed)
        self._log_array = np.zeros((256, 2), np.int16)
        self._log: Any = self.driver.shared(self._log_array)
        self._state_array = np.array([0, 0, -1, 0, number, not by_hand, 0, 0, -1], np.int64)
        self._state: Any = memoryview(self._state_array)
        self._state_in_backend: Any = self.driver.shared(self._state_array)
        self._careful = not game.definition.own
        self._play = self._kernel("play")
        self._known_actions = self.driver.actions()
        self._forget_story()
        self.starts_from_position = False  # see `load_position`
        self._call("begin_row")
        raw(self.rows)[BASE] = raw(self.rows)[NOW]
        self._proceed()

    @functools.cached_property
    def struct(self) -> Any:
        """The struct of the present position with all its secrets: fields as ints, arrays by index."""
        return self.driver.proxy(memoryview(raw(self.rows)[NOW]).cast("B"))

    def _call(self, kernel: str, *arguments: Any) -> Any:
        return self._kernel(kernel)(self.driver.g, self.rows, *arguments)

    def _kernel(self, name: str) -> Any:
        return functools.partial(self._carefully, name) if self._careful else self.driver.kernel(name)

    def _carefully(self, kernel: str, g: Any, rows: Any, *arguments: Any) -> Any:
        """Call a kernel with rules from outside: where they fail nothing has changed, and the place is told."""
        before, state = raw(rows).copy(), self._state_array.copy()
        try:
            return self.driver.kernel(kernel)(g, rows, *arguments)
        except errors.RuleFault as error:
            raw(rows)[:], self._state_array[:] = before, state
            if self.driver.compiled and type(error) is errors.RuleFault:
                spare = self.game.driver("interpreted")
                arrays = [spare.shared(np.array(each)) if np.ndim(each) else each for each in (before, *arguments)]
                spare.call(kernel, Rows(before, spare.proxy), *arrays[1:])
            raise

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
        number = errors.between(k, 0, self.length - 1)
        if number is None:
            raise no_event(self, k)
        seat, id = self._log_array[number].tolist()
        return Event(seat, id, (self.rules.OUTCOMES if seat == CHANCE else self.rules.ACTIONS)[id])

    def returns(self) -> tuple[float, ...]:
        """The utility of each seat; raises HexdeckError before the end."""
        if not self.over:
            raise errors.HexdeckError(
                say("The match isn't over at ply {ply}, so nobody has a result yet.", ply=self.ply)
            )
        out = self.driver.array(self.rules.PLAYERS[1], np.float64)
        self._call("results", out)
        return tuple(float(out[seat]) for seat in range(self.game.players))

    # --- moves ----------------------------------------------------------------------------------------------------
    def legal_ids(self, seat: int) -> list[int]:
        """The ids of a seat's legal actions, ascending; empty if it isn't to act, and for the public (-1)."""
        state = self._state
        if type(seat) is not int or seat != state[LISTED]:
            seat = errors.seat_of(seat, self.game.players, public=True)
            state[COUNT] = self._call("list_legal", NOW, seat, self._actions)
            state[LISTED] = seat
        ids: list[int] = self.driver.integers(self._actions, state[COUNT])
        return ids

    def play(self, seat: int, move: Move | int | str) -> None:
        """Play a seat's move: a Move, an action id or an action's name. Chance then acts, unless it is dealt by hand.

        Raises IllegalMove, NotActing, GameIsOver or BadPly; then nothing has changed.
        """
        action = move if type(move) is int and -1 <= move < MANY else self._action(move)
        if type(seat) is not int or not -1 <= seat < MANY:
            seat = errors.seat_of(seat, self.game.players, error=errors.NotActing)
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
            number = errors.whole(move.id if isinstance(move, Move) else move)
            if number is None:
                raise errors.IllegalMove(no_action(self, move))
            return min(max(number, -1), MANY)
        if move not in names:
            text = _("{game} has no action {action}; `legal` lists what can be played.")
            if near := difflib.get_close_matches(move, names, 1):
                text = _("{game} has no action {action} (did you mean {near}?); `legal` lists what can be played.")
            name = {"near": near[0]} if near else {}
            raise errors.IllegalMove(say(text, game=self.game.name, action=errors.shown(move), **name))
        return int(names.index(move))

    def illegal_reason(self, seat: int, action: int) -> int:
        """0 if the action is legal for the seat, else the number of the reason why it isn't.

        Raises IllegalMove if there is no such seat or action.
        """
        seat = errors.seat_of(seat, self.game.players, error=errors.IllegalMove)
        id = errors.between(action, 0, len(self.rules.ACTIONS) - 1)
        if id is None:
            raise errors.IllegalMove(no_action(self, action))
        return int(self._call("test_action", seat, id))

    def why(self, reason: int) -> Text:
        """The sentence for the number of a reason; raises HexdeckError if there is none."""
        last = len(self.game.table.REASONS)
        number = errors.between(reason, 0, last)
        if number is None:
            text = _("There is no reason {reason}; reasons are 0 to {last}.")
            raise errors.HexdeckError(say(text, reason=errors.shown(reason), last=last))
        return self.game.definition.reason(number).text

    # --- chance ---------------------------------------------------------------------------------------------------
    def chances(self) -> dict[str, int]:
        """The possible outcomes of chance, by name, with their integer weights; empty if chance isn't to act."""
        if self._call("weigh", self._weights) == 0:
            return {}
        weights = self.driver.integers(self._weights, len(self.rules.OUTCOMES))
        return {name: weight for name, weight in zip(self.rules.OUTCOMES, weights, strict=True) if weight}

    def let_chance(self, seed: int | bytes | None = None, number: int = 0) -> None:
        """From now on chance acts by itself, from a seed and number as in `Match`; without a seed from a secret one."""
        number = check_numbers(number, 1)
        if seed is not None:
            errors.check_seed(seed)
        self._rng = self.driver.generator(secrets.token_bytes(32) if seed is None else seed)
        self._state_array[NUMBER], self._state_array[DEALT] = number, 1
        if self.ply == self.length:
            self._proceed()

    def deal(self, outcome: int | str) -> None:
        """Play an outcome of chance, by id or name; raises BadChance, or BadPly if the match was stepped back."""
        outcomes = self.rules.OUTCOMES
        number = outcomes.index(outcome) if isinstance(outcome, str) and outcome in outcomes else outcome
        id = errors.between(number, 0, len(outcomes) - 1)
        if self.ply != self.length:
            raise not_at_end(self)
        if id is None or not self._call("deal", id, self._weights):
            raise no_outcome(self, outcome)
        self._log[self.length, 0] = CHANCE
        self._log[self.length, 1] = id
        self._state[PLY] += 1
        self._state[LENGTH] += 1
        self._proceed()

    # --- stepping, loading, copying -------------------------------------------------------------------------------
    def go(self, ply: int) -> None:
        """Go to a ply from 0 to `length`; the events after it are kept. Raises BadPly."""
        number = errors.between(ply, 0, self.length)
        if number is None:
            text = _("There is no ply {ply}; this match has plies 0 to {length}.")
            raise errors.BadPly(say(text, ply=errors.shown(ply), length=self.length))
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
        self._forget_story()
        self._proceed()

    def back_to(self, ply: int, struct: bytes) -> None:
        """Delete the events after a ply, where the bytes of the struct were these."""
        memoryview(raw(self.rows)[NOW])[:] = struct
        self._state[PLY] = self._state[LENGTH] = ply
        if len(self._narration) > ply:
            self._narration = self._narration[:ply]
            raw(self.rows)[AFTER] = raw(self.rows)[NOW]
        self.marks = {at: mark for at, mark in self.marks.items() if at <= ply}
        self.refresh()

    def retract(self, seat: int) -> None:
        """Take back a seat's secret choice while others are still choosing; raises BadPly if there is none."""
        seat = errors.seat_of(seat, self.game.players)
        now = self.struct.history, self.struct.deal, self.struct.draws
        mine = [k for k, event in enumerate(self.events) if event.seat == seat]
        unseen = False  # by others, who know of it only what `history`, `deal` and `draws` tell
        if mine and self.ply == self.length and seat not in self.acting:
            self.go(mine[-1])
            unseen = now == (self.struct.history, self.struct.deal, self.struct.draws)
            self.go(self.length)
        if not unseen:
            text = _("Seat {seat} has no unfinished choice to take back at ply {ply}.")
            raise errors.BadPly(say(text, seat=seat, ply=self.ply))
        self.load_events([pair for k, pair in enumerate(self.pairs) if k != mine[-1]])

    def load_events(self, events: Sequence[tuple[int, int]]) -> int:
        """Replace all events by a list of (seat, id); returns the index of the first impossible one, or -1.

        Raises HexdeckError if it isn't such a list; then nothing has changed.
        """
        events = checked_events(events)
        self._log_array = np.zeros((max(256, 2 * len(events)), 2), np.int16)
        self._log_array[: len(events)] = np.array(events, np.int16).reshape(-1, 2)
        self._log = self.driver.shared(self._log_array)
        self._forget_story()
        self._rewind()
        possible = self._call("resume", self._log, 0, len(events), self._weights, self._actions)
        self._state[PLY] = self._state[LENGTH] = possible
        self.refresh()
        return -1 if possible == len(events) else int(possible)

    def copy_position(self) -> Match:
        """A new match in the same position, without events; chance is dealt by hand."""
        copy = Match(self.game, by_hand=True, backend=self.driver.backend, names=self.names)
        copy.load_trusted_position(raw(self.rows)[NOW])
        return copy

    def load_position(self, struct: np.ndarray) -> None:
        """Begin in another position, given as the bytes of a struct, without events; HexdeckError if it is none."""
        self.load_trusted_position(checked_position(self.game, struct))

    def load_trusted_position(self, struct: np.ndarray) -> None:
        """Like `load_position`, for the bytes of a struct that is known to be one of this game."""
        raw(self.rows)[NOW] = raw(self.rows)[BASE] = struct
        self._state[PLY] = self._state[LENGTH] = 0
        self.starts_from_position = True
        self._forget_story()
        self.refresh()

    def copy(self) -> Match:
        """A new match with the same events, at the same ply; from there its chance draws are its own."""
        twin = Match(self.game, by_hand=True, backend=self.driver.backend, names=self.names)
        if self.starts_from_position:
            twin.load_trusted_position(raw(self.rows)[BASE])
        twin.load_events(self.pairs)
        twin.go(self.ply)
        if self._state[DEALT]:
            twin.let_chance(number=self._state[NUMBER])
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """All of it, secrets and the cards to come included: `copy.copy`, `copy.deepcopy` and pickles go on alike."""
        rng = np.array(self.driver.integers(self._rng, WORDS), np.int64)
        memory = raw(self.rows)[[NOW, BASE]], self._log_array.copy(), self._state_array.copy(), rng
        about = self.game, self.names, self.driver.backend, self.starts_from_position
        return {"about": about, "memory": memory}

    def __setstate__(self, state: dict[str, Any]) -> None:
        game, names, backend, starts_from_position = state["about"]
        self.__init__(game, by_hand=True, backend=backend, names=names)  # type: ignore[misc]
        rows, self._log_array, self._state_array[:], rng = (np.array(array) for array in state["memory"])
        raw(self.rows)[[NOW, BASE]] = rows
        self._log, self._rng = self.driver.shared(self._log_array), self.driver.shared(rng)
        self.starts_from_position = starts_from_position
        self.refresh()

    # --- what seats know ------------------------------------------------------------------------------------------
    def knowledge(self, seat: int) -> Any:
        """The concealed struct of a seat, or of the public (-1)."""
        return self.driver.snapshot(self.concealed(seat))

    def concealed(self, seat: int) -> bytes:
        """The bytes of the struct as a seat (-1: the public) knows it."""
        self._conceal(seat)
        return bytes(raw(self.rows)[KNOWN].tobytes())

    def _conceal(self, seat: int) -> int:
        seat = errors.seat_of(seat, self.game.players, public=True)
        self._call("conceal_row", KNOWN, NOW, seat)
        return seat

    def key(self, seat: int) -> int:
        """The information-set key of a seat (-1: the public): the hash of its concealed struct, 63 bits."""
        self._conceal(seat)
        return int(self.driver.kernel("row_key")(self.rows, KNOWN))

    def observation(self, seat: int) -> np.ndarray:
        """The observation of a seat (-1: the public), int8, in the game's SLICES."""
        seat = self._conceal(seat)
        out = np.zeros(self.game.observation_size, np.int8)
        self._call("observe_row", KNOWN, seat, self.driver.shared(out))
        return out

    def resample(self, seat: int, rng: int | bytes | np.ndarray) -> Match:
        """A new match, without events, in a random world that the seat thinks possible; chance is dealt by hand.

        `rng` is a seed or a generator.
        """
        if not isinstance(rng, np.ndarray):
            errors.check_seed(rng)
        array = rng if isinstance(rng, np.ndarray) else generator(rng, "redeal")
        if array.shape != (WORDS,) or array.dtype != np.int64 or not array.flags.writeable:
            raise errors.HexdeckError(say("Resampling takes a seed, or a generator made by hexdeck.engine.random."))
        seat = self._conceal(seat)
        resampled = self.copy_position()
        self._call("redeal_row", KNOWN, NOW, seat, self.driver.shared(array))
        resampled.load_trusted_position(raw(self.rows)[KNOWN])
        return resampled

    # --- what seats see -------------------------------------------------------------------------------------------
    def legal(self, seat: int) -> list[Move]:
        """A seat's legal moves, with labels that show only what the seat knows; empty for the public (-1).

        Legality, too, is worked out from the concealed struct.
        """
        seat = errors.seat_of(seat, self.game.players, public=True)
        return list(self._moves(self.knowledge(seat), seat)) if seat in self.acting else []

    def _moves(self, knowledge: Any, seat: int) -> Iterator[Move]:
        """The moves that are legal in the concealed row; those to a board with their zone, cell and points."""
        names, table = self.rules.ACTIONS, self.game.table
        columns: dict[str, int] = {}
        count = self._call("list_legal", KNOWN, seat, self._known_actions)
        for id in self.driver.integers(self._known_actions, count):
            label = table.label(knowledge, seat, id)
            if not isinstance(label, BoardLabel):
                yield Move(id, names[id], label)
                continue
            columns = columns or {zone.id: zone.columns for zone in table.zones(knowledge, seat)}
            text = Text(label.key, label.args, label.plural)
            yield Move(id, names[id], text, label.zone, cell_name(label.cell, columns[label.zone]), label.points)

    def view(self, seat: int, log: Sequence[Text] | None = None) -> View:
        """What a seat (-1: the public) sees; `log` is what it was told so far, if the caller has it already."""
        table, seat = self.game.table, errors.seat_of(seat, self.game.players, public=True)
        if log is not None and not (isinstance(log, (list, tuple)) and all(isinstance(text, Text) for text in log)):
            raise errors.HexdeckError(
                say("The log of a seat is a list of texts, not {given}.", given=errors.shown(log))
            )
        texts, ply, knowledge = self.facts(seat) if log is None else log, self.visible_ply(seat), self.knowledge(seat)
        moves = tuple(self._moves(knowledge, seat)) if seat >= 0 else ()
        return View(
            self.game.name,
            seat,
            ply,
            self.game.players,
            seats_in(knowledge.acting),
            bool(knowledge.over),
            prompt(table, knowledge, seat),
            tuple(table.zones(knowledge, seat)),
            moves,
            tuple(texts),
            tuple(table.outcome(knowledge, seat).texts) if knowledge.over else (),
            self.names,
            (game_folder(self.game.name) / "locale", SHARED),
        )

    def visible_ply(self, seat: int) -> int:
        """The ply as a seat can tell it: the last events, if others' and it was told nothing of them, don't count."""
        seat = errors.seat_of(seat, self.game.players, public=True)
        ply, narration = self.ply, self.narration()
        while ply and self.event(ply - 1).seat not in (-1, seat):
            if any(fact.heard_by(seat) for fact in narration[ply - 1]):
                break
            ply -= 1
        return ply

    def facts(self, seat: int, since: int = 0) -> list[Text]:
        """What a seat (-1: the public) was told of the events from `since` to the present ply; raises BadPly."""
        seat, first = errors.seat_of(seat, self.game.players, public=True), errors.between(since, 0, self.length)
        if first is None:
            raise no_event(self, since)
        return [fact.text for facts in self.narration()[first:] for fact in facts if fact.heard_by(seat)]

    @functools.cached_property
    def _teller(self) -> Storyteller:
        return Storyteller(self.game, self.driver)

    def narration(self) -> list[list[Fact]]:
        """For each event up to the present ply, the facts about it and who was told them."""
        array, begin = raw(self.rows), len(self._narration)
        if begin < self.ply:
            before = array[AFTER if begin else BASE].tobytes()
            for moment in self._teller.moments(before, self._log_array[begin : self.ply].tolist()):
                self._narration.append(self._teller.facts(moment))
                memoryview(array[AFTER])[:] = moment.after
        return self._narration[: self.ply]

    def restore_narration(self, narration: Sequence[Sequence[Fact]]) -> None:
        """Take over the stored facts of all events up to the present ply, instead of making them again."""
        assert len(narration) == self.ply
        self._narration = [list(facts) for facts in narration]
        raw(self.rows)[AFTER] = raw(self.rows)[NOW]

    def public_lines(self) -> Iterator[tuple[int, list[Text], list[Text]]]:
        """What the public was told of events so far, by ply: in the log; and only on screens, or by players."""
        moments = self._teller.moments(raw(self.rows)[BASE].tobytes(), self._log_array[: self.ply].tolist())
        for ply, moment in enumerate(moments, 1):
            if captions := [caption for caption in self._teller.captions(moment, -1) if caption]:
                lines = [line for caption in captions for line in caption.lines]
                unlogged = [text for caption in captions for text in (caption.line, caption.said) if text]
                yield ply, lines, [text for text in unlogged if text not in lines]

    def _forget_story(self) -> None:
        """Other events than those that were told lie before the present position."""
        self._narration, self.marks = [], {}

    def record(self, **about: Any) -> Record:
        """The match as a record; see `hexdeck.engine.play.record.Record.of` for the arguments."""
        return Record.of(self, **about)


MANY = 1 << 15  # greater than any action id or seat


def refusal(match: Match, fault: int, seat: int, action: int, move: Move | int | str) -> errors.HexdeckError:
    """The error for a move that can't be played: `fault` is the result of `kernels.play`, `move` the move as given."""
    if fault == kernels.OVER:
        return errors.GameIsOver(say("The match is over; nothing can be played any more."))
    if fault == kernels.NOT_ACTING:
        return errors.NotActing(not_acting(match, seat))
    if fault == kernels.NOT_AT_END:
        return not_at_end(match)
    names = match.game.rules.ACTIONS
    legal = tuple(names[id] for id in match.legal_ids(seat))
    if fault == kernels.UNKNOWN_ACTION:
        return errors.IllegalMove(no_action(match, move), "", legal)
    rule, why = match.game.definition.reason(fault).rule, match.why(fault)
    text = _("Seat {seat} can't play {action} at ply {ply} ({rule}): {why} Legal now: {legal}.")
    about = {"action": repr(names[action]), "ply": match.ply, "legal": ", ".join(legal)}
    return errors.IllegalMove(say(text, seat=seat, rule=rule, why=why, **about), rule, legal)


def no_action(match: Match, action: object) -> Text:
    """The error text for an action that doesn't exist."""
    last = len(match.game.rules.ACTIONS) - 1
    typed = errors.shown(action.id if isinstance(action, Move) else action)
    return say("There is no action {action}; actions are 0 to {last}.", action=typed, last=last)


def not_acting(match: Match, seat: int) -> Text:
    """The error text for a seat that isn't to act, or doesn't exist."""
    if not 0 <= seat < match.game.players:
        return errors.no_seat(seat, match.game.players)
    if not match.acting:
        return say("It isn't the turn of seat {seat} at ply {ply}, but chance's.", seat=seat, ply=match.ply)
    text = _("It isn't the turn of seat {seat} at ply {ply}; to act: {acting}.")
    return say(text, seat=seat, ply=match.ply, acting=", ".join(map(str, match.acting)))


def not_at_end(match: Match) -> errors.BadPly:
    """The error for playing on in a match that was stepped back."""
    text = _("This is ply {ply} of {length}: go to the end, or cut what follows, to play on.")
    return errors.BadPly(say(text, ply=match.ply, length=match.length))


def no_outcome(match: Match, outcome: int | str) -> errors.BadChance:
    """The error for an outcome that chance can't give now; the message lists those it can."""
    chances = ", ".join(match.chances())
    if not chances:
        return errors.BadChance(say("It isn't chance's turn at ply {ply}.", ply=match.ply))
    text = _("Chance can't give {outcome} at ply {ply}; it can give {chances}.")
    return errors.BadChance(say(text, outcome=errors.shown(outcome), ply=match.ply, chances=chances))


def checked_names(names: Sequence[str], players: int) -> tuple[str, ...]:
    """The players' names as a tuple, one for each seat or none at all; raises BadOption for anything else."""
    if isinstance(names, tuple) and not names:
        return ()
    name_list: Any = None if isinstance(names, str) or not isinstance(names, Sequence) else tuple(names)
    if name_list is None or len(name_list) not in (0, players) or not all(map(is_text, name_list)):
        text = _("The names of a match are a list with one for each of {seats} seats, or none, not {given}.")
        raise errors.BadOption(say(text, seats=players, given=errors.shown(names)))
    return tuple(name_list)


def is_text(name: Any) -> bool:
    """Whether the value is a string that can be encoded."""
    return isinstance(name, str) and not any("\ud800" <= letter <= "\udfff" for letter in name)


def checked_events(events: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Events as pairs of ints; raises HexdeckError for anything else.

    Numbers out of range are clipped to ones that no event has; such events turn out impossible when they are played.
    """
    try:
        if not isinstance(events, (list, tuple)):
            raise TypeError
        pairs = [(errors.whole(seat), errors.whole(id)) for seat, id in events]
    except (TypeError, ValueError):
        pairs = [(None, None)]
    clipped = [
        (min(max(seat, -2), MANY - 1), min(max(id, -1), MANY - 1))
        for seat, id in pairs
        if seat is not None and id is not None
    ]
    if len(clipped) != len(pairs):
        text = _("Events are loaded from a list of pairs of whole numbers, a seat and an id, not from {given}.")
        raise errors.HexdeckError(say(text, given=errors.shown(events)))
    return clipped


def checked_position(game: GameSetup, struct: np.ndarray) -> np.ndarray:
    """The bytes of a struct of this game, unchanged; raises HexdeckError if they aren't one.

    Seats and options must be the game's, and its interpreted functions must run without a bad index or an overflow:
    compiled code checks neither, and could write anywhere.
    """
    size, value = game.rules.STRUCT.itemsize, cast(object, struct)
    if not isinstance(value, np.ndarray) or value.dtype != np.uint8 or value.shape != (size,):
        text = _("A position is an array of {size} bytes (uint8), not {given}.")
        raise errors.HexdeckError(say(text, size=size, given=errors.shown(value)))
    check_setting(game, value)
    if not runs_interpreted(game, value):
        raise errors.HexdeckError(none_of(game))
    return struct


def check_setting(game: GameSetup, struct: np.ndarray) -> None:
    """Raise HexdeckError unless seats and options in the bytes of a struct are the game's."""
    fields, expected = (array.copy().view(game.rules.STRUCT) for array in (struct, game.template))
    fixed = "seats", *(field[0] for option in game.rules.OPTIONS for field in option.fields())
    if not all((fields[name] == expected[name]).all() for name in fixed):
        raise errors.HexdeckError(none_of(game))


def none_of(game: GameSetup) -> Text:
    """The error text for bytes that are no position of a game."""
    return say("These bytes aren't a position of {game} with these players and options.", game=game.name)


def runs_interpreted(game: GameSetup, struct: np.ndarray) -> bool:
    """Whether the interpreted functions, which check every index and number, run on the struct."""
    driver = game.driver("interpreted")
    actions, weights, observation = driver.actions(), driver.weights(), driver.array(game.observation_size, np.int8)
    try:
        for seat in range(-1, game.players):
            view = driver.proxy(memoryview(bytearray(struct.tobytes())))
            game.rules.conceal(view, seat)
            game.rules.observe(view, seat, observation)
            game.table.zones(view, seat)
            if seat >= 0:
                game.rules.legal_actions(view, seat, actions)
        if not view.acting and not view.over:
            game.rules.chance_weights(driver.proxy(memoryview(bytearray(struct.tobytes()))), weights)
    except Exception:
        return False
    return True


# --- records, played again --------------------------------------------------------------------------------------------
def replay(
    source: str | os.PathLike[str] | Mapping[str, Any] | Record,
    backend: str | None = None,
    kind: type[GameSetup] = GameSetup,
) -> Match:
    """The match of a record (a path, JSON text, data or a Record), at its end; its game is an instance of `kind`.

    Raises BadRecord if the record is corrupt, truncated, illegal or newer than this program; the error has the index of
    the first bad event, from 0.
    """
    record = source if isinstance(source, Record) else read(source)
    chosen = game_of(record, kind)
    names = [clean_name(seat.get("name")) for seat in record.seats]
    match = Match(chosen, by_hand=True, backend=backend, names=names if all(names) else ())
    bad = match.load_events([event_ids(chosen, k, text) for k, text in enumerate(record.events)])
    if bad >= 0:
        text = record.events[bad]
        message = _("Event {event} of the record, {text}, is not possible there: {why}")
        raise errors.BadRecord(say(message, event=bad, text=errors.shown(text), why=why_not(match, text)), bad)
    if record.check != struct_check(match, record.rules):
        text = _("Every event of the record can be played, but they don't lead to the position it was saved in.")
        raise errors.BadRecord(say(text))
    return match


def why_not(match: Match, text: str) -> Text:
    """The reason why an event can't be played next."""
    try:
        if ":" in text:
            seat, name = text.split(": ", 1)
            match.play(int(seat), name)
        else:
            match.deal(text)
    except errors.HexdeckError as error:
        return error.text
    return say("it can't come next.")


def game_of(record: Record, kind: type[GameSetup] = GameSetup) -> GameSetup:
    """The game of a record.

    Raises BadRecord if the game is unknown, its options are bad, or the record is of rules that this program doesn't
    play: of a newer version, or of an earlier one from which more than fields has changed (`engine.layout.struct`).
    """
    try:
        name = find_game(record.game)
        game = definition(name)
        current, added = game.struct_version, added_since(game.rules.STRUCT, record.rules)
        about = {"version": record.rules, "game": game.name, "known": current}
        if record.rules > current:
            text = _("The record follows version {version} of the rules of {game}, newer than {known}: update hexdeck.")
            raise errors.BadRecord(say(text, **about))
        if added is None:
            text = _("The record follows version {version} of the rules of {game}; this program plays version {known}.")
            raise errors.BadRecord(say(text, **about))
        check_options([option for option in game.rules.OPTIONS if option.name not in added], record.options)
        return kind.stored(name, record.players, {**options_at(game.rules.STRUCT, record.rules), **record.options})
    except errors.BadRecord:
        raise
    except errors.HexdeckError as error:
        raise errors.BadRecord(say("The record can't be played here: {why}", why=error.text)) from None


def check_options(options: Sequence[Option], values: Mapping[str, Any]) -> None:
    """Raise BadOption for an unknown option name, or a value of the wrong type."""
    declared = {option.name: option for option in options}
    for name, value in values.items():
        if name not in declared:
            raise errors.BadOption(unknown_option(errors.shown(name), declared))
        if type(value) is not type(declared[name].default):
            raise declared[name].refuse(value)


def event_ids(chosen: GameSetup, k: int, text: str) -> tuple[int, int]:
    """An event of a record as (seat, id); raises BadRecord if the game has no such event."""
    seat, colon, name = text.partition(": ")
    if not colon and text in chosen.rules.OUTCOMES:
        return CHANCE, chosen.rules.OUTCOMES.index(text)
    if colon and seat in map(str, range(chosen.players)) and name in chosen.rules.ACTIONS:
        return int(seat), chosen.rules.ACTIONS.index(name)
    message = _("Event {event} of the record is corrupt: {text} isn't an event of {game}.")
    raise errors.BadRecord(say(message, event=k, text=errors.shown(text), game=chosen.name), k)
