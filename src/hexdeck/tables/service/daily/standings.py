"""How people fared: with a deal of the day, by the names that they chose; and somebody in all their matches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from hexdeck.engine.text import Text
from hexdeck.stats import share
from hexdeck.tables.model.results import Result, result_from_data
from hexdeck.tables.model.seats import PERSON, Seat, seats_of
from hexdeck.tables.service.daily.dates import end_of
from hexdeck.tables.service.daily.deals import SEAT
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage.daily.deals import Row, finished_deals, results_of

ENOUGH = 10  # matches, before anything is said of a share of them


# --- a deal of the day ------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Standing:
    """How somebody fared with a deal: their table, their name, whether they won, and what is told of it."""

    table: str
    name: str
    won: bool
    told: Text


async def standings(registry: TableRegistry, day: str, game: str) -> tuple[Standing, ...]:
    """How people fared with a deal, the best first, then the earliest: those who finished it themselves on its day."""
    rows, end = await registry.run_job(finished_deals(day, game)), end_of(day)
    found = [(row["id"], seats_of(json.loads(row["seats"]))[SEAT], result_from_data(json.loads(row["result"])))
             for row in rows]  # fmt: skip
    counted = [each for each in found if counts(each[1], each[2]) and each[2].at < end]
    counted.sort(key=lambda each: (-each[2].utilities[SEAT], each[2].at))
    return tuple(Standing(id, seat.name, has.won[SEAT], has.told[SEAT]) for id, seat, has in counted)


def counts(seat: Seat, result: Result) -> bool:
    """Whether a deal was played to its end by the person who began it, and they haven't left it for good."""
    return seat.owner and seat.kind == PERSON and SEAT not in result.stood_in


# --- somebody's matches -----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Tally:
    """What somebody played of a game: how many matches, how many they won, and the best of them.

    `best`: what is told of it, None where they have only lost, and nothing was counted; `best_at`: its table.
    """

    game: str
    played: int
    won: int
    best: Text | None
    best_at: str

    @property
    def share(self) -> tuple[float, float] | None:
        """The ends of the 95 % interval of the share that they win; None where matches are too few to say."""
        if self.played < ENOUGH:
            return None
        found = share(self.won, self.played)
        return found.low, found.high


async def tallies_of(registry: TableRegistry, token: str) -> tuple[Tally, ...]:
    """What the holder of a hashed token has played to the end, by game."""
    rows = await registry.run_job(results_of(token))
    by_game = dict[str, list[tuple[Row, Result]]]()
    for row in rows:
        result = result_from_data(json.loads(row["result"])) if row["result"] else None
        if result and row["seat"] not in result.stood_in:
            by_game.setdefault(row["game"], []).append((row, result))
    return tuple(tally(game, found) for game, found in sorted(by_game.items()))


def tally(game: str, found: Sequence[tuple[Row, Result]]) -> Tally:
    """What somebody played of a game."""
    row, best = max(found, key=lambda each: (each[1].won[each[0]["seat"]], each[1].utilities[each[0]["seat"]]))
    won = sum(result.won[each["seat"]] for each, result in found)
    told = best.told[row["seat"]]
    says_much = won or any(isinstance(each, int) for each in told.args.values())
    return Tally(game, len(found), won, told if says_much else None, row["id"])
