"""Black Hearts: a trick-taking game with curses for 3 to 6. Hitori Kishida, 2018; see rules.en.md beside this file.

Rules are cited by id (BH-1 to BH-16). A step is one decision: two cards to pass, or a card to play. A kind of card is
an index: Curse cards 0 to 5 and Fixed cards 6 to 11 by their place in the options, Random cards 12 to 17 by their
number. What is printed on the cards is set by options; cards.toml has their defaults. Which Random cards are in a round
is settled while dealing, with the same probabilities as if they had been drawn beforehand: see `chance_weights`.
Play is finite: each round adds at least one curse point, except for as many rounds as there are Mercy cards.
"""

from hexdeck.engine.cards import card_at, counted, draw, in_counts, size
from hexdeck.engine.layout import left_of, new_deal, remember, slices, starts, stop, struct
from hexdeck.engine.options import THE_CARDS, Choice, Number, Numbers, Switch
from hexdeck.engine.random import below, pick
from hexdeck.engine.text import say
from hexdeck.games.black_hearts.values import (
    COPIES,
    GIFT_NAMES,
    GIFTS,
    NUMBERS,
    POINT_SETS,
    POINTS,
    TWO_OCLOCK,
    misfit,
    printed,
)

PLAYERS = (3, 6)
SEATS = 6
NONE = -1
TRICKS = 5
LIMIT = 13  # curse points that end the game

PRINTED = printed()
OPTIONS = (
    Switch("gifts", True, "BH-6", say("A Gift card each round")),
    Choice("reversed_ties", "latest", "BH-9", say("Who wins a tie under Upside down"), ("latest", "earliest"),
           needs=("gifts", True)),
    Numbers("curse_numbers", PRINTED["curse_numbers"], "BH-1", say("The numbers of the Curse cards"), *NUMBERS),
    Numbers("curse_points", PRINTED["curse_points"], "BH-2", say("The curse points of each of them"), *POINTS,
            named=POINT_SETS, beside="curse_numbers"),
    Numbers("fixed_numbers", PRINTED["fixed_numbers"], "BH-1", say("The numbers of the Fixed cards"), *NUMBERS),
    Number("two_oclock", PRINTED["two_oclock"], "BH-3", say("Which of the Fixed cards is Two o'clock, counted from 1"),
           TWO_OCLOCK.low, TWO_OCLOCK.high, group=THE_CARDS),
    Numbers("random_copies", PRINTED["random_copies"], "BH-1", say("How many Random cards there are of each number"),
            *COPIES),
    Numbers("gift_copies", PRINTED["gift_copies"], "BH-7", say("How many Gift cards there are of each kind"),
            COPIES.low, COPIES.high, len(GIFTS), len(GIFTS), GIFT_NAMES),
    Number("hand_cards", 0, "", say("Cards dealt to each player (0: as in the rules)"), 0, TRICKS),
)  # fmt: skip
EARLIEST = 1

SORT = 6  # kinds of each sort
CURSE, FIXED, RANDOM, KINDS = 0, SORT, 2 * SORT, 3 * SORT
UPSIDE_DOWN, EARLY_BIRD, LITTLE_ONE, SECOND, MERCY = range(len(GIFTS))

STRUCT = struct(
    OPTIONS,
    ("total", "i2", (SEATS,)),  # curse points from earlier rounds
    ("choice", "i2", (SEATS,)),  # the chosen pass action, until all have chosen
    ("phase", "i1"),
    ("turn", "i1"),  # who gets the next card, or plays
    ("leader", "i1"),
    ("trick", "i1"),  # from 0
    ("due", "i1"),  # cards still to be dealt
    ("gift", "i1"),  # the Gift card in force
    ("gifts_left", "i1", (len(GIFTS),)),
    ("number", "i1", (KINDS,)),  # printed on the cards of each kind; 0: no such cards
    ("stock", "i1", (KINDS,)),  # cards not dealt; concealed: all cards that the seat can't see
    ("held", "i1", (SEATS,)),  # cards in each hand
    ("caught", "i1", (SEATS,)),  # bits: the Curse cards captured in this round
    ("winner", "i1", (TRICKS,)),  # the winner of each trick
    ("played", "i1", (SEATS, TRICKS)),
    ("sent", "i1", (SEATS, 2)),  # cards passed that aren't known to have been played, the lower kind first
    ("hand", "i1", (SEATS, KINDS)),
)
DEAL, PASS, GIFT, PLAY = range(4)
ON_THE_WAY = 4  # a phase only at a stop: cards passed lie before whom they go to
# stops
DEALT, CHOSEN, LAID_OUT, HANDED_ON, TAKEN_UP, TURNED_UP, SHOWN, PLAYED, WON, CAUGHT = range(1, 11)
ROUND_OVER, SCORED, ENDED, LOWEST_WINS, GATHERED = range(11, 16)

# `sample_chance` packs several counters into one number: bits per counter, and numbers with each counter's lowest bit.
SURE_BITS, LOOSE_BITS = 5, 8  # up to 12 Curse and Fixed cards, up to 54 Random cards
SURE, LOOSE = sum(1 << SURE_BITS * k for k in range(RANDOM)), sum(1 << LOOSE_BITS * k for k in range(SORT))

# A pair is a lower kind and a higher one, or twice a Random kind: action PAIR[lower] + higher.
LOWER = tuple(a for a in range(KINDS) for _ in range(a + (a < RANDOM), KINDS))
HIGHER = tuple(b for a in range(KINDS) for b in range(a + (a < RANDOM), KINDS))
PAIR = tuple(LOWER.index(a) - (a + (a < RANDOM)) for a in range(KINDS))
CARD = len(LOWER)
NAMES = tuple(f"{sort}-{k + 1}" for sort in ("curse", "fixed", "random") for k in range(SORT))
ACTIONS = (
    *(f"pass {NAMES[a]} {NAMES[b]}" for a, b in zip(LOWER, HIGHER, strict=True)),
    *(f"play {name}" for name in NAMES),
)
OUTCOMES = (*(f"card {name}" for name in NAMES), *(f"gift {name}" for name in GIFTS))
ENDINGS = ("", "all curses", "thirteen points")
ALL_CURSES, THIRTEEN = 1, 2

NO_PASS, PASS_NOT_HELD, NO_PLAY, PLAY_NOT_HELD, MUST_OPEN = range(1, 6)

SLICES = slices(
    hand=KINDS, known=KINDS, received=KINDS, unseen=KINDS, own_choice=KINDS, trick=KINDS * SEATS, played=KINDS * SEATS,
    caught=SORT * SEATS, total=SEATS, held=SEATS, acting=SEATS, turn=SEATS, leader=SEATS, numbers=KINDS, points=SORT,
    two_oclock=1, gift=len(GIFTS), gifts_left=len(GIFTS), phase=4, tricks_left=1, reversed_ties=1,
)  # fmt: skip
AT = starts(SLICES)


def refuse(players, options):
    """Why these options can't be combined, or None."""
    lists = {option.name: option.plain(options[option.name]) for option in OPTIONS}
    curse, fixed = lists["curse_numbers"], lists["fixed_numbers"]
    wrong = misfit(curse, lists["curse_points"], fixed, options["two_oclock"])
    if wrong is not None:
        return say("These cards don't fit together: {wrong}", wrong=wrong)
    dealt = hand_size(options["hand_cards"])
    if dealt == 1:
        return say(
            "{option} can't be 1, since each player passes two cards; it must be 0, or 2 to 5.",
            option=OPTIONS[-1].label,
        )
    certain = len(curse) + (1 if players == 3 else len(fixed))
    needed, copies = players * dealt - certain, sum(lists["random_copies"])
    if 0 <= needed <= copies:
        return None
    return say(
        "{players} players with {each} cards each need {cards} cards, but there are {others} Curse and Fixed cards, "
        "all of which are dealt, and {there} Random cards.",
        players=players,
        each=dealt,
        cards=players * dealt,
        others=certain,
        there=copies,
    )


def hand_size(hand_cards):
    """BH-4: five cards each, or a chosen number for tiny games."""
    return hand_cards if hand_cards else TRICKS


def start(s):
    """BH-1: set up the cards that the options describe."""
    for k in range(SORT):
        s.number[CURSE + k], s.number[FIXED + k] = s.curse_numbers[k], s.fixed_numbers[k]
        s.number[RANDOM + k] = k + 1 if s.random_copies[k] else 0
    if s.gifts:
        for g in range(len(GIFTS)):
            s.gifts_left[g] = s.gift_copies[g]
    _next_round(s)


def chance_weights(s, weights):
    """The next card to be dealt (BH-4), or the Gift card (BH-6)."""
    certain, remaining = _in_stock(s)
    unit, coming, deal = max(remaining, 1), s.due - certain, s.phase != GIFT
    for k in range(KINDS):
        weights[k] = s.stock[k] * (unit if k < RANDOM else coming) * deal
    for g in range(len(GIFTS)):
        weights[KINDS + g] = 0 if deal else s.gifts_left[g]
    return chance_total(s)


def chance_total(s):
    """The Gift cards left; or the cards, each as often as it is weighed."""
    if s.phase == GIFT:
        return counted(s.gifts_left)
    certain, remaining = _in_stock(s)
    return certain * max(remaining, 1) + remaining * (s.due - certain)


def chance_outcome(s, u):
    """The Gift card, or the card, that has u before it."""
    if s.phase == GIFT:
        return KINDS + card_at(s.gifts_left, u)
    certain, remaining = _in_stock(s)
    unit = max(remaining, 1)
    if u < certain * unit:
        return card_at(s.stock, u // unit)
    return card_at(s.stock, certain + (u - certain * unit) // (s.due - certain))


def sample_chance(s, rng):
    """Draw the Gift card, or all cards still to be dealt: the same as by `chance_weights`, but faster."""
    if s.phase == GIFT:
        apply_chance(s, KINDS + pick(s.gifts_left, len(GIFTS), below(rng, counted(s.gifts_left))))
        return
    certain, remaining = _in_stock(s)
    sure, loose = _piles(s, CURSE, RANDOM, SURE_BITS), _piles(s, RANDOM, SORT, LOOSE_BITS)
    while s.phase == DEAL:
        unit, coming = max(remaining, 1), s.due - certain
        u = below(rng, certain * unit + remaining * coming)
        if u < certain * unit:
            k = _pile_of(sure, u // unit, SURE, SURE_BITS)
            sure -= SURE >> SURE_BITS * k << SURE_BITS * k
            certain -= 1
            _deal(s, k)
        else:
            k = _pile_of(loose, (u - certain * unit) // coming, LOOSE, LOOSE_BITS)
            loose -= LOOSE >> LOOSE_BITS * k << LOOSE_BITS * k
            remaining -= 1
            _deal(s, RANDOM + k)


def _piles(s, first, kinds, bits):
    """Running totals of the stock's cards over these kinds, packed into one number; the top bit of each is 0."""
    piles, cards = 0, 0
    for k in range(kinds):
        cards += s.stock[first + k]
        piles |= cards << bits * k
    return piles


def _pile_of(piles, n, ones, bits):
    """The kind of card number n: how many of the running totals are at most n, all compared at once."""
    top = bits - 1
    return size(((n + (1 << top)) * ones - piles) & ones << top)


def _in_stock(s):
    """The numbers of Curse and Fixed cards in the stock, all of which will be dealt, and of Random cards."""
    certain, remaining = 0, 0
    for k in range(RANDOM):
        certain += s.stock[k]
    for k in range(RANDOM, KINDS):
        remaining += s.stock[k]
    return certain, remaining


def apply_chance(s, outcome):
    """Deal a card, or turn up a Gift card."""
    if s.phase == DEAL:
        _deal(s, outcome)
    else:
        remember(s, outcome)
        s.gift = outcome - KINDS
        s.gifts_left[s.gift] -= 1
        stop(s, TURNED_UP)
        _first_trick(s)


def legal_actions(s, seat, actions):
    """BH-5, BH-8: two cards of the hand to pass, or one to play; only Two o'clock if it must be led."""
    if not (s.acting >> seat) & 1:
        return 0
    if s.phase == PASS:
        return _list_passes(s, seat, actions)
    if must_open(s):
        actions[0] = CARD + two_oclock(s)
        return 1
    count = 0
    for k in range(KINDS):
        actions[count] = CARD + k
        count += s.hand[seat, k] > 0
    return count


def _list_passes(s, seat, actions):
    """Pack the kinds of the hand into one number, five bits each, so that pairs are listed without searching."""
    kinds, number, count = 0, 0, 0
    for k in range(KINDS):
        kinds |= (k * (s.hand[seat, k] > 0)) << 5 * number
        number += s.hand[seat, k] > 0
    for i in range(number):
        a = (kinds >> 5 * i) & 31
        actions[count] = PAIR[a] + a
        count += s.hand[seat, a] > 1
        for j in range(i + 1, number):
            actions[count] = PAIR[a] + ((kinds >> 5 * j) & 31)
            count += 1
    return count


def must_open(s):
    """BH-8: whether Two o'clock must be led now."""
    return s.phase == PLAY and s.trick == 0 and s.played[s.leader, 0] == NONE


def two_oclock(s):
    """BH-3: the kind of Two o'clock."""
    return FIXED + s.two_oclock - 1


def illegal_reason(s, seat, action):
    """0 if the move is legal, else the number of the reason why it isn't."""
    acts = (s.acting >> seat) & 1
    if action < CARD:
        if not acts or s.phase != PASS:
            return NO_PASS
        return 0 if _holds(s, seat, LOWER[action], HIGHER[action]) else PASS_NOT_HELD
    if not acts or s.phase != PLAY:
        return NO_PLAY
    if s.hand[seat, action - CARD] == 0:
        return PLAY_NOT_HELD
    return MUST_OPEN if must_open(s) and action - CARD != two_oclock(s) else 0


def _holds(s, seat, a, b):
    """Whether a hand has both cards."""
    return s.hand[seat, a] > 0 and s.hand[seat, b] > (a == b)


def apply_action(s, seat, action):
    """Apply a legal move."""
    if action < CARD:
        s.choice[seat] = action
        s.acting &= ~(1 << seat)
        stop(s, CHOSEN, seat)
        if s.acting == 0:
            _pass_cards(s)
    else:
        _play(s, seat, action - CARD)


def returns(s, out):
    """BH-14: the winners share 1."""
    winners = 0
    for p in range(s.seats):
        winners += wins(s, p)
    for p in range(s.seats):
        out[p] = wins(s, p) / winners


def wins(s, seat):
    """BH-11, BH-12: whether a seat wins: it captured all Curse cards, or nobody has a lower total."""
    if s.ending == ALL_CURSES:
        return s.caught[seat] == _all_curses(s)
    for p in range(s.seats):
        if s.total[p] < s.total[seat]:
            return False
    return True


def cursed(s, seat):
    """BH-12: whether a seat has 13 points and didn't win, when nobody captured all Curse cards."""
    return s.ending == THIRTEEN and s.total[seat] >= LIMIT and not wins(s, seat)


def inventory(s):
    """BH-1: every card in play, by its kind."""
    yield from in_counts(s.stock, s.hand)
    for p in range(s.seats):
        for t in range(TRICKS):
            if s.played[p, t] != NONE:
                yield s.played[p, t], 1


# --- a round begins (BH-4 to BH-6)
def _next_round(s):
    new_deal(s)
    for k in range(RANDOM):
        s.stock[k] = s.number[k] > 0
    for k in range(SORT):
        if s.seats == 3 and FIXED + k != two_oclock(s):
            s.stock[FIXED + k] = 0
        s.stock[RANDOM + k] = s.random_copies[k]
    for p in range(SEATS):
        s.caught[p], s.choice[p], s.sent[p, 0], s.sent[p, 1] = 0, NONE, NONE, NONE
        for t in range(TRICKS):
            s.played[p, t] = NONE
    for t in range(TRICKS):
        s.winner[t] = NONE
    s.phase, s.acting, s.turn, s.leader, s.trick, s.gift = DEAL, 0, 0, NONE, 0, NONE
    s.due = hand_size(s.hand_cards) * s.seats


def _deal(s, kind):
    s.stock[kind] -= 1
    s.hand[s.turn, kind] += 1
    s.held[s.turn] += 1
    s.turn = left_of(s, s.turn)
    s.due -= 1
    if s.due == 0:
        s.phase, s.acting, s.turn = PASS, (1 << s.seats) - 1, NONE
        stop(s, DEALT)


def right_of(s, seat):
    """The seat before, clockwise."""
    return seat - 1 if seat > 0 else s.seats - 1


def _pass_cards(s):
    """BH-5: all pass at once; only giver and receiver know the cards, so they don't enter the history."""
    stop(s, LAID_OUT)
    for p in range(s.seats):
        q = left_of(s, p)
        for i in range(2):
            kind = HIGHER[s.choice[p]] if i else LOWER[s.choice[p]]
            s.sent[p, i] = kind
            s.hand[p, kind] -= 1
            s.hand[q, kind] += 1
        s.choice[p] = NONE
    s.phase = ON_THE_WAY
    stop(s, HANDED_ON)
    s.phase = GIFT
    stop(s, TAKEN_UP)
    if counted(s.gifts_left) == 0:
        _first_trick(s)


# --- five tricks (BH-8, BH-9)
def _first_trick(s):
    """BH-8: whoever holds Two o'clock leads, and everybody learns who that is."""
    seat = 0
    while s.hand[seat, two_oclock(s)] == 0:
        seat += 1
    remember(s, len(OUTCOMES) + seat)
    s.phase, s.leader = PLAY, seat
    _turn(s, seat)
    stop(s, SHOWN, seat)


def leader_of(s, trick):
    """BH-8, BH-9: who led a trick: whoever held Two o'clock, then the winner of the one before; NONE if not known."""
    if trick:
        return s.winner[trick - 1]
    for p in range(s.seats):
        if s.played[p, 0] == two_oclock(s):
            return p
    return s.leader


def _turn(s, seat):
    s.turn, s.acting = seat, 1 << seat


def _play(s, seat, kind):
    remember(s, kind)
    s.hand[seat, kind] -= 1
    s.held[seat] -= 1
    s.played[seat, s.trick] = kind
    _forget(s, right_of(s, seat), kind)
    stop(s, PLAYED, seat)
    if left_of(s, seat) != s.leader:
        _turn(s, left_of(s, seat))
    else:
        _end_trick(s, taker(s, s.seats, kind))


def _forget(s, giver, kind):
    """BH-15: after a card of this kind is played, one that `giver` passed is no longer known to be in the hand."""
    if s.sent[giver, 0] == kind:
        s.sent[giver, 0], s.sent[giver, 1] = s.sent[giver, 1], NONE
    elif s.sent[giver, 1] == kind:
        s.sent[giver, 1] = NONE


def _end_trick(s, seat):
    s.winner[s.trick] = seat
    stop(s, WON, seat)
    for p in range(s.seats):
        s.caught[seat] |= (1 << s.played[p, s.trick]) & ((1 << SORT) - 1)
    stop(s, CAUGHT, seat)
    s.leader = seat
    s.trick += 1
    if s.held[seat]:
        _turn(s, seat)
    else:
        _score(s)


def taker(s, cards, last):
    """BH-7, BH-9: who wins a trick of that many cards with this last one."""
    return taker_under(s, s.gift, cards, last)


def taker_under(s, gift, cards, last):
    """Who wins it under a Gift card, or under none: by number, then by the order of play."""
    best, second, six, last_one = 0, 0, False, NONE
    p, late = s.leader, latest(s, gift)
    for k in range(cards):
        number = s.number[last if k == cards - 1 else s.played[p, s.trick]]
        strength = 7 - number if gift == UPSIDE_DOWN else number
        value = strength << 6 | (k if late else 7 - k) << 3 | p
        second = max(second, min(best, value))
        best = max(best, value)
        six |= number == 6
        last_one = p if number == 1 else last_one
        p = left_of(s, p)
    if gift == SECOND and cards > 1:
        return second & 7
    return last_one if gift == LITTLE_ONE and six and last_one != NONE else best & 7


def gift_decides(s):
    """BH-7: whether the full trick has another winner than it would have without the Gift card in force."""
    return taker_under(s, NONE, s.seats, s.played[right_of(s, s.leader), s.trick]) != s.winner[s.trick]


def latest(s, gift):
    """BH-7, BH-9: whether the latest of the strongest cards wins, rather than the earliest."""
    return gift != EARLY_BIRD and (gift != UPSIDE_DOWN or s.reversed_ties != EARLIEST)


# --- scoring (BH-10 to BH-13)
def _score(s):
    """Score the round; capturing all Curse cards (BH-11) takes precedence over any totals."""
    for p in range(s.seats):
        if s.caught[p] == _all_curses(s):
            s.ending = ALL_CURSES
    stop(s, ROUND_OVER)
    for p in range(s.seats):
        s.total[p] += round_points(s, p)
        if s.total[p] >= LIMIT and s.ending == 0:
            s.ending = THIRTEEN
        stop(s, SCORED, p)
    if s.ending:
        s.over, s.acting, s.turn = 1, 0, NONE
        stop(s, ENDED)
        if s.ending == THIRTEEN:
            stop(s, LOWEST_WINS)
    else:
        _next_round(s)
        stop(s, GATHERED)


def round_points(s, seat):
    """BH-10: the points captured in this round, less the card that Mercy takes off."""
    points, off = 0, forgiven(s, seat)
    for k in range(SORT):
        points += ((s.caught[seat] >> k) & 1) * s.curse_points[k]
    return points - s.curse_points[off] if off != NONE else points


def forgiven(s, seat):
    """BH-7: the worst Curse card of a seat, which Mercy takes off; NONE if there is none."""
    worst = NONE
    for k in range(SORT):
        if (s.caught[seat] >> k) & 1 and (worst == NONE or s.curse_points[k] > s.curse_points[worst]):
            worst = k
    return worst if s.gift == MERCY else NONE


def _all_curses(s):
    """The Curse cards of the game, as a set of bits."""
    cards = 0
    for k in range(SORT):
        cards |= (s.number[k] > 0) << k
    return cards


# --- what a seat knows (BH-15, BH-16)
def conceal(s, seat):
    """BH-15: pool others' hands with the cards not dealt, except for cards that the seat knows to be in a hand."""
    for p in range(s.seats):
        if p != seat:
            s.choice[p] = NONE
            for k in range(KINDS):
                s.stock[k] += s.hand[p, k]
                s.hand[p, k] = 0
            if left_of(s, p) != seat:
                s.sent[p, 0], s.sent[p, 1] = NONE, NONE
    if seat >= 0:
        for i in range(2):
            if s.sent[seat, i] != NONE:
                _show(s, left_of(s, seat), s.sent[seat, i])
    if must_open(s) and s.hand[s.turn, two_oclock(s)] == 0:
        _show(s, s.turn, two_oclock(s))


def _show(s, p, kind):
    """Move a card that is known to be in a hand from the stock to that hand."""
    s.stock[kind] -= 1
    s.hand[p, kind] += 1


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted clockwise from the observer; the public observes as seat 0."""
    me = max(seat, 0)
    p = me
    for k in range(s.seats):
        _observe_seat(s, p, k, out)
        p = left_of(s, p)
    if seat >= 0:
        _observe_own(s, me, out)
    for k in range(KINDS):
        out[AT.unseen + k], out[AT.numbers + k] = s.stock[k], s.number[k]
    for k in range(SORT):
        out[AT.points + k] = s.curse_points[k]
    for g in range(len(GIFTS)):
        out[AT.gift + g], out[AT.gifts_left + g] = s.gift == g, s.gifts_left[g]
    out[AT.phase + s.phase] = 1
    out[AT.two_oclock], out[AT.reversed_ties] = s.two_oclock, s.reversed_ties
    out[AT.tricks_left] = hand_size(s.hand_cards) - s.trick


def _observe_own(s, me, out):
    for k in range(KINDS):
        out[k] = s.hand[me, k]
        out[AT.known + k] = s.hand[left_of(s, me), k]
        out[AT.received + k] = (s.sent[right_of(s, me), 0] == k) + (s.sent[right_of(s, me), 1] == k)
    if s.choice[me] != NONE:
        out[AT.own_choice + LOWER[s.choice[me]]] += 1
        out[AT.own_choice + HIGHER[s.choice[me]]] += 1


def _observe_seat(s, p, k, out):
    for t in range(TRICKS):
        if s.played[p, t] != NONE:
            at = AT.trick if t == s.trick else AT.played
            out[at + k * KINDS + s.played[p, t]] += 1
    caught = s.caught[p]
    for c in range(SORT):
        out[AT.caught + k * SORT + c] = (caught >> c) & 1
    out[AT.total + k], out[AT.held + k] = min(s.total[p], 127), s.held[p]
    out[AT.acting + k] = (s.acting >> p) & 1
    out[AT.turn + k], out[AT.leader + k] = s.turn == p, s.leader == p


def resample(s, seat, rng):
    """Sample a world: set aside Random cards that weren't dealt, fill hidden hands with the rest, choose for others."""
    conceal(s, seat)
    hidden = 0
    for p in range(s.seats):
        hidden += s.held[p] - _in_hand(s, p)
    remaining = hidden + s.due
    aside = _set_aside(s, counted(s.stock) - remaining, rng)
    for p in range(s.seats):
        for _ in range(s.held[p] - _in_hand(s, p)):
            s.hand[p, draw(s.stock, remaining, rng)] += 1
            remaining -= 1
    for k in range(SORT):
        s.stock[RANDOM + k] += (aside >> 4 * k) & 15
    for p in range(s.seats):
        if s.phase == PASS and p != seat and not (s.acting >> p) & 1:
            s.choice[p] = _any_pass(s, p, rng)
        if s.phase > PASS and p != seat and left_of(s, p) != seat:
            _pass_anew(s, p, rng)


def clear_hidden_choices(s, seat):
    """BH-16: the other seats are to choose their passes again."""
    for p in range(s.seats):
        if s.phase == PASS and p != seat:
            s.choice[p] = NONE
            s.acting |= 1 << p


def _in_hand(s, p):
    cards = 0
    for k in range(KINDS):
        cards += s.hand[p, k]
    return cards


def _set_aside(s, number, rng):
    """Take random Random cards out of the stock; returns how many of each number, packed in four bits each."""
    aside, (certain, remaining) = 0, _in_stock(s)
    for _ in range(number):
        kind = card_at(s.stock, certain + below(rng, remaining))
        s.stock[kind] -= 1
        remaining -= 1
        aside += 1 << 4 * (kind - RANDOM)
    return aside


def _any_pass(s, p, rng):
    """A uniformly random legal pass."""
    passes = 0
    for action in range(CARD):
        passes += _holds(s, p, LOWER[action], HIGHER[action])
    u, action = below(rng, passes), 0
    while u or not _holds(s, p, LOWER[action], HIGHER[action]):
        u -= _holds(s, p, LOWER[action], HIGHER[action])
        action += 1
    return action


def _pass_anew(s, p, rng):
    """Sample the pass of a seat: any two of its left neighbour's cards, then forget those that were played."""
    q, cards = left_of(s, p), hand_size(s.hand_cards)
    u, j = below(rng, cards * (cards - 1) // 2), 1
    while u >= j:
        u -= j
        j += 1
    first, second = _card_of(s, q, u), _card_of(s, q, j)
    s.sent[p, 0], s.sent[p, 1] = min(first, second), max(first, second)
    for t in range(cards - s.held[q]):
        _forget(s, p, s.played[q, t])


def _card_of(s, p, n):
    """The kind of card number n of those that a seat had for this round's tricks: those played, then those held."""
    if n < hand_size(s.hand_cards) - s.held[p]:
        return s.played[p, n]
    n -= hand_size(s.hand_cards) - s.held[p]
    k = 0
    while n >= s.hand[p, k]:
        n -= s.hand[p, k]
        k += 1
    return k
