"""Links to games that show what a row or a finding is about: the address of a replay, or the command to type."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass

from hexdeck.bots.players.names import spoken
from hexdeck.lab.reporting.measures import Example
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.report import Part, Plan


@dataclass(frozen=True)
class Link:
    """How to see an example: a short name for it, and the address of its replay or else the command to type.

    `panel`: the id of the element that shows it, where the page has it in itself.
    """

    short: str
    address: str = ""
    command: str = ""
    panel: str = ""


Linker = Callable[[Part, Example], Link | None]  # makes the link to an example; None where there is none


def command_linker(plan: Plan) -> Linker:
    """Links to a report's simulated games: the `hexdeck replay` command to type."""

    def link(part: Part, example: Example) -> Link:
        ply = [] if example.ply is None else ["--ply", str(example.ply)]
        words = ["hexdeck", "replay", *setup_words(part, plan), "--number", str(example.number), *ply]
        short = str(example.number) if example.ply is None else f"{example.number}:{example.ply}"
        return Link(short, command=shlex.join(words))

    return link


def setup_words(part: Part, plan: Plan) -> list[str]:
    """A part's game, bots and seed as the words of a command."""
    game = part.game
    options = [word for option in changed_options(game) for word in ("--option", option)]
    bots = [] if set(plan.bots) == {"house"} else ["--bots", *map(spoken, plan.bots)]
    return [game.name, "--players", str(game.players), *options, *bots, "--seed", str(plan.seed)]
