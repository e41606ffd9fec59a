"""Hawthorn at the table: what each seat sees, the labels of moves, prompts and the log."""

from hexdeck.engine.cards import RANKS, lowest_card
from hexdeck.engine.options import Preset
from hexdeck.engine.study import About, Reason
from hexdeck.engine.text import Cards, Seat, in_chips, out_of, say
from hexdeck.engine.view import (
    PLAYED,
    RESOLVED,
    REVEALED,
    Caption,
    Spotlight,
    Tally,
    Zone,
    at_seat,
    captions_by_stop,
    outcome_in_chips,
    rank_cards,
    rank_codes,
    remembered,
    seats_of,
    told,
    waiting,
)
from hexdeck.games.hawthorn import rules
from hexdeck.games.hawthorn.rules import FOLD, NONE, PLAY, SHOW, TAKE

ABOUT = About(
    say("Hawthorn"),
    say(
        "A card from the deck, then one from your hand, and so on: make no pair, or pay. The last one in wins the pot."
    ),
    tagline=say("Make no pair; the last one in wins the pot."),
    credit=say(
        "Hawthorn, a Pairs variant, Cheapass Games (playtest rules of 2014; printed in The Pairs Companion the same "
        "year); Pairs by James Ernest and Paul Peterson."
    ),
    minutes=(7, 14),  # for such a match of four: at this table, and at a real one (see lab/counts.py)
    age=8,
    luck=25,
    deal=say("Deal"),
)
PRESETS = (  # what people choose from at a table; the first is the default
    Preset("three-deals", say("Three deals"), say("Most chips after three deals wins."), {"deals": 3}),
    Preset("one-deal", say("One deal"), say("A single pot."), {"deals": 1}),
    Preset("long-evening", say("Long evening"), say("Most chips after twelve deals wins."), {"deals": 12}),
)

WORDS = {  # values of options and endings in words
    "stay": say("they stay in the rows"),
    "discard": say("they are discarded"),
    "table": say("on the table"),
    "own": say("in your own row"),
    "fold": say("folding"),
    "draw": say("taking a card from the deck"),
    "deals played": say("all deals were played"),
    "too few can ante": say("too few players could ante"),
}

REASONS = (
    Reason("HT-3", say("You choose the first card of your row only once, at the start of a deal.")),
    Reason("HT-3", say("That card isn't in your hand.")),
    Reason("HT-6", say("You take, play or fold in your turn, once every row has its first card.")),
    Reason("HT-7", say("This is a hand round: play a card from your hand, or fold.")),
    Reason("HT-11", say("Your hand is empty in a hand round: you must fold.")),
    Reason("HT-11", say("There is no card left to take: play one from your hand, or fold.")),
    Reason("HT-7", say("Your card comes from the deck now: take it, or fold.")),
    Reason("HT-7", say("That card isn't in your hand.")),
)


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's row, hand and chips; pot, deck and discards."""
    out = []
    chosen = s.phase == rules.CHOOSE and s.acting == 0 and not any(s.row[p] for p in range(s.seats))
    face_down = s.inside if chosen else 0
    for p in range(s.seats):
        out.append(Zone(f"row-{p}", say("Row"), p, "row", _row(s, p), face_down >> p & 1, note=_standing(s, p)))
        out.append(_hand(s, p, seat, face_down >> p & 1))
        out.append(Zone(f"chips-{p}", say("Chips"), p, "count", count=s.purse[p]))
    out.append(Zone("pot", say("Pot"), None, "count", count=s.pot, part="stage"))
    codes = rank_codes(s.stock[r] for r in range(RANKS)) if s.reshuffled else ()  # HT-15
    made_from = say("made from the discards: {cards}", cards=Cards(codes)) if codes else None
    out.append(Zone("deck", say("Deck"), None, "pile", hidden=s.deck_left, note=made_from))
    out.append(Zone("discards", say("Discards"), None, "pile", rank_codes(s.discard[r] for r in range(RANKS))))
    if s.deals > 1:
        out.append(Zone("deal", say("Deal"), None, "count", count=s.deal, note=say("of {deals}", deals=s.deals)))
    return out


def tallies(s):
    """The score sheet: chips, including the ante of a deal that has just begun."""
    return [Tally("chips", say("Chips"), tuple(s.purse[p] + (not s.over and s.anted >> p & 1) for p in range(s.seats)))]


def _row(s, p):
    """The codes of the cards in a seat's row, with a card that makes a pair beside its twin."""
    cards = rank_codes(s.row[p] >> r & 1 for r in range(RANKS))
    return tuple(sorted((*cards, str(_twin(s))), key=int)) if _twin(s) and p == s.turn else cards


def _twin(s):
    """The rank, counted from 1, that makes a pair; 0 if none does."""
    return s.due if s.phase != rules.DEAL else 0


def _hand(s, p, seat, face_down):
    if p != seat:
        return Zone(f"hand-{p}", say("Hand"), p, "fan", hidden=s.held[p] - face_down)
    cards = rank_codes(s.hand[p, r] for r in range(RANKS))
    if face_down:
        k = cards.index(str(s.choice[p] + 1))
        return Zone(f"hand-{p}", say("Hand"), p, "fan", cards[:k] + cards[k + 1 :])
    chosen = s.phase == rules.CHOOSE and s.choice[p] != NONE and s.row[p] == 0
    note = say("for your row: {card}", card=rank_cards(s.choice[p])) if chosen else None
    return Zone(f"hand-{p}", say("Hand"), p, "fan", cards, note=note)


def _standing(s, p):
    if not s.anted >> p & 1:
        return say("sits out")
    if s.first == p:
        return say("First Player") if s.inside >> p & 1 else say("First Player, out")
    return None if s.inside >> p & 1 else say("out")


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    mine = seat >= 0 and s.acting >> seat & 1
    if s.phase == rules.CHOOSE and not mine:
        return waiting(s, say("Waiting for everyone to choose a card for their row."))
    if s.phase == rules.CHOOSE:
        return say("Choose the first card of your row. All are turned up together; the lowest goes first.")
    if mine:
        return _your_turn(s, seat)
    if rules.from_deck(s, s.turn):
        return say("Waiting for {seat} to take a card or fold.", seat=Seat(s.turn))
    return say("Waiting for {seat} to play a card or fold.", seat=Seat(s.turn))


def _your_turn(s, seat):
    chips = rules.payment(s, seat, rules.price(s, seat))
    as_printed = all(rules.pair_price(r) == r + 1 for r in range(rules.RANKS))  # in a fork it may cost something else
    if rules.from_deck(s, seat):
        if not as_printed:
            return say("Take a card from the deck, or fold for {chips}.", chips=in_chips(chips))
        return say("Take a card from the deck, or fold for {chips}. A pair costs its number.", chips=in_chips(chips))
    if s.held[seat] == 0:
        return say("You have no card to play: you fold, for {chips}.", chips=in_chips(chips))
    if not as_printed:
        return say("Play a card from your hand, or fold for {chips}.", chips=in_chips(chips))
    return say("Play a card from your hand, or fold for {chips}. A pair costs its number.", chips=in_chips(chips))


def nobody_decides(s, seat):
    """HT-11: without a card to play or to take, a player must fold."""
    mine = s.acting >> seat & 1 and s.phase == rules.TURN
    return bool(mine and s.held[seat] == 0 and not rules.from_deck(s, seat))


def label(s, seat, action):
    """The label of a move."""
    if action < TAKE:
        return say("Start your row with the {card}", card=rank_cards(action - SHOW))
    if action == TAKE:
        return say("Take a card")
    if action == FOLD:
        chips = rules.payment(s, seat, rules.price(s, seat))
        return say("Fold and pay {chips}", chips=in_chips(chips))
    if s.row[seat] >> (action - PLAY) & 1:
        return say("Play the {card}: a pair, and you're out", card=rank_cards(action - PLAY))
    return say("Play the {card}", card=rank_cards(action - PLAY))


# --- what is told and shown of each stop ------------------------------------------------------------------------------
BREATH = 300  # milliseconds before a card from the deck turns up


def _dealt(stop, seat, _p):
    number = out_of(stop.now.deal, stop.now.deals)
    line = say("Deal {number}: everybody still playing puts a chip in the pot.", number=number)
    deal = (line,) if stop.now.deals > 1 else ()
    cards = rank_codes(stop.now.hand[seat, r] for r in range(RANKS)) if seat >= 0 else ()
    own = (say("You are dealt {cards}.", cards=Cards(cards)),) if cards else ()
    return Caption(line, PLAYED, ("deck",), cue="deal", log=deal + own) if deal else Caption(hold=0, log=own)


def _sitting_out(stop, seat, _p):
    seats = tuple(p for p in range(stop.now.seats) if not stop.now.anted >> p & 1)
    mine = say("You have no chips left and sit this deal out.")
    log = tuple(told(seat, p, mine, say("{seat} has no chips left and sits this deal out.")) for p in seats)
    several = say("{players} players have no chips left and sit this deal out.", players=len(seats))
    line = log[0] if len(seats) == 1 else several
    return Caption(line, RESOLVED, tuple(f"chips-{p}" for p in seats), seats, "bad", log=log)


def _chosen(stop, seat, p):
    if seat == p:
        return Caption(say("You choose the {card} for your row.", card=rank_cards(stop.now.choice[p])), 0)
    return Caption(say("{seat} has chosen.", seat=Seat(p)), 0)


def _face_down(stop, _seat, _p):
    light = tuple(f"row-{p}" for p in seats_of(stop.now.inside))
    return Caption(say("Everyone has chosen. The cards lie face down."), PLAYED, light, cue="place", log=())


def _turned_up(stop, seat, _p):
    log = []
    for p in seats_of(stop.now.inside):
        card = rank_cards(lowest_card(stop.now.row[p]))
        log.append(told(seat, p, say("You turn up the {card}."), say("{seat} turns up the {card}."), card=card))
    light = tuple(f"row-{p}.0" for p in seats_of(stop.now.inside))
    return Caption(say("The first cards of the rows are turned up."), REVEALED, light, cue="flip", log=tuple(log))


def _tied(stop, _seat, _p):
    tied = seats_of(stop.now.tied)
    line = say("Tied for lowest: each of those players gets one more card.")
    return Caption(line, RESOLVED, tuple(f"row-{p}" for p in tied), tied, "reveal", log=())


def _settled(stop, seat, p):
    card = _landed(stop, p)
    theirs = say("{seat} draws the {card}, to settle the tie.")
    line = told(seat, p, say("You draw the {card}, to settle the tie."), theirs, card=card)
    return Caption(line, PLAYED, _spots(stop.now, p, card), (p,), "flip")


def _replaced(_stop, _seat, p):
    return Caption(say("It makes a pair, so it is replaced."), RESOLVED, ("discards",), (p,), "place")


def _got(stop, seat, p):
    card = _landed(stop, p)
    line = told(seat, p, say("You draw the {card}."), say("{seat} draws the {card}."), card=card)
    return Caption(line, PLAYED, _spots(stop.now, p, card)[-1:], (p,), "flip")


def _played(stop, seat, p):
    card = _landed(stop, p)
    line = told(seat, p, say("You play the {card}."), say("{seat} plays the {card}."), card=card)
    return Caption(line, PLAYED, _spots(stop.now, p, card)[-1:], (p,), "place", say("My own card."))


def _paired(stop, seat, p):
    if not stop.now.inside >> p & 1:
        return _pays(p, _pair_line(seat, p, stop.before.purse[p] - stop.now.purse[p]))
    n = rules.payment(stop.now, p, rules.pair_price(_twin(stop.now) - 1))
    line, price = _pair_line(seat, p, n), Spotlight(say("A pair!"), say("Out, for {chips}.", chips=in_chips(n)), "red")
    twins = _spots(stop.now, p, rank_cards(_twin(stop.now) - 1))
    return Caption(line, REVEALED, twins, (p,), "bad", say("A pair!"), spotlight=price)


def _pair_line(seat, p, n):
    mine = say("A pair! You are out and pay {chips}.")
    return told(seat, p, mine, say("A pair! {seat} is out and pays {chips}."), chips=in_chips(n))


def _folded(stop, seat, p):
    """What sets the price of folding is lit, then it is paid."""
    if not stop.now.inside >> p & 1:
        return _pays(p, _fold_line(seat, p, stop.before.purse[p] - stop.now.purse[p]))
    price = rules.price(stop.now, p)
    rows = (p,) if stop.now.fold_price == rules.OWN else range(stop.now.seats)
    light = tuple(spot for q in rows for spot in _spots(stop.now, q, rank_cards(price - 1)))
    line = _fold_line(seat, p, rules.payment(stop.now, p, price))
    return Caption(line, REVEALED, light, (p,), "reveal", say("Fold."))


def _fold_line(seat, p, n):
    mine = say("You fold and pay {chips}.")
    return told(seat, p, mine, say("{seat} folds and pays {chips}."), chips=in_chips(n))


def _pays(p, line):
    """Chips go to the pot, as was said before."""
    return Caption(line, RESOLVED, (f"chips-{p}", "pot"), (p,), "chips", log=())


def _won(stop, seat, p):
    mine = say("You are the last one in and win the pot: {chips}.")
    theirs = say("{seat} is the last one in and wins the pot: {chips}.")
    chips = in_chips(stop.now.purse[p] - stop.before.purse[p])
    line, prize = (
        told(seat, p, mine, theirs, chips=chips),
        Spotlight(say("The pot!"), say("The last one in: {chips}", chips=chips)),
    )
    light = f"chips-{p}", *(f"row-{p}.{k}" for k in range(len(_row(stop.now, p))))
    return Caption(line, REVEALED, light, (p,), "good", say("My pot!"), spotlight=prize)


DEAL = {rules.DEALT: _dealt, rules.SITTING_OUT: _sitting_out, rules.CHOSEN: _chosen, rules.FACE_DOWN: _face_down}
FIRST = {rules.TURNED_UP: _turned_up, rules.TIED: _tied, rules.SETTLED: _settled, rules.REPLACED: _replaced}
TURNS = {rules.GOT: _got, rules.PLAYED: _played, rules.PAIRED: _paired, rules.FOLDED: _folded, rules.WON: _won}
SENTENCES = {
    rules.LOWEST: at_seat(
        say("The deck has run out: chosen at random, you count as lowest."),
        say("The deck has run out: chosen at random, {seat} counts as lowest."),
        REVEALED,
        "row-{}",
        "reveal",
    ),
    rules.FIRST_PLAYER: at_seat(
        say("You are First Player: every round begins with you."),
        say("{seat} is First Player: every round begins there."),
        RESOLVED,
        "row-{}",
        "place",
    ),
    rules.SHUFFLED: Caption(say("The deck has run out: the discards are shuffled."), RESOLVED, ("deck",), cue="deal"),
    rules.TOOK: at_seat(
        say("You take a card."), say("{seat} takes a card."), BREATH, "deck", "reveal", say("A card, please.")
    ),
    rules.BROKE: Caption(
        say("Fewer than two players can still pay the ante: the match is over."), REVEALED, ("pot",), cue="reveal"
    ),
    rules.GATHERED: Caption(
        say("All cards are gathered, and the antes for the next deal go into the pot."),
        RESOLVED,
        ("deck", "pot"),
        cue="deal",
        log=(),
    ),
}
caption = captions_by_stop(DEAL | FIRST | TURNS | SENTENCES)


def _landed(stop, p):
    """The card that has come to a row: the twin of one that lay there, or one that did not."""
    new = stop.now.row[p] & ~stop.before.row[p]
    return rank_cards(_twin(stop.now) - 1 if _twin(stop.now) else lowest_card(new))


def _spots(s, p, card):
    """The places of a rank in a row: one, or those of a pair."""
    return tuple(f"row-{p}.{k}" for k, code in enumerate(_row(s, p)) if code in card.codes)


def outcome(s, seat):
    """How the match ended, and by what."""
    p = lowest_card(s.inside)
    mine, theirs = say("You won the last pot."), say("{seat} won the last pot.")
    if s.deals == 1:
        mine, theirs = say("You were the last one in."), say("{seat} was the last one in.")
    return outcome_in_chips([s.purse[p] for p in range(s.seats)], told(seat, p, mine, theirs))
