"""The first page: a card for each answer, with its picture, and how the answers are judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.lab.reporting.answers.answer import FINE, LOOK, SIGNS, UNSURE, WORDS, Answer
from hexdeck.lab.reporting.answers.pictures import Row, picture
from hexdeck.lab.reporting.answers.questions import QUESTIONS, Answered
from hexdeck.lab.reporting.examples import Link, Linker, finding_example
from hexdeck.lab.reporting.findings import Finding
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import Cell

CAVEAT = say(
    "Bots played all of this, and they don't play as people do: take it as a reason to look, not as a verdict."
)


def verdict_text(answer: Answer) -> Text:
    """A verdict: its sign and its word."""
    return say("{sign} {word}", sign=SIGNS[answer.verdict], word=WORDS[answer.verdict])


def players_labels(parts: Sequence[Part]) -> list[Text]:
    """How parts are called in pictures."""
    return [say("{players} players", players=each.players) for each in parts]


def card_context(found: Answered, labels: Sequence[Text], shown: Link | None, catalogue: Catalogue) -> dict[str, Any]:
    """A card as the template takes it; `labels` of the answers, `shown`: the game that shows the main one."""
    from markupsafe import Markup

    def words(cell: Cell) -> str:
        return cell if isinstance(cell, str) else catalogue.words(cell)

    main, title = found.main, words(found.question.title)
    rows = [
        Row(
            words(label), each.verdict, SIGNS[each.verdict], each.number, each.usual, words(each.short),
        )
        for label, each in zip(labels, found.answers, strict=True) if each.number.count
    ]  # fmt: skip
    return {
        "id": found.question.id, "title": title, "verdict": main.verdict, "said": words(verdict_text(main)),
        "value": words(main.value), "text": words(main.text), "caption": words(found.question.caption),
        "picture": Markup(picture(rows, found.question.scale, title)) if rows else "",  # noqa: S704 - drawn by us, and escaped
        "shown": shown, "see": words(say("see")),
    }  # fmt: skip


def to_show(answer: Answer) -> Finding | None:
    """What is to be looked at, as a finding of which games can be shown."""
    kind, subject = answer.shown
    if answer.verdict != LOOK or not kind:
        return None
    return Finding(kind, (answer.players,), answer.text, subject=subject)


def answer_link(answer: Answer, parts: Sequence[Part], link: Linker) -> Link | None:
    """A game that shows what is to be looked at, if there is one."""
    found = to_show(answer)
    example = None if found is None else finding_example(found, parts)
    return None if example is None else link(*example)


def criteria(said: Mapping[str, Text], catalogue: Catalogue) -> dict[str, Any]:
    """How the answers are judged, as the template takes it; `said`: the criterion of each question."""
    words = catalogue.words
    signs = [words(say("{sign} {word}", sign=SIGNS[each], word=WORDS[each])) for each in (FINE, LOOK, UNSURE)]
    return {
        "title": words(say("How these answers are judged")),
        "intro": words(say("Each number of players is judged apart; a card shows the worst of them. {signs}.",
                           signs=", ".join(signs))),
        "rows": [(words(each.title), words(said[each.id])) for each in QUESTIONS],
    }  # fmt: skip
