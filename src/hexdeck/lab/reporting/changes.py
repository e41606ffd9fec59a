"""A comparison in words: a table of what changes, and sentences about what surely does and what surely doesn't."""

from __future__ import annotations

import functools
from collections.abc import Callable
from math import isfinite

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.counting.message_counts import Heard
from hexdeck.lab.counting.metrics import (
    BEGINNER,
    BEGINS_FIRST,
    BEGINS_LAST,
    ENDED,
    FIRST,
    KIND,
    LAST,
    RESULT,
    SHARES,
    TIED,
)
from hexdeck.lab.counting.sample import matches
from hexdeck.lab.counting.stats import Estimate
from hexdeck.lab.reporting import number_format as words
from hexdeck.lab.reporting.compare import DIFFERS, PLACE_DIFFERS, RESULT_DIFFERS, Change, Comparison
from hexdeck.lab.reporting.report import measure_of
from hexdeck.lab.reporting.sections import Cell, Section, bot_word, named_kinds_of

LISTENED = 20  # matches of each variant in which moves are named

LENGTHS = {
    "deals": say("deals"), "laps": say("rounds, until somebody's turn comes again"), "turns": say("turns"),
    "decisions": say("decisions"),
    "choices": say("of these with a choice"), "chances": say("draws of chance"),
    "forced": say("decisions without a choice"), "legal": say("moves to choose from, where there is a choice"),
    "pauses": say("choices, those of several at the same time counted once"),
}  # fmt: skip
BEGINNERS = {BEGINNER, BEGINS_FIRST, BEGINS_LAST}
SAID = FIRST, LAST, BEGINS_FIRST, BEGINS_LAST, RESULT, BEGINNER, TIED, "decisions", ENDED, KIND  # the others stay rows
MORE = {
    True: _("With {change}, {what}: {difference} more ({after} instead of {before})."),
    False: _("With {change}, {what}: {difference} less ({after} instead of {before})."),
}


def named(
    found: Comparison, backend: str | None = None, progress: Callable[[int, int], None] = lambda _done, _of: None
) -> Heard:
    """What moves are called in some matches of both variants, in words of `b` where it has them.

    Moves that none of these matches had are named in the first game in which one was made.
    """
    games = found.a, found.b
    out = Heard(found.b)
    for game in (found.b, found.a):
        heard = Heard(game)
        for number, match in enumerate(matches(game, found.bots, found.seed, min(LISTENED, len(found)), backend)):
            heard.name_moves(match, number)
            progress(1, 2 * LISTENED)
        adopt(out, heard)
    for kind in out.unnamed(dict.fromkeys(found.met, 0)):
        side, number = found.met[kind]
        heard = Heard(games[side])
        for match in matches(games[side], found.bots, found.seed, 1, backend, number):
            heard.name_moves(match, number)
        adopt(out, heard)
    return out


def adopt(out: Heard, heard: Heard) -> None:
    """Add names of moves that have none yet."""
    out.labels, out.texts = {**heard.labels, **out.labels}, {**heard.texts, **out.texts}


def about(found: Comparison) -> Text:
    """What was played, and how well the shares of places are known by it."""
    bots = [bot_word(name) for name in (found.bots if len(set(found.bots)) > 1 else found.bots[:1])]
    listed: Text = functools.reduce(lambda one, other: say("{one}, {other}", one=one, other=other), bots)
    points = 100 * found.precision
    return say("{players} players, {pairs} pairs of games between bots ({bots}), seed {seed}: shares of places are "
               "known to ±{points} points.", players=found.a.players, pairs=len(found), bots=listed,
               seed=str(found.seed), points=words.number(points, words.digits_for(points)))  # fmt: skip


def change_of(comparison: Comparison) -> str:
    """What `b` has otherwise than `a`, as it is typed."""
    a, b = comparison.a.options, comparison.b.options
    return " ".join(f"{name}={typed(b[name])}" for name in b if a[name] != b[name])


def typed(value: object) -> str:
    """A value as it is typed."""
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def title(comparison: Comparison, name: tuple[str, int], heard: Heard) -> Text | None:
    """What a measure is called; None for a kind of move that nobody could make."""
    what, k = name
    if what == RESULT:
        return say("seat {seat}, mean result, {unit}", seat=k, unit=measure_of(comparison.a).unit)
    if what in (FIRST, LAST):
        text = _("seat {seat} loses") if what == LAST else _("seat {seat} comes first")
        return say(text, seat=k)
    if what == ENDED:
        return say("ends so: {ending}", ending=comparison.a.table.ENDED[k])
    if what == KIND:
        move = named_kinds_of(heard)[k]
        return None if move is None else say("“{move}”, times a game", move=move)
    return PLAIN.get(what) or LENGTHS.get(what)


PLAIN = {
    TIED: say("first place is shared"),
    BEGINNER: say("who chooses first, above the mean"),
    BEGINS_FIRST: say("who chooses first comes first"),
    BEGINS_LAST: say("who chooses first loses"),
}


def section(comparison: Comparison, heard: Heard) -> Section:
    """All measures: in both variants, the difference, and what the pairing saved."""
    rows: list[tuple[Cell, ...]] = []
    for name in comparison.told:
        about = title(comparison, name, heard)
        if about is not None:
            change = comparison.change(name)
            rows.append((about, *cells(comparison, change), factor(change.saved)))
    heads = say("measure"), say("before"), say("after"), say("difference"), say("pairing is worth")
    return Section("changes", say("What changes"), heads, tuple(rows), note(comparison))


def cells(comparison: Comparison, change: Change) -> tuple[Cell, Cell, Cell]:
    """A measure before and after, and its difference."""
    if change.name[0] in SHARES:
        return words.percent(change.before), words.percent(change.after), words.plain(change.difference.times(100))
    scale = measure_of(comparison.a).scale if change.name[0] in (RESULT, BEGINNER) else 1.0
    before, after, difference = (
        words.plain(each.times(scale)) for each in (change.before, change.after, change.difference)
    )
    return before, after, difference


def factor(saved: float) -> Cell:
    """How many times as many games pairs are worth."""
    return say("× {number}", number=words.number(saved, 1 if saved < 10 else 0)) if isfinite(saved) else "–"


def note(comparison: Comparison) -> Text:
    """What the table's columns say."""
    return say("Shares and their differences in percent. Before: {before}. After: {after}. Pairing is worth: so many "
               "times as many games would be needed without it.",
               before=say("as it is") if not changed(comparison.a) else " ".join(changed(comparison.a)),
               after=" ".join(changed(comparison.b)) or say("as it is"))  # fmt: skip


def changed(game: GameSetup) -> list[str]:
    """The options that aren't as usual, as they are typed."""
    options, given = game.rules.OPTIONS, game.options
    return [f"{option.name}={typed(given[option.name])}" for option in options if given[option.name] != option.default]


# --- findings -----------------------------------------------------------------------------------------------------
def findings(comparison: Comparison, heard: Heard) -> list[Text]:
    """What surely changes, at 5 % for all measures together; and how little anything else can, where it doesn't."""
    told = [(name, title(comparison, name, heard)) for name in measured(comparison) if name[0] in SAID]
    known = sorted(((name, about) for name, about in told if about), key=lambda pair: SAID.index(pair[0][0]))
    change, tests = change_of(comparison), len(known)
    out = [*([words.INTERRUPTED] if comparison.interrupted else []), happening(comparison)]
    for name, about in known:
        made = comparison.change(name)
        found = made.difference
        if found.value and found.sure(0.0, tests):
            before, after = (value(comparison, name, each) for each in (made.before, made.after))
            size = amount(comparison, name, found)
            text = say(MORE[found.value > 0], change=change, what=about, difference=size, before=before, after=after)
            out.append(text)
    if not any(comparison.change(name).difference.sure(0.0, tests) for name in fair_names(comparison)):
        out.append(nobody_gains(comparison))
    return out


def fair_names(comparison: Comparison) -> list[tuple[str, int]]:
    """The measures of who gains."""
    begins = BEGINS_LAST if comparison.place else BEGINS_FIRST
    return [name for name in measured(comparison) if name[0] in (comparison.shares, begins)]


def measured(comparison: Comparison) -> list[tuple[str, int]]:
    """The measures, without those of who chooses first where no result is another: only the seat that does can be."""
    same = not comparison.happens(RESULT_DIFFERS).value
    return [name for name in comparison.told if not (same and name[0] in BEGINNERS)]


def happening(comparison: Comparison) -> Text:
    """In how many games it matters at all."""
    counted = [words.percent(comparison.happens(name)) for name in (DIFFERS, RESULT_DIFFERS, PLACE_DIFFERS)]
    pairs = say_n("{n} pair of games.", "{n} pairs of games.", len(comparison))
    texts = (
        _("{pairs} Pairs that go differently: {differs}; with another result for somebody: {result}; with another "
          "winner: {place}."),
        _("{pairs} Pairs that go differently: {differs}; with another result for somebody: {result}; with another "
          "loser: {place}."),
    )  # fmt: skip
    return say(texts[comparison.place], pairs=pairs, differs=counted[0], result=counted[1], place=counted[2])


def nobody_gains(comparison: Comparison) -> Text:
    """That nobody's share surely changes, and by how much it could: 95 % for everybody's together."""
    names = fair_names(comparison)
    found = [comparison.change(name).difference.for_all(len(names)) for name in names]
    most = min(1.0, max(max(abs(each.low), abs(each.high)) for each in found))
    text = (
        _("No sure difference in who wins: nobody's share changes by more than {points} points.")
        if not (comparison.place)
        else _("No sure difference in who loses: nobody's share changes by more than {points} points.")
    )
    return say(text, points=words.number(100 * most, words.digits_for(100 * most)))


def value(comparison: Comparison, name: tuple[str, int], found: Estimate) -> Text | str:
    """A measure, without its interval."""
    if name[0] in SHARES:
        return say("{number} %", number=words.number(100 * found.value, 1))
    scaled = found.times(measure_of(comparison.a).scale if name[0] in (RESULT, BEGINNER) else 1.0)
    return words.number(scaled.value, min(2, words.digits_for(scaled.margin)))


def amount(comparison: Comparison, name: tuple[str, int], found: Estimate) -> Text | str:
    """A difference that is sure, without its sign."""
    if name[0] in SHARES:
        return say("{points} points", points=words.points(found))
    if name[0] in (RESULT, BEGINNER):
        return words.gap(found, measure_of(comparison.a))
    return words.plain(Estimate(abs(found.value), *words.ends(found), found.count))
