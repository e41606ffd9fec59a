"""The score sheet on the screen: a line for each deal, a column for each seat or team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexdeck.engine.play.score import ScoreSheet, score_sheet
from hexdeck.engine.text import say

if TYPE_CHECKING:
    from hexdeck.terminal.session import Session

GAP = "  "


def show_scores(session: Session, least: int = 0) -> None:
    """Print the score sheet of the match so far, if it has that many rows at least."""
    sheet = score_sheet(session.match)
    if len(sheet.rows) < least:
        return
    if not sheet.rows:
        session.print(session.say(say("The score sheet is empty until the first of its rows has ended.")))
        return
    for line in sheet_lines(session, sheet):
        session.console.print(line, soft_wrap=True, highlight=False)


def sheet_lines(session: Session, sheet: ScoreSheet) -> list[str]:
    """The sheet as lines: for each thing counted its title, the names, what each deal brought, and the totals."""
    firsts, names = columns(session, sheet)
    out = []
    for tally, (_id, title) in enumerate(sheet.titles):
        signed = any(sheet.start[tally])
        rows = [[session.say(sheet.unit), *names]]
        rows += [[str(row.number), *(number(row.gains[tally][seat], signed) for seat in firsts)] for row in sheet.rows]
        rows.append([session.say(say("Total")), *(str(sheet.totals[tally][seat]) for seat in firsts)])
        out += [session.say(title), *aligned(rows)]
    return out


def columns(session: Session, sheet: ScoreSheet) -> tuple[list[int], list[str]]:
    """The first seat of each column, and who plays there."""
    name = session.words.name
    if not sheet.teams:
        seats = list(range(session.match.game.players))
        return seats, [name(seat) for seat in seats]
    teams = [[seat for seat, side in enumerate(sheet.teams) if side == team] for team in sorted(set(sheet.teams))]
    return [team[0] for team in teams], [" & ".join(name(seat) for seat in team) for team in teams]


def number(gain: int, signed: bool) -> str:
    """What a deal brought; with its sign where the totals don't begin at nothing."""
    return f"{gain:+d}" if signed and gain else str(gain)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column at the left, numbers below each other at the right."""
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        GAP + GAP.join(cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(pairs))
        for pairs in (tuple(zip(row, wide, strict=True)) for row in rows)
    ]
