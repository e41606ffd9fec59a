"""What pages say of a game: names, players, options, and its rules with anchors for rule ids and pictures of cards.

All of it comes from the game's own folder.
"""

import functools
import os
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import escape

from hexdeck.engine import rulebook
from hexdeck.engine.discovery.definition import GameDefinition, definition, preset, presets, soonest_learned, wrong_with
from hexdeck.engine.discovery.finding import game_words, places
from hexdeck.engine.options import GROUPS, THE_CARDS, Number, Option
from hexdeck.engine.rule_changes import changes_of
from hexdeck.engine.rulebook import ruling
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import Zone
from hexdeck.web.html.rendering import CardPicture as Art
from hexdeck.web.html.rendering import icon, tile
from hexdeck.web.html.rendering import picture as art_of


@dataclass(frozen=True)
class GameInfo:
    """A game in the words of a language; `learn`: it has a coach, so it can be learned by playing.

    `varies`: it is a fork that isn't played as the printed game, which its coach would teach.
    """

    name: str
    title: str
    tagline: str
    about: str
    credit: str
    players: str
    length: str
    age: str
    luck: str
    low: int
    high: int
    learn: bool = False
    varies: bool = False


@dataclass(frozen=True)
class OptionField:
    """An option as a field of a form: `values` to choose from, else a number from `low` to `high`, else text.

    `ruling`: what the rules page says of it. `rare`: it stands for no ruling, or for what the cards are; rare fields
    come last. `usual`: what it is where nobody sets it, in words; `switches_on`: the option that it needs.
    """

    name: str
    about: str
    allowed: str
    rule: str
    value: str
    values: tuple[tuple[str, str], ...] = ()
    low: int | None = None
    high: int | None = None
    ruling: str = ""
    rare: bool = False
    usual: str = ""
    switches_on: str = ""


def game_info(name: str, lang: str) -> GameInfo:
    """A game in a language."""
    return game_info_of(definition(name), lang)


@functools.lru_cache(64)
def game_info_of(game: GameDefinition, lang: str) -> GameInfo:
    """A game as it is now; a fork may change."""
    name, translate = game.name, game_words(game.name, lang).words
    varies = bool(changes_of(game, {}))
    table, (low, high) = game.table, game.rules.PLAYERS
    return GameInfo(
        name,
        translate(table.ABOUT.title),
        translate(table.ABOUT.tagline),
        translate(table.ABOUT.text),
        " ".join(map(translate, game.credits)),
        translate(say("{low} to {high} players", low=low, high=high)),
        translate(rulebook.match_length(table.ABOUT.minutes)) if table.ABOUT.minutes else "",
        f"{table.ABOUT.age}+" if table.ABOUT.age else "",
        "" if varies or table.ABOUT.luck is None else translate(rulebook.luck_in_words(table.ABOUT.luck)),
        low,
        high,
        game.coach is not None and not varies,
        varies,
    )


def all_games(lang: str) -> list[GameInfo]:
    """All games that work, those first that are learned soonest."""
    return [game_info(name, lang) for name in soonest_learned()]


def broken_games(catalogue: Catalogue) -> list[str]:
    """What is wrong with each game from outside that doesn't work, without the path of its folder."""
    faults = [wrong_with(name) for name, folder in places().items() if not folder.own]
    return [catalogue.words(without_paths(wrong)) for wrong in faults if wrong]


def without_paths(text: Text) -> Text:
    """What is said of a broken game, without the paths of the server's folders: its files begin with the game's own."""
    return replace(text, args={name: _without_paths(value) for name, value in text.args.items()})


def _without_paths(value: Any) -> Any:
    if isinstance(value, Text):
        return without_paths(value)
    if isinstance(value, str):
        for source in places().values():
            value = value.replace(f"{source.folder.parent}{os.sep}", "")
    return value


def option_groups(name: str, lang: str, players: int, typed: Mapping[str, str]) -> list[tuple[str, list[OptionField]]]:
    """The options of a game by the groups of a form, with what was given; what is left empty is as in the preset."""
    translate, options = game_words(name, lang).words, definition(name).rules.OPTIONS
    out = []
    for group, title in GROUPS.items():
        fields = [table_field(name, option, lang, players, typed) for option in options if option.shown_in == group]
        out += [(translate(title), fields)] if fields else []
    return out


def table_field(name: str, option: Option, lang: str, players: int, typed: Mapping[str, str]) -> OptionField:
    """One option of a new table, first as the preset has it, or as it is in all of them."""
    translate, field = game_words(name, lang).words, option_field(name, option, lang, typed)
    options = definition(name).rules.OPTIONS
    among = {entry.options_for(players).get(option.name, option.default) for entry in presets(name, players)}
    varies = len(among) > 1 or any(entry.needs and entry.needs[0] == option.name for entry in options)
    usual = option.spell(option.parse(among.pop()))
    title = translate(say("as chosen above")) if varies else dict(field.values).get(usual, usual)
    needed = next((entry.about for entry in options if option.needs and entry.name == option.needs[0]), None)
    return replace(
        field,
        value=typed.get(f"option-{option.name}", ""),
        usual=title,
        switches_on=translate(needed) if needed else "",
        values=tuple(entry for entry in field.values if varies or entry[0] != usual),
    )


def option_field(name: str, option: Option, lang: str, typed: Mapping[str, str]) -> OptionField:
    """One option, with the ruling it stands for."""
    translate = game_words(name, lang).words
    usual = option.spell(option.parse(preset(name).options.get(option.name, option.default)))
    values = tuple((value, translate(label)) for value, label in option.choices().items())
    low, high, allowed = None, None, option.typeable()
    if isinstance(option, Number):
        low, high, allowed = option.low, option.high, say("{low} to {high}", low=option.low, high=option.high)
    return OptionField(
        option.name,
        translate(option.about),
        "" if values else translate(allowed),
        option.rule,
        typed.get(f"option-{option.name}", usual),
        values,
        low,
        high,
        ruling(name, lang, option),
        option.shown_in == THE_CARDS,
    )


RULE = re.compile(r"\[([A-Z]{2}-\d+(?:(?:, | |–|-|to|and|en)*[A-Z]{2}-\d+)*)\]")

CITED = re.compile(rf"\s*{RULE.pattern}")
BLOCKS = re.compile(r"(?=<(?:p|li)>)")
HEADED = re.compile(r"(?=<h[23]>)")

LENGTHS = 7_400, 9_200, 11_000  # characters up to which letters of a size leave a text on two sides of paper
WIDE = re.compile(r"<table>(?=\s*<thead>\s*<tr>(?:\s*<th>[^<]*</th>){5})")  # it scrolls on a phone: keys must reach it


def cited(passage: str, rules: str) -> str:
    """A passage as HTML; its rule ids lead to the rules, which are at that address."""
    return RULE.sub(lambda match: f'<a class="rule" href="{rules}#{match[1]}">{match[1]}</a>', str(escape(passage)))


def rules_html(name: str, lang: str, sprite: str) -> str:
    """The rules as HTML; each rule id can be linked to."""
    return rules_html_of(definition(name), lang, sprite)


@functools.lru_cache(64)
def rules_html_of(game: GameDefinition, lang: str, sprite: str) -> str:
    """The rules of a game as it is now; a fork may change."""
    from markdown_it import MarkdownIt

    name = game.name

    def image(tokens: Sequence[Any], at: int, _options: Any, _env: Any) -> str:
        source, alt = str(tokens[at].attrGet("src")), tokens[at].content
        if match := rulebook.STEP.fullmatch(f"![]({source})"):
            step = rulebook.step_picture(alt, match[2], match[3])
            views = rulebook.example_views(name) if rulebook.has_example(name) else {}
            if step.ply not in views:
                return ""
            number = list(views).index(step.ply) + 1  # a small picture of the example leads to that step of it
            return f'<a class="step" href="{name}/example?step={number}">{position(name, lang, sprite, step)}</a>'
        kind, _colon, codes = source.partition(":")
        return drawn(rulebook.picture(alt, kind, codes), sprite)

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.renderer.rules["image"] = image  # type: ignore[attr-defined]
    rendered: str = sections(markdown.render(rulebook.rules_with_tables(name, lang)))
    return WIDE.sub('<table tabindex="0">', with_anchors(rendered))


def sections(html: str) -> str:
    """The text with each heading and what follows it as a section; small print is below a heading of level 3."""
    head, *parts = HEADED.split(html)
    kinds = ("small" if part.startswith("<h3>") else "part" for part in parts)
    return head + "".join(f'<section class="{kind}">{part}</section>' for kind, part in zip(kinds, parts, strict=True))


def with_anchors(html: str) -> str:
    """The text with the rule ids of each paragraph before it, to stand in the margin; links lead to the first of each.

    A paragraph of the text proper comes before one that only tells more about the same rule.
    """
    anchored: set[str] = set()

    def marked(block: str) -> str:
        ids = list(dict.fromkeys(id for match in CITED.findall(block) for id in re.findall(r"[A-Z]{2}-\d+", match)))
        if not ids:
            return block
        anchors = "".join(f'<a id="{id}"></a>' for id in ids if id not in anchored)
        anchored.update(ids)
        tag, text = re.match(r"(<\w+>)?(.*)", block, re.DOTALL).groups("")  # type: ignore[union-attr]
        return f'{tag}{anchors}<span class="rule">{"<br>".join(ids)}</span>{CITED.sub("", text)}'

    return "".join(map(marked, BLOCKS.split(html)))


def paper(html: str) -> int:
    """How small the letters of a text must be to fit on two sides of A4: 0, the largest, to 3."""
    return bisect_right(LENGTHS, len(re.sub(r"<[^>]*>", "", html)))


def drawn(image: rulebook.Picture, sprite: str) -> str:
    """A picture of the rules, drawn from the sprite, with its caption below; screen readers read it once."""
    rows = "".join(row_html(row, image.board, sprite) for row in image.rows)
    kind = "board" if image.board else "cards"
    alt = escape(image.alt)
    caption = f'<span class="caption" aria-hidden="true">{alt}</span>'
    return f'<span class="drawn-{kind}" role="img" aria-label="{alt}">{rows}{caption}</span>'


def card(drawing: rulebook.Drawn, board: bool, sprite: str) -> str:
    """One card of a picture."""
    look = "shown-card marked" if drawing.marked else "shown-card"
    if drawing.code == rulebook.EMPTY:
        return f'<span class="{look} bare"></span>'
    art = Art("card-back") if drawing.code == rulebook.BACK else tile(drawing.code) if board else art_of(drawing.code)
    return f'<svg class="{look}" aria-hidden="true"><use href="{sprite}#{art.symbol}"/></svg>'


# --- positions of the worked example ----------------------------------------------------------------------------------
def position(name: str, lang: str, sprite: str, step: rulebook.StepPicture) -> str:
    """A position of the example in lines, and the sentence about it.

    In the middle of the table each zone has its own line; then comes each seat with its zones.
    """
    view = rulebook.example_views(name)[step.ply]
    catalogue, zones, lines = game_words(name, lang, view.names), rulebook.pictured(view, step), list[str]()
    for zone, lit in zones:
        if zone.seat is None:
            title = "" if zone.shape == "board" else catalogue.words(zone.title)
            lines.append(line(title, zone_html(zone, lit, catalogue, sprite)))
    for seat in range(view.players):
        own = "".join(zone_html(zone, lit, catalogue, sprite) for zone, lit in zones if zone.seat == seat)
        if own:
            lines.append(line(catalogue.name(seat), own))
    caption = f'<span class="caption">{escape(step.caption)}</span>'
    return f'<span class="position" aria-hidden="true">{"".join(lines)}</span>{caption}'


def line(title: str, zones: str) -> str:
    """A line of a position."""
    heading = f'<span class="whose">{escape(title)}</span>' if title else ""
    return f'<span class="line">{heading}<span class="places">{zones}</span></span>'


def zone_html(zone: Zone, lit: bool, catalogue: Catalogue, sprite: str) -> str:
    """A zone in a position: its cards, or what is counted there."""
    look = f"place {zone.shape} lit" if lit else f"place {zone.shape}"
    if zone.shape == "count":
        symbol, title = icon(zone.id), escape(catalogue.words(zone.title))
        sign = f'<svg class="icon"><use href="{sprite}#{symbol}"/></svg>' if symbol else f"{title} "
        return f'<span class="{look}">{sign}{zone.count}</span>'
    if zone.shape == "board":
        rows = ([rulebook.Drawn(code, False) for code in row] for row in rulebook.cropped(zone))
        return f'<span class="{look}">' + "".join(row_html(row, True, sprite) for row in rows) + "</span>"
    cards = [rulebook.Drawn(code, False) for code in (*zone.cards, *[rulebook.BACK] * min(zone.hidden, 3))]
    return f'<span class="{look}">{row_html(cards, False, sprite)}</span>'


def row_html(cards: Sequence[rulebook.Drawn], board: bool, sprite: str) -> str:
    """A row of cards."""
    return f'<span class="laid">{"".join(card(drawing, board, sprite) for drawing in cards)}</span>'
