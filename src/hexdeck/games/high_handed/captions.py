"""What a seat is told and shown of High Handed, stop by stop."""

from typing import NamedTuple

from hexdeck.engine.options import listed
from hexdeck.engine.text import Cards, Seat, _, in_cards, in_points, out_of, say
from hexdeck.engine.view import (
    LONGEST,
    PLAYED,
    RESOLVED,
    REVEALED,
    Caption,
    Spotlight,
    at_seat,
    captions_by_stop,
    cell_name,
    told,
)
from hexdeck.games.high_handed import rules, scoring
from hexdeck.games.high_handed.deck import by_rank, card_name, cards_of
from hexdeck.games.high_handed.rules import THIEF, TIMER

FINE, TOO_MANY = in_points(rules.FINE), say("Too many cards!")
LIT, FURTHER = 900, 400  # milliseconds for which a hand is lit, the first two and those after them
HANDS = (  # by category: its name; what is said where it scores; and, where it takes the stage, the word for it
    (say("no hand"), "", None),
    (say("pair"), _("Pair +{points}"), None),
    (say("two pair"), _("Two pair +{points}"), None),
    (say("three of a kind"), _("Three of a kind +{points}"), None),
    (say("full house"), _("Full house +{points}"), say("Full house")),
    (say("four of a kind"), _("Four of a kind +{points}"), say("Four of a kind")),
    (say("flush"), _("Flush +{points}"), say("Flush")),
    (say("straight"), _("Straight +{points}"), say("Straight")),
    (say("straight flush"), _("Straight flush +{points}"), say("Straight flush")),
    (say("royal flush"), _("Royal flush +{points}"), say("Royal flush")),
)
CATEGORIES = tuple(hand[0] for hand in HANDS)


def caption(stop, seat):
    """What a seat is told and shown at a stop."""
    return _hand(stop, stop.actor, stop.kind - rules.HAND) if stop.kind >= rules.HAND else by_stop(stop, seat)


def _dealt(stop, seat, _p):
    s = stop.now
    game = (say("Game {number}: the cards are dealt.", number=rules.game_number(s, s.deal)),) if s.length else ()
    own = (say("You are dealt {cards}.", cards=Cards(cards_of(s.hand, s.hand_x, seat))),) if seat >= 0 else ()
    return Caption(game[0], PLAYED, ("pile-1", "pile-2"), cue="deal", log=game + own) if game else _only_logged(*own)


def _only_logged(*lines):
    return Caption(hold=0, log=lines)


# --- a card is laid ---------------------------------------------------------------------------------------------------
LAYS = {  # a special, by the stop: as its player is told, and others
    (rules.LAID, TIMER): (say("You lay a Two Timer at {cell}."), say("{seat} lays a Two Timer at {cell}.")),
    (rules.LAID, THIEF): (say("You lay a Thief at {cell}."), say("{seat} lays a Thief at {cell}.")),
    (rules.ADDED_ON, TIMER): (say("You put a Two Timer on top."), say("{seat} puts a Two Timer on top.")),
    (rules.ADDED_ON, THIEF): (say("You put a second Thief on top."), say("{seat} puts a second Thief on top.")),
}
COVERS = {  # likewise
    TIMER: (
        say("You put a Two Timer on the {card} at {cell}."),
        say("{seat} puts a Two Timer on the {card} at {cell}."),
    ),
    THIEF: (say("You put a Thief on the {card} at {cell}."), say("{seat} puts a Thief on the {card} at {cell}.")),
}


def _laid(stop, seat, p):
    cell = cell_name(stop.now.cell, stop.now.columns)
    return _on_board(stop, p, told(seat, p, *LAYS[stop.kind, _top(stop)], cell=cell))


def _covered(stop, seat, p):
    """The card that a special goes on is lit before it is covered, and again where it lies out of the game."""
    s, lifted = stop.now, stop.kind != rules.COVERED
    special = TIMER + stop.kind - rules.LIFTED if lifted else _top(stop)
    line = told(seat, p, *COVERS[special], card=card_name(s.under - 1), cell=cell_name(s.cell, s.columns))
    speech = say("That one goes.") if special == THIEF else None
    if lifted:
        return Caption(line, PLAYED, _spot(stop), (p,), "lift", speech, log=())
    light = tuple(f"out.{k}" for k, card in enumerate(by_rank(s.out)) if card == s.under - 1)
    theft = Spotlight(say("Stolen!"), line, "red") if speech else None
    return Caption(line, REVEALED, (*_spot(stop), *light), (p,), "steal" if speech else "place", speech, None, theft)


def _left(stop, seat, p):
    single = say("You leave it there."), say("{seat} leaves it there.")
    stack = say("You leave them there."), say("{seat} leaves them there.")
    return _on_board(stop, p, told(seat, p, *(stack if stop.now.stacked > 1 else single)))


def _on_board(stop, p, line, log=None):
    return Caption(line, PLAYED, _spot(stop), (p,), "place", log=log)


def _top(stop):
    """The card that lies on top where the turn's cards are."""
    return stop.now.board[stop.now.cell] - 1


def _spot(stop):
    return (f"board.{stop.now.cell}",)


# --- a card scores ----------------------------------------------------------------------------------------------------
def _placed(stop, seat, p):
    """A regular card lands; what it scores is told when its hands have been lit."""
    args = {"card": card_name(_top(stop)), "cell": cell_name(stop.now.cell, stop.now.columns)}
    theirs = say("{seat} plays the {card} at {cell}.")
    line = told(seat, p, say("You play the {card} at {cell}."), theirs, **args)
    return _on_board(stop, p, line, log=() if _hands(stop) else None)


class Hand(NamedTuple):
    """A hand that scores: its category, and its cells along the line."""

    category: int
    cells: tuple[int, ...]

    @property
    def points(self) -> int:
        """What it is worth, not doubled."""
        return scoring.POINTS[self.category]


def hands_of(s, cell, lines):
    """The hands that a card in a cell makes, as `scoring.line` gives them for each direction."""
    out = []
    for direction in range(scoring.DIRECTIONS):
        code, step = int(lines[direction]), scoring.along(s, cell, direction)[0]
        for category, near in ((code & 15, code >> 8), (code >> 4 & 15, code >> 17)):
            cells = tuple(cell + (k - 4) * step for k in range(9) if near >> k & 1)
            out += [Hand(category, cells)] if category else []
    return out


def _hands(stop):
    return hands_of(stop.now, stop.now.cell, stop.now.hands)


def _hand(stop, p, k):
    hand = sorted(_hands(stop), key=lambda hand: hand.points)[k]
    _name, scores, word = HANDS[hand.category]
    line, royal = say(scores, points=hand.points), hand.category == scoring.ROYAL_FLUSH
    hold = LONGEST if royal else LIT if k < 2 else FURTHER
    large = Spotlight(word, say("+{points}", points=in_points(hand.points))) if word and hold > FURTHER else None
    return Caption(line, hold, _cells(hand.cells), (p,), "feast" if royal else "good", log=(), spotlight=large)


def _doubled(stop, _seat, p):
    """The cells of all hands are lit once more."""
    hands, factor = _hands(stop), 1 << stop.now.doubled
    points = sum(hand.points for hand in hands)
    line = say("Two Timer: {points} × {factor} = {total}", points=points, factor=factor, total=points * factor)
    light = _cells(dict.fromkeys(cell for hand in hands for cell in hand.cells))
    return Caption(line, LIT, light, (p,), "double", log=())


def _cells(cells):
    return tuple(f"board.{cell}" for cell in cells)


def _scored(stop, seat, p):
    s, card = stop.now, _top(stop)
    text = listed([say("{hand} {points}", hand=CATEGORIES[hand.category], points=hand.points) for hand in _hands(stop)])
    if s.doubled:
        text = say("{hands}; times {factor}", hands=text, factor=1 << s.doubled)
    args = {"card": card_name(card), "cell": cell_name(s.cell, s.columns), "hands": text}
    total = s.score[p] - stop.before.score[p]
    mine = say("You play the {card} at {cell}: {hands}. {points}!", points=in_points(total))
    theirs = say("{seat} plays the {card} at {cell}: {hands}. {points}!", points=in_points(total))
    return Caption(told(seat, p, mine, theirs, **args), RESOLVED, (f"score-{p}",), (p,), "chips")


# --- draws, and what the others notice (HH-10, HH-19) -----------------------------------------------------------------
def _drawn(stop, seat, p):
    light, cue = (f"pile-{stop.now.from_pile + 1}", f"hand-{p}"), "deal"
    hold = PLAYED if stop.now.manual_draw else 0  # else nobody sees that a card is drawn
    if seat == p:
        return Caption(say("You draw the {card}.", card=_extra_card(stop.now, stop.before, p)), hold, light, (p,), cue)
    return Caption(say("{seat} draws a card.", seat=Seat(p)), hold, light, (p,), cue) if hold else None


def _extra_card(larger, smaller, p):
    """The card by which one hand of a seat exceeds another."""
    cards = larger.hand[p] & ~smaller.hand[p]
    special = TIMER if larger.hand_x[p, 0] > smaller.hand_x[p, 0] else THIEF
    return card_name(cards.bit_length() - 1 if cards else special)


def _forgot(stop, seat, p):
    n = stop.now.due
    mine = say("You forget {cards}.", cards=in_cards(n))
    theirs = say("{seat} forgets {cards}.", cards=in_cards(n))
    return Caption(told(seat, p, mine, theirs), REVEALED, ("pile-1", "pile-2", f"hand-{p}"), (p,), "bad")


def _turn_over(stop, seat, p):
    """HH-19: under "watch" nobody but its owner learns of a card too many."""
    if seat != p or stop.action == rules.END:
        return None
    if stop.now.sneaked[p] > 0:
        return _only_logged(say("You take one card too many, face down: you will see it next turn."))
    return _only_logged(say("You reach for one more card, but none is left."))


def _seen(stop, seat, p):
    """HH-19: a card too many is turned up by its owner."""
    card = _extra_card(stop.now, stop.before, p) if seat == p else None
    found_out = say("Your card too many is the {card}."), say("{seat} had drawn a card too many.")
    unpunished = say("You keep your card too many: the {card}."), say("{seat} had drawn a card too many, and keeps it.")
    line = told(seat, p, *(found_out if stop.now.extra else unpunished), card=card)
    return Caption(line, REVEALED, (f"hand-{p}",), (p,), "deal")


def _answered(stop, seat, p):
    if stop.now.uncle_bob == rules.WATCH:  # to let be tells nobody anything
        if seat != p or stop.now.choice[p] != 0:
            return None
        return _only_logged(say("You accuse {seat}, in secret so far.", seat=Seat(stop.now.turn)))
    mine = say("You accuse.") if stop.now.choice[p] == 0 else say("You let it be.")
    return _only_logged(told(seat, p, mine, say("{seat} has answered.", seat=Seat(p))))


def _kept(_stop, _seat, p):
    return Caption(say("Nobody accuses: the card is kept."), REVEALED, (f"hand-{p}",), (p,), "good")


def _accused(stop, seat, accuser):
    p = stop.now.turn
    theirs = say("{seat} accuses {other}!", seat=Seat(accuser), other=Seat(p))
    line = told(seat, p, say("{seat} accuses you!", seat=Seat(accuser)), theirs)
    line = told(seat, accuser, say("You accuse {seat}!", seat=Seat(p)), line)
    if stop.kind != rules.ACCUSED:
        return Caption(line, RESOLVED, (f"hand-{p}",), (accuser, p), "accuse", TOO_MANY)
    charge = Spotlight(TOO_MANY, _stakes(seat, accuser, p), "orange", against=True)
    return Caption(line, REVEALED, (f"hand-{p}",), (accuser, p), "accuse", spotlight=charge)


def _stakes(seat, accuser, p):
    """What an accusation will cost, if it is right and if it isn't."""
    theirs = say("One too many costs {other} {points}; a false alarm costs {seat} as many.")
    if seat == p:
        theirs = say("One too many costs you {points}; a false alarm costs {seat} as many.")
    mine = say("One too many costs {other} {points}; a false alarm costs you as many.")
    return told(seat, accuser, mine, theirs, other=Seat(p), points=FINE)


def _fined(_stop, seat, p):
    line = told(seat, p, say("You lose {points}."), say("{seat} loses {points}."), points=FINE)
    return Caption(line, RESOLVED, (f"score-{p}",), (p,), "chips", log=())


def _lost_card(stop, seat, p):
    card = _extra_card(stop.before, stop.now, p) if seat == p else None
    mine, theirs = say("You lose the {card}, and {points}."), say("{seat} loses a card, unseen, and {points}.")
    return Caption(
        told(seat, p, mine, theirs, card=card, points=FINE), REVEALED, (f"hand-{p}", f"taken-{p}"), (p,), "bad"
    )


# --- the end of a game and of the match (HH-3, HH-17, HH-18) ----------------------------------------------------------
def _over(s, deal):
    return say("Game {number} is over.", number=rules.game_number(s, deal))


def _game_over(stop, _seat, _p):
    scores = tuple(f"score-{p}" for p in range(stop.now.seats))
    return Caption(_over(stop.now, stop.now.deal), REVEALED, scores, cue="reveal")


def _game_won(stop, seat, p):
    if stop.now.length != rules.FIRST_TO_TWO:
        return None
    side = tuple(q for q in range(stop.now.seats) if rules.side_of(stop.now, q) == p)
    number = out_of(stop.now.won[p], 2)
    mine, theirs = say("You win this game: {number}."), say("{seat} wins this game: {number}.")
    if stop.now.teams:
        mine, theirs = say("Your team wins this game: {number}."), say("{seat}'s team wins this game: {number}.")
    line = told(seat, seat if seat in side else p, mine, theirs, number=number)
    return Caption(line, REVEALED, tuple(f"won-{q}" for q in side), side, "good")


def _turned_up(stop, _seat, _p):
    """HH-3: the blind hand is turned up, for who can be certain of it; for others it stays as it lies."""
    s = stop.now
    line = say("All cards have been played.")
    if s.pile[0] + s.pile[1]:  # HH-10, HH-19: forgotten cards stay there
        line = say("Nobody has a card left.")
    elif s.blind and rules.chance_total(s) == s.blind:
        line = say("The blind hand is turned up.")
    return Caption(line, REVEALED, ("blind",), cue="flip", log=())


def _gathered(stop, _seat, _p):
    return Caption(_over(stop.now, stop.now.deal - 1), RESOLVED, ("board",), cue="deal", log=())


def _won(stop, seat, _p):
    s = stop.now
    best = tuple(p for p in range(s.seats) if rules.wins(s, p))
    n = int(rules.result_of(s, rules.side_of(s, best[0])))
    by_games, winner, several = s.length == rules.FIRST_TO_TWO, Seat(best[0]), listed([Seat(p) for p in best])
    if by_games:
        my_team = say("Your team has won two games, and the match.")
        team = say("{seat}'s team has won two games, and the match.", seat=winner)
        mine = say("You have won two games, and the match.")
        theirs = say("{seat} has won two games, and the match.", seat=winner)
        shared = say("Two games won, and the match: {seats}.", seats=several)
    else:
        my_team = say("Your team wins the match, with {points}.", points=in_points(n))
        team = say("{seat}'s team wins the match, with {points}.", points=in_points(n), seat=winner)
        mine = say("You win the match, with {points}.", points=in_points(n))
        theirs = say("{seat} wins the match, with {points}.", points=in_points(n), seat=winner)
        shared = say("The match is won with {points}: {seats}.", points=in_points(n), seats=several)
    if s.teams and rules.lead(s, best[0]) > 0:
        line = my_team if seat in best else team
    else:
        line = shared if len(best) > 1 else mine if best == (seat,) else theirs
    light = tuple(f"{'won' if by_games else 'score'}-{p}" for p in best)
    return Caption(line, LONGEST, light, best, "feast", log=())


BEGINS = say("You begin, chosen at random."), say("{seat} begins, chosen at random.")
WRONG = (
    say("You were wrong: you lose {points}.", points=FINE),
    say("{seat} was wrong, and loses {points}.", points=FINE),
)
SEEN = (
    say("No card is left: all see that you have drawn a card too many."),
    say("No card is left: {seat} has drawn a card too many."),
)
SENTENCES = {
    rules.BEGINS: at_seat(*BEGINS, REVEALED, "hand-{}", "reveal"),
    rules.WRONG: at_seat(*WRONG, RESOLVED, "score-{}", "chips"),
    rules.CAUGHT: at_seat(*SEEN, REVEALED, "hand-{}", "bad"),
}
BOARD = {rules.DEALT: _dealt, rules.LAID: _laid, rules.ADDED_ON: _laid, rules.LEFT: _left}
COVERED = {rules.LIFTED: _covered, rules.LIFTED + 1: _covered, rules.COVERED: _covered}
SCORES = {rules.PLACED: _placed, rules.DOUBLED: _doubled, rules.SCORED: _scored}
DRAWS = {rules.DRAWN: _drawn, rules.FORGOT: _forgot, rules.TURN_OVER: _turn_over, rules.SEEN: _seen}
ANSWERS = {rules.ANSWERED: _answered, rules.KEPT: _kept, rules.ACCUSED: _accused, rules.ACCUSED_TOO: _accused}
FINES = {rules.FINED: _fined, rules.LOST_CARD: _lost_card}
END = {rules.GAME_OVER: _game_over, rules.GAME_WON: _game_won, rules.TURNED_UP: _turned_up, rules.WON: _won}
by_stop = captions_by_stop(
    SENTENCES | BOARD | COVERED | SCORES | DRAWS | ANSWERS | FINES | END | {rules.GATHERED: _gathered}
)
