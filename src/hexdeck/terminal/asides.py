"""Asides at the terminal: what people say of others beside their moves, such as an accusation.

An aside is typed as its own word and a player's name or number, and taken back in the same way. It is kept here, unseen
by the others, until the rules ask for it; then the session makes the move, whatever the person has said or not said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue, Seat, Text, _, say
from hexdeck.engine.view import Aside
from hexdeck.tables.model.choice import asides, asked_aside
from hexdeck.terminal.keys import REPEATED, all_found, words_of

SHORTEST = 4  # letters that are enough of an aside's word


class Asides:
    """What the people at one terminal have said: pairs of a seat and the seat that it is about.

    `keep` is called whenever somebody has said something or taken it back.
    """

    def __init__(self, match: Match, said: Iterable[tuple[int, int]] = ()) -> None:
        self.match = match
        self.keep: Callable[[], object] = lambda: None
        self.said = {pair for pair in said if {*pair} <= {*range(match.game.players)}}

    def of(self, seat: int) -> list[tuple[Aside, bool]]:
        """What a seat may say of others now, and whether it has."""
        found = () if self.match.over or seat < 0 else asides(self.match, seat)
        return [(each, (seat, each.about) in self.said) for each in found]

    def answer(self, seat: int) -> int | None:
        """The move that answers for a seat, if the rules ask it for an aside now: what it has said, or silence."""
        asked = asked_aside(self.match, seat)
        if asked is None:
            return None
        return asked.action if (seat, asked.about) in self.said else asked.silence

    def forget_lapsed(self) -> None:
        """Forget what can't be said any more."""
        self.said = {(seat, each.about) for seat in {pair[0] for pair in self.said}
                     for each, said in self.of(seat) if said}  # fmt: skip

    def forget_undone(self, ply: int) -> None:
        """Forget what was first said after a ply, to which the match goes back: what couldn't be said all the time."""
        for k in range(self.match.length, ply - 1, -1) if self.said else ():
            self.match.go(k)
            self.forget_lapsed()

    def data(self) -> list[list[int]]:
        """What was said, as a record keeps it."""
        self.forget_lapsed()
        return sorted(map(list, self.said))

    def help(self, seat: int, words: Catalogue) -> list[Text]:
        """How an aside is typed, for each kind that a seat may say now."""
        kinds = dict.fromkeys(words.words(each.label).lower() for each, _said in self.of(seat))
        text = _("{word} and a player's name or number: it costs no move; type it again to take it back")
        return [say(text, word=word) for word in kinds]

    # --- what is typed ------------------------------------------------------------------------------------------------
    def read(self, typed: str, seat: int, words: Catalogue) -> Text | None:
        """Say an aside that was typed, or take it back; returns what to tell the person, or None if it was none."""
        rest, meant = "", list[Aside]()
        for each, _said in self.of(seat):
            after = after_word(typed, words.words(each.label))
            if after is not None:
                rest, meant = after, [*meant, each]
        if not meant:
            return None
        called = seats_called(rest, words, [p for p in range(self.match.game.players) if p != seat])
        fitting = [each for each in meant if each.about in called] if rest else meant
        if len(fitting) == 1:
            aside = fitting[0]
            told = self.toggle(seat, aside)
            return say("{told} Type it again to take it back.", told=told) if told is aside.told else told
        word, names = words.words(meant[0].label).lower(), either(fitting or meant, words)
        if fitting:
            return say("Whom do you want to {word}: {names}?", word=word, names=names)
        if called:
            text = _("You can't {word} {name} now, only {names}.")
            return say(text, word=word, name=Seat(called[0]), names=names)
        text = _("{typed} is not the name or number of another player; you can {word} {names}.")
        return say(text, typed=rest[:REPEATED], word=word, names=names)

    def toggle(self, seat: int, aside: Aside) -> Text:
        """Say an aside, or take it back if it was said; returns what to tell the person."""
        self.said ^= {(seat, aside.about)}
        self.keep()
        return aside.told if (seat, aside.about) in self.said else aside.taken_back


def after_word(typed: str, label: str) -> str | None:
    """What was typed after the word of an aside, or enough of it; None if it doesn't begin with that."""
    parts, word = words_of(typed), words_of(label)
    begins = len(parts) >= len(word) and all(
        part == whole or (len(part) >= SHORTEST and whole.startswith(part))
        for part, whole in zip(parts, word, strict=False)
    )
    return " ".join(parts[len(word) :]) if begins else None


def seats_called(typed: str, words: Catalogue, seats: Sequence[int]) -> list[int]:
    """Which of these seats what was typed can mean: its whole name, its number counted from 1, words of its name."""
    names = {seat: words_of(words.name(seat)) for seat in seats}
    whole = [seat for seat in seats if " ".join(names[seat]) == typed]
    numbered = [seat for seat in seats if typed == str(seat + 1)]
    return whole or numbered or [seat for seat in seats if all_found(typed.split(), names[seat])]


def either(found: Sequence[Aside], words: Catalogue) -> str:
    """The names of those whom asides are about: one or another."""
    *first, last = [words.name(each.about) for each in found]
    return words.words(say("{first} or {last}", first=", ".join(first), last=last)) if first else last


def noted(data: Any) -> list[tuple[int, int]]:
    """What a record says was said; nothing where it can't be read."""
    pairs = data if isinstance(data, list) else []
    return [(pair[0], pair[1]) for pair in pairs if isinstance(pair, list) and [*map(type, pair)] == [int, int]]
