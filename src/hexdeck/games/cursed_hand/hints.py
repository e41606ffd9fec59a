"""Hints in Cursed Hand: how results are told, why games are lost, and reasons for moves."""

import functools

import numpy as np

from hexdeck.engine.cards import RANKS
from hexdeck.engine.study import EARNED, Account, Manner, ReadyProbe, ResultUnit, Source, Starting, Study
from hexdeck.engine.text import Seat, _, say
from hexdeck.engine.view import rank_cards
from hexdeck.games.cursed_hand import rules
from hexdeck.games.cursed_hand.rules import ACCEPT, CALL, CARD, PAIRED

CURSED_PAIRS = " or ".join(("pair 1", *(f"pair {r} {r}" for r in range(2, RANKS + 1))))
PROBES = (
    ReadyProbe("call-all", say("Calling every ghost hand"), "call"),
    ReadyProbe("never-call", say("Never calling"), "accept"),
    ReadyProbe(
        "curse-first", say("Sending cursed hands whenever one can"), f"{CURSED_PAIRS}; add 1 when ghost_size <= 3"
    ),
    ReadyProbe("high-grave", say("Beginning the graveyard with an 8, 9 or 10"), "grave 8 or grave 9 or grave 10"),
)
MANNERS = (
    Manner("bold", _("calls {often}"), "call", 0.5, 0.01),
    Manner("careful", _("accepts a ghost hand {often}"), "accept", 0.5, 0.015),
    Manner("sly", _("begins with a cursed ghost hand {often}"), CURSED_PAIRS, 1.0, 0.05),
)
EASY_MISTAKES = (
    ReadyProbe("whim", say("Calling on a whim: one ghost hand in three, whatever its size"), "call"),
    ReadyProbe("trust", say("Accepting the others, without a doubt"), "accept"),
    ReadyProbe("forget", say("Adding the lowest card, without a look at what lies there"), "add"),
    ReadyProbe("start", say("Beginning with the two lowest cards"), "pair"),
    ReadyProbe("low", say("Beginning the graveyard with the lowest card"), "grave"),
)


def measure(s):
    """CH-15: with one loser among n seats, utility u is a chance of (n - 1) (1 + u) / n not to lose."""
    safe = 100.0 * (s.seats - 1) / s.seats
    text = _("stays safe in about {number} %")
    return ResultUnit(text, text, _("{number} matches in 100"), say("% safe"), safe, safe, 0.0, 100.0, whole=True)


def _drawn_between(structs):
    """The seats between which the lot decided; none where a card was unique."""
    tied = np.array([_tied(grave.tobytes()) for grave in structs["grave"]], int)
    return tied[:, None] >> np.arange(rules.SEATS) & 1 == 1


@functools.cache
def _tied(graves):
    """The seats whose first cards are equal, by bits; 0 where one seat has the highest."""
    first, seats = rules.starter(np.frombuffer(graves, np.int8).reshape(rules.SEATS, RANKS), rules.SEATS)
    return seats if first == rules.NONE else 0


def accounts():
    """CH-8 to CH-13: lost games by what made the pair in the graveyard, or by the most points there."""
    sources = (
        Source(say("calling a clean hand"), lambda steps: _paired(steps, CALL) * _own(steps)),
        Source(say("passing on a cursed hand"), lambda steps: _paired(steps, CALL) * ~_own(steps)),
        Source(say("an accepted hand that nobody could add to"), lambda steps: _paired(steps, ACCEPT)),
        Source(say("most points when cards ran out"), _by_points),
    )
    calls = Source(say("calls"), lambda steps: steps.by_actor(steps.action == CALL))
    return (Account(say("Lost games by cause"), say("lost games"), lambda ends: ends["lost"], sources, (calls,)),)


def _paired(steps, action):
    by_pair = (steps.action == action) & (steps.after["ending"] == rules.BY_PAIR)
    return steps.change("lost") * by_pair[:, None]


def _by_points(steps):
    return steps.change("lost") * (steps.after["ending"] == rules.BY_EXHAUSTION)[:, None]


def _own(steps):
    return steps.seat[:, None] == np.arange(steps.after["lost"].shape[1])


def because(s, seat, action, worlds):
    """How likely the ghost hand is cursed, and what a call brings; of a card to bury, how likely others hold it."""
    if action in (CALL, ACCEPT):
        return _odds(worlds, action)
    if action < CALL:
        n = worlds.of_100(lambda world: any(world.hand[p, action] for p in range(s.seats) if p != seat))
        return say("Another player also holds a card with this number in {n} of 100 possible deals.", n=n)
    return _passing(worlds, seat, action)


def _odds(worlds, action):
    n, m = worlds.of_100(_cursed), worlds.of_100(lambda world: _loses(world, worlds.seat, worlds.seat, action))
    if m == 0:
        return say("By the cards alone, the ghost hand is cursed in {n} of 100 possible deals.", n=n)
    call = _(
        "By the cards alone, the ghost hand is cursed in {n} of 100 possible deals; in {m} you lose at once if you "
        "call it."
    )
    accept = _(
        "By the cards alone, the ghost hand is cursed in {n} of 100 possible deals; in {m} you lose at once if you "
        "accept it."
    )
    return say(call if action == CALL else accept, n=n, m=m)


CALLED = {  # by whether the ghost hand is cursed, and whether the game ends then
    (True, True): _(
        "The ghost hand you pass on is cursed. If {player} calls it, you lose at once, by a pair in your graveyard."
    ),
    (True, False): _(
        "The ghost hand you pass on is cursed. If {player} calls it, this goes to your graveyard: {cards}."
    ),
    (False, True): _(
        "The ghost hand you pass on is clean. If {player} calls it, {player} loses at once, by a second {cards} in the "
        "graveyard."
    ),
    (False, False): _(
        "The ghost hand you pass on is clean. If {player} calls it, this goes to {player}'s graveyard: {cards}."
    ),
}


def _passing(worlds, seat, action):
    """What is passed on, all of which the seat has seen, and what a call would bring, if one can come."""
    highest, cursed, paired = rules.judge(_added(next(iter(worlds)), action))
    world = next(iter(worlds))
    rules.apply_action(world, seat, action)
    if world.phase != rules.ANSWER:
        return say("The ghost hand you pass on is cursed.") if cursed else say("The ghost hand you pass on is clean.")
    caller = world.turn
    at_once = _loses(world, seat if cursed else caller, caller, CALL)
    paid = [r for r in range(RANKS) if paired >> r & 1] if cursed else [highest]
    return say(CALLED[cursed > 0, at_once], player=Seat(caller), cards=rank_cards(*paid))


def _loses(world, loser, seat, action):
    """Whether the seat's action makes a pair in the loser's graveyard (CH-12)."""
    before = world.lost[loser]
    rules.apply_action(world, seat, action)
    return world.lost[loser] > before and world.ending == rules.BY_PAIR


def _added(world, action):
    """A world with only the ghost hand as the move leaves it, since the next game may be dealt at once (CH-13)."""
    for r in rules.pair_of(action) if action >= PAIRED else (action - CARD,):
        world.ghost[world.ghost_size] = r
        world.ghost_size += 1
    return world


def _cursed(world):
    return rules.judge(world)[1] != 0


STUDY = Study(
    measure,
    # CH-3: the highest card that only one player chose starts, else one of the highest, drawn by lot
    Starting(EARNED, say("the highest card that nobody else chose"), _drawn_between, say("the lot between equals")),
    accounts(),
    probes=PROBES,
    manners=MANNERS,
    easy_mistakes=EASY_MISTAKES,
    levers={"start_last": ("clean_accept", "exhaustion")},
)
