"""The worked example of a game: a match that can be stepped through, and a passage of text about each step.

The match is `example.json` in the game's folder: a record, which may stop before the match is over. The passages are in
`example.LANG.md`: under each heading `## PLY`, what that ply shows, with rule ids in brackets.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.discovery.rulebook import EMPTY, StepPicture
from hexdeck.engine.play.lookback import view_at
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.replay import replay
from hexdeck.engine.text import say
from hexdeck.engine.view import View, Zone

FILE = "example.json"


@dataclass(frozen=True)
class Step:
    """A step of the example: a ply, the view with open cards, and the passage about it."""

    ply: int
    view: View
    passage: str


def has_example(name: str) -> bool:
    """Whether a game has a worked example."""
    return (game_folder(name) / FILE).is_file()


def passages_by_ply(folder: Path, lang: str) -> dict[int, str]:
    """The passages of an example in a language, or in English if it has none; each in one line."""
    own = folder / f"example.{lang}.md"
    text = (own if own.is_file() else folder / "example.en.md").read_text(encoding="utf-8")
    _before, *parts = re.split(r"^## (\d+)$", text, flags=re.MULTILINE)
    return {int(ply): " ".join(passage.split()) for ply, passage in zip(parts[::2], parts[1::2], strict=True)}


@functools.cache
def played(name: str) -> Match:
    """The match of an example."""
    return replay(game_folder(name) / FILE, backend="interpreted")


@functools.cache
def shown(name: str) -> dict[int, View]:
    """The views of an example by ply, with the names of its players; the same for every language."""
    match = played(name)
    return {ply: view_at(match, ply, None) for ply in passages_by_ply(game_folder(name), "en")}


def steps(name: str, lang: str) -> list[Step]:
    """The steps of a game's example; empty if it has none."""
    if not has_example(name):
        return []
    passages, setup = passages_by_ply(game_folder(name), lang), played(name).game
    if setup != setup.usual():
        note = say("(This example uses the cards that come with the program; yours have other values.)")
        passages[min(passages)] += " " + game_words(name, lang).words(note)
    return [Step(ply, view, passages[ply]) for ply, view in shown(name).items()]


# --- pictures of it on a rules page -----------------------------------------------------------------------------------
def pictured(view: View, step: StepPicture) -> list[tuple[Zone, bool]]:
    """The zones that a picture shows, those of the middle of the table first; each with whether it is highlighted."""
    found = [
        (zone, lit)
        for named, lit in step.zones
        for zone in view.zones
        if named in (zone.id, zone.id.split("-")[0]) and (any(zone.cards) or zone.hidden or zone.shape == "count")
    ]
    return sorted(found, key=lambda each: -1 if each[0].seat is None else each[0].seat)


def cropped(zone: Zone) -> list[list[str]]:
    """The part of a board that has cards, from the first row and column with one to the last."""
    rows, columns = [any(row) for row in zone.rows], [any(column) for column in zip(*zone.rows, strict=True)]
    (top, bottom), (left, right) = ((each.index(True), len(each) - each[::-1].index(True)) for each in (rows, columns))
    return [[code or EMPTY for code in row[left:right]] for row in zone.rows[top:bottom]]
