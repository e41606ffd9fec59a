"""Effects: what measures do under another condition on the same cards, such as another rule or a forced way of playing.

An effect is a paired difference for each measure. A study of several is told in sentences, tables and tornado charts,
written as data, and kept in a file from which an interrupted one goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.number_words import signed
from hexdeck.engine.text import Catalogue, Text, _, say, say_n
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.measures import Cell, Measure, Section
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.page import made_with, rendered, table_context
from hexdeck.lab.reporting.report import part_of
from hexdeck.lab.reporting.tables import MEASURES
from hexdeck.lab.reporting.words import bots_text, joined
from hexdeck.lab.store import code_hash, refuse_other, write_atomically
from hexdeck.lab.tornado import Bar, largest, svg
from hexdeck.stats import Estimate

STARTER = -1  # in place of a seat
SEATS = "seats"
NAMED, SHOWN = 3, 15  # changes that a finding names; that a chart shows
FORMAT = 2  # of the file
HEADINGS = {
    SEATS: (
        say("Seats: the one whose share of first places changes most, in percentage points"),
        say("Seats: the one whose share of losses changes most, in percentage points"),
    ),
    "minutes": (say("Length: minutes of a match at a real table"),) * 2,
    "turns": (say("Length: turns of a match"),) * 2,
}


@dataclass(frozen=True)
class Shift:
    """A measure as the game is, and its paired difference under the other condition."""

    before: float
    difference: Estimate


@dataclass(frozen=True)
class Effect:
    """What a change does in so many pairs of games: `shifts` by measure.

    `who`: the seat whose share of the place that decides changes most (STARTER: whoever starts), which is the measure
    SEATS; `sure`: whether that is significant for all changes together. `beside`: another option, as `key=value`, that
    both games of a pair need.
    """

    change: str
    pairs: int
    shifts: dict[str, Shift]
    who: int = STARTER
    beside: str = ""
    sure: bool = False


@dataclass(frozen=True)
class Untried:
    """A change that can't be tried, and why."""

    change: str
    why: Text


def looked_into() -> Iterator[Measure]:
    """The measures of matches that are looked into for each change: those of tension that the workshop has too."""
    return (measure for measure in MEASURES if measure.values is not None and measure.workshop)


@dataclass(frozen=True)
class Sweep:
    """What was tried: the game with its bots and seed, the effects, and what couldn't be tried.

    `tests`: how many changes are tested together.
    """

    setup: SimulationSetup
    pairs: int
    sample: int
    effects: tuple[Effect, ...]
    untried: tuple[Untried, ...]
    tests: int
    interrupted: bool = False

    @property
    def place(self) -> int:
        """Whether first place decides (0) or last (1)."""
        return int(one_loser(self.setup.game))

    @property
    def measures(self) -> list[str]:
        """The measures that are told, in order."""
        known = set().union(*(effect.shifts for effect in self.effects))
        return [name for name in (*HEADINGS, *(measure.name for measure in looked_into())) if name in known]

    def scale(self, name: str) -> float:
        """What a measure is multiplied by where people read it."""
        if name == SEATS:
            return 100.0
        return next((m.unit.scale(part_of(self.setup)) for m in looked_into() if m.name == name), 1.0)

    def heading(self, name: str) -> Text:
        """The title of a measure."""
        if name in HEADINGS:
            return HEADINGS[name][self.place]
        title = next(measure.titled(part_of(self.setup)) for measure in looked_into() if measure.name == name)
        if self.scale(name) == 100:
            return say("Tension: {measure}, in percentage points", measure=title)
        return say("Tension: {measure}", measure=title)

    def is_sure(self, effect: Effect, name: str) -> bool:
        """Whether an effect is significant: at 5 % for all changes and measures together."""
        difference = effect.shifts[name].difference
        return bool(difference.value) and difference.significant(0.0, self.tests * len(self.measures))

    def bars(self, name: str, catalogue: Catalogue) -> list[Bar]:
        """The bars of a measure at most SHOWN: certain ones first, the largest first; none without a change."""
        bars = []
        for effect in self.having(name):
            difference = effect.shifts[name].difference.scaled(self.scale(name))
            title = effect.change if name != SEATS else f"{effect.change}, {catalogue.words(who(effect))}"
            written = size_of(difference)
            bars.append(Bar(title, difference.value, difference.low, difference.high,
                            written if isinstance(written, str) else catalogue.words(written),
                            self.is_sure(effect, name)))  # fmt: skip
        return largest([bar for bar in bars if bar.value], SHOWN)

    def having(self, name: str) -> list[Effect]:
        """The effects that have a measure."""
        return [effect for effect in self.effects if name in effect.shifts]

    def section(self, name: str) -> Section:
        """The table of a measure: every change, in the order in which they were asked for."""
        scale, rows = self.scale(name), []
        for effect in self.having(name):
            shift = effect.shifts[name]
            before = scale * shift.before
            titled = say("{change} (with {beside} in both)", change=effect.change, beside=effect.beside)
            cells: tuple[Cell, ...] = (
                titled if effect.beside else effect.change, numbers.number(before, 2 if abs(before) < 10 else 1),
                size_of(shift.difference.scaled(scale)), *([who(effect)] if name == SEATS else []),
            )  # fmt: skip
            rows.append(cells)
        heads = (say("value"), say("as it is"), say("difference"), *([say("who")] if name == SEATS else []))
        return Section(name, self.heading(name), heads, tuple(rows))

    def findings(self) -> list[Text]:
        """For each measure what surely changes it most, or a bound on what anything does; then what changed nothing."""
        out = [numbers.INTERRUPTED] if self.interrupted else []
        return [*out, *map(self.finding, self.measures), *self._without_effect(), *map(untried, self.untried)]

    def finding(self, name: str) -> Text:
        """The sentence about a measure."""
        heading, scale, effects = self.heading(name), self.scale(name), self.having(name)
        sure = [effect for effect in effects if self.is_sure(effect, name)]
        if not sure:
            tests = self.tests * len(self.measures)
            ends = [effect.shifts[name].difference.simultaneous(tests) for effect in effects]
            most = scale * max(max(abs(each.low), abs(each.high)) for each in ends)
            text = _("{title}: no value surely changes it; none changes it by more than {most}.")
            return say(text, title=heading, most=numbers.number(most, numbers.digits_for(most)))
        sure.sort(key=lambda effect: -abs(effect.shifts[name].difference.value))
        listed = joined([self._named(effect, name) for effect in sure[:NAMED]])
        more = len(sure) - NAMED
        if more > 0:
            return say_n(
                "{title}: most by {listed}; {n} other value surely changes it.",
                "{title}: most by {listed}; {n} other values surely change it.", more, title=heading, listed=listed,
            )  # fmt: skip
        return say("{title}: surely changed by {listed} only.", title=heading, listed=listed)

    def _named(self, effect: Effect, name: str) -> Text:
        size = size_of(effect.shifts[name].difference.scaled(self.scale(name)))
        if name == SEATS:
            return say("{change} ({who} {difference})", change=effect.change, who=who(effect), difference=size)
        return say("{change} ({difference})", change=effect.change, difference=size)

    def _without_effect(self) -> list[Text]:
        same = [
            effect.change for effect in self.effects
            if not effect.shifts["turns"].difference.margin
            and not any(shift.difference.value for shift in effect.shifts.values())
        ]  # fmt: skip
        text = _("Without any effect in {pairs} pairs of games: {listed}.")
        return [say(text, pairs=numbers.count(self.pairs), listed=", ".join(same))] if same else []

    def about(self) -> list[Text]:
        """What was played, and what it is compared with."""
        changed = changed_options(self.setup.game)
        played = say(
            "{players} players; each value on {pairs} pairs of games between bots ({bots}), seed {seed}, {sample} of "
            "them looked into for tension and drama.", players=self.setup.game.players,
            pairs=numbers.count(self.pairs), bots=bots_text(self.setup.seated), seed=str(self.setup.seed),
            sample=numbers.count(self.sample),
        )  # fmt: skip
        if changed:
            return [played, say("Each value is compared with the game with {options}, on the same deals.",
                                options=", ".join(changed))]  # fmt: skip
        return [played, say("Each value is compared with the game as it is, on the same deals.")]

    def page(self, command: str, catalogue: Catalogue) -> str:
        """The page in a catalogue's language; `command` makes it again."""
        words, game = catalogue.words, self.setup.game
        part = {
            "players": game.players, "title": words(say("{players} players", players=game.players)),
            "tables": [self._charted(name, catalogue) for name in self.measures], "command": "",
        }  # fmt: skip
        return rendered(
            catalogue, title=words(say("What if: {title}", title=game.table.TITLE)),
            intro=[words(line) for line in (game.table.ABOUT.text, *self.about())], heading=words(say("Findings")),
            findings=[words(finding) for finding in self.findings()], nothing="", heading_parts="", parts=[part],
            closing=[words(say(
                "Bars: from the game as it is to each value, the largest that are certain first; thin lines are 95 % "
                "confidence intervals, pale bars aren't certain, for all values together. One option is changed at a "
                "time: two changes together may do something else.")),
                     words(made_with(command)), words(game.table.ABOUT.credit)],
        )  # fmt: skip

    def _charted(self, name: str, catalogue: Catalogue) -> dict[str, Any]:
        from markupsafe import Markup

        context, bars = table_context(self.section(name), catalogue), self.bars(name, catalogue)
        if bars:
            plot = Markup(svg(bars, context["title"]))  # noqa: S704 - drawn by us, and escaped
            context |= {"plots": [{"svg": plot, "caption": catalogue.words(say("What each value changes"))}]}
        return context

    def data(self) -> dict[str, Any]:
        """The effects as data, with the changes that can't be tried."""
        return {
            "bots": list(self.setup.seated), "seed": self.setup.seed, "pairs": self.pairs, "sample": self.sample,
            "effects": [asdict(effect) for effect in self.effects],
            "refused": [{"change": each.change, "why": str(each.why)} for each in self.untried],
        }  # fmt: skip


def who(effect: Effect) -> Text:
    """The seat whose share changes most."""
    return say("who starts") if effect.who == STARTER else say("seat {number}", number=effect.who + 1)


def size_of(difference: Estimate) -> Cell:
    """A difference with its sign and margin, both with as many digits as the margin justifies."""
    digits = min(2, numbers.digits_for(difference.margin))
    if not difference.margin:
        return signed(difference.value, digits)
    number, margin = signed(difference.value, digits), numbers.number(difference.margin, digits)
    return say(numbers.MARGIN, number=number, margin=margin)


def untried(each: Untried) -> Text:
    """The sentence about a change that couldn't be tried."""
    return say("{option} can't be measured alone: {why}", option=each.change, why=each.why)


# --- the file ---------------------------------------------------------------------------------------------------------
def manifest(setup: SimulationSetup, pairs: int, sample: int) -> dict[str, Any]:
    """Everything that decides the effects, as JSON."""
    game = setup.game
    return {
        "format": FORMAT, "code": code_hash(game), "game": game.name, "players": game.players,
        "options": dict(game.options), "bots": list(setup.seated), "seed": setup.seed, "pairs": pairs, "sample": sample,
    }  # fmt: skip


def save(path: Path, about: dict[str, Any], effects: Sequence[Effect]) -> None:
    """Write the effects and what decides them; atomically, and raises HexdeckError where that fails."""
    held = {"sweep": about, "effects": [asdict(effect) for effect in effects]}
    text = json.dumps(held, ensure_ascii=False, indent=1, allow_nan=False)
    try:
        write_atomically(path, text.encode() + b"\n")
    except OSError as error:
        why = _("{file} can't be written: {why}.")
        raise HexdeckError(say(why, file=str(path), why=error.strerror or "")) from None


def effect_from(row: dict[str, Any]) -> Effect:
    """The effect of a row; raises TypeError or KeyError for anything else."""
    shifts = {name: Shift(each["before"], Estimate(**each["difference"])) for name, each in dict(row["shifts"]).items()}
    return Effect(**{**row, "shifts": shifts})


def load(path: Path, about: dict[str, Any]) -> list[Effect]:
    """The effects in a file, none if there is no file; raises HexdeckError for a file that holds something else."""
    if not path.exists():
        return []
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        there, effects = dict(held["sweep"]), [effect_from(row) for row in held["effects"]]
    except (OSError, ValueError, TypeError, KeyError):
        text = _("{file} holds no sweep, or was cut off; choose another file.")
        raise HexdeckError(say(text, file=str(path))) from None
    refuse_other(path, there, about, _("{file} holds another sweep (different {what}); choose another file."))
    return effects
