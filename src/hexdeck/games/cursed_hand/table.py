"""Cursed Hand at the table: what each seat sees, the labels of moves, prompts and the log."""

import functools

from hexdeck.engine.cards import RANKS
from hexdeck.engine.options import Preset
from hexdeck.engine.play.remembered import remembered
from hexdeck.engine.play.score import Tally
from hexdeck.engine.text import Cards, Seat, out_of, say, say_n
from hexdeck.engine.view import Fact, Zone, everyone, told
from hexdeck.games.cursed_hand import calls, rules
from hexdeck.games.cursed_hand.rules import ACCEPT, CALL, CARD, GRAVE, NONE, PAIRED

CREDIT = say("Cursed Hand, Cheapass Games; played with the deck of Pairs by James Ernest and Paul Peterson.")
TAGLINE = say("A hidden hand goes round: is there a pair in it yet?")
ABOUT = say("Pass a growing ghost hand, face down. Is there a pair in it? Call, or accept it and pass it on.")
TITLE = say("Cursed Hand")
DEAL = say("Game")  # title of a row of the score sheet
PRESETS = (  # what people choose from at a table, in the sheet's words; the first is the default
    Preset("quick-game", say("Quick game"), say("A single game.")),
    Preset("extended-variation", say("Extended Variation"), say("The first to lose three games loses the match."),
           {"losses": 3}),
    Preset("as-the-sheet", say("As the sheet"), say("There is only one loser; a tie is settled by lot."),
           {"tied_losers": "one_at_random"}),
)  # fmt: skip
MINUTES = 3, 5  # for a match of four: at this table, and at a real one (see lab/counting/pace.py)

VALUES = {  # values of options in words
    "passer": say("whoever passed it"),
    "nobody": say("nobody"),
    "after_ghost": say("when the next ghost hand would begin"),
    "at_once": say("at once"),
    "all": say("all of them"),
    "one_at_random": say("one of them, at random"),
}

ENDED = (say("not over"), say("a pair in a graveyard"), say("a hand or the deck ran out"))

WHY = (
    say("This can be done."),
    say("You choose a card for your graveyard only once, at the start."),
    say("That card isn't in your hand."),
    say("You pass two cards together only when you start a ghost hand."),
    say("Those two cards aren't both in your hand."),
    say("There is no ghost hand for you to call or accept."),
    say("You have already accepted the ghost hand: now add a card to it."),
    say("Accept the ghost hand first; then add a card."),
    say("That card isn't in your hand."),
)


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's graveyard and hand; ghost hand, deck and discards."""
    graves, hands = rows_of(s.grave.tobytes()), rows_of(s.hand.tobytes())
    out = []
    for p in range(s.seats):
        out.append(_grave(p, graves[p]))
        out.append(_own_hand(p, hands[p], s.choice[p]) if p == seat else _hand(p, s.held[p]))
        if s.losses > 1:
            out.append(_lost(p, s.lost[p], s.losses))
    known = tuple(sorted(s.ghost[i] for i in range(s.ghost_size) if s.ghost[i] != NONE))
    ghost = _ghost(known, s.ghost_size - len(known), s.passer)
    return [*out, ghost, _deck(s.deck_left), _discards(rows_of(s.discard.tobytes())[0])]


@functools.lru_cache(4096)
def rows_of(counts):
    """The cards of each row of an array that counts ranks, given as its bytes."""
    rows = [counts[at : at + RANKS] for at in range(0, len(counts), RANKS)]
    return [tuple(str(r + 1) for r in range(RANKS) for _ in range(row[r])) for row in rows]


@functools.lru_cache(4096)
def _grave(p, cards):
    return Zone(f"grave-{p}", say("Graveyard"), p, "row", cards, count=sum(map(int, cards)))


@functools.lru_cache(4096)
def _own_hand(p, cards, chosen):
    note = say("for your graveyard: {card}", card=_card(chosen)) if chosen != NONE else None
    return Zone(f"hand-{p}", say("Hand"), p, "fan", cards, note=note)


@functools.lru_cache(4096)
def _hand(p, hidden):
    return Zone(f"hand-{p}", say("Hand"), p, "fan", hidden=hidden)


@functools.lru_cache(4096)
def _lost(p, games, losses):
    return Zone(f"lost-{p}", say("Games lost"), p, "count", count=games, note=say("of {losses}", losses=losses))


@functools.lru_cache(4096)
def _ghost(known, hidden, passer):
    note = say(calls.PASSED_BY, seat=Seat(passer)) if passer != NONE else None
    return Zone("ghost", say("Ghost hand"), None, "fan", tuple(str(r + 1) for r in known), hidden, note=note)


@functools.lru_cache(4096)
def _deck(left):
    return Zone("deck", say("Deck"), None, "pile", hidden=left)


@functools.lru_cache(4096)
def _discards(cards):
    return Zone("discards", say("Discards"), None, "pile", cards)


def tallies(s):
    """The score sheet: games lost."""
    return [Tally("lost", say("Games lost"), tuple(s.lost[p] for p in range(s.seats)))]


def no_winner(s):
    """CH-15: whether everybody has lost the match."""
    return all(s.losers >> p & 1 and s.lost[p] >= s.losses for p in range(s.seats))


def won_by(s):
    """By what the match was won: how many games fewer, or points if it was one that a pair didn't decide."""
    if s.losses > 1:
        first, second, *_ = sorted(s.lost[p] for p in range(s.seats))
        return say_n("{n} game", "{n} games", second - first)
    first, second, *_ = sorted(rules.grave_points(s, p) for p in range(s.seats))
    return say_n("{n} point", "{n} points", second - first) if s.ending == rules.BY_EXHAUSTION else None


def decided_by(s, seat):
    """Who lost the match, where one seat did, and by what."""
    losers = [p for p in range(s.seats) if s.lost[p] >= s.losses]
    if len(losers) > 1:
        return None
    p = losers[0]
    if s.losses > 1:
        return _lost_games(s.lost[p], p, seat)
    if s.ending == rules.BY_EXHAUSTION:
        return _lost_by_points(s, p, seat)
    return _lost_by_pair(max(r for r in range(RANKS) if s.grave[p, r] > 1), p, seat)


def _lost_games(n, p, seat):
    if p == seat:
        return say("You have lost {n} games, and with them the match.", n=n)
    return say("{seat} has lost {n} games, and with them the match.", n=n, seat=Seat(p))


def _lost_by_pair(r, p, seat):
    if p == seat:
        return say("You are cursed: two {card}s in your graveyard.", card=_card(r))
    return say("{seat} is cursed: two {card}s in the graveyard.", card=_card(r), seat=Seat(p))


def _lost_by_points(s, p, seat):
    points = [rules.grave_points(s, q) for q in range(s.seats)]
    if points.count(points[p]) > 1:
        mine = say("Tied for the most points, {n}: you lose, chosen at random.", n=points[p])
        theirs = say("Tied for the most points, {n}: {seat} loses, chosen at random.", n=points[p], seat=Seat(p))
        return mine if p == seat else theirs
    if p == seat:
        return say_n(
            "You lose with the most in your graveyard: {n} point.",
            "You lose with the most in your graveyard: {n} points.",
            points[p],
        )
    return say_n(
        "{seat} loses with the most in the graveyard: {n} point.",
        "{seat} loses with the most in the graveyard: {n} points.",
        points[p], seat=Seat(p),
    )  # fmt: skip


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if s.over:
        return say("The match is over.")
    if seat >= 0 and s.acting >> seat & 1:
        return _your_turn(s)
    if s.phase == rules.BURY:
        return say("Waiting for everyone to choose a card for their graveyard.")
    return say("Waiting for {seat}.", seat=Seat(s.turn))


def _your_turn(s):
    if s.phase == rules.BURY:
        return say(
            "Choose the first card of your graveyard. All are turned up together; the highest number chosen only once "
            "goes first."
        )
    if s.phase == rules.PAIR:
        return say("Start a ghost hand: pass any two cards from your hand, face down, to the left.")
    if s.phase == rules.ADD:
        return say("You have looked. Add a card from your hand to the ghost hand and pass it on.")
    return say_n(
        "{passer} passes you {n} card. Is there a pair in it? Call, or accept.",
        "{passer} passes you {n} cards. Is there a pair in it? Call, or accept.",
        s.ghost_size, passer=Seat(s.passer),
    )  # fmt: skip


def label(s, seat, action):
    """The label of a move."""
    if action == CALL:
        return say("Call the ghost hand")
    if action == ACCEPT and s.held[seat] == 0:
        return say("Accept with no cards left: the ghost hand is turned up")
    if action == ACCEPT:
        return say("Accept the ghost hand")
    if action < CALL:
        return say("Start your graveyard with the {card}", card=_card(action - GRAVE))
    if action < PAIRED:
        return say("Add the {card}", card=_card(action - CARD))
    a, b = rules.pair_of(action)
    return say("Pass {cards}", cards=Cards((str(a + 1), str(b + 1))))


def _card(r):
    return Cards((str(r + 1),))


def narrate(before, event, after):
    """The facts that an event brings, each with those who are told."""
    if event.seat < 0:
        return _narrate_chance(before, event, after)
    if event.id < CALL:
        return _narrate_choice(before, event, after)
    facts = _narrate_move(before, event.seat, event.id)
    return facts + _narrate_end(before, after)


def _narrate_chance(before, event, after):
    if before.phase == rules.DEAL:
        return _narrate_hands(after) if after.phase != rules.DEAL else []
    if before.phase == rules.DRAW:
        p = before.turn
        mine = say(calls.YOU_DRAW, card=_card(event.id))
        return told(p, mine, say(calls.DRAWS, seat=Seat(p)))
    p = event.id - RANKS
    if before.phase == rules.FIRST:
        facts = told(p, say(calls.YOU_FIRST_BY_LOT), say(calls.FIRST_BY_LOT, seat=Seat(p)))
    else:
        facts = _narrate_lost(after, p, by_lot=True)
    return facts + _narrate_end(before, after)


def _narrate_hands(after):
    facts = everyone(say(calls.GAME_DEALT, number=after.deal)) if after.losses > 1 else []
    for p in range(after.seats):
        facts.append(Fact(1 << p, say("You are dealt {cards}.", cards=Cards(rows_of(after.hand.tobytes())[p]))))
    return facts


def _narrate_choice(before, event, after):
    p = event.seat
    mine = say("You choose the {card} for your graveyard.", card=_card(event.id - GRAVE))
    facts = told(p, mine, say("{seat} has chosen.", seat=Seat(p)))
    if before.acting != 1 << p:
        return facts
    graves = [_grave_after(before, event, q) for q in range(before.seats)]
    for q, r in enumerate(graves):
        facts += everyone(say(calls.TO_GRAVE, seat=Seat(q), card=_card(r)))
    if after.phase != rules.FIRST and not after.over and after.deal == before.deal:
        mine = say(calls.YOU_GO_FIRST)
        facts += told(after.turn, mine, say(calls.GOES_FIRST, seat=Seat(after.turn)))
    return facts + _narrate_end(before, after)


def _grave_after(before, event, q):
    return event.id - GRAVE if q == event.seat else before.choice[q]


def _narrate_move(before, p, action):
    if action == CALL:
        facts = told(p, say(calls.YOU_CALL), say(calls.CALLS, seat=Seat(p)))
        return facts + _narrate_shown(before, p, before.passer, p)
    if action == ACCEPT and before.held[p]:
        return told(p, say(calls.YOU_LOOK, cards=_ghost_cards(before)),
                    say(calls.LOOKS, seat=Seat(p)))  # fmt: skip
    if action == ACCEPT:
        mine = say("You accept with no cards left: the ghost hand is turned up and the penalties are swapped.")
        theirs = say(
            "{seat} accepts with no cards left: the ghost hand is turned up and the penalties are swapped.",
            seat=Seat(p),
        )
        return told(p, mine, theirs) + _narrate_shown(before, p, p, before.passer)
    if action < PAIRED:
        mine = say(calls.YOU_ADD, card=_card(action - CARD))
        return told(p, mine, say(calls.ADDS, seat=Seat(p)))
    a, b = rules.pair_of(action)
    mine = say(calls.YOU_START, cards=Cards((str(a + 1), str(b + 1))))
    return told(p, mine, say(calls.STARTS, seat=Seat(p)))


def _ghost_cards(before):
    return Cards(tuple(str(r + 1) for r in sorted(before.ghost[i] for i in range(before.ghost_size))))


def _narrate_shown(before, p, if_cursed, if_clean):
    highest, cursed, taken = rules.judge(before)
    shown = _ghost_cards(before)
    if not cursed:
        facts = everyone(say(calls.CLEAN, cards=shown))
        if p == if_cursed and before.clean_accept == rules.NOBODY:
            return facts + everyone(say("Nobody takes a penalty."))
        return facts + _narrate_paid(if_clean, Cards((str(highest + 1),)))
    facts = everyone(say(calls.CURSED, cards=shown))
    ranks = tuple(str(r + 1) for r in range(RANKS) if taken >> r & 1)
    return facts + (_narrate_paid(if_cursed, Cards(ranks)) if ranks else [])


def _narrate_paid(p, cards):
    mine = say(calls.YOU_PAY, cards=cards)
    return told(p, mine, say(calls.PAYS, seat=Seat(p), cards=cards))


def _narrate_end(before, after):
    lot = before.phase == rules.PICK
    ended = after.over or after.deal != before.deal
    facts = []
    if not lot and (after.phase == rules.PICK or (ended and after.ending == rules.BY_EXHAUSTION)):
        facts += everyone(say(calls.RUN_OUT))
    for p in range(after.seats):
        if ended and not lot and after.losers >> p & 1:
            facts += _narrate_lost(after, p, by_lot=False)
    return facts


def _narrate_lost(after, p, by_lot):
    """CH-12 to CH-14: a seat loses a game; of several, with how many it has lost and how many lose the match."""
    if after.losses == 1:
        mine, theirs = (calls.YOU_LOSE_BY_LOT, calls.LOSES_BY_LOT) if by_lot else (calls.YOU_LOSE, calls.LOSES)
        return told(p, say(mine), say(theirs, seat=Seat(p)))
    number = out_of(after.lost[p], after.losses)
    mine, theirs = (
        (calls.YOU_LOSE_ONE_BY_LOT, calls.LOSES_ONE_BY_LOT) if by_lot else (calls.YOU_LOSE_ONE, calls.LOSES_ONE)
    )
    return told(p, say(mine, number=number), say(theirs, number=number, seat=Seat(p)))


def beats(seat, before, facts, after):
    """What is seen of an event, step by step; see `calls.py`."""
    return calls.beats(seat, before, tuple(zones(before, seat)), facts, after, tuple(zones(after, seat)))


def outcome_texts(s):
    """How the match ended for each seat."""
    lost = [s.lost[p] >= s.losses for p in range(s.seats)]
    if all(lost):
        return [say("lost with everybody else") for _ in lost]
    return [say("lost the match") if loses else say("stayed safe") for loses in lost]
