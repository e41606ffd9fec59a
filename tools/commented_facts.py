"""Facts of each game for comments on matches: what a position is like for a seat, and how games end from there.

`POSITIONS` has a function of each game: sentences from a seat's view and its concealed struct, all of it known to the
seat. `facets` are what is counted in games that are played on after a move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from hexdeck.bots.advice.hints import policy_of
from hexdeck.bots.search.rollout import COLUMNS, ROOT, TRIAL
from hexdeck.bots.search.searcher import Belief, PairedEvaluator
from hexdeck.engine.play.game import GameSetup, raw
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import View
from hexdeck.games.black_hearts import rules as bh
from hexdeck.games.blackstone import rules as bs
from hexdeck.games.cursed_hand import rules as ch
from hexdeck.games.hawthorn import rules as ht
from hexdeck.games.high_handed import rules as hh
from hexdeck.games.high_handed.hints import POINTS
from hexdeck.games.wolf_mans_curse import rules as wc

Names = Sequence[str]
Ends = np.ndarray  # structs
Position = Callable[[Catalogue, View, Any, int, Names], list[str]]


@dataclass(frozen=True)
class Facet:
    """Something to count in games that a seat has played on: `text` follows the player's name.

    `of` takes the structs at the end, and the seat's before; `good`: 1 if more of it is better for the seat, else -1.
    An amount has {n} in its text; other facets are true or false in each game.
    """

    text: str
    good: int
    of: Callable[[Ends, Any], np.ndarray]

    @property
    def amount(self) -> bool:
        """Whether it is an amount."""
        return "{n}" in self.text


# --- words ------------------------------------------------------------------------------------------------------------
def listed(parts: Sequence[str]) -> str:
    """Words in a row."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else list(parts))


def counted(number: int, thing: str) -> str:
    """A number of things."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def cards(view: View, zone: str) -> list[str]:
    """The face-up cards of a zone."""
    return next((list(each.cards) for each in view.zones if each.id == zone), [])


def holds(view: View, seat: int, names: Names) -> str:
    """The hand of a seat, in a sentence."""
    found = cards(view, f"hand-{seat}")
    return f"{names[seat]} holds {listed(found)}." if found else ""


def laid(view: View, zone: str, names: Names) -> str:
    """Who played what."""
    found = next(each for each in view.zones if each.id == zone)
    return listed([f"{card} ({names[p]})" for card, p in zip(found.cards, found.owners, strict=True)])


def ranks(bits: int) -> str:
    """Numbers of cards, from the bits of their ranks."""
    return listed([str(r + 1) for r in range(16) if bits >> r & 1])


# --- positions --------------------------------------------------------------------------------------------------------
def in_black_hearts(words: Catalogue, view: View, s: Any, seat: int, names: Names) -> list[str]:
    """The hand, the trick, the gift, curses won in this round, and totals."""
    zones = {each.id: each for each in view.zones}
    told = [holds(view, seat, names)]
    if s.phase == bh.PLAY:
        found = laid(view, "trick", names)
        told.append(f"On the table: {found}." if found else f"{names[seat]} leads trick {s.trick + 1}.")
        told += [f"Gift: {words.words(zones['gift'].note)}."] if zones["gift"].note else []
        won = [f"{names[p]} {', '.join(cards(view, f'caught-{p}'))}" for p in range(s.seats) if s.caught[p]]
        told += [f"Curses won so far in this round: {'; '.join(won)}."] if won else []
    totals = [f"{names[p]} {s.total[p]}" for p in range(s.seats)]
    return told + ([f"Points so far: {listed(totals)}."] if any(s.total[p] for p in range(s.seats)) else [])


def in_blackstone(_words: Catalogue, _view: View, s: Any, seat: int, names: Names) -> list[str]:
    """What is asked, black stones of those still in, what is in the deck, and what is at stake."""
    name, tens = names[seat], s.stock[bs.TEN]
    if s.phase == bs.MORE:
        asked = f"{name} has drawn {counted(s.drawn, 'card')}, which is enough, and may stop or go on."
    else:
        price, least = bs.fold_price(s, seat), counted(bs.cards_to_draw(s), "card")
        asked = f"{name} draws at least {least}, or folds for {counted(price, 'chip')}."
    inside = [p for p in range(s.seats) if s.inside >> p & 1]
    stones = [f"{names[p]} {s.black[p]}" for p in inside]
    left = counted(tens, "black stone")
    told = [
        asked,
        f"Black stones of those still in: {listed(stones)}.",
        f"The {s.deck_left} cards of the deck have {left}.",
    ]
    told += [f"The pot holds {counted(s.pot, 'chip')}."] if s.pot else []
    told.append(
        f"A second black stone costs {bs.loss(s, seat)} chips, and one for each white stone turned up before it."
    )
    if s.phase == bs.MORE and s.drawn <= s.deck_left:
        after = next(p for p in (*range(seat + 1, s.seats), *range(seat)) if p in inside)
        told.append(
            f"If {name} stops, {names[after]} has to draw at least {counted(s.drawn, 'card')}, which brings a second "
            f"black stone {100 * second(s, after, s.drawn):.0f} times in 100, or fold."
        )
    return told


def second(s: Any, seat: int, number: int) -> float:
    """The probability that so many cards of the deck give a seat a second black stone."""
    tens, left = s.stock[bs.TEN], s.deck_left
    fewer = sum(comb(tens, k) * comb(left - tens, number - k) for k in range(min(2 - s.black[seat], number + 1)))
    return 1 - fewer / comb(left, number)


def in_cursed_hand(_words: Catalogue, view: View, s: Any, seat: int, names: Names) -> list[str]:
    """The ghost hand as far as it is known, the hand, and the graveyards."""
    told, known = [], [str(r + 1) for r in sorted(s.ghost[i] for i in range(s.ghost_size)) if r != ch.NONE]
    if s.phase == ch.ANSWER:
        knows = f"knows {listed(known)} in it" if known else "knows none of them"
        told.append(
            f"{names[s.passer]} passes {names[seat]} a ghost hand of {s.ghost_size} cards; {names[seat]} {knows}."
        )
    elif s.phase == ch.ADD:
        told.append(f"{names[seat]} has looked at the ghost hand: {listed(known)}.")
    graves = [f"{names[p]} {', '.join(cards(view, f'grave-{p}'))}" for p in range(s.seats) if cards(view, f"grave-{p}")]
    told.append(holds(view, seat, names))
    return told + ([f"Graveyards: {'; '.join(graves)}."] if graves else [])


def in_hawthorn(_words: Catalogue, view: View, s: Any, seat: int, names: Names) -> list[str]:
    """The hand, the row, who is still in, and the pot."""
    told, name = [holds(view, seat, names)], names[seat]
    if s.phase != ht.TURN:
        return told
    others = [f"{names[p]} ({ranks(s.row[p])})" for p in range(s.seats) if p != seat and s.inside >> p & 1]
    return [
        *told,
        f"{name}'s row is {ranks(s.row[seat])}; still in with their rows: {listed(others)}.",
        f"The pot holds {counted(s.pot, 'chip')}, and folding costs {counted(ht.price(s, seat), 'chip')}.",
    ]


def in_high_handed(words: Catalogue, view: View, s: Any, seat: int, names: Names) -> list[str]:
    """The score, the hand, and where a card is to go, if it was chosen."""
    score = [f"{names[p]} {s.score[p]}" for p in range(s.seats)]
    told = [f"The score: {listed(score)}."] if any(s.score[p] for p in range(s.seats)) else []
    return [*told, holds(view, seat, names), "" if s.phase == hh.CARD else words.words(view.prompt)]


def in_wolf_mans_curse(_words: Catalogue, view: View, s: Any, seat: int, names: Names) -> list[str]:
    """Tonight's face card, the hand, the cards on the table, and the score sheet."""
    told = [f"Turned up tonight: {listed(cards(view, 'face'))}.", holds(view, seat, names)]
    table = laid(view, "tonight", names) if s.phase == wc.PLAY else ""
    if s.phase == wc.PLAY:
        told.append(f"On the table: {table}." if table else f"{names[seat]} leads.")
    points = [[s.points[p, k] + s.month[p, k] for k in range(wc.SUITS)] for p in range(s.seats)]
    if any(map(any, points)):
        lines = [f"{names[p]} {'–'.join(map(str, each))}" for p, each in enumerate(points)]
        told.append(f"Clubs–spades–hearts–diamonds: {'; '.join(lines)}.")
    return told


POSITIONS: dict[str, Position] = {
    "black-hearts": in_black_hearts,
    "blackstone": in_blackstone,
    "cursed-hand": in_cursed_hand,
    "hawthorn": in_hawthorn,
    "high-handed": in_high_handed,
    "wolf-mans-curse": in_wolf_mans_curse,
}


# --- how games end ----------------------------------------------------------------------------------------------------
def facets(game: str, seat: int, names: Names) -> list[Facet]:
    """What is counted in games of this seat that are played on."""
    return FACETS[game](seat, names) if game in FACETS else []


def of_black_hearts(seat: int, _names: Names) -> list[Facet]:
    """Wins with all the curses, matches lost to that, and points."""

    def all_curses(ends: Ends, mine: bool) -> np.ndarray:
        every = np.bitwise_or.reduce(ends["caught"], axis=1)
        return np.asarray((ends["ending"] == bh.ALL_CURSES) & ((ends["caught"][:, seat] == every) == mine))

    def points(ends: Ends, most: int) -> np.ndarray:
        return np.asarray((ends["ending"] == bh.THIRTEEN) & (ends["total"][:, seat] >= most))

    return [
        Facet("wins by catching every curse of a round", 1, lambda ends, _s: all_curses(ends, True)),
        Facet("loses to another player who catches every curse", -1, lambda ends, _s: all_curses(ends, False)),
        Facet("ends cursed with 13 points or more", -1, lambda ends, _s: points(ends, bh.LIMIT)),
        Facet("has the fewest points at the end", 1, lambda ends, _s: fewest(ends, seat)),
    ]


def fewest(ends: Ends, seat: int) -> np.ndarray:
    """Whether a seat wins by points."""
    totals = ends["total"][:, : ends["seats"][0]]
    return np.asarray((ends["ending"] == bh.THIRTEEN) & (totals[:, seat] == totals.min(axis=1)))


def of_cursed_hand(seat: int, _names: Names) -> list[Facet]:
    """The two ways to lose."""

    def lost(ends: Ends, ending: int) -> np.ndarray:
        return np.asarray((ends["lost"][:, seat] > 0) & (ends["ending"] == ending))

    return [
        Facet("loses by a pair in the graveyard", -1, lambda ends, _s: lost(ends, ch.BY_PAIR)),
        Facet("loses by the most points when cards run out", -1, lambda ends, _s: lost(ends, ch.BY_EXHAUSTION)),
    ]


def of_hawthorn(seat: int, _names: Names) -> list[Facet]:
    """The pot won, and what is paid."""

    def change(ends: Ends, s: Any) -> np.ndarray:
        return np.asarray(ends["purse"][:, seat] - s.purse[seat])

    return [
        Facet("wins the pot", 1, lambda ends, s: change(ends, s) > 0),
        Facet("pays {n} chips into the pot on average", -1, lambda ends, s: -np.minimum(change(ends, s), 0)),
    ]


def of_high_handed(seat: int, names: Names) -> list[Facet]:
    """Points made soon, by the seat and by the next one."""

    def made(ends: Ends, s: Any, p: int) -> np.ndarray:
        return np.asarray(ends["score"][:, p] - s.score[p])

    after = (seat + 1) % len(names)
    return [
        Facet(f"makes {{n}} points within {POINTS.horizon} decisions", 1, lambda ends, s: made(ends, s, seat)),
        Facet(f"lets {names[after]} make {{n}} points", -1, lambda ends, s: made(ends, s, after)),
    ]


def of_wolf_mans_curse(seat: int, _names: Names) -> list[Facet]:
    """What becomes of the seat."""

    def among(ends: Ends, field: str) -> np.ndarray:
        return np.asarray(ends[field] >> seat & 1 > 0)

    def survives(ends: Ends) -> np.ndarray:
        return np.asarray(~(among(ends, "lynched") | among(ends, "hanged") | among(ends, "released")))

    def innocent(ends: Ends) -> np.ndarray:
        return np.asarray((ends["points"] + ends["month"])[:, seat, wc.HEARTS] == 0)

    return [
        Facet("is lynched by the mob for the most clubs", -1, lambda ends, _s: among(ends, "lynched")),
        Facet("is hanged by Scotland Yard for the most spades", -1, lambda ends, _s: among(ends, "hanged")),
        Facet("survives without a heart", 1, lambda ends, _s: survives(ends) & innocent(ends)),
        Facet("survives without winning", -1, lambda ends, _s: survives(ends) & ~among(ends, "winners")),
    ]


FACETS: dict[str, Callable[[int, Names], list[Facet]]] = {
    "black-hearts": of_black_hearts,
    "cursed-hand": of_cursed_hand,
    "hawthorn": of_hawthorn,
    "high-handed": of_high_handed,
    "wolf-mans-curse": of_wolf_mans_curse,
}


# --- games that are played on -----------------------------------------------------------------------------------------
class Endings(PairedEvaluator):
    """Plays games on as hints do, and keeps how they end."""

    def __init__(self, game: GameSetup, backend: str, seed: int) -> None:
        super().__init__(game, seed, backend, policy_of(game, backend), rechoose=True, belief=Belief())
        self._struct = game.rules.STRUCT

    def structs(self, known: bytes, seat: int, actions: Sequence[int], worlds: int) -> list[Ends]:
        """The structs at the ends of games after each action, all in the same worlds."""
        raw(self._rows)[ROOT] = np.frombuffer(known, np.uint8)
        found = np.zeros((len(actions), worlds, len(known)), np.uint8)
        totals = self.driver.shared(np.zeros((1, COLUMNS)))
        tried = [self.driver.shared(np.array([action], np.int64)) for action in actions]
        first, dealing = self._next_world(), self.rng
        for k in range(worlds):
            before = [dealing[at] for at in range(dealing.shape[0])]  # all actions meet the world dealt from here
            for n, action in enumerate(tried):
                for at, word in enumerate(before):
                    dealing[at] = word
                self._try(seat, action, totals, first + k, 1)
                found[n, k] = raw(self._rows)[TRIAL]
        return [each.view(self._struct)[:, 0] for each in found]
