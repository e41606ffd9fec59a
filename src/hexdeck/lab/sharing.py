"""A variant to be shared, as a file or in a link: the game, its options, bots and seed, and the figures it had.

Whoever opens it can make the figures again: the same seed deals the same cards, and as many games are played.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import hypot, isclose, isfinite
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hexdeck import __version__
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.errors import BadOption, HexdeckError, is_boolean, shortened
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.rule_changes import RULES
from hexdeck.engine.text import _, say
from hexdeck.lab.reporting.wording import count, of
from hexdeck.lab.store import code_hash
from hexdeck.lab.workshop import GROUPS, MATCHES, MOST_GAMES, FigureRow, Figures, Inquiry, bots_for, figures_from
from hexdeck.stats import critical_value

FORMAT, WHAT = 1, "variant"
HARMLESS = {0xA0: " ", 0x200D: None}  # unprintable signs that figures may hold: fixed spaces, joiners of emoji
LARGEST = 20_000  # bytes of a file: twice what six seats and all options take; its link fits into an address
LONGEST, MOST_ROWS, MOST_FOUND = 600, 300, 50  # letters of a text; rows; findings
DIGITS = 7  # of a number
SAME = 1e-5  # how far, as a part of them, numbers that are the same may be apart
NAMED = 3  # figures that a sentence names


@dataclass(frozen=True)
class SharedVariant:
    """What was measured, what came of it, and the version of hexdeck and the hash of the sources that played."""

    inquiry: Inquiry
    figures: Figures
    hexdeck: str
    code: str

    @classmethod
    def of(cls, inquiry: Inquiry, figures: Figures) -> SharedVariant:
        """The variant with figures that were made here, now."""
        return cls(inquiry, figures, __version__, code_hash(inquiry.game))

    @property
    def again(self) -> Inquiry:
        """What makes the same figures: as many games of the same cards."""
        return replace(self.inquiry, games=self.figures.games, matches=self.figures.matches)

    @property
    def by_others(self) -> bool:
        """Whether the sources that played aren't those that are here."""
        return self.code != code_hash(self.inquiry.game)

    @property
    def origin(self) -> str:
        """With what the figures were made, in a sentence or two."""
        start = f"Made with hexdeck {self.hexdeck}, seed {self.inquiry.seed}: {of(self.figures.games, 'game')}"
        here = "is the same, so it makes the same figures"
        if self.by_others:
            here = "has other sources of the game or its bots, so its figures may differ"
        return f"{start}. The program here {here}. {rules_apart(self.inquiry.game)}".rstrip()

    @property
    def data(self) -> dict[str, Any]:
        """All of it, for JSON."""
        inquiry = self.inquiry
        about = {"format": FORMAT, "what": WHAT, "hexdeck": self.hexdeck, "game": inquiry.game.name}
        about |= {"players": inquiry.game.players, "options": dict(inquiry.game.options), "bots": list(inquiry.bots)}
        against = None if inquiry.against is None else [inquiry.against.name, dict(inquiry.against.options)]
        about |= {"against": against, "seed": inquiry.seed, "rules": own_rules(inquiry.game), "code": self.code}
        rounded: dict[str, Any] = shortened_numbers(asdict(self.figures))
        return {**about, "figures": rounded}

    @property
    def text(self) -> str:
        """The file."""
        return json.dumps(self.data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    @property
    def token(self) -> str:
        """The data as they stand in the address of a link."""
        packed = zlib.compress(json.dumps(self.data, separators=(",", ":"), allow_nan=False).encode(), 9)
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def own_rules(game: GameSetup) -> str:
    """A hash of the rules of a game from outside, which aren't shared with it; "" for one of hexdeck's."""
    files = (game.definition.file(name) for name in (RULES, "strategy.py"))
    text = b"" if game.definition.own else b"".join(file.read_bytes() for file in files if file)
    return hashlib.sha256(text).hexdigest()[:16] if text else ""


def rules_apart(game: GameSetup) -> str:
    """What whoever shares a game from outside is told of its rules; "" for one of hexdeck's."""
    if game.definition.own:
        return ""
    text = _("Its rules, a program, aren't in what is shared: whoever opens it needs the folder {folder}, too.")
    return str(say(text, folder=game.definition.folder.name))


def shortened_numbers(value: Any) -> Any:
    """Data whose numbers have DIGITS digits."""
    if isinstance(value, dict):
        return {key: shortened_numbers(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [shortened_numbers(item) for item in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


# --- opening ----------------------------------------------------------------------------------------------------------
def damaged() -> HexdeckError:
    """The error for what is no shared variant."""
    return HexdeckError(say("This is no shared variant, or it is damaged; the workshop or hexdeck share makes one."))


def from_link(link: str) -> SharedVariant:
    """The variant in a link, or in what follows `it=` there; raises HexdeckError."""
    try:
        token = (parse_qs(urlsplit(link).query).get("it") or [link])[0].strip()
        packed, unpack = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)), zlib.decompressobj()
        text = unpack.decompress(packed, LARGEST + 1)
    except (ValueError, binascii.Error, zlib.error):
        raise damaged() from None
    return from_file(text)


def from_file(text: str | bytes) -> SharedVariant:
    """The variant in a file; raises HexdeckError, with one sentence, where it can't be read or played here."""
    if len(text if isinstance(text, bytes) else text.encode(errors="replace")) > LARGEST:
        raise HexdeckError(say("This is no variant that hexdeck shared: it has more than {most} bytes.", most=LARGEST))
    try:
        data = json.loads(text)
        if (
            not isinstance(data, dict)
            or not "".join(texts_in(data)).translate(HARMLESS).isprintable()
            or data.get("what") != WHAT
        ):
            raise damaged()
        version = str(data["hexdeck"])[:40]
        if type(data["format"]) is not int:
            raise damaged()
        if data["format"] != FORMAT:
            raise HexdeckError(
                say(
                    "This variant was shared by hexdeck {theirs}, in another form than version {ours} reads: share it "
                    "again with the same version.",
                    theirs=version,
                    ours=__version__,
                )
            )
        figures, inquiry = checked(data["figures"]), inquiry_of(data)
        return SharedVariant(inquiry, figures, version, str(data["code"])[:40])
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise damaged() from None


def texts_in(data: Any) -> Iterator[str]:
    """All texts in what was read from JSON."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list | tuple):
        for item in data.items() if isinstance(data, dict) else data:
            yield from texts_in(item)


def inquiry_of(data: Mapping[str, Any]) -> Inquiry:
    """What was measured; raises HexdeckError where it can't be played here, others where it is damaged."""
    name, players, bots, seed = data["game"], data["players"], data["bots"], data["seed"]
    if not (isinstance(name, str) and type(players) is int and type(seed) is int and 0 <= seed < 1 << 63):
        raise damaged()
    original, against = data["against"] or (name, None)
    for each in (name, original):
        if each not in game_names():
            text = _(
                "There is no game {game} here: its rules, a program, aren't in what was shared; ask for their folder, "
                "and name it with --game-path."
            )
            raise HexdeckError(say(text, game=shortened(each)))
    try:
        game = GameSetup.named(name, players, **data["options"])
        base = None if against is None else GameSetup.named(original, players, **against)
        if data["rules"] != own_rules(game):
            raise BadOption(say("its rules here are others than those that were shared; ask for their folder."))
        if len(bots) != game.players or not set(bots) <= set(bots_for(game)):
            raise BadOption(say("there are no such bots for it here."))
    except HexdeckError as error:
        text = _("This variant of {game} can't be played by the program here, which is version {ours}: {why}")
        raise HexdeckError(say(text, game=name, ours=__version__, why=error.text)) from None
    return Inquiry(game, tuple(bots), base, seed)


def checked(data: Mapping[str, Any]) -> Figures:
    """Figures of a file, each field of which is what it should be; raises ValueError, KeyError or TypeError."""
    figures = figures_from(dict(data))
    numbers = (figures.games, 1, MOST_GAMES), (figures.matches, 0, MATCHES), (figures.place, 0, 1)
    sound = all(is_whole(number, low, high) for number, low, high in numbers)
    sound &= (
        is_boolean(figures.done)
        and isinstance(data["found"], list)
        and len(figures.rows) <= MOST_ROWS
        and len(figures.found) <= MOST_FOUND
    )
    sound &= is_number(figures.fair) and (figures.margin is None or is_number(figures.margin))
    sound &= all(map(is_text, [figures.unit, *figures.found])) and all(map(is_sound, figures.rows))
    if not sound:
        raise ValueError
    return figures


def is_sound(row: FigureRow) -> bool:
    """Whether each field of a row is what it should be."""
    texts = (getattr(row, field.name) for field in fields(row) if field.type == "str")
    ends = all(triple is None or (len(triple) == 3 and all(map(is_number, triple))) for triple in (row.ends, row.shift))
    return all(map(is_text, texts)) and row.group in GROUPS and is_boolean(row.sure) and ends


def is_text(value: Any) -> bool:
    """Whether a value is a text that isn't too long."""
    return isinstance(value, str) and len(value) <= LONGEST


def is_whole(value: Any, low: int, high: int) -> bool:
    """Whether a value is a whole number within limits."""
    return type(value) is int and low <= value <= high


def is_number(value: Any) -> bool:
    """Whether a value is a number."""
    return type(value) in (int, float) and isfinite(value)


# --- made again -------------------------------------------------------------------------------------------------------
def agreement(shared: SharedVariant, again: Figures) -> str:
    """Whether figures that were made again are those that were shared, in a sentence."""
    ours = {row.name: row for row in again.rows}
    pairs = [(row, ours[row.name]) for row in shared.figures.rows if row.name in ours]
    if len(pairs) == len(ours) == len(shared.figures.rows) and all(are_same(*pair) for pair in pairs):
        return f"They agree: all {count(len(pairs))} figures are the same."
    apart = [mine.title for theirs, mine in pairs if are_apart(theirs, mine, len(pairs))]
    short = again.games < shared.figures.games or again.matches < shared.figures.matches
    if not (shared.by_others or short):
        apart = [mine.title for theirs, mine in pairs if not are_same(theirs, mine)] or ["the list of figures"]
    why = "the sources are others" if shared.by_others else f"there was time for {of(again.games, 'game')}"
    if not apart:
        return f"They agree but for chance: {why}, and no figure is further off than chance explains."
    names = ", ".join(apart[:NAMED]) + (f" and {of(len(apart) - NAMED, 'other')}" if len(apart) > NAMED else "")
    if shared.by_others:
        return f"They don't agree, and the sources are others: {names}."
    return f"They don't agree, though the same program played the same cards (were they edited?): {names}."


def are_same(theirs: FigureRow, ours: FigureRow) -> bool:
    """Whether two rows have the same numbers."""
    for a, b in (theirs.ends, ours.ends), (theirs.shift, ours.shift):
        if (a is None) != (b is None) or not all(
            isclose(*pair, rel_tol=SAME, abs_tol=SAME) for pair in zip(a or (), b or (), strict=True)
        ):
            return False
    return theirs.value == ours.value and theirs.difference == ours.difference


def are_apart(theirs: FigureRow, ours: FigureRow, tests: int) -> bool:
    """Whether two rows, measured on different games, differ by more than chance explains, in so many tests."""
    wider = critical_value(tests) / critical_value(1)
    for a, b in (theirs.ends, ours.ends), (theirs.shift, ours.shift):
        if a is not None and b is not None and abs(a[0] - b[0]) > wider * hypot(a[2] - a[1], b[2] - b[1]) / 2:
            return True
    return False
