"""The playtest lab as tools of the MCP server: each runs a command of `hexdeck`, whose figures the model repeats."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hexdeck.engine.discovery.finding import PATH
from hexdeck.engine.errors import BadOption, HexdeckError, between, shown
from hexdeck.engine.text import _, say

SECONDS = 120  # of a tool, which may have to compile a game first
LEAST_GAMES, MOST_GAMES, MOST_MATCHES = 200, 20_000, 40
MOST_AIMS, MOST_VARIED = 4, 6
LONGEST = 12_000  # letters of an answer
QUESTION = """\
A designer asks about {game}: {question}

Answer with figures that the tools of this server made in this conversation, and with no others.
1. list_games names the options of the game, read_rules says what they stand for.
2. report says how the game plays as it is: whether the start is fair, how long it takes, skill or luck, and more.
3. tune searches options for what comes nearest to an aim that you put into its words, such as "start within 2".
4. compare says what the change that you propose does on the same cards; play more games where an answer is open.
5. If no option mends it, say which rule you would change; fork begins a game of the designer's own for that.
Give each figure with its interval as the tool wrote it, and the command in the first line of its answer, so that the
designer can make it again. Where an interval holds no difference, say that nothing is sure. Compute no figures of your
own and guess none; what the tools don't measure, say so. Bots played: people have to try it before it is true of them.
"""


def question_of(question: str, game: str = "") -> str:
    """Ask what a designer wants to know of a game, answered with figures that the tools make."""
    return QUESTION.format(game=game or "a game (choose it with them)", question=question)


class Studies:
    """The lab's commands. Public methods are tools: a model reads their docstrings. They raise HexdeckError.

    `forks`: the folder where forks may be written; None where they may not.
    """

    def __init__(self, forks: Path | None = None) -> None:
        self.forks = forks

    def report(
        self, game: str, players: int, options: Mapping[str, str | int | bool] | None = None, games: int = 5000
    ) -> str:
        """Playtest a game: fair start, length, skill or luck, dead parts, runaway leader, with 95 % intervals.

        Bots play at most 20,000 games; it ends after 120 seconds at most. `options` as list_games names them.
        """
        return self._run("report", game, players, games, [*pairs("option", options), "--sample", str(MOST_MATCHES)])

    def compare(
        self,
        game: str,
        b: Mapping[str, str | int | bool] | None = None,
        a: Mapping[str, str | int | bool] | None = None,
        players: int | None = None,
        fork: str = "",
        games: int = 20_000,
    ) -> str:
        """Compare variant b of a game with a (options; the usual ones where they are left out) on the same cards.

        With `fork`, b is played by that fork of the game. At most 20,000 pairs of games and 120 seconds.
        """
        changed = [*pairs("a", a), *pairs("b", b), *([f"--fork={fork}"] if fork else [])]
        return self._run("compare", game, players, games, [*changed, "--precision", "0.01"])

    def tune(
        self,
        game: str,
        want: list[str],
        vary: list[str],
        players: int | None = None,
        options: Mapping[str, str | int | bool] | None = None,
        games: int = 2000,
    ) -> str:
        """Search the values of the options in `vary`, at most 6, for what comes nearest to at most 4 aims in `want`.

        An aim is a measure (seats, start, minutes, turns, rounds, decisions, ties, comebacks, drama), then within 2, 15
        to 20, at least 3, at most 3, more or less. At most 20,000 games of a rule set and 120 seconds.
        """
        for name, entries, limit in (("want", want, MOST_AIMS), ("vary", vary, MOST_VARIED)):
            if not 1 <= len(entries) <= limit:
                raise BadOption(say("Give {name} one to {most} entries.", name=name, most=limit))
        flags = [*pairs("option", options), *(f"--want={aim}" for aim in want), *(f"--vary={entry}" for entry in vary)]
        return self._run("tune", game, players, games, flags)

    def fork(self, game: str, name: str) -> str:
        """Begin a game of the designer's own that plays as another does, for a rule that is no option.

        Only files in the folder of --forks are written. You can't change the rules through this server: whoever may
        edit files changes its rules.py; then compare with `fork` says what that does.
        """
        if self.forks is None:
            raise BadOption(say("Forks can't be made here: the server was started without --forks FOLDER."))
        return self._ran(["game", "fork", checked_name(game), checked_name(name), "--folder", str(self.forks)])

    def _run(self, command: str, game: str, players: int | None, games: int, flags: Iterable[str]) -> str:
        """What a command prints that plays at most so many games."""
        if between(games, LEAST_GAMES, MOST_GAMES) is None:
            text = _("A tool plays {least} to {most} games, not {games}.")
            raise BadOption(say(text, least=LEAST_GAMES, most=MOST_GAMES, games=shown(games)))
        seats = [] if players is None else ["--players", str(players)]
        return self._ran([command, checked_name(game), *seats, *flags, "--games", str(games)])

    def _ran(self, typed: list[str]) -> str:
        """The command and what it prints; raises HexdeckError with the sentence by which it refuses."""
        folders = [str(self.forks)] if self.forks is not None and self.forks.is_dir() else []
        path = os.pathsep.join([*folders, *filter(None, [os.environ.get(PATH)])])
        environment = {**os.environ, "COLUMNS": "100", **({PATH: path} if path else {})}
        try:
            process = subprocess.run(  # noqa: S603 - our own command
                [sys.executable, "-m", "hexdeck", *typed],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                env=environment,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            text = _("{command} took more than {seconds} seconds: ask for fewer games or options.")
            raise HexdeckError(say(text, command=typed[0], seconds=SECONDS)) from None
        if process.returncode:
            last = process.stderr.strip().splitlines()[-1:] or [f"exit status {process.returncode}"]
            raise HexdeckError(say("{why}", why=last[0].removeprefix("hexdeck: ")))
        return f"{shlex.join(['hexdeck', *typed])}\n\n{process.stdout}"[:LONGEST]


def checked_name(game: Any) -> str:
    """The name of a game, which is no option of a command; raises BadOption."""
    if not isinstance(game, str) or game.startswith("-"):
        raise BadOption(say("A game's name is letters, digits and hyphens, not {name}.", name=shown(game)))
    return game


def pairs(name: str, options: Any) -> list[str]:
    """Options as arguments, each of which is one word, whatever is in it."""
    if not isinstance(options, Mapping | None):
        raise BadOption(say("Options are named values, such as hand_cards: 3, not {given}.", given=shown(options)))
    return [f"--{name}={key}={value}" for key, value in (options or {}).items()]
