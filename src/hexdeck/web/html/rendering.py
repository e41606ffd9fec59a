"""What pages show, and how templates are rendered with it: facts, static files, pictures, sentences, faces.

The facts are filled in by the handlers. They may hold no more than the reader knows: a view is the reader's own, and
all else is public. Browsers may keep static files for good, since their addresses change with their contents. Games
bring art along from their folders: symbols for the sprite, and a night colour each.
"""

import functools
import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote
from xml.etree import ElementTree as ET

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from hexdeck.bots.advice.analysis import Decision
from hexdeck.bots.players.bot_names import bot_text, grade_text
from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.engine.discovery.definition import definition, playable
from hexdeck.engine.discovery.finding import SHARED, game_words
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.play.story import ScoredHand
from hexdeck.engine.study import ResultUnit
from hexdeck.engine.text import STANDARD_CARD, SYMBOLS, Cards, Catalogue, Text, card_text, say, say_n
from hexdeck.engine.view import Aside, View
from hexdeck.tables.daily import MATCHES
from hexdeck.tables.entries import Message
from hexdeck.tables.player_names import LONGEST_NAME, signs

# --- facts ------------------------------------------------------------------------------------------------------------
THEMES = ("auto", "light", "dark")
PACES = ("slow", "normal", "quick")  # in which what happens is shown


@dataclass(frozen=True)
class Site:
    """What every page needs: the reader's language, theme and pace, where the site begins, and the page's own path.

    `remarks`: whether the reader wants to see what bots say.

    `prefix`: "" or a path like "/cards", which begins all addresses. `path`: this page, without the prefix, for the
    settings to lead back to. `notice`: a sentence shown above the page, such as a refusal. `base`: where the site
    begins for other devices, like "http://HOST/cards". `own_base`: the same where the server knows itself by
    that name, else "", so that no name which somebody else made up stands on a page for others to load. `workshop`:
    whether there is a workshop to lead to.
    """

    lang: str = "en"
    theme: str = "auto"
    prefix: str = ""
    path: str = "/"
    notice: Text | None = None
    base: str = ""
    pace: str = "normal"
    own_base: str = ""
    workshop: bool = False
    remarks: bool = True


# --- parts that several pages show ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class DealPromise:
    """The promise of a new table's cards: the ticket that the form sends back, and the hash that it shows."""

    ticket: str
    hash: str


@dataclass(frozen=True)
class SeatLine:
    """Who sits on a seat: `kind` is "person", "bot" or "open"; `level` is a bot's.

    `here`: has the page open. `chosen`: has made its secret choice. `host`: is the host. `owner`: a person owns the
    seat, even if a bot plays on it now. `muted`: the host has muted it. `aside`: what the reader may say of them, in
    the reader's language, and whether they have said it. `hue`: the colour of its initial, else its name's.
    """

    number: int
    name: str
    kind: str
    level: str = ""
    here: bool = True
    chosen: bool = False
    host: bool = False
    owner: bool = False
    muted: bool = False
    aside: tuple[str, bool] | None = None
    hue: int | None = None


@dataclass(frozen=True)
class Invite:
    """A link to an open seat, or for watching (seat None), and its QR code as an SVG element.

    `code`: the letters and the number that lead to the seat, to be read out; "" without any.
    """

    seat: int | None
    address: str
    qr: str
    code: str = ""


@dataclass(frozen=True)
class JoinCode:
    """A code that leads to a free seat of a table: its letters, the link that ends in them, and its QR code.

    `typed_at`: where it can be typed in, without `http://`.
    """

    code: str
    address: str
    qr: str
    typed_at: str


# --- the site ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class TableLine:
    """One of the reader's tables; `names`: of those who play; `open_seats`: how many are; `minutes`: since it changed.

    `kind`: "waiting" (for people), "turn" or "others" (to move), "bot" (one plays for the reader), "over", "ended" (it
    can't be resumed), "missing" (its game isn't there or doesn't work now).
    """

    table_id: str
    game: str
    names: tuple[str, ...]
    kind: str
    minutes: int
    open_seats: int = 0

    @property
    def goes_on(self) -> bool:
        """Whether its match isn't over and can be played now."""
        return self.kind not in {"over", "ended", "missing"}


# --- the score sheet --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ScoreLine:
    """A deal: its number, and for each column and tally what it brought and the total after it."""

    number: int
    cells: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class SeriesLine:
    """An earlier match of the series: its number, its table, and for each column whether it won, and the totals."""

    number: int
    table: str
    cells: tuple[tuple[bool, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Scores:
    """The score sheet. `columns`: the seats of each column; `teams`: columns are teams; `signed`: gains have a sign.

    `ids`: what is counted. They and the game determine the words for it (`titles`) and for a row (`unit`).
    """

    columns: tuple[tuple[int, ...], ...]
    ids: tuple[str, ...]
    lines: tuple[ScoreLine, ...]
    totals: tuple[tuple[int, ...], ...]
    series: tuple[SeriesLine, ...]
    wins: tuple[int, ...]
    teams: bool
    signed: bool
    unit: Text
    titles: tuple[Text, ...]


@dataclass(frozen=True)
class Share:
    """How many of so many matches bots of a level, or people ("people"), have won; `done`: all were played."""

    who: str
    won: int
    games: int
    done: bool = True


@dataclass(frozen=True)
class Compared:
    """How the reader did with a deal, beside bots with the same cards, the gentlest first, and other people.

    `day`: whose deal it is. `counts`: the reader played it alone, to the end. `done`: nothing more will be known of the
    bots.
    """

    game: str
    day: str
    won: bool
    levels: tuple[Share, ...] = ()
    people: Share | None = None
    counts: bool = True
    done: bool = False

    @property
    def progress(self) -> tuple[int, int]:
        """How many matches bots have played, and how many they will have played."""
        return sum(share.games for share in self.levels), MATCHES * len(self.levels)


# --- the table --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Clock:
    """The clock: `kind` is a key of `CLOCKS`, `left` the seconds that were left when the page was made.

    `whose`: the name of whose time it is; empty where it is the reader's own.
    """

    kind: str
    left: int
    whose: str = ""


@dataclass(frozen=True)
class TurningPoint:
    """The decision of a seat by which a match turned, and its deal, from 1 (0: there was just one)."""

    seat: int
    decision: Decision
    measure: ResultUnit
    deal: int = 0


@dataclass(frozen=True)
class Over:
    """What the page shows at the end: the replay's id, the secret behind the cards, the table of the rematch.

    `places`: the place of each seat, from 1; equals share one. `won`: whether each seat won. `rematch_by`: the seat
    that asked for the rematch. `rematch_promise`: the hash of the rematch's secret, until there is a rematch.
    `contributors`: the seats that added words to its shuffle; `contribution`: the reader's own words. `lead`: by what
    it was won, where a win is counted and one seat or team has won. `decided`: what decided it, where that says more
    than who won, `deciding`: where the cards lie that did, `hands`: what scored on a board. `turning`: the turning
    point, if it is known. `asks`: the reader may say what they thought. `compared`: how others did, where it was the
    reader's deal of the day.
    """

    replay: str
    secret: str = ""
    rematch: str = ""
    places: tuple[int, ...] = ()
    won: tuple[bool, ...] = ()
    rematch_by: int | None = None
    rematch_promise: str = ""
    contributors: tuple[int, ...] = ()
    contribution: str = ""
    lead: Text | None = None
    decided: Text | None = None
    deciding: tuple[str, ...] = ()
    hands: tuple[ScoredHand, ...] = ()
    turning: TurningPoint | None = None
    asks: bool = False
    compared: Compared | None = None


@dataclass(frozen=True)
class HintView:
    """The best moves for the reader, best first (label, result and reason of each), and what the results rest on.

    `only`: there is only one legal move.
    """

    moves: tuple[tuple[Text, Text, Text | None], ...]
    premises: tuple[Text, ...] = ()
    only: bool = False


@dataclass(frozen=True)
class Chat:
    """The chat of a table, the newest message last.

    `may_speak`: the reader may write; `own_words`: in their own words, not just phrases. `fresh`: the newest message
    came just now, from somebody else. `is_seated`: the reader is a person at the table.
    """

    lines: tuple[Message, ...] = ()
    may_speak: bool = False
    own_words: bool = True
    fresh: bool = False
    is_seated: bool = False


@dataclass(frozen=True)
class SharedDevice:
    """A device that several people share: their seats, whether the cards are `covered`, who may take it `next`."""

    seats: tuple[int, ...]
    covered: bool = False
    next: tuple[int, ...] = ()


@dataclass(frozen=True)
class TablePage:
    """A table as one reader sees it; only `site` and `hint` depend on who asks for a seat's page.

    `me`: the reader's seat, None for a spectator. `host`: the reader is the host. `news`: how many of the log's last
    lines came after the reader's last move. `promise`: the hash that is shown before the deal. `waiting`: the cards
    aren't dealt yet. `ended`: why the match can't be resumed, if it can't. `invites`: the links to open seats, while it
    waits; `joining`: its code for guests; `reachable`: others on this network can follow them (`for_lan`: once
    it is begun by one of these commands). `may_retract`: the reader's choice can still be taken back. `asides`: what
    the reader may say of others, and whether they have. `may_host`: the reader may become host, since the host is away.
    `hints`: players may ask for hints; `hint`: the one that the reader asked for. `coached`: the
    coach explains decisions to the reader (None: this game has no coach); `lesson`: what it explains now; `scored`: how
    the match was scored. `chat`: None where there is nobody to talk to. `shared`: the reader's device, if several
    people share it. `scores`: the score sheet, once it has rows. `team_of`: the team of each seat, empty where
    everybody plays alone. `screen`: the page of a screen that all look at, which has nothing to press. `hand`: such
    a screen shows the table, so that this page is the reader's hand; `screen_at`: where a screen that isn't there
    yet is opened, without `http://`. `turn`: it is the turn of somebody on the reader's device (see
    `tables/live.py`). `days`: a match of days, a move a day. `push_key`: what the reader's browser asks its push
    service with; empty where nobody is called. `of_day`: it is a deal of the day.
    """

    site: Site
    table_id: str
    version: int
    view: View
    seats: tuple[SeatLine, ...]
    me: int | None = None
    host: bool = False
    news: int = 0
    clock: Clock | None = None
    over: Over | None = None
    watching: int = 0
    promise: str = ""
    waiting: bool = False
    ended: Text | None = None
    invites: tuple[Invite, ...] = ()
    joining: JoinCode | None = None
    reachable: bool = True
    for_lan: tuple[str, ...] = ()
    may_retract: bool = False
    asides: tuple[tuple[Aside, bool], ...] = ()
    may_host: bool = False
    hints: bool = False
    hint: HintView | None = None
    coached: bool | None = None
    lesson: Lesson | None = None
    scored: tuple[Text, ...] = ()
    chat: Chat | None = None
    shared: SharedDevice | None = None
    scores: Scores | None = None
    team_of: tuple[int, ...] = ()
    screen: bool = False
    hand: bool = False
    screen_at: str = ""
    turn: bool = False
    days: bool = False
    push_key: str = ""
    of_day: bool = False

    @property
    def is_seated(self) -> bool:
        """Whether the reader has a seat, if only one whose cards are covered now."""
        return self.me is not None or self.shared is not None

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats that play on the reader's device."""
        if self.shared:
            return self.shared.seats
        return () if self.me is None else (self.me,)

    @property
    def teams(self) -> tuple[tuple[SeatLine, ...], ...]:
        """The seats of each team; empty where everybody plays alone."""
        pairs = tuple(zip(self.seats, self.team_of, strict=True)) if self.team_of else ()
        return tuple(tuple(line for line, team in pairs if team == number) for number in sorted(set(self.team_of)))


# --- static files -----------------------------------------------------------------------------------------------------
FOLDER = Path(__file__).parents[1] / "static"
KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}
NAMED = {".css": re.compile(rb"[a-z0-9-]+\.woff2"), ".js": re.compile(rb"(?<=\"\./)[a-z]+\.js(?=\")")}
JOINED = {  # style sheets that are asked for together: one answer is there sooner than five
    "felt.css": ("table.css", "nights.css", "moments.css"),
    "sheets.css": ("coach.css", "ending.css"),
}


def names() -> list[str]:
    """The names of all files that pages ask for."""
    return sorted({file.name for file in FOLDER.iterdir()} | {"nights.css", *JOINED})


@functools.cache
def contents(name: str) -> bytes:
    """A file with what games add to it: their symbols in the sprite, their night colours in a style sheet.

    A style sheet names type, and a script others, by their files, which stand beside it under their own addresses.
    Units that older browsers lack go by variables, which style.css defines.
    """
    if name in JOINED:
        return b"\n".join(contents(part) for part in JOINED[name])
    if name == "nights.css":
        return nights().encode()
    text = (FOLDER / name).read_bytes()
    if name.endswith(".css"):
        text = re.sub(rb"([\d.]+)(cqw|cqh|dvh)", rb"calc(\1*var(--\2))", text)
    if linked := NAMED.get(Path(name).suffix):
        return linked.sub(lambda match: address(match[0].decode()).removeprefix("static/").encode(), text)
    if name != "sprite.svg":
        return text
    drawn, end, tail = text.rpartition(b"</svg>")
    return drawn + symbols_of_games().encode() + b"\n" + end + tail


@functools.cache
def address(name: str) -> str:
    """The address of a file, relative to where the site begins: `static/style.0123456789ab.css`."""
    stem, dot, suffix = name.rpartition(".")
    return f"static/{stem}.{hashlib.sha256(contents(name)).hexdigest()[:12]}{dot}{suffix}"


@functools.cache
def build() -> str:
    """What tells a page whether it and the server are of one build: a digest of all files and templates."""
    templates = b"".join(file.read_bytes() for file in sorted((FOLDER.parent / "templates").iterdir()))
    return hashlib.sha256("".join(map(address, names())).encode() + templates).hexdigest()[:12]


def forget_art() -> None:
    """Draw the sprite and the night colours anew, since a game has come; pages that are open keep theirs."""
    contents.cache_clear()
    address.cache_clear()


def find(name: str) -> tuple[bytes, str] | None:
    """The file of a hashed name (`style.0123456789ab.css`) and its media type; None where there is no such file."""
    match = re.fullmatch(r"([a-z0-9-]+)\.[0-9a-f]{12}(\.[a-z0-9]+)", name)
    if match is None or match[2] not in KINDS:
        return None
    file = match[1] + match[2]
    current = file in names() and address(file) == f"static/{name}"
    return (contents(file), KINDS[match[2]]) if current else None


# --- art that games bring along ---------------------------------------------------------------------------------------
COLOURS = re.compile(r'(?<= data-)(night|curse)="(#[0-9a-f]{6})"')
POSTER = (  # a card face down and one face up
    '<symbol id="art-{name}" viewBox="0 0 320 180"><rect width="320" height="180" fill="#1b2340"/>'
    '<g stroke="#e9c46a" stroke-width="3"><rect x="90" y="40" width="66" height="100" rx="8" fill="#2c3a66"/>'
    '<rect x="164" y="40" width="66" height="100" rx="8" fill="#f8f3e6"/></g></symbol>'
)


def art_files() -> dict[str, str]:
    """The games' `art.svg` files by name, those that can be read as SVG."""
    files = {name: definition(name).file("art.svg") for name in playable()}
    texts = {name: file.read_text(encoding="utf-8", errors="replace") for name, file in files.items() if file}
    return {name: text for name, text in texts.items() if is_drawing(text)}


def is_drawing(text: str) -> bool:
    """Whether a text is an SVG whose symbols fit into the sprite."""
    try:
        root = ET.fromstring(text)  # noqa: S314 - a game's code runs too: its drawing is trusted as much
    except ET.ParseError:
        return False
    return root.tag.endswith("svg")


def symbols_of_games() -> str:
    """The symbols of all games, a line each; a game without a poster gets a plain one."""
    drawn = art_files()
    lines = [inner(text) for text in drawn.values()]
    lines += [POSTER.format(name=name) for name in playable() if f'id="art-{name}"' not in drawn.get(name, "")]
    return "\n".join(lines)


def inner(text: str) -> str:
    """The elements inside an SVG, on one line."""
    body = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"\s*\n\s*", "", body[body.index(">", body.index("<svg")) + 1 : body.rindex("</svg>")]).strip()


def nights() -> str:
    """The colours of each game, of its night and of a curse, as a style sheet: `.night-GAME`."""
    found = {name: COLOURS.findall(text.partition(">")[0]) for name, text in art_files().items()}
    colours = {name: "; ".join(f"--{of}: {colour}" for of, colour in pairs) for name, pairs in found.items()}
    return "".join(f".night-{name} {{ {said} }}\n" for name, said in colours.items() if said)


def sprite_of(prefix: str) -> str:
    """The address of the sprite, which holds all pictures, on a site that begins at a prefix."""
    return f"{prefix}/{address('sprite.svg')}"


# --- pictures of cards ------------------------------------------------------------------------------------------------
SUITS = {"c": say("clubs"), "s": say("spades"), "h": say("hearts"), "d": say("diamonds")}
RANKS = {"A": say("ace"), "J": say("jack"), "Q": say("queen"), "K": say("king")}
LETTERED = re.compile(r"(.*\d)([a-f])")


@dataclass(frozen=True)
class CardPicture:
    """A symbol of the sprite, what is written on it because the picture doesn't show it, and the name of the card."""

    symbol: str
    written: str = ""
    name: str = ""

    def named(self, catalogue: Catalogue, code: str) -> Self:
        """The picture with the name that a game gives the card, if it gives one."""
        name = catalogue.named(code).strip()
        return replace(self, name=name) if name else self


@functools.cache
def symbols() -> frozenset[str]:
    """The ids of all symbols in the sprite."""
    return frozenset(re.findall(r'<symbol id="([^"]+)"', contents("sprite.svg").decode()))


@functools.cache
def picture(code: str) -> CardPicture:
    """The picture of a card; a code without one is written on a blank card."""
    if f"card-{code}" in symbols():
        return CardPicture(f"card-{code}")
    match = LETTERED.fullmatch(code)
    if match and f"card-{match[1]}" in symbols():
        return CardPicture(f"card-{match[1]}", match[2])
    return CardPicture("card-blank", code)


@functools.cache
def tile(code: str) -> CardPicture:
    """The picture of a card on a board: the square one where there is one."""
    return CardPicture(f"tile-{code}") if f"tile-{code}" in symbols() else picture(code)


def icon(zone_id: str) -> str:
    """The icon of what is counted in a zone, by the zone's name without the seat; "" without one."""
    name = f"icon-{zone_id.split('-', maxsplit=1)[0]}"
    return name if name in symbols() else ""


@functools.cache
def emblem(zone_id: str, note: str) -> str:
    """The symbol of what a zone's note says, up to a colon or comma (`gift-upside-down`); "" without one."""
    name = f"{zone_id}-{re.sub('[^a-z0-9]+', '-', re.split('[:,]', note)[0].lower())}"
    return name if name in symbols() else ""


def spoken_name(code: str, catalogue: Catalogue) -> str:
    """A card as it is read aloud, such as "7 of hearts", with its name; codes of other cards as they are."""
    return spoken_code(code, catalogue.lang) + catalogue.named(code)


@functools.cache
def spoken_code(code: str, lang: str) -> str:
    """A card as it is read aloud, without its name."""
    match, catalogue = STANDARD_CARD.fullmatch(code), Catalogue(lang, (SHARED,))
    if match is None:
        return code
    rank = catalogue.words(RANKS[match[1]]) if match[1] in RANKS else match[1]
    return catalogue.words(say("{rank} of {suit}", rank=rank, suit=SUITS[match[2]]))


# --- sentences as HTML: escaped, with pictures beside codes of cards that say little by themselves --------------------
BEGIN, END = "\ue000", "\ue001"  # around a code until the sentence is escaped; from the private use area
CODE = re.compile(f"{BEGIN}([^{END}]*){END}")
NUMBERED = re.compile("[A-Z][0-9]+[a-z]?")  # a code that is a letter before a number


class MarkingCatalogue(Catalogue):
    """A catalogue that marks the codes of cards for which there is a picture to show."""

    def _argument(self, value: Any) -> str:
        if isinstance(value, Cards):
            return self._listed([marked_card(code, self.suits) + self.named(code) for code in value.codes])
        return super()._argument(value)


@functools.cache
def marked_card(code: str, suits: bool) -> str:
    """A card in a sentence: standard cards and plain numbers as they are read, others between marks."""
    if STANDARD_CARD.fullmatch(code) or code.isdecimal() or picture(code).symbol == "card-blank":
        return card_text(code, suits)
    return f"{BEGIN}{code}{END}"


def sentence_html(catalogue: Catalogue, text: Text, sprite: str) -> Markup:
    """A sentence as HTML."""
    sentence = marking_catalogue(catalogue.lang, catalogue.folders, tuple(catalogue.names), catalogue.suits).words(text)
    return Markup(CODE.sub(lambda found: card_with_picture(found[1], sprite), str(escape(sentence))))  # noqa: S704


@functools.lru_cache(4096)
def marking_catalogue(lang: str, folders: tuple[Path, ...], names: tuple[str, ...], suits: bool) -> MarkingCatalogue:
    """A catalogue that marks cards, made once for a table."""
    return MarkingCatalogue(lang, folders, names, suits)


@functools.cache
def card_with_picture(code: str, sprite: str) -> str:
    """A card's number after its picture; the letter before it, for its colour, is only read aloud."""
    letter = f'<span class="sr">{code[0]}</span>' if NUMBERED.fullmatch(code) else ""
    shape = '<span class="named"><svg aria-hidden="true"><use href="{}#{}"/></svg>{}{}</span>'
    return shape.format(escape(sprite), escape(picture(code).symbol), letter, escape(code[1:] if letter else code))


def cards_by_suit(codes: Iterable[str]) -> Markup:
    """A list of cards as HTML: a row for each suit, then a row for each other card."""
    ranks, others = dict[str, list[str]](), Counter[str]()
    for code in codes:
        if match := STANDARD_CARD.fullmatch(code):
            ranks.setdefault(match[2], []).append(match[1])
        else:
            others[code] += 1
    row, other = Markup('<span class="suit icon-{}"><b class="icon">{}</b> {}</span>'), Markup("<span>{}</span>")
    rows = [row.format(SUITS[suit].key, SYMBOLS[suit], "\u00a0".join(held)) for suit, held in ranks.items()]
    rows += [other.format(f"{n}\u00a0×\u00a0{code}" if n > 1 else code) for code, n in others.items()]
    return Markup("\n").join(rows)


ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    auto_reload=False,
)
BACK = CardPicture("card-back")


def items(lines: Sequence[str]) -> Markup:
    """Lines that are HTML as the items of a list."""
    return safe("<li>" + "</li>\n<li>".join(lines) + "</li>" if lines else "")


def numbers_apart(sentence: str) -> Markup:
    """A sentence as HTML, with its numbers set apart."""
    number = Markup("<b>{}</b>")
    return Markup().join(number.format(part) if part.isdecimal() else part for part in re.split(r"(\d+)", sentence))


@functools.cache
def template(name: str) -> Template:
    """A template, compiled once."""
    return ENVIRONMENT.get_template(name)


def render(name: str, site: Site, catalogue: Catalogue, /, **more: Any) -> str:
    """A template as HTML; `more`: its variables, besides those that all templates can use."""
    return template(name).render(**template_context(site, catalogue), **more)


def template_context(site: Site, catalogue: Catalogue) -> dict[str, Any]:
    """What all templates can use: addresses, and sentences in the reader's language."""

    def translate(key: str, **args: Any) -> str:
        return catalogue.words(say(key, **args))

    def translate_n(singular: str, plural: str, n: int, **args: Any) -> str:
        return catalogue.words(say_n(singular, plural, n, **args))

    def level(name: str) -> str:
        text = bot_text(name)
        return catalogue.words(text) if text else name

    def grade(name: str) -> str:
        text = grade_text(name)
        return catalogue.words(text) if text else ""

    def rank(name: str) -> str:
        return " · ".join(dict.fromkeys(filter(None, (grade(name), level(name)))))

    return {
        "site": site,
        "say": translate,
        "say_n": translate_n,
        "words": catalogue.words,
        "level": level,
        "grade": grade,
        "rank": rank,
        "sprite": safe(sprite_of(site.prefix)),
        "likeness": likeness,
        "items": items,
        "numbers_apart": numbers_apart,
        "back": BACK,
        "longest_name": LONGEST_NAME,
        "static_path": address,
        "build": build(),
        "url": lambda path: site.prefix + quote(path),
        "static": lambda file: f"{site.prefix}/{address(file)}",
    }


def site_catalogue(site: Site) -> Catalogue:
    """The catalogue of sentences that belong to no game."""
    return Catalogue(site.lang, (SHARED,))


def game_catalogue(site: Site, game: str, names: Sequence[str] = ()) -> Catalogue:
    """The catalogue of a game, with symbols for the suits of cards."""
    return replace(game_words(game, site.lang, tuple(names)), suits=True)


def safe(html: str) -> Markup:
    """HTML that is our own: a template's, or an address."""
    return Markup(html)  # noqa: S704 - as said


# --- faces: a bot's own by its name, a person's initial in a colour ---------------------------------------------------
HUES = 10  # colours of initials, `hue-0` and on


@dataclass(frozen=True)
class Likeness:
    """A symbol of the sprite, or else an initial and its colour's number."""

    symbol: str = ""
    initial: str = ""
    hue: int = 0


def likeness(line: SeatLine) -> Likeness:
    """The face of a seat; a person keeps the initial while a bot plays for them."""
    face = likeness_of(line.name, line.kind == "bot" and not line.owner)
    return face if line.hue is None else replace(face, hue=line.hue)


def coloured(lines: Iterable[SeatLine]) -> tuple[SeatLine, ...]:
    """The seats of a table with colours that differ: a bot's face has its own, a person the next one that is free."""
    lines = tuple(lines)
    hues = {line.number: likeness(line).hue for line in lines if likeness(line).symbol}
    for line in lines:
        own, used = likeness(line).hue, set(hues.values())
        free = (hue for k in range(HUES) if (hue := (own + k) % HUES) not in used)
        hues.setdefault(line.number, own if line.kind == "open" else next(free, own))
    return tuple(replace(line, hue=hues[line.number]) for line in lines)


def likeness_of(name: str, bot: bool) -> Likeness:
    """The face that goes with a name."""
    number = zlib.crc32(name.strip().casefold().encode())
    if bot:
        face = name if name in BOT_NAMES else BOT_NAMES[number % len(BOT_NAMES)]
        return Likeness(f"face-{face.lower()}", hue=BOT_NAMES.index(face))
    return Likeness(initial=next(signs(name.strip()), "?").upper(), hue=number % HUES)
