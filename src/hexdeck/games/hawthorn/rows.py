"""A turn in steps: a card lands on a row, twins are seen before they are paid for, a fold shows what set its price."""

from collections.abc import Sequence
from typing import Any

from hexdeck.engine.beat import PLAYED, RESOLVED, REVEALED, Beat, Scene, changed, one_beat, zone_of
from hexdeck.engine.text import Cards, Seat, Text, _, say, say_n
from hexdeck.engine.view import Fact, Zone, told
from hexdeck.games.hawthorn import rules

DEAL_BEGINS = _("Deal {number}: everybody still playing puts a chip in the pot.")
YOU_SIT_OUT = _("You have no chips left and sit this deal out.")
SITS_OUT = _("{seat} has no chips left and sits this deal out.")
YOU_SHOW, SHOWS = _("You turn up the {card}."), _("{seat} turns up the {card}.")
YOU_TIE, TIE = _("A {card} for you, to settle the tie."), _("A {card} for {seat}, to settle the tie.")
REPLACED = _("It makes a pair, so it is replaced.")
YOU_LOWEST = _("The deck has run out: chosen at random, you count as lowest.")
LOWEST = _("The deck has run out: chosen at random, {seat} counts as lowest.")
YOU_FIRST = _("You are First Player: every round begins with you.")
FIRST = _("{seat} is First Player: every round begins there.")
SHUFFLED = _("The deck has run out: the discards are shuffled.")
YOU_TAKE, TAKES = _("You take a card."), _("{seat} takes a card.")
YOU_GET, GETS = _("You get {card}."), _("{seat} gets {card}.")
YOU_PLAY, PLAYS = _("You play the {card}."), _("{seat} plays the {card}.")
TOO_FEW = _("Fewer than two players can still pay the ante: the match is over.")

FIRST_PLAYER, FIRST_OUT, OUT = say("First Player"), say("First Player, out"), say("out")
FROM_DISCARDS = _("made from the discards: {cards}")
SEVERAL_SIT_OUT = _("{players} players have no chips left and sit this deal out.")
FACE_DOWN = say("Everyone has chosen. The cards lie face down.")
TURNED_UP = say("The first cards of the rows are turned up.")
TIED = say("Tied for lowest: each of those players gets one more card.")
NEXT_DEAL = say("All cards are gathered, and the antes for the next deal go into the pot.")
CARD, MY_CARD, FOLD, PAIR = say("A card, please."), say("My own card."), say("Fold."), say("A pair!")
MY_POT = say("My pot!")
BREATH = 300  # milliseconds before a card from the deck turns up
Zones = tuple[Zone, ...]


def pair_facts(p: int, chips: int) -> list[Fact]:
    """A pair, and what it costs."""
    return told(
        p,
        say_n("A pair! You are out and pay {n} chip.", "A pair! You are out and pay {n} chips.", chips),
        say_n(
            "A pair! {seat} is out and pays {n} chip.", "A pair! {seat} is out and pays {n} chips.", chips, seat=Seat(p)
        ),
    )


def fold_facts(p: int, chips: int) -> list[Fact]:
    """A fold, and what it costs."""
    mine = say_n("You fold and pay {n} chip.", "You fold and pay {n} chips.", chips)
    return told(
        p, mine, say_n("{seat} folds and pays {n} chip.", "{seat} folds and pays {n} chips.", chips, seat=Seat(p))
    )


def win_facts(p: int, chips: int) -> list[Fact]:
    """Who wins the pot, and how much it is."""
    mine = say_n(
        "You are the last one in and win the pot: {n} chip.",
        "You are the last one in and win the pot: {n} chips.",
        chips,
    )
    theirs = say_n(
        "{seat} is the last one in and wins the pot: {n} chip.",
        "{seat} is the last one in and wins the pot: {n} chips.",
        chips,
        seat=Seat(p),
    )
    return told(p, mine, theirs)


PAIRS, FOLDS, WINS = (tuple(fact.text.key for fact in facts(0, 1)) for facts in (pair_facts, fold_facts, win_facts))


def beats(seat: int, before: Any, old: Zones, facts: Sequence[Text], after: Any, new: Zones) -> tuple[Beat, ...]:
    """The beats of an event: `old` and `new` are the zones around it."""
    scene = Scene(seat, before, old, facts, after, new)
    if scene.told(YOU_SHOW, SHOWS):
        return _rows_begin(scene, after)
    if tie := scene.told(YOU_TIE, TIE):
        return _tie_settled(scene, before, after, tie)
    if lot := scene.told(YOU_LOWEST, LOWEST):
        p = scene.who(lot)
        return (Beat(old, REVEALED, (f"row-{p}",), (p,), lot, "reveal"), *_marker(scene))
    if scene.told(*FOLDS):
        return _folded(scene, before)
    if card := scene.told(YOU_GET, GETS, YOU_PLAY, PLAYS):
        return _card_lands(scene, card)
    return _taken(scene) or _dealt(scene) or (one_beat(old, new, facts),)


def _taken(scene: Scene) -> tuple[Beat, ...]:
    """A card is lifted off the deck; a held breath before it turns up."""
    took, shuffled = scene.told(YOU_TAKE, TAKES), scene.told(SHUFFLED)
    deck = (Beat(scene.new, RESOLVED, ("deck",), line=shuffled, cue="deal"),) if shuffled else ()
    return (*deck, Beat(scene.new, BREATH, ("deck",), (scene.who(took),), took, "reveal", CARD)) if took else ()


def _dealt(scene: Scene) -> tuple[Beat, ...]:
    """A deal begins, perhaps without some who have no chip left."""
    begins = scene.told(DEAL_BEGINS)
    out = [Beat(scene.new, PLAYED, ("deck",), line=begins, cue="deal")] if begins else []
    without = [fact for fact in scene.facts if fact.key in (YOU_SIT_OUT, SITS_OUT)]
    if without:
        seats = tuple(scene.who(fact) for fact in without)
        line = without[0] if len(seats) == 1 else say(SEVERAL_SIT_OUT, players=len(seats))
        out.append(Beat(scene.new, RESOLVED, tuple(f"chips-{p}" for p in seats), seats, line, "bad"))
    return tuple(out)


# --- the first cards, and who goes first ----------------------------------------------------------------------------
def _rows_begin(scene: Scene, after: Any) -> tuple[Beat, ...]:
    """All first cards lie face down, are turned up together, and one of them is the lowest."""
    down = up = scene.old
    shown = {scene.who(fact): fact.args["card"].codes[0] for fact in scene.facts if fact.key in (YOU_SHOW, SHOWS)}
    for p, code in shown.items():
        down = changed(_from_hand(down, scene.seat, p, code), f"row-{p}", hidden=1)
        up = _onto_row(_from_hand(up, scene.seat, p, code), p, code)
    return (
        Beat(down, PLAYED, tuple(f"row-{p}" for p in shown), line=FACE_DOWN, cue="place"),
        Beat(up, REVEALED, tuple(f"row-{p}.0" for p in shown), line=TURNED_UP, cue="flip"),
        *(_marker(scene) or (_tied(scene, after),)),
    )


def _tie_settled(scene: Scene, before: Any, after: Any, tie: Text) -> tuple[Beat, ...]:
    """A tied player's card lands; it is replaced, makes somebody First Player, or leaves a tie again."""
    p, code = scene.who(tie), tie.args["card"].codes[0]
    lying = _onto_row(_off_deck(scene.old, code), p, code)
    out = [Beat(lying, PLAYED, _places(lying, p, code), (p,), tie, "flip")]
    if replaced := scene.told(REPLACED):
        out.append(Beat(scene.new, RESOLVED, ("discards",), (p,), replaced, "place"))
    elif after.waiting & ~(before.waiting & ~(1 << p)) and not scene.told(YOU_FIRST, FIRST):
        out.append(_tied(scene, after))
    return (*out, *_marker(scene))


def _tied(scene: Scene, after: Any) -> Beat:
    """The lowest cards are equal."""
    tied = tuple(p for p in range(after.seats) if after.tied >> p & 1)
    return Beat(scene.new, RESOLVED, tuple(f"row-{p}" for p in tied), tied, TIED, "reveal")


def _marker(scene: Scene) -> tuple[Beat, ...]:
    """The First Player's marker moves, if it is known now who that is."""
    first = scene.told(YOU_FIRST, FIRST)
    p = scene.who(first) if first else rules.NONE
    return (Beat(scene.new, RESOLVED, (f"row-{p}",), (p,), first, "place"),) if first else ()


# --- a turn ---------------------------------------------------------------------------------------------------------
def _card_lands(scene: Scene, card: Text) -> tuple[Beat, ...]:
    """A card lands on a row, from the deck or a hand; a pair is seen, then paid for."""
    p, code, deck = scene.who(card), card.args["card"].codes[0], card.key in (YOU_GET, GETS)
    lying = _off_deck(scene.old, code) if deck else _from_hand(scene.old, scene.seat, p, code)
    lying = _onto_row(lying, p, code)
    twins = _places(lying, p, code)
    landed = Beat(lying, PLAYED, twins[-1:], (p,), card, "flip" if deck else "place", None if deck else MY_CARD)
    if pair := scene.told(*PAIRS):
        return (landed, Beat(lying, REVEALED, twins, (p,), pair, "bad", PAIR), *_out(scene, lying, pair))
    return (landed,)


def _folded(scene: Scene, before: Any) -> tuple[Beat, ...]:
    """What set the price of folding is lit, then it is paid."""
    fold = next(fact for fact in scene.facts if fact.key in FOLDS)
    p = scene.who(fold)
    rows = (p,) if before.fold_price == rules.OWN else range(before.seats)
    price = str(rules.price(before, p))
    light = tuple(place for q in rows for place in _places(scene.old, q, price))
    return (Beat(scene.old, REVEALED, light, (p,), fold, "reveal", FOLD), *_out(scene, scene.old, fold))


def _out(scene: Scene, lying: Zones, fact: Text) -> tuple[Beat, ...]:
    """Somebody pays and is out; the last one in wins the pot; perhaps the next deal begins."""
    p, won = scene.who(fact), scene.told(*WINS)
    paid = _turned_down(_moved(lying, f"chips-{p}", "pot", fact.args["n"]), p) if won else scene.new
    out = [Beat(paid, RESOLVED, (f"chips-{p}", "pot"), (p,), fact, "chips")]
    if won:
        winner, pot = scene.who(won), won.args["n"]
        end = _moved(paid, "pot", f"chips-{winner}", pot) if scene.anew else scene.new
        out.append(Beat(end, REVEALED, (f"chips-{winner}",), (winner,), won, "good", MY_POT))
    if too_few := scene.told(TOO_FEW):
        out.append(Beat(scene.new, REVEALED, ("pot",), line=too_few, cue="reveal"))
    return (*out, Beat(scene.new, RESOLVED, ("deck", "pot"), line=NEXT_DEAL, cue="deal")) if scene.anew else tuple(out)


# --- cards and chips move -------------------------------------------------------------------------------------------
def _moved(zones: Zones, source: str, target: str, chips: int) -> Zones:
    """The zones when chips have gone from one to another."""
    fewer = changed(zones, source, count=(zone_of(zones, source).count or 0) - chips)
    return changed(fewer, target, count=(zone_of(zones, target).count or 0) + chips)


def _off_deck(zones: Zones, code: str) -> Zones:
    """The zones without a card that was turned up from the deck, whose contents may be known."""
    deck = zone_of(zones, "deck")
    left = list(deck.note.args["cards"].codes) if deck.note else []
    if left:
        left.remove(code)
    note = say(FROM_DISCARDS, cards=Cards(tuple(left))) if left else None
    return changed(zones, "deck", hidden=deck.hidden - 1, note=note)


def _from_hand(zones: Zones, seat: int, p: int, code: str) -> Zones:
    """The zones without a card that a player has played; only that player sees the hand."""
    hand = zone_of(zones, f"hand-{p}")
    if p != seat:
        return changed(zones, hand.id, hidden=hand.hidden - 1)
    left = list(hand.cards)
    left.remove(code)
    return changed(zones, hand.id, cards=tuple(left), note=None)


def _onto_row(zones: Zones, p: int, code: str) -> Zones:
    """The zones when a card lies on a player's row, which may have a twin of it."""
    return changed(zones, f"row-{p}", cards=_sorted(zone_of(zones, f"row-{p}").cards, code))


def _turned_down(zones: Zones, p: int) -> Zones:
    """The zones when a player who is out has turned down the row, which goes to the discards."""
    row = zone_of(zones, f"row-{p}")
    note = FIRST_OUT if row.note == FIRST_PLAYER else OUT
    down = changed(zones, row.id, cards=(), note=note)
    return changed(down, "discards", cards=_sorted(zone_of(down, "discards").cards, *row.cards))


def _places(zones: Zones, p: int, code: str) -> tuple[str, ...]:
    """The places of a rank in a player's row: one, or those of a pair."""
    return tuple(f"row-{p}.{k}" for k, card in enumerate(zone_of(zones, f"row-{p}").cards) if card == code)


def _sorted(cards: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return tuple(sorted((*cards, *more), key=int))
