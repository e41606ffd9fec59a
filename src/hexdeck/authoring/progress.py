"""How far a game is (it plays, can be studied, can be researched, is published), and what it still lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unittest import SkipTest

from hexdeck import testing
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.text import Text, say


@dataclass(frozen=True)
class Need:
    """Something that a level needs, and `why`: a check to pass, or a file."""

    what: str
    why: Text
    met: Callable[[GameDefinition], str] | None = None  # what is wrong with it, or an empty string

    def wrong(self, game: GameDefinition) -> str:
        """What is wrong: what the check says, "missing", or an empty string."""
        if self.met:
            return self.met(game)
        return "" if any(game.folder.glob(self.what)) else "missing"


@dataclass(frozen=True)
class Found:
    """A need, and what is wrong with it in a game: an empty string if it is met."""

    need: Need
    wrong: str


def checked(name: str) -> Callable[[GameDefinition], str]:
    """A function that runs one of `testing.CHECKS` on a game and says what is wrong."""

    def met(game: GameDefinition) -> str:
        try:
            testing.run(name, game.name)
        except SkipTest:
            return "missing"
        except AssertionError as error:
            return " ".join(str(error).split())
        except Exception as error:
            return f"{type(error).__name__}: {' '.join(str(error).split())}"
        return ""

    return met


def check(name: str, why: Text) -> Need:
    """The need to pass a check."""
    return Need(f"check {name}", why, checked(name))


def has_reasons(game: GameDefinition) -> str:
    """Whether the game's hints give reasons."""
    return "missing" if "because" in game.left_out else ""


def is_credited(game: GameDefinition) -> str:
    """Whether the table names a designer and says how long a match takes."""
    return "" if not {"MINUTES", "CREDIT"} & game.left_out else "missing"


LEVELS: tuple[tuple[str, Text, tuple[Need, ...]], ...] = (
    ("plays", say("in the terminal, in the browser, in simulations"), (
        check("rules", say("legal moves, chance and the end fit together")),
        check("commits", say("secret choices may be made in any order")),
        check("knowledge", say("bots and hints look only at deals that a seat thinks possible")),
        check("secrecy", say("nobody sees what they aren't allowed to know")),
        check("beats", say("what happens is shown step by step, and no pause gives a secret away")),
        check("backends", say("machine code does what the plain functions do")),
    )),
    ("studied", say("reports and comparisons say something"), (
        Need("strategy.py", say("a house bot: what sensible players do, not what chance does")),
        Need("hints.py", say("names of results, and reasons for a move")),
    )),
    ("researched", say("environments that learners can rely on"), (
        check("conservation", say("no card is made or lost: inventory in rules.py lists them all")),
        check("results", say("matches stay within the limits in bounds.py")),
        Need("bounds.py", say("the best and the worst result, and how long a match can last: OpenSpiel asks for it")),
        Need("versions.toml", say("the version of the environment, and what changed")),
    )),
    ("published", say("for people who have never heard of it"), (
        Need("CREDIT and MINUTES", say("who designed it, and how long it takes"), is_credited),
        Need("because in hints.py", say("hints that say why"), has_reasons),
        Need("rules.en.md", say("the rules page")),
        Need("rules.nl.md", say("the rules page in Dutch")),
        Need("locale/nl/LC_MESSAGES/messages.mo", say("its sentences in Dutch")),
        Need("coach.py", say("lessons for a first match")),
        Need("example.json", say("a match to step through")),
        Need("art.svg", say("its poster and its cards")),
        Need("levels.json", say("which bots are easy, medium, hard and best (gentle, steady, sharp, best in the file), "
                                "as measured")),
    )),
)  # fmt: skip


def progress(name: str) -> Iterator[tuple[str, Text, list[Found]]]:
    """Each level, what it is good for, and what the game has of its needs. Raises UnknownGame or BrokenGame."""
    game = definition(name)
    for level, about, needs in LEVELS:
        yield level, about, [Found(need, need.wrong(game)) for need in needs]
