"""Hints in Wolf-Man's Curse: how results are told, where points come from, and reasons for moves."""

from functools import partial

from hexdeck.engine.cards import size
from hexdeck.engine.study import EARNED, WINS, Account, Manner, ReadyProbe, Source, Starting, Study
from hexdeck.engine.text import _, say
from hexdeck.games.wolf_mans_curse import rules
from hexdeck.games.wolf_mans_curse.rules import CARDS, NONE
from hexdeck.games.wolf_mans_curse.table import SUIT

LOW, HIGH = "play A* or play 2* or play 3* or play 4*", "play 8* or play 9* or play 10*"
PROBES = (
    ReadyProbe("no-hearts", say("Never playing hearts"), "never play *h"),
    ReadyProbe("clubs-away", say("Playing clubs first"), "play *c"),
    ReadyProbe("play-low", say("Playing low"), LOW),
    ReadyProbe("play-high", say("Playing high"), HIGH),
)
MANNERS = (
    Manner("bold", _("plays a diamond {often}"), "play *d", 0.5, 0.02),
    Manner("careful", _("plays low cards (ace to 4) {often}"), LOW, 0.5, 0.015),
    Manner("sly", _("plays a club {often}"), "play *c", 0.5, 0.065),
)
EASY_MISTAKES = (
    ReadyProbe("middle", say("Fearing both ends: playing the middle card, whatever tonight brings"), "play"),
)


def accounts():
    """WC-10: the points on the score sheet by suit, and jokers beside them."""
    sources = tuple(Source(name, partial(_in_suit, suit)) for suit, name in enumerate(SUIT))
    jokers = Source(say("jokers captured"), lambda steps: steps.change("jokers"))
    return (Account(say("Points by suit"), say("points"), _points, sources, (jokers,)),)


def _points(ends):
    return (ends["points"].astype(int) + ends["month"]).sum(axis=2)


def _in_suit(suit, steps):
    return steps.change("points", "month")[:, :, suit]


def because(_s, seat, action, worlds):
    """How likely the card captures tonight's cards."""
    n = worlds.of_100(lambda world: _capturing(world, seat, action))
    return say("Wins tonight's cards in {n} of 100 possible deals, if the others play at random.", n=n)


def _capturing(world, seat, card):
    """The probability that all other cards tonight are weaker, if hands still to play choose at random."""
    mine, chance = rules.strength(world, card), 1.0
    for p in range(world.seats):
        if p != seat:
            laid = world.card[p]
            cards = world.hand[p] if laid == NONE else 1 << laid
            weaker = sum(cards >> k & 1 for k in range(CARDS) if rules.strength(world, k) < mine)
            chance *= weaker / size(cards)
    return chance


STUDY = Study(
    WINS,  # WC-18: a share of the win
    # WC-7, WC-8: the first night has no starter; the second begins to the left of the player who won the first
    Starting(EARNED, say("sits to the left of whoever won the first night")),
    accounts(),
    probes=PROBES,
    manners=MANNERS,
    easy_mistakes=EASY_MISTAKES,
)
