"""`hexdeck verify FILE`: whether the cards of a match are those that were promised. It proves no name and no move."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hexdeck.cli.lines import tell
from hexdeck.engine.text import Catalogue, Text, _, say, say_n

if TYPE_CHECKING:
    from hexdeck.engine.play.record import Record

ABOUT = say("check that a match had the cards that were promised")
EXAMPLES = ("hexdeck verify match.json", 'hexdeck verify match.json --promise "$PROMISE"')


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck verify FILE [--promise HASH]`."""
    parser.add_argument("file", metavar=t(say("FILE")), help=t(say("record of a match")))
    parser.add_argument(
        "--promise",
        default="",
        metavar=t(say("HASH")),
        help=t(say("hash that you saw before the deal, to compare (default: none)")),
    )


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Derive every card again, and print what was found; raises BadRecord for a record that was changed."""
    from hexdeck.engine.play.record import clean_name, read
    from hexdeck.tables.model.fair import proof_of, verify

    record = read(arguments.file)
    cards = verify(record, arguments.promise)
    proof = proof_of(record)
    lines = [
        say_n("The cards are as promised: {n} draw was derived again from the secret and from what the seats added.",
              "The cards are as promised: all {n} draws were derived again from the secret and from what the seats"
              " added.", cards),
        say("Promised before the deal (SHA-256 of the secret): {hash}", hash=proof.promise),
        *(added(seat, clean_name(record.seats[seat].get("name")), text) for seat, text in
          enumerate(proof.contributions)),
    ]  # fmt: skip
    text = _(
        "This proves the cards. Names, bots, moves and options are as the file has them: nothing proves who chose"
        " what, or by which options it was played."
    )
    lines += [say(text), *unproved(record)]
    if not arguments.promise:
        lines.append(say("Compare it with the hash that the table showed you before the deal (--promise does)."))
    for line in lines:
        tell(words.words(line))
    return 0


def unproved(record: Record) -> list[Text]:
    """The options of a record that aren't defaults, and whether its match goes on."""
    from hexdeck.lab.reporting.options import changed_options
    from hexdeck.simulation.game import load

    match = load(record, backend="interpreted")
    other = ", ".join(changed_options(match.game))
    lines = [say("Options in the file: {options}.", options=other or say("the usual ones"))]
    return lines if match.over else [*lines, say("The match in the file isn't over.")]


def added(seat: int, name: str, text: str) -> Any:
    """What a seat added."""
    number = seat + 1  # as people count
    whose = say("Seat {seat} ({name})", seat=number, name=name) if name else say("Seat {seat}", seat=number)
    return (
        say("{seat} added {text}.", seat=whose, text=repr(text)) if text else say("{seat} added nothing.", seat=whose)
    )
