"""A game of your own: started from a template, or forked from a game that is there, and checked for what it lacks.

Levels say how far it is: it plays, can be studied, can be researched, is published.
"""

import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest import SkipTest

from hexdeck import testing
from hexdeck.engine.contract import PARTS, PLAYS, PUBLISHED, RESEARCHED, STUDIED, Part
from hexdeck.engine.discovery.definition import FORK, NO_CREDIT, GameDefinition, definition
from hexdeck.engine.discovery.finding import GAMES, name_of, places
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import CARD_NAMES, Text, _, say

TEMPLATE = Path(__file__).parent / "template"
NAME, TITLE = "goofspiel", "Goofspiel"  # of the template's game
TEST = "test_game.py"  # runs all checks on the game in its folder
FORKED = "*.py", "rules.*.md", "cards.toml", "art.svg", "locale/*/LC_MESSAGES/messages.po", f"locale/{CARD_NAMES}"


def new_game(name: str, within: Path) -> Path:
    """Write a new game into a folder of its own and return the folder. Raises BadOption or HexdeckError."""
    name, title = chosen_name(name)
    texts = {file: (TEMPLATE / file).read_text(encoding="utf-8") for file in ("rules.py", "table.py", TEST)}
    return written(name, within, {file: text.replace(NAME, name).replace(TITLE, title) for file, text in texts.items()})


def fork_game(original: str, name: str, within: Path) -> Path:
    """Write a game that plays as another does, to be changed, and return its folder. Raises BadOption or HexdeckError.

    It has all that the other is played, taught and studied with. Levels of bots, nets, puzzles and sizes stay behind:
    they were measured with the other's rules.
    """
    game, (name, title) = definition(original), chosen_name(name)
    parent, _dot, module = game.place.package.rpartition(".")
    own, old_title = name.replace("-", "_"), str(game.table.ABOUT.title)
    texts = {TEST: (TEMPLATE / TEST).read_text(encoding="utf-8").replace(NAME, name)}
    fork = game.file(FORK)  # of a fork, the options that are its own
    options = fork.read_text(encoding="utf-8").partition("\n")[2] if fork else ""
    texts[FORK] = f'of = "{original}"\n{options}'
    files = (file for pattern in FORKED for file in game.folder.glob(pattern))
    for file in (file for file in files if file.is_file() and file.name != TEST and not file.name.startswith(".")):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".py":
            text = re.sub(rf"\b{re.escape(game.place.package)}\b", f"{GAMES}.{own}", text)
            text = re.sub(
                rf"\bfrom {re.escape(parent)} import {module}\b", f"from {GAMES} import {own} as {module}", text
            )
            text = text.replace(f'say("{old_title}")', f'say("{title}")')
        elif file.suffix == ".md":
            text = text.replace(f"# {old_title}", f"# {title}", 1)
            text = re.sub(rf"\bhexdeck (rules|print) {original}\b", rf"hexdeck \1 {name}", text)
        elif file.suffix == ".svg":
            text = text.replace(f'"art-{original}"', f'"art-{name}"')
        texts[str(file.relative_to(game.folder))] = text
    return written(name, within, texts)


def chosen_name(name: str) -> tuple[str, str]:
    """The name of a game that isn't there yet, and its title. Raises BadOption."""
    name = name_of(name)
    module = name.replace("-", "_")
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        text = _("A game's name is letters and digits, a letter first, with a hyphen between words, not {name}.")
        raise BadOption(say(text, name=repr(name)))
    if keyword.iskeyword(module):
        raise BadOption(say("{name} is a word of Python; choose another name.", name=repr(name)))
    if name in places():
        raise BadOption(say("There is already a game called {name}; choose another name.", name=name))
    return name, name.replace("-", " ").title()


def written(name: str, within: Path, texts: Mapping[str, str]) -> Path:
    """The folder of a game with these files, which is made now. Raises HexdeckError."""
    folder = within / name.replace("-", "_")
    try:
        folder.mkdir(parents=True)
        for file, text in texts.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise HexdeckError(say("{folder} already exists; choose another name.", folder=str(folder))) from None
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=str(folder), why=error.strerror or "")) from None
    return folder


# --- what it lacks ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Need:
    """Something that a level needs, and `why`: a check to pass, a part of the contract, or a file."""

    what: str
    why: Text
    examine: Callable[[GameDefinition], str] | None = None  # what is wrong with it, or an empty string

    def wrong(self, game: GameDefinition) -> str:
        """What is wrong: what the check says, "missing", or an empty string."""
        if self.examine:
            return self.examine(game)
        return "" if any(game.folder.glob(self.what)) else "missing"


@dataclass(frozen=True)
class Found:
    """A need, and what is wrong with it in a game: an empty string if it is met."""

    need: Need
    wrong: str


def checked(name: str) -> Callable[[GameDefinition], str]:
    """A function that runs one of `testing.CHECKS` on a game and says what is wrong."""

    def examine(game: GameDefinition) -> str:
        try:
            testing.run(name, game.name)
        except SkipTest:
            return "missing"
        except AssertionError as error:
            return " ".join(str(error).split())
        except Exception as error:
            return f"{type(error).__name__}: {' '.join(str(error).split())}"
        return ""

    return examine


def check(name: str, why: Text) -> Need:
    """The need to pass a check."""
    return Need(f"check {name}", why, checked(name))


def define(part: Part) -> Need:
    """The need to define a part of the contract."""
    return Need(f"{part.written} in {part.file}.py", say(part.asked), lambda game: lacking(game, part))


def lacking(game: GameDefinition, part: Part) -> str:
    """Whether a game leaves a part out."""
    return "missing" if getattr(game, part.file) is None or part.name in game.left_out else ""


def is_credited(game: GameDefinition) -> str:
    """Whether the table names a designer and says how long a match takes."""
    about = game.table.ABOUT
    return "" if about.minutes and about.credit != NO_CREDIT else "missing"


ABOUT = {
    PLAYS: say("in the terminal, in the browser, in simulations"),
    STUDIED: say("reports and comparisons say something"),
    RESEARCHED: say("environments that learners can rely on"),
    PUBLISHED: say("for people who have never heard of it"),
}
CHECKED: dict[str, tuple[Need, ...]] = {
    PLAYS: (
        check("rules", say("legal moves, chance and the end fit together")),
        check("commits", say("secret choices may be made in any order")),
        check("knowledge", say("bots and hints look only at deals that a seat thinks possible")),
        check("secrecy", say("nobody sees what they aren't allowed to know")),
        check("stops", say("what happens is shown step by step, and no pause gives a secret away")),
        check("backends", say("machine code does what the plain functions do")),
    ),
    RESEARCHED: (
        check("conservation", say("no card is made or lost: inventory in rules.py lists them all")),
        check("results", say("matches stay within the limits in bounds.py")),
    ),
}
DATA: dict[str, tuple[Need, ...]] = {
    RESEARCHED: (Need("versions.toml", say("the version of the environment, and what changed")),),
    PUBLISHED: (
        Need("credit and minutes in ABOUT", say("who designed it, and how long it takes"), is_credited),
        Need("rules.en.md", say("the rules page")),
        Need("rules.nl.md", say("the rules page in Dutch")),
        Need("locale/nl/LC_MESSAGES/messages.po", say("its sentences in Dutch")),
        Need("example.json", say("a match to step through")),
        Need("art.svg", say("its poster and its cards")),
        Need(
            "levels.json",
            say("which bots are easy, medium, hard and best (gentle, steady, sharp, best in the file), as measured"),
        ),
    ),
}

CHECKLIST = (  # what no program can see of a published game
    say(
        "rules: numbered; each place that can be read two ways is marked and has an option; the ids "
        "stand in docstrings, REASONS and the rules pages"
    ),
    say(
        "rules pages: two printed sides; how to play in 90 seconds first, with five pictures of the "
        "example; exceptions in small print"
    ),
    say("strategy.py beats random play clearly"),
    say(
        "PRESETS: named as in the rule sheet; the first is the usual one at a table, first_game is the "
        "one for the coach"
    ),
    say("art.svg: a poster, cards and icons of its own, and in data-night the colour of the felt"),
    say(
        "tests: one for each rule id, each option both ways; reference.py from the rules page alone; "
        "settings.json, worlds.py, a playthrough"
    ),
    say("tools/versions.py and tools/specs.py were run"),
    say("make test check mutants bench passes, and you have played it, in both languages"),
)


def needs(level: str) -> tuple[Need, ...]:
    """What a level needs: checks to pass, parts of the contract, files of data."""
    parts = (define(part) for part in PARTS if part.level == level and part.asked)
    return *CHECKED.get(level, ()), *parts, *DATA.get(level, ())


def progress(name: str) -> Iterator[tuple[str, Text, list[Found]]]:
    """Each level, what it is good for, and what the game has of its needs. Raises UnknownGame or BrokenGame."""
    game = definition(name)
    game.load()
    for level, about in ABOUT.items():
        yield level, about, [Found(need, need.wrong(game)) for need in needs(level)]
