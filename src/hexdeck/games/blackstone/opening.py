"""How a round of Blackstone begins: exact probabilities of what lies on the table once the first player is known.

Only three numbers matter afterwards, since all seats are dealt to alike: the white stones, how many of the other seats
have a black stone, and whether the first player has one.

Cards are dealt in comparisons (BS-2). Of each it is enough to know the lowest rank, how many seats tie for it, how many
of the others have a ten, and that the rest have ranks in between. The same comparisons in another order are as likely,
so the state comes down to `Known` and the number of ways to get there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import comb, factorial, log10, perm

from hexdeck.games.blackstone.rules import TEN

Opening = dict[tuple[int, int, int], float]  # (white stones, others' black stones, the first player's): its probability
RARE = 1e-10  # rarer states are dropped; together they are less than a millionth
OPEN = -1  # the last comparison is still to come


@dataclass(frozen=True)
class Known:
    """What is known of the cards dealt so far, and how many seats are still compared.

    `lowest[r]`: cards of rank r that were lowest; `above[r]`: cards between ten and rank r when r was lowest.
    """

    tied: int
    held: int  # 1: each of the tied seats has a black stone
    black: int  # black stones of seats that are out of the comparison
    tens: int
    lowest: tuple[int, ...] = (0,) * TEN
    above: tuple[int, ...] = (0,) * TEN

    @property
    def white(self) -> int:
        """The number of cards that will be white stones."""
        return sum(self.lowest) + sum(self.above)

    def ways(self, deck: tuple[int, ...]) -> int:
        """The number of ways in which a deck's cards can fill the known places."""
        ways, free = perm(deck[TEN], self.tens), 0
        for r in range(TEN - 1, -1, -1):  # the highest lower bound leaves the fewest cards
            ways *= perm(deck[r], self.lowest[r]) * perm(free, self.above[r])
            if ways == 0:
                return 0
            free += deck[r] - self.lowest[r] - self.above[r]
        return ways

    def chance(self, deck: tuple[int, ...]) -> float:
        """The probability of one way to get here."""
        ways = self.ways(deck)
        return ways / perm(sum(deck), self.white + self.tens) if ways else 0.0


def opening(players: int, deck: tuple[int, ...], replaced: bool) -> Opening:
    """The probability of each beginning; `replaced`: an extra ten is replaced at once (BS-3).

    They may add up to less than 1: the rarest are dropped, and so are deals in which the deck runs out first.
    """
    out: Opening = defaultdict(float)
    reached: dict[Known, int] = {Known(players, 0, 0, 0): 1}
    while reached:
        further: dict[Known, int] = defaultdict(int)
        for known, ways in reached.items():
            if known.tied == 2:
                for beginning, chance in decided(known, deck, replaced, most_ties(ways * known.chance(deck))):
                    out[beginning] += ways * chance
                continue
            for after, number in compared(known, deck, replaced):
                if after.tied == 1:
                    out[after.white, after.black, after.held] += ways * number * after.chance(deck)
                elif ways * number * after.chance(deck) > RARE:
                    further[after] += ways * number
        reached = further
    return dict(out)


def compared(known: Known, deck: tuple[int, ...], replaced: bool) -> Iterator[tuple[Known, int]]:
    """The states after one more comparison, each with the number of ways in which the seats can share its cards."""
    tied, tens_left = known.tied, deck[TEN] - known.tens
    if replaced and known.held:
        for extra in range(tens_left + 1):
            for after, number in ranked(known, deck, 0):
                yield replace(after, tens=known.tens + extra), number * comb(tied - 1 + extra, extra)
        return
    yield from ranked(known, deck, tens_left)
    if tied <= tens_left:
        yield replace(known, held=1, tens=known.tens + tied), 1


def ranked(known: Known, deck: tuple[int, ...], tens_left: int) -> Iterator[tuple[Known, int]]:
    """The states after comparisons whose lowest card isn't a ten."""
    tied = known.tied
    for r in range(TEN):
        for low in range(1, min(tied, deck[r] - known.lowest[r]) + 1):
            for tens in range(min(tied - low, tens_left) + 1):
                between = tied - low - tens
                after = Known(
                    low, known.held, known.black + (tied - low if known.held else tens), known.tens + tens,
                    added(known.lowest, r, low), added(known.above, r, between),
                )  # fmt: skip
                yield after, comb(tied, low) * comb(tied - low, tens)


def added(counts: tuple[int, ...], r: int, number: int) -> tuple[int, ...]:
    """Counts with a number added at rank r."""
    return (*counts[:r], counts[r] + number, *counts[r + 1 :])


# --- the last two seats -----------------------------------------------------------------------------------------------
def most_ties(chance: float) -> int:
    """The most ties, each about one in ten, that are considered."""
    return 100 if chance == 1 else max(1, int(log10(chance / RARE)) + 1)


def decided(
    known: Known, deck: tuple[int, ...], replaced: bool, most: int
) -> Iterator[tuple[tuple[int, int, int], float]]:
    """Each beginning after the last two seats have compared until one is lower, and the probability of one way there.

    They can tie many times and in any order, so ties are summed rank by rank.
    """
    for (ties, tens), ways in sums_over_ranks(known, deck, most).items():
        white = known.white + 2 * ties + 2 - tens
        for orders, more, held in ten_ways(known, ties, tens, deck[TEN], replaced):
            black = known.black + (1 if held else tens)
            dealt = perm(sum(deck), white + known.tens + more)
            yield (white, black, held), 2 * orders * ways * perm(deck[TEN], known.tens + more) / dealt


def sums_over_ranks(known: Known, deck: tuple[int, ...], most: int) -> dict[tuple[int, int], float]:
    """The ways to choose and fill the ranks of ties, by their number up to `most`, and by whether a ten ends them.

    A ten ends them as the higher of the last two cards. Orders of ties and choices of tens are counted elsewhere.
    """
    sums, free = {(0, OPEN): 1.0}, 0
    for r in range(TEN - 1, -1, -1):
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (ties, tens), ways in sums.items():
            room = max(0, free - 2 * ties - (0 if tens == OPEN else 2 - tens))
            for more in range((deck[r] - known.lowest[r]) // 2 + 1):
                if ties + more > most:
                    break
                for end in (OPEN, 0, 1) if tens == OPEN else (tens,):
                    here = end != tens
                    low = perm(deck[r], known.lowest[r] + 2 * more + here)
                    between = perm(room, known.above[r] + (here and end == 0))
                    if low and between:
                        after[ties + more, end] += ways * low * between / factorial(more)
        sums, free = after, free + deck[r] - known.lowest[r] - known.above[r]
    return {place: ways for place, ways in sums.items() if place[1] != OPEN}


def ten_ways(known: Known, ties: int, tens: int, most: int, replaced: bool) -> Iterator[tuple[float, int, int]]:
    """The orders of ties, how many more tens are dealt, and whether both seats end with a black stone (BS-3)."""
    left = most - known.tens
    if not replaced:
        for tied in range((left - tens) // 2 + 1):
            orders = factorial(ties + tied) // factorial(tied)
            yield orders, 2 * tied + tens, int(known.held or tied > 0)
        return
    if not known.held:
        yield factorial(ties), tens, 0
    if tens == 0:
        first = 0 if known.held else 2
        for after in range(ties + 1) if first else (ties,):  # ties after the one in which both had a ten
            for extra in range(left - first + 1):
                yield factorial(ties) * comb(2 * after + 1 + extra, extra), first + extra, 1
