"""`hexdeck game`: starts a game of your own, and checks how far it is."""

from __future__ import annotations

import argparse

from hexdeck.cli.output import tell, wrapped
from hexdeck.engine.text import Catalogue, _, say


def new(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Write the game, and say what to do next."""
    from hexdeck.authoring.begin import new_game
    from hexdeck.engine.discovery.finding import name_of

    folder, name = new_game(arguments.name, arguments.folder), name_of(arguments.name)
    text = _("{folder} is a game: rules.py says how it is played, table.py what is seen. Try it:")
    tell(catalogue.words(say(text, folder=str(folder))))
    for command in ("play {name}", "serve", "simulate {name}", "game check {name}"):
        print(f"  hexdeck --game-path {folder} {command.format(name=name)}")
    print(f"  pytest {folder}")
    return 0


def check(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Print each level as it is checked; returns 1 where the game doesn't even play as it should."""
    from hexdeck.authoring.progress import CHECKLIST, progress
    from hexdeck.engine.discovery.finding import find_game

    name, reached, going = find_game(arguments.game), "", True
    for level, about, answers in progress(name):
        missing = [answer for answer in answers if answer.wrong]
        going = going and not missing
        reached = level if going else reached
        print(f"{level}: {catalogue.words(about)}")
        for answer in answers:
            need = f"{answer.need.what}: {catalogue.words(answer.need.why)}"
            wrong = "" if answer.wrong in ("", "missing") else f" – {answer.wrong}"
            mark = "ok" if not answer.wrong else "missing" if answer.wrong == "missing" else "FAILS"
            print(*wrapped(f"{need}{wrong}", " " * 12, f"  {mark:<10}"), sep="\n", flush=True)
    print(catalogue.words(say("Before it is published, see for yourself:")))
    for item in CHECKLIST:
        print(*wrapped(catalogue.words(item), "    ", "  – "), sep="\n")
    failing = say("{game} doesn't play as it should yet.", game=name)
    print(catalogue.words(say("{game}: {level}.", game=name, level=reached) if reached else failing))
    return 0 if reached else 1
