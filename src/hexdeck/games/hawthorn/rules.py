"""Hawthorn: a test of nerve for 2 to 8 with a Pairs deck and chips. Cheapass Games; see rules.en.md beside this file.

Rules are cited by id (HT-1 to HT-15). A step is one decision: the first card of the row, then take, fold or play.
Ranks are indices: rank 1 is index 0. A row has a bit per rank, since whoever makes a pair is out and no row has a rank
twice. Sets of seats have a bit per seat.
Play is finite: on each turn somebody goes out or a row grows, and there are only ten ranks.
"""

from hexdeck.engine.cards import (
    RANKS,
    any_card,
    counted,
    deck_option,
    draw,
    hand_option,
    in_counts,
    in_sets,
    list_cards,
    lowest_card,
    next_of,
    outcome_at,
    too_few_cards,
    weigh,
    weight,
)
from hexdeck.engine.layout import left_of, new_deal, remember, slices, starts, stop, struct, write_digits
from hexdeck.engine.options import THE_MATCH, Choice, Number
from hexdeck.engine.text import say

PLAYERS = (2, 8)
SEATS = 8
NONE = -1

OPTIONS = (
    Number("chips", 100, "HT-1", say("Chips everyone begins with"), 1, 10000, group=THE_MATCH),
    Number("deals", 1, "HT-13", say("Deals in a match"), 1, 1000, group=THE_MATCH),
    Choice(
        "tiebreak_cards", "stay", "HT-4", say("What happens to the cards dealt to settle a tie"), ("stay", "discard")
    ),
    Choice("fold_price", "table", "HT-9", say("The price of folding is the lowest card"), ("table", "own")),
    Choice("empty_hand", "fold", "HT-11", say("What an empty hand means in a hand round"), ("fold", "draw")),
    deck_option(),
    hand_option(5),
)
DISCARDED, OWN, DRAWS = 1, 1, 1

STRUCT = struct(
    OPTIONS,
    ("pot", "i4"),
    ("purse", "i4", (SEATS,)),  # the chips of each seat
    ("row", "i2", (SEATS,)),  # bits: the ranks of each row
    ("anted", "i2"),  # bits: who plays in this deal
    ("inside", "i2"),  # bits: who is still in
    ("waiting", "i2"),  # bits: who is still to have a turn in this round; in a tie, who still needs a card
    ("tied", "i2"),  # bits: who is being compared, or whom chance may pick
    ("lowest", "i2"),  # bits: who of them has the lowest card so far
    ("low", "i1"),  # that card
    ("phase", "i1"),
    ("turn", "i1"),  # the seat that gets the next card, or acts
    ("first", "i1"),  # the First Player
    ("round", "i1"),  # odd in deck rounds, even in hand rounds
    ("due", "i1"),  # cards still to be dealt; at stops later: the rank, from 1, that lies twice in the row of `turn`
    ("deck_left", "i1"),
    ("discard_size", "i1"),
    ("reshuffled", "i1"),  # whether the deck was made from the discards, so that everybody knows what is in it
    ("stock", "i1", (RANKS,)),  # the deck; concealed, until the first reshuffle: all cards that the seat can't see
    ("others", "i1", (RANKS,)),  # concealed, after a reshuffle: cards in hands that the seat can't see; else nothing
    ("discard", "i1", (RANKS,)),
    ("held", "i1", (SEATS,)),  # cards in each hand
    ("choice", "i1", (SEATS,)),  # the first card of the row, until the First Player is known
    ("hand", "i1", (SEATS, RANKS)),
)
DEAL, CHOOSE, TIE, LOT, TURN, DRAW = range(6)

SHOW, TAKE, FOLD, PLAY = 0, 10, 11, 12
ACTIONS = (*(f"show {r + 1}" for r in range(RANKS)), "take", "fold", *(f"play {r + 1}" for r in range(RANKS)))
OUTCOMES = (*(f"card {r + 1}" for r in range(RANKS)), *(f"seat {p}" for p in range(SEATS)))
# stops; those who go out are at two of a kind, before and after they pay
DEALT, SITTING_OUT, CHOSEN, FACE_DOWN, TURNED_UP, SETTLED, REPLACED, TIED, LOWEST, FIRST_PLAYER = range(1, 11)
SHUFFLED, TOOK, GOT, PLAYED, PAIRED, FOLDED, WON, BROKE, GATHERED = range(11, 20)

ENDINGS = ("", "deals played", "too few can ante")
DEALS_PLAYED, TOO_FEW = 1, 2

NO_SHOW, SHOW_NOT_HELD, NO_TURN, HAND_ROUND, MUST_FOLD, NO_CARDS, DECK_ROUND, PLAY_NOT_HELD = range(1, 9)

# Chips and deals are written in base 100, highest digit first: 12345 chips as 1 23 45.
SLICES = slices(
    hand=RANKS, unseen=RANKS, others=RANKS, discard=RANKS, own_choice=RANKS, rows=RANKS * SEATS, held=SEATS,
    inside=SEATS, waiting=SEATS, acting=SEATS, tied=SEATS, turn=SEATS, first=SEATS, chips=3 * SEATS, pot=3, phase=6,
    deals_left=2, options=3, round=1, deck_left=1, reshuffled=1,
)  # fmt: skip
AT = starts(SLICES)


def refuse(players, options):
    """Why these options can't be combined, or None."""
    return too_few_cards(OPTIONS, options, players, hand_size(options["hand_cards"]))


def hand_size(hand_cards):
    """HT-2: five cards each, or a chosen number for tiny decks."""
    return hand_cards if hand_cards else 5


def start(s):
    """HT-1: everybody begins with the same chips."""
    for p in range(s.seats):
        s.purse[p] = s.chips
    _next_deal(s)


def chance_weights(s, weights):
    """The next card of the deck, or one of the compared seats when the deck has run out (HT-4)."""
    return weigh(s, s.phase == LOT, weights)


def chance_total(s):
    """How many seats are compared, or cards left."""
    return weight(s, s.phase == LOT)


def chance_outcome(s, u):
    """The seat, or the card, that has u before it."""
    return outcome_at(s, s.phase == LOT, u)


def apply_chance(s, outcome):
    """Deal or turn up a card, or pick a seat."""
    if s.phase == DEAL:
        _deal(s, outcome)
        return
    remember(s, outcome)
    if s.phase == LOT:
        stop(s, LOWEST, outcome - RANKS)
        _go_first(s, outcome - RANKS)
        return
    s.stock[outcome] -= 1
    s.deck_left -= 1
    if s.phase == TIE:
        _settle(s, s.turn, outcome)
    else:
        _onto_row(s, s.turn, outcome, GOT)


def legal_actions(s, seat, actions):
    """HT-3, HT-7: a card of the hand; or take or fold."""
    if not (s.acting >> seat) & 1:
        return 0
    if s.phase == CHOOSE:
        return list_cards(s, seat, SHOW, actions, 0)
    if from_deck(s, seat):
        actions[0], actions[1] = TAKE, FOLD
        return 2
    actions[0] = FOLD
    return list_cards(s, seat, PLAY, actions, 1)


def from_deck(s, seat):
    """HT-7, HT-11: whether the seat's card in this turn comes from the deck."""
    if not is_deck_round(s) and (s.held[seat] or s.empty_hand != DRAWS):
        return False
    return s.deck_left > 0 or s.discard_size > 0


def is_deck_round(s):
    """HT-6: whether this is a deck round; rounds alternate."""
    return s.round % 2 == 1


def illegal_reason(s, seat, action):
    """0 if the move is legal, else the number of the reason why it isn't."""
    acts = (s.acting >> seat) & 1
    if action < TAKE:
        if not acts or s.phase != CHOOSE:
            return NO_SHOW
        return 0 if s.hand[seat, action - SHOW] else SHOW_NOT_HELD
    if not acts or s.phase != TURN:
        return NO_TURN
    if action == TAKE:
        if from_deck(s, seat):
            return 0
        if not is_deck_round(s) and s.held[seat]:
            return HAND_ROUND
        return MUST_FOLD if not is_deck_round(s) and s.empty_hand != DRAWS else NO_CARDS
    if action == FOLD:
        return 0
    if from_deck(s, seat):
        return DECK_ROUND
    return 0 if s.hand[seat, action - PLAY] else PLAY_NOT_HELD


def apply_action(s, seat, action):
    """Apply a legal move."""
    if action < TAKE:
        s.choice[seat] = action - SHOW
        s.acting &= ~(1 << seat)
        stop(s, CHOSEN, seat)
        if s.acting == 0:
            _reveal(s)
        return
    remember(s, action)
    if action == TAKE:
        _take(s)
    elif action == FOLD:
        stop(s, FOLDED, seat)
        _go_out(s, seat, price(s, seat), FOLDED)
    else:
        s.hand[seat, action - PLAY] -= 1
        s.held[seat] -= 1
        _onto_row(s, seat, action - PLAY, PLAYED)


def returns(s, out):
    """HT-14: chips won or lost in the session."""
    for p in range(s.seats):
        out[p] = s.purse[p] - s.chips


def inventory(s):
    """HT-1: every card, by its rank, and all chips."""
    yield from in_counts(s.stock, s.others, s.discard, s.hand)
    for p in range(s.seats):
        yield from in_sets(s.row[p])
        yield "chips", s.purse[p]
    yield "chips", s.pot


# --- a deal begins (HT-2 to HT-5)
def _next_deal(s):
    """HT-13: whoever has a chip plays on; with fewer than two, or after the last deal, the session is over."""
    able = 0
    for p in range(s.seats):
        able |= (s.purse[p] > 0) << p
    if s.deal == s.deals:
        s.over, s.ending, s.acting = 1, DEALS_PLAYED, 0
    elif able & (able - 1) == 0:
        s.over, s.ending, s.acting = 1, TOO_FEW, 0
        stop(s, BROKE)
    else:
        _shuffle(s)
        _ante(s, able)
        stop(s, GATHERED)


def _shuffle(s):
    new_deal(s)
    for r in range(RANKS):
        s.stock[r] = s.deck[r]
        s.discard[r] = 0
    for p in range(SEATS):
        s.row[p], s.held[p], s.choice[p] = 0, 0, NONE
    for p in range(SEATS):
        for r in range(RANKS):
            s.hand[p, r] = 0
    s.deck_left, s.discard_size, s.reshuffled = counted(s.deck), 0, 0


def _ante(s, able):
    s.phase, s.acting, s.first, s.round = DEAL, 0, NONE, 0
    s.anted, s.inside, s.waiting, s.turn, s.due = able, able, 0, lowest_card(able), 0
    for p in range(s.seats):
        if (able >> p) & 1:
            _pay(s, p, 1)
            s.due += hand_size(s.hand_cards)
    _compare(s, able)


def _pay(s, seat, amount):
    paid = payment(s, seat, amount)
    s.purse[seat] -= paid
    s.pot += paid


def payment(s, seat, amount):
    """HT-13: what a seat pays into the pot: no more than it has."""
    return min(amount, s.purse[seat])


def _deal(s, r):
    s.stock[r] -= 1
    s.deck_left -= 1
    s.hand[s.turn, r] += 1
    s.held[s.turn] += 1
    s.due -= 1
    s.turn = next_of(s.inside, s.turn)
    if s.due == 0:
        s.phase, s.acting, s.turn = CHOOSE, s.inside, NONE
        stop(s, DEALT)
        if s.anted != (1 << s.seats) - 1:
            stop(s, SITTING_OUT)


def _compare(s, seats):
    """HT-4: begin to compare these seats."""
    s.tied, s.lowest, s.low = seats, 0, RANKS


def _enter(s, seat, r):
    """HT-4: enter a card into the comparison."""
    if r < s.low:
        s.low, s.lowest = r, 0
    if r == s.low:
        s.lowest |= 1 << seat


def _reveal(s):
    stop(s, FACE_DOWN)
    for p in range(s.seats):
        if (s.inside >> p) & 1:
            r = s.choice[p]
            remember(s, r)
            s.hand[p, r] -= 1
            s.held[p] -= 1
            s.row[p] = 1 << r
            _enter(s, p, r)
    stop(s, TURNED_UP)
    _judge(s)


def _judge(s):
    """HT-4: all cards are compared: the lowest goes first, or those tied get one more card."""
    if s.lowest & (s.lowest - 1) == 0:
        _go_first(s, lowest_card(s.lowest))
    else:
        s.waiting = s.lowest
        _compare(s, s.lowest)
        _next_tied(s)
        stop(s, TIED)


def _next_tied(s):
    s.turn = lowest_card(s.waiting)
    s.phase = TIE if s.deck_left else LOT


def _settle(s, seat, r):
    """HT-4: give a tied seat a card; one that makes a pair is replaced."""
    if (s.row[seat] >> r) & 1:
        s.due = r + 1
        stop(s, SETTLED, seat)
        s.due = 0
        _discard(s, 1 << r)
        stop(s, REPLACED, seat)
    else:
        s.row[seat] |= 1 << r
        stop(s, SETTLED, seat)
        s.waiting &= ~(1 << seat)
        _enter(s, seat, r)
    if s.waiting:
        _next_tied(s)
    else:
        _judge(s)


def _discard(s, ranks):
    for r in range(RANKS):
        s.discard[r] += (ranks >> r) & 1
        s.discard_size += (ranks >> r) & 1


def _go_first(s, seat):
    """HT-5: the seat is First Player; HT-4: tie-break cards stay or are discarded."""
    for p in range(s.seats):
        if (s.inside >> p) & 1:
            if s.tiebreak_cards == DISCARDED:
                _discard(s, s.row[p] & ~(1 << s.choice[p]))
                s.row[p] = 1 << s.choice[p]
            s.choice[p] = NONE
    _compare(s, 0)
    s.first = seat
    stop(s, FIRST_PLAYER, seat)
    _next_round(s)


# --- rounds (HT-6 to HT-12)
def _next_round(s):
    s.round += 1
    s.waiting = s.inside
    _turn(s, s.first)


def _turn(s, seat):
    s.turn = next_of(s.waiting, seat - 1)
    s.phase, s.acting = TURN, 1 << s.turn


def _end_turn(s):
    s.waiting &= ~(1 << s.turn)
    if s.waiting:
        _turn(s, s.turn)
    else:
        _next_round(s)


def _take(s):
    s.phase, s.acting = DRAW, 0
    if s.deck_left == 0:
        s.deck_left, s.discard_size, s.reshuffled = s.discard_size, 0, 1
        for r in range(RANKS):
            s.stock[r], s.discard[r] = s.discard[r], 0
        stop(s, SHUFFLED)
    stop(s, TOOK, s.turn)


def _onto_row(s, seat, r, kind):
    """HT-8: put a card into a row: it makes a pair, or the player is safe."""
    if (s.row[seat] >> r) & 1:
        s.due = r + 1
        stop(s, kind, seat)
        stop(s, PAIRED, seat)
        s.due = 0
        _discard(s, 1 << r)
        _go_out(s, seat, pair_price(r), PAIRED)
    else:
        s.row[seat] |= 1 << r
        stop(s, kind, seat)
        _end_turn(s)


def pair_price(r):
    """HT-8: what a pair costs: its number."""
    return r + 1


def price(s, seat):
    """HT-9: the price of folding: the lowest card in all rows, or in the player's own."""
    cards = s.row[seat]
    if s.fold_price != OWN:
        for p in range(s.seats):
            cards |= s.row[p]
    return lowest_card(cards) + 1


def _go_out(s, seat, amount, kind):
    """HT-8 to HT-10, HT-12: pay and be out; the last one in wins the pot."""
    _pay(s, seat, amount)
    _discard(s, s.row[seat])
    s.row[seat] = 0
    s.inside &= ~(1 << seat)
    stop(s, kind, seat)
    if s.inside & (s.inside - 1):
        _end_turn(s)
    else:
        winner = lowest_card(s.inside)
        s.purse[winner] += s.pot
        s.pot = 0
        stop(s, WON, winner)
        _next_deal(s)


# --- what a seat knows (HT-15)
def conceal(s, seat):
    """HT-15: pool others' hands with the deck, or apart from it if everybody knows what is in the deck."""
    for p in range(s.seats):
        if p != seat:
            if s.phase == CHOOSE:
                s.choice[p] = NONE
            for r in range(RANKS):
                if s.reshuffled:
                    s.others[r] += s.hand[p, r]
                else:
                    s.stock[r] += s.hand[p, r]
                s.hand[p, r] = 0


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted clockwise from the observer; the public observes as seat 0."""
    me = max(seat, 0)
    p = me
    for k in range(s.seats):
        _observe_seat(s, p, k, out)
        p = left_of(s, p)
    for r in range(RANKS):
        out[r] = s.hand[me, r] if seat >= 0 else 0
        out[AT.unseen + r], out[AT.others + r], out[AT.discard + r] = s.stock[r], s.others[r], s.discard[r]
    if seat >= 0 and s.choice[me] != NONE:
        out[AT.own_choice + s.choice[me]] = 1
    write_digits(s.pot, 3, out, AT.pot)
    out[AT.phase + s.phase] = 1
    write_digits(s.deals - s.deal, 2, out, AT.deals_left)
    for k, option in enumerate((s.tiebreak_cards, s.fold_price, s.empty_hand)):
        out[AT.options + k] = option
    out[AT.round], out[AT.deck_left], out[AT.reshuffled] = s.round, s.deck_left, s.reshuffled


def _observe_seat(s, p, k, out):
    row = s.row[p]
    for r in range(RANKS):
        out[AT.rows + k * RANKS + r] = (row >> r) & 1
    out[AT.held + k] = s.held[p]
    out[AT.inside + k] = (s.inside >> p) & 1
    out[AT.waiting + k] = (s.waiting >> p) & 1
    out[AT.acting + k] = (s.acting >> p) & 1
    out[AT.tied + k] = (s.tied >> p) & 1
    out[AT.turn + k] = s.turn == p
    out[AT.first + k] = s.first == p
    write_digits(s.purse[p], 3, out, AT.chips + 3 * k)


def resample(s, seat, rng):
    """Sample a world: fill hidden hands from the bag, then choose for others among what is then legal."""
    conceal(s, seat)
    bag = s.others if s.reshuffled else s.stock
    remaining = counted(bag)
    for p in range(s.seats):
        if p != seat:
            for _ in range(s.held[p]):
                s.hand[p, draw(bag, remaining, rng)] += 1
                remaining -= 1
            if s.phase == CHOOSE and ((s.inside & ~s.acting) >> p) & 1:
                s.choice[p] = any_card(s, p, rng)


def clear_hidden_choices(s, seat):
    """HT-15: the other seats are to choose their cards again."""
    for p in range(s.seats):
        if s.phase == CHOOSE and p != seat and (s.inside >> p) & 1:
            s.choice[p] = NONE
            s.acting |= 1 << p
