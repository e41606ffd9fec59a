"""Seats around a table, in plain functions that the rules of games use."""


def left_of(s, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.seats else 0
