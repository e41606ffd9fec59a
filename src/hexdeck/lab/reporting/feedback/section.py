"""What people said after matches, as a table of a report, as findings and as rows for other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.text import Text, _, say, say_n
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.feedback.said import Said
from hexdeck.lab.reporting.measures import Cell, Finding, Section
from hexdeck.stats import UNKNOWN, Estimate, mean, mean_share

if TYPE_CHECKING:
    from hexdeck.lab.reporting.played import Group

MIDDLE = 3.0  # of the answers from 1 to 5
SHORT, LONG = -1, 1
NO_ANSWER = say("no answer")
QUOTED = 12  # answers in words that a report quotes, the newest


def feedback(said: Sequence[Sequence[Said]]) -> Iterator[Section]:
    """The tables of what people said, match by match; none where nobody said anything."""
    everyone = [each for match in said for each in match]
    if not everyone:
        return
    rows: list[tuple[Cell, ...]] = [
        (say("fun, from 1 to 5"), number(grade(said, "fun")), answered(everyone, "fun")),
        (say("fair, from 1 to 5"), number(grade(said, "fair")), answered(everyone, "fair")),
        (say("too short"), percent(felt(said, SHORT)), answered(everyone, "length")),
        (say("too long"), percent(felt(said, LONG)), answered(everyone, "length")),
    ]
    note = say_n(
        "{n} player answered. Those who answer may think otherwise than those who don't.",
        "{n} players answered. Those who answer may think otherwise than those who don't.",
        len(everyone),
    )  # fmt: skip
    heads = say("what people said"), say("mean or share"), say("answers")
    yield Section("feedback", say("What people said"), heads, tuple(rows), note)
    quotes = [*quoted(everyone, "confused", say("confused")), *quoted(everyone, "words", say("besides"))]
    if quotes:
        yield Section("quotes", say("In their words"), (say("about"), say("answer")), tuple(quotes))


def number(found: Estimate) -> Cell:
    """A mean, if anybody answered."""
    return numbers.plain(found) if found.count else NO_ANSWER


def percent(found: Estimate) -> Cell:
    """A share, if anybody answered."""
    return numbers.percent(found) if found.count else NO_ANSWER


def grade(said: Sequence[Sequence[Said]], name: str) -> Estimate:
    """The mean of the answers to a question, each match as one observation: its players saw the same."""
    means = by_match(said, name, lambda grade: grade)
    return mean(means) if len(means) else UNKNOWN


def felt(said: Sequence[Sequence[Said]], answer: int) -> Estimate:
    """The share of those for whom the match was too long, or too short; each match as one observation."""
    shares = by_match(said, "length", lambda length: length == answer)
    return mean_share(shares) if len(shares) else UNKNOWN


def by_match(said: Sequence[Sequence[Said]], name: str, value: Callable[[int], float]) -> np.ndarray:
    """The mean of what the answers to a question say, in each match where somebody answered it."""
    each = [[value(getattr(one, name)) for one in match if getattr(one, name) is not None] for match in said]
    return np.array([float(np.mean(values)) for values in each if values])


def answered(everyone: Sequence[Said], name: str) -> Cell:
    """How many answered a question."""
    return numbers.count(sum(getattr(each, name) is not None for each in everyone))


def quoted(everyone: Sequence[Said], name: str, about: Text) -> Iterator[tuple[Cell, ...]]:
    """The newest answers in words."""
    with_words = [each for each in everyone if getattr(each, name)]
    for each in sorted(with_words, key=lambda one: -one.at)[:QUOTED]:
        yield about, f"“{getattr(each, name)}”"


def feedback_findings(group: Group, tests: int) -> Iterator[Finding]:
    """What people surely found: dull, unfair, too long or too short."""
    players, said = group.game.players, group.said
    for name, low in (("fun", _("With {players} players, people had little fun: {number} of 5.")),
                      ("fair", _("With {players} players, people found it unfair: {number} of 5."))):  # fmt: skip
        found = grade(said, name)
        if found.count >= 2 and found.value < MIDDLE and found.significant(MIDDLE, tests):
            yield Finding(f"feedback {name}", (players,), say(low, players=players, number=numbers.plain(found)))
    too = {SHORT: _("With {players} players, {share} of those who answered found it too short."),
           LONG: _("With {players} players, {share} of those who answered found it too long.")}  # fmt: skip
    for answer, text in too.items():
        found = felt(said, answer)
        if found.count and found.simultaneous(tests).low > 0.5:
            yield Finding(f"feedback {answer}", (players,), say(text, players=players, share=numbers.percent(found)))


# --- for other programs -----------------------------------------------------------------------------------------------
def answer_rows(groups: Sequence[Group]) -> list[dict[str, Any]]:
    """Every answer as a row: the game, the match's number in its group, and what was said."""
    return [
        {
            "game": group.game.name, "players": group.game.players,
            "options": json.dumps(dict(group.game.options), sort_keys=True), "match": number, "seat": each.seat + 1,
            "fun": each.fun, "length": each.length, "fair": each.fair, "confused": each.confused, "words": each.words,
            "at": each.at,
        }
        for group in groups for number, match in enumerate(group.said) for each in match
    ]  # fmt: skip


def write_answers(groups: Sequence[Group], path: Path) -> int:
    """Write every answer to a Parquet file, and say how many there are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = answer_rows(groups)
    kinds = {
        "game": pa.string(),
        "players": pa.int16(),
        "options": pa.string(),
        "match": pa.int64(),
        "seat": pa.int16(),
    }
    kinds |= {name: pa.int8() for name in ("fun", "length", "fair")}
    kinds |= {"confused": pa.string(), "words": pa.string(), "at": pa.float64()}
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(kinds)), path)
    return len(rows)
