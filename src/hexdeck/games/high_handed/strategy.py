"""A house bot for High Handed: it takes the best points to be had now and plays specials where they pay."""

from hexdeck.engine.cards import size
from hexdeck.engine.random import below
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.rules import (
    hand_size,
    hidden_at_most,
    lies_alone,
    may_have_drawn,
    score_of,
    side_of,
    sides,
)
from hexdeck.games.high_handed.scoring import RANKS, most_in

WORTH_DOUBLING = 6  # points worth a Two Timer
WORTH_STEALING = 6
EASY, MEDIUM, HARD = range(3)  # levels, for what bots do under "watch" (HH-19)
SNEAKS = (16, 6, 4)  # by level: one turn in so many ends with a card too many, twice as often if another side leads


def choose(s, seat, actions, count, rng):
    """Choose one of `count` legal actions (int16) for a seat, from its concealed struct; `rng` breaks ties, accuses."""
    if count == 1:
        return actions[0]
    if s.phase == rules.CARD or s.phase == rules.STACK:
        return _choose_card(s, seat, actions, count, rng)
    if s.phase == rules.CELL:
        return _choose_cell(s, seat, actions, count, rng)
    if actions[0] == rules.ACCUSE:
        return _answer(s, seat, MEDIUM, rng)
    return _choose_draw(s, seat, actions, count, MEDIUM, rng)


def gentle(s, seat, actions, count, rng):
    """Play the lowest card where it scores most, and specials when nothing else is left."""
    if s.phase == rules.CELL:
        return _choose_cell(s, seat, actions, count, rng)
    if s.phase == rules.CARD or s.phase == rules.STACK:
        return _lowest(actions, count)
    if actions[0] == rules.ACCUSE:
        return _answer(s, seat, EASY, rng)
    return _choose_draw(s, seat, actions, count, EASY, rng)


def guess(s, seat, actions, count, rng):
    """HH-19: whether a bot that searches takes a card too many, and whom it accuses: worlds can't tell."""
    if s.uncle_bob != rules.WATCH:
        return -1
    if actions[0] == rules.ACCUSE:
        return _answer(s, seat, HARD, rng)
    return _choose_draw(s, seat, actions, count, HARD, rng) if s.phase == rules.ASK and s.due == 0 else -1


def _answer(s, seat, level, rng):
    """HH-19: an easy bot accuses anybody now and then; others see who can't have drawn too many, or must have.

    Else who is behind is the more likely to have done so. Under "ask" there is nothing to know.
    """
    if s.uncle_bob != rules.WATCH:
        return rules.ACCUSE if level > EASY and below(rng, 2) else rules.LET_BE
    if level == EASY:
        return rules.ACCUSE if below(rng, 8 * s.seats) == 0 else rules.LET_BE
    suspects = 0
    for p in range(s.seats):
        suspects += may_have_drawn(s, seat, p)
    room = hidden_at_most(s)
    if not may_have_drawn(s, seat, s.turn) or room == 0:
        return rules.LET_BE
    if s.sneaked[seat] < 0 and suspects == room:
        return rules.ACCUSE
    rarely = (4 - level) * (3 - 2 * _is_behind(s, s.turn))
    return rules.ACCUSE if below(rng, rarely * (s.seats - 1)) == 0 else rules.LET_BE


def _is_behind(s, seat):
    """Whether another side has more points than that of a seat."""
    own, behind = score_of(s, side_of(s, seat)), False
    for side in range(sides(s)):
        behind |= score_of(s, side) > own
    return behind


def _lowest(actions, count):
    """The card of the lowest rank, the ace being below the two; specials come last."""
    best, least = actions[0], RANKS
    for k in range(count):
        card = 0 + actions[k]
        if card < rules.REGULAR and card % RANKS < least:
            best, least = actions[k], card % RANKS
    return best


def _choose_card(s, seat, actions, count, rng):
    """The card with the best place; before that a special that pays, or that must be played soon."""
    best, highest, hand = actions[0], -1, 0 + s.hand[seat]
    if s.phase == rules.STACK:
        top, cards = most_in(s, hand, 0 + s.cell, 0 + s.under)
    else:
        top, cards = _best_places(s, hand)
    for k in range(count):
        if actions[k] < rules.REGULAR:
            luck = below(rng, 16)
            if luck > highest and (cards >> actions[k]) & 1:
                best, highest = actions[k], luck
    for k in range(count):
        if actions[k] == rules.THIEF and _thief_pays(s, seat, top):
            return rules.THIEF
        if actions[k] == rules.TIMER and (top >= WORTH_DOUBLING or (top > 0 and s.held[seat] < 4)):
            return rules.TIMER
    return best


def _best_places(s, hand):
    """The most points that a card of a set can score in an empty cell, and the cards that can score so many."""
    most, best = 0, hand
    for cell in range(s.rows * s.columns):
        if s.board[cell] == 0 and _neighbours(s, cell):  # without them it makes no hand
            total, cards = most_in(s, hand, cell, 0)
            if total > most:
                most, best = total, 0
            best |= cards * (total == most)
    return most, best


def _thief_pays(s, seat, limit):
    """Whether a Thief scores more than the best card without it; a second one only before the last regular card."""
    if s.phase == rules.STACK:
        return size(s.hand[seat]) == 1
    best = 0
    for cell in range(s.rows * s.columns):
        if s.board[cell]:
            best = max(best, most_in(s, 0 + s.hand[seat], cell, 0 + s.board[cell])[0])
    return best >= max(WORTH_STEALING, limit + 3)


def _choose_cell(s, seat, actions, count, rng):
    """Where the picked card scores most, or the best card on top of a special; then where few lie around."""
    best, highest, is_special = actions[0], -1, s.picked >= rules.REGULAR
    hand = 0 + s.hand[seat] if is_special else 1 << s.picked
    for k in range(count):
        cell = actions[k] - rules.AT_CELL
        near, value = _neighbours(s, cell), 0
        if near and not (is_special and lies_alone(s, s.picked, cell)):
            value = most_in(s, hand, cell, 0 + s.board[cell])[0]
        value = value * 64 + 8 * (8 - near) + below(rng, 8)
        if value > highest:
            best, highest = actions[k], value
    return best


def _neighbours(s, cell):
    """How many of the cells around a cell are taken."""
    row, column, neighbours = cell // s.columns, cell % s.columns, 0
    for i in range(max(0, row - 1), min(s.rows, row + 2)):
        for j in range(max(0, column - 1), min(s.columns, column + 2)):
            neighbours += s.board[i * s.columns + j] != 0
    return min(8, neighbours)


def _choose_draw(s, seat, actions, count, level, rng):
    """Draw what is due; a card too many only now and then, and only if nobody sees it (HH-19)."""
    if s.due == 0 and actions[count - 1] == rules.END:
        if s.uncle_bob == rules.WATCH:
            rarely = SNEAKS[level] // (1 + _is_behind(s, seat))
            return actions[0] if below(rng, rarely) == 0 else rules.END
        if s.held[seat] >= hand_size(s.seats, s.hand_cards):
            return rules.END
    return actions[0]
