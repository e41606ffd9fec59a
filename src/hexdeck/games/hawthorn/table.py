"""Hawthorn at the table: what each seat sees, the labels of moves, prompts and the log."""

from hexdeck.engine.cards import RANKS
from hexdeck.engine.options import Preset
from hexdeck.engine.play.remembered import remembered
from hexdeck.engine.play.score import Tally
from hexdeck.engine.text import Cards, Seat, out_of, say, say_n
from hexdeck.engine.view import Fact, Zone, everyone, told
from hexdeck.games.hawthorn import rows, rules
from hexdeck.games.hawthorn.rules import FOLD, NONE, PLAY, SHOW, TAKE

CREDIT = say(
    "Hawthorn, a Pairs variant, Cheapass Games (playtest rules of 2014; printed in The Pairs Companion the same "
    "year); Pairs by James Ernest and Paul Peterson."
)
TAGLINE = say("Make no pair; the last one in wins the pot.")
ABOUT = say(
    "A card from the deck, then one from your hand, and so on: make no pair, or pay. The last one in wins the pot."
)
TITLE = say("Hawthorn")
DEAL = say("Deal")  # title of a row of the score sheet
PRESETS = (  # what people choose from at a table; the first is the default
    Preset("three-deals", say("Three deals"), say("Most chips after three deals wins."), {"deals": 3}),
    Preset("one-deal", say("One deal"), say("A single pot."), {"deals": 1}),
    Preset("long-evening", say("Long evening"), say("Most chips after twelve deals wins."), {"deals": 12}),
)
MINUTES = 7, 14  # for such a match of four: at this table, and at a real one (see lab/counting/pace.py)

VALUES = {  # values of options in words
    "stay": say("they stay in the rows"),
    "discard": say("they are discarded"),
    "table": say("of everyone still in"),
    "own": say("in your own row"),
    "fold": say("folding"),
    "draw": say("taking a card from the deck"),
}

ENDED = (say("not over"), say("all deals were played"), say("too few players could ante"))

WHY = (
    say("This can be done."),
    say("You choose the first card of your row only once, at the start of a deal."),
    say("That card isn't in your hand."),
    say("It isn't your turn."),
    say("This is a hand round: play a card from your hand, or fold."),
    say("Your hand is empty in a hand round: you must fold."),
    say("There is no card left to take: play one from your hand, or fold."),
    say("Your card comes from the deck now: take it, or fold."),
    say("That card isn't in your hand."),
)


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's row, hand and chips; pot, deck and discards."""
    out = []
    for p in range(s.seats):
        out.append(Zone(f"row-{p}", say("Row"), p, "row", row_cards(s.row[p]), note=_standing(s, p)))
        out.append(_hand(s, p, seat))
        out.append(Zone(f"chips-{p}", say("Chips"), p, "count", count=s.purse[p]))
    out.append(Zone("pot", say("Pot"), None, "count", count=s.pot))
    out.append(Zone("deck", say("Deck"), None, "pile", hidden=s.deck_left, note=_reshuffled(s)))
    discards = tuple(str(r + 1) for r in range(RANKS) for _ in range(s.discard[r]))
    out.append(Zone("discards", say("Discards"), None, "pile", discards))
    if s.deals > 1:
        out.append(Zone("deal", say("Deal"), None, "count", count=s.deal, note=say("of {deals}", deals=s.deals)))
    return out


def tallies(s):
    """The score sheet: chips, including the ante of a deal that has just begun."""
    return [Tally("chips", say("Chips"), tuple(s.purse[p] + _anted(s, p) for p in range(s.seats)))]


def won_by(s):
    """By what the session was won: how many chips the richest is ahead."""
    first, second, *_ = sorted((s.purse[p] for p in range(s.seats)), reverse=True)
    return say_n("{n} chip", "{n} chips", first - second)


def _anted(s, p):
    return 0 if s.over else s.anted >> p & 1


def row_cards(row):
    """The codes of the cards in a row."""
    return tuple(str(r + 1) for r in range(RANKS) if row >> r & 1)


def _hand(s, p, seat):
    if p != seat:
        return Zone(f"hand-{p}", say("Hand"), p, "fan", hidden=s.held[p])
    cards = tuple(str(r + 1) for r in range(RANKS) for _ in range(s.hand[p, r]))
    chosen = s.phase == rules.CHOOSE and s.choice[p] != NONE
    note = say("for your row: {card}", card=_card(s.choice[p])) if chosen else None
    return Zone(f"hand-{p}", say("Hand"), p, "fan", cards, note=note)


def _standing(s, p):
    if not s.anted >> p & 1:
        return say("sits out")
    if s.first == p:
        return rows.FIRST_PLAYER if s.inside >> p & 1 else rows.FIRST_OUT
    return None if s.inside >> p & 1 else rows.OUT


def _reshuffled(s):
    """HT-15: the known contents of a deck that was made from the discards."""
    cards = tuple(str(r + 1) for r in range(RANKS) for _ in range(s.stock[r]))
    return say(rows.FROM_DISCARDS, cards=Cards(cards)) if s.reshuffled and cards else None


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if s.over:
        return say("The match is over.")
    mine = seat >= 0 and s.acting >> seat & 1
    if s.phase == rules.CHOOSE:
        return _choosing(mine)
    if mine:
        return _your_turn(s, seat)
    dealing = s.phase in (rules.DEAL, rules.TIE, rules.LOT)
    return say("The cards are being dealt.") if dealing else say("Waiting for {seat}.", seat=Seat(s.turn))


def _choosing(mine):
    if mine:
        return say("Choose the first card of your row. All are turned up together; the lowest goes first.")
    return say("Waiting for everyone to choose a card for their row.")


def _your_turn(s, seat):
    chips = min(rules.price(s, seat), s.purse[seat])
    if rules.from_deck(s, seat):
        return say_n(
            "Take a card from the deck, or fold for {n} chip. A pair costs its number.",
            "Take a card from the deck, or fold for {n} chips. A pair costs its number.",
            chips,
        )
    if s.held[seat] == 0:
        return say_n(
            "You have no card to play: you fold, for {n} chip.", "You have no card to play: you fold, for {n} chips.",
            chips,
        )  # fmt: skip
    return say_n(
        "Play a card from your hand, or fold for {n} chip. A pair costs its number.",
        "Play a card from your hand, or fold for {n} chips. A pair costs its number.",
        chips,
    )


def nobody_decides(s, seat):
    """HT-11: without a card to play or to take, a player must fold."""
    mine = s.acting >> seat & 1 and s.phase == rules.TURN
    return bool(mine and s.held[seat] == 0 and not rules.from_deck(s, seat))


def label(s, seat, action):
    """The label of a move."""
    if action < TAKE:
        return say("Start your row with the {card}", card=_card(action - SHOW))
    if action == TAKE:
        return say("Take a card")
    if action == FOLD:
        chips = min(rules.price(s, seat), s.purse[seat])
        return say_n("Fold and pay {n} chip", "Fold and pay {n} chips", chips)
    if s.row[seat] >> (action - PLAY) & 1:
        return say("Play the {card}: a pair, and you're out", card=_card(action - PLAY))
    return say("Play the {card}", card=_card(action - PLAY))


def _card(r):
    return Cards((str(r + 1),))


def narrate(before, event, after):
    """The facts that an event brings, each with those who are told."""
    if before.phase == rules.DEAL:
        return _narrate_dealt(after) if after.phase != rules.DEAL else []
    if event.seat < 0:
        facts = _narrate_chance(before, event)
    elif event.id < TAKE:
        facts = _narrate_choice(before, event)
    else:
        facts = _narrate_move(before, event)
    return facts + _narrate_first(before, after) + _narrate_end(before, after)


def _narrate_dealt(after):
    facts = []
    if after.deals > 1:
        facts += everyone(say(rows.DEAL_BEGINS, number=out_of(after.deal, after.deals)))
    for p in range(after.seats):
        cards = tuple(str(r + 1) for r in range(RANKS) for _ in range(after.hand[p, r]))
        if cards:
            facts.append(Fact(1 << p, say("You are dealt {cards}.", cards=Cards(cards))))
        else:
            mine = say(rows.YOU_SIT_OUT)
            facts += told(p, mine, say(rows.SITS_OUT, seat=Seat(p)))
    return facts


def _narrate_choice(before, event):
    p = event.seat
    facts = told(
        p,
        say("You choose the {card} for your row.", card=_card(event.id - SHOW)),
        say("{seat} has chosen.", seat=Seat(p)),
    )
    if before.acting != 1 << p:
        return facts
    for q in range(before.seats):
        if before.inside >> q & 1:
            card = _card(event.id - SHOW if q == p else before.choice[q])
            facts += told(q, say(rows.YOU_SHOW, card=card), say(rows.SHOWS, seat=Seat(q), card=card))
    return facts


def _narrate_chance(before, event):
    if before.phase == rules.LOT:
        p = event.id - RANKS
        return told(
            p,
            say(rows.YOU_LOWEST),
            say(rows.LOWEST, seat=Seat(p)),
        )
    p, card = before.turn, _card(event.id)
    pair = before.row[p] >> event.id & 1
    if before.phase == rules.TIE:
        facts = told(
            p,
            say(rows.YOU_TIE, card=card),
            say(rows.TIE, card=card, seat=Seat(p)),
        )
        return facts + (everyone(say(rows.REPLACED)) if pair else [])
    facts = told(p, say(rows.YOU_GET, card=card), say(rows.GETS, seat=Seat(p), card=card))
    return facts + (_narrate_pair(before, p, event.id) if pair else [])


def _narrate_pair(before, p, r):
    return rows.pair_facts(p, min(r + 1, before.purse[p]))


def _narrate_move(before, event):
    p = event.seat
    if event.id == TAKE:
        shuffled = [] if before.deck_left else everyone(say(rows.SHUFFLED))
        return shuffled + told(p, say(rows.YOU_TAKE), say(rows.TAKES, seat=Seat(p)))
    if event.id == FOLD:
        return rows.fold_facts(p, min(rules.price(before, p), before.purse[p]))
    r = event.id - PLAY
    facts = told(p, say(rows.YOU_PLAY, card=_card(r)), say(rows.PLAYS, seat=Seat(p), card=_card(r)))
    return facts + (_narrate_pair(before, p, r) if before.row[p] >> r & 1 else [])


def _narrate_first(before, after):
    if before.first != NONE or after.first == NONE or after.deal != before.deal:
        return []
    mine = say(rows.YOU_FIRST)
    return told(after.first, mine, say(rows.FIRST, seat=Seat(after.first)))


def _narrate_end(before, after):
    if not after.over and after.deal == before.deal:
        return []
    p = next(q for q in range(before.seats) if (before.inside & ~(1 << before.turn)) >> q & 1)
    chips = after.purse[p] - before.purse[p] + (1 if not after.over and after.anted >> p & 1 else 0)
    facts = rows.win_facts(p, chips)
    if after.ending == rules.TOO_FEW:
        facts += everyone(say(rows.TOO_FEW))
    return facts


def beats(seat, before, facts, after):
    """What is seen of an event, step by step; see `rows.py`."""
    return rows.beats(seat, before, tuple(zones(before, seat)), facts, after, tuple(zones(after, seat)))


def outcome_texts(s):
    """How the session ended for each seat."""
    most = max(s.purse[p] for p in range(s.seats))
    best = [p for p in range(s.seats) if s.purse[p] == most]
    return [_outcome_text(s.purse[p], p in best, len(best) > 1) for p in range(s.seats)]


def _outcome_text(chips, wins, shared):
    if wins and shared:
        return say_n("shared the win, with {n} chip", "shared the win, with {n} chips", chips)
    if wins:
        return say_n("won the match with {n} chip", "won the match with {n} chips", chips)
    return say_n("ended with {n} chip", "ended with {n} chips", chips)
