"""Hints in High Handed: how results are told, where points come from, and reasons for moves."""

from functools import partial

import numpy as np

from hexdeck.engine.study import BY_LOT, BY_RULE, Account, Manner, ReadyProbe, ResultUnit, Source, Study
from hexdeck.engine.text import _, in_points, say, say_n
from hexdeck.games.high_handed import rules, table
from hexdeck.games.high_handed.captions import CATEGORIES
from hexdeck.games.high_handed.rules import AT_CELL, KINDS, LEAVE, REGULAR
from hexdeck.games.high_handed.scoring import POINTS as WORTH
from hexdeck.games.high_handed.strategy import guess

LACKING = {
    2: (0.0, 7.3, 3.3, 0.5),
    3: (-6.4, 2.7, 2.6, 0.5),
    4: (-9.0, 6.4, 2.9, 0.5),
    5: (-9.7, 4.4, 4.3, 0.5),
    6: (-9.1, 3.3, 2.4, 0.4),
}  # by players, see `_lacking`


def _lacking(s):
    """The points that a game stopped at the horizon lacks for the player who chooses, and half the 95 % interval.

    Worlds deal others any cards, but what house bots have kept is what didn't score: so worlds flatter the others, most
    halfway through the cards, and not when none or all are played. Among more than two, the lead over the best of the
    others shrinks as long as cards are left. `LACKING` holds, by the number of players, what lacks when no card is
    played; what that flattery takes halfway if a card is to be chosen, and later in a turn; and the interval.
    """
    if s.seats not in LACKING:
        return 0.0, 0.0
    at_first, choosing, placing, margin = LACKING[s.seats]
    cards = s.suits * s.ranks + rules.in_play(s.seats, s.two_timers) + rules.in_play(s.seats, s.thieves) - s.blind
    unplayed = (s.pile[0] + s.pile[1] + sum(s.held[p] for p in range(s.seats))) / cards
    halfway = choosing if s.phase == rules.CARD else placing
    return at_first * unplayed + halfway * 4 * unplayed * (1 - unplayed), margin


POINTS = ResultUnit(
    _("about {number} points ahead of the next"),
    _("about {number} points behind the leader"),
    _("{number} points"),
    say("points ahead"),
    horizon=8,
    lacking=_lacking,  # the lead then predicts the lead at the end
    leads=True,
)
GAMES = ResultUnit(
    _("about {number} games ahead"),
    _("about {number} games behind"),
    _("{number} games"),
    say("games ahead"),
    leads=True,
)

PROBES = (
    ReadyProbe("thief-early", say("Playing a Thief at once"), "play thief"),
    ReadyProbe("never-thief", say("Never playing a Thief before one must"), "never play thief"),
    ReadyProbe("timer-early", say("Playing a Two Timer at once"), "play two-timer"),
    ReadyProbe("never-timer", say("Never playing a Two Timer before one must"), "never play two-timer"),
)
MANNERS = (
    Manner("bold", _("plays a Thief or a Two Timer {often}"), "play thief or play two-timer", 0.5, 2.0),
    Manner("careful", _("plays a Thief or a Two Timer {often}"), "play thief or play two-timer", -0.7, -2.0),
)
EASY_MISTAKES = (
    ReadyProbe("forget", say("Forgetting the Thieves and Two Timers: playing the lowest card"), "play"),
    ReadyProbe("greed", say("Taking the most points now, also where that helps whoever comes next"), "cell"),
)


def measure(s):
    """HH-20: the lead over the best other side, in points, or in games won."""
    return GAMES if s.length == rules.FIRST_TO_TWO else POINTS


def starting(s):
    """HH-3: the first seat, or one drawn by lot."""
    return BY_LOT if s.first else BY_RULE


def accounts(s):
    """HH-13, HH-17: points by stage and by kind of hand; none where points start anew in a match."""
    if s.length == rules.FIRST_TO_TWO:
        return ()
    hands = [Source(CATEGORIES[k], partial(_by_hand, k)) for k in range(1, len(CATEGORIES))]
    sources = [Source(say("doubled by Two Timers"), _doubled)]
    if s.uncle_bob_rule:
        sources.append(Source(say("accusations"), lambda steps: np.minimum(_points(steps), 0)))
    stages = (
        Source(say("first turn"), lambda steps: _points(steps) * (steps.turn == 1)[:, None]),
        Source(say("later turns with a full hand"), partial(_with_hand, True)),
        Source(say("turns with a smaller hand"), partial(_with_hand, False)),
    )
    cards = Source(say("cards played"), lambda steps: steps.by_actor((steps.action >= 0) & (steps.action < KINDS)))
    return (
        Account(say("Points by stage"), say("points"), _score, stages, (cards,)),
        Account(say("Points by kind of hand"), say("points"), _score, (*hands, *sources)),
    )


def _score(ends):
    return ends["score"]


def _points(steps):
    return steps.change("score")


def _with_hand(full, steps):
    held = np.take_along_axis(steps.before["held"], np.maximum(steps.seat, 0)[:, None], axis=1)[:, 0]
    size = rules.hand_size(steps.seats, int(steps.after["hand_cards"][0]))
    is_full = held + steps.before["stacked"] >= size  # with the specials that this turn has laid
    return _points(steps) * ((steps.turn > 1) & (is_full == full))[:, None]


def _by_hand(category, steps):
    return steps.by_actor(steps.change("made")[:, category] * WORTH[category])


def _doubled(steps):
    plain = sum(_by_hand(k, steps) for k in range(1, len(CATEGORIES)))
    return np.maximum(_points(steps), 0)[:, : steps.seats] - plain


def because(s, seat, action, _worlds):
    """The points that a placement scores, or can score."""
    if AT_CELL <= action < LEAVE:
        points = table.label(s, seat, action).points
        return _scoring(points) if s.picked < REGULAR else _promised(points)
    if action >= REGULAR:
        return None
    if s.phase == rules.STACK:
        return _scoring(table.most_points(s, [action], [s.cell]))
    return _promised(table.most_on_empty(s, [action]))


def _scoring(points):
    return say("It scores {points}.", points=in_points(points))


def _promised(points):
    if points is None:
        return None
    return say_n("It can score {n} point this turn.", "It can score {n} points this turn.", points)


STUDY = Study(
    measure,
    starting,
    accounts,
    probes=PROBES,
    manners=MANNERS,
    easy_mistakes=EASY_MISTAKES,
    guess=guess,
    levers={"fair": ("blind",), "dealt_gain two-timer": ("specials",)},
)
