"""How far from best play: `hexdeck solve` solves a game exactly, `hexdeck exploit` learns to beat a bot."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.bot_names import spoken
from hexdeck.cli.command_line import chosen_game
from hexdeck.cli.output import CommandResult, aside, head, how_to_go_on, tell
from hexdeck.cli.tournament import gain_a_match
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, Text, _, count, number, say, say_n

if TYPE_CHECKING:
    from hexdeck.engine.play.game import Sheet, Summary
    from hexdeck.engine.study import ResultUnit
    from hexdeck.research.training.exploit import Gain, Progress
    from hexdeck.simulation.game import Game

WIDTH = 79
ENDS = "games", "minutes", "steps"


# --- hexdeck solve ----------------------------------------------------------------------------------------------------
def solve(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Solve a game exactly."""
    from hexdeck.engine.discovery.definition import definition, playable
    from hexdeck.engine.discovery.finding import game_words, size_names

    chosen = chosen_game(arguments)
    if chosen.definition.solver is None:
        names = ", ".join(name for name in playable() if definition(name).solver)
        text = _(
            "There is no solver for {game}; there is one for {there}. How near CFR+ comes to best play on a small "
            "size: hexdeck benchmark {size} --algorithms cfr_plus."
        )
        raise BadOption(say(text, game=chosen.name, there=names, size=size_names(chosen.name)[0]))
    summary: Summary = chosen.definition.solver.SOLVER.summary(chosen, arguments.pot)
    own = game_words(chosen.name, catalogue.lang)
    return CommandResult(
        own,
        lambda: print(printed(summary, own.words)),
        lambda: head("solution", chosen) | {"pot": arguments.pot, **as_data(summary, own.words)},
    )


def as_data(summary: Summary, t: Callable[[Any], str]) -> dict[str, Any]:
    """The title, tables and notes as data, in words as they are printed."""
    sheets = []
    for sheet in summary.sheets:
        heads, *rows = words_of(sheet, t)
        note = t(sheet.note) if sheet.note else ""
        sheets.append({"title": t(sheet.title), "heads": heads, "rows": rows, "note": note})
    return {"title": t(summary.title), "sheets": sheets, "notes": [t(note) for note in summary.notes]}


def printed(summary: Summary, t: Callable[[Any], str]) -> str:
    """The whole summary, in lines of 79."""
    parts = [wrapped(t(summary.title)), *(sheet_lines(sheet, t) for sheet in summary.sheets)]
    parts.append([line for note in summary.notes for line in wrapped(t(note))])
    return "\n\n".join("\n".join(part) for part in parts)


def sheet_lines(sheet: Sheet, t: Callable[[Any], str]) -> list[str]:
    """A sheet, its columns as wide as their widest entry."""
    table = words_of(sheet, t)
    wide = [max(len(row[k]) for row in table) for k in range(len(sheet.heads))]
    lines = ["  " + "  ".join(entry.rjust(width) for entry, width in zip(row, wide, strict=True)) for row in table]
    rule = "  " + "  ".join("─" * width for width in wide)
    note = wrapped(t(sheet.note)) if sheet.note else []
    return [*wrapped(t(sheet.title)), lines[0].rstrip(), rule, *(line.rstrip() for line in lines[1:]), *note]


def words_of(sheet: Sheet, t: Callable[[Any], str]) -> list[list[str]]:
    """The heads and rows of a sheet in words."""
    return [[entry if isinstance(entry, str) else t(entry) for entry in row] for row in (sheet.heads, *sheet.rows)]


def wrapped(text: str) -> list[str]:
    """A sentence in lines of 79."""
    return textwrap.wrap(text, WIDTH)


# --- hexdeck exploit --------------------------------------------------------------------------------------------------
def exploit(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult | int:
    """Learn to beat a bot, printing the gain of each trial."""
    from hexdeck.engine.discovery.finding import game_words
    from hexdeck.research.training.exploit import ExploitPlan, Hunt

    game = chosen_game(arguments)
    ends = {name: value for name in ENDS if (value := getattr(arguments, name)) is not None}
    args = {"seed": arguments.seed, "seeds": arguments.seeds, "groups": arguments.deals, "choices": arguments.choices}
    args["wider"] = arguments.wider
    plan = ExploitPlan(arguments.bot, **args, **ends)
    size = f"{game.name}/{arguments.size}" if "size" in arguments else ""
    own, measure, stream = game_words(game.name, catalogue.lang), game.measure, aside(arguments)
    hunt = Hunt(game, plan, file=arguments.resume)
    try:
        gain = hunt.run(lambda progress: tell(own.words(progress_text(progress, measure, plan.choices)), stream))
    except KeyboardInterrupt:  # nothing can be measured
        tell(catalogue.words(how_to_go_on(arguments.resume)), sys.stderr)
        return 130
    return CommandResult(
        own,
        lambda: tell(" ".join(own.words(text) for text in [*conclusion(gain, measure), *bounds(gain, game, size)])),
        lambda: head("exploit", game, interrupted=gain.interrupted) | asdict(gain),
        interrupted=gain.interrupted,
    )


def progress_text(stage: Progress, measure: ResultUnit, all_choices: int) -> Text:
    """What is told while it runs."""
    if stage.imitation:
        return say(
            "Imitated from {choices} choices: in unseen matches the net gives the choice that is made {part} % on "
            "average, and {likeliest} % of choices are its likeliest.",
            choices=count(stage.imitation.choices),
            part=number(100 * stage.imitation.agreement, 1),
            likeliest=number(100 * stage.imitation.likeliest, 1),
        )
    if stage.trial is None:
        text = _("{choices} of {all} choices watched, about {left} s left")
        return say(text, choices=count(stage.choices), all=count(all_choices), left=count(round(stage.left)))
    text = _("learner {seed}, {games} games, {seconds} s: gains {gain}")
    worth = gain_a_match(measure, stage.trial.mean, stage.trial.margin)
    return say(
        text, seed=stage.seed, games=count(stage.trial.games), seconds=count(round(stage.trial.seconds)), gain=worth
    )


def conclusion(gain: Gain, measure: ResultUnit) -> list[Text]:
    """What was found, in four sentences."""
    gained = _(
        "An opponent who knows the bot {bot} gained {gain} (95 %, {groups} deals, each from every seat); another may "
        "gain more."
    )
    nothing = _("No gain was found against the bot {bot}: {gain} (95 %, {groups} deals, each from every seat).")
    effort = say_n(
        "The learner had {games} games and {seconds} s.",
        "It is the best of {n} learners, after {games} games and {seconds} s in all.",
        len(gain.curves),
        games=count(gain.games),
        seconds=count(round(gain.seconds)),
    )
    manner = say("It always made its likeliest move.")
    if gain.temperature:
        manner = say("It played at temperature {temperature}.", temperature=number(gain.temperature, 1))
    text = gained if gain.mean > gain.margin else nothing
    worth = gain_a_match(measure, gain.mean, gain.margin)
    return [say(text, bot=spoken(gain.bot), groups=count(gain.groups), gain=worth), effort, manner, trend_text(gain)]


def bounds(gain: Gain, game: Game, size: str) -> list[Text]:
    """The gain as a bound on NashConv, and what measures that exactly, if anything does."""
    n, texts = game.players, list[Text]()
    if gain.mean > gain.margin:
        text = _(
            "In utility it is {gain} ±{margin} a match, the mean over seats; their sum, {sum} ±{sums}, is a lower "
            "bound on NashConv."
        )
        figures = {"gain": gain.mean, "margin": gain.margin, "sum": n * gain.mean, "sums": n * gain.margin}
        texts.append(say(text, **{name: number(value, 3) for name, value in figures.items()}))
    if size:
        text = _("NashConv is exact on this size: hexdeck benchmark {size} --players {n} --algorithms {bot}.")
        texts.append(say(text, size=size, n=n, bot=spoken(gain.bot)))
    return texts


def trend_text(gain: Gain) -> Text:
    """Whether gains still rose at the end: the most alarming that is true of any learner."""
    from hexdeck.research.training.exploit import FEW, RISING, UNCLEAR

    return {
        RISING: say_n(
            "Its gain was still rising: more games would find more.",
            "The gain of at least one learner was still rising: more games would find more.",
            len(gain.curves),
        ),
        FEW: say("There were too few trials to tell whether the gain was still rising."),
        UNCLEAR: say("Whether the gain was still rising can't be told; more games may find more."),
    }.get(gain.trend, say("The gain was no longer rising."))
