"""The score sheet at the terminal: a row for each deal, a column for each seat or team."""

from __future__ import annotations

from collections.abc import Sequence

from hexdeck.engine.play.score import ScoreSheet, score_sheet
from hexdeck.engine.text import say
from hexdeck.terminal.display import Display

GAP = "  "


def show_scores(display: Display, least: int = 0) -> None:
    """Print the score sheet of the match so far, if it has at least so many rows."""
    sheet = score_sheet(display.match)
    if len(sheet.rows) < least:
        return
    if not sheet.rows:
        display.print(display.say(say("The score sheet is empty until its first row is complete.")))
        return
    for line in sheet_lines(display, sheet):
        display.console.print(line, soft_wrap=True, highlight=False)


def sheet_lines(display: Display, sheet: ScoreSheet) -> list[str]:
    """The sheet as lines: for each tally its title, the names, what each deal brought, and the totals."""
    firsts, names = columns(display, sheet)
    out = []
    for tally, (_id, title) in enumerate(sheet.titles):
        signed = any(sheet.start[tally])
        rows = [[display.say(sheet.unit), *names]]
        rows += [
            [str(row.number), *(gain_text(row.gains[tally][seat], signed) for seat in firsts)] for row in sheet.rows
        ]
        rows.append([display.say(say("Total")), *(str(sheet.totals[tally][seat]) for seat in firsts)])
        out += [display.say(title), *aligned(rows)]
    return out


def columns(display: Display, sheet: ScoreSheet) -> tuple[list[int], list[str]]:
    """The first seat of each column, and the names of who plays there."""
    name = display.words.name
    if not sheet.teams:
        seats = list(range(display.match.game.players))
        return seats, [name(seat) for seat in seats]
    teams = [[seat for seat, side in enumerate(sheet.teams) if side == team] for team in sorted(set(sheet.teams))]
    return [team[0] for team in teams], [" & ".join(name(seat) for seat in team) for team in teams]


def gain_text(gain: int, signed: bool) -> str:
    """What a deal brought; `signed`: with its sign, where totals don't start at 0."""
    return f"{gain:+d}" if signed and gain else str(gain)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines: the first column left-aligned, the others right-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        GAP + GAP.join(cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(pairs))
        for pairs in (tuple(zip(row, widths, strict=True)) for row in rows)
    ]
