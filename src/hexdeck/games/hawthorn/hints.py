"""Hints in Hawthorn: how results are told, where chips come from, and reasons for moves."""

import numpy as np

from hexdeck.engine.cards import RANKS
from hexdeck.engine.study import CHIPS, EARNED, NOBODY, Account, Evening, Manner, ReadyProbe, Source, Starting, Study
from hexdeck.engine.text import _, say
from hexdeck.games.hawthorn import rules
from hexdeck.games.hawthorn.rules import FOLD, PLAY, TAKE

PROBES = (
    ReadyProbe("fold-early", say("Folding on the first turn"), "fold"),
    ReadyProbe("fold-late", say("Folding from the third round on"), "fold when round >= 3"),
    ReadyProbe("never-fold", say("Never folding"), "never fold"),
    ReadyProbe("show-high", say("Beginning the row with an 8, 9 or 10"), "show 8 or show 9 or show 10"),
)
MANNERS = (
    Manner("bold", _("folds {often}"), "fold", -1.5, -0.4),
    Manner("careful", _("folds {often}"), "fold", 1.5, 0.4),
)
EASY_MISTAKES = (
    ReadyProbe("fear", say("Fearing a pair: folding when more than one card in three would make one"), "fold"),
    ReadyProbe("greed", say("Taking another card while no more than one in three would make a pair"), "take"),
    ReadyProbe("low", say("Playing the lowest card that makes no pair, however likely a later pair"), "play"),
    ReadyProbe("show", say("Showing the lowest card"), "show"),
)


def starting(s):
    """HT-4: the lowest card starts; more cards decide between those tied for it, and usually stay with them."""
    let_start = None if s.tiebreak_cards == rules.DISCARDED else _let_start
    return Starting(EARNED, say("the lowest card shown"), _tied, say("the next card after a tie"), let_start)


def _let_start(s, seat):
    s.first = s.turn = seat
    s.acting = 1 << seat


def _tied(structs):
    """The seats that were tied for the lowest card: those with more cards than one, or with the same lowest card."""
    row = structs["row"].astype(int)
    inside = structs["inside"][:, None] >> np.arange(row.shape[1]) & 1 == 1
    lowest = np.where(inside, row & -row, 1 << RANKS)
    stays = (structs["tiebreak_cards"] != rules.DISCARDED)[:, None]
    return inside & np.where(stays, row & (row - 1) != 0, lowest == lowest.min(axis=1, keepdims=True))


def _chips(structs):
    """HT-2, HT-13: the chips of each seat between two deals: an ante that was just paid belongs to the next."""
    seats = np.arange(structs["purse"].shape[1])
    anted = structs["anted"][:, None] >> seats & 1
    return structs["purse"] + anted * (structs["over"] == 0)[:, None]


def accounts():
    """HT-8 to HT-13: the chips of a session: antes, prices paid, and pots won."""
    sources = (
        Source(say("antes"), _antes),
        Source(say("folding"), lambda steps: _paid(steps) * (steps.action == FOLD)[:, None]),
        Source(say("making a pair"), lambda steps: _paid(steps) * (steps.action != FOLD)[:, None]),
        Source(say("pots won"), lambda steps: np.maximum(_but_antes(steps), 0)),
    )
    cards = Source(
        say("cards taken or played"), lambda steps: steps.by_actor((steps.action == TAKE) | (steps.action >= PLAY))
    )
    return (Account(say("Chips by source"), say("chips"), _won, sources, (cards,)),)


def _won(ends):
    return ends["purse"] - ends["chips"][:, None]


def _antes(steps):
    seats = np.arange(steps.after["purse"].shape[1])
    dealt = steps.after["deal"] > steps.before["deal"]
    return -(dealt[:, None] & (steps.after["anted"][:, None] >> seats & 1))


def _but_antes(steps):
    set_up = (steps.seat == NOBODY)[:, None]
    return steps.change("purse") - _antes(steps) - set_up * steps.after["chips"][:, None]


def _paid(steps):
    return np.minimum(_but_antes(steps), 0)


def because(s, seat, action, worlds):
    """Of a card to show, how likely another player goes first; else how likely a card of the deck makes a pair."""
    if action < TAKE:
        rivals = [p for p in range(s.seats) if p != seat]
        n = worlds.of_100(lambda world: any(world.hand[p, k] for p in rivals for k in range(action)))
        if n == 100:
            return say("Somebody surely holds a lower card, and can go first.")
        return say("Another player holds a lower card in {n} of 100 possible deals, and can go first.", n=n)
    if rules.from_deck(s, seat):
        n = worlds.of_100(lambda world: _pairing(world, s.row[seat]), TAKE, lambda _world: True)  # before chance acts
        return say("The next card makes a pair in {n} of 100 possible deals.", n=n)
    if action == FOLD:
        pairs = all(s.row[seat] >> r & 1 for r in range(RANKS) if s.hand[seat, r])
        return say("Every card in your hand makes a pair.") if pairs and s.held[seat] else None
    if s.row[seat] >> (action - PLAY) & 1 or not s.deck_left:
        return None
    n = worlds.of_100(lambda world: _pairing(world, s.row[seat] | 1 << (action - PLAY)))
    return say("With it in your row, a card from the deck makes a pair {n} times in 100.", n=n)


def _pairing(world, row):
    """The share of the deck that would make a pair in a row."""
    return sum(world.stock[r] for r in range(RANKS) if row >> r & 1) / world.deck_left


STUDY = Study(
    CHIPS,  # HT-14
    starting,
    accounts(),
    Evening("deals", _chips, 1),
    probes=PROBES,
    manners=MANNERS,
    easy_mistakes=EASY_MISTAKES,
    levers=dict.fromkeys(("start_first", "out_of_play", "dead_time"), ("deals",)),
)
