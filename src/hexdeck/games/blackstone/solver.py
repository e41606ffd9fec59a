"""Exact best play of one round of Blackstone, by backward induction over every position it can reach.

Each seat maximises its own chips in the round. For 2 to 8 players, any deck, and every option except `sit_out`: the
choice to stake isn't solved. Nothing is claimed for positions in which a player can't pay the highest price. In a
session of several rounds, each round is played by itself. The tables of values are stored on disk.

A summary needs to know how a round begins, too: see `opening`.
"""

import functools
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import comb, factorial, log10, perm
from typing import Any

import numpy as np

from hexdeck.engine.backends.cache import SOLVING, backend_folder, kept_array, told_if_slow
from hexdeck.engine.cards import deck_in
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.game import GameSetup, Sheet, Solver, Summary, compiled_kernel, kernel_backend, raw
from hexdeck.engine.text import Text, _, count, number, say, signed
from hexdeck.games.blackstone import induction, rules
from hexdeck.games.blackstone.induction import ANNOUNCED, CAP, EQUAL, LOW, NO_CAP, OTHERS, PLAYERS, SPAN, TENS

MOST_PLAYERS = 8
MOST_POT = 10_000  # chips carried in
MOST_INTERPRETED = 10_000  # values; some seconds, for 2 players: more would take minutes, or days
KEPT = 1 << 28  # bytes; larger tables are computed again rather than written to disk
LEAVING = (rules.FOLD, rules.STOP)  # ties go to these
MISSING = 1e-5  # if more probability is missing, the deck is too small to say how a round begins
FOLDS, UNTIL_TEN = 0, -1  # plans; a positive plan is the number to stop at
NUMBERS = range(1, 13)
STEP = 3  # step in white stones from row to row, so that odd and even alternate: half of them is rounded up
MOST_BEGINNINGS, SELDOM = 12, 0.0005


# --- tables: what they depend on, how they are laid out, and where they are stored
def check(game: GameSetup, pot: int = 0) -> None:
    """Raise BadOption if the game can't be solved."""
    if game.players > MOST_PLAYERS:
        raise BadOption(
            say("Blackstone is solved for 2 to {most} players, not {players}.", most=MOST_PLAYERS, players=game.players)
        )
    if game.options["sit_out"]:
        text = _(
            "Blackstone isn't solved with sit_out: exact play covers a round from the deal on, not the choice to stake."
        )
        raise BadOption(say(text))
    highest = int(rules.full_loss(others_in(game)))
    if game.options["chips"] < highest:
        message = _(
            "Blackstone is solved for players who can pay any price: chips must be at least {highest}, not {chips}."
        )
        raise BadOption(say(message, highest=highest, chips=game.options["chips"]))
    if not 0 <= pot <= MOST_POT:
        raise BadOption(say("A pot carried over can't be {pot}; it must be 0 to {most}.", pot=str(pot), most=MOST_POT))


def is_quick(game: GameSetup) -> bool:
    """Whether a game is solved within seconds: with machine code, or, interpreted, for two players."""
    key = depends_on(game, game.players)
    return table_backend(None) != "interpreted" or laid_out(deck_array(key, 0, 0))[1] <= MOST_INTERPRETED


def table_backend(backend: str | None) -> str:
    """The backend that fills tables where a game runs in another one; `interpreted` only without machine code."""
    return kernel_backend("checked" if backend == "checked" else "fast", induction.fill)


def others_in(game: GameSetup) -> int:
    """The number of cards in the deck that aren't tens."""
    return sum(deck_of(game)[: rules.TEN])


def deck_of(game: GameSetup) -> tuple[int, ...]:
    """The copies of each rank."""
    return deck_in(rules.OPTIONS, game.options)


@dataclass(frozen=True)
class Tables:
    """The values of all positions of a round; for `values`, `blocks` and `deck` see `induction`."""

    values: np.ndarray
    blocks: np.ndarray
    deck: np.ndarray
    backend: str
    seconds: float  # that computing them took; 0 if they were stored

    @property
    def positions(self) -> int:
        """The number of positions, at the start of a turn, that have a value: no more black stones than tens."""
        total, players, tens = 0, int(self.deck[PLAYERS]), int(self.deck[TENS])
        for n in range(2, players + 1):
            for k in range(min(players - n, tens) + 1):
                masks = sum(k + mask.bit_count() <= tens for mask in range(1 << n))
                total += masks * int(self.blocks[n, k, :, 1].sum())
        return total

    def call(self, function: Any, *position: Any) -> Any:
        """A function of `induction`, compiled where it can be, called for a position."""
        kernel = function if self.backend == "interpreted" else compiled_kernel(self.backend, function)
        return kernel(self.values, self.blocks, self.deck, *position)


def solved(
    game: GameSetup, players: int, low: int = 0, span: int = 0, backend: str | None = None, responds: bool = False
) -> Tables:
    """The tables for a round of that many players with `low` to `low` + `span` chips carried in; stored on disk.

    `responds`: those of best responses, see `induction`. Raises BadOption if the game can't be solved.
    """
    check(game, low)
    return tables(depends_on(game, players), low, span, table_backend(backend), responds)


def depends_on(game: GameSetup, players: int) -> tuple[Any, ...]:
    """What the tables for a round depend on, besides pots: players, three options, the deck's ranks."""
    choices = tuple(game.options[name] for name in ("drawing", "draw_cap", "after_fold"))
    return (players, *choices, *deck_of(game))


@functools.lru_cache(maxsize=8)
def tables(key: tuple[Any, ...], low: int, span: int, backend: str, responds: bool = False) -> Tables:
    """The tables by what they depend on; pots; the backend; whether they are of best responses."""
    deck = deck_array(key, low, span)
    blocks, size = laid_out(deck)
    players, drawing, cap, after_fold, *ranks = key
    name = f"{backend}-{players}-{drawing}-{cap:d}-{after_fold}-{'-'.join(map(str, ranks))}-{low}-{span}"
    kind = f"response-{induction.SHARE}-" if responds else ""
    file = backend_folder((__name__,), "solved") / f"{kind}{name}" if 8 * size <= KEPT else None
    spent = list[float]()

    def induce() -> np.ndarray:
        perfect = tables(key, low, span, backend).values if responds else None
        return induced(blocks, deck, size, backend, spent, perfect)

    return Tables(kept_array(file, size, induce), blocks, deck, backend, sum(spent))


def deck_array(key: tuple[Any, ...], low: int, span: int) -> np.ndarray:
    """The `deck` of `induction`."""
    players, drawing, cap, after_fold, *ranks = key
    deck = np.zeros(8, np.int64)
    deck[[TENS, OTHERS, PLAYERS, LOW, SPAN]] = ranks[rules.TEN], sum(ranks[: rules.TEN]), players, low, span
    deck[[CAP, induction.RESTARTS, ANNOUNCED]] = cap, after_fold == "restarts", drawing == "announced"
    return deck


def induced(
    blocks: Any, deck: Any, size: int, backend: str, spent: list[float], perfect: np.ndarray | None = None
) -> np.ndarray:
    """All values, or all best responses to perfect ones, float64; the seconds, without compiling, go to `spent`."""
    players = int(deck[PLAYERS])
    answers: Any = np.zeros(size)
    theirs: Any = np.zeros((4, players))
    ours, mean = np.zeros((4, players)), np.zeros(players)
    kernel: Any = induction.fill
    if backend != "interpreted":
        kernel = compiled_kernel(backend, induction.fill)
    elif perfect is None:  # Python reads lists sooner than arrays
        answers, blocks, deck, theirs = [0.0] * size, memoryview(blocks), deck.tolist(), memoryview(theirs)
    values = answers if perfect is None else perfect

    def solve(n: int, masks: list[int]) -> None:
        order: Any = np.array(masks, np.int64)
        kernel(values, answers, blocks, deck, n, order, theirs, ours, mean, int(perfect is not None))

    solve(2, [])  # compiles
    began = time.perf_counter()
    with told_if_slow(SOLVING):
        for n in range(2, players + 1):
            solve(n, sorted(range(1 << n), key=lambda mask: -mask.bit_count()))  # more black stones first
    spent.append(time.perf_counter() - began)
    return np.asarray(answers)


def laid_out(deck: np.ndarray) -> tuple[np.ndarray, int]:
    """The `blocks` of `induction`, and the number of values."""
    players, span, price = int(deck[PLAYERS]), int(deck[SPAN]), (int(deck[OTHERS]) + 1) // 2
    blocks = np.zeros((players + 1, players - 1, span + (players - 2) * price + 1, 3), np.int64)
    size, layers, end = 0, induction.planes(deck), induction.cell(induction.planes(deck), int(deck[OTHERS]) + 1)
    for n in range(2, players + 1):
        for k in range(min(players - n, int(deck[TENS])) + 1):
            for q in range(span + (players - n) * price + 1):
                paid = q - span  # the fewest white stones with which those who folded can have paid so much:
                white = 2 * (-(-paid // (players - n))) - 1 if paid > 0 else 0
                before = induction.cell(layers, white)
                blocks[n, k, q] = size - before * n, end - before, white
                size += n * (1 << n) * (end - before)
    return blocks, size


def terms_of(s: Any, seat: int) -> tuple[int, int, int, int, int]:
    """The position of a struct in the terms of `induction`, for the seat to act: n, k, pot, mask, white."""
    seats, inside, black = int(s["seats"]), int(s["inside"]), s["black"].tolist()
    order = [p % seats for p in range(seat, seat + seats) if inside >> p % seats & 1]
    mask = sum(black[p] << i for i, p in enumerate(order))
    return len(order), sum(black) - mask.bit_count(), int(s["pot"]), mask, int(s["white"])


def covered(tables: Tables, n: int, k: int, pot: int, mask: int, white: int, last: int) -> bool:
    """Whether the tables have such a position, in the terms of `induction`; elsewhere they must not be read."""
    deck = tables.deck
    players, tens = int(deck[PLAYERS]), int(deck[TENS])
    q = pot - int(deck[LOW]) - rules.STAKE * (players - n)
    if not (2 <= n <= players and 0 <= k <= players - n and k + mask.bit_count() <= tens):
        return False
    if not (0 <= q <= int(deck[SPAN]) + (players - n) * ((int(deck[OTHERS]) + 1) // 2) and 0 <= last <= white + 1):
        return False
    return bool(tables.blocks[n, k, q, 2] <= white <= deck[OTHERS])


# --- best play in a game
class RoundSolution:
    """Best play in a game's rounds, for a bot. The tables for a round are computed when it is first met.

    `responds`: best play against others who play each turn perfectly or as the house bot, one of the two at random.
    """

    def __init__(self, game: GameSetup, backend: str | None = None, responds: bool = False) -> None:
        check(game)
        self.game, self.backend, self.responds = game, backend, responds
        self.driver = game.driver(backend)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._span = game.players - 2 if game.options["rounds"] > 1 else 0  # a remainder can be carried over
        self._solved: dict[int, Tables] = {}  # looking for them takes longer than choosing does
        self._lines, self._dearest = np.zeros((4, game.players)), int(rules.full_loss(others_in(game)))

    def action_values(self, struct: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, best first, with the chips that it brings by the end of the session.

        Exact in the last round if everybody can pay any price; else None, as for responses, whose values hold against
        such players only. `struct`: the bytes of the concealed struct.
        """
        s = np.frombuffer(struct, rules.STRUCT)[0]
        worths = self.worths(struct, seat)  # raises HexdeckError for a position that contradicts itself
        poorest = min(int(s["purse"][p]) for p in range(self.game.players) if int(s["inside"]) >> p & 1)
        sure = not self.responds and s["played"] + 1 == s["rounds"] and poorest >= self._dearest
        return [(action, value if sure else None) for action, value in worths]

    def worths(self, struct: bytes, seat: int) -> list[tuple[int, float]]:
        """Each legal action of a seat, best first, with the chips that it brings if this is the last round."""
        s = np.frombuffer(struct, rules.STRUCT)[0]
        raw(self._rows)[0] = np.frombuffer(struct, np.uint8)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        legal = sorted(self.driver.integers(self._actions, count), key=lambda action: (action not in LEAVING, action))
        worths = best_first([(action, self._worth(s, seat, action)) for action in legal])
        before = int(s["purse"][seat] - s["chips"])
        return [(action, before + worth) for action, worth in worths]

    def _worth(self, s: Any, seat: int, action: int) -> float:
        """The value of an action in this round, in chips."""
        if action == rules.FOLD:
            return -float(rules.full_price(int(s["white"])))
        staked, position, drawn, last = int(s["joined"]).bit_count(), terms_of(s, seat), int(s["drawn"]), int(s["last"])
        if staked > 1 and staked not in self._solved:
            self._solved[staked] = solved(self.game, staked, 0, self._span, self.backend, self.responds)
        tables = self._solved.get(staked)
        if tables is None or not covered(tables, *position, drawn if action == rules.STOP else last):
            raise HexdeckError(
                say("What the seat knows of this position contradicts itself: no bot can choose a move.")
            )
        if action == rules.STOP:
            tables.call(induction.stop, *position, drawn, self._lines, 0)
        else:
            limit = last + position[0] if s["draw_cap"] else NO_CAP
            numbers = (int(s["least"]), limit) if action == rules.DRAW else [int(rules.named(action))] * 2
            tables.call(induction.draw, *position, 0, last, drawn, *numbers, self._lines)
        return float(self._lines[0, 0])


def best_first(worths: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Actions from best to worst; of equal ones the earliest comes first."""
    best = worths[0]
    for pair in worths[1:]:
        if pair[1] > best[1] + EQUAL:
            best = pair
    return [best, *sorted((pair for pair in worths if pair is not best), key=lambda pair: -pair[1])]


# --- how a round begins: what lies on the table once the first player is known ----------------------------------------
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
    lowest: tuple[int, ...] = (0,) * rules.TEN
    above: tuple[int, ...] = (0,) * rules.TEN

    @property
    def white(self) -> int:
        """The number of cards that will be white stones."""
        return sum(self.lowest) + sum(self.above)

    def chance(self, deck: tuple[int, ...]) -> float:
        """The probability of one way to get here: of the ways in which a deck's cards can fill the known places."""
        number_of_ways, free = perm(deck[rules.TEN], self.tens), 0
        for r in range(rules.TEN - 1, -1, -1):  # the highest lower bound leaves the fewest cards
            number_of_ways *= perm(deck[r], self.lowest[r]) * perm(free, self.above[r])
            if number_of_ways == 0:
                return 0.0
            free += deck[r] - self.lowest[r] - self.above[r]
        return number_of_ways / perm(sum(deck), self.white + self.tens)


def opening(players: int, deck: tuple[int, ...], replaced: bool) -> Opening:
    """The probability of each beginning; `replaced`: an extra ten is replaced at once (BS-3).

    Only three numbers matter once the first player is known, since all seats are dealt to alike: the white stones, how
    many of the other seats have a black stone, and whether the first player has one. Cards are dealt in comparisons
    (BS-2). Of each it is enough to know the lowest rank, how many seats tie for it, how many of the others have a ten,
    and that the rest have ranks in between. The same comparisons in another order are as likely, so the state comes
    down to `Known` and the number of ways to get there.

    They may add up to less than 1: the rarest are dropped, and so are deals in which the deck runs out first.
    """
    out: Opening = defaultdict(float)
    reached: dict[Known, int] = {Known(players, 0, 0, 0): 1}
    while reached:
        further: dict[Known, int] = defaultdict(int)
        for state, number_of_ways in reached.items():
            if state.tied == 2:
                likely = number_of_ways * state.chance(deck)
                ties = 100 if likely == 1 else max(1, int(log10(likely / RARE)) + 1)  # each is about one in ten
                for beginning, chance in decided(state, deck, replaced, ties):
                    out[beginning] += number_of_ways * chance
                continue
            for after, ways in compared(state, deck, replaced):
                if after.tied == 1:
                    out[after.white, after.black, after.held] += number_of_ways * ways * after.chance(deck)
                elif number_of_ways * ways * after.chance(deck) > RARE:
                    further[after] += number_of_ways * ways
        reached = further
    return dict(out)


def compared(state: Known, deck: tuple[int, ...], replaced: bool) -> Iterator[tuple[Known, int]]:
    """The states after one more comparison, each with the number of ways in which the seats can share its cards."""
    tied, tens_left = state.tied, deck[rules.TEN] - state.tens
    if replaced and state.held:
        for extra in range(tens_left + 1):
            for after, ways in ranked(state, deck, 0):
                yield replace(after, tens=state.tens + extra), ways * comb(tied - 1 + extra, extra)
        return
    yield from ranked(state, deck, tens_left)
    if tied <= tens_left:
        yield replace(state, held=1, tens=state.tens + tied), 1


def ranked(state: Known, deck: tuple[int, ...], tens_left: int) -> Iterator[tuple[Known, int]]:
    """The states after comparisons whose lowest card isn't a ten."""
    tied = state.tied
    for r in range(rules.TEN):
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
def decided(
    state: Known, deck: tuple[int, ...], replaced: bool, limit: int
) -> Iterator[tuple[tuple[int, int, int], float]]:
    """Each beginning after the last two seats have compared until one is lower, and the probability of one way there.

    They can tie many times and in any order, so ties are summed rank by rank.
    """
    for (ties, tens), number_of_ways in sums_over_ranks(state, deck, limit).items():
        white = state.white + 2 * ties + 2 - tens
        for orders, added_tens, held in ten_ways(state, ties, tens, deck[rules.TEN], replaced):
            black = state.black + (1 if held else tens)
            dealt = perm(sum(deck), white + state.tens + added_tens)
            yield (
                (white, black, held),
                2 * orders * number_of_ways * perm(deck[rules.TEN], state.tens + added_tens) / dealt,
            )


def sums_over_ranks(state: Known, deck: tuple[int, ...], limit: int) -> dict[tuple[int, int], float]:
    """The ways to choose and fill the ranks of ties, by their number up to `limit`, and by whether a ten ends them.

    A ten ends them as the higher of the last two cards. Orders of ties and choices of tens are counted elsewhere.
    """
    sums, free = {(0, OPEN): 1.0}, 0
    for r in range(rules.TEN - 1, -1, -1):
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


# --- what solved play looks like: the value of each seat, how the first player begins, and the best plans
def summary(game: GameSetup, pot: int = 0) -> Summary:
    """The values and the shape of best play, with that many chips carried in. Raises BadOption if it isn't solved."""
    check(game, pot)
    if not is_quick(game):
        raise BadOption(
            say(
                "Without machine code Blackstone is solved for 2 players only; pip install '.[build]' in "
                "Hexdeck's folder installs the compiler."
            )
        )
    tables = solved(game, game.players, pot)
    openings = opening(game.players, deck_of(game), game.options["extra_ten"] == "replaced")
    if sum(openings.values()) < 1 - MISSING:
        message = _(
            "With {players} players a deck of {cards} cards can run out before one of them is lowest, "
            "so the value of a round isn't computed; use more cards."
        )
        raise BadOption(say(message, cards=sum(deck_of(game)), players=game.players))
    size = {"players": game.players, "positions": count(tables.positions)}
    text = _("Blackstone, {players} players: one round solved exactly, {positions} positions, loaded from the cache.")
    title = say(text, **size)
    if tables.seconds:
        text = _("Blackstone, {players} players: one round solved exactly, {positions} positions, {seconds} s.")
        title = say(text, **size, seconds=number(tables.seconds, 1))
    plans = Plans(tables, pot)
    sheets = (
        values_sheet(tables, pot, openings),
        beginnings_sheet(plans, openings),
        plans_sheet(plans, say("Best play by white stones and number to match: all in, no black stones"), 0),
        plans_sheet(plans, say("The same when only the player to act has a black stone"), 1),
    )
    greedy = say("Each player plays for the most chips in one round; between equal choices they fold.")
    return Summary(title, sheets, (greedy, say("Everyone is assumed to have enough chips for any price.")))


def seat_values(tables: Tables, pot: int, openings: Opening) -> np.ndarray:
    """The expected chips of each seat, float64, beginning with the first player."""
    n, total = int(tables.deck[PLAYERS]), np.zeros(int(tables.deck[PLAYERS]))
    for chance, mask, white in masks(n, openings):
        begins = induction.at(tables.blocks, tables.deck, n, 0, pot, mask, white, 0, 0)
        total += chance * tables.values[begins : begins + n]
    return total


def masks(players: int, openings: Opening) -> Iterator[tuple[float, int, int]]:
    """The probability of each mask of black stones, for each number of white stones, once the first player is known."""
    total = sum(openings.values())
    for (white, black, held), chance in openings.items():
        seats = list(combinations(range(1, players), black))
        for chosen in seats:
            yield chance / total / len(seats), held + sum(1 << seat for seat in chosen), white


class Plans:
    """The best plan at the start of a turn while everybody is in: fold, stop at a number, or draw until a ten comes."""

    def __init__(self, tables: Tables, pot: int) -> None:
        self.found, self.players = tables, int(tables.deck[PLAYERS])
        self.place = self.players, 0, pot
        self.lines = np.zeros((4, self.players))

    def plan(self, mask: int, white: int, last: int) -> int:
        """FOLDS, UNTIL_TEN, or the number of cards to stop at (or to announce)."""
        row = self.found.call(induction.turn, *self.place, mask, white, 0, last, self.lines)
        best, deck = self.lines[row, 0], self.found.deck
        remaining = int(induction.cards_left(deck, 0, mask, white))
        if not remaining or best <= EQUAL - rules.full_price(white):
            return FOLDS
        least, limit = int(induction.fewest(0, last)), int(induction.highest(deck, self.players, last))
        if deck[ANNOUNCED]:
            return self._announced(mask, white, last, least, max(least, min(limit, remaining)), best)
        return self._stopping(mask, white, last, least, limit)

    def _announced(self, mask: int, white: int, last: int, least: int, limit: int, best: float) -> int:
        for announced in range(least, limit):
            self.found.call(induction.draw, *self.place, mask, white, 0, last, 0, announced, announced, self.lines)
            if self.lines[0, 0] >= best - EQUAL:
                return announced
        return limit

    def _stopping(self, mask: int, white: int, last: int, least: int, limit: int) -> int:
        white_left = int(self.found.deck[OTHERS]) - white
        for drawn in range(least, min(limit, white_left)):
            self.found.call(induction.stop, *self.place, mask, white + drawn, drawn, self.lines, 0)
            worth = self.lines[0, 0]
            self.found.call(induction.draw, *self.place, mask, white + drawn, 0, last, drawn, least, limit, self.lines)
            if not self.lines[0, 0] > worth + EQUAL:
                return drawn
        return UNTIL_TEN if limit > white_left else limit


# --- sheets -----------------------------------------------------------------------------------------------------------
def values_sheet(tables: Tables, pot: int, openings: Opening) -> Sheet:
    """A sheet of what a round is worth to each seat."""
    values = seat_values(tables, pot, openings)
    title = say("What a round is worth to each seat, in chips, starting with the first player")
    heads = tuple(str(k + 1) for k in range(len(values)))
    return Sheet(title, heads, (tuple(signed(value, 4) for value in values),))


def beginnings_sheet(plans: Plans, openings: Opening) -> Sheet:
    """A sheet of how often the first player begins in which way."""
    often: dict[int, float] = defaultdict(float)
    for chance, mask, white in masks(plans.players, openings):
        often[plans.plan(mask, white, 0)] += chance
    usual = sorted((plan for plan in often if often[plan] >= SELDOM), key=lambda plan: -often[plan])[:MOST_BEGINNINGS]
    usual.sort(key=lambda plan: (plan == UNTIL_TEN, plan))
    title, heads = say("How the first player begins, in % of rounds"), tuple(plan_text(plan) for plan in usual)
    return Sheet(title, heads, (tuple(number(100 * often[plan], 1) for plan in usual),), legend(plans))


def plans_sheet(plans: Plans, title: Text, mask: int) -> Sheet:
    """A sheet of best plans by white stones and number to match, at most as many, with these black stones."""
    rows = tuple(
        (str(white), *(plan_text(plans.plan(mask, white, last)) if last <= white else "" for last in NUMBERS))
        for white in range(1, int(plans.found.deck[OTHERS]) + 1, STEP)
    )
    return Sheet(title, (say("white"), *map(str, NUMBERS)), rows)


def legend(plans: Plans) -> Text:
    """The meaning of the entries."""
    if plans.found.deck[ANNOUNCED]:
        return say("A number: announce it. –: fold.")
    return say("A number: stop there unless a ten has come. T: draw until a ten comes. –: fold.")


def plan_text(plan: int) -> str:
    """A plan as a letter or a number."""
    return "–" if plan == FOLDS else "T" if plan == UNTIL_TEN else str(plan)


SOLVER = Solver(check, RoundSolution, summary, partial(RoundSolution, responds=True), is_quick)
