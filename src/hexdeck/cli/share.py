"""`hexdeck share` writes a variant with its figures to a file, `hexdeck open` shows one and makes its figures again."""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shlex import join

from hexdeck.cli.command_line import chosen_setup, chosen_table
from hexdeck.cli.compile import ticking
from hexdeck.cli.output import ENGLISH, CommandResult, make_console, show_table, tell, write_file
from hexdeck.engine.errors import BadOption, unreadable
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Catalogue, say
from hexdeck.lab.reporting.measures import Section
from hexdeck.lab.reporting.wording import changed_options, longer_at_tables, spelled, unbroken, variant_named
from hexdeck.lab.sharing import LARGEST, SharedVariant, agreement, from_file, from_link
from hexdeck.lab.workshop import Figures, Inquiry, Measurement, bots_for, figures_of


def share(arguments: argparse.Namespace, _catalogue: Catalogue) -> CommandResult:
    """Measure a variant beside the match that tables play, and write the file."""
    game = chosen_table(arguments)
    bots = chosen_setup(game, arguments).seated
    for bot in bots:
        if bot not in bots_for(game):
            raise BadOption(say("A shared variant is played by one of {bots}.", bots=", ".join(bots_for(game))))
    original = GameSetup.at_table(game.definition.original or game.name, game.players)  # of a fork
    against = None if game == original else original
    inquiry = Inquiry(game, bots, against, arguments.seed, arguments.games, arguments.sample)
    shared = SharedVariant.of(inquiry, measured(inquiry, arguments.threads))
    write_file(shared.text, ENGLISH, arguments.file)
    return CommandResult(ENGLISH, lambda: show(shared, str(arguments.file)), lambda: shared.data)


def opened(arguments: argparse.Namespace, _catalogue: Catalogue) -> CommandResult:
    """Show a variant; with --again, whether its figures come out again."""
    shared = from_link(arguments.file) if arguments.file.startswith(("http:", "https:")) else read(Path(arguments.file))
    verdict, status, data = "", 0, shared.data
    if arguments.again:
        verdict = agreement(shared, measured(shared.again, arguments.threads))
        data, status = data | {"agreement": verdict}, int(not verdict.startswith("They agree"))

    def tell_all() -> None:
        show(shared, arguments.file)
        if verdict:
            tell(verdict)

    return CommandResult(ENGLISH, tell_all, lambda: data, status=status)


def read(path: Path) -> SharedVariant:
    """The variant in a file; raises HexdeckError."""
    try:
        with path.open("rb") as file:
            return from_file(file.read(LARGEST + 1))
    except OSError as error:
        raise unreadable(path, error) from None


def measured(inquiry: Inquiry, threads: int) -> Figures:
    """The figures of an inquiry, with a progress bar."""
    with ThreadPoolExecutor(threads) as pool, ticking(inquiry.game.name) as tick:
        measurement, ticked = Measurement(inquiry, threads, pool), 0
        while not measurement.done:
            measurement.step()
            played = len(measurement.side.statistics)
            tick("games", played - ticked, inquiry.games)
            ticked = played
        return figures_of(measurement)


def show(shared: SharedVariant, file: str) -> None:
    """Print the figures, and what can be done with the variant."""
    inquiry, figures, console = shared.inquiry, shared.figures, make_console()
    game = inquiry.game
    console.print(f"{game.table.ABOUT.title}, {game.players} players", style="bold")
    rules = f"This variant: {variant_named(game)} ({', '.join(changed_options(game)) or 'the usual options'})."
    if inquiry.against is not None:
        rules += f" Beside it, on the same cards: {variant_named(inquiry.against)}."
    for line in (rules, *longer_at_tables(game), shared.origin):
        console.print(unbroken(line), highlight=False, markup=False)
    for line in figures.found:
        console.print(f" • {unbroken(line)}", highlight=False, markup=False)
    heads = ("figure", "this variant", "difference")[: 2 if inquiry.against is None else 3]
    seats = {"shares": "comes first, " if figures.place == 0 else "loses, ", "results": f"{figures.unit}, "}
    rows = [(seats.get(row.group, "") + row.title, row.value, row.difference)[: len(heads)] for row in figures.rows]
    show_table(console, Section("figures", "Figures", heads, tuple(rows)))
    usual = GameSetup.at_table(game.name, game.players).options
    changed = spelled(game, [name for name, value in game.options.items() if value != usual[name]])
    for title, command, options in (
        ("Play it", "play", changed),
        ("Print it", "print", changed_options(game)),
        ("Make the figures again", "", []),
    ):
        typed = ["hexdeck", command or "open", game.name if command else file]
        typed += ["--players", str(game.players)] if command else ["--again"]
        typed += [word for option in options for word in ("--option", option)]
        console.print(f"{title}: {join(typed)}", highlight=False, markup=False, soft_wrap=True)
