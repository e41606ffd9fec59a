"""Figures as JSON for other programs (`--json`): alone on standard output, or in a file beside what is printed."""

from __future__ import annotations

import argparse
import json
import sys
from math import isfinite
from typing import TYPE_CHECKING, Any

from hexdeck.cli.parser import STDOUT, check_file
from hexdeck.engine.text import Catalogue

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup

FORMAT = 1  # as in `lab.reporting.exported`


def alone(arguments: argparse.Namespace) -> bool:
    """Whether only JSON is to be on standard output."""
    return bool(arguments.json == STDOUT)


def check_figures(arguments: argparse.Namespace) -> None:
    """Raise HexdeckError where the file of `--json` can't be written."""
    if not alone(arguments):
        check_file(arguments.json)


def head(what: str, game: GameSetup | None = None, *, interrupted: bool = False) -> dict[str, Any]:
    """The fields that every kind of figures begins with."""
    from hexdeck import __version__

    of = {} if game is None else {"game": game.name, "players": game.players, "options": dict(game.options)}
    return {"format": FORMAT, "what": what, "hexdeck": __version__, **of, "interrupted": interrupted}


def give(figures: dict[str, Any], arguments: argparse.Namespace, catalogue: Catalogue) -> None:
    """Print figures or write them, where that is asked for; strict JSON: what isn't a finite number is null."""
    if arguments.json is not None:
        give_text(
            json.dumps(finite(figures), ensure_ascii=False, indent=1, allow_nan=False) + "\n", arguments, catalogue
        )


def give_text(text: str, arguments: argparse.Namespace, catalogue: Catalogue) -> None:
    """Print the text of figures or write it, where that is asked for."""
    from hexdeck.cli.output import write_file

    if alone(arguments):
        sys.stdout.write(text)
    elif arguments.json is not None:
        write_file(text, catalogue, arguments.json)


def finite(value: Any) -> Any:
    """The same data with None in place of numbers that JSON has none for, and plain numbers for NumPy's."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    if hasattr(value, "item"):  # a number of NumPy
        return finite(value.item())
    return None if isinstance(value, float) and not isfinite(value) else value
