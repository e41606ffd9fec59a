"""All errors that hexdeck raises on purpose. Each message is one sentence: what was wrong, where, what is allowed.

HexdeckError
├── UnknownGame        there is no game of that name
│   └── BrokenGame     there is one, but its files don't make a working game
├── BadOption          the number of players, an option or another argument is out of range or misspelt
├── BadMove
│   ├── IllegalMove    the rules forbid the move: carries the rule id and the legal moves
│   ├── NotActing      it is not this seat's turn
│   └── GameIsOver     the match is over
├── BadChance          chance can't give this outcome now
├── BadPly             the match has no such ply
├── BadRecord          a record can't be read or replayed: carries the index of the first bad event
└── UnknownBot         there is no bot of that name
"""

from hexdeck.engine.text import Text


class HexdeckError(Exception):
    """The base class of all errors that hexdeck raises on purpose.

    Attributes: `text`, the message as a Text, so that screens can translate it.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


class UnknownGame(HexdeckError):
    """There is no game of that name."""


class BrokenGame(UnknownGame):
    """There is a game of that name, but its files don't make a working game; the message says which file and why."""


class BadOption(HexdeckError):
    """The number of players, an option or another argument is out of range or misspelt."""


class BadMove(HexdeckError):
    """The move can't be played; nothing has changed."""


class IllegalMove(BadMove):
    """The rules forbid the move.

    Attributes: `rule`, the rule id, such as `"CH-5"`; `legal`, the names of the seat's legal actions.
    """

    def __init__(self, text: Text, rule: str = "", legal: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.rule = rule
        self.legal = legal


class NotActing(BadMove):
    """It is not this seat's turn: another seat is to act, or chance is."""


class GameIsOver(BadMove):
    """The match is over."""


class BadChance(HexdeckError):
    """Chance can't give this outcome now."""


class BadPly(HexdeckError):
    """The match has no such ply."""


class BadRecord(HexdeckError):
    """The record is corrupt, truncated, illegal or newer than this program.

    Attributes: `event`, the index of the first bad event, or None if no single event is at fault.
    """

    def __init__(self, text: Text, event: int | None = None) -> None:
        super().__init__(text)
        self.event = event


class UnknownBot(HexdeckError):
    """There is no bot of that name."""
