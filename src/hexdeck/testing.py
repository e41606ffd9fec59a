"""Checks for any game in any package: each plays random matches and raises AssertionError if a promise is broken.

    import pytest
    from hexdeck import testing

    @pytest.mark.parametrize("check", testing.CHECKS)
    def test_the_game(check: str) -> None:
        testing.run(check, "my-game")

`CHECKS` names them: `rules` (the functions of the contract agree with each other), `commits` (simultaneous choices may
be made in any order), `knowledge` (`conceal` and `resample` agree), `secrecy` (nothing that a seat is shown or told
depends on what it doesn't know), `stops` (what is seen of an event step by step), `conservation` (no event creates or
loses any card or chip that `inventory` lists), `results` (results, lengths and what
`limits` lists stay within what `bounds.py` says),
`backends` (compiled code does what interpreted code does). A check that needs an optional function which the game
doesn't define raises `unittest.SkipTest`.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any
from unittest import SkipTest

import numpy as np

from hexdeck.engine.backends.interpreted import strict
from hexdeck.engine.discovery.bounded_loading import Trial
from hexdeck.engine.discovery.definition import definition, forget
from hexdeck.engine.discovery.finding import PATH, find_game
from hexdeck.engine.play.game import GameSetup, raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import Storyteller
from hexdeck.engine.random import generator
from hexdeck.engine.study import Bounds
from hexdeck.engine.view import Event, fault_of, prompt

STEPS = 5_000  # a match that takes more is considered endless


class Walk(Trial):
    """A random match, played to its end by the interpreted functions; `last` is the latest event."""

    last: Event | None = None

    def positions(self) -> Iterator[Any]:
        """The struct at every position, before the next event changes it; at the last one the match is over."""
        s, module = self.struct, self.game.bounds
        bounds: Bounds | None = module.bounds(s.seats, self.options) if module else None
        long = bounds is not None and bounds.moves + bounds.chances > STEPS
        self.rules.start(s)
        for _step in range(STEPS // 5 if long else STEPS):
            yield s
            if s.over:
                return
            self.happens()
        if long:
            raise SkipTest(f"Matches may take more than {STEPS} steps, too many to try.")
        raise AssertionError(f"A match isn't over after {STEPS} steps.")

    def consider(self, view: Any, seat: int, count: int) -> None:
        """Ask nothing: a walk is about the rules."""

    def happens(self) -> Event:
        """Let the next event happen, a random move or a chance outcome, and return it."""
        self.struct.stops_.clear()
        self.last = self.decided() if self.struct.acting else self.drawn()
        return self.last

    def seats(self) -> range:
        """All seats, and -1 for the public."""
        return range(-1, self.struct.seats)

    def sampled(self, seat: int, seed: int) -> Any:
        """A world that the seat considers possible, sampled from the current position."""
        return self.world(self.copy(), seat, seed)

    def world(self, struct: Any, seat: int, seed: int) -> Any:
        """Resample, in place, what the seat doesn't know; returns the struct."""
        self.rules.resample(struct, seat, strict(generator(seed, "redeal")))
        return struct

    def concealed_copy(self, struct: Any, seat: int) -> Any:
        """A copy of a struct, concealed for a seat."""
        copy = self.proxy(memoryview(bytearray(struct.row_)))
        self.rules.conceal(copy, seat)
        return copy

    def legal(self, struct: Any, seat: int) -> list[int]:
        """The ids of a seat's legal actions."""
        count = self.rules.legal_actions(struct, seat, strict(self.actions))
        return [int(action) for action in self.actions[:count]]

    def chances(self, struct: Any) -> list[int]:
        """The outcomes of chance that are possible."""
        self.weights[:] = 0
        self.rules.chance_weights(struct, strict(self.weights))
        return [int(outcome) for outcome in self.weights.nonzero()[0]]

    def of_bytes(self, struct: bytes) -> Any:
        """A struct made from its bytes."""
        return self.proxy(memoryview(bytearray(struct)))

    def seat_name(self, seat: int) -> str:
        """The name of a seat, or of the public."""
        return "the public" if seat < 0 else f"seat {seat}"


__all__ = ["CHECKS", "look_in", "run"]

MATCHES = 12  # per check
WORLDS = 2  # sampled for each seat and compared with the true one
SHARE = 0.1  # of positions at which worlds are sampled


def look_in(folder: str | os.PathLike[str]) -> None:
    """Add a folder to the game path: a game's own folder, or one that contains games."""
    paths = os.environ.get(PATH, "")
    if (own := str(Path(folder).resolve())) not in paths.split(os.pathsep):
        os.environ[PATH] = os.pathsep.join(filter(None, (own, paths)))
        forget()


def run(check: str, name: str, matches: int = MATCHES, seed: int = 0) -> None:
    """Run one of `CHECKS` on a game. Raises AssertionError with one sentence, SkipTest or BrokenGame."""
    game = definition(find_game(name))
    dice = random.Random(f"{name} {check} {seed}")
    CHECKS[check]([Walk(game, random.Random(dice.random())) for _ in range(matches)])


def check_rules(walks: list[Walk]) -> None:
    """Moves are legal just if no reason forbids them; a seat or chance acts until the end; results are finite."""
    for walk in walks:
        rules = walk.rules
        for s in walk.positions():
            assert 0 <= s.acting < 1 << s.seats, f"acting is {s.acting:b}, and there are {s.seats} seats."
            assert not (s.over and s.acting), "The match is over, and a seat is still to act."
            for seat in range(s.seats):
                before = bytes(s.row_)
                legal = walk.legal(s, seat)
                reasons = [rules.illegal_reason(s, seat, k) for k in range(len(rules.ACTIONS))]
                last = len(walk.game.table.REASONS)
                assert all(0 <= reason <= last for reason in reasons), f"illegal_reason gives a number above {last}."
                allowed = [k for k, reason in enumerate(reasons) if not reason]
                assert legal == allowed or s.over, (
                    f"legal_actions lists {legal} for seat {seat}, and illegal_reason allows {allowed}."
                )
                acts, count = bool(s.acting >> seat & 1), len(legal)
                assert bool(count) == acts or s.over, f"Seat {seat} acts, and has {count} moves."
                assert bytes(s.row_) == before, "legal_actions or illegal_reason changes the struct."
        out = np.zeros(rules.PLAYERS[1])
        rules.returns(walk.struct, strict(out))
        assert np.isfinite(out).all(), f"returns gives {out.tolist()}."


def check_commits(walks: list[Walk]) -> None:
    """Seats that act at once may do so in any order, byte for byte, and what isn't seen of it can be taken back."""
    for walk in walks:
        for s in walk.positions():
            actors = [seat for seat in range(s.seats) if s.acting >> seat & 1]
            if len(actors) < 2:
                continue
            chosen = {seat: walk.dice.choice(walk.legal(s, seat)) for seat in actors}
            ends = set()
            for order in (actors, actors[::-1]):
                copy = walk.copy()
                for seat in order:
                    walk.rules.apply_action(copy, seat, chosen[seat])
                ends.add(bytes(copy.row_))
            names = {seat: walk.rules.ACTIONS[action] for seat, action in chosen.items()}
            assert len(ends) == 1, f"The order in which seats choose makes a difference: {names}."
            check_cleared(walk, actors[0], actors[1])


def check_cleared(walk: Walk, seat: int, rival: int) -> None:
    """Where a seat can't tell what another one chose, `clear_hidden_choices` has that one choose again."""
    legal, ends = walk.legal(walk.struct, rival), [walk.copy() for _ in range(2)]
    for end, action in zip(ends, (legal[0], legal[-1]), strict=True):
        walk.rules.apply_action(end, rival, action)
    endings = {bytes(walk.concealed_copy(end, seat).row_) for end in ends}
    if len(legal) > 1 and len(endings) == 1:
        walk.rules.clear_hidden_choices(ends[0], seat)
        assert ends[0].acting >> rival & 1, (
            f"clear_hidden_choices for seat {seat} leaves what seat {rival} chose, which nobody has seen yet."
        )


def check_knowledge(walks: list[Walk]) -> None:
    """Concealing twice changes nothing, and a sampled world, concealed, equals the true one concealed."""
    changed = False
    for walk in walks:
        for s in walk.positions():
            if walk.dice.random() > SHARE:
                continue
            for seat in walk.seats():
                view, reader = walk.copy(seat), walk.seat_name(seat)
                twice = walk.concealed_copy(view, seat)
                assert bytes(view.row_) == bytes(twice.row_), f"conceal for {reader}, done twice, changes more."
                for seed in range(WORLDS):
                    world, again = walk.sampled(seat, seed), walk.world(walk.copy(seat), seat, seed)
                    assert bytes(world.row_) == bytes(again.row_), (
                        f"resample for {reader} depends on what that seat doesn't know: begin it with conceal."
                    )
                    assert bytes(walk.concealed_copy(world, seat).row_) == bytes(view.row_), (
                        f"resample for {reader} makes a world that it can tell from the true one."
                    )
                    changed |= bytes(world.row_) != bytes(s.row_)
    assert changed or "conceal" in walks[0].game.left_out, (
        "resample never changes anything; a game without secrets has neither it nor conceal."
    )


def check_secrecy(walks: list[Walk]) -> None:
    """What a seat is shown and told, and which moves it has, is the same in every world that it considers possible."""
    for walk in walks:
        for s in walk.positions():
            if s.over or walk.dice.random() > SHARE:
                continue
            for seat in walk.seats():
                truth = presented(walk, s, seat)
                for seed in range(WORLDS):
                    facts = presented(walk, walk.sampled(seat, seed), seat)
                    leaks = [name for name in truth if truth[name] != facts[name]]
                    assert not leaks, f"{leaks[0]} for {walk.seat_name(seat)} depends on what it doesn't know."
            check_log(walk)


def presented(walk: Walk, world: Any, seat: int) -> dict[str, Any]:
    """Everything that a seat is shown of a world."""
    table, view = walk.game.table, walk.concealed_copy(world, seat)
    observation = np.zeros(max(end for _, end in walk.rules.SLICES.values()), np.int8)
    walk.rules.observe(view, seat, strict(observation))
    facts = {
        "conceal": bytes(view.row_),
        "zones": [zone.data() for zone in table.zones(view, seat)],
        "prompt": prompt(table, view, seat).data(),
        "observe": observation.tobytes(),
        "acting": world.acting,
    }
    if seat >= 0 and world.acting >> seat & 1:
        moves = walk.legal(world, seat)
        facts |= {"legal_actions": moves, "label": [table.label(view, seat, move).data() for move in moves]}
    return facts


def check_log(walk: Walk) -> None:
    """A seat gets the same story of the next event in all worlds, and of all events, that it can't tell apart."""
    before = bytes(walk.struct.row_)
    event = walk.happens()
    after = bytes(walk.struct.row_)
    for seat in walk.seats():
        if seat == event.seat:
            continue
        knowledge, truth = (bytes(walk.concealed_copy(walk.of_bytes(struct), seat).row_) for struct in (before, after))
        heard = story_of(walk, before, event, seat)
        for world, alternative in [(before, deal) for deal in alternatives(walk, walk.of_bytes(before), event)] + [
            (bytes(walk.world(walk.of_bytes(before), seat, walk.dice.randrange(1 << 30)).row_), event)
        ]:
            outcome = result(walk, world, alternative)
            if outcome is None or bytes(walk.concealed_copy(walk.of_bytes(world), seat).row_) != knowledge:
                continue
            if bytes(walk.concealed_copy(walk.of_bytes(outcome), seat).row_) == truth:
                alike = [again == deal for again, deal in zip_longest(story_of(walk, world, alternative, seat), heard)]
                assert all(alike), (
                    f"Stop {alike.index(False) + 1} of {event.name} shows {walk.seat_name(seat)} what it doesn't know."
                )
    walk.struct.row_[:] = before


def storyteller(walk: Walk) -> Storyteller:
    """Tells the events of a walk's match."""
    setup = GameSetup.named(walk.game.name, int(walk.struct.seats), **walk.options)
    return Storyteller(setup, setup.driver("interpreted"))


def story_of(walk: Walk, before: bytes, event: Event, seat: int) -> list[tuple[Any, ...]]:
    """All that a seat, or the public, gets of an event: each stop, what it knows then, and what it is told."""
    teller = storyteller(walk)
    stops = list(teller.stops(teller.moment(before, event.seat, event.id), seat))
    captions = [walk.game.table.caption(stop, seat) for stop in stops]
    stops_told = zip(stops, captions, strict=True)
    return [(stop.kind, stop.seat, stop.detail, stop.now.row_, repr(caption)) for stop, caption in stops_told]


def alternatives(walk: Walk, world: Any, event: Event) -> list[Event]:
    """The other events that could have happened instead of this one."""
    by_chance = event.seat < 0
    names = walk.rules.OUTCOMES if by_chance else walk.rules.ACTIONS
    ids = walk.chances(world) if by_chance else walk.legal(world, event.seat)
    return [Event(event.seat, id, names[id]) for id in ids if id != event.id]


def result(walk: Walk, world: bytes, event: Event) -> bytes | None:
    """The struct after an event in a world, or None if the event can't happen there."""
    s = walk.of_bytes(world)
    if event.seat < 0 and event.id in walk.chances(s):
        s.draws += 1
        walk.rules.apply_chance(s, event.id)
    elif event.seat >= 0 and s.acting >> event.seat & 1 and not walk.rules.illegal_reason(s, event.seat, event.id):
        walk.rules.apply_action(s, event.seat, event.id)
    else:
        return None
    return bytes(s.row_)


def check_stops(walks: list[Walk]) -> None:
    """The stops of an event end at the position after it, and what is shown at each is on the table then."""
    for walk in walks:
        for s in walk.positions():
            if s.over or walk.dice.random() > SHARE:
                continue
            before = bytes(s.row_)
            event = walk.happens()
            teller = storyteller(walk)
            moment = teller.moment(before, event.seat, event.id)
            assert moment.after == bytes(s.row_), f"{event.name}, with its stops kept, ends in other bytes."
            for seat in walk.seats():
                first_story, again = (teller.beats(moment, seat) for _ in range(2))
                assert first_story == again, f"caption for {walk.seat_name(seat)}, asked twice, gives something else."
                wrong = fault_of(first_story)
                assert not wrong, f"{wrong}, for {walk.seat_name(seat)}, after {event.name}."
            walk.struct.row_[:] = before


def check_conservation(walks: list[Walk]) -> None:
    """What `inventory` lists stays the same at every position and in every sampled world."""
    for walk in walks:
        first = None
        for s in walk.positions():
            counts = inventory(walk.rules, s)
            first = counts if first is None else first
            assert counts == first, f"{difference(first, counts)} after {walk.last and walk.last.name}."
            if s.over or walk.dice.random() > SHARE:
                continue
            for seat in walk.seats():
                world = inventory(walk.rules, walk.sampled(seat, 0))
                assert world == first, f"{difference(first, world)} in a world that resample makes."


def inventory(rules: Any, struct: Any) -> Counter[Any]:
    """The number of cards or chips of each kind. Raises SkipTest if the game defines no `inventory`."""
    if rules.inventory is None:
        raise SkipTest("rules.py defines no inventory")
    counts: Counter[Any] = Counter()
    for kind, number in rules.inventory(struct):
        assert number >= 0, f"inventory lists {number} of {kind!r}."
        counts[kind] += number
    return counts


def difference(inventory: Counter[Any], counts: Counter[Any]) -> str:
    """A sentence part that names the first kind whose number differs, and both numbers."""
    kind = next(kind for kind in inventory | counts if inventory[kind] != counts[kind])
    return f"inventory lists {inventory[kind]} of {kind!r} when the match begins, and {counts[kind]}"


def check_results(walks: list[Walk]) -> None:
    """Results, lengths and the numbers of positions stay within what `bounds.py` says, if the game has it."""
    for walk in walks:
        if walk.game.bounds is None:
            continue
        bounds: Bounds = walk.game.bounds.bounds(walk.struct.seats, walk.options)
        moves = draws = 0
        for s in walk.positions():
            moves, draws = moves + bool(s.acting), draws + (not s.acting and not s.over)
            for number, low, high in bounds.limits(s):
                assert low <= number <= high, f"limits says from {low} to {high} of a number that is {number}."
        seats, out = walk.struct.seats, np.zeros(walk.rules.PLAYERS[1])
        walk.rules.returns(walk.struct, strict(out))
        utilities = out[:seats].tolist()
        assert all(bounds.least <= utility <= bounds.greatest for utility in utilities), (
            f"{utilities} isn't from {bounds.least} to {bounds.greatest}."
        )
        total = bounds.total
        assert total is None or abs(sum(utilities) - total) < 1e-9, f"{utilities} doesn't add up to {total}."
        assert moves <= bounds.moves and draws <= bounds.chances, (
            f"A match has {moves} moves and {draws} draws; {bounds.moves} and {bounds.chances} are most."
        )


def check_backends(walks: list[Walk]) -> None:
    """Compiled with bounds checked, matches proceed exactly, byte for byte, as interpreted ones."""
    for number, walk in enumerate(walks):
        chosen = GameSetup.named(walk.game.name, int(walk.struct.seats), **walk.options)
        match = Match(chosen, number, backend="checked")
        while not match.over and match.length < STEPS:
            match.play(match.actor, walk.dice.choice(match.legal_ids(match.actor)))
        again = Match(chosen, by_hand=True, backend="interpreted")
        bad = again.load_events([(event.seat, event.id) for event in match.events])
        assert bad < 0, f"Interpreted, event {bad} of a compiled match isn't possible."
        assert (raw(match.rows)[0] == raw(again.rows)[0]).all(), "Compiled, a match ends in other bytes."
        for seat in range(-1, chosen.players):
            assert match.concealed(seat) == again.concealed(seat), f"Compiled, conceal for seat {seat} differs."
            assert match.observation(seat).tolist() == again.observation(seat).tolist(), "Compiled, observe differs."


ALL = check_rules, check_commits, check_knowledge, check_secrecy, check_stops, check_conservation, check_results
CHECKS: dict[str, Callable[[list[Walk]], None]] = {
    function.__name__.removeprefix("check_"): function for function in (*ALL, check_backends)
}
