"""`hexdeck verify FILE`: whether a match had the cards that were promised, and is recorded as it was played."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hexdeck.cli.lines import tell
from hexdeck.engine.text import Catalogue, Text, _, say, say_n

if TYPE_CHECKING:
    from hexdeck.engine.play.record import Record

ABOUT = say("check that a match is recorded as it was promised and played")
EXAMPLES = ("hexdeck verify match.json", 'hexdeck verify match.json --promise "$PROMISE"')


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck verify FILE [--promise HASH] [--head HASH] [--key KEY]`."""
    parser.add_argument("file", metavar=t(say("FILE")), help=t(say("record of a match")))
    for name, metavar, about in (
        ("--promise", say("HASH"), say("hash that you saw before the deal, to compare (default: none)")),
        ("--head", say("HASH"), say("head of the chain that you noted during the match, to compare (default: none)")),
        ("--key", say("KEY"), say("key of the server, from its /api/keys, to compare (default: none)")),
    ):
        parser.add_argument(name, default="", metavar=t(metavar), help=t(about))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Check a record, and print what was found; raises BadRecord for one that was changed."""
    from hexdeck.engine.play.record import CHAIN, read
    from hexdeck.tables.model.fair import proof_of, verify

    record = read(arguments.file)
    cards = verify(record, arguments.promise, arguments.head, arguments.key)
    proof = proof_of(record)
    lines = [
        say_n("The cards are as promised: {n} draw was derived again from the secret and from what the seats added.",
              "The cards are as promised: all {n} draws were derived again from the secret and from what the seats"
              " added.", cards),
        say("Promised before the deal (SHA-256 of the secret): {hash}", hash=proof.promise),
        *(added(whose(record, seat), text) for seat, text in enumerate(proof.contributions)),
        *(bound(record, arguments) if CHAIN in record.notes else unbound(record)),
    ]  # fmt: skip
    lines += about_words(record, proof.contributions)
    if not arguments.promise:
        lines.append(say("Compare it with the hash that the table showed you before the deal (--promise does)."))
    for line in lines:
        tell(words.words(line))
    return 0


def bound(record: Record, arguments: argparse.Namespace) -> Iterator[Text]:
    """What the chain of a record proves, and who signed its head."""
    from hexdeck.tables.model.entries import RETRACT
    from hexdeck.tables.model.fair_chain import chain_of
    from hexdeck.tables.signatures import can_sign

    chain = chain_of(record)
    text = _(
        "Options, seats, names, words and all {events} events in their order are as the table's chain holds them."
        " Only who is behind a name it can't tell: a person may be a bot."
    )
    yield say(text, events=len(record.events))
    backs = sum(link.kind == RETRACT for link in chain.links)
    if backs:
        yield say_n("{n} choice was taken back (retract) while others still chose: of it the chain shows only a hash.",
                    "{n} choices were taken back (retract) while others still chose: of each the chain shows only a"
                    " hash.", backs)  # fmt: skip
    yield say("Head of the chain: {head}", head=chain.heads[-1])
    if arguments.head:
        yield say("The head that you noted is in the chain: nothing before it was changed.")
    else:
        yield say("Whoever keeps the server could have made the chain anew: a head that you noted before shows that"
                  " (--head).")  # fmt: skip
    signed = chain.signed
    if signed is None:
        yield say("No server signed it: whoever has the record could have made the chain anew.")
    elif not can_sign():
        text = _("Its signature wasn't checked; pip install '.[push]' in Hexdeck's folder installs what checks it.")
        yield say(text)
    else:
        yield say("Signed on {day} with the key {public}", day=signed.day, public=signed.key)
        if not arguments.key:
            yield say("Compare the key with the one that the server shows under /api/keys for that day (--key does).")


def about_words(record: Record, words: Sequence[str]) -> Iterator[Text]:
    """Whether somebody who knew the secret could have chosen the cards: with the secret, or with words added last."""
    from hexdeck.engine.play.record import CHAIN
    from hexdeck.tables.model.fair_chain import all_sealed, chain_of, kept_back

    chain = chain_of(record) if CHAIN in record.notes else None
    back = kept_back(chain, words) if chain else []
    for seat in back:
        text = _("{seat} sealed words and didn't show them: the cards were dealt without. Shown, they had been others.")
        yield say(text, seat=whose(record, seat))
    if not any(words):
        yield say("Nobody added words, so whoever drew the secret could have picked one for its cards.")
    elif back or chain is None or not all_sealed(chain, words):
        yield say("Whoever keeps the server and played could have added words last, knowing the secret: look at them.")
    else:
        yield say("All words were sealed before any were shown: nobody could choose theirs last.")


def unbound(record: Record) -> list[Text]:
    """What a record without a chain doesn't prove."""
    text = _(
        "This record has no chain, so it proves only the cards. Names, bots, moves and options are as the file has"
        " them: nothing proves who chose what, or by which options it was played."
    )
    return [say(text), *unproved(record)]


def unproved(record: Record) -> list[Text]:
    """The options of a record that aren't defaults, and whether its match goes on."""
    from hexdeck.lab.reporting.wording import changed_options
    from hexdeck.simulation.game import load

    match = load(record, backend="interpreted")
    other = ", ".join(changed_options(match.game))
    lines = [say("Options in the file: {options}.", options=other or say("the usual ones"))]
    return lines if match.over else [*lines, say("The match in the file isn't over.")]


def whose(record: Record, seat: int) -> Text:
    """A seat, by its number and the name of who sat there."""
    from hexdeck.engine.play.record import clean_name

    name, number = clean_name(record.seats[seat].get("name")), seat + 1  # as people count
    return say("Seat {seat} ({name})", seat=number, name=name) if name else say("Seat {seat}", seat=number)


def added(seat: Text, text: str) -> Text:
    """What a seat added."""
    return say("{seat} added {text}.", seat=seat, text=repr(text)) if text else say("{seat} added nothing.", seat=seat)
