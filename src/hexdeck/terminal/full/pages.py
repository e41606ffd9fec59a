"""The pages over the table: the greeting, the curtain, the rules, the scores, help."""

from __future__ import annotations

from collections.abc import Sequence

from hexdeck.engine.play.score import score_sheet
from hexdeck.engine.text import Text, say
from hexdeck.terminal.rulebook import rules_markdown
from hexdeck.terminal.score_sheet import sheet_lines
from hexdeck.terminal.session import Session

Sentences = list[tuple[str, Text]]  # sentences, each with its kind for the style sheet


def greeting(session: Session) -> Sentences:
    """What is played, and who made it."""
    table = session.match.game.table
    sentences: Sentences = [
        ("title", table.ABOUT.title), ("about", table.ABOUT.text),
        *(("credit", text) for text in session.match.game.definition.credits),
    ]  # fmt: skip
    begin = say("Press Enter to begin.") if len(session.people) > 1 else say("Press Enter to see your cards. ")
    sentences.append(("enter", begin))
    if session.promise:
        sentences += [("promise", say("The cards follow from a secret with this hash: {hash}", hash=session.promise)),
                 ("w", say("w: add words of your own to the shuffle."))]  # fmt: skip
    return sentences


def curtain(session: Session, seat: int, back: int | None) -> Sentences:
    """Whom to pass the screen to, and how to take back a secret choice; nothing else."""
    sentences: Sentences = [
        ("enter", say("Pass the screen to {seat}, then press Enter.", seat=session.chairs[seat].name))
    ]
    if back is not None:
        sentences.append(("u", say("u: take back what {seat} chose.", seat=session.chairs[back].name)))
    return sentences


def rules(session: Session) -> str:
    """The rules as Markdown."""
    return rules_markdown(session.match.game.name, session.words.lang, fancy=True)


def scores(session: Session) -> list[str]:
    """The score sheet in lines, or that it is empty."""
    sheet = score_sheet(session.match)
    if not sheet.rows:
        return [session.say(say("The score sheet is empty until its first row is complete."))]
    return sheet_lines(session, sheet)


def help_lines(board: bool) -> Sequence[Text]:
    """What can be typed and clicked."""
    lines = [
        say("Click a move, a card or a cell."),
        say("Or type a move's number, its card (7, or 3 7) or its words (call), then Enter."),
        say("Arrow keys mark a move, Enter plays it, Esc clears what you typed or the message."),
        say("Cards to play together: click one after another, then press Enter."),
    ]
    if board:
        lines.append(say("Type a cell by its name (c4). A line may hold several steps (7h c4)."))
    return [
        *lines,
        say("?, F1: help, or the rule behind a refusal"), say("h, F2: a hint: the best moves, and why"),
        say("u, F3: take back a secret choice nobody knows of yet; in practice, your last decision"),
        say("l, F4: the whole log"), say("r, F5: the rules"), say("F6: light or dark"),
        say("s, F7: the score sheet"), say("coach: turn the explanations on or off"),
        say("q, F10, Ctrl-C: save and leave"),
        say(
            "If a move starts with a command's letter, the key types that letter; press Enter after it, or the "
            "F key, for the command."),
        say("Page Up and Page Down scroll the table where it doesn't fit."),
    ]  # fmt: skip
