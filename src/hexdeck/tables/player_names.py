"""Names and words as people type them: on one line, nothing invisible, whole signs; and names that look alike."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import category, normalize

from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say

LONGEST_NAME = 16  # characters
MOST_MARKS = 2  # combining marks on a letter: more would paint over other lines
MARKS = ("Mn", "Me", "Mc")
JOINER, AS_PICTURE = "\u200d", "\ufe0f"  # parts of emoji: of a family, of a heart
FLAGS = [
    f"\U0001f3f4{''.join(chr(0xE0000 + ord(letter)) for letter in of)}\U000e007f" for of in ("gbeng", "gbsct", "gbwls")
]
MINUS = "\u2212"
KEY = "\ufe0f\u20e3"  # what makes a key of a number
FILLERS = (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x303F, 0x3164, 0xFFA0, 0xFFFC, 0x1D159)
VARIANTS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
BLANK = frozenset(map(chr, (*FILLERS, *VARIANTS)))  # letters and marks that print nothing
LIKE = (  # a Latin letter, and what looks like it: letters of other alphabets, numbers and signs
    "aАаΑαɑꓮᎪᗅⲀ bВвΒβЬьꓐᏴᏏᗷᑲᖯⲂ cСсϲꓚᏟᑕⲤⲥ dԁꓓᎠᏧᑯᗞᗪ eЕеΕεёꓰᎬᗴ fꓝᖴ gցꓖᏀᏳ hНнΗһհꓧᎻᏂᕼⲎ iΙιІіɩꓲᎥⲒ "  # noqa: RUF001
    "jЈјյꓙᎫᒍ kКкΚκꓗᏦⲔĸ l1|ӀӏꓡᏞᒪԼǀ∣❘│׀ᅵ丨亅 mМмΜꓟᎷᗰⲘ nΝηпոꓠᑎⲚ o0ОоΟοσօꓳⲞⲟᄋ〇 pРрΡρꓑᏢᑭⲢⲣ qԛզ rгꓣᎡᏒᖇ "  # noqa: RUF001
    "sЅѕՏꓢᏕᏚᔕ tТтΤτꓔᎢⲦ uυսꓴᑌ vѵνꓦᏙᐯ wԝωꓪᎳᏔᗯ xХхΧχꓫᕁᕽ᙭Ⲭ yУуΥүγꓬᎩᎽⲨ zΖꓜᏃᙆ "  # noqa: RUF001
)
ALIKE = str.maketrans({other: group[0] for group in LIKE.split() for other in group[1:]})
LATIN = re.compile(r"\bLATIN\b.* ([A-Z])(?: WITH .*| BAR)?$")  # the name of one of its letters, however it is written
LETTERS = ("Lu", "Ll", "Lt", "Lo")
TOGETHER = {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}  # alphabets that names mix


# --- signs ------------------------------------------------------------------------------------------------------------
def signs(text: str) -> Iterator[str]:
    """The signs of a text as its readers see them: a letter with its marks, an emoji with all its parts."""
    sign = ""
    for letter in text:
        extends = (
            category(letter) in MARKS or letter == JOINER or is_tag(letter) or "\U0001f3fb" <= letter <= "\U0001f3ff"
        )
        pairs = is_regional(letter) and len(sign) == 1 and is_regional(sign)
        if sign and not (extends or pairs or sign[-1] == JOINER):
            yield sign
            sign = ""
        sign += letter
    if sign:
        yield sign


def is_tag(letter: str) -> bool:
    """Whether it is one of the invisible letters that say whose flag an emoji is."""
    return "\U000e0020" <= letter <= "\U000e007f"


def is_regional(letter: str) -> bool:
    """Whether it is one of the letters of which two are the flag of a country."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def visible(sign: str) -> str:
    """What can be seen of a sign; of an emoji all its parts."""
    out, marks, is_emoji = "", 0, category(sign[0]) == "So" or sign[1:] == KEY
    for letter in sign:
        joins = letter in (JOINER, AS_PICTURE) and out[-1:] not in ("", JOINER, letter)
        part = (is_emoji and joins) or sign in FLAGS
        marks += category(letter) in MARKS and not part
        if part or (letter.isprintable() and letter not in BLANK and marks <= (MOST_MARKS if out else 0)):
            out += letter
    return out.rstrip(JOINER)


def cut(text: str, length: int) -> str:
    """As many signs of a text as fit into so many characters, each whole."""
    out = ""
    for sign in signs(text):
        if len(out + sign) > length:
            break
        out += sign
    return out.strip()


def one_line(text: str) -> str:
    """Words on one line, without what can't be seen, and with at most a few combining marks on a letter."""
    return " ".join("".join(map(visible, signs(" ".join(text.split())))).split())


# --- names ------------------------------------------------------------------------------------------------------------
def cleaned_name(name: Any) -> str:
    """A name as it is stored: on one line, nothing invisible, not too long; empty where nothing is left."""
    return cut(one_line(name), LONGEST_NAME) if isinstance(name, str) else ""


def checked_name(name: Any) -> str:
    """A name as it is stored; raises BadOption where it mixes letters of two alphabets, to pass for another name."""
    cleaned = cleaned_name(name)
    parts = "".join(normalize("NFKD", letter) for letter in cleaned if category(letter) in LETTERS)
    alphabets = {unicodedata.name(part, "").partition(" ")[0] for part in parts if category(part) in LETTERS}
    if len(alphabets) > 1 and not alphabets <= TOGETHER:
        raise BadOption(say("Letters of two alphabets can't be mixed in a name."))
    return cleaned


def appearances(name: str) -> set[str]:
    """What names that look alike have in common: other alphabets, capitals, accents, spaces and dots aside."""
    return {skeleton(form) for form in (name, name.lower(), name.upper())}


def skeleton(name: str) -> str:
    """The Latin letters and digits that a name seems to consist of; where there are none, its signs."""
    out, bare = "", [letter for letter in normalize("NFKD", name.translate(ALIKE)) if category(letter) not in MARKS]
    for letter in "".join(bare).translate(ALIKE):
        word = unicodedata.name(letter, "")
        if latin := LATIN.search(word):
            out += latin[1]
        elif letter.isalnum() and category(letter) != "Lm" and not word.endswith("CLICK"):
            out += str(unicodedata.digit(letter, letter))
    plain = out.casefold().translate(ALIKE).replace("rn", "m").replace("vv", "w").replace("i", "l")
    return plain or "".join(
        "-" if category(letter) == "Pd" or letter == MINUS else letter for letter in bare if letter != JOINER
    )


def free_name(name: str, used: Sequence[str], seat: int) -> str:
    """A name that looks like no other seat's: this one, numbered if need be; a bot's where it is empty.

    People who choose none are called `GUEST`, in their language where the caller knows it.
    """
    numbered = (name, *(f"{cut(name, LONGEST_NAME - 3)} {k}" for k in range(2, 30)))
    looks = set[str]().union(*map(appearances, used))
    choices = numbered if name else (BOT_NAMES[seat % len(BOT_NAMES)], *BOT_NAMES)
    return next(own for own in choices if not appearances(own) & looks)
