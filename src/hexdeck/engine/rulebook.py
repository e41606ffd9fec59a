"""A game's rules page, from the text in its folder.

A picture is written `* a description in words <!-- cards:4s,7h -->`, or with `board:` if the cards lie on a board, so
that a reader of the bare file sees the words. Slashes separate rows; `.` is an empty place, `back` a card face down; a
`+` after a code highlights the card. `rules_text` has it as `![a description in words](cards:4s,7h)`.

`* a sentence <!-- step:28,ghost+,hand -->` shows zones of the worked example at ply 28: those whose id, or whose id
before the seat, is named, in that order; a `+` highlights a zone.

Under a heading of the third level (`###`) is small print.

`<!-- table: NAME -->` is replaced by a table of what is printed on the cards, from `printed()` in the game's `deck.py`;
`<!-- minutes -->` by how long a match takes, from `ABOUT` in its `table.py`. What follows up to `<!-- -->`, for readers
of the bare file, is left out.

The worked example is `example.json` in the game's folder: a record, which may stop before the match is over. The
passages are in `example.LANG.md`: under each heading `## PLY`, what that ply shows, with rule ids in brackets.
"""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.finding import cleared_by_forget, game_folder, game_words
from hexdeck.engine.options import Deck, Option
from hexdeck.engine.play.match import Match, replay
from hexdeck.engine.play.story import view_at
from hexdeck.engine.rule_changes import RuleChange, changes_of, printed_game
from hexdeck.engine.text import Catalogue, Text, _, card_names, card_text, say, say_n
from hexdeck.engine.view import View, Zone


@dataclass(frozen=True)
class PrintedCard:
    """A card to be printed: its symbol in the sprite, how many there are, and words below the picture, if any."""

    symbol: str
    copies: int = 1
    words: Text | None = None

    @property
    def code(self) -> str:
        """Its code, where its symbol is a card's."""
        return self.symbol.removeprefix("card-")


@dataclass(frozen=True)
class PaperScores:
    """What players write down: a line for each deal or the like (`each`, numbered), `lines` of them.

    `parts`: what such a line consists of, if it is more than one number.
    """

    each: Text
    lines: int
    parts: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Printed:
    """A game on paper: its cards, its score sheet, rows and columns of its board, tables for its rules page by name."""

    cards: tuple[PrintedCard, ...] = ()
    scores: PaperScores | None = None
    board: tuple[int, int] | None = None
    tables: Mapping[str, Any] = field(default_factory=dict)


def printed(game: GameDefinition, options: Mapping[str, Any] = MappingProxyType({})) -> Printed:
    """A game on paper: its cards with the names that they have."""
    paper, names = plainly_printed(game, options), card_names(game.folder / "locale")
    return replace(paper, cards=tuple(named(card, names.get(card.code, "")) for card in paper.cards))


def named(card: PrintedCard, name: str) -> PrintedCard:
    """A card with its name below the picture, before other words."""
    form = "{name}: {words}" if card.words else "{name}"
    return replace(card, words=Text(form, {"name": name, "words": card.words})) if name else card


def plainly_printed(game: GameDefinition, options: Mapping[str, Any]) -> Printed:
    """A game on paper, as its `deck.py` says; without one, a score sheet and the deck, if it is one of numbers."""
    if game.deck:
        paper: Printed = game.deck.printed()
        return paper
    deck = next((option for option in game.rules.OPTIONS if isinstance(option, Deck)), None)
    if deck is None:
        return Printed()
    counts = deck.counts(options.get(deck.name, deck.default))
    cards = tuple(PrintedCard(f"card-{rank}", copies) for rank, copies in enumerate(counts, 1) if copies)
    return Printed(cards, PaperScores(game.table.ABOUT.deal, LINES))


DESCRIBED = re.compile(r"^\* (.+) <!-- ((?:cards|board|step):\S+) -->$", re.MULTILINE)
BARE = re.compile(r"(?<=<!-- minutes -->)[^<]+<!-- -->|(?<= -->)\n\|[^<]+<!-- -->")
PICTURE = re.compile(r"!\[([^\]]*)\]\((cards|board):([^)\s]+)\)")
STEP = re.compile(r"!\[([^\]]*)\]\(step:(\d+)((?:,[a-z]+\+?)+)\)")
TABLE = re.compile(r"<!-- table: ([a-z]+) -->")
CODE = re.compile(r"\s*\[[A-Z]{2}-\d+\]")  # the id of a rule in a text
TYPED = re.compile(rf" \(`[^`]*`(?:, `[^`]*`)*\)|{CODE.pattern}|[*`]")  # what a reader who types nothing can do without
MINUTES = "<!-- minutes -->"
BETWEEN = re.compile(r"(\n\s*\n|\n(?=[-*] |\d+\. ))")  # between paragraphs, and between items of lists
EMPTY, BACK = ".", "back"
LINES = 12  # of a score sheet


@dataclass(frozen=True)
class RulesTable:
    """A table on the rules page; its first row has the column headings."""

    rows: tuple[tuple[Text | str | int, ...], ...]

    def markdown(self, catalogue: Catalogue) -> str:
        """The table as Markdown, in a language."""
        head, *rows = [
            [catalogue.words(cell) if isinstance(cell, Text) else str(cell) for cell in row] for row in self.rows
        ]
        return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


@dataclass(frozen=True)
class Drawn:
    """A card in a picture: its code (or EMPTY, BACK), and whether it is highlighted."""

    code: str
    marked: bool


@dataclass(frozen=True)
class Picture:
    """A picture of cards in rows, side by side or on a board, with a description in words."""

    alt: str
    board: bool
    rows: tuple[tuple[Drawn, ...], ...]

    def text(self, suits: bool) -> str:
        """The picture as lines of text; `suits`: write standard cards with suit symbols."""
        names = [[card_name(card, suits) for card in row] for row in self.rows]
        wide = max(len(name) for row in names for name in row) if len(names) > 1 else 0
        return "\n".join("  ".join(name.ljust(wide) for name in row).rstrip() for row in names)


@dataclass(frozen=True)
class StepPicture:
    """A picture of the worked example at a ply: a sentence about it, and the zones to show, each with its highlight."""

    caption: str
    ply: int
    zones: tuple[tuple[str, bool], ...]


def card_name(card: Drawn, suits: bool) -> str:
    """A card in a picture as text."""
    if card.code in (EMPTY, BACK):
        return {EMPTY: "." if not suits else "·", BACK: "#" if not suits else "▒"}[card.code]
    name = card_text(card.code, suits)
    return f"[{name}]" if card.marked else name


def picture(alt: str, kind: str, codes: str) -> Picture:
    """A picture made from its parts in the text: the description, `cards` or `board`, and the codes."""
    rows = tuple(
        tuple(Drawn(code.removesuffix("+"), code.endswith("+")) for code in row.split(",")) for row in codes.split("/")
    )
    return Picture(" ".join(alt.split()), kind == "board", rows)


def pictures(text: str) -> list[Picture]:
    """All pictures of a text, in order."""
    return [picture(*groups) for groups in PICTURE.findall(text)]


def step_picture(caption: str, ply: str, zones: str) -> StepPicture:
    """A picture of the example made from its parts in the text."""
    zone_list = tuple((zone.removesuffix("+"), zone.endswith("+")) for zone in zones.strip(",").split(","))
    return StepPicture(" ".join(caption.split()), int(ply), zone_list)


def step_pictures(text: str) -> list[StepPicture]:
    """All pictures of the example in a text, in order."""
    return [step_picture(*groups) for groups in STEP.findall(text)]


NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})
CHANGES = say("This is a variant: what differs")
SEE = _("change {number}")
USUAL_CARDS = say("The cards to be cut out are those of the printed game.")


def rules_text(name: str, lang: str, options: Mapping[str, Any] = NO_OPTIONS) -> str:
    """The rules page of a game in a language, else in English, else the docstring of its rules.

    Of a fork, or with these options, it begins with what isn't played as the page says, and marks where.
    """
    game = definition(name)
    page = game.file(f"rules.{lang}.md") or game.file("rules.en.md")
    if page:
        text, span = page.read_text(encoding="utf-8"), game.table.ABOUT.minutes
        text = DESCRIBED.sub(r"![\1](\2)", BARE.sub("", text))
        text = text.replace(MINUTES, game_words(name, lang).words(match_length(span)) + ".") if span else text
    else:
        text = f"# {game.table.ABOUT.title}\n\n{inspect.cleandoc(game.rules.__doc__ or '')}\n"
    changes = changes_of(game, options)
    return with_changes(text, game, options, changes, game_words(name, lang).words) if changes else text


def with_changes(
    text: str, game: GameDefinition, options: Mapping[str, Any], changes: list[RuleChange], words: Callable[[Text], str]
) -> str:
    """A rules page that begins with what differs, numbered as paragraphs are marked: those that cite or offer it.

    The summary is marked with all, what one needs (before it) with what no rule is about.
    """
    listed = [words(replace(each.text, args=each.text.args | {"number": k})) for k, each in enumerate(changes, 1)]
    other_cards = {option.name for option in game.rules.OPTIONS if option.of_cards}.intersection(
        each.option for each in changes
    )
    if other_cards and printed(game, options).cards == printed(printed_game(game)).cards:
        listed.append(words(USUAL_CARDS))

    parts = BETWEEN.split(text.rstrip())
    first = next((k for k, part in enumerate(parts) if part.startswith("## ")), 2)  # section
    for k in range(2, len(parts) - 1, 2):  # without the last, which explains the ids
        about = [
            str(number)
            for number, each in enumerate(changes, 1)
            if k == first + 2 or is_about(parts[k], each) or (k == first - 2 and not each.rules)
        ]
        if about:
            parts[k] += f" **({words(say(SEE, number=', '.join(about)))})**"
    section = "\n\n".join([f"## {words(CHANGES)}", *listed, ""])
    return "".join([*parts[:first], section, *parts[first:]]) + "\n"


def is_about(block: str, change: RuleChange) -> bool:
    """Whether a paragraph cites a rule that isn't played so, or offers the option."""
    if block.startswith(("#", "|", "![", "<!--")):
        return False
    cites = any(re.search(rf"\b{rule}\b", block) for rule in change.rules)
    return cites or (change.option != "" and f"`{change.option}=" in block)


def match_length(span: tuple[int, int]) -> Text:
    """How long a match takes, in words: `span` has the minutes with this program, and with cards on a table."""
    app, with_cards = span
    if app == with_cards:
        return say_n("About {n} minute", "About {n} minutes", app)
    on_screen = say_n("{n} minute", "{n} minutes", app)
    return say("About {here} on screen, {cards} with cards", here=on_screen, cards=with_cards)


def luck_in_words(percent: int) -> Text:
    """How much of a match chance decides, in words."""
    for bound, words in ((10, say("hardly any luck")), (45, say("some luck")), (65, say("half luck, half skill"))):
        if percent < bound:
            return words
    return say("much luck")


def rules_with_tables(name: str, lang: str, options: Mapping[str, Any] = NO_OPTIONS) -> str:
    """The rules page of a game or a variant, with its tables of what is printed on the cards."""
    text = rules_text(name, lang, options)
    if not TABLE.search(text):
        return text
    sheets, catalogue = printed(definition(name)).tables, game_words(name, lang)
    return TABLE.sub(lambda found: sheets[found[1]].markdown(catalogue), text)


def blocks(text: str) -> list[str]:
    """The paragraphs and items of lists of a text, each in one line, without its mark."""
    parts = BETWEEN.split(text)[::2]
    return [re.sub(r"^(?:[-*]|\d+\.) +", "", " ".join(block.split())) for block in parts]


def passages(name: str, lang: str, rule: str) -> list[str]:
    """The paragraphs of the rules page that cite a rule id, without ids."""
    cites = re.compile(rf"\[[^\]]*\b{re.escape(rule)}\b[^\]]*\]")
    return [
        re.sub(rf"{CODE.pattern}|[*`]", "", block) for block in blocks(rules_text(name, lang)) if cites.search(block)
    ]


def ruling(name: str, lang: str, option: Option) -> str:
    """What the rules page says of an option, where it lists what can be played otherwise; "" if it says nothing."""
    for block in blocks(rules_text(name, lang)):
        if f"`{option.name}=" in block:
            return TYPED.sub("", block)
    return ""


# --- the worked example -----------------------------------------------------------------------------------------------
FILE = "example.json"


@dataclass(frozen=True)
class ExampleStep:
    """A step of the example: a ply, the view with open cards, and the passage about it."""

    ply: int
    view: View
    passage: str


def has_example(name: str) -> bool:
    """Whether a game has a worked example."""
    return (game_folder(name) / FILE).is_file()


def passages_by_ply(folder: Path, lang: str) -> dict[int, str]:
    """The passages of an example in a language, or in English if it has none; each in one line."""
    own = folder / f"example.{lang}.md"
    text = (own if own.is_file() else folder / "example.en.md").read_text(encoding="utf-8")
    _before, *parts = re.split(r"^## (\d+)$", text, flags=re.MULTILINE)
    return {int(ply): " ".join(passage.split()) for ply, passage in zip(parts[::2], parts[1::2], strict=True)}


@cleared_by_forget
@functools.cache
def played(name: str) -> Match:
    """The match of an example."""
    return replay(game_folder(name) / FILE, backend="interpreted")


@cleared_by_forget
@functools.cache
def example_views(name: str) -> dict[int, View]:
    """The views of an example by ply, with the names of its players; the same for every language."""
    match = played(name)
    return {ply: view_at(match, ply, None) for ply in passages_by_ply(game_folder(name), "en")}


def steps(name: str, lang: str) -> list[ExampleStep]:
    """The steps of a game's example; empty if it has none."""
    if not has_example(name):
        return []
    passages, setup = passages_by_ply(game_folder(name), lang), played(name).game
    if setup != setup.usual():
        note = say("(This example uses the cards that come with the program; yours have other values.)")
        passages[min(passages)] += " " + game_words(name, lang).words(note)
    return [ExampleStep(ply, view, passages[ply]) for ply, view in example_views(name).items()]


# --- pictures of it on a rules page -----------------------------------------------------------------------------------
def pictured(view: View, step: StepPicture) -> list[tuple[Zone, bool]]:
    """The zones that a picture shows, those of the middle of the table first; each with whether it is highlighted."""
    chosen_zones = [
        (zone, lit)
        for zone_name, lit in step.zones
        for zone in view.zones
        if zone_name in (zone.id, zone.id.split("-")[0]) and (any(zone.cards) or zone.hidden or zone.shape == "count")
    ]
    return sorted(chosen_zones, key=lambda each: -1 if each[0].seat is None else each[0].seat)


def cropped(zone: Zone) -> list[list[str]]:
    """The part of a board that has cards, from the first row and column with one to the last."""
    rows, columns = [any(row) for row in zone.rows], [any(column) for column in zip(*zone.rows, strict=True)]
    (top, bottom), (left, right) = (
        (flags.index(True), len(flags) - flags[::-1].index(True)) for flags in (rows, columns)
    )
    return [[code or EMPTY for code in row[left:right]] for row in zone.rows[top:bottom]]
