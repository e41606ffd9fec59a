"""Where to look: a game that shows what a row or a finding is about, and how to see it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counting.collect import LONGEST
from hexdeck.lab.counting.metrics import BEGINS_FIRST, BEGINS_LAST, ENDED, MET, TIED, Name
from hexdeck.lab.counting.tension import settled
from hexdeck.lab.reporting.changes import changed
from hexdeck.lab.reporting.findings import Finding
from hexdeck.lab.reporting.report import Part, Plan
from hexdeck.lab.reporting.sections import Section, named_kinds


@dataclass(frozen=True)
class Where:
    """A game by its number, and a ply of it; without one, its end."""

    number: int
    ply: int | None = None


@dataclass(frozen=True)
class Shown:
    """How to see an example: a short name of it, the address of its replay, or else what to type."""

    short: str
    address: str = ""
    command: str = ""


Way = Callable[[Part, Where], Shown | None]  # None where there is no way to see it


def of_rows(part: Part, section: Section) -> list[Where | None]:
    """An example of what each row of a section is about."""
    found = ROWS[section.id](part) if section.id in ROWS else {}
    return [found.get(getattr(row[0], "key", "")) for row in section.rows]


def of_told(part: Part) -> dict[str, Where]:
    """Where something was told first."""
    return {key: Where(*at) for key, at in part.heard.where.items()}


def of_endings(part: Part) -> dict[str, Where]:
    """The first game that ended in each way."""
    examples, ended = part.collected.examples, part.game.table.ENDED
    return {text.key: Where(examples[ENDED, k]) for k, text in enumerate(ended) if (ENDED, k) in examples}


def of_moves(part: Part) -> dict[str, Where]:
    """Where a move of each kind was made: with its ply, if moves were named there."""
    examples, named, told = part.collected.examples, named_kinds(part), part.heard.where
    out = {}
    for k, text in enumerate(named):
        if text is not None and text.key in told:
            out[text.key] = Where(*told[text.key])
        elif text is not None and (MET, k) in examples:
            out[text.key] = Where(examples[MET, k])
    return out


ROWS: dict[str, Callable[[Part], dict[str, Where]]] = {"told": of_told, "endings": of_endings, "moves": of_moves}


def of_finding(found: Finding, parts: Sequence[Part]) -> tuple[Part, Where] | None:
    """A game that shows what a finding says, if one does: of the first part that it is about."""
    part = next((each for each in parts if each.players in found.players), None)
    look = FINDINGS.get(found.kind)
    where = look(part, found) if part is not None and look is not None else None
    return None if part is None or where is None else (part, where)


def seat(part: Part, found: Finding) -> Where | None:
    """A game in which a seat that has the place that decides too often has it alone."""
    return too_often(part, (part.shares, found.text.args["seat"]))


def beginner(part: Part, _found: Finding) -> Where | None:
    """The same of whoever chose first."""
    return too_often(part, (BEGINS_LAST if part.place else BEGINS_FIRST, 0))


def too_often(part: Part, name: Name) -> Where | None:
    """The first game in which something was so that is so more often than fair; of what is too rare, none."""
    number = part.collected.examples.get(name)
    return None if number is None or part.collected[name].value <= 1 / part.players else Where(number)


def tied(part: Part, _found: Finding) -> Where | None:
    """A game whose first place is shared."""
    number = part.collected.examples.get((TIED, 0))
    return None if number is None else Where(number)


def longest(part: Part, _found: Finding) -> Where | None:
    """The longest game."""
    number = part.collected.examples.get(LONGEST)
    return None if number is None else Where(number)


def exception(part: Part, found: Finding) -> Where | None:
    """A game that ended otherwise than nearly all do; none for an ending that never came."""
    usual = found.text.args["ending"]
    if usual.key not in of_endings(part):
        return None
    others = [key for key in of_endings(part) if key != usual.key]
    return of_endings(part)[others[0]] if others else None


def early(part: Part, _found: Finding) -> Where | None:
    """The game that was settled earliest, of those that were looked inside: the first ones."""
    when = [settled(each, part.place) for each in part.seen]
    return Where(when.index(min(when))) if when else None


FINDINGS: dict[str, Callable[[Part, Finding], Where | None]] = {
    "seat": seat, "beginner": beginner, "ties": tied, "length": longest, "ending": exception, "settled": early,
}  # fmt: skip


# --- how to see a simulated game --------------------------------------------------------------------------------------
def by_command(plan: Plan) -> Way:
    """The way to see a simulated game: what to type."""

    def way(part: Part, where: Where) -> Shown:
        ply = [] if where.ply is None else ["--ply", str(where.ply)]
        words = ["hexdeck", "replay", *setting(part.game, plan.bots, plan.seed), "--number", str(where.number), *ply]
        short = str(where.number) if where.ply is None else f"{where.number}:{where.ply}"
        return Shown(short, command=shlex.join(words))

    return way


def setting(game: GameSetup, bots: Sequence[str], seed: Any) -> list[str]:
    """A game, its bots and seed, as they are typed after a command."""
    options = [word for option in changed(game) for word in ("--option", option)]
    named = [] if set(bots) == {"house"} else ["--bots", *bots]
    return [game.name, "--players", str(game.players), *options, *named, "--seed", str(seed)]
