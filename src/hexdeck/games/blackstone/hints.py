"""Hints in Blackstone: how results are told, where chips come from, and reasons for moves."""

from math import comb

import numpy as np

from hexdeck.engine import study
from hexdeck.engine.text import _, say
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.rules import DRAW, FOLD, NAME, SIT, STOP, TEN
from hexdeck.games.blackstone.strategy import guess

PROBES = (
    study.ReadyProbe("fold-early", say("Folding on the first turn"), "fold"),
    study.ReadyProbe("fold-black", say("Folding with a black stone"), "fold when black[0] >= 1"),
    study.ReadyProbe("never-fold", say("Never folding"), "never fold"),
    study.ReadyProbe("draw-more", say("Drawing three cards or more each turn"), "draw when drawn < 3; stop"),
)
MANNERS = (
    study.Manner("bold", _("folds {often}"), "fold", -0.7, -0.4),
    study.Manner("careful", _("folds {often}"), "fold", 0.5, 0.4),
)
EASY_MISTAKES = (
    study.ReadyProbe("fear", say("Folding unless three in four times nothing happens"), "fold"),
    study.ReadyProbe("timid", say("Stopping as soon as one may"), "stop"),
    study.ReadyProbe("least", say("Drawing, or announcing as few cards as allowed"), "draw or announce"),
)


def starting(s):
    """BS-2: the lowest card starts; with open stakes, who is asked first to stake depends on the round alone."""
    if s.sit_out and s.stakes == rules.OPEN:
        return study.BY_RULE
    return study.Starting(
        study.DEALT, say("dealt the lowest card"), _without_black_stone, say("the cards dealt at the start")
    )


def _without_black_stone(structs):
    """The seats without a black stone: whose cards went to the centre, so that they are alike but for who starts."""
    black = structs["black"]
    return (structs["joined"][:, None] >> np.arange(black.shape[1]) & 1 == 1) & (black == 0)


def accounts():
    """BS-8 to BS-11: the chips of a session: prices of folding, losses by drawing, and pots shared."""
    sources = (
        study.Source(say("folding"), lambda steps: _paid(steps) * (steps.action == FOLD)[:, None]),
        study.Source(say("drawing too many"), lambda steps: _paid(steps) * (steps.action != FOLD)[:, None]),
        study.Source(say("pots shared"), lambda steps: np.maximum(_change(steps), 0)),
    )
    draws = study.Source(
        say("times drawn"), lambda steps: steps.by_actor((steps.action == DRAW) | (steps.action >= NAME))
    )
    return (study.Account(say("Chips by source"), say("chips"), _won, sources, (draws,)),)


def _won(ends):
    return ends["purse"] - ends["chips"][:, None]


def _change(steps):
    set_up = (steps.seat == study.NOBODY)[:, None]
    return steps.change("purse") - set_up * steps.after["purse"]


def _paid(steps):
    return np.minimum(_change(steps), 0)


def because(s, seat, action, worlds):
    """How likely these cards bring a second black stone; for stopping or folding, of the fewest that could be drawn."""
    if action <= SIT or not s.deck_left:
        return None
    leaving = action in (STOP, FOLD)
    announced = s.drawing == rules.ANNOUNCED
    draw = (NAME + s.least - 1 if announced else DRAW) if leaving else action
    if leaving and rules.illegal_reason(s, seat, draw):
        return None
    number = rules.named(draw) if announced else rules.cards_to_draw(s)
    n = worlds.of_100(lambda world: _second(world, seat, min(number, world.deck_left)))
    if leaving:
        return say("Drawing would bring a second black stone {n} times in 100.", n=n)
    return say("A second black stone comes {n} times in 100.", n=n)


def _second(s, seat, number):
    """BS-6, BS-9: the probability that so many cards have enough tens to give the seat a second black stone."""
    tens, remaining = s.stock[TEN], s.deck_left
    fewer = sum(comb(tens, k) * comb(remaining - tens, number - k) for k in range(2 - s.black[seat]))
    return 1 - fewer / comb(remaining, number)


STUDY = study.Study(
    study.CHIPS,  # BS-14
    starting,
    accounts(),
    study.Evening("rounds", lambda structs: structs["purse"], rules.STAKE),
    probes=PROBES,
    manners=MANNERS,
    easy_mistakes=EASY_MISTAKES,
    guess=guess,
    levers={
        "tied": ("rounds",),
        "out_of_play": ("rounds",),
        "start_gain": ("draw_cap", "drawing"),
        "start_first": ("draw_cap", "drawing", "rounds"),
    },
)
