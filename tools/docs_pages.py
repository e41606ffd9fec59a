"""`python tools/docs_pages.py`: write the pages of `docs/reference` that follow from the code.

They are the list of commands, the Python API, the HTTP API and the contract of a game. What only the site has is
written to `docs/generated`, which git ignores, by `docs/conf.py` before each build: a page for each command, the rules
in both languages, and how strong the bots are.
"""

import argparse
import functools
import importlib
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hexdeck.bots.players.bot_names import spoken
from hexdeck.bots.players.levels import choices, data, interval, one_loser
from hexdeck.bots.players.roster import resolved
from hexdeck.cli.command_line import GROUPS, Parser, build_parser
from hexdeck.cli.tournament import gain_text
from hexdeck.engine import defaults
from hexdeck.engine.contract import FILES, MADE, NEEDED, PLAIN, Part, of_file
from hexdeck.engine.discovery.definition import DEFAULTS, definition
from hexdeck.engine.discovery.finding import game_words, places
from hexdeck.engine.endless import MOST_TURNS
from hexdeck.engine.options import AS_USUAL
from hexdeck.engine.rulebook import PICTURE, STEP, picture, rules_with_tables, step_picture
from hexdeck.engine.text import LANGUAGES, Catalogue
from hexdeck.research.exact.tree import ENDLESS
from hexdeck.simulation.game import Game, game
from hexdeck.web.html.games import drawn, position
from hexdeck.web.html.rendering import contents
from hexdeck.web.routes.api import document

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
PART = re.compile(r'<(symbol|path|g|use) id="([^"]+)"(?:[^>]*/>|.*?</\1>)', re.DOTALL)  # of the sprite
RULE = re.compile(r"\[([A-Z]{2}-\d+[^\]]*)\](?!\()")
TITLES = {"play": "Play", "study": "Study", "research": "Research", "keep": "Keep"}
RULES_TITLES = {"en": ("Rules", "How each game is played."), "nl": ("Spelregels", "Hoe elk spel gaat.")}
Data = dict[str, Any]


def own_games() -> list[str]:
    """The names of the games in the package."""
    return [name for name, place in places().items() if place.own]


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    heads = [*heads]
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def hidden(pages: Iterable[str]) -> str:
    """A table of contents that only the site has, in its margin."""
    return "<!-- on the site:\n```{toctree}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n-->\n"


def table_of_contents(pages: Iterable[str], caption: str = "") -> str:
    """A table of contents."""
    head = [f":caption: {caption}"] if caption else []
    return "\n".join(["```{toctree}", ":maxdepth: 1", *head, "", *pages, "```"])


# --- commands ---------------------------------------------------------------------------------------------------------
def parsers() -> dict[str, Parser]:
    """The parser of each command."""
    return build_parser(Catalogue("en")).commands


def helped(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help of an argument as Markdown, with its choices where its name doesn't show them."""
    values = {**vars(action), "prog": parser.prog}
    text = (action.help or "") % values
    if action.choices is not None and action.metavar is not None:
        text += f" ({', '.join(f'`{each}`' for each in action.choices)})"
    return re.sub(r"<", "&lt;", text).strip()


def named(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """How an argument is written."""
    value = parser._get_formatter()._format_args(action, (action.dest or "").upper()) if action.nargs != 0 else ""
    if not action.option_strings:
        return f"`{value}`"
    return ", ".join(
        f"`{flag} {value}`" if value and flag.startswith("--") else f"`{flag}`" for flag in action.option_strings
    )


def command_page(name: str, parser: Parser) -> str:
    """The page of a command: what it does, its usage, its arguments and options, its example."""
    parser.formatter_class = functools.partial(argparse.HelpFormatter, width=92)
    usage = parser.format_usage().rstrip().removeprefix("usage: ").replace("\n       ", "\n")
    parts = [f"# hexdeck {name}", f"{sentence(parser.description or '')}", f"```text\n{usage}\n```"]
    for group in parser._action_groups:
        shown = [each for each in group._group_actions if each.help is not argparse.SUPPRESS]
        if shown:
            title = {"positional arguments": "Arguments", "options": "Options"}.get(group.title or "", group.title)
            rows = ((named(parser, each), helped(parser, each)) for each in shown)
            parts += [f"## {sentence(title or '', '')}", table(("", "what it does"), rows)]
    for title, lines in parser.closing:
        parts += [f"## {sentence(title, '')}", "```text\n" + "\n".join(lines) + "\n```"]
    return "\n\n".join(parts) + "\n"


def file_of(name: str) -> str:
    """The name of the page of a command."""
    return name.replace(" ", "_")


def sentence(text: str, end: str = ".") -> str:
    """A text as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else end)


def commands_page() -> str:
    """The commands, and what each does."""
    known = parsers()
    groups = [
        (TITLES.get(group, sentence(group, "")), [each for each in known if each.partition(" ")[0] in names])
        for group, names in GROUPS.items()
    ]
    about = "`hexdeck help COMMAND` shows its arguments, options and defaults, and examples."
    parts = ["# Commands", about]
    for title, names in groups:
        rows = ((command_link(name), sentence(known[name].description or "")) for name in names)
        parts += [f"## {title}", table(("command", "what it does"), rows)]
    return "\n\n".join(parts) + "\n\n" + hidden(f"../generated/commands/{file_of(name)}" for name in known)


def command_link(name: str) -> str:
    """The name of a command, which on the site leads to its page."""
    return f"`hexdeck {name}`<!-- on the site: ([all of it](../generated/commands/{file_of(name)}.md)) -->"


def command_pages() -> dict[str, str]:
    """A page for each command."""
    return {f"commands/{file_of(name)}.md": command_page(name, parser) for name, parser in parsers().items()}


# --- the HTTP API -----------------------------------------------------------------------------------------------------
def kind(schema: Data) -> str:
    """The type that a schema describes, in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return "one of " + ", ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return " or ".join(kind(each) for each in schema[word])
    found = schema.get("type", "anything")
    if found == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return " or ".join(found) if isinstance(found, list) else str(found)


def limits(schema: Data) -> str:
    """What a value must keep to, and what it means."""
    words = {
        "minimum": "at least",
        "maximum": "at most",
        "minLength": "at least",
        "maxLength": "at most",
        "minItems": "at least",
        "maxItems": "at most",
    }
    units = {"Length": " characters", "Items": " entries"}
    said = [f"{text} {schema[key]}{units.get(key[3:], '')}" for key, text in words.items() if key in schema]
    return "; ".join([*filter(None, [schema.get("description", "")]), *said])


def fields(schema: Data) -> str:
    """The fields of an object as a table; nothing if it names none."""
    required = set(schema.get("required", ()))
    rows = [
        (f"`{name}`", kind(each), "yes" if name in required else "", limits(each))
        for name, each in schema.get("properties", {}).items()
    ]
    return table(("field", "type", "always", ""), rows) if rows else ""


def operation(method: str, path: str, about: Data, parameters: list[Data]) -> list[str]:
    """A section about an operation."""
    public = "By the token of a seat, or as the public." if method == "get" else "By the token of a seat."
    token = public if about.get("security") else "Without a token."
    parts = [f"### {method.upper()} {path}", f"{sentence(about['summary'])} {token}"]
    asked = [each for each in parameters if each["in"] == "query"]
    if asked:
        parts += [table(("in the query", "type"), ((f"`{each['name']}`", kind(each["schema"])) for each in asked))]
    for sent in about.get("requestBody", {}).get("content", {}).values():
        parts += ["It is sent", fields(sent["schema"]) or kind(sent["schema"])]
    status, answer = next(iter(about["responses"].items()))
    said = [f"{kind(each['schema'])} ({media})" for media, each in answer.get("content", {}).items()]
    return [*parts, f"It answers {status}: {' or '.join(said)}."]


CALLS = """## Three calls

Set up a table with two bots. The answer is a [Table](#table), and has the `token` of your seat:

<!-- not run: it needs a server -->
```sh
curl localhost:8400/api/tables --json '{"game": "hawthorn", "players": 3, "name": "Ann"}'
```

```json
{"table": "Nhk3GEIYg9hs", "version": 1, "token": "7asN1jydTYrLzKubo1o7vA", "view": {"moves": [{"name": "show 3"}]}}
```

Play one of `view.moves`, with its `table` for TABLE, its `token` for TOKEN, and the `version` that you saw:

<!-- not run: it needs a server -->
```sh
curl localhost:8400/api/tables/TABLE/move -H 'Authorization: Bearer TOKEN' --json '{"move": "show 3", "version": 1}'
```

Then follow the table: the stream has a line now and one at each change, each again a Table.

<!-- not run: it needs a server -->
```sh
curl -N localhost:8400/api/tables/TABLE/stream -H 'Authorization: Bearer TOKEN'
```"""


def http_page() -> str:
    """The page about the HTTP API, from its own description."""
    about_it = "A server describes its API itself, at `/api/openapi.json`; this page is made from the same description."
    api = document()
    answers = next(iter(api["paths"].values()))["get"]["responses"]
    refused = ((f"`{code}`", each["description"]) for code, each in answers.items() if code != "200")
    parts = [
        "# The HTTP API",
        "Set up tables, take seats, look and move from a program in any language.",
        about_it,
        CALLS,
        "## Refusals",
        "Any address can answer one of these, with a [Refusal](#refusal):",
        table(("status", "why"), refused),
        "## Addresses",
    ]
    for path, methods in api["paths"].items():
        shared = methods.get("parameters", [])
        for method, about in methods.items():
            if method != "parameters":
                parts += operation(method, path, about, [*shared, *about.get("parameters", [])])
    parts += ["## Answers"]
    for name, schema in api["components"]["schemas"].items():
        parts += [f"### {name}", fields(schema) or kind(schema)]
    return "\n\n".join(parts) + "\n"


# --- the Python API ---------------------------------------------------------------------------------------------------
ABOUT_PYTHON = (
    "What scripts, studies and learners need; `hexdeck.__version__` is its version. Whatever isn't on this page may"
    " change from version to version. Import names `from hexdeck` unless a section says otherwise. [Use it from"
    " Python](../howto/use_from_python.md) shows them at work."
)
SEE_MODELS = (
    "`from hexdeck.research.prompt`. [Let a language model play](../howto/play_with_language_models.md) shows them at"
    " work."
)
SEE_ENVS = (
    "`from hexdeck.envs.pettingzoo`, `.gymnasium` or `.open_spiel`, with the `envs` extra. `env`, `raw_env` and"
    " `parallel_env` of a module such as `cursed_hand_v3` take the same without `name`; `gymnasium.make` and `make_vec`"
    " pass theirs to `SeatEnv` and `SeatVectorEnv`. [Use a framework](../howto/use_a_framework.md) shows them at work."
)
ERRORS = (
    "HexdeckError UnknownGame BrokenGame BadOption BadMove IllegalMove NotActing GameIsOver BadChance BadPly BadRecord"
    " UnknownBot"
)
NAMES = (  # sections: a title, what it says, and names by module
    ("Games", "", {"hexdeck": "game game_names load Game"}),
    ("Matches", "", {"hexdeck": "Match Event Record"}),
    ("What a seat sees", "", {"hexdeck": "View Zone Move Fact"}),
    (
        "Text for language models",
        SEE_MODELS,
        {
            "hexdeck.research.prompt": "prompt_of table_text rules_text read_answer Prompt ModelAnswer ModelPlayer"
            " ModelCounts"
        },
    ),
    (
        "Many matches at once",
        "`Game.simulate` takes what `simulate` takes, without the game.",
        {
            "hexdeck": "Batch",
            "hexdeck.simulation.environments": "Arrays",
            "hexdeck.simulation.simulate": "simulate",
            "hexdeck.engine.play.playouts": "Results",
        },
    ),
    ("Policies and other players of yours", "", {"hexdeck.bots.players.policies": ""}),
    (
        "Environments of frameworks",
        SEE_ENVS,
        {
            "hexdeck.envs.pettingzoo": "env raw_env parallel_env",
            "hexdeck.envs.gymnasium": "SeatEnv SeatVectorEnv",
            "hexdeck.envs.open_spiel": "load",
        },
    ),
    (
        "Exact figures for small games",
        "`from hexdeck.research.exact`; what isn't a tree or a size, `from hexdeck.research.exact.tree`.",
        {
            "hexdeck.research.exact": "GameTree sizes Size",
            "hexdeck.research.exact.tree": "ChoiceValues gains_by_deals histories",
        },
    ),
    (
        "The lab",
        "`from hexdeck.lab`, with the `lab` extra.",
        {"hexdeck.lab": "games decisions read measure difference", "hexdeck.lab.store": "GAMES MADE"},
    ),
    ("Checks for a game of your own", "`from hexdeck import testing`.", {"hexdeck.testing": " run look_in"}),
    ("Errors", "", {"hexdeck": ERRORS}),
)


REST = "For tools that keep, change or check matches"
MEMBERS = {  # of large classes, by what they are for
    "Game": {"To play": "named match batch simulate variant usual observation_size endings"},
    "Match": {
        "To play": "acting actor over legal legal_ids play ending returns chances deal let_chance copy",
        "What a seat knows": "view observation key facts knowledge resample",
        "The past": "ply length events event go record",
    },
}


def python_page() -> str:
    """The page about the Python API: signatures and docstrings."""
    parts = ["# The Python API", ABOUT_PYTHON]
    for title, about, modules in NAMES:
        parts += [f"## {title}", *([about] if about else [])]
        for path, names in modules.items():
            module = importlib.import_module(path)
            parts += [described(getattr(module, name) if name else module, name) for name in names.split(" ")]
    return re.sub(r"(?m)^(- .*)\n\n(?=- )", r"\1\n", "\n\n".join(parts)) + "\n"


def described(thing: Any, name: str) -> str:
    """A function, a class with its public members, or without a name a module."""
    about = inspect.getdoc(thing) or ""
    if not name:
        return about
    if isinstance(thing, dict):
        return f"### {name}\n\n" + "\n".join(f"- `{key}`: {meaning}" for key, meaning in thing.items())
    if not inspect.isclass(thing):
        return f"### {name}\n\n`{name}{signature(thing)}`\n\n{about}"
    if issubclass(thing, Exception):
        return f"- `{name}`: {' '.join(about.split())}"
    below = grouped([*members(thing)], MEMBERS[name]) if name in MEMBERS else [*members(thing)]
    return f"### {name}\n\n`{name}{signature(thing)}`\n\n{about}\n\n{chr(10).join(below)}".rstrip()


def grouped(lines: list[str], groups: dict[str, str]) -> list[str]:
    """The members of a class in groups, each below its title; those that no group names are the last."""
    homes = {name: title for title, names in groups.items() for name in names.split()}
    parts: dict[str, list[str]] = {title: [] for title in [*groups, REST]}
    for line in lines:
        parts[homes.get(re.split(r"[`(]", line)[1], REST)].append(line)
    return [line for title, own in parts.items() if own for line in ("", f"{title}:", "", *own)]


def members(kind: type) -> Iterator[str]:
    """The public members of a class of ours, in the order of the source."""
    for name in dict.fromkeys(name for each in reversed(kind.__mro__) if ours(each) for name in vars(each)):
        member = inspect.getattr_static(kind, name)
        about = " ".join((inspect.getdoc(member) or "").split())
        if name.startswith("_") or not about:
            continue
        if isinstance(member, (property, functools.cached_property)):
            yield f"- `{name}`: {about}"
        elif isinstance(member, (classmethod, staticmethod)) or inspect.isfunction(member):
            yield f"- `{name}{signature(getattr(kind, name))}`: {about}"


def ours(kind: type) -> bool:
    """Whether a class is one of Hexdeck."""
    return kind.__module__.startswith("hexdeck")


def signature(thing: Any) -> str:
    """The arguments of a function or a class, with their types, and what it returns."""
    text = (
        re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))
        .replace("(self, ", "(")
        .replace("(self)", "()")
    )
    text = re.sub(r"<function \w+\.(\w+) at \w+>|ForwardRef\('(\w+)'\)", r"\1\2", text).replace("<factory>", "…")
    text = text.replace(f"= {ENDLESS}", "= …")
    return re.sub(r"\b(?:[a-z]\w*\.)+(?=[a-zA-Z])|\bnp\.| -> None$", "", text)


# --- rules ------------------------------------------------------------------------------------------------------------
def rules_page(name: str, lang: str) -> str:
    """The rules of a game, with pictures drawn and an anchor at the first mention of each rule."""
    seen: set[str] = set()

    def anchored(found: re.Match[str]) -> str:
        fresh = [id for id in re.findall(r"[A-Z]{2}-\d+", found[1]) if id not in seen]
        seen.update(fresh)
        return "".join(f'<span id="{id}"></span>' for id in fresh) + f'<span class="rule">{found[1]}</span>'

    def moment(found: re.Match[str]) -> str:
        return f'<span class="step">{position(name, lang, "", step_picture(*found.groups()))}</span>'

    text = STEP.sub(moment, rules_with_tables(name, lang))
    text = PICTURE.sub(lambda found: drawn(picture(*found.groups()), ""), text)
    return f"{RULE.sub(anchored, text)}\n{symbols_of(text)}\n"


def symbols_of(text: str) -> str:
    """The symbols that the pictures of a page use, as one hidden drawing: a page read from a file can't load others."""
    sprite = contents("sprite.svg").decode()
    there = {found[2]: found[0] for found in PART.finditer(sprite)}
    wanted, found = [*re.findall(r'href="#([^"]+)"', text)], dict[str, str]()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = there[name]
            wanted += re.findall(r'href="#([^"]+)"', there[name])
    parts = "".join(sorted(found.values()))
    return f'<div><svg xmlns="http://www.w3.org/2000/svg" class="symbols" aria-hidden="true">{parts}</svg></div>'


def rules_pages() -> Iterator[tuple[str, str]]:
    """The rules of all games in both languages, and a page for each language that leads to them."""
    for lang in LANGUAGES:
        title, about = RULES_TITLES[lang]
        yield f"rules/{lang}/index.md", "\n\n".join([f"# {title}", about, table_of_contents(own_games())]) + "\n"
        for name in own_games():
            yield f"rules/{lang}/{name}.md", rules_page(name, lang)


# --- the strength of bots ---------------------------------------------------------------------------------------------
def strength_page() -> str:
    """How strong each level of bot was measured to be, in each game and for each number of players."""
    about = (
        "What `hexdeck games GAME` and the form of a new table say of each level, and what a level does more or less"
        " often with a manner (`hard:bold`). The second table has the contests behind it: one bot alone among bots of"
        " another level, on the same deals from every seat. ± is half the 95 % interval; a tie shares the place."
        " [Bots, levels and hints](../reference/bots.md) says what the words mean."
    )
    parts = ["# The levels of the bots", about]
    for name in own_games():
        low, high = definition(name).rules.PLAYERS
        words, seated = game_words(name, "en"), [game(name, players) for players in range(low, high + 1)]
        rows = [(str(each.players), *row) for each in seated for row in level_rows(each, words)]
        heads = "players", "level", "the bot it is", "what it does"
        parts += [f"## {words.words(definition(name).table.ABOUT.title)}", table(heads, rows)]
        columns = "players", "one", "among", "deals", "above the mean", f"comes {place_told(seated[0])}", "ms a choice"
        parts += [table(columns, (row for each in seated for row in contest_rows(each, words))), commands(seated)]
    return "\n\n".join(parts) + "\n"


def level_rows(seated: Game, words: Catalogue) -> Iterator[tuple[str, ...]]:
    """What a menu offers, which bot that is, and what was measured of it."""
    for bot, text in choices(seated).items():
        yield f"`{spoken(bot)}`", f"`{spoken(resolved(bot, seated))}`", sentence(words.words(text))


def contest_rows(seated: Game, words: Catalogue) -> Iterator[tuple[str, ...]]:
    """The contests that are kept for so many players."""
    for found in kept_row(seated).get("contests", []):
        place, half = (100 * part for part in interval(found, place_told(seated)))
        gain = words.words(gain_text(seated.measure, *interval(found, "gain")))
        names = (f"`{spoken(found[side])}`" for side in ("one", "others"))
        share = f"{place:.1f} ± {half:.1f} %"
        yield str(seated.players), *names, f"{found['groups']:,}", gain, share, ms(found["ms"])


def ms(measured: float) -> str:
    """Milliseconds with two digits; they are kept to a hundredth."""
    return f"{measured:.2g}" if measured else "under 0.01"


def place_told(seated: Game) -> str:
    """The place that matters: the last one where a match has one loser."""
    return "last" if one_loser(seated) else "first"


def commands(seated: Iterable[Game]) -> str:
    """How to measure the contests again: those of a row, and those that were played anew after it."""
    kept = [(each.players, [row := kept_row(each), *row["contests"]]) for each in seated if kept_row(each)]
    rows = [(str(n), f"`{each['command']}`") for n, measured in kept for each in measured if "command" in each]
    return table(("players", "measured by"), rows)


def kept_row(seated: Game) -> Data:
    """What is kept of the levels for so many players."""
    return dict(data(seated).get("measured", {}).get(str(seated.players), {}))


# --- the contract of a game -------------------------------------------------------------------------------------------
def contract_page() -> str:
    """Every name that a game's files may define, from the table that the engine validates games by."""
    about = (
        "Two files make a game, `rules.py` and `table.py`; the others are optional, and so is every part that has a"
        " default. A function gets what stands in its brackets: `s` is the struct of a position, `actions`, `weights`,"
        " `utilities` and `numbers` are arrays to write to, `rng` is a generator. `hexdeck game check` says what the"
        " next level needs; [Your own game in an hour](../tutorials/your_own_game.md) builds one."
    )
    ends = (
        f"In a folder of your own, the loops of a function may turn {MOST_TURNS:,} times in all, each time that it is"
        " called, and functions of `rules.py` and `strategy.py` can't call each other in a circle. What doesn't end, or"
        " fails, is told with its place."
    )
    parts = ["# The contract of a game", about, ends]
    for file in FILES:
        rows = (
            (f"`{part.written}`", sentence(part.about), kept(part), default(part), part.users, part.level)
            for part in of_file(file)
        )
        parts += [f"## {file}.py", table(("name", "what it is", "gives", "if left out", "used by", "level"), rows)]
    return "\n\n".join(parts) + "\n"


def kept(part: Part) -> str:
    """What a part gives, or the type of a value."""
    return part.gives or "–"


def default(part: Part) -> str:
    """What is used where a game leaves a part out."""
    if part.default is NEEDED:
        return "it is needed"
    if part.default in (PLAIN, MADE):
        said = getattr(defaults, part.name, None) or DEFAULTS[part.name.lower()]
        return sentence((said.__doc__ or "").strip().partition("\n")[0])
    if part.default == (AS_USUAL,):
        return "The usual rules alone."
    if part.default is None:
        return "there is none"
    return f"as `{part.default}`" if isinstance(part.default, str) else f"`{part.default!r}`"


# --- all of them ------------------------------------------------------------------------------------------------------
def pages() -> dict[str, str]:
    """Every page by its path."""
    return {
        **command_pages(),
        **dict(rules_pages()),
        "levels.md": strength_page(),
    }


def committed() -> dict[str, str]:
    """The pages of the reference that a checkout has, too."""
    return {
        "commands.md": commands_page(),
        "python.md": python_page(),
        "http_api.md": http_page(),
        "contract.md": contract_page(),
    }


def write(folder: Path) -> None:
    """Write the pages that differ from what is there, and remove others, so that a build reads only what changed."""
    made = pages()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in made:
            path.unlink()
    for name, text in made.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name, text in committed().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")
