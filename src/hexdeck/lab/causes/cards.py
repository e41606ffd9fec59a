"""Cards and actions in games between bots: how often held, used and chosen, and what players end with.

A game counts as one observation: what happens in it isn't independent. “Ends with” is a seat's result above the mean of
its table. Who is dealt a card is chance, so that is an effect of the card; who uses one chose to, so that isn't.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Cards, Text, say
from hexdeck.lab.counts import kind_numbers
from hexdeck.lab.kernels import NOBODY
from hexdeck.lab.log import Log, card_names, struct_of
from hexdeck.stats import Estimate, ratio

LEAST = 30  # games without which nothing is estimated
UNKNOWN = Estimate(float("nan"), float("-inf"), float("inf"), 0)
ABOVE, BELOW, UNUSED = "above", "below", "unused"


@dataclass
class Ratios:
    """Sums over games of two quantities, of each of which the ratio is estimated; games are independent."""

    above: list[np.ndarray] = field(default_factory=list)
    below: list[np.ndarray] = field(default_factory=list)

    def add(self, above: np.ndarray, below: np.ndarray) -> None:
        """Add games: float64 (games, things)."""
        self.above.append(above)
        self.below.append(below)

    def estimate(self, thing: int) -> Estimate:
        """The ratio for a thing; UNKNOWN where fewer than LEAST games have it."""
        above, below = (np.concatenate([each[:, thing] for each in some]) for some in (self.above, self.below))
        return ratio(above, below) if (below > 0).sum() >= LEAST else UNKNOWN

    def games(self, thing: int) -> int:
        """How many games have it."""
        return int(sum((each[:, thing] > 0).sum() for each in self.below))


@dataclass
class CardCounts:
    """What is counted of each card, in the order of `card_names`.

    `held`: by how many seats in a deal it was ever held, of all seats. `used`: of those who held it in a deal, who
    played, showed or passed it on. `dealt_gain`: what those end with who have it when they first choose in a deal.
    `used_gain`: what those end with who use it. `examples`: for each card, by its name, the number of the first game in
    which somebody who was dealt it ended ABOVE the mean, BELOW it, or held it and left it UNUSED.
    """

    names: tuple[str, ...]
    held: Ratios = field(default_factory=Ratios)
    used: Ratios = field(default_factory=Ratios)
    dealt_gain: Ratios = field(default_factory=Ratios)
    used_gain: Ratios = field(default_factory=Ratios)
    examples: dict[tuple[str, str], int] = field(default_factory=dict)

    def add_examples(self, what: str, holds: np.ndarray, games: np.ndarray) -> None:
        """Note the first game of each card for which something holds: bool (rows, cards), with the game of each row."""
        for k in np.flatnonzero(holds.any(axis=0)).tolist():
            self.examples.setdefault((what, self.names[k]), int(games[holds[:, k].argmax()]))


@dataclass
class ActionCounts:
    """What is counted of each kind of action.

    `chosen`: of decisions with a choice at which it was legal, those that chose it. `gain`: what those end with who
    choose it, each time counted.
    """

    names: tuple[str, ...]
    chosen: Ratios = field(default_factory=Ratios)
    gain: Ratios = field(default_factory=Ratios)


def cards_used(game: GameSetup) -> np.ndarray:
    """Which cards each action plays, shows or passes on: bool (actions, cards)."""
    names = card_names(game)
    return np.array([[name in action.split()[1:] for name in names] for action in game.rules.ACTIONS])


def count_cards(out: CardCounts, game: GameSetup, log: Log) -> None:
    """Add games to what is counted of cards."""
    decides = log.seat != NOBODY
    seat, part = log.seat[decides], numbered_parts(log)[decides]
    held, uses = log.hands[decides] > 0, cards_used(game)[log.action[decides]]
    spot = part * game.players + seat  # a seat in a deal
    first = np.zeros(len(spot), bool)
    first[np.unique(spot, return_index=True)[1]] = True
    size = (int(part[-1]) + 1) * game.players
    had, used, dealt = (grouped(each, spot, size) for each in (held, uses, held & first[:, None]))
    gains, whose = above_table(log.results), numbered_games(log, part, decides)
    gain = gains[whose].reshape(size, 1)

    def summed(values: np.ndarray) -> np.ndarray:
        rows = values.reshape(-1, game.players, len(out.names)).sum(axis=1)
        sums: np.ndarray = np.add.reduceat(rows, np.flatnonzero(np.diff(whose, prepend=-1)), axis=0)
        return sums

    seats = summed(np.ones_like(had, float))
    out.held.add(summed(had.astype(float)), seats)
    out.used.add(summed((had & used).astype(float)), summed(had.astype(float)))
    out.dealt_gain.add(summed(dealt * gain), summed(dealt.astype(float)))
    out.used_gain.add(summed(used * gain), summed(used.astype(float)))
    numbers = log.first + np.repeat(whose, game.players)
    for what, holds in ((ABOVE, dealt & (gain > 0)), (BELOW, dealt & (gain < 0)), (UNUSED, had & ~used)):
        out.add_examples(what, holds, numbers)


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


def numbered_parts(log: Log) -> np.ndarray:
    """A number for each deal of each game, from 0 on, for every row; a game's end belongs to its last deal."""
    new = log.begins | ((np.diff(log.position["deal"], prepend=-1) != 0) & (log.seat != NOBODY))
    return np.cumsum(new) - 1


def numbered_games(log: Log, part: np.ndarray, decides: np.ndarray) -> np.ndarray:
    """The game of each deal."""
    found: np.ndarray = log.game[decides][np.unique(part, return_index=True)[1]]
    return found


def grouped(rows: np.ndarray, spot: np.ndarray, size: int) -> np.ndarray:
    """Whether any of the rows of each spot has it: bool (spots, things)."""
    out, order = np.zeros((size, rows.shape[1]), bool), np.argsort(spot, kind="stable")
    begins = np.flatnonzero(np.diff(spot[order], prepend=-1))
    out[spot[order][begins]] = np.logical_or.reduceat(rows[order], begins, axis=0)
    return out


def above_table(results: np.ndarray) -> np.ndarray:
    """Results above the mean of their table."""
    found: np.ndarray = results - results.mean(axis=1, keepdims=True)
    return found


# --- in the words of the table: as the game names them, or as labels of moves do -------------------------------------
def card_labels(game: GameSetup, log: Log, wanted: Collection[str]) -> dict[str, Text]:
    """The labels of those of the wanted cards that can be played somewhere in these games, by their names."""
    out: dict[str, Text] = {}
    used = cards_used(game)
    for k, name in enumerate(card_names(game)):
        alone = np.flatnonzero(used[:, k] & (used.sum(axis=1) == 1))
        rows, actions = np.nonzero(log.legal[:, alone]) if name in wanted else (np.zeros(0, int),) * 2
        if name in game.table.WORDS:
            out[name] = game.table.WORDS[name]
        elif len(rows):
            out[name] = card_label(game, log, int(rows[0]), int(alone[actions[0]]))
    return out


def card_label(game: GameSetup, log: Log, row: int, action: int) -> Text:
    """The card that an action plays: what its label shows as a card, or the label itself."""
    seat = int(log.seat[row])
    struct = struct_of(game, log.position[row])
    game.rules.conceal(struct, seat)
    label: Text = game.table.label(struct, seat, action)
    card = next((value for value in label.args.values() if isinstance(value, Cards) and len(value.codes) == 1), None)
    return label if card is None else say("{card}", card=card)
