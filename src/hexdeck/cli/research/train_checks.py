"""What `hexdeck train` refuses: numbers and arguments that make no sense together, places that can't be written."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hexdeck.cli.output import can_hold
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import _, say

ENTROPY = 0.1  # by default
POLICY = "entropy", "entropy_floor", "magnet"  # how policy nets learn
PLAY = *POLICY, "opponents", "opponent_share"  # how nets play
BEGUN_WITH = "players", "option", "seed", "hidden", *PLAY  # what a run keeps from its beginning


def kind_asked(arguments: argparse.Namespace) -> str:
    """The kind of net that is to be trained, see `bots.nets.netfile.KINDS`."""
    if arguments.imitate is not None:
        return "mimic"
    return "deals" if arguments.deal_values else "policy"


def imitated(arguments: argparse.Namespace) -> str:
    """The search that is to be imitated, with its simulations; empty where there is none."""
    from hexdeck.research.training.plan import opponent_codes

    return f"search:{opponent_codes((arguments.imitate,))[1]}" if arguments.imitate is not None else ""


def check(arguments: argparse.Namespace, ends: dict[str, float]) -> None:
    """Raise BadOption for arguments that make no sense; `ends`: the steps or minutes that were given."""
    check_ends(ends)
    check_kind(arguments)
    check_net(arguments)
    check_share(arguments)


def check_resumed(arguments: argparse.Namespace) -> None:
    """Raise BadOption unless only the end of a run that goes on is changed: it keeps what it learns and how."""
    text = _("A resumed run keeps its original settings: leave out {given}, or start a new run without --resume.")
    refuse_given(arguments, BEGUN_WITH, text)


def check_ends(ends: dict[str, float]) -> None:
    """Raise BadOption unless one end is given at most, and it is a sensible number."""
    if len(ends) > 1:
        raise BadOption(say("Training ends after --minutes or after --steps; give one of them."))
    for name, value in ends.items():
        if not 0 < value <= 1_000_000:
            raise more_than_nothing(name)


def check_kind(arguments: argparse.Namespace) -> None:
    """Raise BadOption for a bot that can't be imitated, and for arguments that a kind of net has no use for."""
    if arguments.deal_values:
        text = _("With --deal-values only house bots play, and a net learns from their results: leave out {given}.")
        refuse_given(arguments, ("imitate", *PLAY), text)
    if arguments.imitate is not None:
        check_imitated(arguments)


def check_imitated(arguments: argparse.Namespace) -> None:
    """Raise BadOption for a bot that can't be imitated, and for what has no use then."""
    from hexdeck.research.training.plan import can_oppose

    name = arguments.imitate
    if not (name.startswith("search") and can_oppose(name)):
        raise BadOption(say("--imitate takes a search, such as search:1000, not {name}.", name=name[:40]))
    text = _("With --imitate only searches play, and a net learns what they choose: leave out {given}.")
    refuse_given(arguments, ("deal_values", *PLAY), text)


def check_net(arguments: argparse.Namespace) -> None:
    """Raise BadOption for sizes and coefficients out of range."""
    hidden = arguments.hidden
    if hidden is not None and (not 4 <= hidden <= 512 or hidden % 4):
        raise BadOption(say("--hidden takes a multiple of 4 from 4 to 512."))
    for name in POLICY:
        value = getattr(arguments, name)
        if value is not None and not 0 <= value <= 10:
            raise BadOption(say("--{name} takes a number from 0 to 10.", name=name.replace("_", "-")))
    first = ENTROPY if arguments.entropy is None else arguments.entropy
    if arguments.entropy_floor is not None and arguments.entropy_floor > first:
        raise BadOption(say("--entropy-floor can't be more than --entropy, {most}.", most=first))


def check_share(arguments: argparse.Namespace) -> None:
    """Raise BadOption for a share of games with opponents that makes no sense."""
    share = arguments.opponent_share
    if share is not None and not 0 < share < 1:
        raise BadOption(say("--opponent-share takes a share between 0 and 1."))
    if share is not None and not arguments.opponents:
        raise BadOption(say("--opponent-share needs opponents, such as --opponents house."))


def check_places(export: Path | None, folder: Path, name: str) -> None:
    """Raise BadOption when the net, its curve beside it, or the run can't be written; `name`: of the game."""
    from hexdeck.research.training.plan import STATE

    if export is not None:
        check_export(export, name)
    if not can_hold(folder / STATE):
        raise BadOption(say("The run can't be kept in {folder}; choose another folder.", folder=str(folder)))


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


def refuse_given(arguments: argparse.Namespace, names: Iterable[str], text: str) -> None:
    """Raise BadOption with a text that names those of some arguments that were given."""
    given = [f"--{name.replace('_', '-')}" for name in names if was_given(getattr(arguments, name))]
    if given:
        raise BadOption(say(text, given=", ".join(given)))


def was_given(value: Any) -> bool:
    """Whether an argument was given: 0 counts; None, False and an empty list, which are the defaults, don't."""
    return value is not None and value is not False and value != []


def more_than_nothing(name: str) -> BadOption:
    """The error for a number that must be above 0."""
    return BadOption(say("--{name} must be more than 0.", name=name))
