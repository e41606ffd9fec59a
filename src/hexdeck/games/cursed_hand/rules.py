"""Cursed Hand: a bluffing game for 2 to 6 with a Pairs deck. Cheapass Games; see rules.en.md beside this file.

Rules are cited by id (CH-1 to CH-17). A step is one decision: the card for the graveyard, the pair that starts a ghost
hand, call or accept, the card to add. Ranks are indices: rank 1, the ace, is index 0. The ghost hand is a list in the
order in which its cards were added, with the starter's two sorted: whoever has looked knows its first cards.
Play is finite: each ghost hand takes a card from the deck, and each acceptance takes one from a hand.
"""

from hexdeck.engine.cards import (
    RANKS,
    any_card,
    counted,
    deck_option,
    draw,
    hand_option,
    in_counts,
    list_cards,
    outcome_at,
    too_few_cards,
    weigh,
    weight,
)
from hexdeck.engine.layout import left_of, new_deal, remember, slices, starts, stop, struct
from hexdeck.engine.options import THE_MATCH, Choice, Number
from hexdeck.engine.random import below
from hexdeck.engine.text import say

PLAYERS = (2, 6)
SEATS = 6
NONE = -1
GHOST = 48  # more cards than all hands of 7 and the card drawn can add

OPTIONS = (
    Number("losses", 1, "CH-14", say("How many games you must lose to lose the match"), 1, 9, group=THE_MATCH),
    Choice(
        "clean_accept",
        "passer",
        "CH-10",
        say("Who takes the penalty when a player with no cards left accepts a clean hand"),
        ("passer", "nobody"),
    ),
    Choice("exhaustion", "after_ghost", "CH-13", say("When an empty hand ends the game"), ("after_ghost", "at_once")),
    Choice(
        "tied_losers",
        "all",
        "CH-13",
        say("Who loses when several players tie for the most points"),
        ("all", "one_at_random"),
    ),
    deck_option(),
    hand_option(7),
)
NOBODY, AT_ONCE, ONE_AT_RANDOM = 1, 1, 1

STRUCT = struct(
    OPTIONS,
    ("phase", "i1"),
    ("turn", "i1"),  # the seat that starts, answers or adds; while dealing, the one that gets the next card
    ("passer", "i1"),  # the seat that passed the ghost hand last
    ("opener", "i1"),  # the seat that started it
    ("due", "i1"),  # cards still to be dealt; while a ghost hand is turned up: how many lie open, the first ones
    ("deck_left", "i1"),
    ("ghost_size", "i1"),
    ("tied", "i1"),  # bits: the seats among which chance picks
    ("losers", "i1"),  # bits: who lost the last game
    ("stock", "i1", (RANKS,)),  # the deck; concealed: all cards that the seat can't see
    ("discard", "i1", (RANKS,)),
    ("held", "i1", (SEATS,)),  # cards in each hand
    ("lost", "i1", (SEATS,)),
    ("choice", "i1", (SEATS,)),
    ("seen", "i1", (SEATS,)),  # how many of the ghost hand's first cards each seat knows
    ("hand", "i1", (SEATS, RANKS)),
    ("grave", "i1", (SEATS, RANKS)),
    ("ghost", "i1", (GHOST,)),
)
DEAL, BURY, FIRST, DRAW, PAIR, ANSWER, ADD, PICK, DONE = range(9)
OPEN = 9  # a phase only at stops: the ghost hand is turned up

GRAVE, CALL, ACCEPT, CARD = 0, 10, 11, 12
PAIRED = CARD + RANKS
ACTIONS = (
    *(f"grave {r + 1}" for r in range(RANKS)),
    "call",
    "accept",
    *(f"add {r + 1}" for r in range(RANKS)),
    *(f"pair {a + 1} {b + 1}" for a in range(RANKS) for b in range(a, RANKS)),
)
OUTCOMES = (*(f"card {r + 1}" for r in range(RANKS)), *(f"seat {p}" for p in range(SEATS)))
# stops, in the order in which they come
DEALT, CHOSEN, FACE_DOWN, TURNED_UP, TIED, GOES_FIRST = range(1, 7)
DRAWN, PASSED, LOOKED, CALLED, ACCEPTED, CLEAN, CURSED, PAID, SWEPT = range(7, 16)
RUN_OUT, LOST, GATHERED = range(16, 19)

ENDINGS = ("", "pair", "exhausted")
BY_PAIR, BY_EXHAUSTION = 1, 2

NO_GRAVE, GRAVE_NOT_HELD, NO_START, PAIR_NOT_HELD, NO_ANSWER, ANSWER_FIRST, NO_ADD, ADD_NOT_HELD = range(1, 9)

SLICES = slices(
    hand=RANKS,
    grave=RANKS * SEATS,
    discard=RANKS,
    ghost=RANKS,
    own_choice=RANKS,
    held=SEATS,
    lost=SEATS,
    acting=SEATS,
    seen=SEATS,
    phase=9,
    turn=SEATS,
    passer=SEATS,
    ghost_size=1,
    deck_left=1,
    losses=1,
)
AT = starts(SLICES)


def refuse(players, options):
    """Why these options can't be combined, or None."""
    return too_few_cards(OPTIONS, options, players, hand_size(players, options["hand_cards"]))


def hand_size(players, hand_cards):
    """CH-1: 7 cards each, 6 with six players; or a chosen number for tiny decks."""
    if hand_cards:
        return hand_cards
    return 6 if players == 6 else 7


def start(s):
    """CH-14: begin the first game; nobody has lost one yet."""
    _new_game(s)


def chance_weights(s, weights):
    """The next card of the deck, or one of the tied seats (CH-3, CH-13)."""
    return weigh(s, _by_lot(s), weights)


def chance_total(s):
    """How many seats are tied, or cards left."""
    return weight(s, _by_lot(s))


def chance_outcome(s, u):
    """The seat, or the card, that has u before it."""
    return outcome_at(s, _by_lot(s), u)


def _by_lot(s):
    return s.phase == FIRST or s.phase == PICK


def apply_chance(s, outcome):
    """Deal or draw a card, or pick a seat."""
    if s.phase == DEAL:
        _deal(s, outcome)
    elif s.phase == DRAW:
        _take(s, s.turn, outcome)
        s.phase, s.acting = PAIR, 1 << s.turn
        stop(s, DRAWN, s.turn)
    elif s.phase == FIRST:
        _open(s, outcome - RANKS)
    else:
        remember(s, outcome)
        _lose(s, 1 << (outcome - RANKS))


def legal_actions(s, seat, actions):
    """CH-2, CH-5, CH-6, CH-9: one card of the hand, two cards, or an answer."""
    if not (s.acting >> seat) & 1:
        return 0
    if s.phase == BURY:
        return list_cards(s, seat, GRAVE, actions, 0)
    if s.phase == ADD:
        return list_cards(s, seat, CARD, actions, 0)
    if s.phase == PAIR:
        return _list_pairs(s, seat, actions)
    actions[0], actions[1] = CALL, ACCEPT
    return 2


def _list_pairs(s, seat, actions):
    count, action = 0, PAIRED
    for a in range(RANKS):
        if s.hand[seat, a]:
            actions[count] = action
            count += s.hand[seat, a] > 1
            for b in range(a + 1, RANKS):
                actions[count] = action + b - a
                count += s.hand[seat, b] > 0
        action += RANKS - a
    return count


def illegal_reason(s, seat, action):
    """0 if the move is legal, else the number of the reason why it isn't."""
    if action < CALL:
        if s.phase != BURY or not _acts(s, seat):
            return NO_GRAVE
        return 0 if s.hand[seat, action - GRAVE] else GRAVE_NOT_HELD
    if action < CARD:
        if s.phase == ADD and _acts(s, seat):
            return ANSWER_FIRST
        return 0 if s.phase == ANSWER and _acts(s, seat) else NO_ANSWER
    if action < PAIRED:
        if s.phase != ADD or not _acts(s, seat):
            return NO_ADD
        return 0 if s.hand[seat, action - CARD] else ADD_NOT_HELD
    if s.phase != PAIR or not _acts(s, seat):
        return NO_START
    a, b = pair_of(action)
    return 0 if s.hand[seat, a] and s.hand[seat, b] > (a == b) else PAIR_NOT_HELD


def _acts(s, seat):
    return (s.acting >> seat) & 1


def pair_of(action):
    """The two ranks of a pair action, as indices."""
    a = 0
    for r in range(1, RANKS):
        a += action >= _pair_action(r, r)  # without branches: a table would become one of jumps
    return a, a + action - _pair_action(a, a)


def apply_action(s, seat, action):
    """Apply a legal move."""
    if action < CALL:
        s.choice[seat] = action - GRAVE
        s.acting &= ~(1 << seat)
        stop(s, CHOSEN, seat)
        if s.acting == 0:
            _reveal_graves(s)
    elif action == CALL:
        _call(s, seat)
    elif action == ACCEPT:
        _accept(s, seat)
    elif action < PAIRED:
        _add(s, seat, action - CARD)
    else:
        _begin_ghost(s, seat, action)


def returns(s, out):
    """CH-15: the losers of the match share -1 and the others share +1; 0 if all lose."""
    losing = 0
    for p in range(s.seats):
        losing += has_lost(s, p)
    for p in range(s.seats):
        if losing < s.seats:
            out[p] = -1.0 / losing if has_lost(s, p) else 1.0 / (s.seats - losing)


def has_lost(s, seat):
    """CH-14: whether a seat has lost enough games to lose the match."""
    return s.lost[seat] >= s.losses


def inventory(s):
    """CH-1: every card, by its rank."""
    yield from in_counts(s.stock, s.discard, s.hand, s.grave)
    for i in range(s.ghost_size):
        yield s.ghost[i], 1


# --- a game is dealt (CH-1 to CH-3)
def _new_game(s):
    new_deal(s)
    s.phase, s.turn, s.acting, s.tied, s.losers = DEAL, 0, 0, 0, 0
    for r in range(RANKS):
        s.stock[r] = s.deck[r]
        s.discard[r] = 0
    for p in range(SEATS):
        s.held[p], s.choice[p] = 0, NONE
        for r in range(RANKS):
            s.hand[p, r], s.grave[p, r] = 0, 0
    _no_ghost(s)
    s.deck_left = counted(s.deck)
    s.due = hand_size(s.seats, s.hand_cards) * s.seats


def _no_ghost(s):
    s.passer, s.opener = NONE, NONE
    for i in range(s.ghost_size):
        s.ghost[i] = 0
    s.ghost_size = 0
    for p in range(SEATS):
        s.seen[p] = 0


def _deal(s, r):
    _take(s, s.turn, r)
    s.turn = left_of(s, s.turn)
    s.due -= 1
    if s.due == 0:
        s.phase, s.acting = BURY, (1 << s.seats) - 1
        stop(s, DEALT)


def _take(s, seat, r):
    s.stock[r] -= 1
    s.deck_left -= 1
    s.hand[seat, r] += 1
    s.held[seat] += 1


def _reveal_graves(s):
    """CH-2: cards go to the graveyards."""
    stop(s, FACE_DOWN)
    for p in range(s.seats):
        r = s.choice[p]
        remember(s, r)
        s.hand[p, r] -= 1
        s.held[p] -= 1
        s.grave[p, r] = 1
        s.choice[p] = NONE
    stop(s, TURNED_UP)
    first, tied = starter(s.grave, s.seats)
    if first != NONE:
        _open(s, first)
    else:
        s.phase, s.tied = FIRST, tied
        stop(s, TIED)


def starter(grave, seats):
    """CH-3: of graveyards with one card each, the seat with the highest unique one; else NONE, and those tied (bits).

    Those with the highest card are tied: one of them is drawn by lot.
    """
    first, tied = NONE, 0
    for r in range(RANKS):
        count, last, same = 0, NONE, 0
        for p in range(seats):
            if grave[p, r]:
                count, last, same = count + 1, p, same | 1 << p
        if count == 1:
            first = last
        if count:
            tied = same
    return first, tied


def _open(s, seat):
    remember(s, seat)
    stop(s, GOES_FIRST, seat)
    s.tied = 0
    _next_ghost(s, seat)


# --- a ghost hand (CH-5 to CH-11)
def _next_ghost(s, seat):
    """CH-13: start a ghost hand, unless the deck or a hand is empty."""
    s.turn, s.acting = seat, 0
    if s.deck_left == 0 or _someone_is_out(s):
        _exhausted(s)
    else:
        s.phase = DRAW


def _someone_is_out(s):
    for p in range(s.seats):
        if s.held[p] == 0:
            return True
    return False


def _begin_ghost(s, seat, action):
    a, b = pair_of(action)
    s.ghost[0], s.ghost[1], s.ghost_size, s.opener = a, b, 2, seat
    s.hand[seat, a] -= 1
    s.hand[seat, b] -= 1
    s.held[seat] -= 2
    _pass_on(s, seat)


def _pass_on(s, seat):
    remember(s, PAIRED + s.ghost_size)
    s.seen[seat], s.passer, s.turn = s.ghost_size, seat, left_of(s, seat)
    s.phase, s.acting = ANSWER, 1 << s.turn
    stop(s, PASSED, seat)
    if s.held[seat] == 0 and s.exhaustion == AT_ONCE:
        _exhausted(s)


def _accept(s, seat):
    remember(s, ACCEPT)
    if s.held[seat] == 0:
        _turn_up(s, ACCEPTED, seat)
        _show(s, seat, s.passer, seat)
    else:
        s.seen[seat], s.phase = s.ghost_size, ADD
        stop(s, LOOKED, seat)


def _add(s, seat, r):
    s.ghost[s.ghost_size] = r
    s.ghost_size += 1
    s.hand[seat, r] -= 1
    s.held[seat] -= 1
    _pass_on(s, seat)


def _call(s, seat):
    remember(s, CALL)
    _turn_up(s, CALLED, seat)
    _show(s, seat, seat, s.passer)


def _turn_up(s, kind, seat):
    """CH-8, CH-10: after a seat has called, or accepted with no cards left, the cards are turned up, lowest first."""
    remember(s, _tally(s))
    stop(s, kind, seat)
    _sort_known(s, NONE, s.ghost_size)
    s.phase = OPEN
    for i in range(s.ghost_size):
        s.due = i + 1
        stop(s, kind, seat)


def _show(s, starter, if_clean, if_cursed):
    """CH-8, CH-10: of the open ghost hand somebody pays, the rest is discarded, and `starter` starts the next one."""
    highest, cursed, paired = judge(s)
    payer = if_cursed if cursed else if_clean
    if not cursed:
        paired = 1 << highest if starter != if_cursed or s.clean_accept != NOBODY else 0
    stop(s, CURSED if cursed else CLEAN, payer if paired else NONE, cursed)
    loser = _pay(s, payer, paired)
    _discard_ghost(s)
    if loser == NONE:
        stop(s, SWEPT)
        _next_ghost(s, starter)
    else:
        s.ending = BY_PAIR
        _lose(s, 1 << loser)


def _discard_ghost(s):
    for i in range(s.ghost_size):
        if s.ghost[i] != NONE:
            s.discard[s.ghost[i]] += 1
    s.due = 0
    _no_ghost(s)


def _tally(s):
    """How many cards of each rank are in the ghost hand, four bits per rank; unknown cards don't count."""
    tally = 0
    for i in range(s.ghost_size):
        tally += (s.ghost[i] != NONE) << 4 * max(s.ghost[i], 0)
    return tally


def judge(s):
    """CH-7, CH-8: the highest rank; as bits, the ranks that curse the ghost hand and those that are paid for it.

    An ace curses it together with the highest other rank, and isn't paid.
    """
    tally, highest, paired = _tally(s), NONE, 0
    for r in range(1, RANKS):
        count = (tally >> 4 * r) & 15
        if count:
            highest = r
        paired |= (count > 1) << r
    ace = tally & 15
    if ace and highest != NONE:
        paired |= 1 << highest
    return highest, paired | (ace > 0), paired


def curses(s, r):
    """CH-7: whether one more card curses a clean ghost hand: an ace, or a rank that is in it."""
    return r == 0 or (_tally(s) >> 4 * r) & 15 > 0


def _pay(s, seat, ranks):
    """Move one card of each rank to a graveyard; returns the seat if that makes a pair there (CH-12), else NONE."""
    loser = NONE
    for i in range(s.ghost_size):
        r = s.ghost[i]
        if (ranks >> r) & 1:
            ranks &= ~(1 << r)
            s.ghost[i] = NONE
            s.grave[seat, r] += 1
            if s.grave[seat, r] > 1:
                loser = seat
            if ranks == 0:
                stop(s, PAID, seat)
    return loser


# --- the end (CH-12 to CH-14)
def _exhausted(s):
    s.ending, s.acting = BY_EXHAUSTION, 0
    stop(s, RUN_OUT)
    highest, worst = NONE, 0
    for p in range(s.seats):
        points = grave_points(s, p)
        if points > highest:
            highest, worst = points, 0
        worst |= (points == highest) << p
    if s.tied_losers == ONE_AT_RANDOM and worst & (worst - 1):
        s.phase, s.tied = PICK, worst
    else:
        _lose(s, worst)


def grave_points(s, seat):
    """CH-13: the points in a graveyard, the sum of its ranks."""
    points = 0
    for r in range(RANKS):
        points += s.grave[seat, r] * (r + 1)
    return points


def _lose(s, losers):
    """CH-14: these seats (bits) lose a game; the match is over or a new game is dealt."""
    over = 0
    for p in range(s.seats):
        if (losers >> p) & 1:
            s.lost[p] += 1
            stop(s, LOST, p)
        over |= has_lost(s, p)
    if over:
        s.over, s.phase, s.acting, s.tied, s.losers = 1, DONE, 0, 0, losers
    else:
        _new_game(s)
        s.losers = losers
        stop(s, GATHERED)


# --- what a seat knows (CH-16, CH-17)
def conceal(s, seat):
    """CH-16: pool others' hands, the deck and unseen ghost cards; keep the ghost cards that the seat has seen."""
    seen = s.due if s.phase == OPEN else s.seen[seat] if seat >= 0 else 0
    for p in range(s.seats):
        if p != seat:
            s.choice[p] = NONE
            for r in range(RANKS):
                s.stock[r] += s.hand[p, r]
                s.hand[p, r] = 0
    for i in range(seen, s.ghost_size):
        if s.ghost[i] != NONE:
            s.stock[s.ghost[i]] += 1
            s.ghost[i] = NONE
    _sort_known(s, seat, seen)


def _sort_known(s, seat, seen):
    """CH-17: sort the ghost cards between those that the seat added itself, since it doesn't know their order."""
    for i in range(1, seen):
        j = i
        while j > 0 and s.ghost[j - 1] > s.ghost[j] and not _own(s, seat, j) and not _own(s, seat, j - 1):
            s.ghost[j - 1], s.ghost[j] = s.ghost[j], s.ghost[j - 1]
            j -= 1


def _own(s, seat, i):
    """Whether the seat put card i into the ghost hand: the starter put in two, then each in turn one."""
    return _adder(s, i) == seat


def _adder(s, i):
    """The seat that put card i into the ghost hand."""
    return (s.opener + max(i - 1, 0)) % s.seats


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted clockwise from the observer; the public observes as seat 0."""
    me = max(seat, 0)
    p = me
    for k in range(s.seats):
        _observe_seat(s, p, k, out)
        p = left_of(s, p)
    for r in range(RANKS):
        out[r] = s.hand[me, r] if seat >= 0 else 0
        out[AT.discard + r] = s.discard[r]
    for i in range(s.ghost_size):
        if s.ghost[i] != NONE:
            out[AT.ghost + s.ghost[i]] += 1
    if seat >= 0 and s.choice[me] != NONE:
        out[AT.own_choice + s.choice[me]] = 1
    out[AT.phase + s.phase] = 1
    out[AT.ghost_size], out[AT.deck_left], out[AT.losses] = s.ghost_size, s.deck_left, s.losses


def _observe_seat(s, p, k, out):
    for r in range(RANKS):
        out[AT.grave + k * RANKS + r] = s.grave[p, r]
    out[AT.held + k], out[AT.lost + k], out[AT.seen + k] = s.held[p], s.lost[p], s.seen[p]
    out[AT.acting + k] = (s.acting >> p) & 1
    out[AT.turn + k] = s.turn == p
    out[AT.passer + k] = s.passer == p


def resample(s, seat, rng):
    """Sample a world: fill hidden places from the bag, then choose for others among what is then legal."""
    conceal(s, seat)
    remaining = counted(s.stock)
    for p in range(s.seats):
        if p != seat:
            for _ in range(s.held[p]):
                s.hand[p, draw(s.stock, remaining, rng)] += 1
                remaining -= 1
    for i in range(s.ghost_size):
        if s.ghost[i] == NONE:
            s.ghost[i] = draw(s.stock, remaining, rng)
            remaining -= 1
    if s.ghost_size:
        _shuffle_known(s, seat, rng)
    for p in range(s.seats):
        if s.phase == BURY and p != seat and not _acts(s, p):
            s.choice[p] = any_card(s, p, rng)


def clear_hidden_choices(s, seat):
    """CH-16: the other seats are to choose again which card to bury."""
    for p in range(s.seats):
        if s.phase == BURY and p != seat:
            s.choice[p] = NONE
            s.acting |= 1 << p


def take_back(s):
    """Undo the last move since this ghost hand was started (CH-5, CH-6, CH-9); returns its action, or -1."""
    if s.over == 0 and s.phase == ADD:
        s.seen[s.turn], s.phase = _seen_before(s, s.turn), ANSWER
        return ACCEPT
    if s.over or s.phase != ANSWER:
        return NONE
    seat, last = s.passer, s.ghost[s.ghost_size - 1]
    s.turn, s.acting = seat, 1 << seat
    _take_out(s, seat)
    if s.ghost_size > 1:
        s.seen[seat], s.passer, s.phase = s.ghost_size, _adder(s, s.ghost_size - 1), ADD
        return CARD + last
    first = s.ghost[0]
    _take_out(s, seat)
    s.seen[seat], s.passer, s.opener, s.phase = 0, NONE, NONE, PAIR
    return _pair_action(first, last)


def _take_out(s, seat):
    """Put the last card of the ghost hand back into the hand of a seat."""
    s.ghost_size -= 1
    s.hand[seat, s.ghost[s.ghost_size]] += 1
    s.held[seat] += 1
    s.ghost[s.ghost_size] = 0


def _seen_before(s, seat):
    """How many cards of the ghost hand a seat knew before it accepted: those up to its own last one."""
    for i in range(s.ghost_size - 1, 0, -1):
        if _adder(s, i) == seat:
            return i + 1
    return 0


def _pair_action(a, b):
    """The action that starts a ghost hand with these ranks, the lower one first."""
    return PAIRED + a * RANKS - a * (a - 1) // 2 + b - a


def _shuffle_known(s, seat, rng):
    """Shuffle others' cards within each stretch whose order the seat doesn't know; the starter's two stay sorted."""
    first, seen = 0, s.seen[seat] if seat >= 0 else 0
    for i in range(seen):
        if _own(s, seat, i):
            first = i + 1
        else:
            j = first + below(rng, i - first + 1)
            s.ghost[i], s.ghost[j] = s.ghost[j], s.ghost[i]
    if s.ghost[0] > s.ghost[1]:
        s.ghost[0], s.ghost[1] = s.ghost[1], s.ghost[0]
