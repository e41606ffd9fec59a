"""Specials played in a turn of High Handed (HH-6 to HH-9): plain functions, used by the rules."""

from hexdeck.games.high_handed.components import (
    NEEDS_CARD,
    ONE_THIEF,
    THIEF,
    THIEF_FIRST,
    TOO_MANY,
    TWO_THIEVES,
)


def lies_alone(s, card, cell):
    """HH-7, HH-8: whether a special there ends the turn: a Thief on an empty cell, a Two Timer on another card."""
    return (card == THIEF) == (s.board[cell] == 0)


def can_follow(s, seat, stacked):
    """HH-6: whether one more special, after `stacked` ones in this turn, can be followed by a regular card."""
    return s.hand[seat] != 0 and stacked < s.specials


def may_end(s):
    """HH-9: whether the turn may end with the stack as it is; on another card a stack begins with a Thief."""
    if s.under == 0:
        return s.stacked == 1
    return s.lone_special != 0 and s.stacked <= 2


def why_not_on(s, seat, card):
    """HH-6 to HH-9: 0 if one more special of the hand can go on the stack, else the reason why not."""
    if card == THIEF:
        if s.board[s.cell] != THIEF + 1:
            return THIEF_FIRST
        if not s.two_thieves:
            return ONE_THIEF
        if s.stacked > 1:
            return TWO_THIEVES
    if s.hand[seat] == 0 and not _ends_alone(s):
        return NEEDS_CARD
    return 0 if s.stacked < s.specials else TOO_MANY


def _ends_alone(s):
    """HH-9: whether one more special may be the turn's last card: under the option, after a Thief."""
    return s.lone_special != 0 and s.under != 0 and s.stacked == 1
