"""Games looked into for causes: where points come from, and what cards and kinds of moves do.

A game is one observation: what happens in it isn't independent. Results are above the mean of the table. Who is dealt a
card is chance, so that is an effect of the card; who uses one chose to, so that isn't.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.backends.kernels_games import EVERYTHING, NOBODY
from hexdeck.engine.discovery.finding import cleared_by_forget
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.playouts import CHUNK
from hexdeck.engine.study import Account, Source
from hexdeck.engine.text import Cards, Text, say
from hexdeck.lab.counts import above_table, kind_numbers, place_shares_of
from hexdeck.lab.log import Log, Player, SimulationSetup, card_names, struct_of
from hexdeck.lab.tension import JudgedChoice, MatchAnalysis
from hexdeck.stats import UNKNOWN, Estimate, clustered, mean, p_beyond, ratio, share


# --- where points come from -------------------------------------------------------------------------------------------
def accounts_of(game: GameSetup) -> tuple[Account, ...]:
    """The accounts of a game with its options; none if it doesn't say any."""
    return tuple(game.hints.STUDY.accounts_in(Match(game, 0, backend="interpreted").struct))


@dataclass
class Ledger:
    """An account of some games, added chunk by chunk."""

    account: Account
    _sources: list[np.ndarray] = field(default_factory=list)
    _beside: list[np.ndarray] = field(default_factory=list)
    _totals: list[np.ndarray] = field(default_factory=list)

    def add(self, game: GameSetup, log: Log) -> None:
        """Add games. Raises BrokenGame where the sources don't add up to the total."""
        amounts = summed(self.account.sources, log, game.players)
        totals = np.asarray(self.account.total(log.final_positions), float)[:, : game.players]
        if not np.allclose(amounts.sum(axis=2), totals):
            why = f"the sources of “{self.account.title}” don't add up to its total"
            raise BrokenGame(say("{game}: {file}: {why}.", game=game.name, file="hints.py", why=why))
        self._sources.append(amounts)
        self._totals.append(totals)
        self._beside.append(summed(self.account.beside, log, game.players))

    amounts = property(lambda self: np.concatenate(self._sources))  # from each source: float64 (games, seats, sources)
    beside = property(lambda self: np.concatenate(self._beside))  # what else was counted: float64, likewise
    totals = property(lambda self: np.concatenate(self._totals))  # at the end of games: float64 (games, seats)


def summed(sources: Sequence[Source], log: Log, players: int) -> np.ndarray:
    """The amounts of sources in each game: float64 (games, seats, sources)."""
    out, changes = np.zeros((len(log), players, len(sources))), log.transitions
    for k, source in enumerate(sources):
        out[:, :, k] = log.by_game(np.asarray(source.amounts(changes), float)[:, :players])
    return out


MOST = 2  # sources that are told to explain most of a difference, if it isn't sure which of them explains more


@dataclass(frozen=True)
class Gap:
    """Why one seat ends ahead of another: what sources give one more than the other, in the same games."""

    best: int
    worst: int
    share: Estimate  # of the place that decides
    total: Estimate  # of the account
    sources: tuple[Estimate, ...]
    p: float  # the p-value of shares and totals that are alike, for all pairs of seats together
    largest: tuple[int, ...]  # the sources that surely explain more than each of the rest; none if more than MOST


def gap(ledger: Ledger, shares: np.ndarray, most_is_best: bool, tests: int) -> Gap:
    """What tells the best seat from the worst, one of so many tests; `shares` (games, seats): of what decides."""
    order = np.argsort(shares.mean(axis=0))
    worst, best = (int(order[0]), int(order[-1])) if most_is_best else (int(order[-1]), int(order[0]))
    share = mean(shares[:, best] - shares[:, worst])
    rows = ledger.amounts[:, best] - ledger.amounts[:, worst]
    total = mean(ledger.totals[:, best] - ledger.totals[:, worst])
    sources = tuple(mean(rows[:, k]) for k in range(rows.shape[1]))
    pairs = shares.shape[1] * (shares.shape[1] - 1) // 2
    p = min(1.0, pairs * max(p_beyond(share, 0.0), p_beyond(total, 0.0)))
    return Gap(best, worst, share, total, sources, p, largest(rows, sources, total, tests * pairs))


def largest(rows: np.ndarray, sources: Sequence[Estimate], total: Estimate, tests: int) -> tuple[int, ...]:
    """The sources that surely explain more of a difference than each of the others does; none if that isn't sure."""
    sign, several = 1 if total.value > 0 else -1, tests * max(1, len(sources) - 1)
    order = sorted(range(len(sources)), key=lambda k: -sign * sources[k].value)
    smaller = [k for k in order[1:] if not mean(sign * (rows[:, order[0]] - rows[:, k])).significant(0.0, several)]
    explaining = (order[0], *smaller)
    sure = all(sign * sources[k].value > 0 and sources[k].significant(0.0, several) for k in explaining)
    return explaining if sure and len(explaining) <= MOST else ()


# --- cards and kinds of moves -----------------------------------------------------------------------------------------
LEAST = 30  # games without which nothing is estimated


@dataclass
class Ratios:
    """Sums over games of two quantities, of each of which the ratio is estimated; games are independent."""

    above: list[np.ndarray] = field(default_factory=list)
    below: list[np.ndarray] = field(default_factory=list)

    def add(self, above: np.ndarray, below: np.ndarray) -> None:
        """Add games: float64 (games, things)."""
        self.above.append(above)
        self.below.append(below)

    def estimate(self, column: int) -> Estimate:
        """The ratio for a thing; UNKNOWN where fewer than LEAST games have it."""
        above, below = (np.concatenate([rows[:, column] for rows in chunks]) for chunks in (self.above, self.below))
        return ratio(above, below) if (below > 0).sum() >= LEAST else UNKNOWN

    def share(self, column: int) -> Estimate:
        """The ratio as a share of as many independent games as have it: it holds where nobody ever did it."""
        games = self.games(column)
        return share(self.estimate(column).value * games, games)

    def games(self, column: int) -> int:
        """How many games have it."""
        return int(sum((rows[:, column] > 0).sum() for rows in self.below))


@dataclass
class CardCounts:
    """What is counted of each card, in the order of `card_names`."""

    names: tuple[str, ...]
    held: Ratios = field(default_factory=Ratios)  # by how many seats in a deal it was ever held, of all seats
    used: Ratios = field(default_factory=Ratios)  # of those who held it in a deal, who played, showed or passed it on
    dealt_gain: Ratios = field(default_factory=Ratios)  # of those who have it when they first choose in a deal
    used_gain: Ratios = field(default_factory=Ratios)  # of those who use it
    # by name, the first game in which who was dealt it ended "above" or "below" the mean, or left it "unused"
    examples: dict[tuple[str, str], int] = field(default_factory=dict)


@dataclass
class ActionCounts:
    """What is counted of each kind of action."""

    names: tuple[str, ...]
    chosen: Ratios = field(default_factory=Ratios)  # of decisions with a choice at which it was legal, who chose it
    gain: Ratios = field(default_factory=Ratios)  # of those who choose it, each time counted


@cleared_by_forget
@functools.cache
def cards_used(game: GameSetup) -> np.ndarray:
    """Which cards each action plays, shows or passes on: bool (actions, cards)."""
    names = card_names(game)
    return np.array([[name in action.split()[1:] for name in names] for action in game.rules.ACTIONS])


def count_cards(out: CardCounts, game: GameSetup, log: Log) -> None:
    """Add games to what is counted of cards."""
    decides = log.seat != NOBODY
    # a number for each deal of each game, from 0 on; a game's end belongs to its last deal
    new_deal = log.begins | ((np.diff(log.position["deal"], prepend=-1) != 0) & decides)
    seat, part = log.seat[decides], (np.cumsum(new_deal) - 1)[decides]
    held, uses = log.hands[decides] > 0, cards_used(game)[log.action[decides]]
    spot = part * game.players + seat  # a seat in a deal
    first = np.zeros(len(spot), bool)
    first[np.unique(spot, return_index=True)[1]] = True
    size = (int(part[-1]) + 1) * game.players
    holders, used, dealt = (grouped(flags, spot, size) for flags in (held, uses, held & first[:, None]))
    games = log.game[decides][np.unique(part, return_index=True)[1]]  # of each deal
    gain = above_table(log.results)[games].reshape(size, 1)

    def summed(values: np.ndarray) -> np.ndarray:
        rows = values.reshape(-1, game.players, len(out.names)).sum(axis=1)
        return np.asarray(np.add.reduceat(rows, np.flatnonzero(np.diff(games, prepend=-1)), axis=0))

    seats = summed(np.ones_like(holders, float))
    out.held.add(summed(holders.astype(float)), seats)
    out.used.add(summed((holders & used).astype(float)), summed(holders.astype(float)))
    out.dealt_gain.add(summed(dealt * gain), summed(dealt.astype(float)))
    out.used_gain.add(summed(used * gain), summed(used.astype(float)))
    numbers = log.first + np.repeat(games, game.players)
    for side, holds in (("above", dealt & (gain > 0)), ("below", dealt & (gain < 0)), ("unused", holders & ~used)):
        for k in np.flatnonzero(holds.any(axis=0)).tolist():
            out.examples.setdefault((side, out.names[k]), int(numbers[holds[:, k].argmax()]))


def count_actions(out: ActionCounts, game: GameSetup, log: Log) -> None:
    """Add games to what is counted of kinds of actions."""
    kind = kind_numbers(game.rules.ACTIONS)[1]
    choice, size = (log.count > 1)[:, None], len(out.names)
    legal, chosen = np.zeros((len(log.seat), size)), np.zeros((len(log.seat), size))
    for k in range(size):
        legal[:, k] = log.legal[:, kind == k].any(axis=1)
    decides = log.seat != NOBODY
    chosen[np.flatnonzero(decides), kind[log.action[decides]]] = 1
    several = legal.sum(axis=1, keepdims=True) > 1  # kinds to choose from
    out.chosen.add(log.by_game(chosen * choice * several), log.by_game(legal * choice * several))
    gain = above_table(log.results)[log.game, np.maximum(log.seat, 0)][:, None]
    out.gain.add(log.by_game(chosen * gain), log.by_game(chosen))


def grouped(rows: np.ndarray, spot: np.ndarray, size: int) -> np.ndarray:
    """Whether any of the rows of each spot has it: bool (spots, things)."""
    out, order = np.zeros((size, rows.shape[1]), bool), np.argsort(spot, kind="stable")
    begins = np.flatnonzero(np.diff(spot[order], prepend=-1))
    out[spot[order][begins]] = np.logical_or.reduceat(rows[order], begins, axis=0)
    return out


# --- what moves are worth, by rollouts --------------------------------------------------------------------------------
@dataclass(frozen=True)
class KindWorth:
    """What a kind of action is worth at the choices that were judged."""

    over_next: Estimate  # where it was chosen, by how much the chosen move beats the best other one (utility)
    over_others: Estimate  # where there was another kind too, by how much its best move beats the best of the others
    best: Estimate  # how often it was best there: of as many independent choices as there were games


def kind_worths(analyses: Sequence[MatchAnalysis], kind: np.ndarray, kinds: int) -> list[KindWorth]:
    """What each kind of action is worth; `kind`: of each action, by its id."""
    out, kinds_of = [], kind.tolist()
    for k in range(kinds):
        chosen, mixed = list[list[float]](), list[list[tuple[float, float]]]()
        for analysis in analyses:
            of = [(choice, [kinds_of[move] == k for move in choice.moves]) for choice in analysis.judged]
            mixed.append([over_others(case, own) for case, own in of if any(own) and not all(own)])
            choices = [case for case, _own in of if kinds_of[case.chosen] == k and len(case.moves) > 1]
            chosen.append([over_others(case, [move == case.chosen for move in case.moves])[0] for case in choices])
        gains = [[gain for gain, _best in match] for match in mixed]
        means = [sum(best for _gain, best in match) / len(match) for match in mixed if match]
        best = share(sum(means), len(means)) if len(means) >= LEAST else UNKNOWN
        out.append(KindWorth(clustered(chosen, LEAST), clustered(gains, LEAST), best))
    return out


def over_others(judged: JudgedChoice, own: Sequence[bool]) -> tuple[float, float]:
    """By how much the best of its own moves beats the best other, and how often it is best: 0, a half, or 1."""
    gains, best, halves = 0.0, 0, judged.halves.tolist()
    sides = [[k for k, mine in enumerate(own) if mine == side] for side in (True, False)]
    for selecting, judging in (halves, halves[::-1]):
        mine, rival = (max(moves, key=selecting.__getitem__) for moves in sides)
        gains += judging[mine] - judging[rival]
        best += selecting[mine] > selecting[rival]
    return gains / 2, best / 2


# --- cards in the table's own words -----------------------------------------------------------------------------------
def card_labels(game: GameSetup, log: Log, cards: Collection[str]) -> dict[str, Text]:
    """The labels of those of the wanted cards that can be played somewhere in these games, by their names."""
    out: dict[str, Text] = {}
    used = cards_used(game)
    for k, name in enumerate(card_names(game)):
        alone = np.flatnonzero(used[:, k] & (used.sum(axis=1) == 1))
        rows, actions = np.nonzero(log.legal[:, alone]) if name in cards else (np.zeros(0, int),) * 2
        if name in game.table.WORDS:
            out[name] = game.table.WORDS[name]
        elif len(rows):
            seat, struct = int(log.seat[rows[0]]), struct_of(game, log.position[rows[0]])
            game.rules.conceal(struct, seat)
            label = game.table.label(struct, seat, int(alone[actions[0]]))
            shown_cards = (value for value in label.args.values() if isinstance(value, Cards) and len(value.codes) == 1)
            card = next(shown_cards, None)  # what the label shows as a card, or else the label itself
            out[name] = label if card is None else say("{card}", card=card)
    return out


# --- the study --------------------------------------------------------------------------------------------------------
STUDIED, OF_SLOW = 2000, 150  # games that are looked into, for each number of players; with slow bots
MANY = 120_000  # decisions that are enough: fewer games are looked into where games are long


@dataclass
class CauseStudy:
    """What was found in some games."""

    game: GameSetup
    ledgers: tuple[Ledger, ...]
    cards: CardCounts
    actions: ActionCounts
    labels: dict[str, Text] = field(default_factory=dict)  # of cards, as the table says them
    decisions: int = 0  # rows of logs so far
    least: int = 0  # so many at least are needed
    _results: list[np.ndarray] = field(default_factory=list)
    _turns: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def of(cls, game: GameSetup) -> CauseStudy:
        """A study of no games yet."""
        kinds = ActionCounts(kind_numbers(game.rules.ACTIONS)[0])
        return cls(game, tuple(map(Ledger, accounts_of(game))), CardCounts(card_names(game)), kinds)

    def add(self, log: Log) -> None:
        """Look into games, of which everything was kept."""
        for ledger in self.ledgers:
            ledger.add(self.game, log)
        if self.cards.names:
            count_cards(self.cards, self.game, log)
        count_actions(self.actions, self.game, log)
        self.labels |= card_labels(self.game, log, set(self.cards.names) - set(self.labels))
        self._results.append(log.results)
        own = log.seat[:, None] == np.arange(self.game.players)
        self._turns.append(log.by_game((own & log.turn_begins[:, None]).astype(float)))
        self.decisions += len(log.seat)

    def counters(self, ledger: Ledger) -> list[tuple[Text | str, np.ndarray]]:
        """What is counted beside an account: turns and what the account has, each float64 (games, seats)."""
        columns = ((source.name, ledger.beside[:, :, k]) for k, source in enumerate(ledger.account.beside))
        return [("turns", self.turns), *columns]

    def look_into(self, player: Player, games: int, stopped: Callable[[], bool]) -> None:
        """Look into games up to number `games`, after those before; `stopped` is asked whether to stop early."""
        for log in player.batches(games, self.games):
            self.add(log)
            if stopped() or self.enough:
                break

    results = property(lambda self: np.concatenate(self._results))  # utilities, float64 (games, seats)
    turns = property(lambda self: np.concatenate(self._turns))  # how many a seat had, float64 (games, seats)

    enough = property(lambda self: self.decisions > max(MANY, self.least))  # whether more needn't be looked into
    games = property(lambda self: sum(map(len, self._results)))  # how many were looked into
    few = property(lambda self: self.games < LEAST)  # too few games to estimate anything
    shares = property(lambda self: place_shares_of(self.results, one_loser(self.game)))  # of what decides: likewise


def study_causes(setup: SimulationSetup, games: int, stopped: Callable[[], bool] = lambda: False) -> CauseStudy:
    """Look into some of so many games, numbered from 0 on, in one thread; `stopped` is asked whether to stop early."""
    study, player = CauseStudy.of(setup.game), Player(setup, EVERYTHING)
    study.look_into(player, min(games, STUDIED if player.bots.chunk >= CHUNK else OF_SLOW), stopped)
    return study
