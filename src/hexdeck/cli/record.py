"""What can be done with the record of a match: `hexdeck replay` steps through it, `hexdeck verify` checks its cards."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexdeck.cli.command_line import chosen_game, chosen_seat, spell_out_size, whole_name
from hexdeck.cli.output import CommandResult, head, tell
from hexdeck.engine.text import Catalogue, Text, say, say_n
from hexdeck.terminal.screen import put

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match
    from hexdeck.engine.play.record import Record
    from hexdeck.engine.view import Beat
    from hexdeck.terminal.screen import Screen


# --- hexdeck replay ---------------------------------------------------------------------------------------------------
def replay(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Show the match: step by step at a terminal, through a pipe as a list of what happened."""
    from rich.console import Console

    from hexdeck.engine.discovery.finding import game_words
    from hexdeck.simulation.game import load
    from hexdeck.terminal.screen import Screen

    match = load(arguments.file, backend="interpreted") if arguments.number is None else simulated(arguments)
    chosen = chosen_seat(arguments.seat, match.game.players)
    seat = -1 if chosen is None else chosen
    console = Console(highlight=False, markup=False, emoji=False)
    match.names = tuple(player_names(match, catalogue))
    own = game_words(match.game.name, catalogue.lang, match.names)
    screen = Screen.of(console, own, match.game.table.ABOUT.title)
    if arguments.ply is not None:
        match.go(arguments.ply)

    def print_it() -> None:
        if arguments.ply is not None:
            show(console, screen, match, seat, 0)
        elif sys.stdin.isatty() and console.is_terminal:
            step(console, screen, match, seat)
        else:
            tell_all(console, screen, match, seat)

    return CommandResult(own, print_it, lambda: figures(match, seat, arguments.ply, own))


def figures(match: Match, seat: int, ply: int | None, own: Catalogue) -> dict[str, Any]:
    """The position after so many events, at the end where none is given, and all that was told, as a seat saw it."""
    match.go(match.length if ply is None else ply)
    sentences = [
        [own.words(fact.text) for fact in facts if fact.heard_by(seat)] for facts in match.narration()[: match.ply]
    ]
    at = {"seat": None if seat < 0 else seat, "ply": match.ply, "length": match.length, "over": match.over}
    returns = [*match.returns()] if match.over else None
    story = {"returns": returns, "narration": sentences, "view": match.view(seat).data()}
    return head("replay", match.game) | at | story


def player_names(match: Match, catalogue: Catalogue) -> list[str]:
    """The players' names; seats without one are counted from 1, as people do."""
    numbered = [catalogue.words(say("Seat {number}", number=seat + 1)) for seat in range(match.game.players)]
    return [*match.names, *numbered[len(match.names) :]]


def simulated(arguments: argparse.Namespace) -> Match:
    """The game of a number that bots play, at its end; also written as a record if asked for."""
    from hexdeck.engine.play.game import quickest_backend
    from hexdeck.files import unwritable
    from hexdeck.lab.log import SimulationSetup, matches

    arguments.game, bots = whole_name(arguments.file), arguments.bots
    spell_out_size(arguments)
    game = chosen_game(arguments)
    setup = SimulationSetup(game, bots, arguments.seed, backend=quickest_backend(game.definition))
    match = next(matches(setup, 1, arguments.number))
    if arguments.record is not None:
        seats = [{"name": f"{name} {seat}", "bot": name} for seat, name in enumerate(bots * game.players, 1)]
        try:
            match.record(seats=seats[: game.players]).save(arguments.record)
        except OSError as error:
            raise unwritable(arguments.record, error) from None
    return match


def show(console: Any, screen: Screen, match: Match, seat: int, since: int) -> None:
    """Print the position, with the lines of the log since a ply."""
    from hexdeck.engine.play.score import headlines

    view = replace(match.view(seat), moves=())  # a number typed here is a ply
    news = match.facts(seat, since)
    if match.over:
        result = screen.result(view, match.returns(), headlines(match, seat))
        lines = screen.end(view, news, result, 1)
    else:
        lines = screen.draw(view, news)
    put(console, lines)


def tell_all(console: Any, screen: Screen, match: Match, seat: int) -> None:
    """Print everything that happened, and the end."""
    match.go(match.length)
    for ply in range(match.length):
        for fact in [fact.text for fact in match.narration()[ply] if fact.heard_by(seat)]:
            console.print(f"{ply + 1:>4}  {screen.say(fact)}", soft_wrap=True)
    show(console, screen, match, seat, match.length)


def step(console: Any, screen: Screen, match: Match, seat: int) -> None:
    """Step forward, beat by beat, and back until the person leaves."""
    from hexdeck.terminal.rulebook import ask

    match.go(next_told(match, 0, 1, seat))
    since = 0
    steps: list[Beat | None] = []  # what is shown next: beats that lead to the position; None: the position
    while True:
        console.clear()
        beat = steps.pop(0) if steps else None
        if beat:
            show_beat(console, screen, match, seat, beat)
        else:
            show(console, screen, match, seat, since)
        keys = say(
            "ply {ply} of {length} · Enter next · b back · e end · a number jumps there · q quit",
            ply=match.ply,
            length=match.length,
        )
        typed = ask(screen.say(keys) + "  ")
        if typed == "q":
            return
        if typed == "l":
            put(console, [line for fact in match.facts(seat) for line in screen.wrapped(fact)])
            ask("")
        elif typed or not steps:
            since = match.ply
            steps = go_on(match, seat, typed)
            since = min(since, max(0, match.ply - 1))


def go_on(match: Match, seat: int, typed: str) -> list[Beat | None]:
    """Go where what was typed leads; returns what to show then: for a step forward its beats, at last the position."""
    from hexdeck.engine.play.story import beats

    since = match.ply
    if typed.isdecimal():
        match.go(min(int(typed[:9]), match.length))
    else:
        match.go(match.length if typed == "e" else next_told(match, match.ply, -1 if typed == "b" else 1, seat))
    return [None] if typed else [*beats(match, seat, since)[:-1], None]


def show_beat(console: Any, screen: Screen, match: Match, seat: int, beat: Beat) -> None:
    """Print the table as it is at a beat."""
    view = replace(match.view(seat), zones=beat.zones, moves=(), acting=(), over=False, outcome_texts=())
    if beat.line:
        view = replace(view, prompt=beat.line)
    put(console, screen.draw(view, []))


def next_told(match: Match, ply: int, step: int, seat: int) -> int:
    """The nearest ply in a direction at which the seat was told something; else the first or last."""
    at = match.ply
    match.go(match.length)
    narration = match.narration()
    match.go(at)
    ply += step
    while 0 < ply < match.length and not any(fact.heard_by(seat) for fact in narration[ply - 1]):
        ply += step
    return max(0, min(ply, match.length))


# --- hexdeck verify ---------------------------------------------------------------------------------------------------
def verify(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Check a record, and print what was found; raises BadRecord for one that was changed."""
    from hexdeck.engine.play.record import read
    from hexdeck.tables.fair import proof_of
    from hexdeck.tables.fair import verify as verified

    record = read(arguments.file)
    cards = verified(record, arguments.promise)
    proof = proof_of(record)
    lines = [
        say_n(
            "The cards are as promised: {n} draw was derived again from the secret and from what the seats added.",
            "The cards are as promised: all {n} draws were derived again from the secret and from what the seats"
            " added.",
            cards,
        ),
        say("Promised before the deal (SHA-256 of the secret): {hash}", hash=proof.promise),
        *(added(record, seat, text) for seat, text in enumerate(proof.contributions)),
        *unproved(record),
        say("Whoever keeps the server and played could have added words last, knowing the secret: look at them.")
        if any(proof.contributions)
        else say("Nobody added words, so whoever drew the secret could have picked one for its cards."),
    ]
    if not arguments.promise:
        lines.append(say("Compare it with the hash that the table showed you before the deal (--promise does)."))
    for line in lines:
        tell(catalogue.words(line))
    return 0


def unproved(record: Record) -> list[Text]:
    """What the cards don't prove: who played, the options that aren't defaults, and whether the match goes on."""
    from hexdeck.lab.reporting.wording import changed_options
    from hexdeck.simulation.game import load

    match = load(record, backend="interpreted")
    changed = ", ".join(changed_options(match.game))
    lines = [
        say("Only the cards are proved. Names, bots, moves and options are as the file has them."),
        say("Options in the file: {options}.", options=changed or say("the usual ones")),
    ]
    return lines if match.over else [*lines, say("The match in the file isn't over.")]


def added(record: Record, seat: int, text: str) -> Text:
    """What a seat added to the secret; it is told by its number and the name of who sat there."""
    from hexdeck.engine.play.record import clean_name

    name, number = clean_name(record.seats[seat].get("name")), seat + 1  # as people count
    player = say("Seat {seat} ({name})", seat=number, name=name) if name else say("Seat {seat}", seat=number)
    return (
        say("{seat} added {text}.", seat=player, text=repr(text)) if text else say("{seat} added nothing.", seat=player)
    )
