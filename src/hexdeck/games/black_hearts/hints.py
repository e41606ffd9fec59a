"""Hints in Black Hearts: how results are told, where curse points come from, and reasons for moves."""

from functools import partial

from hexdeck.engine.study import DEALT, WINS, Account, Manner, ReadyProbe, Source, Starting, Study
from hexdeck.engine.text import _, say
from hexdeck.games.black_hearts import rules
from hexdeck.games.black_hearts.rules import CARD, HIGHER, KINDS, LOWER, NONE, SORT
from hexdeck.games.black_hearts.table import in_curse_points
from hexdeck.games.black_hearts.values import GIFT_NAMES

LATE = 4  # rounds from this one on are told together

PROBES = (
    ReadyProbe(
        "catch-all",
        say("Collecting all curses"),
        "never pass curse-*; play *-1 or play *-2 when gift[0] = 1; play *-4 or play *-5 or play *-6",
    ),
    ReadyProbe("keep-curses", say("Never passing Curse cards on"), "never pass curse-*"),
    ReadyProbe("pass-curses", say("Passing Curse cards on"), "pass curse-* curse-*; pass curse-*"),
    ReadyProbe("duck", say("Always playing low"), "play *-1 or play *-2 or play *-3"),
)
MANNERS = (
    Manner("bold", _("plays high cards (5, 6) {often}"), "play *-5 or play *-6", 0.5, 0.06),
    Manner("careful", _("plays low cards (1, 2) {often}"), "play *-1 or play *-2", 0.5, 0.06),
    Manner("sly", _("passes Curse cards on {often}"), "pass curse-*", -0.7, -0.06),
)
EASY_MISTAKES = (
    ReadyProbe("duck", say("Always ducking: playing the lowest card, whatever lies there"), "play"),
    ReadyProbe("dump", say("Passing the two highest cards, curses or not"), "pass"),
)


def accounts():
    """BH-10: curse points by the Gift in force, and by round."""
    gifts = [Source(say("no Gift"), partial(_under, NONE))]
    gifts += [Source(name, partial(_under, gift)) for gift, name in enumerate(GIFT_NAMES)]
    rounds = [Source(say("round {number}", number=k), partial(_in_rounds, range(k, k + 1))) for k in range(1, LATE)]
    late = Source(say("round {number} and later", number=LATE), partial(_in_rounds, range(LATE, 1000)))
    return (
        Account(say("Curse points by Gift"), say("curse points"), _total, tuple(gifts)),
        Account(say("Curse points by round"), say("curse points"), _total, (*rounds, late)),
    )


def _total(ends):
    return ends["total"]


def _under(gift, steps):
    return steps.change("total") * (steps.before["gift"] == gift)[:, None]


def _in_rounds(numbers, steps):
    deal = steps.before["deal"]
    return steps.change("total") * ((deal >= numbers[0]) & (deal <= numbers[-1]))[:, None]


def because(s, seat, action, worlds):
    """Of a pass, the curse points passed on; of a card, how likely it is to take the trick."""
    if action < CARD:
        points = sum(s.curse_points[kind] for kind in (LOWER[action], HIGHER[action]) if kind < SORT)
        return say("This passes on {points}.", points=in_curse_points(points))
    if _last(s):
        takes = rules.taker(s, s.seats, action - CARD) == seat
        return say("This wins the trick.") if takes else say("This doesn't win the trick.")
    n = worlds.of_100(lambda world: _taking(world, seat), action, _last)
    return say("Wins the trick in {n} of 100 possible deals, if the others play at random.", n=n)


def _last(s):
    """Whether the player on turn plays the last card of the trick."""
    return (s.turn + 1) % s.seats == s.leader


def _taking(world, seat):
    """The share of the last player's cards with which the trick goes to a seat."""
    hand = [kind for kind in range(KINDS) for _ in range(world.hand[world.turn, kind])]
    return sum(rules.taker(world, world.seats, kind) == seat for kind in hand) / len(hand)


STUDY = Study(
    WINS,  # BH-14: a share of the win
    # BH-8: the holder of Two o'clock must lead it, so that the player to the left is the first with a choice
    Starting(DEALT, say("sits to the left of Two o'clock")),
    accounts(),
    probes=PROBES,
    manners=MANNERS,
    easy_mistakes=EASY_MISTAKES,
    levers={"tied": ("curse_points", "gifts")},
)
