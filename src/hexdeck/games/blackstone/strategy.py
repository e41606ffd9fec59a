"""A house bot for Blackstone that plays like a sensible person: it counts the tens that are left and weighs the risk.

Values, in chips, and probabilities are in thousandths.
"""

from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.rules import DRAW, FOLD, STAKE, STOP, TEN, cards_to_draw, fold_price, loss, named

ALL = 1000
THOUGHTS = 6  # the most actions considered: nobody announces more than a few cards beyond the minimum

SAFE = 750  # the least chance of no harm with which the gentle bot draws


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct."""
    if count == 1:
        return actions[0]
    if s.phase == rules.STAKING:
        return rules.PUT
    if s.phase == rules.MORE:
        return DRAW if _worth_of_drawing(s, seat, 1) > _worth_of_stopping(s, seat, 0, s.black[seat]) else STOP
    return _draw_or_fold(s, seat, actions, count)


def gentle(s, seat, actions, count, rng):
    """Play timidly: draw as few cards as allowed, and fold unless that is fairly safe."""
    if count == 1:
        return actions[0]
    if s.phase == rules.STAKING:
        return rules.PUT
    if s.phase == rules.MORE:
        return STOP
    number = min(max(1, s.least), s.deck_left)
    safe, one = _chances(s.deck_left, s.stock[TEN], number)
    lucky = safe if s.black[seat] else safe + one
    if lucky < SAFE:
        return FOLD
    return actions[0] if actions[0] != FOLD else actions[1]


def _draw_or_fold(s, seat, actions, count):
    best, most = FOLD, -ALL * fold_price(s, seat)
    for k in range(min(count, THOUGHTS)):
        if actions[k] != FOLD and s.least <= s.deck_left:
            worth = _worth_of_drawing(s, seat, cards_to_draw(s) if actions[k] == DRAW else named(actions[k]))
            if worth > most:
                best, most = actions[k], worth
    return best


def _worth_of_drawing(s, seat, number):
    """The estimated value of drawing that many cards and stopping."""
    black, left, tens = s.black[seat], s.deck_left, s.stock[TEN]
    safe, one = _chances(left, tens, number)
    worth = safe * _worth_of_stopping(s, seat, number, black)
    if black == 0:
        worth += one * _worth_of_stopping(s, seat, number, 1)
        safe += one
    return worth // ALL - (ALL - safe) * (loss(s, seat) + number * (left - tens) // left)


def _chances(left, tens, number):
    """The probability that so many of the cards left have no ten, and that they have one."""
    none, one = ALL, 0
    for _ in range(number):
        one = (one * max(0, left - tens + 1) + none * tens) // left
        none = none * max(0, left - tens) // left
        left -= 1
    return none, one


def _worth_of_stopping(s, seat, more, black):
    """The estimated value of stopping after that many more cards.

    A share of the pot and of what the others may lose before the next turn, less half of what that turn may cost, since
    it is far away.
    """
    number, white, comes, worth = s.drawn + more, s.white + more, ALL, ALL * s.pot // s.inside_count
    for k in range(1, s.seats):
        p = (seat + k) % s.seats
        if (s.inside >> p) & 1:
            risk, price = _risk(s, number, s.black[p], more), _price(white)
            worth += comes * min(price, risk * (STAKE + white)) // (s.inside_count - 1) // ALL
            if risk * (STAKE + white) < price:
                comes -= comes * risk // ALL
                white += number
    return worth - comes * min(_price(white), _risk(s, number, black, more) * (STAKE + white)) // ALL // 2


def _price(white):
    return ALL * (STAKE + (white + 1) // 2)


def _risk(s, number, black, gone):
    """The probability that so many cards hold one ten too many, after so many more are gone from the deck."""
    left = s.deck_left - gone
    none, one = _chances(left, s.stock[TEN], min(number, left))
    return ALL - none - (0 if black else one)
