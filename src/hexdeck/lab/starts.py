"""What starting is worth, from games in which chance decided who starts.

Whoever earned the start, or was dealt it, differs from the others in more than that. Between players whom chance alone
told apart (`engine.starting`), the mean difference of results is the effect of starting. Where what decided stays with
them, as the lower card does that settled a tie, the same games are played on with each of them starting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.simulation_bots import seated
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.starting import Starting
from hexdeck.lab.kernels import NOBODY
from hexdeck.lab.log import SimulationSetup, decisions
from hexdeck.lab.tension import place_shares
from hexdeck.simulation.seating import takes_time
from hexdeck.stats import Estimate, PairedMoments

STUDIED = 10_000  # games that are looked into, for each number of players
SWAPPED, OF_SLOW = 500, 30  # games that are played on with each starter; with slow bots
LEAST = 30  # games that chance decided, without which nothing is said


@dataclass
class StartStudy:
    """Differences between the starter and the others that chance decided between: one for each game that it decided.

    `games`: how many games were looked into. `moments`: of the differences in utility, and in the shares of first and
    of last place. `examples`: by place, and whether the starter took it more than those others, the number of the first
    such game.
    """

    games: int = 0
    moments: PairedMoments = field(default_factory=lambda: PairedMoments(3))
    examples: dict[tuple[int, bool], int] = field(default_factory=dict)

    @property
    def decided(self) -> int:
        """In how many games chance decided who starts."""
        return self.moments.count

    @property
    def enough(self) -> bool:
        """Whether anything can be said."""
        return self.decided >= LEAST

    @property
    def gain(self) -> Estimate:
        """The utility of the starter, above the mean of the others that chance decided between."""
        return self.moments.estimate(0)

    def place(self, place: int) -> Estimate:
        """The starter's share of first (0) or last (1) place, above the mean of those others."""
        return self.moments.difference(1 + place, 1.0).within(-1, 1)

    def add_swapped(self, results: Mapping[int, np.ndarray]) -> None:
        """Add a game that was played on with each of these seats starting: the utilities of all seats by starter."""
        each = {seat: np.array([won, *place_shares(won[None])]) for seat, won in results.items()}
        more = [
            rows[:, seat] - np.mean([others[:, seat] for other, others in each.items() if other != seat], axis=0)
            for seat, rows in each.items()
        ]
        self.moments.add(np.mean(more, axis=0)[None])

    def add(self, seats: Iterable[int], starter: int, results: np.ndarray) -> None:
        """Add a game: the seats that chance decided between, the one it chose, and the utilities of all seats."""
        others = [seat for seat in seats if seat != starter]
        rows = np.array([results, *place_shares(results[None])])
        ahead = rows[:, starter] - rows[:, others].mean(axis=1)
        self.moments.add(ahead[None])
        for place, more in enumerate(ahead[1:].tolist()):
            if more:
                self.examples.setdefault((place, more > 0), self.games - 1)


def starting_of(game: GameSetup) -> Starting:
    """How the starter of a game is chosen."""
    found: Starting = game.hints.starting(Match(game, 0, backend="interpreted").struct)
    return found


def study_starts(setup: SimulationSetup, games: int) -> StartStudy | None:
    """The study of so many games, numbered from 0 on; None for a game in which chance never decides between some."""
    starting, out = starting_of(setup.game), StartStudy()
    if starting.between is None:
        return None
    if starting.let_start is not None:
        return study_swaps(setup, starting, games)
    for number, moves in enumerate(decisions(setup, 0, games)):
        match = Match(setup.game, setup.seed, number=number, backend=setup.backend)
        left = iter(moves.tolist())
        add_match(out, starting, match, played_out(match, left))
    return out


def study_swaps(setup: SimulationSetup, starting: Starting, games: int) -> StartStudy:
    """The study of games that are played on with each starter, by the bots of the setup."""
    out, bots = StartStudy(), seated(setup.game, setup.seated, setup.seed, setup.backend)
    most = OF_SLOW if takes_time(setup.game, setup.bots) else SWAPPED
    for number, moves in enumerate(decisions(setup, 0, games)):
        match = Match(setup.game, setup.seed, number=number, backend=setup.backend)
        out.games += 1
        starter = starter_of(match, played_out(match, iter(moves.tolist())))
        seats = decided_between(starting, match, starter)
        if seats:
            out.add_swapped({seat: played_on(setup, match, number, seat, bots) for seat in seats})
        if out.decided >= most:
            break
    return out


def played_on(setup: SimulationSetup, match: Match, number: int, seat: int, bots: Sequence[Bot]) -> np.ndarray:
    """The utilities of all seats if this seat starts: with the same cards, and those still to come as in the match."""
    other, let_start = match.copy_position(), starting_of(setup.game).let_start
    if let_start is not None:
        let_start(other.struct, seat)
    other.refresh()
    other.let_chance(setup.seed, number)
    for bot in bots:
        bot.begin(number)
    while not other.over:
        at = other.actor
        other.play(at, bots[at].choose(other.concealed(at), at))
    return np.array(other.returns())


def decided_between(starting: Starting, match: Match, starter: int) -> list[int]:
    """The seats that chance decided between, in a match whose starter is to choose; none where it didn't decide."""
    seats = list(starting.between(match.struct)) if starting.between is not None and starter != NOBODY else []
    return seats if starter in seats and len(seats) > 1 else []


def played_out(match: Match, moves: Iterator[list[int]]) -> Iterator[None]:
    """Stop before each of these decisions, then play it."""
    for seat, action in moves:
        yield
        match.play(seat, action)


def stepped_through(match: Match) -> Iterator[None]:
    """Stop before each decision of a match that is over."""
    for ply, event in enumerate(match.events):
        if event.seat >= 0:
            match.go(ply)
            yield
    match.go(match.length)


def add_finished(out: StartStudy, match: Match) -> None:
    """Add a match that is over to a study."""
    add_match(out, starting_of(match.game), match, stepped_through(match))
    match.go(match.length)


def add_match(out: StartStudy, starting: Starting, match: Match, steps: Iterator[None]) -> None:
    """Add a match to a study, if chance decided who starts it; `steps` stop before each decision, up to its end."""
    out.games += 1
    starter = starter_of(match, steps)
    seats = decided_between(starting, match, starter)
    if seats:
        for _step in steps:
            pass
        out.add(seats, starter, np.array(match.returns()))


def starter_of(match: Match, steps: Iterator[None]) -> int:
    """Step on to the first choice that a seat makes alone, as `kernels.count_game` finds it; NOBODY if there is none.

    Seats choose at the same time while several may act, and until the last of them has: then the history goes on.
    """
    together, since, ply = False, match.struct.history, match.ply
    for _step in steps:
        history = match.struct.history
        if len(match.acting) > 1:
            together, since = True, history
        elif history != since or match.ply > ply + 1:
            together = False
        if not together and len(match.legal_ids(match.actor)) > 1:
            return match.actor
        ply = match.ply
    return NOBODY
