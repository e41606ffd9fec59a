"""A turn of High Handed in steps: a card lands, its hands are lit one after another, and the points come."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hexdeck.engine.beat import LONGEST, PLAYED, RESOLVED, REVEALED, Beat, changed, one_beat
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import cell_name
from hexdeck.games.high_handed import components as parts
from hexdeck.games.high_handed import game_end, hands
from hexdeck.games.high_handed import narration as told
from hexdeck.games.high_handed.components import NONE
from hexdeck.games.high_handed.deck import CODES
from hexdeck.games.high_handed.game_end import Zones
from hexdeck.games.high_handed.lines import ROYAL_FLUSH

HAND, FURTHER = 900, 400  # how long a hand is lit, the first two and those after them
TIMER, THIEF = CODES[-2:]
SPECIALS = {
    **dict.fromkeys((told.YOU_LAY_TIMER, told.LAYS_TIMER, told.YOU_ADD_TIMER, told.ADDS_TIMER), TIMER),
    **dict.fromkeys((told.YOU_LAY_THIEF, told.LAYS_THIEF, told.YOU_ADD_THIEF, told.ADDS_THIEF), THIEF),
}
COVERS = {
    **dict.fromkeys((told.YOU_COVER_BY_TIMER, told.COVERS_BY_TIMER), TIMER),
    **dict.fromkeys((told.YOU_STEAL, told.STEALS), THIEF),
}
STEALING, TOO_MANY = say("That one goes."), say("Too many cards!")
ACCUSATIONS = told.YOU_ACCUSE, told.ACCUSES_YOU, told.ACCUSES
SCORES = (
    _("Pair +{points}"),
    _("Two pair +{points}"),
    _("Three of a kind +{points}"),
    _("Full house +{points}"),
    _("Four of a kind +{points}"),
    _("Flush +{points}"),
    _("Straight +{points}"),
    _("Straight flush +{points}"),
    _("Royal flush +{points}"),
)


def beats(seat: int, before: Any, old: Zones, facts: Sequence[Text], after: Any, new: Zones) -> list[Beat]:
    """The beats of an event: what was done, and then the end of a game, if it ended one."""
    if before.phase == parts.LOT:
        p = int(after.starter)
        return [Beat(new, REVEALED, (f"hand-{p}",), (p,), facts[-1], "reveal")]
    if before.phase == parts.DEAL and facts:
        return [Beat(new, PLAYED, ("pile-1", "pile-2"), line=facts[0], cue="deal")]
    if not after.over and after.deal == before.deal:
        return done(seat, before, old, facts, with_scores(new, old), new) if facts else [one_beat(old, new, facts)]
    happened = [fact for fact in facts if fact.key not in game_end.SENTENCES]
    quiet = last_laid(before, old, happened)
    settled = with_points(quiet, before.turn, happened)
    shown = done(seat, before, old, happened, quiet, settled) if happened else []
    return shown + game_end.beats(seat, settled, facts[len(happened) :], after, new)


# --- the table while something happens
def with_scores(new: Zones, old: Zones) -> Zones:
    """The zones after an event, but with the points as they were before it."""
    counts = {zone.id: zone.count for zone in old}
    return tuple(replace(zone, count=counts[zone.id]) if zone.id.startswith("score-") else zone for zone in new)


def last_laid(before: Any, old: Zones, happened: Sequence[Text]) -> Zones:
    """The table after the last event of a game, when all hands are empty; a new game may have been dealt at once."""
    empty = changed(old, f"hand-{before.turn}", cards=(), hidden=0, note=None)
    cell, code = card_of(before, happened[0]) if happened else (NONE, "")
    board = next(zone for zone in old if zone.id == "board")
    cards = tuple(code if code and k == cell else card for k, card in enumerate(board.cards))
    return changed(empty, "board", cards=cards)


def with_points(quiet: Zones, p: int, happened: Sequence[Text]) -> Zones:
    """The table when a seat has got what the sentence says that its card scores."""
    points = happened[0].args["n"] if happened and "hands" in happened[0].args else 0
    return tuple(replace(zone, count=(zone.count or 0) + points) if zone.id == f"score-{p}" else zone for zone in quiet)


def card_of(before: Any, fact: Text) -> tuple[int, str]:
    """The cell of the board that a sentence is about, and the card that is put there; no card if none is."""
    cell, cards = int(before.cell), fact.args.get("card")
    if "cell" in fact.args:
        names = (cell_name(k, before.columns) for k in range(before.rows * before.columns))
        cell = next(k for k, name in enumerate(names) if name == fact.args["cell"])
    return cell, SPECIALS.get(fact.key) or COVERS.get(fact.key) or (cards.codes[0] if cards and cell != NONE else "")


# --- what happens
def done(seat: int, before: Any, old: Zones, facts: Sequence[Text], quiet: Zones, settled: Zones) -> list[Beat]:
    """The beats of what was done: `quiet` is the table when it lies there, `settled` when its points have come too."""
    p, fact = int(before.turn), facts[0]
    if before.phase == parts.ANSWER:
        return answered(seat, p, facts, quiet, settled)
    if before.phase in (parts.LOSE, parts.ASK, parts.DRAW):
        return [drawn(before, p, fact, settled)]
    cell, code = card_of(before, fact)
    here = (f"board.{cell}",)
    if fact.key in COVERS:
        return covered(p, here, old, fact, settled)
    if code in SPECIALS.values() or not code:
        return [Beat(settled, PLAYED, here, (p,), fact, "place")]
    return placed(
        p, hands.scored(before, cell, CODES.index(code), before.under), before.doubled, here, fact, quiet, settled
    )


def drawn(before: Any, p: int, fact: Text, settled: Zones) -> Beat:
    """HH-19: a card is drawn that was asked for, cards that were due are forgotten, or a card is taken away unseen."""
    if before.phase == parts.DRAW:
        return Beat(settled, PLAYED, (f"pile-{before.from_pile + 1}", f"hand-{p}"), (p,), fact, "deal")
    if before.phase == parts.ASK:
        return Beat(settled, REVEALED, ("pile-1", "pile-2", f"hand-{p}"), (p,), fact, "bad")
    return Beat(settled, REVEALED, lit(settled, f"taken-{p}", f"hand-{p}"), (p,), fact, "bad")


def lit(zones: Zones, *ids: str) -> tuple[str, ...]:
    """Those of these zones that are on the table."""
    return tuple(zone.id for zone in zones if zone.id in ids)


def covered(p: int, here: tuple[str, ...], old: Zones, fact: Text, settled: Zones) -> list[Beat]:
    """A special goes on another card, which is lit before it is pulled off to the edge."""
    stolen = [zone for zone in settled if zone.id == "out"]
    places = tuple(
        f"out.{k}" for zone in stolen for k, code in enumerate(zone.cards) if (code,) == fact.args["card"].codes
    )
    cue = "steal" if COVERS[fact.key] == THIEF else "place"
    said = STEALING if cue == "steal" else None
    return [
        Beat(old, PLAYED, here, (p,), fact, "lift", said),
        Beat(settled, REVEALED, (*here, *places), (p,), fact, cue, said),
    ]


def placed(
    p: int, made: Sequence[hands.Hand], doubled: int, here: tuple[str, ...], fact: Text, quiet: Zones, settled: Zones
) -> list[Beat]:
    """A regular card lands; the cells of each hand are lit in turn, once more for Two Timers; then the points come."""
    if not made:
        return [Beat(settled, PLAYED, here, (p,), fact, "place")]
    shown = [Beat(quiet, PLAYED, here, (p,), without_points(fact), "place")]
    for k, hand in enumerate(made):
        light, line = cells(hand.cells), say(SCORES[hand.category - 1], points=hand.points)
        if hand.category == ROYAL_FLUSH:
            shown.append(Beat(quiet, LONGEST, light, (p,), line, "feast"))
        else:
            shown.append(Beat(quiet, HAND if k < 2 else FURTHER, light, (p,), line, "good"))
    if doubled:
        light = cells(tuple(dict.fromkeys(cell for hand in made for cell in hand.cells)))
        points, total = sum(hand.points for hand in made), fact.args["n"]
        line = say("Two Timer: {points} × {factor} = {total}", points=points, factor=1 << doubled, total=total)
        shown.append(Beat(quiet, HAND, light, (p,), line, "double"))
    return [*shown, Beat(settled, RESOLVED, (f"score-{p}",), (p,), fact, "chips")]


def cells(places: Sequence[int]) -> tuple[str, ...]:
    """Cells of the board, as they are lit."""
    return tuple(f"board.{cell}" for cell in places)


def without_points(fact: Text) -> Text:
    """The sentence of a card that scores, cut short."""
    args = {name: fact.args[name] for name in ("seat", "card", "cell") if name in fact.args}
    key = told.PLAYS if "seat" in args else told.YOU_PLAY
    return say(key, **args)


def answered(seat: int, p: int, facts: Sequence[Text], quiet: Zones, settled: Zones) -> list[Beat]:
    """HH-19: what all have answered to a card too many; who is accused loses 5 points, or who was wrong to accuse."""
    accused = [fact for fact in facts if fact.key in ACCUSATIONS]
    if len(facts) == 1 and not accused:
        return [Beat(settled, PLAYED, line=facts[0])]
    if not accused:
        return [Beat(settled, REVEALED, (f"hand-{p}",), (p,), facts[-1], "good")]
    shown, accusers = list[Beat](), list[int]()
    for k, fact in enumerate(accused):
        accuser = seat if fact.key == told.YOU_ACCUSE else fact.args["seat"].index
        accusers.append(accuser)
        shown.append(Beat(quiet, RESOLVED if k else REVEALED, (f"hand-{p}",), (accuser, p), fact, "accuse", TOO_MANY))
    if facts[-1] is accused[-1]:
        return [*shown, Beat(settled, RESOLVED, (f"score-{p}",), (p,), accused[-1], "chips")]
    wrong = tuple(f"score-{accuser}" for accuser in accusers)
    return [*shown, Beat(settled, RESOLVED, wrong, tuple(accusers), facts[-1], "chips")]
