"""Cursed Hand at the table: what each seat sees, the labels of moves, prompts and the log."""

import functools

from hexdeck.engine.cards import RANKS
from hexdeck.engine.options import Preset
from hexdeck.engine.study import About, Reason
from hexdeck.engine.text import Cards, Seat, _, in_cards, in_games, in_points, out_of, say, say_n
from hexdeck.engine.view import (
    PLAYED,
    RESOLVED,
    REVEALED,
    Caption,
    Outcome,
    Spotlight,
    Tally,
    Zone,
    captions_by_stop,
    rank_cards,
    rank_codes,
    remembered,
    seats_of,
    told,
    waiting,
)
from hexdeck.games.cursed_hand import rules
from hexdeck.games.cursed_hand.rules import ACCEPT, CALL, CARD, GRAVE, NONE, PAIRED

ABOUT = About(
    say("Cursed Hand"),
    say("Pass a growing ghost hand, face down. Is there a pair in it? Call, or accept it and pass it on."),
    tagline=say("A hidden hand goes round: is there a pair in it yet?"),
    credit=say("Cursed Hand, Cheapass Games; played with the deck of Pairs by James Ernest and Paul Peterson."),
    minutes=(4, 7),  # for a match of four: at this table, and at a real one (see lab/counts.py)
    age=8,
    luck=22,
    deal=say("Game"),
)
PRESETS = (  # what people choose from at a table, in the sheet's words; the first is the default
    Preset("quick-game", say("Quick game"), say("A single game.")),
    Preset(
        "extended-variation",
        say("Extended Variation"),
        say("The first to lose three games loses the match."),
        {"losses": 3},
    ),
    Preset(
        "as-the-sheet",
        say("As the sheet"),
        say("There is only one loser; a tie is settled by lot."),
        {"tied_losers": "one_at_random"},
    ),
)

WORDS = {  # values of options and endings in words
    "passer": say("whoever passed it"),
    "nobody": say("nobody"),
    "after_ghost": say("when the next ghost hand would begin"),
    "at_once": say("at once"),
    "all": say("all of them"),
    "one_at_random": say("one of them, at random"),
    "pair": say("a pair in a graveyard"),
    "exhausted": say("a hand or the deck ran out"),
}

REASONS = (
    Reason("CH-2", say("You choose a card for your graveyard only once, at the start.")),
    Reason("CH-2", say("That card isn't in your hand.")),
    Reason("CH-5", say("You pass two cards together only when you start a ghost hand.")),
    Reason("CH-5", say("Those two cards aren't both in your hand.")),
    Reason("CH-6", say("There is no ghost hand for you to call or accept.")),
    Reason("CH-6", say("You have already accepted the ghost hand: now add a card to it.")),
    Reason("CH-9", say("Accept the ghost hand first; then add a card.")),
    Reason("CH-9", say("That card isn't in your hand.")),
)


@remembered
def zones(s, seat):
    """The table as a seat sees it: everybody's graveyard and hand; ghost hand, deck and discards."""
    graves, hands = rows_of(s.grave.tobytes()), rows_of(s.hand.tobytes())
    out = []
    face_down = s.phase == rules.BURY and s.acting == 0 and not any(graves)  # everybody has chosen
    for p in range(s.seats):
        points = sum(map(int, graves[p]))
        out.append(Zone(f"grave-{p}", say("Graveyard"), p, "row", graves[p], int(face_down), points))
        out.append(_hand(s, p, seat, hands[p], face_down))
        if s.losses > 1:
            note = say("of {losses}", losses=s.losses)
            out.append(Zone(f"lost-{p}", say("Games lost"), p, "count", count=s.lost[p], note=note))
    cards = _ghost_cards(s).codes
    hidden = s.ghost_size - max(len(cards), _open(s))
    note = say("passed by {seat}", seat=Seat(s.passer)) if s.passer != NONE else None
    out.append(Zone("ghost", say("Ghost hand"), None, "fan", cards, hidden, note=note))
    out.append(Zone("deck", say("Deck"), None, "pile", hidden=s.deck_left))
    return [*out, Zone("discards", say("Discards"), None, "pile", rows_of(s.discard.tobytes())[0])]


def _open(s):
    """How many cards of the ghost hand lie open."""
    return s.due if s.phase == rules.OPEN else 0


@functools.lru_cache(4096)
def rows_of(counts):
    """The cards of each row of an array that counts ranks, given as its bytes."""
    return [rank_codes(counts[at : at + RANKS]) for at in range(0, len(counts), RANKS)]


def _hand(s, p, seat, cards, face_down):
    if p != seat:
        return Zone(f"hand-{p}", say("Hand"), p, "fan", hidden=s.held[p] - face_down)
    if face_down:
        at = cards.index(str(s.choice[p] + 1))
        return Zone(f"hand-{p}", say("Hand"), p, "fan", cards[:at] + cards[at + 1 :])
    note = say("for your graveyard: {card}", card=rank_cards(s.choice[p])) if s.choice[p] != NONE else None
    return Zone(f"hand-{p}", say("Hand"), p, "fan", cards, note=note)


def tallies(s):
    """The score sheet: games lost."""
    return [Tally("lost", say("Games lost"), tuple(s.lost[p] for p in range(s.seats)))]


def won_by(s):
    """By what the match was won: how many games fewer, or points if it was one that a pair didn't decide."""
    if s.losses > 1:
        first, second, *_ = sorted(s.lost[p] for p in range(s.seats))
        return in_games(second - first)
    first, second, *_ = sorted(rules.grave_points(s, p) for p in range(s.seats))
    return in_points(second - first) if s.ending == rules.BY_EXHAUSTION else None


def decided_by(s, seat):
    """Who lost the match, where one seat did, and by what."""
    losers = [p for p in range(s.seats) if rules.has_lost(s, p)]
    if len(losers) > 1:
        return None
    p = losers[0]
    if s.losses > 1:
        mine = say("You have lost {n} games, and with them the match.")
        theirs = say("{seat} has lost {n} games, and with them the match.")
        return told(seat, p, mine, theirs, n=s.lost[p])
    if s.ending != rules.BY_EXHAUSTION:
        mine = say("You are cursed: two {card}s in your graveyard.")
        theirs = say("{seat} is cursed: two {card}s in the graveyard.")
        return told(seat, p, mine, theirs, card=rank_cards(max(r for r in range(RANKS) if s.grave[p, r] > 1)))
    points = [rules.grave_points(s, q) for q in range(s.seats)]
    n = points[p]
    if points.count(n) > 1:
        mine = say("Tied for the most points, {n}: you lose, chosen at random.")
        return told(seat, p, mine, say("Tied for the most points, {n}: {seat} loses, chosen at random."), n=n)
    mine = say("You lose with the most in your graveyard: {points}.", points=in_points(n))
    theirs = say("{seat} loses with the most in the graveyard: {points}.", points=in_points(n))
    return told(seat, p, mine, theirs)


def prompt(s, seat):
    """What the table is waiting for, as told to a seat."""
    if seat >= 0 and s.acting >> seat & 1:
        return _your_turn(s)
    if s.phase == rules.BURY:
        return waiting(s, say("Waiting for everyone to choose a card for their graveyard."))
    return say(AWAITED.get(s.phase, AWAITED[rules.PAIR]), seat=Seat(s.turn))  # at other phases nobody decides


AWAITED = {
    rules.PAIR: _("Waiting for {seat} to start a ghost hand."),
    rules.ANSWER: _("Waiting for {seat} to call or accept."),
    rules.ADD: _("Waiting for {seat} to add a card."),
}


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
    text = _("{passer} passes you {cards}. Is there a pair in it? Call, or accept.")
    return say(text, cards=in_cards(s.ghost_size), passer=Seat(s.passer))


def label(s, seat, action):
    """The label of a move."""
    if action == CALL:
        return say("Call the ghost hand")
    if action == ACCEPT and s.held[seat] == 0:
        return say("Accept with no cards left: the ghost hand is turned up")
    if action == ACCEPT:
        return say("Accept the ghost hand")
    if action < CALL:
        return say("Start your graveyard with the {card}", card=rank_cards(action - GRAVE))
    if action < PAIRED:
        return say("Add the {card}", card=rank_cards(action - CARD))
    a, b = rules.pair_of(action)
    return say("Pass {cards}", cards=Cards((str(a + 1), str(b + 1))))


# --- what is told and shown of each stop ------------------------------------------------------------------------------
CALL_IT, ACCEPT_IT, PASS_IT = say("Call!"), say("I accept."), say("Pass.")
SHORT, TURN, TURNS = 400, 140, 1400  # milliseconds: the call, each card that turns up, all of them at most


def _dealt(stop, seat, _p):
    game = (say("Game {number}: the cards are dealt.", number=stop.now.deal),) if stop.now.losses > 1 else ()
    own = (say("You are dealt {cards}.", cards=Cards(rows_of(stop.now.hand.tobytes())[seat])),) if seat >= 0 else ()
    return Caption(game[0], PLAYED, ("deck",), cue="deal", log=game + own) if game else Caption(hold=0, log=own)


def _chosen(stop, seat, p):
    if seat == p:
        return Caption(say("You choose the {card} for your graveyard.", card=rank_cards(stop.now.choice[p])), 0)
    return Caption(say("{seat} has chosen.", seat=Seat(p)), 0)


def _face_down(stop, _seat, _p):
    line = say("Everyone has chosen. The cards lie face down.")
    return Caption(line, PLAYED, _graves(stop), cue="place", log=())


def _turned_up(stop, _seat, _p):
    first = rows_of(stop.now.grave.tobytes())[: stop.now.seats]
    log = tuple(say("{seat}: {card} to the graveyard.", seat=Seat(q), card=Cards(row)) for q, row in enumerate(first))
    line = say("The first cards of the graveyards are turned up.")
    return Caption(line, REVEALED, tuple(f"{grave}.0" for grave in _graves(stop)), cue="flip", log=log)


def _tied(stop, _seat, _p):
    tied = seats_of(stop.now.tied)
    line = say("No number was chosen only once: one of the players with the highest goes first, chosen at random.")
    return Caption(line, RESOLVED, tuple(f"grave-{q}.0" for q in tied), tied, "reveal", log=())


def _goes_first(stop, seat, p):
    if stop.now.tied:
        mine, theirs = say("Chosen at random: you go first."), say("Chosen at random: {seat} goes first.", seat=Seat(p))
        return Caption(told(seat, p, mine, theirs), REVEALED, (f"grave-{p}",), (p,), "reveal")
    mine = say("You go first: yours is the highest number chosen only once.")
    theirs = say("{seat} goes first, with the highest number chosen only once.", seat=Seat(p))
    return Caption(told(seat, p, mine, theirs), RESOLVED, (f"grave-{p}.0",), (p,), "reveal")


def _drawn(stop, seat, p):
    mine, card = say("You draw the {card} to start a ghost hand."), _surplus(stop.now.hand, stop.before.hand, p)
    line = told(seat, p, mine, say("{seat} draws a card to start a ghost hand."), card=card)
    return Caption(line, PLAYED, ("deck",), (p,), "deal")


def _passed(stop, seat, p):
    added = _surplus(stop.before.hand, stop.now.hand, p)
    mine, theirs = say("You add the {card} and pass it on."), say("{seat} adds a card and passes it on.")
    if stop.now.ghost_size == 2:
        mine, theirs = say("You start a ghost hand with {cards}."), say("{seat} starts a ghost hand with two cards.")
    return Caption(told(seat, p, mine, theirs, cards=added, card=added), PLAYED, ("ghost",), (p,), "place", PASS_IT)


def _looked(stop, seat, p):
    mine = say("You accept the ghost hand and see {cards}.")
    line = told(seat, p, mine, say("{seat} accepts the ghost hand and looks."), cards=_ghost_cards(stop.now))
    return Caption(line, PLAYED, ("ghost",), (p,), "reveal", ACCEPT_IT)


def _turns_up(stop, seat, p):
    """The call, or an acceptance with no cards left, is heard; then one card after the other is turned up."""
    if stop.kind == rules.CALLED:
        line, seats, speech = told(seat, p, say("You call."), say("{seat} calls.")), (p, stop.now.passer), CALL_IT
    else:
        mine = say("You accept with no cards left: the ghost hand is turned up and the penalties are swapped.")
        theirs = say("{seat} accepts with no cards left: the ghost hand is turned up and the penalties are swapped.")
        line, seats, speech = told(seat, p, mine, theirs), (p,), ACCEPT_IT
    if stop.now.phase != rules.OPEN:
        return Caption(line, SHORT, ("ghost",), seats, "reveal", speech)
    hold = min(TURN, TURNS // stop.now.ghost_size)
    return Caption(line, hold, (f"ghost.{_open(stop.now) - 1}",), seats[:1], "flip", speech, log=())


def _clean(stop, seat, p):
    cards = _ghost_cards(stop.now)
    line = say("The ghost hand is {cards}: clean.", cards=cards)
    log = (line,) if p != NONE else (line, NOBODY_PAYS)
    light = tuple(f"ghost.{k}" for k in range(stop.now.ghost_size))
    verdict = Spotlight(say("No pair!"), _judged(stop, seat, p, cards.codes[-1:]), "orange", against=True)
    return Caption(line, REVEALED, light, _concerned(stop, p), "good", log=log, spotlight=verdict)


def _cursed(stop, seat, p):
    cards = _ghost_cards(stop.now)
    light = tuple(f"ghost.{k}" for k, code in enumerate(cards.codes) if stop.detail >> int(code) - 1 & 1)
    paid = tuple(str(r + 1) for r in range(1, RANKS) if stop.detail >> r & 1)
    line = say("The ghost hand is {cards}: cursed!", cards=cards)
    verdict = Spotlight(
        say_n("A pair!", "{n} pairs!", len(paid) or 1), _judged(stop, seat, p, paid), "green", against=True
    )
    return Caption(line, REVEALED, light, _concerned(stop, p), "curse", spotlight=verdict)


def _concerned(stop, payer):
    """Who called, or accepted with no cards left; then who pays for it, if it is another."""
    return (stop.actor,) if payer in (stop.actor, NONE) else (stop.actor, payer)


def _judged(stop, seat, payer, cards):
    """Whether the player who called or accepted was right, and the graveyard that these cards go to."""
    right = payer != stop.actor
    first = told(seat, stop.actor, *VERDICTS[right == bool(stop.detail), right])
    if payer == NONE:
        return say("{first} {rest}", first=first, rest=NOBODY_PAYS)
    before = rules.grave_points(stop.now, payer)
    terms, total = " + ".join([str(before), *cards]), before + sum(map(int, cards))
    theirs = (
        say("Graveyard: {terms} = {total}") if payer == stop.actor else say("{seat}'s graveyard: {terms} = {total}")
    )
    rest = told(seat, payer, say("Your graveyard: {terms} = {total}"), theirs, terms=terms, total=total)
    return say("{first} {rest}", first=first, rest=rest)


def _paid(stop, seat, p):
    cards = _surplus(stop.now.grave, stop.before.grave, p)
    mine, theirs = say("You add {cards} to your graveyard."), say("{seat} adds {cards} to the graveyard.")
    if len(cards.codes) == 1:
        mine, theirs = say("You add the {card} to your graveyard."), say("{seat} adds the {card} to the graveyard.")
    grave = rows_of(stop.now.grave.tobytes())[p]
    light = tuple(f"grave-{p}.{k}" for k, card in enumerate(grave) if card in cards.codes)
    return Caption(told(seat, p, mine, theirs, cards=cards, card=cards), RESOLVED, light, (p,), "bad")


def _run_out(stop, _seat, _p):
    line = say("A hand or the deck has run out: whoever has the most points in their graveyard loses.")
    return Caption(line, REVEALED, _graves(stop), cue="reveal")


def _lost_game(stop, seat, p):
    s, number = stop.now, out_of(stop.now.lost[p], stop.now.losses)
    if s.phase == rules.PICK and s.losses > 1:
        mine = say("Chosen at random: you lose the game, {number} losses.")
        theirs = say("Chosen at random: {seat} loses the game, {number} losses.")
    elif s.phase == rules.PICK:
        mine, theirs = say("Chosen at random: you lose the game."), say("Chosen at random: {seat} loses the game.")
    elif s.losses > 1:
        mine, theirs = say("You lose the game: {number} losses."), say("{seat} loses the game: {number} losses.")
    else:
        mine, theirs = say("You lose the game."), say("{seat} loses the game.")
    grave = rows_of(stop.now.grave.tobytes())[p]
    pair = tuple(f"grave-{p}.{k}" for k, card in enumerate(grave) if grave.count(card) > 1)
    line = told(seat, p, mine, theirs, number=number)
    decisive = Spotlight(say("Two of a kind!"), line, "green") if pair else None
    return Caption(line, REVEALED, pair or (f"grave-{p}",), (p,), "bad", spotlight=decisive)


NOBODY_PAYS = say("Nobody takes a penalty.")
VERDICTS = {  # by whether it was a call, and a right one
    (True, True): (say("You called rightly."), say("{seat} called rightly.")),
    (True, False): (say("You called wrongly."), say("{seat} called wrongly.")),
    (False, True): (say("You accepted rightly."), say("{seat} accepted rightly.")),
    (False, False): (say("You accepted wrongly."), say("{seat} accepted wrongly.")),
}
SWEPT = say("The rest of the ghost hand goes to the discards.")
GATHERED = say("All cards are gathered for the next game.")
DEAL = {rules.DEALT: _dealt, rules.CHOSEN: _chosen, rules.FACE_DOWN: _face_down, rules.TURNED_UP: _turned_up}
FIRST = {rules.TIED: _tied, rules.GOES_FIRST: _goes_first}
GHOST = {rules.DRAWN: _drawn, rules.PASSED: _passed, rules.LOOKED: _looked}
ANSWER = {rules.CALLED: _turns_up, rules.ACCEPTED: _turns_up, rules.CLEAN: _clean, rules.CURSED: _cursed}
END = {rules.PAID: _paid, rules.RUN_OUT: _run_out, rules.LOST: _lost_game}
CARDS = {
    rules.SWEPT: Caption(SWEPT, RESOLVED, ("discards",), cue="place", log=()),
    rules.GATHERED: Caption(GATHERED, RESOLVED, ("deck",), cue="deal", log=()),
}
caption = captions_by_stop(DEAL | FIRST | GHOST | ANSWER | END | CARDS)


def _graves(stop):
    return tuple(f"grave-{q}" for q in range(stop.now.seats))


def _surplus(larger, smaller, p):
    """The cards that a seat has more of in one array of ranks than in another."""
    return Cards(rank_codes(larger[p, r] - smaller[p, r] for r in range(RANKS)))


def _ghost_cards(s):
    return rank_cards(*sorted(s.ghost[i] for i in range(s.ghost_size) if s.ghost[i] != NONE))


def outcome(s, seat):
    """How the match ended, and by what."""
    texts = [say("lost the match") if rules.has_lost(s, p) else say("stayed safe") for p in range(s.seats)]
    if all_lost := all(rules.has_lost(s, p) for p in range(s.seats)):  # CH-15
        texts = [say("lost with everybody else")] * s.seats
    return Outcome(texts, won_by(s), decided_by(s, seat), all_lost)
