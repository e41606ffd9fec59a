"""`hexdeck train GAME`: train a net, resume a run, export the best net of it."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept, spoken
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.lines import tell, worded
from hexdeck.cli.parser import Several, add_game, add_json, add_option, known_options, parsed_options
from hexdeck.cli.research.gains import gain_a_match, unit_of
from hexdeck.cli.research.train_checks import ENTROPY, check, check_places, check_resumed, imitated, kind_asked
from hexdeck.engine.discovery.finding import PATH
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.number_words import count, number
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.engine.study import Measure
    from hexdeck.research.training.plan import TrainingPlan
    from hexdeck.research.training.trainer import Trainer

SEED, HIDDEN, FLOOR, MAGNET, SHARE = 1, 64, 0.02, 0.1, 0.5  # by default
ABOUT = say("train a bot by self-play")
EXAMPLES = "hexdeck train hawthorn --export hawthorn.net", "hexdeck train hawthorn --resume --steps 2000"
ANOTHER = {  # what is said of a run in the folder, by what it learns
    "deals": _("The run in {folder} learns what deals are worth; continue it with --deal-values."),
    "mimic": _("The run in {folder} learns what {bot} chooses; continue it with --imitate {bot}."),
    "policy": _("The run in {folder} learns moves; continue it without --deal-values and --imitate."),
}
PLAN = "opponent_share", "entropy", "entropy_floor", "magnet"  # arguments that a plan takes as they are


# --- arguments --------------------------------------------------------------------------------------------------------
def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck train GAME (--minutes M | --steps N) …`."""
    add_game(parser, t)
    add_setting(parser, t)
    add_net(parser, t)
    add_opponents(parser, t)
    add_files(parser, t)
    add_json(parser, t)


def add_setting(parser: argparse.ArgumentParser, t: Any) -> None:
    """What is played, for how long, and by which seed."""
    parser.add_argument(
        "--players", "-n", type=int, nargs="+", action=Several, default=[], metavar="N",
        help=t(say("numbers of players to train for (default: all that the game allows)")),
    )  # fmt: skip
    add_option(parser, t)
    parser.add_argument("--minutes", type=float, metavar="M", help=t(say("minutes to train (default: 10)")))
    parser.add_argument(
        "--steps", type=int, metavar="N",
        help=t(say("steps to train, instead of minutes: the same seed then gives the same net on the same machine "
                   "(default: as many as the minutes allow)")),
    )  # fmt: skip
    about = default(say("random seed of cards, players and first weights"), SEED)
    parser.add_argument("--seed", type=int, metavar="N", help=t(about))


def add_net(parser: argparse.ArgumentParser, t: Any) -> None:
    """Which kind of net is trained, and how."""
    parser.add_argument(
        "--deal-values", action="store_true",
        help=t(say("train a deal net from games of house bots: the value of the beginning of a deal, for "
                   "rollout:house-deal")),
    )  # fmt: skip
    parser.add_argument(
        "--imitate", type=kept, metavar=t(say("NAME")),
        help=t(say("train a net to choose as a search does, such as search:1000: for rollout:mimic and "
                   "rollout:mimic-deal (default: none)")),
    )  # fmt: skip
    parser.add_argument(
        "--entropy", type=float, metavar="E", help=t(default(say("entropy bonus coefficient at first"), ENTROPY))
    )
    parser.add_argument(
        "--entropy-floor", type=float, metavar="E",
        help=t(say("entropy bonus coefficient to which it falls (default: {floor}, or --entropy if that is less)",
                   floor=FLOOR)),
    )  # fmt: skip
    parser.add_argument(
        "--magnet", type=float, metavar="W",
        help=t(default(say("how strongly the net is held near to what it was before; 0: not at all"), MAGNET)),
    )  # fmt: skip
    parser.add_argument(
        "--hidden", type=int, metavar="H",
        help=t(default(say("neurons in each of the two hidden layers, a multiple of 4"), HIDDEN)),
    )  # fmt: skip


def add_opponents(parser: argparse.ArgumentParser, t: Any) -> None:
    """Who plays against the net besides itself."""
    parser.add_argument(
        "--opponents", nargs="+", type=kept, action=Several, default=[], metavar=t(say("NAME")),
        help=t(say("bots that play in some games: easy, house, random, search:100; one named twice plays twice as "
                   "often (default: none)")),
    )  # fmt: skip
    parser.add_argument(
        "--opponent-share", type=float, metavar="S",
        help=t(default(say("share of the games with opponents, between 0 and 1"), SHARE)),
    )  # fmt: skip


def add_files(parser: argparse.ArgumentParser, t: Any) -> None:
    """Where the run and its net are written."""
    parser.add_argument(
        "--folder", type=Path, metavar=t(say("FOLDER")), help=t(say("folder of the run (default: training/GAME)"))
    )
    parser.add_argument("--resume", action="store_true", help=t(say("resume the run in the folder")))
    parser.add_argument(
        "--export",
        type=Path,
        metavar=t(say("FILE")),
        help=t(say("write the run's best net to this .net file (default: no file)")),
    )


# --- the run ----------------------------------------------------------------------------------------------------------
def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Train, saving as it goes; then export if asked. Interrupted, it says how to go on."""
    from hexdeck.engine.play.game import GameSetup

    check_figures(arguments)
    game, interrupted = GameSetup.named(arguments.game), False
    folder = arguments.folder or Path("training") / game.name
    trainer, rows = begun(arguments, game, folder), list[dict[str, float]]()
    out = sys.stderr if alone(arguments) else sys.stdout
    if trainer.progress >= 1:
        text = say("The run is already at step {step}: there is nothing left to train.", step=count(trainer.done))
        tell(words.words(text), out)
    try:
        trained(trainer, arguments, folder, rows, words)
    except KeyboardInterrupt:
        interrupted = True
    give(head("training", interrupted=interrupted) | {"game": game.name, "step": trainer.done, "checkpoints": rows},
         arguments, words)  # fmt: skip
    if interrupted:
        tell(words.words(say("Interrupted at step {step}, which is saved; continue with:", step=count(trainer.done))),
             sys.stderr)  # fmt: skip
        print(continuing(trainer, arguments), file=sys.stderr)  # in one line, to be copied
    return 130 if interrupted else 0


def trained(
    trainer: Trainer, arguments: argparse.Namespace, folder: Path, rows: list[dict[str, float]], words: Catalogue
) -> None:
    """Train and export; what is told of each checkpoint is added to `rows`."""
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.research.training.export import export

    plan, out = trainer.plan, sys.stderr if alone(arguments) else sys.stdout
    own = game_words(arguments.game, words.lang)
    units = {str(n): unit_of(GameSetup.named(arguments.game, n, **plan.options)) for n in plan.players}

    def checkpoint(row: dict[str, float]) -> None:
        rows.append(row)
        tell(progress_line(row, units, own), out)

    trainer.run(folder, checkpoint)
    if arguments.export:
        net = export(trainer, arguments.export, commands(trainer, arguments.export))
        text = say("Written: {file}, of step {step}.", file=str(arguments.export), step=net.about["chosen"]["step"])
        tell(words.words(text), out)


def continuing(trainer: Trainer, arguments: argparse.Namespace) -> str:
    """The command that continues an interrupted run."""
    own = [("--game-path", folder) for folder in filter(None, os.environ.get(PATH, "").split(os.pathsep))]
    places = [*own, ("--folder", arguments.folder), ("--export", arguments.export)]
    given = [word for flag, place in places if place for word in (flag, str(place))]
    return shlex.join(["hexdeck", "train", trainer.plan.game, "--resume", *kind_flags(trainer.plan), *given])


def begun(arguments: argparse.Namespace, game: GameSetup, folder: Path) -> Trainer:
    """The trainer: a new one, or that of the folder. Raises BadOption or HexdeckError."""
    from hexdeck.research.training.plan import STATE
    from hexdeck.research.training.trainer import Trainer

    ends = {key: value for key in ("steps", "minutes") if (value := getattr(arguments, key)) is not None}
    if arguments.resume:
        check_resumed(arguments)
    check(arguments, ends)
    check_places(arguments.export, folder, game.name)
    if arguments.resume:
        return gone_on(arguments, game, folder, ends)
    if (folder / STATE).exists():
        text = say("There is already a run in {folder}; continue it with --resume, or name another --folder.",
                   folder=str(folder))  # fmt: skip
        raise HexdeckError(text)
    return Trainer(planned(arguments, game, ends or {"minutes": 10.0}))


def planned(arguments: argparse.Namespace, game: GameSetup, ends: dict[str, Any]) -> TrainingPlan:
    """The plan of a new run."""
    from hexdeck.research.training.plan import TrainingPlan

    low, high = game.rules.PLAYERS
    players = sorted(set(arguments.players)) if arguments.players else range(low, high + 1)
    options = known_options(game.name, parsed_options(arguments.option))
    seed, hidden = (SEED if arguments.seed is None else arguments.seed), arguments.hidden or HIDDEN
    given = {key: value for key in PLAN if (value := getattr(arguments, key)) is not None}
    if "entropy" in given:  # it falls no lower than it begins
        given.setdefault("entropy_floor", min(FLOOR, given["entropy"]))
    return TrainingPlan(
        game.name, tuple(players), options, seed, hidden=(hidden, hidden), opponents=tuple(arguments.opponents),
        **ends, **how_to_learn(arguments), **given,
    )  # fmt: skip


def gone_on(arguments: argparse.Namespace, game: GameSetup, folder: Path, ends: dict[str, float]) -> Trainer:
    """The trainer of the run in the folder, perhaps with another end. Raises BadOption or HexdeckError."""
    from hexdeck.research.training.trainer import resumed

    changed: dict[str, Any] = {"steps": 0, "minutes": 0.0, **ends} if ends else {}
    trainer = resumed(folder, **changed)
    if trainer.plan.game != game.name:
        text = say("The run in {folder} is of {game}.", folder=str(folder), game=trainer.plan.game)
        raise HexdeckError(text)
    asked = kind_asked(arguments), imitated(arguments)
    if asked != (trainer.plan.kind, trainer.plan.imitate):
        raise HexdeckError(say(ANOTHER[trainer.plan.kind], folder=str(folder), bot=spoken(trainer.plan.imitate)))
    return trainer


def how_to_learn(arguments: argparse.Namespace) -> dict[str, Any]:
    """The part of a plan that follows from the kind of net that is asked for."""
    kind = kind_asked(arguments)
    if kind == "deals":
        return {
            "kind": kind, "batch": 65536, "checkpoint_every": 5, "minibatch": 512, "ema_decay": 0.9, "epochs": 1,
            "learning_rate": 3e-3,
        }  # fmt: skip
    if kind == "mimic":
        return {
            "kind": kind, "imitate": imitated(arguments), "batch": 4096, "checkpoint_every": 5, "ema_decay": 0.9,
            "epochs": 4, "learning_rate": 3e-3, "minibatch": 256,
        }  # fmt: skip
    return {}


# --- what is said of it -----------------------------------------------------------------------------------------------
def commands(trainer: Trainer, file: Path) -> str:
    """The commands that make the net again: one, and another for each time that the run was given another end."""
    from hexdeck.engine.discovery.definition import definition

    plan, train = trainer.plan, ["hexdeck", "train", trainer.plan.game]
    began = ["--players", *map(str, plan.players)]
    options = {option.name: option for option in definition(plan.game).rules.OPTIONS}
    for key, value in plan.options.items():
        began += ["--option", f"{key}={options[key].spell(options[key].parse(value))}"]
    began += ["--seed", str(plan.seed), "--hidden", str(plan.hidden[0])]
    if plan.kind == "policy":
        began += ["--entropy", str(plan.entropy), "--entropy-floor", str(plan.entropy_floor)]
        began += ["--magnet", str(plan.magnet)]
    if plan.opponents:
        began += ["--opponents", *map(spoken, plan.opponents), "--opponent-share", str(plan.opponent_share)]
    ends = [["--steps", str(steps)] if steps else ["--minutes", str(m)] for _since, steps, m in trainer.ends]
    kind = kind_flags(plan)
    runs = [[*train, *began, *kind, *ends[0]], *([*train, "--resume", *kind, *end] for end in ends[1:])]
    runs[-1] += ["--export", file.name]  # without its folder: that is one of this machine
    return " && ".join(map(shlex.join, runs))


def kind_flags(plan: TrainingPlan) -> list[str]:
    """The arguments that ask for a plan's kind of net."""
    return {"policy": [], "mimic": ["--imitate", plan.imitate], "deals": ["--deal-values"]}[plan.kind]


SCORES = {  # what is said of a checkpoint, by the name of its score
    "house": _("step {step}, {seconds} s, {moves} M moves; gain on house bots, by players: {marks}"),
    "explained": _("step {step}, {seconds} s, {moves} M moves; variance of results explained, by players: {marks}"),
    "foreseen": _("step {step}, {seconds} s, {moves} M moves; share of choices predicted, by players: {marks}"),
}


def progress_line(row: dict[str, float], units: Mapping[str, Measure], words: Catalogue) -> str:
    """A checkpoint in a line: steps, time, moves, and the net's score at each number of players.

    `units`: in which people read a score against house bots, by number of players.
    """
    scores = {key: row[key] for key in row if key.partition(" ")[0] in SCORES}
    name = next(iter(scores)).partition(" ")[0]
    t = worded(words)
    shown = {}
    for key, x in scores.items():
        players = key.split()[1]
        percent = say("{number} %", number=number(100 * x, 1))
        shown[players] = t(gain_a_match(units[players], x) if name == "house" else percent)
    return words.words(say(
        SCORES[name], step=count(int(row["step"])), seconds=count(round(row["seconds"])),
        moves=number(row["moves"] / 1e6, 2), marks=", ".join(f"{players}: {mark}" for players, mark in shown.items()),
    ))  # fmt: skip
