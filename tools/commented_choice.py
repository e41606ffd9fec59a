"""Which decisions of a match deserve a comment, and where the match turned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

ALIKE, MOST = 2, 3  # moments with a comment: of a kind, and of a match besides the turning point
OBVIOUS = 20  # times as much is obvious, where the easy bot is right, too
LEAST, LITTLE = 2, 0.3  # matches in 100, chips or points that count at least
QUIET = re.compile(r"\w+ has chosen\.|Everyone has chosen.*")  # says nothing of what happened
Row = dict[str, Any]


def rival(row: Row) -> int:
    """The best other move, by the first judgement."""
    return 1 + min(range(len(row["first"])), key=lambda k: row["first"][k][0])


def clear(row: Row, at: int) -> int:
    """Whether a move is surely worse than the one that was made (1), surely better (-1), or neither (0).

    Both judgements have to say so, the second by more than hints are known to be wrong on such moves.
    """
    (gap, margin), (before, doubt) = row["differs"][at - 1], row["first"][at - 1]
    bias = abs(row["wrong"][at] - row["wrong"][0]) / row["scale"] if margin is not None else 0.0
    holds = abs(before) > (doubt or 0.0) and abs(gap) > (margin or 0.0) + bias and before * gap > 0
    return (1 if gap > 0 else -1) if holds else 0


def focus(row: Row) -> int:
    """The other move that a comment is about: a better one, else the easy bot's if that is worse, else the best."""
    best, easy = rival(row), row["easy"]
    return easy if clear(row, best) >= 0 and easy and clear(row, easy) > 0 else best


def weight(row: Row) -> float:
    """How much a moment deserves a comment, by the first judgement.

    First what was at stake, where the easy bot is wrong or a better move was there. Where neither is so, the closer the
    two moves the better, as long as the difference counts; what is much worse is obvious.
    """
    at = focus(row)
    gap, margin = row["first"][at - 1]
    least = LEAST / row["scale"] if row["scale"] > 1 else LITTLE
    if not clear(row, at) or abs(gap) < least:
        return 0.0
    if at == row["easy"] or clear(row, at) < 0:
        return float(least + abs(gap) - (margin or 0.0))
    return float(least * least / abs(gap)) if abs(gap) < OBVIOUS * least else 0.0


def moments(rows: Sequence[Row]) -> list[Row]:
    """The decisions that deserve a comment, in the order of the match; two of a kind at most, and not in one turn."""
    chosen: list[Row] = []
    kinds: Counter[tuple[str, ...]] = Counter()
    turns = {row["ply"]: number for number, rows_of in enumerate(in_turns(rows)) for row in rows_of}
    for row in sorted(rows, key=weight, reverse=True):
        same = any(turns[row["ply"]] == turns[each["ply"]] and kind(row) == kind(each) for each in chosen)
        if weight(row) and kinds[kind(row)] < ALIKE and not same and len(chosen) < MOST:
            chosen.append(row)
            kinds[kind(row)] += 1
    return sorted(chosen, key=lambda row: int(row["ply"]))


def in_turns(rows: Sequence[Row]) -> list[list[Row]]:
    """The decisions by turns: those that a seat made in a row."""
    return [list(each) for _seat, each in groupby(rows, key=lambda row: row["seat"])]


def kind(row: Row) -> tuple[str, ...]:
    """What a decision is like: the first words of the two moves, and which of them was better."""
    at = focus(row)
    return row["actions"][0].split()[0], row["actions"][at].split()[0], str(clear(row, at))


def turn(rows: Sequence[Row], told: Sequence[str]) -> tuple[Row, Row] | None:
    """The last decisions of two turns of one seat in a row between which what it could expect surely changed most.

    Something was told of what happened in between.
    """
    best: tuple[float, Row, Row] | None = None
    turns = [each[-1] for each in in_turns(rows)]
    for seat in {row["seat"] for row in turns}:
        for before, after in pairwise(row for row in turns if row["seat"] == seat):
            (was, doubt), (now, margin) = before["values"][0], after["values"][0]
            swing, bias = abs(now - was), abs(after["wrong"][0] - before["wrong"][0]) / before["scale"]
            known = swing > (margin or 0.0) + (doubt or 0.0) + bias and between(before, after, told)
            if known and (best is None or swing > best[0]):
                best = swing, before, after
    return best and (best[1], best[2])


def between(before: Row, after: Row, told: Sequence[str]) -> list[str]:
    """What everybody was told after one decision, up to another and with it, but for what says nothing."""
    return [each for each in told[before["told"][1] : after["told"][1]] if not QUIET.fullmatch(each)]
