"""Whole games, as printed: no exact figure there, but what an exploiter gains, and a cross-table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hexdeck.bots.nets.netfile import load
from hexdeck.bots.players.named import bot as made
from hexdeck.bots.players.named import resolved
from hexdeck.engine.errors import HexdeckError
from hexdeck.research.benchmark.results import Key, Point, Result
from hexdeck.research.training.exploit import mean_and_margin
from hexdeck.research.training.hunt import ExploitPlan, Gain, Hunt, is_quick
from hexdeck.simulation.game import Game

GAMES = 2000  # that an exploiter learns from, for each second that the algorithm learned
CHOICES = 200, 1000  # of a bot that thinks, which a net learns to imitate: for each second, and at least
DEALS = {True: 20, False: 1}  # of a contest, for each second: of quick bots, and where one thinks; so of a gain, too
FEWEST, MOST = 20, 6000  # of these deals
SEED = 1  # of the contests


@dataclass(frozen=True)
class Measured:
    """A bot on a whole game: the point to draw, its margin, and what it got against others by name, with margins."""

    points: list[Point]
    margin: float
    against: dict[str, tuple[float, float]]


def measured(game: Game, bot: str, seconds: float, others: Mapping[str, str]) -> Measured:
    """Let an exploiter learn against a bot, and let the bot play `others`, bots by the names of their results.

    The gain is over all seats, as NashConv is: at least so much.
    """
    gain = hunted(game, bot, seconds)
    against = {name: contest(game, bot, other, seconds) for name, other in others.items()}
    point = (gain.games, round(gain.seconds, 2), round(game.players * gain.mean, 6))
    return Measured([point], round(game.players * gain.margin, 6), against)


def hunted(game: Game, bot: str, seconds: float) -> Gain:
    """What an exploiter gains; raises KeyboardInterrupt where that was interrupted."""
    choices = max(CHOICES[1], round(CHOICES[0] * seconds))
    games, deals = max(1, round(GAMES * seconds)), deals_of(game, [bot], seconds)
    plan = ExploitPlan(bot, games=games, seeds=1, groups=deals, choices=choices)
    gain = Hunt(game, plan).run()
    if gain.interrupted:
        raise KeyboardInterrupt
    return gain


def deals_of(game: Game, bots: Sequence[str], seconds: float) -> int:
    """On how many deals bots are measured."""
    quick = all(is_quick(made(each, game, SEED), resolved(each, game)) for each in bots)
    return int(min(MOST, max(FEWEST, round(DEALS[quick] * seconds))))


def contest(game: Game, bot: str, other: str, seconds: float) -> tuple[float, float]:
    """What a bot gets on average against another on all other seats, from every seat on the same deals; its margin."""
    deals, got = deals_of(game, [bot, other], seconds), []
    for seat in range(game.players):
        seats = [bot if each == seat else other for each in range(game.players)]
        got.append(game.simulate(deals, seats, SEED).returns[:, seat])
    mean, margin = mean_and_margin(np.mean(got, axis=0))
    return round(mean, 4), round(margin, 4)


def rivals(results: Iterable[Result], key: Key, folder: Path) -> dict[str, str]:
    """The bots of all other results on a whole game, by name and seed, but for nets that the folder hasn't whole."""
    size, players = key[1:3]
    others = [each for each in results if (each.size, each.players) == (size, players) and each.key != key and each.bot]
    bots = {named(each): from_folder(each.bot, folder) for each in others}
    return {name: bot for name, bot in bots.items() if not is_net(bot) or is_whole(Path(bot.partition(":")[2]))}


def named(result: Result) -> str:
    """A result's name in a cross-table."""
    return f"{result.algorithm}/{result.seed}"


def is_net(bot: str) -> bool:
    """Whether a bot plays by a net of its own."""
    return bot.endswith(".net")


def is_whole(file: Path) -> bool:
    """Whether a file holds a net."""
    try:
        load(file)
    except HexdeckError:
        return False
    return True


def from_folder(bot: str, folder: Path) -> str:
    """A bot's name with the folder of its net, which results leave out."""
    kind, _, file = bot.partition(":")
    return f"{kind}:{folder / file}" if is_net(bot) else bot


def without_folder(bot: str, folder: Path) -> str:
    """A bot's name without the folder of its net."""
    return bot.replace(f"{folder}{os.sep}", "")
