"""Blackstone: a game of nerve with a Pairs deck and chips. Cheapass Games; see rules.en.md beside this file.

The sheet is for 2 to 8 players; 9 and 10 can play too. Rules are cited by id (BS-1 to BS-15). A step is one decision:
to stake or sit out, to draw or fold, to draw on or stop; each card is a chance event. Ranks are indices: a ten is 9.
Sets of seats have a bit per seat. A player's stake stays in the purse until it is lost.
Play is finite: each turn takes a card from the deck or a player out of the round, and the rounds are limited.
"""

from hexdeck.engine.cards import RANKS, counted, deck_option, in_counts, next_of, outcome_at, size, weigh, weight
from hexdeck.engine.layout import left_of, new_deal, remember, slices, starts, stop, struct, write_digits
from hexdeck.engine.options import MAX_DECK, THE_MATCH, Choice, Number, Switch
from hexdeck.engine.random import below
from hexdeck.engine.text import say

PLAYERS = (2, 10)
SEATS = 10
NONE = -1
STAKE = 5
TEN = RANKS - 1

OPTIONS = (
    Number("chips", 100, "BS-1", say("Chips everyone begins with"), STAKE, 10_000, group=THE_MATCH),
    Number("rounds", 1, "BS-13", say("Rounds in a match"), 1, 1000, group=THE_MATCH),
    Switch("sit_out", False, "BS-1", say("Players may sit a round out")),
    Choice(
        "stakes",
        "secret",
        "BS-1",
        say("How players choose whether to stake"),
        ("secret", "open"),
        needs=("sit_out", True),
    ),
    Choice(
        "extra_ten",
        "not_replaced",
        "BS-3",
        say("What happens when a player is dealt another 10 at the start"),
        ("not_replaced", "replaced"),
    ),
    Choice(
        "drawing", "stop_freely", "BS-6", say("When you choose how many cards to draw"), ("stop_freely", "announced")
    ),
    Switch("draw_cap", False, "BS-6", say("Draw at most the number last drawn plus one for each player still in")),
    Choice(
        "after_fold",
        "carries",
        "BS-7",
        say("What a fold does to the number the next player must draw"),
        ("carries", "restarts"),
    ),
    deck_option(),
)
OPEN, REPLACED, ANNOUNCED, RESTARTS = 1, 1, 1, 1

STRUCT = struct(
    OPTIONS,
    ("pot", "i4"),
    ("played", "i4"),  # rounds played
    ("purse", "i4", (SEATS,)),  # chips of each seat, including its stake
    ("joined", "i2"),  # bits: who staked in this round
    ("inside", "i2"),  # bits: who of them is still in
    ("staking", "i2"),  # bits: who has chosen to stake, while others still choose
    ("tied", "i2"),  # bits: whose cards are compared to find who goes first
    ("lowest_seats", "i2"),  # bits: who has the lowest of them so far
    ("phase", "i1"),
    ("turn", "i1"),  # who draws or folds; while dealing, who gets the next card
    ("lowest", "i1"),  # the lowest rank so far
    ("aside", "i1"),  # extra tens set aside
    ("deck_left", "i1"),
    ("white", "i1"),  # stones in the centre
    ("inside_count", "i1"),
    ("last", "i1"),  # cards drawn by the last player who drew in this round
    ("least", "i1"),  # cards that must be drawn in this turn
    ("drawn", "i1"),  # cards drawn in this turn
    ("owed", "i1"),  # cards still to come without another decision
    ("stock", "i1", (RANKS,)),  # the deck
    ("black", "i1", (SEATS,)),  # black stones of each seat
    ("shown", "i1", (SEATS, RANKS)),  # cards dealt to each seat to find who goes first, but for its black stone
    version=2,
    added={2: ("stakes",)},
)
STAKING, DEAL, FIRST, TURN, CARDS, MORE, DONE = range(7)

PUT, SIT, DRAW, STOP, FOLD, NAME = range(6)
ACTIONS = ("stake", "sit", "draw", "stop", "fold", *(f"announce {n + 1}" for n in range(MAX_DECK)))
OUTCOMES = (*(f"card {r + 1}" for r in range(RANKS)), *(f"seat {p}" for p in range(SEATS)))
# stops: while a round begins; in turns and at its end
CHOSEN, STAKES_SHOWN, TOO_FEW_STAKES, DEALT, SET_ASIDE, TIED, NO_CARD_LEFT, GOES_FIRST, PICKED, GATHERED = range(1, 11)
ASKED, NEXT_CARD, TURNED_UP, DECK_EMPTY, STOPPED, PASSED_ON, FOLDED, PAID, SHARED = range(11, 20)
ROUND_ENDED, ROUND_BEGUN, MATCH_ENDED = range(20, 23)
ENDINGS = ("", "second black stone", "last one in", "too few stakes", "too few can stake")
BLACK_STONE, LAST_IN, FEW_STAKES, FEW_CAN = 1, 2, 3, 4  # the first three say how the last round ended

NO_CHOICE, NOT_NOW, HAS_DRAWN, TOO_SOON, NO_NUMBER, NO_NAMING, TOO_FEW, TOO_MANY, DECK_SHORT, NO_DECK = range(1, 11)

# Chips and rounds are written in base 100, highest digit first: 12345 chips as 1 23 45.
SLICES = slices(
    purse=3 * SEATS, black=SEATS, joined=SEATS, inside=SEATS, acting=SEATS, turn=SEATS, tied=SEATS, phase=7,
    stock=RANKS, own_choice=2, pot=3, rounds_left=2, options=6, white=1, deck_left=1, last=1, least=1, drawn=1, owed=1,
    staking=SEATS, sitting_out=SEATS,
)  # fmt: skip
AT = starts(SLICES)


def refuse(players, options):
    """Why these options can't be combined, or None."""
    cards = sum(OPTIONS[-1].counts(options["deck"]))
    if cards >= players:
        return None
    return say(
        "A deck of {cards} cards can't give {players} players a card each; use another deck or fewer players.",
        cards=cards,
        players=players,
    )


def start(s):
    """BS-1: everyone begins with the same chips."""
    for p in range(s.seats):
        s.purse[p] = s.chips
    _new_round(s, 0)


def chance_weights(s, weights):
    """The next card of the deck, or one of the tied seats when the deck has run out (BS-3)."""
    return weigh(s, s.phase == FIRST, weights)


def chance_total(s):
    """How many seats are tied, or cards left."""
    return weight(s, s.phase == FIRST)


def chance_outcome(s, u):
    """The seat, or the card, that has u before it."""
    return outcome_at(s, s.phase == FIRST, u)


def apply_chance(s, outcome):
    """Deal or turn a card, or pick a seat."""
    remember(s, outcome)
    if s.phase == DEAL:
        _deal(s, outcome)
    elif s.phase == FIRST:
        stop(s, PICKED, outcome - RANKS)
        _go_first(s, outcome - RANKS)
    else:
        _turned(s, outcome)


def legal_actions(s, seat, actions):
    """BS-1, BS-5, BS-6, BS-12: stake or sit out; draw or fold; draw on or stop; or announce how many to draw."""
    if not (s.acting >> seat) & 1:
        return 0
    if s.phase == STAKING:
        actions[0], actions[1] = PUT, SIT
        return 2
    leave = STOP if s.phase == MORE else FOLD
    if s.drawing == ANNOUNCED and s.deck_left:
        actions[0], count = FOLD, 1
        for number in range(s.least, most_named(s) + 1):
            actions[count] = NAME + number - 1
            count += 1
        return count
    actions[0], actions[1] = DRAW, leave
    if s.deck_left and s.drawn < most(s):
        return 2
    actions[0] = leave
    return 1


def illegal_reason(s, seat, action):
    """0 if the move is legal, else the number of the reason why it isn't."""
    acts = (s.acting >> seat) & 1
    if action <= SIT:
        return 0 if acts and s.phase == STAKING else NO_CHOICE
    if not acts or s.phase == STAKING:
        return NOT_NOW
    if action == STOP:
        return 0 if s.phase == MORE else TOO_SOON
    if action == FOLD:
        return 0 if s.phase == TURN else HAS_DRAWN
    return _forbids_drawing(s) if action == DRAW else _forbids_naming(s, named(action))


def _forbids_drawing(s):
    if s.phase == MORE:
        return 0 if s.drawn < most(s) else TOO_MANY
    if s.drawing == ANNOUNCED:
        return NO_NUMBER
    return 0 if s.deck_left else NO_DECK


def _forbids_naming(s, number):
    if s.drawing != ANNOUNCED:
        return NO_NAMING
    if s.deck_left == 0:
        return NO_DECK
    if number < s.least:
        return TOO_FEW
    if number <= most_named(s):
        return 0
    return TOO_MANY if number > most(s) else DECK_SHORT


def named(action):
    """The number of cards that an action announces."""
    return action - NAME + 1


def most(s):
    """BS-6: the most cards that may be drawn in this turn."""
    return s.last + s.inside_count if s.draw_cap else MAX_DECK


def cards_to_draw(s):
    """BS-6, BS-12: how many cards a draw brings: first the minimum, or what is left of the deck; then one by one."""
    return min(s.least, s.deck_left) if s.phase == TURN else 1


def most_named(s):
    """BS-6, BS-12: the highest number that can be announced; the minimum can be, even if the deck holds fewer."""
    return max(s.least, min(most(s), s.deck_left))


def apply_action(s, seat, action):
    """Apply a legal move."""
    if action <= SIT:
        _choose(s, seat, action)
        return
    remember(s, action)
    if action == STOP:
        stop(s, STOPPED, seat)
        _stop(s)
    elif action == FOLD:
        _fold(s)
    elif action == DRAW:
        _draw(s, cards_to_draw(s))
    else:
        _draw(s, named(action))


def returns(s, out):
    """BS-14: chips won or lost."""
    for p in range(s.seats):
        out[p] = s.purse[p] - s.chips


def inventory(s):
    """BS-1: the tens, the other cards (the ranks of those in the centre aren't kept), and all chips."""
    for r, cards in in_counts(s.stock, s.shown):
        yield "tens" if r == TEN else "cards", cards
    yield "cards", s.white
    yield "tens", s.aside
    for p in range(s.seats):
        yield "tens", s.black[p]
        yield "chips", s.purse[p]
    yield "chips", s.pot


# --- a round begins (BS-1 to BS-4) ------------------------------------------------------------------------------------
def _new_round(s, ending):
    """BS-1, BS-13: begin a round, in which everybody who can stakes or chooses to; or end the session."""
    if s.played == s.rounds:
        _finish(s, ending)
        return
    able = able_to_stake(s)
    if not _several(able):
        _finish(s, FEW_CAN)
        return
    new_deal(s)
    _clear(s)
    stop(s, ROUND_BEGUN)
    if not s.sit_out:
        _put_stakes(s, able)
        return
    s.phase, s.acting = STAKING, able
    if s.stakes == OPEN:
        s.acting = 1 << next_of(able, s.played % s.seats - 1)


def able_to_stake(s):
    """BS-13: who has enough chips to stake, as bits."""
    able = 0
    for p in range(s.seats):
        able |= (s.purse[p] >= STAKE) << p
    return able


def _several(seats):
    return seats & (seats - 1) != 0


def _finish(s, ending):
    s.over, s.ending, s.phase, s.acting = 1, ending, DONE, 0
    stop(s, MATCH_ENDED)


def _clear(s):
    s.joined, s.inside, s.inside_count, s.turn = 0, 0, 0, NONE
    s.white, s.last, s.least, s.drawn, s.owed = 0, 0, 1, 0, 0
    s.deck_left = counted(s.deck)
    for r in range(RANKS):
        s.stock[r] = s.deck[r]
    for p in range(SEATS):
        s.black[p] = 0


def _choose(s, seat, action):
    """BS-1: stake or sit out: all at once in secret, or openly in turn, each round beginning a seat further on."""
    s.staking |= (action == PUT) << seat
    s.acting &= ~(1 << seat)
    if s.stakes == OPEN:
        remember(s, action)
        able = able_to_stake(s)
        after = next_of(able, seat)
        if after != next_of(able, s.played % s.seats - 1):
            s.acting = 1 << after
    stop(s, CHOSEN, seat)
    if s.acting == 0:
        _reveal(s)


def _reveal(s):
    staking = s.staking
    s.joined, s.inside, s.staking, s.phase = staking, staking, 0, DEAL
    if s.stakes != OPEN:
        for p in range(s.seats):
            remember(s, (staking >> p) & 1)
        stop(s, STAKES_SHOWN)
    if _several(staking):
        _put_stakes(s, staking)
    else:
        stop(s, TOO_FEW_STAKES)
        _end_round(s, FEW_STAKES)


def have_chosen(s):
    """BS-1: who has already chosen to stake or sit out, as bits, while others still choose."""
    able = able_to_stake(s)
    if s.stakes != OPEN:
        return able & ~s.acting
    chosen, p = 0, s.played % s.seats
    for _ in range(s.seats):
        if (s.acting >> p) & 1:
            break
        chosen |= able & (1 << p)
        p = left_of(s, p)
    return chosen


def _put_stakes(s, seats):
    s.joined, s.inside, s.inside_count, s.acting = seats, seats, size(seats), 0
    _compare(s, seats)


def _compare(s, seats):
    """BS-2: compare these seats: a card for each."""
    s.tied, s.lowest = seats, RANKS
    _deal_to(s, next_of(seats, NONE))


def _deal_to(s, p):
    """BS-3: a card for a seat; if the deck has run out, chance picks who goes first."""
    s.turn, s.phase = p, DEAL
    if s.deck_left == 0:
        s.phase = FIRST
        stop(s, NO_CARD_LEFT)


def _deal(s, r):
    p = s.turn
    _take(s, r)
    s.shown[p, r] += 1
    stop(s, DEALT, p)
    extra = r == TEN and s.black[p] == 1
    if r == TEN:
        s.shown[p, r], s.black[p] = 0, 1
    if extra:
        s.aside += 1
        stop(s, SET_ASIDE, p)
    if extra and s.extra_ten == REPLACED:
        _deal_to(s, p)
    else:
        _note_lowest(s, p, r)


def _take(s, r):
    s.stock[r] -= 1
    s.deck_left -= 1


def _note_lowest(s, p, r):
    """BS-2: note the lowest card so far; after the last one, the lowest goes first, or those tied get one more."""
    if r < s.lowest:
        s.lowest, s.lowest_seats = r, 0
    s.lowest_seats |= (r == s.lowest) << p
    if s.tied >> (p + 1):
        _deal_to(s, next_of(s.tied, p))
    elif _several(s.lowest_seats):
        _compare(s, s.lowest_seats)
        if s.deck_left:
            stop(s, TIED)
    else:
        first = next_of(s.lowest_seats, p)
        stop(s, GOES_FIRST, first)
        _go_first(s, first)


def _go_first(s, seat):
    """BS-3, BS-4: return extra tens to the deck and move cards below ten to the centre."""
    s.white = counted(s.deck) - s.deck_left - s.deck[TEN] + s.stock[TEN]
    s.stock[TEN] += s.aside
    s.deck_left += s.aside
    s.aside, s.tied = 0, 0
    for p in range(SEATS):
        for r in range(RANKS):
            s.shown[p, r] = 0
    _begin_turn(s, seat)
    stop(s, GATHERED)


# --- turns (BS-5 to BS-9) ---------------------------------------------------------------------------------------------
def _begin_turn(s, seat):
    s.turn, s.drawn, s.owed = seat, 0, 0
    s.phase, s.acting = TURN, 1 << seat


def _draw(s, number):
    s.owed, s.phase, s.acting = number, CARDS, 0
    stop(s, ASKED, s.turn)


def _turned(s, r):
    """BS-6, BS-9, BS-12: put a ten in front of the player, any other card in the centre; the turn may end."""
    if r == TEN and s.black[s.turn] == 1:
        stop(s, NEXT_CARD, s.turn)
    _take(s, r)
    s.drawn += 1
    s.owed -= 1
    if r == TEN:
        s.black[s.turn] += 1
    else:
        s.white += 1
    stop(s, TURNED_UP, s.turn)
    if s.black[s.turn] == 2:
        _lose(s)
        return
    if s.deck_left == 0:
        stop(s, DECK_EMPTY)
    if s.deck_left == 0 and s.drawn < s.least:
        _fold(s)
    elif s.deck_left == 0 or (s.owed == 0 and s.drawing == ANNOUNCED):
        _stop(s)
    elif s.owed == 0:
        s.phase, s.acting = MORE, 1 << s.turn


def _stop(s):
    s.last, s.least = s.drawn, s.drawn
    _begin_turn(s, next_of(s.inside, s.turn))
    stop(s, PASSED_ON, s.turn)


def _fold(s):
    """BS-7, BS-8, BS-10: pay the price into the pot; the last player in takes it."""
    stop(s, FOLDED, s.turn)
    _pay(s, fold_price(s, s.turn))
    if s.after_fold == RESTARTS:
        s.least = 1
    if s.inside_count == 1:
        _share_pot(s)
        _end_round(s, LAST_IN)
    else:
        _begin_turn(s, next_of(s.inside, s.turn))


def fold_price(s, seat):
    """BS-8, BS-13: the chips, including the stake, that folding costs a seat now."""
    return min(s.purse[seat], full_price(s.white))


def full_price(white):
    """BS-8: what folding costs with that many white stones."""
    return STAKE + (white + 1) // 2


def loss(s, seat):
    """BS-9, BS-13: the chips, including the stake, that a second black stone costs a seat now."""
    return min(s.purse[seat], full_loss(s.white))


def full_loss(white):
    """BS-9: what a second black stone costs with that many white stones."""
    return STAKE + white


def _pay(s, price):
    s.purse[s.turn] -= price
    s.pot += price
    s.inside &= ~(1 << s.turn)
    s.inside_count -= 1
    stop(s, PAID, s.turn)


def _lose(s):
    """BS-9, BS-11: pay for a second black stone; the others share the pot."""
    _pay(s, loss(s, s.turn))
    _share_pot(s)
    _end_round(s, BLACK_STONE)


def _share_pot(s):
    """BS-10, BS-11: divide the pot among those still in; the remainder stays in it."""
    share = s.pot // s.inside_count
    for p in range(s.seats):
        if (s.inside >> p) & 1:
            s.purse[p] += share
            s.pot -= share
            stop(s, SHARED, p)


def _end_round(s, ending):
    """BS-1, BS-13: a round more is played; of too few stakes nothing lies there any more."""
    stop(s, ROUND_ENDED)
    s.played += 1
    if ending == FEW_STAKES:
        s.joined, s.inside = 0, 0
    _new_round(s, ending)


def stake(s, seat):
    """BS-1: the chips staked by a player; an openly chosen stake lies there at once."""
    staked = s.inside | s.staking if s.stakes == OPEN else s.inside
    return 0 if s.over else STAKE * ((staked >> seat) & 1)


def in_centre(s, r):
    """BS-4: the number of cards of a rank below ten in the centre."""
    count = s.deck[r] - s.stock[r]
    for p in range(s.seats):
        count -= s.shown[p, r]
    return count


# --- what a seat knows (BS-15) ----------------------------------------------------------------------------------------
def conceal(s, seat):
    """BS-15: blank others' secret choices; the deck is a bag already."""
    if s.stakes != OPEN:
        s.staking &= 1 << seat if seat >= 0 else 0


def resample(s, seat, rng):
    """Sample a world: choose for the others at random."""
    conceal(s, seat)
    if s.phase == STAKING and s.stakes != OPEN:
        chosen = have_chosen(s)
        for p in range(s.seats):
            if p != seat and (chosen >> p) & 1:
                s.staking |= below(rng, 2) << p


def clear_hidden_choices(s, seat):
    """BS-1: the other seats are to choose again whether to stake, if that is secret."""
    if s.phase == STAKING and s.stakes != OPEN:
        able = able_to_stake(s) & ~(1 << seat)
        s.staking &= ~able
        s.acting |= able


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted clockwise from the observer; the public observes as seat 0."""
    me = max(seat, 0)
    p = me
    for k in range(s.seats):
        _observe_seat(s, p, k, out)
        p = left_of(s, p)
    for r in range(RANKS):
        out[AT.stock + r] = s.stock[r]
    out[AT.phase + s.phase] = 1
    if s.phase == STAKING:
        _observe_choices(s, seat, out)
    write_digits(s.pot, 3, out, AT.pot)
    write_digits(s.rounds - s.played, 2, out, AT.rounds_left)
    for k, option in enumerate((s.sit_out, s.extra_ten, s.drawing, s.draw_cap, s.after_fold, s.stakes)):
        out[AT.options + k] = option
    out[AT.white], out[AT.deck_left], out[AT.last] = s.white, s.deck_left, s.last
    out[AT.least], out[AT.drawn], out[AT.owed] = s.least, s.drawn, s.owed


def _observe_seat(s, p, k, out):
    write_digits(s.purse[p], 3, out, 3 * k)
    out[AT.black + k] = s.black[p]
    out[AT.joined + k] = (s.joined >> p) & 1
    out[AT.inside + k] = (s.inside >> p) & 1
    out[AT.acting + k] = (s.acting >> p) & 1
    out[AT.turn + k] = s.turn == p
    out[AT.tied + k] = (s.tied >> p) & 1


def _observe_choices(s, seat, out):
    me, chosen = max(seat, 0), have_chosen(s)
    if seat >= 0 and (chosen >> me) & 1:
        out[AT.own_choice + ((s.staking >> me) & 1)] = 1
    if s.stakes == OPEN:
        p = me
        for k in range(s.seats):
            out[AT.staking + k] = (s.staking >> p) & 1
            out[AT.sitting_out + k] = ((chosen & ~s.staking) >> p) & 1
            p = left_of(s, p)
