"""What a seat knows in High Handed (HH-21): plain functions, part of the rules."""

from hexdeck.engine.cards import any_of, nth_card, size
from hexdeck.engine.random import below
from hexdeck.engine.seats import left_of
from hexdeck.games.high_handed.components import (
    ANSWER,
    AT,
    CARD,
    CELL,
    LOT,
    NONE,
    REGULAR,
    STACK,
    THIEF,
    TIMER,
    side_of,
)
from hexdeck.games.high_handed.stacks import may_end


def conceal(s, seat):
    """HH-21: pool others' hands, cards taken from them and the bag; blank secret picks, answers, cards too many.

    A card and its cell are one choice: that a card was picked is secret until it lies on the board.
    """
    for p in range(s.seats):
        if p != seat:
            s.bag |= s.hand[p] | s.taken[p]
            s.hand[p], s.taken[p] = 0, 0
            for k in range(2):
                s.bag_x[k] += s.hand_x[p, k] + s.taken_x[p, k]
                s.hand_x[p, k], s.taken_x[p, k] = 0, 0
            s.choice[p] = NONE
            if s.suspect[p]:
                s.sneaked[p] = 0
    if s.phase == CELL and s.turn != seat:
        s.phase, s.picked = CARD, NONE


def observe(s, seat, out):
    """Write a concealed struct as numbers, seats counted clockwise from the observer; the public observes as seat 0."""
    me = max(seat, 0)
    for k in range(AT.sneaked + 1):
        out[k] = 0
    hand, taken, bag = s.hand[me] if seat >= 0 else 0, s.taken[me] if seat >= 0 else 0, s.bag
    for k in range(REGULAR):
        out[k] = (hand >> k) & 1
        out[AT.taken + k] = (taken >> k) & 1
        out[AT.unseen + k] = (bag >> k) & 1
    for k in range(2):
        out[TIMER + k] = s.hand_x[me, k] if seat >= 0 else 0
        out[AT.unseen + TIMER + k] = s.bag_x[k]
        out[AT.piles + k] = s.pile[k]
        out[AT.taken + TIMER + k] = s.taken_x[me, k] if seat >= 0 else 0
    _observe_board(s, out)
    if s.picked != NONE:
        out[AT.picked + s.picked] = 1
    p, begins = me, (s.starter + s.deal - 1) % s.seats if s.phase != LOT else NONE
    for k in range(s.seats):
        _observe_seat(s, p, k, out)
        out[AT.begins + k] = p == begins
        p = left_of(s, p)
    if seat >= 0 and s.choice[me] != NONE:
        out[AT.own_choice + s.choice[me]] = 1
    out[AT.phase + s.phase] = 1
    out[AT.game] = min(127, s.deal)
    out[AT.stack], out[AT.stack + 1], out[AT.stack + 2], out[AT.stack + 3] = s.cell, s.under, s.stacked, s.doubled
    out[AT.due], out[AT.late], out[AT.extra], out[AT.rows], out[AT.columns] = s.due, s.late, s.extra, s.rows, s.columns
    out[AT.sneaked] = s.sneaked[me] > 0 if seat >= 0 else 0
    _observe_options(s, out)


def _observe_board(s, out):
    """Write the board: ranks 1 to 13, 14 for a Two Timer, 15 for a Thief; suits 1 to 4."""
    for k in range(s.rows * s.columns):
        code = s.board[k]
        suits = (code > 13) + (code > 26) + (code > 39)  # before its own
        out[AT.ranks + k] = code - 13 * suits
        out[AT.suits + k] = ((code > 0) & (code <= REGULAR)) * (suits + 1)


def _observe_seat(s, p, k, out):
    out[AT.held + k], out[AT.won + k], out[AT.missing + k] = s.held[p], s.won[side_of(s, p)], s.missing[p]
    out[AT.scores + 2 * k], out[AT.scores + 2 * k + 1] = s.score[p] // 100, s.score[p] % 100
    out[AT.acting + k] = (s.acting >> p) & 1
    out[AT.forgot + k], out[AT.suspect + k] = s.forgot[p], s.suspect[p]
    out[AT.turn + k] = s.turn == p


def _observe_options(s, out):
    listed = (s.first, s.specials, s.two_thieves, s.lone_special, s.strangers, s.line_hands, s.new_hand, s.choose_pile,
              s.length, s.teams, s.manual_draw, s.uncle_bob_rule, s.uncle_bob)  # fmt: skip
    for k, option in enumerate(listed):
        out[AT.options + k] = option


def resample(s, seat, rng):
    """Sample a world: fill hidden hands and taken cards from the bag, then pick and answer for others.

    Whoever is to choose a card has picked none yet, or any that can be played, each as likely. Whoever may have drawn a
    card too many has done so or not.
    """
    conceal(s, seat)
    _sneak(s, seat, rng)
    owing = seat != s.turn and _owes_regular(s)
    if owing:
        _deal_with_regular(s, s.turn, rng)
    left = size(s.bag) + s.bag_x[0] + s.bag_x[1]
    for p in range(s.seats):
        if p != seat:
            dealt = s.held[p] if owing and p == s.turn else 0
            for k in range(dealt, s.held[p] + s.missing[p]):
                card = _any_unseen(s, left, rng)
                left -= 1
                _give(s, p, card, k < s.held[p])
    if s.phase == CARD and s.turn != seat:
        s.picked = _any_pick(s, s.turn, rng)
        s.phase = CARD if s.picked == NONE else CELL
    if s.phase == ANSWER:
        _answer_anew(s, seat, rng)


def _sneak(s, seat, rng):
    """HH-19: let any of the others who may have done so have drawn a card too many, as far as the piles had them.

    While draws are due, the piles hold a card that nobody has drawn: that they were empty would have shown.
    """
    room, suspects = s.pile[0] + s.pile[1] - (s.due > 0), 0
    for p in range(s.seats):
        room -= s.suspect[p] > 0 and s.sneaked[p] > 0
        suspects |= (s.suspect[p] > 0 and p != seat) << p
    if suspects == 0:
        return
    u, sneaks = below(rng, _small_subsets(suspects, room)), 0
    while u or size(sneaks) > room:  # the subsets of a set of bits, in ascending order
        u -= size(sneaks) <= room
        sneaks = (sneaks - suspects) & suspects
    for p in range(s.seats):
        if (sneaks >> p) & 1:
            s.sneaked[p] = 1 + (below(rng, 2) if s.choose_pile else 0)


def _small_subsets(members, most):
    """How many subsets of a set of bits have at most so many members."""
    count = 0
    for k in range(min(most, size(members)) + 1):
        count += combinations(size(members), k)
    return count


def clear_hidden_choices(s, seat):
    """HH-19: the other seats are to answer again."""
    for p in range(s.seats):
        if s.phase == ANSWER and p != seat and side_of(s, p) != side_of(s, s.turn):
            s.choice[p] = NONE
            s.acting |= 1 << p


def _owes_regular(s):
    """HH-6: whether the player must hold a regular card, since the stack can't be left as it is."""
    return s.phase == STACK and not may_end(s)


def _deal_with_regular(s, p, rng):
    """Fill a hand that has at least one regular card: first draw how many specials it has, then which cards."""
    regular, specials, held = size(s.bag), s.bag_x[0] + s.bag_x[1], 0 + s.held[p]
    ways = 0
    for k in range(held):
        ways += combinations(specials, k) * combinations(regular, held - k)
    u, k = below(rng, ways), 0
    while u >= combinations(specials, k) * combinations(regular, held - k):
        u -= combinations(specials, k) * combinations(regular, held - k)
        k += 1
    for i in range(held):
        if i < k:
            _give(s, p, _any_special(s, specials - i, rng), True)
        else:
            card = any_of(s.bag, regular + k - i, rng)
            s.bag &= ~(1 << card)
            _give(s, p, card, True)


def combinations(n, k):
    """The number of ways to choose k of n."""
    if k > n:
        return 0
    count = 1
    for i in range(k):
        count = count * (n - i) // (i + 1)
    return count


def _any_special(s, left, rng):
    """Take a random special out of the bag."""
    card = TIMER if below(rng, left) < s.bag_x[0] else THIEF
    s.bag_x[card - TIMER] -= 1
    return card


def _any_unseen(s, left, rng):
    """Take a random card out of the bag."""
    u = below(rng, left)
    if u < s.bag_x[0]:
        s.bag_x[0] -= 1
        return TIMER
    u -= s.bag_x[0]
    if u < s.bag_x[1]:
        s.bag_x[1] -= 1
        return THIEF
    card = nth_card(s.bag, u - s.bag_x[1])
    s.bag &= ~(1 << card)
    return card


def _give(s, p, card, to_hand):
    if card < REGULAR:
        if to_hand:
            s.hand[p] |= 1 << card
        else:
            s.taken[p] |= 1 << card
    elif to_hand:
        s.hand_x[p, card - TIMER] += 1
    else:
        s.taken_x[p, card - TIMER] += 1


def _any_pick(s, seat, rng):
    """A random action that the seat could have chosen, or NONE for none yet."""
    regular, timers = size(s.hand[seat]), s.hand_x[seat, 0] > 0
    u = below(rng, 1 + regular + timers + (s.hand_x[seat, 1] > 0)) - 1
    if u < 0:
        return NONE
    if u < regular:
        return nth_card(s.hand[seat], u)
    return TIMER if u == regular and timers else THIEF


def _answer_anew(s, seat, rng):
    for p in range(s.seats):
        if p != seat and side_of(s, p) != side_of(s, s.turn) and not (s.acting >> p) & 1:
            s.choice[p] = below(rng, 2)
