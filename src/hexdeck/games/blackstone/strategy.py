"""A house bot for Blackstone that plays like a sensible person: it counts the tens that are left and weighs the risk.

Values, in chips, and probabilities are in thousandths.
"""

from hexdeck.engine.cards import size
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.rules import able_to_stake, cards_to_draw, fold_price, have_chosen, loss, named

ALL = 1000
THOUGHTS = 6  # the most actions considered: nobody announces more than a few cards beyond the minimum

# Of 4000 rounds of house bots with 100 chips each (seeds 0 to 3999), by how many stake:
PAYERS = (0, 1000, 1000, 1490, 1892, 2149, 2355, 2520, 2704, 2801, 2848)  # how many pay into the pot
LEFT = (0, 0, 0, 259, 565, 943, 1318, 1736, 2156, 2574, 3079)  # chips that stay in it, as they don't divide
PRICES = (0, 5000, 9950, 13630, 15470, 16330, 16690, 16790, 16800)  # of four: what one pays who has 0, 5, … 40 chips

SAFE = 750  # the least chance of no harm with which the gentle bot draws


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct."""
    if count == 1:
        return actions[0]
    if s.phase == rules.STAKING:
        return rules.PUT if worth_of_staking(s, seat) >= 0 else rules.SIT
    mask, tens, cost = _black_stones(s, seat), s.stock[rules.TEN], loss(s, seat)
    if s.phase == rules.MORE:
        on = draws_on(s.inside_count, mask, s.pot, s.white, s.drawn, s.deck_left, tens, cost)
        return rules.DRAW if on else rules.STOP
    best, highest = rules.FOLD, -ALL * fold_price(s, seat)
    for k in range(min(count, THOUGHTS)):
        if actions[k] != rules.FOLD and s.least <= s.deck_left:
            number = cards_to_draw(s) if actions[k] == rules.DRAW else named(actions[k])
            worth = worth_of_drawing(s.inside_count, mask, s.pot, s.white, s.drawn, s.deck_left, tens, cost, number)
            if worth > highest:
                best, highest = actions[k], worth
    return best


def gentle(s, seat, actions, count, rng):
    """Play timidly: draw as few cards as allowed, and fold unless that is fairly safe."""
    if count == 1:
        return actions[0]
    if s.phase == rules.STAKING:
        return rules.PUT
    if s.phase == rules.MORE:
        return rules.STOP
    number = min(max(1, s.least), s.deck_left)
    safe, single = _chances(s.deck_left, s.stock[rules.TEN], number)
    lucky = safe if s.black[seat] else safe + single
    if lucky < SAFE:
        return rules.FOLD
    return actions[0] if actions[0] != rules.FOLD else actions[1]


def guess(s, seat, _actions, _count, _rng):
    """BS-1: whether a bot that searches stakes: too little hangs on it to be found out in a few games."""
    if s.phase != rules.STAKING:
        return -1
    return rules.PUT if worth_of_staking(s, seat) >= 0 else rules.SIT


def worth_of_staking(s, seat):
    """BS-1: what a round is worth to somebody who stakes, times the players in it.

    Before the deal all are as likely to pay, so the pot carried in counts, and who has too few chips to pay in full:
    these risk less than they can win. In the last round, where it is lost, so does what stays in the pot: nothing
    between two. Whoever may still stake is expected to; of those who have to choose in the open the first two play.

    What that gains, `measured` in the game's spec.toml tells.
    """
    staked = s.staking if s.stakes == rules.OPEN else 0
    rivals, count, prices = able_to_stake(s) & ~(1 << seat), 0, 0
    if s.stakes == rules.OPEN:
        rivals &= staked | ~have_chosen(s)
    for p in range(s.seats):
        if (rivals >> p) & 1:
            count += 1
            prices += _price_paid(s.purse[p])
    if count == 0:
        return 0
    worth = ALL * s.pot + PAYERS[count + 1] * (prices // count - _price_paid(s.purse[seat])) // ALL
    if s.stakes == rules.OPEN and s.played + 1 == s.rounds:
        worth -= LEFT[size(staked) + 1]
    return worth


def _price_paid(chips):
    """What a player with so many chips pays on average, in a round in which it pays."""
    step = min(chips, 5 * len(PRICES) - 6) // 5
    return PRICES[step] + (PRICES[step + 1] - PRICES[step]) * min(5, chips - 5 * step) // 5


def _black_stones(s, seat):
    """Who of the n players still in has a black stone: a bit each, from the seat on."""
    mask, k = 0, 0
    for i in range(s.seats):
        p = (seat + i) % s.seats
        if (s.inside >> p) & 1:
            mask |= s.black[p] << k
            k += 1
    return mask


# --- what it thinks, from counts alone: n players are in, `left` cards in the deck, `tens` of them tens ---------------
def draws_on(n, mask, pot, white, drawn, remaining, tens, cost):
    """Whether it draws one more card in its turn; `cost`: the chips that a second black stone would cost it."""
    stays = _worth_of_stopping(n, mask, pot, white, drawn, remaining, tens, 0)
    return worth_of_drawing(n, mask, pot, white, drawn, remaining, tens, cost, 1) > stays


def worth_of_drawing(n, mask, pot, white, drawn, remaining, tens, cost, number):
    """The estimated value of drawing that many cards and stopping."""
    safe, single = _chances(remaining, tens, number)
    worth = safe * _worth_of_stopping(n, mask, pot, white, drawn, remaining, tens, number)
    if mask & 1 == 0:
        worth += single * _worth_of_stopping(n, mask | 1, pot, white, drawn, remaining, tens, number)
        safe += single
    return worth // ALL - (ALL - safe) * (cost + number * (remaining - tens) // remaining)


def _chances(remaining, tens, number):
    """The probability that so many of the cards left have no ten, and that they have one."""
    none, single = ALL, 0
    for _ in range(number):
        single = (single * max(0, remaining - tens + 1) + none * tens) // remaining
        none = none * max(0, remaining - tens) // remaining
        remaining -= 1
    return none, single


def _worth_of_stopping(n, mask, pot, white, drawn, remaining, tens, extra):
    """The estimated value of stopping after that many more cards.

    A share of the pot and of what the others may lose before the next turn, less half of what that turn may cost, since
    it is far away.
    """
    number, white, comes, worth = drawn + extra, white + extra, ALL, ALL * pot // n
    for k in range(1, n):
        risk, price = _risk(remaining - extra, tens, number, (mask >> k) & 1), _price(white)
        worth += comes * min(price, risk * (rules.STAKE + white)) // (n - 1) // ALL
        if risk * (rules.STAKE + white) < price:
            comes -= comes * risk // ALL
            white += number
    risk = _risk(remaining - extra, tens, number, mask & 1)
    return worth - comes * min(_price(white), risk * (rules.STAKE + white)) // ALL // 2


def _price(white):
    return ALL * (rules.STAKE + (white + 1) // 2)


def _risk(remaining, tens, number, black):
    """The probability that so many of the cards left hold one ten too many."""
    none, single = _chances(remaining, tens, min(number, remaining))
    return ALL - none - (0 if black else single)
