"""A night of the Wolf-Man in steps: the last card lies on the table, the strongest is named, and takes them all."""

from collections.abc import Sequence
from typing import Any

from hexdeck.engine.beat import PLAYED, RESOLVED, REVEALED, Beat, changed, one_beat
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Zone
from hexdeck.games.wolf_mans_curse import rules

# sentences of `table.narrate` that beats are made from
YOU_PLAY, PLAYS = _("You play the {card}."), _("{seat} plays the {card}.")
YOU_SCORE, SCORES = _("You score {points}."), _("{seat} scores {points}.")
MONTH_OVER = _("Month {month} is over and scored.")
YOU_CAPTURE = _("The strongest is yours. You capture {cards}: {points}.")
CAPTURES = _("{seat} is strongest and captures {cards}: {points}.")
Zones = tuple[Zone, ...]


def beats(seat: int, before: Any, old: Zones, facts: Sequence[Text], new: Zones) -> tuple[Beat, ...]:
    """The beats of an event: `old` and `new` are the zones around it."""
    taken = next((k for k, fact in enumerate(facts) if fact.key in (YOU_CAPTURE, CAPTURES)), None)
    if taken is None:
        return (one_beat(old, new, facts),)
    last = [fact for fact in facts[:taken] if fact.key in (YOU_PLAY, PLAYS)]
    lying = laid(seat, old, last)
    tonight = next(zone for zone in lying if zone.id == "tonight")
    place, later = strongest(before, tonight), facts[taken + 1 :]
    captor = tonight.owners[place]
    gathered = captured(before, lying, captor, facts[taken]) if later else new
    return (
        shown(lying, len(tonight.cards), last),
        Beat(lying, REVEALED, (f"tonight.{place}",), (captor,), facts[taken], "growl"),
        Beat(gathered, RESOLVED, seats=(captor,), line=facts[taken], cue="place"),
        *reckoned(new, later),
    )


def shown(lying: Zones, cards: int, last: Sequence[Text]) -> Beat:
    """The last cards of a night come to the table: one in its turn, or on the first night all together."""
    light = tuple(f"tonight.{k}" for k in range(cards - len(last), cards))
    if len(last) > 1:
        return Beat(lying, REVEALED, light, line=last[-1], cue="flip")
    return Beat(lying, PLAYED, light, line=last[-1], cue="place")


def reckoned(new: Zones, later: Sequence[Text]) -> list[Beat]:
    """What comes after the last night of a month: its points, and at the end of the match the reckoning."""
    sums = [fact for fact in later if fact.key in (MONTH_OVER, YOU_SCORE, SCORES)]
    rest = [fact for fact in later if fact not in sums]
    return [Beat(new, RESOLVED, line=fact, cue="chips") for fact in sums[:1]] + [
        Beat(new, REVEALED, line=fact, cue="reveal") for fact in rest
    ]


def laid(seat: int, old: Zones, last: Sequence[Text]) -> Zones:
    """The zones when the last cards of a night lie on the table, but nothing is taken yet."""
    tonight = next(zone for zone in old if zone.id == "tonight")
    whose = [fact.args["seat"].index if fact.key == PLAYS else seat for fact in last]
    codes = [fact.args["card"].codes[0] for fact in last]
    note = tonight.note if tonight.owners else None
    lying = changed(old, "tonight", cards=(*tonight.cards, *codes), owners=(*tonight.owners, *whose), note=note)
    for p, code in zip(whose, codes, strict=True):
        hand = next(zone for zone in lying if zone.id == f"hand-{p}")
        if p == seat:
            lying = changed(lying, hand.id, cards=tuple(card for card in hand.cards if card != code), note=None)
        else:
            lying = changed(lying, hand.id, count=(hand.count or 0) - 1)
    return lying


def strongest(before: Any, tonight: Zone) -> int:
    """The place of the strongest card on the table."""
    strengths = [rules.strength(before, rules.CODES.index(code)) for code in tonight.cards]
    return strengths.index(max(strengths))


def captured(before: Any, lying: Zones, captor: int, told: Text) -> Zones:
    """The zones when the winner has taken the last night of a month, which isn't scored yet."""
    night = before.night
    pile = Zone(
        f"captured-{captor}-{night}", say("Night {night}", night=night), captor, "pile", told.args["cards"].codes
    )
    empty = changed(changed(lying, "tonight", cards=(), owners=(), note=None), "face", cards=(), note=None)
    end = max(k for k, zone in enumerate(empty) if zone.seat == captor) + 1
    return (*empty[:end], pile, *empty[end:])
