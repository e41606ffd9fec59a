"""Everything that hexdeck raises on purpose. Each message is one sentence: what was wrong, where, what is allowed.

HexdeckError
├── UnknownGame        no game of that name
│   └── BrokenGame     there is one, and its files don't make a game: says what is wrong with them
├── BadOption          players or an option out of range or misspelt
├── BadMove
│   ├── IllegalMove    the rules forbid it: carries the rule id and the legal moves
│   ├── NotActing      the seat is not to act, or chance is
│   └── GameIsOver     nothing can be played any more
├── BadChance          an outcome that chance can't give now
├── BadPly             no such ply in this match
├── BadRecord          a record that can't be read or replayed: names the first bad event
└── UnknownBot         no bot of that name
"""

from hexdeck.engine.text import Text


class HexdeckError(Exception):
    """The root of all errors that hexdeck raises on purpose.

    Attributes: `text`, the sentence as a Text, for screens in other languages.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


class UnknownGame(HexdeckError):
    """No game of that name exists."""


class BrokenGame(UnknownGame):
    """There is a game of that name, and its files don't make a game: says which file, and what is wrong with it."""


class BadOption(HexdeckError):
    """The number of players or an option is out of range or misspelt."""


class BadMove(HexdeckError):
    """A move that can't be played; nothing has changed."""


class IllegalMove(BadMove):
    """The rules forbid the move.

    Attributes: `rule`, the rule id (`"CH-5"`); `legal`, the names of the legal actions of the seat.
    """

    def __init__(self, text: Text, rule: str = "", legal: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.rule = rule
        self.legal = legal


class NotActing(BadMove):
    """The seat is not to act now."""


class GameIsOver(BadMove):
    """The match is over."""


class BadChance(HexdeckError):
    """Chance can't give that outcome now."""


class BadPly(HexdeckError):
    """The match has no such ply."""


class BadRecord(HexdeckError):
    """The record is corrupt, truncated, illegal or newer than this program.

    Attributes: `event`, the index of the first bad event, or None when the fault is not in an event.
    """

    def __init__(self, text: Text, event: int | None = None) -> None:
        super().__init__(text)
        self.event = event


class UnknownBot(HexdeckError):
    """No bot of that name exists."""
