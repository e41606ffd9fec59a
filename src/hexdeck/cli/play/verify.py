"""`hexdeck verify FILE`: whether a match had the cards that were promised."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hexdeck.cli.lines import tell
from hexdeck.engine.text import Catalogue, Text, say, say_n

if TYPE_CHECKING:
    from hexdeck.engine.play.record import Record

ABOUT = say("check that a match had the cards that were promised")
EXAMPLES = ("hexdeck verify match.json", 'hexdeck verify match.json --promise "$PROMISE"')


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck verify FILE [--promise HASH]`."""
    parser.add_argument("file", metavar=t(say("FILE")), help=t(say("record of a match")))
    about = say("hash that you saw before the deal, to compare (default: none)")
    parser.add_argument("--promise", default="", metavar=t(say("HASH")), help=t(about))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Check a record, and print what was found; raises BadRecord for one that was changed."""
    from hexdeck.engine.play.record import read
    from hexdeck.tables.fair import proof_of, verify

    record = read(arguments.file)
    cards = verify(record, arguments.promise)
    proof = proof_of(record)
    lines = [
        say_n("The cards are as promised: {n} draw was derived again from the secret and from what the seats added.",
              "The cards are as promised: all {n} draws were derived again from the secret and from what the seats"
              " added.", cards),
        say("Promised before the deal (SHA-256 of the secret): {hash}", hash=proof.promise),
        *(added(whose(record, seat), text) for seat, text in enumerate(proof.contributions)),
        *unproved(record),
        about_words(proof.contributions),
    ]  # fmt: skip
    if not arguments.promise:
        lines.append(say("Compare it with the hash that the table showed you before the deal (--promise does)."))
    for line in lines:
        tell(words.words(line))
    return 0


def about_words(words: Sequence[str]) -> Text:
    """Whether somebody who knew the secret could have chosen the cards: with the secret, or with words added last."""
    if any(words):
        return say("Whoever keeps the server and played could have added words last, knowing the secret: look at them.")
    return say("Nobody added words, so whoever drew the secret could have picked one for its cards.")


def unproved(record: Record) -> list[Text]:
    """What the cards don't prove: who played, the options that aren't defaults, and whether the match goes on."""
    from hexdeck.lab.reporting.wording import changed_options
    from hexdeck.simulation.game import load

    match = load(record, backend="interpreted")
    other = ", ".join(changed_options(match.game))
    lines = [
        say("Only the cards are proved. Names, bots, moves and options are as the file has them."),
        say("Options in the file: {options}.", options=other or say("the usual ones")),
    ]
    return lines if match.over else [*lines, say("The match in the file isn't over.")]


def whose(record: Record, seat: int) -> Text:
    """A seat, by its number and the name of who sat there."""
    from hexdeck.engine.play.record import clean_name

    name, number = clean_name(record.seats[seat].get("name")), seat + 1  # as people count
    return say("Seat {seat} ({name})", seat=number, name=name) if name else say("Seat {seat}", seat=number)


def added(seat: Text, text: str) -> Text:
    """What a seat added."""
    return say("{seat} added {text}.", seat=seat, text=repr(text)) if text else say("{seat} added nothing.", seat=seat)
