"""`hexdeck train GAME`: train a net, resume a run, export the best net of it."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.bot_names import spoken
from hexdeck.cli.command_line import canonical, parsed_options
from hexdeck.cli.output import CommandResult, aside, can_hold, head, tell
from hexdeck.cli.tournament import gain_a_match
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, _, count, number, say, say_n

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.engine.study import ResultUnit
    from hexdeck.research.training.trainer import Trainer, TrainingPlan

FLOOR = 0.02  # of the entropy bonus, by default


# --- the run ----------------------------------------------------------------------------------------------------------
def run(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Train, saving as it goes; then export if asked. Interrupted, it says how to go on."""
    from hexdeck.engine.play.game import GameSetup

    game, interrupted = GameSetup.named(arguments.game), False
    name = "-".join([game.name, *size_of(arguments)])
    arguments.resume = arguments.resume or Path(f"{name}-training.jsonl")
    trainer, rows = trainer_of(arguments, game), list[dict[str, float]]()
    if trainer.progress >= 1:
        text = say(
            "The run in {file} is already at step {step}: there is nothing left to train. Another end "
            "continues it, another --resume starts a new one.",
            file=str(arguments.resume),
            step=count(trainer.done),
        )
        tell(catalogue.words(text), aside(arguments))
    try:
        trained(trainer, arguments, rows, catalogue)
    except KeyboardInterrupt:
        interrupted = True
    return CommandResult(
        catalogue,
        lambda: None,
        lambda: (
            head("training", interrupted=interrupted) | {"game": game.name, "step": trainer.done, "checkpoints": rows}
        ),
        interrupted=interrupted,
    )


def trained(
    trainer: Trainer, arguments: argparse.Namespace, rows: list[dict[str, float]], catalogue: Catalogue
) -> None:
    """Train and export; what is told of each checkpoint is added to `rows`."""
    from hexdeck.engine.discovery.finding import game_words
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.research.training.trainer import export

    plan, out = trainer.plan, aside(arguments)
    own = game_words(arguments.game, catalogue.lang)
    units = {str(n): GameSetup.named(arguments.game, n, **plan.options).measure for n in plan.players}

    def checkpoint(row: dict[str, float]) -> None:
        rows.append(row)
        tell(progress_line(row, units, own), out)

    trainer.run(arguments.resume, checkpoint)
    if arguments.export:
        tell(catalogue.words(say("Choosing the best net of this run, in a minute or more …")), out)
        net = export(trainer, arguments.export, commands(trainer, arguments.export))
        file, step, n = str(arguments.export), net.about["chosen"]["step"], len(net.about["league"])
        several = _("Written: {file}, of step {step}: the best of {n} nets.")
        text = say_n("Written: {file}, of step {step}.", several, n, file=file, step=step)
        tell(catalogue.words(text), out)


def trainer_of(arguments: argparse.Namespace, game: GameSetup) -> Trainer:
    """The trainer: that of the run in the file, else a new one. Raises BadOption or HexdeckError."""
    from hexdeck.research.training.trainer import Trainer, resumed, stored_run, training_file

    check(arguments)
    if arguments.export is not None:
        check_export(arguments.export, game.name)
    if not can_hold(arguments.resume):
        raise BadOption(say("The run can't be kept in {file}; choose another file.", file=str(arguments.resume)))
    plan, file = planned(arguments, game), training_file(arguments.resume, game.name)
    if not file.rows:
        return Trainer(plan)
    ends = {"steps": 0, "minutes": 0.0, **ends_of(arguments)} if ends_of(arguments) else {}
    stored, _state = stored_run(file, **ends)
    size, changed = size_of(arguments), []
    if size and plan.options != stored.options:
        changed.append(f"/{size[0]}")
    for setting in SETTINGS:
        fields = FIELDS.get(setting, (setting,)) if setting in arguments.given else ()
        if any(getattr(plan, name) != getattr(stored, name) for name in fields):
            changed.append(f"--{setting.replace('_', '-')}")
    if changed:
        text = _("The run in {file} keeps its original settings: leave out {given}, or name another --resume.")
        raise BadOption(say(text, file=str(arguments.resume), given=", ".join(changed)))
    return resumed(file, **ends)


def size_of(arguments: argparse.Namespace) -> list[str]:
    """The size that was named, if any."""
    return [vars(arguments)["size"]] if "size" in vars(arguments) else []


def ends_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The steps or minutes that were given."""
    return {name: value for name in ("steps", "minutes") if (value := getattr(arguments, name)) is not None}


def planned(arguments: argparse.Namespace, game: GameSetup) -> TrainingPlan:
    """The plan of a new run."""
    from hexdeck.research.training.trainer import TrainingPlan

    low, high = game.rules.PLAYERS
    players = sorted(set(arguments.players)) if arguments.players else range(low, high + 1)
    floor = min(FLOOR, arguments.entropy) if arguments.entropy_floor is None else arguments.entropy_floor
    settings = {name: getattr(arguments, name) for name in ("opponent_share", "entropy", "magnet")}
    settings |= {"hidden": (arguments.hidden, arguments.hidden), "opponents": tuple(arguments.opponents)}
    settings |= {"entropy_floor": floor, **(ends_of(arguments) or {"minutes": 10.0}), **how_to_learn(arguments)}
    options = canonical(game.name, parsed_options(arguments.option))
    return TrainingPlan(game.name, tuple(players), options, arguments.seed, **settings)


def how_to_learn(arguments: argparse.Namespace) -> dict[str, Any]:
    """The part of a plan that follows from the kind of net that is asked for."""
    from hexdeck.research.training.trainer import opponent_codes

    common = {"checkpoint_every": 5, "ema_decay": 0.9, "learning_rate": 3e-3}
    if arguments.imitate is not None:
        search = f"search:{opponent_codes((arguments.imitate,))[1]}"  # with its simulations
        return {"kind": "mimic", "imitate": search, "batch": 4096, "epochs": 4, "minibatch": 256, **common}
    if arguments.deal_values:
        return {"kind": "deals", "batch": 65536, "epochs": 1, "minibatch": 512, **common}
    return {}


# --- what is refused --------------------------------------------------------------------------------------------------
def check(arguments: argparse.Namespace) -> None:
    """Raise BadOption for a bot that can't be imitated, and for sizes and coefficients that make no sense."""
    from hexdeck.research.training.trainer import can_oppose

    name = arguments.imitate
    if name is not None and not (name.startswith("search") and can_oppose(name)):
        raise BadOption(say("--imitate takes a search, such as search:1000, not {name}.", name=name[:40]))
    if arguments.hidden % 4:
        raise BadOption(say("--hidden takes a multiple of 4, not {given}.", given=arguments.hidden))
    if arguments.entropy_floor is not None and arguments.entropy_floor > arguments.entropy:
        raise BadOption(say("--entropy-floor can't be more than --entropy, {most}.", most=arguments.entropy))


def check_export(export: Path, name: str) -> None:
    """Raise BadOption when a net of the game can't be written there, or would replace something else."""
    from hexdeck.bots.nets.netfile import is_net_of

    if export.is_file() and not is_net_of(export, name):
        text = _("{path} already exists and isn't a net of {game}; choose another file.")
        raise BadOption(say(text, path=str(export), game=name))
    if export.suffix != ".net":
        text = _("The file name of a net must end in .net; {path} doesn't.")
        raise BadOption(say(text, path=str(export)))
    if not (can_hold(export) and can_hold(export.with_suffix(".csv"))):
        raise BadOption(say("The net can't be written to {path}; choose another file.", path=str(export)))


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
    kind = {"policy": [], "mimic": ["--imitate", plan.imitate], "deals": ["--deal-values"]}[plan.kind]
    runs = [[*train, *began, *kind, *ends[0]], *([*train, *kind, *end] for end in ends[1:])]
    runs[-1] += ["--export", file.name]  # without its folder: that is one of this machine
    return " && ".join(map(shlex.join, runs))


SCORES = {  # what is said of a checkpoint, by the name of its score
    "house": _("step {step}, {seconds} s, {moves} M moves; gain on house bots, by players: {marks}"),
    "explained": _("step {step}, {seconds} s, {moves} M moves; variance of results explained, by players: {marks}"),
    "foreseen": _("step {step}, {seconds} s, {moves} M moves; share of choices predicted, by players: {marks}"),
}


def progress_line(row: dict[str, float], units: Mapping[str, ResultUnit], catalogue: Catalogue) -> str:
    """A checkpoint in a line: steps, time, moves, and the net's score at each number of players.

    `units`: in which people read a score against house bots, by number of players.
    """
    marks, text = [], ""
    for key, x in row.items():
        name, _space, players = key.partition(" ")
        if name in SCORES:
            percent, text = say("{number} %", number=number(100 * x, 1)), SCORES[name]
            mark = gain_a_match(units[players], x) if name == "house" else percent
            marks.append(f"{players}: {catalogue.words(mark)}")
    how_long = {"step": count(int(row["step"])), "seconds": count(round(row["seconds"]))}
    return catalogue.words(say(text, **how_long, moves=number(row["moves"] / 1e6, 2), marks=", ".join(marks)))


SETTINGS = (  # options whose values a run keeps from its beginning
    "players", "option", "seed", "deal_values", "imitate", "entropy", "entropy_floor", "magnet", "hidden", "opponents",
    "opponent_share",
)  # fmt: skip
FIELDS = {  # of a plan, where they aren't called like the option
    "option": ("options",),
    "deal_values": ("kind",),
    "imitate": ("kind", "imitate"),
}
