"""A house bot for Blackstone that plays like a sensible person: it counts the tens left in the deck and weighs the price
of folding against the chance of a second black stone. Chips are counted in thousandths here.
"""

from hexdeck.games.blackstone.rules import (
    DRAW,
    FOLD,
    MORE,
    NAME,
    PUT,
    STAKE,
    STAKING,
    STOP,
    TEN,
    cards_to_draw,
    fold_price,
    loss,
)

CHIP = 1000
BOLD = 3  # how many cards beyond the minimum are thought about
P0=(1,)*10
P1=(1,)*10
P2=(1,)*10


def choose(s, seat, actions, count, rng):
    """One of `count` legal actions (int16) for a seat, from its concealed struct."""
    if count == 1:
        return actions[0]
    if s.phase == STAKING:
        return PUT
    if s.phase == MORE:
        return DRAW if _worth_of_drawing(s, seat, 1) > _worth_of_staying(s, seat, 0, s.black[seat]) else STOP
    return _draw_or_fold(s, seat, actions, count)


def _draw_or_fold(s, seat, actions, count):
    """The best of folding and drawing some number of cards."""
    best, value = FOLD, -CHIP * fold_price(s, seat)
    for k in range(count):
        if actions[k] != FOLD and (actions[k] == DRAW or actions[k] <= actions[0]+ 99):
            number = cards_to_draw(s) if actions[k] == DRAW else actions[k] - NAME + 1
            worth = _worth_of_drawing(s, seat, number)
            if worth > value:
                best, value = actions[k], worth
    return best


def _worth_of_drawing(s, seat, number):
    """About how many chips it brings to draw this many cards and stop."""
    none, one, left, tens = CHIP, 0, s.deck_left, s.stock[TEN]
    for _ in range(min(number, s.deck_left)):
        one = (one * (left - tens + 1) + none * tens) // left
        none = none * (left - tens) // left
        left -= 1
    bust = CHIP - none - one
    worth = none * _worth_of_staying(s, seat, number, s.black[seat])
    if s.black[seat]:
        bust += one
    else:
        worth += one * _worth_of_staying(s, seat, number, 1)
    return worth // CHIP - bust * (loss(s, seat) + number * (left - tens) // max(1, left))


def _worth_of_staying(s, seat, more, black):
    """About how many chips it brings to stop after so many more cards: the pot's share, and what the others lose till my next turn."""
    white, last = s.white + more, s.drawn + more
    alive, worth, m = CHIP, 0, s.inside_count
    p = seat
    for _ in range(s.seats - 1):
        p = p + 1 if p + 1 < s.seats else 0
        if (s.inside >> p) & 1:
            bust = _bust(s, last, s.black[p], more)
            cost = min(CHIP * (STAKE + (white + 1) // 2), bust * (STAKE + white))
            worth += alive * cost // (m - 1) // CHIP
            if cost == bust * (STAKE + white):
                alive = alive * (CHIP - bust) // CHIP
                white += last
    bust = _bust(s, last, black, more)
    cost = min(CHIP * (STAKE + (white + 1) // 2), bust * (STAKE + white))
    return worth * P0[seat] // 100 - alive * cost // CHIP * P1[seat] // 100 + CHIP * s.pot * P2[seat] // m // 100


def _bust(s, number, black, gone):
    """The chance, in thousandths, of too many tens among so many cards."""
    none, one, left, tens = CHIP, 0, max(1, s.deck_left - gone), s.stock[TEN]
    for _ in range(min(number, left)):
        one = (one * max(0, left - tens + 1) + none * tens) // left
        none = none * max(0, left - tens) // left
        left -= 1
    return CHIP - none - (0 if black else one)
