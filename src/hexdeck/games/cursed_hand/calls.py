"""A ghost hand in steps: called, turned up card by card, judged, paid for; the first graves; the end of a game."""

from collections.abc import Sequence
from typing import Any

from hexdeck.engine.beat import PLAYED, RESOLVED, REVEALED, Beat, Scene, changed, one_beat, zone_of
from hexdeck.engine.text import Seat, Text, _, say
from hexdeck.engine.view import Zone
from hexdeck.games.cursed_hand import rules

GAME_DEALT = _("Game {number}: the cards are dealt.")
TO_GRAVE = _("{seat}: {card} to the graveyard.")
YOU_GO_FIRST = _("You go first: yours is the highest number chosen only once.")
GOES_FIRST = _("{seat} goes first, with the highest number chosen only once.")
YOU_FIRST_BY_LOT, FIRST_BY_LOT = _("Chosen at random: you go first."), _("Chosen at random: {seat} goes first.")
YOU_DRAW = _("You draw {card} to start a ghost hand.")
DRAWS = _("{seat} draws a card to start a ghost hand.")
YOU_START, STARTS = _("You start a ghost hand with {cards}."), _("{seat} starts a ghost hand with two cards.")
YOU_ADD, ADDS = _("You add the {card} and pass it on."), _("{seat} adds a card and passes it on.")
YOU_LOOK, LOOKS = _("You accept the ghost hand and see {cards}."), _("{seat} accepts the ghost hand and looks.")
CLEAN, CURSED = _("The ghost hand is {cards}: clean."), _("The ghost hand is {cards}: cursed!")
YOU_PAY, PAYS = _("You add {cards} to your graveyard."), _("{seat} adds {cards} to the graveyard.")
RUN_OUT = _("A hand or the deck has run out: whoever has the most points in their graveyard loses.")
YOU_LOSE, LOSES = _("You lose the game."), _("{seat} loses the game.")
YOU_LOSE_BY_LOT, LOSES_BY_LOT = _("Chosen at random: you lose the game."), _("Chosen at random: {seat} loses the game.")
YOU_LOSE_ONE, LOSES_ONE = _("You lose the game: {number} losses."), _("{seat} loses the game: {number} losses.")
YOU_LOSE_ONE_BY_LOT = _("Chosen at random: you lose the game, {number} losses.")
LOSES_ONE_BY_LOT = _("Chosen at random: {seat} loses the game, {number} losses.")
LOSING = (
    YOU_LOSE, LOSES, YOU_LOSE_BY_LOT, LOSES_BY_LOT, YOU_LOSE_ONE, LOSES_ONE, YOU_LOSE_ONE_BY_LOT, LOSES_ONE_BY_LOT,
)  # fmt: skip

PASSED_BY = _("passed by {seat}")
FACE_DOWN = say("Everyone has chosen. The cards lie face down.")
TURNED_UP = say("The first cards of the graveyards are turned up.")
NONE_ALONE = say("No number was chosen only once: one of the players with the highest goes first, chosen at random.")
DISCARDED = say("The rest of the ghost hand goes to the discards.")
NEXT_GAME = say("All cards are gathered for the next game.")
ACE = "1"
CALL, ACCEPT, PASS = say("Call!"), say("I accept."), say("Pass.")
YOU_CALL, CALLS = _("You call."), _("{seat} calls.")
CALLED, TURN, TURNS = 400, 140, 1400  # milliseconds: the call, each card that turns up, all of them at most
Zones = tuple[Zone, ...]


def beats(seat: int, before: Any, old: Zones, facts: Sequence[Text], after: Any, new: Zones) -> tuple[Beat, ...]:
    """The beats of an event: `old` and `new` are the zones around it."""
    scene = Scene(seat, before, old, facts, after, new)
    if verdict := scene.told(CLEAN, CURSED):
        return (*_turned_up(scene, verdict), *_paid(scene, verdict))
    if scene.told(TO_GRAVE):
        return _graves_revealed(scene, after)
    if moved := scene.told(YOU_START, STARTS, YOU_ADD, ADDS):
        lying = _passed_on(scene, moved) if scene.anew else new
        passed = Beat(lying, PLAYED, ("ghost",), (scene.who(moved),), moved, "place", PASS)
        return (passed, *_ended(scene, lying))
    if first := scene.told(YOU_FIRST_BY_LOT, FIRST_BY_LOT):
        p = scene.who(first)
        return (Beat(old, REVEALED, (f"grave-{p}",), (p,), first, "reveal"), *_ended(scene, old))
    if scene.told(*LOSING):
        return _ended(scene, old)
    return (_one_step(scene),)


def _one_step(scene: Scene) -> Beat:
    if drawn := scene.told(YOU_DRAW, DRAWS):
        return Beat(scene.new, PLAYED, ("deck",), (scene.who(drawn),), drawn, "deal")
    if taken := scene.told(YOU_LOOK, LOOKS):
        return Beat(scene.new, PLAYED, ("ghost",), (scene.who(taken),), taken, "reveal", ACCEPT)
    if dealt := scene.told(GAME_DEALT):
        return Beat(scene.new, PLAYED, ("deck",), line=dealt, cue="deal")
    return one_beat(scene.old, scene.new, scene.facts)


# --- a ghost hand is shown ------------------------------------------------------------------------------------------
def _turned_up(scene: Scene, verdict: Text) -> list[Beat]:
    """It is called, or accepted with no cards left; its cards turn up one by one, sorted; what it is.

    A cursed hand lights what curses it, and who pays; a clean one all its cards, and who was right about it.
    """
    called, cards = scene.facts[0], verdict.args["cards"].codes
    actor, each = (scene.who(called),), min(TURN, TURNS // len(cards))
    said = CALL if called.key in (YOU_CALL, CALLS) else ACCEPT
    judged = (*actor, int(scene.before.passer)) if said is CALL else actor
    out = [Beat(scene.old, CALLED, ("ghost",), judged, called, "reveal", said)]
    for k in range(len(cards)):
        up = changed(scene.old, "ghost", cards=cards[: k + 1], hidden=len(cards) - k - 1)
        out.append(Beat(up, each, (f"ghost.{k}",), actor, called, "flip", said))
    cursed, paid = verdict.key == CURSED, scene.told(YOU_PAY, PAYS)
    payer = (scene.who(paid),) if paid else ()
    right = tuple({*actor, int(scene.before.passer)}.difference(payer)) if paid else ()
    light = tuple(f"ghost.{k}" for k, card in enumerate(cards) if not cursed or decides(card, verdict, paid))
    seats, cue = (payer, "curse") if cursed else (right, "good")
    return [*out, Beat(out[-1].zones, REVEALED, light or ("ghost",), seats, verdict, cue)]


def decides(card: str, verdict: Text, paid: Text | None) -> bool:
    """Whether a card makes the ghost hand what it is: of a rank that is paid for, or the ace that pairs with it."""
    wild = verdict.key == CURSED and card == ACE
    return wild or bool(paid and card in paid.args["cards"].codes)


def _paid(scene: Scene, verdict: Text) -> list[Beat]:
    """Cards go to a graveyard; two equal ones there end the game, else the rest goes to the discards."""
    rest, lying = verdict.args["cards"].codes, changed(scene.old, "ghost", cards=verdict.args["cards"].codes, hidden=0)
    out, paid = [], scene.told(YOU_PAY, PAYS)
    if paid:
        p, codes = scene.who(paid), paid.args["cards"].codes
        rest = without(rest, codes)
        lying = changed(buried(lying, p, codes), "ghost", cards=rest)
        light = tuple(f"grave-{p}.{k}" for k, card in enumerate(_cards(lying, f"grave-{p}")) if card in codes)
        out.append(Beat(lying, RESOLVED, light, (p,), paid, "bad"))
    gone = _discarded(lying, rest) if scene.anew else scene.new
    if scene.told(RUN_OUT) or not scene.told(*LOSING):
        out.append(Beat(gone, RESOLVED, ("discards",), line=DISCARDED, cue="place"))
    return [*out, *_ended(scene, gone)]


def _discarded(zones: Zones, rest: tuple[str, ...]) -> Zones:
    swept = changed(zones, "ghost", cards=(), hidden=0, note=None)
    return changed(swept, "discards", cards=joined(_cards(swept, "discards"), rest))


# --- the first graves -----------------------------------------------------------------------------------------------
def _graves_revealed(scene: Scene, after: Any) -> tuple[Beat, ...]:
    """All first cards of the graveyards lie face down and are turned up together; one of them goes first."""
    down = up = scene.old
    graves = {fact.args["seat"].index: fact.args["card"].codes for fact in scene.facts if fact.key == TO_GRAVE}
    for p, codes in graves.items():
        down = changed(played(down, scene.seat, p, codes), f"grave-{p}", hidden=1)
        up = buried(played(up, scene.seat, p, codes), p, codes)
    out = [
        Beat(down, PLAYED, tuple(f"grave-{p}" for p in graves), line=FACE_DOWN, cue="place"),
        Beat(up, REVEALED, tuple(f"grave-{p}.0" for p in graves), line=TURNED_UP, cue="flip"),
    ]
    if first := scene.told(YOU_GO_FIRST, GOES_FIRST):
        p = scene.who(first)
        out.append(Beat(up, RESOLVED, (f"grave-{p}.0",), (p,), first, "reveal"))
    elif after.phase == rules.FIRST:
        tied = tuple(p for p in graves if after.tied >> p & 1)
        out.append(Beat(up, RESOLVED, tuple(f"grave-{p}.0" for p in tied), tied, NONE_ALONE, "reveal"))
    return (*out, *_ended(scene, up))


# --- the end of a game ----------------------------------------------------------------------------------------------
def _ended(scene: Scene, lying: Zones) -> tuple[Beat, ...]:
    """What ended the game and who lost it, if it is over, on the table as it lies then; nothing if it goes on."""
    known = {zone.id: zone for zone in scene.new}
    shown = tuple(known[zone.id] if zone.id.startswith("lost-") else zone for zone in lying)
    out = []
    for fact in scene.facts:
        if fact.key == RUN_OUT:
            graves = tuple(zone.id for zone in shown if zone.id.startswith("grave-"))
            out.append(Beat(lying, REVEALED, graves, line=fact, cue="reveal"))
        elif fact.key in LOSING:
            p = scene.who(fact)
            out.append(Beat(shown, REVEALED, pair_in(shown, p) or (f"grave-{p}",), (p,), fact, "bad"))
    return (*out, Beat(scene.new, RESOLVED, ("deck",), line=NEXT_GAME, cue="deal")) if scene.anew else tuple(out)


def pair_in(zones: Zones, p: int) -> tuple[str, ...]:
    """The places of equal cards in a graveyard."""
    cards = _cards(zones, f"grave-{p}")
    return tuple(f"grave-{p}.{k}" for k, card in enumerate(cards) if cards.count(card) > 1)


# --- cards move -----------------------------------------------------------------------------------------------------
def _passed_on(scene: Scene, moved: Text) -> Zones:
    """The zones when somebody has put cards into the ghost hand and passed it on."""
    p = scene.who(moved)
    codes = moved.args["cards" if moved.key == YOU_START else "card"].codes if p == scene.seat else ()
    number = 2 if moved.key in (YOU_START, STARTS) else 1
    ghost = zone_of(scene.old, "ghost")
    lying = changed(scene.old, "ghost", cards=joined(ghost.cards, codes), note=say(PASSED_BY, seat=Seat(p)))
    if not codes:
        lying = changed(lying, "ghost", hidden=ghost.hidden + number)
    return played(lying, scene.seat, p, codes, number)


def played(zones: Zones, seat: int, p: int, codes: tuple[str, ...], number: int = 1) -> Zones:
    """The zones when a player has played cards of the hand, which only that player sees."""
    hand = zone_of(zones, f"hand-{p}")
    if p == seat:
        return changed(zones, hand.id, cards=without(hand.cards, codes), note=None)
    return changed(zones, hand.id, hidden=hand.hidden - number)


def buried(zones: Zones, p: int, codes: tuple[str, ...]) -> Zones:
    """The zones when cards have gone to a player's graveyard, whose count is the sum of its ranks."""
    cards = joined(_cards(zones, f"grave-{p}"), codes)
    return changed(zones, f"grave-{p}", cards=cards, count=sum(map(int, cards)))


def joined(cards: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Cards with more of them, in order of rank."""
    return tuple(sorted((*cards, *more), key=int))


def without(cards: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    """Cards without some of them, one for each that goes."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def _cards(zones: Zones, id: str) -> tuple[str, ...]:
    return zone_of(zones, id).cards
