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

    def chance(self, deck: tuple[int, ...]) -> float:
        """The probability of one way to get here: of the ways in which a deck's cards can fill the known places."""
        number_of_ways, free = perm(deck[TEN], self.tens), 0
        for r in range(TEN - 1, -1, -1):  # the highest lower bound leaves the fewest cards
            number_of_ways *= perm(deck[r], self.lowest[r]) * perm(free, self.above[r])
            if number_of_ways == 0:
                return 0.0
            free += deck[r] - self.lowest[r] - self.above[r]
        return number_of_ways / perm(sum(deck), self.white + self.tens)


def opening(players: int, deck: tuple[int, ...], replaced: bool) -> Opening:
    """The probability of each beginning; `replaced`: an extra ten is replaced at once (BS-3).

    They may add up to less than 1: the rarest are dropped, and so are deals in which the deck runs out first.
    """
    out: Opening = defaultdict(float)
    reached: dict[Known, int] = {Known(players, 0, 0, 0): 1}
    while reached:
        further: dict[Known, int] = defaultdict(int)
        for state, number_of_ways in reached.items():
            if state.tied == 2:
                for beginning, chance in decided(state, deck, replaced, most_ties(number_of_ways * state.chance(deck))):
                    out[beginning] += number_of_ways * chance
                continue
            for after, number in compared(state, deck, replaced):
                if after.tied == 1:
                    out[after.white, after.black, after.held] += number_of_ways * number * after.chance(deck)
                elif number_of_ways * number * after.chance(deck) > RARE:
                    further[after] += number_of_ways * number
        reached = further
    return dict(out)


def compared(state: Known, deck: tuple[int, ...], replaced: bool) -> Iterator[tuple[Known, int]]:
    """The states after one more comparison, each with the number of ways in which the seats can share its cards."""
    tied, tens_left = state.tied, deck[TEN] - state.tens
    if replaced and state.held:
        for extra in range(tens_left + 1):
            for after, number in ranked(state, deck, 0):
                yield replace(after, tens=state.tens + extra), number * comb(tied - 1 + extra, extra)
        return
    yield from ranked(state, deck, tens_left)
    if tied <= tens_left:
        yield replace(state, held=1, tens=state.tens + tied), 1


def ranked(state: Known, deck: tuple[int, ...], tens_left: int) -> Iterator[tuple[Known, int]]:
    """The states after comparisons whose lowest card isn't a ten."""
    tied = state.tied
    for r in range(TEN):
        for low in range(1, min(tied, deck[r] - state.lowest[r]) + 1):
            for tens in range(min(tied - low, tens_left) + 1):
                higher = tied - low - tens
                after = Known(
                    low,
                    state.held,
                    state.black + (tied - low if state.held else tens),
                    state.tens + tens,
                    added(state.lowest, r, low),
                    added(state.above, r, higher),
                )
                yield after, comb(tied, low) * comb(tied - low, tens)


def added(counts: tuple[int, ...], r: int, number: int) -> tuple[int, ...]:
    """Counts with a number added at rank r."""
    return (*counts[:r], counts[r] + number, *counts[r + 1 :])


# --- the last two seats -----------------------------------------------------------------------------------------------
def most_ties(chance: float) -> int:
    """The most ties, each about one in ten, that are considered."""
    return 100 if chance == 1 else max(1, int(log10(chance / RARE)) + 1)


def decided(
    state: Known, deck: tuple[int, ...], replaced: bool, limit: int
) -> Iterator[tuple[tuple[int, int, int], float]]:
    """Each beginning after the last two seats have compared until one is lower, and the probability of one way there.

    They can tie many times and in any order, so ties are summed rank by rank.
    """
    for (ties, tens), number_of_ways in sums_over_ranks(state, deck, limit).items():
        white = state.white + 2 * ties + 2 - tens
        for orders, added_tens, held in ten_ways(state, ties, tens, deck[TEN], replaced):
            black = state.black + (1 if held else tens)
            dealt = perm(sum(deck), white + state.tens + added_tens)
            yield (white, black, held), 2 * orders * number_of_ways * perm(deck[TEN], state.tens + added_tens) / dealt


def sums_over_ranks(state: Known, deck: tuple[int, ...], limit: int) -> dict[tuple[int, int], float]:
    """The ways to choose and fill the ranks of ties, by their number up to `limit`, and by whether a ten ends them.

    A ten ends them as the higher of the last two cards. Orders of ties and choices of tens are counted elsewhere.
    """
    sums, free = {(0, OPEN): 1.0}, 0
    for r in range(TEN - 1, -1, -1):
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (ties, tens), number_of_ways in sums.items():
            room = max(0, free - 2 * ties - (0 if tens == OPEN else 2 - tens))
            for pairs in range((deck[r] - state.lowest[r]) // 2 + 1):
                if ties + pairs > limit:
                    break
                for end in (OPEN, 0, 1) if tens == OPEN else (tens,):
                    ends = end != tens
                    low = perm(deck[r], state.lowest[r] + 2 * pairs + ends)
                    higher = perm(room, state.above[r] + (ends and end == 0))
                    if low and higher:
                        after[ties + pairs, end] += number_of_ways * low * higher / factorial(pairs)
        sums, free = after, free + deck[r] - state.lowest[r] - state.above[r]
    return {key: number_of_ways for key, number_of_ways in sums.items() if key[1] != OPEN}


def ten_ways(state: Known, ties: int, tens: int, limit: int, replaced: bool) -> Iterator[tuple[float, int, int]]:
    """The orders of ties, how many more tens are dealt, and whether both seats end with a black stone (BS-3)."""
    tens_left = limit - state.tens
    if not replaced:
        for tied in range((tens_left - tens) // 2 + 1):
            orders = factorial(ties + tied) // factorial(tied)
            yield orders, 2 * tied + tens, int(state.held or tied > 0)
        return
    if not state.held:
        yield factorial(ties), tens, 0
    if tens == 0:
        first = 0 if state.held else 2
        for after in range(ties + 1) if first else (ties,):  # ties after the one in which both had a ten
            for extra in range(tens_left - first + 1):
                yield factorial(ties) * comb(2 * after + 1 + extra, extra), first + extra, 1
