"""Cards in the table's own words: as the game names them, or from the labels of moves that play them."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Cards, Text, say
from hexdeck.lab.causes.cards import cards_used
from hexdeck.lab.log import Log, card_names, struct_of


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
