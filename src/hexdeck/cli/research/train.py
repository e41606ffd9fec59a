"""`hexdeck train GAME`: train a net by self-play, go on with a run, choose the best of it."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.output import can_hold
from hexdeck.cli.parser import Several, known_options, parsed_options
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.bots.training.trainer import Trainer

SEED, HIDDEN, ENTROPY, HEAT = 1, 64, 0.05, 0.1  # unless given
ABOUT = say("train a bot by self-play")
ANOTHER = {  # by what a run learns
    "deals": _("The run in {folder} learns what deals are worth; go on with it with --deals."),
    "mimic": _("The run in {folder} learns what {bot} chooses; go on with it with --imitate {bot}."),
    "policy": _("The run in {folder} learns moves; go on with it without --values, --deals and --imitate."),
    "values": _("The run in {folder} learns values; go on with it with --values."),
}


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck train GAME (--minutes M | --steps N) …`."""
    parser.add_argument("game", metavar=told(say("GAME")))
    parser.add_argument(
        "--players",
        "-n",
        type=int,
        nargs="+",
        action=Several,
        metavar="N",
        help=told(say("how many play; without it, any number")),
    )
    parser.add_argument(
        "--option", "-o", action="append", default=[], metavar=told(say("KEY=VALUE")),
        help=told(say("an option of the game, as hexdeck rules GAME explains them; may be given again")),
    )  # fmt: skip
    parser.add_argument("--minutes", type=float, metavar="M", help=told(say("train for so long")))
    parser.add_argument(
        "--steps", type=int, metavar="N", help=told(say("train so many steps: gives the same net again"))
    )
    parser.add_argument("--seed", type=int, metavar="N", help=told(say("of cards, dice and first weights")))
    parser.add_argument(
        "--values", action="store_true",
        help=told(say("learn what each move leads to instead of a chance for each: for games with many moves")),
    )  # fmt: skip
    parser.add_argument(
        "--deals", action="store_true",
        help=told(say("learn what the beginning of a deal is worth from games of house bots, for rollout:house-deal")),
    )  # fmt: skip
    parser.add_argument(
        "--imitate", metavar=told(say("NAME")),
        help=told(say("learn what a search chooses, such as search:1000, for rollout:mimic and rollout:mimic-deal")),
    )  # fmt: skip
    parser.add_argument("--entropy", type=float, metavar="E", help=told(say("how much variety is worth")))
    parser.add_argument(
        "--heat", type=float, metavar="T",
        help=told(say("with --values: how varied play is at first, in deviations of the utility")),
    )  # fmt: skip
    parser.add_argument("--hidden", type=int, metavar="H", help=told(say("neurons in each hidden layer")))
    parser.add_argument(
        "--among", nargs="+", action=Several, default=[], metavar=told(say("NAME")),
        help=told(say("who plays along in some games: gentle, house, random, search:100; named twice, twice as often")),
    )  # fmt: skip
    parser.add_argument(
        "--late", type=int, metavar="N", help=told(say("searches play along in the last so many steps; usually 60"))
    )
    parser.add_argument(
        "--counter", type=float, metavar="S",
        help=told(say("then these play in this share of games, in all others a net that learns to beat the first")),
    )  # fmt: skip
    parser.add_argument(
        "--anew", type=int, metavar="N",
        help=told(say("with --counter: after so many steps that net begins anew where the first one stands")),
    )  # fmt: skip
    parser.add_argument("--folder", type=Path, metavar=told(say("FOLDER")), help=told(say("where the run is kept")))
    parser.add_argument("--resume", action="store_true", help=told(say("go on with the run in the folder")))
    parser.add_argument(
        "--export", type=Path, metavar=told(say("FILE")), help=told(say("write the best net of the run to a file"))
    )


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Train, saving at each checkpoint; then export if asked."""
    from hexdeck.bots.training.league import export
    from hexdeck.engine.discovery.finding import find_game

    name = find_game(arguments.game)
    folder = arguments.folder or Path("training") / name
    trainer = begun(arguments, name, folder)
    if trainer.progress >= 1:
        print(words.words(say("The run is at step {step} already: there is nothing left to train.", step=trainer.done)))
    trainer.run(folder, lambda row: print(progress_line(row, words), flush=True))
    if arguments.export:
        net = export(trainer, arguments.export, commands(trainer, arguments.export))
        print(words.words(say("Written: {file}, of step {step}.", file=str(arguments.export),
                              step=net.about["chosen"]["step"])))  # fmt: skip
    return 0


def begun(arguments: argparse.Namespace, name: str, folder: Path) -> Any:
    """The trainer: a new one, or that of the folder. Raises BadOption or HexdeckError."""
    from hexdeck.bots.training.trainer import STATE, Plan, Trainer

    ends = {key: value for key in ("steps", "minutes") if (value := getattr(arguments, key)) is not None}
    if arguments.resume:
        refuse_new_ways(arguments)
    check(arguments, ends)
    check_places(arguments.export, folder, name)
    if arguments.resume:
        return gone_on(arguments, name, folder, ends)
    if (folder / STATE).exists():
        text = say("There is a run in {folder} already; go on with --resume, or name another --folder.",
                   folder=str(folder))  # fmt: skip
        raise HexdeckError(text)
    if not ends:
        ends = {"minutes": 10.0}
    seed, hidden = (arguments.seed if arguments.seed is not None else SEED), arguments.hidden or HIDDEN
    return Trainer(Plan(
        name, players(arguments, name), known_options(name, parsed_options(arguments.option)), seed, **ends,
        hidden=(hidden, hidden), among=partners(arguments), **ways(arguments),
        **{key: value for key in ("late", "counter", "anew") if (value := getattr(arguments, key)) is not None},
    ))  # fmt: skip


def gone_on(arguments: argparse.Namespace, name: str, folder: Path, ends: dict[str, float]) -> Any:
    """The trainer of the folder, perhaps with another end. Raises BadOption or HexdeckError."""
    from hexdeck.bots.training.trainer import resumed

    changed: dict[str, Any] = {"steps": 0, "minutes": 0.0, **ends} if ends else {}
    trainer = resumed(folder, **changed)
    if trainer.plan.game != name:
        text = say("The run in {folder} is of {game}.", folder=str(folder), game=trainer.plan.game)
        raise HexdeckError(text)
    asked = kind_asked(arguments), imitated(arguments)
    if asked != (trainer.plan.kind, trainer.plan.imitate):
        raise HexdeckError(say(ANOTHER[trainer.plan.kind], folder=str(folder), bot=trainer.plan.imitate))
    return trainer


def kind_asked(arguments: argparse.Namespace) -> str:
    """The kind of net that is to be learned."""
    if arguments.imitate is not None:
        return "mimic"
    return "deals" if arguments.deals else "values" if arguments.values else "policy"


def refuse_new_ways(arguments: argparse.Namespace) -> None:
    """A run that goes on keeps what it learns and how; only its end may change. Raises BadOption."""
    names = "players", "option", "seed", "entropy", "heat", "hidden", "among", "late", "counter", "anew"
    given = [f"--{name}" for name in names if was_given(getattr(arguments, name))]
    if given:
        text = _("A run that goes on keeps what it began with: leave out {given}, or begin anew without --resume.")
        raise BadOption(say(text, given=", ".join(given)))


def was_given(value: Any) -> bool:
    """Whether an argument was given: 0 counts, what stands there without it doesn't."""
    return value is not None and value is not False and value != []


def ways(arguments: argparse.Namespace) -> dict[str, Any]:
    """How the kind of net that is asked for is learned, as a plan has it."""
    if arguments.deals:
        return {"kind": "deals", "batch": 65536, "every": 5, "size": 512, "memory": 0.9}
    if arguments.imitate is not None:
        return {"kind": "mimic", "imitate": imitated(arguments), "batch": 4096, "every": 5, "memory": 0.9, "epochs": 4}
    if arguments.values:
        heat = HEAT if arguments.heat is None else arguments.heat
        return {"kind": "values", "heat": heat, "batch": 8192, "every": 10, "rate": 1e-3, "memory": 0.9, "trace": 0.8}
    return {"entropy": ENTROPY if arguments.entropy is None else arguments.entropy}


def partners(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The bots that play along: those asked for; unless others are, the house bot where values are learned."""
    return tuple(arguments.among) or (("house",) if arguments.values else ())


def check(arguments: argparse.Namespace, ends: dict[str, float]) -> None:
    """Raise BadOption for numbers that make no sense."""
    if len(ends) > 1:
        raise BadOption(say("Training ends after --minutes or after --steps; give one of them."))
    if arguments.deals:
        text = _("With --deals only house bots play, and a net learns what came of it: leave out {given}.")
        refuse_play(arguments, ("values", "imitate"), text)
    if arguments.imitate is not None:
        check_imitated(arguments)
    for name, value in ends.items():
        if not 0 < value <= 1_000_000:
            raise BadOption(say("--{name} must be more than 0.", name=name))
    if arguments.hidden is not None and (not 4 <= arguments.hidden <= 512 or arguments.hidden % 4):
        raise BadOption(say("--hidden takes a multiple of 4 from 4 to 512."))
    if arguments.entropy is not None and not 0 <= arguments.entropy <= 10:
        raise BadOption(say("--entropy takes a number from 0 to 10."))
    if arguments.heat is not None and not 0 <= arguments.heat <= 10:
        raise BadOption(say("--heat takes a number from 0 to 10."))
    check_searches(arguments)
    if arguments.values and arguments.entropy is not None:
        raise BadOption(say("--entropy is for training without --values; with it there is --heat."))
    if arguments.heat is not None and not arguments.values:
        raise BadOption(say("--heat is for training with --values; without it there is --entropy."))


def refuse_play(arguments: argparse.Namespace, others: tuple[str, ...], text: str) -> None:
    """Raise BadOption for what has no use where nets only watch."""
    names = *others, "entropy", "heat", "among", "late", "counter", "anew"
    given = [f"--{name}" for name in names if was_given(getattr(arguments, name))]
    if given:
        raise BadOption(say(text, given=", ".join(given)))


def check_imitated(arguments: argparse.Namespace) -> None:
    """Raise BadOption for a bot that can't be imitated, and for what has no use then."""
    from hexdeck.bots.training.trainer import PARTNER

    name = arguments.imitate
    if not (name.startswith("search") and PARTNER.fullmatch(name)):
        raise BadOption(say("--imitate takes a search, such as search:1000, not {name}.", name=name[:40]))
    text = _("With --imitate only searches play, and a net learns what they choose: leave out {given}.")
    refuse_play(arguments, ("values", "deals"), text)


def imitated(arguments: argparse.Namespace) -> str:
    """The search whose choices are learned, with its simulations; empty where there is none."""
    from hexdeck.bots.training.trainer import partners as playing

    return f"search:{playing((arguments.imitate,))[1]}" if arguments.imitate is not None else ""


def check_searches(arguments: argparse.Namespace) -> None:
    """Raise BadOption where searches are to play along in a way that makes no sense."""
    from hexdeck.bots.training.trainer import Plan

    if arguments.late is not None and arguments.late < 1:
        raise BadOption(say("--{name} must be more than 0.", name="late"))
    if arguments.late is not None and not any(each.startswith("search") for each in arguments.among):
        raise BadOption(say("--late is for searches that play along: --among search:200."))
    if arguments.counter is not None and not 0 < arguments.counter < 1:
        raise BadOption(say("--counter takes a share between 0 and 1."))
    if arguments.counter is not None and not any(each.startswith("search") for each in arguments.among):
        raise BadOption(say("--counter is for searches that play along: --among search:200."))
    if arguments.anew is not None and arguments.anew < 1:
        raise BadOption(say("--{name} must be more than 0.", name="anew"))
    if arguments.anew is not None and arguments.counter is None:
        raise BadOption(say("--anew is for a net that learns to beat the first: --counter 0.5."))
    if arguments.anew is not None and arguments.anew > (late := arguments.late or Plan.late):
        text = say("--anew takes at most as many steps as searches play along in, {late}; see --late.", late=late)
        raise BadOption(text)


def check_places(export: Path | None, folder: Path, name: str) -> None:
    """Raise BadOption when the net, its curve beside it, or the run can't be written."""
    from hexdeck.bots.nets.netfile import is_net_of
    from hexdeck.bots.training.trainer import STATE

    if export and export.is_file() and not is_net_of(export, name):
        text = _("{path} is there already and is no net of {game}; choose another file.")
        raise BadOption(say(text, path=str(export), game=name))
    if export and export.suffix != ".net":
        text = _("The file of a net ends in .net, by which bots know it; {path} doesn't.")
        raise BadOption(say(text, path=str(export)))
    if export and not (can_hold(export) and can_hold(export.with_suffix(".csv"))):
        raise BadOption(say("The net can't be written to {path}; choose another file.", path=str(export)))
    if not can_hold(folder / STATE):
        raise BadOption(say("The run can't be kept in {folder}; choose another folder.", folder=str(folder)))


def players(arguments: argparse.Namespace, name: str) -> tuple[int, ...]:
    """The numbers of players that are trained for."""
    from hexdeck.engine.discovery.definition import definition

    low, high = definition(name).rules.PLAYERS
    return tuple(sorted(set(arguments.players))) if arguments.players else tuple(range(low, high + 1))


def commands(trainer: Trainer, file: Path) -> str:
    """The commands that make the net again: one, and another for each time that the run was given another end."""
    plan, train = trainer.plan, ["hexdeck", "train", trainer.plan.game]
    kind = {"policy": [], "mimic": ["--imitate", plan.imitate]}.get(plan.kind, [f"--{plan.kind}"])
    began = ["--players", *map(str, plan.players)]
    for key, value in plan.options.items():
        began += ["--option", f"{key}={value}"]
    began += ["--seed", str(plan.seed), "--hidden", str(plan.hidden[0])]
    began += {"policy": ["--entropy", str(plan.entropy)], "values": ["--heat", str(plan.heat)]}.get(plan.kind, [])
    began += ["--among", *plan.among] if plan.among else []
    began += ["--late", str(plan.late)] if any(each.startswith("search") for each in plan.among) else []
    began += ["--counter", str(plan.counter)] if plan.counter else []
    began += ["--anew", str(plan.anew)] if plan.anew else []
    ends = [["--steps", str(steps)] if steps else ["--minutes", str(m)] for _since, steps, m in trainer.ends]
    runs = [[*train, *began, *kind, *ends[0]], *([*train, "--resume", *kind, *end] for end in ends[1:])]
    runs[-1] += ["--export", str(file)]
    return " && ".join(map(shlex.join, runs))


MARKS = {  # what is told of a checkpoint, by the name of its column
    "house": _("step {step}, {seconds} s, {moves} M moves; against house bots, by players: {marks}"),
    "explained": _("step {step}, {seconds} s, {moves} M moves; variance of results foreseen, by players: {marks}"),
    "foreseen": _("step {step}, {seconds} s, {moves} M moves; part of choices foreseen, by players: {marks}"),
}


def progress_line(row: dict[str, float], words: Catalogue) -> str:
    """A checkpoint in a line: steps, time, moves, and how good the net is at each number of players."""
    marks = {key: row[key] for key in row if key.partition(" ")[0] in MARKS}
    mark = next(iter(marks)).partition(" ")[0]
    shape = "{0}: {1:+.3f}" if mark == "house" else "{0}: {1:.1%}"
    told = [shape.format(key.split()[1], x).replace("%", " %") for key, x in marks.items()]
    return words.words(say(
        MARKS[mark], step=int(row["step"]), seconds=f"{row['seconds']:.0f}", moves=f"{row['moves'] / 1e6:.2f}",
        marks=", ".join(told),
    ))  # fmt: skip
