"""The table of minutes: how long a match takes people, at this table and at a real one, by one model."""

from __future__ import annotations

from dataclasses import fields

from hexdeck.engine.text import Text, say
from hexdeck.lab.counting.pace import CARDS, FURTHER, SCREEN, USUAL, Minutes, Place, minutes
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.section import Cell, Section

NAMES = {
    "choices": say("choices"), "moves": say("carrying out moves"), "dealing": say("dealing and drawing"),
    "scoring": say("scoring"), "talk": say("talk"), "total": say("all together"),
    "wait": say("seconds between your turns"),
}  # fmt: skip


def places(pace: float) -> tuple[Place, Place]:
    """People at this table and at a real one, who take so many seconds for a choice."""
    return SCREEN.paced(pace), CARDS.paced(pace)


def minutes_section(part: Part, at: tuple[Place, Place], pace: Text | None = None) -> Section:
    """The minutes of a match by what they go to; `pace` says where the seconds for a choice come from."""
    found = [minutes(part.statistics, place) for place in at]
    rows = tuple((NAMES[name], *(value_text(each, name) for each in found)) for name in NAMES)
    heads = say("minutes of a match"), say("at this table"), say("at a real one")
    return Section("minutes", say("How long it takes people"), heads, rows, note(at, pace or guessed(at[0])))


def value_text(found: Minutes, name: str) -> Cell:
    """A number of minutes, or the seconds of waiting."""
    value = getattr(found, name)
    return numbers.number(value, 0 if name == "wait" or value >= 10 else 1)


def guessed(place: Place) -> Text:
    """Where the seconds come from, where nobody measured them."""
    return say("A model with guessed seconds: {think} for a choice between {moves} moves", moves=USUAL,
               think=numbers.number(place.think, 0))  # fmt: skip


def note(at: tuple[Place, Place], pace: Text) -> Text:
    """The seconds of the model; the first number is of this table, the second of a real one."""
    screen, cards = at
    seconds = {
        each.name: say("{screen} and {cards}", screen=short(getattr(screen, each.name)),
                       cards=short(getattr(cards, each.name)))
        for each in fields(Place) if each.name != "think"
    }  # fmt: skip
    talk = say("{screen} and {cards}", screen=round(100 * screen.talk), cards=round(100 * cards.talk))
    return say(
        "{pace}, more with more moves, and {further} % of that for a further choice in a turn; choices made at the "
        "same time count once. At this table and at a real one: a move {move} seconds, a deal {deal}, a card {draw}, "
        "the score {score} for each player; talk adds {talk} %.",
        pace=pace, further=round(100 * FURTHER), **(seconds | {"talk": talk}),
    )  # fmt: skip


def short(seconds: float) -> Text | str:
    """Seconds without needless digits."""
    return numbers.number(seconds, 0 if float(seconds).is_integer() else 1)


def minutes_fields(part: Part, at: tuple[Place, Place]) -> dict[str, dict[str, float]]:
    """The minutes as data: at this table (`screen`) and at a real one (`cards`)."""
    return {
        key: {name: float(getattr(minutes(part.statistics, place), name)) for name in NAMES}
        for key, place in zip(("screen", "cards"), at, strict=True)
    }
