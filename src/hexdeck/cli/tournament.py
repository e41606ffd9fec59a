"""`hexdeck tournament GAME BOT …`: bots, programs and models on the same deals, all together or pair by pair."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.bot_names import OUTSIDE, spoken
from hexdeck.cli import output
from hexdeck.cli.command_line import chosen_game
from hexdeck.cli.compile import ticking
from hexdeck.cli.output import ENGLISH, CommandResult, head, make_console, tell
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, Text, count, number, say, signed

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.engine.study import ResultUnit
    from hexdeck.research.rating import Contest, Ladder
    from hexdeck.research.tournament import Tournament
    from hexdeck.simulation.game import Game

MOST_DEALS = 1_000_000
DEALS, LADDER_DEALS = 20, 200  # by default
LEVELS = "levels"  # in place of a bot's name
PLACES = ("first", "last")  # whose shares are printed
LARGE = 10  # from this scale on a unit is small: one decimal will do
WHY = {"nonsense": "no move in it", "illegal": "an illegal move", "several": "several moves", "silent": "none in time"}
RATED = "bot", "Elo rating", "± (95 %)"  # columns of ratings


# --- all together -----------------------------------------------------------------------------------------------------
def run(arguments: argparse.Namespace, _catalogue: Catalogue) -> CommandResult | int:
    """Play all against all, or with --ladder pair by pair, with a progress bar."""
    if arguments.ladder:
        return climbed(arguments)
    from hexdeck.bots.players import programs
    from hexdeck.bots.players.simulation_bots import check
    from hexdeck.research import models
    from hexdeck.research.tournament import TournamentSetup, player_named, seatings, tournament, tournament_file

    arguments.deals, game = arguments.deals or DEALS, chosen_game(arguments)
    bots = tuple(bots_named(game, arguments.bots))
    setup = TournamentSetup(game, bots, arguments.seed, arguments.think, arguments.tries)
    for name in bots:
        if name.startswith(OUTSIDE):
            player_named(name, setup)
            if name.startswith((programs.PREFIX, models.PREFIX)):
                programs.check_command(name)
        else:  # without machine code: a file of something else is refused before any is made
            check(game, name)
    file = tournament_file(arguments.resume, setup)
    total = arguments.deals * len(seatings(setup.game.players, setup.bots))
    try:
        with ticking(setup.game.name) as tick:
            settings: Any = {"jobs": arguments.jobs, "transcripts": models.Transcripts(arguments.transcripts)}
            outcome = tournament(setup, arguments.deals, lambda done: tick("games", done, total), file=file, **settings)
    except KeyboardInterrupt:  # before there was anything to print
        tell(str(output.how_to_go_on(arguments.resume)), sys.stderr)
        return 130
    interrupted = outcome.deals < arguments.deals
    return CommandResult(
        ENGLISH,
        lambda: print_tournament(outcome),
        lambda: figures(outcome, interrupted=interrupted),
        interrupted=interrupted,
    )


def bots_named(game: Game, names: Sequence[str]) -> list[str]:
    """Bots by their names; `levels` stands for all levels of the game, after a random bot."""
    from hexdeck.bots.players.levels import CALIBRATION, levels_of
    from hexdeck.research.rating import check_differ

    levels = levels_of(game)
    all_levels = [CALIBRATION, *levels] if levels else ["random", "gentle", "house"]
    bots = [bot for name in names for bot in (all_levels if name == LEVELS else [name])]
    check_differ(bots)  # before anything is compiled
    return bots


def figures(outcome: Tournament, *, interrupted: bool) -> dict[str, Any]:
    """Ratings and the crosstable as data."""
    from hexdeck.lab.reporting.tables import estimate_fields

    bots, cross = outcome.setup.bots, outcome.crosstable()
    ratings: list[dict[str, Any]] = []
    for name, rating in zip(bots, outcome.ratings(), strict=True):
        about = {"bot": name, "rating": estimate_fields(rating), "first": estimate_fields(outcome.means(name))}
        ratings.append(about | {"forfeits": len(outcome.forfeits(name))})
    table = [{"bot": a, "among": b, "ahead": estimate_fields(estimate)} for (a, b), estimate in cross.items()]
    models = {name: outcome.counts_of(name).data() for name in models_of(outcome)}
    fields = head("tournament", outcome.setup.game, interrupted=interrupted)
    fields |= {"seed": outcome.setup.seed, "deals": outcome.deals, "ratings": ratings}
    return fields | {"crosstable": table, "models": models, "games": [game.data() for game in outcome.games]}


def print_rows(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a table of cells that are texts or strings."""
    from rich.table import Table

    table = Table(title=title)
    for column in columns:
        table.add_column(column, justify="right", overflow="fold")
    for row in rows:
        table.add_row(*map(str, row))
    make_console().print(table)


def print_tournament(outcome: Tournament) -> None:
    """Print ratings, the crosstable, how the bots were seated, and some forfeits."""
    from hexdeck.lab.reporting.measures import percent_of_whole

    console, game, bots = make_console(), outcome.setup.game, outcome.setup.bots
    rows: list[tuple[Any, ...]] = []
    for name, rating in zip(bots, outcome.ratings(), strict=True):
        first, lost = percent_of_whole(outcome.means(name)), str(len(outcome.forfeits(name)))
        rows.append((spoken(name), signed(rating.value, 0), number(rating.margin, 0), first, lost))
    print_rows(title_of(game), (*RATED, "comes first", "lost by rule"), rows)
    cross = outcome.crosstable()
    print_rows(
        "How often the bot of the row is ahead of that of the column, in percent",
        (RATED[0], *map(spoken, bots)),
        [
            (spoken(bot), *("–" if bot == rival else percent_of_whole(cross[bot, rival]) for rival in bots))
            for bot in bots
        ],
    )
    if models_of(outcome):
        print_models(outcome)
    console.print(seating_text(outcome))
    for name in bots:
        for forfeit in outcome.forfeits(name)[:3]:
            console.print(f" • {spoken(name)} lost a game by rule: {forfeit.why}", highlight=False, markup=False)


def models_of(outcome: Tournament) -> list[str]:
    """The language models that take part."""
    from hexdeck.research.models import is_model

    return [name for name in outcome.setup.bots if is_model(name)]


def print_models(outcome: Tournament) -> None:
    """Print what language models were asked, refused answers by reason, random moves in their place, and seconds."""
    rows: list[tuple[Any, ...]] = []
    for name in models_of(outcome):
        counts = outcome.counts_of(name)
        why = [f"{WHY.get(reason, reason)}: {times}" for reason, times in sorted(counts.refused.items())]
        refused = f"{counts.refused.total()} ({', '.join(why)})" if why else "0"
        seconds = number(counts.seconds / counts.asked, 2) if counts.asked else "–"
        rows.append((name, str(counts.asked), refused, str(counts.fallbacks), seconds))
    title = f"Language models: a random move is made after {outcome.setup.tries} refused answers"
    columns = "moves asked", "answers refused", "random moves", "seconds a move"
    print_rows(title, (RATED[0], *columns), rows)


def seating_text(outcome: Tournament) -> str:
    """How the bots were seated, in a sentence."""
    from hexdeck.research.tournament import count_seatings, seatings

    players, bots = outcome.setup.game.players, outcome.setup.bots
    played, possible = len(seatings(players, bots)), count_seatings(players, bots)
    if played == possible:
        return f"On each deal they sat in all {possible} ways that have different bots at the table."
    return (
        f"On each deal they sat in {played} of {possible} ways: each alone among each other on every seat, and all "
        "in turn round the table."
    )


# --- pair by pair -----------------------------------------------------------------------------------------------------
def climbed(arguments: argparse.Namespace) -> CommandResult:
    """Measure bots pair by pair, and store the levels where that is asked for."""
    from hexdeck.research.rating import keep

    game = chosen_game(arguments)
    if arguments.save:
        check_storable(arguments, game)
    ladder = played(game, arguments)
    if arguments.save and not ladder.interrupted:
        keep(game, ladder.contests, command(arguments, game))
    return CommandResult(
        ENGLISH,
        lambda: print_ladder(game, ladder),
        lambda: ladder_figures(game, ladder.contests, ladder),
        interrupted=ladder.interrupted,
    )


def played(game: Game, arguments: argparse.Namespace) -> Ladder:
    """Play a ladder; raises KeyboardInterrupt where it was interrupted before there was anything to print."""
    from hexdeck.bots.players.levels import USUAL
    from hexdeck.cli.compile import prepare
    from hexdeck.research.rating import ContestLog, ladder, pairs_of
    from hexdeck.simulation.simulate import check_bots

    bots = bots_named(game, arguments.bots)
    for name in bots:
        check_bots(game, name)
    near, log = [USUAL] if arguments.save else None, None
    if arguments.resume is not None:
        log = ContestLog(arguments.resume, game, arguments.seed)
    prepare(game.name, ENGLISH)
    deals, seconds = deals_asked(arguments), 60 * float(arguments.minutes or "inf")
    with timed_bar(str(game.table.ABOUT.title), deals * len(pairs_of(bots, near)), seconds) as tick:
        return ladder(game, bots, deals, arguments.seed, tick, seconds, near, arguments.stop_when_clear, log)


def deals_asked(arguments: argparse.Namespace) -> int:
    """How many deals each pair plays at most."""
    return int(arguments.deals or (MOST_DEALS if arguments.minutes else LADDER_DEALS))


def check_storable(arguments: argparse.Namespace, game: Game) -> None:
    """Raise BadOption unless all levels are measured with the usual options, on enough deals, and can be stored."""
    from hexdeck.bots.players.levels import ENOUGH, levels_file, levels_of

    if arguments.bots != [LEVELS] or game != game.usual():
        raise BadOption(
            say("--save stores how the levels do with the usual options: name levels alone, and leave out --option.")
        )
    if deals_asked(arguments) < ENOUGH:
        raise BadOption(say("--save needs at least {least} deals: fewer say next to nothing.", least=ENOUGH))
    if not output.can_hold(levels_file(game)):
        raise BadOption(say("The levels of {game} can't be stored here: the package isn't writable.", game=game.name))
    if not levels_of(game):
        raise BadOption(say("{game} has no levels yet: name them in its levels.json first.", game=game.name))


def command(arguments: argparse.Namespace, game: Game) -> str:
    """The command that measures the same again."""
    parts = ["hexdeck", "tournament", game.name, LEVELS, "--ladder", "--players", game.players]
    for key in ("deals", "minutes", "stop_when_clear", "seed"):
        value = getattr(arguments, key)
        parts += [f"--{key.replace('_', '-')}", value] if value is not None else []
    return " ".join(map(str, [*parts, "--save"]))


@contextmanager
def timed_bar(about: str, deals: int, seconds: float) -> Iterator[Callable[[], None]]:
    """A progress bar with the time left, on a terminal; it ends after so many deals or seconds, what comes first."""
    from rich.progress import Progress

    console = make_console(stderr=True)
    with Progress(
        *output.columns(ENGLISH), console=console, transient=True, disable=not sys.stderr.isatty()
    ) as progress:
        task, began, played = progress.add_task(about, total=1.0, played=0), time.monotonic(), 0

        def tick() -> None:
            nonlocal played
            played += 1
            part = max(played / max(1, deals), (time.monotonic() - began) / seconds)
            progress.update(task, completed=min(1.0, part), played=played)

        yield tick


def ladder_figures(game: Game, contests: Sequence[Contest], ladder: Ladder | None = None) -> dict[str, Any]:
    """Ratings, if there are any, and contests as data: of each column the mean and its 95 % interval."""
    rated = [] if ladder is None else zip(ladder.bots, ladder.ratings, ladder.margins, strict=True)
    fields = head("ladder", game, interrupted=any(contest.interrupted for contest in contests))
    fields["ratings"] = [{"bot": name, "rating": rating, "margin": margin} for name, rating, margin in rated]
    fields["contests"] = rows = []
    for contest in contests:
        row: dict[str, Any] = {"bot": contest.one, "among": contest.others, "deals": len(contest.groups)}
        row["ms"] = contest.ms
        for name in ("utility", "first", "last", "ahead", "gain"):
            (mean, _half), (low, high) = contest.mean(name), contest.ends(name)
            row[name] = {"mean": mean, "margin": (high - low) / 2, "low": low, "high": high}
        rows.append(row)
    return fields


def title_of(game: GameSetup) -> str:
    """The title of a table of ratings."""
    return f"{game.table.ABOUT.title}, {game.players} players"


def print_ladder(game: Game, ladder: Ladder) -> None:
    """Print the ratings, and the contests."""
    rated = zip(ladder.bots, ladder.ratings, ladder.margins, strict=True)
    ratings = [(spoken(name), signed(rating, 0), number(margin, 0)) for name, rating, margin in rated]
    print_rows(title_of(game), RATED, ratings)
    rows = []
    for contest in ladder.contests:
        shares = []
        for column in PLACES:
            value, low, high = (number(100 * share, 1) for share in (contest.mean(column)[0], *contest.ends(column)))
            shares.append(f"{value}\n{low}–{high}")
        gain = str(gain_number(game.measure, *contest.mean("gain"))).replace(" ±", "\n±")
        deals = count(len(contest.groups))
        rows.append((spoken(contest.one), spoken(contest.others), deals, gain, *shares, output.rounded(contest.ms)))
    unit = str(say(game.measure.gap, number="")).strip() or game.measure.unit
    title = (
        f"One bot among others: how far it ends a match above the table's mean ({unit}), how often it comes first and "
        "last, with 95 % intervals; milliseconds a choice"
    )
    columns = RATED[0], "among", "deals", "above\nmean", "first, %", "last, %", "ms"
    print_rows(title, columns, rows)


# --- gains, in the units in which people read results: chips, points, wins in 100 -------------------------------------
def gain_text(measure: ResultUnit, mean: float, margin: float | None = None) -> Text:
    """A gain in utility, and the half-width of its interval, in people's units."""
    return say(measure.gap, number=gain_number(measure, mean, margin))


def gain_number(measure: ResultUnit, mean: float, margin: float | None = None) -> Text | str:
    """A gain in people's units, without their name."""
    digits = 1 if measure.scale >= LARGE else 3
    text: Text | str = signed(mean * measure.scale, digits)
    if margin is not None:
        text = say("{number} ±{margin}", number=text, margin=number(margin * measure.scale, digits))
    return text


def gain_a_match(measure: ResultUnit, mean: float, margin: float | None = None) -> Text:
    """A gain in one match, said so unless the unit counts matches anyway."""
    gain = gain_text(measure, mean, margin)
    return gain if measure.whole else say("{gain} a match", gain=gain)
