"""The values that a sweep tries: of each option, all others or, where there are many, those nearby."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import MAX_COPIES, Choice, Deck, Number, Numbers, Option, Seats, Switch, by_name
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say
from hexdeck.lab.reporting.ledger import pair_of

FEW = 7  # values of a number, all of which are tried
SMALL = 20  # numbers below are tried one lower and one higher, others at half and at twice their value


@dataclass(frozen=True)
class Trial:
    """An option of a game and another value for it, in canonical form."""

    option: Option
    value: Any

    @property
    def change(self) -> str:
        """The option and its value as they are typed."""
        return f"{self.option.name}={self.option.spell(self.value)}"


def trials(game: GameSetup, asked: Sequence[str] = ()) -> list[Trial]:
    """What to try of a game: the options and values that were asked for, as `key` or `key=value`; all if none was.

    Raises BadOption for an option that isn't there, and for a value that isn't allowed, is there already or can't be
    played.
    """
    options = {option.name: option for option in game.rules.OPTIONS}
    out: list[Trial] = []
    for word in asked or options:
        name, given, typed = word.partition("=")
        option = by_name(game.rules.OPTIONS, [name])[name]
        out += [typed_trial(game, option, typed)] if given else all_trials(game, option)
    return list({each.change: each for each in out}.values())


def typed_trial(game: GameSetup, option: Option, typed: str) -> Trial:
    """The trial of a value that was typed; raises BadOption."""
    value = option.read(typed)
    if value == game.options[option.name]:
        text = _("{option}={value} is how the game is played already; give another value, or {option} alone for all.")
        raise BadOption(say(text, option=option.name, value=option.spell(value)))
    pair_of(game, option, value)
    return Trial(option, value)


def all_trials(game: GameSetup, option: Option) -> list[Trial]:
    """The trials of every other value of an option, or of those nearby."""
    now = game.options[option.name]
    found = []
    for each in others(option, now, game.players):
        try:
            value = option.parse(each)
        except BadOption:  # out of the option's range
            continue
        if value != now:
            found.append(Trial(option, value))
    return found


def others(option: Option, now: Any, players: int) -> Iterator[Any]:
    """Values to try for an option that has the value `now`; some may be out of its range."""
    match option:
        case Choice():
            yield from option.values
        case Switch():
            yield not now
        case Number():
            yield from numbers_near(now, option.low, option.high)
        case Deck():
            yield from (name for name, _counts in option.named)
            for step in (-1, 1):  # of the numbers that there are
                yield [min(max(count + step, 1), MAX_COPIES) if count else 0 for count in option.counts(now)]
        case Numbers():
            for step in (-1, 1):
                yield [min(max(number + step, option.low), option.high) for number in option.numbers(now) or []]
        case Seats():
            yield from ([], list(range(players)))


def numbers_near(now: int, low: int, high: int) -> list[int]:
    """All numbers of a short range; of a long one, those beside a small number, or half and twice a large one."""
    if high - low < FEW:
        return [*range(low, high + 1)]
    return [now - 1, now + 1] if now < SMALL else [now // 2, 2 * now]
