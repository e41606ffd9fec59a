"""`hexdeck tournament GAME BOT BOT …`: our bots and external programs on the same deals."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept, spoken
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell, worded
from hexdeck.cli.output import make_console, ticking
from hexdeck.cli.parser import (
    add_game,
    add_game_arguments,
    add_json,
    add_seed,
    check_file,
    check_range,
    chosen_game,
    needs,
)
from hexdeck.engine.number_words import number, signed
from hexdeck.engine.text import Catalogue, Text, say

if TYPE_CHECKING:
    from hexdeck.research.tournament import GameRecord, Tournament, TournamentSetup

ABOUT = say("rate bots, programs and language models on the same deals")
EXAMPLES = (
    "hexdeck tournament hawthorn easy house best --players 2",
    "hexdeck tournament hawthorn house 'run:python3 my_bot.py'",
    "hexdeck tournament hawthorn hard prompt:./my_model.py --transcripts a.jsonl",
    "hexdeck tournament hawthorn 'chat:https://HOST/v1/chat/completions#MODEL' hard",
)
MOST_DEALS, MOST_THINK, MOST_JOBS, MOST_TRIES = 1_000_000, 3600, 1000, 100
DEALS, THINK, TRIES = 20, 10.0, 3  # by default
WHY = {
    "empty": say("empty"), "nonsense": say("no move in it"), "illegal": say("an illegal move"),
    "several": say("several moves"), "silent": say("none in time"),
}  # fmt: skip
EVERY = 10.0  # seconds from one time that the file is written to the next


def add(parser: argparse.ArgumentParser, text: Any) -> None:
    """`hexdeck tournament GAME BOT BOT … [--players N] [--deals N] [--think S] [--out FILE]`."""
    add_game(parser, text)
    parser.add_argument(
        "bots", nargs="+", type=kept, metavar=text(say("BOT")),
        help=text(say("a bot; run:COMMAND for a program that reads views and answers moves; prompt:COMMAND for one "
                      "that reads a prompt and writes its answer; chat:URL#MODEL for a model behind an endpoint of the "
                      "chat-completions format, its key in $HEXDECK_CHAT_KEY; two or more")),
    )  # fmt: skip
    add_game_arguments(parser, text)
    about = default(say("number of deals, each played in all seatings"), DEALS)
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=text(about))
    add_seed(parser, text, 1)
    parser.add_argument(
        "--think", type=float, default=THINK, metavar=text(say("SECONDS")),
        help=text(default(say("seconds that a program has for a move before it loses the game, or a model for "
                              "an answer"), f"{THINK:g}")),
    )  # fmt: skip
    parser.add_argument(
        "--tries", type=int, default=TRIES, metavar="N",
        help=text(default(say("answers of a model to a question before a random move is made for it"), TRIES)),
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N",
        help=text(default(say("number of games at once, each with its own programs; changes no result"), 1)),
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar=text(say("FILE")),
        help=text(say("write a row for each game to this file, as Parquet; resumes what is there (default: no file)")),
    )  # fmt: skip
    parser.add_argument(
        "--transcripts", type=Path, metavar=text(say("FILE")),
        help=text(say("add what models were asked and answered to this file, a line of JSON for each question "
                      "(default: no file)")),
    )  # fmt: skip
    add_json(parser, text)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Play with a progress bar, then print ratings and the crosstable."""
    needs("lab", "pandas", "pyarrow")
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.research.language.models import Transcripts
    from hexdeck.research.tournament import seatings, tournament

    setup = chosen_tournament(arguments)
    catalogue = game_words(setup.game.name, words.lang)
    before, keep = storage(arguments.out, setup)
    total = arguments.deals * len(seatings(setup.game.players, setup.bots))
    try:
        with ticking(catalogue, setup.game.name) as tick:
            found = tournament(
                setup, arguments.deals, lambda done: tick(say("games"), done, total), before=before, keep=keep,
                jobs=arguments.jobs, transcripts=Transcripts(arguments.transcripts),
            )  # fmt: skip
    except KeyboardInterrupt:
        go_on(arguments, catalogue)
        return 130
    give(figures(found, interrupted=found.deals < arguments.deals), arguments, catalogue)
    if not alone(arguments):
        print_tournament(found, catalogue)
    if found.deals == arguments.deals:
        return 0
    go_on(arguments, catalogue)
    return 130


def chosen_tournament(arguments: argparse.Namespace) -> TournamentSetup:
    """The tournament that the arguments name; raises HexdeckError before anything is played."""
    from hexdeck.research.tournament import TournamentSetup, player_named

    setup = TournamentSetup(
        chosen_game(arguments), tuple(arguments.bots), arguments.seed, arguments.think, arguments.tries
    )
    check_range("deals", arguments.deals, 2, MOST_DEALS)
    check_range("think", arguments.think, 0.01, MOST_THINK)
    check_range("jobs", arguments.jobs, 1, MOST_JOBS)
    check_range("tries", arguments.tries, 1, MOST_TRIES)
    check_file(arguments.out)
    check_file(arguments.transcripts)
    check_figures(arguments)
    for name in setup.bots:
        player_named(name, setup)
    return setup


def storage(file: Path | None, setup: TournamentSetup) -> tuple[list[GameRecord], Callable[[Tournament, bool], None]]:
    """The games in the file, and a function that writes it: every EVERY seconds, and at the end."""
    if file is None:
        return [], lambda _found, _last: None
    from hexdeck.research.tournament import load, manifest, save

    about, written = manifest(setup), time.monotonic()

    def keep(found: Tournament, last: bool) -> None:
        nonlocal written
        if last or time.monotonic() > written + EVERY:
            save(found, file, about)
            written = time.monotonic()

    return load(file, about), keep


def go_on(arguments: argparse.Namespace, catalogue: Catalogue) -> None:
    """Tell after an interrupt how to go on, if there is a file."""
    if arguments.out is not None:
        tell(catalogue.words(say("Interrupted: the same command resumes where it stopped.")), sys.stderr)


def figures(found: Tournament, *, interrupted: bool) -> dict[str, Any]:
    """Ratings and the crosstable as data."""
    from hexdeck.lab.reporting.exported import estimate_fields

    bots, cross = found.setup.bots, found.crosstable()
    ratings = [
        {"bot": name, "rating": estimate_fields(rating), "first": estimate_fields(found.means(name)),
         "forfeits": len(found.forfeits(name))} for name, rating in zip(bots, found.ratings(), strict=True)
    ]  # fmt: skip
    table = [{"bot": a, "among": b, "ahead": estimate_fields(each)} for (a, b), each in cross.items()]
    models = {name: found.asked(name).data() for name in models_of(found)}
    about = {"seed": found.setup.seed, "deals": found.deals, "ratings": ratings, "crosstable": table, "models": models}
    return head("tournament", found.setup.game, interrupted=interrupted) | about


def print_tournament(found: Tournament, catalogue: Catalogue) -> None:
    """Print ratings, the crosstable, how the bots were seated, and some forfeits."""
    from rich.table import Table

    from hexdeck.lab.reporting.measures import percent_of_whole

    t, console, game, bots = worded(catalogue), make_console(), found.setup.game, found.setup.bots
    ratings = Table(title=t(say("{title}, {players} players", title=game.table.ABOUT.title, players=game.players)))
    for column in (say("bot"), say("Elo rating"), say("± (95 %)"), say("comes first"), say("lost by rule")):
        ratings.add_column(t(column), justify="right", overflow="fold")
    for name, rating in zip(bots, found.ratings(), strict=True):
        first, lost = t(percent_of_whole(found.means(name))), str(len(found.forfeits(name)))
        ratings.add_row(spoken(name), t(signed(rating.value, 0)), t(number(rating.margin, 0)), first, lost)
    crosstable = Table(title=t(say("How often the bot of the row is ahead of that of the column, in percent")))
    cross = found.crosstable()
    for name in (t(say("bot")), *map(spoken, bots)):
        crosstable.add_column(name, justify="right", overflow="fold")
    for one in bots:
        scores = ["–" if one == other else t(percent_of_whole(cross[one, other])) for other in bots]
        crosstable.add_row(spoken(one), *scores)
    console.print(ratings)
    console.print(crosstable)
    if models_of(found):
        console.print(models_table(found, t))
    console.print(t(seating_text(found)))
    for name in bots:
        for each in found.forfeits(name)[:3]:
            text = say("{bot} lost a game by rule: {why}", bot=spoken(name), why=each.why)
            console.print(f" • {t(text)}", highlight=False, markup=False)


def models_of(found: Tournament) -> list[str]:
    """The language models that take part."""
    from hexdeck.research.language.models import is_model

    return [name for name in found.setup.bots if is_model(name)]


def models_table(found: Tournament, t: Callable[[Any], str]) -> Any:
    """What the language models were asked, refused answers by reason, random moves in their place, and seconds."""
    from rich.table import Table

    out = Table(title=t(say("Language models: a random move is made after {n} refused answers", n=found.setup.tries)))
    columns = say("bot"), say("moves asked"), say("answers refused"), say("random moves"), say("seconds a move")
    for column in columns:
        out.add_column(t(column), justify="right", overflow="fold")
    for name in models_of(found):
        asked = found.asked(name)
        why = [f"{t(WHY[reason])}: {times}" for reason, times in sorted(asked.refused.items())]
        refused = f"{asked.refused.total()} ({', '.join(why)})" if why else "0"
        seconds = t(number(asked.seconds / asked.asked, 2)) if asked.asked else "–"
        out.add_row(name, str(asked.asked), refused, str(asked.fallbacks), seconds)
    return out


def seating_text(found: Tournament) -> Text:
    """How the bots were seated, in a sentence."""
    from hexdeck.research.tournament import count_seatings, seatings

    players, bots = found.setup.game.players, found.setup.bots
    played, there = len(seatings(players, bots)), count_seatings(players, bots)
    if played == there:
        return say("On each deal they sat in all {n} ways that have different bots at the table.", n=there)
    return say("On each deal they sat in {n} of {all} ways: each alone among each other on every seat, and all in turn "
               "round the table.", n=played, all=there)  # fmt: skip
