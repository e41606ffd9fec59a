"""Mines puzzles: bots play matches, and each position that a seat has a choice in is judged."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.named import bot
from hexdeck.engine.play.match import Match
from hexdeck.puzzles.collection import Collection, MiningRun
from hexdeck.puzzles.judge import Judge, Judgement
from hexdeck.puzzles.puzzle import Cost, Puzzle, known_hash
from hexdeck.simulation.game import Game

DIGITS = 4  # kept of utilities


@dataclass(frozen=True)
class MiningLimits:
    """Where mining ends: after so many matches or minutes, or with so many puzzles found; None is no bound."""

    games: int | None = None
    minutes: float | None = None
    count: int | None = None


class Miner:
    """Finds puzzles in the matches of one seed, in which a bot plays all seats."""

    def __init__(self, game: Game, by: str, seed: int) -> None:
        self._game, self._seed = game, seed
        self._bots: list[Bot] = [bot(by, game, (seed << 16) + seat) for seat in range(game.players)]
        self._judge = Judge(game, seed)
        usual = game.usual().options
        self._options = {name: value for name, value in game.options.items() if value != usual[name]}

    def puzzles(self, number: int) -> Iterator[Puzzle]:
        """The puzzles in match `number`, as they come."""
        match = Match(self._game, self._seed, number=number)
        self._judge.begin(number)
        for player in self._bots:
            player.begin(number)
        moves, chose = list[str](), set[tuple[int, int]]()  # the deals in which each seat had a choice
        while not match.over:
            seat = match.actor
            legal = match.legal_ids(seat)
            if len(legal) > 1:
                knowledge, deal = match.concealed(seat), (int(match.struct.deal), seat)
                if deal in chose:  # a seat's first choice of a deal says little of the cards that lie
                    judgement = self._judge.judge(
                        knowledge, seat, legal, self._game.hints.STUDY.measure_in(match.struct)
                    )
                    if judgement:
                        yield self._as_puzzle(match, number, moves, seat, judgement)
                chose.add(deal)
            action = legal[0] if len(legal) == 1 else self._bots[seat].choose(match.concealed(seat), seat)
            moves.append(match.rules.ACTIONS[action])
            match.play(seat, action)

    def _as_puzzle(self, match: Match, number: int, moves: list[str], seat: int, judgement: Judgement) -> Puzzle:
        names = match.rules.ACTIONS
        return Puzzle(
            self._game.name,
            self._game.players,
            self._options,
            self._seed,
            number,
            tuple(moves),
            seat,
            known_hash(match, seat),
            names[judgement.best],
            *rounded((judgement.worth, judgement.worth_margin)),
            {names[action]: rounded(cost) for action, cost in judgement.costs.items()},
            {name: names[action] for name, action in judgement.bots.items()},
            judgement.worlds,
        )

    @property
    def run(self) -> MiningRun:
        """Which matches these are."""
        return MiningRun(self._game.players, tuple(self._options.items()), self._seed)


def rounded(cost: Cost) -> Cost:
    """A value and half its interval, as they are kept."""
    value, margin = cost
    return round(value, DIGITS), None if margin is None else round(margin, DIGITS)


def mine(
    miner: Miner,
    collection: Collection,
    bounds: MiningLimits,
    keep: Callable[[], None] = lambda: None,
    tell: Callable[[int, Puzzle | None], None] = lambda _number, _puzzle: None,
) -> None:
    """Add puzzles to a collection, one of a match at most, from the first match on that it hasn't seen.

    `keep` is called after each match.

    `tell` gets the number of each match, and what was found there.
    """
    until = None if bounds.minutes is None else time.monotonic() + 60 * bounds.minutes
    first, mined = collection.done.get(miner.run, 0), 0
    number = first
    while (
        (bounds.games is None or number - first < bounds.games)
        and (bounds.count is None or mined < bounds.count)
        and (until is None or time.monotonic() < until)
    ):
        puzzle = next(filter(collection.wants, miner.puzzles(number)), None)
        number += 1
        if puzzle:
            mined += 1
            collection.puzzles.append(puzzle)
        collection.done[miner.run] = number
        keep()
        tell(number - first, puzzle)
