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
    worth,
)
from hexdeck.games.high_handed.scoring import RANKS

WORTH_DOUBLING = 6  # points worth a Two Timer
WORTH_STEALING = 6
EASY, MEDIUM, HARD = range(3)  # levels, for what bots do under "watch" (HH-19)
SNEAKS = (16, 6, 4)  # by level: one turn in so many ends with a card too many, twice as often if another side leads
APART = ("_best_of_hand",)  # `0 +` below makes all arguments int64, so that it compiles only once


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
    best, highest, top = actions[0], -1, 0
    cells = _open_cells(s) if s.phase == rules.CARD else 0
    for k in range(count):
        card = 0 + actions[k]
        if card < rules.REGULAR:
            value = best_place(s, card, cells) if s.phase == rules.CARD else worth(s, card, 0 + s.cell, 0 + s.under)
            top = max(top, value)
            value = value * 16 + below(rng, 16)
            if value > highest:
                best, highest = actions[k], value
    for k in range(count):
        if actions[k] == rules.THIEF and _thief_pays(s, seat, top):
            return rules.THIEF
        if actions[k] == rules.TIMER and (top >= WORTH_DOUBLING or (top > 0 and s.held[seat] < 4)):
            return rules.TIMER
    return best


def _thief_pays(s, seat, limit):
    """Whether a Thief scores more than the best card without it; a second one only before the last regular card."""
    if s.phase == rules.STACK:
        return size(s.hand[seat]) == 1
    return best_theft(s, seat) >= max(WORTH_STEALING, limit + 3)


def _open_cells(s):
    """The empty cells beside others, as bits: a card without neighbours makes no hand."""
    cells = 0
    for cell in range(s.rows * s.columns):
        if s.board[cell] == 0 and _neighbours(s, cell):
            cells |= 1 << cell
    return cells


def best_place(s, card, cells):
    """The most points that a card can score in one of these empty cells."""
    best = 0
    for cell in range(s.rows * s.columns):
        if (cells >> cell) & 1:
            best = max(best, worth(s, card, cell, 0))
    return best


def best_theft(s, seat):
    """The most points that any card of the hand can score on top of another card."""
    best = 0
    for cell in range(s.rows * s.columns):
        if s.board[cell]:
            best = max(best, _best_of_hand(s, seat, cell))
    return best


def _best_of_hand(s, seat, cell):
    """The most points that any regular card of the hand would score in a cell."""
    best = 0
    for card in range(rules.REGULAR):
        if (s.hand[seat] >> card) & 1:
            best = max(best, worth(s, card, cell, 0 + s.board[cell]))
    return best


def _choose_cell(s, seat, actions, count, rng):
    best, highest = actions[0], -1
    for k in range(count):
        cell = actions[k] - rules.AT_CELL
        near = _neighbours(s, cell)
        value = _worth_of_cell(s, seat, cell) if near else 0
        value = value * 64 + 8 * (8 - near) + below(rng, 8)
        if value > highest:
            best, highest = actions[k], value
    return best


def _worth_of_cell(s, seat, cell):
    """The points of the picked card in a cell; for a special, the most that a card on top of it would score."""
    if s.picked < rules.REGULAR:
        return worth(s, 0 + s.picked, cell, 0 + s.board[cell])
    return 0 if lies_alone(s, s.picked, cell) else _best_of_hand(s, seat, cell)


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
