"""Examples: a game that shows what a row or a finding is about, and the link or command to see it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hexdeck.bots.players.spoken_names import spoken
from hexdeck.lab.causes.cards import ABOVE, BELOW, UNUSED
from hexdeck.lab.counting.drama import settled
from hexdeck.lab.counting.shape.choices import ChoiceShape
from hexdeck.lab.counting.shape.course import out_of_play
from hexdeck.lab.counting.shape.lead import BACK, HALF, lead
from hexdeck.lab.counting.tension import MatchAnalysis
from hexdeck.lab.counts import ENDED, KIND_USED, LONGEST, STARTER_FIRST, STARTER_LAST, TIED, MetricName
from hexdeck.lab.reporting.cause_findings import DEAD, TOO_STRONG, TOO_WEAK
from hexdeck.lab.reporting.findings import Finding
from hexdeck.lab.reporting.options import changed_options
from hexdeck.lab.reporting.report import Part, Plan
from hexdeck.lab.reporting.section import Section
from hexdeck.lab.reporting.sections import kind_labels


@dataclass(frozen=True)
class Example:
    """A game by its number, and a ply of it; None is its end."""

    number: int
    ply: int | None = None


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


def row_examples(part: Part, section: Section) -> list[Example | None]:
    """An example for each row of a section; None where there is none."""
    found = ROWS[section.id](part) if section.id in ROWS else {}
    return [found.get(getattr(row[0], "key", "")) for row in section.rows]


def message_examples(part: Part) -> dict[str, Example]:
    """Where each message came first, by its key."""
    return {key: Example(*at) for key, at in part.messages.first_seen.items()}


def ending_examples(part: Part) -> dict[str, Example]:
    """The first game with each ending, by its key."""
    examples, ended = part.statistics.examples, part.game.endings
    return {text.key: Example(examples[ENDED, k]) for k, text in enumerate(ended) if (ENDED, k) in examples}


def move_examples(part: Part) -> dict[str, Example]:
    """A game with each kind of move, by its label's key; with the ply where labels were counted."""
    examples, labels, seen = part.statistics.examples, kind_labels(part.messages), part.messages.first_seen
    out = {}
    for k, text in enumerate(labels):
        if text is not None and text.key in seen:
            out[text.key] = Example(*seen[text.key])
        elif text is not None and (KIND_USED, k) in examples:
            out[text.key] = Example(examples[KIND_USED, k])
    return out


ROWS: dict[str, Callable[[Part], dict[str, Example]]] = {
    "messages": message_examples, "endings": ending_examples, "moves": move_examples,
}  # fmt: skip


def finding_example(found: Finding, parts: Sequence[Part]) -> tuple[Part, Example] | None:
    """A game that shows a finding, if there is one, of the first part that the finding is about."""
    part = next((each for each in parts if each.players in found.players), None)
    look = FINDINGS.get(found.kind)
    example = look(part, found) if part is not None and look is not None else None
    return None if part is None or example is None else (part, example)


def of_seat(part: Part, found: Finding) -> Example | None:
    """The first game in which the seat took the place that decides, if it does so too often."""
    return of_excess(part, (part.shares, found.text.args["seat"] - 1))


def of_starter(part: Part, _found: Finding) -> Example | None:
    """The first game in which the starter took the place that decides, if it does so too often."""
    return of_excess(part, (STARTER_LAST if part.place else STARTER_FIRST, 0))


def of_excess(part: Part, name: MetricName) -> Example | None:
    """The first game in which a share's metric was 1, if the share is above a fair one."""
    number = part.statistics.examples.get(name)
    return None if number is None or part.statistics[name].value <= 1 / part.players else Example(number)


def of_tie(part: Part, _found: Finding) -> Example | None:
    """The first game with a shared first place."""
    number = part.statistics.examples.get((TIED, 0))
    return None if number is None else Example(number)


def of_length(part: Part, _found: Finding) -> Example | None:
    """The longest game."""
    number = part.statistics.examples.get(LONGEST)
    return None if number is None else Example(number)


def of_ending(part: Part, found: Finding) -> Example | None:
    """A game that ended otherwise than the finding says nearly all do; None for an ending that never came."""
    usual, examples = found.text.args["ending"], ending_examples(part)
    if usual.key not in examples:
        return None
    others = [key for key in examples if key != usual.key]
    return examples[others[0]] if others else None


def of_settling(part: Part, _found: Finding) -> Example | None:
    """The analysed game that was settled earliest; analysed games are the first ones, so indices are numbers."""
    when = [settled(each, part.place) for each in part.analyses]
    return Example(when.index(min(when))) if when else None


def of_start(part: Part, _found: Finding) -> Example | None:
    """The first game in which chance decided who starts and the starter did as starters surely do."""
    if part.starts is None or not part.starts.enough:
        return None
    number = part.starts.examples.get((part.place, part.starts.place(part.place).value > 0))
    return None if number is None else Example(number)


# --- of games that were looked into: they are the first ones, so their indices are numbers ---------------------------
def of_lead(part: Part, _found: Finding) -> Example | None:
    """The first game whose leader halfway alone took the place that decides."""
    return first(part, lambda each: len(each.when) > 0 and lead(each, part.place, HALF) == 1)


def of_comeback(part: Part, _found: Finding) -> Example | None:
    """The first game with a comeback, if there is one."""
    fair = 1 - 1 / part.players if part.place else 1 / part.players
    return first(part, lambda each: each.low is not None and each.low <= BACK * fair)


def of_idleness(part: Part, _found: Finding) -> Example | None:
    """The first game in which whoever was done first waited no shorter than in the mean of all."""
    tails = out_of_play(part.analyses, part.players)
    return Example(int((tails >= tails.mean()).argmax())) if len(tails) == len(part.analyses) > 0 else None


def of_kingmaking(part: Part, _found: Finding) -> Example | None:
    """The first choice of somebody who can't win any more that decides who of the others does."""
    return of_choice(part, lambda shape: shape.decides)


def of_dead_choice(part: Part, _found: Finding) -> Example | None:
    """The first choice after which one's own result is the same, whatever is chosen."""
    return of_choice(part, lambda shape: shape.alike)


def first(part: Part, holds: Callable[[MatchAnalysis], bool]) -> Example | None:
    """The first analysed game of which something holds."""
    return next((Example(number) for number, each in enumerate(part.analyses) if holds(each)), None)


def of_choice(part: Part, holds: Callable[[ChoiceShape], bool]) -> Example | None:
    """The first analysed choice of which something holds, right after it was made."""
    for number, each in enumerate(part.analyses):
        for ply, shape in zip(each.plies, each.shapes, strict=False):
            if holds(shape):
                return Example(number, ply + 1)
    return None


CARDS = {TOO_STRONG: ABOVE, TOO_WEAK: BELOW, DEAD: UNUSED}


def of_part_of_game(part: Part, found: Finding) -> Example | None:
    """A game that shows what a card brings, or that it isn't used; for a move, the first in which it was made."""
    family, _space, key = found.subject.partition(" ")
    if family in CARDS:
        number = None if part.causes is None else part.causes.cards.examples.get((CARDS[family], key))
        return None if number is None else Example(number)
    label = part.messages.label(key)
    return None if label is None else move_examples(part).get(label.key)


FINDINGS: dict[str, Callable[[Part, Finding], Example | None]] = {
    "seat": of_seat, "beginner": of_starter, "ties": of_tie, "length": of_length, "ending": of_ending,
    "settled": of_settling, "bot": of_seat, "start": of_start, "runaway": of_lead, "comebacks": of_comeback,
    "out_of_play": of_idleness, "kingmaking": of_kingmaking, "dead": of_dead_choice, "unworthy": of_part_of_game,
}  # fmt: skip


# --- how to see a simulated game --------------------------------------------------------------------------------------
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
